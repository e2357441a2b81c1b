#pragma once

namespace attest {

// Every tolerance of the project, with its unit and its reason. A tolerance earns `observed`, never
// `proved`; a certificate never brings its own.

/// An error divided by the size of what is compared.
struct RelativeTolerance {
  double relative;
};

/// Graph against closed form, gradient: both sum the same n*T terms in doubles, 2^-53 each, so 1e-12 of
/// the terms' size leaves room for some thousand of them.
inline constexpr RelativeTolerance gradient_tolerance{1e-12};

/// Graph against closed form, Hessian: products of gradients, one digit less.
inline constexpr RelativeTolerance hessian_tolerance{1e-11};

/// Closed form against central differences with step 1e-5: truncation (1e-5)^2 and rounding 1e-16/1e-5.
inline constexpr RelativeTolerance difference_tolerance{1e-7};

/// How much larger than the best bound a certified bound of Assumption A may be.
inline constexpr RelativeTolerance loss_bound_tolerance{8e-5};

/// Spectral norms come from a floating-point SVD; the Lipschitz constant is widened by this much.
inline constexpr RelativeTolerance spectral_norm_slack{1e-10};

/// How far a row a.w >= b may be missed, of b + |a||w|, in the floating-point solve; the exact stage decides.
inline constexpr RelativeTolerance row_slack_tolerance{1e-12};

/// Below this part of its norm, what is left of a row after projection counts as rounding.
inline constexpr RelativeTolerance dependence_tolerance{1e-11};

/// IPOPT's own stopping test, in its scaled units.
inline constexpr RelativeTolerance ipopt_tolerance{1e-12};

/// A multiplier above this part of the largest one marks a row as active: interior points leave 1e-9 on the others.
inline constexpr RelativeTolerance active_multiplier_tolerance{1e-6};

/// How far below its target, of Gamma, the bound of a leaf should be before guessed weights are rounded to 2^-20: rounding
/// moves it by about the number of samples times 2^-20. The exact check decides.
inline constexpr RelativeTolerance leaf_slack_tolerance{1e-5};

/// A bound above its target by less than this, of Gamma, may be equal to it: the weights are tried exactly.
inline constexpr RelativeTolerance leaf_rounding_tolerance{1e-9};

/// Descent over weights stops at slopes, of Gamma, and steps below this: doubles see no gain there.
inline constexpr RelativeTolerance weight_descent_tolerance{1e-12};

/// By how much a margin, of Gamma, must miss Gamma - nu delta before doubles give a nu up as out of reach.
inline constexpr RelativeTolerance reach_tolerance{1e-6};

/// Attention that is added to what has moved off a selection before a cost is divided by it, so that IPOPT's objective stays
/// finite where all of it has faded. It only shifts where IPOPT looks.
struct AttentionFloor {
  double share;
};
inline constexpr AttentionFloor moved_attention_floor{1e-9};

}  // namespace attest
