#include "attest/solve/step_size.hpp"

#include "attest/solve/closed_form.hpp"
#include "claim_list.hpp"
#include "hypotheses.hpp"
#include "sampling.hpp"
#include "worst.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

constexpr std::int64_t default_points = 64;
/// Hessians are largest where the softmax is not saturated: norms up to this are drawn.
constexpr double largest_norm = 8.0;

struct Numbers {
  double lipschitz;
  double worst_ratio;
  std::int64_t points;

  void write(Fields& out) const { out("lipschitz", lipschitz)("worst_ratio", worst_ratio)("points", points); }
};

Finding sample(const ClaimContext& context, double lipschitz) {
  const NumericProblem problem(context.problem());
  const Eigen::VectorXd v = image_vector(*context.problem().v);
  const auto* points = context.request.find<std::int64_t>("points");
  const std::int64_t count = points ? *points : default_points;
  Sampler sampler(context.seed);
  Worst worst;
  std::int64_t done = 0;
  for (; done < count && !context.budget.spent(); ++done) {
    const double norm = done == 0 ? 0.0 : largest_norm * sampler.uniform();
    const Eigen::VectorXd p = norm * sampler.unit_vector(problem.dimension);
    worst.see(erm_hessian_norm(problem, v, p) / lipschitz);
    if (context.progress) context.progress(static_cast<double>(done + 1) / static_cast<double>(count), "points");
  }
  Finding finding;
  finding.evidence = Numbers{lipschitz, worst.value(), done};
  if (done < count) {
    finding.message = fmt::format("the time was up after {} of {} points", done, count);
    return finding;
  }
  if (!std::isfinite(worst.value())) {
    finding.message = "a Hessian is not finite in doubles at one of the points: it cannot be compared with L_p";
    return finding;
  }
  finding.verdict = worst.value() <= 1.0 ? Verdict::holds : Verdict::fails;
  finding.message = fmt::format("L_p = {:.5g}; the largest Hessian norm at {} points is {:.3g} of it", lipschitz, count, worst.value());
  return finding;
}

/// What Assumption A says where it does not hold, with its certificate.
Finding without_bounds(const Decided& assumption) {
  Finding finding(assumption);
  if (assumption.verdict == Verdict::fails) {
    finding.verdict = Verdict::inapplicable;
    finding.message = "Assumption A fails: " + assumption.message;
  }
  return finding;
}

bool is_zero(const ExactMatrix& matrix) {
  for (std::size_t r = 0; r < matrix.rows(); ++r)
    for (std::size_t c = 0; c < matrix.columns(); ++c)
      if (matrix.at(r, c) != 0) return false;
  return true;
}

/// L_p = 0, exactly: M1 is positive.
bool vanishes(const Problem& problem) {
  return is_zero(*problem.v) || (problem.W && is_zero(*problem.W)) || std::ranges::all_of(problem.tokens, is_zero);
}

Finding check(const ClaimContext& context) {
  const Decided assumption = decide_assumption_a(context);
  if (assumption.verdict != Verdict::holds) return without_bounds(assumption);
  const std::optional<double> known = context.study.lipschitz(Parametrisation::prompt, context.budget);
  if (!known) return Finding(Decided{.message = "the time was up before the loss was bounded"});
  const double lipschitz = *known;
  if (lipschitz > 0 && std::isfinite(lipschitz)) return sample(context, lipschitz);
  Finding finding;
  if (vanishes(context.problem())) {
    finding.verdict = Verdict::inapplicable;
    finding.message = "L_p = 0: v, W or all tokens are 0";
  } else {
    finding.message = "L_p is too large or too small for doubles";
  }
  return finding;
}

}  // namespace

Claim step_size_claim() {
  return {
      .schema = {"step-size", {{"points", ParameterKind::count, false, "how many points p are looked at", {}, "64"}}, {{"v", ""}}},
      .title = "Step size",
      .summary = "the step-size constant L_p bounds the Hessian of the ERM",
      .source = "[MM]",
      .words = "L_p bounds the curvature of the loss in p, so descent with steps of at most 1/L_p never increases the loss.",
      .formula = R"(\| \nabla^2_p L \| \le L_p = \frac{1}{n} \sum_i ( M_0 \|v\|^2 \|W\|^2 \|X_i\|^4 + 3 M_1 \|v\| \|W\|^2 \|X_i\|^3 ))",
      .text =
          "L_p = (1/n) sum_i (M0 |v|^2 |W|^2 |X_i|^4 + 3 M1 |v| |W|^2 |X_i|^3), spectral norms, with the proved M0 and M1 of Assumption A, "
          "bounds the Lipschitz constant of the gradient in p: descent with a step of at most 1/L_p never increases the loss. The claim "
          "samples Hessians and compares; beyond 64 dimensions their norms come from Lanczos' method, which approaches them from below. "
          "Grade: observed.\n"
          "Holds when worst_ratio, the largest sampled Hessian norm divided by L_p, is at most 1; fails when it is more.\n"
          "Inapplicable when Assumption A fails or L_p is 0. Undecided when L_p or a Hessian overflows or vanishes in doubles.",
      .numbers = {{"lipschitz", "L_p"},
                  {"worst_ratio", "largest Hessian norm seen, divided by L_p"},
                  {"points", "how many points were looked at"}},
      .section = AuditSection::numerics,
      .check = check};
}

}  // namespace attest
