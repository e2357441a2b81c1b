#pragma once

#include "attest/model/claim_request.hpp"
#include "attest/model/training_run.hpp"

#include <filesystem>
#include <span>
#include <vector>

namespace attest {

/// Where the runs of a claim `descent` are written, one a start: F.npz, then F-1.npz, F-2.npz, …
std::vector<std::filesystem::path> trace_files(const std::filesystem::path& first, const ClaimRequest& descent);

/// Writes each run to its file, whole or not at all. Throws std::runtime_error where one cannot be written.
void write_traces(std::span<const TrainingRun> runs, std::span<const std::filesystem::path> files);

}  // namespace attest
