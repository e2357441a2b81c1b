#include "attest/base/tolerance.hpp"
#include "attest/solve/joint_descent.hpp"
#include "attest/solve/joint_path.hpp"
#include "attest/solve/log_gradient.hpp"
#include "drawn_data.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>

namespace attest {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

/// docs/theory.md, 4.9: tight with third token (1/2, 1), relaxed with (1/2, 3/2).
Problem joint_data(double third) {
  return drawn::made_of({ExactMatrix::from_doubles(2, 2, {0, 0, 1, 1}), ExactMatrix::from_doubles(2, 2, {0, 0, 1, -1}),
                         ExactMatrix::from_doubles(2, 2, {0, 0, 0.5, third})},
                        {1, -1, 1}, {});
}
constexpr double tight = 1;
constexpr double relaxed = 1.5;
const Selection nonzero = {1, 1, 1};

double error_of(const VectorXd& found, const VectorXd& target) { return (found.normalized() - target.normalized()).norm(); }

JointPath joint_path(double third, const VectorXd& p_hint, const JointSettings& settings) {
  const NumericProblem numeric(joint_data(third));
  return follow_joint_path(numeric, nonzero, Vector2d(0, 1), p_hint, settings, Budget(60));
}

void must_be_verified(const JointPath& path) {
  BOOST_TEST(path.ended == "");
  for (const JointPoint& point : path.points)
    BOOST_TEST(point.verified,
               "R = " << point.radius << ", r = " << point.head_radius << ": " << point.reason << " (" << point.status << ")");
}

BOOST_AUTO_TEST_SUITE(joint)

BOOST_AUTO_TEST_CASE(the_tight_path_with_r_equal_to_R_reaches_both_programs) {
  const JointPath path = joint_path(tight, Vector2d(4, 1), {.radii = doubling_radii(1, 0x1p14)});
  must_be_verified(path);
  BOOST_TEST(error_of(path.points.back().v, Vector2d(0, 1)) <= 1e-3);
  BOOST_TEST(error_of(path.points.back().p, Vector2d(4, 1)) <= 1e-3);
}

BOOST_AUTO_TEST_CASE(the_tight_path_reaches_both_programs_in_the_other_regimes) {
  const JointPath fast_v = joint_path(tight, Vector2d(4, 1), {.radii = doubling_radii(1, 0x1p12), .power = 2});
  const JointPath fast_p = joint_path(tight, Vector2d(4, 1), {.radii = doubling_radii(1, 0x1p20), .power = 0.5});
  for (const JointPath* path : {&fast_v, &fast_p}) {
    must_be_verified(*path);
    BOOST_TEST(error_of(path->points.back().v, Vector2d(0, 1)) <= 1e-3);
    BOOST_TEST(error_of(path->points.back().p, Vector2d(4, 1)) <= 1e-3);
  }
}

BOOST_AUTO_TEST_CASE(the_relaxed_path_reaches_the_relaxed_program_when_r_grows_fast) {
  const JointPath path = joint_path(relaxed, Vector2d(1, 0), {.radii = doubling_radii(1, 0x1p12), .power = 2});
  must_be_verified(path);
  BOOST_TEST(error_of(path.points.back().v, Vector2d(0, 1)) <= 1e-3);
  BOOST_TEST(error_of(path.points.back().p, Vector2d(1, 0)) <= 1e-3);
}

BOOST_AUTO_TEST_CASE(the_relaxed_path_with_a_slow_r_reaches_the_plain_program_instead) {
  const JointPath path = joint_path(relaxed, Vector2d(5, 1), {.radii = doubling_radii(1, 0x1p20), .power = 0.5});
  BOOST_TEST(path.points.back().verified, path.points.back().reason);
  BOOST_TEST(error_of(path.points.back().p, Vector2d(5, 1)) <= 0.01);
  BOOST_TEST(error_of(path.points.back().p, Vector2d(1, 0)) > 0.1);
}

BOOST_AUTO_TEST_CASE(the_joint_solve_and_the_split_agree_in_the_overlap) {
  for (const double third : {tight, relaxed}) {
    const VectorXd hint = third == tight ? Vector2d(4, 1) : Vector2d(1, 0);
    const JointPath path = joint_path(third, hint, {.radii = {4, 6, 8, 10, 12, 14}, .power = 1.25});
    BOOST_TEST(path.overlap().points >= 3U);
    BOOST_TEST(path.overlap().largest <= overlap_tolerance.radians);
  }
}

BOOST_AUTO_TEST_CASE(the_joint_check_refuses_what_is_beside_outside_and_above) {
  const Problem problem = joint_data(tight);
  const NumericProblem numeric(problem);
  const JointPath path = joint_path(tight, Vector2d(4, 1), {.radii = doubling_radii(1, 256)});
  JointPoint point = path.points.back();
  const auto reason_of = [&](JointPoint changed) {
    check_joint_point(numeric, nonzero, Vector2d(0, 1), Vector2d(4, 1), changed);
    return changed.reason;
  };
  BOOST_TEST(reason_of(point) == "");
  JointPoint changed = point;
  changed.p = 0.9 * point.p;
  BOOST_TEST(reason_of(changed) == "not stationary in p");
  changed = point;
  changed.v = 0.9 * point.v;
  BOOST_TEST(reason_of(changed) == "not stationary in v");
  changed = point;
  changed.p *= 1 + 1e-9;
  BOOST_TEST(reason_of(changed) == "|p| > R");
  changed = point;
  changed.v[0] = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(reason_of(changed) != "");
}

BOOST_AUTO_TEST_CASE(a_joint_path_of_another_loss_is_a_bug) {
  Problem problem = joint_data(tight);
  problem.loss = Loss::correlation();
  const NumericProblem numeric(problem);
  BOOST_CHECK_THROW(follow_joint_path(numeric, nonzero, Vector2d(0, 1), Vector2d(4, 1), {}, Budget(1)), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(joint_descent)

/// The papers' run: normalised steps of 0.1, 1000 of them, from v = (-1, 0), p = (0, -1).
JointDescent papers_run(double third, std::uint64_t iterations) {
  const NumericProblem numeric(joint_data(third));
  return descend_jointly(numeric, Vector2d(-1, 0), Vector2d(0, -1), {.iterations = iterations}, Budget(60));
}

BOOST_AUTO_TEST_CASE(the_papers_relaxed_run_ends_at_the_relaxed_program) {
  const JointDescent descent = papers_run(relaxed, 1000);
  BOOST_TEST(descent.ended == "");
  BOOST_TEST(descent.trace.back().iteration == 1000U);
  // 0.176 and 11.13 degrees in 120-digit arithmetic; the papers' float32 run ends at 10.66 and 0.645.
  const double degrees = 180 / std::acos(-1.0);
  BOOST_TEST(std::abs(degrees * angle_between(descent.trace.back().p, Vector2d(1, 0)) - 0.176) <= 0.01);
  BOOST_TEST(std::abs(degrees * angle_between(descent.trace.back().p, Vector2d(5, 1)) - 11.13) <= 0.01);
}

BOOST_AUTO_TEST_CASE(the_papers_tight_run_ends_at_the_tight_programs) {
  const JointDescent descent = papers_run(tight, 20000);
  BOOST_TEST(error_of(descent.trace.back().p, Vector2d(4, 1)) <= 1e-2);
  BOOST_TEST(error_of(descent.trace.back().v, Vector2d(0, 1)) <= 1e-2);
  BOOST_TEST(error_of(descent.trace.back().p, Vector2d(1, 0)) > 0.1);
}

BOOST_AUTO_TEST_CASE(a_trace_is_short_however_long_the_run) {
  const JointDescent descent = papers_run(tight, 20000);
  BOOST_TEST(descent.trace.size() <= 45U);
  for (std::size_t k = 1; k < descent.trace.size(); ++k) BOOST_TEST(descent.trace[k].iteration > descent.trace[k - 1].iteration);
}

VectorXd differences(const std::function<double(const VectorXd&)>& loss, const VectorXd& x) {
  VectorXd gradient(x.size());
  for (Eigen::Index c = 0; c < x.size(); ++c) {
    const VectorXd h = 1e-5 * VectorXd::Unit(x.size(), c);
    gradient[c] = (loss(x + h) - loss(x - h)) / 2e-5;
  }
  return gradient;
}

BOOST_AUTO_TEST_CASE(v_and_p_each_move_by_their_own_unit_gradient_at_the_point_before) {
  const NumericProblem numeric(joint_data(relaxed));
  const VectorXd v = Vector2d(0.3, 0.7);
  const VectorXd p = Vector2d(-0.2, 0.4);
  const JointDescent descent = descend_jointly(numeric, v, p, {.iterations = 1}, Budget(60));
  const VectorXd next_v = descent.trace.back().v;
  const auto in_v = [&](const VectorXd& x) { return std::exp(log_loss(numeric, x, p)); };
  const auto in_p = [&](const VectorXd& x) { return std::exp(log_loss(numeric, v, x)); };
  BOOST_TEST((v - next_v - 0.1 * differences(in_v, v).normalized()).norm() <= 1e-8);
  BOOST_TEST((p - descent.trace.back().p - 0.1 * differences(in_p, p).normalized()).norm() <= 1e-8);
  // The gradient in p at the next v is another one.
  const auto in_p_later = [&](const VectorXd& x) { return std::exp(log_loss(numeric, next_v, x)); };
  BOOST_TEST((p - descent.trace.back().p - 0.1 * differences(in_p_later, p).normalized()).norm() > 1e-4);
}

BOOST_AUTO_TEST_CASE(gradients_in_the_log_domain_have_the_size_of_the_textbook_ones_while_those_are_right) {
  const NumericProblem numeric(joint_data(relaxed));
  const VectorXd v = Vector2d(0.3, 0.7);
  const VectorXd p = Vector2d(-0.2, 0.4);
  const LogVector in_v = log_gradient_v(numeric, v, p);
  const LogVector in_p = log_gradient_p(numeric, v, p);
  const VectorXd expected_v = differences([&](const VectorXd& x) { return std::exp(log_loss(numeric, x, p)); }, v);
  const VectorXd expected_p = differences([&](const VectorXd& x) { return std::exp(log_loss(numeric, v, x)); }, p);
  BOOST_TEST((std::exp(in_v.log_scale) * in_v.vector - expected_v).norm() <= 1e-9);
  BOOST_TEST((std::exp(in_p.log_scale) * in_p.vector - expected_p).norm() <= 1e-9);
  BOOST_TEST((in_v.vector - expected_v).norm() > 1e-2);  // without its scale
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
