(** The checks of programs (docs/certificate.md 4.5, 4.11): what `kkt` accepts is a solution in the sense of Svm.v, and a list that
    passes the check of Farkas leaves no feasible point.  Over any space; the products a_c.w are given. *)
From Coq Require Import QArith Qreals Reals List Lra Lia Arith Bool.
From Attest Require Import Sums Space Svm Select.
From Attest.verified Require Import Numbers Meaning Checks.
Import ListNotations.
Open Scope R_scope.

Ltac split_checks H :=
  repeat match type of H with
  | (if ?b then _ else _) = Accepted => let B := fresh "B" in destruct b eqn:B; [|discriminate H]
  | match ?v with Accepted => _ | Rejected _ => _ end = Accepted => let V := fresh "V" in destruct v eqn:V; [|discriminate H]
  end.

Lemma row_eq_spec c e : row_eq c e = true <-> c = e.
Proof.
  destruct c as [i t], e as [j u]. unfold row_eq. simpl. rewrite andb_true_iff, !Nat.eqb_eq.
  split; [intros [-> ->]; auto|intros H; now inversion H].
Qed.
Lemma list_eq_spec {A} (eq : A -> A -> bool) x y : (forall a b, eq a b = true <-> a = b) -> list_eq eq x y = true <-> x = y.
Proof.
  intros H. revert y. induction x as [|a x IH]; intros [|b y]; simpl; try (split; easy).
  rewrite andb_true_iff, H, IH. split; [intros [-> ->]; auto|intros E; now inversion E].
Qed.
Lemma existsb_in {A} (eq : A -> A -> bool) a l : (forall a b, eq a b = true <-> a = b) -> existsb (eq a) l = true <-> In a l.
Proof.
  intros H. rewrite existsb_exists. split; [intros (b & Hb & E); apply H in E; now subst|intros I; exists a; split; auto; now apply H].
Qed.

Lemma vector_ext d (x y z : coordinates d) : (forall j, (j < d)%nat -> x j = y j) -> dot x z = dot y z.
Proof. intros H. simpl. unfold rdot. apply sum_ext. intros j Hj. apply in_seq in Hj. rewrite H; auto. lia. Qed.

(** The weight that a list gives to a row. *)
Definition weight_of (lam : multipliers) (c : row_name) : R := sum lam (fun e => if row_eq (fst e) c then Q2R (snd e) else 0).

Lemma sum_one_row (rows : list row_name) c f : NoDup rows -> In c rows -> sum rows (fun e => if row_eq c e then f e else 0) = f c.
Proof.
  induction rows as [|e rows IH]; [easy|]. intros N I. inversion N as [|? ? Ne Nr]; subst. simpl.
  destruct (row_eq c e) eqn:E.
  - apply row_eq_spec in E. subst e. rewrite sum_zero; [ring|]. intros e He. destruct (row_eq c e) eqn:F; auto. apply row_eq_spec in F. now subst.
  - destruct I as [->|I]; [|rewrite IH; auto; ring]. assert (row_eq c c = true) by now apply row_eq_spec. congruence.
Qed.

Lemma weighted_sum rows lam f : NoDup rows -> (forall e, In e lam -> In (fst e) rows) ->
  sum rows (fun c => weight_of lam c * f c) = sum lam (fun e => Q2R (snd e) * f (fst e)).
Proof.
  intros N H. unfold weight_of. rewrite (sum_ext _ _ (fun c => sum lam (fun e => if row_eq (fst e) c then Q2R (snd e) * f c else 0))).
  - rewrite sum_exchange. apply sum_ext. intros e He. apply (sum_one_row rows (fst e) (fun c => Q2R (snd e) * f c)); auto.
  - intros c _. rewrite <- sum_scal_r. apply sum_ext. intros e _. destruct (row_eq (fst e) c); ring.
Qed.

Section Program.
Context {E : space}.
Variables (rows : list row_name) (is_row : row_name -> bool) (a : row_name -> E) (b : row_name -> R) (bound : row_name -> Q).
Variable rows_differ : NoDup rows.
Variable row_exists : forall c, is_row c = true -> In c rows.
Variable bound_real : forall c, In c rows -> Q2R (bound c) = b c.

Definition listed (lam : multipliers) : E := vsum lam (fun e => vscal (Q2R (snd e)) (a (fst e))).

Lemma listed_dot lam z : dot (listed lam) z = sum lam (fun e => Q2R (snd e) * dot (a (fst e)) z).
Proof. unfold listed. rewrite dot_vsum_l. apply sum_ext. intros; apply dot_scal_l. Qed.

Lemma multipliers_rows lam : multipliers_ok is_row lam = true -> forall e, In e lam -> In (fst e) rows /\ 0 < Q2R (snd e).
Proof.
  unfold multipliers_ok. rewrite andb_true_iff, forallb_forall. intros [_ H] e He. specialize (H e He).
  apply andb_prop in H. destruct H as [H1 H2]. apply qlt_real in H2. rewrite real_0 in H2. auto.
Qed.

Lemma weight_nonneg lam : multipliers_ok is_row lam = true -> forall c, 0 <= weight_of lam c.
Proof.
  intros H c. apply sum_nonneg. intros e He. destruct (multipliers_rows lam H e He). destruct (row_eq (fst e) c); lra.
Qed.

Lemma listed_same lam : multipliers_ok is_row lam = true -> same (listed lam) (vsum rows (fun c => vscal (weight_of lam c) (a c))).
Proof.
  intros H z. rewrite listed_dot, combination_dot. symmetry. apply (weighted_sum rows lam (fun c => dot (a c) z)); auto.
  intros e He. now apply (multipliers_rows lam H).
Qed.

Section Point.
Variables (value : row_name -> Q) (w : E).
Variable value_real : forall c, In c rows -> Q2R (value c) = dot (a c) w.

Theorem kkt_solves lam : kkt rows is_row value bound lam = Accepted -> same w (listed lam) -> solves rows a b w (weight_of lam).
Proof.
  unfold kkt. intros H S. split_checks H. rewrite forallb_forall in B1, B0.
  split; [apply same_trans with (1 := S); now apply listed_same|]. split; [intros; now apply weight_nonneg|]. split.
  - intros c Hc. specialize (B0 c Hc). apply qle_real in B0. now rewrite bound_real, value_real in B0.
  - intros c Hc N. unfold tight.
    assert (X : exists e, In e lam /\ fst e = c).
    { clear - N. unfold weight_of in N. induction lam as [|e l IH]; simpl in N; [easy|].
      destruct (row_eq (fst e) c) eqn:Q; [exists e; split; [now left|now apply row_eq_spec]|].
      destruct IH as (f & Hf & F); [intros Z; apply N; rewrite Z; ring|]. exists f. split; auto. now right. }
    destruct X as (e & He & <-). specialize (B1 e He). apply qeq_real in B1. now rewrite bound_real, value_real in B1.
Qed.

Lemma tight_list_real c : In c (tight_list rows value bound) <-> In c rows /\ tight a b w c.
Proof.
  unfold tight_list. rewrite filter_In. split; intros [Hc H]; (split; [exact Hc|]).
  - apply qeq_real in H. rewrite bound_real, value_real in H; auto.
  - apply qeq_real. rewrite bound_real, value_real; auto.
Qed.

Theorem solves_only lam : solves rows a b w lam -> only_minimiser rows a b w.
Proof. intros S. destruct (svm_optimal _ _ _ _ _ S) as (M & U & _). now split. Qed.

Theorem tight_rows_real l : list_eq row_eq l (tight_list rows value bound) = true -> tight_rows rows a b w l.
Proof. intros H c. apply list_eq_spec in H; [|apply row_eq_spec]. subst l. apply tight_list_real. Qed.
End Point.

(** |sum|^2 from the values of the listed rows. *)
Lemma square_real value lam : multipliers_ok is_row lam = true -> (forall c, In c rows -> Q2R (value c) = dot (a c) (listed lam)) ->
  Q2R (square value lam) = dot (listed lam) (listed lam).
Proof.
  intros H V. unfold square. rewrite real_sum, listed_dot. apply sum_ext. intros e He.
  destruct (multipliers_rows lam H e He) as [R _]. now rewrite real_mul, V.
Qed.

Theorem farkas lam : multipliers_ok is_row lam = true -> same (listed lam) vzero -> 0 < sum lam (fun e => Q2R (snd e) * b (fst e)) ->
  forall w, ~ feasible rows a b w.
Proof.
  intros H Z P. apply svm_infeasible with (weight_of lam).
  - intros; now apply weight_nonneg.
  - apply same_trans with (2 := Z). now apply same_sym, listed_same.
  - rewrite (weighted_sum rows lam b); auto. intros e He. now apply (multipliers_rows lam H).
Qed.
End Program.

(** ** Programs whose rows are vectors of numbers *)
Section Vectors.
Variable D : data.
Let d := dimension D.
Variables (rows : list row_name) (is_row : row_name -> bool) (a : row_name -> coordinates d) (b : row_name -> R).
Variables (vector : row_name -> list Q) (bound : row_name -> Q).
Variable rows_differ : NoDup rows.
Variable row_exists : forall c, is_row c = true -> In c rows.
Variable bound_real : forall c, In c rows -> Q2R (bound c) = b c.
Variable vector_length : forall c, In c rows -> length (vector c) = d.
Variable vector_real : forall c, In c rows -> forall j, (j < d)%nat -> real_vector (vector c) j = a c j.

Lemma vector_value w : length w = d -> forall c, In c rows -> Q2R (qdot (vector c) w) = dot (a c) (real_vector w : coordinates d).
Proof.
  intros L c Hc. rewrite (real_dot d); auto. apply (vector_ext d). now apply vector_real.
Qed.

Lemma combine_listed lam : multipliers_ok is_row lam = true -> same (real_vector (qcombine d vector lam) : coordinates d) (listed a lam).
Proof.
  intros H. assert (R := multipliers_rows rows is_row row_exists lam H).
  apply same_coordinates. intros j Hj. rewrite qcombine_real; [|intros e He; apply vector_length; now apply R].
  transitivity (sum lam (fun e => Q2R (snd e) * a (fst e) j)).
  - apply sum_ext. intros e He. rewrite vector_real; auto. now apply R.
  - unfold listed. clear. induction lam as [|e l IH]; simpl; auto. now rewrite IH.
Qed.

Theorem solves_vector_sound w lam : solves_vector D rows is_row vector bound w lam = Accepted ->
  length w = d /\ solves rows a b (real_vector w : coordinates d) (weight_of lam).
Proof.
  unfold solves_vector. intros H. split_checks H. apply Nat.eqb_eq in B. split; auto.
  apply (kkt_solves rows is_row a b bound rows_differ row_exists bound_real (fun c => qdot (vector c) w)); [now apply vector_value|auto|].
  assert (M : multipliers_ok is_row lam = true) by (unfold kkt in V; now destruct (multipliers_ok is_row lam)).
  apply same_trans with (2 := combine_listed lam M). apply same_coordinates. intros j _. now apply same_list_real.
Qed.

Theorem optimal_vector_sound objective support w lam : optimal_vector D rows is_row vector bound objective support w lam = Accepted ->
  solved rows a b (real_vector w : coordinates d) objective support.
Proof.
  unfold optimal_vector. intros H. split_checks H. destruct (solves_vector_sound w lam V) as [L S].
  split; [now apply solves_only with (weight_of lam)|]. split.
  - apply qeq_real in B. rewrite real_mul, (real_dot d) in B by auto. replace (Q2R 2) with 2 in B by (unfold Q2R; simpl; lra). simpl. lra.
  - apply (tight_rows_real rows a b bound bound_real (fun c => qdot (vector c) w)); auto. now apply vector_value.
Qed.

Theorem infeasible_vector_sound lam : infeasible_vector D is_row vector bound lam = Accepted -> infeasible rows a b.
Proof.
  unfold infeasible_vector. intros H. split_checks H. unfold infeasible.
  apply (farkas rows is_row a b rows_differ row_exists lam B).
  - apply same_trans with (1 := same_sym _ _ (combine_listed lam B)). apply same_coordinates. intros j Hj.
    unfold zero_vector in B0. rewrite forallb_forall in B0. unfold real_vector.
    destruct (nth_in_or_default j (qcombine (dimension D) vector lam) 0%Q) as [I|I].
    + apply B0, qeq_real in I. fold d in I. rewrite I. apply real_0.
    + fold d in I. rewrite I. apply real_0.
  - apply qlt_real in B1. rewrite real_0, real_sum in B1. rewrite (sum_ext _ _ (fun e => Q2R (qmul (snd e) (bound (fst e))))); auto.
    intros e He. rewrite real_mul, bound_real; auto. now apply (multipliers_rows rows is_row row_exists lam B).
Qed.
End Vectors.
