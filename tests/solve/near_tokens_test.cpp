#include "attest/solve/descent.hpp"
#include "attest/solve/descent_kernel.hpp"
#include "drawn_data.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(near_tokens)

using Eigen::VectorXd;

/// Large enough that the kernel keeps a list of the tokens that matter. Labels are 1, so that v itself separates.
Problem large_problem() {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  const auto drawn = [&](std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values) value = normal(engine);
    return values;
  };
  Problem problem;
  for (std::size_t i = 0; i < 20; ++i) {
    problem.tokens.push_back(ExactMatrix::from_doubles(40, 24, drawn(40 * 24)));
    problem.labels.push_back(1);
  }
  problem.v = ExactMatrix::from_doubles(1, 24, drawn(24));
  return problem;
}

/// What the gradients differ by, of the largest.
double difference(const LogVector& a, const LogVector& b) {
  return (a.vector * std::exp(a.log_scale - b.log_scale) - b.vector).norm() / b.vector.norm();
}

BOOST_AUTO_TEST_CASE(along_a_run_the_gradient_over_the_tokens_that_matter_is_that_over_all) {
  const Problem problem = large_problem();
  const Scores scores = exact_scores(problem);
  for (const double norm : {1.0, 30.0, 1e3, 1e5}) {
    DescentKernel kernel(problem, scores, 1);
    VectorXd p = norm * image_vector(*problem.v).normalized();
    for (int step = 0; step < 200; ++step) {
      LogVector found;
      kernel.gradient(p, found);
      LogVector whole;
      DescentKernel(problem, scores, 1).gradient(p, whole);  // a new kernel passes over all
      BOOST_TEST_REQUIRE(difference(found, whole) <= 1e-11 * (1 + norm * 1e-3), "norm " << norm << " step " << step);
      p -= 0.1 * found.vector.normalized();
    }
  }
}

BOOST_AUTO_TEST_CASE(the_loss_over_the_tokens_that_matter_is_that_over_all) {
  const Problem problem = large_problem();
  const Scores scores = exact_scores(problem);
  DescentKernel kernel(problem, scores, 1);
  const VectorXd unit = image_vector(*problem.v).normalized();
  LogVector gradient;
  kernel.gradient(1e4 * unit, gradient);
  for (const double norm : {1e4, 1e4 + 3, 1e4 - 20}) {
    const LossLevel found = kernel.loss_level(norm * unit);
    const LossLevel whole = DescentKernel(problem, scores, 1).loss_level(norm * unit);
    BOOST_TEST(found.base == whole.base);
    BOOST_TEST(std::abs(found.distance.log - whole.distance.log) <= 1e-9 * std::abs(whole.distance.log));
  }
}

BOOST_AUTO_TEST_CASE(a_jump_to_where_other_tokens_matter_is_seen) {
  const Problem problem = large_problem();
  const Scores scores = exact_scores(problem);
  DescentKernel kernel(problem, scores, 1);
  const VectorXd unit = image_vector(*problem.v).normalized();
  LogVector before;
  kernel.gradient(1e4 * unit, before);
  LogVector found;
  kernel.gradient(-1e4 * unit, found);
  LogVector whole;
  DescentKernel(problem, scores, 1).gradient(-1e4 * unit, whole);
  BOOST_TEST(difference(found, whole) <= 1e-9);
  BOOST_TEST(!(difference(before, whole) <= 1e-3));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
