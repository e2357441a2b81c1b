"""Torch and the theory: `extract` takes a trained layer apart, `Recorder` keeps a training run to be tracked."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Iterator, Optional

import numpy
import torch

from ._api import audit as _audit
from ._errors import InputError
from ._results import Results
from ._track import track as _track

_NAMES = {
    "query": ("q_proj", "query", "W_q", "Wq", "to_q", "q"),
    "key": ("k_proj", "key", "W_k", "Wk", "to_k", "k"),
    "value": ("v_proj", "value", "W_v", "Wv", "to_v", "v"),
    "output": ("out_proj", "output", "W_o", "Wo", "to_out", "out", "o_proj"),
}
_HEADS = ("num_heads", "n_heads", "heads")


@dataclass(frozen=True)
class Head:
    """One head: token t of sample i has the logit x_it · W z_i, and its output, read along a direction u, is Σ_t a_it v · x_it."""

    X: numpy.ndarray = field(repr=False)
    """The tokens (n, T, d)."""
    Z: numpy.ndarray = field(repr=False)
    """The queries (n, d)."""
    K: numpy.ndarray = field(repr=False)
    """(d, m); the scale of the logits is in Q."""
    Q: numpy.ndarray = field(repr=False)
    v: Optional[numpy.ndarray] = field(repr=False)
    """From the value and output weights and the readout; None where no readout was given."""
    notes: tuple[str, ...] = ()
    """What of the layer does not fit the theory, and is left out."""

    @property
    def W(self) -> numpy.ndarray:
        """K Qᵀ."""
        return numpy.asarray(self.K @ self.Q.T)

    def audit(self, Y: Any, **options: Any) -> Results:
        """What holds on the head's data. The theory trains W anew: the layer's own W is no part of them."""
        return _audit(self.X, Y, self.v, Z=self.Z, **options)


def _numpy(tensor: torch.Tensor) -> numpy.ndarray:
    return numpy.asarray(tensor.detach().cpu().double().numpy())


@dataclass(frozen=True)
class _Weights:
    """Of all heads: a row an output, as torch has them."""

    query: numpy.ndarray
    key: numpy.ndarray
    value: numpy.ndarray
    output: Optional[numpy.ndarray]
    heads: int
    scale: Optional[float]
    notes: tuple[str, ...]


def _bias_notes(query: Any, key: Any, value: Any, output: Any) -> Iterator[str]:
    def there(bias: Any) -> bool:
        return bias is not None and bool(torch.any(bias != 0))

    if there(query):
        yield "the bias of the queries adds a term to the logits that the theory does not have; it is left out"
    if there(key):
        yield "the bias of the keys adds the same to all logits of a sample, which softmax does not see"
    if there(value) or there(output):
        yield "the biases of values and output shift the output by a constant, which is left out"


def _of_multihead(module: torch.nn.MultiheadAttention) -> _Weights:
    if module.bias_k is not None or module.add_zero_attn:
        raise InputError("module: found a token that the layer adds (add_bias_kv or add_zero_attn), expected one that attends to its tokens")
    if module.in_proj_weight is not None:
        query, key, value = module.in_proj_weight.chunk(3)
    else:
        query, key, value = module.q_proj_weight, module.k_proj_weight, module.v_proj_weight
    biases = module.in_proj_bias.chunk(3) if module.in_proj_bias is not None else (None, None, None)
    notes = tuple(_bias_notes(biases[0], biases[1], biases[2], module.out_proj.bias))
    return _Weights(_numpy(query), _numpy(key), _numpy(value), _numpy(module.out_proj.weight), module.num_heads, None, notes)


def _part(module: torch.nn.Module, which: str) -> tuple[Optional[torch.Tensor], Optional[torch.Tensor]]:
    """Weight and bias of a linear map of the layer, or of a matrix W with x W as torch.nn.Parameter."""
    for name in _NAMES[which]:
        part = getattr(module, name, None)
        if isinstance(part, torch.nn.Linear):
            return part.weight, part.bias
        if isinstance(part, torch.Tensor) and part.ndim == 2:
            return part.T, None
    return None, None


def _of_plain(module: torch.nn.Module) -> _Weights:
    parts = {which: _part(module, which) for which in _NAMES}
    missing = [which for which in ("query", "key", "value") if parts[which][0] is None]
    if missing:
        raise InputError(
            f"module: found a {type(module).__name__} without {missing[0]} weights, expected torch.nn.MultiheadAttention or a layer with "
            f"linear maps such as q_proj, k_proj and v_proj"
        )
    heads = next((int(getattr(module, name)) for name in _HEADS if isinstance(getattr(module, name, None), int)), 1)
    scale = getattr(module, "scale", None)
    output = parts["output"][0]
    query, key, value = (_numpy(weight) for weight, _ in (parts["query"], parts["key"], parts["value"]) if weight is not None)
    biases = [parts[which][1] for which in ("query", "key", "value", "output")]
    notes = tuple(_bias_notes(biases[0], biases[1], biases[2], biases[3]))
    return _Weights(query, key, value, None if output is None else _numpy(output), heads, None if scale is None else float(scale), notes)


def _inputs(inputs: Any) -> tuple[numpy.ndarray, numpy.ndarray, tuple[str, ...]]:
    """Tokens and queries."""
    tokens, queries = inputs if isinstance(inputs, (tuple, list)) else (inputs, None)
    X = _numpy(torch.as_tensor(tokens))
    if X.ndim != 3:
        raise InputError(f"inputs: found tokens of shape {X.shape}, expected (n, T, d)")
    if queries is None:
        return X, X[:, 0], ("the query of a sample is its first token; positions are taken as they stand in the tokens",)
    Z = _numpy(torch.as_tensor(queries))
    if Z.shape != (X.shape[0], X.shape[2]):
        raise InputError(f"inputs: found queries of shape {Z.shape}, expected {(X.shape[0], X.shape[2])}, one a sample")
    return X, Z, ()


def extract(module: torch.nn.Module, inputs: Any, readout: Any = None) -> list[Head]:
    """The heads of torch.nn.MultiheadAttention, or of a plain layer with linear query, key and value maps, as data for an audit.

    `inputs` are the tokens (n, T, d) that the layer sees, positional terms included, or the pair of tokens and queries (n, d). `readout`
    is the direction u of the layer's output whose sign is the label: it makes v = V_hᵀ O_hᵀ u. What does not fit the theory is said in each
    head's notes.
    """
    weights = _of_multihead(module) if isinstance(module, torch.nn.MultiheadAttention) else _of_plain(module)
    X, Z, said = _inputs(inputs)
    d = X.shape[2]
    for name in ("query", "key", "value"):
        found = getattr(weights, name).shape
        if found[1] != d or found[0] % weights.heads:
            raise InputError(f"module: found {name} weights of shape {found} and {weights.heads} heads, expected tokens of {d} numbers in equal heads")
    notes = weights.notes + said
    if weights.heads > 1:
        notes += (f"the layer adds up {weights.heads} heads; the theory is about one, and what holds of it says nothing of the others",)
    return [_head(weights, h, X, Z, readout, notes) for h in range(weights.heads)]


def _head(weights: _Weights, h: int, X: numpy.ndarray, Z: numpy.ndarray, readout: Any, notes: tuple[str, ...]) -> Head:
    width = weights.key.shape[0] // weights.heads
    part = slice(h * width, (h + 1) * width)
    scale = 1 / math.sqrt(width) if weights.scale is None else weights.scale
    return Head(X, Z, weights.key[part].T, weights.query[part].T * scale, _v(weights, h, readout), notes)


def _v(weights: _Weights, h: int, readout: Any) -> Optional[numpy.ndarray]:
    if readout is None:
        return None
    u = _numpy(torch.as_tensor(readout)).ravel()
    width = weights.value.shape[0] // weights.heads
    part = slice(h * width, (h + 1) * width)
    along = u if weights.output is None else weights.output.T @ u if weights.output.shape[0] == u.size else None
    if along is None or along.size != weights.value.shape[0]:
        size = weights.value.shape[0] if weights.output is None else weights.output.shape[0]
        raise InputError(f"readout: found {u.size} numbers, expected {size}, as the layer's output has")
    return numpy.asarray(weights.value[part].T @ along[part])


class Recorder:
    """Keeps what is trained, p, W or the pair K and Q, at steps that are evenly spaced on a logarithmic scale.

        recorder = attest.torch.Recorder(p=p)
        for ...:
            optimizer.step()
            recorder.step()
        results = recorder.track({"X": X, "Y": Y, "v": v})
    """

    def __init__(self, *, per_decade: int = 20, **trained: torch.Tensor) -> None:
        if set(trained) - {"v"} not in ({"p"}, {"W"}, {"K", "Q"}):
            raise InputError(f"Recorder: found {', '.join(trained) or 'nothing'}, expected p, W, or K and Q, and perhaps v")
        self._trained = trained
        self._factor = 10 ** (1 / per_decade)
        self._count = 0
        self._next = 0
        self.steps: list[int] = []
        """The steps that were kept."""
        self._kept: dict[str, list[numpy.ndarray]] = {name: [] for name in trained}
        self._keep()

    def step(self) -> None:
        """To be called after each step of the optimizer."""
        self._count += 1
        if self._count >= self._next:
            self._keep()

    def _keep(self) -> None:
        self.steps.append(self._count)
        for name, tensor in self._trained.items():
            self._kept[name].append(_numpy(tensor).copy())
        self._next = max(self._count + 1, math.ceil(self._count * self._factor))

    def track(self, data: Any, **options: Any) -> Results:
        """Where the run goes; `data` as for `attest.track`. The present state is its last checkpoint."""
        if self.steps[-1] != self._count:
            self._keep()
        checkpoints: dict[str, Any] = {name: numpy.stack(kept) for name, kept in self._kept.items()}
        return _track(data, step=numpy.array(self.steps), **checkpoints, **options)
