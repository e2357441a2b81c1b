#include "nuclear_svm.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/exact/nuclear_bracket.hpp"
#include "attest/solve/nuclear_guess.hpp"
#include "weight_numbers.hpp"
#include "weight_program.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

certified::NuclearBracket certified_bracket(const SvmProgram& program, const NuclearBracket& bracket) {
  return {program.selection(), bracket.lower, bracket.upper, program.dimension(), bracket.columns, bracket.A, bracket.B,
          certified_multipliers(program, bracket.multipliers)};
}

/// The product A B^T in doubles, by rows.
Json solution_rows(const NuclearBracket& bracket, std::size_t d) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < d; ++r) {
    Json row = Json::array();
    for (std::size_t c = 0; c < d; ++c) {
      double entry = 0;
      for (std::size_t k = 0; k < bracket.columns; ++k)
        entry += nearest_double(bracket.A[r * bracket.columns + k]) * nearest_double(bracket.B[c * bracket.columns + k]);
      row.push_back(entry);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Rows that carry weight: they are tight at every solution, up to the gap.
Json weighty_rows(const SvmProgram& program, const std::vector<double>& multipliers) {
  const double largest = multipliers.empty() ? 0 : *std::ranges::max_element(multipliers);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < multipliers.size(); ++row)
    if (multipliers[row] > active_multiplier_tolerance.relative * largest) rows.push_back(row);
  return encode_rows(program, rows);
}

/// The least norm lies between `lower` and `upper`: inside what is demanded, outside, or neither is shown.
void demand_bracket(Finding& finding, const NuclearBracket& bracket, const RationalInterval& demanded) {
  if (demanded.low <= bracket.lower && bracket.upper <= demanded.high) return;
  const bool apart = bracket.upper < demanded.low || demanded.high < bracket.lower;
  finding.verdict = apart ? Verdict::fails : Verdict::undecided;
  finding.grade = apart ? Grade::proved : Grade::observed;
  finding.message += fmt::format(", {} [{}, {}]", apart ? "not in" : "not shown to lie in", short_text(demanded.low), short_text(demanded.high));
}

Finding report_bracket(const ClaimContext& context, const SvmProgram& program, const NuclearGuess& guess, const NuclearBracket& bracket) {
  Finding finding;
  finding.selection = program.selection();
  const Rational gap = bracket.upper - bracket.lower;
  const bool close = gap <= exact_value(nuclear_gap_tolerance.relative) * bracket.upper;
  const std::size_t rank = numerical_rank(guess.spectrum);
  const double objective = nearest_double(bracket.upper);
  finding.numbers["objective"] = objective;
  finding.numbers["lower"] = lower_double(bracket.lower);
  finding.numbers["upper"] = upper_double(bracket.upper);
  finding.numbers["gap"] = bracket.upper > 0 ? upper_double(gap / bracket.upper) : 0.0;
  finding.numbers["gap_tolerance"] = nuclear_gap_tolerance.relative;
  finding.numbers["rank"] = rank;
  finding.numbers["singular_values"] = guess.spectrum;
  finding.numbers["spectrum_ratio"] = spectrum_ratio(guess.spectrum);
  finding.numbers["solution"] = solution_rows(bracket, program.dimension());
  finding.numbers["support"] = weighty_rows(program, guess.multipliers);
  finding.certificate = certify(certified_bracket(program, bracket));
  finding.verdict = close ? Verdict::holds : Verdict::undecided;
  finding.grade = close ? Grade::proved : Grade::observed;
  finding.message = fmt::format("nuclear norm {:.10g}, bracket {} relative {:.1e}, rank {}", objective,
                                close ? "proved," : "too wide,", finding.numbers["gap"].get<double>(), rank);
  if (const auto* expected = context.request.find<Rational>("objective")) {
    // The least norm is seldom rational: a given one is taken for rounded, and only one far from the bracket is refuted.
    const Rational slack = exact_value(nuclear_gap_tolerance.relative) * bracket.upper;
    const bool inside = bracket.lower - slack <= *expected && *expected <= bracket.upper + slack;
    if (!inside) finding.verdict = Verdict::fails;
    finding.grade = inside ? Grade::observed : Grade::proved;
    if (!inside) finding.message += fmt::format(", not {}", short_text(*expected));
  }
  if (const auto* demanded = context.request.find<RationalInterval>("bracket")) demand_bracket(finding, bracket, *demanded);
  return finding;
}

}  // namespace

Finding check_nuclear(const ClaimContext& context, const SvmProgram& program) {
  const NuclearGuess guess = guess_nuclear(program, context.budget);
  if (guess.found)
    if (const auto bracket = prove_nuclear_bracket(program, {guess.columns, guess.A, guess.B, guess.multipliers}))
      return report_bracket(context, program, guess, *bracket);
  // Both norms have the same rows, so the Frobenius program decides whether there is a matrix at all.
  const SvmOutcome outcome = solve_svm(program, context.budget);
  if (const auto* infeasible = std::get_if<SvmInfeasible>(&outcome)) return infeasible_weights(program, *infeasible);
  Finding finding;
  finding.selection = program.selection();
  finding.message = context.budget.spent() ? "the time was up before a bracket was found" : "no bracket was found";
  return finding;
}

}  // namespace attest
