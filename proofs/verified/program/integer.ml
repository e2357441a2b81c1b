(* Zarith's integers under a name that the extracted program does not use, with what Extract.v asks for. All of this file is trusted. *)
include Z

(* Coq's positive numbers in binary: 2p + 1, 2p, 1. *)
let odd p = succ (shift_left p 1)
let even p = shift_left p 1

let match_positive if_odd if_even if_one p =
  if equal p one then if_one () else if is_odd p then if_odd (shift_right p 1) else if_even (shift_right p 1)

let match_integer if_zero if_positive if_negative z =
  match sign z with 0 -> if_zero () | 1 -> if_positive z | _ -> if_negative (neg z)

(* (g, (a/g, b/g)) with g the greatest common divisor; b is never 0. *)
let reduced a b =
  let g = gcd a b in
  (g, (divexact a g, divexact b g))

let match_comparison if_equal if_less if_greater c = if c = 0 then if_equal () else if c < 0 then if_less () else if_greater ()
