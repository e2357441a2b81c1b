"""check_agreement.py RESULTS ATTEST_CHECK PYTHON_CHECKER: both checkers accept every certificate of the project's cases, held
against its own case, and both reject one of each case when it is held against another. RESULTS are those of all cases."""
import json
import pathlib
import subprocess
import sys

RESULTS, CHECK, PYTHON_CHECK = sys.argv[1:4]


def verdicts(command, certificates, case):
    done = subprocess.run([*command, *certificates, "--case", case], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == len(certificates), done.stdout
    return [": accepted (" in line for line in lines]


def main():
    checkers = ([CHECK], [sys.executable, PYTHON_CHECK])
    cases = json.loads(pathlib.Path(RESULTS).read_text(encoding="utf-8"))["cases"]
    count = 0
    for case, other in zip(cases, cases[1:] + cases[:1]):
        certificates = [claim["certificate"] for claim in case["claims"] if claim["certificate"]]
        count += len(certificates)
        for checker in checkers:
            if not certificates:
                continue
            assert all(verdicts(checker, certificates, case["file"])), (checker, case["file"])
            assert not any(verdicts(checker, certificates[-1:], other["file"])), (checker, case["file"], other["file"])
    proved = [claim for case in cases for claim in case["claims"] if claim["grade"] == "proved" and claim["verdict"] in ("holds", "fails")]
    assert all(claim["certificate"] for claim in proved), "a proved verdict without a certificate"
    assert count > 50, count
    print(f"{count} certificates of {len(cases)} cases: both checkers agree")


main()
