(** What the main theorems assume, all together (one pass over their proofs is enough): the axioms of the standard library's real numbers, and no other. `make -C proofs` prints it. *)
From Attest Require Import Svm Select Census Rank Nuclear Model Curvature SharpCurvature Limits Basin Cone ConeModel Envelope Bracket Landscape Sparsity LossBounds AssumptionB Minimiser RefutedRay Flow Enclosure Wedge WedgeModel.

Definition main_theorems :=
  (@svm_optimal,
   @svm_infeasible,
   @bracket_distance,
   @bracket_excludes,
   @bracket_shows_tight,
   @minimiser_exists,
   @locally_optimal_rule,
   @not_locally_optimal_neighbour,
   @census,
   @rank_feasible,
   @nuclear_bracket,
   @gradient,
   @descent_lemma,
   @curvature_bound,
   @basin,
   @every_start,
   @basin_flow,
   @constant_ball,
   @normalised_ball,
   @descent_cone_constant,
   @descent_cone_normalised,
   @frame_of_point,
   @descent_wedge_constant,
   @descent_wedge_normalised,
   @envelope,
   @envelope_sphere,
   @no_stationary_direction,
   @sparsity_lower,
   @loss_bounds,
   @assumption_b,
   @refuted_soft_row,
   @refuted_weightless,
   @refuted_point).

Print Assumptions main_theorems.
