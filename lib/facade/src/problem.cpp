#include "inner.hpp"

#include "attest/model/problem_fault.hpp"
#include "inner_problem.hpp"

#include <cmath>

namespace attest {
inline namespace v1 {
namespace {

[[noreturn]] void refuse(const std::string& path, std::string found, std::string expected) {
  throw InputError(to_string(InputFault{"", path, std::move(found), std::move(expected)}));
}

Rational exact(const Number& number, const std::string& path) {
  if (const auto* value = std::get_if<double>(&number.value())) {
    if (!std::isfinite(*value)) refuse(path, std::isnan(*value) ? "NaN" : "an infinity", "a finite number");
    return exact_value(*value);
  }
  const std::string& text = std::get<std::string>(number.value());
  const auto parsed = parse_rational(text);
  if (!parsed)
    refuse(path, '"' + text + '"', "a number, or text that holds one, such as \"0.1\" or \"9/10\", with an exponent from -5000 to 5000");
  return *parsed;
}

/// The numbers row by row, when all of them are finite doubles.
std::optional<std::vector<double>> doubles_of(const Matrix& rows) {
  std::vector<double> values;
  for (const Vector& row : rows)
    for (const Number& number : row) {
      const auto* value = std::get_if<double>(&number.value());
      if (value == nullptr || !std::isfinite(*value)) return std::nullopt;
      values.push_back(*value);
    }
  return values;
}

/// By rows, all of one length.
ExactMatrix exact(const Matrix& rows, const std::string& path) {
  const auto place = [&](std::size_t r) { return path + "[" + std::to_string(r) + "]"; };
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (rows[r].size() != columns)
      refuse(place(r), std::to_string(rows[r].size()) + " numbers", std::to_string(columns) + ", as in the first row");
  if (auto doubles = doubles_of(rows)) return ExactMatrix::from_doubles(rows.size(), columns, *std::move(doubles));
  std::vector<Rational> entries;
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < columns; ++c) entries.push_back(exact(rows[r][c], place(r) + "[" + std::to_string(c) + "]"));
  return ExactMatrix::from_rationals(rows.size(), columns, std::move(entries));
}

Loss loss_of(const std::string& text) {
  if (auto named = Loss::named(text)) return *named;
  auto parsed = parse_expression(text);
  if (const auto* fault = std::get_if<ExpressionFault>(&parsed))
    refuse("$.loss", '"' + text + '"', "a loss, or an expression in u: " + fault->expected);
  return Loss::written(std::get<Expression>(std::move(parsed)));
}

inner::Problem assemble(const ProblemData& data) {
  inner::Problem problem;
  for (std::size_t i = 0; i < data.tokens.size(); ++i)
    problem.tokens.push_back(exact(data.tokens[i], "$.tokens[" + std::to_string(i) + "]"));
  problem.labels = data.labels;
  if (data.v) problem.v = exact(Matrix{*data.v}, "$.v");
  if (data.W) problem.W = exact(*data.W, "$.W");
  if (data.queries) problem.queries = exact(*data.queries, "$.queries");
  problem.loss = loss_of(data.loss);
  return problem;
}

}  // namespace

Problem::Problem(const ProblemData& data) {
  inner::Problem problem = assemble(data);
  if (const auto fault = fault_of(problem)) throw InputError(to_string(*fault));
  inner_ = std::make_shared<const Inner>(Inner{std::move(problem)});
}

Problem Problem::read(const std::filesystem::path& file) {
  auto read = read_data(file);
  if (const auto* fault = std::get_if<InputFault>(&read)) throw InputError(to_string(*fault));
  return Problem(std::make_shared<const Inner>(Inner{std::move(std::get<DataSet>(read).data.problem)}));
}

std::size_t Problem::samples() const { return inner_->problem.sample_count(); }
std::size_t Problem::tokens(std::size_t sample) const { return inner_->problem.token_count(sample); }
std::size_t Problem::dimension() const { return inner_->problem.dimension(); }

}  // namespace v1
}  // namespace attest
