"""What the tests share. The package is found by PYTHONPATH; nothing is installed.

A test that needs more than NumPy says so: @pytest.mark.needs("torch"). Where that is not installed it is skipped. `--group NAME` runs the tests that
need it alone (without one: all), `--group core` those that need nothing; a group of which nothing could run ends with 77, as ctest wants it.
"""

import importlib.util
import os
from pathlib import Path

import pytest

pytest_plugins = ["pytester", "attest._pytest"]

GROUPS = {"torch": "torch", "pandas": "tables", "pyarrow": "tables", "distributed": "dask", "nbclient": "notebooks", "mypy": "types"}
NOTHING_RAN = 77


def pytest_addoption(parser):
    parser.addoption("--group", default=None, help="the tests that need this alone: " + ", ".join(sorted({"core", *GROUPS.values()})))


def pytest_configure(config):
    config.addinivalue_line("markers", "needs(*modules): skipped where they are not installed; its group is that of the first")


def needed_by(item):
    return [module for mark in item.iter_markers("needs") for module in mark.args]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    group = config.getoption("--group")
    for item in list(items):
        needed = needed_by(item)
        if group not in (None, GROUPS[needed[0]] if needed else "core"):
            items.remove(item)
            config.hook.pytest_deselected(items=[item])
        for module in needed:
            if importlib.util.find_spec(module) is None:
                item.add_marker(pytest.mark.skip(reason=f"{module} is not installed"))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    told = session.config.pluginmanager.get_plugin("terminalreporter").stats
    if session.config.getoption("--group") and exitstatus in (0, 5) and not told.get("passed"):
        session.exitstatus = NOTHING_RAN


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
