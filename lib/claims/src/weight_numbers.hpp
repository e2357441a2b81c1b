#pragma once

#include "attest/claims/evidence.hpp"

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace attest {

/// A d x d matrix that is given by its rows, one after the other, as a list of rows.
std::vector<std::vector<double>> rows_of(const Eigen::VectorXd& matrix);

/// The singular values, descending, of a matrix that is given by its rows, one after the other, which may lie in the span of the queries.
std::vector<double> singular_values(const Problem& problem, const Eigen::VectorXd& W);

/// How many singular values exceed singular_value_tolerance of the first.
std::size_t numerical_rank(const std::vector<double>& spectrum);

/// The last singular value that counts over the next one, none without one: how clear the rank is.
std::optional<double> spectrum_ratio(const std::vector<double>& spectrum);

/// A point of a trace, for a plot.
struct ThinnedPoint {
  double norm;
  double direction_error;

  void write(Fields& out) const { out("norm", norm)("direction_error", direction_error); }
};
/// At most 64 entries of parallel lists, the first and the last among them.
std::vector<ThinnedPoint> thinned_trace(const std::vector<double>& norms, const std::vector<double>& errors);

}  // namespace attest
