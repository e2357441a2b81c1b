#include "claim_check.hpp"

#include <cmath>
#include <random>

namespace attest {
namespace {

Json parsed(const char* text) { return Json::parse(text); }

/// cases/one-input/distinct.json: as one_input, but token 2 scores 0.
Problem distinct_scores() {
  Problem problem = one_input();
  const Rational tenth(1, 10);
  problem.tokens = {ExactMatrix::from_rationals(3, 3, {-tenth, 1, 1, 1, 0, 9 * tenth, 0, 0, 0})};
  return problem;
}

/// cases/joint: three inputs whose tokens 0 are 0; the third input's token 1 is (1/2, height).
Problem joint(const Rational& height) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_rationals(2, 2, {0, 0, 1, 1}), ExactMatrix::from_rationals(2, 2, {0, 0, 1, -1}),
                    ExactMatrix::from_rationals(2, 2, {0, 0, Rational(1, 2), height})};
  problem.labels = {1, -1, 1};
  return problem;
}
Problem joint_tight() { return joint(1); }
Problem joint_relaxed() { return joint(Rational(3, 2)); }

const Selection ones = {1, 1, 1};

void check_keys(const Checked& finding, const Keys& numbers) { BOOST_TEST((keys_of(finding.numbers) == numbers), finding.numbers.dump()); }

BOOST_AUTO_TEST_SUITE(svm_claims)

BOOST_AUTO_TEST_CASE(the_p_svm_of_one_input_has_its_golden_objective) {
  const Checked finding = check(one_input(), "p-svm", {{"selection", Selection{0}}, {"objective", Rational(50, 101)}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  check_keys(finding, {"objective", "objective_exact", "margin", "solution", "support"});
  BOOST_TEST(number(finding, "objective") == 50.0 / 101);
  BOOST_TEST(finding.numbers.at("objective_exact") == "50/101");
  BOOST_TEST(std::abs(number(finding, "margin") - std::sqrt(1.01)) <= 1e-15);
  BOOST_TEST((finding.numbers.at("support") == parsed("[[0, 2]]")));
  const WrittenCertificate certificate = certificate_of(finding, "p-svm", "svm-optimal");
  BOOST_TEST((certificate.statement == parsed(R"({"kind": "svm-optimal", "selection": [0], "objective": "50/101", "support": [[0, 2]]})")));
  BOOST_TEST((certificate.witness == parsed(R"({"w": ["-10/101", "100/101", "0"], "lambda": [[0, 2, "100/101"]]})")));
}

BOOST_AUTO_TEST_CASE(another_objective_fails_with_the_proof_of_the_true_one) {
  const Checked finding = check(one_input(), "p-svm", {{"selection", Selection{0}}, {"objective", Rational(1, 2)}});
  check_outcome(finding, Verdict::fails, Grade::proved);
  BOOST_TEST(certificate_of(finding, "p-svm", "svm-optimal").statement.at("objective") == "50/101");
}

BOOST_AUTO_TEST_CASE(without_a_selection_the_largest_scores_are_meant) {
  BOOST_TEST((*check(one_input(), "p-svm").selection == Selection{0}));
  BOOST_TEST((*check(one_input(), "locally-optimal").selection == Selection{0}));
}

BOOST_AUTO_TEST_CASE(the_p_svm_of_joint_tight_is_at_4_3_and_1_3) {
  const Checked finding = check(joint_tight(), "p-svm", {{"selection", ones}, {"objective", Rational(17, 18)}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST((finding.numbers.at("solution") == Json::array({4.0 / 3, 1.0 / 3})));
  const Json& witness = certificate_of(finding, "p-svm", "svm-optimal").witness;
  BOOST_TEST((witness == parsed(R"({"w": ["4/3", "1/3"], "lambda": [[1, 0, "7/9"], [2, 0, "10/9"]]})")));
  BOOST_TEST((finding.numbers.at("support") == parsed("[[1, 0], [2, 0]]")));
}

BOOST_AUTO_TEST_CASE(contradicting_rows_fail_with_a_farkas_proof) {
  const Checked finding = check(joint_tight(), "p-svm", {{"selection", Selection{0, 1, 1}}});
  check_outcome(finding, Verdict::fails, Grade::proved);
  check_keys(finding, {"farkas_rows", "dropped_samples"});
  BOOST_TEST((finding.numbers.at("dropped_samples") == Json::parse("[2]")));
  const WrittenCertificate certificate = certificate_of(finding, "p-svm", "svm-infeasible");
  BOOST_TEST((keys_of(certificate.statement) == Keys{"kind", "selection"}));
  BOOST_TEST((keys_of(certificate.witness) == Keys{"lambda"}));
}

BOOST_AUTO_TEST_CASE(the_v_svm_names_its_support_vectors) {
  const Checked tight = check(joint_tight(), "v-svm", {{"selection", ones}});
  check_outcome(tight, Verdict::holds, Grade::proved);
  BOOST_TEST(number(tight, "margin") == 1.0);
  BOOST_TEST((tight.numbers.at("support") == parsed("[[0], [1], [2]]")));
  const Checked relaxed = check(joint_relaxed(), "v-svm", {{"selection", ones}});
  BOOST_TEST((relaxed.numbers.at("support") == parsed("[[0], [1]]")));
  BOOST_TEST((keys_of(certificate_of(relaxed, "v-svm", "svm-optimal").witness) == Keys{"w", "lambda"}));
}

BOOST_AUTO_TEST_CASE(a_v_svm_of_a_zero_token_is_infeasible) {
  const Checked finding = check(joint_tight(), "v-svm", {{"selection", Selection{0, 1, 1}}});
  check_outcome(finding, Verdict::fails, Grade::proved);
  BOOST_TEST(
      (certificate_of(finding, "v-svm", "svm-infeasible").statement == parsed(R"({"kind": "svm-infeasible", "selection": [0, 1, 1]})")));
}

BOOST_AUTO_TEST_CASE(the_joint_svm_is_the_p_svm_when_every_sample_is_a_support_vector) {
  const Checked finding = check(joint_tight(), "joint-svm", {{"selection", ones}, {"objective", Rational(17, 18)}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST((finding.numbers.at("support_samples") == parsed("[0, 1, 2]")));
}

BOOST_AUTO_TEST_CASE(the_joint_svm_relaxes_the_other_samples) {
  const Checked finding = check(joint_relaxed(), "joint-svm", {{"selection", ones}, {"objective", Rational(1, 2)}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST((finding.numbers.at("solution") == parsed("[1.0, 0.0]")));
  BOOST_TEST((finding.numbers.at("support_samples") == parsed("[0, 1]")));
  const WrittenCertificate certificate = certificate_of(finding, "joint-svm", "svm-optimal");
  BOOST_TEST((keys_of(certificate.statement) == Keys{"kind", "selection", "objective", "support"}));
  BOOST_TEST((keys_of(certificate.witness) == Keys{"w", "lambda", "v"}));
  const Checked p_svm = check(joint_relaxed(), "p-svm", {{"selection", ones}});
  BOOST_TEST(number(p_svm, "objective") > 0.5);
}

BOOST_AUTO_TEST_CASE(without_support_vectors_the_joint_svm_is_inapplicable) {
  const Checked finding = check(joint_tight(), "joint-svm", {{"selection", Selection{0, 1, 1}}});
  check_outcome(finding, Verdict::inapplicable, Grade::proved);
  certificate_of(finding, "v-svm", "svm-infeasible");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(globally_optimal)

BOOST_AUTO_TEST_CASE(the_largest_scores_are_globally_optimal) {
  const Checked finding = check(two_inputs(), "globally-optimal", {{"selection", Selection{0, 1}}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(finding.numbers.at("unique") == true);
  BOOST_TEST(number(finding, "gap") == 1.0);
  BOOST_TEST((*finding.selection == Selection{0, 1}));
  const WrittenCertificate certificate = certificate_of(finding, "globally-optimal", "globally-optimal");
  BOOST_TEST((certificate.statement == Json::parse(R"({"kind": "globally-optimal", "selection": [0, 1], "unique": true, "gap": "1"})")));
  BOOST_TEST((certificate.witness == Json::object()));
}

BOOST_AUTO_TEST_CASE(a_smaller_score_is_refuted_by_the_token_that_beats_it) {
  const Checked finding = check(two_inputs(), "globally-optimal", {{"selection", Selection{0, 2}}});
  check_outcome(finding, Verdict::fails, Grade::proved);
  BOOST_TEST(number(finding, "gap") == -2.5);
  const WrittenCertificate certificate = certificate_of(finding, "globally-optimal", "not-globally-optimal");
  BOOST_TEST((certificate.statement == Json::parse(R"({"kind": "not-globally-optimal", "selection": [0, 2], "unique": false})")));
  BOOST_TEST((certificate.witness == Json{{"sample", 1}, {"token", 1}}));
}

BOOST_AUTO_TEST_CASE(without_a_selection_the_best_one_is_meant) {
  const Checked finding = check(two_inputs(), "globally-optimal");
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST((*finding.selection == Selection{0, 1}));
}

BOOST_AUTO_TEST_CASE(a_tie_is_optimal_but_not_unique) {
  Problem problem = two_inputs();
  problem.v = ExactMatrix::from_doubles(1, 2, {1, 1});  // scores (1, 1) and (-2, -1/2, -4)
  const Checked optimal = check(problem, "globally-optimal", {{"selection", Selection{0, 1}}});
  check_outcome(optimal, Verdict::holds, Grade::proved);
  BOOST_TEST(optimal.numbers.at("unique") == false);
  BOOST_TEST(number(optimal, "gap") == 0.0);
  const Checked unique = check(problem, "globally-optimal", {{"selection", Selection{0, 1}}, {"unique", true}});
  check_outcome(unique, Verdict::fails, Grade::proved);
  const WrittenCertificate certificate = certificate_of(unique, "globally-optimal", "not-globally-optimal");
  BOOST_TEST(certificate.statement.at("unique") == true);
  BOOST_TEST((certificate.witness == Json{{"sample", 0}, {"token", 1}}));
}

BOOST_AUTO_TEST_CASE(samples_of_one_token_have_no_gap) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(1, 1, {3})};
  problem.labels = {-1};
  problem.v = ExactMatrix::from_doubles(1, 1, {1});
  const Checked finding = check(problem, "globally-optimal");
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(finding.numbers.at("gap").is_null());
  BOOST_TEST(certificate_of(finding, "globally-optimal", "globally-optimal").statement.at("gap").is_null());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(local_optimality)

BOOST_AUTO_TEST_CASE(a_selection_that_outscores_its_neighbours_is_locally_optimal) {
  const Checked finding = check(distinct_scores(), "locally-optimal", {{"selection", Selection{1}}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST((finding.numbers.at("neighbours") == parsed("[[0, 2]]")));
  const WrittenCertificate certificate = certificate_of(finding, "locally-optimal", "locally-optimal");
  BOOST_TEST((certificate.statement == parsed(R"({"kind": "locally-optimal", "selection": [1], "neighbours": [[0, 2]]})")));
  BOOST_TEST((keys_of(certificate.witness) == Keys{"w", "lambda"}));
}

BOOST_AUTO_TEST_CASE(a_neighbour_that_ties_refutes_it) {
  const Checked finding = check(one_input(), "locally-optimal", {{"selection", Selection{1}}});
  check_outcome(finding, Verdict::fails, Grade::proved);
  BOOST_TEST((finding.numbers.at("outscored_by") == parsed("[0, 2]")));
  const WrittenCertificate certificate = certificate_of(finding, "locally-optimal", "not-locally-optimal");
  BOOST_TEST((certificate.statement == parsed(R"({"kind": "not-locally-optimal", "selection": [1]})")));
  BOOST_TEST((keys_of(certificate.witness) == Keys{"w", "lambda", "neighbour"}));
}

BOOST_AUTO_TEST_CASE(an_infeasible_p_svm_refutes_it) {
  Problem problem = joint_tight();
  problem.v = ExactMatrix::from_doubles(1, 2, {1, 0});
  const Checked finding = check(problem, "locally-optimal", {{"selection", Selection{0, 1, 1}}});
  check_outcome(finding, Verdict::fails, Grade::proved);
  BOOST_TEST((keys_of(certificate_of(finding, "locally-optimal", "not-locally-optimal").witness) == Keys{"farkas"}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(census)

/// Small whole numbers: ties, parallel keys and infeasible selections are frequent.
Problem random_problem(std::mt19937& random) {
  const auto draw = [&](std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values) value = std::uniform_int_distribution(-2, 2)(random);
    return values;
  };
  Problem problem;
  for (const std::size_t T : {3, 2, 3}) {
    problem.tokens.push_back(ExactMatrix::from_doubles(T, 3, draw(3 * T)));
    problem.labels.push_back(random() % 2 == 0 ? 1 : -1);
  }
  problem.v = ExactMatrix::from_doubles(1, 3, draw(3));
  return problem;
}

BOOST_AUTO_TEST_CASE(the_census_is_what_asking_every_selection_gives) {
  std::mt19937 random(1);
  std::size_t found = 0;
  for (int k = 0; k < 25; ++k) {
    const Problem problem = random_problem(random);
    std::vector<Selection> expected;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t c = 0; c < 3; ++c)
          if (check(problem, "locally-optimal", {{"selection", Selection{a, b, c}}}).verdict == Verdict::holds)
            expected.push_back({a, b, c});
    const Checked finding = check(problem, "census");
    check_outcome(finding, Verdict::holds, Grade::proved);
    BOOST_TEST((finding.numbers.at("selections") == Json(expected)));
    BOOST_TEST(number(finding, "count") == static_cast<double>(expected.size()));
    found += expected.size();
  }
  BOOST_TEST_MESSAGE(found << " locally optimal selections in 25 problems");
  BOOST_TEST(found > 10);
}

BOOST_AUTO_TEST_CASE(one_input_has_one_locally_optimal_selection_and_with_distinct_scores_two) {
  const Checked tie = check(one_input(), "census", {{"selections", std::vector<Selection>{{0}}}});
  check_outcome(tie, Verdict::holds, Grade::proved);
  check_keys(tie, {"count", "selections", "nodes", "expected_nodes", "complete"});
  const WrittenCertificate certificate = certificate_of(tie, "census", "census");
  BOOST_TEST((certificate.statement == parsed(R"({"kind": "census", "count": 1, "selections": [[0]]})")));
  BOOST_TEST((keys_of(certificate.witness) == Keys{"order", "conflicts", "tree"}));
  check_outcome(check(distinct_scores(), "census", {{"selections", std::vector<Selection>{{1}, {0}}}}), Verdict::holds, Grade::proved);
}

BOOST_AUTO_TEST_CASE(another_list_fails) {
  for (const std::vector<Selection>& list : {std::vector<Selection>{{1}}, {{0}, {1}}, {{0}, {0}}})
    check_outcome(check(one_input(), "census", {{"selections", list}}), Verdict::fails, Grade::proved);
}

BOOST_AUTO_TEST_CASE(a_census_that_runs_out_of_time_is_undecided) {
  const Checked finding = check(distinct_scores(), "census", {}, 1, 0);
  check_outcome(finding, Verdict::undecided, Grade::observed);
  BOOST_TEST(finding.numbers.at("complete") == false);
  BOOST_TEST(!finding.certificate.has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
