#include "attest/solve/head_flow.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/solve/dense.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int head_newton_limit = 40;
constexpr int head_halving_limit = 30;

/// Newton's step for a gradient and a Hessian whose eigenvalues are raised to `least`.
VectorXd raised_newton_step(const VectorXd& gradient, const MatrixXd& hessian, double shift, double least) {
  const SymmetricEigen eigen = symmetric_eigen(hessian);
  const VectorXd curvature = (eigen.values.array() + shift).max(least);
  return -(eigen.vectors * (eigen.vectors.transpose() * gradient).cwiseQuotient(curvature));
}

VectorXd shortened(VectorXd step, double longest) {
  const double length = step.norm();
  if (length > longest) step *= longest / length;
  return step;
}

/// The implicit step from `from`; losses differ by less than their rounding, so steps are judged by slopes.
VectorXd implicit_step(const HeadModel& model, const VectorXd& from, double log_tau, double longest) {
  const double pull = std::exp(-log_tau);
  VectorXd x = from;
  HeadModel::Value value = model.at(x);
  for (int round = 0; round < head_newton_limit; ++round) {
    const VectorXd force = value.gradient + pull * (x - from);
    const VectorXd direction = shortened(raised_newton_step(force, value.hessian, pull, 0.1 * pull), longest);
    const double slope = force.dot(direction);
    double part = 1;
    for (int halving = 0; halving < head_halving_limit; ++halving) {
      value = model.at(x + part * direction);
      const double there = (value.gradient + pull * (x + part * direction - from)).dot(direction);
      if (there <= 0.7 * std::abs(slope)) break;
      part /= 2;
    }
    x += part * direction;
    if (round > 2 && part * direction.norm() <= implicit_step_tolerance.relative * (x - from).norm()) break;
  }
  return x;
}

/// Tokens with a share; nothing when some token is in between, or none has faded yet.
std::optional<TokenSets> separated_sets(const std::vector<VectorXd>& attention) {
  TokenSets sets;
  bool faded = false;
  for (const VectorXd& shares : attention) {
    sets.emplace_back();
    for (Index t = 0; t < shares.size(); ++t) {
      if (shares(t) >= selected_attention.share)
        sets.back().push_back(static_cast<std::size_t>(t));
      else if (shares(t) <= faded_attention.share)
        faded = true;
      else
        return std::nullopt;
    }
  }
  return faded ? std::optional(sets) : std::nullopt;
}

/// Newton's step for the loss inside the sets, in coordinates of the span; of infinite length on a plateau.
VectorXd inner_step(const HeadModel& model, const TokenSets& sets, const MatrixXd& span, const VectorXd& x) {
  const HeadModel::Value value = model.at(span * x, &sets);
  const MatrixXd hessian = span.transpose() * value.hessian * span;
  return raised_newton_step(span.transpose() * value.gradient, hessian, 0, finite_curvature_tolerance.relative * hessian.norm());
}

/// Whether the part of y inside the sets has come to rest.
bool rests_inside(const HeadModel& model, const TokenSets& sets, const VectorXd& y) {
  const MatrixXd span = model.finite_span(sets);
  if (span.cols() == 0) return true;
  const VectorXd inside = span.transpose() * y;
  return inner_step(model, sets, span, inside).norm() <= resting_step_tolerance.relative * (1 + inside.norm());
}

}  // namespace

std::string to_string(HeadRun::End end) {
  switch (end) {
    case HeadRun::End::separated: return "separated";
    case HeadRun::End::unsettled: return "unsettled";
    case HeadRun::End::not_finite: return "not finite";
    case HeadRun::End::out_of_time: return "out of time";
  }
  return {};
}

HeadRun follow_head_flow(const HeadModel& model, const VectorXd& start, const HeadFlowSettings& settings, const Budget& budget) {
  HeadRun run;
  run.points.push_back(start);
  double log_tau = 0;
  for (int k = 0; k < settings.steps; ++k) {
    if (budget.spent()) {
      run.end = HeadRun::End::out_of_time;
      return run;
    }
    const VectorXd next = implicit_step(model, run.points.back(), log_tau, settings.step);
    const double moved = (next - run.points.back()).norm();
    if (!std::isfinite(moved)) {
      run.end = HeadRun::End::not_finite;
      return run;
    }
    // Once too long, the step is taken again with a smaller tau; log_tau follows the speed of the flow.
    if (moved <= 2 * settings.step) run.points.push_back(next);
    log_tau += moved > 0 ? std::clamp(std::log(settings.step / moved), -1.0, 1.0) : 1.0;
    if (log_tau > log_tau_limit) return run;  // the flow stands still: a minimiser
    if (auto sets = separated_sets(model.attention(run.points.back())); sets && rests_inside(model, *sets, run.points.back())) {
      run.end = HeadRun::End::separated;
      run.sets = std::move(*sets);
      return run;
    }
  }
  return run;
}

VectorXd finite_part(const HeadModel& model, const TokenSets& sets, const MatrixXd& span, const VectorXd& start) {
  VectorXd x = start;
  for (int round = 0; round < head_newton_limit; ++round) {
    const VectorXd step = shortened(inner_step(model, sets, span, x), 1);
    if (!step.allFinite()) return {};  // a plateau: the loss does not say which point
    x += step;
    if (step.norm() <= finite_step_tolerance.relative * (1 + x.norm())) return x;
  }
  return {};
}

}  // namespace attest
