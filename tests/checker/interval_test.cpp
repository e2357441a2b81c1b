#include <mpfr.h>

#include <random>

#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(intervals)

namespace {

/// An MPFR number with room for any dyadic that the tests form.
class Reference {
 public:
  explicit Reference(const Dyadic& x) {
    mpfr_init2(value_, 2000);
    mpfr_set_z_2exp(value_, x.mantissa.backend().data(), x.exponent, MPFR_RNDN);
  }
  ~Reference() { mpfr_clear(value_); }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

using MpfrFunction = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

/// The enclosure holds MPFR's value and is no wider than 2^(8 − bits) of it.
void check_against(const Interval& enclosure, MpfrFunction function, const Dyadic& x, int bits) {
  Reference argument(x);
  Reference truth(x);
  function(truth.get(), argument.get(), MPFR_RNDN);  // 2000 bits: its rounding is far below ours
  Reference lower(enclosure.lower);
  Reference upper(enclosure.upper);
  BOOST_TEST(mpfr_lessequal_p(lower.get(), truth.get()));
  BOOST_TEST(mpfr_lessequal_p(truth.get(), upper.get()));
  mpfr_sub(upper.get(), upper.get(), lower.get(), MPFR_RNDU);
  mpfr_abs(truth.get(), truth.get(), MPFR_RNDN);
  mpfr_mul_2si(truth.get(), truth.get(), 8 - bits, MPFR_RNDN);
  BOOST_TEST(mpfr_lessequal_p(upper.get(), truth.get()));
}

bool inside(const Interval& inner, const Interval& outer) {
  return compare(outer.lower, inner.lower) <= 0 && compare(inner.upper, outer.upper) <= 0;
}

bool holds(const Interval& interval, const Rational& value, const Arithmetic& arithmetic) {
  return inside(arithmetic.enclose(value), interval);
}

/// Numbers of 60 random bits with exponents of each size, both signs.
std::vector<Dyadic> samples(int smallest_top, int largest_top, bool negative) {
  std::mt19937_64 random(20240607);
  std::vector<Dyadic> result;
  for (int top = smallest_top; top <= largest_top; top += top > -20 && top < 20 ? 1 : 37)
    for (int i = 0; i < 4; ++i) {
      const auto mantissa = static_cast<std::int64_t>((random() >> 4U) | (1ULL << 59U));
      result.push_back({Integer(mantissa), top - 60});
      if (negative) result.push_back({Integer(-mantissa), top - 60});
    }
  return result;
}

Interval point(const Dyadic& x) { return {x, x}; }

using Method = Interval (Arithmetic::*)(const Interval&) const;

void check_function(Method method, MpfrFunction function, const std::vector<Dyadic>& arguments) {
  for (const Dyadic& x : arguments) {
    const Interval coarse = (Arithmetic(128).*method)(point(x));
    const Interval fine = (Arithmetic(200).*method)(point(x));
    check_against(coarse, function, x, 128);
    check_against(fine, function, x, 200);
    check_against((Arithmetic().*method)(point(x)), function, x, 256);
    BOOST_TEST(inside(fine, coarse));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(exp_agrees_with_mpfr) { check_function(&Arithmetic::exponential, mpfr_exp, samples(-400, 19, true)); }

BOOST_AUTO_TEST_CASE(log_agrees_with_mpfr) {
  std::vector<Dyadic> arguments = samples(-4000, 4000, false);
  for (const int distance : {1, 2, 30, 59, 100, 127})  // 1 ± 2^-distance: the result is small
    for (const int sign : {-1, 1}) arguments.push_back({(Integer(1) << static_cast<unsigned>(distance)) + sign, -distance});
  check_function(&Arithmetic::logarithm, mpfr_log, arguments);
}

BOOST_AUTO_TEST_CASE(tanh_agrees_with_mpfr) {
  check_function(&Arithmetic::hyperbolic_tangent, mpfr_tanh, samples(-400, 15, true));
  check_function(&Arithmetic::hyperbolic_tangent, mpfr_tanh,
                 {{1, -64},
                  {1, -65},
                  {1, -66},
                  {1, -100},
                  {1, -128},
                  {1, -129},
                  {1, -130},
                  {127, 0},
                  {128, 0},
                  {129, 0},
                  {199, 0},
                  {255, 0},
                  {257, 0}});
}

BOOST_AUTO_TEST_CASE(sqrt_agrees_with_mpfr) {
  check_function(&Arithmetic::square_root, mpfr_sqrt, samples(-4000, 4000, false));
  const Interval two = Arithmetic().square_root(point({4, 0}));
  BOOST_TEST(compare(two.lower, two.upper) == 0);
}

BOOST_AUTO_TEST_CASE(known_digits_lie_inside) {
  const Arithmetic a(128);
  const auto digits = [&](const Interval& x, const char* low, const char* high) {
    BOOST_TEST(inside(x, a.enclose(*parse_decimal(low), *parse_decimal(high))));
  };
  const Interval one = a.enclose(1);
  digits(a.exponential(one), "2.718281828459045235360287471352662497", "2.718281828459045235360287471352662498");
  digits(a.logarithm(a.enclose(2)), "0.693147180559945309417232121458176568", "0.693147180559945309417232121458176569");
  digits(a.hyperbolic_tangent(one), "0.761594155955764888119458282604793590", "0.761594155955764888119458282604793591");
  digits(a.square_root(a.enclose(2)), "1.414213562373095048801688724209698078", "1.414213562373095048801688724209698079");
}

BOOST_AUTO_TEST_CASE(exact_results_stay_exact) {
  const Arithmetic a;
  BOOST_TEST(compare(a.exponential(a.enclose(0)).upper, {1, 0}) == 0);
  BOOST_TEST(a.logarithm(a.enclose(1)).upper.mantissa.is_zero());
  BOOST_TEST(a.hyperbolic_tangent(a.enclose(0)).lower.mantissa.is_zero());
  const Interval quarter = a.enclose(Rational(-1, 4));
  BOOST_TEST(compare(quarter.lower, quarter.upper) == 0);
  BOOST_TEST(compare(a.add(quarter, a.enclose(Rational(1, 4))).lower, {}) == 0);
}

BOOST_AUTO_TEST_CASE(arithmetic_holds_the_exact_rational_result) {
  std::mt19937 random(7);
  const auto rational = [&] { return Rational(static_cast<int>(random() % 2001) - 1000, static_cast<int>(random() % 999) + 1); };
  const Arithmetic a(128);
  for (int i = 0; i < 2000; ++i) {
    const Rational x = rational();
    const Rational y = rational();
    const Interval X = a.enclose(std::min(x, y), std::max(x, y));
    const Rational p = rational();
    const Interval P = a.enclose(p);
    const Rational middle = (x + y) / 2;
    BOOST_TEST(holds(a.add(X, P), middle + p, a));
    BOOST_TEST(holds(a.subtract(X, P), x - p, a));
    BOOST_TEST(holds(a.multiply(X, P), middle * p, a));
    BOOST_TEST(holds(a.multiply(X, X), x * y, a));
    BOOST_TEST(holds(a.square(X), y * y, a));
    BOOST_TEST(holds(a.power(X, 3), x * x * x, a));
    BOOST_TEST(holds(a.power(X, 4), middle * middle * middle * middle, a));
    if (x * y > 0)
      BOOST_TEST(holds(a.reciprocal(X), 1 / middle, a));
    else
      BOOST_CHECK_THROW((void)a.reciprocal(X), Undefined);
  }
}

BOOST_AUTO_TEST_CASE(products_are_the_hull_of_the_corners) {
  const Arithmetic a;
  for (int p = -3; p <= 3; ++p)
    for (int q = p; q <= 3; ++q)
      for (int r = -3; r <= 3; ++r)
        for (int s = r; s <= 3; ++s) {
          const Interval seen = a.multiply(a.enclose(p, q), a.enclose(r, s));
          BOOST_TEST(compare(seen.lower, {std::min({p * r, p * s, q * r, q * s}), 0}) == 0);
          BOOST_TEST(compare(seen.upper, {std::max({p * r, p * s, q * r, q * s}), 0}) == 0);
        }
}

BOOST_AUTO_TEST_CASE(powers_take_their_true_range) {
  const Arithmetic a;
  const Interval x = a.enclose(-2, 1);
  const auto is = [&](const Interval& y, int lower, int upper) {
    BOOST_TEST(compare(y.lower, {lower, 0}) == 0);
    BOOST_TEST(compare(y.upper, {upper, 0}) == 0);
  };
  is(a.power(x, 0), 1, 1);
  is(a.power(x, 2), 0, 4);
  is(a.power(x, 3), -8, 1);
  is(a.power(a.enclose(-3, -2), 2), 4, 9);
  is(a.power(a.enclose(-3, -2), 3), -27, -8);
  is(a.multiply(x, x), -2, 4);
}

BOOST_AUTO_TEST_CASE(numbers_far_apart_are_added_outward) {
  const Arithmetic a(128);
  const Interval tiny = point({1, -1'000'000'000'000});
  const Interval one = a.enclose(1);
  const Interval above = a.add(one, tiny);
  BOOST_TEST(compare(above.lower, {1, 0}) == 0);
  BOOST_TEST(compare(above.upper, {1, 0}) > 0);
  const Interval below = a.subtract(one, tiny);
  BOOST_TEST(compare(below.lower, {1, 0}) < 0);
  BOOST_TEST(compare(below.upper, {1, 0}) == 0);
  BOOST_TEST(inside(above, a.enclose(1, 1 + Rational(1, Integer(1) << 120U))));
  const Interval alone = a.add(a.enclose(0), tiny);
  BOOST_TEST(compare(alone.lower, alone.upper) == 0);
}

BOOST_AUTO_TEST_CASE(compare_orders_dyadics) {
  BOOST_TEST(compare({1, 0}, {1, 900'000'000'000}) < 0);
  BOOST_TEST(compare({-1, 900'000'000'000}, {-1, 0}) < 0);
  BOOST_TEST(compare({-1, 0}, {0, 0}) < 0);
  BOOST_TEST(compare({4, 0}, {1, 2}) == 0);
  BOOST_TEST(compare({-5, 0}, {-1, 2}) < 0);
}

BOOST_AUTO_TEST_CASE(exp_is_large_but_bounded) {
  const Arithmetic a;
  check_against(a.exponential(a.enclose(800)), mpfr_exp, {800, 0}, 256);
  check_against(a.exponential(a.enclose(-800)), mpfr_exp, {-800, 0}, 256);
  check_against(a.exponential(a.enclose(1 << 20)), mpfr_exp, {1, 20}, 256);
  check_against(a.exponential(a.enclose(-(1 << 20))), mpfr_exp, {-1, 20}, 256);
  BOOST_CHECK_NO_THROW((void)a.exponential(a.enclose(-(1 << 20), 1 << 20)));
  BOOST_CHECK_THROW((void)a.exponential(a.enclose((1 << 20) + Rational(1, 1000))), Undefined);
  BOOST_CHECK_THROW((void)a.exponential(a.enclose(-(1 << 20) - 1, 0)), Undefined);
  BOOST_CHECK_THROW((void)a.exponential(a.enclose(Rational(pow(Integer(10), 5000U)))), Undefined);
}

BOOST_AUTO_TEST_CASE(runaway_exponents_are_undefined_not_endless) {
  const Arithmetic a;
  Interval x = a.enclose(2);
  BOOST_CHECK_THROW(for (int i = 0; i < 64; ++i) x = a.power(x, 64), Undefined);
}

BOOST_AUTO_TEST_CASE(functions_refuse_what_lies_outside_their_domain) {
  const Arithmetic a;
  BOOST_CHECK_THROW((void)a.logarithm(a.enclose(0, 1)), Undefined);
  BOOST_CHECK_THROW((void)a.logarithm(a.enclose(-1)), Undefined);
  BOOST_CHECK_THROW((void)a.square_root(a.enclose(-1, 1)), Undefined);
  BOOST_CHECK_THROW((void)a.reciprocal(a.enclose(0)), Undefined);
}

BOOST_AUTO_TEST_CASE(a_rational_bound_is_compared_exactly) {
  const Arithmetic a(128);
  const Rational third(1, 3);
  const Interval around = a.enclose(third);
  BOOST_TEST(compare(around.lower, around.upper) < 0);
  // the largest 128-bit number below 1/3 is accepted by the bound 1/3, the next one is not
  BOOST_TEST(compare(around.lower, a.enclose(third).lower) <= 0);
  BOOST_TEST(compare(around.upper, a.enclose(third).lower) > 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
