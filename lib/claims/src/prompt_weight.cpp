#include "attest/base/tolerance.hpp"
#include "attest/graph/weight_graph.hpp"
#include "attest/solve/closed_form.hpp"
#include "attest/solve/descent_kernel.hpp"
#include "claim_list.hpp"
#include "sampling.hpp"
#include "worst.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double default_iterations = 100;
/// On large data fewer, but not below: products of numbers that all may take together.
constexpr double least_iterations = 10;
constexpr double most_work = 6e8;

/// The gradients at one W and at p = W^T u. Their difference is measured against the terms that they sum, which may cancel, and
/// logits carry the rounding of |k||p|.
struct GradientPair {
  MatrixXd in_W;
  double terms = 0;  ///< the size of the terms of the gradient in W
  double error = 0;  ///< of the identity grad_W = u grad_p^T, of the terms and their rounding
};

GradientPair gradients_at(const MatrixXd& W, const VectorXd& u, const WeightGraph& graph, const NumericProblem& numeric, const VectorXd& v,
                          DescentKernel& kernel) {
  const VectorXd p = W.transpose() * u;
  GradientPair pair{graph.gradient(W.transpose()).transpose()};
  LogVector gradient;
  kernel.gradient(p, gradient);
  pair.terms = u.norm() * erm_gradient_p(numeric, v, p).scale;
  Worst key;
  for (const SampleColumns& keys : numeric.keys) key.see(keys.colwise().norm().maxCoeff());
  const double missed = (pair.in_W - u * std::exp(gradient.log_scale) * gradient.vector.transpose()).norm();
  pair.error = missed == 0 ? 0 : missed / (pair.terms * (1 + key.value() * p.norm()));
  return pair;
}

/// What two descents came to, side by side.
struct Comparison {
  double step;
  std::int64_t iterations;  ///< asked for
  std::int64_t done = 0;
  Worst deviation = {};
  Worst identity = {};
  bool moved = false;

  bool finite() const { return std::isfinite(deviation.value()) && std::isfinite(identity.value()); }
};

struct Numbers {
  Comparison seen;

  void write(Fields& out) const {
    out("deviation", seen.deviation.value())("gradient_error", seen.identity.value())("tolerance", prompt_weight_tolerance.relative);
    out("iterations", seen.done)("step", seen.step);
  }
};

/// A step takes W u for each sample, the logits and the gradient.
std::int64_t usual_iterations(const ProblemSize& size) {
  const double work = size.samples * size.dimension * size.dimension + 2 * size.tokens * size.dimension;
  return static_cast<std::int64_t>(std::clamp(most_work / std::max(work, 1.0), least_iterations, default_iterations));
}

Comparison settings_of(const ClaimContext& context) {
  const auto* step = context.request.find<Rational>("step");
  const auto* iterations = context.request.find<std::int64_t>("iterations");
  return {step ? nearest_double(*step) : 1.0, iterations ? *iterations : usual_iterations(ProblemSize(context.problem()))};
}

Comparison compare(const ClaimContext& context) {
  const NumericProblem numeric(context.problem());
  const VectorXd v = image_vector(*context.problem().v);
  Comparison seen = settings_of(context);

  Sampler sampler(context.seed);
  const VectorXd u = sampler.normal_vector(numeric.dimension);
  VectorXd p = sampler.unit_vector(numeric.dimension);
  MatrixXd W = u * p.transpose() / u.squaredNorm();
  const MatrixXd start = W;
  DescentKernel kernel(context.problem(), context.study.scores());
  const WeightGraph graph(numeric, v, u.replicate(1, static_cast<Eigen::Index>(numeric.keys.size())));

  LogVector gradient;
  Worst size;  // of what was added up so far: rounding stays that large when W itself shrinks
  for (; seen.done < seen.iterations && !context.budget.spent(); ++seen.done) {
    const GradientPair pair = gradients_at(W, u, graph, numeric, v, kernel);
    seen.identity.see(pair.error);
    size.see(W.norm() + seen.step * pair.terms);
    W -= seen.step * pair.in_W;
    kernel.gradient(p, gradient);
    p -= seen.step * u.squaredNorm() * std::exp(gradient.log_scale) * gradient.vector;
    seen.deviation.see((W - u * p.transpose() / u.squaredNorm()).norm() / size.value());
    if (context.progress) context.progress(static_cast<double>(seen.done + 1) / static_cast<double>(seen.iterations), "iterations");
  }
  seen.moved = !(W - start).isZero(0);
  return seen;
}

Finding conclude(const Comparison& seen) {
  Finding finding;
  finding.evidence = Numbers{seen};
  if (seen.done < seen.iterations) {
    finding.message = fmt::format("the time was up after {} of {} iterations", seen.done, seen.iterations);
    return finding;
  }
  if (!seen.finite() || !seen.moved) {  // overflow, or no step at all: nothing was seen of the identity
    finding.message = seen.finite() ? "the gradient is 0 or too small to move W in doubles" : "the numbers leave the range of doubles";
    return finding;
  }
  finding.message = fmt::format("over {} steps W and u p^T/|u|^2 differ by {:.2g} of |W| and what was added to it", seen.iterations,
                                seen.deviation.value());
  if (!(seen.identity.value() <= prompt_weight_tolerance.relative)) {
    finding.verdict = Verdict::fails;
    finding.message = fmt::format("at one W the gradients in W and in p differ by {:.2g} of their terms", seen.identity.value());
  } else if (seen.deviation.value() <= prompt_weight_tolerance.relative) {
    finding.verdict = Verdict::holds;
  } else {
    finding.message += ", though the gradients agree at every step: rounding grew on the way";
  }
  return finding;
}

Finding check(const ClaimContext& context) { return conclude(compare(context)); }

}  // namespace

Claim prompt_weight_claim() {
  return {
      .schema = {"prompt-weight",
                 {{"step", ParameterKind::positive, false, "of the descent on W", {}, "1"},
                  {"iterations", ParameterKind::count, false, "how many steps", {}, "100; large data: fewer, at least 10"}},
                 {{"v", ""}}},
      .title = "Prompt and weights train alike",
      .summary = "descent on W and descent on p are the same",
      .source = "[MM]",
      .words = "Descent on the weights with a fixed prompt u stays on a line of rank-one matrices that follows descent on the prompt.",
      .formula = R"(W(k) = \frac{u p(k)^\top}{\|u\|^2} \quad \forall k)",
      .text =
          "Fix u != 0 and the model softmax(K_i W^T u). Descent on W with step eta from W(0) = u p(0)^T/|u|^2 stays at W(k) = u "
          "p(k)^T/|u|^2, "
          "where p follows descent with step eta |u|^2. An identity, so it holds to rounding. u and p(0) are drawn by the seed; the "
          "gradient "
          "in W comes from a CasADi graph of its own, the one in p from the descent kernel. Grade: observed.\n"
          "Holds when the deviation is at most 1e-10 at every step, of the largest |W| + eta |terms of the gradient| so far: that is what "
          "rounding is measured by, also where terms cancel or W shrinks.\n"
          "Fails when, at one and the same W, the two gradients differ by more than 1e-10 of their terms and of the rounding of logits.\n"
          "Undecided when they agree but rounding grows from step to step, when nothing moves, or when numbers leave the range of doubles.",
      .numbers = {{"deviation", "the largest difference of W and u p^T/|u|^2, of the largest |W| + eta |terms of the gradient| so far"},
                  {"gradient_error", "the largest difference of the two gradients at one W, of their terms and the rounding of logits"},
                  {"tolerance", "of both"},
                  {"iterations", "how many steps were taken"},
                  {"step", "eta, of the descent on W"}},
      .section = AuditSection::numerics,
      .check = check};
}

}  // namespace attest
