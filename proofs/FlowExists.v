(** Gradient flow exists (docs/theory.md, section 6): a field whose components are Lipschitz has a curve p' = F(p) from every start, for all time t >= 0.
    - `system_exists`: finitely many numbers x_c with x_c' = f_c(x), by Picard's iteration x_{n+1}(t) = x_0 + int_0^t f(x_n).  With k >= the Lipschitz constant, a difference of
      B exp(2kt) becomes one of (B/2) exp(2kt): the differences of the iterates fall by halves, and no factorials are needed.
    - `field_exists`: in any space, fields sum_c q_c(p) a_c of finitely many vectors with Lipschitz q_c; `coordinates_exist`, `matrices_exist`: every Lipschitz field of R^d and of matrices.
    - `curves_meet`: from one start there is one curve (Gronwall).  FlowModel.v: -grad L is such a field. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Limits Flow.
Import ListNotations.
Open Scope R_scope.

(** What moves by no more than a continuous function that is 0 at t is continuous there. *)
Lemma continuous_within (g h : R -> R) t : continuous h t -> h t = 0 -> (forall s, Rabs (g s - g t) <= h s) -> continuous g t.
Proof.
  intros C H0 B. apply filterlim_locally. intros e. apply filterlim_locally with (eps := e) in C. apply filter_imp with (2 := C). intros s Hs.
  change (Rabs (h s - h t) < e) in Hs. change (Rabs (g s - g t) < e). rewrite H0, Rminus_0_r in Hs. apply Rle_lt_trans with (1 := B s). apply Rle_lt_trans with (2 := Hs), Rle_abs.
Qed.

Lemma continuous_sum {A} (l : list A) (f : A -> R -> R) t : (forall c, In c l -> continuous (f c) t) -> continuous (fun s => sum l (fun c => f c s)) t.
Proof.
  induction l as [|c l IH]; simpl; intros H; [apply continuous_const|]. apply (continuous_plus (f c)); auto.
Qed.

Lemma antiderivative (f : R -> R) t : (forall s, continuous f s) -> is_derive (fun t => RInt f 0 t) t (f t).
Proof.
  intros C. apply (is_derive_RInt (V := R_NormedModule) f (fun t => RInt f 0 t) 0 t); [|apply C]. apply filter_forall. intros s.
  apply (RInt_correct (V := R_CompleteNormedModule)). apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros; apply C.
Qed.

Lemma half_small B e : 0 < e -> exists n, B * (/ 2) ^ n < e.
Proof.
  intros He. destruct (pow_lt_1_zero (/ 2) ltac:(rewrite Rabs_pos_eq; lra) (e / (Rabs B + 1)) ltac:(apply Rdiv_lt_0_compat; [lra|assert (X := Rabs_pos B); lra])) as [n Hn].
  exists n. specialize (Hn n (le_n n)). assert (Pb := Rabs_pos B). assert (Ph : 0 < (/ 2) ^ n) by (apply pow_lt; lra). rewrite Rabs_pos_eq in Hn by lra.
  apply Rmult_lt_compat_l with (r := Rabs B + 1) in Hn; [|lra]. replace ((Rabs B + 1) * (e / (Rabs B + 1))) with e in Hn by (field; lra).
  assert (Le := Rle_abs B). assert (B * (/ 2) ^ n <= (Rabs B + 1) * (/ 2) ^ n) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(** ** Finitely many numbers *)
Section System.
Context {A : Type}.
Variables (l : list A) (f : (A -> R) -> A -> R) (K : R) (x0 : A -> R).
Variable K_pos : 0 <= K.
Variable lipschitz : forall x y c, In c l -> Rabs (f x c - f y c) <= K * sum l (fun e => Rabs (x e - y e)).

Let k := K * INR (length l) + 1.
Lemma k_pos : 0 < k.
Proof. unfold k. assert (0 <= K * INR (length l)) by (apply Rmult_le_pos; [auto|apply pos_INR]). lra. Qed.

Lemma field_near x y c B : In c l -> (forall e, In e l -> Rabs (x e - y e) <= B) -> Rabs (f x c - f y c) <= k * B.
Proof.
  intros Hc H. apply Rle_trans with (1 := lipschitz x y c Hc). assert (S := sum_le l _ _ H). rewrite sum_const in S.
  apply Rmult_le_compat_l with (r := K) in S; auto. assert (B0 := Rle_trans _ _ _ (Rabs_pos _) (H c Hc)). unfold k. lra.
Qed.

Lemma field_same x y c : In c l -> (forall e, In e l -> x e = y e) -> f x c = f y c.
Proof.
  intros Hc H. assert (B := field_near x y c 0 Hc (fun e He => Req_le _ _ (eq_trans (f_equal Rabs (Rminus_diag_eq _ _ (H e He))) Rabs_R0))).
  rewrite Rmult_0_r in B. apply Rminus_diag_uniq, Rabs_eq_0. assert (X := Rabs_pos (f x c - f y c)). lra.
Qed.

Lemma field_continuous (x : R -> A -> R) t c : In c l -> (forall e, In e l -> continuous (fun s => x s e) t) -> continuous (fun s => f (x s) c) t.
Proof.
  intros Hc H. apply continuous_within with (fun s => K * sum l (fun e => Rabs (x s e - x t e))).
  - apply (continuous_mult (fun _ => K)); [apply continuous_const|]. apply continuous_sum. intros e He.
    apply (continuous_comp (fun s => x s e - x t e) Rabs); [|apply continuous_Rabs]. apply (continuous_minus (fun s => x s e)); [now apply H|apply continuous_const].
  - rewrite sum_zero; [ring|]. intros e _. rewrite Rminus_diag_eq by easy. apply Rabs_R0.
  - intros s. now apply lipschitz.
Qed.

(** A difference whose derivative is at most k B exp(2ks) is at most (B/2) exp(2kt). *)
Lemma halved (u u' : R -> R) B t : 0 <= t -> 0 <= B -> u 0 = 0 -> (forall s, 0 <= s <= t -> is_derive u s (u' s)) ->
  (forall s, 0 <= s <= t -> Rabs (u' s) <= k * (B * exp (2 * k * s))) -> Rabs (u t) <= B * / 2 * exp (2 * k * t).
Proof.
  intros Ht HB U0 Du Bu.
  assert (De : forall s, is_derive (fun s => B * / 2 * exp (2 * k * s)) s (k * (B * exp (2 * k * s)))) by (intros s; auto_derive; [exact I|field]).
  assert (Up : B * / 2 * exp (2 * k * 0) - u 0 <= B * / 2 * exp (2 * k * t) - u t).
  { apply (rises (fun s => B * / 2 * exp (2 * k * s) - u s) (fun s => k * (B * exp (2 * k * s)) - u' s)); auto; intros s Hs; [now apply is_derive_diff; auto|].
    specialize (Bu s Hs). apply Rabs_le_between in Bu. lra. }
  assert (Dn : B * / 2 * exp (2 * k * 0) - - u 0 <= B * / 2 * exp (2 * k * t) - - u t).
  { apply (rises (fun s => B * / 2 * exp (2 * k * s) - - u s) (fun s => k * (B * exp (2 * k * s)) - - u' s)); auto; intros s Hs.
    - apply is_derive_diff; auto. apply (is_derive_opp (V := R_NormedModule) u). auto.
    - specialize (Bu s Hs). apply Rabs_le_between in Bu. lra. }
  rewrite Rmult_0_r, exp_0, U0 in Up, Dn. apply Rabs_le. lra.
Qed.

(** The iterates; |s| in place of s, as only t >= 0 counts and an integral must have both sides of 0. *)
Definition follow (x : R -> A -> R) (t : R) (c : A) : R := x0 c + RInt (fun s => f (x (Rabs s)) c) 0 t.
Fixpoint iterate n : R -> A -> R := match n with O => fun _ => x0 | S n => follow (iterate n) end.
Definition steady (x : R -> A -> R) := forall c t, In c l -> continuous (fun s => x (Rabs s) c) t.

Lemma follow_start x c : follow x 0 c = x0 c.
Proof. unfold follow. rewrite RInt_point. apply Rplus_0_r. Qed.

Lemma follow_derive x c t : steady x -> In c l -> is_derive (fun t => follow x t c) t (f (x (Rabs t)) c).
Proof.
  intros C Hc. apply is_derive_value with (0 + f (x (Rabs t)) c); [|ring].
  apply (is_derive_plus (V := R_NormedModule) (fun _ => x0 c)); [apply (is_derive_const (V := R_NormedModule))|].
  apply (antiderivative (fun s => f (x (Rabs s)) c)). intros s. apply (field_continuous (fun s => x (Rabs s))); auto.
Qed.

Lemma follow_steady x : steady x -> steady (follow x).
Proof.
  intros C c t Hc. apply (continuous_comp Rabs (fun t => follow x t c)); [apply continuous_Rabs|].
  apply (ex_derive_continuous (V := R_NormedModule)). exists (f (x (Rabs (Rabs t))) c). now apply follow_derive.
Qed.

Lemma iterate_steady n : steady (iterate n).
Proof. induction n; [intros c t _; apply continuous_const|now apply follow_steady]. Qed.

(** Two curves that are near stay so, twice as near. *)
Lemma follow_near x y B t c : steady x -> steady y -> 0 <= t -> 0 <= B -> In c l ->
  (forall s e, 0 <= s -> In e l -> Rabs (x s e - y s e) <= B * exp (2 * k * s)) -> Rabs (follow x t c - follow y t c) <= B * / 2 * exp (2 * k * t).
Proof.
  intros Cx Cy Ht HB Hc H. apply (halved (fun t => follow x t c - follow y t c) (fun s => f (x (Rabs s)) c - f (y (Rabs s)) c)); auto.
  - rewrite !follow_start. ring.
  - intros s _. apply is_derive_diff; now apply follow_derive.
  - intros s Hs. rewrite (Rabs_pos_eq s) by lra. apply field_near; auto. intros e He. apply H; auto; lra.
Qed.

Let M := sum l (fun c => Rabs (f x0 c)) / k.
Lemma M_pos : 0 <= M.
Proof. apply Rle_mult_inv_pos; [apply sum_nonneg; intros; apply Rabs_pos|apply k_pos]. Qed.

Lemma iterate_step n t c : 0 <= t -> In c l -> Rabs (iterate (S n) t c - iterate n t c) <= M * (/ 2) ^ S n * exp (2 * k * t).
Proof.
  assert (Mp := M_pos). assert (Kp := k_pos). revert t c. induction n as [|n IH]; intros t c Ht Hc.
  - simpl pow. rewrite Rmult_1_r. apply (halved (fun t => iterate 1 t c - x0 c) (fun _ => f x0 c)); auto.
    + simpl. rewrite follow_start. ring.
    + intros s _. apply is_derive_value with (f x0 c - 0); [|ring]. apply is_derive_diff; [|apply (is_derive_const (V := R_NormedModule))].
      exact (follow_derive (iterate 0) c s (iterate_steady 0) Hc).
    + intros s Hs. apply Rle_trans with (k * M); [|apply Rmult_le_compat_l; [lra|]].
      * unfold M. replace (k * (sum l (fun c => Rabs (f x0 c)) / k)) with (sum l (fun c => Rabs (f x0 c))) by (field; lra).
        apply (sum_term l (fun c => Rabs (f x0 c))); auto. intros; apply Rabs_pos.
      * rewrite <- (Rmult_1_r M) at 1. apply Rmult_le_compat_l; auto. assert (T := exp_tangent (2 * k * s)). assert (0 <= 2 * k * s) by nra. lra.
  - replace (M * (/ 2) ^ S (S n)) with (M * (/ 2) ^ S n * / 2) by (simpl; ring).
    apply (follow_near (iterate (S n)) (iterate n)); auto using iterate_steady. apply Rmult_le_pos; [auto|apply pow_le; lra].
Qed.

Lemma iterate_far n j t c : 0 <= t -> In c l -> Rabs (iterate (n + j) t c - iterate n t c) <= M * (/ 2) ^ n * exp (2 * k * t) * (1 - (/ 2) ^ j).
Proof.
  intros Ht Hc. induction j as [|j IH].
  - rewrite Nat.add_0_r, Rminus_diag_eq, Rabs_R0 by easy. simpl. lra.
  - rewrite Nat.add_succ_r. assert (St := iterate_step (n + j) t c Ht Hc).
    replace (iterate (S (n + j)) t c - iterate n t c) with ((iterate (S (n + j)) t c - iterate (n + j) t c) + (iterate (n + j) t c - iterate n t c)) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). simpl pow in *. rewrite pow_add in St. lra.
Qed.

Lemma iterate_within n m t c : 0 <= t -> In c l -> (n <= m)%nat -> Rabs (iterate m t c - iterate n t c) <= M * (/ 2) ^ n * exp (2 * k * t).
Proof.
  intros Ht Hc Hm. replace m with (n + (m - n))%nat by lia. apply Rle_trans with (1 := iterate_far n (m - n) t c Ht Hc).
  assert (Pj : 0 < (/ 2) ^ (m - n)) by (apply pow_lt; lra). assert (Mp := M_pos). assert (Pn : 0 < (/ 2) ^ n) by (apply pow_lt; lra). assert (Pe := exp_pos (2 * k * t)).
  assert (0 <= M * (/ 2) ^ n * exp (2 * k * t)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra). nra.
Qed.

Definition limit (t : R) (c : A) : R := real (Lim_seq (fun n => iterate n t c)).

Lemma limit_lim t c : 0 <= t -> In c l -> is_lim_seq (fun n => iterate n t c) (limit t c).
Proof.
  intros Ht Hc. apply Lim_seq_correct', ex_lim_seq_cauchy_corr. intros e. destruct (half_small (2 * (M * exp (2 * k * t))) e (cond_pos e)) as [N HN]. exists N. intros n m Hn Hm.
  replace (iterate n t c - iterate m t c) with ((iterate n t c - iterate N t c) - (iterate m t c - iterate N t c)) by ring.
  assert (B1 := iterate_within N n t c Ht Hc Hn). assert (B2 := iterate_within N m t c Ht Hc Hm). unfold Rminus at 1.
  apply Rle_lt_trans with (1 := Rabs_triang _ _). rewrite Rabs_Ropp. lra.
Qed.

Lemma limit_near n t c : 0 <= t -> In c l -> Rabs (limit t c - iterate n t c) <= M * (/ 2) ^ n * exp (2 * k * t).
Proof.
  intros Ht Hc. assert (Lm := proj1 (is_lim_seq_incr_n _ n _) (limit_lim t c Ht Hc)).
  assert (Ld := is_lim_seq_minus' _ _ _ _ Lm (is_lim_seq_const (iterate n t c))). apply is_lim_seq_abs in Ld.
  apply (is_lim_seq_le _ (fun _ => M * (/ 2) ^ n * exp (2 * k * t)) _ (M * (/ 2) ^ n * exp (2 * k * t))) in Ld; [exact Ld| |apply is_lim_seq_const].
  intros m. apply iterate_within; auto. lia.
Qed.

Lemma limit_steady : steady limit.
Proof.
  intros c t Hc. apply filterlim_locally. intros e. set (T := Rabs t + 1). destruct (half_small (3 * (M * exp (2 * k * T))) e (cond_pos e)) as [n Hn].
  assert (Ph : 0 < (/ 2) ^ n) by (apply pow_lt; lra). assert (Mp := M_pos). assert (Kp := k_pos).
  assert (Pd : 0 < e / 3) by (assert (X := cond_pos e); lra).
  assert (C := proj1 (filterlim_locally _ _) (iterate_steady n c t Hc) (mkposreal _ Pd)).
  assert (Nt : locally t (fun s => Rabs (s - t) < 1)) by (exists (mkposreal 1 Rlt_0_1); intros s Hs; exact Hs).
  apply filter_imp with (2 := filter_and _ _ C Nt). intros s [Hs Hs1]. change (Rabs (iterate n (Rabs s) c - iterate n (Rabs t) c) < e / 3) in Hs.
  change (Rabs (limit (Rabs s) c - limit (Rabs t) c) < e).
  assert (Near : forall u, Rabs u <= T -> Rabs (limit (Rabs u) c - iterate n (Rabs u) c) < e / 3).
  { intros u Hu. apply Rle_lt_trans with (1 := limit_near n (Rabs u) c (Rabs_pos u) Hc). apply Rle_lt_trans with (M * (/ 2) ^ n * exp (2 * k * T)); [|lra].
    apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. apply exp_pos_le, Rmult_le_compat_l; lra. }
  assert (X := Rabs_triang_inv s t). assert (N1 := Near s ltac:(unfold T; lra)).
  assert (N2 := Near t ltac:(unfold T; lra)). apply Rabs_lt_between in N1. apply Rabs_lt_between in N2. apply Rabs_lt_between in Hs. apply Rabs_lt_between. lra.
Qed.

Lemma limit_fixed t c : 0 <= t -> In c l -> follow limit t c = limit t c.
Proof.
  intros Ht Hc. apply Rminus_diag_uniq, Rabs_eq_0, Rle_antisym; [|apply Rabs_pos]. apply Rnot_lt_le. intros Pos.
  destruct (half_small (M * exp (2 * k * t)) _ Pos) as [n Hn]. assert (Mp := M_pos). assert (Ph : 0 < (/ 2) ^ n) by (apply pow_lt; lra).
  assert (F := follow_near limit (iterate n) (M * (/ 2) ^ n) t c limit_steady (iterate_steady n) Ht (Rmult_le_pos _ _ Mp (Rlt_le _ _ Ph)) Hc (fun s e => limit_near n s e)).
  assert (N := limit_near (S n) t c Ht Hc). simpl in N. set (y := follow (iterate n) t c) in *.
  replace (follow limit t c - limit t c) with ((follow limit t c - y) - (limit t c - y)) in Hn by ring. unfold Rminus at 1 in Hn.
  assert (T := Rabs_triang (follow limit t c - y) (- (limit t c - y))). rewrite Rabs_Ropp in T. lra.
Qed.

Theorem system_exists : exists x : R -> A -> R, (forall c, x 0 c = x0 c) /\ forall t c, 0 <= t -> In c l -> is_derive (fun s => x s c) t (f (x t) c).
Proof.
  exists (follow limit). split; [intros; apply follow_start|]. intros t c Ht Hc.
  apply is_derive_value with (1 := follow_derive limit c t limit_steady Hc). rewrite Rabs_pos_eq by auto. apply field_same; auto. intros e He. symmetry. now apply limit_fixed.
Qed.
End System.

(** ** Curves in a space *)
Lemma curve_same {E : space} (p q : R -> E) t g k : (forall s, same (p s) (q s)) -> same g k -> curve_derives p t g -> curve_derives q t k.
Proof.
  intros H G [D1 D2]. split.
  - intros z. apply is_derive_ext with (1 := fun s => H s z). apply is_derive_value with (1 := D1 z). apply G.
  - apply is_derive_ext with (f := fun s => dot (p s) (p s)); [intros s; now rewrite (H s), (same_r _ _ (q s) (H s))|]. apply is_derive_value with (1 := D2). now rewrite (G (p t)), (same_r _ _ k (H t)).
Qed.

Section Spans.
Context {E : space} {A : Type}.
Variables (l : list A) (a : A -> E) (p0 : E).
Definition point (x : A -> R) : E := vadd p0 (vsum l (fun c => vscal (x c) (a c))).

Lemma point_dot x z : dot (point x) z = dot p0 z + sum l (fun c => x c * dot (a c) z).
Proof. unfold point. rewrite dot_add_l, dot_vsum_l. f_equal. apply sum_ext. intros; apply dot_scal_l. Qed.

Lemma point_near x y : norm (vsub (point x) (point y)) <= sum l (fun c => norm (a c)) * sum l (fun c => Rabs (x c - y c)).
Proof.
  assert (S : same (vsub (point x) (point y)) (vsum l (fun c => vscal (x c - y c) (a c)))).
  { intros z. rewrite dot_sub_l, !point_dot, dot_vsum_l. rewrite (sum_ext l (fun c => dot (vscal (x c - y c) (a c)) z) (fun c => x c * dot (a c) z - y c * dot (a c) z)) by (intros; rewrite dot_scal_l; ring).
    rewrite sum_minus. ring. }
  rewrite (same_norm _ _ S). apply Rle_trans with (1 := norm_vsum _ _). rewrite <- sum_scal_r. apply sum_le. intros c Hc. rewrite norm_scal, Rmult_comm.
  apply Rmult_le_compat_l; [apply norm_pos|]. apply (sum_term l (fun c => Rabs (x c - y c))); auto. intros; apply Rabs_pos.
Qed.

Lemma point_curve (x : R -> A -> R) (x' : A -> R) t : (forall c, In c l -> is_derive (fun s => x s c) t (x' c)) -> curve_derives (fun s => point (x s)) t (vsum l (fun c => vscal (x' c) (a c))).
Proof.
  intros H. set (g := vsum l (fun c => vscal (x' c) (a c))).
  assert (G : forall z, dot g z = sum l (fun c => x' c * dot (a c) z)) by (intros z; unfold g; rewrite dot_vsum_l; apply sum_ext; intros; apply dot_scal_l).
  assert (D : forall z, is_derive (fun s => dot (point (x s)) z) t (dot g z)).
  { intros z. apply is_derive_ext with (1 := fun s => eq_sym (point_dot (x s) z)). apply is_derive_value with (0 + dot g z); [|ring].
    apply (is_derive_plus (V := R_NormedModule) (fun _ => dot p0 z)); [apply (is_derive_const (V := R_NormedModule))|]. rewrite G.
    apply (is_derive_sum l (fun c s => x s c * dot (a c) z) (fun c _ => x' c * dot (a c) z)). intros c Hc.
    apply is_derive_value with (x' c * dot (a c) z + x t c * 0); [|ring]. apply is_derive_prod; [now apply H|apply (is_derive_const (V := R_NormedModule))]. }
  split; [exact D|]. apply is_derive_ext with (f := fun s => dot (point (x s)) p0 + sum l (fun c => x s c * dot (point (x s)) (a c))).
  { intros s. rewrite (point_dot (x s) (point (x s))), (dot_sym p0). f_equal. apply sum_ext. intros c _. now rewrite (dot_sym (a c)). }
  apply is_derive_value with (dot g p0 + sum l (fun c => x' c * dot (point (x t)) (a c) + x t c * dot g (a c))).
  - apply (is_derive_plus (V := R_NormedModule) (fun s => dot (point (x s)) p0)); [apply D|].
    apply (is_derive_sum l (fun c s => x s c * dot (point (x s)) (a c)) (fun c _ => x' c * dot (point (x t)) (a c) + x t c * dot g (a c))). intros c Hc.
    apply (is_derive_prod (fun s => x s c) (fun s => dot (point (x s)) (a c))); [now apply H|apply D].
  - rewrite sum_plus. rewrite (sum_ext l (fun c => x' c * dot (point (x t)) (a c)) (fun c => x' c * dot (a c) (point (x t)))) by (intros; now rewrite dot_sym). rewrite <- G.
    rewrite (dot_sym g (point (x t))), point_dot, (dot_sym g p0). rewrite (sum_ext l (fun c => x t c * dot g (a c)) (fun c => x t c * dot (a c) g)) by (intros; now rewrite dot_sym). ring.
Qed.

Theorem field_exists (q : E -> A -> R) K : 0 <= K -> (forall x y c, In c l -> Rabs (q x c - q y c) <= K * norm (vsub x y)) ->
  exists p : R -> E, p 0 = p0 /\ forall t, 0 <= t -> curve_derives p t (vsum l (fun c => vscal (q (p t) c) (a c))).
Proof.
  intros HK H. assert (Pa : 0 <= sum l (fun c => norm (a c))) by (apply sum_nonneg; intros; apply norm_pos).
  destruct (system_exists l (fun x => q (point x)) (K * sum l (fun c => norm (a c))) (fun _ => 0)) as (x & X0 & Dx); [now apply Rmult_le_pos| |].
  { intros x y c Hc. apply Rle_trans with (1 := H _ _ c Hc). rewrite Rmult_assoc. apply Rmult_le_compat_l; auto. apply point_near. }
  set (p := fun t => if Req_EM_T t 0 then p0 else point (x t)).
  assert (S : forall t, same (point (x t)) (p t)).
  { intros t. unfold p. destruct (Req_EM_T t 0) as [->|_]; [|apply same_refl]. intros z. rewrite point_dot, sum_zero; [ring|]. intros c _. rewrite X0. ring. }
  exists p. split; [unfold p; now destruct (Req_EM_T 0 0)|]. intros t Ht. apply curve_same with (1 := S) (3 := point_curve x (q (point (x t))) t (fun c => Dx t c Ht)).
  intros z. rewrite !dot_vsum_l. apply sum_ext. intros c Hc. rewrite !dot_scal_l. f_equal. apply Rminus_diag_uniq, Rabs_eq_0, Rle_antisym; [|apply Rabs_pos].
  apply Rle_trans with (1 := H _ _ c Hc). rewrite (proj1 (same_norm_sub _ _) (S t)). lra.
Qed.
End Spans.

(** ** Lipschitz fields of R^d and of matrices *)
Lemma squares_le {A} (l : list A) (u : A -> R) : sum l (fun c => u c * u c) <= sum l (fun c => Rabs (u c)) * sum l (fun c => Rabs (u c)).
Proof.
  induction l as [|c l IH]; simpl; [lra|]. assert (S : 0 <= sum l (fun c => Rabs (u c))) by (apply sum_nonneg; intros; apply Rabs_pos). assert (Q := Rsqr_abs (u c)). unfold Rsqr in Q.
  assert (P := Rabs_pos (u c)). nra.
Qed.

Section Components.
Context {E : space} {A : Type}.
Variables (l : list A) (co : E -> A -> R) (mk : (A -> R) -> E).
Variable co_dot : forall x y, dot x y = sum l (fun c => co x c * co y c).
Variable co_sub : forall x y c, co (vsub x y) c = co x c - co y c.
Variable co_mk : forall x c, co (mk x) c = x c.

Lemma components_exist (F : E -> E) K p0 : 0 <= K -> (forall x y, norm (vsub (F x) (F y)) <= K * norm (vsub x y)) ->
  exists x : R -> A -> R, (forall c, x 0 c = co p0 c) /\ forall t c, 0 <= t -> In c l -> is_derive (fun s => x s c) t (co (F (mk (x t))) c).
Proof.
  intros HK H. apply (system_exists l (fun x => co (F (mk x))) K (co p0)); auto. intros x y c Hc. rewrite <- co_sub. apply Rle_trans with (norm (vsub (F (mk x)) (F (mk y)))).
  - apply le_of_sq; [apply norm_pos|]. rewrite norm_sqr, co_dot. set (u := co (vsub (F (mk x)) (F (mk y)))). rewrite <- Rabs_mult, Rabs_pos_eq by apply Rle_0_sqr.
    apply (sum_term l (fun c => u c * u c)); auto. intros; apply Rle_0_sqr.
  - apply Rle_trans with (1 := H _ _). apply Rmult_le_compat_l; auto. apply sqrt_le_of_sq; [apply sum_nonneg; intros; apply Rabs_pos|]. rewrite co_dot.
    apply Rle_trans with (1 := squares_le _ _). right. f_equal; apply sum_ext; intros e _; now rewrite co_sub, !co_mk.
Qed.
End Components.

Theorem coordinates_exist d (F : coordinates d -> coordinates d) K p0 : 0 <= K -> (forall x y, norm (vsub (F x) (F y)) <= K * norm (vsub x y)) ->
  exists p : R -> coordinates d, (forall j, p 0 j = p0 j) /\ forall t, 0 <= t -> curve_derives p t (F (p t)).
Proof.
  intros HK H. destruct (components_exist (seq 0 d) (fun x : coordinates d => x) (fun x => x) (fun _ _ => eq_refl) ltac:(intros; unfold vsub; simpl; ring) (fun _ _ => eq_refl) F K p0 HK H) as (p & P0 & D).
  exists p. split; auto. intros t Ht. apply curve_coordinates. intros j Hj. apply D; auto. apply in_seq. lia.
Qed.

Lemma sum_list_prod {A B} (l : list A) (m : list B) f : sum (list_prod l m) f = sum l (fun c => sum m (fun e => f (c, e))).
Proof. induction l as [|c l IH]; simpl; [easy|]. now rewrite sum_app, sum_map, IH. Qed.

Theorem matrices_exist d m (F : matrices d m -> matrices d m) K p0 : 0 <= K -> (forall x y, norm (vsub (F x) (F y)) <= K * norm (vsub x y)) ->
  exists p : R -> matrices d m, (forall j k, p 0 j k = p0 j k) /\ forall t, 0 <= t -> curve_derives p t (F (p t)).
Proof.
  intros HK H. set (co := fun (X : matrices d m) (c : nat * nat) => X (fst c) (snd c)). set (mk := fun (x : nat * nat -> R) => (fun j k => x (j, k)) : matrices d m).
  destruct (components_exist (list_prod (seq 0 d) (seq 0 m)) co mk (fun X Y => eq_sym (sum_list_prod _ _ _)) ltac:(intros; unfold co, vsub; simpl; ring)
    (fun x c => match c with (j, k) => eq_refl end) F K p0 HK H) as (x & X0 & D).
  exists (fun t => mk (x t)). split; [intros j k; exact (X0 (j, k))|]. intros t Ht. apply curve_matrices. intros j k Hj Hk. apply (D t (j, k)); auto. apply in_prod; apply in_seq; lia.
Qed.

(** ** One curve from a start *)
(** Gronwall: the square d of the distance of two curves has d' <= 2 K d. *)
Theorem curves_meet {E : space} (F : E -> E) K (p q : R -> E) : (forall x y, norm (vsub (F x) (F y)) <= K * norm (vsub x y)) ->
  (forall t, 0 <= t -> curve_derives p t (F (p t))) -> (forall t, 0 <= t -> curve_derives q t (F (q t))) -> same (p 0) (q 0) -> forall t, 0 <= t -> same (p t) (q t).
Proof.
  intros H Fp Fq S0 t Ht. set (u := fun s => vsub (p s) (q s)). set (d := fun s => dot (u s) (u s)). set (d' := fun s => 2 * dot (vsub (F (p s)) (F (q s))) (u s)).
  assert (Dd : forall s, 0 <= s -> is_derive d s (d' s)).
  { intros s Hs. assert (Eq : forall s, dot (p s) (p s) - 2 * dot (p s) (q s) + dot (q s) (q s) = d s) by (intros r; unfold d, u; rewrite dot_sub_l, !dot_sub_r, (dot_sym (q r) (p r)); ring).
    apply is_derive_ext with (1 := Eq).
    apply is_derive_value with (2 * dot (F (p s)) (p s) - 2 * (dot (F (p s)) (q s) + dot (F (q s)) (p s)) + 2 * dot (F (q s)) (q s)); [|unfold d', u; rewrite dot_sub_l, !dot_sub_r; ring].
    apply (is_derive_plus (V := R_NormedModule) (fun s => dot (p s) (p s) - 2 * dot (p s) (q s))); [|now apply Fq]. apply is_derive_diff; [now apply Fp|]. apply is_derive_scal, curve_product; auto. }
  assert (G : - (d 0 * exp (- (2 * K * 0))) <= - (d t * exp (- (2 * K * t)))).
  { apply (rises (fun s => - (d s * exp (- (2 * K * s)))) (fun s => - (d' s * exp (- (2 * K * s)) + d s * (- (2 * K) * exp (- (2 * K * s)))))); auto; intros s Hs.
    - apply (is_derive_opp (V := R_NormedModule) (fun s => d s * exp (- (2 * K * s)))). apply (is_derive_prod d (fun s => exp (- (2 * K * s)))); [apply Dd; lra|]. auto_derive; [exact I|ring].
    - assert (Pe := exp_pos (- (2 * K * s))). assert (Sl : d' s <= 2 * K * d s); [|nra]. unfold d', d. rewrite <- norm_sqr.
      assert (C := cauchy_schwarz (vsub (F (p s)) (F (q s))) (u s)). assert (L := Rmult_le_compat_r _ _ _ (norm_pos (u s)) (H (p s) (q s))). fold (u s) in L. lra. }
  assert (D0 : d 0 = 0) by (unfold d; rewrite <- norm_sqr; unfold u; rewrite (proj1 (same_norm_sub _ _) S0); ring). rewrite D0, Rmult_0_l in G.
  assert (Pe := exp_pos (- (2 * K * t))). assert (Dt := dot_pos (u t)). fold (d t) in Dt. assert (Z : d t = 0) by nra.
  apply same_norm_sub. fold (u t). unfold norm. fold (d t). rewrite Z. apply sqrt_0.
Qed.
