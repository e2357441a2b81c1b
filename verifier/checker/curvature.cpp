#include "curvature.hpp"

#include <algorithm>
#include <string>

#include "limit_rows.hpp"
#include "loss_bounds.hpp"
#include "number.hpp"
#include "spectral.hpp"

namespace attest::check {

namespace {

Rational read_at_least_0(const Json& node) {
  Rational value = read_rational(node);
  if (value < 0) node.fail("negative");
  return value;
}

/// Bounds of |ℓ'| and |ℓ''| between two cuts.
struct LossCell {
  Rational low;
  Rational high;
  Number slope;
  Number bend;
};

Number size_of(const Interval& range) { return largest(Number(range), -Number(range)); }

/// Clause 1.
std::vector<LossCell> read_cells(const Problem& problem, const Scores& scores, const Json& witness) {
  const auto [low, high] = read_interval(witness.at("interval"));
  require_scores_covered({low, high, 0, 0, 0}, scores);
  const std::vector<Rational> ends = cell_ends(low, high, witness.at("cuts"));
  std::vector<LossCell> cells;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    try {
      const Jet jet = problem.loss.jet(ends[k], ends[k + 1]);
      cells.push_back({ends[k], ends[k + 1], size_of(jet.first), size_of(jet.second)});
    } catch (const Undefined& why) {
      throw Rejected("on cell " + std::to_string(k) + " of " + std::to_string(ends.size() - 1) + ": " + why.what());
    }
  }
  return cells;
}

/// g v (M0 g v + M1 r) of clause 2, for a sample whose scores fill [least, most].
Number bend_on(const LossCell& cell, const Rational& least, const Rational& most) {
  const Rational g = most - least;
  const Rational alpha = (std::max(cell.low, least) - least) / g;
  const Rational rest = (most - std::min(cell.high, most)) / g;  // 1 − β
  const Rational half(1, 2);
  const auto spread = [](const Rational& share) -> Rational { return share * (1 - share); };
  const Rational v = alpha <= half && rest <= half ? Rational(1, 4) : std::max(spread(alpha), spread(rest));
  const Rational tau = std::min(alpha, rest);
  const Rational r = 4 * tau <= 1 ? Rational(1 - 2 * tau) : Rational(1 / (8 * tau));
  const Rational gv = g * v;
  return Number(gv) * (cell.bend * Number(gv) + cell.slope * Number(r));
}

/// Clause 2.
void require_curvature_weights(const std::vector<Rational>& weights, const Scores& scores, const std::vector<LossCell>& cells) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto [least, most] = std::minmax_element(scores[i].begin(), scores[i].end());
    if (*least == *most) continue;
    for (std::size_t k = 0; k < cells.size(); ++k) {
      if (cells[k].low > *most || cells[k].high < *least) continue;
      if (!is_at_most(bend_on(cells[k], *least, *most), Number(weights[i])))
        throw Rejected("the weight of sample " + std::to_string(i) + " is too small on cell " + std::to_string(k));
    }
  }
}

/// The keys of a sample as integers over one denominator.
struct WholeKeys {
  explicit WholeKeys(const std::vector<ScaledVector>& keys) {
    for (const ScaledVector& key : keys) denominator = lcm(denominator, key.denominator);
    for (const ScaledVector& key : keys) {
      const Integer factor = denominator / key.denominator;
      std::vector<Integer> row;
      for (const Integer& entry : key.numerators) row.emplace_back(entry * factor);
      rows.push_back(std::move(row));
    }
  }

  /// D², the largest squared distance of two.
  [[nodiscard]] Rational widest() const {
    Integer most = 0;
    for (std::size_t s = 0; s < rows.size(); ++s)
      for (std::size_t t = 0; t < s; ++t) {
        Integer sum = 0;
        for (std::size_t c = 0; c < rows[s].size(); ++c) {
          const Integer off = rows[s][c] - rows[t][c];
          sum += off * off;
        }
        if (sum > most) most = sum;
      }
    return Rational(most, Integer(denominator * denominator));
  }

  /// T (k − mean of k), over T times the denominator.
  [[nodiscard]] std::vector<std::vector<Integer>> about_mean() const {
    std::vector<Integer> sum(rows.front().size(), 0);
    for (const auto& row : rows)
      for (std::size_t c = 0; c < row.size(); ++c) sum[c] += row[c];
    auto centred = rows;
    for (auto& row : centred)
      for (std::size_t c = 0; c < row.size(); ++c) row[c] = row[c] * rows.size() - sum[c];
    return centred;
  }

  std::vector<std::vector<Integer>> rows;
  Integer denominator = 1;
};

Rational square_of(const Integer& value) { return Rational(value * value); }

}  // namespace

void check_curvature_bound(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "over", "bound"});
  witness.expect_keys({"interval", "cuts", "weights", "forms", "widths", "spread"});
  const bool over_p = read_over(statement.at("over")) == Over::p;
  const Rational bound = read_at_least_0(statement.at("bound"));
  const Rational widths = read_at_least_0(witness.at("widths"));
  const Rational spread = read_at_least_0(witness.at("spread"));
  const std::size_t n = problem.tokens.size();
  std::vector<Rational> weights;
  for (const Json* node : witness.at("weights").array(n)) weights.push_back(read_at_least_0(*node));
  for (const Json* node : witness.at("forms").array(n))
    if (node->string() != "width" && node->string() != "tokens") node->fail("neither width nor tokens");
  const Scores scores = scores_of(problem);
  require_curvature_weights(weights, scores, read_cells(problem, scores, witness));

  const auto keys = over_p ? keys_of(problem) : problem.tokens;
  const std::size_t d = problem.dimension();
  Rational total = 0;    // clause 3 over p
  SquareSum queries(d);  // clause 3 over W
  SquareSum centred(d);  // clause 4
  for (std::size_t i = 0; i < n; ++i) {
    const WholeKeys whole(keys[i]);
    const bool by_width = witness.at("forms").array()[i]->string() == "width";
    const ScaledVector* query = over_p ? nullptr : &query_of(problem, i);
    if (!by_width) {
      const Rational factor = 2 * weights[i] * (over_p ? Rational(1) : dot(*query, *query));
      centred.add(factor / square_of(Integer(whole.denominator * whole.rows.size())), whole.about_mean());
    } else if (over_p) {
      total += weights[i] * whole.widest();
    } else {
      queries.add(weights[i] * whole.widest() / square_of(query->denominator), {query->numerators});
    }
  }
  if (total > widths || !queries.is_at_most(widths)) witness.at("widths").fail("too small for the widths of the samples");
  if (!centred.is_at_most(spread)) witness.at("spread").fail("too small for the tokens of the samples");
  if (widths + spread > n * bound) statement.at("bound").fail("less than (widths + spread)/n");
}

}  // namespace attest::check
