#pragma once

#include "attest/base/rational.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attest {

/// A function of one variable, written with + - * / ^, parentheses, exp, log, log1p, tanh, sqrt and
/// numbers; the grammar is that of docs/certificate.md, section 3.
///
/// Kept as a list of nodes in which operands stand before their operation: walking it once from front
/// to back evaluates it in any arithmetic.
class Expression {
 public:
  enum class Operation { number, variable, add, subtract, multiply, divide, negate, power, exp, log, log1p, tanh, sqrt };
  struct Node {
    Operation operation;
    std::size_t left = 0;   ///< index of the first operand
    std::size_t right = 0;  ///< index of the second operand
    Rational number;        ///< of a number
    int exponent = 0;       ///< of a power
  };

  const std::string& text() const { return text_; }
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  friend class ExpressionParser;
  std::string text_;
  std::vector<Node> nodes_;
};

/// Where the text stops being an expression, and what was expected there.
struct ExpressionFault {
  std::size_t position;
  std::string expected;
};

/// `variable` is the only name that may stand for a value.
std::variant<Expression, ExpressionFault> parse_expression(std::string_view text, std::string_view variable = "u");

/// Evaluates node by node; Arithmetic has number(Rational), variable(), add(a,b), …, power(a,int), exp(a), …
template <class Arithmetic>
auto evaluate_expression(const Expression& expression, Arithmetic& arithmetic) {
  using Value = decltype(arithmetic.variable());
  using enum Expression::Operation;
  std::vector<Value> values;
  values.reserve(expression.nodes().size());
  for (const Expression::Node& node : expression.nodes()) {
    switch (node.operation) {
      case number: values.push_back(arithmetic.number(node.number)); break;
      case variable: values.push_back(arithmetic.variable()); break;
      case add: values.push_back(arithmetic.add(values[node.left], values[node.right])); break;
      case subtract: values.push_back(arithmetic.subtract(values[node.left], values[node.right])); break;
      case multiply: values.push_back(arithmetic.multiply(values[node.left], values[node.right])); break;
      case divide: values.push_back(arithmetic.divide(values[node.left], values[node.right])); break;
      case negate: values.push_back(arithmetic.negate(values[node.left])); break;
      case power: values.push_back(arithmetic.power(values[node.left], node.exponent)); break;
      case exp: values.push_back(arithmetic.exp(values[node.left])); break;
      case log: values.push_back(arithmetic.log(values[node.left])); break;
      case log1p: values.push_back(arithmetic.log1p(values[node.left])); break;
      case tanh: values.push_back(arithmetic.tanh(values[node.left])); break;
      case sqrt: values.push_back(arithmetic.sqrt(values[node.left])); break;
    }
  }
  return values.back();
}

}  // namespace attest
