#include "descent_run.hpp"

#include "limit_ground.hpp"
#include "near_number.hpp"
#include "near_run.hpp"
#include "row_expansion.hpp"
#include "spectral_bound.hpp"

#include <Eigen/Dense>

#include <cmath>
#include <limits>
#include <random>

using namespace attest;

namespace {

Problem random_weights(std::mt19937& random, bool self_attention) {
  constexpr std::size_t samples = 3;
  constexpr std::size_t tokens = 3;
  constexpr std::size_t d = 3;
  std::normal_distribution<double> normal;
  const auto draw = [&](std::size_t rows, std::size_t columns) {
    std::vector<double> entries(rows * columns);
    for (double& entry : entries) entry = normal(random);
    return ExactMatrix::from_doubles(rows, columns, entries);
  };
  Problem problem;
  for (std::size_t i = 0; i < samples; ++i) {
    problem.tokens.push_back(draw(tokens, d));
    problem.labels.push_back(random() % 2 == 0 ? 1 : -1);
  }
  problem.v = draw(1, d);
  if (!self_attention) problem.queries = draw(samples, d);
  return problem;
}

/// One step over W in doubles, written from the definition of L.
class PlainStep {
 public:
  PlainStep(const Problem& problem, StepRule rule, double step) : rule_(rule), step_(step) {
    using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto matrix = [](const ExactMatrix& m) {
      return Eigen::MatrixXd(
          Eigen::Map<const ByRows>(m.image().data(), static_cast<Eigen::Index>(m.rows()), static_cast<Eigen::Index>(m.columns())));
    };
    const Eigen::VectorXd v = matrix(*problem.v).row(0);
    for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
      const Eigen::MatrixXd x = matrix(problem.tokens[i]);
      samples_.push_back(
          {x, problem.labels[i] * (x * v),
           problem.queries ? Eigen::VectorXd(matrix(*problem.queries).row(static_cast<Eigen::Index>(i))) : Eigen::VectorXd(x.row(0))});
    }
  }

  Eigen::MatrixXd operator()(const Eigen::MatrixXd& w) const {
    Eigen::MatrixXd down = Eigen::MatrixXd::Zero(w.rows(), w.cols());
    for (const auto& [x, scores, query] : samples_) {
      const Eigen::VectorXd logits = x * (w * query);
      Eigen::VectorXd s = (logits.array() - logits.maxCoeff()).exp();
      s /= s.sum();
      const double f = s.dot(scores);
      const Eigen::VectorXd pull = s.array() * (scores.array() - f);
      down += (x.transpose() * pull) * query.transpose() / (1 + std::exp(f)) / static_cast<double>(samples_.size());
    }
    return w + down * (rule_ == StepRule::normalised ? step_ / down.norm() : step_);
  }

  /// The norm of its derivative, by differences.
  double stretch(const Eigen::MatrixXd& w) const {
    constexpr double h = 1e-5;
    const Eigen::Index size = w.size();
    Eigen::MatrixXd derivative(size, size);
    for (Eigen::Index k = 0; k < size; ++k) {
      Eigen::MatrixXd more = w;
      Eigen::MatrixXd less = w;
      more.data()[k] += h;
      less.data()[k] -= h;
      const Eigen::MatrixXd change = ((*this)(more) - (*this)(less)) / (2 * h);
      derivative.col(k) = Eigen::Map<const Eigen::VectorXd>(change.data(), size);
    }
    return Eigen::JacobiSVD<Eigen::MatrixXd>(derivative).singularValues()(0);
  }

 private:
  struct Sample {
    Eigen::MatrixXd x;
    Eigen::VectorXd scores;
    Eigen::VectorXd query;
  };
  std::vector<Sample> samples_;
  StepRule rule_;
  double step_;
};

std::vector<Rational> by_rows(const Eigen::MatrixXd& w) {
  std::vector<Rational> entries;
  for (Eigen::Index r = 0; r < w.rows(); ++r)
    for (Eigen::Index c = 0; c < w.cols(); ++c) entries.push_back(exact_value(w(r, c)));
  return entries;
}

/// The bound on the ball of this radius around W.
std::optional<double> bound_at(const Ground& ground, const DescentRule& rule, double radius) {
  const LimitRows rows(ground.facts());
  const std::vector<PreciseBall> values = rows.values_at(rule.start, 128);
  BallVector y(values.size());
  for (std::size_t c = 0; c < values.size(); ++c) arb_set(y[c], values[c].get());
  mag_t around;
  mag_init(around);
  mag_set_d(around, radius);
  const auto bound = RowExpansion(rows, rule).bound(y, around);
  mag_clear(around);
  return bound;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(descent_run)

BOOST_AUTO_TEST_CASE(a_run_over_weights_with_one_query_is_the_run_over_its_first_column) {
  Problem problem = load_case("one-input/distinct");
  problem.W.reset();
  problem.queries = ExactMatrix::from_doubles(1, 3, {1, 0, 0});
  const Ground prompt(problem, {0});
  const Ground weights(problem, {0}, Parametrisation::weights);
  const LimitRows prompt_rows(prompt.facts());
  const LimitRows weight_rows(weights.facts());
  for (const StepRule rule : {StepRule::normalised, StepRule::constant}) {
    const DescentRule first = over_p(rule, Rational(1, 10), {0, Rational(1, 2), 1});
    const DescentRule second = over_w(rule, Rational(1, 10), {0, 0, 0, Rational(1, 2), 0, 0, 1, 0, 0});
    const auto a = enclose_run(prompt_rows, first, 192);
    const auto b = enclose_run(weight_rows, second, 512);
    for (std::size_t k = 0; k <= 120; k += 20) {
      BOOST_TEST_REQUIRE((a->advance_to(k, 40, Budget(60)) == EnclosedRun::State::there));
      BOOST_TEST_REQUIRE((b->advance_to(k, 40, Budget(60)) == EnclosedRun::State::there));
      const auto at = a->now();
      const auto there = b->now();
      for (std::size_t c = 0; c < at.y.size(); ++c) BOOST_TEST(arb_overlaps(at.y[c].get(), there.y[c].get()) != 0);
      BOOST_TEST(arb_overlaps(at.norm_squared.get(), there.norm_squared.get()) != 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_coarse_run_holds_the_fine_one) {
  const Ground ground(load_case("multi-input/multi-input"), {0, 0, 0});
  const LimitRows rows(ground.facts());
  for (const StepRule rule : {StepRule::normalised, StepRule::constant}) {
    const DescentRule descent = over_p(rule, Rational(1, 10), {Rational(1, 3), Rational(-2, 7), 0});
    const auto coarse = enclose_run(rows, descent, 48);
    const auto fine = enclose_run(rows, descent, 300);
    for (std::size_t k = 0; k <= 200; k += 10) {
      BOOST_TEST_REQUIRE((coarse->advance_to(k, 10, Budget(60)) == EnclosedRun::State::there));
      BOOST_TEST_REQUIRE((fine->advance_to(k, 200, Budget(60)) == EnclosedRun::State::there));
      const auto wide = coarse->now();
      const auto narrow = fine->now();
      for (std::size_t c = 0; c < wide.y.size(); ++c) BOOST_TEST(arb_contains(wide.y[c].get(), narrow.y[c].get()) != 0);
    }
    BOOST_TEST(coarse->accuracy() < 48);
    BOOST_TEST((coarse->advance_to(5000, 60, Budget(60)) == EnclosedRun::State::imprecise));
  }
}

BOOST_AUTO_TEST_CASE(a_run_in_doubles_holds_the_run_in_balls_and_stays_near_it) {
  const auto widest = [](const LimitIterate<PreciseBall>& at) {
    double radius = 0;
    for (const PreciseBall& y : at.y) radius = std::max(radius, mag_get_d(arb_radref(y.get())));
    return radius;
  };
  for (const auto& [name, selection, start] :
       {std::tuple{"multi-input/multi-input", Selection{0, 0, 0}, std::vector{Rational(1, 3), Rational(-2, 7), Rational(0)}},
        std::tuple{"multi-input/multi-input", Selection{0, 0, 0}, std::vector{Rational(40), Rational(90), Rational(0)}},
        std::tuple{"one-input/distinct", Selection{0}, std::vector{Rational(0), Rational(-1), Rational(1, 10)}}})
    for (const Loss& loss : {Loss::logistic(), Loss::exponential(), Loss::correlation()}) {
      Problem problem = load_case(name);
      problem.loss = loss;
      const Ground ground(std::move(problem), selection);
      const LimitRows rows(ground.facts());
      for (const StepRule rule : {StepRule::normalised, StepRule::constant}) {
        const DescentRule descent = over_p(rule, Rational(1, 10), start);
        const auto near = enclose_nearly(rows, descent);
        const auto fine = enclose_run(rows, descent, 300);
        for (std::size_t k = 0; k <= 300; k += 20) {
          BOOST_TEST_REQUIRE((near->advance_to(k, 20, Budget(60)) == EnclosedRun::State::there));
          BOOST_TEST_REQUIRE((fine->advance_to(k, 200, Budget(60)) == EnclosedRun::State::there));
          const auto wide = near->now();
          const auto narrow = fine->now();
          for (std::size_t c = 0; c < wide.y.size(); ++c) BOOST_TEST(arb_contains(wide.y[c].get(), narrow.y[c].get()) != 0);
          BOOST_TEST(arb_contains(wide.norm_squared.get(), narrow.norm_squared.get()) != 0);
        }
        BOOST_TEST(near->accuracy() >= 30);
        BOOST_TEST(widest(near->now()) < 1e-8);
        BOOST_TEST(std::abs(static_cast<double>(near_bits - near->accuracy() - (300 - fine->accuracy()))) <= 8);  // both lose alike
      }
    }
}

BOOST_AUTO_TEST_CASE(what_doubles_cannot_follow_is_left_to_balls) {
  const Ground ground(load_case("multi-input/multi-input"), {0, 0, 0});
  const LimitRows rows(ground.facts());
  BOOST_TEST(!enclose_nearly(rows, over_p(StepRule::flow, Rational(1, 10), {})));
  Problem written = load_case("multi-input/multi-input");
  written.loss = Loss::written(std::get<Expression>(parse_expression("exp(-u)")));
  const Ground other(std::move(written), {0, 0, 0});
  const LimitRows of_written(other.facts());
  BOOST_TEST(!enclose_nearly(of_written, over_p(StepRule::normalised, Rational(1, 10), {})));
  // Far out doubles know too little of a logit.
  const auto far = enclose_nearly(rows, over_p(StepRule::normalised, Rational(1, 10), {Rational(Integer(1) << 60), 0, 0}));
  BOOST_TEST((far->advance_to(1, 20, Budget(60)) == EnclosedRun::State::imprecise));
}

/// There the exponentials are below 2^-(2^600): such numbers are no fractions that memory holds.
BOOST_AUTO_TEST_CASE(balls_take_a_constant_step_from_any_norm) {
  const Ground ground(load_case("multi-input/multi-input"), {0, 0, 0});
  const LimitRows rows(ground.facts());
  const Rational far(Integer(1) << 600);
  const DescentRule rule = over_p(StepRule::constant, Rational(1, 10), {far, far * 2, far * 3});
  const auto run = enclose_run(rows, rule, 1024);
  BOOST_TEST((run->advance_to(1, 20, Budget(60)) == EnclosedRun::State::there));
}

BOOST_AUTO_TEST_CASE(numbers_in_doubles_hold_what_balls_say) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  const auto holds = [](const NearNumber& near, const PreciseBall& exact) {
    PreciseBall wide(2000);
    arb_set_d(wide.get(), near.mid);
    mag_t radius;
    mag_init(radius);
    mag_set_d(radius, near.radius);
    arb_add_error_mag(wide.get(), radius);
    mag_clear(radius);
    return arb_contains(wide.get(), exact.get()) != 0;
  };
  const auto ball = [](double value) { return PreciseBall(exact_value(value), 2000); };
  for (int trial = 0; trial < 20000; ++trial) {
    const double a = std::ldexp(normal(random), static_cast<int>(random() % 40) - 20);
    const double b = std::ldexp(normal(random), static_cast<int>(random() % 40) - 20);
    const NearNumber x{a, std::abs(a) * 0x1p-40};
    const NearNumber y{b, std::abs(b) * 0x1p-45};
    const double at = a + (trial % 3 - 1) * std::abs(a) * 0x1p-41;  // numbers that are not the middle
    BOOST_TEST(holds(x + y, ball(at) + ball(b)));
    BOOST_TEST(holds(x * y, ball(at) * ball(b)));
    BOOST_TEST(holds(exp(x), exp(ball(at))));
    if (!(a > 0)) continue;
    BOOST_TEST(holds(reciprocal(x), ball(1) / ball(at)));
    BOOST_TEST(holds(root(x), sqrt(ball(at))));
  }
  for (int k = -75000; k <= 75000; k += 7) {
    const double x = k / 100.0 + normal(random) * 0x1p-30;
    BOOST_TEST(holds(exp(NearNumber{x, 0}), exp(ball(x))));
    if (std::abs(x) < 600) BOOST_TEST(exp(NearNumber{x, 0}).radius <= std::exp(x) * 0x1p-48);
  }
  BOOST_TEST(!(reciprocal(NearNumber{1, 1}).radius < 1e300));
  BOOST_TEST(!(root(NearNumber{-1, 0}).radius < 1e300));
  BOOST_TEST(!(exp(NearNumber{std::numeric_limits<double>::quiet_NaN(), 0}).radius < 1e300));
  BOOST_TEST(!(exp(NearNumber{0, 2}).radius < 1e300));
}

BOOST_AUTO_TEST_CASE(a_spectral_bound_is_above_the_norm_and_near_it) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    // A reflection changes no norm: that of R D is the largest entry of D.
    const std::size_t size = 1 + random() % 12;
    std::vector<double> mirror(size);
    double squared = 0;
    for (double& entry : mirror) {
      entry = normal(random);
      squared += entry * entry;
    }
    std::vector<double> matrix(size * size);
    double largest = 0;
    for (std::size_t c = 0; c < size; ++c) {
      const double scale = trial % 3 == 0 ? 1 : normal(random);
      largest = std::max(largest, std::abs(scale));
      for (std::size_t r = 0; r < size; ++r) matrix[r * size + c] = ((r == c ? 1 : 0) - 2 * mirror[r] * mirror[c] / squared) * scale;
    }
    const double bound = SpectralBound().of(matrix, size);
    BOOST_TEST(bound >= largest * (1 - 1e-13));
    BOOST_TEST(bound <= largest * (trial % 3 == 0 ? 1 + 0x1p-10 : 1.5));
  }
  BOOST_TEST(!std::isfinite(SpectralBound().of({1, 0, 0, std::numeric_limits<double>::quiet_NaN()}, 2)));
}

BOOST_AUTO_TEST_CASE(no_step_over_w_stretches_more_than_its_bound) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  int looked_at = 0;
  for (int trial = 0; looked_at < 40 && trial < 400; ++trial) {
    const Problem problem = random_weights(random, trial % 2 == 0);
    const Ground ground(problem, {0, 0, 0}, Parametrisation::weights);
    if (!ground.feasible()) continue;
    for (const StepRule rule : {StepRule::normalised, StepRule::constant}) {
      const Eigen::MatrixXd w = Eigen::MatrixXd::NullaryExpr(3, 3, [&] { return normal(random); });
      const DescentRule descent = over_w(rule, Rational(1, 4), by_rows(w));
      const auto bound = bound_at(ground, descent, 1e-12);
      BOOST_TEST_REQUIRE(bound.has_value());
      const double stretch = PlainStep(problem, rule, 0.25).stretch(w);
      BOOST_TEST(*bound >= stretch * (1 - 1e-7));
      // On a ball it bounds what happens at every point of it.
      const auto wide = bound_at(ground, descent, 0.01);
      const Eigen::MatrixXd aside = Eigen::MatrixXd::NullaryExpr(3, 3, [&] { return normal(random); }).normalized() * 0.01;
      if (wide) BOOST_TEST(*wide >= PlainStep(problem, rule, 0.25).stretch(w + aside) * (1 - 1e-7));
    }
    ++looked_at;
  }
  BOOST_TEST(looked_at == 40);
}

BOOST_AUTO_TEST_CASE(a_step_at_a_stationary_point_has_no_bound) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 1, {1, 0}), ExactMatrix::from_doubles(2, 1, {0.5, -1.5})};
  for (int k = 0; k < 3; ++k) problem.tokens.insert(problem.tokens.begin(), problem.tokens.front());
  problem.labels = {1, 1, 1, 1, -1};
  problem.v = ExactMatrix::from_doubles(1, 1, {1});
  problem.queries = ExactMatrix::from_doubles(5, 1, {1, 1, 1, 1, 1});
  const Ground ground(problem, {0, 0, 0, 0, 0}, Parametrisation::weights);
  BOOST_TEST(!bound_at(ground, over_w(StepRule::normalised, 1), 0x1p-50));
  BOOST_TEST(bound_at(ground, over_w(StepRule::normalised, 1, {Rational(1)}), 0x1p-50).has_value());
  BOOST_TEST(bound_at(ground, over_w(StepRule::constant, 1), 0x1p-50).has_value());
}

BOOST_AUTO_TEST_CASE(a_coarse_run_over_w_holds_the_fine_one_and_loses_little) {
  const Ground ground(load_case("weights/local-converge"), {7, 4, 6, 1, 3, 2}, Parametrisation::weights);
  const LimitRows rows(ground.facts());
  const DescentRule descent = over_w(StepRule::normalised, Rational(1, 10));
  const auto coarse = enclose_run(rows, descent, 128);
  const auto fine = enclose_run(rows, descent, 320);
  for (std::size_t k = 0; k <= 600; k += 100) {
    BOOST_TEST_REQUIRE((coarse->advance_to(k, 40, Budget(60)) == EnclosedRun::State::there));
    BOOST_TEST_REQUIRE((fine->advance_to(k, 200, Budget(60)) == EnclosedRun::State::there));
    const auto wide = coarse->now();
    const auto narrow = fine->now();
    for (std::size_t c = 0; c < wide.y.size(); ++c) BOOST_TEST(arb_contains(wide.y[c].get(), narrow.y[c].get()) != 0);
    BOOST_TEST(arb_contains(wide.norm_squared.get(), narrow.norm_squared.get()) != 0);
  }
  BOOST_TEST(coarse->accuracy() > 60);
  const auto too_coarse = enclose_run(rows, descent, 64);
  BOOST_TEST((too_coarse->advance_to(600, 40, Budget(60)) == EnclosedRun::State::imprecise));
}

BOOST_AUTO_TEST_SUITE_END()
