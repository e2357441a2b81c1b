#!/usr/bin/env python3
"""Runs a checker over the corpus: every true certificate must be accepted, every forged one rejected.

usage: check_corpus.py CHECKER [ARGUMENT...]     for example: check_corpus.py python3 check_certificate.py
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def index_faults(forged: list[str], true: list[str]) -> list[str]:
    """Where index.json and the folder disagree."""
    entries = json.loads((HERE / "index.json").read_text())
    listed = [entry["file"] for entry in entries]
    faults = [f"{name}: listed twice in index.json" for name in sorted({x for x in listed if listed.count(x) > 1})]
    faults += [f"{name}: listed in index.json, but not there" for name in sorted(set(listed) - set(forged))]
    faults += [f"{name}: not listed in index.json" for name in sorted(set(forged) - set(listed))]
    faults += [f"{entry['file']}: made from {entry['of']}, which is not there" for entry in entries if entry["of"] not in true]
    faults += [f"{entry['file']}: no reason given" for entry in entries if not entry["why"].strip()]
    return faults


def verdict_faults(checker: list[str], names: list[str], verdict: str, exit_code: int) -> list[str]:
    """The files on which the checker does not print this verdict; all are given to it at once."""
    run = subprocess.run([*checker, *names], cwd=HERE, capture_output=True, text=True, errors="replace")
    lines = run.stdout.splitlines()
    faults = [f"{name}: not {verdict}: {next((x for x in lines if x.startswith(f'{name}: ')), 'no line of output')}"
              for name in names if sum(x.startswith(f"{name}: {verdict}") for x in lines) != 1]
    if len(lines) != len(names):
        faults.append(f"{len(lines)} lines of output for {len(names)} files")
    if run.returncode != exit_code:
        faults.append(f"exit code {run.returncode} where {exit_code} is due\n{run.stderr}")
    return faults


def main(checker: list[str]) -> int:
    if not checker:
        print(__doc__, file=sys.stderr)
        return 2
    checker = [str(Path(part).resolve()) if Path(part).is_file() else part for part in checker]
    true = sorted(f"true/{path.name}" for path in HERE.glob("true/*.json"))
    forged = sorted(path.name for path in HERE.glob("*.json") if path.name != "index.json")
    faults = index_faults(forged, true)
    faults += verdict_faults(checker, true, "accepted (", 0)
    faults += verdict_faults(checker, forged, "rejected: ", 1)
    print(f"{len(true)} true certificates, {len(forged)} forged ones, {len(faults)} faults", *faults, sep="\n")
    return 1 if faults or not true or not forged else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
