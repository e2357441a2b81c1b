(** `rank` (docs/certificate.md 4.13): vectors that elimination over the rationals finds independent are independent over the real
    numbers, so an accepted certificate makes the W-SVM of every selection feasible. *)
From Coq Require Import QArith Qreals Reals List Lra Lia Arith Bool.
From Attest Require Import Sums Space Svm Select Rank.
From Attest.verified Require Import Numbers Meaning Checks SoundPrograms SoundData.
Import ListNotations.
Open Scope R_scope.

Fixpoint comb (l : list (list Q)) (x : nat -> R) (j : nat) : R :=
  match l with [] => 0 | v :: l => x 0%nat * real_vector v j + comb l (fun k => x (S k)) j end.

Lemma comb_sum l x j : comb l x j = sum (seq 0 (length l)) (fun k => x k * real_vector (nth k l []) j).
Proof.
  revert x. induction l as [|v l IH]; intros x; [easy|]. cbn [comb length]. rewrite sum_seq_shift, IH. reflexivity.
Qed.

Lemma comb_zero l x j : (forall k, (k < length l)%nat -> x k = 0) -> comb l x j = 0.
Proof. intros H. rewrite comb_sum. apply sum_zero. intros k Hk. apply in_seq in Hk. rewrite H by lia. ring. Qed.

Lemma pivot_spec x : forall j, pivot x = Some j -> (j < length x)%nat /\ real_vector x j <> 0.
Proof.
  induction x as [|q x IH]; intros j H; simpl in H; [discriminate|]. destruct (qeq q 0) eqn:E.
  - destruct (pivot x) as [k|]; [|discriminate]. simpl in H. inversion H; subst. destruct (IH k eq_refl) as [L N]. split; [simpl; lia|exact N].
  - inversion H; subst. split; [simpl; lia|]. apply qeq_false in E. unfold real_vector. simpl. now rewrite real_0 in E.
Qed.

Section Eliminate.
Variables (d p : nat) (v : list Q).
Variable v_length : length v = d.
Variable v_pivot : real_vector v p <> 0.

Lemma eliminate_length u : length u = d -> length (eliminate p v u) = d.
Proof. intros H. unfold eliminate, vector_sub. rewrite zip_length; rewrite ?scale_length; lia. Qed.

Lemma eliminate_real u : length u = d -> exists k, (forall j, real_vector (eliminate p v u) j = real_vector u j - k * real_vector v j) /\
                                                    real_vector (eliminate p v u) p = 0.
Proof.
  intros H. exists (real_vector u p / real_vector v p).
  assert (E : forall j, real_vector (eliminate p v u) j = real_vector u j - real_vector u p / real_vector v p * real_vector v j).
  { intros j. unfold eliminate. rewrite real_vector_sub by (rewrite scale_length; lia). rewrite real_vector_scale, real_div by exact v_pivot. reflexivity. }
  split; auto. rewrite E. field. exact v_pivot.
Qed.

Lemma eliminate_comb l : (forall u, In u l -> length u = d) -> forall x, exists s,
  (forall j, comb (map (eliminate p v) l) x j = comb l x j - s * real_vector v j) /\ comb (map (eliminate p v) l) x p = 0.
Proof.
  induction l as [|u l IH]; intros H x; [exists 0; split; [intros; simpl; ring|easy]|].
  destruct (IH (fun w Hw => H w (or_intror Hw)) (fun k => x (S k))) as (s & Hs & Hp).
  destruct (eliminate_real u (H u (or_introl eq_refl))) as (k & Hk & Kp).
  exists (x 0%nat * k + s). split.
  - intros j. simpl. rewrite Hk, Hs. ring.
  - simpl. rewrite Kp, Hp. ring.
Qed.
End Eliminate.

Theorem independent_list_sound d : forall fuel l, (forall u, In u l -> length u = d) -> independent_list fuel l = true ->
  forall x, (forall j, (j < d)%nat -> comb l x j = 0) -> forall k, (k < length l)%nat -> x k = 0.
Proof.
  induction fuel as [|fuel IH]; intros [|v l] HL HI x Hx k Hk; try (simpl in Hk; lia); simpl in HI; [discriminate|].
  destruct (pivot v) as [p|] eqn:Pv; [|discriminate]. destruct (pivot_spec v p Pv) as [Lp Np].
  assert (Lv : length v = d) by (apply HL; now left).
  assert (Ll : forall u, In u l -> length u = d) by (intros; apply HL; now right).
  destruct (eliminate_comb d p v Lv Np l Ll (fun k => x (S k))) as (s & Hs & Hp).
  assert (C : x 0%nat + s = 0).
  { assert (X := Hx p ltac:(lia)). cbn [comb] in X. rewrite Hs in Hp.
    assert (Y : (x 0%nat + s) * real_vector v p = 0) by lra. apply Rmult_integral in Y. tauto. }
  assert (Z : forall k, (k < length l)%nat -> x (S k) = 0).
  { intros m Hm. apply (IH (map (eliminate p v) l)) with (x := fun k => x (S k)) (k := m) in HI; auto.
    - intros u Hu. apply in_map_iff in Hu. destruct Hu as (u' & <- & Hu). apply (eliminate_length d p v); auto.
    - intros j Hj. rewrite Hs. specialize (Hx j Hj). cbn [comb] in Hx. replace s with (- x 0%nat) by lra. lra.
    - now rewrite map_length. }
  destruct k as [|k]; [|apply Z; simpl in Hk; lia].
  specialize (Hx p ltac:(lia)). cbn [comb] in Hx. rewrite comb_zero in Hx by exact Z. rewrite Rplus_0_r in Hx. apply Rmult_integral in Hx. tauto.
Qed.

Theorem independent_vectors_sound d (l : list (list Q)) (u : nat -> coordinates d) :
  (forall v, In v l -> length v = d) -> (forall k j, (k < length l)%nat -> (j < d)%nat -> real_vector (nth k l []) j = u k j) ->
  independent_vectors l = true -> independent u (length l).
Proof.
  intros HL HU HI x Hx k Hk. apply (independent_list_sound d (length l) l HL HI x); auto.
  intros j Hj. apply (proj1 (same_coordinates d _ _)) with (j := j) in Hx; auto. simpl in Hx. rewrite <- Hx.
  rewrite comb_sum. unfold combination. clear Hx.
  assert (G : forall s, (forall k, In k s -> (k < length l)%nat) -> sum s (fun k => x k * real_vector (nth k l []) j) = vsum s (fun k => vscal (x k) (u k)) j).
  { induction s as [|m s IHs]; intros Hs; simpl; auto. rewrite IHs, HU; auto; [apply Hs; now left|intros; apply Hs; now right]. }
  apply G. intros m Hm. apply in_seq in Hm. lia.
Qed.

Section Rank.
Variable D : data.
Variable well : well_formed D = true.

Theorem rank_sound token_ranks query_rank : rank_check D token_ranks query_rank = Accepted -> full_rank D token_ranks query_rank.
Proof.
  unfold rank_check. intros H. split_checks H. apply andb_prop in B. destruct B as [B2 B3].
  apply list_eq_spec in B2; [|apply Nat.eqb_eq]. apply Nat.eqb_eq in B3. rewrite forallb_forall in B0.
  assert (T : forall i, (i < count D)%nat -> independent (fun j => vsub (token D i (S j)) (token D i 0%nat)) (size D i - 1)).
  { intros i Hi. assert (I := B0 i ltac:(apply in_seq; lia)).
    assert (Sz := size_pos D well i Hi).
    assert (N : forall k, (k < size D i - 1)%nat ->
              nth k (token_differences D i) [] = vector_sub (qtoken D i (S k)) (qtoken D i 0)).
    { intros k Hk. unfold token_differences. set (f := fun j => vector_sub (qtoken D i (S j)) (qtoken D i 0)).
      rewrite (nth_indep _ [] (f 0%nat)) by (rewrite map_length, seq_length; auto). rewrite map_nth, seq_nth by auto. reflexivity. }
    assert (L : length (token_differences D i) = (size D i - 1)%nat) by (unfold token_differences; now rewrite map_length, seq_length).
    rewrite <- L. apply independent_vectors_sound; auto.
    - intros v Hv. unfold token_differences in Hv. apply in_map_iff in Hv. destruct Hv as (j & <- & Hj). apply in_seq in Hj.
      unfold vector_sub. rewrite zip_length; rewrite !(token_length D well); auto; lia.
    - intros k j Hk Hj. rewrite L in Hk. rewrite N by auto. rewrite real_vector_sub by (rewrite !(token_length D well); auto; lia).
      unfold token. simpl. ring. }
  assert (Q : independent (query D) (count D)).
  { assert (L : length (map (qquery D) (seq 0 (count D))) = count D) by now rewrite map_length, seq_length.
    rewrite <- L at 1. apply independent_vectors_sound; auto.
    - intros v Hv. apply in_map_iff in Hv. destruct Hv as (i & <- & Hi). apply in_seq in Hi. apply query_length; auto. lia.
    - intros k j Hk Hj. rewrite L in Hk. rewrite (nth_indep _ [] (qquery D 0%nat)) by (rewrite L; auto).
      rewrite map_nth, seq_nth by auto. apply query_real. }
  split; [auto|]. split; [auto|]. split; [auto|]. split; [auto|].
  intros al S. apply (rank_feasible (dimension D) (count D) (size D) (token D) (query D) (score_of D)); auto.
  intros; now apply size_pos.
Qed.
End Rank.
