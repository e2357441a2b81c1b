#include "attest/solve/sparsity_guess.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/solve/dense.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// By how much the attention asked for is exceeded, in log sum exp(-y): rounding is far below, and so is what it costs in norm.
constexpr double safety = 1e-10;
/// The barrier is followed to this gap, of |p|^2; of few unknowns Newton's method on the conditions of optimality does the rest.
constexpr RelativeTolerance barrier_gap{1e-7};
constexpr double barrier_growth = 8;
constexpr int most_barrier_steps = 40;
/// The barrier's function is not known better than this, of its size.
constexpr double barrier_noise = 4 * std::numeric_limits<double>::epsilon();
/// Newton's decrement at which a point is central enough to go on.
constexpr double central_decrement = 1e-6;
/// A sample whose weight is below this part of the largest is free: its attention is more than asked for.
constexpr RelativeTolerance free_weight{1e-5};
constexpr int polishing_steps = 8;
/// From so many unknowns on Newton's systems are solved by conjugate gradients: the rows of a sample hardly overlap in so many dimensions,
/// and what they add to the identity is small.
constexpr Index least_products = 256;
/// There the barrier's points are the answer, and more central: nearer to the border the rounding of slacks would cost more than the gap.
constexpr double last_decrement = 1e-10;
constexpr double barrier_solve_part = 1e-3;
constexpr int most_barrier_products = 200;
/// Rows of a W-program whose Gram matrix is decomposed: of more it would take minutes.
constexpr std::size_t most_weight_rows = 2000;

VectorXd fraction_image(const FractionVector& vector) {
  VectorXd image(static_cast<Index>(vector.numerators.size()));
  for (Index k = 0; k < image.size(); ++k)
    image(k) = nearest_double(Rational(vector.numerators[static_cast<std::size_t>(k)], vector.denominator));
  return image;
}

/// A line a row; rows of the W-SVM in coordinates that keep their products (D.D')(z.z').
MatrixXd row_coordinates(const SvmProgram& program) {
  const auto rows = static_cast<Index>(program.row_count());
  MatrixXd lines(rows, static_cast<Index>(program.dimension()));
  for (Index c = 0; c < rows; ++c) lines.row(c) = fraction_image(program.row(static_cast<std::size_t>(c))).transpose();
  if (program.kind() != SvmProgram::Kind::w) return lines;
  MatrixXd queries(lines.rows(), lines.cols());
  for (Index c = 0; c < rows; ++c)
    queries.row(c) = fraction_image(program.query(program.sample_position(static_cast<std::size_t>(c)))).transpose();
  const MatrixXd gram = (lines * lines.transpose()).cwiseProduct(queries * queries.transpose());
  const SymmetricEigen eigen = symmetric_eigen(gram);
  Index zero = 0;
  while (zero + 1 < rows && !(eigen.values(zero) > span_tolerance.relative * eigen.values(rows - 1))) ++zero;
  return eigen.vectors.rightCols(rows - zero) * eigen.values.tail(rows - zero).cwiseMax(0).cwiseSqrt().asDiagonal();
}

/// l_i(p) = log sum_t exp(-a_it.p) of the samples with rows, their gradients and shares exp(-y_it)/sum.
class Program {
 public:
  Program(const SvmProgram& program, double odds) : rows_(row_coordinates(program)), odds_(odds) {
    for (std::size_t k = 0; k < program.samples().size(); ++k)
      if (program.first_row(k) < program.first_row(k + 1))
        blocks_.push_back({static_cast<Index>(program.first_row(k)), static_cast<Index>(program.first_row(k + 1) - program.first_row(k))});
  }

  const MatrixXd& rows() const { return rows_; }
  VectorXd square_lengths() const { return rows_.rowwise().squaredNorm(); }
  std::size_t size() const { return blocks_.size(); }
  double most_rows() const {
    Index most = 1;
    for (const Block& block : blocks_) most = std::max(most, block.count);
    return static_cast<double>(most);
  }

  struct State {
    VectorXd slack;      // -odds - l_i
    VectorXd shares;     // by row
    MatrixXd gradients;  // of l_i, a column each
  };
  VectorXd slack(const VectorXd& p) const { return state(p, false).slack; }
  State state(const VectorXd& p) const { return state(p, true); }

  /// sum_i weight_i Hessian of l_i = sum_t s_t a_t a_t^T - mean mean^T.
  MatrixXd curvature(const State& state, const VectorXd& weights) const {
    MatrixXd result = rows_.transpose() * by_row(state, weights).asDiagonal() * rows_;
    result -= state.gradients * weights.asDiagonal() * state.gradients.transpose();
    return result;
  }

  /// weight_i s_t.
  VectorXd by_row(const State& state, const VectorXd& weights) const {
    VectorXd result(rows_.rows());
    for (std::size_t k = 0; k < blocks_.size(); ++k)
      result.segment(blocks_[k].first, blocks_[k].count) =
          weights(static_cast<Index>(k)) * state.shares.segment(blocks_[k].first, blocks_[k].count);
    return result;
  }

 private:
  struct Block {
    Index first;
    Index count;
  };
  State state(const VectorXd& p, bool with_gradients) const {
    const VectorXd y = rows_ * p;
    State result{VectorXd(static_cast<Index>(blocks_.size())), VectorXd(y.size()), {}};
    if (with_gradients) result.gradients.resize(p.size(), static_cast<Index>(blocks_.size()));
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      const auto here = y.segment(blocks_[k].first, blocks_[k].count);
      const double least = here.minCoeff();
      VectorXd shares = (least - here.array()).exp();
      const double sum = shares.sum();
      shares /= sum;
      result.slack(static_cast<Index>(k)) = least - std::log(sum) - odds_;
      result.shares.segment(blocks_[k].first, blocks_[k].count) = shares;
      if (with_gradients)
        result.gradients.col(static_cast<Index>(k)) = -(rows_.middleRows(blocks_[k].first, blocks_[k].count).transpose() * shares);
    }
    return result;
  }

  MatrixXd rows_;
  double odds_;
  std::vector<Block> blocks_;
};

/// t/2 |p|^2 - sum log slack_i; infinite outside.
double barrier_value(const Program& program, double t, const VectorXd& p) {
  const VectorXd slack = program.slack(p);
  if (!(slack.minCoeff<Eigen::PropagateNaN>() > 0)) return std::numeric_limits<double>::infinity();
  return t / 2 * p.squaredNorm() - slack.array().log().sum();
}

/// The Hessian of the barrier, t + sum_i curvature_i / slack_i + g_i g_i^T / slack_i^2.
class BarrierHessian {
 public:
  BarrierHessian(const Program& program, const Program::State& state, double t)
      : program_(program), state_(state), t_(t), inverse_(state.slack.cwiseInverse()) {}

  std::optional<VectorXd> solve(const VectorXd& right) const {
    return right.size() < least_products ? solve_positive_definite(dense(), right) : by_products(right);
  }

 private:
  MatrixXd dense() const {
    MatrixXd hessian = program_.curvature(state_, inverse_);
    hessian += state_.gradients * inverse_.cwiseAbs2().asDiagonal() * state_.gradients.transpose();
    hessian.diagonal().array() += t_;
    return hessian;
  }

  /// Conjugate gradients, preconditioned by c + sum_i g_i g_i^T / slack_i^2 with c the mean of the rest: what is stiff near the border has
  /// one direction a sample.
  std::optional<VectorXd> by_products(const VectorXd& right) const {
    const VectorXd row_weights = program_.by_row(state_, inverse_);
    const VectorXd sample_weights = inverse_.cwiseAbs2() - inverse_;
    const auto times = [&](const VectorXd& x) -> VectorXd {
      return t_ * x + program_.rows().transpose() * row_weights.cwiseProduct(program_.rows() * x) +
             state_.gradients * sample_weights.cwiseProduct(state_.gradients.transpose() * x);
    };
    const double rest = t_ + row_weights.dot(program_.square_lengths()) / static_cast<double>(right.size());
    MatrixXd inner = state_.gradients.transpose() * state_.gradients;
    inner.diagonal() += rest * state_.slack.cwiseAbs2();
    const auto scaled = [&](const VectorXd& x) -> VectorXd {
      const auto part = solve_positive_definite(inner, state_.gradients.transpose() * x);
      return (part ? VectorXd(x - state_.gradients * *part) : x) / rest;
    };
    VectorXd solution = VectorXd::Zero(right.size());
    VectorXd residual = right;
    VectorXd direction = scaled(residual);
    double square = residual.dot(direction);
    const double enough = barrier_solve_part * barrier_solve_part * square;
    for (int k = 0; k < most_barrier_products && square > enough; ++k) {
      const VectorXd image = times(direction);
      const double curvature = direction.dot(image);
      if (!(curvature > 0)) return std::nullopt;
      solution += square / curvature * direction;
      residual -= square / curvature * image;
      const VectorXd next = scaled(residual);
      const double grown = residual.dot(next);
      direction = next + grown / square * direction;
      square = grown;
    }
    return solution;
  }

  const Program& program_;
  const Program::State& state_;
  double t_;
  VectorXd inverse_;
};

/// Newton's method with halved steps, until its decrement is this small.
void centre(const Program& program, double t, double enough, VectorXd& p) {
  for (int k = 0; k < most_barrier_steps; ++k) {
    const Program::State state = program.state(p);
    const VectorXd gradient = t * p + state.gradients * state.slack.cwiseInverse();
    const auto step = BarrierHessian(program, state, t).solve(-gradient);
    if (!step) return;
    const double decrement = -gradient.dot(*step);
    if (!(decrement > enough)) return;
    const double here = barrier_value(program, t, p);
    double length = 1;
    const double noise = barrier_noise * std::abs(here);
    while (length > 0x1p-40 && !(barrier_value(program, t, p + length * *step) <= here - length * decrement / 4 + noise)) length /= 2;
    if (!(length > 0x1p-40)) return;
    p += length * *step;
  }
}

/// Newton's method on p + sum P_i dl_i = 0, slack_i = 0 for the samples that are not free.
void polish(const Program& program, VectorXd& p, VectorXd& weights) {
  std::vector<Index> tight;
  for (Index k = 0; k < weights.size(); ++k) {
    if (weights(k) > free_weight.relative * weights.maxCoeff())
      tight.push_back(k);
    else
      weights(k) = 0;
  }
  const auto m = static_cast<Index>(tight.size());
  for (int step = 0; step < polishing_steps; ++step) {
    const Program::State state = program.state(p);
    MatrixXd system = MatrixXd::Zero(p.size() + m, p.size() + m);
    VectorXd right(p.size() + m);
    system.topLeftCorner(p.size(), p.size()) = program.curvature(state, weights);
    system.diagonal().head(p.size()).array() += 1;
    right.head(p.size()) = -p - state.gradients * weights;
    for (Index k = 0; k < m; ++k) {
      system.col(p.size() + k).head(p.size()) = state.gradients.col(tight[static_cast<std::size_t>(k)]);
      system.row(p.size() + k).head(p.size()) = system.col(p.size() + k).head(p.size()).transpose();
      right(p.size() + k) = state.slack(tight[static_cast<std::size_t>(k)]);
    }
    const VectorXd change = least_squares(system, right, {});
    if (!change.allFinite()) return;
    p += change.head(p.size());
    for (Index k = 0; k < m; ++k) {
      double& weight = weights(tight[static_cast<std::size_t>(k)]);
      weight = std::max(weight + change(p.size() + k), 0.0);
    }
  }
}

/// The least of 1, 1 + 2^-50, 1 + 2^-49, … times these weights whose sum of rows has the attention.
VectorXd with_attention(const Program& program, const VectorXd& by_row) {
  const VectorXd p = program.rows().transpose() * by_row;
  double more = 0;
  while (more < 1 && !(program.slack((1 + more) * p).minCoeff<Eigen::PropagateNaN>() >= 0)) more = more > 0 ? 2 * more : 0x1p-50;
  return (1 + more) * by_row;
}

}  // namespace

std::vector<double> guess_sparsity(const SvmProgram& program, double epsilon, std::span<const double> separating, const Budget& budget) {
  if (program.kind() == SvmProgram::Kind::w && program.row_count() > most_weight_rows) return {};
  const double odds = std::log1p(-epsilon) - std::log(epsilon) + safety;
  const Program rows(program, odds);
  const Eigen::Map<const VectorXd> lambda(separating.data(), static_cast<Index>(separating.size()));
  VectorXd p = (rows.rows().transpose() * lambda) * std::max(odds + std::log(rows.most_rows()) + 1, safety);
  const bool dense = p.size() < least_products;
  const auto n = static_cast<double>(rows.size());
  double t = n / p.squaredNorm();
  for (; t * p.squaredNorm() * barrier_gap.relative < n; t *= barrier_growth) {
    if (budget.spent()) return {};
    centre(rows, t, dense ? central_decrement : last_decrement, p);
  }
  t /= barrier_growth;
  VectorXd weights = rows.slack(p).cwiseInverse() / t;
  if (dense) polish(rows, p, weights);
  const VectorXd by_row = with_attention(rows, rows.by_row(rows.state(p), weights));
  return {by_row.begin(), by_row.end()};
}

}  // namespace attest
