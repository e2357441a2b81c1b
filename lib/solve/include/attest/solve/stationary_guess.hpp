#pragma once

#include "attest/graph/numeric_problem.hpp"

#include <Eigen/Core>

#include <optional>

namespace attest {

/// Newton's method for dL/dp = 0 in doubles, in coordinates of the span of the differences of keys, outside of which the gradient has no
/// part. What it finds, of whatever kind (minimum, saddle or maximum), is a guess.
class StationarySearch {
 public:
  StationarySearch(const Problem& problem, Parametrisation parametrisation);

  /// Of the span.
  Eigen::Index dimension() const { return reduced_.dimension; }
  /// The length on which attention changes: over the longest difference of keys.
  double length() const { return length_; }
  /// The point where the steps from a start, in coordinates of the span, settle; a matrix by rows. Nothing where they do not: far out the
  /// gradient falls like exp(-|p|), and steps of the same length go on for ever.
  std::optional<Eigen::VectorXd> from(Eigen::VectorXd start) const;

 private:
  NumericProblem reduced_;  // its keys in coordinates of the span
  Eigen::VectorXd v_;
  Eigen::MatrixXd span_;
  double length_ = 1;
};

}  // namespace attest
