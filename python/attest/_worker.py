"""The process in which the library works: started anew and not forked, so that threads of the caller cannot leave it a lock that is held.

    python -I -S _worker.py FD

FD is a socket. The parent sends (function, arguments); the answers are ("progress", done, total, what) and at last ("done", value),
("input", text) or ("threw", text). It ends with its parent. Nothing of the package but the extension is imported.
"""

import os
import sys
import time
from multiprocessing.connection import Connection
from typing import Any, Callable

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import _core  # noqa: E402

RUNS = {"audit", "audit_file", "verify", "track", "sweep", "sweep_rows"}  # what says how far it is


BETWEEN = 0.05  # seconds from one word of progress to the next: a data set may take a tenth of a millisecond


def teller(connection: Connection) -> Callable[[int, int, str], None]:
    """Tells the parent how far it is, now and then, and of the end."""
    said = 0.0

    def tell(done: int, total: int, what: str) -> None:
        nonlocal said
        now = time.monotonic()
        if now - said >= BETWEEN or done == total:
            said = now
            connection.send(("progress", done, total, what))

    return tell


def answer(connection: Connection, function: str, arguments: dict[str, Any]) -> tuple[Any, ...]:
    if function in RUNS:
        arguments["told"] = teller(connection)
    try:
        return "done", getattr(_core, function)(**arguments)
    except _core.InputError as refused:
        return "input", str(refused)
    except OSError:
        raise  # the parent is gone
    except Exception as fault:  # noqa: BLE001 — whatever it is, the parent is to hear of it
        return "threw", f"{type(fault).__name__}: {fault}"


def main() -> None:
    # What solvers print is not for the reader of the parent's output.
    os.dup2(2, 1)
    connection = Connection(int(sys.argv[1]))
    try:
        while True:
            connection.send(answer(connection, *connection.recv()))
    except (EOFError, OSError):
        pass


if __name__ == "__main__":
    main()
