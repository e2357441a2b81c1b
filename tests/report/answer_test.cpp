// What leads an audit's page, and cards that are packed.

#include "../occurrences.hpp"
#include "answer_part.hpp"
#include "attest/report/html.hpp"
#include "card_bodies.hpp"
#include "theorem_matrix.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace attest {
namespace {

Json claim(const std::string& verdict, const Json& selection) {
  return {{"claim", "gd-local"},
          {"label", "gd-local step=2"},
          {"selection", selection},
          {"verdict", verdict},
          {"grade", "proved"},
          {"passed", true},
          {"message", "because"},
          {"numbers", Json::object()},
          {"hypotheses",
           {{{"name", "Assumption A"}, {"verdict", "holds"}, {"grade", "proved"}},
            {{"name", "other"}, {"verdict", "fails"}, {"grade", "proved"}}}}};
}

Json audited() {
  const Json share = {{"selection", {0}}, {"name", "α*"}, {"start", "0"}, {"starts", 1}, {"share", 1.0}, {"grade", "proved"}};
  const Json open = {{"selection", nullptr}, {"name", "undecided"}, {"start", 10.0}, {"starts", 50}, {"share", 0.5}, {"grade", "observed"}};
  return {{"name", "a"},
          {"audit",
           {{"headline", "from 0: α*, proved"},
            {"destinations", {share, open}},
            {"names", {{"α*", {0}}, {"α1", {1}}}},
            {"expected", {{{"name", "α*"}, {"norm", 5.0}, {"path_error", 0.25}, {"bound", nullptr}}}},
            {"rate", {{"name", "α*"}, {"constant", 3.0}, {"from_norm", 40.0}}},
            {"change", {{"theorems", {"path α*"}}, {"message", "break the <tie>"}}}}},
          {"claims", {claim("holds", {0}), claim("inapplicable", {1})}}};
}

Json results_of(const Json& one) { return {{"attest", {{"version", "0"}}}, {"summary", {{"passed", 2}, {"failed", 0}}}, {"cases", {one}}}; }

BOOST_AUTO_TEST_SUITE(answer)

BOOST_AUTO_TEST_CASE(an_audit_leads_with_its_headline_shares_names_and_errors) {
  const std::string part = answer_part(audited()) + selections_part(audited());
  for (const char* said : {"from 0: α*, proved.", "norm 5: 0.25 along the path", "proved at most 3/norm from norm 40 on", ">α1</th>", "(1)",
                           "from 0 (proved)"})
    BOOST_TEST(has(part, said), said);
  BOOST_TEST(has(change_part(audited()), "break the &lt;tie&gt;"));
  BOOST_TEST(short_name(audited(), Json({1})) == "α1");
  BOOST_TEST(short_name(audited(), Json({2})) == "(2)");
}

BOOST_AUTO_TEST_CASE(a_tracked_run_leads_with_its_verdict_and_expects_nothing) {
  Json one = audited();
  one.erase("audit");
  one["claims"] = Json::array({claim("undecided", nullptr)});
  one["claims"][0]["passed"] = false;
  one["file"] = "data.npz";
  one["track"] = {{"run", "run.npz"}};
  BOOST_TEST((has_answer(one) && answer_title(one) == "Where the run goes"));
  const std::string page = html(results_of(one), ".");
  for (const char* said : {"<h1 id=\"answer-title\">Where the run goes</h1>", "because.", "run.npz on data.npz"})
    BOOST_TEST(has(page, said), said);
  BOOST_TEST(has(page, "<span class=\"status undecided\"><span aria-hidden=\"true\">?"));
  BOOST_TEST(!has(page, "<span class=\"status fails\">"));
}

BOOST_AUTO_TEST_CASE(results_that_are_no_audit_have_no_answer) {
  Json plain = audited();
  plain.erase("audit");
  BOOST_TEST((has_answer(audited()) && !has_answer(plain)));
  BOOST_TEST(!has(html(results_of(plain), "."), "Where training goes"));
  BOOST_TEST(has(html(results_of(audited()), "."), "<h1 id=\"answer-title\">Where training goes</h1>"));
}

BOOST_AUTO_TEST_CASE(the_matrix_has_a_row_a_setting_and_a_column_a_selection) {
  const std::string matrix = theorem_matrix(results_of(audited()));
  for (const char* said :
       {"<th scope=\"col\">α*</th><th scope=\"col\">α1</th>", "<th scope=\"row\">gd-local step=2</th>",
        "class=\"cell holds\" href=\"#claim-0-0\"", "class=\"cell inapplicable\" href=\"#claim-0-1\"", "Assumption A: holds"})
    BOOST_TEST(has(matrix, said), said);
}

BOOST_AUTO_TEST_CASE(a_tick_is_for_what_is_decided) {
  const std::string page = html(results_of(audited()), ".");
  BOOST_TEST(has(page, "<span class=\"status holds\"><span aria-hidden=\"true\">✓"));
  BOOST_TEST(has(page, "<span class=\"status inapplicable\"><span aria-hidden=\"true\">–"));
}

BOOST_AUTO_TEST_CASE(odd_audits_are_shown_as_far_as_they_go) {
  for (const Json& odd : {Json{{"headline", "x"}, {"names", 3}, {"destinations", {1, {{"start", {}}}}}, {"expected", "x"}, {"change", {}}},
                          Json{{"headline", "x"}, {"change", 5}, {"sanity", 1}}}) {
    Json one = audited();
    one["audit"] = odd;
    BOOST_TEST(has(html(results_of(one), "."), "Where training goes"));
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(card_bodies)

BOOST_AUTO_TEST_CASE(a_small_page_carries_its_cards_as_they_are) {
  CardBodies bodies;
  BOOST_TEST(bodies.place("<p>one</p>") == "<div class=\"body\"><p>one</p></div>");
  BOOST_TEST(bodies.packed().empty());
}

BOOST_AUTO_TEST_CASE(what_is_too_much_is_packed_and_numbered) {
  CardBodies bodies;
  const std::string large(500'000, 'a');
  BOOST_TEST(has(bodies.place(large), large));
  BOOST_TEST(has(bodies.place(large), "data-packed=\"0\""));
  BOOST_TEST(has(bodies.place(large), "data-packed=\"1\""));
  BOOST_TEST(has(bodies.place("small"), ">small<"));  // what still fits
  const std::string packed = bodies.packed();
  BOOST_TEST(packed.size() < 10'000U);
  BOOST_TEST(has(packed, "id=\"packed\""));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
