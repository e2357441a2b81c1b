#include "kinds.hpp"
#include "parts_codec.hpp"

namespace attest::certified {

WrittenCertificate write_kind(const LossBounds& kind) {
  return {"assumption-a",
          {{"kind", "loss-bounds"},
           {"interval", encode_interval(kind.interval)},
           {"slope_sup", encode(kind.slope_sup)},
           {"m0", encode(kind.m0)},
           {"m1", encode(kind.m1)},
           {"covers_scores", kind.covers_scores}},
          {{"cuts", encode(kind.cuts)}}};
}

WrittenCertificate write_kind(const LossNotDecreasing& kind) {
  return {"assumption-a",
          {{"kind", "loss-not-decreasing"},
           {"interval", encode_interval(kind.interval)},
           {"a", encode(kind.a)},
           {"b", encode(kind.b)},
           {"covers_scores", kind.covers_scores}},
          {{"by", kind.by_slope ? "slope" : "values"}}};
}

WrittenCertificate write_kind(const LossFlat& kind) {
  return {"assumption-a",
          {{"kind", "loss-flat"}, {"sample", kind.sample}, {"token", kind.token}, {"at", encode(kind.at)}},
          {{"by", kind.rational ? "rational" : "enclosure"}}};
}

WrittenCertificate write_kind(const LogisticLoss&) { return {"joint-path", {{"kind", "logistic-loss"}}, Json::object()}; }

WrittenCertificate write_kind(const NotLogistic& kind) {
  return {"joint-path", {{"kind", "not-logistic"}, {"u", encode(kind.u)}}, Json::object()};
}

WrittenCertificate write_kind(const CurvatureBound& kind) {
  Json forms = Json::array();
  for (const bool by_tokens : kind.by_tokens) forms.push_back(by_tokens ? "tokens" : "width");
  return {"step-size",
          {{"kind", "curvature-bound"}, {"over", over_name(kind.over)}, {"bound", encode(kind.bound)}},
          {{"interval", encode_interval(kind.interval)},
           {"cuts", encode(kind.cuts)},
           {"weights", encode(kind.weights)},
           {"forms", std::move(forms)},
           {"widths", encode(kind.widths)},
           {"spread", encode(kind.spread)}}};
}

}  // namespace attest::certified
