(** `descent-cone` (docs/certificate.md 4.22) by gradient flow: the cone theorem of docs/theory.md 6.3 with steps of length 0, for a curve p' = sum_c q_c a_c (Flow.v) whose weights q_c satisfy the bounds
    of Cone.v while |r| <= rho and l >= l_0.  |r|' <= exp(-l) |nu| and l' >= kappa exp(-l), so |r| + (1/kappa) sum_c A_c/b_c exp(-b_c (l - l_0)) does not grow (clause 10 with tau = 0):
    the curve stays in the region (`continuation`), l -> oo, |p| -> oo, p/|p| -> w/|w| and |p/|p| - w/|w|| <= C/|p| (clause 11).  Clause 9 is not asked. *)
From Coq Require Import Reals List Lra Lia Psatz Arith Bool.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Curvature Limits Model Flow WedgeFlow Cone.
Import ListNotations.
Open Scope R_scope.

(** |x| + s <= c when sqrt(x.x + e^2) + s <= c + e for every e > 0. *)
Lemma smoothed_norm {E : space} (x : E) s c : (forall e, 0 < e -> sqrt (dot x x + e * e) + s <= c + e) -> norm x + s <= c.
Proof.
  intros H. apply le_epsilon. intros e He. apply Rle_trans with (2 := H e He). apply Rplus_le_compat_r. apply sqrt_le_1_alt. nra.
Qed.

Section ConeFlow.
Context {E : space} {A : Type}.
Variable rows : list A.
Variable a : A -> E.
Variable w : E.
Variables (lam th nn mb epb : A -> R).
Variables inS push : A -> bool.
Variables (N rho l0 eps kap : R).
Variable F : frame rows a w lam th nn inS N rho.
Variable B : sizes rows th nn mb epb inS push N rho eps kap.
Notation push_size := (push_size lam nn mb epb inS push rho).
Notation rate := (rate th inS).
Notation perp := (perp a w th N).

Variables (p : R -> E) (q : R -> A -> R) (wt : E).
Notation level := (level w N wt).
Notation rest := (rest w N wt).
Notation region := (region w N rho l0 wt).
Notation sc s := (scaled a w N wt (p s) (q s)).
Notation g s := (g rows a (rest (p s)) (sc s)).
Notation V s := (vsum rows (fun c => vscal (q s c) (a c))).
Notation l s := (level (p s)).
Variable flow : forall s, 0 <= s -> curve_derives p s (V s).
Variable weights_ok : forall s, 0 <= s -> region (p s) -> state_ok rows lam th mb epb inS push l0 (l s) (rest (p s)) (sc s).
Variable start_level : l 0 = l0.
Variable start_rest : norm (rest (p 0)) + / kap * sum rows (fun c => push_size c * / rate c) <= rho.
(** Where nothing pushes, nothing moves across w. *)
Variable no_push : (forall c, In c rows -> push_size c = 0) -> forall s c, 0 <= s -> In c rows -> q s c = 0 \/ norm (perp c) = 0.

Notation l' s := (exp (- l s) * dot (g s) w / N).
Definition size2 s := dot (rest (p s)) (rest (p s)).
Notation size2' s := (2 * (exp (- l s) * dot (g s) (rest (p s)))).

Lemma level_derives s : 0 <= s -> is_derive (fun s => l s) s (l' s).
Proof.
  intros Hs. assert (Np := f_Npos F). unfold Cone.level.
  apply is_derive_ext with (fun s => / N * (dot (p s) w - dot wt w)); [intros t; rewrite dot_sub_l; apply Rmult_comm|].
  apply is_derive_value with (/ N * (dot (V s) w - 0)); [|rewrite (unscaled rows a w N wt (p s) (q s) w); unfold Cone.level; field; lra].
  apply is_derive_scal. apply is_derive_diff; [apply (flow s Hs)|apply (is_derive_const (V := R_NormedModule))].
Qed.

Lemma size2_derives s : 0 <= s -> is_derive size2 s (size2' s).
Proof.
  intros Hs. assert (Np := f_Npos F). destruct (flow s Hs) as [D1 D2]. assert (Dl := level_derives s Hs).
  assert (Eq : forall t, dot (p t) (p t) - 2 * dot (p t) wt + dot wt wt - N * (l t * l t) = size2 t).
  { intros t. unfold size2, Cone.rest. rewrite !dot_sub_l, !dot_sub_r, !dot_scal_l, !dot_scal_r, (dot_sym wt (p t)), (dot_sym w (p t)), (dot_sym w wt), <- (f_N _ _ _ _ _ _ _ _ _ F), (dot_level F wt (p t)). ring. }
  apply is_derive_ext with (1 := Eq).
  apply is_derive_value with (2 * dot (V s) (p s) - 2 * dot (V s) wt + 0 - N * (l' s * l s + l s * l' s)).
  - apply is_derive_diff; [apply (is_derive_plus (V := R_NormedModule) (fun s => dot (p s) (p s) - 2 * dot (p s) wt)); [apply is_derive_diff; [exact D2|apply is_derive_scal, D1]|apply (is_derive_const (V := R_NormedModule))]|].
    apply is_derive_scal. apply (is_derive_prod (fun s => l s) (fun s => l s)); exact Dl.
  - rewrite !(unscaled rows a w N wt (p s) (q s)). set (G := g s). unfold Cone.rest. rewrite !dot_sub_r, dot_scal_r. field. lra.
Qed.

(** l' >= kappa exp(-l). *)
Lemma level_rises s : 0 <= s -> region (p s) -> kap * exp (- l s) <= l' s /\ 0 < l' s.
Proof.
  intros Hs Rg. assert (Np := f_Npos F). assert (Kp := b_kap_pos B). assert (Ok := weights_ok s Hs Rg). destruct Rg as [R1 R2].
  assert (Sp := speed F B Ok R2 R1 (rest_across F wt (p s))). assert (Pe := exp_pos (- l s)).
  assert (X : kap * exp (- l s) <= l' s).
  { apply Rmult_le_reg_r with N; auto. replace (l' s * N) with (exp (- l s) * dot (g s) w) by (field; lra). replace (kap * exp (- l s) * N) with (exp (- l s) * (kap * N)) by ring. apply Rmult_le_compat_l; lra. }
  split; auto. apply Rlt_le_trans with (2 := X). now apply Rmult_lt_0_compat.
Qed.

(** The part of the velocity along r is at most |nu| |r|. *)
Definition fading s := sum rows (fun c => push_size c * exp (- rate c * (l s - l0))).
Lemma across_rate s : 0 <= s -> region (p s) -> dot (g s) (rest (p s)) <= fading s * norm (rest (p s)).
Proof.
  intros Hs Rg. assert (Ok := weights_ok s Hs Rg). assert (Ac := rest_across F wt (p s)). destruct Rg as [R1 R2].
  assert (G := g_split push F (rest (p s)) (sc s) (rest (p s))). rewrite (dot_sym w), Ac, Rmult_0_r, Rminus_0_r in G.
  assert (Ub := U_back F B Ok R2 Ac). rewrite dot_sym in Ub.
  assert (Nn := nu_norm F Ok R1 Ac). fold (fading s) in Nn.
  assert (Cs := cauchy_schwarz (nu rows a w lam th inS push N (rest (p s)) (sc s)) (rest (p s))).
  assert (Nr := norm_pos (rest (p s))). assert (X := Rmult_le_compat_r _ _ _ Nr Nn). lra.
Qed.

Definition tail s := / kap * sum rows (fun c => push_size c * / rate c * exp (- rate c * (l s - l0))).
Lemma tail_derives s : 0 <= s -> is_derive tail s (- (/ kap * (l' s * fading s))).
Proof.
  intros Hs. unfold tail, fading.
  apply is_derive_value with (/ kap * sum rows (fun c => - (l' s * (push_size c * exp (- rate c * (l s - l0)))))); [|rewrite sum_opp, sum_scal; ring].
  apply is_derive_scal. apply (is_derive_sum rows (fun c s => push_size c * / rate c * exp (- rate c * (l s - l0))) (fun c s => - (l' s * (push_size c * exp (- rate c * (l s - l0)))))).
  intros c Hc. assert (Rp := rate_pos F c Hc). set (k := rate c) in *. set (v := l' s) in *.
  apply is_derive_value with (push_size c * / k * (- k * (v - 0) * exp (- k * (l s - l0)))); [|field; lra].
  apply is_derive_scal. apply (is_derive_comp exp (fun s => - k * (l s - l0))); [apply is_derive_exp|].
  apply is_derive_scal. apply is_derive_diff; [now apply level_derives|apply (is_derive_const (V := R_NormedModule))].
Qed.

Lemma tail_pos s : 0 <= tail s.
Proof.
  assert (Kp := b_kap_pos B). apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat|]. apply sum_nonneg. intros c Hc. assert (Rp := rate_pos F c Hc).
  apply Rmult_le_pos; [|left; apply exp_pos]. apply Rmult_le_pos; [exact (push_size_pos F B c Hc)|left; now apply Rinv_0_lt_compat].
Qed.

Lemma tail_zero s : tail s = 0 -> forall c, In c rows -> push_size c = 0.
Proof.
  intros T c Hc. assert (Kp := b_kap_pos B). assert (Ki : 0 < / kap) by now apply Rinv_0_lt_compat. assert (Rp := rate_pos F c Hc). assert (Ri : 0 < / rate c) by now apply Rinv_0_lt_compat.
  assert (S : sum rows (fun c => push_size c * / rate c * exp (- rate c * (l s - l0))) = 0) by (unfold tail in T; nra).
  assert (Z := sum_nonneg_zero _ _ (fun c Hc => Rmult_le_pos _ _ (Rmult_le_pos _ _ (push_size_pos F B c Hc) (Rlt_le _ _ (Rinv_0_lt_compat _ (rate_pos F c Hc)))) (Rlt_le _ _ (exp_pos (- rate c * (l s - l0))))) S c Hc).
  cbv beta in Z. assert (Pe := exp_pos (- rate c * (l s - l0))). assert (Pp := push_size_pos F B c Hc). apply Rmult_integral in Z. destruct Z as [Z|Z]; [|lra]. apply Rmult_integral in Z. destruct Z; lra.
Qed.

(** The potential |r| + tail does not grow while the curve is in the region. *)
Lemma flow_potential T : 0 <= T -> (forall s, 0 <= s <= T -> region (p s)) -> norm (rest (p T)) + tail T <= rho.
Proof.
  intros HT In. assert (Kp := b_kap_pos B).
  assert (Start : norm (rest (p 0)) + tail 0 <= rho).
  { apply Rle_trans with (2 := start_rest). right. f_equal. unfold tail. f_equal. apply sum_ext. intros c _. rewrite start_level, Rminus_diag_eq, Rmult_0_r, exp_0 by easy. ring. }
  apply smoothed_norm. intros e He. set (f := fun s => sqrt (size2 s + e * e)).
  assert (Pos : forall s, 0 < size2 s + e * e) by (intros s; assert (X := dot_pos (rest (p s))); unfold size2; nra).
  assert (D : forall s, 0 <= s <= T -> is_derive f s (size2' s / (2 * f s))).
  { intros s Hs. unfold f. apply (is_derive_sqrt (fun s => size2 s + e * e)); [|apply Pos]. apply is_derive_value with (size2' s + 0); [|ring].
    apply (is_derive_plus (V := R_NormedModule) size2); [apply size2_derives; lra|apply (is_derive_const (V := R_NormedModule))]. }
  assert (Down : - (f 0 + tail 0) <= - (f T + tail T)).
  { apply (rises (fun s => - (f s + tail s)) (fun s => - (size2' s / (2 * f s) + - (/ kap * (l' s * fading s))))); auto; intros s Hs.
    - apply (is_derive_opp (V := R_NormedModule) (fun s => f s + tail s)). apply (is_derive_plus (V := R_NormedModule) f); [now apply D|apply tail_derives; lra].
    - assert (Rg := In s Hs). assert (Ar := across_rate s ltac:(lra) Rg). destruct (level_rises s ltac:(lra) Rg) as [Lr Lp].
      assert (Fs : 0 < f s) by (unfold f; apply sqrt_lt_R0, Pos).
      assert (Nf : norm (rest (p s)) <= f s) by (unfold f, norm; fold (size2 s); apply sqrt_le_1_alt; nra).
      assert (Fp : 0 <= fading s) by (apply sum_nonneg; intros c Hc; apply Rmult_le_pos; [exact (push_size_pos F B c Hc)|left; apply exp_pos]).
      assert (Pe := exp_pos (- l s)). assert (Nr := norm_pos (rest (p s))).
      assert (X : size2' s / (2 * f s) <= exp (- l s) * fading s).
      { apply Rmult_le_reg_r with (2 * f s); [lra|]. replace (size2' s / (2 * f s) * (2 * f s)) with (size2' s) by (field; lra).
        assert (Y : dot (g s) (rest (p s)) <= fading s * f s) by (apply Rle_trans with (1 := Ar), Rmult_le_compat_l; auto).
        assert (Z := Rmult_le_compat_l _ _ _ (Rlt_le _ _ Pe) Y). lra. }
      assert (Y : exp (- l s) * fading s <= / kap * (l' s * fading s)).
      { rewrite <- Rmult_assoc. apply Rmult_le_compat_r; auto. apply Rmult_le_reg_l with kap; auto. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. exact Lr. }
      lra. }
  assert (F0 : f 0 <= norm (rest (p 0)) + e).
  { unfold f, size2. assert (Nr := norm_pos (rest (p 0))). apply sqrt_le_of_sq; [lra|]. rewrite <- norm_sqr. nra. }
  change (f T + tail T <= rho + e). lra.
Qed.

(** Where nothing pushes |r| is constant. *)
Lemma still_rest s : (forall c, In c rows -> push_size c = 0) -> 0 <= s -> size2 s = size2 0.
Proof.
  intros Np Hs.
  assert (Z : forall s, 0 <= s -> size2' s = 0).
  { intros t Ht. rewrite <- (unscaled rows a w N wt (p t) (q t)), combination_dot.
    assert (X : sum rows (fun c => q t c * dot (a c) (rest (p t))) = 0); [|rewrite X; ring].
    apply sum_zero. intros c Hc. destruct (no_push Np t c Ht Hc) as [->|Pz]; [ring|].
    assert (Y : dot (perp c) (rest (p t)) = 0) by now apply norm_zero_dot.
    unfold Cone.perp in Y. rewrite dot_sub_l, dot_scal_l, (dot_sym w), (rest_across F wt (p t)) in Y. replace (dot (a c) (rest (p t))) with 0 by lra. ring. }
  apply Rle_antisym.
  - apply Ropp_le_cancel. apply (rises (fun s => - size2 s) (fun s => - size2' s)); auto; intros t Ht; [|rewrite Z; lra].
    apply (is_derive_opp (V := R_NormedModule) size2), size2_derives. lra.
  - apply (rises size2 (fun s => size2' s)); auto; intros t Ht; [apply size2_derives; lra|rewrite Z; lra].
Qed.

Theorem flow_cone_for_ever : forall s, 0 <= s -> region (p s).
Proof.
  assert (Rh := f_rho _ _ _ _ _ _ _ _ _ F).
  assert (R0 : norm (rest (p 0)) <= rho).
  { apply Rle_trans with (2 := start_rest). assert (T := tail_pos 0). unfold tail in T. rewrite start_level in T.
    rewrite (sum_ext _ _ (fun c => push_size c * / rate c)) in T by (intros; rewrite Rminus_diag_eq, Rmult_0_r, exp_0 by easy; ring). lra. }
  assert (Eq : forall s, 0 <= rho * rho - size2 s <-> norm (rest (p s)) <= rho).
  { intros s. unfold size2. rewrite <- norm_sqr. assert (Nr := norm_pos (rest (p s))). split; intros X; [apply le_of_sq; lra|nra]. }
  assert (Dr : forall s, 0 <= s -> is_derive (fun s => rho * rho - size2 s) s (0 - size2' s)) by (intros s Hs; apply is_derive_diff; [apply (is_derive_const (V := R_NormedModule))|now apply size2_derives]).
  apply continuation.
  - split; auto. rewrite start_level. lra.
  - intros T HT In. assert (Pt := flow_potential T HT In). assert (I := In T ltac:(lra)). destruct (level_rises T HT I) as [_ Up]. destruct I as [_ I2].
    destruct (goes_up (fun s => l s) T _ (level_derives T HT) Up) as (e2 & E2 & H2).
    assert (Rest : exists e1, 0 < e1 /\ forall s, T < s < T + e1 -> norm (rest (p s)) <= rho).
    { destruct (Req_dec (tail T) 0) as [Z|Nz].
      - exists 1. split; [lra|]. intros s Hs. apply Eq. rewrite (still_rest s (tail_zero T Z) ltac:(lra)). now apply Eq.
      - assert (Tp := tail_pos T). assert (Lt : norm (rest (p T)) < rho) by lra.
        destruct (stays_positive (fun s => rho * rho - size2 s) T _ (Dr T HT)) as (e1 & E1 & H1).
        { unfold size2. rewrite <- norm_sqr. assert (Nr := norm_pos (rest (p T))). nra. }
        exists e1. split; auto. intros s Hs. apply Eq. specialize (H1 s Hs). lra. }
    destruct Rest as (e1 & E1 & H1). exists (Rmin e1 e2). split; [now apply Rmin_pos|]. intros s Hs. assert (X1 := Rmin_l e1 e2). assert (X2 := Rmin_r e1 e2).
    split; [apply H1; lra|]. specialize (H2 s ltac:(lra)). cbv beta in H2. lra.
  - intros T HT In. split.
    + apply Eq. apply (closed_nonneg _ T _ HT (Dr T ltac:(lra))). intros s Hs. apply Eq. now apply In.
    + assert (X : 0 <= l T - l0); [|lra]. apply (closed_nonneg (fun s => l s - l0) T (l' T - 0) HT); [apply is_derive_diff; [apply level_derives; lra|apply (is_derive_const (V := R_NormedModule))]|].
      intros s Hs. destruct (In s Hs). lra.
Qed.

(** exp(l) grows at least like kappa t. *)
Theorem flow_level_diverges : flow_to_infinity (fun s => l s).
Proof.
  intros top. assert (Kp := b_kap_pos B). exists (exp top / kap). assert (N0 : 0 <= exp top / kap) by (apply Rle_mult_inv_pos; auto; left; apply exp_pos). split; auto. intros s Hs.
  assert (Q : exp (l 0) - kap * 0 <= exp (l s) - kap * s).
  { apply (rises (fun s => exp (l s) - kap * s) (fun s => exp (l s) * l' s - kap)); [lra| |]; intros u Hu.
    - apply is_derive_diff; [|apply is_derive_value with (kap * 1); [apply is_derive_scal; apply (is_derive_id (K := R_AbsRing))|ring]].
      apply is_derive_value with (scal (l' u) (exp (l u))); [|apply Rmult_comm]. apply (is_derive_comp exp (fun u => l u)); [apply is_derive_exp|apply level_derives; lra].
    - destruct (level_rises u ltac:(lra) (flow_cone_for_ever u ltac:(lra))) as [Lr _]. assert (Pe := exp_pos (l u)).
      assert (Z : exp (l u) * exp (- l u) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0). assert (X := Rmult_le_compat_l _ _ _ (Rlt_le _ _ Pe) Lr).
      replace (exp (l u) * (kap * exp (- l u))) with (kap * (exp (l u) * exp (- l u))) in X by ring. rewrite Z in X. lra. }
  assert (P0 := exp_pos (l 0)). apply Rmult_le_compat_l with (r := kap) in Hs; [|lra]. replace (kap * (exp top / kap)) with (exp top) in Hs by (field; lra).
  apply Rnot_lt_le. intros C. assert (exp (l s) < exp top) by now apply exp_increasing. lra.
Qed.

Theorem flow_cone_norm : flow_to_infinity (fun s => norm (p s)).
Proof.
  intros top. destruct (flow_level_diverges ((top * norm w - dot wt w) / N)) as (s0 & S0 & H). exists s0. split; auto. intros s Hs. exact (level_norm F wt (p s) top (H s Hs)).
Qed.

Variable forward : 0 < dot (p 0) w.
Lemma flow_forward s : 0 <= s -> 0 < dot (p s) w.
Proof.
  intros Hs. assert (Np := f_Npos F). assert (X : l 0 <= l s).
  { apply (rises (fun s => l s) (fun s => l' s)); auto; intros t Ht; [apply level_derives; lra|]. destruct (level_rises t ltac:(lra) (flow_cone_for_ever t ltac:(lra))). lra. }
  rewrite (dot_level F wt) in *. nra.
Qed.

Theorem flow_cone_rate C s : 0 <= s -> 0 <= C -> 2 * ((norm (offset w N wt) + rho) * (norm (offset w N wt) + rho)) <= C * C -> norm (vsub (unit (p s)) (unit w)) <= C / norm (p s).
Proof. intros Hs C0 C2. exact (cone_rate F wt C (p s) (proj1 (flow_cone_for_ever s Hs)) (flow_forward s Hs) C0 C2). Qed.

Theorem flow_cone_direction : flow_to_zero (fun s => norm (vsub (unit (p s)) (unit w))).
Proof.
  intros e He. destruct (flow_cone_norm (2 * (norm (offset w N wt) + rho) / e + 1)) as (s0 & S0 & H). exists s0. split; auto. intros s Hs. rewrite Rabs_pos_eq by apply norm_pos.
  exact (cone_near F wt e (p s) He (proj1 (flow_cone_for_ever s ltac:(lra))) (flow_forward s ltac:(lra)) (H s Hs)).
Qed.
End ConeFlow.
