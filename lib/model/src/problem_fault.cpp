#include "attest/model/problem_fault.hpp"

#include "attest/model/npy.hpp"
#include "json_tree.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Fault = std::optional<InputFault>;

Fault fault_at(std::string path, std::string found, std::string expected) {
  return InputFault{"", std::move(path), std::move(found), std::move(expected)};
}

std::string counted(std::size_t count, const std::string& one) { return std::to_string(count) + " " + one + (count == 1 ? "" : "s"); }

std::string sample_path(std::size_t sample) { return "$.tokens" + index_step(sample); }

Fault fault_of_tokens(const std::vector<ExactMatrix>& tokens) {
  if (tokens.empty()) return fault_at("$.tokens", "no samples", "at least one");
  const std::size_t d = tokens.front().columns();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].rows() == 0) return fault_at(sample_path(i), "no tokens", "at least one");
    if (tokens[i].columns() == 0) return fault_at(sample_path(i), "tokens without numbers", "at least one number a token");
    if (tokens[i].columns() != d)
      return fault_at(sample_path(i), "tokens of " + counted(tokens[i].columns(), "number"),
                      counted(d, "number") + ", as in the first sample");
  }
  return std::nullopt;
}

Fault fault_of_labels(const std::vector<int>& labels, std::size_t count) {
  if (labels.size() != count) return fault_at("$.labels", counted(labels.size(), "label"), std::to_string(count) + ", one a sample");
  const auto wrong = std::ranges::find_if(labels, [](int label) { return label != 1 && label != -1; });
  if (wrong == labels.end()) return std::nullopt;
  return fault_at("$.labels" + index_step(static_cast<std::size_t>(wrong - labels.begin())), std::to_string(*wrong), "1 or -1");
}

Fault fault_of_shape(const std::string& path, const std::optional<ExactMatrix>& matrix, std::size_t rows, std::size_t columns) {
  if (!matrix || (matrix->rows() == rows && matrix->columns() == columns)) return std::nullopt;
  return fault_at(path, "shape " + shape_text({matrix->rows(), matrix->columns()}), "shape " + shape_text({rows, columns}));
}

/// `shape`: how the case lists the numbers, a vector's as one row.
Fault fault_of_numbers(const std::string& path, const ExactMatrix& matrix, const std::vector<std::size_t>& shape) {
  const auto image = matrix.image();
  const auto wrong = std::ranges::find_if(image, [](double number) { return !std::isfinite(number); });
  if (wrong == image.end()) return std::nullopt;
  // The image of a rational is infinite where the rational is none.
  const std::string found = std::isnan(*wrong) ? "nan" : !matrix.image_is_exact() ? "a number beyond doubles" : *wrong > 0 ? "inf" : "-inf";
  return fault_at(path + index_text(shape, static_cast<std::size_t>(wrong - image.begin())), found,
                  "a number in the range of doubles, up to 1.8e308");
}

Fault fault_of_numbers(const Problem& problem) {
  for (std::size_t i = 0; i < problem.sample_count(); ++i)
    if (Fault fault = fault_of_numbers(sample_path(i), problem.tokens[i], {problem.token_count(i), problem.dimension()})) return fault;
  const std::size_t d = problem.dimension();
  if (problem.v)
    if (Fault fault = fault_of_numbers("$.v", *problem.v, {d})) return fault;
  if (problem.W)
    if (Fault fault = fault_of_numbers("$.W", *problem.W, {d, d})) return fault;
  return problem.queries ? fault_of_numbers("$.queries", *problem.queries, {problem.sample_count(), d}) : std::nullopt;
}

}  // namespace

std::optional<InputFault> fault_of(const Problem& problem) {
  if (Fault fault = fault_of_tokens(problem.tokens)) return fault;
  const std::size_t n = problem.sample_count();
  const std::size_t d = problem.dimension();
  if (Fault fault = fault_of_labels(problem.labels, n)) return fault;
  if (Fault fault = fault_of_shape("$.v", problem.v, 1, d)) return fault;
  if (Fault fault = fault_of_shape("$.W", problem.W, d, d)) return fault;
  if (Fault fault = fault_of_shape("$.queries", problem.queries, n, d)) return fault;
  return fault_of_numbers(problem);
}

}  // namespace attest
