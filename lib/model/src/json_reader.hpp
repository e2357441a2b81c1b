#pragma once

#include "attest/base/rational.hpp"
#include "json_tree.hpp"

#include <span>
#include <string>
#include <string_view>

namespace attest {

// Access to a JSON tree that demands the right type: each function throws a CaseFault otherwise.

[[noreturn]] void fail(const JsonPlace& place, std::string found, std::string expected);

/// The value in a few words: 0.5, "text", an array of 3.
std::string describe(const JsonValue& value);

const JsonValue::Object& as_object(const JsonValue& value, const JsonPlace& place, std::string_view expected);
const JsonValue::Array& as_array(const JsonValue& value, const JsonPlace& place, std::string_view expected);
/// One that is not empty.
const JsonValue::Array& as_list(const JsonValue& value, const JsonPlace& place, std::string_view expected);
const std::string& as_string(const JsonValue& value, const JsonPlace& place, std::string_view expected);

/// A number, or a string that holds a decimal or "a/b".
Rational as_rational(const JsonValue& value, const JsonPlace& place);
/// One that has a finite double nearby, as the solvers need it.
Rational as_double_range(const JsonValue& value, const JsonPlace& place);

/// The member, or null.
const JsonValue* find_member(const JsonValue::Object& object, std::string_view key);
const JsonValue& required_member(const JsonValue::Object& object, std::string_view key, const JsonPlace& place, std::string_view expected);
void refuse_unknown_keys(const JsonValue::Object& object, std::span<const std::string_view> known, const JsonPlace& place);

}  // namespace attest
