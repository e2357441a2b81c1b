(** Local optimality from a bracket (docs/certificate.md 4.6, 4.7, 4.16 with 4.31): an accepted bracket makes the program feasible, so it has a
    minimiser (Minimiser.v); rows that are not listed are not tight there, and the row that the direction shows to be tight is. *)
From Coq Require Import QArith Qreals Reals List Lra Lia Arith Bool.
From Attest Require Import Sums Space Svm Select Rank Minimiser.
From Attest Require Bracket.
From Attest.verified Require Import Numbers Meaning Checks SoundPrograms SoundData SoundMatrix.
Import ListNotations.
Open Scope R_scope.

Section Bracket.
Variable D : data.
Variable well : well_formed D = true.
Variable al : list nat.
Variable selected : is_selection D al.
Variable v : list Q.
Variable head : d_head D = Some v.
Context {E : space}.
Variable P : problem E.
Variable rows_P : rows P (pick al) = key_rows D al.
Variable score_P : forall i t, score P i t = score_of D i t.
Variables (value reach : row_name -> Q) (B : bracket).
Let a := row P (pick al).
Let lam := b_multipliers B.
Let m := Q2R (b_scale B).
Let delta := Q2R (b_distance B).
Variable value_real : multipliers_ok (is_key_row D al) lam = true -> forall c, In c (key_rows D al) -> Q2R (value c) = dot (a c) (listed a lam).
Variable reach_real : forall c, In c (key_rows D al) -> dot (a c) (a c) <= Q2R (reach c).
Variable accepted : bracket_check D al value B = Accepted.

Let R := key_rows D al.
Let wt := weight_of lam.

Lemma row_there : forall c, is_key_row D al c = true -> In c R.
Proof. apply is_key_row_in. Qed.
Lemma lists_rows : multipliers_ok (is_key_row D al) lam = true.
Proof. unfold bracket_check in accepted. fold lam in accepted. now destruct (multipliers_ok (is_key_row D al) lam). Qed.
Lemma sum_same : same (listed a lam) (Bracket.u R a wt).
Proof. apply (listed_same R (is_key_row D al) a (key_rows_differ D al) row_there lam lists_rows). Qed.
Lemma row_value c : In c R -> dot (a c) (Bracket.u R a wt) = Q2R (value c).
Proof. intros Hc. rewrite <- (same_r _ _ (a c) sum_same). symmetry. apply value_real; auto using lists_rows. Qed.
Lemma wt_nonneg : forall c, In c R -> 0 <= wt c.
Proof. intros c _. apply (weight_nonneg R (is_key_row D al) row_there lam lists_rows). Qed.
Lemma one_nonneg : forall c, In c R -> 0 <= one c.
Proof. intros. unfold one. lra. Qed.
Lemma N_real : Bracket.N R a wt = Q2R (square value lam).
Proof.
  unfold Bracket.N. rewrite <- (sum_same (Bracket.u R a wt)), <- (same_r _ _ (listed a lam) sum_same).
  symmetry. apply (square_real R (is_key_row D al) a row_there); auto using lists_rows.
Qed.
Lemma B_real : Bracket.B R one wt = Q2R (qsum lam snd).
Proof.
  unfold Bracket.B, wt. rewrite (weighted_sum R lam one (key_rows_differ D al)); [rewrite real_sum; apply sum_ext; intros; unfold one; ring|].
  intros e He. now apply (multipliers_rows R (is_key_row D al) row_there lam lists_rows).
Qed.

Lemma bracket_parts : 0 < m /\ 0 <= delta /\ 0 < Bracket.N R a wt /\ (forall c, In c R -> m * one c <= dot (a c) (Bracket.u R a wt)) /\
  Bracket.N R a wt / (m * m) - Bracket.B R one wt * Bracket.B R one wt / Bracket.N R a wt <= delta * delta.
Proof.
  assert (HN := N_real). assert (HB := B_real). assert (HV := row_value). assert (H := accepted).
  unfold bracket_check in H. fold lam in H. clear accepted value_real reach_real. split_checks H. cbv zeta in H. split_checks H.
  apply qlt_real in B1. apply qle_real in B2. rewrite real_0 in B1, B2. rewrite forallb_forall in B4.
  apply qlt_real in B3. rewrite real_0, <- HN in B3.
  split; [exact B1|]. split; [exact B2|]. split; [exact B3|]. split.
  - intros c Hc. rewrite HV by auto. specialize (B4 c Hc). apply qle_real in B4. fold m in B4. unfold one. lra.
  - apply qle_real in B5. rewrite real_sub, real_mul in B5. rewrite !real_div in B5.
    + rewrite !real_mul, <- HN, <- HB in B5. exact B5.
    + rewrite <- HN. lra.
    + rewrite real_mul. fold m. fold m in B1. nra.
Qed.

Let w := Bracket.w R a wt m.

Lemma w_dot x : dot x w = dot x (Bracket.u R a wt) / m.
Proof. unfold w, Bracket.w. rewrite dot_scal_r. unfold Rdiv. ring. Qed.

Lemma slack_real c : In c R -> Q2R (slack value B c) = dot (a c) w - one c.
Proof.
  intros Hc. destruct bracket_parts as (M & _). unfold slack. rewrite real_sub, real_div, real_1; [|fold m; lra].
  rewrite w_dot, row_value by auto. reflexivity.
Qed.

Theorem bracket_minimiser : exists ws, only_minimiser R a one ws.
Proof.
  destruct bracket_parts as (M & _ & _ & S & _).
  destruct (minimiser_exists R a one) as (ws & Mw); [exists w; now apply Bracket.bracket_feasible|].
  exists ws. split; auto. intros w' M'. now apply (minimiser_unique R a one).
Qed.

Lemma possible_tight possible ws : possible_check D al value reach B possible = Accepted -> minimiser R a one ws ->
  (forall c, In c possible -> In c R) /\ forall c, In c R -> existsb (row_eq c) possible = false -> one c < dot (a c) ws.
Proof.
  unfold possible_check. intros H Mw. split_checks H. apply andb_prop in B0. destruct B0 as [_ L]. rewrite forallb_forall in L, B1.
  split; [intros c Hc; now apply row_there, L|]. intros c Hc N. specialize (B1 c Hc). rewrite N in B1. simpl in B1.
  unfold excludes in B1. apply andb_prop in B1. destruct B1 as [S1 S2]. apply qlt_real in S1, S2. rewrite real_0, (slack_real c Hc) in S1.
  rewrite !real_mul, (slack_real c Hc) in S2. fold delta in S2.
  destruct bracket_parts as (M & Dp & Np & Sc & Di).
  exact (Bracket.bracket_excludes R a one wt m delta wt_nonneg one_nonneg Np M Dp Sc Di ws Mw c (Q2R (reach c)) (reach_real c Hc) S1 S2).
Qed.

Lemma existsb_row c l : existsb (row_eq c) l = true <-> In c l.
Proof. apply existsb_in. apply row_eq_spec. Qed.

Theorem bracket_local_sound possible : bracket_local D al value reach B v possible = Accepted -> locally_optimal_within P al possible.
Proof.
  assert (HM := bracket_minimiser). assert (HT := possible_tight). unfold bracket_local. intros H. split_checks H. unfold best_of_tight in B0. rewrite forallb_forall in B0.
  destruct HM as (ws & Mw). destruct (HT possible ws V0 (proj1 Mw)) as [Hp Ht].
  assert (T : forall c, In c R -> tight a one ws c -> In c possible).
  { intros c Hc Tc. apply existsb_row. apply not_false_is_true. intros N. specialize (Ht c Hc N). unfold tight in Tc. lra. }
  assert (G : forall c, In c possible -> score P (fst c) (snd c) < score P (fst c) (pick al (fst c))).
  { intros c Hc. assert (Rc := Hp c Hc). apply key_row_in in Rc. specialize (B0 c Hc). apply qlt_real in B0.
    rewrite real_0, (gap_real D well v al c) in B0; auto; try tauto. rewrite !score_P. lra. }
  unfold locally_optimal_within. rewrite rows_P. split; [|split; [exists ws; split; auto|exact G]].
  exists ws. rewrite rows_P. split; [apply Mw|]. intros c Hc Tc. specialize (G c (T c Hc Tc)). unfold gap. lra.
Qed.

Theorem bracket_beaten_sound possible c product itself (e : E) : (forall f, In f R -> Q2R (product f) = dot e (a f)) -> Q2R itself = dot e e ->
  bracket_beaten D al value reach B v possible c product itself = Accepted -> ~ locally_optimal P (pick al).
Proof.
  assert (HT := possible_tight). assert (HP := bracket_parts). assert (HS := sum_same). assert (HR := lists_rows).
  unfold bracket_beaten. intros Hpr Hit H. clear accepted value_real. split_checks H. cbv zeta in H. split_checks H.
  apply existsb_row in B0. rewrite forallb_forall in B1. apply andb_prop in B2. destruct B2 as [A1 A2].
  destruct HP as (M & Dp & Np & Sc & Di).
  assert (Wp : forall c, In c R -> 0 <= wt c) by (intros f _; apply (weight_nonneg R (is_key_row D al) row_there lam HR)).
  assert (Al : Q2R (qdiv (square product (b_multipliers B)) (b_scale B)) = dot e w).
  { rewrite real_div by (fold m; lra). rewrite w_dot. f_equal. unfold square. rewrite real_sum, dot_sym, <- (HS e), listed_dot.
    apply sum_ext. intros x Hx. rewrite real_mul, Hpr, (dot_sym e); auto. now apply (multipliers_rows R (is_key_row D al) row_there lam HR). }
  apply qlt_real in A1, A2. rewrite real_0, Al in A1. rewrite !real_mul, Al, Hit in A2. fold delta in A2.
  apply qle_real in B3. rewrite real_0 in B3.
  intros (ws & Mw & Hw). rewrite rows_P in Mw, Hw. fold a in Mw, Hw. fold R in Mw, Hw.
  destruct (HT possible ws V0 Mw) as [Hp Ht]. assert (Rc := Hp c B0).
  assert (Tc : dot (a c) ws = one c).
  { apply (Bracket.bracket_shows_tight R a one wt m delta Wp one_nonneg Np M Dp Sc Di ws Mw (fun f => existsb (row_eq f) possible) e c); auto.
    intros f Hf Pf. apply existsb_row in Pf. specialize (B1 f Pf). apply orb_true_iff in B1. destruct B1 as [Eq|Le]; [left; now apply row_eq_spec|].
    right. apply qle_real in Le. now rewrite real_0, Hpr in Le. }
  specialize (Hw c Rc Tc). apply key_row_in in Rc. rewrite (gap_real D well v al c) in B3; auto; try tauto. unfold gap in Hw. rewrite !score_P in Hw. lra.
Qed.
End Bracket.

(** ** The reaches *)
Section Reach.
Variable D : data.
Local Notation d := (dimension D).
Variable well : well_formed D = true.
Variable al : list nat.
Variable selected : is_selection D al.

Lemma token_square_real c : In c (key_rows D al) -> Q2R (token_square D al c) = rdot d (token_row D al c) (token_row D al c).
Proof.
  intros Hc. unfold token_square. cbv zeta. rewrite (real_dot d) by (now apply token_difference_length). unfold rdot. apply sum_ext. intros j _.
  now rewrite token_difference_real.
Qed.

Lemma matrix_reach_real c : In c (key_rows D al) -> dot (row (over_w D) (pick al) c) (row (over_w D) (pick al) c) <= Q2R (matrix_reach D al c).
Proof.
  intros Hc. rewrite (matrix_rows_dot D al). unfold matrix_reach. rewrite real_mul, token_square_real, query_dot; auto; [lra| |]; apply key_row_in in Hc; tauto.
Qed.

Lemma key_reach_real c : In c (key_rows D al) -> dot (row (over_p D) (pick al) c) (row (over_p D) (pick al) c) <= Q2R (key_reach D (weight_square D) al c).
Proof.
  intros Hc. unfold key_reach. rewrite real_mul, token_square_real by auto. unfold weight_square.
  destruct (d_weights D) as [W|] eqn:EW.
  - destruct (well_parts D well) as (_ & _ & _ & H & _). destruct (H W EW) as [LW RW].
    set (x := token_row D al c).
    assert (K : forall j, row (over_p D) (pick al) c j = sum (seq 0 d) (fun b => weight W j b * x b)).
    { intros j. unfold row, vsub, x, token_row, vsub. simpl. unfold key_of. rewrite EW. rewrite <- sum_scal, <- sum_plus. apply sum_ext. intros; ring. }
    assert (S : Q2R (qsum W (fun r => qdot r r)) = sum (seq 0 d) (fun j => sum (seq 0 d) (fun b => weight W j b * weight W j b))).
    { rewrite real_sum. rewrite <- LW at 1.
      assert (G : forall V, (forall r, In r V -> length r = d) -> sum V (fun r => Q2R (qdot r r)) = sum (seq 0 (length V)) (fun j => sum (seq 0 d) (fun b => weight V j b * weight V j b))).
      { induction V as [|r V IH]; intros HV; [easy|]. cbn [length]. rewrite sum_seq_shift. cbn [sum]. rewrite IH by (intros; apply HV; now right).
        f_equal. rewrite (real_dot d) by (apply HV; now left). reflexivity. }
      now apply G. }
    rewrite S. change (dot (row (over_p D) (pick al) c) (row (over_p D) (pick al) c)) with (rdot d (row (over_p D) (pick al) c) (row (over_p D) (pick al) c)).
    unfold rdot at 1.
    rewrite <- sum_scal_r. apply sum_le. intros j _. rewrite K. unfold rdot. apply sum_cauchy.
  - rewrite real_1, Rmult_1_l. right. simpl. unfold rdot. apply sum_ext. intros j _. unfold row, token_row, vsub. simpl. unfold key_of. now rewrite EW.
Qed.
End Reach.
