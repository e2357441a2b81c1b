#!/usr/bin/env python3
"""What a generator writes is what is committed beside it, byte by byte.

usage: check_generator.py GENERATOR PATTERN..., or check_generator.py --self-test

GENERATOR is run with a temporary folder; the files of that folder are compared with those that the patterns
find beside the generator.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path


def files_below(folder: Path, patterns: list[str]) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for pattern in patterns for path in folder.glob(pattern) if path.is_file()}


def differences(committed: dict[str, bytes], written: dict[str, bytes]) -> list[str]:
    faults = [f"{name}: committed, but not written" for name in sorted(committed.keys() - written.keys())]
    faults += [f"{name}: written, but not committed" for name in sorted(written.keys() - committed.keys())]
    faults += [f"{name}: differs" for name in sorted(committed.keys() & written.keys()) if committed[name] != written[name]]
    return faults if committed else [*faults, "nothing is committed"]


def check(generator: Path, patterns: list[str]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-B", generator, folder], check=True, stdout=subprocess.DEVNULL)
        return differences(files_below(generator.parent, patterns), files_below(Path(folder), ["**/*"]))


GENERATOR = """import pathlib, sys
folder = pathlib.Path(sys.argv[1]) / "bad"
folder.mkdir()
for name in ("a.json", "b.json"):
    (folder / name).write_text(name)
"""


def self_test() -> list[str]:
    """A file that is changed, missing or left over is seen."""
    planted = {"": [], "a.json": ["bad/a.json: differs"], "c.json": ["bad/c.json: committed, but not written"]}
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        generator, corpus = Path(folder) / "make.py", Path(folder) / "bad"
        generator.write_text(GENERATOR)
        for name, due in planted.items():
            subprocess.run([sys.executable, "-B", generator, folder], check=True)
            if name:
                (corpus / name).write_text("other")
            if check(generator, ["bad/*"]) != due:
                faults.append(f"not seen: {due or 'that nothing is wrong'}")
            for file in (*corpus.iterdir(), corpus):
                file.unlink() if file.is_file() else file.rmdir()
        corpus.mkdir()
        (corpus / "a.json").write_text("a.json")
        if check(generator, ["bad/*"]) != ["bad/b.json: written, but not committed"]:
            faults.append("not seen: a file that is not committed")
    return faults


def main(arguments: list[str]) -> int:
    faults = self_test() if arguments == ["--self-test"] else check(Path(arguments[0]).resolve(), arguments[1:])
    print(*faults, f"{len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
