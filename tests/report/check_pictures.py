#!/usr/bin/env python3
"""check_pictures.py ATTEST FOLDER RESULTS: every kind of picture that cards have, in a headless Chromium. RESULTS are those of all cases.

Of each kind one is taken from the cards: it has marks, a title and a sentence; says its values to who points at a mark and to who goes through the
marks by keyboard; fits 375 and 1280 px; can be read in both themes and on paper. A track's page leads with the run. Screenshots stay in
FOLDER. Without a Chromium the test is skipped (exit code 77).
"""

import json
import pathlib
import subprocess
import sys
import unittest

from browser import Browser, need_browser
from check_figures import DEFECTS, PLACE, TIP

ATTEST, FOLDER = "", pathlib.Path()
CHECKS = (pathlib.Path(__file__).parent / "page_checks.js").read_text(encoding="utf-8")
KINDS = {"direction-error", "loss", "descent", "basins", "loss-in-the-plane", "margins-and-scores", "bracket", "spectrum", "tokens", "run-beside-the-path", "run-attention", "run-loss"}
# In cards, and where the data of a case are shown.
DEFECTS_OF_CARDS = DEFECTS.replace(".leading figure.plot", "section.case figure.plot:has(svg)").replace("rect, path.direction", "rect, path.direction, g.mark")


def report(results, name):
    (FOLDER / f"{name}.json").write_text(json.dumps(results), encoding="utf-8")
    subprocess.run([ATTEST, "report", FOLDER / f"{name}.json", "--html", FOLDER / f"{name}.html"], check=True)
    return FOLDER / f"{name}.html"


def with_claims(results, cases):
    claims = [claim for case in cases for claim in case["claims"]]
    return {**results, "cases": cases, "summary": {"passed": sum(claim["passed"] for claim in claims), "failed": sum(not claim["passed"] for claim in claims)}}


def one_of_each_kind(browser, results):
    """The results with only those claims that bring a kind of picture which none before brings."""
    page = browser.page(report(results, "all"))
    page.run(CHECKS + "; checks.openAll()")
    found = page.run("""(() => { const first = {}; for (const one of document.querySelectorAll("section.case figure.plot[data-name]")) {
      if (one.closest(".leading")) continue;
      const place = one.closest("details.card")?.id || one.closest("section.case").id; first[one.dataset.name] ??= place; } return first; })()""")
    page.close()
    places = set(found.values())
    cases = []
    for i, case in enumerate(results["cases"]):
        kept = [claim for k, claim in enumerate(case["claims"]) if f"claim-{i}-{k}" in places]
        if f"case-{i}" in places and not kept:
            kept = case["claims"][:1]
        if kept:
            cases.append({**case, "claims": kept})
    return with_claims(results, cases)


def a_track(results):
    for case in results["cases"]:
        for claim in case["claims"]:
            if claim["claim"] == "trajectory" and len(claim["numbers"].get("checkpoints", [])) > 2:
                return with_claims(results, [{**case, "claims": [claim], "track": {"run": claim["parameters"]["run"]["file"]}}])
    raise AssertionError("no case has a training run")


class Pictures(unittest.TestCase):
    browser, results, track = None, None, None

    def page(self, file, **options):
        page = self.browser.page(file, **options)
        self.addCleanup(page.close)
        page.run(CHECKS + "; checks.openAll()")
        return page

    def test_every_kind_is_whole_at_both_widths_and_in_both_themes(self):
        for width in (375, 1280):
            for dark in (False, True):
                page = self.page(FOLDER / "kinds.html", width=width, height=900, dark=dark)
                kinds = set(page.run("[...document.querySelectorAll('section.case figure.plot[data-name]')].map(one => one.dataset.name)"))
                self.assertLessEqual(KINDS, kinds)
                self.assertEqual(page.complaints() + page.run(DEFECTS_OF_CARDS), [], (width, dark))
                self.assertEqual(page.run("checks.overflow()"), [], (width, dark))
                page.screenshot(FOLDER / f"kinds-{width}-{'dark' if dark else 'light'}.png", whole=True)

    def test_every_kind_speaks_to_the_pointer_and_to_the_keyboard(self):
        page = self.page(FOLDER / "kinds.html")
        for kind in sorted(KINDS):
            mark = "circle:not(.grid):has(title), rect:has(title), g.mark"
            page.run("document.activeElement.blur()")
            page.point_at(1, 1)
            x, y, value = page.run(PLACE % json.dumps(f"section.case [data-name={kind}] svg :is({mark})"))
            page.point_at(x, y)
            self.assertTrue(page.run(TIP), kind)
            self.assertTrue(value, kind)
            page.point_at(1, 1)
            page.run(f"document.querySelector('section.case [data-name={kind}] svg').focus()")
            values = page.run("[...document.activeElement.querySelectorAll('title')].map(title => title.textContent)")
            page.press("Home")
            self.assertIn(page.run(TIP), values, kind)
            page.press("Escape")
            self.assertIsNone(page.run(TIP), kind)

    def test_on_paper_they_are_dark_on_white(self):
        page = self.page(FOLDER / "kinds.html", width=794, height=1123, dark=True)
        page.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertEqual(page.run(DEFECTS_OF_CARDS), [])
        page.screenshot(FOLDER / "kinds-print.png", whole=True)

    def test_what_is_broken_is_seen(self):
        text = (FOLDER / "kinds.html").read_text(encoding="utf-8")
        self.assertIn('<span class="sentence">', text)
        (FOLDER / "broken.html").write_text(text.replace('<span class="sentence">', '<span class="other">'), encoding="utf-8")
        self.assertTrue(any("no sentence" in defect for defect in self.page(FOLDER / "broken.html").run(DEFECTS_OF_CARDS)))

    def test_the_page_of_a_track_leads_with_the_run(self):
        for width in (375, 1280):
            page = self.page(FOLDER / "track.html", width=width, height=900)
            self.assertEqual(page.run("document.querySelector('h1').textContent"), "Where the run goes")
            (claim,) = self.track["cases"][0]["claims"]
            self.assertIn(claim["message"], page.run("document.querySelector('.lead').textContent"))
            self.assertEqual(page.run("[...document.querySelectorAll('.leading figure.plot')].map(one => one.dataset.name)")[:3],
                             ["run-beside-the-path", "run-attention", "run-loss"])
            self.assertEqual(page.complaints() + page.run(DEFECTS) + page.run("checks.overflow()"), [])
            page.screenshot(FOLDER / f"track-{width}.png")


def main():
    global ATTEST, FOLDER
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program = need_browser()
    ATTEST, FOLDER = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    FOLDER.mkdir(parents=True, exist_ok=True)
    results = json.loads(pathlib.Path(sys.argv[3]).read_text(encoding="utf-8"))
    with Browser(program) as browser:
        Pictures.browser = browser
        Pictures.results, Pictures.track = one_of_each_kind(browser, results), a_track(results)
        report(Pictures.results, "kinds")
        report(Pictures.track, "track")
        unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)


if __name__ == "__main__":
    main()
