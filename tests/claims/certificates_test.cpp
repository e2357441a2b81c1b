#include "claim_check.hpp"
#include "papers_data.hpp"

#include <algorithm>

namespace attest {
namespace {

/// "claim/kind"
std::string kind_of(const Certificate& certificate) {
  const WrittenCertificate text = written(certificate);
  return text.claim + "/" + text.statement.at("kind").get<std::string>();
}

/// "claim/kind" of the certificate of a hypothesis; empty when it has none.
std::string evidence(const Checked& finding, const std::string& hypothesis) {
  const Hypothesis& found = hypothesis_of(finding, hypothesis);
  return found.certificate ? kind_of(*found.certificate) : "";
}

std::string own_evidence(const Checked& finding) {
  BOOST_TEST_REQUIRE(finding.certificate.has_value());
  return kind_of(*finding.certificate);
}

BOOST_AUTO_TEST_SUITE(hypothesis_certificates)

BOOST_AUTO_TEST_CASE(equal_scores_have_one_and_unequal_ones_are_no_hypothesis) {
  const Checked unequal = check(problem_of("one-input/distinct"), "gd-global");
  BOOST_TEST(evidence(unequal, "Assumption A") == "assumption-a/loss-bounds");
  BOOST_TEST(evidence(unequal, "unique globally optimal selection") == "globally-optimal/globally-optimal");
  BOOST_TEST(evidence(unequal, "feasible p-SVM") == "p-svm/svm-optimal");
  BOOST_TEST((std::ranges::find(unequal.hypotheses, HypothesisId::equal_scores, &Hypothesis::id) == unequal.hypotheses.end()));
  BOOST_TEST(evidence(check(problem_of("one-input/tie"), "gd-global"), "equal non-optimal scores") == "gd-global/equal-scores");
}

BOOST_AUTO_TEST_CASE(a_better_neighbour_and_its_contrary_have_one) {
  const Checked tie = check(problem_of("one-input/tie"), "tightness", {{"selection", Selection{1}}});
  check_outcome(tie, Verdict::inapplicable, Grade::proved);
  BOOST_TEST(own_evidence(tie) == "tightness/no-better-neighbour");
  BOOST_TEST(evidence(tie, "independent tight rows") == "tightness/independent-rows");
  Problem better = problem_of("one-input/tie");
  better.tokens = {ExactMatrix::from_rationals(3, 3, {Rational(-1, 10), 1, 1, 1, 0, Rational(9, 10), 0, 0, 1})};
  const Checked found = check(better, "tightness", {{"selection", Selection{1}}, {"iterations", std::int64_t{100}}});
  BOOST_TEST(evidence(found, "a better neighbour with weight") == "tightness/better-neighbour");
}

BOOST_AUTO_TEST_CASE(local_optimality_for_W_and_its_contrary_have_one) {
  Problem problem = problem_of("hypotheses/opposed-queries");
  const Checked opposed = check(problem, "w-path", {{"selection", Selection{0, 1}}, {"radius", Rational(4)}});
  BOOST_TEST(evidence(opposed, "locally optimal selection") == "w-svm/not-locally-optimal");
  problem.v = ExactMatrix::from_doubles(1, 2, {1, 1});
  const Checked infeasible = check(problem, "w-gd", {{"selection", Selection{0, 0}}});
  BOOST_TEST(own_evidence(infeasible) == "w-svm/svm-infeasible");
  BOOST_TEST(evidence(infeasible, "locally optimal selection") == "w-svm/not-locally-optimal");
  problem.labels = {1, -1};
  problem.v = ExactMatrix::from_doubles(1, 2, {1, 0});
  const Checked local = check(problem, "w-gd", {{"selection", Selection{0, 1}}, {"iterations", std::int64_t{10}}});
  BOOST_TEST(evidence(local, "locally optimal selection") == "w-svm/locally-optimal");
}

BOOST_AUTO_TEST_CASE(the_hypotheses_of_joint_training_have_one) {
  const Checked free = check(problem_of("hypotheses/free-token"), "joint-path", {{"selection", Selection{1, 1, 1}}});
  check_outcome(free, Verdict::inapplicable, Grade::proved);
  BOOST_TEST(own_evidence(free) == "joint-path/no-slack-tokens");
  BOOST_TEST(evidence(free, "feasible joint p-SVM") == "joint-svm/svm-optimal");
  BOOST_TEST(own_evidence(check(problem_of("hypotheses/another-loss"), "joint-path")) == "joint-path/not-logistic");
}

BOOST_AUTO_TEST_CASE(a_solution_of_0_keeps_the_certificate_that_shows_it) {
  const Problem problem = problem_of("hypotheses/one-token");
  for (const char* claim : {"gd-local", "tightness", "path", "mirror-descent"}) {
    const Checked finding = check(problem, claim);
    check_outcome(finding, Verdict::inapplicable, Grade::proved);
    BOOST_TEST(own_evidence(finding) == "p-svm/svm-optimal");
    BOOST_TEST(written(*finding.certificate).statement.at("objective") == "0");
  }
  BOOST_TEST(own_evidence(check(problem, "w-path")) == "w-svm/svm-optimal");
  BOOST_TEST(own_evidence(check(problem, "kq-path")) == "w-svm/nuclear-bracket");
}

BOOST_AUTO_TEST_CASE(what_is_observed_has_none) {
  const Parameters small_steps = {{"method", std::string("constant")}, {"step", Rational(1, 1000)}, {"iterations", std::int64_t{100}}};
  const Checked finding = check(problem_of("one-input/tie"), "gd-local", small_steps);
  BOOST_TEST(evidence(finding, "step at most 1/L_p").empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(certificate)

BOOST_AUTO_TEST_CASE(a_certificate_holds_the_whole_problem_in_rationals) {
  Problem problem = one_input();
  problem.queries = ExactMatrix::from_doubles(1, 3, {0.5, 0, -1});
  problem.loss = written("log(1 + exp(-u))");
  const Checked finding = check(problem, "globally-optimal");
  const Json file = Json::parse(text_of(*finding.certificate, problem));
  BOOST_TEST((keys_of(file) == Keys{"attest_certificate", "claim", "problem", "statement", "witness"}));
  BOOST_TEST(file.at("attest_certificate") == 1);
  const Json expected = Json::parse(R"json({
    "tokens": [[["-1/10", "1", "1"], ["1", "0", "9/10"], ["0", "0", "9/10"]]],
    "labels": [1],
    "v": ["0", "0", "1"],
    "W": [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "0"]],
    "queries": [["1/2", "0", "-1"]],
    "loss": {"expression": "log(1 + exp(-u))"}})json");
  BOOST_TEST((file.at("problem") == expected), file.at("problem").dump());
}

BOOST_AUTO_TEST_CASE(what_the_problem_does_not_have_the_certificate_does_not_say) {
  Problem problem = two_inputs();
  const Checked finding = check(problem, "globally-optimal");
  const Json file = Json::parse(text_of(*finding.certificate, problem));
  BOOST_TEST((keys_of(file.at("problem")) == Keys{"tokens", "labels", "v", "loss"}));
  BOOST_TEST(file.at("problem").at("loss") == "logistic");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
