"""What train.py of docs/tutorial.md writes, without torch and NumPy: the same data, the same steps, in Python's own floats."""

import math
import struct
import zipfile

X = [[[1.0, 0.5, 1.0], [-1.0, 0.5, 0.5], [0.0, -1.0, 0.5]],
     [[0.8, 0.9, -1.0], [-0.5, -1.0, -0.5], [-1.0, 0.2, -0.5]],
     [[1.2, -0.3, 1.0], [-0.2, -0.9, 0.5], [-0.7, 0.8, 0.5]]]
Y = [1.0, -1.0, 1.0]
V = [0.0, 0.0, 1.0]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def gradient(p):
    total = [0.0] * 3
    for tokens, y in zip(X, Y):
        logits = [dot(x, p) for x in tokens]
        weights = [math.exp(logit - max(logits)) for logit in logits]
        attention = [weight / sum(weights) for weight in weights]
        scores = [y * dot(V, x) for x in tokens]
        output = dot(attention, scores)
        slope = -1 / (1 + math.exp(output)) / len(X)
        for share, score, x in zip(attention, scores, tokens):
            total = [t + slope * share * (score - output) * c for t, c in zip(total, x)]
    return total


def array(shape, numbers):
    extents = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({extents}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(numbers)}d", *numbers)


def save(name, **arrays):
    with zipfile.ZipFile(name, "w") as archive:
        for key, content in arrays.items():
            archive.writestr(key + ".npy", content)


p, momentum, steps, run = [0.0] * 3, [0.0] * 3, [], []
for step in range(401):
    if step % 20 == 0:
        steps.append(float(step))
        run += p
    slope = gradient(p)
    norm = math.sqrt(dot(slope, slope))
    momentum = [0.5 * m + s / norm for m, s in zip(momentum, slope)]
    p = [c - 0.05 * m for c, m in zip(p, momentum)]
save("data.npz", X=array((3, 3, 3), [c for tokens in X for x in tokens for c in x]), Y=array((3,), Y), v=array((3,), V))
save("run.npz", p=array((len(steps), 3), run), step=array((len(steps),), steps))
