#include "hypotheses.hpp"

#include "attest/base/bound_text.hpp"
#include "attest/base/tolerance.hpp"
#include "attest/exact/local_optimality.hpp"
#include "svm_words.hpp"
#include "weight_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace attest {
namespace {

/// What Assumption A came to, in words and as a certificate.
struct DescribeAssumption {
  const RationalInterval& interval;
  bool covers_scores;

  Decided operator()(const LossBounds& bounds) const {
    return decided_exactly(true,
                           fmt::format("l' <= {} < 0, |l'| <= M1 = {}, |l''| <= M0 = {}", text_above(bounds.slope_sup, 5),
                                       text_above(bounds.m1, 5), text_above(bounds.m0, 5)),
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
DecidedSvm describe_svm(Study& study, const std::shared_ptr<const SolvedSvm>& svm, const std::optional<certified::Solution>& v = {}) {
  if (const SvmUndecided* undecided = svm->undecided()) return {{.message = undecided->reason}, svm};
  if (const SvmInfeasible* infeasible = svm->infeasible())
    return {decided_exactly(false, infeasible_words(svm->program, *infeasible), certify_infeasible(svm->program, *infeasible, v)), svm};
  return {decided_exactly(true, solution_words(study, *svm), certify_optimal(svm->program, *svm->solution(), v)), svm};
}

/// The same by a bracket; `v` decides the support vectors, for the joint program.
DecidedSvm describe_svm(const std::shared_ptr<const BracketedSvm>& svm,
                        std::optional<std::variant<certified::Solution, certified::SupportBracket>> v = {}) {
  return {decided_exactly(true, bracket_words(*svm), certify_bracket(svm->program, svm->bracket, std::move(v))), nullptr, svm};
}

/// What decides the support vectors that a joint program was made with.
std::variant<certified::Solution, certified::SupportBracket> shown_support(const ClaimContext& context, const Selection& selection) {
  const auto bracketed = context.study.svm_bracket(SvmProgram::Kind::v, selection, context.budget);
  if (bracketed && bracketed->bracket.support_is_known()) return certify_support(bracketed->program, bracketed->bracket);
  const auto v = context.study.svm(SvmProgram::Kind::v, selection, context.budget);
  return certified_solution(v->program, *v->solution());
}

/// The joint program, when the v-SVM has no solution.
DecidedSvm without_v(Study& study, const std::shared_ptr<const SolvedSvm>& v) {
  DecidedSvm decided = describe_svm(study, v);
  decided.svm.reset();
  if (decided.verdict == Verdict::fails) decided.message = "the v-SVM is infeasible, so it has no support vectors; " + decided.message;
  return decided;
}

/// A bracket that is too wide says where the norm lies, but not that it is known.
Decided describe_nuclear(const NuclearSvm& svm) {
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

namespace {

Eigen::VectorXd image_of(const FractionVector& vector) {
  Eigen::VectorXd image(static_cast<Eigen::Index>(vector.numerators.size()));
  std::ranges::transform(vector.numerators, image.begin(),
                         [&](const Integer& entry) { return nearest_double(Rational(entry, vector.denominator)); });
  return image;
}

/// d x m numbers by rows.
Eigen::MatrixXd image_of(const std::vector<Rational>& by_rows, std::size_t columns) {
  Eigen::MatrixXd transposed(static_cast<Eigen::Index>(columns),
                             static_cast<Eigen::Index>(by_rows.size() / std::max<std::size_t>(columns, 1)));
  std::ranges::transform(by_rows, transposed.reshaped().begin(), nearest_double);
  return transposed.transpose();
}

}  // namespace

// A matrix W = sum q_k z_k^T is multiplied in doubles: exactly it would take n d^2 products of long integers.
Eigen::VectorXd solution_image(const BracketedSvm& svm) {
  if (svm.program.kind() != SvmProgram::Kind::w) {
    const std::vector<double> image = point_image(svm.bracket);
    return Eigen::Map<const Eigen::VectorXd>(image.data(), static_cast<Eigen::Index>(image.size()));
  }
  const auto d = static_cast<Eigen::Index>(svm.program.dimension());
  const std::vector<double> point = point_image(svm.bracket);  // q_1, q_2, …
  const auto count = static_cast<Eigen::Index>(point.size()) / d;
  Eigen::MatrixXd queries(d, count);
  for (Eigen::Index k = 0; k < count; ++k) queries.col(k) = image_of(svm.program.query(static_cast<std::size_t>(k)));
  return (queries * Eigen::Map<const Eigen::MatrixXd>(point.data(), d, count).transpose()).reshaped();
}

Eigen::VectorXd DecidedSvm::solution() const { return bracket ? solution_image(*bracket) : solution_image(*svm); }

bool DecidedSvm::degenerate() const {
  return bracket ? bracket->bracket.possible.size() > bracket->bracket.multipliers.size() : svm->degenerate();
}

SvmProof demanded_proof(const ClaimRequest& request) {
  const auto* exact = request.find<bool>("exact");
  return exact && *exact ? SvmProof::exact : SvmProof::any;
}

DecidedSvm decide_svm(const ClaimContext& context, SvmProgram::Kind kind, const Selection& selection, SvmProof proof) {
  if (proof == SvmProof::any)
    if (const auto bracketed = context.study.svm_bracket(kind, selection, context.budget))
      return kind == SvmProgram::Kind::joint ? describe_svm(bracketed, shown_support(context, selection)) : describe_svm(bracketed);
  if (kind != SvmProgram::Kind::joint) return describe_svm(context.study, context.study.svm(kind, selection, context.budget));
  const auto v = context.study.svm(SvmProgram::Kind::v, selection, context.budget);
  if (!v->solution()) return without_v(context.study, v);
  return describe_svm(context.study, context.study.svm(kind, selection, context.budget), certified_solution(v->program, *v->solution()));
}

Eigen::VectorXd DecidedNuclear::solution() const {
  const NuclearBracket& bracket = *svm->bracket;
  const auto d = static_cast<Eigen::Index>(svm->program.dimension());
  if (bracket.columns == 0) return Eigen::VectorXd::Zero(d * d);
  return (image_of(bracket.B, bracket.columns) * image_of(bracket.A, bracket.columns).transpose()).reshaped();
}

DecidedNuclear decide_nuclear(const ClaimContext& context, const Selection& selection) {
  const auto svm = context.study.nuclear_svm(selection, context.budget);
  if (svm->bracket) return {describe_nuclear(*svm), svm};
  // Both norms have the same rows, so the Frobenius program decides whether there is a matrix at all.
  if (!context.budget.spent() && context.study.svm_bracket(SvmProgram::Kind::w, selection, context.budget))
    return {{.message = "feasible, but no bracket of the nuclear norm was found"}, svm};
  const auto frobenius = context.study.svm(SvmProgram::Kind::w, selection, context.budget);
  if (frobenius->infeasible()) return {describe_svm(context.study, frobenius), svm};
  return {{.message = context.budget.spent() ? "the time was up before a bracket was found" : "no bracket was found"}, svm};
}

DecidedSvm decide_direction(const ClaimContext& context, SvmProgram::Kind kind, const Selection& selection, SvmProof proof) {
  DecidedSvm decided = decide_svm(context, kind, selection, proof);
  if (decided.verdict == Verdict::holds && decided.svm && decided.svm->solution()->objective == 0) {
    decided.verdict = Verdict::fails;  // its certificate is svm-optimal, objective 0
    decided.message = "its solution is 0, so there is no direction: no sample that counts has two tokens";
    decided.obstacle = Obstacle::zero_solution;
  }
  return decided;
}

DecidedSvm decide_direction(const ClaimContext& context, Parametrisation parametrisation, const Selection& selection, SvmProof proof) {
  return decide_direction(context, parametrisation == Parametrisation::weights ? SvmProgram::Kind::w : SvmProgram::Kind::p, selection,
                          proof);
}

HypothesisId feasible_svm(Parametrisation parametrisation) {
  return parametrisation == Parametrisation::weights ? HypothesisId::feasible_w_svm : HypothesisId::feasible_p_svm;
}

namespace {

/// From a bracket: no row that may be tight scores as much as the selected token, or one that is tight does. None where a row that only may
/// be tight does: the exact solution must tell. [docs/theory.md, section 2, Bracket]
std::optional<DecidedOptimum> decide_by_bracket(const std::shared_ptr<const BracketedSvm>& svm, const Scores& scores) {
  const auto& [program, hint, bracket] = *svm;
  std::vector<std::size_t> rivals;
  std::ranges::copy_if(bracket.possible, std::back_inserter(rivals),
                       [&](std::size_t row) { return !selected_outscores(program, row, scores); });
  if (rivals.empty())
    return DecidedOptimum{
        decided_exactly(true, fmt::format("scores more than its neighbours, which are among {}", row_list(program, bracket.possible)),
                        certify_locally_optimal(program, bracket)),
        svm};
  for (const std::size_t row : rivals) {
    const auto direction = show_tight(program, hint, bracket, row);
    if (!direction) continue;
    const RowName name = program.name(row);
    return DecidedOptimum{
        decided_exactly(false, fmt::format("neighbour [{},{}] scores at least as much as the selected token", name.sample, name.token),
                        certify_outscored(program, bracket, row, *direction)),
        svm, name};
  }
  return std::nullopt;
}

}  // namespace

DecidedOptimum decide_local_optimality(const ClaimContext& context, Parametrisation parametrisation, const Selection& selection,
                                       SvmProof proof) {
  const bool weights = parametrisation == Parametrisation::weights;
  if (proof == SvmProof::any)
    if (const auto bracketed = context.study.svm_bracket(parametrisation, selection, context.budget))
      if (const auto decided = decide_by_bracket(bracketed, context.study.scores())) return *decided;
  const auto svm = context.study.svm(parametrisation, selection, context.budget);
  if (const SvmUndecided* undecided = svm->undecided()) return {{.message = undecided->reason}};
  const SvmProgram& program = svm->program;
  if (const SvmInfeasible* infeasible = svm->infeasible()) {
    Decided decided =
        decided_exactly(false, weights ? "its W-SVM is infeasible" : "its p-SVM is infeasible", certify_no_optimum(program, *infeasible));
    decided.obstacle = Obstacle::infeasible_svm;
    return {std::move(decided)};
  }
  const SvmSolution& solution = *svm->solution();
  const Scores& scores = context.study.scores();
  if (const auto neighbour = outscoring_neighbour(program, solution, scores)) {
    const auto [i, t] = *neighbour;
    const std::string_view than = weights ? "at least as much as" : scores[i][t] == scores[i][selection[i]] ? "as much as" : "more than";
    return {decided_exactly(false, fmt::format("neighbour [{},{}] scores {} the selected token", i, t, than),
                            certify_outscored(program, solution, *neighbour)),
            nullptr, *neighbour};
  }
  const bool no_rows = solution.support.empty() && !weights;
  return {decided_exactly(true, no_rows ? "the p-SVM has no rows, so there is no neighbour" : neighbours_words(program, solution),
                          certify_locally_optimal(program, solution))};
}

}  // namespace attest
