#include "number.hpp"

namespace attest::check {

namespace {

const Arithmetic& arithmetic() {
  static const Arithmetic one;
  return one;
}

const Dyadic& larger(const Dyadic& a, const Dyadic& b) { return compare(a, b) < 0 ? b : a; }
const Dyadic& smaller(const Dyadic& a, const Dyadic& b) { return compare(a, b) < 0 ? a : b; }

}  // namespace

Number::Number(int exact) : range_{{exact, 0}, {exact, 0}} {}
Number::Number(const Rational& exact) : range_(arithmetic().enclose(exact)) {}

Number operator-(const Number& x) { return Number(arithmetic().negate(x.range_)); }
Number operator+(const Number& x, const Number& y) { return Number(arithmetic().add(x.range_, y.range_)); }
Number operator-(const Number& x, const Number& y) { return Number(arithmetic().subtract(x.range_, y.range_)); }
Number operator*(const Number& x, const Number& y) { return Number(arithmetic().multiply(x.range_, y.range_)); }
Number operator/(const Number& x, const Number& y) { return x * Number(arithmetic().reciprocal(y.range_)); }

Number square(const Number& x) { return Number(arithmetic().square(x.range())); }
Number exp(const Number& x) { return Number(arithmetic().exponential(x.range())); }
Number log(const Number& x) { return Number(arithmetic().logarithm(x.range())); }
Number sqrt(const Number& x) { return Number(arithmetic().square_root(x.range())); }

Number exp_up(const Number& x) {
  const Dyadic least{-4096, 0};
  const Dyadic& at = larger(x.range().upper, least);
  const Dyadic bound = arithmetic().exponential({at, at}).upper;
  return Number(Interval{bound, bound});
}

Number positive_part(const Number& x) { return largest(x, 0); }

Number largest(const Number& x, const Number& y) {
  return Number(Interval{larger(x.range().lower, y.range().lower), larger(x.range().upper, y.range().upper)});
}

Number smallest(const Number& x, const Number& y) {
  return Number(Interval{smaller(x.range().lower, y.range().lower), smaller(x.range().upper, y.range().upper)});
}

bool is_less(const Number& x, const Number& y) { return compare(x.range().upper, y.range().lower) < 0; }
bool is_at_most(const Number& x, const Number& y) { return compare(x.range().upper, y.range().lower) <= 0; }

}  // namespace attest::check
