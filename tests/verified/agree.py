#!/usr/bin/env python3
"""Compares the verified checker with the two others, on certificates and on mutants of the true ones.

usage: agree.py --verified VERIFIED --checker ATTEST_CHECK --mutants N --seed S [--python-every K] [FOLDER...]

The corpus is tests/forged (true and forged) and every *.json of the folders. Every certificate of it is judged by all three. N mutants are
made of the certificates that the verified checker accepts, as many of each kind: one or two random changes of one certificate, or parts of
two of the same kind. The verified checker and attest-check judge each, the Python checker every K-th (all without it). A file that
the verified checker calls outside of its core is counted and not compared. A disagreement fails, and the file is kept in the current
directory.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FORGED = HERE.parent / "forged"
BATCH = 500  # files a process

spec = importlib.util.spec_from_file_location("mutate", FORGED / "mutate.py")
mutate = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = mutate
spec.loader.exec_module(mutate)

OUTSIDE = "not checked: "
Judged = tuple[str, str, "str | None"]  # of the verified checker, of attest-check, of the Python checker if asked


def verdicts(checker: Path, batch: list[bytes]) -> list[str]:
    """One process for all. The exit code must be what the lines ask for."""
    with tempfile.TemporaryDirectory() as folder:
        names = [f"m{k}.json" for k in range(len(batch))]
        for name, data in zip(names, batch):
            (Path(folder) / name).write_bytes(data)
        run = subprocess.run([checker, *names], cwd=folder, capture_output=True, text=True, errors="replace")
    said = dict(line.split(": ", 1) for line in run.stdout.splitlines() if ": " in line)
    result = [said.get(name, f"no line of output; {run.stderr[-300:]}") for name in names]
    due = 1 if any(v.startswith("rejected: ") for v in result) else 4 if any(v.startswith(OUTSIDE) for v in result) else 0
    return result if run.returncode == due else [f"exit code {run.returncode} where {due} is due, with {v}" for v in result]


def kind_of(data: bytes) -> str:
    try:
        certificate = json.loads(data)
        return f"{certificate['claim']} {certificate['statement']['kind']}"
    except (ValueError, KeyError, TypeError, RecursionError):
        return "not a certificate"


class Comparison:
    def __init__(self, verified: Path, checker: Path) -> None:
        self.verified, self.checker = verified.resolve(), checker.resolve()
        self.module = mutate.load_python_checker()
        self.core = set(subprocess.run([self.verified, "--rules"], capture_output=True, text=True, check=True).stdout.splitlines())
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)
        self.kept = 0

    def judge(self, batch: list[bytes], python_every: int) -> list[Judged]:
        pairs = zip(verdicts(self.verified, batch), verdicts(self.checker, batch))
        return [(ours, theirs, mutate.python_verdict(self.module, data) if k % python_every == 0 else None)
                for k, (data, (ours, theirs)) in enumerate(zip(batch, pairs))]

    def compare(self, where: str, names: list[str], batch: list[bytes], kinds: list[str], python_every: int) -> list[Judged]:
        judged = self.judge(batch, python_every)
        for name, data, kind, (ours, theirs, python) in zip(names, batch, kinds, judged):
            counts = self.counts[f"{where} {kind}"]
            counts["tried"] += 1
            others = [theirs] if python is None else [theirs, python]
            counts["by Python too"] += python is not None
            if ours.startswith(OUTSIDE):
                right = kind_of(data) not in self.core
                counts["outside of the core"] += right
            else:
                right = all(mutate.agree(ours, other) for other in others)
                counts["accepted" if ours.startswith("accepted (") else "rejected"] += right
            if not right:
                counts["disagreements"] += 1
                self.keep(name, data, ours, others)
        return judged

    def unknown_rules(self) -> list[str]:
        """The rules of the specification that the verified checker neither checks nor calls outside of its core."""
        rules = [(claim, kind) for claim, kinds in self.module.CLAIMS.items() for kind in kinds if f"{claim} {kind}" not in self.core]
        empty = [json.dumps({"attest_certificate": 1, "claim": claim, "problem": {}, "statement": {"kind": kind}, "witness": {}}).encode()
                 for claim, kind in rules]
        return [f"{claim} {kind}: {said}" for (claim, kind), said in zip(rules, verdicts(self.verified, empty)) if not said.startswith(OUTSIDE)]

    def keep(self, name: str, data: bytes, ours: str, others: list[str]) -> None:
        self.kept += 1
        file = f"disagreement-{self.kept}.json"
        Path(file).write_bytes(data)
        print(f"{file} ({name})\n  verified: {ours}", *(f"  other: {other}" for other in others), sep="\n")

    def report(self) -> int:
        wrong = 0
        for where, counts in sorted(self.counts.items()):
            wrong += counts["disagreements"]
            print(f"{where}: {', '.join(f'{number} {what}' for what, number in counts.items() if number)}")
        total: Counter[str] = Counter()
        for counts in self.counts.values():
            total.update(counts)
        print(f"{total['tried']} files: {total['accepted']} accepted and {total['rejected']} rejected by all that judged, "
              f"{total['outside of the core']} outside of the core, {total['by Python too']} by Python too, {wrong} disagreements")
        return wrong


def crossed(rng: random.Random, one: Any, other: Any) -> bytes:
    """Problem, statement and witness, each of one of two certificates."""
    parts = {key: (one if rng.random() < 0.5 else other)[key] for key in ("problem", "statement", "witness")}
    return json.dumps({**one, **parts}).encode("utf-8")


def mutants_of(rng: random.Random, truths: list[bytes], count: int) -> list[bytes]:
    made = []
    while len(made) < count:
        data = rng.choice(truths)
        way = rng.random()
        if way < 0.1:
            mutant = crossed(rng, json.loads(data), json.loads(rng.choice(truths)))
        else:
            mutant = next(mutate.mutants_of(rng, data, 1))
            if way < 0.3:
                try:
                    mutant = next(mutate.mutants_of(rng, mutant, 1))
                except ValueError:  # bytes changed: it is no JSON any more
                    pass
        if mutant != data:
            made.append(mutant)
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--verified", type=Path, required=True)
    parser.add_argument("--checker", type=Path, required=True)
    parser.add_argument("--mutants", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--python-every", type=int, default=1)
    parser.add_argument("folders", metavar="FOLDER", nargs="*", type=Path)
    options = parser.parse_args()

    comparison = Comparison(options.verified, options.checker)
    claims = comparison.module.CLAIMS
    mutate.WORDS.extend(sorted({*claims, *(kind for kinds in claims.values() for kind in kinds)}))
    truths: dict[str, list[bytes]] = defaultdict(list)
    forged = [path for path in sorted(FORGED.glob("*.json")) if path.name != "index.json"]
    for where, files in (("true", sorted(FORGED.glob("true/*.json"))), ("forged", forged),
                         *((str(folder), sorted(folder.glob("*.json"))) for folder in options.folders)):
        contents = [file.read_bytes() for file in files]
        kinds = [kind_of(data) for data in contents]
        inside = [k for k, kind in enumerate(kinds) if kind in comparison.core or kind == "not a certificate"]
        for start in range(0, len(inside), BATCH):
            some = inside[start:start + BATCH]
            judged = comparison.compare(where, [files[k].name for k in some], [contents[k] for k in some], [kinds[k] for k in some], 1)
            for k, (ours, _, _) in zip(some, judged):
                if ours.startswith("accepted ("):
                    truths[kinds[k]].append(contents[k])
        print(f"{where}: {len(inside)} of {len(files)} files are of the core kinds or no certificates", flush=True)
    faults = [f"no true certificate of {rule}" for rule in sorted(comparison.core - set(truths))] + comparison.unknown_rules()
    print(*faults, sep="\n", end="\n" if faults else "")

    for n, kind in enumerate(sorted(truths)):
        rng = random.Random(f"{options.seed} {kind}")
        count = options.mutants // len(truths) + (n < options.mutants % len(truths))
        while count > 0:
            batch = mutants_of(rng, truths[kind], min(count, BATCH))
            count -= len(batch)
            comparison.compare("mutants of", [f"mutant of {kind}"] * len(batch), batch, [kind] * len(batch), options.python_every)
        print(f"mutants of {kind}: compared", flush=True)
    return 1 if comparison.report() or faults else 0


if __name__ == "__main__":
    sys.exit(main())
