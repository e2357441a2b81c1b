"""census.py ATTEST ATTEST_CHECK: the census of random data sets. Tokens and then v are standard normal, then labels of both signs with equal chance, or all 1."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

# n, T, d, seed
SIZES = [(4, 4, 6, 10), (5, 5, 6, 11), (6, 6, 6, 12), (6, 8, 6, 13), (6, 5, 12, 14), (8, 6, 6, 15), (8, 4, 16, 16),
         (10, 6, 3, 20), (16, 5, 3, 21), (24, 4, 3, 22), (12, 5, 4, 23)]
BUDGET = 600


def write_case(folder, n, T, d, seed, labels):
    random = numpy.random.default_rng(seed)
    X = random.standard_normal((n, T, d))
    v = random.standard_normal(d)
    signs = random.choice([-1, 1], n)
    numpy.savez(folder / "data.npz", X=X, v=v, Y=signs if labels == "±1" else numpy.ones(n, int))
    arrays = {key: {"file": "data.npz", "array": name} for key, name in (("tokens", "X"), ("labels", "Y"), ("v", "v"))}
    (folder / "case.json").write_text(json.dumps({"name": "census", **arrays, "claims": [{"claim": "census", "grade": "proved"}]}))


def run(command, folder):
    """CPU seconds of all its processes, and the peak memory of the largest in MB."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    said = process.stdout.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command[0]} failed: {said}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measure(attest, checker, size, labels):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_case(folder, *size, labels)
        seconds, memory = run([attest, "verify", "case.json", "--budget", str(BUDGET), "--quiet", "--json", "results.json", "--certificates", "proofs"], folder)
        entry = json.loads((folder / "results.json").read_text())["cases"][0]["claims"][0]
        proof = next((folder / "proofs").glob("*.json"))
        check, _ = run([checker, proof], folder)
        numbers = entry["numbers"]
        print(f"| {size[:3]} | {labels} | {numbers['count']} | {numbers['nodes']} | {seconds:.2f} | {proof.stat().st_size / 1e6:.2f} | {memory:.0f} | {check:.2f} |", flush=True)


def main(attest, checker):
    print("| (n, T, d) | labels | locally optimal | nodes | s | certificate, MB | peak memory, MB | attest-check, s |\n|---|---|---|---|---|---|---|---|")
    for labels in ("±1", "1"):
        for size in SIZES:
            measure(os.path.abspath(attest), os.path.abspath(checker), size, labels)


main(*sys.argv[1:])
