#!/usr/bin/env python3
"""check_worker_death.py ATTEST STILL_CLOCK: a worker process that dies, stops or runs out of time takes one claim with it, not the run."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from support import PROGRESS, SECONDS, small_case, terminal, write_case

ATTEST, STILL_CLOCK = "", ""

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

    def __init__(self, folder, *words, env=None, on_terminal=True):
        self.folder = pathlib.Path(folder)
        files = [
            write_case(folder, small_case("before", [HOLDS, BOUNDED])),
            write_case(folder, small_case("endless", [BOUNDED, ENDLESS, HOLDS])),
            write_case(folder, small_case("after", [BOUNDED, HOLDS])),
        ]
        try:
            self.screen, theirs = terminal(200) if on_terminal else os.pipe()
        except unittest.SkipTest:  # plain progress lines, every ten seconds, say the same
            self.screen, theirs = os.pipe()
        self.process = subprocess.Popen(
            [ATTEST, "verify", *files, "--jobs", "1", "--json", str(self.folder / "out.json"), *words],
            stdout=subprocess.PIPE, stderr=theirs, stdin=subprocess.DEVNULL, encoding="utf-8",
            env={**os.environ, **(env or {})},
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
        parts = []
        try:
            while part := os.read(self.screen, 65536):
                parts.append(part)
        except OSError:
            pass
        os.close(self.screen)
        return b"".join(parts).decode("utf-8", "replace")

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
                # Of a build with AddressSanitizer: that it leaves signal 11 alone, which it would turn into an exit code.
                options = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "handle_segv=0")))
                run = Run(self.folder, env={"ASAN_OPTIONS": options})
                os.kill(run.wait_for_the_endless_claim(), number)
                code, table, results = run.finish()
                claim = self.check_the_rest(results)
                self.assertFalse(claim["passed"])
                self.assertIn(f"signal {int(number)}", claim["message"])
                self.assertEqual(results["summary"], {"passed": 6, "failed": 1})
                self.assertEqual(code, 1)
                self.assertIn("6 passed, 1 failed", table)

    def test_a_claim_out_of_time_ends_by_itself_as_undecided(self):
        run = Run(self.folder, "--budget", "2")
        code, _, results = run.finish()
        claim = self.check_the_rest(results)
        self.assertTrue(claim["passed"])
        self.assertIn("time was up", claim["message"])
        self.assertGreater(claim["numbers"]["points"], 0)
        self.assertGreaterEqual(claim["seconds"], 2)
        self.assertEqual((code, results["summary"]), (0, {"passed": 7, "failed": 0}))

    def test_a_worker_that_spins_past_its_budget_is_ended(self):
        # Its own CPU clock stands still, so that its claims never see their budget spent; the kernel counts all the same.
        preloaded = f"{os.environ.get('LD_PRELOAD', '')} {STILL_CLOCK}".strip()
        run = Run(self.folder, "--budget", "2", env={"LD_PRELOAD": preloaded})
        code, _, results = run.finish()
        claim = self.check_the_rest(results)
        self.assertFalse(claim["passed"])
        self.assertIn("past its budget of 2 s of CPU time", claim["message"])
        self.assertGreaterEqual(claim["seconds"], 3)
        self.assertEqual(code, 1)

    def test_a_worker_that_waits_is_ended_by_the_clock(self):
        for end in terminal(80):  # plain progress comes too late to stop the worker in time: skipped without a terminal
            os.close(end)
        run = Run(self.folder, "--wall-limit", "15")
        os.kill(run.wait_for_the_endless_claim(), signal.SIGSTOP)
        code, _, results = run.finish()
        claim = self.check_the_rest(results)
        self.assertFalse(claim["passed"])
        self.assertIn("not done after 15 s on the clock, with a budget of 300 s of CPU time", claim["message"])
        self.assertLess(claim["seconds"], 15)
        self.assertEqual(code, 1)

    def test_a_worker_that_waited_goes_on_where_it_was(self):
        # 11 s on the clock, but no CPU time: within a budget of 3 s. A pipe gets a plain line of progress after 10.
        run = Run(self.folder, "--budget", "3", on_terminal=False)
        worker = self.worker_at_work(run)
        os.kill(worker, signal.SIGSTOP)
        time.sleep(11)
        os.kill(worker, signal.SIGCONT)
        said = run.drain()
        self.assertNotEqual(said, "")
        self.assertEqual(PROGRESS.sub("", said), "")
        table, _ = run.process.communicate(timeout=SECONDS)
        claim = self.check_the_rest(json.loads((run.folder / "out.json").read_text(encoding="utf-8")))
        self.assertIn("time was up", claim["message"])
        self.assertIn("7 passed, 0 failed", table)

    def test_an_attest_that_is_interrupted_keeps_what_is_finished_and_says_where(self):
        run = Run(self.folder)
        worker = run.wait_for_the_endless_claim()
        run.process.send_signal(signal.SIGINT)
        said = run.drain()
        run.process.communicate(timeout=SECONDS)
        self.assertIn(f"interrupted; the results of 3 finished claims are in {run.folder / 'out.json'}", said)
        results = json.loads((run.folder / "out.json").read_text(encoding="utf-8"))
        self.assertEqual([(case["name"], len(case["claims"])) for case in results["cases"]], [("before", 2), ("endless", 1)])
        self.assertEqual((results["interrupted"], results["summary"], run.process.returncode), (True, {"passed": 3, "failed": 0}, 1))
        self.assertIsNone(living(worker))

    def worker_at_work(self, run):
        """Of a run without a terminal: a worker that has used a second is at the endless claim."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline and run.process.poll() is None:
            for worker in workers_of(run.process.pid):
                used = pathlib.Path(f"/proc/{worker}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
                if sum(map(int, used)) >= os.sysconf("SC_CLK_TCK"):
                    return worker
            time.sleep(0.01)
        raise AssertionError("no worker came to the endless claim")

    def test_an_attest_that_is_killed_leaves_no_worker_and_no_results(self):
        run = Run(self.folder)
        worker = run.wait_for_the_endless_claim()
        os.kill(worker, signal.SIGSTOP)  # so that it does not end because nobody reads its progress
        run.process.kill()
        run.process.wait(timeout=SECONDS)
        deadline = time.monotonic() + SECONDS
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
    global ATTEST, STILL_CLOCK
    if len(sys.argv) < 3:
        sys.exit("usage: check_worker_death.py ATTEST STILL_CLOCK [TEST...]")
    ATTEST, STILL_CLOCK = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)


if __name__ == "__main__":
    main()
