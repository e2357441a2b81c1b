(** The forms of `curvature-bound` over W (docs/certificate.md 4.32, clauses 3 and 4; docs/theory.md 6.1): keys x_it z_i^T, directions U.
    - `wide_by_query`: the logits of sample i differ by at most D_i |U z_i| along U; `widths_form`: if A I - sum_i c_i D_i^2 z_i z_i^T is semidefinite, sum_i c_i D_i^2 |U z_i|^2 <= A |U|^2.
    - `wide_by_centred`: their squares by 2 |z_i|^2 sum_t |U^T y_it|^2; `tokens_form`: if B I - sum_i 2 c_i q_i sum_t y_it y_it^T is semidefinite, sum_i c_i 2 q_i sum_t |U^T y_it|^2 <= B |U|^2, q_i = |z_i|^2.
    With `curvature_bound` (SharpCurvature.v), whose `form` they are, this is clause 5: A + B <= n bound. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature SharpCurvature.
Import ListNotations.
Open Scope R_scope.

Section Forms.
Variable d : nat.
Notation Vec := (coordinates d).
Notation Mat := (matrices d d).
Variable P : problem Mat.
Notation n := (samples P).
Variables (x : nat -> nat -> Vec) (zq : nat -> Vec).
Variable keys : forall i t, key P i t = outer d d (x i t) (zq i).

Definition image (U : Mat) i : Vec := apply_matrix d U (zq i).
Definition row_of (U : Mat) j : Vec := fun k => U j k.
Definition column_of (U : Mat) k : Vec := fun j => U j k.
(** U^T y *)
Definition transposed (U : Mat) (y : Vec) : Vec := fun k => dot y (column_of U k).

Lemma logit_image U i t : logit P U i t = dot (x i t) (image U i).
Proof. unfold logit. rewrite keys. exact (outer_dot d d (x i t) (zq i) U). Qed.

Lemma wide_by_query i U Di : 0 <= Di -> (forall t t', (t < tokens P i)%nat -> (t' < tokens P i)%nat -> norm (vsub (x i t) (x i t')) <= Di) -> wide P i U (Di * norm (image U i)).
Proof.
  intros HD H. split; [apply Rmult_le_pos; auto using norm_pos|]. intros t t' Ht Ht'. rewrite !logit_image, <- dot_sub_l. apply Rle_trans with (1 := cauchy_schwarz _ _). apply Rmult_le_compat_r; auto using norm_pos.
Qed.

Lemma image_square U i : dot (image U i) (image U i) = sum (seq 0 d) (fun j => dot (row_of U j) (zq i) * dot (row_of U j) (zq i)).
Proof. reflexivity. Qed.
Lemma matrix_rows U : dot U U = sum (seq 0 d) (fun j => dot (row_of U j) (row_of U j)).
Proof. reflexivity. Qed.
Lemma matrix_columns U : dot U U = sum (seq 0 d) (fun k => dot (column_of U k) (column_of U k)).
Proof. simpl. unfold mdot, rdot, column_of. apply sum_exchange. Qed.

Theorem widths_form (c D : nat -> R) A U : (forall y : Vec, sum (seq 0 n) (fun i => c i * (D i * D i) * (dot y (zq i) * dot y (zq i))) <= A * dot y y) ->
  sum (seq 0 n) (fun i => c i * (D i * norm (image U i) * (D i * norm (image U i)))) <= A * dot U U.
Proof.
  intros H. rewrite matrix_rows, <- sum_scal. rewrite (sum_ext (seq 0 n) _ (fun i => sum (seq 0 d) (fun j => c i * (D i * D i) * (dot (row_of U j) (zq i) * dot (row_of U j) (zq i))))).
  - rewrite sum_exchange. apply sum_le. intros j _. apply H.
  - intros i _. replace (c i * (D i * norm (image U i) * (D i * norm (image U i)))) with (c i * (D i * D i) * (norm (image U i) * norm (image U i))) by ring. rewrite norm_sqr, image_square, <- sum_scal. easy.
Qed.

Lemma transposed_dot U y i : dot y (image U i) = dot (transposed U y) (zq i).
Proof.
  simpl. unfold rdot, image, apply_matrix, transposed. simpl. unfold rdot, column_of. rewrite (sum_ext (seq 0 d) (fun j => y j * sum (seq 0 d) (fun k => U j k * zq i k)) (fun j => sum (seq 0 d) (fun k => y j * U j k * zq i k))) by (intros; rewrite <- sum_scal; apply sum_ext; intros; ring).
  rewrite sum_exchange. apply sum_ext. intros k _. rewrite sum_scal_r. easy.
Qed.

Lemma wide_by_centred i U (centre : Vec) : exists W, wide P i U W /\ W * W <= 2 * dot (zq i) (zq i) * sum (seq 0 (tokens P i)) (fun t => dot (transposed U (vsub (x i t) centre)) (transposed U (vsub (x i t) centre))).
Proof.
  eexists. split; [exact (wide_by_tokens P i U (outer d d centre (zq i)))|]. rewrite sqrt_sqrt by (apply Rmult_le_pos; [lra|]; apply sum_nonneg; intros; apply Rle_0_sqr).
  rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. rewrite <- sum_scal. apply sum_le. intros t _.
  assert (E1 : dot (vsub (key P i t) (outer d d centre (zq i))) U = dot (transposed U (vsub (x i t) centre)) (zq i)).
  { rewrite <- transposed_dot, !dot_sub_l, keys. f_equal; [exact (outer_dot d d (x i t) (zq i) U)|exact (outer_dot d d centre (zq i) U)]. }
  rewrite E1. apply Rle_trans with (1 := cauchy_schwarz_sq _ _). right. ring.
Qed.

Theorem tokens_form (c q : nat -> R) (y : nat -> nat -> Vec) B U : (forall v : Vec, sum (seq 0 n) (fun i => 2 * c i * q i * sum (seq 0 (tokens P i)) (fun t => dot (y i t) v * dot (y i t) v)) <= B * dot v v) ->
  sum (seq 0 n) (fun i => c i * (2 * q i * sum (seq 0 (tokens P i)) (fun t => dot (transposed U (y i t)) (transposed U (y i t))))) <= B * dot U U.
Proof.
  intros H. rewrite matrix_columns, <- sum_scal.
  rewrite (sum_ext (seq 0 n) _ (fun i => sum (seq 0 d) (fun k => 2 * c i * q i * sum (seq 0 (tokens P i)) (fun t => dot (y i t) (column_of U k) * dot (y i t) (column_of U k))))).
  - rewrite sum_exchange. apply sum_le. intros k _. apply H.
  - intros i _. rewrite sum_scal, sum_exchange. replace (c i * (2 * q i * sum (seq 0 (tokens P i)) (fun t => dot (transposed U (y i t)) (transposed U (y i t))))) with (2 * c i * q i * sum (seq 0 (tokens P i)) (fun t => dot (transposed U (y i t)) (transposed U (y i t)))) by ring. reflexivity.
Qed.
End Forms.
