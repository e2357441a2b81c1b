#pragma once

#include "attest/model/loss.hpp"
#include "attest/model/problem.hpp"

#include <optional>

namespace attest {

/// Proved: l'(at) >= 0 at the largest score of a sample, where the theorems need l' < 0. [docs/theory.md, section 1]
struct FlatScore {
  std::size_t sample;
  std::size_t token;
  Rational at;
  bool exactly;  ///< by rational arithmetic; otherwise by an enclosure of l' at the point
};

/// The first sample whose largest score is such a point; nothing where no slope is shown to be >= 0.
std::optional<FlatScore> find_flat_score(const Loss& loss, const Scores& scores);

}  // namespace attest
