#pragma once

#include "attest/model/expression.hpp"
#include "json_reader.hpp"

namespace attest {

/// An expression in u, or a fault that says where it stops being one.
Expression read_expression(const JsonValue& value, const JsonPlace& place, std::string_view expected);

}  // namespace attest
