#include "attest/exact/weight_feasibility.hpp"

#include "attest/solve/active_set_guess.hpp"
#include "claim_list.hpp"
#include "hypotheses.hpp"
#include "seconds.hpp"
#include "svm_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using WeightMatrix = Separators::mapped_type;

/// More selections than this are not enumerated: the certificate lists a matrix for each.
constexpr std::size_t enumeration_limit = 4096;

struct Numbers {
  WeightRanks ranks;
  std::vector<std::size_t> needed;  ///< of the tokens of each sample; of the queries as many as samples
  std::optional<bool> feasible_for_all = {};
  std::optional<RowNames> farkas_rows = {};

  void write(Fields& out) const {
    out("rank", ranks.tokens)("query_rank", ranks.queries)("needed", needed)("needed_queries", needed.size());
    out("feasible_for_all", feasible_for_all);
    if (farkas_rows) out("farkas_rows", *farkas_rows);
  }
};

/// Exact solutions of more tight rows than these are out of reach, and most rows are tight.
constexpr double most_exact_rows_of_weights = 1000;
/// Seconds that W-SVMs of the selections that are tried first may take, about: all tokens are tried where that is enough.
constexpr double diagonal_seconds = 8;

/// What was found about selections, one by one.
struct Search {
  const ClaimContext& context;
  Separators separators = {};
  std::shared_ptr<const SolvedSvm> refuted = {};
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
  Study& study = search.context.study;
  WeightMatrix guess = rounded(guess_weights(SvmProgram::w_svm(study.tokens(), selection), search.context.budget));
  if (separates(study.tokens(), selection, guess)) {
    search.separators.emplace(selection, std::move(guess));
    return;
  }
  if (ProblemSize(study.problem()).rows > most_exact_rows_of_weights) {
    search.undecided = "a selection is not shown to be feasible, and has too many rows for its exact solution";
    return;
  }
  auto svm = study.svm(SvmProgram::Kind::w, selection, search.context.budget);
  if (svm->infeasible()) {
    search.refuted = std::move(svm);
    return;
  }
  search.undecided = "a selection is feasible, but only just: no short matrix shows it";
  if (const SvmUndecided* undecided = svm->undecided()) search.undecided = undecided->reason;
}

/// T_1 T_2 … T_n, or a number above the limit.
std::size_t selection_count(const Problem& problem) {
  std::size_t count = 1;
  for (std::size_t i = 0; i < problem.sample_count() && count <= enumeration_limit; ++i) count *= problem.token_count(i);
  return count;
}

/// (t, t, …, t), with fewer tokens modulo their number: every token of every sample is tried once, or as many as the work allows.
void try_diagonals(Search& search) {
  const Problem& problem = search.context.problem();
  std::size_t most = 0;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) most = std::max(most, problem.token_count(i));
  const double fit = diagonal_seconds / weight_svm_seconds(ProblemSize(problem));
  if (fit < static_cast<double>(most)) most = std::max<std::size_t>(1, static_cast<std::size_t>(fit));
  for (std::size_t t = 0; t < most && search.open(); ++t) {
    Selection selection;
    for (std::size_t i = 0; i < problem.sample_count(); ++i) selection.push_back(t % problem.token_count(i));
    decide(search, selection);
    if (search.context.budget.spent() && search.open()) search.undecided = "the time was up";
  }
}

void try_all(Search& search) {
  const Problem& problem = search.context.problem();
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

Decided by_ranks(const WeightRanks& ranks) {
  return decided_exactly(true, "feasible for every selection: difference tokens and queries are independent",
                         certified::Rank{ranks.tokens, ranks.queries});
}

Decided by_enumeration(const Search& search) {
  return decided_exactly(true, fmt::format("the ranks are too small, but each of the {} selections is feasible", search.separators.size()),
                         certify_every_selection(search.context.problem().dimension(), search.separators));
}

Finding by_infeasible(const Search& search, Numbers& numbers) {
  const SvmProgram& program = search.refuted->program;
  numbers.farkas_rows = reported_rows(program, farkas_rows(*search.refuted->infeasible()));
  Finding finding(decide_svm(search.context, program.kind(), program.selection(), SvmProof::exact));
  finding.selection = program.selection();
  return finding;
}

Finding by_search(const ClaimContext& context, Numbers& numbers) {
  Search search{context};
  try_diagonals(search);
  const bool few = selection_count(context.problem()) <= enumeration_limit;
  if (search.open() && few) try_all(search);
  if (search.refuted) return by_infeasible(search, numbers);
  if (search.open() && few) return Finding(by_enumeration(search));
  Finding finding;
  finding.message = fmt::format("the ranks are too small; the {} selections tried are feasible{}", search.separators.size(),
                                search.undecided.empty() ? "" : "; " + search.undecided);
  return finding;
}

Finding check(const ClaimContext& context) {
  const Problem& problem = context.problem();
  Numbers numbers{weight_ranks(context.study.tokens()), {}};
  for (std::size_t i = 0; i < problem.sample_count(); ++i) numbers.needed.push_back(problem.token_count(i) - 1);
  Finding finding = numbers.ranks.independent ? Finding(by_ranks(numbers.ranks)) : by_search(context, numbers);
  if (finding.verdict != Verdict::undecided) numbers.feasible_for_all = finding.verdict == Verdict::holds;
  finding.evidence = std::move(numbers);
  return finding;
}

/// Ranks decide at once; where the dimension is too small for them, W-SVMs have to.
double least_seconds(const ProblemSize& size) {
  return std::max(size.samples, size.most_tokens - 1) > size.dimension ? weight_svm_seconds(size) : 0;
}

}  // namespace

Claim overparametrised_claim() {
  return {
      .schema = {"overparametrised", {}, {}},
      .title = "Over-parametrisation",
      .summary = "the W-SVM is feasible for every selection",
      .source = "[TS]",
      .words = "In enough dimensions and general position every selection can be separated.",
      .formula = R"(d \ge \max(T - 1, n) \quad \Rightarrow \quad \text{the W-SVM is feasible for every } \alpha)",
      .text =
          "If the queries are linearly independent and in each sample the differences x_it - x_i1 are, the W-SVM is feasible for every "
          "selection; d >= max(T - 1, n) is needed and in general position enough.\n"
          "Holds, proved: the exact ranks show it, without enumeration (certificate rank); or the ranks are too small and every selection, "
          "at most 4096, has a matrix that separates it (certificate every-selection).\n"
          "Fails, proved: some selection is infeasible (certificate svm-infeasible of w-svm).\n"
          "Undecided: the ranks are too small, and no infeasible selection was found among those tried.",
      .numbers = {{"rank", "of each sample's difference tokens"},
                  {"query_rank", "rank of the queries"},
                  {"needed", "the ranks that independent difference tokens have, a sample"},
                  {"needed_queries", "the rank that independent queries have"},
                  {"feasible_for_all", "the W-SVM is feasible for every selection; null when undecided"},
                  {"farkas_rows", "when it fails: the rows of a selection that contradict each other"}},
      .section = AuditSection::assumptions,
      .least_seconds = least_seconds,
      .check = check};
}

}  // namespace attest
