#!/usr/bin/env python3
"""Runs a checker over the corpus: every true certificate must be accepted, and every forged one rejected for what was forged.

usage: check_corpus.py (cpp | python) CHECKER [ARGUMENT...]     for example: check_corpus.py python python3 check_certificate.py

The first word says whose reasons of index.json are due.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
Entry = dict[str, str]


def index_faults(entries: list[Entry], forged: list[str], true: list[str]) -> list[str]:
    """Where index.json and the folder disagree."""
    listed = [entry["file"] for entry in entries]
    faults = [f"{name}: listed twice in index.json" for name in sorted({x for x in listed if listed.count(x) > 1})]
    faults += [f"{name}: listed in index.json, but not there" for name in sorted(set(listed) - set(forged))]
    faults += [f"{name}: not listed in index.json" for name in sorted(set(forged) - set(listed))]
    faults += [f"{entry['file']}: made from {entry['of']}, which is not there" for entry in entries if entry["of"] not in true]
    faults += [f"{entry['file']}: index.json says nothing of {key}" for entry in entries for key in ("why", "cpp", "python")
               if not entry[key].strip()]
    return faults


def verdicts(checker: list[str], names: list[str], exit_code: int) -> tuple[dict[str, str], list[str]]:
    """What the checker says of each file, all of which are given to it at once, and what is wrong with its output."""
    run = subprocess.run([*checker, *names], cwd=HERE, capture_output=True, text=True, errors="replace")
    lines = run.stdout.splitlines()
    said = dict(line.split(": ", 1) for line in lines if ": " in line)
    faults = [f"{name}: no line of output" for name in names if name not in said]
    if len(lines) != len(names):
        faults.append(f"{len(lines)} lines of output for {len(names)} files")
    if run.returncode != exit_code:
        faults.append(f"exit code {run.returncode} where {exit_code} is due\n{run.stderr}")
    return said, faults


def forgery_fault(entry: Entry, whose: str, said: str) -> str | None:
    reason = said.removeprefix("rejected: ")
    if reason == said:
        return f"{entry['file']}: not rejected: {said}"
    if reason.startswith(entry["at"]) and entry[whose] in reason:
        return None
    return f"{entry['file']}: rejected, but not since {entry['why']!r}: {reason!r} is not {entry[whose]!r} at {entry['at']!r}"


def main(arguments: list[str]) -> int:
    if len(arguments) < 2 or arguments[0] not in ("cpp", "python"):
        print(__doc__, file=sys.stderr)
        return 2
    whose, *checker = arguments
    checker = [str(Path(part).resolve()) if Path(part).is_file() else part for part in checker]
    true = sorted(f"true/{path.name}" for path in HERE.glob("true/*.json"))
    forged = sorted(path.name for path in HERE.glob("*.json") if path.name != "index.json")
    entries = json.loads((HERE / "index.json").read_text())
    faults = index_faults(entries, forged, true)
    said, more = verdicts(checker, true, 0)
    faults += more + [f"{name}: not accepted: {said[name]}" for name in true if not said.get(name, "accepted (").startswith("accepted (")]
    said, more = verdicts(checker, forged, 1)
    faults += more + list(filter(None, (forgery_fault(entry, whose, said[entry["file"]]) for entry in entries if entry["file"] in said)))
    print(f"{len(true)} true certificates, {len(forged)} forged ones, {len(faults)} faults", *faults, sep="\n")
    return 1 if faults or not true or not forged else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
