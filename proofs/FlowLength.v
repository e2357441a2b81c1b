(** The curve of gradient flow measured by its length (docs/certificate.md 4.20, flow over p; docs/theory.md 6.5, "Flow").  The flow p' = g(p), g = -grad L, has from time a to b the length of the integral
    of |g(p)| there: `has_length`; two times at the same length from 0 are at the same point: `length_point`.  Where |g| >= m > 0 on the ball of radius e + h around C, from every point within
    e of C there is a curve c with c' = g(c)/|g(c)| for a length of h, and c(s) is the point of the flow at length s: `piece_exists`.  So a flow that is within e of C at a time is, a length of h later, within
    exp(x) e + (h/2) N + delta of C', with the x, N, delta of `flow_ball`: `flow_piece`; and by K pieces its point p_K at length K h from the start is within e_K of C_K: `flow_run`, and `flow_run_on` for what the flow
    from p_K on does.
    c is the curve of g/max(|g|, m), which is Lipschitz everywhere; the time t has the length sigma(t), sigma' = max(|g(c(sigma))|, m), so that p(t) = c(sigma(t)), and sigma' = |g(p)| up to length h. *)
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

(** A Lipschitz function along a curve. *)
Lemma curve_continuous {E : space} (f : E -> R) K (p : R -> E) t d : (forall x y, Rabs (f x - f y) <= K * norm (vsub x y)) -> curve_derives p t d -> continuous (fun r => f (p r)) t.
Proof.
  intros L D. assert (Cn : continuous (fun s => norm (vsub (p s) (p t))) t).
  { apply (continuous_comp (fun s => dot (vsub (p s) (p t)) (vsub (p s) (p t))) sqrt); [|apply continuous_sqrt]. apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)). eexists. exact (curve_moves p t d D). }
  apply filterlim_locally. intros eps. assert (K1 : 0 < Rabs K + 1) by (assert (X := Rabs_pos K); lra).
  assert (Z : norm (vsub (p t) (p t)) = 0) by (apply same_norm_sub, same_refl).
  apply filter_imp with (2 := proj1 (filterlim_locally _ _) Cn (mkposreal _ (Rdiv_lt_0_compat _ _ (cond_pos eps) K1))). intros r Hr. unfold ball in *. simpl in *. unfold AbsRing_ball, abs, minus, plus, opp in *. simpl in *.
  rewrite Z, Ropp_0, Rplus_0_r, Rabs_pos_eq in Hr by apply norm_pos. apply Rle_lt_trans with (1 := L (p r) (p t)). assert (Nn := norm_pos (vsub (p r) (p t))). assert (A := Rle_abs K).
  apply Rle_lt_trans with ((Rabs K + 1) * norm (vsub (p r) (p t))); [nra|]. replace (pos eps) with ((Rabs K + 1) * (eps / (Rabs K + 1))) by (field; lra). now apply Rmult_lt_compat_l.
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

(** ** The length of the flow from time a to b *)
Definition has_length (p : R -> E) (a b l : R) := is_RInt (fun r => norm (g (p r))) a b l.

Lemma pull_continuous p r : flows p -> 0 <= r -> continuous (fun r => norm (g (p r))) r.
Proof.
  intros Fp Hr. destruct (gradient_lips P loss slope curv lo hi M0 al Reg lipschitz) as (K & _ & L). apply (curve_continuous (fun q => norm (g q)) K p r (g (p r))); [|now apply Fp].
  intros x y. apply Rle_trans with (2 := L x y), norm_near.
Qed.

Lemma length_chord p a b l : flows p -> 0 <= a -> a <= b -> has_length p a b l -> norm (vsub (p b) (p a)) <= l.
Proof.
  intros Fp Ha Hb Hl. set (z := vsub (p b) (p a)). destruct (gradient_lips P loss slope curv lo hi M0 al Reg lipschitz) as (K & _ & L).
  assert (I : is_RInt (fun r => dot (g (p r)) z) a b (minus (dot (p b) z) (dot (p a) z))).
  { apply (is_RInt_derive (V := R_CompleteNormedModule) (fun r => dot (p r) z)); intros r Hr; rewrite Rmin_left in Hr by lra; [apply (Fp r ltac:(lra))|].
    apply (curve_continuous (fun q => dot (g q) z) (K * norm z) p r (g (p r))); [|apply Fp; lra]. intros x y. rewrite <- dot_sub_l. apply Rle_trans with (1 := cauchy_schwarz_abs _ _).
    replace (K * norm z * norm (vsub x y)) with (K * norm (vsub x y) * norm z) by ring. apply Rmult_le_compat_r; [apply norm_pos|apply L]. }
  assert (L0 := is_RInt_le _ _ a b _ _ Hb (is_RInt_const (V := R_NormedModule) a b 0) Hl (fun r _ => norm_pos (g (p r)))). change ((b - a) * 0 <= l) in L0. rewrite Rmult_0_r in L0.
  assert (X := is_RInt_le _ _ a b _ _ Hb I (is_RInt_scal _ a b (norm z) _ Hl) (fun r _ => Rle_trans _ _ _ (cauchy_schwarz (g (p r)) z) (Req_le _ _ (Rmult_comm _ _)))).
  change (dot (p b) z - dot (p a) z <= norm z * l) in X. rewrite <- dot_sub_l in X. fold z in X. rewrite <- norm_sqr in X. assert (Nz := norm_pos z).
  destruct (Req_dec (norm z) 0) as [->|Q]; [exact L0|]. apply Rmult_le_reg_l with (norm z); lra.
Qed.

(** The point at length l is one point. *)
Theorem length_point p t t' l : flows p -> 0 <= t -> 0 <= t' -> has_length p 0 t l -> has_length p 0 t' l -> same (p t) (p t').
Proof.
  intros Fp. assert (Up : forall t t', 0 <= t -> t <= t' -> has_length p 0 t l -> has_length p 0 t' l -> same (p t') (p t)).
  { clear t t'. intros t t' Ht Hle H H'. apply same_norm_sub. apply Rle_antisym; [|apply norm_pos]. apply (length_chord p t t' 0 Fp Ht Hle).
    assert (X := is_RInt_Chasles _ _ _ _ _ _ (is_RInt_swap _ _ _ _ H) H'). rewrite plus_opp_l in X. exact X. }
  intros Ht Ht' H H'. destruct (Rle_or_lt t t') as [Le|Gt]; [apply same_sym|]; apply Up; auto; lra.
Qed.

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

(** The flow runs through the points of c: c(s) is its point at length s, where |g| >= m up to there. *)
Lemma length_time (c p : R -> E) s : (forall s, 0 <= s -> curve_derives c s (slowed (c s))) -> flows p -> same (c 0) (p 0) -> 0 <= s -> (forall r, 0 <= r <= s -> m <= norm (g (c r))) ->
  exists t, 0 <= t /\ has_length p 0 t s /\ same (c s) (p t).
Proof.
  intros F Fp S0 Hs Fast. destruct speed_lips as (K & HK & L).
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
  - assert (Sm : forall r, 0 <= r -> same (c (u r)) (p r)) by (apply (flow_unique P loss slope curv lo hi M0 al Reg lipschitz (fun t => c (u t)) p Fc Fp); intros z; unfold u; rewrite G0; apply S0).
    exists t. split; [lra|]. split; [|rewrite <- Eq; apply Sm; lra].
    assert (U0 : u 0 = 0) by (unfold u; now rewrite G0). assert (V0 : minus (u t) (u 0) = s) by (rewrite U0, Eq; apply Rminus_0_r). rewrite <- V0.
    apply (is_RInt_derive (V := R_CompleteNormedModule) u); intros r Hr; rewrite Rmin_left, Rmax_right in Hr by lra; [|apply pull_continuous; auto; lra].
    apply is_derive_value with (1 := D r ltac:(lra)). rewrite Rabs_pos_eq by (apply Pu; lra). rewrite <- (same_norm _ _ (gradient_same P slope al _ _ (Sm r ltac:(lra)))). apply Rmax_left, Fast. split; [apply Pu; lra|].
    rewrite <- Eq. apply (rises u (fun t => speed (c (Rabs (u t))))); [lra|intros; apply D; lra|]. intros v _. assert (Q := speed_pos (c (Rabs (u v)))). lra.
Qed.
End Slowed.

(** From a point p0 within e of C there is the curve by its length, up to h, and it is that of the flow from p0. *)
Theorem piece_exists C e h m p0 : 0 < m -> (forall q, norm (vsub q C) <= e + h -> m <= norm (g q)) -> norm (vsub p0 C) <= e ->
  exists c : R -> E, c 0 = p0 /\ (forall s, 0 <= s <= h -> curve_derives c s (V (c s))) /\ forall p, flows p -> p 0 = p0 -> forall s, 0 <= s <= h -> exists t, 0 <= t /\ has_length p 0 t s /\ same (c s) (p t).
Proof.
  intros Hm Big S0. destruct (slowed_exists m Hm p0) as (c & C0 & F). exists c. split; [exact C0|]. assert (Fast : forall s, 0 <= s <= h -> m <= norm (g (c s))).
  { intros s Hs. apply Big.
    assert (Sm : same (vsub (c s) C) (vadd (vsub (c s) (c 0)) (vsub (c 0) C))) by (intros z; rewrite dot_add_l, !dot_sub_l; ring). rewrite (same_norm _ _ Sm).
      apply Rle_trans with (1 := norm_triangle _ _). assert (Mv := length_moves m Hm c F s 0 ltac:(lra) ltac:(lra)). rewrite Rminus_0_r, Rabs_pos_eq in Mv by lra. rewrite C0 at 2. lra. }
  split.
  - intros s Hs. assert (X := F s ltac:(lra)). unfold slowed, speed in X. rewrite Rmax_left in X by now apply Fast. exact X.
  - intros p Fp P0 s Hs. apply (length_time m Hm c p s F Fp); [rewrite C0, P0; apply same_refl|apply Hs|]. intros r Hr. apply Fast. lra.
Qed.

Variable sel : selection P al.

(** What the rule shows of a piece of length h: from the ball of radius e around C to that of radius e' around C'. *)
Definition piece_shown h C e C' e' := exists x N delta m, 0 < h /\ 0 <= N /\ 0 < m /\
  (forall q, norm (vsub q C) <= e + h -> m <= norm (g q)) /\
  (forall q u, norm (vsub q C) <= e + h -> h * DV q u u <= x * (norm u * norm u)) /\
  (forall q u z, norm (vsub q C) <= e + h -> h * DV q u z <= N * (norm u * norm z)) /\
  norm (vsub (vadd C (vscal h (V C))) C') <= delta /\ exp x * e + h / 2 * N + delta <= e'.

Lemma length_from p t0 t l : has_length (fun s => p (t0 + s)) 0 t l -> has_length p t0 (t0 + t) l.
Proof.
  intros H. assert (X := is_RInt_comp_lin (fun s => norm (g (p (t0 + s)))) 1 (- t0) t0 (t0 + t) l). replace (1 * t0 + - t0) with 0 in X by ring. replace (1 * (t0 + t) + - t0) with t in X by ring.
  apply is_RInt_ext with (2 := X H). intros r _. replace (t0 + (1 * r + - t0)) with r by ring. apply Rmult_1_l.
Qed.

Theorem flow_piece h C e C' e' p t0 : piece_shown h C e C' e' -> flows p -> 0 <= t0 -> norm (vsub (p t0) C) <= e -> exists t1, t0 <= t1 /\ has_length p t0 t1 h /\ norm (vsub (p t1) C') <= e'.
Proof.
  intros (x & N & delta & m & Hh & HN & Hm & Big & Part & Turn & Hd & He) Fp T0 S0.
  assert (E0 : norm (vsub C C) <= e) by (apply Rle_trans with (2 := S0); rewrite (proj1 (same_norm_sub C C) (same_refl C)); apply norm_pos).
  destruct (piece_exists C e h m (p t0) Hm Big S0) as (y & Y0 & Fy & Ty). destruct (piece_exists C e h m C Hm Big E0) as (c & C0 & Fc & _).
  assert (Fs : flows (fun s => p (t0 + s))) by (intros s Hs; apply curve_from, Fp; lra).
  destruct (Ty _ Fs (f_equal p (Rplus_0_r t0)) h ltac:(lra)) as (t1 & H1 & Hl & Sm). exists (t0 + t1). split; [lra|]. split; [now apply length_from|].
  assert (B := flow_ball P loss slope curv lo hi al Reg (fun r Hr => proj1 (lipschitz r Hr)) sel C C' e h x N delta y c Hh HN (fun q Hq => Rlt_le_trans _ _ _ Hm (Big q Hq)) Part Turn Fy Fc).
  rewrite Y0, C0 in B. specialize (B S0 (same_refl C) Hd). apply Rle_trans with (2 := He), Rle_trans with (2 := B). right. apply same_norm. intros z. now rewrite !dot_sub_l, (Sm z).
Qed.

(** By K pieces: the flow from within e_0 of C_0 has its point at length K h within e_K of C_K. *)
Section Run.
Variables (h : R) (C : nat -> E) (e : nat -> R) (K : nat) (p : R -> E).
Variable pieces : forall k, (k < K)%nat -> piece_shown h (C k) (e k) (C (S k)) (e (S k)).
Variable p_flows : flows p.
Variable p_starts : norm (vsub (p 0) (C 0%nat)) <= e 0%nat.

Theorem flow_run : exists t, 0 <= t /\ has_length p 0 t (INR K * h) /\ norm (vsub (p t) (C K)) <= e K.
Proof.
  induction K as [|k IH]; [exists 0; split; [lra|split; [|exact p_starts]]; simpl; rewrite Rmult_0_l; exact (is_RInt_point (V := R_NormedModule) _ 0)|].
  destruct IH as (t0 & T0 & L0 & S0); [intros j Hj; apply pieces; lia|]. destruct (flow_piece h _ _ _ _ p t0 (pieces k (Nat.lt_succ_diag_r k)) p_flows T0 S0) as (t1 & T1 & L1 & S1).
  exists t1. split; [lra|]. split; [|exact S1]. rewrite S_INR. replace ((INR k + 1) * h) with (plus (INR k * h) h) by (change (INR k * h + h = (INR k + 1) * h); ring). exact (is_RInt_Chasles _ _ _ _ _ _ L0 L1).
Qed.

(** What all flows from that ball do, this flow does from its point at length K h on. *)
Theorem flow_run_on (does : (R -> E) -> Prop) : (forall f, flows f -> norm (vsub (f 0) (C K)) <= e K -> does f) -> exists t, 0 <= t /\ has_length p 0 t (INR K * h) /\ does (fun s => p (t + s)).
Proof.
  intros H. destruct flow_run as (t & T0 & L & B). exists t. split; [exact T0|]. split; [exact L|]. apply H; [intros s Hs; apply curve_from, p_flows; lra|]. now rewrite Rplus_0_r.
Qed.
End Run.
End Length.
