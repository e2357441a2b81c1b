(* attest-check-verified: the checks of the core kinds that are proved in Coq (proofs/verified), behind an unproved reader. *)

open Core

let usage =
  "usage: attest-check-verified CERT...\n\n\
   Checks attest certificates of the core kinds by functions that are proved in Coq.\n\
   Prints one line a certificate:\n\
  \  CERT: accepted (KIND, CLAIM)\n\
  \  CERT: rejected: WHY\n\
  \  CERT: not checked: kind KIND is outside of the verified core\n\n\
  \  --rules   list the rules that it knows, one a line: CLAIM KIND\n\
  \  --help    print this text\n\n\
   exit status: 0 all accepted, 1 some rejected, 2 bad usage or a file that\n\
   cannot be read, 3 internal fault, 4 some not checked and none rejected\n"

let reason = function
  | MalformedProblem -> "problem: a sample, a token in each and one dimension of all are due"
  | NoHead -> "the statement speaks of scores, but problem.v is missing"
  | NotASelection -> "statement.selection: not a token for each sample"
  | WrongLength -> "the point has not the dimension of the tokens"
  | BadMultipliers -> "a multiplier list is due: existing rows, strictly ascending, weights > 0"
  | RowViolated -> "the point violates a row"
  | ListedRowNotTight -> "a row has a multiplier but is not tight"
  | SumIsNotThePoint -> "the sum of multiplier times row is not the point"
  | SumIsNotZero -> "the sum of multiplier times row is not 0"
  | NoPositiveBound -> "the sum of multiplier times bound is not > 0"
  | WrongObjective -> "statement.objective: not half the square of the solution"
  | WrongTightRows -> "the stated rows are not the tight ones"
  | NeighbourScoresEnough -> "a neighbour does not score less"
  | NeighbourNotTight -> "witness.neighbour: not a tight row"
  | NeighbourScoresLess -> "witness.neighbour: scores less than the selected token"
  | WrongGap -> "statement.gap: not the least difference of scores"
  | WrongUnique -> "statement.unique: does not agree with the gap"
  | SelectedToken -> "witness: not another token of a sample"
  | ScoresTooLittle -> "a token scores too little"
  | WrongCount -> "statement.count: not the number of selections"
  | BadSelections -> "statement.selections: not selections in strictly ascending order"
  | BadOrder -> "witness.order: not a permutation of the samples"
  | BadConflict -> "witness.conflicts: a conflict is not valid"
  | BadNode -> "witness.tree: a node is not valid"
  | WrongLeaves -> "statement.selections: not the locally optimal leaves of witness.tree"
  | WrongRank -> "statement: not the numbers of tokens less one and of samples"
  | Dependent -> "the differences of tokens or the queries are dependent"
  | BadScale -> "witness.scale: not > 0"
  | BadDistance -> "witness.distance: below 0"
  | SumIsZero -> "the sum of multiplier times row is 0"
  | ScaleTooLarge -> "witness.scale: too large for a row"
  | DistanceTooSmall -> "witness.distance: below what the gap proves"
  | BadRowList -> "not a list of existing rows, strictly ascending, that holds the neighbour"
  | RowNotExcluded -> "a row that may be tight is left out"
  | BadDirection -> "witness.direction: not a direction"
  | NotShownTight -> "witness.direction: does not show the neighbour to be tight"

type ending = All_accepted | Some_rejected | Unusable | Internal_fault | Not_checked

let code = function All_accepted -> 0 | Some_rejected -> 1 | Unusable -> 2 | Internal_fault -> 3 | Not_checked -> 4

(* The worse of two endings. *)
let rank = function All_accepted -> 0 | Not_checked -> 1 | Some_rejected -> 2 | Unusable -> 3 | Internal_fault -> 4
let worse a b = if rank a >= rank b then a else b

let contents file =
  let channel = open_in_bin file in
  Fun.protect ~finally:(fun () -> close_in channel) (fun () -> really_input_string channel (in_channel_length channel))

let judge file text =
  let rejected why = Printf.printf "%s: rejected: %s\n" file why; Some_rejected in
  try
    let claim, kind, data, certificate = Reader.certificate (Json.parse text) in
    match check data certificate with
    | Accepted -> Printf.printf "%s: accepted (%s, %s)\n" file kind claim; All_accepted
    | Rejected why -> rejected (reason why)
  with
  | Json.Rejected why -> rejected why
  | Reader.Outside (_, kind) -> Printf.printf "%s: not checked: kind %s is outside of the verified core\n" file kind; Not_checked
  | Stack_overflow | Out_of_memory -> rejected "refused: too large for this machine's memory"

let complain what ending = prerr_endline ("attest-check-verified: " ^ what); ending

let check_file file =
  match contents file with
  | text -> judge file text
  | exception (Sys_error _ | End_of_file) -> complain ("cannot read " ^ file) Unusable

let rules () =
  List.iter
    (fun (claim, kinds) -> List.iter (fun kind -> if List.mem_assoc kind Reader.core then Printf.printf "%s %s\n" claim kind) kinds)
    Reader.claims

let run = function
  | [ "--help" ] -> print_string usage; All_accepted
  | [ "--rules" ] -> rules (); All_accepted
  | [] -> complain "no certificate named (see --help)" Unusable
  | words ->
    let files = match words with "--" :: files -> files | files -> files in
    (match List.find_opt (fun word -> words == files && String.length word > 0 && word.[0] = '-') files with
    | Some word -> complain ("bad option " ^ word ^ " (see --help)") Unusable
    | None -> List.fold_left (fun worst file -> worse worst (check_file file)) All_accepted files)

let () =
  let ending =
    try
      let ending = run (List.tl (Array.to_list Sys.argv)) in
      flush stdout;
      ending
    with fault -> complain ("internal fault: " ^ Printexc.to_string fault) Internal_fault
  in
  exit (code ending)
