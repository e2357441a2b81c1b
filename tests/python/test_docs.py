"""What docs/python.md and docs/sweeps.md show runs."""

import os
import re
import subprocess
import sys

import pytest


def blocks():
    for name in ("python.md", "sweeps.md"):
        with open(os.path.join(os.environ["ATTEST_SOURCE"], "docs", name), encoding="utf-8") as page:
            for block in re.findall(r"^```python\n(.*?)^```$", page.read(), flags=re.S | re.M):
                needs = re.match(r"# needs (.*)", block)
                marks = [pytest.mark.needs(*needs[1].split(", "))] if needs else []
                yield pytest.param(block, id=f"{name}: {block.splitlines()[0]}", marks=marks)


@pytest.mark.parametrize("block", list(blocks()))
def test_the_example_runs(block, tmp_path):
    done = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
