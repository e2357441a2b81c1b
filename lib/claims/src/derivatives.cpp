#include "attest/base/tolerance.hpp"
#include "attest/graph/erm_graph.hpp"
#include "attest/graph/weight_graph.hpp"
#include "attest/solve/closed_form.hpp"
#include "claim_list.hpp"
#include "sampling.hpp"
#include "worst.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

constexpr std::int64_t default_points = 8;
/// Where a Hessian in closed form takes so many products of numbers, fewer points say as much.
constexpr double large_work = 3e8;
constexpr std::int64_t large_points = 3;
constexpr double default_radius = 4.0;
/// By how much a central difference moves a logit; the tolerance is derived from it.
constexpr double logit_step = 1e-5;
/// Above this many numbers in a Hessian only Hessian-vector products are compared.
constexpr Eigen::Index dense_hessian_limit = 64;

struct Errors {
  Worst gradient;
  Worst hessian;
  Worst difference;
};

template <class Left, class Right>
double relative_error(const Left& found, const Right& expected, double scale) {
  const double size = std::fmax(expected.norm(), scale);
  const double error = (found - expected).norm();
  return error == 0 ? 0 : error / size;
}

/// A step in p that moves no logit by more than `logit_step`: what a difference truncates goes with the logits' changes.
double difference_step(const NumericProblem& problem) {
  double longest = 1;
  for (std::size_t i = 0; i < problem.keys.size(); ++i) longest = std::max(longest, problem.longest_key(i));
  return logit_step / longest;
}

/// Central differences of the closed form's own value along one direction against its gradient.
double difference_error(const NumericProblem& problem, const Eigen::VectorXd& v, const Eigen::VectorXd& p, const Eigen::VectorXd& direction,
                        const ScaledVector& gradient) {
  const double step = difference_step(problem);
  const double ahead = erm_value(problem, v, p + step * direction);
  const double behind = erm_value(problem, v, p - step * direction);
  const double measured = (ahead - behind) / (2 * step);
  const double size = std::fmax(gradient.scale, std::abs(ahead));
  return std::abs(measured - gradient.value.dot(direction)) / size;
}

void compare_at(const NumericProblem& problem, const ErmGraph& graph, const Eigen::VectorXd& v, const Eigen::VectorXd& p, Sampler& sampler,
                Errors& errors) {
  const ScaledVector in_p = erm_gradient_p(problem, v, p);
  errors.gradient.see(relative_error(graph.gradient_p(v, p), in_p.value, in_p.scale));
  const ScaledVector joint = erm_gradient_joint(problem, v, p);
  errors.gradient.see(relative_error(graph.gradient_joint(v, p), joint.value, joint.scale));

  const Eigen::VectorXd direction = sampler.unit_vector(problem.dimension);
  const ScaledMatrix hessian = erm_hessian_p(problem, v, p);
  errors.hessian.see(relative_error(graph.hessian_p_times(v, p, direction), hessian.value * direction, hessian.scale));
  if (problem.dimension <= dense_hessian_limit) {
    errors.hessian.see(relative_error(graph.hessian_p(v, p), hessian.value, hessian.scale));
    const ScaledMatrix joint_hessian = erm_hessian_joint(problem, v, p);
    errors.hessian.see(relative_error(graph.hessian_joint(v, p), joint_hessian.value, joint_hessian.scale));
  }
  errors.difference.see(difference_error(problem, v, p, direction, in_p));
}

/// The gradient of softmax(X_i W z_i) in W, for which the closed form takes x_it z_i^T as keys. [TS]
void compare_weights(const Problem& problem, const Eigen::VectorXd& v, double norm, Sampler& sampler, Errors& errors) {
  Problem tokens_as_keys = problem;
  tokens_as_keys.W.reset();
  const WeightGraph graph(NumericProblem(tokens_as_keys), v, query_columns(problem));
  const NumericProblem products = trained_image(problem, Parametrisation::weights);
  const Eigen::VectorXd by_rows = norm * sampler.unit_vector(products.dimension);
  const Eigen::MatrixXd W = by_rows.reshaped(v.size(), v.size()).transpose();
  const ScaledVector closed = erm_gradient_p(products, v, by_rows);
  const Eigen::VectorXd found = graph.gradient(W).transpose().reshaped();
  errors.gradient.see(relative_error(found, closed.value, closed.scale));
  errors.difference.see(difference_error(products, v, by_rows, sampler.unit_vector(products.dimension), closed));
}

struct Numbers {
  Errors errors;
  std::int64_t points;

  void write(Fields& out) const {
    out("gradient_error", errors.gradient.value())("hessian_error", errors.hessian.value())("difference_error", errors.difference.value());
    out("points", points)("gradient_tolerance", gradient_tolerance.relative)("hessian_tolerance", hessian_tolerance.relative);
    out("difference_tolerance", difference_tolerance.relative);
  }
};

struct Comparison {
  std::int64_t count;  ///< of the points asked for
  std::int64_t done = 0;
  Errors errors = {};
};

Comparison compare(const ClaimContext& context) {
  const NumericProblem problem(context.problem());
  const ErmGraph graph(problem);
  const auto* points = context.request.find<std::int64_t>("points");
  const auto* radius = context.request.find<Rational>("radius");
  const double largest = radius ? nearest_double(*radius) : default_radius;
  const ProblemSize size(context.problem());
  const bool large = size.tokens * size.dimension * size.dimension > large_work;
  Comparison comparison{points ? *points : large ? large_points : default_points};
  const std::int64_t count = comparison.count;

  Sampler sampler(context.seed);
  for (; comparison.done < count && !context.budget.spent(); ++comparison.done) {
    // From the origin outwards, so that small and large norms are both seen.
    const double norm = largest * static_cast<double>(comparison.done) / static_cast<double>(count > 1 ? count - 1 : 1);
    const Eigen::VectorXd p = norm * sampler.unit_vector(problem.dimension);
    const Eigen::VectorXd v = context.problem().v ? image_vector(*context.problem().v) : sampler.normal_vector(problem.dimension);
    compare_at(problem, graph, v, p, sampler, comparison.errors);
    if (context.problem().queries) compare_weights(context.problem(), v, norm, sampler, comparison.errors);
    if (context.progress) context.progress(static_cast<double>(comparison.done + 1) / static_cast<double>(count), "points");
  }
  return comparison;
}

Finding conclude(const Comparison& comparison) {
  const auto& [count, done, errors] = comparison;
  Finding finding;
  finding.evidence = Numbers{errors, done};
  if (done < count) {
    finding.message = fmt::format("the time was up after {} of {} points", done, count);
    return finding;
  }
  // A derivative that overflows in doubles says nothing about the derivatives: no refutation.
  if (!(std::isfinite(errors.gradient.value()) && std::isfinite(errors.hessian.value()) && std::isfinite(errors.difference.value()))) {
    finding.message = "a derivative of the loss is not a finite double at one of the points: nothing can be compared there";
    return finding;
  }
  const bool agree = errors.gradient.value() <= gradient_tolerance.relative && errors.hessian.value() <= hessian_tolerance.relative;
  if (agree && !(errors.difference.value() <= difference_tolerance.relative)) {
    // Two implementations agree; a difference of doubles truncates and rounds, and refutes neither.
    finding.message =
        fmt::format("graph and closed form agree, but central differences miss the gradient by {:.1e}", errors.difference.value());
    return finding;
  }
  finding.verdict = agree ? Verdict::holds : Verdict::fails;
  finding.message = fmt::format("graph and closed form differ by {:.1e} (gradient), {:.1e} (Hessian) at {} points", errors.gradient.value(),
                                errors.hessian.value(), count);
  return finding;
}

Finding check(const ClaimContext& context) { return conclude(compare(context)); }

}  // namespace

Claim derivatives_claim() {
  return {
      .schema = {"derivatives",
                 {{"points", ParameterKind::count, false, "how many points p are looked at", {}, "8; large data: 3"},
                  {"radius", ParameterKind::positive, false, "their largest norm", {}, "4"}},
                 {}},
      .title = "Derivatives agree",
      .summary = "derivatives by graph, closed form and differences agree",
      .source = "[MM]",
      .words =
          "Gradient and Hessian of the loss, computed by the expression graph, by the closed form and by differences, are the same to "
          "rounding.",
      .formula = R"(\nabla_p L = \frac{1}{n} \sum_i \ell^\prime(\gamma_i \cdot s_i) K_i^\top (\mathrm{diag}(s_i) - s_i s_i^\top) \gamma_i)",
      .text =
          "Compares the gradient and the Hessian of L(v,p), in p and in (v,p), as CasADi derives them from the expression graph with the "
          "closed form of docs/theory.md, section 1, and the closed form's gradient with central differences, at points p of norm 0 to "
          "radius; with queries also the gradient in W of the model softmax(X_i W z_i), that of w-gd. Without v in the case, v is drawn "
          "too. "
          "Above d = 64 the Hessian is compared through Hessian-vector products. Grade: observed.\n"
          "Holds when gradient_error <= 1e-12, hessian_error <= 1e-11, difference_error <= 1e-7. Errors are relative to the derivative or, "
          "where its terms cancel, to the size of the terms that it sums.\n"
          "Fails when graph and closed form differ by more.\n"
          "Undecided when a derivative overflows in doubles or does not exist at a point, or only the differences miss the gradient (steps "
          "move logits by 1e-5; they truncate and round).",
      .numbers = {{"gradient_error", "relative, graph against closed form"},
                  {"hessian_error", "relative, graph against closed form"},
                  {"difference_error", "relative, closed form against differences"},
                  {"points", "how many points were looked at"},
                  {"gradient_tolerance", "the largest gradient_error that is rounding"},
                  {"hessian_tolerance", "the largest hessian_error that is rounding"},
                  {"difference_tolerance", "the largest difference_error that is truncation and rounding"}},
      .section = AuditSection::numerics,
      .check = check};
}

}  // namespace attest
