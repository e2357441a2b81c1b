(** The pieces of a flow's curve (docs/certificate.md 4.20, flow over p; docs/theory.md 6.5).  By its length the curve solves p' = V(p), V = g/|g|, g = -grad L.  Let p and c be the curves from p_k and from the
    centre C_k over a length of h, |p_k - C_k| <= e, g not 0 on the ball of radius e + h around C_k, and there A = h V' with u.Au <= x |u|^2 (the symmetric part of A has no eigenvalue above x) and
    |A| <= N.  Then for any C' |p(h) - C'| <= exp(x) e + (h/2) N + |C_k + h V(C_k) - C'|.  That the curves exist: FlowLength.v.
    - `parting_by_norm`, `parting_by_eigenvalue`: two ways to show x, by |I + t A| <= 1 + t x for some t > 0, and by the symmetric part of the midpoints of A and the radii; x = N is one too.
    - `piece`: for any field V of unit length whose products have derivatives along lines; `flow_ball`: for -grad L/|grad L|; `exp_quadratic`: 1 + x + x^2 may stand for exp(x). *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Limits Flow Cone Enclosure.
Import ListNotations.
Open Scope R_scope.

(** 1 + x + x^2 >= exp(x) for x <= 1. *)
Lemma exp_quadratic x : x <= 1 -> exp x <= 1 + x + x * x.
Proof.
  intros Hx. set (f := fun s => 1 + s + s * s - exp s). assert (D : forall s, is_derive f s (1 + 2 * s - exp s)) by (intros s; unfold f; auto_derive; [exact I|ring]).
  assert (F0 : f 0 = 0) by (unfold f; rewrite exp_0; ring). assert (X : 0 <= f x); [|unfold f in X; lra]. destruct (Rle_or_lt 0 x) as [P|N].
  - rewrite <- F0. apply (rises f (fun s => 1 + 2 * s - exp s)); [exact P|intros s _; apply D|]. intros s Hs. destruct (Req_dec s 0) as [->|Nz]; [rewrite exp_0; lra|].
    assert (C := exp_chord s 1 ltac:(lra) ltac:(lra)). assert (E3 := exp_le_3). replace (s / 1) with s in C by field. assert (s * (exp 1 - 1) <= s * 2) by (apply Rmult_le_compat_l; lra). lra.
  - assert (Y : - f x <= - f 0); [|lra]. apply (rises (fun s => - f s) (fun s => - (1 + 2 * s - exp s))); [lra| |]; intros s Hs; [apply (is_derive_opp (V := R_NormedModule) f), D|]. assert (T := exp_tangent s). lra.
Qed.

(** ** What shows x *)
Lemma parting_by_norm {E : space} (A : E -> E -> R) t x : 0 < t -> (forall u z, dot u z + t * A u z <= (1 + t * x) * (norm u * norm z)) -> forall u, A u u <= x * (norm u * norm u).
Proof. intros Ht H u. specialize (H u u). rewrite <- norm_sqr in H. apply Rmult_le_reg_l with t; lra. Qed.

Section Eigenvalue.
Variable d : nat.
Notation Vec := (coordinates d).
Definition symmetric_part (A : matrices d d) : matrices d d := fun j k => (A j k + A k j) / 2.

Lemma symmetric_form A (y : Vec) : dot (apply_matrix d (symmetric_part A) y : Vec) y = dot (apply_matrix d A y : Vec) y.
Proof.
  simpl. unfold rdot, apply_matrix, symmetric_part.
  assert (S : forall M : nat -> nat -> R, sum (seq 0 d) (fun j => sum (seq 0 d) (fun k => M j k * y k) * y j) = sum (seq 0 d) (fun j => sum (seq 0 d) (fun k => M j k * (y k * y j)))).
  { intros M. apply sum_ext. intros j _. rewrite <- sum_scal_r. apply sum_ext. intros; ring. }
  rewrite !S. set (s := sum (seq 0 d) (fun j => sum (seq 0 d) (fun k => A j k * (y k * y j)))).
  assert (T : sum (seq 0 d) (fun j => sum (seq 0 d) (fun k => A k j * (y k * y j))) = s) by (unfold s; rewrite sum_exchange; apply sum_ext; intros j _; apply sum_ext; intros; ring).
  transitivity (/ 2 * (s + sum (seq 0 d) (fun j => sum (seq 0 d) (fun k => A k j * (y k * y j))))); [|rewrite T; lra].
  unfold s. rewrite <- sum_plus, <- sum_scal. apply sum_ext. intros j _. rewrite <- sum_plus, <- sum_scal. apply sum_ext. intros; unfold Rdiv; ring.
Qed.

(** A + D: A the midpoints, D at most the radii. *)
Lemma parting_by_eigenvalue (A D : matrices d d) most (u : Vec) : (forall y : Vec, dot (apply_matrix d (symmetric_part A) y : Vec) y <= most * dot y y) ->
  dot (apply_matrix d A u : Vec) u + dot (apply_matrix d D u : Vec) u <= (most + norm D) * (norm u * norm u).
Proof. intros H. specialize (H u). rewrite symmetric_form, <- norm_sqr in H. assert (F := frobenius d D u u). lra. Qed.
End Eigenvalue.

(** ** A piece *)
Section Piece.
Context {E : space}.
Variable V : E -> E.
Variable DV : E -> E -> E -> R.
Variables (C : E) (e h x N : R).
Variable h_pos : 0 < h.
Variable N_nonneg : 0 <= N.
Notation inside q := (norm (vsub q C) <= e + h).
Variable derives : forall q u z tau, inside (vadd q (vscal tau u)) -> is_derive (fun s => dot (V (vadd q (vscal s u))) z) tau (DV (vadd q (vscal tau u)) u z).
Variable short : forall q, norm (V q) <= 1.
Variable V_same : forall y y', same y y' -> same (V y) (V y').
(** u.Au <= x |u|^2 and |A| <= N on the ball, A = h V'. *)
Variable parting : forall q u, inside q -> h * DV q u u <= x * (norm u * norm u).
Variable turning : forall q u z, inside q -> h * DV q u z <= N * (norm u * norm z).
Variables p c : R -> E.
Variable p_flows : forall s, 0 <= s <= h -> curve_derives p s (V (p s)).
Variable c_flows : forall s, 0 <= s <= h -> curve_derives c s (V (c s)).
Variable p_starts : norm (vsub (p 0) C) <= e.
Variable c_starts : same (c 0) C.

Lemma moved (y : R -> E) s : (forall s, 0 <= s <= h -> curve_derives y s (V (y s))) -> 0 <= s <= h -> norm (vsub (y s) (y 0)) <= s.
Proof.
  intros Fl Hs. set (z := vsub (y s) (y 0)). assert (Nz := norm_pos z).
  assert (X : 0 * norm z - dot (y 0) z <= s * norm z - dot (y s) z).
  { apply (rises (fun r => r * norm z - dot (y r) z) (fun r => norm z - dot (V (y r)) z)); [lra| |]; intros r Hr.
    - apply is_derive_diff; [|apply (Fl r ltac:(lra))]. apply is_derive_ext with (fun r => norm z * r); [intros; apply Rmult_comm|]. apply is_derive_value with (norm z * 1); [|ring]. apply is_derive_scal, (is_derive_id (K := R_AbsRing)).
    - assert (Cs := cauchy_schwarz (V (y r)) z). assert (Sv := short (y r)). assert (norm (V (y r)) * norm z <= 1 * norm z) by (apply Rmult_le_compat_r; auto). lra. }
  assert (Zz : dot (y s) z - dot (y 0) z = norm z * norm z) by (rewrite <- dot_sub_l; fold z; now rewrite norm_sqr).
  destruct (Req_dec (norm z) 0) as [->|Nn]; [lra|]. apply Rmult_le_reg_r with (norm z); lra.
Qed.

Lemma c_near s : 0 <= s <= h -> norm (vsub (c s) C) <= s.
Proof.
  intros Hs. apply Rle_trans with (2 := moved c s c_flows Hs). right. apply same_norm. intros z. rewrite !dot_sub_l, (c_starts z). easy.
Qed.
Lemma p_near s : 0 <= s <= h -> norm (vsub (p s) C) <= e + s.
Proof.
  intros Hs. assert (M := moved p s p_flows Hs). assert (Sm : same (vsub (p s) C) (vadd (vsub (p s) (p 0)) (vsub (p 0) C))) by (intros z; rewrite dot_add_l, !dot_sub_l; ring).
  rewrite (same_norm _ _ Sm). apply Rle_trans with (1 := norm_triangle _ _). lra.
Qed.
Lemma e_nonneg : 0 <= e.
Proof. apply Rle_trans with (2 := p_starts), norm_pos. Qed.

(** The ball is convex: the mean value theorem along a segment. *)
Lemma segment y y' z K : inside y -> inside y' -> (forall q, inside q -> DV q (vsub y' y) z <= K) -> dot (V y') z - dot (V y) z <= K.
Proof.
  intros Hy Hy' HK. set (u := vsub y' y) in *.
  assert (In : forall s, 0 <= s <= 1 -> inside (vadd y (vscal s u))).
  { intros s Hs. assert (Sm : same (vsub (vadd y (vscal s u)) C) (vadd (vscal (1 - s) (vsub y C)) (vscal s (vsub y' C)))) by (intros v; unfold u; rewrite !dot_add_l, !dot_sub_l, !dot_add_l, !dot_scal_l, !dot_sub_l; ring).
    rewrite (same_norm _ _ Sm). apply Rle_trans with (1 := norm_triangle _ _). rewrite !norm_scal, !Rabs_pos_eq by lra. assert ((1 - s) * norm (vsub y C) <= (1 - s) * (e + h)) by (apply Rmult_le_compat_l; lra). assert (s * norm (vsub y' C) <= s * (e + h)) by (apply Rmult_le_compat_l; lra). lra. }
  destruct (mean_value (fun s => dot (V (vadd y (vscal s u))) z) (fun s => DV (vadd y (vscal s u)) u z) 0 1 ltac:(lra)) as (s & Hs & Hm); [intros s Hs; now apply derives, In|].
  assert (E1 : dot (V (vadd y (vscal 1 u))) z = dot (V y') z) by (apply V_same; intros v; unfold u; rewrite dot_add_l, dot_scal_l, dot_sub_l; ring).
  assert (E0 : dot (V (vadd y (vscal 0 u))) z = dot (V y) z) by (apply V_same; intros v; rewrite dot_add_l, dot_scal_l; ring).
  rewrite E1, E0, Rminus_0_r, Rmult_1_r in Hm. rewrite Hm. apply HK, In, Hs.
Qed.

(** Curves part by at most exp(x): x/h bounds the logarithmic norm. *)
Lemma apart : norm (vsub (p h) (c h)) <= exp x * e.
Proof.
  set (d := fun s => dot (vsub (p s) (c s)) (vsub (p s) (c s))). set (k := 2 * x / h).
  set (d' := fun s => 2 * (dot (V (p s)) (vsub (p s) (c s)) - dot (V (c s)) (vsub (p s) (c s)))).
  assert (Dd : forall s, 0 <= s <= h -> is_derive d s (d' s)).
  { intros s Hs. assert (Fp := p_flows s Hs). assert (Fc := c_flows s Hs).
    assert (Eq : forall r, dot (p r) (p r) - 2 * dot (p r) (c r) + dot (c r) (c r) = d r) by (intros r; unfold d; rewrite dot_sub_l, !dot_sub_r, (dot_sym (c r) (p r)); ring).
    apply is_derive_ext with (1 := Eq). apply is_derive_value with (2 * dot (V (p s)) (p s) - 2 * (dot (V (p s)) (c s) + dot (V (c s)) (p s)) + 2 * dot (V (c s)) (c s)); [|unfold d'; rewrite !dot_sub_r; ring].
    apply (is_derive_plus (V := R_NormedModule) (fun s => dot (p s) (p s) - 2 * dot (p s) (c s))); [|apply Fc]. apply is_derive_diff; [apply Fp|]. apply is_derive_scal. now apply curve_product. }
  assert (Slow : forall s, 0 <= s <= h -> d' s <= k * d s).
  { intros s Hs. set (u := vsub (p s) (c s)). assert (E0 := e_nonneg).
    assert (Sg := segment (c s) (p s) u (x / h * (norm u * norm u)) ltac:(apply Rle_trans with (1 := c_near s Hs); lra) ltac:(apply Rle_trans with (1 := p_near s Hs); lra)).
    fold u in Sg. unfold d', d, k. fold u. rewrite <- norm_sqr. assert (Y : dot (V (p s)) u - dot (V (c s)) u <= x / h * (norm u * norm u)); [|unfold Rdiv in *; lra].
    apply Sg. intros q Hq. apply Rmult_le_reg_l with h; [exact h_pos|]. replace (h * (x / h * (norm u * norm u))) with (x * (norm u * norm u)) by (field; lra). now apply parting. }
  assert (G : - (d 0 * exp (- (k * 0))) <= - (d h * exp (- (k * h)))).
  { apply (rises (fun s => - (d s * exp (- (k * s)))) (fun s => - (d' s * exp (- (k * s)) + d s * (- k * exp (- (k * s)))))); [lra| |]; intros s Hs.
    - apply (is_derive_opp (V := R_NormedModule) (fun s => d s * exp (- (k * s)))). apply (is_derive_prod d (fun s => exp (- (k * s)))); [now apply Dd|]. auto_derive; [exact I|ring].
    - assert (Sl := Slow s Hs). assert (Pe := exp_pos (- (k * s))). nra. }
  rewrite Rmult_0_r, Ropp_0, exp_0, Rmult_1_r in G.
  assert (D0 : d 0 <= e * e).
  { unfold d. assert (Sm : same (vsub (p 0) (c 0)) (vsub (p 0) C)) by (intros z; rewrite !dot_sub_l, (c_starts z); easy). rewrite <- norm_sqr, (same_norm _ _ Sm). apply Rmult_le_compat; auto using norm_pos. }
  assert (Kh : k * h = x + x) by (unfold k; field; lra). rewrite Kh in G.
  assert (Pe := exp_pos x). assert (Dh : d h <= exp x * e * (exp x * e)).
  { assert (Z : exp (- (x + x)) * exp (x + x) = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0). assert (Px := exp_pos (x + x)).
    assert (Y : d h * exp (- (x + x)) * exp (x + x) <= e * e * exp (x + x)) by (apply Rmult_le_compat_r; lra). rewrite Rmult_assoc, Z, Rmult_1_r in Y. rewrite exp_plus in Y. lra. }
  apply sqrt_le_of_sq; [|exact Dh]. assert (E0 := e_nonneg). apply Rmult_le_pos; lra.
Qed.

(** The curve from the centre bends away from its tangent by at most (h/2) N. *)
Lemma bend : norm (vsub (c h) (vadd C (vscal h (V C)))) <= h / 2 * N.
Proof.
  set (z := vsub (c h) (vadd C (vscal h (V C)))). assert (Nz := norm_pos z). assert (E0 := e_nonneg). set (f := fun s => N / h * norm z * (s * s / 2) - (dot (c s) z - s * dot (V C) z)).
  assert (G : f 0 <= f h).
  { apply (rises f (fun s => N / h * norm z * s - (dot (V (c s)) z - dot (V C) z))); [lra| |]; intros s Hs.
    - apply is_derive_diff; [apply is_derive_scal; auto_derive; [exact I|field]|]. apply is_derive_diff; [apply (c_flows s Hs)|]. apply is_derive_ext with (fun s => dot (V C) z * s); [intros; apply Rmult_comm|]. apply is_derive_value with (dot (V C) z * 1); [|ring]. apply is_derive_scal, (is_derive_id (K := R_AbsRing)).
    - assert (Cn := c_near s Hs). assert (In0 : inside C).
      { assert (Sm : same (vsub C C) vzero) by (intros v; rewrite dot_sub_l, dot_zero_l; ring). rewrite (same_norm _ _ Sm), norm_zero. lra. }
      assert (Sg := segment C (c s) z (N / h * norm z * s) In0 ltac:(lra)). assert (Y : dot (V (c s)) z - dot (V C) z <= N / h * norm z * s); [|lra]. apply Sg. intros q Hq.
      assert (T := turning q (vsub (c s) C) z Hq). apply Rmult_le_reg_l with h; auto. apply Rle_trans with (1 := T). replace (h * (N / h * norm z * s)) with (N * (s * norm z)) by (field; lra).
      apply Rmult_le_compat_l; auto. apply Rmult_le_compat_r; auto. }
  assert (F0 : f 0 = - dot C z) by (unfold f; rewrite (c_starts z); field; lra).
  assert (Fh : f h = h / 2 * N * norm z - dot (c h) z + h * dot (V C) z) by (unfold f; field; lra).
  assert (Zz : dot (c h) z - dot C z - h * dot (V C) z = norm z * norm z) by (rewrite norm_sqr; unfold z at 4; rewrite dot_sub_l, dot_add_l, dot_scal_l; ring).
  destruct (Req_dec (norm z) 0) as [Q|Q]; [rewrite Q; apply Rmult_le_pos; lra|]. apply Rmult_le_reg_r with (norm z); lra.
Qed.

Theorem piece C' delta : norm (vsub (vadd C (vscal h (V C))) C') <= delta -> norm (vsub (p h) C') <= exp x * e + h / 2 * N + delta.
Proof.
  intros Hd. assert (A := apart). assert (B := bend).
  assert (Sm : same (vsub (p h) C') (vadd (vsub (p h) (c h)) (vadd (vsub (c h) (vadd C (vscal h (V C)))) (vsub (vadd C (vscal h (V C))) C')))) by (intros z; rewrite !dot_add_l, !dot_sub_l, !dot_add_l; ring).
  rewrite (same_norm _ _ Sm). apply Rle_trans with (1 := norm_triangle _ _). apply Rle_trans with (norm (vsub (p h) (c h)) + (norm (vsub (c h) (vadd C (vscal h (V C)))) + norm (vsub (vadd C (vscal h (V C))) C'))); [apply Rplus_le_compat_l, norm_triangle|]. lra.
Qed.
End Piece.

(** ** -grad L/|grad L| *)
Section Flow.
Context {E : space}.
Variable P : problem E.
Variables loss slope curv : R -> R.
Variables lo hi : R.
Variable al : nat -> nat.
Variable Reg : regular P loss slope lo hi.
Variable slope_derive : forall x, lo <= x <= hi -> is_derive slope x (curv x).
Variable sel : selection P al.
Notation g := (minus_gradient P slope al).
Notation V q := (unit (g q)).
Notation DV := (direction_derivative P slope curv al).

Lemma unit_short (y : E) : norm (unit y) <= 1.
Proof.
  unfold unit. rewrite norm_scal. assert (Ny := norm_pos y). destruct (Req_dec (norm y) 0) as [->|Q]; [rewrite Rmult_0_r; lra|].
  rewrite Rabs_pos_eq by (left; apply Rinv_0_lt_compat; lra). rewrite Rinv_l; lra.
Qed.

Theorem flow_ball (C C' : E) e h x N delta (p c : R -> E) : 0 < h -> 0 <= N ->
  (forall q, norm (vsub q C) <= e + h -> 0 < norm (g q)) ->
  (forall q u, norm (vsub q C) <= e + h -> h * DV q u u <= x * (norm u * norm u)) ->
  (forall q u z, norm (vsub q C) <= e + h -> h * DV q u z <= N * (norm u * norm z)) ->
  (forall s, 0 <= s <= h -> curve_derives p s (V (p s))) -> (forall s, 0 <= s <= h -> curve_derives c s (V (c s))) ->
  norm (vsub (p 0) C) <= e -> same (c 0) C -> norm (vsub (vadd C (vscal h (V C))) C') <= delta ->
  norm (vsub (p h) C') <= exp x * e + h / 2 * N + delta.
Proof.
  intros Hh HN Pos Part Turn Fp Fc Sp Sc Hd.
  apply (piece (fun q => V q) DV C e h x N Hh HN) with (c := c); auto.
  - intros q u z tau Hq. apply (direction_line P loss slope curv lo hi al Reg slope_derive sel). now apply Pos.
  - intros q. apply unit_short.
  - intros y y' S z. unfold unit. assert (G := gradient_same P slope al y y' S). rewrite !dot_scal_l, (G z), (same_norm _ _ G). easy.
Qed.
End Flow.
