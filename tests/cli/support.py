"""What the checks of the command line share: cases that are made up, and attest run on them."""

import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import termios
import unittest

# A run that takes longer hangs, however busy the machine is.
SECONDS = 1800

# What a run says every ten seconds where no terminal shows its progress: whether it does depends on the machine.
PROGRESS = re.compile(r"^attest: \d+ s: \d+ of \d+ claims done.*\n", re.M)

ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def small_case(name, claims, **more):
    """Scores 1, 9/10 and 9/10."""
    case = {
        "name": name,
        "tokens": [[["-0.1", 1, 1], [1, 0, "9/10"], [0, 0, "0.9"]]],
        "labels": [1],
        "v": [0, 0, 1],
        "W": [[1, 0, 0], [0, 1, 0], [0, 0, 0]],
        "claims": claims,
    }
    case.update(more)
    return case


def write_case(folder, case, file=None):
    path = pathlib.Path(folder) / (file or case["name"] + ".json")
    path.write_text(json.dumps(case), encoding="utf-8")
    return str(path)


def run(*words, cwd=None, env=None):
    """The finished process; `stderr` is without progress."""
    done = subprocess.run(
        list(map(str, words)), capture_output=True, cwd=cwd, timeout=SECONDS, check=False, encoding="utf-8",
        env=None if env is None else {**os.environ, **env},
    )
    done.stderr = PROGRESS.sub("", done.stderr)
    return done


def terminal(columns):
    """Both ends of a pseudo-terminal that many columns wide; the test is skipped where there are none (a bare chroot)."""
    try:
        ours, theirs = pty.openpty()
    except OSError as fault:
        raise unittest.SkipTest(f"no pseudo-terminal here: {fault}") from fault
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    return ours, theirs


def read_to_end(descriptor):
    """What is written to a terminal until nobody holds it open any more."""
    parts = []
    while True:
        try:
            part = os.read(descriptor, 65536)
        except OSError:  # EIO: the other end is closed
            part = b""
        if not part:
            os.close(descriptor)
            return b"".join(parts).decode("utf-8")
        parts.append(part)


def run_on_terminal(*words, columns=80, env=None):
    """The exit code and what a terminal of that width was sent."""
    ours, theirs = terminal(columns)
    environment = {**os.environ, "TERM": "xterm", **(env or {})}
    if env is None or "NO_COLOR" not in env:
        environment.pop("NO_COLOR", None)
    process = subprocess.Popen(list(map(str, words)), stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    sent = read_to_end(ours)
    return process.wait(timeout=SECONDS), sent


def lines_of(sent):
    """The lines that stay on a terminal, and the ones that were drawn over."""
    stayed, drawn_over = [], []
    for line in sent.split("\r\n"):
        *gone, last = re.split(r"\r\x1b\[K|\r", line)
        drawn_over += gone
        stayed.append(last)
    return stayed, drawn_over
