#pragma once

#include <compare>
#include <string>
#include <vector>

#include "problem.hpp"

namespace attest::check {

/// The name of a row of §4.5: [sample, token], or [sample] in a v-svm (token is then 0).
struct Row {
  std::size_t sample = 0;
  std::size_t token = 0;
  auto operator<=>(const Row&) const = default;
};

/// weight · (k_chosen − k_other), two keys of one sample.
struct KeyDifference {
  std::size_t sample;
  std::size_t chosen;
  std::size_t other;
  Rational weight;
};

/// Σ weight (k_chosen − k_other). Since keys are W x, W is applied once, to the sum over tokens.
std::vector<Rational> sum_of_keys(const Problem& problem, const std::vector<KeyDifference>& terms);

bool is_zero(const std::vector<Rational>& vector);

/// One of the programs of §4.5: minimise ½‖w‖² subject to a_c·w ≥ b_c. It refers to the problem.
class Program {
 public:
  static Program p_svm(const Problem& problem, const Selection& selection);
  static Program v_svm(const Problem& problem, const Selection& selection);
  /// `solution` is the witness's `v`; it must solve the v-svm, whose tight rows have b = 1 here.
  static Program joint_svm(const Problem& problem, const Selection& selection, const Json& solution);

  [[nodiscard]] std::string name(const Row& row) const;
  [[nodiscard]] Row read_row(const Json& node) const;
  /// Rows in strictly ascending order.
  [[nodiscard]] std::vector<Row> read_rows(const Json& node) const;

  struct Multiplier {
    Row row;
    Rational weight;
  };
  /// A multiplier list of §4.5.
  [[nodiscard]] std::vector<Multiplier> read_multipliers(const Json& node) const;
  /// Coefficients (§4.24): the same, but numbers of either sign, none 0.
  [[nodiscard]] std::vector<Multiplier> read_coefficients(const Json& node) const;
  /// Σ weight · a_c.
  [[nodiscard]] std::vector<Rational> sum_of_rows(const std::vector<Multiplier>& terms) const;

  /// Throws Rejected unless w and lambda meet the KKT conditions; else all tight rows, ascending.
  [[nodiscard]] std::vector<Row> tight_rows(const Json& w, const Json& lambda) const;
  /// Throws Rejected unless lambda proves by Farkas that no w satisfies the rows.
  void check_infeasible(const Json& lambda) const;

 private:
  enum class Rows { keys, labels };
  Program(const Problem& problem, Selection selection, Rows rows);

  [[nodiscard]] Row row_of(const std::vector<const Json*>& indices) const;
  [[nodiscard]] std::vector<Multiplier> read_terms(const Json& node) const;
  [[nodiscard]] std::vector<Row> feasible_tight_rows(const ScaledVector& w) const;

  const Problem* problem_;
  Selection selection_;
  Rows rows_;
  std::vector<bool> margin_;  // by sample: whether b is 1 rather than 0
};

/// Throws Rejected unless the rows stated are exactly the tight ones.
void require_tight(const Json& stated, const Program& program, const std::vector<Row>& tight);

}  // namespace attest::check
