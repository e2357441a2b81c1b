#include "claim_check.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(bracket_claims)

constexpr std::size_t d = 53;

/// So many samples of three tokens in 53 dimensions that more rows may be tight than are solved exactly. Keys are all but the last
/// coordinate; that is the score, and the first token of each sample has the largest. `w` prefers these tokens.
Problem large(std::size_t samples, bool separable = true) {
  std::mt19937_64 random(3);
  std::normal_distribution<> normal;
  std::vector<double> w(d);
  for (double& entry : w) entry = normal(random);
  Problem problem;
  std::vector<std::vector<double>> previous;
  for (std::size_t i = 0; i < samples; ++i) {
    std::vector<std::vector<double>> tokens(3, std::vector<double>(d));
    for (auto& token : tokens)
      for (double& entry : token) entry = normal(random);
    const auto value = [&](const std::vector<double>& token) { return std::inner_product(w.begin(), w.end() - 1, token.begin(), 0.0); };
    std::ranges::sort(tokens, std::ranges::greater(), value);
    if (!separable && i + 1 == samples) tokens = {previous[2], previous[1], previous[0]};  // contrary to the sample before
    previous = tokens;
    problem.labels.push_back(i % 2 == 0 ? 1 : -1);
    std::vector<double> values;
    for (std::size_t t = 0; t < 3; ++t) {
      tokens[t].back() = problem.labels.back() * (t == 0 ? 1.0 : 0.25);
      values.insert(values.end(), tokens[t].begin(), tokens[t].end());
    }
    problem.tokens.push_back(ExactMatrix::from_doubles(3, d, values));
  }
  std::vector<double> v(d, 0);
  v.back() = 1;
  problem.v = ExactMatrix::from_doubles(1, d, v);
  std::vector<double> W(d * d, 0);
  for (std::size_t k = 0; k + 1 < d; ++k) W[k * d + k] = 1;
  problem.W = ExactMatrix::from_doubles(d, d, W);
  return problem;
}

BOOST_AUTO_TEST_CASE(a_large_p_svm_is_bracketed_around_its_exact_solution) {
  const Problem problem = large(54);
  const Checked bracket = check(problem, "p-svm");
  check_outcome(bracket, Verdict::holds, Grade::proved);
  certificate_of(bracket, "p-svm", "svm-bracket");
  BOOST_TEST(!bracket.numbers.contains("objective_exact"));
  const Checked exact = check(problem, "p-svm", {{"exact", true}});
  check_outcome(exact, Verdict::holds, Grade::proved);
  certificate_of(exact, "p-svm", "svm-optimal");
  BOOST_TEST(number(bracket, "lower") <= number(exact, "objective"));
  BOOST_TEST(number(exact, "objective") <= number(bracket, "upper"));
  BOOST_TEST(number(bracket, "gap") <= 1e-12);
  double square = 0;
  for (std::size_t c = 0; c < d; ++c)
    square += std::pow(bracket.numbers.at("solution")[c].get<double>() - exact.numbers.at("solution")[c].get<double>(), 2);
  BOOST_TEST(std::sqrt(square) <= number(bracket, "distance") * (1 + 1e-3) + 1e-15 / number(bracket, "margin"));
  BOOST_TEST((bracket.numbers.at("support") == exact.numbers.at("support")));
  BOOST_TEST((bracket.numbers.at("possible_support") == exact.numbers.at("support")));
}

BOOST_AUTO_TEST_CASE(a_small_p_svm_is_solved_exactly) {
  const Checked finding = check(large(20), "p-svm");
  certificate_of(finding, "p-svm", "svm-optimal");
  BOOST_TEST(finding.numbers.contains("objective_exact"));
}

BOOST_AUTO_TEST_CASE(an_objective_that_is_demanded_is_compared_with_the_exact_one) {
  const Checked finding = check(large(54), "p-svm", {{"objective", Rational(1)}});
  check_outcome(finding, Verdict::fails, Grade::proved);
  certificate_of(finding, "p-svm", "svm-optimal");
}

BOOST_AUTO_TEST_CASE(another_support_than_the_bracket_shows_fails) {
  const Checked finding = check(large(54), "p-svm", {{"support", RowNames{{0, 1}}}});
  check_outcome(finding, Verdict::fails, Grade::proved);
  certificate_of(finding, "p-svm", "svm-bracket");
}

BOOST_AUTO_TEST_CASE(v_joint_and_w_are_bracketed_too) {
  const Problem problem = large(54);
  for (const char* claim : {"v-svm", "joint-svm", "w-svm"}) {
    const Checked finding = check(problem, claim);
    check_outcome(finding, Verdict::holds, Grade::proved);
    certificate_of(finding, claim, "svm-bracket");
    BOOST_TEST(number(finding, "gap") <= 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(local_optimality_is_proved_from_a_bracket) {
  const Checked finding = check(large(54), "locally-optimal");
  check_outcome(finding, Verdict::holds, Grade::proved);
  const auto certificate = certificate_of(finding, "locally-optimal", "locally-optimal");
  BOOST_TEST(certificate.statement.contains("possible_neighbours"));
  certificate_of(check(large(54), "locally-optimal", {{"exact", true}}), "locally-optimal", "locally-optimal");
}

/// The same data with the scores turned round: each neighbour scores more than the selected token.
BOOST_AUTO_TEST_CASE(a_tight_row_that_scores_more_refutes_it) {
  Problem problem = large(54);
  std::vector<double> v(d, 0);
  v.back() = -1;
  problem.v = ExactMatrix::from_doubles(1, d, v);
  const Checked finding = check(problem, "locally-optimal", {{"selection", Selection(54, 0)}});
  check_outcome(finding, Verdict::fails, Grade::proved);
  const auto certificate = certificate_of(finding, "locally-optimal", "not-locally-optimal");
  BOOST_TEST(certificate.witness.contains("direction"));
  BOOST_TEST(finding.numbers.contains("outscored_by"));
}

BOOST_AUTO_TEST_CASE(an_infeasible_program_names_samples_without_which_it_is_feasible) {
  Problem problem = large(70, false);
  const Checked finding = check(problem, "p-svm", {{"selection", Selection(70, 0)}});
  check_outcome(finding, Verdict::fails, Grade::proved);
  certificate_of(finding, "p-svm", "svm-infeasible");
  const auto dropped = finding.numbers.at("dropped_samples").get<std::vector<std::size_t>>();
  BOOST_REQUIRE(!dropped.empty());
  for (auto sample = dropped.rbegin(); sample != dropped.rend(); ++sample) {
    problem.tokens.erase(problem.tokens.begin() + static_cast<std::ptrdiff_t>(*sample));
    problem.labels.erase(problem.labels.begin() + static_cast<std::ptrdiff_t>(*sample));
  }
  check_outcome(check(problem, "p-svm", {{"selection", Selection(problem.tokens.size(), 0)}}), Verdict::holds, Grade::proved);
}

/// An iteration of these data is large: proofs look at the starts first.
BOOST_AUTO_TEST_CASE(on_large_data_constant_steps_are_proved_by_their_starts) {
  for (const auto& [claim, written_for] : std::map<std::string, std::string>{{"gd-local", "descent"}, {"w-gd", "w-gd"}}) {
    const Checked finding = check(large(330), claim, {{"selection", Selection(330, 0)}});
    check_outcome(finding, Verdict::holds, Grade::proved);
    const auto certificate = certificate_of(finding, written_for, "descent-basin");
    BOOST_TEST(certificate.statement.at("method") == "constant");
    BOOST_TEST(certificate.statement.at("iterations") == 0);
    BOOST_TEST(finding.run_certificates.size() == 3U);
    BOOST_TEST(std::ranges::all_of(finding.run_certificates, [](const auto& one) { return one.has_value(); }));
    BOOST_TEST(finding.numbers.at("proved_by") == "basin");
    BOOST_TEST(!finding.numbers.at("runs").front().contains("proved_by"));  // the runs shown are normalised
  }
}

BOOST_AUTO_TEST_CASE(runs_of_a_given_length_or_method_are_not_proved_by_their_starts) {
  const Problem problem = large(330);
  const Parameters normalised = {{"method", std::string("normalised")}, {"iterations", std::int64_t{40}}};
  for (const Parameters& parameters : {Parameters{{"iterations", std::int64_t{40}}}, normalised})
    BOOST_TEST(check(problem, "gd-local", parameters).numbers.at("runs").front().contains("obstacle"));
}

BOOST_AUTO_TEST_CASE(a_feasible_program_drops_no_sample) { BOOST_TEST(!check(large(54), "p-svm").numbers.contains("dropped_samples")); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
