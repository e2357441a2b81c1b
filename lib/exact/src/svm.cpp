#include "attest/exact/svm.hpp"

#include "gram_solver.hpp"
#include "row_scan.hpp"

#include <algorithm>
#include <stdexcept>

namespace attest {
namespace {

std::vector<Multiplier> sorted_positive(const std::vector<std::size_t>& rows, const std::vector<Rational>& weights) {
  std::vector<Multiplier> result;
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (!weights[k].is_zero()) result.push_back({rows[k], weights[k]});
  std::ranges::sort(result, {}, &Multiplier::row);
  return result;
}

/// The dual active-set method of Goldfarb and Idnani in rational arithmetic.
///
/// Invariant: w is the minimiser subject to the rows of the active set alone; its rows are independent, tight at w and
/// have multipliers >= 0. Every row that is added raises the objective strictly, so no active set comes back and the
/// method ends: with all rows satisfied (w is the minimiser) or with a row that no step can satisfy (Farkas).
class ExactActiveSet {
 public:
  ExactActiveSet(const SvmProgram& program, const Budget& budget)
      : program_(program), budget_(budget), active_(program.dimension()), w_(program.dimension(), 0) {}

  SvmOutcome run(std::span<const std::size_t> guess) {
    if (auto infeasible = start_from(guess)) return *infeasible;
    for (;;) {
      const RowScan scan = scan_rows(program_, w_);
      if (!scan.most_violated) return solution(scan);
      if (budget_.spent()) return SvmUndecided{"the time was up before the active set was found"};
      if (auto infeasible = add(*scan.most_violated)) return *infeasible;
    }
  }

 private:
  /// Makes the invariant true from any list of rows; proves infeasibility when the list shows it.
  std::optional<SvmInfeasible> start_from(std::span<const std::size_t> guess) {
    std::vector<std::size_t> rows(guess.begin(), guess.end());
    std::ranges::sort(rows);
    rows.erase(std::ranges::unique(rows).begin(), rows.end());
    std::vector<FractionVector> vectors;
    for (const std::size_t row : rows) vectors.push_back(program_.row(row));
    const std::vector<std::size_t> kept = independent_rows(vectors, program_.dimension());
    if (kept.size() + 1 == rows.size())
      if (auto infeasible = farkas(rows, vectors)) return infeasible;
    for (const std::size_t k : kept) {
      active_.add(std::move(vectors[k]));
      rows_.push_back(rows[k]);
    }
    settle_multipliers();
    return std::nullopt;
  }

  std::optional<SvmInfeasible> farkas(const std::vector<std::size_t>& rows, const std::vector<FractionVector>& vectors) const {
    std::vector<Rational> weights = only_dependency(vectors, program_.dimension());
    if (weights.empty()) return std::nullopt;
    const auto negative = [](const Rational& weight) { return weight < 0; };
    const auto positive = [](const Rational& weight) { return weight > 0; };
    if (std::ranges::any_of(weights, negative)) {
      if (std::ranges::any_of(weights, positive)) return std::nullopt;
      for (Rational& weight : weights) weight = -weight;
    }
    Rational total = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) total += weights[k] * program_.bound(rows[k]);
    if (total <= 0) return std::nullopt;
    return SvmInfeasible{sorted_positive(rows, weights)};
  }

  /// Solves for the multipliers and drops rows until none is negative.
  void settle_multipliers() {
    for (;;) {
      std::vector<Rational> bounds;
      for (const std::size_t row : rows_) bounds.emplace_back(program_.bound(row));
      lambda_ = active_.solve(bounds);
      bool dropped_negative = false;
      for (std::size_t k = rows_.size(); k-- > 0;) {
        if (lambda_[k] > 0) continue;
        dropped_negative = dropped_negative || lambda_[k] < 0;
        drop(k);
      }
      if (!dropped_negative) break;
    }
    w_ = active_.combine(lambda_);
  }

  void drop(std::size_t k) {
    active_.drop(k);
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(k));
    lambda_.erase(lambda_.begin() + static_cast<std::ptrdiff_t>(k));
  }

  /// Brings a violated row in; nothing when that worked.
  std::optional<SvmInfeasible> add(std::size_t row) {
    const FractionVector a = program_.row(row);
    Rational own = 0;  // the new row's multiplier
    for (;;) {
      const std::vector<Rational> r = active_.solve(active_.products(a));
      const std::vector<Rational> z = residual(a, r);  // what of a the active rows do not span
      const auto [dual_step, blocking] = longest_dual_step(r);
      const Rational size = product(a, z);
      if (size.is_zero()) {
        if (!blocking) return infeasible_by(row, r);
        move(*dual_step, r, own);
        drop(*blocking);
        continue;
      }
      const Rational full_step = (program_.bound(row) - product(a, w_)) / size;
      const bool full = !blocking || full_step <= *dual_step;
      const Rational step = full ? full_step : *dual_step;
      for (std::size_t c = 0; c < w_.size(); ++c) w_[c] += step * z[c];
      move(step, r, own);
      if (full) {
        active_.add(a);
        rows_.push_back(row);
        lambda_.push_back(own);
        return std::nullopt;
      }
      drop(*blocking);
    }
  }

  std::vector<Rational> residual(const FractionVector& a, const std::vector<Rational>& r) const {
    std::vector<Rational> z = active_.combine(r);
    for (std::size_t c = 0; c < z.size(); ++c) z[c] = Rational(a.numerators[c], a.denominator) - z[c];
    return z;
  }

  static Rational product(const FractionVector& a, const std::vector<Rational>& x) {
    Rational sum = 0;
    for (std::size_t c = 0; c < x.size(); ++c) sum += a.numerators[c] * x[c];
    return sum / a.denominator;
  }

  /// How far the multipliers can move along -r before one reaches 0, and which.
  std::pair<std::optional<Rational>, std::optional<std::size_t>> longest_dual_step(const std::vector<Rational>& r) const {
    std::optional<Rational> step;
    std::optional<std::size_t> blocking;
    for (std::size_t k = 0; k < r.size(); ++k) {
      if (r[k] <= 0) continue;
      const Rational here = lambda_[k] / r[k];
      if (step && here >= *step) continue;
      step = here;
      blocking = k;
    }
    return {step, blocking};
  }

  void move(const Rational& step, const std::vector<Rational>& r, Rational& own) {
    for (std::size_t k = 0; k < r.size(); ++k) lambda_[k] -= step * r[k];
    own += step;
  }

  /// a = sum r_k a_k with all r_k <= 0, and a.w < b while a_k.w = b_k.
  SvmInfeasible infeasible_by(std::size_t row, const std::vector<Rational>& r) const {
    std::vector<std::size_t> rows = rows_;
    std::vector<Rational> weights;
    for (const Rational& entry : r) weights.emplace_back(-entry);
    rows.push_back(row);
    weights.emplace_back(1);
    return {sorted_positive(rows, weights)};
  }

  SvmSolution solution(const RowScan& scan) const {
    SvmSolution result;
    result.w = w_;
    result.multipliers = sorted_positive(rows_, lambda_);
    for (const Multiplier& multiplier : result.multipliers) {
      if (!std::ranges::binary_search(scan.tight, multiplier.row)) throw std::logic_error("decide_svm: an active row is not tight");
      result.objective += multiplier.weight * program_.bound(multiplier.row) / 2;
    }
    result.support = scan.tight;
    return result;
  }

  const SvmProgram& program_;
  const Budget& budget_;
  ActiveRows active_;
  std::vector<std::size_t> rows_;  // of active_
  std::vector<Rational> lambda_;   // of active_
  std::vector<Rational> w_;
};

}  // namespace

SvmOutcome decide_svm(const SvmProgram& program, std::span<const std::size_t> guess, const Budget& budget) {
  return ExactActiveSet(program, budget).run(guess);
}

bool shown_independent(const SvmProgram& program, std::span<const std::size_t> rows) {
  std::vector<FractionVector> vectors;
  for (const std::size_t row : rows) vectors.push_back(program.row(row));
  return independent_rows(vectors, program.dimension()).size() == vectors.size();
}

}  // namespace attest
