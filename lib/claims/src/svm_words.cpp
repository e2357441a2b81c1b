#include "svm_words.hpp"

#include "attest/base/bound_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

bool can_compare(const ClaimRequest& request, const SvmBracket& bracket) {
  if (request.find<Rational>("objective") != nullptr) return false;
  return request.find<RowNames>("support") == nullptr || bracket.support_is_known();
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
  if (exact.size() <= longest) return exact;
  const double image = nearest_double(number);
  return std::isnormal(image) ? fmt::format("{:.10g}", image) : text_below(number, 10);
}

std::optional<double> margin_of(const Rational& objective) {
  if (objective.sign() <= 0) return std::nullopt;
  const Rational square = Rational(1) / (2 * objective);
  // The root of what is left of it near 1, so that it is a double.
  const auto bits = [](const Integer& number) { return static_cast<int>(msb(number)); };
  const int half = (bits(numerator(square)) - bits(denominator(square))) / 2;
  const Rational power(Integer(1) << (2 * static_cast<std::size_t>(std::abs(half))));
  return std::ldexp(std::sqrt(nearest_double(half > 0 ? square / power : square * power)), half);
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

std::string bracket_words(const BracketedSvm& svm, const std::string& demanded) {
  const SvmBracket& bracket = svm.bracket;
  const std::string rows = bracket.support_is_known() ? fmt::format("{} tight rows", bracket.support.size())
                                                      : fmt::format("{} rows are tight, {} more may be", bracket.support.size(),
                                                                    bracket.possible.size() - bracket.support.size());
  return fmt::format("objective {:.12g}{}, bracket proved, relative {:.1e}, {}", BracketNumbers(svm).objective, demanded,
                     upper_double(bracket.relative_gap()), rows);
}

BracketNumbers::BracketNumbers(const BracketedSvm& svm)
    : objective(nearest_double((svm.bracket.lower + svm.bracket.upper) / 2)),
      margin(margin_of((svm.bracket.lower + svm.bracket.upper) / 2)), lower(lower_double(svm.bracket.lower)),
      upper(upper_double(svm.bracket.upper)), gap(upper_double(svm.bracket.relative_gap())),
      support(reported_rows(svm.program, svm.bracket.support)), possible_support(reported_rows(svm.program, svm.bracket.possible)) {
  // Each double is within 2^-53 of its entry, so all are within 2^-53 of the point's norm, which is at most the root of twice upper.
  const double norm = std::sqrt(2 * upper) * (1 + 0x1p-50);
  distance = std::isfinite(norm) ? upper_double(svm.bracket.distance + exact_value(norm * 0x1p-53)) : norm;
}

void BracketNumbers::write(Fields& out) const {
  out("objective", objective)("lower", lower)("upper", upper)("gap", gap)("margin", margin)("distance", distance);
  out("support", support)("possible_support", possible_support);
}

std::vector<std::size_t> farkas_rows(const SvmInfeasible& infeasible) {
  std::vector<std::size_t> rows;
  for (const Multiplier& multiplier : infeasible.multipliers) rows.push_back(multiplier.row);
  return rows;
}

std::string infeasible_words(const SvmProgram& program, const SvmInfeasible& infeasible) {
  return fmt::format("infeasible: rows {} contradict each other", row_list(program, farkas_rows(infeasible)));
}

std::string dropped_words(const std::vector<std::size_t>& samples) {
  constexpr std::size_t shown = 8;
  std::string list;
  for (std::size_t k = 0; k < std::min(shown, samples.size()); ++k) list += (k == 0 ? "" : ", ") + std::to_string(samples[k]);
  if (samples.size() > shown) list += fmt::format(" and {} more", samples.size() - shown);
  return fmt::format("; dropping sample{} {} makes it feasible", samples.size() == 1 ? "" : "s", list);
}

std::string neighbours_words(const SvmProgram& program, const SvmSolution& solution) {
  return fmt::format("scores more than its neighbours {}", row_list(program, solution.support));
}

}  // namespace attest
