#pragma once

#include "attest/certificate/selection_tree.hpp"
#include "attest/model/rational_interval.hpp"
#include "attest/model/svm_program.hpp"

#include <optional>
#include <variant>
#include <vector>

/// What certificates state and show, a type a kind. docs/certificate.md, section 4, says what each must satisfy.
namespace attest::certified {

/// A multiplier list, its rows ascending. Rows of the v-SVM are named by their sample alone.
struct WeightedRow {
  RowName row;
  Rational weight;
};
using Multipliers = std::vector<WeightedRow>;

struct Solution {
  std::vector<Rational> w;
  Multipliers lambda;
};

// 4.1, 4.2

struct LossBounds {
  RationalInterval interval;
  Rational slope_sup;
  Rational m0;
  Rational m1;
  bool covers_scores;
  std::vector<Rational> cuts;
};
struct LossNotDecreasing {
  RationalInterval interval;
  Rational a;
  Rational b;
  bool covers_scores;
  bool by_slope;  ///< or by its values at a and b
};
struct LossFlat {
  std::size_t sample;
  std::size_t token;
  Rational at;
  bool rational;  ///< by exact arithmetic, or by an enclosure
};

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

// 4.8

struct Conflict {
  struct Term {
    std::size_t sample;
    std::size_t chosen;
    std::size_t token;
    Rational weight;
  };
  std::vector<Term> terms;
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

// 4.9, 4.10

enum class Over { all, support };

struct AssumptionB {
  struct Cell {
    Rational upto;
    SelectionTree tree;
  };
  struct SampleCells {
    std::size_t sample;
    std::vector<Cell> cells;
  };
  struct CoveredRow {
    RowName row;
    Multipliers lambda;
  };
  Selection selection;
  Over over;
  Rational nu;
  Rational gamma_squared;
  Solution v;
  std::vector<Multipliers> weights;  ///< by sample
  std::vector<SampleCells> samples;
  std::vector<CoveredRow> cover;  ///< absent from the file when empty
};
struct AssumptionBRefuted {
  struct ByLimit {
    std::vector<Rational> p;
    std::vector<Rational> u;
  };
  struct BySoftRow {
    std::vector<Rational> p;
  };
  struct ByWeightless {
    std::vector<Rational> p;
    std::size_t sample;
    std::vector<Rational> y;
  };
  struct ByPoint {
    std::vector<Rational> p;
    std::vector<Rational> u;
  };
  Selection selection;
  Over over;
  Solution v;
  std::variant<ByLimit, BySoftRow, ByWeightless, ByPoint> by;
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
};
struct Rank {
  std::vector<std::size_t> token_ranks;
  std::size_t query_rank;
};
struct EverySelection {
  std::size_t dimension;
  std::vector<std::vector<Integer>> matrices;  ///< by rows
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
struct LogisticLoss {};
struct NotLogistic {
  Rational u;
};

using Kind =
    std::variant<LossBounds, LossNotDecreasing, LossFlat, GloballyOptimal, NotGloballyOptimal, SvmOptimal, SvmInfeasible, LocallyOptimal,
                 Outscored, Infeasible, Census, AssumptionB, AssumptionBRefuted, NuclearBracket, Rank, EverySelection, EqualScores,
                 BetterNeighbour, NoBetterNeighbour, IndependentRows, SlackTokens, NoSlackTokens, LogisticLoss, NotLogistic>;

}  // namespace attest::certified

namespace attest {

/// Evidence for one statement about one problem, as docs/certificate.md specifies it; codec.hpp writes it.
using Certificate = certified::Kind;

}  // namespace attest
