#include "kinds.hpp"
#include "parts_codec.hpp"

namespace attest::certified {
namespace {

/// What a witness holds beside its loss block.
struct EncodeNoStationaryPoint {
  Parametrisation over;
  std::size_t dimension;

  Json operator()(const NoStationaryPoint::ByDirection& by) const {
    return {{"by", "direction"}, {"u", encode_point(by.u, over, dimension)}};
  }
  Json operator()(const NoStationaryPoint::ByQuery& by) const { return {{"by", "query"}, {"q", encode(by.q)}}; }
  Json operator()(const NoStationaryPoint::ByRank&) const { return {{"by", "rank"}}; }
};

struct EncodeStationaryPoint {
  Json operator()(const StationaryPoint::ByOrigin&) const { return {{"by", "origin"}}; }
  Json operator()(const StationaryPoint::ByKrawczyk& by) const {
    return {{"by", "krawczyk"}, {"basis", encode_lists(by.basis)}, {"radius", encode(by.radius)}, {"inverse", encode_lists(by.inverse)}};
  }
};

}  // namespace

WrittenCertificate write_kind(const NoStationaryPoint& kind) {
  Json witness = {{"loss", encode_loss(kind.loss)}};
  witness.update(std::visit(EncodeNoStationaryPoint{kind.over, kind.dimension}, kind.by));
  return {"no-stationary-point", {{"kind", "no-stationary-point"}, {"over", over_name(kind.over)}}, std::move(witness)};
}

WrittenCertificate write_kind(const StationaryPoint& kind) {
  return {"no-stationary-point",
          {{"kind", "stationary-point"}, {"over", over_name(kind.over)}, {"centre", encode(kind.centre)}},
          std::visit(EncodeStationaryPoint(), kind.by)};
}

WrittenCertificate write_kind(const SparsityNorm& kind) {
  return {"sparsity-norm",
          {{"kind", "sparsity-norm"},
           {"over", over_name(kind.over)},
           {"selection", kind.selection},
           {"epsilon", encode(kind.epsilon)},
           {"lower", encode(kind.lower)},
           {"upper", encode(kind.upper)}},
          {{"weights", encode_multipliers(kind.weights)}, {"point", encode_multipliers(kind.point)}}};
}

WrittenCertificate write_kind(const SparsityInfeasible& kind) {
  return {
      "sparsity-norm",
      {{"kind", "sparsity-infeasible"}, {"over", over_name(kind.over)}, {"selection", kind.selection}, {"epsilon", encode(kind.epsilon)}},
      {{"weights", encode_multipliers(kind.weights)}}};
}

}  // namespace attest::certified
