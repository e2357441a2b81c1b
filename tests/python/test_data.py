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


def test_arrays_of_objects_are_what_they_hold():
    ragged = numpy.empty(2, dtype=object)
    ragged[:] = [numpy.array([[1, 0], [0, 0]]), [[0, Fraction(1, 3)], [0, 0], [1, 0]]]
    assert attest.svm(ragged, [1, 1], [0, 0], exact=True) == attest.svm([[[1, 0], [0, 0]], [[0, "1/3"], [0, 0], [1, 0]]], [1, 1], [0, 0], exact=True)


def test_what_only_knows_the_array_protocols_is_an_array():
    tokens = numpy.array([[[-0.1, 1], [1, 0], [0, 0]]])

    class WithArray:
        def __array__(self, dtype=None, copy=None):
            return tokens

    class WithDlpack:
        def __dlpack__(self, **options):
            return tokens.__dlpack__(**options)

        def __dlpack_device__(self):
            return tokens.__dlpack_device__()

    assert objective(WithArray()) == objective(WithDlpack()) == objective(tokens)


@pytest.mark.needs("torch")
def test_tensors_are_arrays():
    import torch

    tokens = torch.tensor([[[-0.1, 1], [1, 0], [0, 0]]], dtype=torch.float64)
    expected = objective(tokens.numpy())
    assert objective(tokens) == objective(tokens.clone().requires_grad_()) == objective([tokens[0]]) == expected
    half = tokens.to(torch.bfloat16)
    assert objective(half) == objective(half.double())
