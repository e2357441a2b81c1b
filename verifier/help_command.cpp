#include "commands.hpp"
#include "exit_code.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>

namespace attest {
namespace {

struct Topic {
  const char* name;
  const char* about;
  const char* text;
};

constexpr std::array<Topic, 6> topics = {{
    {"case", "how to write a case", R"~(A case is a JSON file with a data set and what is claimed of it:

  { "name": "one-input",
    "tokens": [[["-0.1", 1, 1], [1, 0, "9/10"], [0, 0, 0.9]]],
    "labels": [1],
    "v": [0, 0, 1],
    "W": [[1, 0, 0], [0, 1, 0], [0, 0, 0]],
    "loss": "logistic",
    "claims": [ {"claim": "p-svm", "selection": [0], "grade": "proved"},
                {"claim": "gd-local", "selection": [0], "expect": "holds"} ] }

tokens    a list of samples, each a list of tokens, each a list of d numbers
labels    1 or -1 a sample
v         the value head; claims that need it say so
W         key weights (the identity when absent)
queries   one query token a sample; then token t has logit x_t . W z
loss      logistic (default), exponential, correlation, or
          {"expression": "log(1+exp(-u))"}
claims    {"claim": NAME, parameters, "expect": verdict, "grade": least grade}
data_sha256   what the data were when an audit saved the case: docs/audit.md

Numbers mean exactly what is written: 0.1 is 1/10, "a/b" is a fraction. An
array may be {"file": "data.npz", "array": "X"}, relative to the case file.
Indices count from 0. Anything that is not understood is an error.)~"},
    {"data", "archives of data and of training runs", R"~(Data, for audit and track: a case, or a .npz or .safetensors file with

  X         (n, T, d)  tokens
  Y         (n,)       labels, 1 and -1; with --labels 01, 1 and 0
  v         (d,)       the value head, if there is one
  W         (d, d)     key weights, if they are not the identity
  Z         (n, d)     queries, if they are not the first tokens
  lengths   (n,)       how many of its T tokens each sample has
  mask      (n, T)     the same as 1 and 0: padding stands at the end
  relevant  (n,)       the tokens that you planted, from 0

  numpy.savez("data.npz", X=X, Y=Y, v=v)

A training run, for track and the claim trajectory, has a checkpoint a row:

  p         (steps, d)       or
  W         (steps, d, d)    or
  K and Q   (steps, d, m)
  v         (steps, d)       where it is trained too
  step      (steps,)         where the rows are not every step

  numpy.savez("run.npz", p=numpy.stack(ps), step=steps)

float16, float32, float64 and integers are read as exactly what they hold.
What torch.save writes only Python can read; convert it:

  numpy.savez("data.npz", X=X.numpy(), Y=Y.numpy()))~"},
    {"claims", "verdicts, grades, expectations", R"~(A claim is found to be one of

  holds         it is true on this data
  fails         it is false on this data
  undecided     neither was shown; the message says why
  inapplicable  a hypothesis of its theorem does not hold

with a grade:

  proved        exact or interval arithmetic decided; a certificate says why
  observed      numbers within a stated tolerance; no proof

It passes when the verdict is the one that the case expects ("expect",
default holds) with at least the grade that the case demands ("grade",
default observed). `attest claims` lists the claims, `attest claims NAME`
explains one.)~"},
    {"results", "the files that verify writes",
     R"~(attest verify ... --json F       everything, for programs: docs/results.md
                 --html F       one page to open: no network needed
                 --markdown F   tables for a pull request
                 --junit F      for test dashboards: a suite a case
                 --certificates DIR   a proof a file

`attest report F.json --html ...` renders saved results again. The JSON is
described by docs/results.schema.json. Files are whole or untouched; F may be
-, standard output, once.)~"},
    {"certificate", "proofs and how to re-check them",
     R"~(A proved verdict has a certificate: one JSON file with the exact data, the
statement and a witness, all numbers fractions.

  attest verify my.json --certificates proofs
  attest-check proofs/*.json --case my.json

attest-check shares no code with attest and has no solver inside. It prints
`accepted` or `rejected: why` for each file and ends with 0 only when all are
accepted. With --case it also demands that the proof is about that data. The
format is specified in docs/certificate.md; scripts/check_certificate.py is a
second checker.)~"},
    {"exit-codes", "what the programs end with", R"~(attest         0  every claim is as expected
               1  some claim is not, or the data of a saved case changed
                  (doctor: a plugin does not load)
               2  bad usage or input: nothing was run
               3  internal fault, or the results could not be written
attest report  0  when it could read and write, whatever the verdicts are
attest-check   0  every certificate is accepted
               1  some certificate is rejected
               2  bad usage, or a file that cannot be read
               3  internal fault)~"},
}};

int print_topic(const std::string& name) {
  if (name.empty()) {
    fmt::print("Topics for `attest help TOPIC`:\n");
    for (const Topic& topic : topics) fmt::print("  {:<12}{}\n", topic.name, topic.about);
    fmt::print("`attest --help` lists the commands, `attest COMMAND --help` explains one.\n");
    return exit_code::success;
  }
  for (const Topic& topic : topics)
    if (name == topic.name) {
      fmt::print("{}\n", topic.text);
      return exit_code::success;
    }
  std::string known;
  for (const Topic& topic : topics) known += fmt::format("{}{}", known.empty() ? "" : ", ", topic.name);
  fmt::print(stderr, "attest: help: found {}, expected a topic among: {}\n", name, known);
  return exit_code::bad_input;
}

}  // namespace

Command help_command() {
  auto name = std::make_shared<std::string>();
  return {"help",
          "Explain a topic",
          {{"TOPIC", name.get(), "case, data, claims, results, certificate\nor exit-codes"}},
          R"(Examples:
  attest help              the topics
  attest help exit-codes   one of them)",
          [name] { return print_topic(*name); }};
}

}  // namespace attest
