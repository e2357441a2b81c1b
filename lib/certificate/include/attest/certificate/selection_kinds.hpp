#pragma once

#include "attest/certificate/kind_parts.hpp"

#include <optional>
#include <vector>

/// Selections: optimal ones, globally and locally, and what theorems ask of them.
namespace attest::certified {

// 4.3, 4.4

struct GloballyOptimal {
  Selection selection;
  bool unique;
  std::optional<Rational> gap;
};
struct NotGloballyOptimal {
  Selection selection;
  bool unique;  ///< what is refuted: that it is the unique one
  std::size_t sample;
  std::size_t token;
};

// 4.6, 4.7, 4.16: for p, or for W, whose solutions have no w

struct LocallyOptimal {
  SvmProgram::Kind program;
  Selection selection;
  std::vector<RowName> neighbours;
  Solution solution;
};
struct Outscored {
  SvmProgram::Kind program;
  Selection selection;
  Solution solution;
  RowName neighbour;
};
struct Infeasible {
  SvmProgram::Kind program;
  Selection selection;
  Multipliers farkas;
};

// 4.15

struct EqualScores {
  Selection selection;
};

// 4.17

struct BetterNeighbour {
  Selection selection;
  Solution solution;
  RowName neighbour;
};
struct NoBetterNeighbour {
  Selection selection;
  Solution solution;
};
struct IndependentRows {
  Selection selection;
  std::vector<RowName> rows;
  Solution solution;
};

// 4.18

struct SlackTokens {
  Selection selection;
  Solution v;
};
struct NoSlackTokens {
  Selection selection;
  Solution v;
  std::size_t sample;
  std::size_t token;
};

}  // namespace attest::certified
