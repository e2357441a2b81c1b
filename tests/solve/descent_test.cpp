#include "attest/solve/descent.hpp"

#include "attest/graph/erm_graph.hpp"
#include "attest/solve/closed_form.hpp"
#include "attest/solve/rate.hpp"
#include "drawn_data.hpp"
#include "reference_descent.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(descent)

using Eigen::VectorXd;
using reference::Descent;

struct NamedLoss {
  Loss loss;
  reference::LossFunction second_opinion;
};

std::vector<NamedLoss> losses() {
  return {{Loss::logistic(), reference::logistic},
          {Loss::exponential(), reference::exponential},
          {Loss::correlation(), reference::correlation},
          {Loss::written(std::get<Expression>(parse_expression("1 - tanh(u/2)"))), reference::tanh_loss}};
}

VectorXd unit_vector(std::mt19937_64& engine, Eigen::Index d) {
  std::normal_distribution<double> normal;
  VectorXd vector(d);
  for (double& entry : vector) entry = normal(engine);
  return vector.normalized();
}

DescentKernel kernel_of(const Problem& problem, unsigned threads = 1) { return {problem, exact_scores(problem), threads}; }

/// Two samples of different sizes, keys by a W, a common offset of 1000 in all tokens, and scores that tie.
Problem awkward_problem() {
  Problem problem;
  const Rational third(1, 3);
  problem.tokens = {ExactMatrix::from_rationals(4, 2, {1001, 1000, 1000, 1001 + third, 999, 1000, 1000 + third, 999}),
                    ExactMatrix::from_rationals(3, 2, {1000, 1000, 1001, 1002, 1000, 999})};
  problem.labels = {1, -1};
  problem.v = ExactMatrix::from_rationals(1, 2, {1, 0});
  problem.W = ExactMatrix::from_rationals(2, 2, {1, third, 0, 1});
  return problem;
}

void check_against_reference(const Problem& problem, const reference::LossFunction& loss, const VectorXd& p, double tolerance) {
  DescentKernel kernel = kernel_of(problem);
  LogVector found;
  kernel.gradient(p, found);
  const reference::Vector expected = Descent(problem, loss).gradient(reference::to_reference(p));
  BOOST_TEST_CONTEXT("norm " << p.norm()) {
    BOOST_TEST((found.vector.normalized() - reference::direction_of(expected)).norm() <= tolerance);
    BOOST_TEST(std::abs(found.log_scale + std::log(found.vector.norm()) - reference::log_norm(expected)) <= tolerance);
  }
}

BOOST_AUTO_TEST_CASE(the_kernel_has_the_gradient_of_the_graph) {
  std::mt19937_64 engine(5);
  for (const NamedLoss& named : losses())
    for (const double norm : {0.0, 0.1, 1.0, 5.0}) {
      Problem problem = drawn::random_instance(4, 5, 3, 1).problem;
      problem.loss = named.loss;
      const VectorXd p = norm * unit_vector(engine, 3);
      DescentKernel kernel = kernel_of(problem);
      LogVector found;
      kernel.gradient(p, found);
      const VectorXd expected = ErmGraph(NumericProblem(problem)).gradient_p(image_vector(*problem.v), p);
      BOOST_TEST((std::exp(found.log_scale) * found.vector - expected).norm() <= 1e-12 * expected.norm());
    }
}

BOOST_AUTO_TEST_CASE(the_kernel_agrees_with_60_digits_at_any_norm) {
  // A rounding of a logit is a relative error of the gradient: 2^-52 |k||p|.
  std::mt19937_64 engine(6);
  for (const NamedLoss& named : losses())
    for (const double norm : {0.0, 10.0, 1e3, 1e5}) {
      drawn::Instance data = drawn::random_instance(6, 8, 10, 2);
      data.problem.loss = named.loss;
      check_against_reference(data.problem, named.second_opinion, norm * unit_vector(engine, 10), 1e-14 * (10 + norm));
      check_against_reference(data.problem, named.second_opinion, norm * data.p_mm.normalized(), 1e-14 * (10 + norm));
    }
}

BOOST_AUTO_TEST_CASE(offsets_ties_and_odd_shapes_change_nothing) {
  std::mt19937_64 engine(7);
  for (const double norm : {0.0, 1.0, 10.0, 1e3, 1e5})
    for (int k = 0; k < 20; ++k)
      check_against_reference(awkward_problem(), reference::logistic, norm * unit_vector(engine, 2), 1e-12 + 1e-12 * norm);
}

BOOST_AUTO_TEST_CASE(a_gradient_of_ties_alone_is_zero) {
  Problem problem = awkward_problem();
  problem.v = ExactMatrix::from_doubles(1, 2, {0, 0});
  DescentKernel kernel = kernel_of(problem);
  LogVector found;
  kernel.gradient(VectorXd::Ones(2), found);
  BOOST_TEST(found.vector.isZero(0));
  BOOST_TEST((descend(kernel, VectorXd::Ones(2), {}, Budget(60)).end == DescentRun::End::stationary));
}

BOOST_AUTO_TEST_CASE(a_tie_far_ahead_of_all_others_does_not_stop_descent) {
  // Tokens 0 and 1 tie, token 2 scores more and lies 2000 behind: the gradient is e^-2000, and not 0.
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(3, 2, {1, 0, 1, 0.5, 0, 0})};
  problem.labels = {-1};
  problem.v = ExactMatrix::from_doubles(1, 2, {1, 0});
  check_against_reference(problem, reference::logistic, VectorXd{{2000.0, 1.0}}, 1e-12);
}

BOOST_AUTO_TEST_CASE(threads_change_the_gradient_by_rounding_only) {
  const Problem problem = drawn::random_instance(20, 6, 30, 3).problem;
  std::mt19937_64 engine(8);
  DescentKernel one = kernel_of(problem, 1);
  for (const unsigned threads : {2U, 3U, 7U}) {
    DescentKernel many = kernel_of(problem, threads);
    BOOST_TEST(many.threads() == threads);
    for (const double norm : {0.0, 1.0, 1e3}) {
      const VectorXd p = norm * unit_vector(engine, 30);
      LogVector a;
      LogVector b;
      one.gradient(p, a);
      many.gradient(p, b);
      BOOST_TEST((a.vector.normalized() - b.vector.normalized()).norm() <= 1e-14);
      BOOST_TEST(std::abs(a.log_scale + std::log(a.vector.norm()) - b.log_scale - std::log(b.vector.norm())) <= 1e-13 * (1 + norm));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_excess_agrees_with_60_digits) {
  std::mt19937_64 engine(9);
  for (const NamedLoss& named : losses())
    for (const double norm : {0.0, 1.0, 10.0, 50.0}) {
      drawn::Instance data = drawn::random_instance(6, 8, 10, 4);
      data.problem.loss = named.loss;
      DescentKernel kernel = kernel_of(data.problem);
      const Descent second(data.problem, named.second_opinion);
      for (const VectorXd& p : {VectorXd(norm * unit_vector(engine, 10)), VectorXd(norm * data.p_mm.normalized())})
        BOOST_TEST(std::abs(kernel.log_excess(p) - static_cast<double>(second.log_excess(reference::to_reference(p)))) <= 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(the_excess_falls_like_the_margin_beyond_any_double) {
  drawn::Instance data = drawn::random_instance(6, 8, 10, 4);
  DescentKernel kernel = kernel_of(data.problem);
  const double margin = 1 / data.p_mm.norm();
  const VectorXd u = data.p_mm.normalized();
  BOOST_TEST(std::abs((kernel.log_excess(2e5 * u) - kernel.log_excess(1e5 * u)) / 1e5 + margin) <= 1e-6);
}

BOOST_AUTO_TEST_CASE(the_selection_is_that_of_the_largest_logits) {
  DescentKernel kernel = kernel_of(awkward_problem());
  BOOST_TEST(kernel.selection(VectorXd{{100.0, 0.0}}) == (Selection{0, 1}));
  BOOST_TEST(kernel.selection(VectorXd{{-100.0, 30.0}}) == (Selection{2, 2}));
}

BOOST_AUTO_TEST_CASE(a_million_normalised_steps_end_at_the_exact_direction) {
  int looked_at = 0;
  for (unsigned seed = 100; seed <= 1600; seed += 100) {
    const drawn::Instance data = drawn::random_instance(6, 8, 10, seed);
    // Rows have norms of up to 2: for smaller margins a step of 0.1 zigzags across the ray instead of following it.
    if (1 / data.p_mm.norm() < 0.1) continue;
    ++looked_at;
    DescentKernel kernel = kernel_of(data.problem);
    // From the ray of p^mm: from 0 most data end at another locally optimal selection.
    const DescentRun run = descend(kernel, 100 * data.p_mm, {DescentMethod::normalised, 0.1, 1'000'000}, Budget(300));
    std::vector<LogPoint> points;
    for (const TracePoint& point : run.trace)
      if (point.norm >= std::max(1e3, 200 * data.p_mm.norm()))
        points.push_back({std::log(point.norm), std::log(direction_error(point.p, data.p_mm))});
    BOOST_TEST_CONTEXT("seed " << seed << ", direction error " << direction_error(run.last().p, data.p_mm)) {
      BOOST_TEST((run.end == DescentRun::End::finished));
      BOOST_TEST(std::abs(run.last().norm / 1e5 - 1) <= 0.02);
      BOOST_TEST(direction_error(run.last().p, data.p_mm) <= 1e-3);
      BOOST_TEST(std::abs(fit_slope(points).value() + 1) <= 0.1);
    }
  }
  BOOST_TEST(looked_at >= 4);
}

BOOST_AUTO_TEST_CASE(textbook_descent_in_doubles_goes_wrong_on_the_same_data) {
  // From 0 few data end at the best selection: the first that does.
  const VectorXd start = VectorXd::Zero(10);
  drawn::Instance data = drawn::random_instance(6, 8, 10, 1);
  VectorXd ours;
  for (unsigned seed = 1; true; seed += 100) {
    data = drawn::random_instance(6, 8, 10, seed);
    DescentKernel kernel = kernel_of(data.problem);
    const DescentRun run = descend(kernel, start, {DescentMethod::normalised, 0.1, 10'000}, Budget(300));
    ours = run.last().p;
    if (run.last().selection == data.selection && 1 / data.p_mm.norm() > 0.1) break;
  }
  const VectorXd textbook = reference::textbook_run(data.problem, start, 0.1, 10'000);
  BOOST_TEST(direction_error(ours, data.p_mm) <= 0.03);
  BOOST_TEST(direction_error(textbook, data.p_mm) > 0.1);
}

BOOST_AUTO_TEST_CASE(flow_is_the_limit_of_small_normalised_steps) {
  const drawn::Instance data = drawn::random_instance(3, 7, 3, 14);
  DescentKernel kernel = kernel_of(data.problem);
  const VectorXd start = VectorXd::Zero(3);
  const VectorXd flow = descend(kernel, start, {DescentMethod::flow, 1.0, 20}, Budget(60)).last().p;
  const auto distance = [&](double step) {
    return (descend(kernel, start, {DescentMethod::normalised, step, std::llround(20 / step)}, Budget(60)).last().p - flow).norm();
  };
  const double coarse = distance(1e-3);
  const double fine = distance(1e-4);
  BOOST_TEST(coarse <= 0.05);
  BOOST_TEST(std::abs(fine / coarse - 0.1) <= 0.02);  // Euler's error is proportional to its step
}

BOOST_AUTO_TEST_CASE(small_constant_steps_never_increase_the_loss) {
  const drawn::Instance data = drawn::random_instance(3, 7, 3, 15);
  DescentKernel kernel = kernel_of(data.problem);
  const DescentRun run = descend(kernel, VectorXd::Zero(3), {DescentMethod::constant, 0.01, 20'000}, Budget(60));
  BOOST_TEST(run.monotone);
  for (std::size_t k = 1; k < run.trace.size(); ++k) BOOST_TEST(run.trace[k].log_excess <= run.trace[k - 1].log_excess);
}

BOOST_AUTO_TEST_CASE(a_step_that_increases_the_loss_is_seen) {
  // Keys 0, 1, 10 score -2, 1, -0.6: from 0 the slope leads to larger p, but far out waits the token of key 10.
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(3, 2, {0, -2, 1, 1, 10, -0.6})};
  problem.labels = {1};
  problem.v = ExactMatrix::from_doubles(1, 2, {0, 1});
  problem.W = ExactMatrix::from_doubles(2, 2, {1, 0, 0, 0});
  const NumericProblem numeric(problem);
  const VectorXd v = image_vector(*problem.v);
  const VectorXd start = VectorXd::Zero(2);
  DescentKernel kernel = kernel_of(problem);
  for (const double step : {0.01, 100.0}) {
    const VectorXd after = start - step * erm_gradient_p(numeric, v, start).value;
    BOOST_TEST((erm_value(numeric, v, after) > erm_value(numeric, v, start)) == (step > 1));
    BOOST_TEST(descend(kernel, start, {DescentMethod::constant, step, 1}, Budget(60)).monotone == (step < 1));
  }
}

BOOST_AUTO_TEST_CASE(levels_of_the_loss_are_compared_below_any_double) {
  const auto level = [](double base, int sign, double log) { return LossLevel{base, {log, sign}, log, std::abs(base)}; };
  BOOST_TEST(lies_above(level(1, 1, -1000), level(1, 1, -1001)));
  BOOST_TEST(!lies_above(level(1, 1, -1001), level(1, 1, -1000)));
  BOOST_TEST(!lies_above(level(1, 1, -1000), level(1, 1, -1000)));
  BOOST_TEST(lies_above(level(1, 1, -1000), level(1, -1, -900)));
  BOOST_TEST(!lies_above(level(1, -1, -900), level(1, 1, -1000)));
  BOOST_TEST(lies_above(level(2, 1, -50), level(1, 1, -1)));
  BOOST_TEST(!lies_above(level(1, 1, -1), level(2, 1, -50)));
  BOOST_TEST(lies_above(level(1, 1, std::nan("")), level(1, 1, -1)));
}

BOOST_AUTO_TEST_CASE(rounding_is_no_increase_of_the_loss) {
  const double none = -std::numeric_limits<double>::infinity();
  BOOST_TEST(!lies_above({0, {}, none, 0}, {0, {}, none, 0}));
  // Two samples whose distances +1/2 and -1/2 cancel to rounding.
  BOOST_TEST(!lies_above({0, {std::log(1e-17), 1}, std::log(0.5), 0.5}, {0, {std::log(1e-17), -1}, std::log(0.5), 0.5}));
  BOOST_TEST(lies_above({0, {std::log(1e-3), 1}, std::log(0.5), 0.5}, {0, {std::log(1e-3), -1}, std::log(0.5), 0.5}));
}

BOOST_AUTO_TEST_CASE(flow_around_a_minimiser_at_finite_norm_ends_and_says_so) {
  const Problem problem = drawn::bounded_descent();
  DescentKernel kernel = kernel_of(problem);
  BOOST_TEST((descend(kernel, VectorXd::Zero(2), {DescentMethod::flow, 0.1, 1000}, Budget(60)).end == DescentRun::End::stuck));
}

BOOST_AUTO_TEST_CASE(a_constant_step_below_the_resolution_of_p_is_said_so) {
  const drawn::Instance data = drawn::random_instance(3, 7, 3, 15);
  DescentKernel kernel = kernel_of(data.problem);
  const DescentRun run = descend(kernel, 1e4 * data.p_mm, {DescentMethod::constant, 0.1, 100}, Budget(60));
  BOOST_TEST((run.end == DescentRun::End::still));
}

BOOST_AUTO_TEST_CASE(a_run_out_of_time_says_so) {
  const drawn::Instance data = drawn::random_instance(3, 7, 3, 15);
  DescentKernel kernel = kernel_of(data.problem);
  BOOST_TEST((descend(kernel, data.p_mm, {DescentMethod::normalised, 0.1, 1000}, Budget(0)).end == DescentRun::End::out_of_time));
}

BOOST_AUTO_TEST_CASE(traces_stay_short) {
  const drawn::Instance data = drawn::random_instance(3, 7, 3, 15);
  DescentKernel kernel = kernel_of(data.problem);
  const DescentRun run = descend(kernel, data.p_mm, {DescentMethod::normalised, 0.1, 123'457}, Budget(60));
  BOOST_TEST(run.trace.size() <= 120U);
  BOOST_TEST(run.trace.front().iteration == 0);
  BOOST_TEST(run.last().iteration == 123'457);
}

BOOST_AUTO_TEST_CASE(a_slope_is_fitted_to_a_line_and_to_nothing_less) {
  const std::vector<LogPoint> line = {{0, 1}, {1, -1}, {3, -5}};
  BOOST_TEST(std::abs(fit_slope(line).value() + 2) <= 1e-12);
  BOOST_TEST(!fit_slope(std::vector<LogPoint>{{0, 1}, {1, 2}}));
  BOOST_TEST(!fit_slope(std::vector<LogPoint>{{1, 1}, {1, 2}, {1, 3}}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
