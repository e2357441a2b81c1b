(** A curvature bound in rational numbers, and the descent lemma (docs/theory.md 6.1, 6.2; clause 2 of docs/certificate.md 4.21).
    With D_i >= |k_it - k_it'| and g_i >= gamma_it - gamma_it' for all tokens of sample i, |l'| <= M1 and |l''| <= M0 on the scores,
    Lbar = (1/n) sum_i D_i^2 g_i (M0 g_i/16 + M1/4) bounds the second derivative of L along every line, so that
    |L(p + u) - L(p) - grad L(p).u| <= Lbar/2 |u|^2: the formula (1) is the gradient of L, and a step of constant length eta has
    L(p - eta grad L) <= L(p) - eta (1 - eta Lbar/2) |grad L|^2. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model.
Import ListNotations.
Open Scope R_scope.

Lemma is_derive_prod (f g : R -> R) (x f' g' : R) : is_derive f x f' -> is_derive g x g' ->
  is_derive (fun t => f t * g t) x (f' * g x + f x * g').
Proof. intros Hf Hg. exact (is_derive_mult (K := R_AbsRing) f g x f' g' Hf Hg Rmult_comm). Qed.

Lemma is_derive_diff (f g : R -> R) (x f' g' : R) : is_derive f x f' -> is_derive g x g' -> is_derive (fun t => f t - g t) x (f' - g').
Proof. intros Hf Hg. exact (is_derive_minus (V := R_NormedModule) f g x f' g' Hf Hg). Qed.

Lemma derive_continuity (f : R -> R) x d : is_derive f x d -> continuity_pt f x.
Proof.
  intros H. apply continuity_pt_filterlim. apply (ex_derive_continuous (V := R_NormedModule)). now exists d.
Qed.

(** The mean value theorem on an interval, and with it: a function whose derivative is nowhere negative rises. *)
Lemma mean_value (f f' : R -> R) x y : x <= y -> (forall t, x <= t <= y -> is_derive f t (f' t)) -> exists c, x <= c <= y /\ f y - f x = f' c * (y - x).
Proof.
  intros Hxy D. destruct (MVT_gen f x y f') as (c & Hc & Hm); rewrite ?Rmin_left, ?Rmax_right in * by lra.
  - intros t Ht. apply D. lra.
  - intros t Ht. apply derive_continuity with (f' t). now apply D.
  - now exists c.
Qed.
Lemma rises (f f' : R -> R) x y : x <= y -> (forall t, x <= t <= y -> is_derive f t (f' t)) -> (forall t, x <= t <= y -> 0 <= f' t) -> f x <= f y.
Proof. intros Hxy D P. destruct (mean_value f f' x y Hxy D) as (c & Hc & Hm). specialize (P c Hc). nra. Qed.

(** Second-order bound from a bound of the second derivative. *)
Lemma taylor_bound (f f' f'' : R -> R) M : (forall x, 0 <= x <= 1 -> is_derive f x (f' x)) -> (forall x, 0 <= x <= 1 -> is_derive f' x (f'' x)) ->
  (forall x, 0 <= x <= 1 -> f'' x <= M) -> f 1 <= f 0 + f' 0 + M / 2.
Proof.
  intros H H' B.
  set (g := fun x => f x - (f' 0 * x + M / 2 * (x * x))).
  assert (Dg : forall x, 0 <= x <= 1 -> is_derive g x (f' x - (f' 0 + M * x))).
  { intros x Hx. apply is_derive_diff; [now apply H|]. auto_derive; [exact I|field]. }
  assert (S : forall x, 0 <= x <= 1 -> f' x - (f' 0 + M * x) <= 0).
  { intros x Hx. destruct (mean_value f' f'' 0 x) as (c & Hc & Hm); [lra|intros y Hy; apply H'; lra|]. assert (Bc := B c ltac:(lra)). nra. }
  destruct (mean_value g (fun x => f' x - (f' 0 + M * x)) 0 1 ltac:(lra) Dg) as (c & Hc & Hm). assert (Sc := S c Hc). unfold g in Hm. lra.
Qed.

Section Moments.
Context {A : Type}.
Variable l : list A.
Variable y : A -> R.
Variable nonempty : l <> [].
Notation mean := (mean l y).

Lemma mean_plus f g : mean (fun t => f t + g t) = mean f + mean g.
Proof. unfold mean. rewrite <- sum_plus. apply sum_ext. intros; ring. Qed.
Lemma mean_scal k f : mean (fun t => k * f t) = k * mean f.
Proof. unfold mean. rewrite <- sum_scal. apply sum_ext. intros; ring. Qed.
Lemma mean_le f g : (forall t, In t l -> f t <= g t) -> mean f <= mean g.
Proof. intros H. apply sum_le. intros t Ht. apply Rmult_le_compat_l; [left; now apply soft_pos|auto]. Qed.
Lemma mean_same f g : (forall t, f t = g t) -> mean f = mean g.
Proof. intros H. apply sum_ext. intros; now rewrite H. Qed.

Definition var x := mean (fun t => (x t - mean x) * (x t - mean x)).
Definition cov x z := mean (fun t => x t * z t) - mean x * mean z.

Lemma var_pos x : 0 <= var x.
Proof. rewrite <- (mean_const l y 0 nonempty). apply mean_le. intros; apply Rle_0_sqr. Qed.

(** Popoviciu. *)
Lemma popoviciu x D : (forall t t', In t l -> In t' l -> x t - x t' <= D) -> var x <= D * D / 4.
Proof.
  intros H. destruct (least l x nonempty) as (a & Ha & La). destruct (largest l x nonempty) as (b & Hb & Lb).
  set (m := mean x). assert (Hm : x a <= m <= x b) by (apply mean_bounds; auto).
  assert (V : var x <= (x b - m) * (m - x a)).
  { assert (E : (x b - m) * (m - x a) = mean (fun t => (x b + x a - 2 * m) * x t + (m * m - x a * x b))).
    { rewrite mean_plus, mean_scal, mean_const by auto. fold m. ring. }
    rewrite E. apply mean_le. intros t Ht. fold m. specialize (La t Ht). specialize (Lb t Ht).
    assert (0 <= (x b - x t) * (x t - x a)) by (apply Rmult_le_pos; lra). nra. }
  assert (x b - x a <= D) by auto. 
  assert ((x b - m) * (m - x a) <= (x b - x a) * (x b - x a) / 4) by (assert (Q := Rle_0_sqr ((x b - m) - (m - x a))); unfold Rsqr in Q; lra).
  nra.
Qed.

Lemma cov_cauchy x z : cov x z * cov x z <= var x * var z.
Proof.
  apply discriminant. intros t.
  assert (E : var x * (t * t) + 2 * cov x z * t + var z = mean (fun u => (t * (x u - mean x) + (z u - mean z)) * (t * (x u - mean x) + (z u - mean z)))).
  { rewrite (mean_same _ (fun u => (t * t) * ((x u - mean x) * (x u - mean x)) + ((2 * t) * (x u * z u) + ((- (2 * t * mean z)) * x u +
      ((- (2 * t * mean x)) * z u + (2 * t * mean x * mean z + (z u - mean z) * (z u - mean z))))))) by (intros; ring).
    rewrite !mean_plus, !mean_scal, mean_const by auto. unfold var, cov. ring. }
  rewrite E. rewrite <- (mean_const l y 0 nonempty). apply mean_le. intros; apply Rle_0_sqr.
Qed.

Lemma cov_bound x z D g : 0 <= D -> 0 <= g -> (forall t t', In t l -> In t' l -> x t - x t' <= g) -> (forall t t', In t l -> In t' l -> z t - z t' <= D) ->
  cov x z * cov x z <= (D * g / 4) * (D * g / 4).
Proof.
  intros HD Hg Hx Hz. apply Rle_trans with (1 := cov_cauchy x z).
  assert (Vx := popoviciu x g Hx). assert (Vz := popoviciu z D Hz). assert (Px := var_pos x). assert (Pz := var_pos z).
  apply Rle_trans with (g * g / 4 * (D * D / 4)); [apply Rmult_le_compat; auto|right; field].
Qed.

(** The third moment that the second derivative of a mean is. *)
Definition third x z := mean (fun t => (x t - mean x) * ((z t - mean z) * (z t - mean z))).

Lemma third_bound x z D g : (forall t t', In t l -> In t' l -> x t - x t' <= g) -> (forall t t', In t l -> In t' l -> z t - z t' <= D) ->
  Rabs (third x z) <= g * (D * D / 4).
Proof.
  intros Hx Hz. assert (Vz := popoviciu z D Hz).
  destruct (least l x nonempty) as (a & Ha & La). destruct (largest l x nonempty) as (b & Hb & Lb).
  assert (Hm : x a <= mean x <= x b) by (apply mean_bounds; auto).
  assert (G : x b - x a <= g) by auto. assert (0 <= g) by lra.
  apply Rle_trans with (g * var z); [|apply Rmult_le_compat_l; auto].
  unfold var. rewrite <- mean_scal.
  assert (B : forall t, In t l -> - g <= x t - mean x <= g) by (intros t Ht; specialize (La t Ht); specialize (Lb t Ht); lra).
  apply Rabs_le. split.
  - replace (- mean (fun t => g * ((z t - mean z) * (z t - mean z)))) with (mean (fun t => - g * ((z t - mean z) * (z t - mean z)))).
    + apply mean_le. intros t Ht. apply Rmult_le_compat_r; [apply Rle_0_sqr|now apply B].
    + rewrite !mean_scal. ring.
  - apply mean_le. intros t Ht. apply Rmult_le_compat_r; [apply Rle_0_sqr|now apply B].
Qed.

Lemma third_form x z : third x z =
  (mean (fun t => x t * z t * z t) - mean (fun t => x t * z t) * mean z) - ((mean (fun t => x t * z t) - mean x * mean z) * mean z + mean x * (mean (fun t => z t * z t) - mean z * mean z)).
Proof.
  unfold third.
  rewrite (mean_same _ (fun t => x t * z t * z t + ((- (2 * mean z)) * (x t * z t) + ((mean z * mean z) * x t + ((- mean x) * (z t * z t) + ((2 * mean x * mean z) * z t + - (mean x * mean z * mean z))))))) by (intros; ring).
  rewrite !mean_plus, !mean_scal, mean_const by auto. ring.
Qed.
End Moments.

Lemma cov_derive {A} (l : list A) (y z x : A -> R) tau : l <> [] ->
  is_derive (fun tau => cov l (along y z tau) x z) tau (third l (along y z tau) x z).
Proof.
  intros N. unfold cov. rewrite third_form by auto.
  apply is_derive_diff; [now apply mean_derive|]. now apply is_derive_prod; apply mean_derive.
Qed.

Section Curvature.
Context {E : space}.
Variable P : problem E.
Variables loss slope curv : R -> R.
Variables lo hi M0 M1 : R.
Notation n := (samples P).
Notation T i := (seq 0 (tokens P i)).
Variables D g : nat -> R.

Definition bounded :=
  regular P loss slope lo hi /\ (forall x, lo <= x <= hi -> is_derive slope x (curv x) /\ Rabs (slope x) <= M1 /\ Rabs (curv x) <= M0) /\
  (forall i, (i < n)%nat -> 0 <= D i /\ 0 <= g i) /\
  (forall i t t', (i < n)%nat -> (t < tokens P i)%nat -> (t' < tokens P i)%nat ->
    norm (vsub (key P i t) (key P i t')) <= D i /\ score P i t - score P i t' <= g i).

Definition Lbar := / INR n * sum (seq 0 n) (fun i => D i * D i * g i * (M0 * g i / 16 + M1 / 4)).

Lemma cov_is_covariance p i u : regular P loss slope lo hi -> (i < n)%nat -> covariance P p i u = cov (T i) (logit P p i) (score P i) (logit P u i).
Proof. intros Reg Hi. unfold covariance, cov. rewrite cov_form; [easy|]. now apply (tokens_nonempty P loss slope lo hi). Qed.

Lemma second_derivative p u tau : bounded ->
  let x := vadd p (vscal tau u) in
  is_derive (fun tau => / INR n * sum (seq 0 n) (fun i => slope (output P (vadd p (vscal tau u)) i) * covariance P (vadd p (vscal tau u)) i u)) tau
    (/ INR n * sum (seq 0 n) (fun i => curv (output P x i) * covariance P x i u * covariance P x i u +
       slope (output P x i) * third (T i) (logit P x i) (score P i) (logit P u i))).
Proof.
  intros (Reg & Hl & _) x. apply is_derive_scal.
  apply (is_derive_sum (seq 0 n) (fun i tau => slope (output P (vadd p (vscal tau u)) i) * covariance P (vadd p (vscal tau u)) i u)
    (fun i tau => curv (output P (vadd p (vscal tau u)) i) * covariance P (vadd p (vscal tau u)) i u * covariance P (vadd p (vscal tau u)) i u +
       slope (output P (vadd p (vscal tau u)) i) * third (T i) (logit P (vadd p (vscal tau u)) i) (score P i) (logit P u i))).
  intros i Hi. apply in_seq in Hi. assert (Hn : (i < n)%nat) by lia.
  assert (N := tokens_nonempty P loss slope lo hi i Reg Hn).
  apply is_derive_value with ((curv (output P (vadd p (vscal tau u)) i) * covariance P (vadd p (vscal tau u)) i u) * covariance P (vadd p (vscal tau u)) i u +
    slope (output P (vadd p (vscal tau u)) i) * third (T i) (logit P (vadd p (vscal tau u)) i) (score P i) (logit P u i)); [|easy].
  apply (is_derive_prod (fun s => slope (output P (vadd p (vscal s u)) i)) (fun s => covariance P (vadd p (vscal s u)) i u)).
  - apply is_derive_value with (scal (covariance P (vadd p (vscal tau u)) i u) (curv (output P (vadd p (vscal tau u)) i))); [|apply Rmult_comm].
    apply (is_derive_comp slope (fun tau => output P (vadd p (vscal tau u)) i)).
    + exact (proj1 (Hl _ (output_bounds P loss slope lo hi _ i Reg Hn))).
    + now apply (output_derive P loss slope lo hi).
  - assert (X : forall s t, along (logit P p i) (logit P u i) s t = logit P (vadd p (vscal s u)) i t) by (intros; now rewrite logit_line).
    apply is_derive_ext with (fun s => cov (T i) (along (logit P p i) (logit P u i) s) (score P i) (logit P u i)).
    + intros s. rewrite cov_is_covariance by auto. unfold cov. now rewrite !(mean_ext _ _ _ _ (X s)).
    + apply is_derive_value with (1 := cov_derive _ _ _ _ tau N).
      unfold third. rewrite !(mean_ext _ _ _ _ (X tau)). easy.
Qed.

Lemma second_bound p u : bounded ->
  Rabs (/ INR n * sum (seq 0 n) (fun i => curv (output P p i) * covariance P p i u * covariance P p i u +
       slope (output P p i) * third (T i) (logit P p i) (score P i) (logit P u i))) <= Lbar * dot u u.
Proof.
  intros (Reg & Hl & Hp & Hd).
  destruct (Nat.eq_dec n 0) as [Z|Nz].
  { unfold Lbar. rewrite Z. simpl. rewrite !Rmult_0_r, Rabs_R0, Rmult_0_l. lra. }
  assert (Pn : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  unfold Lbar. rewrite Rabs_mult, Rabs_pos_eq by lra. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
  apply Rle_trans with (1 := sum_abs _ _). rewrite <- sum_scal_r. apply sum_le. intros i Hi. apply in_seq in Hi. assert (Hn : (i < n)%nat) by lia.
  assert (N := tokens_nonempty P loss slope lo hi i Reg Hn).
  destruct (Hp i Hn) as [HD Hg]. assert (Nu := norm_pos u).
  assert (Rg : forall t t', In t (T i) -> In t' (T i) -> score P i t - score P i t' <= g i).
  { intros t t' Ht Ht'. apply in_seq in Ht. apply in_seq in Ht'. apply Hd; auto; lia. }
  assert (Rz : forall t t', In t (T i) -> In t' (T i) -> logit P u i t - logit P u i t' <= D i * norm u).
  { intros t t' Ht Ht'. apply in_seq in Ht. apply in_seq in Ht'. unfold logit. rewrite <- dot_sub_l.
    apply Rle_trans with (1 := cauchy_schwarz _ _). apply Rmult_le_compat_r; auto. apply Hd; auto; lia. }
  destruct (Hl (output P p i)) as (_ & Hs & Hc); [now apply (output_bounds P loss slope lo hi)|].
  rewrite cov_is_covariance by auto. set (C := cov _ _ _ _). set (Th := third _ _ _ _).
  assert (BC : C * C <= (D i * norm u * g i / 4) * (D i * norm u * g i / 4)).
  { apply cov_bound; auto. apply Rmult_le_pos; auto. }
  assert (BT : Rabs Th <= g i * (D i * norm u * (D i * norm u) / 4)) by (apply third_bound; auto).
  apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rmult_assoc, !Rabs_mult. rewrite <- (Rabs_mult C C), (Rabs_pos_eq (C * C)) by apply Rle_0_sqr.
  apply Rle_trans with (M0 * ((D i * norm u * g i / 4) * (D i * norm u * g i / 4)) + M1 * (g i * (D i * norm u * (D i * norm u) / 4))).
  - apply Rplus_le_compat; apply Rmult_le_compat; auto using Rabs_pos; apply Rle_0_sqr.
  - rewrite <- (norm_sqr u). right. field.
Qed.

(** Second order, both signs: formula (1) is the gradient. *)
Theorem quadratic_bound al p u : bounded -> selection P al ->
  Rabs (L P loss (vadd p u) - L P loss p + dot (minus_gradient P slope al p) u) <= Lbar / 2 * dot u u.
Proof.
  intros B S. assert (Reg := proj1 B).
  set (f := fun tau => L P loss (vadd p (vscal tau u))).
  set (f' := fun tau => / INR n * sum (seq 0 n) (fun i => slope (output P (vadd p (vscal tau u)) i) * covariance P (vadd p (vscal tau u)) i u)).
  set (f2 := fun tau => / INR n * sum (seq 0 n) (fun i => curv (output P (vadd p (vscal tau u)) i) * covariance P (vadd p (vscal tau u)) i u * covariance P (vadd p (vscal tau u)) i u +
       slope (output P (vadd p (vscal tau u)) i) * third (T i) (logit P (vadd p (vscal tau u)) i) (score P i) (logit P u i))).
  assert (D1 : forall x, is_derive f x (f' x)) by (intros; now apply (loss_derive P loss slope lo hi)).
  assert (D2 : forall x, is_derive f' x (f2 x)) by (intros; now apply second_derivative).
  assert (Bd : forall x, Rabs (f2 x) <= Lbar * dot u u) by (intros; now apply second_bound).
  assert (G0 : f' 0 = - dot (minus_gradient P slope al p) u).
  { assert (X : Derive f 0 = f' 0) by (apply is_derive_unique; exact (D1 0)).
    assert (Y : Derive f 0 = - dot (minus_gradient P slope al (vadd p (vscal 0 u))) u)
      by (apply is_derive_unique; exact (gradient P loss slope lo hi al p u 0 Reg S)).
    rewrite <- X, Y. f_equal. apply (gradient_same P slope al), line_start. }
  assert (Ends : f 0 = L P loss p /\ f 1 = L P loss (vadd p u)).
  { split; apply (loss_same P loss); intros z; rewrite !dot_add_l, dot_scal_l; ring. }
  destruct Ends as [<- <-].
  assert (Up := taylor_bound f f' f2 (Lbar * dot u u) (fun x _ => D1 x) (fun x _ => D2 x) (fun x _ => Rle_trans _ _ _ (Rle_abs _) (Bd x))).
  assert (Dn := taylor_bound (fun x => - f x) (fun x => - f' x) (fun x => - f2 x) (Lbar * dot u u)
    (fun x _ => is_derive_opp f x _ (D1 x)) (fun x _ => is_derive_opp f' x _ (D2 x))
    (fun x _ => Rle_trans _ _ _ (Rle_trans _ _ _ (Rle_abs _) (Req_le _ _ (Rabs_Ropp _))) (Bd x))).
  cbv beta in Dn. rewrite G0 in Up, Dn. apply Rabs_le. lra.
Qed.

Theorem descent_lemma al p eta : bounded -> selection P al ->
  let G := minus_gradient P slope al p in
  L P loss (vadd p (vscal eta G)) <= L P loss p - eta * (1 - eta * Lbar / 2) * dot G G.
Proof.
  intros B S G. assert (Q := quadratic_bound al p (vscal eta G) B S). fold G in Q.
  apply Rabs_le_between in Q. destruct Q as [_ Q]. rewrite !dot_scal_r, dot_scal_l in Q. lra.
Qed.
End Curvature.
