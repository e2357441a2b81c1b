#pragma once

#include "attest/certificate/kind_parts.hpp"

#include <optional>
#include <vector>

/// All locally optimal selections.
namespace attest::certified {

// 4.8

/// No selection with these pairs is locally optimal.
struct Conflict {
  struct Pair {
    std::size_t sample;
    std::size_t chosen;
  };
  struct Term {
    std::size_t sample;
    std::size_t chosen;
    std::size_t token;
    Rational weight;
  };
  std::vector<Pair> pairs;  ///< ascending, those of the terms among them
  std::vector<Term> terms;  ///< ascending
  std::optional<std::vector<Rational>> centre;
};
/// Closed by a conflict, branched over the tokens of the next sample, or a full selection with its solution.
struct CensusNode {
  struct Leaf {
    Solution solution;
    std::optional<RowName> neighbour;  ///< that scores at least as much
  };
  std::optional<std::size_t> conflict;
  std::vector<CensusNode> children;
  std::optional<Leaf> leaf;
};
struct Census {
  std::vector<Selection> selections;
  std::vector<std::size_t> order;
  std::vector<Conflict> conflicts;
  CensusNode tree;
};

}  // namespace attest::certified
