#include "separation.hpp"

namespace attest {

std::vector<Rational> minus(const std::vector<Rational>& a, const std::vector<Rational>& b) {
  std::vector<Rational> result;
  for (std::size_t c = 0; c < a.size(); ++c) result.emplace_back(a[c] - b[c]);
  return result;
}

std::optional<std::vector<Rational>> separate(const std::vector<std::vector<Rational>>& rows, const Budget& budget) {
  if (rows.empty()) return std::nullopt;
  // One sample whose selected token is the origin and whose other tokens are the negated rows: its p-SVM has these rows.
  const std::size_t d = rows.front().size();
  std::vector<Rational> tokens(d, 0);
  for (const auto& row : rows)
    for (const Rational& entry : row) tokens.emplace_back(-entry);
  Problem problem;
  problem.tokens = {ExactMatrix::from_rationals(rows.size() + 1, d, std::move(tokens))};
  problem.labels = {1};
  const ExactTokens exact(problem);
  SvmOutcome outcome = decide_svm(SvmProgram::p_svm(exact, {0}), {}, budget);
  auto* solution = std::get_if<SvmSolution>(&outcome);
  return solution ? std::optional(std::move(solution->w)) : std::nullopt;
}

std::vector<KeyRow> key_rows(const ExactTokens& tokens, const Selection& selection) {
  const SvmProgram program = SvmProgram::p_svm(tokens, selection);
  std::vector<KeyRow> rows;
  for (std::size_t r = 0; r < program.row_count(); ++r) {
    const FractionVector row = program.row(r);
    auto& entry = rows.emplace_back(program.name(r), std::vector<Rational>{});
    for (const Integer& numerator : row.numerators) entry.row.emplace_back(numerator, row.denominator);
  }
  return rows;
}

}  // namespace attest
