#include "kinds.hpp"
#include "parts_codec.hpp"

namespace attest::certified {
namespace {

/// The terms, and the pairs that have none, by sample.
Json encode_terms(const Conflict& conflict) {
  Json entries = Json::array();
  auto term = conflict.terms.begin();
  for (const auto& [sample, chosen] : conflict.pairs) {
    if (term == conflict.terms.end() || term->sample != sample) entries.push_back({sample, chosen});
    for (; term != conflict.terms.end() && term->sample == sample; ++term)
      entries.push_back({sample, chosen, term->token, encode(term->weight)});
  }
  return entries;
}

Json encode_conflicts(const std::vector<Conflict>& conflicts) {
  Json list = Json::array();
  for (const Conflict& conflict : conflicts) {
    Json terms = encode_terms(conflict);
    list.push_back(conflict.centre ? Json{{"terms", std::move(terms)}, {"centre", encode(*conflict.centre)}} : std::move(terms));
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

}  // namespace

WrittenCertificate write_kind(const Census& kind) {
  return {"census",
          {{"kind", "census"}, {"count", kind.selections.size()}, {"selections", kind.selections}},
          {{"order", kind.order}, {"conflicts", encode_conflicts(kind.conflicts)}, {"tree", encode_node(kind.tree)}}};
}

}  // namespace attest::certified
