(** `nuclear-bracket` (docs/certificate.md 4.12).
    The nuclear norm of W is taken here as the greatest lower bound of 1/2 (|A|^2 + |B|^2) over all factorisations W = A B^T
    (any number of columns), which for matrices is the sum of the singular values.  Then
    - upper: a feasible W = A B^T has nuc(W) <= 1/2 (|A|^2 + |B|^2);
    - lower: lambda >= 0 and M = sum lambda_c a_c with |M x| <= |x| for every x give nuc(W) >= <M, W> >= sum lambda_c for every feasible W;
    - the n x n matrix z_i.z_j - (M z_i).(M z_j) is semidefinite only if I - M^T M is, M vanishing across the queries;
    - a form F is semidefinite where F - R R^T is diagonally dominant. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Attest Require Import Sums Space Svm Select Rank.
Import ListNotations.
Open Scope R_scope.

(** `root`: E = F - R R^T is diagonally dominant, so F is positive semidefinite. *)
Section Root.
Variable n : nat.
Notation indices := (seq 0 n).
Definition form (F : nat -> nat -> R) (q : nat -> R) := sum indices (fun i => sum indices (fun j => q i * q j * F i j)).

Lemma dominant_form E q : (forall i j, E i j = E j i) ->
  (forall i, (i < n)%nat -> sum indices (fun j => Rabs (E i j)) <= 2 * E i i) -> 0 <= form E q.
Proof.
  intros S D.
  set (half := fun i j => / 2 * (q i * q i) * Rabs (E i j)).
  assert (T : 0 <= sum indices (fun i => sum indices (fun j => q i * q j * E i j + half i j + half j i - (if (i =? j)%nat then 2 * (q i * q i) * E i i else 0)))).
  { apply sum_nonneg. intros i _. apply sum_nonneg. intros j _. unfold half. rewrite (S j i).
    destruct (Nat.eqb_spec i j) as [<-|_].
    - assert (A := Rle_abs (E i i)). assert (B := Rle_0_sqr (q i)). unfold Rsqr in B. nra.
    - assert (A := Rle_abs (E i j)). assert (A' := Rle_abs (- E i j)). rewrite Rabs_Ropp in A'.
      assert (B := Rle_0_sqr (q i + q j)). assert (B' := Rle_0_sqr (q i - q j)). unfold Rsqr in B, B'. nra. }
  assert (X : sum indices (fun i => sum indices (fun j => half j i)) = sum indices (fun i => sum indices (fun j => half i j))).
  { apply sum_exchange. }
  assert (Y : sum indices (fun i => sum indices (fun j => if (i =? j)%nat then 2 * (q i * q i) * E i i else 0)) =
              sum indices (fun i => 2 * (q i * q i) * E i i)).
  { apply sum_ext. intros i Hi. apply in_seq in Hi. rewrite (sum_others n i) by lia. rewrite Nat.eqb_refl, sum_zero; [ring|].
    intros j Hj. apply in_others in Hj. destruct (Nat.eqb_spec i j); [lia|easy]. }
  assert (Z : sum indices (fun i => sum indices (fun j => half i j)) <= sum indices (fun i => (q i * q i) * E i i)).
  { apply sum_le. intros i Hi. apply in_seq in Hi. unfold half. rewrite sum_scal. assert (H := D i ltac:(lia)).
    assert (B := Rle_0_sqr (q i)). unfold Rsqr in B. nra. }
  assert (L : sum indices (fun i => sum indices (fun j => q i * q j * E i j + half i j + half j i - (if (i =? j)%nat then 2 * (q i * q i) * E i i else 0))) =
              form E q + sum indices (fun i => sum indices (fun j => half i j)) + sum indices (fun i => sum indices (fun j => half j i)) -
              sum indices (fun i => sum indices (fun j => if (i =? j)%nat then 2 * (q i * q i) * E i i else 0))).
  { unfold form. rewrite <- !sum_plus, <- sum_minus. apply sum_ext. intros i _. now rewrite <- !sum_plus, <- sum_minus. }
  rewrite L, X, Y in T.
  assert (U : sum indices (fun i => 2 * (q i * q i) * E i i) = 2 * sum indices (fun i => (q i * q i) * E i i)).
  { rewrite <- sum_scal. apply sum_ext. intros; ring. }
  lra.
Qed.

Lemma square_form m (R0 : nat -> nat -> R) q : 0 <= form (fun i j => sum (seq 0 m) (fun k => R0 i k * R0 j k)) q.
Proof.
  assert (E : form (fun i j => sum (seq 0 m) (fun k => R0 i k * R0 j k)) q =
              sum (seq 0 m) (fun k => sum indices (fun i => q i * R0 i k) * sum indices (fun j => q j * R0 j k))).
  { unfold form. rewrite (sum_ext _ _ (fun i => sum (seq 0 m) (fun k => q i * R0 i k * sum indices (fun j => q j * R0 j k)))).
    - rewrite sum_exchange. apply sum_ext. intros k _. apply sum_scal_r.
    - intros i _. rewrite (sum_ext _ _ (fun j => sum (seq 0 m) (fun k => q i * R0 i k * (q j * R0 j k)))).
      + rewrite sum_exchange. apply sum_ext. intros k _. apply sum_scal.
      + intros j _. rewrite <- sum_scal. apply sum_ext. intros; ring. }
  rewrite E. apply sum_nonneg. intros k _. apply Rle_0_sqr.
Qed.

Theorem dominant_root m (F R0 : nat -> nat -> R) : (forall i j, F i j = F j i) ->
  (forall i, (i < n)%nat -> sum indices (fun j => Rabs (F i j - sum (seq 0 m) (fun k => R0 i k * R0 j k))) <=
    2 * (F i i - sum (seq 0 m) (fun k => R0 i k * R0 i k))) ->
  forall q, 0 <= form F q.
Proof.
  intros S D q. set (E := fun i j => F i j - sum (seq 0 m) (fun k => R0 i k * R0 j k)).
  assert (A : 0 <= form E q).
  { apply dominant_form; [|exact D]. intros i j. unfold E. rewrite S. f_equal. apply sum_ext. intros; ring. }
  assert (B := square_form m R0 q).
  assert (L : form F q = form E q + form (fun i j => sum (seq 0 m) (fun k => R0 i k * R0 j k)) q).
  { unfold form. rewrite <- sum_plus. apply sum_ext. intros i _. rewrite <- sum_plus. apply sum_ext. intros j _. unfold E. ring. }
  lra.
Qed.
End Root.

Section Nuclear.
Variable d : nat.
Notation V := (coordinates d).
Notation Mat := (matrices d d).

(** Columns a_k, b_k, k < m, stand for A and B. *)
Definition product m (a b : nat -> V) : Mat := vsum (seq 0 m) (fun k => outer d d (a k) (b k)).
Definition cost m (a b : nat -> V) := / 2 * sum (seq 0 m) (fun k => dot (a k) (a k) + dot (b k) (b k)).
Definition factors (W : Mat) (c : R) := exists m a b, same W (product m a b) /\ c = cost m a b.
(** nuc is the nuclear norm of W. *)
Definition nuclear (W : Mat) (nuc : R) := (forall c, factors W c -> nuc <= c) /\ forall l, (forall c, factors W c -> l <= c) -> l <= nuc.

Definition contraction (M : Mat) :=
  forall x : V, rdot d (apply_matrix d M x) (apply_matrix d M x) <= dot x x.

Lemma dual_bound M W c : contraction M -> factors W c -> dot M W <= c.
Proof.
  intros C (m & a & b & H & ->). rewrite dot_sym, H. unfold product, cost. rewrite dot_vsum_l, <- sum_scal.
  apply sum_le. intros k _. rewrite outer_dot. specialize (C (b k)).
  assert (P := dot_pos (vsub (a k) (apply_matrix d M (b k) : V))).
  rewrite dot_sub_l, !dot_sub_r, (dot_sym (apply_matrix d M (b k) : V) (a k)) in P.
  change (rdot d) with (@dot V) in *. lra.
Qed.

Section Program.
Context {A : Type}.
Variable rows : list A.
Variable row : A -> Mat.
Notation feasible := (feasible rows row (fun _ => 1)).

Theorem nuclear_lower lam W nuc : (forall c, In c rows -> 0 <= lam c) -> contraction (vsum rows (fun c => vscal (lam c) (row c))) ->
  feasible W -> nuclear W nuc -> sum rows lam <= nuc.
Proof.
  intros Hl C F [_ N]. apply N. intros c Hc. apply Rle_trans with (2 := dual_bound _ W c C Hc).
  rewrite combination_dot. apply sum_le. intros e He. rewrite <- (Rmult_1_r (lam e)) at 1. apply Rmult_le_compat_l; [now apply Hl|now apply F].
Qed.

Theorem nuclear_upper m a b nuc : feasible (product m a b) -> nuclear (product m a b) nuc -> nuc <= cost m a b.
Proof. intros _ [H _]. apply H. exists m, a, b. split; [apply same_refl|easy]. Qed.

(** The rule: the least nuclear norm of a feasible matrix lies between lower and upper. *)
Theorem nuclear_bracket lam m a b lower upper : (forall c, In c rows -> 0 <= lam c) ->
  contraction (vsum rows (fun c => vscal (lam c) (row c))) -> lower <= sum rows lam -> feasible (product m a b) -> cost m a b <= upper ->
  (forall W nuc, feasible W -> nuclear W nuc -> lower <= nuc) /\
  (exists W, feasible W /\ forall nuc, nuclear W nuc -> nuc <= upper).
Proof.
  intros Hl C Hlo F Hu. split.
  - intros W nuc FW N. apply Rle_trans with (1 := Hlo). now apply (nuclear_lower lam W nuc).
  - exists (product m a b). split; auto. intros nuc N. apply Rle_trans with (2 := Hu). now apply nuclear_upper.
Qed.
End Program.

(** The nuclear norm exists: every W has a factorisation, and costs are not negative. *)
Theorem nuclear_exists W : exists nuc, nuclear W nuc.
Proof.
  set (S := fun x => factors W (- x)).
  assert (B : bound S). { exists 0. intros x (m & a & b & _ & H). assert (0 <= cost m a b).
    { unfold cost. apply Rmult_le_pos; [lra|]. apply sum_nonneg. intros. assert (P := dot_pos (a c)). assert (Q := dot_pos (b c)). lra. } lra. }
  assert (N : exists x, S x).
  { set (e := fun k j => if (j =? k)%nat then 1 else 0 : R). set (col := fun k j => W j k).
    exists (- cost d col e), d, col, e. split; [|ring]. intros z. unfold product. rewrite dot_vsum_l.
    rewrite (sum_ext _ _ (fun k => sum (seq 0 d) (fun j => W j k * z j k))).
    - rewrite sum_exchange. easy.
    - intros k Hk. rewrite outer_dot. unfold rdot. apply sum_ext. intros j Hj. unfold apply_matrix, col. f_equal.
      apply in_seq in Hk. rewrite (sum_others d k) by lia. unfold e. rewrite Nat.eqb_refl, sum_zero; [ring|].
      intros l Hl. apply in_others in Hl. destruct (Nat.eqb_spec l k); [lia|ring]. }
  destruct (completeness S B N) as [s [Hs1 Hs2]]. exists (- s). split.
  - intros c Hc. assert (s >= - c); [|lra]. apply Rle_ge, Hs1. unfold S. now rewrite Ropp_involutive.
  - intros l Hl. assert (s <= - l); [|lra]. apply Hs2. intros x Hx. specialize (Hl _ Hx). lra.
Qed.

(** M = sum over rows lambda_c x_c z_i^T sees x through its products with the queries alone: semidefiniteness on their span decides. *)
Theorem contraction_on_queries (M : Mat) n (z : nat -> V) :
  (forall x y : V, (forall i, (i < n)%nat -> dot (z i) x = dot (z i) y) -> forall u, dot u (apply_matrix d M x : V) = dot u (apply_matrix d M y : V)) ->
  (forall q, rdot d (apply_matrix d M (combination z n q)) (apply_matrix d M (combination z n q)) <= dot (combination z n q) (combination z n q)) ->
  contraction M.
Proof.
  intros HM H x. destruct (projection z n x) as [q Hq]. specialize (H q).
  assert (E1 : forall i, (i < n)%nat -> dot (z i) x = dot (z i) (combination z n q)).
  { intros i Hi. specialize (Hq i Hi). rewrite dot_sub_r in Hq. lra. }
  assert (X := HM _ _ E1). change (rdot d) with (@dot V) in *.
  rewrite X, (dot_sym (apply_matrix d M x : V)), X.
  apply Rle_trans with (1 := H).
  assert (O : dot (combination z n q) (vsub x (combination z n q)) = 0).
  { rewrite combination_l. apply sum_zero. intros i Hi. apply in_seq in Hi. rewrite Hq by lia. ring. }
  assert (P := dot_pos (vsub x (combination z n q))). rewrite dot_sub_l, O in P. rewrite dot_sub_r in P, O. assert (Y := dot_sym x (combination z n q)). lra.
Qed.
End Nuclear.
