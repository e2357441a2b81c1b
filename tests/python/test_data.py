"""Arrays of any kind are the numbers that they hold."""

from decimal import Decimal
from fractions import Fraction

import attest
import numpy
import pytest

X = [[["-1/10", 1], [1, 0], [0, 0]]]


def objective(tokens, **rest):
    return attest.svm(tokens, [1], [0], exact=True, **rest).objective


def test_a_text_and_a_fraction_are_that_fraction():
    assert objective(X) == Fraction(50, 101)
    assert objective([[[Fraction(-1, 10), 1], [1, 0], [0, 0]]]) == Fraction(50, 101)
    assert objective([[[Decimal("-0.1"), 1], [1, 0], [0, 0]]]) == Fraction(50, 101)


def test_a_double_is_exactly_that_double():
    tenth = Fraction(-0.1)
    expected = Fraction(1, 2) / (1 + tenth**2)
    assert expected != Fraction(50, 101)
    tokens = [[[-0.1, 1], [1, 0], [0, 0]]]
    assert objective(tokens) == objective(numpy.array(tokens)) == objective([numpy.array(tokens[0])]) == expected


def test_smaller_floats_and_whole_numbers_are_exact():
    tokens = numpy.array([[[-0.1, 1], [1, 0], [0, 0]]], dtype="float32")
    assert objective(tokens) == Fraction(1, 2) / (1 + Fraction(float(numpy.float32(-0.1))) ** 2)
    large = 2**60 + 1
    assert objective([[[large], [0]]]) == objective(numpy.array([[[large], [0]]])) == Fraction(1, 2 * large**2)


def test_orders_and_views_of_an_array_change_nothing():
    whole = numpy.arange(24.0).reshape(2, 4, 3) % 5
    part = numpy.asfortranarray(whole)[:, ::2]
    assert objective(part[:1]) == objective(part[:1].tolist())


def test_padded_samples_are_cut_to_their_lengths():
    padded = numpy.full((2, 3, 2), numpy.nan)
    padded[0, :2] = [[1, 0], [0, 0]]
    padded[1] = [[0, 1], [0, 0], [1, 0]]
    ragged = [padded[0, :2], padded[1]]
    cut = attest.svm(padded, [1, 1], [0, 0], lengths=[2, 3], exact=True)
    assert cut == attest.svm(ragged, [1, 1], [0, 0], exact=True)
    assert cut.outcome == "solved"


def test_a_solution_is_exact_and_its_certificate_is_accepted():
    solved = attest.svm(X, [1], [0], exact=True)
    assert solved.solution == (Fraction(-10, 101), Fraction(100, 101)) and solved.rows == ((0, 2),)
    assert attest.check(solved.certificate)
    rounded = attest.svm(X, [1], [0])
    assert rounded.objective == 50 / 101 and rounded.certificate == solved.certificate


def test_contradicting_rows_are_named():
    none = attest.svm([[[1, 0], [0, 0], [2, 0]]], [1], [0])
    assert none.outcome == "infeasible" and none.rows == ((0, 1), (0, 2)) and none.objective != none.objective
    assert attest.check(none.certificate)


@pytest.mark.parametrize(
    ("tokens", "labels", "rest", "said"),
    [
        ([[[1, 0]]], [7], {}, "Y[0]: found 7, expected 1 or -1"),
        ([[[1, 0]]], [1, 1], {}, "Y: found 2 labels, expected 1, one a sample"),
        ([[[1, 0]]], [True], {}, "Y[0]: found True, expected 1 or -1"),
        ([[[1, float("nan")]]], [1], {}, "X[0][0][1]: found NaN, expected a finite number"),
        ([[[1, 0], [1]]], [1], {}, "X[0][1]: found 1 numbers, expected 2, as in the first row"),
        (numpy.ones((3, 7)), [1, 1, 1], {}, "X: found shape (3, 7), expected shape (n, T, d): samples, tokens, numbers, each at least 1"),
        (numpy.ones((1, 2, 2)), [1], {"v": [1]}, "v: found shape (1, 1), expected shape (1, 2)"),
        (numpy.ones((1, 2, 2)), [1], {"W": numpy.ones(2)}, "W: found shape (2,), expected shape (d, d)"),
        (numpy.ones((1, 2, 2)), [1], {"Z": numpy.ones((2, 2))}, "Z: found shape (2, 2), expected shape (1, 2)"),
        (numpy.ones((1, 2, 2)) * 1j, [1], {}, "X[0]: found an array of complex128"),
        ([[["a third"]]], [1], {}, 'X[0][0][0]: found "a third", expected a number'),
        ([[[None]]], [1], {}, "X[0][0][0]: found None, expected a number"),
        ("tokens", [1], {}, "X: found 'tokens', expected an array"),
        ([], [], {}, "X: found no samples, expected at least one"),
        (numpy.ones((1, 2, 2)), [1], {"lengths": [3]}, "lengths[0]: found 3, expected a whole number from 1 to 2"),
        (numpy.ones((1, 2, 2)), [1], {"lengths": [1, 1]}, "lengths: found 2 numbers, expected 1, one a sample"),
    ],
)
def test_what_is_no_data_is_refused_with_its_place(tokens, labels, rest, said):
    with pytest.raises(attest.InputError) as refused:
        attest.svm(tokens, labels, [0], **rest)
    assert str(refused.value).startswith(said)


def test_a_selection_or_program_that_is_none_is_refused():
    with pytest.raises(attest.InputError, match="selection"):
        attest.svm(X, [1], [3])
    with pytest.raises(attest.InputError, match="program: found"):
        attest.svm(X, [1], [0], program="q")


def test_tensors_are_arrays():
    torch = pytest.importorskip("torch")
    tokens = torch.tensor([[[-0.1, 1], [1, 0], [0, 0]]], dtype=torch.float64)
    expected = objective(tokens.numpy())
    assert objective(tokens) == objective(tokens.clone().requires_grad_()) == objective([tokens[0]]) == expected
    half = tokens.to(torch.bfloat16)
    assert objective(half) == objective(half.double())
