#!/usr/bin/env python3
"""Planted truth: random problems whose answer is known, put to `attest` and to both checkers.

usage: plant.py --attest ATTEST --checker ATTEST_CHECK --count N --seed S [--kinds KIND,...] [--seconds S] [--keep FOLDER]
       plant.py --attest ATTEST --self-test

N problems of each kind (exact_plants.py, sampled_plants.py). A verdict that is not so, or a certificate that one of the checkers does
not accept, stops the run with 1, and the case stays in FOLDER. attest-check judges every certificate, the Python checker every one of some kinds; of
the others those of the first problems and of a tenth of the rest, drawn at random. The kinds take turns, the one that took the least time so far is
next. Every five minutes and at the end, whatever ends the run (a signal: 128 and its number), a line a kind says how many problems and claims there
were and what became of them; the counts are of whole batches. The self-test tells the judges lies (lies.py). Needs NumPy.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # of NumPy: its threads would turn idly over small arrays
sys.path[:0] = [str(HERE), str(HERE.parent / "forged")]
import exact_plants  # noqa: E402
import mutate  # noqa: E402
import sampled_plants  # noqa: E402
from exact_plants import Entry, Judge, Plant, Wrong  # noqa: E402
from lies import LIES, Lie  # noqa: E402

BATCH = 250  # problems a process of attest
SELF_TEST = 25  # problems of each kind
REPORT_SECONDS = 300
PLANTS = exact_plants.PLANTS | sampled_plants.PLANTS
# Seconds a claim, of the others 20. Of a sum of powers whose slope comes near 0 cells show little, however small. Once Assumption B is proved, the
# claim looks for points that bound nu from above, which are not judged.
BUDGETS = {"loss": "0.05", "limits": "0.05", "assumption-b": "0.002"}
# The Python checker would take most of the time: it judges the certificates of the first problems, and of a share of the rest.
SLOW_IN_PYTHON = {"loss", "path", "sparsity", "first-step", "stationary", "descent", "limits"}
PYTHON_FIRST, PYTHON_SHARE = 10, 0.1


def run_batch(attest: Path, folder: Path, plants: list[Plant], budget: str) -> list[dict[str, Any]]:
    """The entries of the results, one a case."""
    for k, plant in enumerate(plants):
        (folder / f"c{k:03}.json").write_text(json.dumps({"name": f"c{k:03}", **plant.case}), encoding="utf-8")
    done = subprocess.run([attest, "verify", ".", "--quiet", "--jobs", "1", "--budget", budget, "--json", "out.results", "--certificates", "proofs"],
                          cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise Wrong(f"attest ends with {done.returncode}: {done.stderr[-500:]}")
    return json.loads((folder / "out.results").read_text(encoding="utf-8"))["cases"]


def judged(questions: list[tuple[Judge, Entry]]) -> list[str | Exception]:
    """What became of each entry, or what is wrong with it."""
    ends: list[Any] = []
    for judge, entry in questions:
        try:
            ends.append(judge(entry))
        except (Wrong, LookupError, TypeError, ValueError) as why:
            ends.append(why)
    contradictions = iter(sampled_plants.follow([end for end in ends if isinstance(end, sampled_plants.Journey)]))
    return [next(contradictions) or "right" if isinstance(end, sampled_plants.Journey) else end for end in ends]


class Run:
    def __init__(self, options: argparse.Namespace):
        self.attest, self.checker = options.attest.resolve(), options.checker.resolve()
        self.keep, self.seed = options.keep, options.seed
        self.module = mutate.load_python_checker()
        self.counts: dict[str, Counter[str]] = {}
        self.seconds: Counter[str] = Counter()

    def take_turns(self, kinds: list[str], count: int, seconds: float) -> None:
        begin = reported = time.monotonic()
        first = dict.fromkeys(kinds, 0)
        while first and time.monotonic() - begin < seconds:
            kind = min(first, key=self.seconds.__getitem__)
            before = mutate.cpu_seconds()
            self.plant(kind, first[kind], min(BATCH, count - first[kind]))
            self.seconds[kind] += mutate.cpu_seconds() - before
            first[kind] += BATCH
            if first[kind] >= count:
                del first[kind]
            if time.monotonic() - reported > REPORT_SECONDS:
                self.report()
                reported = time.monotonic()

    def plant(self, kind: str, first: int, count: int) -> None:
        """Problems `first` to `first + count` of the kind; each has random numbers of its own. Counts them once all are right."""
        numbers = [random.Random(f"{self.seed} {kind} {first + k}") for k in range(count)]
        plants = [PLANTS[kind](rng) for rng in numbers]
        to_python = {k for k, rng in enumerate(numbers)
                     if kind not in SLOW_IN_PYTHON or first + k < PYTHON_FIRST or rng.random() < PYTHON_SHARE}
        counts = Counter(problems=count)
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            try:
                cases = run_batch(self.attest, folder, plants, BUDGETS.get(kind, "20"))
                self.judge(kind, first, plants, cases, counts)
                self.check_certificates(folder, to_python, counts)
            except Wrong as why:
                self.stop(kind, f"{self.seed}-{first}", {"cases": [plant.case for plant in plants]}, why)
        self.counts.setdefault(kind, Counter()).update(counts)

    def judge(self, kind: str, first: int, plants: list[Plant], cases: list[dict[str, Any]], counts: Counter[str]) -> None:
        questions = [(k, judge, entry) for k, (plant, case) in enumerate(zip(plants, cases, strict=True))
                     for judge, entry in zip(plant.judges, case["claims"], strict=True)]
        for (k, _, entry), end in zip(questions, judged([question[1:] for question in questions]), strict=True):
            if entry["grade"] == "proved" and entry["certificate"] is None:
                end = Wrong(f"{entry['claim']}: proved without a certificate")
            if isinstance(end, Exception):
                self.stop(kind, f"{self.seed}-{first + k}", {"name": kind, **plants[k].case}, end)
            counts["claims"] += 1
            counts[end] += 1

    def check_certificates(self, folder: Path, to_python: set[int], counts: Counter[str]) -> None:
        """attest-check on all certificates of the batch, the Python checker on those of some cases."""
        proofs = sorted((folder / "proofs").glob("*.json"))
        texts = [proof.read_bytes() for proof in proofs]
        verdicts = mutate.checker_verdicts(self.checker, texts) if proofs else []
        for proof, text, theirs in zip(proofs, texts, verdicts):
            by_python = int(proof.name[1:4]) in to_python
            ours = mutate.python_verdict(self.module, text) if by_python else theirs
            if not (theirs.startswith("accepted (") and theirs == ours):
                raise Wrong(f"{proof.name}: attest-check: {theirs}; Python: {ours}")
            counts["certificates"] += 1
            counts["by Python"] += by_python

    def stop(self, kind: str, number: str, case: dict[str, Any], why: Exception) -> None:
        self.keep.mkdir(parents=True, exist_ok=True)
        file = self.keep / f"wrong-{kind}-{number}.json"
        file.write_text(json.dumps(case, indent=1), encoding="utf-8")
        self.counts.setdefault(kind, Counter())["wrong"] += 1
        print(f"{kind}: {type(why).__name__}: {why}\nplant: wrong, in {file}")
        sys.exit(1)

    def report(self) -> None:
        for kind, counts in self.counts.items():
            ends = ", ".join(f"{counts[end]} {end}" for end in ("right", "undecided", "observed", "not seen") if counts[end])
            by_python = f", {counts['by Python']} of them by Python too" if counts["by Python"] < counts["certificates"] else " by both"
            print(f"plant: {kind}: {counts['problems']} problems, {counts['claims']} claims: {ends}; {counts['wrong']} wrong; "
                  f"{counts['certificates']} certificates, all accepted{by_python}; {self.seconds[kind]:.0f} s of CPU time")
        print(f"plant: seed {self.seed}, {mutate.cpu_seconds():.0f} s of CPU time in all", flush=True)


def unseen(lies: list[Lie], questions: list[tuple[Judge, Entry]]) -> list[str]:
    """Those of the lies that are seen too seldom."""
    found = []
    for lie in lies:
        forged = [(judge, copy.deepcopy(entry)) for judge, entry in questions]
        told = [(judge, entry) for judge, entry in forged if lie.forge(entry)]
        seen = sum(isinstance(end, Exception) for end in judged(told))
        print(f"  {lie.name}: seen {seen} times of {len(told)}")
        if not told or seen < lie.seen * len(told):
            found.append(lie.name)
    return found


def self_test(attest: Path) -> int:
    """Each judge agrees with what attest says, and sees what is forged of it."""
    bad = []
    for kind, make in PLANTS.items():
        plants = [make(random.Random(f"self-test {kind} {k}")) for k in range(SELF_TEST)]
        with tempfile.TemporaryDirectory() as scratch:
            cases = run_batch(attest.resolve(), Path(scratch), plants, "1")
        print(kind)
        questions = [one for plant, case in zip(plants, cases, strict=True) for one in zip(plant.judges, case["claims"], strict=True)]
        bad += [f"{kind}: the truth: {end}" for end in judged(questions) if isinstance(end, Exception)]
        bad += [f"{kind}: {name}" for name in unseen(LIES[kind], [(judge, entry) for judge, entry in questions if entry["grade"] == "proved"])]
    print(f"lies that were not seen: {bad}")
    return 1 if bad else 0


def cut_off(number: int, _: Any) -> None:
    raise KeyboardInterrupt(number)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--attest", type=Path, required=True)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--checker", type=Path)
    parser.add_argument("--count", type=int, help="problems of each kind")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--kinds", default=",".join(PLANTS))
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no batch after these")
    parser.add_argument("--keep", type=Path, default=Path("."))
    options = parser.parse_args()
    if options.self_test:
        return self_test(options.attest)
    if None in (options.checker, options.count, options.seed):
        parser.error("--checker, --count and --seed are needed")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, cut_off)
    run = Run(options)
    try:
        run.take_turns(options.kinds.split(","), options.count, options.seconds)
        return 0
    except KeyboardInterrupt as signalled:
        return 128 + signalled.args[0]
    finally:
        run.report()


if __name__ == "__main__":
    sys.exit(main())
