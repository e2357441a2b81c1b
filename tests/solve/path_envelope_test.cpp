#include "attest/exact/path_envelope.hpp"

#include "attest/exact/loss_bounds.hpp"
#include "attest/solve/active_set_guess.hpp"
#include "attest/solve/descent.hpp"
#include "attest/solve/row_shift.hpp"
#include "drawn_data.hpp"
#include "sphere_multistart.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <memory>

namespace attest {
namespace {

using Eigen::VectorXd;

/// Data with all that an envelope is proved from.
struct Solved {
  Problem problem;
  Selection selection;
  Parametrisation parametrisation;
  ExactTokens tokens;
  Scores scores;
  SvmProgram program;
  SvmSolution solution;
  LossBounds loss;
  RationalInterval interval;
  VectorXd w;

  static SvmSolution solved(const SvmProgram& program) {
    return std::get<SvmSolution>(decide_svm(program, guess_active_set(program, Budget(60)).rows, Budget(60)));
  }

  Solved(Problem given, Selection chosen, Parametrisation over, VectorXd direction)
      : problem(std::move(given)), selection(std::move(chosen)), parametrisation(over), tokens(problem), scores(exact_scores(problem)),
        program(over == Parametrisation::weights ? SvmProgram::w_svm(tokens, selection) : SvmProgram::p_svm(tokens, selection)),
        solution(solved(program)), loss(std::get<LossBounds>(bound_loss(problem.loss, interval_of(scores), Budget(60)))),
        interval(interval_of(scores)), w(std::move(direction)) {}
  Solved(const Solved&) = delete;
  Solved& operator=(const Solved&) = delete;

  EnvelopeFacts facts() const { return {program, solution, scores, loss, interval}; }
  NumericProblem numeric() const { return NumericProblem(problem, parametrisation); }
};

using SolvedPointer = std::unique_ptr<Solved>;

SolvedPointer random_prompt(std::size_t n, std::size_t T, std::size_t d, unsigned seed, const Loss& loss) {
  drawn::Instance data = drawn::random_instance(n, T, d, seed, loss);
  return std::make_unique<Solved>(data.problem, data.selection, Parametrisation::prompt, data.p_mm);
}

SolvedPointer random_weights(std::size_t n, std::size_t T, std::size_t d, unsigned seed, const Loss& loss) {
  drawn::WeightInstance data = drawn::random_weight_instance(n, T, d, seed, loss);
  return std::make_unique<Solved>(data.problem, data.selection, Parametrisation::weights, data.W_mm);
}

/// Hints at these radii from minimisers of the tests' own.
std::vector<EnvelopeHint> hints_of(const Solved& data, std::vector<double> radii) {
  const NumericProblem numeric = data.numeric();
  const multistart::Excess excess(numeric, data.scores, data.selection);
  std::vector<EnvelopeHint> hints;
  for (const double radius : radii) {
    const VectorXd p = radius * multistart::minimise(excess, data.w.normalized(), radius).direction;
    hints.push_back({radius, shift_of_rows(numeric, data.selection, p, data.w)});
  }
  return hints;
}

const std::vector<double> some_radii = {4, 16, 64, 256, 1024, 0x1p14, 0x1p20};

/// How many minimisers are compared: ATTEST_MINIMISERS=10000 for the long form.
std::size_t minimisers_asked() {
  const char* text = std::getenv("ATTEST_MINIMISERS");
  return text == nullptr ? 600 : static_cast<std::size_t>(std::atol(text));
}

/// Bounds below this are those of minimisers on the ray itself, where doubles see rounding alone.
constexpr double visible_bound = 1e-12;

struct Comparison {
  std::size_t inside = 0;
  double nearest = 0;  // the largest error over its bound

  /// Those of the lowest value against the envelope, each to the accuracy to which Newton's method came to rest.
  void compare(const Solved& data, const certified::PathEnvelope& envelope, double radius, std::mt19937_64& random) {
    const multistart::Excess excess(data.numeric(), data.scores, data.selection);
    const auto found = multistart::minima(excess, data.w, radius, 6, random);
    const auto bound = envelope_bound(envelope, radius);
    BOOST_TEST_REQUIRE(bound.has_value());
    for (const multistart::Minimum& one : found) {
      if (!(one.value <= found.front().value + 1e-12 * std::abs(found.front().value)) || !(one.last_step <= 1e-6 / radius)) continue;
      const double error = direction_error(one.direction, data.w);
      BOOST_TEST(error <= *bound + 10 * one.last_step + 1e-15, "R = " << radius << ", error " << error << ", bound " << *bound);
      if (*bound >= visible_bound) nearest = std::max(nearest, error / *bound);
      ++inside;
    }
  }
};

BOOST_AUTO_TEST_SUITE(path_envelope)

BOOST_AUTO_TEST_CASE(minimisers_found_by_multistart_at_random_radii_lie_inside) {
  const std::size_t asked = minimisers_asked();
  std::mt19937_64 random(7);
  Comparison comparison;
  unsigned seed = 100;
  for (; comparison.inside < asked && seed < 100 + 20 * asked; ++seed) {
    const Loss losses[] = {Loss::logistic(), Loss::exponential(), Loss::correlation()};
    const Loss& loss = losses[seed % 3];
    const SolvedPointer data =
        seed % 5 == 0 ? random_weights(2, 3, 2, seed, loss) : random_prompt(2 + seed % 3, 3 + seed % 2, 3 + seed % 3, seed, loss);
    const auto envelope = prove_path_envelope(data->facts(), hints_of(*data, some_radii), Budget(60));
    BOOST_TEST_REQUIRE(envelope.has_value());
    const double first = nearest_double(envelope->envelope.front().radius);
    std::uniform_real_distribution<double> exponent(std::log2(first), 21);
    for (int k = 0; k < 6; ++k) comparison.compare(*data, *envelope, std::exp2(exponent(random)), random);
    comparison.compare(*data, *envelope, first, random);
  }
  BOOST_TEST_MESSAGE(comparison.inside << " minimisers of " << seed - 100 << " problems, the nearest at " << comparison.nearest
                                       << " of its bound");
  BOOST_TEST(comparison.inside >= asked);
  BOOST_TEST(comparison.nearest > 0.5);  // the bounds are not idle
  BOOST_TEST(comparison.nearest <= 1 + 1e-6);
}

BOOST_AUTO_TEST_CASE(at_its_own_radius_a_bound_is_nearly_the_error_and_the_rate_is_that_of_the_path) {
  const SolvedPointer data = random_prompt(3, 4, 5, 11, Loss::logistic());
  const auto hints = hints_of(*data, some_radii);
  const auto envelope = prove_path_envelope(data->facts(), hints, Budget(60));
  BOOST_TEST_REQUIRE(envelope.has_value());
  const multistart::Excess excess(data->numeric(), data->scores, data->selection);
  for (const double radius : {0x1p10, 0x1p14, 0x1p20}) {
    const double error = direction_error(multistart::minimise(excess, data->w.normalized(), radius).direction, data->w);
    const double bound = *envelope_bound(*envelope, radius);
    BOOST_TEST(error <= bound);
    BOOST_TEST(bound <= 1.05 * error);
  }
  BOOST_TEST_REQUIRE(envelope->envelope.back().rate.has_value());
}

BOOST_AUTO_TEST_CASE(without_a_shift_the_bound_is_weaker_and_still_true) {
  const SolvedPointer data = random_prompt(3, 4, 5, 11, Loss::logistic());
  const auto with = prove_path_envelope(data->facts(), hints_of(*data, some_radii), Budget(60));
  const auto without = prove_path_envelope(data->facts(), {}, Budget(60));
  BOOST_TEST_REQUIRE(with.has_value());
  BOOST_TEST_REQUIRE(without.has_value());
  BOOST_TEST(without->envelope.size() >= 3U);
  BOOST_TEST(with->envelope.front().radius <= without->envelope.front().radius);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
