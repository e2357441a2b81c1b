#include "loss.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace attest::check {

namespace {

/// The table of §3, one function a line.
class JetRules {
 public:
  explicit JetRules(const Arithmetic& arithmetic) : a_(arithmetic) {}

  [[nodiscard]] Jet constant(const Rational& c) const { return {a_.enclose(c), {}, {}}; }
  [[nodiscard]] Jet argument(const Interval& u) const { return {u, a_.enclose(1), {}}; }
  [[nodiscard]] Jet negate(const Jet& f) const { return {a_.negate(f.value), a_.negate(f.first), a_.negate(f.second)}; }
  [[nodiscard]] Jet add(const Jet& f, const Jet& g) const {
    return {a_.add(f.value, g.value), a_.add(f.first, g.first), a_.add(f.second, g.second)};
  }
  [[nodiscard]] Jet multiply(const Jet& f, const Jet& g) const {
    const Interval cross = a_.multiply(2, a_.multiply(f.first, g.first));
    return {a_.multiply(f.value, g.value), a_.add(a_.multiply(f.first, g.value), a_.multiply(f.value, g.first)),
            a_.add(a_.add(a_.multiply(f.second, g.value), cross), a_.multiply(f.value, g.second))};
  }
  [[nodiscard]] Jet reciprocal(const Jet& g) const {
    const Interval inverse = a_.reciprocal(g.value);
    const Interval inverse_square = a_.reciprocal(a_.power(g.value, 2));
    const Interval inverse_cube = a_.reciprocal(a_.power(g.value, 3));
    return {inverse, a_.negate(a_.multiply(g.first, inverse_square)),
            a_.subtract(a_.multiply(2, a_.multiply(a_.square(g.first), inverse_cube)), a_.multiply(g.second, inverse_square))};
  }
  [[nodiscard]] Jet power(const Jet& f, int k) const {
    if (k < 0) return reciprocal(power(f, -k));
    if (k == 0) return constant(1);
    if (k == 1) return f;
    const Interval slope = a_.multiply(k, a_.power(f.value, k - 1));
    const Interval bend = a_.multiply(k * (k - 1), a_.power(f.value, k - 2));
    return {a_.power(f.value, k), a_.multiply(slope, f.first), a_.add(a_.multiply(bend, a_.square(f.first)), a_.multiply(slope, f.second))};
  }
  [[nodiscard]] Jet exp(const Jet& f) const {
    const Interval e = a_.exponential(f.value);
    return {e, a_.multiply(e, f.first), a_.multiply(e, a_.add(a_.square(f.first), f.second))};
  }
  [[nodiscard]] Jet log(const Jet& f) const {
    const Interval value = a_.logarithm(f.value);  // also makes sure of f > 0
    const Interval inverse = a_.reciprocal(f.value);
    const Interval ratio = a_.multiply(f.first, inverse);
    return {value, ratio, a_.subtract(a_.multiply(f.second, inverse), a_.square(ratio))};
  }
  [[nodiscard]] Jet tanh(const Jet& f) const {
    const Interval h = a_.hyperbolic_tangent(f.value);
    const Interval s = a_.subtract(a_.enclose(1), a_.square(h));
    const Interval bend = a_.multiply(2, a_.multiply(a_.multiply(h, s), a_.square(f.first)));
    return {h, a_.multiply(s, f.first), a_.subtract(a_.multiply(s, f.second), bend)};
  }
  [[nodiscard]] Jet sqrt(const Jet& f) const {
    if (f.value.lower.mantissa.sign() <= 0) throw Undefined("sqrt of an interval that is not above 0");
    const Interval r = a_.square_root(f.value);
    const Interval half = a_.reciprocal(a_.multiply(2, r));
    const Interval cubed = a_.reciprocal(a_.multiply(4, a_.power(r, 3)));
    return {r, a_.multiply(f.first, half), a_.subtract(a_.multiply(f.second, half), a_.multiply(a_.square(f.first), cubed))};
  }

  [[nodiscard]] Jet softplus(const Jet& f) const {
    const Interval s = a_.sigmoid(f.value);
    return {a_.softplus(f.value), a_.multiply(s, f.first),
            a_.add(a_.multiply(s, f.second), a_.multiply(a_.sigmoid_slope(f.value), a_.square(f.first)))};
  }

 private:
  const Arithmetic& a_;
};

/// A rational function at one point: its value and its slope there (§4.2).
struct ExactJet {
  Rational value;
  Rational slope;
};

class ExactRules {
 public:
  [[nodiscard]] static ExactJet add(const ExactJet& f, const ExactJet& g) { return kept(f.value + g.value, f.slope + g.slope); }
  [[nodiscard]] static ExactJet negate(const ExactJet& f) { return {-f.value, -f.slope}; }
  [[nodiscard]] static ExactJet multiply(const ExactJet& f, const ExactJet& g) {
    return kept(f.value * g.value, f.slope * g.value + f.value * g.slope);
  }
  [[nodiscard]] static ExactJet reciprocal(const ExactJet& g) {
    if (g.value.is_zero()) throw Undefined("division by 0");
    return kept(1 / g.value, -g.slope / (g.value * g.value));
  }
  [[nodiscard]] static ExactJet power(const ExactJet& f, int k) {
    if (k < 0) return reciprocal(power(f, -k));
    ExactJet result{1, 0};
    for (int i = 0; i < k; ++i) result = multiply(result, f);
    return result;
  }

 private:
  static constexpr std::size_t longest = 1U << 18U;  // bits; §4.2 asks for 2^16 at least

  static ExactJet kept(Rational value, Rational slope) {
    if (bits(value) > longest || bits(slope) > longest) throw Undefined("huge numbers");
    return {std::move(value), std::move(slope)};
  }
};

std::string_view expression_of(const std::string& name) {
  if (name == "logistic") return "log1p(exp(-u))";
  if (name == "exponential") return "exp(-u)";
  if (name == "correlation") return "-u";
  return {};
}

}  // namespace

Loss::Loss(const Json& node) {
  std::string_view expression;
  if (node.kind == JsonKind::string) {
    text_ = node.text;
    expression = expression_of(text_);
    if (expression.empty()) node.fail("unknown loss " + in_quotes(text_));
  } else {
    node.expect_keys({"expression"});
    text_ = node.at("expression").string();
    expression = text_;
  }
  try {
    code_ = parse_expression(expression);
  } catch (const Rejected& why) {
    node.fail(why.what());
  }
}

Loss Loss::logistic() { return {"logistic", parse_expression(expression_of("logistic"))}; }

Loss Loss::head(const Json& node) {
  const std::string& text = node.string();
  try {
    return {text, parse_expression(text)};
  } catch (const Rejected& why) {
    node.fail(why.what());
  }
}

bool Loss::is_logistic() const {
  constexpr std::array<std::string_view, 3> forms{"log1p(exp(-u))", "log(1+exp(-u))", "log(exp(-u)+1)"};
  // Postfix code is the tree: parentheses and plus signs leave nothing in it.
  const auto same = [](const Instruction& a, const Instruction& b) {
    return a.operation == b.operation && a.number == b.number && a.exponent == b.exponent;
  };
  return std::any_of(forms.begin(), forms.end(), [&](std::string_view form) {
    const Code code = parse_expression(form);
    return std::equal(code.begin(), code.end(), code_.begin(), code_.end(), same);
  });
}

LossForm Loss::form() const {
  if (is_logistic()) return LossForm::logistic;
  if (text_ == "exponential") return LossForm::exponential;
  return text_ == "correlation" ? LossForm::correlation : LossForm::expression;
}

Jet Loss::jet(const Rational& lower, const Rational& upper, const Arithmetic& arithmetic) const {
  return jet(arithmetic.enclose(lower, upper), arithmetic);
}

Jet Loss::jet(const Interval& u, const Arithmetic& arithmetic) const {
  const JetRules rules(arithmetic);
  std::vector<Jet> stack;
  for (const Instruction& instruction : code_) {
    const auto binary = instruction.operation >= Operation::add;
    const Jet right = binary ? std::move(stack.back()) : Jet{};
    if (binary) stack.pop_back();
    switch (instruction.operation) {
      case Operation::number: stack.push_back(rules.constant(instruction.number)); continue;
      case Operation::argument: stack.push_back(rules.argument(u)); continue;
      default: break;
    }
    Jet& top = stack.back();
    switch (instruction.operation) {
      case Operation::negate: top = rules.negate(top); break;
      case Operation::power: top = rules.power(top, instruction.exponent); break;
      case Operation::exp: top = rules.exp(top); break;
      case Operation::log: top = rules.log(top); break;
      case Operation::log1p: top = rules.log(rules.add(rules.constant(1), top)); break;
      case Operation::tanh: top = rules.tanh(top); break;
      case Operation::sqrt: top = rules.sqrt(top); break;
      case Operation::softplus: top = rules.softplus(top); break;
      case Operation::add: top = rules.add(top, right); break;
      case Operation::subtract: top = rules.add(top, rules.negate(right)); break;
      case Operation::multiply: top = rules.multiply(top, right); break;
      case Operation::divide: top = rules.multiply(top, rules.reciprocal(right)); break;
      default: break;
    }
  }
  return stack.back();
}

Rational Loss::exact_slope(const Rational& u) const {
  std::vector<ExactJet> stack;
  for (const auto& [operation, number, exponent] : code_) {
    if (operation == Operation::number) {
      stack.push_back({number, 0});
      continue;
    }
    if (operation == Operation::argument) {
      stack.push_back({u, 1});
      continue;
    }
    const bool binary = operation >= Operation::add;
    const ExactJet right = binary ? std::move(stack.back()) : ExactJet{};
    if (binary) stack.pop_back();
    ExactJet& top = stack.back();
    switch (operation) {
      case Operation::negate: top = ExactRules::negate(top); break;
      case Operation::power: top = ExactRules::power(top, exponent); break;
      case Operation::add: top = ExactRules::add(top, right); break;
      case Operation::subtract: top = ExactRules::add(top, ExactRules::negate(right)); break;
      case Operation::multiply: top = ExactRules::multiply(top, right); break;
      case Operation::divide: top = ExactRules::multiply(top, ExactRules::reciprocal(right)); break;
      default: throw Undefined("the loss holds a function");
    }
  }
  return stack.back().slope;
}

}  // namespace attest::check
