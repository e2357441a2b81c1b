"""Normalised descent: ours beside torch and NumPy, and beside one read of the keys, on the same data in one run."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

SIZES = [(3, 7, 3), (6, 8, 10), (20, 50, 64), (200, 64, 128), (400, 64, 128), (800, 64, 128)]
PEERS = ["torch", "numpy", "numpy-stable"]
PEER = pathlib.Path(__file__).parent / "peers" / "descent_peer.py"


def make_data(n, count, d, seed=0):
    """Unit tokens and a normal head."""
    random = np.random.default_rng([seed, n, count, d])
    tokens = random.standard_normal((n, count, d))
    tokens /= np.linalg.norm(tokens, axis=2, keepdims=True)
    return tokens, random.standard_normal(d)


def run(command, threads):
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}
    done = subprocess.run([*command, str(threads)], capture_output=True, text=True, timeout=1800, env=environment)
    return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr.strip().splitlines()[-1:]}


def main():
    program = sys.argv[1]
    sizes = [tuple(map(int, size.split(","))) for size in sys.argv[2:]] or SIZES
    print(f"{'n,T,d':>12} {'threads':>7} {'what':>12} {'us/iteration':>12} {'to ours':>8} {'CPU us':>9} {'apart':>8} {'MiB':>6}  notes")
    with tempfile.TemporaryDirectory() as folder:
        files = [str(pathlib.Path(folder) / name) for name in ("tokens.npy", "head.npy")]
        for size in sizes:
            for file, array in zip(files, make_data(*size)):
                np.save(file, array)
            label = ",".join(map(str, size))
            for threads in (1, 2):
                ours = run([program, *files], threads)
                limit = ours["read_seconds"]
                print(f"{label:>12} {threads:7} {'attest':>12} {ours['seconds'] * 1e6:12.2f} {1:8.2f} {ours['cpu_seconds'] * 1e6:9.2f} {0:8.1e} {ours['peak_mib']:6.0f}"
                      f"  {ours['seconds'] / limit:.2f} times one read of the keys", flush=True)
                for peer in PEERS:
                    found = run([sys.executable, str(PEER), peer, *files], threads)
                    if "error" in found:
                        print(f"{label:>12} {threads:7} {peer:>12} failed: {found['error']}", flush=True)
                        continue
                    apart = np.linalg.norm(np.subtract(found["p"], ours["p"])) / np.linalg.norm(ours["p"])
                    print(f"{label:>12} {threads:7} {peer:>12} {found['seconds'] * 1e6:12.2f} {found['seconds'] / ours['seconds']:8.2f} {found['cpu_seconds'] * 1e6:9.2f}"
                          f" {apart:8.1e} {found['peak_mib']:6.0f}", flush=True)


main()
