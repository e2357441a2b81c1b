#include "kinds.hpp"
#include "parts_codec.hpp"

namespace attest::certified {
namespace {

Json encode_slopes(const Slopes& slopes) {
  Json list = Json::array();
  for (const auto& range : slopes) list.push_back(range ? Json::array({encode(range->least), encode(range->largest)}) : Json());
  return list;
}

Json encode_stage(const PathEnvelope::Stage& stage) {
  Json encoded = {{"shift", encode_multipliers(stage.shift)}, {"reach", encode(stage.reach)}, {"slopes", encode_slopes(stage.slopes)}};
  if (stage.floor) encoded["floor"] = encode(*stage.floor);
  return encoded;
}

Json encode_shown(const PathEnvelope::Shown& shown) {
  Json encoded = encode_stage(shown.stage);
  if (shown.stage.floor) encoded["first"] = shown.first ? encode_stage(*shown.first) : Json();
  return encoded;
}

Json encode_cone(const std::optional<PathEnvelope::Cone>& cone) {
  return cone ? Json{{"radius", encode(cone->radius)}, {"opening", encode(cone->opening)}} : Json();
}

/// null for a sample of one token.
Json encode_intervals(const std::vector<std::optional<RationalInterval>>& intervals) {
  Json list = Json::array();
  for (const auto& interval : intervals) list.push_back(interval ? encode_interval(*interval) : Json());
  return list;
}

Json encode_envelope(const std::vector<HeadEnvelope::Entry>& entries) {
  Json list = Json::array();
  for (const auto& entry : entries) list.push_back({{"radius", encode(entry.radius)}, {"square", encode(entry.square)}});
  return list;
}

Json encode_entries(const std::vector<HeadEnvelope::Entry>& entries) {
  Json list = Json::array();
  for (const auto& entry : entries)
    list.push_back({{"shift", encode_multipliers(entry.shift)},
                    {"reach", encode(entry.reach)},
                    {"slopes", encode_intervals(entry.slopes)},
                    {"near", {{"bounds", encode_intervals(entry.near.bounds)}, {"cuts", encode_lists(entry.near.cuts)}}}});
  return list;
}

}  // namespace

WrittenCertificate write_kind(const PathEnvelope& kind) {
  const bool weights = kind.program == Program::w;
  Json envelope = Json::array();
  for (const auto& [radius, square, rate] : kind.envelope)
    envelope.push_back({{"radius", encode(radius)}, {"square", encode(square)}, {"rate", rate ? encode(*rate) : Json()}});
  Json entries = Json::array();
  for (const PathEnvelope::Shown& shown : kind.entries) entries.push_back(encode_shown(shown));
  return {weights ? "w-path" : "path",
          {{"kind", "path-envelope"},
           {"over", weights ? "W" : "p"},
           {"selection", kind.selection},
           {"cone", encode_cone(kind.cone)},
           {"envelope", std::move(envelope)}},
          {{"lambda", encode_multipliers(kind.lambda)}, {"loss", encode_loss(kind.loss)}, {"entries", std::move(entries)}}};
}

WrittenCertificate write_kind(const PathRatio& kind) {
  return {"kq-path",
          {{"kind", "path-ratio"},
           {"selection", kind.bracket.selection},
           {"lower", encode(kind.bracket.lower)},
           {"upper", encode(kind.bracket.upper)},
           {"radius", encode(kind.radius)},
           {"offset", encode(kind.offset)}},
          {{"bracket", write_kind(kind.bracket).witness},
           {"loss", encode_loss(kind.loss)},
           {"reach", encode(kind.reach)},
           {"slopes", encode_slopes(kind.slopes)}}};
}

WrittenCertificate write_kind(const JointEnvelope& kind) {
  return {"joint-path",
          {{"kind", "joint-envelope"},
           {"selection", kind.b.selection},
           {"nu", encode(kind.b.nu)},
           {"gamma_squared", encode(kind.b.gamma_squared)},
           {"r", encode(kind.head_radius)},
           {"R", encode(kind.radius)},
           {"theta", encode(kind.theta)},
           {"c", encode(kind.c)},
           {"head_theta", encode(kind.head_theta)},
           {"head_c", encode(kind.head_c)}},
          {{"b", write_kind(kind.b).witness},
           {"lambda", encode_multipliers(kind.lambda)},
           {"weights", encode_multipliers(kind.weights, Program::v)},
           {"second", kind.shift ? Json{{"shift", encode(*kind.shift)}} : Json()}}};
}

WrittenCertificate write_kind(const HeadBounds& kind) {
  return {"head-path",
          {{"kind", "head-bounds"}, {"selection", kind.selection}, {"head", kind.head}, {"bounds", encode_intervals(kind.slopes.bounds)}},
          {{"cuts", encode_lists(kind.slopes.cuts)}}};
}

WrittenCertificate write_kind(const HeadEnvelope& kind) {
  return {"head-path",
          {{"kind", "head-envelope"}, {"selection", kind.selection}, {"head", kind.head}, {"envelope", encode_envelope(kind.entries)}},
          {{"lambda", encode_multipliers(kind.lambda)},
           {"loss", encode_loss(kind.loss)},
           {"bounds", encode_intervals(kind.slopes.bounds)},
           {"cuts", encode_lists(kind.slopes.cuts)},
           {"entries", encode_entries(kind.entries)}}};
}

}  // namespace attest::certified
