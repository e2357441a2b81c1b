#include "json_reader.hpp"

#include "attest/base/spelling.hpp"
#include "text.hpp"

#include <algorithm>

namespace attest {
namespace {

/// As for the rationals of a certificate (docs/certificate.md, section 1).
constexpr std::size_t longest_number = 1'000'000;

struct Describe {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const JsonValue::Number& number) const { return printable(number.text); }
  std::string operator()(const std::string& text) const { return in_quotes(text); }
  std::string operator()(const JsonValue::Array& items) const {
    return items.empty() ? "an empty array" : "an array of " + std::to_string(items.size());
  }
  std::string operator()(const JsonValue::Object& members) const { return members.empty() ? "an empty object" : "an object"; }
};

template <class Content>
const Content& as(const JsonValue& value, const JsonPlace& place, std::string_view expected) {
  const Content* content = value.get<Content>();
  if (content == nullptr) fail(place, describe(value), std::string(expected));
  return *content;
}

}  // namespace

void fail(const JsonPlace& place, std::string found, std::string expected) {
  throw CaseFault{place.text(), std::move(found), std::move(expected)};
}

std::string describe(const JsonValue& value) { return std::visit(Describe{}, value.content); }

const JsonValue::Object& as_object(const JsonValue& value, const JsonPlace& place, std::string_view expected) {
  return as<JsonValue::Object>(value, place, expected);
}

const JsonValue::Array& as_array(const JsonValue& value, const JsonPlace& place, std::string_view expected) {
  return as<JsonValue::Array>(value, place, expected);
}

const JsonValue::Array& as_list(const JsonValue& value, const JsonPlace& place, std::string_view expected) {
  const JsonValue::Array& items = as_array(value, place, expected);
  if (items.empty()) fail(place, describe(value), std::string(expected));
  return items;
}

const std::string& as_string(const JsonValue& value, const JsonPlace& place, std::string_view expected) {
  return as<std::string>(value, place, expected);
}

Rational as_rational(const JsonValue& value, const JsonPlace& place) {
  const auto* number = value.get<JsonValue::Number>();
  const std::string* text = number != nullptr ? &number->text : value.get<std::string>();
  if (text == nullptr) fail(place, describe(value), "a number");
  if (text->size() > longest_number) fail(place, "a number of " + std::to_string(text->size()) + " characters", "one of at most 1000000");
  if (const std::optional<Rational> parsed = parse_rational(*text)) return *parsed;
  fail(place, describe(value),
       number != nullptr ? "a number with an exponent from -5000 to 5000"
                         : "a number, or text that holds one, such as \"0.1\" or \"9/10\", with an exponent from -5000 to 5000");
}

Rational as_double_range(const JsonValue& value, const JsonPlace& place) {
  // From the midpoint of the largest double and 2^1024 on, numbers round to infinity.
  static const Rational limit = Rational((Integer(1) << 1024) - (Integer(1) << 970));
  Rational number = as_rational(value, place);
  if (number >= limit || number <= -limit) fail(place, describe(value), "a number in the range of doubles, up to 1.8e308");
  return number;
}

const JsonValue* find_member(const JsonValue::Object& object, std::string_view key) {
  const auto member = std::find_if(object.begin(), object.end(), [&](const JsonMember& m) { return m.key == key; });
  return member == object.end() ? nullptr : &member->value;
}

const JsonValue& required_member(const JsonValue::Object& object, std::string_view key, const JsonPlace& place, std::string_view expected) {
  const JsonValue* value = find_member(object, key);
  if (value == nullptr) fail(place, "no " + std::string(key), std::string(key) + ": " + std::string(expected));
  return *value;
}

void refuse_unknown_keys(const JsonValue::Object& object, std::span<const std::string_view> known, const JsonPlace& place) {
  for (const JsonMember& member : object)
    if (std::find(known.begin(), known.end(), member.key) == known.end())
      fail(place.member(member.key), "the unknown key " + in_quotes(member.key), one_of(known, member.key));
}

}  // namespace attest
