#pragma once

#include "attest/base/log_number.hpp"
#include "attest/model/expression.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace attest {

/// l(u): one of the papers' losses or a written expression. What is known of a loss, such as its logarithm where it underflows,
/// is chosen when it is made: evaluating it asks for no name.
class Loss {
 public:
  enum class Kind { logistic, exponential, correlation, written };

  static Loss logistic();
  static Loss exponential();
  static Loss correlation();
  static Loss written(Expression expression);
  /// The loss that a case names; nothing for any other word than `names()`.
  static std::optional<Loss> named(std::string_view name);
  static std::span<const std::string_view> names();

  Kind kind() const;
  /// As a case names it; empty for a written one.
  const std::string& name() const;
  /// The expression in u; that of log1p(exp(-u)), exp(-u) or -u for the named ones.
  const Expression& expression() const;

  /// How one kind of loss is computed in doubles.
  class Form;
  const Form& form() const { return *form_; }

 private:
  explicit Loss(std::shared_ptr<const Form> form) : form_(std::move(form)) {}
  std::shared_ptr<const Form> form_;  // never null, and never changed: copies share it
};

/// l, l', l'' at u in doubles; the logistic loss without overflow for any u.
struct LossJet {
  double value;
  double slope;
  double curvature;
};
LossJet evaluate(const Loss& loss, double u);
LossJet evaluate(const Expression& expression, double u);

/// l(u); of the logistic loss at any u, however small it is.
LogNumber log_value(const Loss& loss, double u);

/// -l'(u).
LogNumber steepness(const Loss& loss, double u);

/// l(u - drop) - l(u), without cancellation where drop is far below the resolution of u.
LogNumber rise(const Loss& loss, double u, LogNumber drop);

}  // namespace attest
