#pragma once

// An independent exact solver for small programs: every active set is tried. Shares no code with lib/exact.

#include "attest/base/rational.hpp"
#include "attest/model/problem.hpp"

#include <optional>
#include <vector>

namespace brute {

using attest::Rational;
using Vector = std::vector<Rational>;

inline Rational dot(const Vector& a, const Vector& b) {
  Rational sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}

/// Gauss and Jordan; nothing when singular.
inline std::optional<Vector> solve(std::vector<Vector> matrix, Vector right) {
  const std::size_t n = right.size();
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    while (pivot < n && matrix[pivot][c] == 0) ++pivot;
    if (pivot == n) return std::nullopt;
    std::swap(matrix[c], matrix[pivot]);
    std::swap(right[c], right[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const Rational factor = matrix[r][c] / matrix[c][c];
      for (std::size_t k = c; k < n; ++k) matrix[r][k] -= factor * matrix[c][k];
      right[r] -= factor * right[c];
    }
  }
  for (std::size_t c = 0; c < n; ++c) right[c] /= matrix[c][c];
  return right;
}

/// The minimiser of 1/2 |w|^2 subject to rows.w >= bounds, or nothing when there is none: the minimiser, if any, is a
/// non-negative combination of independent tight rows (Caratheodory), so trying every subset finds it.
inline std::optional<Vector> minimise(const std::vector<Vector>& rows, const Vector& bounds, std::size_t dimension) {
  for (std::size_t subset = 0; subset < (std::size_t{1} << rows.size()); ++subset) {
    std::vector<std::size_t> active;
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (subset >> r & 1) active.push_back(r);
    if (active.size() > dimension) continue;
    std::vector<Vector> gram;
    Vector right;
    for (const std::size_t r : active) {
      gram.emplace_back();
      for (const std::size_t s : active) gram.back().push_back(dot(rows[r], rows[s]));
      right.push_back(bounds[r]);
    }
    const auto lambda = solve(gram, right);
    if (!lambda) continue;
    Vector w(dimension, 0);
    bool good = true;
    for (std::size_t k = 0; k < active.size(); ++k) {
      good = good && (*lambda)[k] >= 0;
      for (std::size_t c = 0; c < dimension; ++c) w[c] += (*lambda)[k] * rows[active[k]][c];
    }
    for (std::size_t r = 0; good && r < rows.size(); ++r) good = dot(rows[r], w) >= bounds[r];
    if (good) return w;
  }
  return std::nullopt;
}

/// k_i,alpha_i - k_it for every t != alpha_i, from the data alone (W = I).
inline std::vector<Vector> p_rows(const attest::Problem& problem, const attest::Selection& selection) {
  std::vector<Vector> rows;
  for (std::size_t i = 0; i < problem.sample_count(); ++i)
    for (std::size_t t = 0; t < problem.token_count(i); ++t) {
      if (t == selection[i]) continue;
      Vector row;
      for (std::size_t c = 0; c < problem.dimension(); ++c)
        row.push_back(problem.tokens[i].at(selection[i], c) - problem.tokens[i].at(t, c));
      rows.push_back(row);
    }
  return rows;
}

/// The W-SVM as a p-SVM: tokens are the d^2 entries of x z^T.
inline attest::Problem vectorised(const attest::Problem& problem) {
  const std::size_t d = problem.dimension();
  attest::Problem twin;
  twin.labels = problem.labels;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    std::vector<Rational> values;
    for (std::size_t t = 0; t < problem.token_count(i); ++t)
      for (std::size_t r = 0; r < d; ++r)
        for (std::size_t c = 0; c < d; ++c) values.push_back(problem.tokens[i].at(t, r) * problem.queries->at(i, c));
    twin.tokens.push_back(attest::ExactMatrix::from_rationals(problem.token_count(i), d * d, std::move(values)));
  }
  return twin;
}

}  // namespace brute
