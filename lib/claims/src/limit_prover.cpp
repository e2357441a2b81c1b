#include "limit_prover.hpp"

#include "attest/exact/basin_start.hpp"
#include "descent_pace.hpp"

#include <algorithm>

namespace attest {
namespace {

/// Checkers repeat every step of a proof: what needs more than so many they refuse as too much work.
constexpr std::int64_t most_proved_iterations = 10'000;
/// The products that a search along a run may take, a second or two; and so many iterations it may always take.
constexpr double most_search_work = 5e8;
constexpr double least_searched = 100;

StepRule rule_of(DescentMethod method) {
  switch (method) {
    case DescentMethod::constant: return StepRule::constant;
    case DescentMethod::normalised: return StepRule::normalised;
    case DescentMethod::flow: break;
  }
  return StepRule::flow;
}

/// As the claim writes it; otherwise the doubles that were drawn or made.
std::vector<Rational> exact_start(const ClaimContext& context, const Eigen::VectorXd& point, std::size_t k) {
  const auto* given = context.request.find<std::vector<RationalPoint>>("starts");
  std::vector<Rational> start;
  if (given != nullptr && k < given->size())
    start = (*given)[k];
  else
    for (const double value : point) start.push_back(exact_value(value));
  const bool zero = std::ranges::all_of(start, [](const Rational& value) { return value == 0; });
  return zero ? std::vector<Rational>{} : start;
}

/// Those of the point that the bracket shows to be feasible.
std::vector<Multiplier> feasible_multipliers(const SvmBracket& bracket) {
  std::vector<Multiplier> feasible = bracket.multipliers;
  for (Multiplier& one : feasible) one.weight /= bracket.scale;
  return feasible;
}

std::size_t iterations_to_look_at(const ClaimContext& context, Parametrisation parametrisation) {
  const auto* asked = context.request.find<std::int64_t>("iterations");
  const double affordable = std::max(least_searched, most_search_work / iteration_work(context.problem(), parametrisation));
  const std::int64_t most =
      affordable < static_cast<double>(most_proved_iterations) ? static_cast<std::int64_t>(affordable) : most_proved_iterations;
  return static_cast<std::size_t>(asked ? std::min(*asked, most) : most);
}

}  // namespace

DescentRule LimitProver::rule(std::vector<Rational> start) const {
  return {parametrisation_, rule_of(plan_.method), exact_step(context_.request, plan_), std::move(start)};
}

LimitProof LimitProver::prove(const Selection& selection, const Limit& limit, const Eigen::VectorXd& start, std::size_t k) const {
  const auto open = [&](std::string reason) {
    return LimitProof(selection, std::make_shared<const LimitOutcome>(OpenLimit{LimitObstacle::not_locally_optimal, std::move(reason)}));
  };
  if (!limit.direction) return open("the SVM of the selection that it is at has no known direction");
  if (!limit.locally_optimal) return open("the selection that it is at is not locally optimal");
  return {selection, context_.study.limit(selection, rule(exact_start(context_, start, k)), LimitStarts::given,
                                          iterations_to_look_at(context_, parametrisation_), context_.budget)};
}

LimitProof LimitProver::prove_by_start(const Selection& selection, const Eigen::VectorXd& start, std::size_t k, double step) const {
  const DescentRule rule{parametrisation_, StepRule::constant, exact_value(step), exact_start(context_, start, k)};
  Study& study = context_.study;
  const auto bracketed = study.svm_bracket(parametrisation_, selection, context_.budget);
  if (!bracketed) return {selection, study.limit(selection, rule, LimitStarts::given, 0, context_.budget)};
  const AssumptionA assumption = study.assumption_a(context_.budget);
  const auto* bounds = std::get_if<LossBounds>(&assumption);
  if (bounds == nullptr)
    return {selection, std::make_shared<const LimitOutcome>(OpenLimit{LimitObstacle::not_closed, "Assumption A is not proved"})};
  const LimitFacts facts{&study.tokens(), &study.scores(), &bracketed->program, nullptr, bounds, study.score_interval()};
  return {selection, std::make_shared<const LimitOutcome>(prove_basin_at_start(facts, feasible_multipliers(bracketed->bracket), rule))};
}

LimitProof LimitProver::prove_from_everywhere(const Selection& selection) const {
  return {selection, context_.study.limit(selection, rule({}), LimitStarts::all, 0, context_.budget)};
}

}  // namespace attest
