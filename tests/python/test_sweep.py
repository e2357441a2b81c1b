"""Sweeps from Python: the rows of the program, on one machine and on Dask."""

import json
import os
import signal
import subprocess
import threading

import attest
import pytest

SPEC = {
    "name": "small",
    "law": "sphere",
    "n": [1, 2],
    "T": 3,
    "d": 2,
    "runs": 10,
    "seed": 3,
    "claims": [{"claim": "p-svm"}, {"claim": "locally-optimal"}],
}


def timeless(rows):
    return [{**row, "seconds": 0} for row in rows]


@pytest.fixture(scope="module")
def alone():
    return attest.sweep(SPEC, jobs=2, progress=False)


def test_rows_are_those_of_the_program(alone, program, tmp_path):
    (tmp_path / "spec.json").write_text(json.dumps(SPEC))
    subprocess.run([program, "sweep", tmp_path / "spec.json", "--out", tmp_path / "out", "--quiet"], check=True)
    rows = [json.loads(line) for line in (tmp_path / "out" / "rows.jsonl").read_text().splitlines()]
    assert timeless(alone.rows) == timeless(rows)
    assert alone.summary == json.loads((tmp_path / "out" / "results.json").read_text())


def test_a_sweep_writes_what_the_program_writes_and_goes_on(alone, tmp_path):
    attest.sweep(SPEC, jobs=1, out=tmp_path, progress=False)
    assert {file.name for file in tmp_path.iterdir()} == {"spec.json", "rows.jsonl", "rows.csv", "results.json", "index.html"}
    again = attest.sweep(SPEC, jobs=1, out=tmp_path, resume=True, progress=False)
    assert timeless(again.rows) == timeless(alone.rows)
    with pytest.raises(attest.InputError, match="another sweep"):
        attest.sweep({**SPEC, "seed": 4}, jobs=1, out=tmp_path, progress=False)


def test_what_it_found_is_a_table_and_pictures(alone, tmp_path):
    assert any("share that holds" in name for name in alone.figures) and "<svg" in alone._repr_html_()
    with pytest.raises(attest.InputError, match="law"):
        attest.sweep({**SPEC, "law": "uniform"}, jobs=1)


def test_rows_are_a_table_of_pandas(alone):
    pytest.importorskip("pandas")
    assert list(alone.to_frame()["p-svm.verdict"]) == [row["claims"][0]["verdict"] for row in alone.rows]


def test_rows_are_a_parquet_file(alone, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(alone.to_parquet(tmp_path / "rows.parquet"))
    assert table.column("p-svm.verdict").to_pylist() == [row["claims"][0]["verdict"] for row in alone.rows]


def test_dask_finds_the_same_though_a_worker_is_killed(alone):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            victim = next(iter(client.run(os.getpid).values()))
            threading.Timer(0.3, os.kill, (victim, signal.SIGKILL)).start()
            found = attest.sweep(SPEC, client, batch=1, progress=False)
    assert timeless(found.rows) == timeless(alone.rows) and found.summary == alone.summary
