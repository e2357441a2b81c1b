(** `path-ratio` (docs/certificate.md 4.25): theorem N of docs/theory.md 7.3, over matrices with the nuclear norm as a gauge.
    Let W0 satisfy all rows, theta_c = <a_c, W0> >= 1, with nuc(W0) <= u, and let l > 0 be at most every nuclear norm of a feasible matrix (4.12).  Under clauses 3 to 5, for every R >= R0 every minimiser p of L over
    nuc(W) <= R has a_c.p >= R/u - C for every row; so its least row m is > 0 and nuc(p)/(m nuc star) <= (u/l)/(1 - uC/R) for every nuc star >= l.
    Of the nuclear norm it is used that it is a number for each matrix that scales: nuc(kW) <= k nuc(W) for k >= 0 (`nuclear_scales` in the sense of Nuclear.v). *)
From Coq Require Import Reals List Lra Lia Psatz Arith Bool.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Rank Limits Nuclear Envelope.
Import ListNotations.
Open Scope R_scope.

(** The nuclear norm of Nuclear.v scales. *)
Theorem nuclear_scales d (W : matrices d d) nuc nuc' k : 0 <= k -> nuclear d W nuc -> nuclear d (vscal k W) nuc' -> nuc' <= k * nuc.
Proof.
  intros Hk [_ N] [U' _]. destruct (Req_dec k 0) as [->|Nz].
  - rewrite Rmult_0_l. apply U'. exists 0%nat, (fun _ => vzero), (fun _ => vzero). split; [intros z; rewrite dot_scal_l, Rmult_0_l; symmetry; exact (@dot_zero_l (matrices d d) z)|unfold cost; simpl; ring].
  - assert (Kp : 0 < k) by lra. assert (X : nuc' / k <= nuc); [|apply Rmult_le_compat_l with (r := k) in X; [|lra]; replace (k * (nuc' / k)) with nuc' in X by (field; lra); lra].
    apply N. intros c (m & a & b & Sm & ->). apply Rmult_le_reg_l with k; auto. replace (k * (nuc' / k)) with nuc' by (field; lra). apply U'.
    set (r := sqrt k). assert (Rr : r * r = k) by (apply sqrt_sqrt; lra).
    exists m, (fun i => vscal r (a i)), (fun i => vscal r (b i)). split.
    + intros z. rewrite dot_scal_l, (Sm z). unfold product. rewrite !dot_vsum_l, <- sum_scal. apply sum_ext. intros i _. rewrite !outer_dot. simpl. unfold rdot, apply_matrix. rewrite <- sum_scal, <- Rr. apply sum_ext. intros j _.
      rewrite (sum_ext _ (fun k0 => z j k0 * (r * b i k0)) (fun k0 => r * (z j k0 * b i k0))) by (intros; ring). rewrite sum_scal. ring.
    + unfold cost. rewrite <- Rr, <- Rmult_assoc, (Rmult_comm (r * r)), Rmult_assoc, <- sum_scal. f_equal. apply sum_ext. intros i _. rewrite !dot_scal_l, !dot_scal_r. ring.
Qed.

Section Ratio.
Context {E : space}.
Variable P : problem E.
Variables loss slope : R -> R.
Variables lo hi M1 mu : R.
Variable al : nat -> nat.
Notation n := (samples P).
Notation rows := (rows P al).
Notation a := (row P al).
Notation De := (gap P al).
Variable Reg : regular P loss slope lo hi.
Variable mu_pos : 0 < mu.
Variable slopes : forall x, lo <= x <= hi -> - M1 <= slope x <= - mu.
Variable sel : selection P al.
Variable best : unique_optimal P al.
Variable some_row : rows <> [].
(** The gauge, and the bracket (clause 1). *)
Variable nuc : E -> R.
Variable scales : forall k x, 0 <= k -> nuc (vscal k x) <= k * nuc x.
Variables (W0 : E) (u l : R).
Variable W0_rows : forall c, In c rows -> 1 <= dot (a c) W0.
Variable W0_nuc : nuc W0 <= u.
Variable u_pos : 0 < u.
Variable l_pos : 0 < l.
(** Clauses 3 to 5. *)
Variables (R0 h C : R) (mui Mi : nat -> R).
Variable h_pos : 0 < h.
Variable h_small : forall c, In c rows -> h < De c.
Definition ee c := exp (- (R0 / u * (dot (a c) W0 - 1))).
Variable h_reach : M1 * exp (- (R0 / u)) * sum rows (fun c => De c * ee c) <= mu * h.
Variable near : forall i, (i < n)%nat -> 0 < mui i /\ forall y, score P i (al i) - h <= y <= score P i (al i) -> lo <= y -> mui i <= - slope y <= Mi i.
Definition VN := sum rows (fun c => Mi (fst c) * De c * ee c).
Variable C_large : forall c, In c rows -> ln VN - ln (mui (fst c) * (De c - h)) <= C.
Variable C_small : u * C < R0.
Variable C_nonneg : 0 <= C.
Variables (R : R) (p : E).
Variable R_large : R0 <= R.
Variable minimal : nuc p <= R /\ forall x, nuc x <= R -> L P loss p <= L P loss x.

Lemma R0_pos : 0 < R0.
Proof. nra. Qed.
Definition rival := vscal (R / u) W0.
Lemma rival_inside : nuc rival <= R.
Proof.
  assert (R0p := R0_pos). assert (K : 0 <= R / u) by (apply Rle_mult_inv_pos; lra). apply Rle_trans with (1 := scales (R / u) W0 K).
  apply Rle_trans with (R / u * u); [now apply Rmult_le_compat_l|right; field; lra].
Qed.
Lemma rival_row c : In c rows -> exp (- dot (a c) rival) <= exp (- (R / u)) * ee c.
Proof.
  intros Hc. unfold ee. rewrite <- exp_plus. apply exp_pos_le. unfold rival. rewrite dot_scal_r. assert (T := W0_rows c Hc).
  assert (X : R0 / u <= R / u) by (unfold Rdiv; apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|lra]). assert (Y := Rmult_le_compat_r (dot (a c) W0 - 1) _ _ ltac:(lra) X). lra.
Qed.
Lemma rival_sum (g : nat * nat -> Rdefinitions.RbaseSymbolsImpl.R) : (forall c, In c rows -> 0 <= g c) -> sum rows (fun c => g c * exp (- dot (a c) rival)) <= exp (- (R / u)) * sum rows (fun c => g c * ee c).
Proof.
  intros Hg. rewrite <- sum_scal. apply sum_le. intros c Hc. assert (X := rival_row c Hc). assert (Y := Rmult_le_compat_l _ _ _ (Hg c Hc) X). lra.
Qed.
Lemma rival_reach : M1 * sum rows (fun c => De c * exp (- dot (a c) rival)) <= mu * h.
Proof.
  assert (MP := M1_pos P loss slope lo hi M1 mu al Reg slopes sel some_row). apply Rle_trans with (2 := h_reach). assert (X := rival_sum De (fun c Hc => Rlt_le _ _ (gap_pos P al best c Hc))).
  assert (S0 : 0 <= sum rows (fun c => De c * ee c)) by (apply sum_nonneg; intros c Hc; apply Rmult_le_pos; [left; now apply (gap_pos P al best)|left; apply exp_pos]).
  assert (Ex : exp (- (R / u)) <= exp (- (R0 / u))) by (apply exp_pos_le; apply Ropp_le_contravar; unfold Rdiv; apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|lra]).
  rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (1 := X). now apply Rmult_le_compat_r.
Qed.

Theorem ratio_rows c : In c rows -> R / u - C <= dot (a c) p.
Proof.
  intros Hc. assert (S := second_stages P loss slope lo hi M1 mu al Reg mu_pos slopes sel best some_row h mui Mi p rival near (proj2 minimal rival rival_inside) rival_reach).
  assert (Kp := fun c => ka_pos P slope lo al h mui Mi h_small near c).
  assert (Hi := Mi_nonneg P loss slope lo hi al Reg sel h mui Mi near).
  assert (Up : sum rows (fun c => Mi (fst c) * De c * exp (- dot (a c) rival)) <= exp (- (R / u)) * VN).
  { apply (rival_sum (fun c => Mi (fst c) * De c)). intros e He. apply Rmult_le_pos; [apply Hi; [now apply (row_sample P al)|lra]|left; now apply (gap_pos P al best)]. }
  assert (T : ka P al h mui c * exp (- dot (a c) p) <= sum rows (fun c => ka P al h mui c * exp (- dot (a c) p))).
  { apply (sum_term rows (fun c => ka P al h mui c * exp (- dot (a c) p)) c Hc). intros e He. apply Rmult_le_pos; [left; now apply Kp|left; apply exp_pos]. }
  assert (Kc := Kp c Hc). assert (Pe := exp_pos (- dot (a c) p)). assert (Pr := exp_pos (- (R / u))).
  assert (X : ka P al h mui c * exp (- dot (a c) p) <= exp (- (R / u)) * VN) by lra. assert (Vp : 0 < VN) by nra.
  assert (Y : ln (ka P al h mui c) + - dot (a c) p <= - (R / u) + ln VN).
  { rewrite <- (ln_exp (- dot (a c) p)), <- (ln_exp (- (R / u))), <- !ln_mult by auto. destruct X as [X|X]; [left; apply ln_increasing; auto; now apply Rmult_lt_0_compat|right; now rewrite X]. }
  assert (Cl := C_large c Hc). unfold ka in Y. lra.
Qed.

(** The statement: with m the least row. *)
Theorem path_ratio m star : (forall c, In c rows -> m <= dot (a c) p) -> (exists c, In c rows /\ m = dot (a c) p) -> l <= star ->
  0 < m /\ nuc p / (m * star) <= u / l / (1 - u * C / R).
Proof.
  intros _ (c & Hc & Hm) Hs. assert (Rr := ratio_rows c Hc). rewrite <- Hm in Rr. assert (R0p := R0_pos). assert (Rp : 0 < R) by lra.
  assert (Low : 0 < R / u - C) by (apply Rmult_lt_reg_l with u; auto; replace (u * (R / u - C)) with (R - u * C) by (field; lra); lra).
  split; [lra|]. assert (Q : 0 < 1 - u * C / R) by (apply Rmult_lt_reg_r with R; auto; replace ((1 - u * C / R) * R) with (R - u * C) by (field; lra); lra).
  assert (Ms : (R / u - C) * l <= m * star) by (apply Rmult_le_compat; lra). assert (Mp : 0 < m * star) by nra. assert (Lp : 0 < (R / u - C) * l) by nra.
  apply Rle_trans with (R / (m * star)); [unfold Rdiv; apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|apply minimal]|].
  apply Rle_trans with (R / ((R / u - C) * l)); [unfold Rdiv at 1 2; apply Rmult_le_compat_l; [lra|now apply Rinv_le_contravar]|]. right. field. repeat split; try lra. 
  all: intros Z; assert (R - u * C = 0) by lra; lra.
Qed.
End Ratio.
