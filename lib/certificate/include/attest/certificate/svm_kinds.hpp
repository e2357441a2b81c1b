#pragma once

#include "attest/certificate/kind_parts.hpp"

#include <optional>
#include <vector>

/// Programs solved or refuted exactly, the nuclear norm enclosed, and ranks.
namespace attest::certified {

// 4.5, 4.11

struct SvmOptimal {
  SvmProgram::Kind program;
  Selection selection;
  Rational objective;
  std::vector<RowName> support;
  Solution solution;          ///< the W-SVM has no w: its multipliers say it all
  std::optional<Solution> v;  ///< of the joint program alone
};
struct SvmInfeasible {
  SvmProgram::Kind program;
  Selection selection;
  Multipliers lambda;
  std::optional<Solution> v;  ///< of the joint program alone
};

// 4.12 to 4.14

struct NuclearBracket {
  Selection selection;
  Rational lower;
  Rational upper;
  std::size_t rows;  ///< of a and b, which are written by rows
  std::size_t columns;
  std::vector<Rational> a;
  std::vector<Rational> b;
  Multipliers lambda;
  std::vector<std::vector<Rational>> root;  ///< lines of a lower triangular matrix; empty where exact pivots show the norm of M
};
struct Rank {
  std::vector<std::size_t> token_ranks;
  std::size_t query_rank;
};
struct EverySelection {
  std::size_t dimension;
  std::vector<std::vector<Integer>> matrices;  ///< by rows
};

}  // namespace attest::certified
