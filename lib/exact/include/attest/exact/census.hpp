#pragma once

#include "attest/base/progress.hpp"
#include "attest/exact/svm.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace attest {

/// Weights on rows k_ia - k_it that sum to 0: no selection with these (i, a) has a feasible p-SVM.
struct Conflict {
  struct Term {
    std::size_t sample;
    std::size_t chosen;
    std::size_t token;
    Rational weight;
  };
  std::vector<Term> terms;  ///< ascending in (sample, chosen, token)
};

/// A node of the search tree: pruned by a conflict, branched, or a full selection with its p-SVM solution.
struct CensusNode {
  std::optional<std::size_t> conflict;
  std::vector<CensusNode> children;  ///< one a token of the next sample
  struct Leaf {
    SvmSolution solution;
    std::vector<RowName> names;  ///< of the solution's multipliers
    std::optional<RowName> neighbour;  ///< scores at least as much: not locally optimal
  };
  std::optional<Leaf> leaf;
};

struct Census {
  bool complete = false;                ///< false: the time was up, the tree is not whole
  std::vector<Selection> selections;    ///< the locally optimal ones found, ascending
  std::vector<std::size_t> order;       ///< in which samples were assigned
  std::vector<Conflict> conflicts;
  CensusNode tree;
  std::size_t nodes = 0;
};

/// A floating-point opinion of a program: rows that may be active, and whether it looks infeasible.
struct SvmOpinion {
  bool seems_infeasible;
  std::vector<std::size_t> rows;
};
using SvmOpinionOf = std::function<SvmOpinion(const SvmProgram&)>;

/// Every locally optimal selection, by depth-first search over the samples. A partial selection is pruned only by an
/// exact Farkas proof (old proofs are tried first), and every full one is decided exactly: the list is complete.
Census take_census(const ExactTokens& tokens, const Scores& scores, const SvmOpinionOf& opinion, const Budget& budget,
                   const Progress& progress);

}  // namespace attest
