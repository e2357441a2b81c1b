#include "attest/base/bound_text.hpp"
#include "attest/certificate/certified.hpp"
#include "attest/solve/closed_form.hpp"
#include "claim_list.hpp"
#include "hypotheses.hpp"
#include "over.hpp"
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
/// Of numbers in all keys: what 64 points may look at, and what is kept. The proof needs no points, so large data get fewer.
constexpr double default_work = 0x1p23;
constexpr double most_numbers = 0x1p25;
constexpr std::int64_t fewest_points = 4;

struct Numbers {
  double lipschitz;
  std::optional<double> worst_ratio = {};
  std::optional<double> sharp = {};
  std::optional<double> sharp_ratio = {};
  std::int64_t points = 0;

  void write(Fields& out) const {
    out("lipschitz", lipschitz)("worst_ratio", worst_ratio)("lipschitz_sharp", sharp)("sharp_ratio", sharp_ratio)("points", points);
  }
};

double key_numbers(const Problem& problem, Parametrisation over) {
  const auto d = static_cast<double>(problem.dimension());
  double tokens = 0;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) tokens += static_cast<double>(problem.token_count(i));
  return tokens * (over == Parametrisation::weights ? d * d : d);
}

std::int64_t points_of(const ClaimRequest& request, double numbers) {
  if (const auto* points = request.find<std::int64_t>("points")) return *points;
  return std::clamp(static_cast<std::int64_t>(default_work / numbers), fewest_points, default_points);
}

/// The largest Hessian norm at some points.
struct Sampled {
  Worst norm = {};
  std::int64_t asked = 0;
  std::int64_t done = 0;
};

Sampled sample(const ClaimContext& context, Parametrisation over) {
  const double numbers = key_numbers(context.problem(), over);
  Sampled sampled;
  if (!(numbers <= most_numbers)) return sampled;
  const NumericProblem problem(context.problem(), over);
  const Eigen::VectorXd v = image_vector(*context.problem().v);
  sampled.asked = points_of(context.request, numbers);
  Sampler sampler(context.seed);
  for (; sampled.done < sampled.asked && !context.budget.spent(); ++sampled.done) {
    const double norm = sampled.done == 0 ? 0.0 : largest_norm * sampler.uniform();
    sampled.norm.see(erm_hessian_norm(problem, v, norm * sampler.unit_vector(problem.dimension)));
    if (context.progress) context.progress(static_cast<double>(sampled.done + 1) / static_cast<double>(sampled.asked), "points");
  }
  return sampled;
}

Numbers numbers_of(double lipschitz, const CurvatureBound* sharp, const Sampled& sampled) {
  Numbers numbers{.lipschitz = lipschitz, .points = sampled.done};
  if (sampled.done > 0) numbers.worst_ratio = sampled.norm.value() / lipschitz;
  if (sharp) numbers.sharp = upper_double(sharp->bound);
  // Where the bound is 0 what was sampled is rounding.
  if (sharp && sharp->bound.sign() > 0 && sampled.norm.value() > 0) numbers.sharp_ratio = *numbers.sharp / sampled.norm.value();
  return numbers;
}

certified::CurvatureBound certify(const CurvatureBound& found, Parametrisation over) {
  return {over, found.bound, found.interval, found.cuts, found.weights, found.by_tokens, found.widths, found.spread};
}

/// A bound that is proved bounds whatever is not below it.
Finding compare(const ClaimContext& context, Parametrisation over, double lipschitz) {
  const auto sharp = context.study.curvature(over, context.budget);
  const Sampled sampled = sample(context, over);
  const Numbers numbers = numbers_of(lipschitz, sharp.get(), sampled);
  Finding finding;
  finding.evidence = numbers;
  const bool proved = sharp && sharp->bound <= exact_value(lipschitz);
  if (sampled.done > 0 && !std::isfinite(*numbers.worst_ratio)) {
    finding.message = "a Hessian is not finite in doubles at one of the points: it cannot be compared with L_p";
    return finding;
  }
  if (!proved && sampled.done < sampled.asked) {
    finding.message = fmt::format("the time was up after {} of {} points", sampled.done, sampled.asked);
    return finding;
  }
  if (!proved && sampled.done == 0) {
    finding.message = "the data are too large to look at Hessians, and no bound was proved";
    return finding;
  }
  finding.verdict = numbers.worst_ratio.value_or(0) <= 1.0 ? Verdict::holds : Verdict::fails;
  finding.message = fmt::format("L_p = {:.5g}", lipschitz);
  if (proved && finding.verdict == Verdict::holds) {
    finding.grade = Grade::proved;
    finding.certificate = certify(*sharp, over);
    finding.message += fmt::format(", proved to be at least {}, which bounds every Hessian", text_above(exact_value(*numbers.sharp), 5));
  }
  const auto seen = [&](double ratio, const char* of) {
    finding.message += fmt::format("; the largest Hessian norm at {} points is {:.3g} of {}", sampled.done, ratio, of);
  };
  if (proved && numbers.sharp_ratio) seen(1 / *numbers.sharp_ratio, "that");
  if (!proved && numbers.worst_ratio) seen(*numbers.worst_ratio, "it");
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

bool is_zero_row(const ExactMatrix& matrix, std::size_t row) {
  for (std::size_t c = 0; c < matrix.columns(); ++c)
    if (matrix.at(row, c) != 0) return false;
  return true;
}

bool is_zero(const ExactMatrix& matrix) {
  for (std::size_t r = 0; r < matrix.rows(); ++r)
    if (!is_zero_row(matrix, r)) return false;
  return true;
}

/// L_p = 0, exactly: M1 is positive.
bool vanishes(const Problem& problem, Parametrisation over) {
  if (is_zero(*problem.v) || std::ranges::all_of(problem.tokens, is_zero)) return true;
  if (over == Parametrisation::prompt) return problem.W && is_zero(*problem.W);
  if (problem.queries) return is_zero(*problem.queries);
  return std::ranges::all_of(problem.tokens, [](const ExactMatrix& tokens) { return is_zero_row(tokens, 0); });
}

Finding check(const ClaimContext& context) {
  const Decided assumption = decide_assumption_a(context);
  if (assumption.verdict != Verdict::holds) return without_bounds(assumption);
  const Parametrisation over = over_of(context.request);
  const std::optional<double> known = context.study.lipschitz(over, context.budget);
  if (!known || context.budget.spent()) return Finding(Decided{.message = "the time was up before the curvature was bounded"});
  const double lipschitz = *known;
  if (lipschitz > 0 && std::isfinite(lipschitz)) return compare(context, over, lipschitz);
  Finding finding;
  if (vanishes(context.problem(), over)) {
    finding.verdict = Verdict::inapplicable;
    finding.message =
        over == Parametrisation::weights ? "L_W = 0: v, all queries or all tokens are 0" : "L_p = 0: v, W or all tokens are 0";
  } else {
    finding.message = "L_p is too large or too small for doubles";
  }
  return finding;
}

}  // namespace

Claim step_size_claim() {
  return {
      .schema = {"step-size",
                 {over_parameter(),
                  {"points", ParameterKind::count, false, "how many points p are looked at", {}, "64, fewer on large data"}},
                 {{"v", ""}}},
      .title = "Step size",
      .summary = "the step-size constant L_p bounds the Hessian of the ERM",
      .source = "[MM]; the sharp bound is ours",
      .words = "L_p bounds the curvature of the loss in p, so descent with steps of at most 1/L_p never increases the loss.",
      .formula = R"(\| \nabla^2_p L \| \le L_p = \frac{1}{n} \sum_i ( M_0 \|v\|^2 \|W\|^2 \|X_i\|^4 + 3 M_1 \|v\| \|W\|^2 \|X_i\|^3 ))",
      .text =
          "L_p = (1/n) sum_i (M0 |v|^2 |W|^2 |X_i|^4 + 3 M1 |v| |W|^2 |X_i|^3), spectral norms, with the proved M0 and M1 of Assumption A, "
          "bounds the Lipschitz constant of the gradient in p: descent with a step of at most 1/L_p never increases the loss. With over: W "
          "it "
          "is L_W, where |z_i| stands for |W|. A much smaller number, lipschitz_sharp, is proved to bound every Hessian, from the widths "
          "of "
          "scores and keys of each sample (docs/theory.md, 6.1; certificate curvature-bound), and L_p is not below it: that proves the "
          "claim. Beside it the claim samples Hessians; beyond 64 dimensions their norms come from Lanczos' method, which approaches them "
          "from below. Grade: proved; observed where the data are too large or too small for the sharp bound.\n"
          "Holds when L_p is proved to bound every Hessian, or bounds those that were sampled; fails when one is larger.\n"
          "Inapplicable when Assumption A fails or L_p is 0. Undecided when L_p or a Hessian overflows or vanishes in doubles.",
      .numbers = {{"lipschitz", "L_p, or L_W"},
                  {"worst_ratio", "largest Hessian norm seen, divided by L_p; null when the data are too large to look"},
                  {"lipschitz_sharp", "a proved bound of every Hessian norm"},
                  {"sharp_ratio", "lipschitz_sharp divided by the largest Hessian norm seen; null where one of them is 0"},
                  {"points", "how many points were looked at"}},
      .section = AuditSection::numerics,
      .check = check};
}

}  // namespace attest
