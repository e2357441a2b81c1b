#include "../occurrences.hpp"
#include "claim_check.hpp"
#include "papers_data.hpp"

#include <algorithm>

// Limits of descent that claims prove: by certificates of runs, in exact numbers.

namespace attest {
namespace {

const std::vector<RationalPoint> papers_starts = {{0, 1, 0},  {0, Rational(1, 2), 0}, {0, 0, 0}, {0, Rational(-1, 2), 0},
                                                  {0, -1, 0}, {0, Rational(-3, 2), 0}};

/// The errors in doubles, from the proved iterate on, against the bound.
void check_errors(const Json& run) {
  const auto iterations = run.at("trace").at("iteration").get<std::vector<std::int64_t>>();
  const auto norms = run.at("trace").at("norm").get<std::vector<double>>();
  const auto errors = run.at("trace").at("direction_error").get<std::vector<double>>();
  std::size_t compared = 0;
  for (std::size_t k = 0; k < iterations.size(); ++k) {
    if (iterations[k] < run.at("from_iterate").get<std::int64_t>()) continue;
    BOOST_TEST(errors[k] * norms[k] <= run.at("rate_constant").get<double>() * (1 + 1e-9));
    ++compared;
  }
  BOOST_TEST(compared > 0U);
}

BOOST_AUTO_TEST_SUITE(limit_claims)

BOOST_AUTO_TEST_CASE(the_twelve_runs_of_the_papers_are_proved_with_their_rates) {
  const std::vector<std::pair<const char*, std::vector<Selection>>> figures = {{"one-input/tie", std::vector<Selection>(6, Selection{0})},
                                                                               {"one-input/distinct", {{0}, {0}, {0}, {0}, {1}, {1}}}};
  for (const auto& [name, reaches] : figures) {
    const Checked finding =
        check(problem_of(name), "descent", {{"starts", papers_starts}, {"reaches", reaches}, {"iterations", std::int64_t{1000}}});
    check_outcome(finding, Verdict::holds, Grade::proved);
    BOOST_TEST(finding.numbers.at("proved_by") == "cone");
    BOOST_TEST_REQUIRE(finding.run_certificates.size() == 6U);
    for (std::size_t k = 0; k < 6; ++k) {
      const Json& run = finding.numbers.at("runs")[k];
      BOOST_TEST(run.at("proved_by") == "cone");
      BOOST_TEST(run.at("obstacle").is_null());
      check_errors(run);
      BOOST_TEST_REQUIRE(finding.run_certificates[k].has_value());
      const Json statement = written(*finding.run_certificates[k]).statement;
      BOOST_TEST(statement.at("kind") == "descent-cone");
      BOOST_TEST((statement.at("selection") == Json(reaches[k])));
      BOOST_TEST(statement.at("step") == "1/10");  // as a case writes it, not the double
    }
  }
}

BOOST_AUTO_TEST_CASE(fewer_iterations_than_a_proof_needs_leave_a_run_open_with_the_reason) {
  const Checked finding = check(one_input(), "descent", {{"iterations", std::int64_t{5}}});
  check_outcome(finding, Verdict::undecided, Grade::observed);
  const Json& run = finding.numbers.at("runs")[0];
  BOOST_TEST(run.at("proved_by").is_null());
  BOOST_TEST(run.at("from_iterate").is_null());
  BOOST_TEST(run.at("obstacle").is_string());
  BOOST_TEST(finding.numbers.at("proved_by").is_null());
  BOOST_TEST(!finding.certificate.has_value());
  BOOST_TEST(!finding.run_certificates.front().has_value());
}

BOOST_AUTO_TEST_CASE(flow_is_proved_from_points_of_its_curve) {
  const Parameters flow = {{"method", std::string("flow")}, {"starts", points({{0, 0, 0}, {50, 100, 0}})}};
  const Checked finding = check(problem_of("one-input/distinct"), "descent", flow);
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(finding.numbers.at("runs")[0].at("from_iterate").get<int>() > 0);
  BOOST_TEST(finding.numbers.at("runs")[1].at("from_iterate") == 0);
}

BOOST_AUTO_TEST_CASE(one_run_that_is_open_leaves_the_claim_observed) {
  // At -3000 the two tokens that have the attention score the same, and the third has e^-3000 of it: too faint a pull for a run to be
  // repeated.
  const Parameters steps = {{"starts", points({{0, -3000, 0}, {50, 100, 0}})}, {"iterations", std::int64_t{100'000}}};
  const Checked finding = check(problem_of("one-input/tie"), "descent", steps);
  check_outcome(finding, Verdict::holds, Grade::observed);
  BOOST_TEST(finding.numbers.at("runs")[1].at("proved_by").is_string());
  BOOST_TEST(finding.numbers.at("runs")[0].at("proved_by").is_null());
  BOOST_TEST(finding.numbers.at("proved_by").is_null());
  BOOST_TEST(has(finding.message, "1 of 2 limits proved; run 0"), finding.message);
}

BOOST_AUTO_TEST_CASE(a_run_that_provably_goes_elsewhere_refutes_what_it_should_reach) {
  const Checked finding = check(problem_of("one-input/distinct"), "descent",
                                {{"starts", points({{0, Rational(-3, 2), 0}})}, {"reaches", std::vector<Selection>{{0}}}});
  check_outcome(finding, Verdict::fails, Grade::proved);
  BOOST_TEST(written(*finding.certificate).statement.at("selection") == Json(Selection{1}));
}

BOOST_AUTO_TEST_CASE(a_start_that_the_claim_names_refutes_gd_local_where_it_provably_goes_elsewhere) {
  const Checked finding =
      check(problem_of("one-input/distinct"), "gd-local", {{"selection", Selection{0}}, {"starts", points({{0, Rational(-3, 2), 0}})}});
  check_outcome(finding, Verdict::fails, Grade::proved);
  BOOST_TEST(has(finding.message, "provably goes to the direction of selection (1)"), finding.message);
  BOOST_TEST(written(*finding.certificate).statement.at("selection") == Json(Selection{1}));
}

BOOST_AUTO_TEST_CASE(gd_local_is_proved_for_both_optima) {
  for (const Selection& selection : {Selection{0}, Selection{1}}) {
    const Checked finding = check(problem_of("one-input/distinct"), "gd-local", {{"selection", selection}});
    check_outcome(finding, Verdict::holds, Grade::proved);
    BOOST_TEST(finding.run_certificates.size() == 5U);
    for (const Json& run : finding.numbers.at("runs")) check_errors(run);
    BOOST_TEST(has(finding.message, "; proved of all 5 runs: p/|p| -> p^mm/|p^mm|, error at most "), finding.message);
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_stops_where_its_limit_is_proved_has_the_verdict_of_the_long_one) {
  const std::string proved = "proved";
  for (const auto& [claim, name, more] :
       {std::tuple{"gd-local", "selections/two-optima", Parameters{{"selection", Selection{0, 1}}}},
        std::tuple{"gd-global", "multi-input/multi-input", Parameters{}}, std::tuple{"gd-global", "one-input/tie", Parameters{}}}) {
    const Checked long_run = check(problem_of(name), claim, more);
    Parameters stopping = more;
    stopping["stop"] = proved;
    const Checked short_run = check(problem_of(name), claim, stopping);
    check_outcome(short_run, long_run.verdict, long_run.grade);
    check_outcome(short_run, Verdict::holds, Grade::proved);
    BOOST_TEST(short_run.numbers.at("from_iterate") == long_run.numbers.at("from_iterate"));
    for (const Json& run : short_run.numbers.at("runs")) {
      const auto least = std::max<std::int64_t>(1, run.at("from_iterate").get<std::int64_t>());
      BOOST_TEST(run.at("iterations").get<std::int64_t>() == least);
    }
    BOOST_TEST(number(long_run, "iterations") >= 1000);
  }
}

BOOST_AUTO_TEST_CASE(a_run_whose_proof_does_not_close_is_watched_on) {
  // It goes to the direction of another selection, which only the run itself says.
  const Checked elsewhere =
      check(problem_of("one-input/distinct"), "gd-local",
            {{"selection", Selection{0}}, {"starts", points({{0, Rational(-3, 2), 0}})}, {"stop", std::string("proved")}});
  check_outcome(elsewhere, Verdict::fails, Grade::proved);
  BOOST_TEST(number(elsewhere, "iterations") == 100000);
  const Checked open =
      check(problem_of("one-input/distinct"), "gd-global", {{"iterations", std::int64_t{20}}, {"stop", std::string("proved")}});
  BOOST_TEST(number(open, "iterations") == 20);
  check_outcome(open, Verdict::undecided, Grade::observed);
}

BOOST_AUTO_TEST_CASE(where_verdicts_alone_are_asked_for_runs_stop_unless_they_are_told_their_length) {
  const auto iterations = [](const Parameters& parameters) {
    const Problem problem = problem_of("selections/two-optima");
    Study study(problem);
    const ClaimRequest request{"gd-local", parameters};
    const Finding finding = find_claim("gd-local")->check({study, request, 1, Budget(120), {}, true});
    check_outcome(finding, Verdict::holds, Grade::proved);
    return to_json(finding.evidence).at("iterations").get<std::int64_t>();
  };
  const Selection selection{0, 0};
  BOOST_TEST(iterations({{"selection", selection}}) < 1000);
  BOOST_TEST(iterations({{"selection", selection}, {"iterations", std::int64_t{5000}}}) == 5000);
  BOOST_TEST(iterations({{"selection", selection}, {"stop", std::string("iterations")}}) >= 10000);
}

BOOST_AUTO_TEST_CASE(with_one_sample_and_equal_scores_gd_global_is_proved_from_every_start) {
  const Checked finding = check(one_input(), "gd-global");
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(finding.numbers.at("proved_by") == "basin");
  BOOST_TEST(written(*finding.certificate).statement.at("start").is_null());
  BOOST_TEST(has(finding.message, "proved from every start"), finding.message);
  const Checked flow = check(one_input(), "gd-global", {{"method", std::string("flow")}});
  check_outcome(flow, Verdict::holds, Grade::proved);
  BOOST_TEST(written(*flow.certificate).statement.at("method") == "flow");
}

BOOST_AUTO_TEST_CASE(normalised_steps_are_proved_from_where_they_start_alone) {
  const Checked finding = check(one_input(), "gd-global", {{"method", std::string("normalised")}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(finding.numbers.at("proved_by") == "cone");
  BOOST_TEST(written(*finding.certificate).statement.at("start") == "0");
}

BOOST_AUTO_TEST_CASE(a_proved_limit_proves_that_the_run_ends_in_the_basin) {
  const Checked finding = check(problem_of("one-input/distinct"), "gd-global");
  check_outcome(finding, Verdict::holds, Grade::proved);
  const Hypothesis& basin = hypothesis_of(finding, "start in the basin");
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(name_of(basin.grade) == "proved");
  BOOST_TEST(finding.numbers.at("proved_by") == "cone");
}

BOOST_AUTO_TEST_CASE(a_proved_limit_elsewhere_proves_that_it_does_not) {
  const Checked finding = check(problem_of("selections/two-optima"), "gd-global", {{"starts", points({{10, 0, 0}})}});
  check_outcome(finding, Verdict::inapplicable, Grade::proved);
  const Hypothesis& basin = hypothesis_of(finding, "start in the basin");
  BOOST_TEST(name_of(basin.verdict) == "fails");
  BOOST_TEST(name_of(basin.grade) == "proved");
  BOOST_TEST((written(*finding.certificate).statement.at("selection") == Json(Selection{0, 1})));
  BOOST_TEST(finding.numbers.at("proved_by").is_null());  // of the conclusion
}

BOOST_AUTO_TEST_CASE(a_run_to_no_locally_optimal_direction_is_neither_blessed_nor_refuted) {
  const Checked finding = check(problem_of("selections/lagging-sample"), "gd-global", {{"starts", points({{10, 0, 0}})}});
  check_outcome(finding, Verdict::undecided, Grade::observed);
  BOOST_TEST(finding.numbers.at("runs")[0].at("proved_by").is_null());
  BOOST_TEST(finding.numbers.at("runs")[0].at("obstacle").is_string());
}

BOOST_AUTO_TEST_CASE(tightness_is_proved_where_the_run_provably_goes_elsewhere) {
  const Checked finding = check(problem_of("one-input/distinct"), "tightness", {{"selection", Selection{2}}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST((written(*finding.certificate).statement.at("selection") != Json(Selection{2})));
  BOOST_TEST(finding.numbers.at("proved_by").is_string());
}

BOOST_AUTO_TEST_CASE(cross_validation_proves_the_half_of_descent_and_stays_observed) {
  const Checked finding = check(problem_of("one-input/distinct"), "cross-validation");
  check_outcome(finding, Verdict::holds, Grade::observed);
  BOOST_TEST(finding.numbers.at("proved_by") == "cone");
  BOOST_TEST(!finding.certificate.has_value());
  BOOST_TEST(finding.run_certificates.front().has_value());
}

BOOST_AUTO_TEST_CASE(limits_on_the_weights_are_proved) {
  const Checked finding = check(problem_of("weights/visualization"), "w-gd", {{"selection", Selection{0, 2}}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(written(*finding.certificate).statement.at("over") == "W");
  BOOST_TEST(has(finding.message, "W/|W| -> W^mm/|W^mm|"), finding.message);
}

BOOST_AUTO_TEST_CASE(a_proved_limit_is_kept_and_an_open_one_is_not) {
  Study study(one_input());
  const DescentRule run{Parametrisation::prompt, StepRule::normalised, Rational(1, 10), {}};
  const auto ask = [&](std::size_t most) { return study.limit({0}, run, LimitStarts::given, most, Budget(60)); };
  const auto proved = ask(1000);
  BOOST_TEST(std::holds_alternative<ProvedLimit>(*proved));
  BOOST_TEST(ask(1000) == proved);
  const auto open = ask(1);
  BOOST_TEST(std::holds_alternative<OpenLimit>(*open));  // the answer does not hang on what was asked before
  BOOST_TEST(ask(1) != open);
}

BOOST_AUTO_TEST_CASE(without_a_direction_or_without_assumption_a_a_limit_is_open) {
  const DescentRule run{Parametrisation::prompt, StepRule::normalised, Rational(1, 10), {}};
  const auto is_open = [&](const Problem& problem) {
    Study study(problem);
    return std::holds_alternative<OpenLimit>(*study.limit({0}, run, LimitStarts::given, 1000, Budget(60)));
  };
  Problem rising = one_input();
  rising.loss = written("u");
  BOOST_TEST(is_open(rising));
  Problem same = one_input();
  same.W = ExactMatrix::from_doubles(3, 3, std::vector<double>(9, 0));
  BOOST_TEST(is_open(same));
  BOOST_TEST(!is_open(one_input()));
}

/// L_p is beyond doubles, so that 1/L_p would be 0: steps of no length converge nowhere.
BOOST_AUTO_TEST_CASE(without_a_step_nothing_is_proved_of_constant_steps) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 1, {1000, -1000})};
  problem.labels = {1};
  problem.v = ExactMatrix::from_doubles(1, 1, {1});
  problem.loss = Loss::exponential();
  for (const char* claim : {"gd-global", "gd-local", "descent"}) {
    const Checked finding = check(problem, claim, {{"method", std::string("constant")}});
    BOOST_TEST((finding.verdict == Verdict::undecided), claim);
    BOOST_TEST(!finding.certificate.has_value(), claim);
  }
  problem.tokens = {ExactMatrix::from_doubles(2, 1, {1, -1})};
  check_outcome(check(problem, "gd-global", {{"method", std::string("constant")}}), Verdict::holds, Grade::proved);
}

/// On large data normalised steps are longer where the tight rows allow it; what is proved is of these.
BOOST_AUTO_TEST_CASE(certificates_state_the_step_of_the_runs) {
  constexpr std::size_t tokens = 500;
  constexpr std::size_t d = 110;
  std::vector<double> numbers(tokens * d, 0.0);
  numbers[0] = 0x1p-7;
  for (std::size_t t = 2; t < tokens; ++t) numbers[t * d] = -0x1p-5;
  std::vector<double> v(d, 0.0);
  v[0] = 128;
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(tokens, d, numbers)};
  problem.labels = {1};
  problem.v = ExactMatrix::from_doubles(1, d, v);
  const Checked finding = check(problem, "gd-local", {{"method", std::string("normalised")}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  const double step = number(finding, "step");
  BOOST_TEST(step > 1);
  BOOST_TEST_REQUIRE(!finding.run_certificates.empty());
  for (const auto& certificate : finding.run_certificates) {
    BOOST_TEST_REQUIRE(certificate.has_value());
    BOOST_TEST(nearest_double(*parse_rational(written(*certificate).statement.at("step").get<std::string>())) == step);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
