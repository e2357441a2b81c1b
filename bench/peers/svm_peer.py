"""svm_peer.py SOLVER TOKENS.npy SELECTION.npy: one peer's p-SVM solve, as one line of JSON."""
import json
import resource
import sys
import time

import numpy as np


def rows_of(tokens, selection):
    n, count, d = tokens.shape
    chosen = tokens[np.arange(n), selection]
    others = np.ones((n, count), bool)
    others[np.arange(n), selection] = False
    return (chosen[:, None, :] - tokens)[others]


def cvxopt(rows):
    import cvxopt as cv
    cv.solvers.options.update(show_progress=False)
    d = rows.shape[1]
    found = cv.solvers.qp(cv.matrix(np.eye(d)), cv.matrix(np.zeros(d)), cv.matrix(-rows), cv.matrix(-np.ones(len(rows))))
    return np.array(found["x"]).ravel()


def linearsvc(rows):
    from sklearn.svm import LinearSVC
    # Without intercept, half the rows mirrored: the hinge loss at C = 1e9 is the hard margin.
    signs = np.where(np.arange(len(rows)) % 2 == 0, 1, -1)
    model = LinearSVC(loss="hinge", C=1e9, tol=1e-10, fit_intercept=False, max_iter=100000)
    return model.fit(rows * signs[:, None], signs).coef_.ravel()


def nnls(rows):
    """Least-distance programming: min |w| s.t. A w >= 1 from the residual of a non-negative least-squares problem."""
    from scipy.optimize import nnls as solve
    system = np.vstack([rows.T, np.ones(len(rows))])
    target = np.zeros(rows.shape[1] + 1)
    target[-1] = 1
    multipliers, _ = solve(system, target, maxiter=100 * rows.shape[1])
    residual = system @ multipliers - target
    return -residual[:-1] / residual[-1]


def main():
    solver = {"cvxopt": cvxopt, "linearsvc": linearsvc, "nnls": nnls}[sys.argv[1]]
    tokens, selection = np.load(sys.argv[2]), np.load(sys.argv[3])
    rows = rows_of(tokens, selection)
    import warnings
    warnings.filterwarnings("ignore")
    solver(rows[:50])  # imports and first-call costs are not the solver's
    times, begin = [], time.process_time()
    while len(times) < 21 and time.process_time() - begin < 3 or not times:
        start = time.process_time()
        w = solver(rows)
        times.append(time.process_time() - start)
    print(json.dumps({"seconds": float(np.median(times)), "solution": w.tolist(), "violation": float(max(0, (1 - rows @ w).max())),
                      "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


main()
