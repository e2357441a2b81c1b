#pragma once

#include "attest/base/fault.hpp"
#include "attest/model/claim_request.hpp"
#include "attest/model/ensemble.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attest {

/// One point of a sweep's grid, and what is asked of each of its data sets.
struct SweepCell {
  EnsemblePoint point;
  std::vector<ClaimRequest> claims;
};

/// Random data sets, `runs` of them at each point of a grid, and claims to check on each.
struct SweepSpec {
  std::string name;
  std::string about;
  std::string text;  ///< the whole file
  TokenLaw law = TokenLaw::sphere;
  std::optional<Problem> source;  ///< of the law `file`
  Loss loss = Loss::logistic();
  std::size_t runs = 1;
  std::uint64_t seed = 0;
  std::vector<SweepCell> cells;

  std::size_t size() const { return cells.size() * runs; }
  const SweepCell& cell(std::size_t index) const { return cells[index / runs]; }
  std::size_t run(std::size_t index) const { return index % runs; }
  /// Made of the sweep's seed, the point and the run, so that a data set is the same whatever else the grid holds.
  std::uint64_t seed_of(std::size_t index) const;
  Problem problem(std::size_t index) const;
};

/// Reads a sweep as strictly as a case is read (docs/sweeps.md).
OrFault<SweepSpec> read_sweep(const std::filesystem::path& file, std::span<const ClaimSchema> schemas);

}  // namespace attest
