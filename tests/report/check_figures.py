#!/usr/bin/env python3
"""check_figures.py ATTEST SOURCE_DIR FOLDER: the pictures that lead a page, in a headless Chromium, and as files.

Every kind of picture is there with marks, a title and a sentence; says its values to who points at a mark and to who goes through the marks
by keyboard; fits 375 and 1280 px; can be read in both themes and on paper; and is an SVG file of its own with --figures. Each check has
a figure that is broken on purpose. Screenshots stay in FOLDER. Without a Chromium the test is skipped (exit code 77).
"""

import json
import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

from browser import Browser, WithBrowser, need_browser

ATTEST, SOURCE, FOLDER = "", pathlib.Path(), pathlib.Path()
KINDS = {"shares", "basins", "loss-in-the-plane", "margins-and-scores", "token-geometry", "descent", "attention-sample-0"}
AUDIT = {"headline": "from 0: α*, proved", "destinations": [
    {"selection": [0], "name": "α*", "start": "0", "share": 1, "grade": "proved"},
    {"selection": [0], "name": "α*", "start": 1, "share": 0.8, "grade": "proved"},
    {"selection": [1], "name": "α1", "start": 1, "share": 0.2, "grade": "observed"},
    {"selection": [0], "name": "α*", "start": 10, "share": 0.55, "grade": "observed"},
    {"selection": [1], "name": "α1", "start": 10, "share": 0.45, "grade": "observed"}]}

# Defects of the leading figures, in words.
DEFECTS = """(() => {
  const defects = [];
  for (const figure of document.querySelectorAll(".leading figure.plot")) {
    const name = figure.dataset.name || "a figure without a name", svg = figure.querySelector("svg"), box = svg.viewBox.baseVal;
    const say = (what) => defects.push(`${name}: ${what}`);
    const marks = [...svg.querySelectorAll("circle:not(.grid), rect, path.direction")].map((mark) => mark.closest("g.open-cell") || mark);
    if (marks.length < 2) say("fewer than two marks");
    if (marks.some((mark) => !mark.querySelector("title")?.textContent)) say("a mark without a value");
    if (marks.some((mark) => { const at = mark.getBBox(); return at.x < -1 || at.y < -1 || at.x + at.width > box.width + 1 || at.y + at.height > box.height + 1; }))
      say("a mark outside the drawing");
    const texts = [...svg.querySelectorAll("text")];
    if (!texts.some((text) => text.matches(".label"))) say("an axis without a label");
    for (const text of texts) {
      const at = text.getBoundingClientRect(), all = svg.getBoundingClientRect();
      if (at.width > 0 && (at.left < all.left - 1 || at.right > all.right + 1)) say(`text outside the drawing: ${text.textContent}`);
    }
    if (!figure.querySelector(".title")?.textContent) say("no title");
    if (!/^[^.]+.*\\.$/.test(figure.querySelector(".sentence")?.textContent || "")) say("no sentence");
    if (!svg.getAttribute("aria-label")) say("no description");
    if (svg.getAttribute("tabindex") !== "0") say("out of reach of the keyboard");
    if (/NaN|nan|inf"|undefined/.test(svg.innerHTML)) say("draws what is no number");
    const style = getComputedStyle(svg.querySelector("text")), light = (colour) => {
      const [r, g, b] = colour.match(/[0-9.]+/g).map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [low, high] = [light(style.fill), light(getComputedStyle(figure).backgroundColor)].sort((a, b) => a - b);
    if ((high + 0.05) / (low + 0.05) < 4.5) say("its text is pale");
  }
  if (document.documentElement.scrollWidth > innerWidth) defects.push("the page is wider than the screen");
  return defects;
})()"""
# Where a mark is on the screen, in the middle of it.
PLACE = """(() => { const mark = document.querySelector(%s); mark.scrollIntoView({block: "center", behavior: "instant"}); const at = mark.getBoundingClientRect();
  return [at.left + at.width / 2, at.top + at.height / 2, mark.querySelector("title").textContent]; })()"""
TIP = "(() => { const tip = document.querySelector('.tip'); return tip.hidden ? null : tip.textContent; })()"


def make_page():
    claims = "descent,basins,locally-optimal,p-svm"
    case = SOURCE / "cases" / "one-input" / "distinct.json"
    subprocess.run([ATTEST, "verify", case, "--only", claims, "--json", FOLDER / "results.json", "--quiet"], check=True)
    results = json.loads((FOLDER / "results.json").read_text(encoding="utf-8"))
    results["cases"][0]["audit"] = AUDIT
    (FOLDER / "results.json").write_text(json.dumps(results), encoding="utf-8")
    subprocess.run([ATTEST, "report", FOLDER / "results.json", "--html", FOLDER / "page.html", "--figures", FOLDER / "figures"], check=True)
    return FOLDER / "page.html"


class Figures(WithBrowser):
    def broken(self, old, new):
        text = self.file.read_text(encoding="utf-8")
        self.assertIn(old, text)
        (FOLDER / "broken.html").write_text(text.replace(old, new, 1), encoding="utf-8")
        return self.page(FOLDER / "broken.html")

    def test_every_picture_is_whole_at_both_widths_and_in_both_themes(self):
        for width in (375, 1280):
            for dark in (False, True):
                page = self.page(width=width, height=900, dark=dark)
                kinds = set(page.run("[...document.querySelectorAll('.leading figure.plot')].map(one => one.dataset.name)"))
                self.assertLessEqual(KINDS, kinds)
                self.assertEqual(page.complaints() + page.run(DEFECTS), [])
                page.run("document.querySelector('.leading').scrollIntoView()")
                page.screenshot(FOLDER / f"figures-{width}-{'dark' if dark else 'light'}.png", whole=True)

    def test_they_stand_before_the_claims_and_those_of_a_case_without_an_answer_with_it(self):
        first = "document.querySelector('.leading').compareDocumentPosition(document.querySelector('#claims')) & Node.DOCUMENT_POSITION_FOLLOWING"
        self.assertTrue(self.page().run(first))
        results = json.loads((FOLDER / "results.json").read_text(encoding="utf-8"))
        del results["cases"][0]["audit"]
        (FOLDER / "verified.json").write_text(json.dumps(results), encoding="utf-8")
        subprocess.run([ATTEST, "report", FOLDER / "verified.json", "--html", FOLDER / "verified.html"], check=True)
        page = self.page(FOLDER / "verified.html")
        self.assertFalse(page.run(first))
        self.assertTrue(page.run("document.querySelector('section.case .leading figure').checkVisibility()"))
        self.assertEqual(page.complaints() + page.run(DEFECTS), [])

    def test_what_is_broken_is_seen(self):
        leading = '<div class="leading">'
        for old, new, says in [
            ('<span class="sentence">', '<span class="other">', "no sentence"),
            ('<span class="title">', '<span class="other">', "no title"),
            ("</title></rect>", '</title></rect><rect width="1" height="1"/>', "a mark without a value"),
            (leading, leading + '<figure class="plot" data-name="far"><svg viewBox="0 0 9 9"><text>x</text><circle cx="99" r="1"/><circle r="1"/></svg></figure>', "far: a mark outside"),
            (leading, leading + '<figure class="plot" data-name="wide" style="width:3000px"><svg viewBox="0 0 9 9"><text>x</text></svg></figure>', "wider than the screen"),
            (leading, leading + '<figure class="plot" data-name="pale"><svg viewBox="0 0 9 9"><text style="fill:#ccc">x</text></svg></figure>', "pale: its text is pale"),
        ]:
            found = self.broken(old, new).run(DEFECTS)
            self.assertTrue(any(says in defect for defect in found), (says, found))

    def test_a_mark_says_its_value_to_who_points_at_it(self):
        page = self.page()
        for figure, mark in [("margins-and-scores", "g.s2 circle"), ("basins", ".start-cell"), ("loss-in-the-plane", "circle.ink:nth-last-of-type(2)"), ("shares", ".share"),
                             ("token-geometry", "g.s2 circle"), ("descent", "circle.start"), ("attention-sample-0", "path.chosen ~ circle[data-moment='3']")]:
            page.point_at(1, 1)
            x, y, value = page.run(PLACE % json.dumps(f".leading [data-name={figure}] {mark}"))
            page.point_at(x, y)
            said = page.run(TIP)
            self.assertTrue(said, figure)
            self.assertEqual(said[:4], value[:4], figure)  # another mark of its kind may lie on it
        page.screenshot(FOLDER / "hover.png")
        page.point_at(1, 1)
        self.assertIsNone(page.run(TIP))
        self.assertEqual(page.run("[...document.querySelectorAll('.leading svg title')].filter(title => !title.textContent).length"), 0)

    def test_the_marks_can_be_gone_through_by_keyboard(self):
        page = self.page()
        page.run("document.querySelector('.leading [data-name=margins-and-scores] svg').focus()")
        values = page.run("[...document.activeElement.querySelectorAll('title')].map(title => title.textContent)")
        said = []
        for key in ("ArrowRight", "ArrowRight", "End", "ArrowLeft", "Home"):
            page.press(key)
            said.append(page.run(TIP))
        self.assertEqual(said, [values[0], values[1], values[-1], values[-2], values[0]])
        page.press("Escape")
        self.assertIsNone(page.run(TIP))

    def test_the_tab_key_reaches_every_picture(self):
        page = self.page()
        page.run("document.querySelector('.leading figure.plot svg').focus()")
        reached = set()
        for _ in range(12):
            reached.add(page.run("document.activeElement.closest('figure.plot')?.dataset.name || ''"))
            page.press("Tab")
        self.assertLessEqual(KINDS, reached)

    def test_the_slider_moves_through_the_norms_by_keyboard(self):
        page = self.page()
        page.run("document.querySelector('.attention input').focus()")
        state = ("(() => { const part = document.querySelector('.attention'), svg = part.querySelector('svg'); return [part.querySelector('output').textContent, "
                 "svg.querySelectorAll('circle.now').length, getComputedStyle(svg.querySelector('.cursor')).visibility, svg.querySelector('.cursor').getAttribute('transform')]; })()")
        before = page.run(state)
        self.assertEqual(before[:3], ["‖p‖ = 0", 3, "visible"])
        page.press("ArrowRight")
        after = page.run(state)
        self.assertEqual(after[1], 3)
        self.assertNotEqual((before[0], before[3]), (after[0], after[3]))
        page.press("End")
        last = page.run(state)
        self.assertGreater(float(last[0].split("=")[1]), float(after[0].split("=")[1]))
        page.screenshot(FOLDER / "slider.png")

    def test_on_paper_the_pictures_stay_and_what_only_a_screen_needs_goes(self):
        page = self.page(width=794, height=1123, dark=True)
        page.run("document.querySelector('.attention input').focus()")
        page.press("End")
        page.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertEqual(page.run("['.slide', '.tip'].map(one => getComputedStyle(document.querySelector(one)).display)"), ["none", "none"])
        self.assertEqual(page.run("getComputedStyle(document.querySelector('.attention .cursor')).visibility"), "hidden")
        self.assertEqual(page.run(DEFECTS), [])
        self.assertEqual(page.run("getComputedStyle(document.querySelector('.leading figure')).backgroundColor"), "rgb(255, 255, 255)")
        page.screenshot(FOLDER / "figures-print.png", whole=True)

    def test_without_scripts_the_pictures_are_there_and_the_slider_is_not(self):
        page = self.page(scripts=False)
        self.assertEqual(page.run("getComputedStyle(document.querySelector('.slide')).display"), "none")
        self.assertGreaterEqual(page.run("[...document.querySelectorAll('.leading figure svg')].filter(one => one.checkVisibility()).length"), len(KINDS))

    def test_each_figure_is_a_file_of_its_own(self):
        files = sorted((FOLDER / "figures").glob("*"))
        kinds = {kind for kind in KINDS for file in files if file.stem.endswith("-" + kind)}
        self.assertEqual(kinds, KINDS)
        for file in files:
            self.assertRegex(file.name, re.compile(r"^[A-Za-z0-9_~-]+\.svg$"))
            root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
            for part in ("title", "desc", "style"):
                self.assertTrue(root.find("{http://www.w3.org/2000/svg}" + part).text, (file.name, part))
        page = self.page(next(file for file in files if file.stem.endswith("-loss-in-the-plane")), width=700, height=800)
        self.assertEqual(page.complaints(), [])
        page.screenshot(FOLDER / "file.png")


def main():
    global ATTEST, SOURCE, FOLDER
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program = need_browser()
    ATTEST, SOURCE, FOLDER = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in (FOLDER / "figures").glob("*"):
        old.unlink()
    Figures.file = make_page()
    with Browser(program) as browser:
        Figures.browser = browser
        unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)


if __name__ == "__main__":
    main()
