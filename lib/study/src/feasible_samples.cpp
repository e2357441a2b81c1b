#include "attest/study/feasible_samples.hpp"

#include "attest/solve/active_set_guess.hpp"
#include "attest/study/svm_decision.hpp"

#include <algorithm>

namespace attest {
namespace {

/// The program of some of the samples.
class PartialProgram {
 public:
  PartialProgram(const Problem& whole, SvmProgram::Kind kind, const Selection& selection, const std::vector<bool>& kept)
      : problem_(part_of(whole, kept)), tokens_(problem_), program_(make(kind, tokens_, part_of(selection, kept))) {}
  PartialProgram(const PartialProgram&) = delete;
  PartialProgram& operator=(const PartialProgram&) = delete;

  const SvmProgram& program() const { return program_; }

 private:
  static Problem part_of(const Problem& whole, const std::vector<bool>& kept) {
    Problem part = whole;
    part.tokens.clear();
    part.labels.clear();
    std::vector<Rational> queries;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!kept[i]) continue;
      part.tokens.push_back(whole.tokens[i]);
      part.labels.push_back(whole.labels[i]);
      for (std::size_t c = 0; whole.queries && c < whole.dimension(); ++c) queries.push_back(whole.queries->at(i, c));
    }
    if (whole.queries) part.queries = ExactMatrix::from_rationals(part.tokens.size(), whole.dimension(), std::move(queries));
    return part;
  }

  static Selection part_of(const Selection& whole, const std::vector<bool>& kept) {
    Selection part;
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (kept[i]) part.push_back(whole[i]);
    return part;
  }

  static SvmProgram make(SvmProgram::Kind kind, const ExactTokens& tokens, Selection selection) {
    if (kind == SvmProgram::Kind::v) return SvmProgram::v_svm(tokens, std::move(selection));
    return kind == SvmProgram::Kind::w ? SvmProgram::w_svm(tokens, std::move(selection)) : SvmProgram::p_svm(tokens, std::move(selection));
  }

  Problem problem_;
  ExactTokens tokens_;
  SvmProgram program_;
};

bool shown_feasible(const SvmProgram& program, const Budget& budget) {
  if (most_tight_rows(program) > most_exact_rows && solve_bracket(program, budget)) return true;
  return std::holds_alternative<SvmSolution>(solve_svm(program, budget));
}

class GreedySearch {
 public:
  GreedySearch(const Problem& problem, SvmProgram::Kind kind, const Selection& selection, const Budget& budget)
      : problem_(problem), kind_(kind), selection_(selection), budget_(budget), kept_(selection.size(), true), blame_(selection.size(), 0) {
  }

  std::optional<std::vector<std::size_t>> run() {
    std::vector<std::size_t> dropped;
    for (;;) {
      const auto contradiction = contradicting_samples();
      if (!contradiction) return std::nullopt;
      if (contradiction->empty()) break;
      const std::size_t worst = *std::ranges::max_element(*contradiction, {}, [&](std::size_t i) { return blame_[i]; });
      kept_[worst] = false;
      dropped.push_back(worst);
      if (dropped.size() == selection_.size()) return std::nullopt;
    }
    take_back(dropped);
    std::ranges::sort(dropped);
    const PartialProgram rest(problem_, kind_, selection_, kept_);
    return shown_feasible(rest.program(), budget_) ? std::optional(dropped) : std::nullopt;
  }

 private:
  /// The samples of rows that contradict each other, as doubles see it; none are left when the rest seems feasible.
  std::optional<std::vector<std::size_t>> contradicting_samples() {
    if (budget_.spent()) return std::nullopt;
    const PartialProgram rest(problem_, kind_, selection_, kept_);
    const ActiveSetGuess guess = guess_active_set(rest.program(), budget_);
    if (guess.end == ActiveSetGuess::End::stalled) return std::nullopt;
    std::vector<std::size_t> samples;
    if (guess.end == ActiveSetGuess::End::solved) return samples;
    std::vector<std::size_t> names;
    for (std::size_t i = 0; i < kept_.size(); ++i)
      if (kept_[i]) names.push_back(i);
    for (const std::size_t row : guess.rows) {
      samples.push_back(names[rest.program().name(row).sample]);
      ++blame_[samples.back()];
    }
    return samples;
  }

  /// Samples that were dropped early may do no harm once others are gone.
  void take_back(std::vector<std::size_t>& dropped) {
    std::erase_if(dropped, [&](std::size_t i) {
      kept_[i] = true;
      const auto contradiction = contradicting_samples();
      kept_[i] = contradiction && contradiction->empty();
      return static_cast<bool>(kept_[i]);
    });
  }

  const Problem& problem_;
  SvmProgram::Kind kind_;
  const Selection& selection_;
  const Budget& budget_;
  std::vector<bool> kept_;
  std::vector<std::size_t> blame_;  // how many contradicting rows a sample had, in all rounds
};

}  // namespace

std::optional<std::vector<std::size_t>> find_dropped_samples(const Problem& problem, SvmProgram::Kind kind, const Selection& selection,
                                                             const Budget& budget) {
  if (kind == SvmProgram::Kind::joint) return std::nullopt;
  return GreedySearch(problem, kind, selection, budget).run();
}

}  // namespace attest
