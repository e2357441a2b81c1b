"""Results in a notebook: one fragment with its own style, which takes its colours from the page around it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._results import Claim, Results

VERDICTS = {"holds": "✓", "fails": "✗", "undecided": "?", "inapplicable": "–"}

# Every rule is about .attest: nothing else of the notebook changes, and where a notebook strips styles the table can still be read.
# JupyterLab and VS Code say themselves whether they are dark; elsewhere the system does.
_LIGHT = "--holds:#116329;--fails:#a40e26;--undecided:#7d4e00;--inapplicable:#57606a;--proved:#0a4bb5"
_DARK = "--holds:#63d68a;--fails:#ff8e86;--undecided:#e6b450;--inapplicable:#a3adb8;--proved:#8ab8ff"
STYLE = f"""<style>
.attest{{{_LIGHT};font-size:.9em;line-height:1.4;overflow-x:auto}}
@media (prefers-color-scheme:dark){{.attest{{{_DARK}}}}}
[data-jp-theme-light="true"] .attest,.vscode-light .attest{{{_LIGHT}}}
[data-jp-theme-light="false"] .attest,.vscode-dark .attest,.vscode-high-contrast .attest{{{_DARK}}}
.attest table{{border-collapse:collapse;margin:.4em 0}}
.attest th,.attest td{{text-align:left!important;vertical-align:top;padding:.2em .7em .2em 0;border:0;border-bottom:1px solid #8883;background:none;color:inherit}}
.attest td:nth-child(2),.attest td:nth-child(3){{white-space:nowrap}}
.attest summary{{cursor:pointer}}
.attest .soft{{opacity:.75}}
.attest .holds{{color:var(--holds)}}.attest .fails{{color:var(--fails)}}.attest .undecided{{color:var(--undecided)}}
.attest .inapplicable{{color:var(--inapplicable)}}.attest .proved{{color:var(--proved)}}
</style>"""


def _hypotheses(claim: Claim) -> str:
    items = "".join(
        f'<li><span class="{escape(one.verdict)}">{VERDICTS.get(one.verdict, "")} {escape(one.verdict)}</span>, {escape(one.grade)}: '
        f"{escape(one.name)}{' — ' if one.message else ''}{escape(one.message)}</li>"
        for one in claim.hypotheses
    )
    return f"<details><summary>{len(claim.hypotheses)} hypotheses</summary><ul>{items}</ul></details>" if items else ""


def _row(claim: Claim) -> str:
    verdict = f'<span class="{escape(claim.verdict)}">{VERDICTS.get(claim.verdict, "")} {escape(claim.verdict)}</span>'
    grade = f'<span class="{escape(claim.grade)}">{escape(claim.grade)}</span>'
    missed = "" if claim.passed else ' <span class="fails">not as expected</span>'
    return (
        f"<tr><th>{escape(claim.title)}</th><td>{verdict}{missed}</td><td>{grade}</td>"
        f'<td><span class="soft">{escape(claim.message)}</span>{_hypotheses(claim)}</td></tr>'
    )


def _advice(results: Results) -> str:
    advice = (results.audit or {}).get("advice", [])
    items = "".join(f"<li>{escape(one['theorem'])}: {escape(one['message'])}</li>" for one in advice)
    return f"<details><summary>What to change where a theorem does not apply</summary><ul>{items}</ul></details>" if items else ""


def fragment(results: Results) -> str:
    parts = []
    for case in dict.fromkeys(one.case for one in results.claims):
        rows = "".join(_row(one) for one in results.claims if one.case == case)
        parts.append(f"<details open><summary><strong>{escape(case)}</strong></summary><table><tbody>{rows}</tbody></table></details>")
    return f'{STYLE}<div class="attest"><p><strong>{escape(results.headline)}</strong></p>{_advice(results)}{"".join(parts)}</div>'
