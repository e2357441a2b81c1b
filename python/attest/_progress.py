"""How far a run is, by tqdm where it is installed."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import Any, Iterator, Optional

from ._pool import Progress


def _bar(unit: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a notebook without widgets has a bar of text
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=0, delay=1, leave=False, unit=unit)  # a quick answer needs no bar


@contextmanager
def shown(progress: Optional[bool], unit: str = "claim") -> Iterator[Optional[Progress]]:
    """What a call tells how far it is; nothing where no bar is wanted or can be drawn."""
    bar = None if progress is False else _bar(unit)
    if bar is None:
        yield None
        return

    def tell(done: int, total: int, what: str) -> None:
        bar.total = total
        bar.set_postfix_str(what, refresh=False)
        bar.update(done - bar.n)

    with bar:
        yield tell
