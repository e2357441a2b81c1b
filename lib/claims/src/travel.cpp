#include "travel.hpp"

#include "attest/graph/numeric_problem.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

/// Of a run that says nothing yet.
constexpr std::int64_t most_iterations = 200'000;
/// Products of doubles that the runs of a claim may take in all, some seconds: large data get fewer runs, and no longer ones.
constexpr double most_travel_work = 2e9;
/// The same of a claim about one run.
constexpr double most_lone_work = 8e10;
/// What the proofs of a claim may take in all, in products of balls, some seconds: further runs are observed.
constexpr double most_proof_work = 2e7;
/// A search for a proof that finds none runs in doubles, so many iterations long; a product of theirs is this part of one of balls.
constexpr double searched_iterations = 1e4;
constexpr double double_part = 0.02;
/// What a step in balls takes beside its products, in products.
constexpr double work_of_a_step = 250;
/// The attention that a token has which counts as selected alone.
constexpr double nearly_all = 0.99;

/// In how many samples one token has nearly all the attention.
std::size_t settled_samples(const Problem& problem, const Eigen::VectorXd& p) {
  const NumericProblem numeric(problem);
  std::size_t settled = 0;
  for (const SampleColumns& keys : numeric.keys) {
    const Eigen::VectorXd logits = keys.transpose() * p;
    settled += (logits.array() - logits.maxCoeff()).exp().sum() * nearly_all <= 1 ? 1 : 0;
  }
  return settled;
}

bool heads_for_local_optimum(const ObservedRun& observed) { return observed.heads_for_limit() && observed.limit.locally_optimal; }

}  // namespace

std::variant<DescentPlan, Finding> travel_plan(const ClaimContext& context, std::int64_t default_iterations) {
  const DescentMethod method = chosen_method(context.request).value_or(DescentMethod::normalised);
  if (const auto plan = descent_plan(context, method, default_iterations)) return *plan;
  Finding finding;
  finding.message = "no step is given, and 1/L_p is not known: Assumption A is not proved, or L_p is 0 or too large";
  return finding;
}

bool has_free_length(const ClaimRequest& request, const DescentPlan& plan) {
  return request.find<std::int64_t>("iterations") == nullptr && plan.method != DescentMethod::constant;
}

ObservedRun run_until_told(DescentLaboratory& laboratory, const Eigen::VectorXd& start, DescentPlan plan,
                           const std::function<bool(const ObservedRun&)>& is_open,
                           const std::function<std::optional<std::int64_t>(std::int64_t iterations)>& longer) {
  ObservedRun observed = laboratory.run(start, plan);
  while (observed.run.end == DescentRun::End::finished && is_open(observed)) {
    const std::optional<std::int64_t> iterations = longer(plan.iterations);
    if (!iterations) break;
    plan.iterations = *iterations;
    observed = laboratory.run(start, plan);
  }
  return observed;
}

double work_of_iteration(const ProblemSize& size) { return std::max(1.0, 2 * size.tokens * size.dimension); }

double runs_within_work(const ProblemSize& size) {
  return most_travel_work / (work_of_iteration(size) * static_cast<double>(usual_travel));
}

Traveller::Traveller(const ClaimContext& context, const DescentPlan& plan, std::size_t starts)
    : context_(context), plan_(plan), laboratory_(context), prover_(context, Parametrisation::prompt, plan),
      free_length_(has_free_length(context.request, plan)), work_of_iteration_(work_of_iteration(ProblemSize(context.problem()))),
      work_left_(starts == 1 ? most_lone_work : most_travel_work), proof_work_left_(most_proof_work) {}

Travelled Traveller::follow(const Eigen::VectorXd& start) {
  ObservedRun observed = run_until_told(
      laboratory_, start, plan_, [](const ObservedRun& run) { return !heads_for_local_optimum(run); },
      [&](std::int64_t iterations) { return longer(iterations); });
  LimitProof proof = prove(observed);
  ++count_;
  if (proof.proved() != nullptr) {
    Selection selection = proof.selection();
    return {std::move(observed), std::move(proof), std::move(selection), ""};
  }
  if (heads_for_local_optimum(observed)) {
    Selection selection = observed.selection;
    return {std::move(observed), std::move(proof), std::move(selection), ""};
  }
  std::string why = why_open(observed);
  return {std::move(observed), std::move(proof), std::nullopt, std::move(why)};
}

LimitProof Traveller::prove(const ObservedRun& observed) {
  if (proof_work_left_ <= 0)
    return {observed.selection,
            std::make_shared<const LimitOutcome>(OpenLimit{LimitObstacle::too_much_work, "the work for proofs is used up"})};
  LimitProof proof = prover_.prove(observed, count_);
  if (proof.proved() != nullptr)
    proof_work_left_ -= (work_of_a_step + work_of_iteration_) * static_cast<double>(1 + proof.proved()->from_iterate);
  else if (observed.limit.locally_optimal)
    proof_work_left_ -= double_part * work_of_iteration_ * searched_iterations;
  return proof;
}

/// Counts the work of a run that is ten times as long.
std::optional<std::int64_t> Traveller::longer(std::int64_t iterations) {
  const double work = work_of_iteration_ * 10 * static_cast<double>(iterations);
  if (!free_length_ || 10 * iterations > most_iterations || work > work_left_) return std::nullopt;
  work_left_ -= work;
  return 10 * iterations;
}

std::string Traveller::why_open(const ObservedRun& observed) const {
  if (observed.run.end != DescentRun::End::finished) return why_ended(observed);
  const TracePoint& last = observed.run.last();
  if (observed.heads_for_limit())
    return fmt::format("at norm {:.4g} it is at {}, which is not locally optimal", last.norm, to_string(observed.selection));
  const std::size_t samples = context_.problem().sample_count();
  const std::size_t settled = settled_samples(context_.problem(), last.p);
  const std::string attention =
      settled == samples ? "one token of each sample has the attention, but it heads for no max-margin direction"
                         : fmt::format("one token has the attention in {} of {} samples, in the others tokens share it", settled, samples);
  return fmt::format("after {} iterations its norm is {:.4g} and {}, {}", last.iteration, last.norm,
                     observed.still_grows() ? "grows" : "no longer grows", attention);
}

}  // namespace attest
