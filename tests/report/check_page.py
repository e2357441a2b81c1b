#!/usr/bin/env python3
"""check_page.py ATTEST SOURCE_DIR FOLDER RESULTS: the page of results in a headless Chromium. RESULTS are those of all cases.

Real results, and made-up ones for numbers that few claims have, are rendered and looked at: no complaint of the browser, no
request, marks in every plot, no sideways scrolling, themes, filter, keyboard. Each check has a page that is broken on purpose.
Screenshots stay in FOLDER. Without a Chromium the test is skipped (exit code 77).
"""

import json
import pathlib
import subprocess
import sys
import unittest

from browser import Browser, WithBrowser, need_browser

CHECKS = (pathlib.Path(__file__).parent / "page_checks.js").read_text(encoding="utf-8")
ATTEST, SOURCE, FOLDER = "", pathlib.Path(), pathlib.Path()


def made_up_claim(k, **more):
    return {"claim": "made-up", "selection": [k % 3], "verdict": "holds", "grade": "observed", "expect": "holds", "expect_grade": "observed",
            "passed": True, "message": f"claim number {k}", "numbers": {}, "certificate": None, "seconds": 0.01, **more}


def made_up_case():
    """What real results of a few cases do not have: spectra, correlations, rows of traces, an audit, a failure, many claims."""
    rows = [{"norm": 2.0**k, "direction_error": 0.5**k, "iteration": k} for k in range(12)]
    numbers = {"singular_values": [3.0, 1.0, 1e-3, 1e-17, 0], "trace": rows, "rate": -1.0, "correlation": {"q": [1.5, 2, 3], "rows": [[1, 0.9, 0.8], [0.9, 1, 0.95], [0.8, 0.95, 1]]},
               "points": [{"radius": 4.0**k, "direction_error": 0.25**k, "log_excess": -(4.0**k)} for k in range(8)], "exact": "12345678901234567890/" * 40}
    claims = [made_up_claim(0, numbers=numbers, claim="w-svm"), made_up_claim(1, verdict="fails", passed=False, message="this one is not as expected")]
    claims += [made_up_claim(k) for k in range(2, 180)]
    audit = {"shape": {"n": 3, "T": [3, 3, 4], "d": 5}, "sanity": [{"level": "warning", "message": "two tokens of sample 0 are equal"}],
             "advice": [{"theorem": "gd-global", "message": "its non-optimal scores differ"}], "selections": [{"selection": [0, 1, 2], "why": "the largest scores"}]}
    return {"name": "made-up-" + "long-name-" * 8, "file": "made/up.json", "about": "Numbers that few claims have.", "audit": audit, "claims": claims}


def make_page():
    cases = [SOURCE / "cases" / name for name in ("one-input/distinct.json", "joint/relaxed.json")]
    subprocess.run([ATTEST, "verify", *cases, "--json", FOLDER / "results.json", "--certificates", FOLDER / "proofs", "--quiet"], check=True)
    results = json.loads((FOLDER / "results.json").read_text(encoding="utf-8"))
    results["cases"].append(made_up_case())
    claims = [claim for case in results["cases"] for claim in case["claims"]]
    results["summary"] = {"passed": sum(claim["passed"] for claim in claims), "failed": sum(not claim["passed"] for claim in claims)}
    (FOLDER / "results.json").write_text(json.dumps(results), encoding="utf-8")
    subprocess.run([ATTEST, "report", FOLDER / "results.json", "--html", FOLDER / "page.html"], check=True)
    return FOLDER / "page.html", claims


def audit_page():
    """The audit of data with two locally optimal tokens, one theorem that says nothing, and one change that would help."""
    target = FOLDER / "audit.html"
    case = {"name": "audited", "labels": [1], "v": [0, 0, 1], "W": [[1, 0, 0], [0, 1, 0], [0, 0, 0]], "loss": {"expression": "1/(1+u^2)"},
            "tokens": [[["-0.1", 1, 1], [1, 0, "0.9"], [0, 0, 0]]]}
    (FOLDER / "audited.json").write_text(json.dumps(case), encoding="utf-8")
    subprocess.run([ATTEST, "audit", FOLDER / "audited.json", "--budget", "600", "--json", FOLDER / "audit.json", "--html", target, "--quiet"], check=True)
    return target, json.loads((FOLDER / "audit.json").read_text(encoding="utf-8"))["cases"][0]


def defects_of(page, *checks):
    page.run(CHECKS + "; void 0")
    return page.complaints() + [defect for check in checks for defect in page.run(f"checks.{check}()")]


class ThePage(WithBrowser):
    claims = []

    def broken(self, *changes):
        """The page with some things changed."""
        text = self.file.read_text(encoding="utf-8")
        for old, new in changes:
            self.assertGreaterEqual(text.count(old), 1, old)
            text = text.replace(old, new, 1)
        file = FOLDER / "broken.html"
        file.write_text(text, encoding="utf-8")
        return self.page(file)

    def test_nothing_is_wrong_with_it(self):
        page = self.page()
        page.screenshot(FOLDER / "light.png")
        page.run(CHECKS + "; checks.openAll()")
        self.assertEqual(defects_of(page, "plots", "structure", "contrast", "ticks"), [])
        kinds = page.run("[...new Set([...document.querySelectorAll('figcaption')].map(one => one.textContent.split(/[ ,:]/)[0]))]")
        self.assertLessEqual({"Direction", "Loss", "Where", "Assumption", "Singular", "Correlation", "Attention"}, set(kinds))

    def test_it_is_never_wider_than_the_screen(self):
        for width in (375, 1280):
            page = self.page(width=width, height=800)
            page.screenshot(FOLDER / f"width-{width}.png")
            self.assertEqual(defects_of(page, "overflow"), [])
            page.run("checks.openAll()")
            self.assertEqual(defects_of(page, "overflow"), [])

    def test_no_table_of_theorems_is_cut_off_on_a_usual_screen(self):
        cut = """document.querySelectorAll('details').forEach(one => { one.open = true; });
            [...document.querySelectorAll('table.matrix')].filter(one => one.getBoundingClientRect().right > document.documentElement.clientWidth).length"""
        self.assertEqual(self.page(width=1280, height=800).run(cut), 0)
        wide = self.broken(("<table class=\"matrix\">", "<table class=\"matrix\" style=\"min-width:3000px\">"))
        self.assertGreaterEqual(wide.run(cut), 1)

    def test_a_broken_page_is_seen_to_be_broken(self):
        additions = [
            ("<script>console.error('no')</script>", "console: "),
            ("<script>nosuch()</script>", "exception: "),
            ("<img src='nosuch.png' alt='no'>", "request: "),
            ("<div style='width:3000px'>wide</div>", "px wider than"),
            ("<p id='main'>twice</p>", "an id occurs twice"),
            ("<a href='#nosuch'>nowhere</a>", "a link to #nosuch"),
            ("<p style='color:#999;background:#fff'>pale</p>", "has contrast 2.85"),
            ("<input id='unnamed'>", "a control without a label: unnamed"),
            ("<button tabindex='-1'>far</button>", "BUTTON far cannot be reached"),
            ("<h5>too deep</h5><h1>again</h1>", "not one h1"),
            ("<figure class='plot'><figcaption>Bare</figcaption><svg viewBox='0 0 9 9'><circle r='1'/></svg></figure>", "Bare: 1 marks"),
            ("<style>#low { height: 3px }</style><figure class='plot'><figcaption>Low</figcaption><svg viewBox='0 0 9 9'><rect id='low' width='1' height='9'/></svg></figure>", "Low: a bar is not as high"),
            ("<figure class='plot'><figcaption>Out</figcaption><svg viewBox='0 0 9 9'><rect x='99' width='1' height='1'/><rect/></svg></figure>", "Out: a mark outside"),
        ]
        page = self.broken(("</main>", "".join(markup for markup, _ in additions) + "</main>"))
        found = defects_of(page, "plots", "structure", "contrast", "overflow")
        for markup, says in additions:
            self.assertTrue(any(says in defect for defect in found), (markup, found))

    def test_a_page_whose_script_fails_is_seen_to_be_broken(self):
        self.assertTrue(any("exception" in defect for defect in defects_of(self.broken(('id="theme"', 'id="other"')), "structure")))

    def test_the_theme_can_be_switched_and_stays(self):
        page = self.page()
        colour = "getComputedStyle(document.body).backgroundColor"
        light = page.run(colour)
        page.run("document.getElementById('theme').click()")
        dark = page.run(colour)
        self.assertNotEqual(light, dark)
        self.assertEqual(page.run("document.getElementById('theme').textContent"), "Light theme")
        self.assertEqual(defects_of(page, "contrast"), [])
        page.screenshot(FOLDER / "dark.png")
        page.reload()
        self.assertEqual(page.run(colour), dark)
        page.run("document.getElementById('theme').click()")
        self.assertEqual(page.run(colour), light)

    def test_it_follows_the_theme_of_the_system(self):
        self.assertNotEqual(self.page(dark=True).run("getComputedStyle(document.body).backgroundColor"),
                            self.page().run("getComputedStyle(document.body).backgroundColor"))

    def shown(self, page):
        return page.run("[...document.querySelectorAll('details.card')].filter(card => card.checkVisibility()).length")

    def test_the_filter_shows_exactly_what_fits(self):
        page = self.page()
        self.assertEqual(self.shown(page), len(self.claims))
        page.press("/")
        self.assertEqual(page.run("document.activeElement.id"), "search")
        page.type("gd-local one-input")
        self.assertEqual(self.shown(page), sum(claim["claim"] == "gd-local" for claim in self.claims))
        self.assertIn(f" of {len(self.claims)} claims", page.run("document.getElementById('shown').textContent"))
        page.run("search.value = ''; verdict.value = 'fails'; verdict.dispatchEvent(new Event('input', {bubbles: true}))")
        self.assertEqual(self.shown(page), sum(claim["verdict"] == "fails" for claim in self.claims))
        page.run("verdict.value = ''; grade.value = 'proved'; grade.dispatchEvent(new Event('input', {bubbles: true}))")
        self.assertEqual(self.shown(page), sum(claim["grade"] == "proved" for claim in self.claims))
        page.run("grade.value = ''; document.getElementById('failed').click()")
        self.assertEqual(self.shown(page), 1)
        page.run("search.value = 'nosuch'; search.dispatchEvent(new Event('input', {bubbles: true}))")
        self.assertEqual(self.shown(page), 0)
        self.assertTrue(page.run("document.getElementById('nothing').checkVisibility()"))

    def test_only_what_is_not_as_expected_is_open_at_first(self):
        self.assertEqual(self.page().run("[...document.querySelectorAll('details.card[open]')].map(card => card.className)"), ["card not-passed"])

    def test_the_keyboard_reaches_and_opens_everything(self):
        page = self.page()
        reached = []
        for _ in range(90):
            page.press("Tab")
            reached.append(page.run("(one => one.id || one.className || one.hash || one.tagName)(document.activeElement)"))
            if page.run("document.activeElement.matches('details.card > summary')"):
                break
        self.assertEqual(reached[:2], ["skip", "theme"])
        for control in ("search", "verdict", "grade", "failed", "open-all", "close-all"):
            self.assertIn(control, reached)
        closed = "document.activeElement.parentElement.open"
        self.assertIs(page.run(closed), False)
        page.press("Enter", "\r")
        self.assertIs(page.run(closed), True)

    def test_a_link_to_a_claim_opens_it(self):
        page = self.page()
        page.run("""new Promise(done => {
          addEventListener('hashchange', () => setTimeout(done));
          document.querySelector('#theorems a[href^="#claim"]').click();
        })""")
        self.assertTrue(page.run("document.querySelector(location.hash).open"))

    def test_it_works_without_scripts_but_for_filter_and_theme(self):
        page = self.page(scripts=False)
        self.assertEqual(page.run("['form.filter', '#theme'].map(one => getComputedStyle(document.querySelector(one)).display)"), ["none", "none"])
        self.assertEqual(self.shown(page), len(self.claims))

    def test_it_prints_without_what_only_a_screen_needs(self):
        page = self.page(width=794, height=1123, dark=True)
        page.print_to(FOLDER / "page.pdf")
        self.assertTrue((FOLDER / "page.pdf").read_bytes().startswith(b"%PDF"))
        page.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertEqual(page.run("['.top', '.contents', '.filter'].map(one => getComputedStyle(document.querySelector(one)).display)"), ["none"] * 3)
        self.assertEqual(page.run("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")  # also from a dark screen
        self.assertEqual(defects_of(page, "contrast"), [])
        page.screenshot(FOLDER / "print.png")

    def test_a_link_to_a_proof_leads_to_a_file(self):
        page = self.page()
        links = page.run("[...document.querySelectorAll('.body a[href^=\"./\"]')].map(link => decodeURIComponent(link.pathname))")
        self.assertGreater(len(links), 10)
        for link in links:
            self.assertTrue(pathlib.Path(link).is_file(), link)


class AnAudit(WithBrowser):
    case = {}

    def test_it_says_first_where_training_goes_then_the_theory_then_what_to_change(self):
        page = self.page()
        page.screenshot(FOLDER / "audit-light.png")
        self.assertEqual(page.run("document.querySelector('h1').textContent"), "Where training goes")
        self.assertEqual(page.run("document.querySelector('.lead').textContent"), self.case["audit"]["headline"] + ".")
        order = page.run("[...document.querySelectorAll('main > section')].map(one => one.id)")
        self.assertEqual(order, ["answer", "theorems", "change", "summary", "claims"])
        self.assertEqual(page.run("[...document.querySelectorAll('.names th')].map(one => one.textContent)"), list(self.case["audit"]["names"]))
        page.run(CHECKS + "; checks.openAll()")
        self.assertEqual(defects_of(page, "plots", "structure", "contrast", "ticks"), [])

    def test_nothing_of_it_is_wider_than_a_telephone_and_verdicts_are_in_sight(self):
        for width, dark in ((375, False), (375, True), (1280, True)):
            page = self.page(width=width, height=900, dark=dark)
            page.screenshot(FOLDER / f"audit-{width}{'-dark' if dark else ''}.png")
            self.assertEqual(defects_of(page, "overflow", "contrast"), [])
            hidden = "[...document.querySelectorAll('.cell, .card .badge')].filter(one => { const box = one.getBoundingClientRect(); return box.left < 0 || box.right > innerWidth; }).length"
            self.assertEqual(page.run(hidden), 0)
            page.run("checks.openAll()")
            self.assertEqual(defects_of(page, "overflow"), [])

    def test_no_word_of_the_matrix_is_broken_on_a_telephone(self):
        broken = "[...document.querySelectorAll('.by-selection .of-grade')].filter(one => one.getBoundingClientRect().height > 30 || one.getClientRects().length > 1).length"
        self.assertEqual(self.page(width=375, height=900).run(broken), 0)
        page = self.page(width=375, height=900)
        page.run("document.querySelectorAll('.by-selection td').forEach(one => { one.style.width = '1rem'; one.style.overflowWrap = 'anywhere'; })")
        self.assertGreater(page.run(broken), 0)  # as a narrow column would have it

    def test_a_cell_of_the_matrix_shows_its_verdict_and_leads_to_its_card(self):
        page = self.page()
        theorems = [claim for claim in self.case["claims"] if claim.get("hypotheses")]
        self.assertEqual(page.run("document.querySelectorAll('.by-selection .cell').length"), len(theorems))
        for verdict in ("holds", "undecided", "inapplicable", "fails"):
            self.assertEqual(page.run(f"document.querySelectorAll('.by-selection .cell.{verdict}').length"),
                             sum(claim["verdict"] == verdict for claim in theorems), verdict)
        self.assertEqual(page.run("document.querySelectorAll('.by-selection .mark').length"), sum(len(claim["hypotheses"]) for claim in theorems))
        page.run("""new Promise(done => {
          addEventListener('hashchange', () => setTimeout(done, 50));
          document.querySelector('.by-selection .cell').click();
        })""")
        self.assertTrue(page.run("document.querySelector(location.hash).open"))


class AllCases(WithBrowser):
    def test_a_page_of_all_cases_is_below_2_mb(self):
        self.assertGreater(self.file.read_text(encoding="utf-8").count('class="card '), 300)
        self.assertLess(self.file.stat().st_size, 2_000_000)

    def test_plots_are_made_when_a_card_is_opened_packed_or_not(self):
        page = self.page()
        self.assertEqual(page.run("document.querySelectorAll('.card:not([open]) svg').length"), 0)
        for kind, which in (("packed", "[...document.querySelectorAll('.body[data-packed]')].at(-1).closest('details')"),
                            ("carried", "document.querySelector('.card template').closest('details')")):
            page.run(f"globalThis.card = {which}; card.open = true; void 0")
            page.run("new Promise(done => { const look = () => card.dataset.filled === undefined ? setTimeout(look, 20) : done(); look(); })")
            self.assertEqual(page.run("card.querySelectorAll('template, [data-packed]').length"), 0, kind)
            self.assertGreater(page.run("card.querySelector('.body').textContent.length"), 100, kind)
        self.assertGreater(page.run("card.querySelectorAll('svg').length"), 0)
        page.run(CHECKS + "; checks.openAll()")
        self.assertEqual(defects_of(page, "plots", "overflow", "ticks"), [])


def main():
    global ATTEST, SOURCE, FOLDER
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    program = need_browser()
    ATTEST, SOURCE, FOLDER = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    FOLDER.mkdir(parents=True, exist_ok=True)
    ThePage.file, ThePage.claims = make_page()
    AnAudit.file, AnAudit.case = audit_page()
    AllCases.file = FOLDER / "all.html"
    subprocess.run([ATTEST, "report", sys.argv[4], "--html", AllCases.file], check=True)
    with Browser(program) as browser:
        WithBrowser.browser = browser
        unittest.main(argv=[sys.argv[0], *sys.argv[5:]], verbosity=2)


if __name__ == "__main__":
    main()
