(** Section 3 of docs/certificate.md: jets enclose a loss and its first two derivatives.
    An expression of u stands for a function of R (`value`); the rules of the table, read with numbers in place of intervals, give `slope` and `curv`, and
    where every condition of a node holds (`defined`) these are its first and second derivative (`derivatives`).
    Jets are the same rules with intervals.  Of these only that each operation encloses is used, outward rounding included: what is computed on X contains
    value, slope and curv of every t in X, and all of them are defined there (`jets_enclose`).  With 4.1: `loss_bounds_by_jets`, with 4.2: `slope_by_jets`. *)
From Coq Require Import Reals List Lra Lia Psatz ZArith.
From Coquelicot Require Import Coquelicot.
From Attest Require Import Model Curvature LossBounds.
Import ListNotations.
Open Scope R_scope.

(** ** Functions of one number: value, two derivatives, where they exist *)
Inductive function := Inverse | Power (k : nat) | Exp | Log | Tanh | Sqrt | Softplus.

Definition sigmoid x := / (1 + exp (- x)).
Definition phi (h : function) (x : R) : R :=
  match h with
  | Inverse => / x | Power k => x ^ k | Exp => exp x | Log => ln x | Tanh => tanh x | Sqrt => sqrt x | Softplus => ln (1 + exp x)
  end.
Definition phi1 (h : function) (x : R) : R :=
  match h with
  | Inverse => - / (x * x)
  | Power k => INR k * x ^ pred k
  | Exp => exp x
  | Log => / x
  | Tanh => 1 - tanh x * tanh x
  | Sqrt => / (2 * sqrt x)
  | Softplus => sigmoid x
  end.
Definition phi2 (h : function) (x : R) : R :=
  match h with
  | Inverse => 2 / (x * x * x)
  | Power k => INR k * (INR (pred k) * x ^ pred (pred k))
  | Exp => exp x
  | Log => - / (x * x)
  | Tanh => - (2 * tanh x * (1 - tanh x * tanh x))
  | Sqrt => - / (4 * sqrt x ^ 3)
  | Softplus => sigmoid x * (1 - sigmoid x)
  end.
Definition domain (h : function) (x : R) : Prop := match h with Inverse => x <> 0 | Log | Sqrt => 0 < x | _ => True end.

Lemma tanh_derive x : is_derive tanh x (1 - tanh x * tanh x).
Proof.
  assert (C : 0 < cosh x) by (unfold cosh; assert (A := exp_pos x); assert (B := exp_pos (- x)); lra).
  unfold tanh. auto_derive; [lra|]. field. lra.
Qed.

Lemma phi_derives h x : domain h x -> is_derive (phi h) x (phi1 h x) /\ is_derive (phi1 h) x (phi2 h x).
Proof.
  assert (Pe := exp_pos x). assert (Pe' := exp_pos (- x)).
  destruct h as [|k| | | | |]; intros H; unfold phi, phi1, phi2, domain in *; split.
  - auto_derive; auto. field. auto.
  - auto_derive; [nra|]. field. auto.
  - auto_derive; auto. ring.
  - auto_derive; auto. ring.
  - auto_derive; auto. ring.
  - auto_derive; auto. ring.
  - auto_derive; auto. field. lra.
  - auto_derive; [lra|]. field. lra.
  - apply tanh_derive.
  - assert (T := tanh_derive x). apply is_derive_value with (0 - ((1 - tanh x * tanh x) * tanh x + tanh x * (1 - tanh x * tanh x))); [|ring].
    apply (is_derive_diff (fun _ => 1)); [apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule))|now apply is_derive_prod].
  - auto_derive; auto. field. apply Rgt_not_eq, sqrt_lt_R0. auto.
  - assert (S := sqrt_lt_R0 x H). auto_derive; [split; [auto|split; [lra|auto]]|]. field. lra.
  - unfold sigmoid. auto_derive; [lra|]. rewrite exp_Ropp. field. lra.
  - unfold sigmoid. auto_derive; [lra|]. field. lra.
Qed.

(** Ranges by ends: exp, log, tanh, sqrt, softplus and its slope s increase; s(1 - s) is even and falls in |x|. *)
Lemma tanh_square x : tanh x * tanh x <= 1.
Proof.
  assert (A := exp_pos x). assert (B := exp_pos (- x)). assert (C : 0 < cosh x) by (unfold cosh; lra).
  assert (Q : sinh x * sinh x <= cosh x * cosh x) by (unfold sinh, cosh; nra).
  unfold tanh. replace (sinh x / cosh x * (sinh x / cosh x)) with (sinh x * sinh x / (cosh x * cosh x)) by (field; lra).
  apply Rmult_le_reg_r with (cosh x * cosh x); [nra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by nra. lra.
Qed.

Theorem ends_increase h x y : match h with Inverse | Power _ => False | _ => True end -> domain h x -> x <= y -> phi h x <= phi h y.
Proof.
  assert (Ex : x <= y -> exp x <= exp y) by (intros [L|<-]; [left; now apply exp_increasing|lra]).
  destruct h; simpl; intros K D H; try easy.
  - auto.
  - destruct H as [L|<-]; [left; now apply ln_increasing|lra].
  - destruct H as [L|<-]; [|lra]. apply not_decreasing_by_slope with (fun z => 1 - tanh z * tanh z); auto.
    intros z _. split; [apply tanh_derive|]. assert (T := tanh_square z). lra.
  - now apply sqrt_le_1_alt.
  - specialize (Ex H). assert (P := exp_pos x). destruct Ex as [L|<-]; [left; apply ln_increasing; lra|lra].
Qed.

Theorem sigmoid_increases x y : x <= y -> sigmoid x <= sigmoid y.
Proof.
  intros H. unfold sigmoid. assert (P := exp_pos (- y)). apply Rinv_le_contravar; [lra|]. apply Rplus_le_compat_l.
  destruct H as [L|<-]; [left; apply exp_increasing; lra|lra].
Qed.

Theorem bell_falls x y : Rabs x <= Rabs y -> sigmoid y * (1 - sigmoid y) <= sigmoid x * (1 - sigmoid x).
Proof.
  assert (F : forall z, sigmoid z * (1 - sigmoid z) = / (2 + (exp z + exp (- z)))).
  { intros z. unfold sigmoid. assert (P := exp_pos z). rewrite exp_Ropp. field. split; nra. }
  assert (Ev : forall z, exp z + exp (- z) = exp (Rabs z) + exp (- Rabs z)).
  { intros z. unfold Rabs. destruct (Rcase_abs z); [rewrite Ropp_involutive|]; ring. }
  intros H. rewrite !F, (Ev x), (Ev y). assert (Px := exp_pos (Rabs x)). assert (Px' := exp_pos (- Rabs x)).
  apply Rinv_le_contravar; [lra|]. apply Rplus_le_compat_l. destruct H as [L|<-]; [|lra].
  apply (not_decreasing_by_slope (fun z => exp z + exp (- z)) (fun z => exp z - exp (- z))); auto. intros z Hz. assert (A := Rabs_pos x). split.
  - auto_derive; auto. ring.
  - assert (exp (- z) <= exp z); [|lra]. destruct (Rle_lt_or_eq_dec (- z) z ltac:(lra)) as [N|N]; [left; now apply exp_increasing|rewrite N; lra].
Qed.

(** ** Expressions *)
Inductive expression :=
| Number (c : R)
| U
| Neg (f : expression)
| Plus (f g : expression)
| Minus (f g : expression)
| Times (f g : expression)
| Apply (h : function) (f : expression).

Definition Divide f g := Times f (Apply Inverse g).
Definition Log1p f := Apply Log (Plus (Number 1) f).
Definition IntegerPower f (k : Z) :=
  match k with Z0 => Apply (Power 0) f | Zpos n => Apply (Power (Pos.to_nat n)) f | Zneg n => Apply Inverse (Apply (Power (Pos.to_nat n)) f) end.

Fixpoint value (e : expression) (t : R) : R :=
  match e with
  | Number c => c
  | U => t
  | Neg f => - value f t
  | Plus f g => value f t + value g t
  | Minus f g => value f t - value g t
  | Times f g => value f t * value g t
  | Apply h f => phi h (value f t)
  end.
Fixpoint slope (e : expression) (t : R) : R :=
  match e with
  | Number c => 0
  | U => 1
  | Neg f => - slope f t
  | Plus f g => slope f t + slope g t
  | Minus f g => slope f t - slope g t
  | Times f g => slope f t * value g t + value f t * slope g t
  | Apply h f => phi1 h (value f t) * slope f t
  end.
Fixpoint curv (e : expression) (t : R) : R :=
  match e with
  | Number c => 0
  | U => 0
  | Neg f => - curv f t
  | Plus f g => curv f t + curv g t
  | Minus f g => curv f t - curv g t
  | Times f g => curv f t * value g t + 2 * slope f t * slope g t + value f t * curv g t
  | Apply h f => phi2 h (value f t) * (slope f t * slope f t) + phi1 h (value f t) * curv f t
  end.
Fixpoint defined (e : expression) (t : R) : Prop :=
  match e with
  | Number _ | U => True
  | Neg f => defined f t
  | Plus f g | Minus f g | Times f g => defined f t /\ defined g t
  | Apply h f => defined f t /\ domain h (value f t)
  end.

(** What the derived nodes stand for; the trees that softplus is used for. *)
Lemma divide_value f g t : value (Divide f g) t = value f t / value g t.
Proof. reflexivity. Qed.
Lemma log1p_value f t : value (Log1p f) t = ln (1 + value f t).
Proof. reflexivity. Qed.
Lemma integer_power_value f k t : value (IntegerPower f k) t = powerRZ (value f t) k.
Proof. now destruct k. Qed.
Lemma softplus_trees f t : value (Log1p (Apply Exp f)) t = value (Apply Softplus f) t /\
  value (Apply Log (Plus (Number 1) (Apply Exp f))) t = value (Apply Softplus f) t /\
  value (Apply Log (Plus (Apply Exp f) (Number 1))) t = value (Apply Softplus f) t.
Proof. repeat split. simpl. now rewrite Rplus_comm. Qed.

Theorem derivatives e t : defined e t -> is_derive (value e) t (slope e t) /\ is_derive (slope e) t (curv e t).
Proof.
  induction e as [c| |f IH|f IHf g IHg|f IHf g IHg|f IHf g IHg|h f IH]; simpl; intros H;
    repeat match goal with
    | IH : _ -> is_derive (value ?f) t _ /\ _, H : defined ?f t /\ _ |- _ => destruct H as [Df H]; specialize (IH Df); destruct IH
    | IH : _ -> is_derive (value ?f) t _ /\ _, H : defined ?f t |- _ => specialize (IH H); destruct IH; clear H
    end; split.
  - apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule)).
  - apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule)).
  - apply (is_derive_id (K := R_AbsRing)).
  - apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule)).
  - now apply (is_derive_opp (V := R_NormedModule)).
  - now apply (is_derive_opp (V := R_NormedModule)).
  - now apply (is_derive_plus (V := R_NormedModule)).
  - now apply (is_derive_plus (V := R_NormedModule)).
  - now apply is_derive_diff.
  - now apply is_derive_diff.
  - now apply is_derive_prod.
  - apply is_derive_value with ((curv f t * value g t + slope f t * slope g t) + (slope f t * slope g t + value f t * curv g t)); [|ring].
    apply (is_derive_plus (V := R_NormedModule)); now apply is_derive_prod.
  - apply is_derive_value with (scal (slope f t) (phi1 h (value f t))); [|apply Rmult_comm].
    apply (is_derive_comp (phi h) (value f)); auto. now apply phi_derives.
  - apply is_derive_value with ((slope f t * phi2 h (value f t)) * slope f t + phi1 h (value f t) * curv f t); [|ring].
    apply (is_derive_prod (fun s => phi1 h (value f s)) (slope f)); auto.
    apply (is_derive_comp (phi1 h) (value f)); auto. now apply phi_derives.
Qed.

(** ** Jets over any intervals whose operations enclose *)
Section Jets.
Variable interval : Type.
Variable inside : R -> interval -> Prop.
Variable point : R -> interval.
Variables add sub mul : interval -> interval -> interval.
Variable neg : interval -> interval.
Variable power : nat -> interval -> interval.
Variable divide : interval -> interval -> option interval.
Variable range : function -> interval -> option interval.
Variables sigmoid_range bell_range : interval -> interval.
Variable point_in : forall c, inside c (point c).
Variable add_in : forall x y X Y, inside x X -> inside y Y -> inside (x + y) (add X Y).
Variable sub_in : forall x y X Y, inside x X -> inside y Y -> inside (x - y) (sub X Y).
Variable mul_in : forall x y X Y, inside x X -> inside y Y -> inside (x * y) (mul X Y).
Variable neg_in : forall x X, inside x X -> inside (- x) (neg X).
Variable power_in : forall k x X, inside x X -> inside (x ^ k) (power k X).
Variable divide_in : forall x y X Y Z, divide X Y = Some Z -> inside x X -> inside y Y -> inside (x / y) Z.
Variable range_in : forall h x X Y, range h X = Some Y -> inside x X -> domain h x /\ inside (phi h x) Y.
Variable sigmoid_in : forall x X, inside x X -> inside (sigmoid x) (sigmoid_range X).
Variable bell_in : forall x X, inside x X -> inside (sigmoid x * (1 - sigmoid x)) (bell_range X).

Definition triple := (interval * interval * interval)%type.
Notation "'take' x 'from' a ; k" := (match a with Some x => k | None => None end) (at level 200, x name, a at level 100, k at level 200).

Definition times (F G : triple) : triple :=
  let '(f, f', f'') := F in let '(g, g', g'') := G in
  (mul f g, add (mul f' g) (mul f g'), add (add (mul f'' g) (mul (mul (point 2) f') g')) (mul f g'')).

Definition apply (h : function) (F : triple) : option triple :=
  let '(f, f', f'') := F in
  match h with
  | Inverse =>
    take r from range Inverse f;
    take a from divide f' (power 2 f);
    take b from divide (mul (point 2) (power 2 f')) (power 3 f);
    take c from divide f'' (power 2 f);
    Some (r, neg a, sub b c)
  | Power 0 => Some (point 1, point 0, point 0)
  | Power 1 => Some F
  | Power (S (S k) as n) =>
    let once := mul (point (INR n)) (power (S k) f) in
    Some (power n f, mul once f', add (mul (mul (point (INR n * INR (S k))) (power k f)) (power 2 f')) (mul once f''))
  | Exp => take e from range Exp f; Some (e, mul e f', mul e (add (power 2 f') f''))
  | Log =>
    take l from range Log f;
    take a from divide f' f;
    take b from divide f'' f;
    Some (l, a, sub b (power 2 a))
  | Tanh =>
    take y from range Tanh f;
    let s := sub (point 1) (power 2 y) in
    Some (y, mul s f', sub (mul s f'') (mul (mul (mul (point 2) y) s) (power 2 f')))
  | Sqrt =>
    take r from range Sqrt f;
    take a from divide f' (mul (point 2) r);
    take b from divide f'' (mul (point 2) r);
    take c from divide (power 2 f') (mul (point 4) (power 3 r));
    Some (r, a, sub b c)
  | Softplus =>
    take p from range Softplus f;
    let s := sigmoid_range f in
    Some (p, mul s f', add (mul s f'') (mul (bell_range f) (power 2 f')))
  end.

Fixpoint jet (e : expression) (X : interval) : option triple :=
  match e with
  | Number c => Some (point c, point 0, point 0)
  | U => Some (X, point 1, point 0)
  | Neg f => take F from jet f X; let '(f, f', f'') := F in Some (neg f, neg f', neg f'')
  | Plus f g => take F from jet f X; take G from jet g X; let '(f, f', f'') := F in let '(g, g', g'') := G in Some (add f g, add f' g', add f'' g'')
  | Minus f g => take F from jet f X; take G from jet g X; let '(f, f', f'') := F in let '(g, g', g'') := G in Some (sub f g, sub f' g', sub f'' g'')
  | Times f g => take F from jet f X; take G from jet g X; Some (times F G)
  | Apply h f => take F from jet f X; apply h F
  end.

Definition encloses (F : triple) (x x' x'' : R) := let '(f, f', f'') := F in inside x f /\ inside x' f' /\ inside x'' f''.

(** A number is inside what it is equal to something inside of. *)
Lemma inside_value x y X : inside x X -> x = y -> inside y X.
Proof. now intros H <-. Qed.

Lemma apply_encloses h F G x x' x'' : apply h F = Some G -> encloses F x x' x'' ->
  domain h x /\ encloses G (phi h x) (phi1 h x * x') (phi2 h x * (x' * x') + phi1 h x * x'').
Proof.
  destruct F as [[f f'] f'']. intros A (H & H' & H'').
  assert (Sq : inside (x' ^ 2) (power 2 f')) by auto.
  unfold apply in A. destruct h as [|k| | | | |].
  - destruct (range Inverse f) as [r|] eqn:Er; [|easy]. destruct (divide f' (power 2 f)) as [a|] eqn:Ea; [|easy].
    destruct (divide _ (power 3 f)) as [b|] eqn:Eb; [|easy]. destruct (divide f'' (power 2 f)) as [c|] eqn:Ec; [|easy]. inversion A; subst.
    destruct (range_in _ _ _ _ Er H) as [D R]. split; auto. simpl in D. split; [auto|split].
    + apply inside_value with (- (x' / x ^ 2)); [apply neg_in, (divide_in _ _ _ _ _ Ea); auto|]. simpl. field. auto.
    + apply inside_value with (2 * x' ^ 2 / x ^ 3 - x'' / x ^ 2); [apply sub_in; [apply (divide_in _ _ _ _ _ Eb); auto|apply (divide_in _ _ _ _ _ Ec); auto]|].
      simpl. field. auto.
  - destruct k as [|[|k]]; inversion A; subst; (split; [exact I|]); unfold encloses.
    + split; [|split]; [apply inside_value with 1|apply inside_value with 0|apply inside_value with 0]; auto; unfold phi, phi1, phi2; simpl; ring.
    + split; [|split]; [apply inside_value with x|apply inside_value with x'|apply inside_value with x'']; auto; unfold phi, phi1, phi2; simpl; ring.
    + assert (On : inside (INR (S (S k)) * x ^ S k) (mul (point (INR (S (S k)))) (power (S k) f))) by auto.
      split; [exact (power_in (S (S k)) x f H)|]. split; [exact (mul_in _ _ _ _ On H')|].
      apply inside_value with (INR (S (S k)) * INR (S k) * x ^ k * x' ^ 2 + INR (S (S k)) * x ^ S k * x''); [auto|].
      unfold phi1, phi2. cbn [pred]. ring.
  - destruct (range Exp f) as [e|] eqn:Er; [|easy]. inversion A; subst. destruct (range_in _ _ _ _ Er H) as [D R]. split; auto. simpl in R. split; [auto|split].
    + simpl. auto.
    + apply inside_value with (exp x * (x' ^ 2 + x'')); [auto|]. simpl. ring.
  - destruct (range Log f) as [l|] eqn:Er; [|easy]. destruct (divide f' f) as [a|] eqn:Ea; [|easy]. destruct (divide f'' f) as [b|] eqn:Eb; [|easy]. inversion A; subst.
    destruct (range_in _ _ _ _ Er H) as [D R]. split; auto. simpl in D. assert (Q := divide_in _ _ _ _ _ Ea H' H). split; [auto|split].
    + apply inside_value with (x' / x); auto. simpl. field. lra.
    + apply inside_value with (x'' / x - (x' / x) ^ 2); [apply sub_in; auto; apply (divide_in _ _ _ _ _ Eb); auto|]. simpl. field. lra.
  - destruct (range Tanh f) as [y|] eqn:Er; [|easy]. inversion A; subst. destruct (range_in _ _ _ _ Er H) as [D R]. split; auto. simpl in R.
    assert (S : inside (1 - tanh x ^ 2) (sub (point 1) (power 2 y))) by auto. split; [auto|split].
    + apply inside_value with ((1 - tanh x ^ 2) * x'); [auto|]. simpl. ring.
    + apply inside_value with ((1 - tanh x ^ 2) * x'' - 2 * tanh x * (1 - tanh x ^ 2) * x' ^ 2); [auto 8|]. simpl. ring.
  - destruct (range Sqrt f) as [r|] eqn:Er; [|easy]. destruct (divide f' _) as [a|] eqn:Ea; [|easy]. destruct (divide f'' _) as [b|] eqn:Eb; [|easy].
    destruct (divide (power 2 f') _) as [c|] eqn:Ec; [|easy]. inversion A; subst.
    destruct (range_in _ _ _ _ Er H) as [D R]. split; auto. simpl in D, R. assert (S := sqrt_lt_R0 x D). split; [auto|split].
    + apply inside_value with (x' / (2 * sqrt x)); [apply (divide_in _ _ _ _ _ Ea); auto|]. simpl. field. lra.
    + apply inside_value with (x'' / (2 * sqrt x) - x' ^ 2 / (4 * sqrt x ^ 3));
        [apply sub_in; [apply (divide_in _ _ _ _ _ Eb); auto|apply (divide_in _ _ _ _ _ Ec); auto]|]. simpl. field. lra.
  - destruct (range Softplus f) as [p|] eqn:Er; [|easy]. inversion A; subst. destruct (range_in _ _ _ _ Er H) as [D R]. split; auto. split; [auto|split].
    + simpl. auto.
    + apply inside_value with (sigmoid x * x'' + sigmoid x * (1 - sigmoid x) * x' ^ 2); [auto|]. simpl. ring.
Qed.

Theorem jets_enclose e X F t : jet e X = Some F -> inside t X -> defined e t /\ encloses F (value e t) (slope e t) (curv e t).
Proof.
  intros J T. revert F J. induction e as [c| |f IH|f IHf g IHg|f IHf g IHg|f IHf g IHg|h f IH]; simpl; intros F J;
    try (destruct (jet f X) as [[[f0 f1] f2]|]; [|easy]); try (destruct (jet g X) as [[[g0 g1] g2]|]; [|easy]);
    try (destruct (IHf _ eq_refl) as (Df & F0 & F1 & F2)); try (destruct (IHg _ eq_refl) as (Dg & G0 & G1 & G2)).
  - inversion J; subst. simpl. auto.
  - inversion J; subst. simpl. auto.
  - destruct (IH _ eq_refl) as (Df & F0 & F1 & F2). inversion J; subst. simpl. auto 6.
  - inversion J; subst. simpl. auto 6.
  - inversion J; subst. simpl. auto 6.
  - inversion J; subst. simpl. auto 10.
  - destruct (IH _ eq_refl) as (Df & En). split; [split; auto|]; now apply (apply_encloses _ _ _ _ _ _ J En).
Qed.

(** ** 4.1 and 4.2 by jets *)
Variables least most : interval -> R.
Variable between : R -> R -> interval.
Variable ends : forall x X, inside x X -> least X <= x <= most X.
Variable between_in : forall lo hi x, lo <= x <= hi -> inside x (between lo hi).

Theorem loss_bounds_by_jets e lo hi cuts sup m0 m1 : sup < 0 ->
  (forall c, In c (cells lo cuts hi) -> exists f f' f'', jet e (between (fst c) (snd c)) = Some (f, f', f'') /\
    most f' <= sup /\ - least f' <= m1 /\ most f'' <= m0 /\ - least f'' <= m0) ->
  forall x, lo <= x <= hi -> is_derive (value e) x (slope e x) /\ is_derive (slope e) x (curv e x) /\
    slope e x <= sup /\ Rabs (slope e x) <= m1 /\ Rabs (curv e x) <= m0.
Proof.
  intros Hs H.
  assert (Cell : forall c, In c (cells lo cuts hi) -> forall x, fst c <= x <= snd c ->
    defined e x /\ slope e x <= sup /\ - slope e x <= m1 /\ curv e x <= m0 /\ - curv e x <= m0).
  { intros c Hc x Hx. destruct (H c Hc) as (f & f' & f'' & J & A & B & C & D).
    destruct (jets_enclose e _ _ x J (between_in _ _ _ Hx)) as (De & _ & I1 & I2). apply ends in I1, I2. split; [auto|]. lra. }
  destruct (loss_bounds (slope e) (curv e) lo hi cuts sup m0 m1 [] Hs) as [All _]; [intros c Hc x Hx; now apply Cell with c|easy|].
  intros x Hx. destruct (cells_cover cuts lo hi x Hx) as (c & Hc & Hcx). destruct (derivatives e x (proj1 (Cell c Hc x Hcx))).
  destruct (All x Hx) as (A & _ & B & C). auto.
Qed.

Theorem slope_by_jets e a b f f' f'' : a < b -> jet e (between a b) = Some (f, f', f'') -> 0 <= least f' -> value e a <= value e b.
Proof.
  intros Hab J Hl. apply not_decreasing_by_slope with (slope e); auto. intros x Hx.
  destruct (jets_enclose e _ _ x J (between_in _ _ _ Hx)) as (De & _ & I1 & _). apply ends in I1. split; [now apply derivatives|lra].
Qed.
End Jets.
