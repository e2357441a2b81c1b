(** `descent-wedge` (docs/certificate.md 4.23) by gradient flow: p' = sum_c q_c a_c along a curve (Flow.v), with the bounds of Wedge.v in the wedge and s = 0.  r/h + Phi(h) does not grow while the curve is
    in the wedge; it cannot leave it (`continuation`): where Phi > 0 the wedge is not yet filled, and where Phi = 0, r does not grow faster than h. *)
From Coq Require Import Reals List Lra Lia Psatz Arith Bool Classical.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Limits Flow Wedge.
Import ListNotations.
Open Scope R_scope.

(** What holds at 0, holds at the end of every interval on which it holds, and goes on a little beyond, holds for ever. *)
Lemma continuation (good : R -> Prop) : good 0 ->
  (forall T, 0 <= T -> (forall s, 0 <= s <= T -> good s) -> exists e, 0 < e /\ forall s, T < s < T + e -> good s) ->
  (forall T, 0 < T -> (forall s, 0 <= s < T -> good s) -> good T) -> forall s, 0 <= s -> good s.
Proof.
  intros G0 Open Closed s0 Hs0. apply NNPP. intros N.
  set (B := fun T => 0 <= T /\ forall s, 0 <= s <= T -> good s).
  assert (Bd : bound B).
  { exists s0. intros T [T0 HT]. apply Rnot_lt_le. intros L. apply N. apply HT. lra. }
  assert (B0 : B 0) by (split; [lra|]; intros s Hs; replace s with 0 by lra; auto).
  destruct (completeness B Bd (ex_intro _ 0 B0)) as (m & Up & Least).
  assert (M0 : 0 <= m) by (apply Up, B0).
  assert (Before : forall s, 0 <= s < m -> good s).
  { intros s Hs. apply NNPP. intros Ns. assert (X : m <= s); [|lra]. apply Least. intros T [T0 HT]. apply Rnot_lt_le. intros L. apply Ns. apply HT. lra. }
  assert (At : good m) by (destruct (Req_dec m 0) as [->|]; [auto|apply Closed; auto; lra]).
  assert (Upto : forall s, 0 <= s <= m -> good s) by (intros s Hs; destruct (Req_dec s m) as [->|]; [auto|apply Before; lra]).
  destruct (Open m M0 Upto) as (e & E0 & He).
  assert (X : m + e / 2 <= m); [|lra]. apply Up. split; [lra|]. intros s Hs. destruct (Rle_or_lt s m); [apply Upto; lra|apply He; lra].
Qed.

Lemma stays_positive (f : R -> R) x d : is_derive f x d -> 0 < f x -> exists e, 0 < e /\ forall s, x < s < x + e -> 0 < f s.
Proof.
  intros D P. assert (C := derive_continuity f x d D). destruct (C (f x) P) as (e & E0 & He). exists e. split; auto. intros s Hs.
  assert (X := He s). simpl in X. unfold R_dist in X. assert (Y : Rabs (f s - f x) < f x).
  { apply X. split; [split; [exact I|lra]|]. rewrite Rabs_pos_eq; lra. }
  apply Rabs_def2 in Y. lra.
Qed.
Lemma closed_nonneg (f : R -> R) x d : 0 < x -> is_derive f x d -> (forall s, 0 <= s < x -> 0 <= f s) -> 0 <= f x.
Proof.
  intros X0 D P. apply Rnot_lt_le. intros N. assert (C := derive_continuity f x d D). destruct (C (- f x) ltac:(lra)) as (e & E0 & He).
  set (s := Rmax 0 (x - e / 2)). assert (S1 := Rmax_l 0 (x - e / 2)). assert (S2 := Rmax_r 0 (x - e / 2)). assert (S3 : s < x) by (unfold s; apply Rmax_lub_lt; lra). fold s in S1, S2.
  assert (X := He s). simpl in X. unfold R_dist in X. assert (Y : Rabs (f s - f x) < - f x).
  { apply X. split; [split; [exact I|lra]|]. rewrite Rabs_left1; lra. }
  apply Rabs_def2 in Y. specialize (P s ltac:(lra)). lra.
Qed.
Lemma goes_up (f : R -> R) x d : is_derive f x d -> 0 < d -> exists e, 0 < e /\ forall s, x < s < x + e -> f x < f s.
Proof.
  intros D P. apply is_derive_Reals in D. destruct (D d P) as (e & He). exists e. split; [apply cond_pos|]. intros s Hs.
  specialize (He (s - x) ltac:(lra) ltac:(rewrite Rabs_pos_eq; lra)). replace (x + (s - x)) with s in He by ring. apply Rabs_def2 in He. destruct He as [_ He].
  assert (Y : 0 < (f s - f x) / (s - x)) by lra. apply Rmult_lt_compat_r with (r := s - x) in Y; [|lra]. unfold Rdiv in Y. rewrite Rmult_assoc, Rinv_l in Y; lra.
Qed.

Section WedgeFlow.
Context {E : space} {A : Type}.
Variable rows : list A.
Variable a : A -> E.
Variables (w : E) (lam : A -> R).
Variable inP : A -> bool.
Variable nonempty : rows <> [].
Variable svm : solves rows a (fun _ => 1) w lam.
Notation W := (norm w).
Notation Th := (/ norm w).
Notation O := (filter (fun c => negb (inP c)) rows).
Variables (nn bo : A -> R) (de t b Bh abar kappa h0 : R).
Notation kc := (kc a w nn de t).
Notation gg := (gg a w bo b).
Notation xi := (xi rows a w inP nn bo de t b).
Notation xi0 := (xi h0).
Notation Kc := (Kc rows a w inP nn bo de t b abar kappa 0 h0).
Notation ee := (ee rows a w inP nn bo de t b abar kappa 0 h0).
Notation Phi := (Phi rows a w inP nn bo de t b abar kappa 0 h0).
Notation G q := (G rows a q).
Notation wedge := (wedge w de h0).
Notation hh := (hh w).
Variable de_pos : 0 < de.
Variable t_ok : 0 <= t /\ 2 * de + de * de <= t * t.
Variable h0_pos : 0 < h0.
Variable nn_ok : forall c, In c rows -> 0 <= nn c /\ dot (a c) (a c) - theta a w c * theta a w c * (Th * Th) <= nn c * nn c.
Variable kc_pos : forall c, In c rows -> inP c = false -> 0 < kc c.
Variable b_pos : 0 < b.
Variable bo_pos : forall c, In c rows -> inP c = false -> 0 <= bo c.
Variable Bh_pos : 0 <= Bh.
Variable xi0_small : xi0 < 1.
Variable abar_ok : 0 <= abar /\ forall c, In c rows -> inP c = true -> norm (a c) <= abar.
Variable kappa_ok : 0 <= kappa /\ Bh / b * (INR (length (filter inP rows)) - 1) * exp (-1) <= kappa.

Lemma sb_zero : 0 <= 0 < h0.
Proof. lra. Qed.
Lemma w_pos : 0 < W.
Proof. exact (svm_norm_pos rows a w lam nonempty svm). Qed.
Lemma xi_nonneg u : 0 <= xi u.
Proof. exact (xi_pos rows a w lam inP nonempty svm nn bo de t b Bh abar kappa 0 h0 t_ok b_pos bo_pos abar_ok kappa_ok sb_zero u). Qed.
Lemma xi_down u v : u <= v -> xi v <= xi u.
Proof. exact (xi_falls rows a w lam inP nonempty svm nn bo de t b Bh abar kappa 0 h0 t_ok kc_pos b_pos bo_pos abar_ok kappa_ok sb_zero u v). Qed.
Lemma Kc_value : Kc = kappa * W / (1 - xi0).
Proof. unfold Wedge.Kc. field. lra. Qed.
(** Phi falls at least like ee(u)/u. *)
Definition Phi' u := - Kc / (u * u) - 2 / (1 - xi0) * sum O (fun c => gg c * (exp (- (kc c * u)) / u + exp (- (kc c * u)) / (kc c * (u * u)))).
Lemma Phi_derive u : 0 < u -> is_derive Phi u (Phi' u).
Proof.
  intros Hu. unfold Wedge.Phi, Phi'.
  apply is_derive_ext with (fun s => Kc * / s + 2 / (1 - xi0) * sum O (fun c => gg c * (exp (- (kc c * s)) * / (kc c * s)))); [intros s; unfold Rdiv; now rewrite Rminus_0_r|].
  apply is_derive_value with (Kc * (- / (u * u)) + 2 / (1 - xi0) * sum O (fun c => - (gg c * (exp (- (kc c * u)) / u + exp (- (kc c * u)) / (kc c * (u * u)))))); [|rewrite sum_opp; unfold Rdiv; ring].
  apply (is_derive_plus (V := R_NormedModule) (fun s => Kc * / s)).
  - apply is_derive_scal. auto_derive; [lra|field; lra].
  - apply is_derive_scal. apply (is_derive_sum O (fun c s => gg c * (exp (- (kc c * s)) * / (kc c * s))) (fun c s => - (gg c * (exp (- (kc c * s)) / s + exp (- (kc c * s)) / (kc c * (s * s)))))).
    intros c Hc. apply filter_In in Hc. destruct Hc as [Hc Hn]. apply negb_true_iff in Hn. assert (K := kc_pos c Hc Hn). set (k := kc c) in *.
    apply is_derive_value with (gg c * (- (exp (- (k * u)) / u + exp (- (k * u)) / (k * (u * u))))); [|ring]. apply is_derive_scal.
    auto_derive; [apply Rgt_not_eq, Rmult_lt_0_compat; lra|]. field. lra.
Qed.
Lemma Phi_falls' u : 0 < u -> Phi' u <= - (ee u / u).
Proof.
  intros Hu. unfold Phi', Wedge.ee. assert (X0 := xi_nonneg h0).
  assert (S : sum O (fun c => gg c * exp (- (kc c * u))) / u <= sum O (fun c => gg c * (exp (- (kc c * u)) / u + exp (- (kc c * u)) / (kc c * (u * u))))).
  { unfold Rdiv at 1. rewrite <- sum_scal_r. apply sum_le. intros c Hc.
    assert (Gp := gg_pos rows a w lam inP nonempty svm bo de t b Bh abar kappa 0 h0 t_ok b_pos bo_pos abar_ok kappa_ok sb_zero c Hc). apply filter_In in Hc. destruct Hc as [Hc Hn]. apply negb_true_iff in Hn. assert (K := kc_pos c Hc Hn).
    rewrite Rmult_assoc. apply Rmult_le_compat_l; auto. assert (0 <= exp (- (kc c * u)) / (kc c * (u * u))); [|unfold Rdiv in *; lra].
    apply Rle_mult_inv_pos; [left; apply exp_pos|]. apply Rmult_lt_0_compat; nra. }
  set (S1 := sum O (fun c => gg c * exp (- (kc c * u)))) in *. set (S2 := sum O (fun c => gg c * (exp (- (kc c * u)) / u + exp (- (kc c * u)) / (kc c * (u * u))))) in *.
  assert (Y : 2 / (1 - xi0) * (S1 / u) <= 2 / (1 - xi0) * S2) by (apply Rmult_le_compat_l; [apply Rle_mult_inv_pos; lra|auto]).
  change (xi u) with S1. set (k := Kc) in *. set (x := xi0) in *. assert (X1 : 0 < 1 - x) by lra.
  replace (- ((k / u + 2 * S1 / (1 - x)) / u)) with (- k / (u * u) - 2 / (1 - x) * (S1 / u)) by (field; split; lra). lra.
Qed.
Lemma Phi_nonneg u : 0 < u -> 0 <= Phi u.
Proof. exact (Phi_pos rows a w lam inP nonempty svm nn bo de t b Bh abar kappa 0 h0 t_ok kc_pos b_pos bo_pos xi0_small abar_ok kappa_ok sb_zero u). Qed.
(** Where Phi is 0, there is no drift and no leak. *)
Lemma Phi_zero u : 0 < u -> Phi u = 0 -> ee u = 0.
Proof.
  intros Hu Z. assert (K := Kc_pos rows a w lam inP nonempty svm nn bo de t b Bh abar kappa 0 h0 t_ok b_pos bo_pos xi0_small abar_ok kappa_ok sb_zero). assert (X1 : 0 < 2 / (1 - xi0)) by (apply Rdiv_lt_0_compat; lra).
  unfold Wedge.Phi in Z. rewrite Rminus_0_r in Z. assert (Ki : 0 < / u) by now apply Rinv_0_lt_compat.
  assert (Tm : forall c, In c O -> 0 <= gg c * (exp (- (kc c * u)) / (kc c * u))).
  { intros c Hc. assert (Gp := gg_pos rows a w lam inP nonempty svm bo de t b Bh abar kappa 0 h0 t_ok b_pos bo_pos abar_ok kappa_ok sb_zero c Hc). apply filter_In in Hc. destruct Hc as [Hc Hn]. apply negb_true_iff in Hn. assert (Kp := kc_pos c Hc Hn).
    apply Rmult_le_pos; auto. apply Rle_mult_inv_pos; [left; apply exp_pos|]. apply Rmult_lt_0_compat; lra. }
  assert (S0 := sum_nonneg _ _ Tm). set (S := sum O (fun c => gg c * (exp (- (kc c * u)) / (kc c * u)))) in *.
  assert (K0 : Kc = 0) by (unfold Rdiv in Z; nra). assert (Sz : S = 0) by (rewrite K0 in Z; unfold Rdiv in Z; nra).
  assert (Xi : xi u = 0).
  { apply sum_zero. intros c Hc. assert (G := sum_nonneg_zero _ _ Tm Sz c Hc). cbv beta in G. apply filter_In in Hc. destruct Hc as [Hc Hn]. apply negb_true_iff in Hn. assert (Kp := kc_pos c Hc Hn).
    assert (Pe : 0 < exp (- (kc c * u)) / (kc c * u)) by (apply Rdiv_lt_0_compat; [apply exp_pos|now apply Rmult_lt_0_compat]). apply Rmult_integral in G. destruct G as [->|G]; [ring|lra]. }
  unfold Wedge.ee. rewrite K0, Xi. field. lra.
Qed.

Variables (p : R -> E) (q : R -> A -> R).
Variable flow : forall s, 0 <= s -> curve_derives p s (G (q s)).
Variable pulls : forall s, 0 <= s -> wedge (p s) -> forall c, In c rows -> inP c = true -> b * exp (- dot (a c) (p s)) <= q s c <= Bh * exp (- dot (a c) (p s)).
Variable rest : forall s, 0 <= s -> wedge (p s) -> forall c, In c rows -> inP c = false -> Rabs (q s c) <= bo c * exp (- dot (a c) (p s)).
Variable start : h0 <= hh (p 0).
Variable start_ok : norm (p 0) / hh (p 0) + Phi h0 <= 1 + de.
Notation h s := (hh (p s)).
Notation r s := (norm (p s)).
Notation g s := (G (q s)).

Lemma hd s : 0 <= s -> is_derive (fun s => h s) s (dot (g s) (unit w)).
Proof. intros Hs. apply (flow s Hs). Qed.
Lemma hr s : h s <= r s.
Proof. exact (unit_bound rows a w lam nonempty svm (p s)). Qed.
Lemma rd s : 0 <= s -> 0 < r s -> is_derive (fun s => r s) s (dot (g s) (p s) / r s).
Proof.
  intros Hs Hr. assert (D := proj2 (flow s Hs)). unfold norm in *. assert (Pp : 0 < dot (p s) (p s)) by (apply sqrt_lt_0_alt; now rewrite sqrt_0).
  apply is_derive_value with (2 * dot (g s) (p s) / (2 * sqrt (dot (p s) (p s)))); [now apply is_derive_sqrt|]. field. lra.
Qed.

Lemma up s : 0 <= s -> wedge (p s) -> Th * (1 - xi0) * (b * exp (- (Th * h s))) <= dot (g s) (unit w).
Proof.
  intros Hs I. exact (G_advances rows a w lam inP nonempty svm nn bo de t b Bh abar kappa 0 h0 de_pos t_ok h0_pos nn_ok kc_pos b_pos bo_pos xi0_small abar_ok kappa_ok sb_zero (p s) (q s) I (pulls s Hs I) (rest s Hs I)).
Qed.
Lemma up_pos s : 0 <= s -> wedge (p s) -> 0 < dot (g s) (unit w).
Proof.
  intros Hs I. apply Rlt_le_trans with (2 := up s Hs I). assert (T1 : 0 < Th) by (apply Rinv_0_lt_compat, w_pos).
  apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|]. apply Rmult_lt_0_compat; [lra|apply exp_pos].
Qed.

Lemma r_rate s : 0 <= s -> wedge (p s) -> dot (g s) (p s) / r s <= (1 + ee (h s)) * dot (g s) (unit w).
Proof.
  intros Hs I. assert (Wp := w_pos). assert (Tp : 0 < Th) by now apply Rinv_0_lt_compat. assert (Hr := hr s). assert (I' := I). destruct I' as [Hi _].
  assert (Gp := G_p rows a w lam inP nonempty svm nn bo de t b Bh abar kappa 0 h0 de_pos t_ok h0_pos nn_ok kc_pos b_pos bo_pos Bh_pos abar_ok kappa_ok sb_zero (p s) (q s) I (pulls s Hs I) (rest s Hs I)).
  assert (Gw := G_w rows a w lam inP nonempty svm nn bo de t b Bh abar kappa 0 h0 de_pos t_ok h0_pos nn_ok kc_pos b_pos bo_pos abar_ok kappa_ok sb_zero (p s) (q s) I (pulls s Hs I) (rest s Hs I)).
  assert (Qp := Qp rows a w lam inP nonempty svm nn de t b Bh abar kappa 0 h0 de_pos t_ok h0_pos nn_ok kc_pos b_pos abar_ok kappa_ok sb_zero (p s) (q s) I (pulls s Hs I)).
  set (Q := Wedge.Q rows inP (q s)) in *. set (x := xi (h s)) in *. assert (X0 : 0 <= x) by apply xi_nonneg. assert (X1 : x <= xi0) by (apply xi_down; auto).
  set (D := dot (g s) (unit w)) in *. assert (Dp : 0 < D) by (apply up_pos; auto).
  apply Rle_trans with (Th * Q * (1 + kappa * W / h s + x)).
  - apply Rmult_le_reg_r with (r s); [lra|]. replace (dot (g s) (p s) / r s * r s) with (dot (g s) (p s)) by (field; lra). apply Rle_trans with (1 := Gp).
    replace (Q * (Th * r s + kappa + Th * x * r s)) with (Th * Q * (1 + kappa * W / r s + x) * r s) by (field; lra). apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|].
    assert (kappa * W / r s <= kappa * W / h s); [|lra]. unfold Rdiv. apply Rmult_le_compat_l; [nra|]. apply Rinv_le_contravar; lra.
  - unfold Wedge.ee. fold x. rewrite Kc_value. set (k := kappa * W / h s). assert (K0 : 0 <= k) by (apply Rle_mult_inv_pos; nra).
    replace (kappa * W / (1 - xi0) / h s) with (k / (1 - xi0)) by (unfold k; field; lra).
    set (T := Th * Q) in *. assert (T0 : 0 < T) by (apply Rmult_lt_0_compat; lra).
    assert (Td : T <= D / (1 - xi0)).
    { apply Rmult_le_reg_r with (1 - xi0); [lra|]. replace (D / (1 - xi0) * (1 - xi0)) with D by (field; lra). apply Rle_trans with (2 := Gw). apply Rmult_le_compat_l; lra. }
    replace ((1 + (k / (1 - xi0) + 2 * x / (1 - xi0))) * D) with (D + D / (1 - xi0) * (k + 2 * x)) by (field; lra).
    assert (T * (k + 2 * x) <= D / (1 - xi0) * (k + 2 * x)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(** The potential r/h + Phi(h) does not grow. *)
Lemma potential T : 0 <= T -> (forall s, 0 <= s <= T -> wedge (p s)) -> r T / h T + Phi (h T) <= 1 + de.
Proof.
  intros HT In. assert (W0 := In 0 ltac:(lra)).
  assert (Init : r 0 / h 0 + Phi (h 0) <= 1 + de).
  { assert (X := Phi_falls rows a w lam inP nonempty svm nn bo de t b Bh abar kappa 0 h0 t_ok kc_pos b_pos bo_pos xi0_small abar_ok kappa_ok sb_zero h0 (h 0) ltac:(lra) start). lra. }
  apply Rle_trans with (2 := Init). apply Ropp_le_cancel.
  apply (rises (fun s => - (r s / h s + Phi (h s)))
    (fun s => - (((dot (g s) (p s) / r s) * h s - r s * dot (g s) (unit w)) / h s ^ 2 + dot (g s) (unit w) * Phi' (h s)))); auto; intros s Hs; assert (I := In s Hs); assert (I' := I); destruct I' as [Hi _]; assert (Hr := hr s).
  - apply (is_derive_opp (V := R_NormedModule) (fun s => r s / h s + Phi (h s))). apply (is_derive_plus (V := R_NormedModule) (fun s => r s / h s)).
    + apply (is_derive_div (fun s => r s) (fun s => h s)); [apply rd; lra|apply hd; lra|lra].
    + apply (is_derive_comp Phi (fun s => h s)); [apply Phi_derive; lra|apply hd; lra].
  - assert (Rt := r_rate s ltac:(lra) I). assert (Fp := Phi_falls' (h s) ltac:(lra)). assert (Up := up_pos s ltac:(lra) I). set (D := dot (g s) (unit w)) in *. set (R' := dot (g s) (p s) / r s) in *. set (H := h s) in *. set (e := ee H) in *.
    assert (X : (R' * H - r s * D) / H ^ 2 <= D * (e / H)).
    { apply Rmult_le_reg_r with (H * H); [nra|]. replace ((R' * H - r s * D) / H ^ 2 * (H * H)) with (R' * H - r s * D) by (field; lra). replace (D * (e / H) * (H * H)) with (D * e * H) by (field; lra).
      assert (R' * H <= (1 + e) * D * H) by (apply Rmult_le_compat_r; lra). assert (H * D <= r s * D) by (apply Rmult_le_compat_r; lra). lra. }
    assert (Y : D * Phi' H <= D * - (e / H)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Theorem flow_wedge_for_ever : forall s, 0 <= s -> wedge (p s).
Proof.
  set (f := fun s => (1 + de) * h s * ((1 + de) * h s) - dot (p s) (p s)).
  assert (Fd : forall s, 0 <= s -> exists d, is_derive f s d).
  { intros s Hs. eexists. apply is_derive_diff; [|exact (proj2 (flow s Hs))]. apply (is_derive_prod (fun s => (1 + de) * h s) (fun s => (1 + de) * h s)); apply is_derive_scal, hd, Hs. }
  assert (Eq : forall s, h0 <= h s -> (0 <= f s <-> r s <= (1 + de) * h s)).
  { intros s Hs. unfold f. rewrite <- norm_sqr. assert (N := norm_pos (p s)). assert (M : 0 < (1 + de) * h s) by nra. split; intros X; [apply le_of_sq; lra|nra]. }
  apply continuation.
  - split; auto. assert (X := Phi_nonneg h0 h0_pos). assert (Y : r 0 / h 0 <= 1 + de) by lra.
    apply Rmult_le_compat_r with (r := h 0) in Y; [|lra]. replace (r 0 / h 0 * h 0) with (r 0) in Y by (field; lra). exact Y.
  - intros T HT In. assert (Pt := potential T HT In). assert (I := In T ltac:(lra)). assert (I' := I). destruct I' as [Hi Hr]. assert (Pp := Phi_nonneg (h T) ltac:(lra)). assert (Up := up_pos T HT I).
    assert (Dd : is_derive f T ((1 + de) * dot (g T) (unit w) * ((1 + de) * h T) + (1 + de) * h T * ((1 + de) * dot (g T) (unit w)) - 2 * dot (g T) (p T))).
    { apply is_derive_diff; [|exact (proj2 (flow T HT))]. apply (is_derive_prod (fun s => (1 + de) * h s) (fun s => (1 + de) * h s)); apply is_derive_scal, hd, HT. }
    assert (Stay : exists e1, 0 < e1 /\ forall s, T < s < T + e1 -> 0 < f s).
    { destruct (Rle_lt_or_eq_dec _ _ Hr) as [Rl|Rl].
      - apply (stays_positive f T _ Dd). unfold f. rewrite <- norm_sqr. assert (N := norm_pos (p T)). nra.
      - assert (Z : Phi (h T) = 0) by (rewrite Rl in Pt; replace ((1 + de) * h T / h T) with (1 + de) in Pt by (field; lra); lra).
        assert (Rt := r_rate T HT I). rewrite (Phi_zero (h T) ltac:(lra) Z), Rplus_0_r, Rmult_1_l in Rt. set (D := dot (g T) (unit w)) in *.
        assert (Gp : dot (g T) (p T) <= D * ((1 + de) * h T)) by (rewrite <- Rl; apply Rmult_le_reg_r with (/ r T); [apply Rinv_0_lt_compat; rewrite Rl; nra|]; replace (D * r T * / r T) with D by (field; rewrite Rl; nra); exact Rt).
        destruct (goes_up f T _ Dd) as (e & E0 & He).
        { assert (0 < D * (de * ((1 + de) * h T))) by (apply Rmult_lt_0_compat; auto; apply Rmult_lt_0_compat; auto; nra). lra. }
        exists e. split; auto. intros s Hs. specialize (He s Hs). assert (F0 : 0 <= f T) by now apply Eq. lra. }
    destruct Stay as (e1 & E1 & H1).
    destruct (goes_up (fun s => h s) T _ (hd T HT) (up_pos T HT I)) as (e2 & E2 & H2).
    exists (Rmin e1 e2). split; [now apply Rmin_pos|]. intros s Hs. assert (X1 := Rmin_l e1 e2). assert (X2 := Rmin_r e1 e2). specialize (H1 s ltac:(lra)). specialize (H2 s ltac:(lra)).
    split; [lra|]. apply Eq; lra.
  - intros T HT In. destruct (Fd T ltac:(lra)) as (d & Dd).
    assert (Hh : 0 <= h T - h0).
    { apply (closed_nonneg (fun s => h s - h0) T (dot (g T) (unit w) - 0) HT); [apply is_derive_diff; [apply hd; lra|apply (is_derive_const (V := R_NormedModule))]|].
      intros s Hs. destruct (In s Hs). lra. }
    split; [lra|]. apply Eq; [lra|]. apply (closed_nonneg f T d HT Dd). intros s Hs. destruct (In s Hs) as [I1 I2]. now apply Eq.
Qed.

Lemma flow_h_up x y : 0 <= x -> x <= y -> h x <= h y.
Proof. intros Hx Hy. apply (rises (fun s => h s) (fun s => dot (g s) (unit w))); auto; intros s Hs; [apply hd; lra|left; apply up_pos; [lra|apply flow_wedge_for_ever; lra]]. Qed.

Lemma flow_h_infinity : flow_to_infinity (fun s => h s).
Proof.
  intros M. assert (Wp := w_pos). assert (Tp : 0 < Th) by now apply Rinv_0_lt_compat. set (k := Th * (Th * (1 - xi0) * b)). assert (Hk : 0 < k) by (unfold k; apply Rmult_lt_0_compat; auto; apply Rmult_lt_0_compat; auto; apply Rmult_lt_0_compat; lra).
  exists (exp (Th * M) / k). assert (N0 : 0 <= exp (Th * M) / k) by (apply Rle_mult_inv_pos; auto; left; apply exp_pos). split; auto. intros s Hs.
  assert (Q : exp (Th * h 0) - k * 0 <= exp (Th * h s) - k * s).
  { apply (rises (fun s => exp (Th * h s) - k * s) (fun s => exp (Th * h s) * (Th * dot (g s) (unit w)) - k)); [lra| |]; intros u Hu.
    - apply is_derive_diff; [|apply is_derive_value with (k * 1); [apply is_derive_scal; apply (is_derive_id (K := R_AbsRing))|ring]].
      apply is_derive_value with (scal (Th * dot (g u) (unit w)) (exp (Th * h u))); [|apply Rmult_comm]. apply (is_derive_comp exp (fun u => Th * h u)); [apply is_derive_exp|]. apply is_derive_scal, hd. lra.
    - assert (U := up u ltac:(lra) (flow_wedge_for_ever u ltac:(lra))). assert (Pe := exp_pos (Th * h u)). assert (Z : exp (Th * h u) * exp (- (Th * h u)) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
      assert (X : exp (Th * h u) * (Th * (Th * (1 - xi0) * (b * exp (- (Th * h u))))) <= exp (Th * h u) * (Th * dot (g u) (unit w))) by (apply Rmult_le_compat_l; [lra|]; apply Rmult_le_compat_l; lra).
      replace (exp (Th * h u) * (Th * (Th * (1 - xi0) * (b * exp (- (Th * h u)))))) with (k * (exp (Th * h u) * exp (- (Th * h u)))) in X by (unfold k; ring). rewrite Z in X. lra. }
  assert (P0 := exp_pos (Th * h 0)). assert (Kt : exp (Th * M) <= k * s) by (apply Rmult_le_compat_l with (r := k) in Hs; [|lra]; replace (k * (exp (Th * M) / k)) with (exp (Th * M)) in Hs by (field; lra); lra).
  apply Rnot_lt_le. intros C. assert (exp (Th * h s) < exp (Th * M)); [|lra]. apply exp_increasing. apply Rmult_lt_compat_l; auto.
Qed.

Theorem flow_wedge_norm : flow_to_infinity (fun s => r s).
Proof. intros M. destruct (flow_h_infinity M) as (s0 & S0 & H). exists s0. split; auto. intros s Hs. apply Rle_trans with (1 := H s Hs). apply hr. Qed.

Theorem flow_wedge_direction : flow_to_zero (fun s => norm (vsub (unit (p s)) (unit w))).
Proof.
  intros e0 He0. assert (Pw := w_pos). set (e := e0 * e0 / 4). assert (He : 0 < e) by (unfold e; nra).
  destruct (ee_fades rows a w lam inP nonempty svm nn bo de t b Bh abar kappa 0 h0 t_ok kc_pos b_pos bo_pos xi0_small abar_ok kappa_ok sb_zero e He) as (U & U0 & HU).
  destruct (flow_h_infinity (Rmax 1 U)) as (J & J0 & HJ). assert (M1 := Rmax_l 1 U). assert (M2 := Rmax_r 1 U).
  set (C2 := r J - (1 + e) * h J). destruct (flow_h_infinity (Rmax 1 (C2 / e))) as (K & K0 & HK).
  exists (Rmax J K). assert (X0 := Rmax_l J K). assert (X1 := Rmax_r J K). split; [lra|]. intros s Hs. rewrite Rabs_pos_eq by apply norm_pos. assert (N1 := Rmax_l 1 (C2 / e)). assert (N2 := Rmax_r 1 (C2 / e)).
  assert (Grow : (1 + e) * h J - r J <= (1 + e) * h s - r s).
  { apply (rises (fun u => (1 + e) * h u - r u) (fun u => (1 + e) * dot (g u) (unit w) - dot (g u) (p u) / r u)); [lra| |]; intros u Hu; assert (HJu := HJ u ltac:(lra)); assert (Hr := hr u).
    - apply is_derive_diff; [apply is_derive_scal, hd; lra|apply rd; lra].
    - assert (I := flow_wedge_for_ever u ltac:(lra)). assert (Rt := r_rate u ltac:(lra) I). assert (Eu := HU (h u) ltac:(lra)). assert (Up := up_pos u ltac:(lra) I).
      assert ((1 + ee (h u)) * dot (g u) (unit w) <= (1 + e) * dot (g u) (unit w)) by (apply Rmult_le_compat_r; lra). lra. }
  specialize (HK s ltac:(lra)). assert (HR := hr s). set (H := h s) in *. set (R0 := r s) in *.
  assert (HH : C2 <= e * H). { replace C2 with (e * (C2 / e)) by (field; lra). apply Rmult_le_compat_l; lra. }
  assert (RH : R0 <= (1 + 2 * e) * H) by (unfold C2 in *; lra).
  apply unit_close; [auto|auto|change (0 < H <= R0); lra|exact RH].
Qed.
End WedgeFlow.
