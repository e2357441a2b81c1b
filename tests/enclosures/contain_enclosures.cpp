// contain_enclosures COUNT SEED: so many random enclosures of each function, and an eighth as many jets and attentions, hold what MPFI
// computes at a point inside, with twice the bits.
// --self-test: an enclosure that is shifted by a hair is found.
#include "../exact/mpfi_jet.hpp"
#include "attention_balls.hpp"
#include "attest/exact/loss_jet.hpp"
#include "checker_numbers.hpp"
#include "loss.hpp"
#include "sample.hpp"

#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string_view>

namespace {

using namespace attest;
using enclosures::Sample;

std::map<std::string, long> counts;

/// An interval of MPFI with 1024 bits around f at a point: more than any enclosure that it is held against.
class Fine {
 public:
  using Function = int (*)(mpfi_ptr, mpfi_srcptr);

  explicit Fine(const Rational& point) {
    mpfi_init2(value_, 1024);
    mpfi_set_q(value_, point.data());
  }
  Fine(const Fine&) = delete;
  Fine& operator=(const Fine&) = delete;
  ~Fine() { mpfi_clear(value_); }

  Fine& apply(Function function) {
    function(value_, value_);
    return *this;
  }
  Fine& negate() {
    mpfi_neg(value_, value_);
    return *this;
  }
  Fine& add_one() {
    mpfi_add_ui(value_, value_, 1);
    return *this;
  }
  Fine& invert() {
    mpfi_inv(value_, value_);
    return *this;
  }
  Fine& add(const Fine& other) {
    mpfi_add(value_, value_, other.value_);
    return *this;
  }
  Rational lower() const { return end_of(&value_->left); }
  Rational upper() const { return end_of(&value_->right); }

 private:
  static Rational end_of(mpfr_srcptr end) {
    Rational value;
    mpfr_get_q(value.data(), end);
    return value;
  }
  mpfi_t value_;
};

void demand(bool holds, const std::string& name, const Rational& point) {
  ++counts[name];
  if (holds) return;
  std::cerr << "not contained: " << name << " at " << to_string(point) << '\n';
  std::exit(1);
}

bool holds(const Ball& ball, const Fine& fine) {
  if (!ball.is_finite() || !ball.is_moderate()) return true;  // unbounded, or not compared as fractions
  return ball.lower() <= fine.lower() && fine.upper() <= ball.upper();
}

bool holds(const check::Interval& interval, const Fine& fine) {
  return enclosures::end_of(interval.lower) <= fine.lower() && fine.upper() <= enclosures::end_of(interval.upper);
}

/// One function of the library, the same of the checker (if it has it), and of MPFI.
struct Function {
  std::string name;
  bool positive;
  std::function<Ball(const Ball&)> ball;
  std::function<check::Interval(const check::Arithmetic&, const check::Interval&)> interval;
  std::function<void(Fine&)> fine;
};

const std::vector<Function>& functions() {
  using check::Arithmetic;
  const auto sigmoid_of = [](Fine& x) { x.negate().apply(mpfi_exp).add_one().invert(); };
  static const std::vector<Function> all{
      {"exp", false, [](const Ball& x) { return exp(x); }, &Arithmetic::exponential, [](Fine& x) { x.apply(mpfi_exp); }},
      {"tanh", false, [](const Ball& x) { return tanh(x); }, &Arithmetic::hyperbolic_tangent, [](Fine& x) { x.apply(mpfi_tanh); }},
      {"softplus", false, [](const Ball& x) { return softplus(x); }, &Arithmetic::softplus,
       [](Fine& x) { x.apply(mpfi_exp).apply(mpfi_log1p); }},
      {"sigmoid", false, [](const Ball& x) { return sigmoid(x); }, &Arithmetic::sigmoid, sigmoid_of},
      {"log", true, [](const Ball& x) { return log(x); }, &Arithmetic::logarithm, [](Fine& x) { x.apply(mpfi_log); }},
      {"log1p", true, [](const Ball& x) { return log1p(x); }, {}, [](Fine& x) { x.apply(mpfi_log1p); }},
      {"sqrt", true, [](const Ball& x) { return sqrt(x); }, &Arithmetic::square_root, [](Fine& x) { x.apply(mpfi_sqrt); }},
      {"square", false, [](const Ball& x) { return square(x); }, &Arithmetic::square, [](Fine& x) { x.apply(mpfi_sqr); }}};
  return all;
}

void contain_function(const Function& function, Sample& sample) {
  const RationalInterval x = sample.interval(function.positive ? sample.positive() : sample.number());
  const Rational point = sample.point(x);
  Fine fine(point);
  function.fine(fine);
  demand(holds(function.ball(Ball(x.low, x.high)), fine), "ball " + function.name, point);
  if (!function.interval) return;
  const check::Arithmetic arithmetic;
  const check::Interval wide = arithmetic.enclose(enclosures::checkers(x.low), enclosures::checkers(x.high));
  demand(holds(function.interval(arithmetic, wide), fine), "interval " + function.name, point);
}

/// Jets at 256 bits by Taylor's recurrences, which may be coarser than an exact 0 or a tail of tanh. The true number lies in both, so that
/// they must meet; that the library's, of 128 bits, hold MPFI's is counted apart.
void contain_jet(Sample& sample) {
  const std::string text = sample.expression(sample.whole(1, 4));
  const Expression loss = std::get<Expression>(parse_expression(text));
  const RationalInterval u = sample.interval(sample.number() / Rational(16));
  const Rational point = sample.point(u);
  const auto jet = evaluate_with_softplus(loss, TaylorArithmetic{Interval(point)});
  const auto balls = enclose(loss, u);
  if (!jet || !balls || !jet->value.is_finite() || !jet->first.is_finite() || !jet->second.is_finite()) return;
  const auto inside = [](const Ball& ball, const Interval& value) {
    return !ball.is_finite() || !ball.is_moderate() || (ball.lower() <= value.lower() && value.upper() <= ball.upper());
  };
  const auto touches = [](const Ball& ball, const Interval& value) {
    return !ball.is_finite() || !ball.is_moderate() || (ball.lower() <= value.upper() && value.lower() <= ball.upper());
  };
  if (inside(balls->value, jet->value) && inside(balls->slope, jet->slope()) && inside(balls->curvature, jet->curvature()))
    demand(true, "jet of the library", point);
  else
    demand(touches(balls->value, jet->value) && touches(balls->slope, jet->slope()) && touches(balls->curvature, jet->curvature()),
           "jet of the library, finer than MPFI's", point);
  check::JsonDocument document;
  check::Json& node = document.add(nullptr, check::JsonKind::object);
  document.add(&node, check::JsonKind::string, text, "expression");
  const auto meets = [](const check::Interval& x, const Interval& value) {
    return enclosures::end_of(x.lower) <= value.upper() && value.lower() <= enclosures::end_of(x.upper);
  };
  try {
    const check::Jet again = check::Loss(node).jet(enclosures::checkers(u.low), enclosures::checkers(u.high));
    demand(meets(again.value, jet->value) && meets(again.first, jet->slope()) && meets(again.second, jet->curvature()),
           "jet of the checker", point);
  } catch (const check::Undefined&) {
    demand(false, "jet of the checker, undefined where the library has one: " + text, point);
  }
}

void contain_attention(Sample& sample) {
  const int size = sample.whole(2, 4);
  std::vector<Rational> scores;
  std::vector<Rational> points;
  std::vector<Ball> logits;
  for (int t = 0; t < size; ++t) {
    const RationalInterval y = sample.interval(sample.number());
    scores.push_back(sample.number());
    points.push_back(sample.point(y));
    logits.emplace_back(y.low, y.high);
  }
  const auto attention = enclose_attention(Loss::logistic(), scores, logits);
  if (!attention) return;
  for (std::size_t t = 0; t < points.size(); ++t) {
    Fine share(Rational(0));
    for (const Rational& other : points) share.add(Fine(other - points[t]).apply(mpfi_exp));
    demand(holds(attention->s[t], share.invert()), "attention", points[t]);
  }
}

int self_test() {
  const Rational third(1, 3);
  const Rational hair(Integer(1), Integer(1) << 120);
  Fine beside(third + hair);
  beside.apply(mpfi_exp);
  Fine there(third);
  there.apply(mpfi_exp);
  const check::Arithmetic arithmetic;
  const check::Interval interval = arithmetic.exponential(arithmetic.enclose(enclosures::checkers(third)));
  const bool seen =
      holds(exp(Ball(third)), there) && holds(interval, there) && !holds(exp(Ball(third)), beside) && !holds(interval, beside);
  std::cout << (seen ? "a hair beside is seen\n" : "a hair beside is not seen\n");
  return seen ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  if (count == 2 && std::string_view(words[1]) == "--self-test") return self_test();
  if (count != 3) return 2;
  Sample sample(std::strtoull(words[2], nullptr, 10));
  for (long k = std::strtol(words[1], nullptr, 10); k-- > 0;) {
    for (const Function& function : functions()) contain_function(function, sample);
    if (k % 8 != 0) continue;
    contain_jet(sample);
    contain_attention(sample);
  }
  long all = 0;
  for (const auto& [name, number] : counts) {
    std::cout << "enclosures: " << name << ": " << number << " contained\n";
    all += number;
  }
  std::cout << "enclosures: " << all << " evaluations, all contained; seed " << words[2] << '\n';
  return 0;
}
