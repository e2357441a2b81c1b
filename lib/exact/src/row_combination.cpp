#include "row_combination.hpp"

#include "attest/model/token_rows.hpp"

namespace attest {
namespace {

/// W y
FractionVector key_of(const std::vector<FractionVector>& W, const FractionVector& y) {
  Integer common = 1;
  for (const FractionVector& row : W) common = lcm(common, row.denominator);
  FractionVector key;
  key.denominator = y.denominator * common;
  for (const FractionVector& row : W) key.numerators.emplace_back(dot(row.numerators, y.numerators) * (common / row.denominator));
  return key;
}

}  // namespace

TokenRows::TokenRows(const SvmProgram& program, std::vector<std::size_t> rows) : program_(&program), rows_(std::move(rows)) {
  for (const std::size_t row : rows_) {
    vectors_.push_back(token_row(program, row));
    common_ = lcm(common_, vectors_.back().denominator);
  }
}

FractionVector TokenRows::combine(const FractionVector& weights) const {
  FractionVector sum;
  sum.denominator = weights.denominator * common_;
  sum.numerators.assign(program_->point_size(), 0);
  const std::size_t d = program_->dimension();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Integer factor = weights.numerators[k] * (common_ / vectors_[k].denominator);
    const std::size_t first = program_->kind() == SvmProgram::Kind::w ? program_->sample_position(rows_[k]) * d : 0;
    for (std::size_t c = 0; c < d; ++c) mpz_addmul(sum.numerators[first + c].data(), factor.data(), vectors_[k].numerators[c].data());
  }
  // Keys are W x, so W is applied once, to the sum over tokens.
  return has_key_weights(*program_) ? key_of(key_weights(*program_), sum) : sum;
}

}  // namespace attest
