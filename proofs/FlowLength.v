(** The curve of gradient flow measured by its length (docs/certificate.md 4.20, flow over p; docs/theory.md 6.5, "Flow").  Where |g| >= m > 0 on the ball of radius e + h around C, g = -grad L, from every point within
    e of C there is a curve c with c' = g(c)/|g(c)| for a length of h, and it runs through the points of the flow p' = g(p): `piece_exists`.  So a flow that is within e of C at a time is at a later one within
    exp(x) e + (h/2) N + delta of C', with the x, N, delta of `flow_ball`: `flow_piece`; and by pieces from the start to the point p_K of a rule: `flow_run`.
    c is the curve of g/max(|g|, m), which is Lipschitz everywhere; the time t has the length sigma(t), sigma' = max(|g(c(sigma))|, m), so that p(t) = c(sigma(t)). *)
From Coq Require Import Reals List Lra Lia Psatz Arith Ranalysis5.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Limits Flow Enclosure EnclosurePiece FlowExists FlowModel.
Import ListNotations.
Open Scope R_scope.

Lemma norm_sub_sym {E : space} (x y : E) : norm (vsub y x) = norm (vsub x y).
Proof. apply Rsqr_inj; try apply norm_pos. unfold Rsqr. rewrite !norm_sub_sqr, (dot_sym y x). ring. Qed.

Lemma norm_near {E : space} (x y : E) : Rabs (norm x - norm y) <= norm (vsub x y).
Proof.
  assert (H : forall u v : E, norm u <= norm v + norm (vsub u v)).
  { intros u v. assert (S : same u (vadd v (vsub u v))) by (intros z; rewrite dot_add_l, dot_sub_l; ring). rewrite (same_norm _ _ S) at 1. apply norm_triangle. }
  assert (A := H x y). assert (B := H y x). rewrite (norm_sub_sym x y) in B. apply Rabs_le. lra.
Qed.

Lemma curve_comp {E : space} (c : R -> E) (u : R -> R) t g k : curve_derives c (u t) g -> is_derive u t k -> curve_derives (fun s => c (u s)) t (vscal k g).
Proof.
  intros [D1 D2] Du. split.
  - intros z. apply is_derive_value with (scal k (dot g z)); [|now rewrite dot_scal_l]. exact (is_derive_comp (fun s => dot (c s) z) u t _ _ (D1 z) Du).
  - apply is_derive_value with (scal k (2 * dot g (c (u t)))); [|rewrite dot_scal_l; change (k * (2 * dot g (c (u t))) = 2 * (k * dot g (c (u t)))); ring]. exact (is_derive_comp (fun s => dot (c s) (c s)) u t _ _ D2 Du).
Qed.

Section Length.
Context {E : space}.
Variable P : problem E.
Variables loss slope curv : R -> R.
Variables lo hi M0 : R.
Variable al : nat -> nat.
Variable Reg : regular P loss slope lo hi.
Variable lipschitz : forall y, lo <= y <= hi -> is_derive slope y (curv y) /\ Rabs (curv y) <= M0.
Notation g := (minus_gradient P slope al).
Notation V q := (unit (g q)).
Notation DV := (direction_derivative P slope curv al).
Notation flows := (flows P slope al).

Section Slowed.
Variable m : R.
Variable m_pos : 0 < m.
Definition speed q := Rmax (norm (g q)) m.
Definition slowed q : E := vscal (/ speed q) (g q).

Lemma speed_pos q : m <= speed q.
Proof. apply Rmax_r. Qed.

Lemma speed_lips : exists K, 0 <= K /\ forall x y, Rabs (speed x - speed y) <= K * norm (vsub x y).
Proof.
  destruct (gradient_lips P loss slope curv lo hi M0 al Reg lipschitz) as (K & HK & L). exists K. split; auto. intros x y.
  apply Rle_trans with (2 := L x y), Rle_trans with (2 := norm_near _ _). unfold speed. set (u := norm (g x)). set (v := norm (g y)).
  assert (A := Rle_abs (u - v)). assert (B := Rle_abs (- (u - v))). rewrite Rabs_Ropp in B. assert (C := Rabs_pos (u - v)). unfold Rmax. destruct (Rle_dec u m), (Rle_dec v m); apply Rabs_le; lra.
Qed.

Lemma inverse_lips : lips (fun q => / speed q).
Proof.
  destruct speed_lips as (K & HK & L). exists (/ m), (K * (/ m * / m)). assert (Pm := Rinv_0_lt_compat m m_pos). split; [lra|]. split; [nra|].
  assert (B : forall q, 0 < / speed q <= / m) by (intros q; assert (S := speed_pos q); split; [apply Rinv_0_lt_compat; lra|now apply Rinv_le_contravar]).
  intros x y. split; [destruct (B x); rewrite Rabs_pos_eq; lra|]. assert (Sx := speed_pos x). assert (Sy := speed_pos y).
  replace (/ speed x - / speed y) with ((speed y - speed x) * (/ speed x * / speed y)) by (field; lra). rewrite Rabs_mult, Rabs_minus_sym. destruct (B x) as [X1 X2]. destruct (B y) as [Y1 Y2].
  rewrite (Rabs_pos_eq (/ speed x * / speed y)) by nra. replace (K * (/ m * / m) * norm (vsub x y)) with (K * norm (vsub x y) * (/ m * / m)) by ring.
  apply Rmult_le_compat; auto using Rabs_pos; [nra|]. apply Rmult_le_compat; lra.
Qed.

Lemma slowed_short q : norm (slowed q) <= 1.
Proof.
  unfold slowed. assert (S := speed_pos q). assert (N : norm (g q) <= speed q) by apply Rmax_l. rewrite norm_scal, Rabs_pos_eq by (left; apply Rinv_0_lt_compat; lra).
  rewrite <- (Rinv_l (speed q)) by lra. apply Rmult_le_compat_l; auto. left. apply Rinv_0_lt_compat. lra.
Qed.

Lemma slowed_exists p0 : exists c : R -> E, c 0 = p0 /\ forall s, 0 <= s -> curve_derives c s (slowed (c s)).
Proof.
  destruct (lips_uniform (rows P al) (fun x c => weight P slope al x c * / speed x)) as (K & HK & L).
  { intros c Hc. apply (lips_mult (fun x => weight P slope al x c) (fun x => / speed x)); [now apply (weight_lips P loss slope curv lo hi M0 al Reg lipschitz)|exact inverse_lips]. }
  destruct (field_exists (rows P al) (row P al) p0 _ K HK L) as (c & C0 & F). exists c. split; [exact C0|]. intros s Hs.
  apply curve_same with (3 := F s Hs); [intros; apply same_refl|]. intros z. unfold slowed, minus_gradient. rewrite dot_scal_l, !dot_vsum_l, <- sum_scal. apply sum_ext. intros e _. rewrite !dot_scal_l. ring.
Qed.

Lemma length_moves (c : R -> E) : (forall s, 0 <= s -> curve_derives c s (slowed (c s))) -> forall s t, 0 <= s -> 0 <= t -> norm (vsub (c s) (c t)) <= Rabs (s - t).
Proof.
  intros F. assert (Up : forall s t, 0 <= s -> s <= t -> norm (vsub (c t) (c s)) <= t - s).
  { intros s t Hs Ht. assert (X := moved slowed (t - s) slowed_short (fun r => c (s + r)) (t - s) (fun r Hr => curve_from c s r _ (F (s + r) ltac:(lra))) ltac:(lra)).
    cbv beta in X. rewrite Rplus_0_r in X. replace (s + (t - s)) with t in X by ring. exact X. }
  intros s t Hs Ht. destruct (Rle_or_lt t s) as [Le|Gt]; [rewrite Rabs_pos_eq by lra; now apply Up|]. rewrite Rabs_minus_sym, Rabs_pos_eq, norm_sub_sym by lra. apply Up; lra.
Qed.

(** The flow runs through the points of c. *)
Lemma length_time (c p : R -> E) s : (forall s, 0 <= s -> curve_derives c s (slowed (c s))) -> flows p -> same (c 0) (p 0) -> 0 <= s -> exists t, 0 <= t /\ same (c s) (p t).
Proof.
  intros F Fp S0 Hs. destruct speed_lips as (K & HK & L).
  destruct (system_exists [0%nat] (fun x _ => speed (c (Rabs (x 0%nat)))) K (fun _ => 0)) as (sg & G0 & Dg); auto.
  { intros x y e _. simpl. rewrite Rplus_0_r. apply Rle_trans with (1 := L _ _). apply Rmult_le_compat_l; auto. apply Rle_trans with (1 := length_moves c F _ _ (Rabs_pos _) (Rabs_pos _)). apply Rabs_triang_inv2. }
  set (u := fun t => sg t 0%nat). assert (D : forall t, 0 <= t -> is_derive u t (speed (c (Rabs (u t))))) by (intros t Ht; apply (Dg t 0%nat); auto; now left).
  assert (Far : forall t, 0 <= t -> m * t <= u t).
  { intros t Ht. assert (X : u 0 - m * 0 <= u t - m * t).
    { apply (rises (fun t => u t - m * t) (fun t => speed (c (Rabs (u t))) - m)); auto; intros r Hr; [|assert (Q := speed_pos (c (Rabs (u r)))); lra].
      apply is_derive_diff; [apply D; lra|]. apply is_derive_value with (m * 1); [|ring]. apply is_derive_scal, (is_derive_id (K := R_AbsRing)). }
    unfold u at 1 in X. rewrite G0 in X. lra. }
  assert (Pu : forall t, 0 <= t -> 0 <= u t) by (intros t Ht; apply Rle_trans with (2 := Far t Ht); nra).
  assert (Fc : flows (fun t => c (u t))).
  { intros t Ht. assert (X := curve_comp c u t _ _ (F (u t) (Pu t Ht)) (D t Ht)). rewrite (Rabs_pos_eq (u t)) in X by auto. apply curve_same with (3 := X); [intros; apply same_refl|].
    intros z. unfold slowed. rewrite !dot_scal_l. assert (Q := speed_pos (c (u t))). field. lra. }
  destruct (f_interv_is_interv u 0 (s / m + 1) s) as (t & Ht & Eq).
  - assert (0 <= s / m) by (apply Rle_mult_inv_pos; lra). lra.
  - assert (0 <= s / m) by (apply Rle_mult_inv_pos; lra). split; [unfold u; now rewrite G0|]. apply Rle_trans with (2 := Far (s / m + 1) ltac:(lra)). replace (m * (s / m + 1)) with (s + m) by (field; lra). lra.
  - intros t Ht. apply derive_continuity with (1 := D t ltac:(lra)).
  - exists t. split; [lra|]. rewrite <- Eq. apply (flow_unique P loss slope curv lo hi M0 al Reg lipschitz (fun t => c (u t)) p Fc Fp); [|lra]. intros z. unfold u. rewrite G0. apply S0.
Qed.
End Slowed.

(** From a point p0 within e of C there is the curve by its length, up to h; it runs through the points of the flow from p0. *)
Theorem piece_exists C e h m p0 : 0 < m -> (forall q, norm (vsub q C) <= e + h -> m <= norm (g q)) -> norm (vsub p0 C) <= e ->
  exists c : R -> E, c 0 = p0 /\ (forall s, 0 <= s <= h -> curve_derives c s (V (c s))) /\ forall p, flows p -> p 0 = p0 -> forall s, 0 <= s -> exists t, 0 <= t /\ same (c s) (p t).
Proof.
  intros Hm Big S0. destruct (slowed_exists m Hm p0) as (c & C0 & F). exists c. split; [exact C0|]. split.
  - intros s Hs. assert (X := F s ltac:(lra)). assert (Q : norm (vsub (c s) C) <= e + h).
    { assert (Sm : same (vsub (c s) C) (vadd (vsub (c s) (c 0)) (vsub (c 0) C))) by (intros z; rewrite dot_add_l, !dot_sub_l; ring). rewrite (same_norm _ _ Sm).
      apply Rle_trans with (1 := norm_triangle _ _). assert (Mv := length_moves m Hm c F s 0 ltac:(lra) ltac:(lra)). rewrite Rminus_0_r, Rabs_pos_eq in Mv by lra. rewrite C0 at 2. lra. }
    apply Big in Q. unfold slowed, speed in X. rewrite Rmax_left in X by exact Q. exact X.
  - intros p Fp P0 s Hs. apply (length_time m Hm c p s F Fp); auto. rewrite C0, P0. apply same_refl.
Qed.

Variable sel : selection P al.

(** What the rule shows of a piece: from the ball of radius e around C to that of radius e' around C'. *)
Definition piece_shown C e C' e' := exists h t x N delta m, 0 < h /\ 0 < t /\ 0 <= N /\ 0 < m /\
  (forall q, norm (vsub q C) <= e + h -> m <= norm (g q)) /\
  (forall q u z, norm (vsub q C) <= e + h -> dot u z + t * (h * DV q u z) <= (1 + t * x) * (norm u * norm z)) /\
  (forall q u z, norm (vsub q C) <= e + h -> h * DV q u z <= N * (norm u * norm z)) /\
  norm (vsub (vadd C (vscal h (V C))) C') <= delta /\ exp x * e + h / 2 * N + delta <= e'.

Theorem flow_piece C e C' e' p t0 : piece_shown C e C' e' -> flows p -> 0 <= t0 -> norm (vsub (p t0) C) <= e -> exists t1, t0 <= t1 /\ norm (vsub (p t1) C') <= e'.
Proof.
  intros (h & t & x & N & delta & m & Hh & Ht & HN & Hm & Big & Part & Turn & Hd & He) Fp T0 S0.
  assert (E0 : norm (vsub C C) <= e) by (apply Rle_trans with (2 := S0); rewrite (proj1 (same_norm_sub C C) (same_refl C)); apply norm_pos).
  destruct (piece_exists C e h m (p t0) Hm Big S0) as (y & Y0 & Fy & Ty). destruct (piece_exists C e h m C Hm Big E0) as (c & C0 & Fc & _).
  assert (Fs : flows (fun s => p (t0 + s))) by (intros s Hs; apply curve_from, Fp; lra).
  destruct (Ty _ Fs (f_equal p (Rplus_0_r t0)) h (Rlt_le _ _ Hh)) as (t1 & H1 & Sm). exists (t0 + t1). split; [lra|].
  assert (B := flow_ball P loss slope curv lo hi al Reg (fun r Hr => proj1 (lipschitz r Hr)) sel C C' e h t x N delta y c Hh Ht HN (fun q Hq => Rlt_le_trans _ _ _ Hm (Big q Hq)) Part Turn Fy Fc).
  rewrite Y0, C0 in B. specialize (B S0 (same_refl C) Hd). apply Rle_trans with (2 := He), Rle_trans with (2 := B). right. apply same_norm. intros z. now rewrite !dot_sub_l, (Sm z).
Qed.

(** By K pieces: the flow from within e_0 of C_0 comes within e_K of C_K. *)
Theorem flow_run (C : nat -> E) (e : nat -> R) K p : (forall k, (k < K)%nat -> piece_shown (C k) (e k) (C (S k)) (e (S k))) -> flows p -> norm (vsub (p 0) (C 0%nat)) <= e 0%nat ->
  exists t, 0 <= t /\ norm (vsub (p t) (C K)) <= e K.
Proof.
  intros H Fp S0. induction K as [|K IH]; [exists 0; split; [lra|exact S0]|]. destruct IH as (t0 & T0 & St); [intros k Hk; apply H; lia|].
  destruct (flow_piece _ _ _ _ p t0 (H K (Nat.lt_succ_diag_r K)) Fp T0 St) as (t1 & T1 & S1). exists t1. split; [lra|exact S1].
Qed.
End Length.
