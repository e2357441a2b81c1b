#pragma once

#include "attest/certificate/kind_parts.hpp"

#include <optional>
#include <variant>
#include <vector>

/// Programs and selections decided by a bracket of the optimum.
namespace attest::certified {

// 4.31, and 4.6, 4.7, 4.16 from a bracket

/// Of p, v or the joint program d numbers; of the W-SVM coefficients of rows.
struct Direction {
  std::vector<Rational> vector = {};
  Multipliers coefficients = {};
};
struct BracketDual {
  Multipliers lambda;
  Rational scale;
  Rational distance;
};
/// Why rows are tight: an independence of those that may be, or a direction for each.
using TightRows = std::variant<Rational, std::vector<Direction>>;
/// The tight rows of the v-SVM, decided by a bracket.
struct SupportBracket {
  BracketDual dual;
  std::vector<RowName> support;
  TightRows shown;
};
struct SvmBracket {
  SvmProgram::Kind program;
  Selection selection;
  Rational lower;
  Rational upper;
  BracketDual dual;
  std::vector<RowName> support;
  TightRows shown;  ///< for `support`
  std::vector<RowName> possible;
  std::optional<std::variant<Solution, SupportBracket>> v;  ///< of the joint program alone
};
struct BracketedOptimum {
  SvmProgram::Kind program;
  Selection selection;
  std::vector<RowName> possible_neighbours;
  BracketDual dual;
};
struct BracketedRival {
  SvmProgram::Kind program;
  Selection selection;
  BracketDual dual;
  std::vector<RowName> possible;
  RowName neighbour;
  Direction direction;
};

}  // namespace attest::certified
