"""The path benchmark: our path beside SciPy's SLSQP and trust-constr on the same data in one run."""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy.optimize import linprog

# The seed of a size is one whose data are soon feasible.
SIZES = {(3, 7, 3): 0, (6, 8, 10): 0, (20, 20, 30): 0}
PEERS = [("SLSQP", "log"), ("trust-constr", "log"), ("SLSQP", "plain"), ("trust-constr", "plain")]
PEER = pathlib.Path(__file__).parent / "peers" / "path_peer.py"
DIRECTION = 1e-3  # a point is right when its direction is this near the verified minimiser's and |p| <= R
LOSS = 1e-6       # or when its log(L - L*) is lower, or higher by less than this


def make_data(n, count, d, seed):
    """Unit tokens, a normal head, random labels, the selection of the best scores; drawn again until its p-SVM is feasible. Of
    thousands of rows that would be never: their labels are 1, and the head itself separates."""
    random = np.random.default_rng([seed, n, count, d])
    while True:
        tokens = random.standard_normal((n, count, d))
        tokens /= np.linalg.norm(tokens, axis=2, keepdims=True)
        head, labels = random.standard_normal(d), random.choice([-1, 1], n)
        if n * count >= 1000:
            labels = np.ones(n, int)
        selection = (labels[:, None] * (tokens @ head)).argmax(1)
        rows = tokens[np.arange(n), selection][:, None, :] - tokens
        rows = rows.reshape(-1, d)[(rows.reshape(-1, d) ** 2).sum(1) > 0]
        if (labels == 1).all() or linprog(np.zeros(d), A_ub=-rows, b_ub=-np.ones(len(rows)), bounds=(None, None), method="highs").status == 0:
            return tokens, labels.astype(float), head, selection


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr.strip().splitlines()[-1:]}


def right(p, log_excess, ours):
    a, b = np.array(p), np.array(ours["p"])
    near = np.linalg.norm(a / np.linalg.norm(a) - b / np.linalg.norm(b)) <= DIRECTION and np.linalg.norm(a) >= 0.999 * np.linalg.norm(b)
    return bool(near or log_excess <= ours["log_excess"] + LOSS)


def main():
    program = sys.argv[1]
    sizes = [tuple(map(int, size.split(","))) for size in sys.argv[2:]] or list(SIZES)
    print(f"{'n,T,d':>10} {'solver':>19} {'s/radius':>10} {'to ours':>8} {'right':>7}  notes")
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            names = ["tokens", "labels", "head", "selection"]
            files = [str(pathlib.Path(folder) / f"{name}.npy") for name in names]
            for file, array in zip(files, make_data(*size, SIZES.get(size, 0))):
                np.save(file, array)
            ours, label = run([program, *files]), ",".join(map(str, size))
            if "error" in ours:
                print(f"{label:>10} {'attest':>19} failed: {ours['error']}")
                continue
            short, long = ours["short"], ours["long"]
            for name, path in (("attest", short), ("attest to 2^20", long)):
                verified = sum(point["verified"] for point in path["points"])
                count = len(path["points"])
                print(f"{label:>10} {name:>19} {path['seconds'] / count:10.6f} {1:8.1f} {verified:3d}/{count}"
                      f"  whole {path['seconds']:.4f} s, graph {path['build_seconds']:.4f} s, {path['error']:.1e} from p^mm", flush=True)
            for method, form in PEERS:
                found = run([sys.executable, str(PEER), method, form, *files])
                name = f"{method} {form}"
                if "error" in found:
                    print(f"{label:>10} {name:>19} failed: {found['error']}", flush=True)
                    continue
                count = sum(right(p, value, point) for p, value, point in zip(found["points"], found["log_excess"], short["points"]))
                lower = sum(value < point["log_excess"] - LOSS for value, point in zip(found["log_excess"], short["points"]))
                print(f"{label:>10} {name:>19} {found['seconds'] / 20:10.6f} {found['seconds'] / short['seconds']:8.1f} {count:3d}/20"
                      f"  {f'{lower} of them lower than ours' if lower else ''}", flush=True)


main()
