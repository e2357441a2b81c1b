#include "../occurrences.hpp"
#include "attest/report/html.hpp"
#include "attest/report/junit.hpp"
#include "attest/report/label.hpp"
#include "attest/report/results.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace attest {
namespace {

using Keys = std::vector<std::string>;

Keys keys_of(const Json& object) {
  Keys keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

ClaimRequest request(Verdict expect = Verdict::holds, Grade grade = Grade::observed) {
  ClaimRequest made;
  made.claim = "p-svm";
  made.expect = expect;
  made.grade = grade;
  return made;
}

struct Objective {
  double value;
  void write(Fields& out) const { out("objective", value); }
};

Finding finding(Verdict verdict = Verdict::holds, Grade grade = Grade::proved) {
  Finding made;
  made.verdict = verdict;
  made.grade = grade;
  made.message = "because";
  made.evidence = Objective{0.5};
  return made;
}

Json entry(const ClaimRequest& asked, const Finding& found) { return claim_entry(asked, found, {}, 0.25); }

/// One case with one claim, whose numbers are these.
Json with_numbers(const Finding& found, Json numbers) {
  Json claim = entry(request(), found);
  claim["numbers"] = std::move(numbers);
  return {{"name", "a"}, {"file", "a.json"}, {"claims", Json::array({std::move(claim)})}};
}

const RunInfo run{"0.1.0", "3.8.2", "3.14.19", 42};

BOOST_AUTO_TEST_SUITE(passing)

BOOST_AUTO_TEST_CASE(a_claim_passes_exactly_when_its_verdict_is_expected_and_its_grade_suffices) {
  const std::vector<Verdict> verdicts = {Verdict::holds, Verdict::fails, Verdict::undecided, Verdict::inapplicable};
  const std::vector<Grade> grades = {Grade::observed, Grade::proved};
  int passed = 0;
  for (const Verdict expect : verdicts)
    for (const Verdict verdict : verdicts)
      for (const Grade least : grades)
        for (const Grade grade : grades) {
          const bool enough = least == Grade::observed || grade == Grade::proved;
          BOOST_TEST(passes(request(expect, least), finding(verdict, grade)) == (expect == verdict && enough));
          passed += passes(request(expect, least), finding(verdict, grade)) ? 1 : 0;
        }
  BOOST_TEST(passed == 4 * 3);  // of 64: for each verdict the three pairs of grades that suffice
}

BOOST_AUTO_TEST_CASE(an_observed_finding_does_not_pass_where_a_proof_is_demanded) {
  BOOST_TEST(passes(request(Verdict::holds, Grade::proved), finding(Verdict::holds, Grade::proved)));
  BOOST_TEST(!passes(request(Verdict::holds, Grade::proved), finding(Verdict::holds, Grade::observed)));
}

BOOST_AUTO_TEST_CASE(a_finding_that_says_nothing_does_not_pass) { BOOST_TEST(!passes(request(), Finding{})); }

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(json)

BOOST_AUTO_TEST_CASE(an_entry_has_the_fields_of_the_contract) {
  const Json made = claim_entry(request(), finding(), {"certs/a.json", {}}, 0.25);
  // expect_grade is there besides what the contract lists: without it a report cannot say why a claim failed.
  BOOST_TEST((keys_of(made) == Keys{"claim", "parameters", "selection", "verdict", "grade", "expect", "expect_grade", "passed", "message",
                                    "numbers", "certificate", "seconds"}));
  BOOST_TEST(made.at("claim") == "p-svm");
  BOOST_TEST(made.at("selection").is_null());
  BOOST_TEST(made.at("verdict") == "holds");
  BOOST_TEST(made.at("grade") == "proved");
  BOOST_TEST(made.at("expect") == "holds");
  BOOST_TEST(made.at("expect_grade") == "observed");
  BOOST_TEST(made.at("passed") == true);
  BOOST_TEST(made.at("message") == "because");
  BOOST_TEST(made.at("numbers").at("objective") == 0.5);
  BOOST_TEST(made.at("certificate") == "certs/a.json");
  BOOST_TEST(made.at("seconds") == 0.25);
}

BOOST_AUTO_TEST_CASE(a_claim_that_is_not_as_expected_is_not_passed) {
  const Json made = entry(request(Verdict::fails), finding(Verdict::holds));
  BOOST_TEST(made.at("passed") == false);
  BOOST_TEST(made.at("expect") == "fails");
}

BOOST_AUTO_TEST_CASE(without_a_certificate_the_field_is_null) { BOOST_TEST(entry(request(), finding()).at("certificate").is_null()); }

BOOST_AUTO_TEST_CASE(the_selection_is_the_findings_or_else_the_requests) {
  ClaimRequest asked = request();
  asked.parameters.emplace("selection", Selection{2, 0});
  BOOST_TEST((entry(asked, finding()).at("selection") == Json::parse("[2, 0]")));
  Finding found = finding();
  found.selection = Selection{1, 1};
  BOOST_TEST((entry(asked, found).at("selection") == Json::parse("[1, 1]")));
}

BOOST_AUTO_TEST_CASE(a_theorem_adds_its_hypotheses_and_its_conclusion) {
  Finding found = finding();
  found.hypotheses = {{HypothesisId::assumption_a, Verdict::holds, Grade::proved, "bounded"},
                      {HypothesisId::feasible_p_svm, Verdict::undecided, Grade::observed, "unknown"}};
  found.conclusion = "the direction converges";
  const Json made = entry(request(), found);
  BOOST_TEST((made.at("hypotheses") == Json::parse(R"([
    {"name": "Assumption A", "verdict": "holds", "grade": "proved", "message": "bounded", "certificate": null},
    {"name": "feasible p-SVM", "verdict": "undecided", "grade": "observed", "message": "unknown", "certificate": null}])")));
  BOOST_TEST(made.at("conclusion") == "the direction converges");
  BOOST_TEST(!entry(request(), finding()).contains("hypotheses"));
  BOOST_TEST(!entry(request(), finding()).contains("conclusion"));
}

BOOST_AUTO_TEST_CASE(each_hypothesis_names_the_certificate_that_was_written_for_it) {
  Finding found = finding();
  found.hypotheses = {{HypothesisId::assumption_a, Verdict::holds, Grade::proved, "bounded"},
                      {HypothesisId::safe_step, Verdict::holds, Grade::observed, "small"}};
  found.conclusion = "the direction converges";
  const Json made = claim_entry(request(), found, {"certs/a.json", {"certs/a-h0-a.json", std::nullopt}}, 0.25);
  BOOST_TEST(made.at("hypotheses")[0].at("certificate") == "certs/a-h0-a.json");
  BOOST_TEST(made.at("hypotheses")[1].at("certificate").is_null());
  BOOST_TEST(made.at("certificate") == "certs/a.json");
}

BOOST_AUTO_TEST_CASE(runs_name_the_certificates_of_their_limits_where_there_are_any) {
  const Json made = claim_entry(request(), finding(), {"certs/a.json", {}, {"certs/a.json", std::nullopt, "certs/a-r2.json"}}, 0.25);
  BOOST_TEST((made.at("run_certificates") == Json::parse(R"(["certs/a.json", null, "certs/a-r2.json"])")));
  BOOST_TEST(!claim_entry(request(), finding(), {"certs/a.json", {}, {std::nullopt, std::nullopt}}, 0.25).contains("run_certificates"));
}

Json set(const std::string& claim, const Json& parameters, const Json& selection = nullptr) {
  return {{"claim", claim}, {"parameters", parameters}, {"selection", selection}};
}

BOOST_AUTO_TEST_CASE(a_label_says_how_a_claim_is_set_and_not_what_it_demands) {
  const Json claims = {set("mirror-descent", {{"q", 3}}),
                       set("mirror-descent", {{"q", "7/4"}}),
                       set("w-svm", {{"norm", "nuclear"}, {"selection", {0}}}, {0}),
                       set("w-svm", {{"objective", "1/2"}, {"selection", {0}}}, {0}),
                       set("globally-optimal", {{"unique", true}}),
                       set("census", {{"count", 2}})};
  BOOST_TEST((claim_labels(claims) ==
              Keys{"mirror-descent q=3", "mirror-descent q=7/4", "w-svm norm=nuclear", "w-svm", "globally-optimal unique", "census"}));
}

BOOST_AUTO_TEST_CASE(claims_that_would_look_alike_are_told_apart) {
  const Json claims = {set("p-svm", {{"objective", 1}}, {0}), set("p-svm", {{"objective", 2}}, {0}),
                       set("p-svm", {{"objective", 1}}, {1}), set("assumption-a", {{"interval", {0, 1}}}),
                       set("assumption-a", Json::object()),   set("derivatives", Json::object()),
                       set("derivatives", Json::object())};
  BOOST_TEST((claim_labels(claims) == Keys{"p-svm objective=1", "p-svm objective=2", "p-svm", "assumption-a interval=[0,1]", "assumption-a",
                                           "derivatives", "derivatives #2"}));
}

BOOST_AUTO_TEST_CASE(what_is_not_labelled_goes_by_its_name) {
  BOOST_TEST(claim_label({{"claim", "p-svm"}}) == "p-svm");
  BOOST_TEST(claim_label({{"claim", "p-svm"}, {"label", "p-svm #2"}}) == "p-svm #2");
}

BOOST_AUTO_TEST_CASE(an_expectation_is_missed_only_by_a_claim_that_ended_itself) {
  Json claim = entry(request(Verdict::undecided), finding());
  BOOST_TEST(missed_expectation(claim) == "undecided, observed");
  claim["ended_early"] = true;
  BOOST_TEST(missed_expectation(claim).empty());
}

BOOST_AUTO_TEST_CASE(changed_data_are_a_failure_of_their_own) {
  Json one = {{"name", "a"}, {"file", "a.json"}, {"claims", Json::array({entry(request(), finding())})}};
  BOOST_TEST((results(run, {one}).at("summary") == Json::parse(R"({"passed": 1, "failed": 0})")));
  BOOST_TEST(data_changed_text(one).empty());
  one["data_changed"] = {"tokens", "v"};
  const Json made = results(run, {one});
  BOOST_TEST((made.at("summary") == Json::parse(R"({"passed": 1, "failed": 1})")));
  BOOST_TEST(data_changed_text(one) == "the data changed since the audit: tokens, v");
  BOOST_TEST(has(junit(made), "tests=\"2\" failures=\"1\""));
  BOOST_TEST(has(junit(made), "classname=\"data\""));
  BOOST_TEST(has(html(made), "the data changed since the audit: tokens, v"));
}

BOOST_AUTO_TEST_CASE(a_row_of_a_correlation_is_a_run_of_the_claims_own_q) {
  Json claim = entry(request(), finding());
  claim["numbers"] = {{"q", 3.0}, {"correlation", {{"q", {1.75, 2.0, 3.0}}, {"rows", {{0.5, 0.75, 1.0}}}}}};
  const std::string page = html(results(run, {{{"name", "a"}, {"file", "a.json"}, {"claims", Json::array({claim})}}}));
  BOOST_TEST(has(page, "<th scope=\"row\">run 0, q = 3</th>"));
  BOOST_TEST(!has(page, "<th scope=\"row\">q = 1.75</th>"));
}

BOOST_AUTO_TEST_CASE(the_results_name_the_run_and_count_what_passed) {
  const Json good = entry(request(), finding());
  const Json bad = entry(request(Verdict::fails), finding());
  const Json one = {{"name", "a"}, {"file", "a.json"}, {"claims", Json::array({good, bad, good})}};
  const Json two = {{"name", "b"}, {"file", "b.json"}, {"claims", Json::array({bad})}};
  const Json made = results(run, {one, two});
  BOOST_TEST((keys_of(made) == Keys{"attest", "summary", "cases"}));
  BOOST_TEST((made.at("attest") == Json::parse(R"({"version": "0.1.0", "casadi": "3.8.2", "ipopt": "3.14.19", "seed": 42})")));
  BOOST_TEST((made.at("summary") == Json::parse(R"({"passed": 2, "failed": 2})")));
  BOOST_TEST((made.at("cases") == Json::array({one, two})));
}

BOOST_AUTO_TEST_CASE(no_cases_are_no_passes) {
  const Json made = results(run, {});
  BOOST_TEST((made.at("summary") == Json::parse(R"({"passed": 0, "failed": 0})")));
  BOOST_TEST((made.at("cases") == Json::array()));
}

BOOST_AUTO_TEST_CASE(a_seed_of_64_bits_is_kept) {
  const Json made = results({"", "", "", 18446744073709551615U}, {});
  BOOST_TEST(made.at("attest").at("seed").dump() == "18446744073709551615");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(markup)

Json small_results(const std::string& name, bool passed) {
  const Json claim = entry(request(passed ? Verdict::holds : Verdict::fails), finding());
  return results(run, {Json{{"name", name}, {"file", "a.json"}, {"claims", Json::array({claim})}}});
}

BOOST_AUTO_TEST_CASE(a_hostile_name_is_escaped_on_the_page_and_in_junit) {
  const std::string name = "<img src=x onerror='alert(1)'>&\"";
  for (const std::string& text : {html(small_results(name, true)), junit(small_results(name, true))}) {
    BOOST_TEST(!has(text, "<img"));
    BOOST_TEST(has(text, "&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;&quot;"));
  }
}

BOOST_AUTO_TEST_CASE(the_page_says_how_many_claims_are_as_expected) {
  BOOST_TEST(has(html(small_results("a", true)), "1 of 1 claims as expected</h1>"));
  BOOST_TEST(has(html(small_results("a", false)), "0 of 1 claims as expected, 1 not</h1>"));
  Json audit = small_results("a", true);
  audit["cases"][0]["audit"] = Json::object();
  BOOST_TEST(has(html(audit), "1 of 1 claims hold on these data</h1>"));
  BOOST_TEST(!has(html(audit), "as expected</h1>"));
  BOOST_TEST(has(html(small_results("a", false)), "expected fails, observed"));
}

BOOST_AUTO_TEST_CASE(only_a_claim_that_is_not_as_expected_is_a_junit_failure) {
  BOOST_TEST(!has(junit(small_results("a", true)), "<failure"));
  BOOST_TEST(has(junit(small_results("a", false)), "<failure message=\"found holds, proved; expected fails, observed\">"));
}

BOOST_AUTO_TEST_CASE(numbers_that_are_lists_objects_or_null_are_shown) {
  const Json one = with_numbers(
      finding(),
      Json::parse(R"({"gap": null, "support": [[0, 1], [2, 0]], "runs": [{"norm": 0.1}], "unique": true, "long": 0.12345678912})"));
  const std::string page = html(results(run, {one}));
  BOOST_TEST(has(page, "<th scope=\"row\">gap</th><td class=\"value\">null</td>"));
  BOOST_TEST(has(page, "<th scope=\"row\">support</th><td class=\"value\">[[0, 1], [2, 0]]</td>"));
  BOOST_TEST(has(page, "<th scope=\"row\">unique</th><td class=\"value\">true</td>"));
  BOOST_TEST(has(page, "<th scope=\"row\">long</th><td class=\"value\">0.123457</td>"));
  BOOST_TEST(has(page, "<summary>runs (1)</summary>"));
}

BOOST_AUTO_TEST_CASE(a_number_stands_beside_the_tolerance_it_was_judged_by) {
  const Json one = with_numbers(
      finding(), Json::parse(R"({"gradient_error": 1e-16, "hessian_error": 2e-16, "gradient_tolerance": 1e-12, "points": 8})"));
  const std::string page = html(results(run, {one}));
  BOOST_TEST(has(page, "1e-16 <span class=\"tolerance\">≤ 1e-12</span>"));
  BOOST_TEST(has(page, "<td class=\"value\">2e-16</td>"));
  BOOST_TEST(has(page, "<td class=\"value\">8</td>"));
}

BOOST_AUTO_TEST_CASE(a_long_selection_and_a_long_list_are_cut_and_say_so) {
  Finding found = finding();
  found.selection = Selection(200, 3);
  const Json one =
      with_numbers(found, {{"selections", std::vector<Selection>(1000, Selection(20, 1))}, {"short", std::vector<int>(20, 1)}});
  const std::string page = html(results(run, {one}));
  BOOST_TEST(has(page, "(3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, … 200 in all)"));
  BOOST_TEST(has(page, " characters, whole in the JSON)"));
  BOOST_TEST(page.size() < html(results(run, {})).size() + 20000);
}

BOOST_AUTO_TEST_CASE(a_command_to_check_a_proof_again_can_be_given_to_a_shell) {
  const Json claim = claim_entry(request(), finding(), {"my proofs/it's.json", {}}, 0.25);
  const Json one = {{"name", "a"}, {"file", "a.json"}, {"claims", Json::array({claim})}};
  BOOST_TEST(has(html(results(run, {one})), "attest-check &#39;my proofs/it&#39;\\&#39;&#39;s.json&#39; --case a.json</code>"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
