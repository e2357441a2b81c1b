"""Arrays of any kind as the data of a problem: every number exactly what it is.

What is refused is refused in the words of the command line: an array in those of the archive that it would be saved in, a list in those of the
case file that it would be written to, whose fields are here called by the names of the arrays.

A matrix travels as (rows, columns, bytes of the doubles) when all of its numbers are doubles, else as rows of doubles and exact texts.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, Mapping, Optional, Sequence

from ._errors import InputError

_EXACT_INTEGERS = 2**53  # beyond, a whole number may be no double


def _refuse(where: str, found: str, expected: str) -> InputError:
    return InputError(f"{where}: found {found}, expected {expected}")


def as_array(value: Any) -> Any:
    """The NumPy array of anything that is an array, such as a tensor of torch, attached or not; None of what is a list."""
    import numpy

    if isinstance(value, numpy.ma.MaskedArray):
        if numpy.ma.is_masked(value):
            raise InputError("found a masked array, expected numbers: `lengths` says how many tokens of a sample count")
        return value.data
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


# Arrays


_MEANINGS = {"O": " (Python objects)", "c": " (complex numbers)", "f": " (extended precision)", "U": " (text)", "S": " (text)", "V": " (records)"}


def typed(array: Any, where: str) -> None:
    """Refuses what an archive cannot hold as numbers."""
    kind = array.dtype.kind
    if kind not in "bfiu" or array.dtype.itemsize > 8:
        raise _refuse(where, f"numbers of type '{array.dtype.str}'{_MEANINGS.get(kind, '')}", "f2, f4, f8, i1 to i8 or u1 to u8")


def _no_booleans(array: Any, where: str) -> None:
    if array.dtype.kind == "b":
        raise _refuse(where, "booleans", "numbers")


def _text(number: Any) -> str:
    """As it is exactly."""
    return str(number) if number != number or number in (float("inf"), float("-inf")) else str(Fraction(number))


def _index(array: Any, place: int) -> str:
    import numpy

    return "".join(f"[{step}]" for step in numpy.unravel_index(place, array.shape))


def _exact(array: Any) -> Any:
    """A matrix of finite numbers as it travels."""
    if array.dtype.kind in "iu" and array.size and (array.min() < -_EXACT_INTEGERS or array.max() > _EXACT_INTEGERS):
        return [[_number(entry, "") for entry in row] for row in array.tolist()]
    return (*array.shape, array.astype("float64").tobytes())


def _finite(array: Any, where: str, counts: Optional[Sequence[int]] = None) -> None:
    """Of samples that are padded what counts."""
    import numpy

    wrong = ~numpy.isfinite(array)
    if counts is not None:
        for i, count in enumerate(counts):
            wrong[i, count:] = False
    if wrong.any():
        place = int(numpy.flatnonzero(wrong)[0])
        raise _refuse(where, f"{_text(float(array.flat[place]))} at {_index(array, place)}", "finite numbers")


def _shaped(array: Any, where: str, shape: tuple[int, ...]) -> None:
    typed(array, where)
    if array.shape != shape:
        fix = f": {where} = {where}.reshape{shape}" if array.size == math.prod(shape) else ""
        raise _refuse(where, f"shape {array.shape}", f"shape {shape}{fix}")


def _is_array(value: Any) -> Any:
    """The array, unless it is a list or holds objects, which are looked at one by one."""
    array = as_array(value)
    return None if array is None or array.dtype.kind == "O" else array


# Lists


def _described(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, str):
        return f'"{value}"'
    if hasattr(value, "__len__"):
        return f"an array of {len(value)}" if len(value) else "an empty array"
    return str(value)


def _count(number: int, one: str) -> str:
    return f"{number} {one}{'' if number == 1 else 's'}"


def _items(value: Any, where: str, expected: str, size: Optional[int] = None) -> list[Any]:
    """So many of them, or at least one."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise _refuse(where, _described(value), expected)
    array = as_array(value)
    if array is not None and array.ndim == 0:
        raise _refuse(where, _described(array.item()), expected)
    items = list(value if array is None else array.tolist())
    if len(items) != size if size is not None else not items:
        raise _refuse(where, _described(items), expected)
    return items


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
    array = as_array(value)
    if array is not None and array.ndim == 0:
        return _number(array.item(), where)  # torch's numbers
    raise _refuse(where, _described(value), "a number")


def _rows(items: list[Any], where: str, columns: int) -> list[list[Any]]:
    expected = f"an array of {_count(columns, 'number')}"
    rows = []
    for r, row in enumerate(items):
        place = f"{where}[{r}]"
        rows.append([_number(entry, f"{place}[{c}]") for c, entry in enumerate(_items(row, place, expected, columns))])
    return rows


# What a problem is made of


def _matrix(value: Any, where: str, rows: int, columns: int) -> Any:
    array = _is_array(value)
    if array is not None:
        _shaped(array, where, (rows, columns))
        _no_booleans(array, where)
        _finite(array, where)
        return _exact(array)
    expected = f"an array of {_count(rows, 'row')} of {_count(columns, 'number')}"
    return _rows(_items(value, where, expected, rows), where, columns)


def _vector(value: Any, where: str, size: int) -> Any:
    array = _is_array(value)
    if array is not None:
        _shaped(array, where, (size,))
        _no_booleans(array, where)
        _finite(array, where)
        return _exact(array[None, :])
    items = _items(value, where, f"an array of {_count(size, 'number')}", size)
    return [[_number(entry, f"{where}[{c}]") for c, entry in enumerate(items)]]


def _counts(lengths: Any, most: list[int]) -> list[int]:
    array = _is_array(lengths)
    if array is not None:
        _shaped(array, "lengths", (len(most),))
        _no_booleans(array, "lengths")
        found = array.tolist()
    else:
        found = _items(lengths, "lengths", f"an array of {_count(len(most), 'number')}, one a sample", len(most))
    for i, (count, T) in enumerate(zip(found, most)):
        if array is None and (isinstance(count, (bool, str)) or not isinstance(count, (Real, float)) and not hasattr(count, "__index__")):
            raise _refuse(f"lengths[{i}]", _described(count), f"a whole number from 1 to {T}")
        if not (1 <= count <= T and count == int(count)):
            place, text = ("lengths", f"{_text(count)} at [{i}]") if array is not None else (f"lengths[{i}]", str(count))
            raise _refuse(place, text, f"a whole number from 1 to {T}")
    return [int(count) for count in found]


_SAMPLES = "a non-empty array of samples, each a non-empty array of tokens, each a non-empty array of numbers"


def _tokens_of_array(array: Any, lengths: Any) -> list[Any]:
    typed(array, "X")
    if array.ndim != 3 or not array.size:
        fix = "; of one sample: X = X[None]" if array.ndim == 2 and array.size else ""
        raise _refuse("X", f"shape {array.shape}", "shape (n, T, d): samples, tokens, numbers, each at least 1" + fix)
    _no_booleans(array, "X")
    n, T, _ = array.shape
    counts = [T] * n if lengths is None else _counts(lengths, [T] * n)
    _finite(array, "X", counts)
    return [_exact(sample[:count]) for sample, count in zip(array, counts)]


def _tokens_of_list(X: Any, lengths: Any) -> tuple[list[Any], int]:
    samples = _items(X, "X", _SAMPLES)
    arrays = [_is_array(sample) for sample in samples]
    lists = [
        _items(sample, f"X[{i}]", "a non-empty array of tokens") if array is None else array
        for i, (sample, array) in enumerate(zip(samples, arrays))
    ]
    d = _dimension(lists[0])
    for i, array in enumerate(arrays):
        if array is not None and (array.ndim != 2 or array.shape[1] != d or not array.size):
            raise _refuse(f"X[{i}]", f"shape {array.shape}", "shape (T, d)" if i == 0 else f"shape (T, {d})")
    counts = [len(sample) for sample in lists] if lengths is None else _counts(lengths, [len(sample) for sample in lists])
    found = []
    for i, (sample, array, count) in enumerate(zip(lists, arrays, counts)):
        where = f"X[{i}]"
        if array is None:
            found.append(_rows(sample[:count], where, d))
            continue
        typed(array, where)
        _no_booleans(array, where)
        _finite(array[:count], where)
        found.append(_exact(array[:count]))
    return found, d


def _dimension(sample: Any) -> int:
    if as_array(sample) is not None:
        return int(sample.shape[-1]) if sample.ndim else 0
    return len(_items(sample[0], "X[0][0]", "a non-empty array of numbers"))


def _labels_of_array(array: Any, n: int) -> list[int]:
    _shaped(array, "Y", (n,))
    found = array.tolist()
    for i, label in enumerate(found):
        if label not in (1, -1):
            zero_one = all(one in (0, 1) for one in found)
            raise _refuse("Y", f"{_text(label)} at [{i}]", "1 or -1: give --labels 01, or write Y = 2*Y - 1" if zero_one else "1 or -1")
    return [int(label) for label in found]


def _labels(Y: Any, n: int) -> list[int]:
    array = _is_array(Y)
    if array is not None:
        return _labels_of_array(array, n)
    labels = []
    for i, label in enumerate(_items(Y, "Y", f"an array of {_count(n, 'label')}, one a sample", n)):
        number = _number(label, f"Y[{i}]")
        if number not in (1, -1, "1", "-1"):
            raise _refuse(f"Y[{i}]", _described(label), "1 or -1")
        labels.append(int(number))
    return labels


def whole(value: Any, where: str, expected: str, least: int, end: int) -> int:
    """A whole number from `least` to below `end`."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or not least <= value.__index__() < end:
        raise _refuse(where, _described(value), expected)
    return int(value.__index__())


def selection_of(selection: Any) -> list[int]:
    if as_array(selection) is None and (isinstance(selection, (str, bytes)) or not hasattr(selection, "__iter__")):
        raise _refuse("selection", _described(selection), "one token a sample")
    return [whole(token, f"selection[{i}]", "a token of the sample, a whole number from 0 on", 0, 2**63) for i, token in enumerate(selection)]


def loss_of(loss: Any) -> str:
    """A name, or an expression in u, which may be written as in a case."""
    if isinstance(loss, Mapping) and set(loss) == {"expression"}:
        loss = loss["expression"]
    if not isinstance(loss, str):
        raise _refuse("loss", repr(loss), 'logistic, exponential, correlation, an expression in u, or {"expression": ...}')
    return loss


def problem_data(
    X: Any, Y: Any, v: Any = None, W: Any = None, Z: Any = None, lengths: Any = None, loss: Any = "logistic"
) -> dict[str, Optional[Any]]:
    """What a worker makes a problem of."""
    array = _is_array(X)
    if array is not None:
        tokens, d = _tokens_of_array(array, lengths), int(array.shape[2])
    else:
        tokens, d = _tokens_of_list(X, lengths)
    n = len(tokens)
    return {
        "tokens": tokens,
        "labels": _labels(Y, n),
        "v": None if v is None else _vector(v, "v", d),
        "W": None if W is None else _matrix(W, "W", d, d),
        "queries": None if Z is None else _matrix(Z, "Z", n, d),
        "loss": loss_of(loss),
    }
