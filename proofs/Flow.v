(** Gradient flow (docs/theory.md, sections 3 and 6.2), for what Basin.v, Cone and Wedge say of it.
    A curve p in a space has the derivative g at t when every product p.z has the derivative g.z there and p.p has 2 g.p; in R^d and for matrices that is the
    derivative of every component (`curve_coordinates`, `curve_matrices`).
    Along p' = sum_c q_c a_c with b exp(-y_c) <= q_c <= B exp(-y_c), h = p.w/|w| has h' >= (b/|w|) exp(-h/|w|), so h -> oo; |p|' <= (1 + K/|p|) h' makes |p|/h -> 1. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Model Curvature Limits.
Import ListNotations.
Open Scope R_scope.

(** Limits as t -> oo, written out. *)
Definition flow_to_infinity (u : R -> R) := forall M, exists t0, 0 <= t0 /\ forall t, t0 <= t -> M <= u t.
Definition flow_to_zero (u : R -> R) := forall e, 0 < e -> exists t0, 0 <= t0 /\ forall t, t0 <= t -> Rabs (u t) <= e.

Definition curve_derives {E : space} (p : R -> E) (t : R) (g : E) :=
  (forall z, is_derive (fun s => dot (p s) z) t (dot g z)) /\ is_derive (fun s => dot (p s) (p s)) t (2 * dot g (p t)).

Theorem curve_coordinates d (p : R -> coordinates d) t g : (forall j, (j < d)%nat -> is_derive (fun s => p s j) t (g j)) -> curve_derives p t g.
Proof.
  intros H. split.
  - intros z. simpl. unfold rdot. apply (is_derive_sum (seq 0 d) (fun j s => p s j * z j) (fun j _ => g j * z j)). intros j Hj. apply in_seq in Hj.
    apply is_derive_ext with (fun s => z j * p s j); [intros; apply Rmult_comm|]. apply is_derive_value with (z j * g j); [|ring]. apply is_derive_scal, H. lia.
  - simpl. unfold rdot. rewrite <- sum_scal.
    apply (is_derive_sum (seq 0 d) (fun j s => p s j * p s j) (fun j _ => 2 * (g j * p t j))). intros j Hj. apply in_seq in Hj.
    apply is_derive_value with (g j * p t j + p t j * g j); [|ring]. apply (is_derive_prod (fun s => p s j) (fun s => p s j)); apply H; lia.
Qed.

Theorem curve_matrices d m (p : R -> matrices d m) t g : (forall j k, (j < d)%nat -> (k < m)%nat -> is_derive (fun s => p s j k) t (g j k)) -> curve_derives p t g.
Proof.
  intros H. split.
  - intros z. simpl. unfold mdot. apply (is_derive_sum (seq 0 d) (fun j s => sum (seq 0 m) (fun k => p s j k * z j k)) (fun j _ => sum (seq 0 m) (fun k => g j k * z j k))).
    intros j Hj. apply in_seq in Hj. apply (is_derive_sum (seq 0 m) (fun k s => p s j k * z j k) (fun k _ => g j k * z j k)). intros k Hk. apply in_seq in Hk.
    apply is_derive_ext with (fun s => z j k * p s j k); [intros; apply Rmult_comm|]. apply is_derive_value with (z j k * g j k); [|ring]. apply is_derive_scal, H; lia.
  - simpl. unfold mdot. rewrite <- sum_scal.
    apply (is_derive_sum (seq 0 d) (fun j s => sum (seq 0 m) (fun k => p s j k * p s j k)) (fun j _ => 2 * sum (seq 0 m) (fun k => g j k * p t j k))).
    intros j Hj. apply in_seq in Hj. rewrite <- sum_scal. apply (is_derive_sum (seq 0 m) (fun k s => p s j k * p s j k) (fun k _ => 2 * (g j k * p t j k))). intros k Hk. apply in_seq in Hk.
    apply is_derive_value with (g j k * p t j k + p t j k * g j k); [|ring]. apply (is_derive_prod (fun s => p s j k) (fun s => p s j k)); apply H; lia.
Qed.

(** A curve from a time t0 on. *)
Lemma curve_from {E : space} (p : R -> E) t0 t x : curve_derives p (t0 + t) x -> curve_derives (fun s => p (t0 + s)) t x.
Proof.
  assert (Sh : forall (f : R -> R) d, is_derive f (t0 + t) d -> is_derive (fun s => f (t0 + s)) t d).
  { intros f d H. apply is_derive_value with (scal 1 d); [|apply Rmult_1_l]. apply (is_derive_comp f (fun s => t0 + s)); auto.
    auto_derive; [easy|ring]. }
  intros [Dz Dp]. split; [intros z; exact (Sh (fun s => dot (p s) z) _ (Dz z))|exact (Sh (fun s => dot (p s) (p s)) _ Dp)].
Qed.

(** Two curves have the derivative of a product: what is left out is of second order. *)
Lemma small_square (R S : R -> R) t : (forall s, Rabs (R s) <= S s) -> S t = 0 -> is_derive S t 0 -> is_derive R t 0.
Proof.
  intros B S0 D. apply is_derive_Reals in D. apply is_derive_Reals. intros e He. destruct (D e He) as [d Hd]. exists d. intros h Hh Hs. specialize (Hd h Hh Hs).
  assert (R0 : R t = 0) by (assert (X := B t); rewrite S0 in X; apply Rabs_eq_0; assert (Y := Rabs_pos (R t)); lra). rewrite S0 in Hd. rewrite R0. rewrite !Rminus_0_r in *.
  apply Rle_lt_trans with (2 := Hd). unfold Rdiv. rewrite !Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|]. apply Rle_trans with (1 := B (t + h)). apply Rle_abs.
Qed.

Lemma curve_moves {E : space} (p : R -> E) t g : curve_derives p t g -> is_derive (fun s => dot (vsub (p s) (p t)) (vsub (p s) (p t))) t 0.
Proof.
  intros [D1 D2]. assert (Eq : forall s, dot (p s) (p s) - 2 * dot (p s) (p t) + dot (p t) (p t) = dot (vsub (p s) (p t)) (vsub (p s) (p t))).
  { intros s. rewrite dot_sub_l, !dot_sub_r, (dot_sym (p t) (p s)). ring. }
  apply is_derive_ext with (1 := Eq). apply is_derive_value with (2 * dot g (p t) - 2 * dot g (p t) + 0); [|ring].
  apply (is_derive_plus (V := R_NormedModule) (fun s => dot (p s) (p s) - 2 * dot (p s) (p t))); [|apply (is_derive_const (V := R_NormedModule))].
  apply is_derive_diff; [exact D2|apply is_derive_scal, D1].
Qed.

Lemma curve_product {E : space} (p c : R -> E) t g k : curve_derives p t g -> curve_derives c t k -> is_derive (fun s => dot (p s) (c s)) t (dot g (c t) + dot k (p t)).
Proof.
  intros Dp Dc. set (r := fun s => dot (vsub (p s) (p t)) (vsub (c s) (c t))).
  assert (Dr : is_derive r t 0).
  { apply small_square with (fun s => / 2 * (dot (vsub (p s) (p t)) (vsub (p s) (p t)) + dot (vsub (c s) (c t)) (vsub (c s) (c t)))).
    - intros s. unfold r. apply Rle_trans with (1 := cauchy_schwarz_abs _ _). rewrite <- !norm_sqr. set (u := norm (vsub (p s) (p t))). set (v := norm (vsub (c s) (c t))). assert (X := Rle_0_sqr (u - v)). unfold Rsqr in X. lra.
    - rewrite !dot_sub_l, !dot_sub_r. ring.
    - apply is_derive_value with (/ 2 * (0 + 0)); [|ring]. apply is_derive_scal. apply (is_derive_plus (V := R_NormedModule) (fun s => dot (vsub (p s) (p t)) (vsub (p s) (p t)))); [exact (curve_moves p t g Dp)|exact (curve_moves c t k Dc)]. }
  assert (Eq : forall s, r s + dot (p s) (c t) + dot (c s) (p t) - dot (p t) (c t) = dot (p s) (c s)).
  { intros s. unfold r. rewrite dot_sub_l, !dot_sub_r, (dot_sym (c s) (p t)). ring. }
  apply is_derive_ext with (1 := Eq). apply is_derive_value with (0 + dot g (c t) + dot k (p t) - 0); [|ring]. destruct Dp as [D1 _]. destruct Dc as [D2 _].
  apply is_derive_diff; [|apply (is_derive_const (V := R_NormedModule))].
  apply (is_derive_plus (V := R_NormedModule) (fun s => r s + dot (p s) (c t))); [apply (is_derive_plus (V := R_NormedModule) r); [exact Dr|apply D1]|apply D2].
Qed.

(** ** Flow along sums of rows that fall like exp(-y_c) *)
Section Limits.
Context {E : space} {A : Type}.
Variable rows : list A.
Variable a : A -> E.
Variables (w : E) (lam : A -> R).
Variables (p g : R -> E) (q : R -> A -> R) (b B : R).
Variable nonempty : rows <> [].
Variable svm : solves rows a (fun _ => 1) w lam.
Variable flow : forall t, 0 <= t -> curve_derives p t (g t).
Variable sums : forall t, 0 <= t -> same (g t) (vsum rows (fun c => vscal (q t c) (a c))).
Variable b_pos : 0 < b.
Variable weights : forall t c, 0 <= t -> In c rows -> b * exp (- dot (a c) (p t)) <= q t c <= B * exp (- dot (a c) (p t)).

Let W := norm w.
Let h t := dot (p t) (unit w).
Let r t := norm (p t).
Let kappa := B * INR (length rows) * exp (-1) / b.

Lemma flow_w_pos : 0 < W.
Proof. exact (svm_norm_pos rows a w lam nonempty svm). Qed.

(** The lemmas of a step of descent, at one time. *)
Lemma flow_ascent t : 0 <= t -> sum rows (q t) <= W * dot (g t) (unit w).
Proof.
  intros Ht. apply (ascent rows a w lam (fun _ => p t) (fun _ => g t) (fun _ => q t) b B nonempty svm (fun _ => sums t Ht) b_pos (fun _ c Hc => weights t c Ht Hc) 0%nat).
Qed.
Lemma flow_pull t : 0 <= t -> 0 < r t -> dot (g t) (p t) <= (1 + W * kappa / r t) * (r t * dot (g t) (unit w)).
Proof.
  intros Ht Hr.
  exact (pull_direction rows a w lam (fun _ => p t) (fun _ => g t) (fun _ => q t) b B nonempty svm (fun _ => sums t Ht) b_pos (fun _ c Hc => weights t c Ht Hc) 0%nat Hr).
Qed.
Lemma flow_kappa : 0 <= kappa.
Proof. exact (kappa_pos rows a w lam (fun _ => p 0) (fun _ => g 0) (fun _ => q 0) b B nonempty svm (fun _ => sums 0 (Rle_refl 0)) b_pos (fun _ c Hc => weights 0 c (Rle_refl 0) Hc)). Qed.

Lemma h_derive t : 0 <= t -> is_derive h t (dot (g t) (unit w)).
Proof. intros Ht. apply (flow t Ht). Qed.

Lemma h_speed t : 0 <= t -> b / W * exp (- (h t / W)) <= dot (g t) (unit w).
Proof.
  intros Ht. assert (Pw := flow_w_pos). assert (As := flow_ascent t Ht).
  destruct (least rows (fun c => dot (a c) (p t)) nonempty) as (c0 & Hc0 & Hl).
  assert (Hm : W * dot (a c0) (p t) <= h t) by (apply (least_row_le rows a w lam nonempty svm); auto).
  assert (T : q t c0 <= sum rows (q t)).
  { apply sum_term; auto. intros c Hc. destruct (weights t c Ht Hc) as [L _]. assert (X := exp_pos (- dot (a c) (p t))). nra. }
  destruct (weights t c0 Ht Hc0) as [L _].
  assert (Ex : exp (- (h t / W)) <= exp (- dot (a c0) (p t))).
  { apply exp_pos_le. assert (dot (a c0) (p t) <= h t / W); [|lra]. apply Rmult_le_reg_l with W; auto. replace (W * (h t / W)) with (h t) by (field; lra). lra. }
  apply Rmult_le_reg_l with W; auto. replace (W * (b / W * exp (- (h t / W)))) with (b * exp (- (h t / W))) by (field; lra).
  assert (b * exp (- (h t / W)) <= b * exp (- dot (a c0) (p t))) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma h_rises x y : 0 <= x -> x <= y -> h x <= h y.
Proof.
  intros Hx Hy. apply rises with (fun t => dot (g t) (unit w)); auto; intros t Ht.
  - apply h_derive. lra.
  - apply Rle_trans with (2 := h_speed t ltac:(lra)). assert (Pw := flow_w_pos). apply Rmult_le_pos; [apply Rle_mult_inv_pos; lra|left; apply exp_pos].
Qed.

Lemma flow_h_diverges : flow_to_infinity h.
Proof.
  intros M. assert (Pw := flow_w_pos). set (k := b / (W * W)). assert (Hk : 0 < k) by (apply Rdiv_lt_0_compat; nra).
  exists (exp (M / W) / k). split; [apply Rle_mult_inv_pos; auto; left; apply exp_pos|]. intros t Ht.
  assert (T0 : 0 <= t) by (apply Rle_trans with (2 := Ht), Rle_mult_inv_pos; auto; left; apply exp_pos).
  assert (R := rises (fun s => exp (h s / W) - k * s) (fun s => exp (h s / W) * (dot (g s) (unit w) / W) - k) 0 t T0).
  assert (Q : exp (h 0 / W) - k * 0 <= exp (h t / W) - k * t).
  { apply R.
    - intros s Hs. assert (D := h_derive s ltac:(lra)).
      apply is_derive_diff.
      + apply is_derive_value with (scal (dot (g s) (unit w) / W) (exp (h s / W))); [|apply Rmult_comm].
        apply (is_derive_comp exp (fun u => h u / W)); [apply is_derive_exp|].
        apply is_derive_ext with (fun u => / W * h u); [intros; unfold Rdiv; apply Rmult_comm|]. apply is_derive_value with (/ W * dot (g s) (unit w)); [|unfold Rdiv; ring]. now apply is_derive_scal.
      + apply is_derive_value with (k * 1); [|ring]. apply is_derive_scal. apply (is_derive_id (K := R_AbsRing)).
    - intros s Hs. assert (S := h_speed s ltac:(lra)). assert (Pe := exp_pos (h s / W)).
      assert (Z : exp (h s / W) * exp (- (h s / W)) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
      assert (X : exp (h s / W) * (b / W * exp (- (h s / W))) <= exp (h s / W) * dot (g s) (unit w)) by (apply Rmult_le_compat_l; lra).
      replace (exp (h s / W) * (b / W * exp (- (h s / W)))) with (b / W * (exp (h s / W) * exp (- (h s / W)))) in X by ring. rewrite Z in X.
      assert (Y : k * W <= exp (h s / W) * dot (g s) (unit w)) by (apply Rle_trans with (2 := X); right; unfold k; field; lra).
      apply Rmult_le_compat_r with (r := / W) in Y; [|left; now apply Rinv_0_lt_compat]. rewrite Rmult_assoc, Rinv_r, Rmult_1_r in Y by lra. unfold Rdiv. lra. }
  assert (P0 := exp_pos (h 0 / W)).
  assert (Kt : exp (M / W) <= k * t) by (apply Rmult_le_compat_l with (r := k) in Ht; [|lra]; replace (k * (exp (M / W) / k)) with (exp (M / W)) in Ht by (field; lra); lra).
  apply Rnot_lt_le. intros C. assert (exp (h t / W) < exp (M / W)); [|lra]. apply exp_increasing. unfold Rdiv. apply Rmult_lt_compat_r; auto. now apply Rinv_0_lt_compat.
Qed.

Lemma h_below t : h t <= r t.
Proof. exact (unit_bound rows a w lam nonempty svm (p t)). Qed.

Theorem flow_norm_diverges : flow_to_infinity r.
Proof. intros M. destruct (flow_h_diverges M) as (t0 & T0 & H). exists t0. split; auto. intros t Ht. apply Rle_trans with (1 := H t Ht). apply h_below. Qed.

Lemma r_derive t : 0 <= t -> 0 < r t -> is_derive r t (dot (g t) (p t) / r t).
Proof.
  intros Ht Hr. assert (D := proj2 (flow t Ht)). unfold r, norm in *.
  assert (Pp : 0 < dot (p t) (p t)) by (apply sqrt_lt_0_alt; now rewrite sqrt_0).
  apply is_derive_value with (2 * dot (g t) (p t) / (2 * sqrt (dot (p t) (p t)))); [now apply is_derive_sqrt|]. field. lra.
Qed.

Theorem flow_direction_converges : flow_to_zero (fun t => norm (vsub (unit (p t)) (unit w))).
Proof.
  intros e0 He0. assert (Pw := flow_w_pos). assert (Kp := flow_kappa).
  set (e := e0 * e0 / 4). assert (He : 0 < e) by (unfold e; nra).
  destruct (flow_norm_diverges (Rmax 1 (W * kappa / e))) as (t0 & T0 & HK).
  assert (Rk : forall t, t0 <= t -> 1 <= r t /\ W * kappa / r t <= e).
  { intros t Ht. specialize (HK t Ht). assert (M1 := Rmax_l 1 (W * kappa / e)). assert (M2 := Rmax_r 1 (W * kappa / e)). split; [lra|].
    apply Rmult_le_reg_r with (r t); [lra|]. replace (W * kappa / r t * r t) with (W * kappa / e * e) by (field; lra).
    rewrite Rmult_comm. apply Rmult_le_compat_l; lra. }
  assert (Grow : forall t, t0 <= t -> (1 + e) * h t0 - r t0 <= (1 + e) * h t - r t).
  { intros t Ht. apply (rises (fun s => (1 + e) * h s - r s) (fun s => (1 + e) * dot (g s) (unit w) - dot (g s) (p s) / r s)); auto; intros s Hs; destruct (Rk s ltac:(lra)) as [R1 R2].
    - apply is_derive_diff; [apply is_derive_scal, h_derive; lra|apply r_derive; lra].
    - assert (Pl := flow_pull s ltac:(lra) ltac:(lra)). set (G := dot (g s) (unit w)) in *.
      assert (G0 : 0 <= G). { apply Rle_trans with (2 := h_speed s ltac:(lra)). apply Rmult_le_pos; [apply Rle_mult_inv_pos; lra|left; apply exp_pos]. }
      assert (X : dot (g s) (p s) / r s <= (1 + W * kappa / r s) * G).
      { apply Rmult_le_reg_r with (r s); [lra|]. replace (dot (g s) (p s) / r s * r s) with (dot (g s) (p s)) by (field; lra). lra. }
      assert ((1 + W * kappa / r s) * G <= (1 + e) * G) by (apply Rmult_le_compat_r; lra). lra. }
  set (C2 := r t0 - (1 + e) * h t0).
  destruct (flow_h_diverges (Rmax 1 (C2 / e))) as (t1 & T1 & HK2).
  exists (Rmax t0 t1). assert (X0 := Rmax_l t0 t1). assert (X1 := Rmax_r t0 t1). split; [lra|]. intros t Ht. rewrite Rabs_pos_eq by apply norm_pos.
  specialize (Grow t ltac:(lra)). specialize (HK2 t ltac:(lra)). assert (M1 := Rmax_l 1 (C2 / e)). assert (M2 := Rmax_r 1 (C2 / e)).
  assert (HR := h_below t). set (H := h t) in *. set (R0 := r t) in *.
  assert (HH : C2 <= e * H). { replace C2 with (e * (C2 / e)) by (field; lra). apply Rmult_le_compat_l; lra. }
  assert (RH : R0 <= (1 + 2 * e) * H) by (unfold C2 in *; lra).
  apply unit_close; [auto|auto|change (0 < H <= R0); lra|exact RH].
Qed.

(** The rows diverge with the norm, as their products with w/|w| are at least 1/|w|. *)
Lemma flow_rows_diverge : forall M, exists t0, 0 <= t0 /\ forall t, t0 <= t -> forall c, In c rows -> M <= dot (a c) (p t).
Proof.
  intros M. assert (Pw := flow_w_pos). set (S := sum rows (fun c => norm (a c)) + 1).
  assert (S0 : 1 <= S) by (unfold S; assert (0 <= sum rows (fun c => norm (a c))) by (apply sum_nonneg; intros; apply norm_pos); lra).
  destruct (flow_direction_converges (/ (2 * W * S)) ltac:(apply Rinv_0_lt_compat; nra)) as (t0 & T0 & H0).
  destruct (flow_norm_diverges (Rmax 1 (2 * W * M))) as (t1 & T1 & H1).
  exists (Rmax t0 t1). assert (X0 := Rmax_l t0 t1). assert (X1 := Rmax_r t0 t1). split; [lra|]. intros t Ht c Hc.
  specialize (H0 t ltac:(lra)). rewrite Rabs_pos_eq in H0 by apply norm_pos. specialize (H1 t ltac:(lra)).
  assert (M1 := Rmax_l 1 (2 * W * M)). assert (M2 := Rmax_r 1 (2 * W * M)).
  assert (Sc : norm (a c) <= S) by (unfold S; assert (X := sum_term rows (fun c => norm (a c)) c Hc (fun e _ => norm_pos (a e))); lra).
  assert (F : 1 <= dot (a c) w) by (destruct svm as (_ & _ & F & _); now apply F).
  assert (Cs := cauchy_schwarz (a c) (vsub (unit w) (unit (p t)))). rewrite dot_sub_r in Cs.
  assert (Sy : norm (vsub (unit w) (unit (p t))) = norm (vsub (unit (p t)) (unit w))).
  { apply Rsqr_inj; try apply norm_pos. unfold Rsqr. rewrite !norm_sub_sqr, (dot_sym (unit w) (unit (p t))). ring. }
  rewrite Sy in Cs. set (n0 := norm (vsub (unit (p t)) (unit w))) in *. assert (N0 : 0 <= n0) by apply norm_pos.
  assert (Cb : norm (a c) * n0 <= / (2 * W)).
  { apply Rle_trans with (S * / (2 * W * S)); [apply Rmult_le_compat; auto using norm_pos|]. right. field. lra. }
  assert (Uw : / W <= dot (a c) (unit w)) by (unfold unit; rewrite dot_scal_r; fold W; rewrite <- (Rmult_1_r (/ W)) at 1; apply Rmult_le_compat_l; auto; left; now apply Rinv_0_lt_compat).
  assert (Up : / (2 * W) <= dot (a c) (unit (p t))). { replace (/ (2 * W)) with (/ W - / (2 * W)) by (field; lra). lra. }
  unfold unit in Up. rewrite dot_scal_r in Up. fold (r t) in Up.
  assert (Y : r t * / (2 * W) <= dot (a c) (p t)).
  { apply Rmult_le_compat_l with (r := r t) in Up; [|lra]. rewrite <- (Rmult_assoc (r t) (/ r t)), Rinv_r, Rmult_1_l in Up by lra. exact Up. }
  apply Rle_trans with (2 := Y). apply Rmult_le_reg_r with (2 * W); [lra|]. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
End Limits.
