#include "attest/solve/lq_svm.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/graph/casadi/svm_graph.hpp"
#include "attest/solve/dense.hpp"
#include "infinity.hpp"
#include "line_search.hpp"
#include "mirror_map.hpp"
#include "nlp.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double q_norm(const VectorXd& x, double q) {
  const double largest = x.lpNorm<Eigen::Infinity>();
  if (!(largest > 0)) return largest;
  return largest * std::pow((x / largest).array().abs().pow(q).sum(), 1 / q);
}

double dual_exponent(double q) { return q / (q - 1); }

/// grad psi(x), of whatever length.
VectorXd mirrored(const VectorXd& x, double q) { return signed_power(x / x.lpNorm<Eigen::Infinity>(), q - 1); }

LqResidual residual_of(const MatrixXd& rows, double q, const VectorXd& p, const VectorXd& multipliers) {
  const VectorXd values = rows * p;
  const VectorXd combination = rows.transpose() * multipliers;
  const double total = multipliers.sum();
  const double stationarity = (mirrored(p, q).normalized() - combination.normalized()).norm();
  const double infeasible = (1 - values.array()).maxCoeff<Eigen::PropagateNaN>();
  const double loose = multipliers.dot((values.array() - 1).abs().matrix()) / total;
  const double negative = -multipliers.minCoeff() / multipliers.lpNorm<Eigen::Infinity>();
  LqResidual residual;
  residual.kkt = VectorXd{{0.0, stationarity, infeasible, loose, negative}}.maxCoeff<Eigen::PropagateNaN>();
  const double least = values.minCoeff<Eigen::PropagateNaN>();
  if (least <= 0)
    residual.gap = infinity;
  else
    residual.gap = 1 - total / q_norm(combination, dual_exponent(q)) * least / q_norm(p, q);
  return residual;
}

/// A point with its multipliers, in the scaled program.
struct PrimalDual {
  VectorXd x;
  VectorXd lambda;
};

/// The program with rows scaled so that the least q-norm is at most 1.
class ScaledProgram {
 public:
  ScaledProgram(MatrixXd rows, double q, const Budget& budget) : rows_(std::move(rows)), q_(q), budget_(budget) {}

  /// Newton's method on the dual, phi(lambda) = |A^T lambda|_s^s / s - sum lambda over lambda >= 0, from a lambda other than 0: its steps
  /// are solved by conjugate gradients over the rows whose lambda is positive or wants to be, and cut at 0.
  PrimalDual climb(VectorXd lambda) const {
    constexpr int most_steps = 200;
    constexpr double finest = 1e-12;
    constexpr double value_noise = 1e-14;
    const double s = dual_exponent(q_);
    const auto value = [&](const VectorXd& y, const VectorXd& at) { return y.array().abs().pow(s).sum() / s - at.sum(); };
    VectorXd y = rows_.transpose() * lambda;
    const double multiple = std::pow(lambda.sum() / y.array().abs().pow(s).sum(), 1 / (s - 1));  // the best one
    lambda *= multiple;
    y *= multiple;
    for (int k = 0; k < most_steps && !budget_.spent(); ++k) {
      const VectorXd gradient = (rows_ * signed_power(y, s - 1)).array() - 1;
      const double residual = (lambda.array() > 0).select(gradient, gradient.cwiseMin(0.0)).lpNorm<Eigen::Infinity>();
      if (!(residual > finest)) break;
      const VectorXd step = dual_newton_step(lambda, y, gradient, residual);
      const double here = value(y, lambda);
      double length = 1;
      VectorXd next;
      VectorXd next_y;
      int halvings = 0;
      for (; halvings < halving_limit; ++halvings, length /= 2) {
        next = (lambda + length * step).cwiseMax(0.0);
        next_y = rows_.transpose() * next;
        if (value(next_y, next) <= here + sufficient_part * gradient.dot(next - lambda) + value_noise * std::abs(here)) break;
      }
      if (halvings == halving_limit) break;
      lambda = std::move(next);
      y = std::move(next_y);
    }
    return {signed_power(y, s - 1), lambda};
  }

  /// IPOPT's word: a guess.
  PrimalDual guess(const VectorXd& start) const {
    if (budget_.spent()) return {start, VectorXd::Zero(rows_.rows())};
    const SvmGraph graph = lq_svm_graph(rows_, q_);
    const Nlp solver({{"x", graph.x}, {"f", graph.f}, {"g", graph.g}}, {.seconds = budget_.seconds_left()});
    const bool primal = q_ >= 2;
    const NlpResult found = solver.solve({primal ? start : dual_start()}, graph.lower, graph.upper);
    if (found.end == NlpEnd::failed) return {start, VectorXd::Zero(rows_.rows())};
    if (primal) return {found.x, -found.g_multipliers};
    const VectorXd lambda = found.x.head(rows_.rows());
    return {signed_power(rows_.transpose() * lambda, 1 / (q_ - 1)), lambda};
  }

  /// Newton steps on grad psi(x) = A^T lambda, A x = 1 over the rows that the guess weighs most; rows that then weigh less than
  /// nothing leave, and the row that is violated most joins.
  PrimalDual polish(const PrimalDual& guess) const {
    constexpr int most_sets = 30;
    PrimalDual best = guess;
    std::vector<Index> active = weighty_rows(guess.lambda);
    for (int k = 0; k < most_sets && !active.empty() && !budget_.spent(); ++k) {
      const PrimalDual point = newton(guess, active);
      if (kkt(point) < kkt(best)) best = point;
      if (kkt(point) <= lq_kkt_tolerance.relative) break;
      const std::size_t before = active.size();
      std::erase_if(active, [&](Index c) { return !(point.lambda(c) >= 0); });
      if (active.size() < before) continue;
      Index worst = 0;
      if (!((rows_ * point.x).minCoeff(&worst) < 1) || std::find(active.begin(), active.end(), worst) != active.end()) break;
      active.push_back(worst);
    }
    return best;
  }

 private:
  VectorXd dual_newton_step(const VectorXd& lambda, const VectorXd& y, const VectorXd& gradient, double residual) const {
    constexpr int most_products = 300;
    constexpr double coarsest_solve = 0.05;
    constexpr double least_part = 1e-9;  // of the largest |y|: below, slopes |y|^(s-2) are cut
    constexpr double regularisation = 1e-8;
    std::vector<Index> free;
    for (Index row = 0; row < lambda.size(); ++row)
      if (lambda[row] > 0 || gradient[row] < 0) free.push_back(row);
    const MatrixXd A = rows_(free, Eigen::all);
    const double s = dual_exponent(q_);
    const VectorXd slopes = (s - 1) * y.array().abs().max(least_part * y.lpNorm<Eigen::Infinity>()).pow(s - 2);
    const VectorXd diagonal = A.cwiseAbs2() * slopes;
    const double extra = regularisation * std::min(1.0, residual);
    VectorXd rest = -gradient(free);
    VectorXd solution = VectorXd::Zero(rest.size());
    VectorXd direction = rest.cwiseQuotient(diagonal);
    double square = rest.dot(direction);
    const double enough = std::min(coarsest_solve, residual) * rest.norm();
    for (int k = 0; k < most_products && rest.norm() > enough && !budget_.spent(); ++k) {
      const VectorXd image = A * slopes.cwiseProduct(A.transpose() * direction) + extra * diagonal.cwiseProduct(direction);
      const double curvature = direction.dot(image);
      if (!(curvature > 0)) break;
      solution += square / curvature * direction;
      rest -= square / curvature * image;
      const VectorXd scaled = rest.cwiseQuotient(diagonal);
      const double grown = rest.dot(scaled);
      direction = scaled + grown / square * direction;
      square = grown;
    }
    VectorXd step = VectorXd::Zero(lambda.size());
    step(free) = solution;
    return step;
  }

  /// Equal multipliers, and the y that goes with them.
  VectorXd dual_start() const {
    const VectorXd lambda = VectorXd::Constant(rows_.rows(), 1.0 / static_cast<double>(rows_.rows()));
    VectorXd both(rows_.rows() + rows_.cols());
    both << lambda, rows_.transpose() * lambda;
    return both;
  }

  double kkt(const PrimalDual& point) const { return residual_of(rows_, q_, point.x, point.lambda).kkt; }

  /// At most d rows with clearly positive multipliers, the largest first.
  std::vector<Index> weighty_rows(const VectorXd& lambda) const {
    const double largest = lambda.maxCoeff();
    std::vector<Index> weighty;
    for (Index c = 0; c < lambda.size(); ++c)
      if (lambda(c) > active_multiplier_tolerance.relative * largest) weighty.push_back(c);
    std::sort(weighty.begin(), weighty.end(), [&](Index a, Index b) { return lambda(a) > lambda(b); });
    if (static_cast<Index>(weighty.size()) > rows_.cols()) weighty.resize(static_cast<std::size_t>(rows_.cols()));
    return weighty;
  }

  /// Newton steps for a set of rows while they help.
  PrimalDual newton(PrimalDual point, const std::vector<Index>& active) const {
    constexpr int most_steps = 50;
    double least = infinity;
    for (int k = 0; k < most_steps && !budget_.spent(); ++k) {
      PrimalDual next = q_ >= 2 ? primal_step(point, active) : dual_step(point, active);
      const double here = kkt(next);
      if (!(here < least)) break;
      least = here;
      point = std::move(next);
    }
    return point;
  }

  /// q >= 2, where grad psi is differentiable: linearised in x and lambda.
  PrimalDual primal_step(const PrimalDual& point, const std::vector<Index>& active) const {
    const MatrixXd A = rows_(active, Eigen::all);
    const Index d = A.cols();
    const Index m = A.rows();
    MatrixXd system = MatrixXd::Zero(d + m, d + m);
    system.topLeftCorner(d, d) = ((q_ - 1) * point.x.array().abs().pow(q_ - 2)).matrix().asDiagonal();
    system.topRightCorner(d, m) = -A.transpose();
    system.bottomLeftCorner(m, d) = A;
    VectorXd right(d + m);
    right << -signed_power(point.x, q_ - 1), VectorXd::Ones(m) - A * point.x;
    const VectorXd step = least_squares(system, right);
    PrimalDual next{point.x + step.head(d), VectorXd::Zero(rows_.rows())};
    next.lambda(active) = step.tail(m);
    return next;
  }

  /// q < 2, where the inverse of grad psi is: linearised in lambda, x = (grad psi)^-1(A^T lambda).
  PrimalDual dual_step(const PrimalDual& point, const std::vector<Index>& active) const {
    const MatrixXd A = rows_(active, Eigen::all);
    const double s = dual_exponent(q_);
    const VectorXd y = A.transpose() * point.lambda(active);
    const VectorXd slopes = (s - 1) * y.array().abs().pow(s - 2);
    const MatrixXd system = A * slopes.asDiagonal() * A.transpose();
    const VectorXd right = VectorXd::Ones(A.rows()) - A * signed_power(y, s - 1);
    PrimalDual next{{}, VectorXd::Zero(rows_.rows())};
    next.lambda(active) = VectorXd(point.lambda(active)) + least_squares(system, right);
    next.x = signed_power(rows_.transpose() * next.lambda, s - 1);
    return next;
  }

  MatrixXd rows_;
  double q_;
  const Budget& budget_;
};

}  // namespace

namespace {

/// So many rows are taken at first: those that are nearest to tight at the solution for q = 2.
double pool_size(double dimension, double rows) { return std::min(rows, std::max(600.0, 3 * dimension)); }

}  // namespace

// Scaled from solves with 300 to 750 rows of 256 and 384 numbers.
double lq_svm_seconds(double dimension, double rows) {
  const double size = dimension + 2 * pool_size(dimension, rows);
  return 1.3e-9 * size * size * size;
}

bool LqSvmSolution::solved() const { return residual.kkt <= lq_kkt_tolerance.relative && residual.gap <= lq_gap_tolerance.relative; }

LqResidual lq_residual(const SvmProgram& program, double q, const VectorXd& p, const VectorXd& multipliers) {
  return residual_of(svm_image(program).rows, q, p, multipliers);
}

namespace {

/// Of a program whose rows are these: by Newton's method on the dual from a lambda, or by IPOPT where there is none.
LqSvmSolution solve_rows(const MatrixXd& rows, double q, const VectorXd& feasible, const VectorXd& lambda, const Budget& budget) {
  const double scale = q_norm(feasible, q);
  std::vector<Index> seen;  // columns that some row sees; the other entries of p are 0
  for (Index j = 0; j < rows.cols(); ++j)
    if (!rows.col(j).isZero(0)) seen.push_back(j);
  const ScaledProgram scaled(scale * rows(Eigen::all, seen), q, budget);
  const PrimalDual found = lambda.size() > 0 ? scaled.climb(lambda) : scaled.polish(scaled.guess(feasible(seen) / scale));
  LqSvmSolution solution{VectorXd::Zero(rows.cols()), found.lambda.cwiseMax(0.0), {}, false};
  solution.p(seen) = scale * found.x;
  solution.multipliers /= solution.multipliers.sum();
  solution.residual = residual_of(rows, q, solution.p, solution.multipliers);
  return solution;
}

/// The numbers of the `count` least values, ascending.
std::vector<Index> least_of(const VectorXd& values, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::nth_element(order, order.begin() + count - 1, {}, [&](Index row) { return values[row]; });
  order.resize(static_cast<std::size_t>(count));
  std::ranges::sort(order);
  return order;
}

/// On a pool of rows, which grows by those that its solution misses most.
LqSvmSolution solve_on_pool(const MatrixXd& rows, double q, const VectorXd& feasible, Index size, const Budget& budget) {
  constexpr int most_pools = 12;
  std::vector<Index> pool = least_of(rows * feasible, size);
  LqSvmSolution solution{feasible, VectorXd::Zero(rows.rows()), {infinity, infinity}, false};
  for (int k = 0; k < most_pools && !budget.spent(); ++k) {
    const LqSvmSolution found = solve_rows(rows(pool, Eigen::all), q, feasible, {}, budget);
    solution.p = found.p;
    solution.multipliers.setZero();
    solution.multipliers(pool) = found.multipliers;
    solution.residual = residual_of(rows, q, solution.p, solution.multipliers);
    if (solution.solved() || !found.solved()) break;
    const VectorXd values = rows * solution.p;
    std::vector<Index> joined;
    std::ranges::set_union(pool, least_of(values, rows.cols()), std::back_inserter(joined));
    if (joined.size() == pool.size()) break;
    pool = std::move(joined);
  }
  return solution;
}

}  // namespace

LqSvmSolution solve_lq_svm(const SvmProgram& program, double q, const VectorXd& feasible, const VectorXd& multipliers,
                           const Budget& budget) {
  const MatrixXd rows = svm_image(program).rows;
  if (multipliers.sum() > 0) {
    const LqSvmSolution climbed = solve_rows(rows, q, feasible, multipliers, budget);
    if (climbed.solved()) return climbed;
  }
  if (lq_svm_seconds(static_cast<double>(program.dimension()), static_cast<double>(program.row_count())) > budget.seconds_left())
    return {feasible, VectorXd::Zero(static_cast<Index>(program.row_count())), {infinity, infinity}, true};
  const auto size = static_cast<Index>(pool_size(static_cast<double>(rows.cols()), static_cast<double>(rows.rows())));
  return size == rows.rows() ? solve_rows(rows, q, feasible, {}, budget) : solve_on_pool(rows, q, feasible, size, budget);
}

TightRows tight_rows(const SvmProgram& program, const LqSvmSolution& solution) {
  const VectorXd values = svm_image(program).rows * solution.p;
  const double largest = solution.multipliers.maxCoeff();
  TightRows tight;
  for (Index c = 0; c < values.size(); ++c) {
    const bool weighs = solution.multipliers(c) > active_multiplier_tolerance.relative * largest;
    const auto row = static_cast<std::size_t>(c);
    if (weighs) tight.certain.push_back(row);
    if (weighs || values(c) - 1 <= tight_row_tolerance.relative) tight.possible.push_back(row);
  }
  return tight;
}

}  // namespace attest
