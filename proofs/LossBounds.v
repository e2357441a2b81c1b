(** `loss-bounds` and `loss-not-decreasing` (docs/certificate.md 4.1, 4.2) from enclosures: the cells between lo, the cuts and hi cover [lo, hi], so bounds that hold on each
    cell hold on the interval; where l' >= 0 on [a, b], l(a) <= l(b).  That a jet encloses the loss and its derivatives (section 3) is
    proved in Jets.v. *)
From Coq Require Import Reals List Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Curvature.
Import ListNotations.
Open Scope R_scope.

(** The cells of 4.1: [lo, c_1], [c_1, c_2], ..., [c_m, hi]. *)
Fixpoint cells (lo : R) (cuts : list R) (hi : R) : list (R * R) :=
  match cuts with [] => [(lo, hi)] | c :: cuts => (lo, c) :: cells c cuts hi end.

Lemma cells_cover cuts : forall lo hi x, lo <= x <= hi -> exists c, In c (cells lo cuts hi) /\ fst c <= x <= snd c.
Proof.
  induction cuts as [|c cuts IH]; intros lo hi x Hx; simpl; [exists (lo, hi); simpl; auto|].
  destruct (Rle_or_lt x c) as [L|G]; [exists (lo, c); simpl; split; [now left|lra]|].
  destruct (IH c hi x ltac:(lra)) as (d & Hd & Hx'). exists d. split; [now right|auto].
Qed.

Theorem loss_bounds (slope curv : R -> R) lo hi cuts sup m0 m1 (scores : list R) :
  sup < 0 ->
  (forall c, In c (cells lo cuts hi) -> forall x, fst c <= x <= snd c -> slope x <= sup /\ - slope x <= m1 /\ curv x <= m0 /\ - curv x <= m0) ->
  (forall s, In s scores -> lo <= s <= hi) ->
  (forall x, lo <= x <= hi -> slope x <= sup /\ slope x < 0 /\ Rabs (slope x) <= m1 /\ Rabs (curv x) <= m0) /\
  (forall s, In s scores -> slope s < 0).
Proof.
  intros Hs H Hc.
  assert (All : forall x, lo <= x <= hi -> slope x <= sup /\ slope x < 0 /\ Rabs (slope x) <= m1 /\ Rabs (curv x) <= m0).
  { intros x Hx. destruct (cells_cover cuts lo hi x Hx) as (c & Hin & Hcx). destruct (H c Hin x Hcx) as (A & B & C & D).
    split; [lra|]. split; [lra|]. split; apply Rabs_le; lra. }
  split; auto. intros s Hin. apply All. auto.
Qed.

Theorem not_decreasing_by_slope (loss slope : R -> R) a b : a < b -> (forall x, a <= x <= b -> is_derive loss x (slope x) /\ 0 <= slope x) -> loss a <= loss b.
Proof.
  intros Hab H. apply rises with slope; [lra| |]; intros x Hx; now apply H.
Qed.

Theorem not_decreasing_by_values (loss : R -> R) a b u l : loss a <= u -> l <= loss b -> u <= l -> loss a <= loss b.
Proof. lra. Qed.
