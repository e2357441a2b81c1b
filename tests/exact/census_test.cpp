#include "attest/exact/census.hpp"

#include "attest/exact/local_optimality.hpp"
#include "brute_force.hpp"
#include "conflict_search.hpp"
#include "drawn_numbers.hpp"
#include "matrix_by_rows.hpp"
#include "no_limit.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>

using namespace attest;

namespace {

using certified::Conflict;

// An opinion that always suspects infeasibility sends every partial selection to the exact stage.
const SvmOpinionOf suspicious = [](const SvmProgram&) { return SvmOpinion{true, {}}; };

class ProblemDraw : public Draw {
 public:
  using Draw::Draw;

  ExactMatrix matrix(std::size_t rows, std::size_t columns, int size) {
    std::vector<Rational> values;
    for (std::size_t k = 0; k < rows * columns; ++k) values.emplace_back(pick(-size, size));
    return ExactMatrix::from_rationals(rows, columns, std::move(values));
  }

  /// Small integers: ties of scores, equal tokens and infeasible selections abound. Samples may have one token.
  Problem problem(int most_samples, int most_tokens, int most_dimensions) {
    const auto d = static_cast<std::size_t>(pick(1, most_dimensions));
    const auto samples = static_cast<std::size_t>(pick(1, most_samples));
    Problem problem;
    problem.v = matrix(1, d, 2);
    if (pick(0, 1)) problem.W = matrix(d, d, 1);
    for (std::size_t i = 0; i < samples; ++i) {
      problem.tokens.push_back(matrix(static_cast<std::size_t>(pick(1, most_tokens)), d, 3));
      problem.labels.push_back(pick(0, 1) ? 1 : -1);
    }
    return problem;
  }
};

/// Calls visit(selection) for every selection, ascending.
template <class Visit>
void for_each_selection(const Problem& problem, Visit visit) {
  Selection selection(problem.sample_count(), 0);
  for (;;) {
    visit(selection);
    std::size_t i = selection.size();
    while (i > 0 && selection[i - 1] + 1 == problem.token_count(i - 1)) selection[--i] = 0;
    if (i == 0) return;
    ++selection[i - 1];
  }
}

/// By every active set, from the data alone.
bool is_locally_optimal(const Problem& problem, const Scores& scores, const Selection& selection) {
  std::vector<brute::Vector> rows;
  std::vector<RowName> names;
  for (std::size_t i = 0; i < problem.sample_count(); ++i)
    for (std::size_t t = 0; t < problem.token_count(i); ++t) {
      if (t == selection[i]) continue;
      brute::Vector row = exact_key(problem, i, selection[i]);
      const std::vector<Rational> other = exact_key(problem, i, t);
      for (std::size_t c = 0; c < row.size(); ++c) row[c] -= other[c];
      rows.push_back(std::move(row));
      names.push_back({i, t});
    }
  const auto w = brute::minimise(rows, brute::Vector(rows.size(), 1), problem.dimension());
  if (!w) return false;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (brute::dot(rows[r], *w) == 1 && scores[names[r].sample][names[r].token] >= scores[names[r].sample][selection[names[r].sample]])
      return false;
  return true;
}

bool contains(const Selection& selection, const Conflict& conflict) {
  return std::ranges::all_of(conflict.pairs, [&](const Conflict::Pair& pair) { return selection[pair.sample] == pair.chosen; });
}

/// Keys are the first coordinate, scores the second. With tokens (1, 1) the minimiser is w = 2, where token 1 of sample 1 touches token 0,
/// which scores more.
Problem touched() {
  Problem problem;
  problem.tokens = {matrix({{0, 0}, {1, 1}, {-5, 5}}), matrix({{0, 0}, {Rational(1, 2), -1}})};
  problem.labels = {1, 1};
  problem.v = matrix({{0, 1}});
  problem.W = matrix({{1, 0}, {0, 0}});
  return problem;
}

Conflict touched_conflict() { return {{{0, 1}, {1, 1}}, {{1, 1, 0, 2}}, std::vector<Rational>{1, 0}}; }

bool excludes_in(const Problem& problem, const Conflict& conflict) {
  const ExactTokens tokens(problem);
  return excludes(conflict, tokens, exact_scores(problem));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_census_is_the_list_that_enumeration_gives) {
  ProblemDraw draw(23);
  std::size_t found = 0;
  std::size_t infeasible = 0;
  std::size_t bare = 0;
  std::size_t centred = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Problem problem = draw.problem(4, 3, 3);
    const Scores scores = exact_scores(problem);
    std::vector<Selection> expected;
    for_each_selection(problem, [&](const Selection& selection) {
      if (is_locally_optimal(problem, scores, selection)) expected.push_back(selection);
    });
    const ExactTokens tokens(problem);
    const Census census = take_census(tokens, scores, suspicious, no_limit, {});
    BOOST_REQUIRE(census.complete);
    BOOST_REQUIRE(census.selections == expected);
    found += expected.size();
    for (const Conflict& conflict : census.conflicts) {
      BOOST_REQUIRE(excludes(conflict, tokens, scores));
      const bool has_bare_pair = std::ranges::any_of(conflict.pairs, [&](const Conflict::Pair& pair) {
        return std::ranges::find(conflict.terms, pair.sample, &Conflict::Term::sample) == conflict.terms.end();
      });
      ++(conflict.centre ? centred : has_bare_pair ? bare : infeasible);
    }
  }
  BOOST_TEST(found > 100U);
  BOOST_TEST(infeasible > 100U);
  BOOST_TEST(bare > 10U);
  BOOST_TEST(centred > 100U);
}

// Random weights and centres, most of which are no conflict: what the rule lets pass is true.
BOOST_AUTO_TEST_CASE(a_conflict_that_keeps_the_rule_excludes_no_locally_optimal_selection) {
  ProblemDraw draw(31);
  std::size_t kept = 0;
  std::size_t refused = 0;
  std::size_t refused_truly = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const Problem problem = draw.problem(3, 3, 2);
    const Scores scores = exact_scores(problem);
    const ExactTokens tokens(problem);
    std::vector<Selection> optimal;
    for_each_selection(problem, [&](const Selection& selection) {
      if (is_locally_optimal(problem, scores, selection)) optimal.push_back(selection);
    });
    for (int attempt = 0; attempt < 40; ++attempt) {
      Conflict conflict;
      for (std::size_t i = 0; i < problem.sample_count(); ++i) {
        if (draw.pick(0, 3) == 0) continue;
        const auto a = static_cast<std::size_t>(draw.pick(0, static_cast<int>(problem.token_count(i)) - 1));
        conflict.pairs.push_back({i, a});
        for (std::size_t t = 0; t < problem.token_count(i); ++t)
          if (t != a && draw.pick(0, 1)) conflict.terms.push_back({i, a, t, Rational(draw.pick(1, 4), Integer(4))});
      }
      if (draw.pick(0, 2) > 0) {
        conflict.centre.emplace();
        for (std::size_t c = 0; c < problem.dimension(); ++c) conflict.centre->emplace_back(draw.pick(-4, 4), Integer(4));
      }
      const bool truth = std::ranges::none_of(optimal, [&](const Selection& selection) { return contains(selection, conflict); });
      const bool says = excludes(conflict, tokens, scores);
      BOOST_REQUIRE(truth || !says);
      ++(says ? kept : refused);
      if (!truth) ++refused_truly;
    }
  }
  BOOST_TEST(kept > 100U);
  BOOST_TEST(refused > 1000U);
  BOOST_TEST(refused_truly > 500U);
}

BOOST_AUTO_TEST_CASE(a_conflict_with_a_centre_excludes_what_a_neighbour_touches) {
  BOOST_TEST(excludes_in(touched(), touched_conflict()));
  BOOST_TEST(!is_locally_optimal(touched(), exact_scores(touched()), {1, 1}));
}

BOOST_AUTO_TEST_CASE(a_conflict_that_fails_the_rule_excludes_nothing) {
  Conflict no_pair = touched_conflict();
  no_pair.pairs.erase(no_pair.pairs.begin());  // sample 0 is free, and its token 2 scores most where the point ranks it last
  BOOST_TEST(!excludes_in(touched(), no_pair));
  Conflict light = touched_conflict();
  light.terms.front().weight = 1;  // the sum of weights is not above |c|^2
  BOOST_TEST(!excludes_in(touched(), light));
  Conflict short_centre = touched_conflict();
  short_centre.centre = {Rational(99, 100), 0};
  BOOST_TEST(!excludes_in(touched(), short_centre));
  Conflict no_centre = touched_conflict();
  no_centre.centre.reset();  // then y.g would have to be <= 0
  BOOST_TEST(!excludes_in(touched(), no_centre));
  Conflict no_terms = touched_conflict();
  no_terms.terms.clear();
  BOOST_TEST(!excludes_in(touched(), no_terms));
}

BOOST_AUTO_TEST_CASE(a_tie_of_scores_asks_for_nothing) {
  Problem tied = touched();
  tied.tokens[0] = matrix({{0, 0}, {1, 0}, {-5, 0}});
  Conflict conflict = touched_conflict();
  conflict.pairs.erase(conflict.pairs.begin());
  BOOST_TEST(excludes_in(tied, conflict));
  tied.tokens[0] = matrix({{0, 0}, {1, 0}, {-5, 1}});
  BOOST_TEST(!excludes_in(tied, conflict));
}

BOOST_AUTO_TEST_CASE(a_term_has_a_weight_above_0_on_a_row_of_its_pair) {
  const Problem tied = [] {  // no score differs, so that no generator asks for anything
    Problem problem = touched();
    problem.v = matrix({{0, 0}});
    return problem;
  }();
  Conflict conflict{{{0, 1}}, {{0, 1, 0, 1}}, {}};
  BOOST_TEST(excludes_in(tied, conflict));
  for (const Rational& weight : {Rational(0), Rational(-1)}) {
    Conflict weightless = conflict;
    weightless.terms.front().weight = weight;
    BOOST_TEST(!excludes_in(tied, weightless));
  }
  Conflict of_another_pair = conflict;
  of_another_pair.pairs.front().chosen = 2;
  BOOST_TEST(!excludes_in(tied, of_another_pair));
  Conflict of_no_row = conflict;
  of_no_row.terms.front().token = 1;
  BOOST_TEST(!excludes_in(tied, of_no_row));
}

// Which selections are locally optimal does not depend on the size of the keys, though the doubles of the search do.
BOOST_AUTO_TEST_CASE(a_census_of_keys_of_any_size_is_that_of_keys_of_size_1) {
  ProblemDraw draw(29);
  const Rational large = *parse_rational("1e170");
  for (int trial = 0; trial < 60; ++trial) {
    Problem problem = draw.problem(3, 3, 3);
    if (!problem.W) continue;
    const Scores scores = exact_scores(problem);
    std::vector<Rational> entries;
    for (std::size_t r = 0; r < problem.dimension(); ++r)
      for (std::size_t c = 0; c < problem.dimension(); ++c) entries.push_back(problem.W->at(r, c));
    const std::vector<Selection> expected = take_census(ExactTokens(problem), scores, suspicious, no_limit, {}).selections;
    for (const Rational& factor : {large, Rational(1) / large}) {
      std::vector<Rational> scaled;
      for (const Rational& entry : entries) scaled.push_back(factor * entry);
      problem.W = ExactMatrix::from_rationals(problem.dimension(), problem.dimension(), std::move(scaled));
      const Census census = take_census(ExactTokens(problem), scores, suspicious, no_limit, {});
      BOOST_REQUIRE(census.complete);
      BOOST_REQUIRE(census.selections == expected);
    }
  }
}

// The keys are -100, -200 and 200 times 10^200; in doubles what is left of them is rounding.
BOOST_AUTO_TEST_CASE(a_census_of_keys_that_cancel_in_doubles_is_that_of_the_exact_ones) {
  Problem problem;
  const Rational far(Integer(1) << 60);
  problem.tokens = {matrix({{far + 300, far + 400, 0}, {far + 100, far + 300, 1}, {far + 200, far, 2}})};
  problem.labels = {1};
  problem.v = matrix({{0, 0, 1}});
  const Rational large = *parse_rational("1e200");
  problem.W = matrix({{large, -large, 0}, {0, 0, 0}, {0, 0, 0}});
  const Census census = take_census(ExactTokens(problem), exact_scores(problem), suspicious, no_limit, {});
  BOOST_TEST((census.selections == std::vector<Selection>{{1}, {2}}));
}

// 4096 selections of 24 tokens: so many that pairs of tokens are looked at first.
BOOST_AUTO_TEST_CASE(a_census_that_looks_at_pairs_first_gives_the_same_list) {
  std::mt19937 random(29);
  for (int trial = 0; trial < 3; ++trial) {
    Problem problem;
    problem.v = matrix({{2, -1}});
    for (int i = 0; i < 6; ++i) {
      std::vector<std::vector<Rational>> tokens(4);
      for (auto& token : tokens)
        for (int c = 0; c < 2; ++c) token.emplace_back(static_cast<int>(random() % 9) - 4);
      problem.tokens.push_back(matrix(tokens));
      problem.labels.push_back(random() % 2 == 0 ? 1 : -1);
    }
    const ExactTokens tokens(problem);
    const Scores scores = exact_scores(problem);
    std::vector<Selection> expected;
    Selection selection(6, 0);
    for (std::size_t code = 0; code < 4096; ++code) {
      for (std::size_t i = 0; i < 6; ++i) selection[i] = (code >> (2 * (5 - i))) % 4;
      const SvmProgram program = SvmProgram::p_svm(tokens, selection);
      const SvmOutcome outcome = decide_svm(program, {}, no_limit);
      const auto* solution = std::get_if<SvmSolution>(&outcome);
      if (solution && !outscoring_neighbour(program, *solution, scores)) expected.push_back(selection);
    }
    const Census census = take_census(tokens, scores, suspicious, no_limit, {});
    BOOST_REQUIRE(census.complete);
    BOOST_TEST((census.selections == expected));
    BOOST_TEST(census.expected_nodes == static_cast<double>(census.nodes));
    BOOST_TEST(census.nodes < 4096U);
  }
}

BOOST_AUTO_TEST_CASE(a_census_without_time_is_not_complete) {
  const Problem problem = touched();
  const ExactTokens tokens(problem);
  const Census census = take_census(tokens, exact_scores(problem), suspicious, Budget(0), {});
  BOOST_TEST(!census.complete);
}
