"""check_agreement.py RESULTS PROOFS ATTEST_CHECK PYTHON_CHECKER: every claim and every hypothesis of the project's cases that is proved
has a certificate, and so has every run whose limit is proved; both checkers accept each, held against its own case, and both reject one of each case when it is held against
another. RESULTS are those of all cases, and PROOFS is the folder of their certificates."""
import json
import pathlib
import subprocess
import sys

RESULTS, PROOFS, CHECK, PYTHON_CHECK = sys.argv[1:5]


def verdicts(command, certificates, case):
    done = subprocess.run([*command, *certificates, "--case", case], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == len(certificates), done.stdout
    return [": accepted (" in line for line in lines]


def graded(case):
    """What has a grade: the claims of a case and their hypotheses, each with the name under which it is blamed."""
    for k, claim in enumerate(case["claims"]):
        yield f"{case['name']}, claim {k} ({claim['claim']})", claim
        for hypothesis in claim.get("hypotheses", []):
            yield f"{case['name']}, claim {k} ({claim['claim']}): {hypothesis['name']}", hypothesis


def faults(cases):
    """What is proved without a certificate, and claims that do not apply with another certificate than the hypothesis that fails."""
    for case in cases:
        for name, entry in graded(case):
            if entry["grade"] == "proved" and entry.get("certificate") is None:
                yield f"{name}: {entry['verdict']}, proved, and no certificate: {entry['message']}"
    for case in cases:
        for k, claim in enumerate(case["claims"]):
            failing = [one for one in claim.get("hypotheses", []) if one["verdict"] == "fails" and one["grade"] == "proved"]
            if claim["verdict"] == "inapplicable" and claim["grade"] == "proved" and failing and claim["certificate"]:
                contents = {pathlib.Path(one["certificate"]).read_bytes() for one in failing if one.get("certificate")}
                if pathlib.Path(claim["certificate"]).read_bytes() not in contents:
                    yield f"{case['name']}, claim {k}: its certificate is not that of a hypothesis that fails"
            for run, file in zip(claim["numbers"].get("runs", []), claim.get("run_certificates", [])):
                if (run.get("proved_by") is None) != (file is None):
                    yield f"{case['name']}, claim {k}: a run with a proof and no certificate, or the other way round"


def distinct(files):
    """One file for each content: theorems share their hypotheses."""
    return list({pathlib.Path(file).read_bytes(): file for file in files}.values())


def main():
    checkers = ([CHECK], [sys.executable, PYTHON_CHECK])
    cases = json.loads(pathlib.Path(RESULTS).read_text(encoding="utf-8"))["cases"]
    found = list(faults(cases))
    assert not found, "\n".join(found)
    count = 0
    named = set()
    for case, other in zip(cases, cases[1:] + cases[:1]):
        files = [entry["certificate"] for _, entry in graded(case) if entry["certificate"]]
        files += [file for claim in case["claims"] for file in claim.get("run_certificates", []) if file]
        named.update(files)
        certificates = distinct(files)
        count += len(certificates)
        for checker in checkers:
            if not certificates:
                continue
            accepted = verdicts(checker, certificates, case["file"])
            assert all(accepted), (checker, case["file"], [file for file, good in zip(certificates, accepted) if not good])
            assert not any(verdicts(checker, certificates[-1:], other["file"])), (checker, case["file"], other["file"])
    written = {str(file) for file in pathlib.Path(PROOFS).iterdir()}
    assert written == named, f"files that no entry names, or that are missing: {written ^ named}"
    hypotheses = sum("certificate" in entry and "seconds" not in entry and entry["grade"] == "proved" for case in cases for _, entry in graded(case))
    assert count > 50 and hypotheses > 50, (count, hypotheses)
    print(f"{count} certificates of {len(cases)} cases, {hypotheses} proved hypotheses: both checkers agree")


main()
