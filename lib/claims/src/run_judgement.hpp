#pragma once

#include "descent_theorem.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// What a run, or several together, say of a claim.
struct RunJudgement {
  Verdict verdict;
  std::string text;
  Grade grade = Grade::observed;
};

/// None where the path's minimiser is not verified.
std::optional<EqualNorm> compare_at_equal_norm(const ClaimContext& context, const ObservedRun& observed, bool local,
                                               Parametrisation parametrisation);

/// `safe`: the step is one for which theory promises that the loss never increases.
RunJudgement judge_constant(const ObservedRun& observed, const Selection& selection, const std::optional<EqualNorm>& equal, bool safe);
/// Of steps of another kind, from a start at this angle to the ray.
RunJudgement judge_run(const ObservedRun& observed, const Selection& selection, DescentTheorem::Reach reach, double angle);
/// The verdict of several runs: the first that provably fails, else the first that fails, else the first that is open.
void keep_worse(RunJudgement& kept, const RunJudgement& one, std::size_t index);
/// The run with the largest direction error.
std::size_t worst_of(const std::vector<ObservedRun>& runs);

}  // namespace attest
