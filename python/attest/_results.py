"""What verify, audit and track found: docs/results.md says what the fields mean."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _fragment, _pool
from ._figures import Figure, find_figure, named_figures
from ._errors import InputError

if TYPE_CHECKING:
    import os

    import pandas


@dataclass(frozen=True)
class Certificate:
    """A proof that `attest.check` re-checks."""

    name: str
    """The name of its file."""
    text: str = field(repr=False)

    def save(self, folder: Union[str, os.PathLike[str]]) -> Path:
        file = Path(folder) / self.name
        file.write_text(self.text, encoding="utf-8")
        return file


@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis of a theorem, decided on the data."""

    name: str
    verdict: str
    grade: str
    message: str
    certificate: Optional[Certificate] = field(default=None, repr=False)


@dataclass(frozen=True)
class Claim:
    """What a claim came to."""

    case: str
    claim: str
    label: str
    """The claim and how it is set, such as "mirror-descent q=7/4"."""
    selection: Optional[tuple[int, ...]]
    verdict: str
    """holds, fails, undecided or inapplicable."""
    grade: str
    """proved or observed."""
    passed: bool
    """The verdict is the expected one, with at least the expected grade; an audit expects what it finds."""
    message: str
    numbers: dict[str, Any] = field(repr=False)
    hypotheses: tuple[Hypothesis, ...] = field(default=(), repr=False)
    conclusion: Optional[str] = field(default=None, repr=False)
    certificate: Optional[Certificate] = field(default=None, repr=False)
    seconds: float = field(default=0.0, repr=False)

    @property
    def title(self) -> str:
        return self.label if self.selection is None else f"{self.label} ({', '.join(map(str, self.selection))})"


class _Folder:
    """The certificates of a run, by the names of their files."""

    def __init__(self, path: Optional[str]) -> None:
        self._path = path
        self.read: dict[str, Certificate] = {}

    def certificate(self, file: Optional[str]) -> Optional[Certificate]:
        if file is None or self._path is None:
            return None
        name = Path(file).name
        if name not in self.read:
            self.read[name] = Certificate(name, Path(file).read_text(encoding="utf-8"))
        return self.read[name]


def _claim(case: str, entry: dict[str, Any], folder: _Folder) -> Claim:
    hypotheses = tuple(
        Hypothesis(one["name"], one["verdict"], one["grade"], one["message"], folder.certificate(one.get("certificate")))
        for one in entry.get("hypotheses", [])
    )
    for file in entry.get("run_certificates", []):
        folder.certificate(file)
    selection = entry.get("selection")
    return Claim(
        case,
        entry["claim"],
        entry.get("label", entry["claim"]),
        None if selection is None else tuple(selection),
        entry["verdict"],
        entry["grade"],
        entry["passed"],
        entry["message"],
        entry["numbers"],
        hypotheses,
        entry.get("conclusion"),
        folder.certificate(entry.get("certificate")),
        entry["seconds"],
    )


class Results:
    """What was found. In a notebook it shows itself."""

    def __init__(self, text: str, data: Optional[dict[str, Any]] = None, folder: Optional[str] = None) -> None:
        """`data` are those of an audit, as a worker takes them; `folder` holds the certificates, which are read now."""
        self._text = text
        self._data = data
        self._content: dict[str, Any] = json.loads(text)
        certificates = _Folder(folder)
        self.claims: tuple[Claim, ...] = tuple(
            _claim(case["name"], entry, certificates) for case in self._content["cases"] for entry in case["claims"]
        )
        """What each claim came to, in order."""
        self.certificates: dict[str, Certificate] = certificates.read
        """The proofs, by the names of their files."""

    @property
    def audit(self) -> Optional[dict[str, Any]]:
        """What an audit says besides its claims (docs/audit.md)."""
        return self._content["cases"][0].get("audit") if len(self._content["cases"]) == 1 else None

    @property
    def headline(self) -> str:
        """One sentence."""
        told = (self.audit or {}).get("headline")
        if told:
            return str(told)
        if self.audit is None and len(self.claims) == 1:
            (one,) = self.claims
            return f"{one.title}: {one.verdict}, {one.grade}: {one.message}"
        if self.audit is None:
            summary = self._content["summary"]
            return f"{summary['passed']} passed, {summary['failed']} failed"
        count = {verdict: sum(one.verdict == verdict for one in self.claims) for verdict in _fragment.VERDICTS}
        proved = sum(one.grade == "proved" for one in self.claims)
        return (
            f"{len(self.claims)} claims: {count['holds']} hold, {count['fails']} fail, {count['inapplicable']} do not apply, "
            f"{count['undecided']} undecided; {proved} proved"
        )

    @property
    def as_expected(self) -> bool:
        """Every claim came out as it was expected, and no data changed."""
        return bool(self._content["summary"]["failed"] == 0)

    @property
    def data_changed(self) -> tuple[str, ...]:
        """The parts of the data that are not what they were when an audit saved the case."""
        return tuple(part for case in self._content["cases"] for part in case.get("data_changed", []))

    def find(self, claim: str, selection: Optional[tuple[int, ...]] = None) -> list[Claim]:
        """The claims of that name or label; of one selection, if it is given."""
        wanted = None if selection is None else tuple(selection)
        return [one for one in self.claims if claim in (one.claim, one.label) and wanted in (None, one.selection)]

    def to_json(self, indent: Optional[int] = None) -> str:
        return self._text if indent is None else json.dumps(self._content, indent=indent, ensure_ascii=False)

    def to_frame(self) -> "pandas.DataFrame":
        """A row a claim; needs pandas."""
        import pandas

        columns = ["case", "claim", "label", "selection", "verdict", "grade", "passed", "message", "seconds"]
        return pandas.DataFrame([[getattr(one, column) for column in columns] for one in self.claims], columns=columns)

    def to_html(self) -> str:
        """The page of the results: one file that needs no network."""
        return str(_pool.call("html", results=self._text))

    def save_case(self, file: Union[str, os.PathLike[str]]) -> Path:
        """Writes what an audit found as a case that expects it, with the data by value."""
        if self._data is None:
            raise InputError("save_case: found results of cases, expected those of an audit")
        text = _pool.call("saved_case", data=self._data, results=self._text)
        target = Path(file)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=target.parent, delete=False) as written:
            written.write(text)
        Path(written.name).replace(target)
        return target

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """The pictures of the page by their names, such as "pair-03-gd-local-error"."""
        return named_figures(_pool.call("pictures", results=self._text))

    def figure(self, name: str) -> Figure:
        """The picture of that name, or the first whose name has it as a part: "gd-local"."""
        return find_figure(self.figures, name)

    def __repr__(self) -> str:
        return f"<attest.Results: {self.headline}>"

    def _repr_html_(self) -> str:
        return _fragment.fragment(self)
