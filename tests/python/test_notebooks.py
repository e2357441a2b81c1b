"""The notebooks of docs/notebooks run from the first cell to the last."""

import os
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(os.environ["ATTEST_SOURCE"]) / "docs" / "notebooks").glob("*.ipynb"))


def marked(file):
    needs = ("torch", "nbclient", "ipykernel") if "import torch" in file.read_text(encoding="utf-8") else ("nbclient", "ipykernel")
    return pytest.param(file, id=file.name, marks=pytest.mark.needs(*needs))


@pytest.mark.parametrize("file", [marked(file) for file in NOTEBOOKS])
def test_the_notebook_runs(file):
    import nbclient
    import nbformat

    notebook = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(notebook, timeout=None, kernel_name="python3").execute()
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("text/html" in output.get("data", {}) for output in shown)


def test_notebooks_are_kept_without_what_they_show():
    assert len(NOTEBOOKS) == 2
    for file in NOTEBOOKS:
        assert '"outputs": []' in file.read_text(encoding="utf-8") and '"output_type"' not in file.read_text(encoding="utf-8")
