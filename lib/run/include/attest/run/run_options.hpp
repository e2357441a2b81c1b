#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace attest {

/// How claims are run.
struct RunOptions {
  double budget_seconds = 300;         ///< of CPU time for one claim
  std::optional<double> wall_seconds;  ///< on the clock, after which a claim is ended come what may
  unsigned jobs = 1;                   ///< worker processes at once
  std::uint64_t seed = 0;
  std::optional<std::filesystem::path> certificates;  ///< folder for certificates, which must exist
  std::optional<std::filesystem::path> trace;         ///< where the runs of descent are written, of one claim
};

}  // namespace attest
