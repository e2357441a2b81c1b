#include "limit_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

/// How much a kind of proof says: a cone brings a rate, a basin a region that is not thin, a wedge the limit alone.
int said_by(LimitBy by) { return by == LimitBy::cone ? 2 : by == LimitBy::basin ? 1 : 0; }

}  // namespace

std::string_view name_of(LimitBy by) {
  switch (by) {
    case LimitBy::basin: return "basin";
    case LimitBy::cone: return "cone";
    case LimitBy::wedge: return "wedge";
  }
  return "";
}

std::string bound_text(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
  return fmt::format("{:.3g}", std::isfinite(unit) && unit > 0 ? std::ceil(value / unit) * unit : value);
}

std::string LimitProof::obstacle() const {
  const auto* open = std::get_if<OpenLimit>(outcome_.get());
  return open ? open->reason : "";
}

LimitBound bound_of(const ProvedLimit& proved) { return {proved.by, proved.from_iterate, proved.rate_constant}; }

std::optional<LimitBound> bound_of_all(const std::vector<LimitProof>& proofs) {
  std::optional<LimitBound> all;
  for (const LimitProof& one : proofs) {
    if (one.proved() == nullptr) return std::nullopt;
    const LimitBound bound = bound_of(*one.proved());
    if (!all) {
      all = bound;
      continue;
    }
    if (said_by(bound.by) < said_by(all->by)) all->by = bound.by;
    all->from_iterate = std::max(all->from_iterate, bound.from_iterate);
    all->rate_constant =
        all->rate_constant && bound.rate_constant ? std::optional(std::max(*all->rate_constant, *bound.rate_constant)) : std::nullopt;
  }
  return all;
}

std::string LimitBound::text(Parametrisation parametrisation) const {
  const char* p = parametrisation == Parametrisation::weights ? "W" : "p";
  const std::string limit = fmt::format("{0}/|{0}| -> {0}^mm/|{0}^mm|", p);
  if (rate_constant)
    return fmt::format("{}, error at most {}/|{}| from iterate {} on", limit, bound_text(upper_double(*rate_constant)), p, from_iterate);
  return fmt::format("{}, by the {} at iterate {}", limit, name_of(by), from_iterate);
}

void write_bound(const std::optional<LimitBound>& bound, Fields& out) {
  const std::optional<Rational> constant = bound ? bound->rate_constant : std::nullopt;
  out("proved_by", bound ? std::optional(name_of(bound->by)) : std::nullopt)("from_iterate",
                                                                             bound ? std::optional(bound->from_iterate) : std::nullopt)(
      "rate_constant", constant ? std::optional(upper_double(*constant)) : std::nullopt);
}

std::vector<std::optional<Certificate>> certificates_of(const std::vector<LimitProof>& proofs) {
  std::vector<std::optional<Certificate>> certificates;
  for (const LimitProof& one : proofs) certificates.push_back(one.certificate());
  return certificates;
}

}  // namespace attest
