(** What the soundness of the checker assumes: the axioms of the standard library's real numbers, and no other. *)
From Attest.verified Require Import Sound.
Print Assumptions check_sound.
