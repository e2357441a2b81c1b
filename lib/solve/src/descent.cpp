#include "attest/solve/descent.hpp"

#include "attest/base/tolerance.hpp"
#include "mirror_map.hpp"
#include "trace_spacing.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace attest {
namespace {

using Eigen::VectorXd;
using End = DescentRun::End;

/// So that 10^12 iterations leave 240 trace points.
constexpr double descent_points_a_decade = 20;

/// How often the clock and the progress bar are looked at: an iteration takes from 1 microsecond to several milliseconds.
constexpr std::int64_t iterations_a_look = 16;
constexpr std::int64_t iterations_a_report = 256;

/// Part of the arc of an iteration: where flow must go so slowly, doubles do not follow it.
constexpr double shortest_substep = 1e-9;

/// One kind of step. `advance` moves p and says when there is nowhere to go.
class Stepper {
 public:
  Stepper(DescentKernel& kernel, const DescentPlan& plan, const Budget& budget) : kernel_(kernel), plan_(plan), budget_(budget) {
    if (plan.q == 2) return;
    if (plan.method == DescentMethod::flow) throw std::invalid_argument("flow is for q = 2");
    mirror_.emplace(plan.q);
  }

  End advance(VectorXd& p) {
    switch (plan_.method) {
      case DescentMethod::constant: return constant(p);
      case DescentMethod::normalised: return normalised(p);
      case DescentMethod::flow: return flow(p);
    }
    return End::not_finite;
  }

 private:
  End constant(VectorXd& p) {
    kernel_.gradient(p, gradient_);
    if (!gradient_.vector.allFinite()) return End::not_finite;
    if (gradient_.vector.isZero(0)) return End::stationary;
    if (mirror_) return mirror_->step_by(p, gradient_, plan_.step) ? End::finished : End::still;
    before_ = p;
    p -= plan_.step * std::exp(gradient_.log_scale) * gradient_.vector;
    return p == before_ ? End::still : End::finished;
  }

  End normalised(VectorXd& p) {
    const End end = look_down(p, gradient_.vector);
    if (end != End::finished) return end;
    if (mirror_)
      mirror_->move_by(p, gradient_.vector, plan_.step);
    else
      p += plan_.step * gradient_.vector;
    return end;
  }

  /// Bogacki and Shampine's pair of order 3(2), as many substeps as the tolerance asks for.
  End flow(VectorXd& p) {
    double left = plan_.step;
    substep_ = std::min(substep_ > 0 ? substep_ : plan_.step, plan_.step);
    while (left > 0) {
      if (substep_ < shortest_substep * plan_.step) return End::stuck;
      if (budget_.spent()) return End::out_of_time;
      const double h = std::min(substep_, left);
      if (const End end = look_down(p, k1_); end != End::finished) return end;
      if (const End end = look_down(p + h / 2 * k1_, k2_); end != End::finished) return end;
      if (const End end = look_down(p + 3 * h / 4 * k2_, k3_); end != End::finished) return end;
      const VectorXd next = p + h / 9 * (2 * k1_ + 3 * k2_ + 4 * k3_);
      if (const End end = look_down(next, k4_); end != End::finished) return end;
      const double error = h * (-5.0 / 72 * k1_ + 1.0 / 12 * k2_ + 1.0 / 9 * k3_ - 1.0 / 8 * k4_).norm();
      const double allowed = flow_tolerance.a_unit_of_arc * h;
      if (error <= allowed) {
        p = next;
        left = h < left ? left - h : 0;
      }
      substep_ = h * std::clamp(0.9 * std::cbrt(allowed / std::max(error, allowed * 1e-3)), 0.2, 5.0);
    }
    return End::finished;
  }

  /// The unit vector of steepest descent.
  End look_down(const VectorXd& p, VectorXd& direction) {
    kernel_.gradient(p, gradient_);
    const double norm = gradient_.vector.stableNorm();  // squares of 1e-164 would underflow
    if (!std::isfinite(norm)) return End::not_finite;
    if (norm == 0) return End::stationary;
    direction = -gradient_.vector / norm;
    return End::finished;
  }

  DescentKernel& kernel_;
  DescentPlan plan_;
  const Budget& budget_;
  LogVector gradient_;
  VectorXd before_, k1_, k2_, k3_, k4_;
  double substep_ = 0;
  std::optional<MirrorMap> mirror_;  // none for q = 2, where grad psi(p) is p
};

TracePoint trace_point(DescentKernel& kernel, std::int64_t iteration, const VectorXd& p) {
  return {iteration, p.stableNorm(), kernel.log_excess(p), p, kernel.selection(p), kernel.least_lead(p)};
}

}  // namespace

DescentRun descend(DescentKernel& kernel, const VectorXd& start, const DescentPlan& plan, const Budget& budget, const Progress& progress) {
  DescentRun run;
  Stepper stepper(kernel, plan, budget);
  VectorXd p = start;
  run.trace.push_back(trace_point(kernel, 0, p));
  const auto watch_arrival = [&](std::int64_t iteration) {
    if (plan.arrived && !run.arrival && plan.arrived(p)) run.arrival = iteration;
  };
  watch_arrival(0);
  const bool watch_loss = plan.method == DescentMethod::constant;
  LossLevel level = watch_loss ? kernel.loss_level(p) : LossLevel{};
  std::int64_t traced = 1;
  std::int64_t done = 0;
  while (done < plan.iterations) {
    if (done % iterations_a_look == 0 && budget.spent()) run.end = End::out_of_time;
    if (progress && done % iterations_a_report == 0)
      progress(static_cast<double>(done) / static_cast<double>(plan.iterations), "iterations");
    if (run.end == End::finished) run.end = stepper.advance(p);
    if (run.end != End::finished) break;
    ++done;
    watch_arrival(done);
    if (watch_loss) {
      const LossLevel after = kernel.loss_level(p);
      if (std::isnan(after.base) || after.distance.is_nan()) {
        run.end = End::not_finite;
        break;
      }
      run.monotone = run.monotone && !lies_above(after, level);
      level = after;
    }
    if (done == traced) {
      run.trace.push_back(trace_point(kernel, done, p));
      traced = next_traced(done, descent_points_a_decade);
    }
  }
  if (run.last().iteration != done) run.trace.push_back(trace_point(kernel, done, p));
  return run;
}

double direction_error(const VectorXd& a, const VectorXd& b) { return (a.normalized() - b.normalized()).norm(); }

}  // namespace attest
