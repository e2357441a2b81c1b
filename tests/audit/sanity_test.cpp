#include "attest/audit/sanity.hpp"

#include "claim_check.hpp"

namespace attest {
namespace {

using Level = Remark::Level;

/// Two samples with nothing to remark.
Problem sound() {
  Problem problem = two_inputs();
  problem.W = ExactMatrix::from_doubles(2, 2, {1, 0, 0, 1});
  problem.queries = ExactMatrix::from_doubles(2, 2, {1, 0, 0, 1});
  return problem;
}

void check_remark(const Problem& problem, Level level, const std::string& part) {
  const std::vector<Remark> remarks = check_sanity(problem);
  BOOST_TEST_REQUIRE(remarks.size() == 1U, part);
  BOOST_TEST((remarks[0].level == level));
  BOOST_TEST(remarks[0].message.find(part) != std::string::npos, remarks[0].message << " has " << part);
}

BOOST_AUTO_TEST_SUITE(sanity)

BOOST_AUTO_TEST_CASE(sound_data_get_no_remark) { BOOST_TEST(check_sanity(sound()).empty()); }

BOOST_AUTO_TEST_CASE(equal_tokens_are_seen) {
  Problem problem = sound();
  problem.tokens[1] = ExactMatrix::from_doubles(3, 2, {2, 0, -0.5, 1, 2, 0});
  check_remark(problem, Level::warning, "tokens 0 and 2 of sample 1");
}

BOOST_AUTO_TEST_CASE(tokens_that_only_round_to_the_same_doubles_are_not_equal) {
  Problem problem = sound();
  const Rational tiny(Integer(1), Integer(1) << 200);
  problem.tokens[0] = ExactMatrix::from_rationals(2, 2, {1, 0, 1 + tiny, 0});
  problem.W.reset();
  BOOST_TEST(check_sanity(problem).empty());
}

BOOST_AUTO_TEST_CASE(equal_keys_of_different_tokens_are_seen) {
  Problem problem = sound();
  problem.W = ExactMatrix::from_doubles(2, 2, {1, 0, 0, 0});
  check_remark(problem, Level::warning, "the same key: tokens 0 and 2 of sample 1");
}

BOOST_AUTO_TEST_CASE(zero_tokens_and_lone_tokens_are_noted) {
  Problem zero = sound();
  zero.tokens[0] = ExactMatrix::from_doubles(2, 2, {1, 0, 0, 0});
  check_remark(zero, Level::note, "token 1 of sample 0");
  Problem lone = sound();
  lone.tokens[0] = ExactMatrix::from_doubles(1, 2, {1, 0});
  check_remark(lone, Level::note, "one token: sample 0");
}

BOOST_AUTO_TEST_CASE(equal_samples_are_noted_and_contrary_ones_warned_of) {
  Problem problem = sound();
  problem.tokens.push_back(problem.tokens[0]);
  problem.labels.push_back(problem.labels[0]);
  problem.queries.reset();
  check_remark(problem, Level::note, "equal samples: samples 0 and 2");
  problem.labels[2] = -problem.labels[0];
  check_remark(problem, Level::warning, "different labels: samples 0 and 2");
}

BOOST_AUTO_TEST_CASE(labels_of_one_sign_are_noted) {
  Problem problem = sound();
  problem.labels = {-1, -1};
  check_remark(problem, Level::note, "all labels are -1");
}

BOOST_AUTO_TEST_CASE(far_apart_scales_are_warned_of_and_near_ones_are_not) {
  Problem problem = sound();
  problem.tokens[0] = ExactMatrix::from_doubles(2, 2, {900, 0, 0, 1});
  BOOST_TEST(check_sanity(problem).empty());
  problem.tokens[0] = ExactMatrix::from_doubles(2, 2, {1100, 0, 0, 1});
  check_remark(problem, Level::warning, "from 1 to 1.1e+03");
}

BOOST_AUTO_TEST_CASE(a_head_of_zeros_and_queries_of_zeros_are_warned_of) {
  Problem head = sound();
  head.v = ExactMatrix::from_doubles(1, 2, {0, 0});
  check_remark(head, Level::warning, "v is 0");
  Problem queries = sound();
  queries.queries = ExactMatrix::from_doubles(2, 2, {1, 0, 0, 0});
  check_remark(queries, Level::warning, "queries of zeros: sample 1");
}

BOOST_AUTO_TEST_CASE(of_many_places_the_first_are_named_and_the_others_counted) {
  Problem problem = sound();
  problem.tokens[0] = ExactMatrix::from_doubles(6, 2, std::vector<double>{1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0});
  check_remark(problem, Level::warning, "tokens 2 and 3 of sample 0 and 2 more");
}

BOOST_AUTO_TEST_CASE(warnings_come_first) {
  Problem problem = sound();
  problem.labels = {1, 1};
  problem.v = ExactMatrix::from_doubles(1, 2, {0, 0});
  const std::vector<Remark> remarks = check_sanity(problem);
  BOOST_TEST_REQUIRE(remarks.size() == 2U);
  BOOST_TEST((remarks[0].level == Level::warning));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
