"""Who calls the package with a checker of types is told of what does not fit."""

import os
import subprocess
import sys
from pathlib import Path

import attest
import pytest

pytestmark = pytest.mark.needs("mypy")

RIGHT = """
import attest

results: attest.Results = attest.audit([[[1, 0], [0, 0]]], [1], v=[1, 0], budget=1)
print(results.headline, [claim.verdict for claim in results.claims], results.certificates)
attest.assert_holds(results, "p-svm", grade="proved")
checked: bool = bool(attest.check(next(iter(results.certificates.values()))))
found: attest.Sweep = attest.sweep({"law": "sphere"}, jobs=2)
print(found.figure("p-svm").svg, attest.svm([[[1]]], [1], [0]).objective)
"""
WRONG = RIGHT + """
results.headlines
"""


def checked(text, folder):
    (folder / "user.py").write_text(text)
    environment = {**os.environ, "MYPYPATH": str(Path(attest.__file__).parents[1])}
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", str(folder / "cache"), "user.py"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_what_fits_is_accepted(tmp_path):
    done = checked(RIGHT, tmp_path)
    assert done.returncode == 0, done.stdout


def test_what_does_not_fit_is_told(tmp_path):
    done = checked(WRONG, tmp_path)
    assert done.returncode == 1 and 'has no attribute "headlines"' in done.stdout, done.stdout
