#include "attest/exact/weight_feasibility.hpp"
#include "attest/solve/active_set_guess.hpp"
#include "claim_list.hpp"
#include "weight_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;
using WeightMatrix = std::vector<Integer>;

/// More selections than this are not enumerated: the certificate lists a matrix for each.
constexpr std::size_t enumeration_limit = 4096;

/// What was found about selections, one by one.
struct Search {
  const ClaimContext& context;
  const ExactTokens& tokens;
  std::map<Selection, WeightMatrix> separators = {};
  std::optional<Finding> refuted = {};
  std::string undecided = {};

  bool open() const { return !refuted && undecided.empty(); }
};

/// The matrix in whole numbers up to 2^20: a positive multiple of W, nearly.
WeightMatrix rounded(const std::vector<double>& W) {
  double largest = 0;
  for (const double entry : W) largest = std::max(largest, std::abs(entry));
  WeightMatrix result;
  for (const double entry : W) result.emplace_back(largest > 0 ? std::llround(entry / largest * 0x1p20) : 0);
  return result;
}

void decide(Search& search, const Selection& selection) {
  if (search.separators.contains(selection)) return;
  const SvmProgram program = SvmProgram::w_svm(search.tokens, selection);
  WeightMatrix guess = rounded(guess_weights(program, search.context.budget));
  if (separates(search.tokens, selection, guess)) {
    search.separators.emplace(selection, std::move(guess));
    return;
  }
  const SvmOutcome outcome = solve_svm(program, search.context.budget);
  if (const auto* infeasible = std::get_if<SvmInfeasible>(&outcome)) {
    search.refuted = infeasible_weights(program, *infeasible);
    return;
  }
  search.undecided = "a selection is feasible, but only just: no short matrix shows it";
  if (const auto* undecided = std::get_if<SvmUndecided>(&outcome)) search.undecided = undecided->reason;
}

/// T_1 T_2 … T_n, or a number above the limit.
std::size_t selection_count(const Problem& problem) {
  std::size_t count = 1;
  for (std::size_t i = 0; i < problem.sample_count() && count <= enumeration_limit; ++i) count *= problem.token_count(i);
  return count;
}

/// (t, t, …, t), with fewer tokens modulo their number: every token of every sample is tried once.
void try_diagonals(Search& search) {
  const Problem& problem = search.context.problem;
  std::size_t most = 0;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) most = std::max(most, problem.token_count(i));
  for (std::size_t t = 0; t < most && search.open(); ++t) {
    Selection selection;
    for (std::size_t i = 0; i < problem.sample_count(); ++i) selection.push_back(t % problem.token_count(i));
    decide(search, selection);
    if (search.context.budget.spent() && search.open()) search.undecided = "the time was up";
  }
}

void try_all(Search& search) {
  const Problem& problem = search.context.problem;
  Selection selection(problem.sample_count(), 0);
  while (search.open()) {
    decide(search, selection);
    if (search.context.budget.spent() && search.open()) search.undecided = "the time was up";
    std::size_t i = problem.sample_count();
    while (i > 0 && selection[i - 1] + 1 == problem.token_count(i - 1)) selection[--i] = 0;
    if (i == 0) return;
    ++selection[i - 1];
  }
}

Json report_ranks(const Problem& problem, const WeightRanks& ranks) {
  Json needed = Json::array();
  for (std::size_t i = 0; i < problem.sample_count(); ++i) needed.push_back(problem.token_count(i) - 1);
  return {{"rank", ranks.tokens}, {"query_rank", ranks.queries}, {"needed", needed}, {"needed_queries", problem.sample_count()}};
}

Finding by_ranks(const WeightRanks& ranks) {
  Finding finding;
  finding.verdict = Verdict::holds;
  finding.grade = Grade::proved;
  finding.message = "feasible for every selection: difference tokens and queries are independent";
  finding.certificate = certify(certified::Rank{ranks.tokens, ranks.queries});
  return finding;
}

Finding by_enumeration(const Search& search) {
  Finding finding;
  finding.verdict = Verdict::holds;
  finding.grade = Grade::proved;
  finding.message = fmt::format("the ranks are too small, but each of the {} selections is feasible", search.separators.size());
  certified::EverySelection evidence{search.context.problem.dimension(), {}};
  for (const auto& [selection, W] : search.separators) evidence.matrices.push_back(W);
  finding.certificate = certify(evidence);
  return finding;
}

Finding by_search(const ClaimContext& context, const ExactTokens& tokens) {
  Search search{context, tokens};
  try_diagonals(search);
  const bool few = selection_count(context.problem) <= enumeration_limit;
  if (search.open() && few) try_all(search);
  if (search.refuted) return *search.refuted;
  if (search.open() && few) return by_enumeration(search);
  Finding finding;
  finding.message = fmt::format("the ranks are too small; the {} selections tried are feasible{}", search.separators.size(),
                                search.undecided.empty() ? "" : "; " + search.undecided);
  return finding;
}

Finding check(const ClaimContext& context) {
  const ExactTokens tokens(context.problem);
  const WeightRanks ranks = weight_ranks(tokens);
  Finding finding = ranks.independent ? by_ranks(ranks) : by_search(context, tokens);
  Json numbers = report_ranks(context.problem, ranks);
  numbers["feasible_for_all"] = finding.verdict == Verdict::undecided ? Json() : Json(finding.verdict == Verdict::holds);
  numbers.update(finding.numbers);
  finding.numbers = std::move(numbers);
  return finding;
}

}  // namespace

Claim overparametrised_claim() {
  return {{"overparametrised", {}, {}},
          "the W-SVM is feasible for every selection",
          "[TS] If the queries are linearly independent and in each sample the differences x_it - x_i1 are, the W-SVM\n"
          "is feasible for every selection; d >= max(T - 1, n) is needed and in general position enough.\n"
          "Holds, proved: the exact ranks show it, without enumeration (certificate rank); or the ranks are too small\n"
          "and every selection, at most 4096, has a matrix that separates it (certificate every-selection).\n"
          "Fails, proved: some selection is infeasible (certificate svm-infeasible of w-svm).\n"
          "Undecided: the ranks are too small, and no infeasible selection was found among those tried.\n"
          "Numbers: rank (of each sample's difference tokens), query_rank, needed, needed_queries, feasible_for_all;\n"
          "farkas_rows when it fails.",
          check};
}

}  // namespace attest
