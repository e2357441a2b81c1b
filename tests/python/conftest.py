"""What the tests share. The package is found by PYTHONPATH; nothing is installed."""

import os
from pathlib import Path

import pytest

pytest_plugins = ["pytester", "attest._pytest"]


@pytest.fixture(scope="session")
def source() -> Path:
    return Path(os.environ["ATTEST_SOURCE"])


@pytest.fixture(scope="session")
def program() -> str:
    """The command line, which must say the same."""
    return os.environ["ATTEST_PROGRAM"]


PAIR = {
    "name": "pair",
    "tokens": [[[2, 0, 1], [0, 1, 0], [1, 1, 0]], [[0, 1, 0], [1, -1, -1]]],
    "labels": [1, -1],
    "v": [0, 0, 1],
}


@pytest.fixture(scope="session")
def pair() -> dict:
    """Two samples, of three tokens and of two."""
    return PAIR


@pytest.fixture(scope="session")
def audited():
    import attest

    return attest.audit(PAIR["tokens"], PAIR["labels"], PAIR["v"], name="pair", progress=False)
