"""audit.py ATTEST [--jobs N] [--no-queries] [--claims] [n,T,d[,mixed|,contrary] …]: `attest audit` with its default budget on random data (unit
tokens, normal v, queries, labels 1; or as random_data.py says, with a p-SVM that is infeasible).

A line a size: CPU seconds of all processes, seconds on the clock, the exit code, the peak of the largest process, how often the CPU seconds of the size
before. Then what was left out and what is undecided, each with its reason; with --claims every claim."""

import argparse
import json
import os
import pathlib
import tempfile
import time

from random_data import write_data

SIZES = ["50,64,128", "100,64,128", "200,64,128", "50,32,768"]
WIDTH = 160


def audit(attest, data, results, jobs):
    begin = time.monotonic()
    nowhere = os.open(os.devnull, os.O_RDWR)
    process = os.posix_spawn(attest, [attest, "audit", str(data), "--quiet", "--json", str(results), "--jobs", str(jobs)], os.environ,
                             file_actions=[(os.POSIX_SPAWN_DUP2, nowhere, descriptor) for descriptor in (0, 1, 2)])
    os.close(nowhere)
    _, status, used = os.wait4(process, 0)
    return os.waitstatus_to_exitcode(status), time.monotonic() - begin, used


def print_open_ends(case, every_claim):
    for one in case["audit"]["skipped"]:
        print(f"    left out   {one['claim']}: {one['reason']}"[:WIDTH])
    for one in case["claims"]:
        if every_claim or one["verdict"] == "undecided":
            print(f"    {one['verdict']:12} {one['grade'] or '':8} {one['label']} ({one['seconds']:.1f} s): {one['message']}"[:WIDTH])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("attest")
    parser.add_argument("sizes", nargs="*", default=SIZES)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--no-queries", action="store_true")
    parser.add_argument("--claims", action="store_true", help="print every claim")
    arguments = parser.parse_intermixed_args()
    before = None
    for size in arguments.sizes:
        n, T, d, *kind = size.split(",")
        with tempfile.TemporaryDirectory() as folder:
            data, results = pathlib.Path(folder) / "data.npz", pathlib.Path(folder) / "results.json"
            write_data(data, int(n), int(T), int(d), not arguments.no_queries, *kind)
            code, clock, used = audit(arguments.attest, data, results, arguments.jobs)
            seconds = used.ru_utime + used.ru_stime
            growth = f", {seconds / before:.2f} times the line before" if before else ""
            print(f"{size}: {seconds:.1f} CPU s, {clock:.1f} s on the clock, exit {code}, largest process {used.ru_maxrss / 1024:.0f} MiB{growth}", flush=True)
            before = seconds
            if results.exists():
                print_open_ends(json.loads(results.read_text())["cases"][0], arguments.claims)


if __name__ == "__main__":
    main()
