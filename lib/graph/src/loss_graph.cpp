#include "loss_graph.hpp"

#include "attest/base/quadrature.hpp"
#include "attest/base/rational.hpp"
#include "attest/model/softplus.hpp"

#include <vector>

namespace attest {
namespace {

using casadi::MX;

/// log(1 + exp(f)) without overflow, smooth in all that CasADi derives: from this f on, log1p(exp(f)) is f to the last bit,
/// and exp(f) near its overflow. The clamp keeps the branch that is not taken finite: 0 * infinity in a derivative would be NaN.
constexpr double softplus_linear_above = 600.0;
MX smooth_softplus(const MX& f) {
  const MX clamped = MX::fmin(f, softplus_linear_above);
  return MX::if_else(f < softplus_linear_above, MX::log1p(MX::exp(clamped)), f);
}

struct GraphArithmetic {
  MX u;
  MX number(const Rational& value) const { return nearest_double(value); }
  MX variable() const { return u; }
  MX add(const MX& a, const MX& b) const { return a + b; }
  MX subtract(const MX& a, const MX& b) const { return a - b; }
  MX multiply(const MX& a, const MX& b) const { return a * b; }
  MX divide(const MX& a, const MX& b) const { return a / b; }
  MX negate(const MX& a) const { return -a; }
  /// By repeated multiplication: the derivative of pow(x, k) holds a logarithm that is NaN for x < 0.
  MX power(const MX& a, int exponent) const {
    MX result = 1;
    for (int k = 0; k < std::abs(exponent); ++k) result = result * a;
    return exponent < 0 ? 1 / result : result;
  }
  MX exp(const MX& a) const { return casadi::MX::exp(a); }
  MX log(const MX& a) const { return casadi::MX::log(a); }
  MX log1p(const MX& a) const { return casadi::MX::log1p(a); }
  MX tanh(const MX& a) const { return casadi::MX::tanh(a); }
  MX softplus(const MX& a) const { return smooth_softplus(a); }
  MX sqrt(const MX& a) const { return casadi::MX::sqrt(a); }
};

/// l'(u) and l''(u), entry by entry, by forward mode in a symbol of its own.
std::vector<MX> derivatives(const Loss& loss, const MX& u) {
  const MX x = MX::sym("u", u.numel());
  const MX ones = MX::ones(u.numel());
  const MX slope = MX::jtimes(loss_graph(loss, x), x, ones);
  const casadi::Function both("derivatives", {x}, {MX::densify(slope), MX::densify(MX::jtimes(slope, x, ones))});
  std::vector<MX> found;
  both.call({vec(u)}, found, true);
  for (MX& one : found) one = reshape(one, u.size());
  return found;
}

/// log(1 + exp(u)) without overflow.
MX softplus(const MX& u) { return MX::fmax(u, 0) + MX::log1p(MX::exp(-MX::abs(u))); }

/// log(log(1 + exp(u))): from -36 down it is u to the last bit.
constexpr double log_softplus_linear_below = -36.0;
MX log_softplus(const MX& u) {
  return MX::if_else(u < log_softplus_linear_below, u, MX::log(softplus(MX::fmax(u, log_softplus_linear_below))));
}

/// Below, the mean of -l' by 8 nodes is exact to rounding for a loss that is analytic in a unit disc; above, the difference of two
/// values loses no more than two bits.
constexpr double quadrature_reach = 0.5;

/// log of the mean of -l' between gamma - G and gamma, a node a column. The exponents are taken relative to that at
/// gamma, so that nothing underflows.
MX log_mean_by_quadrature(const Loss& loss, const MX& gamma, const MX& G) {
  const auto count = static_cast<casadi_int>(gauss8.size());
  std::vector<double> nodes;
  std::vector<double> weights;
  for (const auto& [node, weight] : gauss8) {
    nodes.push_back(node);
    weights.push_back(weight);
  }
  const MX reference = log_slope_graph(loss, gamma);
  const MX slopes = log_slope_graph(loss, repmat(gamma, 1, count) - mtimes(G, MX(casadi::DM(nodes).T())));
  return reference + MX::log(mtimes(exp(slopes - repmat(reference, 1, count)), MX(casadi::DM(weights))));
}

MX log_mean_by_difference(const Loss& loss, const MX& gamma, const MX& G) {
  if (loss.kind() != Loss::Kind::logistic) return MX::log((loss_graph(loss, gamma - G) - loss_graph(loss, gamma)) / G);
  const MX at_gamma = log_softplus(-gamma);
  const MX beyond = log_softplus(G - gamma);
  const MX larger = MX::fmax(at_gamma, beyond);
  return larger + MX::log(-MX::expm1(-MX::abs(beyond - at_gamma))) - MX::log(MX::abs(G));
}

}  // namespace

MX loss_graph(const Loss& loss, const MX& u) { return evaluate_with_softplus(loss.expression(), GraphArithmetic{u}); }

MX log_loss_graph(const Loss& loss, const MX& u) {
  return loss.kind() == Loss::Kind::logistic ? log_softplus(-u) : MX::log(loss_graph(loss, u));
}

MX log_slope_graph(const Loss& loss, const MX& u) {
  if (loss.kind() == Loss::Kind::logistic) return -softplus(u);
  if (loss.kind() == Loss::Kind::exponential) return -u;
  return MX::log(-derivatives(loss, u).front());
}

MX scaled_curvature_graph(const Loss& loss, const MX& u, const MX& log_scale) {
  if (loss.kind() == Loss::Kind::logistic || loss.kind() == Loss::Kind::exponential) return MX::exp(u + log_scale);  // l'' / l'^2 = exp(u)
  const std::vector<MX> found = derivatives(loss, u);
  return found[1] / (found[0] * found[0]) * MX::exp(log_scale);
}

MX log_mean_slope_graph(const Loss& loss, const MX& gamma, const MX& G) {
  // Each branch sees only arguments at which it is finite.
  const MX small = MX::abs(G) < quadrature_reach;
  return MX::if_else(small, log_mean_by_quadrature(loss, gamma, MX::if_else(small, G, 0)),
                     log_mean_by_difference(loss, gamma, MX::if_else(small, quadrature_reach, G)));
}

}  // namespace attest
