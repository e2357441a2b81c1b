#include "kinds.hpp"
#include "parts_codec.hpp"

namespace attest::certified {
namespace {

Json with_v(Json witness, const std::optional<Solution>& v) {
  if (v) witness["v"] = encode_solution(*v, Program::v);
  return witness;
}

}  // namespace

WrittenCertificate write_kind(const SvmOptimal& kind) {
  return {claim_of(kind.program),
          {{"kind", "svm-optimal"},
           {"selection", kind.selection},
           {"objective", encode(kind.objective)},
           {"support", encode_rows(kind.support, kind.program)}},
          with_v(encode_solution(kind.solution, kind.program), kind.v)};
}

WrittenCertificate write_kind(const SvmInfeasible& kind) {
  return {claim_of(kind.program),
          {{"kind", "svm-infeasible"}, {"selection", kind.selection}},
          with_v({{"lambda", encode_multipliers(kind.lambda, kind.program)}}, kind.v)};
}

WrittenCertificate write_kind(const NuclearBracket& kind) {
  Json witness = {{"a", encode_matrix(kind.a, kind.rows, kind.columns)},
                  {"b", encode_matrix(kind.b, kind.rows, kind.columns)},
                  {"lambda", encode_multipliers(kind.lambda)}};
  if (!kind.root.empty()) witness["root"] = encode_lists(kind.root);
  return {"w-svm",
          {{"kind", "nuclear-bracket"}, {"selection", kind.selection}, {"lower", encode(kind.lower)}, {"upper", encode(kind.upper)}},
          std::move(witness)};
}

WrittenCertificate write_kind(const Rank& kind) {
  return {"overparametrised", {{"kind", "rank"}, {"token_ranks", kind.token_ranks}, {"query_rank", kind.query_rank}}, Json::object()};
}

WrittenCertificate write_kind(const EverySelection& kind) {
  Json matrices = Json::array();
  for (const auto& matrix : kind.matrices) matrices.push_back(encode_matrix(matrix, kind.dimension, kind.dimension));
  return {"overparametrised", {{"kind", "every-selection"}, {"count", kind.matrices.size()}}, {{"matrices", std::move(matrices)}}};
}

}  // namespace attest::certified
