#include "sparsity.hpp"

#include "envelope.hpp"

namespace attest::check {

namespace {

Rational read_epsilon(const Json& node) {
  Rational epsilon = read_rational(node);
  demand(epsilon > 0 && epsilon < 1, node, "not between 0 and 1");
  return epsilon;
}

LimitRows read_limit_rows(const Problem& problem, const Json& statement) {
  return {problem, read_over(statement.at("over")), read_selection(statement.at("selection"), problem)};
}

/// ⟨Σ x_c a_c, Σ x_c a_c⟩, from the products of the sum with every row.
Rational squared(const std::vector<RowTerm>& terms, const std::vector<Rational>& products) {
  Rational sum = 0;
  for (const auto& [c, x] : terms) sum += x * products[c];
  return sum;
}

/// A = Σ P_i log((1 − ε)/ε) + Σ π_c log(P_i/π_c), which Σ π_c a_c·p cannot fall below.
Number dual_bound(const LimitRows& rows, const std::vector<RowTerm>& weights, const Rational& epsilon, std::size_t samples) {
  std::vector<Rational> totals(samples, 0);
  Rational total = 0;
  for (const auto& [c, weight] : weights) {
    totals[rows.sample(c)] += weight;
    total += weight;
  }
  Number bound = total * log(Number(Rational((1 - epsilon) / epsilon)));
  for (const auto& [c, weight] : weights) bound += weight * log(Number(Rational(totals[rows.sample(c)] / weight)));
  return bound;
}

void require_lower(const LimitRows& rows, const Problem& problem, const Rational& epsilon, const Json& statement, const Json& node) {
  const Rational lower = read_rational(statement.at("lower"));
  demand(lower >= 0, statement.at("lower"), "is negative");
  const std::vector<RowTerm> weights = rows.read_multipliers(node);
  if (lower == 0) return;
  demand(!weights.empty(), node, "clause 1: no weights, but lower is not 0");
  const Rational length_squared = squared(weights, rows.products_with(weights));
  // A sum of 0 says nothing of p, or that there is none.
  demand(length_squared > 0, node, "clause 1: the sum of weight times row is 0");
  const Number bound = in_clause("clause 1", node, [&] { return dual_bound(rows, weights, epsilon, problem.tokens.size()); });
  demand(is_at_most(0, bound), node, "clause 1: A >= 0 is not shown");
  demand(is_at_most(Rational(lower * lower * length_squared), square(bound)), node, "clause 1: the weights do not show lower");
}

void require_attention(const LimitRows& rows, const std::vector<Rational>& values, const Rational& epsilon, std::size_t samples,
                       const Json& node) {
  const Number least = -(1 << 20);  // where §3 ends; a larger exponential is an upper bound
  std::vector<Number> others(samples, 0);
  for (std::size_t c = 0; c < rows.size(); ++c) others[rows.sample(c)] += exp(largest(Rational(-values[c]), least));
  for (std::size_t i = 0; i < samples; ++i)
    demand(is_at_most(others[i], Rational(epsilon / (1 - epsilon))), node,
           "clause 2: attention 1 - epsilon is not shown for sample " + std::to_string(i));
}

}  // namespace

void check_sparsity_norm(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "over", "selection", "epsilon", "lower", "upper"});
  witness.expect_keys({"weights", "point"});
  const LimitRows rows = read_limit_rows(problem, statement);
  const Rational epsilon = read_epsilon(statement.at("epsilon"));
  require_lower(rows, problem, epsilon, statement, witness.at("weights"));
  const Rational upper = read_rational(statement.at("upper"));
  demand(upper >= read_rational(statement.at("lower")), statement.at("upper"), "below lower");
  const Json& node = witness.at("point");
  const std::vector<RowTerm> point = rows.read_coefficients(node);
  const std::vector<Rational> values = rows.products_with(point);
  in_clause("clause 2", node, [&] { require_attention(rows, values, epsilon, problem.tokens.size(), node); });
  demand(squared(point, values) <= upper * upper, node, "clause 3: longer than upper");
}

void check_sparsity_infeasible(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "over", "selection", "epsilon"});
  witness.expect_keys({"weights"});
  const LimitRows rows = read_limit_rows(problem, statement);
  const Rational epsilon = read_epsilon(statement.at("epsilon"));
  const Json& node = witness.at("weights");
  const std::vector<RowTerm> weights = rows.read_multipliers(node);
  demand(squared(weights, rows.products_with(weights)) == 0, node, "the sum of weight times row is not 0");
  const Number bound = in_clause("infeasible", node, [&] { return dual_bound(rows, weights, epsilon, problem.tokens.size()); });
  demand(is_less(0, bound), node, "A > 0 is not shown");
}

}  // namespace attest::check
