#pragma once

#include "attest/model/problem.hpp"
#include "attest/solve/descent.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

namespace attest {

// What pictures of a run need, of bounded length and rounded to what a picture can show; null where the data are too
// large for one.

/// A list of points p along the trace, evenly spaced in it.
nlohmann::ordered_json encode_positions(const std::vector<TracePoint>& trace);

/// The direction that the run must head for, its numbers in the order of the positions'.
nlohmann::ordered_json encode_limit(const std::optional<Eigen::VectorXd>& direction);

/// {"norm": a list, "samples": for each sample the attention softmax(K_i p) at each of those norms}; null when the run is not one of p.
nlohmann::ordered_json encode_attention(const Problem& problem, const std::vector<TracePoint>& trace);

}  // namespace attest
