(** Constant steps along sums of rows that fall like exp(-y_c) (docs/theory.md, section 3, basin theorem, parts (ii) to (iv)).
    Let w solve the SVM of the rows a_c and p_{k+1} = p_k + eta g_k, g_k = sum_c q_c(k) a_c with b exp(-y_c) <= q_c <= B exp(-y_c), y_c = a_c.p_k,
    0 < b <= B, and let the partial sums of |g_k|^2 be bounded.  Then |p_k| -> oo, min_c y_c -> oo, and p_k/|p_k| -> w/|w|. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Rank.
Import ListNotations.
Open Scope R_scope.

(** Limits of sequences, written out. *)
Definition to_infinity (u : nat -> R) := forall M, exists K, forall k, (K <= k)%nat -> M <= u k.
Definition to_zero (u : nat -> R) := forall e, 0 < e -> exists K, forall k, (K <= k)%nat -> Rabs (u k) <= e.

Theorem to_infinity_limit u : to_infinity u <-> is_lim_seq u p_infty.
Proof.
  rewrite <- is_lim_seq_spec. split.
  - intros H M. destruct (H (M + 1)) as [K HK]. exists K. intros k Hk. specialize (HK k Hk). simpl. lra.
  - intros H M. destruct (H M) as [K HK]. exists K. intros k Hk. specialize (HK k Hk). simpl in HK. lra.
Qed.

Theorem to_zero_limit u : to_zero u <-> is_lim_seq u 0.
Proof.
  rewrite <- is_lim_seq_spec. split.
  - intros H e. destruct (H (e / 2)) as [K HK]; [apply is_pos_div_2|]. exists K. intros k Hk. specialize (HK k Hk). rewrite Rminus_0_r.
    apply Rle_lt_trans with (1 := HK). destruct e as [e He]. simpl. lra.
  - intros H e He. destruct (H (mkposreal e He)) as [K HK]. exists K. intros k Hk. specialize (HK k Hk). rewrite Rminus_0_r in HK. simpl in HK. lra.
Qed.

(** A limit is that of what comes after the K-th. *)
Lemma to_infinity_from u K : to_infinity (fun k => u (K + k)%nat) -> to_infinity u.
Proof. intros H M. destruct (H M) as [N HN]. exists (K + N)%nat. intros k Hk. replace k with (K + (k - K))%nat by lia. apply HN. lia. Qed.
Lemma to_zero_from u K : to_zero (fun k => u (K + k)%nat) -> to_zero u.
Proof. intros H e He. destruct (H e He) as [N HN]. exists (K + N)%nat. intros k Hk. replace k with (K + (k - K))%nat by lia. apply HN. lia. Qed.

Lemma summable_to_zero u C : (forall k, 0 <= u k) -> (forall K, sum (seq 0 K) u <= C) -> to_zero u.
Proof.
  intros P B. apply to_zero_limit.
  set (s := fun K => sum (seq 0 K) u).
  assert (F : ex_finite_lim_seq s).
  { apply ex_finite_lim_seq_incr with C; [|exact B]. intros k. unfold s. rewrite sum_last. specialize (P k). lra. }
  destruct F as [l Hl].
  apply is_lim_seq_ext with (fun k => s (S k) - s k).
  - intros k. unfold s. rewrite sum_last. ring.
  - replace (Finite 0) with (Finite (l - l)) by (f_equal; ring). apply is_lim_seq_minus'; [now apply -> is_lim_seq_incr_1|exact Hl].
Qed.

(** A direction: p/|p| and w/|w|. *)
Definition unit {E : space} (x : E) : E := vscal (/ norm x) x.

Lemma unit_distance {E : space} (p w : E) : 0 < norm p -> 0 < norm w ->
  norm (vsub (unit p) (unit w)) * norm (vsub (unit p) (unit w)) = 2 * (1 - dot p (unit w) / norm p).
Proof.
  intros Hp Hw. rewrite norm_sub_sqr. unfold unit. rewrite !dot_scal_l, !dot_scal_r, <- (norm_sqr p), <- (norm_sqr w). field. lra.
Qed.

Lemma unit_close {E : space} (p w : E) e0 : 0 < norm w -> 0 < e0 -> 0 < dot p (unit w) <= norm p ->
  norm p <= (1 + 2 * (e0 * e0 / 4)) * dot p (unit w) -> norm (vsub (unit p) (unit w)) <= e0.
Proof.
  intros Hw He Hp H. apply le_of_sq; [lra|]. rewrite unit_distance by lra. set (h := dot p (unit w)) in *. set (r := norm p) in *.
  assert (1 - h / r <= 2 * (e0 * e0 / 4)); [|lra].
  apply Rmult_le_reg_r with r; [lra|]. replace ((1 - h / r) * r) with (r - h) by (field; lra). nra.
Qed.

Section Run.
Context {E : space} {A : Type}.
Variable rows : list A.
Variable a : A -> E.
Variables (w : E) (lam : A -> R).
Variables (p g : nat -> E) (q : nat -> A -> R) (eta b B C : R).
Variable nonempty : rows <> [].
Variable svm : solves rows a (fun _ => 1) w lam.
Variable steps : forall k, same (p (S k)) (vadd (p k) (vscal eta (g k))).
Variable sums : forall k, same (g k) (vsum rows (fun c => vscal (q k c) (a c))).
Variable eta_pos : 0 < eta.
Variable b_pos : 0 < b.
Variable weights : forall k c, In c rows -> b * exp (- dot (a c) (p k)) <= q k c <= B * exp (- dot (a c) (p k)).
Variable summable : forall K, sum (seq 0 K) (fun k => dot (g k) (g k)) <= C.

Let W := norm w.
Let h k := dot (p k) (unit w).
Let r k := norm (p k).

Lemma norm_w_pos : 0 < W.
Proof. exact (svm_norm_pos rows a w lam nonempty svm). Qed.

Lemma lam_sum : sum rows lam = W * W.
Proof. unfold W. rewrite norm_sqr. exact (svm_lam_sum rows a w lam svm). Qed.

Lemma w_dot z : dot w z = sum rows (fun c => lam c * dot (a c) z).
Proof. destruct svm as (H & _). rewrite H. apply combination_dot. Qed.

(** The least row m of a point x: Sum lambda_c y_c = w.x >= |w|^2 m, hence m <= (w/|w|).x / |w|. *)
Lemma least_row_le x m : (forall c, In c rows -> m <= dot (a c) x) -> W * m <= dot x (unit w).
Proof.
  intros H. assert (Pw := norm_w_pos). destruct svm as (_ & Hl & _ & _).
  assert (L : sum rows lam * m <= dot w x).
  { rewrite w_dot, <- sum_scal_r. apply sum_le. intros c Hc. apply Rmult_le_compat_l; auto. }
  rewrite lam_sum in L. unfold unit. rewrite dot_scal_r, (dot_sym x). fold W.
  apply Rmult_le_reg_l with W; auto. replace (W * (/ W * dot w x)) with (dot w x) by (field; lra). lra.
Qed.

Lemma unit_bound x : dot x (unit w) <= norm x.
Proof.
  assert (Pw := norm_w_pos). unfold unit. rewrite dot_scal_r. fold W. apply Rmult_le_reg_l with W; auto.
  replace (W * (/ W * dot x w)) with (dot x w) by (field; lra). unfold W. rewrite Rmult_comm. apply cauchy_schwarz.
Qed.

Lemma q_pos k c : In c rows -> 0 < q k c.
Proof. intros Hc. assert (H := weights k c Hc). assert (P := exp_pos (- dot (a c) (p k))). nra. Qed.

Definition Q k := sum rows (q k).
Lemma Q_pos k : 0 < Q k.
Proof. apply sum_pos_all; auto. intros; now apply q_pos. Qed.

Lemma g_dot k z : dot (g k) z = sum rows (fun c => q k c * dot (a c) z).
Proof. rewrite sums. apply combination_dot. Qed.

(** -grad L . w/|w| >= Q/|w| *)
Lemma ascent k : Q k <= W * dot (g k) (unit w).
Proof.
  assert (Pw := norm_w_pos). destruct svm as (_ & _ & F & _).
  unfold unit. rewrite dot_scal_r. fold W. replace (W * (/ W * dot (g k) w)) with (dot (g k) w) by (field; lra).
  rewrite g_dot. apply sum_le. intros c Hc. specialize (F c Hc). cbv beta in F. assert (P := q_pos k c Hc). nra.
Qed.

Lemma h_step k : h (S k) = h k + eta * dot (g k) (unit w).
Proof. unfold h. rewrite steps, dot_add_l, dot_scal_l. ring. Qed.

Lemma h_increases k : h k < h (S k).
Proof.
  rewrite h_step. assert (Pw := norm_w_pos). assert (Hq := Q_pos k). assert (H := ascent k).
  assert (0 < dot (g k) (unit w)) by nra. nra.
Qed.

(** min y -> oo *)
Lemma rows_diverge : forall M, exists K, forall k, (K <= k)%nat -> forall c, In c rows -> M <= dot (a c) (p k).
Proof.
  intros M. assert (Pw := norm_w_pos).
  set (e := b * exp (- M) / W). assert (He : 0 < e) by (apply Rdiv_lt_0_compat; auto; apply Rmult_lt_0_compat; auto; apply exp_pos).
  destruct (summable_to_zero _ C (fun k => dot_pos (g k)) summable (e * e)) as [K HK]; [nra|].
  exists K. intros k Hk c Hc. specialize (HK k Hk). rewrite Rabs_pos_eq in HK by apply dot_pos.
  assert (Ng : norm (g k) <= e) by (apply sqrt_le_of_sq; lra).
  assert (U := unit_bound (g k)). assert (As := ascent k).
  assert (T : q k c <= Q k) by (apply sum_term; auto; intros; left; now apply q_pos).
  destruct (weights k c Hc) as [Lo _].
  assert (X : b * exp (- dot (a c) (p k)) <= b * exp (- M)).
  { apply Rle_trans with (W * e); [nra|]. unfold e. right. field. lra. }
  apply Rmult_le_reg_l in X; auto.
  destruct (Rle_or_lt M (dot (a c) (p k))) as [|N]; auto. exfalso.
  assert (exp (- M) < exp (- dot (a c) (p k))) by (apply exp_increasing; lra). lra.
Qed.

Lemma h_diverges : to_infinity h.
Proof.
  intros M. assert (Pw := norm_w_pos). destruct (rows_diverge (M / W)) as [K HK]. exists K. intros k Hk.
  apply Rle_trans with (2 := least_row_le (p k) (M / W) (HK k Hk)). right. field. lra.
Qed.

Theorem norm_diverges : to_infinity r.
Proof. intros M. destruct (h_diverges M) as [K HK]. exists K. intros k Hk. apply Rle_trans with (1 := HK k Hk). apply unit_bound. Qed.

(** g.p <= (1 + K/r) r g.(w/|w|) *)
Let kappa := B * INR (length rows) * exp (-1) / b.

Lemma B_pos : 0 < B.
Proof.
  destruct rows as [|c l] eqn:R; [easy|]. assert (Hc : In c rows) by (rewrite R; now left). rewrite R in Hc.
  destruct (weights 0%nat c Hc) as [L0 U]. assert (P := exp_pos (- dot (a c) (p 0%nat))). nra.
Qed.

Lemma kappa_pos : 0 <= kappa.
Proof.
  unfold kappa. apply Rle_mult_inv_pos; auto. assert (H := B_pos). apply Rmult_le_pos; [|left; apply exp_pos]. apply Rmult_le_pos; [lra|apply pos_INR].
Qed.

Lemma pull k m c0 : In c0 rows -> dot (a c0) (p k) = m -> (forall c, In c rows -> m <= dot (a c) (p k)) ->
  dot (g k) (p k) <= (m + kappa) * Q k.
Proof.
  intros Hc0 Em Hm. rewrite g_dot.
  assert (S1 : sum rows (fun c => q k c * (dot (a c) (p k) - m)) <= kappa * Q k).
  { assert (Bp := B_pos).
    apply Rle_trans with (sum rows (fun _ => B * exp (- m) * exp (-1))).
    - apply sum_le. intros c Hc. destruct (weights k c Hc) as [_ U]. specialize (Hm c Hc). set (z := dot (a c) (p k) - m) in *.
      assert (Z := z_exp_minus_z z). assert (Pm := exp_pos (- m)).
      apply Rle_trans with (B * exp (- dot (a c) (p k)) * z); [apply Rmult_le_compat_r; auto; unfold z; lra|].
      replace (- dot (a c) (p k)) with (- m + - z) by (unfold z; ring). rewrite exp_plus.
      replace (B * (exp (- m) * exp (- z)) * z) with (B * exp (- m) * (z * exp (- z))) by ring.
      apply Rmult_le_compat_l; [nra|auto].
    - rewrite sum_const. assert (T : q k c0 <= Q k) by (apply sum_term; auto; intros; left; now apply q_pos).
      destruct (weights k c0 Hc0) as [Lo _]. rewrite Em in Lo. assert (Kp := kappa_pos).
      apply Rle_trans with (kappa * (b * exp (- m))); [right; unfold kappa; field; lra|].
      apply Rmult_le_compat_l; auto. lra. }
  rewrite (sum_ext rows (fun c => q k c * (dot (a c) (p k) - m)) (fun c => q k c * dot (a c) (p k) - q k c * m)) in S1 by (intros; ring).
  rewrite sum_minus, sum_scal_r in S1. fold (Q k) in S1. lra.
Qed.

Lemma pull_direction k : 0 < r k -> dot (g k) (p k) <= (1 + W * kappa / r k) * (r k * dot (g k) (unit w)).
Proof.
  intros Hr. assert (Pw := norm_w_pos). destruct (least rows (fun c => dot (a c) (p k)) nonempty) as (c0 & Hc0 & Hl).
  set (m := dot (a c0) (p k)) in *.
  assert (Hp := pull k m c0 Hc0 eq_refl Hl).
  assert (Hm : W * m <= r k) by (apply Rle_trans with (1 := least_row_le (p k) m Hl); apply unit_bound).
  assert (Hq := Q_pos k). assert (As := ascent k). assert (Kp := kappa_pos).
  set (G := dot (g k) (unit w)) in *.
  apply Rle_trans with (1 := Hp).
  replace ((1 + W * kappa / r k) * (r k * G)) with ((r k / W + kappa) * (W * G)) by (field; lra).
  assert (m <= r k / W) by (apply Rmult_le_reg_l with W; auto; replace (W * (r k / W)) with (r k) by (field; lra); lra).
  assert (0 <= r k / W) by (apply Rle_mult_inv_pos; lra).
  apply Rle_trans with ((r k / W + kappa) * Q k); [apply Rmult_le_compat_r; lra|apply Rmult_le_compat_l; lra].
Qed.

Lemma r_step k : 0 < r k -> r (S k) <= r k + (1 + W * kappa / r k) * (h (S k) - h k) + eta * eta * dot (g k) (g k) / (2 * r k).
Proof.
  intros Hr. assert (Hp := pull_direction k Hr).
  set (x := 2 * eta * dot (g k) (p k) + eta * eta * dot (g k) (g k)).
  assert (Sq : r (S k) * r (S k) = r k * r k + x).
  { unfold r, x. rewrite !norm_sqr, (steps k), (same_r _ _ _ (steps k)), !dot_add_l, !dot_add_r, !dot_scal_l, !dot_scal_r, (dot_sym (p k) (g k)). ring. }
  assert (Hx : r k + x / (2 * r k) <= r k + (1 + W * kappa / r k) * (h (S k) - h k) + eta * eta * dot (g k) (g k) / (2 * r k)).
  { rewrite h_step. unfold x. replace (eta * dot (g k) (unit w)) with (eta * (r k * dot (g k) (unit w)) / r k) by (field; lra).
    set (G := r k * dot (g k) (unit w)) in *. set (K := 1 + W * kappa / r k) in *.
    assert (eta * dot (g k) (p k) / r k <= K * (eta * G / r k)).
    { replace (K * (eta * G / r k)) with (eta * (K * G) / r k) by (field; lra). unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
      apply Rmult_le_compat_l; lra. }
    replace ((2 * eta * dot (g k) (p k) + eta * eta * dot (g k) (g k)) / (2 * r k)) with (eta * dot (g k) (p k) / r k + eta * eta * dot (g k) (g k) / (2 * r k)) by (field; lra).
    lra. }
  apply Rle_trans with (2 := Hx).
  assert (R2 : 0 <= r (S k) * r (S k)) by apply Rle_0_sqr.
  assert (Y : x / (2 * r k) * (2 * r k) = x) by (field; lra). set (y := x / (2 * r k)) in *.
  assert (0 <= r k + y) by nra. apply le_of_sq; auto. nra.
Qed.

Theorem direction_converges : to_zero (fun k => norm (vsub (unit (p k)) (unit w))).
Proof.
  intros e0 He0. assert (Pw := norm_w_pos). assert (Kp := kappa_pos).
  set (e := e0 * e0 / 4). assert (He : 0 < e) by (unfold e; nra).
  destruct (norm_diverges (Rmax 1 (W * kappa / e))) as [K HK].
  assert (Rk : forall k, (K <= k)%nat -> 1 <= r k /\ W * kappa / r k <= e).
  { intros k Hk. specialize (HK k Hk). assert (M1 := Rmax_l 1 (W * kappa / e)). assert (M2 := Rmax_r 1 (W * kappa / e)). split; [lra|].
    apply Rmult_le_reg_r with (r k); [lra|]. replace (W * kappa / r k * r k) with (W * kappa / e * e) by (field; lra). 
    rewrite Rmult_comm. apply Rmult_le_compat_l; lra. }
  set (tail := fun k => sum (seq 0 k) (fun j => dot (g j) (g j))).
  assert (Sum : forall j, r (K + j) <= r K + (1 + e) * (h (K + j)%nat - h K) + eta * eta / 2 * (tail (K + j)%nat - tail K)).
  { induction j as [|j IH]; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r.
    destruct (Rk (K + j)%nat) as [R1 R2]; [lia|]. assert (St := r_step (K + j) ltac:(lra)).
    assert (Hi := h_increases (K + j)). unfold tail at 1. rewrite sum_last. fold (tail (K + j)%nat).
    set (G := dot (g (K + j)%nat) (g (K + j)%nat)) in *. assert (0 <= G) by apply dot_pos.
    assert (eta * eta * G / (2 * r (K + j)) <= eta * eta / 2 * G).
    { apply Rmult_le_reg_r with (2 * r (K + j)); [lra|]. replace (eta * eta * G / (2 * r (K + j)) * (2 * r (K + j))) with (eta * eta * G * 1) by (field; lra).
      replace (eta * eta / 2 * G * (2 * r (K + j))) with (eta * eta * G * r (K + j)) by field. apply Rmult_le_compat_l; [nra|lra]. }
    assert ((1 + W * kappa / r (K + j)) * (h (S (K + j)) - h (K + j)%nat) <= (1 + e) * (h (S (K + j)) - h (K + j)%nat)) by (apply Rmult_le_compat_r; lra).
    lra. }
  set (C2 := r K - (1 + e) * h K + eta * eta / 2 * C).
  assert (Tail : forall k, eta * eta / 2 * (tail k - tail K) <= eta * eta / 2 * C).
  { intros k. apply Rmult_le_compat_l; [nra|]. assert (T1 := summable k). fold (tail k) in T1.
    assert (0 <= tail K) by (apply sum_nonneg; intros; apply dot_pos). lra. }
  destruct (h_diverges (Rmax 1 (C2 / e))) as [K2 HK2].
  exists (K + K2)%nat. intros k Hk. rewrite Rabs_pos_eq by apply norm_pos.
  replace k with (K + (k - K))%nat by lia. set (j := (k - K)%nat). assert (Hj : (K2 <= K + j)%nat) by (unfold j; lia).
  specialize (Sum j). specialize (Tail (K + j)%nat). specialize (HK2 _ Hj).
  assert (M1 := Rmax_l 1 (C2 / e)). assert (M2 := Rmax_r 1 (C2 / e)).
  set (H := h (K + j)%nat) in *. set (R := r (K + j)) in *.
  assert (HH : C2 <= e * H). { replace C2 with (e * (C2 / e)) by (field; lra). apply Rmult_le_compat_l; lra. }
  assert (RH : R <= (1 + 2 * e) * H) by (unfold C2 in *; lra).
  assert (HR : H <= R) by apply unit_bound. 
  apply unit_close; [auto|auto|change (0 < H <= R); lra|exact RH].
Qed.
End Run.
