#include "attest/run/trace_files.hpp"

#include "attest/report/write_file.hpp"

#include <algorithm>
#include <stdexcept>

namespace attest {

std::vector<std::filesystem::path> trace_files(const std::filesystem::path& first, const ClaimRequest& descent) {
  std::size_t runs = 0;
  if (const auto* starts = descent.find<std::vector<RationalPoint>>("starts")) runs += starts->size();
  if (const auto* random = descent.find<std::int64_t>("random")) runs += static_cast<std::size_t>(*random);
  std::vector<std::filesystem::path> files = {first};
  for (std::size_t k = 1; k < runs; ++k)
    files.push_back(first.parent_path() / (first.stem().string() + "-" + std::to_string(k) + first.extension().string()));
  return files;
}

void write_traces(std::span<const TrainingRun> runs, std::span<const std::filesystem::path> files) {
  for (std::size_t k = 0; k < std::min(runs.size(), files.size()); ++k)
    if (const auto fault = write_file(files[k], npz_bytes(runs[k]))) throw std::runtime_error(*fault);
}

}  // namespace attest
