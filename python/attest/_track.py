"""A training run against the theory: docs/track.md."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Mapping, Optional, Union

from ._api import PathLike, named_as_arrays, run, seconds, whole_seed
from ._data import as_array, problem_data, typed
from ._errors import InputError
from ._results import Results

_ARRAYS = ("X", "Y", "v", "W", "Z", "lengths", "loss")


def _data(data: Union[PathLike, Mapping[str, Any]]) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        return {"file": os.fspath(data)}
    if set(data) - set(_ARRAYS) or not {"X", "Y"} <= set(data):
        raise InputError(f"data: found {', '.join(map(str, data))}, expected X, Y and perhaps v, W, Z, lengths, loss")
    return problem_data(**data)


def _checkpoints(value: Any, name: str) -> Any:
    """A checkpoint a row, of an array or a list of them."""
    import numpy

    array = as_array(value)
    if array is None:
        rows = [as_array(row) for row in value]
        try:
            array = numpy.stack([numpy.asarray(row if known is None else known) for row, known in zip(value, rows)])
        except ValueError as fault:
            raise InputError(f"{name}: found rows that do not fit, expected a checkpoint a row, all of one shape: {fault}") from None
    typed(array, name)
    return array


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

    `data` is the path of a case or an .npz, or a mapping with X, Y and perhaps v, W, Z, lengths and loss, as `audit` takes them. The run is
    p (steps, d), W (steps, d, d) or the pair K and Q (steps, d, m), a checkpoint a row; `v` (steps, d) if it has its own head, `step` the
    steps of the checkpoints. The results have the one claim `trajectory`, which holds when the run heads for a locally optimal selection.
    """
    import numpy

    given = {"p": p, "W": W, "K": K, "Q": Q, "v": v, "step": step}
    arrays = {array: _checkpoints(value, array) for array, value in given.items() if value is not None}
    with tempfile.TemporaryDirectory(prefix="attest-") as folder:
        file = Path(folder) / "run.npz"
        numpy.savez(file, **arrays)
        try:
            with named_as_arrays():
                return run("track", _data(data), certificates, progress, name=name, run=str(file), budget=seconds(budget), seed=whole_seed(seed))
        except InputError as refused:
            raise InputError(str(refused).removeprefix(f"{file}: ")) from None
