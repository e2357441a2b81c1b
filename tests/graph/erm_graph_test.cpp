#include "attest/graph/erm_graph.hpp"

#include "naive_eigen.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace attest {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using naive::random_vector;
using naive::Real;
using naive::to_eigen;
using naive::to_naive;

struct NamedLoss {
  std::string text;
  naive::LossFunction second_opinion;

  Loss loss() const {
    if (text == "logistic") return Loss::logistic();
    if (text == "exponential") return Loss::exponential();
    if (text == "correlation") return Loss::correlation();
    return Loss::written(std::get<Expression>(parse_expression(text)));
  }
};

std::vector<NamedLoss> losses() {
  return {{"logistic", naive::logistic},
          {"exponential", naive::exponential},
          {"correlation", naive::correlation},
          {"log(1+exp(-u))", naive::logistic},
          {"1 - tanh(u/2)", naive::one_minus_tanh},
          {"(1-u)^3 + 2*u^2",
           [](Real u) {
             return naive::Jet{(1 - u) * (1 - u) * (1 - u) + 2 * u * u, -3 * (1 - u) * (1 - u) + 4 * u, 6 * (1 - u) + 4};
           }},
          {"1/(20+u)^2 - sqrt(30-u)", [](Real u) {
             return naive::Jet{1 / ((20 + u) * (20 + u)) - std::sqrt(30 - u), -2 / std::pow(20 + u, 3.0L) + 1 / (2 * std::sqrt(30 - u)),
                               6 / std::pow(20 + u, 4.0L) + 1 / (4 * std::pow(30 - u, 1.5L))};
           }}};
}

/// Relative to the derivative, or to 1 where it is small: the terms of these problems are of size 1 and more.
template <class Left, class Right>
double error_of(const Left& found, const Right& expected) {
  return (found - expected).norm() / std::max(1.0, expected.norm());
}

struct DifferenceErrors {
  double gradient;
  double hessian;
};

/// Central differences of the graph's value against a gradient, and of its gradient against a Hessian, in (v, p).
DifferenceErrors difference_errors(const ErmGraph& graph, const VectorXd& v, const VectorXd& p, const VectorXd& gradient,
                                   const MatrixXd& hessian) {
  constexpr double step = 1e-5;
  const Eigen::Index d = v.size();
  VectorXd slopes(2 * d);
  MatrixXd curvatures(2 * d, 2 * d);
  for (Eigen::Index k = 0; k < 2 * d; ++k) {
    VectorXd x(2 * d);
    x << v, p;
    x(k) += step;
    const double ahead = graph.value(x.head(d), x.tail(d));
    const VectorXd gradient_ahead = graph.gradient_joint(x.head(d), x.tail(d));
    x(k) -= 2 * step;
    slopes(k) = (ahead - graph.value(x.head(d), x.tail(d))) / (2 * step);
    curvatures.col(k) = (gradient_ahead - graph.gradient_joint(x.head(d), x.tail(d))) / (2 * step);
  }
  return {error_of(slopes, gradient), error_of(curvatures, hessian)};
}

constexpr double difference_allowed = 1e-7;

BOOST_AUTO_TEST_SUITE(erm_graph)

BOOST_AUTO_TEST_CASE(value_gradients_and_hessians_are_those_of_the_naive_formulas) {
  naive::Draw draw(1);
  for (const NamedLoss& named : losses())
    for (const bool with_W : {false, true}) {
      const std::size_t d = 3;
      const Problem problem = draw.problem({4, 2, 4, 1, 2}, d, named.loss(), with_W);
      const ErmGraph graph{NumericProblem(problem)};
      for (const double norm : {0.0, 0.5, 3.0}) {
        const VectorXd v = random_vector(draw, d);
        const VectorXd p = random_vector(draw, d, norm);
        const auto expected = naive::erm(problem, named.second_opinion, to_naive(v), to_naive(p));
        const MatrixXd hessian = to_eigen(expected.hessian);
        BOOST_TEST(std::abs(graph.value(v, p) - static_cast<double>(expected.value)) <=
                       1e-13 * std::max(1.0, std::abs(static_cast<double>(expected.value))),
                   named.text);
        BOOST_TEST(error_of(graph.gradient_joint(v, p), to_eigen(expected.gradient)) <= 1e-12, named.text);
        BOOST_TEST(error_of(graph.gradient_p(v, p), to_eigen(expected.gradient).tail(d)) <= 1e-12, named.text);
        BOOST_TEST(error_of(graph.hessian_joint(v, p), hessian) <= 1e-11, named.text);
        BOOST_TEST(error_of(graph.hessian_p(v, p), hessian.bottomRightCorner(d, d)) <= 1e-11, named.text);
        const VectorXd direction = random_vector(draw, d);
        BOOST_TEST(error_of(graph.hessian_p_times(v, p, direction), hessian.bottomRightCorner(d, d) * direction) <= 1e-11, named.text);
      }
    }
}

BOOST_AUTO_TEST_CASE(derivatives_are_those_of_central_differences) {
  naive::Draw draw(2);
  for (const NamedLoss& named : losses()) {
    const Problem problem = draw.problem({3, 5}, 3, named.loss(), true);
    const ErmGraph graph{NumericProblem(problem)};
    const VectorXd v = random_vector(draw, 3);
    const VectorXd p = random_vector(draw, 3);
    const auto errors = difference_errors(graph, v, p, graph.gradient_joint(v, p), graph.hessian_joint(v, p));
    BOOST_TEST(errors.gradient <= difference_allowed, named.text);
    BOOST_TEST(errors.hessian <= difference_allowed, named.text);
  }
}

BOOST_AUTO_TEST_CASE(central_differences_tell_a_derivative_that_is_off_by_a_millionth) {
  naive::Draw draw(3);
  const Problem problem = draw.problem({3, 5}, 3, Loss::logistic(), true);
  const ErmGraph graph{NumericProblem(problem)};
  const VectorXd v = random_vector(draw, 3);
  const VectorXd p = random_vector(draw, 3);
  VectorXd gradient = graph.gradient_joint(v, p);
  MatrixXd hessian = graph.hessian_joint(v, p);
  gradient(4) += 1e-6;
  hessian(2, 5) += 1e-6;
  const auto errors = difference_errors(graph, v, p, gradient, hessian);
  BOOST_TEST(errors.gradient > difference_allowed);
  BOOST_TEST(errors.hessian > difference_allowed);
}

BOOST_AUTO_TEST_CASE(the_loss_of_several_samples_is_the_mean_whatever_their_token_counts_and_order) {
  naive::Draw draw(4);
  const Problem problem = draw.problem({3, 1, 4, 3, 2}, 2, Loss::logistic(), true);
  const VectorXd v = random_vector(draw, 2);
  const VectorXd p = random_vector(draw, 2);
  VectorXd mean = VectorXd::Zero(4);
  Problem reversed = problem;
  for (std::size_t i = 0; i < 5; ++i) {
    Problem one = problem;
    one.tokens = {problem.tokens[i]};
    one.labels = {problem.labels[i]};
    mean += ErmGraph{NumericProblem(one)}.gradient_joint(v, p) / 5;
    reversed.tokens[4 - i] = problem.tokens[i];
    reversed.labels[4 - i] = problem.labels[i];
  }
  const VectorXd together = ErmGraph{NumericProblem(problem)}.gradient_joint(v, p);
  BOOST_TEST(error_of(together, mean) <= 1e-14);
  BOOST_TEST(error_of(ErmGraph{NumericProblem(reversed)}.gradient_joint(v, p), together) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(a_flipped_label_changes_the_loss) {
  naive::Draw draw(5);
  Problem problem = draw.problem({3, 3}, 2, Loss::logistic(), false);
  const VectorXd v = random_vector(draw, 2);
  const VectorXd p = random_vector(draw, 2);
  const double before = ErmGraph{NumericProblem(problem)}.value(v, p);
  problem.labels[1] = -problem.labels[1];
  BOOST_TEST(std::abs(ErmGraph{NumericProblem(problem)}.value(v, p) - before) > 1e-3);
}

BOOST_AUTO_TEST_CASE(a_sample_of_one_token_does_not_depend_on_p) {
  naive::Draw draw(6);
  const Problem problem = draw.problem({1, 1}, 3, Loss::logistic(), false);
  const ErmGraph graph{NumericProblem(problem)};
  const VectorXd v = random_vector(draw, 3);
  const VectorXd p = random_vector(draw, 3, 100);
  BOOST_TEST(graph.gradient_p(v, p).norm() == 0.0);
  BOOST_TEST(graph.hessian_p(v, p).norm() == 0.0);
  BOOST_TEST(graph.gradient_joint(v, p).norm() > 1e-3);
}

BOOST_AUTO_TEST_CASE(nothing_overflows_at_any_p) {
  naive::Draw draw(7);
  const Problem problem = draw.problem({4, 3}, 3, Loss::logistic(), true);
  const ErmGraph graph{NumericProblem(problem)};
  const VectorXd v = random_vector(draw, 3);
  for (const double norm : {1e3, 1e6, 1e150, 1e300}) {
    const VectorXd p = random_vector(draw, 3, norm);
    const VectorXd direction = random_vector(draw, 3);
    BOOST_TEST(std::isfinite(graph.value(v, p)), norm);
    BOOST_TEST(graph.gradient_joint(v, p).allFinite(), norm);
    BOOST_TEST(graph.hessian_joint(v, p).allFinite(), norm);
    BOOST_TEST(graph.hessian_p_times(v, p, direction).allFinite(), norm);
    const auto expected = naive::erm(problem, naive::logistic, to_naive(v), to_naive(p));
    BOOST_TEST(error_of(graph.gradient_joint(v, p), to_eigen(expected.gradient)) <= 1e-12, norm);
  }
}

/// One token 1 and v = u: the loss itself, with l'(u) and l''(u) as its derivatives in v.
struct LossAlone {
  double value, slope, curvature;
};

LossAlone loss_at(const Loss& loss, double u) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(1, 1, {1})};
  problem.labels = {1};
  problem.loss = loss;
  const ErmGraph graph{NumericProblem(problem)};
  const VectorXd v = VectorXd::Constant(1, u);
  const VectorXd p = VectorXd::Zero(1);
  return {graph.value(v, p), graph.gradient_joint(v, p)(0), graph.hessian_joint(v, p)(0, 0)};
}

void check_logistic_at_any_u(const Loss& loss) {
  for (const double u : {-1e300, -1e5, -800.0, -601.0, -600.0, -599.0, -37.0, -1.0, 0.0, 1.0, 37.0, 600.0, 800.0, 1e300}) {
    const LossAlone found = loss_at(loss, u);
    const naive::Jet expected = naive::logistic(u);
    BOOST_TEST(std::abs(found.value - static_cast<double>(expected.value)) <= 1e-15 * static_cast<double>(expected.value), u);
    BOOST_TEST(std::abs(found.slope - static_cast<double>(expected.slope)) <= 1e-15 * -static_cast<double>(expected.slope), u);
    BOOST_TEST(std::abs(found.curvature - static_cast<double>(expected.curvature)) <= 1e-16, u);
  }
}

BOOST_AUTO_TEST_CASE(the_logistic_loss_is_finite_with_the_right_slope_at_any_u) { check_logistic_at_any_u(Loss::logistic()); }

BOOST_AUTO_TEST_CASE(so_is_the_logistic_loss_as_it_may_be_written) {
  for (const char* text : {"log(1+exp(-u))", "log(exp(-u)+1)", "log1p(exp(-u))"})
    check_logistic_at_any_u(Loss::written(std::get<Expression>(parse_expression(text))));
}

BOOST_AUTO_TEST_CASE(a_sum_that_is_no_softplus_overflows_to_nan_and_not_to_a_number) {
  BOOST_TEST(std::isnan(loss_at(Loss::written(std::get<Expression>(parse_expression("log(2+exp(-u))"))), -800).slope));
}

BOOST_AUTO_TEST_CASE(a_large_head_gives_a_logistic_gradient_in_p_of_the_right_size) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 2, {1, 0, 1, 1})};
  problem.labels = {1};
  for (const double u : {800.0, -800.0}) {
    const VectorXd v = (VectorXd(2) << u, u / 100).finished();
    const VectorXd p = (VectorXd(2) << 0.25, -0.5).finished();
    const ErmGraph graph{NumericProblem(problem)};
    const auto expected = naive::erm(problem, naive::logistic, to_naive(v), to_naive(p));
    BOOST_TEST(graph.gradient_p(v, p).allFinite());
    BOOST_TEST(graph.hessian_p(v, p).allFinite());
    BOOST_TEST(error_of(graph.gradient_p(v, p), to_eigen(expected.gradient).tail(2)) <= 1e-12);
    BOOST_TEST((graph.gradient_p(v, p).norm() > 0.1) == (u < 0));
  }
}

BOOST_AUTO_TEST_CASE(powers_of_negative_numbers_have_their_derivatives) {
  const LossAlone found = loss_at(Loss::written(std::get<Expression>(parse_expression("u^3 + u^-2"))), -2);
  BOOST_TEST(found.value == -7.75);
  BOOST_TEST(found.slope == 12.25);
  BOOST_TEST(found.curvature == -11.625);
}

BOOST_AUTO_TEST_CASE(a_loss_has_no_finite_derivative_at_its_pole) {
  const Loss pole = Loss::written(std::get<Expression>(parse_expression("1/u^2")));
  BOOST_TEST(!std::isfinite(loss_at(pole, 0).slope));
  BOOST_TEST(loss_at(pole, 2).slope == -0.25);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
