#include "row_values.hpp"

#include "attest/model/token_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attest {

double ratio_image(const Integer& n, const Integer& s) {
  long n_exponent = 0;
  long s_exponent = 0;
  const double above = mpz_get_d_2exp(&n_exponent, n.data());
  const double below = mpz_get_d_2exp(&s_exponent, s.data());
  constexpr long far = 5000;  // beyond every double
  return std::ldexp(above / below, static_cast<int>(std::clamp(n_exponent - s_exponent, -far, far)));
}

FloatEvaluator::FloatEvaluator(const FractionVector& u) {
  image_.reserve(u.numerators.size());
  for (const Integer& entry : u.numerators) see(ratio_image(entry, u.denominator), entry.is_zero());
  factor_ = (static_cast<double>(u.numerators.size()) + 12) * 0x1p-53;
}

FloatEvaluator::FloatEvaluator(std::span<const double> u) {
  image_.reserve(u.size());
  for (const double entry : u) see(entry, entry == 0);
  factor_ = (static_cast<double>(u.size()) + 12) * 0x1p-53;
}

void FloatEvaluator::see(double entry, bool is_zero) {
  image_.push_back(entry);
  sum_ += std::abs(entry);
  if (!is_zero && std::abs(entry) < 0x1p-1000) sum_ = std::numeric_limits<double>::infinity();
}

BoundedValue difference_of(const BoundedValue& chosen, const BoundedValue& other) {
  const double value = chosen.value - other.value;
  return {value, 2 * (chosen.error + other.error) + 0x1p-50 * std::abs(value)};
}

BoundedValue FloatEvaluator::operator()(std::span<const double> token) const {
  constexpr std::size_t lanes = 4;  // independent sums, so that the loop runs in vector registers
  std::array<double, lanes> value{};
  std::array<double, lanes> size{};
  std::size_t c = 0;
  for (; c + lanes <= token.size(); c += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double product = token[c + lane] * image_[c + lane];
      value[lane] += product;
      size[lane] += std::abs(product);
    }
  }
  for (; c < token.size(); ++c) {
    value[0] += token[c] * image_[c];
    size[0] += std::abs(token[c] * image_[c]);
  }
  const double total = (value[0] + value[1]) + (value[2] + value[3]);
  const double scale = (size[0] + size[1]) + (size[2] + size[3]);
  return {total, factor_ * scale + 0x1p-1000 * (1 + sum_)};
}

RowValues::RowValues(const SvmProgram& program, const FractionVector& point) : program_(program), image_(program, point) {
  for (const FractionVector& u : image_.all()) floats_.emplace_back(u);
}

BoundedValue RowValues::logit(std::size_t k, std::size_t token) const {
  return floats_[floats_.size() == 1 ? 0 : k](program_.problem().tokens[program_.samples()[k]].image_row(token));
}

BoundedValue RowValues::difference(std::size_t k, std::size_t row, const BoundedValue& chosen) const {
  const std::size_t i = program_.samples()[k];
  if (program_.kind() == SvmProgram::Kind::v)
    return {program_.problem().labels[i] * chosen.value, 2 * chosen.error + 0x1p-50 * std::abs(chosen.value)};
  const std::size_t rank = row - program_.first_row(k);
  return difference_of(chosen, logit(k, rank < program_.selection()[i] ? rank : rank + 1));
}

BoundedValue RowValues::of(std::size_t row) const {
  const std::size_t k = program_.sample_position(row);
  return difference(k, row, logit(k, program_.selection()[program_.samples()[k]]));
}

Rational RowValues::exact(std::size_t row) const {
  const Fraction value = exact(row, token_row(program_, row));
  return {value.numerator, value.denominator};
}

RowValues::Fraction RowValues::exact(std::size_t row, const FractionVector& vector) const {
  const FractionVector& u = image_.of_sample(program_.sample_position(row));
  return {dot(vector.numerators, u.numerators), Integer(vector.denominator * u.denominator)};
}

}  // namespace attest
