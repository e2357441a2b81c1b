"""Layers of torch, taken apart: what the head's numbers say is what the layer computes."""

import attest
import numpy
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.needs("torch")

import attest.torch  # noqa: E402


class Plain(torch.nn.Module):
    """One head, without biases."""

    def __init__(self, d):
        super().__init__()
        self.q_proj, self.k_proj, self.v_proj = (torch.nn.Linear(d, d, bias=False) for _ in range(3))

    def forward(self, tokens, queries):
        logits = torch.einsum("nd,ntd->nt", self.q_proj(queries), self.k_proj(tokens)) / tokens.shape[2] ** 0.5
        return torch.einsum("nt,ntd->nd", logits.softmax(1), self.v_proj(tokens))


def tokens(n=3, T=5, d=4):
    generator = torch.Generator().manual_seed(0)
    return torch.randn(n, T, d, generator=generator, dtype=torch.float64), torch.randn(n, d, generator=generator, dtype=torch.float64)


def output_of(heads):
    """As the theory has it: the sum over heads of Σ_t softmax(X W z)_t v · x_t."""
    total = 0
    for head in heads:
        logits = numpy.einsum("ntd,de,ne->nt", head.X, head.W, head.Z)
        weights = numpy.exp(logits - logits.max(1, keepdims=True))
        weights /= weights.sum(1, keepdims=True)
        total = total + numpy.einsum("nt,ntd,d->n", weights, head.X, head.v)
    return total


def test_heads_of_multihead_attention_compute_what_it_does():
    torch.manual_seed(1)
    layer = torch.nn.MultiheadAttention(4, 2, bias=False, batch_first=True, dtype=torch.float64)
    X, Z = tokens()
    u = torch.tensor([1.0, -2.0, 0.5, 3.0], dtype=torch.float64)
    heads = attest.torch.extract(layer, (X, Z), readout=u)
    expected = layer(Z[:, None], X, X, need_weights=False)[0][:, 0] @ u
    assert len(heads) == 2 and numpy.allclose(output_of(heads), expected.detach().numpy(), atol=1e-12)
    assert any("2 heads" in note for note in heads[0].notes)
    # The twin: another readout reads something else.
    other = attest.torch.extract(layer, (X, Z), readout=-u)
    assert not numpy.allclose(output_of(other), expected.detach().numpy())


def test_a_plain_layer_is_one_head():
    torch.manual_seed(2)
    layer = Plain(4).double()
    X, Z = tokens()
    u = torch.ones(4, dtype=torch.float64)
    (head,) = attest.torch.extract(layer, (X, Z), readout=u)
    assert numpy.allclose(output_of([head]), (layer(X, Z) @ u).detach().numpy(), atol=1e-12) and head.notes == ()
    assert attest.torch.extract(layer, X)[0].v is None


def test_what_does_not_fit_is_said():
    layer = torch.nn.MultiheadAttention(4, 1, batch_first=True)
    with torch.no_grad():
        layer.in_proj_bias.fill_(0.5)
    (head,) = attest.torch.extract(layer, tokens()[0])
    assert any("bias of the queries" in note for note in head.notes) and any("first token" in note for note in head.notes)
    with pytest.raises(attest.InputError, match="attends to its tokens"):
        attest.torch.extract(torch.nn.MultiheadAttention(4, 1, add_bias_kv=True), tokens()[0])
    with pytest.raises(attest.InputError, match="without query weights"):
        attest.torch.extract(torch.nn.Linear(4, 4), tokens()[0])
    with pytest.raises(attest.InputError, match="readout: found 3 numbers"):
        attest.torch.extract(layer, tokens()[0], readout=[1, 2, 3])
    with pytest.raises(attest.InputError, match="expected tokens of 5 numbers"):
        attest.torch.extract(layer, tokens(d=5)[0])


def test_a_trained_head_is_audited():
    torch.manual_seed(3)
    layer = Plain(3).double()
    X, Z = tokens(2, 3, 3)
    Y = torch.tensor([1.0, -1.0], dtype=torch.float64)
    u = torch.ones(3, dtype=torch.float64)
    optimizer = torch.optim.SGD([layer.q_proj.weight, layer.k_proj.weight], lr=0.5)
    for _ in range(50):
        optimizer.zero_grad()
        torch.nn.functional.softplus(-Y * (layer(X, Z) @ u)).mean().backward()
        optimizer.step()
    (head,) = attest.torch.extract(layer, (X, Z), readout=u)
    results = head.audit(Y, progress=False, budget=0.5)
    attest.assert_holds(results, "assumption-a", grade="proved")
    assert results.find("w-svm")


def test_a_training_run_is_recorded_and_tracked():
    X = torch.tensor([[[-0.1, 1.0, 1.0], [1, 0, 0.9], [0, 0, 0]]], dtype=torch.float64)
    v = torch.tensor([0.0, 0, 1], dtype=torch.float64)
    W = torch.diag(torch.tensor([1.0, 1, 0], dtype=torch.float64))
    p = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    recorder = attest.torch.Recorder(p=p)
    for _ in range(3000):
        loss = torch.nn.functional.softplus(-((X[0] @ W.T @ p).softmax(0) @ (X[0] @ v)))
        (gradient,) = torch.autograd.grad(loss, p)
        with torch.no_grad():
            p -= 0.1 * gradient / gradient.norm()
        recorder.step()
    assert recorder.steps[:4] == [0, 1, 2, 3] and len(recorder.steps) < 80
    results = recorder.track({"X": X, "Y": [1], "v": v, "W": W}, progress=False)
    assert recorder.steps[-1] == 3000
    attest.assert_holds(results, "trajectory")
    # The twin: a run that stands still goes nowhere.
    still = attest.track({"X": X, "Y": [1], "v": v, "W": W}, p=numpy.zeros((5, 3)), progress=False)
    assert still.claims[0].verdict != "holds"
    with pytest.raises(attest.InputError, match="expected p, W, or K and Q"):
        attest.torch.Recorder(v=v)
    with pytest.raises(attest.InputError, match="expected X, Y"):
        attest.track({"X": X}, p=numpy.zeros((5, 3)))
