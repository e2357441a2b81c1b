(** A sharp curvature bound (docs/theory.md 6.1, (6a); docs/certificate.md 4.32). Along u let D be a width of the logits of a sample,
    [a, a + g] an interval that holds its scores, and theta the place of its output in it, from 0 to 1. The second derivative of
    l(f) along u is at most D^2 g v (M0 g v + M1 r), v = theta (1 - theta), r = r(min(theta, 1 - theta)): `sample_bound`. On a cell of
    outputs v and r are bounded by their largest values, `cell_bound`; the widths of all samples along u by |u| and by the centred keys,
    `curvature_bound`. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature.
Import ListNotations.
Open Scope R_scope.

(** r of clause 2: 1 - 2 tau up to 1/4, then 1/(8 tau). *)
Definition share (tau : R) := if Rle_dec tau (1 / 4) then 1 - 2 * tau else / (8 * tau).

Lemma share_falls s t : 0 <= s -> s <= t -> t <= 1 / 2 -> share t <= share s.
Proof.
  intros Hs Hst Ht. unfold share. destruct (Rle_dec t (1 / 4)), (Rle_dec s (1 / 4)); try lra.
  - apply Rle_trans with (1 / 2); [|lra]. replace (1 / 2) with (/ (8 * (1 / 4))) by field. apply Rinv_le_contravar; lra.
  - apply Rinv_le_contravar; lra.
Qed.

Lemma share_quarter t : 0 <= t -> t <= 1 / 2 -> 1 / 4 <= share t.
Proof.
  intros H0 H. apply Rle_trans with (share (1 / 2)); [|apply share_falls; lra].
  unfold share. destruct (Rle_dec (1 / 2) (1 / 4)); lra.
Qed.

(** nu - 2 theta nu^2 over [0, 1]. *)
Lemma share_most theta nu : 0 <= theta -> 0 <= nu <= 1 -> nu - 2 * theta * (nu * nu) <= share theta.
Proof.
  intros H0 Hn. unfold share. destruct (Rle_dec theta (1 / 4)).
  - assert (0 <= (1 - nu) * (1 - 2 * theta * (1 + nu))) by (apply Rmult_le_pos; nra). nra.
  - apply Rmult_le_reg_l with (8 * theta); [lra|]. rewrite Rinv_r by lra. assert (Q := Rle_0_sqr (1 - 4 * theta * nu)). unfold Rsqr in Q. nra.
Qed.

Section Unit.
Context {A : Type}.
Variable l : list A.
Variable y : A -> R.
Variable nonempty : l <> [].
Notation mean := (mean l y).

Lemma mean_ext_in f g : (forall t, In t l -> f t = g t) -> mean f = mean g.
Proof. intros H. apply sum_ext. intros t Ht. now rewrite H. Qed.
Lemma mean_nonneg f : (forall t, In t l -> 0 <= f t) -> 0 <= mean f.
Proof. intros H. rewrite <- (mean_const l y 0 nonempty). now apply mean_le. Qed.

Variables G X : A -> R.
Variable unit_G : forall t, In t l -> 0 <= G t <= 1.
Variable unit_X : forall t, In t l -> 0 <= X t <= 1.
Notation theta := (mean G).
Notation m := (mean X).

Lemma unit_theta : 0 <= theta <= 1.
Proof. now apply mean_bounds. Qed.
Lemma unit_m : 0 <= m <= 1.
Proof. now apply mean_bounds. Qed.

Definition part := mean (fun t => G t * X t).
Lemma part_bounds : 0 <= part <= theta.
Proof.
  unfold part. split.
  - apply mean_nonneg. intros t Ht. specialize (unit_G t Ht). specialize (unit_X t Ht). nra.
  - apply mean_le; auto. intros t Ht. specialize (unit_G t Ht). specialize (unit_X t Ht). nra.
Qed.

Lemma rest_bounds : 0 <= m - part <= 1 - theta.
Proof.
  assert (E : m - part = mean (fun t => (1 - G t) * X t)).
  { unfold part. rewrite (mean_same l y (fun t => (1 - G t) * X t) (fun t => X t + (- 1) * (G t * X t))) by (intros; ring).
    rewrite mean_plus, mean_scal. ring. }
  assert (F : 1 - theta = mean (fun t => 1 - G t)).
  { rewrite (mean_same l y (fun t => 1 - G t) (fun t => 1 + (- 1) * G t)) by (intros; ring). rewrite mean_plus, mean_scal, mean_const by auto. ring. }
  rewrite E, F. split.
  - apply mean_nonneg. intros t Ht. specialize (unit_G t Ht). specialize (unit_X t Ht). nra.
  - apply mean_le; auto. intros t Ht. specialize (unit_G t Ht). specialize (unit_X t Ht). nra.
Qed.

(** theta (1 - theta) delta, with delta between -1 and 1. *)
Lemma unit_cov : Rabs (cov l y G X) <= theta * (1 - theta).
Proof.
  unfold cov. fold part. assert (P := part_bounds). assert (Q := rest_bounds). assert (T := unit_theta). set (q := m - part) in Q.
  replace (part - theta * m) with ((1 - theta) * part - theta * q) by (unfold q; ring).
  apply Rabs_le. nra.
Qed.

(** Cauchy-Schwarz with the weights 1 - G. *)
Lemma rest_square : (m - part) * (m - part) <= (1 - theta) * mean (fun t => (1 - G t) * (X t * X t)).
Proof.
  apply discriminant. intros k.
  assert (E : (1 - theta) * (k * k) + 2 * (m - part) * k + mean (fun t => (1 - G t) * (X t * X t)) = mean (fun t => (1 - G t) * ((k + X t) * (k + X t)))).
  { unfold part. rewrite (mean_same l y (fun t => (1 - G t) * ((k + X t) * (k + X t)))
      (fun t => k * k + ((- (k * k)) * G t + ((2 * k) * X t + ((- (2 * k)) * (G t * X t) + (1 - G t) * (X t * X t)))))) by (intros; ring).
    rewrite !mean_plus, !mean_scal, mean_const by auto. ring. }
  rewrite E. apply mean_nonneg. intros t Ht. specialize (unit_G t Ht). assert (S := Rle_0_sqr (k + X t)). unfold Rsqr in S. nra.
Qed.

(** E[(G - theta)(X - m)^2] as (1 - theta) of one part less theta of the other. *)
Lemma third_parts : third l y G X = (1 - theta) * (mean (fun t => G t * (X t * X t)) - 2 * m * part + m * m * theta)
  - theta * (mean (fun t => (1 - G t) * (X t * X t)) - 2 * m * (m - part) + m * m * (1 - theta)).
Proof.
  unfold third, part.
  rewrite (mean_same l y (fun t => (1 - G t) * (X t * X t)) (fun t => X t * X t + (- 1) * (G t * (X t * X t)))) by (intros; ring).
  rewrite (mean_same l y (fun t => (G t - theta) * ((X t - m) * (X t - m))) (fun t => G t * (X t * X t) + ((- (2 * m)) * (G t * X t) + ((m * m) * G t +
    ((- theta) * (X t * X t) + ((2 * m * theta) * X t + - (m * m * theta))))))) by (intros; ring).
  rewrite !mean_plus, !mean_scal, mean_const by auto. ring.
Qed.

Lemma unit_third : third l y G X <= theta * (1 - theta) * share (Rmin theta (1 - theta)).
Proof.
  assert (Th := unit_theta). assert (P := part_bounds). assert (Q := rest_bounds). assert (RS := rest_square). assert (M := unit_m).
  rewrite third_parts.
  set (S0 := mean (fun t => (1 - G t) * (X t * X t))) in *.
  assert (S1 : mean (fun t => G t * (X t * X t)) <= part).
  { unfold part. apply mean_le; auto. intros t Ht. specialize (unit_G t Ht). specialize (unit_X t Ht). apply Rmult_le_compat_l; nra. }
  set (s1 := mean (fun t => G t * (X t * X t))) in *.
  assert (N1 : 0 <= s1).
  { unfold s1. apply mean_nonneg. intros t Ht. specialize (unit_G t Ht). specialize (unit_X t Ht). nra. }
  set (a := part) in *. set (mm := m) in *. set (th := theta) in *.
  destruct (Req_dec th 0) as [Z|Z].
  { rewrite Z in *. assert (H1 : a = 0) by lra. assert (H2 : s1 = 0) by lra. rewrite H1, H2. right. ring. }
  destruct (Req_dec th 1) as [O|O].
  { rewrite O in *. assert (mm = a) by lra. rewrite H in *. ring_simplify.
    assert (N0 : 0 <= S0). { unfold S0. apply mean_nonneg. intros t Ht. specialize (unit_G t Ht). specialize (unit_X t Ht). nra. } nra. }
  assert (0 < th < 1) as H by lra.
  set (mu1 := a / th). set (mu0 := (mm - a) / (1 - th)).
  assert (Ea : a = th * mu1) by (unfold mu1; field; lra). assert (Eb : mm - a = (1 - th) * mu0) by (unfold mu0; field; lra).
  assert (U1 : 0 <= mu1 <= 1) by (split; apply Rmult_le_reg_l with th; lra).
  assert (U0 : 0 <= mu0 <= 1) by (split; apply Rmult_le_reg_l with (1 - th); lra).
  assert (Em : mm = th * mu1 + (1 - th) * mu0) by lra.
  assert (B0 : (1 - th) * (mu0 * mu0) <= S0).
  { apply Rmult_le_reg_l with (1 - th); [lra|]. rewrite Eb in RS. nra. }
  set (de := mu1 - mu0).
  apply Rle_trans with (th * (1 - th) * (mu1 * (1 - mu1) + (1 - 2 * th) * (de * de))).
  { apply Rle_trans with ((1 - th) * (a - 2 * mm * a + mm * mm * th) - th * ((1 - th) * (mu0 * mu0) - 2 * mm * (mm - a) + mm * mm * (1 - th))).
    - apply Rplus_le_compat; [apply Rmult_le_compat_l; lra|]. apply Ropp_le_contravar. apply Rmult_le_compat_l; lra.
    - right. rewrite Eb, Ea, Em. unfold de. ring. }
  apply Rmult_le_compat_l; [nra|].
  assert (T1 : mu1 * (1 - mu1) <= 1 / 4) by (assert (W := Rle_0_sqr (mu1 - 1 / 2)); unfold Rsqr in W; lra).
  destruct (Rle_dec th (1 / 2)) as [L|L].
  - rewrite Rmin_left by lra. assert (Y : exists nu, 0 <= nu <= 1 /\ mu1 * (1 - mu1) = nu * (1 - nu) /\ de * de <= nu * nu).
    { destruct (Rle_dec 0 de) as [D|D]; [exists mu1|exists (1 - mu1)]; unfold de in *; repeat split; try lra; try nra. }
    destruct Y as (nu & Hn & E1 & E2). apply Rle_trans with (2 := share_most th nu ltac:(lra) Hn). nra.
  - rewrite Rmin_right by lra. apply Rle_trans with (1 / 4); [|apply share_quarter; lra].
    assert (0 <= de * de) by apply Rle_0_sqr. nra.
Qed.
End Unit.

Lemma unit_third_abs {A} (l : list A) y G X : l <> [] -> (forall t, In t l -> 0 <= G t <= 1) -> (forall t, In t l -> 0 <= X t <= 1) ->
  Rabs (third l y G X) <= mean l y G * (1 - mean l y G) * share (Rmin (mean l y G) (1 - mean l y G)).
Proof.
  intros N HG HX. apply Rabs_le. split; [|now apply unit_third].
  assert (F : mean l y (fun t => 1 - G t) = 1 - mean l y G).
  { rewrite (mean_same l y (fun t => 1 - G t) (fun t => 1 + (- 1) * G t)) by (intros; ring). rewrite mean_plus, mean_scal, mean_const by auto. ring. }
  assert (U := unit_third l y N (fun t => 1 - G t) X ltac:(intros t Ht; specialize (HG t Ht); lra) HX). rewrite F in U.
  replace (1 - (1 - mean l y G)) with (mean l y G) in U by ring. rewrite Rmin_comm in U.
  assert (O : third l y (fun t => 1 - G t) X = - third l y G X).
  { unfold third. rewrite F. rewrite (mean_same l y _ (fun t => (- 1) * ((G t - mean l y G) * ((X t - mean l y X) * (X t - mean l y X))))) by (intros; ring).
    rewrite mean_scal. ring. }
  rewrite O in U. lra.
Qed.

(** The same with scores in [a, a + g] and logits in an interval of length D. *)
Section Scaled.
Context {A : Type}.
Variable l : list A.
Variable y : A -> R.
Variable nonempty : l <> [].
Variables x z : A -> R.
Variables a g D : R.
Variable pos_g : 0 < g.
Variable pos_D : 0 <= D.
Variable range_x : forall t, In t l -> a <= x t <= a + g.
Variable range_z : forall t t', In t l -> In t' l -> z t - z t' <= D.
Notation theta := ((mean l y x - a) / g).

Lemma mean_affine (f : A -> R) k c : mean l y (fun t => c + k * f t) = c + k * mean l y f.
Proof. rewrite mean_plus, mean_scal, mean_const by auto. ring. Qed.

Lemma scaled : (cov l y x z * cov l y x z <= (g * D * (theta * (1 - theta))) * (g * D * (theta * (1 - theta)))) /\
  Rabs (third l y x z) <= g * (D * D) * (theta * (1 - theta)) * share (Rmin theta (1 - theta)).
Proof.
  destruct (Req_dec D 0) as [Z|Z].
  { rewrite Z in *. assert (Rx : forall t t', In t l -> In t' l -> x t - x t' <= g).
    { intros t t' Ht Ht'. assert (U := range_x t Ht). assert (V := range_x t' Ht'). lra. }
    split.
    - assert (B := cov_bound l y nonempty x z 0 g ltac:(lra) ltac:(lra) Rx range_z). lra.
    - assert (B := third_bound l y nonempty x z 0 g Rx range_z). lra. }
  assert (0 < D) as PD by lra.
  destruct (least l z nonempty) as (b & Hb & Lb).
  set (G := fun t => (x t - a) / g). set (X := fun t => (z t - z b) / D).
  assert (HG : forall t, In t l -> 0 <= G t <= 1).
  { intros t Ht. specialize (range_x t Ht). unfold G. split; apply Rmult_le_reg_r with g; try lra; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra. }
  assert (HX : forall t, In t l -> 0 <= X t <= 1).
  { intros t Ht. specialize (Lb t Ht). assert (W := range_z t b Ht Hb). unfold X. split; apply Rmult_le_reg_r with D; try lra; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra. }
  assert (Ex : forall t, x t = a + g * G t) by (intros; unfold G; field; lra).
  assert (Ez : forall t, z t = z b + D * X t) by (intros; unfold X; field; lra).
  assert (Mx : mean l y x = a + g * mean l y G) by (rewrite (mean_same l y x _ Ex); apply mean_affine).
  assert (Mz : mean l y z = z b + D * mean l y X) by (rewrite (mean_same l y z _ Ez); apply mean_affine).
  assert (Th : theta = mean l y G) by (rewrite Mx; field; lra).
  rewrite Th.
  assert (C : cov l y x z = g * D * cov l y G X).
  { unfold cov. rewrite (mean_same l y (fun t => x t * z t) (fun t => a * z b + ((a * D) * X t + ((g * z b) * G t + (g * D) * (G t * X t))))) by (intros t; rewrite (Ex t), (Ez t); ring).
    rewrite !mean_plus, !mean_scal, mean_const, Mx, Mz by auto. ring. }
  assert (T : third l y x z = g * (D * D) * third l y G X).
  { unfold third. rewrite (mean_same l y _ (fun t => (g * (D * D)) * ((G t - mean l y G) * ((X t - mean l y X) * (X t - mean l y X)))))
      by (intros t; rewrite Mx, Mz, (Ex t), (Ez t); ring). apply mean_scal. }
  assert (Ut := unit_theta l y nonempty G HG).
  split.
  - rewrite C. assert (U := unit_cov l y nonempty G X HG HX). set (c := cov l y G X) in *. set (v := mean l y G * (1 - mean l y G)) in *.
    assert (c * c <= v * v). { replace (c * c) with (Rabs c * Rabs c) by (rewrite <- Rabs_mult; apply Rabs_pos_eq, Rle_0_sqr). apply Rmult_le_compat; auto using Rabs_pos. }
    replace (g * D * c * (g * D * c)) with ((g * D) * (g * D) * (c * c)) by ring. replace (g * D * v * (g * D * v)) with ((g * D) * (g * D) * (v * v)) by ring.
    apply Rmult_le_compat_l; auto. apply Rle_0_sqr.
  - rewrite T, Rabs_mult, (Rabs_pos_eq (g * (D * D))) by (apply Rmult_le_pos; [lra|apply Rle_0_sqr]).
    rewrite !Rmult_assoc. rewrite <- (Rmult_assoc (mean l y G)). repeat (apply Rmult_le_compat_l; [lra|]). now apply unit_third_abs.
Qed.
End Scaled.

Lemma sum_two {A} (l : list A) f c e : In c l -> In e l -> c <> e -> (forall k, In k l -> 0 <= f k) -> f c + f e <= sum l f.
Proof.
  induction l as [|k l IH]; simpl; intros Hc He Ne H0; [easy|]. assert (0 <= f k) by auto.
  destruct Hc as [->|Hc], He as [->|He]; try easy.
  - assert (f e <= sum l f) by (apply sum_term; auto). lra.
  - assert (f c <= sum l f) by (apply sum_term; auto). lra.
  - assert (f c + f e <= sum l f) by auto. lra.
Qed.

(** theta (1 - theta) over a cell [alpha, beta] of [0, 1]. *)
Definition most_product (alpha beta : R) :=
  if Rle_dec alpha (1 / 2) then if Rle_dec (1 / 2) beta then 1 / 4 else Rmax (alpha * (1 - alpha)) (beta * (1 - beta))
  else Rmax (alpha * (1 - alpha)) (beta * (1 - beta)).

Lemma most_product_spec alpha beta theta : 0 <= alpha -> alpha <= theta <= beta -> beta <= 1 -> theta * (1 - theta) <= most_product alpha beta.
Proof.
  intros Ha Ht Hb. unfold most_product.
  destruct (Rle_dec alpha (1 / 2)); [destruct (Rle_dec (1 / 2) beta)|].
  - assert (Q := Rle_0_sqr (theta - 1 / 2)). unfold Rsqr in Q. lra.
  - apply Rle_trans with (2 := Rmax_r _ _). nra.
  - apply Rle_trans with (2 := Rmax_l _ _). nra.
Qed.

Section Bound.
Context {E : space}.
Variable P : problem E.
Variables loss slope curv : R -> R.
Variables lo hi M0 M1 : R.
Notation n := (samples P).
Notation T i := (seq 0 (tokens P i)).
Variables D g : nat -> R.      (* of `bounded`, which the existence of second derivatives rests on *)
Variables low high weight : nat -> R.  (* a_i, b_i, c_i *)

(** Clauses 1 and 2: the scores of sample i lie in [low, high], and every output between them lies in a cell for which the weight is enough. *)
Definition weighted i :=
  (forall t, (t < tokens P i)%nat -> low i <= score P i t <= high i) /\ 0 <= weight i /\
  (low i < high i -> forall f, low i <= f <= high i -> exists x y m0 m1, x <= f <= y /\ Rabs (curv f) <= m0 /\ Rabs (slope f) <= m1 /\
     let gi := high i - low i in let alpha := (Rmax x (low i) - low i) / gi in let beta := (Rmin y (high i) - low i) / gi in
     gi * most_product alpha beta * (m0 * gi * most_product alpha beta + m1 * share (Rmin alpha (1 - beta))) <= weight i).

Definition wide i (u : E) (W : R) := 0 <= W /\ forall t t', (t < tokens P i)%nat -> (t' < tokens P i)%nat -> logit P u i t - logit P u i t' <= W.

Lemma sample_bound p u i W : bounded P loss slope curv lo hi M0 M1 D g -> (i < n)%nat -> weighted i -> wide i u W ->
  Rabs (curv (output P p i) * covariance P p i u * covariance P p i u + slope (output P p i) * third (T i) (logit P p i) (score P i) (logit P u i)) <= weight i * (W * W).
Proof.
  intros (Reg & _) Hi (Hs & Hw & Hc) (PW & Hu).
  assert (N := tokens_nonempty P loss slope lo hi i Reg Hi).
  assert (Rs : forall t, In t (T i) -> low i <= score P i t <= high i) by (intros t Ht; apply in_seq in Ht; apply Hs; lia).
  assert (Ru : forall t t', In t (T i) -> In t' (T i) -> logit P u i t - logit P u i t' <= W).
  { intros t t' Ht Ht'. apply in_seq in Ht. apply in_seq in Ht'. apply Hu; lia. }
  rewrite (cov_is_covariance P loss slope lo hi) by auto.
  assert (Hf : low i <= output P p i <= high i) by (apply mean_bounds; auto).
  assert (WW : 0 <= W * W) by apply Rle_0_sqr.
  destruct (Rle_lt_dec (high i) (low i)) as [Z|G].
  { assert (Rx : forall t t', In t (T i) -> In t' (T i) -> score P i t - score P i t' <= 0).
    { intros t t' Ht Ht'. assert (A := Rs t Ht). assert (B := Rs t' Ht'). lra. }
    assert (B1 := cov_bound (T i) (logit P p i) N (score P i) (logit P u i) W 0 PW ltac:(lra) Rx Ru).
    assert (B2 := third_bound (T i) (logit P p i) N (score P i) (logit P u i) W 0 Rx Ru).
    set (C := cov _ _ _ _) in *. set (Th := third _ _ _ _) in *.
    assert (C * C = 0) by (assert (Q := Rle_0_sqr C); unfold Rsqr in Q; lra). assert (Th = 0) as ->.
    { apply Rabs_eq_0. assert (Q := Rabs_pos Th). lra. }
    rewrite Rmult_assoc, H. replace (curv (output P p i) * 0 + slope (output P p i) * 0) with 0 by ring. rewrite Rabs_R0. now apply Rmult_le_pos. }
  destruct (Hc G (output P p i) Hf) as (x & y & m0 & m1 & Hxy & H0 & H1 & Hb). cbv zeta in Hb.
  set (gi := high i - low i) in *. assert (Pg : 0 < gi) by (unfold gi; lra).
  assert (Rx : forall t, In t (T i) -> low i <= score P i t <= low i + gi) by (intros t Ht; specialize (Rs t Ht); unfold gi; lra).
  destruct (scaled (T i) (logit P p i) N (score P i) (logit P u i) (low i) gi W Pg PW Rx Ru) as [B1 B2].
  fold (output P p i) in B1, B2. set (f := output P p i) in *. set (th := (f - low i) / gi) in *.
  set (alpha := (Rmax x (low i) - low i) / gi) in *. set (beta := (Rmin y (high i) - low i) / gi) in *.
  assert (Hmax : low i <= Rmax x (low i) <= f) by (split; [apply Rmax_r|apply Rmax_lub; lra]).
  assert (Hmin : f <= Rmin y (high i) <= high i) by (split; [apply Rmin_glb; lra|apply Rmin_r]).
  assert (Hat : 0 <= alpha /\ alpha <= th <= beta /\ beta <= 1).
  { unfold alpha, beta, th. assert (I : 0 < / gi) by now apply Rinv_0_lt_compat. unfold Rdiv. repeat split.
    - apply Rmult_le_pos; lra.
    - apply Rmult_le_compat_r; lra.
    - apply Rmult_le_compat_r; lra.
    - apply Rmult_le_reg_r with gi; auto. rewrite Rmult_assoc, Rinv_l by lra. unfold gi in *. lra. }
  destruct Hat as (A0 & At & A1).
  assert (V := most_product_spec alpha beta th A0 At A1). set (v := most_product alpha beta) in *.
  assert (V0 : 0 <= th * (1 - th)) by (apply Rmult_le_pos; lra).
  assert (Mn : Rmin alpha (1 - beta) <= Rmin th (1 - th)).
  { apply Rmin_glb; [apply Rle_trans with alpha; [apply Rmin_l|lra]|apply Rle_trans with (1 - beta); [apply Rmin_r|lra]]. }
  assert (Mh : Rmin th (1 - th) <= 1 / 2) by (destruct (Rle_dec th (1 / 2)); [apply Rle_trans with th; [apply Rmin_l|lra]|apply Rle_trans with (1 - th); [apply Rmin_r|lra]]).
  assert (Mp : 0 <= Rmin alpha (1 - beta)) by (apply Rmin_glb; lra).
  assert (Sh := share_falls _ _ Mp Mn Mh). assert (Sq := share_quarter (Rmin th (1 - th)) ltac:(lra) Mh).
  set (r := share (Rmin alpha (1 - beta))) in *. set (r0 := share (Rmin th (1 - th))) in *.
  set (C := cov _ _ _ _) in *. set (Th := third _ _ _ _) in *.
  assert (P0 : 0 <= m0) by (apply Rle_trans with (2 := H0); apply Rabs_pos). assert (P1 : 0 <= m1) by (apply Rle_trans with (2 := H1); apply Rabs_pos).
  assert (C2 : C * C <= (gi * v) * (gi * v) * (W * W)).
  { apply Rle_trans with (1 := B1). replace (gi * W * (th * (1 - th)) * (gi * W * (th * (1 - th)))) with ((gi * (th * (1 - th))) * (gi * (th * (1 - th))) * (W * W)) by ring.
    apply Rmult_le_compat_r; auto. apply Rmult_le_compat; try (apply Rmult_le_pos; lra); apply Rmult_le_compat_l; lra. }
  assert (T2 : Rabs Th <= gi * v * r * (W * W)).
  { apply Rle_trans with (1 := B2). replace (gi * (W * W) * (th * (1 - th)) * r0) with (gi * (th * (1 - th)) * r0 * (W * W)) by ring.
    apply Rmult_le_compat_r; auto. apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat_l; lra. }
  apply Rle_trans with (m0 * ((gi * v) * (gi * v) * (W * W)) + m1 * (gi * v * r * (W * W))).
  - apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rmult_assoc, !Rabs_mult. rewrite <- (Rabs_mult C C), (Rabs_pos_eq (C * C)) by apply Rle_0_sqr.
    apply Rplus_le_compat; apply Rmult_le_compat; auto using Rabs_pos. apply Rle_0_sqr.
  - replace (m0 * ((gi * v) * (gi * v) * (W * W)) + m1 * (gi * v * r * (W * W))) with ((gi * v * (m0 * gi * v + m1 * r)) * (W * W)) by ring.
    now apply Rmult_le_compat_r.
Qed.

(** The forms of a sample: by the distances of its keys, over p as over W, and by its keys about any centre. *)
Lemma wide_by_distance i u Di : 0 <= Di -> (forall t t', (t < tokens P i)%nat -> (t' < tokens P i)%nat -> norm (vsub (key P i t) (key P i t')) <= Di) ->
  wide i u (Di * norm u).
Proof.
  intros HD H. split; [apply Rmult_le_pos; auto using norm_pos|]. intros t t' Ht Ht'. unfold logit. rewrite <- dot_sub_l.
  apply Rle_trans with (1 := cauchy_schwarz _ _). apply Rmult_le_compat_r; auto using norm_pos.
Qed.

Lemma wide_by_tokens i u (centre : E) :
  wide i u (sqrt (2 * sum (T i) (fun t => dot (vsub (key P i t) centre) u * dot (vsub (key P i t) centre) u))).
Proof.
  set (q := fun t => dot (vsub (key P i t) centre) u). set (S := sum (T i) (fun t => q t * q t)).
  split; [apply sqrt_pos|]. intros t t' Ht Ht'.
  destruct (Nat.eq_dec t t') as [->|Ne]; [rewrite Rminus_diag_eq by easy; apply sqrt_pos|].
  assert (Two : q t * q t + q t' * q t' <= S).
  { unfold S. apply (sum_two (T i) (fun t => q t * q t)); auto; try (apply in_seq; lia). intros; apply Rle_0_sqr. }
  replace (logit P u i t - logit P u i t') with (q t - q t') by (unfold q, logit; rewrite !dot_sub_l; ring).
  apply Rle_trans with (Rabs (q t - q t')); [apply Rle_abs|]. rewrite <- sqrt_Rsqr_abs. apply sqrt_le_1_alt. unfold Rsqr.
  assert (Q := Rle_0_sqr (q t + q t')). unfold Rsqr in Q. replace ((q t - q t') * (q t - q t')) with (2 * (q t * q t + q t' * q t') - (q t + q t') * (q t + q t')) by ring. apply Rle_trans with (2 * S); [lra|]. right. reflexivity.
Qed.

(** Clauses 3 to 5 say that the forms add up to at most n bound |u|^2. *)
Theorem curvature_bound bound (form : nat -> E -> R) : bounded P loss slope curv lo hi M0 M1 D g -> (0 < n)%nat ->
  (forall i, (i < n)%nat -> weighted i) -> (forall i u, (i < n)%nat -> exists W, wide i u W /\ W * W <= form i u) ->
  (forall u, sum (seq 0 n) (fun i => weight i * form i u) <= INR n * bound * dot u u) ->
  forall p u tau, let x := vadd p (vscal tau u) in
    exists second, is_derive (fun tau => / INR n * sum (seq 0 n) (fun i => slope (output P (vadd p (vscal tau u)) i) * covariance P (vadd p (vscal tau u)) i u)) tau second /\
      Rabs second <= bound * dot u u.
Proof.
  intros B Pn Hw Hf Hs p u tau x. eexists. split; [apply (second_derivative P loss slope curv lo hi M0 M1 D g); auto|].
  assert (In0 : 0 < INR n) by now apply lt_0_INR. assert (Iv : 0 < / INR n) by now apply Rinv_0_lt_compat.
  rewrite Rabs_mult, (Rabs_pos_eq (/ INR n)) by lra. apply Rmult_le_reg_l with (INR n); auto. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  apply Rle_trans with (1 := sum_abs _ _). rewrite <- Rmult_assoc. apply Rle_trans with (2 := Hs u).
  apply sum_le. intros i Hi. apply in_seq in Hi. assert (Hn : (i < n)%nat) by lia. destruct (Hf i u Hn) as (W & HW & HF).
  apply Rle_trans with (1 := sample_bound x u i W B Hn (Hw i Hn) HW). apply Rmult_le_compat_l; auto. apply (proj1 (proj2 (Hw i Hn))).
Qed.
End Bound.
