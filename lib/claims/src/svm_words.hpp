#pragma once

#include "attest/claims/claim.hpp"
#include "attest/exact/certificates.hpp"

namespace attest {

/// Rows under the names that reports give them.
RowNames reported_rows(const SvmProgram& program, const std::vector<std::size_t>& rows);

/// Whether a program's solution is the one that the claim demands by `objective` and `support`, as far as it does.
struct DemandedSolution {
  bool met = true;
  std::string text = {};  ///< what is demanded instead, for the message
};
DemandedSolution compare_with_demands(const ClaimRequest& request, const SvmProgram& program, const SvmSolution& solution);
/// Whether what is demanded can be compared with a bracket: no exact objective, and a support only where it is known.
bool can_compare(const ClaimRequest& request, const SvmBracket& bracket);
/// Whether the rows are those that the parameter lists, in any order; true where it is not given.
bool are_demanded(const ClaimRequest& request, std::string_view parameter, const SvmProgram& program, const std::vector<std::size_t>& rows);

/// A number as text that fits a line: the fraction, or a decimal when the fraction is long.
std::string short_text(const Rational& number);

/// 1/|w| for the objective |w|^2/2, of any size; none where w = 0.
std::optional<double> margin_of(const Rational& objective);

/// "[0,2], [1,0] and 3 more"
std::string row_list(const SvmProgram& program, const std::vector<std::size_t>& rows);

/// "objective 50/101, 2 tight rows", for the W-SVM with the rank of its solution; `demanded` stands after the objective.
std::string solution_words(Study& study, const SolvedSvm& svm, const std::string& demanded = {});
/// "objective 12.5, bracket proved, relative 2e-16, 126 tight rows", or how many may be tight.
std::string bracket_words(const BracketedSvm& svm, const std::string& demanded = {});
/// "infeasible: rows [0,1], [0,2] contradict each other"
std::string infeasible_words(const SvmProgram& program, const SvmInfeasible& infeasible);
/// "; dropping samples 3, 17 and 40 makes it feasible"
std::string dropped_words(const std::vector<std::size_t>& samples);
/// "scores more than its neighbours [0,1]"
std::string neighbours_words(const SvmProgram& program, const SvmSolution& solution);

/// What an SVM claim reports of a bracket.
struct BracketNumbers {
  explicit BracketNumbers(const BracketedSvm& svm);

  double objective;  ///< the middle
  std::optional<double> margin;
  double lower;  ///< rounded downwards, the others upwards
  double upper;
  double gap;
  double distance;  ///< of the doubles that are reported to the minimiser
  RowNames support;
  RowNames possible_support;

  void write(Fields& out) const;
};

/// The rows of Farkas' lemma.
std::vector<std::size_t> farkas_rows(const SvmInfeasible& infeasible);

}  // namespace attest
