#pragma once

#include "limit_rows.hpp"

#include <optional>

namespace attest {

// What enclosed runs over p and over W share.

/// Bits after the point that every checker knows of the iterate where clauses hold; its roundings are not ours.
constexpr slong bits_for_checkers = 64;

/// Of the least number in a ball, or of a magnitude; far below any other for 0.
double log2_of(const PreciseBall& value);
double log2_of(const mag_t magnitude);

/// Rounded to the precision of clauses.
PreciseBall for_clauses(arb_srcptr ball);
/// The ball's numbers for a value that changes by at most `slope` times the distance.
void widen(arb_ptr ball, const PreciseBall& slope, const mag_t distance);

/// One sample's tokens seen from a token of reference: u_t in, coefficients of the rows in -grad L out.
class SampleStep {
 public:
  SampleStep(const LimitFacts& facts, std::size_t sample) : facts_(&facts), sample_(sample) {}

  /// coefficients_t = (1/n)(-l'(f)) e_t/(1 + E) (gap_t - G), f = gamma_r - G; false if -l' is not enclosed.
  bool coefficients(arb_ptr result, arb_srcptr u, arb_srcptr gaps, std::size_t count, const Rational& score, slong bits) const;
  std::size_t index() const { return sample_; }

 private:
  const LimitFacts* facts_;
  std::size_t sample_;
};

/// The factor of -grad L in a step; nothing if |grad L| is not shown to be positive.
std::optional<PreciseBall> step_factor(const DescentRule& rule, const PreciseBall& gradient_squared, slong bits);

/// e >= |p_k - c_k|, the radius of a ball around a centre c_k that is known exactly: a step is enclosed at the centre alone, and stretches
/// the ball by the largest spectral norm of its derivative on it (mean value inequality). Boxes would lose some two bits a step, a ball
/// next to nothing.
class RunRadius {
 public:
  RunRadius() { mag_init(value_); }
  RunRadius(const RunRadius&) = delete;
  RunRadius& operator=(const RunRadius&) = delete;
  ~RunRadius() { mag_clear(value_); }

  const mag_t& get() const { return value_; }
  slong accuracy() const { return static_cast<slong>(-log2_of(value_)); }

  void stretch(double factor) {
    mag_t other;
    mag_init(other);
    mag_set_d(other, factor);
    mag_mul(value_, value_, other);
    mag_clear(other);
  }
  void add(const mag_t other) { mag_add(value_, value_, other); }
  void add(const PreciseBall& other) {
    mag_t size;
    mag_init(size);
    arb_get_mag(size, other.get());
    add(size);
    mag_clear(size);
  }
  /// A rounding that a checker may have where we had none: what the run loses is then what it loses for everybody.
  void add_unit(slong bits) {
    mag_t unit;
    mag_init(unit);
    mag_set_ui_2exp_si(unit, 1, -bits);
    add(unit);
    mag_clear(unit);
  }
  void widen(arb_ptr ball, const PreciseBall& slope) const { attest::widen(ball, slope, value_); }

 private:
  mag_t value_;
};

}  // namespace attest
