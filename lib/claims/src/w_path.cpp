#include "claim_list.hpp"
#include "path_observation.hpp"
#include "seconds.hpp"
#include "weight_numbers.hpp"

namespace attest {
namespace {

/// What is said of the last W.
struct LastWeights {
  Eigen::VectorXd W;                ///< by rows
  std::vector<double> spectrum;     ///< of W
  std::optional<std::size_t> rank;  ///< of W^mm; none when its exact solution is out of reach
};

struct Numbers {
  PathNumbers path;
  std::optional<LastWeights> last = {};  ///< none when the time was up before the first point

  void write(Fields& out) const {
    path.write(out);
    if (last) out("final", rows_of(last->W))("rank", last->rank)("singular_values", last->spectrum);
  }
};

std::vector<NumberSpec> number_specs() {
  std::vector<NumberSpec> specs = PathNumbers::specs();
  specs.insert(specs.end(), {{"final", "the last W by rows"},
                             {"rank", "rank of W^mm, exact; null when it has too many tight rows to be computed"},
                             {"singular_values", "of the last W, largest first"}});
  return specs;
}

Finding check(const ClaimContext& context) {
  CheckedPath checked = check_path(context, Parametrisation::weights);
  if (!checked.numbers) return std::move(checked.finding);
  Numbers numbers{std::move(*checked.numbers)};
  if (const auto& points = numbers.path.observed.path.points; !points.empty()) {
    const auto svm = context.study.svm_within_reach(Parametrisation::weights, *checked.finding.selection, context.budget);
    const bool solved = svm && svm->solution();
    const Eigen::VectorXd& W = points.back().p;
    numbers.last = {W, singular_values(context.problem(), W), solved ? std::optional(context.study.weight_rank(*svm)) : std::nullopt};
  }
  checked.finding.evidence = std::move(numbers);
  return std::move(checked.finding);
}

}  // namespace

Claim w_path_claim() {
  return {
      .schema = {"w-path",
                 {{"selection", ParameterKind::selection, false, "one token a sample", {}, "the largest scores"},
                  {"radius", ParameterKind::positive, false, "the last R", {}, "2^20"}},
                 {{"v", ""}}},
      .title = "Theorem: regularisation path of the weights",
      .summary = "the path over |W| <= R converges to the W-SVM direction",
      .source = "[TS]",
      .words = "The minimisers over Frobenius balls of growing radius converge in direction to the Frobenius W-SVM.",
      .formula = R"(W_R = \argmin_{\|W\|_F \le R} L(W), \quad \frac{W_R}{R} \to \frac{W^{\mathrm{mm}}}{\|W^{\mathrm{mm}}\|_F})",
      .text =
          "RP-global and its local version for W, in the model softmax(X_i W z_i) with queries z_i (without them the first tokens); the "
          "case's own W plays no part. If Assumption A holds, alpha is the unique globally optimal selection and W-SVM(alpha) is feasible, "
          "the minimisers W_R of L over |W| <= R (Frobenius) have W_R/R -> W^mm/|W^mm|. For another selection, locally optimal for the "
          "W-SVM, the same holds in a cone around W^mm. Hypotheses are decided exactly; the path is followed and verified as for path: it "
          "is followed in the span of the rows, and each point is verified in all d^2 numbers.\n"
          "Holds, proved: the envelope of path, in Frobenius norms, closes (certificate path-envelope; docs/theory.md, Theorems P, Q and "
          "C). "
          "Holds, observed: it does not, all points are verified and the direction error falls like 1/R (slope -1 within 0.05; within 0.2 "
          "where a tight row has multiplier 0) or is below rounding.\n"
          "Inapplicable: a hypothesis fails. Fails: a verified path that leads elsewhere. Undecided: neither; or a verified point "
          "contradicts "
          "an envelope.",
      .numbers = number_specs(),
      .hypotheses = {HypothesisId::assumption_a, HypothesisId::unique_optimum, HypothesisId::feasible_w_svm, HypothesisId::locally_optimal},
      .least_seconds = weight_path_seconds,
      .check = check};
}

}  // namespace attest
