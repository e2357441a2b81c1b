#include "attest/model/token_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace attest {
namespace {

/// Over the least denominator, as other vectors are.
void reduce_power_of_two(FractionVector& vector) {
  std::size_t shift = msb(vector.denominator);
  for (const Integer& entry : vector.numerators)
    if (!entry.is_zero()) shift = std::min<std::size_t>(shift, mpz_scan1(entry.data(), 0));
  if (shift == 0) return;
  vector.denominator >>= shift;
  for (Integer& entry : vector.numerators) entry >>= shift;
}

/// Doubles as integers over a power of two, without fractions on the way.
FractionVector dyadic_row(std::span<const double> values) {
  constexpr int digits = 53;
  int least = 0;  // the exponent of the common unit
  for (const double value : values) {
    int exponent = 0;
    if (value != 0 && (static_cast<void>(std::frexp(value, &exponent)), exponent - digits < least)) least = exponent - digits;
  }
  FractionVector result;
  result.denominator <<= -least;
  result.numerators.reserve(values.size());
  for (const double value : values) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    result.numerators.emplace_back(static_cast<std::int64_t>(std::ldexp(fraction, digits)));
    if (value != 0) result.numerators.back() <<= exponent - digits - least;
  }
  reduce_power_of_two(result);
  return result;
}

}  // namespace

FractionVector row_fractions(const ExactMatrix& matrix, std::size_t row) {
  if (matrix.image_is_exact()) return dyadic_row(matrix.image_row(row));
  std::vector<Rational> values(matrix.columns());
  for (std::size_t c = 0; c < values.size(); ++c) values[c] = matrix.at(row, c);
  return over_one_denominator(values);
}

FractionVector difference(const FractionVector& a, const FractionVector& b) {
  FractionVector result;
  result.denominator = lcm(a.denominator, b.denominator);
  const Integer for_a = result.denominator / a.denominator;
  const Integer for_b = result.denominator / b.denominator;
  result.numerators.resize(a.numerators.size());
  for (std::size_t c = 0; c < a.numerators.size(); ++c) {
    mpz_mul(result.numerators[c].data(), a.numerators[c].data(), for_a.data());
    mpz_submul(result.numerators[c].data(), b.numerators[c].data(), for_b.data());
  }
  return result;
}

FractionVector token_row(const SvmProgram& program, std::size_t row) {
  if (!has_key_weights(program)) return program.row(row);
  const auto [i, t] = program.name(row);
  const ExactMatrix& tokens = program.problem().tokens[i];
  return difference(row_fractions(tokens, program.selection()[i]), row_fractions(tokens, t));
}

bool has_equalities(const SvmProgram& program) {
  for (std::size_t row = 0; row < program.row_count(); ++row)
    if (program.is_equality(row)) return true;
  return false;
}

bool has_key_weights(const SvmProgram& program) {
  return program.problem().W && (program.kind() == SvmProgram::Kind::p || program.kind() == SvmProgram::Kind::joint);
}

std::vector<FractionVector> key_weights(const SvmProgram& program) {
  std::vector<FractionVector> rows;
  if (has_key_weights(program))
    for (std::size_t row = 0; row < program.dimension(); ++row) rows.push_back(row_fractions(*program.problem().W, row));
  return rows;
}

}  // namespace attest
