#include "attest/exact/weight_feasibility.hpp"

#include "gram_solver.hpp"

#include <algorithm>

namespace attest {

WeightRanks weight_ranks(const ExactTokens& tokens) {
  const Problem& problem = tokens.problem();
  WeightRanks ranks{{}, 0, true};
  const SvmProgram differences = SvmProgram::w_svm(tokens, Selection(problem.sample_count(), 0));
  std::vector<FractionVector> queries;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    std::vector<FractionVector> rows;
    for (std::size_t row = differences.first_row(i); row < differences.first_row(i + 1); ++row) rows.push_back(differences.row(row));
    ranks.tokens.push_back(exact_rank(rows));
    ranks.independent = ranks.independent && ranks.tokens.back() == rows.size();
    queries.push_back(tokens.query(i));
  }
  ranks.queries = exact_rank(queries);
  ranks.independent = ranks.independent && ranks.queries == queries.size();
  return ranks;
}

bool separates(const ExactTokens& tokens, const Selection& selection, const std::vector<Integer>& W) {
  const std::size_t d = tokens.problem().dimension();
  const SvmProgram program = SvmProgram::w_svm(tokens, selection);
  for (std::size_t k = 0; k < program.samples().size(); ++k) {
    std::vector<Integer> image;
    for (std::size_t r = 0; r < d; ++r) {
      const auto begin = W.begin() + static_cast<std::ptrdiff_t>(r * d);
      image.push_back(dot(std::vector<Integer>(begin, begin + static_cast<std::ptrdiff_t>(d)), program.query(k).numerators));
    }
    for (std::size_t row = program.first_row(k); row < program.first_row(k + 1); ++row)
      if (dot(program.row(row).numerators, image) <= 0) return false;
  }
  return true;
}

}  // namespace attest
