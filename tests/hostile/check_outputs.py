#!/usr/bin/env python3
"""check_outputs.py ATTEST: whatever becomes of the machine, nothing that was finished is lost and nothing is half-written.

A full disk, a folder that cannot be written, a reader that goes, SIGTERM, many workers that are killed, names that are markup.
What needs a file system of its own is skipped where this user may not mount one.
"""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree
from html.parser import HTMLParser

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "cli"), str(TESTS / "report")]
from browser import Browser, find_browser  # noqa: E402
from support import SECONDS, run, small_case, write_case  # noqa: E402

ATTEST = ""
HOLDS = {"claim": "globally-optimal", "selection": [0], "grade": "proved"}
BOUNDED = {"claim": "assumption-a", "grade": "proved"}
ENDLESS = {"claim": "derivatives", "points": 10**9, "expect": "undecided"}
SCRIPT = "<script>window.ran=1</script><img src=x onerror=window.ran=2>\"'`&amp;]]>| [x](javascript:window.ran=3) #"
NAME = SCRIPT.replace("/", "\\")  # a name of a case has no slash


@contextlib.contextmanager
def mounted(folder, options):
    """A file system in memory; the test is skipped where this user may not mount one."""
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, check=False)
    if made.returncode != 0:
        raise unittest.SkipTest(f"no file system of its own: {made.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


def whole_json(folder):
    """Every file of the folder is a certificate or results, from its first byte to its last; how many there are."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    for file in files:
        if file.suffix != ".json":
            raise AssertionError(f"{file.name} is left over")
        json.loads(file.read_text(encoding="utf-8"))
    return len(files)


class Outputs(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def test_a_full_disk_leaves_no_half_of_a_result(self):
        case = write_case(self.folder, small_case("small", [HOLDS, BOUNDED]))
        with mounted(self.folder / "disk", "size=64k") as disk:
            (disk / "filler.json").write_text("1" + " " * (64 * 1024 - 4096 * 2))
            results, page = disk / "out.json", disk / "page.html"
            done = run(ATTEST, "verify", case, "--json", results, "--html", page)
            self.assertEqual(done.returncode, 3)
            self.assertIn("page.html: No space left on device", done.stderr)
            self.assertIn("2 passed, 0 failed", done.stdout)  # what was found is shown all the same
            self.assertFalse(page.exists())
            self.assertEqual(whole_json(disk), 1 + results.exists())

    def test_old_results_survive_a_full_disk(self):
        case = write_case(self.folder, small_case("small", [HOLDS, BOUNDED]))
        with mounted(self.folder / "disk", "size=64k") as disk:
            page = disk / "page.html"
            page.write_text("the old page")
            (disk / "filler").write_text("1" * (64 * 1024 - 4096 * 2))
            self.assertEqual(run(ATTEST, "verify", case, "--html", page).returncode, 3)
            self.assertEqual((page.read_text(), len(list(disk.iterdir()))), ("the old page", 2))

    def test_the_other_files_are_written_when_one_cannot_be(self):
        case = write_case(self.folder, small_case("small", [HOLDS, BOUNDED]))
        with mounted(self.folder / "disk", "size=64k") as disk:
            (disk / "filler").write_text("1" * (64 * 1024))
            done = run(ATTEST, "verify", case, "--json", disk / "out.json", "--junit", self.folder / "out.xml", "--html", self.folder / "page.html")
            self.assertEqual(done.returncode, 3)
            self.assertFalse((disk / "out.json").exists())
            xml.etree.ElementTree.parse(self.folder / "out.xml")
            self.assertTrue((self.folder / "page.html").read_text(encoding="utf-8").rstrip().endswith("</html>"))

    def test_a_certificate_that_cannot_be_written_is_no_proof(self):
        case = write_case(self.folder, small_case("small", [HOLDS, BOUNDED]))
        with mounted(self.folder / "disk", "size=64k") as disk:
            proofs = disk / "proofs"
            proofs.mkdir()
            (disk / "filler.json").write_text("1" + " " * (64 * 1024 - 4096))
            done = run(ATTEST, "verify", case, "--certificates", proofs, "--json", self.folder / "out.json")
            self.assertEqual(done.returncode, 1)
            for claim in json.loads((self.folder / "out.json").read_text(encoding="utf-8"))["cases"][0]["claims"]:
                self.assertEqual((claim["verdict"], claim["passed"]), ("undecided", False))
                self.assertIn("No space left on device", claim["message"])
            self.assertEqual(whole_json(disk), 1)

    def test_a_folder_that_cannot_be_written_is_refused_before_anything_runs(self):
        case = write_case(self.folder, small_case("small", [HOLDS]))
        with contextlib.ExitStack() as stack:
            if os.geteuid() == 0:  # whom modes do not hold back
                disk = stack.enter_context(mounted(self.folder / "disk", "ro,size=64k"))
            else:
                disk = self.folder / "disk"
                disk.mkdir(mode=0o555)
            for flag, target in (("--json", "out.json"), ("--html", "page.html"), ("--certificates", "proofs"), ("--figures", "figures")):
                with self.subTest(flag=flag):
                    done = run(ATTEST, "verify", case, flag, disk / target)
                    self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                    self.assertIn(str(disk), done.stderr)

    def test_results_are_kept_when_the_reader_of_the_table_goes(self):
        cases = [write_case(self.folder, small_case(f"c{k}", [HOLDS, BOUNDED])) for k in range(4)]
        for command in (["verify", *cases], ["audit", cases[0]]):
            with self.subTest(command=command[0]):
                results = self.folder / f"{command[0]}.json"
                ours, theirs = os.pipe()
                os.close(ours)
                done = subprocess.run([ATTEST, *command, "--json", results], stdout=theirs, stderr=subprocess.PIPE, timeout=SECONDS, check=False)
                os.close(theirs)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                written = json.loads(results.read_text(encoding="utf-8"))
                self.assertNotIn("interrupted", written)
                self.assertEqual(len(written["cases"]), 4 if command[0] == "verify" else 1)

    def test_without_files_a_run_ends_when_the_reader_goes(self):
        """The twin: nobody would see what it finds."""
        case = write_case(self.folder, small_case("small", [HOLDS]))
        ours, theirs = os.pipe()
        os.close(ours)
        done = subprocess.run([ATTEST, "verify", case], stdout=theirs, stderr=subprocess.PIPE, timeout=SECONDS, check=False)
        os.close(theirs)
        self.assertEqual(done.returncode, -signal.SIGPIPE)

    def test_a_run_that_is_terminated_keeps_what_is_finished(self):
        proofs, results = self.folder / "proofs", self.folder / "out.json"
        files = [write_case(self.folder, small_case("a", [HOLDS, BOUNDED])), write_case(self.folder, small_case("b", [BOUNDED, ENDLESS]))]
        process = subprocess.Popen([ATTEST, "verify", *files, "--jobs", "1", "--json", results, "--certificates", proofs],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        deadline = time.monotonic() + SECONDS
        while len(list(proofs.glob("*.json"))) < 3 and time.monotonic() < deadline:  # the endless claim is the next one
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=SECONDS)[1].decode()
        written = json.loads(results.read_text(encoding="utf-8"))
        finished = sum(len(case["claims"]) for case in written["cases"])
        self.assertIn(f"interrupted; the results of {finished} finished claim", said)
        self.assertEqual((process.returncode, written["interrupted"], written["summary"]), (1, True, {"passed": finished, "failed": 0}))
        self.assertGreaterEqual(finished, 2)
        self.assertEqual(whole_json(proofs), 3)

    def test_sixty_four_workers_and_a_killer(self):
        """Workers are killed while they work, whichever; every claim is there, and those that were not killed are proved."""
        files = [write_case(self.folder, small_case(f"c{k:02}", [HOLDS, BOUNDED, {"claim": "census"}])) for k in range(64)]
        process = subprocess.Popen([ATTEST, "verify", *files, "--jobs", "64", "--json", self.folder / "out.json", "--certificates", self.folder / "proofs"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        killed = 0
        while process.poll() is None and killed < 8:
            for worker in children_of(process.pid)[:1]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
                    killed += 1
            time.sleep(0.005)
        said = process.communicate(timeout=SECONDS)[1].decode()
        self.assertIn(process.returncode, (0, 1), said)
        written = json.loads((self.folder / "out.json").read_text(encoding="utf-8"))
        claims = [claim for case in written["cases"] for claim in case["claims"]]
        self.assertEqual(len(claims), 192)
        lost = [claim for claim in claims if not claim["passed"]]
        self.assertLessEqual(len(lost), killed)
        for claim in lost:
            self.assertEqual(claim["verdict"], "undecided")
            self.assertIn("signal 9", claim["message"])
        self.assertGreaterEqual(whole_json_but_parts(self.folder / "proofs"), 192 - len(lost))

    def test_names_that_are_markup_are_text(self):
        case = write_case(self.folder, small_case(NAME, [HOLDS, {**BOUNDED, "expect": "fails"}], about=SCRIPT, source=SCRIPT), "case.json")
        files = {flag: self.folder / f"out.{flag}" for flag in ("json", "junit", "html", "markdown")}
        done = run(ATTEST, "verify", case, *(word for flag, file in files.items() for word in (f"--{flag}", file)))
        self.assertEqual(done.returncode, 1, done.stderr)
        suite = xml.etree.ElementTree.parse(files["junit"]).getroot().find("testsuite")
        self.assertEqual(suite.get("name"), NAME)
        self.assertEqual([test.find("script") for test in suite.iter("testcase")], [None, None])
        markdown = files["markdown"].read_text(encoding="utf-8")
        for raw in (r"<script>window", r"<img", r"(?<!\\)\]\(javascript:", r"(?<!\\)\[x", r"(?<!\\)`"):
            self.assertNotRegex(markdown, raw)
        page = Tags()
        page.feed(files["html"].read_text(encoding="utf-8"))
        self.assertFalse(any(tag == "img" or ("onerror" in attributes) for tag, attributes in page.seen))
        self.assertFalse(any("javascript:" in (value or "") for _, attributes in page.seen for value in attributes.values()))

    def test_results_cannot_steer_the_terminal_that_shows_them(self):
        corpus = TESTS / "fuzz" / "corpus" / "results"
        self.assertIn("\\u001b[31m", (corpus / "script").read_text(encoding="utf-8"))
        for words in (["report", corpus / "script"], ["report", corpus / "control-character"], ["diff", corpus / "script", corpus / "p-svm"],
                      ["diff", corpus / "p-svm", corpus / "script"]):
            done = run(ATTEST, *words)
            self.assertNotRegex(done.stdout + done.stderr, "[\x00-\x09\x0b-\x1f\x7f]")
            self.assertNotEqual(done.stdout + done.stderr, "")

    def test_a_page_of_hostile_names_runs_none_of_them(self):
        program = find_browser()
        if program is None:
            self.skipTest("no Chromium")
        case = write_case(self.folder, small_case(NAME, [HOLDS, {**BOUNDED, "expect": "fails"}], about=SCRIPT, source=SCRIPT), "case.json")
        page_file, twin = self.folder / "page.html", self.folder / "twin.html"
        run(ATTEST, "verify", case, "--html", page_file)
        text = page_file.read_text(encoding="utf-8")
        twin.write_text(text.replace("<body", SCRIPT + "<body", 1), encoding="utf-8")
        with Browser(program) as browser:
            page = browser.page(page_file)
            self.assertEqual(page.complaints(), [])
            self.assertIsNone(page.run("window.ran"))
            self.assertIn(NAME, page.run("document.body.textContent"))
            self.assertEqual(page.run("document.querySelectorAll('img, [onerror], a[href^=\"javascript\"]').length"), 0)
            self.assertIsNotNone(browser.page(twin).run("window.ran"))  # had one run, it would be seen


class Tags(HTMLParser):
    """Every tag of a page with its attributes."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))


def children_of(parent):
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            stat = (folder / "stat").read_text(encoding="utf-8", errors="replace")
            state, above = stat[stat.rindex(")") + 2:].split()[:2]
            if int(above) == parent and state not in "ZX":
                found.append(int(folder.name))
    return found


def whole_json_but_parts(folder):
    """As whole_json; a killed worker may leave the temporary file that it was writing, never a part under the name of a certificate."""
    for file in folder.glob("*.json.*"):
        file.unlink()
    return whole_json(folder)


def main():
    global ATTEST
    if len(sys.argv) < 2:
        sys.exit("usage: check_outputs.py ATTEST [TEST...]")
    ATTEST = str(pathlib.Path(sys.argv[1]).resolve())
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)


if __name__ == "__main__":
    main()
