#include "attest/model/expression.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

namespace attest {
namespace {

// docs/certificate.md, section 3.
constexpr std::size_t max_characters = 10'000;
constexpr std::size_t max_nesting = 200;
constexpr int max_exponent = 64;

/// An exponent such as ((1e5000)^64)^64 would need more memory than there is. No intermediate value of
/// a sane exponent comes near this size, which still holds 1e5000.
constexpr std::size_t max_folded_bits = std::size_t{1} << 17;

struct FunctionName {
  std::string_view name;
  Expression::Operation operation;
};
constexpr std::array<FunctionName, 5> functions{{{"exp", Expression::Operation::exp},
                                                 {"log", Expression::Operation::log},
                                                 {"log1p", Expression::Operation::log1p},
                                                 {"tanh", Expression::Operation::tanh},
                                                 {"sqrt", Expression::Operation::sqrt}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Thrown by Folding: the operand is not a constant of + - * / ^, or its value cannot be used.
struct NotFoldable {};

/// The arithmetic in which exponents are computed: rationals, and nothing but + - * / ^ and signs.
struct Folding {
  static Rational kept(Rational value) {
    if (bits(value) > max_folded_bits) throw NotFoldable{};
    return value;
  }
  static std::size_t bits(const Rational& value) {
    return mpz_sizeinbase(mpq_numref(value.data()), 2) + mpz_sizeinbase(mpq_denref(value.data()), 2);
  }

  Rational number(const Rational& value) { return kept(value); }
  Rational variable() { throw NotFoldable{}; }
  Rational add(const Rational& a, const Rational& b) { return kept(a + b); }
  Rational subtract(const Rational& a, const Rational& b) { return kept(a - b); }
  Rational multiply(const Rational& a, const Rational& b) { return kept(a * b); }
  Rational divide(const Rational& a, const Rational& b) {
    if (b.is_zero()) throw NotFoldable{};
    return kept(a / b);
  }
  Rational negate(const Rational& a) { return -a; }
  Rational power(const Rational& base, int exponent) {
    const unsigned times = static_cast<unsigned>(std::abs(exponent));
    if (bits(base) * times > max_folded_bits) throw NotFoldable{};
    const Rational raised(pow(Integer(numerator(base)), times), pow(Integer(denominator(base)), times));
    return exponent < 0 ? divide(1, raised) : raised;
  }
  Rational exp(const Rational&) { throw NotFoldable{}; }
  Rational log(const Rational&) { throw NotFoldable{}; }
  Rational log1p(const Rational&) { throw NotFoldable{}; }
  Rational tanh(const Rational&) { throw NotFoldable{}; }
  Rational sqrt(const Rational&) { throw NotFoldable{}; }
};

std::optional<int> folded_exponent(const Expression& operand) {
  try {
    Folding folding;
    const Rational value = evaluate_expression(operand, folding);
    if (denominator(value) != 1 || abs(value) > max_exponent) return std::nullopt;
    return static_cast<int>(numerator(value).machine_word());
  } catch (const NotFoldable&) {
    return std::nullopt;
  }
}

}  // namespace

/// Recursive descent: one function for each rule of the grammar, each returning its node's index.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, std::string_view variable) : text_(text), variable_(variable) {}

  Expression parse() {
    if (text_.size() > max_characters) fail(max_characters, "at most 10000 characters");
    sum();
    if (!at_end()) fail(position_, "an operator or the end of the expression");
    result_.text_ = text_;
    return std::move(result_);
  }

 private:
  using Operation = Expression::Operation;

  /// Counts what is inside what, so that neither this parser nor a checker's runs out of stack.
  class Deeper {
   public:
    explicit Deeper(ExpressionParser& parser) : parser_(parser) {
      if (++parser_.depth_ > max_nesting) parser_.fail(parser_.position_, "at most 200 levels of nesting");
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    ExpressionParser& parser_;
  };

  [[noreturn]] void fail(std::size_t position, std::string expected) const { throw ExpressionFault{position, std::move(expected)}; }

  bool at_end() {
    while (position_ < text_.size() && is_space(text_[position_])) ++position_;
    return position_ == text_.size();
  }

  bool take(char c) {
    if (at_end() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  std::size_t append(Expression::Node node) {
    result_.nodes_.push_back(std::move(node));
    return result_.nodes_.size() - 1;
  }
  std::size_t append(Operation operation, std::size_t left, std::size_t right = 0) {
    return append({.operation = operation, .left = left, .right = right, .number = 0});
  }

  // sum := product (('+' | '-') product)*
  std::size_t sum() {
    std::size_t left = product();
    while (true) {
      if (take('+'))
        left = append(Operation::add, left, product());
      else if (take('-'))
        left = append(Operation::subtract, left, product());
      else
        return left;
    }
  }

  // product := unary (('*' | '/') unary)*
  std::size_t product() {
    std::size_t left = unary();
    while (true) {
      if (take('*'))
        left = append(Operation::multiply, left, unary());
      else if (take('/'))
        left = append(Operation::divide, left, unary());
      else
        return left;
    }
  }

  // unary := ('-' | '+') unary | power
  std::size_t unary() {
    if (take('-')) return append(Operation::negate, inner_unary());
    if (take('+')) return inner_unary();
    return power();
  }

  std::size_t inner_unary() {
    const Deeper deeper(*this);
    return unary();
  }

  // power := atom ('^' unary)?
  std::size_t power() {
    const std::size_t base = atom();
    if (!take('^')) return base;
    const int exponent = constant_exponent();
    return append({.operation = Operation::power, .left = base, .number = 0, .exponent = exponent});
  }

  /// Reads the operand into a list of its own, which is dropped once its value is known.
  int constant_exponent() {
    at_end();
    const std::size_t start = position_;
    std::vector<Expression::Node> nodes_before = std::exchange(result_.nodes_, {});
    inner_unary();
    const std::optional<int> exponent = folded_exponent(result_);
    if (!exponent) fail(start, "an exponent without " + std::string(variable_) + " that is a whole number from -64 to 64");
    result_.nodes_ = std::move(nodes_before);
    return *exponent;
  }

  // atom := number | 'u' | name '(' sum ')' | '(' sum ')'
  std::size_t atom() {
    if (take('(')) return closed_sum();
    if (at_end()) fail_at_atom();
    const char c = text_[position_];
    if (is_digit(c) || c == '.') return append({.operation = Operation::number, .number = number()});
    if (!is_letter(c)) fail_at_atom();
    const std::size_t start = position_;
    const std::string_view name = take_name();
    if (name == variable_) return append({.operation = Operation::variable, .number = 0});
    const auto function = std::find_if(functions.begin(), functions.end(), [&](const auto& f) { return f.name == name; });
    if (function == functions.end()) {
      position_ = start;
      fail_at_atom();
    }
    if (!take('(')) fail(position_, "'(' after " + std::string(name));
    return append(function->operation, closed_sum());
  }

  [[noreturn]] void fail_at_atom() const {
    fail(position_, "a number, " + std::string(variable_) + ", '(' or one of exp, log, log1p, tanh, sqrt");
  }

  std::size_t closed_sum() {
    const Deeper deeper(*this);
    const std::size_t inner = sum();
    if (!take(')')) fail(position_, "an operator or ')'");
    return inner;
  }

  std::string_view take_name() {
    const std::size_t start = position_;
    while (position_ < text_.size() && (is_letter(text_[position_]) || is_digit(text_[position_]))) ++position_;
    return text_.substr(start, position_ - start);
  }

  void take_digits() {
    if (position_ == text_.size() || !is_digit(text_[position_])) fail(position_, "a digit");
    while (position_ < text_.size() && is_digit(text_[position_])) ++position_;
  }

  bool next_is(std::string_view characters) const {
    return position_ < text_.size() && characters.find(text_[position_]) != std::string_view::npos;
  }

  // number := digits ('.' digits)? exponent? | '.' digits exponent?
  Rational number() {
    const std::size_t start = position_;
    if (!next_is(".")) take_digits();
    if (next_is(".")) {
      ++position_;
      take_digits();
    }
    if (next_is("eE")) {
      ++position_;
      if (next_is("+-")) ++position_;
      take_digits();
    }
    const std::string written = "0" + std::string(text_.substr(start, position_ - start));
    const std::optional<Rational> value = parse_decimal(written);
    if (!value) fail(start, "a number with an exponent from -5000 to 5000");
    return *value;
  }

  std::string_view text_;
  std::string_view variable_;
  std::size_t position_ = 0;
  std::size_t depth_ = 0;
  Expression result_;
};

std::variant<Expression, ExpressionFault> parse_expression(std::string_view text, std::string_view variable) {
  try {
    return ExpressionParser(text, variable).parse();
  } catch (const ExpressionFault& fault) {
    return fault;
  }
}

}  // namespace attest
