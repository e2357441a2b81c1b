#include "kinds.hpp"
#include "parts_codec.hpp"

namespace attest::certified {
namespace {

const char* name_of(Method method) {
  switch (method) {
    case Method::constant: return "constant";
    case Method::normalised: return "normalised";
    case Method::flow: return "flow";
  }
  return "";
}

/// null for every start, "0" for the zero vector or matrix.
Json encode_start(const DescentRun& run) {
  if (!run.start) return Json();
  if (run.start->empty()) return "0";
  if (run.over == Parametrisation::prompt) return encode(*run.start);
  std::size_t side = 1;
  while (side * side < run.start->size()) ++side;
  return encode_matrix(*run.start, side, side);
}

/// The fields that every kind of 4.21 to 4.23 has.
WrittenCertificate encode_run(const DescentRun& run, const char* kind) {
  Json statement = {{"kind", kind},
                    {"over", over_name(run.over)},
                    {"selection", run.selection},
                    {"method", name_of(run.method)},
                    {"start", encode_start(run)},
                    {"iterations", run.iterations}};
  if (run.method != Method::flow || run.iterations > 0) statement["step"] = encode(run.step);
  return {run.over == Parametrisation::prompt ? "descent" : "w-gd",
          std::move(statement),
          {{"lambda", encode_multipliers(run.lambda)}, {"loss", encode_loss(run.loss)}, {"bits", run.bits}}};
}

}  // namespace

WrittenCertificate write_kind(const DescentBasin& kind) { return encode_run(kind.run, "descent-basin"); }

WrittenCertificate write_kind(const DescentCone& kind) {
  WrittenCertificate text = encode_run(kind.run, "descent-cone");
  text.statement["rate"] = encode(kind.rate);
  text.witness["rho"] = encode(kind.rho);
  if (kind.run.method != Method::flow) text.witness["spectral"] = encode(kind.spectral);
  return text;
}

WrittenCertificate write_kind(const DescentWedge& kind) {
  WrittenCertificate text = encode_run(kind.run, "descent-wedge");
  text.witness["delta"] = encode(kind.delta);
  return text;
}

WrittenCertificate write_kind(const FirstStep& kind) {
  return {"first-step",
          {{"kind", "first-step"},
           {"over", over_name(kind.over)},
           {"selection", kind.selection},
           {"start", encode_point(kind.start, kind.over, kind.dimension)}},
          Json::object()};
}

WrittenCertificate write_kind(const NotFirstStep& kind) {
  return {"first-step",
          {{"kind", "not-first-step"},
           {"over", over_name(kind.over)},
           {"selection", kind.selection},
           {"start", encode_point(kind.start, kind.over, kind.dimension)},
           {"row", encode_row(kind.row)}},
          {{"by", kind.at_origin ? "origin" : "enclosure"}}};
}

}  // namespace attest::certified
