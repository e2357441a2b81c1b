"""What docs/python.md and docs/sweeps.md show runs."""

import os
import re
import subprocess
import sys

import pytest


def blocks():
    for name in ("python.md", "sweeps.md"):
        with open(os.path.join(os.environ["ATTEST_SOURCE"], "docs", name), encoding="utf-8") as page:
            yield from re.findall(r"^```python\n(.*?)^```$", page.read(), flags=re.S | re.M)


@pytest.mark.parametrize("block", list(blocks()), ids=lambda block: block.splitlines()[0])
def test_the_example_runs(block, tmp_path):
    needs = re.match(r"# needs (.*)", block)
    for module in needs[1].split(", ") if needs else []:
        pytest.importorskip(module)
    done = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
