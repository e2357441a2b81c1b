#include "attest/exact/loss_bounds.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/exact/loss_jet.hpp"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <optional>
#include <sstream>

namespace attest {
namespace {

constexpr int sample_cells = 64;
constexpr std::size_t cell_limit = 20000;
/// A cell this many times smaller than the interval is not split further.
const Rational smallest_part = Rational(Integer(1), Integer(1) << 40);

struct Cell {
  Rational low;
  Rational high;
  std::optional<LossJetBalls> jet;
  double excess;
};

/// The nearest multiple of a power of two that is small against `width`: short numbers, and exact ones in
/// binary arithmetic, so that a loss that is flat there is seen to be flat.
Rational rounded_to_width(const Rational& value, const Rational& width) {
  Integer scale = 1;
  while (Rational(4096) / scale > width) scale *= 2;
  const Rational scaled = value * scale;
  const Integer below = (numerator(scaled) * 2 + denominator(scaled)) / (denominator(scaled) * 2);
  return Rational(below, scale);
}

/// Upwards to 40 significant bits: short numbers, with slack for a checker that rounds differently.
Rational rounded_up(const Rational& value) {
  if (value.is_zero()) return value;
  Integer scale = 1;
  Rational magnitude = abs(value);
  Rational scaled = value;
  const Rational target = Rational(Integer(1) << 40);
  while (magnitude < target) {
    magnitude *= 2;
    scaled *= 2;
    scale *= 2;
  }
  Integer whole = numerator(scaled) / denominator(scaled);
  if (Rational(whole) <= scaled) whole += 1;
  return Rational(whole, scale);
}

/// For messages: an end of an interval may have hundreds of digits.
std::string short_text(const Rational& value) {
  std::ostringstream text;
  text << std::setprecision(9) << nearest_double(value);
  return text.str();
}

class LossBoundSearch {
 public:
  LossBoundSearch(const Expression& loss, const RationalInterval& interval, const Budget& budget)
      : loss_(loss), interval_(interval), width_(interval.high - interval.low), budget_(budget) {}

  LossVerdict run() {
    if (const auto refuted = sample()) return *refuted;
    return subdivide();
  }

  /// Where bounds on the whole interval are what its ends and the point nearest to 0 need, as those of a logistic loss are: the loss
  /// decreases, and more points or cells would change nothing.
  std::optional<LossVerdict> run_in_one_cell() {
    learn(interval_.low);
    learn(interval_.high);
    learn(std::clamp(Rational(0), interval_.low, interval_.high));
    open(Cell{interval_.low, interval_.high, {}, 0});
    const Cell& whole = cells_.front();
    const bool enough = whole.excess <= loss_bound_tolerance.relative && whole.jet->slope.upper() < 0;
    return enough ? std::optional(conclude()) : std::nullopt;
  }

 private:
  /// Looks at points of the interval: refutes if it can, and learns how large the bounds are at least.
  std::optional<LossNotDecreasing> sample() {
    if (width_.is_zero()) {
      learn(interval_.low);
      return std::nullopt;
    }
    std::vector<Rational> points = {interval_.low};
    for (int k = 1; k < sample_cells; ++k) {
      const Rational point = rounded_to_width(interval_.low + width_ * k / sample_cells, width_);
      if (point > points.back() && point < interval_.high) points.push_back(point);
    }
    points.push_back(interval_.high);
    for (std::size_t k = 0; k + 1 < points.size(); ++k)
      if (const auto refuted = refute(points[k], points[k + 1])) return refuted;
    for (const Rational& point : points) {
      learn(point);
      if (slope_not_negative())
        if (const auto refuted = refute_around(point)) return refuted;
    }
    return std::nullopt;
  }

  bool slope_not_negative() const { return slope_at_least_ && *slope_at_least_ >= 0; }

  std::optional<LossNotDecreasing> refute(const Rational& a, const Rational& b) const {
    const auto at_a = enclose(loss_, {a, a});
    const auto at_b = enclose(loss_, {b, b});
    if (at_a && at_b && at_a->value.upper() <= at_b->value.lower()) return LossNotDecreasing{a, b, false};
    const auto between = enclose(loss_, {a, b});
    if (between && between->slope.lower() >= 0) return LossNotDecreasing{a, b, true};
    return std::nullopt;
  }

  /// Looks for an interval beside a point of slope >= 0, ever closer, on which the loss does not decrease.
  std::optional<LossNotDecreasing> refute_around(const Rational& point) const {
    for (Rational reach = width_ / sample_cells; reach > width_ * smallest_part; reach /= 4) {
      const Rational left = rounded_to_width(point - reach, reach);
      const Rational right = rounded_to_width(point + reach, reach);
      if (right > point && right <= interval_.high)
        if (const auto refuted = refute(point, right)) return refuted;
      if (left < point && left >= interval_.low)
        if (const auto refuted = refute(left, point)) return refuted;
    }
    return std::nullopt;
  }

  /// Lower bounds for what slope_sup, m1, m0 must be, from one point.
  void learn(const Rational& point) {
    const auto jet = enclose(loss_, {point, point});
    if (!jet) return;
    const Rational slope = jet->slope.lower();
    if (!slope_at_least_ || slope > *slope_at_least_) {
      slope_at_least_ = slope;
      steepest_ = point;
    }
    m1_at_least_ = std::max({m1_at_least_, slope, Rational(-jet->slope.upper())});
    m0_at_least_ = std::max({m0_at_least_, jet->curvature.lower(), Rational(-jet->curvature.upper())});
  }

  /// By what part a cell's bounds exceed what the points show to be needed, the worst of the three; infinite where the
  /// loss is not enclosed.
  double excess(const std::optional<LossJetBalls>& jet) const {
    const bool comparable = slope_at_least_ && *slope_at_least_ < 0 && m1_at_least_ > 0;
    if (!jet || !comparable) return std::numeric_limits<double>::infinity();
    const Rational slope = jet->slope.upper();
    const Rational steepness = std::max(slope, Rational(-jet->slope.lower()));
    const Rational curvature = std::max(jet->curvature.upper(), Rational(-jet->curvature.lower()));
    const Rational m0_scale = std::max(m0_at_least_, Rational(m1_at_least_ * exact_value(loss_bound_tolerance.relative)));
    return std::max({nearest_double((slope - *slope_at_least_) / abs(*slope_at_least_)), nearest_double(steepness / m1_at_least_ - 1),
                     m0_scale.is_zero() ? nearest_double(curvature) : nearest_double((curvature - m0_at_least_) / m0_scale)});
  }

  /// Splits the cell whose bounds are worst, again and again.
  LossVerdict subdivide() {
    open(Cell{interval_.low, interval_.high, {}, 0});
    for (;;) {
      if (slope_not_negative()) return touches_zero();
      Cell cell = take_worst();
      const bool done = cell.excess <= loss_bound_tolerance.relative || cells_.size() + 1 >= cell_limit || budget_.spent();
      const Rational middle = done || width_.is_zero() ? cell.low : rounded_to_width((cell.low + cell.high) / 2, cell.high - cell.low);
      const bool may_split = !done && cell.low < middle && middle < cell.high && cell.high - cell.low > width_ * smallest_part;
      if (!may_split && !cell.jet) return not_enclosed(cell);
      if (!may_split && done) {
        cells_.push_back(std::move(cell));
        return conclude();
      }
      if (!may_split) {
        cell.excess = 0;  // as good as it gets
        cells_.push_back(std::move(cell));
        std::push_heap(cells_.begin(), cells_.end(), less_excess);
        continue;
      }
      learn(middle);
      if (slope_not_negative())
        if (const auto refuted = refute_around(middle)) return *refuted;
      open(Cell{cell.low, middle, {}, 0});
      open(Cell{middle, cell.high, {}, 0});
    }
  }

  static bool less_excess(const Cell& a, const Cell& b) { return a.excess < b.excess; }

  void open(Cell cell) {
    cell.jet = enclose(loss_, {cell.low, cell.high});
    cell.excess = excess(cell.jet);
    cells_.push_back(std::move(cell));
    std::push_heap(cells_.begin(), cells_.end(), less_excess);
  }

  /// What the points show grows, so an excess that was worst may be no more: it is computed again.
  Cell take_worst() {
    for (;;) {
      std::pop_heap(cells_.begin(), cells_.end(), less_excess);
      Cell cell = std::move(cells_.back());
      cells_.pop_back();
      const double now = cell.excess == 0 ? 0 : excess(cell.jet);
      if (!(now < cell.excess) || cells_.empty() || now >= cells_.front().excess) {
        cell.excess = now;
        return cell;
      }
      cell.excess = now;
      cells_.push_back(std::move(cell));
      std::push_heap(cells_.begin(), cells_.end(), less_excess);
    }
  }

  static LossUndecided not_enclosed(const Cell& cell) {
    return {"the loss could not be enclosed on [" + short_text(cell.low) + ", " + short_text(cell.high) +
            "]: it or a derivative is undefined or unbounded there, or an exponent is beyond 2^20"};
  }

  LossUndecided touches_zero() const {
    return {"the slope of the loss is not negative at u = " + to_string(steepest_) +
            ", and no two points show that the loss fails to decrease"};
  }

  LossVerdict conclude() {
    std::ranges::sort(cells_, {}, &Cell::low);
    std::optional<Rational> slope_sup;
    Rational m0 = 0;
    Rational m1 = 0;
    std::vector<Rational> cuts;
    for (const Cell& cell : cells_) {
      if (!cell.jet) return not_enclosed(cell);
      const Rational slope = cell.jet->slope.upper();
      slope_sup = slope_sup ? std::max(*slope_sup, slope) : slope;
      m1 = std::max({m1, slope, Rational(-cell.jet->slope.lower())});
      m0 = std::max({m0, cell.jet->curvature.upper(), Rational(-cell.jet->curvature.lower())});
      if (cell.low != interval_.low) cuts.push_back(cell.low);
    }
    *slope_sup = rounded_up(*slope_sup);
    if (*slope_sup >= 0) return LossUndecided{"the slope of the loss could not be enclosed below 0 within the cells allowed"};
    return LossBounds{*slope_sup, rounded_up(m0), rounded_up(m1), std::move(cuts)};
  }

  const Expression& loss_;
  RationalInterval interval_;
  Rational width_;
  const Budget& budget_;

  std::optional<Rational> slope_at_least_;
  Rational steepest_;  // where the slope was found to be largest
  Rational m1_at_least_ = 0;
  Rational m0_at_least_ = 0;

  std::vector<Cell> cells_;  // a heap by excess that covers the interval
};

}  // namespace

LossVerdict bound_loss(const Loss& loss, const RationalInterval& interval, const Budget& budget) {
  if (auto quickly = LossBoundSearch(loss.expression(), interval, budget).run_in_one_cell()) return *std::move(quickly);
  return LossBoundSearch(loss.expression(), interval, budget).run();
}

}  // namespace attest
