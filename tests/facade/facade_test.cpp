#include "../occurrences.hpp"
#include "attest/attest.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

namespace {

using attest::has;

const std::string cases = ATTEST_CASES;

attest::ProblemData three_tokens() { return {.tokens = {{{"-1/10", 1}, {1, 0}, {0, 0}}}, .labels = {1}, .v = attest::Vector{0, 1}}; }

/// What the refusal says; empty when nothing is refused.
template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
    return "";
  } catch (const attest::InputError& refused) {
    return refused.what();
  }
}

BOOST_AUTO_TEST_SUITE(problems)

BOOST_AUTO_TEST_CASE(a_problem_that_is_one_is_made_and_tells_its_size) {
  const attest::Problem problem(three_tokens());
  BOOST_TEST(problem.samples() == 1U);
  BOOST_TEST(problem.tokens(0) == 3U);
  BOOST_TEST(problem.dimension() == 2U);
}

BOOST_AUTO_TEST_CASE(what_is_no_problem_is_refused_with_its_place) {
  const auto with = [](auto change) {
    attest::ProblemData data = three_tokens();
    change(data);
    return refusal([&] { attest::Problem{data}; });
  };
  BOOST_TEST(with([](auto& data) { data.labels = {7}; }) == "$.labels[0]: found 7, expected 1 or -1");
  BOOST_TEST(has(with([](auto& data) { data.labels = {1, 1}; }), "$.labels"));
  BOOST_TEST(has(with([](auto& data) { data.tokens[0][1] = {1}; }), "$.tokens[0][1]"));
  BOOST_TEST(
      has(with([](auto& data) { data.tokens[0][0][0] = std::numeric_limits<double>::quiet_NaN(); }), "$.tokens[0][0][0]: found NaN"));
  BOOST_TEST(has(with([](auto& data) { data.tokens[0][0][0] = "a third"; }), "expected a number"));
  BOOST_TEST(has(with([](auto& data) { data.tokens.clear(); }), "$.tokens"));
  BOOST_TEST(has(with([](auto& data) { data.v = attest::Vector{1}; }), "$.v"));
  BOOST_TEST(has(with([](auto& data) { data.loss = "log("; }), "$.loss"));
  BOOST_TEST(with([](auto& data) { data.loss = "log(1+exp(-u))"; }).empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(studies)

BOOST_AUTO_TEST_CASE(a_solution_is_exact_and_its_certificate_is_accepted) {
  attest::Study study{attest::Problem(three_tokens())};
  const attest::Svm svm = study.p_svm({0});
  BOOST_TEST((svm.outcome == attest::Svm::Outcome::solved));
  BOOST_TEST(svm.objective == "50/101");
  BOOST_TEST((svm.rows == std::vector<std::vector<std::size_t>>{{0, 2}}));
  BOOST_TEST(attest::check_certificate(svm.certificate).accepted);
  // The twin: the same certificate with another objective.
  std::string forged = svm.certificate;
  forged.replace(forged.find("50/101"), 6, "51/101");
  BOOST_TEST(!attest::check_certificate(forged).accepted);
  BOOST_TEST(!attest::check_certificate("no certificate").accepted);
}

BOOST_AUTO_TEST_CASE(rows_that_contradict_each_other_are_named_and_proved_to_do_so) {
  attest::Study study{attest::Problem({.tokens = {{{1, 0}, {0, 0}, {2, 0}}}, .labels = {1}})};
  const attest::Svm svm = study.p_svm({0});
  BOOST_TEST((svm.outcome == attest::Svm::Outcome::infeasible));
  BOOST_TEST((svm.rows == std::vector<std::vector<std::size_t>>{{0, 1}, {0, 2}}));
  BOOST_TEST(attest::check_certificate(svm.certificate).accepted);
}

BOOST_AUTO_TEST_CASE(a_claim_is_checked_with_parameters_as_a_case_writes_them) {
  attest::Study study{attest::Problem(three_tokens())};
  const attest::Finding finding = study.check("locally-optimal", R"({"selection": [0]})");
  BOOST_TEST((finding.verdict == attest::Verdict::holds));
  BOOST_TEST((finding.grade == attest::Grade::proved));
  BOOST_TEST(name_of(finding.verdict) == "holds");
  BOOST_TEST(name_of(attest::Verdict::inapplicable) == "inapplicable");
  BOOST_TEST(name_of(finding.grade) == "proved");
  BOOST_TEST(has(finding.numbers, "\"neighbours\":[[0,2]]"));
  BOOST_TEST(attest::check_certificate(finding.certificate).accepted);
  const attest::Finding theorem = study.check("gd-local");
  BOOST_TEST(theorem.hypotheses.size() == 3U);
  for (const attest::Hypothesis& one : theorem.hypotheses) BOOST_TEST(attest::check_certificate(one.certificate).accepted, one.name);
}

BOOST_AUTO_TEST_CASE(a_question_that_is_none_is_refused) {
  attest::Study study{attest::Problem(three_tokens())};
  BOOST_TEST(has(refusal([&] { study.check("no-claim"); }), "no-claim"));
  BOOST_TEST(!refusal([&] { study.check("p-svm", "[]"); }).empty());
  BOOST_TEST(!refusal([&] { study.check("p-svm", "{"); }).empty());
  BOOST_TEST(has(refusal([&] { study.check("p-svm", R"({"selection": [3]})"); }), "selection"));
  BOOST_TEST(has(refusal([&] { study.check("p-svm", R"({"expect": "fails"})"); }), "expect"));
  BOOST_TEST(has(refusal([&] { study.p_svm({3}); }), "selection"));
  BOOST_TEST(has(refusal([&] { study.p_svm({0, 0}); }), "selection"));
  attest::Study headless{attest::Problem({.tokens = {{{1, 0}, {0, 0}}}, .labels = {1}})};
  BOOST_TEST(has(refusal([&] { headless.best_selection(); }), "v"));
  BOOST_TEST(has(refusal([&] { headless.check("gd-global"); }), "v"));
  for (const double budget : {0.0, -1.0, HUGE_VAL, std::nan("")})
    BOOST_TEST(has(refusal([&] { attest::Study(attest::Problem(three_tokens()), budget); }), "budget_seconds"), budget);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(runs)

BOOST_AUTO_TEST_CASE(cases_are_verified_and_rendered) {
  const attest::Results results = attest::verify({cases + "/hypotheses/one-token.json"});
  BOOST_TEST(results.as_expected());
  BOOST_TEST(has(results.json(), "\"summary\""));
  BOOST_TEST(has(results.html(), "<html"));
  BOOST_TEST(has(results.markdown(), "one-token"));
}

BOOST_AUTO_TEST_CASE(data_are_audited) {
  const attest::Results results = attest::audit(cases + "/hypotheses/one-token.json", {.budget_seconds = 20, .jobs = 2});
  BOOST_TEST(results.as_expected());
  BOOST_TEST(has(results.json(), "\"audit\""));
}

BOOST_AUTO_TEST_CASE(an_audit_of_a_problem_is_kept_as_a_case_that_verifies) {
  const attest::Problem problem(three_tokens());
  const attest::Results results = attest::audit(problem, "three", {.budget_seconds = 20, .jobs = 2});
  BOOST_TEST(results.as_expected());
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "attest_facade_kept.json";
  std::ofstream(file) << results.saved_case(problem);
  BOOST_TEST(attest::verify({file}).as_expected());
  std::filesystem::remove(file);
  // The twin: what was found on these data is not what other data are expected to show.
  BOOST_TEST(has(refusal([&] { (void)results.saved_case(attest::Problem({.tokens = {{{1}}}, .labels = {1}})); }), "other data"));
  BOOST_TEST(has(refusal([&] { attest::audit(problem, "a/b"); }), "name"));
  BOOST_TEST(has(refusal([&] { (void)attest::Results("{}").saved_case(problem); }), "results"));
}

BOOST_AUTO_TEST_CASE(a_certificate_is_held_against_the_data_of_a_case) {
  const std::string own = cases + "/hypotheses/one-token.json";
  attest::Study study{attest::Problem::read(own)};
  const attest::Svm svm = study.p_svm(study.best_selection());
  const attest::Checked checked = attest::check_certificate(svm.certificate, own);
  BOOST_TEST(checked.accepted);
  BOOST_TEST(checked.claim == "p-svm");
  BOOST_TEST(!attest::check_certificate(svm.certificate, cases + "/one-input/tie.json").accepted);
  BOOST_TEST(has(refusal([&] { attest::check_certificate(svm.certificate, cases + "/nowhere.json"); }), "nowhere.json"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_run_is_refused) {
  BOOST_TEST(has(refusal([] { attest::verify({cases + "/nowhere.json"}); }), "nowhere.json"));
  BOOST_TEST(has(refusal([] { attest::audit(cases + "/nowhere.npz"); }), "nowhere.npz"));
  BOOST_TEST(has(refusal([] { attest::verify({cases + "/hypotheses/one-token.json"}, {.jobs = 0}); }), "jobs"));
  BOOST_TEST(has(refusal([] { (void)attest::Results("nonsense").html(); }), "results"));
  BOOST_TEST(has(refusal([] { (void)attest::Results("{}").as_expected(); }), "results"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
