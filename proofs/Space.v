(** Vectors.  The rules use vectors through inner products alone (docs/theory.md, section 6, "For W"), so they are proved
    over any space with a symmetric bilinear form that is nowhere negative.  Two instances: R^d with the dot product
    (statements over `p`) and d x d matrices with the Frobenius product (statements over `W`, docs/certificate.md 4.11).
    Two vectors are the same for the form when the norm of their difference is 0; in R^d that is equality of all components. *)
From Coq Require Import Reals List Lra Lia Psatz.
From Attest Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Record space := Space {
  vec :> Type;
  vzero : vec;
  vadd : vec -> vec -> vec;
  vscal : R -> vec -> vec;
  dot : vec -> vec -> R;
  dot_sym : forall x y, dot x y = dot y x;
  dot_zero_l : forall x, dot vzero x = 0;
  dot_add_l : forall x y z, dot (vadd x y) z = dot x z + dot y z;
  dot_scal_l : forall k x z, dot (vscal k x) z = k * dot x z;
  dot_pos : forall x, 0 <= dot x x }.

Arguments vzero {_}. Arguments vadd {_}. Arguments vscal {_}. Arguments dot {_}.
Arguments dot_sym {_}. Arguments dot_zero_l {_}. Arguments dot_add_l {_}. Arguments dot_scal_l {_}. Arguments dot_pos {_}.

Section Space.
Context {E : space}.
Implicit Types x y z w : E.

Definition vsub x y := vadd x (vscal (-1) y).
Definition norm x := sqrt (dot x x).
Fixpoint vsum {A} (l : list A) (f : A -> E) : E :=
  match l with [] => vzero | c :: l => vadd (f c) (vsum l f) end.

Lemma dot_zero_r x : dot x vzero = 0.
Proof. rewrite dot_sym. apply dot_zero_l. Qed.
Lemma dot_add_r x y z : dot z (vadd x y) = dot z x + dot z y.
Proof. rewrite dot_sym, dot_add_l, (dot_sym x), (dot_sym y). ring. Qed.
Lemma dot_scal_r k x z : dot z (vscal k x) = k * dot z x.
Proof. rewrite dot_sym, dot_scal_l, (dot_sym x). ring. Qed.
Lemma dot_sub_l x y z : dot (vsub x y) z = dot x z - dot y z.
Proof. unfold vsub. rewrite dot_add_l, dot_scal_l. ring. Qed.
Lemma dot_sub_r x y z : dot z (vsub x y) = dot z x - dot z y.
Proof. unfold vsub. rewrite dot_add_r, dot_scal_r. ring. Qed.
Lemma dot_vsum_l {A} (l : list A) f z : dot (vsum l f) z = sum l (fun c => dot (f c) z).
Proof. induction l as [|c l IH]; simpl; [apply dot_zero_l|]. now rewrite dot_add_l, IH. Qed.
Lemma dot_vsum_r {A} (l : list A) f z : dot z (vsum l f) = sum l (fun c => dot z (f c)).
Proof. rewrite dot_sym, dot_vsum_l. apply sum_ext. intros; apply dot_sym. Qed.

Lemma norm_pos x : 0 <= norm x.
Proof. apply sqrt_pos. Qed.
Lemma norm_sqr x : norm x * norm x = dot x x.
Proof. apply sqrt_sqrt, dot_pos. Qed.

Lemma cauchy_schwarz_sq x y : dot x y * dot x y <= dot x x * dot y y.
Proof.
  apply discriminant. intros t.
  replace (_ + _ + _) with (dot (vadd (vscal t x) y) (vadd (vscal t x) y)); [apply dot_pos|].
  rewrite !dot_add_l, !dot_add_r, !dot_scal_l, !dot_scal_r, (dot_sym y x). ring.
Qed.

Lemma cauchy_schwarz_abs x y : Rabs (dot x y) <= norm x * norm y.
Proof.
  apply le_of_sq; [apply Rmult_le_pos; apply norm_pos|].
  rewrite <- Rabs_mult, Rabs_pos_eq by apply Rle_0_sqr.
  apply Rle_trans with (1 := cauchy_schwarz_sq x y). rewrite <- !norm_sqr. right; ring.
Qed.

Lemma cauchy_schwarz x y : dot x y <= norm x * norm y.
Proof. apply Rle_trans with (2 := cauchy_schwarz_abs x y), Rle_abs. Qed.

Lemma norm_scal k x : norm (vscal k x) = Rabs k * norm x.
Proof.
  unfold norm. rewrite dot_scal_l, dot_scal_r.
  replace (k * (k * dot x x)) with ((k * k) * dot x x) by ring.
  rewrite sqrt_mult_alt by apply Rle_0_sqr. now rewrite <- (sqrt_Rsqr_abs k).
Qed.

Lemma norm_triangle x y : norm (vadd x y) <= norm x + norm y.
Proof.
  assert (Hx := norm_pos x). assert (Hy := norm_pos y).
  apply sqrt_le_of_sq; [lra|].
  rewrite !dot_add_l, !dot_add_r, (dot_sym y x). assert (H := cauchy_schwarz x y).
  rewrite <- (norm_sqr x), <- (norm_sqr y). nra.
Qed.

Lemma norm_zero : norm (vzero : E) = 0.
Proof. unfold norm. now rewrite dot_zero_l, sqrt_0. Qed.

Lemma norm_sub_sqr x y : norm (vsub x y) * norm (vsub x y) = dot x x - 2 * dot x y + dot y y.
Proof. rewrite norm_sqr, dot_sub_l, !dot_sub_r, (dot_sym y x). ring. Qed.

Lemma norm_vsum {A} (l : list A) (f : A -> E) : norm (vsum l f) <= sum l (fun c => norm (f c)).
Proof.
  induction l as [|c l IH]; simpl; [rewrite norm_zero; lra|].
  apply Rle_trans with (1 := norm_triangle _ _). lra.
Qed.

(** The form does not tell vectors apart whose difference has norm 0. *)
Lemma norm_zero_dot x y : norm x = 0 -> dot x y = 0.
Proof.
  intros H. assert (C := cauchy_schwarz_abs x y). rewrite H, Rmult_0_l in C.
  assert (P := Rabs_pos (dot x y)). destruct (Req_dec (dot x y) 0) as [|N]; auto.
  apply Rabs_pos_lt in N. lra.
Qed.

Definition same x y := forall z, dot x z = dot y z.

Lemma same_norm_sub x y : same x y <-> norm (vsub x y) = 0.
Proof.
  split.
  - intros H. unfold norm. rewrite dot_sub_l, H, Rminus_diag_eq by easy. apply sqrt_0.
  - intros H z. apply Rminus_diag_uniq. rewrite <- dot_sub_l. now apply norm_zero_dot.
Qed.

Lemma same_refl x : same x x. Proof. easy. Qed.
Lemma same_sym x y : same x y -> same y x. Proof. intros H z; now rewrite H. Qed.
Lemma same_trans x y z : same x y -> same y z -> same x z. Proof. intros H H' t; now rewrite H, H'. Qed.
Lemma same_r x y z : same x y -> dot z x = dot z y.
Proof. intros H. now rewrite !(dot_sym z), H. Qed.
Lemma same_norm x y : same x y -> norm x = norm y.
Proof. intros H. unfold norm. now rewrite H, (same_r x y y H). Qed.
Lemma line_start x y : same (vadd x (vscal 0 y)) x.
Proof. intros z. rewrite dot_add_l, dot_scal_l. ring. Qed.
End Space.

(** R^d. *)
Section Coordinates.
Variable d : nat.
Definition rdot (x y : nat -> R) := sum (seq 0 d) (fun j => x j * y j).

Definition coordinates : space.
Proof.
  refine (Space (nat -> R) (fun _ => 0) (fun x y j => x j + y j) (fun k x j => k * x j) rdot _ _ _ _ _); unfold rdot.
  - intros x y. apply sum_ext. intros; ring.
  - intros x. apply sum_zero. intros; ring.
  - intros x y z. rewrite <- sum_plus. apply sum_ext. intros; ring.
  - intros k x z. rewrite <- sum_scal. apply sum_ext. intros; ring.
  - intros x. apply sum_nonneg. intros; apply Rle_0_sqr.
Defined.

Theorem same_coordinates (x y : coordinates) : same x y <-> forall j, (j < d)%nat -> x j = y j.
Proof.
  split.
  - intros H j Hj. apply same_norm_sub in H.
    assert (S : dot (vsub x y) (vsub x y) = 0) by (rewrite <- norm_sqr, H; ring).
    simpl in S. unfold rdot, vsub in S. simpl in S.
    assert (Z := sum_nonneg_zero _ _ (fun k _ => Rle_0_sqr _) S j). unfold Rsqr in Z.
    assert (In j (seq 0 d)) by (apply in_seq; lia). apply Z in H0. nra.
  - intros H z. simpl. unfold rdot. apply sum_ext. intros j Hj. rewrite H; auto. apply in_seq in Hj. lia.
Qed.
End Coordinates.

(** d x m matrices with the Frobenius product; outer products x z^T. *)
Section Matrices.
Variables d m : nat.
Definition mdot (X Y : nat -> nat -> R) := sum (seq 0 d) (fun j => sum (seq 0 m) (fun k => X j k * Y j k)).

Definition matrices : space.
Proof.
  refine (Space (nat -> nat -> R) (fun _ _ => 0) (fun x y j k => x j k + y j k) (fun c x j k => c * x j k) mdot _ _ _ _ _); unfold mdot.
  - intros x y. apply sum_ext. intros; apply sum_ext. intros; ring.
  - intros x. apply sum_zero. intros; apply sum_zero. intros; ring.
  - intros x y z. rewrite <- sum_plus. apply sum_ext. intros. rewrite <- sum_plus. apply sum_ext. intros; ring.
  - intros k x z. rewrite <- sum_scal. apply sum_ext. intros. rewrite <- sum_scal. apply sum_ext. intros; ring.
  - intros x. apply sum_nonneg. intros; apply sum_nonneg. intros; apply Rle_0_sqr.
Defined.

Definition outer (x z : nat -> R) : matrices := fun j k => x j * z k.
Definition apply_matrix (W : nat -> nat -> R) (z : nat -> R) : nat -> R := fun j => sum (seq 0 m) (fun k => W j k * z k).

(** <x z^T, W> = x . W z, and <x z^T, x' z'^T> = (x . x')(z . z'): a checker never needs the matrices (4.19). *)
Theorem outer_dot x z W : dot (outer x z) W = rdot d x (apply_matrix W z).
Proof.
  simpl. unfold mdot, rdot, outer, apply_matrix. apply sum_ext. intros j _.
  rewrite <- sum_scal. apply sum_ext. intros; ring.
Qed.

Theorem outer_outer x z x' z' : dot (outer x z) (outer x' z') = rdot d x x' * rdot m z z'.
Proof.
  simpl. unfold mdot, rdot, outer. rewrite <- sum_scal_r. apply sum_ext. intros j _.
  rewrite <- sum_scal. apply sum_ext. intros; ring.
Qed.
End Matrices.
