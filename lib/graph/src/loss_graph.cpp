#include "attest/graph/loss_graph.hpp"

#include "attest/base/rational.hpp"

namespace attest {
namespace {

using casadi::MX;

/// Below this u the double log1p(exp(-u)) is -u to the last bit, and exp(-u) is near its overflow.
constexpr double logistic_linear_below = -600.0;

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
  MX sqrt(const MX& a) const { return casadi::MX::sqrt(a); }
};

}  // namespace

MX loss_graph(const Loss& loss, const MX& u) {
  if (loss.name() == "logistic") {
    // The clamp keeps the branch that is not taken finite: 0 * infinity in a derivative would be NaN.
    const MX clamped = MX::fmax(u, logistic_linear_below);
    return MX::if_else(u > logistic_linear_below, MX::log1p(MX::exp(-clamped)), -u);
  }
  GraphArithmetic arithmetic{u};
  return evaluate_expression(loss.expression(), arithmetic);
}

}  // namespace attest
