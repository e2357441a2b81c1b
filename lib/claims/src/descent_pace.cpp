#include "descent_pace.hpp"

#include "attest/solve/row_curvature.hpp"
#include "descent_runs.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

/// Iterations that take more are many milliseconds of a claim's seconds.
constexpr double large_iteration = 5e4;

/// What a run from elsewhere may take, and one that watches the loss.
constexpr double run_work = 1e10;
constexpr double watched_work = 2e9;

/// Of starts on the ray of p^mm or W^mm.
constexpr double prompt_scale = 60;
constexpr double weights_scale = 30;

/// The part of the longest step with which the tight rows contract.
constexpr double step_part = 0.25;

/// Multipliers of tight rows in doubles, rows ascending.
WeightedRows weighted_rows(const DecidedSvm& svm) {
  WeightedRows weighted;
  std::vector<Multiplier> multipliers = svm.bracket ? svm.bracket->bracket.multipliers : svm.svm->solution()->multipliers;
  std::ranges::sort(multipliers, {}, &Multiplier::row);
  for (const Multiplier& one : multipliers) {
    weighted.rows.push_back(one.row);
    weighted.weights.push_back(nearest_double(one.weight));
  }
  return weighted;
}

}  // namespace

double iteration_work(const Problem& problem, Parametrisation parametrisation) {
  const ProblemSize size(problem);
  const double of_tokens = size.tokens * size.dimension;
  if (parametrisation == Parametrisation::prompt) return of_tokens;
  return of_tokens + size.samples * size.dimension * std::min(size.samples, size.dimension);
}

// Near p^mm a normalised step h moves l by h/|w|, w = p^mm, and the tight rows contract while h M/|w| < 2. [docs/theory.md, Cone theorem]
DescentPace descent_pace(const ClaimContext& context, Parametrisation parametrisation, const DecidedSvm& direction) {
  DescentPace pace;
  const double work = iteration_work(context.problem(), parametrisation);
  if (work < large_iteration) return pace;
  pace.large = true;
  pace.scale = parametrisation == Parametrisation::prompt ? prompt_scale : weights_scale;
  pace.growth = 4;
  pace.directions = 1;
  pace.watched = static_cast<std::int64_t>(std::clamp(watched_work / work, 100.0, 1e4));
  pace.iterations = static_cast<std::int64_t>(std::clamp(run_work / work, 500.0, 1e5));
  const double norm = direction.solution().norm();
  const SvmProgram& program = direction.bracket ? direction.bracket->program : direction.svm->program;
  const double longest = 2 * norm / row_curvature(program, weighted_rows(direction));
  const double usual = nearest_double(default_step);
  const double doublings = std::floor(std::log2(step_part * longest / usual));
  if (doublings > 0 && std::isfinite(doublings)) pace.step = std::ldexp(usual, static_cast<int>(doublings));
  const double far = pace.scale * pace.growth * norm / pace.step.value_or(usual);
  pace.longest = std::max(pace.iterations, static_cast<std::int64_t>(std::min(far, static_cast<double>(pace.longest))));
  return pace;
}

}  // namespace attest
