#include "excess_kernel.hpp"

#include "attest/graph/casadi/excess_graph.hpp"
#include "drawn_data.hpp"
#include "path_follower.hpp"
#include "sphere_newton.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>
#include <string>

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(excess_kernel)

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd drawn_direction(Eigen::Index size, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  return random_direction(size, engine, normal);
}

/// The Hessian, a column a product.
MatrixXd hessian_of(const SphereObjective::Slope& slope) {
  const auto d = slope.gradient.size();
  MatrixXd hessian(d, d);
  for (Eigen::Index k = 0; k < d; ++k) hessian.col(k) = slope.hessian_times(VectorXd::Unit(d, k));
  return hessian;
}

/// Exponents at norm R carry a rounding error of some R * 2^-52, in the graph and in the kernel; the Hessian is R times larger again.
double allowed_at(double radius) { return 1e-12 + 256 * radius * std::numeric_limits<double>::epsilon(); }

void compare(const ExcessKernel& kernel, const ExcessGraph& graph, const VectorXd& v, const VectorXd& q, double radius) {
  const ExcessGraph::Jet expected = graph.jet(q, graph.parameters(v, radius));
  const SphereObjective::Slope found = kernel.slope(q, radius);
  BOOST_TEST(std::abs(found.value - expected.value) <= allowed_at(radius) * (1 + std::abs(expected.value)));
  BOOST_TEST(kernel.value(q, radius) == found.value);
  BOOST_TEST((found.gradient - expected.gradient).norm() <= allowed_at(radius) * expected.gradient.norm());
  BOOST_TEST((hessian_of(found) - expected.hessian).norm() <= allowed_at(radius) * (radius + expected.hessian.norm()));
}

/// Of the weights, with tokens and queries apart.
NumericProblem tokens_as_keys(const drawn::WeightInstance& data) {
  NumericProblem numeric(data.problem);
  numeric.keys = numeric.tokens;
  return numeric;
}
ExcessKernel factored_kernel(const drawn::WeightInstance& data) {
  return {tokens_as_keys(data), data.v, data.selection, query_columns(data.problem)};
}

BOOST_AUTO_TEST_CASE(kernel_and_graph_have_one_value_gradient_and_hessian_at_every_norm_and_loss) {
  unsigned seed = 0;
  for (const Loss& loss :
       {Loss::logistic(), Loss::exponential(), Loss::correlation(), Loss::written(std::get<Expression>(parse_expression("1 - tanh(u/2)")))})
    for (const double radius : {0.5, 8.0, 1e3, 0x1p20}) {
      const drawn::Instance data = drawn::random_instance(4, 5, 3, 100 * ++seed, loss);
      const NumericProblem numeric = data.numeric();
      const VectorXd q = (data.p_mm.normalized() + 0.1 / radius * drawn_direction(3, seed)).normalized();
      BOOST_TEST_CONTEXT(loss.expression().text() << " at " << radius)
      compare(ExcessKernel(numeric, data.v, data.selection), ExcessGraph(numeric, data.selection), data.v, q, radius);
    }
}

BOOST_AUTO_TEST_CASE(kernel_and_graph_agree_where_a_token_that_is_not_selected_has_all_the_attention) {
  const drawn::Instance data = drawn::random_instance(4, 5, 3, 7);
  const NumericProblem numeric = data.numeric();
  const ExcessKernel kernel(numeric, data.v, data.selection);
  const ExcessGraph graph(numeric, data.selection);
  for (const double radius : {1.0, 30.0, 300.0}) compare(kernel, graph, data.v, -data.p_mm.normalized(), radius);
}

BOOST_AUTO_TEST_CASE(for_weights_the_kernel_needs_no_products_written_out) {
  for (const double radius : {1.0, 64.0, 0x1p16}) {
    const drawn::WeightInstance data = drawn::random_weight_instance(3, 4, 5, 31);
    const VectorXd q = (data.W_mm.normalized() + 0.1 / radius * drawn_direction(25, 3)).normalized();
    BOOST_TEST_CONTEXT("at " << radius)
    compare(factored_kernel(data), ExcessGraph(data.numeric(), data.selection), data.v, q, radius);
  }
}

BOOST_AUTO_TEST_CASE(some_rows_have_the_products_of_these_rows) {
  const drawn::WeightInstance data = drawn::random_weight_instance(3, 4, 5, 3);
  const RowProducts all(tokens_as_keys(data), data.selection, query_columns(data.problem));
  const RowProducts some(all, {1, 2, 7});  // none of the second sample
  const VectorXd q = drawn_direction(25, 1);
  const VectorXd products = all.times(q);
  BOOST_TEST(some.sample_count() == 2);
  BOOST_TEST(some.samples[1] == 2U);
  BOOST_TEST((some.times(q) - VectorXd{{products[1], products[2], products[7]}}).norm() <= 1e-15);
  BOOST_TEST(!((some.times(q) - VectorXd{{products[1], products[2], products[6]}}).norm() <= 1e-3));
}

BOOST_AUTO_TEST_CASE(the_kernel_of_another_selection_is_another_function) {
  const drawn::Instance data = drawn::random_instance(4, 5, 3, 11);
  const NumericProblem numeric = data.numeric();
  Selection other = data.selection;
  other[2] = (other[2] + 1) % 5;
  const VectorXd q = data.p_mm.normalized();
  const double found = ExcessKernel(numeric, data.v, other).value(q, 8);
  const double expected = ExcessGraph(numeric, data.selection).value(q, ExcessGraph(numeric, data.selection).parameters(data.v, 8));
  BOOST_TEST(!(std::abs(found - expected) <= 1e-3));
}

BOOST_AUTO_TEST_CASE(at_a_loss_below_that_of_the_selection_there_is_no_value) {
  const drawn::Instance data = drawn::random_instance(1, 3, 2, 5);
  const NumericProblem numeric = data.numeric();
  Selection worst = {0};
  for (std::size_t t = 1; t < 3; ++t)
    if (data.problem.labels[0] * numeric.tokens[0].col(static_cast<Eigen::Index>(t)).dot(data.v) <
        data.problem.labels[0] * numeric.tokens[0].col(static_cast<Eigen::Index>(worst[0])).dot(data.v))
      worst[0] = t;
  BOOST_TEST(std::isnan(ExcessKernel(numeric, data.v, worst).value(data.p_mm.normalized(), 10)));
}

BOOST_AUTO_TEST_CASE(conjugate_gradients_find_the_minimum_that_factorisations_find) {
  for (const double radius : {2.0, 64.0, 0x1p12, 0x1p20}) {
    const drawn::Instance data = drawn::random_instance(6, 8, 10, 41);
    const NumericProblem numeric = data.numeric();
    const ExcessKernel kernel(numeric, data.v, data.selection);
    const ExcessGraph graph(numeric, data.selection);
    const VectorXd ray = data.p_mm.normalized();
    const SphereMinimum dense = minimise_on_sphere(excess_on_sphere(graph, graph.parameters(data.v, radius)), ray);
    const SphereMinimum products = minimise_on_sphere(kernel.on_sphere(radius), dense.q + 0.1 / radius * drawn_direction(10, 5));
    BOOST_TEST_REQUIRE(dense.found);
    BOOST_TEST(products.found, products.reason);
    BOOST_TEST((dense.q - products.q).norm() <= 1e-6);
    BOOST_TEST(std::abs(dense.multiplier - products.multiplier) <= 1e-6 * dense.multiplier);
  }
}

/// x^2 - y^2 - z on the sphere: a saddle at (0, 0, 1), minima at (0, +-1, 0) tilted towards z.
SphereObjective saddle() {
  const auto value = [](const VectorXd& q) { return q[0] * q[0] - q[1] * q[1] - q[2]; };
  return {.value = value, .slope = [value](const VectorXd& q) {
            return SphereObjective::Slope{value(q), VectorXd{{2 * q[0], -2 * q[1], -1}}, [](const VectorXd& x) {
                                            return VectorXd{{2 * x[0], -2 * x[1], 0}};
                                          }};
          }};
}

BOOST_AUTO_TEST_CASE(a_saddle_is_no_minimum_and_is_left_downwards) {
  const SphereMinimum found = minimise_on_sphere(saddle(), VectorXd{{0, 0, 1}});
  BOOST_TEST(found.found, found.reason);
  BOOST_TEST(std::abs(found.q[2] - 0.5) <= 1e-8);  // 2 y^2 + z is largest at z = 1/2
  BOOST_TEST(std::abs(found.q[0]) <= 1e-8);
}

BOOST_AUTO_TEST_CASE(a_minimum_inside_the_ball_is_found_and_one_outside_is_refused) {
  const auto bowl = [](double centre) {
    const auto value = [centre](const VectorXd& q) { return (q - VectorXd{{centre, 0}}).squaredNorm(); };
    return SphereObjective{
        .value = value, .slope = [value, centre](const VectorXd& q) {
          return SphereObjective::Slope{value(q), 2 * (q - VectorXd{{centre, 0}}), [](const VectorXd& x) { return VectorXd(2 * x); }};
        }};
  };
  const SphereMinimum inside = minimise_inside(bowl(0.25), VectorXd{{0, 0.5}});
  BOOST_TEST(inside.found, inside.reason);
  BOOST_TEST((inside.q - VectorXd{{0.25, 0}}).norm() <= 1e-9);
  BOOST_TEST(!minimise_inside(bowl(2), VectorXd{{0, 0.5}}).found);
  BOOST_TEST(!minimise_on_sphere(bowl(0.25), VectorXd{{-1, 0.5}}).found);  // the loss falls inwards
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
