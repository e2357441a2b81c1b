#include "attest/study/study.hpp"

#include "attest/exact/basin_start.hpp"
#include "attest/solve/step_size.hpp"
#include "attest/study/svm_decision.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace attest {

Study::Study(Problem problem) : problem_(std::move(problem)), tokens_(problem_) {}

const Scores& Study::scores() {
  if (!scores_) scores_ = exact_scores(problem_);
  return *scores_;
}

const Selection& Study::best() {
  if (!best_) best_ = best_selection(scores());
  return *best_;
}

RationalInterval Study::score_interval() { return interval_of(scores()); }

AssumptionA Study::assumption_a(const Budget& budget) {
  if (assumption_a_) return *assumption_a_;
  const LossVerdict bounds = bound_loss(problem_.loss, score_interval(), budget);
  AssumptionA found = std::visit([](const auto& outcome) -> AssumptionA { return outcome; }, bounds);
  if (std::holds_alternative<LossUndecided>(found))
    if (auto flat = find_flat_score(problem_.loss, scores())) found = std::move(*flat);
  // Bounds that the end of the time left coarse are true, but who asks next may find better ones.
  if (!std::holds_alternative<LossUndecided>(found) && !budget.spent()) assumption_a_ = found;
  return found;
}

std::optional<double> Study::lipschitz(Parametrisation parametrisation, const Budget& budget) {
  const auto known = lipschitz_.find(parametrisation);
  if (known != lipschitz_.end()) return known->second;
  const AssumptionA assumption = assumption_a(budget);
  const auto* bounds = std::get_if<LossBounds>(&assumption);
  if (bounds == nullptr) return std::nullopt;
  const double constant = lipschitz_constant(problem_, upper_double(bounds->m0), upper_double(bounds->m1), parametrisation);
  if (assumption_a_) lipschitz_.emplace(parametrisation, constant);
  return constant;
}

std::shared_ptr<const CurvatureBound> Study::curvature(Parametrisation parametrisation, const Budget& budget) {
  const auto known = curvatures_.find(parametrisation);
  if (known != curvatures_.end()) return known->second;
  const AssumptionA assumption = assumption_a(budget);
  const auto* bounds = std::get_if<LossBounds>(&assumption);
  if (bounds == nullptr) return nullptr;
  auto found = bound_curvature(tokens_, scores(), score_interval(), *bounds, parametrisation);
  auto kept = found ? std::make_shared<const CurvatureBound>(*std::move(found)) : nullptr;
  if (assumption_a_) curvatures_.emplace(parametrisation, kept);
  return kept;
}

std::shared_ptr<const Census> Study::census(const Budget& budget, const Progress& progress) {
  if (census_) return census_;
  auto taken = std::make_shared<const Census>(take_census(tokens_, scores(), opinion_within(budget), budget, progress));
  if (taken->complete) census_ = taken;
  return taken;
}

std::optional<SvmProgram> Study::program(SvmProgram::Kind kind, const Selection& selection, const Budget& budget) {
  switch (kind) {
    case SvmProgram::Kind::p: return SvmProgram::p_svm(tokens_, selection);
    case SvmProgram::Kind::v: return SvmProgram::v_svm(tokens_, selection);
    case SvmProgram::Kind::w: return SvmProgram::w_svm(tokens_, selection);
    case SvmProgram::Kind::joint: break;
  }
  const auto in_support = support_vectors(selection, budget);
  if (!in_support) return std::nullopt;
  return SvmProgram::joint_svm(tokens_, selection, *in_support);
}

std::optional<std::vector<bool>> Study::support_vectors(const Selection& selection, const Budget& budget) {
  std::vector<bool> in_support(problem_.sample_count(), false);
  if (const auto bracketed = svm_bracket(SvmProgram::Kind::v, selection, budget); bracketed && bracketed->bracket.support_is_known()) {
    for (const std::size_t row : bracketed->bracket.support) in_support[bracketed->program.name(row).sample] = true;
    return in_support;
  }
  const auto v = svm(SvmProgram::Kind::v, selection, budget);
  if (!v->solution()) return std::nullopt;
  for (const std::size_t row : v->solution()->support) in_support[v->program.name(row).sample] = true;
  return in_support;
}

std::shared_ptr<const SolvedSvm> Study::svm(SvmProgram::Kind kind, const Selection& selection, const Budget& budget) {
  const std::pair key(kind, selection);
  if (const auto known = svms_.find(key); known != svms_.end()) return known->second;
  std::optional<SvmProgram> asked = program(kind, selection, budget);
  if (!asked) throw std::logic_error("the joint program is asked for before the v-SVM is solved");
  SvmOutcome outcome = solve_svm(*asked, budget);
  const auto solved = std::make_shared<const SolvedSvm>(SolvedSvm{*std::move(asked), std::move(outcome)});
  if (!solved->undecided()) svms_.emplace(key, solved);
  return solved;
}

std::shared_ptr<const BracketedSvm> Study::svm_bracket(SvmProgram::Kind kind, const Selection& selection, const Budget& budget) {
  const std::pair key(kind, selection);
  if (const auto known = brackets_.find(key); known != brackets_.end()) return known->second;
  const std::optional<SvmProgram> asked = program(kind, selection, budget);
  if (!asked || most_tight_rows(*asked) <= most_exact_rows) return nullptr;
  std::optional<BracketedSvm> found = solve_bracket(*asked, budget);
  auto kept = found ? std::make_shared<const BracketedSvm>(*std::move(found)) : nullptr;
  if (kept || !budget.spent()) brackets_.emplace(key, kept);
  return kept;
}

std::shared_ptr<const SolvedSvm> Study::svm_within_reach(Parametrisation parametrisation, const Selection& selection,
                                                         const Budget& budget) {
  // 256 tight rows take some 3 s, 512 some 40 s, and cannot be interrupted; memory grows alike.
  constexpr std::size_t most_rows = 256;
  const auto bracketed = svm_bracket(parametrisation, selection, budget);
  return bracketed && bracketed->bracket.multipliers.size() > most_rows ? nullptr : svm(parametrisation, selection, budget);
}

std::size_t Study::weight_rank(const SolvedSvm& weights) {
  const auto known = weight_ranks_.find(weights.program.selection());
  if (known != weight_ranks_.end()) return known->second;
  const std::size_t rank = attest::weight_rank(weights.program, *weights.solution());
  weight_ranks_.emplace(weights.program.selection(), rank);
  return rank;
}

std::shared_ptr<const NuclearSvm> Study::nuclear_svm(const Selection& selection, const Budget& budget) {
  if (const auto known = nuclear_svms_.find(selection); known != nuclear_svms_.end()) return known->second;
  NuclearSvm found{SvmProgram::w_svm(tokens_, selection), {}, {}};
  found.guess = guess_nuclear(found.program, budget);
  if (found.guess.found)
    found.bracket = prove_nuclear_bracket(found.program, {found.guess.columns, found.guess.A, found.guess.B, found.guess.multipliers});
  auto kept = std::make_shared<const NuclearSvm>(std::move(found));
  if (kept->bracket && !budget.spent()) nuclear_svms_.emplace(selection, kept);
  return kept;
}

std::shared_ptr<const LqSvmSolution> Study::lq_svm(double q, const Selection& selection, const Budget& budget) {
  const std::pair key(q, selection);
  if (const auto known = lq_svms_.find(key); known != lq_svms_.end()) return known->second;
  const auto bracketed = svm_bracket(SvmProgram::Kind::p, selection, budget);
  const auto exact = bracketed ? nullptr : svm(SvmProgram::Kind::p, selection, budget);
  const SvmProgram& program = bracketed ? bracketed->program : exact->program;
  std::vector<double> point = bracketed ? point_image(bracketed->bracket) : std::vector<double>();
  if (exact) std::ranges::transform(exact->solution()->w, std::back_inserter(point), nearest_double);
  Eigen::VectorXd multipliers = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(program.row_count()));
  for (const auto& [row, weight] : bracketed ? bracketed->bracket.multipliers : exact->solution()->multipliers)
    multipliers[static_cast<Eigen::Index>(row)] = nearest_double(weight);
  const Eigen::Map<const Eigen::VectorXd> feasible(point.data(), static_cast<Eigen::Index>(point.size()));
  auto solved = std::make_shared<const LqSvmSolution>(solve_lq_svm(program, q, feasible, multipliers, budget));
  if (solved->solved()) lq_svms_.emplace(key, solved);
  return solved;
}

LimitOutcome Study::prove(const Selection& selection, const DescentRule& run, LimitStarts starts, std::size_t most_iterations,
                          const Budget& budget) {
  const auto solved = svm_within_reach(run.parametrisation, selection, budget);
  if (!solved) return OpenLimit{LimitObstacle::not_closed, "the exact solution of the SVM of its selection is too large"};
  const SvmSolution* solution = solved->solution();
  if (solution == nullptr || solution->support.empty())
    return OpenLimit{budget.spent() ? LimitObstacle::out_of_time : LimitObstacle::not_closed,
                     "the SVM of its selection has no known direction"};
  const AssumptionA assumption = assumption_a(budget);
  const auto* bounds = std::get_if<LossBounds>(&assumption);
  if (bounds == nullptr) return OpenLimit{LimitObstacle::not_closed, "Assumption A is not proved"};
  const LimitFacts facts{&tokens_, &scores(), &solved->program, solution, bounds, score_interval()};
  return starts == LimitStarts::all ? prove_limit_from_everywhere(facts, run) : prove_limit(facts, run, most_iterations, budget);
}

std::shared_ptr<const LimitOutcome> Study::limit(const Selection& selection, const DescentRule& run, LimitStarts starts,
                                                 std::size_t most_iterations, const Budget& budget) {
  // How far was looked belongs to the question: a claim's answer must not hang on what others asked before it.
  const LimitKey key(run.parametrisation, selection, run.rule, run.step,
                     starts == LimitStarts::all ? std::nullopt : std::optional(run.start), most_iterations);
  if (const auto known = limits_.find(key); known != limits_.end()) return known->second;
  auto found = std::make_shared<const LimitOutcome>(prove(selection, run, starts, most_iterations, budget));
  if (std::holds_alternative<ProvedLimit>(*found)) limits_.emplace(key, found);
  return found;
}

LargestMargin Study::largest_margin(const Budget& budget, const Progress& progress) {
  if (largest_margin_) return *largest_margin_;
  LargestMargin found = find_largest_margin(tokens_, budget, progress);
  if (found.proved) largest_margin_ = found;
  return found;
}

std::shared_ptr<const AssumptionBOutcome> Study::assumption_b(const Selection& selection, AttentionOver over, const Budget& budget,
                                                              const Progress& progress) {
  const std::pair key(over, selection);
  if (const auto known = assumptions_b_.find(key); known != assumptions_b_.end()) return known->second;
  auto decided = std::make_shared<const AssumptionBOutcome>(decide_assumption_b(tokens_, selection, over, budget, progress));
  if (!std::holds_alternative<AssumptionBUndecided>(*decided) && !budget.spent()) assumptions_b_.emplace(key, decided);
  return decided;
}

}  // namespace attest
