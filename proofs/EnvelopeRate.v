(** `path-envelope` with `rate` (docs/certificate.md 4.24, clauses 10 to 12): theorem Q of docs/theory.md 7.2.
    Besides the hypotheses of theorem P (Envelope.v) let l' be M0-Lipschitz, theta_c > 1 off the listed rows S, b_i = -l'(gamma_ialpha), and let omega have the products
    o_c = log(b_i Delta_c/lambda^_c) - log psi with the listed rows, log psi = sum_S lambda^_c log(b_i Delta_c/lambda^_c).  Then omega.w = 0, and for every R >= R0 every minimiser p of L over |p| <= R
    has |p - R w^|^2 <= 2RD/Theta <= Q^2, so |p/R - w^| <= Q/R: theorem P is used at R itself, with h = h0 exp(-(R - R0) Theta).
    `omega_of_gram`: a solution zeta of the Gram matrix of the listed rows gives such an omega, its square and its products with all rows. *)
From Coq Require Import Reals List Lra Lia Psatz Arith Bool.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Rank Limits Envelope.
Import ListNotations.
Open Scope R_scope.

Lemma ln_below x : 0 < x -> ln x <= x - 1.
Proof. intros Hx. assert (T := exp_tangent (ln x)). rewrite exp_ln in T by auto. lra. Qed.
(** -log(1 - x) <= 2x for x <= 1/2. *)
Lemma ln_half x : 0 <= x <= / 2 -> - (2 * x) <= ln (1 - x).
Proof.
  intros Hx. assert (P : 0 < 1 - x) by lra. assert (L := ln_below (/ (1 - x)) ltac:(now apply Rinv_0_lt_compat)). rewrite ln_Rinv in L by auto.
  assert (/ (1 - x) - 1 <= 2 * x); [|lra]. apply Rmult_le_reg_r with (1 - x); auto. replace ((/ (1 - x) - 1) * (1 - x)) with x by (field; lra). nra.
Qed.
(** y exp(-k (y - x)) does not grow from y = x on where k x >= 1. *)
Lemma fades_from k x y : 0 < x -> x <= y -> 1 <= k * x -> y * exp (- (k * (y - x))) <= x.
Proof.
  intros Hx Hy Hk. assert (T := exp_tangent (k * (y - x))). rewrite exp_Ropp. assert (Pe := exp_pos (k * (y - x))).
  apply Rmult_le_reg_r with (exp (k * (y - x))); auto. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rle_trans with (x * (1 + k * (y - x))); [nra|]. apply Rmult_le_compat_l; lra.
Qed.

Section Rate.
Context {E : space}.
Variable P : problem E.
Variables loss slope : R -> R.
Variables lo hi M1 mu M0 : R.
Variable al : nat -> nat.
Notation n := (samples P).
Notation rows := (rows P al).
Notation a := (row P al).
Notation De := (gap P al).
Variable Reg : regular P loss slope lo hi.
Variable mu_pos : 0 < mu.
Variable slopes : forall x, lo <= x <= hi -> - M1 <= slope x <= - mu.
Variable lipschitz : forall x y, lo <= x <= hi -> lo <= y <= hi -> Rabs (slope x - slope y) <= M0 * Rabs (x - y).
Variable sel : selection P al.
Variable best : unique_optimal P al.
Variable some_row : rows <> [].
Variables (w : E) (lam : nat * nat -> R).
Variable svm : solves rows a one w lam.
Notation Th := (Th w).
Notation what := (what w).
Notation th := (th P al w).
Notation lh := (lh w lam).
Notation listed := (listed P al lam).

(** Clause 10. *)
Definition bi i := - slope (score P i (al i)).
Definition ll (c : nat * nat) := ln (bi (fst c) * De c / lh c).
Definition log_psi := sum listed (fun c => lh c * ll c).
(** omega from the Gram matrix of the listed rows: |omega|^2 and its products with every row. *)
Lemma omega_of_gram (zeta : nat * nat -> R) : let om := vsum listed (fun e => vscal (zeta e) (a e)) in
  (forall c, In c listed -> sum listed (fun e => zeta e * dot (a e) (a c)) = ll c - log_psi) ->
  (forall c, In c listed -> dot (a c) om = ll c - log_psi) /\ dot om om = sum listed (fun c => (ll c - log_psi) * zeta c) /\ forall e, dot (a e) om = sum listed (fun c => dot (a e) (a c) * zeta c).
Proof.
  intros om Hg. assert (Pr : forall y, dot om y = sum listed (fun e => zeta e * dot (a e) y)) by (intros y; unfold om; rewrite dot_vsum_l; apply sum_ext; intros; apply dot_scal_l).
  assert (On : forall c, In c listed -> dot (a c) om = ll c - log_psi) by (intros c Hc; now rewrite dot_sym, Pr, Hg). split; [exact On|]. split.
  - rewrite Pr. apply sum_ext. intros c Hc. rewrite (On c Hc). ring.
  - intros e. rewrite dot_sym, Pr. apply sum_ext. intros c _. rewrite (dot_sym (a c) (a e)). ring.
Qed.
Variable omega : E.
Variable omega_rows : forall c, In c listed -> dot (a c) omega = ll c - log_psi.
Variable off_listed : forall c, In c rows -> lam c = 0 -> 1 < th c.
Notation om2 := (om2 omega).
Notation rho := (rho omega).
Notation ec := (ec P al w omega).

(** Clause 11. *)
Variables (R0 bm Dm : R).
Variable R0_pos : 0 < R0.
Variable omega_short : om2 < R0 * R0.
Variable R0_long : 1 <= R0 * Th.
Definition h0 := M1 / mu * (exp (- (R0 * Th)) * sum rows (fun c => De c * ec R0 c)).
Variable h0_small : forall c, In c rows -> h0 < De c.
Variable bm_ok : 0 < bm /\ forall c, In c rows -> bm <= bi (fst c).
Variable Dm_ok : 0 < Dm /\ forall c, In c listed -> Dm <= De c.
Variable M0_pos : 0 <= M0.
Variable M0_small : M0 * h0 <= / 2 * bm.
Variable Dm_small : h0 <= / 2 * Dm.
(** Clause 12. *)
Variables (sig : nat * nat -> R) (Q : R).
Definition xc c := Th * (th c - 1).
Variable sig_ok : forall c, In c rows -> lam c = 0 -> (1 <= rho R0 * xc c /\ rho R0 * exp (- (rho R0 * xc c)) <= sig c) \/ exp (-1) / xc c <= sig c.
Notation off := (filter (fun c => if Req_EM_T (lam c) 0 then true else false) rows).
Definition leak c := bi (fst c) * De c / exp log_psi * exp (- dot (a c) omega).
Variable Q_pos : 0 <= Q.
Variable Q_large : 2 * om2 * R0 / (R0 + rho R0) + 2 / Th * (R0 * h0 * (3 * M0 / bm + 2 / Dm) + sum off (fun c => leak c * (R0 / rho R0) * sig c)) <= Q * Q.

Lemma Th_up : 0 < Th.
Proof. exact (Th_pos P al some_row w lam svm). Qed.
Lemma gaps c : In c rows -> 0 < De c.
Proof. exact (gap_pos P al best c). Qed.
Lemma bi_pos c : In c rows -> 0 < bi (fst c).
Proof. intros Hc. destruct bm_ok as [B1 B2]. specialize (B2 c Hc). lra. Qed.
Lemma in_off c : In c off <-> In c rows /\ lam c = 0.
Proof. rewrite filter_In. destruct (Req_EM_T (lam c) 0); intuition congruence. Qed.
Lemma M1_mu : 0 < M1 / mu.
Proof. assert (X := M1_pos P loss slope lo hi M1 mu al Reg slopes sel some_row). apply Rdiv_lt_0_compat; lra. Qed.
Lemma h0_pos : 0 < h0.
Proof.
  apply Rmult_lt_0_compat; [apply M1_mu|]. apply Rmult_lt_0_compat; [apply exp_pos|]. apply sum_pos_all; auto. intros c Hc. apply Rmult_lt_0_compat; [now apply gaps|apply exp_pos].
Qed.

(** omega.w = 0. *)
Lemma omega_across : dot omega w = 0.
Proof.
  assert (Np := N_pos P al some_row w lam svm). rewrite dot_sym. destruct svm as (Hw & _). rewrite Hw, combination_dot.
  assert (X : sum rows (fun c => lh c * dot (a c) omega) = 0).
  { rewrite <- (sum_listed P al w lam), (sum_ext _ _ (fun c => lh c * ll c - lh c * log_psi)) by (intros c Hc; rewrite omega_rows by auto; ring).
    rewrite sum_minus, sum_scal_r, (lh_sum_listed P al some_row w lam svm). fold log_psi. ring. }
  rewrite (sum_ext _ _ (fun c => N w * (lh c * dot (a c) omega))) by (intros; unfold Envelope.lh; field; lra). rewrite sum_scal, X. ring.
Qed.

Section AtR.
Variables (R : R) (p : E).
Variable R_large : R0 <= R.
Variable minimal : is_minimiser P loss R p.
Definition fall := exp (- ((R - R0) * Th)).
Definition hR := h0 * fall.
Definition tau := M0 * hR / bm.
Definition muR i := Rmax mu (bi i - M0 * hR).
Definition MR i := bi i + M0 * hR.

Lemma fall_range : 0 < fall <= 1.
Proof. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_pos_le. assert (T := Th_up). assert (0 <= (R - R0) * Th) by (apply Rmult_le_pos; lra). lra. Qed.
Lemma hR_range : 0 < hR <= h0.
Proof. assert (F := fall_range). assert (H := h0_pos). unfold hR. split; [apply Rmult_lt_0_compat; lra|]. rewrite <- (Rmult_1_r h0) at 2. apply Rmult_le_compat_l; lra. Qed.
Lemma tau_range : 0 <= tau <= / 2.
Proof.
  assert (H := hR_range). destruct bm_ok as [B1 _]. unfold tau. split; [apply Rle_mult_inv_pos; auto; apply Rmult_le_pos; lra|].
  apply Rmult_le_reg_r with bm; auto. replace (M0 * hR / bm * bm) with (M0 * hR) by (field; lra). assert (M0 * hR <= M0 * h0) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma om_R : om2 < R * R.
Proof. nra. Qed.

Lemma reach_R : M1 * exp (- (R * Th)) * sum rows (fun c => De c * ec R c) <= mu * hR.
Proof.
  assert (F : exp (- (R * Th)) = exp (- (R0 * Th)) * fall) by (unfold fall; rewrite <- exp_plus; f_equal; ring).
  assert (S : sum rows (fun c => De c * ec R c) <= sum rows (fun c => De c * ec R0 c)).
  { apply sum_le. intros c Hc. apply Rmult_le_compat_l; [left; now apply gaps|]. exact (ec_decreases P al some_row w lam svm omega R R0 c Hc R0_pos R_large omega_short). }
  assert (M := M1_pos P loss slope lo hi M1 mu al Reg slopes sel some_row). assert (Fr := fall_range). assert (Pe := exp_pos (- (R0 * Th))).
  replace (mu * hR) with (M1 * exp (- (R * Th)) * sum rows (fun c => De c * ec R0 c)) by (unfold hR, h0; rewrite F; field; lra).
  apply Rmult_le_compat_l; auto. rewrite F. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra.
Qed.

Lemma near_R i : (i < n)%nat -> 0 < muR i /\ forall u, score P i (al i) - hR <= u <= score P i (al i) -> lo <= u -> muR i <= - slope u <= MR i.
Proof.
  intros Hi. assert (S := score_in P loss slope lo hi Reg i (al i) Hi (sel i Hi)). assert (H := hR_range).
  split; [apply Rlt_le_trans with (2 := Rmax_l _ _); auto|]. intros u Hu Hl.
  assert (L := lipschitz u (score P i (al i)) ltac:(lra) S). rewrite (Rabs_left1 (u - _)) in L by lra. apply Rabs_le_between in L.
  assert (M0 * - (u - score P i (al i)) <= M0 * hR) by (apply Rmult_le_compat_l; lra). assert (Sl := slopes u ltac:(lra)).
  unfold muR, MR, bi. split; [apply Rmax_lub; lra|lra].
Qed.

(** D of theorem P at R. *)
Notation VR := (V P al w omega R MR).
Notation kR := (ka P al hR muR).
Notation DR := (D P al w lam omega R hR muR MR).
Definition Y := sum off (fun c => leak c * exp (- (rho R * xc c))).

Lemma off_pos c : In c off -> 0 < leak c /\ 0 < xc c.
Proof.
  intros Hc. apply in_off in Hc. destruct Hc as [Hc L0]. assert (G := gaps c Hc). assert (B := bi_pos c Hc). assert (T := off_listed c Hc L0). assert (Tp := Th_up). split.
  - unfold leak. apply Rmult_lt_0_compat; [|apply exp_pos]. apply Rdiv_lt_0_compat; [now apply Rmult_lt_0_compat|apply exp_pos].
  - apply Rmult_lt_0_compat; lra.
Qed.
Lemma Y_pos : 0 <= Y.
Proof. apply sum_nonneg. intros c Hc. destruct (off_pos c Hc). apply Rmult_le_pos; [lra|left; apply exp_pos]. Qed.

Lemma V_bound : VR <= (1 + tau) * (exp log_psi * (exp (Th * (R - rho R)) * (1 + Y))).
Proof.
  assert (T := tau_range). assert (Tp := Th_up). assert (Ps := exp_pos log_psi). set (e := exp (Th * (R - rho R))).
  assert (Row : forall c, In c rows -> MR (fst c) * De c * ec R c <= (1 + tau) * (bi (fst c) * De c * ec R c)).
  { intros c Hc. assert (B := bi_pos c Hc). destruct bm_ok as [B1 B2]. specialize (B2 c Hc). assert (G := gaps c Hc). assert (Pe : 0 < ec R c) by apply exp_pos.
    assert (X : MR (fst c) <= (1 + tau) * bi (fst c)).
    { unfold MR. assert (M0 * hR = tau * bm) by (unfold tau; field; lra). assert (tau * bm <= tau * bi (fst c)) by (apply Rmult_le_compat_l; lra). lra. }
    replace ((1 + tau) * (bi (fst c) * De c * ec R c)) with ((1 + tau) * bi (fst c) * (De c * ec R c)) by ring. rewrite Rmult_assoc. apply Rmult_le_compat_r; auto. left. now apply Rmult_lt_0_compat. }
  assert (On : sum listed (fun c => bi (fst c) * De c * ec R c) = exp log_psi * e).
  { rewrite (sum_ext _ _ (fun c => exp log_psi * e * lh c)); [rewrite sum_scal, (lh_sum_listed P al some_row w lam svm); ring|].
    intros c Hc. assert (Lp := listed_pos P al some_row w lam svm c Hc). assert (Hc' := Hc). apply (in_listed P al lam) in Hc'. destruct Hc' as [Hr Nz]. assert (B := bi_pos c Hr). assert (G := gaps c Hr).
    assert (T1 : th c = 1) by (apply svm; auto). unfold Envelope.ec. rewrite T1, (omega_rows c Hc).
    replace (- (ll c - log_psi) + Th * 1 * (R - rho R) - R * Th * (1 - 1)) with (- ll c + (log_psi + Th * (R - rho R))) by ring.
    rewrite !exp_plus, exp_Ropp. unfold ll at 1. rewrite exp_ln by (apply Rdiv_lt_0_compat; auto; now apply Rmult_lt_0_compat). fold e. field. repeat split; lra. }
  assert (Of : sum off (fun c => bi (fst c) * De c * ec R c) = exp log_psi * (e * Y)).
  { unfold Y. rewrite <- !sum_scal. apply sum_ext. intros c Hc. unfold leak, Envelope.ec, xc.
    replace (- dot (a c) omega + Th * th c * (R - rho R) - R * Th * (th c - 1)) with (Th * (R - rho R) + (- dot (a c) omega + - (rho R * (Th * (th c - 1))))) by ring.
    rewrite !exp_plus. fold e. field. lra. }
  unfold V. apply Rle_trans with (1 := sum_le _ _ _ Row). rewrite sum_scal. apply Rmult_le_compat_l; [lra|]. right.
  rewrite (sum_partition rows (fun c => if Req_EM_T (lam c) 0 then false else true)). fold listed. rewrite On.
  replace (filter _ rows) with off; [rewrite Of; ring|]. apply filter_ext. intros c. now destruct (Req_EM_T (lam c) 0).
Qed.

Lemma V_positive : 0 < VR.
Proof.
  apply sum_pos_all; auto. intros c Hc. assert (B := bi_pos c Hc). assert (G := gaps c Hc). assert (H := hR_range). apply Rmult_lt_0_compat; [|apply exp_pos]. apply Rmult_lt_0_compat; auto.
  unfold MR. assert (0 <= M0 * hR) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma H_bound : log_psi + ln (1 - tau) + ln (1 - hR / Dm) <= H P al w lam kR.
Proof.
  assert (T := tau_range). assert (Hr := hR_range). destruct Dm_ok as [D1 D2]. destruct bm_ok as [B1 B2].
  assert (Hd : 0 <= hR / Dm <= / 2) by (split; [apply Rle_mult_inv_pos; lra|apply Rmult_le_reg_r with Dm; auto; replace (hR / Dm * Dm) with hR by (field; lra); lra]).
  assert (S1 := lh_sum_listed P al some_row w lam svm).
  replace (log_psi + ln (1 - tau) + ln (1 - hR / Dm)) with (sum listed (fun c => lh c * (ll c + (ln (1 - tau) + ln (1 - hR / Dm))))).
  - unfold H. apply sum_le. intros c Hc. assert (Lp := listed_pos P al some_row w lam svm c Hc). apply Rmult_le_compat_l; [lra|].
    assert (Hc' := Hc). apply (in_listed P al lam) in Hc'. destruct Hc' as [Hw Nz]. assert (G := gaps c Hw). assert (B := bi_pos c Hw). specialize (B2 c Hw). specialize (D2 c Hc).
    unfold ll. rewrite <- !ln_mult; try lra; [|apply Rdiv_lt_0_compat; auto; now apply Rmult_lt_0_compat|apply Rmult_lt_0_compat; lra].
    assert (X : bi (fst c) * De c / lh c * ((1 - tau) * (1 - hR / Dm)) <= kR c / lh c).
    { unfold ka. replace (bi (fst c) * De c / lh c * ((1 - tau) * (1 - hR / Dm))) with (bi (fst c) * (1 - tau) * (De c * (1 - hR / Dm)) / lh c) by (field; lra).
      unfold Rdiv at 1 3. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
      assert (M : bi (fst c) * (1 - tau) <= muR (fst c)).
      { apply Rle_trans with (2 := Rmax_r _ _). assert (M0 * hR = tau * bm) by (unfold tau; field; lra). assert (tau * bm <= tau * bi (fst c)) by (apply Rmult_le_compat_l; lra). lra. }
      assert (Dh : De c * (1 - hR / Dm) <= De c - hR).
      { assert (hR / Dm * Dm <= hR / Dm * De c) by (apply Rmult_le_compat_l; lra). replace (hR / Dm * Dm) with hR in H by (field; lra). lra. }
      apply Rmult_le_compat; auto; apply Rmult_le_pos; lra. }
    destruct X as [X|X]; [left; apply ln_increasing; auto|right; now rewrite X]. apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; auto; now apply Rmult_lt_0_compat|apply Rmult_lt_0_compat; lra].
  - rewrite (sum_ext _ _ (fun c => lh c * ll c + lh c * (ln (1 - tau) + ln (1 - hR / Dm)))) by (intros; ring). rewrite sum_plus, sum_scal_r, S1. fold log_psi. ring.
Qed.

Lemma D_bound : DR <= Th * (R - rho R) + Y + 3 * tau + 2 * (hR / Dm).
Proof.
  assert (T := tau_range). assert (Hr := hR_range). destruct Dm_ok as [D1 _]. assert (Yp := Y_pos).
  assert (Hd : 0 <= hR / Dm <= / 2) by (split; [apply Rle_mult_inv_pos; lra|apply Rmult_le_reg_r with Dm; auto; replace (hR / Dm * Dm) with hR by (field; lra); lra]).
  assert (L1 := ln_half tau T). assert (L2 := ln_half (hR / Dm) Hd). assert (L3 := ln_below (1 + tau) ltac:(lra)). assert (L4 := ln_below (1 + Y) ltac:(lra)).
  assert (Hb := H_bound). assert (Vb := V_bound). assert (Vp := V_positive).
  assert (Lv : ln VR <= ln (1 + tau) + (log_psi + (Th * (R - rho R) + ln (1 + Y)))).
  { apply Rle_trans with (ln ((1 + tau) * (exp log_psi * (exp (Th * (R - rho R)) * (1 + Y))))).
    - destruct Vb as [X|X]; [left; now apply ln_increasing|right; now rewrite X].
    - assert (E1 := exp_pos log_psi). assert (E2 := exp_pos (Th * (R - rho R))). rewrite !ln_mult, !ln_exp; try lra; repeat apply Rmult_lt_0_compat; lra. }
  unfold D. lra.
Qed.

(** What grows with R at most as at R0. *)
Lemma rho_R : 0 < rho R0 /\ rho R0 <= rho R /\ R * rho R0 <= R0 * rho R.
Proof.
  destruct (rho_facts omega R0 R0_pos omega_short) as [A1 A2]. destruct (rho_facts omega R ltac:(lra) om_R) as [B1 B2]. assert (O := om2_pos omega).
  split; [lra|]. split; [apply le_of_sq; nra|]. apply le_of_sq; [apply Rmult_le_pos; lra|].
  replace (R * rho R0 * (R * rho R0)) with (R * R * (rho R0 * rho R0)) by ring. replace (R0 * rho R * (R0 * rho R)) with (R0 * R0 * (rho R * rho R)) by ring. rewrite A2, B2. assert (0 <= om2 * (R * R - R0 * R0)) by (apply Rmult_le_pos; [auto|nra]). lra.
Qed.

Lemma drop_R : R * (R - rho R) <= om2 * R0 / (R0 + rho R0).
Proof.
  destruct rho_R as (P0 & P1 & P2). destruct (rho_facts omega R ltac:(lra) om_R) as [B1 B2]. assert (O := om2_pos omega).
  assert (X : (R - rho R) * (R + rho R) = om2) by lra.
  apply Rmult_le_reg_r with (R0 + rho R0); [lra|]. replace (om2 * R0 / (R0 + rho R0) * (R0 + rho R0)) with (om2 * R0) by (field; lra). rewrite <- X.
  replace (R * (R - rho R) * (R0 + rho R0)) with ((R - rho R) * (R * R0 + R * rho R0)) by ring. replace ((R - rho R) * (R + rho R) * R0) with ((R - rho R) * (R * R0 + R0 * rho R)) by ring.
  apply Rmult_le_compat_l; lra.
Qed.

Lemma h_R : R * hR <= R0 * h0.
Proof.
  assert (F := fades_from Th R0 R R0_pos R_large ltac:(lra)). assert (H := h0_pos). unfold hR, fall. replace ((R - R0) * Th) with (Th * (R - R0)) by ring. nra.
Qed.

Lemma Y_R : R * Y <= sum off (fun c => leak c * (R0 / rho R0) * sig c).
Proof.
  destruct rho_R as (P0 & P1 & P2). unfold Y. rewrite <- sum_scal. apply sum_le. intros c Hc. destruct (off_pos c Hc) as [Lp Xp]. apply in_off in Hc. destruct Hc as [Hc L0].
  assert (S : rho R * exp (- (rho R * xc c)) <= sig c).
  { destruct (sig_ok c Hc L0) as [[S1 S2]|S2]; apply Rle_trans with (2 := S2).
    - assert (F := fades_from (xc c) (rho R0) (rho R) P0 P1 ltac:(lra)). assert (Pe := exp_pos (- (rho R0 * xc c))).
      replace (- (rho R * xc c)) with (- (xc c * (rho R - rho R0)) + - (rho R0 * xc c)) by ring. rewrite exp_plus, <- Rmult_assoc. apply Rmult_le_compat_r; lra.
    - assert (Z := z_exp_minus_z (rho R * xc c)). apply Rmult_le_reg_r with (xc c); auto. replace (exp (-1) / xc c * xc c) with (exp (-1)) by (field; lra). lra. }
  assert (Rr : R <= R0 / rho R0 * rho R) by (apply Rmult_le_reg_r with (rho R0); auto; replace (R0 / rho R0 * rho R * rho R0) with (R0 * rho R) by (field; lra); lra).
  assert (Pe := exp_pos (- (rho R * xc c))). assert (0 < R0 / rho R0) by (apply Rdiv_lt_0_compat; lra).
  replace (R * (leak c * exp (- (rho R * xc c)))) with (leak c * (R * exp (- (rho R * xc c)))) by ring. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
  apply Rle_trans with (R0 / rho R0 * (rho R * exp (- (rho R * xc c)))); [rewrite <- Rmult_assoc; apply Rmult_le_compat_r; lra|apply Rmult_le_compat_l; lra].
Qed.

(** The statement of the rule. *)
Theorem envelope_rate : norm (vsub (vscal (/ R) p) what) <= Q / R.
Proof.
  assert (Tp := Th_up). assert (Rp : 0 < R) by lra. destruct bm_ok as [B1 _]. destruct Dm_ok as [D1 _]. assert (Hr := hR_range).
  assert (Dist := envelope_distance P loss slope lo hi M1 mu al Reg mu_pos slopes sel best some_row w lam svm omega omega_across R hR muR MR Rp om_R (proj1 Hr)
    (fun c Hc => Rle_lt_trans _ _ _ (proj2 Hr) (h0_small c Hc)) reach_R near_R R (Rle_refl R) p minimal).
  assert (Sq : norm (vsub p (vscal R what)) * norm (vsub p (vscal R what)) <= Q * Q).
  { apply Rle_trans with (1 := Dist). apply Rle_trans with (2 := Q_large).
    assert (Db := D_bound). assert (X1 := drop_R). assert (X2 := h_R). assert (X3 := Y_R).
    assert (K : 0 <= 3 * M0 / bm + 2 / Dm) by (apply Rplus_le_le_0_compat; apply Rle_mult_inv_pos; lra).
    assert (X4 : R * (3 * tau + 2 * (hR / Dm)) <= R0 * h0 * (3 * M0 / bm + 2 / Dm)).
    { replace (R * (3 * tau + 2 * (hR / Dm))) with (R * hR * (3 * M0 / bm + 2 / Dm)) by (unfold tau; field; lra). now apply Rmult_le_compat_r. }
    set (S := sum off (fun c => leak c * (R0 / rho R0) * sig c)) in *. set (A := R0 * h0 * (3 * M0 / bm + 2 / Dm)) in *. set (B := om2 * R0 / (R0 + rho R0)) in *.
    replace (2 * om2 * R0 / (R0 + rho R0)) with (2 * B) by (unfold B, Rdiv; ring).
    apply Rmult_le_reg_r with Th; auto. replace (2 * R * (DR / Th) * Th) with (2 * (R * DR)) by (field; lra). replace ((2 * B + 2 / Th * (A + S)) * Th) with (2 * (Th * B + (A + S))) by (field; lra).
    apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (R * (Th * (R - rho R) + Y + 3 * tau + 2 * (hR / Dm))); [apply Rmult_le_compat_l; lra|].
    assert (X5 := Rmult_le_compat_l _ _ _ (Rlt_le _ _ Tp) X1). lra. }
  assert (Nq : norm (vsub p (vscal R what)) <= Q) by (apply le_of_sq; auto).
  assert (Sm : same (vsub (vscal (/ R) p) what) (vscal (/ R) (vsub p (vscal R what)))).
  { intros z. rewrite dot_scal_l, !dot_sub_l, !dot_scal_l. field. lra. }
  assert (Ri : 0 < / R) by now apply Rinv_0_lt_compat. rewrite (same_norm _ _ Sm), norm_scal, Rabs_pos_eq by lra. unfold Rdiv. rewrite Rmult_comm. apply Rmult_le_compat_r; lra.
Qed.
End AtR.
End Rate.
