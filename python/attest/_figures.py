"""Pictures, one by one."""

from __future__ import annotations

import html
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Union


@dataclass(frozen=True)
class Figure:
    """A picture as SVG."""

    name: str
    svg: str = field(repr=False)

    def save(self, file: Union[str, os.PathLike[str]]) -> Path:
        target = Path(file)
        target.write_text(self.svg, encoding="utf-8")
        return target

    def _repr_svg_(self) -> str:
        return self.svg


def _standalone(svg: str, style: str) -> str:
    """On white paper, with the styles of its page, which a notebook does not have."""
    _, _, width, height = map(float, re.search(r'viewBox="([^"]*)"', svg)[1].split())  # type: ignore[index]
    opening = svg.index(">") + 1
    head = svg[:opening].replace("<svg", f'<svg xmlns="http://www.w3.org/2000/svg" width="{1.5 * width:g}" height="{1.5 * height:g}"')
    paper = f'<rect width="{width:g}" height="{height:g}" style="fill:#ffffff"/>'
    return f"{head}<style><![CDATA[{style}]]></style>{paper}{svg[opening:]}"


def figures_of_page(page: str) -> dict[str, Figure]:
    """All pictures of a page, by their titles. The page's dark theme is left out: the paper is white."""
    style = re.search(r"<style>(.*?)</style>", page, flags=re.S)[1]  # type: ignore[index]
    style = re.sub(r"@media screen.*?\n\}\n", "", style, flags=re.S)
    found: dict[str, Figure] = {}
    for figure in re.findall(r'<figure class="plot"[^>]*>(.*?)</figure>', page, flags=re.S):
        title = re.search(r'<span class="title">(.*?)</span>', figure, flags=re.S)
        svg = re.search(r"<svg.*?</svg>", figure, flags=re.S)
        if title and svg:
            name = html.unescape(re.sub(r"<[^>]*>", "", title[1]))
            found.setdefault(name, Figure(name, _standalone(svg[0], style)))
    return found
