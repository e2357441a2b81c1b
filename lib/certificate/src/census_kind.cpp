#include "kinds.hpp"
#include "parts_codec.hpp"

namespace attest::certified {
namespace {

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

}  // namespace

WrittenCertificate write_kind(const Census& kind) {
  return {"census",
          {{"kind", "census"}, {"count", kind.selections.size()}, {"selections", kind.selections}},
          {{"order", kind.order}, {"conflicts", encode_conflicts(kind.conflicts)}, {"tree", encode_node(kind.tree)}}};
}

}  // namespace attest::certified
