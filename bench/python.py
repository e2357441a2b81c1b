"""What Python costs: a call beside the library's own time, and data sets of a sweep a second, alone and on Dask.

    bench/python [DATA_SETS]
"""
import json
import os
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager

import attest
from attest import _core, _data  # the library itself, which the package runs in a process of its own

SPEC = {"name": "bench", "law": "sphere", "n": 3, "T": 7, "d": 3, "seed": 0}
EXACT = [{"claim": "p-svm"}, {"claim": "locally-optimal"}]
PROVED = [*EXACT, {"claim": "gd-local"}]  # runs stop where they are proved
WATCHED = [*EXACT, {"claim": "gd-local", "stop": "iterations"}]
CASE = {"name": "bench", "tokens": [[["-0.1", 1, 1], [1, 0, 0.9], [0, 0, 0.9]]], "labels": [1], "v": [0, 0, 1],
        "W": [[1, 0, 0], [0, 1, 0], [0, 0, 0]], "claims": [{"claim": "p-svm", "selection": [0]}]}
X, Y = [[[2, 0, 1], [0, 1, 0], [1, 1, 0]], [[0, 1, 0], [1, -1, -1]]], [1, -1]


def milliseconds(action, repeats=100):
    """The median."""
    action()  # the first call starts the worker
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return 1000 * statistics.median(times)


def compare(name, call, library):
    ours, theirs = milliseconds(call), milliseconds(library)
    print(f"{name}: {ours:.2f} ms, the library {theirs:.2f} ms: {ours - theirs:.2f} ms more")


def calls():
    data = _data.problem_data(X, Y)
    compare("an SVM", lambda: attest.svm(X, Y, [0, 1]),
            lambda: _core.svm(data=data, program="p", selection=[0, 1], budget=300.0))
    compare("what is no certificate", lambda: attest.check("{}"), lambda: _core.check(certificate="{}", case_file=None))
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "case.json")
        with open(file, "w", encoding="utf-8") as written:
            json.dump(CASE, written)
        options = {"budget": 300.0, "jobs": 1, "seed": 0, "certificates": os.path.join(folder, "proofs"), "told": lambda *_: None}
        compare("a case of one claim", lambda: attest.verify(file, jobs=1, progress=False), lambda: _core.verify(paths=[file], **options))


def rate(name, count, sweep):
    begin = time.perf_counter()
    found = sweep()
    wall = time.perf_counter() - begin
    assert len(found.rows) == count
    own = sum(row["seconds"] for row in found.rows)
    print(f"{name}: {count / wall:.0f} data sets a second, {wall:.1f} s; the claims themselves {1000 * own / count:.2f} ms of CPU time each")
    return found


def sweeps(name, claims, count, client):
    spec = {**SPEC, "runs": count, "claims": claims}
    alone = rate(f"{name}: {count} data sets (3,7,3), 2 processes", count, lambda: attest.sweep(spec, jobs=2, progress=False))
    if client is None:
        return
    spread = rate("  on Dask, 2 workers", count, lambda: attest.sweep(spec, client, progress=False))
    same = [{**row, "seconds": 0} for row in alone.rows] == [{**row, "seconds": 0} for row in spread.rows]
    print("  the rows are the same, seconds aside" if same else "  THE ROWS DIFFER")


@contextmanager
def two_workers():
    try:
        import distributed
    except ImportError:
        print("Dask is not installed")
        yield None
        return
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            attest.sweep({**SPEC, "runs": 8, "claims": PROVED}, client, batch=1, progress=False)  # what workers load first
            yield client


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    calls()
    with two_workers() as client:
        sweeps("p-svm, locally-optimal", EXACT, count, client)
        sweeps("and gd-local", PROVED, max(1, count // 10), client)
        sweeps("and gd-local, watched", WATCHED, max(1, count // 100), None)


if __name__ == "__main__":
    main()
