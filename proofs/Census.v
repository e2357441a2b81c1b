(** `census` (docs/certificate.md 4.8): a valid tree lists all locally optimal selections.
    A node stands for the tokens given to the samples assigned so far.  It is closed by a conflict (Farkas, whose pairs are all
    assigned), or has a child for each token of the next sample, or, when all samples are assigned, is decided by a solution of
    the p-SVM.  Then a selection is locally optimal exactly when it is that of a leaf without `neighbour`. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Attest Require Import Sums Space Svm Select.
Import ListNotations.
Open Scope R_scope.

Section Census.
Context {E : space}.
Variable P : problem E.

Record entry := Entry { e_sample : nat; e_token : nat; e_other : nat; e_weight : R }.

Inductive tree :=
| Closed (conflict : list entry)
| Split (children : list tree)
| Local (w : E) (lam : nat * nat -> R)
| NotLocal (w : E) (lam : nat * nat -> R) (neighbour : nat * nat).

Definition assignment := list (nat * nat).
Definition agrees (al : nat -> nat) (part : assignment) := forall i a, In (i, a) part -> al i = a.
Fixpoint chosen (part : assignment) (i : nat) : nat :=
  match part with [] => 0%nat | (j, a) :: part => if (j =? i)%nat then a else chosen part i end.

Definition valid_conflict (K : list entry) :=
  K <> [] /\
  (forall e, In e K -> (e_sample e < samples P)%nat /\ (e_other e < tokens P (e_sample e))%nat /\ e_other e <> e_token e /\ 0 < e_weight e) /\
  same (vsum K (fun e => vscal (e_weight e) (vsub (key P (e_sample e) (e_token e)) (key P (e_sample e) (e_other e))))) vzero.

Fixpoint valid (order : list nat) (part : assignment) (node : tree) : Prop :=
  match node with
  | Closed K => valid_conflict K /\ forall e, In e K -> In (e_sample e, e_token e) part
  | _ =>
    match order with
    | [] =>
      let al := chosen part in
      match node with
      | Local w lam => solves (rows P al) (row P al) one w lam /\
                       forall c, In c (rows P al) -> tight (row P al) one w c -> 0 < gap P al c
      | NotLocal w lam c => solves (rows P al) (row P al) one w lam /\ In c (rows P al) /\ tight (row P al) one w c /\ gap P al c <= 0
      | _ => False
      end
    | i :: rest =>
      match node with
      | Split children =>
        forall t, (t < tokens P i)%nat -> exists child, nth_error children t = Some child /\ valid rest ((i, t) :: part) child
      | _ => False
      end
    end
  end.

Fixpoint found (order : list nat) (part : assignment) (node : tree) : list assignment :=
  match order with
  | [] => match node with Local _ _ => [part] | _ => [] end
  | i :: rest =>
    match node with
    | Split children =>
      flat_map (fun t => match nth_error children t with Some child => found rest ((i, t) :: part) child | None => [] end)
               (seq 0 (tokens P i))
    | _ => []
    end
  end.

Lemma conflict_closes K al w : valid_conflict K -> (forall e, In e K -> al (e_sample e) = e_token e) ->
  ~ feasible (rows P al) (row P al) one w.
Proof.
  intros (N & HK & H0) Ha F.
  specialize (H0 w). rewrite dot_zero_l, dot_vsum_l in H0.
  assert (0 < sum K (fun e => dot (vscal (e_weight e) (vsub (key P (e_sample e) (e_token e)) (key P (e_sample e) (e_other e)))) w)); [|lra].
  apply sum_pos_all; auto. intros e He. rewrite dot_scal_l.
  destruct (HK e He) as (Hs & Ho & D & Hw). apply Rmult_lt_0_compat; auto.
  assert (Hr : In (e_sample e, e_other e) (rows P al)) by (apply in_rows; rewrite (Ha e He); auto).
  specialize (F _ Hr). unfold row, one in F. simpl in F. rewrite (Ha e He) in F. lra.
Qed.

(** The rows depend on the selection at the samples alone. *)
Lemma others_ext T s s' : s = s' -> others T s = others T s'.
Proof. now intros ->. Qed.

Lemma rows_ext al be : (forall i, (i < samples P)%nat -> al i = be i) -> rows P al = rows P be.
Proof.
  intros H. unfold rows. assert (G : forall i, In i (seq 0 (samples P)) -> al i = be i) by (intros i Hi; apply H; apply in_seq in Hi; lia).
  induction (seq 0 (samples P)) as [|i l IH]; simpl; auto. rewrite (G i) by now left. rewrite IH; auto. intros j Hj. apply G. now right.
Qed.

Lemma locally_optimal_ext al be : (forall i, (i < samples P)%nat -> al i = be i) -> locally_optimal P al -> locally_optimal P be.
Proof.
  intros H (w & M & L). exists w.
  assert (R1 : forall c, In c (rows P be) -> row P al c = row P be c).
  { intros [i t] Hc. apply in_rows in Hc. unfold row. simpl. now rewrite H. }
  assert (G1 : forall c, In c (rows P be) -> gap P al c = gap P be c).
  { intros [i t] Hc. apply in_rows in Hc. unfold gap. simpl. now rewrite H. }
  assert (X := rows_ext al be H).
  split.
  - destruct M as [F M]. split.
    + intros c Hc. rewrite <- R1 by auto. apply F. now rewrite X.
    + intros w' F'. apply M. intros c Hc. rewrite X in Hc. rewrite R1 by auto. now apply F'.
  - intros c Hc Ht. rewrite <- G1 by auto. apply L; [now rewrite X|]. unfold tight. now rewrite R1.
Qed.

Lemma agrees_chosen al part i : agrees al part -> In i (map fst part) -> al i = chosen part i.
Proof.
  induction part as [|[j a] part IH]; simpl; intros H Hi; [easy|].
  destruct (Nat.eqb_spec j i) as [->|N].
  - apply H. now left.
  - apply IH; [|destruct Hi; [contradiction|auto]]. intros k b Hk. apply H. now right.
Qed.

Lemma tree_complete : forall order part node al, valid order part node -> selection P al -> agrees al part ->
  (forall i, In i order -> (i < samples P)%nat) ->
  (forall i, (i < samples P)%nat -> In i order \/ In i (map fst part)) ->
  (locally_optimal P al <-> exists leaf, In leaf (found order part node) /\ agrees al leaf).
Proof.
  assert (C : forall order part K al, valid order part (Closed K) -> agrees al part ->
    (locally_optimal P al <-> exists leaf, In leaf (found order part (Closed K)) /\ agrees al leaf)).
  { intros order part K al V A. assert (V' : valid_conflict K /\ forall e, In e K -> In (e_sample e, e_token e) part) by (destruct order; exact V).
    destruct V' as [VK HK]. split.
    - intros (w & (F & _) & _). exfalso. apply (conflict_closes K al w VK); [intros e He; now apply A, HK|exact F].
    - intros (leaf & H & _). destruct order; simpl in H; easy. }
  induction order as [|i rest IH]; intros part node al V S A Ho Hc.
  - assert (Eq : forall i, (i < samples P)%nat -> al i = chosen part i).
    { intros i Hi. apply agrees_chosen; auto. destruct (Hc i Hi); [easy|auto]. }
    destruct node as [K|ch|w lam|w lam c].
    + now apply C.
    + simpl in V. easy.
    + simpl in V |- *. destruct V as [Vs Vt]. split.
      * intros _. exists part. split; auto.
      * intros _. apply locally_optimal_ext with (chosen part); [intros; symmetry; auto|]. now apply locally_optimal_rule with w lam.
    + simpl in V |- *. destruct V as (Vs & Vc & Vt & Vg). split; [|now intros (leaf & [] & _)].
      intros L. exfalso. apply (not_locally_optimal_neighbour P (chosen part) w lam c); auto. now apply locally_optimal_ext with al.
  - destruct node as [K|ch|w lam|w lam c]; try (now apply C); try (simpl in V; easy).
    simpl in V |- *.
    assert (Hi : (i < samples P)%nat) by (apply Ho; now left).
    assert (Ht := S i Hi). destruct (V _ Ht) as (child & Hn & Vc).
    assert (A' : agrees al ((i, al i) :: part)).
    { intros j b [Hj|Hj]; [inversion Hj; subst; auto|now apply A]. }
    assert (Hc' : forall j, (j < samples P)%nat -> In j rest \/ In j (map fst ((i, al i) :: part))).
    { intros j Hj. simpl. destruct (Hc j Hj) as [[->|]|]; auto. }
    rewrite (IH _ child al Vc S A'); auto; [|intros j Hj; apply Ho; now right].
    split.
    + intros (leaf & HL & HA). exists leaf. split; auto. apply in_flat_map. exists (al i). split; [apply in_seq; lia|]. now rewrite Hn.
    + intros (leaf & HL & HA). exists leaf. split; auto. apply in_flat_map in HL. destruct HL as (t & Htt & HL).
      destruct (nth_error ch t) as [child'|] eqn:En; [|easy].
      (* A leaf below another token does not agree with the selection. *)
      assert (Below : forall order part node leaf, In leaf (found order part node) -> forall x, In x part -> In x leaf).
      { clear. induction order as [|i rest IH]; intros part node leaf H x Hx; simpl in H; destruct node; simpl in H; try easy.
        - destruct H as [<-|[]]; auto.
        - apply in_flat_map in H. destruct H as (t & _ & H). destruct (nth_error children t); [|easy]. apply (IH _ _ _ H). now right. }
      assert (Hl := HA i t (Below _ _ _ _ HL (i, t) (or_introl eq_refl))). subst t. rewrite Hn in En. inversion En. now subst.
Qed.

Theorem census order node : valid order [] node ->
  (forall i, In i order <-> (i < samples P)%nat) ->
  forall al, selection P al -> (locally_optimal P al <-> exists leaf, In leaf (found order [] node) /\ agrees al leaf).
Proof.
  intros V Ho al S. apply tree_complete; auto.
  - intros i a [].
  - intros i Hi. now apply Ho.
  - intros i Hi. left. now apply Ho.
Qed.
End Census.
