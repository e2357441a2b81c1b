"""What tests of the Python checker share: the checker, which the first argument names, and certificates made by hand."""

from __future__ import annotations

import copy
import importlib.util
import json
import sys
import unittest
from fractions import Fraction
from types import ModuleType
from typing import Any


def load_checker(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_certificate", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["check_certificate"] = module
    spec.loader.exec_module(module)
    return module


# Three samples whose rows are (1,1,0), (1,-1,0) and (2,0,1): w = (1,0,0), of which the first two rows are the support.
ROWS = [[["1", "1", "0"]], [["1", "-1", "0"]], [["2", "0", "1"]]]
HALVES = [[0, 1, "1/2"], [1, 1, "1/2"]]
LOSS = {"interval": ["-3", "3"], "slope_sup": "-1/25", "m0": "1/4", "m1": "1", "cuts": ["-1", "0", "1"]}


def negative(x: str) -> str:
    return str(-Fraction(x))


def problem(rows: list[list[list[str]]] = ROWS, v: tuple[str, ...] = ("1", "0", "0"), **more: Any) -> dict[str, Any]:
    """Token 0 of each sample is 0 and selected; the others are minus its rows."""
    tokens = [[["0"] * len(v), *([negative(x) for x in row] for row in sample)] for sample in rows]
    return {"tokens": tokens, "labels": [1] * len(tokens), "v": list(v), "loss": "logistic", **more}


def certificate(claim: str, data: dict[str, Any], statement: dict[str, Any], witness: dict[str, Any]) -> dict[str, Any]:
    whole = {"attest_certificate": 1, "claim": claim, "problem": data, "statement": statement, "witness": witness}
    return copy.deepcopy(whole)


def changed(whole: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """With what the keys name put in place; a key with two underscores goes a level down."""
    result = copy.deepcopy(whole)
    for name, value in changes.items():
        *path, key = name.split("__")
        place = result
        for part in path:
            place = place[part]
        place[key] = value
    return result


def without(whole: dict[str, Any], part: str, key: str) -> dict[str, Any]:
    result = copy.deepcopy(whole)
    del result[part][key]
    return result


class Rules(unittest.TestCase):
    def accepts(self, whole: dict[str, Any]) -> None:
        try:
            found = checker.check_certificate(json.dumps(whole).encode())
        except checker.Rejected as why:
            self.fail(f"rejected: {why}")
        self.assertEqual(found, (whole["statement"]["kind"], whole["claim"]))

    def rejects(self, whole: dict[str, Any], why: str) -> None:
        with self.assertRaises(checker.Rejected) as caught:
            checker.check_certificate(json.dumps(whole).encode())
        self.assertIn(why, str(caught.exception))


def descent(kind: str, method: str) -> tuple[dict[str, Any], dict[str, Any]]:
    statement = {"kind": kind, "over": "p", "selection": [0, 0, 0], "method": method, "start": ["20", "1/4", "0"], "iterations": 0}
    if method != "flow":
        statement["step"] = "1/10"
    return statement, {"lambda": HALVES, "loss": LOSS, "bits": 128}


def cone(method: str = "normalised", data: dict[str, Any] | None = None) -> dict[str, Any]:
    statement, witness = descent("descent-cone", method)
    statement["rate"] = "3/4"
    witness["rho"] = "1/2"
    if method != "flow":
        witness["spectral"] = "11/10"
    return certificate("descent", data or problem(), statement, witness)


def basin(method: str = "constant", data: dict[str, Any] | None = None) -> dict[str, Any]:
    return certificate("gd-local", data or problem(), *descent("descent-basin", method))


def wedge(method: str = "normalised", data: dict[str, Any] | None = None) -> dict[str, Any]:
    statement, witness = descent("descent-wedge", method)
    return certificate("tightness", data or problem(), statement, {**witness, "delta": "1/5"})


def over_weights(whole: dict[str, Any]) -> dict[str, Any]:
    """The same certificate for matrices: with every query (1,0,0) the first column of a matrix is p."""
    columns = [[x, "0", "0"] for x in whole["statement"]["start"]]
    return changed(whole, claim="w-gd", problem__queries=[["1", "0", "0"]] * 3, statement__over="W", statement__start=columns)


checker = load_checker(sys.argv[1])


def meet(x: Any, y: Any) -> bool:
    """The intervals meet."""
    return not checker.less(x.hi, y.lo) and not checker.less(y.hi, x.lo)


def width_of(x: Any) -> Fraction:
    lo, hi = (Fraction(m) * Fraction(2) ** e for m, e in (x.lo, x.hi))
    return hi - lo
