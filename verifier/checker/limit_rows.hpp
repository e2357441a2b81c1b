#pragma once

#include <string_view>
#include <vector>

#include "svm.hpp"

namespace attest::check {

/// z_i: the query of sample i, or without queries its first token (§4.11).
const ScaledVector& query_of(const Problem& problem, std::size_t i);

/// k_it = W x_it, for every token (§2).
std::vector<std::vector<ScaledVector>> keys_of(const Problem& problem);

/// `over` of §4.19: what moves is the vector p (keys k_it) or the matrix W (keys x_it z_iᵀ).
enum class Over { p, W };
Over read_over(const Json& node);

/// `over` of a statement of the claim; throws Rejected where the claim goes with the other one.
Over read_over_of_claim(const Json& node, std::string_view claim);

/// A number for a row; rows are counted in ascending order of their names.
struct RowTerm {
  std::size_t row;
  Rational value;
};

/// The rows a_c of §4.19 and their products; over W the matrices are never formed. It refers to the problem.
class LimitRows {
 public:
  LimitRows(const Problem& problem, Over over, Selection selection);

  [[nodiscard]] Over over() const { return over_; }
  [[nodiscard]] const Selection& selection() const { return selection_; }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const Row& row(std::size_t c) const { return rows_[c]; }
  [[nodiscard]] std::size_t sample(std::size_t c) const { return rows_[c].sample; }
  [[nodiscard]] std::string name(std::size_t c) const { return bracketed({rows_[c].sample, rows_[c].token}); }
  /// k_iα − k_it, or for W x_iα − x_it.
  [[nodiscard]] const ScaledVector& left(std::size_t c) const { return left_[c]; }

  [[nodiscard]] Rational product(std::size_t c, std::size_t e) const;
  /// Σ_e x_e ⟨a_e, a_c⟩ for every row c.
  [[nodiscard]] std::vector<Rational> products_with(const std::vector<RowTerm>& terms) const;
  /// a_c·p for every row c: `point` holds d numbers, or for W d rows of d numbers.
  [[nodiscard]] std::vector<Rational> values_at(const std::vector<ScaledVector>& point) const;
  /// Δ_c = γ_iα − γ_it
  [[nodiscard]] std::vector<Rational> gaps(const Scores& scores) const;

  /// A multiplier list (§4.5): strictly ascending, every number > 0.
  [[nodiscard]] std::vector<RowTerm> read_multipliers(const Json& node) const;
  /// Coefficients (§4.19): strictly ascending, no number 0.
  [[nodiscard]] std::vector<RowTerm> read_coefficients(const Json& node) const;
  /// The number of the row [i, t].
  [[nodiscard]] std::size_t read_row(const Json& node) const;

 private:
  [[nodiscard]] std::vector<RowTerm> read_terms(const Json& node) const;
  [[nodiscard]] std::size_t number_of(const Json& sample, const Json& token) const;

  const Problem* problem_;
  Over over_;
  Selection selection_;
  std::vector<Row> rows_;
  std::vector<ScaledVector> left_;
  std::vector<std::vector<Rational>> query_products_;  // z_i·z_j; for W alone
};

/// A multiplier list that solves the SVM (§4.19).
struct LimitSvm {
  /// Throws Rejected unless it does.
  LimitSvm(const LimitRows& rows, const Json& lambda);

  std::vector<RowTerm> lambda;
  std::vector<bool> listed;     ///< by row
  std::vector<Rational> theta;  ///< θ_c by row, ≥ 1
  Rational norm_squared;        ///< N = Σ λ_c = ‖w‖² = 1/Θ², > 0
};

}  // namespace attest::check
