#pragma once

#include "attest/claims/claim.hpp"
#include "attest/exact/basin.hpp"
#include "attest/exact/svm.hpp"
#include "attest/solve/descent.hpp"

#include <map>
#include <set>

namespace attest {

/// Where descent that ends at a selection must head, by exact decisions about that selection.
struct Limit {
  std::optional<Eigen::VectorXd> direction;  ///< p^mm or W^mm; none when the SVM is infeasible, undecided or without rows, or not solved for its q
  bool locally_optimal = false;
  bool degenerate = false;  ///< a tight row has multiplier 0: errors then fall like log(norm)/norm
  double slowest = 1;       ///< power of 1/norm with which errors may fall
  double fastest = 1;
};

/// A run and what the trace says of its limit.
struct ObservedRun {
  Eigen::VectorXd start;
  DescentRun run;
  Selection selection;  ///< the largest logits at the end
  Limit limit;          ///< of that selection
  std::vector<double> errors = {};                ///< direction error at each trace point, when there is a direction
  std::optional<double> direction_error = {};
  std::optional<double> heading_error = {};  ///< of the stretch from half the final norm on
  std::optional<double> rate = {};           ///< slope of log error over log norm, at large norms
  nlohmann::ordered_json attention = {};     ///< along the run, for pictures; of the first run to each selection

  /// Saturated, still growing, and selected all along the last stretch, which points to p^mm.
  bool heads_for_limit() const;
  /// Rounding in a direction after so many steps.
  double rounding() const;
  /// The error falls as theory has it, like 1/norm for gradient descent, or is below what doubles resolve.
  bool falls_at_rate() const;
  /// Heads for its limit at its rate, at a selection that is locally optimal. Anything less a longer run may overturn: beside a better or
  /// tied neighbour a run passes a saddle, however slowly.
  bool settled() const { return heads_for_limit() && falls_at_rate() && limit.locally_optimal; }
};

/// Runs descent for one problem, with the mirror map (1/q) sum |p_j|^q; knows the limits of the selections it met.
class DescentLaboratory {
 public:
  explicit DescentLaboratory(const ClaimContext& context, Parametrisation parametrisation = Parametrisation::prompt, double q = 2);

  const Scores& scores() const { return scores_; }
  ObservedRun run(const Eigen::VectorXd& start, DescentPlan plan);
  const Limit& limit(const Selection& selection);
  /// From now on `arrival` of a run is its first iterate in the basin of the globally optimal selection.
  void watch_basin();

 private:
  const ClaimContext& context_;
  Parametrisation parametrisation_;
  double q_;
  Scores scores_;
  ExactTokens tokens_;
  DescentKernel kernel_;
  std::map<Selection, Limit> limits_;
  std::set<Selection> reached_;
  std::optional<Basin> basin_;
};

/// starts, random, radius, method, step, iterations. `method_about` says what the claim does when none is given.
std::vector<ParameterSpec> descent_parameters(std::string_view starts_about, std::string_view method_about, std::string_view iterations_about,
                                              ParameterKind starts = ParameterKind::points);
/// The given starts and as many random ones as asked for; `fallback` when the claim asks for none.
std::vector<Eigen::VectorXd> starting_points(const ClaimContext& context, const std::vector<Eigen::VectorXd>& fallback);
std::optional<DescentMethod> chosen_method(const ClaimRequest& request);
std::string_view name_of(DescentMethod method);

/// The largest step for which theory promises that the loss never increases, 1/L_p with the proved M0 and M1; none when
/// Assumption A is not proved or L_p is not a positive number.
std::optional<double> safe_step(const ClaimContext& context, Parametrisation parametrisation = Parametrisation::prompt);
/// The plan of a claim: its parameters, or the defaults. None when a constant step is asked for and there is no safe one.
std::optional<DescentPlan> descent_plan(const ClaimContext& context, DescentMethod method, std::int64_t default_iterations,
                                        Parametrisation parametrisation = Parametrisation::prompt);

/// Which selections the runs reached, and the share of each.
nlohmann::ordered_json encode_shares(const std::vector<ObservedRun>& runs);

/// {"start", "final", "norm", "direction_error", "selection", …, "trace"}; a matrix is a list of rows.
nlohmann::ordered_json encode_run(const ObservedRun& observed, Parametrisation parametrisation = Parametrisation::prompt);
/// How a run that did not finish ended, as a sentence; empty for one that did.
std::string why_ended(const ObservedRun& observed);

Eigen::VectorXd to_vector(const RationalPoint& point);

}  // namespace attest
