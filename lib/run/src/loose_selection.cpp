#include "loose_selection.hpp"

#include "attest/run/apart.hpp"
#include "attest/solve/active_set_guess.hpp"

#include <algorithm>

namespace attest {
namespace {

/// Whether the p-SVM of the selection seems to have token t of sample i among its support vectors.
bool has_neighbour(const ExactTokens& tokens, const Selection& selection, const RowName& token, const Budget& budget) {
  const SvmProgram program = SvmProgram::p_svm(tokens, selection);
  const ActiveSetGuess guess = guess_active_set(program, budget);
  return guess.end == ActiveSetGuess::End::solved &&
         std::ranges::any_of(guess.rows, [&](std::size_t row) { return program.name(row) == token; });
}

LooseSelection search(const Problem& problem, const Selection& optimal, const Budget& budget) {
  constexpr int most_tries = 64;
  const ExactTokens tokens(problem);
  const Scores scores = exact_scores(problem);
  int tries = 0;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    for (std::size_t t = 0; t < problem.token_count(i) && tries < most_tries; ++t) {
      if (!(scores[i][t] < scores[i][optimal[i]])) continue;
      if (budget.spent()) return {std::nullopt, "the time was up"};
      ++tries;
      Selection swapped = optimal;
      swapped[i] = t;
      if (has_neighbour(tokens, swapped, {i, optimal[i]}, budget)) return {swapped, ""};
    }
  }
  return {};
}

}  // namespace

// How it comes back from the worker process.
static void to_json(nlohmann::ordered_json& json, const LooseSelection& loose) {
  json = {{"selection", loose.selection.value_or(Selection{})}, {"why_not", loose.why_not}};
}

static void from_json(const nlohmann::ordered_json& json, LooseSelection& loose) {
  if (const auto selection = json.at("selection").get<Selection>(); !selection.empty()) loose.selection = selection;
  loose.why_not = json.at("why_not").get<std::string>();
}

LooseSelection find_loose_selection(const Problem& problem, const Selection& optimal, const RunOptions& options) {
  const auto found = compute_apart([&](const Budget& budget) { return search(problem, optimal, budget); }, options);
  if (const auto* none = std::get_if<NoAnswer>(&found)) return {std::nullopt, none->reason};
  return std::get<LooseSelection>(found);
}

}  // namespace attest
