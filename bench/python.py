"""What Python costs: a call beside the library's own time, and data sets of a sweep a second, alone and on Dask.

    PYTHONPATH=build/release/python build/venv/bin/python bench/python.py [DATA_SETS]
"""
import sys
import time

import attest

SPEC = {"name": "bench", "law": "sphere", "n": 3, "T": 7, "d": 3, "seed": 0,
        "claims": [{"claim": "p-svm"}, {"claim": "locally-optimal"}, {"claim": "gd-local"}]}


def seconds(action, repeats):
    action()  # the worker is started by the first call
    begin = time.perf_counter()
    for _ in range(repeats):
        action()
    return (time.perf_counter() - begin) / repeats


def rate(count, **how):
    begin = time.perf_counter()
    found = attest.sweep({**SPEC, "runs": count}, progress=False, **how)
    wall = time.perf_counter() - begin
    cpu = sum(row["seconds"] for row in found.rows)
    return f"{count / wall:.0f} data sets a second ({count / cpu:.0f} a second of CPU time)"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(f"a call that does nothing: {1000 * seconds(lambda: attest.check('{}'), 200):.2f} ms")
    print(f"a p-SVM of (1,2,2): {1000 * seconds(lambda: attest.svm([[[1, 0], [0, 0]]], [1], [0]), 200):.2f} ms")
    print(f"sweep of {count} data sets (3,7,3), 2 processes: {rate(count, jobs=2)}")
    try:
        import distributed
    except ImportError:
        print("Dask is not installed")
        return
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            print(f"the same on Dask, 2 workers: {rate(count, client=client)}")


if __name__ == "__main__":
    main()
