"""An audit from Python is the audit of the command line."""

import json
import subprocess

import attest
import numpy
import pytest


def without_seconds(text):
    content = json.loads(text)
    for case in content["cases"]:
        case["file"] = ""
        for claim in case["claims"]:
            claim["seconds"] = 0
            claim["certificate"] = None
            claim.pop("run_certificates", None)
            for hypothesis in claim.get("hypotheses", []):
                hypothesis["certificate"] = None
    return content


def test_an_audit_finds_what_the_command_line_finds(audited, pair, program, tmp_path):
    case = tmp_path / "pair.json"
    case.write_text(json.dumps(pair))
    told = subprocess.run([program, "audit", case, "--json", "-"], capture_output=True, text=True, check=True).stdout
    assert without_seconds(audited.to_json()) == without_seconds(told)


def test_an_archive_is_audited_by_its_path(tmp_path):
    X = numpy.array([[[1.0, 0.0], [0.0, 1.0]]])
    numpy.savez(tmp_path / "data.npz", X=X, Y=[1], v=[1.0, 0.0])
    by_path = attest.audit(tmp_path / "data.npz", progress=False)
    by_arrays = attest.audit(X, [1], [1.0, 0.0], progress=False)
    assert without_seconds(by_path.to_json()) == without_seconds(by_arrays.to_json())
    assert attest.verify(by_path.save_case(tmp_path / "kept.json"), progress=False).as_expected


def test_what_is_proved_has_a_certificate_that_is_accepted(audited):
    proved = [one for one in audited.claims if one.grade == "proved"]
    assert proved and all(one.certificate for one in proved)
    for certificate in audited.certificates.values():
        assert attest.check(certificate)


def test_a_saved_audit_verifies_and_changed_data_do_not(audited, tmp_path):
    kept = audited.save_case(tmp_path / "kept.json")
    assert attest.verify(kept, progress=False).as_expected
    changed = json.loads(kept.read_text())
    changed["tokens"][0][0][0] = 3
    again = attest.verify(changed, progress=False)
    assert not again.as_expected and "tokens" in again.data_changed


def test_results_tell_what_was_found(audited):
    assert audited.headline and audited.headline in repr(audited)
    (local, *_) = audited.find("gd-local", (0, 1))
    assert (local.verdict, local.grade) == ("holds", "proved")
    assert local.numbers["norm"] > 1 and {one.verdict for one in local.hypotheses} == {"holds"}
    assert not audited.find("gd-local", (9, 9)) and not audited.find("no-claim")


@pytest.mark.needs("pandas")
def test_results_are_a_table_where_pandas_is(audited):
    import pandas

    frame = audited.to_frame()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == len(audited.claims)
    assert set(frame[frame.claim == "gd-local"].verdict) == {"holds"}


def test_figures_are_svg_by_name(audited, tmp_path):
    figure = audited.figure("gd-local")
    assert "gd-local" in figure.name and figure.svg.startswith("<svg") and "xmlns=" in figure.svg and figure.save(tmp_path / "error.svg").exists()
    with pytest.raises(KeyError, match="gd-local"):
        audited.figure("no-claim")


def test_a_notebook_shows_a_fragment_that_stands_alone(audited):
    shown = audited._repr_html_()
    assert "<html" not in shown and "<script" not in shown and "http" not in shown
    assert "gd-local (0, 1)" in shown and "prefers-color-scheme:dark" in shown and 'data-jp-theme-light="false"' in shown
    assert shown.count("<div") == shown.count("</div>") and shown.count("<details") == shown.count("</details>")


def test_asserting_what_holds(audited):
    attest.assert_holds(audited, "gd-local", grade="proved")
    attest.assert_holds(audited, "gd-local", selection=[0, 1])
    observed = next(one.label for one in audited.claims if (one.verdict, one.grade) == ("holds", "observed"))
    with pytest.raises(AssertionError, match=f"{observed}.*found holds, observed; expected holds, proved"):
        attest.assert_holds(audited, observed, grade="proved")
    with pytest.raises(AssertionError, match="not among"):
        attest.assert_holds(audited, "no-claim")
    with pytest.raises(attest.InputError, match="grade"):
        attest.assert_holds(audited, "gd-local", grade="sure")
