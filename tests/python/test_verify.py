"""Cases, certificates and claims as the command line has them."""

import json
import subprocess
from fractions import Fraction

import attest
import numpy
import pytest

EXAMPLE = {
    "name": "example",
    "tokens": [[["-0.1", 1, 1], [1, 0, "9/10"], [0, 0, "9/10"]]],
    "labels": [1],
    "v": [0, 0, 1],
    "W": [[1, 0, 0], [0, 1, 0], [0, 0, 0]],
    "claims": [
        {"claim": "p-svm", "selection": [0], "objective": "50/101", "grade": "proved"},
        {"claim": "locally-optimal", "selection": [1], "expect": "fails", "grade": "proved"},
    ],
}


def test_a_case_is_verified_as_a_mapping_and_as_a_file(tmp_path):
    file = tmp_path / "example.json"
    file.write_text(json.dumps(EXAMPLE))
    for case in (EXAMPLE, file, str(file), tmp_path, [EXAMPLE]):
        results = attest.verify(case, progress=False)
        assert results.as_expected and results.headline == "2 passed, 0 failed"
    assert attest.verify([EXAMPLE, file], progress=False).headline == "4 passed, 0 failed"


def test_a_claim_that_is_not_as_expected_does_not_pass():
    wrong = {**EXAMPLE, "claims": [{"claim": "locally-optimal", "selection": [1]}]}
    results = attest.verify(wrong, progress=False)
    assert not results.as_expected and not results.claims[0].passed and results.claims[0].verdict == "fails"
    assert results.headline.startswith("locally-optimal (1): fails, proved: neighbour [0,2]")


def test_arrays_and_fractions_in_a_case_are_exact():
    tokens = numpy.array([[[-0.1, 1.0], [1, 0], [0, 0]]])
    objective = Fraction(1, 2) / (1 + Fraction(-0.1) ** 2)
    case = {"tokens": tokens, "labels": [1], "claims": [{"claim": "p-svm", "selection": [0], "objective": objective}]}
    assert attest.verify(case, progress=False).as_expected
    case["tokens"] = tokens.tolist()  # as a case file writes them: -0.1 is one tenth
    assert not attest.verify(case, progress=False).as_expected


def test_bad_input_has_the_text_of_the_command_line(program, tmp_path):
    file = tmp_path / "bad.json"
    file.write_text(json.dumps({**EXAMPLE, "labels": [0], "claims": []}))
    said = subprocess.run([program, "verify", file], capture_output=True, text=True, check=False)
    assert said.returncode == 2
    with pytest.raises(attest.InputError) as refused:
        attest.verify(file)
    assert f"attest: {refused.value}\n" == said.stderr
    with pytest.raises(attest.InputError, match="nowhere.npz"):
        attest.audit(tmp_path / "nowhere.npz")
    with pytest.raises(attest.InputError, match="jobs: found 0"):
        attest.verify(EXAMPLE, jobs=0)
    with pytest.raises(attest.InputError, match="budget"):
        attest.verify(EXAMPLE, budget=float("nan"))


def test_a_certificate_is_checked_in_every_form_and_against_its_data(tmp_path):
    certificate = attest.verify(EXAMPLE, progress=False).claims[0].certificate
    file = certificate.save(tmp_path)
    for form in (certificate, file, str(file), certificate.text, json.loads(certificate.text)):
        checked = attest.check(form, EXAMPLE)
        assert checked and (checked.kind, checked.claim) == ("svm-optimal", "p-svm")
    forged = certificate.text.replace("50/101", "51/101")
    assert forged != certificate.text and not attest.check(forged)
    other = {**EXAMPLE, "tokens": [[["-0.2", 1, 1], [1, 0, "9/10"], [0, 0, "9/10"]]]}
    rejected = attest.check(certificate, other)
    assert not rejected and rejected.reason
    with pytest.raises(attest.InputError, match="cannot read"):
        attest.check(tmp_path / "nowhere.json")


def test_certificates_are_kept_where_they_are_asked_for(tmp_path):
    results = attest.verify(EXAMPLE, certificates=tmp_path / "proofs", progress=False)
    assert {file.name for file in (tmp_path / "proofs").iterdir()} == set(results.certificates)


def test_claims_are_those_of_the_command_line(program):
    told = subprocess.run([program, "claims", "--json"], capture_output=True, text=True, check=True).stdout
    assert attest.claims() == json.loads(told)
    assert program and attest.__version__ in subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
