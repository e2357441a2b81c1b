(** `path-envelope` without `cone` (docs/certificate.md 4.24), clauses 1 to 8: theorem P of docs/theory.md 7.2.
    Let alpha be the unique globally optimal selection, w solve its SVM, -M1 <= l' <= -mu < 0 on an interval that holds the scores, omega.w = 0, |omega| < R0,
    e_c = exp(-a_c.omega + Theta theta_c (R0 - rho0) - R0 Theta (theta_c - 1)), rho0 = sqrt(R0^2 - |omega|^2), and clauses 4 to 8.  Then for every R >= R0 every minimiser p of L
    over |p| <= R has w^.p >= R - D/Theta, |p/R - w^|^2 <= 2D/(Theta R) <= K/R, |p/|p| - w^|^2 <= K/R, |p| = R, and exp(-y_c) <= exp(-R Theta) V/kappa_c for every row.
    The entry's radius is R0; the numbers are the true ones, which lie in a checker's enclosures. *)
From Coq Require Import Reals List Lra Lia Psatz Arith Bool.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Rank Limits.
Import ListNotations.
Open Scope R_scope.

Section Envelope.
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
Variables (w : E) (lam : nat * nat -> R).
Variable svm : solves rows a one w lam.

Definition N := dot w w.
Definition Th := / norm w.
Definition th c := dot (a c) w.
Definition what := unit w.
Definition lh c := lam c / N.

Lemma n_pos : (0 < n)%nat.
Proof. exact (rows_samples P al some_row). Qed.
Lemma w_pos : 0 < norm w.
Proof. exact (svm_norm_pos rows a w lam some_row svm). Qed.
Lemma Th_pos : 0 < Th.
Proof. apply Rinv_0_lt_compat, w_pos. Qed.
Lemma N_pos : 0 < N.
Proof. unfold N. rewrite <- norm_sqr. assert (W := w_pos). nra. Qed.
Lemma N_norm : norm w * norm w = N.
Proof. apply norm_sqr. Qed.
Lemma lam_nonneg c : In c rows -> 0 <= lam c.
Proof. apply svm. Qed.
Lemma lh_sum : sum rows lh = 1.
Proof. unfold lh, Rdiv. rewrite sum_scal_r, (svm_lam_sum rows a w lam svm). fold N. apply Rinv_r. assert (X := N_pos). lra. Qed.
Lemma th_ge c : In c rows -> 1 <= th c.
Proof. intros Hc. destruct svm as (_ & _ & F & _). exact (F c Hc). Qed.
Lemma gap_pos c : In c rows -> 0 < De c.
Proof. destruct c as [i t]. intros Hc. apply in_rows in Hc. destruct Hc as (Hi & Ht & D0). specialize (best i t Hi Ht D0). unfold gap. simpl. lra. Qed.
Lemma row_sample c : In c rows -> (fst c < n)%nat.
Proof. destruct c as [i t]. intros Hc. apply in_rows in Hc. simpl. tauto. Qed.
Lemma what_dot x : dot x what = Th * dot x w.
Proof. unfold what, unit. rewrite dot_scal_r. easy. Qed.

(** (F1): Sum lh_c y_c = Theta w^.p. *)
Lemma F1 x : sum rows (fun c => lh c * dot (a c) x) = Th * dot x what.
Proof.
  assert (W : dot w x = sum rows (fun c => lam c * dot (a c) x)) by (destruct svm as (H & _); rewrite H; apply combination_dot).
  rewrite what_dot, (dot_sym x w), W. unfold lh, Th. rewrite (sum_ext _ _ (fun c => / N * (lam c * dot (a c) x))) by (intros; unfold Rdiv; ring).
  rewrite sum_scal, <- N_norm. assert (X := w_pos). field. lra.
Qed.

(** (F2) with sums over the listed rows only. *)
Definition listed := filter (fun c => if Req_EM_T (lam c) 0 then false else true) rows.
Lemma in_listed c : In c listed <-> In c rows /\ lam c <> 0.
Proof. unfold listed. rewrite filter_In. destruct (Req_EM_T (lam c) 0); intuition congruence. Qed.
Lemma listed_pos c : In c listed -> 0 < lh c.
Proof. rewrite in_listed. intros [Hc Nz]. assert (X := lam_nonneg c Hc). apply Rdiv_lt_0_compat; [lra|apply N_pos]. Qed.
Lemma sum_listed f : sum listed (fun c => lh c * f c) = sum rows (fun c => lh c * f c).
Proof.
  unfold listed. rewrite sum_filter. apply sum_ext. intros c _. unfold lh. destruct (Req_EM_T (lam c) 0) as [->|]; [unfold Rdiv; ring|easy].
Qed.
Lemma lh_sum_listed : sum listed lh = 1.
Proof. rewrite <- lh_sum, <- (sum_ext listed (fun c => lh c * 1) lh), <- (sum_ext rows (fun c => lh c * 1) lh) by (intros; ring). apply sum_listed. Qed.

Definition H (ka : nat * nat -> R) := sum listed (fun c => lh c * ln (ka c / lh c)).

Lemma F2 ka x : (forall c, In c listed -> 0 < ka c) -> exp (H ka - Th * dot x what) <= sum listed (fun c => ka c * exp (- dot (a c) x)).
Proof.
  intros Hk. rewrite <- F1, <- sum_listed. unfold H. apply (jensen_weighted listed lh ka (fun c => dot (a c) x)); auto using listed_pos, lh_sum_listed.
Qed.

(** (F3) and the excess of the loss. *)
Lemma score_in i t : (i < n)%nat -> (t < tokens P i)%nat -> lo <= score P i t <= hi.
Proof. intros Hi Ht. apply Reg; auto. Qed.

Lemma G_nonneg x i : (i < n)%nat -> 0 <= deficit P al x i.
Proof.
  intros Hi. rewrite (deficit_form P loss slope lo hi) by auto. apply sum_nonneg. intros t Ht. apply in_others in Ht.
  assert (A := attention_le_1 P loss slope lo hi x i t Reg Hi (proj1 Ht)). assert (G := gap_pos (i, t)). rewrite in_rows in G.
  apply Rmult_le_pos; [lra|left; tauto].
Qed.

Lemma F3 x i : (i < n)%nat -> deficit P al x i = sum (others (tokens P i) (al i)) (fun t => (De (i, t) - deficit P al x i) * exp (- dot (a (i, t)) x)).
Proof.
  intros Hi. rewrite (sum_ext _ _ (fun t => De (i, t) * exp (- dot (a (i, t)) x) - deficit P al x i * exp (- dot (a (i, t)) x))) by (intros; ring).
  rewrite sum_minus, sum_scal. fold (others_weight P al x i).
  assert (T := attention_total P loss slope lo hi al x i Reg sel Hi). assert (G := deficit_form P loss slope lo hi al x i Reg sel Hi).
  rewrite (sum_ext _ _ (fun t => attention P x i (al i) * (De (i, t) * exp (- dot (a (i, t)) x)))) in G by (intros t _; rewrite (attention_ratio P al x i t); ring).
  rewrite sum_scal in G. set (s := attention P x i (al i)) in *. set (W := others_weight P al x i) in *. set (X := sum _ _) in *.
  assert (Hx : X = (s * X) * (1 + W)) by (replace (s * X * (1 + W)) with (s * (1 + W) * X) by ring; rewrite T; ring). rewrite <- G in Hx. lra.
Qed.

Lemma G_upper x i : (i < n)%nat -> deficit P al x i <= sum (others (tokens P i) (al i)) (fun t => De (i, t) * exp (- dot (a (i, t)) x)).
Proof.
  intros Hi. rewrite (F3 x i Hi) at 1. apply sum_le. intros t _. apply Rmult_le_compat_r; [left; apply exp_pos|]. assert (G := G_nonneg x i Hi). lra.
Qed.

Definition excess x i := loss (output P x i) - loss (score P i (al i)).
Definition F x := sum (seq 0 n) (excess x).

Lemma output_in x i : (i < n)%nat -> lo <= output P x i <= hi.
Proof. intros Hi. now apply (output_bounds P loss slope lo hi). Qed.

Lemma L_F x : L P loss x = / INR n * F x + / INR n * sum (seq 0 n) (fun i => loss (score P i (al i))).
Proof. unfold L, F, excess. rewrite sum_minus. ring. Qed.

(** Slopes m <= -l' <= M between f_i and the best score bound the excess by m G_i and M G_i. *)
Lemma excess_between x i m M : (i < n)%nat -> (forall u, output P x i <= u <= score P i (al i) -> m <= - slope u <= M) ->
  m * deficit P al x i <= excess x i <= M * deficit P al x i.
Proof.
  intros Hi Hs. assert (G := G_nonneg x i Hi). unfold deficit, excess in *. assert (O := output_in x i Hi). assert (S := score_in i (al i) Hi (sel i Hi)).
  destruct Reg as (_ & _ & Dl).
  destruct (mean_value loss slope (output P x i) (score P i (al i))) as (c & Hc & Hm); [lra|intros z Hz; apply Dl; lra|]. specialize (Hs c Hc). nra.
Qed.

Lemma excess_global x i : (i < n)%nat -> mu * deficit P al x i <= excess x i <= M1 * deficit P al x i.
Proof.
  intros Hi. apply excess_between; auto. intros u Hu. assert (O := output_in x i Hi). assert (S := score_in i (al i) Hi (sel i Hi)).
  assert (X := slopes u ltac:(lra)). lra.
Qed.

Lemma M1_pos : mu <= M1.
Proof. assert (S := slopes _ (score_in 0 (al 0%nat) n_pos (sel _ n_pos))). lra. Qed.

(** The competitor q = rho w^ + omega. *)
Variable omega : E.
Variable omega_across : dot omega w = 0.
Definition om2 := dot omega omega.
Definition rho R := sqrt (R * R - om2).
Definition ec R c := exp (- dot (a c) omega + Th * th c * (R - rho R) - R * Th * (th c - 1)).
Definition comp R := vadd (vscal (rho R) what) omega.

Lemma om2_pos : 0 <= om2.
Proof. apply dot_pos. Qed.

Lemma rho_facts R : 0 < R -> om2 < R * R -> 0 < rho R <= R /\ rho R * rho R = R * R - om2.
Proof.
  intros HR Ho. assert (O := om2_pos). unfold rho. assert (Q : 0 < R * R - om2) by lra. assert (S := sqrt_sqrt (R * R - om2) ltac:(lra)).
  assert (P0 := sqrt_lt_R0 _ Q). split; [split; [auto|]|auto]. apply le_of_sq; lra.
Qed.

Lemma what_unit : dot what what = 1.
Proof. rewrite what_dot. unfold what, unit. rewrite dot_scal_l. fold N. rewrite <- N_norm. unfold Th. assert (W := w_pos). field. lra. Qed.

Lemma omega_what : dot omega what = 0.
Proof. rewrite what_dot, omega_across. ring. Qed.

Lemma comp_norm R : 0 < R -> om2 < R * R -> norm (comp R) = R.
Proof.
  intros HR Ho. destruct (rho_facts R HR Ho) as [_ Sq]. unfold norm, comp.
  rewrite !dot_add_l, !dot_add_r, !dot_scal_l, !dot_scal_r, what_unit, (dot_sym what omega), omega_what. fold om2.
  replace (rho R * (rho R * 1) + rho R * 0 + (rho R * 0 + om2)) with (R * R) by lra. apply sqrt_square. lra.
Qed.

Lemma comp_row R c : In c rows -> exp (- dot (a c) (comp R)) = exp (- (R * Th)) * ec R c.
Proof.
  intros _. unfold ec. rewrite <- exp_plus. f_equal. unfold comp. rewrite dot_add_r, dot_scal_r, what_dot. fold (th c). ring.
Qed.

(** e_c(R) does not increase with R. *)
Lemma drop_decreases R R0 : 0 < R0 -> R0 <= R -> om2 < R0 * R0 -> R - rho R <= R0 - rho R0.
Proof.
  intros H0 HR Ho. assert (om2 < R * R) by nra. destruct (rho_facts R0 H0 Ho) as [A1 A2]. destruct (rho_facts R ltac:(lra) H1) as [B1 B2]. assert (O := om2_pos).
  (* R - rho = om2/(R + rho) *)
  assert (rho R0 <= rho R) by (apply le_of_sq; nra).
  assert (E1 : (R - rho R) * (R + rho R) = om2) by lra. assert (E2 : (R0 - rho R0) * (R0 + rho R0) = om2) by lra.
  assert (0 <= R - rho R) by lra. assert (0 <= R0 - rho R0) by lra. nra.
Qed.

Lemma ec_decreases R R0 c : In c rows -> 0 < R0 -> R0 <= R -> om2 < R0 * R0 -> ec R c <= ec R0 c.
Proof.
  intros Hc H0 HR Ho. unfold ec. apply exp_pos_le. assert (D := drop_decreases R R0 H0 HR Ho). assert (T := th_ge c Hc). assert (TP := Th_pos).
  assert (Th * th c * (R - rho R) <= Th * th c * (R0 - rho R0)) by (apply Rmult_le_compat_l; auto; apply Rmult_le_pos; lra).
  assert (0 <= (R - R0) * (Th * (th c - 1))) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]). nra.
Qed.

Definition is_minimiser R p := norm p <= R /\ forall x, norm x <= R -> L P loss p <= L P loss x.

Lemma sum_by_sample (f : nat * nat -> R) : sum (seq 0 n) (fun i => sum (others (tokens P i) (al i)) (fun t => f (i, t))) = sum rows f.
Proof. now rewrite sum_rows. Qed.

(** Clause 8: from w^.p >= R - D/Theta to the statement. *)
Lemma from_direction p R0 R D K : 0 < R0 -> R0 <= R -> norm p <= R -> R - D / Th <= dot p what -> D < R0 * Th -> 2 * D <= K * Th ->
  norm (vsub (vscal (/ R) p) what) * norm (vsub (vscal (/ R) p) what) <= K / R /\
  norm (vsub (unit p) what) * norm (vsub (unit p) what) <= K / R.
Proof.
  intros R0_pos R_large Np X HD HK. assert (T := Th_pos). assert (Rp : 0 < R) by lra.
  assert (Dp : D / Th < R) by (apply Rmult_lt_reg_r with Th; auto; replace (D / Th * Th) with D by (field; lra); assert (R0 * Th <= R * Th) by (apply Rmult_le_compat_r; lra); lra).
  assert (Hd : 2 * (D / Th) <= K) by (apply Rmult_le_reg_r with Th; auto; replace (2 * (D / Th) * Th) with (2 * D) by (field; lra); lra).
  assert (Hp : 0 < dot p what) by lra. assert (Cs : dot p what <= norm p).
  { assert (C := cauchy_schwarz p what). assert (Nw : norm what = 1) by (unfold norm; rewrite what_unit; apply sqrt_1). rewrite Nw in C. lra. }
  assert (P0 : 0 < norm p) by lra.
  split.
  - rewrite norm_sub_sqr, !dot_scal_l, dot_scal_r, what_unit, <- norm_sqr. assert (norm p * norm p <= R * R) by (apply Rmult_le_compat; lra).
    replace (K / R) with (/ R * / R * (R * K)) by (field; lra). replace (/ R * (/ R * (norm p * norm p)) - 2 * (/ R * dot p what) + 1) with (/ R * / R * (norm p * norm p - 2 * R * dot p what + R * R)) by (field; lra).
    apply Rmult_le_compat_l; [left; apply Rmult_lt_0_compat; now apply Rinv_0_lt_compat|]. nra.
  - change what with (unit w). rewrite (unit_distance p w P0 w_pos). change (unit w) with what.
    apply Rmult_le_reg_r with (R * norm p); [nra|]. replace (2 * (1 - dot p what / norm p) * (R * norm p)) with (2 * R * (norm p - dot p what)) by (field; lra).
    replace (K / R * (R * norm p)) with (K * norm p) by (field; lra).
    (* norm p - w^.p <= (D/Th) norm p / R *)
    assert (R * (norm p - dot p what) <= D / Th * norm p).
    { assert (D0 : 0 <= D / Th) by lra. nra. }
    nra.
Qed.

(** What bounds an exponential sum over S from above bounds w^.p from below. *)
Lemma direction_from_sum p ka R B : (forall c, In c listed -> 0 < ka c) -> 0 < B -> sum listed (fun c => ka c * exp (- dot (a c) p)) <= exp (- (R * Th)) * B -> R - (ln B - H ka) / Th <= dot p what.
Proof.
  intros Hk Pb S. assert (T := Th_pos). assert (J := F2 ka p Hk).
  assert (X : exp (H ka - Th * dot p what) <= exp (- (R * Th)) * B) by lra.
  assert (Y : H ka - Th * dot p what <= - (R * Th) + ln B).
  { rewrite <- (ln_exp (H ka - Th * dot p what)), <- (ln_exp (- (R * Th))), <- ln_mult by auto using exp_pos.
    destruct X as [X|X]; [left; apply ln_increasing; auto; apply exp_pos|right; now rewrite X]. }
  apply Rmult_le_reg_l with Th; auto. replace (Th * (R - (ln B - H ka) / Th)) with (R * Th - (ln B - H ka)) by (field; lra). lra.
Qed.

(** The two stages of theorem P: p is not worse than a point x whose rows are large. *)
Section Stages.
Variables (h : R) (mui Mi : nat -> R) (p x : E).
Variable h_small : forall c, In c rows -> h < De c.
Variable near : forall i, (i < n)%nat -> 0 < mui i /\ forall u, score P i (al i) - h <= u <= score P i (al i) -> lo <= u -> mui i <= - slope u <= Mi i.
Variable better : L P loss p <= L P loss x.
Variable reach : M1 * sum rows (fun c => De c * exp (- dot (a c) x)) <= mu * h.
Definition ka c := mui (fst c) * (De c - h).

Lemma deficits_x : sum (seq 0 n) (fun i => deficit P al x i) <= sum rows (fun c => De c * exp (- dot (a c) x)).
Proof. rewrite <- sum_by_sample. apply sum_le. intros i Hi. apply in_seq in Hi. apply G_upper. lia. Qed.
Lemma F_below : F p <= F x.
Proof.
  assert (M := better). rewrite !L_F in M. assert (Pn : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR, n_pos). apply Rmult_le_reg_l with (/ INR n); lra.
Qed.
Lemma near_excess y i : (i < n)%nat -> deficit P al y i <= h -> mui i * deficit P al y i <= excess y i <= Mi i * deficit P al y i.
Proof.
  intros Hi Hh. apply excess_between; auto. intros u Hu. destruct (near i Hi) as [_ Nr]. unfold deficit in Hh. assert (O := output_in y i Hi). apply Nr; lra.
Qed.

(** First stage: G_i <= h at p and at x. *)
Lemma first_stage i : (i < n)%nat -> deficit P al p i <= h /\ deficit P al x i <= h.
Proof.
  intros Hi. assert (MP := M1_pos). assert (Dx := deficits_x).
  assert (Mx : M1 * sum (seq 0 n) (fun i => deficit P al x i) <= mu * h) by (apply Rle_trans with (2 := reach); apply Rmult_le_compat_l; lra).
  assert (A : sum (seq 0 n) (fun i => deficit P al x i) <= h).
  { assert (0 <= sum (seq 0 n) (fun i => deficit P al x i)) by (apply sum_nonneg; intros j Hj; apply in_seq in Hj; apply G_nonneg; lia). nra. }
  assert (B : mu * sum (seq 0 n) (fun i => deficit P al p i) <= mu * h).
  { apply Rle_trans with (F p).
    - rewrite <- sum_scal. apply sum_le. intros j Hj. apply in_seq in Hj. apply excess_global. lia.
    - apply Rle_trans with (1 := F_below). apply Rle_trans with (2 := Mx). rewrite <- sum_scal. apply sum_le. intros j Hj. apply in_seq in Hj. apply excess_global. lia. }
  apply Rmult_le_reg_l in B; auto.
  split; [apply Rle_trans with (2 := B)|apply Rle_trans with (2 := A)].
  - apply (sum_term (seq 0 n) (fun i => deficit P al p i)); [apply in_seq; lia|]. intros j Hj. apply in_seq in Hj. apply G_nonneg. lia.
  - apply (sum_term (seq 0 n) (fun i => deficit P al x i)); [apply in_seq; lia|]. intros j Hj. apply in_seq in Hj. apply G_nonneg. lia.
Qed.

Lemma Mi_nonneg i : (i < n)%nat -> 0 <= h -> 0 <= Mi i.
Proof. intros Hi Hh. destruct (near i Hi) as [P0 Nr]. assert (S := score_in i (al i) Hi (sel i Hi)). specialize (Nr (score P i (al i)) ltac:(lra) ltac:(lra)). lra. Qed.
Lemma h_nonneg : 0 <= h.
Proof.
  assert (MP := M1_pos). assert (0 <= sum rows (fun c => De c * exp (- dot (a c) x))) by (apply sum_nonneg; intros c Hc; apply Rmult_le_pos; [left; now apply gap_pos|left; apply exp_pos]). nra.
Qed.
Lemma ka_pos c : In c rows -> 0 < ka c.
Proof.
  intros Hc. unfold ka. assert (Hi := row_sample c Hc). destruct (near _ Hi) as [P0 _].
  specialize (h_small c Hc). apply Rmult_lt_0_compat; lra.
Qed.

(** Second stage. *)
Lemma second_stages : sum rows (fun c => ka c * exp (- dot (a c) p)) <= sum rows (fun c => Mi (fst c) * De c * exp (- dot (a c) x)).
Proof.
  apply Rle_trans with (F p).
  - rewrite <- sum_by_sample. apply sum_le. intros i Hi. apply in_seq in Hi. assert (Hi' : (i < n)%nat) by lia.
    destruct (first_stage i Hi') as [Gp _]. destruct (near i Hi') as [P0 _].
    apply Rle_trans with (2 := proj1 (near_excess p i Hi' Gp)). rewrite (F3 p i Hi') at 1. rewrite <- sum_scal. apply sum_le. intros t Ht.
    unfold ka. simpl fst. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [left; apply exp_pos|]. lra.
  - apply Rle_trans with (1 := F_below). rewrite <- sum_by_sample. apply sum_le. intros i Hi. apply in_seq in Hi. assert (Hi' : (i < n)%nat) by lia.
    destruct (first_stage i Hi') as [_ Gq]. apply Rle_trans with (1 := proj2 (near_excess x i Hi' Gq)).
    simpl fst. rewrite (sum_ext _ _ (fun t => Mi i * (De (i, t) * exp (- dot (a (i, t)) x)))) by (intros; ring). rewrite sum_scal.
    apply Rmult_le_compat_l; [apply Mi_nonneg; auto using h_nonneg|]. now apply G_upper.
Qed.
End Stages.

Section AtRadius.
(** Clauses 4 to 8 with the numbers at R0. *)
Variables (R0 h : R) (mui Mi : nat -> R).
Variable R0_pos : 0 < R0.
Variable omega_short : om2 < R0 * R0.
Variable h_pos : 0 < h.
Variable h_small : forall c, In c rows -> h < De c.
Variable h_reach : M1 * exp (- (R0 * Th)) * sum rows (fun c => De c * ec R0 c) <= mu * h.
Variable near : forall i, (i < n)%nat -> 0 < mui i /\ forall u, score P i (al i) - h <= u <= score P i (al i) -> lo <= u -> mui i <= - slope u <= Mi i.
Notation ka := (ka h mui).
Definition V := sum rows (fun c => Mi (fst c) * De c * ec R0 c).
Definition D := ln V - H ka.

Variable R : R.
Variable R_large : R0 <= R.

Lemma comp_weights (g : nat * nat -> Rdefinitions.RbaseSymbolsImpl.R) : (forall c, In c rows -> 0 <= g c) ->
  sum rows (fun c => g c * exp (- dot (a c) (comp R))) <= exp (- (R * Th)) * sum rows (fun c => g c * ec R0 c).
Proof.
  intros Hg. rewrite <- sum_scal. apply sum_le. intros c Hc. rewrite comp_row by auto.
  assert (X := ec_decreases R R0 c Hc R0_pos R_large omega_short). assert (Pe := exp_pos (- (R * Th))). specialize (Hg c Hc).
  replace (g c * (exp (- (R * Th)) * ec R c)) with (exp (- (R * Th)) * (g c * ec R c)) by ring. apply Rmult_le_compat_l; [lra|]. now apply Rmult_le_compat_l.
Qed.

Lemma exp_R : exp (- (R * Th)) <= exp (- (R0 * Th)).
Proof. apply exp_pos_le. assert (T := Th_pos). assert (R0 * Th <= R * Th) by (apply Rmult_le_compat_r; lra). lra. Qed.

Lemma comp_reach : M1 * sum rows (fun c => De c * exp (- dot (a c) (comp R))) <= mu * h.
Proof.
  apply Rle_trans with (2 := h_reach). assert (MP := M1_pos).
  apply Rle_trans with (M1 * (exp (- (R * Th)) * sum rows (fun c => De c * ec R0 c))).
  - apply Rmult_le_compat_l; [lra|]. exact (comp_weights De (fun c Hc => Rlt_le _ _ (gap_pos c Hc))).
  - assert (0 <= sum rows (fun c => De c * ec R0 c)) by (apply sum_nonneg; intros c Hc; apply Rmult_le_pos; [left; now apply gap_pos|left; apply exp_pos]).
    assert (X := exp_R). rewrite <- Rmult_assoc. apply Rmult_le_compat_r; auto. apply Rmult_le_compat_l; lra.
Qed.

Section Minimiser.
Variable p : E.
Variable minimal : is_minimiser R p.

Lemma omega_R : om2 < R * R.
Proof. nra. Qed.
Lemma below_comp : L P loss p <= L P loss (comp R).
Proof. destruct minimal as [_ M]. apply M. rewrite comp_norm; [lra|lra|apply omega_R]. Qed.

(** Second stage: Sum_c kappa_c exp(-y_c) <= exp(-R Theta) V over all rows. *)
Theorem second_stage : sum rows (fun c => ka c * exp (- dot (a c) p)) <= exp (- (R * Th)) * V.
Proof.
  apply Rle_trans with (1 := second_stages h mui Mi p (comp R) near below_comp comp_reach).
  apply (comp_weights (fun c => Mi (fst c) * De c)). intros c Hc. apply Rmult_le_pos; [|left; now apply gap_pos]. apply (Mi_nonneg h mui Mi near); [now apply row_sample|lra].
Qed.

(** Row by row. *)
Theorem envelope_rows c : In c rows -> exp (- dot (a c) p) <= exp (- (R * Th)) * V / ka c.
Proof.
  intros Hc. assert (K := ka_pos h mui Mi h_small near c Hc). apply Rmult_le_reg_l with (ka c); auto. replace (ka c * (exp (- (R * Th)) * V / ka c)) with (exp (- (R * Th)) * V) by (field; lra).
  apply Rle_trans with (2 := second_stage). apply (sum_term rows (fun c => ka c * exp (- dot (a c) p)) c Hc).
  intros e He. apply Rmult_le_pos; [left; now apply (ka_pos h mui Mi h_small near)|left; apply exp_pos].
Qed.

(** w^.p >= R - D/Theta *)
Theorem envelope_direction : R - D / Th <= dot p what.
Proof.
  assert (S2 := second_stage). assert (Kp := fun c Hc => ka_pos h mui Mi h_small near c (proj1 (proj1 (in_listed c) Hc))).
  assert (Ls : sum listed (fun c => ka c * exp (- dot (a c) p)) <= exp (- (R * Th)) * V).
  { apply Rle_trans with (2 := S2). unfold listed. rewrite sum_filter. apply sum_le. intros c Hc. assert (K := ka_pos h mui Mi h_small near c Hc). assert (Pe := exp_pos (- dot (a c) p)). destruct (if Req_EM_T (lam c) 0 then false else true); nra. }
  apply direction_from_sum; auto. assert (Pe := exp_pos (- (R * Th))). assert (J := F2 ka p Kp). assert (Pe' := exp_pos (H ka - Th * dot p what)). nra.
Qed.

Theorem envelope_distance : norm (vsub p (vscal R what)) * norm (vsub p (vscal R what)) <= 2 * R * (D / Th).
Proof.
  rewrite norm_sub_sqr, !dot_scal_r, !dot_scal_l, what_unit. assert (X := envelope_direction). destruct minimal as [Np _]. assert (P0 := norm_pos p).
  rewrite <- norm_sqr. assert (norm p * norm p <= R * R) by (apply Rmult_le_compat; lra). nra.
Qed.

(** The statement of the rule. *)
Theorem envelope K : D < R0 * Th -> 2 * D <= K * Th ->
  norm (vsub (vscal (/ R) p) what) * norm (vsub (vscal (/ R) p) what) <= K / R /\
  norm (vsub (unit p) what) * norm (vsub (unit p) what) <= K / R.
Proof. exact (from_direction p R0 R D K R0_pos R_large (proj1 minimal) envelope_direction). Qed.

(** (v): the gradient is not 0 at p, so p is on the sphere. *)
Theorem envelope_sphere : norm p = R.
Proof.
  destruct minimal as [Np Mp]. destruct (Req_dec (norm p) R) as [|Ne]; auto. exfalso. assert (Lt : norm p < R) by lra.
  set (f := fun tau => L P loss (vadd p (vscal tau w))). set (G := minus_gradient P slope al p).
  assert (Gw : 0 < dot G w).
  { unfold G, minus_gradient. rewrite combination_dot. apply sum_pos_all; auto. intros c Hc. assert (T := th_ge c Hc). unfold th in T. apply Rmult_lt_0_compat; [|lra].
    assert (Hi := row_sample c Hc). destruct (first_stage h p (comp R) below_comp comp_reach _ Hi) as [Gp _]. assert (Hs := h_small c Hc). unfold weight.
    assert (Sl := slopes _ (output_in p _ Hi)). assert (Pn : 0 < INR n) by apply lt_0_INR, n_pos.
    assert (At : 0 < attention P p (fst c) (snd c)). { destruct c as [i t]. apply in_rows in Hc. simpl. apply (attention_le_1 P loss slope lo hi p i t Reg); tauto. }
    apply Rmult_lt_0_compat; [|lra]. apply Rmult_lt_0_compat; auto. apply Rdiv_lt_0_compat; lra. }
  assert (Df : is_derive f 0 (- dot G w)).
  { apply is_derive_value with (1 := gradient P loss slope lo hi al p w 0 Reg sel). f_equal. apply (gradient_same P slope al), line_start. }
  apply is_derive_Reals in Df. destruct (Df (dot G w / 2) ltac:(lra)) as [de Hde].
  assert (W := w_pos). set (tau := Rmin (de / 2) ((R - norm p) / norm w)).
  assert (Pd := cond_pos de). assert (Pq : 0 < (R - norm p) / norm w) by (apply Rdiv_lt_0_compat; lra).
  assert (Pt : 0 < tau) by (apply Rmin_pos; lra).
  assert (T1 : tau <= de / 2) by apply Rmin_l. assert (T2 : tau <= (R - norm p) / norm w) by apply Rmin_r.
  specialize (Hde tau ltac:(lra) ltac:(rewrite Rabs_pos_eq; lra)). rewrite Rplus_0_l in Hde.
  apply Rabs_def2 in Hde. destruct Hde as [Hde _].
  assert (Lo : f tau < f 0). { assert (X : (f tau - f 0) / tau < 0) by lra. apply Rmult_lt_compat_r with (r := tau) in X; auto. replace ((f tau - f 0) / tau * tau) with (f tau - f 0) in X by (field; lra). lra. }
  assert (Nt : norm (vadd p (vscal tau w)) <= R).
  { apply Rle_trans with (1 := norm_triangle _ _). rewrite norm_scal, Rabs_pos_eq by lra. assert (tau * norm w <= (R - norm p) / norm w * norm w) by (apply Rmult_le_compat_r; lra).
    replace ((R - norm p) / norm w * norm w) with (R - norm p) in H0 by (field; lra). lra. }
  specialize (Mp _ Nt). fold (f tau) in Mp. assert (F0 : f 0 = L P loss p) by (apply (loss_same P loss), line_start). lra.
Qed.
End Minimiser.
End AtRadius.
End Envelope.
