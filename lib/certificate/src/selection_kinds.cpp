#include "kinds.hpp"
#include "parts_codec.hpp"

namespace attest::certified {

WrittenCertificate write_kind(const GloballyOptimal& kind) {
  return {"globally-optimal",
          {{"kind", "globally-optimal"},
           {"selection", kind.selection},
           {"unique", kind.unique},
           {"gap", kind.gap ? encode(*kind.gap) : Json()}},
          Json::object()};
}

WrittenCertificate write_kind(const NotGloballyOptimal& kind) {
  return {"globally-optimal",
          {{"kind", "not-globally-optimal"}, {"selection", kind.selection}, {"unique", kind.unique}},
          {{"sample", kind.sample}, {"token", kind.token}}};
}

WrittenCertificate write_kind(const LocallyOptimal& kind) {
  return {locality_of(kind.program),
          {{"kind", "locally-optimal"}, {"selection", kind.selection}, {"neighbours", encode_rows(kind.neighbours)}},
          encode_solution(kind.solution, kind.program)};
}

WrittenCertificate write_kind(const Outscored& kind) {
  Json witness = encode_solution(kind.solution, kind.program);
  witness["neighbour"] = encode_row(kind.neighbour);
  return {locality_of(kind.program), {{"kind", "not-locally-optimal"}, {"selection", kind.selection}}, std::move(witness)};
}

WrittenCertificate write_kind(const Infeasible& kind) {
  return {locality_of(kind.program),
          {{"kind", "not-locally-optimal"}, {"selection", kind.selection}},
          {{"farkas", encode_multipliers(kind.farkas)}}};
}

WrittenCertificate write_kind(const EqualScores& kind) {
  return {"gd-global", {{"kind", "equal-scores"}, {"selection", kind.selection}}, Json::object()};
}

WrittenCertificate write_kind(const BetterNeighbour& kind) {
  Json witness = encode_solution(kind.solution);
  witness["neighbour"] = encode_row(kind.neighbour);
  return {"tightness", {{"kind", "better-neighbour"}, {"selection", kind.selection}}, std::move(witness)};
}

WrittenCertificate write_kind(const NoBetterNeighbour& kind) {
  return {"tightness", {{"kind", "no-better-neighbour"}, {"selection", kind.selection}}, encode_solution(kind.solution)};
}

WrittenCertificate write_kind(const IndependentRows& kind) {
  return {"tightness",
          {{"kind", "independent-rows"}, {"selection", kind.selection}, {"rows", encode_rows(kind.rows)}},
          encode_solution(kind.solution)};
}

WrittenCertificate write_kind(const SlackTokens& kind) {
  return {"joint-path", {{"kind", "slack-tokens"}, {"selection", kind.selection}}, {{"v", encode_solution(kind.v, Program::v)}}};
}

WrittenCertificate write_kind(const NoSlackTokens& kind) {
  return {"joint-path",
          {{"kind", "no-slack-tokens"}, {"selection", kind.selection}},
          {{"v", encode_solution(kind.v, Program::v)}, {"sample", kind.sample}, {"token", kind.token}}};
}

}  // namespace attest::certified
