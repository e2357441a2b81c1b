#pragma once

#include "attest/model/exact_matrix.hpp"
#include "json_tree.hpp"

#include <filesystem>
#include <vector>

namespace attest {

/// Reads the arrays of a case, written in it or kept in .npz and .npy files beside it; throws CaseFault.
class CaseArrays {
 public:
  /// `folder` is the one that the names of files are relative to.
  explicit CaseArrays(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// One matrix T_i x d for each sample.
  std::vector<ExactMatrix> tokens(const JsonValue& value, const JsonPlace& place) const;
  /// n numbers, each 1 or -1.
  std::vector<int> labels(const JsonValue& value, const JsonPlace& place, std::size_t count) const;
  /// `size` numbers in one row.
  ExactMatrix vector(const JsonValue& value, const JsonPlace& place, std::size_t size) const;
  ExactMatrix matrix(const JsonValue& value, const JsonPlace& place, std::size_t rows, std::size_t columns) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace attest
