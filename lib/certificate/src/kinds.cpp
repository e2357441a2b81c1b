#include "attest/certificate/codec.hpp"

namespace attest::certified {
namespace {

using Json = nlohmann::ordered_json;
using Program = SvmProgram::Kind;

Json encode_row(const RowName& row, Program program = Program::p) {
  return program == Program::v ? Json::array({row.sample}) : Json::array({row.sample, row.token});
}

Json encode_rows(const std::vector<RowName>& rows, Program program = Program::p) {
  Json list = Json::array();
  for (const RowName& row : rows) list.push_back(encode_row(row, program));
  return list;
}

Json encode_multipliers(const Multipliers& multipliers, Program program = Program::p) {
  Json list = Json::array();
  for (const auto& [row, weight] : multipliers) {
    Json entry = encode_row(row, program);
    entry.push_back(encode(weight));
    list.push_back(std::move(entry));
  }
  return list;
}

/// {"w", "lambda"}; of the W-SVM {"lambda"}.
Json encode_solution(const Solution& solution, Program program = Program::p) {
  Json encoded = Json::object();
  if (program != Program::w) encoded["w"] = encode(solution.w);
  encoded["lambda"] = encode_multipliers(solution.lambda, program);
  return encoded;
}

Json with_v(Json witness, const std::optional<Solution>& v) {
  if (v) witness["v"] = encode_solution(*v, Program::v);
  return witness;
}

const char* claim_of(Program program) {
  switch (program) {
    case Program::p: return "p-svm";
    case Program::v: return "v-svm";
    case Program::joint: return "joint-svm";
    case Program::w: return "w-svm";
  }
  return "";
}

/// Local optimality for W stands with the W-SVM.
const char* locality_of(Program program) { return program == Program::w ? "w-svm" : "locally-optimal"; }

Json encode_conflicts(const std::vector<Conflict>& conflicts) {
  Json list = Json::array();
  for (const Conflict& conflict : conflicts) {
    Json terms = Json::array();
    for (const Conflict::Term& term : conflict.terms) terms.push_back({term.sample, term.chosen, term.token, encode(term.weight)});
    list.push_back(std::move(terms));
  }
  return list;
}

Json encode_node(const CensusNode& node) {
  if (node.conflict) return *node.conflict;
  if (node.leaf) {
    Json entry = encode_solution(node.leaf->solution);
    if (node.leaf->neighbour) entry["neighbour"] = encode_row(*node.leaf->neighbour);
    return entry;
  }
  Json children = Json::array();
  for (const CensusNode& child : node.children) children.push_back(encode_node(child));
  return children;
}

const char* name_of(Over over) { return over == Over::all ? "all" : "support"; }

Json encode_tree(const SelectionTree& tree) {
  if (tree.weights) return *tree.weights;
  Json node = Json::array({tree.sample});
  for (const SelectionTree& child : tree.children) node.push_back(encode_tree(child));
  return node;
}

Json encode_samples(const std::vector<AssumptionB::SampleCells>& samples) {
  Json encoded = Json::array();
  for (const auto& [sample, cells] : samples) {
    Json list = Json::array();
    for (const auto& [upto, tree] : cells) list.push_back({{"upto", encode(upto)}, {"tree", encode_tree(tree)}});
    encoded.push_back({{"sample", sample}, {"cells", std::move(list)}});
  }
  return encoded;
}

/// What a witness against Assumption B holds beside v.
struct EncodeRefutation {
  Json operator()(const AssumptionBRefuted::ByLimit& by) const { return {{"by", "limit"}, {"p", encode(by.p)}, {"u", encode(by.u)}}; }
  Json operator()(const AssumptionBRefuted::BySoftRow& by) const { return {{"by", "soft-row"}, {"p", encode(by.p)}}; }
  Json operator()(const AssumptionBRefuted::ByWeightless& by) const {
    return {{"by", "weightless"}, {"p", encode(by.p)}, {"sample", by.sample}, {"y", encode(by.y)}};
  }
  Json operator()(const AssumptionBRefuted::ByPoint& by) const { return {{"by", "point"}, {"p", encode(by.p)}, {"u", encode(by.u)}}; }
};

template <class Number>
Json encode_matrix(const std::vector<Number>& entries, std::size_t rows, std::size_t columns) {
  Json list = Json::array();
  for (std::size_t r = 0; r < rows; ++r) {
    Json row = Json::array();
    for (std::size_t c = 0; c < columns; ++c) row.push_back(encode(Rational(entries[r * columns + c])));
    list.push_back(std::move(row));
  }
  return list;
}

Json encode_interval(const RationalInterval& interval) { return Json::array({encode(interval.low), encode(interval.high)}); }

struct Codec {
  WrittenCertificate operator()(const LossBounds& kind) const {
    return {"assumption-a",
            {{"kind", "loss-bounds"},
             {"interval", encode_interval(kind.interval)},
             {"slope_sup", encode(kind.slope_sup)},
             {"m0", encode(kind.m0)},
             {"m1", encode(kind.m1)},
             {"covers_scores", kind.covers_scores}},
            {{"cuts", encode(kind.cuts)}}};
  }
  WrittenCertificate operator()(const LossNotDecreasing& kind) const {
    return {"assumption-a",
            {{"kind", "loss-not-decreasing"},
             {"interval", encode_interval(kind.interval)},
             {"a", encode(kind.a)},
             {"b", encode(kind.b)},
             {"covers_scores", kind.covers_scores}},
            {{"by", kind.by_slope ? "slope" : "values"}}};
  }
  WrittenCertificate operator()(const LossFlat& kind) const {
    return {"assumption-a",
            {{"kind", "loss-flat"}, {"sample", kind.sample}, {"token", kind.token}, {"at", encode(kind.at)}},
            {{"by", kind.rational ? "rational" : "enclosure"}}};
  }
  WrittenCertificate operator()(const GloballyOptimal& kind) const {
    return {"globally-optimal",
            {{"kind", "globally-optimal"},
             {"selection", kind.selection},
             {"unique", kind.unique},
             {"gap", kind.gap ? encode(*kind.gap) : Json()}},
            Json::object()};
  }
  WrittenCertificate operator()(const NotGloballyOptimal& kind) const {
    return {"globally-optimal",
            {{"kind", "not-globally-optimal"}, {"selection", kind.selection}, {"unique", kind.unique}},
            {{"sample", kind.sample}, {"token", kind.token}}};
  }
  WrittenCertificate operator()(const SvmOptimal& kind) const {
    return {claim_of(kind.program),
            {{"kind", "svm-optimal"},
             {"selection", kind.selection},
             {"objective", encode(kind.objective)},
             {"support", encode_rows(kind.support, kind.program)}},
            with_v(encode_solution(kind.solution, kind.program), kind.v)};
  }
  WrittenCertificate operator()(const SvmInfeasible& kind) const {
    return {claim_of(kind.program),
            {{"kind", "svm-infeasible"}, {"selection", kind.selection}},
            with_v({{"lambda", encode_multipliers(kind.lambda, kind.program)}}, kind.v)};
  }
  WrittenCertificate operator()(const LocallyOptimal& kind) const {
    return {locality_of(kind.program),
            {{"kind", "locally-optimal"}, {"selection", kind.selection}, {"neighbours", encode_rows(kind.neighbours)}},
            encode_solution(kind.solution, kind.program)};
  }
  WrittenCertificate operator()(const Outscored& kind) const {
    Json witness = encode_solution(kind.solution, kind.program);
    witness["neighbour"] = encode_row(kind.neighbour);
    return {locality_of(kind.program), {{"kind", "not-locally-optimal"}, {"selection", kind.selection}}, std::move(witness)};
  }
  WrittenCertificate operator()(const Infeasible& kind) const {
    return {locality_of(kind.program),
            {{"kind", "not-locally-optimal"}, {"selection", kind.selection}},
            {{"farkas", encode_multipliers(kind.farkas)}}};
  }
  WrittenCertificate operator()(const Census& kind) const {
    return {"census",
            {{"kind", "census"}, {"count", kind.selections.size()}, {"selections", kind.selections}},
            {{"order", kind.order}, {"conflicts", encode_conflicts(kind.conflicts)}, {"tree", encode_node(kind.tree)}}};
  }
  WrittenCertificate operator()(const AssumptionB& kind) const {
    Json weights = Json::array();
    for (const Multipliers& list : kind.weights) weights.push_back(encode_multipliers(list, Program::v));
    Json witness = {{"v", encode_solution(kind.v, Program::v)}, {"weights", std::move(weights)}, {"samples", encode_samples(kind.samples)}};
    if (!kind.cover.empty()) {
      Json cover = Json::array();
      for (const auto& [row, lambda] : kind.cover) cover.push_back({{"row", encode_row(row)}, {"lambda", encode_multipliers(lambda)}});
      witness["cover"] = std::move(cover);
    }
    return {"assumption-b",
            {{"kind", "assumption-b"},
             {"selection", kind.selection},
             {"over", name_of(kind.over)},
             {"nu", encode(kind.nu)},
             {"gamma_squared", encode(kind.gamma_squared)}},
            std::move(witness)};
  }
  WrittenCertificate operator()(const AssumptionBRefuted& kind) const {
    Json witness = {{"v", encode_solution(kind.v, Program::v)}};
    witness.update(std::visit(EncodeRefutation(), kind.by));
    return {"assumption-b",
            {{"kind", "assumption-b-refuted"}, {"selection", kind.selection}, {"over", name_of(kind.over)}},
            std::move(witness)};
  }
  WrittenCertificate operator()(const NuclearBracket& kind) const {
    return {"w-svm",
            {{"kind", "nuclear-bracket"}, {"selection", kind.selection}, {"lower", encode(kind.lower)}, {"upper", encode(kind.upper)}},
            {{"a", encode_matrix(kind.a, kind.rows, kind.columns)},
             {"b", encode_matrix(kind.b, kind.rows, kind.columns)},
             {"lambda", encode_multipliers(kind.lambda)}}};
  }
  WrittenCertificate operator()(const Rank& kind) const {
    return {"overparametrised", {{"kind", "rank"}, {"token_ranks", kind.token_ranks}, {"query_rank", kind.query_rank}}, Json::object()};
  }
  WrittenCertificate operator()(const EverySelection& kind) const {
    Json matrices = Json::array();
    for (const auto& matrix : kind.matrices) matrices.push_back(encode_matrix(matrix, kind.dimension, kind.dimension));
    return {"overparametrised", {{"kind", "every-selection"}, {"count", kind.matrices.size()}}, {{"matrices", std::move(matrices)}}};
  }
  WrittenCertificate operator()(const EqualScores& kind) const {
    return {"gd-global", {{"kind", "equal-scores"}, {"selection", kind.selection}}, Json::object()};
  }
  WrittenCertificate operator()(const BetterNeighbour& kind) const {
    Json witness = encode_solution(kind.solution);
    witness["neighbour"] = encode_row(kind.neighbour);
    return {"tightness", {{"kind", "better-neighbour"}, {"selection", kind.selection}}, std::move(witness)};
  }
  WrittenCertificate operator()(const NoBetterNeighbour& kind) const {
    return {"tightness", {{"kind", "no-better-neighbour"}, {"selection", kind.selection}}, encode_solution(kind.solution)};
  }
  WrittenCertificate operator()(const IndependentRows& kind) const {
    return {"tightness",
            {{"kind", "independent-rows"}, {"selection", kind.selection}, {"rows", encode_rows(kind.rows)}},
            encode_solution(kind.solution)};
  }
  WrittenCertificate operator()(const SlackTokens& kind) const {
    return {"joint-path", {{"kind", "slack-tokens"}, {"selection", kind.selection}}, {{"v", encode_solution(kind.v, Program::v)}}};
  }
  WrittenCertificate operator()(const NoSlackTokens& kind) const {
    return {"joint-path",
            {{"kind", "no-slack-tokens"}, {"selection", kind.selection}},
            {{"v", encode_solution(kind.v, Program::v)}, {"sample", kind.sample}, {"token", kind.token}}};
  }
  WrittenCertificate operator()(const LogisticLoss&) const { return {"joint-path", {{"kind", "logistic-loss"}}, Json::object()}; }
  WrittenCertificate operator()(const NotLogistic& kind) const {
    return {"joint-path", {{"kind", "not-logistic"}, {"u", encode(kind.u)}}, Json::object()};
  }
};

}  // namespace
}  // namespace attest::certified

namespace attest {

WrittenCertificate written(const Certificate& certificate) { return std::visit(certified::Codec(), certificate); }

}  // namespace attest
