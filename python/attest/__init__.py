"""attest: machine-checked evidence for the theory of attention, from Python. docs/python.md shows how it is used."""

from . import _pool
from ._api import Checked, Svm, assert_holds, audit, check, claims, svm, verify
from ._errors import InputError, WorkerError
from ._figures import Figure
from ._results import Certificate, Claim, Hypothesis, Results
from ._sweep import Sweep, sweep
from ._track import track

__all__ = [
    "Certificate",
    "Checked",
    "Claim",
    "Figure",
    "Hypothesis",
    "InputError",
    "Results",
    "Svm",
    "Sweep",
    "WorkerError",
    "assert_holds",
    "audit",
    "check",
    "claims",
    "svm",
    "sweep",
    "track",
    "verify",
]


def __getattr__(name: str) -> str:
    if name == "__version__":
        return str(_pool.call("version"))
    raise AttributeError(f"module 'attest' has no attribute {name!r}")
