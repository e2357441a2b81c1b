"""The programs that the wheel carries, as commands."""

import os
import sys
from pathlib import Path


def _become(program: str) -> None:
    path = Path(__file__).with_name("bin") / program
    os.execv(path, [program, *sys.argv[1:]])


def attest() -> None:
    _become("attest")


def attest_check() -> None:
    _become("attest-check")
