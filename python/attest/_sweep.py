"""Sweeps: claims on random data sets, on this machine or on Dask."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Union

from . import _pool
from ._figures import Figure, figures_of_page
from ._fragment import STYLE
from ._progress import shown

if TYPE_CHECKING:
    import pandas

PathLike = Union[str, "os.PathLike[str]"]

_RETRIES = 3  # of a shard, on another worker of Dask, when its own dies


class Sweep:
    """What a sweep found (docs/sweeps.md). In a notebook it shows its phase diagrams."""

    def __init__(self, rows: list[str], summary: str, page: str) -> None:
        self.rows: list[dict[str, Any]] = [json.loads(row) for row in rows]
        """A row a data set, in order."""
        self.summary: dict[str, Any] = json.loads(summary)
        """Counts, shares with their intervals and means at each point of the grid."""
        self._page = page

    def to_frame(self) -> "pandas.DataFrame":
        """A row a data set, the columns of rows.csv; needs pandas."""
        import pandas

        return pandas.DataFrame([_flat(row) for row in self.rows])

    def to_parquet(self, file: PathLike) -> Path:
        """The same as a file; needs pyarrow."""
        import pyarrow
        import pyarrow.parquet

        flat = [_flat(row) for row in self.rows]
        columns = list(dict.fromkeys(name for row in flat for name in row))
        table = pyarrow.table({name: [row.get(name) for row in flat] for name in columns})
        pyarrow.parquet.write_table(table, os.fspath(file))
        return Path(file)

    def to_html(self) -> str:
        return self._page

    @property
    def figures(self) -> dict[str, Figure]:
        return figures_of_page(self._page)

    def __repr__(self) -> str:
        about = self.summary["sweep"]
        return f"<attest.Sweep {about['name']}: {about['done']} of {about['size']} data sets>"

    def _repr_html_(self) -> str:
        svgs = "".join(f"<div>{one.svg}</div>" for name, one in self.figures.items() if "share that holds" in name)
        return f'{STYLE}<div class="attest">{svgs}</div>'


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    flat = {name: row[name] for name in ("index", "n", "T", "d", "noise", "run")}
    flat["seed"] = str(row["seed"])  # 64 bits, more than many readers keep
    for claim in row["claims"]:
        for name in ("verdict", "grade"):
            flat[f"{claim['label']}.{name}"] = claim[name]
        for name, value in claim["numbers"].items():
            flat[f"{claim['label']}.{name}"] = value
    return {**flat, "seconds": row["seconds"]}


@contextmanager
def _as_file(spec: Union[PathLike, Mapping[str, Any]]) -> Iterator[str]:
    """A spec that is a mapping as a file; the path of its data is as seen from here."""
    if not isinstance(spec, Mapping):
        yield os.fspath(spec)
        return
    content = dict(spec)
    if isinstance(content.get("file"), (str, os.PathLike)):
        content["file"] = os.path.abspath(content["file"])
    with tempfile.TemporaryDirectory(prefix="attest-") as folder:
        file = Path(folder) / "sweep.json"
        file.write_text(json.dumps(content), encoding="utf-8")
        yield str(file)


def _shard(spec: dict[str, Any], k: int, N: int, budget: float) -> list[str]:
    """What a worker of Dask does: its rows. Its process has one core."""
    with _as_file(spec) as file:
        return list(_pool.call("sweep_rows", spec=file, k=k, N=N, budget=budget, jobs=1))


def _mapping(file: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(Path(file).read_text(encoding="utf-8"))
    content.setdefault("name", Path(file).stem)
    if "file" in content:
        content["file"] = os.path.join(os.path.dirname(os.path.abspath(file)), content["file"])
    return content


@contextmanager
def _client(client: Any) -> Iterator[Any]:
    """The client that is given, else one of this machine's cores."""
    if client is not None:
        yield client
        return
    from distributed import Client, LocalCluster

    workers = len(os.sched_getaffinity(0))
    with LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster) as own:
        yield own


def _have_dask() -> bool:
    try:
        import distributed  # noqa: F401
    except ImportError:
        return False
    return True


def _kept(out: Optional[PathLike], resume: bool) -> list[str]:
    """The rows that are there."""
    file = None if out is None else Path(out) / "rows.jsonl"
    if not resume or file is None or not file.exists():
        return []
    rows = []
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            json.loads(line)
        except ValueError:
            continue  # the last line may have been cut off
        rows.append(line)
    return rows


def _on_dask(file: str, client: Any, batch: int, budget: float, rows: list[str], out: Optional[PathLike], progress: Optional[bool]) -> list[str]:
    from distributed import as_completed

    size = _pool.call("sweep_size", spec=file)
    done = {json.loads(row)["index"] for row in rows}
    N = max(1, -(-size // batch))
    todo = [k for k in range(N) if any(index not in done for index in range(k, size, N))]
    spec = _mapping(file)
    with _client(client) as connected, shown(progress) as tell:
        futures = [connected.submit(_shard, spec, k, N, budget, retries=_RETRIES, pure=False) for k in todo]
        for finished, future in enumerate(as_completed(futures), 1):
            found = future.result()
            rows += found
            if out is not None:
                with open(Path(out) / "rows.jsonl", "a", encoding="utf-8") as kept:
                    kept.writelines(row + "\n" for row in found)
            if tell:
                tell(finished, len(futures), "shards")
    return rows


def sweep(
    spec: Union[PathLike, Mapping[str, Any]],
    client: Any = None,
    *,
    out: Optional[PathLike] = None,
    resume: bool = False,
    budget: float = 20,
    jobs: Optional[int] = None,
    batch: int = 50,
    progress: Optional[bool] = None,
) -> Sweep:
    """Checks claims on random data sets (docs/sweeps.md), as `attest sweep` does: the rows are the same, seconds aside.

    `client` is any Client of dask.distributed; shards of `batch` data sets go to its workers, and those of a worker that dies to another one.
    Without one a LocalCluster of this machine's cores is started where Dask is installed and `jobs` is not given; else the library itself
    runs `jobs` processes. `out` is a folder to write into, as the program does, rows as they finish; with `resume` rows that are there stay.
    """
    with _as_file(spec) as file:
        rows = _kept(out, resume)
        if out is not None:
            Path(out).mkdir(parents=True, exist_ok=True)
            (Path(out) / "rows.jsonl").write_text("".join(row + "\n" for row in rows), encoding="utf-8")
        if client is not None or (jobs is None and _have_dask()):
            rows = _on_dask(file, client, batch, float(budget), rows, out, progress)
        else:
            with shown(progress) as tell:
                cores = len(os.sched_getaffinity(0)) if jobs is None else jobs
                rows = _pool.call("sweep_rows", tell, spec=file, k=0, N=1, budget=float(budget), jobs=cores)
        rows, summary, page = _pool.call("finish_sweep", spec=file, rows=rows, out=None if out is None else os.fspath(out))
    return Sweep(rows, summary, page)
