(** The softmax model (docs/theory.md, section 1): attention s_it = exp(k_it.p)/sum exp(k_it'.p), the mixed score f_i = sum_t s_it gamma_it,
    the loss L(p) = (1/n) sum_i l(f_i), and its gradient.  Formula (1), in the form (5) of section 6 that every rule on descent uses:
    -grad L = sum_c q_c a_c,  q_c = (-l'(f_i)/n) s_it (Delta_c - G_i),  over the rows c = (i,t), t <> alpha_i, of ANY selection alpha.
    The derivative is that along every line: d/dtau L(p + tau u) at tau = 0 is the product of the gradient and u (docs/certificate.md 4.20).
    Curvature.v shows that it is the gradient in the usual sense too. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select.
Import ListNotations.
Open Scope R_scope.

Lemma is_derive_sum {A} (l : list A) (f f' : A -> R -> R) x :
  (forall c, In c l -> is_derive (f c) x (f' c x)) -> is_derive (fun t => sum l (fun c => f c t)) x (sum l (fun c => f' c x)).
Proof.
  induction l as [|c l IH]; simpl; intros H.
  - apply (is_derive_const (V := R_NormedModule)).
  - apply (is_derive_plus (V := R_NormedModule) (f c)); auto.
Qed.

Lemma is_derive_value (f : R -> R) (x d d' : R) : is_derive f x d -> d = d' -> is_derive f x d'.
Proof. now intros H <-. Qed.

(** One sample: softmax of logits y_t, t in a list that is not empty. *)
Section Softmax.
Context {A : Type}.
Variable l : list A.

Definition soft (y : A -> R) (t : A) := exp (y t) / sum l (fun u => exp (y u)).
Definition mean (y x : A -> R) := sum l (fun t => soft y t * x t).

Lemma total_pos y : l <> [] -> 0 < sum l (fun u => exp (y u)).
Proof. intros N. apply sum_pos_all; auto. intros; apply exp_pos. Qed.

Lemma soft_pos y t : l <> [] -> 0 < soft y t.
Proof. intros N. apply Rdiv_lt_0_compat; [apply exp_pos|now apply total_pos]. Qed.

Lemma soft_sum y : l <> [] -> sum l (soft y) = 1.
Proof.
  intros N. unfold soft, Rdiv. rewrite sum_scal_r. apply Rinv_r. apply Rgt_not_eq. now apply total_pos.
Qed.

Lemma mean_const y k : l <> [] -> mean y (fun _ => k) = k.
Proof. intros N. unfold mean. rewrite sum_scal_r, soft_sum; auto. ring. Qed.

Lemma mean_bounds y x lo hi : l <> [] -> (forall t, In t l -> lo <= x t <= hi) -> lo <= mean y x <= hi.
Proof.
  intros N H. unfold mean. split.
  - rewrite <- (mean_const y lo N). apply sum_le. intros t Ht. apply Rmult_le_compat_l; [left; now apply soft_pos|now apply H].
  - rewrite <- (mean_const y hi N). apply sum_le. intros t Ht. apply Rmult_le_compat_l; [left; now apply soft_pos|now apply H].
Qed.

(** Softmax along a curve of logits: the derivative of the mean of x is the covariance of x and of that of the logits. *)
Lemma mean_along (y : R -> A -> R) (z x : A -> R) tau : l <> [] -> (forall u, In u l -> is_derive (fun s => y s u) tau (z u)) ->
  is_derive (fun s => mean (y s) x) tau (mean (y tau) (fun t => x t * z t) - mean (y tau) x * mean (y tau) z).
Proof.
  intros N Dy.
  assert (De : forall u, In u l -> is_derive (fun s => exp (y s u)) tau (exp (y tau u) * z u)).
  { intros u Hu. apply is_derive_value with (scal (z u) (exp (y tau u))); [|apply Rmult_comm].
    apply (is_derive_comp exp (fun s => y s u)); [apply is_derive_exp|auto]. }
  assert (Ds := is_derive_sum l (fun u s => exp (y s u)) (fun u s => exp (y s u) * z u) tau De).
  assert (Dx : is_derive (fun s => sum l (fun u => exp (y s u) * x u)) tau (sum l (fun u => exp (y tau u) * z u * x u))).
  { apply (is_derive_sum l (fun u s => exp (y s u) * x u) (fun u s => exp (y s u) * z u * x u)). intros u Hu.
    apply is_derive_value with (x u * (exp (y tau u) * z u)); [|ring].
    apply is_derive_ext with (fun s => x u * exp (y s u)); [intros; apply Rmult_comm|]. apply is_derive_scal. auto. }
  assert (P := total_pos (y tau) N).
  assert (D := is_derive_div _ _ tau _ _ Dx Ds (Rgt_not_eq _ _ P)).
  assert (M : forall s x, mean (y s) x = sum l (fun u => exp (y s u) * x u) / sum l (fun u => exp (y s u))).
  { intros s h. unfold mean, soft, Rdiv. rewrite <- sum_scal_r. apply sum_ext. intros; ring. }
  apply is_derive_ext with (1 := fun s => eq_sym (M s x)).
  apply is_derive_value with (1 := D). rewrite !M.
  rewrite (sum_ext l (fun u => exp (y tau u) * z u * x u) (fun u => exp (y tau u) * (x u * z u))) by (intros; ring).
  set (S := sum l (fun u => exp (y tau u))) in *. field. lra.
Qed.

Definition along (y z : A -> R) (tau : R) : A -> R := fun u => y u + tau * z u.

Lemma mean_derive (y z x : A -> R) tau : l <> [] ->
  is_derive (fun tau => mean (along y z tau) x) tau
    (mean (along y z tau) (fun t => x t * z t) - mean (along y z tau) x * mean (along y z tau) z).
Proof. intros N. apply (mean_along (along y z)); auto. intros u _. unfold along. auto_derive; [exact I|ring]. Qed.

Lemma cov_form y x z : l <> [] -> mean y (fun t => x t * z t) - mean y x * mean y z = sum l (fun t => soft y t * (x t - mean y x) * z t).
Proof.
  intros N. rewrite (sum_ext _ _ (fun t => soft y t * (x t * z t) - mean y x * (soft y t * z t))) by (intros; ring).
  now rewrite sum_minus, sum_scal.
Qed.
End Softmax.

Section Model.
Context {E : space}.
Variable P : problem E.
Variables loss slope : R -> R.
Notation n := (samples P).
Notation T i := (seq 0 (tokens P i)).

Definition logit (p : E) i t := dot (key P i t) p.
Definition attention (p : E) i t := soft (T i) (logit p i) t.
Definition output (p : E) i := mean (T i) (logit p i) (score P i).
Definition L (p : E) := / INR n * sum (seq 0 n) (fun i => loss (output p i)).

(** q_c and the gradient, by the rows of a selection al. *)
Definition deficit al p i := score P i (al i) - output p i.
Definition weight al p (c : nat * nat) := - slope (output p (fst c)) / INR n * attention p (fst c) (snd c) * (gap P al c - deficit al p (fst c)).
Definition minus_gradient al p : E := vsum (rows P al) (fun c => vscal (weight al p c) (row P al c)).

(** There is a token in each sample, and scores lie in an interval on which the loss has a slope. *)
Variables lo hi : R.
Definition regular : Prop := (forall i, (i < n)%nat -> (0 < tokens P i)%nat) /\ (forall i t, (i < n)%nat -> (t < tokens P i)%nat -> lo <= score P i t <= hi) /\ (forall x, lo <= x <= hi -> is_derive loss x (slope x)).

Lemma tokens_nonempty i : regular -> (i < n)%nat -> T i <> [].
Proof. intros [H _] Hi. specialize (H i Hi). now destruct (tokens P i); [lia|]. Qed.

Lemma output_bounds p i : regular -> (i < n)%nat -> lo <= output p i <= hi.
Proof.
  intros Reg Hi. apply mean_bounds; [now apply tokens_nonempty|]. intros t Ht. apply in_seq in Ht. apply Reg; auto. lia.
Qed.

Lemma logit_line p u tau i : forall t, logit (vadd p (vscal tau u)) i t = along (logit p i) (logit u i) tau t.
Proof. intros t. unfold logit, along. rewrite dot_add_r, dot_scal_r. ring. Qed.

Lemma mean_ext {A} (l : list A) y y' x : (forall t, y t = y' t) -> mean l y x = mean l y' x.
Proof.
  intros H. unfold mean, soft. rewrite (sum_ext l (fun u => exp (y u)) (fun u => exp (y' u))) by (intros; now rewrite H).
  apply sum_ext. intros; now rewrite H.
Qed.

Lemma soft_ext {A} (l : list A) y y' t : (forall v, y v = y' v) -> soft l y t = soft l y' t.
Proof. intros H. unfold soft. rewrite H. rewrite (sum_ext l (fun u => exp (y u)) (fun u => exp (y' u))); auto. intros; now rewrite H. Qed.

(** Points that the form does not tell apart have the same outputs, loss and gradient. *)
Lemma output_same x y i : same x y -> output x i = output y i.
Proof. intros S. apply mean_ext. intros t. now apply same_r. Qed.
Lemma loss_same x y : same x y -> L x = L y.
Proof. intros S. unfold L. f_equal. apply sum_ext. intros i _. now rewrite (output_same x y). Qed.
Lemma gradient_same al x y : same x y -> same (minus_gradient al x) (minus_gradient al y).
Proof.
  intros S z. unfold minus_gradient. rewrite !dot_vsum_l. apply sum_ext. intros c _. rewrite !dot_scal_l. unfold weight, deficit, attention.
  rewrite (output_same x y) by auto. now rewrite (soft_ext _ (logit x (fst c)) (logit y (fst c))) by (intros v; now apply same_r).
Qed.

(** d/dtau f_i(p + tau u) = Cov(k_it.u, gamma_it) under attention. *)
Definition covariance p i (u : E) := sum (T i) (fun t => attention p i t * (score P i t - output p i) * logit u i t).

(** Along a curve whose products have the derivatives of those of u. *)
Definition heads (p : R -> E) tau (u : E) := forall z, is_derive (fun s => dot (p s) z) tau (dot u z).

Lemma heads_line p u tau : heads (fun s => vadd p (vscal s u)) tau u.
Proof.
  intros z. apply is_derive_ext with (fun s => dot p z + s * dot u z); [intros s; now rewrite dot_add_l, dot_scal_l|]. auto_derive; [exact I|ring].
Qed.

Lemma output_along (p : R -> E) u tau i : regular -> (i < n)%nat -> heads p tau u -> is_derive (fun s => output (p s) i) tau (covariance (p tau) i u).
Proof.
  intros Reg Hi H. assert (N := tokens_nonempty i Reg Hi).
  apply is_derive_value with (1 := mean_along (T i) (fun s => logit (p s) i) (logit u i) (score P i) tau N
    (fun x _ => is_derive_ext _ _ _ _ (fun s => dot_sym (p s) (key P i x)) (is_derive_value _ _ _ _ (H (key P i x)) (dot_sym u (key P i x))))).
  now apply cov_form.
Qed.

Lemma loss_along (p : R -> E) u tau : regular -> heads p tau u ->
  is_derive (fun s => L (p s)) tau (/ INR n * sum (seq 0 n) (fun i => slope (output (p tau) i) * covariance (p tau) i u)).
Proof.
  intros Reg H. apply is_derive_scal.
  apply (is_derive_sum (seq 0 n) (fun i s => loss (output (p s) i)) (fun i s => slope (output (p s) i) * covariance (p s) i u)).
  intros i Hi. apply in_seq in Hi. assert (Hn : (i < n)%nat) by lia.
  apply is_derive_value with (scal (covariance (p tau) i u) (slope (output (p tau) i))); [|apply Rmult_comm].
  apply (is_derive_comp loss (fun s => output (p s) i)).
  - apply Reg. now apply output_bounds.
  - now apply output_along.
Qed.

(** Along a line: d/dtau f_i(p + tau u), d/dtau L(p + tau u). *)
Lemma output_derive p u tau i : regular -> (i < n)%nat ->
  is_derive (fun tau => output (vadd p (vscal tau u)) i) tau (covariance (vadd p (vscal tau u)) i u).
Proof. intros Reg Hi. apply (output_along (fun s => vadd p (vscal s u))); auto using heads_line. Qed.

Theorem loss_derive p u tau : regular ->
  is_derive (fun tau => L (vadd p (vscal tau u))) tau
    (/ INR n * sum (seq 0 n) (fun i => slope (output (vadd p (vscal tau u)) i) * covariance (vadd p (vscal tau u)) i u)).
Proof. intros Reg. apply (loss_along (fun s => vadd p (vscal s u))); auto using heads_line. Qed.

(** Covariances do not change when the keys are taken relative to the selected token (formula (1)). *)
Lemma covariance_rows al p i u : regular -> selection P al -> (i < n)%nat ->
  covariance p i u = - sum (others (tokens P i) (al i)) (fun t => attention p i t * (score P i t - output p i) * dot (row P al (i, t)) u).
Proof.
  intros Reg S Hi. assert (N := tokens_nonempty i Reg Hi). unfold covariance.
  assert (Z : sum (T i) (fun t => attention p i t * (score P i t - output p i)) = 0).
  { rewrite (sum_ext _ _ (fun t => attention p i t * score P i t - attention p i t * output p i)) by (intros; ring).
    rewrite sum_minus, sum_scal_r. unfold attention. rewrite (soft_sum _ _ N). unfold output, mean. ring. }
  rewrite (sum_ext _ _ (fun t => - (attention p i t * (score P i t - output p i) * dot (row P al (i, t)) u) +
    attention p i t * (score P i t - output p i) * logit u i (al i))).
  - rewrite sum_plus, sum_opp, sum_scal_r, Z, (sum_others _ (al i)) by now apply S.
    unfold row at 1. simpl fst. simpl snd. rewrite dot_sub_l. ring.
  - intros t _. unfold row, logit. simpl fst. simpl snd. rewrite dot_sub_l. ring.
Qed.

(** Formula (1)/(5). *)
Theorem gradient_along al (p : R -> E) u tau : regular -> selection P al -> heads p tau u ->
  is_derive (fun s => L (p s)) tau (- dot (minus_gradient al (p tau)) u).
Proof.
  intros Reg S H. apply is_derive_value with (1 := loss_along p u tau Reg H).
  unfold minus_gradient. rewrite dot_vsum_l, sum_rows, <- sum_scal, <- sum_opp. apply sum_ext. intros i Hi. apply in_seq in Hi.
  rewrite (covariance_rows al) by (auto; lia).
  rewrite <- sum_opp, <- !sum_scal, <- sum_opp. apply sum_ext. intros t _. rewrite dot_scal_l.
  unfold weight, gap, deficit. simpl fst. simpl snd. unfold Rdiv. ring.
Qed.

Theorem gradient al p u tau : regular -> selection P al ->
  is_derive (fun tau => L (vadd p (vscal tau u))) tau (- dot (minus_gradient al (vadd p (vscal tau u))) u).
Proof. intros Reg S. apply (gradient_along al (fun s => vadd p (vscal s u))); auto using heads_line. Qed.

(** Attention and outputs by the rows of a selection: s_it = s_ialpha exp(-y_it), s_ialpha (1 + E_i) = 1, G_i = sum_t s_it Delta_it. *)
Lemma attention_ratio al p i t : attention p i t = attention p i (al i) * exp (- dot (row P al (i, t)) p).
Proof.
  unfold attention, soft, Rdiv. rewrite Rmult_assoc, (Rmult_comm (/ _)), <- Rmult_assoc, <- exp_plus. do 2 f_equal.
  unfold row, logit. simpl. rewrite dot_sub_l. ring.
Qed.

Lemma attention_le_1 p i t : regular -> (i < n)%nat -> (t < tokens P i)%nat -> 0 < attention p i t <= 1.
Proof.
  intros Reg Hi Ht. assert (N := tokens_nonempty i Reg Hi). split; [now apply soft_pos|].
  rewrite <- (soft_sum (T i) (logit p i) N). apply (sum_term (T i) (soft (T i) (logit p i))); [apply in_seq; lia|].
  intros; left; now apply soft_pos.
Qed.

Definition others_weight al p i := sum (others (tokens P i) (al i)) (fun t => exp (- dot (row P al (i, t)) p)).

Lemma attention_total al p i : regular -> selection P al -> (i < n)%nat -> attention p i (al i) * (1 + others_weight al p i) = 1.
Proof.
  intros Reg S Hi. assert (N := tokens_nonempty i Reg Hi). rewrite <- (soft_sum (T i) (logit p i) N) at 2.
  rewrite (sum_others _ (al i)) by now apply S. unfold others_weight. rewrite Rmult_plus_distr_l, Rmult_1_r, <- sum_scal. f_equal.
  apply sum_ext. intros t _. symmetry. exact (attention_ratio al p i t).
Qed.

Lemma attention_selected al p i : regular -> selection P al -> (i < n)%nat -> attention p i (al i) = / (1 + others_weight al p i).
Proof.
  intros Reg S Hi. assert (T0 := attention_total al p i Reg S Hi). assert (W : 0 <= others_weight al p i) by (apply sum_nonneg; intros; left; apply exp_pos).
  apply Rmult_eq_reg_r with (1 + others_weight al p i); [rewrite T0; field; lra|lra].
Qed.

Lemma attention_others al p i : regular -> selection P al -> (i < n)%nat -> sum (others (tokens P i) (al i)) (attention p i) = 1 - attention p i (al i).
Proof.
  intros Reg S Hi. assert (N := tokens_nonempty i Reg Hi). assert (X : attention p i (al i) + sum (others (tokens P i) (al i)) (attention p i) = 1); [|lra].
  rewrite <- (soft_sum (T i) (logit p i) N), (sum_others (tokens P i) (al i)) by now apply S. reflexivity.
Qed.

Lemma deficit_form al p i : regular -> selection P al -> (i < n)%nat ->
  deficit al p i = sum (others (tokens P i) (al i)) (fun t => attention p i t * gap P al (i, t)).
Proof.
  intros Reg S Hi. assert (N := tokens_nonempty i Reg Hi). unfold deficit, output.
  rewrite <- (mean_const (T i) (logit p i) (score P i (al i)) N) at 1. unfold mean. rewrite <- sum_minus.
  rewrite (sum_others _ (al i)) by now apply S. rewrite Rminus_diag_eq by easy. rewrite Rplus_0_l.
  apply sum_ext. intros t _. unfold attention, gap. simpl. ring.
Qed.
(** G_i = sum_t exp(-y_it) Delta_it / (1 + E_i). *)
Lemma deficit_rows al p i : regular -> selection P al -> (i < n)%nat ->
  deficit al p i = sum (others (tokens P i) (al i)) (fun t => exp (- dot (row P al (i, t)) p) * gap P al (i, t)) / (1 + others_weight al p i).
Proof.
  intros Reg S Hi. rewrite deficit_form by auto. unfold Rdiv. rewrite <- sum_scal_r. apply sum_ext. intros t _.
  rewrite (attention_ratio al), attention_selected by auto. ring.
Qed.
End Model.
