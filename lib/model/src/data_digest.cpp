#include "attest/model/data_digest.hpp"

#include "attest/model/sha256.hpp"

namespace attest {
namespace {

/// A line "ROWS COLUMNS", then a number a line in lowest terms, row by row.
void add(Sha256& hash, const ExactMatrix& matrix) {
  hash.update(std::to_string(matrix.rows()) + " " + std::to_string(matrix.columns()) + "\n");
  for (std::size_t r = 0; r < matrix.rows(); ++r)
    for (std::size_t c = 0; c < matrix.columns(); ++c) hash.update(to_string(matrix.at(r, c)) + "\n");
}

std::string digest_of(const ExactMatrix& matrix) {
  Sha256 hash;
  add(hash, matrix);
  return hash.hex();
}

std::string digest_of(const std::string& text) {
  Sha256 hash;
  hash.update(text + "\n");
  return hash.hex();
}

}  // namespace

DataDigest digest_of(const Problem& problem) {
  DataDigest digest;
  Sha256 tokens;
  for (const ExactMatrix& sample : problem.tokens) add(tokens, sample);
  digest["tokens"] = tokens.hex();
  Sha256 labels;
  for (const int label : problem.labels) labels.update(std::to_string(label) + "\n");
  digest["labels"] = labels.hex();
  if (problem.v) digest["v"] = digest_of(*problem.v);
  if (problem.W) digest["W"] = digest_of(*problem.W);
  if (problem.queries) digest["queries"] = digest_of(*problem.queries);
  digest["loss"] = digest_of(problem.loss.name().empty() ? problem.loss.expression().text() : std::string(problem.loss.name()));
  return digest;
}

std::vector<std::string> changed_parts(const DataDigest& before, const DataDigest& now) {
  std::vector<std::string> changed;
  for (const char* part : {"tokens", "labels", "v", "W", "queries", "loss"}) {
    const auto old = before.find(part);
    const auto current = now.find(part);
    const bool same = old == before.end() ? current == now.end() : current != now.end() && old->second == current->second;
    if (!same) changed.emplace_back(part);
  }
  return changed;
}

}  // namespace attest
