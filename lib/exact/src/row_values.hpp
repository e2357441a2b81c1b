#pragma once

#include "point_image.hpp"

#include <span>
#include <vector>

namespace attest {

/// A number in doubles and how far the exact one can be from it.
struct BoundedValue {
  double value;
  double error;
};

/// n/s to within a factor 1 ± 5 * 2^-53: both are cut to 53 bits.
double ratio_image(const Integer& n, const Integer& s);

/// Evaluates x.u for the tokens x of a program's problem in doubles.
///
/// With eps = 2^-53: x is within a factor 1 ± eps of its image, u within 1 ± 5 eps, each of the d products and additions
/// rounds once, so |fl(x.u) - x.u| <= (d + 7) eps S (1 + tiny) with S = sum |x_j u_j|, plus what underflow loses. The
/// constant d + 12 covers the second-order terms and the rounding of S for every d below 10^6. An entry of u too small
/// for its image to be that close makes the bound infinite, and every row is then evaluated exactly.
class FloatEvaluator {
 public:
  explicit FloatEvaluator(const FractionVector& u);
  /// At a u that doubles hold.
  explicit FloatEvaluator(std::span<const double> u);
  BoundedValue operator()(std::span<const double> token) const;

 private:
  void see(double entry, bool is_zero);

  std::vector<double> image_;
  double sum_ = 0;
  double factor_ = 0;
};

/// Of two logits, where the error covers the rounding of the difference and of the sum of errors too.
BoundedValue difference_of(const BoundedValue& chosen, const BoundedValue& other);

/// a_c.x of the rows of a program at a point x, in doubles with a rigorous error bound, or exactly.
class RowValues {
 public:
  RowValues(const SvmProgram& program, const FractionVector& point);

  /// Calls visit(row, value) for every row of the k-th sample, ascending.
  template <class Visit>
  void of_sample(std::size_t k, Visit visit) const {
    const BoundedValue chosen = logit(k, program_.selection()[program_.samples()[k]]);
    for (std::size_t row = program_.first_row(k); row < program_.first_row(k + 1); ++row) visit(row, difference(k, row, chosen));
  }
  template <class Visit>
  void of_all(Visit visit) const {
    for (std::size_t k = 0; k < program_.samples().size(); ++k) of_sample(k, visit);
  }
  BoundedValue of(std::size_t row) const;
  Rational exact(std::size_t row) const;
  /// The same in whole numbers, not reduced; the row's vector before keys is at hand.
  struct Fraction {
    Integer numerator;
    Integer denominator;
  };
  Fraction exact(std::size_t row, const FractionVector& vector) const;

 private:
  BoundedValue logit(std::size_t k, std::size_t token) const;
  BoundedValue difference(std::size_t k, std::size_t row, const BoundedValue& chosen) const;

  const SvmProgram& program_;
  PointImage image_;
  std::vector<FloatEvaluator> floats_;
};

}  // namespace attest
