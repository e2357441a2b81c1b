(** `sparsity-norm`, `sparsity-infeasible` (docs/certificate.md 4.28; docs/theory.md 8.2).  Every p with sum_t exp(-y_it) <= eps/(1-eps) in each sample, which is attention
    s_ialpha >= 1 - eps, has a.p >= A for a = sum_c pi_c a_c, A = sum_i P_i log((1-eps)/eps) + sum_{pi_c > 0} pi_c log(P_i/pi_c); hence |p| >= A/|a|, and no p exists when a = 0 < A. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model.
Import ListNotations.
Open Scope R_scope.

Section Sparsity.
Context {E : space}.
Variable P : problem E.
Variable al : nat -> nat.
Notation n := (samples P).
Notation rows := (rows P al).
Notation a := (row P al).
Variable eps : R.
Variable eps_range : 0 < eps < 1.

Definition sparse (p : E) := forall i, (i < n)%nat -> others (tokens P i) (al i) <> [] -> others_weight P al p i <= eps / (1 - eps).

(** The same in words of attention. *)
Theorem sparse_attention loss slope lo hi p i : regular P loss slope lo hi -> selection P al -> (i < n)%nat ->
  (1 - eps <= attention P p i (al i) <-> others_weight P al p i <= eps / (1 - eps)).
Proof.
  intros Reg S Hi. assert (T := attention_total P loss slope lo hi al p i Reg S Hi). assert (A := attention_le_1 P loss slope lo hi p i (al i) Reg Hi (S i Hi)).
  set (s := attention P p i (al i)) in *. set (W := others_weight P al p i) in *.
  assert (E1 : eps / (1 - eps) * (1 - eps) = eps) by (field; lra). set (e := eps / (1 - eps)) in *.
  assert (E2 : (1 + e) * (1 - eps) = 1) by lra. assert (E0 : 0 < e) by (apply Rdiv_lt_0_compat; lra).
  split; intros H.
  - destruct (Rle_or_lt W e) as [|G]; auto. exfalso. assert ((1 + e) * (1 - eps) < (1 + W) * (1 - eps)) by (apply Rmult_lt_compat_r; lra).
    assert ((1 + W) * (1 - eps) <= (1 + W) * s) by (apply Rmult_le_compat_l; lra). lra.
  - destruct (Rle_or_lt (1 - eps) s) as [|G]; auto. exfalso. assert ((1 + W) * s <= (1 + e) * s) by (apply Rmult_le_compat_r; lra).
    assert ((1 + e) * s < (1 + e) * (1 - eps)) by (apply Rmult_lt_compat_l; lra). lra.
Qed.

Variable pi : nat * nat -> R.
Variable pi_nonneg : forall c, In c rows -> 0 <= pi c.
Definition Pi i := sum (others (tokens P i) (al i)) (fun t => pi (i, t)).
Definition entropy i := sum (others (tokens P i) (al i)) (fun t => if Req_EM_T (pi (i, t)) 0 then 0 else pi (i, t) * ln (Pi i / pi (i, t))).
Definition height := sum (seq 0 n) (fun i => Pi i * ln ((1 - eps) / eps) + entropy i).
Definition vector : E := vsum rows (fun c => vscal (pi c) (a c)).

Lemma sample_bound p i : sparse p -> (i < n)%nat ->
  Pi i * ln ((1 - eps) / eps) + entropy i <= sum (others (tokens P i) (al i)) (fun t => pi (i, t) * dot (a (i, t)) p).
Proof.
  intros Sp Hi. set (l := others (tokens P i) (al i)).
  assert (Pn : forall t, In t l -> 0 <= pi (i, t)) by (intros t Ht; apply pi_nonneg, in_rows; apply in_others in Ht; tauto).
  set (l' := filter (fun t => if Req_EM_T (pi (i, t)) 0 then false else true) l).
  assert (Il : forall t, In t l' <-> In t l /\ pi (i, t) <> 0) by (intros t; unfold l'; rewrite filter_In; destruct (Req_EM_T (pi (i, t)) 0); intuition congruence).
  assert (F : forall f, sum l (fun t => if Req_EM_T (pi (i, t)) 0 then 0 else f t) = sum l' f).
  { intros f. unfold l'. rewrite sum_filter. apply sum_ext. intros t _. now destruct (Req_EM_T (pi (i, t)) 0). }
  assert (Fpi : forall f, sum l (fun t => pi (i, t) * f t) = sum l' (fun t => pi (i, t) * f t)).
  { intros f. rewrite <- F. apply sum_ext. intros t _. destruct (Req_EM_T (pi (i, t)) 0) as [->|]; ring. }
  assert (SP : Pi i = sum l' (fun t => pi (i, t))).
  { unfold Pi. fold l. rewrite (sum_ext l _ (fun t => pi (i, t) * 1)), Fpi by (intros; ring). apply sum_ext. intros; ring. }
  destruct (Req_dec (Pi i) 0) as [Z|Nz].
  - assert (Zero : forall t, In t l -> pi (i, t) = 0) by (apply (sum_nonneg_zero l (fun t => pi (i, t)) Pn Z)).
    rewrite Z. unfold entropy. fold l. rewrite !sum_zero; [lra| |].
    + intros t Ht. rewrite Zero by auto. ring.
    + intros t Ht. destruct (Req_EM_T (pi (i, t)) 0); [easy|]. now rewrite Zero in *.
  - assert (Pp : 0 < Pi i) by (assert (0 <= Pi i) by (apply sum_nonneg; auto); lra).
    assert (Ne : l <> []) by (intros Z; apply Nz; unfold Pi; fold l; now rewrite Z).
    specialize (Sp i Hi Ne).
    assert (Q : forall t, In t l' -> 0 < pi (i, t)) by (intros t Ht; apply Il in Ht; destruct Ht as [H1 H2]; specialize (Pn t H1); lra).
    assert (J := jensen_weighted l' (fun t => pi (i, t) / Pi i) (fun _ => 1) (fun t => dot (a (i, t)) p)).
    assert (J' : exp (sum l' (fun t => pi (i, t) / Pi i * ln (1 / (pi (i, t) / Pi i))) - sum l' (fun t => pi (i, t) / Pi i * dot (a (i, t)) p)) <= eps / (1 - eps)).
    { apply Rle_trans with (2 := Sp). apply Rle_trans with (sum l' (fun t => 1 * exp (- dot (a (i, t)) p))).
      - apply J; [intros t Ht; apply Rdiv_lt_0_compat; auto|intros; lra|]. unfold Rdiv. rewrite sum_scal_r, <- SP. field. lra.
      - unfold others_weight. fold l. unfold l'. rewrite sum_filter. apply sum_le. intros t _. assert (Pe := exp_pos (- dot (a (i, t)) p)). destruct (Req_EM_T (pi (i, t)) 0); lra. }
    set (A := sum l' (fun t => pi (i, t) / Pi i * ln (1 / (pi (i, t) / Pi i)))) in *. set (B := sum l' (fun t => pi (i, t) / Pi i * dot (a (i, t)) p)) in *.
    assert (Ln : A - B <= - ln ((1 - eps) / eps)).
    { rewrite <- ln_Rinv by (apply Rdiv_lt_0_compat; lra). replace (/ ((1 - eps) / eps)) with (eps / (1 - eps)) by (field; lra). rewrite <- (ln_exp (A - B)).
      destruct J' as [J'|J']; [left; apply ln_increasing; auto; apply exp_pos|right; now rewrite J']. }
    assert (EA : entropy i = Pi i * A).
    { unfold entropy, A. fold l. rewrite F, <- sum_scal. apply sum_ext. intros t Ht. specialize (Q t Ht). replace (1 / (pi (i, t) / Pi i)) with (Pi i / pi (i, t)) by (field; lra). field. lra. }
    assert (EB : sum l (fun t => pi (i, t) * dot (a (i, t)) p) = Pi i * B).
    { rewrite Fpi. unfold B. rewrite <- sum_scal. apply sum_ext. intros t _. field. lra. }
    rewrite EA, EB. nra.
Qed.

Lemma height_bound p : sparse p -> height <= dot vector p.
Proof.
  intros Sp. unfold vector. rewrite combination_dot, sum_rows. apply sum_le. intros i Hi. apply in_seq in Hi. apply sample_bound; auto. lia.
Qed.

Theorem sparsity_lower p lower : sparse p -> 0 <= lower -> 0 < dot vector vector -> 0 <= height -> lower * lower * dot vector vector <= height * height -> lower <= norm p.
Proof.
  intros Sp L0 V0 H0 HH. assert (B := height_bound p Sp). assert (C := cauchy_schwarz vector p). assert (Np := norm_pos p). assert (Nv := norm_pos vector).
  rewrite <- norm_sqr in *. assert (Vp : 0 < norm vector) by nra.
  assert (lower * norm vector <= height) by (apply le_of_sq; auto; lra). apply Rmult_le_reg_r with (norm vector); auto. lra.
Qed.

Theorem sparsity_infeasible : same vector vzero -> 0 < height -> forall p, ~ sparse p.
Proof. intros V0 H0 p Sp. assert (B := height_bound p Sp). rewrite V0, dot_zero_l in B. lra. Qed.
End Sparsity.
