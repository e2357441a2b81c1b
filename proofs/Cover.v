(** `cover` of `assumption-b` (docs/certificate.md 4.9; docs/theory.md 4.1), and Assumption B for every p.  If every row a_it of a sample outside S is sum lambda_c a_c over rows of S with
    lambda >= 0 and sum lambda_c >= 1, then for every p 1 - s_ialpha_i <= kappa max_{j in S} (1 - s_jalpha_j), kappa = max(2, max_i (T_i - 1)).  So the bound with kappa nu over S
    gives the bound with nu over all samples. *)
From Coq Require Import Reals List Lra Lia Psatz Arith Bool.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model AssumptionB.
Import ListNotations.
Open Scope R_scope.

Section Cover.
Context {E : space}.
Variable P : problem E.
Variables loss slope : R -> R.
Variables lo hi : R.
Variable al : nat -> nat.
Variable inS : nat -> bool.
Notation n := (samples P).
Notation rows := (rows P al).
Notation a := (row P al).
Variable Reg : regular P loss slope lo hi.
Variable sel : selection P al.

Definition in_S_rows := filter (fun c => inS (fst c)) rows.
Definition covered c := exists lam : nat * nat -> R, (forall e, In e in_S_rows -> 0 <= lam e) /\ 1 <= sum in_S_rows lam /\
  same (a c) (vsum in_S_rows (fun e => vscal (lam e) (a e))).

Lemma loss_of_attention p i : (i < n)%nat -> 1 - attention P p i (al i) = others_weight P al p i / (1 + others_weight P al p i) /\ 0 <= others_weight P al p i.
Proof.
  intros Hi. assert (W : 0 <= others_weight P al p i) by (apply sum_nonneg; intros; left; apply exp_pos). split; auto.
  rewrite (attention_selected P loss slope lo hi al p i Reg sel Hi). field. lra.
Qed.

Theorem cover_bound p i m kappa : (i < n)%nat -> 2 <= kappa -> INR (tokens P i - 1) <= kappa ->
  (forall t, In (i, t) rows -> covered (i, t)) -> (forall j, (j < n)%nat -> inS j = true -> 1 - attention P p j (al j) <= m) -> 0 <= m ->
  1 - attention P p i (al i) <= kappa * m.
Proof.
  intros Hi K2 KT Hc Hm M0. destruct (loss_of_attention p i Hi) as [Li Wi]. set (W := others_weight P al p i) in *.
  assert (L1 : W / (1 + W) <= 1) by (apply Rmult_le_reg_r with (1 + W); [lra|]; replace (W / (1 + W) * (1 + W)) with W by (field; lra); lra).
  destruct (others (tokens P i) (al i)) as [|t0 ts] eqn:Ot.
  - assert (Z : W = 0) by (unfold W, others_weight; now rewrite Ot). rewrite Li, Z. unfold Rdiv. rewrite Rmult_0_l. apply Rmult_le_pos; lra.
  - assert (R0 : In (i, t0) rows) by (assert (In t0 (others (tokens P i) (al i))) by (rewrite Ot; now left); apply in_others in H; apply in_rows; tauto).
    assert (Ne : in_S_rows <> []).
    { destruct (Hc t0 R0) as (lam & _ & S1 & _). intros Z. rewrite Z in S1. simpl in S1. lra. }
    destruct (least in_S_rows (fun c => dot (a c) p) Ne) as ([j t] & Hj & Hl). set (y := dot (a (j, t)) p) in *.
    assert (Hj' := Hj). apply filter_In in Hj'. destruct Hj' as [Rj Sj]. simpl in Sj. apply in_rows in Rj. destruct Rj as (Jn & Jt & Jd).
    destruct (loss_of_attention p j Jn) as [Lj Wj]. specialize (Hm j Jn Sj). set (V := others_weight P al p j) in *.
    assert (EV : exp (- y) <= V).
    { unfold V, others_weight. apply (sum_term _ (fun u => exp (- dot (a (j, u)) p)) t); [apply in_others; auto|]. intros; left; apply exp_pos. }
    destruct (Rle_or_lt y 0) as [Yn|Yp].
    + assert (1 <= V) by (apply Rle_trans with (2 := EV); rewrite <- exp_0; apply exp_pos_le; lra).
      assert (/ 2 <= V / (1 + V)) by (apply Rmult_le_reg_r with (1 + V); [lra|]; replace (V / (1 + V) * (1 + V)) with V by (field; lra); lra).
      rewrite Li. nra.
    + assert (Each : forall u, In u (others (tokens P i) (al i)) -> exp (- dot (a (i, u)) p) <= V).
      { intros u Hu. assert (Ru : In (i, u) rows) by (apply in_others in Hu; apply in_rows; tauto). destruct (Hc u Ru) as (lam & L0 & S1 & Sm).
        apply Rle_trans with (2 := EV). apply exp_pos_le. apply Ropp_le_contravar. rewrite Sm, combination_dot.
        apply Rle_trans with (sum in_S_rows (fun e => lam e * y)); [rewrite sum_scal_r; nra|]. apply sum_le. intros e He. apply Rmult_le_compat_l; auto. }
      assert (WV : W <= INR (tokens P i - 1) * V).
      { assert (Len : length (others (tokens P i) (al i)) = (tokens P i - 1)%nat).
        { assert (X := sum_others (tokens P i) (al i) (fun _ => 1) (sel i Hi)). rewrite !sum_const, seq_length in X. apply INR_eq. rewrite minus_INR by (specialize (sel i Hi); lia). simpl. lra. }
        rewrite <- Len, <- sum_const. unfold W, others_weight. apply sum_le. exact Each. }
      set (k := INR (tokens P i - 1)) in *.
      assert (K1 : 1 <= k).
      { assert (X : (1 <= tokens P i - 1)%nat) by (apply in_rows in R0; destruct R0 as (_ & T0 & D0); specialize (sel i Hi); lia). apply le_INR in X. simpl in X. exact X. }
      rewrite Li. rewrite Lj in Hm.
      apply Rle_trans with (k * (V / (1 + V))).
      * apply Rmult_le_reg_r with ((1 + W) * (1 + V)); [nra|]. replace (W / (1 + W) * ((1 + W) * (1 + V))) with (W + W * V) by (field; lra).
        replace (k * (V / (1 + V)) * ((1 + W) * (1 + V))) with (k * V + k * V * W) by (field; lra).
        assert (W * V <= k * V * W) by (assert (0 <= W * V) by (apply Rmult_le_pos; auto); nra). lra.
      * assert (0 <= V / (1 + V)) by (apply Rle_mult_inv_pos; lra). apply Rmult_le_compat; lra.
Qed.
End Cover.

(** Attention s(p) is on the simplices: Assumption B for every p follows from `assumption_b`. *)
Theorem attention_simplex {E : space} (P : problem E) loss slope lo hi p : regular P loss slope lo hi -> simplex (samples P) (tokens P) (attention P p).
Proof.
  intros Reg i Hi. assert (N := tokens_nonempty P loss slope lo hi i Reg Hi). split; [intros t; left; now apply soft_pos|now apply soft_sum].
Qed.
