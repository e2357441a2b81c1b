"""Work is done in processes of their own: crashes, Ctrl-C, threads and forks of the caller change nothing."""

import os
import signal
import subprocess
import sys
import textwrap
import threading

import attest
import pytest
from attest import _pool

X = [[[1, 0], [0, 0]]]


def test_a_worker_that_dies_is_told_and_the_next_call_works():
    attest.svm(X, [1], [0])
    (worker,) = _pool._idle[-1:]
    os.kill(worker._process.pid, signal.SIGSTOP)  # it cannot answer before it is killed
    threading.Timer(0.1, os.kill, (worker._process.pid, signal.SIGKILL)).start()
    with pytest.raises(attest.WorkerError, match="signal 9"):
        attest.svm(X, [1], [0])
    assert attest.svm(X, [1], [0]).outcome == "solved"


def test_a_claim_past_its_budget_is_undecided():
    # Sample i has coordinates of its own, so all 4^24 selections are feasible, and no machine lists them in this time.
    case = {
        "tokens": [[[1 if k == 4 * i + t else 0 for k in range(96)] for t in range(4)] for i in range(24)],
        "labels": [1, -1] * 12,
        "v": [k % 4 for k in range(96)],
        "claims": [{"claim": "census"}],
    }
    (claim,) = attest.verify(case, budget=0.05, progress=False).claims
    assert claim.verdict == "undecided" and "time was up" in claim.message


def test_workers_are_kept_and_used_again():
    attest.svm(X, [1], [0])
    before = list(_pool._idle)
    attest.svm(X, [1], [0])
    assert _pool._idle == before


def test_calls_of_several_threads_do_not_wait_for_each_other():
    found = []
    threads = [threading.Thread(target=lambda: found.append(attest.svm(X, [1], [0]).outcome)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["solved"] * 3


def test_a_fork_of_the_caller_has_workers_of_its_own():
    attest.svm(X, [1], [0])
    child = os.fork()
    if child == 0:
        os._exit(0 if attest.svm(X, [1], [0]).outcome == "solved" else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert attest.svm(X, [1], [0]).outcome == "solved"


INTERRUPTED = """
    import os, signal, attest
    from attest import _pool
    told = []
    def interrupt(done, total, what):
        if not told:
            told.append(what)
            os.kill(os.getpid(), signal.SIGINT)
    try:
        _pool.call("audit", interrupt, data=attest._data.problem_data(%s, [1, -1], [0, 0, 1]), name="pair", budget=20.0, jobs=1,
                   seed=0, certificates=None)
    except KeyboardInterrupt:
        print("interrupted, idle:", len(_pool._idle))
"""


def test_an_interrupt_ends_the_work(pair):
    program = textwrap.dedent(INTERRUPTED % pair["tokens"])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "interrupted, idle: 0\n", done.stderr
