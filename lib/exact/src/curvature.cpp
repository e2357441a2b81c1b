#include "attest/exact/curvature.hpp"

#include "attest/exact/loss_jet.hpp"
#include "key_spread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

/// So many cells between equally many points of the interval, and so many between equally many scores.
constexpr std::size_t cells_by_width = 64;
constexpr std::size_t cells_by_count = 64;
/// A matrix of more than these numbers squared costs more than it is worth.
constexpr std::size_t largest_matrix = 1024;
/// Sums of more numbers than this are not bounded in doubles. [spectral_bound.hpp]
constexpr std::size_t most_terms = 1 << 14;

/// What is known of the loss between two cuts.
struct LossCell {
  Rational low;
  Rational high;
  Ball m0;
  Ball m1;
};

Ball modulus_above(const Ball& ball) { return Ball(std::max(ball.upper(), Rational(-ball.lower()))); }

/// The cuts of Assumption A, without which a jet may be undefined, and finer ones, where the scores are.
std::vector<Rational> finer_cuts(const Scores& scores, const RationalInterval& interval, const std::vector<Rational>& cuts) {
  std::vector<double> values;
  for (const auto& sample : scores)
    for (const Rational& score : sample) values.push_back(nearest_double(score));
  std::ranges::sort(values);
  const double low = nearest_double(interval.low);
  const double width = nearest_double(interval.high) - low;
  std::vector<Rational> finer = cuts;
  const auto cut = [&](double at) {
    if (!std::isfinite(at)) return;
    if (Rational point = exact_value(at); point > interval.low && point < interval.high) finer.push_back(std::move(point));
  };
  for (std::size_t k = 1; k < cells_by_width; ++k) cut(low + width * static_cast<double>(k) / cells_by_width);
  for (std::size_t k = 1; k < cells_by_count; ++k) cut(values[k * values.size() / cells_by_count]);
  std::ranges::sort(finer);
  const auto repeated = std::ranges::unique(finer);
  finer.erase(repeated.begin(), repeated.end());
  return finer;
}

std::optional<std::vector<LossCell>> enclose_cells(const Loss& loss, const RationalInterval& interval, const std::vector<Rational>& cuts) {
  std::vector<LossCell> cells;
  for (std::size_t k = 0; k <= cuts.size(); ++k) {
    const RationalInterval u{k == 0 ? interval.low : cuts[k - 1], k == cuts.size() ? interval.high : cuts[k]};
    const auto jet = enclose(loss.expression(), u);
    if (!jet || !jet->slope.is_moderate() || !jet->curvature.is_moderate()) return std::nullopt;
    cells.push_back({u.low, u.high, modulus_above(jet->curvature), modulus_above(jet->slope)});
  }
  return cells;
}

/// g v (M0 g v + M1 r) on the part of a cell that lies between the least and the largest score of a sample.
/// [docs/theory.md, A curvature bound, (6a)]
Ball bend_on(const LossCell& cell, const RationalInterval& scores, const Rational& range, const Ball& g) {
  const Rational above = std::max(Rational(cell.low - scores.low), Rational(0));    // alpha g
  const Rational below = std::max(Rational(scores.high - cell.high), Rational(0));  // (1 - beta) g
  const Rational& nearest = std::min(above, below);
  const bool holds_middle = 2 * above <= range && 2 * below <= range;
  const Ball gv =
      holds_middle ? Ball(Rational(range / 4)) : Ball(std::max(Rational(above * (range - above)), Rational(below * (range - below)))) / g;
  const Ball r = 4 * nearest <= range ? Ball(Rational(range - 2 * nearest)) / g : g / Ball(Rational(8 * nearest));
  return gv * (cell.m0 * gv + cell.m1 * r);
}

/// c_i, rounded up with room for a checker that rounds differently.
double bend(const std::vector<LossCell>& cells, const std::vector<Rational>& scores) {
  const auto [least, most] = std::ranges::minmax_element(scores);
  const Rational range = *most - *least;
  if (range.is_zero()) return 0;
  const Ball g(range);
  double largest = 0;
  auto cell = std::ranges::lower_bound(cells, *least, {}, &LossCell::high);
  for (; cell != cells.end() && cell->low <= *most; ++cell) {
    const Ball here = bend_on(*cell, {*least, *most}, range, g);
    if (!here.is_moderate()) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, upper_double(here.upper()));
  }
  return largest * (1 + 0x1p-40);
}

/// The least double that is not below a product of numbers that are not negative.
double product_above(double a, const Rational& b) { return upper_double(Rational(exact_value(a) * b)); }

/// What bounds the widths of all samples along one direction.
class WidthBounds {
 public:
  WidthBounds(const ExactTokens& tokens, Parametrisation parametrisation, const std::vector<double>& weights)
      : tokens_(tokens), parametrisation_(parametrisation), weights_(weights) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const Problem& problem = tokens.problem();
      keys_.emplace_back(problem, parametrisation, i);
      widest_.push_back(weights[i] == 0 ? 0 : keys_.back().widest_squared());
      if (parametrisation == Parametrisation::weights) {
        const FractionVector& query = tokens.query(i);
        query_squares_.emplace_back(dot(query.numerators, query.numerators), Integer(query.denominator * query.denominator));
      }
    }
  }

  bool finite() const {
    return std::ranges::all_of(widest_, [](double value) { return std::isfinite(value); });
  }

  /// The better one of: all by their widest pairs, all by their tokens, and over p each by what is less along the direction in which the
  /// tokens are widest.
  void bound(CurvatureBound& found) {
    const std::size_t n = weights_.size();
    double least = divide(found, std::vector<bool>(n, false));
    if (!may_form_matrix()) return;
    least = std::min(least, improve(found, std::vector<bool>(n, true), least));
    if (parametrisation_ == Parametrisation::weights || !std::isfinite(least) || direction_.empty()) return;
    std::vector<bool> mixed(n);
    for (std::size_t i = 0; i < n; ++i) mixed[i] = 2 * keys_[i].along(direction_) < widest_[i];
    improve(found, mixed, least);
  }

 private:
  bool may_form_matrix() const {
    std::size_t most = 0;
    for (const CentredKeys& keys : keys_) most = std::max(most, keys.count());
    return tokens_.problem().dimension() <= largest_matrix && keys_.size() + most <= most_terms;
  }

  double improve(CurvatureBound& found, std::vector<bool> by_tokens, double least) {
    CurvatureBound other = found;
    const double bound = divide(other, std::move(by_tokens));
    if (bound < least) found = std::move(other);
    return bound;
  }

  /// The bound when some samples are bounded by their tokens and the others by their widest pairs.
  double divide(CurvatureBound& found, std::vector<bool> by_tokens) {
    const double widths = widths_of(by_tokens);
    const double spread = spread_of(by_tokens);
    if (!std::isfinite(widths) || !std::isfinite(spread)) return std::numeric_limits<double>::infinity();
    found.by_tokens = std::move(by_tokens);
    found.widths = exact_value(widths);
    found.spread = exact_value(spread);
    const double bound = upper_double(Rational((found.widths + found.spread) / static_cast<long>(weights_.size())));
    if (std::isfinite(bound)) found.bound = exact_value(bound);
    return bound;
  }

  double widths_of(const std::vector<bool>& by_tokens) const {
    const Problem& problem = tokens_.problem();
    Rational sum = 0;
    SpreadMatrix queries(parametrisation_ == Parametrisation::weights ? problem.dimension() : 0);
    const bool matrix = parametrisation_ == Parametrisation::weights && may_form_matrix();
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (by_tokens[i] || weights_[i] == 0) continue;
      const Rational weight = exact_value(weights_[i]) * exact_value(widest_[i]);
      if (matrix)
        add_query(queries, upper_double(weight), i);
      else
        sum += parametrisation_ == Parametrisation::weights ? Rational(weight * query_squares_[i]) : weight;
    }
    return matrix ? queries.largest_eigenvalue() : upper_double(sum);
  }

  void add_query(SpreadMatrix& queries, double weight, std::size_t sample) const {
    const FractionVector& query = tokens_.query(sample);
    std::vector<double> image;
    for (const Integer& entry : query.numerators) image.push_back(nearest_double(Rational(entry, query.denominator)));
    queries.add(weight, image);
  }

  double spread_of(const std::vector<bool>& by_tokens) {
    if (std::ranges::find(by_tokens, true) == by_tokens.end()) return 0;
    SpreadMatrix matrix(tokens_.problem().dimension());
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (!by_tokens[i] || weights_[i] == 0) continue;
      const Rational factor = parametrisation_ == Parametrisation::weights ? Rational(2 * query_squares_[i]) : Rational(2);
      matrix.add(product_above(weights_[i], factor), keys_[i]);
    }
    const double largest = matrix.largest_eigenvalue();
    direction_ = matrix.direction();
    return largest;
  }

  const ExactTokens& tokens_;
  Parametrisation parametrisation_;
  const std::vector<double>& weights_;
  std::vector<CentredKeys> keys_;
  std::vector<double> widest_;           // D_i^2
  std::vector<Rational> query_squares_;  // z_i.z_i, over W
  std::vector<double> direction_;        // in which the tokens are widest; none without curvature
};

}  // namespace

std::optional<CurvatureBound> bound_curvature(const ExactTokens& tokens, const Scores& scores, const RationalInterval& interval,
                                              const LossBounds& loss, Parametrisation parametrisation) {
  if (tokens.problem().dimension() > most_terms) return std::nullopt;
  CurvatureBound found;
  found.interval = interval;
  found.cuts = finer_cuts(scores, interval, loss.cuts);
  const auto cells = enclose_cells(tokens.problem().loss, interval, found.cuts);
  if (!cells) return std::nullopt;
  std::vector<double> weights;
  for (const auto& sample : scores) {
    weights.push_back(bend(*cells, sample));
    if (!std::isfinite(weights.back())) return std::nullopt;
    found.weights.push_back(exact_value(weights.back()));
  }
  WidthBounds widths(tokens, parametrisation, weights);
  if (!widths.finite()) return std::nullopt;
  widths.bound(found);
  if (found.by_tokens.empty()) return std::nullopt;
  return found;
}

}  // namespace attest
