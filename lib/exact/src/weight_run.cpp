#include "descent_run.hpp"
#include "row_expansion.hpp"
#include "run_step.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <vector>

namespace attest {
namespace {

/// The centre is W_0 + sum B_c a_c, its rows' values are y = y(0) + G B, G the products of the rows; the radius is of the Frobenius norm.
/// [docs/theory.md, Enclosing a run]
class WeightRun final : public EnclosedRun {
 public:
  WeightRun(const LimitRows& rows, const DescentRule& rule, slong bits)
      : rows_(rows), rule_(rule), bits_(bits), start_(rows.count()), y_(rows.count()), b_(rows.count()), expansion_(rows, rule) {
    const std::vector<PreciseBall> values = rows.values_at(rule.start, bits);
    for (std::size_t c = 0; c < values.size(); ++c) arb_set(start_[c], values[c].get());
    y_ = start_;
    Rational squares = 0;
    for (const Rational& entry : rule.start) squares += entry * entry;
    start_squared_ = PreciseBall(squares, bits);
    radius_.add_unit(bits);
  }

  slong accuracy() const override { return radius_.accuracy(); }

  LimitIterate<PreciseBall> now() const override {
    const slong precision = std::max(bits_, PreciseBall::clause_bits);
    LimitIterate<PreciseBall> at{{}, for_clauses(start_squared_.get())};
    RunRadius reach;
    reach.add(radius_.get());
    reach.add_unit(bits_for_checkers);
    for (std::size_t c = 0; c < y_.size(); ++c) {
      at.y.push_back(for_clauses(y_[c]));
      if (iterate() > 0) reach.widen(at.y.back().get(), rows_.figures()->length[c]);
    }
    if (iterate() == 0) return at;
    // |W|^2 = |W_0|^2 + B.(y(0) + y): 2 B.y(0) + B^T G B.
    PreciseBall norm = root(start_squared_ + dot(b_, start_, precision) + dot(b_, y_, precision));
    arb_add_error_mag(norm.get(), reach.get());
    at.norm_squared = for_clauses(square(norm).get());
    return at;
  }

 private:
  void make_products() {
    const std::size_t rows = rows_.count();
    products_ = BallVector(rows * rows);
    for (std::size_t c = 0; c < rows; ++c)
      for (std::size_t e = 0; e <= c; ++e) {
        const PreciseBall product = rows_.product(c, e, bits_);
        arb_set(products_[c * rows + e], product.get());
        arb_set(products_[e * rows + c], product.get());
      }
    gaps_ = BallVector(rows);
    for (std::size_t c = 0; c < rows; ++c) {
      const auto [i, t] = rows_.program().name(c);
      const std::vector<Rational>& scores = (*rows_.facts().scores)[i];
      set_rational(gaps_[c], scores[rows_.program().selection()[i]] - scores[t], bits_);
    }
  }

  BallVector times_products(const BallVector& weights, const BallVector* start) const {
    const std::size_t rows = weights.size();
    BallVector result(rows);
    for (std::size_t c = 0; c < rows; ++c)
      arb_dot(result[c], start != nullptr ? (*start)[c] : nullptr, 0, products_[c * rows], 1, weights.data(), 1, static_cast<slong>(rows),
              bits_);
    return result;
  }

  bool step() override {
    if (products_.size() == 0) make_products();
    const std::optional<double> expansion = expansion_.bound(y_, radius_.get());
    if (!expansion) return false;
    const SvmProgram& program = rows_.program();
    BallVector q(y_.size());
    for (std::size_t k = 0; k < program.samples().size(); ++k) {
      const std::size_t first = program.first_row(k);
      const std::size_t count = program.first_row(k + 1) - first;
      if (count == 0) continue;
      const std::size_t i = program.samples()[k];
      const Rational& score = (*rows_.facts().scores)[i][program.selection()[i]];
      if (!SampleStep(rows_.facts(), i).coefficients(q[first], y_[first], gaps_[first], count, score, bits_)) return false;
    }
    const bool normalised = rule_.rule == StepRule::normalised;
    const PreciseBall squared = normalised ? dot(q, times_products(q, nullptr), bits_) : PreciseBall(bits_);
    if (normalised && !note_faintness(-nearest_difference() / std::numbers::ln2 - log2_of(squared) / 2)) return false;
    const auto factor = step_factor(rule_, squared, bits_);
    if (!factor) return false;
    for (std::size_t c = 0; c < q.size(); ++c) arb_addmul(b_[c], q[c], factor->get(), bits_);
    radius_.stretch(*expansion);
    centre();
    y_ = times_products(b_, &start_);
    return true;
  }

  /// The least u_t: how far the first logit of a sample is above the second.
  double nearest_difference() const {
    const SvmProgram& program = rows_.program();
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < program.samples().size(); ++k) {
      std::vector<double> values{0};  // of the selected token, then of the others
      for (std::size_t c = program.first_row(k); c < program.first_row(k + 1); ++c)
        values.push_back(arf_get_d(arb_midref(y_[c]), ARF_RND_NEAR));
      if (values.size() < 2) continue;
      std::ranges::nth_element(values, values.begin() + 1);
      nearest = std::min(nearest, values[1] - values[0]);
    }
    return nearest;
  }

  /// What rounding left around the new B_c moves the centre by at most as many |a_c|.
  void centre() {
    mag_t moved;
    mag_init(moved);
    for (std::size_t c = 0; c < b_.size(); ++c) {
      arb_get_mag(moved, rows_.figures()->length[c].get());
      mag_mul(moved, moved, arb_radref(b_[c]));
      radius_.add(moved);
      mag_zero(arb_radref(b_[c]));
    }
    mag_clear(moved);
    radius_.add_unit(bits_);
  }

  const LimitRows& rows_;
  const DescentRule& rule_;
  slong bits_;
  BallVector start_;  // y(0)
  BallVector y_;      // of the centre
  BallVector b_;
  RunRadius radius_;
  RowExpansion expansion_;
  BallVector products_ = BallVector(0);
  BallVector gaps_ = BallVector(0);
  PreciseBall start_squared_;
};

}  // namespace

std::unique_ptr<EnclosedRun> enclose_weight_run(const LimitRows& rows, const DescentRule& rule, slong bits) {
  return std::make_unique<WeightRun>(rows, rule, bits);
}

}  // namespace attest
