#include "attest/solve/nuclear_guess.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/solve/dense.hpp"
#include "line_search.hpp"
#include "query_basis.hpp"
#include "row_products.hpp"
#include "shrinkage.hpp"

#include <cmath>
#include <limits>

// A proximal point W_k goes to the minimiser W_k+1 of |W|_* + |W - W_k|^2 / (2 sigma) over the rows a_c = D_c r_i^T. In its dual, with P
// the shrinkage by sigma [Cai, Candes, Shen 2010] of Y = W_k + sigma M,
//   phi(lambda) = -sum lambda_c + |P|^2 / (2 sigma)  over  lambda >= 0,   dphi/dlambda_c = <a_c, P> - 1,   W_k+1 = P,
// phi is convex and semismooth: its Hessian is sigma <a_c, P'(Y) a_c'>. [Jiang, Sun, Toh 2014] As sigma grows the W_k go to a solution
// faster than linearly, and |M| <= 1 + |W_k+1 - W_k| / sigma. Any lambda and P give bounds: sum lambda / |M| and |P|_* / least row.

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int proximal_limit = 80;
constexpr int dual_newton_limit = 60;
constexpr int dual_product_limit = 200;
/// phi is not known better than this, of its size.
constexpr double dual_value_noise = 1e-13;
/// A proximal step is solved to this part of its length, of the rows' 1 ...
constexpr double proximal_solve_part = 0.03;
/// ... and never better than this.
constexpr double finest_proximal_solve = 1e-13;
/// Newton's systems get this part of their diagonal, times the residual, so that rows which depend on each other do no harm.
constexpr double dual_regularisation = 1e-6;
/// Proximal steps that take few of Newton's may be longer.
constexpr int easy_steps = 4;
constexpr double proximal_growth = 3;
/// Rows of size 1 whose W is larger than this are taken for infeasible.
constexpr double largest_norm = 1e9;
/// So many proximal steps without a better gap are the end.
constexpr int patience = 6;

/// The rows, scaled so that their columns and queries have size 1 in the mean.
struct ScaledRows {
  MatrixXd basis;  // z_i = basis r_i
  RowProducts rows;
  double scale;  // a row is this times the scaled one

  explicit ScaledRows(const SvmProgram& program) : ScaledRows(program, QueryBasis(program.problem())) {}

 private:
  ScaledRows(const SvmProgram& program, const QueryBasis& queries)
      : basis(queries.basis), rows(program, queries.coordinates), scale(mean_size(rows.columns) * mean_size(rows.queries)) {
    if (!(scale > 0)) return;
    rows.columns /= mean_size(rows.columns);
    rows.queries /= mean_size(rows.queries);
  }

  static double mean_size(const MatrixXd& columns) { return columns.norm() / std::sqrt(static_cast<double>(columns.cols())); }
};

/// What was found at best: the two bounds are proved apart from each other.
struct Best {
  double lower = 0;
  double upper = std::numeric_limits<double>::infinity();
  VectorXd multipliers;
  MatrixXd U, V;
  VectorXd values;

  double gap() const { return (upper - lower) / upper; }  // NaN without an upper bound
};

class ProximalPoints {
 public:
  ProximalPoints(const RowProducts& rows, const Budget& budget)
      : rows_(rows), budget_(budget), W_(MatrixXd::Zero(rows.columns.rows(), rows.queries.rows())), here_(place_at(start())) {}

  /// Proximal steps until the gap is as small as is wanted, or falls no more.
  Best run(double wanted) {
    look();
    int waited = 0;
    for (int step = 0; step < proximal_limit && waited < patience && !budget_.spent(); ++step) {
      const double before = best_.gap();
      const int taken = newton();
      if (best_.gap() <= wanted || !(best_.lower <= largest_norm)) break;
      waited = best_.gap() < before || !std::isfinite(before) ? 0 : waited + 1;
      W_ = shrunk();
      if (taken <= easy_steps) sigma_ *= proximal_growth;
      here_ = place_at(here_.lambda);
      look();
    }
    return best_;
  }

 private:
  /// A lambda with all that is known there.
  struct Place {
    VectorXd lambda;
    MatrixXd M;
    Shrinkage P;
    double value;
    VectorXd gradient;
  };

  /// At the border, so that the first step does not begin where P is 0.
  VectorXd start() const {
    const VectorXd ones = VectorXd::Ones(rows_.size());
    return ones * (2 / spectral_norm(weighted(ones)));
  }

  MatrixXd weighted(const VectorXd& lambda) const { return rows_.sums(lambda) * rows_.queries.transpose(); }

  Place place_at(VectorXd lambda) const {
    MatrixXd M = weighted(lambda);
    Shrinkage P(W_ + sigma_ * M, sigma_);
    const double value = P.values().squaredNorm() / (2 * sigma_) - lambda.sum();
    return {std::move(lambda), std::move(M), std::move(P), value, {}};
  }

  MatrixXd shrunk() const { return here_.P.left() * here_.P.values().asDiagonal() * here_.P.right().transpose(); }

  /// The gradient here, and whether a bound is better than those before.
  void look() {
    const Shrinkage& P = here_.P;
    here_.gradient = rows_.at_prompts(P.left() * (P.values().asDiagonal() * (P.right().transpose() * rows_.queries))).array() - 1;
    const double least = here_.gradient.minCoeff() + 1;
    if (least > 0 && P.values().sum() / least < best_.upper) {
      best_.upper = P.values().sum() / least;
      best_.U = P.left();
      best_.V = P.right();
      best_.values = P.values();
    }
    const double lower = here_.lambda.sum() / spectral_norm(here_.M);
    if (lower > best_.lower) {
      best_.lower = lower;
      best_.multipliers = here_.lambda;
    }
  }

  /// The gradient where lambda may follow it, root mean square.
  double residual() const {
    const auto g = here_.gradient.array();
    return std::sqrt((here_.lambda.array() > 0).select(g, g.min(0)).square().mean());
  }

  /// Newton steps to a proximal point; how many.
  int newton() {
    for (int step = 0; step < dual_newton_limit && !budget_.spent(); ++step) {
      const double left = residual();
      const double moved = (shrunk() - W_).norm() / std::max(here_.P.values().norm(), std::numeric_limits<double>::min());
      if (step > 0 && left <= std::max(proximal_solve_part * std::min(moved, 1.0), finest_proximal_solve)) return step;
      if (!search(newton_step(left))) return step;
    }
    return dual_newton_limit;
  }

  /// Over the rows whose lambda is positive or wants to be; 0 elsewhere.
  VectorXd newton_step(double left) const {
    std::vector<Index> free;
    for (Index row = 0; row < rows_.size(); ++row)
      if (here_.lambda[row] > 0 || here_.gradient[row] < 0) free.push_back(row);
    VectorXd step = VectorXd::Zero(rows_.size());
    if (free.empty()) return step;
    const RowProducts rows(rows_, free);
    const VectorXd diagonal = curvatures(rows);
    const MatrixXd turned = here_.P.turn() * rows.queries;
    const double extra = dual_regularisation * std::min(1.0, left);
    const auto times = [&](const VectorXd& x) -> VectorXd {
      return sigma_ * rows.at_prompts(here_.P.derivative_images(rows.sums(x), turned)) + extra * diagonal.cwiseProduct(x);
    };
    step(free) = conjugate_gradients(times, diagonal, -here_.gradient(free), std::min(0.05, left));
    return step;
  }

  /// About the diagonal of the Hessian: that of the projection to the tangent space of P's rank.
  VectorXd curvatures(const RowProducts& rows) const {
    const VectorXd left = (here_.P.left().transpose() * rows.columns).colwise().squaredNorm();
    const VectorXd right = (here_.P.right().transpose() * rows.queries).colwise().squaredNorm();
    VectorXd diagonal(rows.size());
    for (Index k = 0; k < rows.sample_count(); ++k)
      for (Index row = rows.begin(k); row < rows.begin(k + 1); ++row) {
        const double column = rows.columns.col(row).squaredNorm();
        diagonal[row] = sigma_ * (left[row] * rows.queries.col(k).squaredNorm() + (column - left[row]) * right[k]);
      }
    const double largest = diagonal.maxCoeff();
    if (!(largest > 0)) return VectorXd::Constant(rows.size(), sigma_);
    return (diagonal.array() > 1e-12 * largest).select(diagonal, largest);
  }

  template <class Times>
  VectorXd conjugate_gradients(const Times& times, const VectorXd& diagonal, const VectorXd& right, double part) const {
    VectorXd x = VectorXd::Zero(right.size());
    VectorXd rest = right;
    VectorXd direction = rest.cwiseQuotient(diagonal);
    double square = rest.dot(direction);
    const double enough = part * right.norm();
    for (int k = 0; k < dual_product_limit && rest.norm() > enough && !budget_.spent(); ++k) {
      const VectorXd image = times(direction);
      const double curvature = direction.dot(image);
      if (!(curvature > 0)) break;
      x += square / curvature * direction;
      rest -= square / curvature * image;
      const VectorXd scaled = rest.cwiseQuotient(diagonal);
      const double next = rest.dot(scaled);
      direction = scaled + next / square * direction;
      square = next;
    }
    return x;
  }

  /// The longest of the halved steps, cut at lambda = 0, that lowers phi enough; false when none does.
  bool search(const VectorXd& step) {
    double length = 1;
    for (int k = 0; k < halving_limit; ++k, length /= 2) {
      Place trial = place_at((here_.lambda + length * step).cwiseMax(0));
      const double slope = here_.gradient.dot(trial.lambda - here_.lambda);
      if (trial.value <= here_.value + sufficient_part * slope + dual_value_noise * std::abs(here_.value)) {
        here_ = std::move(trial);
        look();
        return true;
      }
    }
    return false;
  }

  const RowProducts& rows_;
  const Budget& budget_;
  double sigma_ = 1;
  MatrixXd W_;
  Place here_;
  Best best_;
};

std::vector<double> by_rows(const MatrixXd& matrix) {
  const MatrixXd transposed = matrix.transpose();
  return {transposed.data(), transposed.data() + transposed.size()};
}

}  // namespace

NuclearGuess guess_nuclear(const SvmProgram& program, const Budget& budget) {
  NuclearGuess guess;
  guess.found = program.row_count() == 0;
  if (guess.found || budget.spent()) return guess;
  const ScaledRows scaled(program);
  if (!(scaled.scale > 0)) return guess;
  const Best best = ProximalPoints(scaled.rows, budget).run(nuclear_solve_tolerance.relative);
  if (!(best.gap() < 1) || (budget.spent() && !(best.gap() <= nuclear_gap_tolerance.relative))) return guess;
  const VectorXd roots = (best.values / scaled.scale).cwiseSqrt();
  const MatrixXd A = best.U * roots.asDiagonal();
  const MatrixXd B = scaled.basis * (best.V * roots.asDiagonal());
  const VectorXd multipliers = best.multipliers / scaled.scale / (best.multipliers.sum() / best.lower);
  const VectorXd spectrum = singular_values(A * (best.V * roots.asDiagonal()).transpose());
  guess.found = true;
  guess.columns = static_cast<std::size_t>(roots.size());
  guess.A = by_rows(A);
  guess.B = by_rows(B);
  guess.multipliers.assign(multipliers.begin(), multipliers.end());
  guess.spectrum.assign(spectrum.begin(), spectrum.end());
  return guess;
}

}  // namespace attest
