(* From JSON to the certificates of the verified checks: keys, shapes, numbers. What numbers mean, ranges, order and every rule are
   for the checks themselves. *)

open Core

exception Rejected = Json.Rejected

(* A pair of a claim and a kind that the specification has and the verified core has not. *)
exception Outside of string * string

let reject where why = raise (Rejected (where ^ ": " ^ why))
let largest_index = 0x7FFF_FFFF
let most_characters = 1_000_000

let object_of where required optional = function
  | Json.Object members ->
    List.iter (fun key -> if not (List.mem_assoc key members) then reject where ("the key " ^ key ^ " is missing")) required;
    List.iter (fun (key, _) -> if not (List.mem key required || List.mem key optional) then reject where "unknown key") members;
    members
  | _ -> reject where "not an object"

let array_of where = function Json.Array items -> items | _ -> reject where "not an array"
let text_of where = function Json.String text -> text | _ -> reject where "not a string"
let boolean where = function Json.Bool value -> value | _ -> reject where "not a boolean"

let index where = function
  | Json.Number text when String.length text <= 10 && String.for_all Json.is_digit text && int_of_string ("0u" ^ text) <= largest_index ->
    int_of_string ("0u" ^ text)
  | _ -> reject where "not an integer from 0 to 2^31 - 1"

(* -?[0-9]+(/[0-9]+)? *)
let rational where value =
  let fail () = reject where "not a rational string" in
  let text = text_of where value in
  let digits part = if part <> "" && String.for_all Json.is_digit part then Integer.of_string part else fail () in
  if String.length text > most_characters then fail ();
  let negative = text <> "" && text.[0] = '-' in
  let unsigned = if negative then String.sub text 1 (String.length text - 1) else text in
  let above, below = match String.index_opt unsigned '/' with
    | None -> (unsigned, "1")
    | Some at -> (String.sub unsigned 0 at, String.sub unsigned (at + 1) (String.length unsigned - at - 1))
  in
  let numerator = digits above and denominator = digits below in
  if Integer.sign denominator = 0 then fail ();
  { qnum = (if negative then Integer.neg numerator else numerator); qden = denominator }

(* Not by recursion on the stack: lists may be long. *)
let list_of read where value =
  let next (k, found) item = (k + 1, read (Printf.sprintf "%s[%d]" where k) item :: found) in
  List.rev (snd (List.fold_left next (0, []) (array_of where value)))

let vector = list_of rational
let matrix = list_of vector
let indices = list_of index

(* The names of rows, [i, t] or [i]; the row [i] is (i, 0). *)
type names = Pairs | Singles

let row names where value =
  match (names, array_of where value) with
  | Pairs, [ i; t ] -> (index where i, index where t)
  | Singles, [ i ] -> (index where i, 0)
  | _ -> reject where "not the name of a row"

let multiplier names where value =
  match (names, array_of where value) with
  | Pairs, [ i; t; weight ] -> ((index where i, index where t), rational where weight)
  | Singles, [ i; weight ] -> ((index where i, 0), rational where weight)
  | _ -> reject where "not a row with its multiplier"

let rows names = list_of (row names)
let multipliers names = list_of (multiplier names)

(* Section 2 *)
let label where = function Json.Number "1" -> true | Json.Number "-1" -> false | _ -> reject where "not a label 1 or -1"

let check_loss where = function
  | Json.String ("logistic" | "exponential" | "correlation") -> ()
  | Json.Object _ as value -> (
    let members = object_of where [ "expression" ] [] value in
    try Expression.check (text_of (where ^ ".expression") (List.assoc "expression" members))
    with Expression.Malformed why -> reject (where ^ ".expression") why)
  | _ -> reject where "not a known loss"

let problem value =
  let where = "problem" in
  let members = object_of where [ "tokens"; "labels"; "loss" ] [ "v"; "W"; "queries" ] value in
  let optional key read = Option.map (read (where ^ "." ^ key)) (List.assoc_opt key members) in
  check_loss "problem.loss" (List.assoc "loss" members);
  { d_tokens = list_of matrix "problem.tokens" (List.assoc "tokens" members);
    d_labels = list_of label "problem.labels" (List.assoc "labels" members);
    d_head = optional "v" vector; d_weights = optional "W" matrix; d_queries = optional "queries" matrix }

(* Section 4 *)
type parts = { claim : string; statement : Json.t; witness : Json.t }

let statement parts keys = object_of "statement" ("kind" :: keys) [] parts.statement
let witness parts keys = object_of "witness" keys [] parts.witness
let has key = function Json.Object members -> List.mem_assoc key members | _ -> false
let field read place key members = read (place ^ "." ^ key) (List.assoc key members)
let stated read key members = field read "statement" key members
let given read key members = field read "witness" key members

let label_solution where value =
  let members = object_of where [ "w"; "lambda" ] [] value in
  (field vector where "w" members, field (multipliers Singles) where "lambda" members)

let svm_optimal parts =
  let s = statement parts [ "selection"; "objective"; "support" ] in
  let selection = stated indices "selection" s and objective = stated rational "objective" s in
  let with_point names extra =
    let w = witness parts ([ "w"; "lambda" ] @ extra) in
    (stated (rows names) "support" s, given vector "w" w, given (multipliers names) "lambda" w, w)
  in
  match parts.claim with
  | "w-svm" ->
    let w = witness parts [ "lambda" ] in
    MatrixOptimal (selection, objective, stated (rows Pairs) "support" s, given (multipliers Pairs) "lambda" w)
  | "joint-svm" ->
    let support, point, lambda, w = with_point Pairs [ "v" ] in
    JointOptimal (selection, objective, support, point, lambda, given label_solution "v" w)
  | claim ->
    let program, names = if claim = "v-svm" then (Labels, Singles) else (Keys, Pairs) in
    let support, point, lambda, _ = with_point names [] in
    SvmOptimal (program, selection, objective, support, point, lambda)

let svm_infeasible parts =
  let selection = stated indices "selection" (statement parts [ "selection" ]) in
  match parts.claim with
  | "joint-svm" ->
    let w = witness parts [ "lambda"; "v" ] in
    JointInfeasible (selection, given (multipliers Pairs) "lambda" w, given label_solution "v" w)
  | claim ->
    let w = witness parts [ "lambda" ] in
    let lambda names = given (multipliers names) "lambda" w in
    if claim = "w-svm" then MatrixInfeasible (selection, lambda Pairs)
    else if claim = "v-svm" then SvmInfeasible (Labels, selection, lambda Singles)
    else SvmInfeasible (Keys, selection, lambda Pairs)

let bracket where w = { b_multipliers = field (multipliers Pairs) where "lambda" w; b_scale = field rational where "scale" w;
                        b_distance = field rational where "distance" w }

let bracketed_optimum parts =
  let s = statement parts [ "selection"; "possible_neighbours" ] in
  let w = witness parts [ "lambda"; "scale"; "distance" ] in
  let selection = stated indices "selection" s and possible = stated (rows Pairs) "possible_neighbours" s in
  if parts.claim = "w-svm" then MatrixBracketLocallyOptimal (selection, possible, bracket "witness" w)
  else BracketLocallyOptimal (selection, possible, bracket "witness" w)

let bracketed_neighbour parts selection =
  let w = witness parts [ "lambda"; "scale"; "distance"; "possible"; "neighbour"; "direction" ] in
  let possible = given (rows Pairs) "possible" w and neighbour = given (row Pairs) "neighbour" w in
  if parts.claim = "w-svm" then
    MatrixBracketNotLocallyOptimal (selection, bracket "witness" w, possible, neighbour, given (multipliers Pairs) "direction" w)
  else BracketNotLocallyOptimal (selection, bracket "witness" w, possible, neighbour, given vector "direction" w)

let exact_optimum parts =
  let s = statement parts [ "selection"; "neighbours" ] in
  let selection = stated indices "selection" s and neighbours = stated (rows Pairs) "neighbours" s in
  if parts.claim = "w-svm" then MatrixLocallyOptimal (selection, neighbours, given (multipliers Pairs) "lambda" (witness parts [ "lambda" ]))
  else
    let w = witness parts [ "w"; "lambda" ] in
    LocallyOptimal (selection, neighbours, given vector "w" w, given (multipliers Pairs) "lambda" w)

let locally_optimal parts = if has "scale" parts.witness then bracketed_optimum parts else exact_optimum parts

let not_locally_optimal parts =
  let selection = stated indices "selection" (statement parts [ "selection" ]) in
  let over_w = parts.claim = "w-svm" in
  if has "farkas" parts.witness then
    let lambda = given (multipliers Pairs) "farkas" (witness parts [ "farkas" ]) in
    if over_w then MatrixNotLocallyOptimalFarkas (selection, lambda) else NotLocallyOptimalFarkas (selection, lambda)
  else if has "scale" parts.witness then bracketed_neighbour parts selection
  else if over_w then
    let w = witness parts [ "lambda"; "neighbour" ] in
    MatrixNotLocallyOptimal (selection, given (multipliers Pairs) "lambda" w, given (row Pairs) "neighbour" w)
  else
    let w = witness parts [ "w"; "lambda"; "neighbour" ] in
    NotLocallyOptimal (selection, given vector "w" w, given (multipliers Pairs) "lambda" w, given (row Pairs) "neighbour" w)

let globally_optimal parts =
  let s = statement parts [ "selection"; "unique"; "gap" ] in
  ignore (witness parts []);
  let gap where = function Json.Null -> None | value -> Some (rational where value) in
  GloballyOptimal (stated indices "selection" s, stated boolean "unique" s, stated gap "gap" s)

let not_globally_optimal parts =
  let s = statement parts [ "selection"; "unique" ] in
  let w = witness parts [ "sample"; "token" ] in
  NotGloballyOptimal (stated indices "selection" s, stated boolean "unique" s, given index "sample" w, given index "token" w)

let conflict_entry where value =
  match array_of where value with
  | [ i; a ] -> ((index where i, index where a), None)
  | [ i; a; t; weight ] -> ((index where i, index where a), Some (index where t, rational where weight))
  | _ -> reject where "not [i, a, t, weight] or [i, a]"

let conflict where = function
  | Json.Object _ as value ->
    let members = object_of where [ "terms"; "centre" ] [] value in
    (field (list_of conflict_entry) where "terms" members, Some (field vector where "centre" members))
  | value -> (list_of conflict_entry where value, None)

let rec node where = function
  | Json.Number _ as value -> Conflict (index where value)
  | Json.Array items -> Branch (List.rev (List.rev_map (node where) items))
  | Json.Object _ as value when has "neighbour" value ->
    let m = object_of where [ "w"; "lambda"; "neighbour" ] [] value in
    Beaten (field vector where "w" m, field (multipliers Pairs) where "lambda" m, field (row Pairs) where "neighbour" m)
  | Json.Object _ as value ->
    let m = object_of where [ "w"; "lambda" ] [] value in
    Optimum (field vector where "w" m, field (multipliers Pairs) where "lambda" m)
  | _ -> reject where "not a node"

let census parts =
  let s = statement parts [ "count"; "selections" ] in
  let w = witness parts [ "order"; "conflicts"; "tree" ] in
  Census (stated index "count" s, stated (list_of indices) "selections" s, given indices "order" w,
          given (list_of conflict) "conflicts" w, given node "tree" w)

let rank parts =
  let s = statement parts [ "token_ranks"; "query_rank" ] in
  ignore (witness parts []);
  FullRank (stated indices "token_ranks" s, stated index "query_rank" s)

(* The table of section 4. *)
let descent = [ "descent-basin"; "descent-cone"; "descent-wedge" ]
let local = [ "locally-optimal"; "not-locally-optimal" ]
let svm = [ "svm-optimal"; "svm-infeasible"; "svm-bracket" ]

let claims =
  [ ("assumption-a", [ "loss-bounds"; "loss-not-decreasing"; "loss-flat" ]); ("globally-optimal", [ "globally-optimal"; "not-globally-optimal" ]);
    ("p-svm", svm); ("v-svm", svm); ("joint-svm", svm); ("w-svm", svm @ [ "nuclear-bracket" ] @ local);
    ("overparametrised", [ "rank"; "every-selection" ]); ("locally-optimal", local); ("census", [ "census" ]);
    ("assumption-b", [ "assumption-b"; "assumption-b-refuted" ]); ("gd-global", "equal-scores" :: descent); ("gd-local", descent);
    ("w-gd", descent); ("descent", descent); ("cross-validation", descent);
    ("tightness", [ "better-neighbour"; "no-better-neighbour"; "independent-rows" ] @ descent);
    ("joint-path", [ "slack-tokens"; "no-slack-tokens"; "logistic-loss"; "not-logistic"; "joint-envelope" ]); ("path", [ "path-envelope" ]);
    ("w-path", [ "path-envelope" ]); ("kq-path", [ "path-ratio" ]); ("no-stationary-point", [ "no-stationary-point"; "stationary-point" ]);
    ("sparsity-norm", [ "sparsity-norm"; "sparsity-infeasible" ]); ("head-path", [ "head-bounds"; "head-envelope" ]);
    ("first-step", [ "first-step"; "not-first-step" ]); ("step-size", [ "curvature-bound" ]) ]

let core =
  [ ("svm-optimal", svm_optimal); ("svm-infeasible", svm_infeasible); ("locally-optimal", locally_optimal);
    ("not-locally-optimal", not_locally_optimal); ("globally-optimal", globally_optimal); ("not-globally-optimal", not_globally_optimal);
    ("census", census); ("rank", rank) ]

(* The claim, the kind, the problem and the certificate. *)
let certificate value =
  let members = object_of "certificate" [ "attest_certificate"; "claim"; "problem"; "statement"; "witness" ] [] value in
  let part key = List.assoc key members in
  if part "attest_certificate" <> Json.Number "1" then reject "attest_certificate" "not the integer 1";
  let claim = text_of "claim" (part "claim") in
  let kind =
    match part "statement" with
    | Json.Object inner when List.mem_assoc "kind" inner -> text_of "statement.kind" (List.assoc "kind" inner)
    | _ -> reject "statement" "not an object with a kind"
  in
  if not (List.mem kind (Option.value (List.assoc_opt claim claims) ~default:[])) then reject "claim" "has no such kind";
  match List.assoc_opt kind core with
  | None -> raise (Outside (claim, kind))
  | Some read ->
    let data = problem (part "problem") in
    (claim, kind, data, read { claim; statement = part "statement"; witness = part "witness" })
