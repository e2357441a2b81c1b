(** `census` (docs/certificate.md 4.8): an accepted tree is valid in the sense of Census.v, and its leaves are the stated selections, so
    these are all locally optimal selections and no other. *)
From Coq Require Import QArith Qreals Reals List Lra Lia Arith Bool.
From Attest Require Import Sums Space Svm Select Census.
From Attest.verified Require Import Numbers Meaning Checks SoundPrograms SoundData.
Import ListNotations.
Open Scope R_scope.

Lemma list_less_irreflexive x : list_less x x = false.
Proof. induction x as [|a x IH]; simpl; auto. now rewrite Nat.ltb_irrefl, Nat.eqb_refl, IH. Qed.
Lemma list_less_trans x y z : list_less x y = true -> list_less y z = true -> list_less x z = true.
Proof.
  revert y z. induction x as [|a x IH]; intros [|b y] [|c z]; simpl; auto; try discriminate.
  rewrite !orb_true_iff, !andb_true_iff, !Nat.ltb_lt, !Nat.eqb_eq. intros [H|[-> H]] [H'|[-> H']]; try (left; lia). right. split; auto. now apply IH with y.
Qed.
Lemma ascending_differ l : ascending list_less l = true -> NoDup l.
Proof.
  assert (G : forall l x, ascending list_less (x :: l) = true -> (forall y, In y l -> list_less x y = true) /\ ascending list_less l = true).
  { clear. induction l as [|z l IH]; intros x H; [easy|]. cbn [ascending] in H. apply andb_prop in H. destruct H as [H1 H2]. split; auto.
    intros y [<-|Hy]; auto. apply list_less_trans with z; auto. now apply (IH z H2). }
  induction l as [|x l IH]; intros H; constructor.
  - intros I. destruct (G l x H) as [L _]. specialize (L x I). rewrite list_less_irreflexive in L. discriminate.
  - apply IH. now apply (G l x).
Qed.

Lemma in_combine_seq {A} (l : list A) : forall k t x, In (t, x) (combine (seq k (length l)) l) <-> (k <= t)%nat /\ nth_error l (t - k) = Some x.
Proof.
  induction l as [|a l IH]; intros k t x; simpl.
  - split; [easy|]. intros [_ H]. now destruct (t - k)%nat.
  - rewrite IH. split.
    + intros [E|[L N]]; [inversion E; subst; rewrite Nat.sub_diag; split; auto|]. split; [lia|]. now replace (t - k)%nat with (S (t - S k)) by lia.
    + intros [L N]. destruct (Nat.eq_dec k t) as [->|Ne]; [left; rewrite Nat.sub_diag in N; now inversion N|].
      right. split; [lia|]. replace (t - k)%nat with (S (t - S k)) in N by lia. exact N.
Qed.

Lemma solves_ext {E : space} (rows : list row_name) (a a' : row_name -> E) b w lam :
  (forall c, In c rows -> a c = a' c) -> solves rows a b w lam -> solves rows a' b w lam.
Proof.
  intros H (S & P & F & T). split; [|split; [auto|split]].
  - intros z. rewrite (S z), !combination_dot. apply sum_ext. intros c Hc. now rewrite H.
  - intros c Hc. rewrite <- H; auto.
  - intros c Hc N. unfold tight. rewrite <- H by auto. now apply T.
Qed.

Lemma chosen_in part i : In i (map fst part) -> In (i, chosen part i) part.
Proof.
  induction part as [|[j a] part IH]; simpl; [easy|]. intros H. destruct (Nat.eqb_spec j i) as [->|N]; [now left|].
  right. apply IH. destruct H; [contradiction|auto].
Qed.
Lemma chosen_unique part i a : NoDup (map fst part) -> In (i, a) part -> chosen part i = a.
Proof.
  induction part as [|[j b] part IH]; simpl; [easy|]. intros N [E|I]; inversion N; subst.
  - inversion E; subst. now rewrite Nat.eqb_refl.
  - destruct (Nat.eqb_spec j i) as [->|Ne]; [|auto]. exfalso. apply H1. now apply (in_map fst) in I.
Qed.

Lemma vsum_coordinate {A} n (c : A) l (f : A -> coordinates n) j : vsum (c :: l) f j = f c j + vsum l f j.
Proof. reflexivity. Qed.

Section Census.
Variable D : data.
Local Notation d := (dimension D).
Variable well : well_formed D = true.
Variable v : list Q.
Variable head : d_head D = Some v.
Let P := over_p D.

Section Tree.
Variable conflicts : list written_conflict.
Variable conflicts_ok : forallb (conflict_ok D (keys D) (scores D v)) conflicts = true.

Definition real_term (e : nat * nat * nat * Q) : entry := let '(i, a, t) := fst e in Entry i a t (Q2R (snd e)).
Definition real_conflict (c : written_conflict) : conflict :=
  Clash (map fst (fst c)) (map real_term (flat_map entry_terms (fst c))) (option_map (fun x => real_vector x : coordinates d) (snd c)).
Fixpoint real_tree (x : node) : @tree (coordinates d) :=
  match x with
  | Conflict k => Closed (real_conflict (nth k conflicts ([], None)))
  | Branch children => Split (map real_tree children)
  | Optimum w lam => Local (real_vector w : coordinates d) (weight_of lam)
  | Beaten w lam c => NotLocal (real_vector w : coordinates d) (weight_of lam) c
  end.

Lemma terms_ok l : forallb (entry_ok D) l = true -> forall i a t q, In ((i, a, t), q) (flat_map entry_terms l) ->
  In (i, a) (map fst l) /\ (i < count D)%nat /\ (a < size D i)%nat /\ (t < size D i)%nat /\ t <> a /\ 0 < Q2R q.
Proof.
  rewrite forallb_forall. intros F i a t q H. apply in_flat_map in H. destruct H as ([[j b] [[u r]|]] & He & H); [|easy].
  destruct H as [E|[]]. inversion E; subst. split; [now apply (in_map fst) in He|]. specialize (F _ He). unfold entry_ok in F. simpl in F.
  rewrite !andb_true_iff, negb_true_iff, !Nat.ltb_lt, Nat.eqb_neq in F. destruct F as ((F1 & F2) & ((F3 & F4) & F5)).
  apply qlt_real in F5. rewrite real_0 in F5. auto 6.
Qed.

Lemma term_length l : forallb (entry_ok D) l = true -> forall e, In e (flat_map entry_terms l) -> length (term_vector (keys D) (fst e)) = d.
Proof.
  intros F [[[i a] t] q] H. destruct (terms_ok l F i a t q H) as (_ & Hi & Ha & Ht & _). unfold term_vector. simpl.
  fold (key_vector D i a). fold (key_vector D i t). unfold vector_sub. rewrite zip_length; rewrite !(key_vector_length D well); auto.
Qed.

Lemma pull_real l centre : forallb (entry_ok D) l = true ->
  same (real_vector (qcombine d (term_vector (keys D)) (flat_map entry_terms l)) : coordinates d) (pull P (real_conflict (l, centre))).
Proof.
  intros F. apply same_coordinates. intros j Hj. rewrite qcombine_real by now apply term_length.
  unfold pull. simpl terms. assert (G := terms_ok l F). revert G. generalize (flat_map entry_terms l). intros m.
  induction m as [|[[[i a] t] q] m IH]; intros G; [easy|]. cbn [map sum]. rewrite vsum_coordinate, <- IH by (intros; apply G; now right).
  f_equal. cbn [real_term fst snd e_weight e_sample e_token e_other].
  destruct (G i a t q (or_introl eq_refl)) as (_ & Hi & Ha & Ht & _).
  unfold term_vector. cbn [fst snd]. fold (key_vector D i a). fold (key_vector D i t).
  rewrite real_vector_sub by (rewrite !(key_vector_length D well); auto). rewrite !(key_vector_real D well) by auto. simpl. ring.
Qed.

Lemma scores_nth i t : (i < count D)%nat -> (t < size D i)%nat -> nth t (nth i (scores D v) []) 0%Q = qscore D v i t.
Proof.
  intros Hi Ht. unfold scores. rewrite (nth_indep _ [] (map (qscore D v 0) (seq 0 (size D 0)))) by (rewrite map_length, seq_length; auto).
  rewrite (map_nth (fun i => map (qscore D v i) (seq 0 (size D i))) (seq 0 (count D)) 0%nat), seq_nth by auto. simpl.
  rewrite (nth_indep _ 0%Q (qscore D v i 0)) by (rewrite map_length, seq_length; auto). now rewrite map_nth, seq_nth.
Qed.

Lemma rises_real l rise u : length u = d -> rises D (keys D) (scores D v) l rise u = true ->
  forall i b t, (i < count D)%nat -> (b < size D i)%nat -> (t < size D i)%nat -> (forall a, In (i, a) (map fst l) -> a = b) ->
  score P i t < score P i b -> Q2R rise <= dot (key_difference P i b t) (real_vector u : coordinates d).
Proof.
  intros L R i b t Hi Hb Ht Only Less. unfold rises in R. rewrite forallb_forall in R.
  assert (H := R i ltac:(apply in_seq; lia)). cbv zeta in H. clear R. set (values := map (fun k => qdot k u) (nth i (keys D) [])) in H.
  assert (Ls : length (nth i (scores D v) []) = size D i).
  { unfold scores. rewrite (nth_indep _ [] (map (qscore D v 0) (seq 0 (size D 0)))) by (rewrite map_length, seq_length; auto).
    now rewrite (map_nth (fun i => map (qscore D v i) (seq 0 (size D i))) (seq 0 (count D)) 0%nat), map_length, seq_length, seq_nth. }
  assert (Lk : length (nth i (keys D) []) = size D i).
  { unfold keys, size. destruct (d_weights D) as [W|]; auto. set (f := map (fun x => map (fun r => qdot r x) W)).
    change (@nil (list Q)) with (f []) at 1. now rewrite map_nth; unfold f; rewrite map_length. }
  assert (Lv : length values = size D i) by (unfold values; now rewrite map_length).
  assert (Va : forall x, (x < size D i)%nat -> nth x values 0%Q = qdot (key_vector D i x) u).
  { intros x Hx. unfold values. rewrite (nth_indep _ 0%Q (qdot [] u)) by (unfold values in Lv; now rewrite Lv). now rewrite (map_nth (fun k => qdot k u)). }
  assert (At : forall vs x, length vs = size D i -> (x < size D i)%nat ->
    nth x (combine (nth i (scores D v) []) vs) (0%Q, 0%Q) = (qscore D v i x, nth x vs 0%Q) /\
    In (qscore D v i x, nth x vs 0%Q) (combine (nth i (scores D v) []) vs)).
  { intros vs x Lx Hx. assert (Q : nth x (combine (nth i (scores D v) []) vs) (0%Q, 0%Q) = (qscore D v i x, nth x vs 0%Q))
      by (rewrite combine_nth by (now rewrite Ls, Lx); f_equal; now apply scores_nth).
    split; auto. rewrite <- Q. apply nth_In. rewrite combine_length, Ls, Lx. lia. }
  destruct (At values b Lv Hb) as [Eb Ib]. destruct (At (map (qadd rise) values) t) as [_ It]; [now rewrite map_length|auto|].
  assert (N : rises_to (qscore D v i b, nth b values 0%Q) (qscore D v i t, nth t (map (qadd rise) values) 0%Q) = true).
  { unfold sample_ok in H. destruct (find (fun p => fst p =? i) (map fst l)) as [[j a]|] eqn:Fd.
    - apply find_some in Fd. destruct Fd as [Ip Q]. apply Nat.eqb_eq in Q. simpl in Q, H. subst j. rewrite (Only a Ip), Eb in H.
      rewrite forallb_forall in H. auto.
    - rewrite forallb_forall in H. specialize (H _ Ib). rewrite forallb_forall in H. auto. }
  unfold rises_to in N. simpl in N. apply orb_prop in N.
  rewrite (nth_indep _ 0%Q (qadd rise 0%Q)) in N by (rewrite map_length; lia). rewrite map_nth, !Va in N by auto.
  assert (Val : forall x, (x < size D i)%nat -> Q2R (qdot (key_vector D i x) u) = dot (key P i x) (real_vector u : coordinates d)).
  { intros x Hx. rewrite (real_dot d) by (auto; now apply (key_vector_length D well)). apply (vector_ext d). intros j Hj.
    now apply key_vector_real. }
  unfold key_difference. rewrite dot_sub_l, <- !Val by auto. destruct N as [N|N]; apply qle_real in N; [|rewrite real_add in N; lra].
  rewrite !(score_real D well v) in N by auto. simpl in Less. lra.
Qed.

Lemma conflict_valid c : In c conflicts -> valid_conflict P (real_conflict c).
Proof.
  intros Hl. rewrite forallb_forall in conflicts_ok. specialize (conflicts_ok c Hl). destruct c as [l centre]. unfold conflict_ok in conflicts_ok.
  cbv zeta in conflicts_ok. rewrite !andb_true_iff in conflicts_ok. destruct conflicts_ok as (((_ & F) & L) & Z).
  assert (Ly := qcombine_length d (term_vector (keys D)) _ (term_length l F)). assert (Sy := pull_real l centre F).
  set (y := qcombine d (term_vector (keys D)) (flat_map entry_terms l)) in *. split; [|split; [|split]].
  - simpl. destruct (flat_map entry_terms l); [discriminate|easy].
  - intros e He. simpl in He. apply in_map_iff in He. destruct He as ([[[i a] t] q] & <- & He). simpl.
    destruct (terms_ok l F i a t q He) as (? & ? & ? & ? & ? & ?). auto.
  - destruct centre as [c|]; [|easy]. intros x E. inversion E; subst. rewrite !andb_true_iff in Z. destruct Z as ((Lc & Less) & _).
    apply Nat.eqb_eq in Lc. apply qlt_real in Less. rewrite (real_dot d), real_sum in Less by auto. simpl terms. rewrite sum_map.
    rewrite (sum_ext _ _ (fun e => Q2R (snd e))); [exact Less|]. now intros [[[i a] t] q] _.
  - assert (Same : forall u, (forall j, (j < d)%nat -> real_vector u j = point P (real_conflict (l, centre)) j) ->
        forall x : coordinates d, dot x (real_vector u : coordinates d) = dot x (point P (real_conflict (l, centre))))
      by (intros u Hu x; apply same_r; now apply same_coordinates).
    assert (Sj := proj1 (same_coordinates d _ _) Sy). destruct centre as [c|].
    + rewrite !andb_true_iff in Z. destruct Z as ((Lc & _) & R). apply Nat.eqb_eq in Lc.
      intros i b t Hi Hb Ht Only Less. change (1 <= dot (key_difference P i b t) (point P (real_conflict (l, Some c)))).
      rewrite <- (Same (vector_sub (vector_scale 2 c) y)), <- real_1.
      * apply (rises_real l 1%Q _) with (2 := R); auto. unfold vector_sub. rewrite zip_length; rewrite scale_length; lia.
      * intros j Hj. rewrite real_vector_sub, real_vector_scale, (Sj j Hj) by (rewrite scale_length; lia). unfold point. simpl. replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). ring.
    + intros i b t Hi Hb Ht Only Less. change (0 <= dot (key_difference P i b t) (point P (real_conflict (l, None)))).
      rewrite <- (Same (vector_scale (-1) y)), <- real_0.
      * destruct (zero_vector y) eqn:Zy.
        -- right. rewrite real_0, <- (dot_zero_r (key_difference P i b t)). apply same_r, same_coordinates. intros j _. rewrite real_vector_scale.
           unfold zero_vector in Zy. rewrite forallb_forall in Zy. unfold real_vector.
           destruct (nth_in_or_default j y 0%Q) as [I|I]; [apply Zy, qeq_real in I|]; rewrite I, real_0; simpl; ring.
        -- apply (rises_real l 0%Q _) with (2 := Z); auto. now rewrite scale_length.
      * intros j Hj. rewrite real_vector_scale, (Sj j Hj). unfold point. simpl. replace (Q2R (-1)) with (-1) by (unfold Q2R; simpl; lra). ring.
Qed.

Lemma pick_full part i : (i < count D)%nat -> pick (full_selection D part) i = chosen part i.
Proof.
  intros Hi. unfold pick, full_selection. rewrite (nth_indep _ 0%nat (chosen part 0%nat)) by (rewrite map_length, seq_length; auto).
  now rewrite map_nth, seq_nth.
Qed.

Definition good_part (part : list (nat * nat)) := forall i a, In (i, a) part -> (i < count D)%nat /\ (a < size D i)%nat.

Lemma full_is_selection part : good_part part -> (forall i, (i < count D)%nat -> In i (map fst part)) -> is_selection D (full_selection D part).
Proof.
  intros G C. split; [unfold full_selection; now rewrite map_length, seq_length|]. intros i Hi. rewrite pick_full by auto.
  apply (G i (chosen part i)). now apply chosen_in, C.
Qed.

Section Leaf.
Variable part : list (nat * nat).
Variable good : good_part part.
Variable covered : forall i, (i < count D)%nat -> In i (map fst part).
Let al := full_selection D part.

Lemma leaf_rows : key_rows D al = rows P (chosen part).
Proof. rewrite key_rows_p. apply rows_ext. intros i Hi. now apply pick_full. Qed.
Lemma leaf_row c : In c (rows P (chosen part)) -> row P (pick al) c = row P (chosen part) c.
Proof. destruct c as [i t]. intros H. apply in_rows in H. unfold row, al. simpl. now rewrite (pick_full part i). Qed.
Lemma leaf_gap c : In c (rows P (chosen part)) -> gap P (pick al) c = gap P (chosen part) c.
Proof. destruct c as [i t]. intros H. apply in_rows in H. unfold gap, al. simpl. now rewrite (pick_full part i). Qed.

Lemma leaf_solution w lam : leaf_solved D (keys D) al w lam = true ->
  length w = d /\ solves (rows P (chosen part)) (row P (chosen part)) one (real_vector w : coordinates d) (weight_of lam).
Proof.
  unfold leaf_solved. destruct (solves_vector _ _ _ _ _ _ _) eqn:S; [intros _|discriminate].
  assert (A := full_is_selection part good covered). fold al in A.
  apply (solves_vector_sound D (key_rows D al) (is_key_row D al) (row (over_p D) (pick al)) one) in S.
  - destruct S as [L S]. split; auto. rewrite leaf_rows in S. apply solves_ext with (2 := S). apply leaf_row.
  - apply key_rows_differ.
  - apply is_key_row_in.
  - intros; apply real_1.
  - intros c Hc. now apply difference_length.
  - intros c Hc j Hj. now apply difference_real.
Qed.

Lemma leaf_values w : length w = d -> forall c, In c (rows P (chosen part)) ->
  Q2R (leaf_value (keys D) al w c) = dot (row P (chosen part) c) (real_vector w : coordinates d).
Proof.
  intros L c Hc. rewrite <- leaf_row by auto. unfold leaf_value. assert (A := full_is_selection part good covered). fold al in A.
  assert (Hk : In c (key_rows D al)) by now rewrite leaf_rows.
  rewrite (real_dot d); auto; [|now apply difference_length]. apply (vector_ext d). intros j Hj. now apply difference_real.
Qed.

Lemma leaf_gap_real c : In c (rows P (chosen part)) -> Q2R (qgap D v al c) = gap P (chosen part) c.
Proof.
  intros Hc. rewrite <- leaf_gap by auto. apply gap_p; auto; [now apply full_is_selection|now rewrite leaf_rows].
Qed.

Lemma leaf_local w lam : leaf_solved D (keys D) al w lam && best_of_tight D v al (tight_list (key_rows D al) (leaf_value (keys D) al w) qone) = true ->
  valid P [] part (Local (real_vector w : coordinates d) (weight_of lam)).
Proof.
  intros H. apply andb_prop in H. destruct H as [S B]. destruct (leaf_solution w lam S) as [L S']. simpl. split; auto.
  intros c Hc T. unfold best_of_tight in B. rewrite forallb_forall in B.
  assert (I : In c (tight_list (key_rows D al) (leaf_value (keys D) al w) qone)).
  { unfold tight_list. rewrite filter_In, leaf_rows. split; auto. apply qeq_real. rewrite leaf_values by auto. rewrite T. symmetry. apply real_1. }
  apply B, qlt_real in I. now rewrite real_0, leaf_gap_real in I.
Qed.

Lemma leaf_beaten w lam c : leaf_solved D (keys D) al w lam && accepted (beaten_check D v al (leaf_value (keys D) al w) c) = true ->
  valid P [] part (NotLocal (real_vector w : coordinates d) (weight_of lam) c).
Proof.
  intros H. apply andb_prop in H. destruct H as [S B]. destruct (leaf_solution w lam S) as [L S']. simpl.
  destruct (beaten_check D v al (leaf_value (keys D) al w) c) eqn:E; [|discriminate]. unfold beaten_check in E. split_checks E.
  apply andb_prop in B0. destruct B0 as [R T]. apply is_key_row_in in R. rewrite leaf_rows in R.
  split; [auto|]. split; [auto|]. split.
  - unfold tight. apply qeq_real in T. rewrite leaf_values, real_1 in T by auto. exact T.
  - apply qle_real in B1. now rewrite real_0, leaf_gap_real in B1.
Qed.
End Leaf.

Theorem node_valid : forall order part x, (forall i, In i order -> (i < count D)%nat) -> good_part part ->
  (forall i, (i < count D)%nat -> In i order \/ In i (map fst part)) ->
  node_ok D (keys D) v conflicts order part x = true -> valid P order part (real_tree x).
Proof.
  assert (C : forall order part k, node_ok D (keys D) v conflicts order part (Conflict k) = true -> valid P order part (real_tree (Conflict k))).
  { intros order part k H. assert (G : valid_conflict P (real_conflict (nth k conflicts ([], None))) /\ incl (pairs (real_conflict (nth k conflicts ([], None)))) part);
      [|now destruct order].
    assert (H' : match nth_error conflicts k with Some c => forallb (fun e : conflict_entry => existsb (row_eq (fst e)) part) (fst c) | None => false end = true)
      by (destruct order; exact H).
    destruct (nth_error conflicts k) as [l|] eqn:N; [|discriminate]. assert (E : nth k conflicts ([], None) = l) by now apply nth_error_nth.
    rewrite E. split; [apply conflict_valid; now apply nth_error_In with k|].
    intros p Hp. simpl in Hp. apply in_map_iff in Hp. destruct Hp as (e & <- & He). rewrite forallb_forall in H'. specialize (H' _ He).
    apply (existsb_in row_eq) in H'; [exact H'|apply row_eq_spec]. }
  induction order as [|i rest IH]; intros part x Ho G Hc H.
  - assert (Cv : forall i, (i < count D)%nat -> In i (map fst part)) by (intros i Hi; destruct (Hc i Hi); [easy|auto]).
    destruct x as [k|ch|w lam|w lam c]; [now apply C|discriminate|now apply leaf_local|now apply leaf_beaten].
  - destruct x as [k|ch|w lam|w lam c]; [now apply C| |discriminate|discriminate].
    cbn [node_ok] in H. apply andb_prop in H. destruct H as [L F]. apply Nat.eqb_eq in L. rewrite forallb_forall in F.
    cbn [real_tree valid]. intros t Ht.
    destruct (nth_error ch t) as [child|] eqn:N; [|apply nth_error_None in N; simpl in Ht; lia].
    exists (real_tree child). split; [now apply map_nth_error|].
    assert (X : node_ok D (keys D) v conflicts rest ((i, t) :: part) child = true).
    { apply (F (t, child)). apply in_combine_seq. split; [lia|]. now rewrite Nat.sub_0_r. }
    apply IH; auto.
    + intros j Hj. apply Ho. now right.
    + intros j a [E|I]; [inversion E; subst; split; [apply Ho; now left|exact Ht]|now apply G].
    + intros j Hj. simpl. destruct (Hc j Hj) as [[->|]|]; auto.
Qed.

Lemma in_leaves : forall order part x, node_ok D (keys D) v conflicts order part x = true ->
  forall al, In al (leaves D order part x) <-> exists leaf, In leaf (found P order part (real_tree x)) /\ full_selection D leaf = al.
Proof.
  induction order as [|i rest IH]; intros part x H al.
  - destruct x; simpl; split; try easy; try (now intros (leaf & [] & _)).
    + intros [<-|[]]. exists part. auto.
    + intros (leaf & [<-|[]] & E). now left.
  - destruct x as [k|ch|w lam|w lam c]; try (simpl; split; [easy|now intros (leaf & [] & _)]).
    change (real_tree (Branch ch)) with (@Split (coordinates d) (map real_tree ch)). cbn [leaves found].
    cbn [node_ok] in H. apply andb_prop in H. destruct H as [L F]. apply Nat.eqb_eq in L. rewrite forallb_forall in F. rewrite in_flat_map. split.
    + intros ([t child] & Hp & Hl). assert (X := F _ Hp). apply in_combine_seq in Hp. rewrite Nat.sub_0_r in Hp. destruct Hp as [_ N]. simpl in Hl, X.
      apply (IH _ _ X) in Hl. destruct Hl as (leaf & Hf & E). exists leaf. split; auto. apply in_flat_map. exists t. split.
      * apply in_seq. simpl. rewrite <- L. split; [lia|]. apply nth_error_Some. now rewrite N.
      * now rewrite (map_nth_error real_tree t ch N).
    + intros (leaf & Hf & E). apply in_flat_map in Hf. destruct Hf as (t & Ht & Hf).
      destruct (nth_error ch t) as [child|] eqn:N; [|rewrite nth_error_None in N; apply in_seq in Ht; simpl in Ht; lia].
      rewrite (map_nth_error real_tree t ch N) in Hf.
      assert (Hp : In (t, child) (combine (seq 0 (length ch)) ch)) by (apply in_combine_seq; rewrite Nat.sub_0_r; split; [lia|auto]).
      exists (t, child). split; auto. simpl. apply (IH _ _ (F _ Hp)). exists leaf. auto.
Qed.

Lemma found_samples : forall order part (x : tree) leaf, In leaf (found P order part x) -> map fst leaf = rev order ++ map fst part.
Proof.
  induction order as [|i rest IH]; intros part x leaf H; destruct x; simpl in H; try easy.
  - destruct H as [<-|[]]; auto.
  - apply in_flat_map in H. destruct H as (t & _ & H). destruct (nth_error children t); [|easy]. apply IH in H. rewrite H. simpl. now rewrite <- app_assoc.
Qed.

End Tree.

Theorem census_sound conflicts number selections order tree :
  census_check D (keys D) (scores D v) v conflicts number selections order tree = Accepted -> all_locally_optimal D selections number.
Proof.
  unfold census_check. intros H. split_checks H.
  apply Nat.eqb_eq in B. apply andb_prop in B0. destruct B0 as [As Sel]. rewrite forallb_forall in Sel.
  unfold order_ok in B1. rewrite !andb_true_iff, !forallb_forall, Nat.eqb_eq in B1. destruct B1 as ((Lo & Ro) & Co).
  apply andb_prop in B4. destruct B4 as [In1 In2]. unfold contained in In1, In2. rewrite forallb_forall in In1, In2.
  assert (Ex : forall (al : list nat) l, existsb (list_eq Nat.eqb al) l = true -> In al l).
  { intros al l. apply (existsb_in (list_eq Nat.eqb)). intros x y. apply list_eq_spec. apply Nat.eqb_eq. }
  assert (R : forall i, In i order -> (i < count D)%nat) by (intros i Hi; now apply Nat.ltb_lt, Ro).
  assert (C : forall i, (i < count D)%nat -> In i order).
  { intros i Hi. assert (X := Co i ltac:(apply in_seq; lia)). apply (existsb_in Nat.eqb) in X; auto. apply Nat.eqb_eq. }
  assert (No : NoDup order).
  { apply (NoDup_incl_NoDup (l := seq 0 (count D))); [apply seq_NoDup|rewrite seq_length; lia|]. intros i Hi. apply in_seq in Hi. apply C. lia. }
  assert (V : valid P order [] (real_tree conflicts tree)).
  { apply node_valid; auto; intros i a []. }
  assert (T := census P order (real_tree conflicts tree) V ltac:(intros i; split; [apply R|apply C])).
  assert (Fs : forall leaf, In leaf (found P order [] (real_tree conflicts tree)) -> map fst leaf = rev order).
  { intros leaf Hl. apply found_samples in Hl. now rewrite Hl, app_nil_r. }
  split; [auto|]. split; [now apply ascending_differ|]. intros al. split.
  - intros I. assert (S := selection_sound D al (Sel al I)). split; auto.
    apply T; [exact (proj2 S)|]. assert (J := Ex _ _ (In1 al I)). apply (in_leaves conflicts _ _ _ B3) in J. destruct J as (leaf & Hf & E).
    exists leaf. split; auto. intros i a Hia.
    assert (Hi : (i < count D)%nat).
    { apply R. apply in_rev. rewrite <- (Fs leaf Hf). now apply (in_map fst) in Hia. }
    subst al. rewrite pick_full by auto. apply chosen_unique; auto. rewrite (Fs leaf Hf). now apply NoDup_rev.
  - intros [S L]. apply T in L; [|exact (proj2 S)]. destruct L as (leaf & Hf & A).
    apply Ex, In2. apply (in_leaves conflicts _ _ _ B3). exists leaf. split; auto.
    destruct S as [Ln S]. apply (nth_ext _ _ 0%nat 0%nat); [unfold full_selection; now rewrite map_length, seq_length|].
    intros i Hi. unfold full_selection in Hi. rewrite map_length, seq_length in Hi.
    change (pick (full_selection D leaf) i = pick al i). rewrite pick_full by auto. symmetry.
    apply agrees_chosen; auto. rewrite (Fs leaf Hf). apply in_rev. rewrite rev_involutive. now apply C.
Qed.
End Census.
