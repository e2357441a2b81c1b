#!/usr/bin/env python3
"""check_audits.py ATTEST ATTEST_CHECK: attest audit of several files and of folders, and Ctrl-C between them."""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

from make_bad import npy, npz
from support import SECONDS, run

ATTEST, ATTEST_CHECK = "", ""

# One sample of two tokens, decided at once.
PAIR = {"X": npy((1, 2, 2), [1, 0, 0, 1]), "Y": npy((1,), [1], "<i8")}
RUN = {"p": npy((2, 2), [0, 0, 1, 1])}


class Several(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def archive(self, name, arrays):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(npz(**arrays))
        return path

    def audit(self, *words, code=0):
        out = self.folder / "out.json"
        done = run(ATTEST, "audit", *words, "--json", out)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(out.read_text(encoding="utf-8")), done

    def test_files_are_audited_in_their_order_and_each_says_where_training_goes(self):
        results, done = self.audit(self.archive("b.npz", PAIR), self.archive("a.npz", PAIR))
        self.assertEqual([case["name"] for case in results["cases"]], ["b", "a"])
        self.assertEqual(results["summary"]["passed"], sum(len(case["claims"]) for case in results["cases"]))
        self.assertEqual(done.stdout.count("Where training goes"), 2)
        self.assertTrue(done.stdout.endswith("\n2 data sets (--verbose prints every claim of each, --html a page of all)\n"), done.stdout)
        self.assertEqual([line for line in done.stdout.splitlines() if len(line) > 80], [])

    def test_an_audit_of_several_says_of_each_what_an_audit_of_it_alone_says(self):
        files = self.archive("b.npz", PAIR), self.archive("a.npz", {**PAIR, "v": npy((2,), [1, 0])})
        together = self.audit(*files)[0]["cases"]
        apart = [self.audit(file)[0]["cases"][0] for file in files]
        for case in together + apart:
            for claim in case["claims"]:
                del claim["seconds"]
        self.assertEqual(together, apart)

    def test_a_folder_stands_for_the_data_below_it_and_runs_are_left_out_with_a_word(self):
        self.archive("set/one/data.npz", PAIR)
        self.archive("set/two/data.npz", PAIR)
        run_file = self.archive("set/one/run.npz", RUN)
        (self.folder / "set" / "notes.txt").write_text("nothing", encoding="utf-8")
        results, done = self.audit(self.folder / "set")
        self.assertEqual([case["name"] for case in results["cases"]], ["one-data", "two-data"])
        self.assertEqual(done.stderr, f"attest: {run_file}: left out, it has no array X\n")

    def test_a_run_that_is_named_is_no_data(self):
        done = run(ATTEST, "audit", self.archive("run.npz", RUN))
        self.assertEqual(done.returncode, 2)
        self.assertIn("X: found no such array", done.stderr)

    def test_names_differ_even_where_folders_are_alike(self):
        files = [self.archive(name, PAIR) for name in ("x/one/data.npz", "y/one/data.npz", "z/other.npz")]
        names = [case["name"] for case in self.audit(*files)[0]["cases"]]
        self.assertEqual((len(set(names)), names[2]), (3, "other"))

    def test_one_fault_and_nothing_is_run(self):
        good, bad = self.archive("good.npz", PAIR), self.archive("bad.npz", {"X": PAIR["X"]})
        out = self.folder / "out.json"
        done = run(ATTEST, "audit", good, bad, self.folder / "nosuch.npz", "--json", out)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(f"{bad}: Y: found no such array", done.stderr)
        self.assertIn("nosuch.npz: found no such file", done.stderr)
        self.assertFalse(out.exists())

    def test_a_folder_without_data_is_refused(self):
        (self.folder / "empty").mkdir()
        self.assertIn("expected a folder with data", run(ATTEST, "audit", self.folder / "empty").stderr)
        self.archive("runs/run.npz", RUN)
        done = run(ATTEST, "audit", self.folder / "runs")
        self.assertEqual(done.returncode, 2)
        self.assertIn("found no data set", done.stderr)

    def test_cases_of_several_are_saved_in_a_folder_and_hold(self):
        files = self.archive("a.npz", PAIR), self.archive("b.npz", PAIR)
        self.audit(*files, "--save-case", self.folder / "kept")
        self.assertEqual(sorted(path.name for path in (self.folder / "kept").iterdir()), ["a.json", "b.json"])
        done = run(ATTEST, "verify", self.folder / "kept", "--quiet")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        for target in (files[0], "-"):
            done = run(ATTEST, "audit", *files, "--save-case", target)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)

    def test_certificates_of_several_differ_by_name_and_are_accepted(self):
        files = self.archive("a b.npz", PAIR), self.archive("a_b.npz", PAIR)
        self.audit(*files, "--certificates", self.folder / "proofs")
        proofs = sorted((self.folder / "proofs").iterdir())
        alone = self.folder / "alone"
        self.audit(files[0], "--certificates", alone)
        self.assertEqual(len(proofs), 2 * len(list(alone.iterdir())))  # none replaced another
        done = run(ATTEST_CHECK, *proofs)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_page_of_several_has_an_answer_for_each(self):
        self.audit(self.archive("a.npz", PAIR), self.archive("b.npz", PAIR), "--html", self.folder / "page.html")
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        self.assertEqual(page.count('<p class="lead">'), 2)

    def test_ctrl_c_keeps_the_audits_that_are_finished_and_says_where(self):
        big = [((7919 * k) % 1009) / 1009 - 0.5 for k in range(12 * 8 * 16)]
        slow = {"X": npy((12, 8, 16), big), "Y": npy((12,), [1, -1] * 6, "<i8"), "v": npy((16,), [1] * 16)}
        files = [self.archive("a.npz", PAIR), self.archive("b.npz", slow)]
        process = subprocess.Popen([ATTEST, "audit", *map(str, files)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        self.assertIn("a.npz", process.stdout.readline())  # the first is finished, the second has begun
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(said, r"interrupted; the results of \d+ finished claims are in attest-interrupted.json")
        kept = json.loads((self.folder / "attest-interrupted.json").read_text(encoding="utf-8"))
        self.assertTrue(kept["interrupted"])
        self.assertEqual(kept["cases"][0]["name"], "a")
        self.assertEqual(run(ATTEST, "report", self.folder / "attest-interrupted.json").returncode, 0)


def main():
    global ATTEST, ATTEST_CHECK
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    ATTEST, ATTEST_CHECK = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)


if __name__ == "__main__":
    main()
