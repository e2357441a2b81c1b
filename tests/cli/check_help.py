#!/usr/bin/env python3
"""check_help.py ATTEST: what the program says of itself, and what shells complete."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from support import run

ATTEST = ""


def commands():
    """The subcommands as --help lists them."""
    listed = run(ATTEST, "--help").stdout.split("Subcommands:")[1].split("Examples:")[0]
    return re.findall(r"(?m)^  ([a-z]+) ", listed)


class Help(unittest.TestCase):
    def test_every_subcommand_has_help_with_an_example_of_it(self):
        self.assertGreaterEqual(set(commands()), {"verify", "report", "claims", "doctor", "help", "completion"})
        for command in commands():
            with self.subTest(command=command):
                done = run(ATTEST, command, "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertRegex(done.stdout.split("Example", 1)[1], rf"attest {command}")

    def test_help_fits_80_columns(self):
        pages = [["--help"], ["claims"], ["help"], *([command, "--help"] for command in commands())]
        pages += [["help", topic] for topic in self.topics()]
        pages += [["claims", line.split()[0]] for line in run(ATTEST, "claims").stdout.splitlines() if not line.startswith(" ")]
        for page in pages:
            for line in run(ATTEST, *page).stdout.splitlines():
                self.assertLessEqual(len(line), 80, page)

    def test_the_bare_program_shows_its_help(self):
        done = run(ATTEST)
        self.assertEqual((done.returncode, done.stdout), (2, run(ATTEST, "--help").stdout))
        self.assertIn("a subcommand is required", done.stderr)

    def test_misspelt_words_are_told_what_was_likely_meant(self):
        for words, meant in [(["verfy", "x"], "verify"), (["audti", "x"], "audit"), (["verify", "x", "--jsno", "y"], "--json"),
                             (["verify", "x", "--htlm=y"], "--html"), (["claims", "p-smv"], "p-svm"), (["verify", "x", "--only", "censsus"], "census")]:
            done = run(ATTEST, *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(f"did you mean {meant}?", done.stderr, words)

    def test_words_like_none_get_no_suggestion_and_values_are_not_taken_for_options(self):
        for words in (["quantum"], ["verify", "x", "--electron"], ["claims", "zzzzzzzz"]):
            done = run(ATTEST, *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertNotIn("did you mean", done.stderr, words)
        self.assertIn("--nosuch", run(ATTEST, "verify", "--", "--nosuch").stderr)  # a file of that name

    def topics(self):
        return re.findall(r"(?m)^  ([a-z-]+) ", run(ATTEST, "help").stdout)

    def test_every_topic_is_explained_and_no_other(self):
        self.assertGreaterEqual(set(self.topics()), {"case", "claims", "results", "certificate", "exit-codes"})
        for topic in self.topics():
            done = run(ATTEST, "help", topic)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertGreater(len(done.stdout.splitlines()), 4, topic)
        done = run(ATTEST, "help", "nosuch")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("nosuch", done.stderr)
        self.assertIn("exit-codes", done.stderr)


class Claims(unittest.TestCase):
    def names(self):
        return [line.split()[0] for line in run(ATTEST, "claims").stdout.splitlines() if not line.startswith(" ")]

    def test_tools_are_told_of_every_claim(self):
        told = json.loads(run(ATTEST, "claims", "--json").stdout)
        self.assertEqual([claim["name"] for claim in told], self.names())
        for claim in told:
            self.assertTrue(all(claim[part] for part in ("title", "summary", "source", "words", "formula", "text", "numbers", "section")), claim["name"])
        one = json.loads(run(ATTEST, "claims", "assumption-a", "--json").stdout)
        self.assertEqual(one, [claim for claim in told if claim["name"] == "assumption-a"])

    def test_the_text_of_a_claim_says_what_tools_are_told(self):
        for claim in json.loads(run(ATTEST, "claims", "--json").stdout):
            words = " ".join(run(ATTEST, "claims", claim["name"]).stdout.split())
            said = [claim["summary"], claim["words"], claim["source"], *claim["text"], *claim["hypotheses"]]
            said += [part["name"] + " " + part["about"] for part in claim["parameters"] + claim["numbers"]]
            for sentence in said:
                self.assertIn(" ".join(sentence.split()), words, claim["name"])

    def test_a_claim_has_its_part_of_the_document(self):
        page = run(ATTEST, "claims", "--markdown").stdout
        for name in self.names():
            self.assertIn("\n" + run(ATTEST, "claims", name, "--markdown").stdout, page)

    def test_a_name_that_is_no_claim_and_two_formats_are_refused(self):
        for arguments in (["nosuch"], ["nosuch", "--json"], ["--json", "--markdown"]):
            done = run(ATTEST, "claims", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)


class Completion(unittest.TestCase):
    def completed(self, *words):
        """What bash offers for the last of the words."""
        quoted = " ".join(f"'{word}'" for word in ("attest", *words))
        script = f'source <("{ATTEST}" completion bash); COMP_WORDS=({quoted}); COMP_CWORD={len(words)}; _attest; printf "%s\\n" "${{COMPREPLY[@]}}"'
        done = subprocess.run(["bash", "-c", script], capture_output=True, encoding="utf-8", check=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash_completes_commands_options_claims_and_topics(self):
        self.assertEqual(self.completed("ver"), ["verify"])
        self.assertEqual(set(self.completed("")), {*commands(), "--help", "--version"})
        self.assertEqual(self.completed("verify", "--ma"), ["--markdown"])
        self.assertEqual(self.completed("verify", "--only", "assumption-"), ["assumption-a", "assumption-b"])
        self.assertEqual(self.completed("claims", "tight"), ["tightness"])
        self.assertEqual(self.completed("help", "exit"), ["exit-codes"])
        self.assertEqual(self.completed("completion", ""), ["bash", "zsh"])

    def test_bash_offers_nothing_that_is_not_there(self):
        self.assertEqual(self.completed("nosuch"), [])
        self.assertEqual(self.completed("claims", "nosuch"), [])
        self.assertEqual(self.completed("doctor", "--json"), [])

    def test_every_option_of_a_command_is_offered(self):
        for command in commands():
            options = set(re.findall(r"(?m)^  (?:-[a-z],)?(--[a-z-]+)", run(ATTEST, command, "--help").stdout.split("Example")[0]))
            self.assertEqual(set(self.completed(command, "--")), options, command)

    def test_zsh_reads_its_script(self):
        zsh = shutil.which("zsh")
        script = run(ATTEST, "completion", "zsh").stdout
        self.assertTrue(script.startswith("#compdef attest\n"))
        for command in commands():
            self.assertIn(f"'{command}:", script)
        if not zsh:
            self.skipTest("there is no zsh here")
        load = f'autoload -U compinit && compinit -D -u; source <("{ATTEST}" completion zsh); print -r -- $_comps[attest]'
        done = subprocess.run([zsh, "-f", "-c", load], capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((done.stdout.strip(), done.stderr), ("_attest", ""))

    def test_another_shell_is_refused(self):
        done = run(ATTEST, "completion", "nosuch")
        self.assertEqual((done.returncode, done.stdout), (2, ""))


def main():
    global ATTEST
    if len(sys.argv) < 2:
        sys.exit("usage: check_help.py ATTEST [TEST...]")
    ATTEST = str(pathlib.Path(sys.argv[1]).resolve())
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)


if __name__ == "__main__":
    main()
