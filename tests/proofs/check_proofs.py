#!/usr/bin/env python3
"""Looks for what a Coq development may leave unproved. Needs no Coq.

usage: check_proofs.py FOLDER          the .v files of a folder: nothing admitted, nothing assumed, no proof given up
       check_proofs.py --readme FOLDER  also: each theorem that README.md names is in the file that it names
       check_proofs.py --certificate PAGE  the specification: each theorem that it links is in the file that it links, each rule links one or recomputes what it states
       check_proofs.py --assumptions LOG  what Coq printed of the assumptions of theorems: axioms of the real numbers alone
       check_proofs.py --self-test      the test fails where it must
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

FORBIDDEN = re.compile(r"\b(Admitted|admit|give_up|Abort|Axioms?|Parameters?|Conjectures?|Hypothes[ei]s|bypass_check|"
                       r"Unset\s+(?:Guard|Positivity|Universe)\s+Checking)\b|-type-in-type")
REALS = {"ClassicalDedekindReals.sig_not_dec", "ClassicalDedekindReals.sig_forall_dec",
         "FunctionalExtensionality.functional_extensionality_dep", "Classical_Prop.classic"}
THEOREM = re.compile(r"\b(?:Theorem|Lemma|Corollary|Definition|Fixpoint|Record|Inductive)\s+([A-Za-z_][A-Za-z0-9_']*)")
SECTION = re.compile(r"\b(?:(Section|Module)\s+\w+|End\s+\w+)\s*\.")
OUTSIDE = re.compile(r"^\s*(Variables?|Context)\b", re.MULTILINE)


def without_comments(text: str) -> str:
    out, depth, at = [], 0, 0
    while at < len(text):
        pair = text[at:at + 2]
        if pair == "(*":
            depth, at = depth + 1, at + 2
        elif pair == "*)" and depth:
            depth, at = depth - 1, at + 2
        else:
            out.append(text[at] if not depth or text[at] == "\n" else " ")
            at += 1
    return "".join(out)


def faults(name: str, text: str) -> list[str]:
    found = []
    if not text.lstrip().startswith("(**"):
        found.append(f"{name}: does not begin with what it proves, in words")
    text = without_comments(text)
    for hit in FORBIDDEN.finditer(text):
        found.append(f"{name}:{text.count(chr(10), 0, hit.start()) + 1}: {hit.group()}")
    # A variable outside of a section is an axiom.
    depth = 0
    events = sorted([(m.start(), 1 if m.group(1) else -1, m) for m in SECTION.finditer(text)] +
                    [(m.start(), 0, m) for m in OUTSIDE.finditer(text)], key=lambda e: e[0])
    for _, step, match in events:
        depth += step
        if step == 0 and depth == 0:
            found.append(f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match.group(1)} outside of a section")
    return found


def named(folder: Path) -> list[str]:
    """Rows of README.md name `File.v` and theorems in backquotes after it."""
    found = []
    for line in (folder / "README.md").read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            continue
        known: set[str] = set()
        for word in re.findall(r"`([^`]+)`", line.split("|", 2)[2]):
            if word.endswith(".v"):
                path = folder / word
                if not path.exists():
                    found.append(f"README.md: there is no {word}")
                    continue
                known |= set(THEOREM.findall(without_comments(path.read_text(encoding="utf-8"))))
            elif re.fullmatch(r"[A-Za-z_][A-Za-z0-9_']*", word) and known and word not in known:
                found.append(f"README.md: no theorem {word} in the file named before it")
    return found


# Rules that recompute what is stated, and what rules share.
RECOMPUTED = {"4.15", "4.18", "4.19", "4.30"}


def unlinked(page: Path) -> list[str]:
    """Sections of the specification: `Proved in [File.v](../proofs/File.v): `theorem`, ...`."""
    found = []
    for number, text in re.findall(r"^### (4\.\d+) (.*?)(?=^### |^## |\Z)", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        proved = re.search(r"^Proved in .*", text, re.MULTILINE | re.DOTALL)
        if proved is None:
            found += [] if number in RECOMPUTED else [f"{number}: no proof is linked"]
            continue
        if number in RECOMPUTED:
            found.append(f"{number}: called a rule that recomputes, but a proof is linked")
        known: set[str] = set()
        for link, word in re.findall(r"\]\(([^)]*\.v)\)|`([^`]+)`", proved.group()):
            path = page.parent / link
            if link and not path.exists():
                found.append(f"{number}: there is no {link}")
            elif link:
                known |= set(THEOREM.findall(without_comments(path.read_text(encoding="utf-8"))))
            elif "_" in word and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_']*", word) and word not in known:
                found.append(f"{number}: no theorem {word} in the files linked before it")
    return found


def unexpected(log: str) -> list[str]:
    """The axioms in the output of Print Assumptions that are not those of the real numbers."""
    names = re.findall(r"^([A-Za-z_][\w.']*)\s*(?::|$)", log, re.MULTILINE)
    return sorted({name for name in names if name not in REALS and name != "Axioms"})


def self_test() -> int:
    head = "(** Words. *)\n"
    bad = ["Lemma x : False. Admitted.", "Axiom x : False.", "Parameter x : nat.", "Lemma x : True. Proof. admit. Admitted.", "Variable x : False.",
           "Conjecture x : False.", "Section A. End A.\nContext (x : False).", "Section A.\nHypothesis H : False.\nEnd A."]
    good = ["(* Admitted is not Axiom *) Lemma x : True. Proof. exact I. Qed.", "Section A.\nVariable x : nat.\nEnd A.", "Lemma admitted_not : True. easy. Qed."]
    wrong = [b for b in bad if not faults("bad", head + b)] + [g for g in good if faults("good", head + g)]
    wrong += [] if faults("bad", "Lemma x : True. easy. Qed.") else ["no words"]
    wrong += [] if unexpected("Axioms:\nClassical_Prop.classic : x\nfalse\n  : False\n") == ["false"] else ["assumptions"]
    with tempfile.TemporaryDirectory() as folder:
        page, proof = Path(folder) / "page.md", Path(folder) / "a.v"
        proof.write_text("Theorem a_b : True.", encoding="utf-8")
        for text, faulty in (("### 4.1 a\nProved in [a.v](a.v): `a_b`.\n", False), ("### 4.15 a\n", False), ("### 4.1 a\nProved in [a.v](a.v): `a_c`.\n", True),
                             ("### 4.1 a\nProved in [b.v](b.v).\n", True), ("### 4.1 a\n### 4.2 b\nProved in [a.v](a.v): `a_b`.\n", True)):
            page.write_text(text, encoding="utf-8")
            wrong += [] if bool(unlinked(page)) == faulty else [text]
    print("\n".join(wrong) or f"{len(bad) + 5} faults seen, {len(good) + 2} files without")
    return 1 if wrong else 0


def main(arguments: list[str]) -> int:
    if arguments == ["--self-test"]:
        return self_test()
    if arguments[0] == "--assumptions":
        axioms = unexpected(Path(arguments[1]).read_text(encoding="utf-8"))
        print("\n".join(f"assumed: {axiom}" for axiom in axioms) or "assumed: the axioms of the real numbers alone")
        return 1 if axioms else 0
    if arguments[0] == "--certificate":
        found = unlinked(Path(arguments[1]))
        print("\n".join(found) or "every rule links its proof or recomputes what it states")
        return 1 if found else 0
    folder = Path(arguments[-1])
    files = sorted(folder.glob("*.v"))
    found = [fault for path in files for fault in faults(path.name, path.read_text(encoding="utf-8"))]
    if not files:
        found.append(f"{folder}: no .v files")
    if "--readme" in arguments:
        found += named(folder)
    print("\n".join(found) or f"{len(files)} files, nothing admitted or assumed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
