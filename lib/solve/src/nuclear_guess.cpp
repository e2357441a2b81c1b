#include "attest/solve/nuclear_guess.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/solve/dense.hpp"
#include "query_basis.hpp"

#include <Eigen/Cholesky>
#include <cmath>

// With mu > 0 the point of the central path minimises
//   F(lambda) = -sum lambda_c / mu - log det(I - M^T M) - sum log lambda_c,
// a self-concordant function. Its gradient is 0 when W = 2 mu M S, S = (I - M^T M)^-1, has <A_c, W> = 1 + mu / lambda_c:
// W is feasible, and |W|_* - sum lambda_c <= mu (rows + rank). So one number tells the gap.
//
// Only products of rows enter. With G = D D^T, R the queries' coordinates in an orthonormal basis, a line a row, and
// P = D M = G diag(lambda) R, C = P S R^T:
//   M^T M = (diag(lambda) R)^T P,   dF/dlambda = -1/mu + 2 diag(C) - 1/lambda,
//   d2F = 2 (G + P S P^T) o (R S R^T) + 2 C o C^T + diag(1/lambda^2)        (o: entry by entry).

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The data of the program in doubles.
struct Rows {
  MatrixXd left;         // D, a line a row
  MatrixXd coordinates;  // R
  MatrixXd basis;        // z_i = basis r_i

  explicit Rows(const SvmProgram& program) {
    const QueryBasis queries(program.problem());
    basis = queries.basis;
    const auto count = static_cast<Index>(program.row_count());
    left.resize(count, basis.rows());
    coordinates.resize(count, basis.cols());
    for (Index row = 0; row < count; ++row) {
      const auto [i, t] = program.name(static_cast<std::size_t>(row));
      const auto chosen = program.problem().tokens[i].image_row(program.selection()[i]);
      const auto other = program.problem().tokens[i].image_row(t);
      for (Index c = 0; c < left.cols(); ++c) left(row, c) = chosen[static_cast<std::size_t>(c)] - other[static_cast<std::size_t>(c)];
      coordinates.row(row) = queries.coordinates.col(static_cast<Index>(i)).transpose();
    }
  }
};

/// The method in one kind of numbers. Doubles do most of the way fast; 1 - |M|^2 falls to the size of the gap, so the rest
/// needs longer ones.
template <class Real>
class Barrier {
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

 public:
  Barrier(const Rows& rows, const Budget& budget) : R_(rows.coordinates.cast<Real>()), budget_(budget) {
    const Matrix left = rows.left.cast<Real>();
    G_ = left * left.transpose();
  }

  /// Follows the path from a strictly feasible lambda down to the gap; false when it gets nowhere.
  bool follow(Vector& lambda, Real& mu, Real gap) {
    for (int step = 0; step < path_limit; ++step) {
      const bool last = mu * static_cast<Real>(R_.rows() + R_.cols()) <= gap * lambda.sum();
      if (!centre(lambda, mu, last ? Real(1e-5) : Real(0.5))) return false;
      if (last) return true;
      mu /= 10;
    }
    return false;  // sum lambda keeps growing with 1/mu: the dual is unbounded
  }

  /// 2 mu diag(lambda) R S: the matrix W is D^T times this, in the coordinates of the queries.
  Matrix solution(const Vector& lambda, Real mu) {
    evaluate(lambda);
    return 2 * mu * (lambda.asDiagonal() * R_ * S_);
  }

 private:
  static constexpr int path_limit = 40;
  static constexpr int newton_limit = 60;

  /// P and I - M^T M; false outside the domain.
  bool evaluate(const Vector& lambda) {
    if (!(lambda.minCoeff() > 0)) return false;
    const Matrix weighted = lambda.asDiagonal() * R_;
    P_ = G_ * weighted;
    const Matrix rest = Matrix::Identity(R_.cols(), R_.cols()) - weighted.transpose() * P_;
    const Eigen::LLT<Matrix> factors(rest);
    if (factors.info() != Eigen::Success) return false;
    S_ = factors.solve(Matrix::Identity(R_.cols(), R_.cols()));
    log_determinant_ = 2 * factors.matrixLLT().diagonal().array().log().sum();
    return S_.allFinite();
  }

  Real value(const Vector& lambda, Real mu) const { return -lambda.sum() / mu - log_determinant_ - lambda.array().log().sum(); }

  /// Newton's method until its decrement is below `wanted` or falls no more.
  bool centre(Vector& lambda, Real mu, Real wanted) {
    Real before = std::numeric_limits<Real>::infinity();
    for (int iteration = 0; iteration < newton_limit && !budget_.spent(); ++iteration) {
      if (!evaluate(lambda)) return false;
      const Matrix PS = P_ * S_;
      const Matrix C = PS * R_.transpose();
      const Vector gradient = (2 * C.diagonal().array() - 1 / mu - lambda.array().inverse()).matrix();
      Matrix hessian = 2 * ((G_ + PS * P_.transpose()).cwiseProduct(R_ * S_ * R_.transpose()) + C.cwiseProduct(C.transpose()));
      hessian.diagonal() += lambda.array().square().inverse().matrix();
      const Vector scale = hessian.diagonal().array().rsqrt();
      hessian = scale.asDiagonal() * hessian * scale.asDiagonal();
      const Vector step = -scale.cwiseProduct(hessian.ldlt().solve(scale.cwiseProduct(gradient)));
      const Real decrement = std::sqrt(std::max<Real>(0, -gradient.dot(step)));
      if (!std::isfinite(decrement)) return false;
      if (decrement < Real(0.25)) {
        lambda += step;  // inside the domain: self-concordance
        if (decrement < wanted || decrement >= before / 2) return evaluate(lambda);
      } else {
        lambda += damped(lambda, mu, step, gradient.dot(step), decrement) * step;
        if (decrement < wanted) return true;
      }
      before = decrement;
    }
    return false;
  }

  /// A step that lowers F: long where that works, and never below 1/(1 + decrement), which always does.
  Real damped(const Vector& lambda, Real mu, const Vector& step, Real slope, Real decrement) {
    const Real sure = 1 / (1 + decrement);
    const Real start = value(lambda, mu);
    for (Real length = 1; length > sure; length *= Real(0.7)) {
      const Vector trial = lambda + length * step;
      if (evaluate(trial) && value(trial, mu) <= start + Real(0.1) * length * slope) return length;
    }
    return sure;
  }

  Matrix R_;
  const Budget& budget_;
  Matrix G_;
  Matrix P_;
  Matrix S_;
  Real log_determinant_ = 0;
};

/// 1 - |M|^2 is of the size of the gap, so its inverse, and W with it, has lost digits that the singular vectors have kept.
/// W = U H V^T with the vectors of the singular values that count, and the least change of H that makes rows with weight
/// tight, has them back.
MatrixXd polished(const MatrixXd& W, const Rows& rows, const VectorXd& multipliers) {
  const ThinSvd factors = thin_svd(W);
  Index rank = 0;
  while (rank < factors.values.size() && factors.values[rank] > singular_value_tolerance.relative * factors.values[0]) ++rank;
  const MatrixXd U = factors.U.leftCols(rank);
  const MatrixXd V = factors.V.leftCols(rank);
  const MatrixXd left = rows.left * U;
  const MatrixXd right = rows.coordinates * V;
  MatrixXd H = factors.values.head(rank).asDiagonal();
  std::vector<Index> weighty;
  for (Index row = 0; row < multipliers.size(); ++row)
    if (multipliers[row] > active_multiplier_tolerance.relative * multipliers.maxCoeff()) weighty.push_back(row);
  if (rank == 0 || weighty.empty()) return W;  // rows that cancel: there is nothing to polish
  MatrixXd system(static_cast<Index>(weighty.size()), rank * rank);
  VectorXd missing(system.rows());
  for (Index k = 0; k < system.rows(); ++k) {
    const Index row = weighty[static_cast<std::size_t>(k)];
    const MatrixXd product = left.row(row).transpose() * right.row(row);
    system.row(k) = product.reshaped().transpose();
    missing[k] = 1 - product.cwiseProduct(H).sum();
  }
  const VectorXd change = least_squares(system, missing, nuclear_solve_tolerance.relative);
  H += change.reshaped(rank, rank);
  return U * H * V.transpose();
}

std::vector<double> by_rows(const MatrixXd& matrix) {
  const MatrixXd transposed = matrix.transpose();
  return {transposed.data(), transposed.data() + transposed.size()};
}

}  // namespace

NuclearGuess guess_nuclear(const SvmProgram& program, const Budget& budget) {
  NuclearGuess guess;
  guess.found = program.row_count() == 0;
  if (guess.found || budget.spent() || program.row_count() > most_nuclear_rows) return guess;
  const Rows rows(program);
  // Half way to the border along (1, …, 1).
  const double size = spectral_norm(rows.left.transpose() * rows.coordinates);
  if (!(size > 0)) return guess;
  VectorXd start = VectorXd::Constant(rows.left.rows(), 0.5 / size);
  double mu = start.sum();
  Barrier<double> coarse(rows, budget);
  if (!coarse.follow(start, mu, nuclear_gap_tolerance.relative)) return guess;
  Eigen::Matrix<long double, Eigen::Dynamic, 1> lambda = start.cast<long double>();
  long double fine_mu = mu;
  Barrier<long double> fine(rows, budget);
  if (!fine.follow(lambda, fine_mu, nuclear_solve_tolerance.relative)) return guess;

  const VectorXd multipliers = lambda.cast<double>();
  const MatrixXd W = rows.left.transpose() * fine.solution(lambda, fine_mu).cast<double>();
  if (!W.allFinite()) return guess;
  const ThinSvd found = thin_svd(W);
  const MatrixXd better = polished(W, rows, multipliers);
  if (!better.allFinite()) return guess;
  const ThinSvd factors = thin_svd(better);
  const VectorXd roots = factors.values.cwiseSqrt();
  guess.found = true;
  guess.columns = static_cast<std::size_t>(roots.size());
  guess.A = by_rows(factors.U * roots.asDiagonal());
  guess.B = by_rows(rows.basis * factors.V * roots.asDiagonal());
  guess.multipliers.assign(multipliers.begin(), multipliers.end());
  guess.spectrum.assign(found.values.begin(), found.values.end());
  return guess;
}

}  // namespace attest
