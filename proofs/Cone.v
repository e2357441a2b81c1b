(** `descent-cone` (docs/certificate.md 4.22), one point: the cone theorem of docs/theory.md 6.3 where -grad L = sum_c q_c a_c.
    p = l w + wt + r with r.w = 0.  While |r| <= rho and l >= l_0 let exp(l) q_c exp(z_c) = m_c, z_c = a_c.r, with m_c = lambda_c (1 + eps_c), |eps_c| <= epsbar_c exp(-(l - l_0))
    on the listed rows S, |m_c| <= mbar_c exp(-(theta_c - 1)(l - l_0)) off S, and m_c >= 0 on the rows that push back.  Then exp(l) (-grad L) = g has g.w >= kappa |w|^2 (clause 7),
    across w it is nu - U, where U pulls r back (clause 9 for steps) and nu fades (clause 10), and |p/|p| - w/|w|| <= C/|p| with C^2 = 2 (|wt across w| + rho)^2 (clause 11).
    ConeRun.v follows the steps, ConeFlow.v the flow; ConeModel.v shows that softmax attention satisfies the bounds. *)
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
  destruct (mean_value f (fun u => / 2 * (1 - (1 - u) * exp u)) 0 x Hx (fun u _ => Df u)) as (c & Hc & Hm). unfold f in Hm. rewrite exp_0 in Hm.
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
Variables (N rho l0 eps M phiS kap : R).

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

(** Clauses 6, 7: epsilon bounds all epsbar_c, kappa > 0. *)
Record sizes := Sizes {
  b_mb : forall c, In c rows -> inS c = false -> 0 <= mb c;
  b_eps : forall c, In c rows -> inS c = true -> 0 <= epb c <= eps;
  b_eps0 : 0 <= eps;
  b_eps1 : eps < 1;
  b_kap : kap <= 1 - eps - sum rows (fun c => when (loose c) (mb c * th c * exp (x c))) / N;
  b_kap_pos : 0 < kap }.

(** Clause 9: the definiteness of M Lambda^-1 - Gram.  Not asked of flow. *)
Record contracts := Contracts {
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
Variable B : sizes.

Lemma w_sum y : dot w y = sum rows (fun c => lam c * dot (a c) y).
Proof. rewrite (f_w F). apply combination_dot. Qed.

Variable Ct : contracts.

Lemma Mbar_pos : 0 <= Mbar.
Proof.
  unfold Mbar. assert (H0 := b_eps0 B). assert (HM := b_M Ct). assert (Hp := b_phiS Ct).
  apply Rplus_le_le_0_compat; [apply Rle_mult_inv_pos; auto; apply Rmult_le_pos; lra|]. apply sum_nonneg. intros c Hc. unfold when.
  destruct (inS c) eqn:HS; simpl; [lra|]. destruct (push c) eqn:HP; [|lra]. destruct (b_phiP Ct c Hc HS HP).
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
  - split; [apply (b_phiS Ct)|now apply (b_phi Ct)].
  - now apply (b_phiP Ct).
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

(** U pulls back. *)
Lemma U_back : 0 <= dot r U.
Proof.
  rewrite dot_sym. unfold U. rewrite comb_dot. apply sum_nonneg. intros c Hc. unfold when. destruct (inP c) eqn:HP; [|lra].
  rewrite <- z_perp. assert (Pm := m_P c Hc HP). assert (T := exp_tangent (- z c)). assert (Zx : 0 <= xi c * z c); [|nra].
  unfold xi. destruct (Rle_or_lt 0 (z c)) as [Z|Z].
  - assert (exp (- z c) <= 1) by (rewrite <- exp_0; apply exp_pos_le; lra). apply Rmult_le_pos; lra.
  - nra.
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
  { unfold Y. apply Rle_trans with (1 := b_gram Ct v ltac:(intros c _ HS; unfold v, when; now rewrite HS)).
    apply Rmult_le_compat_l; [apply (b_M Ct)|]. apply sum_le. intros c Hc. unfold v, when. destruct (inS c) eqn:HS; [|lra].
    destruct (f_thS F c Hc HS). right. field. lra. }
  assert (C := cauchy_schwarz_sq Y y). rewrite <- T1 in C. assert (Py := dot_pos y). assert (PY := dot_pos Y). assert (PM := b_M Ct).
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
    - rewrite <- sum_scal, <- sum_scal_r, <- sum_plus. unfold K. apply sum_le. intros c Hc. assert (Ps := b_phiS Ct).
      unfold when, phc. assert (HmP := m_P c Hc). unfold inP in *. destruct (inS c) eqn:HS; simpl in *.
      + destruct (m_S c Hc HS) as [_ Hm]. rewrite Rmult_0_l, Rplus_0_r. 
        replace ((1 + eps) / phiS * (lam c * (dot (perp c) U * dot (perp c) U))) with ((1 + eps) * lam c / phiS * (dot (perp c) U * dot (perp c) U)) by (field; lra).
        apply Rmult_le_compat_r; [apply Rle_0_sqr|]. unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|lra].
      + destruct (push c) eqn:HP; [|lra]. destruct (b_phiP Ct c Hc HS HP) as [P1 _]. rewrite Rmult_0_r, Rplus_0_l.
        assert (Hm := m_off c Hc HS). assert (Hm' : m c <= mb c) by (apply Rle_trans with (2 := Hm), Rle_abs).
        assert (Hy : dot (perp c) U * dot (perp c) U <= nn c * nn c * dot U U).
        { apply Rle_trans with (1 := cauchy_schwarz_sq _ _). apply Rmult_le_compat_r; [apply dot_pos|]. rewrite <- norm_sqr.
          apply Rmult_le_compat; auto using norm_pos; now apply f_nn. }
        replace (mb c * (nn c * nn c) / phi c * dot U U) with (mb c / phi c * (nn c * nn c * dot U U)) by (field; lra).
        apply Rmult_le_compat; auto; [apply Rle_mult_inv_pos; auto|apply Rle_0_sqr|].
        unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|auto].
    - unfold Mbar. rewrite Rmult_plus_distr_r. apply Rplus_le_compat_r. assert (G := gram_dual U). assert (Ps := b_phiS Ct).
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

(** A point: its level l and its rest r. *)
Section Point.
Variable wt : E.
Definition level (y : E) := dot (vsub y wt) w / N.
Definition rest (y : E) := vsub (vsub y wt) (vscal (level y) w).
Definition region (y : E) := norm (rest y) <= rho /\ l0 <= level y.
Definition scaled (y : E) (q : A -> R) c := exp (level y) * q c * exp (dot (a c) (rest y)).

Lemma rest_across y : dot (rest y) w = 0.
Proof. unfold rest, level. rewrite dot_sub_l, dot_scal_l, <- (f_N F). assert (Np := f_Npos F). field. lra. Qed.

(** -grad L = exp(-l) g. *)
Lemma unscaled y q z : dot (vsum rows (fun c => vscal (q c) (a c))) z = exp (- level y) * dot (g (rest y) (scaled y q)) z.
Proof.
  unfold g. rewrite combination_dot, comb_dot, <- sum_scal. apply sum_ext. intros c _. unfold scaled.
  assert (E1 : exp (- level y) * exp (level y) = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
  assert (E2 : exp (dot (a c) (rest y)) * exp (- dot (a c) (rest y)) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  replace (exp (- level y) * (exp (level y) * q c * exp (dot (a c) (rest y)) * exp (- dot (a c) (rest y)) * dot (a c) z))
    with ((exp (- level y) * exp (level y)) * (exp (dot (a c) (rest y)) * exp (- dot (a c) (rest y))) * (q c * dot (a c) z)) by ring.
  rewrite E1, E2. ring.
Qed.

Lemma dot_level y : dot y w = N * level y + dot wt w.
Proof. unfold level. rewrite dot_sub_l. assert (Np := f_Npos F). field. lra. Qed.

Lemma norm_w : norm w * norm w = N /\ 0 < norm w.
Proof.
  assert (Np := f_Npos F). assert (H : norm w * norm w = N) by (rewrite norm_sqr; symmetry; apply (f_N F)). split; auto.
  assert (P := norm_pos w). destruct (Req_dec (norm w) 0) as [Z|]; [rewrite Z in H; lra|lra].
Qed.

(** A high level is a large norm. *)
Lemma level_norm y top : (top * norm w - dot wt w) / N <= level y -> top <= norm y.
Proof.
  intros H. assert (Np := f_Npos F). destruct norm_w as [Hw Pw].
  apply Rmult_le_reg_r with (norm w); auto. apply Rle_trans with (2 := cauchy_schwarz y w). rewrite dot_level.
  apply Rmult_le_compat_l with (r := N) in H; [|lra]. replace (N * ((top * norm w - dot wt w) / N)) with (top * norm w - dot wt w) in H by (field; lra). lra.
Qed.

(** The rate (10), clause 11. *)
Definition offset := vsub wt (vscal (dot wt w / N) w).

Theorem cone_rate C y : norm (rest y) <= rho -> 0 < dot y w -> 0 <= C -> 2 * ((norm offset + rho) * (norm offset + rho)) <= C * C ->
  norm (vsub (unit y) (unit w)) <= C / norm y.
Proof.
  intros Rr Fw HC H2. assert (Np := f_Npos F). destruct norm_w as [Hw Pw].
  assert (Pp : 0 < norm y).
  { assert (X := cauchy_schwarz y w). assert (Y := norm_pos y). destruct (Req_dec (norm y) 0) as [Z|]; [rewrite Z in X; lra|lra]. }
  set (across := vsub y (vscal (dot y w / N) w)).
  assert (Sm : same across (vadd offset (rest y))).
  { intros z. unfold across, offset, rest, level. rewrite !dot_add_l, !dot_sub_l, !dot_scal_l. field. lra. }
  assert (Na : norm across <= norm offset + rho) by (rewrite (same_norm _ _ Sm); apply Rle_trans with (1 := norm_triangle _ _); lra).
  assert (Sq : norm across * norm across = norm y * norm y - dot y w * dot y w / N).
  { unfold across. rewrite norm_sub_sqr, !dot_scal_r, !dot_scal_l, <- (f_N F), <- norm_sqr. field. lra. }
  set (h := dot y (unit w)).
  assert (Hh : h * h = dot y w * dot y w / N /\ 0 < h).
  { unfold h, unit. rewrite dot_scal_r. rewrite <- Hw. split; [field; lra|]. apply Rmult_lt_0_compat; auto. now apply Rinv_0_lt_compat. }
  destruct Hh as [Hh Ph]. rewrite <- Hh in Sq.
  assert (D := unit_distance y w Pp Pw). fold h in D.
  apply le_of_sq; [apply Rle_mult_inv_pos; auto|]. rewrite D.
  assert (An := norm_pos across). set (r := norm y) in *.
  assert (h <= r) by nra.
  apply Rmult_le_reg_r with (r * r); [nra|]. replace (2 * (1 - h / r) * (r * r)) with (2 * (r * (r - h))) by (field; lra).
  replace (C / r * (C / r) * (r * r)) with (C * C) by (field; lra).
  assert (norm across * norm across <= (norm offset + rho) * (norm offset + rho)) by (apply Rmult_le_compat; auto). nra.
Qed.

(** Beyond the norm 2 (|offset| + rho)/e the direction is off by e at most. *)
Lemma cone_near e y : 0 < e -> norm (rest y) <= rho -> 0 < dot y w -> 2 * (norm offset + rho) / e + 1 <= norm y -> norm (vsub (unit y) (unit w)) <= e.
Proof.
  intros He Rr Fw Hn. assert (Hr := f_rho F). assert (Ho := norm_pos offset). set (C := 2 * (norm offset + rho)) in *.
  assert (PC : 0 <= C) by (unfold C; lra). assert (0 <= C / e) by (apply Rle_mult_inv_pos; auto).
  apply Rle_trans with (1 := cone_rate C y Rr Fw PC ltac:(unfold C; nra)).
  apply Rmult_le_reg_r with (norm y); [lra|]. replace (C / norm y * norm y) with (C / e * e) by (field; lra).
  rewrite (Rmult_comm e). apply Rmult_le_compat_r; lra.
Qed.
End Point.
End Cone.

Arguments f_Npos {E A rows a w lam th nn inS N rho} _.
Arguments f_th {E A rows a w lam th nn inS N rho} _.
Arguments f_thS {E A rows a w lam th nn inS N rho} _.
Arguments b_kap_pos {A rows th nn mb epb inS push N rho eps kap} _.
Arguments b_mb {A rows th nn mb epb inS push N rho eps kap} _.
Arguments b_eps {A rows th nn mb epb inS push N rho eps kap} _.
Arguments rest_across {E A rows a w lam th nn inS N rho} F wt y.
Arguments unscaled {E A} rows a w N wt y q z.
Arguments dot_level {E A rows a w lam th nn inS N rho} F wt y.
Arguments norm_w {E A rows a w lam th nn inS N rho} F.
Arguments level_norm {E A rows a w lam th nn inS N rho} F wt y top _.
Arguments cone_rate {E A rows a w lam th nn inS N rho} F wt C y _ _ _ _.
Arguments cone_near {E A rows a w lam th nn inS N rho} F wt e y _ _ _ _.
Arguments Mbar_pos {E A rows a w lam th nn mb epb phi inS push N rho eps M phiS kap} B Ct.
Arguments g_split {E A rows a w lam th nn inS} push {N rho} F r m y.
Arguments speed {E A rows a w lam th nn mb epb inS push N rho l0 eps kap} F B {l r m} ok in_l in_r across.
Arguments contraction {E A rows a w lam th nn mb epb phi inS push N rho l0 eps M phiS kap} F B Ct {l r m} ok in_l in_r across sg _ _.
Arguments U_back {E A rows a w lam th nn mb epb inS push N rho l0 eps kap} F B {l r m} ok in_l across.
Arguments nu_norm {E A rows a w lam th nn mb epb inS push N rho l0} F {l r m} ok in_r across.
Arguments g_dot_upper {E A rows a w lam th nn mb epb inS push N rho l0 eps kap} F B {l r m} ok in_l in_r across.
Arguments g_norm_upper {E A rows a w lam th nn mb epb inS push N rho l0 eps kap} F B {l r m} ok in_l in_r across.
Arguments rate_pos {E A rows a w lam th nn inS N rho} F c _.
Arguments push_size_pos {E A rows a w lam th nn mb epb inS push N rho eps kap} F B c _.
