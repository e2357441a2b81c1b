#include "attest/base/tolerance.hpp"
#include "attest/solve/descent.hpp"
#include "attest/solve/lq_svm.hpp"
#include "attest/solve/rate.hpp"
#include "drawn_data.hpp"
#include "mirror_map.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numbers>

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(mirror)

using Eigen::VectorXd;

constexpr std::array exponents = {1.2, 1.5, 1.75, 2.0, 2.5, 3.0, 6.0};

/// sum |x_j|^q, written a second time.
double power_sum(const VectorXd& x, double q) {
  double sum = 0;
  for (const double entry : x) sum += std::pow(std::abs(entry), q);
  return sum;
}

VectorXd grad_psi(const VectorXd& x, double q) {
  VectorXd y = x;
  for (double& entry : y) entry = (entry > 0 ? 1 : entry < 0 ? -1 : 0) * std::pow(std::abs(entry), q - 1);
  return y;
}

/// Rows k_alpha - k_t from the data.
std::vector<VectorXd> rows_of(const drawn::Instance& data) {
  const NumericProblem numeric = data.numeric();
  std::vector<VectorXd> rows;
  for (std::size_t i = 0; i < numeric.keys.size(); ++i)
    for (Eigen::Index t = 0; t < numeric.keys[i].cols(); ++t)
      if (t != static_cast<Eigen::Index>(data.selection[i]))
        rows.push_back(numeric.keys[i].col(static_cast<Eigen::Index>(data.selection[i])) - numeric.keys[i].col(t));
  return rows;
}

double least_row(const std::vector<VectorXd>& rows, const VectorXd& p) {
  double least = rows.front().dot(p);
  for (const VectorXd& row : rows) least = std::min(least, row.dot(p));
  return least;
}

/// From equal multipliers.
LqSvmSolution solve_within(const drawn::Instance& data, double q, double multiplier, double seconds) {
  const ExactTokens tokens(data.problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, data.selection);
  const VectorXd multipliers = VectorXd::Constant(static_cast<Eigen::Index>(program.row_count()), multiplier);
  return solve_lq_svm(program, q, data.p_mm, multipliers, Budget(seconds));
}

LqSvmSolution solve(const drawn::Instance& data, double q) { return solve_within(data, q, 1, 60); }
LqSvmSolution solve_without_time(const drawn::Instance& data, double q) { return solve_within(data, q, 1, 0); }
LqSvmSolution solve_by_ipopt(const drawn::Instance& data, double q) { return solve_within(data, q, 0, 60); }

LqResidual residual(const drawn::Instance& data, double q, const VectorXd& p, const VectorXd& multipliers) {
  const ExactTokens tokens(data.problem);
  return lq_residual(SvmProgram::p_svm(tokens, data.selection), q, p, multipliers);
}

VectorXd random_vector(std::mt19937_64& engine, Eigen::Index d) {
  std::normal_distribution<double> normal;
  VectorXd vector(d);
  for (double& entry : vector) entry = normal(engine);
  return vector;
}

/// In the plane: the angle whose direction has the least q-norm when it is scaled to least row 1, by a grid that is refined.
VectorXd angular_search(const std::vector<VectorXd>& rows, double q) {
  const auto point = [](double angle) { return VectorXd{{std::cos(angle), std::sin(angle)}}; };
  const auto cost = [&](double angle) {
    const double least = least_row(rows, point(angle));
    return least > 0 ? std::pow(power_sum(point(angle), q), 1 / q) / least : std::numeric_limits<double>::infinity();
  };
  double best = 0;
  double width = std::numbers::pi;
  for (int k = 0; k < 14; ++k) {
    const double centre = best;
    const int half = k == 0 ? 20'000 : 20;
    for (int j = -half; j <= half; ++j)
      if (const double angle = centre + width * j / half; cost(angle) < cost(best) || !std::isfinite(cost(best))) best = angle;
    width *= k == 0 ? 1e-4 : 0.1;
  }
  return point(best) / least_row(rows, point(best));
}

BOOST_AUTO_TEST_CASE(the_lq_svm_in_the_plane_is_the_one_of_an_angular_search) {
  for (const unsigned seed : {1U, 20U, 300U, 4000U, 50000U})
    for (const double q : exponents) {
      const drawn::Instance data = drawn::random_instance(2, 3, 2, seed);
      const VectorXd searched = angular_search(rows_of(data), q);
      BOOST_TEST_CONTEXT("seed " << seed << ", q " << q) {
        BOOST_TEST(std::abs(power_sum(solve(data, q).p, q) / power_sum(searched, q) - 1) <= 1e-11);
        BOOST_TEST(direction_error(solve(data, q).p, searched) <= 3e-5);  // a minimum is flat: the square root of rounding
      }
    }
}

BOOST_AUTO_TEST_CASE(the_lq_svm_is_solved_from_q_1_2_to_6_and_no_feasible_point_is_shorter) {
  std::mt19937_64 engine(3);
  for (unsigned seed = 100; seed < 1300; seed += 100) {
    const drawn::Instance data = drawn::random_instance(1 + seed / 100 % 6, 2 + seed / 100 % 7, 3 + seed / 100 % 8, seed);
    const std::vector<VectorXd> rows = rows_of(data);
    for (const double q : exponents) {
      const LqSvmSolution found = solve(data, q);
      BOOST_TEST_CONTEXT("seed " << seed << ", q " << q << ", residual " << found.residual.kkt) {
        BOOST_TEST(found.solved());
        BOOST_TEST(found.residual.kkt <= 1e-10);
        BOOST_TEST(least_row(rows, found.p) >= 1 - 1e-10);
        for (int k = 0; k < 200; ++k) {
          const VectorXd rival = found.p + found.p.norm() * std::pow(10.0, -k % 7) * random_vector(engine, found.p.size());
          const double least = least_row(rows, rival);
          if (least > 0) BOOST_TEST(power_sum(rival / least, q) >= power_sum(found.p, q) * (1 - 1e-9));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(without_time_it_is_not_solved_and_its_residual_says_so) {
  for (const double q : {1.75, 3.0}) {
    const LqSvmSolution found = solve_without_time(drawn::random_instance(3, 4, 5, 7), q);
    BOOST_TEST(!found.solved());
    BOOST_TEST(found.p.size() == 5);
  }
}

BOOST_AUTO_TEST_CASE(for_q_2_it_is_the_exact_p_svm) {
  for (unsigned seed = 10; seed < 200; seed += 10) {
    const drawn::Instance data = drawn::random_instance(6, 8, 10, seed);
    BOOST_TEST((solve(data, 2).p - data.p_mm).norm() <= 1e-9 * data.p_mm.norm());
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_the_solution_does_not_pass_as_one) {
  std::mt19937_64 engine(4);
  const drawn::Instance data = drawn::random_instance(4, 5, 6, 8);
  for (const double q : {1.75, 3.0}) {
    LqSvmSolution found = solve(data, q);
    BOOST_TEST(found.solved());
    const auto passes = [&](const VectorXd& p, const VectorXd& multipliers, double exponent) {
      LqSvmSolution forged{p, multipliers, residual(data, exponent, p, multipliers)};
      return forged.solved();
    };
    BOOST_TEST(passes(found.p, found.multipliers, q));
    BOOST_TEST(passes(found.p, 7 * found.multipliers, q));  // the scale of lambda is that of p
    BOOST_TEST(!passes(found.p, found.multipliers, q + 0.01));
    BOOST_TEST(!passes(0.999 * found.p, found.multipliers, q));
    BOOST_TEST(!passes(1.001 * found.p, found.multipliers, q));
    BOOST_TEST(!passes(found.p + 1e-6 * random_vector(engine, 6), found.multipliers, q));
    VectorXd tilted = found.multipliers;
    tilted(0) += 1e-6;
    BOOST_TEST(!passes(found.p, tilted, q));
    VectorXd negative = found.multipliers;
    negative.array() -= 1e-6;
    BOOST_TEST(!passes(found.p, negative, q));
    VectorXd nan = found.p;
    nan(0) = std::nan("");
    BOOST_TEST(!passes(nan, found.multipliers, q));
    // A feasible point that is not the shortest is off by its gap.
    BOOST_TEST(residual(data, q, data.p_mm, found.multipliers).gap > 1e-4);
    BOOST_TEST(residual(data, q, -found.p, found.multipliers).gap > 1);
  }
}

BOOST_AUTO_TEST_CASE(entries_that_no_row_sees_are_0) {
  Problem problem = drawn::made_of({ExactMatrix::from_doubles(3, 3, {-0.1, 1, 1, 1, 0, 0.9, 0, 0, 0.9})}, {1}, {0, 0, 1});
  problem.W = ExactMatrix::from_doubles(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 0});
  const drawn::Instance data{problem, {0}, *drawn::p_mm(problem, {0}), {}};
  for (const double q : exponents) {
    const LqSvmSolution found = solve(data, q);
    BOOST_TEST(found.solved());
    BOOST_TEST(found.p(2) == 0.0);
    // The row (-0.1, 1) alone is tight: p is (grad psi)^-1 of it.
    BOOST_TEST(direction_error(found.p, grad_psi(VectorXd{{-0.1, 1.0, 0.0}}, q / (q - 1))) <= 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(newton_on_the_dual_and_ipopt_find_the_same_point_and_another_q_another) {
  for (const double q : {1.75, 2.0, 3.0}) {
    const drawn::Instance data = drawn::random_instance(6, 8, 10, 1);
    const VectorXd p = solve(data, q).p;
    BOOST_TEST((p - solve_by_ipopt(data, q).p).norm() <= 1e-6 * p.norm());
    BOOST_TEST((p - solve_by_ipopt(data, q + 1).p).norm() > 1e-3 * p.norm());
  }
}

BOOST_AUTO_TEST_CASE(tight_rows_are_those_of_the_exact_solution_for_q_2) {
  for (unsigned seed = 10; seed < 100; seed += 10) {
    const drawn::Instance data = drawn::random_instance(3, 5, 6, seed);
    const ExactTokens tokens(data.problem);
    const SvmProgram program = SvmProgram::p_svm(tokens, data.selection);
    const SvmOutcome outcome = decide_svm(program, guess_active_set(program, Budget(60)).rows, Budget(60));
    const TightRows tight = tight_rows(program, solve(data, 2));
    BOOST_TEST(tight.certain == std::get<SvmSolution>(outcome).support);
    BOOST_TEST(tight.possible == tight.certain);
  }
}

BOOST_AUTO_TEST_CASE(normalised_steps_move_p_by_the_step_and_its_mirror_image_along_the_gradient) {
  std::mt19937_64 engine(5);
  for (const double q : exponents)
    for (const double norm : {0.0, 1e-3, 1.0, 1e3}) {
      const VectorXd p = norm * random_vector(engine, 5).normalized();
      const VectorXd down = random_vector(engine, 5);
      VectorXd next = p;
      MirrorMap(q).move_by(next, down, 0.1);
      BOOST_TEST_CONTEXT("q " << q << ", norm " << norm) {
        BOOST_TEST(std::abs((next - p).norm() - 0.1) <= 1e-9);
        BOOST_TEST(direction_error(grad_psi(next, q) - grad_psi(p, q), down) <= 1e-8 * (1 + norm));
      }
    }
}

BOOST_AUTO_TEST_CASE(constant_steps_move_the_mirror_image_by_the_gradient) {
  std::mt19937_64 engine(6);
  for (const double q : exponents)
    for (const double norm : {0.0, 0.1, 10.0}) {
      const VectorXd p = norm * random_vector(engine, 5).normalized();
      const LogVector gradient{random_vector(engine, 5), -1.5};
      VectorXd next = p;
      BOOST_TEST(MirrorMap(q).step_by(next, gradient, 0.3));
      const VectorXd expected = grad_psi(p, q) - 0.3 * std::exp(-1.5) * gradient.vector;
      BOOST_TEST((grad_psi(next, q) - expected).norm() <= 1e-13 * (1 + expected.norm()));
    }
}

BOOST_AUTO_TEST_CASE(a_constant_step_too_small_for_the_mirror_image_is_said_so) {
  VectorXd p{{1.0, -2.0}};
  BOOST_TEST(!MirrorMap(3).step_by(p, {VectorXd{{1.0, 1.0}}, -100.0}, 1));
  BOOST_TEST(p == (VectorXd{{1.0, -2.0}}));
}

BOOST_AUTO_TEST_CASE(nothing_overflows_where_the_mirror_image_would) {
  VectorXd p{{1e5, -1e5, 0.0}};
  BOOST_TEST(std::isinf(grad_psi(p, 100)(0)));
  const VectorXd before = p;
  MirrorMap(100).move_by(p, VectorXd{{1.0, 1.0, 0.0}}, 0.1);
  BOOST_TEST(std::abs((p - before).norm() - 0.1) <= 1e-9);
  BOOST_TEST(p(0) > before(0));
  BOOST_TEST(!MirrorMap(100).step_by(p, {VectorXd{{1.0, 1.0, 0.0}}, 0.0}, 1));
}

BOOST_AUTO_TEST_CASE(mirror_descent_with_q_2_is_gradient_descent) {
  const drawn::Instance data = drawn::random_instance(3, 7, 3, 14);
  DescentKernel kernel(data.problem, exact_scores(data.problem));
  for (const VectorXd& start : {VectorXd(VectorXd::Zero(3)), data.p_mm}) {
    MirrorMap map(2);
    LogVector gradient;
    VectorXd normalised = start;
    VectorXd constant = start;
    for (int k = 0; k < 500; ++k) {
      kernel.gradient(normalised, gradient);
      map.move_by(normalised, -gradient.vector, 0.1);
      kernel.gradient(constant, gradient);
      map.step_by(constant, gradient, 0.1);
    }
    BOOST_TEST((normalised - descend(kernel, start, {DescentMethod::normalised, 0.1, 500}, Budget(60)).last().p).norm() <= 1e-11);
    BOOST_TEST((constant - descend(kernel, start, {DescentMethod::constant, 0.1, 500}, Budget(60)).last().p).norm() <= 1e-12);
    const VectorXd near = descend(kernel, start, {DescentMethod::normalised, 0.1, 500, 2 + 1e-9}, Budget(60)).last().p;
    BOOST_TEST((normalised - near).norm() <= 1e-5);
    const VectorXd other = descend(kernel, start, {DescentMethod::normalised, 0.1, 500, 3}, Budget(60)).last().p;
    BOOST_TEST((normalised - other).norm() > 1e-2);
  }
}

BOOST_AUTO_TEST_CASE(flow_of_another_mirror_map_is_refused) {
  const drawn::Instance data = drawn::random_instance(3, 7, 3, 14);
  DescentKernel kernel(data.problem, exact_scores(data.problem));
  BOOST_CHECK_THROW(descend(kernel, data.p_mm, {DescentMethod::flow, 0.1, 5, 3}, Budget(60)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(mirror_descent_ends_at_its_own_direction_and_at_no_other) {
  // Fewer rows than dimensions: the directions differ. With as many tight rows as dimensions they are all the same.
  for (const unsigned seed : {100U, 300U}) {
    const drawn::Instance data = drawn::random_instance(3, 3, 10, seed);
    DescentKernel kernel(data.problem, exact_scores(data.problem));
    for (const double q : {1.5, 1.75, 3.0, 4.0}) {
      const VectorXd own = solve(data, q).p;
      const DescentRun run = descend(kernel, 100 * own, {DescentMethod::normalised, 0.1, 100'000, q}, Budget(60));
      BOOST_TEST_CONTEXT("seed " << seed << ", q " << q) {
        BOOST_TEST((run.end == DescentRun::End::finished));
        BOOST_TEST(direction_error(run.last().p, own) <= 3e-3);
        for (const double other : exponents)
          if (std::abs(other - q) >= 0.25) BOOST_TEST(direction_error(run.last().p, solve(data, other).p) > 1e-2);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_offset_of_the_mirror_image_fades_like_norm_to_the_1_minus_q) {
  // One row: grad psi(p) = start + c a.
  const Problem problem = drawn::made_of({ExactMatrix::from_doubles(2, 2, {1, 0.5, 0, 0})}, {1}, {1, 1});
  DescentKernel kernel(problem, exact_scores(problem));
  for (const double q : {1.5, 1.75, 3.0}) {
    const VectorXd limit = grad_psi(VectorXd{{1.0, 0.5}}, q / (q - 1));
    const DescentRun run = descend(kernel, VectorXd{{-1.0, 3.0}}, {DescentMethod::normalised, 0.1, 100'000, q}, Budget(60));
    std::vector<LogPoint> points;
    for (const TracePoint& point : run.trace)
      if (point.norm > 100) points.push_back({std::log(point.norm), std::log(direction_error(point.p, limit))});
    BOOST_TEST(std::abs(fit_slope(points).value() - (1 - q)) <= 0.05, "q " << q);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
