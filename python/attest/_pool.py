"""Worker processes, started when they are needed and kept for the next call. Calls from several threads have a worker each.

While a call waits no lock of the interpreter is held; Ctrl-C ends the worker, and what it started with it.
"""

from __future__ import annotations

import atexit
import os
import signal
import socket
import subprocess
import sys
import threading
from multiprocessing.connection import Connection
from typing import Any, Callable, Optional

from ._errors import InputError, WorkerError

Progress = Callable[[int, int, str], None]

_SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_worker.py")


class _Worker:
    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        try:
            # Threads of BLAS wait by turning, which would count as CPU time. A session of its own: Ctrl-C is for the parent.
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", _SCRIPT, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                start_new_session=True,
            )
        finally:
            theirs.close()
        self._line = Connection(ours.detach())

    def call(self, function: str, arguments: dict[str, Any], progress: Optional[Progress]) -> Any:
        try:
            self._line.send((function, arguments))
            while True:
                kind, *rest = self._line.recv()
                if kind != "progress":
                    break
                if progress:
                    progress(*rest)
        except (EOFError, ConnectionError):
            raise WorkerError(self._last_words()) from None
        if kind == "input":
            raise InputError(rest[0])
        if kind == "threw":
            raise WorkerError(f"internal fault: {rest[0]}")
        return rest[0]

    def _last_words(self) -> str:
        code = self._process.wait()
        if code < 0:
            return f"the worker process was ended by signal {-code} ({signal.strsignal(-code)})"
        return f"the worker process ended early with exit code {code}"

    def end(self) -> None:
        """The processes that check its claims end with it."""
        self._process.kill()
        self._process.wait()
        self._line.close()

    def alive(self) -> bool:
        return self._process.poll() is None


_idle: list[_Worker] = []
_lock = threading.Lock()


def _forget() -> None:
    """After a fork the workers are the parent's."""
    global _idle, _lock
    _idle, _lock = [], threading.Lock()


os.register_at_fork(after_in_child=_forget)


@atexit.register
def _end_all() -> None:
    while _idle:
        _idle.pop().end()


def _take() -> _Worker:
    with _lock:
        while _idle:
            worker = _idle.pop()
            if worker.alive():
                return worker
            worker.end()
    return _Worker()


def call(function: str, progress: Optional[Progress] = None, **arguments: Any) -> Any:
    """What the library's function gives; InputError where it refuses its arguments."""
    worker = _take()
    try:
        value = worker.call(function, arguments, progress)
    except InputError:
        with _lock:
            _idle.append(worker)
        raise
    except BaseException:  # Ctrl-C too
        worker.end()
        raise
    with _lock:
        _idle.append(worker)
    return value
