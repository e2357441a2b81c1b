(** Attention near the selected tokens: what the cone and the wedge share (docs/certificate.md 4.22, clauses 5 and 6; 4.23, clauses 1 and 3).  Where exp(-y_c) <= e_c t for every row, 0 < t <= 1, with
    Ebar_i = sum_t e_it, H_i = sum_t |Delta_it| e_it, b_i = -l'(gamma_ialpha)/n and e_i = M0 H_i/(n b_i):  E_i <= Ebar_i t, |G_i| <= H_i t, and l'(f_i)/l'(gamma_ialpha) is within e_i t of 1. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature.
Import ListNotations.
Open Scope R_scope.

(** A function whose derivative is at most M0 in size on an interval is M0-Lipschitz there. *)
Lemma derivative_lipschitz (f f' : R -> R) lo hi M0 x y : (forall z, lo <= z <= hi -> is_derive f z (f' z) /\ Rabs (f' z) <= M0) -> lo <= x <= hi -> lo <= y <= hi -> Rabs (f x - f y) <= M0 * Rabs (x - y).
Proof.
  intros D Hx Hy. assert (In : forall z, Rmin y x <= z <= Rmax y x -> lo <= z <= hi).
  { intros z Hz. destruct (Rle_or_lt x y); [rewrite Rmin_right, Rmax_left in Hz by lra|rewrite Rmin_left, Rmax_right in Hz by lra]; lra. }
  destruct (MVT_gen f y x f') as (c & Hc & Hm).
  - intros z Hz. apply D, In. lra.
  - intros z Hz. apply derive_continuity with (f' z). now apply D, In.
  - rewrite Hm, Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|]. now apply D, In.
Qed.

Section Vertex.
Context {E : space}.
Variable P : problem E.
Variables loss slope curv : R -> R.
Variables lo hi M0 : R.
Variable al : nat -> nat.
Notation n := (samples P).
Notation rows := (rows P al).
Notation a := (row P al).
Notation De := (gap P al).
Variable Reg : regular P loss slope lo hi.
Variable lipschitz : forall y, lo <= y <= hi -> is_derive slope y (curv y) /\ Rabs (curv y) <= M0.
Variable falls : forall y, lo <= y <= hi -> slope y < 0.
Variable sel : selection P al.
Variable some_row : rows <> [].
Variable eb : nat * nat -> R.
Variable eb_pos : forall c, 0 <= eb c.
Definition bb i := - slope (score P i (al i)) / INR n.
Definition Ebar i := sum (others (tokens P i) (al i)) (fun t => eb (i, t)).
Definition HH i := sum (others (tokens P i) (al i)) (fun t => Rabs (De (i, t)) * eb (i, t)).
Definition ee i := M0 * HH i / (INR n * bb i).

Lemma n_real : 0 < INR n.
Proof. apply lt_0_INR. now apply (rows_samples P al). Qed.
Lemma best_in i : (i < n)%nat -> lo <= score P i (al i) <= hi.
Proof. intros Hi. apply Reg; auto. Qed.
Lemma bb_pos i : (i < n)%nat -> 0 < bb i.
Proof. intros Hi. assert (F := falls _ (best_in i Hi)). apply Rdiv_lt_0_compat; [lra|apply n_real]. Qed.
Lemma M0_pos : 0 <= M0.
Proof. destruct (lipschitz _ (best_in 0 (rows_samples P al some_row))) as [_ H]. apply Rle_trans with (2 := H), Rabs_pos. Qed.
Lemma HH_pos i : 0 <= HH i.
Proof. apply sum_nonneg. intros t _. apply Rmult_le_pos; [apply Rabs_pos|apply eb_pos]. Qed.
Lemma Ebar_pos i : 0 <= Ebar i.
Proof. apply sum_nonneg. intros t _. apply eb_pos. Qed.
Lemma ee_pos i : (i < n)%nat -> 0 <= ee i.
Proof. intros Hi. apply Rle_mult_inv_pos; [apply Rmult_le_pos; [apply M0_pos|apply HH_pos]|]. apply Rmult_lt_0_compat; [apply n_real|now apply bb_pos]. Qed.

Section AtPoint.
Variables (p : E) (t : R).
Variable t_pos : 0 < t.
Variable row_exp : forall c, In c rows -> exp (- dot (a c) p) <= eb c * t.

Lemma E_bound i : (i < n)%nat -> 0 <= others_weight P al p i <= Ebar i * t.
Proof.
  intros Hi. split; [apply sum_nonneg; intros; left; apply exp_pos|]. unfold others_weight, Ebar. rewrite <- sum_scal_r. apply sum_le.
  intros u Hu. apply row_exp. apply in_others in Hu. apply in_rows. tauto.
Qed.
Lemma G_bound i : (i < n)%nat -> Rabs (deficit P al p i) <= HH i * t.
Proof.
  intros Hi. rewrite (deficit_form P loss slope lo hi) by auto. apply Rle_trans with (1 := sum_abs _ _). unfold HH. rewrite <- sum_scal_r. apply sum_le.
  intros u Hu. apply in_others in Hu. assert (X := row_exp (i, u) ltac:(apply in_rows; tauto)). assert (Pe := exp_pos (- dot (a (i, u)) p)). assert (A1 := attention_le_1 P loss slope lo hi p i (al i) Reg Hi (sel i Hi)).
  rewrite (attention_ratio P al), Rabs_mult, (Rabs_pos_eq (_ * exp _)) by nra.
  replace (Rabs (De (i, u)) * eb (i, u) * t) with (eb (i, u) * t * Rabs (De (i, u))) by ring. apply Rmult_le_compat_r; [apply Rabs_pos|]. nra.
Qed.
Lemma output_in i : (i < n)%nat -> lo <= output P p i <= hi.
Proof. intros Hi. now apply (output_bounds P loss slope lo hi). Qed.

(** The ratio of slopes. *)
Lemma slope_ratio i : (i < n)%nat -> Rabs (slope (output P p i) / slope (score P i (al i)) - 1) <= ee i * t.
Proof.
  intros Hi. assert (F := falls _ (best_in i Hi)). assert (Pn := n_real).
  assert (Lp := derivative_lipschitz slope curv lo hi M0 (output P p i) (score P i (al i)) lipschitz (output_in i Hi) (best_in i Hi)).
  replace (slope (output P p i) / slope (score P i (al i)) - 1) with ((slope (output P p i) - slope (score P i (al i))) * / slope (score P i (al i))) by (field; lra).
  assert (EQ : INR n * bb i = - slope (score P i (al i))) by (unfold bb; field; lra). unfold ee. rewrite EQ. set (s := - slope (score P i (al i))) in *.
  rewrite Rabs_mult. replace (Rabs (/ slope (score P i (al i)))) with (/ s).
  - replace (M0 * HH i / s * t) with (M0 * (HH i * t) * / s) by (field; unfold s; lra). apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; unfold s; lra|].
    apply Rle_trans with (1 := Lp). apply Rmult_le_compat_l; [apply M0_pos|]. assert (G := G_bound i Hi). unfold deficit in G. rewrite Rabs_minus_sym in G. exact G.
  - rewrite Rabs_inv, <- Rabs_Ropp, Rabs_pos_eq by (unfold s in *; lra). easy.
Qed.
End AtPoint.
End Vertex.
