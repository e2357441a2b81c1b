#include "mirror_map.hpp"

#include "attest/base/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

using Eigen::VectorXd;

namespace {

/// Each evaluation at least halves the bracket of a move, or it is the tolerance that ends the search.
constexpr int most_evaluations = 100;

double signed_entry_power(double x, double exponent) { return std::copysign(std::pow(std::abs(x), exponent), x); }

/// p moved by t along `direction` in u: entries whose gradient is 0 keep their value.
VectorXd moved(const VectorXd& p, const VectorXd& u, const VectorXd& direction, double t, double scale, double exponent) {
  VectorXd next = p;
  for (Eigen::Index j = 0; j < p.size(); ++j)
    if (direction(j) != 0) next(j) = scale * signed_entry_power(u(j) + t * direction(j), exponent);
  return next;
}

}  // namespace

VectorXd signed_power(const VectorXd& x, double exponent) {
  return x.unaryExpr([exponent](double entry) { return signed_entry_power(entry, exponent); });
}

bool MirrorMap::step_by(VectorXd& p, const LogVector& gradient, double step) {
  const double log_step = std::log(step) + gradient.log_scale;
  const double log_reach = (log_step + std::log(gradient.vector.lpNorm<Eigen::Infinity>())) / (q_ - 1);  // from 0
  const double scale = std::max(p.lpNorm<Eigen::Infinity>(), std::exp(log_reach));
  const VectorXd u = signed_power(p / scale, q_ - 1);
  const VectorXd change = -std::exp(log_step - (q_ - 1) * std::log(scale)) * gradient.vector;
  if (u + change == u) return false;
  p = moved(p, u, change, 1, scale, 1 / (q_ - 1));
  return true;
}

void MirrorMap::move_by(VectorXd& p, const VectorXd& direction, double length) {
  const double scale = std::max(p.lpNorm<Eigen::Infinity>(), length);
  const VectorXd u = signed_power(p / scale, q_ - 1);
  const double unit = length / (scale * direction.norm());  // what q = 2 needs
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  double t = ratio_ * unit;
  double last_t = 0;
  double last_reached = 0;
  VectorXd next;
  // Every entry of p is monotone in t, and so is the distance: a secant of the logarithms within a bracket.
  for (int k = 0; k < most_evaluations; ++k) {
    next = moved(p, u, direction, t, scale, 1 / (q_ - 1));
    const double reached = (next - p).norm() / length;
    if (std::abs(reached - 1) <= move_length_tolerance.relative) break;
    (reached < 1 ? low : high) = t;
    const double power = last_t > 0 ? std::log(reached / last_reached) / std::log(t / last_t) : 1.0;
    last_t = t;
    last_reached = reached;
    t *= std::pow(reached, -1 / power);
    if (!(t > low && t < high)) t = std::isinf(high) ? 4 * low : low > 0 ? std::sqrt(low * high) : high / 4;
  }
  ratio_ = t / unit;
  p = next;
}

}  // namespace attest
