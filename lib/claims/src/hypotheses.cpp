#include "hypotheses.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/exact/local_optimality.hpp"
#include "svm_words.hpp"
#include "weight_numbers.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

/// What Assumption A came to, in words and as a certificate.
struct DescribeAssumption {
  const RationalInterval& interval;
  bool covers_scores;

  Decided operator()(const LossBounds& bounds) const {
    return decided_exactly(true,
                           fmt::format("l' <= {:.5g} < 0, |l'| <= M1 = {:.5g}, |l''| <= M0 = {:.5g}", upper_double(bounds.slope_sup),
                                       upper_double(bounds.m1), upper_double(bounds.m0)),
                           certified::LossBounds{interval, bounds.slope_sup, bounds.m0, bounds.m1, covers_scores, bounds.cuts});
  }
  Decided operator()(const LossNotDecreasing& refuted) const {
    return decided_exactly(
        false,
        fmt::format("the loss does not decrease strictly: l({:.6g}) <= l({:.6g})", nearest_double(refuted.a), nearest_double(refuted.b)),
        certified::LossNotDecreasing{interval, refuted.a, refuted.b, covers_scores, refuted.by_slope});
  }
  Decided operator()(const FlatScore& flat) const {
    return decided_exactly(
        false,
        fmt::format("l' >= 0 at u = {:.6g}, the largest score of sample {} (token {}): strictly decreasing is not enough there",
                    nearest_double(flat.at), flat.sample, flat.token),
        certified::LossFlat{flat.sample, flat.token, flat.at, flat.exactly});
  }
  Decided operator()(const LossUndecided& undecided) const { return {.message = undecided.reason}; }
};

/// `v` is the solution of the v-SVM, for the joint program.
DecidedSvm describe(Study& study, const std::shared_ptr<const SolvedSvm>& svm, const std::optional<certified::Solution>& v = {}) {
  if (const SvmUndecided* undecided = svm->undecided()) return {{.message = undecided->reason}, svm};
  if (const SvmInfeasible* infeasible = svm->infeasible())
    return {decided_exactly(false, infeasible_words(svm->program, *infeasible), certify_infeasible(svm->program, *infeasible, v)), svm};
  return {decided_exactly(true, solution_words(study, *svm), certify_optimal(svm->program, *svm->solution(), v)), svm};
}

/// The joint program, when the v-SVM has no solution.
DecidedSvm without_v(Study& study, const std::shared_ptr<const SolvedSvm>& v) {
  DecidedSvm decided = describe(study, v);
  decided.svm.reset();
  if (decided.verdict == Verdict::fails) decided.message = "the v-SVM is infeasible, so it has no support vectors; " + decided.message;
  return decided;
}

/// A bracket that is too wide says where the norm lies, but not that it is known.
Decided describe(const NuclearSvm& svm) {
  const NuclearBracket& bracket = *svm.bracket;
  const Rational gap = bracket.relative_gap();
  const bool close = gap <= exact_value(nuclear_gap_tolerance.relative);
  return {.verdict = close ? Verdict::holds : Verdict::undecided,
          .grade = close ? Grade::proved : Grade::observed,
          .message = fmt::format("nuclear norm {:.10g}, bracket {} relative {:.1e}, rank {}", nearest_double(bracket.upper),
                                 close ? "proved," : "too wide,", upper_double(gap), numerical_rank(svm.guess.spectrum)),
          .certificate = certify_bracket(svm.program, bracket)};
}

}  // namespace

Decided describe(const AssumptionA& assumption, const RationalInterval& interval, bool covers_scores) {
  return std::visit(DescribeAssumption{interval, covers_scores}, assumption);
}

Decided decide_assumption_a(const ClaimContext& context) {
  return describe(context.study.assumption_a(context.budget), context.study.score_interval(), true);
}

Decided describe(const GlobalOptimality& found, const Selection& selection, bool demand_unique) {
  if (!(demand_unique ? found.unique : found.optimal))
    return decided_exactly(false,
                           fmt::format("token {} of sample {} scores {}", found.token, found.sample,
                                       found.gap->is_zero() ? "the same" : "more than the selected one"),
                           certified::NotGloballyOptimal{selection, demand_unique, found.sample, found.token});
  return decided_exactly(true,
                         !found.gap     ? "every sample has one token"
                         : found.unique ? fmt::format("unique; the closest score is {:.6g} below", nearest_double(*found.gap))
                                        : fmt::format("optimal but not unique: token {} of sample {} ties", found.token, found.sample),
                         certified::GloballyOptimal{selection, found.unique, found.gap});
}

Decided decide_unique_optimum(const ClaimContext& context, const Selection& selection) {
  return describe(decide_global_optimality(context.study.scores(), selection), selection, true);
}

Eigen::VectorXd solution_image(const SolvedSvm& svm) {
  const bool weights = svm.program.kind() == SvmProgram::Kind::w;
  const std::vector<Rational> exact = weights ? weight_matrix(svm.program, *svm.solution()) : svm.solution()->w;
  Eigen::VectorXd image(static_cast<Eigen::Index>(exact.size()));
  for (std::size_t k = 0; k < exact.size(); ++k) image(static_cast<Eigen::Index>(k)) = nearest_double(exact[k]);
  return image;
}

Eigen::VectorXd DecidedSvm::solution() const { return solution_image(*svm); }

DecidedSvm decide_svm(const ClaimContext& context, SvmProgram::Kind kind, const Selection& selection) {
  if (kind != SvmProgram::Kind::joint) return describe(context.study, context.study.svm(kind, selection, context.budget));
  const auto v = context.study.svm(SvmProgram::Kind::v, selection, context.budget);
  if (!v->solution()) return without_v(context.study, v);
  return describe(context.study, context.study.svm(kind, selection, context.budget), certified_solution(v->program, *v->solution()));
}

Eigen::VectorXd DecidedNuclear::solution() const {
  const NuclearBracket& bracket = *svm->bracket;
  const std::size_t d = svm->program.dimension();
  Eigen::VectorXd image(static_cast<Eigen::Index>(d * d));
  for (std::size_t r = 0; r < d; ++r)
    for (std::size_t c = 0; c < d; ++c) {
      double entry = 0;
      for (std::size_t k = 0; k < bracket.columns; ++k)
        entry += nearest_double(bracket.A[r * bracket.columns + k]) * nearest_double(bracket.B[c * bracket.columns + k]);
      image(static_cast<Eigen::Index>(r * d + c)) = entry;
    }
  return image;
}

DecidedNuclear decide_nuclear(const ClaimContext& context, const Selection& selection) {
  const auto svm = context.study.nuclear_svm(selection, context.budget);
  if (svm->bracket) return {describe(*svm), svm};
  // Both norms have the same rows, so the Frobenius program decides whether there is a matrix at all.
  const auto frobenius = context.study.svm(SvmProgram::Kind::w, selection, context.budget);
  if (frobenius->infeasible()) return {describe(context.study, frobenius), svm};
  return {{.message = context.budget.spent() ? "the time was up before a bracket was found" : "no bracket was found"}, svm};
}

DecidedSvm decide_direction(const ClaimContext& context, SvmProgram::Kind kind, const Selection& selection) {
  DecidedSvm decided = decide_svm(context, kind, selection);
  if (decided.verdict == Verdict::holds && decided.svm->solution()->objective == 0) {
    decided.verdict = Verdict::fails;  // its certificate is svm-optimal, objective 0
    decided.message = "its solution is 0, so there is no direction: no sample that counts has two tokens";
    decided.obstacle = Obstacle::zero_solution;
  }
  return decided;
}

DecidedSvm decide_direction(const ClaimContext& context, Parametrisation parametrisation, const Selection& selection) {
  return decide_direction(context, parametrisation == Parametrisation::weights ? SvmProgram::Kind::w : SvmProgram::Kind::p, selection);
}

HypothesisId feasible_svm(Parametrisation parametrisation) {
  return parametrisation == Parametrisation::weights ? HypothesisId::feasible_w_svm : HypothesisId::feasible_p_svm;
}

Decided decide_local_optimality(const ClaimContext& context, Parametrisation parametrisation, const Selection& selection) {
  const bool weights = parametrisation == Parametrisation::weights;
  const auto svm = context.study.svm(parametrisation, selection, context.budget);
  if (const SvmUndecided* undecided = svm->undecided()) return {.message = undecided->reason};
  const SvmProgram& program = svm->program;
  if (const SvmInfeasible* infeasible = svm->infeasible()) {
    Decided decided =
        decided_exactly(false, weights ? "its W-SVM is infeasible" : "its p-SVM is infeasible", certify_no_optimum(program, *infeasible));
    decided.obstacle = Obstacle::infeasible_svm;
    return decided;
  }
  const SvmSolution& solution = *svm->solution();
  const Scores& scores = context.study.scores();
  if (const auto neighbour = outscoring_neighbour(program, solution, scores)) {
    const auto [i, t] = *neighbour;
    const std::string_view than = weights ? "at least as much as" : scores[i][t] == scores[i][selection[i]] ? "as much as" : "more than";
    return decided_exactly(false, fmt::format("neighbour [{},{}] scores {} the selected token", i, t, than),
                           certify_outscored(program, solution, *neighbour));
  }
  const bool no_rows = solution.support.empty() && !weights;
  return decided_exactly(true, no_rows ? "the p-SVM has no rows, so there is no neighbour" : neighbours_words(program, solution),
                         certify_locally_optimal(program, solution));
}

}  // namespace attest
