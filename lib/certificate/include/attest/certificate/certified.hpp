#pragma once

#include "attest/certificate/selection_tree.hpp"
#include "attest/model/parametrisation.hpp"
#include "attest/model/rational_interval.hpp"
#include "attest/model/svm_program.hpp"

#include <optional>
#include <string>
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

// 4.19: what limits share

/// Assumption A on an interval that holds every score.
struct LossBlock {
  RationalInterval interval;
  Rational slope_sup;
  Rational m0;
  Rational m1;
  std::vector<Rational> cuts;
};
/// Rows with weights of any sign but 0, ascending.
using Coefficients = std::vector<WeightedRow>;

// 4.20 to 4.23

enum class Method { constant, normalised, flow };

struct DescentRun {
  Parametrisation over;
  Selection selection;
  Method method;
  std::optional<std::vector<Rational>> start;  ///< W by rows; empty: 0; nothing: every start
  Rational step;                               ///< of flow the length of a piece, written where there is one
  std::size_t iterations;
  Multipliers lambda;
  LossBlock loss;
  std::size_t bits;
};
struct DescentBasin {
  DescentRun run;
};
struct DescentCone {
  DescentRun run;
  Rational rate;
  Rational rho;
  Rational spectral;  ///< not written for flow
};
struct DescentWedge {
  DescentRun run;
  Rational delta;
};

// 4.24 to 4.26

/// least <= -l' <= largest near the selected score of a sample.
struct SlopeRange {
  Rational least;
  Rational largest;
};
/// One a sample; none for a sample of one token.
using Slopes = std::vector<std::optional<SlopeRange>>;

struct PathEnvelope {
  struct Cone {
    Rational radius;
    Rational opening;
  };
  struct Entry {
    Rational radius;
    Rational square;
    std::optional<Rational> rate;
  };
  struct Stage {
    Coefficients shift;
    Rational reach;
    Slopes slopes;
    std::optional<Rational> floor;  ///< in a cone alone
  };
  struct Shown {
    Stage stage;
    std::optional<Stage> first;  ///< in a cone alone: what the floor rests on
  };
  SvmProgram::Kind program;  ///< p or w
  Selection selection;
  std::optional<Cone> cone;
  std::vector<Entry> envelope;
  Multipliers lambda;
  LossBlock loss;
  std::vector<Shown> entries;  ///< one for each of `envelope`
};
struct PathRatio {
  NuclearBracket bracket;
  Rational radius;
  Rational offset;
  LossBlock loss;
  Rational reach;
  Slopes slopes;
};
struct JointEnvelope {
  AssumptionB b;  ///< over all samples
  Rational head_radius;
  Rational radius;
  Rational theta;
  Rational c;
  Rational head_theta;
  Rational head_c;
  Multipliers lambda;
  Multipliers weights;                         ///< by sample
  std::optional<std::vector<Rational>> shift;  ///< of the second pass
};

// 4.27: matrices are vectors, by rows

struct NoStationaryPoint {
  struct ByDirection {
    std::vector<Rational> u;
  };
  struct ByQuery {
    std::vector<Rational> q;
  };
  struct ByRank {};
  Parametrisation over;
  std::size_t dimension;
  LossBlock loss;
  std::variant<ByDirection, ByQuery, ByRank> by;
};
struct StationaryPoint {
  struct ByOrigin {};
  struct ByKrawczyk {
    std::vector<std::vector<Rational>> basis;  ///< its columns
    std::vector<Rational> radius;
    std::vector<std::vector<Rational>> inverse;  ///< by rows
  };
  Parametrisation over;
  std::vector<Rational> centre;
  std::variant<ByOrigin, ByKrawczyk> by;
};

// 4.28

struct SparsityNorm {
  Parametrisation over;
  Selection selection;
  Rational epsilon;
  Rational lower;
  Rational upper;
  Multipliers weights;
  Coefficients point;
};
struct SparsityInfeasible {
  Parametrisation over;
  Selection selection;
  Rational epsilon;
  Multipliers weights;
};

// 4.29

/// c_lo and c_hi of each sample, none for one token, and what shows them.
struct HeadSlopes {
  std::vector<std::optional<RationalInterval>> bounds;
  std::vector<std::vector<Rational>> cuts;
};
struct HeadBounds {
  Selection selection;
  std::string head;
  HeadSlopes slopes;
};
struct HeadEnvelope {
  struct Entry {
    Rational radius;
    Rational square;
    Coefficients shift;
    Rational reach;
    std::vector<std::optional<RationalInterval>> slopes;  ///< of the loss near the selected tokens, mu_i and M_i
    HeadSlopes near;
  };
  Selection selection;
  std::string head;
  Multipliers lambda;
  LossBlock loss;
  HeadSlopes slopes;
  std::vector<Entry> entries;
};

// 4.30

struct FirstStep {
  Parametrisation over;
  std::size_t dimension;
  Selection selection;
  std::vector<Rational> start;
};
struct NotFirstStep {
  Parametrisation over;
  std::size_t dimension;
  Selection selection;
  std::vector<Rational> start;
  RowName row;
  bool at_origin;  ///< by rational arithmetic at 0, or by an enclosure
};

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

// 4.32

struct CurvatureBound {
  Parametrisation over;
  Rational bound;
  RationalInterval interval;
  std::vector<Rational> cuts;
  std::vector<Rational> weights;
  std::vector<bool> by_tokens;  ///< the form of each sample: by its tokens, or by its width
  Rational widths;
  Rational spread;
};

using Kind = std::variant<LossBounds, LossNotDecreasing, LossFlat, GloballyOptimal, NotGloballyOptimal, SvmOptimal, SvmInfeasible,
                          LocallyOptimal, Outscored, Infeasible, Census, AssumptionB, AssumptionBRefuted, NuclearBracket, Rank,
                          EverySelection, EqualScores, BetterNeighbour, NoBetterNeighbour, IndependentRows, SlackTokens, NoSlackTokens,
                          LogisticLoss, NotLogistic, DescentBasin, DescentCone, DescentWedge, PathEnvelope, PathRatio, JointEnvelope,
                          NoStationaryPoint, StationaryPoint, SparsityNorm, SparsityInfeasible, HeadBounds, HeadEnvelope, FirstStep,
                          NotFirstStep, SvmBracket, BracketedOptimum, BracketedRival, CurvatureBound>;

template <class One, class Kinds = Kind>
inline constexpr bool is_kind = false;
template <class One, class... Kinds>
inline constexpr bool is_kind<One, std::variant<Kinds...>> = (std::is_same_v<One, Kinds> || ...);

}  // namespace attest::certified

namespace attest {

/// Evidence for one statement about one problem, as docs/certificate.md specifies it; codec.hpp writes it. A handle of one kind: who
/// passes it on, as nearly all code does, compiles nothing of the kinds.
class Certificate {
 public:
  /// One of the kinds; certificate.cpp has them all.
  template <class One>
  requires certified::is_kind<One> Certificate(One one);

  const certified::Kind& kind() const { return *kind_; }

 private:
  std::shared_ptr<const certified::Kind> kind_;
};

}  // namespace attest
