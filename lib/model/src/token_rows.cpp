#include "attest/model/token_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace attest {
namespace {

/// mantissa 2^exponent.
struct Dyadic {
  std::int64_t mantissa;
  int exponent;
};

/// With an odd mantissa, or 0.
Dyadic dyadic(double value) {
  constexpr int digits = 52;
  constexpr int least_exponent = -1074;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto biased = static_cast<int>(bits >> digits & 0x7ffU);
  auto mantissa = static_cast<std::int64_t>(bits & ((std::uint64_t{1} << digits) - 1));
  if (biased != 0) mantissa |= std::int64_t{1} << digits;
  if (mantissa == 0) return {0, 0};
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
  mantissa >>= zeros;
  return {std::signbit(value) ? -mantissa : mantissa, least_exponent + std::max(biased, 1) - 1 + zeros};
}

/// The largest power of two, at most 1, of which all values are multiples: its exponent.
int common_unit(std::span<const double> values) {
  int unit = 0;
  for (const double value : values) unit = std::min(unit, dyadic(value).exponent);
  return unit;
}

/// How many units of 2^unit a double is.
Integer in_units(double value, int unit) {
  constexpr int most_bits = 62;  // of a machine word, its sign apart
  const auto [mantissa, exponent] = dyadic(value);
  if (mantissa == 0) return 0;
  const int shift = exponent - unit;
  if (std::bit_width(static_cast<std::uint64_t>(std::abs(mantissa))) + shift <= most_bits) return mantissa * (std::int64_t{1} << shift);
  return Integer(mantissa) << shift;
}

/// So many numbers to come, over 2^unit.
FractionVector over_power_of_two(int unit, std::size_t size) {
  FractionVector result;
  result.denominator <<= -unit;
  result.numerators.reserve(size);
  return result;
}

}  // namespace

FractionVector row_fractions(const ExactMatrix& matrix, std::size_t row) {
  if (!matrix.image_is_exact()) {
    std::vector<Rational> values(matrix.columns());
    for (std::size_t c = 0; c < values.size(); ++c) values[c] = matrix.at(row, c);
    return over_one_denominator(values);
  }
  const auto values = matrix.image_row(row);
  const int unit = common_unit(values);
  FractionVector result = over_power_of_two(unit, values.size());
  for (const double value : values) result.numerators.push_back(in_units(value, unit));
  return result;
}

FractionVector row_difference(const ExactMatrix& matrix, std::size_t row, std::size_t from) {
  if (!matrix.image_is_exact()) return difference(row_fractions(matrix, row), row_fractions(matrix, from));
  const auto a = matrix.image_row(row);
  const auto b = matrix.image_row(from);
  const int unit = std::min(common_unit(a), common_unit(b));
  FractionVector result = over_power_of_two(unit, a.size());
  for (std::size_t c = 0; c < a.size(); ++c) {
    result.numerators.push_back(in_units(a[c], unit));
    result.numerators.back() -= in_units(b[c], unit);
  }
  return result;
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
  return row_difference(tokens, program.selection()[i], t);
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
