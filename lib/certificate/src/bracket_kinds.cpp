#include "kinds.hpp"
#include "parts_codec.hpp"

namespace attest::certified {
namespace {

Json encode_direction(const Direction& direction, Program program) {
  return program == Program::w ? encode_multipliers(direction.coefficients) : encode(direction.vector);
}

/// Adds why rows are tight.
void encode_tight(Json& witness, const TightRows& shown, Program program) {
  if (const auto* independence = std::get_if<Rational>(&shown)) {
    witness["independence"] = encode(*independence);
    return;
  }
  Json& list = witness["directions"] = Json::array();
  for (const Direction& direction : std::get<std::vector<Direction>>(shown)) list.push_back(encode_direction(direction, program));
}

Json encode_dual(const BracketDual& dual, Program program) {
  return {{"lambda", encode_multipliers(dual.lambda, program)}, {"scale", encode(dual.scale)}};
}

Json encode_measured(const BracketDual& dual, Program program) {
  Json encoded = encode_dual(dual, program);
  encoded["distance"] = encode(dual.distance);
  return encoded;
}

struct EncodeV {
  Json operator()(const Solution& solution) const { return encode_solution(solution, Program::v); }
  Json operator()(const SupportBracket& bracket) const {
    Json encoded = encode_measured(bracket.dual, Program::v);
    encoded["support"] = encode_rows(bracket.support, Program::v);
    encode_tight(encoded, bracket.shown, Program::v);
    return encoded;
  }
};

}  // namespace

WrittenCertificate write_kind(const SvmBracket& kind) {
  Json witness = encode_dual(kind.dual, kind.program);
  encode_tight(witness, kind.shown, kind.program);
  if (kind.v) witness["v"] = std::visit(EncodeV(), *kind.v);
  return {claim_of(kind.program),
          {{"kind", "svm-bracket"},
           {"selection", kind.selection},
           {"lower", encode(kind.lower)},
           {"upper", encode(kind.upper)},
           {"distance", encode(kind.dual.distance)},
           {"support", encode_rows(kind.support, kind.program)},
           {"possible", encode_rows(kind.possible, kind.program)}},
          std::move(witness)};
}

WrittenCertificate write_kind(const BracketedOptimum& kind) {
  return {locality_of(kind.program),
          {{"kind", "locally-optimal"}, {"selection", kind.selection}, {"possible_neighbours", encode_rows(kind.possible_neighbours)}},
          encode_measured(kind.dual, kind.program)};
}

WrittenCertificate write_kind(const BracketedRival& kind) {
  Json witness = encode_measured(kind.dual, kind.program);
  witness["possible"] = encode_rows(kind.possible);
  witness["neighbour"] = encode_row(kind.neighbour);
  witness["direction"] = encode_direction(kind.direction, kind.program);
  return {locality_of(kind.program), {{"kind", "not-locally-optimal"}, {"selection", kind.selection}}, std::move(witness)};
}

}  // namespace attest::certified
