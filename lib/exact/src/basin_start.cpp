#include "attest/exact/basin_start.hpp"

#include "attest/exact/local_optimality.hpp"
#include "basin_clauses.hpp"
#include "certified_run.hpp"

namespace attest {

LimitOutcome prove_limit_from_everywhere(const LimitFacts& facts, const DescentRule& run) {
  if (run.rule == StepRule::normalised) return OpenLimit{LimitObstacle::not_closed, "normalised steps may raise the loss"};
  const SvmProgram& program = *facts.program;
  std::vector<std::size_t> several;
  for (std::size_t i = 0; i < facts.scores->size(); ++i)
    if ((*facts.scores)[i].size() > 1) several.push_back(i);
  if (several.size() != 1) return OpenLimit{LimitObstacle::not_closed, "not exactly one sample has two tokens"};
  const std::size_t chosen = program.selection()[several.front()];
  const std::vector<Rational>& scores = (*facts.scores)[several.front()];
  const Rational& other = scores[chosen == 0 ? 1 : 0];
  for (std::size_t t = 0; t < scores.size(); ++t)
    if (t != chosen && scores[t] != other) return OpenLimit{LimitObstacle::not_closed, "the scores other than the selected one differ"};
  if (!(scores[chosen] > other))
    return OpenLimit{LimitObstacle::not_locally_optimal, "the selected token does not score more than the others"};
  if (facts.solution->multipliers.empty()) return OpenLimit{LimitObstacle::not_closed, "no sample has a token to leave out"};
  if (!step_within_curvature(facts, run)) return OpenLimit{LimitObstacle::step_too_long, "the step times the curvature is not below 2"};
  return ProvedLimit{LimitBy::basin, 0, std::nullopt,
                     certified::DescentBasin{certify_run(facts, facts.solution->multipliers, run, std::nullopt, 0, 64)}};
}

LimitOutcome prove_basin_at_start(const LimitFacts& facts, const std::vector<Multiplier>& feasible, const DescentRule& run) {
  if (run.rule == StepRule::normalised) return OpenLimit{LimitObstacle::not_closed, "normalised steps may raise the loss"};
  const SvmProgram& program = *facts.program;
  for (std::size_t c = 0; c < program.row_count(); ++c)
    if (!selected_outscores(program, c, *facts.scores))
      return OpenLimit{LimitObstacle::not_locally_optimal, "the selection is not the only globally optimal one"};
  if (feasible.empty()) return OpenLimit{LimitObstacle::not_closed, "no sample has a token to leave out"};
  if (!step_within_curvature(facts, run)) return OpenLimit{LimitObstacle::step_too_long, "the step times the curvature is not below 2"};
  if (!BasinClauses(program, *facts.scores).holds(ProgramRows(program).values_at(run.start, PreciseBall::clause_bits)))
    return OpenLimit{LimitObstacle::not_closed, "the start is not in the basin"};
  return ProvedLimit{LimitBy::basin, 0, std::nullopt, certified::DescentBasin{certify_run(facts, feasible, run, run.start, 0, 64)}};
}

}  // namespace attest
