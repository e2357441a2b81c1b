#include "attest/exact/path_envelope.hpp"

#include "attest/certificate/codec.hpp"
#include "attest/exact/joint_envelope.hpp"
#include "attest/exact/nuclear_bracket.hpp"
#include "attest/exact/path_ratio.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace attest;

namespace {

/// One input of three tokens with keys in the plane: the first scores 1, the second is a local optimum, the third is none.
Problem one_input(const Rational& second, const Rational& third) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_rationals(3, 3, {Rational(-1, 10), 1, 1, 1, 0, second, 0, 0, third})};
  problem.labels = {1};
  problem.v = ExactMatrix::from_doubles(1, 3, {0, 0, 1});
  problem.W = ExactMatrix::from_doubles(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 0});
  return problem;
}
Problem distinct() { return one_input(Rational(9, 10), 0); }

/// Two inputs with queries, separated by W = diag(1, 1)-like matrices.
Problem with_queries() {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 2, {1, 0, 0, 1}), ExactMatrix::from_doubles(3, 2, {2, 0, 0.5, 1, 0, 2})};
  problem.labels = {1, 1};
  problem.v = ExactMatrix::from_doubles(1, 2, {1, 0});
  problem.queries = ExactMatrix::from_doubles(2, 2, {1, 0, 1, 0.5});
  return problem;
}

struct Solved {
  ExactTokens tokens;
  Scores scores;
  SvmProgram program;
  SvmSolution solution;
  RationalInterval interval;
  LossBounds loss;

  Solved(const Problem& problem, const Selection& selection, SvmProgram::Kind kind = SvmProgram::Kind::p)
      : tokens(problem), scores(exact_scores(problem)),
        program(kind == SvmProgram::Kind::w ? SvmProgram::w_svm(tokens, selection) : SvmProgram::p_svm(tokens, selection)),
        solution(std::get<SvmSolution>(decide_svm(program, {}, Budget(60)))), interval(interval_of(scores)),
        loss(std::get<LossBounds>(bound_loss(problem.loss, interval, Budget(60)))) {}
  Solved(const Solved&) = delete;
  Solved& operator=(const Solved&) = delete;

  EnvelopeFacts facts() const { return {program, solution, scores, loss, interval}; }
  auto envelope() const { return prove_path_envelope(facts(), {}, Budget(60)); }
  auto in_cone() const { return prove_cone_envelope(facts(), {}, Budget(60)); }
};

const Rational* radius_of(const certified::PathEnvelope& envelope, double radius) {
  for (const auto& entry : envelope.envelope)
    if (entry.radius == exact_value(radius)) return &entry.radius;
  return nullptr;
}

/// W = A B^T for with_queries: the first row 4 (1, 0), the second -4 (1, 0): rows are 4 (D_1 - D_2) z_1.
std::optional<NuclearBracket> bracket_of(const SvmProgram& program) {
  const std::vector<double> A = {2, -2};
  const std::vector<double> B = {2, 0};
  const std::vector<double> multipliers(program.row_count(), 0.125);
  return prove_nuclear_bracket(program, {1, A, B, multipliers});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(path_envelope)

BOOST_AUTO_TEST_CASE(the_globally_optimal_selection_has_an_envelope_at_the_standard_radii_and_further_in) {
  const Problem problem = distinct();
  const Solved data(problem, {0});
  const auto envelope = data.envelope();
  BOOST_TEST_REQUIRE(envelope.has_value());
  for (const double radius : {0x1p10, 0x1p14, 0x1p20}) BOOST_TEST(radius_of(*envelope, radius) != nullptr);
  BOOST_TEST(envelope->envelope.front().radius < 1024);
  BOOST_TEST(envelope->envelope.size() == envelope->entries.size());
  BOOST_TEST(!envelope->cone.has_value());
  BOOST_TEST(*envelope_bound(*envelope, 0x1p20) < 1e-4);
  BOOST_TEST(!envelope_bound(*envelope, 0x1p-10).has_value());
  const WrittenCertificate text = written(*envelope);
  BOOST_TEST(text.claim == "path");
  BOOST_TEST(text.statement.at("kind") == "path-envelope");
  BOOST_TEST(text.statement.at("cone").is_null());
}

BOOST_AUTO_TEST_CASE(a_tie_has_none) {
  const Problem problem = one_input(1, 0);
  BOOST_TEST(!Solved(problem, {0}).envelope().has_value());
}

BOOST_AUTO_TEST_CASE(a_local_optimum_has_none_but_in_a_cone) {
  const Problem problem = distinct();
  const Solved data(problem, {1});
  BOOST_TEST(!data.envelope().has_value());
  const auto envelope = data.in_cone();
  BOOST_TEST_REQUIRE(envelope.has_value());
  BOOST_TEST_REQUIRE(envelope->cone.has_value());
  BOOST_TEST(envelope->cone->opening > 0);
  for (const auto& entry : envelope->envelope) {
    BOOST_TEST(entry.radius >= envelope->cone->radius);
    BOOST_TEST(!entry.rate.has_value());
  }
  for (const auto& shown : envelope->entries) {
    BOOST_TEST_REQUIRE(shown.stage.floor.has_value());
    BOOST_TEST((shown.first.has_value() || *shown.stage.floor == envelope->cone->radius));
  }
  BOOST_TEST(*envelope_bound(*envelope, 0x1p20) < 1e-2);
}

BOOST_AUTO_TEST_CASE(a_selection_that_is_not_locally_optimal_has_none_in_any_cone) {
  const Problem problem = distinct();
  BOOST_TEST(!Solved(problem, {2}).in_cone().has_value());
}

BOOST_AUTO_TEST_CASE(a_wrong_hint_costs_nothing_but_sharpness) {
  const Problem problem = distinct();
  const Solved data(problem, {0});
  const std::vector<EnvelopeHint> hints = {{1024, {{{0, 1}, 1e6}, {{0, 2}, -3e5}}}, {0x1p14, {{{0, 1}, std::nan("")}}}};
  const auto envelope = prove_path_envelope(data.facts(), hints, Budget(60));
  BOOST_TEST_REQUIRE(envelope.has_value());
  BOOST_TEST(*envelope_bound(*envelope, 0x1p14) == *envelope_bound(*data.envelope(), 0x1p14));
}

BOOST_AUTO_TEST_CASE(weights_have_an_envelope_of_their_own) {
  const Problem problem = with_queries();
  const Solved data(problem, {0, 0}, SvmProgram::Kind::w);
  const auto envelope = data.envelope();
  BOOST_TEST_REQUIRE(envelope.has_value());
  BOOST_TEST(written(*envelope).claim == "w-path");
  BOOST_TEST(written(*envelope).statement.at("over") == "W");
}

BOOST_AUTO_TEST_CASE(a_path_in_nuclear_balls_has_a_bound_of_its_ratio) {
  const Problem problem = with_queries();
  const Solved data(problem, {0, 0}, SvmProgram::Kind::w);
  const auto bracket = bracket_of(data.program);
  BOOST_TEST_REQUIRE(bracket.has_value());
  const double radii[] = {16, 1024, 0x1p20};
  const auto ratio = prove_path_ratio({data.program, *bracket, data.scores, data.loss, data.interval}, radii, Budget(60));
  BOOST_TEST_REQUIRE(ratio.has_value());
  const double least = nearest_double(bracket->upper / bracket->lower);
  BOOST_TEST(*ratio_bound(*ratio, 0x1p20) >= least);
  BOOST_TEST(*ratio_bound(*ratio, 0x1p20) <= least * (1 + 1e-3));
  BOOST_TEST(written(*ratio).claim == "kq-path");
}

BOOST_AUTO_TEST_CASE(a_path_in_nuclear_balls_to_another_selection_has_none) {
  Problem problem = with_queries();
  problem.v = ExactMatrix::from_doubles(1, 2, {0, 1});
  const Solved data(problem, {0, 0}, SvmProgram::Kind::w);
  const double radii[] = {1024, 0x1p20};
  BOOST_TEST(
      !prove_path_ratio({data.program, *bracket_of(data.program), data.scores, data.loss, data.interval}, radii, Budget(60)).has_value());
}

BOOST_AUTO_TEST_CASE(the_head_of_a_joint_path_has_a_bound_from_the_slope_of_assumption_b) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 2, {0, 0, 1, 1}), ExactMatrix::from_doubles(2, 2, {0, 0, 1, -1}),
                    ExactMatrix::from_doubles(2, 2, {0, 0, 0.5, 1})};
  problem.labels = {1, -1, 1};
  const ExactTokens tokens(problem);
  const Selection selection = {1, 1, 1};
  const AssumptionBOutcome b = decide_assumption_b(tokens, selection, AttentionOver::all, Budget(60));
  const SvmProgram v = SvmProgram::v_svm(tokens, selection);
  const SvmProgram p = SvmProgram::p_svm(tokens, selection);
  const SvmSolution solution = std::get<SvmSolution>(decide_svm(p, {}, Budget(60)));
  const JointFacts facts{v, std::get<AssumptionBProof>(b), p, solution};
  const auto near = prove_joint_envelope(facts, {1024, 64}, {0, 1024});
  const auto far = prove_joint_envelope(facts, {0x1p20, 1024}, {0, 0x1p20});
  BOOST_TEST_REQUIRE(far.has_value());
  BOOST_TEST(*head_bound(*far, 0x1p20) < 0.01);
  BOOST_TEST(!head_bound(*far, 1024).has_value());
  BOOST_TEST_REQUIRE(near.has_value());
  BOOST_TEST(*head_bound(*far, 0x1p20) <= *head_bound(*near, 1024));
  BOOST_TEST(written(*far).statement.at("kind") == "joint-envelope");
  // Too near nothing closes.
  BOOST_TEST(!prove_joint_envelope(facts, {0.125, 0.125}, {0, 0.125}).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
