#pragma once

#include <vector>

#include "limit_rows.hpp"

namespace attest::check {

/// A number for every token.
using TokenValues = std::vector<std::vector<Rational>>;

/// d numbers in one row, or for W d rows of d numbers.
using Point = std::vector<ScaledVector>;

/// For W: d arrays of d numbers.
Point read_point(const Json& node, Over over, std::size_t d);
/// For W: the d² numbers of the rows one after the other.
Point read_flat_point(const Json& node, Over over, std::size_t d);
bool is_zero(const Point& point);

/// The keys of a parametrisation: k_it, or for W the matrices x_it z_iᵀ.
class Keys {
 public:
  Keys(const Problem& problem, Over over) : problem_(problem), over_(over), left_(over == Over::p ? keys_of(problem) : problem.tokens) {}

  /// ⟨key, point⟩ for every token.
  [[nodiscard]] TokenValues values(const Point& point) const;
  /// ⟨key, a_c⟩ for every token.
  [[nodiscard]] TokenValues products(const LimitRows& rows, std::size_t c) const;
  /// Σ_t weight_t · key of sample i, its d or d² numbers.
  [[nodiscard]] std::vector<Rational> combination(std::size_t i, const std::vector<Rational>& weights) const;

 private:
  const Problem& problem_;
  Over over_;
  std::vector<std::vector<ScaledVector>> left_;
};

}  // namespace attest::check
