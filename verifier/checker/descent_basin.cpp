#include "descent.hpp"

#include <algorithm>

#include "descent_facts.hpp"

namespace attest::check {

namespace {

/// Clause (b): a point that satisfies every row, so that the SVM has a solution. The basin asks for no more.
void require_feasible(const LimitRows& rows, const Json& node) {
  const std::vector<RowTerm> lambda = rows.read_multipliers(node);
  if (lambda.empty()) node.fail("is empty");
  const std::vector<Rational> values = rows.products_with(lambda);
  for (std::size_t c = 0; c < rows.size(); ++c)
    if (values[c] < 1) node.fail("does not satisfy the SVM: theta < 1 at the row " + rows.name(c));
}

/// Clause 2: L̄ bounds the curvature of L everywhere.
Rational curvature_bound(const DescentFacts& facts) {
  const bool over_p = facts.over == Over::p;
  const auto keys = over_p ? keys_of(facts.problem) : facts.problem.tokens;
  Rational sum = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Rational diameter = 0;
    for (std::size_t s = 0; s < keys[i].size(); ++s)
      for (std::size_t t = 0; t < s; ++t) {
        const Rational distance = dot(keys[i][s], keys[i][s]) - 2 * dot(keys[i][s], keys[i][t]) + dot(keys[i][t], keys[i][t]);
        diameter = std::max(diameter, distance);
      }
    if (!over_p) diameter *= dot(query_of(facts.problem, i), query_of(facts.problem, i));
    const auto [least, most] = std::minmax_element(facts.scores[i].begin(), facts.scores[i].end());
    const Rational range = *most - *least;
    sum += diameter * range * (facts.bounds.m0 * range / 16 + facts.bounds.m1 / 4);
  }
  return sum / keys.size();
}

/// Clause 3: one sample moves, and its other tokens have one score.
void require_one_sample(const DescentFacts& facts, const Clauses& clauses) {
  clauses.demand(facts.iterations == 0, "start is null, but iterations is not 0");
  for (std::size_t c = 1; c < facts.rows.size(); ++c) {
    clauses.demand(facts.rows.sample(c) == facts.rows.sample(0), "start is null, but two samples have two tokens");
    clauses.demand(facts.gaps[c] == facts.gaps[0], "start is null, but the other tokens have unequal scores");
  }
}

/// Clause 4: L(p_K) lies below the level of the second best tokens.
void require_low_loss(const DescentFacts& facts, const RunEnd& end, const Arithmetic& arithmetic, const Clauses& clauses) {
  const Loss& loss = facts.problem.loss;
  const Enclosed zero(Rational(0), arithmetic);
  const auto value = [&](const Rational& u) { return Enclosed(loss.jet(u, u, arithmetic).value, arithmetic); };
  Enclosed excess = zero;
  std::optional<Enclosed> level;
  for (std::size_t first = 0; first < facts.rows.size();) {
    const std::size_t i = facts.rows.sample(first);
    const Rational& best = facts.scores[i][facts.rows.selection()[i]];
    Enclosed sum = zero.like(1);
    Enclosed lost = zero;
    Rational least_gap = facts.gaps[first];
    Rational most_gap = facts.gaps[first];
    std::size_t c = first;
    for (; c < facts.rows.size() && facts.rows.sample(c) == i; ++c) {
      const Enclosed e = exp(-Enclosed(end.values[c], arithmetic));
      sum += e;
      lost += e * facts.gaps[c];
      least_gap = std::min(least_gap, facts.gaps[c]);
      most_gap = std::max(most_gap, facts.gaps[c]);
    }
    const Enclosed range(arithmetic.enclose(best - most_gap, best), arithmetic);
    const Interval output = intersection(zero.like(best) - lost / sum, range).interval();
    const Enclosed at_best = value(best);
    excess += Enclosed(loss.jet(output, arithmetic).value, arithmetic) - at_best;
    const Enclosed room = value(best - least_gap) - at_best;
    level = level ? smaller_inf(*level, room) : room;
    first = c;
  }
  clauses.demand(level && surely_less(excess, level->inf()), "the loss of p_K is not shown to lie below that of the second best tokens");
}

}  // namespace

void check_descent_basin(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "over", "selection", "method", "start", "iterations"}, {"step"});
  witness.expect_keys({"lambda", "loss", "bits"});
  const DescentFacts facts(claim, problem, statement, witness);
  require_feasible(facts.rows, witness.at("lambda"));
  if (facts.method == Method::normalised) statement.at("method").fail("neither constant nor flow");
  Clauses clauses;
  clauses.enter("clause 1");  // some sample has two tokens: lambda is not empty
  for (std::size_t c = 0; c < facts.rows.size(); ++c)
    clauses.demand(facts.gaps[c] > 0, "token " + facts.rows.name(c) + " does not score less than the selected one");
  clauses.enter("clause 2");
  if (facts.method == Method::constant) clauses.demand(facts.step * curvature_bound(facts) < 2, "the step is too long");
  if (facts.from_everywhere()) {
    clauses.enter("clause 3");
    require_one_sample(facts, clauses);
    return;
  }
  const RunEnd end = facts.follow();
  clauses.enter("clause 4");
  with_enough_bits(facts, [&](const Arithmetic& arithmetic) { clauses.run([&] { require_low_loss(facts, end, arithmetic, clauses); }); });
}

}  // namespace attest::check
