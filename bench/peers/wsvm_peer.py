"""wsvm_peer.py NORM SOLVER TOKENS.npy SELECTION.npy QUERIES.npy: one solve of the W-SVM by cvxpy, as one line of JSON."""
import json
import sys
import time
import warnings

import cvxpy
import numpy as np

OPTIONS = {"default": {}, "CLARABEL": {"solver": "CLARABEL"},
           "SCS": {"solver": "SCS", "eps_abs": 1e-9, "eps_rel": 1e-9, "max_iters": 1000000}}


def solve(norm, solver, rows, queries):
    W = cvxpy.Variable((rows.shape[2], rows.shape[2]))
    size = cvxpy.sum_squares(W) / 2 if norm == "frobenius" else cvxpy.normNuc(W)
    problem = cvxpy.Problem(cvxpy.Minimize(size), [rows[i] @ W @ z >= 1 for i, z in enumerate(queries)])
    problem.solve(**OPTIONS[solver])
    return W.value, problem.value


def main():
    norm, solver, *files = sys.argv[1:]
    tokens, selection, queries = map(np.load, files)
    n, count, d = tokens.shape
    others = np.ones((n, count), bool)
    others[np.arange(n), selection] = False
    rows = (tokens[np.arange(n), selection][:, None, :] - tokens)[others].reshape(n, count - 1, d)
    warnings.filterwarnings("ignore")
    solve(norm, solver, rows[:, :2, :4], queries[:, :4])  # imports and first-call costs are not the solver's
    times, begin = [], time.process_time()
    while len(times) < 21 and time.process_time() - begin < 3 or not times:
        start = time.process_time()
        W, objective = solve(norm, solver, rows, queries)
        times.append(time.process_time() - start)
    print(json.dumps({"seconds": float(np.median(times)), "objective": objective,
                      "violation": float(max(0, (1 - np.einsum("itd,de,ie->it", rows, W, queries)).max()))}))


main()
