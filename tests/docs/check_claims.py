#!/usr/bin/env python3
"""check_claims.py page ATTEST PAGE            docs/claims.md is what `attest claims --markdown` prints.
check_claims.py numbers ATTEST RESULTS      in the results of all cases every number is one that its claim describes, and every number that
                                            a claim describes is reported by some case, or stands in RARE.
check_claims.py --self-test                 what is wrong is seen.
"""

import difflib
import json
import pathlib
import subprocess
import sys
import unittest

# Numbers that no case reports, and why.
RARE = {
    ("gd-local", "at_equal_norm[].path_error"): "the path of the one case with constant steps is not verified at the run's norm",
    ("gd-local", "at_equal_norm[].gd_vs_path"): "the path of the one case with constant steps is not verified at the run's norm",
    ("mirror-descent", "at_equal_norm"): "no case has constant steps and q = 2",
    ("mirror-descent", "at_equal_norm[].path_error"): "no case has constant steps and q = 2",
    ("mirror-descent", "at_equal_norm[].gd_vs_path"): "no case has constant steps and q = 2",
    ("w-gd", "at_equal_norm"): "no case has constant steps",
    ("w-gd", "at_equal_norm[].path_error"): "no case has constant steps",
    ("w-gd", "at_equal_norm[].gd_vs_path"): "no case has constant steps",
}


def printed(attest, *arguments):
    return subprocess.run([attest, "claims", *arguments], capture_output=True, encoding="utf-8", check=True).stdout


def page_defects(page, made):
    if page == made:
        return []
    lines = difflib.unified_diff(page.splitlines(), made.splitlines(), "docs/claims.md", "attest claims --markdown", lineterm="", n=0)
    return ["docs/claims.md is not what the claims say of themselves; scripts/docs writes it:", *lines]


def is_reported(value, path):
    """Whether the path, such as ("runs[]", "trace", "norm"), leads to something in the value."""
    if not path:
        return True
    name, rest = path[0], path[1:]
    if not isinstance(value, dict) or name.removesuffix("[]") not in value:
        return False
    found = value[name.removesuffix("[]")]
    if name.endswith("[]"):
        return isinstance(found, list) and any(is_reported(entry, rest) for entry in found)
    return is_reported(found, rest)


def number_defects(claims, results, rare):
    described = {claim["name"]: [number["name"] for number in claim["numbers"]] for claim in claims}
    reports = {name: [] for name in described}
    for case in results["cases"]:
        for claim in case["claims"]:
            reports[claim["claim"]].append((case["name"], claim["numbers"] or {}))
    defects = []
    for name, numbers in described.items():
        reported = {number: case for case, found in reports[name] for number in found}
        defects += [f"{name}: {case} reports {number}, which the claim does not describe"
                    for number, case in sorted(reported.items()) if number not in numbers]
        for number in numbers:
            seen = any(is_reported(found, number.split(".")) for _, found in reports[name])
            if not seen and (name, number) not in rare:
                defects.append(f"{name}: no case reports {number}")
            if seen and (name, number) in rare:
                defects.append(f"{name}: {number} is called rare, but a case reports it")
        if len(numbers) != len(set(numbers)):
            defects.append(f"{name}: describes a number twice")
    defects += [f"{name}: {number} is called rare, but no claim describes it"
                for name, number in rare if number not in described.get(name, [])]
    return defects


class SelfTest(unittest.TestCase):
    CLAIMS = [{"name": "one", "numbers": [{"name": "norm"}, {"name": "runs"}, {"name": "runs[].rate"}]}]

    @staticmethod
    def results(numbers):
        return {"cases": [{"name": "case", "claims": [{"claim": "one", "numbers": numbers}, {"claim": "one", "numbers": None}]}]}

    def test_what_is_described_and_reported_is_right(self):
        self.assertEqual(number_defects(self.CLAIMS, self.results({"norm": None, "runs": [{}, {"rate": 1}]}), {}), [])

    def test_a_number_that_is_not_described_is_seen(self):
        self.assertIn("margin", number_defects(self.CLAIMS, self.results({"norm": 1, "runs": [{"rate": 1}], "margin": 2}), {})[0])

    def test_a_number_that_is_not_reported_is_seen_unless_it_is_rare(self):
        results = self.results({"norm": 1, "runs": [{"norm": 1}]})
        self.assertIn("runs[].rate", number_defects(self.CLAIMS, results, {})[0])
        self.assertEqual(number_defects(self.CLAIMS, results, {("one", "runs[].rate"): "made up"}), [])

    def test_a_rare_number_that_is_not_rare_is_seen(self):
        results = self.results({"norm": 1, "runs": [{"rate": 1}]})
        self.assertIn("called rare", number_defects(self.CLAIMS, results, {("one", "norm"): "made up"})[0])
        self.assertIn("called rare", number_defects(self.CLAIMS, results, {("two", "norm"): "made up"})[0])

    def test_a_page_that_is_not_what_is_printed_is_seen(self):
        self.assertEqual(page_defects("a\nb\n", "a\nb\n"), [])
        self.assertIn("-b", page_defects("a\nb\n", "a\nc\n"))


def main():
    if sys.argv[1:] == ["--self-test"]:
        unittest.main(argv=sys.argv[:1], verbosity=2)
    what, attest, other = sys.argv[1:]
    text = pathlib.Path(other).read_text(encoding="utf-8")
    if what == "page":
        defects = page_defects(text, printed(attest, "--markdown"))
    else:
        defects = number_defects(json.loads(printed(attest, "--json")), json.loads(text), RARE)
    print("\n".join(defects) if defects else "no defect")
    return 1 if defects else 0


if __name__ == "__main__":
    sys.exit(main())
