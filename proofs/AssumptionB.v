(** `assumption-b` (docs/certificate.md 4.9; docs/theory.md 4.2 to 4.6).  z_it = Y_i x_it.  The margin of attention s is max over |u| <= 1 of min_i u.(sum_t s_it z_it); "margin(s) <= B" is
    written out: for every u with |u| <= 1 some sample has u.(sum_t s_it z_it) <= B.  (By duality this is the least |sum_i l_i sum_t s_it z_it| over weights l; `weights_bound_margin` is the direction used here.)
    If the cells of every j in S with two tokens cover [0, 1] and their trees are valid with nu, then every attention s on the simplices, hence every s(p), has
    margin(s) <= Gamma - nu max_{i in S} (1 - s_ialpha_i).  With `cover` the maximum runs over all samples at the cost of the factor kappa. *)
From Coq Require Import Reals List Lra Lia Psatz Arith Bool Classical_Prop.
From Attest Require Import Sums Space Svm Select.
Import ListNotations.
Open Scope R_scope.

Section B.
Context {E : space}.
Variable n : nat.
Variable T : nat -> nat.
Variable z : nat -> nat -> E.
Variable al : nat -> nat.
Variable inS : nat -> bool.
Variable sel : forall i, (i < n)%nat -> (al i < T i)%nat.
Notation samples := (seq 0 n).

Definition simplex (s : nat -> nat -> R) := forall i, (i < n)%nat -> (forall t, 0 <= s i t) /\ sum (seq 0 (T i)) (s i) = 1.
Definition mixed (s : nat -> nat -> R) i : E := vsum (seq 0 (T i)) (fun t => vscal (s i t) (z i t)).
Definition margin_le (s : nat -> nat -> R) (B : R) := forall u : E, norm u <= 1 -> exists i, (i < n)%nat /\ dot u (mixed s i) <= B.

Definition weights (l : nat -> R) := (forall i, (i < n)%nat -> 0 <= l i) /\ sum samples l = 1.

(** Weights bound every direction. *)
Lemma weights_direction (y : nat -> E) l B u : weights l -> norm (vsum samples (fun i => vscal (l i) (y i))) <= B -> norm u <= 1 ->
  ~ (forall i, (i < n)%nat -> B < dot u (y i)).
Proof.
  intros [L0 L1] Hn Hu H. set (v := vsum samples (fun i => vscal (l i) (y i))) in *.
  assert (D : dot u v <= B).
  { apply Rle_trans with (1 := cauchy_schwarz u v). assert (Nv := norm_pos v). assert (Nu := norm_pos u). nra. }
  assert (G : B < dot u v).
  { unfold v. rewrite dot_vsum_r. rewrite (sum_ext _ _ (fun i => l i * dot u (y i))) by (intros; apply dot_scal_r).
    replace B with (sum samples (fun i => l i * B)) by (rewrite sum_scal_r, L1; ring).
    assert (Ex : exists i, In i samples /\ 0 < l i).
    { apply Classical_Prop.NNPP. intros N. assert (Z : sum samples l = 0); [|lra]. apply sum_zero. intros i Hi. destruct (Rle_lt_or_eq_dec 0 (l i)) as [Lt|Eq]; auto.
      - apply in_seq in Hi. apply L0. lia.
      - exfalso. apply N. now exists i. }
    destruct Ex as (i0 & Hi0 & Pi0). apply sum_lt with i0; auto.
    - apply Rmult_lt_compat_l; auto. apply H. apply in_seq in Hi0. lia.
    - intros i Hi. apply in_seq in Hi. apply Rmult_le_compat_l; [apply L0; lia|left; apply H; lia]. }
  lra.
Qed.

Theorem weights_bound_margin s l B : weights l -> norm (vsum samples (fun i => vscal (l i) (mixed s i))) <= B -> margin_le s B.
Proof.
  intros L Hn u Hu. apply Classical_Prop.NNPP. intros N. apply (weights_direction (mixed s) l B u L Hn Hu). intros i Hi.
  destruct (Rlt_or_le B (dot u (mixed s i))) as [|C]; auto. exfalso. apply N. now exists i.
Qed.

(** The points that samples offer in the cells of j. *)
Definition point (de : R) i t : E := if inS i then vadd (z i (al i)) (vscal de (vsub (z i t) (z i (al i)))) else z i t.
Definition offered j i t := (t < T i)%nat /\ ~ (i = j /\ t = al j).

Section Tree.
Variable j : nat.
Variables Ga nu : R.
Definition assignment := nat -> option nat.
Definition upd (g : assignment) i t : assignment := fun k => if (k =? i)%nat then Some t else g k.

(** Clause "Closing", at the end de; cen i is the centre of an open sample (its mean in the rule; any point serves), mx and pair the maxima. *)
Definition centre (cen : nat -> E) (g : assignment) de i := match g i with Some t => point de i t | None => cen i end.
Definition is_open (g : assignment) i := match g i with Some _ => false | None => true end.
Definition closes (g : assignment) (l : nat -> R) de := exists (cen : nat -> E) (mx : nat -> R) (pair : nat -> nat -> nat -> R),
  let c := centre cen g de in let C := vsum samples (fun i => vscal (l i) (c i)) in let e i t := vsub (point de i t) (c i) in
  (forall i t k t', (i < n)%nat -> (k < n)%nat -> offered j i t -> offered j k t' -> dot (e i t) (e k t') <= pair i t k) /\
  (forall i t, (i < n)%nat -> is_open g i = true -> offered j i t ->
     2 * l i * dot (e i t) C + l i * l i * dot (e i t) (e i t) + l i * sum (filter (is_open g) (others n i)) (fun k => l k * pair i t k) <= mx i) /\
  0 <= Ga - nu * de /\ dot C C + sum (filter (is_open g) samples) mx <= (Ga - nu * de) * (Ga - nu * de).

Inductive node := Leaf (l : nat -> R) | Branch (i : nat) (children : nat -> node).

Inductive valid (a b : R) : assignment -> node -> Prop :=
| valid_leaf g l : weights l -> closes g l a -> closes g l b -> valid a b g (Leaf l)
| valid_branch g i ch : (i < n)%nat -> g i = None -> (forall t, offered j i t -> valid a b (upd g i t) (ch t)) -> valid a b g (Branch i ch).

Definition below (g : assignment) (tau : nat -> nat) := (forall i, (i < n)%nat -> offered j i (tau i)) /\ forall i t, (i < n)%nat -> g i = Some t -> tau i = t.

Lemma closes_bound g l de tau : weights l -> closes g l de -> below g tau -> norm (vsum samples (fun i => vscal (l i) (point de i (tau i)))) <= Ga - nu * de.
Proof.
  intros [L0 _] (cen & mx & pair & Hp & Hm & Hpos & Hc) [Ho Hb]. set (c := centre cen g de) in *. set (C := vsum samples (fun i => vscal (l i) (c i))) in *.
  set (e := fun i t => vsub (point de i t) (c i)) in *. set (v := vsum samples _).
  assert (Asg : forall i, (i < n)%nat -> is_open g i = false -> forall y, dot (e i (tau i)) y = 0).
  { intros i Hi Hop y. unfold e, c, centre, is_open in *. destruct (g i) eqn:G; [|easy]. rewrite (Hb i n0 Hi G), dot_sub_l. ring. }
  assert (Sq : dot v v = dot C C + sum samples (fun i => 2 * l i * dot (e i (tau i)) C + l i * sum samples (fun k => l k * dot (e i (tau i)) (e k (tau k))))).
  { assert (Sv : forall y, dot v y = dot C y + sum samples (fun i => l i * dot (e i (tau i)) y)).
    { intros y. unfold v, C, e. rewrite !dot_vsum_l, <- sum_plus. apply sum_ext. intros i _. rewrite !dot_scal_l, dot_sub_l. ring. }
    rewrite Sv, (dot_sym C v), Sv. rewrite (sum_ext samples (fun i => l i * dot (e i (tau i)) v) (fun i => l i * dot (e i (tau i)) C + l i * sum samples (fun k => l k * dot (e i (tau i)) (e k (tau k))))).
    - rewrite !sum_plus. rewrite (sum_ext samples (fun i => 2 * l i * dot (e i (tau i)) C) (fun i => 2 * (l i * dot (e i (tau i)) C))) by (intros; ring). rewrite sum_scal. ring.
    - intros i _. rewrite (dot_sym (e i (tau i)) v), Sv, (dot_sym C). rewrite Rmult_plus_distr_l. f_equal. f_equal. apply sum_ext. intros k _. rewrite (dot_sym (e k (tau k))). ring. }
  apply sqrt_le_of_sq; auto. rewrite Sq. apply Rle_trans with (2 := Hc). apply Rplus_le_compat_l. rewrite sum_filter. apply sum_le. intros i Hi. apply in_seq in Hi. assert (Hi' : (i < n)%nat) by lia.
  destruct (is_open g i) eqn:Op.
  - apply Rle_trans with (2 := Hm i (tau i) Hi' Op (Ho i Hi')). rewrite (sum_others n i) by auto. rewrite Rmult_plus_distr_l. rewrite sum_filter.
    assert (l i * sum (others n i) (fun k => l k * dot (e i (tau i)) (e k (tau k))) <= l i * sum (others n i) (fun k => if is_open g k then l k * pair i (tau i) k else 0)).
    { apply Rmult_le_compat_l; [now apply L0|]. apply sum_le. intros k Hk. apply in_others in Hk. destruct (is_open g k) eqn:Ok.
      - apply Rmult_le_compat_l; [apply L0; tauto|]. apply Hp; [auto|tauto|auto|apply Ho; tauto].
      - rewrite (dot_sym (e i (tau i))), Asg by tauto. lra. }
    change (vsub (point de i (tau i)) (c i)) with (e i (tau i)). lra.
  - rewrite (Asg i Hi' Op C). rewrite (sum_zero samples); [lra|]. intros k _. rewrite (Asg i Hi' Op). ring.
Qed.

Lemma tree_bound a b g nd : valid a b g nd -> forall tau, below g tau -> exists l, weights l /\
  norm (vsum samples (fun i => vscal (l i) (point a i (tau i)))) <= Ga - nu * a /\ norm (vsum samples (fun i => vscal (l i) (point b i (tau i)))) <= Ga - nu * b.
Proof.
  intros V. induction V as [g l W Ca Cb|g i ch Hi Gi V IH]; intros tau Hb.
  - exists l. split; auto. split; apply closes_bound with g; auto.
  - apply (IH (tau i) (proj1 Hb i Hi)). split; [apply Hb|]. intros k t Hk. unfold upd. destruct (Nat.eqb_spec k i) as [->|N]; [now injection 1|]. now apply Hb.
Qed.

(** Convexity over the cell: the points are affine in delta. *)
Lemma cell_bound a b de nd : a < b -> a <= de <= b -> valid a b (fun _ => None) nd -> forall tau, (forall i, (i < n)%nat -> offered j i (tau i)) ->
  exists l, weights l /\ norm (vsum samples (fun i => vscal (l i) (point de i (tau i)))) <= Ga - nu * de.
Proof.
  intros Hab Hd V tau Ho. destruct (tree_bound a b _ nd V tau) as (l & W & Ba & Bb); [split; [auto|easy]|]. exists l. split; auto.
  set (k := (de - a) / (b - a)).
  assert (Hk : 0 <= k <= 1). { unfold k. split; [apply Rle_mult_inv_pos; lra|]. apply Rmult_le_reg_r with (b - a); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (Hde : de = (1 - k) * a + k * b) by (unfold k; field; lra).
  assert (Sm : same (vsum samples (fun i => vscal (l i) (point de i (tau i)))) (vadd (vscal (1 - k) (vsum samples (fun i => vscal (l i) (point a i (tau i))))) (vscal k (vsum samples (fun i => vscal (l i) (point b i (tau i))))))).
  { intros y. rewrite dot_add_l, !dot_scal_l, !dot_vsum_l, <- !sum_scal, <- sum_plus. apply sum_ext. intros i _. rewrite !dot_scal_l. unfold point.
    destruct (inS i); [rewrite !dot_add_l, !dot_scal_l, Hde; ring|ring]. }
  rewrite (same_norm _ _ Sm). apply Rle_trans with (1 := norm_triangle _ _). rewrite !norm_scal, !Rabs_pos_eq by lra.
  replace (Ga - nu * de) with ((1 - k) * (Ga - nu * a) + k * (Ga - nu * b)) by (rewrite Hde; ring). apply Rplus_le_compat; apply Rmult_le_compat_l; lra.
Qed.
End Tree.

(** Where sample i's attention leaves alpha by at most de, u.(mixed token) is at most u.(a point offered). *)
Lemma best_point j s u de i : simplex s -> (i < n)%nat -> 0 < de -> (inS i = true -> 1 - s i (al i) <= de) -> (i = j -> 1 - s i (al i) = de) -> inS j = true ->
  exists t, offered j i t /\ dot u (mixed s i) <= dot u (point de i t).
Proof.
  intros Hs Hi Hd HS Hj Sj. destruct (Hs i Hi) as [S0 S1].
  assert (Mx : dot u (mixed s i) = sum (seq 0 (T i)) (fun t => s i t * dot u (z i t))) by (unfold mixed; rewrite dot_vsum_r; apply sum_ext; intros; apply dot_scal_r).
  (* a weighted mean is at most the largest value that has weight *)
  assert (Mean : forall (r : nat -> R) (f : nat -> R), (forall t, In t (seq 0 (T i)) -> 0 <= r t) -> sum (seq 0 (T i)) r = 1 -> (i = j -> r (al j) = 0) ->
    exists t, offered j i t /\ sum (seq 0 (T i)) (fun t => r t * f t) <= f t).
  { intros r f R0 R1 Rj. apply Classical_Prop.NNPP. intros N.
    assert (Le : forall t, In t (seq 0 (T i)) -> 0 < r t -> f t < sum (seq 0 (T i)) (fun t => r t * f t)).
    { intros t Ht Rt. apply Rnot_le_lt. intros Q. apply N. exists t. split; auto. apply in_seq in Ht. split; [lia|]. intros [-> ->]. rewrite Rj in Rt; auto. lra. }
    set (m := sum (seq 0 (T i)) (fun t => r t * f t)) in *.
    assert (Ex : exists t, In t (seq 0 (T i)) /\ 0 < r t).
    { apply Classical_Prop.NNPP. intros N'. assert (Z : sum (seq 0 (T i)) r = 0); [|lra]. apply sum_zero. intros t Ht. destruct (Rle_lt_or_eq_dec 0 (r t) (R0 t Ht)) as [Lt|Eq]; auto. exfalso. apply N'. now exists t. }
    destruct Ex as (t0 & Ht0 & Rt0).
    assert (X : m < sum (seq 0 (T i)) (fun t => r t * m)).
    { unfold m at 1. apply sum_lt with t0; auto; [apply Rmult_lt_compat_l; auto|]. intros t Ht. destruct (Rle_lt_or_eq_dec 0 (r t) (R0 t Ht)) as [Lt|Eq]; [left; apply Rmult_lt_compat_l; auto|rewrite <- Eq; lra]. }
    rewrite sum_scal_r, R1 in X. lra. }
  destruct (inS i) eqn:Si.
  - (* s_i = (1 - de) e_alpha + de r *)
    set (r := fun t => (s i t - (if (t =? al i)%nat then 1 - de else 0)) / de).
    assert (Ai := sel i Hi).
    assert (Ind : forall f, sum (seq 0 (T i)) (fun t => (if (t =? al i)%nat then 1 - de else 0) * f t) = (1 - de) * f (al i)).
    { intros f. rewrite (sum_others _ (al i)) by auto. rewrite Nat.eqb_refl, sum_zero; [ring|]. intros t Ht. apply in_others in Ht. destruct (Nat.eqb_spec t (al i)); [tauto|ring]. }
    destruct (Mean r (fun t => dot u (point de i t))) as (t & Ot & Lt).
    + intros t _. unfold r. apply Rle_mult_inv_pos; auto. destruct (Nat.eqb_spec t (al i)) as [->|]; [specialize (HS eq_refl); lra|rewrite Rminus_0_r; apply S0].
    + unfold r, Rdiv. rewrite sum_scal_r, sum_minus, S1. rewrite (sum_ext _ (fun t => if (t =? al i)%nat then 1 - de else 0) (fun t => (if (t =? al i)%nat then 1 - de else 0) * 1)) by (intros; ring). rewrite Ind. field. lra.
    + intros ->. unfold r. rewrite Nat.eqb_refl. specialize (Hj eq_refl). replace (s j (al j) - (1 - de)) with 0 by lra. unfold Rdiv. ring.
    + exists t. split; auto. apply Rle_trans with (2 := Lt). right. rewrite Mx. unfold point. rewrite Si.
      rewrite (sum_ext _ (fun t => r t * dot u (vadd (z i (al i)) (vscal de (vsub (z i t) (z i (al i))))))
        (fun t => (s i t * ((1 - de) * dot u (z i (al i)) / de) + s i t * dot u (z i t)) - (if (t =? al i)%nat then 1 - de else 0) * ((1 - de) * dot u (z i (al i)) / de + dot u (z i t)))).
      * rewrite sum_minus, sum_plus, sum_scal_r, S1, Ind. field. lra.
      * intros t' _. unfold r. rewrite dot_add_r, dot_scal_r, dot_sub_r. field. lra.
  - destruct (Mean (s i) (fun t => dot u (point de i t))) as (t & Ot & Lt); auto.
    + intros ->. congruence.
    + exists t. split; auto. apply Rle_trans with (2 := Lt). right. rewrite Mx. unfold point. now rewrite Si.
Qed.

(** Cells of j: the ends 0 = a_0 < a_1 < ... < a_m = 1, each with a valid tree. *)
Fixpoint cells_ok (j : nat) (Ga nu a : R) (cells : list (R * node)) : Prop :=
  match cells with [] => a = 1 | (b, nd) :: rest => a < b /\ valid j Ga nu a b (fun _ => None) nd /\ cells_ok j Ga nu b rest end.

Lemma cells_find j Ga nu cells : forall a de, cells_ok j Ga nu a cells -> a <= de <= 1 -> (a < de \/ cells <> []) ->
  exists a' b' nd, a' < b' /\ a' <= de <= b' /\ valid j Ga nu a' b' (fun _ => None) nd.
Proof.
  induction cells as [|[b nd] rest IH]; intros a de H Hd Hne; simpl in H; [destruct Hne; [lra|easy]|].
  destruct H as (Hab & V & R). destruct (Rle_or_lt de b) as [L|G].
  - exists a, b, nd. split; [auto|]. split; [lra|auto].
  - apply (IH b de R); [lra|left; lra].
Qed.

(** The rule without `cover`: over the samples of S. *)
Theorem assumption_b Ga nu (dual : nat -> R) (cells : nat -> list (R * node)) :
  0 <= nu ->
  (* the dual of the v-SVM, normalised: weights on S whose combination has norm Gamma *)
  weights dual -> (forall i, (i < n)%nat -> inS i = false -> dual i = 0) -> norm (vsum samples (fun i => vscal (dual i) (z i (al i)))) <= Ga ->
  (forall j, (j < n)%nat -> inS j = true -> (1 < T j)%nat -> cells j <> [] /\ cells_ok j Ga nu 0 (cells j)) ->
  forall s, simplex s -> forall m, (forall i, (i < n)%nat -> inS i = true -> 1 - s i (al i) <= m) ->
  (m = 0 \/ exists j, (j < n)%nat /\ inS j = true /\ (1 < T j)%nat /\ 1 - s j (al j) = m) ->
  margin_le s (Ga - nu * m).
Proof.
  intros Hnu Wd Wo Wn Hc s Hs m Hm Hmax.
  destruct (Req_dec m 0) as [->|Nz].
  - (* attention of S is at alpha *)
    rewrite Rmult_0_r, Rminus_0_r. apply weights_bound_margin with dual; auto. apply Rle_trans with (2 := Wn). right. apply same_norm. intros y. rewrite !dot_vsum_l. apply sum_ext.
    intros i Hi. apply in_seq in Hi. assert (Hi' : (i < n)%nat) by lia. rewrite !dot_scal_l. destruct (inS i) eqn:Si; [|rewrite Wo by auto; ring].
    f_equal. specialize (Hm i Hi' Si). destruct (Hs i Hi') as [S0 S1]. unfold mixed. rewrite dot_vsum_l, (sum_others _ (al i)) by auto. rewrite dot_scal_l.
    assert (Z : forall t, In t (others (T i) (al i)) -> s i t = 0).
    { rewrite (sum_others _ (al i)) in S1 by auto. assert (Sz : sum (others (T i) (al i)) (s i) = 0).
      { assert (0 <= sum (others (T i) (al i)) (s i)) by (apply sum_nonneg; auto). lra. }
      intros t Ht. apply (sum_nonneg_zero _ (s i) (fun t _ => S0 t) Sz t Ht). }
    rewrite sum_zero by (intros t Ht; rewrite dot_scal_l, Z by auto; ring).
    rewrite (sum_others _ (al i)), (sum_zero (others _ _)) in S1 by auto. replace (s i (al i)) with 1 by lra. ring.
  - destruct Hmax as [|(j & Hj & Sj & Tj & Em)]; [easy|].
    destruct (Hs j Hj) as [S0 S1]. assert (M1 : 0 < m <= 1).
    { assert (A1 : s j (al j) <= 1) by (rewrite <- S1; apply (sum_term (seq 0 (T j)) (s j)); auto; apply in_seq; specialize (sel j Hj); lia). specialize (S0 (al j)). lra. }
    destruct (Hc j Hj Sj Tj) as [Ne Ok]. destruct (cells_find j Ga nu (cells j) 0 m Ok ltac:(lra) (or_intror Ne)) as (a & b & nd & Hab & Hd & V).
    intros u Hu. apply Classical_Prop.NNPP. intros N.
    assert (All : forall i, (i < n)%nat -> Ga - nu * m < dot u (mixed s i)).
    { intros i Hi. apply Rnot_le_lt. intros Q. apply N. now exists i. }
    assert (Pick : forall k, (k <= n)%nat -> exists tau : nat -> nat, forall i, (i < k)%nat -> offered j i (tau i) /\ Ga - nu * m < dot u (point m i (tau i))).
    { induction k as [|k IH]; intros Hk; [exists (fun _ => 0%nat); lia|]. destruct IH as [tau Ht]; [lia|].
      destruct (best_point j s u m k Hs ltac:(lia) ltac:(lra)) as (t & Ot & Lt); [intros Sk; apply Hm; auto; lia|intros ->; auto|auto|].
      exists (fun i => if (i =? k)%nat then t else tau i). intros i Hi. destruct (Nat.eqb_spec i k) as [->|D]; [split; auto; specialize (All k ltac:(lia)); lra|apply Ht; lia]. }
    destruct (Pick n (le_n n)) as [tau Ht].
    destruct (cell_bound j Ga nu a b m nd Hab Hd V tau (fun i Hi => proj1 (Ht i Hi))) as (l & W & Bn).
    apply (weights_direction (fun i => point m i (tau i)) l (Ga - nu * m) u W Bn Hu). intros i Hi. now apply Ht.
Qed.

(** 4.6: comparison with an irrational Gamma, Gamma^2 = B. *)
Theorem compare_root A B c : 0 <= A -> 0 <= B -> 0 <= c -> c * c <= B -> A <= B + c * c -> 4 * (c * c) * B <= (B + c * c - A) * (B + c * c - A) -> sqrt A <= sqrt B - c /\ 0 <= sqrt B - c.
Proof.
  intros HA HB Hc H1 H2 H3. assert (SB := sqrt_sqrt B HB). assert (PB := sqrt_pos B). assert (SA := sqrt_sqrt A HA). assert (PA := sqrt_pos A).
  assert (C0 : c <= sqrt B) by (apply le_of_sq; lra). split; [|lra].
  apply le_of_sq; [lra|]. rewrite SA. assert (2 * c * sqrt B <= B + c * c - A) by (apply le_of_sq; [lra|]; nra). nra.
Qed.
End B.
