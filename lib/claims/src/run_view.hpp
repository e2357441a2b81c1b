#pragma once

#include "attest/model/problem.hpp"
#include "attest/solve/descent.hpp"

#include <nlohmann/json.hpp>

#include <vector>

namespace attest {

// What pictures of a run need, of bounded length and rounded to what a picture can show; null where the data are too
// large for one.

/// A list of points p along the trace, evenly spaced in it.
nlohmann::ordered_json encode_positions(const std::vector<TracePoint>& trace);

/// {"norm": a list, "samples": for each sample the attention softmax(K_i p) at each of those norms}
nlohmann::ordered_json encode_attention(const Problem& problem, const std::vector<TracePoint>& trace);

}  // namespace attest
