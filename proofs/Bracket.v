(** `svm-bracket` (docs/certificate.md 4.31): with u = sum lambda_c a_c, N = u.u > 0, B = sum lambda_c b_c, a_c.u >= m b_c for every row, m > 0, delta^2 >= N/m^2 - B^2/N and w = u/m,
    every minimiser w* has lower <= 1/2 |w*|^2 <= upper and |w - w*| <= delta; a row that the bracket excludes is not tight at w*; a row that a direction shows to be tight is, and so is
    one that the independence of the rows that may be tight shows. That a program with a feasible point has a minimiser is in Minimiser.v. *)
From Coq Require Import Reals List Lra Lia Psatz.
From Attest Require Import Sums Space Svm Rank.
Import ListNotations.
Open Scope R_scope.

Section Bracket.
Context {E : space} {A : Type}.
Variable rows : list A.
Variable a : A -> E.
Variables (b lam : A -> R) (m delta : R).
Variable lam_nonneg : forall c, In c rows -> 0 <= lam c.
Variable b_nonneg : forall c, In c rows -> 0 <= b c.
Definition u := vsum rows (fun c => vscal (lam c) (a c)).
Definition N := dot u u.
Definition B := sum rows (fun c => lam c * b c).
Definition w := vscal (/ m) u.
Variable N_pos : 0 < N.
Variable m_pos : 0 < m.
Variable delta_pos : 0 <= delta.
Variable scaled : forall c, In c rows -> m * b c <= dot (a c) u.
Variable distance : N / (m * m) - B * B / N <= delta * delta.

Theorem bracket_feasible : feasible rows a b w.
Proof. apply scaled_feasible; auto. Qed.

Lemma w_norm : dot w w = N / (m * m).
Proof. unfold w. rewrite dot_scal_l, dot_scal_r. fold N. field. lra. Qed.

Lemma B_below x : feasible rows a b x -> B * B / N <= dot x x.
Proof.
  intros F. assert (Bu : B <= dot u x) by (unfold B, u; rewrite combination_dot; apply sum_le; intros c Hc; apply Rmult_le_compat_l; auto).
  assert (B0 : 0 <= B) by (apply sum_nonneg; intros c Hc; apply Rmult_le_pos; auto).
  assert (C := cauchy_schwarz_sq u x). fold N in C. apply Rmult_le_reg_l with N; auto. replace (N * (B * B / N)) with (B * B) by (field; lra).
  apply Rle_trans with (2 := C). apply Rmult_le_compat; lra.
Qed.

Section Minimiser.
Variable ws : E.
Variable minimal : minimiser rows a b ws.

Theorem bracket_values lower upper : 2 * N * lower <= B * B -> N <= 2 * (m * m) * upper -> lower <= / 2 * dot ws ws <= upper.
Proof.
  intros Hl Hu. destruct minimal as [F M]. assert (X := B_below ws F). assert (Y := M w bracket_feasible). rewrite w_norm in Y. split.
  - apply Rle_trans with (/ 2 * (B * B / N)); [|lra]. apply Rmult_le_reg_l with (2 * N); [lra|]. replace (2 * N * (/ 2 * (B * B / N))) with (B * B) by (field; lra). lra.
  - apply Rle_trans with (1 := Y). apply Rmult_le_reg_l with (2 * (m * m)); [nra|]. replace (2 * (m * m) * (/ 2 * (N / (m * m)))) with N by (field; lra). lra.
Qed.

Theorem bracket_distance : norm (vsub w ws) <= delta.
Proof.
  apply le_of_sq; auto. rewrite norm_sub_sqr, w_norm. assert (V := minimiser_variation rows a b ws w minimal bracket_feasible). rewrite (dot_sym ws w) in V.
  assert (X := B_below ws (proj1 minimal)). lra.
Qed.

Lemma product_error x : dot x w - norm x * delta <= dot x ws.
Proof.
  assert (C := cauchy_schwarz x (vsub w ws)). rewrite dot_sub_r in C. assert (D := bracket_distance).
  assert (norm x * norm (vsub w ws) <= norm x * delta) by (apply Rmult_le_compat_l; auto using norm_pos). lra.
Qed.

(** reach2 is r_c^2. *)
Theorem bracket_excludes c reach2 : dot (a c) (a c) <= reach2 -> 0 < dot (a c) w - b c ->
  reach2 * (delta * delta) < (dot (a c) w - b c) * (dot (a c) w - b c) -> b c < dot (a c) ws.
Proof.
  intros Hr Hs Hsq. assert (P := product_error (a c)). assert (Np := norm_pos (a c)). rewrite <- norm_sqr in Hr.
  assert (norm (a c) * delta < dot (a c) w - b c); [|lra].
  assert (norm (a c) * delta * (norm (a c) * delta) < (dot (a c) w - b c) * (dot (a c) w - b c)) by (assert (0 <= delta * delta) by (apply Rle_0_sqr); nra).
  assert (0 <= norm (a c) * delta) by (apply Rmult_le_pos; auto). nra.
Qed.

(** A short step keeps rows with slack. *)
Lemma short_step (l : list A) (e : E) : (forall c, In c l -> b c < dot (a c) ws) ->
  exists t0, 0 < t0 /\ forall t, 0 < t <= t0 -> forall c, In c l -> b c <= dot (a c) (vsub ws (vscal t e)).
Proof.
  induction l as [|c l IH]; intros H; [exists 1; split; [lra|now intros t _ c []]|].
  destruct IH as (t0 & T0 & IH); [intros; apply H; now right|].
  assert (S : 0 < dot (a c) ws - b c) by (assert (X := H c (or_introl eq_refl)); lra).
  assert (G : 0 < Rabs (dot (a c) e) + 1) by (assert (X := Rabs_pos (dot (a c) e)); lra).
  exists (Rmin t0 ((dot (a c) ws - b c) / (Rabs (dot (a c) e) + 1))). split; [apply Rmin_pos; auto; now apply Rdiv_lt_0_compat|].
  intros t [Tp Tl] f [<-|Hf].
  - assert (T2 : t <= (dot (a c) ws - b c) / (Rabs (dot (a c) e) + 1)) by (apply Rle_trans with (1 := Tl), Rmin_r).
    rewrite dot_sub_r, dot_scal_r. assert (X := Rle_abs (dot (a c) e)).
    assert (t * (Rabs (dot (a c) e) + 1) <= dot (a c) ws - b c).
    { apply Rmult_le_compat_r with (r := Rabs (dot (a c) e) + 1) in T2; [|lra]. unfold Rdiv in T2. rewrite Rmult_assoc, Rinv_l in T2; lra. } nra.
  - apply IH; auto. split; auto. apply Rle_trans with (1 := Tl), Rmin_l.
Qed.

Theorem bracket_shows_tight (possible : A -> bool) e c : (forall f, In f rows -> possible f = false -> b f < dot (a f) ws) ->
  In c rows -> (forall f, In f rows -> possible f = true -> f = c \/ dot e (a f) <= 0) -> 0 < dot e w -> dot e e * (delta * delta) < dot e w * dot e w ->
  dot (a c) ws = b c.
Proof.
  intros Hx Hc Hd He Hsq. destruct minimal as [F M]. assert (Fc := F c Hc). destruct (Req_dec (dot (a c) ws) (b c)) as [|Nt]; auto. exfalso.
  assert (Ew : 0 < dot e ws).
  { assert (P := product_error e). assert (Ne := norm_pos e). rewrite <- norm_sqr in Hsq. assert (norm e * delta < dot e w); [|lra].
    assert (0 <= norm e * delta) by (apply Rmult_le_pos; auto). nra. }
  (* rows with slack: those not in the list, and c *)
  set (slack := filter (fun f => if Rlt_dec (b f) (dot (a f) ws) then true else false) rows).
  assert (Is : forall f, In f slack <-> In f rows /\ b f < dot (a f) ws).
  { intros f. unfold slack. rewrite filter_In. destruct (Rlt_dec (b f) (dot (a f) ws)); intuition congruence. }
  destruct (short_step slack e) as (t0 & T0 & Ht); [intros f Hf; now apply Is in Hf|].
  assert (E0 := dot_pos e). set (t1 := dot e ws / (dot e e + 1)). assert (T1 : 0 < t1) by (apply Rdiv_lt_0_compat; lra).
  set (t := Rmin t0 t1). assert (Tp : 0 < t) by (apply Rmin_pos; auto). assert (Ta : t <= t0) by apply Rmin_l. assert (Tb : t <= t1) by apply Rmin_r.
  assert (Fx : feasible rows a b (vsub ws (vscal t e))).
  { intros f Hf. destruct (Rlt_dec (b f) (dot (a f) ws)) as [S|S]; [apply (Ht t ltac:(lra)); now apply Is|].
    destruct (possible f) eqn:Pf; [|assert (X := Hx f Hf Pf); lra]. destruct (Hd f Hf Pf) as [->|Hn]; [lra|].
    rewrite dot_sub_r, dot_scal_r, (dot_sym (a f) e). assert (X := F f Hf). nra. }
  specialize (M _ Fx). rewrite dot_sub_l, !dot_sub_r, !dot_scal_r, !dot_scal_l, (dot_sym ws e) in M.
  assert (X : t * (dot e e + 1) <= dot e ws).
  { unfold t1 in Tb. apply Rmult_le_compat_r with (r := dot e e + 1) in Tb; [|lra]. unfold Rdiv in Tb. rewrite Rmult_assoc, Rinv_l in Tb; lra. }
  assert (Y : 0 <= t * (t * dot e e - 2 * dot e ws)) by lra. assert (t * dot e e - 2 * dot e ws < 0) by nra. nra.
Qed.
(** `independence`: the rows that may be tight are r 0, ..., r (k-1), no other row has a multiplier, and kappa sum x_j^2 <= |sum x_j a_(r j)|^2 for all x. The residual e of a_c against the others
    has e.w = lambda_c |e|^2 / m and |e|^2 >= kappa: it is a direction that shows the row c to be tight. *)
Theorem bracket_independent (possible : A -> bool) (r : nat -> A) k kappa j : (forall f, In f rows -> possible f = false -> b f < dot (a f) ws) ->
  (forall f, In f rows -> possible f = true -> exists i, (i < k)%nat /\ r i = f) -> (forall f, In f rows -> possible f = false -> lam f = 0) ->
  (forall x, kappa * sum (seq 0 k) (fun i => x i * x i) <= dot (combination (fun i => a (r i)) k x) (combination (fun i => a (r i)) k x)) ->
  (j < k)%nat -> In (r j) rows -> 0 < kappa -> m * m * (delta * delta) < lam (r j) * lam (r j) * kappa ->
  dot (a (r j)) ws = b (r j).
Proof.
  intros Hx Hp Hl Hk Hj Hc K Hsq.
  set (others := fun i => if (i =? j)%nat then vzero else a (r i)).
  destruct (projection others k (a (r j))) as [x Hr]. set (e := vsub (a (r j)) (combination others k x)) in *.
  assert (Eo : forall i, (i < k)%nat -> i <> j -> dot e (a (r i)) = 0).
  { intros i Hi D. rewrite dot_sym. specialize (Hr i Hi). unfold others in Hr. destruct (Nat.eqb_spec i j); [contradiction|exact Hr]. }
  assert (Ec : dot e (a (r j)) = dot e e).
  { change (dot e e) with (dot e (vsub (a (r j)) (combination others k x))). rewrite dot_sub_r, combination_r, sum_zero; [ring|]. intros i Hi. apply in_seq in Hi. rewrite Hr by lia. ring. }
  set (y := fun i => if (i =? j)%nat then 1 else - x i).
  assert (Sy : same e (combination (fun i => a (r i)) k y)).
  { intros z. unfold e. rewrite dot_sub_l, !combination_l.
    assert (T : sum (seq 0 k) (fun i => y i * dot (a (r i)) z) = sum (seq 0 k) (fun i => (if (i =? j)%nat then dot (a (r j)) z else 0) - x i * dot (others i) z)).
    { apply sum_ext. intros i _. unfold y, others. destruct (Nat.eqb_spec i j) as [->|]; [rewrite dot_zero_l|]; ring. }
    rewrite T, sum_minus. f_equal. clear T. assert (G : forall n, sum (seq 0 n) (fun i => if (i =? j)%nat then dot (a (r j)) z else 0) = if (j <? n)%nat then dot (a (r j)) z else 0).
    { induction n as [|n IH]; [easy|]. rewrite sum_last, IH. destruct (Nat.eqb_spec n j), (Nat.ltb_spec j n), (Nat.ltb_spec j (S n)); try lia; ring. }
    rewrite G. destruct (Nat.ltb_spec j k); [easy|lia]. }
  assert (Le : kappa <= dot e e).
  { rewrite (Sy e), (same_r _ _ _ Sy). apply Rle_trans with (2 := Hk y). rewrite <- (Rmult_1_r kappa) at 1. apply Rmult_le_compat_l; [lra|].
    assert (Y : y j * y j = 1) by (unfold y; rewrite Nat.eqb_refl; ring). rewrite <- Y.
    apply (sum_term (seq 0 k) (fun i => y i * y i) j); [apply in_seq; lia|intros; apply Rle_0_sqr]. }
  assert (Lu : lam (r j) * dot e e <= dot e u).
  { unfold u. rewrite dot_vsum_r, <- Ec, <- dot_scal_r. apply sum_term with (f := fun f => dot e (vscal (lam f) (a f))); auto. intros f Hf. rewrite dot_scal_r.
    destruct (possible f) eqn:Pf; [|rewrite Hl by auto; lra]. destruct (Hp f Hf Pf) as (i & Hi & <-). destruct (Nat.eq_dec i j) as [->|D]; [rewrite Ec|rewrite Eo by auto; lra].
    apply Rmult_le_pos; auto. apply dot_pos. }
  assert (L0 := lam_nonneg (r j) Hc). assert (D2 : 0 <= delta * delta) by apply Rle_0_sqr.
  assert (L : 0 < lam (r j)) by (destruct L0 as [|Z]; auto; rewrite <- Z in Hsq; nra).
  assert (We : lam (r j) * dot e e / m <= dot e w) by (unfold w; rewrite dot_scal_r; unfold Rdiv; rewrite Rmult_comm; apply Rmult_le_compat_l; auto; left; now apply Rinv_0_lt_compat).
  assert (P : 0 < lam (r j) * dot e e / m) by (apply Rdiv_lt_0_compat; auto; apply Rmult_lt_0_compat; lra).
  apply bracket_shows_tight with (possible := possible) (e := e); auto; [|lra|].
  - intros f Hf Pf. destruct (Hp f Hf Pf) as (i & Hi & <-). destruct (Nat.eq_dec i j) as [->|D]; [now left|right; rewrite Eo by auto; lra].
  - apply Rlt_le_trans with (lam (r j) * dot e e / m * (lam (r j) * dot e e / m)); [|apply Rmult_le_compat; lra].
    replace (lam (r j) * dot e e / m * (lam (r j) * dot e e / m)) with (dot e e * (lam (r j) * lam (r j) * dot e e / (m * m))) by (field; lra).
    apply Rmult_lt_compat_l; [lra|]. apply Rmult_lt_reg_l with (m * m); [nra|].
    replace (m * m * (lam (r j) * lam (r j) * dot e e / (m * m))) with (lam (r j) * lam (r j) * dot e e) by (field; lra).
    apply Rlt_le_trans with (1 := Hsq). apply Rmult_le_compat_l; [nra|auto].
Qed.
End Minimiser.
End Bracket.
