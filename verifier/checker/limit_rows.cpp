#include "limit_rows.hpp"

#include <algorithm>

namespace attest::check {

namespace {

/// a − b, as integers over one denominator.
ScaledVector difference(const ScaledVector& a, const ScaledVector& b) {
  std::vector<Rational> values;
  for (std::size_t c = 0; c < a.size(); ++c) values.push_back(a[c] - b[c]);
  return scale(values);
}

}  // namespace

const ScaledVector& query_of(const Problem& problem, std::size_t i) {
  return problem.queries ? (*problem.queries)[i] : problem.tokens[i].front();
}

std::vector<std::vector<ScaledVector>> keys_of(const Problem& problem) {
  auto keys = problem.tokens;
  if (problem.W)
    for (auto& sample : keys)
      for (ScaledVector& key : sample) key = image(*problem.W, key);
  return keys;
}

Over read_over(const Json& node) {
  const std::string& over = node.string();
  if (over != "p" && over != "W") node.fail("neither p nor W");
  return over == "p" ? Over::p : Over::W;
}

Over read_over_of_claim(const Json& node, std::string_view claim) {
  const Over over = read_over(node);
  if ((over == Over::W) != (claim == "w-path" || claim == "w-gd"))
    node.fail("the claim " + std::string(claim) + " goes with the other one");
  return over;
}

LimitRows::LimitRows(const Problem& problem, Over over, Selection selection)
    : problem_(&problem), over_(over), selection_(std::move(selection)) {
  const auto keys = over == Over::p ? keys_of(problem) : problem.tokens;
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t t = 0; t < keys[i].size(); ++t) {
      if (t == selection_[i]) continue;
      rows_.push_back({i, t});
      left_.push_back(difference(keys[i][selection_[i]], keys[i][t]));
    }
  if (over == Over::p) return;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    auto& products = query_products_.emplace_back();
    for (std::size_t j = 0; j < keys.size(); ++j)
      products.push_back(j < i ? query_products_[j][i] : dot(query_of(problem, i), query_of(problem, j)));
  }
}

Rational LimitRows::product(std::size_t c, std::size_t e) const {
  const Rational product = dot(left_[c], left_[e]);
  return over_ == Over::p ? product : Rational(product * query_products_[sample(c)][sample(e)]);
}

/// Over W, Σ_e x_e ⟨a_e, a_c⟩ = (x_iα − x_it)·u_i with u_i = Σ_j (z_j·z_i) Σ_{e of sample j} x_e (x_jα − x_jt').
std::vector<Rational> LimitRows::products_with(const std::vector<RowTerm>& terms) const {
  const std::size_t samples = over_ == Over::p ? 1 : problem_->tokens.size();
  const std::size_t dimension = problem_->dimension();
  std::vector<WeightedVectors> parts(samples);
  for (const auto& [e, x] : terms) parts[over_ == Over::p ? 0 : sample(e)].emplace_back(&left_[e], x);
  std::vector<ScaledVector> sums;
  for (const WeightedVectors& part : parts) sums.push_back(scale(combine(part, dimension)));
  std::vector<ScaledVector> images = sums;
  if (over_ == Over::W)
    for (std::size_t i = 0; i < samples; ++i) {
      WeightedVectors weighted;
      for (std::size_t j = 0; j < samples; ++j) weighted.emplace_back(&sums[j], query_products_[i][j]);
      images[i] = scale(combine(weighted, dimension));
    }
  std::vector<Rational> products;
  for (std::size_t c = 0; c < size(); ++c) products.push_back(dot(left_[c], images[over_ == Over::p ? 0 : sample(c)]));
  return products;
}

std::vector<Rational> LimitRows::values_at(const std::vector<ScaledVector>& point) const {
  std::vector<ScaledVector> images;
  if (over_ == Over::W)
    for (std::size_t i = 0; i < problem_->tokens.size(); ++i) images.push_back(image(point, query_of(*problem_, i)));
  std::vector<Rational> values;
  for (std::size_t c = 0; c < size(); ++c) values.push_back(dot(left_[c], over_ == Over::p ? point.front() : images[sample(c)]));
  return values;
}

std::vector<Rational> LimitRows::gaps(const Scores& scores) const {
  std::vector<Rational> gaps;
  for (const auto& [i, t] : rows_) gaps.emplace_back(scores[i][selection_[i]] - scores[i][t]);
  return gaps;
}

std::size_t LimitRows::number_of(const Json& sample_node, const Json& token_node) const {
  const std::size_t sample = read_sample(sample_node, *problem_);
  const Row row{sample, read_token(token_node, *problem_, sample)};
  if (row.token == selection_[sample]) token_node.fail("names the selected token of sample " + std::to_string(sample));
  return static_cast<std::size_t>(std::lower_bound(rows_.begin(), rows_.end(), row) - rows_.begin());
}

std::size_t LimitRows::read_row(const Json& node) const {
  const auto& parts = node.array(2);
  return number_of(*parts[0], *parts[1]);
}

std::vector<RowTerm> LimitRows::read_terms(const Json& node) const {
  std::vector<RowTerm> terms;
  for (const Json* item : node.array()) {
    const auto& parts = item->array(3);
    RowTerm next{number_of(*parts[0], *parts[1]), read_rational(*parts[2])};
    if (!terms.empty() && terms.back().row >= next.row) item->fail("not in strictly ascending order");
    terms.push_back(std::move(next));
  }
  return terms;
}

std::vector<RowTerm> LimitRows::read_multipliers(const Json& node) const {
  std::vector<RowTerm> terms = read_terms(node);
  for (const auto& [c, value] : terms)
    if (value <= 0) node.fail("the multiplier of " + name(c) + " is not > 0");
  return terms;
}

std::vector<RowTerm> LimitRows::read_coefficients(const Json& node) const {
  std::vector<RowTerm> terms = read_terms(node);
  for (const auto& [c, value] : terms)
    if (value.is_zero()) node.fail("the coefficient of " + name(c) + " is 0");
  return terms;
}

LimitSvm::LimitSvm(const LimitRows& rows, const Json& node)
    : lambda(rows.read_multipliers(node)), listed(rows.size(), false), theta(rows.products_with(lambda)), norm_squared(0) {
  if (lambda.empty()) node.fail("is empty");
  for (std::size_t c = 0; c < rows.size(); ++c)
    if (theta[c] < 1) node.fail("does not solve the SVM: theta < 1 at the row " + rows.name(c));
  for (const auto& [c, value] : lambda) {
    if (theta[c] != 1) node.fail("does not solve the SVM: the row " + rows.name(c) + " is listed but not tight");
    listed[c] = true;
    norm_squared += value;
  }
}

}  // namespace attest::check
