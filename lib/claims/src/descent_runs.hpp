#pragma once

#include "attest/claims/claim.hpp"
#include "attest/exact/basin.hpp"
#include "attest/exact/svm.hpp"
#include "attest/solve/descent.hpp"
#include "limit_proof.hpp"
#include "run_view.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Of normalised steps, and the arc of flow.
inline const Rational default_step(1, 10);

/// Where descent that ends at a selection must head, by exact decisions about that selection.
struct Limit {
  std::optional<Eigen::VectorXd>
      direction;  ///< p^mm or W^mm; none when the SVM is infeasible, undecided or without rows, or not solved for its q
  bool locally_optimal = false;
  bool degenerate = false;  ///< a tight row has multiplier 0: errors then fall like log(norm)/norm
  double slowest = 1;       ///< power of 1/norm with which errors may fall
  double fastest = 1;
};

/// A run and what the trace says of its limit.
struct ObservedRun {
  Eigen::VectorXd start;
  DescentRun run;
  Selection selection;              ///< the largest logits at the end
  Limit limit;                      ///< of that selection
  std::vector<double> errors = {};  ///< direction error at each trace point, when there is a direction
  std::optional<double> direction_error = {};
  std::optional<double> heading_error = {};      ///< of the stretch from half the final norm on
  std::optional<double> rate = {};               ///< slope of log error over log norm, at large norms
  std::optional<AttentionAlong> attention = {};  ///< along the run, for pictures; of the first run to each selection

  /// Saturated, still growing, and selected all along the last stretch, which points to p^mm.
  bool heads_for_limit() const;
  /// The largest logits lead by enough at the end: before, softmax is nearly linear or undecided, and a run says nothing of where it goes.
  bool saturated() const;
  /// The norm has not come to rest.
  bool still_grows() const;
  /// Rounding in a direction after so many steps.
  double rounding() const;
  /// The error falls as theory has it, like 1/norm for gradient descent, or is below what doubles resolve.
  bool falls_at_rate() const;
  /// Heads for its limit at its rate, at a selection that is locally optimal. Anything less a longer run may overturn: beside a better or
  /// tied neighbour a run passes a saddle, however slowly.
  bool settled() const { return heads_for_limit() && falls_at_rate() && limit.locally_optimal; }
};

/// A run, whoever made it, beside the limit of a selection.
ObservedRun compare_with_limit(DescentRun run, const Selection& selection, Limit limit);

/// Coordinates of W in the span of the queries: descent changes W there alone, and where queries are fewer than dimensions these are fewer
/// numbers.
class QueryFrame {
 public:
  explicit QueryFrame(const Problem& problem);

  const Eigen::MatrixXd& queries() const { return queries_; }
  Eigen::VectorXd within(const Eigen::VectorXd& W) const;    ///< by rows, as all of these
  Eigen::VectorXd whole(const Eigen::VectorXd& part) const;  ///< a W

 private:
  Eigen::MatrixXd basis_;
  Eigen::MatrixXd queries_;
};

/// Runs descent for one problem, with the mirror map (1/q) sum |p_j|^q; knows the limits of the selections it met.
class DescentLaboratory {
 public:
  explicit DescentLaboratory(const ClaimContext& context, Parametrisation parametrisation = Parametrisation::prompt, double q = 2);

  ObservedRun run(const Eigen::VectorXd& start, DescentPlan plan);
  const Limit& limit(const Selection& selection);
  /// From now on `arrival` of a run is its first iterate in the basin of the globally optimal selection.
  void watch_basin();

 private:
  const ClaimContext& context_;
  Parametrisation parametrisation_;
  double q_;
  std::optional<QueryFrame> frame_;  // of weights with fewer queries than dimensions
  DescentKernel kernel_;
  std::map<Selection, Limit> limits_;
  std::set<Selection> reached_;
  std::optional<Basin> basin_;
};

/// What a claim about descent does where its parameters are not given, in words.
struct DescentFallbacks {
  std::string_view starts;
  std::string_view method;
  std::string_view iterations;
};
/// starts (points, or matrices), random, radius, method, step, iterations.
std::vector<ParameterSpec> descent_parameters(const DescentFallbacks& fallbacks, ParameterKind starts = ParameterKind::points);
/// stop, of claims that prove limits.
ParameterSpec stop_parameter();
/// Whether a run ends at the iterate from which its limit is proved. Where verdicts alone are asked for it does, unless the claim says
/// otherwise or how many iterations it is to have.
bool stops_when_proved(const ClaimContext& context);
/// The given starts and as many random ones as asked for; `fallback` when the claim asks for none.
std::vector<Eigen::VectorXd> starting_points(const ClaimContext& context, const std::vector<Eigen::VectorXd>& fallback);
/// Whether it says where to start, or how many starts to draw.
bool names_starts(const ClaimRequest& request);
std::optional<DescentMethod> chosen_method(const ClaimRequest& request);
std::string_view name_of(DescentMethod method);

/// The largest step for which theory promises that the loss never increases, 1/L_p with the proved M0 and M1; none when
/// Assumption A is not proved or L_p is not a positive number.
std::optional<double> safe_step(const ClaimContext& context, Parametrisation parametrisation = Parametrisation::prompt);
/// The plan of a claim: its parameters, or the defaults. None when a constant step is asked for and there is no safe one.
std::optional<DescentPlan> descent_plan(const ClaimContext& context, DescentMethod method, std::int64_t default_iterations,
                                        Parametrisation parametrisation = Parametrisation::prompt);
/// The step of a plan as the claim writes it, which the plan holds as a double: 0.1 is 1/10. One that doubles made is what they are.
Rational exact_step(const ClaimRequest& request, const DescentPlan& plan);

/// A selection that runs reached, and the share of these.
struct Share {
  Selection selection;
  std::size_t runs;
  double share;

  void write(Fields& out) const { out("selection", selection)("runs", runs)("share", share); }
};
std::vector<Share> shares_of(const std::vector<ObservedRun>& runs);

/// A run among a claim's numbers; a matrix is a list of rows.
struct RunNumbers {
  explicit RunNumbers(ObservedRun run, Parametrisation trained = Parametrisation::prompt)
      : observed(std::move(run)), parametrisation(trained) {}

  ObservedRun observed;
  Parametrisation parametrisation;
  /// Of the basin theorem: its first iterate in the basin, none while there is none.
  std::optional<std::optional<std::int64_t>> basin_iterate = {};
  std::optional<LimitProof> proof = {};  ///< none where the claim asks for no proof

  void write(Fields& out) const;
};
/// With their proofs, one each, or without any.
std::vector<RunNumbers> run_numbers(std::vector<ObservedRun> runs, const std::vector<LimitProof>& proofs,
                                    Parametrisation parametrisation = Parametrisation::prompt);
/// How a run that did not finish ended, as a sentence; empty for one that did.
std::string why_ended(const ObservedRun& observed);

}  // namespace attest
