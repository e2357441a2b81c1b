#include "attest/graph/erm_graph.hpp"
#include "attest/solve/closed_form.hpp"
#include "attest/solve/step_size.hpp"
#include "naive_eigen.hpp"

#include <Eigen/Eigenvalues>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace attest {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using naive::random_vector;
using naive::to_eigen;
using naive::to_naive;

struct NamedLoss {
  Loss loss;
  naive::LossFunction second_opinion;
  double m0;  // on all of R; unused (0) where there is no bound
  double m1;
};

std::vector<NamedLoss> losses() {
  return {{Loss::logistic(), naive::logistic, 0.25, 1.0},
          {Loss::exponential(), naive::exponential, 0, 0},
          {Loss::correlation(), naive::correlation, 0.0, 1.0},
          {Loss::written(std::get<Expression>(parse_expression("1 - tanh(u/2)"))), naive::one_minus_tanh, 0.2, 0.5}};
}

double symmetric_norm(const MatrixXd& matrix) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues().cwiseAbs().maxCoeff();
}

BOOST_AUTO_TEST_SUITE(closed_form)

/// In units of the scale that the closed form itself states.
template <class Left, class Right>
double error_of(const Left& found, const Right& expected, double scale) {
  const double error = (found - expected).norm();
  return error == 0 ? 0 : error / scale;
}

BOOST_AUTO_TEST_CASE(the_closed_form_is_that_of_the_naive_formulas) {
  naive::Draw draw(1);
  const std::size_t d = 4;
  for (const NamedLoss& named : losses())
    for (const bool with_W : {false, true})
      for (const double norm : {0.0, 1.0, 10.0, 1000.0, 1e300}) {
        const Problem problem = draw.problem({3, 1, 5, 3}, d, named.loss, with_W);
        const NumericProblem numeric(problem);
        const VectorXd v = random_vector(draw, d);
        const VectorXd p = random_vector(draw, d, norm);
        const auto expected = naive::erm(problem, named.second_opinion, to_naive(v), to_naive(p));
        const std::string where = named.loss.expression().text() + " at norm " + std::to_string(norm);
        const double value = static_cast<double>(expected.value);
        BOOST_TEST(std::abs(erm_value(numeric, v, p) - value) <= 1e-13 * std::max(1.0, std::abs(value)), where);
        const VectorXd gradient = to_eigen(expected.gradient);
        const MatrixXd hessian = to_eigen(expected.hessian);
        const ScaledVector in_p = erm_gradient_p(numeric, v, p);
        const ScaledVector joint = erm_gradient_joint(numeric, v, p);
        const ScaledMatrix hessian_p = erm_hessian_p(numeric, v, p);
        const ScaledMatrix hessian_joint = erm_hessian_joint(numeric, v, p);
        BOOST_TEST(error_of(in_p.value, gradient.tail(d), in_p.scale) <= 1e-13, where);
        BOOST_TEST(error_of(joint.value, gradient, joint.scale) <= 1e-13, where);
        BOOST_TEST(error_of(hessian_p.value, hessian.bottomRightCorner(d, d), hessian_p.scale) <= 1e-13, where);
        BOOST_TEST(error_of(hessian_joint.value, hessian, hessian_joint.scale) <= 1e-13, where);
      }
}

BOOST_AUTO_TEST_CASE(the_closed_form_is_that_of_the_graph) {
  naive::Draw draw(2);
  const std::size_t d = 3;
  for (const NamedLoss& named : losses()) {
    const NumericProblem problem(draw.problem({2, 4, 2}, d, named.loss, true));
    const ErmGraph graph(problem);
    for (const double norm : {0.0, 2.0, 20.0}) {
      const VectorXd v = random_vector(draw, d);
      const VectorXd p = random_vector(draw, d, norm);
      const ScaledVector gradient = erm_gradient_joint(problem, v, p);
      const ScaledMatrix hessian = erm_hessian_joint(problem, v, p);
      BOOST_TEST(error_of(graph.gradient_joint(v, p), gradient.value, gradient.scale) <= 1e-13);
      BOOST_TEST(error_of(graph.hessian_joint(v, p), hessian.value, hessian.scale) <= 1e-13);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_derivative_that_is_off_by_1e_minus_10_is_detected) {
  naive::Draw draw(3);
  const NumericProblem problem(draw.problem({2, 4, 2}, 3, Loss::logistic(), true));
  const ErmGraph graph(problem);
  const VectorXd v = random_vector(draw, 3);
  const VectorXd p = random_vector(draw, 3);
  ScaledVector gradient = erm_gradient_joint(problem, v, p);
  ScaledMatrix hessian = erm_hessian_joint(problem, v, p);
  gradient.value(1) += 1e-10 * gradient.scale;
  hessian.value(0, 4) -= 1e-10 * hessian.scale;
  BOOST_TEST(error_of(graph.gradient_joint(v, p), gradient.value, gradient.scale) > 1e-13);
  BOOST_TEST(error_of(graph.hessian_joint(v, p), hessian.value, hessian.scale) > 1e-13);
}

BOOST_AUTO_TEST_CASE(the_stated_scale_is_that_of_the_terms_and_no_licence) {
  naive::Draw draw(4);
  for (int k = 0; k < 50; ++k) {
    const Problem problem = draw.problem({3, 4}, 3, Loss::correlation(), false);
    const NumericProblem numeric(problem);
    const VectorXd v = random_vector(draw, 3);
    const VectorXd p = random_vector(draw, 3);
    double largest_token = 0;
    for (const SampleColumns& tokens : numeric.tokens) largest_token = std::max(largest_token, tokens.colwise().norm().maxCoeff());
    const double terms = v.norm() * largest_token * largest_token;  // |l'| = 1
    BOOST_TEST(erm_gradient_p(numeric, v, p).scale <= 2 * terms);
    BOOST_TEST(erm_hessian_p(numeric, v, p).scale <= 6 * terms * largest_token);
  }
}

BOOST_AUTO_TEST_CASE(the_joint_hessian_is_symmetric_and_holds_that_in_p) {
  naive::Draw draw(5);
  const NumericProblem problem(draw.problem({3, 2, 5}, 4, Loss::exponential(), true));
  const VectorXd v = random_vector(draw, 4);
  const VectorXd p = random_vector(draw, 4);
  const MatrixXd joint = erm_hessian_joint(problem, v, p).value;
  BOOST_TEST((joint - joint.transpose()).norm() <= 1e-14 * joint.norm());
  BOOST_TEST((joint.bottomRightCorner(4, 4) - erm_hessian_p(problem, v, p).value).norm() == 0.0);
  BOOST_TEST(joint.topRightCorner(4, 4).norm() > 1e-3);
}

BOOST_AUTO_TEST_CASE(the_closed_form_of_a_loss_without_a_derivative_is_nan) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 1, {1, -1})};
  problem.labels = {1};
  problem.loss = Loss::written(std::get<Expression>(parse_expression("sqrt(u^2) - u")));
  const NumericProblem numeric(problem);
  const VectorXd v = VectorXd::Ones(1);
  BOOST_TEST(erm_gradient_p(numeric, v, VectorXd::Zero(1)).value.hasNaN());
  BOOST_TEST(!erm_gradient_p(numeric, v, VectorXd::Ones(1)).value.hasNaN());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(step_size)

/// The largest Hessian norm at points p of many lengths, over L_p.
double worst_ratio(const Problem& problem, double lipschitz, naive::Draw& draw) {
  const NumericProblem numeric(problem);
  const VectorXd v = image_vector(*problem.v);
  double worst = 0;
  for (int k = 0; k < 100; ++k) {
    const VectorXd p = random_vector(draw, problem.dimension(), k / 25.0);
    worst = std::max(worst, symmetric_norm(erm_hessian_p(numeric, v, p).value) / lipschitz);
  }
  return worst;
}

BOOST_AUTO_TEST_CASE(the_constant_is_that_of_the_formula) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 2, {3, 0, 0, -2}), ExactMatrix::from_doubles(1, 2, {0, 1})};
  problem.labels = {1, -1};
  problem.v = ExactMatrix::from_doubles(1, 2, {3, 4});
  problem.W = ExactMatrix::from_doubles(2, 2, {0, 2, 1, 0});
  // |v| = 5, |W| = 2, |X_1| = 3, |X_2| = 1.
  const double m0 = 0.5;
  const double m1 = 0.25;
  const double expected = ((m0 * 25 * 4 * 81 + 3 * m1 * 5 * 4 * 27) + (m0 * 25 * 4 + 3 * m1 * 5 * 4)) / 2;
  BOOST_TEST(lipschitz_constant(problem, m0, m1) >= expected);
  BOOST_TEST(lipschitz_constant(problem, m0, m1) <= expected * (1 + 1e-9));
  problem.W.reset();
  BOOST_TEST(lipschitz_constant(problem, m0, m1) <= expected / 4 * (1 + 1e-9));
}

BOOST_AUTO_TEST_CASE(there_is_no_constant_without_a_head) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(1, 1, {1})};
  problem.labels = {1};
  BOOST_CHECK_THROW(lipschitz_constant(problem, 1, 1), std::logic_error);
}

BOOST_AUTO_TEST_CASE(the_constant_bounds_sampled_hessians_of_random_problems) {
  naive::Draw draw(6);
  for (const NamedLoss& named : losses()) {
    if (named.m1 == 0) continue;
    for (int k = 0; k < 20; ++k) {
      const Problem problem = draw.problem({2, 3, 4}, 3, named.loss, k % 2 == 0);
      BOOST_TEST(worst_ratio(problem, lipschitz_constant(problem, named.m0, named.m1), draw) <= 1.0);
    }
  }
}

/// Two tokens 1 and -1 with v = 1 and the correlation loss: L(p) = -tanh(p), whose second derivative reaches 0.7698.
Problem two_tokens() {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 1, {1, -1})};
  problem.labels = {1};
  problem.v = ExactMatrix::from_doubles(1, 1, {1});
  problem.loss = Loss::correlation();
  return problem;
}

BOOST_AUTO_TEST_CASE(a_constant_that_forgets_the_norms_is_exceeded) {
  naive::Draw draw(7);
  const double lipschitz = lipschitz_constant(two_tokens(), 0, 1);  // 3 sqrt(8)
  BOOST_TEST(worst_ratio(two_tokens(), lipschitz, draw) <= 1.0);
  BOOST_TEST(worst_ratio(two_tokens(), lipschitz / 12, draw) > 1.0);
}

BOOST_AUTO_TEST_CASE(gradients_differ_by_at_most_the_constant_times_the_distance) {
  naive::Draw draw(8);
  for (int k = 0; k < 200; ++k) {
    const Problem problem = draw.problem({3, 3}, 3, Loss::logistic(), true);
    const NumericProblem numeric(problem);
    const VectorXd v = image_vector(*problem.v);
    const VectorXd p = random_vector(draw, 3);
    const VectorXd q = random_vector(draw, 3);
    const double difference = (erm_gradient_p(numeric, v, p).value - erm_gradient_p(numeric, v, q).value).norm();
    BOOST_TEST(difference <= lipschitz_constant(problem, 0.25, 1.0) * (p - q).norm());
  }
}

/// Whether a thousand steps of descent never increase the loss.
bool descends(const Problem& problem, double step, VectorXd p) {
  const NumericProblem numeric(problem);
  const VectorXd v = image_vector(*problem.v);
  double value = erm_value(numeric, v, p);
  for (int k = 0; k < 1000; ++k) {
    p -= step * erm_gradient_p(numeric, v, p).value;
    const double next = erm_value(numeric, v, p);
    if (!(next <= value + 1e-15)) return false;
    value = next;
  }
  return true;
}

BOOST_AUTO_TEST_CASE(descent_with_the_step_never_increases_the_loss) {
  naive::Draw draw(9);
  for (int k = 0; k < 10; ++k) {
    const Problem problem = draw.problem({3, 4}, 3, Loss::logistic(), k % 2 == 0);
    BOOST_TEST(descends(problem, 1 / lipschitz_constant(problem, 0.25, 1.0), random_vector(draw, 3)));
  }
}

BOOST_AUTO_TEST_CASE(descent_with_a_step_far_beyond_it_increases_the_loss) {
  naive::Draw draw(10);
  int increased = 0;
  for (int k = 0; k < 10; ++k) {
    const Problem problem = draw.problem({3, 4, 3}, 3, Loss::logistic(), true);
    increased += descends(problem, 1e4 / lipschitz_constant(problem, 0.25, 1.0), random_vector(draw, 3)) ? 0 : 1;
  }
  BOOST_TEST(increased > 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
