#include "attest/exact/svm.hpp"

#include "fraction_vector.hpp"
#include "gram_solver.hpp"
#include "point_image.hpp"
#include "row_scan.hpp"

#include <algorithm>
#include <stdexcept>

namespace attest {
namespace {

std::vector<Multiplier> sorted_nonzero(const std::vector<std::size_t>& rows, const FractionVector& weights) {
  std::vector<Multiplier> result;
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (!weights.numerators[k].is_zero()) result.push_back({rows[k], Rational(weights.numerators[k], weights.denominator)});
  std::ranges::sort(result, {}, &Multiplier::row);
  return result;
}

/// The dual active-set method of Goldfarb and Idnani in rational arithmetic.
///
/// Invariant: w is the minimiser subject to the rows of the active set alone; its rows are independent, tight at w and
/// have multipliers >= 0, those of equalities excepted, which stay in it. Every row that is added raises the objective strictly, so no
/// active set comes back and the method ends: with all rows satisfied (w is the minimiser) or with a row that no step can satisfy (Farkas).
class ExactActiveSet {
 public:
  ExactActiveSet(const SvmProgram& program, const Budget& budget) : program_(program), budget_(budget), active_(program) {}

  SvmOutcome run(std::span<const std::size_t> guess) {
    if (auto infeasible = start_from(guess)) return *infeasible;
    for (;;) {
      const RowScan scan = scan_rows(program_, w_);
      if (!scan.most_violated)
        return equalities_hold(scan) ? SvmOutcome(solution(scan)) : SvmUndecided{"an equality was lost to an unlucky prime"};
      if (budget_.spent()) return SvmUndecided{"the time was up before the active set was found"};
      if (auto infeasible = add(*scan.most_violated)) return *infeasible;
    }
  }

 private:
  /// Makes the invariant true from any list of rows; proves infeasibility when the list shows it.
  std::optional<SvmInfeasible> start_from(std::span<const std::size_t> guess) {
    rows_.assign(guess.begin(), guess.end());
    for (std::size_t row = 0; row < program_.row_count(); ++row)
      if (program_.is_equality(row)) rows_.push_back(row);
    // Equalities first: of dependent rows the later ones are left out.
    const auto key = [&](std::size_t row) { return std::pair(!program_.is_equality(row), row); };
    std::ranges::sort(rows_, {}, key);
    rows_.erase(std::ranges::unique(rows_).begin(), rows_.end());
    for (const std::size_t row : rows_) active_.add(row);
    const std::vector<std::size_t> left_out = keep_independent();
    if (left_out.size() == 1)
      if (auto infeasible = dependent_infeasible(left_out.front())) return infeasible;
    settle_multipliers();
    return std::nullopt;
  }

  std::vector<std::size_t> keep_independent() {
    const std::vector<std::size_t> kept = active_.independent();
    std::vector<std::size_t> left_out;
    for (std::size_t k = rows_.size(); k-- > 0;) {
      if (std::ranges::binary_search(kept, k)) continue;
      left_out.push_back(rows_[k]);
      active_.drop(k);
      rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(k));
    }
    return left_out;
  }

  bool equalities_hold(const RowScan& scan) const {
    for (std::size_t row = 0; row < program_.row_count(); ++row)
      if (program_.is_equality(row) && !std::ranges::binary_search(scan.tight, row)) return false;
    return true;
  }

  /// Farkas, when the row is a combination of the active ones with weights <= 0 (of equalities: any).
  std::optional<SvmInfeasible> dependent_infeasible(std::size_t row) const {
    const FractionVector r = active_.solve(active_.products(row));
    for (std::size_t k = 0; k < rows_.size(); ++k)
      if (r.numerators[k] > 0 && !program_.is_equality(rows_[k])) return std::nullopt;
    if (!value_at(row, residual(row, r)).is_zero()) return std::nullopt;
    Integer total = r.denominator * program_.bound(row);
    for (std::size_t k = 0; k < rows_.size(); ++k) total -= r.numerators[k] * program_.bound(rows_[k]);
    if (total <= 0) return std::nullopt;
    return infeasible_by(row, r);
  }

  /// Solves for the multipliers and drops rows until none is negative.
  void settle_multipliers() {
    for (;;) {
      FractionVector bounds;
      for (const std::size_t row : rows_) bounds.numerators.emplace_back(program_.bound(row));
      lambda_ = active_.solve(bounds);
      bool dropped_negative = false;
      for (std::size_t k = rows_.size(); k-- > 0;) {
        if (lambda_.numerators[k] > 0 || program_.is_equality(rows_[k])) continue;
        dropped_negative = dropped_negative || lambda_.numerators[k] < 0;
        drop(k);
      }
      if (!dropped_negative) break;
    }
    w_ = active_.combine(lambda_);
  }

  void drop(std::size_t k) {
    active_.drop(k);
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(k));
    lambda_.numerators.erase(lambda_.numerators.begin() + static_cast<std::ptrdiff_t>(k));
  }

  /// Brings a violated row in; nothing when that worked.
  std::optional<SvmInfeasible> add(std::size_t row) {
    Rational own = 0;  // the new row's multiplier
    for (;;) {
      const FractionVector r = active_.solve(active_.products(row));
      const FractionVector z = residual(row, r);  // what of a the active rows do not span
      const auto [dual_step, blocking] = longest_dual_step(r);
      const Rational size = value_at(row, z);  // a.z = |z|^2
      if (size.is_zero()) {
        if (!blocking) return infeasible_by(row, r);
        move(*dual_step, r, own);
        drop(*blocking);
        continue;
      }
      const Rational full_step = (program_.bound(row) - value_at(row, w_)) / size;
      const bool full = !blocking || full_step <= *dual_step;
      const Rational step = full ? full_step : *dual_step;
      w_ = plus_scaled(w_, step, z);
      move(step, r, own);
      if (full) {
        active_.add(row);
        rows_.push_back(row);
        append_multiplier(own);
        return std::nullopt;
      }
      drop(*blocking);
    }
  }

  void append_multiplier(const Rational& own) {
    lambda_.numerators.emplace_back(0);
    FractionVector unit;
    unit.numerators.assign(rows_.size(), 0);
    unit.numerators.back() = 1;
    lambda_ = plus_scaled(lambda_, own, unit);
  }

  /// a - sum r_k a_k
  FractionVector residual(std::size_t row, const FractionVector& r) const {
    const FractionVector a = program_.row(row);
    FractionVector point;
    point.denominator = a.denominator;
    point.numerators.assign(program_.point_size(), 0);
    const std::size_t first = program_.kind() == SvmProgram::Kind::w ? program_.sample_position(row) * a.numerators.size() : 0;
    std::ranges::copy(a.numerators, point.numerators.begin() + static_cast<std::ptrdiff_t>(first));
    return plus_scaled(point, -1, active_.combine(r));
  }

  /// a.x for a point x
  Rational value_at(std::size_t row, const FractionVector& x) const {
    const FractionVector a = program_.row(row);
    if (program_.kind() != SvmProgram::Kind::w) return {dot(a.numerators, x.numerators), Integer(a.denominator * x.denominator)};
    const FractionVector u = PointImage(program_, x).of_sample(program_.sample_position(row));
    return {dot(a.numerators, u.numerators), Integer(a.denominator * u.denominator)};
  }

  /// How far the multipliers can move along -r before one reaches 0, and which.
  std::pair<std::optional<Rational>, std::optional<std::size_t>> longest_dual_step(const FractionVector& r) const {
    std::optional<Rational> step;
    std::optional<std::size_t> blocking;
    for (std::size_t k = 0; k < r.numerators.size(); ++k) {
      if (r.numerators[k] <= 0 || program_.is_equality(rows_[k])) continue;
      const Rational here(Integer(lambda_.numerators[k] * r.denominator), Integer(lambda_.denominator * r.numerators[k]));
      if (step && here >= *step) continue;
      step = here;
      blocking = k;
    }
    return {step, blocking};
  }

  void move(const Rational& step, const FractionVector& r, Rational& own) {
    lambda_ = plus_scaled(lambda_, -step, r);
    own += step;
  }

  /// a = sum r_k a_k with all r_k <= 0 (of equalities: any), and a.w < b while a_k.w = b_k. The weights are whole numbers without a common
  /// factor: any multiple of them is a proof, and fractions would take twice the digits.
  SvmInfeasible infeasible_by(std::size_t row, const FractionVector& r) const {
    std::vector<std::size_t> rows = rows_;
    FractionVector weights = r;
    for (Integer& entry : weights.numerators) entry = -entry;
    rows.push_back(row);
    weights.numerators.push_back(weights.denominator);
    weights.denominator = 0;
    for (const Integer& entry : weights.numerators) weights.denominator = gcd(weights.denominator, entry);
    return {sorted_nonzero(rows, weights)};
  }

  SvmSolution solution(const RowScan& scan) const {
    SvmSolution result;
    if (program_.kind() == SvmProgram::Kind::w)
      result.factors = w_;
    else
      result.w = to_rationals(w_);
    result.multipliers = sorted_nonzero(rows_, lambda_);
    for (const Multiplier& multiplier : result.multipliers)
      if (!std::ranges::binary_search(scan.tight, multiplier.row)) throw std::logic_error("decide_svm: an active row is not tight");
    Integer total = 0;
    for (std::size_t k = 0; k < rows_.size(); ++k) total += lambda_.numerators[k] * program_.bound(rows_[k]);
    result.objective = Rational(total, Integer(2 * lambda_.denominator));
    result.support = scan.tight;
    return result;
  }

  const SvmProgram& program_;
  const Budget& budget_;
  ActiveRows active_;
  std::vector<std::size_t> rows_;  // of active_
  FractionVector lambda_;          // of active_
  FractionVector w_;
};

}  // namespace

SvmOutcome decide_svm(const SvmProgram& program, std::span<const std::size_t> guess, const Budget& budget) {
  return ExactActiveSet(program, budget).run(guess);
}

bool shown_independent(const SvmProgram& program, std::span<const std::size_t> rows) {
  ActiveRows active(program);
  for (const std::size_t row : rows) active.add(row);
  return active.independent().size() == rows.size();
}

std::vector<Rational> weight_matrix(const SvmProgram& program, const SvmSolution& solution) {
  const std::size_t d = program.dimension();
  Integer common = 1;
  for (std::size_t k = 0; k < program.samples().size(); ++k) common = lcm(common, program.query(k).denominator);
  FractionVector matrix;
  matrix.denominator = solution.factors.denominator * common;
  matrix.numerators.assign(d * d, 0);
  for (std::size_t k = 0; k < program.samples().size(); ++k) {
    const FractionVector& z = program.query(k);
    for (std::size_t c = 0; c < d; ++c) {
      const Integer factor = z.numerators[c] * (common / z.denominator);
      for (std::size_t r = 0; r < d; ++r) {
        const Integer& left = solution.factors.numerators[k * d + r];
        mpz_addmul(matrix.numerators[r * d + c].data(), factor.data(), left.data());
      }
    }
  }
  return to_rationals(matrix);
}

std::size_t weight_rank(const SvmProgram& program, const SvmSolution& solution) {
  // The rows of W lie in the span of the z_k, so W loses nothing of its rank when it is restricted to that span.
  return exact_rank(PointImage(program, solution.factors).all());
}

}  // namespace attest
