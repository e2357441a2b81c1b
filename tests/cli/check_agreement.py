"""check_agreement.py ATTEST ATTEST_CHECK PYTHON_CHECKER CASES: both checkers accept every certificate of the project's cases,
held against its own case, and both reject one of each case when it is held against another."""
import json
import pathlib
import subprocess
import sys
import tempfile

ATTEST, CHECK, PYTHON_CHECK, CASES = sys.argv[1:5]


def verdicts(command, certificates, case):
    done = subprocess.run([*command, *certificates, "--case", case], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == len(certificates), done.stdout
    return [": accepted (" in line for line in lines]


def main():
    checkers = ([CHECK], [sys.executable, PYTHON_CHECK])
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "results.json"
        subprocess.run([ATTEST, "verify", CASES, "--quiet", "--json", results, "--certificates", folder + "/proofs"], check=True)
        cases = json.loads(results.read_text(encoding="utf-8"))["cases"]
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
