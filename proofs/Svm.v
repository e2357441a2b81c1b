(** The support vector programs: minimise 1/2 |w|^2 subject to a_c.w >= b_c for every row c.
    - `svm-optimal` (docs/certificate.md 4.5, 4.11): w = sum lambda_c a_c with lambda >= 0, every row satisfied, equality where
      lambda_c > 0, is the minimiser, the only one; the objective is 1/2 sum lambda_c b_c; the tight rows are those of every minimiser.
    - `svm-infeasible` (4.5, 4.11): lambda >= 0 with sum lambda_c a_c = 0 and sum lambda_c b_c > 0 leaves no feasible point (Farkas).
    What 4.31 (`svm-bracket`) needs besides is in Bracket.v. *)
From Coq Require Import Reals List Lra Lia Psatz.
From Attest Require Import Sums Space.
Import ListNotations.
Open Scope R_scope.

(** Rows with slack s bear a small step that lowers them by q. *)
Lemma small_step {A} (l : list A) (s q : A -> R) : (forall c, In c l -> 0 <= s c /\ (0 < q c -> 0 < s c)) ->
  exists e, 0 < e /\ forall c, In c l -> e * q c <= s c.
Proof.
  induction l as [|c l IH]; intros H; [exists 1; split; [lra|easy]|].
  destruct IH as (e & He & L); [intros; apply H; now right|]. destruct (H c (or_introl eq_refl)) as [S0 S1].
  destruct (Rle_or_lt (q c) 0) as [N|N].
  - exists e. split; auto. intros x [<-|Hx]; [nra|auto].
  - specialize (S1 N). assert (0 < s c / q c) by now apply Rdiv_lt_0_compat. exists (Rmin e (s c / q c)).
    assert (M1 := Rmin_l e (s c / q c)). assert (M2 := Rmin_r e (s c / q c)). split; [now apply Rmin_glb_lt|]. intros x [<-|Hx].
    + apply Rmult_le_compat_r with (r := q c) in M2; [|lra]. unfold Rdiv in M2 at 2. rewrite Rmult_assoc, Rinv_l in M2; lra.
    + specialize (L x Hx). destruct (H x (or_intror Hx)) as [S2 _]. assert (0 < Rmin e (s c / q c)) by now apply Rmin_glb_lt.
      destruct (Rle_or_lt (q x) 0); nra.
Qed.

Section Svm.
Context {E : space} {A : Type}.
Variable rows : list A.
Variable a : A -> E.
Variable b : A -> R.

Definition feasible (w : E) := forall c, In c rows -> b c <= dot (a c) w.
Definition minimiser (w : E) := feasible w /\ forall w', feasible w' -> / 2 * dot w w <= / 2 * dot w' w'.
Definition tight (w : E) c := dot (a c) w = b c.

(** A solution in the sense of 4.5. *)
Definition solves (w : E) (lam : A -> R) :=
  same w (vsum rows (fun c => vscal (lam c) (a c))) /\ (forall c, In c rows -> 0 <= lam c) /\ feasible w /\
  (forall c, In c rows -> lam c <> 0 -> tight w c).

Lemma combination_dot lam z :
  dot (vsum rows (fun c => vscal (lam c) (a c))) z = sum rows (fun c => lam c * dot (a c) z).
Proof. rewrite dot_vsum_l. apply sum_ext. intros; apply dot_scal_l. Qed.

Lemma solves_norm w lam : solves w lam -> dot w w = sum rows (fun c => lam c * b c).
Proof.
  intros (H & Hl & _ & Ht). rewrite H, combination_dot. apply sum_ext. intros c Hc.
  destruct (Req_dec (lam c) 0) as [->|N]; [ring|]. now rewrite (Ht c Hc N).
Qed.

Lemma solves_below w lam w' : solves w lam -> feasible w' -> dot w w <= dot w w'.
Proof.
  intros S F. rewrite (solves_norm w lam S). destruct S as (H & Hl & _ & _).
  rewrite H, combination_dot. apply sum_le. intros c Hc. apply Rmult_le_compat_l; auto.
Qed.

Lemma solves_gap w lam w' : solves w lam -> feasible w' ->
  / 2 * dot w w + / 2 * (norm (vsub w' w) * norm (vsub w' w)) <= / 2 * dot w' w'.
Proof. intros S F. assert (H := solves_below w lam w' S F). rewrite norm_sub_sqr, (dot_sym w' w). lra. Qed.

Theorem svm_optimal w lam : solves w lam ->
  minimiser w /\ (forall w', minimiser w' -> same w' w) /\ / 2 * dot w w = / 2 * sum rows (fun c => lam c * b c) /\
  (forall w', minimiser w' -> forall c, In c rows -> (tight w' c <-> tight w c)).
Proof.
  intros S.
  assert (F : feasible w) by apply S.
  assert (M : minimiser w).
  { split; auto. intros w' F'. assert (G := solves_gap w lam w' S F'). assert (0 <= norm (vsub w' w) * norm (vsub w' w)) by apply Rle_0_sqr. lra. }
  assert (U : forall w', minimiser w' -> same w' w).
  { intros w' [F' M']. apply same_norm_sub. assert (G := solves_gap w lam w' S F'). specialize (M' w F).
    assert (0 <= norm (vsub w' w)) by apply norm_pos. nra. }
  split; [exact M|]. split; [exact U|]. split; [now rewrite <- (solves_norm w lam S)|].
  intros w' M' c Hc. unfold tight. now rewrite (same_r _ _ (a c) (U w' M')).
Qed.

Theorem svm_infeasible lam :
  (forall c, In c rows -> 0 <= lam c) -> same (vsum rows (fun c => vscal (lam c) (a c))) vzero -> 0 < sum rows (fun c => lam c * b c) ->
  forall w, ~ feasible w.
Proof.
  intros Hl H0 Hb w F. specialize (H0 w). rewrite combination_dot, dot_zero_l in H0.
  assert (sum rows (fun c => lam c * b c) <= sum rows (fun c => lam c * dot (a c) w)); [|lra].
  apply sum_le. intros c Hc. apply Rmult_le_compat_l; auto.
Qed.

(** The minimiser of a convex program: w.(u - w) >= 0 for every feasible u. *)
Lemma minimiser_variation w u : minimiser w -> feasible u -> dot w w <= dot w u.
Proof.
  intros [F M] Fu.
  assert (H : forall s, 0 < s <= 1 -> 0 <= 2 * (dot w u - dot w w) + s * dot (vsub u w) (vsub u w)).
  { intros s Hs. set (x := vadd w (vscal s (vsub u w))).
    assert (Fx : feasible x).
    { intros c Hc. unfold x. rewrite dot_add_r, dot_scal_r, dot_sub_r. specialize (F c Hc). specialize (Fu c Hc). nra. }
    specialize (M x Fx). unfold x in M.
    rewrite !dot_add_l, !dot_add_r, !dot_scal_l, !dot_scal_r, !dot_sub_l, !dot_sub_r, (dot_sym u w) in M.
    rewrite dot_sub_l, !dot_sub_r, (dot_sym u w). nra. }
  destruct (Rle_or_lt (dot w w) (dot w u)) as [|N]; auto. exfalso.
  set (q := dot (vsub u w) (vsub u w)) in *. assert (0 <= q) by apply dot_pos.
  set (e := dot w w - dot w u). assert (0 < e) by (unfold e; lra).
  assert (Hs : 0 < e / (e + q) <= 1).
  { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (e + q); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  specialize (H _ Hs). assert (e / (e + q) * q <= e); [|unfold e in *; lra].
  apply Rmult_le_reg_r with (e + q); [lra|]. replace (e / (e + q) * q * (e + q)) with (e * q) by (field; lra). nra.
Qed.

(** No direction that keeps the tight rows of the minimiser makes it shorter: a small step along it satisfies the others too. *)
Lemma minimiser_direction w z : minimiser w -> (forall c, In c rows -> tight w c -> 0 <= dot (a c) z) -> 0 <= dot w z.
Proof.
  intros M H. destruct (small_step rows (fun c => dot (a c) w - b c) (fun c => - dot (a c) z)) as (e & He & Small).
  { intros c Hc. assert (F := proj1 M c Hc). split; [lra|]. intros N. destruct (Req_dec (dot (a c) w) (b c)) as [T|T]; [|lra].
    specialize (H c Hc T). lra. }
  assert (V := minimiser_variation w (vadd w (vscal e z)) M). rewrite dot_add_r, dot_scal_r in V.
  assert (dot w w <= dot w w + e * dot w z); [|nra]. apply V. intros c Hc. rewrite dot_add_r, dot_scal_r. specialize (Small c Hc). lra.
Qed.

(** w' = sum lambda_c a_c with a_c.w' >= m b_c for all rows, m > 0: w'/m is feasible. *)
Theorem scaled_feasible w m : 0 < m -> (forall c, In c rows -> m * b c <= dot (a c) w) -> feasible (vscal (/ m) w).
Proof.
  intros Hm H c Hc. rewrite dot_scal_r. apply Rmult_le_reg_l with m; auto.
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. auto.
Qed.
End Svm.

(** A program with a row, all bounds 1, has a solution that is not 0; and Sum lambda_c = |w|^2. *)
Lemma svm_norm_pos {E : space} {A : Type} (rows : list A) (a : A -> E) w lam : rows <> [] -> solves rows a (fun _ => 1) w lam -> 0 < norm w.
Proof.
  intros R (_ & _ & F & _). destruct rows as [|c l]; [easy|]. assert (Fc : 1 <= dot (a c) w) by (apply F; now left).
  assert (C0 := cauchy_schwarz (a c) w). assert (P := norm_pos w).
  destruct (Req_dec (norm w) 0) as [Z|N]; [rewrite Z in C0; lra|lra].
Qed.

Lemma svm_lam_sum {E : space} {A : Type} (rows : list A) (a : A -> E) w lam : solves rows a (fun _ => 1) w lam -> sum rows lam = dot w w.
Proof. intros S. rewrite (solves_norm _ _ _ _ _ S). apply sum_ext. intros; ring. Qed.
