(** `descent-cone` (docs/certificate.md 4.22), steps: any run p_{k+1} = p_k + eta_k G_k, G_k = sum_c q_c a_c, whose weights q_c satisfy the bounds of Cone.v while |r| <= rho and l >= l_0.
    Under clauses 9 and 10 |r_k| <= rho for ever and l_k increases; when steps do not fade at bounded l, l_k -> oo, |p_k| -> oo and p_k/|p_k| -> w/|w|.
    Constant and normalised steps have clause 8. *)
From Coq Require Import Reals List Lra Lia Psatz Arith Bool.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Curvature Rank Limits Cone.
Import ListNotations.
Open Scope R_scope.

Section ConeRun.
Context {E : space} {A : Type}.
Variable rows : list A.
Variable a : A -> E.
Variable w : E.
Variables (lam th nn mb epb phi : A -> R).
Variables inS push : A -> bool.
Variables (N rho l0 eps M phiS kap taub : R).
Variable taub_pos : 0 <= taub.
Variable F : frame rows a w lam th nn inS N rho.
Variable B : sizes rows th nn mb epb inS push N rho eps kap.
Variable Ct : contracts rows a w lam th nn phi inS push N rho M phiS.
Notation Mbar := (Mbar rows nn mb phi inS push eps M phiS).
Notation push_size := (push_size lam nn mb epb inS push rho).
Notation rate := (rate th inS).
Notation w_top := (w_top rows lam th nn mb epb inS rho).
Notation g_top := (g_top rows a lam nn mb epb inS rho).

Variables (p : nat -> E) (q : nat -> A -> R) (eta : nat -> R) (wt : E).
Notation level := (level w N wt).
Notation rest := (rest w N wt).
Notation region := (region w N rho l0 wt).
Definition scaled_at k := scaled a w N wt (p k) (q k).
Notation g k := (g rows a (rest (p k)) (scaled_at k)).
Definition sg k := eta k * exp (- level (p k)).
Definition tau k := sg k * dot (g k) w / N.
Variable weights_ok : forall k, region (p k) -> state_ok rows lam th mb epb inS push l0 (level (p k)) (rest (p k)) (scaled_at k).

Section Run.
Variable run : forall k, same (p (S k)) (vadd (p k) (vscal (eta k) (vsum rows (fun c => vscal (q k c) (a c))))).
Variable step_ok : forall k, region (p k) -> 0 <= eta k /\ sg k * Mbar <= 2 /\ tau k <= taub.
Variable start_level : level (p 0%nat) = l0.
Variable start_rest : norm (rest (p 0%nat)) + / kap * sum rows (fun c => push_size c * (/ rate c + taub)) <= rho.

Lemma step_dot k y : dot (p (S k)) y = dot (p k) y + sg k * dot (g k) y.
Proof. rewrite run, dot_add_l, dot_scal_l, (unscaled rows a w N wt (p k) (q k)). unfold sg, scaled_at. ring. Qed.

Lemma level_step k : level (p (S k)) = level (p k) + tau k.
Proof. unfold Cone.level, tau. rewrite !dot_sub_l, step_dot. field. assert (Np := f_Npos F). lra. Qed.

Lemma rest_step k : same (rest (p (S k))) (vadd (vsub (rest (p k)) (vscal (sg k) (U rows a w th inS push N (rest (p k)) (scaled_at k)))) (vscal (sg k) (nu rows a w lam th inS push N (rest (p k)) (scaled_at k)))).
Proof.
  intros y. unfold Cone.rest at 1. rewrite !dot_sub_l, dot_scal_l, level_step, step_dot, dot_add_l, dot_sub_l, !dot_scal_l.
  assert (G := g_split push F (rest (p k)) (scaled_at k) y). unfold Cone.rest at 2. rewrite !dot_sub_l, dot_scal_l. unfold tau.
  set (gg := g k) in *. set (UU := U _ _ _ _ _ _ _ _ _) in *. set (vv := nu _ _ _ _ _ _ _ _ _ _) in *. nra.
Qed.

Lemma tau_speed k : region (p k) -> kap * sg k <= tau k /\ 0 <= sg k.
Proof.
  intros Rg. assert (Np := f_Npos F). destruct (step_ok k Rg) as (He & _ & _). assert (Ok := weights_ok k Rg). destruct Rg as [R1 R2].
  assert (Sp : 0 <= sg k) by (unfold sg; apply Rmult_le_pos; auto; left; apply exp_pos). split; auto.
  assert (V := speed F B Ok R2 R1 (rest_across F wt (p k))).
  unfold tau. apply Rmult_le_reg_r with N; auto. replace (sg k * dot (g k) w / N * N) with (sg k * dot (g k) w) by (field; lra).
  replace (kap * sg k * N) with (sg k * (kap * N)) by ring. now apply Rmult_le_compat_l.
Qed.

Definition potential k := norm (rest (p k)) + / kap * sum rows (fun c => push_size c * (/ rate c + taub) * exp (- rate c * (level (p k) - l0))).

Lemma potential_falls k : region (p k) -> potential (S k) <= potential k /\ level (p k) <= level (p (S k)).
Proof.
  intros Rg. destruct (tau_speed k Rg) as [Ts Sp]. destruct (step_ok k Rg) as (He & Hs & Ht). assert (Kp := b_kap_pos B).
  assert (Ok := weights_ok k Rg). assert (Ac := rest_across F wt (p k)). destruct Rg as [R1 R2].
  assert (Tp : 0 <= tau k) by (apply Rle_trans with (2 := Ts); apply Rmult_le_pos; lra).
  split; [|rewrite level_step; lra].
  assert (C := contraction F B Ct Ok R2 R1 Ac (sg k) Sp Hs).
  assert (V := nu_norm F Ok R1 Ac).
  set (v := nu rows a w lam th inS push N (rest (p k)) (scaled_at k)) in *.
  assert (S1 : norm (rest (p (S k))) <= norm (rest (p k)) + sg k * norm v).
  { rewrite (same_norm _ _ (rest_step k)). apply Rle_trans with (1 := norm_triangle _ _). rewrite norm_scal, (Rabs_pos_eq (sg k)) by auto. fold v. lra. }
  assert (S2 : sg k * norm v <= / kap * (tau k * sum rows (fun c => push_size c * exp (- rate c * (level (p k) - l0))))).
  { apply Rle_trans with (/ kap * tau k * sum rows (fun c => push_size c * exp (- rate c * (level (p k) - l0)))); [|right; ring].
    apply Rmult_le_compat; auto using norm_pos. apply Rmult_le_reg_l with kap; auto. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l; lra. }
  assert (S3 : tau k * sum rows (fun c => push_size c * exp (- rate c * (level (p k) - l0))) <=
    sum rows (fun c => push_size c * (/ rate c + taub) * exp (- rate c * (level (p k) - l0))) - sum rows (fun c => push_size c * (/ rate c + taub) * exp (- rate c * (level (p (S k)) - l0)))).
  { rewrite <- sum_scal, <- sum_minus. apply sum_le. intros c Hc. assert (Pc := push_size_pos F B c Hc).
    assert (T := telescope (rate c) (tau k) taub (level (p k) - l0) (rate_pos F c Hc) (conj Tp Ht)).
    rewrite level_step. replace (level (p k) + tau k - l0) with (level (p k) - l0 + tau k) by ring. nra. }
  unfold potential. assert (Ki : 0 < / kap) by now apply Rinv_0_lt_compat.
  apply Rmult_le_compat_l with (r := / kap) in S3; [|lra]. lra.
Qed.

(** |r_k| <= rho for ever, and l_k does not fall. *)
Theorem cone_for_ever k : region (p k) /\ potential k <= rho /\ level (p k) <= level (p (S k)).
Proof.
  assert (Kp := b_kap_pos B).
  assert (Tb : forall j, potential j <= rho -> norm (rest (p j)) <= rho).
  { intros j Hj. unfold potential in Hj.
    assert (0 <= / kap * sum rows (fun c => push_size c * (/ rate c + taub) * exp (- rate c * (level (p j) - l0)))); [|lra].
    apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat|]. apply sum_nonneg. intros c Hc. apply Rmult_le_pos; [|left; apply exp_pos].
    apply Rmult_le_pos; [exact (push_size_pos F B c Hc)|]. assert (0 < / rate c) by (apply Rinv_0_lt_compat, (rate_pos F); auto). lra. }
  assert (P0 : potential 0 <= rho).
  { apply Rle_trans with (2 := start_rest). unfold potential. rewrite start_level. apply Rplus_le_compat_l. apply Rmult_le_compat_l.
    - left. now apply Rinv_0_lt_compat.
    - right. apply sum_ext. intros c _. rewrite Rminus_diag_eq, Rmult_0_r, exp_0 by easy. ring. }
  assert (All : region (p k) /\ potential k <= rho).
  { induction k as [|k [IHr IHp]].
    - split; auto. split; [now apply Tb|rewrite start_level; lra].
    - destruct (potential_falls k IHr) as [Pf Lf].
      split; [split|]; [apply Tb; lra|destruct IHr; lra|lra]. }
  split; [apply All|]. split; [apply All|]. apply potential_falls, All.
Qed.

(** When steps do not fade at bounded l, l_k -> oo. *)
Variable not_fading : forall top, exists de, 0 < de /\ forall k, region (p k) -> level (p k) <= top -> de <= tau k.

Theorem level_diverges : to_infinity (fun k => level (p k)).
Proof.
  intros top. destruct (not_fading top) as (de & Hd & Hk).
  assert (All : forall k, top <= level (p k) \/ l0 + INR k * de <= level (p k)).
  { induction k as [|k IH]; [right; simpl; rewrite start_level; lra|].
    destruct (cone_for_ever k) as (Rg & _ & Mono). destruct (Rle_or_lt top (level (p k))) as [T|T]; [left; lra|].
    destruct IH as [IH|IH]; [lra|]. right. rewrite S_INR, level_step. specialize (Hk k Rg ltac:(lra)). lra. }
  destruct (archimed_cor1 (de / (Rabs (top - l0) + 1))) as (K & HK & Kp).
  { apply Rdiv_lt_0_compat; auto. assert (X := Rabs_pos (top - l0)). lra. }
  exists K. intros k Hk'. destruct (All k) as [|H]; auto. apply Rle_trans with (2 := H).
  assert (X := Rabs_pos (top - l0)). assert (Y := Rle_abs (top - l0)). assert (IK : 0 < INR K) by now apply lt_0_INR.
  assert (INR K <= INR k) by now apply le_INR.
  assert (Z : Rabs (top - l0) + 1 < INR K * de).
  { apply Rmult_lt_compat_r with (r := INR K * (Rabs (top - l0) + 1)) in HK; [|nra].
    replace (/ INR K * (INR K * (Rabs (top - l0) + 1))) with (Rabs (top - l0) + 1) in HK by (field; lra).
    replace (de / (Rabs (top - l0) + 1) * (INR K * (Rabs (top - l0) + 1))) with (INR K * de) in HK by (field; lra). lra. }
  nra.
Qed.

Theorem cone_norm_diverges : to_infinity (fun k => norm (p k)).
Proof.
  intros top. destruct (level_diverges ((top * norm w - dot wt w) / N)) as [K HK]. exists K. intros k Hk. exact (level_norm F wt (p k) top (HK k Hk)).
Qed.

Variable forward : 0 < dot (p 0%nat) w.

Lemma forward_for_ever k : 0 < dot (p k) w.
Proof.
  induction k as [|k IH]; auto. destruct (cone_for_ever k) as (_ & _ & Mono). rewrite (dot_level F wt) in *. assert (Np := f_Npos F). nra.
Qed.

Theorem cone_direction : to_zero (fun k => norm (vsub (unit (p k)) (unit w))).
Proof.
  intros e He. destruct (cone_norm_diverges (2 * (norm (offset w N wt) + rho) / e + 1)) as [K HK]. exists K. intros k Hk. rewrite Rabs_pos_eq by apply norm_pos.
  exact (cone_near F wt e (p k) He (proj1 (proj1 (cone_for_ever k))) (forward_for_ever k) (HK k Hk)).
Qed.
End Run.

(** The two methods (clause 8). *)
Lemma g_pos k : region (p k) -> 0 < kap * N <= dot (g k) w.
Proof.
  intros Rg. assert (Ok := weights_ok k Rg). destruct Rg as [R1 R2]. split.
  - apply Rmult_lt_0_compat; [apply (b_kap_pos B)|apply (f_Npos F)].
  - exact (speed F B Ok R2 R1 (rest_across F wt (p k))).
Qed.

(** Constant steps: eta_k = step. *)
Theorem constant_steps step : 0 < step -> (forall k, eta k = step) -> step * exp (- l0) * Mbar <= 2 -> step * exp (- l0) * w_top / N <= taub ->
  (forall k, region (p k) -> 0 <= eta k /\ sg k * Mbar <= 2 /\ tau k <= taub) /\
  (forall top, exists de, 0 < de /\ forall k, region (p k) -> level (p k) <= top -> de <= tau k).
Proof.
  intros Hs He HM HT. assert (Np := f_Npos F). assert (Kp := b_kap_pos B). split.
  - intros k Rg. assert (Gp := g_pos k Rg). assert (Ok := weights_ok k Rg). destruct Rg as [R1 R2]. rewrite He. split; [lra|].
    assert (Sg : 0 < sg k <= step * exp (- l0)).
    { unfold sg. rewrite He. split; [apply Rmult_lt_0_compat; auto; apply exp_pos|]. apply Rmult_le_compat_l; [lra|]. apply exp_pos_le. lra. }
    assert (MP := Mbar_pos B Ct). split; [nra|].
    assert (Gu := g_dot_upper F B Ok R2 R1 (rest_across F wt (p k))). unfold tau.
    apply Rle_trans with (2 := HT). unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply Rmult_le_compat; lra.
  - intros top. exists (step * exp (- top) * kap). split; [apply Rmult_lt_0_compat; auto; apply Rmult_lt_0_compat; auto; apply exp_pos|].
    intros k Rg Ht. assert (Gp := g_pos k Rg). unfold tau, sg. rewrite He. set (G := dot _ w) in *.
    assert (Ex : exp (- top) <= exp (- level (p k))) by (apply exp_pos_le; lra). assert (Pt := exp_pos (- top)).
    replace (step * exp (- level (p k)) * G / N) with (step * exp (- level (p k)) * (G / N)) by (field; lra).
    apply Rmult_le_compat; [nra|lra|nra|]. apply Rmult_le_reg_r with N; auto. replace (G / N * N) with G by (field; lra). lra.
Qed.

(** Normalised steps of length h: eta_k = h/|G_k|, G_k = exp(-l) g. *)
Theorem normalised_steps h : 0 < h ->
  (forall k, eta k = h / norm (vsum rows (fun c => vscal (q k c) (a c)))) ->
  h / (kap * norm w) * Mbar <= 2 -> h / norm w <= taub ->
  (forall k, region (p k) -> 0 <= eta k /\ sg k * Mbar <= 2 /\ tau k <= taub) /\
  (forall top, exists de, 0 < de /\ forall k, region (p k) -> level (p k) <= top -> de <= tau k).
Proof.
  intros Hh He HM HT. assert (Np := f_Npos F). assert (Kp := b_kap_pos B). destruct (norm_w F) as [Hw Pw].
  assert (Sg : forall k, region (p k) -> sg k = h / norm (g k) /\ kap * norm w <= norm (g k) /\ 0 < eta k).
  { intros k Rg. assert (Gp := g_pos k Rg). set (gg := g k) in *. set (G := vsum rows (fun c => vscal (q k c) (a c))).
    assert (Eg : same G (vscal (exp (- level (p k))) gg)) by (intros y; rewrite dot_scal_l; apply unscaled).
    assert (Pe := exp_pos (- level (p k))).
    assert (NG : norm G = exp (- level (p k)) * norm gg) by (rewrite (same_norm _ _ Eg), norm_scal, Rabs_pos_eq; lra).
    assert (Lw : kap * norm w <= norm gg).
    { apply Rmult_le_reg_r with (norm w); auto. apply Rle_trans with (2 := cauchy_schwarz gg w). rewrite Rmult_assoc, Hw. lra. }
    assert (Pg : 0 < norm gg) by nra.
    unfold sg. rewrite He. fold G. rewrite NG. split; [field; lra|]. split; auto. apply Rdiv_lt_0_compat; auto. nra. }
  split.
  - intros k Rg. destruct (Sg k Rg) as (S1 & S2 & S3). assert (Gp := g_pos k Rg). set (gg := g k) in *.
    assert (Pg : 0 < norm gg) by nra. split; [lra|]. assert (MP := Mbar_pos B Ct). split.
    + apply Rle_trans with (2 := HM). rewrite S1. apply Rmult_le_compat_r; auto. unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; nra.
    + unfold tau. fold gg. rewrite S1. apply Rle_trans with (2 := HT). assert (C := cauchy_schwarz gg w).
      replace (h / norm gg * dot gg w / N) with (h / norm w * (dot gg w / (norm gg * norm w))) by (rewrite <- Hw; field; lra).
      rewrite <- (Rmult_1_r (h / norm w)) at 2. apply Rmult_le_compat_l; [apply Rle_mult_inv_pos; lra|].
      apply Rmult_le_reg_r with (norm gg * norm w); [nra|]. replace (dot gg w / (norm gg * norm w) * (norm gg * norm w)) with (dot gg w) by (field; lra). lra.
  - intros top. assert (G0 : 0 <= g_top).
    { unfold Cone.g_top. apply sum_nonneg. intros c Hc. apply Rmult_le_pos; [|apply norm_pos]. apply Rmult_le_pos; [|left; apply exp_pos].
      unfold m_top. destruct (inS c) eqn:HS; [|now apply (b_mb B)]. destruct (f_thS F c Hc HS). destruct (b_eps B c Hc HS). apply Rmult_le_pos; lra. }
    exists (h * kap / (g_top + 1)). split; [apply Rdiv_lt_0_compat; nra|].
    intros k Rg _. destruct (Sg k Rg) as (S1 & S2 & _). assert (Gp := g_pos k Rg). assert (Ok := weights_ok k Rg). destruct Rg as [R1 R2].
    assert (Gn := g_norm_upper F B Ok R2 R1 (rest_across F wt (p k))). unfold tau. set (gg := g k) in *. rewrite S1.
    assert (Pg : 0 < norm gg) by nra.
    replace (h / norm gg * dot gg w / N) with (h * (dot gg w / N) / norm gg) by (field; lra).
    assert (kap <= dot gg w / N) by (apply Rmult_le_reg_r with N; auto; replace (dot gg w / N * N) with (dot gg w) by (field; lra); lra).
    unfold Rdiv. apply Rmult_le_compat; [nra|left; apply Rinv_0_lt_compat; lra| |apply Rinv_le_contravar; lra].
    apply Rmult_le_compat_l; [lra|]. exact H.
Qed.
End ConeRun.
