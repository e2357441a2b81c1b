(** `descent-wedge` (docs/certificate.md 4.23) for the softmax model, constant and normalised steps and flow: clauses 1 to 3 give the bounds of the weights q_c of -grad L in the wedge, and with 4 and 5 the run from p_0 (the p_K of
    the rule) has |p| -> oo and p/|p| -> w/|w|.  The tight rows may be dependent or without multiplier. *)
From Coq Require Import Reals List Lra Lia Psatz Arith Bool.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Limits Flow Vertex Wedge WedgeFlow FlowModel.
Import ListNotations.
Open Scope R_scope.

(** kappa of clause 3 is written with 2.718, which is below e. *)
Lemma exp_square x : 0 <= x -> 1 + x + x * x / 2 <= exp x.
Proof.
  intros Hx. assert (R := rises (fun s => exp s - (1 + s + s * s / 2)) (fun s => exp s - (1 + s)) 0 x Hx).
  assert (X : exp 0 - (1 + 0 + 0 * 0 / 2) <= exp x - (1 + x + x * x / 2)); [|rewrite exp_0 in X; lra].
  apply R; intros s Hs; [auto_derive; [exact I|field]|assert (T := exp_tangent s); lra].
Qed.
Lemma exp_cube x : 0 <= x -> 1 + x + x * x / 2 + x * x * x / 6 <= exp x.
Proof.
  intros Hx. assert (R := rises (fun s => exp s - (1 + s + s * s / 2 + s * s * s / 6)) (fun s => exp s - (1 + s + s * s / 2)) 0 x Hx).
  assert (X : exp 0 - (1 + 0 + 0 * 0 / 2 + 0 * 0 * 0 / 6) <= exp x - (1 + x + x * x / 2 + x * x * x / 6)); [|rewrite exp_0 in X; lra].
  apply R; intros s Hs; [auto_derive; [exact I|field]|assert (T := exp_square s ltac:(lra)); lra].
Qed.
Lemma e_above : 2718 / 1000 <= exp 1.
Proof.
  assert (C := exp_cube (1 / 8) ltac:(lra)). set (u := exp (1 / 8)) in *. set (v := 1 + 1 / 8 + 1 / 8 * (1 / 8) / 2 + 1 / 8 * (1 / 8) * (1 / 8) / 6) in *.
  assert (V : 0 < v) by (unfold v; lra). assert (E2 : exp 1 = u * u * (u * u) * (u * u * (u * u))) by (unfold u; rewrite <- !exp_plus; f_equal; field).
  assert (S2 : v * v <= u * u) by (apply Rmult_le_compat; lra). assert (V2 : 0 < v * v) by nra.
  assert (S4 : v * v * (v * v) <= u * u * (u * u)) by (apply Rmult_le_compat; lra). assert (V4 : 0 < v * v * (v * v)) by nra.
  assert (S8 : v * v * (v * v) * (v * v * (v * v)) <= u * u * (u * u) * (u * u * (u * u))) by (apply Rmult_le_compat; lra).
  rewrite E2. apply Rle_trans with (2 := S8). unfold v. lra.
Qed.
Lemma wedge_kappa x : 0 <= x -> x * exp (-1) <= x / (2718 / 1000).
Proof.
  intros Hx. unfold Rdiv at 1. apply Rmult_le_compat_l; auto. change (-1) with (- (1)). rewrite exp_Ropp. apply Rinv_le_contravar; [lra|apply e_above].
Qed.

Section WedgeModel.
Context {E : space}.
Variable P : problem E.
Variables loss slope curv : R -> R.
Variables lo hi M0 : R.
Variable al : nat -> nat.
Notation n := (samples P).
Notation T i := (seq 0 (tokens P i)).
Notation rows := (rows P al).
Notation a := (row P al).
Notation De := (gap P al).
Variable Reg : regular P loss slope lo hi.
Variable lipschitz : forall x, lo <= x <= hi -> is_derive slope x (curv x) /\ Rabs (curv x) <= M0.
Variable falls : forall x, lo <= x <= hi -> slope x < 0.
Variable sel : selection P al.
Variables (w : E) (lam : nat * nat -> R).
Variable some_row : rows <> [].
Variable svm : solves rows a (fun _ => 1) w lam.
Variable inP : nat * nat -> bool.
Variables (nn : nat * nat -> R) (de t b Bh abar kappa sb h0 : R).
Notation Th := (/ norm w).

(** Clause 1. *)
Notation Bc := (Bc a w nn t).
Definition eb c := exp (- (Bc c * h0)).
Notation Ebar := (Ebar P al eb).
Notation HH := (HH P al eb).
Notation bb := (bb P slope al).
Notation ei := (Vertex.ee P slope M0 al eb).
(** Clause 3, off P. *)
Definition bo (c : nat * nat) := bb (fst c) * (1 + ei (fst c)) * (Rabs (De c) + HH (fst c)).
Notation kc := (kc a w nn de t).
Notation xi := (xi rows a w inP nn bo de t b).
Notation Phi := (Phi rows a w inP nn bo de t b abar kappa sb h0).
Notation wedge := (wedge w de h0).
Notation hh := (hh w).

Variable de_pos : 0 < de.
Variable t_ok : 0 <= t /\ 2 * de + de * de <= t * t.
Variable h0_pos : 0 < h0.
Variable nn_ok : forall c, In c rows -> 0 <= nn c /\ dot (a c) (a c) - theta a w c * theta a w c * (Th * Th) <= nn c * nn c.
Variable Bc_pos : forall c, In c rows -> 0 < Bc c.
Variable ei_small : forall i, (i < n)%nat -> ei i < 1.
Variable P_gap : forall c, In c rows -> inP c = true -> HH (fst c) < De c.
Variable kc_pos : forall c, In c rows -> inP c = false -> 0 < kc c.
Variable b_pos : 0 < b.
Variable b_ok : forall c, In c rows -> inP c = true -> b <= bb (fst c) * (1 - ei (fst c)) * (De c - HH (fst c)) / (1 + Ebar (fst c)).
Variable Bh_ok : 0 <= Bh /\ forall c, In c rows -> inP c = true -> bb (fst c) * (1 + ei (fst c)) * (De c + HH (fst c)) <= Bh.
Variable kappa_ok : 0 <= kappa /\ Bh / b * (INR (length (filter inP rows)) - 1) * exp (-1) <= kappa.
Variable xi0_small : xi h0 < 1.
Variable abar_ok : 0 <= abar /\ forall c, In c rows -> inP c = true -> norm (a c) <= abar.
Variable sb_ok : 0 <= sb < h0.

Lemma eb_nonneg c : 0 <= eb c.
Proof. left. apply exp_pos. Qed.
Notation nR := (n_real P al some_row).
Notation bb_pos := (bb_pos P loss slope lo hi al Reg falls sel some_row).
Notation HH_pos := (HH_pos P al eb eb_nonneg).
Notation Ebar_pos := (Ebar_pos P al eb eb_nonneg).
Notation ei_pos := (Vertex.ee_pos P loss slope curv lo hi M0 al Reg lipschitz falls sel some_row eb eb_nonneg).
Lemma bo_pos c : In c rows -> inP c = false -> 0 <= bo c.
Proof.
  intros Hc _. destruct c as [i u]. apply in_rows in Hc. destruct Hc as (Hi & _). unfold bo. simpl fst. assert (X := bb_pos i Hi). assert (Y := ei_pos i Hi). assert (Z := HH_pos i).
  apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. assert (V := Rabs_pos (De (i, u))). lra.
Qed.

Section AtPoint.
Variable p : E.
Variable inside : wedge p.

Lemma row_exp c : In c rows -> exp (- dot (a c) p) <= eb c.
Proof.
  intros Hc. apply exp_pos_le. assert (X := row_above rows a w lam some_row svm nn de t h0 t_ok h0_pos nn_ok p inside c Hc). assert (B := Bc_pos c Hc). destruct inside as [Hi _].
  assert (Bc c * h0 <= Bc c * hh p) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma row_exp_1 c : In c rows -> exp (- dot (a c) p) <= eb c * 1.
Proof. rewrite Rmult_1_r. apply row_exp. Qed.

Lemma attention_al i : (i < n)%nat -> / (1 + Ebar i) <= attention P p i (al i) <= 1.
Proof.
  intros Hi. assert (O0 := E_bound P al eb p 1 row_exp_1 i Hi). assert (A2 := attention_le_1 P loss slope lo hi p i (al i) Reg Hi (sel i Hi)). split; [|lra].
  rewrite (attention_selected P loss slope lo hi al p i Reg sel Hi). apply Rinv_le_contravar; lra.
Qed.

Lemma deficit_small i : (i < n)%nat -> Rabs (deficit P al p i) <= HH i.
Proof. intros Hi. assert (G := G_bound P loss slope lo hi al Reg sel eb p 1 row_exp_1 i Hi). lra. Qed.

Lemma slope_at i : (i < n)%nat -> bb i * (1 - ei i) <= - slope (output P p i) / INR n <= bb i * (1 + ei i).
Proof.
  intros Hi. assert (Pn := nR). assert (Bp := bb_pos i Hi). assert (S := slope_ratio P loss slope curv lo hi M0 al Reg lipschitz falls sel some_row eb p 1 row_exp_1 i Hi). rewrite Rmult_1_r in S. apply Rabs_le_between in S.
  assert (F := falls _ (best_in P loss slope lo hi al Reg sel i Hi)).
  replace (- slope (output P p i) / INR n) with (bb i * (slope (output P p i) / slope (score P i (al i)))) by (unfold Vertex.bb; field; lra). split; apply Rmult_le_compat_l; lra.
Qed.

Notation q c := (weight P slope al p c).
Lemma weight_form i u : (i < n)%nat -> q (i, u) = - slope (output P p i) / INR n * attention P p i (al i) * (De (i, u) - deficit P al p i) * exp (- dot (a (i, u)) p).
Proof. intros Hi. unfold weight. simpl fst. simpl snd. rewrite (attention_ratio P al). ring. Qed.

Theorem wedge_pulls c : In c rows -> inP c = true -> b * exp (- dot (a c) p) <= q c <= Bh * exp (- dot (a c) p).
Proof.
  destruct c as [i u]. intros Hc HP. assert (G := P_gap _ Hc HP). assert (Bo := b_ok _ Hc HP). assert (Bu := proj2 Bh_ok _ Hc HP). simpl fst in *. apply in_rows in Hc. destruct Hc as (Hi & Hu & N).
  rewrite weight_form by auto. assert (S := slope_at i Hi). assert (At := attention_al i Hi). assert (D := deficit_small i Hi). apply Rabs_le_between in D.
  assert (Pe := exp_pos (- dot (a (i, u)) p)). assert (Bp := bb_pos i Hi). assert (E0 := ei_pos i Hi). assert (E1 := ei_small i Hi). assert (Eb := Ebar_pos i). assert (H0 := HH_pos i).
  assert (I0 : 0 < / (1 + Ebar i)) by (apply Rinv_0_lt_compat; lra).
  set (m := - slope (output P p i) / INR n) in *. set (s := attention P p i (al i)) in *. set (g := De (i, u) - deficit P al p i).
  assert (M1 : 0 <= bb i * (1 - ei i)) by (apply Rmult_le_pos; lra).
  assert (Ms : bb i * (1 - ei i) * / (1 + Ebar i) <= m * s) by (apply Rmult_le_compat; lra).
  assert (Ms0 : 0 <= bb i * (1 - ei i) * / (1 + Ebar i)) by (apply Rmult_le_pos; lra).
  assert (Mu : m * s <= bb i * (1 + ei i) * 1) by (apply Rmult_le_compat; lra).
  split; apply Rmult_le_compat_r; try lra.
  - apply Rle_trans with (1 := Bo). replace (bb i * (1 - ei i) * (De (i, u) - HH i) / (1 + Ebar i)) with (bb i * (1 - ei i) * / (1 + Ebar i) * (De (i, u) - HH i)) by (field; lra).
    apply Rmult_le_compat; auto; unfold g; lra.
  - apply Rle_trans with (2 := Bu). rewrite Rmult_1_r in Mu. apply Rmult_le_compat; auto; unfold g; lra.
Qed.

Theorem wedge_rest c : In c rows -> inP c = false -> Rabs (q c) <= bo c * exp (- dot (a c) p).
Proof.
  destruct c as [i u]. intros Hc _. apply in_rows in Hc. destruct Hc as (Hi & Hu & N). rewrite weight_form by auto. unfold bo. simpl fst.
  assert (S := slope_at i Hi). assert (At := attention_al i Hi). assert (D := deficit_small i Hi). assert (Pe := exp_pos (- dot (a (i, u)) p)). assert (Bp := bb_pos i Hi). assert (E0 := ei_pos i Hi).
  assert (E1 := ei_small i Hi). assert (I0 : 0 < / (1 + Ebar i)) by (apply Rinv_0_lt_compat; assert (X := Ebar_pos i); lra).
  assert (M1 : 0 <= bb i * (1 - ei i)) by (apply Rmult_le_pos; lra).
  rewrite !Rabs_mult, (Rabs_pos_eq (exp _)) by lra. apply Rmult_le_compat_r; [lra|]. rewrite (Rabs_pos_eq (- slope (output P p i) / INR n)), (Rabs_pos_eq (attention P p i (al i))) by lra.
  apply Rmult_le_compat; [apply Rmult_le_pos; lra|apply Rabs_pos| |].
  - rewrite <- (Rmult_1_r (bb i * (1 + ei i))). apply Rmult_le_compat; lra.
  - apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rabs_Ropp. lra.
Qed.
End AtPoint.

(** ** The rule *)
Section Rule.
Variable p : nat -> E.
Notation g k := (minus_gradient P slope al (p k)).
Definition wedge_conclusion := to_infinity (fun k => norm (p k)) /\ to_zero (fun k => norm (vsub (unit (p k)) (unit w))).
Variable start : h0 <= hh (p 0%nat).
Variable start_ok : norm (p 0%nat) / hh (p 0%nat) + Phi h0 <= 1 + de.

Lemma conclude eta : (forall k, p (S k) = vadd (p k) (vscal (eta k) (g k))) -> (forall k, wedge (p k) -> 0 < eta k /\ eta k * norm (g k) <= sb) ->
  (forall top, exists d, 0 < d /\ forall k, wedge (p k) -> hh (p k) <= top -> d <= eta k * dot (g k) (unit w)) -> wedge_conclusion.
Proof.
  intros Run Eta Fade. set (q := fun k c => weight P slope al (p k) c).
  assert (Steps : forall k, same (p (S k)) (vadd (p k) (vscal (eta k) (G rows a (q k))))) by (intros k z; now rewrite Run).
  assert (Pu : forall k, wedge (p k) -> forall c, In c rows -> inP c = true -> b * exp (- dot (a c) (p k)) <= q k c <= Bh * exp (- dot (a c) (p k))) by (intros k I c; now apply wedge_pulls).
  assert (Re : forall k, wedge (p k) -> forall c, In c rows -> inP c = false -> Rabs (q k c) <= bo c * exp (- dot (a c) (p k))) by (intros k I c; now apply wedge_rest).
  destruct Bh_ok as [Bh0 _]. split.
  - exact (wedge_norm_diverges rows a w lam inP some_row svm nn bo de t b Bh abar kappa sb h0 de_pos t_ok h0_pos nn_ok kc_pos b_pos bo_pos Bh0 xi0_small abar_ok kappa_ok sb_ok p q eta Steps Pu Re Eta Fade start start_ok).
  - exact (wedge_direction rows a w lam inP some_row svm nn bo de t b Bh abar kappa sb h0 de_pos t_ok h0_pos nn_ok kc_pos b_pos bo_pos Bh0 xi0_small abar_ok kappa_ok sb_ok p q eta Steps Pu Re Eta Fade start start_ok).
Qed.

Lemma advances k : wedge (p k) -> Th * (1 - xi h0) * (b * exp (- (Th * hh (p k)))) <= dot (g k) (unit w).
Proof.
  intros I. exact (G_advances rows a w lam inP some_row svm nn bo de t b Bh abar kappa sb h0 de_pos t_ok h0_pos nn_ok kc_pos b_pos bo_pos xi0_small abar_ok kappa_ok sb_ok (p k) _ I (wedge_pulls (p k) I) (wedge_rest (p k) I)).
Qed.
Lemma Th_pos' : 0 < Th.
Proof. apply Rinv_0_lt_compat. exact (svm_norm_pos rows a w lam some_row svm). Qed.
Lemma advances_pos k : wedge (p k) -> 0 < dot (g k) (unit w).
Proof.
  intros I. apply Rlt_le_trans with (2 := advances k I). assert (T1 := Th_pos'). apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|]. apply Rmult_lt_0_compat; [lra|apply exp_pos].
Qed.

(** Clause 4, constant steps. *)
Theorem descent_wedge_constant step : 0 < step -> (forall k, p (S k) = vadd (p k) (vscal step (g k))) ->
  step * ((abar + Th * xi h0) * (Bh * sum (filter inP rows) (fun c => exp (- (Bc c * h0))))) <= sb -> wedge_conclusion.
Proof.
  intros Hs Run Short. apply conclude with (fun _ => step); auto.
  - intros k I. split; auto. apply Rle_trans with (2 := Short). apply Rmult_le_compat_l; [lra|]. destruct Bh_ok as [Bh0 _].
    exact (G_short rows a w lam inP some_row svm nn bo de t b Bh abar kappa sb h0 de_pos t_ok h0_pos nn_ok Bc_pos kc_pos b_pos bo_pos Bh0 abar_ok kappa_ok sb_ok (p k) _ I (wedge_pulls (p k) I) (wedge_rest (p k) I)).
  - intros top. assert (T1 := Th_pos'). exists (step * (Th * (1 - xi h0) * (b * exp (- (Th * top))))). split.
    + apply Rmult_lt_0_compat; auto. apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|]. apply Rmult_lt_0_compat; [lra|apply exp_pos].
    + intros k I L. apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (2 := advances k I). apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat_l; [lra|].
      apply exp_pos_le. assert (Th * hh (p k) <= Th * top) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** Clause 4, normalised steps of length sb. *)
Theorem descent_wedge_normalised : 0 < sb -> (forall k, p (S k) = vadd (p k) (vscal (sb / norm (g k)) (g k))) -> wedge_conclusion.
Proof.
  intros Hs Run.
  assert (Gp : forall k, wedge (p k) -> 0 < norm (g k)).
  { intros k I. assert (X := advances_pos k I). assert (C := cauchy_schwarz (g k) (unit w)). assert (Y := norm_pos (g k)). destruct (Req_dec (norm (g k)) 0) as [Z|]; [rewrite Z in C; lra|lra]. }
  apply conclude with (fun k => sb / norm (g k)); auto.
  - intros k I. specialize (Gp k I). split; [now apply Rdiv_lt_0_compat|]. right. field. lra.
  - assert (T1 := Th_pos'). intros top.
    set (B0 := abar + Th * xi h0).
    assert (Turn : forall k, wedge (p k) -> Th * (1 - xi h0) * norm (g k) <= B0 * dot (g k) (unit w)).
    { intros k I. exact (G_turned rows a w lam inP some_row svm nn bo de t b Bh abar kappa sb h0 de_pos t_ok h0_pos nn_ok kc_pos b_pos bo_pos xi0_small abar_ok kappa_ok sb_ok (p k) _ I (wedge_pulls (p k) I) (wedge_rest (p k) I)). }
    assert (B1 : 0 < B0 + 1).
    { unfold B0. destruct abar_ok as [A0 _]. assert (X := xi_pos rows a w lam inP some_row svm nn bo de t b Bh abar kappa sb h0 t_ok b_pos bo_pos abar_ok kappa_ok sb_ok h0). assert (0 <= Th * xi h0) by (apply Rmult_le_pos; lra). lra. }
    exists (sb * (Th * (1 - xi h0)) / (B0 + 1)). split; [apply Rdiv_lt_0_compat; auto; apply Rmult_lt_0_compat; auto; apply Rmult_lt_0_compat; lra|].
    intros k I _. specialize (Gp k I). specialize (Turn k I). assert (X := advances_pos k I). assert (Wp : 0 < norm w) by exact (svm_norm_pos rows a w lam some_row svm).
    set (H := Th * (1 - xi h0)) in *.
    apply Rmult_le_reg_r with ((B0 + 1) * norm (g k)); [apply Rmult_lt_0_compat; lra|].
    replace (sb * H / (B0 + 1) * ((B0 + 1) * norm (g k))) with (sb * (H * norm (g k))) by (field; lra).
    replace (sb / norm (g k) * dot (g k) (unit w) * ((B0 + 1) * norm (g k))) with (sb * ((B0 + 1) * dot (g k) (unit w))) by (field; lra).
    apply Rmult_le_compat_l; lra.
Qed.
End Rule.

(** Clause 4, flow: s is 0. *)
Theorem descent_wedge_flow (p : R -> E) : (forall s, 0 <= s -> curve_derives p s (minus_gradient P slope al (p s))) -> h0 <= hh (p 0) ->
  norm (p 0) / hh (p 0) + Wedge.Phi rows a w inP nn bo de t b abar kappa 0 h0 h0 <= 1 + de ->
  flow_to_infinity (fun s => norm (p s)) /\ flow_to_zero (fun s => norm (vsub (unit (p s)) (unit w))).
Proof.
  intros Fl St Ok. set (q := fun s c => weight P slope al (p s) c). destruct Bh_ok as [Bh0 _].
  assert (Pu : forall s, 0 <= s -> wedge (p s) -> forall c, In c rows -> inP c = true -> b * exp (- dot (a c) (p s)) <= q s c <= Bh * exp (- dot (a c) (p s))) by (intros s _ I c; now apply wedge_pulls).
  assert (Re : forall s, 0 <= s -> wedge (p s) -> forall c, In c rows -> inP c = false -> Rabs (q s c) <= bo c * exp (- dot (a c) (p s))) by (intros s _ I c; now apply wedge_rest).
  split.
  - exact (flow_wedge_norm rows a w lam inP some_row svm nn bo de t b Bh abar kappa h0 de_pos t_ok h0_pos nn_ok kc_pos b_pos bo_pos Bh0 xi0_small abar_ok kappa_ok p q Fl Pu Re St Ok).
  - exact (flow_wedge_direction rows a w lam inP some_row svm nn bo de t b Bh abar kappa h0 de_pos t_ok h0_pos nn_ok kc_pos b_pos bo_pos Bh0 xi0_small abar_ok kappa_ok p q Fl Pu Re St Ok).
Qed.

(** The curve from p0 is there. *)
Theorem descent_wedge_flow_from p0 : h0 <= hh p0 -> norm p0 / hh p0 + Wedge.Phi rows a w inP nn bo de t b abar kappa 0 h0 h0 <= 1 + de ->
  exists p, the_flow P slope al p0 p /\ flow_to_infinity (fun s => norm (p s)) /\ flow_to_zero (fun s => norm (vsub (unit (p s)) (unit w))).
Proof.
  intros St Ok. destruct (flow_exists P loss slope curv lo hi M0 al Reg lipschitz p0) as (p & Fp). exists p. split; [exact Fp|]. destruct Fp as (P0 & Fl & _).
  apply descent_wedge_flow; [exact Fl| |]; now rewrite P0.
Qed.
End WedgeModel.
