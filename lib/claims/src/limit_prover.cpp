#include "limit_prover.hpp"

#include <algorithm>

namespace attest {
namespace {

/// Checkers repeat every step of a proof: what needs more than so many they refuse as too much work.
constexpr std::int64_t most_proved_iterations = 10'000;

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

std::size_t iterations_to_look_at(const ClaimContext& context) {
  const auto* asked = context.request.find<std::int64_t>("iterations");
  return static_cast<std::size_t>(asked ? std::min(*asked, most_proved_iterations) : most_proved_iterations);
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
                                          iterations_to_look_at(context_), context_.budget)};
}

LimitProof LimitProver::prove_from_everywhere(const Selection& selection) const {
  return {selection, context_.study.limit(selection, rule({}), LimitStarts::all, 0, context_.budget)};
}

}  // namespace attest
