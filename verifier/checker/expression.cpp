#include "expression.hpp"

#include <array>
#include <cstdlib>
#include <utility>

namespace attest::check {

namespace {

constexpr std::size_t longest_expression = 10'000;   // §3
constexpr int deepest_expression = 200;              // §3
constexpr int largest_power = 64;                    // §3
constexpr std::size_t largest_constant = 1U << 18U;  // bits inside an exponent; §3 asks for 2^16 at least

/// Recursive descent by the grammar of §3, one function a rule; each writes postfix code.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : s_(text) {}

  Code run() {
    if (s_.size() > longest_expression) throw Rejected("longer than 10000 characters");
    sum();
    if (!at_end()) fail("unexpected text");
    return std::move(code_);
  }

 private:
  /// Brackets, signs and right operands of ^ each count one level of nesting.
  struct Level {
    explicit Level(ExpressionParser& parser) : depth(parser.depth_) {
      if (++depth > deepest_expression) parser.fail("nesting deeper than 200");
    }
    ~Level() { --depth; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    int& depth;
  };

  [[noreturn]] void fail(const std::string& why) const { throw Rejected(why + " at character " + std::to_string(at_)); }
  bool at_end() {
    while (at_ < s_.size() && std::string_view(" \t\n\r").find(s_[at_]) != s_.npos) ++at_;
    return at_ == s_.size();
  }
  bool take(char c) {
    if (at_end() || s_[at_] != c) return false;
    ++at_;
    return true;
  }
  void emit(Operation operation) { code_.push_back({operation}); }

  void sum() {
    product();
    for (;;) {
      const bool plus = take('+');
      if (!plus && !take('-')) return;
      product();
      emit(plus ? Operation::add : Operation::subtract);
    }
  }

  void product() {
    unary();
    for (;;) {
      const bool times = take('*');
      if (!times && !take('/')) return;
      unary();
      emit(times ? Operation::multiply : Operation::divide);
    }
  }

  void unary() {
    const bool minus = take('-');
    if (!minus && !take('+')) return power();
    const Level level(*this);
    unary();
    if (minus) emit(Operation::negate);
  }

  void power() {
    atom();
    if (!take('^')) return;
    const Level level(*this);
    const std::size_t start = code_.size();
    unary();
    const int exponent = constant(start);
    code_.erase(code_.begin() + static_cast<std::ptrdiff_t>(start), code_.end());
    code_.push_back({Operation::power, 0, exponent});
  }

  void atom() {
    if (at_end()) fail("the expression ends too early");
    if (take('(')) return bracket();
    const std::size_t start = at_;
    if (const auto digits = number_length(); digits > 0) {
      at_ += digits;
      const auto value = parse_decimal(s_.substr(start, digits));
      if (!value) fail("the number has an exponent outside -5000 to 5000");
      code_.push_back({Operation::number, *value});
      return;
    }
    while (at_ < s_.size() && is_name(s_[at_])) ++at_;
    const std::string_view name = s_.substr(start, at_ - start);
    if (name == "u") return emit(Operation::argument);
    constexpr std::array<std::pair<std::string_view, Operation>, 5> functions{{
        {"exp", Operation::exp},
        {"log", Operation::log},
        {"log1p", Operation::log1p},
        {"tanh", Operation::tanh},
        {"sqrt", Operation::sqrt},
    }};
    for (const auto& [function, operation] : functions) {
      if (name != function) continue;
      if (!take('(')) fail("expected '('");
      const std::size_t operand = code_.size();
      bracket();
      if (operation == Operation::log1p && take_off_exp()) return emit(Operation::softplus);
      if (operation == Operation::log && take_off_one_plus_exp(operand)) return emit(Operation::softplus);
      return emit(operation);
    }
    at_ = start;
    fail("unknown name or sign");
  }

  void bracket() {
    const Level level(*this);
    sum();
    if (!take(')')) fail("expected ')'");
  }

  /// If the code ends with exp f: leaves f.
  bool take_off_exp() {
    if (code_.back().operation != Operation::exp) return false;
    code_.pop_back();
    return true;
  }

  /// If the code from `start` on is 1 + exp f or exp f + 1: leaves f.
  bool take_off_one_plus_exp(std::size_t start) {
    if (code_.back().operation != Operation::add) return false;
    const Instruction sum = code_.back();
    code_.pop_back();
    if (is_one(code_.back())) {  // a right operand that ends with a number is that number
      const Instruction one = code_.back();
      code_.pop_back();
      if (take_off_exp()) return true;
      code_.push_back(one);
    } else if (is_one(code_[start]) && is_one_operand(start + 1) && take_off_exp()) {
      code_.erase(code_.begin() + static_cast<std::ptrdiff_t>(start));
      return true;
    }
    code_.push_back(sum);
    return false;
  }

  static bool is_one(const Instruction& instruction) { return instruction.operation == Operation::number && instruction.number == 1; }

  /// Whether the code from `start` on needs no value from before it: what stands before is then an operand of its own.
  [[nodiscard]] bool is_one_operand(std::size_t start) const {
    int height = 0;
    for (std::size_t i = start; i < code_.size(); ++i) {
      const Operation operation = code_[i].operation;
      const int needed = operation >= Operation::add ? 2 : operation >= Operation::negate ? 1 : 0;
      if (height < needed) return false;
      height += 1 - needed;
    }
    return height == 1;
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_name(char c) { return (c >= 'a' && c <= 'z') || is_digit(c); }

  /// The length of the `number` at the front of the rest, 0 if there is none.
  [[nodiscard]] std::size_t number_length() const {
    const auto digits_end = [&](std::size_t i) {
      while (i < s_.size() && is_digit(s_[i])) ++i;
      return i;
    };
    const auto is = [&](std::size_t i, std::string_view set) { return i < s_.size() && set.find(s_[i]) != set.npos; };
    std::size_t end = digits_end(at_);
    if (is(end, ".") && digits_end(end + 1) > end + 1) end = digits_end(end + 1);
    if (end > at_ && is(end, "eE")) {
      const std::size_t digits = end + (is(end + 1, "+-") ? 2 : 1);
      if (digits_end(digits) > digits) end = digits_end(digits);
    }
    return end - at_;
  }

  /// The value of the code from `start` on, by rational arithmetic alone: an integer in ±64 (§3).
  [[nodiscard]] int constant(std::size_t start) const {
    std::vector<Rational> stack;
    for (std::size_t i = start; i < code_.size(); ++i) {
      apply(code_[i], stack);
      if (bits(stack.back()) > largest_constant) fail("an exponent with huge numbers");
    }
    const Rational& value = stack.back();
    if (denominator(value) != 1 || abs(value) > largest_power) fail("the exponent is not an integer from -64 to 64");
    return static_cast<int>(numerator(value));
  }

  void apply(const Instruction& instruction, std::vector<Rational>& stack) const {
    const auto pop = [&] {
      Rational top = std::move(stack.back());
      stack.pop_back();
      return top;
    };
    switch (instruction.operation) {
      case Operation::number: stack.push_back(instruction.number); return;
      case Operation::negate: stack.push_back(-pop()); return;
      case Operation::power: stack.push_back(power_of(pop(), instruction.exponent)); return;
      case Operation::add:
      case Operation::subtract:
      case Operation::multiply:
      case Operation::divide: break;
      default: fail("the exponent holds u or a function");
    }
    const Rational right = pop();
    Rational& left = stack.back();
    if (instruction.operation == Operation::add) left += right;
    if (instruction.operation == Operation::subtract) left -= right;
    if (instruction.operation == Operation::multiply) left *= right;
    if (instruction.operation == Operation::divide) {
      if (right.is_zero()) fail("division by zero in an exponent");
      left /= right;
    }
  }

  [[nodiscard]] Rational power_of(const Rational& base, int exponent) const {
    const auto times = static_cast<unsigned>(std::abs(exponent));
    if (bits(base) * times > largest_constant) fail("an exponent with huge numbers");
    if (exponent < 0 && base.is_zero()) fail("division by zero in an exponent");
    const Integer above = pow(numerator(base), times);
    const Integer below = pow(denominator(base), times);
    return exponent < 0 ? Rational(below, above) : Rational(above, below);
  }

  std::string_view s_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Code code_;
};

}  // namespace

Code parse_expression(std::string_view text) { return ExpressionParser(text).run(); }

}  // namespace attest::check
