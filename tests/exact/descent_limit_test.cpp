#include "attest/exact/descent_limit.hpp"

#include "../solve/reference_descent.hpp"
#include "attest/certificate/codec.hpp"
#include "attest/exact/basin_start.hpp"
#include "limit_ground.hpp"
#include "limit_search.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

using namespace attest;

namespace {

/// How much a test does: more, where the environment asks for it.
std::size_t asked(const char* name, std::size_t usual) {
  const char* text = std::getenv(name);
  return text ? std::stoul(text) : usual;
}

std::string told(const LimitOutcome& outcome) {
  const auto* open = std::get_if<OpenLimit>(&outcome);
  return open != nullptr ? open->reason : "proved at " + std::to_string(std::get<ProvedLimit>(outcome).from_iterate);
}

std::optional<LimitObstacle> obstacle(const LimitOutcome& outcome) {
  const auto* open = std::get_if<OpenLimit>(&outcome);
  return open != nullptr ? std::optional(open->obstacle) : std::nullopt;
}

bool proved_by(const LimitOutcome& outcome, LimitBy by) {
  const auto* proved = std::get_if<ProvedLimit>(&outcome);
  return proved != nullptr && proved->by == by;
}

/// Two samples of two tokens of scores 1 and 0 along one line, loss -u: the basin is p > 0.
Problem twins() {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 1, {1, 0}), ExactMatrix::from_doubles(2, 1, {1, 0})};
  problem.labels = {1, 1};
  problem.v = ExactMatrix::from_doubles(1, 1, {1});
  problem.loss = Loss::correlation();
  return problem;
}

/// Samples of two tokens in the plane.
Problem plane(std::mt19937& random, std::size_t samples) {
  std::uniform_int_distribution<int> tenths(-20, 20);
  Problem problem;
  for (std::size_t i = 0; i < samples; ++i) {
    std::vector<Rational> entries;
    for (int k = 0; k < 4; ++k) entries.emplace_back(tenths(random), 10);
    problem.tokens.push_back(ExactMatrix::from_rationals(2, 2, std::move(entries)));
    problem.labels.push_back(1);
  }
  problem.v = ExactMatrix::from_rationals(1, 2, {Rational(tenths(random), 10), Rational(tenths(random), 10)});
  return problem;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(descent_limit)

BOOST_AUTO_TEST_CASE(the_papers_runs_of_one_input_are_proved_early_and_with_a_rate) {
  struct Run {
    const char* name;
    const char* start;
    std::size_t selected;
    std::size_t by_iterate;
  };
  for (const auto& [name, start, selected, by_iterate] :
       {Run{"one-input/distinct", "1", 0, 26}, Run{"one-input/distinct", "1/2", 0, 34}, Run{"one-input/distinct", "0", 0, 46},
        Run{"one-input/distinct", "-1/2", 0, 88}, Run{"one-input/distinct", "-1", 1, 181}, Run{"one-input/distinct", "-3/2", 1, 42},
        Run{"one-input/tie", "1", 0, 38}, Run{"one-input/tie", "1/2", 0, 40}, Run{"one-input/tie", "0", 0, 44},
        Run{"one-input/tie", "-1/2", 0, 46}, Run{"one-input/tie", "-1", 0, 50}, Run{"one-input/tie", "-3/2", 0, 52}}) {
    const Ground ground(load_case(name), {selected});
    const LimitOutcome outcome = ground.prove(over_p(StepRule::normalised, Rational(1, 10), {0, parse_rational(start).value(), 0}));
    BOOST_TEST_CONTEXT(name << " from (0, " << start << ", 0): " << told(outcome)) {
      BOOST_TEST_REQUIRE(proved_by(outcome, LimitBy::cone));
      const auto& proved = std::get<ProvedLimit>(outcome);
      BOOST_TEST(proved.from_iterate <= by_iterate);
      BOOST_TEST((proved.rate_constant.value() > 0 && proved.rate_constant.value() < 8));
      BOOST_TEST(written(proved.certificate).statement.at("kind") == "descent-cone");
    }
    // The other selection is not what the run tends to.
    const Ground other(load_case(name), {1 - selected});
    BOOST_TEST((std::get_if<OpenLimit>(&static_cast<const LimitOutcome&>(
                    other.prove(over_p(StepRule::normalised, Rational(1, 10), {0, parse_rational(start).value(), 0}), 500))) != nullptr));
  }
}

BOOST_AUTO_TEST_CASE(the_papers_run_of_three_inputs_is_proved_by_every_method) {
  const Ground ground(load_case("multi-input/multi-input"), {0, 0, 0});
  const LimitOutcome normalised = ground.prove(over_p(StepRule::normalised, Rational(1, 10), {}));
  BOOST_TEST(proved_by(normalised, LimitBy::cone), told(normalised));
  BOOST_TEST(std::get<ProvedLimit>(normalised).from_iterate <= 520);
  BOOST_TEST(proved_by(ground.prove(over_p(StepRule::constant, Rational(7, 2), {})), LimitBy::basin));
  BOOST_TEST(proved_by(ground.prove(over_p(StepRule::flow, 0, {3, 0, 0})), LimitBy::basin));
  BOOST_TEST(proved_by(ground.prove(over_p(StepRule::flow, 0, {200, 41, 0})), LimitBy::cone));
  // At 0 nothing closes for the flow; along its curve it does.
  BOOST_TEST((obstacle(ground.prove(over_p(StepRule::flow, 0, {}))) == LimitObstacle::not_closed));
  const LimitOutcome flow = ground.prove(over_p(StepRule::flow, Rational(1, 10), {}));
  BOOST_TEST(proved_by(flow, LimitBy::basin), told(flow));
  BOOST_TEST(std::get<ProvedLimit>(flow).from_iterate <= 40);
  BOOST_TEST(written(std::get<ProvedLimit>(flow).certificate).statement.contains("step"));
}

BOOST_AUTO_TEST_CASE(the_curve_of_a_flow_leads_into_a_cone_and_to_no_other_selection) {
  const DescentRule flow = over_p(StepRule::flow, Rational(1, 10), {0, Rational(-3, 2), 0});
  const LimitOutcome reached = Ground(load_case("one-input/distinct"), {1}).prove(flow);
  BOOST_TEST_REQUIRE(proved_by(reached, LimitBy::cone), told(reached));
  BOOST_TEST(std::get<ProvedLimit>(reached).rate_constant.value() < 8);
  BOOST_TEST(obstacle(Ground(load_case("one-input/distinct"), {0}).prove(flow, 200)).has_value());
}

BOOST_AUTO_TEST_CASE(a_start_in_the_basin_is_accepted_and_one_just_outside_is_not) {
  const Ground ground(twins(), {0, 0});
  const auto flow_from = [&](const Rational& p) { return ground.prove(over_p(StepRule::flow, 0, {p})); };
  BOOST_TEST(proved_by(flow_from(Rational(1, 1000)), LimitBy::basin));
  BOOST_TEST(obstacle(flow_from(0)).has_value());  // equal is not less
  BOOST_TEST(obstacle(flow_from(Rational(-1, 1000))).has_value());
}

BOOST_AUTO_TEST_CASE(a_start_in_the_basin_needs_a_feasible_point_and_no_solution) {
  const Ground ground(twins(), {0, 0});
  LimitFacts facts = ground.facts();
  std::vector<Multiplier> feasible = facts.solution->multipliers;
  for (Multiplier& one : feasible) one.weight *= 2;
  facts.solution = nullptr;
  const auto from = [&](const Rational& p, StepRule rule = StepRule::constant, const Rational& step = Rational(1, 10)) {
    return prove_basin_at_start(facts, feasible, over_p(rule, step, {p}));
  };
  BOOST_TEST(proved_by(from(Rational(1, 1000)), LimitBy::basin));
  BOOST_TEST((obstacle(from(0)) == LimitObstacle::not_closed));  // equal is not less
  BOOST_TEST((obstacle(from(Rational(-1, 1000))) == LimitObstacle::not_closed));
  BOOST_TEST((obstacle(from(1, StepRule::normalised)) == LimitObstacle::not_closed));
  BOOST_TEST((obstacle(from(1, StepRule::constant, 100)) == LimitObstacle::step_too_long));
  const Ground tie(load_case("one-input/tie"), {1});  // the other tokens score as much, or more
  BOOST_TEST((obstacle(prove_basin_at_start(tie.facts(), tie.facts().solution->multipliers, over_p(StepRule::flow, 0, {100, 0, 0}))) ==
              LimitObstacle::not_locally_optimal));
}

BOOST_AUTO_TEST_CASE(constant_steps_enter_the_basin_on_their_way) {
  const Ground ground(load_case("one-input/distinct"), {0});
  const LimitOutcome outcome = ground.prove(over_p(StepRule::constant, Rational(3217, 1000), {}));
  BOOST_TEST_REQUIRE(std::holds_alternative<ProvedLimit>(outcome), told(outcome));
  BOOST_TEST(std::get<ProvedLimit>(outcome).from_iterate <= 151);
  BOOST_TEST(std::get<ProvedLimit>(outcome).from_iterate >= 10);
}

BOOST_AUTO_TEST_CASE(steps_beyond_the_curvature_have_no_basin) {
  const Ground ground(load_case("one-input/tie"), {0});
  BOOST_TEST(proved_by(ground.prove(over_p(StepRule::constant, 60, {}), 0), LimitBy::basin));
  BOOST_TEST((obstacle(ground.prove(over_p(StepRule::constant, 500, {}), 0)) == LimitObstacle::not_closed));
}

BOOST_AUTO_TEST_CASE(one_sample_with_equal_scores_converges_from_everywhere) {
  const Ground tie(load_case("one-input/tie"), {0});
  const LimitOutcome outcome = prove_limit_from_everywhere(tie.facts(), over_p(StepRule::constant, 60, {}));
  BOOST_TEST_REQUIRE(proved_by(outcome, LimitBy::basin), told(outcome));
  BOOST_TEST(written(std::get<ProvedLimit>(outcome).certificate).statement.at("start").is_null());
  BOOST_TEST(proved_by(prove_limit_from_everywhere(tie.facts(), over_p(StepRule::flow, 0, {})), LimitBy::basin));
  BOOST_TEST((obstacle(prove_limit_from_everywhere(tie.facts(), over_p(StepRule::constant, 500, {}))) == LimitObstacle::step_too_long));
  BOOST_TEST((obstacle(prove_limit_from_everywhere(tie.facts(), over_p(StepRule::normalised, 1, {}))) == LimitObstacle::not_closed));
  const Ground distinct(load_case("one-input/distinct"), {0});
  BOOST_TEST((obstacle(prove_limit_from_everywhere(distinct.facts(), over_p(StepRule::flow, 0, {}))) == LimitObstacle::not_closed));
}

BOOST_AUTO_TEST_CASE(the_lagging_sample_is_not_said_to_catch_up) {
  // From (10, 0, 0) descent stays in the first coordinate for ever.
  const Ground ground(load_case("selections/lagging-sample"), {0, 0});
  const auto from = [&](StepRule rule, std::vector<Rational> start) {
    return ground.prove(over_p(rule, Rational(1, 10), std::move(start)), 600);
  };
  for (const StepRule rule : {StepRule::normalised, StepRule::constant, StepRule::flow}) {
    BOOST_TEST((obstacle(from(rule, {10, 0, 0})) == LimitObstacle::dependent_support));
    BOOST_TEST((obstacle(from(rule, {10000, 0, 0})) == LimitObstacle::dependent_support));
  }
  BOOST_TEST(proved_by(from(StepRule::constant, {10, 30, 0}), LimitBy::basin));
  BOOST_TEST(proved_by(from(StepRule::flow, {10, 30, 0}), LimitBy::basin));
}

BOOST_AUTO_TEST_CASE(a_degenerate_support_has_a_wedge_far_out_and_nothing_near) {
  const Ground ground(load_case("selections/lagging-sample"), {0, 0});
  const LimitOutcome far = ground.prove(over_p(StepRule::normalised, Rational(1, 10), {1000, 3000, 0}), 0);
  BOOST_TEST(proved_by(far, LimitBy::wedge), told(far));
  BOOST_TEST((obstacle(ground.prove(over_p(StepRule::normalised, Rational(1, 10), {10, 30, 0}), 0)) == LimitObstacle::dependent_support));
}

BOOST_AUTO_TEST_CASE(a_selection_that_is_not_locally_optimal_has_no_limit) {
  // Token 1 of one-input/distinct with the scores of 1 and 2 exchanged: its tight neighbour scores more.
  Problem problem = load_case("one-input/distinct");
  problem.labels = {-1};
  const Ground ground(problem, {1});
  BOOST_TEST((obstacle(ground.prove(over_p(StepRule::normalised, Rational(1, 10), {}))) == LimitObstacle::not_locally_optimal));
}

BOOST_AUTO_TEST_CASE(long_normalised_steps_have_no_cone) {
  const Ground ground(load_case("multi-input/multi-input"), {0, 0, 0});
  const auto from_far = [&](const Rational& step) { return ground.prove(over_p(StepRule::normalised, step, {400, 81, 0}), 0); };
  BOOST_TEST(proved_by(from_far(Rational(1, 10)), LimitBy::cone));
  BOOST_TEST(!proved_by(from_far(100), LimitBy::cone));
}

BOOST_AUTO_TEST_CASE(what_runs_out_of_time_says_so) {
  const Ground ground(load_case("multi-input/multi-input"), {0, 0, 0});
  const LimitOutcome outcome = prove_limit(ground.facts(), over_p(StepRule::normalised, Rational(1, 10), {}), 3000, Budget(0));
  BOOST_TEST((obstacle(outcome) == LimitObstacle::out_of_time));
}

/// r_k of the cone theorem stays within rho, and the direction within C/|p|, for further steps: ATTEST_CONES=200
/// ATTEST_LATER_STEPS=100000 for the long form.
BOOST_AUTO_TEST_CASE(later_steps_keep_what_a_cone_promises) {
  std::mt19937 random(7);
  const std::size_t wanted = asked("ATTEST_CONES", 60);
  const std::size_t later = asked("ATTEST_LATER_STEPS", 2000);
  std::size_t cones = 0;
  for (std::size_t trial = 0; trial < 7 * wanted && cones < wanted; ++trial) {
    const Problem problem = plane(random, 1 + random() % 3);
    Selection selection;
    for (std::size_t i = 0; i < problem.sample_count(); ++i) selection.push_back(random() % 2);
    const Ground ground(problem, selection);
    if (!ground.feasible()) continue;
    const StepRule rule = trial % 2 == 0 ? StepRule::normalised : StepRule::constant;
    const DescentRule descent =
        over_p(rule, Rational(1, 10), trial % 4 < 2 ? std::vector<Rational>{} : std::vector<Rational>{Rational(3), Rational(-2)});
    const LimitOutcome outcome = ground.prove(descent, 2000);
    if (!proved_by(outcome, LimitBy::cone)) continue;
    ++cones;
    const auto& proved = std::get<ProvedLimit>(outcome);
    const auto& cone = std::get<certified::DescentCone>(proved.certificate.kind());
    const LimitRows rows(ground.facts());
    const DoubleSpace space(rows);
    DoubleRun run(space, rows, descent);
    for (std::size_t k = 0; k < proved.from_iterate; ++k) run.advance();
    const auto& w = ground.facts().solution->w;
    const double wx = nearest_double(w[0]);
    const double wy = nearest_double(w[1]);
    const double norm = std::hypot(wx, wy);
    const auto across = [&](const std::vector<double>& p) { return (p[1] * wx - p[0] * wy) / norm; };
    const auto frame = cone_frame(space, run.now());
    BOOST_TEST_REQUIRE(frame.has_value());
    const double at_proof = across(run.prompt());
    double farthest = 0;
    double worst = 0;
    for (std::size_t k = 0; k < later; ++k) {
      const double length = std::hypot(run.prompt()[0], run.prompt()[1]);
      // What k steps in doubles may have added across w, each a rounding of a number of that length.
      const double rounding = static_cast<double>(proved.from_iterate + k + 8) * length * 0x1p-52;
      farthest = std::max(farthest, std::abs(across(run.prompt()) - at_proof) - frame->r0 - rounding);
      worst = std::max(worst, std::hypot(run.prompt()[0] / length - wx / norm, run.prompt()[1] / length - wy / norm) * length - rounding);
      if (!run.advance()) break;
    }
    BOOST_TEST(farthest <= nearest_double(cone.rho) * (1 + 1e-9));
    BOOST_TEST(worst <= nearest_double(cone.rate) * (1 + 1e-9));
    BOOST_TEST(proved.rate_constant.value() == cone.rate);
  }
  BOOST_TEST(cones >= wanted / 2);
}

/// The same in 60 digits: ATTEST_DIGIT_CONES=50 for the long form.
BOOST_AUTO_TEST_CASE(runs_of_sixty_digits_keep_what_a_cone_promises) {
  std::mt19937 random(11);
  const std::size_t wanted = asked("ATTEST_DIGIT_CONES", 6);
  std::size_t cones = 0;
  for (std::size_t trial = 0; trial < 10 * wanted && cones < wanted; ++trial) {
    const Problem problem = plane(random, 1 + random() % 3);
    Selection selection;
    for (std::size_t i = 0; i < problem.sample_count(); ++i) selection.push_back(random() % 2);
    const Ground ground(problem, selection);
    if (!ground.feasible()) continue;
    const LimitOutcome outcome = ground.prove(over_p(StepRule::normalised, Rational(1, 8), {}), 2000);
    if (!proved_by(outcome, LimitBy::cone)) continue;
    ++cones;
    const auto& proved = std::get<ProvedLimit>(outcome);
    const auto& w = ground.facts().solution->w;
    const reference::Real wx = reference::to_real(w[0]);
    const reference::Real wy = reference::to_real(w[1]);
    const reference::Real norm = sqrt(wx * wx + wy * wy);
    const reference::Real rate = reference::to_real(proved.rate_constant.value());
    const reference::Descent descent(problem, reference::logistic);
    reference::Vector p = descent.normalised_run({0, 0}, 0.125, static_cast<int>(proved.from_iterate));
    for (int stretch = 0; stretch < 20; ++stretch) {
      const reference::Real length = sqrt(p[0] * p[0] + p[1] * p[1]);
      const reference::Real x = p[0] / length - wx / norm;
      const reference::Real y = p[1] / length - wy / norm;
      BOOST_TEST((sqrt(x * x + y * y) * length <= rate));
      p = descent.normalised_run(p, 0.125, 25);
    }
  }
  BOOST_TEST(cones >= wanted / 2);
}

BOOST_AUTO_TEST_CASE(weights_are_proved_by_rows) {
  const Ground ground(load_case("weights/equal-scores"), {0, 0}, Parametrisation::weights);
  const LimitOutcome constant = ground.prove(over_w(StepRule::constant, Rational(1, 10)));
  BOOST_TEST(std::holds_alternative<ProvedLimit>(constant), told(constant));
  const LimitOutcome normalised = ground.prove(over_w(StepRule::normalised, Rational(1, 10)));
  BOOST_TEST(std::holds_alternative<ProvedLimit>(normalised), told(normalised));
  BOOST_TEST(written(std::get<ProvedLimit>(normalised).certificate).claim == "w-gd");
  const Ground lagging(load_case("weights/lagging-sample"), {0, 0}, Parametrisation::weights);
  BOOST_TEST(proved_by(lagging.prove(over_w(StepRule::constant, Rational(1, 10), {10, 0, 0, 30, 0, 0, 0, 0, 0}), 0), LimitBy::basin));
  BOOST_TEST((obstacle(lagging.prove(over_w(StepRule::constant, Rational(1, 10), {10, 0, 0, 0, 0, 0, 0, 0, 0}), 300)) ==
              LimitObstacle::dependent_support));
}

BOOST_AUTO_TEST_SUITE_END()
