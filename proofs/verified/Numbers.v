(** Rational numbers and vectors that a program computes with, and the real numbers that they stand for.
    Every operation reduces its result, so that numbers stay short; `Q2R` of it is the operation of the real numbers. *)
From Coq Require Import QArith Qreals Reals List Lra Lia Arith Bool.
From Attest Require Import Sums Space.
Import ListNotations.
Open Scope R_scope.

Definition qadd x y := Qred (Qplus x y).
Definition qsub x y := Qred (Qminus x y).
Definition qmul x y := Qred (Qmult x y).
Definition qdiv x y := Qred (Qdiv x y).
Definition qeq := Qeq_bool.
Definition qle := Qle_bool.
Definition qlt x y := negb (Qle_bool y x).

Lemma real_red x : Q2R (Qred x) = Q2R x.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma real_add x y : Q2R (qadd x y) = Q2R x + Q2R y.
Proof. unfold qadd. now rewrite real_red, Q2R_plus. Qed.
Lemma real_sub x y : Q2R (qsub x y) = Q2R x - Q2R y.
Proof. unfold qsub. now rewrite real_red, Q2R_minus. Qed.
Lemma real_mul x y : Q2R (qmul x y) = Q2R x * Q2R y.
Proof. unfold qmul. now rewrite real_red, Q2R_mult. Qed.
Lemma real_0 : Q2R 0 = 0. Proof. unfold Q2R; simpl; lra. Qed.
Lemma real_1 : Q2R 1 = 1. Proof. unfold Q2R; simpl; lra. Qed.

Lemma qeq_real x y : qeq x y = true <-> Q2R x = Q2R y.
Proof.
  unfold qeq. rewrite Qeq_bool_iff. split; [apply Qeq_eqR|apply eqR_Qeq].
Qed.
Lemma qle_real x y : qle x y = true <-> Q2R x <= Q2R y.
Proof. unfold qle. rewrite Qle_bool_iff. split; [apply Qle_Rle|apply Rle_Qle]. Qed.
Lemma qlt_real x y : qlt x y = true <-> Q2R x < Q2R y.
Proof.
  unfold qlt. rewrite negb_true_iff. destruct (Qle_bool y x) eqn:L.
  - apply qle_real in L. split; [easy|lra].
  - split; [|easy]. intros _. apply Rnot_le_lt. intros H. apply qle_real in H. unfold qle in H. congruence.
Qed.
Lemma qeq_false x y : qeq x y = false <-> Q2R x <> Q2R y.
Proof. split; intros H; [|apply not_true_is_false]; rewrite <- qeq_real in *; congruence. Qed.
Lemma real_div x y : Q2R y <> 0 -> Q2R (qdiv x y) = Q2R x / Q2R y.
Proof.
  intros H. unfold qdiv. rewrite real_red, Q2R_div; auto. intros E. apply Qeq_eqR in E. now rewrite real_0 in E.
Qed.

(** A list of numbers stands for the vector of its entries, and 0 beyond them. *)
Definition real_vector (x : list Q) : nat -> R := fun j => Q2R (nth j x 0%Q).

Fixpoint qdot (x y : list Q) : Q :=
  match x, y with a :: x, b :: y => Qred (Qplus (Qmult a b) (qdot x y)) | _, _ => 0%Q end.
Fixpoint zip (f : Q -> Q -> Q) (x y : list Q) : list Q :=
  match x, y with a :: x, b :: y => f a b :: zip f x y | _, _ => [] end.
Definition vector_add := zip qadd.
Definition vector_sub := zip qsub.
Definition vector_scale k := map (qmul k).
Fixpoint same_list (x y : list Q) : bool :=
  match x, y with [], [] => true | a :: x, b :: y => (qeq a b && same_list x y)%bool | _, _ => false end.

Lemma sum_seq_shift n f : sum (seq 0 (S n)) f = f 0%nat + sum (seq 0 n) (fun j => f (S j)).
Proof. simpl. f_equal. now rewrite <- seq_shift, sum_map. Qed.

Lemma real_dot d x y : length x = d -> length y = d -> Q2R (qdot x y) = rdot d (real_vector x) (real_vector y).
Proof.
  revert x y. induction d as [|d IH]; intros [|a x] [|b y] Hx Hy; try discriminate.
  - unfold rdot. simpl. apply real_0.
  - cbn [qdot]. rewrite real_red, Q2R_plus, Q2R_mult. unfold rdot. rewrite sum_seq_shift. f_equal. apply IH; simpl in *; lia.
Qed.

Lemma zip_length f x y : length x = length y -> length (zip f x y) = length x.
Proof. revert y. induction x as [|a x IH]; intros [|b y] H; try discriminate; simpl; auto. Qed.

Lemma zip_real f g x y : (forall a b, Q2R (f a b) = g (Q2R a) (Q2R b)) -> g 0 0 = 0 -> length x = length y ->
  forall j, real_vector (zip f x y) j = g (real_vector x j) (real_vector y j).
Proof.
  intros Hf H0. revert y. unfold real_vector. induction x as [|a x IH]; intros [|b y] H j; try discriminate; simpl.
  - destruct j; now rewrite real_0, H0.
  - destruct j as [|j]; [apply Hf|]. apply IH. now inversion H.
Qed.

Lemma real_vector_add x y : length x = length y -> forall j, real_vector (vector_add x y) j = real_vector x j + real_vector y j.
Proof. intros H. apply (zip_real _ Rplus); auto using real_add. lra. Qed.
Lemma real_vector_sub x y : length x = length y -> forall j, real_vector (vector_sub x y) j = real_vector x j - real_vector y j.
Proof. intros H. apply (zip_real _ Rminus); auto using real_sub. lra. Qed.
Lemma real_vector_scale k x : forall j, real_vector (vector_scale k x) j = Q2R k * real_vector x j.
Proof.
  unfold real_vector, vector_scale. induction x as [|a x IH]; intros [|j]; simpl; try (rewrite real_0; ring); auto. apply real_mul.
Qed.
Lemma scale_length k x : length (vector_scale k x) = length x.
Proof. apply map_length. Qed.

Lemma same_list_length x y : same_list x y = true -> length x = length y.
Proof.
  revert y. induction x as [|a x IH]; intros [|b y] H; simpl in *; try discriminate; auto.
  apply andb_prop in H. f_equal. now apply IH.
Qed.
Lemma same_list_real x y : same_list x y = true -> forall j, real_vector x j = real_vector y j.
Proof.
  revert y. unfold real_vector. induction x as [|a x IH]; intros [|b y] H j; simpl in *; try discriminate; auto.
  apply andb_prop in H. destruct H as [H1 H2]. destruct j; [now apply qeq_real|]. now apply IH.
Qed.

(** Sum of numbers times vectors. *)
Section Combination.
Context {A : Type}.
Variables (d : nat) (vector : A -> list Q).
Fixpoint qcombine (l : list (A * Q)) : list Q :=
  match l with [] => repeat 0%Q d | e :: l => vector_add (vector_scale (snd e) (vector (fst e))) (qcombine l) end.

Lemma qcombine_length l : (forall e, In e l -> length (vector (fst e)) = d) -> length (qcombine l) = d.
Proof.
  induction l as [|e l IH]; simpl; intros H; [apply repeat_length|].
  assert (Hl : length (qcombine l) = d) by (apply IH; auto). assert (He : length (vector (fst e)) = d) by auto.
  unfold vector_add. rewrite zip_length; rewrite scale_length; lia.
Qed.

Lemma qcombine_real l : (forall e, In e l -> length (vector (fst e)) = d) ->
  forall j, real_vector (qcombine l) j = sum l (fun e => Q2R (snd e) * real_vector (vector (fst e)) j).
Proof.
  induction l as [|e l IH]; intros H j; cbn [qcombine sum].
  - unfold real_vector. destruct (nth_in_or_default j (repeat 0%Q d) 0%Q) as [I|E]; [apply repeat_spec in I; rewrite I|rewrite E]; apply real_0.
  - rewrite real_vector_add, real_vector_scale, IH; auto; [intros; apply H; now right|].
    rewrite scale_length, qcombine_length; [apply H; now left|intros; apply H; now right].
Qed.
End Combination.

(** Sums of numbers. *)
Fixpoint qsum {A} (l : list A) (f : A -> Q) : Q := match l with [] => 0%Q | c :: l => qadd (f c) (qsum l f) end.
Lemma real_sum {A} (l : list A) f : Q2R (qsum l f) = sum l (fun c => Q2R (f c)).
Proof. induction l as [|c l IH]; simpl; [apply real_0|]. now rewrite real_add, IH. Qed.
