#pragma once

#include "attest/model/case_file.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace attest {

/// How claims are run.
struct RunOptions {
  double budget_seconds = 300;         ///< of CPU time for one claim
  std::optional<double> wall_seconds;  ///< on the clock, after which a claim is ended come what may
  unsigned jobs = 1;
  std::uint64_t seed = 0;
  std::optional<std::filesystem::path> certificates;  ///< folder for certificates
};

/// What a worker process does: checks the case's claims from `first` to before `end`, one after the other, and tells the
/// pipe, a line of JSON a message: {"start": k, "cpu_seconds": used before}, {"progress": [fraction, what]}, {"done": k, "entry": {…}}.
/// `stem` begins the names of the case's certificate files.
void work(const Case& one, std::size_t first, std::size_t end, const RunOptions& options, const std::string& stem, int pipe);

}  // namespace attest
