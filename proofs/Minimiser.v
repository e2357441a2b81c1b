(** A program a_c.w >= b_c with finitely many rows that has a feasible point has a minimiser, and only one (docs/certificate.md 4.5, 4.6, 4.31).
    No completeness of the space is needed: from a feasible point one moves towards the shortest point with the same tight rows until another row is
    tight; where that ends the point is the shortest one with its tight rows, and there are only finitely many sets of rows.
    It has multipliers (`multipliers_exist`), by Farkas' lemma: what 4.5 asks of a solution is met wherever a point is feasible (4.21). *)
From Coq Require Import Reals List Lra Lia Psatz Classical.
From Attest Require Import Sums Space Svm Rank.
Import ListNotations.
Open Scope R_scope.

Section Shortest.
Context {E : space}.

(** p lies in the span of l: what is orthogonal to l is orthogonal to p. *)
Definition shortest (l : list E) (p : E) := forall z, (forall u, In u l -> dot u z = 0) -> dot p z = 0.

Lemma project (l : list E) (v : E) : exists p, shortest l p /\ forall u, In u l -> dot u p = dot u v.
Proof.
  set (u := fun k => nth k l vzero). destruct (projection u (length l) v) as [x Hx]. exists (combination u (length l) x). split.
  - intros z Hz. rewrite combination_l. apply sum_zero. intros k Hk. apply in_seq in Hk. rewrite Hz; [ring|]. apply nth_In. lia.
  - intros y Hy. destruct (In_nth l y vzero Hy) as (k & Hk & <-). specialize (Hx k Hk). fold (u k). rewrite dot_sub_r in Hx. lra.
Qed.

Lemma shortest_below l p y : shortest l p -> (forall u, In u l -> dot u y = dot u p) -> dot p y = dot p p.
Proof. intros S H. assert (Z := S (vsub y p)). rewrite dot_sub_r in Z. cut (dot p y - dot p p = 0); [lra|]. apply Z. intros u Hu. rewrite dot_sub_r, H; auto. ring. Qed.

Lemma shortest_more l l' p : (forall u, In u l -> In u l') -> shortest l p -> shortest l' p.
Proof. intros H S z Hz. apply S. auto. Qed.
End Shortest.

Lemma filter_shorter {A} (f g : A -> bool) l c : (forall x, In x l -> f x = true -> g x = true) -> In c l -> g c = true -> f c = false ->
  (length (filter f l) < length (filter g l))%nat.
Proof.
  assert (L : forall l, (forall x, In x l -> f x = true -> g x = true) -> (length (filter f l) <= length (filter g l))%nat).
  { induction l0 as [|x l0 IH]; simpl; intros H; auto. assert (length (filter f l0) <= length (filter g l0))%nat by (apply IH; intros; apply H; auto).
    destruct (f x) eqn:F; [rewrite (H x (or_introl eq_refl) F); simpl; lia|]. destruct (g x); simpl; lia. }
  induction l as [|x l IH]; simpl; [easy|]. intros H I G F.
  assert (H' : forall x, In x l -> f x = true -> g x = true) by (intros; apply H; auto). specialize (L l H').
  destruct I as [->|I].
  - rewrite G, F. simpl. lia.
  - specialize (IH H' I G F). destruct (f x) eqn:Fx; [rewrite (H x (or_introl eq_refl) Fx); simpl; lia|]. destruct (g x); simpl; lia.
Qed.

Fixpoint sublists {A} (l : list A) : list (list A) := match l with [] => [[]] | c :: l => map (cons c) (sublists l) ++ sublists l end.
Lemma filter_sublist {A} (f : A -> bool) l : In (filter f l) (sublists l).
Proof. induction l as [|c l IH]; simpl; [now left|]. apply in_app_iff. destruct (f c); [left; now apply in_map|now right]. Qed.

(** Farkas' lemma, by induction on the number of rows: w is a sum of the rows with weights >= 0, or some z tells it from all of them. *)
Lemma farkas {E : space} {A : Type} (same_name : forall c e : A, {c = e} + {c <> e}) (l : list A) : NoDup l -> forall (a : A -> E) (w : E),
  (exists lam, (forall c, In c l -> 0 <= lam c) /\ same w (vsum l (fun c => vscal (lam c) (a c)))) \/
  (exists z, (forall c, In c l -> 0 <= dot (a c) z) /\ dot w z < 0).
Proof.
  induction 1 as [|c l Nc N IH]; intros a w.
  - destruct (Rle_or_lt (dot w w) 0) as [Z|Z].
    + left. exists (fun _ => 0). split; [easy|]. simpl. apply same_norm_sub. unfold norm.
      rewrite dot_sub_l, !dot_sub_r, !dot_zero_l, dot_zero_r. replace (dot w w - 0 - (0 - 0)) with (dot w w) by ring. apply sqrt_neg_0. lra.
    + right. exists (vscal (-1) w). split; [easy|]. rewrite dot_scal_r. lra.
  - set (extend := fun k (lam : A -> R) e => if same_name e c then k else lam e).
    assert (Ext : forall k lam z, dot (vsum (c :: l) (fun e => vscal (extend k lam e) (a e))) z = k * dot (a c) z + sum l (fun e => lam e * dot (a e) z)).
    { intros k lam z. rewrite combination_dot. simpl. unfold extend at 1. destruct (same_name c c) as [_|X]; [|easy]. f_equal.
      apply sum_ext. intros e He. unfold extend. destruct (same_name e c) as [->|_]; [easy|auto]. }
    assert (Pos : forall k lam, 0 <= k -> (forall e, In e l -> 0 <= lam e) -> forall e, In e (c :: l) -> 0 <= extend k lam e).
    { intros k lam Hk Hl e [<-|He]; unfold extend; [now destruct (same_name c c)|]. destruct (same_name e c); auto. }
    destruct (IH a w) as [(lam & Hl & S)|(z & Hz & Neg)].
    { left. exists (extend 0 lam). split; [apply Pos; auto; lra|]. intros x. rewrite Ext, S, combination_dot. ring. }
    destruct (Rle_or_lt 0 (dot (a c) z)) as [C|C]; [right; exists z; split; auto; intros e [<-|He]; auto|].
    (* z tells w and c from the others: the same question along the plane orthogonal to z. *)
    set (flat := fun x : E => vsub x (vscal (dot x z / dot (a c) z) (a c))).
    destruct (IH (fun e => flat (a e)) (flat w)) as [(lam & Hl & S)|(y & Hy & Ny)].
    + left. set (k := (dot w z - sum l (fun e => lam e * dot (a e) z)) / dot (a c) z). exists (extend k lam). split.
      * apply Pos; auto. assert (0 <= sum l (fun e => lam e * dot (a e) z)) by (apply sum_nonneg; intros; apply Rmult_le_pos; auto).
        unfold k. replace (_ / _) with ((sum l (fun e => lam e * dot (a e) z) - dot w z) * / - dot (a c) z) by (field; lra).
        apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
      * intros x. rewrite Ext. specialize (S x). rewrite combination_dot in S. unfold flat in S. rewrite dot_sub_l, dot_scal_l in S.
        rewrite (sum_ext _ _ (fun e => lam e * dot (a e) x - lam e * dot (a e) z * (dot (a c) x / dot (a c) z))) in S
          by (intros; rewrite dot_sub_l, dot_scal_l; field; lra).
        rewrite sum_minus, sum_scal_r in S. unfold k. replace (dot w x) with
          (dot w z / dot (a c) z * dot (a c) x + (dot w x - dot w z / dot (a c) z * dot (a c) x)) by ring. rewrite S. field. lra.
    + right. exists (vsub y (vscal (dot (a c) y / dot (a c) z) z)).
      assert (V : forall x, dot x (vsub y (vscal (dot (a c) y / dot (a c) z) z)) = dot (flat x) y)
        by (intros x; unfold flat; rewrite dot_sub_r, dot_scal_r, dot_sub_l, dot_scal_l; field; lra).
      split; [|now rewrite V]. intros e [<-|He]; [|now rewrite V; apply Hy].
      rewrite dot_sub_r, dot_scal_r. right. field. lra.
Qed.

Section Minimiser.
Context {E : space} {A : Type}.
Variables (rows : list A) (a : A -> E) (b : A -> R).

Definition is_tight (w : E) c : bool := if Req_EM_T (dot (a c) w) (b c) then true else false.
Lemma is_tight_spec w c : is_tight w c = true <-> dot (a c) w = b c.
Proof. unfold is_tight. destruct (Req_EM_T (dot (a c) w) (b c)); split; easy. Qed.
Definition tight_at w := filter (is_tight w) rows.
Definition slack_at w := filter (fun c => negb (is_tight w c)) rows.
Definition critical w := feasible rows a b w /\ shortest (map a (tight_at w)) w.

Lemma in_tight w c : In c (tight_at w) <-> In c rows /\ dot (a c) w = b c.
Proof. unfold tight_at. rewrite filter_In, is_tight_spec. tauto. Qed.

Lemma descend : forall k w, feasible rows a b w -> (length (slack_at w) <= k)%nat -> exists w', critical w' /\ dot w' w' <= dot w w.
Proof.
  induction k as [|k IH]; intros w F Hk.
  all: destruct (project (map a (tight_at w)) w) as (p & Sp & Hp).
  all: assert (Tp : forall c, In c rows -> dot (a c) w = b c -> dot (a c) p = b c)
    by (intros c Hc Ht; rewrite <- Ht; apply Hp, in_map, in_tight; auto).
  all: assert (Op : dot p w = dot p p) by (apply (shortest_below _ _ _ Sp); intros u Hu; now rewrite Hp).
  all: assert (Dp : dot p p <= dot w w) by (assert (P := dot_pos (vsub w p)); rewrite dot_sub_l, !dot_sub_r, (dot_sym w p) in P; lra).
  all: set (V := filter (fun c => if Rlt_dec (dot (a c) p) (b c) then true else false) rows).
  all: assert (InV : forall c, In c V <-> In c rows /\ dot (a c) p < b c)
    by (intros c; unfold V; rewrite filter_In; destruct (Rlt_dec (dot (a c) p) (b c)); intuition congruence).
  all: assert (Done : V = [] -> exists w', critical w' /\ dot w' w' <= dot w w);
    [intros Z; exists p; split; auto; split;
     [intros c Hc; destruct (Rlt_dec (dot (a c) p) (b c)) as [L|L]; [|lra]; assert (I : In c V) by (apply InV; auto); rewrite Z in I; easy
     |apply shortest_more with (2 := Sp); intros u Hu; apply in_map_iff in Hu; destruct Hu as (c & <- & Hc); apply in_tight in Hc;
      apply in_map, in_tight; split; [tauto|apply Tp; tauto]]|].
  all: assert (Vs : forall c, In c V -> b c < dot (a c) w)
    by (intros c Hc; apply InV in Hc; destruct Hc as [Hc L]; assert (Fc := F c Hc); destruct (Req_dec (dot (a c) w) (b c)) as [Q|Q]; [rewrite (Tp c Hc Q) in L; lra|lra]).
  - destruct V as [|c V'] eqn:EV; [now apply Done|]. exfalso. assert (I : In c (c :: V')) by now left. rewrite <- EV in I, InV, Vs.
    assert (S := Vs c I). apply InV in I. assert (X : In c (slack_at w)); [|destruct (slack_at w); [easy|simpl in Hk; lia]].
    apply filter_In. split; [tauto|]. destruct (is_tight w c) eqn:T; auto. apply is_tight_spec in T. lra.
  - destruct V as [|c V'] eqn:EV; [now apply Done|]. rewrite <- EV in InV, Vs. assert (Vn : V <> []) by now rewrite EV.
    set (step := fun c => (dot (a c) w - b c) / (dot (a c) w - dot (a c) p)).
    destruct (least V step Vn) as (m & Hm & Lm).
    assert (Pos : forall c, In c V -> 0 < dot (a c) w - dot (a c) p) by (intros e He; assert (S := Vs e He); apply InV in He; lra).
    assert (St : forall c, In c V -> step c * (dot (a c) w - dot (a c) p) = dot (a c) w - b c) by (intros e He; unfold step; field; specialize (Pos e He); lra).
    set (t := step m). assert (T0 : 0 < t).
    { unfold t, step. apply Rdiv_lt_0_compat; [specialize (Vs m Hm); lra|auto]. }
    assert (T1 : t < 1).
    { assert (Q := St m Hm). assert (P := Pos m Hm). assert (L := proj2 (proj1 (InV m) Hm)). fold t in Q. nra. }
    set (w2 := vadd w (vscal t (vsub p w))).
    assert (Val : forall c, dot (a c) w2 = dot (a c) w - t * (dot (a c) w - dot (a c) p)) by (intros e; unfold w2; rewrite dot_add_r, dot_scal_r, dot_sub_r; ring).
    assert (F2 : feasible rows a b w2).
    { intros e He. rewrite Val. destruct (Rlt_dec (dot (a e) p) (b e)) as [L|L].
      - assert (Ie : In e V) by (apply InV; auto). assert (Q := St e Ie). assert (P := Pos e Ie). assert (M := Lm e Ie). fold t in M. nra.
      - assert (Fe := F e He). nra. }
    assert (D2 : dot w2 w2 <= dot w w).
    { assert (X : dot w2 w2 = dot w w - (2 * t - t * t) * (dot w w - dot p p)).
      { unfold w2. rewrite !dot_add_l, !dot_add_r, !dot_scal_l, !dot_scal_r, !dot_sub_l, !dot_sub_r, !(dot_sym w p), !Op. ring. }
      rewrite X. assert (0 <= (2 * t - t * t) * (dot w w - dot p p)) by (apply Rmult_le_pos; nra). lra. }
    destruct (IH w2 F2) as (w' & C & L).
    + assert (X : (length (slack_at w2) < length (slack_at w))%nat); [|lia].
      apply filter_shorter with m.
      * intros e Ie He. destruct (is_tight w e) eqn:Q; auto. exfalso. apply is_tight_spec in Q.
        assert (Q2 : is_tight w2 e = true); [|now rewrite Q2 in He]. apply is_tight_spec. rewrite Val.
        assert (Z : dot (a e) p = dot (a e) w -> dot (a e) w - t * (dot (a e) w - dot (a e) p) = b e) by (intros ->; rewrite Q; ring). apply Z.
        now rewrite (Tp e Ie Q), Q.
      * now apply InV.
      * destruct (is_tight w m) eqn:Q; auto. apply is_tight_spec in Q. specialize (Vs m Hm). lra.
      * apply Bool.negb_false_iff, is_tight_spec. rewrite Val. assert (Q := St m Hm). fold t in Q. lra.
    + exists w'. split; auto. lra.
Qed.

(** Two critical points with the same tight rows have the same length. *)
Lemma critical_length w w' : critical w -> critical w' -> tight_at w = tight_at w' -> dot w w = dot w' w'.
Proof.
  intros [_ S] [_ S'] T.
  assert (H : forall u, In u (map a (tight_at w)) -> dot u w' = dot u w).
  { intros u Hu. apply in_map_iff in Hu. destruct Hu as (c & <- & Hc). assert (Hc' := Hc). rewrite T in Hc'. apply in_tight in Hc, Hc'. destruct Hc, Hc'. congruence. }
  rewrite <- (shortest_below _ _ w' S H), dot_sym. apply (shortest_below _ _ w S'). intros u Hu. rewrite <- T in Hu. symmetry. auto.
Qed.

Lemma critical_least (L : list (list A)) : (exists w, critical w /\ In (tight_at w) L) ->
  exists w, critical w /\ forall w', critical w' -> In (tight_at w') L -> dot w w <= dot w' w'.
Proof.
  induction L as [|l L IH]; intros (w & C & I); [easy|].
  destruct (classic (exists w, critical w /\ In (tight_at w) L)) as [X|X].
  - destruct (IH X) as (v & Cv & Lv). destruct (classic (exists u, critical u /\ tight_at u = l /\ dot u u < dot v v)) as [(u & Cu & Tu & Du)|N].
    + exists u. split; auto. intros w' C' [T|I']; [|specialize (Lv w' C' I'); lra]. rewrite (critical_length u w' Cu C'); [lra|congruence].
    + exists v. split; auto. intros w' C' [T|I']; [|auto]. apply Rnot_lt_le. intros D. apply N. exists w'. auto.
  - exists w. split; auto. destruct I as [T|I]; [|exfalso; apply X; exists w; auto].
    intros w' C' [T'|I']; [|exfalso; apply X; exists w'; auto]. rewrite (critical_length w w' C C'); [lra|congruence].
Qed.

Theorem minimiser_exists : (exists w, feasible rows a b w) -> exists w, minimiser rows a b w.
Proof.
  intros (v & F). destruct (descend _ v F (le_n _)) as (u & Cu & _).
  destruct (critical_least (sublists rows)) as (w & C & L).
  - exists u. split; auto. apply filter_sublist.
  - exists w. split; [apply C|]. intros w' F'. destruct (descend _ w' F' (le_n _)) as (u' & C' & D).
    specialize (L u' C' (filter_sublist _ _)). lra.
Qed.

Theorem minimiser_unique w w' : minimiser rows a b w -> minimiser rows a b w' -> same w' w.
Proof.
  intros M M'. apply same_norm_sub. assert (V := minimiser_variation rows a b w w' M (proj1 M')). assert (V' := minimiser_variation rows a b w' w M' (proj1 M)).
  assert (N := norm_sub_sqr w' w). assert (P := norm_pos (vsub w' w)). rewrite (dot_sym w w') in V. destruct M as [F M], M' as [F' M'].
  specialize (M w' F'). specialize (M' w F). assert (Q : 0 <= norm (vsub w' w) * norm (vsub w' w)) by apply Rle_0_sqr.
  assert (Z : norm (vsub w' w) * norm (vsub w' w) = 0) by lra. apply Rmult_integral in Z. tauto.
Qed.
(** The minimiser has multipliers: it is a sum of its tight rows with weights >= 0, else by Farkas' lemma some direction would shorten it. *)
Variable same_name : forall c e : A, {c = e} + {c <> e}.

Theorem multipliers_exist w : NoDup rows -> minimiser rows a b w -> exists lam, solves rows a b w lam.
Proof.
  intros N M. destruct (farkas same_name (tight_at w) (NoDup_filter _ N) a w) as [(lam & Pos & S)|(z & Hz & Neg)].
  - exists (fun c => if is_tight w c then lam c else 0). split; [|split; [|split; [apply M|]]].
    + intros z. rewrite (S z), !combination_dot. unfold tight_at. rewrite sum_filter. apply sum_ext. intros c _. destruct (is_tight w c); ring.
    + intros c Hc. destruct (is_tight w c) eqn:T; [|lra]. apply Pos, in_tight. apply is_tight_spec in T. auto.
    + intros c Hc. destruct (is_tight w c) eqn:T; [now intros _; apply is_tight_spec|easy].
  - exfalso. assert (0 <= dot w z); [|lra]. apply (minimiser_direction rows a b w z M). intros c Hc T. apply Hz, in_tight. auto.
Qed.

Theorem solution_exists : NoDup rows -> (exists u, feasible rows a b u) -> exists w lam, solves rows a b w lam.
Proof. intros N F. destruct (minimiser_exists F) as [w M]. exists w. now apply multipliers_exist. Qed.
End Minimiser.
