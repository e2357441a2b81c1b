#pragma once

#include "attest/base/progress.hpp"
#include "attest/exact/assumption_b.hpp"
#include "attest/exact/census.hpp"
#include "attest/exact/curvature.hpp"
#include "attest/exact/descent_limit.hpp"
#include "attest/exact/flat_score.hpp"
#include "attest/exact/global_optimality.hpp"
#include "attest/exact/largest_margin.hpp"
#include "attest/exact/loss_bounds.hpp"
#include "attest/exact/nuclear_bracket.hpp"
#include "attest/exact/svm.hpp"
#include "attest/exact/svm_bracket.hpp"
#include "attest/model/parametrisation.hpp"
#include "attest/solve/lq_svm.hpp"
#include "attest/solve/nuclear_guess.hpp"

#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace attest {

/// A program of the study and what became of it.
struct SolvedSvm {
  SvmProgram program;  ///< refers to the study's tokens
  SvmOutcome outcome;

  const SvmSolution* solution() const { return std::get_if<SvmSolution>(&outcome); }
  const SvmInfeasible* infeasible() const { return std::get_if<SvmInfeasible>(&outcome); }
  const SvmUndecided* undecided() const { return std::get_if<SvmUndecided>(&outcome); }
  /// A tight row has multiplier 0. Needs a solution.
  bool degenerate() const { return solution()->support.size() > solution()->multipliers.size(); }
};

/// A program of the study whose minimiser lies within proved bounds.
struct BracketedSvm {
  SvmProgram program;  ///< refers to the study's tokens
  BracketHint hint;
  SvmBracket bracket;
};

/// The nuclear W-SVM: solved in floating point, bracketed exactly where that worked.
struct NuclearSvm {
  SvmProgram program;
  NuclearGuess guess;
  std::optional<NuclearBracket> bracket;
};

/// Assumption A on the interval that the scores span. [docs/theory.md, section 1]
using AssumptionA = std::variant<LossBounds, LossNotDecreasing, FlatScore, LossUndecided>;

/// From which starts a limit of descent is to be proved.
enum class LimitStarts { given, all };

/// What is known of a problem. Each question is answered once and the answer kept: claims of one case ask the same study. What is
/// undecided, for want of time, is not kept: who asks next may have more.
class Study {
 public:
  explicit Study(Problem problem);
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;

  const Problem& problem() const { return problem_; }
  const ExactTokens& tokens() const { return tokens_; }

  // With v.
  const Scores& scores();
  /// The selection of the largest scores.
  const Selection& best();
  /// I = [min gamma, max gamma]: where Y_i f_i lies for every p. [docs/theory.md, section 1]
  RationalInterval score_interval();
  AssumptionA assumption_a(const Budget& budget);
  /// L_p, or L_W, with the proved M0 and M1; none when Assumption A is not proved. [MM; TS]
  std::optional<double> lipschitz(Parametrisation parametrisation, const Budget& budget);
  /// A proved bound of the Hessian of L over p, or W; none when Assumption A is not proved or the data are too large for doubles.
  std::shared_ptr<const CurvatureBound> curvature(Parametrisation parametrisation, const Budget& budget);
  /// Every locally optimal selection.
  std::shared_ptr<const Census> census(const Budget& budget, const Progress& progress);

  /// p, v or w; joint once the v-SVM of the selection is solved.
  std::shared_ptr<const SolvedSvm> svm(SvmProgram::Kind kind, const Selection& selection, const Budget& budget);
  std::shared_ptr<const SolvedSvm> svm(Parametrisation parametrisation, const Selection& selection, const Budget& budget) {
    return svm(parametrisation == Parametrisation::weights ? SvmProgram::Kind::w : SvmProgram::Kind::p, selection, budget);
  }
  /// Bounds of the minimiser in place of the minimiser, for programs that are so large (`most_exact_rows`) that these cost less. None for
  /// smaller ones, and where no narrow bracket is found: then `svm` decides. [docs/theory.md, section 2, Bracket]
  std::shared_ptr<const BracketedSvm> svm_bracket(SvmProgram::Kind kind, const Selection& selection, const Budget& budget);
  std::shared_ptr<const BracketedSvm> svm_bracket(Parametrisation parametrisation, const Selection& selection, const Budget& budget) {
    return svm_bracket(parametrisation == Parametrisation::weights ? SvmProgram::Kind::w : SvmProgram::Kind::p, selection, budget);
  }
  /// What only the exact solution can answer: none where its bracket has so many multipliers that it is out of reach.
  std::shared_ptr<const SolvedSvm> svm_within_reach(Parametrisation parametrisation, const Selection& selection, const Budget& budget);
  /// The samples whose row of the v-SVM is tight; none when that is infeasible or not decided.
  std::optional<std::vector<bool>> support_vectors(const Selection& selection, const Budget& budget);
  /// The exact rank of a solution of the W-SVM.
  std::size_t weight_rank(const SolvedSvm& weights);
  std::shared_ptr<const NuclearSvm> nuclear_svm(const Selection& selection, const Budget& budget);
  /// The point of least q-norm that satisfies the rows of the p-SVM, which must have a solution other than 0. [MD]
  std::shared_ptr<const LqSvmSolution> lq_svm(double q, const Selection& selection, const Budget& budget);

  /// Whether the run provably has |p| -> infinity and converges to the direction of the selection's SVM: by an iterate of the first
  /// `most_iterations`; from every start by the basin theorem alone. Open where that SVM has no proved direction or Assumption A is not
  /// proved. [docs/theory.md, Basin theorem, Cone theorem, Wedge theorem]
  std::shared_ptr<const LimitOutcome> limit(const Selection& selection, const DescentRule& run, LimitStarts starts,
                                            std::size_t most_iterations, const Budget& budget);

  /// The selection with the largest label margin.
  LargestMargin largest_margin(const Budget& budget, const Progress& progress);
  std::shared_ptr<const AssumptionBOutcome> assumption_b(const Selection& selection, AttentionOver over, const Budget& budget,
                                                         const Progress& progress);

 private:
  /// Parametrisation, selection, rule, step, start (none: all) and how many iterates were looked at.
  using LimitKey = std::tuple<Parametrisation, Selection, StepRule, Rational, std::optional<std::vector<Rational>>, std::size_t>;

  LimitOutcome prove(const Selection& selection, const DescentRule& run, LimitStarts starts, std::size_t most_iterations,
                     const Budget& budget);
  std::optional<SvmProgram> program(SvmProgram::Kind kind, const Selection& selection, const Budget& budget);

  Problem problem_;
  ExactTokens tokens_;
  std::optional<Scores> scores_;
  std::optional<Selection> best_;
  std::optional<AssumptionA> assumption_a_;
  std::map<Parametrisation, double> lipschitz_;
  std::map<Parametrisation, std::shared_ptr<const CurvatureBound>> curvatures_;
  std::shared_ptr<const Census> census_;
  std::map<std::pair<SvmProgram::Kind, Selection>, std::shared_ptr<const SolvedSvm>> svms_;
  std::map<std::pair<SvmProgram::Kind, Selection>, std::shared_ptr<const BracketedSvm>> brackets_;
  std::map<Selection, std::size_t> weight_ranks_;
  std::map<Selection, std::shared_ptr<const NuclearSvm>> nuclear_svms_;
  std::map<std::pair<double, Selection>, std::shared_ptr<const LqSvmSolution>> lq_svms_;
  std::map<LimitKey, std::shared_ptr<const LimitOutcome>> limits_;
  std::optional<LargestMargin> largest_margin_;
  std::map<std::pair<AttentionOver, Selection>, std::shared_ptr<const AssumptionBOutcome>> assumptions_b_;
};

}  // namespace attest
