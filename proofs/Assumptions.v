(** What the main theorems assume: the axioms of the standard library's real numbers, and no other. `make -C proofs` prints it. *)
From Attest Require Import Svm Select Census Rank Nuclear Model Curvature Limits Basin Cone ConeModel Envelope.

Print Assumptions svm_optimal.
Print Assumptions svm_infeasible.
Print Assumptions bracket_distance.
Print Assumptions bracket_not_tight.
Print Assumptions bracket_tight.
Print Assumptions locally_optimal_rule.
Print Assumptions not_locally_optimal_neighbour.
Print Assumptions census.
Print Assumptions rank_feasible.
Print Assumptions nuclear_bracket.
Print Assumptions gradient.
Print Assumptions descent_lemma.
Print Assumptions basin.
Print Assumptions every_start.
Print Assumptions descent_cone_constant.
Print Assumptions descent_cone_normalised.
Print Assumptions frame_of_point.
Print Assumptions envelope.
Print Assumptions envelope_sphere.
