#include "claim_check.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace attest {
namespace {

/// Tokens 1 and -1: u = 0 at p = 0, and at no other p.
Problem odd_input(const Loss& loss) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 1, {1, -1})};
  problem.labels = {1};
  problem.v = ExactMatrix::from_doubles(1, 1, {1});
  problem.loss = loss;
  return problem;
}

Problem with_loss(Problem problem, const std::string& text) {
  problem.loss = written(text);
  return problem;
}

BOOST_AUTO_TEST_SUITE(registry)

BOOST_AUTO_TEST_CASE(every_claim_is_found_by_its_name_and_explains_itself) {
  std::set<std::string_view> names;
  for (const Claim& claim : all_claims()) {
    const std::string_view name = claim.schema.name;
    BOOST_TEST(names.insert(name).second, name << " is listed once");
    BOOST_TEST(find_claim(name) == &claim);
    BOOST_TEST(!claim.summary.empty(), name);
    BOOST_TEST(claim.summary.find('\n') == std::string_view::npos, name);
    for (const std::string_view part : {claim.title, claim.source, claim.words, claim.formula, claim.text}) BOOST_TEST(!part.empty(), name);
    BOOST_TEST(!claim.numbers.empty(), name);
    for (const NumberSpec& number : claim.numbers) BOOST_TEST(!number.about.empty(), name << " " << number.name);
    BOOST_TEST((claim.check != nullptr), name);
    for (const ParameterSpec& parameter : claim.schema.parameters) BOOST_TEST(!parameter.about.empty(), name << " " << parameter.name);
  }
  for (const char* name :
       {"derivatives", "assumption-a", "step-size", "p-svm", "v-svm", "joint-svm", "globally-optimal", "locally-optimal", "census"})
    BOOST_TEST(names.contains(name), name);
}

BOOST_AUTO_TEST_CASE(a_name_that_is_no_claim_is_not_found) {
  for (const char* name : {"", "derivative", "Derivatives", "assumption-a ", "assumption_a"}) BOOST_TEST(find_claim(name) == nullptr, name);
}

BOOST_AUTO_TEST_CASE(the_schemas_are_those_of_the_claims_in_their_order) {
  const std::vector<ClaimSchema> schemas = all_schemas();
  BOOST_TEST_REQUIRE(schemas.size() == all_claims().size());
  for (std::size_t k = 0; k < schemas.size(); ++k) BOOST_TEST(schemas[k].name == all_claims()[k].schema.name);
}

BOOST_AUTO_TEST_CASE(a_trajectory_without_its_run_is_undecided_and_says_so) {
  const Checked finding = check(one_input(), "trajectory");
  check_outcome(finding, Verdict::undecided, Grade::observed);
  BOOST_TEST(finding.message == "no run is given");
  BOOST_TEST(check(one_input(), "trajectory", {{"run", two_checkpoints(3)}}).message != "no run is given");
}

BOOST_AUTO_TEST_CASE(a_claim_describes_the_numbers_that_it_reports_and_names_its_hypotheses) {
  Problem problem = one_input();
  problem.queries = ExactMatrix::from_doubles(1, 3, {1, 2, 3});
  for (const Claim& claim : all_claims()) {
    Parameters required;
    if (claim.schema.name == "nonlinear-head" || claim.schema.name == "head-path")
      required.emplace("head", Head{{{0, 0, 1}}, {0}, {1}, std::nullopt});
    if (claim.schema.name == "trajectory") required.emplace("run", two_checkpoints(3));
    const Checked finding = check(problem, std::string(claim.schema.name), required);
    for (const std::string& number : keys_of(finding.numbers))
      BOOST_TEST(std::ranges::count(claim.numbers, number, &NumberSpec::name) == 1, claim.schema.name << " " << number);
    for (const Hypothesis& one : finding.hypotheses)
      BOOST_TEST(std::ranges::count(claim.hypotheses, one.id) == 1, claim.schema.name << " " << name_of(one.id));
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(derivatives)

BOOST_AUTO_TEST_CASE(derivatives_agree_on_smooth_losses) {
  for (const char* text : {"log(1+exp(-u))", "1 - tanh(u/2)", "(2-u)^3", "1/(5+u)"}) {
    const Checked finding = check(with_loss(two_inputs(), text), "derivatives");
    check_outcome(finding, Verdict::holds, Grade::observed);
    BOOST_TEST(number(finding, "gradient_error") <= 1e-12, text);
    BOOST_TEST(number(finding, "hessian_error") <= 1e-11, text);
    BOOST_TEST(number(finding, "difference_error") <= 1e-7, text);
    BOOST_TEST(number(finding, "points") == 8);
    BOOST_TEST(!finding.certificate.has_value());
  }
}

BOOST_AUTO_TEST_CASE(a_kink_under_the_only_point_is_undecided) {
  const Checked finding = check(odd_input(written("sqrt(u^2) - 2*u")), "derivatives", {{"points", std::int64_t{1}}});
  check_outcome(finding, Verdict::undecided, Grade::observed);
}

BOOST_AUTO_TEST_CASE(a_kink_under_the_first_of_many_points_is_undecided_too) {
  for (const char* text : {"sqrt(u^2) - 2*u", "1/u^2", "-log(u^2)"}) {
    const Checked finding = check(odd_input(written(text)), "derivatives");
    BOOST_TEST(name_of(finding.verdict) == name_of(Verdict::undecided), text << ": " << finding.message);
  }
  check_outcome(check(odd_input(written("u^2/2 - 2*u")), "derivatives"), Verdict::holds, Grade::observed);
}

BOOST_AUTO_TEST_CASE(long_keys_make_the_differences_no_worse) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 3, {-2, -4, -1, 0, 4, -4}), ExactMatrix::from_doubles(3, 3, {1, 2, 0, -1, 0, 0, 1, 2, 0}),
                    ExactMatrix::from_doubles(2, 3, {0, 0.5, 0, 0, 4, -2})};
  problem.labels = {1, 1, 1};
  problem.v = ExactMatrix::from_doubles(1, 3, {1, 4, 0});
  problem.W = ExactMatrix::from_doubles(3, 3, {-4, 0, 1, -4, -2, 0, 0.5, 4, 0});
  problem.queries = ExactMatrix::from_doubles(3, 3, {0.5, -4, -2, -2, 0, 0, 0, 0, 0.5});
  problem.loss = written("log(1+exp(-2*u))");
  check_outcome(check(problem, "derivatives"), Verdict::holds, Grade::observed);
}

BOOST_AUTO_TEST_CASE(a_head_is_drawn_when_the_case_has_none) {
  Problem problem = two_inputs();
  problem.v.reset();
  check_outcome(check(problem, "derivatives"), Verdict::holds, Grade::observed);
}

BOOST_AUTO_TEST_CASE(above_64_dimensions_the_hessian_is_compared_through_products) {
  Problem problem;
  std::vector<double> values;
  for (int k = 0; k < 3 * 70; ++k) values.push_back(std::cos(k) / 8);
  problem.tokens = {ExactMatrix::from_doubles(3, 70, values)};
  problem.labels = {-1};
  check_outcome(check(problem, "derivatives", {{"points", std::int64_t{2}}}), Verdict::holds, Grade::observed);
}

BOOST_AUTO_TEST_CASE(derivatives_agree_far_out_where_the_softmax_is_saturated) {
  const Checked finding = check(two_inputs(), "derivatives", {{"radius", Rational(1000000)}, {"points", std::int64_t{5}}});
  check_outcome(finding, Verdict::holds, Grade::observed);
  BOOST_TEST(number(finding, "points") == 5);
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_numbers_and_another_gives_others) {
  const Checked first = check(two_inputs(), "derivatives", {}, 7);
  BOOST_TEST((first.numbers == check(two_inputs(), "derivatives", {}, 7).numbers));
  BOOST_TEST((first.numbers != check(two_inputs(), "derivatives", {}, 8).numbers));
}

BOOST_AUTO_TEST_CASE(a_comparison_that_runs_out_of_time_is_undecided) {
  const Checked finding = check(two_inputs(), "derivatives", {}, 1, 0);
  check_outcome(finding, Verdict::undecided, Grade::observed);
  BOOST_TEST(finding.message.find("time was up") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(assumption_a)

BOOST_AUTO_TEST_CASE(the_logistic_loss_holds_on_the_interval_of_the_scores) {
  const Checked finding = check(two_inputs(), "assumption-a");
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST((finding.numbers.at("interval") == Json::array({-2.0, 1.0})));
  // l'(1) = -1/(1+e) and l'(-2) = -1/(1+e^-2).
  BOOST_TEST(std::abs(number(finding, "slope_sup") + 0.26894142) < 1e-4);
  BOOST_TEST(std::abs(number(finding, "m1") - 0.88079708) < 1e-4);
  BOOST_TEST(std::abs(number(finding, "m0") - 0.25) < 1e-4);
  const WrittenCertificate certificate = certificate_of(finding, "assumption-a", "loss-bounds");
  BOOST_TEST((keys_of(certificate.statement) == Keys{"kind", "interval", "slope_sup", "m0", "m1", "covers_scores"}));
  BOOST_TEST((keys_of(certificate.witness) == Keys{"cuts"}));
  BOOST_TEST((certificate.statement.at("interval") == Json::array({"-2", "1"})));
  BOOST_TEST(certificate.statement.at("covers_scores") == true);
}

BOOST_AUTO_TEST_CASE(the_numbers_are_the_certified_bounds_rounded_upwards) {
  const Checked finding = check(one_input(), "assumption-a", {{"interval", RationalInterval{-1, 1}}});
  const Json& statement = certificate_of(finding, "assumption-a", "loss-bounds").statement;
  for (const char* name : {"slope_sup", "m0", "m1"}) {
    const Rational exact = *parse_rational(statement.at(name).get<std::string>());
    BOOST_TEST(exact_value(number(finding, name)) >= exact, name);
    BOOST_TEST(std::nextafter(number(finding, name), -INFINITY) < nearest_double(exact), name);
  }
}

BOOST_AUTO_TEST_CASE(a_given_interval_is_taken_instead_of_the_scores) {
  const Checked finding = check(one_input(), "assumption-a", {{"interval", RationalInterval{-1, 1}}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(number(finding, "m0") <= 0.2501);
  BOOST_TEST(number(finding, "m1") <= 0.7312);
  BOOST_TEST(certificate_of(finding, "assumption-a", "loss-bounds").statement.at("covers_scores") == false);
  Problem without_head = one_input();
  without_head.v.reset();
  check_outcome(check(without_head, "assumption-a", {{"interval", RationalInterval{-1, 1}}}), Verdict::holds, Grade::proved);
}

BOOST_AUTO_TEST_CASE(bounds_of_the_slope_are_printed_on_the_safe_side_whatever_their_size) {
  const auto message = [](const Rational& low, const Rational& high) {
    return check(one_input(), "assumption-a", {{"interval", RationalInterval{low, high}}}).message;
  };
  BOOST_TEST(message(0, 1000).find("l' <= -5.0759e-435 < 0") != std::string::npos, message(0, 1000));
  const std::string scores = message(Rational(9, 10), 1);  // |l'(0.9)| = 0.28905049...
  BOOST_TEST(scores.find("M1 = 0.28906") != std::string::npos, scores);
}

BOOST_AUTO_TEST_CASE(a_flat_loss_fails_with_two_points_that_show_it) {
  const Checked finding = check(with_loss(two_inputs(), "((-u + sqrt(u^2))/2)^2"), "assumption-a");
  check_outcome(finding, Verdict::fails, Grade::proved);
  const WrittenCertificate certificate = certificate_of(finding, "assumption-a", "loss-not-decreasing");
  BOOST_TEST((keys_of(certificate.statement) == Keys{"kind", "interval", "a", "b", "covers_scores"}));
  BOOST_TEST((keys_of(certificate.witness) == Keys{"by"}));
  const Rational a = *parse_rational(certificate.statement.at("a").get<std::string>());
  const Rational b = *parse_rational(certificate.statement.at("b").get<std::string>());
  BOOST_TEST((0 <= a && a < b && b <= 1));
  BOOST_TEST(certificate.statement.at("covers_scores") == true);
}

/// Keys (1,0) with scores 1/0 and (0,1) with scores 2/0: with a slope of 0 at 1 the path and descent go to (1,3)/sqrt(10),
/// while p^mm is (1,1)/sqrt(2).
Problem one_and_two(const std::string& loss) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 2, {1, 0, 0, 0}), ExactMatrix::from_doubles(2, 2, {0, 1, 0, 0})};
  problem.labels = {1, 1};
  problem.v = ExactMatrix::from_doubles(1, 2, {1, 2});
  problem.loss = written(loss);
  return problem;
}

BOOST_AUTO_TEST_CASE(a_slope_of_0_at_a_largest_score_fails_with_the_score_that_shows_it) {
  const Checked finding = check(one_and_two("-(u-1)^3"), "assumption-a");
  check_outcome(finding, Verdict::fails, Grade::proved);
  const WrittenCertificate certificate = certificate_of(finding, "assumption-a", "loss-flat");
  BOOST_TEST((keys_of(certificate.statement) == Keys{"kind", "sample", "token", "at"}));
  BOOST_TEST(certificate.statement.at("sample") == 0);
  BOOST_TEST(certificate.statement.at("token") == 0);
  BOOST_TEST(certificate.statement.at("at") == "1");
  BOOST_TEST(certificate.witness.at("by") == "rational");
  for (const char* theorem : {"gd-local", "path", "step-size"})
    check_outcome(check(one_and_two("-(u-1)^3"), theorem), Verdict::inapplicable, Grade::proved);
}

BOOST_AUTO_TEST_CASE(a_slope_of_0_at_a_largest_score_may_be_shown_by_an_enclosure) {
  const Checked finding = check(one_and_two("-tanh(u-1)^3"), "assumption-a");
  check_outcome(finding, Verdict::fails, Grade::proved);
  BOOST_TEST(certificate_of(finding, "assumption-a", "loss-flat").witness.at("by") == "enclosure");
}

BOOST_AUTO_TEST_CASE(a_slope_of_0_elsewhere_or_on_an_interval_without_scores_is_undecided) {
  check_outcome(check(one_and_two("-(u-1/2)^3"), "assumption-a"), Verdict::undecided, Grade::observed);
  check_outcome(check(one_and_two("-(u-1)^3"), "assumption-a", {{"interval", RationalInterval{0, 2}}}), Verdict::undecided,
                Grade::observed);
  check_outcome(check(one_and_two("-(u-3)^3"), "assumption-a"), Verdict::holds, Grade::proved);
}

BOOST_AUTO_TEST_CASE(a_point_on_the_edge_of_a_domain_proves_nothing) {
  for (const char* loss : {"10*sqrt(sqrt(u^4))-u", "sqrt(u^4)-u"}) {
    Problem problem = odd_input(written(loss));
    problem.tokens = {ExactMatrix::from_doubles(2, 1, {0, 0})};
    check_outcome(check(problem, "assumption-a"), Verdict::undecided, Grade::observed);
  }
}

BOOST_AUTO_TEST_CASE(an_inflection_is_undecided_without_a_certificate) {
  const Checked finding = check(odd_input(written("-u^3")), "assumption-a");
  check_outcome(finding, Verdict::undecided, Grade::observed);
  BOOST_TEST(!finding.certificate.has_value());
}

BOOST_AUTO_TEST_CASE(bounds_that_no_double_holds_are_still_bounds_in_the_numbers) {
  const Checked finding = check(with_loss(one_input(), "exp(-u)"), "assumption-a", {{"interval", RationalInterval{-1000, 1000}}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  const Rational slope_sup = *parse_rational(finding.numbers.at("slope_sup_exact").get<std::string>());
  BOOST_TEST(slope_sup < 0);
  BOOST_TEST(exact_value(number(finding, "slope_sup")) >= slope_sup);  // no double lies between it and 0
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(step_size)

BOOST_AUTO_TEST_CASE(the_constant_is_proved_to_bound_every_hessian_by_a_sharper_one) {
  for (const char* over : {"p", "W"}) {
    const Checked finding = check(two_inputs(), "step-size", {{"over", std::string(over)}});
    check_outcome(finding, Verdict::holds, Grade::proved);
    BOOST_TEST(number(finding, "lipschitz") > 0);
    BOOST_TEST(number(finding, "worst_ratio") > 0);
    BOOST_TEST(number(finding, "lipschitz_sharp") <= number(finding, "lipschitz"));
    BOOST_TEST(number(finding, "sharp_ratio") >= 1);
    BOOST_TEST(number(finding, "sharp_ratio") <= 30);
    BOOST_TEST(number(finding, "points") == 64);
    const WrittenCertificate certificate = certificate_of(finding, "step-size", "curvature-bound");
    BOOST_TEST((keys_of(certificate.statement) == Keys{"kind", "over", "bound"}));
    BOOST_TEST(certificate.statement.at("over") == over);
    BOOST_TEST(exact_value(number(finding, "lipschitz_sharp")) >= *parse_rational(certificate.statement.at("bound").get<std::string>()));
  }
}

BOOST_AUTO_TEST_CASE(the_constant_is_that_of_the_formula_with_the_certified_bounds) {
  // |v| = 1, |X| = sqrt(2), correlation loss: M0 = 0, M1 = 1, so 3 * 2^(3/2).
  const Checked finding = check(odd_input(Loss::correlation()), "step-size");
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(number(finding, "lipschitz") >= 3 * std::sqrt(8.0));
  BOOST_TEST(number(finding, "lipschitz") <= 3 * std::sqrt(8.0) * 1.0001);
  // -tanh(p) curves by at most 0.7698 = 4/(3 sqrt(3)).
  BOOST_TEST(number(finding, "worst_ratio") <= 0.7699 / (3 * std::sqrt(8.0)));
  BOOST_TEST(number(finding, "worst_ratio") >= 0.6 / (3 * std::sqrt(8.0)));
}

BOOST_AUTO_TEST_CASE(a_constant_that_is_0_is_inapplicable_and_one_that_overflows_undecided) {
  Problem problem = two_inputs();
  problem.v = ExactMatrix::from_doubles(1, problem.dimension(), std::vector<double>(problem.dimension(), 0.0));
  check_outcome(check(problem, "step-size"), Verdict::inapplicable, Grade::observed);
  problem.tokens = {ExactMatrix::from_doubles(2, 2, {1e-200, 0, 0, 1e-200})};
  problem.labels = {1};
  problem.v = ExactMatrix::from_doubles(1, 2, {1e200, 0});
  problem.W.reset();
  problem.queries.reset();
  check_outcome(check(problem, "step-size"), Verdict::undecided, Grade::observed);
}

BOOST_AUTO_TEST_CASE(without_assumption_a_there_is_no_constant) {
  check_outcome(check(odd_input(written("u")), "step-size"), Verdict::inapplicable, Grade::proved);
  check_outcome(check(odd_input(written("-u^3")), "step-size"), Verdict::undecided, Grade::observed);
}

Problem far_scores(const std::string& loss) {
  Problem problem = odd_input(written(loss));
  problem.tokens = {ExactMatrix::from_doubles(2, 1, {1000, 900})};
  problem.v = ExactMatrix::from_doubles(1, 1, {-1});
  return problem;
}

BOOST_AUTO_TEST_CASE(a_written_logistic_loss_has_finite_derivatives_at_any_score) {
  check_outcome(check(far_scores("log(1+exp(-u))"), "derivatives"), Verdict::holds, Grade::observed);
  check_outcome(check(far_scores("log(1+exp(-u))"), "step-size"), Verdict::holds, Grade::proved);
}

BOOST_AUTO_TEST_CASE(derivatives_that_overflow_refute_nothing) {
  for (const char* claim : {"derivatives", "step-size"}) {
    const Checked finding = check(far_scores("exp(-u)/1e400"), claim);  // doubles see infinity / infinity
    check_outcome(finding, Verdict::undecided, Grade::observed);
    BOOST_TEST(finding.message.find("finite") != std::string::npos, finding.message);
  }
}

BOOST_AUTO_TEST_CASE(samples_of_one_token_have_no_curvature_and_that_is_proved) {
  Problem problem = two_inputs();
  for (ExactMatrix& tokens : problem.tokens) tokens = ExactMatrix::from_doubles(1, 2, {1, 2});
  problem.queries.reset();
  const Checked finding = check(problem, "step-size");
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(number(finding, "lipschitz_sharp") == 0);
}

BOOST_AUTO_TEST_CASE(queries_that_are_0_make_the_constant_of_the_weights_0) {
  Problem problem = two_inputs();
  problem.queries.reset();
  for (ExactMatrix& tokens : problem.tokens) tokens = ExactMatrix::from_doubles(2, 2, {0, 0, 1, 2});
  check_outcome(check(problem, "step-size", {{"over", std::string("W")}}), Verdict::inapplicable, Grade::observed);
  check_outcome(check(problem, "step-size"), Verdict::holds, Grade::proved);
}

BOOST_AUTO_TEST_CASE(a_constant_of_0_is_inapplicable) {
  Problem problem = two_inputs();
  problem.W = ExactMatrix::from_doubles(2, 2, {0, 0, 0, 0});
  const Checked finding = check(problem, "step-size");
  BOOST_TEST(name_of(finding.verdict) == name_of(Verdict::inapplicable), finding.message);
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_numbers_and_another_gives_others) {
  const Checked first = check(two_inputs(), "step-size", {}, 7);
  BOOST_TEST((first.numbers == check(two_inputs(), "step-size", {}, 7).numbers));
  BOOST_TEST((first.numbers != check(two_inputs(), "step-size", {}, 8).numbers));
}

BOOST_AUTO_TEST_CASE(a_proved_bound_needs_no_points_and_without_time_there_is_none) {
  const Checked finding = check(two_inputs(), "step-size", {{"points", std::int64_t{1000000000}}}, 1, 2);
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(number(finding, "points") < 1e9);
  check_outcome(check(two_inputs(), "step-size", {}, 1, 0), Verdict::undecided, Grade::observed);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
