"""Reports of results with hostile names: JUnit parses as XML, the page holds only its own elements, and both give
every text back as it was."""

import html.parser
import json
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

PROGRAM = sys.argv.pop()

HOSTILE = [
    "plain",
    "<script>alert(1)</script>",
    "a & b &amp; c &lt;",
    "\"double\" and 'single'",
    "]]> <!-- --> <![CDATA[",
    "</td></table><img src=x onerror=alert(1)>",
    "{0} {} %s %n",
    "umlauts äöü, 数学, \U0001f600",
    "javascript:alert(1)",
    "</style><style>*{display:none}",
    "x" * 5000,
]
# XML 1.0 has no place for these at all; they may be replaced but must not break the file.
UNPRINTABLE = ["bell \a", "escape \x1b[31m", "nul \0", "not characters \ufffe \uffff", "delete \x7f \x85"]


def results(text):
    hypothesis = {"name": text, "verdict": "fails", "grade": "proved", "message": text, "certificate": text}
    numbers = {text: text, "list": [1, text, 0.5], "runs": [{"selection": [text], "regime": text, "trace": {"norm": [1, 2], "direction_error": [1, 0.5]}}]}
    claim = {
        "claim": text, "selection": [0, 1], "verdict": "fails", "grade": "observed", "expect": "holds",
        "expect_grade": "proved", "passed": False, "message": text, "numbers": numbers,
        "certificate": text, "seconds": 0.25, "hypotheses": [hypothesis], "conclusion": text,
    }
    passed = dict(claim, verdict="holds", grade="proved", passed=True, selection=None, certificate=None, numbers={})
    audit = {"shape": {"n": text}, "sanity": [{"level": "warning", "message": text}], "selections": [{"selection": [0], "why": text}],
             "advice": [{"theorem": text, "message": text}], "skipped": [{"claim": text, "selection": None, "reason": text}]}
    data = {"n": 1, "T": [2], "d": 2, "loss": text, "labels": [text], "scores": [[1, 2]]}
    return {
        "attest": {"version": text, "casadi": text, "ipopt": text, "seed": 7},
        "summary": {"passed": 1, "failed": 1},
        "cases": [{"name": text, "file": text, "about": text, "source": text, "data": data, "audit": audit, "claims": [claim, passed]}],
    }


def printed(form, text):
    run = subprocess.run([PROGRAM, form], input=json.dumps(results(text)).encode(), capture_output=True, check=True)
    return run.stdout.decode()


class Page(html.parser.HTMLParser):
    """The elements, the attributes and the texts of a page."""

    void = {"meta", "link", "br", "img", "input"}

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.texts, self.unbalanced = [], set(), set(), [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("style", "script"):
            self.texts.append(data)


class Markup(unittest.TestCase):
    def test_junit_parses_and_gives_every_text_back(self):
        for text in HOSTILE:
            with self.subTest(text=text[:40]):
                root = xml.etree.ElementTree.fromstring(printed("junit", text))
                self.assertEqual(root.tag, "testsuites")
                self.assertEqual((root.get("tests"), root.get("failures")), ("2", "1"))
                (suite,) = root
                self.assertEqual((suite.get("name"), suite.get("file")), (text, text))
                self.assertEqual((suite.get("tests"), suite.get("failures")), ("2", "1"))
                failed, passed = suite
                self.assertEqual(failed.get("classname"), text)
                self.assertIn(text, failed.get("name"))
                self.assertEqual(failed.find("failure").text, text)
                self.assertEqual(list(passed), [])
                self.assertGreaterEqual(float(failed.get("time")), 0)

    def test_junit_parses_whatever_the_characters(self):
        for text in UNPRINTABLE:
            with self.subTest(text=ascii(text)):
                xml.etree.ElementTree.fromstring(printed("junit", text))

    def test_the_page_holds_only_its_own_elements(self):
        expected = Page(printed("html", "plain"))
        for text in HOSTILE + UNPRINTABLE:
            with self.subTest(text=ascii(text)[:40]):
                page = Page(printed("html", text))
                self.assertEqual(page.tags, expected.tags)
                self.assertEqual(page.attributes, expected.attributes)
                self.assertEqual((page.open, page.unbalanced), ([], []))

    def test_the_page_gives_every_text_back(self):
        for text in HOSTILE:
            with self.subTest(text=text[:40]):
                texts = Page(printed("html", text)).texts
                self.assertGreaterEqual(sum(text in shown for shown in texts), 24)

    def test_the_page_needs_nothing_from_elsewhere(self):
        page = printed("html", "plain")
        for needle in ("http:", "https:", "//", "src=", "@import", "url(", "fetch(", "import("):
            self.assertNotIn(needle, re.sub(r"(?m)^\s*// .*$", "", page))

    def test_markup_that_was_not_escaped_would_be_seen(self):
        raw = printed("html", "plain").replace("plain", "<b>plain</b>")
        self.assertIn("b", Page(raw).tags)
        with self.assertRaises(xml.etree.ElementTree.ParseError):
            xml.etree.ElementTree.fromstring(printed("junit", "plain").replace("plain", "a & b"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
