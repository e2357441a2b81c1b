"""A training run against the theory: docs/track.md."""

from __future__ import annotations

import json
import os
import struct
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any, Mapping, Optional, Union

from ._api import PathLike, verify
from ._data import as_array, problem_data
from ._errors import InputError
from ._results import Results

_FIELDS = {"X": "tokens", "Y": "labels", "v": "v", "W": "W", "Z": "queries"}


def _exact_rows(matrix: Any) -> list[list[str]]:
    """A matrix as a worker takes it, in the numbers of a case file."""
    if isinstance(matrix, tuple):
        rows, columns, data = matrix
        values = struct.unpack(f"{rows * columns}d", data)
        matrix = [values[r * columns : (r + 1) * columns] for r in range(rows)]
    return [[entry if isinstance(entry, str) else str(Fraction(entry)) for entry in row] for row in matrix]


def _case_of_arrays(arrays: Mapping[str, Any]) -> dict[str, Any]:
    unknown = set(arrays) - set(_FIELDS) - {"lengths", "loss"}
    if unknown or "X" not in arrays or "Y" not in arrays:
        raise InputError(f"data: found {', '.join(map(str, arrays))}, expected X, Y and perhaps v, W, Z, lengths, loss")
    data = problem_data(**arrays)
    case: dict[str, Any] = {"tokens": [_exact_rows(sample) for sample in data["tokens"]], "labels": data["labels"], "loss": data["loss"]}
    if data["v"] is not None:
        case["v"] = _exact_rows(data["v"])[0]
    for field in ("W", "queries"):
        if data[field] is not None:
            case[field] = _exact_rows(data[field])
    return case


def _case_of_file(file: Path) -> dict[str, Any]:
    if file.suffix == ".npz":
        import numpy

        try:
            with numpy.load(file) as archive:
                names = set(archive.files)
        except OSError as fault:
            raise InputError(f"{file}: {fault}") from None
        return {field: {"file": str(file.resolve()), "array": array} for array, field in _FIELDS.items() if array in names}
    try:
        case: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise InputError(f"{file}: {fault}") from None
    for field in _FIELDS.values():
        if isinstance(case.get(field), dict) and "file" in case[field]:
            case[field]["file"] = str((file.parent / case[field]["file"]).resolve())
    return case


def _checkpoints(**given: Any) -> dict[str, Any]:
    """The arrays of a run, a checkpoint a row."""
    import numpy

    arrays: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        array = as_array(value)
        arrays[name] = numpy.stack([numpy.asarray(as_array(row) if as_array(row) is not None else row) for row in value]) if array is None else array
    return arrays


def track(
    data: Union[PathLike, Mapping[str, Any]],
    *,
    p: Any = None,
    W: Any = None,
    K: Any = None,
    Q: Any = None,
    v: Any = None,
    step: Any = None,
    budget: float = 300,
    seed: int = 0,
    name: str = "run",
    certificates: Optional[PathLike] = None,
    progress: Optional[bool] = None,
) -> Results:
    """Where a training run goes: which selection it heads for, how far it is, and from which checkpoint on that is certain.

    `data` is the path of a case or an .npz, or a mapping with X, Y and perhaps v, W, Z, lengths and loss, as `audit` takes them. The run is p (steps, d),
    W (steps, d, d) or the pair K and Q (steps, d, m), a checkpoint a row; `v` (steps, d) if it has its own head, `step` the steps of the
    checkpoints. The results have the one claim `trajectory`, which holds when the run heads for a locally optimal selection.
    """
    import numpy

    run = _checkpoints(p=p, W=W, K=K, Q=Q, v=v, step=step)
    case = _case_of_arrays(data) if isinstance(data, Mapping) else _case_of_file(Path(os.fspath(data)))
    with tempfile.TemporaryDirectory(prefix="attest-") as folder:
        numpy.savez(Path(folder) / "run.npz", **run)
        case.update(name=name, claims=[{"claim": "trajectory", "run": {"file": str(Path(folder) / "run.npz")}}])
        return verify(case, budget=budget, jobs=1, seed=seed, certificates=certificates, progress=progress)
