"""The plots of a page, one by one."""

from __future__ import annotations

import html
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Union


@dataclass(frozen=True)
class Figure:
    """A plot as SVG, on white paper."""

    name: str
    svg: str = field(repr=False)

    def save(self, file: Union[str, os.PathLike[str]]) -> Path:
        target = Path(file)
        target.write_text(self.svg, encoding="utf-8")
        return target

    def _repr_svg_(self) -> str:
        return self.svg


def _standalone(svg: str, style: str) -> str:
    """With the styles of its page, which a notebook does not have."""
    _, _, width, height = map(float, re.search(r'viewBox="([^"]*)"', svg)[1].split())  # type: ignore[index]
    opening = svg.index(">") + 1
    head = svg[:opening].replace("<svg", f'<svg xmlns="http://www.w3.org/2000/svg" width="{1.5 * width:g}" height="{1.5 * height:g}"')
    paper = f'<rect width="{width:g}" height="{height:g}" style="fill:#ffffff"/>'
    return f"{head}<style><![CDATA[{style}]]></style>{paper}{svg[opening:]}"


def _plots(card: str) -> list[tuple[str, str]]:
    """(caption, svg) of each plot."""
    found = []
    for figure in re.findall(r'<figure class="plot">(.*?)</figure>', card, flags=re.S):
        caption = re.search(r"<figcaption>(.*?)</figcaption>", figure, flags=re.S)
        svg = re.search(r"<svg.*?</svg>", figure, flags=re.S)
        if caption and svg:
            found.append((html.unescape(re.sub(r"<[^>]*>", "", caption[1])), svg[0]))
    return found


def _style(page: str) -> str:
    """The page's, but for its dark theme: the paper is white."""
    style = re.search(r"<style>(.*?)</style>", page, flags=re.S)[1]  # type: ignore[index]
    return re.sub(r"@media screen.*?\n\}\n", "", style, flags=re.S)


def figures_of_page(page: str) -> dict[str, Figure]:
    """All plots, by their captions."""
    style = _style(page)
    return {caption: Figure(caption, _standalone(svg, style)) for caption, svg in _plots(page)}


def figures_of(page: str, titles: list[str]) -> dict[str, Figure]:
    """`titles` are those of the page's cards, in order."""
    style = _style(page)
    figures: dict[str, Figure] = {}
    for title, card in zip(titles, page.split('<details class="card ')[1:], strict=True):
        for caption, svg in _plots(card):
            name = f"{title}: {caption}"
            figures.setdefault(name, Figure(name, _standalone(svg, style)))
    return figures
