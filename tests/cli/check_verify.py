#!/usr/bin/env python3
"""check_verify.py ATTEST ATTEST_CHECK SOURCE_DIR: the command line, its files and its exit codes."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from support import ESCAPES, lines_of, run, run_on_terminal, small_case, write_case

ATTEST, ATTEST_CHECK, SOURCE = "", "", pathlib.Path()

HOLDS = {"claim": "globally-optimal", "selection": [0], "grade": "proved"}
BOUNDED = {"claim": "assumption-a", "grade": "proved"}
REFUTED = {"claim": "globally-optimal", "selection": [1], "expect": "fails", "grade": "proved"}
SAMPLED = {"claim": "derivatives", "points": 3}
WRONG = {"claim": "globally-optimal", "selection": [1]}

CLAIM_FIELDS = {
    "claim", "selection", "verdict", "grade", "expect", "passed", "message", "numbers", "certificate", "seconds",
}


def without_seconds(results):
    """What must be the same from run to run."""
    for case in results["cases"]:
        for claim in case["claims"]:
            del claim["seconds"]
    return results


class InAFolder(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.addCleanup(self.scratch.cleanup)

    def case(self, name, claims, **more):
        return write_case(self.folder, small_case(name, claims, **more))

    def results(self, *words, code=0):
        file = self.folder / "results.json"
        done = run(ATTEST, "verify", *words, "--json", file)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(file.read_text(encoding="utf-8"))


class ExitCodes(InAFolder):
    def test_0_when_every_claim_is_as_expected(self):
        done = run(ATTEST, "verify", self.case("good", [HOLDS, REFUTED, BOUNDED]))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("3 passed, 0 failed", done.stdout)

    def test_1_when_one_claim_is_not(self):
        done = run(ATTEST, "verify", self.case("good", [HOLDS]), self.case("wrong", [HOLDS, WRONG]))
        self.assertEqual(done.returncode, 1)
        self.assertIn("2 passed, 1 failed", done.stdout)
        self.assertIn("expected holds", done.stdout)

    def test_1_when_the_verdict_is_right_but_only_observed(self):
        self.assertEqual(run(ATTEST, "verify", self.case("observed", [SAMPLED])).returncode, 0)
        self.assertEqual(run(ATTEST, "verify", self.case("proved", [dict(SAMPLED, grade="proved")])).returncode, 1)

    def refused(self, *words, says):
        target = self.folder / "out.json"
        target.write_text("as it was", encoding="utf-8")
        done = run(ATTEST, *words)
        self.assertEqual(done.returncode, 2, (words, done.stdout, done.stderr))
        self.assertIn(says, done.stdout + done.stderr, words)
        self.assertNotIn("passed", done.stdout, words)
        self.assertEqual(target.read_text(encoding="utf-8"), "as it was", words)

    def test_2_for_bad_usage(self):
        good = self.case("good", [HOLDS])
        out = self.folder / "out.json"
        for words, says in [
            ((), "subcommand"),
            (("nosuch",), "subcommand"),
            (("verify",), "PATH"),
            (("verify", good, "--nosuch"), "--nosuch"),
            (("verify", good, "--json"), "--json"),
            (("verify", good, "--json", out, "--jobs", "0"), "--jobs"),
            (("verify", good, "--json", out, "--jobs", "many"), "--jobs"),
            (("verify", good, "--json", out, "--budget", "0"), "--budget"),
            (("verify", good, "--json", out, "--budget", "-1"), "--budget"),
            (("verify", good, "--json", out, "--seed", "1.5"), "--seed"),
            (("claims", "nosuch"), "nosuch"),
        ]:
            with self.subTest(words=words):
                self.refused(*words, says=says)

    def test_2_for_numbers_that_would_be_taken_for_others(self):
        good = self.case("good", [HOLDS])
        for flag, number in [("--budget", "nan"), ("--seed", "-1"), ("--seed", "18446744073709551616")]:
            with self.subTest(flag=flag, number=number):
                self.refused("verify", good, "--json", self.folder / "out.json", flag, number, says=flag)

    def test_2_for_paths_that_give_no_case(self):
        good = self.case("good", [HOLDS])
        empty = self.folder / "empty"
        empty.mkdir()
        out = self.folder / "out.json"
        for path, says in [(self.folder / "nosuch.json", "no such file"), (empty, "no .json file"), ("", "no such file")]:
            with self.subTest(path=path):
                self.refused("verify", path, "--json", out, says=says)
                self.refused("verify", good, path, "--json", out, says=says)

    def test_2_for_claims_that_are_not_there(self):
        good = self.case("good", [HOLDS])
        out = self.folder / "out.json"
        self.refused("verify", good, "--json", out, "--only", "nosuch", says="nosuch")
        self.refused("verify", good, "--json", out, "--only", "globally-optimal,nosuch", says="nosuch")
        self.refused("verify", good, "--json", out, "--only", "step-size", says="--only")

    def test_2_for_files_that_cannot_be_written(self):
        good = self.case("good", [HOLDS])
        inside_a_file = pathlib.Path(good) / "out"
        for flag in ("--json", "--junit", "--html", "--markdown"):
            for target in (self.folder / "nosuch" / "out", self.folder, inside_a_file):
                with self.subTest(flag=flag, target=target):
                    self.refused("verify", good, flag, target, says=str(target))
        self.refused("verify", good, "--certificates", inside_a_file, says=str(inside_a_file))

    def test_2_for_outputs_that_would_replace_a_case_or_each_other(self):
        good = self.case("good", [HOLDS])
        out = self.folder / "out.json"
        for words, says in [
            (("--json", good), "is read"),
            (("--markdown", self.folder / "." / "good.json"), "is read"),
            (("--json", out, "--html", out), "--json and --html name the same file"),
            (("--junit", out, "--markdown", self.folder / "." / "out.json"), "--junit and --markdown name the same file"),
            (("--junit", "-", "--html", "-"), "only one of them can go to standard output"),
        ]:
            with self.subTest(words=words):
                self.refused("verify", good, *words, says=says)
        self.assertEqual(json.loads(pathlib.Path(good).read_text(encoding="utf-8"))["name"], "good")

    def test_2_for_a_bad_case_among_good_ones_and_nothing_is_run(self):
        good = self.case("good", [HOLDS])
        bad = self.case("bad", [HOLDS], labels=[0])
        self.refused("verify", good, bad, "--json", self.folder / "out.json", says="$.labels[0]")

    def test_0_for_help_version_claims_and_doctor(self):
        for words in (["--help"], ["verify", "--help"], ["--version"], ["claims"], ["claims", "assumption-a"], ["doctor"]):
            with self.subTest(words=words):
                done = run(ATTEST, *words)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertTrue(done.stdout.strip())


class Results(InAFolder):
    def test_the_fields_of_the_contract_are_there(self):
        file = self.case("one", [HOLDS, SAMPLED, WRONG])
        found = self.results(file, "--seed", "5", code=1)
        self.assertEqual(list(found), ["attest", "summary", "cases"])
        self.assertEqual(set(found["attest"]), {"version", "casadi", "ipopt", "seed"})
        self.assertEqual(found["attest"]["seed"], 5)
        self.assertEqual(found["summary"], {"passed": 2, "failed": 1})
        (case,) = found["cases"]
        self.assertEqual((case["name"], case["file"]), ("one", file))
        for claim in case["claims"]:
            self.assertLessEqual(CLAIM_FIELDS, set(claim))
            self.assertIn(claim["verdict"], ("holds", "fails", "undecided", "inapplicable"))
            self.assertIn(claim["grade"], ("observed", "proved"))
            self.assertIsInstance(claim["passed"], bool)
            self.assertIsInstance(claim["numbers"], dict)
            self.assertGreaterEqual(claim["seconds"], 0)
        self.assertEqual([claim["passed"] for claim in case["claims"]], [True, True, False])
        self.assertEqual([claim["selection"] for claim in case["claims"]], [[0], None, [1]])
        self.assertEqual([claim["expect"] for claim in case["claims"]], ["holds"] * 3)
        self.assertEqual([claim["verdict"] for claim in case["claims"]], ["holds", "holds", "fails"])

    def test_the_same_seed_gives_the_same_results_and_another_gives_others(self):
        files = [self.case(name, [SAMPLED, {"claim": "step-size"}, BOUNDED]) for name in ("a", "b", "c")]
        first = without_seconds(self.results(*files, "--seed", "3"))
        self.assertEqual(first, without_seconds(self.results(*files, "--seed", "3")))
        other = without_seconds(self.results(*files, "--seed", "4"))
        self.assertNotEqual(first["cases"], other["cases"])

    def test_the_number_of_jobs_changes_nothing(self):
        files = [self.case(f"c{k}", [SAMPLED, HOLDS]) for k in range(5)]
        alone = without_seconds(self.results(*files, "--jobs", "1"))
        self.assertEqual([case["name"] for case in alone["cases"]], [f"c{k}" for k in range(5)])
        self.assertEqual(alone, without_seconds(self.results(*files, "--jobs", "4")))

    def test_a_busy_machine_changes_nothing_but_the_seconds(self):
        file = self.case("one", [HOLDS, {"claim": "descent", "iterations": 200000}, dict(SAMPLED, points=2000)])
        alone = self.results(file)
        longest = max(claim["seconds"] for claim in alone["cases"][0]["claims"])
        loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(8 * (os.cpu_count() or 1))]
        try:  # the budget is CPU time, which grows little where cores are shared; the clock counts 9 times as much
            beside = self.results(file, "--jobs", "3", "--budget", f"{4 * longest + 1e-3:.6f}")
        finally:
            for loop in loops:
                loop.kill()
                loop.wait()
        self.assertEqual(without_seconds(alone), without_seconds(beside))

    def test_only_keeps_the_named_claims_and_their_numbers(self):
        file = self.case("one", [HOLDS, SAMPLED, BOUNDED])
        (whole,) = without_seconds(self.results(file))["cases"]
        (one,) = without_seconds(self.results(file, "--only", "derivatives"))["cases"]
        self.assertEqual(one["claims"], [whole["claims"][1]])
        (two,) = without_seconds(self.results(file, "--only", "derivatives,assumption-a"))["cases"]
        self.assertEqual(two["claims"], whole["claims"][1:])

    def test_only_leaves_out_cases_without_such_a_claim(self):
        files = [self.case("a", [HOLDS]), self.case("b", [BOUNDED])]
        self.assertEqual([case["name"] for case in self.results(*files, "--only", "assumption-a")["cases"]], ["b"])

    def test_a_folder_is_searched_below_in_the_order_of_its_names(self):
        (self.folder / "d" / "e").mkdir(parents=True)
        write_case(self.folder / "d" / "e", small_case("second", [HOLDS]), "z.json")
        write_case(self.folder / "d", small_case("first", [HOLDS]), "a.json")
        (self.folder / "d" / "notes.txt").write_text("no case", encoding="utf-8")
        self.assertEqual([case["name"] for case in self.results(self.folder / "d")["cases"]], ["first", "second"])

    def test_junit_says_what_the_results_say(self):
        files = [self.case("a <&> b", [HOLDS, WRONG]), self.case("c", [SAMPLED])]
        junit = self.folder / "junit.xml"
        found = self.results(*files, "--junit", junit, code=1)
        root = xml.etree.ElementTree.parse(junit).getroot()
        self.assertEqual((root.get("tests"), root.get("failures")), ("3", "1"))
        self.assertEqual([suite.get("name") for suite in root], [case["name"] for case in found["cases"]])
        self.assertEqual([len(suite) for suite in root], [2, 1])
        self.assertEqual([test.find("failure") is None for test in root.iter("testcase")], [True, False, True])
        self.assertEqual([test.get("classname") for test in root.iter("testcase")], ["globally-optimal"] * 2 + ["derivatives"])

    def test_standard_output_holds_what_is_sent_there_and_nothing_else(self):
        good = self.case("good", [HOLDS])
        for flag, begins in [("--json", "{"), ("--junit", "<?xml"), ("--html", "<!DOCTYPE html>"), ("--markdown", "# attest")]:
            with self.subTest(flag=flag):
                done = run(ATTEST, "verify", good, flag, "-", cwd=self.folder)
                self.assertEqual(done.returncode, 0)
                self.assertTrue(done.stdout.lower().startswith(begins.lower()), done.stdout[:80])
                self.assertNotIn("1 passed, 0 failed", done.stdout)
                self.assertIn("1 passed, 0 failed", done.stderr)
                self.assertFalse((self.folder / "-").exists())
        self.assertEqual(run(ATTEST, "verify", good, "--json", "/dev/null", "--html", "/dev/null").returncode, 0)

    def test_claims_that_differ_in_a_parameter_are_told_apart(self):
        bounded = [{"claim": "assumption-a", "interval": [0, 1]}, {"claim": "assumption-a", "interval": [0, 2]}]
        claims = [{"claim": "derivatives", "points": 2}, {"claim": "derivatives", "points": 3}, *bounded, HOLDS, HOLDS]
        files = {flag: self.folder / f"out{flag}" for flag in ("--junit", "--markdown", "--html")}
        found = self.results(self.case("one", claims), *(word for pair in files.items() for word in pair))
        labels = [claim["label"] for claim in found["cases"][0]["claims"]]
        self.assertEqual(labels, ["derivatives points=2", "derivatives points=3", "assumption-a interval=[0,1]", "assumption-a interval=[0,2]",
                                  labels[4], labels[4] + " #2"])
        for flag, file in files.items():
            text = file.read_text(encoding="utf-8").replace("\\", "")
            for label in labels:
                self.assertIn(label, text, flag)
        table = run(ATTEST, "verify", self.case("one", claims)).stdout
        for label in labels:
            self.assertIn(label, table)

    def test_the_page_is_written(self):
        page = self.folder / "page.html"
        self.results(self.case("one <b>", [HOLDS]), "--html", page)
        text = page.read_text(encoding="utf-8")
        self.assertIn("one &lt;b&gt;", text)
        self.assertNotIn("<b>", text)

    def test_a_file_name_that_is_not_utf_8_does_not_stop_the_results(self):
        folder = os.fsencode(self.folder)
        pathlib.Path(self.case("one", [HOLDS])).rename(os.fsdecode(folder + b"/\xff.json"))
        self.assertEqual(self.results(os.fsdecode(folder + b"/\xff.json"), "--quiet")["summary"], {"passed": 1, "failed": 0})

    def test_results_replace_what_was_there_and_leave_nothing_beside(self):
        self.results(self.case("one", [HOLDS]))
        self.results(self.case("one", [HOLDS]))
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["one.json", "results.json"])

    def test_a_pipe_and_a_link_are_never_replaced_by_a_file(self):
        # As root, --json /dev/null must not turn the device into a file.
        pipe, link = self.folder / "pipe", self.folder / "link"
        os.mkfifo(pipe)
        (self.folder / "target").write_text("", encoding="utf-8")
        os.symlink("target", link)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        for target in (pipe, link):
            done = run(ATTEST, "verify", self.case("one", [HOLDS]), "--json", target)
            self.assertIn(done.returncode, (0, 2))
        self.assertTrue(pipe.is_fifo())
        self.assertTrue(link.is_symlink())


class Table(InAFolder):
    def test_quiet_prints_nothing_when_all_is_well(self):
        done = run(ATTEST, "verify", self.case("good", [HOLDS, BOUNDED]), "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_quiet_prints_what_is_not_as_expected(self):
        done = run(ATTEST, "verify", self.case("good", [HOLDS]), self.case("mixed", [BOUNDED, WRONG]), "--quiet")
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("good", done.stdout)
        self.assertNotIn("assumption-a", done.stdout)
        self.assertEqual(sum("FAIL" in line for line in done.stdout.splitlines()), 1)

    def test_no_line_of_a_plain_table_in_a_pipe_is_wider_than_80_columns(self):
        done = run(ATTEST, "verify", SOURCE / "cases" / "selections", cwd=SOURCE)
        self.assertGreaterEqual(len(done.stdout.splitlines()), 10)
        for line in done.stdout.splitlines():
            self.assertLessEqual(len(line), 80, line)
            self.assertEqual(line, line.rstrip())

    def test_a_message_is_whole_also_where_it_is_wrapped(self):
        file = self.case("good", [HOLDS, BOUNDED, SAMPLED, WRONG])
        found = self.results(file, code=1)
        messages = [claim["message"] for claim in found["cases"][0]["claims"]]
        self.assertTrue(any(len(message) > 60 for message in messages), messages)
        for printed in (run(ATTEST, "verify", file).stdout, "\n".join(lines_of(run_on_terminal(ATTEST, "verify", file)[1])[0])):
            flat = " ".join(printed.split())
            for message in messages:
                self.assertIn(message, flat)

    def test_a_pipe_gets_no_escapes_and_whole_lines(self):
        file = self.case("a-name-that-is-rather-long-" * 4, [HOLDS, BOUNDED, WRONG])
        done = run(ATTEST, "verify", file)
        self.assertNotIn("\x1b", done.stdout + done.stderr)
        self.assertNotIn("\r", done.stdout + done.stderr)
        self.assertIn(file, done.stdout)

    def long_table(self):
        name = "größe-and-a-name-that-is-longer-than-any-terminal-" * 2
        return self.case(name, [HOLDS, BOUNDED, SAMPLED, {"claim": "step-size"}, WRONG], about="x" * 200)

    def test_no_line_is_wider_than_the_terminal(self):
        file = self.long_table()
        for columns in (80, 60, 132):
            code, sent = run_on_terminal(ATTEST, "verify", file, columns=columns)
            self.assertEqual(code, 1)
            stayed, drawn_over = lines_of(sent)
            self.assertEqual(sum(ESCAPES.sub("", line).startswith(("  pass", "  FAIL")) for line in stayed), 5)
            for line in stayed + drawn_over:
                self.assertLessEqual(len(ESCAPES.sub("", line)), columns, line)

    def test_no_line_of_a_plain_table_is_wider_than_80_columns(self):
        code, sent = run_on_terminal(ATTEST, "verify", SOURCE / "cases" / "one-input", columns=80)
        self.assertEqual(code, 0)
        stayed, drawn_over = lines_of(sent)
        self.assertGreaterEqual(len(stayed), 10)
        for line in stayed + drawn_over:
            self.assertLessEqual(len(ESCAPES.sub("", line)), 80, line)

    def test_a_terminal_gets_colour(self):
        _, sent = run_on_terminal(ATTEST, "verify", self.case("mixed", [HOLDS, WRONG]))
        self.assertIn("\x1b[32mpass\x1b[0m", sent)
        self.assertIn("\x1b[31;1mFAIL\x1b[0m", sent)

    def test_no_color_is_respected_and_an_empty_one_is_none(self):
        file = self.case("mixed", [HOLDS, WRONG])
        _, sent = run_on_terminal(ATTEST, "verify", file, env={"NO_COLOR": "1"})
        self.assertIn("pass", sent)
        self.assertNotRegex(sent, r"\x1b\[[0-9;]*m")
        _, sent = run_on_terminal(ATTEST, "verify", file, env={"NO_COLOR": ""})
        self.assertRegex(sent, r"\x1b\[[0-9;]*m")

    def test_progress_leaves_no_trace_on_a_terminal(self):
        _, sent = run_on_terminal(ATTEST, "verify", self.case("one", [dict(SAMPLED, points=200), HOLDS]))
        stayed, drawn_over = lines_of(sent)
        self.assertTrue(any(line.startswith("[") for line in drawn_over), sent)
        self.assertFalse(any("#" in line or "...." in line for line in stayed), stayed)


    def test_progress_says_how_long_it_may_still_take(self):
        endless = {"claim": "descent", "iterations": 1000000000000, "expect": "undecided"}
        _, sent = run_on_terminal(ATTEST, "verify", self.case("one", [HOLDS, endless]), "--budget", "2")
        _, drawn_over = lines_of(sent)
        self.assertTrue(any(re.search(r"^\[#+\.+\] 1/2, \d+ s  one: descent", line) for line in drawn_over), drawn_over[-5:])


class Certificates(InAFolder):
    def proofs(self, *files, code=0):
        found = self.results(*files, "--certificates", self.folder / "certs" / "new", code=code)
        return [claim["certificate"] for case in found["cases"] for claim in case["claims"] if claim["certificate"]], found

    def test_every_proof_is_written_and_accepted_also_with_its_case(self):
        file = self.case("one", [HOLDS, REFUTED, BOUNDED, SAMPLED])
        files, found = self.proofs(file)
        for claim in found["cases"][0]["claims"]:
            self.assertEqual(claim["certificate"] is not None, claim["grade"] == "proved", claim["claim"])
        self.assertEqual(len(files), 3)
        for words in ([], ["--case", file]):
            done = run(ATTEST_CHECK, *files, *words)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertEqual([line.split(": ")[1].split()[0] for line in done.stdout.splitlines()], ["accepted"] * 3)

    def test_proofs_of_one_case_are_rejected_with_another(self):
        files, _ = self.proofs(self.case("one", [HOLDS, BOUNDED]))
        other = small_case("other", [HOLDS])
        other["tokens"][0][2][2] = "0.89999999999999999999"
        done = run(ATTEST_CHECK, *files, "--case", write_case(self.folder, other))
        self.assertEqual(done.returncode, 1)
        self.assertEqual([": rejected: " in line for line in done.stdout.splitlines()], [True, True])

    def test_a_changed_proof_is_rejected(self):
        files, _ = self.proofs(self.case("one", [HOLDS]))
        proof = json.loads(pathlib.Path(files[0]).read_text(encoding="utf-8"))
        self.assertEqual(proof["statement"]["gap"], "1/10")
        proof["statement"]["gap"] = "1/11"
        pathlib.Path(files[0]).write_text(json.dumps(proof), encoding="utf-8")
        self.assertEqual(run(ATTEST_CHECK, files[0]).returncode, 1)

    def test_cases_of_the_same_name_do_not_overwrite_each_others_proofs(self):
        (self.folder / "two").mkdir()
        tied = small_case("same", [HOLDS])
        tied["tokens"][0][1][2] = 1
        files, _ = self.proofs(self.case("same", [HOLDS]), write_case(self.folder / "two", tied))
        self.assertEqual(len(set(files)), 2)
        self.assertEqual(run(ATTEST_CHECK, *files).returncode, 0)
        self.assertEqual(run(ATTEST_CHECK, files[1], "--case", self.folder / "two" / "same.json").returncode, 0)
        self.assertEqual(run(ATTEST_CHECK, files[0], "--case", self.folder / "two" / "same.json").returncode, 1)

    def test_a_name_with_special_characters_makes_a_safe_file_name(self):
        files, _ = self.proofs(self.case("..%2e *?$(rm) ü", [HOLDS]))
        self.assertEqual(pathlib.Path(files[0]).parent, self.folder / "certs" / "new")
        self.assertRegex(pathlib.Path(files[0]).name, r"^[A-Za-z0-9_~-]+\.json$")
        self.assertEqual(run(ATTEST_CHECK, files[0]).returncode, 0)


def main():
    global ATTEST, ATTEST_CHECK, SOURCE
    if len(sys.argv) < 4:
        sys.exit("usage: check_verify.py ATTEST ATTEST_CHECK SOURCE_DIR [TEST...]")
    ATTEST, ATTEST_CHECK = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
    SOURCE = pathlib.Path(sys.argv[3]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)


if __name__ == "__main__":
    main()
