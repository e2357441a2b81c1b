#include "kinds.hpp"
#include "parts_codec.hpp"

namespace attest::certified {
namespace {

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

}  // namespace

WrittenCertificate write_kind(const AssumptionB& kind) {
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

WrittenCertificate write_kind(const AssumptionBRefuted& kind) {
  Json witness = {{"v", encode_solution(kind.v, Program::v)}};
  witness.update(std::visit(EncodeRefutation(), kind.by));
  return {
      "assumption-b", {{"kind", "assumption-b-refuted"}, {"selection", kind.selection}, {"over", name_of(kind.over)}}, std::move(witness)};
}

}  // namespace attest::certified
