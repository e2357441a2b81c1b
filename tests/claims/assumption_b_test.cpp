#include "claim_check.hpp"

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(assumption_b)

Parameters of(Selection selection, const char* over) { return {{"selection", std::move(selection)}, {"over", std::string(over)}}; }

/// cases/joint: tight with height 1, relaxed with height 3/2.
Problem joint(const Rational& height) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 2, {0, 0, 1, 1}), ExactMatrix::from_doubles(2, 2, {0, 0, 1, -1}),
                    ExactMatrix::from_rationals(2, 2, {0, 0, Rational(1, 2), height})};
  problem.labels = {1, -1, 1};
  return problem;
}

/// Each sample's second token is twice as long and at a right angle to the first.
Problem with_a_rival() {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 2, {1, 0, 0, 2}), ExactMatrix::from_doubles(2, 2, {1, 0, 0, 2})};
  problem.labels = {1, 1};
  return problem;
}

BOOST_AUTO_TEST_CASE(it_holds_on_joint_tight_with_a_narrow_bracket_around_one_half) {
  for (const char* over : {"all", "support"}) {
    const Checked finding = check(joint(1), "assumption-b", of({1, 1, 1}, over));
    check_outcome(finding, Verdict::holds, Grade::proved);
    BOOST_TEST(number(finding, "gamma") == 1.0);
    BOOST_TEST(number(finding, "nu_lower") >= 0.45);
    BOOST_TEST(number(finding, "nu_lower") <= 0.5);
    BOOST_TEST(number(finding, "nu_upper") >= 0.5);
    BOOST_TEST(number(finding, "nu_upper") <= 0.55);
    BOOST_TEST(number(finding, "cells") >= 3);
    BOOST_TEST(number(finding, "nodes") >= number(finding, "cells"));
    const WrittenCertificate certificate = certificate_of(finding, "assumption-b", "assumption-b");
    BOOST_TEST((keys_of(certificate.statement) == Keys{"kind", "selection", "over", "nu", "gamma_squared"}));
    BOOST_TEST((keys_of(certificate.witness) == Keys{"v", "weights", "samples"}));
    BOOST_TEST(certificate.statement.at("over") == over);
  }
}

BOOST_AUTO_TEST_CASE(it_fails_on_joint_relaxed_over_all_samples_but_not_over_the_support) {
  const Checked all = check(joint(Rational(3, 2)), "assumption-b", of({1, 1, 1}, "all"));
  check_outcome(all, Verdict::fails, Grade::proved);
  BOOST_TEST(number(all, "nu_upper") == 0.0);
  BOOST_TEST(all.numbers.at("by") == "soft-row");
  const WrittenCertificate certificate = certificate_of(all, "assumption-b", "assumption-b-refuted");
  BOOST_TEST((keys_of(certificate.statement) == Keys{"kind", "selection", "over"}));
  BOOST_TEST((keys_of(certificate.witness) == Keys{"v", "by", "p"}));
  check_outcome(check(joint(Rational(3, 2)), "assumption-b", of({1, 1, 1}, "support")), Verdict::holds, Grade::proved);
}

BOOST_AUTO_TEST_CASE(the_maximum_is_over_all_samples_unless_said_otherwise) {
  const Checked finding = check(joint(Rational(3, 2)), "assumption-b", {{"selection", Selection{1, 1, 1}}});
  check_outcome(finding, Verdict::fails, Grade::proved);
}

BOOST_AUTO_TEST_CASE(the_default_selection_has_the_largest_margin) {
  const Checked finding = check(with_a_rival(), "assumption-b");
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST((finding.selection == Selection{1, 1}));
  BOOST_TEST(finding.numbers.at("largest_margin") == "proved");
}

BOOST_AUTO_TEST_CASE(another_selection_fails) {
  const Checked finding = check(with_a_rival(), "assumption-b", of({0, 0}, "support"));
  check_outcome(finding, Verdict::fails, Grade::proved);
  BOOST_TEST(finding.numbers.at("by") == "limit");
  BOOST_TEST((keys_of(certificate_of(finding, "assumption-b", "assumption-b-refuted").witness) == Keys{"v", "by", "p", "u"}));
}

BOOST_AUTO_TEST_CASE(without_a_label_margin_it_is_inapplicable) {
  const Checked finding = check(joint(1), "assumption-b", of({0, 1, 1}, "all"));
  check_outcome(finding, Verdict::inapplicable, Grade::proved);
  certificate_of(finding, "v-svm", "svm-infeasible");
}

BOOST_AUTO_TEST_CASE(without_time_it_is_undecided_and_brings_no_certificate) {
  const Checked finding = check(joint(1), "assumption-b", of({1, 1, 1}, "all"), 1, 0);
  check_outcome(finding, Verdict::undecided, Grade::observed);
  BOOST_TEST(!finding.certificate.has_value());
}

BOOST_AUTO_TEST_CASE(where_neither_is_found_it_is_undecided_with_an_upper_bound) {
  // The first sample is a support vector without weight, but its attention never fades last.
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 2, {-1, -3, 3, 3}), ExactMatrix::from_doubles(3, 2, {-2, -1, -1, 1, 0, -1})};
  problem.labels = {1, 1};
  const Checked finding = check(problem, "assumption-b", of({0, 0}, "all"));
  check_outcome(finding, Verdict::undecided, Grade::observed);
  BOOST_TEST(number(finding, "nu_lower") == 0.0);
  BOOST_TEST(number(finding, "nu_upper") > 0.0);
  BOOST_TEST(!finding.certificate.has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
