(** The checks as an OCaml program.  Each directive below is trusted: it says that a type or function of OCaml does what the one of Coq
    does.  Integers are Zarith's (program/integer.ml); natural numbers are OCaml's `int`, as all of them are indices below 2^31 or
    lengths of lists in memory. *)
From Coq Require Import ZArith QArith Extraction.
From Attest.verified Require Import Numbers Meaning Checks.

Extraction Language OCaml.

Extract Inductive bool => "bool" ["true" "false"].
Extract Inductive option => "option" ["Some" "None"].
Extract Inductive list => "list" ["[]" "(::)"].
Extract Inductive prod => "( * )" ["(,)"].
Extract Inductive comparison => "int" ["0" "(-1)" "1"] "Integer.match_comparison".

Extract Inductive positive => "Integer.t" ["Integer.odd" "Integer.even" "Integer.one"] "Integer.match_positive".
Extract Inductive Z => "Integer.t" ["Integer.zero" "" "Integer.neg"] "Integer.match_integer".
Extract Inlined Constant Pos.mul => "Integer.mul".
Extract Inlined Constant Z.add => "Integer.add".
Extract Inlined Constant Z.opp => "Integer.neg".
Extract Inlined Constant Z.mul => "Integer.mul".
Extract Inlined Constant Z.compare => "Integer.compare".
Extract Inlined Constant Z.leb => "Integer.leq".
Extract Inlined Constant Z.ggcd => "Integer.reduced".

Extract Inductive nat => "int" ["0" "Stdlib.succ"] "(fun zero next n -> if n = 0 then zero () else next (n - 1))".
Extract Inlined Constant Nat.eqb => "((=) : int -> int -> bool)".
Extract Inlined Constant Nat.leb => "((<=) : int -> int -> bool)".

Extraction "core.ml" check.
