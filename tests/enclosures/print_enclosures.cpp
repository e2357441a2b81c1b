// print_enclosures COUNT SEED: the ends of enclosures of a fixed sample, a line each: those of the library (balls, jets of losses,
// attention) and those of attest-check (intervals, jets, balls). Built by several compilers at several levels, it must print the same: an
// optimiser that moves an operation across a change of rounding, or keeps more bits than it should, shows here.
#include "attention_balls.hpp"
#include "attest/exact/loss_jet.hpp"
#include "ball.hpp"
#include "checker_numbers.hpp"
#include "loss.hpp"
#include "sample.hpp"

#include <cstdlib>
#include <iostream>

namespace {

using namespace attest;
using enclosures::Sample;

void print(const char* name, const Ball& ball) {
  std::cout << name << ' ';
  if (ball.is_finite() && ball.is_moderate())
    std::cout << to_string(ball.lower()) << ' ' << to_string(ball.upper()) << '\n';
  else
    std::cout << "unbounded\n";
}

void print(const char* name, const check::Interval& x) {
  std::cout << name << ' ' << x.lower.mantissa << ' ' << x.lower.exponent << ' ' << x.upper.mantissa << ' ' << x.upper.exponent << '\n';
}

void print_balls(Sample& sample) {
  const RationalInterval x = sample.interval(sample.number());
  const RationalInterval y = sample.interval(sample.positive());
  const Ball a(x.low, x.high);
  const Ball b(y.low, y.high);
  print("exp", exp(a));
  print("tanh", tanh(a));
  print("softplus", softplus(a));
  print("sigmoid", sigmoid(a));
  print("sigmoid_slope", sigmoid_slope(a));
  print("log", log(b));
  print("log1p", log1p(b));
  print("sqrt", sqrt(b));
  print("power", power(a, static_cast<unsigned>(sample.whole(0, 9))));
  print("quotient", a / b);
}

void print_jets(Sample& sample) {
  const std::string text = sample.expression(sample.whole(1, 4));
  const RationalInterval u = sample.interval(sample.number() / Rational(16));
  const Expression loss = std::get<Expression>(parse_expression(text));
  if (const auto jet = enclose(loss, u)) {
    print("value", jet->value);
    print("slope", jet->slope);
    print("curvature", jet->curvature);
  } else {
    std::cout << "undefined\n";
  }
  check::JsonDocument document;
  check::Json& node = document.add(nullptr, check::JsonKind::object);
  document.add(&node, check::JsonKind::string, text, "expression");
  try {
    const check::Jet jet = check::Loss(node).jet(enclosures::checkers(u.low), enclosures::checkers(u.high));
    print("check value", jet.value);
    print("check slope", jet.first);
    print("check curvature", jet.second);
  } catch (const check::Undefined&) {
    std::cout << "check undefined\n";
  }
}

void print_attention(Sample& sample) {
  std::vector<Rational> scores;
  std::vector<Ball> logits;
  for (int t = sample.whole(1, 4); t-- > 0;) {
    scores.push_back(sample.number());
    const RationalInterval y = sample.interval(sample.number());
    logits.emplace_back(y.low, y.high);
  }
  const auto attention = enclose_attention(Loss::logistic(), scores, logits);
  if (!attention) return;
  for (const Ball& share : attention->s) print("share", share);
  print("slope of the mean", attention->slope);
}

void print_intervals(Sample& sample) {
  const check::Arithmetic arithmetic(sample.whole(0, 1) == 0 ? 256 : 128);
  const RationalInterval x = sample.interval(sample.number());
  const RationalInterval y = sample.interval(sample.positive());
  const check::Interval a = arithmetic.enclose(enclosures::checkers(x.low), enclosures::checkers(x.high));
  const check::Interval b = arithmetic.enclose(enclosures::checkers(y.low), enclosures::checkers(y.high));
  print("check exp", arithmetic.exponential(a));
  print("check tanh", arithmetic.hyperbolic_tangent(a));
  print("check softplus", arithmetic.softplus(a));
  print("check sigmoid", arithmetic.sigmoid(a));
  print("check sigmoid_slope", arithmetic.sigmoid_slope(a));
  print("check log", arithmetic.logarithm(b));
  print("check sqrt", arithmetic.square_root(b));
  print("check product", arithmetic.multiply(a, b));
  print("check reciprocal", arithmetic.reciprocal(b));
}

void print_check_balls(Sample& sample) {
  const check::BallArithmetic arithmetic(64 * sample.whole(2, 8));
  const check::Ball a = arithmetic.enclose(enclosures::checkers(sample.number()));
  const check::Ball b = arithmetic.enclose(enclosures::checkers(sample.positive()));
  for (const check::Ball& ball :
       {arithmetic.exponential(a), arithmetic.sigmoid(a), arithmetic.root(b), arithmetic.reciprocal(b), arithmetic.multiply(a, b)})
    std::cout << "check ball " << ball.mid << ' ' << ball.radius.mantissa << ' ' << ball.radius.exponent << '\n';
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  Sample sample(std::strtoull(words[2], nullptr, 10));
  for (long k = std::strtol(words[1], nullptr, 10); k-- > 0;) {
    print_balls(sample);
    print_jets(sample);
    print_attention(sample);
    print_intervals(sample);
    print_check_balls(sample);
  }
  return std::cout.flush() ? 0 : 1;
}
