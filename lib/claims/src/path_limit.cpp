#include "path_limit.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/solve/descent.hpp"
#include "attest/solve/row_shift.hpp"
#include "limit_proof.hpp"

#include <fmt/format.h>

namespace attest {

std::vector<PathLimit::Entry> PathLimit::entries() const {
  std::vector<Entry> entries;
  for (const auto& entry : envelope.envelope) {
    const double radius = nearest_double(entry.radius);
    entries.push_back({radius, *envelope_bound(envelope, radius), square_root_bound(entry, radius),
                       entry.rate ? std::optional(upper_double(*entry.rate)) : std::nullopt});
  }
  return entries;
}

std::optional<PathLimit::Cone> PathLimit::cone() const {
  if (!envelope.cone) return std::nullopt;
  return Cone{nearest_double(envelope.cone->radius), nearest_double(envelope.cone->opening)};
}

std::string PathLimit::words() const {
  const std::vector<Entry> list = entries();
  const auto within = cone();
  return fmt::format("proved of every minimiser{} from R = {:.6g} on: at R = {:.6g} the direction is at most {} away",
                     within ? fmt::format(" in the cone |{}| >= {:.6g}, tangent {:.4g},",
                                          envelope.program == SvmProgram::Kind::w ? "W" : "p", within->radius, within->opening)
                            : "",
                     list.front().radius, list.back().radius, bound_text(list.back().bound));
}

namespace {

/// Every row by an exact solution whose fractions grow with the tight rows.
bool is_too_large(const SolvedSvm& svm) {
  constexpr double most_work = 4e9;
  const auto tight = static_cast<double>(svm.solution()->multipliers.size());
  const auto numbers = static_cast<double>(svm.program.row_count() * svm.program.dimension());
  return numbers * tight * tight > most_work;
}

}  // namespace

std::optional<PathLimit> prove_path_limit(const ClaimContext& context, const PathTheorem& theorem, const Path& path) {
  if (context.budget.spent()) return std::nullopt;
  const auto svm = context.study.svm_within_reach(theorem.parametrisation, theorem.selection, context.budget);
  const AssumptionA assumption = context.study.assumption_a(context.budget);
  const auto* loss = std::get_if<LossBounds>(&assumption);
  if (!svm || !svm->solution() || loss == nullptr || is_too_large(*svm)) return std::nullopt;
  const NumericProblem problem = trained_image(context.problem(), theorem.parametrisation);
  std::vector<EnvelopeHint> hints;
  for (const PathPoint& point : path.points)
    hints.push_back({point.radius, shift_of_rows(problem, theorem.selection, point.p, theorem.p_mm)});
  const EnvelopeFacts facts{svm->program, *svm->solution(), context.study.scores(), *loss, context.study.score_interval()};
  auto envelope = (theorem.local ? prove_cone_envelope : prove_path_envelope)(facts, hints, context.budget);
  if (!envelope) return std::nullopt;
  return PathLimit{std::move(*envelope)};
}

Finding with_limit(Finding observed, const PathLimit& limit, const Path& path, const Eigen::VectorXd& p_mm) {
  for (const PathPoint& point : path.points) {
    const auto bound = envelope_bound(limit.envelope, point.radius);
    const bool outside = bound && !(direction_error(point.p, p_mm) <= *bound + stationarity_tolerance.radians);
    if (!point.check.verified || !outside) continue;
    observed.verdict = Verdict::undecided;
    observed.message = fmt::format("the point at R = {:.6g} is verified, and outside of what is proved of every minimiser", point.radius);
    observed.conclusion = observed.message;
    return observed;
  }
  observed.verdict = Verdict::holds;
  observed.grade = Grade::proved;
  observed.certificate = limit.envelope;
  observed.message = limit.words() + "; " + observed.message;
  observed.conclusion = observed.message;
  return observed;
}

}  // namespace attest
