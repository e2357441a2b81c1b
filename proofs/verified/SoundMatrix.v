(** The checks over W (docs/certificate.md 4.11, 4.16): the products of the rows (x_ia - x_it) z_i^T with a sum of rows are computed
    without the matrix, from W z_i for every sample. *)
From Coq Require Import QArith Qreals Reals List Lra Lia Arith Bool.
From Attest Require Import Sums Space Svm Select Rank.
From Attest.verified Require Import Numbers Meaning Checks SoundPrograms SoundData.
Import ListNotations.
Open Scope R_scope.

Section Matrix.
Variable D : data.
Let d := dimension D.
Variable well : well_formed D = true.
Variable al : list nat.
Variable selected : is_selection D al.
Let P := over_w D.
Let a := row P (pick al).
Let rows := key_rows D al.

Definition token_row (c : row_name) : coordinates (dimension D) := vsub (token D (fst c) (pick al (fst c))) (token D (fst c) (snd c)).

Lemma matrix_row_outer c M : dot (a c) M = dot (outer d d (token_row c) (query D (fst c))) M.
Proof.
  simpl. unfold mdot. apply sum_ext. intros j _. apply sum_ext. intros k _. unfold a, row, token_row, vsub, P, over_w, wproblem, key, outer. simpl. unfold outer, d. ring.
Qed.

Lemma matrix_rows_dot c e : dot (a c) (a e) = rdot d (token_row c) (token_row e) * rdot d (query D (fst c)) (query D (fst e)).
Proof. rewrite matrix_row_outer, dot_sym, matrix_row_outer, outer_outer. f_equal; apply (dot_sym (s := coordinates d)). Qed.

Lemma query_dot i j : (i < count D)%nat -> (j < count D)%nat -> Q2R (qdot (qquery D i) (qquery D j)) = rdot d (query D i) (query D j).
Proof.
  intros Hi Hj. rewrite (real_dot d) by now apply query_length. unfold rdot. apply sum_ext. intros k _. now rewrite !query_real.
Qed.

(** Coefficients of any sign on existing rows. *)
Theorem matrix_value_real lam : (forall e, In e lam -> In (fst e) rows) ->
  forall c, In c rows -> Q2R (matrix_value D al (images D al lam) c) = dot (a c) (listed a lam).
Proof.
  intros HR c Hc. assert (Hi := proj1 (proj1 (key_row_in D al c) Hc)).
  rewrite dot_sym, listed_dot. unfold matrix_value, images.
  set (f := fun i => qcombine (dimension D) (difference (d_tokens D) al)
                  (map (fun e => (fst e, qmul (snd e) (qdot (qquery D (fst (fst e))) (qquery D i)))) lam)).
  rewrite (nth_indep _ [] (f 0%nat)) by (rewrite map_length, seq_length; auto). rewrite map_nth, seq_nth by exact Hi. change (0 + fst c)%nat with (fst c).
  assert (HL : forall e, In e (map (fun e : row_name * Q => (fst e, qmul (snd e) (qdot (qquery D (fst (fst e))) (qquery D (fst c))))) lam) ->
               length (difference (d_tokens D) al (fst e)) = dimension D).
  { intros e He. apply in_map_iff in He. destruct He as (e' & <- & He). apply token_difference_length; auto. exact (HR e' He). }
  rewrite (real_dot d); [|now apply token_difference_length|unfold f; now apply qcombine_length].
  transitivity (rdot d (token_row c) (fun j => sum lam (fun e => Q2R (snd e) * rdot d (query D (fst (fst e))) (query D (fst c)) * token_row (fst e) j))).
  - unfold rdot at 1 2. apply sum_ext. intros j _. rewrite token_difference_real by auto. f_equal.
    unfold f. rewrite qcombine_real, sum_map by auto. apply sum_ext. intros e He. simpl fst. simpl snd.
    assert (Re := HR e He). assert (Ie := proj1 (proj1 (key_row_in D al (fst e)) Re)).
    rewrite real_mul, query_dot, token_difference_real by auto. reflexivity.
  - unfold rdot at 1. rewrite (sum_ext _ _ (fun j => sum lam (fun e => Q2R (snd e) * rdot d (query D (fst (fst e))) (query D (fst c)) * (token_row (fst e) j * token_row c j)))).
    + rewrite sum_exchange. apply sum_ext. intros e He. rewrite sum_scal, matrix_rows_dot. unfold rdot. ring.
    + intros j _. rewrite <- sum_scal. apply sum_ext. intros e _. ring.
Qed.

Lemma key_row_exists : forall c, is_key_row D al c = true -> In c rows.
Proof. apply is_key_row_in. Qed.

Lemma qone_real : forall c, In c rows -> Q2R (qone c) = one c.
Proof. intros. apply real_1. Qed.

Lemma listed_rows lam : multipliers_ok (is_key_row D al) lam = true -> forall e, In e lam -> In (fst e) rows.
Proof. intros H e He. now apply (multipliers_rows rows _ key_row_exists lam H). Qed.

Lemma kkt_multipliers r i v b lam : kkt r i v b lam = Accepted -> multipliers_ok i lam = true.
Proof. unfold kkt. now destruct (multipliers_ok i lam). Qed.

Theorem solves_matrix_sound lam : solves_matrix D al (images D al lam) lam = Accepted ->
  solves rows a one (listed a lam) (weight_of lam).
Proof.
  unfold solves_matrix. intros H. assert (M := kkt_multipliers _ _ _ _ _ H).
  apply (kkt_solves rows (is_key_row D al) a one qone (key_rows_differ D al) key_row_exists qone_real (matrix_value D al (images D al lam))); auto.
  - intros c Hc. apply matrix_value_real; auto. now apply listed_rows.
  - apply same_refl.
Qed.

Lemma matrix_values lam : multipliers_ok (is_key_row D al) lam = true ->
  forall c, In c rows -> Q2R (matrix_value D al (images D al lam) c) = dot (a c) (listed a lam).
Proof. intros M c Hc. apply matrix_value_real; auto. now apply listed_rows. Qed.

Theorem optimal_matrix_sound objective support lam : optimal_matrix D al objective support (images D al lam) lam = Accepted ->
  solved rows a one (listed a lam) objective support.
Proof.
  unfold optimal_matrix. intros H. split_checks H. assert (S := solves_matrix_sound lam V). assert (M := kkt_multipliers _ _ _ _ _ V).
  split; [now apply solves_only with (weight_of lam)|]. split.
  - apply qeq_real in B. rewrite real_mul in B. rewrite (square_real rows (is_key_row D al) a key_row_exists) in B; auto using matrix_values.
    replace (Q2R 2) with 2 in B by (unfold Q2R; simpl; lra). lra.
  - apply (tight_rows_real rows a one qone qone_real (matrix_value D al (images D al lam))); auto. now apply matrix_values.
Qed.

Theorem infeasible_matrix_sound lam : infeasible_matrix D al (images D al lam) lam = Accepted -> infeasible rows a one.
Proof.
  unfold infeasible_matrix. intros H. split_checks H. unfold infeasible.
  apply (farkas rows (is_key_row D al) a one (key_rows_differ D al) key_row_exists lam B).
  - apply qeq_real in B0. rewrite real_0, (square_real rows (is_key_row D al) a key_row_exists) in B0; auto using matrix_values.
    intros z. rewrite dot_zero_l. apply norm_zero_dot. unfold norm. now rewrite B0, sqrt_0.
  - apply qlt_real in B1. rewrite real_0, real_sum in B1. unfold one. rewrite (sum_ext _ _ (fun e => Q2R (snd e))); auto. intros; ring.
Qed.
End Matrix.
