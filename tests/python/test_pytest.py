"""A case is a test file, and each of its claims a test."""

import json

from test_verify import EXAMPLE

pytest_arguments = ("-p", "attest._pytest", "-p", "no:cacheprovider")


def run(pytester, case, name="example.attest.json"):
    (pytester.path / name).write_text(json.dumps(case) if isinstance(case, dict) else case)
    return pytester.runpytest_subprocess(*pytest_arguments)


def test_claims_as_expected_pass(pytester):
    run(pytester, EXAMPLE).assert_outcomes(passed=2)


def test_a_claim_that_is_not_fails_alone(pytester):
    claims = [EXAMPLE["claims"][0], {"claim": "locally-optimal", "selection": [1]}]
    result = run(pytester, {**EXAMPLE, "claims": claims})
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["locally-optimal (1): found fails, proved:*"])


def test_what_is_no_case_is_an_error(pytester):
    run(pytester, "{}").assert_outcomes(errors=1)


def test_a_case_that_is_refused_fails_with_the_reason(pytester):
    result = run(pytester, {**EXAMPLE, "labels": [7]})
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*labels*: found 7, expected 1 or -1"])


def test_other_files_are_left_alone(pytester):
    run(pytester, EXAMPLE, "example.json").assert_outcomes()
