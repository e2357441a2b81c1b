(** The bounds Lambda of a step over W from products of rows alone (docs/certificate.md 4.20, over W; docs/theory.md 6.5, proposition).  At a point q, with rows d_c relative to a token r_i of each sample,
    omega_i = -l'(f_i)/n >= 0, b_i = l''(f_i)/n, q_c = omega_i a_t, D_i = sum s_t d_t, phi_i = sum a_t d_t and R(x) the largest sum_e |d_c.d_e| x_e over the rows with x_c > 0:
    J(u, u) <= j+ |u|^2 and -J(u, u) <= j- |u|^2 with j+ = R((-q)+) + sum_i [omega_i (|D_i||phi_i| + D_i.phi_i) + (-b_i)+ |phi_i|^2] and j- = R(q+) + sum_i [omega_i (|D_i||phi_i| - D_i.phi_i) + (b_i)+ |phi_i|^2].
    - `rows_constant`: |I + eta J| <= m = max(1 + eta j+, eta j- - 1);
    - `rows_normalised`: |I + (eta/|g|) (I - gg^T/|g|^2) J| <= (sqrt((m + 1)^2 + beta^2) + sqrt((m - 1)^2 + beta^2))/2, m with eta/|g| for eta, beta >= (eta/|g|) |Jg - kappa g|/|g|;
    - `turned`: Jg - kappa g = sum_c v_c d_c with the v_c of the rule. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Limits Enclosure.
Import ListNotations.
Open Scope R_scope.

(** ** Forms *)
Section Forms.
Context {E : space}.

(** Row sums bound sum_c x_c (d_c.u)^2. *)
Lemma row_sums {A} (l : list A) (d : A -> E) (x : A -> R) Rs u : 0 <= Rs -> (forall c, In c l -> 0 <= x c) ->
  (forall c, In c l -> 0 < x c -> sum l (fun e => Rabs (dot (d c) (d e)) * x e) <= Rs) -> sum l (fun c => x c * (dot (d c) u * dot (d c) u)) <= Rs * dot u u.
Proof.
  intros HR X0 HS. set (Q := sum l (fun c => x c * (dot (d c) u * dot (d c) u))).
  assert (Q0 : 0 <= Q) by (apply sum_nonneg; intros c Hc; apply Rmult_le_pos; [auto|apply Rle_0_sqr]).
  set (v := vsum l (fun c => vscal (x c * dot (d c) u) (d c))).
  assert (Qv : Q = dot v u) by (unfold v, Q; rewrite dot_vsum_l; apply sum_ext; intros c _; rewrite dot_scal_l; ring).
  assert (Vv : dot v v <= Rs * Q).
  { unfold v at 1. rewrite dot_vsum_l. rewrite (sum_ext _ _ (fun c => sum l (fun e => x c * dot (d c) u * (x e * dot (d e) u) * dot (d c) (d e)))).
    - apply Rle_trans with (sum l (fun c => sum l (fun e => / 2 * (x c * (dot (d c) u * dot (d c) u) * (Rabs (dot (d c) (d e)) * x e)) + / 2 * (x e * (dot (d e) u * dot (d e) u) * (Rabs (dot (d e) (d c)) * x c))))).
      + apply sum_le. intros c Hc. apply sum_le. intros e He. rewrite (dot_sym (d e) (d c)). set (G := dot (d c) (d e)). set (a := dot (d c) u). set (b := dot (d e) u).
        assert (Xc := X0 c Hc). assert (Xe := X0 e He). assert (Xx : 0 <= x c * x e) by now apply Rmult_le_pos. assert (Ag := Rabs_pos G).
        assert (A1 : a * b * G <= Rabs G * (/ 2 * (a * a + b * b))).
        { apply Rle_trans with (Rabs (a * b * G)); [apply Rle_abs|]. rewrite Rabs_mult, Rmult_comm. apply Rmult_le_compat_l; auto. assert (Y := Rle_0_sqr (a - b)). assert (Y' := Rle_0_sqr (a + b)). unfold Rsqr in *. unfold Rabs. destruct (Rcase_abs (a * b)); lra. }
        assert (A2 := Rmult_le_compat_l _ _ _ Xx A1). lra.
      + rewrite (sum_ext l _ (fun c => / 2 * sum l (fun e => x c * (dot (d c) u * dot (d c) u) * (Rabs (dot (d c) (d e)) * x e)) + / 2 * sum l (fun e => x e * (dot (d e) u * dot (d e) u) * (Rabs (dot (d e) (d c)) * x c)))) by (intros; rewrite sum_plus, !sum_scal; easy).
        rewrite sum_plus, !sum_scal, (sum_exchange l l (fun c e => x e * (dot (d e) u * dot (d e) u) * (Rabs (dot (d e) (d c)) * x c))).
        assert (Half : sum l (fun c => sum l (fun e => x c * (dot (d c) u * dot (d c) u) * (Rabs (dot (d c) (d e)) * x e))) <= Rs * Q); [|lra].
        unfold Q. rewrite <- sum_scal. apply sum_le. intros c Hc. rewrite sum_scal. specialize (X0 c Hc). assert (Sq := Rle_0_sqr (dot (d c) u)). unfold Rsqr in Sq. destruct (Req_dec (x c) 0) as [->|Nz]; [rewrite !Rmult_0_l, Rmult_0_r; lra|].
        assert (H := HS c Hc ltac:(lra)). assert (Y : 0 <= x c * (dot (d c) u * dot (d c) u)) by now apply Rmult_le_pos. assert (Z := Rmult_le_compat_l _ _ _ Y H). lra.
    - intros c _. rewrite dot_scal_l. unfold v. rewrite dot_vsum_r, <- sum_scal. apply sum_ext. intros e _. rewrite dot_scal_r. ring. }
  assert (Cs := cauchy_schwarz_sq v u). rewrite <- Qv in Cs. assert (Uu := dot_pos u).
  destruct (Req_dec Q 0) as [->|Nz]; [apply Rmult_le_pos; auto|]. apply Rmult_le_reg_r with Q; [lra|]. assert (Y := Rmult_le_compat_r _ _ _ Uu Vv). lra.
Qed.

(** The form of D phi^T + phi D^T. *)
Lemma two_rows (D ph : E) u : 2 * (dot D u * dot ph u) <= (norm D * norm ph + dot D ph) * dot u u.
Proof.
  set (al := norm ph). set (be := norm D). assert (A0 : 0 <= al) by apply norm_pos. assert (B0 : 0 <= be) by apply norm_pos.
  destruct (Req_dec al 0) as [Za|Na]; [rewrite (norm_zero_dot ph u Za), (dot_sym D ph), (norm_zero_dot ph D Za), Za; lra|].
  destruct (Req_dec be 0) as [Zb|Nb]; [rewrite (norm_zero_dot D u Zb), (norm_zero_dot D ph Zb), Zb; lra|].
  assert (Pab : 0 < al * be) by (apply Rmult_lt_0_compat; lra).
  assert (Cs := cauchy_schwarz_sq (vadd (vscal al D) (vscal be ph)) u). rewrite !dot_add_l, !dot_add_r, !dot_scal_l, !dot_scal_r, (dot_sym ph D) in Cs. rewrite <- (norm_sqr D), <- (norm_sqr ph) in Cs. fold al be in Cs.
  set (a := dot D u) in *. set (b := dot ph u) in *. assert (Sq := Rle_0_sqr (al * a - be * b)). unfold Rsqr in Sq.
  apply Rmult_le_reg_l with (2 * (al * be)); [lra|]. lra.
Qed.
Lemma two_rows_back (D ph : E) u : - (2 * (dot D u * dot ph u)) <= (norm D * norm ph - dot D ph) * dot u u.
Proof.
  assert (T := two_rows (vscal (-1) D) ph u). rewrite !dot_scal_l, norm_scal, Rabs_left in T by lra. lra.
Qed.

(** A symmetric form that is bounded on the diagonal is bounded. *)
Lemma symmetric_bound (B : E -> E -> R) m : (forall u v k z, B (vadd u (vscal k v)) z = B u z + k * B v z) -> (forall u z, B u z = B z u) ->
  0 <= m -> (forall u, Rabs (B u u) <= m * dot u u) -> forall u z, B u z <= m * (norm u * norm z).
Proof.
  intros Lin Sym M0 Bd u z. assert (LinR : forall x u v k, B x (vadd u (vscal k v)) = B x u + k * B x v) by (intros; now rewrite Sym, Lin, !(Sym _ x)).
  set (U := norm u). set (Z := norm z). assert (U0 : 0 <= U) by apply norm_pos. assert (Z0 : 0 <= Z) by apply norm_pos.
  assert (Any : forall k, 0 < k -> 2 * k * B u z <= m * (U * U + k * k * (Z * Z))).
  { intros k Hk. assert (P1 := Bd (vadd u (vscal k z))). assert (P2 := Bd (vadd u (vscal (- k) z))). apply Rabs_le_between in P1. apply Rabs_le_between in P2.
    rewrite !Lin, !LinR, !dot_add_l, !dot_add_r, !dot_scal_l, !dot_scal_r, (Sym z u), (dot_sym z u), <- !norm_sqr in P1, P2. fold U Z in P1, P2. lra. }
  destruct (Req_dec U 0) as [Zu|Nu].
  - rewrite Zu, Rmult_0_l, Rmult_0_r. apply Rnot_lt_le. intros Pb. rewrite Zu in Any. set (k := B u z / (m * (Z * Z) + 1)). assert (Q : 0 <= m * (Z * Z)) by (apply Rmult_le_pos; nra).
    assert (Kp : 0 < k) by (apply Rdiv_lt_0_compat; lra). specialize (Any k Kp). assert (Kq : k * (m * (Z * Z) + 1) = B u z) by (unfold k; field; lra). nra.
  - destruct (Req_dec Z 0) as [Zz|Nz].
    + rewrite Zz, !Rmult_0_r. apply Rnot_lt_le. intros Pb. rewrite Zz in Any. set (k := (m * (U * U) + 1) / B u z). assert (Q : 0 <= m * (U * U)) by (apply Rmult_le_pos; nra).
      assert (Kp : 0 < k) by (apply Rdiv_lt_0_compat; lra). specialize (Any k Kp). assert (Kq : k * B u z = m * (U * U) + 1) by (unfold k; field; lra). nra.
    + assert (Kp : 0 < U / Z) by (apply Rdiv_lt_0_compat; lra). specialize (Any (U / Z) Kp). apply Rmult_le_reg_l with (2 * (U / Z)); [lra|].
      replace (2 * (U / Z) * (m * (U * Z))) with (m * (U * U + U / Z * (U / Z) * (Z * Z))) by (field; lra). exact Any.
Qed.
End Forms.

(** The norm of the 2 x 2 matrix with rows (1, 0), (beta, m). *)
Definition turned_norm m beta := (sqrt ((m + 1) * (m + 1) + beta * beta) + sqrt ((m - 1) * (m - 1) + beta * beta)) / 2.
Lemma turned_norm_bound m beta A V : A * A + (A * beta + m * V) * (A * beta + m * V) <= turned_norm m beta * turned_norm m beta * (A * A + V * V).
Proof.
  unfold turned_norm. set (x1 := (m + 1) * (m + 1) + beta * beta). set (x2 := (m - 1) * (m - 1) + beta * beta).
  assert (Q1 := Rle_0_sqr (m + 1)). assert (Q2 := Rle_0_sqr (m - 1)). assert (Q3 := Rle_0_sqr beta). unfold Rsqr in Q1, Q2, Q3. assert (X1 : 0 <= x1) by (unfold x1; lra). assert (X2 : 0 <= x2) by (unfold x2; lra). assert (S1 := sqrt_sqrt x1 X1). assert (S2 := sqrt_sqrt x2 X2). assert (P1 := sqrt_pos x1). assert (P2 := sqrt_pos x2).
  set (s1 := sqrt x1) in *. set (s2 := sqrt x2) in *. set (r := s1 * s2). set (S := m * m + 1 + beta * beta).
  assert (R0 : 0 <= r) by (apply Rmult_le_pos; auto).
  assert (Rr : r * r = S * S - 4 * (m * m)) by (replace (r * r) with ((s1 * s1) * (s2 * s2)) by (unfold r; ring); rewrite S1, S2; unfold x1, x2, S; ring).
  set (L := (S + r) / 2). assert (Lq : (s1 + s2) / 2 * ((s1 + s2) / 2) = L) by (unfold L, r, S; replace ((s1 + s2) / 2 * ((s1 + s2) / 2)) with ((s1 * s1 + s2 * s2 + 2 * (s1 * s2)) / 4) by field; rewrite S1, S2; unfold x1, x2; field).
  rewrite Lq. set (k := 1 + beta * beta - m * m).
  assert (Rk : r * r = k * k + 4 * (beta * beta * (m * m))) by (rewrite Rr; unfold S, k; ring). assert (Bm := Rle_0_sqr (beta * m)). unfold Rsqr in Bm.
  assert (Kr : - r <= k <= r) by (split; [apply Ropp_le_cancel; rewrite Ropp_involutive; apply le_of_sq; nra|apply le_of_sq; nra]).
  set (a := L - 1 - beta * beta). set (c := L - m * m). assert (A0 : 0 <= a) by (unfold a, L, S; unfold k in Kr; lra). assert (C0 : 0 <= c) by (unfold c, L, S; unfold k in Kr; lra).
  assert (Ac : a * c = beta * m * (beta * m)) by (unfold a, c, L; replace ((S + r) / 2 - 1 - beta * beta) with ((r - k) / 2) by (unfold S, k; field); replace ((S + r) / 2 - m * m) with ((r + k) / 2) by (unfold S, k; field); replace ((r - k) / 2 * ((r + k) / 2)) with ((r * r - k * k) / 4) by field; rewrite Rk; field).
  assert (Form : 0 <= a * (A * A) - 2 * (beta * m) * (A * V) + c * (V * V)).
  { destruct (Req_dec a 0) as [Za|Na]; [rewrite Za, Rmult_0_l in Ac; assert (beta * m = 0) by nra; rewrite Za, H; nra|].
    apply Rmult_le_reg_l with a; [lra|]. rewrite Rmult_0_r. replace (a * (a * (A * A) - 2 * (beta * m) * (A * V) + c * (V * V))) with ((a * A - beta * m * V) * (a * A - beta * m * V) + (a * c - beta * m * (beta * m)) * (V * V)) by ring. rewrite Ac. assert (Sq := Rle_0_sqr (a * A - beta * m * V)). unfold Rsqr in Sq. lra. }
  unfold a, c in Form. lra.
Qed.

(** ** The model at a point *)
Section Rows.
Context {E : space}.
Variable P : problem E.
Variables slope curv : R -> R.
Variable al : nat -> nat.
Notation n := (samples P).
Notation rows := (rows P al).
Notation d := (row P al).
Notation g := (minus_gradient P slope al).
Notation J := (J P slope curv al).
Variable q : E.
Definition om i := - slope (output P q i) / INR n.
Definition bb i := curv (output P q i) / INR n.
Notation w c := (weight P slope al q c).
Definition Dv i : E := vsum (others (tokens P i) (al i)) (fun t => vscal (attention P q i t) (d (i, t))).
Definition ph i : E := vsum (others (tokens P i) (al i)) (fun t => vscal (pull P al q (i, t)) (d (i, t))).
Variable om_nonneg : forall i, (i < n)%nat -> 0 <= om i.

Lemma Dv_dot i u : dot (Dv i) u = spread P al q i u.
Proof. unfold Dv, spread. rewrite dot_vsum_l. apply sum_ext. intros; apply dot_scal_l. Qed.
Lemma ph_dot i u : dot (ph i) u = phi P al q i u.
Proof. unfold ph, phi. rewrite dot_vsum_l. apply sum_ext. intros; apply dot_scal_l. Qed.

Lemma J_form u z : J q u z = sum (seq 0 n) (fun i => - bb i * (dot (ph i) u * dot (ph i) z) + om i * (dot (Dv i) u * dot (ph i) z + dot (ph i) u * dot (Dv i) z)) - sum rows (fun c => w c * (dot (d c) u * dot (d c) z)).
Proof.
  unfold Enclosure.J. rewrite sum_rows, <- sum_scal, <- sum_minus. apply sum_ext. intros i _. rewrite !Dv_dot, !ph_dot.
  rewrite (sum_ext _ (fun t => w (i, t) * (dot (d (i, t)) u * dot (d (i, t)) z)) (fun t => om i * (pull P al q (i, t) * dot (d (i, t)) u * dot (d (i, t)) z))) by (intros; unfold weight, pull, om; cbn [fst snd]; ring).
  rewrite sum_scal. unfold om, bb, Rdiv. ring.
Qed.

Variables jp jm Rp Rm : R.
Variable Rp_ok : 0 <= Rp /\ forall c, In c rows -> w c < 0 -> sum rows (fun e => Rabs (dot (d c) (d e)) * Rmax 0 (- w e)) <= Rp.
Variable Rm_ok : 0 <= Rm /\ forall c, In c rows -> 0 < w c -> sum rows (fun e => Rabs (dot (d c) (d e)) * Rmax 0 (w e)) <= Rm.
Variable jp_ok : Rp + sum (seq 0 n) (fun i => om i * (norm (Dv i) * norm (ph i) + dot (Dv i) (ph i)) + Rmax 0 (- bb i) * dot (ph i) (ph i)) <= jp.
Variable jm_ok : Rm + sum (seq 0 n) (fun i => om i * (norm (Dv i) * norm (ph i) - dot (Dv i) (ph i)) + Rmax 0 (bb i) * dot (ph i) (ph i)) <= jm.

Lemma square_part (b : R) (x u : E) : b * (dot x u * dot x u) <= Rmax 0 b * dot x x * dot u u.
Proof.
  assert (C := cauchy_schwarz_sq x u). assert (M1 := Rmax_l 0 b). assert (M2 := Rmax_r 0 b). assert (Sq := Rle_0_sqr (dot x u)). unfold Rsqr in Sq.
  apply Rle_trans with (Rmax 0 b * (dot x u * dot x u)); [apply Rmult_le_compat_r; auto|]. rewrite Rmult_assoc. apply Rmult_le_compat_l; auto.
Qed.

Lemma J_above u : J q u u <= jp * dot u u.
Proof.
  rewrite J_form. destruct Rp_ok as [R0 Rc]. assert (Uu := dot_pos u).
  assert (Rw : - sum rows (fun c => w c * (dot (d c) u * dot (d c) u)) <= Rp * dot u u).
  { apply Rle_trans with (sum rows (fun c => Rmax 0 (- w c) * (dot (d c) u * dot (d c) u))).
    - rewrite <- sum_opp. apply sum_le. intros c _. assert (M := Rmax_r 0 (- w c)). assert (Sq := Rle_0_sqr (dot (d c) u)). unfold Rsqr in Sq. replace (- (w c * (dot (d c) u * dot (d c) u))) with (- w c * (dot (d c) u * dot (d c) u)) by ring. now apply Rmult_le_compat_r.
    - apply (row_sums rows d (fun c => Rmax 0 (- w c))); auto; [intros; apply Rmax_l|]. intros c Hc Px. apply Rc; auto. unfold Rmax in Px. destruct (Rle_dec 0 (- w c)); lra. }
  assert (Sm : sum (seq 0 n) (fun i => - bb i * (dot (ph i) u * dot (ph i) u) + om i * (dot (Dv i) u * dot (ph i) u + dot (ph i) u * dot (Dv i) u)) <=
    sum (seq 0 n) (fun i => om i * (norm (Dv i) * norm (ph i) + dot (Dv i) (ph i)) + Rmax 0 (- bb i) * dot (ph i) (ph i)) * dot u u).
  { rewrite <- sum_scal_r. apply sum_le. intros i Hi. apply in_seq in Hi. assert (O := om_nonneg i ltac:(lia)). assert (T := two_rows (Dv i) (ph i) u). assert (Q := square_part (- bb i) (ph i) u). assert (Y := Rmult_le_compat_l _ _ _ O T). lra. }
  assert (Y := Rmult_le_compat_r _ _ _ Uu jp_ok). lra.
Qed.
Lemma J_below u : - J q u u <= jm * dot u u.
Proof.
  rewrite J_form. destruct Rm_ok as [R0 Rc]. assert (Uu := dot_pos u).
  assert (Rw : sum rows (fun c => w c * (dot (d c) u * dot (d c) u)) <= Rm * dot u u).
  { apply Rle_trans with (sum rows (fun c => Rmax 0 (w c) * (dot (d c) u * dot (d c) u))).
    - apply sum_le. intros c _. assert (M := Rmax_r 0 (w c)). assert (Sq := Rle_0_sqr (dot (d c) u)). unfold Rsqr in Sq. now apply Rmult_le_compat_r.
    - apply (row_sums rows d (fun c => Rmax 0 (w c))); auto; [intros; apply Rmax_l|]. intros c Hc Px. apply Rc; auto. unfold Rmax in Px. destruct (Rle_dec 0 (w c)); lra. }
  assert (Sm : - sum (seq 0 n) (fun i => - bb i * (dot (ph i) u * dot (ph i) u) + om i * (dot (Dv i) u * dot (ph i) u + dot (ph i) u * dot (Dv i) u)) <=
    sum (seq 0 n) (fun i => om i * (norm (Dv i) * norm (ph i) - dot (Dv i) (ph i)) + Rmax 0 (bb i) * dot (ph i) (ph i)) * dot u u).
  { rewrite <- sum_opp, <- sum_scal_r. apply sum_le. intros i Hi. apply in_seq in Hi. assert (O := om_nonneg i ltac:(lia)). assert (T := two_rows_back (Dv i) (ph i) u). assert (Q := square_part (bb i) (ph i) u). assert (Y := Rmult_le_compat_l _ _ _ O T). lra. }
  assert (Y := Rmult_le_compat_r _ _ _ Uu jm_ok). lra.
Qed.

(** I + eta J is symmetric, with eigenvalues between 1 - eta j- and 1 + eta j+. *)
Variables (eta m : R).
Variable eta_nonneg : 0 <= eta.
Variable m_ok : 1 + eta * jp <= m /\ eta * jm - 1 <= m.

Lemma J_linear u v k z : J q (vadd u (vscal k v)) z = J q u z + k * J q v z.
Proof.
  rewrite !J_form. unfold Rminus. rewrite Rmult_plus_distr_l, <- Ropp_mult_distr_r, <- !sum_scal, <- !sum_opp.
  match goal with |- ?a + ?b = ?c + ?e + (?x + ?y) => replace (c + e + (x + y)) with ((c + x) + (e + y)) by ring end. rewrite <- !sum_plus. f_equal; apply sum_ext; intros; rewrite !dot_add_r, !dot_scal_r; ring.
Qed.
Lemma J_symmetric u z : J q u z = J q z u.
Proof. rewrite !J_form. f_equal; apply sum_ext; intros; ring. Qed.

Lemma m_nonneg : 0 <= m.
Proof.
  assert (Jp : 0 <= jp + jm).
  { apply Rle_trans with (2 := Rplus_le_compat _ _ _ _ jp_ok jm_ok). destruct Rp_ok as [R1 _]. destruct Rm_ok as [R2 _].
    match goal with |- 0 <= Rp + ?s1 + (Rm + ?s2) => assert (Y : 0 <= s1 + s2); [|lra] end. rewrite <- sum_plus. apply sum_nonneg. intros i Hi. apply in_seq in Hi.
    assert (O := om_nonneg i ltac:(lia)). assert (N3 := dot_pos (ph i)).
    assert (Z1 : 0 <= om i * (norm (Dv i) * norm (ph i))) by (apply Rmult_le_pos; [auto|apply Rmult_le_pos; apply norm_pos]).
    assert (Z2 : 0 <= Rmax 0 (bb i) * dot (ph i) (ph i)) by (apply Rmult_le_pos; [apply Rmax_l|auto]). assert (Z3 : 0 <= Rmax 0 (- bb i) * dot (ph i) (ph i)) by (apply Rmult_le_pos; [apply Rmax_l|auto]). lra. }
  assert (X := Rmult_le_pos _ _ eta_nonneg Jp). destruct m_ok. lra.
Qed.

Theorem rows_constant u z : dot u z + eta * J q u z <= m * (norm u * norm z).
Proof.
  assert (M0 := m_nonneg).
  apply (symmetric_bound (fun u z => dot u z + eta * J q u z)); auto.
  - intros x v k y. rewrite J_linear, dot_add_l, dot_scal_l. ring.
  - intros x y. rewrite J_symmetric, dot_sym. easy.
  - intros x. assert (A := J_above x). assert (B := J_below x). assert (Xx := dot_pos x). destruct m_ok as [M1 M2]. assert (Y1 := Rmult_le_compat_r _ _ _ Xx M1). assert (Y2 := Rmult_le_compat_r _ _ _ Xx M2).
    assert (Z1 := Rmult_le_compat_l _ _ _ eta_nonneg A). assert (Z2 := Rmult_le_compat_l _ _ _ eta_nonneg B). apply Rabs_le. lra.
Qed.
End Rows.

(** ** Normalised steps *)
Section Normalised.
Context {E : space}.
Variable P : problem E.
Variables slope curv : R -> R.
Variable al : nat -> nat.
Notation g := (minus_gradient P slope al).
Notation J := (J P slope curv al).
Variables (q : E) (step m beta kappa : R).
Notation eta := (step / norm (g q)).
Variable g_pos : 0 < norm (g q).
Variable m_nonneg : 0 <= m.
Variable beta_nonneg : 0 <= beta.
Variable step_nonneg : 0 <= step.
Variable symmetric : forall u z, dot u z + eta * J q u z <= m * (norm u * norm z).
Variable turns : forall y, eta * (J q (g q) y - kappa * dot (g q) y) <= beta * norm (g q) * norm y.

(** J g - kappa g by rows: the v_c of the rule. *)
Lemma turned y : J q (g q) y - kappa * dot (g q) y = dot (vsum (rows P al) (fun c => vscal (weight_line P slope curv al q (g q) c - kappa * weight P slope al q c) (row P al c))) y.
Proof.
  rewrite J_rows, dot_vsum_l. unfold minus_gradient at 2. rewrite dot_vsum_l, <- sum_scal, <- sum_minus. apply sum_ext. intros c _. rewrite !dot_scal_l. ring.
Qed.

Theorem rows_normalised u z : normalised_derivative P slope curv al step q u z <= turned_norm m beta * (norm u * norm z).
Proof.
  set (G := g q) in *. set (l := norm G) in *. assert (Gg : dot G G = l * l) by (unfold l; now rewrite norm_sqr). assert (Lz : l <> 0) by lra.
  set (A := dot u G / l). set (Z := dot z G / l). set (v := vsub u (vscal (A / l) G)). set (y := vsub z (vscal (Z / l) G)).
  assert (Al : dot u G = A * l) by (unfold A; field; auto). assert (Zl : dot z G = Z * l) by (unfold Z; field; auto).
  assert (Nu : norm u * norm u = A * A + norm v * norm v) by (unfold v; rewrite norm_sub_sqr, !dot_scal_r, !dot_scal_l, Gg, Al, <- norm_sqr; field; auto).
  assert (Nz : norm z * norm z = Z * Z + norm y * norm y) by (unfold y; rewrite norm_sub_sqr, !dot_scal_r, !dot_scal_l, Gg, Zl, <- norm_sqr; field; auto).
  assert (Vy : dot v y = dot u z - A * Z) by (unfold v, y; rewrite dot_sub_l, !dot_sub_r, !dot_scal_l, !dot_scal_r, Gg, Al, (dot_sym G z), Zl; field; auto).
  assert (Gy : dot G y = 0) by (unfold y; rewrite dot_sub_r, dot_scal_r, Gg, dot_sym, Zl; field; auto).
  (* J(v, y) and J(G, y) *)
  assert (Lin : forall x x' k b, J q (vadd x (vscal k x')) b = J q x b + k * J q x' b) by (intros; apply J_linear).
  assert (Sy : forall x b, J q x b = J q b x) by (intros; apply J_symmetric).
  assert (Jr : forall x b, (forall c, dot c x = dot c b) -> forall e, J q x e = J q b e).
  { intros x b Sm e. rewrite !J_form. f_equal; apply sum_ext; intros; now rewrite !Sm. }
  assert (Jv : J q v y = J q u y - A / l * J q G y).
  { rewrite (Jr v (vadd u (vscal (- (A / l)) G))) by (intros c; unfold v; rewrite dot_sub_r, dot_add_r, !dot_scal_r; ring). rewrite Lin. ring. }
  assert (Juy : J q u y = J q u z - Z / l * J q u G).
  { rewrite (Sy u y), (Jr y (vadd z (vscal (- (Z / l)) G))) by (intros c; unfold y; rewrite dot_sub_r, dot_add_r, !dot_scal_r; ring). rewrite Lin, (Sy z u), (Sy G u). ring. }
  assert (Form : normalised_derivative P slope curv al step q u z = A * Z + (dot v y + step / l * J q v y) + A / l * (step / l * (J q G y - kappa * dot G y))).
  { unfold normalised_derivative, direction_derivative. fold G. fold l. rewrite Jv, Juy, Vy, Gy, (dot_sym G z), Zl. field. auto. }
  assert (B1 := symmetric v y). fold l in B1.
  assert (B2 : A / l * (step / l * (J q G y - kappa * dot G y)) <= Rabs A * beta * norm y).
  { assert (T : forall y, step / l * (J q G y - kappa * dot G y) <= beta * l * norm y) by (intros y0; exact (turns y0)).
    assert (Tn : - (step / l * (J q G y - kappa * dot G y)) <= beta * l * norm y).
    { assert (T' := T (vscal (-1) y)). rewrite norm_scal, Rabs_left, (Sy G), dot_scal_r in T' by lra.
      rewrite (Jr (vscal (-1) y) (vadd y (vscal (-2) y))) in T' by (intros c; rewrite dot_add_r, !dot_scal_r; ring). rewrite Lin, (Sy y G) in T'. lra. }
    specialize (T y). set (K := step / l * (J q G y - kappa * dot G y)) in *. assert (Kb : Rabs K <= beta * l * norm y) by (apply Rabs_le; lra).
    apply Rle_trans with (Rabs (A / l * K)); [apply Rle_abs|]. unfold Rdiv. rewrite !Rabs_mult, (Rabs_pos_eq (/ l)) by (left; apply Rinv_0_lt_compat; lra).
    apply Rle_trans with (Rabs A * / l * (beta * l * norm y)); [apply Rmult_le_compat_l; auto; apply Rmult_le_pos; [apply Rabs_pos|left; apply Rinv_0_lt_compat; lra]|]. right. field. auto. }
  assert (B3 : A * Z <= Rabs A * Rabs Z) by (rewrite <- Rabs_mult; apply Rle_abs).
  set (a := Rabs A) in *. set (b := Rabs Z) in *. set (V := norm v) in *. set (Y := norm y) in *. assert (a0 : 0 <= a) by apply Rabs_pos. assert (b0 : 0 <= b) by apply Rabs_pos. assert (V0 : 0 <= V) by apply norm_pos. assert (Y0 : 0 <= Y) by apply norm_pos.
  assert (aa : a * a = A * A) by (unfold a; rewrite <- Rabs_mult; apply Rabs_pos_eq, Rle_0_sqr). assert (bz : b * b = Z * Z) by (unfold b; rewrite <- Rabs_mult; apply Rabs_pos_eq, Rle_0_sqr). rewrite <- aa in Nu. rewrite <- bz in Nz.
  apply Rle_trans with (a * b + (a * beta + m * V) * Y); [rewrite Form; lra|].
  assert (T0 : 0 <= turned_norm m beta) by (unfold turned_norm; assert (X1 := sqrt_pos ((m + 1) * (m + 1) + beta * beta)); assert (X2 := sqrt_pos ((m - 1) * (m - 1) + beta * beta)); lra).
  assert (Tn := turned_norm_bound m beta a V). assert (U0 := norm_pos u). assert (z0 := norm_pos z).
  apply le_of_sq; [apply Rmult_le_pos; [auto|apply Rmult_le_pos; auto]|].
  (* Cauchy-Schwarz in two dimensions *)
  set (X := a * beta + m * V) in *. apply Rle_trans with ((a * a + X * X) * (b * b + Y * Y)); [assert (Sq := Rle_0_sqr (a * Y - X * b)); unfold Rsqr in Sq; lra|].
  replace (turned_norm m beta * (norm u * norm z) * (turned_norm m beta * (norm u * norm z))) with (turned_norm m beta * turned_norm m beta * (norm u * norm u) * (norm z * norm z)) by ring.
  rewrite Nu, Nz. apply Rmult_le_compat_r; [nra|exact Tn].
Qed.
End Normalised.
