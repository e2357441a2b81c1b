#pragma once

#include "attest/model/exact_matrix.hpp"
#include "attest/model/loss.hpp"
#include "attest/model/rational_interval.hpp"
#include "attest/model/selection.hpp"

#include <optional>
#include <vector>

namespace attest {

/// The data of a case: samples (X_i, Y_i), head v, key weights W, queries z_i, loss. [MM, Sec. 2]
struct Problem {
  std::vector<ExactMatrix> tokens;     ///< X_i: T_i rows of d numbers; T_i may differ
  std::vector<int> labels;             ///< Y_i in {-1, +1}
  std::optional<ExactMatrix> v;        ///< 1 x d
  std::optional<ExactMatrix> W;        ///< d x d; absent: the identity
  std::optional<ExactMatrix> queries;  ///< n x d; absent: z_i is the first token of its sample (self-attention) [TS]
  Loss loss = Loss::logistic();

  std::size_t sample_count() const { return tokens.size(); }
  std::size_t dimension() const { return tokens.front().columns(); }
  std::size_t token_count(std::size_t sample) const { return tokens[sample].rows(); }
};

/// gamma_it = Y_i v.x_it, exactly. Needs v.
using Scores = std::vector<std::vector<Rational>>;
Scores exact_scores(const Problem& problem);

/// From the least score to the largest.
RationalInterval interval_of(const Scores& scores);

/// Key k_it = W x_it, exactly.
std::vector<Rational> exact_key(const Problem& problem, std::size_t sample, std::size_t token);

}  // namespace attest
