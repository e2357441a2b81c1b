(* Strict JSON (RFC 8259; docs/certificate.md, section 1): no duplicate key, no byte order mark, no half of a surrogate pair, nesting of at
   most 10 000 brackets. Numbers are kept as they are written. *)

type t = Null | Bool of bool | Number of string | String of string | Array of t list | Object of (string * t) list

exception Rejected of string

let deepest = 10_000

(* The length of the well-formed UTF-8 sequence at a byte (RFC 3629), 0 if there is none. *)
let utf8_length text at =
  let byte k = if at + k < String.length text then Char.code text.[at + k] else 0 in
  let trails k = byte k land 0xC0 = 0x80 in
  let a = byte 0 and b = byte 1 in
  if a < 0x80 then 1
  else if a >= 0xC2 && a <= 0xDF && trails 1 then 2
  else if a land 0xF0 = 0xE0 && trails 1 && trails 2 then if (a = 0xE0 && b < 0xA0) || (a = 0xED && b >= 0xA0) then 0 else 3
  else if a >= 0xF0 && a <= 0xF4 && trails 1 && trails 2 && trails 3 then if (a = 0xF0 && b < 0x90) || (a = 0xF4 && b >= 0x90) then 0 else 4
  else 0

let is_digit c = c >= '0' && c <= '9'

let parse text =
  let size = String.length text in
  let at = ref 0 in
  let fail why = raise (Rejected (Printf.sprintf "not JSON: %s at byte %d" why !at)) in
  let peek () = if !at < size then text.[!at] else '\000' in
  let take c =
    let found = !at < size && text.[!at] = c in
    if found then incr at;
    found
  in
  let rec skip_space () =
    match peek () with
    | ' ' | '\t' | '\n' | '\r' -> incr at; skip_space ()
    | _ -> ()
  in
  let word literal value =
    let length = String.length literal in
    if !at + length <= size && String.sub text !at length = literal then (at := !at + length; value) else fail "expected a value"
  in
  let hex4 () =
    let value = ref 0 in
    for _ = 1 to 4 do
      let digit =
        match peek () with
        | '0' .. '9' as c -> Char.code c - Char.code '0'
        | 'a' .. 'f' as c -> Char.code c - Char.code 'a' + 10
        | 'A' .. 'F' as c -> Char.code c - Char.code 'A' + 10
        | _ -> fail "expected four hex digits"
      in
      value := (16 * !value) + digit;
      incr at
    done;
    !value
  in
  let escape out =
    let c = peek () in
    if !at >= size then fail "a string has no end";
    incr at;
    match c with
    | '"' | '\\' | '/' -> Buffer.add_char out c
    | 'b' -> Buffer.add_char out '\b'
    | 'f' -> Buffer.add_char out '\012'
    | 'n' -> Buffer.add_char out '\n'
    | 'r' -> Buffer.add_char out '\r'
    | 't' -> Buffer.add_char out '\t'
    | 'u' ->
      let first = hex4 () in
      let code =
        if first >= 0xD800 && first <= 0xDBFF then begin
          if not (take '\\' && take 'u') then fail "half a surrogate pair";
          let second = hex4 () in
          if second < 0xDC00 || second > 0xDFFF then fail "half a surrogate pair";
          0x10000 + ((first - 0xD800) lsl 10) + (second - 0xDC00)
        end
        else if first >= 0xDC00 && first <= 0xDFFF then fail "half a surrogate pair"
        else first
      in
      Buffer.add_utf_8_uchar out (Uchar.of_int code)
    | _ -> fail "unknown escape"
  in
  let string () =
    let out = Buffer.create 16 in
    incr at;
    while not (take '"') do
      if !at >= size then fail "a string has no end";
      if take '\\' then escape out
      else begin
        if Char.code text.[!at] < 0x20 then fail "control character in a string";
        let length = utf8_length text !at in
        if length = 0 then fail "not UTF-8";
        Buffer.add_substring out text !at length;
        at := !at + length
      end
    done;
    Buffer.contents out
  in
  let number () =
    let start = !at in
    let digits () =
      if not (is_digit (peek ())) then fail "expected a digit";
      while is_digit (peek ()) do incr at done
    in
    ignore (take '-');
    if not (take '0') then digits ();
    if take '.' then digits ();
    if take 'e' || take 'E' then begin
      if not (take '+') then ignore (take '-');
      digits ()
    end;
    String.sub text start (!at - start)
  in
  (* The members up to the closing bracket, in order; the opening one has been read. *)
  let members closer member =
    skip_space ();
    if take closer then []
    else begin
      let found = ref [ member () ] in
      skip_space ();
      while not (take closer) do
        if not (take ',') then fail "expected ',' or the end of a container";
        found := member () :: !found;
        skip_space ()
      done;
      List.rev !found
    end
  in
  let rec value depth =
    skip_space ();
    match peek () with
    | '[' -> open_one depth; Array (members ']' (fun () -> value (depth + 1)))
    | '{' ->
      open_one depth;
      let seen = Hashtbl.create 8 in
      let member () =
        skip_space ();
        if peek () <> '"' then fail "expected a key";
        let key = string () in
        if Hashtbl.mem seen key then fail "a key stands twice";
        Hashtbl.add seen key ();
        skip_space ();
        if not (take ':') then fail "expected ':'";
        (key, value (depth + 1))
      in
      Object (members '}' member)
    | '"' -> String (string ())
    | '-' | '0' .. '9' -> Number (number ())
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | 'n' -> word "null" Null
    | _ -> fail (if !at < size then "expected a value" else "the text ends too early")
  and open_one depth =
    if depth >= deepest then fail "nesting deeper than 10000";
    incr at
  in
  let result = value 0 in
  skip_space ();
  if !at < size then fail "bytes after the end of the value";
  result
