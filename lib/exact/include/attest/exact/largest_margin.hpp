#pragma once

#include "attest/base/progress.hpp"
#include "attest/model/svm_program.hpp"

#include <cstddef>

namespace attest {

/// The selection whose label margin Gamma is the largest.
struct LargestMargin {
  Selection selection;
  bool proved;        ///< a tree of exact bounds showed that no other selection has a larger one
  std::size_t nodes;  ///< of that tree
};

/// Found by local search in doubles, proved and if need be mended by the tree. Of selections with the same margin it is one.
LargestMargin find_largest_margin(const ExactTokens& tokens, const Budget& budget, const Progress& progress);

}  // namespace attest
