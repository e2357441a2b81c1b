#!/usr/bin/env python3
"""Fuzzing of the Python checker: random changes of certificates, without coverage.

usage: fuzz_python.py --seed S (--seconds N | --count N) --findings FOLDER CORPUS...     (a folder stands for all files below it)
       fuzz_python.py --self-test

Each input is a file of the corpus after one to five changes: bytes, words of the dictionary, pieces of other files, values of the JSON.
The checker must accept it or raise Rejected, within a minute of CPU time. Anything else is a finding: the input is kept in FOLDER and the run ends
with 1.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any, Callable

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "forged"))
import mutate  # noqa: E402

SECONDS_AN_INPUT = 60
LONGEST = 200_000


def dictionary() -> list[bytes]:
    lines = (HERE / "dictionaries" / "certificate.dict").read_text(encoding="utf-8").splitlines()
    return [line[1:-1].replace('\\"', '"').encode() for line in lines if line.startswith('"')]


class Changes:
    """Makes inputs of a corpus; what it makes depends on the seed alone."""

    def __init__(self, seed: int, corpus: list[bytes]):
        self.rng = random.Random(seed)
        self.corpus = corpus
        self.words = dictionary()

    def splice(self, data: bytes) -> bytes:
        other = self.rng.choice(self.corpus)
        cut, start = self.rng.randrange(len(data) + 1), self.rng.randrange(len(other) + 1)
        return data[:cut] + other[start:start + self.rng.randrange(1, 500)] + data[self.rng.randrange(cut, len(data) + 1):]

    def insert_word(self, data: bytes) -> bytes:
        at = self.rng.randrange(len(data) + 1)
        return data[:at] + self.rng.choice(self.words) + data[self.rng.choice([at, min(len(data), at + self.rng.randrange(20))]):]

    def change_value(self, data: bytes) -> bytes:
        try:
            value = json.loads(data)
            paths = list(mutate.places(value))
            return (mutate.mutate_value(self.rng, value, paths) if paths else None) or data
        except (ValueError, RecursionError, OverflowError):
            return mutate.mutate_bytes(self.rng, data) if data else b"{}"

    def change_bytes(self, data: bytes) -> bytes:
        return mutate.mutate_bytes(self.rng, data) if data else self.rng.choice(self.words)

    def next(self) -> bytes:
        data = self.rng.choice(self.corpus)
        for _ in range(self.rng.randint(1, 5)):
            change = self.rng.choice([self.splice, self.insert_word, self.change_value, self.change_value, self.change_bytes])
            data = change(data)[:LONGEST]
        return data


def fault_of(check: Callable[[bytes], Any], rejected: type[Exception], data: bytes) -> str | None:
    """What is wrong with the checker's answer; nothing when it accepts or rejects."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS_AN_INPUT)
    try:
        check(data)
        return None
    except rejected as why:
        return None if str(why) else "a rejection without a reason"
    except BaseException:  # whatever it is, it is what we look for
        return traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def too_long(*_: Any) -> None:
    raise TimeoutError(f"more than {SECONDS_AN_INPUT} s of CPU time")


def self_test() -> int:
    """A checker that raises something else, or says nothing, is found; one that rejects is not."""
    class Rejected(Exception):
        pass

    def raising(error: Exception) -> Callable[[bytes], Any]:
        def check(_: bytes) -> None:
            raise error
        return check

    found = [fault_of(raising(error), Rejected, b"") is not None for error in (KeyError("k"), Rejected(""), Rejected("why"))]
    same = Changes(1, [b"{}", b"[1]"]), Changes(1, [b"{}", b"[1]"])
    repeats = [same[0].next() for _ in range(50)] == [same[1].next() for _ in range(50)]
    print(found, repeats)
    return 0 if found == [True, True, False] and repeats else 1


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--seed", type=int, required=True)
    length = parser.add_mutually_exclusive_group(required=True)
    length.add_argument("--seconds", type=float)
    length.add_argument("--count", type=int)
    parser.add_argument("--findings", type=Path, required=True)
    parser.add_argument("corpus", type=Path, nargs="+")
    options = parser.parse_args()

    module = mutate.load_python_checker()
    files = [file for given in options.corpus for file in (sorted(given.rglob("*")) if given.is_dir() else [given]) if file.is_file()]
    corpus = [data for file in files if file.suffix in ("", ".json") and len(data := file.read_bytes()) <= LONGEST]
    signal.signal(signal.SIGPROF, too_long)
    memory = 4 << 30
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    changes = Changes(options.seed, corpus)
    begin, tried = time.monotonic(), 0
    inputs = iter(corpus)  # first what is there, then what is made of it
    while tried < options.count if options.count else time.monotonic() - begin < options.seconds:
        data = next(inputs, None)
        data = changes.next() if data is None else data
        tried += 1
        fault = fault_of(module.check_certificate, module.Rejected, data)
        if fault:
            options.findings.mkdir(parents=True, exist_ok=True)
            file = options.findings / f"{options.seed}-{tried}"
            file.write_bytes(data)
            print(f"{fault}\nfuzz: python: a finding, in {file}")
            return 1
    print(f"fuzz: python: {tried} inputs in {mutate.cpu_seconds():.0f} s of CPU time, seed {options.seed}, no finding")
    return 0


if __name__ == "__main__":
    sys.exit(main())
