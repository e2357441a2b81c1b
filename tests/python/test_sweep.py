"""Sweeps from Python: the rows of the program, on one machine and on Dask."""

import json
import os
import signal
import subprocess
import threading
import time
from contextlib import contextmanager

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


FILES = {"spec.json", "rows.jsonl", "rows.csv", "results.json", "index.html"}


def test_a_sweep_writes_what_the_program_writes(alone, tmp_path):
    attest.sweep(SPEC, jobs=1, out=tmp_path, progress=False)
    assert {file.name for file in tmp_path.iterdir()} - {"rows.parquet"} == FILES
    assert timeless(map(json.loads, (tmp_path / "rows.jsonl").read_text().splitlines())) == timeless(alone.rows)


def cut_off(folder):
    """As if it had been interrupted: a whole row, which is marked, and a part of one."""
    first, second, *_ = (folder / "rows.jsonl").read_text().splitlines()
    (folder / "rows.jsonl").write_text(json.dumps({**json.loads(first), "seconds": 12345}) + "\n" + second[:20])


def test_a_sweep_goes_on_where_it_was_cut_off(alone, tmp_path):
    attest.sweep(SPEC, jobs=1, out=tmp_path, progress=False)
    cut_off(tmp_path)
    again = attest.sweep(SPEC, jobs=1, out=tmp_path, resume=True, progress=False)
    assert timeless(again.rows) == timeless(alone.rows)
    assert [row["index"] for row in again.rows if row["seconds"] == 12345] == [0]  # it was not drawn again
    assert [row["index"] for row in attest.sweep(SPEC, jobs=1, out=tmp_path, progress=False).rows if row["seconds"] == 12345] == []


def test_the_folder_of_another_sweep_is_left_alone(tmp_path):
    attest.sweep(SPEC, jobs=1, out=tmp_path, progress=False)
    before = (tmp_path / "rows.jsonl").read_bytes()
    with pytest.raises(attest.InputError, match="another sweep"):
        attest.sweep({**SPEC, "seed": 4}, jobs=1, out=tmp_path, progress=False)
    with pytest.raises(attest.InputError, match="jobs"):
        attest.sweep(SPEC, jobs=0, out=tmp_path, progress=False)
    assert (tmp_path / "rows.jsonl").read_bytes() == before


def test_what_it_found_is_pictures_that_a_notebook_shows(alone, tmp_path):
    assert alone.figure("p-svm").svg.startswith("<svg") and "small-p-svm-holds" in alone.figures
    shown = alone._repr_html_()
    assert shown.count("<img") == len(alone.figures) == 2 and "<svg" not in shown and "http" not in shown
    with pytest.raises(KeyError, match="small-p-svm-holds"):
        alone.figure("no-claim")
    with pytest.raises(attest.InputError, match="law"):
        attest.sweep({**SPEC, "law": "uniform"}, jobs=1)


@pytest.mark.needs("pandas")
def test_rows_are_a_table_of_pandas(alone):
    assert list(alone.to_frame()["p-svm.verdict"]) == [row["claims"][0]["verdict"] for row in alone.rows]


@pytest.mark.needs("pyarrow")
def test_rows_are_a_parquet_file(alone, tmp_path):
    from pyarrow import parquet

    table = parquet.read_table(alone.to_parquet(tmp_path / "rows.parquet"))
    assert table.column("p-svm.verdict").to_pylist() == [row["claims"][0]["verdict"] for row in alone.rows]


@contextmanager
def two_workers():
    import distributed

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


@pytest.mark.needs("distributed")
def test_dask_finds_the_same_though_a_worker_is_killed(alone, tmp_path):
    killed = []

    def kill_one(client):
        """Once rows have come, so that it is in the middle."""
        while not (tmp_path / "rows.jsonl").exists() or not (tmp_path / "rows.jsonl").stat().st_size:
            time.sleep(0.01)
        killed.append(next(iter(client.run(os.getpid).values())))
        os.kill(killed[0], signal.SIGKILL)

    with two_workers() as client:
        killer = threading.Thread(target=kill_one, args=(client,))
        killer.start()
        found = attest.sweep({**SPEC, "runs": 100}, client, out=tmp_path, batch=1, progress=False)
        killer.join()
        assert killed and killed[0] not in client.run(os.getpid).values()
    whole = attest.sweep({**SPEC, "runs": 100}, jobs=2, progress=False)
    assert timeless(found.rows) == timeless(whole.rows) and found.summary == whole.summary


@pytest.mark.needs("distributed")
def test_dask_goes_on_where_it_was_cut_off(alone, tmp_path):
    with two_workers() as client:
        attest.sweep(SPEC, client, out=tmp_path, batch=7, progress=False)
        cut_off(tmp_path)
        found = attest.sweep(SPEC, client, out=tmp_path, resume=True, batch=3, progress=False)
        assert {file.name for file in tmp_path.iterdir()} - {"rows.parquet"} == FILES
        with pytest.raises(attest.InputError, match="another sweep"):
            attest.sweep({**SPEC, "seed": 4}, client, out=tmp_path, progress=False)
    assert timeless(found.rows) == timeless(alone.rows) and found.summary == alone.summary
    assert [row["index"] for row in found.rows if row["seconds"] == 12345] == [0]


@pytest.mark.needs("distributed")
def test_ten_thousand_data_sets_are_the_same_on_dask(tmp_path):
    spec = {**SPEC, "n": 3, "T": 7, "d": 3, "runs": 10000}
    with two_workers() as client:
        found = attest.sweep(spec, client, out=tmp_path, batch=200, progress=False)
    assert len((tmp_path / "rows.jsonl").read_text().splitlines()) == found.summary["sweep"]["done"] == 10000
    whole = attest.sweep(spec, jobs=2, progress=False)
    assert timeless(found.rows) == timeless(whole.rows) and found.summary == whole.summary


@pytest.mark.needs("distributed")
def test_without_a_client_dask_uses_this_machine(alone):
    assert timeless(attest.sweep(SPEC, progress=False).rows) == timeless(alone.rows)
