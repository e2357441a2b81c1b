#pragma once

#include "attest/model/expression.hpp"

#include <optional>
#include <utility>

namespace attest {

/// An arithmetic for evaluate_expression that takes log1p(exp f), log(1 + exp f) and log(exp f + 1) in one piece, as
/// Arithmetic::softplus(f), and everything else as Arithmetic does. [docs/certificate.md, section 3]
template <class Arithmetic>
class WithSoftplus {
 public:
  using Inner = decltype(std::declval<const Arithmetic&>().variable());
  /// A value, and f where it is exp f or 1 + exp f.
  struct Value {
    Inner value;
    bool is_one = false;
    std::optional<Inner> under_exp = std::nullopt;
    std::optional<Inner> under_one_plus_exp = std::nullopt;
  };

  explicit WithSoftplus(Arithmetic arithmetic) : arithmetic_(std::move(arithmetic)) {}

  Value number(const Rational& value) const { return {arithmetic_.number(value), value == 1}; }
  Value variable() const { return {arithmetic_.variable()}; }
  Value add(const Value& f, const Value& g) const {
    return {arithmetic_.add(f.value, g.value), false, std::nullopt, f.is_one ? g.under_exp : g.is_one ? f.under_exp : std::nullopt};
  }
  Value subtract(const Value& f, const Value& g) const { return {arithmetic_.subtract(f.value, g.value)}; }
  Value multiply(const Value& f, const Value& g) const { return {arithmetic_.multiply(f.value, g.value)}; }
  Value divide(const Value& f, const Value& g) const { return {arithmetic_.divide(f.value, g.value)}; }
  Value negate(const Value& f) const { return {arithmetic_.negate(f.value)}; }
  Value power(const Value& f, int exponent) const { return {arithmetic_.power(f.value, exponent)}; }
  Value exp(const Value& f) const { return {arithmetic_.exp(f.value), false, f.value}; }
  Value log(const Value& f) const {
    return softplus_or(f.under_one_plus_exp, [&] { return arithmetic_.log(f.value); });
  }
  Value log1p(const Value& f) const {
    return softplus_or(f.under_exp, [&] { return arithmetic_.log1p(f.value); });
  }
  Value tanh(const Value& f) const { return {arithmetic_.tanh(f.value)}; }
  Value sqrt(const Value& f) const { return {arithmetic_.sqrt(f.value)}; }

 private:
  template <class Plain>
  Value softplus_or(const std::optional<Inner>& operand, Plain plain) const {
    return {operand ? arithmetic_.softplus(*operand) : plain()};
  }

  Arithmetic arithmetic_;
};

/// The expression with softplus in one piece.
template <class Arithmetic>
auto evaluate_with_softplus(const Expression& expression, Arithmetic arithmetic) {
  WithSoftplus<Arithmetic> whole(std::move(arithmetic));
  return evaluate_expression(expression, whole).value;
}

}  // namespace attest
