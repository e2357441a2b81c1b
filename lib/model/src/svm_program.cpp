#include "attest/model/svm_program.hpp"

#include "attest/model/token_rows.hpp"

#include <algorithm>
#include <numeric>

namespace attest {
namespace {

std::vector<std::size_t> all_samples(const Problem& problem) {
  std::vector<std::size_t> samples(problem.sample_count());
  std::iota(samples.begin(), samples.end(), std::size_t{0});
  return samples;
}

}  // namespace

FractionVector over_one_denominator(const std::vector<Rational>& values) {
  FractionVector result;
  for (const Rational& value : values) result.denominator = lcm(result.denominator, denominator(value));
  for (const Rational& value : values) result.numerators.push_back(numerator(value) * (result.denominator / denominator(value)));
  return result;
}

Integer dot(const std::vector<Integer>& a, const std::vector<Integer>& b) {
  Integer sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) mpz_addmul(sum.data(), a[c].data(), b[c].data());
  return sum;
}

ExactTokens::ExactTokens(const Problem& problem) : problem_(&problem), queries_(problem.sample_count()) {
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    tokens_.emplace_back(problem.token_count(i));
    keys_.emplace_back(problem.token_count(i));
  }
}

const FractionVector& ExactTokens::token(std::size_t sample, std::size_t token) const {
  auto& entry = tokens_[sample][token];
  if (!entry) entry = row_fractions(problem_->tokens[sample], token);
  return *entry;
}

const FractionVector& ExactTokens::key(std::size_t sample, std::size_t token) const {
  if (!problem_->W) return this->token(sample, token);
  auto& entry = keys_[sample][token];
  if (!entry) entry = over_one_denominator(exact_key(*problem_, sample, token));
  return *entry;
}

const FractionVector& ExactTokens::query(std::size_t sample) const {
  if (!problem_->queries) return token(sample, 0);
  auto& entry = queries_[sample];
  if (!entry) entry = row_fractions(*problem_->queries, sample);
  return *entry;
}

SvmProgram::SvmProgram(Kind kind, const ExactTokens& tokens, Selection selection, std::vector<std::size_t> samples)
    : kind_(kind), tokens_(&tokens), selection_(std::move(selection)), samples_(std::move(samples)), offsets_{0} {
  for (const std::size_t i : samples_) offsets_.push_back(offsets_.back() + (kind_ == Kind::v ? 1 : problem().token_count(i) - 1));
}

SvmProgram SvmProgram::p_svm(const ExactTokens& tokens, Selection selection) {
  return {Kind::p, tokens, std::move(selection), all_samples(tokens.problem())};
}

SvmProgram SvmProgram::p_svm(const ExactTokens& tokens, Selection selection, std::vector<std::size_t> samples) {
  return {Kind::p, tokens, std::move(selection), std::move(samples)};
}

SvmProgram SvmProgram::v_svm(const ExactTokens& tokens, Selection selection) {
  return {Kind::v, tokens, std::move(selection), all_samples(tokens.problem())};
}

SvmProgram SvmProgram::joint_svm(const ExactTokens& tokens, Selection selection, const std::vector<bool>& in_support) {
  SvmProgram program(Kind::joint, tokens, std::move(selection), all_samples(tokens.problem()));
  program.relaxed_ = in_support;
  program.relaxed_.flip();
  return program;
}

SvmProgram SvmProgram::w_svm(const ExactTokens& tokens, Selection selection) {
  SvmProgram program(Kind::w, tokens, std::move(selection), all_samples(tokens.problem()));
  for (std::size_t j = 0; j < program.samples_.size(); ++j) {
    program.query_products_.emplace_back();
    for (std::size_t k = 0; k < program.samples_.size(); ++k) {
      const auto& other = program.query(k).numerators;
      program.query_products_[j].push_back(k < j ? program.query_products_[k][j] : dot(program.query(j).numerators, other));
    }
  }
  return program;
}

SvmProgram SvmProgram::w_svm(const ExactTokens& tokens, const TokenSets& sets) {
  Selection first;
  for (const auto& set : sets) first.push_back(set.front());
  SvmProgram program = w_svm(tokens, std::move(first));
  for (std::size_t row = 0; row < program.row_count(); ++row) {
    const auto [i, t] = program.name(row);
    program.equalities_.push_back(std::ranges::binary_search(sets[i], t));
  }
  return program;
}

std::size_t SvmProgram::sample_position(std::size_t row) const {
  const auto after = std::upper_bound(offsets_.begin(), offsets_.end(), row);
  return static_cast<std::size_t>(after - offsets_.begin()) - 1;
}

RowName SvmProgram::name(std::size_t row) const {
  const std::size_t k = sample_position(row);
  const std::size_t i = samples_[k];
  if (kind_ == Kind::v) return {i, selection_[i]};
  const std::size_t rank = row - offsets_[k];
  return {i, rank < selection_[i] ? rank : rank + 1};
}

int SvmProgram::bound(std::size_t row) const { return is_equality(row) || (kind_ == Kind::joint && relaxed_[name(row).sample]) ? 0 : 1; }

FractionVector SvmProgram::row(std::size_t row) const {
  const auto [i, t] = name(row);
  const ExactMatrix& data = problem().tokens[i];
  // The integers of doubles are made in passing: kept, those of all rows would take six times the memory of large data.
  if (data.image_is_exact() && kind_ != Kind::v && !has_key_weights(*this)) return row_difference(data, selection_[i], t);
  if (kind_ == Kind::w) return difference(tokens_->token(i, selection_[i]), tokens_->token(i, t));
  if (kind_ != Kind::v) return difference(tokens_->key(i, selection_[i]), tokens_->key(i, t));
  FractionVector token = tokens_->token(i, t);
  if (problem().labels[i] < 0)
    for (Integer& entry : token.numerators) entry = -entry;
  return token;
}

}  // namespace attest
