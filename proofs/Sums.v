(** Finite sums of real numbers over lists, and the inequalities that the rules rest on:
    monotony, exchange, Jensen for exp, and Cauchy-Schwarz.  No clause of docs/certificate.md by itself. *)
From Coq Require Import Reals List Lra Lia Psatz.
Import ListNotations.
Open Scope R_scope.

Fixpoint sum {A} (l : list A) (f : A -> R) : R :=
  match l with [] => 0 | c :: l => f c + sum l f end.

Section Sums.
Context {A : Type}.
Implicit Types (l : list A) (f g : A -> R).

Lemma sum_ext l f g : (forall c, In c l -> f c = g c) -> sum l f = sum l g.
Proof. induction l as [|c l IH]; simpl; intros H; [easy|]. rewrite H by auto. rewrite IH; auto. Qed.

Lemma sum_plus l f g : sum l (fun c => f c + g c) = sum l f + sum l g.
Proof. induction l as [|c l IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma sum_minus l f g : sum l (fun c => f c - g c) = sum l f - sum l g.
Proof. induction l as [|c l IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma sum_opp l f : sum l (fun c => - f c) = - sum l f.
Proof. induction l as [|c l IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma sum_scal l k f : sum l (fun c => k * f c) = k * sum l f.
Proof. induction l as [|c l IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma sum_scal_r l k f : sum l (fun c => f c * k) = sum l f * k.
Proof. induction l as [|c l IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma sum_const l k : sum l (fun _ => k) = INR (length l) * k.
Proof. induction l as [|c l IH]; [simpl; ring|]. cbn [sum length]. rewrite IH, S_INR. ring. Qed.

Lemma sum_zero l f : (forall c, In c l -> f c = 0) -> sum l f = 0.
Proof. induction l as [|c l IH]; simpl; intros H; [easy|]. rewrite H, IH by auto. ring. Qed.

Lemma sum_le l f g : (forall c, In c l -> f c <= g c) -> sum l f <= sum l g.
Proof.
  induction l as [|c l IH]; simpl; intros H; [lra|].
  assert (f c <= g c) by auto. assert (sum l f <= sum l g) by auto. lra.
Qed.

Lemma sum_lt l f g c : In c l -> f c < g c -> (forall e, In e l -> f e <= g e) -> sum l f < sum l g.
Proof.
  induction l as [|e l IH]; simpl; intros Hc H Hle; [easy|].
  destruct Hc as [->|Hc].
  - assert (sum l f <= sum l g) by (apply sum_le; auto). lra.
  - assert (f e <= g e) by auto. assert (sum l f < sum l g) by auto. lra.
Qed.

Lemma sum_nonneg l f : (forall c, In c l -> 0 <= f c) -> 0 <= sum l f.
Proof. intros H. rewrite <- (sum_zero l (fun _ => 0)) by auto. now apply sum_le. Qed.

Lemma sum_pos l f c : In c l -> 0 < f c -> (forall e, In e l -> 0 <= f e) -> 0 < sum l f.
Proof. intros Hc H H0. rewrite <- (sum_zero l (fun _ => 0)) by auto. now apply sum_lt with c. Qed.

Lemma sum_pos_all l f : l <> [] -> (forall e, In e l -> 0 < f e) -> 0 < sum l f.
Proof. destruct l as [|c l]; [easy|]; intros _ H. apply sum_pos with c; [now left|apply H; now left|].
  intros e He. left. now apply H. Qed.

Lemma sum_term l f c : In c l -> (forall e, In e l -> 0 <= f e) -> f c <= sum l f.
Proof.
  induction l as [|e l IH]; simpl; intros Hc H0; [easy|].
  destruct Hc as [->|Hc].
  - assert (0 <= sum l f) by (apply sum_nonneg; auto). lra.
  - assert (0 <= f e) by auto. assert (f c <= sum l f) by auto. lra.
Qed.

Lemma sum_nonneg_zero l f : (forall c, In c l -> 0 <= f c) -> sum l f = 0 -> forall c, In c l -> f c = 0.
Proof.
  intros H0 H c Hc. assert (f c <= sum l f) by now apply sum_term. assert (0 <= f c) by auto. lra.
Qed.

Lemma sum_abs l f : Rabs (sum l f) <= sum l (fun c => Rabs (f c)).
Proof.
  induction l as [|c l IH]; simpl; [rewrite Rabs_R0; lra|].
  apply Rle_trans with (1 := Rabs_triang _ _). lra.
Qed.

Lemma sum_app l l' f : sum (l ++ l') f = sum l f + sum l' f.
Proof. induction l as [|c l IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma sum_filter l (P : A -> bool) f : sum (filter P l) f = sum l (fun c => if P c then f c else 0).
Proof. induction l as [|c l IH]; simpl; [easy|]. destruct (P c); simpl; rewrite IH; ring. Qed.

Lemma sum_partition l (P : A -> bool) f :
  sum l f = sum (filter P l) f + sum (filter (fun c => negb (P c)) l) f.
Proof. induction l as [|c l IH]; simpl; [ring|]. destruct (P c); simpl; rewrite IH; ring. Qed.
End Sums.

Lemma sum_map {A B} (h : A -> B) l f : sum (map h l) f = sum l (fun c => f (h c)).
Proof. induction l as [|c l IH]; simpl; [easy|]. now rewrite IH. Qed.

Lemma sum_flat_map {A B} (h : A -> list B) l f : sum (flat_map h l) f = sum l (fun i => sum (h i) f).
Proof. induction l as [|c l IH]; simpl; [easy|]. now rewrite sum_app, IH. Qed.

Lemma sum_exchange {A B} (l : list A) (m : list B) f :
  sum l (fun c => sum m (fun e => f c e)) = sum m (fun e => sum l (fun c => f c e)).
Proof.
  induction l as [|c l IH]; simpl.
  - now rewrite sum_zero.
  - now rewrite IH, sum_plus.
Qed.

(** The least and the largest of a non-empty list are attained. *)
Lemma least {A} (l : list A) (f : A -> R) : l <> [] -> exists c, In c l /\ forall e, In e l -> f c <= f e.
Proof.
  induction l as [|c l IH]; [easy|]; intros _.
  destruct l as [|c' l]; [exists c; simpl; split; auto; intros e [->|[]]; lra|].
  destruct IH as [m [Hm Hle]]; [easy|].
  destruct (Rle_dec (f c) (f m)).
  - exists c; split; [now left|]. intros e [->|He]; [lra|]. apply Rle_trans with (f m); auto.
  - exists m; split; [now right|]. intros e [->|He]; [lra|]. auto.
Qed.

Lemma largest {A} (l : list A) (f : A -> R) : l <> [] -> exists c, In c l /\ forall e, In e l -> f e <= f c.
Proof.
  intros H. destruct (least l (fun c => - f c) H) as [c [Hc Hle]].
  exists c; split; auto. intros e He. specialize (Hle e He). lra.
Qed.

(** exp lies above its tangents; z exp(-z) is at most 1/e. *)
Lemma exp_tangent x : 1 + x <= exp x.
Proof.
  destruct (Req_dec x 0) as [->|H]; [rewrite exp_0; lra|]. left. now apply exp_ineq1.
Qed.

Lemma exp_pos_le x y : x <= y -> exp x <= exp y.
Proof. intros [H| ->]; [left; now apply exp_increasing|lra]. Qed.

Lemma z_exp_minus_z z : z * exp (- z) <= exp (-1).
Proof.
  assert (H := exp_tangent (z - 1)).
  replace (exp (-1)) with (exp (z - 1) * exp (- z)) by (rewrite <- exp_plus; f_equal; ring).
  apply Rmult_le_compat_r; [left; apply exp_pos|lra].
Qed.

(** Jensen for exp with weights of sum 1. *)
Lemma jensen_exp {A} (l : list A) (q x : A -> R) :
  (forall c, In c l -> 0 <= q c) -> sum l q = 1 -> exp (sum l (fun c => q c * x c)) <= sum l (fun c => q c * exp (x c)).
Proof.
  intros Hq H1. set (m := sum l (fun c => q c * x c)).
  assert (E : forall c, In c l -> q c * (exp m * (1 + (x c - m))) <= q c * exp (x c)).
  { intros c Hc. apply Rmult_le_compat_l; auto.
    replace (exp (x c)) with (exp m * exp (x c - m)) by (rewrite <- exp_plus; f_equal; ring).
    apply Rmult_le_compat_l; [left; apply exp_pos|apply exp_tangent]. }
  apply sum_le in E.
  apply Rle_trans with (2 := E).
  rewrite (sum_ext _ _ (fun c => exp m * (1 - m) * q c + exp m * (q c * x c))) by (intros; ring).
  rewrite sum_plus, !sum_scal, H1. fold m. right; ring.
Qed.

(** Jensen with positive weights k_c in front of the exponentials: the form (F2) of docs/theory.md 7.1. *)
Lemma jensen_weighted {A} (l : list A) (q k y : A -> R) :
  (forall c, In c l -> 0 < q c) -> (forall c, In c l -> 0 < k c) -> sum l q = 1 ->
  exp (sum l (fun c => q c * ln (k c / q c)) - sum l (fun c => q c * y c)) <= sum l (fun c => k c * exp (- y c)).
Proof.
  intros Hq Hk H1.
  rewrite <- sum_minus.
  rewrite (sum_ext _ _ (fun c => q c * (ln (k c / q c) - y c))) by (intros; ring).
  apply Rle_trans with (sum l (fun c => q c * exp (ln (k c / q c) - y c))).
  - apply jensen_exp; auto. intros c Hc; left; auto.
  - right. apply sum_ext. intros c Hc. unfold Rminus. rewrite exp_plus, exp_ln.
    + specialize (Hq c Hc). field. lra.
    + apply Rdiv_lt_0_compat; auto.
Qed.

(** A quadratic polynomial that is nowhere negative has no positive discriminant. *)
Lemma discriminant a b c : (forall t, 0 <= a * (t * t) + 2 * b * t + c) -> b * b <= a * c.
Proof.
  intros H. destruct (Req_dec a 0) as [->|Ha].
  - destruct (Req_dec b 0) as [->|Hb]; [assert (Hc := H 0); lra|].
    specialize (H (- (c + 1) / (2 * b))). assert (2 * b * (- (c + 1) / (2 * b)) = - (c + 1)) by (field; auto). lra.
  - assert (Ha' : 0 < a).
    { destruct (Rlt_or_le 0 a) as [|L]; auto. exfalso.
      assert (H0 := H 0). assert (c >= 0) by lra.
      set (t := (2 * Rabs b + c + 1) / - a + 1).
      assert (Ht := H t).
      assert (a < 0) by lra.
      assert (E : - a * (t - 1) = 2 * Rabs b + c + 1) by (unfold t; field; lra).
      assert (Hab := Rle_abs b). assert (0 <= Rabs b) by apply Rabs_pos.
      assert (1 <= t) by (unfold t; assert (0 <= (2 * Rabs b + c + 1) / - a) by (apply Rle_mult_inv_pos; lra); lra).
      assert (a * (t * t) + 2 * b * t + c <= t * (a * t + 2 * Rabs b + c)) by nra.
      assert (a * t + 2 * Rabs b + c < 0) by lra. nra. }
    specialize (H (- b / a)).
    replace (a * (- b / a * (- b / a)) + 2 * b * (- b / a) + c) with ((a * c - b * b) / a) in H by (field; lra).
    apply Rmult_le_compat_r with (r := a) in H; [|lra].
    unfold Rdiv in H. rewrite Rmult_0_l, Rmult_assoc, Rinv_l, Rmult_1_r in H; lra.
Qed.

Lemma sum_cauchy {A} (l : list A) (f g : A -> R) :
  sum l (fun c => f c * g c) * sum l (fun c => f c * g c) <= sum l (fun c => f c * f c) * sum l (fun c => g c * g c).
Proof.
  apply discriminant. intros t.
  replace (_ + _ + _) with (sum l (fun c => (t * f c + g c) * (t * f c + g c))).
  - apply sum_nonneg. intros; apply Rle_0_sqr.
  - rewrite (sum_ext _ _ (fun c => (t * t) * (f c * f c) + (2 * t) * (f c * g c) + g c * g c)) by (intros; ring).
    rewrite !sum_plus, !sum_scal. ring.
Qed.

Lemma sqrt_le_of_sq x y : 0 <= y -> x <= y * y -> sqrt x <= y.
Proof. intros Hy H. rewrite <- (sqrt_square y) by auto. now apply sqrt_le_1_alt. Qed.

Lemma le_of_sq x y : 0 <= y -> x * x <= y * y -> x <= y.
Proof. intros. nra. Qed.
