#include "attest/exact/sparsity.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/exact/certificates.hpp"
#include "attest/solve/sparsity_guess.hpp"
#include "claim_list.hpp"
#include "hypotheses.hpp"
#include "over.hpp"
#include "seconds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

/// The least norm is known when its proved bounds are this close, of the upper one.
constexpr RelativeTolerance sparsity_gap_tolerance{1e-6};

struct Numbers {
  Rational epsilon;
  std::optional<SparsityBracket> bracket = {};
  std::optional<double> insight = {};

  /// upper - lower, of upper.
  double gap() const { return bracket->upper.is_zero() ? 0 : upper_double(1 - bracket->lower / bracket->upper); }

  void write(Fields& out) const {
    out("epsilon", nearest_double(epsilon));
    if (!bracket) return;
    out("lower", bracket->lower.is_zero() ? 0 : lower_double(bracket->lower))("upper", upper_double(bracket->upper))("gap", gap())(
        "gap_tolerance", sparsity_gap_tolerance.relative)("insight", insight);
  }
};

Finding about(const ClaimContext& context, Verdict verdict, std::string message) {
  Finding finding;
  finding.verdict = verdict;
  finding.message = std::move(message);
  finding.selection = context.selection_or_best();
  return finding;
}

Finding conclude(const ClaimContext& context, const SvmProgram& program, Numbers& numbers, SparsityBracket bracket) {
  const bool weights = program.kind() == SvmProgram::Kind::w;
  numbers.bracket = bracket;
  const bool close = numbers.gap() <= sparsity_gap_tolerance.relative;
  Finding finding = about(context, close ? Verdict::holds : Verdict::undecided,
                          fmt::format("least norm {:.10g}, bracket {} relative {:.1e}", upper_double(bracket.upper),
                                      close ? "proved," : "too wide,", numbers.gap()));
  if (close) finding.grade = Grade::proved;
  finding.certificate = certified::SparsityNorm{weights ? Parametrisation::weights : Parametrisation::prompt,
                                                program.selection(),
                                                numbers.epsilon,
                                                bracket.lower,
                                                bracket.upper,
                                                certified_multipliers(program, bracket.weights),
                                                certified_multipliers(program, bracket.point)};
  return finding;
}

std::vector<double> images(const SvmProgram& program, const std::vector<Multiplier>& multipliers) {
  std::vector<double> by_row(program.row_count(), 0);
  for (const auto& [row, weight] : multipliers) by_row[row] = nearest_double(weight);
  return by_row;
}

std::vector<Multiplier> exact_weights(const std::vector<double>& by_row) {
  std::vector<Multiplier> weights;
  for (std::size_t row = 0; row < by_row.size(); ++row)
    if (by_row[row] > 0 && std::isfinite(by_row[row])) weights.push_back({row, exact_value(by_row[row])});
  return weights;
}

/// `objective`: 1/2 |p^mm|^2, or less.
Finding decide_feasible(const ClaimContext& context, const SvmProgram& program, const Rational& objective,
                        const std::vector<Multiplier>& multipliers, Numbers& numbers) {
  numbers.insight = lower_double(sparsity_insight(2 * objective, numbers.epsilon));
  const std::vector<Multiplier> weights =
      exact_weights(guess_sparsity(program, nearest_double(numbers.epsilon), images(program, multipliers), context.budget));
  if (auto bracket = bracket_sparsity(program, numbers.epsilon, weights, weights))
    return conclude(context, program, numbers, *std::move(bracket));
  return about(context, Verdict::undecided, context.budget.spent() ? "the time was up before a bracket was found" : "no bracket was found");
}

Finding decide_infeasible(const ClaimContext& context, Parametrisation over, const SolvedSvm& svm, const Numbers& numbers) {
  const std::vector<Multiplier>& farkas = svm.infeasible()->multipliers;
  if (!excludes_sparsity(svm.program, numbers.epsilon, farkas))
    return about(context, Verdict::undecided, "the SVM is infeasible, which does not exclude attention as weak as this");
  Finding finding = about(context, Verdict::fails, "rows contradict each other: no norm gives every selected token so much attention");
  finding.grade = Grade::proved;
  finding.certificate =
      certified::SparsityInfeasible{over, svm.program.selection(), numbers.epsilon, certified_multipliers(svm.program, farkas)};
  return finding;
}

Finding decide(const ClaimContext& context, Numbers& numbers) {
  if (!(numbers.epsilon < 1)) return about(context, Verdict::inapplicable, "epsilon must be below 1");
  const Parametrisation over = over_of(context.request);
  const Selection selection = context.selection_or_best();
  const SvmProgram program = over == Parametrisation::weights ? SvmProgram::w_svm(context.study.tokens(), selection)
                                                              : SvmProgram::p_svm(context.study.tokens(), selection);
  // Without rows, or where equal attention is enough, 0 does.
  if (auto bracket = bracket_sparsity(program, numbers.epsilon, {}, {})) return conclude(context, program, numbers, *std::move(bracket));
  if (const auto bracketed = context.study.svm_bracket(over, selection, context.budget))
    return decide_feasible(context, program, bracketed->bracket.lower, bracketed->bracket.multipliers, numbers);
  const auto svm = context.study.svm(over, selection, context.budget);
  if (const SvmUndecided* undecided = svm->undecided()) return about(context, Verdict::undecided, undecided->reason);
  if (const SvmSolution* solution = svm->solution())
    return decide_feasible(context, program, solution->objective, solution->multipliers, numbers);
  return decide_infeasible(context, over, *svm, numbers);
}

Finding check(const ClaimContext& context) {
  const auto* given = context.request.find<Rational>("epsilon");
  Numbers numbers{given ? *given : Rational(1, 10)};
  Finding finding = decide(context, numbers);
  finding.evidence = numbers;
  return finding;
}

/// Newton steps of a convex program, beside the SVM: dense ones, or in many dimensions by products with all rows.
double seconds(const ProblemSize& size) { return size.rows * size.dimension * std::min(2e-8 * size.dimension, 2e-6); }

}  // namespace

Claim sparsity_norm_claim() {
  return {
      .schema = {"sparsity-norm",
                 {{"selection", ParameterKind::selection, false, "one token a sample", {}, "the largest scores"},
                  {"epsilon", ParameterKind::positive, false, "the attention that other tokens may keep, below 1", {}, "0.1"},
                  over_parameter()},
                 {{"v", "selection"}}},
      .title = "Sparsity and norm",
      .summary = "the least norm for attention 1 - epsilon, bracketed",
      .source = "[MM], bracket ours",
      .words = "Attention of 1 - ε to every selected token takes a norm, and this is the least one.",
      .formula = R"(\min \|p\| \quad \text{subject to} \quad \mathrm{softmax}(K_i p)_{\alpha_i} \ge 1 - \epsilon \quad \forall i)",
      .text =
          "The least norm of a p (or W, Frobenius) whose attention to the selected token of every sample is at least 1 - epsilon. It is "
          "the value of a convex program, which is solved in floating point; its point gives an upper bound and its weights, by duality, "
          "a lower one, both shown in ball arithmetic. [MM] has the lower bound insight.\n"
          "Holds, proved: the bounds differ by at most 1e-6 of the upper one (certificate sparsity-norm).\n"
          "Fails, proved: no p has this attention (certificate sparsity-infeasible); so it is for every epsilon below 1/2 when the SVM is "
          "infeasible.\n"
          "Undecided: the bracket is wider, or the SVM is infeasible and epsilon so large that this does not matter. Inapplicable: epsilon "
          "is not below 1.",
      .numbers = {{"epsilon", "the attention that other tokens may keep"},
                  {"lower", "lower bound of the least norm, rounded downwards"},
                  {"upper", "upper bound of the least norm, rounded upwards"},
                  {"gap", "upper - lower, of upper"},
                  {"gap_tolerance", "the largest gap of a bracket that is narrow enough"},
                  {"insight", "|p^mm| log((1 - epsilon)/epsilon), rounded downwards; null where 0 has the attention"}},
      .section = AuditSection::svms,
      .least_seconds = seconds,
      .check = check};
}

}  // namespace attest
