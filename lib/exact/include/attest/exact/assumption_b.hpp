#pragma once

#include "attest/base/progress.hpp"
#include "attest/certificate/selection_tree.hpp"
#include "attest/exact/svm.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace attest {

/// The samples over which Assumption B takes its maximum: all, as written, or the support vectors of v-SVM(alpha).
enum class AttentionOver { all, support };

/// Proved: margin(s(p)) <= Gamma - nu max_i (1 - s_i,alpha_i) for every p. [MM, Assumption B; docs/theory.md, 4.2 to 4.5]
struct AssumptionBProof {
  Rational nu;
  SvmSolution v;
  std::vector<std::vector<Rational>> weights;  ///< what the leaves of the trees refer to
  struct Cell {
    Rational upto;  ///< the cell reaches from the one before, or 0, to here
    SelectionTree tree;
  };
  struct SampleCells {
    std::size_t sample;
    std::vector<Cell> cells;  ///< ascending, the last one up to 1
  };
  std::vector<SampleCells> samples;  ///< the support vectors that have two tokens
  /// Over all samples: each row of a sample outside S as a combination of rows of S, weights at least 1 together.
  /// [docs/theory.md, 4.1]
  struct CoveredRow {
    RowName row;
    std::vector<std::pair<RowName, Rational>> combination;
  };
  std::vector<CoveredRow> cover;
  std::size_t nodes = 0;  ///< of all trees together
};

/// Proved: no nu > 0 is left. [docs/theory.md, 4.7]
struct AssumptionBRefutation {
  SvmSolution v;
  /// (a) along p attention goes elsewhere, and u shows that the margin there is at least Gamma.
  struct ByLimit {
    Selection selection;  ///< where it goes, up to tokens with the same key
    std::vector<Rational> p;
    std::vector<Rational> u;
  };
  /// (b) along p the rows that fade last cost nothing.
  struct BySoftRow {
    std::vector<Rational> p;
  };
  /// (c) along p the rows that fade last belong to a support vector that has weight 0 in every dual solution, by y.
  struct ByWeightless {
    std::size_t sample;
    std::vector<Rational> p;
    std::vector<Rational> y;
  };
  /// (d) u shows that the margin of s(p) is at least Gamma.
  struct ByPoint {
    std::vector<Rational> p;
    std::vector<Rational> u;
  };
  std::variant<ByLimit, BySoftRow, ByWeightless, ByPoint> by;
};

struct AssumptionBUndecided {
  std::string reason;
  std::optional<SvmSolution> v;  ///< where Gamma is known
};

/// No label margin: v-SVM(alpha) is infeasible.
struct NoLabelMargin {
  SvmInfeasible farkas;
};

using AssumptionBOutcome = std::variant<AssumptionBProof, AssumptionBRefutation, AssumptionBUndecided, NoLabelMargin>;

/// Decides Assumption B for a selection, in rational arithmetic. Doubles guess weights, branches and cells.
AssumptionBOutcome decide_assumption_b(const ExactTokens& tokens, const Selection& selection, AttentionOver over, const Budget& budget,
                                       const Progress& progress = {});

/// A refutation by one of the points (d), shown by balls.
std::optional<AssumptionBRefutation> refute_by_points(const ExactTokens& tokens, const Selection& selection, AttentionOver over,
                                                      const std::vector<std::vector<double>>& points, const Budget& budget);

/// Bounds of every nu with which Assumption B can hold, proved by witnesses. [docs/theory.md, 4.7]
struct SlopeWitnesses {
  std::optional<Rational> by_rays;    ///< rays to alpha on which a single row of S fades last, and rays to other selections
  std::optional<Rational> by_points;  ///< the given points, by balls
};
SlopeWitnesses bound_slope(const ExactTokens& tokens, const Selection& selection, AttentionOver over,
                           const std::vector<std::vector<double>>& points, const Budget& budget);

}  // namespace attest
