#include "attest/exact/head_bounds.hpp"
#include "attest/solve/head_path.hpp"
#include "claim_check.hpp"
#include "papers_data.hpp"

#include <cmath>

namespace attest {
namespace {

Head head_of(const Problem& problem, const std::string& text) {
  Head head{{{}}, {0}, {1}, std::get<Expression>(parse_expression(text))};
  for (std::size_t k = 0; k < problem.dimension(); ++k) head.weights[0].push_back(problem.v->at(0, k));
  return head;
}

const Parameters over_weights = {{"over", std::string("W")}};

BOOST_AUTO_TEST_SUITE(no_stationary_point)

BOOST_AUTO_TEST_CASE(data_of_one_label_have_no_stationary_point) {
  const Checked finding = check(problem_of("landscape/one-label"), "no-stationary-point");
  check_outcome(finding, Verdict::holds, Grade::proved);
  const WrittenCertificate text = certificate_of(finding, "no-stationary-point", "no-stationary-point");
  BOOST_TEST(text.witness.at("by") == "direction");
  BOOST_TEST(text.witness.at("u").size() == 3U);
}

BOOST_AUTO_TEST_CASE(independent_queries_say_their_rank_and_a_direction_none) {
  const Checked by_rank = check(problem_of("sparsity/opposed"), "no-stationary-point", over_weights);
  BOOST_TEST(by_rank.numbers.at("by") == "rank");
  BOOST_TEST(by_rank.numbers.at("ranks") == Json::array({2}));
  BOOST_TEST(check(problem_of("landscape/one-label"), "no-stationary-point").numbers.at("ranks").is_null());
}

BOOST_AUTO_TEST_CASE(a_stationary_point_refutes_the_claim) {
  for (const Parameters& parameters : {Parameters{}, over_weights}) {
    const Checked finding = check(problem_of("landscape/stationary-point"), "no-stationary-point", parameters);
    check_outcome(finding, Verdict::fails, Grade::proved);
    const WrittenCertificate text = certificate_of(finding, "no-stationary-point", "stationary-point");
    BOOST_TEST(text.witness.at("by") == "krawczyk");
    BOOST_TEST(text.statement.at("centre").size() == (parameters.empty() ? 2U : 4U));
  }
}

BOOST_AUTO_TEST_CASE(that_no_stationary_point_is_found_proves_nothing) {
  const Checked finding =
      check(problem_of("landscape/stationary-point"), "no-stationary-point", {{"over", std::string("W")}, {"starts", std::int64_t{1}}});
  BOOST_TEST((finding.verdict == Verdict::undecided || finding.certificate.has_value()));
  check_outcome(check(problem_of("landscape/open"), "no-stationary-point", over_weights), Verdict::undecided, Grade::observed);
}

/// Where l' may be 0 the direction shows nothing.
BOOST_AUTO_TEST_CASE(a_loss_that_turns_leaves_it_undecided) {
  Problem problem = problem_of("landscape/one-label");
  problem.loss = written("u^2");
  BOOST_TEST((check(problem, "no-stationary-point").verdict == Verdict::undecided));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sparsity_norm)

/// Keys that differ by 1: attention 1 - epsilon takes log((1 - epsilon)/epsilon).
BOOST_AUTO_TEST_CASE(the_norm_of_two_tokens_is_known) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 1, {1, 0})};
  problem.labels = {1};
  problem.v = ExactMatrix::from_doubles(1, 1, {1});
  for (const Rational& epsilon : {Rational(1, 10), Rational(2, 5), Rational(1, 1'000'000)}) {
    const Checked finding = check(problem, "sparsity-norm", {{"epsilon", epsilon}});
    check_outcome(finding, Verdict::holds, Grade::proved);
    const double exact = std::log(nearest_double((1 - epsilon) / epsilon));
    BOOST_TEST(number(finding, "lower") <= exact * (1 + 1e-15));
    BOOST_TEST(number(finding, "upper") >= exact * (1 - 1e-15));
    BOOST_TEST(number(finding, "gap") <= 1e-8);
  }
}

BOOST_AUTO_TEST_CASE(several_tokens_take_more_than_the_insight) {
  const Problem problem = problem_of("multi-input/multi-input");
  const Checked finding = check(problem, "sparsity-norm");
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(std::abs(number(finding, "upper") - 3.119810828) <= 1e-8);
  BOOST_TEST(number(finding, "insight") < number(finding, "lower"));
  certificate_of(finding, "sparsity-norm", "sparsity-norm");
}

BOOST_AUTO_TEST_CASE(rows_that_contradict_each_other_leave_no_norm) {
  const Problem problem = problem_of("sparsity/opposed");
  const Checked finding = check(problem, "sparsity-norm");
  check_outcome(finding, Verdict::fails, Grade::proved);
  certificate_of(finding, "sparsity-norm", "sparsity-infeasible");
  check_outcome(check(problem, "sparsity-norm", {{"epsilon", Rational(1)}}), Verdict::inapplicable, Grade::observed);
}

/// So many samples, each of a unit vector of its own and 0: rows are orthonormal, and more than are solved exactly.
Problem axes(std::size_t samples, std::size_t dimension) {
  Problem problem;
  for (std::size_t i = 0; i < samples; ++i) {
    std::vector<double> tokens(2 * dimension, 0);
    tokens[i] = 1;
    problem.tokens.push_back(ExactMatrix::from_doubles(2, dimension, tokens));
    problem.labels.push_back(1);
  }
  problem.v = ExactMatrix::from_doubles(1, dimension, std::vector<double>(dimension, 1));
  return problem;
}

BOOST_AUTO_TEST_CASE(the_norm_in_many_dimensions_is_known_without_an_exact_solution) {
  const Checked finding = check(axes(60, 300), "sparsity-norm");
  check_outcome(finding, Verdict::holds, Grade::proved);
  const double exact = std::sqrt(60.0) * std::log(9.0);
  BOOST_TEST(number(finding, "lower") <= exact);
  BOOST_TEST(number(finding, "upper") >= exact);
  BOOST_TEST(std::abs(number(finding, "insight") - exact) <= 1e-9);
}

BOOST_AUTO_TEST_CASE(opposed_rows_in_many_dimensions_leave_no_norm) {
  Problem problem = axes(60, 300);
  std::vector<double> tokens(600, 0);
  tokens[0] = -1;
  problem.tokens.push_back(ExactMatrix::from_doubles(2, 300, tokens));
  problem.labels.push_back(-1);
  const Checked finding = check(problem, "sparsity-norm");
  check_outcome(finding, Verdict::fails, Grade::proved);
  certificate_of(finding, "sparsity-norm", "sparsity-infeasible");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(first_step)

BOOST_AUTO_TEST_CASE(the_first_step_separates_the_papers_inputs) {
  const Checked finding = check(problem_of("multi-input/multi-input"), "first-step");
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(number(finding, "least_row") > 0);
  certificate_of(finding, "first-step", "first-step");
}

BOOST_AUTO_TEST_CASE(a_row_that_does_not_grow_refutes_it) {
  const Checked finding = check(problem_of("landscape/one-label"), "first-step");
  check_outcome(finding, Verdict::fails, Grade::proved);
  BOOST_TEST(number(finding, "least_row") < 0);
  BOOST_TEST(certificate_of(finding, "first-step", "not-first-step").witness.at("by") == "enclosure");
}

BOOST_AUTO_TEST_CASE(samples_that_cancel_refute_it_in_rational_arithmetic) {
  const Checked finding = check(problem_of("sparsity/opposed"), "first-step");
  check_outcome(finding, Verdict::fails, Grade::proved);
  BOOST_TEST(certificate_of(finding, "first-step", "not-first-step").witness.at("by") == "origin");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(head_path)

BOOST_AUTO_TEST_CASE(the_path_of_tanh_is_enveloped) {
  const Problem problem = problem_of("nonlinear-head/path");
  const Checked finding = check(problem, "head-path", {{"head", head_of(problem, "tanh(u)")}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  certificate_of(finding, "head-path", "head-envelope");
  const Json& envelope = finding.numbers.at("envelope");
  BOOST_TEST_REQUIRE(envelope.size() == 3U);
  BOOST_TEST(envelope.back().at("bound").get<double>() < envelope.front().at("bound").get<double>());
  for (const Json& point : finding.numbers.at("observed")) BOOST_TEST(point.at("found").get<bool>());
}

/// nu, against the outputs of the head on a grid of attention; and no larger than they allow by far, so that it says something.
BOOST_AUTO_TEST_CASE(nu_bounds_the_fall_of_the_head_for_every_attention) {
  const Problem problem = problem_of("nonlinear-head/path");
  const Checked finding = check(problem, "head-path", {{"head", head_of(problem, "tanh(u)")}});
  const double nu = number(finding, "nu");
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto output = [&](double s1, double s2) {  // the third coordinate is v.x; token 0 is selected
      const ExactMatrix& x = problem.tokens[i];
      return std::tanh((1 - s1 - s2) * x.image_row(0)[2] + s1 * x.image_row(1)[2] + s2 * x.image_row(2)[2]);
    };
    for (int a = 0; a <= 40; ++a)
      for (int b = a == 0 ? 1 : 0; a + b <= 40; ++b)
        least = std::min(least, (output(0, 0) - output(a / 40.0, b / 40.0)) / ((a + b) / 40.0));
  }
  BOOST_TEST(nu > 0);
  BOOST_TEST(nu <= least);
  BOOST_TEST(least < 4 * nu);
}

BOOST_AUTO_TEST_CASE(the_path_of_a_head_is_followed_to_the_radius_asked_for) {
  const Problem problem = problem_of("nonlinear-head/path");
  const Checked near = check(problem, "head-path", {{"head", head_of(problem, "tanh(u)")}, {"radius", Rational(200)}});
  const Checked far = check(problem, "head-path", {{"head", head_of(problem, "tanh(u)")}, {"radius", Rational(1000000)}});
  BOOST_TEST(number(near, "radius") == 200);
  BOOST_TEST(number(far, "radius") < 1000);
  BOOST_TEST(number(far, "direction_error") < number(near, "direction_error"));
  for (const Checked& finding : {near, far}) BOOST_TEST(std::abs(number(finding, "rate") + 1) < 0.2);
  const Checked one = check(problem, "head-path", {{"head", head_of(problem, "tanh(u)")}, {"radius", Rational(1, 2)}});
  BOOST_TEST(one.numbers.at("observed").size() == 1U);
  BOOST_TEST(one.numbers.at("rate").is_null());
}

/// An envelope from a small radius on, and minimisers found beyond it.
BOOST_AUTO_TEST_CASE(minimisers_lie_inside_the_envelope) {
  const Problem problem = problem_of("nonlinear-head/path");
  const Head head = head_of(problem, "tanh(u)");
  Study study(problem);
  const Budget budget(60);
  const Selection selection{0, 0};
  const auto svm = study.svm(SvmProgram::Kind::p, selection, budget);
  BOOST_TEST_REQUIRE(svm->solution() != nullptr);
  const HeadOnTokens on_tokens(problem, *head.activation, selection);
  const auto slopes = std::get<certified::HeadSlopes>(bound_head(on_tokens));
  const RationalInterval range = *head_range(on_tokens, slopes);
  const auto bounds = std::get<LossBounds>(bound_loss(problem.loss, range, budget));
  const certified::LossBlock block{range, bounds.slope_sup, bounds.m0, bounds.m1, bounds.cuts};
  const auto entry = prove_head_envelope({&on_tokens, &problem.loss, &svm->program, svm->solution(), &slopes, &block}, Rational(32), {});
  BOOST_TEST_REQUIRE(entry.has_value());
  const Eigen::Vector3d w(nearest_double(svm->solution()->w[0]), nearest_double(svm->solution()->w[1]),
                          nearest_double(svm->solution()->w[2]));
  for (const HeadPathPoint& point : follow_head_path(problem, head, selection, w, {32, 45, 64, 128, 256, 512}, budget)) {
    BOOST_TEST(point.found);
    const double error = (point.p / point.radius - w.normalized()).squaredNorm();
    BOOST_TEST(error <= nearest_double(entry->square) / point.radius);
    BOOST_TEST(error > 0);
  }
}

BOOST_AUTO_TEST_CASE(no_envelope_closes_at_a_small_radius) {
  const Problem problem = problem_of("nonlinear-head/path");
  const Head head = head_of(problem, "tanh(u)");
  Study study(problem);
  const Budget budget(60);
  const auto svm = study.svm(SvmProgram::Kind::p, Selection{0, 0}, budget);
  const HeadOnTokens on_tokens(problem, *head.activation, {0, 0});
  const auto slopes = std::get<certified::HeadSlopes>(bound_head(on_tokens));
  const RationalInterval range = *head_range(on_tokens, slopes);
  const auto bounds = std::get<LossBounds>(bound_loss(problem.loss, range, budget));
  const certified::LossBlock block{range, bounds.slope_sup, bounds.m0, bounds.m1, bounds.cuts};
  BOOST_TEST(
      !prove_head_envelope({&on_tokens, &problem.loss, &svm->program, svm->solution(), &slopes, &block}, Rational(1), {}).has_value());
}

BOOST_AUTO_TEST_CASE(a_head_that_rises_or_a_network_leaves_it_undecided) {
  const Problem problem = problem_of("nonlinear-head/path");
  const Parameters rising = {{"head", head_of(problem, "u - u^2")}, {"selection", Selection{0, 0}}};
  check_outcome(check(problem, "head-path", rising), Verdict::undecided, Grade::observed);
  Head network = head_of(problem, "tanh(u)");
  network.weights.push_back({1, 0, 0});
  network.bias.emplace_back(0);
  network.output.emplace_back(1);
  const Checked finding = check(problem, "head-path", {{"head", network}});
  BOOST_TEST((finding.verdict != Verdict::holds));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
