#!/usr/bin/env python3
"""Mutants at scale: the two checkers on random changes of certificates of every kind, structural ones too.

usage: mutate_scale.py --checker ATTEST_CHECK (--count N --seed S | --each) [--seconds S] [--keep FOLDER] CERT...   (a folder: all *.json below it)
       mutate_scale.py --self-test

Kinds take turns, so that each gets its share of the N mutants; each mutant is one to three changes. Another is drawn for one that asks for minutes of
work (a run of 10^6 steps). With --each every number of every certificate is changed once in each of the ways of EACH instead. One that both accept is fine: what is left is still a proof; so is one whose run has hardly enough bits for one of them, where both accept
it with more. The first disagreement stops the run with 1, and the mutant stays in FOLDER. Prints a line a kind, of all that was judged till then.
"""

from __future__ import annotations

import argparse
import copy
import functools
import json
import random
import sys
import time
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, Iterator

sys.path.insert(0, str(Path(__file__).resolve().parent))
import mutate  # noqa: E402
import structure  # noqa: E402

BATCH = 400  # mutants a process of attest-check
PATIENCE = 2**24  # steps times tokens times bits: some seconds of the Python checker, which may be asked for 2^32 (docs/certificate.md, 4.20)
SLOW = 2**22  # about a second: one in ten of these, else they would take a third of the time
REFUSED = 2**32
# Far beyond and far below what a certificate has, where differences cancel in one checker and not in the other; a hair beside; the other sign.
EACH = [lambda x: x * 10**300, lambda x: x * 10**30, lambda x: x * 10**6, lambda x: x / 10**6, lambda x: x / 10**30, lambda x: x / 10**300,
        lambda x: x + 10**300, lambda x: x * (1 + Fraction(1, 10**60)), lambda x: x * (1 - Fraction(1, 10**60)), lambda x: -x]


def work_of(data: bytes) -> int:
    """Of the run that a certificate asks the checkers to repeat; 0 where there is none, or where they refuse it at once."""
    try:
        certificate = json.loads(data)
        tokens = sum(map(len, certificate["problem"]["tokens"]))
        steps, bits = certificate["statement"]["iterations"], certificate["witness"]["bits"]
        work = steps * tokens * bits if isinstance(steps, int) and isinstance(bits, int) else 0
        return work if work <= REFUSED else 0
    except (ValueError, KeyError, TypeError, RecursionError):
        return 0


def may_be_refused(data: bytes) -> bool:
    """A run with a step beyond 2^±90, which a checker need not take on (docs/certificate.md, 1)."""
    try:
        statement = json.loads(data)["statement"]
        step = abs(Fraction(statement["step"])) if mutate.is_rational(statement["step"]) else 0
        return "iterations" in statement and step != 0 and not Fraction(2)**-90 <= step <= 2**90
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


class Source:
    """Certificates by kind, and mutants of them."""

    def __init__(self, certificates: list[Path], seed: int):
        self.rng = random.Random(seed)
        self.by_kind: dict[str, list[tuple[bytes, Any]]] = defaultdict(list)
        for path in certificates:
            data = path.read_bytes()
            certificate = json.loads(data)
            self.by_kind[certificate["statement"]["kind"]].append((data, certificate))
        self.all = [pair for pairs in self.by_kind.values() for pair in pairs]

    def structural(self, data: bytes, kind: str) -> bytes | None:
        certificate = json.loads(data)
        _, other = self.rng.choice(self.by_kind[kind] if self.rng.random() < 0.7 else self.all)
        [change] = self.rng.choices(list(structure.STRUCTURAL), list(structure.STRUCTURAL.values()))
        try:
            return json.dumps(certificate).encode() if change(self.rng, certificate, other) else None
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError):  # an earlier change took what this one needs
            return None

    def change(self, data: bytes, kind: str) -> bytes | None:
        draw = self.rng.random()
        if draw < 0.6:
            return self.structural(data, kind)
        if draw < 0.95:
            certificate = json.loads(data)
            paths = list(mutate.places(certificate))
            return mutate.mutate_value(self.rng, certificate, paths) if paths else None
        return mutate.mutate_bytes(self.rng, data)

    def mutant(self, kind: str) -> bytes:
        while True:
            origin, _ = self.rng.choice(self.by_kind[kind])
            data = origin
            for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
                try:
                    data = self.change(data, kind) or data
                except (ValueError, AttributeError):  # bytes that are no JSON any more are changed no further
                    break
            work = work_of(data)
            if data != origin and work <= PATIENCE and (work <= SLOW or self.rng.random() < 0.1) and not may_be_refused(data):
                return data

    def mutants(self) -> Iterator[tuple[str, bytes]]:
        while True:
            for kind in sorted(self.by_kind):
                yield kind, self.mutant(kind)


    def each(self) -> Iterator[tuple[str, bytes]]:
        for kind in sorted(self.by_kind):
            for _, certificate in self.by_kind[kind]:
                for *parents, key in mutate.places(certificate):
                    container = functools.reduce(lambda value, part: value[part], parents, certificate)
                    old = container[key]
                    for way in EACH if mutate.is_rational(old) else []:
                        container[key] = str(way(Fraction(old)))
                        data = json.dumps(certificate).encode()
                        if container[key] != old and work_of(data) <= SLOW:
                            yield kind, data
                    container[key] = old


def with_more_bits(data: bytes) -> bytes | None:
    """The same statement and witness, the run enclosed with 64 bits more; None where there is no run."""
    try:
        certificate = json.loads(data)
        certificate["witness"]["bits"] += 64
        return json.dumps(certificate).encode()
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def agree_with_more_bits(checker: Path, module: Any, data: bytes) -> bool:
    """Enclosures of a run may be of different width (docs/certificate.md, 4.20), so that of a certificate with hardly enough bits one checker sees less
    than the other. Its statement is judged by both with more: what one of them accepted, both must accept."""
    finer = with_more_bits(data)
    if finer is None:
        return False
    ours = mutate.python_verdict(module, finer)
    return ours.startswith("accepted (") and [ours] == mutate.checker_verdicts(checker, [finer])


def compare(checker: Path, module: Any, batch: list[tuple[str, bytes]], counts: dict[str, Counter]) -> tuple[str, bytes, str, str] | None:
    """Counts what the checkers say; the first mutant on which they differ."""
    for (kind, data), theirs in zip(batch, mutate.checker_verdicts(checker, [data for _, data in batch])):
        ours = mutate.python_verdict(module, data)
        if not mutate.agree(ours, theirs):
            if not agree_with_more_bits(checker, module, data):
                counts[kind]["differ"] += 1
                return kind, data, ours, theirs
            counts[kind]["faint"] += 1
            continue
        counts[kind]["accepted" if ours.startswith("accepted (") else "rejected"] += 1
    return None


def report(counts: dict[str, Counter], origin: str) -> None:
    """A line a kind, and one for all."""
    for kind, count in [*sorted(counts.items()), (f"all {len(counts)} kinds", sum(counts.values(), Counter()))]:
        print(f"mutate: {kind}: {count.total()} mutants, {count['rejected']} rejected, {count['accepted']} accepted by both, "
              f"{count['faint']} by both with more bits alone, {count['differ']} disagreements")
    print(f"mutate: {origin}, {mutate.cpu_seconds():.0f} s of CPU time")


def self_test() -> int:
    """Every structural change applies to some true certificate, and changes it; the same seed makes the same mutants."""
    files = sorted((Path(__file__).resolve().parent / "true").glob("*.json"))
    source = Source(files, 1)
    idle = []
    for change in structure.STRUCTURAL:
        applied = 0
        for _, certificate in source.all:
            mutant = copy.deepcopy(certificate)
            applied += change(source.rng, mutant, source.rng.choice(source.all)[1]) and mutant != certificate
        if applied < 3:
            idle.append(change.__name__)
    origin, run = next((data, json.loads(data)) for data, _ in source.by_kind["descent-cone"])
    run["statement"]["iterations"] = 10**6
    patient = work_of(json.dumps(run).encode()) > PATIENCE >= work_of(origin)
    run["statement"]["iterations"] = "1"
    patient = patient and work_of(json.dumps(run).encode()) == 0
    run["statement"]["step"] = str(2**91)
    patient = patient and may_be_refused(json.dumps(run).encode()) and not may_be_refused(origin)
    more = json.loads(with_more_bits(origin))["witness"]["bits"] == json.loads(origin)["witness"]["bits"] + 64
    patient = patient and more and with_more_bits(b'{"witness": {}}') is None
    try:
        structure.number("1e999999999")
        patient = False
    except ValueError:
        pass
    each = [data for _, data in source.each()]
    restored = [certificate for _, certificate in source.all] == [json.loads(data) for data, _ in source.all]
    same = [[data for _, data in zip(range(100), Source(files, 7).mutants())] for _ in range(2)]
    print(f"{len(structure.STRUCTURAL)} structural changes, idle: {idle}; repeats: {same[0] == same[1]}; long runs are seen: {patient}; "
          f"{len(each)} mutants one by one, {len(set(each))} of them different, certificates restored: {restored}")
    return 0 if not idle and same[0] == same[1] and patient and restored and len(set(each)) > 0.9 * len(each) else 1


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--checker", type=Path, required=True)
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--each", action="store_true", help="every number once in every way, in place of random changes")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no batch after these")
    parser.add_argument("--keep", type=Path, default=Path("."))
    parser.add_argument("certificates", metavar="CERT", nargs="+", type=Path)
    options = parser.parse_args()
    if options.each == (options.count is not None):
        parser.error("either --count or --each")

    module = mutate.load_python_checker()
    mutate.WORDS.extend(sorted({*module.CLAIMS, *(kind for kinds in module.CLAIMS.values() for kind in kinds)}))
    files = [file for given in options.certificates for file in (sorted(given.rglob("*.json")) if given.is_dir() else [given])]
    source, counts = Source(files, options.seed), defaultdict(Counter)
    mutants = source.each() if options.each else islice(source.mutants(), options.count)
    begin, tried, found = time.monotonic(), 0, None
    while not found and time.monotonic() - begin < options.seconds and (batch := list(islice(mutants, BATCH))):
        found = compare(options.checker.resolve(), module, batch, counts)
        tried += len(batch)
    report(counts, "each number once" if options.each else f"seed {options.seed}")
    if not found:
        return 0
    kind, data, ours, theirs = found
    options.keep.mkdir(parents=True, exist_ok=True)
    file = options.keep / f"mutant-{kind}-{'each' if options.each else options.seed}-{tried}.json"
    file.write_bytes(data)
    print(f"{file}\n  Python: {ours}\n  {options.checker.name}: {theirs}\nmutate: a disagreement, in {file}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
