(** `descent-cone` (docs/certificate.md 4.22), the dynamics: the cone theorem of docs/theory.md 6.3 for any run p_{k+1} = p_k + eta_k G_k, G_k = sum_c q_c a_c.
    p = l w + wt + r with r.w = 0.  While |r| <= rho and l >= l_0 let exp(l) q_c exp(z_c) = m_c, z_c = a_c.r, with m_c = lambda_c (1 + eps_c), |eps_c| <= epsbar_c exp(-(l - l_0))
    on the listed rows S, |m_c| <= mbar_c exp(-(theta_c - 1)(l - l_0)) off S, and m_c >= 0 on the rows that push back.  Under clauses 7, 9 and 10 of the rule
    |r_k| <= rho for ever and l_k increases; when steps do not fade at bounded l, l_k -> oo, |p_k| -> oo, p_k/|p_k| -> w/|w|, and
    |p_k/|p_k| - w/|w|| <= C/|p_k| with C^2 = 2 (|wt across w| + rho)^2 (clause 11).
    ConeModel.v shows that softmax attention satisfies the bounds. *)
From Coq Require Import Reals List Lra Lia Psatz Arith Bool.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Curvature Rank Limits.
Import ListNotations.
Open Scope R_scope.

(** Chord of exp. *)
Lemma exp_chord u x : 0 <= u <= x -> 0 < x -> exp u - 1 <= u / x * (exp x - 1).
Proof.
  intros Hu Hx. assert (Hs : 0 <= u / x <= 1).
  { split; [apply Rle_mult_inv_pos; lra|]. apply Rmult_le_reg_r with x; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (J := jensen_exp [true; false] (fun c => if c then u / x else 1 - u / x) (fun c => if c then x else 0)).
  simpl in J. rewrite exp_0 in J.
  replace (u / x * x + ((1 - u / x) * 0 + 0)) with u in J by (field; lra).
  assert (J' : exp u <= u / x * exp x + ((1 - u / x) * 1 + 0)) by (apply J; [intros [|] _; lra|ring]). lra.
Qed.

(** phi(x) = x/(exp(x) - 1) or any smaller number: z (1 - exp(-z)) >= phi (1 - exp(-z))^2 for |z| <= x. *)
Lemma pull_back phi x z : 0 <= phi -> phi * (exp x - 1) <= x -> Rabs z <= x ->
  phi * ((1 - exp (- z)) * (1 - exp (- z))) <= z * (1 - exp (- z)).
Proof.
  intros Hp Hx Hz. destruct (Req_dec z 0) as [->|N]; [rewrite Ropp_0, exp_0; lra|].
  assert (Px : 0 < x) by (assert (H := Rabs_pos_lt z N); lra).
  apply Rabs_le_between in Hz.
  assert (Ex := exp_tangent x).
  destruct (Rlt_or_le 0 z) as [Zp|Zn].
  - assert (phi <= 1) by nra. assert (T := exp_tangent (- z)).
    assert (exp (- z) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
    set (xi := 1 - exp (- z)) in *. assert (0 < xi <= z) by (unfold xi; lra). nra.
  - assert (C := exp_chord (- z) x ltac:(lra) Px).
    assert (F : phi * (exp (- z) - 1) <= - z).
    { apply Rle_trans with (phi * (- z / x * (exp x - 1))); [apply Rmult_le_compat_l; auto|].
      replace (phi * (- z / x * (exp x - 1))) with (- z / x * (phi * (exp x - 1))) by (field; lra).
      apply Rle_trans with (- z / x * x); [apply Rmult_le_compat_l; auto; apply Rle_mult_inv_pos; lra|right; field; lra]. }
    assert (T := exp_tangent (- z)). set (xi := exp (- z) - 1) in *. assert (0 <= xi) by (unfold xi; lra).
    replace (1 - exp (- z)) with (- xi) by (unfold xi; ring). nra.
Qed.

(** A phi for the largest x serves every smaller one. *)
Lemma phi_smaller phi x X : 0 <= phi -> 0 <= x <= X -> phi * (exp X - 1) <= X -> phi * (exp x - 1) <= x.
Proof.
  intros Hp Hx H. destruct (Req_dec x 0) as [->|N]; [rewrite exp_0; lra|]. assert (C := exp_chord x X Hx ltac:(lra)).
  apply Rle_trans with (phi * (x / X * (exp X - 1))); [now apply Rmult_le_compat_l|].
  replace (phi * (x / X * (exp X - 1))) with (x / X * (phi * (exp X - 1))) by (field; lra).
  apply Rle_trans with (x / X * X); [apply Rmult_le_compat_l; auto; apply Rle_mult_inv_pos; lra|right; field; lra].
Qed.

(** 1 - x/2 is such a number (clause 9). *)
Lemma phi_lower x : 0 <= x -> (1 - x / 2) * (exp x - 1) <= x.
Proof.
  intros Hx. set (f := fun u => u - (1 - u / 2) * (exp u - 1)).
  assert (Df : forall u, is_derive f u (/ 2 * (1 - (1 - u) * exp u))) by (intros u; unfold f; auto_derive; [exact I|field]).
  destruct (MVT_gen f 0 x (fun u => / 2 * (1 - (1 - u) * exp u))) as (c & Hc & Hm).
  - intros u _. apply Df.
  - intros u _. exact (derive_continuity f u _ (Df u)).
  - rewrite Rmin_left, Rmax_right in Hc by lra. unfold f in Hm. rewrite exp_0 in Hm.
    assert (T := exp_tangent (- c)). assert (Pc := exp_pos c).
    assert (I1 : exp (- c) * exp c = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
    assert ((1 - c) * exp c <= 1) by nra. nra.
Qed.

(** tau exp(-b d) telescopes. *)
Lemma telescope b tau taub d : 0 < b -> 0 <= tau <= taub ->
  tau * exp (- b * d) <= (/ b + taub) * (exp (- b * d) - exp (- b * (d + tau))).
Proof.
  intros Hb Ht. replace (- b * (d + tau)) with (- b * d + - (b * tau)) by ring. rewrite exp_plus.
  assert (Pe := exp_pos (- b * d)). set (e := exp (- b * d)) in *.
  assert (T : (1 + b * tau) * exp (- (b * tau)) <= 1).
  { assert (T := exp_tangent (b * tau)). assert (P := exp_pos (- (b * tau))).
    assert (I1 : exp (b * tau) * exp (- (b * tau)) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0). nra. }
  set (f := exp (- (b * tau))) in *.
  assert (Pf : 0 < f) by apply exp_pos. assert (0 <= b * tau) by (apply Rmult_le_pos; lra). assert (f <= 1) by nra.
  assert (X : tau <= (/ b + taub) * (1 - f)).
  { apply Rle_trans with ((/ b + tau) * (1 - f)); [|apply Rmult_le_compat_r; lra].
    apply Rmult_le_reg_l with b; auto. replace (b * ((/ b + tau) * (1 - f))) with ((1 + b * tau) * (1 - f)) by (field; lra). lra. }
  replace ((/ b + taub) * (e - e * f)) with ((/ b + taub) * (1 - f) * e) by ring. apply Rmult_le_compat_r; lra.
Qed.

Section Cone.
Context {E : space} {A : Type}.
Variable rows : list A.
Variable a : A -> E.
Variable w : E.
Variables (lam th nn mb epb phi : A -> R).
Variables inS push : A -> bool.
Variables (N rho l0 eps M phiS kap taub : R).
Variable taub_pos : 0 <= taub.

Definition perp c : E := vsub (a c) (vscal (th c / N) w).
Definition x c := nn c * rho.
Definition inP c := inS c || push c.
Definition loose c := negb (inP c).
Definition when (b : bool) (v : R) := if b then v else 0.

(** The frame: what is exact (clauses 1, 3, 5). *)
Record frame := Frame {
  f_w : same w (vsum rows (fun c => vscal (lam c) (a c)));
  f_N : N = dot w w;
  f_Npos : 0 < N;
  f_th : forall c, In c rows -> th c = dot (a c) w;
  f_thS : forall c, In c rows -> inS c = true -> th c = 1 /\ 0 < lam c;
  f_off : forall c, In c rows -> inS c = false -> 1 < th c /\ lam c = 0;
  f_nn : forall c, In c rows -> norm (perp c) <= nn c;
  f_rho : 0 <= rho }.

(** Clauses 6, 7, 9: epsilon bounds all epsbar_c, kappa > 0, and the definiteness of M Lambda^-1 - Gram. *)
Record bounds := Bounds {
  b_mb : forall c, In c rows -> inS c = false -> 0 <= mb c;
  b_eps : forall c, In c rows -> inS c = true -> 0 <= epb c <= eps;
  b_eps0 : 0 <= eps;
  b_eps1 : eps < 1;
  b_kap : kap <= 1 - eps - sum rows (fun c => when (loose c) (mb c * th c * exp (x c))) / N;
  b_kap_pos : 0 < kap;
  b_M : 0 <= M;
  b_gram : forall v : A -> R, (forall c, In c rows -> inS c = false -> v c = 0) ->
    dot (vsum rows (fun c => vscal (v c) (perp c))) (vsum rows (fun c => vscal (v c) (perp c))) <= M * sum rows (fun c => when (inS c) (v c * v c / lam c));
  b_phiS : 0 < phiS;
  b_phi : forall c, In c rows -> inS c = true -> phiS * (exp (x c) - 1) <= x c;
  b_phiP : forall c, In c rows -> inS c = false -> push c = true -> 0 < phi c /\ phi c * (exp (x c) - 1) <= x c }.

Definition Mbar := (1 + eps) * M / phiS + sum rows (fun c => when (negb (inS c) && push c) (mb c * (nn c * nn c) / phi c)).

(** Weights at a state (l, r) of the region. *)
Record state_ok (l : R) (r : E) (m : A -> R) := StateOk {
  s_S : forall c, In c rows -> inS c = true -> Rabs (m c - lam c) <= lam c * (epb c * exp (- (l - l0)));
  s_off : forall c, In c rows -> inS c = false -> Rabs (m c) <= mb c * exp (- (th c - 1) * (l - l0));
  s_push : forall c, In c rows -> inS c = false -> push c = true -> 0 <= m c }.

Variable F : frame.
Variable B : bounds.

Lemma w_sum y : dot w y = sum rows (fun c => lam c * dot (a c) y).
Proof. rewrite (f_w F). apply combination_dot. Qed.

Lemma Mbar_pos : 0 <= Mbar.
Proof.
  unfold Mbar. assert (H0 := b_eps0 B). assert (HM := b_M B). assert (Hp := b_phiS B).
  apply Rplus_le_le_0_compat; [apply Rle_mult_inv_pos; auto; apply Rmult_le_pos; lra|]. apply sum_nonneg. intros c Hc. unfold when.
  destruct (inS c) eqn:HS; simpl; [lra|]. destruct (push c) eqn:HP; [|lra]. destruct (b_phiP B c Hc HS HP).
  apply Rle_mult_inv_pos; auto. apply Rmult_le_pos; [now apply (b_mb B)|apply Rle_0_sqr].
Qed.

Section State.
Variables (l : R) (r : E) (m : A -> R).
Variable ok : state_ok l r m.
Variable in_l : l0 <= l.
Variable in_r : norm r <= rho.
Variable across : dot r w = 0.

Let z c := dot (a c) r.
Let d := l - l0.
Let xi c := 1 - exp (- z c).

Lemma nn_pos c : In c rows -> 0 <= nn c.
Proof. intros Hc. apply Rle_trans with (2 := f_nn F c Hc), norm_pos. Qed.

Lemma z_perp c : z c = dot (perp c) r.
Proof. unfold z, perp. rewrite dot_sub_l, dot_scal_l, (dot_sym w r), across. ring. Qed.

Lemma z_bound c : In c rows -> Rabs (z c) <= x c.
Proof.
  intros Hc. rewrite z_perp. apply Rle_trans with (1 := cauchy_schwarz_abs _ _). unfold x.
  apply Rmult_le_compat; auto using norm_pos. now apply f_nn.
Qed.

Lemma fade c : 0 <= c -> exp (- (c * d)) <= 1.
Proof. intros Hc. rewrite <- exp_0. apply exp_pos_le. assert (0 <= c * d) by (apply Rmult_le_pos; auto; unfold d; lra). lra. Qed.

Lemma m_S c : In c rows -> inS c = true -> (1 - eps) * lam c <= m c <= (1 + eps) * lam c.
Proof.
  intros Hc HS. assert (H := s_S _ _ _ ok c Hc HS). apply Rabs_le_between in H. destruct (f_thS F c Hc HS) as [_ Pl].
  destruct (b_eps B c Hc HS) as [E1 E2]. assert (Fd := fade 1 ltac:(lra)). rewrite Rmult_1_l in Fd. fold d in H. assert (Pe := exp_pos (- d)).
  assert (epb c * exp (- d) <= eps * 1) by (apply Rmult_le_compat; lra).
  assert (lam c * (epb c * exp (- d)) <= lam c * (eps * 1)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma m_off c : In c rows -> inS c = false -> Rabs (m c) <= mb c.
Proof.
  intros Hc HS. apply Rle_trans with (1 := s_off _ _ _ ok c Hc HS). rewrite <- (Rmult_1_r (mb c)) at 2.
  apply Rmult_le_compat_l; [now apply (b_mb B)|]. destruct (f_off F c Hc HS).
  replace (- (th c - 1) * (l - l0)) with (- ((th c - 1) * d)) by (unfold d; ring). apply fade. lra.
Qed.

Lemma m_P c : In c rows -> inP c = true -> 0 <= m c.
Proof.
  intros Hc HP. unfold inP in HP. destruct (inS c) eqn:HS.
  - destruct (m_S c Hc HS) as [H _]. destruct (f_thS F c Hc HS). assert (Q := b_eps1 B). nra.
  - now apply (s_push _ _ _ ok).
Qed.

Definition phc c := if inS c then phiS else phi c.
Lemma phc_ok c : In c rows -> inP c = true -> 0 < phc c /\ phc c * (exp (x c) - 1) <= x c.
Proof.
  intros Hc HP. unfold phc, inP in *. destruct (inS c) eqn:HS.
  - split; [apply (b_phiS B)|now apply (b_phi B)].
  - now apply (b_phiP B).
Qed.

Definition U : E := vsum rows (fun c => vscal (when (inP c) (m c * xi c)) (perp c)).
Definition nu_coef c := if inS c then m c - lam c else if push c then m c else m c * exp (- z c).
Definition nu : E := vsum rows (fun c => vscal (nu_coef c) (perp c)).
Definition g : E := vsum rows (fun c => vscal (m c * exp (- z c)) (a c)).
Definition Ds := sum rows (fun c => when (inP c) (phc c * m c * (xi c * xi c))).

Lemma comb_dot (v : A -> R) (e : A -> E) y : dot (vsum rows (fun c => vscal (v c) (e c))) y = sum rows (fun c => v c * dot (e c) y).
Proof. rewrite dot_vsum_l. apply sum_ext. intros; apply dot_scal_l. Qed.

(** The part of g across w is nu - U (equation (8)). *)
Lemma g_split y : dot g y - dot g w / N * dot w y = dot nu y - dot U y.
Proof.
  assert (Np := f_Npos F).
  assert (Zero : sum rows (fun c => lam c * dot (perp c) y) = 0).
  { unfold perp. rewrite (sum_ext _ _ (fun c => lam c * dot (a c) y - (dot w y / N) * (lam c * dot (a c) w))).
    - rewrite sum_minus, sum_scal. rewrite <- !(combination_dot rows a lam), <- !(f_w F), <- (f_N F). field. lra.
    - intros c Hc. rewrite dot_sub_l, dot_scal_l, (f_th F c Hc). field. lra. }
  unfold g, nu, U. rewrite !comb_dot.
  assert (G : sum rows (fun c => m c * exp (- z c) * dot (perp c) y) = sum rows (fun c => m c * exp (- z c) * dot (a c) y) - sum rows (fun c => m c * exp (- z c) * dot (a c) w) / N * dot w y).
  { unfold Rdiv. rewrite Rmult_assoc, <- sum_scal_r, <- sum_minus. apply sum_ext. intros c Hc. unfold perp. rewrite dot_sub_l, dot_scal_l, (f_th F c Hc). field. lra. }
  rewrite <- G. rewrite <- sum_minus. rewrite <- (Rplus_0_r (sum rows (fun c => nu_coef c * _ - _))), <- Zero, <- sum_plus. apply sum_ext. intros c Hc.
  unfold nu_coef, when, inP, xi. destruct (inS c) eqn:HS; simpl; [ring|]. destruct (f_off F c Hc HS) as [_ ->]. destruct (push c); ring.
Qed.

(** Contraction. *)
Lemma U_pull : Ds <= dot r U.
Proof.
  rewrite dot_sym. unfold U, Ds. rewrite comb_dot. apply sum_le. intros c Hc. unfold when. destruct (inP c) eqn:HP; [|lra].
  rewrite <- z_perp. destruct (phc_ok c Hc HP) as [P1 P2]. assert (Q := pull_back (phc c) (x c) (z c) ltac:(lra) P2 (z_bound c Hc)).
  assert (Pm := m_P c Hc HP). fold (xi c) in Q. nra.
Qed.

Lemma gram_dual y : sum rows (fun c => when (inS c) (lam c * (dot (perp c) y * dot (perp c) y))) <= M * dot y y.
Proof.
  set (v := fun c => when (inS c) (lam c * dot (perp c) y)).
  set (Y := vsum rows (fun c => vscal (v c) (perp c))). set (t := sum rows _).
  assert (T1 : t = dot Y y).
  { unfold Y, t. rewrite comb_dot. apply sum_ext. intros c _. unfold v, when. destruct (inS c); ring. }
  assert (T2 : dot Y Y <= M * t).
  { unfold Y. apply Rle_trans with (1 := b_gram B v ltac:(intros c _ HS; unfold v, when; now rewrite HS)).
    apply Rmult_le_compat_l; [apply (b_M B)|]. apply sum_le. intros c Hc. unfold v, when. destruct (inS c) eqn:HS; [|lra].
    destruct (f_thS F c Hc HS). right. field. lra. }
  assert (C := cauchy_schwarz_sq Y y). rewrite <- T1 in C. assert (Py := dot_pos y). assert (PY := dot_pos Y). assert (PM := b_M B).
  assert (P0 : 0 <= t).
  { unfold t. apply sum_nonneg. intros c Hc. unfold when. destruct (inS c) eqn:HS; [|lra]. destruct (f_thS F c Hc HS).
    apply Rmult_le_pos; [lra|apply Rle_0_sqr]. }
  destruct (Req_dec t 0) as [->|Nz]; [apply Rmult_le_pos; auto|].
  assert (t * t <= M * dot y y * t) by nra. apply Rmult_le_reg_r with t; lra.
Qed.

Lemma Ds_pos : 0 <= Ds.
Proof.
  unfold Ds. apply sum_nonneg. intros c Hc. unfold when. destruct (inP c) eqn:HP; [|lra].
  destruct (phc_ok c Hc HP). assert (H1 := m_P c Hc HP). apply Rmult_le_pos; [nra|apply Rle_0_sqr].
Qed.

Lemma U_norm : dot U U <= Mbar * Ds.
Proof.
  assert (Dp := Ds_pos).
  set (K := sum rows (fun c => when (inP c) (m c / phc c * (dot (perp c) U * dot (perp c) U)))).
  assert (C : dot U U * dot U U <= Ds * K).
  { replace (dot U U) with (sum rows (fun c => when (inP c) (m c * xi c * dot (perp c) U))).
    - apply discriminant. intros t. unfold Ds, K.
      replace (_ + _ + _) with (sum rows (fun c => when (inP c) (m c / phc c * ((t * (phc c * xi c) + dot (perp c) U) * (t * (phc c * xi c) + dot (perp c) U))))).
      + apply sum_nonneg. intros c Hc. unfold when. destruct (inP c) eqn:HP; [|lra]. destruct (phc_ok c Hc HP).
        apply Rmult_le_pos; [apply Rle_mult_inv_pos; auto; now apply m_P|apply Rle_0_sqr].
      + rewrite (sum_ext _ _ (fun c => (t * t) * when (inP c) (phc c * m c * (xi c * xi c)) + (2 * t) * when (inP c) (m c * xi c * dot (perp c) U) +
          when (inP c) (m c / phc c * (dot (perp c) U * dot (perp c) U)))).
        * rewrite !sum_plus, !sum_scal. ring.
        * intros c Hc. unfold when. destruct (inP c) eqn:HP; [|ring]. destruct (phc_ok c Hc HP). field. lra.
    - unfold U at 2. rewrite comb_dot. apply sum_ext. intros c _. unfold when. destruct (inP c); ring. }
  assert (HK : K <= Mbar * dot U U).
  { apply Rle_trans with ((1 + eps) / phiS * sum rows (fun c => when (inS c) (lam c * (dot (perp c) U * dot (perp c) U))) +
      sum rows (fun c => when (negb (inS c) && push c) (mb c * (nn c * nn c) / phi c)) * dot U U).
    - rewrite <- sum_scal, <- sum_scal_r, <- sum_plus. unfold K. apply sum_le. intros c Hc. assert (Ps := b_phiS B).
      unfold when, phc. assert (HmP := m_P c Hc). unfold inP in *. destruct (inS c) eqn:HS; simpl in *.
      + destruct (m_S c Hc HS) as [_ Hm]. rewrite Rmult_0_l, Rplus_0_r. 
        replace ((1 + eps) / phiS * (lam c * (dot (perp c) U * dot (perp c) U))) with ((1 + eps) * lam c / phiS * (dot (perp c) U * dot (perp c) U)) by (field; lra).
        apply Rmult_le_compat_r; [apply Rle_0_sqr|]. unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|lra].
      + destruct (push c) eqn:HP; [|lra]. destruct (b_phiP B c Hc HS HP) as [P1 _]. rewrite Rmult_0_r, Rplus_0_l.
        assert (Hm := m_off c Hc HS). assert (Hm' : m c <= mb c) by (apply Rle_trans with (2 := Hm), Rle_abs).
        assert (Hy : dot (perp c) U * dot (perp c) U <= nn c * nn c * dot U U).
        { apply Rle_trans with (1 := cauchy_schwarz_sq _ _). apply Rmult_le_compat_r; [apply dot_pos|]. rewrite <- norm_sqr.
          apply Rmult_le_compat; auto using norm_pos; now apply f_nn. }
        replace (mb c * (nn c * nn c) / phi c * dot U U) with (mb c / phi c * (nn c * nn c * dot U U)) by (field; lra).
        apply Rmult_le_compat; auto; [apply Rle_mult_inv_pos; auto|apply Rle_0_sqr|].
        unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|auto].
    - unfold Mbar. rewrite Rmult_plus_distr_r. apply Rplus_le_compat_r. assert (G := gram_dual U). assert (Ps := b_phiS B).
      apply Rle_trans with ((1 + eps) / phiS * (M * dot U U)); [|right; field; lra]. apply Rmult_le_compat_l; auto.
      apply Rle_mult_inv_pos; auto. assert (Q := b_eps0 B). lra. }
  assert (PU := dot_pos U).
  destruct (Req_dec (dot U U) 0) as [Z|Nz].
  - rewrite Z. apply Rmult_le_pos; auto. apply Mbar_pos.
  - apply Rmult_le_reg_r with (dot U U); [lra|]. nra.
Qed.

Lemma contraction sg : 0 <= sg -> sg * Mbar <= 2 -> norm (vsub r (vscal sg U)) <= norm r.
Proof.
  intros H0 H2. apply sqrt_le_1_alt. rewrite dot_sub_l, !dot_sub_r, !dot_scal_r, !dot_scal_l, (dot_sym U r).
  assert (P := U_pull). assert (Q := U_norm).
  assert (Dp := Ds_pos).
  assert (sg * (sg * dot U U) <= sg * (sg * (Mbar * Ds))) by (apply Rmult_le_compat_l; auto; apply Rmult_le_compat_l; auto).
  assert (sg * (sg * (Mbar * Ds)) <= sg * (2 * Ds)) by (apply Rmult_le_compat_l; auto; rewrite <- Rmult_assoc; apply Rmult_le_compat_r; auto).
  assert (sg * Ds <= sg * dot r U) by (apply Rmult_le_compat_l; auto). lra.
Qed.

(** What does not contract fades (clause 10). *)
Definition push_size c := if inS c then lam c * epb c * nn c else if push c then mb c * nn c else mb c * exp (x c) * nn c.
Definition rate c := if inS c then 1 else th c - 1.

Lemma nu_norm : norm nu <= sum rows (fun c => push_size c * exp (- rate c * d)).
Proof.
  unfold nu. apply Rle_trans with (1 := norm_vsum _ _). apply sum_le. intros c Hc. rewrite norm_scal.
  assert (Hn := f_nn F c Hc). assert (Pn := norm_pos (perp c)). assert (Nn := nn_pos c Hc).
  apply Rle_trans with (Rabs (nu_coef c) * nn c); [apply Rmult_le_compat_l; auto using Rabs_pos|].
  unfold push_size, rate, nu_coef. destruct (inS c) eqn:HS.
  - assert (H := s_S _ _ _ ok c Hc HS). fold d in H. replace (- (1) * d) with (- d) by ring.
    replace (lam c * epb c * nn c * exp (- d)) with (lam c * (epb c * exp (- d)) * nn c) by ring. apply Rmult_le_compat_r; auto.
  - assert (H := s_off _ _ _ ok c Hc HS). fold d in H. set (ex := exp (- (th c - 1) * d)) in *. destruct (push c) eqn:HP.
    + replace (mb c * nn c * ex) with (mb c * ex * nn c) by ring. apply Rmult_le_compat_r; auto.
    + replace (mb c * exp (x c) * nn c * ex) with (mb c * ex * exp (x c) * nn c) by ring. apply Rmult_le_compat_r; auto.
      rewrite Rabs_mult, (Rabs_pos_eq (exp _)) by (left; apply exp_pos). apply Rmult_le_compat; auto using Rabs_pos; [left; apply exp_pos|].
      apply exp_pos_le. assert (Z := z_bound c Hc). apply Rabs_le_between in Z. lra.
Qed.

(** Speed: g.w >= kappa |w|^2, by Jensen. *)
Lemma speed : kap * N <= dot g w.
Proof.
  assert (Np := f_Npos F). assert (Sl : sum rows lam = N).
  { rewrite (f_N F), w_sum. apply sum_ext. intros c Hc. rewrite <- (f_th F c Hc).
    destruct (inS c) eqn:HS; [destruct (f_thS F c Hc HS) as [-> _]; ring|destruct (f_off F c Hc HS) as [_ ->]; ring]. }
  assert (Sz : sum rows (fun c => lam c * z c) = 0).
  { rewrite <- across, dot_sym, w_sum. easy. }
  assert (J : 1 <= sum rows (fun c => lam c / N * exp (- z c))).
  { assert (J := jensen_exp rows (fun c => lam c / N) (fun c => - z c)).
    rewrite (sum_ext _ (fun c => lam c / N * - z c) (fun c => - / N * (lam c * z c))) in J by (intros; field; lra).
    rewrite sum_scal, Sz, Rmult_0_r, exp_0 in J. apply J.
    - intros c Hc. apply Rle_mult_inv_pos; auto. destruct (inS c) eqn:HS; [destruct (f_thS F c Hc HS); lra|destruct (f_off F c Hc HS); lra].
    - unfold Rdiv. rewrite sum_scal_r, Sl. field. lra. }
  rewrite (sum_ext _ _ (fun c => / N * (lam c * exp (- z c)))) in J by (intros; field; lra). rewrite sum_scal in J.
  assert (J' : N <= sum rows (fun c => lam c * exp (- z c))).
  { apply Rmult_le_reg_l with (/ N); [now apply Rinv_0_lt_compat|]. rewrite Rinv_l; lra. }
  unfold g. rewrite comb_dot.
  apply Rle_trans with (sum rows (fun c => (1 - eps) * (lam c * exp (- z c)) - when (loose c) (mb c * th c * exp (x c)))).
  - rewrite sum_minus, sum_scal. assert (K := b_kap B). set (Lo := sum rows (fun c => when (loose c) _)) in *.
    assert (kap * N <= (1 - eps - Lo / N) * N) by (apply Rmult_le_compat_r; lra).
    replace ((1 - eps - Lo / N) * N) with ((1 - eps) * N - Lo) in H by (field; lra). assert (Q := b_eps1 B).
    assert ((1 - eps) * N <= (1 - eps) * sum rows (fun c => lam c * exp (- z c))) by (apply Rmult_le_compat_l; lra). lra.
  - apply sum_le. intros c Hc. rewrite <- (f_th F c Hc). assert (Pe := exp_pos (- z c)). unfold loose, inP, when. destruct (inS c) eqn:HS; simpl.
    + destruct (f_thS F c Hc HS) as [-> _]. destruct (m_S c Hc HS) as [Hm _]. nra.
    + destruct (f_off F c Hc HS) as [Th ->]. destruct (push c) eqn:HP; simpl.
      * assert (Hm := s_push _ _ _ ok c Hc HS HP). assert (0 <= m c * exp (- z c) * th c) by (apply Rmult_le_pos; [nra|lra]). lra.
      * assert (Hm := m_off c Hc HS). apply Rabs_le_between in Hm. assert (Z := z_bound c Hc). apply Rabs_le_between in Z.
        assert (Ex : exp (- z c) <= exp (x c)) by (apply exp_pos_le; lra).
        assert (mb c * exp (- z c) <= mb c * exp (x c)) by (apply Rmult_le_compat_l; lra).
        assert (- (mb c * exp (x c)) <= m c * exp (- z c)) by nra. nra.
Qed.

(** Bounds of g from above (clause 8). *)
Definition m_top c := if inS c then lam c * (1 + epb c) else mb c.
Definition w_top := sum rows (fun c => m_top c * th c * exp (x c)).
Definition g_top := sum rows (fun c => m_top c * exp (x c) * norm (a c)).

Lemma m_le_top c : In c rows -> Rabs (m c) <= m_top c.
Proof.
  intros Hc. unfold m_top. destruct (inS c) eqn:HS; [|now apply m_off].
  assert (H := s_S _ _ _ ok c Hc HS). apply Rabs_le_between in H. destruct (f_thS F c Hc HS) as [_ Pl].
  destruct (b_eps B c Hc HS) as [E1 _]. assert (Fd := fade 1 ltac:(lra)). rewrite Rmult_1_l in Fd. fold d in H. assert (Pe := exp_pos (- d)).
  assert (epb c * exp (- d) <= epb c * 1) by (apply Rmult_le_compat_l; lra).
  assert (lam c * (epb c * exp (- d)) <= lam c * (epb c * 1)) by (apply Rmult_le_compat_l; lra).
  rewrite Rabs_pos_eq; [lra|]. apply m_P; auto. unfold inP. now rewrite HS.
Qed.

Lemma z_exp c : In c rows -> exp (- z c) <= exp (x c).
Proof. intros Hc. apply exp_pos_le. assert (Z := z_bound c Hc). apply Rabs_le_between in Z. lra. Qed.

Lemma me_le_top c : In c rows -> Rabs (m c * exp (- z c)) <= m_top c * exp (x c).
Proof.
  intros Hc. rewrite Rabs_mult, (Rabs_pos_eq (exp _)) by (left; apply exp_pos).
  apply Rmult_le_compat; auto using Rabs_pos, m_le_top, z_exp. left; apply exp_pos.
Qed.

Lemma g_dot_upper : dot g w <= w_top.
Proof.
  unfold g, w_top. rewrite comb_dot. apply sum_le. intros c Hc. rewrite <- (f_th F c Hc).
  assert (Th : 0 <= th c) by (destruct (inS c) eqn:HS; [destruct (f_thS F c Hc HS); lra|destruct (f_off F c Hc HS); lra]).
  replace (m_top c * th c * exp (x c)) with (m_top c * exp (x c) * th c) by ring. apply Rmult_le_compat_r; auto.
  apply Rle_trans with (2 := me_le_top c Hc), Rle_abs.
Qed.

Lemma g_norm_upper : norm g <= g_top.
Proof.
  unfold g, g_top. apply Rle_trans with (1 := norm_vsum _ _). apply sum_le. intros c Hc. rewrite norm_scal.
  apply Rmult_le_compat_r; [apply norm_pos|now apply me_le_top].
Qed.
End State.

Lemma rate_pos c : In c rows -> 0 < rate c.
Proof. intros Hc. unfold rate. destruct (inS c) eqn:HS; [lra|]. destruct (f_off F c Hc HS). lra. Qed.

Lemma push_size_pos c : In c rows -> 0 <= push_size c.
Proof.
  intros Hc. assert (Nn := nn_pos c Hc). unfold push_size. destruct (inS c) eqn:HS.
  - destruct (f_thS F c Hc HS). destruct (b_eps B c Hc HS). apply Rmult_le_pos; auto. apply Rmult_le_pos; lra.
  - assert (Hm := b_mb B c Hc HS). destruct (push c); [now apply Rmult_le_pos|]. apply Rmult_le_pos; auto. apply Rmult_le_pos; auto. left; apply exp_pos.
Qed.

(** The run. *)
Section Run.
Variables (p : nat -> E) (q : nat -> A -> R) (eta : nat -> R) (wt : E).
Definition level (y : E) := dot (vsub y wt) w / N.
Definition rest (y : E) := vsub (vsub y wt) (vscal (level y) w).
Definition region (y : E) := norm (rest y) <= rho /\ l0 <= level y.
Definition scaled k c := exp (level (p k)) * q k c * exp (dot (a c) (rest (p k))).
Definition sg k := eta k * exp (- level (p k)).
Definition tau k := sg k * dot (g (rest (p k)) (scaled k)) w / N.

Variable run : forall k, same (p (S k)) (vadd (p k) (vscal (eta k) (vsum rows (fun c => vscal (q k c) (a c))))).
Variable weights_ok : forall k, region (p k) -> state_ok (level (p k)) (rest (p k)) (scaled k).
Variable step_ok : forall k, region (p k) -> 0 <= eta k /\ sg k * Mbar <= 2 /\ tau k <= taub.
Variable start_level : level (p 0%nat) = l0.
Variable start_rest : norm (rest (p 0%nat)) + / kap * sum rows (fun c => push_size c * (/ rate c + taub)) <= rho.

Lemma rest_across y : dot (rest y) w = 0.
Proof. unfold rest, level. rewrite dot_sub_l, dot_scal_l, <- (f_N F). assert (Np := f_Npos F). field. lra. Qed.

Lemma step_dot k y : dot (p (S k)) y = dot (p k) y + sg k * dot (g (rest (p k)) (scaled k)) y.
Proof.
  rewrite run, dot_add_l, dot_scal_l, combination_dot. f_equal. unfold sg, g. rewrite Rmult_assoc. f_equal. rewrite comb_dot, <- sum_scal. apply sum_ext. intros c _.
  unfold scaled. assert (E1 : exp (- level (p k)) * exp (level (p k)) = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
  assert (E2 : exp (dot (a c) (rest (p k))) * exp (- dot (a c) (rest (p k))) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  replace (exp (- level (p k)) * (exp (level (p k)) * q k c * exp (dot (a c) (rest (p k))) * exp (- dot (a c) (rest (p k))) * dot (a c) y))
    with ((exp (- level (p k)) * exp (level (p k))) * (exp (dot (a c) (rest (p k))) * exp (- dot (a c) (rest (p k)))) * (q k c * dot (a c) y)) by ring.
  rewrite E1, E2. ring.
Qed.

Lemma level_step k : level (p (S k)) = level (p k) + tau k.
Proof. unfold level, tau. rewrite !dot_sub_l, step_dot. field. assert (Np := f_Npos F). lra. Qed.

Lemma rest_step k : same (rest (p (S k))) (vadd (vsub (rest (p k)) (vscal (sg k) (U (rest (p k)) (scaled k)))) (vscal (sg k) (nu (rest (p k)) (scaled k)))).
Proof.
  intros y. unfold rest at 1. rewrite !dot_sub_l, dot_scal_l, level_step, step_dot, dot_add_l, dot_sub_l, !dot_scal_l.
  assert (G := g_split (rest (p k)) (scaled k) y). unfold rest at 2. rewrite !dot_sub_l, dot_scal_l. unfold tau.
  set (gg := g (rest (p k)) (scaled k)) in *. set (UU := U (rest (p k)) (scaled k)) in *. set (vv := nu (rest (p k)) (scaled k)) in *. nra.
Qed.

Lemma tau_speed k : region (p k) -> kap * sg k <= tau k /\ 0 <= sg k.
Proof.
  intros Rg. assert (Np := f_Npos F). destruct (step_ok k Rg) as (He & _ & _). destruct Rg as [R1 R2].
  assert (Sp : 0 <= sg k) by (unfold sg; apply Rmult_le_pos; auto; left; apply exp_pos). split; auto.
  assert (V := speed _ _ _ (weights_ok k (conj R1 R2)) R2 R1 (rest_across (p k))).
  unfold tau. apply Rmult_le_reg_r with N; auto. replace (sg k * dot (g (rest (p k)) (scaled k)) w / N * N) with (sg k * dot (g (rest (p k)) (scaled k)) w) by (field; lra).
  replace (kap * sg k * N) with (sg k * (kap * N)) by ring. now apply Rmult_le_compat_l.
Qed.

Definition potential k := norm (rest (p k)) + / kap * sum rows (fun c => push_size c * (/ rate c + taub) * exp (- rate c * (level (p k) - l0))).

Lemma potential_falls k : region (p k) -> potential (S k) <= potential k /\ level (p k) <= level (p (S k)).
Proof.
  intros Rg. destruct (tau_speed k Rg) as [Ts Sp]. destruct (step_ok k Rg) as (He & Hs & Ht). assert (Kp := b_kap_pos B).
  assert (Ok := weights_ok k Rg). assert (Ac := rest_across (p k)). destruct Rg as [R1 R2].
  assert (Tp : 0 <= tau k) by (apply Rle_trans with (2 := Ts); apply Rmult_le_pos; lra).
  split; [|rewrite level_step; lra].
  assert (C := contraction _ _ _ Ok R2 R1 Ac (sg k) Sp Hs).
  assert (V := nu_norm _ _ _ Ok R1 Ac).
  assert (S1 : norm (rest (p (S k))) <= norm (rest (p k)) + sg k * norm (nu (rest (p k)) (scaled k))).
  { rewrite (same_norm _ _ (rest_step k)). apply Rle_trans with (1 := norm_triangle _ _). rewrite norm_scal, (Rabs_pos_eq (sg k)) by auto. lra. }
  assert (S2 : sg k * norm (nu (rest (p k)) (scaled k)) <= / kap * (tau k * sum rows (fun c => push_size c * exp (- rate c * (level (p k) - l0))))).
  { apply Rle_trans with (/ kap * tau k * sum rows (fun c => push_size c * exp (- rate c * (level (p k) - l0)))); [|right; ring].
    apply Rmult_le_compat; auto using norm_pos. apply Rmult_le_reg_l with kap; auto. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l; lra. }
  assert (S3 : tau k * sum rows (fun c => push_size c * exp (- rate c * (level (p k) - l0))) <=
    sum rows (fun c => push_size c * (/ rate c + taub) * exp (- rate c * (level (p k) - l0))) - sum rows (fun c => push_size c * (/ rate c + taub) * exp (- rate c * (level (p (S k)) - l0)))).
  { rewrite <- sum_scal, <- sum_minus. apply sum_le. intros c Hc. assert (Pc := push_size_pos c Hc).
    assert (T := telescope (rate c) (tau k) taub (level (p k) - l0) (rate_pos c Hc) (conj Tp Ht)).
    rewrite level_step. replace (level (p k) + tau k - l0) with (level (p k) - l0 + tau k) by ring. nra. }
  unfold potential. assert (Ki : 0 < / kap) by now apply Rinv_0_lt_compat.
  apply Rmult_le_compat_l with (r := / kap) in S3; [|lra]. lra.
Qed.

(** |r_k| <= rho for ever, and l_k does not fall. *)
Theorem cone_for_ever k : region (p k) /\ potential k <= rho /\ level (p k) <= level (p (S k)).
Proof.
  assert (Tb : forall j, potential j <= rho -> norm (rest (p j)) <= rho).
  { intros j Hj. unfold potential in Hj. assert (Kp := b_kap_pos B).
    assert (0 <= / kap * sum rows (fun c => push_size c * (/ rate c + taub) * exp (- rate c * (level (p j) - l0)))); [|lra].
    apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat|]. apply sum_nonneg. intros c Hc. apply Rmult_le_pos; [|left; apply exp_pos].
    apply Rmult_le_pos; [now apply push_size_pos|]. assert (0 < / rate c) by (apply Rinv_0_lt_compat, rate_pos; auto). lra. }
  assert (P0 : potential 0 <= rho).
  { apply Rle_trans with (2 := start_rest). unfold potential. rewrite start_level. apply Rplus_le_compat_l. apply Rmult_le_compat_l.
    - left. apply Rinv_0_lt_compat, (b_kap_pos B).
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

Lemma dot_level y : dot y w = N * level y + dot wt w.
Proof. unfold level. rewrite dot_sub_l. assert (Np := f_Npos F). field. lra. Qed.

Lemma norm_w : norm w * norm w = N /\ 0 < norm w.
Proof.
  assert (Np := f_Npos F). assert (H : norm w * norm w = N) by (rewrite norm_sqr; symmetry; apply (f_N F)). split; auto.
  assert (P := norm_pos w). destruct (Req_dec (norm w) 0) as [Z|]; [rewrite Z in H; lra|lra].
Qed.

Theorem cone_norm_diverges : to_infinity (fun k => norm (p k)).
Proof.
  intros top. assert (Np := f_Npos F). destruct norm_w as [Hw Pw].
  destruct (level_diverges ((top * norm w - dot wt w) / N)) as [K HK]. exists K. intros k Hk. specialize (HK k Hk).
  apply Rmult_le_reg_r with (norm w); auto. apply Rle_trans with (2 := cauchy_schwarz (p k) w). rewrite dot_level.
  apply Rmult_le_compat_l with (r := N) in HK; [|lra]. replace (N * ((top * norm w - dot wt w) / N)) with (top * norm w - dot wt w) in HK by (field; lra). lra.
Qed.

(** The rate (10), clause 11. *)
Definition offset := vsub wt (vscal (dot wt w / N) w).
Variable forward : 0 < dot (p 0%nat) w.

Lemma forward_for_ever k : 0 < dot (p k) w.
Proof.
  induction k as [|k IH]; auto. destruct (cone_for_ever k) as (_ & _ & Mono). rewrite dot_level in *. assert (Np := f_Npos F). nra.
Qed.

Theorem cone_rate C k : 0 <= C -> 2 * ((norm offset + rho) * (norm offset + rho)) <= C * C ->
  norm (vsub (unit (p k)) (unit w)) <= C / norm (p k).
Proof.
  intros HC H2. destruct (cone_for_ever k) as ((Rr & _) & _ & _). assert (Np := f_Npos F). destruct norm_w as [Hw Pw]. assert (Fw := forward_for_ever k).
  assert (Pp : 0 < norm (p k)).
  { assert (X := cauchy_schwarz (p k) w). assert (Y := norm_pos (p k)). destruct (Req_dec (norm (p k)) 0) as [Z|]; [rewrite Z in X; lra|lra]. }
  set (across := vsub (p k) (vscal (dot (p k) w / N) w)).
  assert (Sm : same across (vadd offset (rest (p k)))).
  { intros y. unfold across, offset, rest, level. rewrite !dot_add_l, !dot_sub_l, !dot_scal_l. field. lra. }
  assert (Na : norm across <= norm offset + rho) by (rewrite (same_norm _ _ Sm); apply Rle_trans with (1 := norm_triangle _ _); lra).
  assert (Sq : norm across * norm across = norm (p k) * norm (p k) - dot (p k) w * dot (p k) w / N).
  { unfold across. rewrite norm_sub_sqr, !dot_scal_r, !dot_scal_l, <- (f_N F), <- norm_sqr. field. lra. }
  set (h := dot (p k) (unit w)).
  assert (Hh : h * h = dot (p k) w * dot (p k) w / N /\ 0 < h).
  { unfold h, unit. rewrite dot_scal_r. rewrite <- Hw. split; [field; lra|]. apply Rmult_lt_0_compat; auto. now apply Rinv_0_lt_compat. }
  destruct Hh as [Hh Ph]. rewrite <- Hh in Sq.
  assert (D := unit_distance (p k) w Pp Pw). fold h in D.
  apply le_of_sq; [apply Rle_mult_inv_pos; auto|]. rewrite D.
  assert (An := norm_pos across). set (r := norm (p k)) in *.
  assert (h <= r) by nra.
  apply Rmult_le_reg_r with (r * r); [nra|]. replace (2 * (1 - h / r) * (r * r)) with (2 * (r * (r - h))) by (field; lra).
  replace (C / r * (C / r) * (r * r)) with (C * C) by (field; lra).
  assert (norm across * norm across <= (norm offset + rho) * (norm offset + rho)) by (apply Rmult_le_compat; auto). nra.
Qed.

Theorem cone_direction : to_zero (fun k => norm (vsub (unit (p k)) (unit w))).
Proof.
  intros e He. assert (Hr := f_rho F). assert (Ho := norm_pos offset). set (C := 2 * (norm offset + rho)).
  destruct (cone_norm_diverges (C / e + 1)) as [K HK]. exists K. intros k Hk. specialize (HK k Hk). rewrite Rabs_pos_eq by apply norm_pos.
  assert (PC : 0 <= C) by (unfold C; lra). assert (0 <= C / e) by (apply Rle_mult_inv_pos; auto).
  apply Rle_trans with (1 := cone_rate C k PC ltac:(unfold C; nra)).
  apply Rmult_le_reg_r with (norm (p k)); [lra|]. replace (C / norm (p k) * norm (p k)) with (C / e * e) by (field; lra).
  rewrite (Rmult_comm e). apply Rmult_le_compat_r; lra.
Qed.
End Run.

(** The two methods (clause 8). *)
Section Methods.
Variables (p : nat -> E) (q : nat -> A -> R) (eta : nat -> R) (wt : E).
Variable weights_ok : forall k, region wt (p k) -> state_ok (level wt (p k)) (rest wt (p k)) (scaled p q wt k).

Lemma g_pos k : region wt (p k) -> 0 < kap * N <= dot (g (rest wt (p k)) (scaled p q wt k)) w.
Proof.
  intros Rg. assert (Ok := weights_ok k Rg). destruct Rg as [R1 R2]. split.
  - apply Rmult_lt_0_compat; [apply (b_kap_pos B)|apply (f_Npos F)].
  - exact (speed _ _ _ Ok R2 R1 (rest_across wt (p k))).
Qed.

(** Constant steps: eta_k = step. *)
Theorem constant_steps step : 0 < step -> (forall k, eta k = step) -> step * exp (- l0) * Mbar <= 2 -> step * exp (- l0) * w_top / N <= taub ->
  (forall k, region wt (p k) -> 0 <= eta k /\ sg p eta wt k * Mbar <= 2 /\ tau p q eta wt k <= taub) /\
  (forall top, exists de, 0 < de /\ forall k, region wt (p k) -> level wt (p k) <= top -> de <= tau p q eta wt k).
Proof.
  intros Hs He HM HT. assert (Np := f_Npos F). assert (Kp := b_kap_pos B). split.
  - intros k Rg. assert (Gp := g_pos k Rg). assert (Ok := weights_ok k Rg). destruct Rg as [R1 R2]. rewrite He. split; [lra|].
    assert (Sg : 0 < sg p eta wt k <= step * exp (- l0)).
    { unfold sg. rewrite He. split; [apply Rmult_lt_0_compat; auto; apply exp_pos|]. apply Rmult_le_compat_l; [lra|]. apply exp_pos_le. lra. }
    assert (MP := Mbar_pos). split; [nra|].
    assert (Gu := g_dot_upper _ _ _ Ok R2 R1 (rest_across wt (p k))). unfold tau.
    apply Rle_trans with (2 := HT). unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply Rmult_le_compat; lra.
  - intros top. exists (step * exp (- top) * kap). split; [apply Rmult_lt_0_compat; auto; apply Rmult_lt_0_compat; auto; apply exp_pos|].
    intros k Rg Ht. assert (Gp := g_pos k Rg). unfold tau, sg. rewrite He. set (G := dot _ w) in *.
    assert (Ex : exp (- top) <= exp (- level wt (p k))) by (apply exp_pos_le; lra). assert (Pt := exp_pos (- top)).
    replace (step * exp (- level wt (p k)) * G / N) with (step * exp (- level wt (p k)) * (G / N)) by (field; lra).
    apply Rmult_le_compat; [nra|lra|nra|]. apply Rmult_le_reg_r with N; auto. replace (G / N * N) with G by (field; lra). lra.
Qed.

(** Normalised steps of length h: eta_k = h/|G_k|, G_k = exp(-l) g. *)
Theorem normalised_steps h : 0 < h ->
  (forall k, eta k = h / norm (vsum rows (fun c => vscal (q k c) (a c)))) ->
  h / (kap * norm w) * Mbar <= 2 -> h / norm w <= taub ->
  (forall k, region wt (p k) -> 0 <= eta k /\ sg p eta wt k * Mbar <= 2 /\ tau p q eta wt k <= taub) /\
  (forall top, exists de, 0 < de /\ forall k, region wt (p k) -> level wt (p k) <= top -> de <= tau p q eta wt k).
Proof.
  intros Hh He HM HT. assert (Np := f_Npos F). assert (Kp := b_kap_pos B). destruct (norm_w) as [Hw Pw].
  assert (Sg : forall k, region wt (p k) -> sg p eta wt k = h / norm (g (rest wt (p k)) (scaled p q wt k)) /\ kap * norm w <= norm (g (rest wt (p k)) (scaled p q wt k)) /\ 0 < eta k).
  { intros k Rg. assert (Gp := g_pos k Rg). set (gg := g (rest wt (p k)) (scaled p q wt k)) in *. set (G := vsum rows (fun c => vscal (q k c) (a c))).
    assert (Eg : same G (vscal (exp (- level wt (p k))) gg)).
    { intros y. unfold G, gg, g. rewrite combination_dot, dot_scal_l, comb_dot, <- sum_scal. apply sum_ext. intros c _. unfold scaled.
      assert (E1 : exp (- level wt (p k)) * exp (level wt (p k)) = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
      assert (E2 : exp (dot (a c) (rest wt (p k))) * exp (- dot (a c) (rest wt (p k))) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
      replace (exp (- level wt (p k)) * (exp (level wt (p k)) * q k c * exp (dot (a c) (rest wt (p k))) * exp (- dot (a c) (rest wt (p k))) * dot (a c) y))
        with ((exp (- level wt (p k)) * exp (level wt (p k))) * (exp (dot (a c) (rest wt (p k))) * exp (- dot (a c) (rest wt (p k)))) * (q k c * dot (a c) y)) by ring.
      rewrite E1, E2. ring. }
    assert (Pe := exp_pos (- level wt (p k))).
    assert (NG : norm G = exp (- level wt (p k)) * norm gg) by (rewrite (same_norm _ _ Eg), norm_scal, Rabs_pos_eq; lra).
    assert (Lw : kap * norm w <= norm gg).
    { apply Rmult_le_reg_r with (norm w); auto. apply Rle_trans with (2 := cauchy_schwarz gg w). rewrite Rmult_assoc, Hw. lra. }
    assert (Pg : 0 < norm gg) by nra.
    unfold sg. rewrite He. fold G. rewrite NG. split; [field; lra|]. split; auto. apply Rdiv_lt_0_compat; auto. nra. }
  split.
  - intros k Rg. destruct (Sg k Rg) as (S1 & S2 & S3). assert (Gp := g_pos k Rg). set (gg := g (rest wt (p k)) (scaled p q wt k)) in *.
    assert (Pg : 0 < norm gg) by nra. split; [lra|]. assert (MP := Mbar_pos). split.
    + apply Rle_trans with (2 := HM). rewrite S1. apply Rmult_le_compat_r; auto. unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; nra.
    + unfold tau. fold gg. rewrite S1. apply Rle_trans with (2 := HT). assert (C := cauchy_schwarz gg w).
      replace (h / norm gg * dot gg w / N) with (h / norm w * (dot gg w / (norm gg * norm w))) by (rewrite <- Hw; field; lra).
      rewrite <- (Rmult_1_r (h / norm w)) at 2. apply Rmult_le_compat_l; [apply Rle_mult_inv_pos; lra|].
      apply Rmult_le_reg_r with (norm gg * norm w); [nra|]. replace (dot gg w / (norm gg * norm w) * (norm gg * norm w)) with (dot gg w) by (field; lra). lra.
  - intros top. assert (G0 : 0 <= g_top).
    { unfold g_top. apply sum_nonneg. intros c Hc. apply Rmult_le_pos; [|apply norm_pos]. apply Rmult_le_pos; [|left; apply exp_pos].
      unfold m_top. destruct (inS c) eqn:HS; [|now apply (b_mb B)]. destruct (f_thS F c Hc HS). destruct (b_eps B c Hc HS). apply Rmult_le_pos; lra. }
    exists (h * kap / (g_top + 1)). split; [apply Rdiv_lt_0_compat; nra|].
    intros k Rg _. destruct (Sg k Rg) as (S1 & S2 & _). assert (Gp := g_pos k Rg). assert (Ok := weights_ok k Rg). destruct Rg as [R1 R2].
    assert (Gn := g_norm_upper _ _ _ Ok R2 R1 (rest_across wt (p k))). unfold tau. set (gg := g (rest wt (p k)) (scaled p q wt k)) in *. rewrite S1.
    assert (Pg : 0 < norm gg) by nra.
    replace (h / norm gg * dot gg w / N) with (h * (dot gg w / N) / norm gg) by (field; lra).
    assert (kap <= dot gg w / N) by (apply Rmult_le_reg_r with N; auto; replace (dot gg w / N * N) with (dot gg w) by (field; lra); lra).
    unfold Rdiv. apply Rmult_le_compat; [nra|left; apply Rinv_0_lt_compat; lra| |apply Rinv_le_contravar; lra].
    apply Rmult_le_compat_l; [lra|]. exact H.
Qed.
End Methods.
End Cone.
