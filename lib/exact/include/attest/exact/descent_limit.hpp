#pragma once

#include "attest/base/progress.hpp"
#include "attest/certificate/certified.hpp"
#include "attest/exact/loss_bounds.hpp"
#include "attest/exact/svm.hpp"
#include "attest/model/parametrisation.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace attest {

/// How an iterate follows from the one before: p - eta grad, p - h grad/|grad|, or the flow dp/dt = -grad.
enum class StepRule { constant, normalised, flow };

struct DescentRule {
  Parametrisation parametrisation;
  StepRule rule;
  Rational step;                ///< of flow the length of its curve from one iterate to the next; 0: its start alone is looked at
  std::vector<Rational> start;  ///< W by rows; empty: 0
};

/// What shows a limit. [docs/theory.md, Basin theorem, Cone theorem, Wedge theorem]
enum class LimitBy { basin, cone, wedge };

/// Proved: from the start the method has |p| -> infinity and p/|p| -> w/|w|, w the solution of the program.
struct ProvedLimit {
  LimitBy by;
  std::size_t from_iterate;  ///< the K whose iterate the theorem is applied to; of flow the first iterate that is not before it
  std::optional<Rational> rate_constant;  ///< cone alone: |p/|p| - w/|w|| <= C/|p| from iterate K on
  Certificate certificate;
};

enum class LimitObstacle {
  not_locally_optimal,  ///< a tight token scores as much as the selected one: descent need not end here
  dependent_support,    ///< tight rows are dependent or without multiplier, and the wedge did not close
  step_too_long,        ///< nothing but the bound on the step failed
  not_closed,           ///< no iterate looked at satisfies the clauses
  too_much_work,        ///< the clauses close in floating point, but the run to there is more than a checker repeats
  out_of_time,
};

struct OpenLimit {
  LimitObstacle obstacle;
  std::string reason;
};

using LimitOutcome = std::variant<ProvedLimit, OpenLimit>;

/// What a limit is proved from, all of it proved before: the solution of the p-SVM (W-SVM) of a selection, and bounds of the loss on
/// an interval that holds every score.
struct LimitFacts {
  const ExactTokens* tokens;
  const Scores* scores;
  const SvmProgram* program;
  const SvmSolution* solution;
  const LossBounds* loss;
  RationalInterval interval;
};

/// Looks for an iterate (at most `most_iterations`) from which the run provably converges in direction to the solution.
LimitOutcome prove_limit(const LimitFacts& facts, const DescentRule& run, std::size_t most_iterations, const Budget& budget);

}  // namespace attest
