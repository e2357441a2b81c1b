"""Pictures, one by one."""

from __future__ import annotations

import base64
import html
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Mapping, Union


@dataclass(frozen=True)
class Figure:
    """A picture as SVG, on paper of its own, light or dark as the viewer is."""

    name: str
    svg: str = field(repr=False)

    def save(self, file: Union[str, os.PathLike[str]]) -> Path:
        target = Path(file)
        target.write_text(self.svg, encoding="utf-8")
        return target

    def as_image(self) -> str:
        """For a page of another style: as an image neither takes the other's rules."""
        data = base64.b64encode(self.svg.encode("utf-8")).decode("ascii")
        return f'<img alt="{html.escape(self.name)}" style="max-width:100%;margin:.3em .3em 0 0" src="data:image/svg+xml;base64,{data}">'

    def _repr_html_(self) -> str:
        return self.as_image()


def named_figures(pictures: Mapping[str, str]) -> dict[str, Figure]:
    """Of files, without their ending."""
    return {name.removesuffix(".svg"): Figure(name.removesuffix(".svg"), svg) for name, svg in pictures.items()}


def find_figure(figures: Mapping[str, Figure], name: str) -> Figure:
    if name in figures:
        return figures[name]
    for known, one in figures.items():
        if name in known:
            return one
    raise KeyError(f"{name!r}: known are {', '.join(map(repr, figures)) or 'none'}")
