#include "attest/base/quadrature.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(quadrature)

/// How far a rule is from the mean of x^degree over [0, 1], which is 1 / (degree + 1).
template <class Rule>
long double error_of(const Rule& rule, int degree) {
  long double mean = 0;
  for (const auto& [node, weight] : rule) mean += static_cast<long double>(weight) * std::pow(static_cast<long double>(node), degree);
  return std::abs(mean - 1.0L / (degree + 1));
}

/// Nodes and weights are doubles.
constexpr long double rounding = 4e-16L;

template <class Rule>
void check_rule(const Rule& rule) {
  const int exact_to = 2 * static_cast<int>(rule.size()) - 1;
  for (int degree = 0; degree <= exact_to; ++degree) BOOST_TEST(error_of(rule, degree) <= rounding, rule.size() << ", degree " << degree);
  BOOST_TEST(error_of(rule, exact_to + 1) > 1000 * rounding, rule.size());  // no rule of so many nodes is exact to more
}

BOOST_AUTO_TEST_CASE(a_rule_of_N_nodes_is_exact_to_degree_2N_minus_1_and_no_further) {
  check_rule(gauss4);
  check_rule(gauss5);
  check_rule(gauss8);
}

BOOST_AUTO_TEST_CASE(a_node_or_a_weight_that_is_off_by_1e_minus_14_is_detected) {
  const auto worst = [](const auto& rule) {
    long double largest = 0;
    for (int degree = 0; degree < 10; ++degree) largest = std::max(largest, error_of(rule, degree));
    return largest;
  };
  BOOST_TEST(worst(gauss5) <= rounding);
  for (std::size_t k = 0; k < gauss5.size(); ++k) {
    auto rule = gauss5;
    rule[k].weight += 1e-14;
    BOOST_TEST(worst(rule) > rounding);
    rule = gauss5;
    rule[k].node += 1e-14;
    BOOST_TEST(worst(rule) > rounding);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
