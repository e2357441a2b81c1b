#include "head_reader.hpp"

#include "attest/base/spelling.hpp"
#include "expression_reader.hpp"
#include "text.hpp"

#include <array>

namespace attest {
namespace {

constexpr std::string_view head_forms = "{\"expression\": …} or {\"weights\": …, \"activation\": …}";

std::vector<Rational> read_numbers(const JsonValue& value, const JsonPlace& place, std::size_t count, std::string_view meaning) {
  const std::string expected = "an array of " + std::to_string(count) + (count == 1 ? " number" : " numbers") + std::string(meaning);
  const JsonValue::Array& items = as_array(value, place, expected);
  if (items.size() != count) fail(place, describe(value), expected);
  std::vector<Rational> numbers;
  for (std::size_t k = 0; k < count; ++k) numbers.push_back(as_double_range(items[k], place.item(k)));
  return numbers;
}

std::optional<Expression> read_activation(const JsonValue& value, const JsonPlace& place) {
  constexpr std::array<std::string_view, 3> names{"relu", "sigmoid", "tanh"};
  const std::string* name = value.get<std::string>();
  if (name != nullptr && *name == "relu") return std::nullopt;
  if (name != nullptr && *name == "tanh") return std::get<Expression>(parse_expression("tanh(u)"));
  // 1/(1+exp(-u)) without overflow.
  if (name != nullptr && *name == "sigmoid") return std::get<Expression>(parse_expression("(1+tanh(u/2))/2"));
  fail(place, describe(value), one_of(names, name == nullptr ? "" : *name));
}

Head written_head(const JsonValue::Object& object, const JsonPlace& place, const Problem& problem) {
  constexpr std::array<std::string_view, 1> keys{"expression"};
  refuse_unknown_keys(object, keys, place);
  if (!problem.v) fail(place, "no v", "v in the case, since the head is a function of u = v.x");
  Head head{
      {{}},
      {0},
      {1},
      read_expression(*find_member(object, "expression"), place.member("expression"), "an expression in u = v.x, such as \"tanh(u)\"")};
  for (std::size_t c = 0; c < problem.dimension(); ++c) head.weights[0].push_back(problem.v->at(0, c));
  return head;
}

Head network_head(const JsonValue::Object& object, const JsonPlace& place, const Problem& problem) {
  constexpr std::array<std::string_view, 4> keys{"weights", "activation", "output", "bias"};
  refuse_unknown_keys(object, keys, place);
  Head head;
  constexpr std::string_view expected = "a non-empty array of rows, one a unit";
  const JsonPlace inside = place.member("weights");
  const JsonValue::Array& rows = as_list(required_member(object, "weights", place, head_forms), inside, expected);
  for (std::size_t k = 0; k < rows.size(); ++k) head.weights.push_back(read_numbers(rows[k], inside.item(k), problem.dimension(), ""));
  head.activation = read_activation(required_member(object, "activation", place, "relu, sigmoid or tanh"), place.member("activation"));
  const auto per_unit = [&](std::string_view key, int otherwise) {
    const JsonValue* given = find_member(object, key);
    return given ? read_numbers(*given, place.member(key), rows.size(), ", one a unit") : std::vector<Rational>(rows.size(), otherwise);
  };
  head.output = per_unit("output", 1);
  head.bias = per_unit("bias", 0);
  return head;
}

}  // namespace

Head read_head(const JsonValue& value, const JsonPlace& place, const Problem& problem) {
  const JsonValue::Object& object = as_object(value, place, head_forms);
  return find_member(object, "expression") ? written_head(object, place, problem) : network_head(object, place, problem);
}

}  // namespace attest
