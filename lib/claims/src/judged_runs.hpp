#pragma once

#include "limit_prover.hpp"
#include "run_judgement.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// What runs are made and judged for.
struct DescentQuestion {
  const ClaimContext& context;
  Parametrisation parametrisation;
  double q;
  const Selection& selection;
  DescentTheorem::Reach reach;
  const DescentPace& pace;
  bool stops;          ///< runs end where their limit is proved, and none is made longer to be seen at its rate
  bool shown = false;  ///< the limits are proved by the starts, and runs are for who looks at them
};

/// The main runs and what each says.
struct JudgedRuns {
  std::vector<ObservedRun> runs = {};
  std::vector<std::optional<LimitProof>> beforehand = {};  // looked for before the run was made; none where runs are watched in any case
  std::vector<RunJudgement> judged = {};
  std::vector<std::optional<EqualNorm>> at_equal_norm = {};  // of runs with constant steps
  std::vector<LimitProof> proofs = {};                       // one each, or none at all where none is asked for
  std::optional<LimitProof> from_everywhere = {};            // where the theorem speaks of any start
  std::vector<LimitProof> by_starts = {};                    // of constant steps from the same starts; empty unless all are proved
};

/// `beforehand`, where it is asked for, decides how long a run is.
JudgedRuns run_all(const DescentQuestion& question, DescentLaboratory& laboratory, const DescentPlan& plan,
                   const std::vector<Start>& starts);
/// The theorem speaks of constant steps: where a run takes long, its start alone is looked at first. Proofs of all of them, or none.
std::vector<LimitProof> prove_by_starts(const DescentQuestion& question, const DescentPlan& plan, double safe,
                                        const std::vector<Start>& starts);
/// Of the runs that were made, and from everywhere; what is proved outweighs what is seen.
void prove_limits(const DescentQuestion& question, const DescentPlan& plan, double safe, JudgedRuns& all);
/// Where a run is, for who reads on what is proved of it.
std::string place_text(const ObservedRun& observed);

}  // namespace attest
