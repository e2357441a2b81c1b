#include "attest/study/feasible_samples.hpp"
#include "claim_list.hpp"
#include "hypotheses.hpp"
#include "svm_words.hpp"

namespace attest {
namespace {

struct SolutionNumbers {
  explicit SolutionNumbers(const SolvedSvm& svm)
      : objective(svm.solution()->objective), support(reported_rows(svm.program, svm.solution()->support)) {
    for (const Rational& entry : svm.solution()->w) solution.push_back(nearest_double(entry));
  }

  Rational objective;
  std::vector<double> solution;
  RowNames support;

  void write(Fields& out) const {
    out("objective", nearest_double(objective))("objective_exact", objective);
    out("margin", margin_of(objective))("solution", solution)("support", support);
  }
};

struct Numbers {
  std::optional<SolutionNumbers> solution = {};
  std::optional<BracketNumbers> bracket = {};
  std::vector<double> bracketed_point = {};
  std::optional<RowNames> farkas_rows = {};
  std::optional<std::vector<std::size_t>> dropped_samples = {};
  std::optional<std::vector<std::size_t>> support_samples = {};  ///< of the joint program alone

  void write(Fields& out) const {
    if (solution) solution->write(out);
    if (bracket) {
      bracket->write(out);
      out("solution", bracketed_point);
    }
    if (farkas_rows) out("farkas_rows", *farkas_rows);
    if (dropped_samples) out("dropped_samples", *dropped_samples);
    if (support_samples) out("support_samples", *support_samples);
  }
};

Numbers numbers_of(const SolvedSvm& svm) {
  Numbers numbers;
  if (svm.solution()) numbers.solution.emplace(svm);
  if (const SvmInfeasible* infeasible = svm.infeasible()) numbers.farkas_rows = reported_rows(svm.program, farkas_rows(*infeasible));
  return numbers;
}

Numbers numbers_of(const DecidedSvm& decided) {
  if (!decided.bracket) return numbers_of(*decided.svm);
  Numbers numbers;
  numbers.bracket.emplace(*decided.bracket);
  numbers.bracketed_point = point_image(decided.bracket->bracket);
  return numbers;
}

/// By a bracket, where it can be compared with what the claim demands.
DecidedSvm decide_as_demanded(const ClaimContext& context, SvmProgram::Kind kind) {
  const Selection& selection = context.selection_or_best();
  DecidedSvm decided = decide_svm(context, kind, selection, demanded_proof(context.request));
  if (!decided.bracket || can_compare(context.request, decided.bracket->bracket)) return decided;
  return decide_svm(context, kind, selection, SvmProof::exact);
}

/// A solution that is there, but not the one that the claim demands.
void compare_with_demands(Finding& finding, const ClaimContext& context, const DecidedSvm& decided) {
  if (const auto& bracketed = decided.bracket) {
    if (are_demanded(context.request, "support", bracketed->program, bracketed->bracket.support)) return;
    finding.verdict = Verdict::fails;
    finding.message = bracket_words(*bracketed, ", another support than the claim's");
    return;
  }
  const SolvedSvm& svm = *decided.svm;
  if (!svm.solution()) return;
  const DemandedSolution demanded = compare_with_demands(context.request, svm.program, *svm.solution());
  if (demanded.met) return;
  finding.verdict = Verdict::fails;
  finding.message = solution_words(context.study, svm, demanded.text);
}

Finding check(const ClaimContext& context, SvmProgram::Kind kind) {
  const DecidedSvm decided = decide_as_demanded(context, kind);
  Finding finding(decided);
  finding.selection = context.selection_or_best();
  Numbers numbers = numbers_of(decided);
  if (decided.svm && decided.svm->infeasible()) {
    numbers.dropped_samples = find_dropped_samples(context.problem(), kind, *finding.selection, context.budget);
    if (numbers.dropped_samples) finding.message += dropped_words(*numbers.dropped_samples);
    finding.discoveries.dropped_samples = numbers.dropped_samples;
  }
  finding.evidence = std::move(numbers);
  compare_with_demands(finding, context, decided);
  return finding;
}

Finding check_p(const ClaimContext& context) { return check(context, SvmProgram::Kind::p); }

Finding check_v(const ClaimContext& context) { return check(context, SvmProgram::Kind::v); }

/// Infeasible, or not decided: then there are no support vectors to speak of.
Finding without_v(const ClaimContext& context, const DecidedSvm& decided) {
  Finding finding(decided);
  finding.selection = context.selection_or_best();
  if (decided.verdict != Verdict::fails) return finding;
  finding.verdict = Verdict::inapplicable;
  finding.evidence = numbers_of(*context.study.svm(SvmProgram::Kind::v, context.selection_or_best(), context.budget));
  return finding;
}

Finding check_joint(const ClaimContext& context) {
  const DecidedSvm decided = decide_as_demanded(context, SvmProgram::Kind::joint);
  if (!decided.svm && !decided.bracket) return without_v(context, decided);
  const auto in_support = context.study.support_vectors(context.selection_or_best(), context.budget);
  Numbers numbers = numbers_of(decided);
  numbers.support_samples.emplace();
  for (std::size_t i = 0; i < in_support->size(); ++i)
    if ((*in_support)[i]) numbers.support_samples->push_back(i);
  Finding finding(decided);
  finding.selection = context.selection_or_best();
  finding.evidence = std::move(numbers);
  compare_with_demands(finding, context, decided);
  return finding;
}

std::vector<ParameterSpec> svm_parameters(ParameterKind rows = ParameterKind::rows) {
  return {{"selection", ParameterKind::selection, false, "one token a sample", {}, "the largest scores"},
          {"objective", ParameterKind::rational, false, "demand exactly this 1/2 |w|^2", {}},
          {"support", rows, false, "demand exactly these tight rows", {}},
          {"exact", ParameterKind::flag, false, "solve exactly, however large the program is", {}, "false"}};
}

/// What a bracket reports beside what the exact solution does.
std::vector<NumberSpec> with_bracket(std::vector<NumberSpec> numbers) {
  const std::vector<NumberSpec> more = {
      {"lower", "of a bracket: lower bound of the objective, rounded downwards"},
      {"upper", "of a bracket: upper bound of the objective, rounded upwards"},
      {"gap", "of a bracket: upper - lower, of upper"},
      {"distance", "of a bracket: proved upper bound of the distance of solution to the minimiser"},
      {"possible_support", "of a bracket: every row that may be tight; support are those that are for certain"}};
  numbers.insert(numbers.end(), more.begin(), more.end());
  return numbers;
}

}  // namespace

Claim p_svm_claim() {
  return {
      .schema = {"p-svm", svm_parameters(), {{"v", "selection"}}},
      .title = "p-SVM",
      .summary = "the p-SVM has a solution (of the given objective)",
      .source = "[MM, Sec. 2]",
      .words = "Some direction separates the selected token of every sample from its other tokens; this is the one of largest margin.",
      .formula =
          R"(\min_p \frac{1}{2} \|p\|^2 \quad \text{subject to} \quad (k_{i \alpha_i} - k_{it}) \cdot p \ge 1 \quad \forall i, t \ne \alpha_i)",
      .text =
          "p-SVM(alpha): minimise 1/2 |p|^2 subject to (k_i,alpha_i - k_it).p >= 1 for all i and t != alpha_i. Its solution is the "
          "direction in which the theorems say that descent and the regularisation path converge. A floating-point solve guesses the "
          "tight rows; the solution is then computed and its KKT conditions are checked in rational arithmetic, for every row. Where more "
          "than 48 rows "
          "may be tight the objective, the minimiser and the tight rows are enclosed instead (certificate svm-bracket, docs/theory.md): "
          "the bounds are "
          "within 1e-12 of each other, and the exact solution is computed only where `exact`, an objective or a support that is not "
          "certain demands it.\n"
          "Holds, proved: feasible, and of exactly the objective and the support given, if they are (certificate svm-optimal or "
          "svm-bracket).\n"
          "Fails, proved: infeasible (certificate svm-infeasible, Farkas; the rows are irreducible: without any one of them the others do "
          "not "
          "contradict each other), or of another objective or support.",
      .numbers = with_bracket({{"objective", "1/2 |p|^2"},
                               {"objective_exact", "the same, as a fraction; not of a bracket"},
                               {"margin", "1/|p|; null when p = 0"},
                               {"solution", "the minimiser p"},
                               {"support", "every tight row [i, t], ties and degenerate ones included"},
                               {"farkas_rows", "when infeasible: the rows that contradict each other"},
                               {"dropped_samples", "when infeasible: samples without which it has a solution, found greedily"}}),
      .section = AuditSection::svms,
      .check = check_p};
}

Claim v_svm_claim() {
  return {
      .schema = {"v-svm", svm_parameters(ParameterKind::samples), {{"v", "selection"}}},
      .title = "v-SVM",
      .summary = "the v-SVM has a solution (of the given objective)",
      .source = "[MM, Sec. 3]",
      .words = "The selected tokens, taken as points with their labels, are separable; Γ = 1/‖v‖ is their label margin.",
      .formula = R"(\min_v \frac{1}{2} \|v\|^2 \quad \text{subject to} \quad Y_i v \cdot x_{i \alpha_i} \ge 1 \quad \forall i)",
      .text =
          "v-SVM(alpha): minimise 1/2 |v|^2 subject to Y_i v.x_i,alpha_i >= 1 for all i. Its margin is the label margin Gamma = 1/|v| of "
          "the selected tokens. Decided as p-svm is, with the same verdicts; its rows are named [i]. Grade: proved; certificates "
          "svm-optimal, svm-bracket and svm-infeasible.",
      .numbers = with_bracket({{"objective", "1/2 |v|^2"},
                               {"objective_exact", "the same, as a fraction; not of a bracket"},
                               {"margin", "the label margin Gamma = 1/|v|"},
                               {"solution", "the minimiser v"},
                               {"support", "the support vectors [i]"},
                               {"farkas_rows", "when infeasible: the rows [i] that contradict each other"},
                               {"dropped_samples", "when infeasible: samples without which it has a solution, found greedily"}}),
      .section = AuditSection::svms,
      .check = check_v};
}

Claim joint_svm_claim() {
  return {
      .schema = {"joint-svm", svm_parameters(), {{"v", "selection"}}},
      .title = "Joint p-SVM",
      .summary = "the joint p-SVM has a solution (of the given objective)",
      .source = "[MM, Sec. 3]",
      .words = "The p-SVM in which only the support vectors S of the v-SVM need a margin of 1; the other samples need 0.",
      .formula =
          R"(\min_p \frac{1}{2} \|p\|^2 \quad \text{subject to} \quad (k_{i \alpha_i} - k_{it}) \cdot p \ge b_i, \quad b_i = 1 \text{ if } i \in S, \text{ else } 0)",
      .text =
          "The p-SVM in which the rows of sample i have bound 1 if i is a support vector of v-SVM(alpha), Y_i v(alpha).x_i,alpha_i = 1, "
          "and "
          "bound 0 otherwise: the limit of p when v and p are trained together. Decided as p-svm is, with the same verdicts; the "
          "certificate holds the v-SVM's proof too. Grade: proved.\n"
          "Inapplicable, proved, when the v-SVM is infeasible.",
      .numbers =
          with_bracket({{"objective", "1/2 |p|^2"},
                        {"objective_exact", "the same, as a fraction; not of a bracket"},
                        {"margin", "1/|p|; null when p = 0"},
                        {"solution", "the minimiser p"},
                        {"support", "every tight row [i, t], ties and degenerate ones included"},
                        {"farkas_rows", "when infeasible: the rows that contradict each other; [i] when they are those of the v-SVM"},
                        {"support_samples", "the support vectors of the v-SVM"}}),
      .section = AuditSection::svms,
      .check = check_joint};
}

}  // namespace attest
