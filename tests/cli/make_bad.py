#!/usr/bin/env python3
"""Writes bad/ (cases that attest must refuse), their index, and good/ (their sound twins).

usage: make_bad.py [FOLDER]     (default: the folder of this file)

Each bad case differs from a good one in the one defect that its name says. Run it after a change and commit
what it writes; it needs nothing but Python's standard library.
"""
import hashlib
import io
import json
import pathlib
import shutil
import struct
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent

TOKENS = "[[[1, 0], [0, 1]], [[0, -1], [1, 1], [2, 0]]]"
SAMPLES_OF_2 = [[[1.0, 0.0], [0.0, 1.0]], [[0.0, -1.0], [1.0, 1.0]]]
OPTIMAL = '{"claim": "globally-optimal", "selection": [0, 0], "unique": true, "grade": "proved"}'


def case(tokens=TOKENS, labels="[1, -1]", v="[1, 0]", claims=f"[{OPTIMAL}]", **more):
    """The text of a case; None leaves a part out, a string stands there as it is."""
    parts = {"tokens": tokens, "labels": labels, "v": v, **more, "claims": claims}
    return "{" + ",\n ".join(f'"{key}": {text}' for key, text in parts.items() if text is not None) + "}\n"


def claim(text):
    return case(claims=f"[{OPTIMAL},\n  {text}]")


def npy(shape, numbers, descr="<f8", fortran=False):
    """The bytes of a .npy file."""
    extents = "(" + "".join(f"{extent}, " for extent in shape).rstrip(" " if len(shape) == 1 else ", ") + ")"
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {extents}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    kind = {"<f8": "<%dd", "<f4": "<%df", "<f2": "<%de", "<i8": "<%dq", "|b1": "%d?", "<c16": "<%dd"}[descr] % len(numbers)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(kind, *numbers)


def npz(deflate=True, **members):
    """The bytes of a .npz archive, the same at each run."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name + ".npy", (1980, 1, 1, 0, 0, 0))
            archive.writestr(info, content, zipfile.ZIP_DEFLATED if deflate else zipfile.ZIP_STORED)
    return buffer.getvalue()


def flat(values):
    return [number for sample in values for token in sample for number in token]


def flat_fortran(values):
    """The numbers with the first index running fastest."""
    return [sample[t][c] for c in range(len(values[0][0])) for t in range(len(values[0])) for sample in values]


X = npy((2, 2, 2), flat(SAMPLES_OF_2))
Y = npy((2,), [1, -1], "<i8")


def patched(content, mark, offset, replacement):
    """The bytes with some after the last occurrence of a mark replaced."""
    start = content.rindex(mark) + offset
    return content[:start] + replacement + content[start + len(replacement):]


def reference(file, array=None):
    return json.dumps({"file": file} if array is None else {"file": file, "array": array})


def with_file(content, name, array=None, **changes):
    """A case whose tokens are in a file of that content."""
    return case(tokens=reference(name, array), **changes), {name: content}


# What docs/audit.md says of the data of case(): SHA-256 of its numbers in lowest terms, a line each.
SHA = {part: hashlib.sha256(text.encode()).hexdigest() for part, text in {
    "tokens": "2 2\n1\n0\n0\n1\n3 2\n0\n-1\n1\n1\n2\n0\n", "labels": "1\n-1\n", "v": "1 2\n1\n0\n", "loss": "logistic\n"}.items()}

GOOD_CASES = {
    "pinned-data": case(data_sha256=json.dumps(SHA)),
    "inline": case(),
    "every-key": case(name='"every key"', about='"text"', source='"[MM]"', W="[[1, 0], [0, 1]]", queries="[[1, 0], [0, 1]]",
                      loss='"exponential"'),
    "numbers": case(tokens='[[["1", 0.0], ["0/7", 1e0]], [[-0, "-1"], [1, "2/2"], [20e-1, 0]]]', labels='[1.0, "-1"]'),
    "written-loss": case(loss='{"expression": "log(1+exp(-u))"}', claims='[{"claim": "assumption-a", "interval": [-2, "5/2"]}]'),
    "no-v-but-interval": case(v=None, claims='[{"claim": "assumption-a", "interval": [-2, 2]}]'),
    "claims": claim('{"claim": "assumption-a"}, {"claim": "step-size"}, {"claim": "derivatives", "points": 2, "radius": "1/2"},'
                    '\n  {"claim": "globally-optimal", "selection": [1, 0], "expect": "fails", "grade": "proved"}'),
    "npz": with_file(npz(X=X, Y=Y), "data.npz", "X", labels=reference("data.npz", "Y")),
    "npz-stored": with_file(npz(False, X=X), "stored.npz", "X"),
    "npy": with_file(npy((2, 2, 2), flat_fortran(SAMPLES_OF_2), fortran=True), "x.npy"),
}

# name: (text or (text, {file: bytes}), expected path, expected part of the message)
BAD_CASES = {
    # The file.
    "empty": ("", "", "an empty file"),
    "blank": ("  \n", "", "an empty file"),
    "not-an-object": (f"[{case()}]", "$", "expected an object"),
    "cut-off": (case().partition(', 0],\n "claims"')[0], "$.v[1]", "the end of the file"),
    "two-documents": (case() + case(), "$", "the end of the file"),
    "byte-order-mark": ("\ufeff" + case(), "$", "a byte order mark"),
    "nul-byte": (case() + "\0more", "$", "a NUL byte"),
    "not-utf-8": (case(about='"caf\udce9"'), "$.about", "ill-formed UTF-8"),
    "comment": (case().replace("{", "{ // a comment\n", 1), "$", "a key in double quotes"),
    "trailing-comma": (case(v="[1, 0,]"), "$.v[2]", "a JSON value"),
    "missing-comma": (case(v="[1 0]"), "$.v[1]", "',' or ']'"),
    "single-quotes": (case(name="'a'"), "$.name", "a JSON value"),
    "too-deep": (case(v="[" * 5000), "$.v" + "[0]" * 99, "more than 100 levels"),
    # Keys.
    "unknown-key": (case(lables="[1, -1]"), "$.lables", "did you mean labels?"),
    "unknown-key-far": (case(comment='"x"'), "$.comment", "one of W, about, claims, data_sha256, labels"),
    "duplicate-key": (case(v="[1, 0], \"v\": [0, 1]"), "$.v", "each key once"),
    "no-tokens": (case(tokens=None), "$", "no tokens"),
    "no-labels": (case(labels=None), "$", "no labels"),
    "no-claims": (case(claims=None), "$", "`attest verify` needs claims"),
    "empty-name": (case(name='""'), "$.name", "a name that is not empty"),
    "name-with-slash": (case(name='"../a"'), "$.name", "no '/'"),
    "name-with-newline": (case(name='"a\\nb"'), "$.name", "no control characters"),
    "about-not-text": (case(about="7"), "$.about", "expected text"),
    # Numbers.
    "nan": (case(v="[1, NaN]"), "$.v[1]", "found NaN, expected a JSON value"),
    "minus-infinity": (case(v="[-Infinity, 0]"), "$.v[0]", "found -Infinity"),
    "nan-as-text": (case(v='[1, "nan"]'), "$.v[1]", "expected a number"),
    "number-as-word": (case(tokens=TOKENS.replace("[2, 0]", '["two", 0]')), "$.tokens[1][2][0]", 'found "two"'),
    "division-by-zero": (case(v='[1, "1/0"]'), "$.v[1]", 'found "1/0"'),
    "null-number": (case(v="[1, null]"), "$.v[1]", "found null"),
    "leading-zero": (case(v="[01, 0]"), "$.v[1]", "found 01"),
    "beyond-doubles": (case(v="[1e400, 0]"), "$.v[0]", "in the range of doubles"),
    "exponent-too-large": (case(v='["1e5001", 0]'), "$.v[0]", "an exponent from -5000 to 5000"),
    "exponent-too-small": (case(v="[1e-5001, 0]"), "$.v[0]", "an exponent from -5000 to 5000"),
    # Shapes.
    "tokens-empty": (case(tokens="[]"), "$.tokens", "a non-empty array of samples"),
    "sample-empty": (case(tokens="[[[1, 0]], []]"), "$.tokens[1]", "a non-empty array of tokens"),
    "token-empty": (case(tokens="[[[]]]"), "$.tokens[0][0]", "a non-empty array of numbers"),
    "tokens-flat": (case(tokens="[[1, 0], [0, 1]]"), "$.tokens[0][0]", "a non-empty array of numbers"),
    "token-short": (case(tokens=TOKENS.replace("[2, 0]", "[2]")), "$.tokens[1][2]", "an array of 2 numbers"),
    "labels-short": (case(labels="[1]"), "$.labels", "an array of 2 labels"),
    "label-zero": (case(labels="[1, 0]"), "$.labels[1]", "found 0, expected 1 or -1"),
    "label-nearly-one": (case(labels="[0.9999999999999999999, -1]"), "$.labels[0]", "expected 1 or -1"),
    "label-true": (case(labels="[true, -1]"), "$.labels[0]", "found true"),
    "v-long": (case(v="[1, 0, 0]"), "$.v", "an array of 2 numbers"),
    "v-null": (case(v="null"), "$.v", "found null"),
    "W-not-square": (case(W="[[1, 0]]"), "$.W", "an array of 2 rows of 2 numbers"),
    "queries-short": (case(queries="[[1, 0]]"), "$.queries", "an array of 2 rows of 2 numbers"),
    # Losses.
    "unknown-loss": (case(loss='"logistics"'), "$.loss", "one of correlation, exponential, logistic"),
    "loss-syntax": (case(loss='{"expression": "log(1+exp(-u)"}'), "$.loss.expression", "the end of the expression"),
    "loss-unknown-function": (case(loss='{"expression": "relu(-u)"}'), "$.loss.expression", "at character 1"),
    "loss-exponent": (case(loss='{"expression": "(1-u)^0.5"}'), "$.loss.expression", "a whole number from -64 to 64"),
    "loss-memory": (case(loss='{"expression": "u^((((9^64)^64)^64)^64)"}'), "$.loss.expression", "a whole number from -64 to 64"),
    "loss-nesting": (case(loss='{"expression": "' + "(" * 5000 + '"}'), "$.loss.expression", "200 levels"),
    "loss-key": (case(loss='{"expresion": "-u"}'), "$.loss.expresion", "did you mean expression?"),
    # Claims.
    "claims-empty": (case(claims="[]"), "$.claims", "a non-empty array of claims"),
    "claims-object": (case(claims=OPTIMAL), "$.claims", "a non-empty array of claims"),
    "claim-not-an-object": (claim('"step-size"'), "$.claims[1]", 'found "step-size"'),
    "claim-without-name": (claim('{"unique": true}'), "$.claims[1]", "no claim"),
    "unknown-claim": (claim('{"claim": "step-sise"}'), "$.claims[1].claim", "did you mean step-size?"),
    "unknown-parameter": (claim('{"claim": "derivatives", "raduis": 1}'), "$.claims[1].raduis", "did you mean radius?"),
    "parameter-of-another-claim": (claim('{"claim": "step-size", "interval": [0, 1]}'), "$.claims[1].interval", "unknown key"),
    "expect-unknown": (claim('{"claim": "step-size", "expect": "hold"}'), "$.claims[1].expect", "holds, fails, undecided or inapplicable"),
    "grade-unknown": (claim('{"claim": "step-size", "grade": "certain"}'), "$.claims[1].grade", "observed or proved"),
    "selection-short": (claim('{"claim": "globally-optimal", "selection": [0]}'), "$.claims[1].selection", "an array of 2 token indices"),
    "selection-out-of-range": (claim('{"claim": "globally-optimal", "selection": [0, 3]}'), "$.claims[1].selection[1]", "from 0 to 2"),
    "selection-range-of-other-sample": (claim('{"claim": "globally-optimal", "selection": [2, 0]}'), "$.claims[1].selection[0]", "from 0 to 1"),
    "selection-negative": (claim('{"claim": "globally-optimal", "selection": [0, -1]}'), "$.claims[1].selection[1]", "found -1"),
    "selection-fraction": (claim('{"claim": "globally-optimal", "selection": [0, 0.5]}'), "$.claims[1].selection[1]", "found 0.5"),
    "selection-one-based-text": (claim('{"claim": "globally-optimal", "selection": ["1", 1]}'), "$.claims[1].selection[0]", 'found "1"'),
    "flag-as-number": (claim('{"claim": "globally-optimal", "unique": 1}'), "$.claims[1].unique", "true or false"),
    "count-zero": (claim('{"claim": "derivatives", "points": 0}'), "$.claims[1].points", "a whole number from 1 to 10^12"),
    "count-fraction": (claim('{"claim": "derivatives", "points": 2.5}'), "$.claims[1].points", "a whole number from 1 to 10^12"),
    "count-huge": (claim('{"claim": "derivatives", "points": 1e13}'), "$.claims[1].points", "a whole number from 1 to 10^12"),
    "radius-zero": (claim('{"claim": "derivatives", "radius": 0}'), "$.claims[1].radius", "a number above 0"),
    "exponent-one": (claim('{"claim": "mirror-descent", "q": 1}'), "$.claims[1].q", "a number above 1"),
    "exponent-nearly-one": (claim('{"claim": "mirror-descent", "q": 1.0000000000000000000001}'), "$.claims[1].q", "a number above 1"),
    "exponent-negative": (claim('{"claim": "mirror-descent", "q": "-3/2"}'), "$.claims[1].q", "a number above 1"),
    "exponent-nan": (claim('{"claim": "mirror-descent", "q": NaN}'), "$.claims[1].q", "a JSON value"),
    "exponent-word": (claim('{"claim": "mirror-descent", "q": "two"}'), "$.claims[1].q", "a number"),
    "exponent-list": (claim('{"claim": "mirror-descent", "q": [1.75, 3]}'), "$.claims[1].q", "a number"),
    "mirror-flow": (claim('{"claim": "mirror-descent", "q": 3, "method": "flow"}'), "$.claims[1].method", "one of constant, normalised"),
    "radius-negative": (claim('{"claim": "derivatives", "radius": "-1/2"}'), "$.claims[1].radius", "a number above 0"),
    "reaches-without-starts": (claim('{"claim": "descent", "reaches": [[0, 0]]}'), "$.claims[1].reaches", "`starts` beside it"),
    "reaches-too-few": (claim('{"claim": "descent", "starts": [[0, 0], [1, 1]], "reaches": [[0, 0]]}'), "$.claims[1].reaches",
                        "one entry for each of the 2 `starts`"),
    "method-unknown": (claim('{"claim": "gd-global", "method": "newton"}'), "$.claims[1].method", "one of constant, flow, normalised"),
    "first-step-starts": (claim('{"claim": "first-step", "start": [[0, 0], [1, 1]]}'), "$.claims[1].start[0]", "a number"),
    "first-step-start-too-long": (claim('{"claim": "first-step", "start": [[0, 0, 0]]}'), "$.claims[1].start[0]", "an array of 2 numbers"),
    "start-too-long": (claim('{"claim": "descent", "starts": [[0, 0, 0]]}'), "$.claims[1].starts[0]", "an array of 2 numbers"),
    "interval-reversed": (claim('{"claim": "assumption-a", "interval": [2, 1]}'), "$.claims[1].interval", "low <= high"),
    "interval-of-three": (claim('{"claim": "assumption-a", "interval": [0, 1, 2]}'), "$.claims[1].interval", "low <= high"),
    "interval-not-numbers": (claim('{"claim": "assumption-a", "interval": [0, "b"]}'), "$.claims[1].interval[1]", "a number"),
    "head-missing": (claim('{"claim": "nonlinear-head"}'), "$.claims[1]", "head, which the claim `nonlinear-head` requires"),
    "head-not-an-object": (claim('{"claim": "nonlinear-head", "head": "tanh"}'), "$.claims[1].head", '{"expression": …}'),
    "head-expression": (claim('{"claim": "nonlinear-head", "head": {"expression": "tanh(x)"}}'), "$.claims[1].head.expression", "at character 6"),
    "head-expression-needs-v": (case(v=None, claims='[{"claim": "nonlinear-head", "head": {"expression": "tanh(u)"}}]'), "$.claims[0].head", "v in the case"),
    "head-both-forms": (claim('{"claim": "nonlinear-head", "head": {"expression": "u", "weights": [[1, 0]]}}'), "$.claims[1].head.weights", "unknown key"),
    "head-weights-short": (claim('{"claim": "nonlinear-head", "head": {"weights": [[1]], "activation": "relu"}}'), "$.claims[1].head.weights[0]", "an array of 2 numbers"),
    "head-no-units": (claim('{"claim": "nonlinear-head", "head": {"weights": [], "activation": "relu"}}'), "$.claims[1].head.weights", "a non-empty array of rows"),
    "head-activation": (claim('{"claim": "nonlinear-head", "head": {"weights": [[1, 0]], "activation": "gelu"}}'), "$.claims[1].head.activation", "one of relu, sigmoid, tanh"),
    "head-no-activation": (claim('{"claim": "nonlinear-head", "head": {"weights": [[1, 0]]}}'), "$.claims[1].head", "no activation"),
    "head-output-long": (claim('{"claim": "nonlinear-head", "head": {"weights": [[1, 0]], "activation": "tanh", "output": [1, 1]}}'), "$.claims[1].head.output", "an array of 1 number, one a unit"),
    "support-not-a-row": (claim('{"claim": "p-svm", "support": [[1, 3]]}'), "$.claims[1].support[0]", "a token [i, t] of the data"),
    "support-of-samples": (claim('{"claim": "v-svm", "support": [[1, 0]]}'), "$.claims[1].support[0]", "a sample [i] of the data"),
    "support-twice": (claim('{"claim": "joint-svm", "support": [[1, 0], [1, 0]]}'), "$.claims[1].support[1]", "not listed before"),
    "neighbours-flat": (claim('{"claim": "locally-optimal", "neighbours": [1, 0]}'), "$.claims[1].neighbours[0]", "a token [i, t]"),
    "census-count-negative": (claim('{"claim": "census", "count": -1}'), "$.claims[1].count", "a whole number from 0 to 10^12"),
    "nu-lower-zero": (claim('{"claim": "assumption-b", "nu_lower": 0}'), "$.claims[1].nu_lower", "a number above 0"),
    "bracket-reversed": (claim('{"claim": "w-svm", "norm": "nuclear", "bracket": [2, 1]}'), "$.claims[1].bracket", "low <= high"),
    "needs-v": (case(v=None), "$.claims[0]", "v in the case, since the claim `globally-optimal` needs it"),
    "needs-v-or-interval": (case(v=None, claims='[{"claim": "assumption-a"}]'), "$.claims[0]", "or the parameter `interval`"),
    # What the data were.
    "sha-short": (case(data_sha256=json.dumps(dict(SHA, tokens="ab"))), "$.data_sha256.tokens", "64 digits among 0123456789abcdef"),
    "sha-capital": (case(data_sha256=json.dumps(dict(SHA, loss="A" * 64))), "$.data_sha256.loss", "64 digits among 0123456789abcdef"),
    "sha-without-labels": (case(data_sha256=json.dumps({key: SHA[key] for key in ("tokens", "loss")})), "$.data_sha256", "no labels"),
    "sha-unknown-part": (case(data_sha256=json.dumps(dict(SHA, token="0" * 64))), "$.data_sha256.token", "did you mean tokens?"),
    "sha-text": (case(data_sha256=json.dumps("0" * 64)), "$.data_sha256", "expected an object"),
    # Files of arrays.
    "file-missing": (case(tokens=reference("nowhere.npz", "X")), "$.tokens", "no such file (nowhere.npz:X)"),
    "file-key": (case(tokens='{"fiel": "x.npy"}'), "$.tokens.fiel", "did you mean file?"),
    "file-not-text": (case(tokens='{"file": 7}'), "$.tokens.file", "found 7"),
    "file-other-extension": (with_file(X, "x.dat"), "$.tokens", "not named .npy or .npz"),
    "array-not-named": (with_file(npz(X=X), "unnamed.npz"), "$.tokens", "no array"),
    "array-named-for-npy": (with_file(X, "named.npy", "X"), "$.tokens", "with a .npy file"),
    "array-missing": (with_file(npz(A=X, B=X), "other.npz", "X"), "$.tokens", "arrays: A, B"),
    "npy-magic": (with_file(b"NUMPY   " + X, "magic.npy"), "$.tokens", "other first bytes"),
    "npy-version": (with_file(X[:6] + b"\x09" + X[7:], "version.npy"), "$.tokens", "version 9.0"),
    "npy-cut-off": (with_file(X[:-1], "cut.npy"), "$.tokens", "63 bytes of data"),
    "npy-too-long": (with_file(X + b"\0", "long.npy"), "$.tokens", "65 bytes of data"),
    "npy-huge-shape": (with_file(npy((4294967296, 4294967296, 2), flat(SAMPLES_OF_2)), "huge.npy"), "$.tokens", "64 bytes of data"),
    "npy-bool": (with_file(npy((2, 2, 2), [True] * 8, "|b1"), "bool.npy"), "$.tokens", "(booleans)"),
    "npy-complex": (with_file(npy((2, 2, 1), flat(SAMPLES_OF_2), "<c16"), "complex.npy"), "$.tokens", "(complex numbers)"),
    "npy-object": (with_file(X.replace(b"'<f8'", b"'|O' "), "object.npy"), "$.tokens", "(Python objects)"),
    "npy-integer-beyond-doubles": (with_file(npy((2, 2, 2), [1, 2, 3, 4, 5, 6, 7, 2**53 + 1], "<i8"), "integer.npy"), "$.tokens",
                                   "not a double at [1][1][1]"),
    "npz-cut-off": (with_file(npz(X=X)[:-30], "cut.npz", "X"), "$.tokens", "without a zip archive's end record"),
    "npz-checksum": (with_file(npz(False, X=X).replace(struct.pack("<d", -1.0), struct.pack("<d", -2.0)), "checksum.npz", "X"),
                     "$.tokens", "a checksum (CRC-32)"),
    "npz-encrypted": (with_file(patched(npz(X=X), b"PK\x01\x02", 8, b"\x01"), "encrypted.npz", "X"), "$.tokens", "an encrypted member"),
    "npz-compression": (with_file(patched(npz(X=X), b"PK\x01\x02", 10, b"\x0e"), "lzma.npz", "X"), "$.tokens", "compression method 14"),
    "npz-zip64": (with_file(patched(npz(X=X), b"PK\x01\x02", 24, b"\xff" * 4), "zip64.npz", "X"), "$.tokens", "a zip64 member"),
    "npz-bomb": (with_file(patched(npz(X=X), b"PK\x01\x02", 24, b"\x00\x00\x00\x7f"), "bomb.npz", "X"), "$.tokens", "bytes claimed"),
    "npz-nan": (with_file(npz(X=npy((2, 2, 2), [1, 2, 3, 4, 5, float("nan"), 7, 8])), "nan.npz", "X"), "$.tokens",
                "nan at [1][0][1] of nan.npz:X, expected finite numbers"),
    "npz-infinity": (case(v=reference("infinite.npy")), {"infinite.npy": npy((2,), [1, float("inf")])}, "$.v",
                     "inf at [1] of infinite.npy, expected finite numbers"),
    "npz-two-axes": (with_file(npz(X=npy((2, 2), [1, 2, 3, 4])), "flat.npz", "X"), "$.tokens", "shape (2, 2) of flat.npz:X"),
    "npz-empty": (with_file(npz(X=npy((2, 0, 2), [])), "none.npz", "X"), "$.tokens", "each at least 1"),
    "npz-labels": (case(labels=reference("labels.npz", "Y")), {"labels.npz": npz(Y=npy((2,), [1, 0]))}, "$.labels", "0 at [1] of labels.npz:Y"),
    "npz-v-shape": (case(v=reference("column.npy")), {"column.npy": npy((2, 1), [1, 0])}, "$.v", "shape (2, 1) of column.npy, expected shape (2,)"),
}

# Files that are not there at all.
ABSENT = [{"file": "absent.json", "path": "", "message": "no such file"}]


def write_case(folder, name, text, files):
    (folder / f"{name}.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    for file, content in files.items():
        (folder / file).write_bytes(content)


def write_all(target):
    bad, good = target / "bad", target / "good"
    for folder in (bad, good):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    for name, content in GOOD_CASES.items():
        text, files = content if isinstance(content, tuple) else (content, {})
        write_case(good, name, text, files)
    index = list(ABSENT)
    for name, (content, *rest) in BAD_CASES.items():
        text, files = content if isinstance(content, tuple) else (content, {})
        if isinstance(rest[0], dict):
            files = rest.pop(0)
        write_case(bad, name, text, files)
        index.append({"file": f"{name}.json", "path": rest[0], "message": rest[1]})
    lines = ",\n ".join(json.dumps(entry, ensure_ascii=False) for entry in index)
    (bad / "index.json").write_text(f"[{lines}]\n", encoding="utf-8")
    print(f"{len(BAD_CASES)} bad cases, {len(GOOD_CASES)} good ones")


if __name__ == "__main__":
    write_all(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
