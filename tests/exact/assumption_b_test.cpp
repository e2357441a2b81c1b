#include "attest/exact/assumption_b.hpp"

#include "assumption_b_judge.hpp"
#include "attest/exact/largest_margin.hpp"
#include "matrix_by_rows.hpp"
#include "no_limit.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace attest;

namespace {

/// Small whole numbers: full of ties, equal tokens and degenerate programs.
Problem degenerate_problem(Draw& draw) {
  Problem problem;
  const auto d = static_cast<std::size_t>(draw.pick(1, 3));
  const int n = draw.pick(2, 4);
  for (int i = 0; i < n; ++i) {
    std::vector<brute::Vector> tokens(static_cast<std::size_t>(draw.pick(1, 3)));
    for (auto& token : tokens)
      for (std::size_t c = 0; c < d; ++c) token.emplace_back(Rational(draw.pick(-3, 3)) / draw.pick(1, 2));
    problem.tokens.push_back(matrix(tokens));
    problem.labels.push_back(draw.pick(0, 1) ? 1 : -1);
  }
  return problem;
}

/// Directions drawn at random, written with three decimals.
Problem random_problem(Draw& draw, int n, std::size_t count, std::size_t d) {
  Problem problem;
  for (int i = 0; i < n; ++i) {
    std::vector<brute::Vector> tokens(count);
    for (auto& token : tokens) {
      Point direction;
      for (std::size_t c = 0; c < d; ++c) direction.push_back(draw.normal());
      const double length = std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0));
      for (const double entry : direction) token.emplace_back(std::lround(1000 * entry / length), 1000);
    }
    problem.tokens.push_back(matrix(tokens));
    problem.labels.push_back(draw.pick(0, 1) ? 1 : -1);
  }
  return problem;
}

/// joint tight: [docs/theory.md, 4.9]
Problem joint(const Rational& height) {
  Problem problem;
  problem.tokens = {matrix({{0, 0}, {1, 1}}), matrix({{0, 0}, {1, -1}}), matrix({{0, 0}, {Rational(1, 2), height}})};
  problem.labels = {1, -1, 1};
  return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(verdicts_agree_with_sampling_on_small_degenerate_problems) {
  Draw draw(41);
  std::array<int, 4> count{};
  std::array<int, 4> refuted_by{};
  int covers = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const Problem problem = degenerate_problem(draw);
    const ExactTokens tokens(problem);
    Selection selection = find_largest_margin(tokens, no_limit, {}).selection;
    if (trial % 3 == 0)
      for (std::size_t i = 0; i < selection.size(); ++i)
        selection[i] = static_cast<std::size_t>(draw.pick(0, static_cast<int>(problem.token_count(i)) - 1));
    for (const AttentionOver over : {AttentionOver::all, AttentionOver::support}) {
      const AssumptionBOutcome outcome = decide_assumption_b(tokens, selection, over, no_limit);
      ++count[outcome.index()];
      if (const auto* proof = std::get_if<AssumptionBProof>(&outcome)) {
        BOOST_REQUIRE(proof->nu > 0);
        covers += proof->cover.empty() ? 0 : 1;
        require_never_violated(draw, problem, selection, over, *proof, 40);
        const SlopeWitnesses witnesses = bound_slope(tokens, selection, over, {}, no_limit);
        BOOST_REQUIRE(!witnesses.by_rays || *witnesses.by_rays >= proof->nu);
      }
      if (const auto* refutation = std::get_if<AssumptionBRefutation>(&outcome)) {
        require_refuted(problem, selection, over, *refutation);
        ++refuted_by[refutation->by.index()];
      }
      const auto rows = v_rows(problem, selection);
      BOOST_REQUIRE_EQUAL(std::holds_alternative<NoLabelMargin>(outcome),
                          !brute::minimise(rows, brute::Vector(rows.size(), 1), problem.dimension()));
    }
  }
  BOOST_TEST_MESSAGE("small problems: " << count[0] << " proved (" << covers << " by cover), " << count[1] << " refuted (limit "
                                        << refuted_by[0] << ", soft row " << refuted_by[1] << ", weightless " << refuted_by[2] << "), "
                                        << count[2] << " undecided, " << count[3] << " without margin");
  BOOST_TEST(count[0] > 100);
  BOOST_TEST(count[1] > 100);
}

BOOST_AUTO_TEST_CASE(almost_all_random_problems_are_decided_and_no_sample_violates_a_proved_nu) {
  Draw draw(43);
  int decided = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Problem problem = random_problem(draw, 3, 3, 4);
    const ExactTokens tokens(problem);
    const LargestMargin best = find_largest_margin(tokens, no_limit, {});
    BOOST_REQUIRE(best.proved);
    const AssumptionBOutcome outcome = decide_assumption_b(tokens, best.selection, AttentionOver::support, no_limit);
    decided += std::holds_alternative<AssumptionBUndecided>(outcome) ? 0 : 1;
    if (const auto* proof = std::get_if<AssumptionBProof>(&outcome))
      require_never_violated(draw, problem, best.selection, AttentionOver::support, *proof, 200);
  }
  BOOST_TEST_MESSAGE("random problems: " << decided << " of 200 decided");
  BOOST_TEST(decided >= 190);
}

BOOST_AUTO_TEST_CASE(the_largest_margin_is_the_one_that_enumeration_gives) {
  Draw draw(47);
  for (int trial = 0; trial < 150; ++trial) {
    const Problem problem = degenerate_problem(draw);
    const ExactTokens tokens(problem);
    std::optional<Rational> least;  // of |v|^2
    Selection selection(problem.sample_count(), 0);
    for (bool more = true; more;) {
      const auto rows = v_rows(problem, selection);
      const auto w = brute::minimise(rows, brute::Vector(rows.size(), 1), problem.dimension());
      if (w && (!least || brute::dot(*w, *w) < *least)) least = brute::dot(*w, *w);
      more = false;
      for (std::size_t i = 0; i < selection.size() && !more; ++i) {
        more = ++selection[i] < problem.token_count(i);
        if (!more) selection[i] = 0;
      }
    }
    const LargestMargin found = find_largest_margin(tokens, no_limit, {});
    BOOST_REQUIRE_EQUAL(found.proved, least.has_value());
    if (!least) continue;
    const auto rows = v_rows(problem, found.selection);
    const auto w = brute::minimise(rows, brute::Vector(rows.size(), 1), problem.dimension());
    BOOST_REQUIRE(w);
    BOOST_REQUIRE(brute::dot(*w, *w) == *least);
  }
}

BOOST_AUTO_TEST_CASE(joint_tight_holds_with_a_constant_close_to_one_half) {
  const Problem problem = joint(1);
  const ExactTokens tokens(problem);
  for (const AttentionOver over : {AttentionOver::all, AttentionOver::support}) {
    const AssumptionBOutcome outcome = decide_assumption_b(tokens, {1, 1, 1}, over, no_limit);
    const auto* proof = std::get_if<AssumptionBProof>(&outcome);
    BOOST_REQUIRE(proof);
    BOOST_TEST(nearest_double(proof->nu) >= 0.48);
    BOOST_TEST(nearest_double(proof->nu) <= 0.5);
    BOOST_REQUIRE(bound_slope(tokens, {1, 1, 1}, over, {}, no_limit).by_rays);
    BOOST_TEST(nearest_double(*bound_slope(tokens, {1, 1, 1}, over, {}, no_limit).by_rays) == 0.5);
  }
}

BOOST_AUTO_TEST_CASE(joint_relaxed_fails_over_all_samples_and_holds_over_the_support) {
  const Problem problem = joint(Rational(3, 2));
  const ExactTokens tokens(problem);
  const AssumptionBOutcome all = decide_assumption_b(tokens, {1, 1, 1}, AttentionOver::all, no_limit);
  const auto* refutation = std::get_if<AssumptionBRefutation>(&all);
  BOOST_REQUIRE(refutation);
  BOOST_TEST(std::holds_alternative<AssumptionBRefutation::BySoftRow>(refutation->by));
  require_refuted(problem, {1, 1, 1}, AttentionOver::all, *refutation);
  BOOST_TEST(std::holds_alternative<AssumptionBProof>(decide_assumption_b(tokens, {1, 1, 1}, AttentionOver::support, no_limit)));
}

BOOST_AUTO_TEST_CASE(a_sample_with_the_keys_of_a_support_vector_is_covered) {
  // Sample 1 is sample 0 moved away by (0, 1): the same rows, a larger margin.
  Problem problem;
  problem.tokens = {matrix({{1, 0}, {Rational(1, 2), 0}}), matrix({{2, 0}, {Rational(3, 2), 0}})};
  problem.labels = {1, 1};
  const ExactTokens tokens(problem);
  const AssumptionBOutcome outcome = decide_assumption_b(tokens, {0, 0}, AttentionOver::all, no_limit);
  const auto* proof = std::get_if<AssumptionBProof>(&outcome);
  BOOST_REQUIRE(proof);
  BOOST_TEST(proof->cover.size() == 1U);
  Draw draw(3);
  require_never_violated(draw, problem, {0, 0}, AttentionOver::all, *proof, 200);
}

BOOST_AUTO_TEST_CASE(a_selection_that_is_not_the_best_fails) {
  // Near (0, 0) every move costs; but (1, 1) has twice its margin.
  Problem problem;
  problem.tokens = {matrix({{1, 0}, {0, 2}}), matrix({{1, 0}, {0, 2}})};
  problem.labels = {1, 1};
  const ExactTokens tokens(problem);
  const AssumptionBOutcome outcome = decide_assumption_b(tokens, {0, 0}, AttentionOver::support, no_limit);
  const auto* refutation = std::get_if<AssumptionBRefutation>(&outcome);
  BOOST_REQUIRE(refutation);
  BOOST_TEST(std::holds_alternative<AssumptionBRefutation::ByLimit>(refutation->by));
  require_refuted(problem, {0, 0}, AttentionOver::support, *refutation);
}

BOOST_AUTO_TEST_CASE(without_a_label_margin_there_is_no_claim) {
  Problem problem;
  problem.tokens = {matrix({{1}}), matrix({{1}})};
  problem.labels = {1, -1};
  const ExactTokens tokens(problem);
  BOOST_TEST(std::holds_alternative<NoLabelMargin>(decide_assumption_b(tokens, {0, 0}, AttentionOver::all, no_limit)));
}

BOOST_AUTO_TEST_CASE(without_time_it_is_undecided) {
  const Problem problem = joint(1);
  const ExactTokens tokens(problem);
  BOOST_TEST(std::holds_alternative<AssumptionBUndecided>(decide_assumption_b(tokens, {1, 1, 1}, AttentionOver::all, Budget(0))));
}

BOOST_AUTO_TEST_CASE(a_point_whose_margin_is_above_gamma_refutes) {
  Problem problem;
  problem.tokens = {matrix({{1, 0}, {3, 0}, {1, 2}}), matrix({{2, 1}, {1, -1}})};
  problem.labels = {1, 1};
  const ExactTokens tokens(problem);
  const auto refutation = refute_by_points(tokens, {0, 0}, AttentionOver::all, {{0.5, 1}}, no_limit);
  BOOST_REQUIRE(refutation);
  BOOST_REQUIRE(std::holds_alternative<AssumptionBRefutation::ByPoint>(refutation->by));
  require_refuted(problem, {0, 0}, AttentionOver::all, *refutation);
}

BOOST_AUTO_TEST_CASE(a_point_whose_margin_is_below_gamma_only_bounds_nu) {
  const Problem problem = joint(1);
  const ExactTokens tokens(problem);
  const std::vector<Point> points = {{4, 2}, {0, 0}, {-3, 1}, {std::numeric_limits<double>::quiet_NaN(), 0}};
  BOOST_TEST(!refute_by_points(tokens, {1, 1, 1}, AttentionOver::all, points, no_limit));
  const SlopeWitnesses witnesses = bound_slope(tokens, {1, 1, 1}, AttentionOver::all, points, no_limit);
  BOOST_REQUIRE(witnesses.by_points);
  BOOST_TEST(nearest_double(*witnesses.by_points) >= 0.5);  // the best constant
  BOOST_TEST(nearest_double(*witnesses.by_points) < 0.6);
}
