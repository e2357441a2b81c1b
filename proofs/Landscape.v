(** `no-stationary-point` (docs/certificate.md 4.27): a u (p or W) that orders the tokens of each sample as their scores do, once strictly, has
    -grad L(p).u > 0 for every p, so L has no stationary point (theorems S and S_W of docs/theory.md 8.1).  `by` "direction" is `no_stationary_direction`; "query" and "rank" are
    `no_stationary_scores`, a u with k_it.u = c_i gamma_it, c_i >= 0 (for W: U = v q^T, c_i = Y_i q.z_i). *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Rank.
Import ListNotations.
Open Scope R_scope.

Section Landscape.
Context {E : space}.
Variable P : problem E.
Variables loss slope : R -> R.
Variables lo hi : R.
Variable al : nat -> nat.
Notation n := (samples P).
Notation T i := (seq 0 (tokens P i)).
Variable Reg : regular P loss slope lo hi.
Variable falls : forall x, lo <= x <= hi -> slope x < 0.
Variable sel : selection P al.

Lemma minus_gradient_dot p u : dot (minus_gradient P slope al p) u = / INR n * sum (seq 0 n) (fun i => - slope (output P p i) * covariance P p i u).
Proof.
  unfold minus_gradient. rewrite dot_vsum_l, sum_rows, <- sum_scal. apply sum_ext. intros i Hi. apply in_seq in Hi.
  rewrite (covariance_rows P loss slope lo hi al) by (auto; lia).
  rewrite <- sum_opp, <- !sum_scal. apply sum_ext. intros t _. rewrite dot_scal_l.
  unfold weight, gap, deficit. simpl fst. simpl snd. unfold Rdiv. ring.
Qed.

(** Cov = 1/2 sum_t sum_t' s_t s_t' (x_t - x_t')(gamma_t - gamma_t'). *)
Lemma covariance_pairs p i u : (i < n)%nat -> 2 * covariance P p i u =
  sum (T i) (fun t => sum (T i) (fun t' => attention P p i t * attention P p i t' * ((logit P u i t - logit P u i t') * (score P i t - score P i t')))).
Proof.
  intros Hi. assert (N := tokens_nonempty P loss slope lo hi i Reg Hi). assert (S1 := soft_sum (T i) (logit P p i) N).
  set (s := attention P p i). change (sum (T i) s = 1) in S1. set (x := logit P u i). set (g := score P i).
  assert (O : output P p i = sum (T i) (fun t => s t * g t)) by reflexivity.
  rewrite (sum_ext (T i) (fun t => sum (T i) _) (fun t => (s t * (x t * g t)) * 1 - (s t * x t) * output P p i - (s t * g t) * sum (T i) (fun t' => s t' * x t') + s t * sum (T i) (fun t' => s t' * (x t' * g t')))).
  - rewrite sum_plus, !sum_minus, !sum_scal_r, S1, <- O. unfold covariance. fold s x g.
    rewrite (sum_ext _ (fun t => s t * (g t - output P p i) * x t) (fun t => s t * (x t * g t) - (s t * x t) * output P p i)) by (intros; ring).
    rewrite sum_minus, sum_scal_r. ring.
  - intros t _. rewrite (sum_ext _ _ (fun t' => (s t * (x t * g t)) * s t' - (s t * x t) * (s t' * g t') - (s t * g t) * (s t' * x t') + s t * (s t' * (x t' * g t')))) by (intros; ring).
    rewrite sum_plus, !sum_minus, !sum_scal, S1, <- O. ring.
Qed.

Variable u : E.
Variable ordered : forall i t t', (i < n)%nat -> (t < tokens P i)%nat -> (t' < tokens P i)%nat -> score P i t' < score P i t -> logit P u i t' <= logit P u i t.

Lemma pair_nonneg p i t t' : (i < n)%nat -> In t (T i) -> In t' (T i) ->
  0 <= attention P p i t * attention P p i t' * ((logit P u i t - logit P u i t') * (score P i t - score P i t')).
Proof.
  intros Hi Ht Ht'. apply in_seq in Ht. apply in_seq in Ht'.
  assert (A := attention_le_1 P loss slope lo hi p i t Reg Hi ltac:(lia)). assert (A' := attention_le_1 P loss slope lo hi p i t' Reg Hi ltac:(lia)).
  apply Rmult_le_pos; [apply Rmult_le_pos; lra|].
  destruct (Rtotal_order (score P i t) (score P i t')) as [L|[Q|G]].
  - assert (O := ordered i t' t Hi ltac:(lia) ltac:(lia) L). nra.
  - rewrite Q. lra.
  - assert (O := ordered i t t' Hi ltac:(lia) ltac:(lia) G). nra.
Qed.

Lemma covariance_nonneg p i : (i < n)%nat -> 0 <= covariance P p i u.
Proof.
  intros Hi. assert (C := covariance_pairs p i u Hi). assert (0 <= 2 * covariance P p i u); [|lra]. rewrite C.
  apply sum_nonneg. intros t Ht. apply sum_nonneg. intros t' Ht'. now apply pair_nonneg.
Qed.

Theorem no_stationary_direction i0 t0 t1 : (i0 < n)%nat -> (t0 < tokens P i0)%nat -> (t1 < tokens P i0)%nat ->
  score P i0 t1 < score P i0 t0 -> logit P u i0 t1 < logit P u i0 t0 -> forall p, 0 < dot (minus_gradient P slope al p) u.
Proof.
  intros Hi H0 H1 Hs Hl p. rewrite minus_gradient_dot. apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat, lt_0_INR; lia|].
  assert (Fp : forall i, (i < n)%nat -> 0 < - slope (output P p i)) by (intros i Hi'; assert (F := falls _ (output_bounds P loss slope lo hi p i Reg Hi')); lra).
  apply sum_pos with i0; [apply in_seq; lia| |].
  - apply Rmult_lt_0_compat; auto. assert (C := covariance_pairs p i0 u Hi). assert (0 < 2 * covariance P p i0 u); [|lra]. rewrite C.
    apply sum_pos with t0; [apply in_seq; lia| |intros t Ht; apply sum_nonneg; intros t' Ht'; now apply pair_nonneg].
    apply sum_pos with t1; [apply in_seq; lia| |intros t' Ht'; apply pair_nonneg; auto; apply in_seq; lia].
    assert (A := attention_le_1 P loss slope lo hi p i0 t0 Reg Hi H0). assert (A' := attention_le_1 P loss slope lo hi p i0 t1 Reg Hi H1).
    apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|apply Rmult_lt_0_compat; lra].
  - intros i Hi'. apply in_seq in Hi'. apply Rmult_le_pos; [left; apply Fp; lia|apply covariance_nonneg; lia].
Qed.
End Landscape.

(** k_it.u = c_i gamma_it, up to a constant of the sample. *)
Theorem no_stationary_scores {E : space} (P : problem E) loss slope lo hi al u (c b : nat -> R) :
  regular P loss slope lo hi -> (forall x, lo <= x <= hi -> slope x < 0) -> selection P al ->
  (forall i t, (i < samples P)%nat -> (t < tokens P i)%nat -> logit P u i t = c i * score P i t + b i) ->
  (forall i t t', (i < samples P)%nat -> (t < tokens P i)%nat -> (t' < tokens P i)%nat -> score P i t' < score P i t -> 0 <= c i) ->
  (exists i t t', (i < samples P)%nat /\ (t < tokens P i)%nat /\ (t' < tokens P i)%nat /\ score P i t' < score P i t /\ 0 < c i) ->
  forall p, 0 < dot (minus_gradient P slope al p) u.
Proof.
  intros Reg F S Hu Hc (i & t & t' & Hi & Ht & Ht' & Hs & Cp).
  apply (no_stationary_direction P loss slope lo hi al Reg F S u) with i t t'; auto.
  - intros j s s' Hj Hs1 Hs2 L. rewrite !Hu by auto. assert (C0 := Hc j s s' Hj Hs1 Hs2 L). nra.
  - rewrite !Hu by auto. nra.
Qed.

(** "query" over W: U = v q^T has x_it.U z_i = (q.z_i)(v.x_it) = Y_i (q.z_i) gamma_it, with gamma_it = Y_i v.x_it and Y_i^2 = 1. *)
Theorem query_direction d n T (x : nat -> nat -> coordinates d) (z : nat -> coordinates d) (Y : nat -> R) (v q : coordinates d) i t :
  Y i * Y i = 1 ->
  logit (wproblem d n T x z (fun i t => Y i * dot v (x i t))) (outer d d v q) i t = Y i * dot q (z i) * (Y i * dot v (x i t)).
Proof.
  intros HY. unfold logit, wproblem, key. rewrite (outer_outer d d (x i t) (z i) v q : dot _ _ = _).
  change (rdot d (x i t) v) with (dot (x i t) v). change (rdot d (z i) q) with (dot (z i) q). rewrite (dot_sym v), (dot_sym q).
  replace (Y i * dot (z i) q * (Y i * dot (x i t) v)) with (Y i * Y i * (dot (x i t) v * dot (z i) q)) by ring. rewrite HY. ring.
Qed.

(** "rank": independent queries have such a q. *)
Theorem query_exists d n (z : nat -> coordinates d) (Y : nat -> R) : independent z n -> exists q : coordinates d, forall i, (i < n)%nat -> dot (z i) q = Y i.
Proof. intros I. exact (independent_solvable z n I Y). Qed.
