#!/usr/bin/env python3
"""Checks attest certificates, from docs/certificate.md alone ("§" below cites its sections).

usage: check_certificate.py CERT... [--case CASE], or check_certificate.py --rules

One line a certificate: `FILE: accepted (KIND, CLAIM)` or `FILE: rejected: WHY`.
Exit code: 0 all accepted, 1 some rejected, 2 bad usage, unreadable file or unreadable case.
Standard library only; it shares no code with the C++ checker. All of it is exact rational
arithmetic, save the losses of §3, which are enclosed by outward rounded intervals.
"""

from __future__ import annotations

import argparse
import ast
import functools
import io
import json
import math
import re
import struct
import sys
import threading
import zipfile
import zlib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Callable, Iterable

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

PRECISION = 224
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
        if self.lo[0] >= 0 and other.lo[0] >= 0:  # only to be quick
            return Interval(mul(self.lo, other.lo, False), mul(self.hi, other.hi, True))
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
    for j in range(26, 0, -1):  # N = 26: the last term is below 2^(-8*26)/26! < 2^-290
        result = reciprocal(1) + r * reciprocal(j) * result
    for _ in range(squarings):
        result = result * result
    return result


@functools.cache
def reciprocal(j: int) -> Interval:
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


@functools.cache
def log_of_2() -> Interval:
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
    if top(x) <= -70:  # x - x^3/3 <= tanh x <= x, since 1 >= tanh' = 1 - tanh^2 >= 1 - x^2
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


def read_interval(value: Json) -> tuple[Fraction, Fraction]:
    lo, hi = read_vector(value, "statement.interval", 2)
    demand(lo <= hi, "statement.interval: its ends are reversed")
    return lo, hi


def check_loss_bounds(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "interval", "slope_sup", "m0", "m1", "covers_scores"))
    read_object(witness, "witness", ("cuts",))
    lo, hi = read_interval(statement["interval"])
    slope_sup, m0, m1 = (read_rational(statement[key], f"statement.{key}") for key in ("slope_sup", "m0", "m1"))
    covers = read_boolean(statement["covers_scores"], "statement.covers_scores")
    cuts = read_vector(witness["cuts"], "witness.cuts")

    demand(slope_sup < 0, "slope_sup is not negative")
    demand(not covers or all(lo <= s <= hi for s in problem.all_scores()), "a score lies outside of the interval")
    ends = [lo, *cuts, hi]
    if cuts:
        demand(all(a < b for a, b in zip(ends, ends[1:])), "witness.cuts: not strictly increasing in the interval")
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
    else:
        read_object(witness, "witness", ("w", "lambda", "neighbour"))
        check_neighbour(problem, alpha, witness, "witness")


# ---------------------------------------------------------------------------------------------
# §4.8 Census


def read_conflict(problem: Problem, value: Json, where: str) -> dict[int, int]:
    """A valid conflict, as the tokens a it gives to its samples i."""
    entries = read_array(value, where)
    demand(bool(entries), f"{where}: empty")
    tokens: dict[int, int] = {}
    previous: Row = (-1,)
    total = [Fraction(0)] * problem.d
    for entry in entries:
        read_array(entry, where, 4)
        i = read_index(entry[0], where, problem.n)
        a, t = (read_index(x, where, len(problem.tokens[i])) for x in entry[1:3])
        weight = read_rational(entry[3], where)
        demand(previous < (i, a, t), f"{where}: not strictly ascending")
        demand(a != t, f"{where}: a token conflicts with itself")
        demand(tokens.setdefault(i, a) == a, f"{where}: two tokens for one sample")
        demand(weight > 0, f"{where}: a multiplier is not positive")
        difference = minus(problem.keys[i][a], problem.keys[i][t])
        total = [x + weight * y for x, y in zip(total, difference)]
        previous = (i, a, t)
    demand(not any(total), f"{where}: the combination is not 0")
    return tokens


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


def check_nuclear_bracket(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "selection", "lower", "upper"))
    read_object(witness, "witness", ("a", "b", "lambda"))
    alpha = read_selection(statement["selection"], "statement.selection", problem)
    lower, upper = (read_rational(statement[key], f"statement.{key}") for key in ("lower", "upper"))
    d, program = problem.d, weight_program(problem, alpha)

    def factor(key: str, columns: int | None) -> Matrix:
        return [read_vector(row, f"witness.{key}", columns) for row in read_array(witness[key], f"witness.{key}", d)]

    columns = len(read_array(read_array(witness["a"], "witness.a", d)[0], "witness.a"))
    a, b = factor("a", columns), factor("b", columns)
    values = row_values(problem, program, [[dot(left, right) for right in b] for left in a])
    for row, value in values.items():
        demand(value >= 1, f"row {list(row)} is violated")
    demand(sum(x * x for row in (*a, *b) for x in row) <= 2 * upper, "statement.upper: below what a and b show")

    multipliers = read_multipliers(witness["lambda"], "witness.lambda", program)
    demand(lower <= sum(multipliers.values()), "statement.lower: above the sum of the multipliers")
    columns_of_M = list(zip(*weighted_rows(problem, program, multipliers)))
    rest = [[int(r == c) - dot(x, y) for c, y in enumerate(columns_of_M)] for r, x in enumerate(columns_of_M)]
    demand(is_semidefinite(rest), "the combination of rows has a norm above 1")


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
    demand(loss_node(problem) in [ExpressionParser(form).parse() for form in LOGISTIC_FORMS], "the loss is written otherwise")


def check_not_logistic(problem: Problem, claim: str, statement: Json, witness: Json) -> None:
    read_object(statement, "statement", ("kind", "u"))
    read_object(witness, "witness", ())
    u = Interval.of(read_rational(statement["u"], "statement.u"))
    found = evaluate(loss_node(problem), u).f
    logistic = evaluate(ExpressionParser(NAMED_LOSSES["logistic"]).parse(), u).f
    gaps = (found - logistic).lo, (logistic - found).lo
    demand(any(not less(gap, LEAST_DIFFERENCE) for gap in gaps), "no difference to the logistic loss is shown at u")


# ---------------------------------------------------------------------------------------------
# §2 Against a case

CASE_ARRAYS = ("tokens", "labels", "v", "W", "queries")


def read_case(path: Path) -> dict[str, Any]:
    """The case's arrays as nested lists of Fractions, and its loss; absent ones are None."""
    try:
        case = load_json(path.read_bytes())
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
        raise UnreadableCase(f"{path}: {error}") from None


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
    if array is None:
        return read_npy(file.read_bytes(), where)
    with zipfile.ZipFile(file) as archive:
        return read_npy(archive.read(f"{array}.npy"), where)


# Floats and integers of §2, as the struct module names them.
NPY_CODES = {"f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q"}


def read_npy(data: bytes, where: str) -> list:
    """The exact values of the numbers of an .npy file, as nested lists."""
    stream = io.BytesIO(data)
    demand(stream.read(6) == b"\x93NUMPY", f"{where}: not an .npy array")
    major, _ = stream.read(2)
    length = struct.unpack("<H", stream.read(2))[0] if major == 1 else struct.unpack("<I", stream.read(4))[0]
    header = ast.literal_eval(stream.read(length).decode("latin-1").strip())
    shape, order = header["shape"], header["descr"]
    demand(isinstance(order, str) and order[:1] in ("<", ">", "|") and order[1:] in NPY_CODES, f"{where}: numbers are due, not {order}")
    code, size, count = NPY_CODES[order[1:]], int(order[2:]), math.prod(shape)
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
# §4 and the command line

CLAIMS = {
    "assumption-a": ("loss-bounds", "loss-not-decreasing", "loss-flat"),
    "globally-optimal": ("globally-optimal", "not-globally-optimal"),
    "p-svm": ("svm-optimal", "svm-infeasible"),
    "v-svm": ("svm-optimal", "svm-infeasible"),
    "joint-svm": ("svm-optimal", "svm-infeasible"),
    "locally-optimal": ("locally-optimal", "not-locally-optimal"),
    "census": ("census",),
    "assumption-b": ("assumption-b", "assumption-b-refuted"),
    "w-svm": ("svm-optimal", "svm-infeasible", "nuclear-bracket", "locally-optimal", "not-locally-optimal"),
    "overparametrised": ("rank", "every-selection"),
    "gd-global": ("equal-scores",),
    "tightness": ("better-neighbour", "no-better-neighbour", "independent-rows"),
    "joint-path": ("slack-tokens", "no-slack-tokens", "logistic-loss", "not-logistic"),
}
CHECKS: dict[str, Callable[[Problem, str, Json, Json], None]] = {
    "loss-bounds": check_loss_bounds,
    "loss-not-decreasing": check_loss_not_decreasing,
    "globally-optimal": check_globally_optimal,
    "not-globally-optimal": check_not_globally_optimal,
    "svm-optimal": check_svm_optimal,
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
            kind, claim = check_certificate(Path(name).read_bytes(), case)
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
