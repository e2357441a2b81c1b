#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>
#include <tuple>

#include "descent_run.hpp"
#include "spectral.hpp"
#include "step_derivative.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(run_ball)

namespace {

using Real = boost::multiprecision::number<boost::multiprecision::gmp_float<120>>;
using Vector = std::vector<Real>;

/// Two samples of three tokens in four dimensions.
const std::string two_inputs = R"({"tokens":
    [[["-6/5","8/5","-8/5","-2/5"],["-13/10","11/10","4/5","1"],["2/5","-7/10","-7/5","11/10"]],
     [["-19/10","2/5","7/10","9/5"],["-2","4/5","-3/10","-3/5"],["17/10","-7/5","0","-19/10"]]],
    "labels": [1,-1], "v": ["-19/10","-19/10","7/5","-2"], "loss": )";
/// Two pairs of samples that pull against each other: L has its minimum in a valley near 0.
const std::string valley = R"({"tokens":
    [[["1","0","1"],["0","0","0"]],[["-1","0","-1"],["0","0","0"]],[["0","2","1"],["0","0","0"]],[["0","-2","-1"],["0","0","0"]]],
    "labels": [1,-1,1,-1], "v": ["0","0","1"], "loss": )";
/// The keys (-1/10,1), (1,0), 0 with the scores 1, 9/10, 0.
const std::string one_input = R"({"tokens": [[["-1/10","1","1"],["1","0","9/10"],["0","0","0"]]], "labels": [1], "v": ["0","0","1"],
    "W": [["1","0","0"],["0","1","0"],["0","0","0"]], "loss": )";
/// The keys −1, 0, 1 with the scores 0, 1, 1/2: ∇L is 0 at p = log(1 + √3) = 1.00505…
const std::string three_keys = R"({"tokens": [[["-1","0"],["0","1"],["1","1/2"]]], "labels": [1], "v": ["0","1"],
    "W": [["1","0"],["0","0"]], "loss": )";
const LossBounds bounds{-4, 1, -1, 1, 60};

struct Given {
  explicit Given(const std::string& loss, const std::string& data = two_inputs)
      : document(JsonDocument::parse(data + loss + "}")), problem(document.root()) {
    for (const auto& sample : keys_of(problem)) {
      keys.emplace_back();
      for (const ScaledVector& key : sample) {
        keys.back().emplace_back();
        for (std::size_t a = 0; a < key.size(); ++a) keys.back().back().emplace_back(key[a]);
      }
    }
  }

  JsonDocument document;
  Problem problem;
  Scores scores = scores_of(problem);
  std::vector<std::vector<Vector>> keys;
};

Real dot(const Vector& x, const Vector& y) {
  Real sum = 0;
  for (std::size_t a = 0; a < x.size(); ++a) sum += x[a] * y[a];
  return sum;
}

/// −∇L with 120 digits, by the textbook formula.
Vector descent_at(const Given& given, const Vector& p) {
  Vector g(p.size(), 0);
  for (std::size_t i = 0; i < given.keys.size(); ++i) {
    Vector s;
    Real total = 0;
    Real output = 0;
    for (std::size_t t = 0; t < given.keys[i].size(); ++t) {
      s.push_back(exp(dot(given.keys[i][t], p)));
      total += s.back();
      output += s.back() * Real(given.scores[i][t]);
    }
    output /= total;
    const Real slope = given.problem.loss.text() == "exponential" ? Real(exp(-output)) : Real(1 / (1 + exp(output)));
    for (std::size_t t = 0; t < s.size(); ++t) {
      Real gain = 0;  // γ_t − output, without the cancellation
      for (std::size_t other = 0; other < s.size(); ++other) gain += s[other] / total * Real(given.scores[i][t] - given.scores[i][other]);
      for (std::size_t a = 0; a < p.size(); ++a) g[a] += slope * s[t] / total * gain * given.keys[i][t][a] / given.keys.size();
    }
  }
  return g;
}

Vector moved(Vector p, const Real& by, const Vector& along) {
  for (std::size_t a = 0; a < p.size(); ++a) p[a] += by * along[a];
  return p;
}

Vector stepped(const Given& given, const Vector& p, const Real& step, bool normalised) {
  const Vector g = descent_at(given, p);
  return moved(p, normalised ? Real(step / sqrt(dot(g, g))) : step, g);
}

/// The point at a length of the curve of the flow, by the method of Runge and Kutta: with pieces of 1/256 it errs by less than 1e-6.
Vector along_the_curve(const Given& given, Vector p, const Real& piece, std::size_t pieces) {
  const auto unit = [&](const Vector& at) {
    const Vector g = descent_at(given, at);
    return moved(Vector(g.size(), 0), 1 / sqrt(dot(g, g)), g);
  };
  for (std::size_t k = 0; k < pieces; ++k) {
    const Vector first = unit(p);
    const Vector second = unit(moved(p, piece / 2, first));
    const Vector third = unit(moved(p, piece / 2, second));
    const Vector last = unit(moved(p, piece, third));
    p = moved(moved(moved(moved(p, piece / 6, first), piece / 3, second), piece / 3, third), piece / 6, last);
  }
  return p;
}

Real number(const Dyadic& x) { return ldexp(Real(x.mantissa), static_cast<int>(x.exponent)); }

RunEnd follow(const Given& given, Method method, const Rational& step, std::size_t iterations, std::size_t bits) {
  const LimitRows rows(given.problem, Over::p, Selection(given.problem.tokens.size(), 0));
  std::vector<Rational> p(given.problem.dimension(), 0);
  p[0] = Rational(1, 3);
  const std::vector<ScaledVector> start{scale(p)};
  return follow_run({&given.problem, &given.scores, &rows, bounds, method, start, step, iterations, bits});
}

bool contains(const Interval& x, const Real& value) { return number(x.lower) <= value && value <= number(x.upper); }

void check_contains(const Interval& x, const Real& value, const Real& width) {
  BOOST_TEST(contains(x, value));
  BOOST_TEST((number(x.upper) - number(x.lower) < width));
}

SquareMatrix random_matrix(std::size_t d, std::mt19937& random) {
  std::normal_distribution<double> normal;
  SquareMatrix a(d);
  for (std::size_t r = 0; r < d; ++r)
    for (std::size_t c = 0; c < d; ++c) a.row(r)[c] = normal(random);
  return a;
}

/// A lower bound of ‖A‖ that 3000 rounds of power iteration bring near it.
double norm_from_below(const SquareMatrix& a) {
  const std::size_t d = a.size();
  std::vector<long double> x(d);
  for (std::size_t r = 0; r < d; ++r) x[r] = 1 + 1.0L / static_cast<long double>(r + 1);
  long double norm = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<long double> y(d);
    std::vector<long double> z(d);
    for (std::size_t r = 0; r < d; ++r)
      for (std::size_t c = 0; c < d; ++c) y[r] += a.row(r)[c] * x[c];
    for (std::size_t r = 0; r < d; ++r)
      for (std::size_t c = 0; c < d; ++c) z[c] += a.row(r)[c] * y[r];
    long double xx = 0;
    long double yy = 0;
    long double zz = 0;
    for (std::size_t r = 0; r < d; ++r) {
      xx += x[r] * x[r];
      yy += y[r] * y[r];
      zz += z[r] * z[r];
    }
    norm = std::sqrt(yy / xx);
    for (std::size_t r = 0; r < d; ++r) x[r] = z[r] / std::sqrt(zz);
  }
  return static_cast<double>(norm * (1 - 1e-15L));
}

}  // namespace

BOOST_AUTO_TEST_CASE(numbers_in_doubles_hold_the_results_on_all_they_hold) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-3, 3);
  const auto holds = [](const Near& x, const Rational& value) { return abs(Rational(x.mid) - value) <= Rational(x.radius); };
  for (int round = 0; round < 2000; ++round) {
    const Near x{uniform(random), round % 3 == 0 ? 0 : std::fabs(uniform(random)) * 1e-9};
    const Near y{uniform(random), round % 5 == 0 ? 0 : std::fabs(uniform(random)) * 1e-14};
    for (const int i : {-1, 1})
      for (const int j : {-1, 1}) {
        const Rational a = Rational(x.mid) + i * Rational(x.radius);
        const Rational b = Rational(y.mid) + j * Rational(y.radius);
        BOOST_TEST(holds(x + y, a + b));
        BOOST_TEST(holds(x - y, a - b));
        BOOST_TEST(holds(x * y, a * b));
        BOOST_TEST(holds(near(Rational(a * b / 7)), a * b / 7));
        const Near positive{std::fabs(y.mid) + 1e-6, y.radius};
        const Rational c = Rational(positive.mid) + j * Rational(y.radius);
        BOOST_TEST(holds(reciprocal(positive), 1 / c));
        const Near half = root(positive);
        const Rational low = Rational(half.mid) - Rational(half.radius);
        const Rational high = Rational(half.mid) + Rational(half.radius);
        BOOST_TEST((low * low <= c && c <= high * high));
      }
  }
  BOOST_CHECK_THROW(static_cast<void>(reciprocal(Near{1e-3, 2e-3})), Undefined);
  BOOST_CHECK_THROW(static_cast<void>(root(Near{-1, 0})), Undefined);
  BOOST_CHECK_THROW(static_cast<void>(reciprocal(Near{1e300, 0} * Near{1e300, 0})), Undefined);
  BOOST_CHECK_THROW(static_cast<void>(interval(Near{1e300, 0} * Near{1e300, 0})), Undefined);
}

BOOST_AUTO_TEST_CASE(a_bound_of_the_spectral_norm_is_at_least_the_norm_and_near_it) {
  std::mt19937 random(11);
  std::vector<double> guess;
  for (std::size_t d = 1; d <= 24; ++d) {
    const SquareMatrix a = random_matrix(d, random);
    const double least = norm_from_below(a);
    const double bound = SpectralNorm(a).bound(guess);
    BOOST_TEST(bound >= least);
    BOOST_TEST(bound <= least * 1.01);
  }
}

BOOST_AUTO_TEST_CASE(a_norm_slightly_above_the_bound_is_refused_and_one_slightly_below_is_shown) {
  std::mt19937 random(13);
  for (std::size_t d = 1; d <= 24; ++d) {
    const SquareMatrix a = random_matrix(d, random);
    const double least = norm_from_below(a);
    const SpectralNorm norm(a);
    BOOST_TEST(!norm.squared_is_below(least * least * (1 - 1e-9)));
    BOOST_TEST(norm.squared_is_below(least * least * (1 + 1e-6)));
  }
  SquareMatrix identity(3);
  for (std::size_t r = 0; r < 3; ++r) identity.row(r)[r] = 1;
  BOOST_TEST(!SpectralNorm(identity).squared_is_below(1));
  BOOST_TEST(SpectralNorm(identity).squared_is_below(1 + 0x1p-40));
  for (const double bad : {std::nan(""), HUGE_VAL, 1e200}) {
    SquareMatrix matrix = identity;
    matrix.row(0)[2] = bad;
    std::vector<double> guess;
    BOOST_TEST(!SpectralNorm(matrix).squared_is_below(0x1p99));
    BOOST_CHECK_THROW(static_cast<void>(SpectralNorm(matrix).bound(guess)), Undefined);
  }
}

BOOST_AUTO_TEST_CASE(the_bound_of_a_step_is_the_norm_of_its_derivative_and_grows_with_the_ball) {
  for (const std::string loss : {R"("logistic")", R"("exponential")"})
    for (const bool normalised : {false, true}) {
      const Given given(loss);
      const Vector p{Real(1) / 3, Real(-1) / 5, Real(1) / 7, Real(1) / 2};
      const Rational step(1, 4);
      std::vector<RelativeSample> samples;
      StepBall ball{{}, {1, 0}, 0x1p-300};
      if (normalised) ball.shrink = near(Rational(Real(exp(Real(3)))));  // m = −3
      for (std::size_t i = 0; i < 2; ++i) {
        const auto token = given.problem.tokens[i];
        samples.push_back({{}, {}, {}, near(given.scores[i][0])});
        ball.powers.emplace_back();
        for (std::size_t t = 1; t < token.size(); ++t) {
          std::vector<Near> difference;
          for (std::size_t a = 0; a < 4; ++a) difference.push_back(near(Rational(token[0][a] - token[t][a])));
          samples[i].lengths.push_back(norm_above(difference));
          samples[i].differences.push_back(difference);
          samples[i].gaps.push_back(near(Rational(given.scores[i][0] - given.scores[i][t])));
          const Real u = dot(given.keys[i][0], p) - dot(given.keys[i][t], p);
          ball.powers[i].push_back(near(Rational(Real(exp((normalised ? -3 : 0) - u)))));
        }
      }
      SquareMatrix derivative(4);
      const Real little = ldexp(Real(1), -60);
      for (std::size_t c = 0; c < 4; ++c) {
        Vector right = p;
        Vector left = p;
        right[c] += little;
        left[c] -= little;
        const Vector to = stepped(given, right, Real(step), normalised);
        const Vector from = stepped(given, left, Real(step), normalised);
        for (std::size_t r = 0; r < 4; ++r) derivative.row(r)[c] = static_cast<double>(Real((to[r] - from[r]) / (2 * little)));
      }
      StepDerivative bound(given.problem.loss, bounds, step, normalised, 4);
      const double norm = norm_from_below(derivative);
      const double at_the_centre = bound.stretch(samples, ball);
      BOOST_TEST(at_the_centre >= norm * (1 - 1e-12));
      BOOST_TEST(at_the_centre <= norm * (1 + 0x1p-9));
      ball.radius = 1e-3;
      BOOST_TEST(bound.stretch(samples, ball) > at_the_centre);
      ball.radius = 1;
      BOOST_CHECK_THROW(static_cast<void>(bound.stretch(samples, ball)), Undefined);
    }
}

namespace {

/// The enclosure of the run holds the one with 120 digits, and is narrower than 2^−narrow.
void check_run(const Given& given, Method method, const Rational& step, std::size_t iterations, std::size_t bits, int narrow) {
  const RunEnd end = follow(given, method, step, iterations, bits);
  Vector p(given.problem.dimension(), 0);
  p[0] = Real(1) / 3;
  for (std::size_t k = 0; k < iterations; ++k) p = stepped(given, p, Real(step), method == Method::normalised);
  const Real width = ldexp(Real(1), -narrow);
  for (std::size_t a = 0; a < p.size(); ++a) check_contains(end.point[a], p[a], width);
  check_contains(end.norm_squared, dot(p, p), width);
  check_contains(end.values[0], dot(given.keys[0][0], p) - dot(given.keys[0][1], p), width);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_ball_holds_a_run_with_120_digits_and_stays_narrow_for_many_steps) {
  const Given given(R"("logistic")");
  check_run(given, Method::constant, Rational(1, 20), 300, 128, 80);
  check_run(given, Method::normalised, Rational(1, 20), 300, 128, 80);
  check_run(Given(R"("exponential")"), Method::normalised, Rational(1, 20), 100, 128, 80);
  check_run(Given(R"({"expression": "log(1 + exp(-2*u))/2 + exp(-u)/2 - exp(-u)/2 + log(1 + exp(-u)) - log(1 + exp(-2*u))/2"})"),
            Method::normalised, Rational(1, 20), 10, 128, 80);  // the logistic loss, as no rule for it sees
}

BOOST_AUTO_TEST_CASE(the_ball_holds_a_run_so_far_that_its_gradients_are_below_all_its_digits) {
  check_run(Given(R"("logistic")"), Method::normalised, 2, 90, 256, 150);
}

BOOST_AUTO_TEST_CASE(a_run_whose_ball_grows_wide_is_refused_and_more_bits_enclose_it) {
  const Given given(R"("logistic")", valley);
  BOOST_CHECK_THROW(follow(given, Method::normalised, 2, 100, 64), Undefined);  // to and fro across the valley: 1.5 bits a step
  check_run(given, Method::normalised, 2, 100, 320, 100);
}

BOOST_AUTO_TEST_CASE(slopes_of_the_loss_on_a_wide_interval_hold_those_of_its_points) {
  for (const std::string loss : {R"("logistic")", R"("exponential")"}) {
    const Given given(loss);
    const NearSlopes slopes(given.problem.loss, bounds);
    for (const double radius : {0.01, 0.12, 0.13, 0.5, 0.9}) {
      const SlopePair on = slopes.at({-0.25, radius});
      for (const double u : {-0.25 - radius, -0.25, -0.25 + radius}) {
        const double power = std::exp(-u);
        const double slope = given.problem.loss.text() == "exponential" ? power : power / (1 + power);
        const double bend = given.problem.loss.text() == "exponential" ? power : power / (1 + power) / (1 + power);
        BOOST_TEST(std::fabs(on.first.mid - slope) <= on.first.radius + 1e-12);
        BOOST_TEST(std::fabs(on.second.mid - bend) <= on.second.radius + 1e-12);
      }
      BOOST_TEST(on.first.radius < 8 * radius);
    }
    BOOST_CHECK_THROW(static_cast<void>(slopes.at({-0.25, HUGE_VAL})), Undefined);
  }
}

BOOST_AUTO_TEST_CASE(a_piece_of_the_curve_stretches_the_ball_by_exp_and_adds_its_bend) {
  for (const double parting : {-0.5, 0.0, 0x1p-20, 0.25, 1.0, 3.0}) {
    const Carry carry = carried_by_flow({parting, 0.125}, Rational(1, 64));
    BOOST_TEST(carry.stretch >= std::exp(parting) * (1 - 1e-15));
    BOOST_TEST(carry.stretch <= std::exp(parting) * (1 + 1e-12));
    BOOST_TEST(carry.offset >= 0x1p-10);
    BOOST_TEST(carry.offset <= 0x1p-10 * (1 + 1e-12));
  }
  BOOST_CHECK_THROW(static_cast<void>(carried_by_flow({HUGE_VAL, 0}, 1)), Undefined);
  BOOST_CHECK_THROW(static_cast<void>(carried_by_flow({std::nan(""), 0}, 1)), Undefined);
}

BOOST_AUTO_TEST_CASE(the_ball_of_the_flow_holds_its_curve_and_that_of_steps_as_long_does_not) {
  for (const auto& [data, loss, step, pieces] :
       {std::tuple(one_input, R"("logistic")", Rational(1, 256), 256U), std::tuple(one_input, R"("exponential")", Rational(1, 256), 192U),
        std::tuple(two_inputs, R"("logistic")", Rational(1, 1024), 512U)}) {
    const Given given(loss, data);
    Vector p(given.problem.dimension(), 0);
    p[0] = Real(1) / 3;
    p = along_the_curve(given, p, Real(step), pieces);
    const RunEnd flow = follow(given, Method::flow, step, pieces, 128);
    const Real width = Real(1) / 50;
    for (std::size_t a = 0; a < p.size(); ++a) check_contains(flow.point[a], p[a], width);
    for (std::size_t c = 0; c < 2; ++c) check_contains(flow.values[c], dot(given.keys[0][0], p) - dot(given.keys[0][c + 1], p), 4 * width);
    BOOST_TEST(contains(flow.norm_squared, dot(p, p)));
    const RunEnd steps = follow(given, Method::normalised, step, pieces, 128);
    BOOST_TEST(!contains(steps.point[0], p[0]));
  }
}

BOOST_AUTO_TEST_CASE(shorter_pieces_of_the_curve_leave_a_narrower_ball) {
  const Given given(R"("logistic")", one_input);
  const auto width = [](const RunEnd& end) { return Real(number(end.point[0].upper) - number(end.point[0].lower)); };
  const Real of_long = width(follow(given, Method::flow, Rational(1, 256), 64, 128));
  const Real of_short = width(follow(given, Method::flow, Rational(1, 1024), 256, 128));
  BOOST_TEST(of_short < of_long / 3);
  BOOST_TEST(of_short > 0);
}

BOOST_AUTO_TEST_CASE(a_curve_is_followed_up_to_a_stationary_point_and_not_through_it) {
  const Given given(R"("logistic")", three_keys);  // from 1/3 to 1.00505…
  BOOST_CHECK_NO_THROW(follow(given, Method::flow, Rational(1, 256), 64, 128));
  BOOST_CHECK_THROW(follow(given, Method::flow, Rational(1, 256), 192, 128), Undefined);
  BOOST_CHECK_THROW(follow(given, Method::flow, 1, 1, 128), Undefined);  // the gradient is 0 on the way, not at an end
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
