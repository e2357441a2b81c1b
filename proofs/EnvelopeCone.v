(** `path-envelope` with `cone` (docs/certificate.md 4.24, clauses 5', 7', 9): theorem C of docs/theory.md 7.4, for any locally optimal selection.
    In the cone |p| >= r0, |p - (w^.p)w^| <= t (w^.p) every row has a_c.p >= sigma_c |p|.  For R >= R0 a minimiser p of L over the cone and |p| <= R with |p| >= r1 has w^.p >= R - D/Theta,
    |p/R - w^|^2 <= K/R and |p/|p| - w^|^2 <= K/R.  With r1 = r0 that is every minimiser, and then |p| >= R0 - D/Theta (`cone_floor`, clause 9). *)
From Coq Require Import Reals List Lra Lia Psatz Arith Bool.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Rank Limits Envelope.
Import ListNotations.
Open Scope R_scope.

Section EnvelopeCone.
Context {E : space}.
Variable P : problem E.
Variables loss slope : R -> R.
Variables lo hi : R.
Variables lo_of hi_of : nat -> R.
Variable al : nat -> nat.
Notation n := (samples P).
Notation rows := (rows P al).
Notation a := (row P al).
Notation De := (gap P al).
Notation others_of i := (others (tokens P i) (al i)).
Variable Reg : regular P loss slope lo hi.
Variable range : forall i t, (i < n)%nat -> (t < tokens P i)%nat -> lo_of i <= score P i t <= hi_of i.
Variable inside : forall i, (i < n)%nat -> lo <= lo_of i /\ hi_of i <= hi.
Variable sel : selection P al.
Variable some_row : rows <> [].
Variables (w : E) (lam : nat * nat -> R).
Variable svm : solves rows a one w lam.
Notation Th := (Th w).
Notation what := (what w).
Notation th := (th P al w).
Notation listed := (listed P al lam).
(** Clause 3. *)
Variable locally : forall c, In c rows -> th c = 1 -> 0 < De c.
Variables (r0 t : R) (nn : nat * nat -> R).
Variable r0_pos : 0 < r0.
Variable t_pos : 0 < t.
Definition cone (p : E) := r0 <= norm p /\ norm (vsub p (vscal (dot p what) what)) <= t * dot p what.
Definition is_cone_minimiser R p := norm p <= R /\ cone p /\ forall x, norm x <= R -> cone x -> L P loss p <= L P loss x.

(** Clause 5': sigma_c, n_c an upper bound of |a_c across w|. *)
Variable nn_ok : forall c, In c rows -> norm (vsub (a c) (vscal (Th * th c) what)) <= nn c.
Definition sigma c := (Th * th c - t * nn c) / sqrt (1 + t * t).
Variable sigma_pos : forall c, In c rows -> 0 < sigma c.
Variable sigma_better : forall c, In c rows -> De c < 0 -> Th < sigma c.

Lemma what_1 : dot what what = 1.
Proof. exact (what_unit P al some_row w lam svm). Qed.
Lemma what_row c : dot (a c) what = Th * th c.
Proof. exact (what_dot w (a c)). Qed.

Lemma row_above p c : cone p -> In c rows -> sigma c * norm p <= dot (a c) p.
Proof.
  intros [_ Hp] Hc. assert (W1 := what_1). assert (Sp := sigma_pos c Hc). set (x := dot p what) in *. set (pp := vsub p (vscal x what)) in *. set (aa := vsub (a c) (vscal (Th * th c) what)).
  assert (Np := norm_pos pp). assert (X0 : 0 <= x) by nra. assert (Na := nn_ok c Hc). fold aa in Na. assert (Na0 := norm_pos aa).
  set (r := sqrt (1 + t * t)). assert (Rp : 0 < r) by (apply sqrt_lt_R0; nra). assert (Rr : r * r = 1 + t * t) by (apply sqrt_sqrt; nra).
  assert (Split : dot (a c) p = Th * th c * x + dot aa pp).
  { unfold aa, pp. rewrite dot_sub_l, !dot_sub_r, !dot_scal_l, !dot_scal_r, W1, what_row, (dot_sym what p). fold x. ring. }
  assert (Norm : norm p * norm p = x * x + norm pp * norm pp).
  { unfold pp. rewrite norm_sub_sqr, !dot_scal_r, !dot_scal_l, W1. fold x. rewrite norm_sqr. ring. }
  assert (Low : (Th * th c - t * nn c) * x <= dot (a c) p).
  { rewrite Split. assert (C := cauchy_schwarz_abs aa pp). assert (Y := Rle_abs (- dot aa pp)). rewrite Rabs_Ropp in Y. assert (norm aa * norm pp <= nn c * (t * x)) by (apply Rmult_le_compat; auto). lra. }
  assert (Up : norm p <= r * x).
  { apply le_of_sq; [apply Rmult_le_pos; lra|]. rewrite Norm. replace (r * x * (r * x)) with ((1 + t * t) * (x * x)) by (rewrite <- Rr; ring). assert (norm pp * norm pp <= t * x * (t * x)) by (apply Rmult_le_compat; auto). lra. }
  apply Rle_trans with (2 := Low). apply Rle_trans with (sigma c * (r * x)); [apply Rmult_le_compat_l; lra|]. right. unfold sigma. fold r. field. lra.
Qed.

Section AtRadius.
Variables (r1 h Eb : R) (mui Mi : nat -> R).
Variable r1_ok : r0 <= r1.
Variable h_ok : forall i, (i < n)%nat -> sum (others_of i) (fun u => Rabs (De (i, u)) * exp (- (r1 * sigma (i, u)))) <= h.
Variable Eb_ok : 0 <= Eb /\ forall i, (i < n)%nat -> sum (others_of i) (fun u => exp (- (r1 * sigma (i, u)))) <= Eb.
(** Clause 6: on the scores of sample i within h of the selected one. *)
Variable near : forall i, (i < n)%nat -> 0 < mui i <= Mi i /\ forall u, score P i (al i) - h <= u <= score P i (al i) + h -> lo_of i <= u <= hi_of i -> mui i <= - slope u <= Mi i.
Definition plus (v : R) := if Rlt_dec 0 v then v else 0.
Definition minus (v : R) := if Rlt_dec v 0 then - v else 0.
Definition ka c := mui (fst c) * De c.
Definition Hk := H P al w lam ka.
Definition X := sum rows (fun c => Mi (fst c) * minus (De c) * exp (- (r1 * (sigma c - Th)))).
Definition xi := (1 + Eb) * exp (- Hk) * X.
Variable xi_small : xi < 1.
Notation excess := (excess P loss al).
Notation F := (F P loss al).

Lemma plus_minus v : v = plus v - minus v.
Proof. unfold plus, minus. destruct (Rlt_dec 0 v), (Rlt_dec v 0); lra. Qed.
Lemma plus_nonneg v : 0 <= plus v.
Proof. unfold plus. destruct (Rlt_dec 0 v); lra. Qed.
Lemma minus_nonneg v : 0 <= minus v.
Proof. unfold minus. destruct (Rlt_dec v 0); lra. Qed.

Section Point.
Variable p : E.
Variable in_cone : cone p.
Variable far : r1 <= norm p.

Lemma row_fades c : In c rows -> exp (- dot (a c) p) <= exp (- (r1 * sigma c)).
Proof. intros Hc. apply exp_pos_le. assert (X1 := row_above p c in_cone Hc). assert (S := sigma_pos c Hc). assert (r1 * sigma c <= sigma c * norm p) by (rewrite Rmult_comm; apply Rmult_le_compat_l; lra). lra. Qed.

Lemma row_of i u : (i < n)%nat -> In u (others_of i) -> In (i, u) rows.
Proof. intros Hi Hu. apply in_others in Hu. apply in_rows. tauto. Qed.

Definition Np i := sum (others_of i) (fun u => plus (De (i, u)) * exp (- dot (a (i, u)) p)).
Definition Bp i := sum (others_of i) (fun u => minus (De (i, u)) * exp (- dot (a (i, u)) p)).
Notation W i := (1 + others_weight P al p i).

Lemma W_range i : (i < n)%nat -> 1 <= W i <= 1 + Eb.
Proof.
  intros Hi. destruct Eb_ok as [_ E1]. specialize (E1 i Hi). unfold others_weight. split.
  - assert (0 <= sum (others_of i) (fun u => exp (- dot (a (i, u)) p))) by (apply sum_nonneg; intros; left; apply exp_pos). lra.
  - apply Rplus_le_compat_l. apply Rle_trans with (2 := E1). apply sum_le. intros u Hu. apply row_fades. now apply row_of.
Qed.

Lemma deficit_parts i : (i < n)%nat -> deficit P al p i = (Np i - Bp i) / W i.
Proof.
  intros Hi. assert (Wr := W_range i Hi).
  rewrite (deficit_form P loss slope lo hi al p i Reg sel Hi). unfold Np, Bp. rewrite <- sum_minus.
  rewrite (sum_ext _ _ (fun u => attention P p i (al i) * (plus (De (i, u)) * exp (- dot (a (i, u)) p) - minus (De (i, u)) * exp (- dot (a (i, u)) p)))).
  - rewrite sum_scal, (attention_selected P loss slope lo hi al p i Reg sel Hi). unfold Rdiv. ring.
  - intros u _. rewrite (attention_ratio P al p i u). rewrite (plus_minus (De (i, u))) at 1. ring.
Qed.

Lemma deficit_small i : (i < n)%nat -> Rabs (deficit P al p i) <= h.
Proof.
  intros Hi. apply Rle_trans with (2 := h_ok i Hi). rewrite (deficit_form P loss slope lo hi al p i Reg sel Hi). apply Rle_trans with (1 := sum_abs _ _). apply sum_le. intros u Hu.
  rewrite (attention_ratio P al), Rabs_mult. assert (A1 := attention_le_1 P loss slope lo hi p i (al i) Reg Hi (sel i Hi)). assert (Pe := exp_pos (- dot (a (i, u)) p)).
  assert (X1 := row_fades (i, u) (row_of i u Hi Hu)). rewrite (Rabs_pos_eq (_ * _)) by nra. rewrite Rmult_comm. apply Rmult_le_compat_l; [apply Rabs_pos|]. nra.
Qed.

(** The excess is k G_i with mu_i <= k <= M_i. *)
Lemma excess_factor i : (i < n)%nat -> exists k, mui i <= k <= Mi i /\ excess p i = k * deficit P al p i.
Proof.
  intros Hi. assert (D := deficit_small i Hi). apply Rabs_le_between in D. assert (Sr := range i (al i) Hi (sel i Hi)). destruct (inside i Hi) as [I1 I2].
  assert (Or : lo_of i <= output P p i <= hi_of i).
  { apply mean_bounds; [exact (tokens_nonempty P loss slope lo hi i Reg Hi)|]. intros u Hu. apply in_seq in Hu. apply range; auto. lia. }
  destruct Reg as (_ & _ & Dl). destruct (near i Hi) as [Mp Nr]. unfold deficit, Envelope.excess in *.
  destruct (MVT_gen loss (score P i (al i)) (output P p i) slope) as (c & Hc & Hm).
  - intros z Hz. apply Dl. destruct (Rle_or_lt (output P p i) (score P i (al i))); [rewrite Rmin_right, Rmax_left in Hz by lra|rewrite Rmin_left, Rmax_right in Hz by lra]; lra.
  - intros z Hz. apply derive_continuity with (slope z). apply Dl. destruct (Rle_or_lt (output P p i) (score P i (al i))); [rewrite Rmin_right, Rmax_left in Hz by lra|rewrite Rmin_left, Rmax_right in Hz by lra]; lra.
  - exists (- slope c). split; [|rewrite Hm; ring]. destruct (Rle_or_lt (output P p i) (score P i (al i))); [rewrite Rmin_right, Rmax_left in Hc by lra|rewrite Rmin_left, Rmax_right in Hc by lra]; apply Nr; lra.
Qed.

Lemma parts_pos i : 0 <= Np i /\ 0 <= Bp i.
Proof. split; apply sum_nonneg; intros u _; (apply Rmult_le_pos; [|left; apply exp_pos]); [apply plus_nonneg|apply minus_nonneg]. Qed.

Lemma excess_low i : (i < n)%nat -> mui i * Np i / (1 + Eb) - Mi i * Bp i <= excess p i.
Proof.
  intros Hi. destruct (excess_factor i Hi) as (k & Hk & ->). rewrite (deficit_parts i Hi). assert (Wr := W_range i Hi). destruct (parts_pos i) as [N0 B0]. destruct (near i Hi) as [Mp _].
  destruct Eb_ok as [E0 _]. assert (Wi : 0 < / W i <= 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  assert (We : / (1 + Eb) <= / W i) by (apply Rinv_le_contravar; lra). assert (Ei : 0 < / (1 + Eb)) by (apply Rinv_0_lt_compat; lra).
  assert (A1 : mui i * Np i * / (1 + Eb) <= k * Np i * / W i) by (apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra|apply Rmult_le_compat_r; lra]).
  assert (A2 : k * Bp i * / W i <= Mi i * Bp i * 1) by (apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra|apply Rmult_le_compat_r; lra]). unfold Rdiv. lra.
Qed.

Lemma excess_high i : (i < n)%nat -> excess p i <= Mi i * Np i.
Proof.
  intros Hi. destruct (excess_factor i Hi) as (k & Hk & ->). rewrite (deficit_parts i Hi). assert (Wr := W_range i Hi). destruct (parts_pos i) as [N0 B0]. destruct (near i Hi) as [Mp _].
  assert (Wi : 0 < / W i <= 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  assert (A1 : k * Np i * / W i <= Mi i * Np i * 1) by (apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra|apply Rmult_le_compat_r; lra]).
  assert (A2 : 0 <= k * Bp i * / W i) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]). unfold Rdiv. lra.
Qed.

(** Tight rows hold the others: F >= (1 - xi)/(1 + Eb) sum_S kappa_c exp(-y_c). *)
Definition Ssum := sum listed (fun c => ka c * exp (- dot (a c) p)).

Lemma ka_pos c : In c listed -> 0 < ka c.
Proof.
  intros Hc. apply (in_listed P al lam) in Hc. destruct Hc as [Hc Nz]. assert (T1 : th c = 1) by (apply svm; auto). assert (G := locally c Hc T1).
  destruct (near _ (row_sample P al c Hc)) as [Mp _]. unfold ka. apply Rmult_lt_0_compat; lra.
Qed.

Lemma S_big : exp (Hk - Th * norm p) <= Ssum.
Proof.
  apply Rle_trans with (2 := F2 P al some_row w lam svm ka p ka_pos). apply exp_pos_le. assert (T := Th_pos P al some_row w lam svm).
  assert (C := cauchy_schwarz p what). assert (Nw : norm what = 1) by (unfold norm; rewrite what_1; apply sqrt_1). rewrite Nw, Rmult_1_r in C.
  assert (Th * dot p what <= Th * norm p) by (apply Rmult_le_compat_l; lra). unfold Hk. lra.
Qed.

Lemma better_small : sum rows (fun c => Mi (fst c) * minus (De c) * exp (- dot (a c) p)) <= exp (- (Th * norm p)) * X.
Proof.
  unfold X. rewrite <- sum_scal. apply sum_le. intros c Hc. destruct (near _ (row_sample P al c Hc)) as [Mp _]. assert (M0 := minus_nonneg (De c)).
  replace (exp (- (Th * norm p)) * (Mi (fst c) * minus (De c) * exp (- (r1 * (sigma c - Th))))) with (Mi (fst c) * minus (De c) * (exp (- (Th * norm p)) * exp (- (r1 * (sigma c - Th))))) by ring.
  destruct (Rlt_dec (De c) 0) as [Neg|Nn]; [|unfold minus; destruct (Rlt_dec (De c) 0); [lra|right; ring]].
  apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. rewrite <- exp_plus. apply exp_pos_le. assert (Y := row_above p c in_cone Hc). assert (Sb := sigma_better c Hc Neg).
  assert (r1 * (sigma c - Th) <= norm p * (sigma c - Th)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Lemma F_low : (1 - xi) / (1 + Eb) * Ssum <= F p.
Proof.
  destruct Eb_ok as [E0 _]. assert (Ei : 0 < / (1 + Eb)) by (apply Rinv_0_lt_compat; lra).
  assert (Low : / (1 + Eb) * sum rows (fun c => mui (fst c) * plus (De c) * exp (- dot (a c) p)) - sum rows (fun c => Mi (fst c) * minus (De c) * exp (- dot (a c) p)) <= F p).
  { rewrite <- (sum_by_sample P al (fun c => mui (fst c) * plus (De c) * exp (- dot (a c) p))), <- (sum_by_sample P al (fun c => Mi (fst c) * minus (De c) * exp (- dot (a c) p))), <- sum_scal, <- sum_minus.
    apply sum_le. intros i Hi. apply in_seq in Hi. apply Rle_trans with (2 := excess_low i ltac:(lia)). right. simpl fst. unfold Np, Bp, Rdiv.
    rewrite (sum_ext _ (fun u => mui i * plus (De (i, u)) * exp (- dot (a (i, u)) p)) (fun u => mui i * (plus (De (i, u)) * exp (- dot (a (i, u)) p)))), (sum_ext _ (fun u => Mi i * minus (De (i, u)) * exp (- dot (a (i, u)) p)) (fun u => Mi i * (minus (De (i, u)) * exp (- dot (a (i, u)) p)))) by (intros; ring).
    rewrite !sum_scal. ring. }
  assert (Sl : Ssum <= sum rows (fun c => mui (fst c) * plus (De c) * exp (- dot (a c) p))).
  { unfold Ssum, Envelope.listed. rewrite sum_filter. apply sum_le. intros c Hc. destruct (near _ (row_sample P al c Hc)) as [Mp _]. assert (P0 := plus_nonneg (De c)). assert (Pe := exp_pos (- dot (a c) p)).
    destruct (Req_EM_T (lam c) 0) as [Z|Nz]; [apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]|]. assert (T1 : th c = 1) by (apply svm; auto). assert (G := locally c Hc T1).
    unfold ka, plus. destruct (Rlt_dec 0 (De c)); lra. }
  assert (Bs := better_small). assert (Sb := S_big).
  assert (X0 : 0 <= X) by (apply sum_nonneg; intros c Hc; destruct (near _ (row_sample P al c Hc)) as [Mp _]; assert (M0 := minus_nonneg (De c)); apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply exp_pos]).
  assert (Bx : exp (- (Th * norm p)) * X <= xi / (1 + Eb) * Ssum).
  { apply Rle_trans with (exp (- Hk) * X * exp (Hk - Th * norm p)).
    - right. replace (Hk - Th * norm p) with (Hk + - (Th * norm p)) by ring. rewrite exp_plus. assert (Z : exp (- Hk) * exp Hk = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
      replace (exp (- Hk) * X * (exp Hk * exp (- (Th * norm p)))) with (exp (- Hk) * exp Hk * (exp (- (Th * norm p)) * X)) by ring. rewrite Z. ring.
    - replace (xi / (1 + Eb)) with (exp (- Hk) * X) by (unfold xi; field; lra). apply Rmult_le_compat_l; auto. apply Rmult_le_pos; [left; apply exp_pos|auto]. }
  assert (A1 := Rmult_le_compat_l _ _ _ (Rlt_le _ _ Ei) Sl). unfold Rdiv in *. lra.
Qed.
End Point.

(** The competitor, clause 4 and the first line of 5'. *)
Variables (omega : E) (R0 R : R).
Variable omega_across : dot omega w = 0.
Variable R0_pos : 0 < R0.
Variable R_large : R0 <= R.
Variable omega_short : om2 omega < R0 * R0.
Variable omega_cone : om2 omega * (1 + t * t) <= t * t * (R0 * R0).
Variable r1_R0 : r1 <= R0.
Notation comp := (comp w omega).
Notation ec := (ec P al w omega).
Definition Vc := sum rows (fun c => Mi (fst c) * plus (De c) * ec R0 c).
(** Clause 7'. *)
Definition Dc := ln Vc - Hk - ln (1 - xi) + ln (1 + Eb).

Lemma om_R : om2 omega < R * R.
Proof. nra. Qed.
Lemma comp_far : norm (comp R) = R.
Proof. exact (comp_norm P al some_row w lam svm omega omega_across R ltac:(lra) om_R). Qed.
Lemma comp_cone : cone (comp R).
Proof.
  assert (Nc := comp_far). destruct (rho_facts omega R ltac:(lra) om_R) as [Rh Sq]. assert (W1 := what_1). assert (Ow : dot omega what = 0) by (rewrite (what_dot w omega), omega_across; ring).
  split; [lra|]. assert (Dx : dot (comp R) what = rho omega R) by (unfold Envelope.comp; rewrite dot_add_l, dot_scal_l, W1, Ow; ring). rewrite Dx.
  assert (Sm : same (vsub (comp R) (vscal (rho omega R) what)) omega) by (intros z; unfold Envelope.comp; rewrite dot_sub_l, dot_add_l, !dot_scal_l; ring).
  rewrite (same_norm _ _ Sm). apply le_of_sq; [apply Rmult_le_pos; lra|]. rewrite norm_sqr. fold (om2 omega). replace (t * rho omega R * (t * rho omega R)) with (t * t * (rho omega R * rho omega R)) by ring. rewrite Sq.
  assert (t * t * (R0 * R0) <= t * t * (R * R)) by (apply Rmult_le_compat_l; nra). lra.
Qed.

Lemma F_comp : F (comp R) <= exp (- (R * Th)) * Vc.
Proof.
  assert (Fr : r1 <= norm (comp R)) by (rewrite comp_far; lra).
  apply Rle_trans with (sum rows (fun c => Mi (fst c) * plus (De c) * exp (- dot (a c) (comp R)))).
  - rewrite <- (sum_by_sample P al). apply sum_le. intros i Hi. apply in_seq in Hi. apply Rle_trans with (1 := excess_high (comp R) comp_cone Fr i ltac:(lia)). right. simpl fst. unfold Np. rewrite <- sum_scal. apply sum_ext. intros; ring.
  - unfold Vc. apply (comp_weights P al some_row w lam svm omega R0 R0_pos omega_short R R_large (fun c => Mi (fst c) * plus (De c))).
    intros c Hc. destruct (near _ (row_sample P al c Hc)) as [Mp _]. apply Rmult_le_pos; [lra|apply plus_nonneg].
Qed.

Lemma a_listed : exists c, In c listed.
Proof.
  assert (S1 := lh_sum_listed P al some_row w lam svm). destruct listed as [|c l]; [simpl in S1; lra|]. exists c. now left.
Qed.
Lemma Vc_pos : 0 < Vc.
Proof.
  destruct a_listed as (c & Hc). apply (in_listed P al lam) in Hc. destruct Hc as [Hc Nz]. assert (T1 : th c = 1) by (apply svm; auto). assert (G := locally c Hc T1).
  apply sum_pos with c; auto.
  - destruct (near _ (row_sample P al c Hc)) as [Mp _]. apply Rmult_lt_0_compat; [|apply exp_pos]. apply Rmult_lt_0_compat; [lra|]. unfold plus. destruct (Rlt_dec 0 (De c)); lra.
  - intros e He. destruct (near _ (row_sample P al e He)) as [Mp _]. apply Rmult_le_pos; [|left; apply exp_pos]. apply Rmult_le_pos; [lra|apply plus_nonneg].
Qed.

Section Minimiser.
Variable p : E.
Variable minimal : is_cone_minimiser R p.
Variable far : r1 <= norm p.

Theorem cone_direction : R - Dc / Th <= dot p what.
Proof.
  destruct minimal as (Nr & Cp & Mp). destruct Eb_ok as [E0 _].
  assert (Fb : F p <= F (comp R)).
  { specialize (Mp (comp R) ltac:(rewrite comp_far; lra) comp_cone). rewrite !(L_F P loss al) in Mp. assert (Pn : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR, (n_pos P al some_row)). apply Rmult_le_reg_l with (/ INR n); lra. }
  assert (Fl := F_low p Cp far). assert (Fc := F_comp). assert (Pv := Vc_pos). set (B := Vc * ((1 + Eb) / (1 - xi))). assert (Pq : 0 < (1 + Eb) / (1 - xi)) by (apply Rdiv_lt_0_compat; lra).
  assert (Sb : Ssum p <= exp (- (R * Th)) * B).
  { unfold B. apply Rmult_le_reg_l with ((1 - xi) / (1 + Eb)); [apply Rdiv_lt_0_compat; lra|].
    replace ((1 - xi) / (1 + Eb) * (exp (- (R * Th)) * (Vc * ((1 + Eb) / (1 - xi))))) with (exp (- (R * Th)) * Vc) by (field; lra). lra. }
  assert (X1 := direction_from_sum P al some_row w lam svm p ka R B ka_pos ltac:(unfold B; now apply Rmult_lt_0_compat) Sb). fold Hk in X1.
  replace Dc with (ln B - Hk); auto. unfold Dc, B, Rdiv. assert (0 < / (1 - xi)) by (apply Rinv_0_lt_compat; lra).
  rewrite !ln_mult, ln_Rinv by (try lra; apply Rmult_lt_0_compat; lra). ring.
Qed.

(** Clause 8: the statement. *)
Theorem cone_envelope K : Dc < R0 * Th -> 2 * Dc <= K * Th ->
  norm (vsub (vscal (/ R) p) what) * norm (vsub (vscal (/ R) p) what) <= K / R /\
  norm (vsub (unit p) what) * norm (vsub (unit p) what) <= K / R.
Proof. exact (from_direction P al some_row w lam svm p R0 R Dc K R0_pos R_large (proj1 minimal) cone_direction). Qed.

(** Clause 9: what a first pass says of the norm. *)
Theorem cone_floor : R0 - Dc / Th <= norm p.
Proof.
  assert (D1 := cone_direction). assert (C := cauchy_schwarz p what). assert (Nw : norm what = 1) by (unfold norm; rewrite what_1; apply sqrt_1). rewrite Nw, Rmult_1_r in C. lra.
Qed.
End Minimiser.
End AtRadius.
End EnvelopeCone.
