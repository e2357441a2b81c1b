#!/usr/bin/env python3
"""Checks attest certificates, from docs/certificate.md alone ("§" below cites its sections).

usage: check_certificate.py CERT... [--case CASE], or check_certificate.py --rules

One line a certificate: `FILE: accepted (KIND, CLAIM)` or `FILE: rejected: WHY`.
Exit code: 0 all accepted, 1 some rejected, 2 bad usage, unreadable file or unreadable case.
Standard library only; it shares no code with the C++ checker. All of it is exact rational
arithmetic, save the losses of §3 and the limits of §4.19 to §4.30, which are enclosed by outward
rounded intervals. Floats serve the bounds of a step's derivative in §4.20 alone, with margins for
their roundings.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import io
import itertools
import json
import math
import operator
import re
import struct
import sys
import threading
import zipfile
import zlib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator

MAX_NESTING = 10_000  # §1
MAX_RATIONAL_CHARS = 10**6  # §1
MAX_INDEX = 2**31 - 1  # §1
MAX_DECIMAL_EXPONENT = 5000  # §3, and for the decimals of a case
MAX_EXPRESSION_CHARS = 10_000  # §3
MAX_EXPRESSION_NESTING = 200  # §3
MAX_POWER = 64  # §3
MAX_CONSTANT_BITS = 2**20  # of a right operand of ^ while it is computed: no memory bombs
MAX_EXP_ARGUMENT_BITS = 20  # exp is undefined beyond |x| = 2^20: no memory bombs
sys.set_int_max_str_digits(MAX_RATIONAL_CHARS)  # Python's own limit is 4300 digits

Json = Any  # dict | list | str | Number | bool | None
Vector = list[Fraction]
Row = tuple[int, ...]  # (i, t) or (i,): the name of a constraint (§4.5)
Program = dict[Row, tuple[Vector, int]]  # row -> (a_c, b_c), in ascending order of the rows
Multipliers = dict[Row, Fraction]


class Rejected(Exception):
    """The certificate is no proof; the message says why."""


class UnreadableCase(Exception):
    """The file given with --case cannot be read as a case."""


def demand(condition: bool, why: str) -> None:
    if not condition:
        raise Rejected(why)


# ---------------------------------------------------------------------------------------------
# §1 The file: strict JSON


@dataclass(frozen=True)
class Number:
    """A JSON number, as written: 1, 1.0 and 1e0 are not the same thing here."""

    text: str


def load_json(data: bytes) -> Json:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Rejected(f"not UTF-8 at byte {error.start}") from None
    demand(not text.startswith("\ufeff"), "starts with a byte order mark")
    check_nesting(text)
    try:
        value = json.loads(text, object_pairs_hook=unique_keys, parse_int=Number,
                           parse_float=Number, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        raise Rejected(f"not JSON: {error}") from None
    refuse_half_pairs(value)
    return value


def refuse_half_pairs(value: Json) -> None:
    """No string and no key holds an escape that is half a surrogate pair."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str) and not isinstance(one, Number):
            demand(not any("\ud800" <= character <= "\udfff" for character in one), "not JSON: half a surrogate pair")
        elif isinstance(one, dict):
            waiting.extend(one.keys())
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


def check_nesting(text: str) -> None:
    depth = 0
    for token in re.finditer(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', text, re.DOTALL):
        if token[0] in "[{":
            depth += 1
            demand(depth <= MAX_NESTING, f"nested deeper than {MAX_NESTING}")
        elif token[0] in "]}":
            depth -= 1


def unique_keys(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    result: dict[str, Json] = {}
    for key, value in pairs:
        demand(key not in result, f"duplicate key {key[:40]!a}")
        result[key] = value
    return result


def refuse_constant(name: str) -> Json:
    raise Rejected(f"{name} is not JSON")


def read_object(value: Json, where: str, required: Iterable[str], optional: Iterable[str] = ()) -> dict[str, Json]:
    demand(isinstance(value, dict), f"{where}: an object is due")
    for key in value:
        demand(key in required or key in optional, f"{where}: unknown key {key[:40]!a}")
    for key in required:
        demand(key in value, f"{where}: key '{key}' is missing")
    return value


def read_array(value: Json, where: str, size: int | None = None) -> list[Json]:
    demand(isinstance(value, list), f"{where}: an array is due")
    demand(size is None or len(value) == size, f"{where}: {size} entries are due, not {len(value)}")
    return value


def read_rational(value: Json, where: str) -> Fraction:
    demand(isinstance(value, str), f"{where}: a rational string is due")
    demand(len(value) <= MAX_RATIONAL_CHARS, f"{where}: rational too long")
    match = re.fullmatch(r"(-?[0-9]+)(?:/([0-9]+))?", value)
    demand(match is not None, f"{where}: {value[:40]!a} is not a rational")
    numerator, denominator = int(match[1]), int(match[2] or "1")
    demand(denominator != 0, f"{where}: the denominator is zero")
    return Fraction(numerator, denominator)


def read_vector(value: Json, where: str, size: int | None = None) -> Vector:
    return [read_rational(x, f"{where}[{k}]") for k, x in enumerate(read_array(value, where, size))]


def read_index(value: Json, where: str, bound: int = MAX_INDEX + 1) -> int:
    """An index or count below `bound`."""
    demand(isinstance(value, Number), f"{where}: an integer is due")
    well_formed = re.fullmatch(r"0|[1-9][0-9]{0,9}", value.text) and int(value.text) <= MAX_INDEX
    demand(bool(well_formed), f"{where}: {value.text[:40]} is not an index")
    demand(int(value.text) < bound, f"{where}: {value.text} is out of range")
    return int(value.text)


def read_boolean(value: Json, where: str) -> bool:
    demand(isinstance(value, bool), f"{where}: true or false is due")
    return value


# ---------------------------------------------------------------------------------------------
# §2 The problem


def dot(a: Vector, b: Vector) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def minus(a: Vector, b: Vector) -> Vector:
    return [x - y for x, y in zip(a, b, strict=True)]


@dataclass(frozen=True)
class Problem:
    tokens: list[list[Vector]]
    labels: list[int]
    v: Vector | None
    W: list[Vector] | None
    queries: list[Vector] | None
    loss: str | dict[str, str]

    @property
    def n(self) -> int:
        return len(self.tokens)

    @property
    def d(self) -> int:
        return len(self.tokens[0][0])

    @functools.cached_property
    def keys(self) -> list[list[Vector]]:
        """k_it = W x_it (§2)."""
        if self.W is None:
            return self.tokens
        return [[[dot(row, x) for row in self.W] for x in sample] for sample in self.tokens]

    @functools.cached_property
    def scores(self) -> list[list[Fraction]]:
        """gamma_it = Y_i v.x_it (§2)."""
        if self.v is None:
            raise Rejected("the statement speaks of scores, but the problem has no v")
        return [[y * dot(self.v, x) for x in sample] for y, sample in zip(self.labels, self.tokens)]

    def all_scores(self) -> list[Fraction]:
        return [score for sample in self.scores for score in sample]


def read_problem(value: Json) -> Problem:
    value = read_object(value, "problem", ("tokens", "labels", "loss"), ("v", "W", "queries"))
    tokens = [[read_vector(x, f"problem.tokens[{i}][{t}]")
               for t, x in enumerate(read_array(sample, f"problem.tokens[{i}]"))]
              for i, sample in enumerate(read_array(value["tokens"], "problem.tokens"))]
    demand(len(tokens) >= 1 and all(tokens), "problem.tokens: a sample and a token in each are due")
    n, d = len(tokens), len(tokens[0][0])
    demand(d >= 1 and all(len(x) == d for sample in tokens for x in sample),
           "problem.tokens: the tokens are not all of one dimension d >= 1")

    def optional(key: str, read: Callable[[Json, str], Any]) -> Any:
        return read(value[key], f"problem.{key}") if key in value else None

    def matrix(rows: int) -> Callable[[Json, str], list[Vector]]:
        return lambda m, where: [read_vector(r, f"{where}[{k}]", d) for k, r in enumerate(read_array(m, where, rows))]

    return Problem(tokens, read_labels(value["labels"], n), optional("v", lambda x, where: read_vector(x, where, d)),
                   optional("W", matrix(d)), optional("queries", matrix(n)), read_loss(value["loss"]))


def read_labels(value: Json, n: int) -> list[int]:
    labels = read_array(value, "problem.labels", n)
    for y in labels:
        demand(isinstance(y, Number) and y.text in ("1", "-1"), "problem.labels: 1 or -1 is due")
    return [int(y.text) for y in labels]


def read_loss(value: Json) -> str | dict[str, str]:
    if isinstance(value, str):
        demand(value in NAMED_LOSSES, "problem.loss: not a known loss")
        return value
    text = read_object(value, "problem.loss", ("expression",))["expression"]
    demand(isinstance(text, str), "problem.loss.expression: a string is due")
    ExpressionParser(text).parse()
    return value


def read_selection(value: Json, where: str, problem: Problem) -> tuple[int, ...]:
    entries = read_array(value, where, problem.n)
    return tuple(read_index(a, f"{where}[{i}]", len(problem.tokens[i])) for i, a in enumerate(entries))


# ---------------------------------------------------------------------------------------------
# §3 Dyadic numbers m 2^e with directed rounding. Exponents are unbounded integers, so nothing
# overflows or underflows, and no operation ever shifts by more than a few PRECISION bits.

PRECISION = 224  # changed by `precision` alone


@contextlib.contextmanager
def precision(bits: int) -> Iterator[None]:
    """Within it dyadic numbers keep at least this many bits."""
    global PRECISION
    before, PRECISION = PRECISION, max(PRECISION, bits)
    try:
        yield
    finally:
        PRECISION = before


Dyadic = tuple[int, int]  # (m, e); at most PRECISION + 1 bits in m
ZERO, ONE = (0, 0), (1, 0)


def top(x: Dyadic) -> int:
    """|x| < 2^top, and |x| >= 2^(top-1) unless x = 0."""
    return x[0].bit_length() + x[1]


def rounded(m: int, e: int, up: bool) -> Dyadic:
    excess = m.bit_length() - PRECISION
    if excess <= 0:
        return m, e
    return (-(-m >> excess) if up else m >> excess), e + excess


def add(x: Dyadic, y: Dyadic, up: bool) -> Dyadic:
    if x[0] == 0 or y[0] == 0:
        return y if x[0] == 0 else x
    if top(x) < top(y):
        x, y = y, x
    (m, e), (n, f) = x, y
    last = top(x) - 2 * PRECISION - 4  # below every bit of x
    if top(y) < last:  # 0 < |y| < 2^last: y is replaced by its bound in the direction of rounding
        n, f = (int(n > 0) if up else -int(n < 0)), last
    low = min(e, f)
    return rounded((m << (e - low)) + (n << (f - low)), low, up)


def negated(x: Dyadic) -> Dyadic:
    return -x[0], x[1]


def mul(x: Dyadic, y: Dyadic, up: bool) -> Dyadic:
    return rounded(x[0] * y[0], x[1] + y[1], up)


def div(x: Dyadic, y: Dyadic, up: bool) -> Dyadic:
    (m, e), (n, f) = (x, y) if y[0] > 0 else (negated(x), negated(y))
    shift = max(0, PRECISION + 2 + n.bit_length() - m.bit_length())
    quotient = -((-m << shift) // n) if up else (m << shift) // n
    return rounded(quotient, e - f - shift, up)


def sign(x: Dyadic) -> int:
    return (x[0] > 0) - (x[0] < 0)


def less(x: Dyadic, y: Dyadic) -> bool:
    return sign(add(x, negated(y), up=True)) < 0  # rounding keeps the sign


def least(values: Iterable[Dyadic]) -> Dyadic:
    return functools.reduce(lambda x, y: y if less(y, x) else x, values)


def greatest(values: Iterable[Dyadic]) -> Dyadic:
    return functools.reduce(lambda x, y: y if less(x, y) else x, values)


def dyadic(q: Fraction, up: bool) -> Dyadic:
    return div((q.numerator, 0), (q.denominator, 0), up)


@dataclass(frozen=True)
class Interval:
    """The closed interval [lo, hi]; operations enclose the true range of their operands."""

    lo: Dyadic
    hi: Dyadic

    @staticmethod
    def of(lo: Fraction | int, hi: Fraction | int | None = None) -> Interval:
        return Interval(dyadic(Fraction(lo), False), dyadic(Fraction(lo if hi is None else hi), True))

    def is_positive(self) -> bool:
        return sign(self.lo) > 0

    def has_zero(self) -> bool:
        return sign(self.lo) <= 0 <= sign(self.hi)

    def __neg__(self) -> Interval:
        return Interval(negated(self.hi), negated(self.lo))

    def __add__(self, other: Interval) -> Interval:
        return Interval(add(self.lo, other.lo, False), add(self.hi, other.hi, True))

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        if self.lo[0] >= 0 and other.lo[0] >= 0:  # only to be quick, as are the two below
            return Interval(mul(self.lo, other.lo, False), mul(self.hi, other.hi, True))
        if self.hi[0] < 0:
            return -(-self * other)
        if other.hi[0] < 0:
            return -(self * -other)
        ends = [(x, y) for x in (self.lo, self.hi) for y in (other.lo, other.hi)]
        return Interval(least(mul(x, y, False) for x, y in ends), greatest(mul(x, y, True) for x, y in ends))

    def __truediv__(self, other: Interval) -> Interval:
        demand(not other.has_zero(), "loss undefined: division by an interval that holds zero")
        return self * Interval(div(ONE, other.hi, False), div(ONE, other.lo, True))

    def scaled(self, k: int) -> Interval:
        return self * Interval((k, 0), (k, 0))

    def __pow__(self, k: int) -> Interval:
        """The true range of x^k, k >= 0: odd powers increase, even ones do so in |x|."""
        if k == 0:
            return Interval(ONE, ONE)
        if k % 2 == 0 and self.has_zero():
            return Interval(ZERO, greatest([self._end(self.lo, k, True), self._end(self.hi, k, True)]))
        if k % 2 == 0 and sign(self.hi) < 0:
            return (-self) ** k
        return Interval(self._end(self.lo, k, False), self._end(self.hi, k, True))

    @staticmethod
    def _end(x: Dyadic, k: int, up: bool) -> Dyadic:
        """x^k rounded in the direction asked for, by way of |x|^k."""
        negative = x[0] < 0 and k % 2 == 1
        size, power = (abs(x[0]), x[1]), ONE
        for _ in range(k):
            power = mul(power, size, up != negative)
        return negated(power) if negative else power


def exp_at(x: Dyadic) -> Interval:
    """r = x / 2^s with |r| <= 2^-8; then s squarings. Lagrange: exp r = sum_{j<N} r^j/j! + exp(c) r^N/N!
    with c between 0 and r, so exp(c) lies in [1/2, 2]; Horner carries that interval down to j = 1."""
    bound = (1, MAX_EXP_ARGUMENT_BITS)
    demand(not less(bound, (abs(x[0]), x[1])), "loss undefined: exp of more than 2^20 in size")
    squarings = max(0, top(x) + 8) if x[0] else 0
    r = Interval((x[0], x[1] - squarings), (x[0], x[1] - squarings))
    result = Interval((1, -1), (1, 1))
    for j in range(max(26, PRECISION // 8), 0, -1):  # N >= 26: the last term is below 2^(-8N)/26! <= 2^(-PRECISION-72)
        result = reciprocal(1) + r * reciprocal(j) * result
    for _ in range(squarings):
        result = result * result
    return result


def reciprocal(j: int) -> Interval:
    return reciprocal_to(j, PRECISION)


@functools.cache
def reciprocal_to(j: int, bits: int) -> Interval:
    return Interval.of(Fraction(1, j))


def twice_atanh(z: Interval) -> Interval:
    """2 atanh z for |z| <= 1/3: atanh z = z (sum_{j<N} z^2j/(2j+1) + c z^2N/(2N+1)), where
    c = sum_i z^2i (2N+1)/(2N+2i+1) lies between 1 and 1/(1-z^2), so in [1, 2]."""
    square = z**2
    terms = PRECISION // max(3, -top(square.hi)) + 2  # z^2 < 2^top: what is left is below 2^-PRECISION
    result = Interval(ONE, (1, 1)) * reciprocal(2 * terms + 1)
    for j in range(terms - 1, -1, -1):
        result = reciprocal(2 * j + 1) + square * result
    return (z * result).scaled(2)


def log_of_2() -> Interval:
    return log_of_2_to(PRECISION)


@functools.cache
def log_of_2_to(bits: int) -> Interval:
    return twice_atanh(reciprocal(3))  # log 2 = 2 atanh(1/3)


def log_at(x: Dyadic) -> Interval:
    """x = y 2^k with y in [0.7, 1.42]; log y = 2 atanh((y-1)/(y+1)), |(y-1)/(y+1)| < 1/5."""
    k = top(x)
    y = (x[0], x[1] - k)  # in [1/2, 1)
    if less(y, (181, -8)):
        k, y = k - 1, (y[0], y[1] + 1)
    at_y, one = Interval(y, y), Interval.of(1)
    return log_of_2().scaled(k) + twice_atanh((at_y - one) / (at_y + one))


def log1p_at(x: Dyadic) -> Interval:
    """log(1 + x) = 2 atanh(x/(2+x)), used where 1 + x would cancel."""
    at_x = Interval(x, x)
    if not less((1, -2), (abs(x[0]), x[1])):
        return twice_atanh(at_x / (at_x + Interval.of(2)))
    return increasing(log_at, Interval.of(1) + at_x)


def tanh_at(x: Dyadic) -> Interval:
    if x[0] <= 0:
        return -tanh_at(negated(x)) if x[0] else Interval(ZERO, ZERO)
    at_x, one = Interval(x, x), Interval.of(1)
    if top(x) <= -PRECISION // 3:  # x - x^3/3 <= tanh x <= x, since 1 >= tanh' = 1 - tanh^2 >= 1 - x^2
        return Interval((at_x - at_x**3).lo, x)
    if top(x) > 11:  # 1 - 2 exp(-2x) <= tanh x <= 1 with x >= 2^11, and exp(-2^12) < 2^-4096
        return Interval((one - Interval((1, -4096), (1, -4095))).lo, ONE)
    t = exp_at((-x[0], x[1] + 1))  # tanh x = (1 - exp(-2x)) / (1 + exp(-2x))
    return (one - t) / (one + t)


def sigmoid_at(x: Dyadic) -> Interval:
    """1/(1 + exp(-x)), the slope of log(1 + exp x)."""
    one = Interval.of(1)
    return one / (one + exp_at(negated(x)))


def softplus_at(x: Dyadic) -> Interval:
    """log(1 + exp x)"""
    return increasing(log1p_at, exp_at(x))


def sigmoid_slope(x: Interval) -> Interval:
    """The range of e/(1 + e)^2 with e = exp(-|t|), t in x: it falls with |t|."""
    sizes = [(abs(end[0]), end[1]) for end in (x.lo, x.hi)]
    nearest = ZERO if x.has_zero() else least(sizes)

    def at(size: Dyadic) -> Interval:
        e = exp_at(negated(size))
        return e / (Interval.of(1) + e) ** 2

    return Interval(at(greatest(sizes)).lo, at(nearest).hi)


def sqrt_at(x: Dyadic) -> Interval:
    m, e = x
    shift = max(0, 2 * PRECISION - m.bit_length())
    shift += (e - shift) % 2
    root = math.isqrt(m << shift)
    above = root if root * root == m << shift else root + 1
    return Interval(rounded(root, (e - shift) // 2, False), rounded(above, (e - shift) // 2, True))


def increasing(function: Callable[[Dyadic], Interval], x: Interval) -> Interval:
    return Interval(function(x.lo).lo, function(x.hi).hi)


@dataclass(frozen=True)
class Jet:
    """Enclosures of f, f', f'' on an interval of u (§3)."""

    f: Interval
    f1: Interval
    f2: Interval

    def __neg__(self) -> Jet:
        return Jet(-self.f, -self.f1, -self.f2)

    def __add__(self, g: Jet) -> Jet:
        return Jet(self.f + g.f, self.f1 + g.f1, self.f2 + g.f2)

    def __mul__(self, g: Jet) -> Jet:
        return Jet(self.f * g.f, self.f1 * g.f + self.f * g.f1,
                   self.f2 * g.f + (self.f1 * g.f1).scaled(2) + self.f * g.f2)

    def inverse(self) -> Jet:
        g, g1, g2 = self.f, self.f1, self.f2
        return Jet(Interval.of(1) / g, -(g1 / g**2), (g1**2).scaled(2) / g**3 - g2 / g**2)

    def __pow__(self, k: int) -> Jet:
        if k < 0:
            return (self**-k).inverse()
        if k <= 1:
            return self if k == 1 else constant_jet(Fraction(1))
        f, f1, f2 = self.f, self.f1, self.f2
        return Jet(f**k, (f ** (k - 1)).scaled(k) * f1,
                   (f ** (k - 2)).scaled(k * (k - 1)) * f1**2 + (f ** (k - 1)).scaled(k) * f2)

    def exp(self) -> Jet:
        e = increasing(exp_at, self.f)
        return Jet(e, e * self.f1, e * (self.f1**2 + self.f2))

    def log(self) -> Jet:
        demand(self.f.is_positive(), "loss undefined: log of an interval that is not positive")
        return self._log(increasing(log_at, self.f), self.f)

    def log1p(self) -> Jet:
        f = Interval.of(1) + self.f
        demand(less((-1, 0), self.f.lo), "loss undefined: log1p of an interval that is not above -1")
        return self._log(increasing(log1p_at, self.f), f)

    def _log(self, value: Interval, f: Interval) -> Jet:
        slope = self.f1 / f
        return Jet(value, slope, self.f2 / f - slope**2)

    def tanh(self) -> Jet:
        h = increasing(tanh_at, self.f)
        s = Interval.of(1) - h**2
        return Jet(h, s * self.f1, s * self.f2 - (h * s * self.f1**2).scaled(2))

    def softplus(self) -> Jet:
        s = increasing(sigmoid_at, self.f)
        return Jet(increasing(softplus_at, self.f), s * self.f1, s * self.f2 + sigmoid_slope(self.f) * self.f1**2)

    def sqrt(self) -> Jet:
        demand(self.f.is_positive(), "loss undefined: sqrt of an interval that is not positive")
        r = increasing(sqrt_at, self.f)
        return Jet(r, self.f1 / r.scaled(2), self.f2 / r.scaled(2) - self.f1**2 / (r**3).scaled(4))


def constant_jet(c: Fraction) -> Jet:
    return Jet(Interval.of(c), Interval(ZERO, ZERO), Interval(ZERO, ZERO))


# ---------------------------------------------------------------------------------------------
# §3 Expressions

FUNCTIONS: dict[str, Callable[[Jet], Jet]] = {"exp": Jet.exp, "log": Jet.log, "log1p": Jet.log1p,
                                              "tanh": Jet.tanh, "sqrt": Jet.sqrt}
NAMED_LOSSES = {"logistic": "log1p(exp(-u))", "exponential": "exp(-u)", "correlation": "-u"}
LEXEME = re.compile(r"[ \t\r\n]*(?:(?P<number>(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
                    r"|(?P<word>[a-z][a-z0-9]*)|(?P<sign>[-+*/^()])|(?P<end>\Z))")


@dataclass(frozen=True)
class Node:
    """op: number, u, negate, power, sum, product, or the name of a function. The k-th operand of a
    sum is subtracted, of a product divided by, when inverted[k]."""

    op: str
    operands: tuple[Node, ...] = ()
    inverted: tuple[bool, ...] = ()
    number: Fraction = Fraction(0)
    exponent: int = 0


def decimal(text: str) -> Fraction:
    """The exact value of digits[.digits][e[+-]digits], or .digits...; the sign is the caller's."""
    mantissa, _, exponent = text.lower().partition("e")
    digits = exponent.lstrip("+-").lstrip("0") or "0"
    demand(len(digits) <= 4 and int(digits) <= MAX_DECIMAL_EXPONENT, f"exponent of {text[:40]} out of range")
    whole, _, fraction = mantissa.partition(".")
    shift = (-int(digits) if exponent.startswith("-") else int(digits)) - len(fraction)
    return int(whole + fraction) * Fraction(10) ** shift


class ExpressionParser:
    """Recursive descent over the grammar of §3. A parenthesis, a sign and a ^ nest, each by one."""

    def __init__(self, text: str) -> None:
        demand(len(text) <= MAX_EXPRESSION_CHARS, "expression: too long")
        self.text = text
        self.depth = 0
        self.position = 0
        self.advance()

    def advance(self) -> None:
        match = LEXEME.match(self.text, self.position)
        demand(match is not None, f"expression: nothing known at character {self.position}")
        self.kind, self.lexeme = match.lastgroup, match[match.lastgroup]
        self.position = match.end()

    def take(self, signs: str) -> str | None:
        """The next lexeme if it is one of these signs, consumed."""
        if self.kind != "sign" or self.lexeme not in signs:
            return None
        lexeme = self.lexeme
        self.advance()
        return lexeme

    def nested(self, rule: Callable[[], Node]) -> Node:
        self.depth += 1
        demand(self.depth <= MAX_EXPRESSION_NESTING, "expression: nested too deeply")
        node = rule()
        self.depth -= 1
        return node

    def parse(self) -> Node:
        node = self.sum()
        demand(self.kind == "end", f"expression: {self.lexeme!a} is out of place")
        return node

    def chain(self, op: str, rule: Callable[[], Node], plain: str, inverse: str) -> Node:
        operands, inverted = [rule()], [False]
        while taken := self.take(plain + inverse):
            inverted.append(taken == inverse)
            operands.append(rule())
        return operands[0] if len(operands) == 1 else Node(op, tuple(operands), tuple(inverted))

    def sum(self) -> Node:
        return self.chain("sum", self.product, "+", "-")

    def product(self) -> Node:
        return self.chain("product", self.unary, "*", "/")

    def unary(self) -> Node:
        taken = self.take("+-")
        if taken is None:
            return self.power()
        operand = self.nested(self.unary)
        return Node("negate", (operand,)) if taken == "-" else operand

    def power(self) -> Node:
        base = self.atom()
        if self.take("^") is None:
            return base
        exponent = constant_value(self.nested(self.unary))
        demand(exponent.denominator == 1 and abs(exponent) <= MAX_POWER,
               f"expression: an exponent is not an integer between -{MAX_POWER} and {MAX_POWER}")
        return Node("power", (base,), exponent=int(exponent))

    def atom(self) -> Node:
        kind, lexeme = self.kind, self.lexeme
        if self.take("("):
            return self.closed(self.nested(self.sum))
        demand(kind in ("number", "word"), f"expression: {lexeme!a} is out of place")
        self.advance()
        if kind == "number":
            return Node("number", number=decimal(lexeme))
        if lexeme == "u":
            return Node("u")
        demand(lexeme in FUNCTIONS, f"expression: unknown name {lexeme!a}")
        demand(self.take("(") is not None, f"expression: '(' is due after {lexeme}")
        return self.closed(Node(lexeme, (self.nested(self.sum),)))

    def closed(self, node: Node) -> Node:
        demand(self.take(")") is not None, "expression: ')' is due")
        return node


def constant_value(node: Node) -> Fraction:
    """The value of a right operand of ^: rational arithmetic on + - * / ^ and signs alone (§3)."""
    if node.op == "number":
        return node.number
    demand(node.op in ("negate", "power", "sum", "product"), f"expression: {node.op} in an exponent")
    values = [constant_value(operand) for operand in node.operands]
    result = values[0]
    if node.op == "negate":
        result = -result
    elif node.op == "power":
        demand(result != 0 or node.exponent >= 0, "expression: division by zero in an exponent")
        demand(size_in_bits(result) * abs(node.exponent) <= MAX_CONSTANT_BITS, "expression: exponent too long")
        result = result**node.exponent
    for value, inverted in list(zip(values, node.inverted))[1:]:
        if node.op == "sum":
            result = result - value if inverted else result + value
        else:
            demand(not inverted or value != 0, "expression: division by zero in an exponent")
            result = result / value if inverted else result * value
        demand(size_in_bits(result) <= MAX_CONSTANT_BITS, "expression: exponent too long")
    return result


def size_in_bits(q: Fraction) -> int:
    return q.numerator.bit_length() + q.denominator.bit_length()


def softplus_operand(node: Node) -> Node | None:
    """f, where the node is log1p(exp f), log(1 + exp f) or log(exp f + 1)."""
    if node.op not in ("log", "log1p"):
        return None
    inner = node.operands[0]
    if node.op == "log":
        if inner.op != "sum" or inner.inverted != (False, False):
            return None
        ones = [operand.op == "number" and operand.number == 1 for operand in inner.operands]
        if True not in ones:
            return None
        inner = inner.operands[0 if ones[1] else 1]
    return inner.operands[0] if inner.op == "exp" else None


def evaluate(node: Node, u: Interval) -> Jet:
    if node.op == "number":
        return constant_jet(node.number)
    if node.op == "u":
        return Jet(u, Interval.of(1), Interval.of(0))
    if (operand := softplus_operand(node)) is not None:
        return evaluate(operand, u).softplus()
    jets = [evaluate(operand, u) for operand in node.operands]
    if node.op in ("sum", "product"):
        result = jets[0]
        for jet, inverted in list(zip(jets, node.inverted))[1:]:
            if node.op == "sum":
                result = result + (-jet if inverted else jet)
            else:
                result = result * (jet.inverse() if inverted else jet)
        return result
    if node.op == "negate":
        return -jets[0]
    return jets[0] ** node.exponent if node.op == "power" else FUNCTIONS[node.op](jets[0])


def exact_slope(node: Node, u: Fraction) -> tuple[Fraction, Fraction]:
    """Value and slope at u of an expression of + - * / ^ and signs alone (§4.2)."""
    if node.op == "number":
        return node.number, Fraction(0)
    if node.op == "u":
        return u, Fraction(1)
    demand(node.op in ("negate", "power", "sum", "product"), f"by rational: the loss holds {node.op}")
    jets = [exact_slope(operand, u) for operand in node.operands]
    value, slope = jets[0]
    if node.op == "negate":
        return -value, -slope
    if node.op == "power":
        return exact_power(value, slope, node.exponent)
    for (g, g1), inverted in list(zip(jets, node.inverted))[1:]:
        if node.op == "sum":
            value, slope = (value - g, slope - g1) if inverted else (value + g, slope + g1)
        else:
            demand(not inverted or g != 0, "by rational: division by 0")
            value, slope = (value / g, (slope * g - value * g1) / g**2) if inverted else (value * g, slope * g + value * g1)
        demand(max(size_in_bits(value), size_in_bits(slope)) <= MAX_CONSTANT_BITS, "by rational: huge numbers")
    return value, slope


def exact_power(value: Fraction, slope: Fraction, k: int) -> tuple[Fraction, Fraction]:
    demand(value != 0 or k >= 0, "by rational: division by 0")
    demand(size_in_bits(value) * (abs(k) + 1) <= MAX_CONSTANT_BITS, "by rational: huge numbers")
    return (Fraction(1), Fraction(0)) if k == 0 else (value**k, k * value ** (k - 1) * slope)


def loss_node(problem: Problem) -> Node:
    loss = problem.loss
    return ExpressionParser(NAMED_LOSSES[loss] if isinstance(loss, str) else loss["expression"]).parse()


def at_most(x: Dyadic, bound: Fraction) -> bool:
    return not less(dyadic(bound, up=False), x)


def at_least(x: Dyadic, bound: Fraction) -> bool:
    return not less(x, dyadic(bound, up=True))


# ---------------------------------------------------------------------------------------------
# §4.1, §4.2 Losses


@dataclass(frozen=True)
class LossBounds:
    """On [lo, hi]: the slope is at most slope_sup < 0 and at most m1 in size, the curvature at most m0 in size."""

    lo: Fraction
    hi: Fraction
    slope_sup: Fraction
    m0: Fraction
    m1: Fraction

    @property
    def mu(self) -> Fraction:
        return -self.slope_sup


def read_interval(value: Json, where: str = "statement") -> tuple[Fraction, Fraction]:
    lo, hi = read_vector(value, f"{where}.interval", 2)
    demand(lo <= hi, f"{where}.interval: its ends are reversed")
    return lo, hi


def read_bounds(source: dict[str, Json], where: str) -> LossBounds:
    lo, hi = read_interval(source["interval"], where)
    return LossBounds(lo, hi, *(read_rational(source[key], f"{where}.{key}") for key in ("slope_sup", "m0", "m1")))


def check_loss_bounds(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "interval", "slope_sup", "m0", "m1", "covers_scores"))
    read_object(witness, "witness", ("cuts",))
    bounds = read_bounds(statement, "statement")
    covers = read_boolean(statement["covers_scores"], "statement.covers_scores")
    check_bounds(problem, bounds, covers, read_vector(witness["cuts"], "witness.cuts"), "witness.cuts")


def check_bounds(problem: Problem, bounds: LossBounds, covers: bool, cuts: Vector, where: str) -> None:
    lo, hi, slope_sup, m0, m1 = bounds.lo, bounds.hi, bounds.slope_sup, bounds.m0, bounds.m1
    demand(slope_sup < 0, "slope_sup is not negative")
    demand(not covers or all(lo <= s <= hi for s in problem.all_scores()), "a score lies outside of the interval")
    ends = [lo, *cuts, hi]
    if cuts:
        demand(all(a < b for a, b in zip(ends, ends[1:])), f"{where}: not strictly increasing in the interval")
    loss = loss_node(problem)
    for a, b in zip(ends, ends[1:]):
        jet = evaluate(loss, Interval.of(a, b))
        cell = f"on the cell from {float_text(a)} to {float_text(b)}"
        demand(at_most(jet.f1.hi, slope_sup), f"the slope is not proved to be at most slope_sup {cell}")
        demand(at_least(jet.f1.lo, -m1), f"the slope is not proved to be at most m1 in size {cell}")
        demand(at_most(jet.f2.hi, m0) and at_least(jet.f2.lo, -m0), f"the curvature is not proved to be within m0 {cell}")


def float_text(q: Fraction) -> str:
    try:
        return f"{float(q):.6g}"
    except OverflowError:
        return "a huge number"


def check_loss_not_decreasing(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "interval", "a", "b", "covers_scores"))
    by = read_object(witness, "witness", ("by",))["by"]
    lo, hi = read_interval(statement["interval"])
    a, b = read_rational(statement["a"], "statement.a"), read_rational(statement["b"], "statement.b")
    covers = read_boolean(statement["covers_scores"], "statement.covers_scores")

    demand(by in ("values", "slope"), "witness.by: 'values' or 'slope' is due")
    demand(lo <= a < b <= hi, "lo <= a < b <= hi does not hold")
    demand(not covers or (lo, hi) == (min(problem.all_scores()), max(problem.all_scores())),
           "the interval is not exactly that of the scores")
    loss = loss_node(problem)
    if by == "slope":
        demand(sign(evaluate(loss, Interval.of(a, b)).f1.lo) >= 0, "the slope is not proved to be at least 0")
    else:
        at_a, at_b = evaluate(loss, Interval.of(a)), evaluate(loss, Interval.of(b))
        demand(not less(at_b.f.lo, at_a.f.hi), "loss(a) <= loss(b) is not proved")


def check_loss_flat(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "sample", "token", "at"))
    by = read_object(witness, "witness", ("by",))["by"]
    i = read_index(statement["sample"], "statement.sample", problem.n)
    t = read_index(statement["token"], "statement.token", len(problem.tokens[i]))
    at = read_rational(statement["at"], "statement.at")

    demand(isinstance(by, str) and by in ("rational", "enclosure"), "witness.by: 'rational' or 'enclosure' is due")
    demand(problem.scores[i][t] == at, "statement.at: not the score of the token")
    demand(max(problem.scores[i]) == at, "another token of the sample scores more")
    loss = loss_node(problem)
    if by == "rational":
        demand(exact_slope(loss, at)[1] >= 0, "the slope is negative")
    else:
        demand(sign(evaluate(loss, Interval.of(at)).f1.lo) >= 0, "the slope is not proved to be at least 0")


# ---------------------------------------------------------------------------------------------
# §4.3, §4.4 Global optimality


def check_globally_optimal(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection", "unique", "gap"))
    read_object(witness, "witness", ())
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    unique = read_boolean(statement["unique"], "statement.unique")
    stated = None if statement["gap"] is None else read_rational(statement["gap"], "statement.gap")

    gap = min((sample[a] - score for a, sample in zip(alpha, problem.scores)
               for t, score in enumerate(sample) if t != a), default=None)
    demand(gap is None or gap >= 0, "another token scores more")
    demand(stated == gap, "the gap is another")
    demand(unique == (gap is None or gap > 0), "unique is wrong")


def check_not_globally_optimal(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection", "unique"))
    read_object(witness, "witness", ("sample", "token"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    unique = read_boolean(statement["unique"], "statement.unique")
    i = read_index(witness["sample"], "witness.sample", problem.n)
    t = read_index(witness["token"], "witness.token", len(problem.tokens[i]))

    demand(t != alpha[i], "the token is the selected one")
    other, selected = problem.scores[i][t], problem.scores[i][alpha[i]]
    demand(other > selected or (unique and other == selected), "the token scores less than the selected one")


# ---------------------------------------------------------------------------------------------
# §4.5 SVM programs


def p_program(problem: Problem, alpha: tuple[int, ...], margins: Callable[[int], int] = lambda i: 1) -> Program:
    return {(i, t): (minus(keys[alpha[i]], key), margins(i))
            for i, keys in enumerate(problem.keys) for t, key in enumerate(keys) if t != alpha[i]}


def v_program(problem: Problem, alpha: tuple[int, ...]) -> Program:
    return {(i,): ([problem.labels[i] * x for x in sample[alpha[i]]], 1) for i, sample in enumerate(problem.tokens)}


def read_rows(value: Json, where: str, program: Program) -> list[Row]:
    """Names of existing rows, strictly ascending."""
    size = 2 if not program or len(next(iter(program))) == 2 else 1
    rows = [tuple(read_index(x, where) for x in read_array(entry, where, size)) for entry in read_array(value, where)]
    for row in rows:
        demand(row in program, f"{where}: {list(row)} is not a row")
    demand(all(a < b for a, b in zip(rows, rows[1:])), f"{where}: not strictly ascending")
    return rows


def read_multipliers(value: Json, where: str, program: Program) -> Multipliers:
    entries = read_array(value, where)
    for entry in entries:
        demand(len(read_array(entry, where)) >= 1, f"{where}: an empty entry")
    rows = read_rows([entry[:-1] for entry in entries], where, program)
    weights = [read_rational(entry[-1], where) for entry in entries]
    demand(all(weight > 0 for weight in weights), f"{where}: a multiplier is not positive")
    return dict(zip(rows, weights))


def combination(program: Program, multipliers: Multipliers, d: int) -> Vector:
    """Sum of lambda_c a_c."""
    total = [Fraction(0)] * d
    for row, weight in multipliers.items():
        total = [x + weight * a for x, a in zip(total, program[row][0], strict=True)]
    return total


def tight_rows(problem: Problem, program: Program, w: Vector, multipliers: Multipliers, where: str) -> list[Row]:
    """All tight rows of w, once it is shown that (w, multipliers) solves the program (KKT)."""
    demand(combination(program, multipliers, problem.d) == w, f"{where}: the combination of rows is not w")
    slacks = {row: dot(a, w) - b for row, (a, b) in program.items()}
    for row, slack in slacks.items():
        demand(slack >= 0, f"{where}: row {list(row)} is violated")
        demand(slack == 0 or row not in multipliers, f"{where}: row {list(row)} has a multiplier but is not tight")
    return [row for row, slack in slacks.items() if slack == 0]


def read_solution(problem: Problem, program: Program, source: dict[str, Json], where: str) -> tuple[Vector, list[Row]]:
    """w and its tight rows, from an object that holds `w` and `lambda`."""
    w = read_vector(source["w"], f"{where}.w", problem.d)
    multipliers = read_multipliers(source["lambda"], f"{where}.lambda", program)
    return w, tight_rows(problem, program, w, multipliers, where)


def svm_program(problem: Problem, claim: str, alpha: tuple[int, ...], witness: dict[str, Json]) -> Program:
    if claim == "p-svm":
        return p_program(problem, alpha)
    program = v_program(problem, alpha)
    if claim == "v-svm":
        return program
    solution = read_object(witness["v"], "witness.v", ("w", "lambda"))
    _, support = read_solution(problem, program, solution, "witness.v")
    return p_program(problem, alpha, lambda i: 1 if (i,) in support else 0)


def check_farkas(problem: Problem, program: Program, value: Json, where: str) -> None:
    multipliers = read_multipliers(value, where, program)
    demand(not any(combination(program, multipliers, problem.d)), f"{where}: the combination of rows is not 0")
    demand(sum(weight * program[row][1] for row, weight in multipliers.items()) > 0,
           f"{where}: the combination of right-hand sides is not positive")


def check_svm_optimal(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection", "objective", "support"))
    read_object(witness, "witness", ("w", "lambda", "v") if claim == "joint-svm" else ("w", "lambda"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    program = svm_program(problem, claim, alpha, witness)
    w, tight = read_solution(problem, program, witness, "witness")
    demand(read_rational(statement["objective"], "statement.objective") == dot(w, w) / 2, "the objective is another")
    demand(read_rows(statement["support"], "statement.support", program) == tight, "the tight rows are others")


def check_svm_infeasible(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection"))
    read_object(witness, "witness", ("lambda", "v") if claim == "joint-svm" else ("lambda",))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    check_farkas(problem, svm_program(problem, claim, alpha, witness), witness["lambda"], "witness.lambda")


# ---------------------------------------------------------------------------------------------
# §4.6, §4.7 Local optimality


def scores_less(problem: Problem, alpha: tuple[int, ...], row: Row) -> bool:
    i, t = row
    return problem.scores[i][t] < problem.scores[i][alpha[i]]


def check_locally_optimal(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    if is_bracketed(witness):
        return check_bracketed_optimum(problem, claim, statement, witness)
    read_object(statement, "statement", ("kind", "selection", "neighbours"))
    read_object(witness, "witness", ("w", "lambda"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    program = p_program(problem, alpha)
    _, tight = read_solution(problem, program, witness, "witness")
    demand(read_rows(statement["neighbours"], "statement.neighbours", program) == tight, "the neighbours are others")
    check_locally_best(problem, alpha, tight)


def check_locally_best(problem: Problem, alpha: tuple[int, ...], tight: list[Row]) -> None:
    demand(len(problem.scores) == problem.n, "the problem has no v")  # also where nothing is tight
    for row in tight:
        demand(scores_less(problem, alpha, row), f"neighbour {list(row)} does not score less")


def check_neighbour(problem: Problem, alpha: tuple[int, ...], source: dict[str, Json], where: str) -> None:
    """`w`, `lambda` solve p-svm and `neighbour` is a tight row that scores at least as much (§4.7)."""
    program = p_program(problem, alpha)
    _, tight = read_solution(problem, program, source, where)
    [row] = read_rows([source["neighbour"]], f"{where}.neighbour", program)
    demand(row in tight, f"{where}.neighbour: not a tight row")
    demand(not scores_less(problem, alpha, row), f"{where}.neighbour: it scores less")


def check_not_locally_optimal(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    demand(len(problem.scores) == problem.n, "the problem has no v")
    if isinstance(witness, dict) and "farkas" in witness:
        read_object(witness, "witness", ("farkas",))
        check_farkas(problem, p_program(problem, alpha), witness["farkas"], "witness.farkas")
    elif is_bracketed(witness):
        check_bracketed_neighbour(problem, claim, alpha, witness)
    else:
        read_object(witness, "witness", ("w", "lambda", "neighbour"))
        check_neighbour(problem, alpha, witness, "witness")


# ---------------------------------------------------------------------------------------------
# §4.8 Census


def read_conflict_entries(problem: Problem, value: Json, where: str) -> tuple[dict[int, int], Fraction, Vector]:
    """The pairs (i, a), the sum of the multipliers, and sum lambda (k_ia - k_it)."""
    entries = read_array(value, where)
    demand(bool(entries), f"{where}: empty")
    pairs: dict[int, int] = {}
    last: dict[int, int] = {}  # of the samples with multipliers, the last token that the pair's is set against
    largest = -1
    total, combination = Fraction(0), [Fraction(0)] * problem.d
    for entry in entries:
        bare = len(read_array(entry, where)) == 2
        read_array(entry, where, 2 if bare else 4)
        i = read_index(entry[0], where, problem.n)
        a = read_index(entry[1], where, len(problem.tokens[i]))
        demand(largest <= i, f"{where}: not strictly ascending")
        demand(i not in pairs or (not bare and i in last), f"{where}: a bare pair is its sample's only entry")
        demand(pairs.setdefault(i, a) == a, f"{where}: two tokens for one sample")
        largest = i
        if bare:
            continue
        t = read_index(entry[2], where, len(problem.tokens[i]))
        weight = read_rational(entry[3], where)
        demand(last.get(i, -1) < t, f"{where}: not strictly ascending")
        demand(a != t, f"{where}: a token conflicts with itself")
        demand(weight > 0, f"{where}: a multiplier is not positive")
        last[i] = t
        total += weight
        combination = [x + weight * (k - l) for x, k, l in zip(combination, problem.keys[i][a], problem.keys[i][t])]
    demand(bool(last), f"{where}: no multiplier")
    return pairs, total, combination


def read_conflict(problem: Problem, value: Json, where: str) -> dict[int, int]:
    """A valid conflict, as the tokens a it gives to its samples i."""
    if isinstance(value, dict):
        read_object(value, where, ("terms", "centre"))
        pairs, total, y = read_conflict_entries(problem, value["terms"], where)
        centre = read_vector(value["centre"], where, problem.d)
        demand(dot(centre, centre) < total, f"{where}: the centre is too long")
        point, least = [2 * c - x for c, x in zip(centre, y)], 1
    else:
        pairs, _, y = read_conflict_entries(problem, value, where)
        point, least = [-x for x in y], 0
    if not any(point) and least == 0:
        return pairs
    for i, (keys, scores) in enumerate(zip(problem.keys, problem.scores)):
        products = [dot(key, point) for key in keys]
        lower: list[Fraction] = []  # the largest product of the tokens with smaller scores, if there are any
        for score in sorted(set(scores)):
            level = [t for t, other in enumerate(scores) if other == score]
            for b in level:
                if lower and pairs.get(i, b) == b:
                    demand(products[b] - lower[0] >= least, f"{where}: no rise to token {b} of sample {i}")
            lower = [max(lower + [products[t] for t in level])]
    return pairs


def check_census(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "count", "selections"))
    read_object(witness, "witness", ("order", "conflicts", "tree"))
    demand(len(problem.scores) == problem.n, "the problem has no v")
    count = read_index(statement["count"], "statement.count")
    selections = [read_selection(s, f"statement.selections[{k}]", problem)
                  for k, s in enumerate(read_array(statement["selections"], "statement.selections"))]
    demand(all(a < b for a, b in zip(selections, selections[1:])), "statement.selections: not strictly ascending")
    order = [read_index(i, "witness.order") for i in read_array(witness["order"], "witness.order", problem.n)]
    demand(sorted(order) == list(range(problem.n)), "witness.order: not a permutation of the samples")
    conflicts = [read_conflict(problem, conflict, f"witness.conflicts[{k}]")
                 for k, conflict in enumerate(read_array(witness["conflicts"], "witness.conflicts"))]

    found = sorted(locally_optimal_leaves(problem, order, conflicts, witness["tree"]))
    demand(found == selections, "statement.selections: not what the tree finds")
    demand(count == len(found), "statement.count: not the number of selections")


def locally_optimal_leaves(problem: Problem, order: list[int], conflicts: list[dict[int, int]],
                           tree: Json) -> Iterable[tuple[int, ...]]:
    """Checks every node; yields the selections of the leaves that are locally optimal."""
    pending: list[tuple[Json, tuple[int, ...]]] = [(tree, ())]
    while pending:
        node, chosen = pending.pop()  # chosen[m] is the token of sample order[m]
        depth = len(chosen)
        where = f"witness.tree at {list(chosen)}"
        if isinstance(node, Number):
            conflict = conflicts[read_index(node, where, len(conflicts))]
            partial = dict(zip(order, chosen))
            demand(all(partial.get(i) == a for i, a in conflict.items()), f"{where}: the conflict lies elsewhere")
        elif isinstance(node, list):
            demand(depth < problem.n, f"{where}: children below a full selection")
            children = read_array(node, where, len(problem.tokens[order[depth]]))
            pending.extend((child, (*chosen, t)) for t, child in enumerate(children))
        else:
            read_object(node, where, ("w", "lambda"), ("neighbour",))
            demand(depth == problem.n, f"{where}: a leaf above a full selection")
            alpha = tuple(token for _, token in sorted(zip(order, chosen)))
            if "neighbour" in node:
                check_neighbour(problem, alpha, node, where)
            else:
                _, tight = read_solution(problem, p_program(problem, alpha), node, where)
                check_locally_best(problem, alpha, tight)
                yield alpha


# ---------------------------------------------------------------------------------------------
# §4.9 Assumption B


@dataclass(frozen=True)
class Margin:
    """What a solution of v-svm(alpha) says: v, the support S, the samples I of the maximum."""

    v: Vector
    support: frozenset[int]
    counts: frozenset[int]


def signed(problem: Problem, i: int, t: int) -> Vector:
    """z_it = Y_i x_it."""
    return [problem.labels[i] * x for x in problem.tokens[i][t]]


def read_margin(problem: Problem, alpha: tuple[int, ...], statement: dict[str, Json], witness: Json) -> Margin:
    solution = read_object(witness["v"], "witness.v", ("w", "lambda"))
    v, tight = read_solution(problem, v_program(problem, alpha), solution, "witness.v")
    support = frozenset(i for i, in tight)
    over = statement["over"]
    demand(isinstance(over, str) and over in ("all", "support"), "statement.over: 'all' or 'support' is due")
    moving = {i for i, sample in enumerate(problem.tokens) if len(sample) >= 2}
    return Margin(v, support, frozenset(moving if over == "all" else moving & support))


def read_weight_list(problem: Problem, value: Json, where: str) -> dict[int, Fraction]:
    weights: dict[int, Fraction] = {}
    for entry in read_array(value, where):
        read_array(entry, where, 2)
        i = read_index(entry[0], where, problem.n)
        demand(not weights or max(weights) < i, f"{where}: not strictly ascending")
        weights[i] = read_rational(entry[1], where)
        demand(weights[i] > 0, f"{where}: a weight is not positive")
    demand(sum(weights.values()) == 1, f"{where}: the weights do not sum to 1")
    return weights


class CellEnd:
    """The points that the samples offer at one end of a cell of sample j, all multiplied by self.unit: integers."""

    def __init__(self, problem: Problem, alpha: tuple[int, ...], support: frozenset[int], j: int, delta: Fraction) -> None:
        offers = []
        for i, sample in enumerate(problem.tokens):
            origin = signed(problem, i, alpha[i])
            share = delta if i in support else Fraction(1)
            tokens = [t for t in range(len(sample)) if (i, t) != (j, alpha[j])]
            offers.append([[o + share * (z - o) for o, z in zip(origin, signed(problem, i, t))] for t in tokens])
        counts = math.lcm(*map(len, offers))
        common = math.lcm(*(x.denominator for points in offers for point in points for x in point))
        self.unit = common * counts
        self.points = [[[int(x * self.unit) for x in point] for point in points] for points in offers]
        self.means = [[sum(column) // len(points) for column in zip(*points)] for points in self.points]
        self.deviations = [[[x - m for x, m in zip(point, mean)] for point in points]
                           for points, mean in zip(self.points, self.means)]
        self.reach: dict[tuple[int, int, int], int] = {}

    def furthest(self, i: int, t: int, k: int) -> int:
        """max_t' e_it.e_kt'"""
        if (i, t, k) not in self.reach:
            e = self.deviations[i][t]
            self.reach[i, t, k] = max(integer_dot(e, other) for other in self.deviations[k])
        return self.reach[i, t, k]

    def bound(self, weights: dict[int, Fraction], assigned: dict[int, int]) -> Fraction:
        """The left side of the condition for closing a node."""
        below = math.lcm(*(weight.denominator for weight in weights.values()))
        whole = {i: int(weight * below) for i, weight in weights.items()}
        centre = [0] * len(self.means[0])
        for i, weight in whole.items():
            own = self.points[i][assigned[i]] if i in assigned else self.means[i]
            centre = [x + weight * y for x, y in zip(centre, own)]
        free = {i: weight for i, weight in whole.items() if i not in assigned}
        total = integer_dot(centre, centre)
        for i, weight in free.items():
            total += max(2 * weight * integer_dot(e, centre) + weight * weight * integer_dot(e, e)
                         + weight * sum(other * self.furthest(i, t, k) for k, other in free.items() if k != i)
                         for t, e in enumerate(self.deviations[i]))
        return Fraction(total, (self.unit * below) ** 2)


def integer_dot(a: list[int], b: list[int]) -> int:
    return sum(map(int.__mul__, a, b))


def at_most_root_minus(a: Fraction, b: Fraction, c: Fraction) -> bool:
    """sqrt(a) <= sqrt(b) - c and 0 <= sqrt(b) - c (§4.9), for a, b, c >= 0."""
    gap = b + c * c - a
    return c * c <= b and gap >= 0 and gap * gap >= 4 * c * c * b


def check_tree(problem: Problem, ends: list[tuple[CellEnd, Fraction]], gamma_squared: Fraction,
               lists: list[dict[int, Fraction]], tree: Json, where: str) -> None:
    """Every leaf is closed at both ends, each given with its kappa nu delta."""
    pending: list[tuple[Json, dict[int, int]]] = [(tree, {})]
    while pending:
        node, assigned = pending.pop()
        here = f"{where} at {assigned}"
        if isinstance(node, list):
            demand(bool(node), f"{here}: an empty array")
            i = read_index(node[0], here, problem.n)
            demand(i not in assigned, f"{here}: sample {i} is assigned above")
            read_array(node, here, 1 + len(ends[0][0].points[i]))
            pending.extend((child, {**assigned, i: t}) for t, child in enumerate(node[1:]))
        else:
            weights = lists[read_index(node, here, len(lists))]
            for end, loss in ends:
                demand(at_most_root_minus(end.bound(weights, assigned), gamma_squared, loss), f"{here}: not closed by its weights")


def check_cover(problem: Problem, alpha: tuple[int, ...], support: frozenset[int], value: Json) -> int:
    """kappa, once every row outside S is shown to be covered by rows of S."""
    program = p_program(problem, alpha)
    inside = {row: entry for row, entry in program.items() if row[0] in support}
    outside = [row for row in program if row[0] not in support]
    for row, entry in zip(outside, read_array(value, "witness.cover", len(outside))):
        where = f"witness.cover for {list(row)}"
        read_object(entry, where, ("row", "lambda"))
        demand(read_rows([entry["row"]], where, program) == [row], f"{where}: another row")
        multipliers = read_multipliers(entry["lambda"], where, inside)
        demand(sum(multipliers.values()) >= 1, f"{where}: the multipliers sum to less than 1")
        demand(combination(inside, multipliers, problem.d) == program[row][0], f"{where}: not the row")
    return max([2, *(len(sample) - 1 for i, sample in enumerate(problem.tokens) if i not in support)])


def check_assumption_b(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection", "over", "nu", "gamma_squared"))
    read_object(witness, "witness", ("v", "weights", "samples"), ("cover",))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    margin = read_margin(problem, alpha, statement, witness)
    nu = read_rational(statement["nu"], "statement.nu")
    gamma_squared = read_rational(statement["gamma_squared"], "statement.gamma_squared")
    demand(nu > 0, "statement.nu: not positive")
    demand(gamma_squared * dot(margin.v, margin.v) == 1, "statement.gamma_squared: not 1/(v.v)")
    demand(("cover" in witness) == (not margin.counts <= margin.support), "witness.cover: due exactly when a sample outside S counts")
    kappa = check_cover(problem, alpha, margin.support, witness["cover"]) if "cover" in witness else 1
    lists = [read_weight_list(problem, value, f"witness.weights[{k}]")
             for k, value in enumerate(read_array(witness["weights"], "witness.weights"))]

    movers = sorted(i for i in margin.support if len(problem.tokens[i]) >= 2)
    entries = read_array(witness["samples"], "witness.samples", len(movers))
    for k, (j, entry) in enumerate(zip(movers, entries)):
        where = f"witness.samples[{k}]"
        read_object(entry, where, ("sample", "cells"))
        demand(read_index(entry["sample"], where) == j, f"{where}: sample {j} is due")
        cells = read_array(entry["cells"], where)
        delta = Fraction(0)
        end = CellEnd(problem, alpha, margin.support, j, delta), Fraction(0)
        for cell in cells:
            read_object(cell, where, ("upto", "tree"))
            upto = read_rational(cell["upto"], where)
            demand(delta < upto, f"{where}: the cells are not strictly ascending")
            start, delta = end, upto
            end = CellEnd(problem, alpha, margin.support, j, delta), kappa * nu * delta
            check_tree(problem, [start, end], gamma_squared, lists, cell["tree"], where)
        demand(delta == 1, f"{where}: the cells do not end at 1")


# ---------------------------------------------------------------------------------------------
# §4.10 Assumption B refuted


def key_products(problem: Problem, p: Vector) -> list[list[Fraction]]:
    """k_it.p"""
    return [[dot(key, p) for key in keys] for keys in problem.keys]


def row_products(problem: Problem, alpha: tuple[int, ...], p: Vector) -> dict[Row, Fraction]:
    """a_it.p, which must all be positive."""
    logits = key_products(problem, p)
    rows = {(i, t): values[alpha[i]] - x for i, values in enumerate(logits) for t, x in enumerate(values) if t != alpha[i]}
    for row, value in rows.items():
        demand(value > 0, f"witness.p: row {list(row)} is not positive")
    return rows


def least_rows(rows: dict[Row, Fraction], counts: frozenset[int]) -> list[Row]:
    counted = {row: value for row, value in rows.items() if row[0] in counts}
    demand(bool(counted), "no sample of the maximum has a second token")
    least = min(counted.values())
    return [row for row, value in counted.items() if value == least]


def refute_by_limit(problem: Problem, alpha: tuple[int, ...], margin: Margin, p: Vector, witness: dict[str, Json]) -> None:
    u = read_vector(witness["u"], "witness.u", problem.d)
    ends = [[t for t, x in enumerate(logits) if x == max(logits)] for logits in key_products(problem, p)]
    demand(any(ends[i] != [alpha[i]] for i in margin.counts), "witness.p: attention goes to the selection")
    for i, tokens in enumerate(ends):
        demand(all(dot(u, signed(problem, i, t)) >= 1 for t in tokens), f"witness.u: below 1 in sample {i}")
    demand(dot(u, u) <= dot(margin.v, margin.v), "witness.u: longer than v")


def refute_by_soft_row(problem: Problem, alpha: tuple[int, ...], margin: Margin, p: Vector, witness: dict[str, Json]) -> None:
    for i, t in least_rows(row_products(problem, alpha, p), margin.counts):
        costs = dot(margin.v, signed(problem, i, t)) < dot(margin.v, signed(problem, i, alpha[i]))
        demand(i not in margin.support or not costs, f"witness.p: the least row {[i, t]} lowers the margin")


def refute_by_weightless(problem: Problem, alpha: tuple[int, ...], margin: Margin, p: Vector, witness: dict[str, Json]) -> None:
    sample = read_index(witness["sample"], "witness.sample", problem.n)
    demand(sample in margin.support, "witness.sample: not in the support")
    rows = least_rows(row_products(problem, alpha, p), margin.counts)
    demand(all(i == sample for i, _ in rows), "witness.p: a least row is of another sample")
    y = read_vector(witness["y"], "witness.y", problem.d)
    demand(dot(y, margin.v) == 0, "witness.y: not orthogonal to v")
    for i in margin.support:
        demand(dot(y, signed(problem, i, alpha[i])) >= (1 if i == sample else 0), f"witness.y: too small for sample {i}")


def refute_by_point(problem: Problem, alpha: tuple[int, ...], margin: Margin, p: Vector, witness: dict[str, Json]) -> None:
    demand(bool(margin.counts), "no sample of the maximum has a second token")
    u = read_vector(witness["u"], "witness.u", problem.d)
    demand(any(u), "witness.u: is 0")
    length, longest = Interval.of(dot(u, u)), Interval.of(dot(margin.v, margin.v))
    for i, logits in enumerate(key_products(problem, p)):
        above = below = Interval(ZERO, ZERO)
        for t, logit in enumerate(logits):
            term = increasing(exp_at, Interval.of(logit - max(logits)))
            above = above + term * Interval.of(dot(u, signed(problem, i, t)))
            below = below + term
        demand(sign(above.lo) >= 0, f"no margin is shown for sample {i}")
        demand(not less((above**2 * longest).lo, (below**2 * length).hi), f"no margin of Gamma is shown for sample {i}")


REFUTATIONS = {
    "limit": (refute_by_limit, ("u",)),
    "soft-row": (refute_by_soft_row, ()),
    "weightless": (refute_by_weightless, ("sample", "y")),
    "point": (refute_by_point, ("u",)),
}


def check_assumption_b_refuted(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection", "over"))
    by = witness.get("by") if isinstance(witness, dict) else None
    demand(isinstance(by, str) and by in REFUTATIONS, "witness.by: not a way to refute")
    refute, keys = REFUTATIONS[by]
    read_object(witness, "witness", ("v", "by", "p", *keys))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    margin = read_margin(problem, alpha, statement, witness)
    refute(problem, alpha, margin, read_vector(witness["p"], "witness.p", problem.d), witness)


# ---------------------------------------------------------------------------------------------
# §4.11 W-SVM

Matrix = list[Vector]


def queries_of(problem: Problem) -> list[Vector]:
    return [sample[0] for sample in problem.tokens] if problem.queries is None else problem.queries


def weight_program(problem: Problem, alpha: tuple[int, ...]) -> Program:
    """The rows by their left factors x_ialpha - x_it; all bounds are 1."""
    return {(i, t): (minus(sample[alpha[i]], x), 1) for i, sample in enumerate(problem.tokens)
            for t, x in enumerate(sample) if t != alpha[i]}


def weighted_rows(problem: Problem, program: Program, multipliers: Multipliers) -> Matrix:
    """Sum of lambda_c (x_ialpha - x_it) z_i^T, summed over the rows of a sample first."""
    total = [[Fraction(0)] * problem.d for _ in range(problem.d)]
    for i, z in enumerate(queries_of(problem)):
        left = combination(program, {row: weight for row, weight in multipliers.items() if row[0] == i}, problem.d)
        for r, x in enumerate(left):
            if x:
                total[r] = [entry + x * y for entry, y in zip(total[r], z)]
    return total


def row_values(problem: Problem, program: Program, W: Matrix) -> dict[Row, Fraction]:
    """(x_ialpha - x_it).W z_i for every row."""
    images = [[dot(row, z) for row in W] for z in queries_of(problem)]
    return {row: dot(a, images[row[0]]) for row, (a, _) in program.items()}


def check_weights_optimal(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection", "objective", "support"))
    read_object(witness, "witness", ("lambda",))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    program = weight_program(problem, alpha)
    multipliers = read_multipliers(witness["lambda"], "witness.lambda", program)
    values = row_values(problem, program, weighted_rows(problem, program, multipliers))
    for row, value in values.items():
        demand(value >= 1, f"row {list(row)} is violated")
        demand(value == 1 or row not in multipliers, f"row {list(row)} has a multiplier but is not tight")
    demand(read_rational(statement["objective"], "statement.objective") == sum(multipliers.values()) / 2, "the objective is another")
    tight = [row for row, value in values.items() if value == 1]
    demand(read_rows(statement["support"], "statement.support", program) == tight, "the tight rows are others")


def check_weights_infeasible(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection"))
    read_object(witness, "witness", ("lambda",))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    program = weight_program(problem, alpha)
    multipliers = read_multipliers(witness["lambda"], "witness.lambda", program)
    demand(bool(multipliers), "witness.lambda: empty")
    demand(not any(map(any, weighted_rows(problem, program, multipliers))), "the combination of rows is not 0")


# ---------------------------------------------------------------------------------------------
# §4.12 Nuclear norm


def is_semidefinite(matrix: Matrix) -> bool:
    """Exact LDL^T of a symmetric matrix: a pivot that is 0 needs a column of 0s."""
    rest = [list(row) for row in matrix]
    while rest:
        pivot, column = rest[0][0], [row[0] for row in rest[1:]]
        if pivot < 0 or (pivot == 0 and any(column)):
            return False
        rest = [[x - (column[r] * column[c] / pivot if pivot else 0) for c, x in enumerate(row[1:])]
                for r, row in enumerate(rest[1:])]
    return True


def over_one_denominator(matrix: Iterable[Vector]) -> tuple[list[list[int]], int]:
    """The entries times their common denominator, and that."""
    rows = list(matrix)
    common = math.lcm(*{x.denominator for row in rows for x in row})
    return [[x.numerator * (common // x.denominator) for x in row] for row in rows], common


def products(lines: list[list[int]]) -> list[list[int]]:
    """Those of every two lines."""
    return [[integer_dot(x, y) for y in lines] for x in lines]


def shows_unit_norm(problem: Problem, program: Program, multipliers: Multipliers, root: Json, where: str) -> bool:
    """Whether E = F - R R^T is diagonally dominant, F being I - M^T M or, by the queries, z_i.z_j - (M z_i).(M z_j)."""
    side = len(read_array(root, where))
    demand(side in (problem.d, problem.n), f"{where}: d or n lines are due")
    lines = [read_vector(line, f"{where}[{k}]", k + 1) for k, line in enumerate(root)]
    R, root_scale = over_one_denominator([[*line, *[Fraction(0)] * (side - len(line))] for line in lines])
    left, left_scale = over_one_denominator(
        combination(program, {row: weight for row, weight in multipliers.items() if row[0] == i}, problem.d) for i in range(problem.n))
    z, z_scale = over_one_denominator(queries_of(problem))
    scale = left_scale * z_scale
    if side == problem.d:
        whole = [[scale**2 * (r == c) for c in range(side)] for r in range(side)]
        weights = [list(column) for column in zip(*z)]
    else:
        weights = products(z)
        whole = [[scale**2 * x for x in line] for line in weights]
        scale *= z_scale
    images = [[integer_dot(column, line) for column in map(list, zip(*left))] for line in weights]  # M e_c, or M z_i
    rest = [[root_scale**2 * (x - y) - scale**2 * w for x, y, w in zip(*parts)] for parts in zip(whole, products(images), products(R))]
    return all(2 * line[k] >= sum(map(abs, line)) for k, line in enumerate(rest))


def factor_values(problem: Problem, program: Program, a: Matrix, b: Matrix) -> dict[Row, Fraction]:
    """(x_ialpha - x_it).A B^T z_i for every row."""
    A, a_scale = over_one_denominator(a)
    B, b_scale = over_one_denominator(zip(*b))
    z, z_scale = over_one_denominator(queries_of(problem))
    left, left_scale = over_one_denominator(x for x, _ in program.values())
    inner = [[integer_dot(column, line) for column in B] for line in z]
    images = [[integer_dot(line, x) for line in A] for x in inner]
    scale = a_scale * b_scale * z_scale * left_scale
    return {row: Fraction(integer_dot(x, images[row[0]]), scale) for row, x in zip(program, left)}


def check_nuclear_bracket(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection", "lower", "upper"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    lower, upper_bound = (read_rational(statement[key], f"statement.{key}") for key in ("lower", "upper"))
    check_bracket(problem, alpha, lower, upper_bound, witness, "witness")


def check_bracket(problem: Problem, alpha: tuple[int, ...], lower: Fraction, upper_bound: Fraction, witness: Json,
                  where: str) -> dict[Row, Fraction]:
    """The values of the rows at A B^T, once the bracket is shown."""
    read_object(witness, where, ("a", "b", "lambda"), ("root",))
    d, program = problem.d, weight_program(problem, alpha)

    def factor(key: str, columns: int | None) -> Matrix:
        return [read_vector(row, f"{where}.{key}", columns) for row in read_array(witness[key], f"{where}.{key}", d)]

    columns = len(read_array(read_array(witness["a"], f"{where}.a", d)[0], f"{where}.a"))
    a, b = factor("a", columns), factor("b", columns)
    values = factor_values(problem, program, a, b)
    for row, value in values.items():
        demand(value >= 1, f"row {list(row)} is violated")
    demand(sum(x * x for row in (*a, *b) for x in row) <= 2 * upper_bound, "statement.upper: below what a and b show")

    multipliers = read_multipliers(witness["lambda"], f"{where}.lambda", program)
    demand(lower <= sum(multipliers.values()), "statement.lower: above the sum of the multipliers")
    if "root" in witness:
        demand(shows_unit_norm(problem, program, multipliers, witness["root"], f"{where}.root"),
               f"{where}.root: does not show that the combination of rows has a norm of at most 1")
        return values
    columns_of_M = list(zip(*weighted_rows(problem, program, multipliers)))
    rest = [[int(r == c) - dot(x, y) for c, y in enumerate(columns_of_M)] for r, x in enumerate(columns_of_M)]
    demand(is_semidefinite(rest), "the combination of rows has a norm above 1")
    return values


# ---------------------------------------------------------------------------------------------
# §4.13, §4.14 Feasible for every selection


def rank_of(vectors: list[Vector]) -> int:
    """By elimination over the rationals: each vector is reduced by those before it."""
    basis: list[tuple[int, Vector]] = []  # leading column and the vector, scaled to 1 there
    for vector in vectors:
        for lead, other in basis:
            if vector[lead]:
                factor = vector[lead]
                vector = [x - factor * y for x, y in zip(vector, other)]
        lead = next((c for c, x in enumerate(vector) if x), None)
        if lead is not None:
            basis.append((lead, [x / vector[lead] for x in vector]))
    return len(basis)


def check_rank(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "token_ranks", "query_rank"))
    read_object(witness, "witness", ())
    queries = queries_of(problem)
    ranks = [read_index(r, f"statement.token_ranks[{i}]")
             for i, r in enumerate(read_array(statement["token_ranks"], "statement.token_ranks", problem.n))]
    for i, (sample, rank) in enumerate(zip(problem.tokens, ranks)):
        demand(rank == len(sample) - 1 == rank_of([minus(x, sample[0]) for x in sample[1:]]),
               f"statement.token_ranks[{i}]: not the full rank of the difference tokens")
    demand(read_index(statement["query_rank"], "statement.query_rank") == problem.n == rank_of(queries),
           "statement.query_rank: not the full rank of the queries")


def check_every_selection(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "count"))
    matrices = read_array(read_object(witness, "witness", ("matrices",))["matrices"], "witness.matrices")
    queries = queries_of(problem)
    found = set()
    for k, value in enumerate(matrices):
        where = f"witness.matrices[{k}]"
        W = [read_vector(row, where, problem.d) for row in read_array(value, where, problem.d)]
        selection = []
        for sample, z in zip(problem.tokens, queries):
            image = [dot(row, z) for row in W]
            logits = [dot(x, image) for x in sample]
            demand(logits.count(max(logits)) == 1, f"{where}: two tokens are level")
            selection.append(logits.index(max(logits)))
        found.add(tuple(selection))
    count = math.prod(map(len, problem.tokens))
    demand(read_index(statement["count"], "statement.count") == count, "statement.count: not the number of selections")
    demand(len(found) == count, "witness.matrices: some selection is not separated")


# ---------------------------------------------------------------------------------------------
# §4.15 Equal scores


def check_equal_scores(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection"))
    read_object(witness, "witness", ())
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    for i, sample in enumerate(problem.scores):
        others = {score for t, score in enumerate(sample) if t != alpha[i]}
        demand(len(others) <= 1, f"the tokens of sample {i} that are not selected have several scores")


# ---------------------------------------------------------------------------------------------
# §4.16 Local optimality for W


def tight_weight_rows(problem: Problem, program: Program, value: Json) -> list[Row]:
    """All tight rows of W, the combination of rows that the multiplier list gives, once it is shown to be the minimiser."""
    multipliers = read_multipliers(value, "witness.lambda", program)
    values = row_values(problem, program, weighted_rows(problem, program, multipliers))
    for row, product in values.items():
        demand(product >= 1, f"row {list(row)} is violated")
        demand(product == 1 or row not in multipliers, f"row {list(row)} has a multiplier but is not tight")
    return [row for row, product in values.items() if product == 1]


def check_weights_locally_optimal(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    if is_bracketed(witness):
        return check_bracketed_optimum(problem, claim, statement, witness)
    read_object(statement, "statement", ("kind", "selection", "neighbours"))
    read_object(witness, "witness", ("lambda",))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    program = weight_program(problem, alpha)
    tight = tight_weight_rows(problem, program, witness["lambda"])
    demand(read_rows(statement["neighbours"], "statement.neighbours", program) == tight, "the neighbours are others")
    check_locally_best(problem, alpha, tight)


def check_weights_not_locally_optimal(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection"))
    demand(len(problem.scores) == problem.n, "the problem has no v")
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    program = weight_program(problem, alpha)
    if isinstance(witness, dict) and "farkas" in witness:
        read_object(witness, "witness", ("farkas",))
        multipliers = read_multipliers(witness["farkas"], "witness.farkas", program)
        demand(bool(multipliers), "witness.farkas: empty")
        demand(not any(map(any, weighted_rows(problem, program, multipliers))), "the combination of rows is not 0")
        return
    if is_bracketed(witness):
        return check_bracketed_neighbour(problem, claim, alpha, witness)
    read_object(witness, "witness", ("lambda", "neighbour"))
    tight = tight_weight_rows(problem, program, witness["lambda"])
    [row] = read_rows([witness["neighbour"]], "witness.neighbour", program)
    demand(row in tight, "witness.neighbour: not a tight row")
    demand(not scores_less(problem, alpha, row), "witness.neighbour: it scores less")


# ---------------------------------------------------------------------------------------------
# §4.17 Tightness


def scores_more(problem: Problem, alpha: tuple[int, ...], row: Row) -> bool:
    i, t = row
    return problem.scores[i][t] > problem.scores[i][alpha[i]]


def check_better_neighbour(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection"))
    read_object(witness, "witness", ("w", "lambda", "neighbour"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    program = p_program(problem, alpha)
    read_solution(problem, program, witness, "witness")
    [row] = read_rows([witness["neighbour"]], "witness.neighbour", program)
    demand(row in read_multipliers(witness["lambda"], "witness.lambda", program), "witness.neighbour: no multiplier")
    demand(scores_more(problem, alpha, row), "witness.neighbour: it does not score more")


def check_no_better_neighbour(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection"))
    read_object(witness, "witness", ("w", "lambda"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    demand(len(problem.scores) == problem.n, "the problem has no v")  # also where nothing is tight
    _, tight = read_solution(problem, p_program(problem, alpha), witness, "witness")
    for row in tight:
        demand(not scores_more(problem, alpha, row), f"neighbour {list(row)} scores more")


def check_independent_rows(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection", "rows"))
    read_object(witness, "witness", ("w", "lambda"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    program = p_program(problem, alpha)
    _, tight = read_solution(problem, program, witness, "witness")
    demand(read_rows(statement["rows"], "statement.rows", program) == tight, "the tight rows are others")
    demand(rank_of([program[row][0] for row in tight]) == len(tight), "the tight rows are dependent")


# ---------------------------------------------------------------------------------------------
# §4.18 Joint training

LOGISTIC_FORMS = ("log1p(exp(-u))", "log(1+exp(-u))", "log(exp(-u)+1)")
LEAST_DIFFERENCE = (1, -40)


def label_margins(problem: Problem, alpha: tuple[int, ...], witness: dict[str, Json]) -> dict[Row, Fraction]:
    """Y_i w.x_it for the samples outside of S and the tokens that are not selected."""
    solution = read_object(witness["v"], "witness.v", ("w", "lambda"))
    w, tight = read_solution(problem, v_program(problem, alpha), solution, "witness.v")
    return {(i, t): dot(w, signed(problem, i, t)) for i, sample in enumerate(problem.tokens) if (i,) not in tight
            for t in range(len(sample)) if t != alpha[i]}


def check_slack_tokens(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection"))
    read_object(witness, "witness", ("v",))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    for row, margin in label_margins(problem, alpha, witness).items():
        demand(margin < 1, f"token {list(row)} has a label margin of at least 1")


def check_no_slack_tokens(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection"))
    read_object(witness, "witness", ("v", "sample", "token"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    margins = label_margins(problem, alpha, witness)
    row = read_index(witness["sample"], "witness.sample"), read_index(witness["token"], "witness.token")
    demand(row in margins, "not another token of a sample that is no support vector")
    demand(margins[row] >= 1, "the label margin is below 1")


def check_logistic_loss(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind",))
    read_object(witness, "witness", ())
    demand(is_logistic(problem), "the loss is written otherwise")


def is_logistic(problem: Problem) -> bool:
    return loss_node(problem) in [ExpressionParser(form).parse() for form in LOGISTIC_FORMS]


def check_not_logistic(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "u"))
    read_object(witness, "witness", ())
    u = Interval.of(read_rational(statement["u"], "statement.u"))
    found = evaluate(loss_node(problem), u).f
    logistic = evaluate(ExpressionParser(NAMED_LOSSES["logistic"]).parse(), u).f
    gaps = (found - logistic).lo, (logistic - found).lo
    demand(any(not less(gap, LEAST_DIFFERENCE) for gap in gaps), "no difference to the logistic loss is shown at u")


# ---------------------------------------------------------------------------------------------
# §4.19 Limits: what the kinds below share

OVER_OF_CLAIM = {"path": "p", "gd-local": "p", "gd-global": "p", "descent": "p", "cross-validation": "p", "tightness": "p",
                 "w-path": "W", "w-gd": "W"}  # the other claims go with both


def read_over(claim: str, value: Json) -> str:
    demand(isinstance(value, str) and value in ("p", "W"), "statement.over: 'p' or 'W' is due")
    due = OVER_OF_CLAIM.get(claim, value)
    demand(value == due, f"statement.over: {claim} goes with '{due}'")
    return value


@dataclass(frozen=True)
class Rows:
    """The rows a_c of a selection: k_ialpha - k_it over p, (x_ialpha - x_it) z_i^T over W. A row is kept by its left factor and,
    over W, its z_i: the matrices are never needed."""

    problem: Problem
    alpha: tuple[int, ...]
    over: str

    @functools.cached_property
    def program(self) -> Program:
        return p_program(self.problem, self.alpha) if self.over == "p" else weight_program(self.problem, self.alpha)

    @functools.cached_property
    def names(self) -> list[Row]:
        return list(self.program)

    @functools.cached_property
    def gaps(self) -> dict[Row, Fraction]:
        """Delta_c = gamma_ialpha - gamma_it; needs v."""
        scores = self.problem.scores
        return {(i, t): scores[i][self.alpha[i]] - scores[i][t] for i, t in self.names}

    @functools.cached_property
    def query_products(self) -> list[Vector]:
        """z_i.z_j, over W"""
        queries = queries_of(self.problem)
        return [[dot(a, b) for b in queries] for a in queries]

    @functools.cached_property
    def known_products(self) -> dict[tuple[Row, Row], Fraction]:
        return {}

    def product(self, c: Row, e: Row) -> Fraction:
        """<a_c, a_e>"""
        pair = (c, e) if c <= e else (e, c)
        if pair not in self.known_products:
            product = dot(self.program[c][0], self.program[e][0])
            self.known_products[pair] = product if self.over == "p" else product * self.query_products[c[0]][e[0]]
        return self.known_products[pair]

    def of_sample(self, i: int) -> list[Row]:
        return [(i, t) for t in range(len(self.problem.tokens[i])) if t != self.alpha[i]]

    def values(self, point: Any) -> dict[Row, Fraction]:
        """y_c = <a_c, point> for every row; the point is a vector, or over W a matrix by rows."""
        if self.over == "W":
            return row_values(self.problem, self.program, point)
        return {row: dot(a, point) for row, (a, _) in self.program.items()}

    def combined(self, coefficients: Multipliers) -> Any:
        """The vector, or over W the matrix, sum of x_c a_c."""
        if self.over == "W":
            return weighted_rows(self.problem, self.program, coefficients)
        return combination(self.program, coefficients, self.problem.d)

    def inner(self, coefficients: Multipliers) -> dict[Row, Fraction]:
        """<a_c, sum of x_e a_e> for every row c."""
        return self.values(self.combined(coefficients))


@dataclass(frozen=True)
class Svm:
    """What a multiplier list that solves the SVM says of w = sum of lambda_c a_c (§4.19)."""

    rows: Rows
    multipliers: Multipliers
    theta: dict[Row, Fraction]  # <a_c, w> >= 1

    @functools.cached_property
    def square(self) -> Fraction:
        """N = |w|^2 = sum of lambda_c > 0"""
        return sum(self.multipliers.values(), Fraction(0))

    @functools.cached_property
    def shares(self) -> Multipliers:
        """lambda_c / N"""
        return {row: weight / self.square for row, weight in self.multipliers.items()}

    @functools.cached_property
    def tight(self) -> list[Row]:
        return [row for row, theta in self.theta.items() if theta == 1]

    def margin(self) -> Interval:
        """Theta = 1/|w|, at the precision of the moment"""
        return Interval.of(1) / root_of(self.square)

    def across(self, row: Row) -> Fraction:
        """|a_c|^2 - theta_c^2/N, the square of the part of a_c that is orthogonal to w"""
        return self.rows.product(row, row) - self.theta[row] ** 2 / self.square


def read_svm(rows: Rows, value: Json, where: str = "witness.lambda", feasible_only: bool = False) -> Svm:
    """A multiplier list that solves the SVM; with `feasible_only` one whose point satisfies every row."""
    multipliers = read_multipliers(value, where, rows.program)
    demand(bool(multipliers), f"{where}: empty")
    theta = rows.inner(multipliers)
    for row, product in theta.items():
        demand(product >= 1, f"{where}: row {list(row)} is violated")
        demand(feasible_only or product == 1 or row not in multipliers, f"{where}: row {list(row)} has a multiplier but is not tight")
    return Svm(rows, multipliers, theta)


def read_loss_block(problem: Problem, value: Json, where: str = "witness.loss", covers: bool = True) -> LossBounds:
    """A block that satisfies the rule of §4.1; the scores are covered, save for a head that is not linear (§4.29)."""
    read_object(value, where, ("interval", "slope_sup", "m0", "m1", "cuts"))
    bounds = read_bounds(value, where)
    cuts = read_vector(value["cuts"], f"{where}.cuts")
    try:
        check_bounds(problem, bounds, covers, cuts, "cuts")
    except Rejected as why:
        raise Rejected(f"{where}: {why}") from None
    return bounds


def read_coefficients(value: Json, where: str, program: Program) -> Multipliers:
    """Existing rows strictly ascending, each with a number that is not 0; may be empty."""
    entries = read_array(value, where)
    for entry in entries:
        read_array(entry, where, 3)
    rows = read_rows([entry[:-1] for entry in entries], where, program)
    numbers = [read_rational(entry[-1], where) for entry in entries]
    demand(all(numbers), f"{where}: a coefficient is 0")
    return dict(zip(rows, numbers))


def root_of(square: Fraction) -> Interval:
    """sqrt of a number >= 0"""
    demand(square >= 0, "a root of a negative number")
    return root(Interval.of(square))


def root(x: Interval) -> Interval:
    """sqrt of a number >= 0 that is enclosed by x: a negative lower end counts as 0."""
    return Interval(sqrt_at(x.lo).lo if x.lo[0] > 0 else ZERO, sqrt_at(x.hi).hi if x.hi[0] > 0 else ZERO)


def logarithm(x: Interval, what: str) -> Interval:
    demand(x.is_positive(), f"{what}: log of what is not shown to be positive")
    return increasing(log_at, x)


def exponential(x: Interval, what: str) -> Interval:
    """exp, refused above 2^20; below -2^20 its lower end is 0 and its upper end that of -2^20."""
    demand(not less((1, MAX_EXP_ARGUMENT_BITS), x.hi), f"{what}: exp of more than 2^20")
    lowest = -1, MAX_EXP_ARGUMENT_BITS
    return Interval(ZERO if less(x.lo, lowest) else exp_at(x.lo).lo, exp_at(greatest([x.hi, lowest])).hi)


def exp_above(x: Interval, what: str) -> Interval:
    """[0, b] with b >= exp(x): where an upper bound alone is used (§4.19)."""
    demand(not less((1, MAX_EXP_ARGUMENT_BITS), x.hi), f"{what}: exp of more than 2^20")
    return Interval(ZERO, exp_at(greatest([x.hi, (-1, 12)])).hi)


def total(terms: Iterable[Interval]) -> Interval:
    return sum(terms, Interval(ZERO, ZERO))


def shown_at_most(x: Interval, y: Interval) -> bool:
    return not less(y.lo, x.hi)


def shown_less(x: Interval, y: Interval) -> bool:
    return less(x.hi, y.lo)


# ---------------------------------------------------------------------------------------------
# §4.20 Fixed-point balls, for the steps of a run: integers m, r stand for the numbers within r of m,
# both in units of 2^-bits. Every operation adds its rounding to r.

Ball = tuple[int, int]
FIXED_GUARD = 48
TABLE_LEVELS = 3
FEW_TERMS = 16


def fixed_log_of_2(bits: int) -> int:
    """log 2 in units of 2^-bits, off by less than 2: 18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749)."""

    def inverse_atanh(k: int) -> int:
        result, power, j = 0, (1 << (bits + 32)) // k, 1
        while power:
            result += power // j
            power //= k * k
            j += 2
        return result  # each of fewer than 2^20 terms is off by less than 2

    return (18 * inverse_atanh(26) - 2 * inverse_atanh(4801) + 8 * inverse_atanh(8749)) >> 32


class TaylorExp:
    """exp r for 0 <= r <= 2^-small, in units of 2^-bits, off by less than 16: the sum of r^j/j! for j < N, what is left out being below
    2 r^N/N! < 2^-bits. Few terms go one by one, many in blocks of `width` terms, which need fewer products of two long numbers."""

    def __init__(self, bits: int, small: int) -> None:
        terms, reached = 1, 0
        while reached < bits + 2:
            reached += small + terms.bit_length() - 1  # log2 of 2^small * terms, or less
            terms += 1
        self.bits, self.width = bits, math.isqrt(terms) + 1
        self.one, self.few = 1 << bits, range(terms - 1, 0, -1) if terms <= FEW_TERMS else None
        self.blocks = []  # from the last: (first+width)!/(first+i)! for i < width, and (first+width)!/first!
        for first in range(terms // self.width * self.width, -1, -self.width):
            factors = [1]
            for j in range(first + self.width, first, -1):
                factors.append(factors[-1] * j)
            self.blocks.append((factors[:0:-1], factors[-1]))

    def __call__(self, r: int) -> int:
        if self.few is not None:
            rest, one, bits = self.one, self.one, self.bits
            for j in self.few:
                rest = one + (r * rest >> bits) // j
            return rest
        powers = [1 << self.bits, r]
        while len(powers) <= self.width:
            powers.append(powers[-1] * r >> self.bits)
        last, rest = powers.pop(), 0
        for factors, whole in self.blocks:
            rest = (sum(map(int.__mul__, factors, powers)) + (last * rest >> self.bits)) // whole
        return rest


class FixedExp:
    """exp in units of 2^-bits: x = n log 2 + j_1/2^b + j_2/2^2b + j_3/2^3b + r, where exp(j_k/2^kb) is looked up."""

    def __init__(self, bits: int) -> None:
        self.bits, self.long = bits, bits + FIXED_GUARD
        self.table_bits = 10 if bits <= 1024 else 7  # tables of long numbers take long to make
        self.taylor = TaylorExp(self.long, TABLE_LEVELS * self.table_bits)
        self.log_of_2 = fixed_log_of_2(self.long + 32)
        places = [self.long - self.table_bits * level for level in range(1, TABLE_LEVELS + 1)]
        self.levels = [(place, (1 << place) - 1, self.table(self.long - place)) for place in places]

    def table(self, small: int) -> list[int]:
        first = TaylorExp(self.long, small)(1 << (self.long - small))
        entries = [1 << self.long]
        for _ in range(2**self.table_bits - 1):
            entries.append(entries[-1] * first >> self.long)
        return entries  # the j-th is at most exp(1) in the first level, exp(2^-7) beyond, and off by less than 50 j, or 20 j

    def __call__(self, x: int) -> Ball:
        """exp(x 2^-bits). Before the last shift e lies in [1, 2.01) and is off by less than 2^18 of 2^-long, so by 2^-30 of 2^-bits."""
        scaled, long = x << (FIXED_GUARD + 32), self.long
        n = scaled // self.log_of_2
        if n < -self.bits - 2:
            return 0, 1
        demand(n <= 2 << MAX_EXP_ARGUMENT_BITS, "the run: exp of more than 2^20")
        r = (scaled - n * self.log_of_2) >> 32
        e = None
        for place, mask, table in self.levels:
            e = table[r >> place] if e is None else e * table[r >> place] >> long
            r &= mask
        e = e * self.taylor(r) >> long
        e = e >> (FIXED_GUARD - n) if n <= FIXED_GUARD else e << (n - FIXED_GUARD)
        return e, 2 + (e >> (self.bits + 20))

    def ball(self, x: Ball) -> Ball:
        m, r = x
        demand(r >> self.bits == 0, "the run: its enclosure is too wide")
        e, off = self(m)
        grows = r + (r * r >> self.bits) + 1  # exp(r) - 1 <= r + r^2 for r <= 1
        return e, off + ((e + off) * grows >> self.bits) + 1


def ball_of(q: Fraction, bits: int) -> Ball:
    m, rest = divmod(q.numerator << bits, q.denominator)
    return m, int(rest != 0)


def ball_product(a: Ball, b: Ball, bits: int) -> Ball:
    return a[0] * b[0] >> bits, (abs(a[0]) * b[1] + a[1] * (abs(b[0]) + b[1]) >> bits) + 2


def ball_quotient(a: Ball, b: Ball, bits: int) -> Ball:
    """a/b for b > 0: |a/b - m| <= (a_r + |m| b_r)/(b_m - b_r), m = a_m/b_m."""
    demand(b[0] > b[1], "the run: a divisor is not shown to be positive")
    m = (a[0] << bits) // b[0]
    return m, ((a[1] << bits) + (abs(m) + 1) * b[1]) // (b[0] - b[1]) + 2


# ---------------------------------------------------------------------------------------------
# §4.20 Runs of descent

def scores_differ(scores: Vector) -> bool:
    return min(scores) < max(scores)


METHODS = ("constant", "normalised", "flow")
MOST_WORK = 2**32
BITS_AFTER_RUN = 320
LENGTH_BITS = 32  # of the lengths of rows: upper bounds, in units of 2^-LENGTH_BITS
MOST_FAST_SCORE = 4096  # beyond it slopes come from jets
FINE_BITS = 32  # by which coefficients and products of rows are finer than the other numbers of a run over W


@dataclass(frozen=True)
class Pull:
    """Token t of a sample against its reference token r."""

    token: int
    logit: list[int]  # over p: k_r - k_t times the denominator
    denominator: int
    gap: int  # (gamma_r - gamma_t) times the common denominator of the scores


class Coordinates:
    """The coordinates of a run. Over p the components of p; over W the coefficients B_c of p = start + sum of B_c a_c."""

    def __init__(self, rows: Rows, start: Any) -> None:
        self.rows = rows
        problem = rows.problem
        self.score_denominator = math.lcm(*(score.denominator for score in problem.all_scores()))
        self.known: dict[tuple[int, int], list[Pull]] = {}
        if rows.over == "p":
            self.start = list(start)
            self.denominators = [math.lcm(*(x.denominator for key in keys for x in key)) for keys in problem.keys]
            return
        self.start = [Fraction(0)] * len(rows.names)
        self.at_start = rows.values(start)
        self.gram = {c: [rows.product(c, e) for e in rows.names] for c in rows.names}
        self.lengths = [root_of(self.gram[c][k]) for k, c in enumerate(rows.names)]

    def pulls(self, i: int, r: int) -> list[Pull]:
        if (i, r) not in self.known:
            self.known[i, r] = [self.pull(i, r, t) for t in range(len(self.rows.problem.tokens[i])) if t != r]
        return self.known[i, r]

    def pull(self, i: int, r: int, t: int) -> Pull:
        scores = self.rows.problem.scores[i]
        gap = int((scores[r] - scores[t]) * self.score_denominator)
        if self.rows.over == "W":
            return Pull(t, [], 1, gap)
        below, keys = self.denominators[i], self.rows.problem.keys[i]
        return Pull(t, [int((x - y) * below) for x, y in zip(keys[r], keys[t])], below, gap)


def whole_numbers(vector: Vector) -> tuple[list[int], int]:
    below = math.lcm(*(x.denominator for x in vector))
    return [int(x * below) for x in vector], below


class Slopes:
    """-l' of the loss at balls of `bits` bits: balls of `bits + extra` bits, which keep their relative precision where l' is small."""

    def __init__(self, problem: Problem, bounds: LossBounds) -> None:
        self.node, self.bounds = loss_node(problem), bounds
        scores = problem.all_scores()
        logistic = [ExpressionParser(form).parse() for form in LOGISTIC_FORMS]
        self.fast: Callable[[FixedExp, Ball], Ball] | None = None
        if max(map(abs, scores)) <= MOST_FAST_SCORE:
            if self.node in logistic:
                self.fast = self.logistic
            elif self.node == ExpressionParser(NAMED_LOSSES["exponential"]).parse():
                self.fast = self.exponential
        self.extra = max(0, math.ceil(max(scores) * 3 / 2)) if self.fast else 0

    def __call__(self, arguments: list[Ball], bits: int, exp: FixedExp) -> tuple[list[Ball], int]:
        """The slopes and their bits; exp is that of bits + extra."""
        if self.fast:
            return [self.fast(exp, (m << self.extra, r << self.extra)) for m, r in arguments], bits + self.extra
        with precision(bits + 64):
            found = [-evaluate(self.node, self.inside(ball, bits)).f1 for ball in arguments]
        longer = bits + max(0, *(-top(slope.hi) for slope in found))
        return [fixed_ball(slope, longer) for slope in found], longer

    def spreads(self, field: Field, mean: Spread, exp: FixedExp) -> tuple[Spread, Spread]:
        """Of -l' and l'', both times 2^(slope_bits - shift), where the mean of scores has this spread. For the two named losses -l' falls,
        and l'' is -l' or p (1 - p) for p = -l', which is least at an end and largest at one or at p = 1/2."""
        lo, hi = Fraction(mean[0]), Fraction(mean[1])
        if not self.fast:
            jet = evaluate(self.node, self.cut(Interval.of(lo, hi)))
            after = field.slope_bits - field.shift + JET_BITS
            slope, bend = (float_spread(fixed_ball(part, after), 1 << JET_BITS) for part in (-jet.f1, jet.f2))
            return slope, bend
        one, unit = 1 << exp.bits, 1 << field.shift
        slopes = [self.fast(exp, (math.floor(lo * one), 1)), self.fast(exp, (math.floor(hi * one), 1))]
        if self.fast == self.exponential:
            return hull(slopes, unit), hull(slopes, unit)
        bends = [ball_product((m, r), (one - m, r), exp.bits) for m, r in slopes]
        if slopes[1][0] - slopes[1][1] <= one // 2 <= slopes[0][0] + slopes[0][1]:
            bends.append((one // 4, 0))
        return hull(slopes, unit), hull(bends, unit)

    def with_curvatures(self, field: Field, reaches: list[float], theta: float) -> list[tuple[WithBound, WithBound]]:
        """-l' and l'' of the loss where the means go at most these reaches away from those of the field, both times
        2^(slope_bits - shift). For the two named losses they are those of the middle, from which -l' and l'' change by factors
        between exp(-reach) and exp(reach): the derivatives of their logarithms lie in [-1, 1]. Otherwise they hold the range."""
        if self.fast:
            unit, one = 1 << field.shift, 1 << field.slope_bits
            bends = field.slopes if self.fast == self.exponential else \
                [ball_product((m, r), (one - m, r), field.slope_bits) for m, r in field.slopes]
            return [(with_bound(slope, unit), with_bound(bend, unit)) for slope, bend in zip(field.slopes, bends)]
        result = []
        for (m, r), reach in zip(field.means, reaches):
            further = math.ceil(Fraction(reach) * (1 << field.bits))
            jet = evaluate(self.node, self.inside((m, r + further), field.bits))
            parts = [fixed_ball(part, field.slope_bits - field.shift + JET_BITS) for part in (-jet.f1, jet.f2)]
            slope, bend = (with_bound(part, 1 << JET_BITS, theta) for part in parts)
            result.append((slope, bend))
        return result

    def inside(self, ball: Ball, bits: int) -> Interval:
        """The part of the ball in the interval of the loss block, which holds every mean of scores."""
        return self.cut(interval_of(ball, bits))

    def cut(self, found: Interval) -> Interval:
        limits = Interval.of(self.bounds.lo, self.bounds.hi)
        return Interval(greatest([found.lo, limits.lo]), least([found.hi, limits.hi]))

    @staticmethod
    def logistic(exp: FixedExp, u: Ball) -> Ball:
        m, r = exp.ball(u)
        return ball_quotient((1 << exp.bits, 0), ((1 << exp.bits) + m, r), exp.bits)

    @staticmethod
    def exponential(exp: FixedExp, u: Ball) -> Ball:
        return exp.ball((-u[0], u[1]))


def interval_of(ball: Ball, bits: int) -> Interval:
    m, r = ball
    return Interval(rounded(m - r, -bits, False), rounded(m + r, -bits, True))


def fixed_ball(x: Interval, bits: int) -> Ball:
    def fixed(end: Dyadic, up: bool) -> int:
        m, shift = end[0], end[1] + bits
        if shift >= 0:
            return m << shift
        return -(-m >> -shift) if up else m >> -shift

    lo, hi = fixed(x.lo, False), fixed(x.hi, True)
    return lo + hi >> 1, (hi - lo + 1 >> 1) + 1


@dataclass(frozen=True)
class Field:
    """-grad L at what a run holds, and the numbers it is made of; the lists go by the samples with a gradient."""

    bits: int
    weights: list[list[int]]  # exp(raised - u_t), each off by at most weight_off
    weight_off: int
    damped: Ball  # exp(-raised)
    below: list[Ball]  # 1 + E
    gaps: list[list[int]]  # gamma_r - gamma_t - G, each off by at most
    gap_offs: list[int]
    means: list[Ball]
    slopes: list[Ball]  # -l', in units of 2^-slope_bits
    slope_bits: int
    shift: int
    direction: list[int]  # -n grad L exp(raised) 2^(slope_bits - shift), off by at most
    direction_offs: list[int]


@dataclass(frozen=True)
class Gaps:
    """gamma_r - gamma_t for the tokens t != r of a sample: times the common denominator of the scores, and in units of 2^-bits."""

    whole: list[int]
    fixed: list[int]
    total: int  # of the absolute values of whole

    @staticmethod
    def of(pulls: list[Pull], below: int, bits: int) -> Gaps:
        whole = [pull.gap for pull in pulls]
        return Gaps(whole, [(gap << bits) // below for gap in whole], sum(map(abs, whole)))


@dataclass(frozen=True)
class Stride:
    """A step adds g times a factor to the coordinates: `factor` is near it, `above` is not less than it for any g that the field
    holds, both times 2^guard; the factor times g is off by as much as g is and g_off, times above."""

    factor: int
    above: int
    g_off: int
    guard: int


class DescentRun:
    """p_k lies within radius (in units of 2^-bits) of the point that x stands for, in units of 2^-x_bits. With F the map of one step,
    |F(p) - F(c)| <= Lambda |p - c| where Lambda bounds the derivative of F on the ball, which is convex."""

    def __init__(self, coordinates: Coordinates, slopes: Slopes, method: str, step: Fraction, bits: int, x_bits: int) -> None:
        self.coordinates, self.slopes = coordinates, slopes
        self.problem = coordinates.rows.problem
        self.normalised = method != "constant"
        self.step = step
        self.bits, self.x_bits = bits, x_bits
        begin = [ball_of(value, x_bits) for value in coordinates.start]
        self.x = [m for m, _ in begin]
        self.radius = self.distance([r for _, r in begin])
        self.samples = [i for i, scores in enumerate(self.problem.scores) if scores_differ(scores)]  # the others have no gradient
        self.reference = {i: 0 for i in self.samples}
        self.exp = FixedExp(bits)
        self.slope_exp = FixedExp(bits + slopes.extra) if slopes.extra else self.exp
        self.known_gaps: dict[tuple[int, int], Gaps] = {}
        self.derivative = self.bounds_of_steps()

    def advance(self) -> None:
        field = self.field()
        stride = self.stride(field)
        offs = [((r + stride.g_off) * stride.above >> stride.guard) + 3 for r in field.direction_offs]
        self.radius = self.stretched(field) + self.distance(offs)
        self.move(field, stride)
        demand(self.radius >> self.bits == 0, "the run: its enclosure is too wide")

    def move(self, field: Field, stride: Stride) -> None:
        self.x = [x + (g * stride.factor >> stride.guard) for x, g in zip(self.x, field.direction)]

    def stretched(self, field: Field) -> int:
        return (self.radius * math.ceil(self.derivative.norm(field) * 2.0**FLOAT_GUARD) >> FLOAT_GUARD) + 1

    def pulls(self, i: int) -> list[Pull]:
        return self.coordinates.pulls(i, self.reference[i])

    def gaps(self, i: int) -> Gaps:
        r = self.reference[i]
        if (i, r) not in self.known_gaps:
            self.known_gaps[i, r] = Gaps.of(self.pulls(i), self.coordinates.score_denominator, self.bits)
        return self.known_gaps[i, r]

    def stride(self, field: Field) -> Stride:
        """With g off by r and its length L by s, |g/L| is off by at most (r + |g| s/L)/(L - s)."""
        largest = max(map(abs, field.direction))
        guard, unit = largest.bit_length(), self.x_bits - self.bits
        if not self.normalised:
            factor = math.floor(self.step / self.problem.n * (1 << guard + unit))
            return Stride(factor, factor + 1, 0, guard)
        square, width = self.square(field)
        demand(square > width, "the run: it may pass through a stationary point (the gradient is not shown to differ from 0)")
        lower, upper = math.isqrt(square - width), math.isqrt(square + width) + 1
        length, off = lower + upper >> 1, (upper - lower >> 1) + 1
        demand(length > off, "the run: a divisor is not shown to be positive")
        step, below = self.step.numerator << guard + self.x_bits, self.step.denominator
        return Stride(step // (below * length), step // (below * (length - off)) + 1, largest * off // length + 1, guard)

    def field(self) -> Field:
        """For normalised steps the direction is a positive multiple of -grad L that does not underflow."""
        bits, one, exp = self.bits, 1 << self.bits, self.exp
        if not self.samples:
            return Field(bits, [], 0, (one, 0), [], [], [], [], [], bits, bits, [0] * len(self.x), [0] * len(self.x))
        logits = [self.leading_logits(i) for i in self.samples]
        raised = min(map(min, logits)) >> bits if self.normalised else 0
        highest = raised << bits
        damped = exp(-highest) if raised else (one, 0)
        weights = [[exp(highest - u)[0] for u in found] for found in logits]
        largest = max(map(max, weights))
        off = 4 + (largest >> (bits + 20)) + ((largest + 4) * 2 * self.logit_off() >> bits)  # exp(r) - 1 <= 2 r for r <= 1
        below, gaps, gap_offs, means = [], [], [], []
        for i, own in zip(self.samples, weights):
            near = self.gaps(i)
            m, r = ball_product((sum(own), len(own) * off), damped, bits)
            below.append((one + m, r))
            lost = sum(map(operator.mul, own, near.whole)), off * near.total
            m, r = ball_quotient(ball_product(lost, damped, bits), below[-1], bits)
            m, r = m // self.coordinates.score_denominator, r // self.coordinates.score_denominator + 2
            gaps.append([gap - m for gap in near.fixed])
            gap_offs.append(r + 1)
            means.append(self.mean(i, (m, r)))
        slopes, slope_bits = self.slopes(means, bits, self.slope_exp)
        factors = [ball_quotient(slope, divisor, bits) for slope, divisor in zip(slopes, below)]
        shift = max(abs(factor) for factor, _ in factors).bit_length() if self.normalised else slope_bits
        pushes = []
        for own, near, near_off in zip(weights, gaps, gap_offs):
            most = (max(own) * near_off + off * (max(map(abs, near)) + near_off) >> bits) + 2
            pushes.append(([weight * gap >> bits for weight, gap in zip(own, near)], most))
        direction, offs = self.combined(pushes, factors, shift)
        return Field(bits, weights, off, damped, below, gaps, gap_offs, means, slopes, slope_bits, shift, direction, offs)

    def mean(self, i: int, loss: Ball) -> Ball:
        m, r = ball_of(self.problem.scores[i][self.reference[i]], self.bits)
        return m - loss[0], r + loss[1]


class VectorRun(DescentRun):
    """Over p: x is the point itself."""

    def __init__(self, coordinates: Coordinates, slopes: Slopes, method: str, step: Fraction, bits: int) -> None:
        super().__init__(coordinates, slopes, method, step, bits, bits)
        self.known_columns: dict[tuple[int, int], list[tuple[tuple[int, ...], int]]] = {}

    def bounds_of_steps(self) -> StepDerivative:
        return StepDerivative(self)

    @staticmethod
    def distance(radii: list[int]) -> int:
        """An upper bound of how far points are apart that differ by at most this much in each coordinate."""
        return root_above(sum(r * r for r in radii))

    @staticmethod
    def logit_off() -> int:
        return 1

    def logits(self, i: int, r: int) -> list[int]:
        """u_t for the tokens t != r"""
        return [sum(map(operator.mul, pull.logit, self.x)) // pull.denominator for pull in self.coordinates.pulls(i, r)]

    def leading_logits(self, i: int) -> list[int]:
        """The same for the token whose logit is largest, which becomes the reference."""
        found = self.logits(i, self.reference[i])
        lowest = min(range(len(found)), key=found.__getitem__)
        if found[lowest] >= 0:
            return found
        self.reference[i] = self.pulls(i)[lowest].token
        return self.logits(i, self.reference[i])

    def combined(self, pushes: list[tuple[list[int], int]], factors: list[Ball], shift: int) -> tuple[list[int], list[int]]:
        """The sum over samples of factor_i sum_t e_t (gap_t - G_i)(k_r - k_t), in units of 2^-bits once shifted; and how far off."""
        middles, radii = [0] * len(self.x), [0] * len(self.x)
        for i, (products, off), (factor, width) in zip(self.samples, pushes, factors):
            below, off = self.coordinates.denominators[i], len(products) * off
            for j, (column, largest) in enumerate(self.columns(i)):
                m, r = sum(map(operator.mul, column, products)) // below, largest * off // below + 2
                middles[j] += factor * m
                radii[j] += abs(factor) * r + width * (abs(m) + r)
        return [m >> shift for m in middles], [(r >> shift) + 2 for r in radii]

    def columns(self, i: int) -> list[tuple[tuple[int, ...], int]]:
        """The directions k_r - k_t by coordinate, with the largest component of each."""
        r = self.reference[i]
        if (i, r) not in self.known_columns:
            self.known_columns[i, r] = [(column, max(map(abs, column))) for column in zip(*(pull.logit for pull in self.pulls(i)))]
        return self.known_columns[i, r]

    @staticmethod
    def square(field: Field) -> Ball:
        """|direction|^2, in units of 2^(-2 bits)"""
        pairs = list(zip(field.direction, field.direction_offs))
        return sum(m * m for m, _ in pairs), sum(r * (2 * abs(m) + r) for m, r in pairs)


class FlowRun(VectorRun):
    """Over p, along the curve of the flow: p_k is its point at length k step. Curves of the unit field V from points of the ball stay
    within radius + step of its centre over the next piece. There the distance of two of them grows by at most exp(step mu), mu the
    logarithmic norm of V', and step mu <= |I + step V'| - 1; V turns by at most |V'| times the length gone, so that the curve from the
    centre ends at most step^2 |V'|/2 from where the straight step does."""

    def bounds_of_steps(self) -> FlowDerivative:
        return FlowDerivative(self)

    def stretched(self, field: Field) -> int:
        growth, change = self.derivative.bounds(field)
        grown = math.ceil(math.exp(growth) * LOOSER_BY_ROUNDING * 2.0**FLOAT_GUARD)
        bend = Fraction(change) * self.step / 2
        return (self.radius * grown >> FLOAT_GUARD) + 1 + math.ceil(bend * (1 << self.bits))


class PackedMatrix:
    """A matrix of integers, to be multiplied by vectors of integers: the entries of a column stand side by side in one long integer, each
    in `width` bytes, so that a column is multiplied at once."""

    def __init__(self, matrix: list[list[int]]) -> None:
        self.columns = list(zip(*matrix))
        self.entry_bits = max(abs(x) for row in matrix for x in row).bit_length()
        self.width, self.middle, self.zeros, self.packed = 0, 0, 0, []

    def times(self, x: list[int]) -> list[int]:
        n = len(self.columns)
        due = self.entry_bits + max(map(abs, x)).bit_length() + n.bit_length() + 1  # what a sum and its sign take
        if not due <= 8 * self.width <= due + 512:
            self.pack(due // 8 + 17)
        width, middle = self.width, self.middle
        whole = (sum(map(operator.mul, self.packed, x)) + self.zeros).to_bytes(n * width, "little")
        return [int.from_bytes(whole[k:k + width], "little") - middle for k in range(0, n * width, width)]

    def pack(self, width: int) -> None:
        """With `middle` added to each entry none is negative; `zeros` is what that adds to a column."""
        def side_by_side(values: Iterable[int]) -> int:
            return int.from_bytes(b"".join((x + self.middle).to_bytes(width, "little") for x in values), "little")

        self.width, self.middle = width, 1 << 8 * width - 1
        self.zeros = side_by_side([0] * len(self.columns))
        self.packed = [side_by_side(column) - self.zeros for column in self.columns]


class MatrixRun(DescentRun):
    """Over W: x are the coefficients B of rows, and the radius is of the Frobenius norm. y are the products of the rows with the
    point, in units of 2^-x_bits, each off by at most y_off; they go along with x and are made anew before that is more than 2^-bits."""

    def __init__(self, coordinates: Coordinates, slopes: Slopes, method: str, step: Fraction, bits: int) -> None:
        rows = coordinates.rows
        self.lengths = [sum(fixed_ball(length, LENGTH_BITS)) for length in coordinates.lengths]
        self.whole, self.below = whole_matrix([coordinates.gram[row] for row in rows.names])
        self.packed = PackedMatrix(self.whole)
        sizes = [sum(map(abs, line)) for line in self.whole]
        self.gram_size, self.gram_total = max(sizes) // self.below + 1, sum(sizes)
        place = {row: k for k, row in enumerate(rows.names)}
        self.places = [[place.get((i, t)) for t in range(len(sample))] for i, sample in enumerate(rows.problem.tokens)]
        super().__init__(coordinates, slopes, method, step, bits, bits + FINE_BITS)
        self.y_start = [ball_of(coordinates.at_start[row], self.x_bits)[0] for row in rows.names]
        self.y, self.y_off = self.y_start, 1

    def bounds_of_steps(self) -> RowStretch:
        return RowStretch(self)

    def distance(self, radii: list[int]) -> int:
        return (sum(map(operator.mul, self.lengths, radii)) >> LENGTH_BITS + FINE_BITS) + 1

    def move(self, field: Field, stride: Stride) -> None:
        """x changes by floor(factor g), so that G x is off from factor G g by at most the size of G; so much is y off by, and its own
        roundings: an image is below 2^(guard + finer)."""
        super().move(field, stride)
        finer = self.packed.entry_bits + len(self.y).bit_length()
        factor = (stride.factor << finer) // self.below
        self.y = [y + (image * factor >> stride.guard + finer) for y, image in zip(self.y, self.image)]
        self.y_off += self.gram_size + 2
        if self.y_off >> FINE_BITS:
            self.y = [y + image // self.below for y, image in zip(self.y_start, self.packed.times(self.x))]
            self.y_off = 2

    def field(self) -> Field:
        """With the image of the direction under G, times below."""
        result = super().field()
        self.image = self.packed.times(result.direction)
        return result

    def logit_off(self) -> int:
        return (2 * self.y_off >> FINE_BITS) + 2

    def leading_logits(self, i: int) -> list[int]:
        """u_t for the tokens t != r, r the token whose logit is largest, which becomes the reference. The logit of the selected token less
        that of t is y_t."""
        own = [0 if k is None else self.y[k] for k in self.places[i]]
        lowest, r = min(own), self.reference[i]
        if own[r] > lowest:
            r = self.reference[i] = own.index(lowest)
        return [y - lowest >> FINE_BITS for t, y in enumerate(own) if t != r]

    def combined(self, pushes: list[tuple[list[int], int]], factors: list[Ball], shift: int) -> tuple[list[int], list[int]]:
        """The coefficients of rows in the sum over samples of factor_i sum_t e_t (gap_t - G_i)(k_r - k_t), k_r - k_t = a_t - a_r with
        a_alpha = 0, in units of 2^-bits once shifted; and how far off."""
        middles, radii = [0] * len(self.x), [0] * len(self.x)
        for i, (products, off), (factor, width) in zip(self.samples, pushes, factors):
            places, r = self.places[i], self.reference[i]
            scaled = [factor * product for product in products]
            most = (abs(factor) * off + width * (max(map(abs, products)) + off) >> shift) + 2
            for k, x in zip(places[:r] + places[r + 1:], scaled):
                if k is not None:
                    middles[k], radii[k] = x >> shift, most
            if places[r] is not None:
                middles[places[r]], radii[places[r]] = -sum(scaled) >> shift, most * len(scaled)
        return middles, radii

    def square(self, field: Field) -> Ball:
        """direction^T G direction, in units of 2^(-2 bits)"""
        result = sum(map(operator.mul, field.direction, self.image)) // self.below
        around = sum(map(operator.mul, field.direction_offs, map(abs, self.image)))
        return result, (2 * around + max(field.direction_offs) ** 2 * self.gram_total) // self.below + 2


def root_above(square: int) -> int:
    return math.isqrt(square) + 1 if square else 0


# ---------------------------------------------------------------------------------------------
# §4.20 The derivative of a step on a ball, in floats. Every number x stands with a bound of its size: |x| <= bound, and the true
# numbers of the ball are within (g - 1) bound of x, where g > 1 is known. For a product of such numbers the same holds with the
# products of the bounds and of the g, for a sum with the sum of the bounds and the largest g; a float operation, rounded to nearest,
# multiplies g by at most 1 + 2^-52 (where nothing underflows: with numbers up to 2^100, what underflow leaves out stays below 2^-500).
# So only the bounds are computed along with the numbers, and g once at the end.

FLOAT_GUARD = 40
JET_BITS = 128
INPUT_ERROR = 2.0**-50
MOST_FLOAT = 2.0**100
UNDERFLOW = 2.0**-500
LOOSER = 1 + 2.0**-20  # more than the roundings of a sum of bounds can take away: see StepDerivative
WithBound = tuple[float, float]
WithBounds = tuple[list[float], list[float]]  # numbers and their bounds
FloatMatrix = list[list[float]]


def with_bound(ball: Ball, unit: int, theta: float = INPUT_ERROR) -> WithBound:
    """(m, r) in units of 1/unit, in floats. The bound is so large that r is at most theta of it."""
    m, r = ball
    bound = abs(m) + (r << 50 if theta == INPUT_ERROR else math.ceil(r / Fraction(theta)))
    demand(bound >> 99 < unit, "the run: a number is too large for floats")
    return m / unit, bound / unit


def product_sum(a: list[float], b: list[float]) -> float:
    return sum(map(operator.mul, a, b))


@dataclass(frozen=True)
class FloatPulls:
    """The directions d_t = k_r - k_t of a sample, by coordinate; bounds of their lengths and of |gamma_r - gamma_t|."""

    columns: list[list[float]]
    lengths: list[float]
    gaps: list[float]

    @staticmethod
    def of(pulls: list[Pull], score_denominator: int) -> FloatPulls:
        def quotient(x: int, y: int) -> float:
            demand(abs(x) <= y << 90, "the run: a number is too large for floats")
            return x / y

        directions = [[quotient(x, pull.denominator) for x in pull.logit] for pull in pulls]
        lengths = [math.sqrt(product_sum(d, d)) * LOOSER + UNDERFLOW for d in directions]
        gaps = [abs(quotient(pull.gap, score_denominator)) * LOOSER for pull in pulls]
        return FloatPulls([list(column) for column in zip(*directions)], lengths, gaps)


class StepDerivative:
    """Bounds of the norm of F' on the ball of a run, F the map of one step. No number goes through more than `operations` float
    operations before it stands in F' (sums have at most sum T + 3 n, or d terms): rounding bounds what they multiply g by, less 1."""

    def __init__(self, run: VectorRun) -> None:
        self.run = run
        self.d = len(run.x)
        operations = 8 * (sum(map(len, run.problem.tokens)) + self.d + run.problem.n) + 128
        demand(operations <= 2**30, "the run: too many tokens for floats")
        self.rounding = operations * 2.0**-52
        demand(run.step <= 2**90, "the run: a number is too large for floats")
        self.step = float(run.step if run.normalised else run.step / run.problem.n)
        self.floats: dict[tuple[int, int], FloatPulls] = {}
        self.leading = [1.0] * self.d

    def pulls(self, i: int) -> FloatPulls:
        r = self.run.reference[i]
        if (i, r) not in self.floats:
            self.floats[i, r] = FloatPulls.of(self.run.pulls(i), self.run.coordinates.score_denominator)
        return self.floats[i, r]

    def norm(self, field: Field) -> float:
        """Lambda >= |F'(q)| for every q of the ball"""
        matrix, off = self.enclosed(field)
        bound, self.leading = norm_bound(matrix, self.leading)
        bound = (bound + off) * LOOSER_BY_ROUNDING
        demand(bound <= MOST_FLOAT, "the run: the derivative of a step is not bounded")  # nan fails too
        return bound

    def enclosed(self, field: Field) -> tuple[FloatMatrix, float]:
        """A matrix from which no F' of the ball differs by more than the second number, in the spectral norm."""
        found, error = self.jacobian(field)
        jacobian, size, pull = found.matrix(), found.size * LOOSER, found.pull * LOOSER
        if self.run.normalised:
            return self.normalised(field, jacobian, error * size, error * pull, size)
        matrix = [[self.step * x + (j == k) for k, x in enumerate(row)] for j, row in enumerate(jacobian)]
        return matrix, (self.step * (error * size + UNDERFLOW) + self.rounding * (self.d + self.step * size)) * LOOSER

    def normalised(self, field: Field, jacobian: FloatMatrix, off: float, pull_off: float, size: float) -> tuple[FloatMatrix, float]:
        """I + (step/|g|)(I - u u^T) J, u = g/|g|, where |J| <= size and J is off by at most `off`; a g of the ball is at most pull_off away
        from the g of the jacobian's numbers, so 2 pull_off from g(c). With away >= |g(q) - g(c)| and rho >= away/|g(c)|, roundings
        included: 1/|g| is off by rho of its bound 1/(|g(c)| - away), u by 2 rho, u u^T by 2 rho (2 + 2 rho), so the product by
        rho (5 + 8 rho + 4 rho^2) size + off, times that bound. As rho < 1 that is less than 17 rho size + off."""
        one = 1 << field.bits
        g, g_off = [m / one for m in field.direction], [r / one for r in field.direction_offs]
        length = math.sqrt(product_sum(g, g))
        away = (math.sqrt(product_sum(g_off, g_off)) + self.rounding * length + 2 * pull_off) * LOOSER + UNDERFLOW
        demand(away < length / 2, "the run: it may pass through a stationary point (the gradient is not shown to differ from 0 near it)")
        rho = (away / length + self.rounding) * LOOSER
        most = self.step / (length - away) * LOOSER
        demand(most <= MOST_FLOAT, "the run: a number is too large for floats")
        u, factor = [x / length for x in g], self.step / length
        along = [product_sum(u, row) for row in jacobian]  # u^T J: J is symmetric
        matrix = [[factor * (x - u[j] * along[k]) + (j == k) for k, x in enumerate(row)] for j, row in enumerate(jacobian)]
        return matrix, (most * (17 * rho * size + off + UNDERFLOW) + self.rounding * (self.d + 3 * most * size)) * LOOSER

    def jacobian(self, field: Field) -> tuple[JacobianSum, float]:
        """n J exp(raised) 2^(slope_bits - shift) as in §4.20, and g - 1 for it: a term of J has at most two s_t, two of Delta_t - G and
        one slope or curvature; the other five numbers are off by rounding alone."""
        pulls = [self.pulls(i) for i in self.run.samples]
        terms = FloatTerms.of(self.run, field, [near.lengths for near in pulls], [near.gaps for near in pulls])
        result = JacobianSum(self.d, terms.damp)
        for near, shares, gaps, (slope, bend) in zip(pulls, terms.shares, terms.gaps, terms.slopes):
            result.add(near, shares, gaps, slope, bend)
        growth = terms.growth + 10 * INPUT_ERROR + self.rounding
        demand(growth <= 64, "the run: its enclosure is too wide")
        return result, math.expm1(growth * LOOSER) * LOOSER


@dataclass(frozen=True)
class FloatTerms:
    """What g and J are made of on the ball, by sample: s_t and Delta_t - G (s_t exp(raised) times), -l' and l'' times
    2^(slope_bits - shift), exp(-raised). A product of at most two s_t, two of Delta_t - G and one slope or curvature has
    g <= exp(growth): with |q - c| <= e and w >= |d_t| e all e_t and 1 + E change by factors between exp(-w) and exp(w), so s_t by
    exp(-2w) to exp(2w), and G by at most tau = exp(2w) - 1 of the sum of s_t |Delta_t|, which is part of the bound of Delta_t - G."""

    shares: list[WithBounds]
    gaps: list[WithBounds]
    slopes: list[tuple[WithBound, WithBound]]
    damp: WithBound
    growth: float

    @staticmethod
    def of(run: DescentRun, field: Field, lengths: list[list[float]], gap_sizes: list[list[float]]) -> FloatTerms:
        one = 1 << field.bits
        widest = (run.radius / one * LOOSER + UNDERFLOW) * max((x for own in lengths for x in own), default=0.0) * LOOSER
        demand(widest <= 1, "the run: its enclosure is too wide")
        tau = math.expm1(2 * widest) * LOOSER
        theta = INPUT_ERROR + tau
        damp = with_bound(field.damped, one)
        off, shares, lost = with_bound((0, field.weight_off), one)[1], [], []
        for own, (m, r), sizes in zip(field.weights, field.below, gap_sizes):
            divisor, looser = m / one, 1 + (r << 50) / m
            values = [weight / one / divisor for weight in own]
            bounds = [(x + off / divisor) * looser for x in values]
            shares.append((values, bounds))
            lost.append(damp[1] * product_sum(bounds, sizes) * LOOSER)
        reaches = [tau * x * LOOSER + UNDERFLOW for x in lost]
        slopes = run.slopes.with_curvatures(field, reaches, theta)
        gaps = []
        for own, r, most in zip(field.gaps, field.gap_offs, lost):
            values, more = [gap / one for gap in own], with_bound((0, r), one)[1] + most
            gaps.append((values, [abs(gap) + more for gap in values]))
        return FloatTerms(shares, gaps, slopes, damp, 8 * widest + theta + max(reaches, default=0.0))


class JacobianSum:
    """The sum over samples of -l'' phi phi^T - l' (D phi^T + phi D^T - sum of a_t d_t d_t^T), as products of left and right vectors,
    by coordinate. One phi of a product and the a_t are exp(raised) times those of §4.20; s_t too, so D and the other phi are damped."""

    def __init__(self, d: int, damp: WithBound) -> None:
        self.damp = damp
        self.lefts: FloatMatrix = [[] for _ in range(d)]
        self.rights: FloatMatrix = [[] for _ in range(d)]
        self.size = 0.0  # bounds the Frobenius norm, up to rounding
        self.pull = 0.0  # the same for the sum of -l' phi

    def add(self, near: FloatPulls, shares: WithBounds, gaps: WithBounds, slope: WithBound, bend: WithBound) -> None:
        damp, (b, b_bound), (c, c_bound) = self.damp[0], slope, bend
        s, a = shares[0], list(map(operator.mul, shares[0], gaps[0]))
        pushes = [-b * x for x in a]
        for left, right, column in zip(self.lefts, self.rights, near.columns):
            phi, mean = product_sum(a, column), damp * product_sum(s, column)
            left += map(operator.mul, pushes, column)
            left += b * mean, b * phi, -c * damp * phi
            right += column
            right += phi, mean, phi
        weights = list(map(operator.mul, shares[1], gaps[1]))
        phi_bound = product_sum(weights, near.lengths)
        mean_bound = self.damp[1] * product_sum(shares[1], near.lengths)
        self.size += phi_bound * (c_bound * self.damp[1] * phi_bound + 2 * b_bound * mean_bound)
        self.size += b_bound * sum(x * y * y for x, y in zip(weights, near.lengths))
        self.pull += b_bound * phi_bound

    def matrix(self) -> FloatMatrix:
        result = [[0.0] * len(self.lefts) for _ in self.lefts]
        for j, left in enumerate(self.lefts):
            for k in range(j + 1):
                result[j][k] = result[k][j] = product_sum(left, self.rights[k])
        return result


LOOSER_BY_ROUNDING = 1 + 2.0**-45  # more than a few operations are off by
NORM_LOOSENESS = 2.0**-10  # of squares: of norms it is half as much


def norm_bound(matrix: FloatMatrix, start: list[float]) -> tuple[float, list[float]]:
    """A number >= the spectral norm of a square matrix of floats, and a vector to start the next search from. The power method finds
    a number below the norm; a little more is a bound where `is_above_gram` shows it, and the Frobenius norm is one always."""
    columns = [list(column) for column in zip(*matrix)]
    gram = [[0.0] * len(columns) for _ in columns]
    for j, column in enumerate(columns):
        for k in range(j + 1):
            gram[j][k] = gram[k][j] = product_sum(column, columns[k])
    vector = start
    for rounds, looser in ((2, NORM_LOOSENESS), (6, NORM_LOOSENESS), (24, NORM_LOOSENESS), (96, NORM_LOOSENESS), (0, 2.0**-6), (0, 0.5)):
        for _ in range(rounds):
            image = [product_sum(row, vector) for row in gram]
            length = math.sqrt(product_sum(image, image))
            if not 2.0**-400 < length < 2.0**400:
                return frobenius_bound(matrix), [1.0] * len(columns)
            vector = [x / length for x in image]
        square = product_sum(vector, [product_sum(row, vector) for row in gram]) * (1 + looser)
        if is_above_gram(gram, square):
            return math.sqrt(square) * LOOSER_BY_ROUNDING, vector
    return frobenius_bound(matrix), [1.0] * len(columns)


def frobenius_bound(matrix: FloatMatrix) -> float:
    return math.sqrt(sum(product_sum(row, row) for row in matrix) + UNDERFLOW) * LOOSER


def is_above_gram(gram: FloatMatrix, square: float) -> bool:
    """Whether square I - A^T A is shown to be positive semidefinite, gram being A^T A rounded: the Cholesky factorisation of
    B = square I - gram - margin I runs to its end in floats.

    Then (Rump, Verification of positive definiteness, BIT 46 (2006); Higham, Accuracy and Stability, theorem 10.3) the factor R has
    R^T R = B + E with |E_jk| <= gamma |r_j||r_k| and |r_j|^2 <= B_jj/(1 - gamma), gamma = (d + 1)u/(1 - (d + 1)u), u = 2^-53, in whatever
    order sums are taken: |E| <= trace(B) gamma/(1 - gamma) <= 2 (d + 1) u d square. The entries of gram are off by at most
    2 d u |a_j||a_k|, in norm 2 d u trace(A^T A) <= 3 d u trace(gram), and the diagonal of B by 4 u (square + trace(gram)). The margin is
    more than twice the sum of these; as square > 2^-300, underflow (2^-1074 an operation) is far below what is left."""
    d = len(gram)
    margin = (8 * d + 64) * 2.0**-53 * (sum(gram[j][j] for j in range(d)) + d * square)
    if not (2.0**-300 < square < 2.0**300 and 0 < margin < square and d < 2**20):
        return False
    return factorises([[-x for x in gram[j][:j]] + [square - margin - gram[j][j]] for j in range(d)])


def factorises(lower: FloatMatrix) -> bool:
    """Whether Cholesky's factorisation of a symmetric matrix, given by its lower triangle, runs to its end."""
    rows: list[list[float]] = []
    for entries in lower:
        row: list[float] = []
        for k, entry in enumerate(entries[:-1]):
            row.append((entry - product_sum(row, rows[k])) / rows[k][k])
        pivot = entries[-1] - product_sum(row, row)
        if not pivot > 0:  # nan too
            return False
        row.append(math.sqrt(pivot))
        rows.append(row)
    return True


def has_least_eigenvalue(products: list[Vector], least: Fraction) -> bool:
    """Whether the matrix of the products of vectors with each other, given by its lower triangle, is shown to have no eigenvalue below
    least > 0. All is divided by the trace. An entry is rounded once, by 2^-53 of its size, so that the matrix is off by 2^-53 in norm
    (its entries are at most the root of the product of their diagonal entries, and these sum up to 1); the rest is as in is_above_gram, for
    a trace of 1 at most, and the margin is more than twice the sum of these."""
    trace = sum((row[-1] for row in products), Fraction(0))
    if least >= trace:
        return False
    taken = float(least / trace) * (1 + 2.0**-50) + (8 * len(products) + 64) * 2.0**-53
    lower = [[float(x / trace) for x in row] for row in products]
    for row in lower:
        row[-1] -= taken
    return factorises(lower)


# ---------------------------------------------------------------------------------------------
# §4.20 The same along the curve of the flow, where the ball is as wide as a piece of the curve is long: enclosed entry by entry, in
# floats. A spread is a lower and an upper end; a wide number (m, r) stands for all numbers within r of m.

Spread = tuple[float, float]
Wide = tuple[float, float]
FEW_ROUNDINGS = 2.0**-50  # what a few float operations are off by
MOST_CHANGE = 256.0  # so that exp of it is a float
SEARCH_ROUNDS = 12


def float_spread(ball: Ball, unit: int) -> Spread:
    """The ends of a ball in units of 1/unit, rounded outwards."""
    m, r = ball
    demand(abs(m) + r >> 99 < unit, "the run: a number is too large for floats")
    return math.nextafter((m - r) / unit, -math.inf), math.nextafter((m + r) / unit, math.inf)


def hull(balls: list[Ball], unit: int) -> Spread:
    ends = [float_spread(ball, unit) for ball in balls]
    return min(lo for lo, _ in ends), max(hi for _, hi in ends)


def wide_of(spread: Spread) -> Wide:
    m = (spread[0] + spread[1]) / 2
    return m, max(spread[1] - m, m - spread[0]) * LOOSER + UNDERFLOW  # each difference is rounded once


def wide_product(x: Wide, y: Wide) -> Wide:
    m = x[0] * y[0]
    return m, (abs(x[0]) * y[1] + x[1] * (abs(y[0]) + y[1]) + abs(m) * FEW_ROUNDINGS) * LOOSER + UNDERFLOW


def wide_sum(*terms: Wide) -> Wide:
    """Of a few numbers."""
    return sum(m for m, _ in terms), sum(r + abs(m) * FEW_ROUNDINGS for m, r in terms) * LOOSER


def product_spread(x: Spread, y: Spread) -> Spread:
    """x >= 0"""
    return (x[0] if y[0] >= 0 else x[1]) * y[0], (x[1] if y[1] >= 0 else x[0]) * y[1]


@dataclass(frozen=True)
class FlowPulls:
    """The directions d_t of a sample: by coordinate the columns, and products of two columns, both with their absolute values; bounds
    of the lengths of the d_t; gamma_r - gamma_t."""

    columns: list[tuple[list[float], list[float]]]
    products: list[list[tuple[list[float], list[float]]]]
    lengths: list[float]
    gaps: list[float]

    @staticmethod
    def of(near: FloatPulls, pulls: list[Pull], score_denominator: int) -> FlowPulls:
        def sized(column: Iterable[float]) -> tuple[list[float], list[float]]:
            found = list(column)
            return found, list(map(abs, found))

        products = [[sized(map(operator.mul, left, right)) for right in near.columns[:j + 1]] for j, left in enumerate(near.columns)]
        return FlowPulls(list(map(sized, near.columns)), products, near.lengths, [pull.gap / score_denominator for pull in pulls])


@dataclass(frozen=True)
class FlowTerms:
    """What g and J are made of, for one sample: s_t, and a_t = s_t (Delta_t - G) times exp(raised); their middles, and their radii with
    room for the roundings of a sum of multiples of them; the spread of G."""

    shares: tuple[list[float], list[float]]
    pushes: tuple[list[float], list[float]]
    loss: Spread


class FlowDerivative(StepDerivative):
    """Bounds of F' and F' - I where |q - c| <= reach = radius + step, F(q) = q + step V(q): there each e_t changes by a factor of at most
    exp(|d_t| reach) from that of c. Scales are those of Field: g and J stand times n exp(raised) 2^(slope_bits - shift). A sum of
    products of floats is off by at most `rounding` times the sum of their sizes."""

    def __init__(self, run: FlowRun) -> None:
        super().__init__(run)
        self.known: dict[tuple[int, int], FlowPulls] = {}

    def flow_pulls(self, i: int) -> FlowPulls:
        r = self.run.reference[i]
        if (i, r) not in self.known:
            self.known[i, r] = FlowPulls.of(self.pulls(i), self.run.pulls(i), self.run.coordinates.score_denominator)
        return self.known[i, r]

    def bounds(self, field: Field) -> tuple[float, float]:
        """Upper bounds, for every such q, of the largest eigenvalue of the symmetric part of F'(q) - I, which is step times the
        logarithmic norm of V', and at most |F'(q)| - 1 and |F'(q) - I|; and of the latter, in the Frobenius norm."""
        changes = self.changes(field)
        change = math.sqrt(sum((abs(m) + r) ** 2 for row in changes for m, r in row)) * LOOSER + UNDERFLOW
        demand(change <= MOST_CHANGE, "the run: the derivative of a step is not bounded")  # nan fails too
        off = math.sqrt(sum(r * r for row in changes for _, r in row)) * LOOSER + UNDERFLOW
        growth = largest_eigenvalue([[(m + changes[k][j][0]) / 2 for k, (m, _) in enumerate(row)] for j, row in enumerate(changes)], change)
        return min((growth + off) * LOOSER, change), change

    def changes(self, field: Field) -> list[list[Wide]]:
        """F' - I = (step/|g|)(I - u u^T) J, u = g/|g|"""
        g, jacobian = self.pull_and_jacobian(field)
        units, factor = self.unit_vector(g)
        along = [self.padded_sum(*map(list, zip(*(wide_product(u, entry) for u, entry in zip(units, row))))) for row in jacobian]
        return [[wide_product(factor, wide_sum(entry, wide_product((-u[0], u[1]), turned))) for entry, turned in zip(row, along)]
                for u, row in zip(units, jacobian)]  # along is u^T J: J is symmetric

    def padded_sum(self, middles: list[float], radii: list[float]) -> Wide:
        return sum(middles), (sum(radii) + self.rounding * sum(map(abs, middles))) * LOOSER

    def unit_vector(self, g: list[Wide]) -> tuple[list[Wide], Wide]:
        """u, and step/|g|. A component of u grows with that of g; the others take from it."""
        less, more = 1 - self.rounding, 1 + self.rounding
        ends = [(m - off, m + off) for m, r in g for off in [r * LOOSER + self.rounding * abs(m)]]
        near = [max(lo, -hi, 0.0) * less for lo, hi in ends]
        far = [max(-lo, hi) * more for lo, hi in ends]
        least_length, most_length = math.sqrt(product_sum(near, near)) * less, math.sqrt(product_sum(far, far)) * more
        demand(2.0**-200 < least_length and most_length < 2.0**200,
               "the run: it may pass through a stationary point (the gradient is not shown to differ from 0 near it)")

        def component(x: float, others: list[float], j: int) -> float:
            return x / math.hypot(x, *others[:j], *others[j + 1:])

        units = []
        for j, (lo, hi) in enumerate(ends):
            low, high = component(lo, near if lo < 0 else far, j), component(hi, near if hi > 0 else far, j)
            units.append(wide_of((low - self.rounding * abs(low), high + self.rounding * abs(high))))
        return units, wide_of((self.step / most_length * less, self.step / least_length * more))

    def pull_and_jacobian(self, field: Field) -> tuple[list[Wide], list[list[Wide]]]:
        """g, and J by the formula of §4.20"""
        pulls = [self.flow_pulls(i) for i in self.run.samples]
        damp = float_spread(field.damped, 1 << field.bits)
        terms = [self.terms(own, field.weight_off, near, field.bits, damp) for own, near in zip(field.weights, pulls)]
        means = [self.mean(i, own.loss) for i, own in zip(self.run.samples, terms)]
        g: list[Wide] = [(0.0, 0.0)] * self.d
        jacobian: list[list[Wide]] = [[(0.0, 0.0)] * self.d for _ in range(self.d)]
        for near, own, mean in zip(pulls, terms, means):
            b, c = map(wide_of, self.run.slopes.spreads(field, mean, self.run.slope_exp))
            drift, phi = ([self.combined(part, column) for column in near.columns] for part in (own.shares, own.pushes))
            bent = [wide_product((-c[0], c[1]), wide_product(wide_of(damp), x)) for x in phi]
            g = [wide_sum(x, wide_product(b, y)) for x, y in zip(g, phi)]
            for j, products in enumerate(near.products):
                for k, product in enumerate(products):
                    m, r = self.combined(own.pushes, product)
                    turned = wide_sum(wide_product(drift[j], phi[k]), wide_product(phi[j], drift[k]), (-m, r))
                    jacobian[j][k] = wide_sum(jacobian[j][k], wide_product(b, turned), wide_product(bent[j], phi[k]))
        for j, row in enumerate(jacobian):
            row[j + 1:] = [jacobian[k][j] for k in range(j + 1, self.d)]
        return g, jacobian

    @staticmethod
    def combined(factors: tuple[list[float], list[float]], column: tuple[list[float], list[float]]) -> Wide:
        return product_sum(factors[0], column[0]), product_sum(factors[1], column[1]) * LOOSER + UNDERFLOW

    def mean(self, i: int, loss: Spread) -> Spread:
        """f = gamma_r - G"""
        score = self.run.problem.scores[i][self.run.reference[i]]
        demand(abs(score) <= 2**90, "the run: a number is too large for floats")
        own = float(score)
        off = self.rounding * abs(own)
        return own - loss[1] - off, own - loss[0] + off

    def terms(self, weights: list[int], off: int, near: FlowPulls, bits: int, damp: Spread) -> FlowTerms:
        less, more = 1 - self.rounding, 1 + self.rounding
        reach = (self.run.radius / (1 << bits) + self.step) * LOOSER
        widths = [length * reach * LOOSER for length in near.lengths]
        demand(max(widths) <= 64, "the run: its enclosure is too wide")
        ends = [float_spread((weight, off), 1 << bits) for weight in weights]
        low = [max(lo, 0.0) * math.exp(-width) * less for (lo, _), width in zip(ends, widths)]
        high = [hi * math.exp(width) * more + UNDERFLOW for (_, hi), width in zip(ends, widths)]
        damped_low, damped_high = [max(damp[0], 0.0) * x for x in low], [damp[1] * x for x in high]
        shares = []
        for lo, hi, few, many, fewer, further in zip(low, high, damped_low, damped_high, others(damped_low), others(damped_high)):
            shares.append((lo / (1 + few + further) * less, hi / (1 + many + fewer) * more))
        loss = self.loss(damped_low, damped_high, near.gaps)
        room = 4 * self.rounding * max(map(abs, near.gaps))
        pushes = [product_spread(share, (gap - loss[1] - room, gap - loss[0] + room)) for share, gap in zip(shares, near.gaps)]
        plain = [(lo * max(damp[0], 0.0), hi * damp[1]) for lo, hi in shares]
        return FlowTerms(self.padded(plain), self.padded(pushes), loss)

    def padded(self, spreads: list[Spread]) -> tuple[list[float], list[float]]:
        wide = list(map(wide_of, spreads))
        return [m for m, _ in wide], [r + self.rounding * (abs(m) + r) for m, r in wide]

    def loss(self, low: list[float], high: list[float], gaps: list[float]) -> Spread:
        """G is largest where the e_t of the largest gaps are at their upper ends and the others at their lower ones, for some number of
        them, and least the other way round."""
        ascending = sorted(range(len(gaps)), key=gaps.__getitem__)
        room = 4 * self.rounding * max(map(abs, gaps))
        result = []
        for order, pick in ((ascending, min), (ascending[::-1], max)):
            above, below = product_sum(low, gaps), 1 + sum(low)
            found = [above / below]
            for t in order:
                above += (high[t] - low[t]) * gaps[t]
                below += high[t] - low[t]
                found.append(above / below)
            result.append(pick(found))
        return result[0] - room, result[1] + room


def largest_eigenvalue(matrix: FloatMatrix, most: float) -> float:
    """A number >= 0 that is an upper bound of the eigenvalues of a symmetric matrix, of which `most` bounds the Frobenius norm, and near
    the least such number. With most added to its diagonal the matrix has no negative eigenvalue, as a Gram matrix; adding it
    rounds each entry by 2^-53 of itself, which the margin of `is_above_gram` has room for."""
    raised = [[x + most * (j == k) for k, x in enumerate(row)] for j, row in enumerate(matrix)]
    low, high = 0.0, most
    for _ in range(SEARCH_ROUNDS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_above_gram(raised, most + middle) else (middle, high)
    return high + most * FEW_ROUNDINGS


def others(x: list[float]) -> list[float]:
    """The sums of all but one of these numbers >= 0, without differences."""
    before, after = [0.0, *itertools.accumulate(x)], [0.0, *itertools.accumulate(x[::-1])]
    return [a + b for a, b in zip(before, after[len(x) - 1::-1])]


# ---------------------------------------------------------------------------------------------
# §4.20 The same over W, from products of rows alone

MOST_ROW_FLOAT = 2.0**60


class RowStretch:
    """Bounds of the norm of F' on the ball of a run over W. The rows d_c are relative to the reference tokens, G is the matrix of
    their products over `unit`, a power of 4. Each number is a polynomial in s_t, Delta_t - G, slopes and G, of which no term has more than
    eight s_t, eight of Delta_t - G and four slopes or curvatures; `error` bounds g - 1 for all of them, so a number is off by at most
    error times the polynomial of the bounds."""

    def __init__(self, run: MatrixRun) -> None:
        self.run, self.whole, self.below = run, run.whole, run.below
        tokens = sum(map(len, run.problem.tokens))
        demand(tokens <= 2**24, "the run: too many tokens for floats")
        self.rounding = (16 * tokens + 256) * 2.0**-52
        demand(run.step <= 2**40 and run.gram_size <= 2**200, "the run: a number is too large for floats")
        self.made_for: list[int] = []

    def refer(self) -> None:
        """The products of the rows relative to the references of now: d_t = a_t - a_r, with a_alpha = 0."""
        references = [self.run.reference[i] for i in self.run.samples]
        if references == self.made_for:
            return
        self.made_for = references
        pairs, self.parts = [], []
        for i, r in zip(self.run.samples, references):
            first, places = len(pairs), self.run.places[i]
            pairs += [(k, places[r]) for k in places[:r] + places[r + 1:]]
            self.parts.append((first, len(pairs)))
        self.pairs = pairs

        nothing = [0] * len(self.whole)
        lines = [[x - y for x, y in zip(*(nothing if k is None else self.whole[k] for k in pair))] for pair in pairs]
        products = [[(0 if t is None else line[t]) - (0 if r is None else line[r]) for t, r in pairs] for line in lines]
        largest = max(max(line[k] for k, line in enumerate(products)), 1)
        power = (largest.bit_length() - self.below.bit_length() + 2) // 2  # unit = 4^power
        self.unit = math.ldexp(1.0, power)
        over = self.below << 2 * power if power >= 0 else self.below
        raised = -2 * power if power < 0 else 0
        self.image_raised, self.image_over = raised, over << self.run.bits
        self.gram = [[(x << raised) / over for x in line] for line in products]
        self.sizes = [[abs(x) for x in line] for line in self.gram]
        self.blocks = [[row[a:b] for row in self.gram[a:b]] for a, b in self.parts]
        self.spans = [math.sqrt(self.gram[k][k]) * LOOSER + UNDERFLOW for k in range(len(pairs))]  # of each two the product is a bound
        self.lengths = [[x * self.unit * LOOSER for x in self.spans[a:b]] for a, b in self.parts]
        below = self.run.coordinates.score_denominator
        self.gap_sizes = []
        for i, r in zip(self.run.samples, references):
            sizes = [abs(pull.gap) / below * LOOSER for pull in self.run.coordinates.pulls(i, r)]
            demand(max(sizes) <= 2.0**41, "the run: a number is too large for floats")
            self.gap_sizes.append(sizes)

    def norm(self, field: Field) -> float:
        """Lambda >= |F'(q)| for every q of the ball"""
        self.refer()
        self.terms = FloatTerms.of(self.run, field, self.lengths, self.gap_sizes)
        growth = 4 * self.terms.growth + 40 * INPUT_ERROR + self.rounding
        demand(growth <= 1, "the run: its enclosure is too wide")
        self.error = math.expm1(growth * LOOSER) * LOOSER + 2.0**-60
        self.expand()
        self.find_image(field)
        factor, beta = self.run.step / self.run.problem.n * Fraction(self.unit) ** 2, 0.0
        if self.run.normalised:
            square, off = product_sum(self.q, self.image), self.error * product_sum(self.q_bound, self.image_bound) * LOOSER + UNDERFLOW
            demand(off < square / 2, "the run: it may pass through a stationary point (the gradient is not shown to differ from 0 near it)")
            length = math.sqrt(square - off) / LOOSER
            factor = self.run.step * Fraction(self.unit)
            demand(factor <= 2**90, "the run: a number is too large for floats")
            factor = float(factor) * LOOSER / length
            beta = factor * self.turning(square) / length * LOOSER
        else:
            demand(factor <= 2**90, "the run: a number is too large for floats")
            factor = float(factor) * LOOSER
        apart, together = self.curvatures()
        most = max(1 + factor * apart * LOOSER, factor * together * LOOSER - 1)
        bound = (math.hypot(most + 1, beta) + math.hypot(most - 1, beta)) / 2 * LOOSER_BY_ROUNDING
        demand(apart <= MOST_FLOAT and together <= MOST_FLOAT and bound <= MOST_FLOAT, "the run: the derivative of a step is not bounded")
        return bound

    def find_image(self, field: Field) -> None:
        """The products of the rows with g, from those that the run has; 2^50 times what these are off by is part of their bounds."""
        image = [*self.run.image, 0]  # None, the selected token, has none
        places = [(-1 if t is None else t, -1 if r is None else r) for t, r in self.pairs]
        self.image = [(image[t] - image[r] << self.image_raised) / self.image_over for t, r in places]
        widest = with_bound((0, max(field.direction_offs)), 1 << field.bits)[1] * self.run.gram_size / self.unit / self.unit
        along = product_sum(self.spans, self.q_bound) * LOOSER
        self.image_bound = [x * along + 2 * widest for x in self.spans]

    def expand(self) -> None:
        """s, a = s (Delta - G) and q = -l' a of every row, each with its bounds."""
        terms = self.terms
        self.s, self.s_bound, self.a, self.a_bound, self.q, self.q_bound = [], [], [], [], [], []
        for shares, gaps, ((b, b_bound), (_, c_bound)) in zip(terms.shares, terms.gaps, terms.slopes):
            demand(max(b_bound, c_bound) <= MOST_ROW_FLOAT, "the run: a number is too large for floats")
            pushes = [list(map(operator.mul, x, y)) for x, y in zip(shares, gaps)]
            self.s += shares[0]
            self.s_bound += shares[1]
            self.a += pushes[0]
            self.a_bound += pushes[1]
            self.q += [b * x for x in pushes[0]]
            self.q_bound += [b_bound * x for x in pushes[1]]

    def turning(self, square: float) -> float:
        """An upper bound of |J g - kappa g|: v are the coefficients of the rows in it, w their bounds."""
        v, w = [], []
        damp, damp_bound = self.terms.damp
        for (first, last), ((b, b_bound), (c, c_bound)) in zip(self.parts, self.terms.slopes):
            own = slice(first, last)
            along = product_sum(self.a[own], self.image[own]), product_sum(self.s[own], self.image[own])
            along_bound = product_sum(self.a_bound[own], self.image_bound[own]), product_sum(self.s_bound[own], self.image_bound[own])
            of_a, of_s = damp * (b * along[1] - c * along[0]), damp * b * along[0]
            of_a_bound = damp_bound * (b_bound * along_bound[1] + c_bound * along_bound[0])
            of_s_bound = damp_bound * b_bound * along_bound[0]
            for k in range(first, last):
                v.append(of_a * self.a[k] + of_s * self.s[k] - self.q[k] * self.image[k])
                w.append(of_a_bound * self.a_bound[k] + of_s_bound * self.s_bound[k] + self.q_bound[k] * self.image_bound[k])
        kappa = product_sum(v, self.image) / square
        v = [x - kappa * q for x, q in zip(v, self.q)]
        w = [x + abs(kappa) * q for x, q in zip(w, self.q_bound)]
        found, off = product_sum(v, [product_sum(row, v) for row in self.gram]), (product_sum(w, self.spans) * LOOSER) ** 2
        return math.sqrt(max(found, 0.0) + self.error * off * LOOSER + UNDERFLOW) * LOOSER

    def row_sum(self, weights: list[float]) -> float:
        return max((product_sum(row, weights) for row, weight in zip(self.sizes, weights) if weight > 0), default=0.0) * LOOSER

    def curvatures(self) -> tuple[float, float]:
        """Upper bounds of the eigenvalues of J and of -J."""
        offs = [self.error * bound * LOOSER + UNDERFLOW for bound in self.q_bound]
        apart = self.row_sum([max(off - q, 0.0) if q < off else 0.0 for q, off in zip(self.q, offs)])
        together = self.row_sum([max(off + q, 0.0) if q > -off else 0.0 for q, off in zip(self.q, offs)])
        for (first, last), block, ((_, b_bound), (c, c_bound)) in zip(self.parts, self.blocks, self.terms.slopes):
            s, a, spans = self.s[first:last], self.a[first:last], self.spans[first:last]
            s_off, a_off = (product_sum(x[first:last], spans) * LOOSER for x in (self.s_bound, self.a_bound))
            image = [product_sum(row, a) for row in block]
            cross, off = product_sum(s, image), self.error * s_off * a_off
            mean = self.upper_form(product_sum(s, [product_sum(row, s) for row in block]), s_off)
            phi = self.upper_form(product_sum(a, image), a_off)
            lengths = (math.sqrt(mean) * math.sqrt(phi) + off) * LOOSER + UNDERFLOW
            weight = self.terms.damp[1] * b_bound * (1 + self.error) * LOOSER
            bend, bend_off = self.terms.damp[1] * c, self.terms.damp[1] * self.error * c_bound * LOOSER + UNDERFLOW
            apart += weight * max(lengths + cross, 0.0) + max(bend_off - bend, 0.0) * phi
            together += weight * max(lengths - cross, 0.0) + max(bend_off + bend, 0.0) * phi
        return apart * LOOSER, together * LOOSER

    def upper_form(self, found: float, span: float) -> float:
        """An upper bound of x^T G x, found in floats, where the bounds of x have this span."""
        return (max(found, 0.0) + self.error * span * span) * LOOSER + UNDERFLOW


def whole_matrix(matrix: list[Vector]) -> tuple[list[list[int]], int]:
    below = math.lcm(*(x.denominator for row in matrix for x in row))
    return [[int(x * below) for x in row] for row in matrix], below


@dataclass(frozen=True)
class Iterate:
    """p_K: its products with the rows and its norm, enclosed; over p also its components."""

    rows: Rows
    components: list[Interval] | None
    y: dict[Row, Interval]
    norm_squared: Interval


@dataclass(frozen=True)
class Descent:
    """The common fields of §4.20, once (a), (b) and (c) hold; of descent-basin `svm` may be a point that satisfies every row."""

    svm: Svm
    bounds: LossBounds
    method: str
    step: Fraction | None  # None for flow without pieces
    start: Any  # None: every start
    iterations: int
    bits: int

    @property
    def rows(self) -> Rows:
        return self.svm.rows

    def last(self) -> Iterate:
        """p_K, with the precision of the moment."""
        if self.iterations == 0:
            return exact_iterate(self.rows, self.start)
        coordinates = Coordinates(self.rows, self.start)
        kind = MatrixRun if self.rows.over == "W" else FlowRun if self.method == "flow" else VectorRun
        run = kind(coordinates, Slopes(self.rows.problem, self.bounds), self.method, self.step, self.bits)
        for _ in range(self.iterations):
            run.advance()
        x, around = [interval_of((m, 0), run.x_bits) for m in run.x], interval_of((0, run.radius), run.bits)
        if self.rows.over == "W":
            return matrix_iterate(coordinates, self.start, x, around)
        return vector_iterate(self.rows, x, around)


def exact_iterate(rows: Rows, start: Any) -> Iterate:
    y = {row: Interval.of(value) for row, value in rows.values(start).items()}
    if rows.over == "p":
        return Iterate(rows, [Interval.of(x) for x in start], y, Interval.of(dot(start, start)))
    return Iterate(rows, None, y, Interval.of(sum((dot(row, row) for row in start), Fraction(0))))


def vector_iterate(rows: Rows, centre: list[Interval], around: Interval) -> Iterate:
    """Of a ball; around is [-radius, radius]."""
    y = {row: scaled_sum(a, centre) + root_of(dot(a, a)) * around for row, (a, _) in rows.program.items()}
    return Iterate(rows, [x + around for x in centre], y, near_square(total(x**2 for x in centre), around))


def matrix_iterate(coordinates: Coordinates, start: Matrix, b: list[Interval], around: Interval) -> Iterate:
    """Of a ball around the point with y = y(0) + G B and |p|^2 = |start|^2 + 2 B.y(0) + B.G B."""
    rows = coordinates.rows
    images = [scaled_sum(coordinates.gram[row], b) for row in rows.names]
    y = {row: Interval.of(coordinates.at_start[row]) + image + length * around
         for row, image, length in zip(rows.names, images, coordinates.lengths)}
    square = Interval.of(sum((dot(row, row) for row in start), Fraction(0)))
    crossed = scaled_sum([coordinates.at_start[row] for row in rows.names], b)
    return Iterate(rows, None, y, near_square(square + crossed.scaled(2) + total(x * image for x, image in zip(b, images)), around))


def near_square(square: Interval, around: Interval) -> Interval:
    """The squares of numbers >= 0 that lie this near to a root of the square."""
    norm = root(square) + around
    return Interval(greatest([norm.lo, ZERO]), norm.hi) ** 2


def scaled_sum(factors: Iterable[Fraction], values: Iterable[Interval]) -> Interval:
    return total(Interval.of(factor) * value for factor, value in zip(factors, values, strict=True))


def read_method(statement: dict[str, Json]) -> str:
    method = statement.get("method")
    demand(isinstance(method, str) and method in METHODS, "statement.method: 'constant', 'normalised' or 'flow' is due")
    return method


def read_start(value: Json, problem: Problem, over: str) -> Any:
    """A vector, or over W a matrix; "0" stands for zero."""
    d = problem.d
    if value == "0":
        return [Fraction(0)] * d if over == "p" else [[Fraction(0)] * d for _ in range(d)]
    return read_point(value, "statement.start", problem, over)


def read_point(value: Json, where: str, problem: Problem, over: str) -> Any:
    if over == "p":
        return read_vector(value, where, problem.d)
    return read_vectors(read_array(value, where, problem.d), where, problem.d)


def read_vectors(value: Json, where: str, size: int) -> list[Vector]:
    return [read_vector(vector, f"{where}[{k}]", size) for k, vector in enumerate(read_array(value, where))]


def read_descent(problem: Problem, claim: str, statement: dict[str, Json], witness: Json, stated: Iterable[str] = (),
                 shown: Iterable[str] = (), basin: bool = False) -> Descent:
    """The common fields and clauses; `stated` and `shown` are the kind's own keys of statement and witness."""
    method = read_method(statement)
    fields = ("kind", "over", "selection", "method", "start", "iterations", *stated)
    read_object(statement, "statement", fields, ("step",))
    iterations = read_index(statement["iterations"], "statement.iterations")
    step_key = ("step",) if method != "flow" or iterations > 0 else ()
    read_object(statement, "statement", (*fields, *step_key))
    read_object(witness, "witness", ("lambda", "loss", "bits", *shown))
    over = read_over(claim, statement["over"])
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    demand(basin or statement["start"] is not None, "statement.start: null is not allowed")
    start = None if statement["start"] is None else read_start(statement["start"], problem, over)
    step = read_rational(statement["step"], "statement.step") if step_key else None
    demand(step is None or step > 0, "statement.step: not positive")
    demand(method != "flow" or over == "p" or iterations == 0, "statement.iterations: over W 0 is due for flow")
    bits = read_index(witness["bits"], "witness.bits")
    demand(64 <= bits <= 2**15, "witness.bits: not between 64 and 2^15")
    demand(iterations * sum(map(len, problem.tokens)) * bits <= MOST_WORK, "refused: too much work")
    rows = Rows(problem, alpha, over)
    bounds = read_loss_block(problem, witness["loss"])
    return Descent(read_svm(rows, witness["lambda"], feasible_only=basin), bounds, method, step, start, iterations, bits)


# ---------------------------------------------------------------------------------------------
# §4.21 Basin


def farthest_square(vectors: list[Vector]) -> Fraction:
    """The largest squared distance of two of them, in whole numbers over one denominator."""
    common = math.lcm(*(x.denominator for vector in vectors for x in vector))
    whole = [[x.numerator * (common // x.denominator) for x in vector] for vector in vectors]
    return Fraction(max(sum((x - y) ** 2 for x, y in zip(a, b)) for k, a in enumerate(whole) for b in whole[: k + 1]), common**2)


def curvature_bound(rows: Rows, bounds: LossBounds) -> Fraction:
    """L-bar, which no second derivative of L exceeds."""
    problem = rows.problem
    result = Fraction(0)
    for i, (sample, scores) in enumerate(zip(problem.keys if rows.over == "p" else problem.tokens, problem.scores)):
        farthest = farthest_square(sample)
        if rows.over == "W":
            farthest *= rows.query_products[i][i]
        spread = max(scores) - min(scores)
        result += farthest * spread * (bounds.m0 * spread / 16 + bounds.m1 / 4)
    return result / problem.n


def check_descent_basin(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    demand(read_method(statement) != "normalised", "statement.method: 'constant' or 'flow' is due")
    descent = read_descent(problem, claim, statement, witness, basin=True)
    rows = descent.rows
    for row, gap in rows.gaps.items():  # there is a row, as the multiplier list is not empty
        demand(gap > 0, f"clause 1: token {list(row)} scores at least as much as the selected one")
    if descent.method == "constant":
        demand(descent.step * curvature_bound(rows, descent.bounds) < 2, "clause 2: the step is too long")
    if descent.start is None:
        moving = [i for i, sample in enumerate(problem.tokens) if len(sample) >= 2]
        demand(descent.iterations == 0, "clause 3: no iterations go with every start")
        demand(len(moving) == 1, "clause 3: several samples have two tokens")
        demand(len({rows.gaps[row] for row in rows.names}) == 1, "clause 3: the other scores differ")
        return
    with precision(max(BITS_AFTER_RUN, descent.bits)):
        check_in_basin(rows, descent.last())


def check_in_basin(rows: Rows, last: Iterate) -> None:
    problem, loss = rows.problem, loss_node(rows.problem)
    excess, rooms = Interval(ZERO, ZERO), []
    for i, scores in enumerate(problem.scores):
        own = rows.of_sample(i)
        if not own:
            continue
        best, weights = scores[rows.alpha[i]], {row: exponential(-last.y[row], "clause 4") for row in own}
        lost = scaled_sum([rows.gaps[row] for row in own], weights.values()) / (Interval.of(1) + total(weights.values()))
        mean = Interval.of(best) - lost
        mean = Interval(greatest([mean.lo, Interval.of(min(scores)).lo]), least([mean.hi, Interval.of(best).hi]))
        at_best = evaluate(loss, Interval.of(best)).f
        excess = excess + (evaluate(loss, mean).f - at_best)
        rooms.append(evaluate(loss, Interval.of(max(scores[t] for _, t in own))).f - at_best)
    demand(all(less(excess.hi, room.lo) for room in rooms), "clause 4: p_K is not shown to lie in the basin")


# ---------------------------------------------------------------------------------------------
# §4.22 Cone


def point_at(x: Dyadic) -> Interval:
    return Interval(x, x)


@dataclass(frozen=True)
class Factors:
    """L and the pivots D of a symmetric matrix L D L^T, all pivots positive."""

    lower: list[list[Interval]]  # below the diagonal
    pivots: list[Interval]

    def inverse(self) -> list[list[Interval]]:
        """Column by column: forward from the unit vector, then backward."""
        size = len(self.pivots)
        columns = []
        for k in range(size):
            x = [Interval.of(int(j == k)) for j in range(size)]
            for r in range(k + 1, size):
                x[r] = -total(self.lower[r][c] * x[c] for c in range(k, r))
            x = [value / pivot for value, pivot in zip(x, self.pivots)]
            for r in range(size - 1, -1, -1):
                x[r] = x[r] - total(self.lower[c][r] * x[c] for c in range(r + 1, size))
            columns.append(x)
        return columns


def factors_of(matrix: list[list[Interval]]) -> Factors | None:
    """None where a pivot is not shown to be positive."""
    rest = [list(row) for row in matrix]
    lower: list[list[Interval]] = [[] for _ in rest]
    pivots = []
    for k in range(len(rest)):
        if not rest[k][k].is_positive():
            return None
        pivots.append(rest[k][k])
        for r in range(k + 1, len(rest)):
            lower[r].append(rest[r][k] / pivots[k])
        for r in range(k + 1, len(rest)):
            for c in range(k + 1, r + 1):
                rest[r][c] = rest[r][c] - lower[r][k] * rest[c][k]
    return Factors(lower, pivots)


def lower_phi(x: Dyadic) -> Interval:
    """A lower bound > 0 of x/(exp(x) - 1), which falls with x >= 0."""
    at_x = point_at(x)
    if not less((1, -20), x):
        return point_at((Interval.of(1) - at_x * Interval.of(Fraction(1, 2))).lo)
    return point_at((at_x / (exponential(at_x, "clause 9") - Interval.of(1))).lo)


def slopes_at_selection(rows: Rows) -> dict[int, Interval]:
    """b_i = -l'(gamma_ialpha)/n for the samples with two tokens"""
    problem, loss = rows.problem, loss_node(rows.problem)
    result = {}
    for i in sorted({i for i, _ in rows.names}):
        slope = -evaluate(loss, Interval.of(problem.scores[i][rows.alpha[i]])).f1
        demand(slope.is_positive(), f"the slope of the loss is not shown to be negative at the selected token of sample {i}")
        result[i] = slope / Interval.of(problem.n)
    return result


class Cone:
    """The quantities of §4.22, each named as there; clauses are checked as they come up."""

    def __init__(self, descent: Descent, rate: Fraction, rho: Fraction, spectral: Fraction | None) -> None:
        self.descent, self.svm, self.rows = descent, descent.svm, descent.rows
        self.rate, self.rho, self.spectral = rate, Interval.of(rho), spectral
        self.support = list(self.svm.multipliers)
        self.off = [row for row in self.rows.names if row not in self.svm.multipliers]
        self.check_hypotheses()
        self.inverse = self.inverse_gram()
        self.last = descent.last()
        self.place()
        self.bound_errors()
        self.bound_steps()
        self.check_contraction()
        self.check_closed()
        self.check_rate()

    def check_hypotheses(self) -> None:
        for row in self.off:
            demand(self.svm.theta[row] > 1, f"clause 1: row {list(row)} is tight but has no multiplier")
        for row in self.support:
            demand(self.rows.gaps[row] > 0, f"clause 1: neighbour {list(row)} does not score less")

    def inverse_gram(self) -> list[list[Interval]]:
        factors = factors_of([[Interval.of(self.rows.product(c, e)) for e in self.support] for c in self.support])
        demand(factors is not None, "clause 2: the Gram matrix of the listed rows is not shown to be positive definite")
        return factors.inverse()

    def place(self) -> None:
        """Clauses 3 and 4: where p_K lies."""
        svm, rows, y = self.svm, self.rows, self.last.y
        self.slopes = slopes_at_selection(rows)
        weights = [svm.multipliers[c] for c in self.support]
        self.along = scaled_sum(weights, (y[c] for c in self.support))  # p_K.w
        demand(self.along.is_positive(), "clause 3: p_K.w is not shown to be positive")
        self.omega = {c: logarithm(self.slopes[c[0]] * Interval.of(rows.gaps[c] / svm.multipliers[c]), "clause 3") for c in self.support}
        self.l = scaled_sum(weights, (y[c] - self.omega[c] for c in self.support)) / Interval.of(svm.square)
        z = [y[c] - self.omega[c] - self.l for c in self.support]
        self.zeta = [total(entry * value for entry, value in zip(line, z)) for line in self.inverse]
        self.r0_squared = total(a * b for a, b in zip(z, self.zeta))
        self.r0 = point_at(root(self.r0_squared).hi)
        for c in self.off:
            inside = scaled_sum((rows.product(c, e) for e in self.support), self.zeta)
            self.omega[c] = y[c] - Interval.of(svm.theta[c]) * self.l - inside

    def bound_errors(self) -> None:
        """Clauses 5 and 6"""
        svm, rows, one = self.svm, self.rows, Interval.of(1)
        self.n = {c: root_of(svm.across(c)) for c in rows.names}
        self.x = {c: self.n[c] * self.rho for c in rows.names}
        self.exp_x = {c: exponential(self.x[c], "clause 5") for c in rows.names}
        e = {c: exponential(self.x[c] - self.omega[c] - Interval.of(svm.theta[c]) * self.l, "clause 5") for c in rows.names}
        self.H = {i: scaled_sum((abs(rows.gaps[c]) for c in rows.of_sample(i)), (e[c] for c in rows.of_sample(i))) for i in self.slopes}
        E = {i: total(e[c] for c in rows.of_sample(i)) for i in self.slopes}
        n, m0 = Interval.of(rows.problem.n), Interval.of(self.descent.bounds.m0)
        wider = {i: one + m0 * self.H[i] / (n * slope) for i, slope in self.slopes.items()}  # 1 + e_i
        self.epsilons = {(i, t): wider[i] * (one + self.H[i] / Interval.of(rows.gaps[i, t])) * (one + E[i]) - one for i, t in self.support}
        self.epsilon = point_at(greatest(epsilon.hi for epsilon in self.epsilons.values()))
        demand(less(self.epsilon.hi, ONE), "clause 6: epsilon is not shown to be below 1")
        self.m = {}
        for c in self.off:
            i, gap = c[0], Interval.of(abs(rows.gaps[c]))
            fall = exponential(-self.omega[c] - Interval.of(svm.theta[c] - 1) * self.l, "clause 6")
            self.m[c] = self.slopes[i] * wider[i] * (gap + self.H[i]) * fall
        self.back = [c for c in self.off if at_most(self.H[c[0]].hi, rows.gaps[c])]
        self.loose = [c for c in self.off if c not in self.back]

    def bound_steps(self) -> None:
        """Clauses 7 and 8"""
        svm, one, square = self.svm, Interval.of(1), Interval.of(self.svm.square)
        pushed = {c: self.m[c] * Interval.of(svm.theta[c]) * self.exp_x[c] for c in self.off}
        self.kappa = one - self.epsilon - total(pushed[c] for c in self.loose) / square
        demand(self.kappa.is_positive(), "clause 7: kappa is not shown to be positive")
        if self.descent.method == "flow":
            self.tau = Interval(ZERO, ZERO)
            return
        step, length = Interval.of(self.descent.step), root_of(svm.square)
        if self.descent.method == "normalised":
            self.sigma, self.tau = step / (self.kappa * length), step / length
            return
        self.sigma = step * exponential(-self.l, "clause 8")
        tight = total(Interval.of(svm.multipliers[c]) * (one + self.epsilons[c]) * self.exp_x[c] for c in self.support)
        self.tau = self.sigma * (tight + total(pushed.values())) / square

    def check_contraction(self) -> None:
        """Clause 9"""
        if self.spectral is None:
            return
        svm, rows = self.svm, self.rows
        matrix = [[Interval.of((self.spectral / svm.multipliers[c] if c == e else 0) - rows.product(c, e) + 1 / svm.square)
                   for e in self.support] for c in self.support]
        demand(factors_of(matrix) is not None, "clause 9: spectral is not shown to be large enough")
        widest = greatest(self.x[c].hi for c in self.support)
        bound = (Interval.of(1) + self.epsilon) * Interval.of(self.spectral) / lower_phi(widest)
        bound = bound + total(self.m[c] * Interval.of(svm.across(c)) / lower_phi(self.x[c].hi) for c in self.back)
        demand(shown_at_most(self.sigma * bound, Interval.of(2)), "clause 9: the step is too long")

    def check_closed(self) -> None:
        """Clause 10"""
        svm, one = self.svm, Interval.of(1)
        pushes = [Interval.of(svm.multipliers[c]) * self.epsilons[c] * self.n[c] * (one + self.tau) for c in self.support]
        for c in self.off:
            push = self.m[c] * self.n[c] * (Interval.of(1 / (svm.theta[c] - 1)) + self.tau)
            pushes.append(push * self.exp_x[c] if c in self.loose else push)
        demand(shown_at_most(self.r0 + total(pushes) / self.kappa, self.rho), "clause 10: the cone does not close at rho")

    def check_rate(self) -> None:
        """Clause 11"""
        square = Interval.of(self.svm.square)
        if self.rows.over == "p":
            w = self.rows.combined(self.svm.multipliers)
            vectors = [self.rows.program[c][0] for c in self.support]
            r0 = [scaled_sum((vector[j] for vector in vectors), self.zeta) for j in range(self.rows.problem.d)]
            across = [p - r - self.along / square * Interval.of(x) for p, r, x in zip(self.last.components, r0, w)]
            v_squared = total(x**2 for x in across)
        else:
            crossed = total(zeta * self.last.y[c] for zeta, c in zip(self.zeta, self.support))
            v_squared = self.last.norm_squared - crossed.scaled(2) + self.r0_squared - self.along**2 / square
        reach = root(v_squared) + self.rho
        demand(shown_at_most((reach**2).scaled(2), Interval.of(self.rate) ** 2), "clause 11: the rate is too small")


def read_positive(value: Json, where: str) -> Fraction:
    result = read_rational(value, where)
    demand(result > 0, f"{where}: not positive")
    return result


def check_descent_cone(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    flow = read_method(statement) == "flow"
    descent = read_descent(problem, claim, statement, witness, ("rate",), ("rho",) if flow else ("rho", "spectral"))
    rate, rho = read_positive(statement["rate"], "statement.rate"), read_positive(witness["rho"], "witness.rho")
    spectral = None if flow else read_positive(witness["spectral"], "witness.spectral")
    with precision(max(BITS_AFTER_RUN, descent.bits)):
        Cone(descent, rate, rho, spectral)


# ---------------------------------------------------------------------------------------------
# §4.23 Wedge


def check_descent_wedge(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    descent = read_descent(problem, claim, statement, witness, (), ("delta",))
    delta = read_positive(witness["delta"], "witness.delta")
    for row in descent.svm.tight:
        demand(descent.rows.gaps[row] > 0, f"neighbour {list(row)} does not score less")
    with precision(max(BITS_AFTER_RUN, descent.bits)):
        check_in_wedge(descent, delta)


def check_in_wedge(descent: Descent, delta: Fraction) -> None:
    svm, rows, one = descent.svm, descent.rows, Interval.of(1)
    margin, last = svm.margin(), descent.last()
    h = margin * scaled_sum(svm.multipliers.values(), (last.y[c] for c in svm.multipliers))
    demand(h.is_positive(), "h is not shown to be positive")
    h0, t = point_at(h.lo), root_of(2 * delta + delta**2)

    B = {c: margin * Interval.of(svm.theta[c]) - t * root_of(svm.across(c)) for c in rows.names}
    demand(all(value.is_positive() for value in B.values()), "clause 1: the wedge is too wide (B_c > 0 is not shown)")
    e = {c: exponential(-(B[c] * h0), "clause 1") for c in rows.names}
    slopes = slopes_at_selection(rows)
    E = {i: total(e[c] for c in rows.of_sample(i)) for i in slopes}
    H = {i: scaled_sum((abs(rows.gaps[c]) for c in rows.of_sample(i)), (e[c] for c in rows.of_sample(i))) for i in slopes}
    changes = {i: Interval.of(descent.bounds.m0) * H[i] / (Interval.of(rows.problem.n) * slopes[i]) for i in slopes}
    demand(all(shown_less(change, one) for change in changes.values()), "clause 1: e_i < 1 is not shown")

    pulling = [c for c in rows.names if less(H[c[0]].hi, Interval.of(rows.gaps[c]).lo)]
    rest = [c for c in rows.names if c not in pulling]
    demand(set(svm.tight) <= set(pulling), "clause 2: a tight row is not shown to pull")
    k = {c: B[c] - Interval.of(1 + delta) * margin for c in rest}
    demand(all(value.is_positive() for value in k.values()), "clause 2: k_c > 0 is not shown")

    gaps, lengths = {c: Interval.of(rows.gaps[c]) for c in rows.names}, {c: root_of(rows.product(c, c)) for c in rows.names}
    b = point_at(least((slopes[i] * (one - changes[i]) * (gaps[i, t] - H[i]) / (one + E[i])).lo for i, t in pulling))
    demand(b.is_positive(), "clause 3: b > 0 is not shown")
    high = point_at(greatest((slopes[i] * (one + changes[i]) * (gaps[i, t] + H[i])).hi for i, t in pulling))
    kappa = high / b * Interval.of(Fraction(len(pulling) - 1) / Fraction(2718, 1000))
    g = {(i, t): lengths[i, t] / margin * slopes[i] * (one + changes[i]) * (Interval.of(abs(rows.gaps[i, t])) + H[i]) / b for i, t in rest}
    xi = total(g[c] * exponential(-(k[c] * h0), "clause 3") for c in rest)
    demand(shown_less(xi, one), "clause 3: xi_0 < 1 is not shown")
    longest = point_at(greatest(lengths[c].hi for c in pulling))

    s = Interval(ZERO, ZERO) if descent.method == "flow" else Interval.of(descent.step)
    if descent.method == "constant":
        s = s * (longest + margin * xi) * high * total(e[c] for c in pulling)
    u = h0 - s
    demand(u.is_positive(), "clause 4: u > 0 is not shown")
    K = (kappa / margin + s * (longest / margin + xi) * Interval.of(Fraction(1, 2))) / (one - xi)
    tail = total(g[c] * exponential(-(k[c] * u), "clause 5") / (k[c] * u) for c in rest)
    opening = root(last.norm_squared) / h + K / u + Interval.of(2) / (one - xi) * tail
    demand(shown_at_most(opening, Interval.of(1 + delta)), "clause 5: the wedge does not close")


# ---------------------------------------------------------------------------------------------
# §4.27 Stationary points


def key_factors(problem: Problem, over: str) -> list[list[Vector]]:
    """k_it, or over W the matrices x_it z_i^T by rows as vectors of d^2 numbers."""
    if over == "p":
        return problem.keys
    return [[[x * y for x in token for y in z] for token in sample] for sample, z in zip(problem.tokens, queries_of(problem))]


def check_no_stationary_point(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "over"))
    over = read_over(claim, statement["over"])
    by = witness.get("by") if isinstance(witness, dict) else None
    demand(isinstance(by, str) and by in ABSENCES, "witness.by: not a way to show that there is no stationary point")
    check, keys, for_p = ABSENCES[by]
    demand(over == "W" or for_p, f"witness.by: '{by}' is for W alone")
    read_object(witness, "witness", ("loss", "by", *keys))
    read_loss_block(problem, witness["loss"])
    check(problem, over, witness)


def absent_by_direction(problem: Problem, over: str, witness: dict[str, Json]) -> None:
    u = read_point(witness["u"], "witness.u", problem, over)
    if over == "p":
        logits = key_products(problem, u)
    else:
        images = [[dot(row, z) for row in u] for z in queries_of(problem)]
        logits = [[dot(x, image) for x in sample] for sample, image in zip(problem.tokens, images)]
    strict = False
    for i, (scores, values) in enumerate(zip(problem.scores, logits)):
        levels: dict[Fraction, list[Fraction]] = {}
        for score, value in zip(scores, values):
            levels.setdefault(score, []).append(value)
        ordered = [levels[score] for score in sorted(levels)]
        for lower, higher in zip(ordered, ordered[1:]):
            demand(max(lower) <= min(higher), f"witness.u: it orders the tokens of sample {i} otherwise than the scores")
            strict = strict or min(lower) < max(higher)
    demand(strict, "witness.u: no pair of tokens is set apart")


def absent_by_query(problem: Problem, over: str, witness: dict[str, Json]) -> None:
    q = read_vector(witness["q"], "witness.q", problem.d)
    products = [y * dot(q, z) for y, z, scores in zip(problem.labels, queries_of(problem), problem.scores) if scores_differ(scores)]
    demand(all(product >= 0 for product in products), "witness.q: negative for a sample")
    demand(any(products), "witness.q: positive for no sample")


def absent_by_rank(problem: Problem, over: str, witness: dict[str, Json]) -> None:
    queries = [z for z, scores in zip(queries_of(problem), problem.scores) if scores_differ(scores)]
    demand(bool(queries), "no sample has scores that differ")
    demand(rank_of(queries) == len(queries), "the queries of the samples whose scores differ are dependent")


ABSENCES = {
    "direction": (absent_by_direction, ("u",), True),
    "query": (absent_by_query, ("q",), False),
    "rank": (absent_by_rank, (), False),
}


def origin_groups(problem: Problem) -> dict[Fraction, list[tuple[int, Vector]]]:
    """At p = 0: for each value f of the means, its samples with the (gamma_it - f)/T_i, the weights of the keys in their g_i."""
    groups: dict[Fraction, list[tuple[int, Vector]]] = {}
    for i, scores in enumerate(problem.scores):
        mean = sum(scores, Fraction(0)) / len(scores)
        groups.setdefault(mean, []).append((i, [(score - mean) / len(scores) for score in scores]))
    return groups


def check_stationary_point(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "over", "centre"))
    over = read_over(claim, statement["over"])
    keys = key_factors(problem, over)
    centre = read_vector(statement["centre"], "statement.centre", len(keys[0][0]))
    by = witness.get("by") if isinstance(witness, dict) else None
    demand(isinstance(by, str) and by in ("origin", "krawczyk"), "witness.by: 'origin' or 'krawczyk' is due")
    if by == "origin":
        read_object(witness, "witness", ("by",))
        demand(not any(centre), "statement.centre: not 0")
        check_stationary_origin(problem, keys)
    else:
        read_object(witness, "witness", ("by", "basis", "radius", "inverse"))
        check_krawczyk(problem, keys, centre, witness)


def check_stationary_origin(problem: Problem, keys: list[list[Vector]]) -> None:
    loss = loss_node(problem)
    for mean, samples in origin_groups(problem).items():
        evaluate(loss, Interval.of(mean))  # the loss must be smooth there
        pairs = [(weight, key) for i, weights in samples for weight, key in zip(weights, keys[i])]
        demand(all(sum((weight * key[j] for weight, key in pairs), Fraction(0)) == 0 for j in range(len(keys[0][0]))),
               f"the gradients of the samples with mean score {float_text(mean)} do not cancel")


@dataclass(frozen=True)
class Attention:
    """Enclosures at a point or over a box, for one sample: s_t, c_t = s_t (gamma_t - mean), and the jet of the loss at the mean."""

    s: list[Interval]
    c: list[Interval]
    jet: Jet


def attention(scores: Vector, logits: list[Interval], loss: Node) -> Attention:
    highest = point_at(greatest(y.hi for y in logits))
    weights = [exponential(y - highest, "attention") for y in logits]
    s = []
    for t, weight in enumerate(weights):
        others = total(weights[:t] + weights[t + 1:])
        low = point_at(weight.lo) / (point_at(weight.lo) + point_at(others.hi)) if weight.lo[0] > 0 else Interval(ZERO, ZERO)
        high = point_at(weight.hi) / (point_at(weight.hi) + point_at(others.lo))
        s.append(Interval(low.lo, least([high.hi, ONE])))
    first = scores[0]
    means = [scaled_sum(scores, s), Interval.of(first) + scaled_sum((score - first for score in scores), s), Interval.of(min(scores), max(scores))]
    mean = Interval(greatest(x.lo for x in means), least(x.hi for x in means))
    return Attention(s, [share * (Interval.of(score) - mean) for share, score in zip(s, scores)], evaluate(loss, mean))


def check_krawczyk(problem: Problem, keys: list[list[Vector]], centre: Vector, witness: dict[str, Json]) -> None:
    basis = read_vectors(witness["basis"], "witness.basis", len(centre))
    size = len(basis)
    radius = read_vector(witness["radius"], "witness.radius", size)
    demand(all(r > 0 for r in radius), "witness.radius: not positive")
    inverse = read_vectors(read_array(witness["inverse"], "witness.inverse", size), "witness.inverse", size)

    differences = [[minus(key, sample[0]) for key in sample] for sample in keys]
    flat = [difference for sample in differences for difference in sample[1:]]
    demand(rank_of(basis) == size, "clause 1: the columns of the basis are dependent")
    demand(rank_of(flat) == size == rank_of(basis + flat), "clause 1: the basis does not span the differences of the keys")

    sides = [[[dot(difference, column) for column in basis] for difference in sample] for sample in differences]
    logits = [[dot(difference, centre) for difference in sample] for sample in differences]
    loss = loss_node(problem)
    gradient = [Interval(ZERO, ZERO)] * size
    jacobian = [[Interval(ZERO, ZERO)] * size for _ in range(size)]
    for scores, side, values in zip(problem.scores, sides, logits):
        here = attention(scores, [Interval.of(y) for y in values], loss)
        slope = sample_slope(here, side, size)
        gradient = [g + here.jet.f1 * x for g, x in zip(gradient, slope)]
        reaches = [sum((abs(x) * r for x, r in zip(line, radius)), Fraction(0)) for line in side]
        box = attention(scores, [Interval.of(y - reach, y + reach) for y, reach in zip(values, reaches)], loss)
        add_curvature(jacobian, box, side)

    for a, row in enumerate(inverse):
        step = magnitude(scaled_sum(row, gradient))
        for b in range(size):
            left = Interval.of(int(a == b)) - scaled_sum(row, (jacobian[k][b] for k in range(size)))
            step = step + magnitude(left) * Interval.of(radius[b])
        demand(shown_less(step, Interval.of(radius[a])), f"clause 4: component {a} of the box is not mapped into itself")


def magnitude(x: Interval) -> Interval:
    return point_at(greatest([x.hi, negated(x.lo)]))


def sample_slope(at: Attention, side: list[Vector], size: int) -> list[Interval]:
    """B^T grad f_i = sum of c_t B^T(k_t - k_0)"""
    return [scaled_sum((line[a] for line in side), at.c) for a in range(size)]


def add_curvature(jacobian: list[list[Interval]], at: Attention, side: list[Vector]) -> None:
    """l'' grad f grad f^T + l' sum of c_t (k_t - mean)(k_t - mean)^T, in the basis"""
    size = len(jacobian)

    def product(x: list[Interval], a: int, b: int) -> Interval:
        return x[a] ** 2 if a == b else x[a] * x[b]

    slope = sample_slope(at, side, size)
    means = [scaled_sum((line[a] for line in side), at.s) for a in range(size)]
    apart = [[Interval.of(x) - mean for x, mean in zip(line, means)] for line in side]
    for a in range(size):
        for b in range(size):
            bent = total(c * product(line, a, b) for c, line in zip(at.c, apart))
            straight = product(slope, a, b)
            jacobian[a][b] = jacobian[a][b] + at.jet.f2 * straight + at.jet.f1 * bent


# ---------------------------------------------------------------------------------------------
# §4.30 The first step


def first_step_products(rows: Rows, start: Any, due: list[Row]) -> dict[Row, Interval]:
    """-n grad L(start).a_c: with k_it = k_ialpha - a_it and sum of c_it = 0 it is sum_i l'(f_i) sum_t c_it <a_it, a_c>."""
    problem, loss, y = rows.problem, loss_node(rows.problem), rows.values(start)
    result = {c: Interval(ZERO, ZERO) for c in due}
    for i, scores in enumerate(problem.scores):
        logits = [Interval.of(0 if t == rows.alpha[i] else -y[i, t]) for t in range(len(scores))]
        at = attention(scores, logits, loss)
        for c in due:
            result[c] = result[c] + at.jet.f1 * total(Interval.of(rows.product((i, t), c)) * at.c[t] for _, t in rows.of_sample(i))
    return result


def read_first_step(problem: Problem, claim: str, statement: dict[str, Json]) -> tuple[Rows, Any]:
    over = read_over(claim, statement["over"])
    rows = Rows(problem, read_selection(statement["selection"], "statement.selection", problem), over)
    demand(len(problem.scores) == problem.n, "the problem has no v")
    return rows, read_point(statement["start"], "statement.start", problem, over)


def check_first_step(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "over", "selection", "start"))
    read_object(witness, "witness", ())
    rows, start = read_first_step(problem, claim, statement)
    for row, product in first_step_products(rows, start, rows.names).items():
        demand(product.is_positive(), f"the first step is not shown to raise row {list(row)}")


def check_not_first_step(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "over", "selection", "start", "row"))
    by = read_object(witness, "witness", ("by",))["by"]
    rows, start = read_first_step(problem, claim, statement)
    [row] = read_rows([statement["row"]], "statement.row", rows.program)
    demand(isinstance(by, str) and by in ("enclosure", "origin"), "witness.by: 'enclosure' or 'origin' is due")
    if by == "enclosure":
        demand(sign(first_step_products(rows, start, [row])[row].hi) < 0, f"the first step is not shown to lower row {list(row)}")
        return
    demand(not any(start if rows.over == "p" else [x for line in start for x in line]), "statement.start: not 0")
    loss = loss_node(problem)
    for mean, samples in origin_groups(problem).items():
        slope = evaluate(loss, Interval.of(mean)).f1
        demand(sign(slope.hi) < 0, f"the slope of the loss is not shown to be negative at {float_text(mean)}")
        product = -sum((weights[t] * rows.product((i, t), row) for i, weights in samples for _, t in rows.of_sample(i)), Fraction(0))
        demand(product <= 0, f"the samples with mean score {float_text(mean)} raise the row")


# ---------------------------------------------------------------------------------------------
# §4.24 Path envelopes


@dataclass(frozen=True)
class Shift:
    """omega, which is orthogonal to w: its products with the rows, and its square."""

    products: dict[Row, Interval]
    square: Interval


@dataclass(frozen=True)
class Competitor:
    """rho w^ + omega, of length R0: its rows, as upper bounds e_c of exp(R0 Theta - y_c), and rho."""

    e: dict[Row, Interval]
    rho: Interval


def log_above(x: Interval) -> Interval:
    """An upper bound of log x, x > 0."""
    bound = log_at(x.hi).hi
    return Interval(bound, bound)


def upper(x: Interval) -> Interval:
    return Interval(x.hi, x.hi)


def shift_of(rows: Rows, svm: Svm, coefficients: dict[Row, Fraction], radius: Fraction) -> Shift:
    """The part across w of sum x_c a_c; it must be shorter than the radius (clause 4)."""
    products = rows.inner(coefficients)
    along = sum((weight * products[row] for row, weight in svm.multipliers.items()), Fraction(0)) / svm.square
    square = sum((x * products[row] for row, x in coefficients.items()), Fraction(0)) - along**2 * svm.square
    demand(square < radius**2, "clause 4: the shift is not shorter than the radius")
    return Shift({row: Interval.of(products[row] - along * svm.theta[row]) for row in rows.names}, Interval.of(square))


def competitor_of(svm: Svm, shift: Shift, radius: Fraction) -> Competitor:
    R = Interval.of(radius)
    rest = R**2 - shift.square
    rho = root(Interval(greatest([rest.lo, ZERO]), rest.hi))
    drop, Theta = shift.square / (R + rho), svm.margin()

    def exponent(row: Row) -> Interval:
        theta = svm.theta[row]
        return Theta * (Interval.of(theta) * drop - R * Interval.of(theta - 1)) - shift.products[row]

    return Competitor({row: exp_above(exponent(row), "clause 4") for row in svm.theta}, rho)


SlopeBounds = list[tuple[Fraction, Fraction] | None]


def read_slopes(problem: Problem, value: Json, where: str) -> SlopeBounds:
    """[mu_i, M_i] for each sample of two tokens, null for the others."""
    slopes: SlopeBounds = []
    for i, entry in enumerate(read_array(value, where, problem.n)):
        if len(problem.tokens[i]) == 1:
            demand(entry is None, f"{where}[{i}]: null is due for a sample of one token")
            slopes.append(None)
            continue
        least_slope, most = read_vector(entry, f"{where}[{i}]", 2)
        demand(0 < least_slope <= most, f"{where}[{i}]: clause 6: not 0 < mu <= M")
        slopes.append((least_slope, most))
    return slopes


def check_slopes(problem: Problem, slopes: SlopeBounds, stretch: Callable[[int], Interval]) -> None:
    """Clause 6: mu_i <= -l' <= M_i on the stretch of each sample."""
    loss = loss_node(problem)
    for i, slope in enumerate(slopes):
        if slope is not None:
            jet = evaluate(loss, stretch(i))
            demand(at_most(jet.f1.hi, -slope[0]), f"clause 6: the slope of sample {i} is not shown to be at least mu in size")
            demand(at_least(jet.f1.lo, -slope[1]), f"clause 6: the slope of sample {i} is not shown to be at most M in size")


def score_stretch(problem: Problem, alpha: tuple[int, ...], reach: Fraction, both_sides: bool) -> Callable[[int], Interval]:
    """J_i: the scores within reach of the selected one, as far as the sample has scores there."""
    def stretch(i: int) -> Interval:
        scores = problem.scores[i]
        at = scores[alpha[i]]
        return Interval.of(max(at - reach, min(scores)), min(at + reach, max(scores)) if both_sides else at)

    return stretch


def entropy(svm: Svm, kappa: dict[Row, Interval], clause: str) -> Interval:
    """H = sum of lambda^_c log(kappa_c / lambda^_c) over the listed rows."""
    shares = {row: Interval.of(share) for row, share in svm.shares.items()}
    return total(share * logarithm(kappa[row] / share, clause) for row, share in shares.items())


@dataclass(frozen=True)
class PathCone:
    radius: Fraction
    opening: Fraction


class EnvelopeCheck:
    """What the entries of a path-envelope share."""

    def __init__(self, svm: Svm, loss: LossBounds, cone: PathCone | None) -> None:
        self.rows, self.svm, self.loss, self.cone = svm.rows, svm, loss, cone
        self.problem, self.alpha = svm.rows.problem, svm.rows.alpha
        self.Theta = svm.margin()
        if cone is not None:
            self.sigma = {row: self.least_product(row) for row in self.rows.names}

    def least_product(self, row: Row) -> Interval:
        """sigma_c: y_c >= sigma_c |p| in the cone."""
        theta, tau = self.svm.theta[row], Interval.of(self.cone.opening)
        across = self.svm.across(row)
        return (self.Theta * Interval.of(theta) - tau * root_of(across)) / root_of(1 + self.cone.opening**2)

    def global_offset(self, entry: dict[str, Json], where: str, radius: Fraction) -> Interval:
        """D of clauses 4 to 7, without a cone."""
        shift = read_coefficients(entry["shift"], f"{where}.shift", self.rows.program)
        reach = read_rational(entry["reach"], f"{where}.reach")
        slopes = read_slopes(self.problem, entry["slopes"], f"{where}.slopes")
        rival = competitor_of(self.svm, shift_of(self.rows, self.svm, shift, radius), radius)
        gaps = self.rows.gaps
        demand(reach > 0, "clause 5: the reach is not positive")
        demand(all(reach < gap for gap in gaps.values()), "clause 5: the reach is not below every gap")
        excess = total(Interval.of(gaps[row]) * e for row, e in rival.e.items())
        decay = exp_above(-(Interval.of(radius) * self.Theta), "clause 5")
        bound = Interval.of(self.loss.mu * reach)
        demand(shown_at_most(Interval.of(self.loss.m1) * decay * excess, bound), "clause 5: the reach is too small")
        check_slopes(self.problem, slopes, score_stretch(self.problem, self.alpha, reach, both_sides=False))
        kappa = {row: Interval.of(slopes[row[0]][0] * (gaps[row] - reach)) for row in self.svm.multipliers}
        level = total(Interval.of(slopes[row[0]][1] * gaps[row]) * e for row, e in rival.e.items())
        return log_above(level) - entropy(self.svm, kappa, "clause 7")

    def cone_offset(self, entry: dict[str, Json], where: str, radius: Fraction, floor: Fraction) -> Interval:
        """D of clauses 4, 5', 6, 7': for the minimisers of the cone whose norm is at least `floor`."""
        coefficients = read_coefficients(entry["shift"], f"{where}.shift", self.rows.program)
        reach = read_rational(entry["reach"], f"{where}.reach")
        slopes = read_slopes(self.problem, entry["slopes"], f"{where}.slopes")
        shift = shift_of(self.rows, self.svm, coefficients, radius)
        gaps, tau, one, at = self.rows.gaps, self.cone.opening, Interval.of(1), Interval.of(floor)
        wall = Interval.of(tau**2 * radius**2)
        demand(shown_at_most(shift.square * Interval.of(1 + tau**2), wall), "clause 5': the shift leaves the cone")
        demand(self.cone.radius <= floor <= radius, "clause 5': not r0 <= floor <= radius")
        for row, sigma in self.sigma.items():
            demand(sigma.is_positive(), f"clause 5': row {list(row)} is not shown to be positive in the cone")
            demand(gaps[row] >= 0 or shown_less(self.Theta, sigma),
                   f"clause 5': row {list(row)}, which scores more, is not shown to exceed Theta in the cone")
        decay = {row: exp_above(-(at * sigma), "clause 5'") for row, sigma in self.sigma.items()}
        attention = Interval(ZERO, ZERO)
        for i in sorted({row[0] for row in decay}):
            own = [row for row in decay if row[0] == i]
            moved = total(Interval.of(abs(gaps[row])) * decay[row] for row in own)
            demand(shown_at_most(moved, Interval.of(reach)), f"clause 5': the reach is too small for sample {i}")
            most = total(decay[row] for row in own)
            attention = most if less(attention.hi, most.hi) else attention
        check_slopes(self.problem, slopes, score_stretch(self.problem, self.alpha, reach, both_sides=True))

        height = entropy(self.svm, {row: Interval.of(slopes[row[0]][0] * gaps[row]) for row in self.svm.multipliers}, "clause 7'")
        better = total(Interval.of(slopes[row[0]][1] * -gaps[row]) * exp_above(-(at * (sigma - self.Theta)), "clause 7'")
                       for row, sigma in self.sigma.items() if gaps[row] < 0)
        xi = (one + attention) * exponential(-height, "clause 7'") * better
        demand(shown_less(xi, one), "clause 7': xi is not shown to be below 1")
        rival = competitor_of(self.svm, shift, radius)
        level = total(Interval.of(slopes[row[0]][1] * gaps[row]) * e for row, e in rival.e.items() if gaps[row] > 0)
        return log_above(level) - height - logarithm(one - xi, "clause 7'") + logarithm(one + attention, "clause 7'")

    def check_floor(self, entry: dict[str, Json], where: str, radius: Fraction, floor: Fraction) -> None:
        """Clause 9: every minimiser of the cone has a norm of at least `floor`."""
        if entry["first"] is None:
            demand(floor == self.cone.radius, "clause 9: without `first` the floor is r0")
            return
        first = read_object(entry["first"], f"{where}.first", ("shift", "reach", "slopes", "floor"))
        demand(read_rational(first["floor"], f"{where}.first.floor") == self.cone.radius, "clause 9: the floor of `first` is not r0")
        offset = self.cone_offset(first, f"{where}.first", radius, self.cone.radius)
        R, rate = Interval.of(radius), self.Theta
        demand(shown_less(offset, R * rate), "clause 9: the offset of `first` is not shown to be below radius Theta")
        demand(floor == self.cone.radius or shown_at_most(Interval.of(floor), R - offset / rate),
               "clause 9: the floor is above what `first` shows")

    def offset(self, entry: Json, where: str, radius: Fraction) -> Interval:
        if self.cone is None:
            return self.global_offset(read_object(entry, where, ("shift", "reach", "slopes")), where, radius)
        read_object(entry, where, ("shift", "reach", "slopes", "floor", "first"))
        floor = read_rational(entry["floor"], f"{where}.floor")
        offset = self.cone_offset(entry, where, radius, floor)
        self.check_floor(entry, where, radius, floor)
        return offset

    def sharp_shift(self) -> tuple[Shift, dict[int, Interval], Interval]:
        """Clause 10: the omega of the 1/R form, b_i, and log psi."""
        rows, svm, listed = self.rows, self.svm, list(self.svm.multipliers)
        inverse = inverse_of([[rows.product(c, e) for e in listed] for c in listed])
        demand(inverse is not None, "clause 10: the listed rows are dependent")
        for row, theta in svm.theta.items():
            demand(row in svm.multipliers or theta > 1, f"clause 10: row {list(row)} is tight without a multiplier")
        loss = loss_node(self.problem)
        b = {i: -evaluate(loss, Interval.of(self.problem.scores[i][self.alpha[i]])).f1 for i in sorted({row[0] for row in rows.names})}
        share = {row: Interval.of(x) for row, x in svm.shares.items()}
        logs = {row: logarithm(b[row[0]] * Interval.of(rows.gaps[row]) / share[row], "clause 10") for row in listed}
        log_psi = total(share[row] * logs[row] for row in listed)
        alike = {(self.problem.scores[i][self.alpha[i]], rows.gaps[i, t] / svm.shares[i, t]) for i, t in listed}
        own = [logs[row] - log_psi if len(alike) > 1 else Interval(ZERO, ZERO) for row in listed]  # exactly 0 where all l_c are one number
        coefficients = [total(Interval.of(x) * o for x, o in zip(line, own)) for line in inverse]
        square = total(o * x for o, x in zip(own, coefficients))
        square = Interval(greatest([square.lo, ZERO]), greatest([square.hi, ZERO]))
        products = dict(zip(listed, own))
        for row in rows.names:
            if row not in products:
                products[row] = total(Interval.of(rows.product(row, c)) * x for c, x in zip(listed, coefficients))
        return Shift(products, square), b, log_psi

    def check_rate(self, rate: Fraction, radius: Fraction) -> None:
        """Clauses 10 to 12 (theorem Q)."""
        rows, svm, gaps = self.rows, self.svm, self.rows.gaps
        shift, b, log_psi = self.sharp_shift()
        R, Theta, one = Interval.of(radius), self.Theta, Interval.of(1)
        demand(shown_less(shift.square, R**2), "clause 11: the shift is not shown to be shorter than the radius")
        demand(shown_at_most(one, R * Theta), "clause 11: radius Theta is not shown to be at least 1")
        rival = competitor_of(svm, shift, radius)
        demand(rival.rho.is_positive(), "clause 11: the shift is not shown to be shorter than the radius")
        excess = total(Interval.of(gaps[row]) * e for row, e in rival.e.items())
        h0 = upper(Interval.of(self.loss.m1 / self.loss.mu) * exp_above(-(R * Theta), "clause 11") * excess)
        demand(all(shown_less(h0, Interval.of(gap)) for gap in gaps.values()), "clause 11: h0 is not below every gap")
        least_b = Interval(least(x.lo for x in b.values()), least(x.hi for x in b.values()))
        least_gap, m0 = Interval.of(min(gaps[row] for row in svm.multipliers)), Interval.of(self.loss.m0)
        demand(shown_at_most((m0 * h0).scaled(2), least_b), "clause 11: m0 h0 is more than half of the least b")
        demand(shown_at_most(h0.scaled(2), least_gap), "clause 11: h0 is more than half of the least gap of a listed row")

        psi = exponential(log_psi, "clause 12")
        bracket = R * h0 * (m0.scaled(3) / least_b + Interval.of(2) / least_gap)
        for row in rows.names:
            if row not in svm.multipliers:
                x = Theta * Interval.of(svm.theta[row] - 1)
                far = shown_at_most(one, rival.rho * x)
                sigma = rival.rho * exp_above(-(rival.rho * x), "clause 12") if far else one / (exp_at(ONE) * x)
                share = b[row[0]] * Interval.of(gaps[row]) / psi * exp_above(-shift.products[row], "clause 12")
                bracket = bracket + share * (R / rival.rho) * sigma
        bound = (shift.square * R).scaled(2) / (R + rival.rho) + bracket.scaled(2) / Theta
        demand(shown_at_most(bound, Interval.of(rate**2)), "clause 12: the rate is too small")


def inverse_of(matrix: list[Vector]) -> list[Vector] | None:
    """By elimination over the rationals; None if the matrix is singular."""
    size = len(matrix)
    rows = [[*row, *(Fraction(int(r == c)) for c in range(size))] for r, row in enumerate(matrix)]
    for k in range(size):
        pivot = next((r for r in range(k, size) if rows[r][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for r in range(size):
            if r != k and rows[r][k]:
                rows[r] = [x - rows[r][k] * y for x, y in zip(rows[r], rows[k])]
    return [row[size:] for row in rows]


def read_cone(value: Json) -> PathCone | None:
    if value is None:
        return None
    read_object(value, "statement.cone", ("radius", "opening"))
    cone = PathCone(read_rational(value["radius"], "statement.cone.radius"), read_rational(value["opening"], "statement.cone.opening"))
    demand(cone.radius > 0 and cone.opening > 0, "clause 3: the cone's radius and opening are not positive")
    return cone


def read_envelope(value: Json, keys: tuple[str, ...]) -> list[tuple[Fraction, Fraction, dict[str, Json]]]:
    """Radius, square and the whole entry, for each entry of the statement."""
    entries = read_array(value, "statement.envelope")
    demand(bool(entries), "statement.envelope: empty")
    found: list[tuple[Fraction, Fraction, dict[str, Json]]] = []
    for k, entry in enumerate(entries):
        where = f"statement.envelope[{k}]"
        read_object(entry, where, keys)
        radius, square = read_rational(entry["radius"], f"{where}.radius"), read_rational(entry["square"], f"{where}.square")
        demand(radius > (found[-1][0] if found else 0), f"{where}.radius: not positive and strictly ascending")
        demand(square > 0, f"{where}.square: not positive")
        found.append((radius, square, entry))
    return found


def check_square(svm: Svm, offset: Interval, radius: Fraction, square: Fraction) -> None:
    """Clause 8."""
    demand(shown_less(offset, Interval.of(radius) * svm.margin()), "clause 8: the offset is not shown to be below radius Theta")
    demand(shown_at_most(offset.scaled(2), Interval.of(square) * svm.margin()), "clause 8: the square is too small")


def demand_gaps(rows: Rows, svm: Svm, cone: PathCone | None) -> None:
    """Clause 3."""
    for row, gap in rows.gaps.items():
        demand(gap > 0 or (cone is not None and svm.theta[row] > 1), f"clause 3: row {list(row)} does not score less")


def check_path_envelope(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "over", "selection", "cone", "envelope"))
    read_object(witness, "witness", ("lambda", "loss", "entries"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    rows = Rows(problem, alpha, read_over(claim, statement["over"]))
    cone = read_cone(statement["cone"])
    envelope = read_envelope(statement["envelope"], ("radius", "square", "rate"))
    svm = read_svm(rows, witness["lambda"])
    loss = read_loss_block(problem, witness["loss"])
    demand_gaps(rows, svm, cone)
    check = EnvelopeCheck(svm, loss, cone)
    entries = read_array(witness["entries"], "witness.entries", len(envelope))
    for k, ((radius, square, entry), evidence) in enumerate(zip(envelope, entries)):
        check_square(svm, check.offset(evidence, f"witness.entries[{k}]", radius), radius, square)
        if entry["rate"] is not None:
            where = f"statement.envelope[{k}].rate"
            demand(cone is None, f"{where}: null is due with a cone")
            rate = read_rational(entry["rate"], where)
            demand(rate > 0, f"{where}: not positive")
            check.check_rate(rate, radius)


# ---------------------------------------------------------------------------------------------
# §4.25 The ratio of nuclear norms along the path


def check_path_ratio(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection", "lower", "upper", "radius", "offset"))
    read_object(witness, "witness", ("bracket", "loss", "reach", "slopes"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    lower, top_norm, radius, offset = (read_rational(statement[key], f"statement.{key}") for key in ("lower", "upper", "radius", "offset"))
    demand(lower > 0, "statement.lower: not positive")
    demand(offset >= 0, "statement.offset: negative")
    theta = check_bracket(problem, alpha, lower, top_norm, witness["bracket"], "witness.bracket")
    gaps = {(i, t): problem.scores[i][alpha[i]] - problem.scores[i][t] for i, t in theta}
    demand(bool(theta), "clause 1: there is no row")
    for row, gap in gaps.items():
        demand(gap > 0, f"clause 1: row {list(row)} does not score less")
    loss = read_loss_block(problem, witness["loss"])
    reach = read_rational(witness["reach"], "witness.reach")
    slopes = read_slopes(problem, witness["slopes"], "witness.slopes")
    demand(top_norm * offset < radius, "clause 5: upper times offset is not below the radius")

    length = radius / top_norm
    e = {row: exp_above(Interval.of(-length * (value - 1)), "clause 3") for row, value in theta.items()}
    demand(reach > 0, "clause 3: the reach is not positive")
    demand(all(reach < gap for gap in gaps.values()), "clause 3: the reach is not below every gap")
    excess = exp_above(Interval.of(-length), "clause 3") * total(Interval.of(gaps[row]) * x for row, x in e.items())
    demand(shown_at_most(Interval.of(loss.m1) * excess, Interval.of(loss.mu * reach)), "clause 3: the reach is too small")
    check_slopes(problem, slopes, score_stretch(problem, alpha, reach, both_sides=False))
    level = log_above(total(Interval.of(slopes[row[0]][1] * gaps[row]) * x for row, x in e.items()))
    for row, gap in gaps.items():
        own = logarithm(Interval.of(slopes[row[0]][0] * (gap - reach)), "clause 5")
        demand(shown_at_most(level - own, Interval.of(offset)), f"clause 5: the offset is too small for row {list(row)}")


# ---------------------------------------------------------------------------------------------
# §4.26 The head along the joint path


class JointCheck:
    """The numbers of clause 4: of the competitor (r u, R w^)."""

    def __init__(self, problem: Problem, alpha: tuple[int, ...], statement: dict[str, Json], v: Vector, svm: Svm) -> None:
        self.problem, self.alpha, self.v = problem, alpha, v
        keys = ("nu", "gamma_squared", "r", "R", "theta", "c", "head_theta", "head_c")
        numbers = {key: read_rational(statement[key], f"statement.{key}") for key in keys}
        self.nu, self.r, self.c, self.theta = numbers["nu"], numbers["r"], numbers["c"], numbers["theta"]
        self.head_theta, self.head_c = numbers["head_theta"], numbers["head_c"]
        demand(self.r > 0 and numbers["R"] > 0, "statement: r and R are not positive")
        demand(self.theta >= 0 and self.c >= 0, "statement: theta and c are not at least 0")
        self.Gamma = root_of(numbers["gamma_squared"])
        self.margins = [[self.Gamma * Interval.of(dot(v, signed(problem, i, t))) for t in range(len(sample))]
                        for i, sample in enumerate(problem.tokens)]
        self.above_one = [dot(v, signed(problem, i, t)) - 1 for i, t in enumerate(alpha)]
        length = Interval.of(numbers["R"]) * svm.margin()
        e = {row: exp_above(-(length * Interval.of(theta)), "clause 4") for row, theta in svm.theta.items()}
        self.softness = [total(x for row, x in e.items() if row[0] == i) for i in range(problem.n)]
        self.cost = [self.largest_loss(i) * self.softness[i] for i in range(problem.n)]

    def selected(self, i: int) -> Interval:
        return self.margins[i][self.alpha[i]]

    def shortfall(self, i: int) -> Interval:
        """Gamma - g_i"""
        return self.cost[i] - self.Gamma * Interval.of(self.above_one[i])

    def largest_loss(self, i: int) -> Interval:
        """B_i, an upper bound."""
        losses = [ZERO, *((self.selected(i) - margin).hi for t, margin in enumerate(self.margins[i]) if t != self.alpha[i])]
        return Interval(greatest(losses), greatest(losses))

    def distance(self, i: int, t: int) -> Interval:
        difference = minus(self.problem.tokens[i][t], self.problem.tokens[i][self.alpha[i]])
        return root_of(dot(difference, difference))

    def farthest(self, i: int) -> Interval:
        distances = [self.distance(i, t) for t in range(len(self.problem.tokens[i]))]
        return Interval(greatest(x.lo for x in distances), greatest(x.hi for x in distances))

    def check_first_pass(self) -> None:
        r, theta, one = Interval.of(self.r), Interval.of(self.theta), Interval.of(1)
        demand(shown_less(theta, self.Gamma), "clause 4: theta is not below Gamma")
        shortfalls = [self.shortfall(i) for i in range(self.problem.n)]
        for i, shortfall in enumerate(shortfalls):
            demand(shown_at_most(shortfall, theta), f"clause 4: theta is too small for sample {i}")
        lead = log_above(total(exp_above(r * (shortfall - theta), "clause 4") for shortfall in shortfalls))
        rest = total(log_above(one + exp_above(r * (shortfall - self.Gamma), "clause 4")) for shortfall in shortfalls)
        demand(shown_at_most(lead + rest, Interval.of(self.c)), "clause 4: c is too small")
        demand(shown_less(Interval.of(self.c), r * (self.Gamma - theta)), "clause 4: r (Gamma - theta) is not above c")

    def spread(self, weights: dict[int, Fraction]) -> Interval:
        """1 + X/nu"""
        return Interval.of(1) + total(Interval.of(weight / self.nu) * self.farthest(i) for i, weight in weights.items())

    def check_without_second(self, weights: dict[int, Fraction]) -> None:
        spread = self.spread(weights)
        demand(shown_at_most(Interval.of(self.theta) * spread, Interval.of(self.head_theta)), "clause 5: head_theta is too small")
        demand(shown_at_most(Interval.of(self.c) * spread, Interval.of(self.head_c)), "clause 5: head_c is too small")

    def check_second(self, weights: dict[int, Fraction], shift: Vector) -> None:
        square = Interval.of(2 * (self.theta + self.c / self.r)) * self.spread(weights) / self.Gamma
        epsilon = root(square)
        for i in weights:
            for t, margin in enumerate(self.margins[i]):
                demand(t == self.alpha[i] or shown_at_most(epsilon * self.distance(i, t), self.selected(i) - margin),
                       f"clause 6: token {[i, t]} may gain margin within epsilon")
        along = dot(shift, self.v) / dot(self.v, self.v)
        omega = [x - along * y for x, y in zip(shift, self.v)]
        length = dot(omega, omega)
        demand(length < self.r**2, "clause 6: the shift is not shorter than r")
        r, size = Interval.of(self.r), root_of(length)
        lag = Interval.of(length) / (r + root_of(self.r**2 - length))  # r - rho
        for i, cost in enumerate(self.cost):
            demand(shown_at_most(cost, Interval.of(self.head_theta)), f"clause 6: head_theta is too small for sample {i}")
        terms = []
        for i in range(self.problem.n):
            own = Interval.of(dot(omega, signed(self.problem, i, self.alpha[i])))
            soft = self.softness[i] * size * self.farthest(i)
            above = self.Gamma * Interval.of(self.r * self.above_one[i])
            terms.append(exp_above(lag * self.selected(i) - above - own + soft, "clause 6"))
        eta = exp_above(Interval.of(self.c) - r * (self.Gamma - Interval.of(self.theta)), "clause 6")
        entropy_of_weights = total(Interval.of(weight) * logarithm(Interval.of(weight), "clause 6") for weight in weights.values())
        offset = log_above(total(terms)) + entropy_of_weights - logarithm(Interval.of(1) - eta / Interval.of(2), "clause 6")
        demand(self.head_c >= 0, "clause 6: head_c is negative")
        demand(shown_at_most(offset, Interval.of(self.head_c)), "clause 6: head_c is too small")


def check_joint_envelope(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection", "nu", "gamma_squared", "r", "R", "theta", "c", "head_theta", "head_c"))
    read_object(witness, "witness", ("b", "lambda", "weights", "second"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    demand(is_logistic(problem), "clause 1: the loss is written otherwise")
    hypothesis = {"kind": "assumption-b", "selection": statement["selection"], "over": "all", "nu": statement["nu"],
                  "gamma_squared": statement["gamma_squared"]}
    try:
        check_assumption_b(problem, "assumption-b", hypothesis, witness["b"])
    except Rejected as why:
        raise Rejected(f"witness.b: clause 2: {why}") from None
    v = read_vector(witness["b"]["v"]["w"], "witness.b.v.w", problem.d)
    svm = read_svm(Rows(problem, alpha, "p"), witness["lambda"])
    weights = read_weight_list(problem, witness["weights"], "witness.weights")
    gamma_squared = read_rational(statement["gamma_squared"], "statement.gamma_squared")
    centre = combination(v_program(problem, alpha), {(i,): weight for i, weight in weights.items()}, problem.d)
    demand(centre == [gamma_squared * x for x in v], "witness.weights: their combination is not gamma_squared v")
    check = JointCheck(problem, alpha, statement, v, svm)
    check.check_first_pass()
    if witness["second"] is None:
        check.check_without_second(weights)
    else:
        read_object(witness["second"], "witness.second", ("shift",))
        check.check_second(weights, read_vector(witness["second"]["shift"], "witness.second.shift", problem.d))
    bound = Interval.of(check.head_theta + check.head_c / check.r)
    demand(shown_less(bound, check.Gamma), "clause 7: head_theta + head_c/r is not below Gamma")


# ---------------------------------------------------------------------------------------------
# §4.28 Sparsity and norm


def square_of(rows: Rows, coefficients: Multipliers) -> Fraction:
    """The square of sum x_c a_c."""
    products = rows.inner(coefficients)
    return sum((x * products[row] for row, x in coefficients.items()), Fraction(0))


@dataclass(frozen=True)
class Sparsity:
    """A of the rule, and the square of sum pi_c a_c."""

    height: Interval
    square: Fraction
    is_empty: bool


def read_sparsity(rows: Rows, epsilon: Fraction, value: Json) -> Sparsity:
    weights = read_multipliers(value, "witness.weights", rows.program)
    shares: dict[int, Fraction] = {}
    for (i, _), weight in weights.items():
        shares[i] = shares.get(i, Fraction(0)) + weight
    height = Interval.of(sum(shares.values(), Fraction(0))) * increasing(log_at, Interval.of((1 - epsilon) / epsilon))
    for (i, t), weight in weights.items():
        height = height + Interval.of(weight) * increasing(log_at, Interval.of(shares[i] / weight))
    return Sparsity(height, square_of(rows, weights), not weights)


def read_epsilon(statement: dict[str, Json]) -> Fraction:
    epsilon = read_rational(statement["epsilon"], "statement.epsilon")
    demand(0 < epsilon < 1, "statement.epsilon: not between 0 and 1")
    return epsilon


def check_sparsity_norm(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "over", "selection", "epsilon", "lower", "upper"))
    read_object(witness, "witness", ("weights", "point"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    rows = Rows(problem, alpha, read_over(claim, statement["over"]))
    epsilon = read_epsilon(statement)
    lower, above = (read_rational(statement[key], f"statement.{key}") for key in ("lower", "upper"))
    demand(0 <= lower <= above, "statement: not 0 <= lower <= upper")
    sparsity = read_sparsity(rows, epsilon, witness["weights"])
    if lower > 0:
        demand(not sparsity.is_empty, "clause 1: a lower bound needs weights")
        demand(sparsity.square > 0, "clause 1: the combination of rows is 0")
        demand(sign(sparsity.height.lo) >= 0, "clause 1: A is not shown to be at least 0")
        demand(shown_at_most(Interval.of(lower**2 * sparsity.square), sparsity.height**2), "clause 1: lower is not shown")

    point = read_coefficients(witness["point"], "witness.point", rows.program)
    bound, logits = Interval.of(epsilon / (1 - epsilon)), rows.inner(point)
    for i, sample in enumerate(problem.tokens):
        others = total(exponential(Interval.of(-logits[row]), "clause 2") for row in rows.of_sample(i))
        demand(len(sample) == 1 or shown_at_most(others, bound),
               f"clause 2: the point does not give the selected token of sample {i} its attention")
    demand(square_of(rows, point) <= above**2, "clause 3: the point is longer than upper")


def check_sparsity_infeasible(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "over", "selection", "epsilon"))
    read_object(witness, "witness", ("weights",))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    rows = Rows(problem, alpha, read_over(claim, statement["over"]))
    sparsity = read_sparsity(rows, read_epsilon(statement), witness["weights"])
    demand(sparsity.square == 0, "the combination of rows is not 0")
    demand(sparsity.height.is_positive(), "A is not shown to be positive")


# ---------------------------------------------------------------------------------------------
# §4.29 Nonlinear heads

HeadBounds = list[tuple[Fraction, Fraction] | None]


@dataclass(frozen=True)
class Head:
    """phi(v.x), with u_it = v.x_it."""

    problem: Problem
    alpha: tuple[int, ...]
    node: Node
    u: list[Vector]

    def side(self, i: int) -> int:
        """g: 1 if the other tokens lie above the selected one, -1 if below."""
        at = self.u[i][self.alpha[i]]
        sides = {(x > at) - (x < at) for t, x in enumerate(self.u[i]) if t != self.alpha[i]}
        demand(len(sides) == 1 and 0 not in sides, f"the tokens of sample {i} are not all on one side of the selected one")
        return sides.pop()

    def distance(self, row: Row) -> Fraction:
        return abs(self.u[row[0]][row[1]] - self.u[row[0]][self.alpha[row[0]]])

    def farthest(self, i: int) -> Fraction:
        return max(self.distance((i, t)) for t in range(len(self.u[i])))

    def value(self, i: int, u: Interval) -> Interval:
        """Y_i phi(u)"""
        return evaluate(self.node, u).f.scaled(self.problem.labels[i])


def read_head(problem: Problem, alpha: tuple[int, ...], value: Json) -> Head:
    demand(isinstance(value, str), "statement.head: a string is due")
    demand(problem.v is not None, "the statement speaks of scores, but the problem has no v")
    return Head(problem, alpha, ExpressionParser(value).parse(), [[dot(problem.v, x) for x in sample] for sample in problem.tokens])


def check_head_bounds_on(head: Head, bounds: Json, cuts: Json, share: Fraction,
                         where: tuple[str, str]) -> tuple[HeadBounds, list[list[Interval]]]:
    """The bounds of each sample, proved on the share of its stretch next to the selected token, and the cells."""
    n = head.problem.n
    pairs, all_cuts = read_array(bounds, where[0], n), read_array(cuts, where[1], n)
    found: HeadBounds = []
    cells: list[list[Interval]] = []
    for i, (pair, own) in enumerate(zip(pairs, all_cuts)):
        inner = read_vector(own, f"{where[1]}[{i}]")
        if len(head.u[i]) == 1:
            demand(pair is None, f"{where[0]}[{i}]: null is due for a sample of one token")
            demand(not inner, f"{where[1]}[{i}]: a sample of one token has no cuts")
            found.append(None)
            at = head.u[i][0]
            cells.append([Interval.of(at)])
            continue
        low, high = read_vector(pair, f"{where[0]}[{i}]", 2)
        demand(low > 0, f"{where[0]}[{i}]: the lower bound is not positive")
        found.append((low, high))
        cells.append(check_head_cells(head, i, low, high, inner, share, where[1]))
    return found, cells


def check_head_cells(head: Head, i: int, low: Fraction, high: Fraction, cuts: Vector, share: Fraction, where: str) -> list[Interval]:
    """The cells from the selected token outwards: each by the slope of phi, or, save the first, by its values."""
    side, at, label = head.side(i), head.u[i][head.alpha[i]], head.problem.labels[i]
    distances = [Fraction(0), *(side * (cut - at) for cut in cuts), share * head.farthest(i)]
    demand(all(a < b for a, b in zip(distances, distances[1:])),
           f"{where}[{i}]: not ordered away from the selected token, inside of the stretch")
    origin = head.value(i, Interval.of(at))
    cells = []
    for k, (a, b) in enumerate(zip(distances, distances[1:])):
        cell = Interval.of(*sorted((at + side * a, at + side * b)))
        jet = evaluate(head.node, cell)
        slope = jet.f1.scaled(-label * side)
        by_slope = at_least(slope.lo, low) and at_most(slope.hi, high)
        drop = origin - jet.f.scaled(label)
        by_value = k > 0 and at_least(drop.lo, low * b) and at_most(drop.hi, high * a)
        demand(by_slope or k > 0, f"the bounds of sample {i} are not shown on its first cell, by the slope")
        demand(by_slope or by_value, f"the bounds of sample {i} are not shown on its cell {k}")
        cells.append(cell)
    return cells


def check_head_bounds(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection", "head", "bounds"))
    read_object(witness, "witness", ("cuts",))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    head = read_head(problem, alpha, statement["head"])
    check_head_bounds_on(head, statement["bounds"], witness["cuts"], Fraction(1), ("statement.bounds", "witness.cuts"))


def check_head_envelope(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection", "head", "envelope"))
    read_object(witness, "witness", ("lambda", "loss", "bounds", "cuts", "entries"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    head = read_head(problem, alpha, statement["head"])
    rows = Rows(problem, alpha, "p")
    envelope = read_envelope(statement["envelope"], ("radius", "square"))
    svm = read_svm(rows, witness["lambda"])
    bounds, cells = check_head_bounds_on(head, witness["bounds"], witness["cuts"], Fraction(1), ("witness.bounds", "witness.cuts"))
    loss = read_loss_block(problem, witness["loss"], covers=False)
    for i, own in enumerate(cells):
        for cell in own:
            value = head.value(i, cell)
            demand(at_least(value.lo, loss.lo) and at_most(value.hi, loss.hi),
                   f"clause 2: a value of the head in sample {i} may lie outside of the interval")
    entries = read_array(witness["entries"], "witness.entries", len(envelope))
    for k, ((radius, square, _), entry) in enumerate(zip(envelope, entries)):
        where = f"witness.entries[{k}]"
        read_object(entry, where, ("shift", "reach", "slopes", "near"))
        check_square(svm, head_offset(head, rows, svm, loss, bounds, entry, where, radius), radius, square)


def head_offset(head: Head, rows: Rows, svm: Svm, loss: LossBounds, bounds: HeadBounds, entry: dict[str, Json], where: str,
                radius: Fraction) -> Interval:
    """D of clauses 4 to 7 with the bounds of the head in place of the gaps."""
    coefficients = read_coefficients(entry["shift"], f"{where}.shift", rows.program)
    reach = read_rational(entry["reach"], f"{where}.reach")
    slopes = read_slopes(head.problem, entry["slopes"], f"{where}.slopes")
    rival = competitor_of(svm, shift_of(rows, svm, coefficients, radius), radius)
    demand(0 < reach < 1, "clause 5: the reach is not between 0 and 1")
    least_drop = min(bounds[row[0]][0] * head.distance(row) for row in rows.names)
    excess = total(Interval.of(bounds[row[0]][1] * head.distance(row)) * e for row, e in rival.e.items())
    decay = exp_above(-(Interval.of(radius) * svm.margin()), "clause 5")
    bound = Interval.of(loss.mu * least_drop * reach)
    demand(shown_at_most(Interval.of(loss.m1) * decay * excess, bound), "clause 5: the reach is too small")

    def stretch(i: int) -> Interval:
        at = head.value(i, Interval.of(head.u[i][head.alpha[i]]))
        return Interval((at - Interval.of(reach * bounds[i][1] * head.farthest(i))).lo, at.hi)

    check_slopes(head.problem, slopes, stretch)
    read_object(entry["near"], f"{where}.near", ("bounds", "cuts"))
    near, _ = check_head_bounds_on(head, entry["near"]["bounds"], entry["near"]["cuts"], reach,
                                   (f"{where}.near.bounds", f"{where}.near.cuts"))
    kappa = {row: Interval.of(slopes[row[0]][0] * near[row[0]][0] * head.distance(row) * (1 - reach)) for row in svm.multipliers}
    level = total(Interval.of(slopes[row[0]][1] * near[row[0]][1] * head.distance(row)) * e for row, e in rival.e.items())
    return log_above(level) - entropy(svm, kappa, "clause 7")


# ---------------------------------------------------------------------------------------------
# §2 Against a case

CASE_ARRAYS = ("tokens", "labels", "v", "W", "queries")


def read_bytes(path: Path) -> bytes:
    """Of a file or a pipe; of a device such as /dev/zero there is no end."""
    if path.exists() and not (path.is_file() or path.is_fifo()):
        raise OSError(f"not a file: {str(path)!r}")
    return path.read_bytes()


def read_case(path: Path) -> dict[str, Any]:
    """The case's arrays as nested lists of Fractions, and its loss; absent ones are None."""
    try:
        case = load_json(read_bytes(path))
        demand(isinstance(case, dict), "an object is due")
        for key in ("tokens", "labels"):
            demand(key in case, f"key '{key}' is missing")
        loss = case.get("loss", "logistic")
        read_loss(loss)
        arrays = {key: read_case_array(case[key], key, path) if key in case else None for key in CASE_ARRAYS}
        check_case_shapes(**arrays)
        return {"loss": loss, **arrays}
    except (Rejected, OSError, ValueError, TypeError, SyntaxError, KeyError, RuntimeError, MemoryError,
            struct.error, zipfile.BadZipFile, zlib.error) as error:
        raise UnreadableCase(f"{path}: {str(error)[:300]}") from None  # a name in it may have any length


def read_case_array(value: Json, where: str, path: Path) -> list:
    if isinstance(value, dict):
        return read_array_file(value, where, path)
    demand(isinstance(value, list), f"{where}: an array is due")
    return [read_case_array(x, where, path) if isinstance(x, list) else case_number(x, where) for x in value]


def check_case_shapes(tokens: list, labels: list, v: list | None, W: list | None, queries: list | None) -> None:
    def is_matrix(value: Any, rows: int, columns: int) -> bool:
        return (isinstance(value, list) and len(value) == rows >= 1 and columns >= 1
                and all(isinstance(row, list) and len(row) == columns for row in value)
                and all(isinstance(x, Fraction) for row in value for x in row))

    first = tokens[0][0] if tokens and isinstance(tokens[0], list) and tokens[0] else None
    n, d = len(tokens), len(first) if isinstance(first, list) else 0
    demand(d >= 1 and all(isinstance(x, list) and is_matrix(x, len(x), d) for x in tokens), "tokens: not of the shape due")
    demand(len(labels) == n and all(y in (1, -1) for y in labels), "labels: 1 or -1 for each sample is due")
    demand(v is None or is_matrix([v], 1, d), "v: not of the shape due")
    demand(W is None or is_matrix(W, d, d), "W: not of the shape due")
    demand(queries is None or is_matrix(queries, n, d), "queries: not of the shape due")


def case_number(value: Json, where: str) -> Fraction:
    text = value.text if isinstance(value, Number) else value
    demand(isinstance(text, str), f"{where}: a number is due")
    if not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", text):
        return read_rational(text, where)
    demand(len(text) <= MAX_RATIONAL_CHARS, f"{where}: number too long")
    return -decimal(text[1:]) if text.startswith("-") else decimal(text)


def read_array_file(value: dict[str, Json], where: str, path: Path) -> list:
    read_object(value, where, ("file",), ("array",))
    name, array = value["file"], value.get("array")
    demand(isinstance(name, str), f"{where}: a file name is due")
    demand(isinstance(array, str) if name.endswith(".npz") else name.endswith(".npy") and "array" not in value,
           f"{where}: an .npz with an array name, or an .npy without one, is due")
    file = path.parent / name
    demand(file.is_file(), f"{where}: no such file")  # a pipe would keep us waiting, a device has no end
    if array is None:
        return read_npy(file.read_bytes(), where, MAX_ARRAY)
    with zipfile.ZipFile(file) as archive:
        member = archive.getinfo(f"{array}.npy")
        deflated = member.compress_type != zipfile.ZIP_STORED
        demand(not deflated or member.file_size <= MAX_DEFLATED_BYTES, f"{where}: a deflated array that is too large")
        return read_npy(archive.read(member), where, MAX_DEFLATED_ARRAY if deflated else MAX_ARRAY)


# Floats and integers of §2, as the struct module names them.
NPY_CODES = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q"}


# What a checker may refuse (§1). A few deflated bytes can hold any number of zeros.
MAX_ARRAY, MAX_DEFLATED_ARRAY, MAX_DEFLATED_BYTES = 2**28, 2**21, 2**24
MAX_NPY_HEADER = 2**16


def read_npy(data: bytes, where: str, most: int) -> list:
    """The exact values of the numbers of an .npy file, as nested lists."""
    stream = io.BytesIO(data)
    demand(stream.read(6) == b"\x93NUMPY", f"{where}: not an .npy array")
    major, _ = stream.read(2)
    length = struct.unpack("<H", stream.read(2))[0] if major == 1 else struct.unpack("<I", stream.read(4))[0]
    demand(length <= MAX_NPY_HEADER, f"{where}: the header is too long")
    header = ast.literal_eval(stream.read(length).decode("latin-1").strip())
    shape, order = header["shape"], header["descr"]
    demand(isinstance(order, str) and order[:1] in ("<", ">", "|") and order[1:] in NPY_CODES, f"{where}: numbers are due, not {order}")
    code, size, count = NPY_CODES[order[1:]], int(order[2:]), math.prod(shape)
    demand(count <= most, f"{where}: the array is too large")
    body = stream.read()
    demand(len(shape) >= 1 and len(body) == size * count, f"{where}: the array is cut short or too long")
    numbers = struct.unpack(f"{order[0].replace('|', '<')}{count}{code}", body)
    demand(all(map(math.isfinite, numbers)), f"{where}: not a finite number")
    strides = [math.prod(shape[k + 1:]) for k in range(len(shape))]
    if header["fortran_order"]:
        strides = [math.prod(shape[:k]) for k in range(len(shape))]

    def nested(axis: int, offset: int) -> Any:
        if axis == len(shape):
            return Fraction(numbers[offset])
        return [nested(axis + 1, offset + k * strides[axis]) for k in range(shape[axis])]

    return nested(0, 0)


def check_same_data(problem: Problem, case: dict[str, Any]) -> None:
    for key in (*CASE_ARRAYS, "loss"):
        demand(getattr(problem, key) == case[key], f"the case has other data: {key}")


# ---------------------------------------------------------------------------------------------
# §4.31 Brackets


class Frame:
    """A program whose rows are known through tokens: the row [i, t] has the left factor x_ialpha - x_it (v-svm: Y_i x_ialpha), kept as
    integers over `unit`. A point is a list of vectors: one vector, or for w-svm one a sample, q_0, q_1, ..., with W = sum q_i z_i^T."""

    def __init__(self, problem: Problem, claim: str, alpha: tuple[int, ...], bounds: Callable[[int], int] = lambda i: 1) -> None:
        self.problem, self.claim = problem, claim
        self.unit = math.lcm(*(x.denominator for sample in problem.tokens for token in sample for x in token))
        self.left: dict[Row, list[int]] = {}
        self.program: Program = {}
        for i, sample in enumerate(problem.tokens):
            whole = [[x.numerator * (self.unit // x.denominator) for x in token] for token in sample]
            chosen = whole[alpha[i]]
            if claim == "v-svm":
                self.left[(i,)] = [problem.labels[i] * x for x in chosen]
            else:
                self.left.update({(i, t): [a - b for a, b in zip(chosen, token)] for t, token in enumerate(whole) if t != alpha[i]})
        self.program = {row: ([], bounds(row[0])) for row in self.left}
        self.keys = problem.W if claim in ("p-svm", "joint-svm") else None
        if claim == "w-svm":
            z = queries_of(problem)
            self.queries = [[dot(a, b) for b in z] for a in z]

    def sum_of(self, coefficients: Multipliers) -> list[Vector]:
        """The point that is the sum of coefficient times row."""
        common = math.lcm(*(x.denominator for x in coefficients.values())) if coefficients else 1
        sums = [[0] * self.problem.d for _ in range(self.problem.n if self.claim == "w-svm" else 1)]
        for row, x in coefficients.items():
            factor, place = x.numerator * (common // x.denominator), row[0] if self.claim == "w-svm" else 0
            sums[place] = [y + factor * a for y, a in zip(sums[place], self.left[row])]
        point = [[Fraction(y, common * self.unit) for y in vector] for vector in sums]
        return [[dot(row, point[0]) for row in self.keys]] if self.keys is not None else point

    def images(self, point: list[Vector]) -> list[tuple[list[int], int]]:
        """What left factors are multiplied with: w, or W^T w, or for each sample sum_j (z_j.z_i) q_j; over their denominators."""
        if self.claim == "w-svm":
            ready = [whole_numbers(q) for q in point]
            images = []
            for i in range(self.problem.n):
                factors, unit = whole_numbers([self.queries[j][i] / ready[j][1] for j in range(self.problem.n)])
                total = [0] * self.problem.d
                for factor, (q, _) in zip(factors, ready):
                    if factor and any(q):
                        total = [x + factor * y for x, y in zip(total, q)]
                images.append((total, unit))
            return images
        [w] = point
        if self.keys is not None:
            w = [sum((row[b] * x for row, x in zip(self.keys, w)), Fraction(0)) for b in range(self.problem.d)]
        return [whole_numbers(w)] * self.problem.n

    def values(self, point: list[Vector], rows: Iterable[Row]) -> dict[Row, Fraction]:
        images = self.images(point)
        return {row: Fraction(integer_dot(self.left[row], images[row[0]][0]), images[row[0]][1] * self.unit) for row in rows}

    def product(self, a: list[Vector], b: list[Vector]) -> Fraction:
        if self.claim != "w-svm":
            return dot(a[0], b[0])
        return sum((Fraction(integer_dot(whole, image), unit * other)
                    for (whole, unit), (image, other) in zip(map(whole_numbers, a), self.images(b))), Fraction(0))

    @functools.lru_cache(maxsize=None)
    def row_product(self, a: Row, b: Row) -> Fraction:
        """Of two rows of a w-svm."""
        if a > b:
            return self.row_product(b, a)
        return Fraction(integer_dot(self.left[a], self.left[b]), self.unit**2) * self.queries[a[0]][b[0]]

    def gram(self, rows: list[Row]) -> list[Vector]:
        """The products of the rows with each other, the lower triangle."""
        if self.claim == "w-svm":
            return [[self.row_product(b, a) for b in rows[:j + 1]] for j, a in enumerate(rows)]
        vectors = [whole_numbers(self.sum_of({row: Fraction(1)})[0]) for row in rows]
        return [[Fraction(integer_dot(a, b), unit * other) for b, other in vectors[:j + 1]] for j, (a, unit) in enumerate(vectors)]

    def reach_squared(self, row: Row) -> Fraction:
        square = Fraction(integer_dot(self.left[row], self.left[row]), self.unit**2)
        if self.claim == "w-svm":
            return square * self.queries[row[0]][row[0]]
        return square if self.keys is None else square * self.weight_square

    @functools.cached_property
    def weight_square(self) -> Fraction:
        return sum((dot(row, row) for row in self.keys), Fraction(0))


class Bracket:
    """A valid bracket: its point and which rows it excludes."""

    def __init__(self, frame: Frame, source: dict[str, Json], distance: Json, where: str, stated: str) -> None:
        self.frame = frame
        self.weights = weights = read_multipliers(source["lambda"], f"{where}.lambda", frame.program)
        scale, self.distance = read_rational(source["scale"], f"{where}.scale"), read_rational(distance, stated)
        demand(scale > 0, f"{where}.scale: not positive")
        demand(self.distance >= 0, f"{stated}: negative")
        total = frame.sum_of(weights)
        values = frame.values(total, frame.program)
        self.square = frame.product(total, total)
        self.bound = sum((weight * frame.program[row][1] for row, weight in weights.items()), Fraction(0))
        self.scale = scale
        demand(self.square > 0, f"{where}.lambda: the combination of rows is 0")
        for row, (_, b) in frame.program.items():
            demand(values[row] >= scale * b, f"{where}.scale: row {list(row)} is violated")
        demand(self.distance**2 >= self.square / scale**2 - self.bound**2 / self.square, f"{stated}: less than the gap proves")
        self.point = [[x / scale for x in vector] for vector in total]
        self.slack = {row: values[row] / scale - frame.program[row][1] for row in frame.program}

    def excludes(self, row: Row) -> bool:
        slack = self.slack[row]
        return slack > 0 and slack**2 > self.frame.reach_squared(row) * self.distance**2

    def check_possible(self, possible: list[Row], where: str) -> None:
        listed = set(possible)
        for row in self.frame.program:
            demand(row in listed or self.excludes(row), f"{where}: row {list(row)} is left out but not excluded")

    def check_direction(self, value: Json, where: str, row: Row, possible: list[Row]) -> None:
        frame = self.frame
        if frame.claim == "w-svm":
            x = read_coefficients(value, where, frame.program)
            products = {other: sum((y * frame.row_product(c, other) for c, y in x.items()), Fraction(0)) for other in {*possible, *x}}
            along = sum((y * (self.slack[c] + frame.program[c][1]) for c, y in x.items()), Fraction(0))
            square = sum((y * products[c] for c, y in x.items()), Fraction(0))
        else:
            e = [read_vector(value, where, frame.problem.d)]
            products, along, square = frame.values(e, possible), frame.product(e, self.point), frame.product(e, e)
        for other in possible:
            demand(other == row or products[other] <= 0, f"{where}: the product with row {list(other)} is positive")
        demand(along > 0 and along**2 > square * self.distance**2, f"{where}: row {list(row)} is not shown to be tight")


    def check_independence(self, value: Json, where: str, support: list[Row], possible: list[Row]) -> None:
        """All rows of `support` at once: no eigenvalue of the products of the possible rows is below kappa."""
        kappa, listed = read_rational(value, where), set(possible)
        demand(kappa > 0, f"{where}: not positive")
        for row in self.weights:
            demand(row in listed, f"{where}: row {list(row)} has a multiplier and is not possible")
        for row in support:
            demand(self.weights.get(row, 0)**2 * kappa > (self.scale * self.distance)**2, f"{where}: row {list(row)} is not shown to be tight")
        demand(len(possible) <= MOST_FORM_DIMENSIONS, f"{where}: refused, too many rows")
        demand(has_least_eigenvalue(self.frame.gram(possible), kappa), f"{where}: too large for the possible rows")


def shown_by(witness: Json) -> str:
    """By what a witness shows rows to be tight."""
    return "independence" if isinstance(witness, dict) and "independence" in witness else "directions"


def check_support(bracket: Bracket, support: list[Row], witness: dict[str, Json], where: str, possible: list[Row]) -> None:
    if shown_by(witness) == "independence":
        return bracket.check_independence(witness["independence"], f"{where}.independence", support, possible)
    where += ".directions"
    for k, (row, value) in enumerate(zip(support, read_array(witness["directions"], where, len(support)))):
        bracket.check_direction(value, f"{where}[{k}]", row, possible)


def bracketed_support(problem: Problem, alpha: tuple[int, ...], source: Json) -> list[Row]:
    """The tight rows of v-svm, decided by a bracket."""
    read_object(source, "witness.v", ("lambda", "scale", "distance", "support", shown_by(source)))
    frame = Frame(problem, "v-svm", alpha)
    bracket = Bracket(frame, source, source["distance"], "witness.v", "witness.v.distance")
    support = read_rows(source["support"], "witness.v.support", frame.program)
    bracket.check_possible(support, "witness.v.support")
    check_support(bracket, support, source, "witness.v", support)
    return support


def joint_support(problem: Problem, alpha: tuple[int, ...], source: Json) -> list[Row]:
    if isinstance(source, dict) and "scale" in source:
        return bracketed_support(problem, alpha, source)
    read_object(source, "witness.v", ("w", "lambda"))
    return read_solution(problem, v_program(problem, alpha), source, "witness.v")[1]


def check_svm_bracket(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection", "lower", "upper", "distance", "support", "possible"))
    read_object(witness, "witness", ("lambda", "scale", shown_by(witness)) + (("v",) if claim == "joint-svm" else ()))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    due = [i for i, in joint_support(problem, alpha, witness["v"])] if claim == "joint-svm" else range(problem.n)
    frame = Frame(problem, claim, alpha, lambda i: int(i in due))
    bracket = Bracket(frame, witness, statement["distance"], "witness", "statement.distance")
    lower, upper_end = (read_rational(statement[key], f"statement.{key}") for key in ("lower", "upper"))
    demand(2 * bracket.square * lower <= bracket.bound**2, "statement.lower: not shown")
    demand(bracket.square <= 2 * bracket.scale**2 * upper_end, "statement.upper: not shown")
    possible = read_rows(statement["possible"], "statement.possible", frame.program)
    bracket.check_possible(possible, "statement.possible")
    support = read_rows(statement["support"], "statement.support", frame.program)
    for row in support:
        demand(row in possible, f"statement.support: row {list(row)} is not possible")
    check_support(bracket, support, witness, "witness", possible)


def check_bracketed_optimum(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    """Local optimality from a bracket (§4.6, §4.16)."""
    read_object(statement, "statement", ("kind", "selection", "possible_neighbours"))
    read_object(witness, "witness", ("lambda", "scale", "distance"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    frame = Frame(problem, "w-svm" if claim == "w-svm" else "p-svm", alpha)
    bracket = Bracket(frame, witness, witness["distance"], "witness", "witness.distance")
    possible = read_rows(statement["possible_neighbours"], "statement.possible_neighbours", frame.program)
    bracket.check_possible(possible, "statement.possible_neighbours")
    check_locally_best(problem, alpha, possible)


def check_bracketed_neighbour(problem: Problem, claim: str, alpha: tuple[int, ...], witness: Json) -> None:
    """A neighbour that a bracket shows to be tight scores at least as much (§4.7, §4.16)."""
    read_object(witness, "witness", ("lambda", "scale", "distance", "possible", "neighbour", "direction"))
    frame = Frame(problem, "w-svm" if claim == "w-svm" else "p-svm", alpha)
    bracket = Bracket(frame, witness, witness["distance"], "witness", "witness.distance")
    possible = read_rows(witness["possible"], "witness.possible", frame.program)
    bracket.check_possible(possible, "witness.possible")
    [row] = read_rows([witness["neighbour"]], "witness.neighbour", frame.program)
    demand(row in possible, "witness.neighbour: not among the possible rows")
    bracket.check_direction(witness["direction"], "witness.direction", row, possible)
    demand(not scores_less(problem, alpha, row), "witness.neighbour: it scores less")


def is_bracketed(witness: Json) -> bool:
    return isinstance(witness, dict) and "scale" in witness


# ---------------------------------------------------------------------------------------------
# §4.32 A bound of the curvature

MOST_FORM_DIMENSIONS = 4096
MOST_FORM_TERMS = 2**24


def read_at_least_0(value: Json, where: str) -> Fraction:
    number = read_rational(value, where)
    demand(number >= 0, f"{where}: negative")
    return number


@dataclass(frozen=True)
class LossCell:
    """Between two cuts, |l'| <= m1 and |l''| <= m0."""

    low: Fraction
    high: Fraction
    m1: Fraction
    m0: Fraction


def size_above(x: Interval) -> Fraction:
    """A bound of |x|, which is not written with more binary digits than it is worth."""
    size = greatest((x.hi, negated(x.lo)))
    demand(top(size) <= 2**16, "refused: a derivative of the loss is beyond 2^65536")
    return size[0] * Fraction(2) ** size[1] if top(size) >= -(2**12) else Fraction(1, 2**4096)


def read_loss_cells(problem: Problem, witness: dict[str, Json]) -> list[LossCell]:
    lo, hi = read_interval(witness["interval"], "witness")
    cuts = read_vector(witness["cuts"], "witness.cuts")
    demand(all(lo <= score <= hi for score in problem.all_scores()), "a score lies outside of the interval")
    ends = [lo, *cuts, hi]
    if cuts:
        demand(all(a < b for a, b in zip(ends, ends[1:])), "witness.cuts: not strictly increasing in the interval")
    loss = loss_node(problem)
    cells = []
    for a, b in zip(ends, ends[1:]):
        jet = evaluate(loss, Interval.of(a, b))
        cells.append(LossCell(a, b, size_above(jet.f1), size_above(jet.f2)))
    return cells


def bend_above(cell: LossCell, a: Fraction, b: Fraction) -> Fraction:
    """g v (M0 g v + M1 r) for the outputs of the cell between the scores a < b (clause 2)."""
    g = b - a
    first, last = (max(cell.low, a) - a) / g, (min(cell.high, b) - a) / g
    half = Fraction(1, 2)
    v = half * half if first <= half <= last else max(first * (1 - first), last * (1 - last))
    tau = min(first, 1 - last)
    r = 1 - 2 * tau if 4 * tau <= 1 else 1 / (8 * tau)
    return g * v * (cell.m0 * g * v + cell.m1 * r)


class SquareSum:
    """The form sum w |y.u|^2 of vectors y of whole numbers, as rows of floats."""

    def __init__(self, d: int) -> None:
        self.d = d
        self.parts: list[tuple[Fraction, list[list[float]]]] = []
        self.trace = Fraction(0)

    def add(self, weight: Fraction, vectors: list[list[int]]) -> None:
        largest = max((abs(x) for y in vectors for x in y), default=0)
        if largest == 0 or weight == 0:
            return
        unit = 1 << largest.bit_length()  # so that the floats are at most 1: int/int rounds once, and may underflow
        self.trace += weight * sum(integer_dot(y, y) for y in vectors)
        self.parts.append((weight * unit * unit, [[x / unit for x in y] for y in vectors]))

    def is_at_most(self, bound: Fraction) -> bool:
        """Whether the form is shown to be at most bound |u|^2. All is divided by the trace. An entry of a row root(w) y is off by 2^-50
        of itself at most: the number below the root by 2^-53, its root and the entry of y too, their product once more. A sum of N products
        of such entries is off by (N + 16) 2^-52 of the sum of their sizes; the sizes of the whole matrix, whose trace is 1, have norm 1."""
        if self.trace <= bound:
            return True
        rows = []
        for weight, vectors in self.parts:
            factor = math.sqrt(float(weight / self.trace))
            rows.extend([factor * x for x in y] for y in vectors)
        demand(self.d <= MOST_FORM_DIMENSIONS and len(rows) <= MOST_FORM_TERMS, "refused: the matrix is too large")
        columns = [list(column) for column in zip(*rows)]
        gram = [[0.0] * self.d for _ in columns]
        for j, column in enumerate(columns):
            for k in range(j + 1):
                gram[j][k] = gram[k][j] = product_sum(column, columns[k])
        return is_above_gram(gram, float(bound / self.trace) * (1 - 2.0**-50) - (len(rows) + 16) * 2.0**-51)


def check_curvature_bound(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "over", "bound"))
    read_object(witness, "witness", ("interval", "cuts", "weights", "forms", "widths", "spread"))
    over = read_over(claim, statement["over"])
    bound = read_at_least_0(statement["bound"], "statement.bound")
    widths, spread = (read_at_least_0(witness[key], f"witness.{key}") for key in ("widths", "spread"))
    weights = [read_at_least_0(value, "witness.weights") for value in read_array(witness["weights"], "witness.weights", problem.n)]
    forms = read_array(witness["forms"], "witness.forms", problem.n)
    demand(all(form in ("width", "tokens") for form in forms), "witness.forms: 'width' or 'tokens' is due")
    cells = read_loss_cells(problem, witness)
    for i, (weight, scores) in enumerate(zip(weights, problem.scores)):
        a, b = min(scores), max(scores)
        for cell in cells if a < b else ():
            if cell.low <= b and cell.high >= a:
                demand(bend_above(cell, a, b) <= weight, f"witness.weights: that of sample {i} is too small on the cell from "
                       f"{float_text(cell.low)} to {float_text(cell.high)}")
    keys = problem.keys if over == "p" else problem.tokens
    wide, spreads = SquareSum(problem.d), SquareSum(problem.d)
    total_width = Fraction(0)
    for i, (weight, form, sample) in enumerate(zip(weights, forms, keys)):
        entries, below = whole_numbers([x for key in sample for x in key])
        vectors = [entries[t * problem.d:(t + 1) * problem.d] for t in range(len(sample))]
        query = queries_of(problem)[i] if over == "W" else None
        if form == "tokens":
            sums = [sum(column) for column in zip(*vectors)]
            centred = [[len(vectors) * x - s for x, s in zip(y, sums)] for y in vectors]
            factor = 2 * weight * (dot(query, query) if query else 1)
            spreads.add(factor / (len(vectors) * below) ** 2, centred)
            continue
        widest = weight * Fraction(largest_distance(vectors), below * below)
        if query is None:
            total_width += widest
        else:
            entries, below = whole_numbers(query)
            wide.add(widest / below**2, [entries])
    demand(total_width <= widths and wide.is_at_most(widths), "witness.widths: too small for the widths of the samples")
    demand(spreads.is_at_most(spread), "witness.spread: too small for the tokens of the samples")
    demand(widths + spread <= problem.n * bound, "statement.bound: less than (widths + spread)/n")


def largest_distance(vectors: list[list[int]]) -> int:
    """The largest squared distance of two of them."""
    squares = [integer_dot(y, y) for y in vectors]
    return max((squares[s] + squares[t] - 2 * integer_dot(vectors[s], vectors[t]) for s in range(len(vectors)) for t in range(s)), default=0)


# ---------------------------------------------------------------------------------------------
# §4 and the command line

DESCENT_KINDS = ("descent-basin", "descent-cone", "descent-wedge")
CLAIMS = {
    "assumption-a": ("loss-bounds", "loss-not-decreasing", "loss-flat"),
    "globally-optimal": ("globally-optimal", "not-globally-optimal"),
    "p-svm": ("svm-optimal", "svm-infeasible", "svm-bracket"),
    "v-svm": ("svm-optimal", "svm-infeasible", "svm-bracket"),
    "joint-svm": ("svm-optimal", "svm-infeasible", "svm-bracket"),
    "locally-optimal": ("locally-optimal", "not-locally-optimal"),
    "census": ("census",),
    "assumption-b": ("assumption-b", "assumption-b-refuted"),
    "w-svm": ("svm-optimal", "svm-infeasible", "svm-bracket", "nuclear-bracket", "locally-optimal", "not-locally-optimal"),
    "overparametrised": ("rank", "every-selection"),
    "gd-global": ("equal-scores", *DESCENT_KINDS),
    "gd-local": DESCENT_KINDS,
    "w-gd": DESCENT_KINDS,
    "descent": DESCENT_KINDS,
    "cross-validation": DESCENT_KINDS,
    "tightness": ("better-neighbour", "no-better-neighbour", "independent-rows", *DESCENT_KINDS),
    "joint-path": ("slack-tokens", "no-slack-tokens", "logistic-loss", "not-logistic", "joint-envelope"),
    "path": ("path-envelope",),
    "w-path": ("path-envelope",),
    "kq-path": ("path-ratio",),
    "no-stationary-point": ("no-stationary-point", "stationary-point"),
    "sparsity-norm": ("sparsity-norm", "sparsity-infeasible"),
    "head-path": ("head-bounds", "head-envelope"),
    "first-step": ("first-step", "not-first-step"),
    "step-size": ("curvature-bound",),
}
CHECKS: dict[str, Callable[[Problem, str, Json, Json], None]] = {
    "loss-bounds": check_loss_bounds,
    "loss-not-decreasing": check_loss_not_decreasing,
    "globally-optimal": check_globally_optimal,
    "not-globally-optimal": check_not_globally_optimal,
    "svm-optimal": check_svm_optimal,
    "svm-bracket": check_svm_bracket,
    "svm-infeasible": check_svm_infeasible,
    "locally-optimal": check_locally_optimal,
    "not-locally-optimal": check_not_locally_optimal,
    "census": check_census,
    "assumption-b": check_assumption_b,
    "assumption-b-refuted": check_assumption_b_refuted,
    "nuclear-bracket": check_nuclear_bracket,
    "rank": check_rank,
    "every-selection": check_every_selection,
    "equal-scores": check_equal_scores,
    "better-neighbour": check_better_neighbour,
    "no-better-neighbour": check_no_better_neighbour,
    "independent-rows": check_independent_rows,
    "slack-tokens": check_slack_tokens,
    "no-slack-tokens": check_no_slack_tokens,
    "logistic-loss": check_logistic_loss,
    "not-logistic": check_not_logistic,
    "loss-flat": check_loss_flat,
    "descent-basin": check_descent_basin,
    "descent-cone": check_descent_cone,
    "descent-wedge": check_descent_wedge,
    "no-stationary-point": check_no_stationary_point,
    "stationary-point": check_stationary_point,
    "first-step": check_first_step,
    "not-first-step": check_not_first_step,
    "path-envelope": check_path_envelope,
    "path-ratio": check_path_ratio,
    "joint-envelope": check_joint_envelope,
    "sparsity-norm": check_sparsity_norm,
    "sparsity-infeasible": check_sparsity_infeasible,
    "head-bounds": check_head_bounds,
    "head-envelope": check_head_envelope,
    "curvature-bound": check_curvature_bound,
}
# Kinds that mean something else for a claim.
CHECKS_OF_CLAIM: dict[tuple[str, str], Callable[[Problem, str, Json, Json], None]] = {
    ("w-svm", "svm-optimal"): check_weights_optimal,
    ("w-svm", "svm-infeasible"): check_weights_infeasible,
    ("w-svm", "locally-optimal"): check_weights_locally_optimal,
    ("w-svm", "not-locally-optimal"): check_weights_not_locally_optimal,
}


def check_certificate(data: bytes, case: dict[str, Any] | None = None) -> tuple[str, str]:
    """The (kind, claim) of a valid certificate; raises Rejected for any other file."""
    try:
        certificate = read_object(load_json(data), "certificate",
                                  ("attest_certificate", "claim", "problem", "statement", "witness"))
        demand(certificate["attest_certificate"] == Number("1"), "attest_certificate: version 1 is due")
        claim, statement = certificate["claim"], certificate["statement"]
        demand(isinstance(claim, str) and claim in CLAIMS, "claim: not a known claim")
        demand(isinstance(statement, dict), "statement: an object is due")
        kind = statement.get("kind")
        demand(isinstance(kind, str) and kind in CLAIMS[claim], f"statement.kind: not a kind of {claim}")
        problem = read_problem(certificate["problem"])
        if case is not None:
            check_same_data(problem, case)
        check = CHECKS_OF_CLAIM.get((claim, kind)) or CHECKS[kind]
        check(problem, claim, statement, certificate["witness"])
        return kind, claim
    except RecursionError:
        raise Rejected("nested too deeply") from None
    except MemoryError:
        raise Rejected("too large for this machine's memory") from None


def check_files(names: list[str], case_name: str | None) -> int:
    """Prints a line for each file; the exit code."""
    try:
        case = read_case(Path(case_name)) if case_name is not None else None
    except UnreadableCase as error:
        print(f"unreadable case: {error}", file=sys.stderr)
        return 2
    code = 0
    for name in names:
        try:
            kind, claim = check_certificate(read_bytes(Path(name)), case)
            print(f"{name}: accepted ({kind}, {claim})")
        except Rejected as why:
            print(f"{name}: rejected: {why}")
            code = max(code, 1)
        except OSError as error:
            print(f"unreadable file: {error}", file=sys.stderr)
            code = 2
    return code


class ListRules(argparse.Action):
    """--rules: prints CLAIM KIND for every rule, and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print("\n".join(f"{claim} {kind}" for claim, kinds in CLAIMS.items() for kind in kinds))
        parser.exit()


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks attest certificates.", allow_abbrev=False)
    parser.add_argument("certificates", metavar="CERT", nargs="+")
    parser.add_argument("--case", action="append", help="demand that the certificates are about this case's data")
    parser.add_argument("--rules", action=ListRules, nargs=0, help="list the rules, one a line: CLAIM KIND")
    options = parser.parse_intermixed_args()
    cases = options.case or [None]
    if len(cases) > 1:
        parser.error("--case may be given once")

    sys.stdout.reconfigure(errors="backslashreplace")
    sys.setrecursionlimit(10 * MAX_NESTING)
    threading.stack_size(512 * 2**20)  # a thread, since only there the stack can be made deep enough
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(check_files(options.certificates, cases[0])))
    thread.start()
    thread.join()
    return codes[0] if codes else 1  # 1: the thread died, and its traceback is on stderr


if __name__ == "__main__":
    sys.exit(main())
