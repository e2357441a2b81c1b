#!/usr/bin/env python3
"""Both checkers have the same rules, and of each rule the corpus holds a true certificate and a forged one.

usage: check_rules.py ATTEST_CHECK PYTHON_CHECKER, or check_rules.py --self-test
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Iterable

HERE = Path(__file__).resolve().parent
Rule = tuple[str, str]  # (claim, kind)


def rules_of(checker: list[str]) -> list[Rule]:
    run = subprocess.run([*checker, "--rules"], capture_output=True, text=True, check=True)
    return [tuple(line.split(" ")) for line in run.stdout.splitlines()]


def rule_of(file: Path) -> Rule | None:
    """What a certificate says that it is; None where a forgery is too broken to say it."""
    try:
        certificate = json.loads(file.read_bytes())
        return certificate["claim"], certificate["statement"]["kind"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def faults_of(ours: list[Rule], theirs: list[Rule], true: Iterable[Rule | None], forged: Iterable[Rule | None]) -> list[str]:
    faults = [f"listed twice by a checker: {rule}" for rules in (ours, theirs) for rule in sorted(set(rules)) if rules.count(rule) > 1]
    faults += [f"a rule of one checker alone: {rule}" for rule in sorted(set(ours) ^ set(theirs))]
    for kind, seen in (("true", set(true)), ("forged", set(forged))):
        faults += [f"no {kind} certificate: {rule}" for rule in sorted({*ours, *theirs} - seen)]
    return faults if ours and theirs else [*faults, "a checker has no rules"]


def self_test() -> list[str]:
    """Each kind of fault is seen."""
    a, b = ("p-svm", "svm-optimal"), ("p-svm", "svm-infeasible")
    planted = {
        "nothing is wrong": faults_of([a, b], [b, a], [a, b, a], [None, a, b]) == [],
        "a rule of one checker": faults_of([a, b], [a], [a, b], [a, b]) == [f"a rule of one checker alone: {b}"],
        "a rule twice": faults_of([a, a], [a], [a], [a]) == [f"listed twice by a checker: {a}"],
        "no true certificate": faults_of([a, b], [a, b], [a], [a, b]) == [f"no true certificate: {b}"],
        "no forged certificate": faults_of([a, b], [a, b], [a, b], [None, a]) == [f"no forged certificate: {b}"],
        "no rules": faults_of([], [], [], []) == ["a checker has no rules"],
    }
    return [f"not seen: {name}" for name, seen in planted.items() if not seen]


def main(arguments: list[str]) -> int:
    if arguments == ["--self-test"]:
        faults = self_test()
    else:
        checker, python_checker = arguments
        forged = (rule_of(file) for file in HERE.glob("*.json") if file.name != "index.json")
        faults = faults_of(rules_of([checker]), rules_of([sys.executable, python_checker]), map(rule_of, HERE.glob("true/*.json")), forged)
    print(*faults, f"{len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
