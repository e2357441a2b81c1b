#pragma once

#include "attest/model/problem.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// Something about the data that a user should know before reading verdicts.
struct Remark {
  enum class Level { note, warning };  ///< a warning: some theorem is bound to say nothing, or numbers will be poor
  Level level;
  std::string message;
};

/// Equal tokens, zero tokens, lone tokens, equal samples, labels of one sign, far apart scales, a head of zeros.
std::vector<Remark> check_sanity(const Problem& problem);

/// Whether the largest scores are those of the tokens that the user planted: "theory selects your token in 38 of 40 samples"; and whether
/// descent from 0 goes there, where that is known. Needs v.
std::string compare_with_relevant(const Problem& problem, const Selection& relevant, const std::optional<Selection>& reached_from_zero);

}  // namespace attest
