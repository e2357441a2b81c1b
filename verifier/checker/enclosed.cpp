#include "enclosed.hpp"

#include <utility>

namespace attest::check {

namespace {

const Dyadic far{1, 20};

int sign(const Dyadic& x) { return x.mantissa.sign(); }

}  // namespace

Enclosed& Enclosed::operator+=(const Enclosed& y) { return *this = *this + y; }
Enclosed& Enclosed::operator-=(const Enclosed& y) { return *this = *this - y; }

Enclosed operator-(const Enclosed& x) { return {x.arithmetic().negate(x.interval()), x.arithmetic()}; }
Enclosed operator+(const Enclosed& x, const Enclosed& y) { return {x.arithmetic().add(x.interval(), y.interval()), x.arithmetic()}; }
Enclosed operator-(const Enclosed& x, const Enclosed& y) { return {x.arithmetic().subtract(x.interval(), y.interval()), x.arithmetic()}; }
Enclosed operator*(const Enclosed& x, const Enclosed& y) { return {x.arithmetic().multiply(x.interval(), y.interval()), x.arithmetic()}; }
Enclosed operator/(const Enclosed& x, const Enclosed& y) {
  return {x.arithmetic().multiply(x.interval(), x.arithmetic().reciprocal(y.interval())), x.arithmetic()};
}
Enclosed operator*(const Enclosed& x, const Rational& y) { return x * x.like(y); }
Enclosed operator*(const Rational& x, const Enclosed& y) { return y * x; }
Enclosed operator/(const Enclosed& x, const Rational& y) { return x / x.like(y); }

Enclosed square(const Enclosed& x) { return {x.arithmetic().square(x.interval()), x.arithmetic()}; }

Enclosed root(const Enclosed& x) {
  Interval kept = x.interval();
  if (sign(kept.lower) < 0) kept.lower = {};
  return {x.arithmetic().square_root(kept), x.arithmetic()};
}

Enclosed log(const Enclosed& x) { return {x.arithmetic().logarithm(x.interval()), x.arithmetic()}; }

Enclosed exp(const Enclosed& x) {
  const Dyadic least{-far.mantissa, far.exponent};
  const auto& [lower, upper] = x.interval();
  const bool low = compare(lower, least) < 0;
  Interval result = x.arithmetic().exponential({low ? least : lower, compare(upper, least) < 0 ? least : upper});
  if (low) result.lower = {};
  return {std::move(result), x.arithmetic()};
}

Enclosed size(const Enclosed& x) {
  const Enclosed opposite = -x;
  const Dyadic& most = compare(x.interval().upper, opposite.interval().upper) >= 0 ? x.interval().upper : opposite.interval().upper;
  Interval bound;
  bound.upper = most;
  return {std::move(bound), x.arithmetic()};
}

Enclosed intersection(const Enclosed& x, const Enclosed& y) {
  const Interval& a = x.interval();
  const Interval& b = y.interval();
  Interval both{compare(a.lower, b.lower) >= 0 ? a.lower : b.lower, compare(a.upper, b.upper) <= 0 ? a.upper : b.upper};
  if (compare(both.lower, both.upper) > 0) throw Undefined("enclosures of one number that do not meet");
  return {std::move(both), x.arithmetic()};
}

Enclosed larger_sup(const Enclosed& x, const Enclosed& y) { return compare(x.interval().upper, y.interval().upper) >= 0 ? x : y; }
Enclosed smaller_inf(const Enclosed& x, const Enclosed& y) { return compare(x.interval().lower, y.interval().lower) <= 0 ? x : y; }

bool surely_positive(const Enclosed& x) { return sign(x.interval().lower) > 0; }
bool surely_negative(const Enclosed& x) { return sign(x.interval().upper) < 0; }
bool surely_less(const Enclosed& x, const Enclosed& y) { return compare(x.interval().upper, y.interval().lower) < 0; }
bool surely_at_most(const Enclosed& x, const Enclosed& y) { return compare(x.interval().upper, y.interval().lower) <= 0; }

// Elimination without exchanges: the true pivots lie in the intervals, and a symmetric matrix whose pivots are all > 0 is positive
// definite.
Definite::Definite(EnclosedMatrix matrix) : factor_(std::move(matrix)) {
  for (std::size_t k = 0; k < factor_.size(); ++k) {
    if (!surely_positive(factor_[k][k])) {
      definite_ = false;
      return;
    }
    EnclosedVector column;
    for (std::size_t r = k + 1; r < factor_.size(); ++r) column.push_back(factor_[r][k]);
    for (std::size_t r = k + 1; r < factor_.size(); ++r) {
      factor_[r][k] = factor_[r][k] / factor_[k][k];
      for (std::size_t c = k + 1; c <= r; ++c) factor_[r][c] -= factor_[r][k] * column[c - k - 1];
    }
  }
}

EnclosedVector Definite::solve(EnclosedVector b) const {
  for (std::size_t r = 0; r < b.size(); ++r)
    for (std::size_t c = 0; c < r; ++c) b[r] -= factor_[r][c] * b[c];
  for (std::size_t r = 0; r < b.size(); ++r) b[r] = b[r] / factor_[r][r];
  for (std::size_t r = b.size(); r-- > 0;)
    for (std::size_t c = r + 1; c < b.size(); ++c) b[r] -= factor_[c][r] * b[c];
  return b;
}

}  // namespace attest::check
