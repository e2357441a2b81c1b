(* The grammar of losses (docs/certificate.md, section 3). The core kinds do not use the loss, but it must keep to the grammar. *)

exception Malformed of string

type t =
  | Value of Q.t
  | Negated of t
  | Sum of t * t
  | Difference of t * t
  | Product of t * t
  | Quotient of t * t
  | Power of t * int
  | Other  (* u or a function: no constant *)

let most_characters = 10_000
let deepest = 200
let largest_power = 64
let largest_exponent = 5000
let most_bits = 1 lsl 16
let fail why = raise (Malformed why)
let bits q = Z.numbits (Q.num q) + Z.numbits (Q.den q)
let bounded q = if bits q > most_bits then fail "an exponent with huge numbers" else q

let power_of q k =
  if bits q * abs k > most_bits then fail "an exponent with huge numbers";
  if k < 0 && Q.sign q = 0 then fail "division by zero in an exponent";
  let raised = Q.make (Z.pow (Q.num q) (abs k)) (Z.pow (Q.den q) (abs k)) in
  if k < 0 then Q.inv raised else raised

(* The value of a right operand of ^, by rational arithmetic alone. *)
let rec constant = function
  | Value q -> bounded q
  | Negated a -> Q.neg (constant a)
  | Sum (a, b) -> both Q.add a b
  | Difference (a, b) -> both Q.sub a b
  | Product (a, b) -> both Q.mul a b
  | Quotient (a, b) -> both (fun x y -> if Q.sign y = 0 then fail "division by zero in an exponent" else Q.div x y) a b
  | Power (a, k) -> bounded (power_of (constant a) k)
  | Other -> fail "the exponent holds u or a function"

and both operation a b =
  let left = constant a in
  bounded (operation left (constant b))

let exponent_of node =
  let value = constant node in
  if not (Z.equal (Q.den value) Z.one) || Z.gt (Z.abs (Q.num value)) (Z.of_int largest_power) then
    fail "an exponent is not an integer from -64 to 64";
  Z.to_int (Q.num value)

(* Of digits, an optional fraction and an optional exponent, as the grammar has them. *)
let decimal whole fraction exponent =
  let written = if exponent = "" then Z.zero else Z.of_string exponent in
  if Z.gt (Z.abs written) (Z.of_int largest_exponent) then fail "the exponent of a number is outside of -5000 to 5000";
  let shift = Z.to_int written - String.length fraction in
  let mantissa = Z.of_string (whole ^ fraction) in
  let power = Z.pow (Z.of_int 10) (abs shift) in
  if shift < 0 then Q.make mantissa power else Q.of_bigint (Z.mul mantissa power)

let check text =
  let size = String.length text in
  let at = ref 0 in
  let depth = ref 0 in
  let peek k = if !at + k < size then text.[!at + k] else '\000' in
  let rec skip_space () =
    match peek 0 with
    | ' ' | '\t' | '\n' | '\r' -> incr at; skip_space ()
    | _ -> ()
  in
  let take c =
    skip_space ();
    let found = !at < size && text.[!at] = c in
    if found then incr at;
    found
  in
  let nested rule =
    incr depth;
    if !depth > deepest then fail "nested too deeply";
    let node = rule () in
    decr depth;
    node
  in
  let digits () =
    let start = !at in
    while Json.is_digit (peek 0) do incr at done;
    String.sub text start (!at - start)
  in
  let number () =
    let whole = digits () in
    let fraction = if peek 0 = '.' && Json.is_digit (peek 1) then (incr at; digits ()) else "" in
    let signed = peek 1 = '+' || peek 1 = '-' in
    let exponent =
      if (peek 0 = 'e' || peek 0 = 'E') && Json.is_digit (peek (if signed then 2 else 1)) then begin
        let minus = peek 1 = '-' in
        at := !at + if signed then 2 else 1;
        (if minus then "-" else "") ^ digits ()
      end
      else ""
    in
    decimal whole fraction exponent
  in
  let rec chain rule first second =
    let rec go left =
      if take (fst first) then go (snd first left (rule ()))
      else if take (fst second) then go (snd second left (rule ()))
      else left
    in
    go (rule ())
  and sum () = chain product ('+', fun a b -> Sum (a, b)) ('-', fun a b -> Difference (a, b))
  and product () = chain unary ('*', fun a b -> Product (a, b)) ('/', fun a b -> Quotient (a, b))
  and unary () =
    if take '-' then Negated (nested unary) else if take '+' then nested unary else power ()
  and power () =
    let base = atom () in
    if take '^' then Power (base, exponent_of (nested unary)) else base
  and atom () =
    skip_space ();
    if take '(' then bracket ()
    else
      match peek 0 with
      | '0' .. '9' -> Value (number ())
      | '.' when Json.is_digit (peek 1) -> Value (number ())
      | _ ->
        let start = !at in
        while (match peek 0 with 'a' .. 'z' | '0' .. '9' -> true | _ -> false) do incr at done;
        (match String.sub text start (!at - start) with
        | "u" -> Other
        | "exp" | "log" | "log1p" | "tanh" | "sqrt" ->
          if not (take '(') then fail "'(' is due";
          ignore (bracket ());
          Other
        | _ -> fail "unknown name or sign")
  and bracket () =
    let node = nested sum in
    if not (take ')') then fail "')' is due";
    node
  in
  if size > most_characters then fail "too long";
  ignore (sum ());
  skip_space ();
  if !at < size then fail "something is out of place"
