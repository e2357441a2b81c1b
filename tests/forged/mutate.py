#!/usr/bin/env python3
"""Mutation test of the two checkers against each other.

usage: mutate.py --checker ATTEST_CHECK --count N --seed S CERT...     (a folder stands for all its *.json)

Of every certificate N mutants are made, each by one random change of one place. Both checkers judge
each mutant. One that both accept is fine: what is left is still a proof. A disagreement fails the
test, and the mutant is saved in the current directory.
"""

from __future__ import annotations

import argparse
import copy
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Callable, Iterator

BATCH = 400  # files a process of the checker under test
PYTHON_CHECKER = Path(__file__).resolve().parents[2] / "scripts" / "check_certificate.py"
WORDS = ["logistic", "exponential", "correlation", "values", "slope", "rational", "enclosure", "all", "support", "limit", "soft-row",
         "weightless", "point", "", "0", "1", "hinge", "p", "W", "constant", "normalised", "flow", "direction", "query", "rank", "origin",
         "krawczyk", "tanh(u)"]  # and every claim and kind of the rules
KEYS = ["v", "W", "queries", "loss", "w", "lambda", "neighbour", "farkas", "cuts", "gap", "cover", "weights", "u", "y", "sample", "token",
        "other", "rows", "extra", "tolerance", "step", "rate", "spectral", "rho", "cone", "first", "floor", "second", "near", "q", "point"]
EXPRESSION_PARTS = ["u", "-u", "exp(-u)", "log1p(exp(-u))", "tanh(u)", "sqrt(u)", "log(u)", "2", "1e3", ".5", "u^2", "u^-1",
                    "u^0", "(", ")", "^", "*", "/", "+", "-", " ", "e", "1.", "0", "u^64", "u^65", "2^-3", "-u^3", "1/3", "log1p"]
Path_ = tuple[Any, ...]


def is_rational(value: Any) -> bool:
    try:
        return isinstance(value, str) and "." not in value and "e" not in value.lower() and Fraction(value) is not None
    except (ValueError, ZeroDivisionError):
        return False


def places(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The paths of all values below this one."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield (*path, key)
        yield from places(child, (*path, key))


# Each mutation takes (random numbers, container, key) and changes container[key]; False: it does not apply.
Mutation = Callable[[random.Random, Any, Any], bool]


def change_rational(rng: random.Random, container: Any, key: Any) -> bool:
    old = container[key]
    if not is_rational(old):
        return False
    x = Fraction(old)
    tiny = Fraction(rng.choice([1, -1]), 10 ** rng.choice([1, 3, 9, 30, 60]))
    huge = 10 ** rng.choice([1, 3, 30, 300])
    new = rng.choice([x + tiny, x * (1 + tiny), -x, x * huge, x / huge, x + 1, x - 1, 2 * x, x / 2, Fraction(0), Fraction(1),
                      1 / x if x else Fraction(1), x + huge])
    container[key] = str(new)
    return new != x


def respell_rational(rng: random.Random, container: Any, key: Any) -> bool:
    old = container[key]
    if not is_rational(old):
        return False
    x = Fraction(old)
    container[key] = rng.choice([
        f"{x.numerator * 7}/{x.denominator * 7}", f"-0{-x.numerator}" if x < 0 else f"000{old}", f"{old} ", f" {old}", f"+{old}",
        f"{old}\n", f"{old}/1", f"{old}.0", f"{old}e0", f"{x.numerator}/-{x.denominator}", f"{x.numerator}/0", f"--{old}",
        str(float(x)), f"{old}\0", f"0x{old}", f"{old}_0", "\uff11", "", "-", "/", "NaN", "inf", "1e999999999"])
    return container[key] != old


def change_integer(rng: random.Random, container: Any, key: Any) -> bool:
    old = container[key]
    if isinstance(old, bool) or not isinstance(old, int):
        return False
    container[key] = rng.choice([old + 1, old - 1, -old, old + 2**31, old + 2**32, old + 2**64, 2**31 - 1, 10**30, float(old),
                                 str(old), bool(old), 0, 1, 2])
    return json.dumps(container[key]) != json.dumps(old)


def change_boolean(rng: random.Random, container: Any, key: Any) -> bool:
    if not isinstance(container[key], bool):
        return False
    container[key] = rng.choice([not container[key], not container[key], int(container[key]), str(container[key]).lower()])
    return True


def change_string(rng: random.Random, container: Any, key: Any) -> bool:
    old = container[key]
    if not isinstance(old, str) or is_rational(old):
        return False
    container[key] = change_expression(rng, old) if key == "expression" else rng.choice([*WORDS, old + " ", old.upper(), old[:-1]])
    return container[key] != old


def change_expression(rng: random.Random, old: str) -> str:
    at = rng.randrange(len(old) + 1)
    part = rng.choice(EXPRESSION_PARTS)
    return rng.choice([old[:at] + part + old[at:], old[:at] + part + old[at + 1:], old[:at] + old[at + 1:], part,
                       f"{part}*({old})", f"({old})+{part}", f"({old})^{rng.randint(-3, 3)}"])


def change_type(rng: random.Random, container: Any, key: Any) -> bool:
    old = container[key]
    container[key] = rng.choice([None, True, False, 0, 1, -1, 1.5, "", "0", "1", [], {}, [old], {"w": old}])
    return json.dumps(container[key]) != json.dumps(old)


def delete(rng: random.Random, container: Any, key: Any) -> bool:
    del container[key]
    return True


def duplicate(rng: random.Random, container: Any, key: Any) -> bool:
    if not isinstance(container, list):
        return False
    container.insert(rng.randrange(len(container) + 1), copy.deepcopy(container[key]))
    return True


def swap(rng: random.Random, container: Any, key: Any) -> bool:
    other = rng.choice(list(container) if isinstance(container, dict) else range(len(container)))
    container[key], container[other] = container[other], container[key]
    return json.dumps(container[key]) != json.dumps(container[other])


def rename(rng: random.Random, container: Any, key: Any) -> bool:
    new = rng.choice(KEYS)
    if not isinstance(container, dict) or new in container:
        return False
    container[new] = container.pop(key)
    return True


def add_key(rng: random.Random, container: Any, key: Any) -> bool:
    new = rng.choice(KEYS)
    if not isinstance(container, dict) or new in container:
        return False
    container[new] = copy.deepcopy(container[key])
    return True


MUTATIONS: dict[Mutation, int] = {change_rational: 10, respell_rational: 3, change_integer: 8, change_boolean: 3, change_string: 4,
                                  change_type: 3, delete: 3, duplicate: 3, swap: 4, rename: 1, add_key: 1}


def mutate_value(rng: random.Random, certificate: Any, paths: list[Path_]) -> bytes | None:
    mutant = copy.deepcopy(certificate)
    *parents, key = rng.choice(paths)
    container = mutant
    for part in parents:
        container = container[part]
    [mutation] = rng.choices(list(MUTATIONS), list(MUTATIONS.values()))
    if not mutation(rng, container, key):
        return None
    return json.dumps(mutant, ensure_ascii=rng.random() < 0.5).encode("utf-8")


def mutate_bytes(rng: random.Random, data: bytes) -> bytes:
    """A change of the text: a byte flipped, deleted, doubled or inserted, a cut, a repeated stretch."""
    at = rng.randrange(len(data))
    end = min(len(data), at + rng.randrange(1, 30))
    byte = rng.choice([rng.randrange(256), ord(rng.choice('0123456789-+.eE/"\\[]{},: \t\n'))])
    return rng.choice([data[:at] + bytes([byte]) + data[at + 1:], data[:at] + data[at + 1:], data[:at] + bytes([byte]) + data[at:],
                       data[:at], data[:at] + data[at:end] + data[at:], data[:at] + data[end:]])


def mutants_of(rng: random.Random, data: bytes, count: int) -> Iterator[bytes]:
    certificate = json.loads(data)
    paths = list(places(certificate))
    made = 0
    while made < count:
        mutant = mutate_bytes(rng, data) if rng.random() < 0.15 else mutate_value(rng, certificate, paths)
        if mutant is not None and mutant != data:
            made += 1
            yield mutant


@dataclass(frozen=True)
class Mutant:
    origin: str
    number: int
    data: bytes


def load_python_checker() -> Any:
    spec = importlib.util.spec_from_file_location("check_certificate", PYTHON_CHECKER)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    sys.setrecursionlimit(10_000)  # as a process of its own would, more or less
    return module


def python_verdict(module: Any, data: bytes) -> str:
    try:
        kind, claim = module.check_certificate(data)
        return f"accepted ({kind}, {claim})"
    except module.Rejected as why:
        return f"rejected: {why}"


def checker_verdicts(checker: Path, batch: list[bytes]) -> list[str]:
    """The verdicts of the checker under test, one process for all."""
    with tempfile.TemporaryDirectory() as folder:
        names = [f"m{k}.json" for k in range(len(batch))]
        for name, data in zip(names, batch):
            (Path(folder) / name).write_bytes(data)
        run = subprocess.run([checker, *names], cwd=folder, capture_output=True, text=True, errors="replace")
    verdicts = dict(line.split(": ", 1) for line in run.stdout.splitlines() if ": " in line)
    result = [verdicts.get(name, f"no line of output; exit code {run.returncode}; {run.stderr[-500:]}") for name in names]
    all_accepted = all(verdict.startswith("accepted (") for verdict in result)
    if run.returncode != (0 if all_accepted else 1):
        return [f"exit code {run.returncode} with {verdict}" for verdict in result]
    return result


def cpu_seconds() -> float:
    """Of this process and of those that it waited for: what the clock says depends on what else the machine does."""
    return sum(os.times()[:4])


def agree(one: str, other: str) -> bool:
    """Both accepted with the same kind and claim, or both rejected, whatever the reason."""
    return one == other if one.startswith("accepted (") else one.startswith("rejected: ") and other.startswith("rejected: ")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--checker", type=Path, required=True)
    parser.add_argument("--count", type=int, required=True, help="mutants of each certificate")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("certificates", metavar="CERT", nargs="+", type=Path)
    options = parser.parse_args()

    checker = options.checker.resolve()
    module = load_python_checker()
    WORDS.extend(sorted({*module.CLAIMS, *(kind for kinds in module.CLAIMS.values() for kind in kinds)}))
    mutants: list[Mutant] = []
    for path in [file for given in options.certificates for file in (sorted(given.glob("*.json")) if given.is_dir() else [given])]:
        data = path.read_bytes()
        for name, verdict in (("Python", python_verdict(module, data)), (checker.name, checker_verdicts(checker, [data])[0])):
            if not verdict.startswith("accepted ("):
                print(f"{path}: {name} does not accept it unchanged: {verdict}")
                return 1
        rng = random.Random(f"{options.seed} {path.name}")
        mutants += [Mutant(path.stem, k, mutant) for k, mutant in enumerate(mutants_of(rng, data, options.count))]

    counts: Counter[str] = Counter()
    for start in range(0, len(mutants), BATCH):
        batch = mutants[start:start + BATCH]
        for mutant, theirs in zip(batch, checker_verdicts(checker, [m.data for m in batch])):
            ours = python_verdict(module, mutant.data)
            if not agree(ours, theirs):
                counts["disagreements"] += 1
                name = f"mutant-{mutant.origin}-{options.seed}-{mutant.number}.json"
                Path(name).write_bytes(mutant.data)
                print(f"{name}\n  Python: {ours}\n  {checker.name}: {theirs}")
            else:
                counts["accepted" if ours.startswith("accepted (") else "rejected"] += 1
    print(f"{len(mutants)} mutants: {counts['rejected']} rejected, {counts['accepted']} accepted by both, "
          f"{counts['disagreements']} disagreements")
    return 1 if counts["disagreements"] or not mutants else 0


if __name__ == "__main__":
    sys.exit(main())
