"""What is no data is refused in the words of the command line: an array in those of its archive, a list in those of its case."""

import json
import subprocess

import attest
import numpy
import pytest

ONES = numpy.ones((1, 2, 2))
GOOD = {"X": ONES, "Y": numpy.array([1])}
FIELDS = {"X": "$.tokens", "Y": "$.labels", "v": "$.v", "W": "$.W", "Z": "$.queries"}


def at(array, place, value):
    changed = numpy.array(array, dtype="float64")
    changed[place] = value
    return changed


def said_by_program(program, file):
    done = subprocess.run([program, "audit", file], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    return done.stderr.removeprefix(f"attest: {file}: ").rstrip("\n")


@pytest.mark.parametrize(
    "change",
    [
        {"X": numpy.ones((3, 7))},
        {"X": numpy.ones((0, 2, 2))},
        {"X": ONES > 0},
        {"X": ONES * 1j},
        {"X": ONES.astype("longdouble")},
        {"X": numpy.array([[["a"]]])},
        {"X": at(ONES, (0, 1, 0), numpy.nan)},
        {"X": at(ONES, (0, 0, 1), -numpy.inf)},
        {"Y": numpy.array([7])},
        {"Y": numpy.array([0.5])},
        {"Y": numpy.array([1, 1])},
        {"Y": numpy.array([[1]])},
        {"Y": numpy.array([0])},
        {"Y": numpy.array([False])},
        {"v": numpy.ones(3)},
        {"v": numpy.ones((1, 2))},
        {"v": at(numpy.ones(2), 1, numpy.inf)},
        {"W": numpy.ones(2)},
        {"W": numpy.ones((2, 2)) > 0},
        {"Z": numpy.ones((2, 2))},
        {"lengths": numpy.array([3])},
        {"lengths": numpy.array([0.5])},
        {"lengths": numpy.array([1, 1])},
        {"lengths": numpy.array([True])},
    ],
    ids=lambda change: ", ".join(f"{name} {array.dtype} {array.tolist()}" for name, array in change.items()),
)
def test_an_array_is_refused_as_its_archive(change, program, tmp_path):
    arrays = {**GOOD, **change}
    numpy.savez(tmp_path / "data.npz", **arrays)
    with pytest.raises(attest.InputError) as refused:
        attest.audit(**arrays)
    assert str(refused.value) == said_by_program(program, tmp_path / "data.npz")
    with pytest.raises(attest.InputError) as refused:
        attest.audit(tmp_path / "data.npz")
    assert str(refused.value).endswith(said_by_program(program, tmp_path / "data.npz"))


@pytest.mark.parametrize(
    "change",
    [
        {"X": []},
        {"X": 7},
        {"X": [[]]},
        {"X": [[[]]]},
        {"X": [[1, 0]]},
        {"X": [[[1, 0], [1]]]},
        {"X": [[[1, 0]], [[1]]]},
        {"X": [[["a third", 0]]]},
        {"X": [[[None, 0]]]},
        {"X": [[[True, 0]]]},
        {"Y": [7]},
        {"Y": [True]},
        {"Y": [1, 1]},
        {"Y": 1},
        {"Y": [[1]]},
        {"v": [1]},
        {"v": [[1, 0]]},
        {"W": [[1, 0]]},
        {"W": [[1, 0], [1]]},
        {"Z": [[1, 0], [1, 0]]},
        {"Z": []},
    ],
    ids=str,
)
def test_a_list_is_refused_as_its_case(change, program, tmp_path):
    lists = {"X": [[[1, 0], [0, 1]]], "Y": [1], **change}
    (tmp_path / "data.json").write_text(json.dumps({FIELDS[name].removeprefix("$."): value for name, value in lists.items()}))
    with pytest.raises(attest.InputError) as refused:
        attest.audit(**lists)
    (name,) = change
    assert str(refused.value).replace(name, FIELDS[name], 1) == said_by_program(program, tmp_path / "data.json")


@pytest.mark.parametrize(
    ("tokens", "rest", "said"),
    [
        ([[["1e400", 0]]], {}, "X[0][0][0]: found a number beyond doubles, expected a number in the range of doubles, up to 1.8e308"),
        ([[[1, float("nan")]]], {}, "X[0][0][1]: found NaN, expected a finite number"),
        ([numpy.ones((2, 2)), numpy.ones((2, 3))], {"Y": [1, 1]}, "X[1]: found shape (2, 3), expected shape (T, 2)"),
        ([numpy.ones(2)], {}, "X[0]: found shape (2,), expected shape (T, d)"),
        ([at(numpy.ones((2, 2)), (1, 0), numpy.nan)], {}, "X[0]: found nan at [1][0], expected finite numbers"),
        ([[[1, 0], [0, 1]]], {"lengths": [3]}, "lengths[0]: found 3, expected a whole number from 1 to 2"),
        ([[[1, 0], [0, 1]]], {"lengths": ["2"]}, 'lengths[0]: found "2", expected a whole number from 1 to 2'),
        ("tokens", {}, 'X: found "tokens", expected a non-empty array of samples'),
        (numpy.array(None), {}, "X: found null, expected a non-empty array of samples"),
    ],
)
def test_what_neither_can_hold_is_refused_with_its_place(tokens, rest, said):
    with pytest.raises(attest.InputError) as refused:
        attest.svm(tokens, **{"Y": [1], **rest}, selection=[0])
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("selection", [[3], [-1], [0.5], "0", ["0"], [True], 0, [0, 0]], ids=str)
def test_a_selection_that_is_none_is_refused(selection):
    with pytest.raises(attest.InputError, match="^selection"):
        attest.svm([[[1, 0], [0, 0]]], [1], selection)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"jobs": 0}, "jobs: found 0, expected a whole number from 1 to 1024"),
        ({"jobs": -1}, "jobs: found -1"),
        ({"jobs": 10**12}, "jobs: found 1000000000000"),
        ({"seed": -1}, "seed: found -1, expected a whole number below 2^64"),
        ({"seed": 2**64}, "seed: found 18446744073709551616"),
        ({"seed": 0.5}, "seed: found 0.5"),
        ({"budget": float("nan")}, "budget: found nan, expected seconds above 0 and up to 10^9"),
        ({"budget": 0}, "budget: found 0"),
        ({"budget": "20"}, "budget: found '20'"),
        ({"loss": 3}, "loss: found 3"),
        ({"loss": "nonsense("}, 'loss: found "nonsense("'),
        ({"name": "a/b"}, 'name: found "a/b"'),
        ({"certificates": "/dev/null/proofs"}, "certificates: found /dev/null/proofs"),
    ],
    ids=str,
)
def test_options_that_are_none_are_refused(options, said):
    with pytest.raises(attest.InputError) as refused:
        attest.audit([[[1, 0], [0, 0]]], [1], [1, 0], **options)
    assert str(refused.value).startswith(said)


def test_a_program_that_is_none_is_refused():
    with pytest.raises(attest.InputError, match="program: found"):
        attest.svm([[[1, 0], [0, 0]]], [1], [0], program="q")


def test_what_a_mask_hides_is_not_taken_for_data():
    tokens = numpy.ma.array([[[1.0, 0], [0, 0]]], mask=[[[False, False], [False, True]]])
    with pytest.raises(attest.InputError, match="masked array"):
        attest.svm(tokens, [1], [0])
    assert attest.svm(numpy.ma.array([[[1.0, 0], [0, 0]]]), [1], [0]).objective == 0.5


def test_a_case_that_is_a_mapping_is_refused_without_a_file():
    with pytest.raises(attest.InputError) as refused:
        attest.verify({"tokens": [[[1]]], "labels": [7], "claims": [{"claim": "p-svm", "selection": [0]}]})
    assert str(refused.value) == "$.labels[0]: found 7, expected 1 or -1"


def test_a_run_is_refused_as_its_archive(program, tmp_path):
    data = {"X": [[[1, 0], [0, 1]]], "Y": [1], "v": [1, 0]}
    numpy.savez(tmp_path / "data.npz", **{name: numpy.array(value, dtype="float64") for name, value in data.items()})
    for run in ({"p": numpy.ones((5, 3))}, {"p": numpy.ones((5, 2)), "W": numpy.ones((5, 2, 2))}, {"K": numpy.ones((5, 2, 1))}, {}):
        numpy.savez(tmp_path / "run.npz", **run)
        done = subprocess.run([program, "track", tmp_path / "data.npz", tmp_path / "run.npz"], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        with pytest.raises(attest.InputError) as refused:
            attest.track(data, **run)
        assert str(refused.value) == done.stderr.removeprefix(f"attest: {tmp_path / 'run.npz'}: ").rstrip("\n")
    with pytest.raises(attest.InputError, match="expected X, Y"):
        attest.track({"X": data["X"]}, p=numpy.zeros((5, 2)))
    with pytest.raises(attest.InputError, match="p: found rows that do not fit"):
        attest.track(data, p=[[0, 0], [1]])


def test_a_padded_archive_is_tracked_without_its_padding(tmp_path):
    X = numpy.full((1, 3, 2), numpy.nan)
    X[0, :2] = [[1, 0], [0, 0]]
    numpy.savez(tmp_path / "data.npz", X=X, Y=[1], v=[1.0, 0], lengths=[2])
    run = numpy.outer(numpy.arange(20.0), [1.0, 0])
    by_file = attest.track(tmp_path / "data.npz", p=run, progress=False)
    by_arrays = attest.track({"X": X[:, :2], "Y": [1], "v": [1.0, 0]}, p=run, progress=False)
    assert by_file.claims[0].numbers == by_arrays.claims[0].numbers and by_file.claims[0].verdict == "holds"
