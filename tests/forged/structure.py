"""Structural mutants: changes that keep the form of a certificate and break, or bend, what it says. mutate.py changes one value; these change
rows, cells, trees, runs and data, several places at once where they belong together.

Each takes (random numbers, a certificate that it may change, another certificate) and says whether it applied.
"""

from __future__ import annotations

import copy
import random
from fractions import Fraction
from typing import Any, Callable

from mutate import is_rational, places

Certificate = dict[str, Any]
Structural = Callable[[random.Random, Certificate, Certificate], bool]


def number(value: Any) -> Fraction:
    """A rational of a certificate. What an earlier change wrote may be 1e999999999, whose digits nobody has the memory for."""
    if not is_rational(value):
        raise ValueError(value)
    return Fraction(value)


def below(certificate: Certificate, parts: tuple[str, ...]) -> list[tuple[Any, Any]]:
    """(container, key) of every value below these parts of the certificate."""
    found = []
    for part in parts:
        for path in places(certificate[part]):
            container = certificate[part]
            for key in path[:-1]:
                container = container[key]
            found.append((container, path[-1]))
    return found


def pick_list(rng: random.Random, certificate: Certificate, parts: tuple[str, ...], least: int, named: str = "") -> list | None:
    lists = [container[key] for container, key in below(certificate, parts)
             if isinstance(container[key], list) and len(container[key]) >= least and (not named or key == named)]
    return rng.choice(lists) if lists else None


def swap_rows(rng: random.Random, certificate: Certificate, _: Certificate) -> bool:
    rows = pick_list(rng, certificate, ("statement", "witness"), 2)
    if rows is None:
        return False
    a, b = rng.sample(range(len(rows)), 2)
    rows[a], rows[b] = rows[b], rows[a]
    return rows[a] != rows[b]


def exchange_weights(rng: random.Random, certificate: Certificate, _: Certificate) -> bool:
    """The weights of two rows of a multiplier list, without the rows."""
    rows = pick_list(rng, certificate, ("witness",), 2, "lambda")
    if rows is None or not all(isinstance(row, list) and row for row in rows):
        return False
    a, b = rng.sample(rows, 2)
    a[-1], b[-1] = b[-1], a[-1]
    return a[-1] != b[-1]


def rename_row(rng: random.Random, certificate: Certificate, _: Certificate) -> bool:
    """A row of a multiplier list becomes another token's, wherever the certificate names it."""
    rows = pick_list(rng, certificate, ("witness",), 1, "lambda")
    if not rows or not isinstance(rows[0], list) or len(rows[0]) != 3:
        return False
    old = rng.choice(rows)[:2]
    new = [old[0], rng.randrange(4)]
    for container, key in below(certificate, ("statement", "witness")):
        value = container[key]
        if isinstance(value, list) and value[:2] == old and (len(value) == 2 or is_rational(value[-1])):
            value[:2] = new
    return new != old


def remove_piece(rng: random.Random, certificate: Certificate, _: Certificate) -> bool:
    """A cell, cut, row, entry or direction less."""
    pieces = pick_list(rng, certificate, ("witness", "statement"), 1)
    if not pieces:
        return False
    del pieces[rng.randrange(len(pieces))]
    return True


def remove_run_of_pieces(rng: random.Random, certificate: Certificate, _: Certificate) -> bool:
    pieces = pick_list(rng, certificate, ("witness",), 2)
    if not pieces:
        return False
    start = rng.randrange(len(pieces))
    del pieces[start:start + rng.randint(1, len(pieces))]
    return True


def repeat_piece(rng: random.Random, certificate: Certificate, _: Certificate) -> bool:
    pieces = pick_list(rng, certificate, ("witness", "statement"), 1)
    if not pieces:
        return False
    at = rng.randrange(len(pieces))
    pieces.insert(at, copy.deepcopy(pieces[at]))
    return True


def prune_tree(rng: random.Random, certificate: Certificate, _: Certificate) -> bool:
    """A branch of a tree becomes another branch of it, a leaf of it, or is left out."""
    trees = [container[key] for container, key in below(certificate, ("witness",)) if key == "tree"]
    inner = [tree for top in trees for tree in [top, *(c[k] for c, k in below({"t": top}, ("t",)) if isinstance(top, list))]
             if isinstance(tree, list) and tree]
    if not inner:
        return False
    branch = rng.choice(inner)
    at = rng.randrange(len(branch))
    old = copy.deepcopy(branch[at])
    other = rng.choice(rng.choice(inner))
    if rng.random() < 0.3:
        del branch[at]
        return True
    branch[at] = copy.deepcopy(other) if rng.random() < 0.7 else rng.choice([0, 1, None, []])
    return branch[at] != old


def change_run(rng: random.Random, certificate: Certificate, _: Certificate) -> bool:
    """Another number of steps, other bits, another method; a start that is a little off."""
    statement, witness = certificate["statement"], certificate["witness"]
    if "iterations" not in statement:
        return False
    which = rng.choice(["K", "K", "bits", "method", "start", "step"])
    if which == "K":
        statement["iterations"] = max(0, rng.choice([statement["iterations"] + rng.choice([-10, -2, -1, 1, 2, 10]), statement["iterations"] // 2,
                                                     rng.randrange(50)]))
    elif which == "bits":
        witness["bits"] = rng.choice([63, 64, 80, 100, 128, 200, witness["bits"] - 1, witness["bits"] + 64])
    elif which == "method":
        statement["method"] = rng.choice(["constant", "normalised", "flow"])
    elif which == "step" and "step" in statement:
        statement["step"] = str(number(statement["step"]) * (1 + Fraction(rng.choice([1, -1]), 10 ** rng.randint(1, 12))))
    elif isinstance(statement["start"], list):
        component = statement["start"] if isinstance(statement["start"][0], str) else rng.choice(statement["start"])
        k = rng.randrange(len(component))
        component[k] = str(number(component[k]) + Fraction(rng.choice([1, -1]), 10 ** rng.randint(0, 12)))
    else:
        return False
    return True


def change_data(rng: random.Random, certificate: Certificate, _: Certificate) -> bool:
    """One number of the data; all tokens scaled; a token or a sample more or less; labels turned with v."""
    problem = certificate["problem"]
    tokens, which = problem["tokens"], rng.randrange(8)
    i = rng.randrange(len(tokens))
    t = rng.randrange(len(tokens[i]))
    if which == 0:
        k = rng.randrange(len(tokens[i][t]))
        tokens[i][t][k] = str(number(tokens[i][t][k]) + Fraction(rng.choice([1, -1]), 10 ** rng.choice([0, 1, 3, 9, 30])))
    elif which == 1:
        factor = Fraction(rng.choice([-1, 2, Fraction(1, 2), 1 + Fraction(1, 10**9)]))
        problem["tokens"] = [[[str(number(x) * factor) for x in token] for token in sample] for sample in tokens]
    elif which == 2:
        tokens[i].append(copy.deepcopy(rng.choice(tokens[i])))
    elif which == 3:
        tokens.append(copy.deepcopy(tokens[i]))
        problem["labels"].append(problem["labels"][i])
    elif which == 4 and len(tokens[i]) > 1:
        del tokens[i][t]
    elif which == 5:
        problem["labels"] = [-label for label in problem["labels"]]
        if "v" in problem and rng.random() < 0.7:
            problem["v"] = [str(-number(x)) for x in problem["v"]]
    elif which == 6:
        order = rng.sample(range(len(tokens)), len(tokens))
        problem["tokens"] = [tokens[k] for k in order]
        problem["labels"] = [problem["labels"][k] for k in order]
    elif which == 7 and "v" in problem:
        problem["v"] = [str(number(x) * Fraction(rng.choice([2, -1, Fraction(1, 3)]))) for x in problem["v"]]
    else:
        return False
    return True


def scale_together(rng: random.Random, certificate: Certificate, _: Certificate) -> bool:
    """Every multiplier and every vector of the witness by one factor: many conditions are homogeneous, not all."""
    factor = Fraction(rng.choice([2, 3, Fraction(1, 2), 1 + Fraction(1, 10**12)]))
    changed = False
    for container, key in below(certificate, ("witness",)):
        if is_rational(container[key]) and rng.random() < 0.95:
            container[key] = str(number(container[key]) * factor)
            changed = True
    return changed


def transplant(rng: random.Random, certificate: Certificate, other: Certificate) -> bool:
    """The witness, statement or problem of another certificate, or one member of it."""
    part = rng.choice(["witness", "witness", "statement", "problem"])
    if rng.random() < 0.5:
        certificate[part] = copy.deepcopy(other[part])
        return True
    shared = [key for key in certificate[part] if key in other[part] and certificate[part][key] != other[part][key]]
    if not shared:
        return False
    key = rng.choice(shared)
    certificate[part][key] = copy.deepcopy(other[part][key])
    return True


def claim_of_another(rng: random.Random, certificate: Certificate, other: Certificate) -> bool:
    if rng.random() < 0.5:
        certificate["claim"] = other["claim"]
    else:
        certificate["statement"]["kind"] = other["statement"]["kind"]
    return True


STRUCTURAL: dict[Structural, int] = {
    swap_rows: 3, exchange_weights: 3, rename_row: 2, remove_piece: 4, remove_run_of_pieces: 2, repeat_piece: 2, prune_tree: 3, change_run: 4,
    change_data: 5, scale_together: 2, transplant: 4, claim_of_another: 1}
