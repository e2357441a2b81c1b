#pragma once

#include "attest/base/progress.hpp"
#include "attest/certificate/certified.hpp"
#include "attest/exact/svm.hpp"

#include <functional>
#include <vector>

namespace attest {

/// What was found, in the form that its certificate has.
struct Census : certified::Census {
  bool complete = false;  ///< false: the time was up, the tree is not whole, and there may be more selections
  std::size_t nodes = 0;
  /// How many nodes the whole tree has: known when complete, else by the branches that were seen at each depth.
  double expected_nodes = 0;
};

/// A floating-point opinion of a program: rows that may be active, and whether it looks infeasible.
struct SvmOpinion {
  bool seems_infeasible;
  std::vector<std::size_t> rows;
};
using SvmOpinionOf = std::function<SvmOpinion(const SvmProgram&)>;

/// Every locally optimal selection, by depth-first search over the samples. A partial selection is left only by an exact proof that nothing
/// below it is locally optimal (old proofs are tried first), and every full one is decided exactly: the list is complete.
Census take_census(const ExactTokens& tokens, const Scores& scores, const SvmOpinionOf& opinion, const Budget& budget,
                   const Progress& progress);

}  // namespace attest
