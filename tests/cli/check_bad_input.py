#!/usr/bin/env python3
"""check_bad_input.py ATTEST: every case of bad/ is refused as bad/index.json says, every case of good/ passes.

A refusal is: exit code 2, the file, the JSON path and the message on stderr, nothing on stdout, no result file.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from support import SECONDS

HERE = pathlib.Path(__file__).resolve().parent
LEAST_BAD_CASES = 55


def run(attest, folder, *files):
    """The finished process, and the result file if it was written."""
    results = pathlib.Path(folder) / "out.json"
    results.unlink(missing_ok=True)
    process = subprocess.run([attest, "verify", *map(str, files), "--json", str(results)], capture_output=True, cwd=folder,
                             timeout=SECONDS, check=False)
    return process, results.exists()


def refusal_defects(process, wrote, file, path, message):
    errors = process.stderr.decode("utf-8", "replace")
    place = f"{file}: {path}: found " if path else f"{file}: found "
    defects = []
    if process.returncode != 2:
        defects.append(f"exit code {process.returncode} instead of 2")
    if place not in errors:
        defects.append(f"no {place!r} in the error")
    if message not in errors:
        defects.append(f"no {message!r} in the error")
    if process.stdout:
        defects.append("output on stdout")
    if wrote:
        defects.append("a result file")
    return [f"{defect}; stderr: {errors.strip()[:300]}" for defect in defects]


def bad_defects(attest, folder, entry):
    file = HERE / "bad" / entry["file"]
    return refusal_defects(*run(attest, folder, file), file.name, entry["path"], entry["message"])


def good_defects(attest, folder, file):
    process, wrote = run(attest, folder, file)
    if process.returncode != 0:
        return [f"exit code {process.returncode} instead of 0; stderr: {process.stderr.decode('utf-8', 'replace').strip()[:300]}"]
    return [] if wrote else ["no result file"]


def corpus_defects(index):
    """The index lists each case of the folder once."""
    listed = [entry["file"] for entry in index]
    there = {file.name for file in (HERE / "bad").glob("*.json")} - {"index.json"}
    defects = [f"{name} is not in the index" for name in sorted(there - set(listed))]
    if len(listed) != len(set(listed)):
        defects.append("a case is listed twice")
    if len(there) < LEAST_BAD_CASES:
        defects.append(f"only {len(there)} bad cases")
    return defects


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: check_bad_input.py ATTEST")
    attest = str(pathlib.Path(sys.argv[1]).resolve())
    index = json.loads((HERE / "bad" / "index.json").read_text(encoding="utf-8"))
    good = sorted((HERE / "good").glob("*.json"))
    failures = [("index.json", defect) for defect in corpus_defects(index)]
    with tempfile.TemporaryDirectory() as folder:
        for entry in index:
            failures += [(entry["file"], defect) for defect in bad_defects(attest, folder, entry)]
        for file in good:
            failures += [(f"good/{file.name}", defect) for defect in good_defects(attest, folder, file)]
        # One bad case among good ones, and nothing is run.
        entry = next(entry for entry in index if entry["file"] == "label-zero.json")
        mixed = run(attest, folder, good[0], HERE / "bad" / entry["file"])
        failures += [("good and bad", defect) for defect in refusal_defects(*mixed, entry["file"], entry["path"], entry["message"])]
    for name, defect in failures:
        print(f"{name}: {defect}")
    print(f"{len(index)} bad cases and {len(good)} good ones: {len(failures)} failures")
    sys.exit(1 if failures or not good else 0)


if __name__ == "__main__":
    main()
