#include "attest/exact/logistic_loss.hpp"

#include "attest/exact/loss_jet.hpp"

#include <algorithm>
#include <array>

namespace attest {
namespace {

constexpr std::array written_forms = {"log1p(exp(-u))", "log(1+exp(-u))", "log(exp(-u)+1)"};

/// Twice what a certificate must show, so that a checker's rounding does not matter.
const Rational least_difference = Rational(1) / Rational(Integer(1) << 39);

/// Whether the trees below two nodes are the same.
bool same_tree(const Expression& a, std::size_t i, const Expression& b, std::size_t j) {
  using enum Expression::Operation;
  const Expression::Node& left = a.nodes()[i];
  const Expression::Node& right = b.nodes()[j];
  if (left.operation != right.operation) return false;
  switch (left.operation) {
    case number: return left.number == right.number;
    case variable: return true;
    case add:
    case subtract:
    case multiply:
    case divide: return same_tree(a, left.left, b, right.left) && same_tree(a, left.right, b, right.right);
    case power: return left.exponent == right.exponent && same_tree(a, left.left, b, right.left);
    default: return same_tree(a, left.left, b, right.left);
  }
}

bool is_written_so(const Expression& expression, const char* form) {
  const Expression known = std::get<Expression>(parse_expression(form));
  return same_tree(known, known.nodes().size() - 1, expression, expression.nodes().size() - 1);
}

bool differs_at(const Expression& loss, const Expression& logistic, const Rational& u) {
  const auto found = enclose(loss, {u, u});
  const auto known = enclose(logistic, {u, u});
  if (!found || !known) return false;
  return found->value.lower() - known->value.upper() >= least_difference || known->value.lower() - found->value.upper() >= least_difference;
}

}  // namespace

LogisticDecision decide_logistic(const Loss& loss) {
  const Expression& expression = loss.expression();
  if (std::ranges::any_of(written_forms, [&](const char* form) { return is_written_so(expression, form); })) return IsLogistic{};
  const Expression logistic = Loss::logistic().expression();
  for (const int numerator : {0, 1, -1, 2, -2, 3, -3, 8, -8, 20, -20, 80, -80})
    if (const Rational u = Rational(numerator) / 4; differs_at(expression, logistic, u)) return NotLogistic{u};
  return LogisticUndecided{"the loss agrees with the logistic one where they were compared, but is not written as log(1 + exp(-u))"};
}

}  // namespace attest
