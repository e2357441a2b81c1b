#include "attest/base/tolerance.hpp"
#include "attest/graph/weight_graph.hpp"
#include "attest/solve/closed_form.hpp"
#include "attest/solve/descent_kernel.hpp"
#include "claim_list.hpp"
#include "sampling.hpp"
#include "worst.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attest {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::int64_t default_iterations = 100;

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
  ScaledGradient gradient;
  kernel.gradient(p, gradient);
  pair.terms = u.norm() * erm_gradient_p(numeric, v, p).scale;
  Worst key;
  for (const MatrixXd& keys : numeric.keys) key.see(keys.colwise().norm().maxCoeff());
  const double missed = (pair.in_W - u * std::exp(gradient.log_scale) * gradient.vector.transpose()).norm();
  pair.error = missed == 0 ? 0 : missed / (pair.terms * (1 + key.value() * p.norm()));
  return pair;
}

Finding check(const ClaimContext& context) {
  const NumericProblem numeric(context.problem);
  const VectorXd v = image_vector(*context.problem.v);
  const auto* given_step = context.request.find<Rational>("step");
  const auto* given_iterations = context.request.find<std::int64_t>("iterations");
  const double step = given_step ? nearest_double(*given_step) : 1.0;
  const std::int64_t iterations = given_iterations ? *given_iterations : default_iterations;

  Sampler sampler(context.seed);
  const VectorXd u = sampler.normal_vector(numeric.dimension);
  VectorXd p = sampler.unit_vector(numeric.dimension);
  MatrixXd W = u * p.transpose() / u.squaredNorm();
  const MatrixXd start = W;
  DescentKernel kernel(context.problem, exact_scores(context.problem));
  DescentKernel beside(context.problem, exact_scores(context.problem));
  const WeightGraph graph(numeric, v, u.replicate(1, static_cast<Eigen::Index>(numeric.keys.size())));

  ScaledGradient gradient;
  Worst deviation;
  Worst identity;
  Worst size;  // of what was added up so far: rounding stays that large when W itself shrinks
  std::int64_t done = 0;
  for (; done < iterations && !context.budget.spent(); ++done) {
    const GradientPair pair = gradients_at(W, u, graph, numeric, v, beside);
    identity.see(pair.error);
    size.see(W.norm() + step * pair.terms);
    W -= step * pair.in_W;
    kernel.gradient(p, gradient);
    p -= step * u.squaredNorm() * std::exp(gradient.log_scale) * gradient.vector;
    deviation.see((W - u * p.transpose() / u.squaredNorm()).norm() / size.value());
    if (context.progress) context.progress(static_cast<double>(done + 1) / static_cast<double>(iterations), "iterations");
  }

  const bool finite = std::isfinite(deviation.value()) && std::isfinite(identity.value());
  const auto number = [](double value) { return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(); };
  Finding finding;
  finding.numbers = {{"deviation", number(deviation.value())}, {"gradient_error", number(identity.value())},
                     {"tolerance", prompt_weight_tolerance.relative}, {"iterations", done}, {"step", step}};
  if (done < iterations) {
    finding.message = fmt::format("the time was up after {} of {} iterations", done, iterations);
    return finding;
  }
  if (!finite || (W - start).isZero(0)) {  // overflow, or no step at all: nothing was seen of the identity
    finding.message = finite ? "the gradient is 0 or too small to move W in doubles" : "the numbers leave the range of doubles";
    return finding;
  }
  finding.message = fmt::format("over {} steps W and u p^T/|u|^2 differ by {:.2g} of |W| and what was added to it", iterations, deviation.value());
  if (!(identity.value() <= prompt_weight_tolerance.relative)) {
    finding.verdict = Verdict::fails;
    finding.message = fmt::format("at one W the gradients in W and in p differ by {:.2g} of their terms", identity.value());
  } else if (deviation.value() <= prompt_weight_tolerance.relative) {
    finding.verdict = Verdict::holds;
  } else {
    finding.message += ", though the gradients agree at every step: rounding grew on the way";
  }
  return finding;
}

}  // namespace

Claim prompt_weight_claim() {
  return {{"prompt-weight",
           {{"step", ParameterKind::positive, false, "of the descent on W (default 1)", {}},
            {"iterations", ParameterKind::count, false, "how many steps (default 100)", {}}},
           {{"v", ""}}},
          "descent on W and descent on p are the same",
          "[MM] Fix u != 0 and the model softmax(K_i W^T u). Descent on W with step eta from W(0) = u p(0)^T/|u|^2 stays\n"
          "at W(k) = u p(k)^T/|u|^2, where p follows descent with step eta |u|^2. An identity, so it holds to rounding.\n"
          "u and p(0) are drawn by the seed; the gradient in W comes from a CasADi graph of its own, the one in p from\n"
          "the descent kernel.\n"
          "Holds when the deviation is at most 1e-10 at every step, of the largest |W| + eta |terms of the gradient| so far: that\n"
          "is what rounding is measured by, also where terms cancel or W shrinks. Fails when, at one and the same W, the two\n"
          "gradients differ by more than 1e-10 of their terms and of the rounding of logits. Undecided when they agree but\n"
          "rounding grows from step to step, when nothing moves, or when numbers leave the range of doubles.\n"
          "Numbers: deviation, gradient_error (the largest such difference), tolerance, iterations, step. Grade: observed.",
          check};
}

}  // namespace attest
