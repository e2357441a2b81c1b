(** What is computed of a well-formed problem is what section 2 of docs/certificate.md says of it: keys, rows, labels, scores. *)
From Coq Require Import QArith Qreals Reals List Lra Lia Arith Bool FinFun.
From Attest Require Import Sums Space Svm Select Rank.
From Attest.verified Require Import Numbers Meaning Checks SoundPrograms.
Import ListNotations.
Open Scope R_scope.

Section Data.
Variable D : data.
Let d := dimension D.
Variable well : well_formed D = true.

Lemma well_parts :
  (forall s, In s (d_tokens D) -> (1 <= length s)%nat /\ forall x, In x s -> length x = d) /\
  (length (d_labels D) = count D) /\
  (forall v, d_head D = Some v -> length v = d) /\
  (forall W, d_weights D = Some W -> length W = d /\ forall x, In x W -> length x = d) /\
  (forall Z, d_queries D = Some Z -> length Z = count D /\ forall x, In x Z -> length x = d).
Proof.
  unfold well_formed in well. fold d in well. rewrite !andb_true_iff in well. destruct well as ((((((_ & _) & T) & L) & H) & W) & Q).
  rewrite forallb_forall in T. split; [|split; [|split; [|split]]].
  - intros s Hs. specialize (T s Hs). apply andb_prop in T. destruct T as [T1 T2]. rewrite forallb_forall in T2. split; [now apply Nat.leb_le|].
    intros x Hx. now apply Nat.eqb_eq, T2.
  - now apply Nat.eqb_eq.
  - intros v E. rewrite E in H. now apply Nat.eqb_eq.
  - intros M E. rewrite E in W. apply andb_prop in W. destruct W as [W1 W2]. rewrite forallb_forall in W2. split; [now apply Nat.eqb_eq|].
    intros x Hx. now apply Nat.eqb_eq, W2.
  - intros M E. rewrite E in Q. apply andb_prop in Q. destruct Q as [W1 W2]. rewrite forallb_forall in W2. split; [now apply Nat.eqb_eq|].
    intros x Hx. now apply Nat.eqb_eq, W2.
Qed.

Lemma size_pos i : (i < count D)%nat -> (0 < size D i)%nat.
Proof. intros Hi. unfold size. destruct well_parts as (H & _). destruct (H (nth i (d_tokens D) [])); [now apply nth_In|lia]. Qed.

Lemma token_length i t : (i < count D)%nat -> (t < size D i)%nat -> length (qtoken D i t) = d.
Proof.
  intros Hi Ht. destruct well_parts as (H & _). unfold qtoken. apply (H (nth i (d_tokens D) [])); now apply nth_In.
Qed.

Lemma query_length i : (i < count D)%nat -> length (qquery D i) = d.
Proof.
  intros Hi. unfold qquery. destruct (d_queries D) as [Z|] eqn:E; [|now apply token_length, size_pos].
  destruct well_parts as (_ & _ & _ & _ & H). destruct (H Z E) as [L X]. apply X, nth_In. now rewrite L.
Qed.

Lemma query_real i j : real_vector (qquery D i) j = query D i j.
Proof. unfold qquery, query. now destruct (d_queries D). Qed.

(** ** Selections and rows *)
Lemma selection_sound al : selection_ok D al = true -> is_selection D al.
Proof.
  unfold selection_ok. rewrite andb_true_iff, forallb_forall, Nat.eqb_eq. intros [L H]. split; auto. intros i Hi.
  unfold pick, size. assert (I : In (nth i al 0%nat, nth i (d_tokens D) []) (combine al (d_tokens D))).
  { rewrite <- combine_nth by (rewrite L; reflexivity). apply nth_In. rewrite combine_length, L. unfold count in *. lia. }
  apply H in I. now apply Nat.ltb_lt in I.
Qed.

Lemma key_rows_p al : key_rows D al = rows (over_p D) (pick al).
Proof. reflexivity. Qed.
Lemma key_rows_w al : key_rows D al = rows (over_w D) (pick al).
Proof. reflexivity. Qed.

Lemma key_rows_differ al : NoDup (key_rows D al).
Proof. rewrite key_rows_p. apply rows_differ. Qed.

Lemma key_row_in al c : In c (key_rows D al) <-> (fst c < count D)%nat /\ (snd c < size D (fst c))%nat /\ snd c <> pick al (fst c).
Proof. rewrite key_rows_p. destruct c as [i t]. apply (in_rows (over_p D)). Qed.

Lemma is_key_row_in al c : is_key_row D al c = true -> In c (key_rows D al).
Proof.
  unfold is_key_row. rewrite !andb_true_iff, negb_true_iff, Nat.eqb_neq, !Nat.ltb_lt. rewrite key_row_in. tauto.
Qed.

Lemma label_rows_differ : NoDup (label_rows D).
Proof. apply Injective_map_NoDup; [|apply seq_NoDup]. intros x y E. now inversion E. Qed.
Lemma label_row_in c : In c (label_rows D) <-> (fst c < count D)%nat /\ snd c = 0%nat.
Proof.
  unfold label_rows. rewrite in_map_iff. destruct c as [i t]. simpl. split.
  - intros (j & E & Hj). inversion E; subst. apply in_seq in Hj. lia.
  - intros [Hi ->]. exists i. split; auto. apply in_seq. lia.
Qed.
Lemma is_label_row_in c : is_label_row D c = true -> In c (label_rows D).
Proof. unfold is_label_row. rewrite andb_true_iff, Nat.ltb_lt, Nat.eqb_eq. apply label_row_in. Qed.

Lemma signed_real i x : Q2R (signed D i x) = label D i * Q2R x.
Proof. unfold signed, label. destruct (nth i (d_labels D) true); [ring|]. rewrite Q2R_opp. ring. Qed.

Lemma label_vector_length al c : is_selection D al -> In c (label_rows D) -> length (label_vector D al c) = d.
Proof.
  intros [_ S] Hc. apply label_row_in in Hc. unfold label_vector. rewrite map_length. apply token_length; [tauto|]. now apply S.
Qed.
Lemma label_vector_real al c j : real_vector (label_vector D al c) j = label_row D (pick al) c j.
Proof.
  unfold label_vector, label_row, real_vector, token. simpl. unfold real_vector.
  generalize (qtoken D (fst c) (pick al (fst c))). intros x. revert j. induction x as [|q x IH]; intros [|j]; simpl; try (rewrite real_0; ring); auto.
  apply signed_real.
Qed.

(** ** Keys *)
Definition key_vector (i t : nat) : list Q := nth t (nth i (keys D) []) [].

Lemma key_vector_weights W i t : d_weights D = Some W -> (i < count D)%nat -> (t < size D i)%nat ->
  key_vector i t = map (fun r => qdot r (qtoken D i t)) W.
Proof.
  intros E Hi Ht. unfold key_vector, keys. rewrite E.
  set (f := fun x => map (fun r => qdot r x) W).
  rewrite (nth_indep _ [] (map f [])) by (rewrite map_length; exact Hi). rewrite map_nth.
  rewrite (nth_indep _ [] (f [])) by (rewrite map_length; exact Ht). now rewrite map_nth.
Qed.

Lemma key_vector_length i t : (i < count D)%nat -> (t < size D i)%nat -> length (key_vector i t) = d.
Proof.
  intros Hi Ht. destruct (d_weights D) as [W|] eqn:E.
  - rewrite (key_vector_weights W), map_length by auto. destruct well_parts as (_ & _ & _ & H & _). now apply (H W E).
  - unfold key_vector, keys. rewrite E. now apply token_length.
Qed.

Lemma key_vector_real i t : (i < count D)%nat -> (t < size D i)%nat -> forall j, (j < d)%nat -> real_vector (key_vector i t) j = key_of D i t j.
Proof.
  intros Hi Ht j Hj. unfold key_of. destruct (d_weights D) as [W|] eqn:E.
  - rewrite (key_vector_weights W) by auto. unfold real_vector. set (f := fun r => qdot r (qtoken D i t)).
    destruct well_parts as (_ & _ & _ & H & _). destruct (H W E) as [L X].
    rewrite (nth_indep _ 0%Q (f [])) by (rewrite map_length, L; auto). rewrite map_nth. unfold f.
    rewrite (real_dot d); [reflexivity|apply X, nth_In; now rewrite L|now apply token_length].
  - unfold key_vector, keys. now rewrite E.
Qed.

Lemma difference_keys al c : difference (keys D) al c = vector_sub (key_vector (fst c) (pick al (fst c))) (key_vector (fst c) (snd c)).
Proof. reflexivity. Qed.

Lemma difference_length al c : is_selection D al -> In c (key_rows D al) -> length (difference (keys D) al c) = d.
Proof.
  intros [_ S] Hc. apply key_row_in in Hc. rewrite difference_keys. unfold vector_sub. assert (X := S (fst c) (proj1 Hc)).
  rewrite zip_length; rewrite key_vector_length; try tauto. rewrite key_vector_length; tauto.
Qed.

Lemma difference_real al c : is_selection D al -> In c (key_rows D al) -> forall j, (j < d)%nat ->
  real_vector (difference (keys D) al c) j = row (over_p D) (pick al) c j.
Proof.
  intros [_ S] Hc j Hj. apply key_row_in in Hc. assert (X := S (fst c) (proj1 Hc)). rewrite difference_keys.
  rewrite real_vector_sub by (rewrite !key_vector_length; tauto). rewrite !key_vector_real by tauto. unfold row. simpl. ring.
Qed.

(** The same of tokens, for W. *)
Lemma token_difference_length al c : is_selection D al -> In c (key_rows D al) -> length (difference (d_tokens D) al c) = d.
Proof.
  intros [_ S] Hc. apply key_row_in in Hc. assert (X := S (fst c) (proj1 Hc)). unfold difference, vector_sub.
  fold (qtoken D (fst c) (pick al (fst c))). fold (qtoken D (fst c) (snd c)).
  rewrite zip_length; rewrite token_length; try tauto. rewrite token_length; tauto.
Qed.
Lemma token_difference_real al c : is_selection D al -> In c (key_rows D al) -> forall j,
  real_vector (difference (d_tokens D) al c) j = vsub (token D (fst c) (pick al (fst c))) (token D (fst c) (snd c)) j.
Proof.
  intros [_ S] Hc j. apply key_row_in in Hc. assert (X := S (fst c) (proj1 Hc)). unfold difference.
  fold (qtoken D (fst c) (pick al (fst c))). fold (qtoken D (fst c) (snd c)).
  rewrite real_vector_sub by (rewrite !token_length; tauto). unfold token. simpl. ring.
Qed.

(** ** Scores *)
Lemma score_real v i t : d_head D = Some v -> (i < count D)%nat -> (t < size D i)%nat -> Q2R (qscore D v i t) = score_of D i t.
Proof.
  intros E Hi Ht. unfold qscore, score_of. rewrite E, signed_real, (real_dot d); auto using token_length.
  destruct well_parts as (_ & _ & H & _). auto.
Qed.

Lemma gap_real v al c : d_head D = Some v -> is_selection D al -> (fst c < count D)%nat -> (snd c < size D (fst c))%nat ->
  Q2R (qgap D v al c) = score_of D (fst c) (pick al (fst c)) - score_of D (fst c) (snd c).
Proof. intros E [_ S] Hi Ht. unfold qgap. rewrite real_sub, !(score_real v); auto. Qed.

Lemma gap_p v al c : d_head D = Some v -> is_selection D al -> In c (key_rows D al) -> Q2R (qgap D v al c) = gap (over_p D) (pick al) c.
Proof. intros E S Hc. apply key_row_in in Hc. rewrite gap_real; tauto. Qed.
End Data.
