(** Linear independence.
    - `rank` (docs/certificate.md 4.13): independent differences of tokens in each sample and independent queries make the W-SVM
      feasible for every selection.
    - `independent-rows` (4.17) and clause 2 of 4.22: a Gram matrix that is positive definite belongs to independent rows.
    - `every-selection` (4.14): a W in which each sample has one strictly largest token makes its selection feasible.
    That elimination over the rationals finds the rank is proved for the verified checker, not here. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Attest Require Import Sums Space Svm Select.
Import ListNotations.
Open Scope R_scope.

Lemma sum_last m f : sum (seq 0 (S m)) f = sum (seq 0 m) f + f m.
Proof. rewrite seq_S, sum_app. simpl. ring. Qed.

Section Independence.
Context {E : space}.
Variable u : nat -> E.

Definition combination m (x : nat -> R) : E := vsum (seq 0 m) (fun j => vscal (x j) (u j)).
Lemma combination_l m x z : dot (combination m x) z = sum (seq 0 m) (fun j => x j * dot (u j) z).
Proof. unfold combination. rewrite dot_vsum_l. apply sum_ext. intros; apply dot_scal_l. Qed.
Lemma combination_r m x z : dot z (combination m x) = sum (seq 0 m) (fun j => x j * dot (u j) z).
Proof. rewrite dot_sym. apply combination_l. Qed.

(** No combination of the first m vectors vanishes but the trivial one. *)
Definition independent m := forall x, same (combination m x) vzero -> forall j, (j < m)%nat -> x j = 0.

(** Projection on the span of the first m vectors. *)
Lemma projection m : forall v : E, exists x, forall j, (j < m)%nat -> dot (u j) (vsub v (combination m x)) = 0.
Proof.
  induction m as [|m IH]; intros v; [exists (fun _ => 0); lia|].
  destruct (IH v) as [x Hx]. destruct (IH (u m)) as [y Hy].
  set (r := vsub (u m) (combination m y)) in *.
  set (k := dot r (vsub v (combination m x)) / dot r r).
  assert (Hk : k * dot r r = dot r (vsub v (combination m x))).
  { destruct (Req_dec (dot r r) 0) as [Z|N]; [|unfold k; field; auto].
    rewrite Z, Rmult_0_r. symmetry. apply norm_zero_dot. unfold norm. now rewrite Z, sqrt_0. }
  exists (fun j => if (j =? m)%nat then k else x j - k * y j).
  assert (Hc : forall z, dot z (combination (S m) (fun j => if (j =? m)%nat then k else x j - k * y j)) = dot z (combination m x) + k * dot z r).
  { intros z. unfold r. rewrite dot_sub_r, !combination_r, sum_last, Nat.eqb_refl.
    rewrite (sum_ext _ _ (fun j => x j * dot (u j) z - k * (y j * dot (u j) z))).
    - rewrite sum_minus, sum_scal, (dot_sym z (u m)). ring.
    - intros j Hj. apply in_seq in Hj. destruct (Nat.eqb_spec j m); [lia|ring]. }
  intros j Hj. rewrite dot_sub_r, Hc.
  assert (Hx' : forall z, (forall j, (j < m)%nat -> dot (u j) z = 0) -> dot (combination m y) z = 0).
  { intros z Hz. rewrite combination_l. apply sum_zero. intros i Hi. apply in_seq in Hi. rewrite Hz by lia. ring. }
  destruct (Nat.eq_dec j m) as [->|N].
  - assert (E1 : dot (u m) (vsub v (combination m x)) = dot r (vsub v (combination m x))).
    { unfold r. rewrite (dot_sub_l (u m)), (Hx' _ Hx). ring. }
    assert (E2 : dot (u m) r = dot r r).
    { unfold r at 2. rewrite dot_sub_l, (Hx' r Hy). ring. }
    rewrite E2. rewrite dot_sub_r in E1. lra.
  - assert (j < m)%nat by lia. rewrite (Hy j) by auto. specialize (Hx j H). rewrite dot_sub_r in Hx. lra.
Qed.

(** Independent vectors take any values at some point. *)
Theorem independent_solvable m : independent m -> forall c : nat -> R, exists q, forall j, (j < m)%nat -> dot (u j) q = c j.
Proof.
  induction m as [|m IH]; intros I c; [exists vzero; lia|].
  destruct (IH) with (c := c) as [q Hq].
  { intros x Hx j Hj. specialize (I (fun j => if (j =? m)%nat then 0 else x j)).
    assert (G : (if (j =? m)%nat then 0 else x j) = 0).
    { apply I; [|lia]. intros z. rewrite combination_l, sum_last, Nat.eqb_refl.
      specialize (Hx z). rewrite combination_l in Hx. rewrite <- Hx, Rmult_0_l, Rplus_0_r. apply sum_ext.
      intros i Hi. apply in_seq in Hi. destruct (Nat.eqb_spec i m); [lia|easy]. }
    destruct (Nat.eqb_spec j m); [lia|easy]. }
  destruct (projection m (u m)) as [y Hy].
  set (r := vsub (u m) (combination m y)) in *.
  assert (Hr : dot (u m) r = dot r r).
  { unfold r at 2. rewrite dot_sub_l, combination_l, sum_zero; [ring|]. intros i Hi. apply in_seq in Hi. rewrite Hy by lia. ring. }
  assert (N : dot r r <> 0).
  { intros Z. assert (Z' : norm r = 0) by (unfold norm; now rewrite Z, sqrt_0).
    specialize (I (fun j => if (j =? m)%nat then 1 else - y j)).
    assert (G : (if (m =? m)%nat then 1 else - y m) = 0).
    { apply I; [|lia]. intros z. rewrite combination_l, sum_last, Nat.eqb_refl, dot_zero_l.
      assert (Q := norm_zero_dot r z Z'). unfold r in Q. rewrite dot_sub_l, combination_l in Q.
      rewrite (sum_ext _ _ (fun j => - (y j * dot (u j) z))).
      - rewrite sum_opp. lra.
      - intros i Hi. apply in_seq in Hi. destruct (Nat.eqb_spec i m); [lia|ring]. }
    rewrite Nat.eqb_refl in G. lra. }
  exists (vadd q (vscal ((c m - dot (u m) q) / dot r r) r)).
  intros j Hj. rewrite dot_add_r, dot_scal_r. destruct (Nat.eq_dec j m) as [->|D].
  - rewrite Hr. field. auto.
  - rewrite Hy, Hq by lia. ring.
Qed.

(** A positive definite Gram matrix. *)
Theorem gram_independent m :
  (forall x, (exists j, (j < m)%nat /\ x j <> 0) -> 0 < sum (seq 0 m) (fun i => sum (seq 0 m) (fun j => x i * x j * dot (u i) (u j)))) ->
  independent m.
Proof.
  intros H x Hx j Hj. destruct (Req_dec (x j) 0) as [|N]; auto. exfalso.
  assert (G := H x (ex_intro _ j (conj Hj N))). specialize (Hx (combination m x)). rewrite dot_zero_l, combination_l in Hx.
  rewrite (sum_ext _ _ (fun i => x i * dot (u i) (combination m x))) in G; [lra|].
  intros i _. rewrite combination_r, <- sum_scal. apply sum_ext. intros k _. rewrite (dot_sym (u k)). ring.
Qed.
End Independence.

(** The W-SVM: keys x_it z_i^T. *)
Section Wsvm.
Variables (d n : nat) (T : nat -> nat) (x : nat -> nat -> coordinates d) (z : nat -> coordinates d) (score : nat -> nat -> R).
Definition wproblem : problem (matrices d d) := Problem (matrices d d) n T (fun i t => outer d d (x i t) (z i)) score.

Lemma wrow_dot al i t W :
  dot (row wproblem al (i, t)) W = dot (x i (al i)) (apply_matrix d W (z i)) - dot (x i t) (apply_matrix d W (z i)).
Proof. unfold row. simpl fst. simpl snd. rewrite dot_sub_l. unfold wproblem, key. now rewrite !outer_dot. Qed.

(** A W with W z_i = q_i for given q_i, when the z_i are independent. *)
Lemma matrix_through (q : nat -> coordinates d) : independent z n ->
  exists W : nat -> nat -> R, forall i y, (i < n)%nat -> dot y (apply_matrix d W (z i) : coordinates d) = dot y (q i).
Proof.
  intros I.
  assert (B : forall k, exists g : coordinates d, forall i, (i < n)%nat -> dot (z i) g = q i k).
  { intros k. exact (independent_solvable z n I (fun i => q i k)). }
  assert (C : forall m, exists W : nat -> nat -> R, forall k i, (k < m)%nat -> (i < n)%nat -> sum (seq 0 d) (fun j => W k j * z i j) = q i k).
  { induction m as [|m [W HW]]; [exists (fun _ _ => 0); lia|].
    destruct (B m) as [g Hg]. exists (fun k => if (k =? m)%nat then g else W k).
    intros k i Hk Hi. destruct (Nat.eqb_spec k m) as [->|N]; [|apply HW; lia].
    rewrite <- (Hg i Hi). simpl. unfold rdot. apply sum_ext. intros; ring. }
  destruct (C d) as [W HW]. exists W. intros i y Hi. simpl. unfold rdot, apply_matrix.
  apply sum_ext. intros j Hj. apply in_seq in Hj. rewrite HW by (auto; lia). ring.
Qed.

Theorem rank_feasible :
  (forall i, (i < n)%nat -> (0 < T i)%nat) ->
  (forall i, (i < n)%nat -> independent (fun j => vsub (x i (S j)) (x i 0%nat)) (T i - 1)) -> independent z n ->
  forall al, selection wproblem al -> exists W, feasible (rows wproblem al) (row wproblem al) one W.
Proof.
  intros HT Hx Hz al Hal.
  assert (Q : forall i, exists q : coordinates d, (i < n)%nat -> forall t, (t < T i)%nat -> t <> al i ->
                        dot (vsub (x i (al i)) (x i t)) q = 1).
  { intros i. destruct (lt_dec i n) as [Hi|Hi]; [|exists vzero; lia].
    (* values -1 at tokens other than the selected one, 0 there, up to the value at token 0 *)
    set (f := fun t => if (t =? al i)%nat then 1 else 0 : R).
    destruct (independent_solvable _ _ (Hx i Hi) (fun j => f (S j) - f 0%nat)) as [q Hq].
    assert (V : forall t, (t < T i)%nat -> dot (x i t) q = f t + (dot (x i 0%nat) q - f 0%nat)).
    { intros [|t] Ht; [ring|]. assert (H := Hq t ltac:(lia)). cbv beta in H. rewrite dot_sub_l in H. lra. }
    exists q. intros _ t Ht N. rewrite dot_sub_l, (V t Ht), (V (al i)) by (apply Hal; auto). unfold f. rewrite Nat.eqb_refl.
    destruct (Nat.eqb_spec t (al i)); [contradiction|ring]. }
  assert (C : forall m, exists q : nat -> coordinates d, forall i, (i < m)%nat -> (i < n)%nat -> forall t, (t < T i)%nat -> t <> al i ->
                        dot (vsub (x i (al i)) (x i t)) (q i) = 1).
  { induction m as [|m [q Hq]]; [exists (fun _ => vzero); lia|]. destruct (Q m) as [g Hg].
    exists (fun i => if (i =? m)%nat then g else q i). intros i Hi Hin t Ht N.
    destruct (Nat.eqb_spec i m) as [->|D]; [now apply Hg|apply Hq; auto; lia]. }
  destruct (C n) as [q Hq]. destruct (matrix_through q Hz) as [W HW].
  exists W. intros [i t] Hc. apply in_rows in Hc. simpl in Hc. destruct Hc as (Hi & Ht & N).
  rewrite wrow_dot, !HW by auto. specialize (Hq i Hi Hi t Ht N). rewrite dot_sub_l in Hq. unfold one. lra.
Qed.

(** 4.14: where the selected tokens are strictly largest, a multiple of W satisfies the rows. *)
Theorem every_selection_rule al W :
  (forall i t, (i < n)%nat -> (t < T i)%nat -> t <> al i -> dot (x i t) (apply_matrix d W (z i) : coordinates d) < dot (x i (al i)) (apply_matrix d W (z i))) ->
  exists W', feasible (rows wproblem al) (row wproblem al) one W'.
Proof.
  intros H.
  destruct (rows wproblem al) as [|c l] eqn:R; [exists vzero; now intros c []|].
  destruct (least (rows wproblem al) (fun c => dot (row wproblem al c) W)) as (c0 & Hc0 & Hl); [now rewrite R|].
  assert (Hp : forall c, In c (rows wproblem al) -> 0 < dot (row wproblem al c) W).
  { intros [i t] Hc. apply in_rows in Hc. simpl in Hc. destruct Hc as (Hi & Ht & N). rewrite wrow_dot. specialize (H i t Hi Ht N). lra. }
  rewrite <- R. exists (vscal (/ dot (row wproblem al c0) W) (W : matrices d d)). apply scaled_feasible; auto.
  intros e He. unfold one. rewrite Rmult_1_r. auto.
Qed.
End Wsvm.
