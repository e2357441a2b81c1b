#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linear.hpp"
#include "loss.hpp"

namespace attest::check {

/// The exact data of §2.
struct Problem {
  /// Reads a `problem` object; throws Rejected.
  explicit Problem(const Json& node);

  std::vector<std::vector<ScaledVector>> tokens;  ///< tokens[i][t] is x_it
  std::vector<int> labels;                        ///< 1 or −1
  std::optional<ScaledVector> v;
  std::optional<std::vector<ScaledVector>> W;  ///< by rows; none means the identity
  std::optional<std::vector<ScaledVector>> queries;
  Loss loss;

  [[nodiscard]] std::size_t dimension() const { return tokens.front().front().size(); }
};

/// One token index a sample.
using Selection = std::vector<std::size_t>;
Selection read_selection(const Json& node, const Problem& problem);

/// A sample index, and a token index of that sample.
std::size_t read_sample(const Json& node, const Problem& problem);
std::size_t read_token(const Json& node, const Problem& problem, std::size_t sample);

/// An array of rationals of the size given.
ScaledVector read_vector(const Json& node, std::size_t size);

/// γ_it = Y_i v·x_it; throws Rejected without `v`.
using Scores = std::vector<std::vector<Rational>>;
Scores scores_of(const Problem& problem);

/// §2, "against a case": throws Rejected unless both hold the same exact values.
void require_same(const Problem& certificate, const Problem& case_problem);

}  // namespace attest::check
