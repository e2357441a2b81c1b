// The parts that a page is made of: formulas, tables and charts.

#include "../occurrences.hpp"
#include "attest/claims/claim.hpp"
#include "attest/report/html.hpp"
#include "chart.hpp"
#include "formula.hpp"
#include "number_table.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <regex>
#include <string>

namespace attest {
namespace {

std::string inner(std::string_view tex) {
  const std::string whole = mathml(tex);
  const std::string head = "<math display=\"block\">";
  return whole.substr(head.size(), whole.size() - head.size() - std::string("</math>").size());
}

BOOST_AUTO_TEST_SUITE(formulas)

BOOST_AUTO_TEST_CASE(letters_numbers_and_signs_have_their_elements) {
  BOOST_TEST(inner("x + 12 \\le \\alpha") == "<mi>x</mi><mo>+</mo><mn>12</mn><mo>≤</mo><mi>α</mi>");
  BOOST_TEST(inner("1 - 2 < 3") == "<mn>1</mn><mo>−</mo><mn>2</mn><mo>&lt;</mo><mn>3</mn>");
}

BOOST_AUTO_TEST_CASE(scripts_bind_to_what_stands_before_them) {
  BOOST_TEST(inner("x_i") == "<msub><mi>x</mi><mi>i</mi></msub>");
  BOOST_TEST(inner("x^{2k}") == "<msup><mi>x</mi><mrow><mn>2</mn><mi>k</mi></mrow></msup>");
  BOOST_TEST(inner("x_i^2") == "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>");
  BOOST_TEST(inner("x^2_i") == inner("x_i^2"));
  BOOST_TEST(has(inner("\\sum_i x"), "<munder><mo movablelimits=\"false\">∑</mo><mi>i</mi></munder><mi>x</mi>"));
}

BOOST_AUTO_TEST_CASE(fractions_texts_and_norms_are_read) {
  BOOST_TEST(inner("\\frac{1}{\\|v\\|}") ==
             "<mfrac><mrow><mn>1</mn></mrow><mrow><mo stretchy=\"false\">‖</mo><mi>v</mi><mo stretchy=\"false\">‖</mo></mrow></mfrac>");
  BOOST_TEST(inner("\\text{if a < b }") == "<mtext>if\u00a0a\u00a0&lt;\u00a0b\u00a0</mtext>");
}

BOOST_AUTO_TEST_CASE(a_formula_that_is_cut_off_ends_nowhere_else) {
  for (const std::string_view tex : {"\\frac{1", "x_", "{", "\\", "\\text{a", "x^{", "\\frac", "}"})
    BOOST_TEST(mathml(tex).ends_with("</math>"));
}

BOOST_AUTO_TEST_CASE(every_claim_is_stated_in_what_formulas_know) {
  const std::regex unknown("<mi>[A-Za-z]{2,}</mi>");  // an unknown command is shown as its name
  BOOST_TEST(std::regex_search(mathml("\\nosuch"), unknown));
  for (const Claim& claim : all_claims()) {
    for (const std::string_view part : {claim.title, claim.words, claim.formula}) BOOST_TEST(!part.empty(), claim.schema.name);
    BOOST_TEST(!std::regex_search(mathml(claim.formula), unknown), claim.schema.name);
  }
}

BOOST_AUTO_TEST_CASE(the_card_of_tightness_states_its_conditions) {
  const Claim* claim = find_claim("tightness");
  BOOST_TEST_REQUIRE(claim != nullptr);
  for (const char* condition : {"multiplier", "positive", "linearly independent"})
    BOOST_TEST(claim->words.find(condition) != std::string_view::npos, condition);
  BOOST_TEST(mathml(claim->formula).find("λ") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(number_tables)

BOOST_AUTO_TEST_CASE(a_number_is_shown_with_what_its_claim_says_of_it) {
  const std::string table = number_table("assumption-a", {{"cells", 3}, {"nosuch", 2}});
  BOOST_TEST(has(table, "cells</th><td class=\"value\">3</td><td class=\"soft\">cells of the proof</td>"));
  BOOST_TEST(has(table, "nosuch</th><td class=\"value\">2</td><td class=\"soft\"></td>"));
}

BOOST_AUTO_TEST_CASE(numbers_of_a_name_that_is_no_claim_are_shown_without_meaning) {
  BOOST_TEST(has(number_table("nosuch", {{"cells", 1}}), "<td class=\"value\">1</td><td class=\"soft\"></td>"));
}

BOOST_AUTO_TEST_CASE(details_of_a_meaning_are_left_to_the_documents) {
  BOOST_TEST(gist("upper bound of l' on I, as a double rounded upwards (one above 0 reads -0)") == "upper bound of l' on I");
  BOOST_TEST(gist("every tight row [i, t] of the program and its dual, in their order") ==
             "every tight row [i, t] of the program and its dual");
  BOOST_TEST(gist("where it fails: l(a) <= l(b) with a < b") == "where it fails: l(a) <= l(b) with a < b");
  for (const Claim& claim : all_claims())
    for (const NumberSpec& number : claim.numbers)
      BOOST_TEST(gist(number.about).size() <= 100U, claim.schema.name << " " << number.name << ": " << number.about);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(charts)

Chart one_line(std::vector<ChartPoint> points) { return {"n", "t", "s.", {"x", true}, {"y", true}, {{"", std::move(points)}}}; }

BOOST_AUTO_TEST_CASE(every_point_has_a_mark_with_its_value) {
  const std::string drawn = html_of(line_chart(one_line({{1, 1, "one"}, {10, 0.1, "two"}, {100, 0.01, "three"}})));
  BOOST_TEST(count(drawn, "<circle") == 3U);
  BOOST_TEST(has(drawn, "<title>two</title>"));
}

BOOST_AUTO_TEST_CASE(what_a_logarithm_cannot_show_is_left_out) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string drawn =
      html_of(line_chart(one_line({{0, 1, "zero"}, {1, 1, "one"}, {10, 0, "none"}, {10, nan, "nan"}, {100, 0.01, "three"}})));
  BOOST_TEST(count(drawn, "<circle") == 2U);
  BOOST_TEST(!has(drawn, "nan"));
  BOOST_TEST(!has(drawn, "inf"));
}

BOOST_AUTO_TEST_CASE(a_chart_of_fewer_than_two_points_is_none) {
  BOOST_TEST(line_chart(one_line({{1, 1, "one"}})).empty());
  BOOST_TEST(line_chart(one_line({{1, 0, "one"}, {2, 0, "two"}})).empty());
  BOOST_TEST(!line_chart(one_line({{1, 1, "one"}, {1, 1, "two"}})).empty());
}

/// The ends of the dashed line, in the units of the drawing.
std::vector<double> slope_ends(const std::string& drawn) {
  std::smatch ends;
  BOOST_REQUIRE(std::regex_search(drawn, ends, std::regex("class=\"slope\" d=\"M([-0-9.]+) ([-0-9.]+)L([-0-9.]+) ([-0-9.]+)\"")));
  return {std::stod(ends[1]), std::stod(ends[2]), std::stod(ends[3]), std::stod(ends[4])};
}

BOOST_AUTO_TEST_CASE(a_slope_line_lies_on_points_of_that_slope_and_off_those_of_another) {
  Chart chart = one_line({{1, 1, ""}, {10, 0.1, ""}, {100, 0.01, ""}});
  chart.series.front().slope = -1;
  const std::string drawn = html_of(line_chart(chart));
  std::smatch first;
  BOOST_REQUIRE(std::regex_search(drawn, first, std::regex("class=\"line\" d=\"M([-0-9.]+) ([-0-9.]+)L")));
  const std::vector<double> ends = slope_ends(drawn);
  BOOST_TEST(std::abs(ends[0] - std::stod(first[1])) < 0.2);
  BOOST_TEST(std::abs(ends[1] - std::stod(first[2])) < 0.2);
  chart.series.front().slope = -0.5;
  BOOST_TEST(std::abs(slope_ends(html_of(line_chart(chart)))[1] - std::stod(first[2])) > 20);
}

BOOST_AUTO_TEST_CASE(of_very_many_series_the_first_are_drawn_and_the_title_says_so) {
  Chart chart = one_line({{1, 1, ""}, {10, 0.1, ""}});
  chart.series.resize(1000, chart.series.front());
  const std::string drawn = html_of(line_chart(chart));
  BOOST_TEST(count(drawn, "class=\"line\"") == 24U);
  BOOST_TEST(has(drawn, "t (24 of 1000)"));
  chart.series.resize(24);
  BOOST_TEST(!has(html_of(line_chart(chart)), "of 24"));
}

BOOST_AUTO_TEST_CASE(a_long_series_is_thinned_but_keeps_its_ends) {
  std::vector<ChartPoint> points;
  for (int k = 1; k <= 1000; ++k) points.push_back({static_cast<double>(k), 1.0 / k, std::to_string(k)});
  const std::string drawn = html_of(line_chart(one_line(points)));
  BOOST_TEST(count(drawn, "<circle") <= 40U);
  BOOST_TEST(has(drawn, "<title>1</title>"));
  BOOST_TEST(has(drawn, "<title>1000</title>"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
