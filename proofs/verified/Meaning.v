(** What a certificate of the core kinds holds, and what its statement says over the real numbers (docs/certificate.md, sections 2 and 4).
    Nothing here is computed: these are the definitions that the checks are proved sound against. *)
From Coq Require Import QArith Qreals Reals List.
From Attest Require Import Sums Space Svm Select Rank.
From Attest.verified Require Import Numbers.
Import ListNotations.
Open Scope R_scope.

(** ** The problem (section 2).  A label is true for 1 and false for -1. *)
Record data := Data {
  d_tokens : list (list (list Q));
  d_labels : list bool;
  d_head : option (list Q);
  d_weights : option (list (list Q));
  d_queries : option (list (list Q)) }.

Definition row_name := (nat * nat)%type.
Definition multipliers := list (row_name * Q).

Section Meaning.
Variable D : data.

Definition count := length (d_tokens D).
Definition size i := length (nth i (d_tokens D) []).
Definition qtoken i t : list Q := nth t (nth i (d_tokens D) []) [].
Definition dimension := length (qtoken 0 0).

Definition token i t : coordinates dimension := real_vector (qtoken i t).
Definition label i : R := if nth i (d_labels D) true then 1 else -1.
Definition weight (W : list (list Q)) a b : R := Q2R (nth b (nth a W []) 0%Q).
Definition key_of i t : coordinates dimension :=
  match d_weights D with None => token i t | Some W => fun a => sum (seq 0 dimension) (fun b => weight W a b * token i t b) end.
Definition score_of i t : R :=
  match d_head D with None => 0 | Some v => label i * rdot dimension (real_vector v) (token i t) end.
Definition query i : coordinates dimension :=
  match d_queries D with None => token i 0 | Some Z => real_vector (nth i Z []) end.

Definition over_p : problem (coordinates dimension) := Problem _ count size key_of score_of.
Definition over_w : problem (matrices dimension dimension) := wproblem dimension count size token query score_of.

(** A selection as it is written, and as a function. *)
Definition pick (al : list nat) i : nat := nth i al 0%nat.
Definition is_selection (al : list nat) := length al = count /\ forall i, (i < count)%nat -> (pick al i < size i)%nat.

(** The rows [i] of v-svm are named (i, 0). *)
Definition label_rows : list row_name := map (fun i => (i, 0%nat)) (seq 0 count).
Definition label_row (al : nat -> nat) (c : row_name) : coordinates dimension := vscal (label (fst c)) (token (fst c) (al (fst c))).

(** ** Statements *)
Section Programs.
Context {E : space}.
Variables (rows : list row_name) (a : row_name -> E) (b : row_name -> R).
Definition only_minimiser (w : E) := minimiser rows a b w /\ forall w', minimiser rows a b w' -> same w' w.
Definition tight_rows (w : E) (l : list row_name) := forall c, In c l <-> In c rows /\ tight a b w c.
Definition solved (w : E) (objective : Q) (support : list row_name) :=
  only_minimiser w /\ / 2 * dot w w = Q2R objective /\ tight_rows w support.
Definition infeasible := forall w : E, ~ feasible rows a b w.
End Programs.

Definition has_head := d_head D <> None.

(** 4.5: S is where the solution v of v-svm is tight. *)
Definition label_solution al (v : coordinates dimension) := only_minimiser label_rows (label_row (pick al)) one v.
Definition joint_bound al (v : coordinates dimension) (c : row_name) : R :=
  if Req_EM_T (dot (label_row (pick al) (fst c, 0%nat)) v) 1 then 1 else 0.

Section Local.
Context {E : space}.
Variable P : problem E.
Definition locally_optimal_with al (neighbours : list row_name) :=
  locally_optimal P (pick al) /\
  (exists w, only_minimiser (rows P (pick al)) (row P (pick al)) one w /\ tight_rows (rows P (pick al)) (row P (pick al)) one w neighbours) /\
  forall c, In c neighbours -> score P (fst c) (snd c) < score P (fst c) (pick al (fst c)).
Definition locally_optimal_within al (possible : list row_name) :=
  locally_optimal P (pick al) /\
  (exists w, only_minimiser (rows P (pick al)) (row P (pick al)) one w /\
             forall c, In c (rows P (pick al)) -> tight (row P (pick al)) one w c -> In c possible) /\
  forall c, In c possible -> score P (fst c) (snd c) < score P (fst c) (pick al (fst c)).
End Local.

Definition globally_optimal_with al (unique : bool) (least : option Q) :=
  globally_optimal over_p (pick al) /\ (unique = true <-> unique_optimal over_p (pick al)) /\
  match least with
  | None => rows over_p (pick al) = []
  | Some g => (exists c, In c (rows over_p (pick al)) /\ gap over_p (pick al) c = Q2R g) /\
              forall c, In c (rows over_p (pick al)) -> Q2R g <= gap over_p (pick al) c
  end.

Definition full_rank (token_ranks : list nat) (query_rank : nat) :=
  token_ranks = map (fun i => (size i - 1)%nat) (seq 0 count) /\ query_rank = count /\
  (forall i, (i < count)%nat -> independent (fun j => vsub (token i (S j)) (token i 0%nat)) (size i - 1)) /\
  independent query count /\
  forall al, selection over_w al -> exists W, feasible (rows over_w al) (row over_w al) one W.

Definition all_locally_optimal (selections : list (list nat)) (number : nat) :=
  number = length selections /\ NoDup selections /\
  forall al, In al selections <-> is_selection al /\ locally_optimal over_p (pick al).
End Meaning.

(** ** Certificates *)
Inductive node :=
| Conflict (index : nat)
| Branch (children : list node)
| Optimum (w : list Q) (lambda : multipliers)
| Beaten (w : list Q) (lambda : multipliers) (neighbour : row_name).

(** An entry [i, a, t, weight] or [i, a] of a conflict (4.8). *)
Definition conflict_entry := (row_name * option (nat * Q))%type.
(** A conflict: its entries, and its centre if it has one. *)
Definition written_conflict := (list conflict_entry * option (list Q))%type.

Inductive vector_program := Keys | Labels.
Definition solution := (list Q * multipliers)%type.

(** 4.31: multipliers, scale, distance. *)
Record bracket := Bracket { b_multipliers : multipliers; b_scale : Q; b_distance : Q }.

Inductive certificate :=
| SvmOptimal (program : vector_program) (al : list nat) (objective : Q) (support : list row_name) (w : list Q) (lambda : multipliers)
| SvmInfeasible (program : vector_program) (al : list nat) (lambda : multipliers)
| JointOptimal (al : list nat) (objective : Q) (support : list row_name) (w : list Q) (lambda : multipliers) (v : solution)
| JointInfeasible (al : list nat) (lambda : multipliers) (v : solution)
| MatrixOptimal (al : list nat) (objective : Q) (support : list row_name) (lambda : multipliers)
| MatrixInfeasible (al : list nat) (lambda : multipliers)
| LocallyOptimal (al : list nat) (neighbours : list row_name) (w : list Q) (lambda : multipliers)
| NotLocallyOptimalFarkas (al : list nat) (lambda : multipliers)
| NotLocallyOptimal (al : list nat) (w : list Q) (lambda : multipliers) (neighbour : row_name)
| MatrixLocallyOptimal (al : list nat) (neighbours : list row_name) (lambda : multipliers)
| MatrixNotLocallyOptimalFarkas (al : list nat) (lambda : multipliers)
| MatrixNotLocallyOptimal (al : list nat) (lambda : multipliers) (neighbour : row_name)
| BracketLocallyOptimal (al : list nat) (possible : list row_name) (bound : bracket)
| BracketNotLocallyOptimal (al : list nat) (bound : bracket) (possible : list row_name) (neighbour : row_name) (direction : list Q)
| MatrixBracketLocallyOptimal (al : list nat) (possible : list row_name) (bound : bracket)
| MatrixBracketNotLocallyOptimal (al : list nat) (bound : bracket) (possible : list row_name) (neighbour : row_name) (direction : multipliers)
| GloballyOptimal (al : list nat) (unique : bool) (least : option Q)
| NotGloballyOptimal (al : list nat) (unique : bool) (sample token : nat)
| Census (number : nat) (selections : list (list nat)) (order : list nat) (conflicts : list written_conflict) (tree : node)
| FullRank (token_ranks : list nat) (query_rank : nat).

Definition states (D : data) (c : certificate) : Prop :=
  match c with
  | SvmOptimal Keys al objective support w _ =>
    is_selection D al /\ solved (rows (over_p D) (pick al)) (row (over_p D) (pick al)) one (real_vector w : coordinates (dimension D)) objective support
  | SvmOptimal Labels al objective support w _ =>
    is_selection D al /\ solved (label_rows D) (label_row D (pick al)) one (real_vector w : coordinates (dimension D)) objective support
  | SvmInfeasible Keys al _ => is_selection D al /\ infeasible (rows (over_p D) (pick al)) (row (over_p D) (pick al)) one
  | SvmInfeasible Labels al _ => is_selection D al /\ infeasible (label_rows D) (label_row D (pick al)) one
  | JointOptimal al objective support w _ _ =>
    is_selection D al /\ exists v, label_solution D al v /\
    solved (rows (over_p D) (pick al)) (row (over_p D) (pick al)) (joint_bound D al v) (real_vector w : coordinates (dimension D)) objective support
  | JointInfeasible al _ _ =>
    is_selection D al /\ exists v, label_solution D al v /\
    infeasible (rows (over_p D) (pick al)) (row (over_p D) (pick al)) (joint_bound D al v)
  | MatrixOptimal al objective support _ =>
    is_selection D al /\ exists W, solved (rows (over_w D) (pick al)) (row (over_w D) (pick al)) one W objective support
  | MatrixInfeasible al _ => is_selection D al /\ infeasible (rows (over_w D) (pick al)) (row (over_w D) (pick al)) one
  | LocallyOptimal al neighbours _ _ => has_head D /\ is_selection D al /\ locally_optimal_with (over_p D) al neighbours
  | NotLocallyOptimalFarkas al _ | NotLocallyOptimal al _ _ _ =>
    has_head D /\ is_selection D al /\ ~ locally_optimal (over_p D) (pick al)
  | MatrixLocallyOptimal al neighbours _ => has_head D /\ is_selection D al /\ locally_optimal_with (over_w D) al neighbours
  | MatrixNotLocallyOptimalFarkas al _ | MatrixNotLocallyOptimal al _ _ =>
    has_head D /\ is_selection D al /\ ~ locally_optimal (over_w D) (pick al)
  | BracketLocallyOptimal al possible _ => has_head D /\ is_selection D al /\ locally_optimal_within (over_p D) al possible
  | BracketNotLocallyOptimal al _ _ _ _ => has_head D /\ is_selection D al /\ ~ locally_optimal (over_p D) (pick al)
  | MatrixBracketLocallyOptimal al possible _ => has_head D /\ is_selection D al /\ locally_optimal_within (over_w D) al possible
  | MatrixBracketNotLocallyOptimal al _ _ _ _ => has_head D /\ is_selection D al /\ ~ locally_optimal (over_w D) (pick al)
  | GloballyOptimal al unique least => has_head D /\ is_selection D al /\ globally_optimal_with D al unique least
  | NotGloballyOptimal al false _ _ => has_head D /\ is_selection D al /\ ~ globally_optimal (over_p D) (pick al)
  | NotGloballyOptimal al true _ _ => has_head D /\ is_selection D al /\ ~ unique_optimal (over_p D) (pick al)
  | Census number selections _ _ _ => has_head D /\ all_locally_optimal D selections number
  | FullRank token_ranks query_rank => full_rank D token_ranks query_rank
  end.
