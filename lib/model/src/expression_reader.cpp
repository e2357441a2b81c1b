#include "expression_reader.hpp"

#include "text.hpp"

namespace attest {

Expression read_expression(const JsonValue& value, const JsonPlace& place, std::string_view expected) {
  const std::string& text = as_string(value, place, expected);
  auto parsed = parse_expression(text);
  if (const auto* fault = std::get_if<ExpressionFault>(&parsed)) {
    const std::string rest = printable(std::string_view(text).substr(fault->position));
    fail(
        place,
        fault->position == text.size() ? "the end of the expression" : "'" + rest + "' at character " + std::to_string(fault->position + 1),
        fault->expected);
  }
  return std::get<Expression>(std::move(parsed));
}

}  // namespace attest
