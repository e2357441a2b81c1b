#include "svm_words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {

RowNames reported_rows(const SvmProgram& program, const std::vector<std::size_t>& rows) {
  RowNames names;
  for (const std::size_t row : rows) {
    const auto [i, t] = program.name(row);
    names.push_back(program.kind() == SvmProgram::Kind::v ? std::vector{i} : std::vector{i, t});
  }
  return names;
}

bool are_demanded(const ClaimRequest& request, std::string_view parameter, const SvmProgram& program,
                  const std::vector<std::size_t>& rows) {
  const auto* demanded = request.find<RowNames>(parameter);
  if (demanded == nullptr) return true;
  RowNames found = reported_rows(program, rows);
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
  for (std::size_t k = 0; k < std::min(shown, rows.size()); ++k) {
    const auto [i, t] = program.name(rows[k]);
    const bool sample_alone = program.kind() == SvmProgram::Kind::v;
    text += (k == 0 ? "" : ", ") + (sample_alone ? fmt::format("[{}]", i) : fmt::format("[{},{}]", i, t));
  }
  if (rows.size() > shown) text += fmt::format(" and {} more", rows.size() - shown);
  return text;
}

std::string solution_words(Study& study, const SolvedSvm& svm, const std::string& demanded) {
  const SvmSolution& solution = *svm.solution();
  const std::string rank = svm.program.kind() == SvmProgram::Kind::w ? fmt::format(", rank {}", study.weight_rank(svm)) : "";
  return fmt::format("objective {}{}{}, {} tight row{}", short_text(solution.objective), demanded, rank, solution.support.size(),
                     solution.support.size() == 1 ? "" : "s");
}

std::vector<std::size_t> farkas_rows(const SvmInfeasible& infeasible) {
  std::vector<std::size_t> rows;
  for (const Multiplier& multiplier : infeasible.multipliers) rows.push_back(multiplier.row);
  return rows;
}

std::string infeasible_words(const SvmProgram& program, const SvmInfeasible& infeasible) {
  return fmt::format("infeasible: rows {} contradict each other", row_list(program, farkas_rows(infeasible)));
}

std::string neighbours_words(const SvmProgram& program, const SvmSolution& solution) {
  return fmt::format("scores more than its neighbours {}", row_list(program, solution.support));
}

}  // namespace attest
