#pragma once

#include "attest/claims/evidence.hpp"
#include "attest/model/problem.hpp"
#include "attest/solve/descent.hpp"

#include <optional>
#include <vector>

namespace attest {

// What pictures of a run need, of bounded length and rounded to what a picture can show; none where the data are too
// large for one.

/// The number to so many decimal digits.
double rounded(double value, int digits);

/// A list of points p along the trace, evenly spaced in it.
std::optional<std::vector<std::vector<double>>> positions_of(const std::vector<TracePoint>& trace);

/// For each sample the attention softmax(K_i p) at each of the norms.
struct AttentionAlong {
  std::vector<double> norms;
  std::vector<std::vector<std::vector<double>>> samples;

  void write(Fields& out) const { out("norm", norms)("samples", samples); }
};
/// None when the run is not one of p.
std::optional<AttentionAlong> attention_along(const Problem& problem, const std::vector<TracePoint>& trace);

}  // namespace attest
