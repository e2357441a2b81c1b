#pragma once

#include "attest/certificate/certified.hpp"
#include "attest/claims/claim.hpp"
#include "attest/exact/census.hpp"
#include "attest/exact/svm.hpp"

namespace attest {

/// The floating-point solve as the exact stage takes it.
SvmOpinion float_opinion(const SvmProgram& program, const Budget& budget);
/// The same as the exact searches take it; the budget must live as long.
SvmOpinionOf opinion_within(const Budget& budget);

/// Guessed in floating point, decided exactly.
SvmOutcome solve_svm(const SvmProgram& program, const Budget& budget);

/// The claim's selection, or the best-scoring one when it gives none.
Selection selection_or_best(const ClaimContext& context);

/// Rows under the names that reports give them.
nlohmann::ordered_json encode_rows(const SvmProgram& program, const std::vector<std::size_t>& rows);

/// Rows, multipliers and solutions as certificates hold them.
std::vector<RowName> certified_rows(const SvmProgram& program, const std::vector<std::size_t>& rows);
certified::Multipliers certified_multipliers(const SvmProgram& program, const std::vector<Multiplier>& multipliers);
certified::Solution certified_solution(const SvmProgram& program, const SvmSolution& solution);

/// Whether a program's solution is the one that the claim demands by `objective` and `support`, as far as it does.
struct DemandedSolution {
  bool met = true;
  std::string text = {};  ///< what is demanded instead, for the message
};
DemandedSolution compare_with_demands(const ClaimRequest& request, const SvmProgram& program, const SvmSolution& solution);
/// Whether the rows are those that the parameter lists, in any order; true where it is not given.
bool are_demanded(const ClaimRequest& request, std::string_view parameter, const SvmProgram& program, const std::vector<std::size_t>& rows);

/// A number as text that fits a line: the fraction, or a decimal when the fraction is long.
std::string short_text(const Rational& number);

/// "[0,2], [1,0] and 3 more"
std::string row_list(const SvmProgram& program, const std::vector<std::size_t>& rows);

}  // namespace attest
