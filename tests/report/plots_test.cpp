// What a page draws of the numbers of claims: traces, bounds, tokens, maps and runs.

#include "plots.hpp"
#include "../occurrences.hpp"
#include "attest/report/html.hpp"
#include "chart.hpp"
#include "traces.hpp"

#include <boost/test/unit_test.hpp>

#include <regex>
#include <string>

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(plots)

BOOST_AUTO_TEST_CASE(traces_are_found_by_the_names_of_their_numbers) {
  const Json by_column =
      Json::parse(R"({"trace": {"norm": [1, 2, 4], "direction_error": [0.4, 0.2, null], "iteration": [0, 1, 2]}, "rate": -1})");
  const Json by_row = Json::parse(R"({"points": [{"radius": 1, "direction_error": 0.5}, {"radius": 2, "direction_error": 0.25}]})");
  const Json in_runs = Json::parse(R"({"runs": [{"selection": [1], "trace": {"norm": [1, 2], "direction_error": [1, 0.5]}}]})");
  BOOST_TEST(traces_of(by_column).size() == 1U);
  BOOST_TEST(traces_of(by_column).front().rate.value() == -1);
  BOOST_TEST(count(html_of(error_plots(by_column)), "<circle") == 2U);
  BOOST_TEST(has(html_of(error_plots(by_column)), "dashed: slope -1.000"));
  BOOST_TEST(has(html_of(error_plots(by_row)), "radius R"));
  BOOST_TEST(has(traces_of(in_runs).front().group, "(1)"));
  BOOST_TEST(count(html_of(error_plots(in_runs)), "<circle") == 2U);
}

BOOST_AUTO_TEST_CASE(a_slope_is_drawn_only_where_it_was_fitted) {
  const std::string table = R"([{"radius": 1, "direction_error": 0.5}, {"radius": 2, "direction_error": 0.25}])";
  BOOST_TEST(traces_of(Json::parse(R"({"rate": -1, "direction_rate": -1.5, "points": )" + table + "}")).front().rate.value() == -1.5);
  BOOST_TEST(!traces_of(Json::parse(R"({"rate": -1, "descent": )" + table + "}")).front().rate);
  BOOST_TEST(traces_of(Json::parse(R"({"rate": -1, "points": )" + table + "}")).front().rate.value() == -1);
}

/// A run whose errors are 3/norm, with what else its entry says.
Json bounded_run(const std::string& more) {
  return Json::parse(
      R"({"selection": [1], "trace": {"iteration": [0, 5, 10, 20], "norm": [1, 10, 100, 1000], "direction_error": [1, 0.3, 0.03, 0.003]})" +
      more + "}");
}

BOOST_AUTO_TEST_CASE(a_proved_bound_is_drawn_from_its_iterate_on_beside_the_errors) {
  const Json run = bounded_run(R"(, "rate_constant": 3.7000001, "from_iterate": 5)");
  const std::string drawn = html_of(error_plots({{"runs", {run}}}));
  BOOST_TEST(count(drawn, "class=\"line bound\"") == 1U);
  BOOST_TEST(has(drawn, "proved bound C/norm</li>"));
  BOOST_TEST(has(drawn, "<title>norm 10, error at most 0.3701, proved</title>"), drawn);  // rounded up
  BOOST_TEST(count(drawn, "proved</title>") == 3U);
  // One for each selection that runs end at.
  BOOST_TEST(count(html_of(error_plots({{"runs", {run, run, run}}})), "class=\"line bound\"") == 1U);
}

BOOST_AUTO_TEST_CASE(without_a_proved_rate_there_is_no_bound_and_none_that_says_nothing) {
  for (const char* more : {"", R"(, "rate_constant": null, "from_iterate": 5)", R"(, "rate_constant": 3.7, "from_iterate": null)",
                           R"(, "rate_constant": 1e9, "from_iterate": 0)"})
    BOOST_TEST(!has(html_of(error_plots({{"runs", {bounded_run(more)}}})), "bound"), more);
}

BOOST_AUTO_TEST_CASE(a_bound_of_the_direction_is_drawn_over_the_path_and_one_of_the_nuclear_norm_is_not) {
  const std::string points = R"({"points": [{"radius": 1, "direction_error": 1}, {"radius": 8, "direction_error": 0.1}], "envelope": [)";
  const auto drawn = [&](const std::string& entries) { return html_of(error_plots(Json::parse(points + entries + "]}"))); };
  BOOST_TEST(has(drawn(R"({"radius": 1, "bound": 1.5}, {"radius": 8, "bound": 0.5})"), "proved bound"));
  BOOST_TEST(
      !has(drawn(R"({"radius": 1, "bound": 1.5, "ratio_bound": 2.5}, {"radius": 8, "bound": 0.5, "ratio_bound": 1.5})"), "proved bound"));
}

BOOST_AUTO_TEST_CASE(a_trace_that_repeats_one_of_the_runs_is_drawn_once) {
  const std::string trace = R"({"norm": [1, 2], "direction_error": [1, 0.5]})";
  BOOST_TEST(traces_of(Json::parse(R"({"trace": )" + trace + R"(, "runs": [{"trace": )" + trace + "}]}")).size() == 1U);
  BOOST_TEST(traces_of(Json::parse(R"({"trace": )" + trace + R"(, "runs": []})")).size() == 1U);
}

BOOST_AUTO_TEST_CASE(numbers_that_are_no_trace_give_no_plot) {
  for (const char* text :
       {R"({})", R"({"points": 8, "trace": "x", "runs": []})", R"({"points": [1, 2, 3]})", R"({"selections": [[0], [1]]})",
        R"({"trace": {"norm": [1, 2]}})", R"({"shares": [{"selection": [0], "runs": 3}]})"})
    BOOST_TEST(plots_of(Json::parse(text)).empty(), text);
}

BOOST_AUTO_TEST_CASE(a_start_on_the_ray_does_not_fill_the_chart) {
  const Json numbers = Json::parse(R"({"trace": {"norm": [100, 101, 200, 400], "direction_error": [1e-17, 1e-3, 5e-4, 2.5e-4]}})");
  BOOST_TEST(count(html_of(error_plots(numbers)), "<circle") == 3U);
}

BOOST_AUTO_TEST_CASE(singular_values_are_bars_down_to_rounding) {
  const std::string drawn = html_of(spectrum_plot(Json::parse(R"({"singular_values": [2, 1, 1e-9, 0]})")));
  BOOST_TEST(count(drawn, "<rect class=\"sigma\"") == 4U);
  std::vector<double> heights;
  const std::regex height("class=\"sigma\".*? height=\"([0-9.]+)\"");
  for (std::sregex_iterator bar(drawn.begin(), drawn.end(), height), end; bar != end; ++bar) heights.push_back(std::stod((*bar)[1]));
  BOOST_REQUIRE(heights.size() == 4U);
  BOOST_TEST((heights[0] > heights[1] && heights[1] > 3 * heights[2] && heights[2] > heights[3]));
  BOOST_TEST(has(drawn, "<title>σ3 = 1e-09</title>"));
  BOOST_TEST(spectrum_plot(Json::parse(R"({"singular_values": []})")).empty());
  BOOST_TEST(spectrum_plot(Json::parse(R"({"singular_values": [0]})")).empty());
}

BOOST_AUTO_TEST_CASE(the_bracket_shows_what_is_proved_open_and_excluded) {
  const std::string drawn = html_of(bracket_plot(Json::parse(R"({"gamma": 1, "nu_lower": 0.4, "nu_upper": 0.5})")));
  for (const char* kind : {"proved-band", "open-band", "out-band"}) BOOST_TEST(count(drawn, kind) == 1U);
  const std::string without_upper = html_of(bracket_plot(Json::parse(R"({"gamma": 1, "nu_lower": 0, "nu_upper": null})")));
  BOOST_TEST(count(without_upper, "proved-band") == 0U);
  BOOST_TEST(count(without_upper, "open-band") == 1U);
  BOOST_TEST(bracket_plot(Json::parse(R"({"gamma": 1})")).empty());
}

Json attended() { return Json::parse(R"({"selection": [1], "attention": {"norm": [1, 10], "samples": [[[0.5, 0.3, 0.2], [0, 1, 0]]]}})"); }

BOOST_AUTO_TEST_CASE(attention_marks_selected_and_support_tokens_at_every_norm) {
  const std::string drawn = html_of(attention_plot(attended(), Json::parse("[[0, 2]]")));
  BOOST_TEST(count(drawn, "<circle data-moment=") == 6U);
  BOOST_TEST(has(drawn, "<title>token 0 at norm 1: 0.5</title>"));
  BOOST_TEST(has(drawn, "<title>● token 1 at norm 10: 1</title>"));
  BOOST_TEST(has(drawn, "<title>◆ token 2 at norm 1: 0.2</title>"));
  BOOST_TEST(count(html_of(attention_plot(attended(), Json())), "<title>◆") == 0U);
}

BOOST_AUTO_TEST_CASE(attention_that_is_not_a_list_a_norm_is_not_drawn) {
  for (const char* samples : {"[[[0.5, 0.5]]]", "[[[0.5, 0.5], [1]]]", "[4]", "[[[], []]]"}) {
    const Json run = Json::parse(R"({"selection": [0], "attention": {"norm": [0, 10], "samples": )" + std::string(samples) + "}}");
    BOOST_TEST(attention_plot(run, Json()).empty(), samples);
  }
}

/// Two neighbours, one of which ties with the selected token, and one token farther away.
Json seen_tokens(const char* gap) {
  return Json::parse(R"({"neighbours": [[0, 1], [1, 0]], "view": {"rows": 5, "norm": 2, "tokens": [[0, 1], [1, 0], [0, 2]],
    "margin": [1, 1, 3], "gap": [)" +
                     std::string(gap) + R"(, 0.5, -1], "across": [0.25, -0.25, 0]}})");
}

BOOST_AUTO_TEST_CASE(a_tight_token_that_scores_as_much_is_told_from_those_that_score_less) {
  const std::string drawn = html_of(margin_plot(seen_tokens("0")));
  BOOST_TEST(has(drawn, "sample 0, token 1: margin 1, score gap 0, tight</title>"));
  BOOST_TEST(has(drawn, "scores as much as the selected token or more (1)"));
  BOOST_TEST(has(drawn, "tight, scores less (1)"));
  BOOST_TEST(has(drawn, "behind the margin (1, and 2 farther)"));
  BOOST_TEST(has(html_of(margin_plot(seen_tokens("0.1"))), "scores as much as the selected token or more (0)"));
}

BOOST_AUTO_TEST_CASE(the_sentence_says_what_the_claim_found) {
  Json outscored = seen_tokens("0");
  outscored["outscored_by"] = {0, 1};
  BOOST_TEST(has(margin_plot(outscored).front().sentence, "is not locally optimal"));
  BOOST_TEST(has(margin_plot(seen_tokens("0.1")).front().sentence, "above 0: the selection is locally optimal"));
}

BOOST_AUTO_TEST_CASE(the_support_tokens_lie_on_the_line_at_the_margin) {
  const std::string drawn = html_of(geometry_plot(seen_tokens("0.1")));
  std::smatch rule;
  BOOST_REQUIRE(std::regex_search(drawn, rule, std::regex("class=\"rule\" d=\"M([0-9.]+) ")));
  BOOST_TEST(has(drawn, "the margin, 0.5"));
  const std::regex tight("<circle cx=\"([0-9.]+)\" [^>]*><title>[^<]*tight</title>");
  std::size_t found = 0;
  for (std::sregex_iterator dot(drawn.begin(), drawn.end(), tight), end; dot != end; ++dot, ++found) BOOST_TEST((*dot)[1] == rule[1]);
  BOOST_TEST(found == 2U);
}

BOOST_AUTO_TEST_CASE(a_view_whose_lists_differ_in_length_is_not_drawn) {
  Json cut = seen_tokens("0.1");
  cut["view"]["gap"].erase(2);
  BOOST_TEST(margin_plot(cut).empty());
  BOOST_TEST(geometry_plot(cut).empty());
  BOOST_TEST(margin_plot(Json::parse(R"({"view": {"tokens": []}})")).empty());
}

Json square_of(const char* log_excess) {
  return Json::parse(R"({"radius": 1, "plane": [[1, 0], [0, 1]], "limits": [{"selection": [0], "direction": [1, 0]}],
    "descent": [[0, 0], [0.5, 0]], "path": [[0.7, 0.1]], "loss": {"ticks": [-1, 1], "log_excess": )" +
                     std::string(log_excess) + "}}");
}

/// Four starts: one proved, one seen, two open.
Json map_of(const char* plane_of) {
  return Json::parse(R"({"radius": 1, "ticks": [-1, 1], "plane": [[0.6, 0.8], [0.8, -0.6]], "map": [0, null, null, null],
    "map_seen": [null, 1, null, 9], "map_proved_by": ["cone", null, null, null], "proved": 1,
    "limits": [{"selection": "α*", "direction": [1, 0]}, {"selection": "α2", "direction": [0, 1]}], "plane_of": )" +
                     std::string(plane_of) + "}");
}

BOOST_AUTO_TEST_CASE(a_start_of_the_map_that_is_seen_is_told_from_one_that_is_proved_and_from_one_that_is_open) {
  const std::string drawn = html_of(basins_plot(map_of(R"(["α*", "α2"])")));
  BOOST_TEST(has(drawn, "class=\"start-cell s0\""));
  BOOST_TEST(has(drawn, "from (-1, -1) to α*, proved (cone)</title>"));
  BOOST_TEST(has(drawn, "class=\"start-cell s2 seen\""));
  BOOST_TEST(has(drawn, "from (1, -1) to α2, seen</title>"));
  BOOST_TEST(count(drawn, ": undecided</title>") == 2U);
  BOOST_TEST(has(drawn, "p^mm of α*, up: to p^mm of α2"));
  BOOST_TEST(has(html_of(basins_plot(map_of(R"(["α*"])"))), "p^mm of α*, up: first step from 0"));
  BOOST_TEST(has(html_of(basins_plot(map_of("[]"))), "in the plane of starts"));
}

BOOST_AUTO_TEST_CASE(a_map_says_how_limits_are_known_by_the_shades_that_it_has) {
  const auto drawn = [](const char* proved, const char* seen) {
    Json map = map_of("[]");
    map["map"] = Json::parse(proved);
    map["map_seen"] = Json::parse(seen);
    return html_of(basins_plot(map));
  };
  BOOST_TEST(has(drawn("[0, 0, 1, 1]", "[null, null, null, null]"), "goes to, provably; the dashed"));
  BOOST_TEST(has(drawn("[null, null, null, null]", "[0, 0, 1, 1]"), "goes to, as far as was seen; the dashed"));
  BOOST_TEST(has(drawn("[0, 0, 1, null]", "[null, null, null, 1]"),
                 "goes to: the darker ones provably, the paler ones as far as was seen; the dashed"));
  BOOST_TEST(has(drawn("[0, 0, 1, null]", "[null, null, null, null]"), "goes to, provably; hatched is undecided; the dashed"));
}

BOOST_AUTO_TEST_CASE(a_selection_has_the_colour_of_its_name_and_those_beyond_the_colours_share_one) {
  SelectionColours named;
  BOOST_TEST((named.of("α3") == 3U && named.of("α*") == 0U && named.of("α12") == 5U && named.of("α7") == 5U && named.of("α3") == 3U));
  const std::vector<std::string> expected = {"to α*", "", "", "to α3", "", "to 2 others"};
  BOOST_TEST(named.legend("to ") == expected, boost::test_tools::per_element());
  SelectionColours nameless;
  BOOST_TEST((nameless.of("(0, 1)") == 0U && nameless.of("(1, 1)") == 1U && nameless.of("(0, 1)") == 0U));
}

Json tracked(const char* certain_from) {
  return Json::parse(R"({"heads_for": [1], "best": [0], "rate_constant": 2, "checkpoints": [
    {"checkpoint": 0, "step": 0, "norm": 1, "attention": 0.5, "log_excess": -1, "direction_error": 0.5, "path_error": 0.4, "best_error": 1},
    {"checkpoint": 5, "step": 50, "norm": 2, "attention": 0.9, "log_excess": -3, "direction_error": 0.3, "path_error": null, "best_error": 1.1},
    {"checkpoint": 9, "step": 90, "norm": 4, "attention": 1, "log_excess": -9, "direction_error": 0.1, "path_error": 0.1, "best_error": 1.2}],
    "certain_from": )" +
                     std::string(certain_from) + "}");
}

BOOST_AUTO_TEST_CASE(a_run_is_drawn_beside_the_path_with_the_checkpoint_from_which_its_limit_is_proved) {
  const Figures figures = checkpoint_plots(tracked("5"));
  BOOST_TEST_REQUIRE(figures.size() == 3U);
  const std::string drawn = html_of(figures);
  BOOST_TEST(has(drawn, "the run: step 50, norm 2, error 0.3</title>"));
  BOOST_TEST(has(drawn, "the regularisation path at the same norm: step 90, norm 4, error 0.1</title>"));
  BOOST_TEST(has(drawn, "from checkpoint 5 on plain descent provably converges"));
  BOOST_TEST(has(drawn, "norm 4, error at most 0.5, proved</title>"));
  BOOST_TEST(has(drawn, "step 90: 1</title>"));
  BOOST_TEST(!has(html_of(checkpoint_plots(tracked("null"))), "provably"));
  Json to_the_best = tracked("5");
  to_the_best["heads_for"] = {0};
  BOOST_TEST((has(drawn, "to the largest scores") && !has(html_of(checkpoint_plots(to_the_best)), "to the largest scores")));
  BOOST_TEST(checkpoint_plots(Json::parse(R"({"checkpoints": [{"step": 0}]})")).empty());
}

BOOST_AUTO_TEST_CASE(the_loss_over_a_plane_is_darker_where_it_is_higher_with_descent_and_path_on_it) {
  const std::string drawn = html_of(loss_plane_plot(square_of("[-5, -5, -1, -5]")));
  BOOST_TEST(count(drawn, "class=\"level\"") == 3U);  // the lower row is one bar
  BOOST_TEST(count(drawn, "descent from 0: (") == 2U);
  BOOST_TEST(has(drawn, "regularisation path"));
  BOOST_TEST(has(drawn, "p[0], up: p[1]"));
  BOOST_TEST(loss_plane_plot(square_of("[-5, -5, -5, -5]")).empty());  // nothing to tell apart
  BOOST_TEST(loss_plane_plot(square_of("[-5, -5, -1]")).empty());
}

BOOST_AUTO_TEST_CASE(shares_of_starts_fill_their_bars_and_say_what_is_proved) {
  const Json audit = Json::parse(R"({"destinations": [
    {"selection": [0], "name": "α*", "start": "0", "share": 1, "grade": "proved"},
    {"selection": [0], "name": "α*", "start": 10, "share": 0.75, "grade": "observed"},
    {"selection": [1], "name": "α1", "start": 10, "share": 0.25, "grade": "proved"}]})");
  const std::string drawn = html_of(shares_plot(audit));
  BOOST_TEST(count(drawn, "<rect class=\"share") == 3U);
  BOOST_TEST(has(drawn, "from 0: 100 % go to α*, proved"));
  BOOST_TEST(has(drawn, "radius 10: 75 % go to α*, observed"));
  BOOST_TEST(count(drawn, "class=\"share s1 proved\"") == 1U);
  BOOST_TEST(shares_plot(Json::parse(R"({"destinations": [{"share": 2, "start": "0"}, {"share": 0.5}]})")).empty());
}

BOOST_AUTO_TEST_CASE(a_figure_as_a_file_has_its_title_sentence_and_legend_and_escapes_them) {
  const std::string file = svg_file({"name", "A < B", "See & learn.", "two", 100, 50, "<circle r=\"1\"/>", {"\"one\""}});
  BOOST_TEST(has(file, "<title>A &lt; B</title><desc>See &amp; learn.</desc>"));
  BOOST_TEST(has(file, "See &amp; learn.</text>"));
  BOOST_TEST(has(file, "&quot;one&quot;</text>"));
  BOOST_TEST(has(file, "xmlns=\"http://www.w3.org/2000/svg\""));
}

BOOST_AUTO_TEST_CASE(trajectories_keep_the_direction_of_every_point) {
  const Json numbers = Json::parse(R"({"runs": [{"selection": [0], "limit": [0, 2], "positions": [[3, 0], [0, 5], [0, 50]]}]})");
  const std::string drawn = html_of(trajectory_plot(numbers));
  std::smatch path;
  BOOST_REQUIRE(std::regex_search(drawn, path,
                                  std::regex("class=\"line\" d=\"M([-0-9.]+) ([-0-9.]+)L([-0-9.]+) ([-0-9.]+)L([-0-9.]+) ([-0-9.]+)\"")));
  BOOST_TEST(std::stod(path[1]) > 160);  // along the first coordinate: to the right of the centre, at its height
  BOOST_TEST(std::stod(path[2]) == 150);
  BOOST_TEST(std::stod(path[3]) == 150);  // along the second: above it
  BOOST_TEST(std::stod(path[6]) < std::stod(path[4]));
  BOOST_TEST(has(drawn, "SVM direction"));
}

BOOST_AUTO_TEST_CASE(positions_beyond_doubles_or_of_different_lengths_are_not_drawn) {
  BOOST_TEST(trajectory_plot(Json::parse(R"({"runs": [{"positions": [[1, 0], [1e200, 1e200]]}]})")).empty());
  BOOST_TEST(trajectory_plot(Json::parse(R"({"runs": [{"positions": [[1, 0], [1, 2, 3]]}]})")).empty());
  BOOST_TEST(!trajectory_plot(Json::parse(R"({"runs": [{"positions": [[1, 0], [1e100, 1e100]]}]})")).empty());
}

BOOST_AUTO_TEST_CASE(runs_in_more_dimensions_are_seen_from_the_svm_direction) {
  const Json numbers =
      Json::parse(R"({"runs": [{"selection": [0], "limit": [1, 1, 1], "positions": [[1, 0, 0], [10, 9, 8], [100, 100, 100]]}]})");
  const std::string drawn = html_of(trajectory_plot(numbers));
  BOOST_TEST(has(drawn, "along the SVM direction"));
  BOOST_TEST(!has(drawn, "nan"));
  std::smatch last;
  BOOST_REQUIRE(std::regex_search(drawn, last, std::regex("L([-0-9.]+) ([-0-9.]+)\"/><circle class=\"start\"")));
  BOOST_TEST(std::stod(last[2]) == 150);  // on the ray
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
