#pragma once

#include "attest/model/expression.hpp"

#include <string>

namespace attest {

/// l(u): one of the papers' losses or a written expression.
class Loss {
 public:
  static Loss logistic();
  static Loss exponential();
  static Loss correlation();
  static Loss written(Expression expression);

  /// "logistic", "exponential", "correlation"; empty for a written one.
  const std::string& name() const { return name_; }
  /// The expression in u; that of log1p(exp(-u)), exp(-u) or -u for the named ones.
  const Expression& expression() const { return expression_; }

 private:
  Loss(std::string name, Expression expression) : name_(std::move(name)), expression_(std::move(expression)) {}
  std::string name_;
  Expression expression_;
};

/// l, l', l'' at u in doubles; the logistic loss without overflow for any u.
struct LossJet {
  double value;
  double slope;
  double curvature;
};
LossJet evaluate(const Loss& loss, double u);
LossJet evaluate(const Expression& expression, double u);

/// sign * e^log, for numbers below any double; sign 0 for 0.
struct LogNumber {
  double log;
  int sign;
};

/// -l'(u).
LogNumber steepness(const Loss& loss, double u);

/// l(u - drop) - l(u), without cancellation where drop is far below the resolution of u.
LogNumber rise(const Loss& loss, double u, LogNumber drop);

}  // namespace attest
