"""Sweeps: claims on random data sets, on this machine or on Dask."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Union

from . import _pool
from ._api import cores, seconds
from ._errors import InputError
from ._figures import Figure, find_figure, named_figures
from ._fragment import STYLE
from ._progress import shown

if TYPE_CHECKING:
    import pandas

PathLike = Union[str, "os.PathLike[str]"]

_RETRIES = 3  # of a batch, when its worker process ends early
_BATCHES = 8  # for each core: enough that none waits long at the end
_LARGEST_BATCH = 500  # what is lost with a worker that dies


class Sweep:
    """What a sweep found (docs/sweeps.md). In a notebook it shows its phase diagrams."""

    def __init__(self, rows: list[str], summary: str, page: str, pictures: dict[str, str]) -> None:
        self.rows: list[dict[str, Any]] = [json.loads(row) for row in rows]
        """A row a data set, in order."""
        self.summary: dict[str, Any] = json.loads(summary)
        """Counts, shares and means with their intervals at each point of the grid."""
        self.figures: dict[str, Figure] = named_figures(pictures)
        """The diagrams by their names, such as "small-p-svm-holds"."""
        self._page = page

    def figure(self, name: str) -> Figure:
        """The diagram of that name, or the first whose name has it as a part: "p-svm"."""
        return find_figure(self.figures, name)

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
        table = pyarrow.table({name: _column([row.get(name) for row in flat]) for name in columns})
        pyarrow.parquet.write_table(table, os.fspath(file))
        return Path(file)

    def to_html(self) -> str:
        """The page of the sweep: one file that needs no network."""
        return self._page

    def __repr__(self) -> str:
        about = self.summary["sweep"]
        return f"<attest.Sweep {about['name']}: {about['done']} of {about['size']} data sets>"

    def _repr_html_(self) -> str:
        pictures = "".join(one.as_image() for one in self.figures.values())
        return f'{STYLE}<div class="attest"><p><strong>{repr(self)[1:-1]}</strong></p>{pictures}</div>'


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    flat = {name: row[name] for name in ("index", "n", "T", "d", "noise", "run")}
    flat["seed"] = str(row["seed"])  # 64 bits, more than many readers keep
    for claim in row["claims"]:
        for name in ("verdict", "grade", "applies"):
            if name in claim:
                flat[f"{claim['label']}.{name}"] = claim[name]
        for name, value in claim["numbers"].items():
            flat[f"{claim['label']}.{name}"] = value
    return {**flat, "seconds": row["seconds"]}


def _column(values: list[Any]) -> Any:
    """Of one type; of several kinds of values the texts."""
    import pyarrow

    try:
        return pyarrow.array(values)
    except pyarrow.ArrowException:
        return pyarrow.array([None if value is None else str(value) for value in values])


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


def _batch(spec: dict[str, Any], data_sets: list[int], budget: float) -> str:
    """What a worker of Dask does, on one core: the rows of some data sets, a line each; one text is handed on faster than a list."""
    with _as_file(spec) as file:
        return "".join(row + "\n" for row in _pool.call("sweep_rows", spec=file, data_sets=data_sets, budget=budget))


def _mapping(file: str) -> dict[str, Any]:
    """As another machine can read it."""
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


def _have(module: str) -> bool:
    try:
        __import__(module)
    except ImportError:
        return False
    return True


def _batch_size(data_sets: int, client: Any) -> int:
    cores = max(1, sum(client.ncores().values()))
    return max(1, min(_LARGEST_BATCH, data_sets // (_BATCHES * cores)))


def _on_dask(file: str, client: Any, batch: Optional[int], budget: float, rows: list[str], out: Optional[PathLike], progress: Optional[bool]) -> list[str]:
    """The rows that are there and all others, which are written as they come."""
    from distributed import as_completed

    done = {json.loads(row)["index"] for row in rows}
    todo = [index for index in range(_pool.call("sweep_size", spec=file)) if index not in done]
    spec = _mapping(file)
    total = len(done) + len(todo)
    with _client(client) as connected, shown(progress, "data set") as tell:
        count = -(-len(todo) // (batch or _batch_size(len(todo), connected)))
        futures = [connected.submit(_batch, spec, todo[k::count], budget, retries=_RETRIES, pure=False) for k in range(count)]
        try:
            for future in as_completed(futures):
                found = future.result()
                rows += found.split("\n")[:-1]
                if out is not None:
                    with open(Path(out) / "rows.jsonl", "a", encoding="utf-8") as kept:
                        kept.write(found)
                if tell:
                    tell(len(rows), total, "data sets")
        finally:
            connected.cancel(futures)  # of use when it is interrupted
    return rows


def sweep(
    spec: Union[PathLike, Mapping[str, Any]],
    client: Any = None,
    *,
    out: Optional[PathLike] = None,
    resume: bool = False,
    budget: float = 20,
    jobs: Optional[int] = None,
    batch: Optional[int] = None,
    progress: Optional[bool] = None,
) -> Sweep:
    """Checks claims on random data sets (docs/sweeps.md); `spec` is the path of a sweep, or a mapping with its keys.

    With a `client` of dask.distributed its workers do it, in batches of `batch` data sets (eight for each core, of at most 500), and what a
    worker that dies was doing is done by another one; rows are the same as on one machine, seconds aside. Without one a LocalCluster is started where Dask is installed and `jobs`
    is not given; else the library itself runs `jobs` processes. `out` is a folder to write into, as the program does, rows as they finish,
    and rows.parquet where pyarrow is installed; with `resume` the rows that are there stay.
    """
    if batch is not None and batch < 1:
        raise InputError(f"batch: found {batch}, expected a whole number from 1 on")
    folder = None if out is None else os.fspath(out)
    with _as_file(spec) as file:
        if client is not None or (jobs is None and _have("distributed")):
            rows = [] if folder is None else list(_pool.call("open_sweep", spec=file, folder=folder, resume=resume))
            rows = _on_dask(file, client, batch, seconds(budget), rows, out, progress)
            found = Sweep(*_pool.call("finish_sweep", spec=file, rows=rows, folder=folder))
        else:
            with shown(progress, "data set") as tell:
                found = Sweep(*_pool.call("sweep", tell, spec=file, budget=seconds(budget), jobs=cores(jobs), folder=folder, resume=resume))
    if out is not None and _have("pyarrow"):
        found.to_parquet(Path(out) / "rows.parquet")
    return found
