(** `assumption-b-refuted` by "limit" (docs/certificate.md 4.10; docs/theory.md 4.7 (a)).  kp i t is k_it.p, att R the attention s(R p), M_i the tokens of largest kp.  If u.z_it >= 1 for all i and
    t in M_i, |u| Gamma <= 1 (that is u.u <= v.v, Gamma = 1/|v|), and some sample i0 of I has a token of M_i0 other than alpha_i0, then for no nu > 0 is
    margin(s(R p)) <= Gamma - nu max_{i in I} (1 - s_ialpha_i) for all R > 0. *)
From Coq Require Import Reals List Lra Lia Psatz Arith Classical.
From Attest Require Import Sums Space Svm Select AssumptionB.
Import ListNotations.
Open Scope R_scope.

(** Finitely many properties that hold from some R on hold together. *)
Lemma eventually_all {A} (l : list A) (Q : A -> R -> Prop) : (forall c, In c l -> exists r0, forall r, r0 <= r -> Q c r) ->
  exists r0, forall r, r0 <= r -> forall c, In c l -> Q c r.
Proof.
  induction l as [|c l IH]; intros H; [exists 0; now intros r _ c []|].
  destruct IH as [r1 H1]; [intros e He; apply H; now right|]. destruct (H c (or_introl eq_refl)) as [r2 H2].
  exists (Rmax r1 r2). intros r Hr. assert (X := Rmax_l r1 r2). assert (Y := Rmax_r r1 r2). intros e [<-|He]; [apply H2; lra|apply H1; auto; lra].
Qed.

Section Limit.
Context {E : space}.
Variable n : nat.
Variable T : nat -> nat.
Variable z : nat -> nat -> E.
Variable al : nat -> nat.
Variable kp : nat -> nat -> R.
Variable sel : forall i, (i < n)%nat -> (al i < T i)%nat.

Definition att (r : R) i t := exp (r * kp i t) / sum (seq 0 (T i)) (fun t' => exp (r * kp i t')).
Definition top i t := forall t', (t' < T i)%nat -> kp i t' <= kp i t.

Lemma total_pos r i : (i < n)%nat -> 0 < sum (seq 0 (T i)) (fun t' => exp (r * kp i t')).
Proof. intros Hi. apply sum_pos_all; [specialize (sel i Hi); destruct (T i); [lia|easy]|]. intros; apply exp_pos. Qed.

Lemma att_pos r i t : (i < n)%nat -> 0 < att r i t.
Proof. intros Hi. apply Rdiv_lt_0_compat; [apply exp_pos|now apply total_pos]. Qed.

Lemma att_sum r i : (i < n)%nat -> sum (seq 0 (T i)) (att r i) = 1.
Proof. intros Hi. unfold att, Rdiv. rewrite sum_scal_r. apply Rinv_r. apply Rgt_not_eq. now apply total_pos. Qed.

Lemma att_below r i t t' : (i < n)%nat -> (t' < T i)%nat -> att r i t <= exp (r * (kp i t - kp i t')).
Proof.
  intros Hi Ht. assert (P := total_pos r i Hi). unfold att. set (S := sum _ _) in *.
  assert (X : exp (r * kp i t') <= S) by (unfold S; apply (sum_term (seq 0 (T i)) (fun u => exp (r * kp i u)) t'); [apply in_seq; lia|intros; left; apply exp_pos]).
  apply Rmult_le_reg_r with S; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rle_trans with (exp (r * (kp i t - kp i t')) * exp (r * kp i t')); [rewrite <- exp_plus; right; f_equal; ring|].
  apply Rmult_le_compat_l; auto. left; apply exp_pos.
Qed.

Lemma fades i t e : (i < n)%nat -> 0 < e -> ~ top i t -> exists r0, forall r, r0 <= r -> att r i t <= e.
Proof.
  intros Hi He Nt. apply not_all_ex_not in Nt. destruct Nt as [t' Nt]. apply imply_to_and in Nt. destruct Nt as [Ht Lt].
  set (g := kp i t' - kp i t). assert (Pg : 0 < g) by (unfold g; lra). exists (/ (g * e)). intros r Hr.
  assert (Pr : 0 < / (g * e)) by (apply Rinv_0_lt_compat; nra).
  apply Rle_trans with (1 := att_below r i t t' Hi Ht). replace (r * (kp i t - kp i t')) with (- (r * g)) by (unfold g; ring).
  rewrite exp_Ropp. assert (Tn := exp_tangent (r * g)).
  assert (X : / e <= r * g). { apply Rmult_le_compat_r with (r := g) in Hr; [|lra]. replace (/ (g * e) * g) with (/ e) in Hr by (field; lra). lra. }
  rewrite <- (Rinv_inv e). assert (Pe : 0 < / e) by now apply Rinv_0_lt_compat. apply Rinv_le_contravar; lra.
Qed.

Variables (u : E) (Ga : R).
Variable u_pos : 0 < norm u.
Variable Ga_pos : 0 < Ga.
Variable u_short : norm u * Ga <= 1.
Variable u_rows : forall i t, (i < n)%nat -> (t < T i)%nat -> top i t -> 1 <= dot u (z i t).
Variables i0 t0 : nat.
Variable i0_in : (i0 < n)%nat.
Variable t0_in : (t0 < T i0)%nat.
Variable t0_top : top i0 t0.
Variable t0_other : t0 <> al i0.

Theorem refuted_limit nu : 0 < nu -> exists r, 0 < r /\ forall m, 1 - att r i0 (al i0) <= m -> ~ margin_le n T z (att r) (Ga - nu * m).
Proof.
  intros Hnu. set (w := vscal (/ norm u) u).
  assert (Pi : 0 < / norm u) by now apply Rinv_0_lt_compat.
  assert (Nw : norm w <= 1) by (unfold w; rewrite norm_scal, Rabs_pos_eq by lra; right; apply Rinv_l; lra).
  set (B := sum (seq 0 n) (fun i => sum (seq 0 (T i)) (fun t => Rabs (dot w (z i t))))).
  assert (HB : forall i t, (i < n)%nat -> (t < T i)%nat -> - B <= dot w (z i t)).
  { intros i t Hi Ht. assert (X : Rabs (dot w (z i t)) <= B).
    { apply Rle_trans with (sum (seq 0 (T i)) (fun t => Rabs (dot w (z i t)))).
      - apply (sum_term (seq 0 (T i)) (fun t => Rabs (dot w (z i t))) t); [apply in_seq; lia|intros; apply Rabs_pos].
      - apply (sum_term (seq 0 n) (fun i => sum (seq 0 (T i)) (fun t => Rabs (dot w (z i t)))) i); [apply in_seq; lia|]. intros; apply sum_nonneg; intros; apply Rabs_pos. }
    assert (Y := Rle_abs (- dot w (z i t))). rewrite Rabs_Ropp in Y. lra. }
  assert (B0 : 0 <= B) by (apply sum_nonneg; intros; apply sum_nonneg; intros; apply Rabs_pos).
  set (K := sum (seq 0 n) (fun i => INR (T i)) + 1).
  assert (HK : forall i, (i < n)%nat -> INR (T i) <= K - 1).
  { intros i Hi. unfold K. assert (X := sum_term (seq 0 n) (fun i => INR (T i)) i ltac:(apply in_seq; lia) (fun e _ => pos_INR (T e))). lra. }
  assert (K1 : 1 <= K) by (assert (X := HK i0 i0_in); assert (Y := pos_INR (T i0)); lra).
  set (e := nu / (4 * K * (Ga + B + 1))). assert (Q : 0 < 4 * K * (Ga + B + 1)) by nra. assert (He : 0 < e) by (apply Rdiv_lt_0_compat; auto).
  set (pairs := flat_map (fun i => map (fun t => (i, t)) (seq 0 (T i))) (seq 0 n)).
  destruct (eventually_all pairs (fun c r => top (fst c) (snd c) \/ att r (fst c) (snd c) <= e)) as [r0 Hr0].
  { intros [i t] Hc. simpl. unfold pairs in Hc. apply in_flat_map in Hc. destruct Hc as (i' & Hi' & Hc). apply in_map_iff in Hc. destruct Hc as (t' & Eq & _). inversion Eq; subst.
    apply in_seq in Hi'. destruct (classic (top i t)) as [Tp|Nt]; [exists 0; intros; now left|]. destruct (fades i t e ltac:(lia) He Nt) as [r0 Hr]. exists r0. intros r Hr'. right. auto. }
  exists (Rmax 1 r0). assert (R1 := Rmax_l 1 r0). assert (R2 := Rmax_r 1 r0). set (r := Rmax 1 r0) in *. split; [lra|].
  intros m Hm Mg. destruct (Mg w Nw) as (i & Hi & Hd).
  (* half of the attention of i0 is elsewhere *)
  assert (Half : / 2 <= 1 - att r i0 (al i0)).
  { assert (S1 := att_sum r i0 i0_in). rewrite (sum_others _ (al i0)) in S1 by auto.
    assert (X : att r i0 t0 <= sum (others (T i0) (al i0)) (att r i0)) by (apply (sum_term _ (att r i0) t0); [apply in_others; auto|intros; left; now apply att_pos]).
    assert (Y : att r i0 (al i0) <= att r i0 t0).
    { unfold att, Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; now apply total_pos|]. apply exp_pos_le. apply Rmult_le_compat_l; [lra|]. apply t0_top. auto. }
    lra. }
  assert (Low : Ga - INR (T i) * (e * (Ga + B)) <= dot w (mixed T z (att r) i)).
  { unfold mixed. rewrite dot_vsum_r. rewrite (sum_ext _ _ (fun t => att r i t * dot w (z i t))) by (intros; apply dot_scal_r).
    apply Rle_trans with (sum (seq 0 (T i)) (fun t => att r i t * Ga - e * (Ga + B))).
    - rewrite sum_minus, sum_scal_r, (att_sum r i Hi), sum_const, seq_length. right. ring.
    - apply sum_le. intros t Ht. apply in_seq in Ht. assert (Ap := att_pos r i t Hi).
      assert (Hin : In (i, t) pairs) by (apply in_flat_map; exists i; split; [apply in_seq; lia|apply in_map_iff; exists t; split; auto; apply in_seq; lia]).
      assert (Eb : 0 <= e * (Ga + B)) by (apply Rmult_le_pos; lra).
      destruct (Hr0 r R2 (i, t) Hin) as [Tp|Sm]; simpl in *.
      + assert (X := u_rows i t Hi ltac:(lia) Tp). assert (Y : Ga <= dot w (z i t)).
        { unfold w. rewrite dot_scal_l. apply Rmult_le_reg_l with (norm u); auto. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
        assert (att r i t * Ga <= att r i t * dot w (z i t)) by (apply Rmult_le_compat_l; lra). lra.
      + assert (X := HB i t Hi ltac:(lia)). assert (att r i t * - B <= att r i t * dot w (z i t)) by (apply Rmult_le_compat_l; lra).
        assert (att r i t * (Ga + B) <= e * (Ga + B)) by (apply Rmult_le_compat_r; lra). lra. }
  assert (Small : INR (T i) * (e * (Ga + B)) <= nu / 4).
  { assert (X := HK i Hi). assert (Y := pos_INR (T i)). apply Rle_trans with (K * (e * (Ga + B + 1))).
    - apply Rmult_le_compat; [auto|apply Rmult_le_pos; lra|lra|apply Rmult_le_compat_l; lra].
    - right. unfold e. field. repeat split; lra. }
  assert (nu * / 2 <= nu * m) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End Limit.
