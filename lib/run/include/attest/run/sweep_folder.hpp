#pragma once

#include "attest/base/fault.hpp"
#include "attest/run/sweep.hpp"

#include <filesystem>
#include <fstream>
#include <vector>

namespace attest {

/// Where a sweep writes: spec.json, rows as they finish (rows.jsonl, or rows-K-of-N.jsonl of a shard) and, of all rows that are there,
/// results.json, rows.csv and index.html. Shards may share a folder.
class SweepFolder {
 public:
  /// Makes the folder; a fault if that cannot be, or if it holds another sweep. With `resume` the rows of the shard that are there stay.
  static OrFault<SweepFolder> open(const std::filesystem::path& folder, const SweepSpec& spec, const Shard& shard, bool resume);

  /// The rows of the shard that are there.
  const std::vector<Json>& rows() const { return rows_; }
  /// Written at once.
  void add(const Json& row);
  /// Puts the shard's rows in order and writes what all rows come to; gives the summary. What went wrong, or nothing, in `fault`.
  Json finish(const SweepSpec& spec, const RunInfo& info, std::optional<std::string>& fault);

 private:
  SweepFolder(std::filesystem::path folder, std::filesystem::path file) : folder_(std::move(folder)), file_(std::move(file)) {}

  std::filesystem::path folder_;
  std::filesystem::path file_;
  std::vector<Json> rows_;
  std::ofstream out_;
};

/// The rows in the order of their numbers, each once.
std::vector<Json> ordered_rows(std::vector<Json> rows);
/// The files of all rows: results.json, rows.csv and index.html. What went wrong, or nothing.
std::optional<std::string> write_sweep(const std::filesystem::path& folder, const Json& summary, const std::vector<Json>& rows);

}  // namespace attest
