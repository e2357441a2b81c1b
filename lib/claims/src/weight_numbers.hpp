#pragma once

#include "attest/claims/finding.hpp"

#include <Eigen/Core>

#include <vector>

namespace attest {

/// The singular values, descending, of a matrix that is given by its rows, one after the other.
std::vector<double> singular_values(const Eigen::VectorXd& W);

/// How many singular values exceed singular_value_tolerance of the first.
std::size_t numerical_rank(const std::vector<double>& spectrum);

/// The last singular value that counts over the next one, null without one: how clear the rank is.
nlohmann::ordered_json spectrum_ratio(const std::vector<double>& spectrum);

/// At most 64 entries of parallel lists, the first and the last among them: [{"norm", "direction_error"}] for a plot.
nlohmann::ordered_json thinned_trace(const nlohmann::ordered_json& norms, const nlohmann::ordered_json& errors);

}  // namespace attest
