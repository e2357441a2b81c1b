#include "attest/base/tolerance.hpp"
#include "attest/solve/descent.hpp"
#include "claim_list.hpp"
#include "descent_pace.hpp"
#include "limit_prover.hpp"
#include "path_observation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

/// Descent starts on the ray, where rows are 100: from elsewhere it may rightly end at another locally optimal selection. On large data it
/// starts farther out, where fewer iterations show the direction as well.
struct RayRun {
  double scale = 100;
  std::int64_t iterations = 1'000'000;
};

RayRun ray_run(const ClaimContext& context) {
  constexpr double large_work = 5e5;
  return iteration_work(context.problem(), Parametrisation::prompt) < large_work ? RayRun{} : RayRun{4000, 40'000};
}

/// The three directions against each other.
struct Differences {
  double gd_vs_svm;
  double path_vs_svm;
  double gd_vs_path;  ///< at equal norm

  double worst() const { return std::max({gd_vs_svm, path_vs_svm, gd_vs_path}); }
  bool agree() const {  // each for itself: the largest would lose NaN
    return gd_vs_svm <= cross_validation_tolerance.distance && path_vs_svm <= cross_validation_tolerance.distance &&
           gd_vs_path <= cross_validation_tolerance.distance;
  }
};

/// The two computations beside the exact one.
struct Computations {
  ObservedPath path;
  ObservedRun run;
  LimitProof proof;  ///< of the run

  const Eigen::VectorXd& descended() const { return run.run.last().p; }
};

struct Numbers {
  Computations found;
  Eigen::VectorXd p_mm;
  std::optional<Differences> differences = {};  ///< none where they cannot be compared

  void write(Fields& out) const {
    if (differences)
      out("gd_vs_svm", differences->gd_vs_svm)("path_vs_svm", differences->path_vs_svm)("gd_vs_path", differences->gd_vs_path)(
          "tolerance", cross_validation_tolerance.distance)("norm", found.descended().norm())("radius",
                                                                                              found.path.path.points.back().radius);
    out("rate", found.path.rate)("points", point_numbers(found.path.path, p_mm))("runs", run_numbers({found.run}, {found.proof}));
    const ProvedLimit* proved = found.proof.proved();
    write_bound(proved ? std::optional(bound_of(*proved)) : std::nullopt, out);
  }
};

/// Why the two are no limits yet; empty when they are.
std::string trouble_of(const Computations& found, bool local) {
  std::string trouble = path_trouble(found.path.path, local);
  if (!trouble.empty() || found.run.heads_for_limit()) return trouble;
  return found.run.run.end == DescentRun::End::finished ? "descent does not head for a limit yet" : why_ended(found.run);
}

/// None when the path's point at descent's norm is not verified.
std::optional<Differences> compare(const ClaimContext& context, const PathTheorem& theorem, const Computations& found) {
  const Eigen::VectorXd& descended = found.descended();
  const std::optional<Eigen::VectorXd> equal =
      path_point_at(context, theorem.selection, found.path.path.final_direction(), theorem.local, descended.norm());
  if (!equal) return std::nullopt;
  return Differences{direction_error(descended, theorem.p_mm), found.path.direction_error, direction_error(descended, *equal)};
}

/// The limit of descent may be proved; that of the path is observed here.
std::string proof_text(const LimitProof& proof, const Selection& selection) {
  return proof.proves(selection) ? fmt::format("; of descent proved: {}", bound_of(*proof.proved()).text(Parametrisation::prompt)) : "";
}

Finding judge(const PathTheorem& theorem, const Differences& differences, const LimitProof& proof) {
  const bool agree = differences.agree();
  return theorem.theorem.conclude(agree ? Verdict::holds : Verdict::undecided,
                                  fmt::format("descent, path and exact SVM are {} {:.3g} of each other{}", agree ? "within" : "only within",
                                              differences.worst(), proof_text(proof, theorem.selection)));
}

Finding conclude(const ClaimContext& context, const PathTheorem& theorem, Numbers& numbers) {
  const std::string trouble = trouble_of(numbers.found, theorem.local);
  if (!trouble.empty()) return theorem.theorem.conclude(Verdict::undecided, trouble);
  numbers.differences = compare(context, theorem, numbers.found);
  if (numbers.differences) return judge(theorem, *numbers.differences, numbers.found.proof);
  return theorem.theorem.conclude(Verdict::undecided,
                                  fmt::format("the path's point at norm {:.6g} is not verified", numbers.found.descended().norm()));
}

Computations compute(const ClaimContext& context, const PathTheorem& theorem) {
  const RayRun ray = ray_run(context);
  const DescentPlan plan = descent_plan(context, DescentMethod::normalised, ray.iterations).value();
  ObservedPath path = observe_path(context, theorem);
  ObservedRun run = DescentLaboratory(context).run(ray.scale * theorem.p_mm, plan);
  LimitProof proof = LimitProver(context, Parametrisation::prompt, plan).prove(run, 0);
  return {std::move(path), std::move(run), std::move(proof)};
}

Finding check(const ClaimContext& context) {
  const PathTheorem theorem = assume_path_theorem(context);
  if (!theorem.theorem.applies()) return theorem.theorem.obstacle(theorem.selection);
  Numbers numbers{compute(context, theorem), theorem.p_mm};
  Finding finding = conclude(context, theorem, numbers);
  finding.run_certificates = certificates_of({numbers.found.proof});
  finding.selection = theorem.selection;
  finding.evidence = std::move(numbers);
  return finding;
}

}  // namespace

Claim cross_validation_claim() {
  return {
      .schema = {"cross-validation",
                 {{"selection", ParameterKind::selection, false, "one token a sample", {}, "the largest scores"},
                  {"radius", ParameterKind::positive, false, "the last R of the path", {}, "2^20"},
                  {"step", ParameterKind::positive, false, "of the normalised descent", {}, "0.1"},
                  {"iterations", ParameterKind::count, false, "of the descent", {}, "1000000; 40000 on large data"}},
                 {{"v", ""}}},
      .title = "Three computations, one direction",
      .summary = "descent, regularisation path and exact SVM agree",
      .source = "[MM]",
      .words = "Descent, the regularisation path and the exact SVM, which share no code, find the same direction.",
      .formula = R"(\frac{p(k)}{\|p(k)\|} \approx \frac{p_R}{\|p_R\|} \approx \frac{p^{\mathrm{mm}}}{\|p^{\mathrm{mm}}\|})",
      .text =
          "Under the hypotheses of path, three computations that share no code must find one direction: normalised descent from 100 p^mm "
          "(4000 p^mm where an iteration takes 5e5 products or more), "
          "the verified regularisation path, and the exact solution of the p-SVM.\n"
          "Holds: the three pairwise direction errors are at most 1e-3; descent and path are compared at equal norm.\n"
          "Inapplicable: a hypothesis fails. Undecided: some error is larger, or a computation did not finish. Grade: "
          "observed, as the three are compared in floating point; that descent from that start converges to p^mm is proved by a "
          "certificate where `proved_by` says so, as for descent.",
      .numbers = {{"gd_vs_svm", "direction error, descent against exact SVM"},
                  {"path_vs_svm", "direction error, path against exact SVM"},
                  {"gd_vs_path", "direction error, descent against path at equal norm"},
                  {"tolerance", "what each of the three may be"},
                  {"norm", "of descent at its end"},
                  {"radius", "last radius R of the path"},
                  {"rate", "of the path: slope of log direction error over log R"},
                  {"points", "of the path, as for path"},
                  {"runs", "the run of descent, as for descent"},
                  {"proved_by", "how the limit of descent is proved: cone or wedge (docs/theory.md); null where it is not"},
                  {"from_iterate", "the iterate that this proof is about"},
                  {"rate_constant", "from there on the direction error of descent is at most this over the norm; rounded up"}},
      .hypotheses = {HypothesisId::assumption_a, HypothesisId::unique_optimum, HypothesisId::feasible_p_svm, HypothesisId::locally_optimal},
      // The path and a run of descent.
      .least_seconds = [](const ProblemSize& size) { return size.tokens * size.dimension * 5e-6; },
      .check = check};
}

}  // namespace attest
