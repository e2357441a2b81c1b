#include "attest/exact/descent_limit.hpp"

#include "../solve/reference_descent.hpp"
#include "attest/certificate/codec.hpp"
#include "descent_run.hpp"
#include "limit_search.hpp"
#include "spectral_bound.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <random>

using namespace attest;

namespace {

Rational entry_of(const nlohmann::json& value) {
  return value.is_string() ? parse_rational(value.get<std::string>()).value() : exact_value(value.get<double>());
}

ExactMatrix matrix_of(const nlohmann::json& rows) {
  std::vector<Rational> entries;
  for (const auto& row : rows)
    for (const auto& value : row) entries.push_back(entry_of(value));
  return ExactMatrix::from_rationals(rows.size(), rows.front().size(), std::move(entries));
}

Problem load_case(const std::string& name) {
  const nlohmann::json data = nlohmann::json::parse(std::ifstream(std::string(ATTEST_CASES) + "/" + name + ".json"));
  Problem problem;
  for (const auto& sample : data.at("tokens")) problem.tokens.push_back(matrix_of(sample));
  problem.labels = data.at("labels").get<std::vector<int>>();
  problem.v = matrix_of(nlohmann::json::array({data.at("v")}));
  if (data.contains("W")) problem.W = matrix_of(data.at("W"));
  if (data.contains("queries")) problem.queries = matrix_of(data.at("queries"));
  return problem;
}

/// A problem and what is proved of a selection before its limit.
class Ground {
 public:
  Ground(Problem problem, const Selection& selection, Parametrisation over = Parametrisation::prompt)
      : problem_(std::move(problem)), tokens_(problem_), scores_(exact_scores(problem_)),
        program_(over == Parametrisation::prompt ? SvmProgram::p_svm(tokens_, selection) : SvmProgram::w_svm(tokens_, selection)),
        outcome_(decide_svm(program_, {}, Budget(60))) {
    interval_ = {scores_[0][0], scores_[0][0]};
    for (const auto& sample : scores_)
      for (const Rational& score : sample) {
        interval_.low = std::min(interval_.low, score);
        interval_.high = std::max(interval_.high, score);
      }
    loss_ = bound_loss(problem_.loss, interval_, Budget(60));
    facts_ = {&tokens_, &scores_, &program_, std::get_if<SvmSolution>(&outcome_), &std::get<LossBounds>(loss_), interval_};
  }
  Ground(const Ground&) = delete;
  Ground& operator=(const Ground&) = delete;

  bool feasible() const { return facts_.solution != nullptr; }
  const LimitFacts& facts() const { return facts_; }
  LimitOutcome prove(const DescentRule& rule, std::size_t most = 3000) const { return prove_limit(facts_, rule, most, Budget(60)); }

 private:
  Problem problem_;
  ExactTokens tokens_;
  Scores scores_;
  SvmProgram program_;
  SvmOutcome outcome_;
  RationalInterval interval_;
  LossVerdict loss_ = LossUndecided{};
  LimitFacts facts_{};
};

/// How much a test does: more, where the environment asks for it.
std::size_t asked(const char* name, std::size_t usual) {
  const char* text = std::getenv(name);
  return text ? std::stoul(text) : usual;
}

DescentRule over_p(StepRule rule, const Rational& step, std::vector<Rational> start) {
  return {Parametrisation::prompt, rule, step, std::move(start)};
}
DescentRule over_w(StepRule rule, const Rational& step, std::vector<Rational> start = {}) {
  return {Parametrisation::weights, rule, step, std::move(start)};
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
  // Flow has no iterates, and at 0 nothing closes.
  BOOST_TEST((obstacle(ground.prove(over_p(StepRule::flow, 0, {}))) == LimitObstacle::not_closed));
}

BOOST_AUTO_TEST_CASE(a_start_in_the_basin_is_accepted_and_one_just_outside_is_not) {
  const Ground ground(twins(), {0, 0});
  const auto flow_from = [&](const Rational& p) { return ground.prove(over_p(StepRule::flow, 0, {p})); };
  BOOST_TEST(proved_by(flow_from(Rational(1, 1000)), LimitBy::basin));
  BOOST_TEST(obstacle(flow_from(0)).has_value());  // equal is not less
  BOOST_TEST(obstacle(flow_from(Rational(-1, 1000))).has_value());
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

BOOST_AUTO_TEST_CASE(a_run_over_weights_with_one_query_is_the_run_over_its_first_column) {
  Problem problem = load_case("one-input/distinct");
  problem.W.reset();
  problem.queries = ExactMatrix::from_doubles(1, 3, {1, 0, 0});
  const Ground prompt(problem, {0});
  const Ground weights(problem, {0}, Parametrisation::weights);
  const LimitRows prompt_rows(prompt.facts());
  const LimitRows weight_rows(weights.facts());
  for (const StepRule rule : {StepRule::normalised, StepRule::constant}) {
    const DescentRule first = over_p(rule, Rational(1, 10), {0, Rational(1, 2), 1});
    const DescentRule second = over_w(rule, Rational(1, 10), {0, 0, 0, Rational(1, 2), 0, 0, 1, 0, 0});
    const auto a = enclose_run(prompt_rows, first, 192);
    const auto b = enclose_run(weight_rows, second, 512);
    for (std::size_t k = 0; k <= 120; k += 20) {
      BOOST_TEST_REQUIRE((a->advance_to(k, 40, Budget(60)) == EnclosedRun::State::there));
      BOOST_TEST_REQUIRE((b->advance_to(k, 40, Budget(60)) == EnclosedRun::State::there));
      const auto at = a->now();
      const auto there = b->now();
      for (std::size_t c = 0; c < at.y.size(); ++c) BOOST_TEST(arb_overlaps(at.y[c].get(), there.y[c].get()) != 0);
      BOOST_TEST(arb_overlaps(at.norm_squared.get(), there.norm_squared.get()) != 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_coarse_run_holds_the_fine_one) {
  const Ground ground(load_case("multi-input/multi-input"), {0, 0, 0});
  const LimitRows rows(ground.facts());
  for (const StepRule rule : {StepRule::normalised, StepRule::constant}) {
    const DescentRule descent = over_p(rule, Rational(1, 10), {Rational(1, 3), Rational(-2, 7), 0});
    const auto coarse = enclose_run(rows, descent, 48);
    const auto fine = enclose_run(rows, descent, 300);
    for (std::size_t k = 0; k <= 200; k += 10) {
      BOOST_TEST_REQUIRE((coarse->advance_to(k, 10, Budget(60)) == EnclosedRun::State::there));
      BOOST_TEST_REQUIRE((fine->advance_to(k, 200, Budget(60)) == EnclosedRun::State::there));
      const auto wide = coarse->now();
      const auto narrow = fine->now();
      for (std::size_t c = 0; c < wide.y.size(); ++c) BOOST_TEST(arb_contains(wide.y[c].get(), narrow.y[c].get()) != 0);
    }
    BOOST_TEST(coarse->accuracy() < 48);
    BOOST_TEST((coarse->advance_to(5000, 60, Budget(60)) == EnclosedRun::State::imprecise));
  }
}

BOOST_AUTO_TEST_CASE(a_spectral_bound_is_above_the_norm_and_near_it) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    // A reflection changes no norm: that of R D is the largest entry of D.
    const std::size_t size = 1 + random() % 12;
    std::vector<double> mirror(size);
    double squared = 0;
    for (double& entry : mirror) {
      entry = normal(random);
      squared += entry * entry;
    }
    std::vector<double> matrix(size * size);
    double largest = 0;
    for (std::size_t c = 0; c < size; ++c) {
      const double scale = trial % 3 == 0 ? 1 : normal(random);
      largest = std::max(largest, std::abs(scale));
      for (std::size_t r = 0; r < size; ++r) matrix[r * size + c] = ((r == c ? 1 : 0) - 2 * mirror[r] * mirror[c] / squared) * scale;
    }
    const double bound = SpectralBound().of(matrix, size);
    BOOST_TEST(bound >= largest * (1 - 1e-13));
    BOOST_TEST(bound <= largest * (trial % 3 == 0 ? 1 + 0x1p-10 : 1.5));
  }
  BOOST_TEST(!std::isfinite(SpectralBound().of({1, 0, 0, std::numeric_limits<double>::quiet_NaN()}, 2)));
}

BOOST_AUTO_TEST_SUITE_END()
