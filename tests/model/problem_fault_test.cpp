#include "attest/model/problem_fault.hpp"

#include "../base/infinity.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <limits>

namespace attest {
namespace {

ExactMatrix filled(std::size_t rows, std::size_t columns, double value = 0.5) {
  return ExactMatrix::from_doubles(rows, columns, std::vector<double>(rows * columns, value));
}

/// Two samples, of 2 tokens and of 1, in 3 dimensions, with all that may be given.
Problem whole() {
  Problem problem;
  problem.tokens = {filled(2, 3), filled(1, 3)};
  problem.labels = {1, -1};
  problem.v = filled(1, 3);
  problem.W = filled(3, 3);
  problem.queries = filled(2, 3);
  return problem;
}

/// What is said of the problem after one change; empty for no fault.
std::string said(const std::function<void(Problem&)>& change) {
  Problem problem = whole();
  change(problem);
  const auto fault = fault_of(problem);
  return fault ? to_string(*fault) : "";
}

BOOST_AUTO_TEST_SUITE(problem_fault)

BOOST_AUTO_TEST_CASE(a_whole_problem_has_no_fault) {
  BOOST_TEST(said([](Problem&) {}) == "");
  BOOST_TEST(said([](Problem& p) { p.v.reset(); }) == "");
  BOOST_TEST(said([](Problem& p) { p.W.reset(); }) == "");
  BOOST_TEST(said([](Problem& p) { p.queries.reset(); }) == "");
  BOOST_TEST(said([](Problem& p) { p.labels = {-1, -1}; }) == "");
  BOOST_TEST(said([](Problem& p) { p.tokens[1] = filled(7, 3, std::numeric_limits<double>::max()); }) == "");
  BOOST_TEST(said([](Problem& p) { p.tokens[1] = ExactMatrix::from_rationals(1, 3, {Rational(1, 3), 0, 1}); }) == "");
}

BOOST_AUTO_TEST_CASE(the_smallest_problem_has_no_fault) {
  Problem smallest;
  smallest.tokens = {filled(1, 1)};
  smallest.labels = {1};
  BOOST_TEST(!fault_of(smallest));
}

BOOST_AUTO_TEST_CASE(a_problem_without_samples_tokens_or_numbers_is_refused) {
  BOOST_TEST(to_string(*fault_of(Problem())) == "$.tokens: found no samples, expected at least one");
  BOOST_TEST(said([](Problem& p) { p.tokens[1] = filled(0, 3); }) == "$.tokens[1]: found no tokens, expected at least one");
  BOOST_TEST(said([](Problem& p) { p.tokens[0] = ExactMatrix(); }) == "$.tokens[0]: found no tokens, expected at least one");
  BOOST_TEST(said([](Problem& p) {
               p.tokens = {filled(1, 0), filled(2, 0)};
             }) == "$.tokens[0]: found tokens without numbers, expected at least one number a token");
}

BOOST_AUTO_TEST_CASE(samples_of_two_dimensions_are_refused) {
  BOOST_TEST(said([](Problem& p) { p.tokens[1] = filled(2, 1); }) ==
             "$.tokens[1]: found tokens of 1 number, expected 3 numbers, as in the first sample");
}

BOOST_AUTO_TEST_CASE(labels_that_are_not_one_of_two_are_refused) {
  for (const int label : {7, 0, 2, -2, std::numeric_limits<int>::min()})
    BOOST_TEST(said([&](Problem& p) { p.labels[1] = label; }) == "$.labels[1]: found " + std::to_string(label) + ", expected 1 or -1");
}

BOOST_AUTO_TEST_CASE(labels_too_many_or_too_few_are_refused) {
  BOOST_TEST(said([](Problem& p) { p.labels = {1}; }) == "$.labels: found 1 label, expected 2, one a sample");
  BOOST_TEST(said([](Problem& p) { p.labels = {1, 1, 1}; }) == "$.labels: found 3 labels, expected 2, one a sample");
}

BOOST_AUTO_TEST_CASE(wrong_shapes_are_refused) {
  BOOST_TEST(said([](Problem& p) { p.v = filled(3, 1); }) == "$.v: found shape (3, 1), expected shape (1, 3)");
  BOOST_TEST(said([](Problem& p) { p.v = filled(1, 4); }) == "$.v: found shape (1, 4), expected shape (1, 3)");
  BOOST_TEST(said([](Problem& p) { p.v = ExactMatrix(); }) == "$.v: found shape (0, 0), expected shape (1, 3)");
  BOOST_TEST(said([](Problem& p) { p.W = filled(3, 2); }) == "$.W: found shape (3, 2), expected shape (3, 3)");
  BOOST_TEST(said([](Problem& p) { p.W = filled(9, 1); }) == "$.W: found shape (9, 1), expected shape (3, 3)");
  BOOST_TEST(said([](Problem& p) { p.queries = filled(3, 3); }) == "$.queries: found shape (3, 3), expected shape (2, 3)");
  BOOST_TEST(said([](Problem& p) { p.queries = filled(2, 2); }) == "$.queries: found shape (2, 2), expected shape (2, 3)");
}

BOOST_AUTO_TEST_CASE(numbers_that_are_none_are_refused_wherever_they_stand) {
  const std::string expected = ", expected a number in the range of doubles, up to 1.8e308";
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(said([&](Problem& p) {
               p.tokens[0] = ExactMatrix::from_doubles(2, 3, {1, 2, 3, 4, nan, 6});
             }) == "$.tokens[0][1][1]: found nan" + expected);
  BOOST_TEST(said([](Problem& p) { p.v = ExactMatrix::from_doubles(1, 3, {1, 2, infinity}); }) == "$.v[2]: found inf" + expected);
  BOOST_TEST(said([](Problem& p) { p.W = filled(3, 3, -infinity); }) == "$.W[0][0]: found -inf" + expected);
  BOOST_TEST(said([&](Problem& p) {
               p.queries = ExactMatrix::from_doubles(2, 3, {1, 2, 3, nan, 5, 6});
             }) == "$.queries[1][0]: found nan" + expected);
}

BOOST_AUTO_TEST_CASE(a_rational_that_no_double_is_near_is_refused) {
  const Rational large = Rational(Integer(1) << 1024);
  BOOST_TEST(said([&](Problem& p) {
               p.v = ExactMatrix::from_rationals(1, 3, {0, large, 1});
             }).starts_with("$.v[1]: found a number beyond doubles"));
  BOOST_TEST(said([&](Problem& p) { p.v = ExactMatrix::from_rationals(1, 3, {0, large / 2, 1}); }) == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
