(** Selections: the rows of the p-SVM (and, with matrices for keys, of the W-SVM), and what is said of the scores.
    - `globally-optimal` (docs/certificate.md 4.3), `not-globally-optimal` (4.4)
    - `locally-optimal` (4.6, 4.16): a solution of the SVM all of whose tight rows score strictly less
    - `not-locally-optimal` (4.7, 4.16): a Farkas list, or a tight row that scores at least as much
    - `equal-scores` (4.15), `better-neighbour`, `no-better-neighbour` (4.17)
    The statements over W are those over p with the keys x_it z_i^T in the space of matrices. *)
From Coq Require Import Reals List Lra Lia Psatz Arith FinFun.
From Attest Require Import Sums Space Svm.
Import ListNotations.
Open Scope R_scope.

Record problem (E : space) := Problem {
  samples : nat;
  tokens : nat -> nat;
  key : nat -> nat -> E;
  score : nat -> nat -> R }.
Arguments samples {_}. Arguments tokens {_}. Arguments key {_}. Arguments score {_}.

Definition others (T : nat) (s : nat) : list nat := filter (fun t => negb (t =? s)) (seq 0 T).

Lemma in_others T s t : In t (others T s) <-> (t < T)%nat /\ t <> s.
Proof.
  unfold others. rewrite filter_In, in_seq, Bool.negb_true_iff, Nat.eqb_neq. intuition lia.
Qed.

Lemma sum_others T s f : (s < T)%nat -> sum (seq 0 T) f = f s + sum (others T s) f.
Proof.
  intros H. unfold others. rewrite (sum_partition _ (fun t => t =? s)).
  f_equal. rewrite sum_filter.
  assert (G : forall k, sum (seq k T) (fun t => if t =? s then f t else 0) = if ((k <=? s) && (s <? k + T))%bool then f s else 0).
  { clear H. induction T as [|T IH]; intros k; simpl.
    - destruct (k <=? s) eqn:E1; simpl; auto. destruct (Nat.ltb_spec s (k + 0)); auto. apply Nat.leb_le in E1. lia.
    - rewrite IH. destruct (Nat.eqb_spec k s) as [->|N].
      + destruct (Nat.leb_spec (S s) s); [lia|]. simpl. destruct (Nat.leb_spec s s); [|lia].
        destruct (Nat.ltb_spec s (s + S T)); [simpl; ring|lia].
      + destruct (Nat.leb_spec (S k) s); destruct (Nat.leb_spec k s); try lia; simpl;
          destruct (Nat.ltb_spec s (S (k + T))); destruct (Nat.ltb_spec s (k + S T)); try lia; ring. }
  rewrite G. destruct (Nat.leb_spec 0 s); [|lia]. now destruct (Nat.ltb_spec s (0 + T)); [|lia].
Qed.

Lemma NoDup_pairs (f : nat -> list nat) l : NoDup l -> (forall i, NoDup (f i)) -> NoDup (flat_map (fun i => map (fun t => (i, t)) (f i)) l).
Proof.
  intros N H. induction N as [|i l Ni N IH]; simpl; [constructor|].
  assert (A : forall x : list (nat * nat), NoDup x -> (forall c, In c x -> fst c = i) ->
              forall y, NoDup y -> (forall c, In c y -> fst c <> i) -> NoDup (x ++ y)).
  { clear. induction x as [|c x IH]; simpl; intros Nx Hx y Ny Hy; auto. inversion Nx as [|? ? Nc Nx']; subst. constructor; [|apply IH; auto].
    rewrite in_app_iff. intros [X|X]; [auto|]. apply (Hy c X). apply Hx. now left. }
  apply A; auto.
  - apply Injective_map_NoDup; [|apply H]. intros x y E. now inversion E.
  - intros c Hc. apply in_map_iff in Hc. now destruct Hc as (t & <- & _).
  - intros c Hc. apply in_flat_map in Hc. destruct Hc as (j & Hj & Hc). apply in_map_iff in Hc. destruct Hc as (t & <- & _). simpl. now intros ->.
Qed.

Section Selections.
Context {E : space}.
Variable P : problem E.

Definition selection (al : nat -> nat) := forall i, (i < samples P)%nat -> (al i < tokens P i)%nat.

Definition rows (al : nat -> nat) : list (nat * nat) :=
  flat_map (fun i => map (fun t => (i, t)) (others (tokens P i) (al i))) (seq 0 (samples P)).

Lemma in_rows al i t : In (i, t) (rows al) <-> (i < samples P)%nat /\ (t < tokens P i)%nat /\ t <> al i.
Proof.
  unfold rows. rewrite in_flat_map. split.
  - intros (j & Hj & H). apply in_map_iff in H. destruct H as (u & Hu & H). inversion Hu; subst.
    apply in_others in H. apply in_seq in Hj. intuition lia.
  - intros (Hi & Ht & N). exists i. split; [apply in_seq; lia|]. apply in_map_iff. exists t. split; auto. apply in_others; auto.
Qed.

Lemma rows_differ al : NoDup (rows al).
Proof. apply NoDup_pairs; [apply seq_NoDup|]. intros i. apply NoDup_filter, seq_NoDup. Qed.

(** Where there is a row, there is a sample. *)
Lemma rows_samples al : rows al <> [] -> (0 < samples P)%nat.
Proof. intros R. destruct (Nat.eq_dec (samples P) 0) as [Z|Z]; [|lia]. exfalso. apply R. unfold rows. now rewrite Z. Qed.

Lemma sum_rows al f : sum (rows al) f = sum (seq 0 (samples P)) (fun i => sum (others (tokens P i) (al i)) (fun t => f (i, t))).
Proof. unfold rows. rewrite sum_flat_map. apply sum_ext. intros i _. apply sum_map. Qed.

Definition row al (c : nat * nat) : E := vsub (key P (fst c) (al (fst c))) (key P (fst c) (snd c)).
Definition gap al (c : nat * nat) : R := score P (fst c) (al (fst c)) - score P (fst c) (snd c).
Definition one (c : nat * nat) : R := 1.

Definition globally_optimal al := forall i t, (i < samples P)%nat -> (t < tokens P i)%nat -> score P i t <= score P i (al i).
Definition unique_optimal al :=
  forall i t, (i < samples P)%nat -> (t < tokens P i)%nat -> t <> al i -> score P i t < score P i (al i).
Definition equal_scores al := forall i t t', In (i, t) (rows al) -> In (i, t') (rows al) -> score P i t = score P i t'.
Definition locally_optimal al :=
  exists w, minimiser (rows al) (row al) one w /\ forall c, In c (rows al) -> tight (row al) one w c -> 0 < gap al c.

(** 4.3: the least gap g over the rows is >= 0 (> 0): the selection is globally optimal (the only one). *)
Theorem globally_optimal_rule al g : (forall c, In c (rows al) -> g <= gap al c) -> 0 <= g -> globally_optimal al.
Proof.
  intros H Hg i t Hi Ht. destruct (Nat.eq_dec t (al i)) as [->|N]; [lra|].
  specialize (H (i, t)). rewrite in_rows in H. unfold gap in H. simpl in H. assert (G := H (conj Hi (conj Ht N))). lra.
Qed.

Theorem unique_optimal_rule al g : (forall c, In c (rows al) -> g <= gap al c) -> 0 < g -> unique_optimal al.
Proof.
  intros H Hg i t Hi Ht N. specialize (H (i, t)). rewrite in_rows in H. unfold gap in H. simpl in H.
  assert (G := H (conj Hi (conj Ht N))). lra.
Qed.

Theorem not_unique_rule al g c : In c (rows al) -> gap al c = g -> ~ 0 < g -> ~ unique_optimal al.
Proof.
  destruct c as [i t]. intros Hc Hg N U. apply in_rows in Hc. destruct Hc as (Hi & Ht & D).
  specialize (U i t Hi Ht D). unfold gap in Hg. simpl in Hg. lra.
Qed.

Theorem no_others_unique al : rows al = [] -> unique_optimal al.
Proof. intros H i t Hi Ht N. assert (F : In (i, t) (rows al)) by (apply in_rows; auto). rewrite H in F. easy. Qed.

(** 4.4 *)
Theorem not_globally_optimal_rule al i t :
  (i < samples P)%nat -> (t < tokens P i)%nat -> score P i (al i) < score P i t -> ~ globally_optimal al.
Proof. intros Hi Ht H G. specialize (G i t Hi Ht). lra. Qed.

Theorem not_unique_optimal_rule al i t :
  (i < samples P)%nat -> (t < tokens P i)%nat -> t <> al i -> score P i (al i) <= score P i t -> ~ unique_optimal al.
Proof. intros Hi Ht N H G. specialize (G i t Hi Ht N). lra. Qed.

(** 4.6, 4.16 *)
Theorem locally_optimal_rule al w lam : solves (rows al) (row al) one w lam ->
  (forall c, In c (rows al) -> tight (row al) one w c -> 0 < gap al c) -> locally_optimal al.
Proof. intros S H. exists w. split; auto. now apply (svm_optimal _ _ _ _ _ S). Qed.

(** 4.7, 4.16 *)
Theorem not_locally_optimal_farkas al lam : (forall c, In c (rows al) -> 0 <= lam c) ->
  same (vsum (rows al) (fun c => vscal (lam c) (row al c))) vzero -> 0 < sum (rows al) (fun c => lam c * 1) -> ~ locally_optimal al.
Proof. intros Hl H0 Hp (w & (F & _) & _). exact (svm_infeasible (rows al) (row al) one lam Hl H0 Hp w F). Qed.

Theorem not_locally_optimal_neighbour al w lam c : solves (rows al) (row al) one w lam ->
  In c (rows al) -> tight (row al) one w c -> gap al c <= 0 -> ~ locally_optimal al.
Proof.
  intros S Hc Ht Hg (w' & M & H). destruct (svm_optimal _ _ _ _ _ S) as (_ & _ & _ & U).
  specialize (H c Hc (proj2 (U w' M c Hc) Ht)). lra.
Qed.

(** The neighbours of a selection do not depend on the solution that is given. *)
Theorem neighbours_rule al w lam : solves (rows al) (row al) one w lam ->
  forall w', minimiser (rows al) (row al) one w' -> forall c, In c (rows al) -> (tight (row al) one w' c <-> tight (row al) one w c).
Proof. intros S. now apply (svm_optimal _ _ _ _ _ S). Qed.

(** 4.17: a neighbour with a positive multiplier that scores more; and that no neighbour does. *)
Theorem better_neighbour_rule al w lam c : solves (rows al) (row al) one w lam -> In c (rows al) -> 0 < lam c -> gap al c < 0 ->
  forall w', minimiser (rows al) (row al) one w' -> tight (row al) one w' c /\ score P (fst c) (al (fst c)) < score P (fst c) (snd c).
Proof.
  intros S Hc Hl Hg w' M. split; [|unfold gap in Hg; lra].
  apply (neighbours_rule al w lam S w' M c Hc). destruct S as (_ & _ & _ & Ht). apply Ht; auto. lra.
Qed.

Theorem no_better_neighbour_rule al w lam : solves (rows al) (row al) one w lam ->
  (forall c, In c (rows al) -> tight (row al) one w c -> 0 <= gap al c) ->
  forall w', minimiser (rows al) (row al) one w' -> forall c, In c (rows al) -> tight (row al) one w' c ->
  score P (fst c) (snd c) <= score P (fst c) (al (fst c)).
Proof.
  intros S H w' M c Hc Ht. apply (neighbours_rule al w lam S w' M c Hc) in Ht. specialize (H c Hc Ht). unfold gap in H. lra.
Qed.

(** The unique globally optimal selection is locally optimal when its SVM is feasible (theory.md, section 2). *)
Theorem unique_is_local al w lam : unique_optimal al -> solves (rows al) (row al) one w lam -> locally_optimal al.
Proof.
  intros U S. apply locally_optimal_rule with w lam; auto. intros [i t] Hc _.
  apply in_rows in Hc. destruct Hc as (Hi & Ht & N). specialize (U i t Hi Ht N). unfold gap. simpl. lra.
Qed.
End Selections.
