(** `descent-cone` (docs/certificate.md 4.22) for softmax attention: clauses 3 to 11 with the numbers of the rule imply that constant and normalised steps and gradient flow from p_0 stay
    in the cone for ever, |p| -> oo, p/|p| -> w/|w| and |p/|p| - w/|w|| <= C/|p| at every step or time (docs/theory.md 6.3).
    The numbers are the true ones: a condition that holds for the whole of an enclosure holds for them. *)
From Coq Require Import Reals List Lra Lia Psatz Arith Bool.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Rank Limits Flow Vertex Cone ConeRun ConeFlow FlowModel.
Import ListNotations.
Open Scope R_scope.

(** Factors near 1. *)
Lemma product_near a b t u v : 0 <= a -> 0 <= b -> 0 <= t <= 1 -> Rabs (u - 1) <= a * t -> Rabs (v - 1) <= b * t ->
  Rabs (u * v - 1) <= ((1 + a) * (1 + b) - 1) * t.
Proof.
  intros Ha Hb Ht Hu Hv. replace (u * v - 1) with ((u - 1) * (v - 1) + ((u - 1) + (v - 1))) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rabs_mult.
  assert (Rabs (u - 1) * Rabs (v - 1) <= (a * t) * (b * t)) by (apply Rmult_le_compat; auto using Rabs_pos).
  assert (AB : 0 <= a * b) by now apply Rmult_le_pos.
  assert (TT : t * t <= t) by nra.
  assert (a * t * (b * t) <= a * b * t) by nra.
  assert (T := Rabs_triang (u - 1) (v - 1)). lra.
Qed.

Section ConeModel.
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

(** Clauses (b), 1: the solution, its listed rows S. *)
Variables (w : E) (lam : nat * nat -> R) (inS push : nat * nat -> bool).
Variable svm : solves rows a one w lam.
Variable listed : forall c, In c rows -> inS c = true -> 0 < lam c /\ 0 < De c.
Variable not_listed : forall c, In c rows -> inS c = false -> lam c = 0 /\ 1 < dot (a c) w.
Variable some_row : rows <> [].

Definition N := dot w w.
Definition th c := dot (a c) w.
Notation bb := (bb P slope al).

(** Clauses 3 to 6. *)
Variables (wt : E) (rho l0 : R) (nn : nat * nat -> R).
Definition om c := dot (a c) wt.
Variable frame_S : forall c, In c rows -> inS c = true -> om c = ln (bb (fst c) * De c / lam c).
Variable nn_ok : forall c, In c rows -> norm (perp a w th N c) <= nn c.
Variable rho_pos : 0 <= rho.
Definition xx c := nn c * rho.
Definition eb c := exp (xx c - om c - th c * l0).
Notation Ebar := (Ebar P al eb).
Notation HH := (HH P al eb).
Notation ee := (ee P slope M0 al eb).
Definition epb c := (1 + ee (fst c)) * (1 + HH (fst c) / De c) * (1 + Ebar (fst c)) - 1.
Definition mb c := bb (fst c) * (1 + ee (fst c)) * (Rabs (De c) + HH (fst c)) * exp (- om c - (th c - 1) * l0).
Variable push_ok : forall c, In c rows -> inS c = false -> push c = true -> HH (fst c) <= De c.

Lemma eb_nonneg c : 0 <= eb c.
Proof. left. apply exp_pos. Qed.
Notation n_real := (n_real P al some_row).
Notation best_in := (best_in P loss slope lo hi al Reg sel).
Notation bb_pos := (bb_pos P loss slope lo hi al Reg falls sel some_row).
Notation HH_pos := (HH_pos P al eb eb_nonneg).
Notation Ebar_pos := (Ebar_pos P al eb eb_nonneg).
Notation ee_pos := (ee_pos P loss slope curv lo hi M0 al Reg lipschitz falls sel some_row eb eb_nonneg).

Lemma row_in c : In c rows -> (fst c < n)%nat /\ (snd c < tokens P (fst c))%nat /\ snd c <> al (fst c).
Proof. destruct c as [i t]. intros H. now apply in_rows in H. Qed.

Lemma N_facts : 0 < N /\ N = dot w w.
Proof.
  split; [|easy]. unfold N. assert (W := svm_norm_pos rows a w lam some_row svm). rewrite <- norm_sqr. nra.
Qed.

Lemma the_frame : frame rows a w lam th nn inS N rho.
Proof.
  constructor.
  - apply svm.
  - easy.
  - apply N_facts.
  - easy.
  - intros c Hc HS. destruct (listed c Hc HS) as [L _]. split; auto. apply svm; auto. lra.
  - intros c Hc HS. destruct (not_listed c Hc HS). now split.
  - exact nn_ok.
  - exact rho_pos.
Qed.

Section State.
Variable y : E.
Hint Resolve Rabs_pos : core.
Notation l := (level w N wt y).
Notation r := (rest w N wt y).
Variable in_r : norm r <= rho.
Variable in_l : l0 <= l.
Let t := exp (- (l - l0)).

Lemma t_range : 0 < t <= 1.
Proof. unfold t. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_pos_le. lra. Qed.

Lemma row_value c : dot (a c) y = th c * l + om c + dot (a c) r.
Proof. unfold rest, om, th. rewrite !dot_sub_r, dot_scal_r. ring. Qed.

Lemma th_ge c : In c rows -> 1 <= th c.
Proof. intros Hc. apply svm. auto. Qed.

Lemma row_rest c : In c rows -> Rabs (dot (a c) r) <= xx c.
Proof. intros Hc. exact (z_bound rows a w lam th nn inS N rho the_frame r in_r (rest_across the_frame wt y) c Hc). Qed.

Lemma row_exp c : In c rows -> exp (- dot (a c) y) <= eb c * t.
Proof.
  intros Hc. unfold eb, t. rewrite <- exp_plus. apply exp_pos_le. rewrite row_value. assert (Z := row_rest c Hc). apply Rabs_le_between in Z.
  assert (T := th_ge c Hc). assert (0 <= (th c - 1) * (l - l0)) by (apply Rmult_le_pos; lra). lra.
Qed.

Notation E_bound := (E_bound P al eb y t row_exp).
Notation G_bound := (G_bound P loss slope lo hi al Reg sel eb y t row_exp).
Notation output_in := (output_in P loss slope lo hi Reg y).
Notation slope_ratio := (slope_ratio P loss slope curv lo hi M0 al Reg lipschitz falls sel some_row eb y t row_exp).

Definition mm c := exp l * weight P slope al y c * exp (dot (a c) r).

Lemma mm_form c : In c rows ->
  mm c = - slope (output P y (fst c)) / INR n * / (1 + others_weight P al y (fst c)) * (De c - deficit P al y (fst c)) * exp (- om c - (th c - 1) * l).
Proof.
  intros Hc. destruct (row_in c Hc) as (Hi & Ht & D0). unfold mm, weight. destruct c as [i u]. simpl fst in *. simpl snd in *. rewrite (attention_ratio P al).
  assert (EE := E_bound i Hi).
  rewrite (attention_selected P loss slope lo hi al y i Reg sel Hi). rewrite (row_value (i, u)).
  replace (exp (- om (i, u) - (th (i, u) - 1) * l)) with (exp l * exp (- (th (i, u) * l + om (i, u) + dot (a (i, u)) r)) * exp (dot (a (i, u)) r)).
  - ring.
  - rewrite <- !exp_plus. f_equal. ring.
Qed.

Theorem softmax_state : state_ok rows lam th mb epb inS push l0 l r mm.
Proof.
  assert (T := t_range). constructor; fold t.
  - intros c Hc HS. destruct (row_in c Hc) as (Hi & _). destruct (listed c Hc HS) as [Lp Dp]. rewrite mm_form by auto.
    assert (T1 : th c = 1) by (apply (f_thS the_frame c Hc HS)).
    assert (Bp := bb_pos _ Hi). assert (F := falls _ (best_in _ Hi)). assert (Pn : 0 < INR n) by apply n_real.
    assert (EE := E_bound _ Hi). assert (G := G_bound _ Hi). assert (Sr := slope_ratio _ Hi).
    replace (- om c - (th c - 1) * l) with (- om c) by (rewrite T1; ring).
    rewrite (frame_S c Hc HS), exp_Ropp, exp_ln by (apply Rdiv_lt_0_compat; auto; nra).
    set (i := fst c) in *. set (Ei := others_weight P al y i) in *. set (Gi := deficit P al y i) in *. set (A := slope (output P y i) / slope (score P i (al i))) in *.
    assert (Eq : - slope (output P y i) / INR n * / (1 + Ei) * (De c - Gi) * / (bb i * De c / lam c) = lam c * ((A * (1 - Gi / De c)) * / (1 + Ei))).
    { unfold Vertex.bb, A. field. repeat split; lra. }
    rewrite Eq. replace (lam c * (A * (1 - Gi / De c) * / (1 + Ei)) - lam c) with (lam c * (A * (1 - Gi / De c) * / (1 + Ei) - 1)) by ring.
    rewrite Rabs_mult, (Rabs_pos_eq (lam c)) by lra. apply Rmult_le_compat_l; [lra|].
    assert (Hp := HH_pos i). assert (Ebp := Ebar_pos i). assert (Eep := ee_pos i Hi).
    assert (Q0 : 0 <= HH i / De c) by (apply Rle_mult_inv_pos; auto).
    assert (Q1 : Rabs (1 - Gi / De c - 1) <= HH i / De c * t).
    { replace (1 - Gi / De c - 1) with (- (Gi * / De c)) by (field; lra). rewrite Rabs_Ropp, Rabs_mult, (Rabs_pos_eq (/ De c)) by (left; now apply Rinv_0_lt_compat).
      replace (HH i / De c * t) with (HH i * t * / De c) by (field; lra). apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|auto]. }
    assert (Q2 := product_near (ee i) (HH i / De c) t A (1 - Gi / De c) Eep Q0 ltac:(lra) Sr Q1).
    assert (Q3 : Rabs (/ (1 + Ei) - 1) <= Ebar i * t).
    { replace (/ (1 + Ei) - 1) with (- (Ei * / (1 + Ei))) by (field; lra). rewrite Rabs_Ropp, Rabs_pos_eq by (apply Rle_mult_inv_pos; lra).
      apply Rle_trans with (2 := proj2 EE). rewrite <- (Rmult_1_r Ei) at 3. apply Rmult_le_compat_l; [lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
    assert (Q4 := product_near ((1 + ee i) * (1 + HH i / De c) - 1) (Ebar i) t _ _ ltac:(nra) Ebp ltac:(lra) Q2 Q3).
    apply Rle_trans with (1 := Q4). unfold epb. fold i. right. ring.
  - intros c Hc HS. destruct (row_in c Hc) as (Hi & _). rewrite mm_form by auto.
    assert (Bp := bb_pos _ Hi). assert (F := falls _ (best_in _ Hi)). assert (Pn : 0 < INR n) by apply n_real.
    assert (EE := E_bound _ Hi). assert (G := G_bound _ Hi). assert (Sr := slope_ratio _ Hi). assert (Fo := falls _ (output_in _ Hi)).
    assert (Hp := HH_pos (fst c)). assert (Ebp := Ebar_pos (fst c)). assert (Eep := ee_pos _ Hi).
    set (i := fst c) in *. set (Ei := others_weight P al y i) in *. set (Gi := deficit P al y i) in *.
    replace (- om c - (th c - 1) * l) with ((- om c - (th c - 1) * l0) + - (th c - 1) * (l - l0)) by ring. rewrite exp_plus, <- Rmult_assoc.
    assert (Pe := exp_pos (- (th c - 1) * (l - l0))). assert (Pe' := exp_pos (- om c - (th c - 1) * l0)).
    rewrite Rabs_mult, (Rabs_pos_eq (exp (- (th c - 1) * (l - l0)))) by lra. apply Rmult_le_compat_r; [lra|].
    rewrite Rabs_mult, (Rabs_pos_eq (exp (- om c - _))) by lra. unfold mb. apply Rmult_le_compat_r; [lra|]. fold i.
    rewrite !Rabs_mult. apply Rmult_le_compat; [apply Rmult_le_pos; apply Rabs_pos|apply Rabs_pos| |].
    + rewrite (Rabs_pos_eq (/ (1 + Ei))) by (left; apply Rinv_0_lt_compat; lra). rewrite <- (Rmult_1_r (bb i * (1 + ee i))).
      apply Rmult_le_compat; [apply Rabs_pos|left; apply Rinv_0_lt_compat; lra| |rewrite <- Rinv_1; apply Rinv_le_contravar; lra].
      rewrite Rabs_pos_eq by (apply Rle_mult_inv_pos; lra).
      assert (Sl : slope (output P y i) / slope (score P i (al i)) <= 1 + ee i).
      { apply Rabs_le_between in Sr. assert (ee i * t <= ee i * 1) by (apply Rmult_le_compat_l; lra). lra. }
      replace (- slope (output P y i) / INR n) with (bb i * (slope (output P y i) / slope (score P i (al i)))) by (unfold Vertex.bb; field; lra).
      apply Rmult_le_compat_l; lra.
    + apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rabs_Ropp. apply Rplus_le_compat_l. apply Rle_trans with (1 := G).
      rewrite <- (Rmult_1_r (HH i)) at 2. apply Rmult_le_compat_l; lra.
  - intros c Hc HS HP. destruct (row_in c Hc) as (Hi & _). rewrite mm_form by auto. assert (Pn : 0 < INR n) by apply n_real.
    assert (Fo := falls _ (output_in _ Hi)). assert (EE := E_bound _ Hi). assert (G := G_bound _ Hi). assert (Hq := push_ok c Hc HS HP). assert (Hp := HH_pos (fst c)).
    apply Rmult_le_pos; [|left; apply exp_pos]. apply Rmult_le_pos.
    + apply Rmult_le_pos; [apply Rle_mult_inv_pos; lra|left; apply Rinv_0_lt_compat; lra].
    + apply Rabs_le_between in G. assert (HH (fst c) * t <= HH (fst c) * 1) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End State.

(** The rule. *)
Section Rule.
Variables (eps kap C : R).
Variable B : sizes rows th nn mb epb inS push N rho eps kap.
Variable C_pos : 0 <= C.
Variable C_large : 2 * ((norm (offset w N wt) + rho) * (norm (offset w N wt) + rho)) <= C * C.
Notation push_size := (push_size lam nn mb epb inS push rho).
Notation rate := (rate th inS).

Section Steps.
Variables (phi : nat * nat -> R) (M phiS taub : R) (p : nat -> E).
Variable Ct : contracts rows a w lam th nn phi inS push N rho M phiS.
Variable taub_pos : 0 <= taub.
Variable start_level : level w N wt (p 0%nat) = l0.
Variable start_rest : norm (rest w N wt (p 0%nat)) + / kap * sum rows (fun c => push_size c * (/ rate c + taub)) <= rho.
Variable forward : 0 < dot (p 0%nat) w.
Notation q := (fun k => weight P slope al (p k)).
Notation Mbar := (Mbar rows nn mb phi inS push eps M phiS).

Definition cone_conclusion :=
  to_infinity (fun k => norm (p k)) /\ to_zero (fun k => norm (vsub (unit (p k)) (unit w))) /\
  (forall k, norm (rest w N wt (p k)) <= rho) /\ forall k, norm (vsub (unit (p k)) (unit w)) <= C / norm (p k).

Lemma weights_ok k : region w N rho l0 wt (p k) -> state_ok rows lam th mb epb inS push l0 (level w N wt (p k)) (rest w N wt (p k)) (scaled_at a w N p q wt k).
Proof. intros [R1 R2]. exact (softmax_state (p k) R1 R2). Qed.

Lemma conclude eta : (forall k, p (S k) = vadd (p k) (vscal (eta k) (minus_gradient P slope al (p k)))) ->
  (forall k, region w N rho l0 wt (p k) -> 0 <= eta k /\ sg w N p eta wt k * Mbar <= 2 /\ tau rows a w N p q eta wt k <= taub) ->
  (forall top, exists de, 0 < de /\ forall k, region w N rho l0 wt (p k) -> level w N wt (p k) <= top -> de <= tau rows a w N p q eta wt k) ->
  cone_conclusion.
Proof.
  intros Run So Nf.
  assert (Run' : forall k, same (p (S k)) (vadd (p k) (vscal (eta k) (vsum rows (fun c => vscal (q k c) (a c)))))) by (intros k z; now rewrite Run).
  assert (FF := the_frame). assert (Wk := weights_ok).
  assert (For := cone_for_ever rows a w lam th nn mb epb phi inS push N rho l0 eps M phiS kap taub taub_pos FF B Ct p q eta wt Wk Run' So start_level start_rest).
  assert (Fw := forward_for_ever rows a w lam th nn mb epb phi inS push N rho l0 eps M phiS kap taub taub_pos FF B Ct p q eta wt Wk Run' So start_level start_rest forward).
  split; [|split; [|split]].
  - exact (cone_norm_diverges rows a w lam th nn mb epb phi inS push N rho l0 eps M phiS kap taub taub_pos FF B Ct p q eta wt Wk Run' So start_level start_rest Nf).
  - exact (cone_direction rows a w lam th nn mb epb phi inS push N rho l0 eps M phiS kap taub taub_pos FF B Ct p q eta wt Wk Run' So start_level start_rest Nf forward).
  - intros k. apply For.
  - intros k. exact (cone_rate FF wt C (p k) (proj1 (proj1 (For k))) (Fw k) C_pos C_large).
Qed.

Theorem descent_cone_constant step : 0 < step -> (forall k, p (S k) = vadd (p k) (vscal step (minus_gradient P slope al (p k)))) ->
  step * exp (- l0) * Mbar <= 2 -> step * exp (- l0) * w_top rows lam th nn mb epb inS rho / N <= taub -> cone_conclusion.
Proof.
  intros Hs Run HM HT.
  destruct (constant_steps rows a w lam th nn mb epb phi inS push N rho l0 eps M phiS kap taub the_frame B Ct p q (fun _ => step) wt weights_ok step Hs (fun _ => eq_refl) HM HT) as [So Nf].
  now apply conclude with (fun _ => step).
Qed.

Theorem descent_cone_normalised h : 0 < h -> (forall k, p (S k) = vadd (p k) (vscal (h / norm (minus_gradient P slope al (p k))) (minus_gradient P slope al (p k)))) ->
  h / (kap * norm w) * Mbar <= 2 -> h / norm w <= taub -> cone_conclusion.
Proof.
  intros Hh Run HM HT. set (eta := fun k => h / norm (minus_gradient P slope al (p k))).
  destruct (normalised_steps rows a w lam th nn mb epb phi inS push N rho l0 eps M phiS kap taub the_frame B Ct p q eta wt weights_ok h Hh (fun _ => eq_refl) HM HT) as [So Nf].
  now apply conclude with eta.
Qed.
End Steps.

(** Where no row pushes, every row is along w or of weight 0: a sample whose gaps are all 0 has no gradient. *)
Lemma nothing_pushes y c : (forall c, In c rows -> push_size c = 0) -> In c rows -> weight P slope al y c = 0 \/ norm (perp a w th N c) = 0.
Proof.
  intros Z Hc. destruct (row_in c Hc) as (Hi & Ht & D0). assert (Zc := Z c Hc). assert (Nc := nn_ok c Hc). assert (Np := norm_pos (perp a w th N c)).
  assert (Hp := HH_pos (fst c)). assert (Ep := ee_pos _ Hi).
  assert (Nn : nn c = 0 -> norm (perp a w th N c) = 0) by (intros X; rewrite X in Nc; lra).
  unfold Cone.push_size in Zc. destruct (inS c) eqn:HS.
  - right. apply Nn. destruct (listed c Hc HS) as [Lp Dp].
    assert (Pe : 0 < epb c).
    { assert (Eb : 0 < Ebar (fst c)).
      { apply sum_pos with (snd c); [apply in_others; auto|apply exp_pos|intros; left; apply exp_pos]. }
      assert (Q0 : 0 <= HH (fst c) / De c) by (apply Rle_mult_inv_pos; auto). unfold epb.
      assert (X : 1 <= (1 + ee (fst c)) * (1 + HH (fst c) / De c)) by nra. nra. }
    apply Rmult_integral in Zc. destruct Zc as [Zc|]; auto. exfalso. assert (0 < lam c * epb c) by now apply Rmult_lt_0_compat. lra.
  - assert (Off : mb c = 0 \/ nn c = 0).
    { destruct (push c); apply Rmult_integral in Zc; destruct Zc as [Zc|]; auto. apply Rmult_integral in Zc. destruct Zc as [|Zc]; auto. assert (Pe := exp_pos (x nn rho c)). lra. }
    destruct Off as [M0'|]; [|right; now apply Nn]. left.
    assert (Bp := bb_pos _ Hi). unfold mb in M0'.
    assert (Zero : Rabs (De c) + HH (fst c) = 0).
    { apply Rmult_integral in M0'. destruct M0' as [M0'|M0']; [|assert (Pe := exp_pos (- om c - (th c - 1) * l0)); lra]. apply Rmult_integral in M0'. destruct M0' as [M0'|]; auto. exfalso. nra. }
    assert (A0 := Rabs_pos (De c)). assert (H0 : HH (fst c) = 0) by lra.
    assert (Gaps : forall u, In u (others (tokens P (fst c)) (al (fst c))) -> De (fst c, u) = 0).
    { intros u Hu. assert (G := sum_nonneg_zero _ _ (fun u _ => Rmult_le_pos _ _ (Rabs_pos (De (fst c, u))) (Rlt_le _ _ (exp_pos (xx (fst c, u) - om (fst c, u) - th (fst c, u) * l0)))) H0 u Hu).
      cbv beta in G. apply Rmult_integral in G. destruct G as [G|G]; [now apply Rabs_eq_0|]. assert (Pe := exp_pos (xx (fst c, u) - om (fst c, u) - th (fst c, u) * l0)). lra. }
    unfold weight. rewrite (deficit_form P loss slope lo hi al y (fst c) Reg sel Hi).
    rewrite (sum_zero _ (fun t => attention P y (fst c) t * De (fst c, t))) by (intros u Hu; rewrite (Gaps u Hu); ring).
    assert (Dc : De c = 0) by (apply Rabs_eq_0; lra). rewrite Dc. ring.
Qed.

(** Gradient flow: clause 10 with tau = 0, and no clause 9. *)
Theorem descent_cone_flow (p : R -> E) : (forall s, 0 <= s -> curve_derives p s (minus_gradient P slope al (p s))) -> level w N wt (p 0) = l0 ->
  norm (rest w N wt (p 0)) + / kap * sum rows (fun c => push_size c * / rate c) <= rho -> 0 < dot (p 0) w ->
  flow_to_infinity (fun s => norm (p s)) /\ flow_to_zero (fun s => norm (vsub (unit (p s)) (unit w))) /\
  (forall s, 0 <= s -> norm (rest w N wt (p s)) <= rho) /\ forall s, 0 <= s -> norm (vsub (unit (p s)) (unit w)) <= C / norm (p s).
Proof.
  intros Fl L0 St Fw. set (q := fun s => weight P slope al (p s)).
  assert (Wk : forall s, 0 <= s -> region w N rho l0 wt (p s) -> state_ok rows lam th mb epb inS push l0 (level w N wt (p s)) (rest w N wt (p s)) (scaled a w N wt (p s) (q s))).
  { intros s _ [R1 R2]. exact (softmax_state (p s) R1 R2). }
  assert (Np : (forall c, In c rows -> push_size c = 0) -> forall s c, 0 <= s -> In c rows -> q s c = 0 \/ norm (perp a w th N c) = 0).
  { intros Z s c _ Hc. now apply nothing_pushes. }
  assert (FF := the_frame). split; [|split; [|split]].
  - exact (flow_cone_norm rows a w lam th nn mb epb inS push N rho l0 eps kap FF B p q wt Fl Wk L0 St Np).
  - exact (flow_cone_direction rows a w lam th nn mb epb inS push N rho l0 eps kap FF B p q wt Fl Wk L0 St Np Fw).
  - intros s Hs. exact (proj1 (flow_cone_for_ever rows a w lam th nn mb epb inS push N rho l0 eps kap FF B p q wt Fl Wk L0 St Np s Hs)).
  - intros s Hs. exact (flow_cone_rate rows a w lam th nn mb epb inS push N rho l0 eps kap FF B p q wt Fl Wk L0 St Np Fw C s Hs C_pos C_large).
Qed.

(** The curve from p0 is there. *)
Theorem descent_cone_flow_from p0 : level w N wt p0 = l0 -> norm (rest w N wt p0) + / kap * sum rows (fun c => push_size c * / rate c) <= rho -> 0 < dot p0 w ->
  exists p, the_flow P slope al p0 p /\ flow_to_infinity (fun s => norm (p s)) /\ flow_to_zero (fun s => norm (vsub (unit (p s)) (unit w))) /\
    (forall s, 0 <= s -> norm (rest w N wt (p s)) <= rho) /\ forall s, 0 <= s -> norm (vsub (unit (p s)) (unit w)) <= C / norm (p s).
Proof.
  intros L0 St Fw. destruct (flow_exists P loss slope curv lo hi M0 al Reg lipschitz p0) as (p & Fp). exists p. split; [exact Fp|]. destruct Fp as (P0 & Fl & _).
  apply descent_cone_flow; [exact Fl| | |]; now rewrite P0.
Qed.
End Rule.
End ConeModel.

(** Clauses 2 to 4: from y_c, zeta with Gram_S zeta = z to the frame (wt, l_0, r_0). *)
Section FrameOfPoint.
Context {E : space} {A : Type}.
Variables (rows : list A) (a : A -> E) (w : E) (lam om zeta : A -> R) (inS : A -> bool) (p0 : E).
Variable svm : solves rows a (fun _ => 1) w lam.
Variable some_row : rows <> [].
Variable listed : forall c, In c rows -> inS c = true -> lam c <> 0.
Variable not_listed : forall c, In c rows -> inS c = false -> lam c = 0.
Let N := dot w w.
Let l0 := sum rows (fun c => lam c * (dot (a c) p0 - om c)) / N.
Let zz c := dot (a c) p0 - om c - l0.
Let r0 := vsum rows (fun c => vscal (when (inS c) (zeta c)) (a c)).
Let wt := vsub (vsub p0 (vscal l0 w)) r0.
Variable solves_gram : forall c, In c rows -> inS c = true -> sum rows (fun e => when (inS e) (zeta e) * dot (a e) (a c)) = zz c.

Lemma r0_row c : In c rows -> inS c = true -> dot (a c) r0 = zz c.
Proof.
  intros Hc HS. rewrite <- (solves_gram c Hc HS), dot_sym. unfold r0. rewrite dot_vsum_l. apply sum_ext. intros; apply dot_scal_l.
Qed.

Theorem frame_of_point :
  (forall c, In c rows -> inS c = true -> dot (a c) wt = om c) /\ level w N wt p0 = l0 /\ same (rest w N wt p0) r0 /\
  dot r0 r0 = sum rows (fun c => when (inS c) (zz c * zeta c)).
Proof.
  assert (Np : 0 < N) by (unfold N; rewrite <- norm_sqr; assert (W := svm_norm_pos rows a w lam some_row svm); nra).
  assert (Wd : forall y, dot w y = sum rows (fun c => lam c * dot (a c) y)) by (intros y; destruct svm as (H & _); rewrite H; apply combination_dot).
  assert (Across : dot r0 w = 0).
  { rewrite dot_sym, Wd. rewrite (sum_ext _ _ (fun c => lam c * (dot (a c) p0 - om c) - lam c * l0)).
    - rewrite sum_minus, sum_scal_r, (svm_lam_sum rows a w lam svm). fold N. unfold l0. field. lra.
    - intros c Hc. destruct (inS c) eqn:HS; [rewrite r0_row by auto; unfold zz; ring|rewrite (not_listed c Hc HS); ring]. }
  assert (Lv : level w N wt p0 = l0).
  { unfold level, wt. rewrite !dot_sub_l, dot_scal_l, Across. fold N. field. lra. }
  split; [|split; [exact Lv|split]].
  - intros c Hc HS. unfold wt. rewrite !dot_sub_r, dot_scal_r, (r0_row c Hc HS). destruct svm as (_ & _ & _ & T). rewrite (T c Hc (listed c Hc HS)). unfold zz. ring.
  - intros y. unfold rest. rewrite Lv. unfold wt. rewrite !dot_sub_l, !dot_scal_l. ring.
  - unfold r0 at 1. rewrite dot_vsum_l. apply sum_ext. intros c Hc. rewrite dot_scal_l. unfold when. destruct (inS c) eqn:HS; [rewrite (r0_row c Hc HS); ring|ring].
Qed.
End FrameOfPoint.
