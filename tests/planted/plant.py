#!/usr/bin/env python3
"""Planted truth: random problems whose answer is known, put to `attest` and to both checkers.

usage: plant.py --attest ATTEST --checker ATTEST_CHECK --count N --seed S [--kinds KIND,...] [--seconds S] [--keep FOLDER]
       plant.py --self-test

N problems of each kind (exact_plants.py, sampled_plants.py). A verdict that is not so, or a certificate that one of the checkers does
not accept, stops the run with 1, and the case stays in FOLDER. Prints a line a kind: problems, claims, and what became of them.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "forged")]
import exact_plants  # noqa: E402
import mutate  # noqa: E402
import sampled_plants  # noqa: E402
from exact_plants import Plant, Wrong  # noqa: E402

BATCH = 50  # problems a process of attest
PLANTS = exact_plants.PLANTS | sampled_plants.PLANTS
# Seconds a claim. Of a loss whose slope is 0 at some point cells show nothing, however small: more time would be spent on these alone.
BUDGETS = {"loss": "0.05"}


def run_batch(attest: Path, folder: Path, plants: list[Plant], budget: str) -> list[dict[str, Any]]:
    """The entries of the results, one a case."""
    for k, plant in enumerate(plants):
        (folder / f"c{k:03}.json").write_text(json.dumps({"name": f"c{k:03}", **plant.case}), encoding="utf-8")
    done = subprocess.run([attest, "verify", ".", "--quiet", "--jobs", "1", "--budget", budget, "--json", "out.results", "--certificates", "proofs"],
                          cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise Wrong(f"attest ends with {done.returncode}: {done.stderr[-500:]}")
    return json.loads((folder / "out.results").read_text(encoding="utf-8"))["cases"]


def check_certificates(checker: Path, module: Any, folder: Path) -> int:
    """Both checkers on all certificates of the batch; how many there are."""
    proofs = sorted((folder / "proofs").glob("*.json"))
    verdicts = mutate.checker_verdicts(checker, [proof.read_bytes() for proof in proofs]) if proofs else []
    for proof, theirs in zip(proofs, verdicts):
        ours = mutate.python_verdict(module, proof.read_bytes())
        if not (theirs.startswith("accepted (") and theirs == ours):
            raise Wrong(f"{proof.name}: attest-check: {theirs}; Python: {ours}")
    return len(proofs)


class Run:
    def __init__(self, options: argparse.Namespace):
        self.attest, self.checker = options.attest.resolve(), options.checker.resolve()
        self.keep, self.seed = options.keep, options.seed
        self.module = mutate.load_python_checker()
        self.counts: dict[str, Counter[str]] = {}

    def plant(self, kind: str, first: int, count: int) -> None:
        """Problems `first` to `first + count` of the kind; each has random numbers of its own."""
        plants = [PLANTS[kind](random.Random(f"{self.seed} {kind} {first + k}")) for k in range(count)]
        counts = self.counts.setdefault(kind, Counter())
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            try:
                cases = run_batch(self.attest, folder, plants, BUDGETS.get(kind, "20"))
            except Wrong as why:
                self.stop(kind, f"{self.seed}-{first}", {"cases": [plant.case for plant in plants]}, why)
            for k, (plant, case) in enumerate(zip(plants, cases, strict=True)):
                counts["problems"] += 1
                for judge, entry in zip(plant.judges, case["claims"], strict=True):
                    counts["claims"] += 1
                    try:
                        counts[judge(entry)] += 1
                    except (Wrong, KeyError, TypeError, ValueError) as why:
                        self.stop(kind, f"{self.seed}-{first + k}", {"name": f"{kind}", **plant.case}, why)
            try:
                counts["certificates"] += check_certificates(self.checker, self.module, folder)
            except Wrong as why:
                self.stop(kind, f"{self.seed}-{first}", {"cases": [plant.case for plant in plants]}, why)

    def stop(self, kind: str, number: str, case: dict[str, Any], why: Exception) -> None:
        self.keep.mkdir(parents=True, exist_ok=True)
        file = self.keep / f"wrong-{kind}-{number}.json"
        file.write_text(json.dumps(case, indent=1), encoding="utf-8")
        print(f"{kind}: {type(why).__name__}: {why}\nplant: wrong, in {file}")
        sys.exit(1)

    def report(self) -> None:
        for kind, counts in self.counts.items():
            ends = ", ".join(f"{counts[end]} {end}" for end in ("right", "undecided", "observed", "not seen") if counts[end])
            print(f"plant: {kind}: {counts['problems']} problems, {counts['claims']} claims: {ends}; 0 wrong; "
                  f"{counts['certificates']} certificates, all accepted by both")
        print(f"plant: seed {self.seed}, {mutate.cpu_seconds():.0f} s of CPU time")


def self_test() -> int:
    """A planted lie is seen: each judge rejects what contradicts its truth."""
    unseen = []
    for seed in range(30):
        for kind, make in exact_plants.PLANTS.items():
            plant = make(random.Random(f"{seed} {kind}"))
            for claim, judge in zip(plant.case["claims"], plant.judges):
                for verdict in ("holds", "fails"):
                    lie = {"claim": claim["claim"], "verdict": verdict, "grade": "proved", "message": "", "numbers": {
                        "objective_exact": "-1", "support": [[9, 9]], "neighbours": [[9, 9]], "gap_exact": "-1", "selections": [[9]],
                        "lower": "1e9", "upper": "1e9", "slope_sup_exact": "0", "m0_exact": "-1", "m1_exact": "-1"}}
                    try:
                        judge(lie)
                    except Wrong:
                        continue
                    unseen.append((kind, claim["claim"], verdict))
    # A true "fails" has no numbers to lie about, and every selection may be feasible: only a false "holds" must be seen.
    bad = sorted({lie for lie in unseen if lie[2] == "holds" and lie[1] != "overparametrised"})
    print(f"lies that were not seen: {bad}")
    return 1 if bad else 0


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--attest", type=Path, required=True)
    parser.add_argument("--checker", type=Path, required=True)
    parser.add_argument("--count", type=int, required=True, help="problems of each kind")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--kinds", default=",".join(PLANTS))
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no batch after these")
    parser.add_argument("--keep", type=Path, default=Path("."))
    options = parser.parse_args()
    run, begin = Run(options), time.monotonic()
    for first in range(0, options.count, BATCH):
        for kind in options.kinds.split(","):
            if time.monotonic() - begin < options.seconds:
                run.plant(kind, first, min(BATCH, options.count - first))
    run.report()
    return 0


if __name__ == "__main__":
    sys.exit(main())
