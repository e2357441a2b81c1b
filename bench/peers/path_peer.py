"""path_peer.py METHOD FORM TOKENS.npy LABELS.npy HEAD.npy SELECTION.npy: SciPy's path over 20 radii, as one line of JSON.

METHOD is SLSQP or trust-constr, FORM is plain (min L) or log (min log(L - L*)). Both get the analytic gradient and warm starts.
"""
import json
import sys
import time
import warnings

import numpy as np
from scipy.optimize import NonlinearConstraint, minimize


class Objective:
    def __init__(self, tokens, labels, head, selection):
        n = len(tokens)
        scores = labels[:, None] * (tokens @ head)
        self.gamma = scores[np.arange(n), selection]
        self.gaps = self.gamma[:, None] - scores
        self.rows = tokens[np.arange(n), selection][:, None, :] - tokens
        self.n = n

    def attention(self, p):
        logits = -self.rows @ p
        shift = logits.max(1, keepdims=True)
        return logits - shift - np.log(np.exp(logits - shift).sum(1, keepdims=True))

    def plain(self, p):
        s = np.exp(self.attention(p))
        mean = (s * self.gaps).sum(1)
        u = self.gamma - mean
        weight = s * (self.gaps - mean[:, None]) / (1 + np.exp(u))[:, None]
        return np.log1p(np.exp(-u)).mean(), -(weight[:, :, None] * self.rows).sum((0, 1)) / self.n

    def log(self, p):
        log_s = self.attention(p)
        s = np.exp(log_s)
        mean = (s * self.gaps).sum(1)
        slope = 1 / (1 + np.exp(self.gamma))
        small = mean < 1e-8
        safe = np.where(small, 1.0, mean)
        psi = np.where(small, slope, np.log1p(slope * np.expm1(safe)) / safe)
        with np.errstate(divide="ignore"):
            terms = log_s + np.log(self.gaps) + np.log(psi)[:, None]
        shift = terms.max()
        value = shift + np.log(np.exp(terms - shift).sum())
        u = self.gamma - mean
        weight = np.exp(log_s - value) * (self.gaps - mean[:, None]) / (1 + np.exp(u))[:, None]
        return value - np.log(self.n), -(weight[:, :, None] * self.rows).sum((0, 1))


def follow(objective, method, radii, d):
    p, points, times = np.full(d, 1e-3), [], []
    for radius in radii:
        start = time.process_time()
        def scaled(q):
            value, gradient = objective(radius * q)
            return value, radius * gradient
        q = p / radius if not points else p / np.linalg.norm(p)
        if method == "SLSQP":
            found = minimize(scaled, q, jac=True, method=method, options={"maxiter": 500, "ftol": 1e-14},
                             constraints={"type": "ineq", "fun": lambda q: 1 - q @ q, "jac": lambda q: -2 * q})
        else:
            ball = NonlinearConstraint(lambda q: q @ q, -np.inf, 1, jac=lambda q: 2 * q[None, :], hess=lambda q, w: 2 * w[0] * np.eye(d))
            found = minimize(scaled, q, jac=True, method=method, constraints=ball, options={"maxiter": 500, "gtol": 1e-9, "xtol": 1e-12})
        p = radius * found.x
        times.append(time.process_time() - start)
        points.append(p.tolist())
    return points, times


def main():
    warnings.filterwarnings("ignore")
    np.seterr(all="ignore")
    method, form = sys.argv[1:3]
    tokens, labels, head, selection = (np.load(file) for file in sys.argv[3:7])
    objective = Objective(tokens, labels, head, selection)
    chosen = {"plain": objective.plain, "log": objective.log}[form]
    radii = [1000 ** (k / 19) for k in range(20)]
    follow(chosen, method, radii[:1], tokens.shape[2])  # imports and first-call costs are not the solver's
    points, times = follow(chosen, method, radii, tokens.shape[2])
    print(json.dumps({"seconds": sum(times), "points": points, "log_excess": [float(objective.log(np.array(p))[0]) for p in points]}))


main()
