#include "attest/solve/head_flow.hpp"

#include "attest/exact/svm.hpp"
#include "attest/solve/descent.hpp"
#include "drawn_data.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Expression expression(std::string_view text) { return std::get<Expression>(parse_expression(text)); }

struct Drawn {
  Problem problem;
  Head head;
  MatrixXd start;
};

/// n = 3, T = 4 as in the second paper's experiment: tokens and queries of length 1, d units.
Drawn draw(std::size_t d, unsigned seed, std::optional<Expression> activation) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  const auto unit = [&] {
    VectorXd vector(static_cast<Index>(d));
    for (double& entry : vector) entry = normal(engine);
    return VectorXd(vector.normalized());
  };
  Drawn drawn;
  std::vector<double> queries;
  for (int i = 0; i < 3; ++i) {
    std::vector<double> values;
    for (int t = 0; t < 4; ++t) {
      const VectorXd token = unit();
      values.insert(values.end(), token.begin(), token.end());
    }
    drawn.problem.tokens.push_back(ExactMatrix::from_doubles(4, d, values));
    drawn.problem.labels.push_back(normal(engine) < 0 ? -1 : 1);
    const VectorXd query = unit();
    queries.insert(queries.end(), query.begin(), query.end());
  }
  drawn.problem.queries = ExactMatrix::from_doubles(3, d, queries);
  drawn.head.activation = std::move(activation);
  for (std::size_t k = 0; k < d; ++k) {
    std::vector<Rational> row;
    for (std::size_t c = 0; c < d; ++c) row.push_back(exact_value(normal(engine)));
    drawn.head.weights.push_back(row);
    drawn.head.bias.push_back(exact_value(0.1 * normal(engine)));
    drawn.head.output.push_back(exact_value(normal(engine)));
  }
  drawn.start = MatrixXd(static_cast<Index>(d), static_cast<Index>(d));
  for (double& entry : drawn.start.reshaped()) entry = 0.3 * normal(engine);
  return drawn;
}

/// The loss written down from its definition.
double plain_loss(const Drawn& drawn, const MatrixXd& W, const std::function<double(double)>& phi) {
  const NumericProblem numeric(drawn.problem);
  double total = 0;
  for (std::size_t i = 0; i < numeric.tokens.size(); ++i) {
    const VectorXd logits = numeric.tokens[i].transpose() * (W * image_vector(*drawn.problem.queries, i));
    const VectorXd shares = logits.array().exp() / logits.array().exp().sum();
    const VectorXd x = numeric.tokens[i] * shares;
    double h = 0;
    for (std::size_t k = 0; k < drawn.head.weights.size(); ++k) {
      double inner = nearest_double(drawn.head.bias[k]);
      for (std::size_t c = 0; c < drawn.head.weights[k].size(); ++c)
        inner += nearest_double(drawn.head.weights[k][c]) * x[static_cast<Index>(c)];
      h += nearest_double(drawn.head.output[k]) * phi(inner);
    }
    total += std::log1p(std::exp(-numeric.labels[i] * h));
  }
  return total / static_cast<double>(numeric.tokens.size());
}

/// W^mm in the coordinates of the model; nothing when infeasible.
std::optional<VectorXd> predicted_direction(const Drawn& drawn, const HeadModel& model, const TokenSets& sets) {
  const ExactTokens tokens(drawn.problem);
  const SvmProgram program = SvmProgram::w_svm(tokens, sets);
  const SvmOutcome outcome = decide_svm(program, {}, Budget(60));
  const auto* solution = std::get_if<SvmSolution>(&outcome);
  if (!solution) return std::nullopt;
  const std::vector<Rational> exact = weight_matrix(program, *solution);
  const auto d = static_cast<Index>(program.dimension());
  MatrixXd W(d, d);
  for (Index r = 0; r < d; ++r)
    for (Index c = 0; c < d; ++c) W(r, c) = nearest_double(exact[static_cast<std::size_t>(r * d + c)]);
  return model.coordinates(W);
}

BOOST_AUTO_TEST_SUITE(head_flow)

BOOST_AUTO_TEST_CASE(the_loss_in_coordinates_is_the_loss_of_the_matrix) {
  const Drawn drawn = draw(5, 1, expression("tanh(u)"));
  const HeadModel model(drawn.problem, drawn.head, 1e-3);
  const double expected = plain_loss(drawn, drawn.start, [](double u) { return std::tanh(u); });
  const VectorXd y = model.coordinates(drawn.start);
  BOOST_TEST(std::abs(model.at(y).loss - expected) <= 1e-13);
  BOOST_TEST(std::abs(plain_loss(drawn, model.matrix(y), [](double u) { return std::tanh(u); }) - expected) <= 1e-13);
  BOOST_TEST(std::abs(model.matrix(y).norm() - y.norm()) <= 1e-12);
}

BOOST_AUTO_TEST_CASE(gradient_and_hessian_are_those_of_differences) {
  for (const auto& activation :
       {std::optional(expression("tanh(u)")), std::optional(expression("(1+tanh(u/2))/2")), std::optional<Expression>()}) {
    const Drawn drawn = draw(4, 2, activation);
    const HeadModel model(drawn.problem, drawn.head, 0.5);
    const VectorXd y = model.coordinates(drawn.start);
    const HeadModel::Value value = model.at(y);
    constexpr double h = 1e-5;
    for (Index k = 0; k < model.dimension(); ++k) {
      const VectorXd step = h * VectorXd::Unit(model.dimension(), k);
      BOOST_TEST(std::abs((model.at(y + step).loss - model.at(y - step).loss) / (2 * h) - value.gradient[k]) <= 1e-9);
      BOOST_TEST(((model.at(y + step).gradient - model.at(y - step).gradient) / (2 * h) - value.hessian.col(k)).norm() <= 1e-8);
    }
  }
}

BOOST_AUTO_TEST_CASE(with_sets_the_other_tokens_are_as_if_absent) {
  const Drawn drawn = draw(4, 3, expression("tanh(u)"));
  const HeadModel model(drawn.problem, drawn.head, 1e-3);
  const TokenSets sets{{0, 2}, {1}, {0, 1, 3}};
  Drawn fewer = drawn;
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<double> values;
    for (const std::size_t t : sets[i]) {
      const auto row = drawn.problem.tokens[i].image_row(t);
      values.insert(values.end(), row.begin(), row.end());
    }
    fewer.problem.tokens[i] = ExactMatrix::from_doubles(sets[i].size(), 4, values);
  }
  const VectorXd y = model.coordinates(drawn.start);
  const double expected = plain_loss(fewer, drawn.start, [](double u) { return std::tanh(u); });
  BOOST_TEST(std::abs(model.at(y, &sets).loss - expected) <= 1e-13);
  BOOST_TEST(std::abs(model.at(y).loss - expected) >= 1e-4);
}

BOOST_AUTO_TEST_CASE(runs_of_smooth_heads_end_on_the_prediction) {
  int compared = 0;
  int several = 0;  // with a set of more than one token
  for (const auto& [d, seed] : {std::pair<std::size_t, unsigned>{4, 1}, {6, 2}, {6, 3}, {8, 4}, {10, 5}, {10, 6}}) {
    const Drawn drawn = draw(d, seed, expression("tanh(u)"));
    const HeadModel model(drawn.problem, drawn.head, 1e-3);
    const HeadRun run = follow_head_flow(model, model.coordinates(drawn.start), {}, Budget(60));
    if (run.end != HeadRun::End::separated) continue;
    const auto w = predicted_direction(drawn, model, run.sets);
    if (!w || w->norm() == 0) continue;
    ++compared;
    for (const auto& set : run.sets) several += set.size() > 1;
    const VectorXd& last = run.points.back();
    const VectorXd& earlier = run.points[run.points.size() * 2 / 3];
    BOOST_TEST(direction_error(last - earlier, *w) <= 0.15);
    const MatrixXd span = model.finite_span(run.sets);
    if (span.cols() == 0) continue;
    const VectorXd finite = finite_part(model, run.sets, span, span.transpose() * earlier);
    BOOST_REQUIRE(finite.size() == span.cols());
    BOOST_TEST((span.transpose() * last - finite).norm() <= 1e-6 * (1 + finite.norm()));
    BOOST_TEST(std::abs((span.transpose() * *w).norm()) <= 1e-9 * w->norm());  // W^mm is orthogonal to the finite part
  }
  BOOST_TEST(compared >= 4);
  BOOST_TEST(several >= 2);
}

BOOST_AUTO_TEST_CASE(the_prediction_of_other_sets_is_missed) {
  const Drawn drawn = draw(6, 2, expression("tanh(u)"));
  const HeadModel model(drawn.problem, drawn.head, 1e-3);
  const HeadRun run = follow_head_flow(model, model.coordinates(drawn.start), {}, Budget(60));
  BOOST_REQUIRE(run.end == HeadRun::End::separated);
  const VectorXd& earlier = run.points[run.points.size() * 2 / 3];
  int others = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    TokenSets sets = run.sets;
    sets[i] = {(sets[i].front() + 1) % 4};
    if (sets == run.sets) continue;
    const auto w = predicted_direction(drawn, model, sets);
    if (!w) continue;
    ++others;
    BOOST_TEST(direction_error(run.points.back() - earlier, *w) > 0.15);
  }
  BOOST_TEST(others >= 2);
}

BOOST_AUTO_TEST_CASE(the_loss_falls_along_the_flow) {
  const Drawn drawn = draw(6, 3, std::nullopt);
  const HeadModel model(drawn.problem, drawn.head, 1e-3);
  const HeadRun run = follow_head_flow(model, model.coordinates(drawn.start), {0.2, 100}, Budget(60));
  for (std::size_t k = 1; k < run.points.size(); ++k) BOOST_TEST(model.at(run.points[k]).loss <= model.at(run.points[k - 1]).loss + 1e-15);
}

BOOST_AUTO_TEST_CASE(a_short_run_has_not_settled_and_a_spent_budget_says_so) {
  const Drawn drawn = draw(4, 1, expression("tanh(u)"));
  const HeadModel model(drawn.problem, drawn.head, 1e-3);
  const VectorXd start = model.coordinates(drawn.start);
  BOOST_TEST((follow_head_flow(model, start, {0.2, 5}, Budget(60)).end == HeadRun::End::unsettled));
  BOOST_TEST((follow_head_flow(model, start, {}, Budget(0)).end == HeadRun::End::out_of_time));
}

BOOST_AUTO_TEST_CASE(a_head_that_is_not_defined_ends_the_run) {
  Drawn drawn = draw(4, 1, expression("log(u)"));
  drawn.head.bias.assign(4, -100);
  const HeadModel model(drawn.problem, drawn.head, 1e-3);
  BOOST_TEST((follow_head_flow(model, model.coordinates(drawn.start), {}, Budget(60)).end == HeadRun::End::not_finite));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
