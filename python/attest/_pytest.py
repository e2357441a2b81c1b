"""The plugin of pytest: a file *.attest.json is a case, and each of its claims a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Iterator, Optional

import pytest

from . import _api
from ._errors import InputError
from ._results import Claim, Results


class NotAsExpected(Exception):
    """A claim came out otherwise than its case expects."""


class CaseFile(pytest.File):
    """The claims of a case are checked together, when the first of them is run."""

    _results: Optional[Results] = None

    def collect(self) -> Iterator[pytest.Item]:
        try:
            entries = json.loads(self.path.read_text(encoding="utf-8"))["claims"]
            names = [f"{k}-{entry['claim']}" for k, entry in enumerate(entries)]
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
            raise self.CollectError(f"{self.path}: no case with claims: {fault}") from None
        for k, name in enumerate(names):
            yield ClaimItem.from_parent(self, name=name, place=k)

    @property
    def results(self) -> Results:
        if self._results is None:
            self._results = _api.verify(self.path, progress=False)
        return self._results


class ClaimItem(pytest.Item):
    def __init__(self, *, place: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.place = place

    def runtest(self) -> None:
        results: Results = self.parent.results  # type: ignore[union-attr]
        claim: Claim = results.claims[self.place]
        if not claim.passed:
            raise NotAsExpected(f"{claim.title}: found {claim.verdict}, {claim.grade}: {claim.message}")
        if results.data_changed:
            raise NotAsExpected(f"{claim.title}: the data changed since the audit: {', '.join(results.data_changed)}")

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, (NotAsExpected, InputError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Optional[CaseFile]:
    return CaseFile.from_parent(parent, path=file_path) if file_path.name.endswith(".attest.json") else None
