(** `assumption-b-refuted` by "soft-row", by "weightless" and by "point" (docs/certificate.md 4.10; docs/theory.md 4.7 (b), (c), (d)).  kp i t is k_it.p, every row of p-svm(alpha) is positive at p, and m is the
    least row of a sample of I, eps = exp(-r m).  v solves v-svm(alpha), Gamma = 1/|v|, S are its tight rows, all in I.  Along s(r p) some 1 - s_ialpha_i is at least eps/T, while a direction u shows every
    sample at 1 - o(eps) with |u|^2 <= |v|^2 + O(eps^2): for no nu > 0 is margin(s(r p)) <= Gamma - nu max_{i in I} (1 - s_ialpha_i) for all r > 0.
    soft-row: u = v.  weightless: u = v + C eps y, which makes good what the sample without weight loses.
    point: u shows margin Gamma at s(p) itself, where 1 - s_ialpha_i > 0 for a sample with two tokens. *)
From Coq Require Import Reals List Lra Lia Psatz Arith Classical.
From Attest Require Import Sums Space Svm Select AssumptionB Refuted.
Import ListNotations.
Open Scope R_scope.

(** exp(-r g) is below any positive number from some r on. *)
Lemma exp_fades g B e : 0 < g -> 0 <= B -> 0 < e -> exists r0, 0 < r0 /\ forall r, r0 <= r -> B * exp (- (r * g)) <= e.
Proof.
  intros Hg HB He. assert (Q : 0 < (B + 1) / (g * e)) by (apply Rdiv_lt_0_compat; nra).
  exists ((B + 1) / (g * e)). split; auto. intros r Hr. rewrite exp_Ropp.
  assert (X : (B + 1) / e <= r * g).
  { apply Rmult_le_compat_r with (r := g) in Hr; [|lra]. replace ((B + 1) / (g * e) * g) with ((B + 1) / e) in Hr by (field; lra). lra. }
  assert (Y : 0 < (B + 1) / e) by (apply Rdiv_lt_0_compat; lra). assert (Tn := exp_tangent (r * g)). assert (P := exp_pos (r * g)).
  apply Rmult_le_reg_r with (exp (r * g)); auto. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rle_trans with (e * (r * g)); [|apply Rmult_le_compat_l; lra].
  assert (Z : e * ((B + 1) / e) = B + 1) by (field; lra). assert (e * ((B + 1) / e) <= e * (r * g)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Section Ray.
Context {E : space}.
Variable n : nat.
Variable T : nat -> nat.
Variable z : nat -> nat -> E.
Variable al : nat -> nat.
Variable kp : nat -> nat -> R.
Variable sel : forall i, (i < n)%nat -> (al i < T i)%nat.
Notation s := (att T kp).
Definition height i t := kp i (al i) - kp i t.
Variable positive : forall i t, (i < n)%nat -> (t < T i)%nat -> t <> al i -> 0 < height i t.

Lemma att_height r i t : (i < n)%nat -> s r i t <= exp (- (r * height i t)).
Proof.
  intros Hi. apply Rle_trans with (1 := att_below n T al kp sel r i t (al i) Hi (sel i Hi)). right. f_equal. unfold height. ring.
Qed.

Lemma att_above r i t : 0 <= r -> (i < n)%nat -> (t < T i)%nat -> exp (- (r * height i t)) <= INR (T i) * s r i t.
Proof.
  intros Hr Hi Ht. unfold att. set (S := sum _ _). assert (P : 0 < S) by apply (total_pos n T al kp sel r i Hi).
  assert (U : S <= INR (T i) * exp (r * kp i (al i))).
  { unfold S. rewrite <- (seq_length (T i) 0) at 2. rewrite <- sum_const. apply sum_le. intros t' Ht'. apply in_seq in Ht'. apply exp_pos_le. apply Rmult_le_compat_l; auto.
    destruct (Nat.eq_dec t' (al i)) as [->|N]; [lra|]. assert (X := positive i t' Hi ltac:(lia) N). unfold height in X. lra. }
  apply Rmult_le_reg_r with S; auto. unfold Rdiv. replace (INR (T i) * (exp (r * kp i t) * / S) * S) with (INR (T i) * exp (r * kp i t)) by (field; lra).
  apply Rle_trans with (exp (- (r * height i t)) * (INR (T i) * exp (r * kp i (al i)))); [apply Rmult_le_compat_l; auto; left; apply exp_pos|].
  right. replace (exp (r * kp i t)) with (exp (- (r * height i t)) * exp (r * kp i (al i))); [ring|]. rewrite <- exp_plus. f_equal. unfold height. ring.
Qed.

(** What a direction loses by the attention that is not at alpha. *)
Lemma mixed_loss r i x : (i < n)%nat ->
  dot x (mixed T z (s r) i) = dot x (z i (al i)) - sum (others (T i) (al i)) (fun t => s r i t * (dot x (z i (al i)) - dot x (z i t))).
Proof.
  intros Hi. unfold mixed. rewrite dot_vsum_r. rewrite (sum_ext _ _ (fun t => s r i t * dot x (z i t))) by (intros; apply dot_scal_r).
  assert (S1 := att_sum n T al kp sel r i Hi). rewrite (sum_others _ (al i)) in S1 |- * by auto.
  rewrite (sum_ext (others (T i) (al i)) (fun t => s r i t * (dot x (z i (al i)) - dot x (z i t))) (fun t => s r i t * dot x (z i (al i)) - s r i t * dot x (z i t))) by (intros; ring).
  rewrite sum_minus, sum_scal_r. replace (sum (others (T i) (al i)) (s r i)) with (1 - s r i (al i)) by lra. ring.
Qed.

(** The loss of a sample is at most e exp(-r c) from some r on, if each row that loses is above c. *)
Lemma loss_fades i x c e : (i < n)%nat -> 0 < e -> (forall t, (t < T i)%nat -> t <> al i -> dot x (z i t) < dot x (z i (al i)) -> c < height i t) ->
  exists r0, forall r, r0 <= r -> sum (others (T i) (al i)) (fun t => s r i t * (dot x (z i (al i)) - dot x (z i t))) <= e * exp (- (r * c)).
Proof.
  intros Hi He Hc. set (K := INR (length (others (T i) (al i))) + 1). assert (K0 : 0 < K) by (unfold K; assert (X := pos_INR (length (others (T i) (al i)))); lra).
  destruct (eventually_all (others (T i) (al i)) (fun t r => s r i t * (dot x (z i (al i)) - dot x (z i t)) <= e / K * exp (- (r * c)))) as [r0 H].
  - intros t Ht. apply in_others in Ht. destruct Ht as [Ht N]. set (D := dot x (z i (al i)) - dot x (z i t)).
    assert (Ek : 0 < e / K) by (apply Rdiv_lt_0_compat; auto).
    destruct (Rle_or_lt D 0) as [Neg|Pos].
    + exists 0. intros r _. assert (P := exp_pos (- (r * c))). assert (A := att_pos n T al kp sel r i t Hi). fold D. nra.
    + assert (G := Hc t Ht N ltac:(unfold D in Pos; lra)). destruct (exp_fades (height i t - c) D (e / K) ltac:(lra) ltac:(lra) Ek) as (r0 & _ & Hr).
      exists r0. intros r Hr'. specialize (Hr r Hr'). fold D. apply Rle_trans with (exp (- (r * height i t)) * D); [apply Rmult_le_compat_r; [lra|now apply att_height]|].
      replace (exp (- (r * height i t))) with (exp (- (r * (height i t - c))) * exp (- (r * c))) by (rewrite <- exp_plus; f_equal; ring).
      assert (P := exp_pos (- (r * c))). replace (exp (- (r * (height i t - c))) * exp (- (r * c)) * D) with (D * exp (- (r * (height i t - c))) * exp (- (r * c))) by ring.
      apply Rmult_le_compat_r; lra.
  - exists r0. intros r Hr. apply Rle_trans with (sum (others (T i) (al i)) (fun _ => e / K * exp (- (r * c)))); [apply sum_le; auto|].
    rewrite sum_const. assert (P := exp_pos (- (r * c))). replace (e * exp (- (r * c))) with (K * (e / K * exp (- (r * c)))) by (field; lra).
    apply Rmult_le_compat_r; [|unfold K; lra]. apply Rmult_le_pos; [|lra]. left. apply Rdiv_lt_0_compat; auto.
Qed.

Variables (v : E) (Ga : R).
Variable Ga_pos : 0 < Ga.
Variable v_norm : norm v * Ga = 1.
Variables (i0 t0 : nat) (m : R).
Variable i0_in : (i0 < n)%nat.
Variable t0_in : (t0 < T i0)%nat.
Variable t0_other : t0 <> al i0.
Variable least_height : height i0 t0 = m.

Lemma m_pos : 0 < m.
Proof. rewrite <- least_height. apply positive; auto. Qed.
Lemma v_pos : 0 < norm v.
Proof. assert (P := norm_pos v). destruct (Req_dec (norm v) 0) as [Z|N]; [rewrite Z in v_norm; lra|lra]. Qed.

(** A direction that shows every sample at 1 - o(eps). *)
Theorem refuted_by_directions (u : R -> E) kappa : 0 <= kappa ->
  (forall r, dot (u r) (u r) <= dot v v + kappa * (exp (- (r * m)) * exp (- (r * m)))) ->
  (forall e, 0 < e -> exists r0, forall r, r0 <= r -> forall j, (j < n)%nat -> 1 - e * exp (- (r * m)) <= dot (u r) (mixed T z (s r) j)) ->
  forall nu, 0 < nu -> exists r, 0 < r /\ forall d, 1 - s r i0 (al i0) <= d -> ~ margin_le n T z (s r) (Ga - nu * d).
Proof.
  intros Hk Hn Hd nu Hnu. assert (Mp := m_pos). assert (Vp := v_pos).
  set (K := INR (T i0)). assert (Kp : 1 <= K) by (unfold K; apply (le_INR 1); specialize (sel i0 i0_in); lia).
  set (h := norm v * nu / K). assert (Hh : 0 < h) by (apply Rdiv_lt_0_compat; nra).
  destruct (Hd (h / 4) ltac:(lra)) as [r1 H1].
  set (g := kappa / (2 * norm v) * Ga). assert (G0 : 0 <= g) by (apply Rmult_le_pos; [apply Rle_mult_inv_pos; lra|lra]).
  destruct (exp_fades m g (h / 4) Mp G0 ltac:(lra)) as (r2 & R2p & H2).
  destruct (exp_fades m (h / 4) (/ 2) Mp ltac:(lra) ltac:(lra)) as (r3 & R3p & H3).
  set (r := Rmax (Rmax r1 r2) r3). assert (A1 := Rmax_l (Rmax r1 r2) r3). assert (A2 := Rmax_r (Rmax r1 r2) r3). assert (A3 := Rmax_l r1 r2). assert (A4 := Rmax_r r1 r2). fold r in A1, A2.
  exists r. split; [lra|]. intros d Hdd Mg. specialize (H1 r ltac:(lra)). specialize (H2 r ltac:(lra)). specialize (H3 r ltac:(lra)). specialize (Hn r).
  set (eps := exp (- (r * m))) in *. assert (Ep : 0 < eps) by apply exp_pos.
  (* the attention elsewhere *)
  assert (Dl : eps / K <= d).
  { apply Rle_trans with (2 := Hdd). assert (X := att_above r i0 t0 ltac:(lra) i0_in t0_in). rewrite least_height in X. fold eps in X. fold K in X.
    assert (S1 := att_sum n T al kp sel r i0 i0_in). rewrite (sum_others _ (al i0)) in S1 by auto.
    assert (Y : s r i0 t0 <= sum (others (T i0) (al i0)) (s r i0)) by (apply (sum_term _ (s r i0) t0); [apply in_others; auto|intros; left; now apply (att_pos n T al kp sel)]).
    apply Rmult_le_reg_l with K; [lra|]. replace (K * (eps / K)) with eps by (field; lra). nra. }
  (* the length of u *)
  set (b := norm v + kappa / (2 * norm v) * (eps * eps)).
  assert (B0 : 0 <= kappa / (2 * norm v) * (eps * eps)) by (apply Rmult_le_pos; [apply Rle_mult_inv_pos; lra|nra]).
  assert (Nu : norm (u r) <= b).
  { apply le_of_sq; [unfold b; lra|]. rewrite norm_sqr. apply Rle_trans with (1 := Hn). rewrite <- norm_sqr.
    assert (Sq : b * b = norm v * norm v + kappa * (eps * eps) + (kappa / (2 * norm v) * (eps * eps)) * (kappa / (2 * norm v) * (eps * eps))) by (unfold b; field; lra).
    rewrite Sq. assert (0 <= kappa / (2 * norm v) * (eps * eps) * (kappa / (2 * norm v) * (eps * eps))) by (apply Rmult_le_pos; auto). lra. }
  assert (Np := norm_pos (u r)).
  assert (Uj : forall j, (j < n)%nat -> / 2 <= dot (u r) (mixed T z (s r) j)) by (intros j Hj; specialize (H1 j Hj); lra).
  assert (Nz : 0 < norm (u r)).
  { destruct (Req_dec (norm (u r)) 0) as [Z|]; [|lra]. specialize (Uj i0 i0_in). rewrite (norm_zero_dot _ _ Z) in Uj. lra. }
  destruct (Mg (vscal (/ norm (u r)) (u r))) as (j & Hj & Hm).
  { rewrite norm_scal, Rabs_pos_eq by (left; now apply Rinv_0_lt_compat). right. apply Rinv_l. lra. }
  rewrite dot_scal_l in Hm. specialize (H1 j Hj). specialize (Uj j Hj).
  assert (Hm' : dot (u r) (mixed T z (s r) j) <= norm (u r) * (Ga - nu * d)).
  { apply Rmult_le_reg_l with (/ norm (u r)); [now apply Rinv_0_lt_compat|]. rewrite <- Rmult_assoc, Rinv_l by lra. lra. }
  assert (Le : Ga - nu * d <= Ga - nu * (eps / K)) by (assert (nu * (eps / K) <= nu * d) by (apply Rmult_le_compat_l; lra); lra).
  assert (Pg : 0 < Ga - nu * d) by (apply Rnot_le_lt; intros C; assert (norm (u r) * (Ga - nu * d) <= 0) by nra; lra).
  assert (F : norm (u r) * (Ga - nu * d) <= b * (Ga - nu * (eps / K))) by (apply Rmult_le_compat; lra).
  assert (Q : b * (Ga - nu * (eps / K)) <= 1 - h * eps + g * (eps * eps)).
  { assert (X : b * (Ga - nu * (eps / K)) = norm v * Ga - h * eps + g * (eps * eps) - kappa / (2 * norm v) * (eps * eps) * (nu * (eps / K))).
    { unfold b, h, g. field. split; lra. }
    rewrite X, v_norm. assert (0 <= kappa / (2 * norm v) * (eps * eps) * (nu * (eps / K))); [|lra].
    apply Rmult_le_pos; auto. apply Rmult_le_pos; [lra|]. apply Rle_mult_inv_pos; lra. }
  assert (Z : g * (eps * eps) <= h / 4 * eps) by (replace (g * (eps * eps)) with (g * eps * eps) by ring; apply Rmult_le_compat_r; lra).
  assert (0 < h * eps) by nra. lra.
Qed.

(** ** soft-row *)
Variable inI : nat -> Prop.
Variable v_rows : forall i, (i < n)%nat -> 1 <= dot v (z i (al i)).
Notation tight_sample i := (dot v (z i (al i)) = 1).
Variable support_in : forall i, (i < n)%nat -> tight_sample i -> inI i.
Variable m_least : forall i t, (i < n)%nat -> inI i -> (t < T i)%nat -> t <> al i -> m <= height i t.

Lemma slack_sample i x : (i < n)%nat -> 1 < dot x (z i (al i)) -> forall e, 0 < e ->
  exists r0, forall r, r0 <= r -> 1 - e * exp (- (r * m)) <= dot x (mixed T z (s r) i).
Proof.
  intros Hi Hx e He. destruct (loss_fades i x 0 (dot x (z i (al i)) - 1) Hi ltac:(lra)) as [r0 H].
  - intros t Ht N _. now apply positive.
  - exists r0. intros r Hr. specialize (H r Hr). rewrite mixed_loss by auto. rewrite Rmult_0_r, Ropp_0, exp_0 in H.
    assert (P := exp_pos (- (r * m))). assert (0 < e * exp (- (r * m))) by nra. lra.
Qed.

Theorem refuted_soft_row :
  (forall i t, (i < n)%nat -> inI i -> (t < T i)%nat -> t <> al i -> height i t = m -> ~ tight_sample i \/ dot v (z i (al i)) <= dot v (z i t)) ->
  forall nu, 0 < nu -> exists r, 0 < r /\ forall d, 1 - s r i0 (al i0) <= d -> ~ margin_le n T z (s r) (Ga - nu * d).
Proof.
  intros Soft. apply refuted_by_directions with (u := fun _ => v) (kappa := 0); [lra|intros; lra|].
  intros e He.
  destruct (eventually_all (seq 0 n) (fun j r => 1 - e * exp (- (r * m)) <= dot v (mixed T z (s r) j))) as [r0 H].
  - intros i Hi. apply in_seq in Hi. assert (Hin : (i < n)%nat) by lia. destruct (Req_dec (dot v (z i (al i))) 1) as [Tg|Nt].
    + destruct (loss_fades i v m e Hin He) as [r0 H].
      * intros t Ht N L. destruct (Req_dec (height i t) m) as [Q|Q]; [|assert (X := m_least i t Hin (support_in i Hin Tg) Ht N); lra].
        exfalso. destruct (Soft i t Hin (support_in i Hin Tg) Ht N Q); [tauto|lra].
      * exists r0. intros r Hr. specialize (H r Hr). rewrite mixed_loss by auto. lra.
    + apply slack_sample; auto. specialize (v_rows i Hin). lra.
  - exists r0. intros r Hr j Hj. apply H; auto. apply in_seq. lia.
Qed.

(** ** weightless: the sample i0 has all least rows of I. *)
Variable y : E.
Theorem refuted_weightless : tight_sample i0 ->
  (forall i t, (i < n)%nat -> inI i -> (t < T i)%nat -> t <> al i -> height i t = m -> i = i0) ->
  dot y v = 0 -> (forall j, (j < n)%nat -> tight_sample j -> 0 <= dot y (z j (al j))) -> 1 <= dot y (z i0 (al i0)) ->
  forall nu, 0 < nu -> exists r, 0 < r /\ forall d, 1 - s r i0 (al i0) <= d -> ~ margin_le n T z (s r) (Ga - nu * d).
Proof.
  intros T0 Only Yv Ys Y0.
  set (A := sum (others (T i0) (al i0)) (fun t => Rabs (dot v (z i0 (al i0)) - dot v (z i0 t)))).
  assert (A0 : 0 <= A) by (apply sum_nonneg; intros; apply Rabs_pos).
  set (C := 2 * (A + 1)).
  assert (Mp := m_pos).
  apply refuted_by_directions with (u := fun r => vadd v (vscal (C * exp (- (r * m))) y)) (kappa := C * C * dot y y).
  - apply Rmult_le_pos; [nra|apply dot_pos].
  - intros r. rewrite !dot_add_l, !dot_add_r, !dot_scal_l, !dot_scal_r, (dot_sym v y), Yv. right. ring.
  - intros e He.
    destruct (eventually_all (seq 0 n) (fun j r => 1 - e * exp (- (r * m)) <= dot (vadd v (vscal (C * exp (- (r * m))) y)) (mixed T z (s r) j))) as [r0 H].
    + intros i Hi. apply in_seq in Hi. assert (Hin : (i < n)%nat) by lia.
      assert (C0 : 0 < C) by (unfold C; lra).
      (* y at any sample loses o(1) *)
      assert (Ly : forall e', 0 < e' -> exists r0, forall r, r0 <= r -> dot y (z i (al i)) - e' <= dot y (mixed T z (s r) i)).
      { intros e' He'. destruct (loss_fades i y 0 e' Hin He') as [r0 H]; [intros; now apply positive|].
        exists r0. intros r Hr. specialize (H r Hr). rewrite Rmult_0_r, Ropp_0, exp_0 in H. rewrite (mixed_loss r i y) by auto. lra. }
      destruct (Req_dec (dot v (z i (al i))) 1) as [Tg|Nt].
      * destruct (Nat.eq_dec i i0) as [->|Ne].
        -- destruct (Ly (/ 2) ltac:(lra)) as [r0 H]. exists (Rmax r0 0). intros r Hr. assert (X1 := Rmax_l r0 0). assert (X2 := Rmax_r r0 0). specialize (H r ltac:(lra)).
           rewrite dot_add_l, dot_scal_l, (mixed_loss r i0 v) by auto. set (eps := exp (- (r * m))). assert (Ep : 0 < eps) by apply exp_pos.
           assert (L : sum (others (T i0) (al i0)) (fun t => s r i0 t * (dot v (z i0 (al i0)) - dot v (z i0 t))) <= A * eps).
           { unfold A. rewrite <- sum_scal_r. apply sum_le. intros t Ht. apply in_others in Ht. destruct Ht as [Ht N].
             apply Rle_trans with (s r i0 t * Rabs (dot v (z i0 (al i0)) - dot v (z i0 t))).
             - apply Rmult_le_compat_l; [left; now apply (att_pos n T al kp sel)|apply Rle_abs].
             - rewrite (Rmult_comm (s r i0 t)). apply Rmult_le_compat_l; [apply Rabs_pos|]. apply Rle_trans with (1 := att_height r i0 t i0_in). unfold eps.
               apply exp_pos_le. assert (G := m_least i0 t i0_in (support_in i0 i0_in T0) Ht N). nra. }
           assert (Q : C * eps * / 2 <= C * eps * dot y (mixed T z (s r) i0)) by (apply Rmult_le_compat_l; [nra|lra]).
           unfold C in Q at 1. assert (0 < e * eps) by nra. nra.
        -- destruct (loss_fades i v m (e / 2) Hin ltac:(lra)) as [r1 H1].
           { intros t Ht N L. destruct (Req_dec (height i t) m) as [Q|Q]; [|assert (X := m_least i t Hin (support_in i Hin Tg) Ht N); lra].
             exfalso. apply Ne. apply (Only i t); auto. }
           destruct (Ly (e / (2 * C)) ltac:(apply Rdiv_lt_0_compat; lra)) as [r2 H2].
           exists (Rmax r1 r2). intros r Hr. assert (X1 := Rmax_l r1 r2). assert (X2 := Rmax_r r1 r2). specialize (H1 r ltac:(lra)). specialize (H2 r ltac:(lra)).
           rewrite dot_add_l, dot_scal_l, (mixed_loss r i v) by auto. set (eps := exp (- (r * m))) in *. assert (Ep : 0 < eps) by apply exp_pos.
           specialize (Ys i Hin Tg). assert (Q : C * eps * - (e / (2 * C)) <= C * eps * dot y (mixed T z (s r) i)) by (apply Rmult_le_compat_l; [nra|lra]).
           replace (C * eps * - (e / (2 * C))) with (- (e / 2 * eps)) in Q by (field; lra). lra.
      * assert (Gt : 1 < dot v (z i (al i))) by (specialize (v_rows i Hin); lra).
        set (q := (dot v (z i (al i)) - 1) / 2). assert (Hq : 0 < q) by (unfold q; lra).
        destruct (loss_fades i v 0 q Hin Hq) as [r1 H1]; [intros; now apply positive|].
        destruct (Ly 1 ltac:(lra)) as [r2 H2].
        destruct (exp_fades m (C * (Rabs (dot y (z i (al i))) + 1)) q Mp ltac:(assert (X := Rabs_pos (dot y (z i (al i)))); nra) Hq) as (r3 & _ & H3).
        exists (Rmax (Rmax r1 r2) r3). intros r Hr. assert (X1 := Rmax_l (Rmax r1 r2) r3). assert (X2 := Rmax_r (Rmax r1 r2) r3). assert (X3 := Rmax_l r1 r2). assert (X4 := Rmax_r r1 r2).
        specialize (H1 r ltac:(lra)). specialize (H2 r ltac:(lra)). specialize (H3 r ltac:(lra)).
        rewrite Rmult_0_r, Ropp_0, exp_0 in H1. rewrite dot_add_l, dot_scal_l, (mixed_loss r i v) by auto.
        set (eps := exp (- (r * m))) in *. assert (Ep : 0 < eps) by apply exp_pos.
        assert (Ab : - Rabs (dot y (z i (al i))) <= dot y (z i (al i))) by (assert (X := Rle_abs (- dot y (z i (al i)))); rewrite Rabs_Ropp in X; lra).
        assert (Q : C * eps * - (Rabs (dot y (z i (al i))) + 1) <= C * eps * dot y (mixed T z (s r) i)) by (apply Rmult_le_compat_l; [nra|lra]).
        assert (0 < e * eps) by nra. unfold q in *. lra.
    + exists r0. intros r Hr j Hj. apply H; auto. apply in_seq. lia.
Qed.
End Ray.

(** ** point: with g_it = k_it.p - c_i for any c_i, N_i = sum_t exp(g_it) u.z_it and D_i = sum_t exp(g_it). *)
Section Point.
Context {E : space}.
Variables (n : nat) (T : nat -> nat) (z : nat -> nat -> E) (al : nat -> nat) (kp : nat -> nat -> R) (c : nat -> R) (u v : E) (Ga : R).
Variable sel : forall i, (i < n)%nat -> (al i < T i)%nat.
Variable v_norm : norm v * Ga = 1.
Variable u_pos : 0 < dot u u.
Definition shifted i t := exp (kp i t - c i).
Definition numerator i := sum (seq 0 (T i)) (fun t => shifted i t * dot u (z i t)).
Definition denominator i := sum (seq 0 (T i)) (shifted i).

Theorem refuted_point i0 t0 : (i0 < n)%nat -> (t0 < T i0)%nat -> t0 <> al i0 ->
  (forall i, (i < n)%nat -> 0 <= numerator i /\ dot u u * (denominator i * denominator i) <= numerator i * numerator i * dot v v) ->
  forall nu, 0 < nu -> forall d, 1 - att T kp 1 i0 (al i0) <= d -> ~ margin_le n T z (att T kp 1) (Ga - nu * d).
Proof.
  intros Hi0 Ht0 N0 H nu Hnu d Hd Mg.
  assert (Un : 0 < norm u) by (apply sqrt_lt_R0; auto). assert (Vp := norm_pos v).
  assert (Dp : 0 < d).
  { assert (S1 := att_sum n T al kp sel 1 i0 Hi0). rewrite (sum_others _ (al i0)) in S1 by auto.
    assert (Y : att T kp 1 i0 t0 <= sum (others (T i0) (al i0)) (att T kp 1 i0)) by (apply (sum_term _ (att T kp 1 i0) t0); [apply in_others; auto|intros; left; now apply (att_pos n T al kp sel)]).
    assert (X := att_pos n T al kp sel 1 i0 t0 Hi0). lra. }
  destruct (Mg (vscal (/ norm u) u)) as (i & Hi & Hm).
  { rewrite norm_scal, Rabs_pos_eq by (left; now apply Rinv_0_lt_compat). right. apply Rinv_l. lra. }
  destruct (H i Hi) as [Np Sq].
  assert (Dn : 0 < denominator i) by (apply sum_pos_all; [specialize (sel i Hi); destruct (T i); [lia|easy]|intros; apply exp_pos]).
  assert (Mx : dot u (mixed T z (att T kp 1) i) * denominator i = numerator i).
  { assert (P := total_pos n T al kp sel 1 i Hi). unfold mixed. rewrite dot_vsum_r. rewrite <- sum_scal_r. unfold numerator. apply sum_ext. intros t _. rewrite dot_scal_r.
    assert (Q : att T kp 1 i t * denominator i = shifted i t).
    { unfold att. set (S := sum _ _) in *. assert (DS : denominator i = S * exp (- c i)).
      { unfold denominator, S. rewrite <- sum_scal_r. apply sum_ext. intros t' _. unfold shifted. rewrite <- exp_plus. f_equal. ring. }
      rewrite DS. unfold shifted. replace (exp (kp i t - c i)) with (exp (1 * kp i t) * exp (- c i)) by (rewrite <- exp_plus; f_equal; ring). field. lra. }
    rewrite <- Q. ring. }
  assert (L : norm u * denominator i <= numerator i * norm v).
  { apply le_of_sq; [nra|]. rewrite <- !norm_sqr in Sq. nra. }
  assert (G : Ga * norm u <= dot u (mixed T z (att T kp 1) i)).
  { apply Rmult_le_reg_r with (denominator i); auto. rewrite Mx. assert (Gp : 0 < Ga) by (apply Rnot_le_lt; intros C; nra).
    assert (X : Ga * (norm u * denominator i) <= Ga * (numerator i * norm v)) by (apply Rmult_le_compat_l; lra). nra. }
  rewrite dot_scal_l in Hm. assert (Z : Ga <= / norm u * dot u (mixed T z (att T kp 1) i)).
  { apply Rmult_le_reg_l with (norm u); auto. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
  nra.
Qed.
End Point.
