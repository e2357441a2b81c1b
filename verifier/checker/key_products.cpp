#include "key_products.hpp"

#include <algorithm>

namespace attest::check {

Point read_point(const Json& node, Over over, std::size_t d) {
  if (over == Over::p) return {read_vector(node, d)};
  Point rows;
  for (const Json* row : node.array(d)) rows.push_back(read_vector(*row, d));
  return rows;
}

Point read_flat_point(const Json& node, Over over, std::size_t d) {
  if (over == Over::p) return {read_vector(node, d)};
  const auto& items = node.array(d * d);
  Point rows;
  for (std::size_t a = 0; a < d; ++a) {
    std::vector<Rational> row;
    for (std::size_t b = 0; b < d; ++b) row.push_back(read_rational(*items[a * d + b]));
    rows.push_back(scale(row));
  }
  return rows;
}

bool is_zero(const Point& point) {
  const auto zero = [](const Integer& n) { return n.is_zero(); };
  return std::all_of(point.begin(), point.end(),
                     [&](const ScaledVector& row) { return std::all_of(row.numerators.begin(), row.numerators.end(), zero); });
}

TokenValues Keys::values(const Point& point) const {
  TokenValues values;
  for (std::size_t i = 0; i < left_.size(); ++i) {
    const ScaledVector right = over_ == Over::p ? point.front() : image(point, query_of(problem_, i));
    auto& row = values.emplace_back();
    for (const ScaledVector& key : left_[i]) row.push_back(dot(key, right));
  }
  return values;
}

TokenValues Keys::products(const LimitRows& rows, std::size_t c) const {
  TokenValues values;
  for (std::size_t i = 0; i < left_.size(); ++i) {
    const Rational factor = over_ == Over::p ? Rational(1) : dot(query_of(problem_, i), query_of(problem_, rows.sample(c)));
    auto& row = values.emplace_back();
    for (const ScaledVector& key : left_[i]) row.emplace_back(factor * dot(key, rows.left(c)));
  }
  return values;
}

std::vector<Rational> Keys::combination(std::size_t i, const std::vector<Rational>& weights) const {
  WeightedVectors terms;
  for (std::size_t t = 0; t < weights.size(); ++t) terms.emplace_back(&left_[i][t], weights[t]);
  std::vector<Rational> sum = combine(terms, problem_.dimension());
  if (over_ == Over::p) return sum;
  std::vector<Rational> matrix;
  for (const Rational& x : sum)
    for (std::size_t b = 0; b < problem_.dimension(); ++b) matrix.emplace_back(x * query_of(problem_, i)[b]);
  return matrix;
}

}  // namespace attest::check
