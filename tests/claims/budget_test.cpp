#include "claim_check.hpp"

#include <algorithm>
#include <array>

// A claim stops itself when its time is up; that another process must kill it is a bug. Time itself is not measured here: with a
// budget that is spent from the start, what a claim still does and says shows whether it looks at its budget.

namespace attest {
namespace {

/// Samples of random tokens, large enough that a claim which does not look at its budget is at work for long.
Problem random_problem(std::size_t n, std::size_t T, std::size_t d) {
  Problem problem;
  std::uint32_t state = 1;
  const auto list = [&](std::size_t count) {
    std::vector<double> values(count);
    std::ranges::generate(values, [&] { return static_cast<double>((state = state * 1664525U + 1013904223U) >> 8) / 0x1p23 - 1; });
    return values;
  };
  for (std::size_t i = 0; i < n; ++i) problem.tokens.push_back(ExactMatrix::from_doubles(T, d, list(T * d)));
  for (std::size_t i = 0; i < n; ++i) problem.labels.push_back(i % 2 == 0 ? 1 : -1);
  problem.v = ExactMatrix::from_doubles(1, d, list(d));
  problem.queries = ExactMatrix::from_doubles(n, d, list(n * d));
  return problem;
}

/// Undecided because of the time, or proved by what one pass over the data shows: nothing can have been observed.
void check_stopped(const Checked& finding, const std::string& claim) {
  const bool stopped =
      finding.verdict == Verdict::undecided && finding.grade == Grade::observed && finding.message.find("time") != std::string::npos;
  BOOST_TEST((stopped || finding.grade == Grade::proved), claim << ": " << name_of(finding.verdict) << ", " << finding.message);
}

/// Proved without a search: by scores, by ranks, by one enclosure, or by a hypothesis that scores refute.
bool decides_at_once(std::string_view claim) {
  constexpr std::array<std::string_view, 5> at_once = {"assumption-a", "globally-optimal", "overparametrised", "gd-global", "first-step"};
  return std::ranges::find(at_once, claim) != at_once.end();
}

Parameters required_parameters(const Claim& claim, std::size_t d) {
  if (claim.schema.name == "nonlinear-head" || claim.schema.name == "head-path")
    return {{"head", Head{{std::vector<Rational>(d, 1)}, {0}, {1}, std::get<Expression>(parse_expression("tanh(u)"))}}};
  if (claim.schema.name == "trajectory") return {{"run", two_checkpoints(d)}};
  return {};
}

BOOST_AUTO_TEST_SUITE(budgets)

BOOST_AUTO_TEST_CASE(without_time_a_claim_is_undecided_and_says_that_the_time_was_up) {
  const Problem problem = random_problem(4, 4, 8);
  for (const Claim& claim : all_claims()) {
    const std::string name(claim.schema.name);
    const Checked finding = check(problem, name, required_parameters(claim, 8), 1, 0);
    check_stopped(finding, name);
    if (!decides_at_once(name)) BOOST_TEST((finding.verdict == Verdict::undecided), name << ": " << finding.message);
  }
}

BOOST_AUTO_TEST_CASE(with_time_most_of_them_are_decided) {
  const Problem problem = random_problem(2, 2, 4);
  for (const char* name : {"derivatives", "step-size", "p-svm", "locally-optimal", "census", "prompt-weight"})
    BOOST_TEST((check(problem, name).verdict != Verdict::undecided), name);
}

BOOST_AUTO_TEST_CASE(without_time_no_solver_begins) {
  // Rows of 16 samples by 10 tokens: the solvers would be at work for minutes.
  const Problem problem = random_problem(16, 10, 32);
  for (const Claim& claim : all_claims()) {
    const std::string name(claim.schema.name);
    check_stopped(check(problem, name, required_parameters(claim, 32), 1, 0), name);
  }
}

BOOST_AUTO_TEST_CASE(a_census_out_of_time_knows_of_the_largest_scores) {
  // The best selection is one p-SVM; all selections are too many for a node limit that any machine keeps.
  const Problem problem = random_problem(12, 6, 40);
  const Checked best = check(problem, "locally-optimal");
  check_outcome(best, Verdict::holds, Grade::proved);
  const Checked census = check(problem, "census", {{"budget", Rational(2)}});
  check_outcome(census, Verdict::undecided, Grade::observed);
  const auto known = census.numbers.at("selections").get<std::vector<Selection>>();
  BOOST_TEST((std::ranges::find(known, *best.selection) != known.end()), census.message);
  BOOST_TEST(census.message.find("that of the largest scores") != std::string::npos, census.message);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
