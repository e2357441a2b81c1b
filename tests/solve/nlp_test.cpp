#include "nlp.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace attest {
namespace {

using casadi::MX;
using Eigen::VectorXd;

const double infinity = std::numeric_limits<double>::infinity();

/// min (x - 1)^4 + y^2 with x + y as its constraint.
casadi::MXDict smooth(const MX& x) { return {{"x", x}, {"f", pow(x(0) - 1, 4) + pow(x(1), 2)}, {"g", x(0) + x(1)}}; }

std::string end_of(const casadi::MXDict& program, const NlpSettings& settings, double lower, double upper) {
  return to_string(
      Nlp(program, settings).solve({VectorXd::Constant(2, 3)}, VectorXd::Constant(1, lower), VectorXd::Constant(1, upper)).end);
}

BOOST_AUTO_TEST_SUITE(nlp)

BOOST_AUTO_TEST_CASE(a_solved_program_has_its_minimiser_and_multiplier) {
  const MX x = MX::sym("x", 2);
  const Nlp solver({{"x", x}, {"f", dot(x, x)}, {"g", x(0) + x(1)}}, {.quadratic = true});
  const NlpResult found = solver.solve({VectorXd::Zero(2)}, VectorXd::Ones(1), VectorXd::Constant(1, infinity));
  BOOST_TEST(to_string(found.end) == "solved");
  BOOST_TEST((found.x - VectorXd::Constant(2, 0.5)).norm() <= 1e-9);
  BOOST_TEST(std::abs(found.g_multipliers[0] + 1) <= 1e-9);  // negative at an active lower bound
}

BOOST_AUTO_TEST_CASE(a_bound_is_not_relaxed) {
  const MX x = MX::sym("x", 2);
  const Nlp solver({{"x", x}, {"f", x(0)}, {"g", x(0) + 0 * x(1)}}, {});
  const NlpResult found = solver.solve({VectorXd::Ones(2)}, VectorXd::Zero(1), VectorXd::Ones(1));
  BOOST_TEST(found.x[0] >= 0);
}

BOOST_AUTO_TEST_CASE(every_way_to_end_has_its_name) {
  const MX x = MX::sym("x", 2);
  BOOST_TEST(end_of(smooth(x), {}, -infinity, infinity) == "solved");
  BOOST_TEST(end_of(smooth(x), {.iteration_limit = 1}, -infinity, infinity) == "limit");
  BOOST_TEST(end_of({{"x", x}, {"f", dot(x, x)}, {"g", dot(x, x)}}, {}, -2, -1) == "infeasible");
  BOOST_TEST(end_of({{"x", x}, {"f", log(-dot(x, x))}, {"g", x(0)}}, {}, -infinity, infinity) == "not finite");
}

BOOST_AUTO_TEST_CASE(what_casadi_throws_is_a_failure_with_a_reason) {
  const MX x = MX::sym("x", 2);
  const Nlp unmade(casadi::MXDict{{"x", x}, {"f", x}, {"g", x(0)}}, {});  // an objective of two numbers
  const NlpResult never = unmade.solve({VectorXd::Zero(2)}, VectorXd::Zero(1), VectorXd::Zero(1));
  BOOST_TEST(to_string(never.end) == "failed");
  BOOST_TEST(!never.reason.empty());
  const NlpResult misshapen = Nlp(smooth(x), {}).solve({VectorXd::Zero(3)}, VectorXd::Zero(1), VectorXd::Zero(1));
  BOOST_TEST(to_string(misshapen.end) == "failed");
  BOOST_TEST(!misshapen.reason.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
