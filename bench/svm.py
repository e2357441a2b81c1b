"""The p-SVM benchmark: our solve with its proof beside the peers, on the same data in one run."""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

SIZES = [(3, 7, 3), (6, 8, 10), (20, 50, 64), (200, 64, 128), (500, 64, 128), (1000, 64, 128), (2000, 64, 128)]
PEERS = ["cvxopt", "linearsvc", "nnls"]
PEER = pathlib.Path(__file__).parent / "peers" / "svm_peer.py"


def make_data(n, count, d, seed=0):
    """Unit tokens; the selection is what a random direction prefers, so that the program is feasible."""
    random = np.random.default_rng([seed, n, count, d])
    tokens = random.standard_normal((n, count, d))
    tokens /= np.linalg.norm(tokens, axis=2, keepdims=True)
    return tokens, (tokens @ random.standard_normal(d)).argmax(1)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr.strip().splitlines()[-1:]}


def angle(a, b):
    a, b = np.array(a) / np.linalg.norm(a), np.array(b) / np.linalg.norm(b)
    return 2 * np.arcsin(min(1, np.linalg.norm(a - b) / 2))


def main():
    program = sys.argv[1]
    sizes = [tuple(map(int, size.split(","))) for size in sys.argv[2:]] or SIZES
    print(f"{'n,T,d':>12} {'solver':>10} {'seconds':>10} {'to ours':>8} {'angle':>9} {'violation':>9} {'MiB':>7}  notes")
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            tokens, selection = make_data(*size)
            files = [str(pathlib.Path(folder) / name) for name in ("tokens.npy", "selection.npy")]
            np.save(files[0], tokens)
            np.save(files[1], selection)
            ours = run([program, *files])
            label = ",".join(map(str, size))
            if "error" in ours:
                print(f"{label:>12} {'attest':>10} failed: {ours['error']}")
                continue
            seconds = ours["guess_seconds"] + ours["proof_seconds"]
            print(f"{label:>12} {'attest':>10} {seconds:10.6f} {1:8.2f} {0:9.1e} {0:9.1e} {ours['peak_mib']:7.0f}"
                  f"  proof {ours['proof_seconds']:.6f} s, gap {ours['gap']:.0e}, distance {ours['distance']:.0e}, {ours['support']} of {ours['possible']} rows certain,"
                  f" exact solution {ours['exact_seconds']:.4f} s, data {tokens.nbytes / 2**20:.0f} MiB", flush=True)
            for peer in PEERS:
                found = run([sys.executable, str(PEER), peer, *files])
                if "error" in found:
                    print(f"{label:>12} {peer:>10} failed: {found['error']}", flush=True)
                    continue
                print(f"{label:>12} {peer:>10} {found['seconds']:10.6f} {found['seconds'] / seconds:8.2f}"
                      f" {angle(found['solution'], ours['solution']):9.1e} {found['violation']:9.1e} {found['peak_mib']:7.0f}", flush=True)


main()
