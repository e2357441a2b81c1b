#include "../solve/drawn_data.hpp"
#include "claim_check.hpp"
#include "papers_data.hpp"

namespace attest {
namespace {

using drawn::Instance;

void require_points(const Checked& finding) {
  BOOST_TEST_REQUIRE(finding.numbers.contains("points"));
  for (const Json& point : finding.numbers.at("points")) {
    BOOST_TEST(point.at("verified") == true, point.dump());
    BOOST_TEST(point.at("ipopt").at("status") == "solved", point.dump());
    BOOST_TEST(point.at("ipopt").at("distance").get<double>() <= 1e-5, point.dump());
  }
}

/// Every computed point lies inside what is proved of all minimisers, and the standard radii have an entry.
void require_envelope(const Checked& finding) {
  BOOST_TEST_REQUIRE(finding.numbers.at("envelope").is_array());
  const Json& envelope = finding.numbers.at("envelope");
  for (const double radius : {0x1p10, 0x1p14, 0x1p20})
    BOOST_TEST(std::ranges::any_of(envelope, [&](const Json& entry) { return entry.at("radius") == radius; }), radius);
  for (const Json& point : finding.numbers.at("points"))
    for (const Json& entry : envelope)
      if (entry.at("radius") == point.at("radius"))
        BOOST_TEST(point.at("direction_error").get<double>() <= entry.at("bound").get<double>() * (1 + 1e-9) + 1e-15, point.dump());
}

BOOST_AUTO_TEST_SUITE(path_claims)

BOOST_AUTO_TEST_CASE(paths_of_random_data_hold_and_ipopt_agrees_at_every_radius) {
  for (const Instance& data : {drawn::random_instance(3, 7, 3, 2000), drawn::random_instance(6, 8, 10, 2000)}) {
    const Checked finding = check(data.problem, "path");
    check_outcome(finding, Verdict::holds, Grade::proved);
    certificate_of(finding, "path", "path-envelope");
    require_envelope(finding);
    BOOST_TEST(number(finding, "direction_error") <= 1e-4);
    BOOST_TEST(std::abs(number(finding, "rate") + 1) <= 0.05);
    BOOST_TEST(number(finding, "radius") == 0x1p20);
    require_points(finding);
  }
}

BOOST_AUTO_TEST_CASE(the_limit_of_a_path_that_is_followed_too_short_is_still_proved) {
  const Instance data = drawn::random_instance(6, 8, 10, 2000);
  const Checked finding = check(data.problem, "path", {{"radius", Rational(4)}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  require_envelope(finding);
  BOOST_TEST(number(finding, "radius") == 4);
}

BOOST_AUTO_TEST_CASE(a_path_without_time_is_undecided) {
  const Instance data = drawn::random_instance(6, 8, 10, 2000);
  check_outcome(check(data.problem, "path", {}, 1, 0.0), Verdict::undecided, Grade::observed);
}

BOOST_AUTO_TEST_CASE(the_local_path_holds_for_a_local_optimum_and_not_for_the_third_token) {
  const Problem problem = problem_of("one-input/distinct");
  const Checked local = check(problem, "path", {{"selection", Selection{1}}});
  check_outcome(local, Verdict::holds, Grade::proved);
  BOOST_TEST(local.numbers.at("cone") == true);
  BOOST_TEST(local.numbers.at("proved_cone").at("opening").get<double>() > 0);
  BOOST_TEST(certificate_of(local, "path", "path-envelope").statement.at("cone").is_object());
  require_envelope(local);
  check_outcome(check(problem, "path", {{"selection", Selection{2}}}), Verdict::inapplicable, Grade::proved);
}

BOOST_AUTO_TEST_CASE(a_tied_optimum_has_no_global_path) {
  Problem problem = one_input();
  problem.v = ExactMatrix::from_doubles(1, 3, {0, 0, 0});
  const Checked finding = check(problem, "path");
  check_outcome(finding, Verdict::inapplicable, Grade::proved);
  certificate_of(finding, "globally-optimal", "not-globally-optimal");
}

BOOST_AUTO_TEST_CASE(descent_path_and_svm_agree_on_random_data) {
  for (const Instance& data : {drawn::random_instance(3, 7, 3, 2000), drawn::random_instance(6, 8, 10, 2000)}) {
    const Checked finding = check(data.problem, "cross-validation");
    check_outcome(finding, Verdict::holds, Grade::observed);
    for (const char* name : {"gd_vs_svm", "path_vs_svm", "gd_vs_path"}) BOOST_TEST(number(finding, name) <= 1e-3, name);
  }
}

BOOST_AUTO_TEST_CASE(descent_that_has_not_come_far_leaves_cross_validation_undecided) {
  const Instance data = drawn::random_instance(6, 8, 10, 2000);
  const Checked finding = check(data.problem, "cross-validation", {{"iterations", std::int64_t{10'000}}, {"radius", Rational(16)}});
  check_outcome(finding, Verdict::undecided, Grade::observed);
}

BOOST_AUTO_TEST_CASE(the_joint_path_converges_to_the_tight_programs) {
  const Checked finding = check(problem_of("joint/tight"), "joint-path");
  check_outcome(finding, Verdict::holds, Grade::observed);
  BOOST_TEST((*finding.selection == Selection{1, 1, 1}));
  BOOST_TEST(number(finding, "v_error") <= 1e-3);
  BOOST_TEST(number(finding, "p_error") <= 1e-3);
  for (const Hypothesis& one : finding.hypotheses) BOOST_TEST(name_of(one.verdict) == "holds", name_of(one.id));
  BOOST_TEST(finding.numbers.at("regimes").size() == 3U);
}

BOOST_AUTO_TEST_CASE(under_assumption_b_over_all_samples_the_limit_of_the_head_is_proved_and_over_the_support_it_is_not) {
  const Problem problem = problem_of("joint/tight");
  const Checked all = check(problem, "joint-path", {{"over", std::string("all")}});
  check_outcome(all, Verdict::holds, Grade::observed);
  certificate_of(all, "joint-path", "joint-envelope");
  const double bound = all.numbers.at("head_envelope").at("bound").get<double>();
  BOOST_TEST(number(all, "v_error") <= bound);
  BOOST_TEST(bound <= 1e-2);
  const Checked support = check(problem, "joint-path");
  BOOST_TEST(support.numbers.at("head_envelope").is_null());
  BOOST_TEST(!support.certificate.has_value());
}

BOOST_AUTO_TEST_CASE(the_joint_path_of_relaxed_data_converges_to_the_relaxed_program_when_r_grows_fast) {
  const Problem problem = problem_of("joint/relaxed");
  const Checked finding = check(problem, "joint-path");
  check_outcome(finding, Verdict::holds, Grade::observed);
  BOOST_TEST(number(finding, "p_error") <= 1e-3);
  BOOST_TEST(finding.numbers.at("regimes").at(0).at("p_error_plain").get<double>() > 0.1);
  check_outcome(check(problem, "joint-path", {{"over", std::string("all")}}), Verdict::inapplicable, Grade::proved);
  check_outcome(check(problem, "joint-path", {{"regime", std::string("R=r^2")}}), Verdict::inapplicable, Grade::observed);
}

BOOST_AUTO_TEST_CASE(the_joint_theorem_does_not_apply_to_other_losses_and_infeasible_margins) {
  Problem problem = problem_of("joint/tight");
  check_outcome(check(problem, "joint-path", {{"selection", Selection{0, 1, 1}}}), Verdict::inapplicable, Grade::proved);
  problem.loss = Loss::exponential();
  check_outcome(check(problem, "joint-path"), Verdict::inapplicable, Grade::proved);
}

const Hypothesis& loss_of(const Checked& finding) {
  BOOST_TEST_REQUIRE(!finding.hypotheses.empty());
  BOOST_TEST((finding.hypotheses.front().id == HypothesisId::logistic_loss));
  return finding.hypotheses.front();
}

BOOST_AUTO_TEST_CASE(a_written_logistic_loss_is_the_named_one) {
  Problem problem = problem_of("joint/tight");
  problem.loss = written("log(1+exp(-u))");
  const Checked finding = check(problem, "joint-path");
  check_outcome(finding, Verdict::holds, Grade::observed);
  problem.loss = Loss::logistic();
  BOOST_TEST((finding.numbers == check(problem, "joint-path").numbers));
  for (const char* text : {"log(exp(-u) + 1)", "log1p(exp(-u))", "log((1 + exp((-u))))"}) {
    problem.loss = written(text);
    BOOST_TEST(name_of(loss_of(check(problem, "joint-path", {{"radius", Rational(1)}})).verdict) == "holds", text);
  }
}

BOOST_AUTO_TEST_CASE(a_loss_that_is_not_logistic_is_told_apart_by_an_enclosure) {
  Problem problem = problem_of("joint/tight");
  for (const char* text : {"log(1+exp(-2*u))", "2*log(1+exp(-u))", "log(1+exp(u))", "exp(-u)", "log(1+exp(-u)) + u*(u-1)*(u+1)/1000000",
                           "log(1+exp(-u)) + log(u)"}) {
    problem.loss = written(text);
    const Checked finding = check(problem, "joint-path", {{"radius", Rational(1)}});
    check_outcome(finding, Verdict::inapplicable, Grade::proved);
    BOOST_TEST(name_of(loss_of(finding).verdict) == "fails", text);
  }
}

BOOST_AUTO_TEST_CASE(a_loss_that_may_be_logistic_but_is_written_otherwise_is_undecided) {
  Problem problem = problem_of("joint/tight");
  for (const char* text : {"log(2) + log((1+exp(-u))/2)", "-u + log(1+exp(u))"}) {
    problem.loss = written(text);
    const Checked finding = check(problem, "joint-path", {{"radius", Rational(1)}});
    check_outcome(finding, Verdict::undecided, Grade::observed);
    BOOST_TEST(name_of(loss_of(finding).verdict) == "undecided", text);
  }
}

BOOST_AUTO_TEST_CASE(a_sample_that_is_hardly_no_support_vector_needs_a_very_large_r) {
  // As joint/relaxed, but the third sample has label margin 1 + 1e-14: r would have to be 5e13 R.
  Problem problem = problem_of("joint/relaxed");
  problem.tokens[2] = ExactMatrix::from_rationals(2, 2, {0, 0, Rational(1, 2), 1 + Rational(1, 100'000'000'000'000)});
  const Checked finding = check(problem, "joint-path");
  check_outcome(finding, Verdict::inapplicable, Grade::observed);
  BOOST_TEST(finding.message.find("r large against R") != std::string::npos, finding.message);
}

BOOST_AUTO_TEST_CASE(a_free_choice_outside_the_support_is_an_obstacle) {
  // docs/theory.md, RP-joint: the third sample's other token also has label margin above Gamma.
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 3, {1, 1, 0, 0, 0, 0}), ExactMatrix::from_doubles(2, 3, {1, -1, 0, 0, 0, 0}),
                    ExactMatrix::from_doubles(2, 3, {0.5, 1.5, 1, 1.5, 1.5, 0})};
  problem.labels = {1, -1, 1};
  const Checked finding = check(problem, "joint-path", {{"selection", Selection{0, 0, 0}}});
  check_outcome(finding, Verdict::inapplicable, Grade::proved);
  BOOST_TEST(finding.message.find("no free choice outside the support") != std::string::npos, finding.message);
}

BOOST_AUTO_TEST_CASE(a_joint_path_that_is_too_short_contradicts_nothing) {
  const Problem problem = problem_of("joint/tight");
  for (const Rational& radius : {Rational(1), Rational(1, 1000), Rational(16)})
    check_outcome(check(problem, "joint-path", {{"radius", radius}}), Verdict::undecided, Grade::observed);
}

BOOST_AUTO_TEST_CASE(a_joint_program_without_a_direction_is_an_obstacle) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(1, 2, {0, 1}), ExactMatrix::from_doubles(2, 2, {1, 3, 0, 0})};
  problem.labels = {1, 1};
  check_outcome(check(problem, "joint-path"), Verdict::inapplicable, Grade::proved);
}

BOOST_AUTO_TEST_CASE(the_last_radius_is_the_one_asked_for) {
  const Instance data = drawn::random_instance(3, 7, 3, 2000);
  BOOST_TEST(number(check(data.problem, "path", {{"radius", Rational(100'000)}}), "radius") == 1e5);
}

BOOST_AUTO_TEST_CASE(a_tight_row_without_weight_slows_the_path_and_is_allowed_to) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(3, 2, {0, -2, -1, -2, 0, 0})};
  problem.labels = {-1};
  problem.v = ExactMatrix::from_doubles(1, 2, {0, -2});
  problem.loss = Loss::exponential();
  const Checked finding = check(problem, "path");
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(number(finding, "rate") > -0.95);
  for (const Json& entry : finding.numbers.at("envelope")) BOOST_TEST(entry.at("rate").is_null());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
