// The parser of losses, and that of the checker beside it: what one accepts the other must accept, since a certificate carries the text.
#include "attest/model/expression.hpp"
#include "attest/model/loss.hpp"
#include "expression.hpp"
#include "target.hpp"

namespace {

bool accepted_by_checker(std::string_view text) {
  try {
    return !attest::check::parse_expression(text).empty();
  } catch (const attest::check::Rejected& why) {
    attest::fuzz::require_clear(why.what());
    return false;
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace attest;
  const std::string_view text = fuzz::text_of(bytes, size);
  const auto parsed = parse_expression(text);
  if (const auto* fault = std::get_if<ExpressionFault>(&parsed)) {
    fuzz::require_clear(fault->expected);
    fuzz::require(fault->position <= size, "a fault lies inside the text");
  } else {
    for (const double u : {-1.0, 0.0, 0.7}) evaluate(Loss::written(std::get<Expression>(parsed)), u);
  }
  fuzz::require(std::holds_alternative<Expression>(parsed) == accepted_by_checker(text), "both parsers agree");
  return 0;
}
