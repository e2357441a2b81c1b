(** The enclosure of a run (docs/certificate.md 4.20), one step over p or W: a ball of centre c and radius e that holds p_k, a centre c' with |F(c) - c'| <= delta and a bound Lam of the derivative of the
    step F on the ball make the ball of centre c' and radius Lam e + delta hold p_{k+1} = F(p_k).
    - `step_ball`: the mean value inequality, for any F whose products have derivatives along lines.
    - `gradient_line`: the derivative J of -grad L along a line is that of 4.20: with d_t = k_ir - k_it for any token r_i of each sample, s_t attention, a_t = s_t (Delta_t - G), D = sum s_t d_t,
      phi = sum a_t d_t, it is (1/n) sum_i [ -l''(f) (phi.u)(phi.z) - l'(f) ((D.u)(phi.z) + (phi.u)(D.z) - sum_t a_t (d_t.u)(d_t.z)) ] between u and z.
    - `constant_ball`, `normalised_ball`: the two together, for F = p + step g and for F = p + step g/|g|, g = -grad L. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Limits.
Import ListNotations.
Open Scope R_scope.

(** ** The mean value inequality *)
Section Ball.
Context {E : space}.
Variable F : E -> E.
(** DF q u z: the product with z of the derivative of F at q in the direction u. *)
Variable DF : E -> E -> E -> R.
Variables (c : E) (e Lam : R).
Variable derives : forall q u z tau, norm (vsub (vadd q (vscal tau u)) c) <= e -> is_derive (fun s => dot (F (vadd q (vscal s u))) z) tau (DF (vadd q (vscal tau u)) u z).
Variable Lam_nonneg : 0 <= Lam.
Variable stretch : forall q u z, norm (vsub q c) <= e -> DF q u z <= Lam * (norm u * norm z).
Variable F_same : forall x y, same x y -> same (F x) (F y).

Lemma line_end (x y : E) : same (vadd x (vscal 1 (vsub y x))) y.
Proof. intros z. rewrite dot_add_l, dot_scal_l, dot_sub_l. ring. Qed.

Theorem step_ball p c' delta : norm (vsub p c) <= e -> norm (vsub (F c) c') <= delta -> norm (vsub (F p) c') <= Lam * norm (vsub p c) + delta.
Proof.
  intros Hp Hc. set (u := vsub p c). set (z := vsub (F p) (F c)).
  assert (Z : norm z <= Lam * norm u).
  { set (phi := fun s => dot (F (vadd c (vscal s u))) z).
    assert (In : forall s, 0 <= s <= 1 -> norm (vsub (vadd c (vscal s u)) c) <= e).
    { intros s Hs. apply Rle_trans with (2 := Hp). fold u. rewrite <- (Rmult_1_l (norm u)).
      assert (Sm : same (vsub (vadd c (vscal s u)) c) (vscal s u)) by (intros y; rewrite dot_sub_l, dot_add_l; ring).
      rewrite (same_norm _ _ Sm), norm_scal, Rabs_pos_eq by lra. apply Rmult_le_compat_r; [apply norm_pos|lra]. }
    destruct (mean_value phi (fun s => DF (vadd c (vscal s u)) u z) 0 1 ltac:(lra)) as (s & Hs & Hm); [intros s Hs; now apply derives, In|].
    rewrite Rminus_0_r, Rmult_1_r in Hm.
    assert (St := stretch _ u z (In s Hs)). rewrite <- Hm in St. unfold phi in St.
    assert (E1 : dot (F (vadd c (vscal 1 u))) z = dot (F p) z) by (apply F_same, line_end).
    assert (E0 : dot (F (vadd c (vscal 0 u))) z = dot (F c) z) by (apply F_same; intros y; rewrite dot_add_l, dot_scal_l; ring).
    rewrite E1, E0, <- dot_sub_l in St. fold z in St. rewrite <- norm_sqr in St.
    assert (Nz := norm_pos z). destruct (Req_dec (norm z) 0) as [Q|Q]; [|apply Rmult_le_reg_r with (norm z); [lra|nra]].
    rewrite Q. apply Rmult_le_pos; [auto|apply norm_pos]. }
  apply Rle_trans with (norm z + norm (vsub (F c) c')).
  - assert (Sm : same (vsub (F p) c') (vadd z (vsub (F c) c'))) by (intros y; unfold z; rewrite dot_add_l, !dot_sub_l; ring).
    rewrite (same_norm _ _ Sm). apply norm_triangle.
  - fold u. lra.
Qed.
End Ball.

(** ** A bound of a matrix that is known up to an error: |A + D| <= c + |D|_F where c^2 I - A^T A is semidefinite. *)
Section Norm.
Variable d : nat.
Notation Vec := (coordinates d).

Lemma frobenius (M : matrices d d) (u z : Vec) : dot (apply_matrix d M u : Vec) z <= norm M * (norm u * norm z).
Proof.
  assert (X := cauchy_schwarz (outer d d z u : matrices d d) M). rewrite (outer_dot d d z u M : dot _ _ = _) in X. change (rdot d) with (@dot Vec) in X. rewrite (dot_sym (apply_matrix d M u : Vec) z).
  apply Rle_trans with (1 := X). right. assert (No : norm (outer d d z u : matrices d d) = norm z * norm u); [|rewrite No; ring].
  unfold norm. rewrite (outer_outer d d z u z u : dot _ _ = _). change (rdot d) with (@dot Vec). apply sqrt_mult_alt, dot_pos.
Qed.

Theorem spectral_bound (A D : matrices d d) c (u z : Vec) : 0 <= c -> (forall y : Vec, dot (apply_matrix d A y : Vec) (apply_matrix d A y) <= c * c * dot y y) ->
  dot (apply_matrix d A u : Vec) z + dot (apply_matrix d D u : Vec) z <= (c + norm D) * (norm u * norm z).
Proof.
  intros C0 HA. assert (F := frobenius D u z). assert (N : norm (apply_matrix d A u : Vec) <= c * norm u).
  { apply sqrt_le_of_sq; [apply Rmult_le_pos; auto using norm_pos|]. apply Rle_trans with (1 := HA u). rewrite <- norm_sqr. right. ring. }
  assert (C := cauchy_schwarz (apply_matrix d A u : Vec) z). assert (Y := Rmult_le_compat_r _ _ _ (norm_pos z) N). lra.
Qed.

(** c = |(A^T A)^(2^j)|_F^(1/2^(j+1)) is such a c: with S_0 = A^T A and S_{k+1} = S_k^T S_k, y.S_k y rises like powers of |A y|^2 by Cauchy and Schwarz. *)
Definition squared (M : matrices d d) : matrices d d := fun j k => sum (seq 0 d) (fun l => M l j * M l k).
Fixpoint power_of (A : matrices d d) (k : nat) : matrices d d := match k with O => squared A | S k => squared (power_of A k) end.

Lemma squared_dot M (u z : Vec) : dot (apply_matrix d (squared M) u : Vec) z = dot (apply_matrix d M u : Vec) (apply_matrix d M z).
Proof.
  simpl. unfold rdot, apply_matrix, squared.
  transitivity (sum (seq 0 d) (fun l => sum (seq 0 d) (fun j => sum (seq 0 d) (fun k => M l j * M l k * u k * z j)))).
  - rewrite sum_exchange. apply sum_ext. intros j _. rewrite <- sum_scal_r, sum_exchange. apply sum_ext. intros k _. rewrite <- !sum_scal_r. apply sum_ext. intros; ring.
  - apply sum_ext. intros l _. rewrite <- sum_scal. apply sum_ext. intros j _. rewrite <- sum_scal_r. apply sum_ext. intros; ring.
Qed.

Theorem power_bound (A : matrices d d) j c (y : Vec) : 0 <= c -> norm (power_of A j) <= (c * c) ^ (2 ^ j) ->
  dot (apply_matrix d A y : Vec) (apply_matrix d A y) <= c * c * dot y y.
Proof.
  intros C0 Hc. set (a := dot (apply_matrix d A y : Vec) (apply_matrix d A y)). set (n := dot y y). assert (A0 : 0 <= a) by apply dot_pos. assert (N0 : 0 <= n) by apply dot_pos.
  set (q := fun k => dot (apply_matrix d (power_of A k) y : Vec) y).
  assert (Q0 : forall k, 0 <= q k) by (intros [|k]; unfold q; simpl power_of; rewrite squared_dot; apply dot_pos).
  assert (Step : forall k, q k * q k <= q (S k) * n).
  { intros k. unfold q. simpl power_of. rewrite squared_dot. apply (cauchy_schwarz_sq (apply_matrix d (power_of A k) y : Vec) y). }
  assert (Up : forall k, n * a ^ (2 ^ k) <= q k * n ^ (2 ^ k)).
  { induction k as [|k IH]; [simpl; unfold q, a; simpl power_of; rewrite squared_dot; fold a n; lra|].
    rewrite Nat.pow_succ_r', (Nat.mul_comm 2), !pow_mult. assert (P1 := pow_le a (2 ^ k) A0). assert (P2 := pow_le n (2 ^ k) N0).
    set (x := a ^ 2 ^ k) in *. set (m := n ^ 2 ^ k) in *. destruct N0 as [N0|Z]; [|rewrite <- Z in *; assert (q (S k) = 0); [|nra]].
    - assert (X : (n * x) * (n * x) <= (q k * m) * (q k * m)) by (apply Rmult_le_compat; nra). assert (Y := Rmult_le_compat_r (m * m) _ _ ltac:(nra) (Step k)).
      apply Rmult_le_reg_l with n; auto. simpl. nra.
    - assert (F := frobenius (power_of A (S k)) y y). unfold q. fold (q (S k)) in *. assert (Ny : norm y = 0) by (unfold norm; fold n; rewrite <- Z; apply sqrt_0). rewrite Ny in F.
      assert (G := Q0 (S k)). unfold q in *. lra. }
  assert (F := frobenius (power_of A j) y y). fold (q j) in F. rewrite norm_sqr in F. fold n in F.
  assert (Pm : (0 < 2 ^ j)%nat) by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
  destruct N0 as [N0|Z].
  - apply Rnot_lt_le. intros L. assert (P2 := pow_le n (2 ^ j) (Rlt_le _ _ N0)).
    assert (X : (c * c * n) ^ (2 ^ j) < a ^ (2 ^ j)).
    { destruct (2 ^ j)%nat as [|m]; [lia|]. clear - L C0 N0 A0. assert (B0 : 0 <= c * c * n) by (apply Rmult_le_pos; nra). induction m as [|m IH]; [simpl; lra|].
      change ((c * c * n) * (c * c * n) ^ S m < a * a ^ S m). assert (P := pow_le (c * c * n) (S m) B0). nra. }
    rewrite Rpow_mult_distr in X. specialize (Up j). assert (Y : q j * n ^ 2 ^ j <= (c * c) ^ 2 ^ j * n * n ^ 2 ^ j) by (apply Rmult_le_compat_r; nra).
    assert (n * ((c * c) ^ 2 ^ j * n ^ 2 ^ j) < n * a ^ 2 ^ j) by (apply Rmult_lt_compat_l; auto). lra.
  - assert (Ny : norm y = 0) by (unfold norm; fold n; rewrite <- Z; apply sqrt_0). rewrite <- Z, Rmult_0_r.
    assert (G := frobenius (squared A) y y). rewrite squared_dot, Ny in G. fold a in G. lra.
Qed.
End Norm.

(** ** The derivative of the gradient *)
(** Equations between values of functions that have a derivative are typed in Coquelicot's module of the real numbers. *)
Ltac real_ring := match goal with |- ?a = ?b => change (@eq R a b) end; unfold Rdiv; ring.

Section Gradient.
Context {E : space}.
Variable P : problem E.
Variables loss slope curv : R -> R.
Variables lo hi : R.
Variable al : nat -> nat.
Notation n := (samples P).
Notation T i := (seq 0 (tokens P i)).
Variable Reg : regular P loss slope lo hi.
Variable slope_derive : forall x, lo <= x <= hi -> is_derive slope x (curv x).
Variable sel : selection P al.

Notation line q u s := (vadd q (vscal s u)).
Notation g := (minus_gradient P slope al).
(** The numbers of 4.20 at q, for sample i and reference al i. *)
Definition pull q (c : nat * nat) := attention P q (fst c) (snd c) * (gap P al c - deficit P al q (fst c)).
Definition spread q i (u : E) := sum (others (tokens P i) (al i)) (fun t => attention P q i t * dot (row P al (i, t)) u).
Definition phi q i (u : E) := sum (others (tokens P i) (al i)) (fun t => pull q (i, t) * dot (row P al (i, t)) u).

Lemma phi_covariance q i u : (i < n)%nat -> covariance P q i u = phi q i u.
Proof.
  intros Hi. rewrite (covariance_rows P loss slope lo hi al) by auto. unfold phi. rewrite <- sum_opp. apply sum_ext. intros t _.
  unfold pull, gap, deficit. simpl fst. simpl snd. ring.
Qed.

Lemma attention_line q u i t tau : (i < n)%nat -> (t < tokens P i)%nat ->
  is_derive (fun s => attention P (line q u s) i t) tau (attention P (line q u tau) i t * (spread (line q u tau) i u - dot (row P al (i, t)) u)).
Proof.
  intros Hi Ht. assert (N := tokens_nonempty P loss slope lo hi i Reg Hi).
  set (one_at := fun v => if (v =? t)%nat then 1 else 0).
  assert (Ind : forall (y f : nat -> R), mean (T i) y (fun v => one_at v * f v) = soft (T i) y t * f t).
  { intros y f. unfold mean. rewrite (sum_others _ t) by auto. unfold one_at at 1. rewrite Nat.eqb_refl, sum_zero; [ring|].
    intros v Hv. apply in_others in Hv. unfold one_at. destruct (Nat.eqb_spec v t); [tauto|ring]. }
  assert (Ind1 : forall y, mean (T i) y one_at = soft (T i) y t).
  { intros y. transitivity (mean (T i) y (fun v => one_at v * 1)); [unfold mean; apply sum_ext; intros; ring|]. rewrite Ind. ring. }
  assert (X : forall s v, along (logit P q i) (logit P u i) s v = logit P (line q u s) i v) by (intros; now rewrite logit_line).
  apply is_derive_ext with (fun s => mean (T i) (along (logit P q i) (logit P u i) s) one_at).
  { intros s. rewrite Ind1. unfold attention. apply soft_ext. intros v. apply X. }
  apply is_derive_value with (1 := mean_derive (T i) (logit P q i) (logit P u i) one_at tau N).
  rewrite Ind, Ind1. set (x := line q u tau).
  assert (Sx : soft (T i) (along (logit P q i) (logit P u i) tau) t = attention P x i t).
  { unfold attention. apply soft_ext. intros v. apply X. }
  rewrite Sx, (mean_ext (T i) _ _ (logit P u i) (X tau)). fold x. unfold Rminus at 1. rewrite <- Ropp_mult_distr_r_reverse, <- Rmult_plus_distr_l. f_equal.
  unfold row, logit at 1. simpl fst. simpl snd. rewrite dot_sub_l.
  assert (Q : mean (T i) (logit P x i) (logit P u i) = dot (key P i (al i)) u - spread x i u).
  { rewrite <- (mean_const (T i) (logit P x i) (dot (key P i (al i)) u) N). unfold mean, spread. rewrite (sum_others (tokens P i) (al i) (fun v => soft _ _ v * logit P u i v)) by now apply sel.
    rewrite (sum_others (tokens P i) (al i) (fun v => soft _ _ v * dot _ _)) by now apply sel. unfold attention.
    unfold Rminus. rewrite <- sum_opp. rewrite Rplus_assoc. unfold logit at 2. f_equal. rewrite <- sum_plus. apply sum_ext. intros v _. unfold row, logit. simpl fst. simpl snd. rewrite dot_sub_l. ring. }
  rewrite Q. ring.
Qed.

Definition weight_line q u (c : nat * nat) :=
  / INR n * (- curv (output P q (fst c)) * phi q (fst c) u * pull q c
             - slope (output P q (fst c)) * (pull q c * (spread q (fst c) u - dot (row P al c) u) + attention P q (fst c) (snd c) * phi q (fst c) u)).

Lemma weight_derive q u c tau : In c (rows P al) -> is_derive (fun s => weight P slope al (line q u s) c) tau (weight_line (line q u tau) u c).
Proof.
  destruct c as [i t]. intros Hc. apply in_rows in Hc. destruct Hc as (Hi & Ht & N). unfold weight. simpl fst. simpl snd.
  set (x := line q u tau).
  assert (Df : is_derive (fun s => output P (line q u s) i) tau (phi x i u)).
  { apply is_derive_value with (1 := output_derive P loss slope lo hi q u tau i Reg Hi). now apply phi_covariance. }
  assert (Ds : is_derive (fun s => slope (output P (line q u s) i)) tau (curv (output P x i) * phi x i u)).
  { apply is_derive_value with (scal (phi x i u) (curv (output P x i))); [|apply Rmult_comm].
    apply (is_derive_comp slope (fun s => output P (line q u s) i)); [apply slope_derive; now apply (output_bounds P loss slope)|exact Df]. }
  assert (Da := attention_line q u i t tau Hi Ht). fold x in Da.
  assert (De : is_derive (fun s => gap P al (i, t) - deficit P al (line q u s) i) tau (phi x i u)).
  { unfold deficit. apply is_derive_ext with (fun s => output P (line q u s) i - score P i t); [intros s; unfold gap; simpl; real_ring|].
    apply is_derive_value with (phi x i u - 0); [|ring]. apply is_derive_diff; [exact Df|]. apply (is_derive_const (V := R_NormedModule)). }
  apply is_derive_ext with (fun s => - / INR n * (slope (output P (line q u s) i) * attention P (line q u s) i t * (gap P al (i, t) - deficit P al (line q u s) i))).
  { intros s. real_ring. }
  apply is_derive_value with (- / INR n * ((curv (output P x i) * phi x i u * attention P x i t + slope (output P x i) * (attention P x i t * (spread x i u - dot (row P al (i, t)) u))) * (gap P al (i, t) - deficit P al x i) +
    slope (output P x i) * attention P x i t * phi x i u)).
  - apply is_derive_scal. apply (is_derive_prod (fun s => slope (output P (line q u s) i) * attention P (line q u s) i t) (fun s => gap P al (i, t) - deficit P al (line q u s) i)); auto.
    apply (is_derive_prod (fun s => slope (output P (line q u s) i)) (fun s => attention P (line q u s) i t)); auto.
  - unfold weight_line, pull. simpl fst. simpl snd. ring.
Qed.

Definition J q u z := / INR n * sum (seq 0 n) (fun i => - curv (output P q i) * phi q i u * phi q i z
  - slope (output P q i) * (spread q i u * phi q i z + phi q i u * spread q i z
      - sum (others (tokens P i) (al i)) (fun t => pull q (i, t) * dot (row P al (i, t)) u * dot (row P al (i, t)) z))).

Lemma J_rows q u z : J q u z = sum (rows P al) (fun c => weight_line q u c * dot (row P al c) z).
Proof.
  unfold J. rewrite sum_rows, <- sum_scal. apply sum_ext. intros i _.
  set (A := others (tokens P i) (al i)). set (f := output P q i).
  rewrite (sum_ext A (fun t => weight_line q u (i, t) * dot (row P al (i, t)) z) (fun t => (/ INR n * (- curv f * phi q i u - slope f * spread q i u)) * (pull q (i, t) * dot (row P al (i, t)) z)
     - (/ INR n * slope f * phi q i u) * (attention P q i t * dot (row P al (i, t)) z)
     + (/ INR n * slope f) * (pull q (i, t) * dot (row P al (i, t)) u * dot (row P al (i, t)) z))) by (intros t _; unfold weight_line, f; cbn [fst snd]; ring).
  rewrite sum_plus, sum_minus, !sum_scal.
  change (sum A (fun t => pull q (i, t) * dot (row P al (i, t)) z)) with (phi q i z). change (sum A (fun t => attention P q i t * dot (row P al (i, t)) z)) with (spread q i z). ring.
Qed.

Theorem gradient_line q u z tau : is_derive (fun s => dot (g (line q u s)) z) tau (J (line q u tau) u z).
Proof.
  rewrite J_rows. apply is_derive_ext with (fun s => sum (rows P al) (fun c => weight P slope al (line q u s) c * dot (row P al c) z)).
  { intros s. unfold minus_gradient. rewrite dot_vsum_l. apply sum_ext. intros; now rewrite dot_scal_l. }
  apply (is_derive_sum (rows P al) (fun c s => weight P slope al (line q u s) c * dot (row P al c) z) (fun c s => weight_line (line q u s) u c * dot (row P al c) z)).
  intros c Hc. apply is_derive_ext with (fun s => dot (row P al c) z * weight P slope al (line q u s) c); [intros; apply Rmult_comm|].
  apply is_derive_value with (dot (row P al c) z * weight_line (line q u tau) u c); [|apply Rmult_comm]. apply is_derive_scal. now apply weight_derive.
Qed.

Lemma square_line q u tau : is_derive (fun s => dot (g (line q u s)) (g (line q u s))) tau (2 * J (line q u tau) u (g (line q u tau))).
Proof.
  set (wt := fun s c => weight P slope al (line q u s) c).
  apply is_derive_ext with (fun s => sum (rows P al) (fun c => sum (rows P al) (fun e => wt s c * wt s e * dot (row P al c) (row P al e)))).
  { intros s. unfold minus_gradient. rewrite dot_vsum_l. apply sum_ext. intros c _. rewrite dot_scal_l, dot_vsum_r, <- sum_scal. apply sum_ext. intros e _. rewrite dot_scal_r. unfold wt. ring. }
  apply is_derive_value with (sum (rows P al) (fun c => sum (rows P al) (fun e => (weight_line (line q u tau) u c * wt tau e + wt tau c * weight_line (line q u tau) u e) * dot (row P al c) (row P al e)))).
  - apply (is_derive_sum (rows P al) (fun c s => sum (rows P al) (fun e => wt s c * wt s e * dot (row P al c) (row P al e)))
      (fun c s => sum (rows P al) (fun e => (weight_line (line q u s) u c * wt s e + wt s c * weight_line (line q u s) u e) * dot (row P al c) (row P al e)))).
    intros c Hc. apply (is_derive_sum (rows P al) (fun e s => wt s c * wt s e * dot (row P al c) (row P al e))
      (fun e s => (weight_line (line q u s) u c * wt s e + wt s c * weight_line (line q u s) u e) * dot (row P al c) (row P al e))).
    intros e He. apply is_derive_ext with (fun s => dot (row P al c) (row P al e) * (wt s c * wt s e)); [intros; real_ring|].
    apply is_derive_value with (dot (row P al c) (row P al e) * (weight_line (line q u tau) u c * wt tau e + wt tau c * weight_line (line q u tau) u e)); [|ring].
    apply is_derive_scal. apply (is_derive_prod (fun s => wt s c) (fun s => wt s e)); now apply weight_derive.
  - rewrite J_rows. set (x := line q u tau).
    assert (Gd : forall c, dot (row P al c) (g x) = sum (rows P al) (fun e => wt tau e * dot (row P al c) (row P al e))).
    { intros c. unfold minus_gradient. rewrite dot_vsum_r. apply sum_ext. intros e _. now rewrite dot_scal_r. }
    rewrite (sum_ext _ _ (fun c => sum (rows P al) (fun e => weight_line x u c * (wt tau e * dot (row P al c) (row P al e))) + sum (rows P al) (fun e => weight_line x u e * (wt tau c * dot (row P al e) (row P al c))))).
    + rewrite sum_plus, (sum_exchange (rows P al) (rows P al) (fun c e => weight_line x u e * (wt tau c * dot (row P al e) (row P al c)))).
      rewrite (sum_ext (rows P al) (fun c => weight_line x u c * dot (row P al c) (g x)) (fun c => sum (rows P al) (fun e => weight_line x u c * (wt tau e * dot (row P al c) (row P al e))))) by (intros c _; rewrite Gd, sum_scal; reflexivity).
      ring.
    + intros c _. rewrite <- sum_plus. apply sum_ext. intros e _. rewrite (dot_sym (row P al e) (row P al c)). ring.
Qed.

(** The derivative of the direction g/|g| along a line: (1/|g|)(I - gg^T/|g|^2)J. *)
Definition direction_derivative q u z := (J q u z - dot (g q) z * J q u (g q) / (norm (g q) * norm (g q))) / norm (g q).
Lemma direction_line q u z tau : 0 < norm (g (line q u tau)) -> is_derive (fun s => dot (unit (g (line q u s))) z) tau (direction_derivative (line q u tau) u z).
Proof.
  intros Pos. unfold direction_derivative. set (x := line q u tau) in *. assert (Gp : 0 < dot (g x) (g x)) by (rewrite <- norm_sqr; nra).
  assert (Dn : is_derive (fun s => norm (g (line q u s))) tau (J x u (g x) / norm (g x))).
  { apply is_derive_value with (2 * J x u (g x) / (2 * sqrt (dot (g x) (g x)))); [|unfold norm in *; field; lra].
    apply (is_derive_sqrt (fun s => dot (g (line q u s)) (g (line q u s)))); [apply square_line|exact Gp]. }
  assert (Dg := gradient_line q u z tau). fold x in Dg.
  assert (Dq := is_derive_div _ _ tau _ _ Dg Dn (Rgt_not_eq _ _ Pos)). fold x in Dq.
  apply is_derive_ext with (fun s => dot (g (line q u s)) z / norm (g (line q u s))); [intros s; unfold unit; rewrite dot_scal_l; real_ring|].
  apply is_derive_value with ((J x u z * norm (g x) - dot (g x) z * (J x u (g x) / norm (g x))) / (norm (g x)) ^ 2); [exact Dq|field; lra].
Qed.

(** ** Steps *)
Section Step.
Variables (eta e Lam delta : R) (c c' p : E).
Variable Lam_nonneg : 0 <= Lam.
Variable inside : norm (vsub p c) <= e.

Definition constant_step (p : E) : E := vadd p (vscal eta (g p)).
Theorem constant_ball : (forall q u z, norm (vsub q c) <= e -> dot u z + eta * J q u z <= Lam * (norm u * norm z)) ->
  norm (vsub (constant_step c) c') <= delta -> norm (vsub (constant_step p) c') <= Lam * e + delta.
Proof.
  intros St Hc. apply Rle_trans with (Lam * norm (vsub p c) + delta); [|apply Rplus_le_compat_r, Rmult_le_compat_l; auto].
  apply (step_ball constant_step (fun q u z => dot u z + eta * J q u z)) with (e := e); auto.
  - intros q u z tau _. unfold constant_step.
    apply is_derive_ext with (fun s => (dot q z + s * dot u z) + eta * dot (g (line q u s)) z); [intros s; rewrite !dot_add_l, !dot_scal_l; reflexivity|].
    apply (is_derive_plus (V := R_NormedModule) (fun s => dot q z + s * dot u z)); [auto_derive; [exact I|ring]|]. apply is_derive_scal, gradient_line.
  - intros x y S z. unfold constant_step. rewrite !dot_add_l, !dot_scal_l, (S z), (gradient_same P slope al x y S z). reflexivity.
Qed.

Definition normalised_step (p : E) : E := vadd p (vscal (eta / norm (g p)) (g p)).
Definition normalised_derivative q u z := dot u z + eta * direction_derivative q u z.
Theorem normalised_ball : (forall q, norm (vsub q c) <= e -> 0 < norm (g q)) -> (forall q u z, norm (vsub q c) <= e -> normalised_derivative q u z <= Lam * (norm u * norm z)) ->
  norm (vsub (normalised_step c) c') <= delta -> norm (vsub (normalised_step p) c') <= Lam * e + delta.
Proof.
  intros Pos St Hc. apply Rle_trans with (Lam * norm (vsub p c) + delta); [|apply Rplus_le_compat_r, Rmult_le_compat_l; auto].
  apply (step_ball normalised_step normalised_derivative) with (e := e); auto.
  - intros q u z tau Hq. unfold normalised_step, normalised_derivative.
    apply is_derive_ext with (fun s => (dot q z + s * dot u z) + eta * dot (unit (g (line q u s))) z); [intros s; unfold unit; rewrite !dot_add_l, !dot_scal_l; real_ring|].
    apply (is_derive_plus (V := R_NormedModule) (fun s => dot q z + s * dot u z)); [auto_derive; [exact I|ring]|]. apply is_derive_scal, direction_line. now apply Pos.
  - intros x y S z. unfold normalised_step. assert (G := gradient_same P slope al x y S). rewrite !dot_add_l, !dot_scal_l, (S z), (G z), (same_norm _ _ G). reflexivity.
Qed.
End Step.
End Gradient.
