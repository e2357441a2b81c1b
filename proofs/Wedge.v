(** `descent-wedge` (docs/certificate.md 4.23; docs/theory.md 6.4), steps of any length eta_k > 0 along sums of rows g = sum_c q_c a_c.  h = p.w/|w|, r = |p|, Theta = 1/|w|, theta_c = a_c.w.
    In the wedge {h >= h0, r <= (1 + delta) h} every row has y_c >= B_c h; a set P of rows, the tight ones among them, pulls with b exp(-y) <= q <= Bh exp(-y), the others have |q| <= bo exp(-y) and are smaller by
    exp(-k_c h).  Then r+ <= r + (1 + e(h)) (h+ - h), and r/h + Phi(h) does not grow: the run stays in the wedge, h -> oo and p/|p| -> w/|w|.
    WedgeModel.v gives the bounds of q for the softmax model. *)
From Coq Require Import Reals List Lra Lia Psatz Arith Bool.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Limits.
Import ListNotations.
Open Scope R_scope.

Section Wedge.
Context {E : space} {A : Type}.
Variable rows : list A.
Variable a : A -> E.
Variables (w : E) (lam : A -> R).
Variable inP : A -> bool.
Variable nonempty : rows <> [].
Variable svm : solves rows a (fun _ => 1) w lam.
Notation W := (norm w).
Notation Th := (/ norm w).
Notation P := (filter inP rows).
Notation O := (filter (fun c => negb (inP c)) rows).
Variables (nn bo : A -> R) (de t b Bh abar kappa sb h0 : R).
Definition theta c := dot (a c) w.
Definition Bc c := Th * theta c - t * nn c.
Definition kc c := Bc c - (1 + de) * Th.
Definition gg c := norm (a c) * W * (bo c / b).
Definition xi u := sum O (fun c => gg c * exp (- (kc c * u))).
Notation xi0 := (xi h0).
Definition Kc := (kappa * W + sb * (abar * W + xi0) / 2) / (1 - xi0).
Definition ee u := Kc / u + 2 * xi u / (1 - xi0).
Definition Phi u := Kc / (u - sb) + 2 / (1 - xi0) * sum O (fun c => gg c * (exp (- (kc c * (u - sb))) / (kc c * (u - sb)))).

Variable de_pos : 0 < de.
Variable t_ok : 0 <= t /\ 2 * de + de * de <= t * t.
Variable h0_pos : 0 < h0.
Variable nn_ok : forall c, In c rows -> 0 <= nn c /\ dot (a c) (a c) - theta c * theta c * (Th * Th) <= nn c * nn c.
Variable Bc_pos : forall c, In c rows -> 0 < Bc c.
Variable kc_pos : forall c, In c rows -> inP c = false -> 0 < kc c.
Variable b_pos : 0 < b.
Variable bo_pos : forall c, In c rows -> inP c = false -> 0 <= bo c.
Variable Bh_pos : 0 <= Bh.
Variable xi0_small : xi0 < 1.
Variable abar_ok : 0 <= abar /\ forall c, In c rows -> inP c = true -> norm (a c) <= abar.
Variable kappa_ok : 0 <= kappa /\ Bh / b * (INR (length P) - 1) * exp (-1) <= kappa.
Variable sb_ok : 0 <= sb < h0.

Definition hh (p : E) := dot p (unit w).
Definition wedge (p : E) := h0 <= hh p /\ norm p <= (1 + de) * hh p.

Lemma W_pos : 0 < W.
Proof. exact (svm_norm_pos rows a w lam nonempty svm). Qed.
Lemma Th_pos : 0 < Th.
Proof. apply Rinv_0_lt_compat, W_pos. Qed.
Lemma unit_1 : dot (unit w) (unit w) = 1.
Proof. assert (X := W_pos). unfold unit. rewrite dot_scal_l, dot_scal_r, <- norm_sqr. field. lra. Qed.
Lemma unit_theta c : dot (a c) (unit w) = Th * theta c.
Proof. unfold unit, theta. now rewrite dot_scal_r. Qed.
Lemma theta_norm c : Rabs (Th * theta c) <= norm (a c).
Proof.
  rewrite <- unit_theta. apply Rle_trans with (1 := cauchy_schwarz_abs (a c) (unit w)). assert (U : norm (unit w) = 1) by (unfold norm; rewrite unit_1; apply sqrt_1).
  rewrite U. lra.
Qed.
Lemma inO c : In c O <-> In c rows /\ inP c = false.
Proof. rewrite filter_In, negb_true_iff. tauto. Qed.
Lemma inPr c : In c P <-> In c rows /\ inP c = true.
Proof. apply filter_In. Qed.
Lemma gg_pos c : In c O -> 0 <= gg c.
Proof. intros Hc. apply inO in Hc. assert (X := W_pos). assert (B := bo_pos c (proj1 Hc) (proj2 Hc)). unfold gg. apply Rmult_le_pos; [apply Rmult_le_pos; [apply norm_pos|lra]|apply Rle_mult_inv_pos; lra]. Qed.
Lemma xi_falls u v : u <= v -> xi v <= xi u.
Proof.
  intros H. apply sum_le. intros c Hc. apply Rmult_le_compat_l; [now apply gg_pos|]. apply exp_pos_le. apply inO in Hc. assert (K := kc_pos c (proj1 Hc) (proj2 Hc)). nra.
Qed.
Lemma xi_pos u : 0 <= xi u.
Proof. apply sum_nonneg. intros c Hc. apply Rmult_le_pos; [now apply gg_pos|left; apply exp_pos]. Qed.
Lemma Kc_pos : 0 <= Kc.
Proof.
  assert (X := W_pos). assert (Y := xi_pos h0). unfold Kc. apply Rle_mult_inv_pos; [|lra]. destruct abar_ok, kappa_ok.
  assert (0 <= kappa * W) by nra. assert (0 <= sb * (abar * W + xi0)) by (apply Rmult_le_pos; nra). lra.
Qed.
Lemma ee_pos u : 0 < u -> 0 <= ee u.
Proof.
  intros H. assert (K := Kc_pos). assert (X := xi_pos u). unfold ee. apply Rplus_le_le_0_compat; apply Rle_mult_inv_pos; lra.
Qed.

Section AtPoint.
Variables (p : E) (q : A -> R).
Variable inside : wedge p.
Variable pulls : forall c, In c rows -> inP c = true -> b * exp (- dot (a c) p) <= q c <= Bh * exp (- dot (a c) p).
Variable rest : forall c, In c rows -> inP c = false -> Rabs (q c) <= bo c * exp (- dot (a c) p).
Notation H := (hh p).
Notation r := (norm p).
Definition G : E := vsum rows (fun c => vscal (q c) (a c)).
Definition Q := sum P q.

Lemma H_pos : 0 < H.
Proof. destruct inside. lra. Qed.
Lemma H_le_r : H <= r.
Proof. exact (unit_bound rows a w lam nonempty svm p). Qed.

Lemma row_above c : In c rows -> Bc c * H <= dot (a c) p.
Proof.
  intros Hc. assert (Hp := H_pos). destruct inside as [_ Hr]. destruct (nn_ok c Hc) as [N0 N1]. destruct t_ok as [T0 T1].
  set (pp := vsub p (vscal H (unit w))). set (aa := vsub (a c) (vscal (Th * theta c) (unit w))).
  assert (Up : dot (unit w) p = H) by (unfold hh; apply dot_sym).
  assert (Ua : dot (unit w) (a c) = Th * theta c) by (rewrite dot_sym; apply unit_theta).
  assert (U1 := unit_1).
  assert (Sp : dot (a c) p = Th * theta c * H + dot aa pp).
  { unfold aa, pp. rewrite dot_sub_l, !dot_sub_r, !dot_scal_l, !dot_scal_r, U1, Up, unit_theta. ring. }
  assert (Np : norm pp <= t * H).
  { apply le_of_sq; [nra|]. rewrite norm_sqr. unfold pp. rewrite dot_sub_l, !dot_sub_r, !dot_scal_l, !dot_scal_r, U1, Up, (dot_sym p (unit w)), Up, <- norm_sqr.
    assert (X : r * r <= (1 + de) * H * ((1 + de) * H)) by (assert (Y := norm_pos p); nra).
    assert (Z : (2 * de + de * de) * (H * H) <= t * t * (H * H)) by (apply Rmult_le_compat_r; nra). lra. }
  assert (Na : norm aa <= nn c).
  { apply le_of_sq; auto. rewrite norm_sqr. apply Rle_trans with (2 := N1). unfold aa. rewrite dot_sub_l, !dot_sub_r, !dot_scal_l, !dot_scal_r, U1, Ua, unit_theta. right. ring. }
  assert (Cs := cauchy_schwarz_abs aa pp). assert (X : norm aa * norm pp <= nn c * (t * H)) by (apply Rmult_le_compat; auto using norm_pos).
  assert (Y := Rle_abs (- dot aa pp)). rewrite Rabs_Ropp in Y. unfold Bc. rewrite Sp. lra.
Qed.

Lemma least_in_P : exists c0 m, In c0 P /\ dot (a c0) p = m /\ (forall c, In c rows -> m <= dot (a c) p) /\ m <= Th * H /\
  (forall c, In c O -> m + kc c * H <= dot (a c) p).
Proof.
  assert (Hp := H_pos). assert (Wp := W_pos). assert (Tp := Th_pos).
  destruct (least rows (fun c => dot (a c) p) nonempty) as (c0 & Hc0 & Hl). set (m := dot (a c0) p) in *.
  assert (Hm : m <= Th * H).
  { assert (X := least_row_le rows a w lam nonempty svm p m Hl). fold (hh p) in X. apply Rmult_le_reg_l with W; auto. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
  assert (Off : forall c, In c O -> m + kc c * H <= dot (a c) p).
  { intros c Hc. apply inO in Hc. assert (X := row_above c (proj1 Hc)). unfold kc. assert (TH : 0 < Th * H) by (apply Rmult_lt_0_compat; auto). assert (0 <= de * (Th * H)) by (apply Rmult_le_pos; lra). lra. }
  exists c0, m. split; [|split; [auto|split; [auto|split; auto]]]. apply inPr. split; auto. destruct (inP c0) eqn:I; auto. exfalso.
  assert (X := Off c0 ltac:(apply inO; auto)). assert (K := kc_pos c0 Hc0 I). fold m in X. nra.
Qed.

Lemma q_P c : In c P -> 0 < q c.
Proof. intros Hc. apply inPr in Hc. destruct (pulls c (proj1 Hc) (proj2 Hc)) as [L _]. assert (X := exp_pos (- dot (a c) p)). nra. Qed.

Lemma Q_big c0 m : In c0 P -> dot (a c0) p = m -> b * exp (- m) <= Q.
Proof.
  intros Hc0 <-. assert (T : q c0 <= Q) by (apply sum_term; auto; intros; left; now apply q_P).
  apply inPr in Hc0. destruct (pulls c0 (proj1 Hc0) (proj2 Hc0)). lra.
Qed.
Lemma Qp : 0 < Q.
Proof. destruct least_in_P as (c0 & m & Hc & Hm & _). assert (X := Q_big c0 m Hc Hm). assert (Y := exp_pos (- m)). nra. Qed.
Lemma Q_least : b * exp (- (Th * H)) <= Q.
Proof.
  destruct least_in_P as (c0 & m & Hc & Hm & _ & L & _). apply Rle_trans with (2 := Q_big c0 m Hc Hm). apply Rmult_le_compat_l; [lra|]. apply exp_pos_le. lra.
Qed.

Lemma off_small c : In c O -> Rabs (q c) <= bo c / b * exp (- (kc c * H)) * Q.
Proof.
  intros Hc. assert (Hc' := Hc). apply inO in Hc'. destruct least_in_P as (c0 & m & Hc0 & Hm & _ & _ & Off).
  assert (X := Off c Hc). assert (B := bo_pos c (proj1 Hc') (proj2 Hc')). assert (Qb := Q_big c0 m Hc0 Hm).
  apply Rle_trans with (1 := rest c (proj1 Hc') (proj2 Hc')).
  apply Rle_trans with (bo c * (exp (- m) * exp (- (kc c * H)))).
  - apply Rmult_le_compat_l; auto. rewrite <- exp_plus. apply exp_pos_le. lra.
  - replace (bo c / b * exp (- (kc c * H)) * Q) with (bo c * (Q / b * exp (- (kc c * H)))) by (field; lra).
    apply Rmult_le_compat_l; auto. apply Rmult_le_compat_r; [left; apply exp_pos|].
    apply Rmult_le_reg_l with b; auto. replace (b * (Q / b)) with Q by (field; lra). lra.
Qed.

Lemma off_sum (f : A -> R) k : 0 <= k -> (forall c, In c O -> Rabs (f c) <= norm (a c) * k) -> Rabs (sum O (fun c => q c * f c)) <= Th * xi H * Q * k.
Proof.
  intros Hk Hf. assert (Wp := W_pos). apply Rle_trans with (1 := sum_abs _ _).
  apply Rle_trans with (sum O (fun c => Th * Q * k * (gg c * exp (- (kc c * H))))).
  - apply sum_le. intros c Hc. rewrite Rabs_mult. apply Rle_trans with (bo c / b * exp (- (kc c * H)) * Q * (norm (a c) * k)).
    + apply Rmult_le_compat; auto using Rabs_pos, off_small.
    + right. unfold gg. field. split; lra.
  - rewrite sum_scal. fold (xi H). right. ring.
Qed.

Lemma G_dot z : dot G z = sum P (fun c => q c * dot (a c) z) + sum O (fun c => q c * dot (a c) z).
Proof.
  unfold G. rewrite dot_vsum_l, (sum_ext _ _ (fun c => q c * dot (a c) z)) by (intros; apply dot_scal_l). apply sum_partition.
Qed.

Lemma pull_P : exists m, m <= Th * H /\ sum P (fun c => q c * dot (a c) p) <= (m + kappa) * Q.
Proof.
  destruct least_in_P as (c0 & m & Hc0 & Hm & Hl & L & _). exists m. split; auto.
  assert (Qb := Q_big c0 m Hc0 Hm). assert (Em := exp_pos (- m)). assert (E1 := exp_pos (-1)).
  (* every row of P but the least one *)
  assert (S : sum P (fun c => q c * (dot (a c) p - m)) <= (INR (length P) - 1) * (Bh * exp (- m) * exp (-1))).
  { assert (Tm : forall c, In c P -> q c * (dot (a c) p - m) <= Bh * exp (- m) * exp (-1)).
    { intros c Hc. apply inPr in Hc. destruct (pulls c (proj1 Hc) (proj2 Hc)) as [_ U]. specialize (Hl c (proj1 Hc)). set (z := dot (a c) p - m) in *.
      assert (Z := z_exp_minus_z z). apply Rle_trans with (Bh * exp (- dot (a c) p) * z); [apply Rmult_le_compat_r; auto; unfold z; lra|].
      replace (- dot (a c) p) with (- m + - z) by (unfold z; ring). rewrite exp_plus. replace (Bh * (exp (- m) * exp (- z)) * z) with (Bh * exp (- m) * (z * exp (- z))) by ring.
      apply Rmult_le_compat_l; [nra|auto]. }
    clear - Tm Hc0 Hm Bh_pos Em E1. induction P as [|c l IH]; [easy|]. cbn [sum length]. rewrite S_INR.
    assert (Tc := Tm c (or_introl eq_refl)).
    destruct Hc0 as [->|I].
    - rewrite Hm. replace (m - m) with 0 by ring. rewrite Rmult_0_r, Rplus_0_l. replace (INR (length l) + 1 - 1) with (INR (length l)) by ring.
      rewrite <- sum_const. apply sum_le. intros e He. apply Tm. now right.
    - specialize (IH I (fun e He => Tm e (or_intror He))). lra. }
  destruct kappa_ok as [K0 K1].
  assert (X : (INR (length P) - 1) * (Bh * exp (- m) * exp (-1)) <= kappa * Q).
  { apply Rle_trans with (kappa * (b * exp (- m))); [|apply Rmult_le_compat_l; auto].
    replace ((INR (length P) - 1) * (Bh * exp (- m) * exp (-1))) with (Bh / b * (INR (length P) - 1) * exp (-1) * (b * exp (- m))) by (field; lra).
    apply Rmult_le_compat_r; auto. nra. }
  rewrite (sum_ext P (fun c => q c * (dot (a c) p - m)) (fun c => q c * dot (a c) p - q c * m)) in S by (intros; ring).
  rewrite sum_minus, sum_scal_r in S. fold Q in S. lra.
Qed.

Lemma G_p : dot G p <= Q * (Th * r + kappa + Th * xi H * r).
Proof.
  assert (Hr := H_le_r). assert (Hp := H_pos). assert (Qpos := Qp). assert (Tp := Th_pos). destruct pull_P as (m & L & S). rewrite G_dot.
  assert (Of := off_sum (fun c => dot (a c) p) r (norm_pos p) (fun c _ => cauchy_schwarz_abs (a c) p)). assert (X := Rle_abs (sum O (fun c => q c * dot (a c) p))).
  assert (m * Q <= Th * r * Q) by (apply Rmult_le_compat_r; [lra|]; nra). nra.
Qed.

Lemma G_w : Th * Q * (1 - xi H) <= dot G (unit w).
Proof.
  rewrite G_dot. assert (Qpos := Qp). assert (Tp := Th_pos).
  assert (Of := off_sum (fun c => dot (a c) (unit w)) 1 ltac:(lra) ltac:(intros c _; cbv beta; rewrite unit_theta, Rmult_1_r; apply theta_norm)).
  assert (X := Rle_abs (- sum O (fun c => q c * dot (a c) (unit w)))). rewrite Rabs_Ropp in X.
  assert (Y : Th * Q <= sum P (fun c => q c * dot (a c) (unit w))).
  { unfold Q. rewrite <- sum_scal. apply sum_le. intros c Hc. assert (Qc := q_P c Hc). apply inPr in Hc. rewrite unit_theta.
    assert (F : 1 <= theta c) by (destruct svm as (_ & _ & F & _); now apply F). assert (Th <= Th * theta c) by nra. nra. }
  lra.
Qed.

Lemma G_norm : norm G <= Q * (abar + Th * xi H).
Proof.
  assert (Qpos := Qp). assert (Tp := Th_pos). assert (Wp := W_pos). unfold G. apply Rle_trans with (1 := norm_vsum _ _).
  rewrite (sum_ext _ _ (fun c => Rabs (q c) * norm (a c))) by (intros; apply norm_scal). rewrite (sum_partition rows inP).
  assert (S1 : sum P (fun c => Rabs (q c) * norm (a c)) <= Q * abar).
  { unfold Q. rewrite <- sum_scal_r. apply sum_le. intros c Hc. assert (Qc := q_P c Hc). rewrite Rabs_pos_eq by lra. apply inPr in Hc. apply Rmult_le_compat_l; [lra|]. now apply abar_ok. }
  assert (S2 : sum O (fun c => Rabs (q c) * norm (a c)) <= Q * (Th * xi H)).
  { unfold xi. rewrite <- !sum_scal. apply sum_le. intros c Hc. apply Rle_trans with (bo c / b * exp (- (kc c * H)) * Q * norm (a c)); [apply Rmult_le_compat_r; [apply norm_pos|now apply off_small]|].
    right. unfold gg. field. split; lra. }
  lra.
Qed.

Section Step.
Variables (eta : R) (p' : E).
Variable eta_pos : 0 < eta.
Variable step : same p' (vadd p (vscal eta G)).
Variable short : eta * norm G <= sb.
Notation dh := (eta * dot G (unit w)).

Lemma h_step' : hh p' = H + dh.
Proof. unfold hh. rewrite (step (unit w)), dot_add_l, dot_scal_l. ring. Qed.

Lemma dh_low : eta * (Th * Q * (1 - xi0)) <= dh.
Proof.
  apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (2 := G_w). assert (Qpos := Qp). assert (Tp := Th_pos). destruct inside as [Hi _]. assert (X := xi_falls h0 H Hi).
  apply Rmult_le_compat_l; nra.
Qed.
Lemma dh_pos : 0 < dh.
Proof. apply Rlt_le_trans with (2 := dh_low). assert (Qpos := Qp). assert (Tp := Th_pos). apply Rmult_lt_0_compat; auto. apply Rmult_lt_0_compat; nra. Qed.
Lemma dh_short : dh <= sb.
Proof.
  apply Rle_trans with (2 := short). apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (1 := cauchy_schwarz G (unit w)).
  assert (U : norm (unit w) = 1) by (unfold norm; rewrite unit_1; apply sqrt_1). rewrite U. lra.
Qed.

Lemma r_step' : norm p' <= r + (1 + ee H) * dh.
Proof.
  assert (Hr := H_le_r). assert (Hp := H_pos). assert (Qpos := Qp). assert (Tp := Th_pos). assert (Wp := W_pos). destruct inside as [Hi _].
  assert (X0 := xi_falls h0 H Hi). assert (Xp := xi_pos H). assert (Dl := dh_low). assert (Dp := dh_pos). destruct abar_ok as [A0 _]. destruct kappa_ok as [K0 _].
  assert (Gw : eta * (Th * Q) * (1 - xi H) <= dh) by (assert (Y := G_w); apply Rmult_le_compat_l with (r := eta) in Y; [|lra]; lra).
  (* the pull *)
  assert (I1 : eta * dot G p <= r * (dh * (1 + (kappa * W / H + 2 * xi H) / (1 - xi0)))).
  { assert (Y := G_p). apply Rmult_le_compat_l with (r := eta) in Y; [|lra]. apply Rle_trans with (1 := Y).
    replace (eta * (Q * (Th * r + kappa + Th * xi H * r))) with (r * (eta * (Th * Q) * (1 + kappa * W / r + xi H))) by (field; lra).
    apply Rmult_le_compat_l; [lra|].
    assert (Kr : kappa * W / r <= kappa * W / H).
    { unfold Rdiv. apply Rmult_le_compat_l; [nra|]. apply Rinv_le_contravar; lra. }
    assert (KH : 0 <= kappa * W / H) by (apply Rle_mult_inv_pos; nra).
    apply Rle_trans with (eta * (Th * Q) * (1 + kappa * W / H + xi H)); [apply Rmult_le_compat_l; [apply Rmult_le_pos; nra|lra]|].
    set (k := kappa * W / H) in *. set (x := xi H) in *. set (s := eta * (Th * Q)) in *.
    assert (Sp : 0 < s) by (unfold s; apply Rmult_lt_0_compat; nra).
    (* s (1 + k + x) = s (1 - x) + s (k + 2x), and s <= dh / (1 - xi0) *)
    assert (Sd : s <= dh / (1 - xi0)).
    { apply Rmult_le_reg_r with (1 - xi0); [lra|]. replace (dh / (1 - xi0) * (1 - xi0)) with dh by (field; lra). unfold s. lra. }
    replace (dh * (1 + (k + 2 * x) / (1 - xi0))) with (dh + dh / (1 - xi0) * (k + 2 * x)) by (field; lra).
    assert (s * (k + 2 * x) <= dh / (1 - xi0) * (k + 2 * x)) by (apply Rmult_le_compat_r; lra). lra. }
  (* the square *)
  assert (I2 : eta * norm G * (eta * norm G) <= dh * (sb * (abar * W + xi0) / (1 - xi0))).
  { assert (Ng := norm_pos G). apply Rle_trans with (sb * (eta * norm G)); [apply Rmult_le_compat_r; nra|].
    assert (Y := G_norm). apply Rle_trans with (sb * (eta * (Q * (abar + Th * xi0)))).
    - apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (1 := Y). apply Rmult_le_compat_l; [lra|]. nra.
    - replace (dh * (sb * (abar * W + xi0) / (1 - xi0))) with (sb * (abar * W + xi0) * (dh / (1 - xi0))) by (field; lra).
      replace (sb * (eta * (Q * (abar + Th * xi0)))) with (sb * (abar * W + xi0) * (eta * (Th * Q))) by (field; lra).
      apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra|]; assert (Z := xi_pos h0); nra|].
      apply Rmult_le_reg_r with (1 - xi0); [lra|]. replace (dh / (1 - xi0) * (1 - xi0)) with dh by (field; lra). lra. }
  set (y := dh * (1 + (kappa * W / H + 2 * xi H) / (1 - xi0)) + dh * (sb * (abar * W + xi0) / (1 - xi0)) / (2 * r)).
  assert (Y0 : 0 <= y).
  { unfold y. assert (Z := xi_pos h0). apply Rplus_le_le_0_compat.
    - apply Rmult_le_pos; [lra|]. assert (0 <= (kappa * W / H + 2 * xi H) / (1 - xi0)); [|lra]. apply Rle_mult_inv_pos; [|lra]. assert (0 <= kappa * W / H) by (apply Rle_mult_inv_pos; nra). lra.
    - apply Rle_mult_inv_pos; [|lra]. apply Rmult_le_pos; [lra|]. apply Rle_mult_inv_pos; [|lra]. apply Rmult_le_pos; nra. }
  assert (N : norm p' <= r + y).
  { apply le_of_sq; [lra|]. rewrite norm_sqr, (step p'), (same_r _ _ _ step), !dot_add_l, !dot_add_r, !dot_scal_l, !dot_scal_r, (dot_sym p G), <- (norm_sqr p), <- (norm_sqr G).
    assert (Y2 : 2 * r * y = 2 * (r * (dh * (1 + (kappa * W / H + 2 * xi H) / (1 - xi0)))) + dh * (sb * (abar * W + xi0) / (1 - xi0))) by (unfold y; field; lra).
    assert (0 <= y * y) by nra. lra. }
  apply Rle_trans with (1 := N). apply Rplus_le_compat_l. unfold y, ee, Kc.
  apply Rle_trans with (dh * (1 + (kappa * W / H + 2 * xi H) / (1 - xi0)) + dh * (sb * (abar * W + xi0) / (1 - xi0)) / (2 * H)).
  - apply Rplus_le_compat_l. unfold Rdiv at 1 3. apply Rmult_le_compat_l; [|apply Rinv_le_contravar; lra].
    apply Rmult_le_pos; [lra|]. apply Rle_mult_inv_pos; [|lra]. assert (Z := xi_pos h0). apply Rmult_le_pos; nra.
  - right. field. split; lra.
Qed.

(** The potential. *)
Lemma Phi_step : dh * ee H / hh p' <= Phi H - Phi (hh p').
Proof.
  assert (Hp := H_pos). assert (Dp := dh_pos). assert (Ds := dh_short). destruct inside as [Hi _]. rewrite h_step'. set (d := dh) in *.
  set (u := H - sb). assert (Up : 0 < u) by (unfold u; lra). assert (K0 := Kc_pos).
  unfold Phi, ee. replace (H + d - sb) with (u + d) by (unfold u; ring). fold u.
  (* the first term *)
  assert (I1 : d * (Kc / H) / (H + d) <= Kc / u - Kc / (u + d)).
  { replace (Kc / u - Kc / (u + d)) with (Kc * d * (/ (u * (u + d)))) by (field; lra). replace (d * (Kc / H) / (H + d)) with (Kc * d * (/ (H * (H + d)))) by (field; lra).
    apply Rmult_le_compat_l; [nra|]. apply Rinv_le_contravar; [nra|]. unfold u in *. nra. }
  assert (I2 : d * xi H / (H + d) <= sum O (fun c => gg c * (exp (- (kc c * u)) / (kc c * u))) - sum O (fun c => gg c * (exp (- (kc c * (u + d))) / (kc c * (u + d))))).
  { rewrite <- sum_minus. unfold xi. replace (d * sum O (fun c => gg c * exp (- (kc c * H))) / (H + d)) with (sum O (fun c => d / (H + d) * (gg c * exp (- (kc c * H))))) by (rewrite sum_scal; field; lra).
    apply sum_le. intros c Hc. assert (Gp := gg_pos c Hc). apply inO in Hc. assert (Kp := kc_pos c (proj1 Hc) (proj2 Hc)). set (k := kc c) in *.
    replace (d / (H + d) * (gg c * exp (- (k * H)))) with (gg c * (d * exp (- (k * H)) / (H + d))) by (field; lra). rewrite <- Rmult_minus_distr_l. apply Rmult_le_compat_l; auto.
    set (x1 := exp (- (k * u))). set (x2 := exp (- (k * (u + d)))). assert (P1 : 0 < x1) by apply exp_pos. assert (P2 : 0 < x2) by apply exp_pos.
    assert (Cv : x2 * (1 + k * d) <= x1).
    { unfold x1. replace (- (k * u)) with (- (k * (u + d)) + k * d) by ring. rewrite exp_plus. fold x2. apply Rmult_le_compat_l; [lra|]. apply exp_tangent. }
    assert (Ex : exp (- (k * H)) <= x2) by (unfold x2; apply exp_pos_le; unfold u; nra).
    apply Rle_trans with (d * x2 / (u + d)).
    - apply Rle_trans with (d * x2 / (H + d)).
      + unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. apply Rmult_le_compat_l; lra.
      + unfold Rdiv. apply Rmult_le_compat_l; [nra|]. apply Rinv_le_contravar; [lra|]. unfold u. lra.
    - apply Rle_trans with ((x1 - x2) / (k * (u + d))).
      + apply Rmult_le_reg_r with (k * (u + d)); [nra|]. replace (d * x2 / (u + d) * (k * (u + d))) with (x2 * (k * d)) by (field; lra). replace ((x1 - x2) / (k * (u + d)) * (k * (u + d))) with (x1 - x2) by (field; lra). lra.
      + replace ((x1 - x2) / (k * (u + d))) with (x1 / (k * (u + d)) - x2 / (k * (u + d))) by (field; lra). assert (x1 / (k * (u + d)) <= x1 / (k * u)); [|lra].
        unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; nra. }
  set (S1 := sum O (fun c => gg c * (exp (- (kc c * u)) / (kc c * u)))) in *. set (S2 := sum O (fun c => gg c * (exp (- (kc c * (u + d))) / (kc c * (u + d))))) in *.
  replace (d * (Kc / H + 2 * xi H / (1 - xi0)) / (H + d)) with (d * (Kc / H) / (H + d) + 2 / (1 - xi0) * (d * xi H / (H + d))) by (field; lra).
  assert (2 / (1 - xi0) * (d * xi H / (H + d)) <= 2 / (1 - xi0) * (S1 - S2)) by (apply Rmult_le_compat_l; [apply Rle_mult_inv_pos; lra|auto]). lra.
Qed.

Lemma ratio_step : norm p' / hh p' + Phi (hh p') <= r / H + Phi H.
Proof.
  assert (Hp := H_pos). assert (Dp := dh_pos). assert (X := Phi_step). assert (R := r_step'). assert (Hr := H_le_r). rewrite h_step' in *. set (d := dh) in *.
  assert (Y : norm p' / (H + d) <= r / H + d * ee H / (H + d)); [|lra].
  apply Rmult_le_reg_r with (H + d); [lra|]. replace (norm p' / (H + d) * (H + d)) with (norm p') by (field; lra).
  replace ((r / H + d * ee H / (H + d)) * (H + d)) with (r + d * (r / H) + d * ee H) by (field; lra).
  assert (1 <= r / H) by (apply Rmult_le_reg_r with H; auto; replace (r / H * H) with r by (field; lra); lra). nra.
Qed.
End Step.

(** The two kinds of steps. *)
Lemma Q_high : Q <= Bh * sum P (fun c => exp (- (Bc c * h0))).
Proof.
  unfold Q. rewrite <- sum_scal. apply sum_le. intros c Hc. apply inPr in Hc. destruct (pulls c (proj1 Hc) (proj2 Hc)) as [_ U]. apply Rle_trans with (1 := U).
  apply Rmult_le_compat_l; auto. apply exp_pos_le. assert (X := row_above c (proj1 Hc)). assert (Bp := Bc_pos c (proj1 Hc)). destruct inside as [Hi _]. nra.
Qed.
Lemma G_short : norm G <= (abar + Th * xi0) * (Bh * sum P (fun c => exp (- (Bc c * h0)))).
Proof.
  apply Rle_trans with (1 := G_norm). assert (Qpos := Qp). assert (Tp := Th_pos). assert (Z := xi_pos h0). assert (Z' := xi_pos H). destruct inside as [Hi _]. assert (X := xi_falls h0 H Hi). destruct abar_ok as [A0 _].
  assert (Y : Th * xi H <= Th * xi0) by (apply Rmult_le_compat_l; lra). assert (Y' : 0 <= Th * xi H) by (apply Rmult_le_pos; lra).
  rewrite Rmult_comm. apply Rmult_le_compat; [lra|lra|lra|apply Q_high].
Qed.
Lemma G_advances : Th * (1 - xi0) * (b * exp (- (Th * H))) <= dot G (unit w).
Proof.
  apply Rle_trans with (2 := G_w). assert (Tp := Th_pos). assert (Ql := Q_least). assert (Qpos := Qp). destruct inside as [Hi _]. assert (X := xi_falls h0 H Hi).
  apply Rle_trans with (Th * (1 - xi0) * Q); [apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|auto]|]. replace (Th * (1 - xi0) * Q) with (Th * Q * (1 - xi0)) by ring. apply Rmult_le_compat_l; [|lra]. apply Rmult_le_pos; lra.
Qed.
Lemma G_turned : Th * (1 - xi0) * norm G <= (abar + Th * xi0) * dot G (unit w).
Proof.
  assert (Tp := Th_pos). assert (Qpos := Qp). destruct inside as [Hi _]. assert (X := xi_falls h0 H Hi). destruct abar_ok as [A0 _]. assert (Z := xi_pos h0).
  assert (Y : Th * xi H <= Th * xi0) by (apply Rmult_le_compat_l; lra). assert (Y0 : 0 <= Th * xi0) by (apply Rmult_le_pos; lra).
  apply Rle_trans with (Th * (1 - xi0) * (Q * (abar + Th * xi0))).
  - apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. apply Rle_trans with (1 := G_norm). apply Rmult_le_compat_l; lra.
  - replace (Th * (1 - xi0) * (Q * (abar + Th * xi0))) with ((abar + Th * xi0) * (Th * Q * (1 - xi0))) by ring. apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (2 := G_w).
    apply Rmult_le_compat_l; [|lra]. apply Rmult_le_pos; lra.
Qed.
End AtPoint.

(** ** The run *)
Lemma Phi_pos u : sb < u -> 0 <= Phi u.
Proof.
  intros Hu. assert (K := Kc_pos). unfold Phi. apply Rplus_le_le_0_compat; [apply Rle_mult_inv_pos; lra|]. apply Rmult_le_pos; [apply Rle_mult_inv_pos; lra|].
  apply sum_nonneg. intros c Hc. assert (Gp := gg_pos c Hc). apply inO in Hc. assert (Kp := kc_pos c (proj1 Hc) (proj2 Hc)). apply Rmult_le_pos; auto. apply Rle_mult_inv_pos; [left; apply exp_pos|]. apply Rmult_lt_0_compat; lra.
Qed.
Lemma Phi_falls u v : sb < u -> u <= v -> Phi v <= Phi u.
Proof.
  intros Hu Hv. assert (K := Kc_pos). unfold Phi. apply Rplus_le_compat.
  - unfold Rdiv. apply Rmult_le_compat_l; auto. apply Rinv_le_contravar; lra.
  - apply Rmult_le_compat_l; [apply Rle_mult_inv_pos; lra|]. apply sum_le. intros c Hc. assert (Gp := gg_pos c Hc). apply inO in Hc. assert (Kp := kc_pos c (proj1 Hc) (proj2 Hc)).
    apply Rmult_le_compat_l; auto. unfold Rdiv. apply Rmult_le_compat; [left; apply exp_pos|left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra|apply exp_pos_le|apply Rinv_le_contravar].
    + assert (kc c * (u - sb) <= kc c * (v - sb)) by (apply Rmult_le_compat_l; lra). lra.
    + apply Rmult_lt_0_compat; lra.
    + apply Rmult_le_compat_l; lra.
Qed.
Lemma ee_falls u v : 0 < u -> u <= v -> ee v <= ee u.
Proof.
  intros Hu Hv. assert (K := Kc_pos). assert (X := xi_falls u v Hv). unfold ee. apply Rplus_le_compat.
  - unfold Rdiv. apply Rmult_le_compat_l; auto. apply Rinv_le_contravar; lra.
  - unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|lra].
Qed.
Lemma ee_fades e : 0 < e -> exists U, 0 < U /\ forall u, U <= u -> ee u <= e.
Proof.
  intros He. assert (K := Kc_pos). set (X := sum O (fun c => gg c / kc c)).
  assert (X0 : 0 <= X) by (apply sum_nonneg; intros c Hc; assert (Gp := gg_pos c Hc); apply inO in Hc; assert (Kp := kc_pos c (proj1 Hc) (proj2 Hc)); now apply Rle_mult_inv_pos).
  set (Z := Kc + 2 * X / (1 - xi0)). assert (Z0 : 0 <= Z) by (unfold Z; assert (0 <= 2 * X / (1 - xi0)) by (apply Rle_mult_inv_pos; lra); lra).
  exists ((Z + 1) / e). assert (Up : 0 < (Z + 1) / e) by (apply Rdiv_lt_0_compat; lra). split; auto. intros u Hu.
  assert (Xu : xi u <= X / u).
  { unfold xi, X, Rdiv. rewrite <- sum_scal_r. apply sum_le. intros c Hc. assert (Gp := gg_pos c Hc). apply inO in Hc. assert (Kp := kc_pos c (proj1 Hc) (proj2 Hc)).
    rewrite Rmult_assoc. apply Rmult_le_compat_l; auto. rewrite exp_Ropp, <- Rinv_mult. apply Rinv_le_contravar; [apply Rmult_lt_0_compat; lra|]. assert (T := exp_tangent (kc c * u)). lra. }
  apply Rle_trans with (Z / u).
  - unfold ee, Z. replace ((Kc + 2 * X / (1 - xi0)) / u) with (Kc / u + 2 * (X / u) / (1 - xi0)) by (field; lra). apply Rplus_le_compat_l. unfold Rdiv at 1 3.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|lra].
  - apply Rmult_le_reg_r with u; [lra|]. replace (Z / u * u) with Z by (field; lra). apply Rmult_le_compat_l with (r := e) in Hu; [|lra]. replace (e * ((Z + 1) / e)) with (Z + 1) in Hu by (field; lra). lra.
Qed.

Section Run.
Variables (p : nat -> E) (q : nat -> A -> R) (eta : nat -> R).
Variable steps : forall k, same (p (S k)) (vadd (p k) (vscal (eta k) (G (q k)))).
Variable pulls : forall k, wedge (p k) -> forall c, In c rows -> inP c = true -> b * exp (- dot (a c) (p k)) <= q k c <= Bh * exp (- dot (a c) (p k)).
Variable rest : forall k, wedge (p k) -> forall c, In c rows -> inP c = false -> Rabs (q k c) <= bo c * exp (- dot (a c) (p k)).
Variable eta_ok : forall k, wedge (p k) -> 0 < eta k /\ eta k * norm (G (q k)) <= sb.
Variable no_fade : forall top, exists d, 0 < d /\ forall k, wedge (p k) -> hh (p k) <= top -> d <= eta k * dot (G (q k)) (unit w).
Variable start : h0 <= hh (p 0%nat).
Variable start_ok : norm (p 0%nat) / hh (p 0%nat) + Phi h0 <= 1 + de.

Lemma ratio_wedge x : h0 <= hh x -> norm x / hh x + Phi (hh x) <= 1 + de -> wedge x.
Proof.
  intros Hx R. split; auto. assert (X := Phi_pos (hh x) ltac:(lra)). assert (Y : norm x / hh x <= 1 + de) by lra.
  apply Rmult_le_compat_r with (r := hh x) in Y; [|lra]. replace (norm x / hh x * hh x) with (norm x) in Y by (field; lra). exact Y.
Qed.

Theorem wedge_for_ever k : wedge (p k) /\ norm (p k) / hh (p k) + Phi (hh (p k)) <= 1 + de.
Proof.
  induction k as [|k [IW IR]].
  - assert (X := Phi_falls h0 (hh (p 0%nat)) ltac:(lra) start). assert (R : norm (p 0%nat) / hh (p 0%nat) + Phi (hh (p 0%nat)) <= 1 + de) by lra. split; auto. now apply ratio_wedge.
  - destruct (eta_ok k IW) as [E0 E1].
    assert (R := ratio_step (p k) (q k) IW (pulls k IW) (rest k IW) (eta k) (p (S k)) E0 (steps k) E1).
    assert (Dp := dh_pos (p k) (q k) IW (pulls k IW) (rest k IW) (eta k) E0). assert (Hs := h_step' (p k) (q k) (eta k) (p (S k)) (steps k)).
    destruct IW as [I1 I2]. assert (B : norm (p (S k)) / hh (p (S k)) + Phi (hh (p (S k))) <= 1 + de) by lra. split; auto. apply ratio_wedge; auto. lra.
Qed.

Lemma h_up k : hh (p k) < hh (p (S k)).
Proof.
  destruct (wedge_for_ever k) as [I _]. destruct (eta_ok k I) as [E0 _]. rewrite (h_step' (p k) (q k) (eta k) (p (S k)) (steps k)).
  assert (Dp := dh_pos (p k) (q k) I (pulls k I) (rest k I) (eta k) E0). lra.
Qed.
Lemma h_mono j k : (j <= k)%nat -> hh (p j) <= hh (p k).
Proof. induction 1 as [|k L IH]; [lra|]. assert (X := h_up k). lra. Qed.

Lemma h_to_infinity : to_infinity (fun k => hh (p k)).
Proof.
  intros M. destruct (no_fade M) as (d & D0 & Hd).
  assert (G0 : forall k, M <= hh (p k) \/ hh (p 0%nat) + INR k * d <= hh (p k)).
  { induction k as [|k IH]; [right; simpl; lra|]. assert (U := h_up k). destruct IH as [IH|IH]; [left; lra|]. destruct (Rle_or_lt (hh (p k)) M) as [L|L]; [|left; lra].
    right. destruct (wedge_for_ever k) as [I _]. specialize (Hd k I L). rewrite S_INR, (h_step' (p k) (q k) (eta k) (p (S k)) (steps k)). lra. }
  destruct (nfloor_ex (Rmax 0 ((M - hh (p 0%nat)) / d))) as [N [_ HN]]; [apply Rmax_l|]. assert (X0 := Rmax_r 0 ((M - hh (p 0%nat)) / d)). set (K := S N).
  assert (HK : M - hh (p 0%nat) <= INR K * d).
  { unfold K. rewrite S_INR. replace (M - hh (p 0%nat)) with ((M - hh (p 0%nat)) / d * d) by (field; lra). apply Rmult_le_compat_r; lra. }
  exists K. intros k Hk. apply Rle_trans with (hh (p K)); [|now apply h_mono].
  destruct (G0 K) as [|X]; auto. lra.
Qed.

Theorem wedge_norm_diverges : to_infinity (fun k => norm (p k)).
Proof. intros M. destruct (h_to_infinity M) as [K HK]. exists K. intros k Hk. apply Rle_trans with (1 := HK k Hk). apply H_le_r. Qed.

Lemma r_up j k : (j <= k)%nat -> norm (p k) <= norm (p j) + (1 + ee (hh (p j))) * (hh (p k) - hh (p j)).
Proof.
  induction 1 as [|k L IH]; [lra|]. destruct (wedge_for_ever k) as [I _]. destruct (wedge_for_ever j) as [[J1 _] _]. destruct (eta_ok k I) as [E0 E1].
  assert (R := r_step' (p k) (q k) I (pulls k I) (rest k I) (eta k) (p (S k)) E0 (steps k) E1).
  assert (Hs := h_step' (p k) (q k) (eta k) (p (S k)) (steps k)). assert (Dp := dh_pos (p k) (q k) I (pulls k I) (rest k I) (eta k) E0).
  assert (F := ee_falls (hh (p j)) (hh (p k)) ltac:(lra) (h_mono j k L)). rewrite Hs. set (d := eta k * dot (G (q k)) (unit w)) in *.
  assert ((1 + ee (hh (p k))) * d <= (1 + ee (hh (p j))) * d) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Theorem wedge_direction : to_zero (fun k => norm (vsub (unit (p k)) (unit w))).
Proof.
  intros e0 He0. assert (Pw := W_pos). set (e := e0 * e0 / 4). assert (He : 0 < e) by (unfold e; nra).
  destruct (ee_fades e He) as (U & U0 & HU). destruct (h_to_infinity (Rmax 1 U)) as [J HJ]. assert (M1 := Rmax_l 1 U). assert (M2 := Rmax_r 1 U).
  assert (HJ0 := HJ J (le_n J)). assert (Ee := HU (hh (p J)) ltac:(lra)).
  set (C2 := norm (p J) - (1 + e) * hh (p J)). destruct (h_to_infinity (Rmax 1 (C2 / e))) as [K HK].
  exists (J + K)%nat. intros k Hk. rewrite Rabs_pos_eq by apply norm_pos. assert (N1 := Rmax_l 1 (C2 / e)). assert (N2 := Rmax_r 1 (C2 / e)). specialize (HK k ltac:(lia)).
  assert (R := r_up J k ltac:(lia)). assert (Hm := h_mono J k ltac:(lia)). assert (HR := H_le_r (p k)). set (H := hh (p k)) in *. set (R0 := norm (p k)) in *.
  assert (R1 : R0 <= norm (p J) + (1 + e) * (H - hh (p J))) by (assert ((1 + ee (hh (p J))) * (H - hh (p J)) <= (1 + e) * (H - hh (p J))) by (apply Rmult_le_compat_r; lra); lra).
  assert (HH : C2 <= e * H). { replace C2 with (e * (C2 / e)) by (field; lra). apply Rmult_le_compat_l; lra. }
  assert (RH : R0 <= (1 + 2 * e) * H) by (unfold C2 in *; lra).
  apply unit_close; [auto|auto|change (0 < H <= R0); lra|exact RH].
Qed.
End Run.
End Wedge.
