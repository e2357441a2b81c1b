#pragma once

#include "attest/claims/claim.hpp"
#include "attest/model/parametrisation.hpp"
#include "hypotheses.hpp"

#include <cstdint>
#include <optional>

namespace attest {

/// How far out and in what steps the runs of a theorem go where the claim does not say.
struct DescentPace {
  bool large = false;  ///< an iteration takes so long that these are not the defaults
  double scale = 100;  ///< of starts on the ray: rows are this large, inside the cone of a local theorem unless its R is astronomic
  double growth = 30;  ///< of the norm, so that a rate can be measured
  int directions = 2;  ///< off the ray, for each angle
  std::int64_t iterations = 100'000;  ///< of a run from elsewhere
  std::int64_t longest = 10'000'000;  ///< of a run whose rate sets in late
  std::int64_t watched = 10'000;      ///< of constant steps, which watch the loss
  std::int64_t shown = 200;           ///< of a run whose limit is proved by its start
  std::optional<double> step = {};    ///< normalised, in place of the default
};

/// Products that an iteration takes, some thousand a microsecond: tokens by prompts, and prompts from W.
double iteration_work(const Problem& problem, Parametrisation parametrisation);

/// That of small data; large ones take shorter runs from nearer starts, in steps that are as long as the tight rows allow.
/// [docs/theory.md, Cone theorem]
DescentPace descent_pace(const ClaimContext& context, Parametrisation parametrisation, const DecidedSvm& direction);

}  // namespace attest
