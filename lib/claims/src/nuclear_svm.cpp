#include "nuclear_svm.hpp"

#include "attest/base/tolerance.hpp"
#include "hypotheses.hpp"
#include "svm_words.hpp"
#include "weight_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

/// Rows that carry weight: they are tight at every solution, up to the gap.
RowNames weighty_rows(const NuclearSvm& svm) {
  const std::vector<double>& multipliers = svm.guess.multipliers;
  const double largest = multipliers.empty() ? 0 : *std::ranges::max_element(multipliers);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < multipliers.size(); ++row)
    if (multipliers[row] > active_multiplier_tolerance.relative * largest) rows.push_back(row);
  return reported_rows(svm.program, rows);
}

/// Bounds stay bounds as doubles.
struct NuclearNumbers {
  explicit NuclearNumbers(const DecidedNuclear& decided)
      : lower(decided.svm->bracket->lower), upper(decided.svm->bracket->upper), gap(decided.svm->bracket->relative_gap()),
        spectrum(decided.svm->guess.spectrum), solution(rows_of(decided.solution())), support(weighty_rows(*decided.svm)) {}

  Rational lower;
  Rational upper;
  Rational gap;
  std::vector<double> spectrum;
  std::vector<std::vector<double>> solution;
  RowNames support;

  void write(Fields& out) const {
    out("objective", nearest_double(upper))("lower", lower_double(lower))("upper", upper_double(upper));
    out("gap", upper_double(gap))("gap_tolerance", nuclear_gap_tolerance.relative);
    out("rank", numerical_rank(spectrum))("singular_values", spectrum)("spectrum_ratio", spectrum_ratio(spectrum));
    out("solution", solution)("support", support);
  }
};

struct InfeasibleNumbers {
  RowNames farkas_rows;
  void write(Fields& out) const { out("farkas_rows", farkas_rows); }
};

/// The least norm is seldom rational: a given one is taken for rounded, and only one far from the bracket is refuted.
void demand_objective(Finding& finding, const NuclearBracket& bracket, const Rational& demanded) {
  const Rational slack = exact_value(nuclear_gap_tolerance.relative) * bracket.upper;
  const bool inside = bracket.lower - slack <= demanded && demanded <= bracket.upper + slack;
  finding.grade = inside ? Grade::observed : Grade::proved;
  if (inside) return;
  finding.verdict = Verdict::fails;
  finding.message += fmt::format(", not {}", short_text(demanded));
}

/// The least norm lies between `lower` and `upper`: inside what is demanded, outside, or neither is shown.
void demand_bracket(Finding& finding, const NuclearBracket& bracket, const RationalInterval& demanded) {
  if (demanded.low <= bracket.lower && bracket.upper <= demanded.high) return;
  const bool apart = bracket.upper < demanded.low || demanded.high < bracket.lower;
  finding.verdict = apart ? Verdict::fails : Verdict::undecided;
  finding.grade = apart ? Grade::proved : Grade::observed;
  finding.message +=
      fmt::format(", {} [{}, {}]", apart ? "not in" : "not shown to lie in", short_text(demanded.low), short_text(demanded.high));
}

}  // namespace

Finding check_nuclear(const ClaimContext& context) {
  const DecidedNuclear decided = decide_nuclear(context, context.selection_or_best());
  Finding finding(decided);
  finding.selection = context.selection_or_best();
  if (decided.svm->bracket) {
    finding.evidence = NuclearNumbers(decided);
    if (const auto* objective = context.request.find<Rational>("objective")) demand_objective(finding, *decided.svm->bracket, *objective);
    if (const auto* bracket = context.request.find<RationalInterval>("bracket")) demand_bracket(finding, *decided.svm->bracket, *bracket);
  } else if (decided.verdict == Verdict::fails) {
    const auto frobenius = context.study.svm(SvmProgram::Kind::w, context.selection_or_best(), context.budget);
    finding.evidence = InfeasibleNumbers{reported_rows(frobenius->program, farkas_rows(*frobenius->infeasible()))};
  }
  return finding;
}

}  // namespace attest
