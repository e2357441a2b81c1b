#include "fraction_vector.hpp"

namespace attest {
namespace {

void reduce(FractionVector& values) {
  Integer common = values.denominator;
  for (const Integer& entry : values.numerators) {
    if (common == 1) return;
    common = gcd(common, entry);
  }
  values.denominator /= common;
  for (Integer& entry : values.numerators) entry /= common;
}

}  // namespace

FractionVector plus_scaled(const FractionVector& y, const Rational& factor, const FractionVector& x) {
  const Integer x_denominator = x.denominator * denominator(factor);
  FractionVector sum;
  sum.denominator = lcm(y.denominator, x_denominator);
  const Integer for_y = sum.denominator / y.denominator;
  const Integer for_x = numerator(factor) * (sum.denominator / x_denominator);
  for (std::size_t c = 0; c < y.numerators.size(); ++c) sum.numerators.push_back(y.numerators[c] * for_y + x.numerators[c] * for_x);
  reduce(sum);
  return sum;
}

std::vector<Rational> to_rationals(const FractionVector& values) {
  std::vector<Rational> result;
  for (const Integer& entry : values.numerators) result.emplace_back(entry, values.denominator);
  return result;
}

}  // namespace attest
