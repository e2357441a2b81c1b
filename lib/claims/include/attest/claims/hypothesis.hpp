#pragma once

#include "attest/base/verdict.hpp"
#include "attest/certificate/certified.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace attest {

/// What a theorem may ask for.
enum class HypothesisId {
  assumption_a,
  logistic_loss,
  unique_optimum,
  feasible_p_svm,
  feasible_w_svm,
  feasible_v_svm,
  feasible_joint_svm,
  locally_optimal,
  equal_scores,
  start_in_basin,
  safe_step,
  better_neighbour,
  independent_rows,
  assumption_b,
  slack_tokens,
  growth,
  head_bounds,
};
/// As reports call it: "feasible p-SVM".
std::string_view name_of(HypothesisId id);

/// Why a hypothesis does not hold, as far as the advice is another.
enum class Obstacle {
  none,
  zero_solution,    ///< the SVM's solution is 0: no sample that counts has two tokens
  infeasible_svm,   ///< of the SVM that the hypothesis speaks about, which is a hypothesis of its own
  no_label_margin,  ///< the v-SVM is infeasible, which is a hypothesis of its own
};

/// How a hypothesis, or any question on the way to a finding, was decided.
struct Decided {
  Verdict verdict = Verdict::undecided;
  Grade grade = Grade::observed;
  std::string message = {};
  std::optional<Certificate> certificate = {};  ///< of what is proved
  Obstacle obstacle = Obstacle::none;
};
/// In exact arithmetic, with what shows it.
Decided decided_exactly(bool holds, std::string message, Certificate evidence);

/// One hypothesis of a theorem, decided on the data.
struct Hypothesis {
  HypothesisId id;
  Verdict verdict;
  Grade grade;
  std::string message;
  Obstacle obstacle = Obstacle::none;
  std::optional<Certificate> certificate = {};  ///< of one that is proved
};

/// What can be changed when a hypothesis fails. Empty: nothing is wrong with the data then, or another hypothesis says it.
std::string_view remedy_of(HypothesisId id, Obstacle obstacle);

}  // namespace attest
