(** Nonlinear heads (docs/certificate.md 4.29; docs/theory.md 8.2).
    - `head-bounds`: cells on which the slope of psi, or psi by its values, is bounded show c_lo r <= psi(r) <= c_hi r up to their end (`head_cells`), psi(r) = Y (phi(u_alpha) - phi(u_alpha + g r));
      with all other tokens on one side of u_alpha that bounds G_i = Y phi(u_alpha) - Y phi(u) by sum_t c |u_t - u_alpha| s_t (`head_gap`).
    - `head-envelope`: theorem P with Lambda_c and nu_c in the place of Delta_c (`head_envelope`): for every R >= R0 every minimiser p of L over |p| <= R has |p/R - w^|^2 <= K/R and |p/|p| - w^|^2 <= K/R. *)
From Coq Require Import Reals List Lra Lia Psatz Arith Bool.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Rank Limits Flow Envelope.
Import ListNotations.
Open Scope R_scope.

(** ** Bounds of a head *)
Section Cells.
Variables (psi psi' : R -> R) (c_lo c_hi : R).
(** A cell [a, b] by the slope, or by values. *)
Definition cell a b := (forall r, a <= r <= b -> c_lo <= psi' r <= c_hi) \/ (forall r, a <= r <= b -> c_lo * b <= psi r <= c_hi * a).
Fixpoint cells a (ends : list R) := match ends with [] => True | b :: l => a < b /\ cell a b /\ cells b l end.
Fixpoint end_of a (ends : list R) := match ends with [] => a | b :: l => end_of b l end.
Notation holds r := (c_lo * r <= psi r <= c_hi * r).

Lemma end_after ends a : cells a ends -> a <= end_of a ends.
Proof. revert a. induction ends as [|b l IH]; simpl; intros a H; [lra|]. destruct H as (H1 & _ & H2). specialize (IH b H2). lra. Qed.

Theorem head_cells ends a : 0 <= c_lo <= c_hi -> 0 <= a -> cells a ends -> (forall r, a <= r <= end_of a ends -> is_derive psi r (psi' r)) -> holds a -> forall r, a <= r <= end_of a ends -> holds r.
Proof.
  intros C0. revert a. induction ends as [|b l IH]; simpl; intros a A0 Hc Dp Ha r Hr; [replace r with a by lra; auto|]. destruct Hc as (Ab & Hab & Hl). assert (Eb := end_after l b Hl).
  assert (On : forall s, a <= s <= b -> holds s).
  { intros s Hs. destruct Hab as [Sl|Va].
    - assert (X : psi a - c_lo * a <= psi s - c_lo * s).
      { apply (rises (fun s => psi s - c_lo * s) (fun s => psi' s - c_lo * 1)); [lra| |]; intros y Hy; [|specialize (Sl y ltac:(lra)); lra].
        apply is_derive_diff; [apply Dp; lra|apply is_derive_scal, (is_derive_id (K := R_AbsRing))]. }
      assert (Y : c_hi * a - psi a <= c_hi * s - psi s).
      { apply (rises (fun s => c_hi * s - psi s) (fun s => c_hi * 1 - psi' s)); [lra| |]; intros y Hy; [|specialize (Sl y ltac:(lra)); lra].
        apply is_derive_diff; [apply is_derive_scal, (is_derive_id (K := R_AbsRing))|apply Dp; lra]. }
      lra.
    - specialize (Va s Hs). assert (c_lo * s <= c_lo * b) by (apply Rmult_le_compat_l; lra). assert (c_hi * a <= c_hi * s) by (apply Rmult_le_compat_l; lra). lra. }
  destruct (Rle_or_lt r b) as [Lr|Gr]; [apply On; lra|]. apply (IH b); auto; [lra|intros y Hy; apply Dp; lra|apply On; lra|lra].
Qed.
End Cells.

(** With the other tokens on one side, |u - u_alpha| is the sum of the s_t |u_t - u_alpha|. *)
Section Gap.
Context {E : space}.
Variable P : problem E.
Variables loss slope : R -> R.
Variables lo hi : R.
Variable al : nat -> nat.
Notation n := (samples P).
Notation others_of i := (others (tokens P i) (al i)).
Variable Reg : regular P loss slope lo hi.
Variable sel : selection P al.
(** `score` holds u_it = v.x_it here. *)
Variables (sg : nat -> R) (far : nat -> R).
Definition dist i t := sg i * (score P i t - score P i (al i)).
Variable sides : forall i t, (i < n)%nat -> In t (others_of i) -> 0 < dist i t <= far i.
Variables (psi : nat -> R -> R) (c_lo c_hi : nat -> R) (part : R).
Variable bounds : forall i r, (i < n)%nat -> 0 <= r <= part * far i -> c_lo i * r <= psi i r <= c_hi i * r.
Variable far_nonneg : forall i, (i < n)%nat -> 0 <= far i.

Lemma far_sum p i : (i < n)%nat -> sg i * (output P p i - score P i (al i)) = sum (others_of i) (fun t => attention P p i t * dist i t).
Proof.
  intros Hi. assert (D := deficit_form P loss slope lo hi al p i Reg sel Hi). unfold deficit in D. replace (sg i * (output P p i - score P i (al i))) with (- sg i * (score P i (al i) - output P p i)) by ring. rewrite D, <- sum_scal.
  apply sum_ext. intros t _. unfold dist, gap. simpl. ring.
Qed.

(** 1 - s_alpha <= part is enough for the bounds on the part of the stretch next to the selected token. *)
Theorem head_gap p i : (i < n)%nat -> 1 - attention P p i (al i) <= part ->
  sum (others_of i) (fun t => c_lo i * dist i t * attention P p i t) <= psi i (sg i * (output P p i - score P i (al i))) <= sum (others_of i) (fun t => c_hi i * dist i t * attention P p i t).
Proof.
  intros Hi Hp. assert (F := far_sum p i Hi). set (r := sg i * (output P p i - score P i (al i))) in *. 
  assert (S1 := attention_others P loss slope lo hi al p i Reg sel Hi).
  assert (At : forall t, In t (others_of i) -> 0 < attention P p i t) by (intros t Ht; apply in_others in Ht; apply (attention_le_1 P loss slope lo hi p i t Reg Hi); tauto).
  assert (Rr : 0 <= r <= part * far i).
  { rewrite F. split; [apply sum_nonneg; intros t Ht; destruct (sides i t Hi Ht); specialize (At t Ht); apply Rmult_le_pos; lra|].
    apply Rle_trans with ((1 - attention P p i (al i)) * far i); [rewrite <- S1, <- sum_scal_r; apply sum_le; intros t Ht; destruct (sides i t Hi Ht); specialize (At t Ht); apply Rmult_le_compat_l; lra|apply Rmult_le_compat_r; auto]. }
  assert (B := bounds i r Hi Rr). rewrite (sum_ext _ (fun t => c_lo i * dist i t * attention P p i t) (fun t => c_lo i * (attention P p i t * dist i t))), (sum_ext _ (fun t => c_hi i * dist i t * attention P p i t) (fun t => c_hi i * (attention P p i t * dist i t))) by (intros; ring).
  rewrite !sum_scal, <- F. exact B.
Qed.
End Gap.

(** ** The envelope *)
Section HeadEnvelope.
Context {E : space}.
Variable P : problem E.
Variables loss slope : R -> R.
Variables lo hi M1 mu : R.
Variables lo_p hi_p : R.
Variables (loss_p slope_p : R -> R).
Variable al : nat -> nat.
Notation n := (samples P).
Notation rows := (rows P al).
Notation a := (row P al).
Notation others_of i := (others (tokens P i) (al i)).
(** Of P only its tokens and keys are used: any loss makes it regular. *)
Variable Reg : regular P loss_p slope_p lo_p hi_p.
Variable sel : selection P al.
Variable some_row : rows <> [].
Variables (w : E) (lam : nat * nat -> R).
Variable svm : solves rows a one w lam.
Notation Th := (Th w).
Notation what := (what w).
(** Y_i phi(v.x_i^p), and its value at the selected token. *)
Variables (value : E -> nat -> R) (top : nat -> R).
Definition G p i := top i - value p i.
Definition Lh p := / INR n * sum (seq 0 n) (fun i => loss (value p i)).
Variable derives : forall x, lo <= x <= hi -> is_derive loss x (slope x).
Variable slopes : forall x, lo <= x <= hi -> - M1 <= slope x <= - mu.
Variable mu_pos : 0 < mu.
Variable mu_M1 : mu <= M1.
Variable covered : forall p i, (i < n)%nat -> lo <= value p i <= hi /\ lo <= top i <= hi.
(** head-bounds on the whole stretch (nu, La), and on the part eta of it (nu', La'). *)
Variables (nu La nu' La' : nat * nat -> R) (eta num : R).
Variable num_pos : 0 < num.
Variable nu_ok : forall c, In c rows -> num <= nu c <= La c.
Variable nu'_ok : forall c, In c rows -> 0 < nu' c <= La' c.
Variable wide : forall p i, (i < n)%nat -> sum (others_of i) (fun t => nu (i, t) * attention P p i t) <= G p i <= sum (others_of i) (fun t => La (i, t) * attention P p i t).
Variable narrow : forall p i, (i < n)%nat -> 1 - attention P p i (al i) <= eta -> sum (others_of i) (fun t => nu' (i, t) * attention P p i t) <= G p i <= sum (others_of i) (fun t => La' (i, t) * attention P p i t).
Variable eta_ok : 0 < eta < 1.
(** Clause 6: on [top - eta max_t La_it, top]. *)
Variables (mui Mi Lm : nat -> R).
Variable Lm_ok : forall i t, (i < n)%nat -> In t (others_of i) -> La (i, t) <= Lm i.
Variable Lm_nonneg : forall i, (i < n)%nat -> 0 <= Lm i.
Variable near : forall i, (i < n)%nat -> 0 < mui i <= Mi i /\ forall x, top i - eta * Lm i <= x <= top i -> lo <= x -> mui i <= - slope x <= Mi i.

Lemma n_pos : (0 < n)%nat.
Proof. exact (rows_samples P al some_row). Qed.
Lemma in_row i t : (i < n)%nat -> In t (others_of i) -> In (i, t) rows.
Proof. intros Hi Ht. apply in_others in Ht. apply in_rows. tauto. Qed.
Lemma share_pos p i t : (i < n)%nat -> In t (others_of i) -> 0 < attention P p i t <= exp (- dot (a (i, t)) p).
Proof.
  intros Hi Ht. apply in_others in Ht. split; [apply (attention_le_1 P loss_p slope_p lo_p hi_p p i t Reg Hi); tauto|]. rewrite (attention_ratio P al).
  assert (A1 := attention_le_1 P loss_p slope_p lo_p hi_p p i (al i) Reg Hi (sel i Hi)). assert (Pe := exp_pos (- dot (a (i, t)) p)). nra.
Qed.
Lemma share_sum p i : (i < n)%nat -> sum (others_of i) (attention P p i) = 1 - attention P p i (al i).
Proof. exact (attention_others P loss_p slope_p lo_p hi_p al p i Reg sel). Qed.
Lemma G_low p i : (i < n)%nat -> num * (1 - attention P p i (al i)) <= G p i.
Proof.
  intros Hi. apply Rle_trans with (2 := proj1 (wide p i Hi)). rewrite <- (share_sum p i Hi), <- sum_scal. apply sum_le. intros t Ht. destruct (share_pos p i t Hi Ht). apply Rmult_le_compat_r; [lra|]. apply nu_ok. now apply in_row.
Qed.
Lemma G_nonneg p i : (i < n)%nat -> 0 <= G p i.
Proof. intros Hi. apply Rle_trans with (2 := G_low p i Hi). assert (A1 := attention_le_1 P loss_p slope_p lo_p hi_p p i (al i) Reg Hi (sel i Hi)). apply Rmult_le_pos; lra. Qed.
Lemma G_top p i : (i < n)%nat -> 1 - attention P p i (al i) <= eta -> G p i <= eta * Lm i.
Proof.
  intros Hi He. apply Rle_trans with (1 := proj2 (wide p i Hi)). apply Rle_trans with ((1 - attention P p i (al i)) * Lm i); [|apply Rmult_le_compat_r; auto].
  rewrite <- (share_sum p i Hi), <- sum_scal_r. apply sum_le. intros t Ht. destruct (share_pos p i t Hi Ht). rewrite Rmult_comm. apply Rmult_le_compat_l; [lra|]. now apply Lm_ok.
Qed.

Definition excess p i := loss (value p i) - loss (top i).
Definition F p := sum (seq 0 n) (excess p).
Lemma excess_between p i m M : (i < n)%nat -> (forall x, value p i <= x <= top i -> m <= - slope x <= M) -> m * G p i <= excess p i <= M * G p i.
Proof.
  intros Hi Hs. assert (G0 := G_nonneg p i Hi). destruct (covered p i Hi) as [V1 T1]. unfold G, excess in *.
  destruct (mean_value loss slope (value p i) (top i)) as (c & Hc & Hm); [lra|intros z Hz; apply derives; lra|]. specialize (Hs c Hc). nra.
Qed.
Lemma excess_global p i : (i < n)%nat -> mu * G p i <= excess p i <= M1 * G p i.
Proof. intros Hi. apply excess_between; auto. intros x Hx. destruct (covered p i Hi). assert (S := slopes x ltac:(lra)). lra. Qed.
Lemma excess_near p i : (i < n)%nat -> 1 - attention P p i (al i) <= eta -> mui i * G p i <= excess p i <= Mi i * G p i.
Proof. intros Hi He. apply excess_between; auto. intros x Hx. assert (Gt := G_top p i Hi He). unfold G in Gt. destruct (covered p i Hi). destruct (near i Hi) as [_ Nr]. apply Nr; lra. Qed.
Lemma Lh_F p : Lh p = / INR n * F p + / INR n * sum (seq 0 n) (fun i => loss (top i)).
Proof. unfold Lh, F, excess. rewrite sum_minus. ring. Qed.

(** The two stages. *)
Section Stages.
Variables p x : E.
Variable better : Lh p <= Lh x.
Variable reach : M1 * sum rows (fun c => La c * exp (- dot (a c) x)) <= mu * num * eta.

Lemma F_below : F p <= F x.
Proof. assert (M := better). rewrite !Lh_F in M. assert (Pn : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR, n_pos). apply Rmult_le_reg_l with (/ INR n); lra. Qed.

Lemma first_stage i : (i < n)%nat -> 1 - attention P p i (al i) <= eta /\ 1 - attention P x i (al i) <= eta.
Proof.
  intros Hi. assert (Gs : sum (seq 0 n) (fun i => G x i) <= sum rows (fun c => La c * exp (- dot (a c) x))).
  { rewrite <- (sum_by_sample P al). apply sum_le. intros j Hj. apply in_seq in Hj. apply Rle_trans with (1 := proj2 (wide x j ltac:(lia))). apply sum_le. intros t Ht. destruct (share_pos x j t ltac:(lia) Ht). destruct (nu_ok (j, t) ltac:(apply in_row; auto; lia)). apply Rmult_le_compat_l; lra. }
  assert (Fx : F x <= mu * num * eta).
  { apply Rle_trans with (2 := reach). apply Rle_trans with (M1 * sum (seq 0 n) (fun i => G x i)); [rewrite <- sum_scal; apply sum_le; intros j Hj; apply in_seq in Hj; apply excess_global; lia|apply Rmult_le_compat_l; lra]. }
  assert (Fb := F_below). split.
  - assert (Y : mu * num * (1 - attention P p i (al i)) <= mu * num * eta); [|apply Rmult_le_reg_l in Y; auto; now apply Rmult_lt_0_compat].
    apply Rle_trans with (F p); [|lra]. apply Rle_trans with (excess p i).
    + apply Rle_trans with (2 := proj1 (excess_global p i Hi)). rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. now apply G_low.
    + apply (sum_term (seq 0 n) (excess p)); [apply in_seq; lia|]. intros j Hj. apply in_seq in Hj. apply Rle_trans with (2 := proj1 (excess_global p j ltac:(lia))). apply Rmult_le_pos; [lra|apply G_nonneg; lia].
  - assert (Si : num * (1 - attention P x i (al i)) <= sum rows (fun c => La c * exp (- dot (a c) x))).
    { apply Rle_trans with (2 := Gs). apply Rle_trans with (1 := G_low x i Hi). apply (sum_term (seq 0 n) (fun i => G x i)); [apply in_seq; lia|]. intros j Hj. apply in_seq in Hj. apply G_nonneg. lia. }
    assert (A1 := attention_le_1 P loss_p slope_p lo_p hi_p x i (al i) Reg Hi (sel i Hi)). set (z := 1 - attention P x i (al i)) in *. set (S := sum rows (fun c => La c * exp (- dot (a c) x))) in *.
    assert (Z0 : 0 <= z) by (unfold z; lra). assert (Y : mu * num * z <= mu * num * eta); [|apply Rmult_le_reg_l in Y; auto; now apply Rmult_lt_0_compat].
    apply Rle_trans with (2 := reach). apply Rle_trans with (M1 * (num * z)); [rewrite Rmult_assoc; apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|lra]|apply Rmult_le_compat_l; lra].
Qed.

Definition kap c := mui (fst c) * nu' c * (1 - eta).
Theorem second_stages : sum rows (fun c => kap c * exp (- dot (a c) p)) <= sum rows (fun c => Mi (fst c) * La' c * exp (- dot (a c) x)).
Proof.
  apply Rle_trans with (F p); [|apply Rle_trans with (1 := F_below)]; rewrite <- (sum_by_sample P al); apply sum_le; intros i Hi; apply in_seq in Hi; assert (Hi' : (i < n)%nat) by lia; destruct (first_stage i Hi') as [Sp Sx]; destruct (near i Hi') as [Mp _].
  - apply Rle_trans with (2 := proj1 (excess_near p i Hi' Sp)). apply Rle_trans with (mui i * sum (others_of i) (fun t => nu' (i, t) * attention P p i t)); [|apply Rmult_le_compat_l; [lra|apply narrow; auto]].
    rewrite <- sum_scal. apply sum_le. intros t Ht. unfold kap. simpl fst. rewrite (attention_ratio P al p i t). assert (Pe := exp_pos (- dot (a (i, t)) p)). destruct (nu'_ok (i, t) (in_row i t Hi' Ht)).
    replace (mui i * nu' (i, t) * (1 - eta) * exp (- dot (a (i, t)) p)) with (mui i * (nu' (i, t) * ((1 - eta) * exp (- dot (a (i, t)) p)))) by ring. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; lra.
  - apply Rle_trans with (1 := proj2 (excess_near x i Hi' Sx)). apply Rle_trans with (Mi i * sum (others_of i) (fun t => La' (i, t) * attention P x i t)); [apply Rmult_le_compat_l; [lra|apply narrow; auto]|].
    rewrite <- sum_scal. apply sum_le. intros t Ht. simpl fst. destruct (share_pos x i t Hi' Ht). destruct (nu'_ok (i, t) (in_row i t Hi' Ht)). rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra.
Qed.
End Stages.

(** Clauses 4, 5, 7, 8. *)
Variables (omega : E) (R0 R K : R) (p : E).
Variable omega_across : dot omega w = 0.
Variable R0_pos : 0 < R0.
Variable R_large : R0 <= R.
Variable omega_short : om2 omega < R0 * R0.
Notation ec := (ec P al w omega).
Notation comp := (comp w omega).
Variable reach : M1 * exp (- (R0 * Th)) * sum rows (fun c => La c * ec R0 c) <= mu * num * eta.
Definition Vh := sum rows (fun c => Mi (fst c) * La' c * ec R0 c).
Definition Dh := ln Vh - H P al w lam kap.
Variable minimal : norm p <= R /\ forall x, norm x <= R -> Lh p <= Lh x.

Lemma comp_reach : M1 * sum rows (fun c => La c * exp (- dot (a c) (comp R))) <= mu * num * eta.
Proof.
  apply Rle_trans with (2 := reach). assert (S := comp_weights P al some_row w lam svm omega R0 R0_pos omega_short R R_large La (fun c Hc => ltac:(destruct (nu_ok c Hc); lra))).
  assert (S0 : 0 <= sum rows (fun c => La c * ec R0 c)) by (apply sum_nonneg; intros c Hc; destruct (nu_ok c Hc); apply Rmult_le_pos; [lra|left; apply exp_pos]).
  assert (X := exp_R P al some_row w lam svm R0 R R_large). rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (1 := S). now apply Rmult_le_compat_r.
Qed.

Theorem head_envelope : Dh < R0 * Th -> 2 * Dh <= K * Th ->
  norm (vsub (vscal (/ R) p) what) * norm (vsub (vscal (/ R) p) what) <= K / R /\ norm (vsub (unit p) what) * norm (vsub (unit p) what) <= K / R.
Proof.
  apply (from_direction P al some_row w lam svm p R0 R Dh K R0_pos R_large (proj1 minimal)).
  assert (Om : om2 omega < R * R) by nra. assert (Nc := comp_norm P al some_row w lam svm omega omega_across R ltac:(lra) Om).
  assert (S := second_stages p (comp R) (proj2 minimal (comp R) ltac:(rewrite Nc; lra)) comp_reach).
  assert (Kp : forall c, In c rows -> 0 < kap c) by (intros c Hc; destruct (near _ (row_sample P al c Hc)) as [Mp _]; destruct (nu'_ok c Hc); unfold kap; apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|lra]).
  assert (Vp : 0 < Vh) by (apply sum_pos_all; auto; intros c Hc; destruct (near _ (row_sample P al c Hc)) as [Mp _]; destruct (nu'_ok c Hc); apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|apply exp_pos]).
  apply (direction_from_sum P al some_row w lam svm p kap R Vh); auto.
  - intros c Hc. apply Kp. now apply (in_listed P al lam) in Hc.
  - apply Rle_trans with (sum rows (fun c => kap c * exp (- dot (a c) p))).
    + unfold listed. rewrite sum_filter. apply sum_le. intros c Hc. assert (X := Kp c Hc). assert (Pe := exp_pos (- dot (a c) p)). destruct (if Req_EM_T (lam c) 0 then false else true); [lra|]. apply Rmult_le_pos; lra.
    + apply Rle_trans with (1 := S). apply (comp_weights P al some_row w lam svm omega R0 R0_pos omega_short R R_large (fun c => Mi (fst c) * La' c)).
      intros c Hc. destruct (near _ (row_sample P al c Hc)) as [Mp _]. destruct (nu'_ok c Hc). apply Rmult_le_pos; lra.
Qed.
End HeadEnvelope.
