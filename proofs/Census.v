(** `census` (docs/certificate.md 4.8): a valid tree lists all locally optimal selections.
    A node stands for the tokens given to the samples assigned so far.  It is closed by a conflict (whose pairs are all
    assigned), or has a child for each token of the next sample, or, when all samples are assigned, is decided by a solution of
    the p-SVM.  Then a selection is locally optimal exactly when it is that of a leaf without `neighbour`.
    A conflict is a positive sum y = sum lambda (k_ia - k_it) of rows of its pairs, so that w.y >= sum lambda for a minimiser w, and a point u
    whose product with every row that scores less is at least s; then w.u >= s |w|^2, else a small step along u - s w would satisfy all rows and
    shorten w.  Without `centre` u = -y and s = 0: w.y <= 0 (with y = 0 there is no feasible point, Farkas).  With a centre c, |c|^2 < sum lambda,
    u = 2c - y and s = 1: |w - c|^2 <= |c|^2 - sum lambda < 0. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Attest Require Import Sums Space Svm Select.
Import ListNotations.
Open Scope R_scope.

Section Census.
Context {E : space}.
Variable P : problem E.

Definition assignment := list (nat * nat).
Record entry := Entry { e_sample : nat; e_token : nat; e_other : nat; e_weight : R }.
Record conflict := Clash { pairs : assignment; terms : list entry; centre : option E }.

Inductive tree :=
| Closed (K : conflict)
| Split (children : list tree)
| Local (w : E) (lam : nat * nat -> R)
| NotLocal (w : E) (lam : nat * nat -> R) (neighbour : nat * nat).

Definition agrees (al : nat -> nat) (part : assignment) := forall i a, In (i, a) part -> al i = a.
Fixpoint chosen (part : assignment) (i : nat) : nat :=
  match part with [] => 0%nat | (j, a) :: part => if (j =? i)%nat then a else chosen part i end.

Definition key_difference i a t := vsub (key P i a) (key P i t).
Definition pull (K : conflict) : E :=
  vsum (terms K) (fun e => vscal (e_weight e) (key_difference (e_sample e) (e_token e) (e_other e))).

Definition point (K : conflict) : E := match centre K with None => vscal (-1) (pull K) | Some c => vsub (vscal 2 c) (pull K) end.
Definition rise (K : conflict) : R := match centre K with None => 0 | Some _ => 1 end.

Definition valid_conflict (K : conflict) :=
  terms K <> [] /\
  (forall e, In e (terms K) -> In (e_sample e, e_token e) (pairs K) /\
    (e_sample e < samples P)%nat /\ (e_other e < tokens P (e_sample e))%nat /\ e_other e <> e_token e /\ 0 < e_weight e) /\
  (forall c, centre K = Some c -> dot c c < sum (terms K) e_weight) /\
  (* For a pair (i, b), and for every b of a sample without a pair. *)
  (forall i b t, (i < samples P)%nat -> (b < tokens P i)%nat -> (t < tokens P i)%nat -> (forall a, In (i, a) (pairs K) -> a = b) ->
    score P i t < score P i b -> rise K <= dot (key_difference i b t) (point K)).

Fixpoint valid (order : list nat) (part : assignment) (node : tree) : Prop :=
  match node with
  | Closed K => valid_conflict K /\ incl (pairs K) part
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

Lemma conflict_closes K al : valid_conflict K -> selection P al -> agrees al (pairs K) -> ~ locally_optimal P al.
Proof.
  intros (N & HK & Hc & Hy) S Ha (w & M & Lo). assert (F := proj1 M).
  assert (Up : sum (terms K) e_weight <= dot w (pull K)).
  { unfold pull. rewrite dot_vsum_r. apply sum_le. intros e He. rewrite dot_scal_r, dot_sym.
    destruct (HK e He) as (Hp & Hs & Ho & D & Hw). apply Ha in Hp.
    assert (Hr : In (e_sample e, e_other e) (rows P al)) by (apply in_rows; rewrite Hp; auto).
    specialize (F _ Hr). unfold row, one in F. simpl in F. rewrite Hp in F. unfold key_difference. nra. }
  assert (V := minimiser_direction (rows P al) (row P al) one w (vsub (point K) (vscal (rise K) w)) M).
  rewrite dot_sub_r, dot_scal_r in V. assert (X : 0 <= dot w (point K) - rise K * dot w w).
  { apply V. intros [i t] Hr T. specialize (Lo _ Hr T). unfold gap in Lo. simpl in Lo. apply in_rows in Hr. destruct Hr as (Hi & Ht & D).
    assert (B := Hy i (al i) t Hi (S i Hi) Ht (fun a Hp => eq_sym (Ha i a Hp)) ltac:(lra)). unfold tight, one, row in T. simpl in T.
    rewrite dot_sub_r, dot_scal_r. unfold row. simpl. rewrite T. unfold key_difference in B. lra. }
  unfold point, rise in X. destruct (centre K) as [c|].
  - specialize (Hc c eq_refl). rewrite dot_sub_r, dot_scal_r in X. assert (Q := dot_pos (vsub w c)).
    rewrite dot_sub_l, !dot_sub_r, (dot_sym c w) in Q. lra.
  - rewrite dot_scal_r in X. assert (0 < sum (terms K) e_weight); [|lra]. apply sum_pos_all; auto. intros e He. now destruct (HK e He).
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
  assert (C : forall order part K al, valid order part (Closed K) -> selection P al -> agrees al part ->
    (locally_optimal P al <-> exists leaf, In leaf (found order part (Closed K)) /\ agrees al leaf)).
  { intros order part K al V S A. assert (V' : valid_conflict K /\ incl (pairs K) part) by (destruct order; exact V).
    destruct V' as [VK HK]. split.
    - intros L. exfalso. apply (conflict_closes K al VK S); auto. intros i a Hp. now apply A, HK.
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
