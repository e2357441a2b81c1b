#include "attest/exact/weight_optima.hpp"

namespace attest {
namespace {

/// Beyond, the subsets are too many.
constexpr std::size_t sample_limit = 12;

/// The token of a sample that leads every other one by more than 1 at W, by rows, if there is one.
std::optional<std::size_t> clear_leader(const ExactTokens& tokens, std::size_t sample, const std::vector<Rational>& W) {
  const Problem& problem = tokens.problem();
  const FractionVector& query = tokens.query(sample);
  const std::size_t d = problem.dimension();
  std::vector<Rational> prompt(d);
  for (std::size_t r = 0; r < d; ++r)
    for (std::size_t c = 0; c < d; ++c) prompt[r] += W[r * d + c] * Rational(query.numerators[c], query.denominator);
  std::vector<Rational> logits(problem.token_count(sample));
  std::size_t leader = 0;
  for (std::size_t t = 0; t < logits.size(); ++t) {
    for (std::size_t r = 0; r < d; ++r) logits[t] += problem.tokens[sample].at(t, r) * prompt[r];
    if (logits[t] > logits[leader]) leader = t;
  }
  for (std::size_t t = 0; t < logits.size(); ++t)
    if (t != leader && logits[leader] - logits[t] <= 1) return std::nullopt;
  return leader;
}

/// beta for one D, given the solution over the other samples.
std::optional<Selection> changed(const ExactTokens& tokens, Selection selection, const std::vector<std::size_t>& D, const std::vector<Rational>& W) {
  for (const std::size_t i : D) {
    const std::optional<std::size_t> leader = clear_leader(tokens, i, W);
    if (!leader || *leader == selection[i]) return std::nullopt;
    selection[i] = *leader;
  }
  return selection;
}

}  // namespace

OtherOptimum find_other_weight_optimum(const ExactTokens& tokens, const Selection& selection, const SvmOpinionOf& opinion,
                                       const Budget& budget) {
  const Problem& problem = tokens.problem();
  std::vector<std::size_t> several;  // samples that have another token
  for (std::size_t i = 0; i < problem.sample_count(); ++i)
    if (problem.token_count(i) > 1) several.push_back(i);
  if (several.size() > sample_limit) return {false, {}, "there are more than 12 samples, so too many subsets of them"};
  for (std::size_t subset = 1; subset < std::size_t{1} << several.size(); ++subset) {
    if (budget.spent()) return {false, {}, "the time was up"};
    std::vector<std::size_t> inside;
    std::vector<std::size_t> outside;
    for (std::size_t k = 0; k < several.size(); ++k) (subset >> k & 1 ? inside : outside).push_back(several[k]);
    if (outside.empty()) continue;  // W = 0 leads nowhere
    const SvmProgram program = SvmProgram::w_svm(tokens, selection, outside);
    const SvmOutcome outcome = decide_svm(program, opinion(program).rows, budget);
    if (const auto* undecided = std::get_if<SvmUndecided>(&outcome)) return {false, {}, undecided->reason};
    const auto* solution = std::get_if<SvmSolution>(&outcome);
    if (solution == nullptr) continue;  // infeasible already without D
    if (auto other = changed(tokens, selection, inside, weight_matrix(program, *solution))) return {true, std::move(other), ""};
  }
  return {true, {}, ""};
}

}  // namespace attest
