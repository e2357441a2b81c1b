#pragma once

#include "attest/base/log_number.hpp"

#include <Eigen/Core>

namespace attest {

/// G = e^log_scale * value; log_scale is -infinity for 0. No LogNumber, since the weights share the scale, and the pass over the tokens
/// takes no logarithms.
struct GapMean {
  double value;
  double log_scale;
  double rounded;  ///< as a double, 0 where it underflows

  LogNumber number() const { return LogSum{log_scale, value}.number(); }
};

/// logits_t = column_t . p, for T columns of d numbers.
void relative_logits(const double* columns, Eigen::Index d, Eigen::Index T, const double* p, double* logits);

/// sum += columns * weights.
void add_columns(const double* columns, Eigen::Index d, Eigen::Index T, const double* weights, double* sum);

/// G = sum_t s_t gap_t, and weights_t = s_t (gap_t - G) / e^log_scale, with s = softmax(logits); logits are at most
/// about 0. Tokens that tie with the reference (`differs` 0) have weight -s_t G.
GapMean weigh_gaps(Eigen::Index T, const double* logits, const double* gaps, const double* differs, double* weights);

}  // namespace attest
