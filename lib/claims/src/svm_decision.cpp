#include "svm_decision.hpp"

#include "attest/exact/global_optimality.hpp"
#include "attest/solve/active_set_guess.hpp"
#include "attest/solve/ipopt_guess.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {

using Json = nlohmann::ordered_json;

namespace {

Json encode_name(const SvmProgram& program, std::size_t row) {
  const auto [i, t] = program.name(row);
  return program.kind() == SvmProgram::Kind::v ? Json::array({i}) : Json::array({i, t});
}

}  // namespace

// IPOPT would need the rows of the W-SVM as d^2 numbers each; there the exact stage repairs what is stalled.
SvmOpinion float_opinion(const SvmProgram& program, const Budget& budget) {
  ActiveSetGuess guess = guess_active_set(program, budget);
  if (guess.end == ActiveSetGuess::End::stalled && !budget.spent() && program.kind() != SvmProgram::Kind::w) {
    ActiveSetGuess second = ipopt_guess(program, budget);
    if (second.end == ActiveSetGuess::End::solved) guess = std::move(second);
  }
  return {guess.end != ActiveSetGuess::End::solved, std::move(guess.rows)};
}

SvmOpinionOf opinion_within(const Budget& budget) {
  return [&budget](const SvmProgram& program) { return float_opinion(program, budget); };
}

SvmOutcome solve_svm(const SvmProgram& program, const Budget& budget) {
  return decide_svm(program, float_opinion(program, budget).rows, budget);
}

Selection selection_or_best(const ClaimContext& context) {
  const auto* given = context.request.find<Selection>("selection");
  return given ? *given : best_selection(exact_scores(context.problem));
}

Json encode_rows(const SvmProgram& program, const std::vector<std::size_t>& rows) {
  Json list = Json::array();
  for (const std::size_t row : rows) list.push_back(encode_name(program, row));
  return list;
}

std::vector<RowName> certified_rows(const SvmProgram& program, const std::vector<std::size_t>& rows) {
  std::vector<RowName> names;
  for (const std::size_t row : rows) names.push_back(program.name(row));
  return names;
}

certified::Multipliers certified_multipliers(const SvmProgram& program, const std::vector<Multiplier>& multipliers) {
  certified::Multipliers named;
  for (const Multiplier& multiplier : multipliers) named.push_back({program.name(multiplier.row), multiplier.weight});
  return named;
}

certified::Solution certified_solution(const SvmProgram& program, const SvmSolution& solution) {
  return {solution.w, certified_multipliers(program, solution.multipliers)};
}

bool are_demanded(const ClaimRequest& request, std::string_view parameter, const SvmProgram& program, const std::vector<std::size_t>& rows) {
  const auto* demanded = request.find<RowNames>(parameter);
  if (demanded == nullptr) return true;
  auto found = encode_rows(program, rows).get<RowNames>();
  RowNames wanted = *demanded;
  std::ranges::sort(found);
  std::ranges::sort(wanted);
  return found == wanted;
}

DemandedSolution compare_with_demands(const ClaimRequest& request, const SvmProgram& program, const SvmSolution& solution) {
  DemandedSolution demanded;
  if (const auto* objective = request.find<Rational>("objective"); objective && *objective != solution.objective) {
    demanded.met = false;
    demanded.text = fmt::format(", not {}", short_text(*objective));
  }
  if (!are_demanded(request, "support", program, solution.support)) {
    demanded.met = false;
    demanded.text += ", another support than the claim's";
  }
  return demanded;
}

std::string short_text(const Rational& number) {
  const std::string exact = to_string(number);
  constexpr std::size_t longest = 20;
  return exact.size() <= longest ? exact : fmt::format("{:.10g}", nearest_double(number));
}

std::string row_list(const SvmProgram& program, const std::vector<std::size_t>& rows) {
  constexpr std::size_t shown = 4;
  std::string text;
  for (std::size_t k = 0; k < std::min(shown, rows.size()); ++k) text += (k == 0 ? "" : ", ") + encode_name(program, rows[k]).dump();
  if (rows.size() > shown) text += fmt::format(" and {} more", rows.size() - shown);
  return text;
}

}  // namespace attest
