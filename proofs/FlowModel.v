(** Gradient flow of the softmax model exists and is unique (docs/theory.md, section 6): from every point p0 there is one curve p with p(0) = p0 and p' = -grad L(p) for all t >= 0, in any
    space (over p and over W), where the loss has a derivative whose derivative is bounded on an interval that holds the scores: `flow_exists`, `flow_unique`.
    -grad L = sum_c q_c a_c, and the weights q_c are products of means of softmax, which are bounded and Lipschitz (`weight_lips`).
    With it descent-basin, -cone and -wedge speak of a curve that is there: `descent_basin_flow_from` (Basin.v), `descent_cone_flow_from`, `descent_wedge_flow_from`. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Limits Flow FlowExists.
Import ListNotations.
Open Scope R_scope.

(** ** Functions that are bounded and Lipschitz *)
Section Lipschitz.
Context {E : space}.
Definition lips (h : E -> R) := exists B K, 0 <= B /\ 0 <= K /\ forall x y, Rabs (h x) <= B /\ Rabs (h x - h y) <= K * norm (vsub x y).

Lemma lips_const k : lips (fun _ => k).
Proof. exists (Rabs k), 0. split; [apply Rabs_pos|]. split; [lra|]. intros x y. rewrite Rminus_diag_eq, Rabs_R0 by easy. lra. Qed.

Lemma lips_ext f g : (forall x, f x = g x) -> lips f -> lips g.
Proof. intros H (B & K & HB & HK & L). exists B, K. split; auto. split; auto. intros x y. rewrite <- !H. apply L. Qed.

Lemma lips_mult f g : lips f -> lips g -> lips (fun x => f x * g x).
Proof.
  intros (B & K & HB & HK & L) (B' & K' & HB' & HK' & L'). exists (B * B'), (K * B' + B * K'). split; [nra|]. split; [nra|]. intros x y. destruct (L x y) as [L1 L2]. destruct (L' x y) as [L1' L2'].
  split; [rewrite Rabs_mult; apply Rmult_le_compat; auto using Rabs_pos|]. destruct (L' y x) as [L3 _].
  replace (f x * g x - f y * g y) with (f x * (g x - g y) + (f x - f y) * g y) by ring. apply Rle_trans with (1 := Rabs_triang _ _). rewrite !Rabs_mult.
  assert (Rabs (f x) * Rabs (g x - g y) <= B * (K' * norm (vsub x y))) by (apply Rmult_le_compat; auto using Rabs_pos).
  assert (Rabs (f x - f y) * Rabs (g y) <= K * norm (vsub x y) * B') by (apply Rmult_le_compat; auto using Rabs_pos). lra.
Qed.

Lemma lips_minus f g : lips f -> lips g -> lips (fun x => f x - g x).
Proof.
  intros (B & K & HB & HK & L) (B' & K' & HB' & HK' & L'). exists (B + B'), (K + K'). split; [lra|]. split; [lra|]. intros x y. destruct (L x y) as [L1 L2]. destruct (L' x y) as [L1' L2'].
  apply Rabs_le_between in L1, L2, L1', L2'. split; apply Rabs_le; lra.
Qed.

(** A function with a bounded derivative on an interval that holds the values. *)
Lemma lips_comp (f f' : R -> R) h lo hi M : lips h -> (forall x, lo <= h x <= hi) -> (forall y, lo <= y <= hi -> is_derive f y (f' y) /\ Rabs (f' y) <= M) -> lips (fun x => f (h x)).
Proof.
  intros (B & K & HB & HK & L) In D.
  assert (Lf : forall u v, lo <= u <= hi -> lo <= v <= hi -> Rabs (f u - f v) <= M * Rabs (u - v)).
  { assert (Up : forall u v, lo <= u -> u <= v -> v <= hi -> Rabs (f v - f u) <= M * Rabs (v - u)).
    { intros u v H1 H2 H3. destruct (mean_value f f' u v H2) as (c & Hc & ->); [intros t Ht; apply D; lra|]. rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|]. apply D; lra. }
    intros u v Hu Hv. destruct (Rle_or_lt u v) as [Le|Gt]; [rewrite Rabs_minus_sym, (Rabs_minus_sym u)|]; apply Up; lra. }
  assert (M0 := Rle_trans _ _ _ (Rabs_pos _) (proj2 (D _ (In vzero)))). assert (W := In vzero).
  exists (Rabs (f lo) + M * (hi - lo)), (M * K). split; [assert (X := Rabs_pos (f lo)); nra|]. split; [nra|]. intros x y. split.
  - assert (X := Lf (h x) lo (In x) ltac:(lra)). specialize (In x). rewrite (Rabs_pos_eq (h x - lo)) in X by lra. replace (f (h x)) with (f lo + (f (h x) - f lo)) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). nra.
  - apply Rle_trans with (1 := Lf _ _ (In x) (In y)). rewrite Rmult_assoc. apply Rmult_le_compat_l; auto. apply L.
Qed.

Lemma mean_abs {A} (l : list A) y x B : l <> [] -> (forall t, In t l -> Rabs (x t) <= B) -> Rabs (mean l y x) <= B.
Proof. intros N H. apply Rabs_le, mean_bounds; auto. intros t Ht. now apply Rabs_le_between, H. Qed.

(** Along a line the mean of x has the covariance as derivative. *)
Lemma lips_mean {A} (l : list A) (key : A -> E) x : l <> [] -> lips (fun p => mean l (fun t => dot (key t) p) x).
Proof.
  intros N. set (X := sum l (fun t => Rabs (x t))). set (Z := sum l (fun t => norm (key t))).
  assert (Hx : forall t, In t l -> Rabs (x t) <= X) by (intros t Ht; apply (sum_term l (fun t => Rabs (x t))); auto; intros; apply Rabs_pos).
  assert (Hz : forall t, In t l -> norm (key t) <= Z) by (intros t Ht; apply (sum_term l (fun t => norm (key t))); auto; intros; apply norm_pos).
  assert (X0 : 0 <= X) by (apply sum_nonneg; intros; apply Rabs_pos). assert (Z0 : 0 <= Z) by (apply sum_nonneg; intros; apply norm_pos).
  exists X, (2 * X * Z). split; auto. split; [nra|]. intros p q. split; [now apply mean_abs|]. set (u := vsub p q). set (y := fun t => dot (key t) q). set (z := fun t => dot (key t) u).
  assert (Hu : forall t, In t l -> Rabs (z t) <= Z * norm u) by (intros t Ht; apply Rle_trans with (1 := cauchy_schwarz_abs _ _), Rmult_le_compat_r; [apply norm_pos|auto]).
  destruct (mean_value (fun tau => mean l (along y z tau) x) _ 0 1 ltac:(lra) (fun tau _ => mean_derive l y z x tau N)) as (c & _ & Hc).
  rewrite (mean_ext l (fun t => dot (key t) p) (along y z 1)), (mean_ext l (fun t => dot (key t) q) (along y z 0)), Hc; [|intros t; unfold along, y; ring|intros t; unfold along, y, z, u; rewrite dot_sub_r; ring].
  rewrite Rminus_0_r, Rmult_1_r. unfold Rminus. apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rabs_Ropp, Rabs_mult.
  assert (B1 : Rabs (mean l (along y z c) (fun t => x t * z t)) <= X * (Z * norm u)) by (apply mean_abs; auto; intros t Ht; rewrite Rabs_mult; apply Rmult_le_compat; auto using Rabs_pos).
  assert (B2 : Rabs (mean l (along y z c) x) * Rabs (mean l (along y z c) z) <= X * (Z * norm u)) by (apply Rmult_le_compat; auto using Rabs_pos, mean_abs). lra.
Qed.

Lemma lips_uniform {A} (l : list A) (q : E -> A -> R) : (forall c, In c l -> lips (fun x => q x c)) -> exists K, 0 <= K /\ forall x y c, In c l -> Rabs (q x c - q y c) <= K * norm (vsub x y).
Proof.
  induction l as [|e l IH]; intros H; [exists 0; split; [lra|easy]|]. destruct IH as (K & HK & L); [intros c Hc; apply H; now right|].
  destruct (H e (or_introl eq_refl)) as (B & K' & _ & HK' & L'). exists (K + K'). split; [lra|]. intros x y c [<-|Hc]; assert (Nn := norm_pos (vsub x y)).
  - destruct (L' x y) as [_ Q]. nra.
  - specialize (L x y c Hc). nra.
Qed.
End Lipschitz.

Section Model.
Context {E : space}.
Variable P : problem E.
Variables loss slope curv : R -> R.
Variables lo hi M0 : R.
Variable al : nat -> nat.
Notation n := (samples P).
Notation T i := (seq 0 (tokens P i)).
Variable Reg : regular P loss slope lo hi.
Variable lipschitz : forall y, lo <= y <= hi -> is_derive slope y (curv y) /\ Rabs (curv y) <= M0.

(** Attention is the mean of an indicator. *)
Lemma attention_mean p i t : (t < tokens P i)%nat -> attention P p i t = mean (T i) (logit P p i) (fun u => if (u =? t)%nat then 1 else 0).
Proof.
  intros Ht. unfold mean. rewrite (sum_others _ t) by auto. rewrite Nat.eqb_refl, sum_zero; [unfold attention; ring|]. intros u Hu. apply in_others in Hu.
  destruct (Nat.eqb_spec u t); [tauto|ring].
Qed.

Lemma weight_lips c : In c (rows P al) -> lips (fun p => weight P slope al p c).
Proof.
  destruct c as [i t]. intros Hc. apply in_rows in Hc. destruct Hc as (Hi & Ht & _). assert (N := tokens_nonempty P loss slope lo hi i Reg Hi).
  assert (Lo : lips (fun p => output P p i)) by (apply (lips_mean (T i) (key P i)); auto).
  assert (Ls : lips (fun p => slope (output P p i))) by (apply lips_comp with curv lo hi M0; auto; intros p; now apply (output_bounds P loss slope lo hi)).
  apply lips_ext with (fun p => - / INR n * slope (output P p i) * mean (T i) (logit P p i) (fun u => if (u =? t)%nat then 1 else 0) * (output P p i - score P i t)).
  - intros p. rewrite <- attention_mean by auto. unfold weight, gap, deficit, Rdiv. simpl. ring.
  - apply lips_mult; [apply lips_mult; [apply lips_mult; auto using lips_const|apply (lips_mean (T i) (key P i)); auto]|]. apply lips_minus; auto using lips_const.
Qed.

Lemma weights_lips : exists K, 0 <= K /\ forall x y c, In c (rows P al) -> Rabs (weight P slope al x c - weight P slope al y c) <= K * norm (vsub x y).
Proof. apply (lips_uniform (rows P al) (weight P slope al)). intros; now apply weight_lips. Qed.

Lemma gradient_lips : exists K, 0 <= K /\ forall x y, norm (vsub (minus_gradient P slope al x) (minus_gradient P slope al y)) <= K * norm (vsub x y).
Proof.
  destruct weights_lips as (K & HK & L). exists (sum (rows P al) (fun c => norm (row P al c)) * (INR (length (rows P al)) * K)).
  split; [apply Rmult_le_pos; [apply sum_nonneg; intros; apply norm_pos|apply Rmult_le_pos; [apply pos_INR|exact HK]]|]. intros x y.
  assert (S : forall z, same (minus_gradient P slope al z) (point (rows P al) (row P al) vzero (weight P slope al z))) by (intros z v; rewrite point_dot, dot_zero_l, Rplus_0_l; unfold minus_gradient; rewrite dot_vsum_l; apply sum_ext; intros; apply dot_scal_l).
  assert (Sd : same (vsub (minus_gradient P slope al x) (minus_gradient P slope al y)) (vsub (point (rows P al) (row P al) vzero (weight P slope al x)) (point (rows P al) (row P al) vzero (weight P slope al y))))
    by (intros v; now rewrite !dot_sub_l, (S x v), (S y v)).
  rewrite (same_norm _ _ Sd). apply Rle_trans with (1 := point_near _ _ _ _ _). rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply sum_nonneg; intros; apply norm_pos|].
  rewrite Rmult_assoc, <- sum_const. apply sum_le. intros c Hc. now apply L.
Qed.

(** Gradient flow, and the curve of it from p0. *)
Definition flows (p : R -> E) := forall t, 0 <= t -> curve_derives p t (minus_gradient P slope al (p t)).
Definition the_flow (p0 : E) (p : R -> E) := p 0 = p0 /\ flows p /\ forall q, q 0 = p0 -> flows q -> forall t, 0 <= t -> same (q t) (p t).

Theorem flow_unique p q : flows p -> flows q -> same (p 0) (q 0) -> forall t, 0 <= t -> same (p t) (q t).
Proof. destruct gradient_lips as (K & _ & L). exact (curves_meet (minus_gradient P slope al) K p q L). Qed.

Theorem flow_exists p0 : exists p, the_flow p0 p.
Proof.
  destruct weights_lips as (K & HK & L). destruct (field_exists (rows P al) (row P al) p0 (weight P slope al) K HK L) as (p & P0 & F). exists p. split; [exact P0|]. split; [exact F|].
  intros q Q0 Fq. apply flow_unique; auto. rewrite Q0, P0. apply same_refl.
Qed.
End Model.
