#pragma once

namespace attest {

// Every tolerance of the project, with its unit and its reason. A tolerance earns `observed`, never
// `proved`; a certificate never brings its own.

/// An error divided by the size of what is compared.
struct RelativeTolerance {
  double relative;
};

/// An angle, or the distance of two unit vectors, which for small angles is the same.
struct AngleTolerance {
  double radians;
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

/// An increase of the loss above this part of its distance to the reference loss is no rounding: exponents of size
/// |a||p| <= 10^4 carry errors of 1e-12.
inline constexpr RelativeTolerance monotone_tolerance{1e-11};

/// An error a unit of arc length.
struct ArcTolerance {
  double a_unit_of_arc;
};

/// The local error of gradient flow. The direction after an arc of 10^5 is judged to 1e-4.
inline constexpr ArcTolerance flow_tolerance{1e-7};

/// By which a normalised step of mirror descent may miss its length: any step size is mirror descent, so this need only be
/// repeatable and small beside the step.
inline constexpr RelativeTolerance move_length_tolerance{1e-9};

/// Between unit vectors, |a - b|.
struct DirectionTolerance {
  double distance;
};

/// A run heads for a direction when its last stretch, from half its norm on, points there: p = c p^mm + a bounded rest,
/// and the stretch is free of the rest. Directions of different selections are farther apart than this.
inline constexpr DirectionTolerance heading_tolerance{0.05};

/// A run that starts off the ray has come back when at most this part of its first direction error is left. Errors fall like a power of
/// the norm, which grows thirtyfold: half is far more than what a run that stays where it is would show.
inline constexpr RelativeTolerance returned_part{0.5};

/// How far above the basin's level, of log(L - L*), doubles may see a point before ball arithmetic is asked: it decides, and this much
/// rounding cannot hide a point of the basin.
inline constexpr RelativeTolerance basin_look_tolerance{1e-6};

/// Two doubles' worth of rounding in a direction: below, an error has no slope to be measured.
inline constexpr DirectionTolerance direction_floor{1e-13};

/// Theory's rate of the direction error, norm^-1, may be missed by this much in the exponent.
struct RateTolerance {
  double exponent;
};
inline constexpr RateTolerance descent_rate_tolerance{0.1};
/// Where a tight row has multiplier 0 errors fall like log(norm)/norm: the slope is -1 + 1/log(norm), some -0.9.
inline constexpr RateTolerance degenerate_rate_tolerance{0.2};
/// The path has no step size to blur its rate.
inline constexpr RateTolerance path_rate_tolerance{0.05};

/// Residual of the KKT conditions of an l_q-SVM, recomputed from the data: far below what descent resolves. Newton steps
/// end at some 1e-16 times |a||p|, the rounding of a row.
inline constexpr RelativeTolerance lq_kkt_tolerance{1e-8};

/// By which the q-norm of an l_q-SVM's solution may exceed its lower bound by duality: at most some times the residual.
inline constexpr RelativeTolerance lq_gap_tolerance{1e-8};

/// A row of an l_q-SVM with a.p - 1 up to this may be tight: the solution is known to some 1e-8.
inline constexpr RelativeTolerance tight_row_tolerance{1e-6};

/// Mirror descent ends at the direction of its l_q-SVM when it is this near: at norm 10^4 errors are some 1e-3 or less, and
/// directions for q = 1.75, 2 and 3 are mostly 0.03 to 0.3 apart. Those of other q that are farther from it than this are told apart.
inline constexpr DirectionTolerance mirror_direction_tolerance{1e-2};

/// Descent at norm 10^5, the path at 2^20 and the exact SVM point the same way.
inline constexpr DirectionTolerance cross_validation_tolerance{1e-3};

/// Directions of v and p on the joint path at its last radius: both errors fall like 1/r and 1/R.
inline constexpr DirectionTolerance joint_path_tolerance{1e-3};

/// W(k) against u p(k)^T / |u|^2, both rounded at every one of some hundred steps.
inline constexpr RelativeTolerance prompt_weight_tolerance{1e-10};

/// IPOPT's stopping test on a path: at R = 2^20 the exponents carry a rounding error of some 1e-10.
inline constexpr RelativeTolerance path_ipopt_tolerance{1e-9};

/// Newton steps on a sphere stop at this angle between the negative gradient and the point; rounding as above.
inline constexpr AngleTolerance newton_tolerance{1e-9};

/// A point of a path is stationary when the negative gradient, recomputed from the data, is this parallel to it. The
/// direction is then right to this angle over the margin; 100 times the rounding error at R = 2^20.
inline constexpr AngleTolerance stationarity_tolerance{1e-7};

/// |p| >= (1 - this) R counts as on the sphere: it changes log(L - L*) by less than its rounding error.
inline constexpr RelativeTolerance sphere_tolerance{1e-12};

/// Two values of log(L - L*) that differ by less, of their size, are the same: the terms of n*T exponents.
inline constexpr RelativeTolerance log_excess_tolerance{1e-12};

/// Two unit directions found by two solves are the same minimiser when they are this near.
inline constexpr AngleTolerance branch_tolerance{1e-6};

/// Where the largest 1 - s of a selection is at least this, doubles see the joint loss depend on p with 9 digits to spare.
inline constexpr RelativeTolerance joint_wall{1e-7};

/// In the overlap the joint solve and the split must agree to this: the wall leaves 1e-16/1e-7 on p, IPOPT 1e-9 on both.
inline constexpr AngleTolerance overlap_tolerance{1e-6};

/// Sweeps over v and p of the split joint program stop when neither direction moves more than this.
inline constexpr AngleTolerance sweep_tolerance{1e-12};

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

/// A nuclear-norm program is decided when its proved bounds are this close, of the upper one.
inline constexpr RelativeTolerance nuclear_gap_tolerance{1e-6};

/// The proximal point method for the nuclear norm stops at this gap, of the objective: its last step mostly goes far below, and
/// rounding with the exact proof loses less.
inline constexpr RelativeTolerance nuclear_solve_tolerance{1e-9};

/// A row of the nuclear program may be tight when its slack at the solution found is at most this, of 1 + |a||W|: a gap of 1e-9
/// leaves the solution uncertain by the root of twice that, 4.5e-5 of its norm, where the norm is curved.
inline constexpr RelativeTolerance nuclear_row_tolerance{1e-4};

/// Singular values above this part of the largest count towards a numerical rank. Zeros of the nuclear solution are found
/// as multiples of the solver's gap, 1e-10 to 1e-8.
inline constexpr RelativeTolerance singular_value_tolerance{1e-5};

/// Eigenvalues of a Gram matrix below this part of the largest are taken for 0: coordinates along them are rounding.
inline constexpr RelativeTolerance span_tolerance{1e-12};

/// Nonlinear heads [TS]: a token with at least this share of the attention of its sample is selected ...
struct AttentionShare {
  double share;
};
inline constexpr AttentionShare selected_attention{1e-2};
/// ... one with at most this has faded, and a run with tokens in between has not settled. Doubles follow the flow to about
/// here: inside the sets gradients cancel to 1e-17.
inline constexpr AttentionShare faded_attention{1e-13};

/// An implicit step is solved when Newton's last correction is below this part of the whole step.
inline constexpr RelativeTolerance implicit_step_tolerance{1e-3};

/// A flow for which steps of tau = exp(this) are still too short stands still.
inline constexpr double log_tau_limit = 600;

/// A run's part inside its sets has come to rest when Newton's step there is below this, of 1 + its norm.
inline constexpr RelativeTolerance resting_step_tolerance{1e-4};

/// The finite part is found when Newton's step is below this, of 1 + its norm ...
inline constexpr RelativeTolerance finite_step_tolerance{1e-10};
/// ... where curvatures below this part of the largest are raised to it.
inline constexpr RelativeTolerance finite_curvature_tolerance{1e-8};

/// relu is smoothed over this part of its largest argument, and over a quarter of it: a run counts where both agree.
inline constexpr RelativeTolerance kink_width{1e-3};

/// The finite part of a run meets its prediction to this, of 1 + its norm.
inline constexpr RelativeTolerance finite_part_tolerance{1e-3};

/// With a nonlinear head the direction error falls like 1/|W|, up to this in the exponent: doubles end at |W| of about 100, where
/// rows that are nearly tight still count. A run that heads for a direction off by a quarter of its error would miss it.
inline constexpr RateTolerance head_rate_tolerance{0.2};

/// Two doubles of two results are the same when they differ by at most `absolute` + `relative` times the larger: other machines and
/// releases round differently, errors near rounding have no digits to compare, and what users read has three or four. It decides no
/// verdict.
struct ResultTolerance {
  double relative;
  double absolute;
};
inline constexpr ResultTolerance result_tolerance{1e-6, 1e-9};

}  // namespace attest
