#pragma once

#include <string>
#include <utility>

#include "expression.hpp"
#include "interval.hpp"

namespace attest::check {

/// Enclosures of a function's value and first two derivatives on one interval (§3).
struct Jet {
  Interval value;
  Interval first;
  Interval second;
};

/// Which formula a loss is: a named one, by name or by its tree (§4.18) where it is the logistic loss, or another expression.
enum class LossForm { logistic, exponential, correlation, expression };

/// A loss of §3.
class Loss {
 public:
  /// Reads the problem's `loss`: a name, or an object with an expression; throws Rejected.
  explicit Loss(const Json& node);
  static Loss logistic();
  /// The `head` of §4.29: an expression, not a name; throws Rejected.
  static Loss head(const Json& node);

  /// The name or the expression, as written; no name is an expression.
  [[nodiscard]] const std::string& text() const { return text_; }

  /// §4.18: whether it is the logistic loss, by name or by the tree of its expression.
  [[nodiscard]] bool is_logistic() const;
  [[nodiscard]] LossForm form() const;

  /// The jet on an interval, or on [lower, upper]; throws Undefined.
  [[nodiscard]] Jet jet(const Rational& lower, const Rational& upper, const Arithmetic& arithmetic = Arithmetic()) const;
  [[nodiscard]] Jet jet(const Interval& u, const Arithmetic& arithmetic = Arithmetic()) const;

  /// The slope at u in rational arithmetic (§4.2); throws Undefined for an expression with a function.
  [[nodiscard]] Rational exact_slope(const Rational& u) const;

 private:
  Loss(std::string text, Code code) : text_(std::move(text)), code_(std::move(code)) {}

  std::string text_;
  Code code_;
};

}  // namespace attest::check
