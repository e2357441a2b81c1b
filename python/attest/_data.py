"""Arrays of any kind as the data of a problem: every number exactly what it is.

A matrix travels as (rows, columns, bytes of the doubles) when all of its numbers are doubles, else as rows of doubles and exact texts.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, Optional

from ._errors import InputError

_EXACT_INTEGERS = 2**53  # beyond, a whole number may be no double


def _refuse(where: str, found: str, expected: str) -> InputError:
    return InputError(f"{where}: found {found}, expected {expected}")


def as_array(value: Any) -> Any:
    """The NumPy array of anything that is an array, such as a tensor of torch, attached or not; None of what is a list."""
    import numpy

    if isinstance(value, numpy.ndarray):
        return value
    if hasattr(value, "detach"):  # torch; NumPy has no bfloat16
        value = value.detach().cpu()
        return (value.double() if value.is_floating_point() else value).numpy()
    if hasattr(value, "__array__") and not isinstance(value, numpy.generic):
        return numpy.asarray(value)
    if hasattr(value, "__dlpack__"):
        return numpy.from_dlpack(value)
    return None


def _number(value: Any, where: str) -> float | str:
    """A double, or the text of an exact number."""
    if isinstance(value, str):
        return value
    if isinstance(value, Integral) and not isinstance(value, bool):
        whole = int(value)
        return float(whole) if abs(whole) <= _EXACT_INTEGERS else str(whole)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, Decimal) and value.is_finite() or isinstance(value, Fraction):
        fraction = Fraction(value)
        return f"{fraction.numerator}/{fraction.denominator}"
    if isinstance(value, Real) and not isinstance(value, bool) and float(value) == value:
        return float(value)  # NumPy's smaller floats
    raise _refuse(where, repr(value), "a number, or the text of one such as \"1/3\"")


def _doubles(array: Any, where: str) -> Any:
    """The array as doubles, or None when it holds whole numbers that are none."""
    if array.dtype.kind not in "fiu" or (array.dtype.kind == "f" and array.dtype.itemsize > 8):
        raise _refuse(where, f"an array of {array.dtype}", "numbers: floats of up to 64 bits or whole numbers")
    if array.dtype.kind in "iu" and array.size and (array.min() < -_EXACT_INTEGERS or array.max() > _EXACT_INTEGERS):
        return None
    return array.astype("float64")


def _rows_of_list(value: Any, where: str) -> list[list[Any]]:
    rows = []
    for r, row in enumerate(value):
        place = f"{where}[{r}]"
        array = as_array(row)
        entries = row if array is None else array.tolist()
        if isinstance(entries, (str, bytes)) or not hasattr(entries, "__iter__"):
            raise _refuse(place, repr(entries), "a row of numbers")
        rows.append([_number(entry, f"{place}[{c}]") for c, entry in enumerate(entries)])
    return rows


def matrix(value: Any, where: str, shape: str) -> Any:
    """`shape` says what is expected, such as (n, d)."""
    array = as_array(value)
    if array is not None and array.dtype.kind != "O":
        if array.ndim != 2:
            raise _refuse(where, f"shape {array.shape}", f"shape {shape}")
        doubles = _doubles(array, where)
        if doubles is not None:
            return (*doubles.shape, doubles.tobytes())
    if array is None and (isinstance(value, (str, bytes)) or not hasattr(value, "__iter__")):
        raise _refuse(where, repr(value), f"an array of shape {shape}")
    return _rows_of_list(value if array is None else array.tolist(), where)


def _vector(value: Any, where: str) -> Any:
    array = as_array(value)
    if array is not None and array.ndim != 1:
        raise _refuse(where, f"shape {array.shape}", "shape (d)")
    rows = matrix(array[None, :] if array is not None else [value], where, "(d)")
    return rows


def _tokens(X: Any, lengths: Any) -> list[Any]:
    array = as_array(X)
    if array is not None and array.ndim != 3:
        raise _refuse("X", f"shape {array.shape}", "shape (n, T, d): samples, tokens, numbers, each at least 1")
    if array is None and (isinstance(X, (str, bytes)) or not hasattr(X, "__iter__")):
        raise _refuse("X", repr(X), "an array of shape (n, T, d), or a list of arrays of shape (T_i, d)")
    samples = list(X if array is None else array)
    if lengths is not None:
        samples = [sample[:count] for sample, count in zip(samples, _lengths(lengths, samples))]
    return [matrix(sample, f"X[{i}]", "(T, d)") for i, sample in enumerate(samples)]


def _lengths(lengths: Any, samples: list[Any]) -> list[int]:
    counts = list(lengths)
    if len(counts) != len(samples):
        raise _refuse("lengths", f"{len(counts)} numbers", f"{len(samples)}, one a sample")
    for i, (count, sample) in enumerate(zip(counts, samples)):
        if not isinstance(count, Integral) and not hasattr(count, "__index__") or not 1 <= int(count) <= len(sample):
            raise _refuse(f"lengths[{i}]", str(count), f"a whole number from 1 to {len(sample)}")
    return [int(count) for count in counts]


def _labels(Y: Any) -> list[int]:
    array = as_array(Y)
    if array is not None and array.ndim != 1:
        raise _refuse("Y", f"shape {array.shape}", "shape (n)")
    if array is None and (isinstance(Y, (str, bytes)) or not hasattr(Y, "__iter__")):
        raise _refuse("Y", repr(Y), "1 or -1 for each sample")
    labels = []
    for i, label in enumerate(Y if array is None else array.tolist()):
        if isinstance(label, (bool, str)) or label not in (1, -1):
            raise _refuse(f"Y[{i}]", repr(label), "1 or -1")
        labels.append(int(label))
    return labels


def problem_data(
    X: Any, Y: Any, v: Any = None, W: Any = None, Z: Any = None, lengths: Any = None, loss: str = "logistic"
) -> dict[str, Optional[Any]]:
    """What a worker makes a problem of."""
    return {
        "tokens": _tokens(X, lengths),
        "labels": _labels(Y),
        "v": None if v is None else _vector(v, "v"),
        "W": None if W is None else matrix(W, "W", "(d, d)"),
        "queries": None if Z is None else matrix(Z, "Z", "(n, d)"),
        "loss": loss,
    }
