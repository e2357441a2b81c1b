"""The notebooks of docs/notebooks run from the first cell to the last, where nbclient and a kernel are installed."""

import os
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

import nbformat  # noqa: E402

NOTEBOOKS = sorted((Path(os.environ["ATTEST_SOURCE"]) / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.name)
def test_the_notebook_runs(file):
    notebook = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(notebook, timeout=None, kernel_name="python3").execute()
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("text/html" in output.get("data", {}) for output in shown)
