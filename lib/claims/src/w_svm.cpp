#include "attest/study/feasible_samples.hpp"
#include "claim_list.hpp"
#include "hypotheses.hpp"
#include "nuclear_svm.hpp"
#include "seconds.hpp"
#include "svm_words.hpp"
#include "weight_numbers.hpp"

namespace attest {
namespace {

struct SolutionNumbers {
  Rational objective;
  std::size_t rank;
  std::vector<std::vector<double>> solution;
  RowNames support;

  void write(Fields& out) const {
    out("objective", nearest_double(objective))("objective_exact", objective);
    out("lower", lower_double(objective))("upper", upper_double(objective));
    out("margin", margin_of(objective))("rank", rank)("solution", solution)("support", support);
  }
};

struct BracketedNumbers {
  BracketNumbers bracket;
  std::size_t rank;
  std::vector<std::vector<double>> solution;

  void write(Fields& out) const {
    bracket.write(out);
    out("rank", rank)("solution", solution);
  }
};

struct InfeasibleNumbers {
  RowNames farkas_rows;
  std::optional<std::vector<std::size_t>> dropped_samples;

  void write(Fields& out) const {
    out("farkas_rows", farkas_rows);
    if (dropped_samples) out("dropped_samples", *dropped_samples);
  }
};

Evidence numbers_of(const BracketedSvm& svm) {
  const Eigen::VectorXd W = solution_image(svm);
  return BracketedNumbers{BracketNumbers(svm), numerical_rank(singular_values(svm.program.problem(), W)), rows_of(W)};
}

Evidence numbers_of(Study& study, const SolvedSvm& svm) {
  const SvmSolution& solution = *svm.solution();
  return SolutionNumbers{solution.objective, study.weight_rank(svm), rows_of(solution_image(svm)),
                         reported_rows(svm.program, solution.support)};
}

Finding check_frobenius(const ClaimContext& context) {
  const Selection& selection = context.selection_or_best();
  DecidedSvm decided = decide_svm(context, SvmProgram::Kind::w, selection, demanded_proof(context.request));
  if (decided.bracket && !can_compare(context.request, decided.bracket->bracket))
    decided = decide_svm(context, SvmProgram::Kind::w, selection, SvmProof::exact);
  Finding finding(decided);
  finding.selection = selection;
  if (decided.bracket) {
    finding.evidence = numbers_of(*decided.bracket);
    if (are_demanded(context.request, "support", decided.bracket->program, decided.bracket->bracket.support)) return finding;
    finding.verdict = Verdict::fails;
    finding.message = bracket_words(*decided.bracket, ", another support than the claim's");
    return finding;
  }
  const SolvedSvm& svm = *decided.svm;
  if (const SvmInfeasible* infeasible = svm.infeasible()) {
    auto dropped = find_dropped_samples(context.problem(), SvmProgram::Kind::w, selection, context.budget);
    if (dropped) finding.message += dropped_words(*dropped);
    finding.evidence = InfeasibleNumbers{reported_rows(svm.program, farkas_rows(*infeasible)), std::move(dropped)};
  }
  if (!svm.solution()) return finding;
  finding.evidence = numbers_of(context.study, svm);
  const DemandedSolution demanded = compare_with_demands(context.request, svm.program, *svm.solution());
  if (demanded.met) return finding;
  finding.verdict = Verdict::fails;
  finding.message = solution_words(context.study, svm, demanded.text);
  return finding;
}

Finding check(const ClaimContext& context) {
  const auto* norm = context.request.find<std::string>("norm");
  return norm && *norm == "nuclear" ? check_nuclear(context) : check_frobenius(context);
}

}  // namespace

Claim w_svm_claim() {
  return {
      .schema = {"w-svm",
                 {{"selection", ParameterKind::selection, false, "one token a sample", {}, "the largest scores"},
                  {"norm", ParameterKind::choice, false, "which norm is least", {"frobenius", "nuclear"}, "frobenius"},
                  {"objective", ParameterKind::rational, false, "demand this 1/2 |W|^2 exactly (nuclear: this |W|_* within 1e-6)", {}},
                  {"support", ParameterKind::rows, false, "demand exactly these tight rows (frobenius only)", {}},
                  {"exact", ParameterKind::flag, false, "solve exactly, however large the program is (frobenius only)", {}, "false"},
                  {"bracket", ParameterKind::interval, false, "nuclear: demand that the least |W|_* is proved to lie here", {}}},
                 {{"v", "selection"}}},
      .title = "W-SVM",
      .summary = "the W-SVM has a solution (of the given objective)",
      .source = "[TS]",
      .words = "Some matrix of attention weights separates the selected tokens from the others; this is the one of least norm.",
      .formula = R"(\min_W \|W\| \quad \text{subject to} \quad (x_{i \alpha_i} - x_{it})^\top W z_i \ge 1 \quad \forall i, t \ne \alpha_i)",
      .text =
          "W-SVM(alpha): minimise 1/2 |W|^2 (Frobenius) subject to (x_i,alpha_i - x_it).W z_i >= 1 for all i and t != alpha_i, z_i the "
          "query "
          "of sample i, or its first token where the case has no queries (self-attention): the direction in which descent on W converges. "
          "The case's own W plays no part. Decided as p-svm is, through products of rows: no matrix of d^2 columns.\n"
          "Holds, proved: feasible, and of exactly the objective and the support given, if they are (certificate svm-optimal, or "
          "svm-bracket where more than 48 "
          "rows may be tight, see p-svm; rows are shown to be tight only where that costs little).\n"
          "Fails, proved: infeasible (certificate svm-infeasible, Farkas), or of another objective or support.\n"
          "norm nuclear: minimise |W|_* (the sum of the singular values), the limit for W = K Q^T. Holds, proved: the least value lies "
          "between lower and upper, both exact, and they differ by at most 1e-6 of upper (certificate nuclear-bracket), and lie in the "
          "bracket given, if one is. An objective that is given must lie there or within 1e-6 of upper of it: it then holds, observed; "
          "else "
          "it fails, proved. Undecided: the bracket is wider, or reaches out of the one given. Fails, proved: infeasible, of another "
          "objective, or outside the bracket given. Rank, singular_values and support are observed: the solution need not be unique.",
      .numbers = {{"objective", "1/2 |W|^2; nuclear: upper"},
                  {"objective_exact", "1/2 |W|^2 as a fraction (frobenius only, not of a bracket)"},
                  {"lower", "the objective, or its lower bound; nuclear: lower bound of the least |W|_*; rounded downwards"},
                  {"upper", "the objective, or its upper bound; nuclear: upper bound of the least |W|_*; rounded upwards"},
                  {"margin", "1/|W|; null when W = 0 (frobenius only)"},
                  {"gap", "of a bracket, and nuclear: upper - lower, of upper"},
                  {"distance", "of a bracket: proved upper bound of the distance of solution to the minimiser"},
                  {"gap_tolerance", "nuclear: the largest gap of a bracket that is narrow enough"},
                  {"rank", "rank of W over the rationals; of a bracket, and nuclear: how many singular values exceed 1e-5 of the first"},
                  {"singular_values", "nuclear: of the W found, largest first"},
                  {"spectrum_ratio", "nuclear: the last singular value that counts for the rank over the next; null without one"},
                  {"solution", "W by rows"},
                  {"possible_support", "of a bracket: every row that may be tight; support are those that are for certain"},
                  {"support", "every tight row [i, t]; nuclear: the rows with a multiplier above 1e-6 of the largest"},
                  {"farkas_rows", "when infeasible: the rows that contradict each other"},
                  {"dropped_samples", "when infeasible: samples without which it has a solution, found greedily"}},
      .section = AuditSection::svms,
      .least_seconds = weight_svm_seconds,
      .check = check};
}

}  // namespace attest
