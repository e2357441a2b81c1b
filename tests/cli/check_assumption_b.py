"""check_assumption_b.py ATTEST ATTEST_CHECK PYTHON_CHECKER: on random data, with and without W, every verdict of assumption-b
that is proved has a certificate that both checkers accept, and its bracket of nu is not empty."""
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

ATTEST, CHECK, PYTHON_CHECK = sys.argv[1:4]
CASES = 24


def random_case(seed):
    rng = random.Random(seed)
    n, d, decimals = rng.choice([2, 3, 4]), rng.choice([2, 3, 4]), rng.choice([1, 3])

    def token():
        x = [rng.gauss(0, 1) for _ in range(d)]
        length = math.sqrt(sum(y * y for y in x))
        return [round(y / length, decimals) for y in x]

    tokens = [[token() for _ in range(rng.choice([1, 2, 3, 4]))] for _ in range(n)]
    given = [rng.randrange(len(sample)) for sample in tokens]
    claims = [{"claim": "assumption-b", "over": over, **more} for over in ("all", "support") for more in ({}, {"selection": given})]
    weights = {} if seed % 2 else {"W": [[rng.choice([-1, 0, 1, "1/2"]) for _ in range(d)] for _ in range(d)]}
    return {"name": f"random-{seed}", "tokens": tokens, "labels": [rng.choice([1, -1]) for _ in range(n)], **weights, "claims": claims}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "cases").mkdir()
        for seed in range(CASES):
            (folder / "cases" / f"{seed:02}.json").write_text(json.dumps(random_case(seed)), encoding="utf-8")
        done = subprocess.run([ATTEST, "verify", "cases", "--quiet", "--json", "results.json", "--certificates", "proofs"],
                              cwd=folder, capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
        verdicts = {}
        for case in results["cases"]:
            certificates = []
            for claim in case["claims"]:
                verdicts[claim["verdict"]] = verdicts.get(claim["verdict"], 0) + 1
                assert (claim["certificate"] is not None) == (claim["grade"] == "proved"), claim
                numbers = claim["numbers"]
                if numbers.get("nu_upper") is not None:
                    assert numbers["nu_lower"] <= numbers["nu_upper"], (case["name"], numbers)
                if claim["certificate"]:
                    certificates.append(claim["certificate"])
            for checker in ([CHECK], [sys.executable, "-B", PYTHON_CHECK]):
                checked = subprocess.run([*checker, *certificates, "--case", case["file"]], cwd=folder, capture_output=True, text=True)
                assert checked.returncode == 0 or not certificates, (case["name"], checked.stdout, checked.stderr)
        print(verdicts)
        assert verdicts.get("holds", 0) > 20 and verdicts.get("fails", 0) > 20, verdicts


main()
