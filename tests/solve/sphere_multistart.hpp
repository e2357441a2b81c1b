#pragma once

#include "attest/graph/numeric_problem.hpp"
#include "attest/model/loss.hpp"
#include "attest/solve/dense.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

/// Minimisers of L over |p| = R, found with none of what the library finds paths with: log n(L - L*) in the log domain, its gradient by
/// rows, Newton's method with differences of gradients on the sphere, from random starts.
namespace attest::multistart {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class Excess {
 public:
  Excess(const NumericProblem& problem, const Scores& scores, const Selection& selection) : loss_(problem.loss) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (scores[i].size() < 2) continue;
      Sample sample{nearest_double(scores[i][selection[i]]), {}, {}};
      for (std::size_t t = 0; t < scores[i].size(); ++t) {
        if (t == selection[i]) continue;
        sample.rows.push_back(problem.keys[i].col(static_cast<Eigen::Index>(selection[i])) -
                              problem.keys[i].col(static_cast<Eigen::Index>(t)));
        sample.gaps.push_back(nearest_double(scores[i][selection[i]] - scores[i][t]));
        longest_ = std::max(longest_, sample.rows.back().norm());
      }
      samples_.push_back(std::move(sample));
    }
  }

  struct Jet {
    double value;  // log n(L - L*)
    VectorXd gradient;
  };
  Jet at(const VectorXd& p) const {
    std::vector<LogNumber> rises;
    std::vector<std::pair<double, const VectorXd*>> pushes;  // log and sign in one: see below
    std::vector<int> signs;
    for (const Sample& sample : samples_) {
      std::vector<LogNumber> weights = {LogNumber::of(1)};
      for (const VectorXd& row : sample.rows) weights.push_back({-row.dot(p), 1});
      const double total = sum_of(weights).number().log;
      std::vector<LogNumber> drops;
      for (std::size_t c = 0; c < sample.rows.size(); ++c)
        drops.push_back(LogNumber{weights[c + 1].log - total, 1} * LogNumber::of(sample.gaps[c]));
      const LogNumber drop = sum_of(drops).number();
      rises.push_back(rise(loss_, sample.selected, drop));
      const double steep = steepness(loss_, sample.selected - drop.value()).log;
      for (std::size_t c = 0; c < sample.rows.size(); ++c) {
        const LogNumber lead = LogNumber::of(sample.gaps[c] - drop.value());
        pushes.emplace_back(weights[c + 1].log - total + steep + lead.log, &sample.rows[c]);
        signs.push_back(lead.sign);
      }
    }
    Jet jet{sum_of(rises).number().log, VectorXd::Zero(p.size())};
    for (std::size_t c = 0; c < pushes.size(); ++c)
      if (signs[c] != 0) jet.gradient -= signs[c] * std::exp(pushes[c].first - jet.value) * *pushes[c].second;
    return jet;
  }
  double longest_row() const { return longest_; }

 private:
  struct Sample {
    double selected;
    std::vector<VectorXd> rows;
    std::vector<double> gaps;
  };
  Loss loss_;
  std::vector<Sample> samples_;
  double longest_ = 0;
};

/// Where a start ended, and by how much the last step still moved the direction.
struct Minimum {
  VectorXd direction;
  double value;
  double last_step;
};

/// Newton's method on the unit sphere in the chart t -> sqrt(1 - |t|^2) x + T t around each iterate.
inline Minimum minimise(const Excess& excess, VectorXd x, double radius) {
  const Eigen::Index n = x.size() - 1;
  double value = excess.at(radius * x).value;
  double last_step = 1;
  for (int k = 0; k < 300; ++k) {
    const MatrixXd T = frame_with(x).rightCols(n);
    const auto moved = [&](const VectorXd& t) -> VectorXd { return std::sqrt(1 - t.squaredNorm()) * x + T * t; };
    const auto slope = [&](const VectorXd& t) -> VectorXd {
      const VectorXd g = excess.at(radius * moved(t)).gradient;
      return radius * (T.transpose() * g - t * (x.dot(g) / std::sqrt(1 - t.squaredNorm())));
    };
    const VectorXd gradient = slope(VectorXd::Zero(n));
    const double h = std::min(1e-3, 1e-3 / (radius * excess.longest_row()));
    MatrixXd hessian(n, n);
    for (Eigen::Index j = 0; j < n; ++j) hessian.col(j) = (slope(h * VectorXd::Unit(n, j)) - slope(-h * VectorXd::Unit(n, j))) / (2 * h);
    const SymmetricEigen eigen = symmetric_eigen((hessian + hessian.transpose()) / 2);
    const double floor = std::max(eigen.values.cwiseAbs().maxCoeff() * 1e-12, 1e-300);
    VectorXd step = -eigen.vectors * (eigen.vectors.transpose() * gradient).cwiseQuotient(eigen.values.cwiseAbs().cwiseMax(floor));
    if (!(step.norm() <= 0.5)) step *= 0.5 / step.norm();
    last_step = step.norm();
    double length = 1;
    double next = excess.at(radius * moved(step)).value;
    while (!(next <= value + 1e-14 * std::abs(value)) && length > 1e-6) {
      length /= 2;
      next = excess.at(radius * moved(length * step)).value;
    }
    if (length <= 1e-6) break;
    x = moved(length * step).normalized();
    value = next;
    if (last_step <= 1e-15 || (last_step <= 1e-9 / (1 + radius) && length == 1)) break;
  }
  return {x, value, last_step};
}

/// The minima of the given direction and of several starts, half of them around it, the lowest first.
inline std::vector<Minimum> minima(const Excess& excess, const VectorXd& around, double radius, int starts, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> exponent(-3, 0);
  std::vector<Minimum> found = {minimise(excess, around.normalized(), radius)};
  for (int k = 0; k < starts; ++k) {
    VectorXd start(around.size());
    for (double& entry : start) entry = normal(random);
    start.normalize();
    if (k % 2 == 1) start = (around.normalized() + std::pow(10, exponent(random)) * start).normalized();
    found.push_back(minimise(excess, start, radius));
  }
  std::ranges::sort(found, {}, &Minimum::value);
  return found;
}

}  // namespace attest::multistart
