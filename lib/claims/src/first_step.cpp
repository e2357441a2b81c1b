#include "attest/exact/first_step.hpp"

#include "claim_list.hpp"
#include "over.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

struct Numbers {
  std::optional<double> least_row = {};
  std::optional<RowName> row = {};  ///< where it is
  std::optional<double> least_step = {};
  double epsilon = 0;

  void write(Fields& out) const { out("least_row", least_row)("row", row)("least_step", least_step)("epsilon", epsilon); }
};

/// What the claim is asked about.
struct Question {
  Parametrisation over;
  SvmProgram program;
  std::vector<Rational> start;  ///< empty: 0
  Rational epsilon;
};

Question question_of(const ClaimContext& context) {
  const Parametrisation over = over_of(context.request);
  const auto* start = context.request.find<std::vector<RationalPoint>>("start");
  const auto* epsilon = context.request.find<Rational>("epsilon");
  const Selection& selection = context.selection_or_best();
  return {over,
          over == Parametrisation::weights ? SvmProgram::w_svm(context.study.tokens(), selection)
                                           : SvmProgram::p_svm(context.study.tokens(), selection),
          start ? start->front() : std::vector<Rational>(), epsilon ? *epsilon : Rational(1, 10)};
}

std::vector<Rational> written_start(const Question& question) {
  if (!question.start.empty()) return question.start;
  const std::size_t d = question.program.dimension();
  return std::vector<Rational>(question.over == Parametrisation::weights ? d * d : d, 0);
}

Finding proved(Verdict verdict, std::string message, Certificate certificate) {
  Finding finding;
  finding.verdict = verdict;
  finding.grade = Grade::proved;
  finding.message = std::move(message);
  finding.certificate = std::move(certificate);
  return finding;
}

/// All rows of log((T - 1)(1 - eps)/eps) give every selected token attention 1 - eps.
void describe_step(Numbers& numbers, const Question& question, const FirstStep& step) {
  std::size_t most = 1;
  for (std::size_t k = 0; k < question.program.samples().size(); ++k)
    most = std::max(most, question.program.first_row(k + 1) - question.program.first_row(k));
  const Rational odds = Rational(most) * (1 - question.epsilon) / question.epsilon;
  if (!(odds > 0)) return;
  const Ball needed = step.least_step(log(Ball(odds)));
  if (needed.is_moderate()) numbers.least_step = upper_double(needed.upper());
}

Finding separates(const Question& question) {
  return proved(Verdict::holds, "the first gradient step prefers the selected tokens in every row",
                certified::FirstStep{question.over, question.program.dimension(), question.program.selection(), written_start(question)});
}

Finding opposes(const Question& question, std::size_t row, bool at_origin) {
  const RowName name = question.program.name(row);
  return proved(Verdict::fails, fmt::format("row [{},{}] does not grow in the first step", name.sample, name.token),
                certified::NotFirstStep{question.over, question.program.dimension(), question.program.selection(), written_start(question),
                                        name, at_origin});
}

Finding decide(const ClaimContext& context, const Question& question, Numbers& numbers) {
  const Scores& scores = context.study.scores();
  const auto step = enclose_first_step(question.program, scores, question.start);
  if (!step) {
    Finding finding;
    finding.message = "the loss is not enclosed at the start";
    return finding;
  }
  const std::vector<Ball>& progress = step->progress;
  const bool sure = std::ranges::all_of(progress, [](const Ball& one) { return one.is_positive() && has_clear_sign(one); });
  std::size_t worst = 0;
  for (std::size_t row = 1; row < progress.size(); ++row)
    if (progress[row].lower() < progress[worst].lower()) worst = row;
  if (!progress.empty()) {
    numbers.least_row = lower_double(progress[worst].lower());
    numbers.row = question.program.name(worst);
  }
  if (sure) {
    describe_step(numbers, question, *step);
    return separates(question);
  }
  if (!progress[worst].contains_zero() && !progress[worst].is_positive() && has_clear_sign(progress[worst]))
    return opposes(question, worst, false);
  if (question.start.empty())
    for (std::size_t row = 0; row < progress.size(); ++row)
      if (!progress[row].is_positive() && is_opposed_at_origin(question.program, scores, row)) return opposes(question, row, true);
  Finding finding;
  finding.message = "a row grows by next to nothing in the first step: its sign is not seen";
  return finding;
}

Finding check(const ClaimContext& context) {
  Finding finding;
  finding.selection = context.selection_or_best();
  if (context.request.parameters.contains("start") && over_of(context.request) == Parametrisation::weights) {
    finding.verdict = Verdict::inapplicable;
    finding.message = "a start is a vector p; W starts at 0";
    return finding;
  }
  const Question question = question_of(context);
  Numbers numbers{.epsilon = nearest_double(question.epsilon)};
  finding = decide(context, question, numbers);
  finding.selection = context.selection_or_best();
  finding.evidence = numbers;
  return finding;
}

}  // namespace

Claim first_step_claim() {
  return {
      .schema =
          {"first-step",
           {{"selection", ParameterKind::selection, false, "one token a sample", {}, "the largest scores"},
            over_parameter(),
            {"start", ParameterKind::point, false, "where p starts", {}, "0"},
            {"epsilon", ParameterKind::positive, false, "least_step is for attention of 1 less this to the selected tokens", {}, "0.1"}},
           {{"v", ""}}},
      .title = "First step",
      .summary = "the first gradient step separates all rows",
      .source = "[TS]",
      .words = "The first gradient step moves towards the selected token of every sample, against every other token.",
      .formula = R"(-\nabla L(p_0) \cdot (k_{i \alpha_i} - k_{it}) > 0 \quad \forall i, t \ne \alpha_i)",
      .text =
          "With p_0 the start and a_it = k_i,alpha_i - k_it: -dL/dp(p_0).a_it > 0 for all i and t != alpha_i. Then one step that is long "
          "enough gives every selected token as much attention as is wanted. Nothing is said of what follows with short steps. Over W the "
          "rows are (x_i,alpha_i - x_it) z_i^T, and the start is 0.\n"
          "Holds, proved: all products are enclosed above 0 in ball arithmetic (certificate first-step). Fails, proved: one is enclosed "
          "below 0, or at 0 shown by rational arithmetic to be at most 0 (certificate not-first-step). Undecided: the sign of one is not "
          "seen. Inapplicable: a start that is not one vector.",
      .numbers = {{"least_row", "lower bound of the least -dL/dp.a_it; null without rows"},
                  {"row", "[i, t] where it is"},
                  {"least_step", "where it holds: one step of this length factor gives every selected token attention 1 - epsilon"},
                  {"epsilon", "of least_step"}},
      .section = AuditSection::numerics,
      // One gradient in ball arithmetic.
      .least_seconds = [](const ProblemSize& size) { return 1e-6 * size.tokens * size.dimension; },
      .check = check};
}

}  // namespace attest
