#include "attest/claims/claim.hpp"
#include "claim_check.hpp"
#include "papers_data.hpp"

#include <cmath>

namespace attest {
namespace {

/// Two samples with the tokens e1, e2 and parallel queries.
Problem opposed() { return problem_of("weights/opposed"); }

double frobenius(const Checked& finding) { return std::sqrt(2 * number(finding, "objective")); }

BOOST_AUTO_TEST_SUITE(weight_claims)

// The norms are Clarabel's, from the papers' experiments; its relative gaps are below 1e-9.
BOOST_AUTO_TEST_CASE(the_frobenius_norms_of_the_experiments_are_found) {
  const Checked rank = check(problem_of("weights/rank"), "w-svm", {{"selection", Selection{4, 1, 3, 0, 2}}});
  check_outcome(rank, Verdict::holds, Grade::proved);
  BOOST_TEST(std::abs(frobenius(rank) / 2.604258891 - 1) <= 1e-9);
  BOOST_TEST(number(rank, "rank") == 5);
  // Of the exact objective, the doubles beside it.
  const Rational objective = *parse_rational(rank.numbers.at("objective_exact").get<std::string>());
  BOOST_TEST((exact_value(number(rank, "lower")) <= objective && objective <= exact_value(number(rank, "upper"))));
  BOOST_TEST(std::nextafter(number(rank, "lower"), HUGE_VAL) >= number(rank, "upper"));
  const Checked local = check(problem_of("weights/local-converge"), "w-svm");
  BOOST_TEST((*local.selection == Selection{7, 4, 6, 1, 3, 2}));
  BOOST_TEST(std::abs(frobenius(local) / 2.907373890 - 1) <= 1e-9);
  BOOST_TEST(number(local, "rank") == 6);
  const Checked flat = check(problem_of("weights/visualization"), "w-svm", {{"selection", Selection{0, 2}}});
  BOOST_TEST(std::abs(frobenius(flat) / 8.685735 - 1) <= 1e-9);
  // Half the squared distance to the solution is at most Clarabel's gap in 1/2 |W|^2, 7.5e-8.
  const Json& W = flat.numbers.at("solution");
  BOOST_TEST(std::abs(W[0][1].get<double>() + 2.70286139574399) <= 4e-4);
  BOOST_TEST(std::abs(W[1][0].get<double>() - 5.371362694254556) <= 4e-4);
}

BOOST_AUTO_TEST_CASE(a_bracket_of_an_objective_beyond_doubles_holds_it_and_its_margin_is_a_double) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_rationals(2, 1, {*parse_rational("1e-150"), Rational(0)})};
  problem.labels = {1};
  const Checked finding = check(problem, "w-svm", {{"selection", Selection{0}}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(number(finding, "lower") == std::numeric_limits<double>::max());
  BOOST_TEST(finding.numbers.at("upper").is_null());
  BOOST_TEST(std::abs(number(finding, "margin") / 1e-300 - 1) <= 1e-12);  // of the row x z = 10^-300, W = 10^300
}

BOOST_AUTO_TEST_CASE(a_w_svm_has_the_objective_that_its_larger_row_demands) {
  const Checked finding = check(opposed(), "w-svm", {{"selection", Selection{0, 1}}, {"objective", Rational(1, 5)}});
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST((keys_of(finding.numbers) == Keys{"objective", "objective_exact", "lower", "upper", "margin", "rank", "solution", "support"}));
  BOOST_TEST(number(finding, "rank") == 1);
  BOOST_TEST((finding.numbers.at("support") == Json::parse("[[1, 0]]")));
  const WrittenCertificate certificate = certificate_of(finding, "w-svm", "svm-optimal");
  BOOST_TEST((keys_of(certificate.witness) == Keys{"lambda"}));
}

BOOST_AUTO_TEST_CASE(a_w_svm_of_another_objective_fails) {
  const Checked finding = check(opposed(), "w-svm", {{"selection", Selection{0, 1}}, {"objective", Rational(2, 5)}});
  check_outcome(finding, Verdict::fails, Grade::proved);
}

BOOST_AUTO_TEST_CASE(opposite_queries_contradict_each_other) {
  const Checked finding = check(opposed(), "w-svm", {{"selection", Selection{0, 0}}});
  check_outcome(finding, Verdict::fails, Grade::proved);
  certificate_of(finding, "w-svm", "svm-infeasible");
  BOOST_TEST((finding.numbers.at("farkas_rows") == Json::parse("[[0, 1], [1, 1]]")));
}

BOOST_AUTO_TEST_CASE(independent_tokens_and_queries_are_enough) {
  const Checked finding = check(problem_of("weights/rank"), "overparametrised");
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST((keys_of(finding.numbers) == Keys{"rank", "query_rank", "needed", "needed_queries", "feasible_for_all"}));
  BOOST_TEST((finding.numbers.at("rank") == Json::parse("[4, 4, 4, 4, 4]")));
  BOOST_TEST(number(finding, "query_rank") == 5);
  BOOST_TEST(finding.numbers.at("feasible_for_all") == true);
  const WrittenCertificate certificate = certificate_of(finding, "overparametrised", "rank");
  BOOST_TEST((certificate.statement == Json::parse(R"({"kind": "rank", "token_ranks": [4, 4, 4, 4, 4], "query_rank": 5})")));
}

BOOST_AUTO_TEST_CASE(dependent_queries_can_make_a_selection_infeasible) {
  const Checked finding = check(opposed(), "overparametrised");
  check_outcome(finding, Verdict::fails, Grade::proved);
  BOOST_TEST(number(finding, "query_rank") == 1);
  BOOST_TEST(finding.numbers.at("feasible_for_all") == false);
  certificate_of(finding, "w-svm", "svm-infeasible");
}

BOOST_AUTO_TEST_CASE(the_condition_is_not_necessary) {
  // Four corners of a square: each is the best in some direction, though the differences have rank 2 < 3.
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(4, 2, {1, 1, 1, -1, -1, 1, -1, -1})};
  problem.labels = {1};
  problem.queries = ExactMatrix::from_doubles(1, 2, {1, 2});
  const Checked finding = check(problem, "overparametrised");
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST((finding.numbers.at("rank") == Json::parse("[2]")));
  const WrittenCertificate certificate = certificate_of(finding, "overparametrised", "every-selection");
  BOOST_TEST(certificate.statement.at("count") == 4);
  BOOST_TEST(certificate.witness.at("matrices").size() == 4U);
}

BOOST_AUTO_TEST_CASE(a_token_between_others_cannot_be_selected) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(3, 2, {1, 1, 0, 0, -1, -1})};
  problem.labels = {1};
  problem.queries = ExactMatrix::from_doubles(1, 2, {1, 2});
  const Checked finding = check(problem, "overparametrised");
  check_outcome(finding, Verdict::fails, Grade::proved);
  BOOST_TEST((*finding.selection == Selection{1}));
}

BOOST_AUTO_TEST_CASE(more_selections_than_can_be_listed_are_undecided) {
  // Points of a circle: every token is the best in some direction, and the queries are independent.
  Problem problem;
  std::vector<double> queries(16, 0.0);
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<double> tokens;
    for (int t = 0; t < 9; ++t) tokens.insert(tokens.end(), {std::cos(t), std::sin(t), 0, 0});
    problem.tokens.push_back(ExactMatrix::from_doubles(9, 4, tokens));
    problem.labels.push_back(1);
    queries[5 * i] = 1;
  }
  problem.queries = ExactMatrix::from_doubles(4, 4, queries);
  const Checked finding = check(problem, "overparametrised");
  check_outcome(finding, Verdict::undecided, Grade::observed);
  BOOST_TEST(finding.numbers.at("feasible_for_all").is_null());
  BOOST_TEST(!finding.certificate.has_value());
}

const Parameters nuclear_norm = {{"norm", std::string("nuclear")}};

Checked check_nuclear_of(const std::string& name, const Selection& selection) {
  Parameters parameters = nuclear_norm;
  parameters.emplace("selection", selection);
  return check(problem_of("weights/" + name), "w-svm", parameters);
}

// Clarabel's lower bounds and objectives enclose the optimum; so does our bracket, and the two must meet.
BOOST_AUTO_TEST_CASE(the_nuclear_norms_of_the_experiments_are_bracketed) {
  struct Expected {
    const char* name;
    Selection selection;
    double lower;
    double upper;
    double rank;
  };
  for (const Expected& expected : {Expected{"rank", {4, 1, 3, 0, 2}, 4.320366340036704, 4.32036634182713, 2},
                                   Expected{"local-converge", {7, 4, 6, 1, 3, 2}, 4.348790116664538, 4.348790125313461, 2},
                                   Expected{"visualization", {0, 2}, 9.75480955461333, 9.754809563924905, 1}}) {
    const Checked finding = check_nuclear_of(expected.name, expected.selection);
    check_outcome(finding, Verdict::holds, Grade::proved);
    BOOST_TEST(number(finding, "lower") <= expected.upper, expected.name);
    BOOST_TEST(number(finding, "upper") >= expected.lower, expected.name);
    BOOST_TEST(number(finding, "gap") <= 1e-8, expected.name);
    BOOST_TEST(number(finding, "rank") == expected.rank, expected.name);
    BOOST_TEST(number(finding, "spectrum_ratio") >= 1e4, expected.name);
    certificate_of(finding, "w-svm", "nuclear-bracket");
  }
}

BOOST_AUTO_TEST_CASE(one_row_that_implies_the_other_has_a_known_nuclear_norm) {
  // 1/2 D z^T with |D|^2 = 2, |z|^2 = 5: W = 2 D z^T / 10, of norm 2/sqrt(10).
  const Checked finding = check_nuclear_of("opposed", {0, 1});
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST((keys_of(finding.numbers) == Keys{"objective", "lower", "upper", "gap", "gap_tolerance", "rank", "singular_values",
                                               "spectrum_ratio", "solution", "support"}));
  BOOST_TEST(number(finding, "lower") <= 2 / std::sqrt(10.0));
  BOOST_TEST(number(finding, "upper") >= 2 / std::sqrt(10.0));
  BOOST_TEST(number(finding, "rank") == 1);
  BOOST_TEST((finding.numbers.at("support") == Json::parse("[[1, 0]]")));
}

BOOST_AUTO_TEST_CASE(a_nuclear_norm_that_is_given_is_met_or_refuted) {
  const auto check_objective = [](const Rational& objective) {
    Parameters parameters = nuclear_norm;
    parameters.emplace("selection", Selection{0, 1});
    parameters.emplace("objective", objective);
    return check(opposed(), "w-svm", parameters);
  };
  check_outcome(check_objective({6324555320, 10000000000}), Verdict::holds, Grade::observed);
  check_outcome(check_objective({63246, 100000}), Verdict::fails, Grade::proved);
}

BOOST_AUTO_TEST_CASE(without_queries_the_first_tokens_are_the_queries) {
  Problem alone = problem_of("weights/visualization");
  Problem written = problem_of("weights/visualization");
  const Parameters parameters{{"selection", Selection{0, 2}}};
  std::vector<double> first;
  for (const ExactMatrix& sample : alone.tokens) first.insert(first.end(), sample.image_row(0).begin(), sample.image_row(0).end());
  alone.queries.reset();
  written.queries = ExactMatrix::from_doubles(2, 2, first);
  for (const char* norm : {"frobenius", "nuclear"}) {
    Parameters with_norm = parameters;
    with_norm.emplace("norm", std::string(norm));
    const Checked of_alone = check(alone, "w-svm", with_norm);
    check_outcome(of_alone, Verdict::holds, Grade::proved);
    const auto off = [&](const Problem& problem) {
      return std::abs(number(check(problem, "w-svm", with_norm), "objective") / number(of_alone, "objective") - 1);
    };
    BOOST_TEST(off(written) <= 1e-8, norm);
    BOOST_TEST(off(problem_of("weights/visualization")) >= 1e-2, norm);
  }
}

BOOST_AUTO_TEST_CASE(an_infeasible_nuclear_program_has_no_rank) {
  const Checked finding = check_nuclear_of("opposed", {0, 0});
  check_outcome(finding, Verdict::fails, Grade::proved);
  BOOST_TEST((keys_of(finding.numbers) == Keys{"farkas_rows"}));
  certificate_of(finding, "w-svm", "svm-infeasible");
}

BOOST_AUTO_TEST_CASE(rows_that_cancel_are_an_infeasible_nuclear_program) {
  Problem problem;
  const ExactMatrix tokens = ExactMatrix::from_rationals(2, 2, {2, Rational(1, 2), -4, 2});
  problem.tokens = {tokens, tokens};
  problem.labels = {1, 1};
  for (const Selection& selection : {Selection{0, 1}, Selection{1, 0}}) {
    Parameters parameters = nuclear_norm;
    parameters.emplace("selection", selection);
    const Checked finding = check(problem, "w-svm", parameters);
    check_outcome(finding, Verdict::fails, Grade::proved);
    certificate_of(finding, "w-svm", "svm-infeasible");
  }
}

BOOST_AUTO_TEST_CASE(rows_that_are_equal_do_not_cancel) {
  Problem problem;
  const ExactMatrix tokens = ExactMatrix::from_rationals(2, 2, {2, Rational(1, 2), -4, 2});
  problem.tokens = {tokens, tokens};
  problem.labels = {1, 1};
  Parameters parameters = nuclear_norm;
  parameters.emplace("selection", Selection{0, 0});
  check_outcome(check(problem, "w-svm", parameters), Verdict::holds, Grade::proved);
}

BOOST_AUTO_TEST_CASE(without_rows_the_nuclear_norm_is_0) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(1, 2, {1, 2})};
  problem.labels = {1};
  problem.queries = ExactMatrix::from_doubles(1, 2, {1, 2});
  Parameters parameters = nuclear_norm;
  parameters.emplace("selection", Selection{0});
  const Checked finding = check(problem, "w-svm", parameters);
  check_outcome(finding, Verdict::holds, Grade::proved);
  BOOST_TEST(number(finding, "upper") == 0);
  BOOST_TEST(number(finding, "rank") == 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(prompt_weight)

BOOST_AUTO_TEST_CASE(it_is_an_identity_to_rounding) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Checked finding = check(two_inputs(), "prompt-weight", {}, seed);
    check_outcome(finding, Verdict::holds, Grade::observed);
    BOOST_TEST(number(finding, "deviation") <= 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(it_measures_rounding_by_terms_that_cancel) {
  // The gradients of the two samples cancel ever more, and W goes to 0: relative to W alone rounding has no bound.
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 1, {1, -1}), ExactMatrix::from_doubles(2, 1, {1, -1})};
  problem.labels = {1, -1};
  problem.v = ExactMatrix::from_doubles(1, 1, {-1});
  for (const std::uint64_t seed : {0U, 1U, 2U, 3U})
    check_outcome(check(problem, "prompt-weight", {}, seed), Verdict::holds, Grade::observed);
}

BOOST_AUTO_TEST_CASE(with_steps_that_let_rounding_grow_refutes_nothing) {
  Problem problem = two_inputs();
  for (const int step : {100, 10'000}) {
    const Checked finding = check(problem, "prompt-weight", {{"step", Rational(step)}, {"iterations", std::int64_t{1000}}});
    BOOST_TEST(name_of(finding.verdict) != "fails", finding.message);
    BOOST_TEST(number(finding, "gradient_error") <= 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(beyond_doubles_or_without_a_step_is_undecided) {
  check_outcome(check(two_inputs(), "prompt-weight", {{"step", exact_value(1e308)}}), Verdict::undecided, Grade::observed);
  Problem still = two_inputs();
  still.v = ExactMatrix::from_doubles(1, 2, {0, 0});
  check_outcome(check(still, "prompt-weight"), Verdict::undecided, Grade::observed);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
