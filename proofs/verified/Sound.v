(** What the checker accepts is true: `check D c = Accepted` implies the statement of the certificate over the real numbers, for every
    certificate of the core kinds.  `make` prints what this theorem assumes. *)
From Coq Require Import QArith Qreals Reals List Lra Lia Arith Bool.
From Attest Require Import Sums Space Svm Select Rank.
From Attest.verified Require Import Numbers Meaning Checks SoundPrograms SoundData SoundMatrix SoundRank SoundCensus SoundBracket.
Import ListNotations.
Open Scope R_scope.

Section Sound.
Variable D : data.
Local Notation d := (dimension D).
Variable well : well_formed D = true.

Lemma one_real (rows : list row_name) : forall c, In c rows -> Q2R (qone c) = one c.
Proof. intros. apply real_1. Qed.

(** ** Programs over p and v *)
Section Selected.
Variable al : list nat.
Variable selected : is_selection D al.

(** What the programs ask of their rows. *)
Ltac key_side := first [apply key_rows_differ | apply is_key_row_in | intros c Hc; now apply difference_length | intros c Hc; now apply difference_real].
Ltac label_side := first [apply label_rows_differ | apply is_label_row_in | apply one_real | intros c Hc; now apply label_vector_length | intros c _ j _; apply label_vector_real].

Lemma key_solution bound b w lam : (forall c, In c (key_rows D al) -> Q2R (bound c) = b c) ->
  solves_vector D (key_rows D al) (is_key_row D al) (difference (keys D) al) bound w lam = Accepted ->
  length w = d /\ solves (rows (over_p D) (pick al)) (row (over_p D) (pick al)) b (real_vector w : coordinates d) (weight_of lam).
Proof.
  intros Hb H. apply (solves_vector_sound D (key_rows D al) (is_key_row D al) (row (over_p D) (pick al)) b) in H; auto; key_side.
Qed.

Lemma key_values w : length w = d -> forall c, In c (key_rows D al) ->
  Q2R (qdot (difference (keys D) al c) w) = dot (row (over_p D) (pick al) c) (real_vector w : coordinates d).
Proof.
  intros L c Hc. rewrite (real_dot d); auto; [|now apply difference_length]. apply (vector_ext d). now apply difference_real.
Qed.

(** The products of rows with a sum of rows. *)
Lemma combined_values lam : multipliers_ok (is_key_row D al) lam = true -> forall c, In c (key_rows D al) ->
  Q2R (qdot (difference (keys D) al c) (qcombine d (difference (keys D) al) lam)) = dot (row (over_p D) (pick al) c) (listed (row (over_p D) (pick al)) lam).
Proof.
  intros M c Hc.
  assert (R := multipliers_rows (key_rows D al) (is_key_row D al) (is_key_row_in D al) lam M).
  assert (L : forall e, In e lam -> length (difference (keys D) al (fst e)) = d) by (intros e He; apply difference_length; auto; now apply R).
  rewrite key_values; auto; [|now apply qcombine_length]. apply same_r.
  apply (combine_listed D (key_rows D al) (is_key_row D al) (row (over_p D) (pick al)) (difference (keys D) al)); auto.
  - apply is_key_row_in.
  - intros e He. now apply difference_length.
  - intros e He. now apply difference_real.
Qed.

Lemma key_optimal bound b objective support w lam : (forall c, In c (key_rows D al) -> Q2R (bound c) = b c) ->
  optimal_vector D (key_rows D al) (is_key_row D al) (difference (keys D) al) bound objective support w lam = Accepted ->
  solved (rows (over_p D) (pick al)) (row (over_p D) (pick al)) b (real_vector w : coordinates d) objective support.
Proof.
  intros Hb H. apply (optimal_vector_sound D (key_rows D al) (is_key_row D al) (row (over_p D) (pick al)) b) in H; auto; key_side.
Qed.

Lemma key_infeasible bound b lam : (forall c, In c (key_rows D al) -> Q2R (bound c) = b c) ->
  infeasible_vector D (is_key_row D al) (difference (keys D) al) bound lam = Accepted ->
  infeasible (rows (over_p D) (pick al)) (row (over_p D) (pick al)) b.
Proof.
  intros Hb H. apply (infeasible_vector_sound D (key_rows D al) (is_key_row D al) (row (over_p D) (pick al)) b) in H; auto; key_side.
Qed.

Lemma label_optimal objective support w lam :
  optimal_vector D (label_rows_list D) (is_label_row D) (label_vector D al) qone objective support w lam = Accepted ->
  solved (label_rows D) (label_row D (pick al)) one (real_vector w : coordinates d) objective support.
Proof.
  intros H. apply (optimal_vector_sound D (label_rows D) (is_label_row D) (label_row D (pick al)) one) in H; auto; label_side.
Qed.

Lemma label_infeasible lam :
  infeasible_vector D (is_label_row D) (label_vector D al) qone lam = Accepted -> infeasible (label_rows D) (label_row D (pick al)) one.
Proof.
  intros H. apply (infeasible_vector_sound D (label_rows D) (is_label_row D) (label_row D (pick al)) one) in H; auto; label_side.
Qed.

Lemma label_solved v : solves_labels D al v = Accepted -> length (fst v) = d /\ label_solution D al (real_vector (fst v)).
Proof.
  unfold solves_labels. intros H. apply (solves_vector_sound D (label_rows D) (is_label_row D) (label_row D (pick al)) one) in H; auto; try label_side.
  destruct H as [L S]. split; auto. now apply solves_only with (weight_of (snd v)).
Qed.

Lemma joint_bound_real v : length v = d -> forall c, In c (key_rows D al) -> Q2R (qjoint_bound D al v c) = joint_bound D al (real_vector v) c.
Proof.
  intros L c Hc. apply key_row_in in Hc. unfold qjoint_bound, joint_bound.
  assert (E : Q2R (qdot (label_vector D al (fst c, 0%nat)) v) = dot (label_row D (pick al) (fst c, 0%nat)) (real_vector v : coordinates d)).
  { rewrite (real_dot d); auto; [|apply label_vector_length; auto; apply label_row_in; simpl; tauto].
    apply (vector_ext d). intros j _. apply label_vector_real. }
  destruct (qeq (qdot (label_vector D al (fst c, 0%nat)) v) 1) eqn:Q; destruct (Req_EM_T _ 1) as [Y|N].
  - apply real_1.
  - exfalso. apply N. apply qeq_real in Q. now rewrite E, real_1 in Q.
  - exfalso. apply qeq_false in Q. apply Q. now rewrite E, real_1.
  - apply real_0.
Qed.

(** ** Local optimality *)
Variable v : list Q.
Variable head : d_head D = Some v.

Section Local.
Context {E : space}.
Variable P : problem E.
Variable value : row_name -> Q.
Variables (w : E) (lam : row_name -> R).
Variable rows_P : rows P (pick al) = key_rows D al.
Variable score_P : forall i t, score P i t = score_of D i t.
Variable solves_P : solves (rows P (pick al)) (row P (pick al)) one w lam.
Variable value_P : forall c, In c (key_rows D al) -> Q2R (value c) = dot (row P (pick al) c) w.

Lemma local_sound neighbours : local_check D v al (key_rows D al) value neighbours = Accepted -> locally_optimal_with P al neighbours.
Proof.
  unfold local_check. intros H. split_checks H. unfold best_of_tight in B0. rewrite forallb_forall in B0.
  rewrite <- rows_P in B.
  assert (T : tight_rows (rows P (pick al)) (row P (pick al)) one w neighbours).
  { apply (tight_rows_real (rows P (pick al)) (row P (pick al)) one qone (one_real _) value); auto. rewrite rows_P. exact value_P. }
  assert (G : forall c, In c neighbours -> score P (fst c) (snd c) < score P (fst c) (pick al (fst c))).
  { intros c Hc. assert (R := proj1 (proj1 (T c) Hc)). rewrite rows_P in R. apply key_row_in in R. specialize (B0 c Hc). apply qlt_real in B0.
    rewrite real_0, (gap_real D well v al c) in B0; auto; try tauto. rewrite !score_P. lra. }
  split; [|split; auto].
  - apply locally_optimal_rule with w lam; auto. intros c Hc Tc. specialize (G c (proj2 (T c) (conj Hc Tc))). unfold gap. lra.
  - exists w. split; auto. now apply solves_only with lam.
Qed.

Lemma beaten_sound c : beaten_check D v al value c = Accepted -> ~ locally_optimal P (pick al).
Proof.
  unfold beaten_check. intros H. split_checks H. apply andb_prop in B. destruct B as [R T]. apply is_key_row_in in R.
  assert (R' := R). apply key_row_in in R'.
  apply not_locally_optimal_neighbour with w lam c; auto.
  - now rewrite rows_P.
  - apply qeq_real in T. rewrite value_P, real_1 in T by auto. exact T.
  - apply qle_real in B0. rewrite real_0, (gap_real D well v al c) in B0; auto; try tauto. unfold gap. now rewrite !score_P.
Qed.
End Local.

Lemma infeasible_not_local {E : space} (P : problem E) : infeasible (rows P (pick al)) (row P (pick al)) one -> ~ locally_optimal P (pick al).
Proof. intros H (w & (F & _) & _). exact (H w F). Qed.

(** ** Global optimality *)
Lemma least_of_spec l : match least_of l with
  | None => l = []
  | Some g => (exists x, In x l /\ Q2R x = Q2R g) /\ forall x, In x l -> Q2R g <= Q2R x end.
Proof.
  induction l as [|x l IH]; simpl; auto. destruct (least_of l) as [y|].
  - destruct IH as [(z & Hz & E) L]. destruct (qle x y) eqn:Q.
    + apply qle_real in Q. split; [exists x; auto|]. intros u [<-|Hu]; [lra|]. specialize (L u Hu). lra.
    + assert (Q' : Q2R y < Q2R x) by (apply Rnot_le_lt; intros N; apply qle_real in N; congruence).
      split; [exists z; auto|]. intros u [<-|Hu]; [lra|auto].
  - subst l. split; [exists x; auto|]. intros u [<-|[]]; lra.
Qed.

Lemma global_sound unique stated : global_check D v al unique stated = Accepted -> globally_optimal_with D al unique stated.
Proof.
  unfold global_check. intros H. assert (L := least_of_spec (map (qgap D v al) (key_rows D al))).
  assert (G : forall c, In c (key_rows D al) -> Q2R (qgap D v al c) = gap (over_p D) (pick al) c) by (intros c Hc; now apply gap_p).
  destruct (least_of (map (qgap D v al) (key_rows D al))) as [g|]; destruct stated as [g'|]; try discriminate; split_checks H.
  - destruct L as [(x & Hx & Ex) L]. apply in_map_iff in Hx. destruct Hx as (c & <- & Hc).
    apply qle_real in B. rewrite real_0 in B. apply qeq_real in B0. apply Bool.eqb_prop in B1. rewrite G in Ex by auto.
    assert (L' : forall e, In e (rows (over_p D) (pick al)) -> Q2R g <= gap (over_p D) (pick al) e).
    { intros e He. rewrite <- G by auto. apply L. now apply in_map. }
    split; [now apply globally_optimal_rule with (Q2R g)|]. split; [|split].
    + rewrite B1. rewrite qlt_real, real_0. split; intros Hu.
      * now apply unique_optimal_rule with (Q2R g).
      * apply Rnot_le_lt. intros N. apply (not_unique_rule (over_p D) (pick al) (Q2R g) c); auto. lra.
    + exists c. split; auto. lra.
    + intros e He. rewrite <- B0. auto.
  - apply map_eq_nil in L. assert (U := no_others_unique (over_p D) (pick al) L). split; [|split; auto].
    + apply globally_optimal_rule with 0; [|lra]. intros c Hc. rewrite key_rows_p in L. rewrite L in Hc. easy.
    + split; auto.
Qed.

Lemma not_global_sound unique i t : not_global_check D v al unique i t = Accepted ->
  if unique then ~ unique_optimal (over_p D) (pick al) else ~ globally_optimal (over_p D) (pick al).
Proof.
  unfold not_global_check. intros H. split_checks H. rewrite !andb_true_iff, negb_true_iff, !Nat.ltb_lt, Nat.eqb_neq in B. destruct B as ((Hi & Ht) & N).
  assert (G := gap_real D well v al (i, t) head selected Hi Ht). simpl in G. destruct unique.
  - apply qle_real in B0. rewrite real_0, G in B0. apply not_unique_optimal_rule with i t; auto. simpl. lra.
  - apply qlt_real in B0. rewrite real_0, G in B0. apply not_globally_optimal_rule with i t; auto. simpl. lra.
Qed.
End Selected.
End Sound.

Lemma with_selection_ok D al f : with_selection D al f = Accepted -> is_selection D al /\ f al = Accepted.
Proof. unfold with_selection. intros H. split_checks H. split; auto. now apply selection_sound. Qed.
Lemma with_head_ok D f : with_head D f = Accepted -> exists v, d_head D = Some v /\ f v = Accepted.
Proof. unfold with_head. destruct (d_head D) as [v|]; [|discriminate]. intros H. exists v. auto. Qed.

Lemma bracket_local_checked D al value reach B v possible : bracket_local D al value reach B v possible = Accepted -> bracket_check D al value B = Accepted.
Proof. unfold bracket_local. now destruct (bracket_check D al value B). Qed.
Lemma bracket_beaten_checked D al value reach B v possible c product itself :
  bracket_beaten D al value reach B v possible c product itself = Accepted -> bracket_check D al value B = Accepted.
Proof. unfold bracket_beaten. now destruct (bracket_check D al value B). Qed.

(** What is accepted is true. *)
Theorem check_sound (D : data) (c : certificate) : check D c = Accepted -> states D c.
Proof.
  unfold check. intros H. destruct (well_formed D) eqn:W; [|discriminate].
  destruct c as [[] al objective support w lam|[] al lam|al objective support w lam s|al lam s|al objective support lam|al lam
                |al neighbours w lam|al lam|al w lam c|al neighbours lam|al lam|al lam c|al possible B|al B possible c e|al possible B|al B possible c e
                |al unique least|al unique i t
                |number selections order conflicts tree|ranks query_rank]; cbn [check_statement] in H; cbn [states];
    try (apply with_head_ok in H; destruct H as (v & Hv & H));
    try (apply with_selection_ok in H; destruct H as (S & H); cbv zeta in H);
    try (assert (Hd : has_head D) by (unfold has_head; now rewrite Hv)).
  - split; auto. apply (key_optimal D W al S qone one) in H; auto. apply one_real.
  - split; auto. now apply label_optimal in H.
  - split; auto. apply (key_infeasible D W al S qone one) in H; auto. apply one_real.
  - split; auto. now apply label_infeasible in H.
  - split; auto. split_checks H. destruct (label_solved D W al S s V) as [L Hs]. exists (real_vector (fst s)). split; auto.
    apply (key_optimal D W al S _ (joint_bound D al (real_vector (fst s)))) in H; auto. now apply joint_bound_real.
  - split; auto. split_checks H. destruct (label_solved D W al S s V) as [L Hs]. exists (real_vector (fst s)). split; auto.
    apply (key_infeasible D W al S _ (joint_bound D al (real_vector (fst s)))) in H; auto. now apply joint_bound_real.
  - split; auto. exists (listed (row (over_w D) (pick al)) lam). now apply optimal_matrix_sound in H.
  - split; auto. now apply infeasible_matrix_sound in H.
  - split; auto. split; auto. split_checks H. destruct (key_solution D W al S qone one w lam (one_real _) V) as [L Sv].
    apply (local_sound D W al S v Hv (over_p D) (fun c => qdot (difference (keys D) al c) w) (real_vector w) (weight_of lam)) in H; auto.
    now apply key_values.
  - split; auto. split; auto. apply (key_infeasible D W al S qone one) in H; [|apply one_real]. now apply infeasible_not_local.
  - split; auto. split; auto. split_checks H. destruct (key_solution D W al S qone one w lam (one_real _) V) as [L Sv].
    apply (beaten_sound D W al S v Hv (over_p D) (fun c => qdot (difference (keys D) al c) w) (real_vector w) (weight_of lam)) in H; auto.
    now apply key_values.
  - split; auto. split; auto. split_checks H. assert (Sv := solves_matrix_sound D W al S lam V).
    apply (local_sound D W al S v Hv (over_w D) (matrix_value D al (images D al lam)) (listed (row (over_w D) (pick al)) lam) (weight_of lam)) in H; auto.
    apply matrix_values; auto. now apply (kkt_multipliers _ _ _ _ _ V).
  - split; auto. split; auto. apply infeasible_matrix_sound in H; auto. now apply infeasible_not_local.
  - split; auto. split; auto. split_checks H. assert (Sv := solves_matrix_sound D W al S lam V).
    apply (beaten_sound D W al S v Hv (over_w D) (matrix_value D al (images D al lam)) (listed (row (over_w D) (pick al)) lam) (weight_of lam)) in H; auto.
    apply matrix_values; auto. now apply (kkt_multipliers _ _ _ _ _ V).
  - split; auto. split; auto.
    apply (bracket_local_sound D W al S v Hv (over_p D) eq_refl (fun i t => eq_refl) _ _ B) in H; auto.
    + now apply combined_values.
    + now apply key_reach_real.
    + now apply bracket_local_checked in H.
  - split; auto. split; auto. split_checks H. apply Nat.eqb_eq in B0.
    apply (bracket_beaten_sound D W al S v Hv (over_p D) eq_refl (fun i t => eq_refl) _ _ B) with (e := real_vector e : coordinates (dimension D)) in H; auto.
    + now apply combined_values.
    + now apply key_reach_real.
    + now apply bracket_beaten_checked in H.
    + intros f Hf. rewrite dot_sym. now apply key_values.
    + now apply real_dot.
  - split; auto. split; auto.
    apply (bracket_local_sound D W al S v Hv (over_w D) eq_refl (fun i t => eq_refl) _ _ B) in H; auto.
    + intros M c Hc. now apply matrix_values.
    + now apply matrix_reach_real.
    + now apply bracket_local_checked in H.
  - split; auto. split; auto. split_checks H.
    assert (C : forall x, In x e -> In (fst x) (key_rows D al)).
    { unfold coefficients_ok in B0. apply andb_prop in B0. destruct B0 as [_ B0]. rewrite forallb_forall in B0. intros x Hx.
      specialize (B0 x Hx). apply andb_prop in B0. now apply is_key_row_in. }
    apply (bracket_beaten_sound D W al S v Hv (over_w D) eq_refl (fun i t => eq_refl) _ _ B) with (e := listed (row (over_w D) (pick al)) e) in H; auto.
    + intros M f Hf. now apply matrix_values.
    + now apply matrix_reach_real.
    + now apply bracket_beaten_checked in H.
    + intros f Hf. rewrite dot_sym. now apply matrix_value_real.
    + unfold square. rewrite real_sum, listed_dot. apply sum_ext. intros x Hx. rewrite real_mul, matrix_value_real; auto.
  - split; auto. split; auto. now apply (global_sound D W al S v Hv) in H.
  - apply (not_global_sound D W al S v Hv) in H. destruct unique; auto.
  - split; auto. now apply census_sound in H.
  - now apply rank_sound in H.
Qed.
