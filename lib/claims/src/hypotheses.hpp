#pragma once

#include "attest/claims/claim.hpp"

#include <Eigen/Core>

#include <memory>

namespace attest {

// How the hypotheses of theorems are decided: by asking the study.

/// Assumption A as it was decided on the interval, which the scores span or a claim gives.
Decided describe(const AssumptionA& assumption, const RationalInterval& interval, bool covers_scores);
/// On the interval of the scores.
Decided decide_assumption_a(const ClaimContext& context);

/// Global optimality as it was decided of the selection, alone or not.
Decided describe(const GlobalOptimality& found, const Selection& selection, bool demand_unique);
/// The selection is globally optimal, alone.
Decided decide_unique_optimum(const ClaimContext& context, const Selection& selection);

/// How an SVM is to be decided: by a bracket where one costs less, or by its exact solution.
enum class SvmProof { any, exact };
/// `exact`, if the claim's parameter of that name is true.
SvmProof demanded_proof(const ClaimRequest& request);

/// An SVM as a hypothesis.
struct DecidedSvm : Decided {
  std::shared_ptr<const SolvedSvm> svm;              ///< none of a joint program without a v-SVM, and none beside a bracket
  std::shared_ptr<const BracketedSvm> bracket = {};  ///< never of an exact proof

  /// p^mm, or W^mm by rows, as doubles. Needs a solution or a bracket.
  Eigen::VectorXd solution() const;
  /// A tight row has, or may have, multiplier 0. Needs a solution or a bracket.
  bool degenerate() const;
};
/// It has a solution.
DecidedSvm decide_svm(const ClaimContext& context, SvmProgram::Kind kind, const Selection& selection, SvmProof proof = SvmProof::any);
/// It has a solution, and that is not 0: a direction.
DecidedSvm decide_direction(const ClaimContext& context, SvmProgram::Kind kind, const Selection& selection, SvmProof proof = SvmProof::any);
DecidedSvm decide_direction(const ClaimContext& context, Parametrisation parametrisation, const Selection& selection,
                            SvmProof proof = SvmProof::any);
/// The hypothesis that this is: "feasible p-SVM" or "feasible W-SVM".
HypothesisId feasible_svm(Parametrisation parametrisation);

/// The nuclear W-SVM as a hypothesis.
struct DecidedNuclear : Decided {
  std::shared_ptr<const NuclearSvm> svm;

  /// W = A B^T by rows, as doubles. Needs a bracket.
  Eigen::VectorXd solution() const;
};
/// It has a solution, whose norm lies in a proved bracket that is narrow enough.
DecidedNuclear decide_nuclear(const ClaimContext& context, const Selection& selection);

/// Local optimality, and what decided it.
struct DecidedOptimum : Decided {
  std::shared_ptr<const BracketedSvm> bracket = {};  ///< none where the exact solution decided
  std::optional<RowName> rival = {};                 ///< a neighbour that scores at least as much
};
/// The selection scores more than its neighbours in the p-SVM or the W-SVM. [MM, Def. 2; TS]
DecidedOptimum decide_local_optimality(const ClaimContext& context, Parametrisation parametrisation, const Selection& selection,
                                       SvmProof proof = SvmProof::any);

/// The doubles nearest to a solution, or to the point of a bracket; W by rows.
Eigen::VectorXd solution_image(const SolvedSvm& svm);
Eigen::VectorXd solution_image(const BracketedSvm& svm);

}  // namespace attest
