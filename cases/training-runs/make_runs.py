#!/usr/bin/env python3
"""Writes the training runs beside it: what other optimisers than attest's make of the data of these cases.

usage: make_runs.py [FOLDER]     (default: the folder of this file)

It needs nothing but Python's standard library. Another libm may change last digits.
"""
import io
import math
import pathlib
import struct
import sys
import zipfile


def npy(rows):
    """A list of numbers, or of equally long lists of them, of any depth."""
    shape, flat = [], rows
    while isinstance(flat, list):
        shape.append(len(flat))
        flat = flat[0]
    numbers = rows
    for _ in shape[1:]:
        numbers = [number for row in numbers for number in row]
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(numbers)}d", *numbers)


def npz(**arrays):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, rows in arrays.items():
            archive.writestr(zipfile.ZipInfo(name + ".npy", (1980, 1, 1, 0, 0, 0)), npy(rows), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def slopes(samples, labels, v, logits):
    """For each sample the derivative of the logistic loss in its logits."""
    found = []
    for tokens, label, row in zip(samples, labels, logits):
        weights = [math.exp(x - max(row)) for x in row]
        attention = [weight / sum(weights) for weight in weights]
        scores = [label * dot(v, token) for token in tokens]
        margin = dot(attention, scores)
        slope = -1 / (1 + math.exp(margin)) / len(samples)
        found.append([slope * a * (score - margin) for a, score in zip(attention, scores)])
    return found


def momentum(gradient, start, rate, steps, every, beta=0.9):
    """Heavy ball with normalised gradients: what is trained at each checkpoint, and its steps."""
    p, speed, kept = list(start), [0.0] * len(start), []
    for step in range(steps + 1):
        if step % every == 0:
            kept.append(list(p))
        g = gradient(p)
        size = math.sqrt(dot(g, g))
        speed = [beta * s - rate * x / size for s, x in zip(speed, g)]
        p = [x + s for x, s in zip(p, speed)]
    return kept, [float(step) for step in range(0, steps + 1, every)]


# one-input/distinct: keys see the first two coordinates, the third is the score.
ONE = [[[-0.1, 1, 1], [1, 0, 0.9], [0, 0, 0]]]


def gradient_p(p):
    logits = [[token[0] * p[0] + token[1] * p[1] for token in ONE[0]]]
    (slope,) = slopes(ONE, [1], [0, 0, 1], logits)
    return [sum(s * token[k] for s, token in zip(slope, ONE[0])) if k < 2 else 0.0 for k in range(3)]


# Two inputs: W between tokens and queries.
PAIR = [[[1, 0, 1], [0, 0, 0]], [[-2, 1, 1], [0, 0, 0]]]
QUERY = [1, 0, 0]


def gradient_w(W):
    rows = [W[0:3], W[3:6], W[6:9]]
    prompt = [dot(row, QUERY) for row in rows]
    slope = slopes(PAIR, [1, 1], [0, 0, 1], [[dot(token, prompt) for token in tokens] for tokens in PAIR])
    column = [sum(s * token[k] for row, tokens in zip(slope, PAIR) for s, token in zip(row, tokens)) for k in range(3)]
    return [c * q for c in column for q in QUERY]


def rows_of(W):
    return [W[0:3], W[3:6], W[6:9]]


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    folder = folder if len(sys.argv) > 1 else folder.parent
    for name, start in (("momentum", [0.0, 0.0, 0.0]), ("momentum-below", [0.0, -1.5, 0.0])):
        p, step = momentum(gradient_p, start, 0.01, 300, 15)
        (folder / f"{name}.npz").write_bytes(npz(p=p, step=step))
    p, step = momentum(gradient_p, [0.0, -0.7, 0.0], 0.01, 5, 1)
    (folder / "short.npz").write_bytes(npz(p=p, step=step))
    W, step = momentum(gradient_w, [0.0] * 9, 0.01, 200, 10)
    (folder / "weights.npz").write_bytes(npz(W=[rows_of(one) for one in W], step=step))
    # The same matrices as K Q^T with Q = (1, 0, 0).
    (folder / "factors.npz").write_bytes(npz(K=[[[row[0]] for row in rows_of(one)] for one in W], Q=[[[1.0], [0.0], [0.0]] for _ in W]))


if __name__ == "__main__":
    main()
