"""The functions of the package."""

from __future__ import annotations

import json
import os
import re
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from . import _pool
from ._data import as_array, problem_data, selection_of, whole
from ._errors import InputError
from ._progress import shown
from ._results import Certificate, Results

PathLike = Union[str, "os.PathLike[str]"]
Case = Mapping[str, Any]

# As the command line names the arrays of an archive.
_ARRAYS = {"$.tokens": "X", "$.labels": "Y", "$.v": "v", "$.W": "W", "$.queries": "Z", "$.loss": "loss"}


@contextmanager
def named_as_arrays() -> Iterator[None]:
    """What the library refuses by the fields of a case, by the names of the arrays."""
    try:
        yield
    except InputError as refused:
        text = str(refused)
        for field_, array in _ARRAYS.items():
            if text.startswith((field_ + "[", field_ + ":")):
                raise InputError(array + text[len(field_) :]) from None
        raise


def cores(jobs: Optional[int]) -> int:
    return len(os.sched_getaffinity(0)) if jobs is None else whole(jobs, "jobs", "a whole number from 1 to 1024", 1, 1025)


def seconds(budget: Any) -> float:
    try:
        value = float("nan") if isinstance(budget, (bool, str)) else float(budget)
    except (TypeError, ValueError, OverflowError):
        value = float("nan")
    if not 0 < value <= 1e9:
        raise InputError(f"budget: found {budget!r}, expected seconds above 0 and up to 10^9")
    return value


def whole_seed(seed: Any) -> int:
    return whole(seed, "seed", "a whole number below 2^64", 0, 2**64)


@contextmanager
def _certificates(folder: Optional[PathLike]) -> Iterator[str]:
    """The folder that certificates go to: the one that is asked for, or one that is there while they are read."""
    if folder is not None:
        yield os.fspath(folder)
        return
    with tempfile.TemporaryDirectory(prefix="attest-") as passing:
        yield passing


def run(
    function: str,
    data: Optional[dict[str, Any]],
    certificates: Optional[PathLike],
    progress: Optional[bool],
    **arguments: Any,
) -> Results:
    """What `verify`, `audit` or `track` of the library finds, with its certificates."""
    with _certificates(certificates) as folder, shown(progress) as tell:
        if data is not None:
            arguments["data"] = data
        return Results(_pool.call(function, tell, certificates=folder, **arguments), data, folder)


def audit(
    X: Any,
    Y: Any = None,
    v: Any = None,
    W: Any = None,
    Z: Any = None,
    *,
    lengths: Any = None,
    loss: Union[str, Mapping[str, str]] = "logistic",
    budget: float = 20,
    jobs: Optional[int] = None,
    seed: int = 0,
    name: str = "data",
    certificates: Optional[PathLike] = None,
    progress: Optional[bool] = None,
) -> Results:
    """What holds on the data: which assumptions, which selections, which theorems, and what to change where one does not apply.

    X are the tokens, an array (n, T, d) or a list of n arrays (T_i, d), Y the labels 1 or -1, v the head, W the key weights, Z the queries
    (n, d). Arrays are NumPy's, torch's or lists; a number is exactly what it is, and a text such as "1/3" or a Fraction is that fraction.
    `lengths` says how many tokens of each padded sample count. Instead of arrays X may be the path of a case or an .npz.

    `budget` is CPU seconds a claim, `jobs` how many claims are checked at once (None: one a core). `certificates` is a folder to keep
    the proofs in; they are in the results anyway. `progress=False` draws no bar.
    """
    common = {"budget": seconds(budget), "jobs": cores(jobs), "seed": whole_seed(seed)}
    if isinstance(X, (str, os.PathLike)):
        if any(part is not None for part in (Y, v, W, Z, lengths)):
            raise InputError("audit: found a file and arrays, expected one of them")
        return run("audit_file", {"file": os.fspath(X)}, certificates, progress, **common)
    if Y is None:
        raise InputError("Y: found none, expected 1 or -1 for each sample")
    with named_as_arrays():
        return run("audit", problem_data(X, Y, v, W, Z, lengths, loss), certificates, progress, name=name, **common)


def _as_json(value: Any) -> Any:
    """What json does not know: fractions, and arrays, whose numbers are exactly what they are."""
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    array = as_array(value)
    if array is None:
        raise TypeError(f"a case cannot hold {value!r}")
    exact = [str(Fraction(number)) for number in array.ravel().tolist()]
    shaped: Any = exact
    for size in reversed(array.shape[1:]):
        shaped = [shaped[k : k + size] for k in range(0, len(shaped), size)]
    return shaped


@contextmanager
def _as_files(cases: Union[PathLike, Case, Sequence[Union[PathLike, Case]]]) -> Iterator[list[str]]:
    """Paths; a case that is a mapping is written as a file first."""
    listed = [cases] if isinstance(cases, (str, os.PathLike, Mapping)) else list(cases)
    with tempfile.TemporaryDirectory(prefix="attest-") as folder:
        paths = []
        for k, one in enumerate(listed):
            if isinstance(one, Mapping):
                file = Path(folder) / f"{k}" / "case.json"
                file.parent.mkdir()
                file.write_text(json.dumps(dict(one), default=_as_json), encoding="utf-8")
                one = file
            paths.append(os.fspath(one))
        try:
            yield paths
        except InputError as refused:  # a mapping has no file to name
            raise InputError(re.sub(re.escape(folder) + r"/\d+/case\.json: ", "", str(refused))) from None


def verify(
    case_or_path: Union[PathLike, Case, Sequence[Union[PathLike, Case]]],
    *,
    budget: float = 300,
    jobs: Optional[int] = None,
    seed: int = 0,
    certificates: Optional[PathLike] = None,
    progress: Optional[bool] = None,
) -> Results:
    """Checks the claims of cases: a file, a folder of them, a case as a mapping with the keys of a case file, or several of these."""
    with _as_files(case_or_path) as paths:
        return run("verify", None, certificates, progress, paths=paths, budget=seconds(budget), jobs=cores(jobs), seed=whole_seed(seed))


@dataclass(frozen=True)
class Svm:
    """The solution of an SVM program, or that there is none."""

    outcome: str
    """solved, infeasible or undecided."""
    objective: Union[float, Fraction]
    """½‖w‖²; NaN unless it is solved."""
    margin: float
    """1/‖w‖."""
    solution: tuple[Union[float, Fraction], ...]
    """w, or W by rows."""
    rows: tuple[tuple[int, ...], ...]
    """The tight rows (sample, token); of an infeasible program rows that contradict each other."""
    message: str
    certificate: Optional[Certificate] = field(repr=False)


def svm(
    X: Any,
    Y: Any,
    selection: Sequence[int],
    v: Any = None,
    W: Any = None,
    Z: Any = None,
    *,
    program: str = "p",
    exact: bool = False,
    lengths: Any = None,
    budget: float = 300,
) -> Svm:
    """The SVM of a selection: p, v, joint or W. It is always decided exactly; with `exact` its numbers are Fractions, else doubles."""
    with named_as_arrays():
        data = problem_data(X, Y, v, W, Z, lengths)
        found = _pool.call("svm", data=data, program=program, selection=selection_of(selection), budget=seconds(budget))
    number = Fraction if exact else lambda text: float(Fraction(text))
    solved = found["outcome"] == "solved"
    proof = found["certificate"]
    return Svm(
        found["outcome"],
        number(found["objective"]) if solved else float("nan"),
        found["margin"] if solved else float("nan"),
        tuple(number(entry) for entry in found["solution"]),
        tuple(tuple(row) for row in found["rows"]),
        found["message"],
        Certificate(f"{program}-svm.json", proof) if proof else None,
    )


@dataclass(frozen=True)
class Checked:
    """What the independent checker says. True when the certificate is accepted."""

    accepted: bool
    reason: str
    """Why it is rejected."""
    kind: str
    """What kind of proof was accepted."""
    claim: str
    """And of which claim."""

    def __bool__(self) -> bool:
        return self.accepted


def _certificate_text(certificate: Union[Certificate, PathLike, Mapping[str, Any]]) -> str:
    if isinstance(certificate, Certificate):
        return certificate.text
    if isinstance(certificate, Mapping):
        return json.dumps(certificate)
    if isinstance(certificate, str) and certificate.lstrip().startswith("{"):
        return certificate
    try:
        return Path(certificate).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError(f"cannot read {os.fspath(certificate)}: {fault}") from None


def check(certificate: Union[Certificate, PathLike, Mapping[str, Any]], case: Union[PathLike, Case, None] = None) -> Checked:
    """Re-checks a certificate in exact arithmetic with nothing of what wrote it, as `attest-check` does.

    `certificate` is one of results, a file, its text or what it holds. With `case`, a file or a mapping, the data have to be its.
    """
    text = _certificate_text(certificate)
    if case is None:
        return Checked(*_pool.call("check", certificate=text, case_file=None))
    with _as_files(case) as (file,):
        return Checked(*_pool.call("check", certificate=text, case_file=file))


def claims() -> list[dict[str, Any]]:
    """What can be claimed: name, statement, parameters and numbers of each claim, as `attest claims --json` prints it."""
    return list(json.loads(_pool.call("claims")))


def assert_holds(results: Results, claim: str, grade: str = "observed", selection: Optional[Sequence[int]] = None) -> None:
    """Raises AssertionError unless the claim is among the results and holds with at least that grade; of every selection that it is of,
    or of the one that is given."""
    if grade not in ("observed", "proved"):
        raise InputError(f"grade: found {grade!r}, expected observed or proved")
    found = results.find(claim, None if selection is None else tuple(selection))
    if not found:
        known = ", ".join(dict.fromkeys(one.title for one in results.claims))
        raise AssertionError(f"{claim}: not among the claims: {known}")
    for one in found:
        if one.verdict != "holds" or (grade == "proved" and one.grade != "proved"):
            raise AssertionError(f"{one.title}: found {one.verdict}, {one.grade}; expected holds, {grade}: {one.message}")
