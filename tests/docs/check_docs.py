#!/usr/bin/env python3
"""check_docs.py [--self-test] SOURCE_DIR ATTEST ATTEST_CHECK: what the documents show is so.

1. Every `$ attest …` and `$ attest-check …` in a ```console block of README.md and below docs/ prints what stands below it;
   a line `...` there stands for any lines, and `$ echo $?` for the exit code. The progress of a slow run is not compared. Commands run in a folder of their own, one a
   document, in which `cases` is the project's.
2. A ```json block after `<!-- case: NAME.json -->` is that file in the folder. A ```python block after `<!-- script: NAME.py -->` is too, and
   `$ python3 NAME.py` runs it where the modules that it imports are installed, and its stand-in in tests/docs/stand_in where they are not.
3. The claims that `attest claims` lists are the headings of docs/claims.md that are one word in small letters.
4. No text file names a folder of the machine that it was written on.
5. Every relative link of a .md file leads to a file, and to a heading if it names one.

--self-test makes documents with one error each and demands that each is seen.
"""

import importlib.util
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from support import PROGRESS, SECONDS

# Pieced together so that this file does not name them itself.
FOREIGN_PATHS = re.compile("|".join([r"\.\./" + "shared", "/" + r"work/[a-z]", "/" + r"home/[a-z]", "/" + r"root/[\w.]"]))
STAND_INS = pathlib.Path(__file__).resolve().parent / "stand_in"
FENCE = re.compile(r"^(`{3,}|~{3,})\s*(\S*)")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|!\[[^\]]*\]\(\s*([^)\s]+)\s*\)")


class Block:
    """A fenced block: its language, its lines, its place, and the name that a comment before it gives."""

    def __init__(self, language, line, file):
        self.language, self.line, self.file, self.lines = language, line, file, []


def split_document(text):
    """The fenced blocks, and the other lines with their numbers."""
    blocks, prose, open_fence, named = [], [], None, None
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line.strip())
        if open_fence:
            if fence and fence[1].startswith(open_fence) and not fence[2]:
                open_fence = None
            else:
                blocks[-1].lines.append(line)
        elif fence:
            open_fence = fence[1]
            blocks.append(Block(fence[2], number, named))
            named = None
        else:
            prose.append((number, line))
            comment = re.fullmatch(r"\s*<!--\s*(?:case|script):\s*(\S+)\s*-->\s*", line)
            named = comment[1] if comment else (named if not line.strip() else None)
    return blocks, prose


def commands_of(block):
    """The commands of a console block with the lines that are shown below each."""
    found = []
    for line in block.lines:
        if found and found[-1][0].endswith("\\"):
            found[-1][0] = found[-1][0][:-1].rstrip() + " " + line.strip().removeprefix("> ")
        elif line.startswith("$ "):
            found.append([line[2:].strip(), []])
        elif found:
            found[-1][1].append(line)
    return found


def matches(shown, printed):
    """Whether the printed lines are the shown ones, where `...` is any number of lines."""
    if not shown:
        return not printed
    if shown[0].strip() == "...":
        return any(matches(shown[1:], printed[k:]) for k in range(len(printed) + 1))
    return bool(printed) and shown[0] == printed[0] and matches(shown[1:], printed[1:])


def trimmed(lines):
    lines = [line.rstrip() for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    return lines


class Programs:
    """A folder with attest and attest-check in it, to be put on the PATH."""

    def __init__(self, attest, checker):
        self.scratch = tempfile.TemporaryDirectory()
        for name, program in (("attest", attest), ("attest-check", checker)):
            os.symlink(pathlib.Path(program).resolve(), pathlib.Path(self.scratch.name) / name)

    def run(self, command, folder):
        """The exit code and all that is printed but progress, as lines."""
        environment = {**os.environ, "PATH": self.scratch.name + os.pathsep + os.environ.get("PATH", "")}
        done = subprocess.run(command, shell=True, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8", timeout=SECONDS, check=False)
        return done.returncode, PROGRESS.sub("", done.stdout).splitlines()

    def close(self):
        self.scratch.cleanup()


def example_defects(source, document, programs):
    blocks, _ = split_document(document.read_text(encoding="utf-8"))
    defects = []
    with tempfile.TemporaryDirectory() as folder:
        if (source / "cases").is_dir():
            os.symlink(source / "cases", pathlib.Path(folder) / "cases")
        for block in blocks:
            if not block.file:
                continue
            language = {".json": "json", ".py": "python"}.get(pathlib.Path(block.file).suffix)
            if block.language == language:
                (pathlib.Path(folder) / block.file).write_text("\n".join(block.lines) + "\n", encoding="utf-8")
            else:
                defects.append((block.line, f"{block.file} is announced, but the block is not {language}"))
        for block in blocks:
            if block.language == "console":
                defects += console_defects(block, folder, programs)
    return [f"{document.relative_to(source)}:{line}: {what}" for line, what in defects]


def python_command(script, folder):
    """How to run a script of the document: itself, or its stand-in."""
    text = (pathlib.Path(folder) / script).read_text(encoding="utf-8")
    modules = re.findall(r"^import (\w+)", text, re.M)
    whole = all(importlib.util.find_spec(module) for module in modules)
    return f"{shlex.quote(sys.executable)} -B {script if whole else shlex.quote(str(STAND_INS / script))}"


def console_defects(block, folder, programs):
    defects, code = [], None
    for command, shown in commands_of(block):
        if command == "echo $?" and code is not None:
            printed = [str(code)]
        elif re.match(r"attest(-check)?( |$)", command):
            code, printed = programs.run(command, folder)
        elif script := re.fullmatch(r"python3 (\w+\.py)", command):
            code, printed = programs.run(python_command(script[1], folder), folder)
        else:
            continue
        shown, printed = trimmed(shown), trimmed(printed)
        if not matches(shown, printed):
            defects.append((block.line, f"`{command}` prints\n" + "\n".join(printed) + "\ninstead of\n" + "\n".join(shown)))
    return defects


def headings_of(prose):
    return [line.lstrip("#").strip() for _, line in prose if re.match(r"#{1,6}\s", line)]


def claim_defects(source, programs):
    page = source / "docs" / "claims.md"
    if not page.exists():
        return ["docs/claims.md: is missing"]
    _, prose = split_document(page.read_text(encoding="utf-8"))
    described = {heading.strip("`") for heading in headings_of(prose) if re.fullmatch(r"`?[a-z][a-z0-9-]*`?", heading)}
    code, listed = programs.run("attest claims", source)
    names = {line.split()[0] for line in listed if line.strip()}
    if code != 0 or not names:
        return ["attest claims: lists nothing"]
    return ([f"docs/claims.md: has no heading {name}, which is a claim" for name in sorted(names - described)] +
            [f"docs/claims.md: has a heading {name}, which is no claim" for name in sorted(described - names)])


def project_files(source):
    """What git tracks or would track; without git, all but what is built."""
    listed = subprocess.run(["git", "-C", source, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True, check=False)
    if listed.returncode == 0:
        files = [source / name for name in listed.stdout.decode("utf-8").split("\0") if name]
    else:
        files = [file for file in source.rglob("*") if not {"build", ".git"} & set(file.relative_to(source).parts)]
    return sorted({file for file in files if file.is_file()})


def path_defects(source):
    defects = []
    for file in project_files(source):
        content = file.read_bytes()
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
            if found := FOREIGN_PATHS.search(line):
                defects.append(f"{file.relative_to(source)}:{number}: names {found[0]}")
    return defects


def anchors_of(text):
    """The names by which GitHub lets headings be linked."""
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings_of(split_document(text)[1])]
    return set(plain) | {f"{name}-{k}" for name in plain for k in range(1, plain.count(name))}


def link_defects(source):
    defects = []
    for file in project_files(source):
        if file.suffix != ".md":
            continue
        _, prose = split_document(file.read_text(encoding="utf-8"))
        for number, line in prose:
            for found in LINK.finditer(re.sub(r"`[^`]*`", "", line)):
                if reason := dead(file, found[1] or found[2]):
                    defects.append(f"{file.relative_to(source)}:{number}: {reason}")
    return defects


def dead(file, target):
    """Why a link of the file leads nowhere; nothing when it does."""
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        return None
    name, _, anchor = target.partition("#")
    there = (file.parent / name).resolve() if name else file
    if not there.exists():
        return f"links to {target}, which does not exist"
    if anchor and there.suffix == ".md" and anchor not in anchors_of(there.read_text(encoding="utf-8")):
        return f"links to {target}, but there is no such heading"
    return None


def all_defects(source, programs):
    documents = [source / "README.md", *sorted((source / "docs").rglob("*.md"))]
    defects = [f"{document.name}: is missing" for document in documents if not document.exists()]
    for document in documents:
        if document.exists():
            defects += example_defects(source, document, programs)
    return defects + claim_defects(source, programs) + path_defects(source) + link_defects(source)


GOOD = """\
# Made up

See [the claims](docs/claims.md), [one](docs/claims.md#one), [below](#made-up) and [elsewhere](https://example.org/x).

<!-- case: tie.json -->
```json
{"name": "tie", "tokens": [[[1], [1]]], "labels": [1], "v": [1],
 "claims": [{"claim": "globally-optimal", "selection": [0], "grade": "proved"}]}
```

```console
$ attest verify tie.json \\
    --certificates proofs
tie  tie.json
...
1 passed, 0 failed
$ echo $?
0
$ attest-check proofs/tie-00-globally-optimal.json --case tie.json
proofs/tie-00-globally-optimal.json: accepted (globally-optimal, globally-optimal)
$ attest verify nosuch.json
attest: nosuch.json: found no such file, expected a case file
$ echo $?
2
$ this-is-not-run
whatever
```
"""


class SelfTest(unittest.TestCase):
    """Each made-up project has one error, and each error is seen."""

    programs = None

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.source = pathlib.Path(scratch.name)
        (self.source / "docs").mkdir()
        self.claims = [line.split()[0] for line in self.programs.run("attest claims", self.source)[1]]
        self.write("docs/claims.md", "# The claims\n\n## One\n\n" + "".join(f"## {name}\nText.\n\n" for name in self.claims))
        self.write("README.md", GOOD)

    def write(self, name, text):
        (self.source / name).write_text(text, encoding="utf-8")

    def change(self, name, old, new):
        text = (self.source / name).read_text(encoding="utf-8")
        self.assertEqual(text.count(old), 1, old)
        self.write(name, text.replace(old, new))

    def seen(self, part):
        defects = all_defects(self.source, self.programs)
        self.assertEqual(len(defects), 1, defects)
        self.assertIn(part, defects[0])

    def test_a_project_without_errors_has_no_defects(self):
        self.assertEqual(all_defects(self.source, self.programs), [])

    def test_a_wrong_line_of_output_is_seen(self):
        self.change("README.md", "1 passed, 0 failed", "2 passed, 0 failed")
        self.seen("README.md:11: `attest verify tie.json --certificates proofs` prints")

    def test_output_that_is_missing_or_too_much_is_seen(self):
        self.change("README.md", "...\n", "")
        self.seen("README.md:11")

    def test_a_wrong_exit_code_is_seen(self):
        self.change("README.md", "$ echo $?\n2", "$ echo $?\n1")
        self.seen("`echo $?` prints\n2")

    def test_a_rejected_certificate_is_seen(self):
        self.change("README.md", "accepted (globally-optimal, globally-optimal)", "accepted (globally-optimal, census)")
        self.seen("attest-check")

    def test_a_case_that_changed_is_seen(self):
        self.change("README.md", '"selection": [0]', '"selection": [0], "unique": true')
        self.assertTrue(all_defects(self.source, self.programs))

    def test_an_example_of_a_page_below_docs_is_run_too(self):
        self.write("docs/more.md", "```console\n$ attest --version\nnine\n```\n")
        self.seen("docs/more.md:1")

    def test_a_script_of_a_page_is_run_and_what_it_makes_is_there(self):
        page = "<!-- script: make.py -->\n```python\nimport json\njson.dump([], open('made.json', 'w'))\nprint('made')\n```\n\n```console\n$ python3 make.py\nmade\n```\n"
        self.write("docs/more.md", page)
        self.assertEqual(all_defects(self.source, self.programs), [])
        self.write("docs/more.md", page.replace("\nmade\n", "\nbroken\n"))
        self.seen("docs/more.md:8: `python3 make.py` prints\nmade")

    def test_a_script_whose_modules_are_not_installed_has_a_stand_in(self):
        self.write("docs/more.md", "<!-- script: train.py -->\n```python\nimport no_such_module\n```\n\n```console\n$ python3 train.py\n```\n")
        self.assertEqual(all_defects(self.source, self.programs), [])
        self.write("docs/more.md", "<!-- script: other.py -->\n```python\nimport no_such_module\n```\n\n```console\n$ python3 other.py\n```\n")
        self.seen("docs/more.md:6: `python3 other.py` prints")

    def test_a_claim_without_a_heading_is_seen(self):
        self.change("docs/claims.md", f"## {self.claims[0]}\n", "## Another\n")
        self.seen(f"has no heading {self.claims[0]}")

    def test_a_heading_without_a_claim_is_seen(self):
        self.change("docs/claims.md", "# The claims\n", "# The claims\n\n## no-claim\n")
        self.seen("has a heading no-claim")

    def test_a_path_of_another_machine_is_seen(self):
        self.write("notes.txt", "see " + "/ro" + "ot/notes\n")
        self.seen("notes.txt:1: names")

    def test_a_dead_link_is_seen(self):
        self.change("README.md", "(docs/claims.md)", "(docs/clams.md)")
        self.seen("docs/clams.md, which does not exist")

    def test_a_link_to_no_heading_is_seen(self):
        self.change("README.md", "(#made-up)", "(#made-down)")
        self.seen("no such heading")

    def test_only_the_progress_of_a_slow_run_is_passed_over(self):
        script = self.source / "attest"
        script.write_text("""#!/bin/sh
echo table
echo 'attest: 10 s: 24 of 25 claims done, about 0 s left; tie: path, 40% of radii' >&2
echo 'attest: tie.json: found nothing' >&2
""", encoding="utf-8")
        script.chmod(0o755)
        slow = Programs(script, script)
        self.addCleanup(slow.close)
        self.assertEqual(slow.run("attest verify tie.json", self.source), (0, ["table", "attest: tie.json: found nothing"]))

    def test_dots_stand_for_any_lines_and_nothing_else_does(self):
        self.assertTrue(matches(["a", "...", "c"], ["a", "b", "b", "c"]))
        self.assertTrue(matches(["...", "c"], ["c"]))
        self.assertFalse(matches(["a", "...", "c"], ["a", "b"]))
        self.assertFalse(matches(["a"], ["a", "b"]))
        self.assertFalse(matches([], ["a"]))


def main():
    words = [word for word in sys.argv[1:] if word != "--self-test"]
    if len(words) != 3:
        sys.exit(__doc__)
    programs = Programs(*words[1:])
    try:
        if "--self-test" in sys.argv:
            SelfTest.programs = programs
            unittest.main(argv=sys.argv[:1], verbosity=2)
        defects = all_defects(pathlib.Path(words[0]).resolve(), programs)
    finally:
        programs.close()
    for defect in defects:
        print(defect)
    sys.exit(1 if defects else 0)


if __name__ == "__main__":
    main()
