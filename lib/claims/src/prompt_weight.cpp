#include "attest/base/tolerance.hpp"
#include "attest/graph/weight_graph.hpp"
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

Finding check(const ClaimContext& context) {
  const NumericProblem numeric(context.problem);
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
  const WeightGraph graph(numeric, image_vector(*context.problem.v), u.replicate(1, static_cast<Eigen::Index>(numeric.keys.size())));

  ScaledGradient gradient;
  Worst deviation;
  std::int64_t done = 0;
  for (; done < iterations && !context.budget.spent(); ++done) {
    W -= step * graph.gradient(W.transpose()).transpose();
    kernel.gradient(p, gradient);
    p -= step * u.squaredNorm() * std::exp(gradient.log_scale) * gradient.vector;
    deviation.see((W - u * p.transpose() / u.squaredNorm()).norm() / W.norm());
    if (context.progress) context.progress(static_cast<double>(done + 1) / static_cast<double>(iterations), "iterations");
  }

  Finding finding;
  finding.numbers = {{"deviation", std::isfinite(deviation.value()) ? nlohmann::ordered_json(deviation.value()) : nlohmann::ordered_json()},
                     {"tolerance", prompt_weight_tolerance.relative}, {"iterations", done}, {"step", step}};
  if (done < iterations) {
    finding.message = fmt::format("the time was up after {} of {} iterations", done, iterations);
    return finding;
  }
  if (!std::isfinite(deviation.value()) || (W - start).isZero(0)) {  // overflow, or no step at all: nothing was seen of the identity
    finding.message = std::isfinite(deviation.value()) ? "the gradient is 0 or too small to move W in doubles" : "the numbers leave the range of doubles";
    return finding;
  }
  finding.verdict = deviation.value() <= prompt_weight_tolerance.relative ? Verdict::holds : Verdict::fails;
  finding.message = fmt::format("over {} steps W and u p^T/|u|^2 differ by {:.2g} of |W|", iterations, deviation.value());
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
          "Holds when the deviation, relative to |W|, is at most 1e-10 at every step. Undecided when nothing moves or the\n"
          "numbers leave the range of doubles.\n"
          "Numbers: deviation, tolerance, iterations, step. Grade: observed.",
          check};
}

}  // namespace attest
