(** `stationary-point` by `krawczyk` (docs/certificate.md 4.27, clauses 1, 3, 4; docs/theory.md 8.1): p = c + sum_a eta_a b_a, f_a = b_a.grad, J its derivative on the box |eta_a| <= r_a, M any matrix.
    If |sum_b M_ab f_b(0)| + sum_c K_ac r_c < r_a for every a, where K_ac bounds |(I - MJ)_ac| on the box, then grad L = 0 at some point of the box.
    eta - M f(eta) contracts the box in max_a |x_a|/r_a, so it has a fixed point (no theorem of Brouwer's is needed): M f = 0.  M f = 0 implies f = 0 as J is symmetric: J M^T = (MJ)^T is onto, so f = J u, and
    MJ u = 0 gives u = 0.  Each difference of keys is a combination of the b_a, so grad L = 0.
    `stationary_origin`: at p = 0, where the pulls of the samples with the same mean score cancel. *)
From Coq Require Import Reals List Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Sums Space Svm Select Model Curvature Limits Enclosure EnclosureRows.
Import ListNotations.
Open Scope R_scope.

(** ** Contractions of sequences of numbers *)
Section Contraction.
Variable m : nat.
Notation X := (nat -> R).
(** near D x y: x and y are within D of each other in some norm of the first m components. *)
Variable near : R -> X -> X -> Prop.
Variable co : nat -> R.
Variable near_component : forall D x y a, near D x y -> (a < m)%nat -> Rabs (x a - y a) <= co a * D.
Variable near_closed : forall D (u : nat -> X) (x y : X), (forall a, (a < m)%nat -> is_lim_seq (fun k => u k a) (Finite (x a))) -> (forall k, near D (u k) y) -> near D x y.
Variable near_refl : forall x, near 0 x x.
Variable near_sym : forall D x y, near D x y -> near D y x.
Variable near_more : forall D D' x y, near D x y -> D <= D' -> near D' x y.
Variable near_chain : forall D D' x y z, near D x y -> near D' y z -> near (D + D') x z.
Variable inside : X -> Prop.
Variable inside_closed : forall (u : nat -> X) (x : X), (forall a, (a < m)%nat -> is_lim_seq (fun k => u k a) (Finite (x a))) -> (forall k, inside (u k)) -> inside x.
Variables (T : X -> X) (k D0 : R) (x0 : X).
Variable k_range : 0 <= k < 1.
Variable maps : forall x, inside x -> inside (T x).
Variable contracts : forall D x y, inside x -> inside y -> near D x y -> near (k * D) (T x) (T y).
Variable starts : inside x0 /\ near D0 x0 (T x0) /\ 0 <= D0.

Fixpoint iterate (j : nat) : X := match j with O => x0 | S j => T (iterate j) end.
Lemma iterate_inside j : inside (iterate j).
Proof. induction j as [|j IH]; simpl; [apply starts|now apply maps]. Qed.
Lemma iterate_step j : near (k ^ j * D0) (iterate j) (iterate (S j)).
Proof. induction j as [|j IH]; [simpl; rewrite Rmult_1_l; apply starts|]. simpl pow. rewrite Rmult_assoc. apply contracts; auto using iterate_inside. Qed.
Definition left_over j := k ^ j * D0 / (1 - k).
Lemma left_over_pos j : 0 <= left_over j.
Proof. apply Rle_mult_inv_pos; [|lra]. apply Rmult_le_pos; [apply pow_le; lra|apply starts]. Qed.
Lemma iterate_far j l : near (left_over j - left_over (j + l)) (iterate j) (iterate (j + l)).
Proof.
  induction l as [|l IH]; [rewrite Nat.add_0_r, Rminus_diag_eq by easy; apply near_refl|]. rewrite Nat.add_succ_r.
  replace (left_over j - left_over (S (j + l))) with ((left_over j - left_over (j + l)) + k ^ (j + l) * D0) by (unfold left_over; simpl pow; field; lra).
  apply near_chain with (iterate (j + l)); [auto|apply iterate_step].
Qed.
Lemma iterate_within j l : near (left_over j) (iterate (j + l)) (iterate j).
Proof. apply near_sym, near_more with (1 := iterate_far j l). assert (P := left_over_pos (j + l)). lra. Qed.
Lemma left_over_fades e : 0 < e -> exists j, left_over j < e.
Proof.
  intros He. assert (G := is_lim_seq_geom k ltac:(rewrite Rabs_pos_eq; lra)). apply is_lim_seq_spec in G. destruct starts as (_ & _ & D1).
  assert (P : 0 < e * (1 - k) / (D0 + 1)) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra|lra]). destruct (G (mkposreal _ P)) as [j Hj]. exists j. specialize (Hj j (le_n j)). simpl in Hj. rewrite Rminus_0_r, Rabs_pos_eq in Hj by (apply pow_le; lra).
  unfold left_over. apply Rmult_lt_reg_r with (1 - k); [lra|]. replace (k ^ j * D0 / (1 - k) * (1 - k)) with (k ^ j * D0) by (field; lra).
  assert (k ^ j * (D0 + 1) < e * (1 - k)); [|assert (0 <= k ^ j) by (apply pow_le; lra); lra]. apply Rmult_lt_compat_r with (r := D0 + 1) in Hj; [|lra]. replace (e * (1 - k) / (D0 + 1) * (D0 + 1)) with (e * (1 - k)) in Hj by (field; lra). exact Hj.
Qed.

Lemma component_close e a : (a < m)%nat -> 0 < e -> exists j, forall l, Rabs (iterate (j + l) a - iterate j a) < e.
Proof.
  intros Ha He. set (c := Rabs (co a) + 1). assert (Cp : 0 < c) by (unfold c; assert (X := Rabs_pos (co a)); lra). destruct (left_over_fades (e / c) ltac:(now apply Rdiv_lt_0_compat)) as [j Hj]. exists j. intros l.
  apply Rle_lt_trans with (1 := near_component _ _ _ a (iterate_within j l) Ha). assert (P := left_over_pos j). apply Rle_lt_trans with (c * left_over j).
  - apply Rmult_le_compat_r; auto. unfold c. assert (X := Rle_abs (co a)). lra.
  - apply Rmult_lt_compat_l with (r := c) in Hj; auto. replace (c * (e / c)) with e in Hj by (field; lra). exact Hj.
Qed.

Definition limit a := real (Lim_seq (fun j => iterate j a)).
Lemma limit_spec a : (a < m)%nat -> is_lim_seq (fun j => iterate j a) (Finite (limit a)).
Proof.
  intros Ha. apply Lim_seq_correct'. apply ex_lim_seq_cauchy_corr. intros e. destruct (component_close (e / 2) a Ha ltac:(apply is_pos_div_2)) as [j Hj]. exists j. intros n1 n2 H1 H2.
  assert (A1 := Hj (n1 - j)%nat). assert (A2 := Hj (n2 - j)%nat). replace (j + (n1 - j))%nat with n1 in A1 by lia. replace (j + (n2 - j))%nat with n2 in A2 by lia.
  replace (iterate n1 a - iterate n2 a) with ((iterate n1 a - iterate j a) - (iterate n2 a - iterate j a)) by ring. apply Rle_lt_trans with (1 := Rabs_triang _ _). rewrite Rabs_Ropp. simpl in *. lra.
Qed.

Theorem fixed_point : inside limit /\ forall a, (a < m)%nat -> T limit a = limit a.
Proof.
  assert (In : inside limit) by (apply inside_closed with iterate; [exact limit_spec|exact iterate_inside]). split; auto. intros a Ha.
  assert (Nl : forall j, near (left_over j) limit (iterate j)).
  { intros j. apply near_closed with (fun l => iterate (j + l)); [|intros l; apply iterate_within]. intros b Hb. apply is_lim_seq_ext with (fun l => iterate (l + j) b); [intros l; now rewrite Nat.add_comm|]. apply (is_lim_seq_incr_n (fun l => iterate l b) j). now apply limit_spec. }
  assert (Small : forall e, 0 < e -> Rabs (T limit a - limit a) <= e).
  { intros e He. set (c := Rabs (co a) + 1). assert (Cp : 0 < c) by (unfold c; assert (X := Rabs_pos (co a)); lra). destruct (left_over_fades (e / (2 * c)) ltac:(apply Rdiv_lt_0_compat; lra)) as [j Hj].
    assert (H1 := contracts _ _ _ In (iterate_inside j) (Nl j)). assert (H2 := near_sym _ _ _ (Nl (S j))). assert (H := near_component _ _ _ a (near_chain _ _ _ _ _ H1 H2) Ha).
    assert (Lk : left_over (S j) = k * left_over j) by (unfold left_over; simpl pow; field; lra). rewrite Lk in H. assert (P := left_over_pos j). apply Rle_trans with (1 := H).
    apply Rle_trans with (c * (2 * left_over j)).
    - apply Rle_trans with (c * (k * left_over j + k * left_over j)); [apply Rmult_le_compat_r; [assert (0 <= k * left_over j) by (apply Rmult_le_pos; lra); lra|unfold c; assert (X := Rle_abs (co a)); lra]|]. apply Rmult_le_compat_l; [lra|]. assert (k * left_over j <= 1 * left_over j) by (apply Rmult_le_compat_r; lra). lra.
    - apply Rmult_lt_compat_l with (r := 2 * c) in Hj; [|lra]. replace (2 * c * (e / (2 * c))) with e in Hj by (field; lra). lra. }
  apply Rminus_diag_uniq. apply Rabs_eq_0. apply Rle_antisym; [|apply Rabs_pos]. apply le_epsilon. intros e He. rewrite Rplus_0_l. now apply Small.
Qed.
End Contraction.

(** ** Two norms *)
Section Norms.
Variable m : nat.
Notation X := (nat -> R).
Notation S := (seq 0 m).
Variable r : nat -> R.
Variable r_pos : forall a, (a < m)%nat -> 0 < r a.

(** max_a |x_a|/r_a, and sum_a r_a |x_a|. *)
Definition widest D (x y : X) := forall a, (a < m)%nat -> Rabs (x a - y a) <= r a * D.
Definition total D (x y : X) := sum S (fun a => r a * Rabs (x a - y a)) <= D.

Lemma lim_le u (x y : R) D : is_lim_seq u (Finite x) -> (forall k : nat, Rabs (u k - y) <= D) -> Rabs (x - y) <= D.
Proof.
  intros L H. assert (B : forall k, y - D <= u k <= y + D) by (intros k; specialize (H k); apply Rabs_le_between in H; lra).
  assert (U := is_lim_seq_le u (fun _ => y + D) x (y + D) (fun k => proj2 (B k)) L (is_lim_seq_const _)). assert (W := is_lim_seq_le (fun _ => y - D) u (y - D) x (fun k => proj1 (B k)) (is_lim_seq_const _) L). simpl in U, W. apply Rabs_le. lra.
Qed.
Lemma lim_sum (u : nat -> X) (x y : X) l : (forall a, In a l -> is_lim_seq (fun k => u k a) (Finite (x a))) -> is_lim_seq (fun k => sum l (fun a => r a * Rabs (u k a - y a))) (Finite (sum l (fun a => r a * Rabs (x a - y a)))).
Proof.
  induction l as [|a l IH]; intros H; simpl; [apply is_lim_seq_const|]. apply (is_lim_seq_plus' (fun k => r a * Rabs (u k a - y a))); [|apply IH; intros; apply H; now right].
  apply (is_lim_seq_scal_l (fun k => Rabs (u k a - y a)) (r a) (Finite (Rabs (x a - y a)))). apply (is_lim_seq_abs (fun k => u k a - y a) (Finite (x a - y a))). apply is_lim_seq_minus'; [apply H; now left|apply is_lim_seq_const].
Qed.
End Norms.

(** ** A matrix K with K r < r: I - K is one to one, and I - K^T is onto *)
Section Matrix.
Variable m : nat.
Notation X := (nat -> R).
Notation S := (seq 0 m).
Variable r : nat -> R.
Variable r_pos : forall a, (a < m)%nat -> 0 < r a.
Variable K : nat -> nat -> R.
Variable k : R.
Variable k_range : 0 <= k < 1.
Variable K_small : forall a, (a < m)%nat -> sum S (fun c => Rabs (K a c) * r c) <= k * r a.

Theorem one_to_one (u : X) : (forall a, (a < m)%nat -> u a = sum S (fun c => K a c * u c)) -> forall a, (a < m)%nat -> u a = 0.
Proof.
  intros H. destruct (Nat.eq_dec m 0) as [Z|N]; [intros; lia|].
  assert (Ne : S <> []) by (destruct m; [lia|easy]). destruct (largest S (fun a => Rabs (u a) / r a) Ne) as (b & Hb & Mx). apply in_seq in Hb. set (D := Rabs (u b) / r b) in *. assert (Rb := r_pos b ltac:(lia)).
  assert (All : forall a, (a < m)%nat -> Rabs (u a) <= D * r a).
  { intros a Ha. assert (Ra := r_pos a Ha). specialize (Mx a ltac:(apply in_seq; lia)). cbv beta in Mx. apply Rmult_le_compat_r with (r := r a) in Mx; [|lra]. replace (Rabs (u a) / r a * r a) with (Rabs (u a)) in Mx by (field; lra). exact Mx. }
  assert (D0 : 0 <= D) by (apply Rle_mult_inv_pos; [apply Rabs_pos|auto]).
  assert (Db : Rabs (u b) <= D * (k * r b)).
  { rewrite (H b ltac:(lia)). apply Rle_trans with (1 := sum_abs _ _). apply Rle_trans with (D * sum S (fun c => Rabs (K b c) * r c)); [|apply Rmult_le_compat_l; [auto|apply K_small; lia]].
    rewrite <- sum_scal. apply sum_le. intros c Hc. apply in_seq in Hc. rewrite Rabs_mult. assert (A := All c ltac:(lia)). assert (Pk := Rabs_pos (K b c)). assert (Y := Rmult_le_compat_l _ _ _ Pk A). lra. }
  assert (Eb : Rabs (u b) = D * r b) by (unfold D; field; lra). assert (Z : D = 0).
  { destruct (Req_dec D 0) as [|Nz]; auto. exfalso. assert (0 < D * r b * (1 - k)) by (apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|lra]). lra. }
  intros a Ha. apply Rabs_eq_0. apply Rle_antisym; [|apply Rabs_pos]. rewrite <- (Rmult_0_l (r a)), <- Z. now apply All.
Qed.

Theorem onto (g : X) : exists y : X, forall b, (b < m)%nat -> y b = sum S (fun a => K a b * y a) + g b.
Proof.
  set (T := fun (y : X) b => sum S (fun a => K a b * y a) + g b).
  assert (Con : forall D x y, True -> True -> total m r D x y -> total m r (k * D) (T x) (T y)).
  { intros D x y _ _ H. unfold total in *. apply Rle_trans with (sum S (fun b => sum S (fun a => r b * (Rabs (K a b) * Rabs (x a - y a))))).
    - apply sum_le. intros b Hb. apply in_seq in Hb. assert (Rb := r_pos b ltac:(lia)). rewrite sum_scal. apply Rmult_le_compat_l; [lra|]. unfold T.
      replace (sum S (fun a => K a b * x a) + g b - (sum S (fun a => K a b * y a) + g b)) with (sum S (fun a => K a b * (x a - y a))) by (rewrite (sum_ext _ (fun a => K a b * (x a - y a)) (fun a => K a b * x a - K a b * y a)) by (intros; ring); rewrite sum_minus; ring).
      apply Rle_trans with (1 := sum_abs _ _). right. apply sum_ext. intros a _. apply Rabs_mult.
    - rewrite sum_exchange. apply Rle_trans with (k * sum S (fun a => r a * Rabs (x a - y a))); [|apply Rmult_le_compat_l; lra]. rewrite <- sum_scal. apply sum_le. intros a Ha. apply in_seq in Ha.
      rewrite (sum_ext _ _ (fun b => Rabs (K a b) * r b * Rabs (x a - y a))) by (intros; ring). rewrite sum_scal_r. assert (Y := Rmult_le_compat_r _ _ _ (Rabs_pos (x a - y a)) (K_small a ltac:(lia))). lra. }
  set (D0 := sum S (fun a => r a * Rabs (0 - T (fun _ => 0) a))).
  assert (Dp : 0 <= D0) by (apply sum_nonneg; intros a Ha; apply in_seq in Ha; apply Rmult_le_pos; [left; apply r_pos; lia|apply Rabs_pos]).
  destruct (fixed_point m (total m r) (fun a => / r a)) with (inside := fun _ : X => True) (T := T) (k := k) (D0 := D0) (x0 := fun _ : nat => 0) as [_ Fx]; auto.
  - intros D x y a H Ha. assert (Ra := r_pos a Ha). apply Rmult_le_reg_l with (r a); auto. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. apply Rle_trans with (2 := H).
    apply (sum_term S (fun a => r a * Rabs (x a - y a))); [apply in_seq; lia|]. intros b Hb. apply in_seq in Hb. apply Rmult_le_pos; [left; apply r_pos; lia|apply Rabs_pos].
  - intros D u x y L H. unfold total. assert (Ls := lim_sum r u x y S ltac:(intros a Ha; apply in_seq in Ha; apply L; lia)). assert (U := is_lim_seq_le _ (fun _ => D) _ D H Ls (is_lim_seq_const _)). exact U.
  - intros x. unfold total. right. apply sum_zero. intros a _. rewrite Rminus_diag_eq, Rabs_R0 by easy. ring.
  - intros D x y H. unfold total in *. apply Rle_trans with (2 := H). right. apply sum_ext. intros a _. now rewrite Rabs_minus_sym.
  - intros D D' x y H Le. unfold total in *. lra.
  - intros D D' x y z H H'. unfold total in *. apply Rle_trans with (2 := Rplus_le_compat _ _ _ _ H H'). rewrite <- sum_plus. apply sum_le. intros a Ha. apply in_seq in Ha. assert (Ra := r_pos a ltac:(lia)).
    rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; [lra|]. replace (x a - z a) with ((x a - y a) + (y a - z a)) by ring. apply Rabs_triang.
  - split; auto. split; auto. unfold total. apply Rle_refl.
  - eexists. intros b Hb. symmetry. exact (Fx b Hb).
Qed.
End Matrix.

(** ** The model *)
Section Krawczyk.
Context {E : space}.
Variable P : problem E.
Variables loss slope curv : R -> R.
Variables lo hi : R.
Variable al : nat -> nat.
Variable Reg : regular P loss slope lo hi.
Variable slope_derive : forall x, lo <= x <= hi -> is_derive slope x (curv x).
Variable sel : selection P al.
Notation g := (minus_gradient P slope al).
Notation J := (J P slope curv al).
Variables (m : nat) (c0 : E) (b : nat -> E) (r : nat -> R) (M K : nat -> nat -> R).
Notation S := (seq 0 m).
Notation X := (nat -> R).
Definition along_basis (d : X) : E := vsum S (fun a => vscal (d a) (b a)).
Definition pt (h : X) : E := vadd c0 (along_basis h).
Definition ff h a := dot (g (pt h)) (b a).
Definition box (h : X) := forall a, (a < m)%nat -> Rabs (h a) <= r a.
Definition unity (a c : nat) := if (a =? c)%nat then 1 else 0.
Definition rest q a c := unity a c - sum S (fun e => M a e * J q (b c) (b e)).
Variable r_pos : forall a, (a < m)%nat -> 0 < r a.
(** Clauses 3 and 4. *)
Variable K_ok : forall q h, box h -> same q (pt h) -> forall a c, (a < m)%nat -> (c < m)%nat -> Rabs (rest q a c) <= K a c.
Variable closes : forall a, (a < m)%nat -> Rabs (sum S (fun e => M a e * ff (fun _ => 0) e)) + sum S (fun c => K a c * r c) < r a.
(** Clause 1: each difference of keys is a combination of the basis. *)
Variable spans : forall c, In c (rows P al) -> exists co : X, same (row P al c) (along_basis co).

Lemma J_dot q u z : J q u z = dot (vsum (rows P al) (fun c => vscal (weight_line P slope curv al q z c) (row P al c))) u.
Proof. rewrite (J_symmetric P slope curv al q u z), J_rows, dot_vsum_l. apply sum_ext. intros; now rewrite dot_scal_l. Qed.
Lemma J_basis q d z : J q (along_basis d) z = sum S (fun a => d a * J q (b a) z).
Proof. rewrite J_dot. unfold along_basis. rewrite dot_vsum_r. apply sum_ext. intros a _. now rewrite dot_scal_r, <- J_dot. Qed.
Lemma sum_unity a (f : X) : (a < m)%nat -> sum S (fun c => unity a c * f c) = f a.
Proof.
  intros Ha. rewrite (sum_others m a) by auto. unfold unity at 1. rewrite Nat.eqb_refl, sum_zero; [ring|]. intros c Hc. apply in_others in Hc. unfold unity. destruct (Nat.eqb_spec a c); [lia|ring].
Qed.

Definition T (h : X) a := h a - sum S (fun e => M a e * ff h e).
Lemma zero_box : box (fun _ => 0).
Proof. intros a Ha. rewrite Rabs_R0. left. now apply r_pos. Qed.
Lemma K_nonneg a c : (a < m)%nat -> (c < m)%nat -> 0 <= K a c.
Proof. intros Ha Hc. apply Rle_trans with (2 := K_ok (pt (fun _ => 0)) (fun _ => 0) zero_box (same_refl _) a c Ha Hc), Rabs_pos. Qed.

(** The mean value theorem in the box. *)
Lemma T_apart h h' a : (a < m)%nat -> box h -> box h' -> Rabs (T h' a - T h a) <= sum S (fun c => K a c * Rabs (h' c - h c)).
Proof.
  intros Ha Bh Bh'. set (d := fun c => h' c - h c). set (u := along_basis d). set (mid := fun s c => h c + s * d c).
  assert (Sm : forall s, same (vadd (pt h) (vscal s u)) (pt (mid s))).
  { intros s z. unfold pt, u, along_basis. rewrite !dot_add_l, dot_scal_l, !dot_vsum_l, <- sum_scal, Rplus_assoc, <- sum_plus. f_equal. apply sum_ext. intros c _. rewrite !dot_scal_l. unfold mid. ring. }
  assert (In : forall s, 0 <= s <= 1 -> box (mid s)).
  { intros s Hs c Hc. unfold mid, d. replace (h c + s * (h' c - h c)) with ((1 - s) * h c + s * h' c) by ring. apply Rle_trans with (1 := Rabs_triang _ _). rewrite !Rabs_mult, !(Rabs_pos_eq (1 - s)), !(Rabs_pos_eq s) by lra.
    assert (A := Rmult_le_compat_l (1 - s) _ _ ltac:(lra) (Bh c Hc)). assert (B := Rmult_le_compat_l s _ _ ltac:(lra) (Bh' c Hc)). lra. }
  set (phi := fun s => T (mid s) a). set (phi' := fun s => d a - sum S (fun e => M a e * J (vadd (pt h) (vscal s u)) u (b e))).
  assert (Dp : forall s, is_derive phi s (phi' s)).
  { intros s. unfold phi, T, phi'. apply is_derive_diff.
    - unfold mid. auto_derive; [exact I|ring].
    - apply (is_derive_sum S (fun e s => M a e * ff (mid s) e) (fun e s => M a e * J (vadd (pt h) (vscal s u)) u (b e))). intros e _. apply is_derive_scal.
      apply is_derive_ext with (fun s => dot (g (vadd (pt h) (vscal s u))) (b e)); [intros s1; unfold ff; apply (gradient_same P slope al); apply Sm|]. apply (gradient_line P loss slope curv lo hi al Reg slope_derive sel). }
  destruct (mean_value phi phi' 0 1 ltac:(lra) (fun s _ => Dp s)) as (s & Hs & Hm).
  rewrite Rminus_0_r, Rmult_1_r in Hm. set (q := vadd (pt h) (vscal s u)).
  assert (E1 : phi 1 = T h' a) by (unfold phi, T, ff; f_equal; [unfold mid, d; ring|apply sum_ext; intros e _; f_equal; apply (gradient_same P slope al); intros z; unfold pt, along_basis; rewrite !dot_add_l, !dot_vsum_l; f_equal; apply sum_ext; intros c _; rewrite !dot_scal_l; unfold mid, d; ring]).
  assert (E0 : phi 0 = T h a) by (unfold phi, T, ff; f_equal; [unfold mid, d; ring|apply sum_ext; intros e _; f_equal; apply (gradient_same P slope al); intros z; unfold pt, along_basis; rewrite !dot_add_l, !dot_vsum_l; f_equal; apply sum_ext; intros c _; rewrite !dot_scal_l; unfold mid, d; ring]).
  rewrite <- E1, <- E0, Hm. unfold phi'. fold q.
  assert (Form : d a - sum S (fun e => M a e * J q u (b e)) = sum S (fun c => rest q a c * d c)).
  { rewrite <- (sum_unity a d Ha). rewrite (sum_ext S (fun e => M a e * J q u (b e)) (fun e => sum S (fun c => M a e * J q (b c) (b e) * d c))) by (intros e _; unfold u; rewrite J_basis, <- sum_scal; apply sum_ext; intros; ring).
    rewrite sum_exchange, <- sum_minus. apply sum_ext. intros c _. unfold rest. rewrite sum_scal_r. ring. }
  rewrite Form. apply Rle_trans with (1 := sum_abs _ _). apply sum_le. intros c Hc. apply in_seq in Hc. rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|]. apply (K_ok q (mid s)); auto; [apply Sm|lia].
Qed.

(** k < 1 with K r <= k r. *)
Lemma ratio : exists k, 0 <= k < 1 /\ forall a, (a < m)%nat -> sum S (fun c => K a c * r c) <= k * r a.
Proof.
  destruct (Nat.eq_dec m 0) as [Z|N]; [exists 0; split; [lra|intros; lia]|]. assert (Ne : S <> []) by (destruct m; [lia|easy]).
  destruct (largest S (fun a => sum S (fun c => K a c * r c) / r a) Ne) as (w & Hw & Mx). apply in_seq in Hw. set (k := sum S (fun c => K w c * r c) / r w) in *. assert (Rw := r_pos w ltac:(lia)).
  assert (Kw : 0 <= sum S (fun c => K w c * r c)) by (apply sum_nonneg; intros c Hc; apply in_seq in Hc; apply Rmult_le_pos; [apply K_nonneg; lia|left; apply r_pos; lia]).
  exists k. split.
  - split; [now apply Rle_mult_inv_pos|]. apply Rmult_lt_reg_r with (r w); auto. unfold k. replace (sum S (fun c => K w c * r c) / r w * r w) with (sum S (fun c => K w c * r c)) by (field; lra).
    assert (C := closes w ltac:(lia)). assert (A := Rabs_pos (sum S (fun e => M w e * ff (fun _ => 0) e))). lra.
  - intros a Ha. assert (Ra := r_pos a Ha). specialize (Mx a ltac:(apply in_seq; lia)). cbv beta in Mx. apply Rmult_le_compat_r with (r := r a) in Mx; [|lra]. replace (sum S (fun c => K a c * r c) / r a * r a) with (sum S (fun c => K a c * r c)) in Mx by (field; lra). exact Mx.
Qed.

Theorem krawczyk : exists h, box h /\ same (g (pt h)) vzero.
Proof.
  destruct ratio as (k & Hk & Kr).
  assert (Kn : forall a c, (a < m)%nat -> In c S -> 0 <= K a c) by (intros a c Ha Hc; apply in_seq in Hc; apply K_nonneg; lia).
  destruct (fixed_point m (widest m r) r) with (inside := box) (T := T) (k := k) (D0 := 1) (x0 := fun _ : nat => 0) as [Bx Fx]; auto.
  - intros D u x y L H a Ha. apply (lim_le (fun k => u k a)); auto. intros j. now apply H.
  - intros x a Ha. rewrite Rminus_diag_eq, Rabs_R0, Rmult_0_r by easy. lra.
  - intros D x y H a Ha. rewrite Rabs_minus_sym. now apply H.
  - intros D D' x y H Le a Ha. apply Rle_trans with (1 := H a Ha). apply Rmult_le_compat_l; auto. left. now apply r_pos.
  - intros D D' x y z H H' a Ha. replace (x a - z a) with ((x a - y a) + (y a - z a)) by ring. apply Rle_trans with (1 := Rabs_triang _ _). specialize (H a Ha). specialize (H' a Ha). lra.
  - intros u x L H a Ha. rewrite <- (Rminus_0_r (x a)). apply (lim_le (fun k => u k a)); auto. intros j. rewrite Rminus_0_r. now apply H.
  - intros x Bxx a Ha. assert (A := T_apart (fun _ => 0) x a Ha zero_box Bxx). assert (C := closes a Ha).
    assert (Sx : sum S (fun c => K a c * Rabs (x c - 0)) <= sum S (fun c => K a c * r c)) by (apply sum_le; intros c Hc; apply Rmult_le_compat_l; [now apply Kn|]; rewrite Rminus_0_r; apply in_seq in Hc; apply Bxx; lia).
    replace (T x a) with ((T x a - T (fun _ => 0) a) + T (fun _ => 0) a) by ring. apply Rle_trans with (1 := Rabs_triang _ _).
    assert (T0 : Rabs (T (fun _ => 0) a) = Rabs (sum S (fun e => M a e * ff (fun _ => 0) e))) by (unfold T; rewrite Rminus_0_l; apply Rabs_Ropp). rewrite T0. lra.
  - intros D x y Bx By H a Ha. assert (A := T_apart y x a Ha By Bx). assert (Ra := r_pos a Ha). assert (D0 : 0 <= D) by (specialize (H a Ha); assert (X0 := Rabs_pos (x a - y a)); nra).
    apply Rle_trans with (1 := A). apply Rle_trans with (D * sum S (fun c => K a c * r c)).
    + rewrite <- sum_scal. apply sum_le. intros c Hc. assert (Hc' := Hc). apply in_seq in Hc'. assert (Y := Rmult_le_compat_l _ _ _ (Kn a c Ha Hc) (H c ltac:(lia))). lra.
    + assert (Y := Rmult_le_compat_l _ _ _ D0 (Kr a Ha)). lra.
  - split; [exact zero_box|]. split; [|lra]. intros a Ha. unfold T. rewrite !Rminus_0_l, Ropp_involutive, Rmult_1_r. assert (C := closes a Ha).
    assert (Kp : 0 <= sum S (fun c => K a c * r c)) by (apply sum_nonneg; intros c Hc; apply Rmult_le_pos; [now apply Kn|apply in_seq in Hc; left; apply r_pos; lia]). lra.
  - set (h := limit T (fun _ : nat => 0)) in *. exists h. split; auto. set (q := pt h). assert (Mf : forall a, (a < m)%nat -> sum S (fun e => M a e * ff h e) = 0) by (intros a Ha; specialize (Fx a Ha); unfold T in Fx; lra).
    (* M f = 0 gives f = 0 *)
    assert (Rs : forall a, (a < m)%nat -> sum S (fun c => Rabs (rest q a c) * r c) <= k * r a).
    { intros a Ha. apply Rle_trans with (2 := Kr a Ha). apply sum_le. intros c Hc. apply in_seq in Hc. apply Rmult_le_compat_r; [left; apply r_pos; lia|]. apply (K_ok q h); auto; [apply same_refl|lia]. }
    destruct (onto m r r_pos (rest q) k Hk Rs (ff h)) as [y Hy]. set (u := fun c => sum S (fun a => M a c * y a)).
    assert (Fu : forall e, (e < m)%nat -> ff h e = sum S (fun c => J q (b c) (b e) * u c)).
    { intros e He. assert (Y := Hy e He). rewrite <- (sum_unity e y He) in Y at 1.
      assert (Z : ff h e = sum S (fun a => (unity e a - rest q a e) * y a)) by (rewrite (sum_ext S _ (fun a => unity e a * y a - rest q a e * y a)) by (intros; ring); rewrite sum_minus; lra).
      rewrite Z. rewrite (sum_ext S _ (fun a => sum S (fun c => M a c * J q (b e) (b c) * y a))).
      - rewrite sum_exchange. apply sum_ext. intros c _. unfold u. rewrite <- sum_scal. apply sum_ext. intros a _. rewrite (J_symmetric P slope curv al q (b e) (b c)). ring.
      - intros a _. unfold rest. rewrite sum_scal_r. replace (unity a e) with (unity e a) by (unfold unity; now rewrite Nat.eqb_sym). ring. }
    assert (Uz : forall c, (c < m)%nat -> u c = 0).
    { apply (one_to_one m r r_pos (rest q) k Hk Rs). intros a Ha. assert (Z := Mf a Ha).
      rewrite (sum_ext S (fun e => M a e * ff h e) (fun e => sum S (fun c => M a e * J q (b c) (b e) * u c))) in Z by (intros e He; apply in_seq in He; rewrite (Fu e) by lia; rewrite <- sum_scal; apply sum_ext; intros; ring).
      rewrite sum_exchange in Z. rewrite <- (sum_unity a u Ha) at 1. apply Rminus_diag_uniq. rewrite <- sum_minus, <- Z. apply sum_ext. intros c _. unfold rest. rewrite sum_scal_r. ring. }
    assert (Fz : forall e, (e < m)%nat -> ff h e = 0) by (intros e He; rewrite (Fu e He); apply sum_zero; intros c Hc; apply in_seq in Hc; rewrite Uz by lia; ring).
    apply same_norm_sub. assert (Gz : forall c, In c (rows P al) -> dot (row P al c) (g q) = 0).
    { intros c Hc. destruct (spans c Hc) as [co Hco]. rewrite (Hco (g q)). unfold along_basis. rewrite dot_vsum_l. apply sum_zero. intros a Ha. apply in_seq in Ha. rewrite dot_scal_l, dot_sym. fold q. change (dot (g q) (b a)) with (ff h a). rewrite Fz by lia. ring. }
    assert (Gg : dot (g q) (g q) = 0) by (unfold minus_gradient at 1; rewrite dot_vsum_l; apply sum_zero; intros c Hc; rewrite dot_scal_l, (Gz c Hc); ring).
    unfold norm. rewrite dot_sub_l, !dot_sub_r, dot_zero_l, dot_zero_r, Gg, dot_zero_l. replace (0 - 0 - (0 - 0)) with 0 by ring. apply sqrt_0.
Qed.
End Krawczyk.

(** ** The origin *)
Lemma grouped {A} (f c : A -> R) (s : R -> R) N : forall l, (length l <= N)%nat -> (forall v, sum l (fun i => if Req_EM_T (f i) v then c i else 0) = 0) -> sum l (fun i => s (f i) * c i) = 0.
Proof.
  induction N as [|N IH]; intros l HN H; [destruct l; [easy|simpl in HN; lia]|]. destruct l as [|a l]; [easy|]. set (v := f a).
  set (same_key := fun i => if Req_EM_T (f i) v then true else false). rewrite (sum_partition (a :: l) same_key).
  assert (On : sum (filter same_key (a :: l)) (fun i => s (f i) * c i) = 0).
  { rewrite sum_filter. rewrite (sum_ext _ _ (fun i => s v * (if Req_EM_T (f i) v then c i else 0))); [rewrite sum_scal, H; ring|]. intros i _. unfold same_key. destruct (Req_EM_T (f i) v) as [->|]; ring. }
  rewrite On, Rplus_0_l. apply IH.
  - simpl. unfold same_key at 1. destruct (Req_EM_T (f a) v) as [_|Ne]; [|now destruct Ne]. simpl in *. assert (Le : (length (filter (fun i => negb (same_key i)) l) <= length l)%nat) by (clear; induction l as [|x l IH]; simpl; [lia|]; destruct (negb (same_key x)); simpl; lia). lia.
  - intros v'. rewrite sum_filter. destruct (Req_EM_T v' v) as [->|Nv].
    + apply sum_zero. intros i _. unfold same_key. destruct (Req_EM_T (f i) v); easy.
    + transitivity (sum (a :: l) (fun i => if Req_EM_T (f i) v' then c i else 0)); [|apply H]. apply sum_ext. intros i _. unfold same_key. destruct (Req_EM_T (f i) v) as [E1|], (Req_EM_T (f i) v') as [E2|]; simpl; solve [reflexivity | exfalso; congruence].
Qed.

Section Origin.
Context {E : space}.
Variable P : problem E.
Variables loss slope : R -> R.
Variables lo hi : R.
Variable al : nat -> nat.
Variable Reg : regular P loss slope lo hi.
Variable sel : selection P al.
Variable p : E.
(** g_i.z is the covariance of scores and logits of z; at p = 0 attention is 1/T_i. *)
Variable cancels : forall z v, sum (seq 0 (samples P)) (fun i => if Req_EM_T (output P p i) v then covariance P p i z else 0) = 0.

Theorem stationary_origin : same (minus_gradient P slope al p) vzero.
Proof.
  intros z. rewrite dot_zero_l. assert (G := grouped (output P p) (fun i => covariance P p i z) slope (samples P) (seq 0 (samples P)) ltac:(now rewrite seq_length) (cancels z)).
  assert (X : dot (minus_gradient P slope al p) z = - (/ INR (samples P) * sum (seq 0 (samples P)) (fun i => slope (output P p i) * covariance P p i z))); [|rewrite X, G; ring].
  unfold minus_gradient. rewrite dot_vsum_l, sum_rows, <- sum_scal, <- sum_opp. apply sum_ext. intros i Hi. apply in_seq in Hi. rewrite (covariance_rows P loss slope lo hi al) by (auto; lia).
  rewrite <- sum_opp, <- !sum_scal, <- sum_opp. apply sum_ext. intros t _. rewrite dot_scal_l. unfold weight, gap, deficit. simpl fst. simpl snd. unfold Rdiv. ring.
Qed.
End Origin.
