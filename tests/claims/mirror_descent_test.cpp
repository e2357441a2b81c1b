#include "../solve/drawn_data.hpp"
#include "attest/solve/descent.hpp"
#include "claim_check.hpp"
#include "papers_data.hpp"

namespace attest {
namespace {

using Eigen::VectorXd;

Rational exponent(double q) { return exact_value(q); }

/// Which of the compared q a run is nearest to, by the table of cosines.
double nearest_q(const Checked& finding, std::size_t run) {
  const Json& table = finding.numbers.at("correlation");
  const auto cosines = table.at("rows").at(run).get<std::vector<double>>();
  return table.at("q").at(static_cast<std::size_t>(std::max_element(cosines.begin(), cosines.end()) - cosines.begin())).get<double>();
}

/// Rows (1, 1/10) and (6/5, -9/10): the first alone is tight for q = 2, both are for q = 3. Token 2, of the second row, scores most.
Problem neighbour_by_q() {
  Problem problem;
  const Rational tenth(1, 10);
  problem.tokens = {ExactMatrix::from_rationals(3, 3, {0, 0, 1, -1, -tenth, 0, -12 * tenth, 9 * tenth, 2})};
  problem.labels = {1};
  problem.v = ExactMatrix::from_doubles(1, 3, {0, 0, 1});
  problem.W = ExactMatrix::from_doubles(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 0});
  return problem;
}

BOOST_AUTO_TEST_SUITE(mirror_descent)

BOOST_AUTO_TEST_CASE(runs_end_at_the_direction_of_their_own_q_on_the_papers_data) {
  const Problem problem = problem_of("multi-input/multi-input");
  for (const double q : {1.75, 2.0, 3.0}) {
    const Checked finding = check(problem, "mirror-descent", {{"q", exponent(q)}});
    check_outcome(finding, Verdict::holds, Grade::observed);
    BOOST_TEST(number(finding, "q") == q);
    BOOST_TEST(number(finding, "kkt_residual") <= 1e-12);
    BOOST_TEST(number(finding, "gap") <= 1e-12);
    BOOST_TEST(finding.numbers.at("runs")[0].at("direction_error").get<double>() <= 3e-3);
    BOOST_TEST(number(finding, "rate") <= -0.65);
    BOOST_TEST(finding.numbers.at("runs").at(0).at("trace").at("norm").size() <= 200U);
    for (const Hypothesis& one : finding.hypotheses) BOOST_TEST(name_of(one.grade) == "proved", name_of(one.id));
  }
}

BOOST_AUTO_TEST_CASE(runs_end_at_the_direction_of_their_own_q_on_random_data) {
  for (const unsigned seed : {1000U, 2000U}) {
    const drawn::Instance data = drawn::random_instance(3, 3, 10, seed);
    for (const double q : {1.75, 3.0, 1.4}) {
      const Checked finding = check(data.problem, "mirror-descent", {{"q", exponent(q)}});
      check_outcome(finding, Verdict::holds, Grade::observed);
      BOOST_TEST(finding.numbers.at("runs")[0].at("direction_error").get<double>() <= 5e-3);
      BOOST_TEST(nearest_q(finding, 0) == q);
      BOOST_TEST(finding.numbers.at("correlation").at("q").size() == (q == 1.4 ? 4U : 3U));
    }
  }
}

BOOST_AUTO_TEST_CASE(q_2_is_gd_local_and_the_default) {
  const drawn::Instance data = drawn::random_instance(3, 3, 10, 1000);
  const Checked local = check(data.problem, "gd-local");
  for (const Parameters& parameters : {Parameters{}, Parameters{{"q", Rational(2)}}}) {
    const Checked finding = check(data.problem, "mirror-descent", parameters);
    check_outcome(finding, Verdict::holds, Grade::observed);
    for (const char* name : {"norm", "direction_error", "rate"})
      BOOST_TEST(std::abs(number(finding, name) / number(local, name) - 1) <= 1e-6, name);
    BOOST_TEST(name_of(hypothesis_of(finding, "locally optimal selection").grade) == "proved");
  }
}

BOOST_AUTO_TEST_CASE(a_short_run_is_undecided) {
  const Problem problem = problem_of("multi-input/multi-input");
  for (const double q : {1.75, 2.0, 3.0})
    for (const std::int64_t iterations : {1, 100, 1000})
      check_outcome(check(problem, "mirror-descent", {{"q", exponent(q)}, {"iterations", iterations}}), Verdict::undecided,
                    Grade::observed);
}

BOOST_AUTO_TEST_CASE(a_run_that_is_nearer_to_another_q_does_not_hold) {
  // From the ray of p^mm, in steps of 0.1: the run for q = 3 has only begun to turn towards its own direction.
  const drawn::Instance data = drawn::random_instance(3, 3, 10, 1000);
  RationalPoint far;
  for (const double entry : data.p_mm) far.push_back(exact_value(1e5 * entry));
  const Checked finding = check(data.problem, "mirror-descent",
                                {{"q", Rational(3)}, {"starts", std::vector<RationalPoint>{far}}, {"iterations", std::int64_t{2000}}});
  check_outcome(finding, Verdict::undecided, Grade::observed);
  BOOST_TEST(nearest_q(finding, 0) == 2.0);
}

BOOST_AUTO_TEST_CASE(a_run_that_falls_at_its_rate_but_is_still_far_is_undecided) {
  const Problem problem = drawn::made_of({ExactMatrix::from_doubles(2, 2, {1, 0.5, 0, 0})}, {1}, {1, 1});
  const Parameters near = {{"q", Rational(7, 4)}, {"starts", std::vector<RationalPoint>{{-1, 2}}}, {"iterations", std::int64_t{100'000}}};
  check_outcome(check(problem, "mirror-descent", near), Verdict::holds, Grade::observed);
  Parameters far = near;
  far["starts"] = std::vector<RationalPoint>{{-300, 600}};
  const Checked finding = check(problem, "mirror-descent", far);
  check_outcome(finding, Verdict::undecided, Grade::observed);
  BOOST_TEST(finding.message.find("the direction error is 0.1") != std::string::npos, finding.message);
}

BOOST_AUTO_TEST_CASE(a_run_that_ends_at_another_selection_is_undecided) {
  const Parameters parameters = {{"q", Rational(3)}, {"selection", Selection{0}}, {"starts", std::vector<RationalPoint>{{20, -10, 0}}}};
  const Checked finding = check(problem_of("one-input/distinct"), "mirror-descent", parameters);
  check_outcome(finding, Verdict::undecided, Grade::observed);
  BOOST_TEST(finding.message.find("it ends at selection (1)") != std::string::npos, finding.message);
}

BOOST_AUTO_TEST_CASE(neighbours_are_those_of_the_lq_svm) {
  const Problem problem = neighbour_by_q();
  const Checked two = check(problem, "mirror-descent", {{"q", Rational(2)}, {"selection", Selection{0}}});
  check_outcome(two, Verdict::holds, Grade::observed);
  const Checked three = check(problem, "mirror-descent", {{"q", Rational(3)}, {"selection", Selection{0}}});
  check_outcome(three, Verdict::inapplicable, Grade::observed);
  BOOST_TEST(three.message.find("neighbour [0,2] scores at least as much") != std::string::npos, three.message);
  const Checked low = check(problem, "mirror-descent", {{"q", Rational(7, 4)}, {"selection", Selection{0}}});
  check_outcome(low, Verdict::holds, Grade::observed);
  BOOST_TEST(name_of(hypothesis_of(low, "locally optimal selection").grade) == "observed");
}

BOOST_AUTO_TEST_CASE(it_does_not_apply_where_a_hypothesis_fails) {
  Problem same = one_input();
  same.W = ExactMatrix::from_doubles(3, 3, {0, 0, 0, 0, 0, 0, 0, 0, 0});
  const Checked infeasible = check(same, "mirror-descent", {{"q", Rational(3)}});
  check_outcome(infeasible, Verdict::inapplicable, Grade::proved);
  certificate_of(infeasible, "p-svm", "svm-infeasible");
  Problem rising = one_input();
  rising.loss = written("u");
  check_outcome(check(rising, "mirror-descent", {{"q", Rational(3)}}), Verdict::inapplicable, Grade::proved);
  const Checked tie = check(one_input(), "mirror-descent", {{"q", Rational(3)}, {"selection", Selection{1}}});
  check_outcome(tie, Verdict::inapplicable, Grade::observed);
}

BOOST_AUTO_TEST_CASE(one_row_keeps_the_run_on_its_ray) {
  const Problem problem = drawn::made_of({ExactMatrix::from_doubles(2, 2, {1, 0.5, 0, 0})}, {1}, {1, 1});
  for (const double q : {1.75, 2.0, 3.0}) {
    const Checked finding = check(problem, "mirror-descent", {{"q", exponent(q)}});
    check_outcome(finding, Verdict::holds, Grade::observed);
    const Json& on_the_ray = finding.numbers.at("runs").at(0);
    BOOST_TEST(on_the_ray.at("direction_error").get<double>() <= 1e-10);
    BOOST_TEST(on_the_ray.at("rate").is_null());
    BOOST_TEST(number(finding, "direction_error") > 1e-10);  // off it the run only comes near
    BOOST_TEST(nearest_q(finding, 0) == q);
  }
}

BOOST_AUTO_TEST_CASE(an_error_that_merely_does_not_grow_is_no_convergence) {
  // One row (1, 1): off its ray the error falls like norm^(1-q), by less than half over these runs. On it the run stays, whatever q is.
  const Problem problem = drawn::made_of({ExactMatrix::from_doubles(2, 2, {1, 1, 0, 0})}, {1}, {1, 1});
  for (const double q : {1.02, 1.05, 1.1}) {
    const Checked finding = check(problem, "mirror-descent", {{"q", exponent(q)}});
    check_outcome(finding, Verdict::undecided, Grade::observed);
    BOOST_TEST(finding.message.find("off the direction and is still") != std::string::npos, finding.message);
  }
  check_outcome(check(problem, "mirror-descent", {{"q", exponent(1.75)}}), Verdict::holds, Grade::observed);
}

BOOST_AUTO_TEST_CASE(constant_steps_of_mirror_descent_never_contradict_it) {
  for (const double q : {1.75, 3.0})
    for (const Rational& step : {Rational(1, 10), Rational(1000)}) {
      const Checked finding =
          check(problem_of("multi-input/multi-input"), "mirror-descent",
                {{"q", exponent(q)}, {"method", std::string("constant")}, {"step", step}, {"iterations", std::int64_t{5000}}});
      BOOST_TEST(name_of(finding.verdict) != "fails", finding.message);
      BOOST_TEST(name_of(finding.verdict) != "inapplicable", finding.message);
    }
}

BOOST_AUTO_TEST_CASE(an_exponent_beyond_what_is_solved_is_undecided) {
  const drawn::Instance data = drawn::random_instance(3, 3, 10, 1000);
  const Checked finding = check(data.problem, "mirror-descent", {{"q", exponent(1e6)}});
  check_outcome(finding, Verdict::undecided, Grade::observed);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
