#pragma once

#include <vector>

#include "interval.hpp"

namespace attest::check {

/// A real number of which an interval is known, with the arithmetic that goes on with it: long formulas then read as they are written.
class Enclosed {
 public:
  Enclosed(Interval x, const Arithmetic& arithmetic) : x_(std::move(x)), arithmetic_(&arithmetic) {}
  Enclosed(const Rational& x, const Arithmetic& arithmetic) : x_(arithmetic.enclose(x)), arithmetic_(&arithmetic) {}

  [[nodiscard]] const Interval& interval() const { return x_; }
  [[nodiscard]] const Arithmetic& arithmetic() const { return *arithmetic_; }
  [[nodiscard]] Enclosed like(const Rational& x) const { return {x, *arithmetic_}; }
  /// Its upper end, its lower end, as one number.
  [[nodiscard]] Enclosed sup() const { return {Interval{x_.upper, x_.upper}, *arithmetic_}; }
  [[nodiscard]] Enclosed inf() const { return {Interval{x_.lower, x_.lower}, *arithmetic_}; }

  Enclosed& operator+=(const Enclosed& y);
  Enclosed& operator-=(const Enclosed& y);

 private:
  Interval x_;
  const Arithmetic* arithmetic_;
};

Enclosed operator-(const Enclosed& x);
Enclosed operator+(const Enclosed& x, const Enclosed& y);
Enclosed operator-(const Enclosed& x, const Enclosed& y);
Enclosed operator*(const Enclosed& x, const Enclosed& y);
Enclosed operator/(const Enclosed& x, const Enclosed& y);
Enclosed operator*(const Enclosed& x, const Rational& y);
Enclosed operator*(const Rational& x, const Enclosed& y);
Enclosed operator/(const Enclosed& x, const Rational& y);

Enclosed square(const Enclosed& x);
/// Of what is known to be ≥ 0: a lower end below 0 counts as 0.
Enclosed root(const Enclosed& x);
Enclosed log(const Enclosed& x);
/// An end below −2^20 is replaced, the lower by exp = 0, the upper by −2^20; beyond 2^20 it is undefined.
Enclosed exp(const Enclosed& x);
/// [0, sup |x|]: for numbers of which only the size is used.
Enclosed size(const Enclosed& x);
/// The numbers of both; Undefined if there is none.
Enclosed intersection(const Enclosed& x, const Enclosed& y);
/// The larger by its upper end, the smaller by its lower end: bounds of the largest and the least of several numbers.
Enclosed larger_sup(const Enclosed& x, const Enclosed& y);
Enclosed smaller_inf(const Enclosed& x, const Enclosed& y);

bool surely_positive(const Enclosed& x);
bool surely_negative(const Enclosed& x);
bool surely_less(const Enclosed& x, const Enclosed& y);     ///< sup x < inf y
bool surely_at_most(const Enclosed& x, const Enclosed& y);  ///< sup x ≤ inf y

using EnclosedVector = std::vector<Enclosed>;
using EnclosedMatrix = std::vector<EnclosedVector>;

/// A symmetric matrix that is positive definite: its LDLᵀ in intervals has pivots > 0 (§4.22).
class Definite {
 public:
  /// Whether every pivot is shown to be > 0. Only the lower triangle is read.
  static bool proves(const EnclosedMatrix& matrix) { return Definite(matrix).definite_; }

  explicit Definite(EnclosedMatrix matrix);
  explicit operator bool() const { return definite_; }

  /// The solution of (matrix) x = b; for a matrix that is positive definite.
  [[nodiscard]] EnclosedVector solve(EnclosedVector b) const;

 private:
  EnclosedMatrix factor_;  // below the diagonal L, on it D
  bool definite_ = true;
};

}  // namespace attest::check
