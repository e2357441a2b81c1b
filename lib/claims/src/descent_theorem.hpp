#pragma once

#include "cone_starts.hpp"
#include "descent_runs.hpp"
#include "theorem.hpp"

namespace attest {

/// What GD-global, GD-local and mirror descent share: hypotheses, runs and how their conclusion is observed. [docs/theory.md, section 3]
class DescentTheorem {
 public:
  /// `q` of the mirror map; 2 is gradient descent.
  DescentTheorem(const ClaimContext& context, Parametrisation parametrisation, double q = 2)
      : context_(context), parametrisation_(parametrisation), q_(q) {}

  /// Assumption A on the scores' interval.
  void assume_loss();
  /// The step is at most 1/L_p; only where constant steps of a given size are asked for.
  void assume_step();

  Theorem theorem;

  /// Which starts a theorem speaks of.
  enum class Reach {
    any_start,  ///< so that a run which settles elsewhere contradicts it
    basin,      ///< that some iterate of the run is in the basin is its last hypothesis
    cone,       ///< some cone, the theorem does not say which
  };
  /// `starts` of the main runs; those of the run with constant steps that watches the loss are scaled to `watched`.
  Finding observe(const Selection& selection, const std::vector<Start>& starts, const std::vector<Eigen::VectorXd>& watched, Reach reach);

 private:
  const ClaimContext& context_;
  Parametrisation parametrisation_;
  double q_;
};

inline constexpr std::int64_t theorem_iterations = 100'000;

/// Far out on the ray of p^mm, where rows are 100: inside the cone of a local theorem unless its R is astronomic.
inline constexpr double cone_scale = 100;
/// Where constant steps still move p: rows are 5.
inline constexpr double watched_scale = 5;

/// GD-global and GD-local as claims, for p and for W.
Finding check_gd_global(const ClaimContext& context, Parametrisation parametrisation);
Finding check_gd_local(const ClaimContext& context, Parametrisation parametrisation);

}  // namespace attest
