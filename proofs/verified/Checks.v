(** The rules of the core kinds as programs over rational numbers (docs/certificate.md, 4.3 to 4.8, 4.11, 4.13, 4.16, and 4.31 for these).
    These functions are extracted; Sound.v proves that what they accept is true. *)
From Coq Require Import QArith List Arith Bool.
From Attest Require Import Select Census.
From Attest.verified Require Import Numbers Meaning.
Import ListNotations.
Local Open Scope nat_scope.

Inductive reason :=
| MalformedProblem | NoHead | NotASelection | WrongLength | BadMultipliers | RowViolated | ListedRowNotTight | SumIsNotThePoint
| SumIsNotZero | NoPositiveBound | WrongObjective | WrongTightRows | NeighbourScoresEnough | NeighbourNotTight | NeighbourScoresLess
| WrongGap | WrongUnique | SelectedToken | ScoresTooLittle | WrongCount | BadSelections | BadOrder | BadConflict | BadNode | WrongLeaves
| WrongRank | Dependent
| BadScale | BadDistance | SumIsZero | ScaleTooLarge | DistanceTooSmall | BadRowList | RowNotExcluded | BadDirection | NotShownTight.
Inductive verdict := Accepted | Rejected (why : reason).

Notation "'demand' b 'else' r ; k" := (if b then k else Rejected r) (at level 200, b at level 100, r at level 100, k at level 200).
Notation "'first' a ; k" := (match a with Accepted => k | Rejected r => Rejected r end) (at level 200, a at level 100, k at level 200).

(** ** Lists *)
Section Lists.
Context {A : Type} (less : A -> A -> bool).
Fixpoint ascending (l : list A) : bool :=
  match l with [] => true | x :: l' => match l' with [] => true | y :: _ => less x y && ascending l' end end.
End Lists.

Definition row_eq (c e : row_name) := (fst c =? fst e) && (snd c =? snd e).
Definition row_less (c e : row_name) := (fst c <? fst e) || ((fst c =? fst e) && (snd c <? snd e)).
Fixpoint list_eq {A} (eq : A -> A -> bool) (x y : list A) : bool :=
  match x, y with [], [] => true | a :: x, b :: y => eq a b && list_eq eq x y | _, _ => false end.
Fixpoint list_less (x y : list nat) : bool :=
  match x, y with [], _ :: _ => true | a :: x, b :: y => (a <? b) || ((a =? b) && list_less x y) | _, _ => false end.
Definition zero_vector (x : list Q) := forallb (fun a => qeq a 0) x.

Section Checks.
Variable D : data.

(** ** The problem (section 2) *)
Definition well_formed : bool :=
  let d := dimension D in
  let sized := fun x : list Q => length x =? d in
  (1 <=? count D) && (1 <=? d) && forallb (fun sample => (1 <=? length sample) && forallb sized sample) (d_tokens D) &&
  (length (d_labels D) =? count D) &&
  match d_head D with None => true | Some v => sized v end &&
  match d_weights D with None => true | Some W => (length W =? d) && forallb sized W end &&
  match d_queries D with None => true | Some Z => (length Z =? count D) && forallb sized Z end.

Definition selection_ok (al : list nat) : bool :=
  (length al =? count D) && forallb (fun p => fst p <? length (snd p)) (combine al (d_tokens D)).

(** Keys W x_it, rows, scores *)
Definition keys : list (list (list Q)) :=
  match d_weights D with None => d_tokens D | Some W => map (map (fun x => map (fun r => qdot r x) W)) (d_tokens D) end.
Definition difference (K : list (list (list Q))) (al : list nat) (c : row_name) : list Q :=
  let sample := nth (fst c) K [] in vector_sub (nth (pick al (fst c)) sample []) (nth (snd c) sample []).
Definition key_rows (al : list nat) : list row_name :=
  flat_map (fun i => map (fun t => (i, t)) (others (size D i) (pick al i))) (seq 0 (count D)).
Definition is_key_row (al : list nat) (c : row_name) : bool :=
  (fst c <? count D) && (snd c <? size D (fst c)) && negb (snd c =? pick al (fst c)).

Definition signed (i : nat) (x : Q) : Q := if nth i (d_labels D) true then x else Qopp x.
Definition label_vector (al : list nat) (c : row_name) : list Q := map (signed (fst c)) (qtoken D (fst c) (pick al (fst c))).
Definition is_label_row (c : row_name) : bool := (fst c <? count D) && (snd c =? 0).

Definition qscore (v : list Q) (i t : nat) : Q := signed i (qdot v (qtoken D i t)).
Definition qgap (v : list Q) (al : list nat) (c : row_name) : Q := qsub (qscore v (fst c) (pick al (fst c))) (qscore v (fst c) (snd c)).

(** ** Programs (4.5).  `value` gives a_c.w, `bound` b_c. *)
Definition qone (c : row_name) : Q := 1.
Definition multipliers_ok (is_row : row_name -> bool) (lam : multipliers) : bool :=
  ascending row_less (map fst lam) && forallb (fun e => is_row (fst e) && qlt 0 (snd e)) lam.

Definition kkt (rows : list row_name) (is_row : row_name -> bool) (value bound : row_name -> Q) (lam : multipliers) : verdict :=
  demand multipliers_ok is_row lam else BadMultipliers;
  demand forallb (fun c => qle (bound c) (value c)) rows else RowViolated;
  demand forallb (fun e => qeq (value (fst e)) (bound (fst e))) lam else ListedRowNotTight;
  Accepted.
Definition tight_list (rows : list row_name) (value bound : row_name -> Q) : list row_name :=
  filter (fun c => qeq (value c) (bound c)) rows.

(** w is given, and is the sum of multiplier times row. *)
Definition solves_vector rows is_row (vector : row_name -> list Q) bound (w : list Q) (lam : multipliers) : verdict :=
  demand length w =? dimension D else WrongLength;
  first kkt rows is_row (fun c => qdot (vector c) w) bound lam;
  demand same_list w (qcombine (dimension D) vector lam) else SumIsNotThePoint;
  Accepted.
Definition optimal_vector rows is_row vector bound (objective : Q) (support : list row_name) w lam : verdict :=
  first solves_vector rows is_row vector bound w lam;
  demand qeq (qmul 2 objective) (qdot w w) else WrongObjective;
  demand list_eq row_eq support (tight_list rows (fun c => qdot (vector c) w) bound) else WrongTightRows;
  Accepted.
Definition infeasible_vector is_row (vector : row_name -> list Q) (bound : row_name -> Q) (lam : multipliers) : verdict :=
  demand multipliers_ok is_row lam else BadMultipliers;
  demand zero_vector (qcombine (dimension D) vector lam) else SumIsNotZero;
  demand qlt 0 (qsum lam (fun e => qmul (snd e) (bound (fst e)))) else NoPositiveBound;
  Accepted.

(** 4.5: S = the tight rows of v-svm. *)
Definition qjoint_bound (al : list nat) (v : list Q) (c : row_name) : Q :=
  if qeq (qdot (label_vector al (fst c, 0)) v) 1 then 1%Q else 0%Q.
Definition label_rows_list : list row_name := map (fun i => (i, 0)) (seq 0 (count D)).
Definition solves_labels al (v : solution) := solves_vector label_rows_list is_label_row (label_vector al) qone (fst v) (snd v).

(** 4.11: W z_i for every sample, where W is the sum of multiplier times row. *)
Definition qquery (i : nat) : list Q := match d_queries D with None => qtoken D i 0 | Some Z => nth i Z [] end.
Definition images (al : list nat) (lam : multipliers) : list (list Q) :=
  map (fun i => qcombine (dimension D) (difference (d_tokens D) al)
                  (map (fun e => (fst e, qmul (snd e) (qdot (qquery (fst (fst e))) (qquery i)))) lam)) (seq 0 (count D)).
Definition matrix_value (al : list nat) (I : list (list Q)) (c : row_name) : Q := qdot (difference (d_tokens D) al c) (nth (fst c) I []).
Definition square (value : row_name -> Q) (lam : multipliers) : Q := qsum lam (fun e => qmul (snd e) (value (fst e))).

Definition solves_matrix al (I : list (list Q)) lam : verdict := kkt (key_rows al) (is_key_row al) (matrix_value al I) qone lam.
Definition optimal_matrix al objective support (I : list (list Q)) lam : verdict :=
  first solves_matrix al I lam;
  demand qeq (qmul 2 objective) (square (matrix_value al I) lam) else WrongObjective;
  demand list_eq row_eq support (tight_list (key_rows al) (matrix_value al I) qone) else WrongTightRows;
  Accepted.
Definition infeasible_matrix al (I : list (list Q)) lam : verdict :=
  demand multipliers_ok (is_key_row al) lam else BadMultipliers;
  demand qeq (square (matrix_value al I) lam) 0 else SumIsNotZero;
  demand qlt 0 (qsum lam snd) else NoPositiveBound;
  Accepted.

(** ** Local optimality (4.6, 4.7, 4.16), once the solution is known to be one *)
Definition best_of_tight v al (tight : list row_name) : bool := forallb (fun c => qlt 0 (qgap v al c)) tight.
Definition local_check v al rows value (neighbours : list row_name) : verdict :=
  demand list_eq row_eq neighbours (tight_list rows value qone) else WrongTightRows;
  demand best_of_tight v al neighbours else NeighbourScoresEnough;
  Accepted.
Definition beaten_check v al (value : row_name -> Q) (c : row_name) : verdict :=
  demand is_key_row al c && qeq (value c) 1 else NeighbourNotTight;
  demand qle (qgap v al c) 0 else NeighbourScoresLess;
  Accepted.

(** ** Brackets (4.31) of programs with all bounds 1.  `value` gives a_c.u for the sum u of multiplier times row, `reach` r_c^2. *)
Section Bracket.
Variables (al : list nat) (value reach : row_name -> Q) (B : bracket).
Definition slack (c : row_name) : Q := qsub (qdiv (value c) (b_scale B)) 1.
Definition bracket_check : verdict :=
  demand multipliers_ok (is_key_row al) (b_multipliers B) else BadMultipliers;
  demand qlt 0 (b_scale B) else BadScale;
  demand qle 0 (b_distance B) else BadDistance;
  let N := square value (b_multipliers B) in
  let total := qsum (b_multipliers B) snd in
  demand qlt 0 N else SumIsZero;
  demand forallb (fun c => qle (b_scale B) (value c)) (key_rows al) else ScaleTooLarge;
  demand qle (qsub (qdiv N (qmul (b_scale B) (b_scale B))) (qdiv (qmul total total) N)) (qmul (b_distance B) (b_distance B)) else DistanceTooSmall;
  Accepted.
Definition excludes (c : row_name) : bool :=
  let s := slack c in qlt 0 s && qlt (qmul (reach c) (qmul (b_distance B) (b_distance B))) (qmul s s).
Definition possible_check (possible : list row_name) : verdict :=
  demand ascending row_less possible && forallb (is_key_row al) possible else BadRowList;
  demand forallb (fun c => existsb (row_eq c) possible || excludes c) (key_rows al) else RowNotExcluded;
  Accepted.
Definition bracket_local v (possible : list row_name) : verdict :=
  first bracket_check;
  first possible_check possible;
  demand best_of_tight v al possible else NeighbourScoresEnough;
  Accepted.
(** `product` gives e.a_c for the direction e, and `itself` e.e. *)
Definition bracket_beaten v (possible : list row_name) (c : row_name) (product : row_name -> Q) (itself : Q) : verdict :=
  first bracket_check;
  first possible_check possible;
  demand existsb (row_eq c) possible else BadRowList;
  demand forallb (fun f => row_eq f c || qle (product f) 0) possible else NotShownTight;
  let along := qdiv (square product (b_multipliers B)) (b_scale B) in
  demand qlt 0 along && qlt (qmul itself (qmul (b_distance B) (b_distance B))) (qmul along along) else NotShownTight;
  demand qle (qgap v al c) 0 else NeighbourScoresLess;
  Accepted.
End Bracket.

Definition token_square (al : list nat) (c : row_name) : Q := let x := difference (d_tokens D) al c in qdot x x.
Definition weight_square : Q := match d_weights D with None => 1%Q | Some W => qsum W (fun r => qdot r r) end.
Definition key_reach (factor : Q) al c : Q := qmul factor (token_square al c).
Definition matrix_reach al c : Q := qmul (token_square al c) (qdot (qquery (fst c)) (qquery (fst c))).
Definition coefficients_ok (al : list nat) (e : multipliers) : bool :=
  ascending row_less (map fst e) && forallb (fun x => is_key_row al (fst x) && negb (qeq (snd x) 0)) e.

(** ** Global optimality (4.3, 4.4) *)
Fixpoint least_of (l : list Q) : option Q :=
  match l with [] => None | x :: l => Some (match least_of l with None => x | Some y => if qle x y then x else y end) end.
Definition global_check v al (unique : bool) (stated : option Q) : verdict :=
  match least_of (map (qgap v al) (key_rows al)), stated with
  | None, None => demand unique else WrongUnique; Accepted
  | Some g, Some g' =>
    demand qle 0 g else ScoresTooLittle;
    demand qeq g g' else WrongGap;
    demand Bool.eqb unique (qlt 0 g) else WrongUnique;
    Accepted
  | _, _ => Rejected WrongGap
  end.
Definition not_global_check v al (unique : bool) (i t : nat) : verdict :=
  demand (i <? count D) && (t <? size D i) && negb (t =? pick al i) else SelectedToken;
  demand (if unique then qle (qgap v al (i, t)) 0 else qlt (qgap v al (i, t)) 0) else ScoresTooLittle;
  Accepted.

(** ** Census (4.8) *)
Section Census.
Definition scores (v : list Q) : list (list Q) := map (fun i => map (qscore v i) (seq 0 (size D i))) (seq 0 (count D)).
Variables (K : list (list (list Q))) (S : list (list Q)) (v : list Q).

Definition entry_terms (e : conflict_entry) : list (nat * nat * nat * Q) :=
  match snd e with None => [] | Some (t, weight) => [(fst e, t, weight)] end.
Definition term_vector (c : nat * nat * nat) : list Q :=
  let sample := nth (fst (fst c)) K [] in vector_sub (nth (snd (fst c)) sample []) (nth (snd c) sample []).
Definition entry_less (e f : conflict_entry) : bool :=
  (fst (fst e) <? fst (fst f)) ||
  (row_eq (fst e) (fst f) && match snd e, snd f with Some (t, _), Some (u, _) => t <? u | _, _ => false end).
Definition entry_ok (e : conflict_entry) : bool :=
  let '(i, a) := fst e in
  (i <? count D) && (a <? size D i) && match snd e with None => true | Some (t, weight) => (t <? size D i) && negb (t =? a) && qlt 0 weight end.

(** Tokens by their scores and their products with the point u: where t scores less than b, (k_b - k_t).u is at least `rise`, which the products
    of `lower` have been raised by. *)
Definition rises_to (b t : Q * Q) : bool := qle (fst b) (fst t) || qle (snd t) (snd b).
Definition sample_ok (pairs : list row_name) (i : nat) (sample lower : list (Q * Q)) : bool :=
  match find (fun p => fst p =? i) pairs with
  | Some p => forallb (rises_to (nth (snd p) sample (0%Q, 0%Q))) lower
  | None => forallb (fun b => forallb (rises_to b) lower) sample
  end.
Definition rises (l : list conflict_entry) (rise : Q) (u : list Q) : bool :=
  forallb (fun i => let values := map (fun k => qdot k u) (nth i K []) in
                    sample_ok (map fst l) i (combine (nth i S []) values) (combine (nth i S []) (map (qadd rise) values))) (seq 0 (count D)).
Definition conflict_ok (c : written_conflict) : bool :=
  let '(l, centre) := c in
  let terms := flat_map entry_terms l in
  let y := qcombine (dimension D) term_vector terms in
  ascending entry_less l && forallb entry_ok l && (1 <=? length terms) &&
  match centre with
  | None => if zero_vector y then true else rises l 0 (vector_scale (-1) y)
  | Some c => (length c =? dimension D) && qlt (qdot c c) (qsum terms snd) && rises l 1 (vector_sub (vector_scale 2 c) y)
  end.

Definition full_selection (part : list (nat * nat)) : list nat := map (chosen part) (seq 0 (count D)).
Definition accepted (x : verdict) : bool := match x with Accepted => true | Rejected _ => false end.
Definition leaf_solved al w lam : bool := accepted (solves_vector (key_rows al) (is_key_row al) (difference K al) qone w lam).
Definition leaf_value al w (c : row_name) : Q := qdot (difference K al c) w.

Variable conflicts : list written_conflict.
Fixpoint node_ok (order : list nat) (part : list (nat * nat)) (x : node) : bool :=
  match x with
  | Conflict k =>
    match nth_error conflicts k with
    | Some c => forallb (fun e : conflict_entry => existsb (row_eq (fst e)) part) (fst c)
    | None => false
    end
  | _ =>
    match order with
    | [] =>
      let al := full_selection part in
      match x with
      | Optimum w lam => leaf_solved al w lam && best_of_tight v al (tight_list (key_rows al) (leaf_value al w) qone)
      | Beaten w lam c => leaf_solved al w lam && accepted (beaten_check v al (leaf_value al w) c)
      | _ => false
      end
    | i :: rest =>
      match x with
      | Branch children =>
        (length children =? size D i) &&
        forallb (fun p => node_ok rest ((i, fst p) :: part) (snd p)) (combine (seq 0 (length children)) children)
      | _ => false
      end
    end
  end.

Fixpoint leaves (order : list nat) (part : list (nat * nat)) (x : node) : list (list nat) :=
  match order with
  | [] => match x with Optimum _ _ => [full_selection part] | _ => [] end
  | i :: rest =>
    match x with
    | Branch children => flat_map (fun p => leaves rest ((i, fst p) :: part) (snd p)) (combine (seq 0 (length children)) children)
    | _ => []
    end
  end.

Definition order_ok (order : list nat) : bool :=
  (length order =? count D) && forallb (fun i => i <? count D) order && forallb (fun i => existsb (Nat.eqb i) order) (seq 0 (count D)).
Definition contained (x y : list (list nat)) : bool := forallb (fun al => existsb (list_eq Nat.eqb al) y) x.

Definition census_check (number : nat) (selections : list (list nat)) (order : list nat) (tree : node) : verdict :=
  demand number =? length selections else WrongCount;
  demand ascending list_less selections && forallb selection_ok selections else BadSelections;
  demand order_ok order else BadOrder;
  demand forallb conflict_ok conflicts else BadConflict;
  demand node_ok order [] tree else BadNode;
  demand contained selections (leaves order [] tree) && contained (leaves order [] tree) selections else WrongLeaves;
  Accepted.
End Census.

(** ** Ranks (4.13), by elimination *)
Fixpoint pivot (x : list Q) : option nat :=
  match x with [] => None | a :: x => if qeq a 0 then option_map S (pivot x) else Some 0 end.
Definition eliminate (j : nat) (x y : list Q) : list Q := vector_sub y (vector_scale (qdiv (nth j y 0%Q) (nth j x 0%Q)) x).
Fixpoint independent_list (fuel : nat) (l : list (list Q)) : bool :=
  match l, fuel with
  | [], _ => true
  | x :: l, S fuel => match pivot x with None => false | Some j => independent_list fuel (map (eliminate j x) l) end
  | _, 0 => false
  end.
Definition independent_vectors (l : list (list Q)) : bool := independent_list (length l) l.
Definition token_differences (i : nat) : list (list Q) :=
  map (fun j => vector_sub (qtoken D i (S j)) (qtoken D i 0)) (seq 0 (size D i - 1)).
Definition rank_check (token_ranks : list nat) (query_rank : nat) : verdict :=
  demand list_eq Nat.eqb token_ranks (map (fun i => size D i - 1) (seq 0 (count D))) && (query_rank =? count D) else WrongRank;
  demand forallb (fun i => independent_vectors (token_differences i)) (seq 0 (count D)) else Dependent;
  demand independent_vectors (map qquery (seq 0 (count D))) else Dependent;
  Accepted.

(** ** A certificate *)
Definition with_head (f : list Q -> verdict) : verdict := match d_head D with None => Rejected NoHead | Some v => f v end.
Definition with_selection (al : list nat) (x : list nat -> verdict) : verdict := demand selection_ok al else NotASelection; x al.

Definition check_statement (c : certificate) : verdict :=
  match c with
  | SvmOptimal Keys al objective support w lam =>
    with_selection al (fun al => let K := keys in optimal_vector (key_rows al) (is_key_row al) (difference K al) qone objective support w lam)
  | SvmOptimal Labels al objective support w lam =>
    with_selection al (fun al => optimal_vector label_rows_list is_label_row (label_vector al) qone objective support w lam)
  | SvmInfeasible Keys al lam =>
    with_selection al (fun al => let K := keys in infeasible_vector (is_key_row al) (difference K al) qone lam)
  | SvmInfeasible Labels al lam => with_selection al (fun al => infeasible_vector is_label_row (label_vector al) qone lam)
  | JointOptimal al objective support w lam v =>
    with_selection al (fun al => let K := keys in
      first solves_labels al v;
      optimal_vector (key_rows al) (is_key_row al) (difference K al) (qjoint_bound al (fst v)) objective support w lam)
  | JointInfeasible al lam v =>
    with_selection al (fun al => let K := keys in
      first solves_labels al v;
      infeasible_vector (is_key_row al) (difference K al) (qjoint_bound al (fst v)) lam)
  | MatrixOptimal al objective support lam => with_selection al (fun al => optimal_matrix al objective support (images al lam) lam)
  | MatrixInfeasible al lam => with_selection al (fun al => infeasible_matrix al (images al lam) lam)
  | LocallyOptimal al neighbours w lam =>
    with_head (fun v => with_selection al (fun al => let K := keys in
      first solves_vector (key_rows al) (is_key_row al) (difference K al) qone w lam;
      local_check v al (key_rows al) (fun c => qdot (difference K al c) w) neighbours))
  | NotLocallyOptimalFarkas al lam =>
    with_head (fun v => with_selection al (fun al => let K := keys in infeasible_vector (is_key_row al) (difference K al) qone lam))
  | NotLocallyOptimal al w lam neighbour =>
    with_head (fun v => with_selection al (fun al => let K := keys in
      first solves_vector (key_rows al) (is_key_row al) (difference K al) qone w lam;
      beaten_check v al (fun c => qdot (difference K al c) w) neighbour))
  | MatrixLocallyOptimal al neighbours lam =>
    with_head (fun v => with_selection al (fun al => let I := images al lam in
      first solves_matrix al I lam;
      local_check v al (key_rows al) (matrix_value al I) neighbours))
  | MatrixNotLocallyOptimalFarkas al lam => with_head (fun v => with_selection al (fun al => infeasible_matrix al (images al lam) lam))
  | MatrixNotLocallyOptimal al lam neighbour =>
    with_head (fun v => with_selection al (fun al => let I := images al lam in
      first solves_matrix al I lam;
      beaten_check v al (matrix_value al I) neighbour))
  | BracketLocallyOptimal al possible B =>
    with_head (fun v => with_selection al (fun al => let K := keys in let u := qcombine (dimension D) (difference K al) (b_multipliers B) in
      let factor := weight_square in
      bracket_local al (fun c => qdot (difference K al c) u) (key_reach factor al) B v possible))
  | BracketNotLocallyOptimal al B possible neighbour direction =>
    with_head (fun v => with_selection al (fun al => let K := keys in let u := qcombine (dimension D) (difference K al) (b_multipliers B) in
      let factor := weight_square in
      demand length direction =? dimension D else BadDirection;
      bracket_beaten al (fun c => qdot (difference K al c) u) (key_reach factor al) B v possible neighbour
        (fun c => qdot (difference K al c) direction) (qdot direction direction)))
  | MatrixBracketLocallyOptimal al possible B =>
    with_head (fun v => with_selection al (fun al => let I := images al (b_multipliers B) in
      bracket_local al (matrix_value al I) (matrix_reach al) B v possible))
  | MatrixBracketNotLocallyOptimal al B possible neighbour direction =>
    with_head (fun v => with_selection al (fun al => let I := images al (b_multipliers B) in
      demand coefficients_ok al direction else BadDirection;
      let J := images al direction in
      bracket_beaten al (matrix_value al I) (matrix_reach al) B v possible neighbour
        (matrix_value al J) (square (matrix_value al J) direction)))
  | GloballyOptimal al unique least => with_head (fun v => with_selection al (fun al => global_check v al unique least))
  | NotGloballyOptimal al unique i t => with_head (fun v => with_selection al (fun al => not_global_check v al unique i t))
  | Census number selections order conflicts tree => with_head (fun v => let K := keys in let S := scores v in census_check K S v conflicts number selections order tree)
  | FullRank token_ranks query_rank => rank_check token_ranks query_rank
  end.

Definition check (c : certificate) : verdict := demand well_formed else MalformedProblem; check_statement c.
End Checks.
