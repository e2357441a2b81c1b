(** `descent-basin` (docs/certificate.md 4.21), constant steps and gradient flow: the basin theorem of docs/theory.md, sections 3 and 6.2.
    If alpha is the unique globally optimal selection, its SVM (p or W) has a feasible point, -M1 <= l' <= -mu < 0 and |l''| <= M0 on an interval that
    holds the scores, 0 < eta, eta Lbar < 2, and sum_i (l(f_i(p_K)) - l(gamma_ialpha_i)) < chi <= l(gamma_it) - l(gamma_ialpha_i) for every row
    (`in_basin`), then the run p_{k+1} = p_k - eta grad L(p_k) has |p_k| -> oo, p_k/|p_k| -> w/|w| with w the solution of the SVM, and L(p_k) tends to
    (1/n) sum_i l(gamma_ialpha_i), the infimum of L: `descent_basin_constant` (`basin`: given multipliers of w).
    `basin_start`: by clause 4 p_K is in the basin; `every_start`: with one sample of several tokens whose other scores are equal every point is
    (clause 3, `start` null).
    By flow p' = -grad L L falls by |grad L|^2 (`gradient_along`), and the same is said from a time on at which it is in the basin: `descent_basin_flow`.
    From a point of the basin there is such a curve, and one only: `descent_basin_flow_from`. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Rank Minimiser Limits Flow FlowModel.
Import ListNotations.
Open Scope R_scope.

Section Basin.
Context {E : space}.
Variable P : problem E.
Variables loss slope curv : R -> R.
Variables lo hi M0 M1 mu : R.
Variables D g : nat -> R.
Variable al : nat -> nat.
Notation n := (samples P).
Notation T i := (seq 0 (tokens P i)).

Variable smooth : bounded P loss slope curv lo hi M0 M1 D g.
Variable mu_pos : 0 < mu.
Variable falls : forall x, lo <= x <= hi -> slope x <= - mu.
Variable sel : selection P al.
Variable best : unique_optimal P al.
Variable some_row : rows P al <> [].

Lemma Reg : regular P loss slope lo hi.
Proof. exact (proj1 smooth). Qed.

Lemma n_pos : (0 < n)%nat.
Proof. exact (rows_samples P al some_row). Qed.

Lemma a_row : exists c, In c (rows P al).
Proof. revert some_row. destruct (rows P al) as [|c l]; [easy|]. exists c. now left. Qed.

Lemma score_in i t : (i < n)%nat -> (t < tokens P i)%nat -> lo <= score P i t <= hi.
Proof. intros Hi Ht. apply Reg; auto. Qed.

Lemma loss_between x y : lo <= x -> x <= y -> y <= hi -> mu * (y - x) <= loss x - loss y <= M1 * (y - x).
Proof.
  intros Hx Hxy Hy. destruct smooth as ((_ & _ & Dl) & Hb & _).
  destruct (mean_value loss slope x y Hxy) as (c & Hc & Hm); [intros z Hz; apply Dl; lra|].
  assert (F := falls c ltac:(lra)). destruct (Hb c ltac:(lra)) as (_ & B & _). apply Rabs_le_between in B. nra.
Qed.

Lemma output_le p i : (i < n)%nat -> lo <= output P p i <= score P i (al i).
Proof.
  intros Hi. apply mean_bounds; [exact (tokens_nonempty P loss slope lo hi i Reg Hi)|]. intros t Ht. apply in_seq in Ht. split.
  - apply score_in; auto; lia.
  - destruct (Nat.eq_dec t (al i)) as [->|N]; [lra|]. left. apply best; auto; lia.
Qed.

Definition excess p i := loss (output P p i) - loss (score P i (al i)).
Definition Lstar := / INR n * sum (seq 0 n) (fun i => loss (score P i (al i))).

Lemma excess_bounds p i : (i < n)%nat -> 0 <= excess p i <= M1 * (score P i (al i) - output P p i).
Proof.
  intros Hi. destruct (output_le p i Hi) as [H1 H2]. assert (S := score_in i (al i) Hi (sel i Hi)).
  assert (B := loss_between _ _ H1 H2 (proj2 S)). unfold excess. nra.
Qed.

Lemma L_excess p : L P loss p - Lstar = / INR n * sum (seq 0 n) (excess p).
Proof. unfold L, Lstar, excess. rewrite sum_minus. ring. Qed.

(** L* is below L everywhere. *)
Lemma L_above p : Lstar <= L P loss p.
Proof.
  assert (0 <= L P loss p - Lstar); [|lra]. rewrite L_excess. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, lt_0_INR, n_pos|].
  apply sum_nonneg. intros i Hi. apply in_seq in Hi. apply excess_bounds. lia.
Qed.

Section AtPoint.
(** In the basin every row pulls. *)
Variable p : E.
Variables chi e0 : R.
Variable rows_chi : forall i t, In (i, t) (rows P al) -> chi <= loss (score P i t) - loss (score P i (al i)).
Variable inside : sum (seq 0 n) (excess p) <= e0.
Variable gap_chi : e0 < chi.

Let om := (chi - e0) / M1.

Lemma M1_pos : 0 < M1.
Proof.
  assert (Hn := n_pos). assert (S := score_in 0 (al 0%nat) Hn (sel 0%nat Hn)).
  destruct smooth as (_ & Hb & _). destruct (Hb _ S) as (_ & B & _). assert (F := falls _ S). apply Rabs_le_between in B. lra.
Qed.

Lemma om_pos : 0 < om.
Proof. apply Rdiv_lt_0_compat; [lra|apply M1_pos]. Qed.

Lemma above_row i t : In (i, t) (rows P al) -> om <= output P p i - score P i t.
Proof.
  intros Hc. assert (Hr := rows_chi i t Hc). apply in_rows in Hc. destruct Hc as (Hi & Ht & N).
  assert (X : excess p i <= e0).
  { apply Rle_trans with (2 := inside). apply (sum_term (seq 0 n) (excess p)); [apply in_seq; lia|]. intros j Hj. apply in_seq in Hj. apply excess_bounds. lia. }
  unfold excess in X. destruct (output_le p i Hi) as [O1 O2]. destruct (score_in i t Hi Ht) as [S1 S2].
  assert (S3 := score_in i (al i) Hi (sel i Hi)). assert (MP := M1_pos).
  assert (Pos : chi - e0 <= loss (score P i t) - loss (output P p i)) by lra.
  destruct (Rle_or_lt (output P p i) (score P i t)) as [Le|Gt].
  - exfalso. assert (B := loss_between _ _ O1 Le S2). nra.
  - assert (B := loss_between _ _ S1 (Rlt_le _ _ Gt) ltac:(lra)). unfold om.
    apply Rmult_le_reg_l with M1; auto. replace (M1 * ((chi - e0) / M1)) with (chi - e0) by (field; lra). lra.
Qed.

Lemma attention_best i t : In (i, t) (rows P al) -> om / (hi - lo) <= attention P p i (al i) /\ 0 < hi - lo.
Proof.
  intros Hc. assert (Hc' := Hc). apply in_rows in Hc'. destruct Hc' as (Hi & Ht & N).
  assert (Hw : 0 < hi - lo).
  { assert (B := best i t Hi Ht N). assert (S := score_in i t Hi Ht). assert (S' := score_in i (al i) Hi (sel i Hi)). lra. }
  split; auto.
  (* the best of the others *)
  destruct (largest (others (tokens P i) (al i)) (score P i)) as (t2 & Ht2 & Hl).
  { intros Z. assert (F : In t (others (tokens P i) (al i))) by (apply in_others; auto). now rewrite Z in F. }
  assert (Ht2' := Ht2). apply in_others in Ht2'. destruct Ht2' as [Ht2' N2].
  assert (A := above_row i t2 (proj2 (in_rows P al i t2) (conj Hi (conj Ht2' N2)))).
  assert (Ne := tokens_nonempty P loss slope lo hi i Reg Hi).
  assert (F : output P p i <= attention P p i (al i) * score P i (al i) + (1 - attention P p i (al i)) * score P i t2).
  { unfold output, mean. rewrite (sum_others _ (al i)) by now apply sel. apply Rplus_le_compat_l.
    assert (S1 := soft_sum (T i) (logit P p i) Ne). rewrite (sum_others _ (al i)) in S1 by now apply sel.
    unfold attention. replace (1 - soft (T i) (logit P p i) (al i)) with (sum (others (tokens P i) (al i)) (soft (T i) (logit P p i))) by lra.
    rewrite <- sum_scal_r. apply sum_le. intros u Hu. apply Rmult_le_compat_l; [left; now apply soft_pos|auto]. }
  assert (S2 := score_in i t2 Hi Ht2'). assert (S' := score_in i (al i) Hi (sel i Hi)).
  assert (Ap := attention_le_1 P loss slope lo hi p i (al i) Reg Hi (sel i Hi)).
  assert (B2 := best i t2 Hi Ht2' N2).
  apply Rmult_le_reg_r with (hi - lo); auto. replace (om / (hi - lo) * (hi - lo)) with om by (field; lra). nra.
Qed.

Let bl := mu / INR n * (om / (hi - lo)) * om.
Let bu := M1 / INR n * (hi - lo).

Lemma weight_bounds c : In c (rows P al) ->
  bl * exp (- dot (row P al c) p) <= weight P slope al p c <= bu * exp (- dot (row P al c) p) /\ 0 < bl.
Proof.
  destruct c as [i t]. intros Hc. destruct (attention_best i t Hc) as [Hs Hw]. assert (Ho := above_row i t Hc). assert (Op := om_pos).
  apply in_rows in Hc. destruct Hc as (Hi & Ht & N).
  assert (Pn : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR, n_pos). assert (MP := M1_pos).
  assert (Of := output_le p i Hi). assert (S' := score_in i (al i) Hi (sel i Hi)). assert (S2 := score_in i t Hi Ht).
  assert (F := falls (output P p i) ltac:(lra)). destruct smooth as (_ & Hb & _). destruct (Hb (output P p i) ltac:(lra)) as (_ & B & _).
  apply Rabs_le_between in B. assert (Ap := attention_le_1 P loss slope lo hi p i (al i) Reg Hi (sel i Hi)).
  assert (Ob : 0 < om / (hi - lo)) by (apply Rdiv_lt_0_compat; auto).
  assert (Pe := exp_pos (- dot (row P al (i, t)) p)).
  unfold weight. simpl fst. simpl snd. rewrite (attention_ratio P al).
  replace (gap P al (i, t) - deficit P al p i) with (output P p i - score P i t) by (unfold gap, deficit; simpl; ring).
  set (e := exp (- dot (row P al (i, t)) p)) in *. set (f := output P p i - score P i t) in *. set (s := attention P p i (al i)) in *. set (m := - slope (output P p i)) in *.
  unfold bl, bu, Rdiv in *. assert (0 < mu * / INR n) by nra. assert (mu * / INR n <= m * / INR n <= M1 * / INR n) by (unfold m; nra).
  set (m' := m * / INR n) in *.
  replace (m' * (s * e) * f) with (m' * s * f * e) by ring.
  assert (Fh : f <= hi - lo) by (unfold f; lra).
  split; [split|].
  - apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat; [nra|lra| |lra]. apply Rmult_le_compat; lra.
  - apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat; [nra|lra| |lra]. replace (M1 * / INR n) with (M1 * / INR n * 1) by ring. apply Rmult_le_compat; lra.
  - apply Rmult_lt_0_compat; [|lra]. apply Rmult_lt_0_compat; lra.
Qed.
End AtPoint.

(** Where every row is at least M, L is near L*. *)
Lemma L_bound p M : (forall c, In c (rows P al) -> M <= dot (row P al c) p) ->
  0 <= L P loss p - Lstar <= / INR n * (M1 * (INR (length (rows P al)) * ((hi - lo) * exp (- M)))).
Proof.
  intros HM. assert (Pn : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR, n_pos). assert (MP := M1_pos).
  split; [assert (X := L_above p); lra|]. rewrite L_excess. apply Rmult_le_compat_l; [lra|].
  apply Rle_trans with (sum (seq 0 n) (fun i => M1 * deficit P al p i)).
  - apply sum_le. intros i Hi. apply in_seq in Hi. apply excess_bounds. lia.
  - rewrite sum_scal. apply Rmult_le_compat_l; [lra|]. rewrite <- sum_const, sum_rows. apply sum_le. intros i Hi. apply in_seq in Hi.
    rewrite (deficit_form P loss slope lo hi al p i Reg sel) by lia. apply sum_le. intros t Ht. assert (Hc : In (i, t) (rows P al)) by (apply in_others in Ht; apply in_rows; lia).
    apply in_others in Ht. destruct Ht as [Ht N]. assert (Hi' : (i < n)%nat) by lia.
    assert (Ap := attention_le_1 P loss slope lo hi p i (al i) Reg Hi' (sel i Hi')). rewrite (attention_ratio P al).
    assert (Pe := exp_pos (- dot (row P al (i, t)) p)). assert (B := best i t Hi' Ht N).
    assert (S1 := score_in i t Hi' Ht). assert (S2 := score_in i (al i) Hi' (sel i Hi')).
    assert (Ex : exp (- dot (row P al (i, t)) p) <= exp (- M)) by (apply exp_pos_le; specialize (HM _ Hc); lra).
    rewrite (Rmult_comm (hi - lo)). unfold gap. simpl fst. simpl snd. apply Rmult_le_compat; [nra|lra| |lra]. nra.
Qed.

Lemma L_near e : 0 < e -> exists M, forall p, (forall c, In c (rows P al) -> M <= dot (row P al c) p) -> Rabs (L P loss p - Lstar) <= e.
Proof.
  intros He. assert (Pn : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR, n_pos). assert (MP := M1_pos).
  set (Z := / INR n * (M1 * (INR (length (rows P al)) * (hi - lo)))).
  assert (HZ : 0 <= Z).
  { unfold Z. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [apply pos_INR|].
    destruct (score_in 0 (al 0%nat) n_pos (sel _ n_pos)). lra. }
  exists (ln ((Z + 1) / e)). intros p HM. assert (Bd := L_bound p _ HM). rewrite Rabs_pos_eq by apply Bd. apply Rle_trans with (1 := proj2 Bd).
  rewrite exp_Ropp, exp_ln by (apply Rdiv_lt_0_compat; lra).
  assert (HI : / ((Z + 1) / e) = e / (Z + 1)) by (field; lra). rewrite HI. set (I := e / (Z + 1)).
  replace (/ INR n * (M1 * (INR (length (rows P al)) * ((hi - lo) * I)))) with (Z * I) by (unfold Z; ring). unfold I.
  apply Rmult_le_reg_r with (Z + 1); [lra|]. replace (Z * (e / (Z + 1)) * (Z + 1)) with (Z * e) by (field; lra). nra.
Qed.

Section Run.
Variables (w : E) (lam : nat * nat -> R) (eta chi : R) (p : nat -> E).
Variable svm : solves (rows P al) (row P al) one w lam.
Variable eta_pos : 0 < eta.
Variable eta_short : eta * Lbar P M0 M1 D g < 2.
Variable run : forall k, p (S k) = vadd (p k) (vscal eta (minus_gradient P slope al (p k))).
Variable rows_chi : forall i t, In (i, t) (rows P al) -> chi <= loss (score P i t) - loss (score P i (al i)).
Variable start : sum (seq 0 n) (excess (p 0%nat)) < chi.

Let G k := minus_gradient P slope al (p k).
Let s := eta * (1 - eta * Lbar P M0 M1 D g / 2).

Lemma s_pos : 0 < s.
Proof. unfold s. nra. Qed.

Lemma L_falls k : L P loss (p (S k)) <= L P loss (p k) - s * dot (G k) (G k).
Proof. rewrite run. exact (descent_lemma P loss slope curv lo hi M0 M1 D g al (p k) eta smooth sel). Qed.

Lemma L_sum K : L P loss (p K) + s * sum (seq 0 K) (fun k => dot (G k) (G k)) <= L P loss (p 0%nat).
Proof.
  induction K as [|K IH]; [simpl; lra|]. rewrite sum_last. assert (H := L_falls K). lra.
Qed.

Lemma inside_for_ever k : sum (seq 0 n) (excess (p k)) <= sum (seq 0 n) (excess (p 0%nat)).
Proof.
  assert (H := L_sum k). assert (Sp := s_pos). assert (0 <= sum (seq 0 k) (fun k => dot (G k) (G k))) by (apply sum_nonneg; intros; apply dot_pos).
  assert (X := L_excess (p k)). assert (Y := L_excess (p 0%nat)). assert (Pn : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR, n_pos).
  apply Rmult_le_reg_l with (/ INR n); auto. nra.
Qed.

Lemma squares K : sum (seq 0 K) (fun k => dot (G k) (G k)) <= (L P loss (p 0%nat) - Lstar) / s.
Proof.
  assert (H := L_sum K). assert (Sp := s_pos). assert (A := L_above (p K)).
  apply Rmult_le_reg_l with s; auto. replace (s * ((L P loss (p 0%nat) - Lstar) / s)) with (L P loss (p 0%nat) - Lstar) by (field; lra). lra.
Qed.

Theorem basin :
  to_infinity (fun k => norm (p k)) /\ to_zero (fun k => norm (vsub (unit (p k)) (unit w))) /\ to_zero (fun k => L P loss (p k) - Lstar).
Proof.
  set (e0 := sum (seq 0 n) (excess (p 0%nat))).
  set (om := (chi - e0) / M1). set (bl := mu / INR n * (om / (hi - lo)) * om). set (bu := M1 / INR n * (hi - lo)).
  assert (Wt : forall k c, In c (rows P al) -> bl * exp (- dot (row P al c) (p k)) <= weight P slope al (p k) c <= bu * exp (- dot (row P al c) (p k))).
  { intros k c Hc. apply (weight_bounds (p k) chi e0 rows_chi (inside_for_ever k) start c Hc). }
  assert (Bp : 0 < bl).
  { destruct a_row as [c Hc]. exact (proj2 (weight_bounds (p 0%nat) chi e0 rows_chi (inside_for_ever 0%nat) start c Hc)). }
  assert (Steps : forall k, same (p (S k)) (vadd (p k) (vscal eta (G k)))) by (intros k z; now rewrite run).
  assert (Gs : forall k, same (G k) (vsum (rows P al) (fun c => vscal (weight P slope al (p k) c) (row P al c)))) by (intros k z; easy).
  assert (S' : solves (rows P al) (row P al) (fun _ => 1) w lam) by exact svm.
  set (C := (L P loss (p 0%nat) - Lstar) / s).
  split; [|split].
  - exact (norm_diverges (rows P al) (row P al) w lam p G (fun k => weight P slope al (p k)) bl bu C some_row S' Gs Bp Wt squares).
  - exact (direction_converges (rows P al) (row P al) w lam p G (fun k => weight P slope al (p k)) eta bl bu C some_row S' Steps Gs eta_pos Bp Wt squares).
  - assert (Div := rows_diverge (rows P al) (row P al) w lam p G (fun k => weight P slope al (p k)) bl bu C some_row S' Gs Bp Wt squares).
    intros e He. destruct (L_near e He) as [M HM]. destruct (Div M) as [K HK]. exists K. intros k Hk. now apply HM, HK.
Qed.
End Run.

(** ** Flow *)
Section FlowRun.
Variables (w : E) (lam : nat * nat -> R) (chi : R) (p : R -> E).
Variable svm : solves (rows P al) (row P al) one w lam.
Variable flow : forall t, 0 <= t -> curve_derives p t (minus_gradient P slope al (p t)).
Variable rows_chi : forall i t, In (i, t) (rows P al) -> chi <= loss (score P i t) - loss (score P i (al i)).
Variable start : sum (seq 0 n) (excess (p 0)) < chi.

Lemma flow_falls t : 0 <= t -> L P loss (p t) <= L P loss (p 0).
Proof.
  intros Ht. apply Ropp_le_cancel.
  apply (rises (fun s => - L P loss (p s)) (fun s => dot (minus_gradient P slope al (p s)) (minus_gradient P slope al (p s)))); auto; intros s Hs; [|apply dot_pos].
  apply is_derive_value with (opp (- dot (minus_gradient P slope al (p s)) (minus_gradient P slope al (p s)))); [|apply Ropp_involutive].
  apply (is_derive_opp (V := R_NormedModule)). apply (gradient_along P loss slope lo hi al p); auto using Reg. exact (proj1 (flow s ltac:(lra))).
Qed.

Lemma flow_inside t : 0 <= t -> sum (seq 0 n) (excess (p t)) <= sum (seq 0 n) (excess (p 0)).
Proof.
  intros Ht. assert (H := flow_falls t Ht). assert (X := L_excess (p t)). assert (Y := L_excess (p 0)).
  assert (Pn : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR, n_pos). apply Rmult_le_reg_l with (/ INR n); auto. lra.
Qed.

Theorem basin_flow :
  flow_to_infinity (fun t => norm (p t)) /\ flow_to_zero (fun t => norm (vsub (unit (p t)) (unit w))) /\ flow_to_zero (fun t => L P loss (p t) - Lstar).
Proof.
  set (e0 := sum (seq 0 n) (excess (p 0))).
  set (om := (chi - e0) / M1). set (bl := mu / INR n * (om / (hi - lo)) * om). set (bu := M1 / INR n * (hi - lo)).
  set (G := fun t => minus_gradient P slope al (p t)). set (q := fun t => weight P slope al (p t)).
  assert (Both : forall t c, 0 <= t -> In c (rows P al) -> bl * exp (- dot (row P al c) (p t)) <= q t c <= bu * exp (- dot (row P al c) (p t)) /\ 0 < bl).
  { intros t c Ht Hc. exact (weight_bounds (p t) chi e0 rows_chi (flow_inside t Ht) start c Hc). }
  assert (Wt : forall t c, 0 <= t -> In c (rows P al) -> bl * exp (- dot (row P al c) (p t)) <= q t c <= bu * exp (- dot (row P al c) (p t))) by (intros t c Ht Hc; exact (proj1 (Both t c Ht Hc))).
  assert (Bp : 0 < bl) by (destruct a_row as [c Hc]; exact (proj2 (Both 0 c (Rle_refl 0) Hc))).
  assert (Gs : forall t, 0 <= t -> same (G t) (vsum (rows P al) (fun c => vscal (q t c) (row P al c)))) by (intros t _ z; easy).
  assert (S' : solves (rows P al) (row P al) (fun _ => 1) w lam) by exact svm.
  split; [|split].
  - exact (flow_norm_diverges (rows P al) (row P al) w lam p G q bl bu some_row S' flow Gs Bp Wt).
  - exact (flow_direction_converges (rows P al) (row P al) w lam p G q bl bu some_row S' flow Gs Bp Wt).
  - assert (Div := flow_rows_diverge (rows P al) (row P al) w lam p G q bl bu some_row S' flow Gs Bp Wt).
    intros e He. destruct (L_near e He) as [M HM]. destruct (Div M) as (t0 & T0 & HK). exists t0. split; [exact T0|]. intros t Ht. now apply HM, HK.
Qed.
End FlowRun.

(** Where descent goes to w: a point where all samples together exceed their least losses by less than the best other token of any one would. *)
Definition in_basin p := exists chi,
  (forall i t, In (i, t) (rows P al) -> chi <= loss (score P i t) - loss (score P i (al i))) /\ sum (seq 0 n) (excess p) < chi.

Lemma excess_single p i : (i < n)%nat -> tokens P i = 1%nat -> excess p i = 0.
Proof.
  intros Hi One. unfold excess. assert (S := sel i Hi). assert (Z : al i = 0%nat) by lia.
  unfold output, mean, soft. rewrite One, Z. simpl. assert (Pe := exp_pos (logit P p i 0)).
  replace (exp (logit P p i 0) / (exp (logit P p i 0) + 0) * score P i 0 + 0) with (score P i 0%nat) by (field; lra). ring.
Qed.

(** Clause 4: f_i = gamma_ialpha_i - G_i by E_i and G_i for the samples of several tokens, gamma_i^(2) the best other score. *)
Theorem basin_start p (second : nat -> nat) chi :
  let several := filter (fun i => (2 <=? tokens P i)%nat) (seq 0 n) in
  let f i := score P i (al i) - sum (others (tokens P i) (al i)) (fun t => exp (- dot (row P al (i, t)) p) * gap P al (i, t)) / (1 + others_weight P al p i) in
  (forall i, In i several -> In (i, second i) (rows P al) /\ (forall t, In (i, t) (rows P al) -> score P i t <= score P i (second i)) /\
    chi <= loss (score P i (second i)) - loss (score P i (al i))) ->
  sum several (fun i => loss (f i) - loss (score P i (al i))) < chi -> in_basin p.
Proof.
  intros several f H Sm. exists chi. split.
  - intros i t Hc. assert (Hc' := Hc). apply in_rows in Hc'. destruct Hc' as (Hi & Ht & N).
    assert (I : In i several).
    { apply filter_In. split; [apply in_seq; lia|]. apply Nat.leb_le. assert (S := sel i Hi). lia. }
    destruct (H i I) as (Hs & Hl & Hx). specialize (Hl t Hc). apply in_rows in Hs. destruct Hs as (_ & Hs & _).
    assert (S1 := score_in i t Hi Ht). assert (S2 := score_in i (second i) Hi Hs).
    assert (B := loss_between (score P i t) (score P i (second i)) ltac:(lra) Hl ltac:(lra)). nra.
  - apply Rle_lt_trans with (2 := Sm). right. unfold several. rewrite sum_filter. apply sum_ext. intros i Hi. apply in_seq in Hi.
    assert (Hn : (i < n)%nat) by lia. destruct (Nat.leb_spec 2 (tokens P i)) as [T2|T1].
    + unfold f. rewrite <- (deficit_rows P loss slope lo hi al p i Reg sel Hn). unfold deficit, excess.
      now replace (score P i (al i) - (score P i (al i) - output P p i)) with (output P p i) by ring.
    + apply excess_single; auto. assert (S := sel i Hn). lia.
Qed.

(** Clause 3: one sample i0 has several tokens, and its other scores are equal. *)
Theorem every_start i0 g2 p : (i0 < n)%nat -> (forall i, (i < n)%nat -> i <> i0 -> tokens P i = 1%nat) ->
  (forall t, (t < tokens P i0)%nat -> t <> al i0 -> score P i0 t = g2) -> in_basin p.
Proof.
  intros Hi0 H1 Heq. set (chi := loss g2 - loss (score P i0 (al i0))). exists chi.
  assert (Only : forall i t, In (i, t) (rows P al) -> i = i0 /\ (t < tokens P i0)%nat /\ t <> al i0).
  { intros i t Hc. apply in_rows in Hc. destruct Hc as (Hi & Ht & N). destruct (Nat.eq_dec i i0) as [->|D0]; [auto|].
    exfalso. assert (S := sel i Hi). rewrite (H1 i Hi D0) in *. lia. }
  split.
  - intros i t Hc. destruct (Only i t Hc) as (-> & Ht & N). rewrite Heq by auto. unfold chi. lra.
  - rewrite (sum_others n i0) by auto. rewrite (sum_zero (others n i0)).
    + rewrite Rplus_0_r. unfold excess, chi. 
      destruct a_row as [[i t] Hc]. destruct (Only i t Hc) as (-> & Ht & N).
      assert (B := best i0 t Hi0 Ht N). rewrite Heq in B by auto.
      assert (G2 := score_in i0 t Hi0 Ht). rewrite Heq in G2 by auto.
      assert (Ab : g2 < output P p i0).
      { assert (Ne := tokens_nonempty P loss slope lo hi i0 Reg Hi0). rewrite <- (mean_const (T i0) (logit P p i0) g2 Ne).
        apply (sum_lt (T i0)) with (al i0); [apply in_seq; assert (S := sel i0 Hi0); lia| |].
        - apply Rmult_lt_compat_l; [now apply soft_pos|auto].
        - intros u Hu. apply in_seq in Hu. apply Rmult_le_compat_l; [left; now apply soft_pos|].
          destruct (Nat.eq_dec u (al i0)) as [->|Nu]; [lra|]. rewrite Heq by (auto; lia). lra. }
      assert (O := output_le p i0 Hi0). assert (S2 := score_in i0 (al i0) Hi0 (sel i0 Hi0)).
      assert (Bt := loss_between g2 (output P p i0) ltac:(lra) ltac:(lra) ltac:(lra)). nra.
    + intros i Hi. apply in_others in Hi. destruct Hi as [Hi D0]. apply excess_single; auto.
Qed.

Definition svm_solution w := minimiser (rows P al) (row P al) one w /\ forall w', minimiser (rows P al) (row P al) one w' -> same w' w.

(** A feasible point is enough: the solution exists, with multipliers. *)
Lemma solution_of u : feasible (rows P al) (row P al) one u -> exists w lam, svm_solution w /\ solves (rows P al) (row P al) one w lam.
Proof.
  intros F. assert (same_name : forall c e : nat * nat, {c = e} + {c <> e}) by (intros; decide equality; apply Nat.eq_dec).
  destruct (solution_exists (rows P al) (row P al) one same_name (rows_differ P al) (ex_intro _ u F)) as (w & lam & S). exists w, lam.
  split; auto. destruct (svm_optimal _ _ _ _ _ S) as (M & U & _). now split.
Qed.

Theorem descent_basin_constant u eta p K : feasible (rows P al) (row P al) one u -> 0 < eta -> eta * Lbar P M0 M1 D g < 2 ->
  (forall k, p (S k) = vadd (p k) (vscal eta (minus_gradient P slope al (p k)))) -> in_basin (p K) ->
  exists w, svm_solution w /\ to_infinity (fun k => norm (p k)) /\ to_zero (fun k => norm (vsub (unit (p k)) (unit w))) /\
    to_zero (fun k => L P loss (p k) - Lstar) /\ forall x, Lstar <= L P loss x.
Proof.
  intros F He Hs R (chi & Hr & Hx). destruct (solution_of u F) as (w & lam & Sol & S). exists w. split; auto.
  destruct (basin w lam eta chi (fun k => p (K + k)%nat) S He Hs) as (A & B & C); auto.
  - intros k. rewrite Nat.add_succ_r. apply R.
  - now rewrite Nat.add_0_r.
  - split; [now apply to_infinity_from with K|]. split; [now apply to_zero_from with K|]. split; [now apply to_zero_from with K|apply L_above].
Qed.

(** From a time t0 on at which the curve is in the basin. *)
Theorem descent_basin_flow u p t0 : feasible (rows P al) (row P al) one u ->
  (forall t, 0 <= t -> curve_derives p t (minus_gradient P slope al (p t))) -> 0 <= t0 -> in_basin (p t0) ->
  exists w, svm_solution w /\ flow_to_infinity (fun t => norm (p t)) /\ flow_to_zero (fun t => norm (vsub (unit (p t)) (unit w))) /\
    flow_to_zero (fun t => L P loss (p t) - Lstar) /\ forall x, Lstar <= L P loss x.
Proof.
  intros F Fl T0 (chi & Hr & Hx). destruct (solution_of u F) as (w & lam & Sol & S). exists w. split; auto.
  destruct (basin_flow w lam chi (fun s => p (t0 + s)) S) as (A & B & C); auto.
  - intros t Ht. apply curve_from, Fl. lra.
  - now rewrite Rplus_0_r.
  - assert (Back : forall (Z : R -> Prop), (exists t1, 0 <= t1 /\ forall t, t1 <= t -> Z (t0 + t)) -> exists t1, 0 <= t1 /\ forall t, t1 <= t -> Z t).
    { intros Z (t1 & H1 & H). exists (t0 + t1). split; [lra|]. intros t Ht. replace t with (t0 + (t - t0)) by ring. apply H. lra. }
    split; [intros M; exact (Back _ (A M))|]. split; [intros e He; exact (Back _ (B e He))|]. split; [intros e He; exact (Back _ (C e He))|].
    exact L_above.
Qed.

(** The curve from a point of the basin is there. *)
Theorem descent_basin_flow_from u p0 : feasible (rows P al) (row P al) one u -> in_basin p0 -> exists p w, the_flow P slope al p0 p /\ svm_solution w /\
  flow_to_infinity (fun t => norm (p t)) /\ flow_to_zero (fun t => norm (vsub (unit (p t)) (unit w))) /\ flow_to_zero (fun t => L P loss (p t) - Lstar) /\ forall x, Lstar <= L P loss x.
Proof.
  intros F B. destruct smooth as (_ & Hl & _).
  destruct (flow_exists P loss slope curv lo hi M0 al Reg (fun y Hy => conj (proj1 (Hl y Hy)) (proj2 (proj2 (Hl y Hy)))) p0) as (p & Fp). exists p. destruct Fp as (P0 & Fl & U).
  destruct (descent_basin_flow u p 0 F Fl (Rle_refl 0) ltac:(now rewrite P0)) as (w & Hw). exists w. split; [split; [exact P0|now split]|exact Hw].
Qed.
End Basin.
