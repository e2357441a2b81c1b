#!/usr/bin/env python3
"""check_worker_death.py ATTEST: a worker process that dies, stops or runs out of time takes one claim with it, not the run."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from support import SECONDS, small_case, terminal, write_case

ATTEST = ""

HOLDS = {"claim": "globally-optimal", "selection": [0], "grade": "proved"}
BOUNDED = {"claim": "assumption-a", "grade": "proved"}
# Undecided is expected, so that it fails only because its worker did not say so itself.
ENDLESS = {"claim": "derivatives", "points": 10**9, "expect": "undecided"}


def living(process):
    """The name and the parent of a process; nothing when it has ended, reaped or not."""
    try:
        stat = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return None
    state, parent = stat[stat.rindex(")") + 2:].split()[:2]
    return None if state in "ZX" else (stat[stat.index("(") + 1:stat.rindex(")")], int(parent))


def workers_of(parent):
    """The ids of the worker processes that this attest started."""
    processes = [int(folder.name) for folder in pathlib.Path("/proc").iterdir() if folder.name.isdigit()]
    return [process for process in processes if living(process) == ("attest-worker", parent)]


class Run:
    """attest on three cases, the second of which has an endless claim between two others; its progress, read from a
    terminal if there is one, says when the endless claim is under way."""

    def __init__(self, folder, *words):
        self.folder = pathlib.Path(folder)
        files = [
            write_case(folder, small_case("before", [HOLDS, BOUNDED])),
            write_case(folder, small_case("endless", [BOUNDED, ENDLESS, HOLDS])),
            write_case(folder, small_case("after", [BOUNDED, HOLDS])),
        ]
        try:
            self.screen, theirs = terminal(200)
        except unittest.SkipTest:  # plain progress lines, every ten seconds, say the same
            self.screen, theirs = os.pipe()
        self.process = subprocess.Popen(
            [ATTEST, "verify", *files, "--jobs", "1", "--json", str(self.folder / "out.json"), *words],
            stdout=subprocess.PIPE, stderr=theirs, stdin=subprocess.DEVNULL, encoding="utf-8",
        )
        os.close(theirs)

    def wait_for_the_endless_claim(self):
        """The id of the worker that is at it."""
        seen = ""
        deadline = time.monotonic() + SECONDS
        while "endless: derivatives, " not in seen:
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise AssertionError(f"the endless claim was never under way; seen: {seen!r}")
            seen = seen[-200:] + os.read(self.screen, 4096).decode("utf-8", "replace")
        (worker,) = workers_of(self.process.pid)
        return worker

    def drain(self):
        """Reads the terminal until attest has closed it: it must not wait for a reader."""
        try:
            while os.read(self.screen, 65536):
                pass
        except OSError:
            pass
        os.close(self.screen)

    def finish(self):
        """The exit code, the table and the results."""
        self.drain()
        table, _ = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, table, json.loads((self.folder / "out.json").read_text(encoding="utf-8"))


class WorkerDeath(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def check_the_rest(self, results):
        """Everything but the endless claim is as expected; gives that claim."""
        self.assertEqual([case["name"] for case in results["cases"]], ["before", "endless", "after"])
        before, endless, after = (case["claims"] for case in results["cases"])
        self.assertEqual([claim["claim"] for claim in endless], ["assumption-a", "derivatives", "globally-optimal"])
        for claim in before + after + [endless[0], endless[2]]:
            self.assertEqual((claim["verdict"], claim["grade"], claim["passed"]), ("holds", "proved", True))
        self.assertEqual((endless[1]["verdict"], endless[1]["grade"]), ("undecided", "observed"))
        return endless[1]

    def test_a_worker_that_is_killed_leaves_its_claim_undecided_and_failed(self):
        for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT):
            with self.subTest(signal=number.name):
                run = Run(self.folder)
                os.kill(run.wait_for_the_endless_claim(), number)
                code, table, results = run.finish()
                claim = self.check_the_rest(results)
                self.assertFalse(claim["passed"])
                self.assertIn(f"signal {int(number)}", claim["message"])
                self.assertEqual(results["summary"], {"passed": 6, "failed": 1})
                self.assertEqual(code, 1)
                self.assertIn("6 passed, 1 failed", table)

    def test_a_claim_out_of_time_ends_by_itself_as_undecided(self):
        run = Run(self.folder, "--budget", "1")
        code, _, results = run.finish()
        claim = self.check_the_rest(results)
        self.assertTrue(claim["passed"])
        self.assertIn("time was up", claim["message"])
        self.assertGreater(claim["numbers"]["points"], 0)
        self.assertEqual((code, results["summary"]), (0, {"passed": 7, "failed": 0}))

    def test_a_worker_that_hangs_past_its_budget_is_ended(self):
        for end in terminal(80):  # plain progress comes too late to stop the worker in time: skipped without a terminal
            os.close(end)
        run = Run(self.folder, "--budget", "3")
        os.kill(run.wait_for_the_endless_claim(), signal.SIGSTOP)
        code, _, results = run.finish()
        claim = self.check_the_rest(results)
        self.assertFalse(claim["passed"])
        self.assertIn("budget of 3 s", claim["message"])
        self.assertEqual(code, 1)

    def test_an_attest_that_is_killed_leaves_no_worker_and_no_results(self):
        run = Run(self.folder)
        worker = run.wait_for_the_endless_claim()
        os.kill(worker, signal.SIGSTOP)  # so that it does not end because nobody reads its progress
        run.process.kill()
        run.process.wait(timeout=SECONDS)
        deadline = time.monotonic() + 30
        while living(worker) and time.monotonic() < deadline:
            time.sleep(0.05)
        left = living(worker)
        if left:
            os.kill(worker, signal.SIGKILL)
        self.assertIsNone(left)
        run.drain()
        run.process.stdout.close()
        self.assertFalse((run.folder / "out.json").exists())


def main():
    global ATTEST
    if len(sys.argv) < 2:
        sys.exit("usage: check_worker_death.py ATTEST [TEST...]")
    ATTEST = str(pathlib.Path(sys.argv[1]).resolve())
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)


if __name__ == "__main__":
    main()
