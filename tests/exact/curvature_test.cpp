#include "attest/exact/curvature.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "curvature_bound.hpp"
#include "key_spread.hpp"

using namespace attest;

BOOST_AUTO_TEST_SUITE(curvature)

namespace {

using Vector = std::vector<double>;

Vector draw_vector(std::mt19937& random, std::size_t size, double scale = 1) {
  std::normal_distribution<> normal(0, scale);
  Vector values(size);
  std::ranges::generate(values, [&] { return normal(random); });
  return values;
}

Problem draw_problem(std::mt19937& random, std::size_t n, std::size_t T, std::size_t d, const Loss& loss) {
  Problem problem;
  for (std::size_t i = 0; i < n; ++i) {
    problem.tokens.push_back(ExactMatrix::from_doubles(T, d, draw_vector(random, T * d)));
    problem.labels.push_back(random() % 2 == 0 ? 1 : -1);
  }
  problem.v = ExactMatrix::from_doubles(1, d, draw_vector(random, d));
  problem.queries = ExactMatrix::from_doubles(n, d, draw_vector(random, n * d));
  if (random() % 2 == 0) problem.W = ExactMatrix::from_doubles(d, d, draw_vector(random, d * d));
  problem.loss = loss;
  return problem;
}

/// A problem, what is proved of its loss, and its keys as the vectors that p, or W by rows, is multiplied with.
struct Ground {
  Ground(const Problem& given, Parametrisation over)
      : problem(given), tokens(problem), scores(exact_scores(problem)), interval{scores[0][0], scores[0][0]}, parametrisation(over) {
    for (const auto& sample : scores)
      for (const Rational& score : sample) {
        interval.low = std::min(interval.low, score);
        interval.high = std::max(interval.high, score);
      }
    loss = std::get<LossBounds>(bound_loss(problem.loss, interval, Budget(60)));
    bound = bound_curvature(tokens, scores, interval, loss, over);
  }
  Ground(const Ground&) = delete;
  Ground& operator=(const Ground&) = delete;

  Vector key(std::size_t i, std::size_t t) const {
    const auto x = problem.tokens[i].image_row(t);
    Vector result;
    if (parametrisation == Parametrisation::weights) {
      for (const double entry : x)
        for (const double factor : problem.queries->image_row(i)) result.push_back(entry * factor);
    } else {
      for (const Rational& entry : exact_key(problem, i, t)) result.push_back(nearest_double(entry));
    }
    return result;
  }

  /// Of L along u, at a point.
  double second_derivative(const Vector& at, const Vector& u) const {
    double total = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      Vector weights;
      Vector along;
      double sum = 0;
      for (std::size_t t = 0; t < scores[i].size(); ++t) {
        const Vector k = key(i, t);
        weights.push_back(std::exp(std::inner_product(k.begin(), k.end(), at.begin(), 0.0)));
        along.push_back(std::inner_product(k.begin(), k.end(), u.begin(), 0.0));
        sum += weights.back();
      }
      const auto mean = [&](auto value) {
        double result = 0;
        for (std::size_t t = 0; t < weights.size(); ++t) result += weights[t] / sum * value(t);
        return result;
      };
      const auto score = [&](std::size_t t) { return nearest_double(scores[i][t]); };
      const double f = mean(score);
      const double m = mean([&](std::size_t t) { return along[t]; });
      const double first = mean([&](std::size_t t) { return (score(t) - f) * (along[t] - m); });
      const double second = mean([&](std::size_t t) { return (score(t) - f) * (along[t] - m) * (along[t] - m); });
      const LossJet jet = evaluate(problem.loss, f);
      total += jet.curvature * first * first + jet.slope * second;
    }
    return total / static_cast<double>(scores.size());
  }

  Problem problem;
  ExactTokens tokens;
  Scores scores;
  RationalInterval interval;
  Parametrisation parametrisation;
  LossBounds loss;
  std::optional<CurvatureBound> bound;
};

double squared(const Vector& u) { return std::inner_product(u.begin(), u.end(), u.begin(), 0.0); }

/// The largest |u.H u|/|u|^2 at drawn points, along drawn directions and differences of keys.
double largest_seen(const Ground& ground, std::mt19937& random, int points) {
  double largest = 0;
  for (int k = 0; k < points; ++k) {
    const std::size_t i = random() % ground.scores.size();
    const std::size_t T = ground.scores[i].size();
    Vector u = ground.key(i, random() % T);
    const Vector other = ground.key(i, random() % T);
    for (std::size_t c = 0; c < u.size(); ++c) u[c] -= other[c];
    if (k % 3 == 0 || squared(u) == 0) u = draw_vector(random, u.size());
    const Vector at = draw_vector(random, u.size(), 0.25 * (k % 8));
    largest = std::max(largest, std::abs(ground.second_derivative(at, u)) / squared(u));
  }
  return largest;
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_second_derivative_along_a_line_exceeds_the_bound) {
  std::mt19937 random(1);
  for (int k = 0; k < 30; ++k)
    for (const Loss& loss : {Loss::logistic(), Loss::exponential(), Loss::correlation()})
      for (const Parametrisation over : {Parametrisation::prompt, Parametrisation::weights}) {
        const Ground ground(draw_problem(random, 1 + random() % 4, 1 + random() % 5, 1 + random() % 4, loss), over);
        BOOST_TEST_REQUIRE(ground.bound.has_value());
        BOOST_TEST(largest_seen(ground, random, 200) <= nearest_double(ground.bound->bound) * (1 + 1e-9));
      }
}

// L = -1/(1 + e^-p) has second derivatives up to 1/(6 sqrt(3)), and no more.
BOOST_AUTO_TEST_CASE(two_tokens_are_bounded_by_what_they_reach) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 1, {1, 0})};
  problem.labels = {1};
  problem.v = ExactMatrix::from_doubles(1, 1, {1});
  problem.loss = Loss::correlation();
  const double most = 1 / (6 * std::sqrt(3.0));
  const Ground ground(problem, Parametrisation::prompt);
  const double bound = nearest_double(ground.bound->bound);
  BOOST_TEST(bound >= most);
  BOOST_TEST(bound <= 1.06 * most);
}

// n samples in different directions: the Hessian of each is felt in its own direction alone, by 1/n.
BOOST_AUTO_TEST_CASE(samples_in_different_directions_do_not_add_up) {
  constexpr std::size_t n = 16;
  Problem problem;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> pair(2 * n, 0);
    pair[i] = 1;
    problem.tokens.push_back(ExactMatrix::from_doubles(2, n, pair));
    problem.labels.push_back(1);
  }
  problem.v = ExactMatrix::from_doubles(1, n, std::vector<double>(n, 1));
  problem.loss = Loss::correlation();
  const Ground apart(problem, Parametrisation::prompt);
  const double most = 1 / (6 * std::sqrt(3.0));
  BOOST_TEST(nearest_double(apart.bound->bound) <= 1.06 * most / n);
  BOOST_TEST((std::ranges::find(apart.bound->by_tokens, true) != apart.bound->by_tokens.end()));
  // In one direction they do.
  for (ExactMatrix& tokens : problem.tokens) tokens = problem.tokens.front();
  const Ground together(problem, Parametrisation::prompt);
  BOOST_TEST(nearest_double(together.bound->bound) >= most);
}

BOOST_AUTO_TEST_CASE(it_is_not_above_the_bound_of_the_basin_theorem) {
  std::mt19937 random(2);
  for (int k = 0; k < 40; ++k)
    for (const Parametrisation over : {Parametrisation::prompt, Parametrisation::weights}) {
      const Ground ground(draw_problem(random, 1 + random() % 4, 2 + random() % 5, 1 + random() % 4, Loss::logistic()), over);
      const Selection first(ground.scores.size(), 0);
      const SvmProgram program =
          over == Parametrisation::prompt ? SvmProgram::p_svm(ground.tokens, first) : SvmProgram::w_svm(ground.tokens, first);
      const LimitFacts facts{&ground.tokens, &ground.scores, &program, nullptr, &ground.loss, ground.interval};
      BOOST_TEST(nearest_double(ground.bound->bound) <= curvature_bound(facts, over).middle() * (1 + 1e-5));
    }
}

BOOST_AUTO_TEST_CASE(scores_that_are_equal_have_no_curvature) {
  std::mt19937 random(3);
  Problem problem = draw_problem(random, 3, 4, 5, Loss::logistic());
  problem.v = ExactMatrix::from_doubles(1, 5, Vector(5, 0));
  BOOST_TEST((Ground(problem, Parametrisation::prompt).bound->bound == 0));
  problem.v = ExactMatrix::from_doubles(1, 5, {1, 0, 0, 0, 0});
  BOOST_TEST((Ground(problem, Parametrisation::prompt).bound->bound > 0));
}

// Doubles would underflow or lose the differences to rounding: the bound must not.
BOOST_AUTO_TEST_CASE(keys_of_any_size_are_bounded) {
  for (const auto& [scale, offset] : {std::pair(1e-160, 0.0), std::pair(1e-200, 0.0), std::pair(1e-9, 1e6), std::pair(1e60, 0.0)}) {
    Problem problem;
    problem.tokens = {ExactMatrix::from_doubles(2, 2, {offset + scale, 1, offset, 0})};
    problem.labels = {1};
    problem.v = ExactMatrix::from_doubles(1, 2, {0, 1});
    problem.W = ExactMatrix::from_doubles(2, 2, {1, 0, 0, 0});
    problem.loss = Loss::correlation();
    const Ground ground(problem, Parametrisation::prompt);
    BOOST_TEST_REQUIRE(ground.bound.has_value());
    const Rational width = exact_value(offset + scale) - exact_value(offset);
    BOOST_TEST((ground.bound->bound >= width * width * Rational(96, 1000)), "scale " << scale);
  }
}

BOOST_AUTO_TEST_CASE(keys_beyond_doubles_have_no_bound) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 1, {1e200, -1e200})};
  problem.labels = {1};
  problem.v = ExactMatrix::from_doubles(1, 1, {1e-200});
  problem.loss = Loss::correlation();
  BOOST_TEST(!Ground(problem, Parametrisation::prompt).bound.has_value());
}

BOOST_AUTO_TEST_CASE(the_largest_eigenvalue_is_bounded_from_above_and_closely) {
  std::mt19937 random(4);
  for (std::size_t d : {1U, 2U, 7U, 40U}) {
    SpreadMatrix matrix(d);
    std::vector<Vector> vectors;
    double trace = 0;
    for (int k = 0; k < 30; ++k) {
      vectors.push_back(draw_vector(random, d));
      matrix.add(2, vectors.back());
      trace += 2 * squared(vectors.back());
    }
    const double bound = matrix.largest_eigenvalue();
    Vector x = draw_vector(random, d);
    double stretch = 0;
    for (int pass = 0; pass < 500; ++pass) {
      Vector image(d, 0);
      for (const Vector& y : vectors) {
        const double along = 2 * std::inner_product(y.begin(), y.end(), x.begin(), 0.0);
        for (std::size_t c = 0; c < d; ++c) image[c] += along * y[c];
      }
      stretch = std::sqrt(squared(image) / squared(x));
      x = image;
      for (double& entry : x) entry /= stretch;
    }
    BOOST_TEST(bound >= stretch);
    BOOST_TEST(bound <= 1.02 * stretch + 0x1p-18 * trace);
  }
}

BOOST_AUTO_TEST_SUITE_END()
