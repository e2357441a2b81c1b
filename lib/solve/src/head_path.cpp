#include "attest/solve/head_path.hpp"

#include "attest/base/tolerance.hpp"
#include "sphere_newton.hpp"

#include <cmath>
#include <limits>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Below this part of 1 + |a|, phi(a + x) - phi(a) is taken from its series: the difference would cancel.
constexpr RelativeTolerance series_reach{1e-5};
/// Of the length on which attention changes: the step of central differences of the gradient.
constexpr double difference_step = 1e-4;

/// The units of a head: output_k phi(weights_k.x + bias_k).
class Units {
 public:
  Units(const Head& head, Index dimension) : weights_(static_cast<Index>(head.weights.size()), dimension), activation_(head.activation) {
    for (Index k = 0; k < weights_.rows(); ++k) {
      const auto unit = static_cast<std::size_t>(k);
      for (Index c = 0; c < dimension; ++c) weights_(k, c) = nearest_double(head.weights[unit][static_cast<std::size_t>(c)]);
      bias_.push_back(nearest_double(head.bias[unit]));
      output_.push_back(nearest_double(head.output[unit]));
    }
  }

  double value(const VectorXd& x) const {
    const VectorXd inner = weights_ * x;
    double sum = 0;
    for (Index k = 0; k < inner.size(); ++k)
      sum += output_[static_cast<std::size_t>(k)] * jet(inner(k) + bias_[static_cast<std::size_t>(k)]).value;
    return sum;
  }

  struct Change {
    double value = 0;   ///< h(x + dx) - h(x)
    VectorXd gradient;  ///< at x + dx
  };
  Change change(const VectorXd& x, const VectorXd& dx) const {
    const VectorXd inner = weights_ * x;
    const VectorXd step = weights_ * dx;
    VectorXd slopes(inner.size());
    Change result;
    for (Index k = 0; k < inner.size(); ++k) {
      const auto unit = static_cast<std::size_t>(k);
      const double a = inner(k) + bias_[unit];
      const LossJet here = jet(a);
      const LossJet there = jet(a + step(k));
      const bool near = std::abs(step(k)) <= series_reach.relative * (1 + std::abs(a));
      result.value += output_[unit] * (near ? here.slope * step(k) + here.curvature * step(k) * step(k) / 2 : there.value - here.value);
      slopes(k) = output_[unit] * there.slope;
    }
    result.gradient = weights_.transpose() * slopes;
    return result;
  }

 private:
  LossJet jet(double u) const {
    if (activation_) return evaluate(*activation_, u);
    return {std::max(u, 0.0), u > 0 ? 1.0 : 0.0, 0};
  }

  MatrixXd weights_;
  std::vector<double> bias_;
  std::vector<double> output_;
  std::optional<Expression> activation_;
};

/// log of n (L - L_alpha), and its gradient.
class HeadExcess {
 public:
  HeadExcess(const Problem& problem, const Head& head, const Selection& selection)
      : problem_(problem), units_(head, static_cast<Index>(problem.dimension())) {
    for (std::size_t i = 0; i < problem_.tokens.size(); ++i) {
      const auto chosen = static_cast<Index>(selection[i]);
      samples_.push_back({problem_.tokens[i].col(chosen), problem_.tokens[i].colwise() - VectorXd(problem_.tokens[i].col(chosen)),
                          problem_.keys[i].colwise() - VectorXd(problem_.keys[i].col(chosen)), 0});
      samples_.back().margin = problem_.labels[i] * units_.value(samples_.back().chosen);
      longest_key_ = std::max(longest_key_, samples_.back().keys.colwise().norm().maxCoeff());
    }
  }

  double longest_key() const { return longest_key_; }

  struct Jet {
    double value;
    VectorXd gradient;
  };
  /// Differences are taken to the selected token: where it has nearly all attention, every term is small and right to rounding.
  Jet at(const VectorXd& p) const {
    double total = 0;
    VectorXd gradient = VectorXd::Zero(p.size());
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const Sample& sample = samples_[i];
      const VectorXd logits = sample.keys.transpose() * p;
      const double top = logits.maxCoeff();
      VectorXd s = (logits.array() - top).exp();
      s /= s.sum();
      const VectorXd dx = sample.tokens * s;
      const Units::Change change = units_.change(sample.chosen, dx);
      const double label = problem_.labels[i];
      const double drop = -label * change.value;  // G_i
      total += rise_of(sample.margin, drop);
      const VectorXd c = sample.tokens.transpose() * change.gradient;
      const VectorXd slope = s.cwiseProduct((c.array() - s.dot(c)).matrix());
      gradient += evaluate(problem_.loss, sample.margin - drop).slope * label * (sample.keys * slope);
    }
    if (!(total > 0)) return {std::numeric_limits<double>::quiet_NaN(), gradient};
    return {std::log(total), gradient / total};
  }

 private:
  struct Sample {
    VectorXd chosen;
    MatrixXd tokens;  // x_t - x_alpha
    MatrixXd keys;    // k_t - k_alpha
    double margin;    // Y h(x_alpha)
  };

  /// l(u - drop) - l(u).
  double rise_of(double u, double drop) const {
    const LossJet here = evaluate(problem_.loss, u);
    if (std::abs(drop) <= series_reach.relative * (1 + std::abs(u))) return -here.slope * drop + here.curvature * drop * drop / 2;
    return evaluate(problem_.loss, u - drop).value - here.value;
  }

  NumericProblem problem_;
  Units units_;
  std::vector<Sample> samples_;
  double longest_key_ = 0;
};

/// log(n (L - L_alpha)) / R on the unit sphere; its Hessian by central differences of the gradient.
SphereObjective on_sphere(const HeadExcess& excess, double radius) {
  SphereObjective objective;
  objective.value = [&excess, radius](const VectorXd& q) { return excess.at(radius * q).value / radius; };
  objective.jet = [&excess, radius](const VectorXd& q) {
    const HeadExcess::Jet here = excess.at(radius * q);
    const double h = difference_step / excess.longest_key();
    MatrixXd hessian(q.size(), q.size());
    for (Index k = 0; k < q.size(); ++k) {
      VectorXd step = VectorXd::Zero(q.size());
      step(k) = h;
      hessian.col(k) = radius * (excess.at(radius * q + step).gradient - excess.at(radius * q - step).gradient) / (2 * h);
    }
    const MatrixXd symmetric = (hessian + hessian.transpose()) / 2;
    return SphereObjective::Jet{here.value / radius, here.gradient, symmetric};
  };
  return objective;
}

}  // namespace

std::vector<HeadPathPoint> follow_head_path(const Problem& problem, const Head& head, const Selection& selection, const VectorXd& hint,
                                            const std::vector<double>& radii, const Budget& budget) {
  const HeadExcess excess(problem, head, selection);
  const VectorXd ray = hint.normalized();
  VectorXd before = ray;
  std::vector<HeadPathPoint> points;
  for (const double radius : radii) {
    if (budget.spent()) break;
    const SphereObjective objective = on_sphere(excess, radius);
    SphereMinimum best = minimise_on_sphere(objective, ray);
    SphereMinimum other = minimise_on_sphere(objective, before);
    if (!(objective.value(best.q) <= objective.value(other.q))) best = std::move(other);
    before = best.q;
    points.push_back({radius, radius * best.q, best.found});
  }
  return points;
}

Selection best_for_head(const Problem& problem, const Head& head) {
  const NumericProblem image(problem);
  const Units units(head, image.dimension);
  Selection selection;
  for (std::size_t i = 0; i < image.tokens.size(); ++i) {
    Index best = 0;
    for (Index t = 1; t < image.tokens[i].cols(); ++t)
      if (image.labels[i] * units.value(image.tokens[i].col(t)) > image.labels[i] * units.value(image.tokens[i].col(best))) best = t;
    selection.push_back(static_cast<std::size_t>(best));
  }
  return selection;
}

}  // namespace attest
