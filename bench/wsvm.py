"""The W-SVM benchmark: our solves with their proofs beside cvxpy's, on the same data in one run, in CPU seconds."""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

SIZES = [(6, 8, 10), (6, 8, 20), (6, 8, 40), (50, 64, 128), (100, 64, 128), (200, 64, 128), (50, 32, 768)]
# Programs of at most so many rows the claim solves exactly, larger ones it brackets.
MOST_EXACT_ROWS = 48
# Numbers of a peer's program: rows of d^2 numbers each.
LARGEST_PEER = 2e6
PEERS = [("frobenius", "default"), ("nuclear", "SCS"), ("nuclear", "CLARABEL")]
PEER = pathlib.Path(__file__).parent / "peers" / "wsvm_peer.py"


def make_data(n, count, d, kind, seed=0):
    """Unit tokens and queries; the selection is what a random matrix prefers, so that the program is feasible."""
    random = np.random.default_rng([seed, n, count, d])
    tokens, queries = random.standard_normal((n, count, d)), random.standard_normal((n, d))
    tokens /= np.linalg.norm(tokens, axis=2, keepdims=True)
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    tokens, queries = tokens.astype(kind).astype(float), queries.astype(kind).astype(float)
    return tokens, np.einsum("itd,de,ie->it", tokens, random.standard_normal((d, d)), queries).argmax(1), queries


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr.strip().splitlines()[-1:]}


def main():
    program = sys.argv[1]
    sizes = [tuple(map(int, size.split(","))) for size in sys.argv[2:]] or SIZES
    print(f"{'n,T,d':>8} {'numbers':>8} {'norm':>10} {'solver':>9} {'seconds':>10} {'to ours':>8} {'error':>9} {'violation':>9}  notes")
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            for kind in ("float64", "float32"):
                measure(program, size, kind, folder)


def measure(program, size, kind, folder):
    files = [str(pathlib.Path(folder) / name) for name in ("tokens.npy", "selection.npy", "queries.npy")]
    for file, array in zip(files, make_data(*size, kind)):
        np.save(file, array)
    ours = run([program, *files])
    label = f"{','.join(map(str, size)):>8} {kind:>8}"
    if "error" in ours:
        print(f"{label} failed: {ours['error']}")
        return
    norms = [norm for norm in ("frobenius", "nuclear") if norm in ours]
    seconds = {norm: ours[norm]["guess_seconds"] + ours[norm]["proof_seconds"] for norm in norms}
    objective = {"frobenius": ours["frobenius"]["objective"]}
    if "nuclear" in ours:
        objective["nuclear"] = (ours["nuclear"]["lower"] + ours["nuclear"]["upper"]) / 2
    n, count, d = size
    for norm in norms:
        notes = f"{ours[norm]['active']} active rows, {ours['peak_mib']:.0f} MiB" if norm == "frobenius" else "error: the proved gap"
        print(f"{label} {norm:>10} {'attest':>9} {seconds[norm]:10.6f} {1:8.2f} {ours[norm]['gap']:9.1e} {0:9.1e}"
              f"  a bracket, proof {ours[norm]['proof_seconds']:.6f} s, {notes}", flush=True)
    if "exact_seconds" in ours:
        exact = ours["frobenius"]["guess_seconds"] + ours["exact_seconds"]
        print(f"{label} {'frobenius':>10} {'exact':>9} {exact:10.6f} {exact / seconds['frobenius']:8.2f} {0:9.1e} {0:9.1e}  the claim's way up to"
              f" {MOST_EXACT_ROWS} rows", flush=True)
    for norm, solver in PEERS:
        if norm not in seconds or n * count * d * d > LARGEST_PEER:
            continue
        found = run([sys.executable, str(PEER), norm, solver, *files])
        if "error" in found:
            print(f"{label} {norm:>10} {solver:>9} failed: {found['error']}", flush=True)
            continue
        error = abs(found["objective"] / objective[norm] - 1)
        print(f"{label} {norm:>10} {solver:>9} {found['seconds']:10.6f} {found['seconds'] / seconds[norm]:8.2f} {error:9.1e}"
              f" {found['violation']:9.1e}", flush=True)


main()
