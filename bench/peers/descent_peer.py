"""descent_peer.py METHOD TOKENS.npy HEAD.npy THREADS: one peer's normalised descent, as one line of JSON."""
import json
import resource
import sys
import time

import numpy as np

STEP = 0.1
COMPARED = 200


class Textbook:
    """Softmax, then gamma - f, in NumPy."""

    def __init__(self, tokens, head, threads):
        self.keys = tokens
        self.scores = tokens @ head
        self.p = np.zeros(tokens.shape[2])

    def step(self):
        logits = self.keys @ self.p
        weights = np.exp(logits - logits.max(1, keepdims=True))
        weights /= weights.sum(1, keepdims=True)
        outputs = (weights * self.scores).sum(1)
        slopes = -1 / (1 + np.exp(outputs))
        weights *= slopes[:, None] * (self.scores - outputs[:, None])
        gradient = weights.reshape(-1) @ self.keys.reshape(-1, self.p.size)
        self.p -= STEP / np.linalg.norm(gradient) * gradient


class Stable(Textbook):
    """Relative to the token with the largest logit, exponents shifted, in NumPy."""

    def step(self):
        rows = np.arange(len(self.keys))
        logits = self.keys @ self.p
        best = logits.argmax(1)
        logits -= logits[rows, best][:, None]
        logits -= np.log(np.exp(logits).sum(1, keepdims=True))
        weights = np.exp(logits)
        gaps = self.scores[rows, best][:, None] - self.scores
        means = (weights * gaps).sum(1)
        slopes = -1 / (1 + np.exp(self.scores[rows, best] - means))
        logits[rows, best] = -np.inf
        weights = -slopes[:, None] * np.exp(logits - logits.max()) * (gaps - means[:, None])
        gradient = weights.reshape(-1) @ self.keys.reshape(-1, self.p.size) - weights.sum(1) @ self.keys[rows, best]
        self.p -= STEP / np.linalg.norm(gradient) * gradient


class Torch:
    """Autograd in double precision."""

    def __init__(self, tokens, head, threads):
        import torch
        torch.set_num_threads(threads)
        self.torch = torch
        self.keys = torch.tensor(tokens)
        self.scores = self.keys @ torch.tensor(head)
        self.prompt = torch.zeros(tokens.shape[2], dtype=torch.float64, requires_grad=True)

    def step(self):
        torch = self.torch
        outputs = (torch.softmax(self.keys @ self.prompt, 1) * self.scores).sum(1)
        torch.nn.functional.softplus(-outputs).mean().backward()
        with torch.no_grad():
            self.prompt -= STEP / self.prompt.grad.norm() * self.prompt.grad
            self.prompt.grad = None

    @property
    def p(self):
        return self.prompt.detach().numpy()


def main():
    method, tokens, head, threads = sys.argv[1:]
    peer = {"numpy": Textbook, "numpy-stable": Stable, "torch": Torch}[method](np.load(tokens), np.load(head), int(threads))
    for _ in range(COMPARED):
        peer.step()
    after = peer.p.tolist()
    times, cpu_times, begin, batch = [], [], time.perf_counter(), 1
    while time.perf_counter() - begin < 2 or len(times) < 3:
        start, cpu_start = time.perf_counter(), time.process_time()
        for _ in range(batch):
            peer.step()
        seconds = time.perf_counter() - start
        if seconds < 0.01:
            batch *= 2
            continue
        times.append(seconds / batch)
        cpu_times.append((time.process_time() - cpu_start) / batch)
    print(json.dumps({"seconds": float(np.median(times)), "cpu_seconds": float(np.median(cpu_times)), "p": after, "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


main()
