(** `joint-envelope` (docs/certificate.md 4.26): theorem J of docs/theory.md 7.5, with its second pass.  l is logistic, f_i = v.(sum_t s_it z_it) with z_it = Y_i x_it, n L(v, p) = sum_i log(1 + exp(-f_i)).
    Under B (`all`): margin(s(p)) <= Gamma - nu (1 - s_ialpha) for every p and i, and clauses 3 to 7, for all r >= r0, R >= R0 every minimiser (v, p) over |v| <= r, |p| <= R has
    1 - s_ialpha <= (theta + c/r)/nu and |v/r - u|^2, |v/|v| - u|^2 <= 2 (theta' + c'/r)/Gamma, u the direction of v(alpha): `attention_near`, `head_first`, `head_second`. *)
From Coq Require Import Reals List Lra Lia Psatz Arith Bool.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Rank Limits Flow AssumptionB Envelope EnvelopeRate.
Import ListNotations.
Open Scope R_scope.

(** Where v is long along u, v/r and v/|v| are near u. *)
Lemma head_close {H : space} (u v : H) r Ga b : dot u u = 1 -> 0 < Ga -> 0 < r -> norm v <= r -> r * (Ga - b) <= Ga * dot u v ->
  norm (vsub (vscal (/ r) v) u) * norm (vsub (vscal (/ r) v) u) <= 2 * b / Ga /\ (b < Ga -> norm (vsub (unit v) u) * norm (vsub (unit v) u) <= 2 * b / Ga).
Proof.
  intros U1 Hg Hr Hv Hd. assert (Nv := norm_pos v). assert (Ri : 0 < / r) by now apply Rinv_0_lt_compat.
  assert (Cu : r * (1 - b / Ga) <= dot v u) by (rewrite dot_sym; apply Rmult_le_reg_l with Ga; auto; replace (Ga * (r * (1 - b / Ga))) with (r * (Ga - b)) by (field; lra); auto).
  replace (2 * b / Ga) with (2 - 2 * (1 - b / Ga)) by (field; lra). set (k := 1 - b / Ga) in *. split.
  - rewrite norm_sub_sqr, !dot_scal_l, dot_scal_r, U1, <- norm_sqr. assert (norm v * norm v <= r * r) by (apply Rmult_le_compat; lra).
    assert (A1 : / r * (/ r * (norm v * norm v)) <= 1) by (apply Rle_trans with (/ r * (/ r * (r * r))); [apply Rmult_le_compat_l; [lra|]; apply Rmult_le_compat_l; lra|right; field; lra]).
    assert (A2 : k <= / r * dot v u) by (apply Rmult_le_reg_l with r; auto; rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l; lra). lra.
  - intros Hb. assert (Kp : 0 < k) by (unfold k; apply Rmult_lt_reg_r with Ga; auto; replace ((1 - b / Ga) * Ga) with (Ga - b) by (field; lra); lra).
    assert (Cs := cauchy_schwarz v u). assert (Nu : norm u = 1) by (unfold norm; rewrite U1; apply sqrt_1). rewrite Nu, Rmult_1_r in Cs. assert (Vu : 0 < dot v u) by nra. assert (Vp : 0 < norm v) by lra.
    unfold unit. rewrite norm_sub_sqr, !dot_scal_l, dot_scal_r, U1, <- norm_sqr. replace (/ norm v * (/ norm v * (norm v * norm v))) with 1 by (field; lra).
    assert (k <= / norm v * dot v u); [|lra]. apply Rmult_le_reg_l with (norm v); auto. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. assert (k * norm v <= k * r) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma ln_1_pos x : 0 <= x -> 0 <= ln (1 + x) <= x.
Proof. intros Hx. split; [rewrite <- ln_1; destruct (Req_dec x 0) as [->|]; [rewrite Rplus_0_r; lra|left; apply ln_increasing; lra]|]. assert (L := ln_below (1 + x) ltac:(lra)). lra. Qed.
(** log(1 + y) >= y (1 - eta/2) for 0 <= y <= eta. *)
Lemma ln_1_low y eta : 0 <= y <= eta -> (1 - eta / 2) * y <= ln (1 + y).
Proof.
  intros Hy. assert (X : ln (1 + 0) - (0 - 0 * 0 / 2) <= ln (1 + y) - (y - y * y / 2)).
  { apply (rises (fun s => ln (1 + s) - (s - s * s / 2)) (fun s => s * s / (1 + s))); [lra| |]; intros s Hs; [auto_derive; [lra|field; lra]|]. apply Rle_mult_inv_pos; [apply Rle_0_sqr|lra]. }
  rewrite Rplus_0_r, ln_1 in X. nra.
Qed.

Section Joint.
Context {E H : space}.
Variable P : problem E.
Variables loss_p slope_p : R -> R.
Variables lo_p hi_p : R.
Variable z : nat -> nat -> H.
Variable al : nat -> nat.
Notation n := (samples P).
Notation rows := (rows P al).
Notation a := (row P al).
Notation others_of i := (others (tokens P i) (al i)).
Notation S := (seq 0 n).
(** Of P only its tokens and keys are used: any loss makes it regular. *)
Variable Reg : regular P loss_p slope_p lo_p hi_p.
Variable sel : selection P al.
Variable some_row : rows <> [].
Variables (w : E) (lam : nat * nat -> R).
Variable svm : solves rows a one w lam.
Notation Th := (Th w).
Notation what := (what w).
Notation th := (th P al w).
Notation s p := (attention P p).
Notation mix p i := (mixed (tokens P) z (s p) i).
Definition f (v : H) p i := dot v (mix p i).
Definition nL v p := sum S (fun i => ln (1 + exp (- f v p i))).

(** The head v(alpha): its direction u, label margin Gamma, weights (clause 2). *)
Variables (u : H) (Ga nu : R) (lb : nat -> R).
Variable u_unit : dot u u = 1.
Variable Ga_pos : 0 < Ga.
Variable nu_pos : 0 < nu.
Notation gb i t := (dot u (z i t)).
Variable gb_al : forall i, (i < n)%nat -> Ga <= gb i (al i).
Variable lb_ok : (forall i, (i < n)%nat -> 0 <= lb i) /\ sum S lb = 1.
Variable lb_u : same (vsum S (fun i => vscal (lb i) (z i (al i)))) (vscal Ga u).
Variable B_all : forall p i, (i < n)%nat -> margin_le n (tokens P) z (s p) (Ga - nu * (1 - s p i (al i))).

(** Clause 4. *)
Variables (r0 R0 theta c : R) (Bi Ei di : nat -> R).
Variable r0_pos : 0 < r0.
Variable R0_pos : 0 < R0.
Variable theta_nonneg : 0 <= theta.
Variable c_nonneg : 0 <= c.
Variable Ei_ok : forall i, (i < n)%nat -> sum (others_of i) (fun t => exp (- (R0 * Th * th (i, t)))) <= Ei i.
Variable Bi_ok : forall i t, (i < n)%nat -> (t < tokens P i)%nat -> 0 <= Bi i /\ gb i (al i) - gb i t <= Bi i.
Variable di_ok : forall i t, (i < n)%nat -> (t < tokens P i)%nat -> norm (vsub (z i t) (z i (al i))) <= di i.
Definition gi i := gb i (al i) - Bi i * Ei i.
Variable theta_ok : forall i, (i < n)%nat -> Ga - gi i <= theta.
Variable theta_small : theta < Ga.
Variable c_ok : ln (sum S (fun i => exp (- (r0 * (gi i - Ga + theta))))) + sum S (fun i => ln (1 + exp (- (r0 * gi i)))) <= c.
Variable c_small : c < r0 * (Ga - theta).

(** Of clauses 5 and 6. *)
Variables (Xb tp cp ep : R) (om : H).
Variables (r R : R) (v : H) (p : E).
Variable r_large : r0 <= r.
Variable R_large : R0 <= R.
Variable minimal : norm v <= r /\ norm p <= R /\ forall v' p', norm v' <= r -> norm p' <= R -> nL v p <= nL v' p'.
Definition beta := theta + c / r.

Lemma n_pos : (0 < n)%nat.
Proof. exact (rows_samples P al some_row). Qed.
Lemma r_pos : 0 < r.
Proof. lra. Qed.
Lemma share_sum q i : (i < n)%nat -> sum (others_of i) (s q i) = 1 - s q i (al i).
Proof. exact (attention_others P loss_p slope_p lo_p hi_p al q i Reg sel). Qed.
Lemma share_range q i t : (i < n)%nat -> (t < tokens P i)%nat -> 0 < s q i t <= 1.
Proof. intros Hi Ht. exact (attention_le_1 P loss_p slope_p lo_p hi_p q i t Reg Hi Ht). Qed.

(** f_i relative to the selected token. *)
Lemma f_form y q i : (i < n)%nat -> f y q i = dot y (z i (al i)) - sum (others_of i) (fun t => s q i t * (dot y (z i (al i)) - dot y (z i t))).
Proof.
  intros Hi. unfold f, mixed. rewrite dot_vsum_r, (sum_ext _ _ (fun t => s q i t * dot y (z i t))) by (intros; apply dot_scal_r). rewrite (sum_others (tokens P i) (al i)) by now apply sel.
  rewrite (sum_ext _ (fun t => s q i t * (dot y (z i (al i)) - dot y (z i t))) (fun t => s q i t * dot y (z i (al i)) - s q i t * dot y (z i t))) by (intros; ring).
  rewrite sum_minus, sum_scal_r, (share_sum q i Hi). ring.
Qed.

(** The competitor's attention: 1 - s_alpha <= E_i on the ray of w. *)
Definition ray := vscal R what.
Lemma ray_norm : norm ray <= R.
Proof. unfold ray. rewrite norm_scal, Rabs_pos_eq by lra. assert (W := what_unit P al some_row w lam svm). unfold norm. rewrite W, sqrt_1. lra. Qed.
Lemma ray_attention i : (i < n)%nat -> 0 <= 1 - s ray i (al i) <= Ei i.
Proof.
  intros Hi. assert (A1 := share_range ray i (al i) Hi (sel i Hi)). split; [lra|]. apply Rle_trans with (2 := Ei_ok i Hi). rewrite <- (share_sum ray i Hi). apply sum_le. intros t Ht.
  rewrite (attention_ratio P al ray i t). assert (Pe := exp_pos (- dot (a (i, t)) ray)). apply Rle_trans with (exp (- dot (a (i, t)) ray)); [nra|]. apply exp_pos_le.
  unfold ray. rewrite dot_scal_r, (what_dot w). change (dot (a (i, t)) w) with (th (i, t)). apply in_others in Ht. assert (T := th_ge P al w lam svm (i, t) ltac:(apply in_rows; tauto)). assert (Tp := Th_pos P al some_row w lam svm).
  assert (0 <= (R - R0) * (Th * th (i, t))) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]). lra.
Qed.
Lemma Bi_nonneg i : (i < n)%nat -> 0 <= Bi i.
Proof. intros Hi. apply (Bi_ok i (al i) Hi (sel i Hi)). Qed.

(** f_i of a competitor k u + om with k >= 0. *)
Lemma rival_f k (y : H) i : (i < n)%nat -> 0 <= k -> k * (gb i (al i) - Bi i * Ei i) + dot y (z i (al i)) - Ei i * (norm y * di i) <= f (vadd (vscal k u) y) ray i.
Proof.
  intros Hi Hk. assert (Ra := ray_attention i Hi). assert (B0 := Bi_nonneg i Hi). assert (No := norm_pos y).
  assert (D0 : 0 <= di i) by (apply Rle_trans with (2 := di_ok i (al i) Hi (sel i Hi)), norm_pos).
  rewrite (f_form _ ray i Hi). assert (Q : sum (others_of i) (fun t => s ray i t * (dot (vadd (vscal k u) y) (z i (al i)) - dot (vadd (vscal k u) y) (z i t))) <= (1 - s ray i (al i)) * (k * Bi i + norm y * di i)).
  { rewrite <- (share_sum ray i Hi), <- sum_scal_r. apply sum_le. intros t Ht. apply in_others in Ht. assert (Sr := share_range ray i t Hi (proj1 Ht)). apply Rmult_le_compat_l; [lra|]. rewrite !dot_add_l, !dot_scal_l.
    destruct (Bi_ok i t Hi (proj1 Ht)) as [_ B1]. assert (Cs := cauchy_schwarz y (vsub (z i (al i)) (z i t))). rewrite dot_sub_r in Cs. assert (Dt := di_ok i t Hi (proj1 Ht)).
    assert (Sy : norm (vsub (z i (al i)) (z i t)) = norm (vsub (z i t) (z i (al i)))) by (apply Rsqr_inj; try apply norm_pos; unfold Rsqr; rewrite !norm_sub_sqr, (dot_sym (z i (al i)) (z i t)); ring). rewrite Sy in Cs.
    assert (norm y * norm (vsub (z i t) (z i (al i))) <= norm y * di i) by (apply Rmult_le_compat_l; auto). assert (k * (gb i (al i) - gb i t) <= k * Bi i) by (apply Rmult_le_compat_l; auto). lra. }
  assert (Kb : 0 <= k * Bi i + norm y * di i) by (apply Rplus_le_le_0_compat; apply Rmult_le_pos; auto). assert (Y := Rmult_le_compat_r _ _ _ Kb (proj2 Ra)). set (Sm := sum (others_of i) _) in *. rewrite dot_add_l, dot_scal_l. lra.
Qed.

(** First pass: f_i >= r (Gamma - theta) - c. *)
Lemma f_low i : (i < n)%nat -> r * (Ga - theta) - c <= f v p i.
Proof.
  intros Hi. assert (Rp := r_pos). destruct minimal as (Nv & Np & Mn).
  assert (Nu : norm u = 1) by (unfold norm; rewrite u_unit; apply sqrt_1).
  set (Sr := sum S (fun k => ln (1 + exp (- (r * gi k))))). set (X := sum S (fun k => exp (- (r * gi k)))).
  assert (Comp : nL v p <= Sr).
  { apply Rle_trans with (nL (vadd (vscal r u) vzero) ray).
    - apply Mn; [|apply ray_norm]. assert (Sm : same (vadd (vscal r u) vzero) (vscal r u)) by (intros y; rewrite dot_add_l, dot_zero_l; ring). rewrite (same_norm _ _ Sm), norm_scal, Rabs_pos_eq, Nu by lra. lra.
    - apply sum_le. intros k Hk. apply in_seq in Hk. assert (Rf := rival_f r vzero k ltac:(lia) ltac:(lra)). rewrite dot_zero_l, norm_zero in Rf. fold (gi k) in Rf. assert (Ex : exp (- f (vadd (vscal r u) vzero) ray k) <= exp (- (r * gi k))) by (apply exp_pos_le; lra).
      assert (Pe := exp_pos (- f (vadd (vscal r u) vzero) ray k)). destruct Ex as [Ex|Ex]; [left; apply ln_increasing; lra|right; now rewrite Ex]. }
  assert (One : ln (1 + exp (- f v p i)) <= Sr).
  { apply Rle_trans with (2 := Comp). apply (sum_term S (fun k => ln (1 + exp (- f v p k)))); [apply in_seq; lia|]. intros k _. assert (Pe := exp_pos (- f v p k)). apply ln_1_pos. lra. }
  assert (Sx : Sr <= X) by (apply sum_le; intros k _; assert (Pe := exp_pos (- (r * gi k))); apply ln_1_pos; lra).
  assert (Pf := exp_pos (- f v p i)). assert (Ps := exp_pos Sr).
  assert (Up : exp (- f v p i) <= X * exp Sr).
  { assert (Y : 1 + exp (- f v p i) <= exp Sr) by (rewrite <- (exp_ln (1 + exp (- f v p i))) by lra; now apply exp_pos_le). assert (T := exp_tangent (- Sr)). assert (Z : exp (- Sr) * exp Sr = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0). nra. }
  (* times exp (r (Gamma - theta)) nothing grows with r *)
  set (X0 := sum S (fun k => exp (- (r0 * (gi k - Ga + theta))))). set (S0 := sum S (fun k => ln (1 + exp (- (r0 * gi k))))) in *.
  assert (Gk : forall k, (k < n)%nat -> 0 <= gi k - Ga + theta /\ 0 < gi k) by (intros k Hk; assert (T := theta_ok k Hk); lra).
  assert (Xe : exp (r * (Ga - theta)) * X <= X0).
  { unfold X, X0. rewrite <- sum_scal. apply sum_le. intros k Hk. apply in_seq in Hk. destruct (Gk k ltac:(lia)) as [G1 _]. rewrite <- exp_plus. apply exp_pos_le. assert (r0 * (gi k - Ga + theta) <= r * (gi k - Ga + theta)) by (apply Rmult_le_compat_r; lra). lra. }
  assert (Se : Sr <= S0).
  { apply sum_le. intros k Hk. apply in_seq in Hk. destruct (Gk k ltac:(lia)) as [_ G2]. assert (Ex : exp (- (r * gi k)) <= exp (- (r0 * gi k))) by (apply exp_pos_le; assert (r0 * gi k <= r * gi k) by (apply Rmult_le_compat_r; lra); lra).
    assert (Pe := exp_pos (- (r * gi k))). destruct Ex as [Ex|Ex]; [left; apply ln_increasing; lra|right; now rewrite Ex]. }
  assert (X0p : 0 < X0) by (apply sum_pos with i; [apply in_seq; lia|apply exp_pos|intros; left; apply exp_pos]).
  assert (Fin : exp (r * (Ga - theta) - f v p i) <= exp c).
  { apply Rle_trans with (X0 * exp S0).
    - replace (r * (Ga - theta) - f v p i) with (r * (Ga - theta) + - f v p i) by ring. rewrite exp_plus. assert (Pr := exp_pos (r * (Ga - theta))). assert (Es : exp Sr <= exp S0) by now apply exp_pos_le.
      apply Rle_trans with (exp (r * (Ga - theta)) * (X * exp Sr)); [apply Rmult_le_compat_l; lra|]. rewrite <- Rmult_assoc.
      assert (Xn : 0 <= X) by (apply sum_nonneg; intros; left; apply exp_pos). apply Rmult_le_compat; try lra. apply Rmult_le_pos; lra.
    - rewrite <- (exp_ln X0) by auto. rewrite <- exp_plus. now apply exp_pos_le. }
  apply Rnot_lt_le. intros C. assert (exp c < exp (r * (Ga - theta) - f v p i)) by (apply exp_increasing; lra). lra.
Qed.

Lemma low_pos : 0 < r * (Ga - theta) - c.
Proof. assert (r0 * (Ga - theta) <= r * (Ga - theta)) by (apply Rmult_le_compat_r; lra). lra. Qed.

(** Attention. *)
Theorem attention_near i : (i < n)%nat -> 1 - s p i (al i) <= beta / nu.
Proof.
  intros Hi. assert (Rp := r_pos). assert (Lp := low_pos). assert (Nv := norm_pos v). destruct minimal as (Nr & _).
  assert (Vp : 0 < norm v).
  { destruct (Req_dec (norm v) 0) as [Z|]; [|lra]. exfalso. assert (F := f_low i Hi). unfold f in F. rewrite (norm_zero_dot v _ Z) in F. lra. }
  assert (U1 : norm (unit v) <= 1) by (unfold unit; rewrite norm_scal, Rabs_pos_eq by (left; now apply Rinv_0_lt_compat); rewrite Rinv_l; lra).
  destruct (B_all p i Hi (unit v) U1) as (k & Hk & Bk). unfold unit in Bk. rewrite dot_scal_l in Bk. fold (f v p k) in Bk. assert (F := f_low k Hk). set (m := Ga - nu * (1 - s p i (al i))) in *.
  assert (Fk : f v p k <= norm v * m) by (apply Rmult_le_reg_l with (/ norm v); [now apply Rinv_0_lt_compat|]; replace (/ norm v * (norm v * m)) with m by (field; lra); exact Bk).
  assert (Mp : 0 < m) by nra. assert (norm v * m <= r * m) by (apply Rmult_le_compat_r; lra).
  apply Rmult_le_reg_r with nu; auto. replace (beta / nu * nu) with beta by (field; lra). unfold beta. apply Rmult_le_reg_l with r; auto. replace (r * (theta + c / r)) with (r * theta + c) by (field; lra). unfold m in *. lra.
Qed.

(** Clause 5: the head by the first pass. *)
Variable Xb_ok : sum S (fun i => lb i * di i) <= Xb.
Lemma along_u : Ga * dot u v = sum S (fun i => lb i * (f v p i + sum (others_of i) (fun t => s p i t * (dot v (z i (al i)) - dot v (z i t))))).
Proof.
  assert (L := lb_u v). rewrite dot_vsum_l, dot_scal_l in L. rewrite <- L. apply sum_ext. intros i Hi. apply in_seq in Hi. rewrite dot_scal_l, (f_form v p i ltac:(lia)), (dot_sym (z i (al i)) v). ring.
Qed.
Lemma first_along : r * (Ga - beta * (1 + Xb / nu)) <= Ga * dot u v.
Proof.
  assert (Rp := r_pos). destruct minimal as (Nr & _). destruct lb_ok as [L0 L1]. assert (Nv := norm_pos v).
  assert (B0 : 0 <= beta) by (unfold beta; assert (0 <= c / r) by (apply Rle_mult_inv_pos; lra); lra).
  assert (Row : forall i, In i S -> lb i * (r * (Ga - beta)) - lb i * di i * (r * (beta / nu)) <= lb i * (f v p i + sum (others_of i) (fun t => s p i t * (dot v (z i (al i)) - dot v (z i t))))).
  { intros i Hi. apply in_seq in Hi. assert (Hi' : (i < n)%nat) by lia. assert (F := f_low i Hi'). assert (A := attention_near i Hi'). assert (Sr := share_range p i (al i) Hi' (sel i Hi')).
    assert (D0 : 0 <= di i) by (apply Rle_trans with (2 := di_ok i (al i) Hi' (sel i Hi')), norm_pos).
    assert (Q : - (r * (beta / nu) * di i) <= sum (others_of i) (fun t => s p i t * (dot v (z i (al i)) - dot v (z i t)))).
    { apply Rle_trans with (sum (others_of i) (fun t => s p i t * - (r * di i))).
      - rewrite sum_scal_r, (share_sum p i Hi'). assert ((1 - s p i (al i)) * (r * di i) <= beta / nu * (r * di i)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|auto]). lra.
      - apply sum_le. intros t Ht. apply in_others in Ht. assert (St := share_range p i t Hi' (proj1 Ht)). apply Rmult_le_compat_l; [lra|].
        assert (Cs := cauchy_schwarz v (vsub (z i t) (z i (al i)))). rewrite dot_sub_r in Cs. assert (Dt := di_ok i t Hi' (proj1 Ht)). assert (norm v * norm (vsub (z i t) (z i (al i))) <= r * di i) by (apply Rmult_le_compat; auto using norm_pos). lra. }
    assert (Rb : r * (Ga - beta) = r * (Ga - theta) - c) by (unfold beta; field; lra). replace (lb i * (r * (Ga - beta)) - lb i * di i * (r * (beta / nu))) with (lb i * (r * (Ga - beta) - r * (beta / nu) * di i)) by ring. apply Rmult_le_compat_l; auto. lra. }
  apply sum_le in Row. rewrite <- along_u, sum_minus, !sum_scal_r, L1 in Row. apply Rle_trans with (2 := Row).
  assert (K : 0 <= r * (beta / nu)) by (apply Rmult_le_pos; [lra|apply Rle_mult_inv_pos; lra]). assert (Y := Rmult_le_compat_r _ _ _ K Xb_ok).
  replace (r * (Ga - beta * (1 + Xb / nu))) with (r * (Ga - beta) - Xb * (r * (beta / nu))) by (field; lra). lra.
Qed.

Theorem head_first : theta * (1 + Xb / nu) <= tp -> c * (1 + Xb / nu) <= cp -> 0 <= cp -> tp + cp / r0 < Ga ->
  norm (vsub (vscal (/ r) v) u) * norm (vsub (vscal (/ r) v) u) <= 2 * (tp + cp / r) / Ga /\ norm (vsub (unit v) u) * norm (vsub (unit v) u) <= 2 * (tp + cp / r) / Ga.
Proof.
  intros Ht Hc C0 Small. assert (Rp := r_pos). assert (A := first_along). destruct minimal as (Nr & _).
  assert (Le : beta * (1 + Xb / nu) <= tp + cp / r).
  { unfold beta. assert (Y := Rmult_le_compat_r (/ r) _ _ (Rlt_le _ _ (Rinv_0_lt_compat _ Rp)) Hc). unfold Rdiv in *. lra. }
  assert (Al : r * (Ga - (tp + cp / r)) <= Ga * dot u v) by (apply Rle_trans with (2 := A); apply Rmult_le_compat_l; lra).
  destruct (head_close u v r Ga (tp + cp / r) u_unit Ga_pos Rp Nr Al) as [C1 C2]. split; auto. apply C2.
  assert (cp / r <= cp / r0) by (unfold Rdiv; apply Rmult_le_compat_l; auto; apply Rinv_le_contravar; lra). lra.
Qed.

(** Clause 6: the second pass. *)
Variable ep_ok : 0 <= ep /\ 2 * ((theta + c / r0) * (1 + Xb / nu)) / Ga <= ep * ep.
Variable Xb_nonneg : 0 <= Xb.
Variable ordered : forall i t, (i < n)%nat -> 0 < lb i -> (t < tokens P i)%nat -> ep * norm (vsub (z i t) (z i (al i))) <= gb i (al i) - gb i t.
Variable om_across : dot om u = 0.
Variable om_short : om2 om < r0 * r0.
Notation rho := (rho om).
Definition eta := exp (c - r0 * (Ga - theta)).
Variable tp_ok : forall i, (i < n)%nat -> Bi i * Ei i <= tp.
Definition expo i := (r0 - rho r0) * gb i (al i) - r0 * (gb i (al i) - Ga) - dot om (z i (al i)) + Ei i * (norm om * di i).
Notation heavy := (filter (fun i => if Rlt_dec 0 (lb i) then true else false) S).
Variable cp_ok : ln (sum S (fun i => exp (expo i))) + sum heavy (fun i => lb i * ln (lb i)) - ln (1 - eta / 2) <= cp.

Lemma in_heavy i : In i heavy <-> (i < n)%nat /\ 0 < lb i.
Proof. rewrite filter_In, in_seq. destruct (Rlt_dec 0 (lb i)); intuition (try lia; congruence). Qed.
Lemma heavy_sum g : sum heavy (fun i => lb i * g i) = sum S (fun i => lb i * g i).
Proof.
  rewrite sum_filter. apply sum_ext. intros i Hi. apply in_seq in Hi. destruct (Rlt_dec 0 (lb i)) as [|N]; auto. destruct lb_ok as [L0 _]. specialize (L0 i ltac:(lia)). replace (lb i) with 0 by lra. ring.
Qed.
Lemma heavy_one : sum heavy lb = 1.
Proof. destruct lb_ok as [_ <-]. rewrite (sum_ext heavy lb (fun i => lb i * 1)), (sum_ext S lb (fun i => lb i * 1)) by (intros; ring). apply heavy_sum. Qed.

Lemma second_along : sum S (fun i => lb i * f v p i) <= Ga * dot u v.
Proof.
  rewrite along_u, <- (heavy_sum (fun i => f v p i)), <- (heavy_sum (fun i => f v p i + sum (others_of i) (fun t => s p i t * (dot v (z i (al i)) - dot v (z i t))))). apply sum_le. intros i Hi. apply in_heavy in Hi. destruct Hi as [Hi Li].
  apply Rmult_le_compat_l; [lra|]. assert (Q : 0 <= sum (others_of i) (fun t => s p i t * (dot v (z i (al i)) - dot v (z i t)))); [|lra]. apply sum_nonneg. intros t Ht. apply in_others in Ht. assert (Sr := share_range p i t Hi (proj1 Ht)). apply Rmult_le_pos; [lra|].
  assert (Rp := r_pos). destruct minimal as (Nr & _). destruct ep_ok as [E0 E1]. destruct (head_close u v r Ga _ u_unit Ga_pos Rp Nr first_along) as [C1 _].
  assert (Be : beta <= theta + c / r0) by (unfold beta; assert (c / r <= c / r0) by (unfold Rdiv; apply Rmult_le_compat_l; auto; apply Rinv_le_contravar; lra); lra).
  assert (Xn : 0 <= 1 + Xb / nu) by (assert (0 <= Xb / nu) by (apply Rle_mult_inv_pos; lra); lra).
  assert (Ne : norm (vsub (vscal (/ r) v) u) <= ep).
  { apply le_of_sq; auto. apply Rle_trans with (1 := C1). apply Rle_trans with (2 := E1). unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; auto. }
  assert (Od := ordered i t Hi Li (proj1 Ht)). assert (Cs := cauchy_schwarz (vsub (vscal (/ r) v) u) (vsub (z i t) (z i (al i)))). rewrite dot_sub_l, !dot_sub_r, !dot_scal_l in Cs.
  assert (norm (vsub (vscal (/ r) v) u) * norm (vsub (z i t) (z i (al i))) <= ep * norm (vsub (z i t) (z i (al i)))) by (apply Rmult_le_compat_r; auto using norm_pos).
  assert (Y : 0 <= / r * (dot v (z i (al i)) - dot v (z i t))) by lra. apply Rmult_le_reg_l with (/ r); [now apply Rinv_0_lt_compat|]. lra.
Qed.

Lemma eta_range : 0 < eta < 1.
Proof. unfold eta. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing. lra. Qed.

Lemma second_sum : r * (Ga - (tp + cp / r)) <= sum S (fun i => lb i * f v p i).
Proof.
  assert (Rp := r_pos). destruct minimal as (Nr & Np & Mn). assert (Et := eta_range). assert (Om : om2 om < r * r) by nra.
  destruct (rho_facts om r0 r0_pos om_short) as [Rh0 _]. destruct (rho_facts om r Rp Om) as [Rh Sq].
  set (Se := sum S (fun i => exp (- f v p i))).
  (* from below *)
  assert (Low : (1 - eta / 2) * Se <= nL v p).
  { unfold Se. rewrite <- sum_scal. apply sum_le. intros i Hi. apply in_seq in Hi. apply ln_1_low. split; [left; apply exp_pos|]. unfold eta. apply exp_pos_le. assert (F := f_low i ltac:(lia)). assert (r0 * (Ga - theta) <= r * (Ga - theta)) by (apply Rmult_le_compat_r; lra). lra. }
  assert (Jen : exp (- sum heavy (fun i => lb i * ln (lb i)) - sum S (fun i => lb i * f v p i)) <= Se).
  { assert (J := jensen_weighted heavy lb (fun _ => 1) (f v p) (fun i Hi => proj2 (proj1 (in_heavy i) Hi)) (fun _ _ => Rlt_0_1) heavy_one).
    rewrite (heavy_sum (f v p)) in J. rewrite (sum_ext heavy (fun i => lb i * ln (1 / lb i)) (fun i => - (lb i * ln (lb i)))), sum_opp in J.
    - apply Rle_trans with (1 := J). rewrite (sum_ext heavy _ (fun i => exp (- f v p i))) by (intros; ring). unfold Se. rewrite sum_filter. apply sum_le. intros i _. assert (Pe := exp_pos (- f v p i)). destruct (Rlt_dec 0 (lb i)); lra.
    - intros i Hi. apply in_heavy in Hi. unfold Rdiv. rewrite Rmult_1_l, ln_Rinv by apply Hi. ring. }
  (* from above *)
  set (X := sum S (fun i => exp (expo i))).
  assert (Up : nL v p <= exp (- (r * Ga) + r * tp) * X).
  { set (x := vadd (vscal (rho r) u) om).
    assert (Nx : norm x <= r).
    { unfold x. apply le_of_sq; [lra|]. rewrite norm_sqr, !dot_add_l, !dot_add_r, !dot_scal_l, !dot_scal_r, u_unit, (dot_sym u om), om_across. fold (om2 om). lra. }
    apply Rle_trans with (1 := Mn x ray Nx ray_norm). unfold nL, X. rewrite <- sum_scal. apply sum_le. intros i Hi. apply in_seq in Hi. assert (Hi' : (i < n)%nat) by lia. assert (Pe := exp_pos (- f x ray i)).
    apply Rle_trans with (exp (- f x ray i)); [apply ln_1_pos; lra|]. rewrite <- exp_plus. apply exp_pos_le. assert (Rf := rival_f (rho r) om i Hi' ltac:(lra)). fold x in Rf.
    assert (Tp := tp_ok i Hi'). assert (Gi := gb_al i Hi'). assert (Ra := ray_attention i Hi'). assert (B0 := Bi_nonneg i Hi').
    assert (D := drop_decreases om r r0 r0_pos r_large om_short).
    assert (A1 : rho r * (Bi i * Ei i) <= r * tp) by (apply Rmult_le_compat; try lra; apply Rmult_le_pos; lra).
    assert (A2 : (r - r0) * Ga <= (rho r - rho r0) * gb i (al i)) by (apply Rmult_le_compat; lra). unfold expo. lra. }
  (* together *)
  assert (Xp : 0 < X) by (apply sum_pos_all; [destruct n as [|k] eqn:En; [assert (Z := n_pos); lia|easy]|intros; apply exp_pos]).
  set (ent := sum heavy (fun i => lb i * ln (lb i))) in *. set (Sf := sum S (fun i => lb i * f v p i)) in *.
  assert (All : (1 - eta / 2) * exp (- ent - Sf) <= exp (- (r * Ga) + r * tp) * X) by (apply Rle_trans with ((1 - eta / 2) * Se); [apply Rmult_le_compat_l; lra|lra]).
  assert (Ln : ln (1 - eta / 2) + (- ent - Sf) <= - (r * Ga) + r * tp + ln X).
  { rewrite <- (ln_exp (- ent - Sf)), <- (ln_exp (- (r * Ga) + r * tp)), <- !ln_mult by (try lra; apply exp_pos). destruct All as [All|All]; [left; apply ln_increasing; auto; apply Rmult_lt_0_compat; [lra|apply exp_pos]|right; now rewrite All]. }
  fold X ent in cp_ok. replace (r * (Ga - (tp + cp / r))) with (r * Ga - r * tp - cp) by (field; lra). lra.
Qed.

Theorem head_second : 0 <= cp -> tp + cp / r0 < Ga ->
  norm (vsub (vscal (/ r) v) u) * norm (vsub (vscal (/ r) v) u) <= 2 * (tp + cp / r) / Ga /\ norm (vsub (unit v) u) * norm (vsub (unit v) u) <= 2 * (tp + cp / r) / Ga.
Proof.
  intros C0 Small. assert (Rp := r_pos). destruct minimal as (Nr & _). assert (A := Rle_trans _ _ _ second_sum second_along).
  destruct (head_close u v r Ga (tp + cp / r) u_unit Ga_pos Rp Nr A) as [C1 C2]. split; auto. apply C2.
  assert (cp / r <= cp / r0) by (unfold Rdiv; apply Rmult_le_compat_l; auto; apply Rinv_le_contravar; lra). lra.
Qed.
End Joint.
