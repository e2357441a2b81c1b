#pragma once

#include "cone_starts.hpp"
#include "descent_pace.hpp"
#include "descent_runs.hpp"
#include "theorem.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace attest {

/// A run of gradient descent with constant steps beside the path's minimiser at the norm that it reached. [docs/theory.md, 5]
struct EqualNorm {
  double path_error;  ///< of the path's direction
  double distance;    ///< between the two directions

  void write(Fields& out) const { out("path_error", path_error)("gd_vs_path", distance); }
};

/// The numbers that theorems about descent share.
struct DescentNumbers {
  std::vector<RunNumbers> runs;  ///< at least one
  std::size_t worst;             ///< the run with the largest direction error: what is said of one run is said of it
  std::vector<Share> shares;
  DescentMethod method;
  double step;
  std::optional<bool> monotone;  ///< of these runs and those that watch the loss; none while one of the latter has nothing to say
  /// Of runs with constant steps; none of one for which the path is not verified.
  std::optional<std::vector<std::optional<EqualNorm>>> at_equal_norm = {};
  std::vector<double> angles = {};  ///< of starts that are made by their angle to the ray, a run each
  /// Of the basin theorem: the iterate at which the last of the runs is inside, none while one is not.
  std::optional<std::optional<std::int64_t>> basin_iterate = {};
  /// How the conclusion is proved, none where it is not; absent where no proof is asked for.
  std::optional<std::optional<LimitBound>> proof = {};

  const ObservedRun& worst_run() const { return runs[worst].observed; }
  void write(Fields& out) const;
};
/// What they mean, in their order: `runs` of the runs, and `more` at the end.
std::vector<NumberSpec> descent_number_specs(const std::vector<NumberSpec>& runs, const std::vector<NumberSpec>& more);
/// The same where limits are proved.
std::vector<NumberSpec> with_proof_specs(std::vector<NumberSpec> specs);

/// What a theorem about descent came to. A claim that has more to say adds it to the numbers before they are its evidence.
struct ObservedDescent {
  Finding finding;
  std::optional<DescentNumbers> numbers = {};  ///< none where nothing was run
};
/// With these numbers and no more.
Finding with_evidence(ObservedDescent observed);

/// What GD-global, GD-local and mirror descent share: hypotheses, runs and how their conclusion is observed. [docs/theory.md, section 3]
class DescentTheorem {
 public:
  /// About gradient descent: limits are proved where they can be.
  DescentTheorem(const ClaimContext& context, Parametrisation parametrisation)
      : context_(context), parametrisation_(parametrisation), q_(2), proves_(true) {}
  /// About descent through the mirror map of exponent `q`, where 2 is gradient descent: observed.
  DescentTheorem(const ClaimContext& context, Parametrisation parametrisation, double q)
      : context_(context), parametrisation_(parametrisation), q_(q), proves_(false) {}

  /// Assumption A on the scores' interval.
  void assume_loss();
  /// The step is at most 1/L_p; only where constant steps of a given size are asked for.
  void assume_step();

  Theorem theorem;
  DescentPace pace = {};

  /// Which starts a theorem speaks of.
  enum class Reach {
    any_start,  ///< so that a run which settles elsewhere contradicts it
    basin,      ///< that the run is in the basin from some iterate on is its last hypothesis
    cone,       ///< some cone, the theorem does not say which
  };
  /// `starts` of the main runs; those of the run with constant steps that watches the loss are scaled to `watched`.
  ObservedDescent observe(const Selection& selection, const std::vector<Start>& starts, const std::vector<Eigen::VectorXd>& watched,
                          Reach reach);

 private:
  const ClaimContext& context_;
  Parametrisation parametrisation_;
  double q_;
  bool proves_;
};

/// Where constant steps still move p: rows are 5.
inline constexpr double watched_scale = 5;

/// GD-global and the basin theorem, for p and for W.
ObservedDescent observe_gd_global(const ClaimContext& context, Parametrisation parametrisation);
/// GD-local, for p and for W.
ObservedDescent observe_gd_local(const ClaimContext& context, Parametrisation parametrisation);

}  // namespace attest
