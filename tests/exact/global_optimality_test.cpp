#include "attest/exact/global_optimality.hpp"

#include <boost/test/unit_test.hpp>

#include <numeric>
#include <random>

namespace attest {
namespace {

/// Every selection of so many tokens a sample.
std::vector<Selection> all_selections(const Scores& scores) {
  std::vector<Selection> all = {{}};
  for (const auto& sample : scores) {
    std::vector<Selection> longer;
    for (const Selection& begun : all)
      for (std::size_t t = 0; t < sample.size(); ++t) {
        longer.push_back(begun);
        longer.back().push_back(t);
      }
    all = std::move(longer);
  }
  return all;
}

Rational total(const Scores& scores, const Selection& selection) {
  Rational sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) sum += scores[i][selection[i]];
  return sum;
}

/// The selections with the largest total score: those that are globally optimal, found without comparing tokens.
std::vector<Selection> largest_totals(const Scores& scores, const std::vector<Selection>& all) {
  Rational largest = total(scores, all.front());
  for (const Selection& selection : all) largest = std::max(largest, total(scores, selection));
  std::vector<Selection> best;
  for (const Selection& selection : all)
    if (total(scores, selection) == largest) best.push_back(selection);
  return best;
}

/// What the best selection that differs in one token has less.
std::optional<Rational> gap_by_exchange(const Scores& scores, const Selection& selection) {
  std::optional<Rational> gap;
  for (std::size_t i = 0; i < scores.size(); ++i)
    for (std::size_t t = 0; t < scores[i].size(); ++t) {
      Selection other = selection;
      other[i] = t;
      if (other == selection) continue;
      const Rational loss = total(scores, selection) - total(scores, other);
      if (!gap || loss < *gap) gap = loss;
    }
  return gap;
}

/// Few different numbers, so that ties are frequent.
Scores random_scores(std::mt19937& random) {
  Scores scores(std::uniform_int_distribution(1, 4)(random));
  for (auto& sample : scores) {
    sample.resize(std::uniform_int_distribution(1, 4)(random));
    for (Rational& score : sample)
      score = Rational(std::uniform_int_distribution(-3, 3)(random), std::uniform_int_distribution(1, 3)(random));
  }
  return scores;
}

BOOST_AUTO_TEST_SUITE(global_optimality)

BOOST_AUTO_TEST_CASE(random_scores_with_ties_are_decided_as_by_brute_force) {
  std::mt19937 random(1);
  int optimal = 0;
  int tied = 0;
  for (int k = 0; k < 300; ++k) {
    const Scores scores = random_scores(random);
    const std::vector<Selection> all = all_selections(scores);
    const std::vector<Selection> best = largest_totals(scores, all);
    for (const Selection& selection : all) {
      const GlobalOptimality decided = decide_global_optimality(scores, selection);
      const bool is_best = std::find(best.begin(), best.end(), selection) != best.end();
      BOOST_TEST(decided.optimal == is_best);
      BOOST_TEST(decided.unique == (is_best && best.size() == 1));
      BOOST_TEST((decided.gap == gap_by_exchange(scores, selection)));
      if (decided.gap)
        BOOST_TEST(scores[decided.sample][selection[decided.sample]] - scores[decided.sample][decided.token] == *decided.gap);
      optimal += is_best ? 1 : 0;
      tied += is_best && best.size() > 1 ? 1 : 0;
    }
    BOOST_TEST((best_selection(scores) == best.front()));
  }
  BOOST_TEST_MESSAGE(optimal << " optimal selections, " << tied << " of them tied");
  BOOST_TEST(tied > 50);
  BOOST_TEST(optimal - tied > 50);
}

BOOST_AUTO_TEST_CASE(a_lead_of_1e_minus_40_is_unique_and_a_tie_is_not) {
  const Rational hair = *parse_decimal("1e-40");
  const auto ahead = decide_global_optimality({{1 + hair, 1}}, {0});
  BOOST_TEST((ahead.optimal && ahead.unique));
  BOOST_TEST(*ahead.gap == hair);
  const auto tie = decide_global_optimality({{1, 1}}, {0});
  BOOST_TEST((tie.optimal && !tie.unique));
  const auto behind = decide_global_optimality({{1 - hair, 1}}, {0});
  BOOST_TEST((!behind.optimal && !behind.unique));
}

BOOST_AUTO_TEST_CASE(samples_of_one_token_leave_no_choice_and_no_gap) {
  const auto decided = decide_global_optimality({{-7}, {3}}, {0, 0});
  BOOST_TEST((decided.optimal && decided.unique && !decided.gap));
}

BOOST_AUTO_TEST_CASE(of_tied_tokens_the_first_is_the_best_selection) {
  BOOST_TEST((best_selection({{0, 2, 2}, {5, 5}, {1}}) == Selection{1, 0, 0}));
}

BOOST_AUTO_TEST_CASE(scores_of_tokens_that_are_not_selected_are_equal) {
  BOOST_TEST(have_equal_scores({{3, 1, 1}, {0, 5}, {7}, {1, 2, 1}}, {0, 1, 0, 1}));
}

BOOST_AUTO_TEST_CASE(scores_of_tokens_that_are_not_selected_are_not_equal) {
  BOOST_TEST(!have_equal_scores({{3, 1, 1}, {2, 0, 5, 1}}, {0, 2}));
  BOOST_TEST(!have_equal_scores({{3, 1, 1}}, {1}));
  BOOST_TEST(!have_equal_scores({{3, 1, 1 + *parse_decimal("1e-40")}}, {0}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
