#include "attest/base/tolerance.hpp"
#include "attest/graph/weight_graph.hpp"
#include "attest/solve/closed_form.hpp"
#include "attest/solve/descent.hpp"
#include "attest/solve/factored_descent.hpp"
#include "attest/solve/factored_path.hpp"
#include "attest/solve/nuclear_guess.hpp"
#include "attest/solve/path.hpp"
#include "attest/solve/step_size.hpp"
#include "drawn_data.hpp"
#include "reference_descent.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numbers>

namespace attest {
namespace {

using drawn::WeightInstance;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd drawn_matrix(std::mt19937_64& engine, Index d) {
  std::normal_distribution<double> normal;
  VectorXd matrix(d * d);
  for (double& entry : matrix) entry = normal(engine);
  return matrix.normalized();
}

MatrixXd matrix_of(const VectorXd& by_rows) {
  const auto d = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(by_rows.size()))));
  return by_rows.reshaped(d, d).transpose();
}

VectorXd by_rows(const MatrixXd& matrix) {
  const MatrixXd transposed = matrix.transpose();
  return transposed.reshaped();
}

double nuclear_norm(const VectorXd& W) { return Eigen::JacobiSVD<MatrixXd>(matrix_of(W)).singularValues().sum(); }

DescentKernel weight_kernel(const Problem& problem, unsigned threads = 1) {
  return {problem, exact_scores(problem), threads, Parametrisation::weights};
}

VectorXd kernel_gradient(const Problem& problem, const VectorXd& W) {
  DescentKernel kernel = weight_kernel(problem);
  LogVector gradient;
  kernel.gradient(W, gradient);
  return std::exp(gradient.log_scale) * gradient.vector;
}

/// CasADi's gradient of softmax(X_i W z_i).
VectorXd graph_gradient(const Problem& problem, const VectorXd& W) {
  Problem without = problem;
  without.W.reset();  // keys are the tokens
  const WeightGraph graph(NumericProblem(without), image_vector(*problem.v), image_matrix(*problem.queries).transpose());
  return by_rows(graph.gradient(matrix_of(W)));
}

/// The solution of the nuclear W-SVM by rows.
VectorXd nuclear_solution(const Problem& problem, const Selection& selection) {
  const ExactTokens tokens(problem);
  const NuclearGuess guess = guess_nuclear(SvmProgram::w_svm(tokens, selection), Budget(60));
  BOOST_TEST_REQUIRE(guess.found);
  const auto d = static_cast<Index>(problem.dimension());
  const auto m = static_cast<Index>(guess.columns);
  const MatrixXd A = Eigen::Map<const MatrixXd>(guess.A.data(), m, d);  // transposed
  const MatrixXd B = Eigen::Map<const MatrixXd>(guess.B.data(), m, d);
  return by_rows(A.transpose() * B);
}

double least_row(const NumericProblem& problem, const Selection& selection, const VectorXd& W) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < selection.size(); ++i)
    for (Index t = 0; t < problem.keys[i].cols(); ++t)
      if (t != static_cast<Index>(selection[i]))
        least = std::min(least, (problem.keys[i].col(static_cast<Index>(selection[i])) - problem.keys[i].col(t)).dot(W));
  return least;
}

/// Two samples on axes of their own: the first token of each is +e_i, the second -e_i, its query e_i. W^mm is I/2.
Problem two_axes() {
  Problem problem =
      drawn::made_of({ExactMatrix::from_doubles(2, 2, {1, 0, -1, 0}), ExactMatrix::from_doubles(2, 2, {0, 1, 0, -1})}, {1, 1}, {1, 1});
  problem.queries = ExactMatrix::from_doubles(2, 2, {1, 0, 0, 1});
  return problem;
}

BOOST_AUTO_TEST_SUITE(weights)

BOOST_AUTO_TEST_CASE(kernel_closed_form_and_graph_have_one_gradient_in_the_weights) {
  std::mt19937_64 engine(3);
  for (const Loss& loss : {Loss::logistic(), Loss::exponential(), Loss::correlation()})
    for (const double norm : {0.0, 0.1, 1.0, 5.0}) {
      const WeightInstance data = drawn::random_weight_instance(4, 5, 3, 1, loss);
      const VectorXd W = norm * drawn_matrix(engine, 3);
      const VectorXd expected = graph_gradient(data.problem, W);
      BOOST_TEST((kernel_gradient(data.problem, W) - expected).norm() <= 1e-12 * expected.norm());
      BOOST_TEST((erm_gradient_p(data.numeric(), data.v, W).value - expected).norm() <= 1e-12 * expected.norm());
    }
}

BOOST_AUTO_TEST_CASE(differences_of_the_loss_are_the_gradient_in_the_weights) {
  std::mt19937_64 engine(4);
  const WeightInstance data = drawn::random_weight_instance(4, 5, 3, 2);
  const VectorXd W = 2 * drawn_matrix(engine, 3);
  const VectorXd gradient = kernel_gradient(data.problem, W);
  for (Index k = 0; k < W.size(); ++k) {
    const VectorXd step = 1e-5 * VectorXd::Unit(W.size(), k);
    const double measured = (erm_value(data.numeric(), data.v, W + step) - erm_value(data.numeric(), data.v, W - step)) / 2e-5;
    BOOST_TEST(std::abs(measured - gradient[k]) <= 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(another_query_has_another_gradient_and_another_W_of_the_problem_has_not) {
  std::mt19937_64 engine(5);
  WeightInstance data = drawn::random_weight_instance(3, 4, 3, 3);
  const VectorXd W = drawn_matrix(engine, 3);
  const VectorXd before = kernel_gradient(data.problem, W);
  data.problem.W.reset();
  BOOST_TEST((kernel_gradient(data.problem, W) == before));
  data.problem.queries = ExactMatrix::from_doubles(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  BOOST_TEST((kernel_gradient(data.problem, W) - before).norm() > 1e-3 * before.norm());
}

BOOST_AUTO_TEST_CASE(the_kernel_of_the_weights_agrees_with_60_digits_at_any_norm) {
  std::mt19937_64 engine(6);
  const WeightInstance data = drawn::random_weight_instance(6, 8, 10, 4);
  DescentKernel kernel = weight_kernel(data.problem);
  for (const double norm : {0.0, 10.0, 1e3, 1e5})
    for (const VectorXd& direction : {drawn_matrix(engine, 10), VectorXd(data.W_mm.normalized())}) {
      const VectorXd W = norm * direction;
      LogVector found;
      kernel.gradient(W, found);
      const reference::Vector expected =
          reference::Descent(data.problem, reference::logistic, Parametrisation::weights).gradient(reference::to_reference(W));
      BOOST_TEST((found.vector.normalized() - reference::direction_of(expected)).norm() <= 1e-14 * (10 + norm));
      BOOST_TEST(std::abs(found.log_scale + std::log(found.vector.norm()) - reference::log_norm(expected)) <= 1e-14 * (10 + norm));
    }
}

BOOST_AUTO_TEST_CASE(threads_change_the_gradient_in_the_weights_by_rounding_only) {
  std::mt19937_64 engine(7);
  const WeightInstance data = drawn::random_weight_instance(9, 4, 5, 5);
  const VectorXd W = 3 * drawn_matrix(engine, 5);
  DescentKernel many = weight_kernel(data.problem, 3);
  LogVector found;
  many.gradient(W, found);
  const VectorXd alone = kernel_gradient(data.problem, W);
  BOOST_TEST((std::exp(found.log_scale) * found.vector - alone).norm() <= 1e-14 * alone.norm());
}

// [MM, the lemma on W and p] in the notation of [TS]: one unit query u for all samples, W = p u^T.
BOOST_AUTO_TEST_CASE(with_one_query_descent_on_the_weights_is_descent_on_the_prompt) {
  std::mt19937_64 engine(8);
  WeightInstance data = drawn::random_weight_instance(3, 4, 3, 6);
  data.problem.W.reset();
  const VectorXd u = VectorXd{{2.0 / 3, -1.0 / 3, 2.0 / 3}};
  data.problem.queries = ExactMatrix::from_doubles(3, 3, {u[0], u[1], u[2], u[0], u[1], u[2], u[0], u[1], u[2]});
  const VectorXd p = drawn_matrix(engine, 3).head(3);
  DescentKernel prompts(data.problem, exact_scores(data.problem), 1);
  DescentKernel matrices = weight_kernel(data.problem);
  for (const DescentMethod method : {DescentMethod::normalised, DescentMethod::constant, DescentMethod::flow}) {
    const DescentPlan plan{method, 0.1, 300};
    const VectorXd end = descend(prompts, p, plan, Budget(60)).last().p;
    const VectorXd W = descend(matrices, by_rows(p * u.transpose()), plan, Budget(60)).last().p;
    BOOST_TEST((matrix_of(W) - end * u.transpose()).norm() <= (method == DescentMethod::flow ? 1e-6 : 1e-10) * end.norm());
  }
}

BOOST_AUTO_TEST_CASE(the_step_size_constant_of_the_weights_bounds_their_hessian_and_grows_with_the_queries) {
  std::mt19937_64 engine(9);
  WeightInstance data = drawn::random_weight_instance(3, 4, 3, 7);
  const double constant = lipschitz_constant(data.problem, 0.25, 1, Parametrisation::weights);  // of the logistic loss
  for (int k = 0; k < 40; ++k) {
    const MatrixXd hessian = erm_hessian_p(data.numeric(), data.v, 0.2 * k * drawn_matrix(engine, 3)).value;
    BOOST_TEST(Eigen::SelfAdjointEigenSolver<MatrixXd>(hessian).eigenvalues().cwiseAbs().maxCoeff() <= constant);
  }
  const MatrixXd doubled = 2 * image_matrix(*data.problem.queries).transpose();
  data.problem.queries = ExactMatrix::from_doubles(3, 3, std::vector<double>(doubled.data(), doubled.data() + doubled.size()));
  BOOST_TEST(std::abs(lipschitz_constant(data.problem, 0.25, 1, Parametrisation::weights) / constant - 4) <= 1e-12);
}

BOOST_AUTO_TEST_CASE(descent_on_the_weights_reaches_W_mm_like_one_over_the_norm) {
  const WeightInstance data = drawn::random_weight_instance(4, 4, 5, 8);
  DescentKernel kernel = weight_kernel(data.problem);
  const DescentRun run = descend(kernel, 100 * data.W_mm, {DescentMethod::normalised, 0.1, 100'000}, Budget(60));
  BOOST_TEST((run.last().selection == data.selection));
  BOOST_TEST(direction_error(run.last().p, data.W_mm) <= 50 / run.last().norm);
}

BOOST_AUTO_TEST_CASE(the_path_of_the_weights_is_verified_and_reaches_W_mm_like_one_over_R) {
  for (const unsigned seed : {11U, 12U}) {
    const WeightInstance data = drawn::random_weight_instance(3, 4, 5, seed);  // 9 rows, 25 numbers
    const Path path = follow_path(data.numeric(), data.v, data.selection, data.W_mm, {}, Budget(60));
    BOOST_TEST(path.verified());
    BOOST_TEST(direction_error(path.points.back().p, data.W_mm) <= 1e-4);
    const std::optional<double> rate = direction_rate(path, data.W_mm, 0x1p16);
    BOOST_TEST_REQUIRE(rate.has_value());
    BOOST_TEST(std::abs(*rate + 1) <= path_rate_tolerance.exponent);
  }
}

BOOST_AUTO_TEST_CASE(a_point_beside_the_path_of_the_weights_is_refused) {
  std::mt19937_64 engine(10);
  const WeightInstance data = drawn::random_weight_instance(3, 4, 5, 11);
  PathSettings settings;
  settings.radii = {64};
  const Path path = follow_path(data.numeric(), data.v, data.selection, data.W_mm, settings, Budget(60));
  BOOST_TEST_REQUIRE(path.verified());
  const VectorXd& W = path.points.front().p;
  BOOST_TEST(check_path_point(data.numeric(), data.v, data.selection, W, 64).verified);
  const VectorXd beside = 63.9 * (W.normalized() + 1e-5 * drawn_matrix(engine, 5)).normalized();
  BOOST_TEST(!check_path_point(data.numeric(), data.v, data.selection, beside, 64).verified);
  BOOST_TEST(!check_path_point(data.numeric(), data.v, data.selection, 1.001 * W, 64).verified);
}

BOOST_AUTO_TEST_CASE(the_nuclear_path_is_verified_and_reaches_the_nuclear_solutions) {
  for (const unsigned seed : {21U, 22U, 23U}) {
    const WeightInstance data = drawn::random_weight_instance(3, 4, 5, seed);
    const VectorXd limit = nuclear_solution(data.problem, data.selection);
    PathSettings settings;
    settings.radii = doubling_radii(1, 0x1p14);
    const Path path = follow_factored_path(data.problem, data.selection, limit, settings, Budget(60));
    BOOST_TEST(path.verified());
    const VectorXd& W = path.points.back().p;
    const double ratio = nuclear_norm(W) / least_row(data.numeric(), data.selection, W) / nuclear_norm(limit);
    BOOST_TEST(ratio >= 1 - 1e-8);
    BOOST_TEST(ratio <= 1 + 0.01);
    // The Frobenius solution is another matrix, of larger nuclear norm.
    BOOST_TEST(nuclear_norm(data.W_mm) > 1.001 * nuclear_norm(limit));
  }
}

// Every 2 x 2 matrix of nuclear norm R is a rotation, diag(s, +-(R - s)) and a rotation.
BOOST_AUTO_TEST_CASE(no_matrix_of_a_grid_over_the_nuclear_ball_has_a_lower_loss) {
  for (const unsigned seed : {31U, 32U, 33U}) {
    const WeightInstance data = drawn::random_weight_instance(2, 3, 2, seed);
    PathSettings settings;
    settings.radii = {2, 8};
    const Path path =
        follow_factored_path(data.problem, data.selection, nuclear_solution(data.problem, data.selection), settings, Budget(60));
    BOOST_TEST(path.verified());
    for (const PathPoint& point : path.points) {
      double lowest = std::numeric_limits<double>::infinity();
      const auto rotation = [](double angle) { return MatrixXd{{std::cos(angle), -std::sin(angle)}, {std::sin(angle), std::cos(angle)}}; };
      for (int a = 0; a < 60; ++a)
        for (int b = 0; b < 60; ++b)
          for (int s = 0; s <= 10; ++s)
            for (const int sign : {-1, 1}) {
              const VectorXd diagonal = point.radius * VectorXd{{s / 10.0, sign * (1 - s / 10.0)}};
              const MatrixXd W = rotation(a * std::numbers::pi / 30) * diagonal.asDiagonal() * rotation(b * std::numbers::pi / 30);
              lowest = std::min(lowest, erm_value(data.numeric(), data.v, by_rows(W)));
            }
      const double found = erm_value(data.numeric(), data.v, point.p);
      BOOST_TEST(found <= lowest * (1 + 1e-12));
      BOOST_TEST(found >= 0.9 * lowest);  // the grid comes near
    }
  }
}

BOOST_AUTO_TEST_CASE(a_matrix_off_the_nuclear_path_is_refused) {
  const WeightInstance data = drawn::random_weight_instance(3, 4, 5, 21);
  const VectorXd limit = nuclear_solution(data.problem, data.selection);
  PathSettings settings;
  settings.radii = {32};
  const Path path = follow_factored_path(data.problem, data.selection, limit, settings, Budget(60));
  BOOST_TEST_REQUIRE(path.verified());
  const VectorXd& W = path.points.front().p;
  BOOST_TEST(check_factored_point(data.numeric(), data.v, data.selection, W, 32).verified);
  BOOST_TEST(!check_factored_point(data.numeric(), data.v, data.selection, 1.001 * W, 32).verified);
  BOOST_TEST(!check_factored_point(data.numeric(), data.v, data.selection, 0.99 * W, 32).verified);  // inside, and not stationary
  const VectorXd frobenius = 32 / nuclear_norm(data.W_mm) * data.W_mm;
  BOOST_TEST(!check_factored_point(data.numeric(), data.v, data.selection, frobenius, 32).verified);
  BOOST_TEST(!check_factored_point(data.numeric(), data.v, data.selection, W, 32, {1.01 * W}).verified);  // a lower loss
}

BOOST_AUTO_TEST_CASE(a_saddle_in_K_and_Q_is_refused_by_the_nuclear_ball) {
  const Problem problem = two_axes();
  const NumericProblem numeric(problem, Parametrisation::weights);
  const VectorXd v = image_vector(*problem.v);
  const VectorXd rank_one = VectorXd{{8, 0, 0, 0}};  // the gradient in (K, Q) is parallel to (K, Q)
  BOOST_TEST(check_factored_point(numeric, v, {0, 0}, rank_one, 8).stationarity > 0.5);
  const VectorXd both = VectorXd{{4, 0, 0, 4}};
  BOOST_TEST(check_factored_point(numeric, v, {0, 0}, both, 8).verified);
}

BOOST_AUTO_TEST_CASE(descent_on_K_and_Q_heads_for_the_nuclear_solution_and_not_for_the_frobenius_one) {
  std::mt19937_64 engine(11);
  const WeightInstance data = drawn::random_weight_instance(3, 4, 5, 22);
  const VectorXd limit = nuclear_solution(data.problem, data.selection);
  DescentKernel kernel = weight_kernel(data.problem);
  const std::vector<FactoredTracePoint> trace = descend_factored(kernel, limit + 0.1 * drawn_matrix(engine, 5), 0.1, 3000, Budget(60));
  BOOST_TEST(trace.back().iteration == 3000);
  BOOST_TEST(trace.back().W.norm() > 10 * trace.front().W.norm());
  BOOST_TEST(direction_error(trace.back().W, limit) < 0.5 * direction_error(data.W_mm, limit));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
