#include "attest/solve/active_set_guess.hpp"

#include "attention_pass.hpp"
#include "attest/base/tolerance.hpp"
#include "attest/graph/numeric_problem.hpp"
#include "attest/model/token_rows.hpp"
#include "dual_active_set.hpp"
#include "query_basis.hpp"
#include "row_products.hpp"
#include "weight_dual.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <limits>
#include <optional>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Programs with at most this many rows are given to the solver whole.
constexpr std::size_t whole_limit = 256;
/// Rows that one pass adds to the pool at most.
constexpr std::size_t rows_a_pass = 512;
constexpr int pass_limit = 200;

/// The double image of a program, never stored as rows: k.w = x.(W^T w). In the W-SVM a row D z_i^T becomes D r_i^T, where
/// r_i are the coordinates of z_i in an orthonormal basis of all queries: the same products in min(n, d) d numbers.
class ProgramImage {
 public:
  explicit ProgramImage(const SvmProgram& program) : program_(program) {
    if (program.kind() == SvmProgram::Kind::w) {
      const QueryBasis queries(program.problem());
      coordinates_ = queries.coordinates;
      basis_ = queries.basis;
    } else if (program.kind() != SvmProgram::Kind::v && program.problem().W) {
      W_ = image_matrix(*program.problem().W);
    }
  }

  Index dimension() const {
    const auto d = static_cast<Index>(program_.dimension());
    return program_.kind() == SvmProgram::Kind::w ? d * coordinates_.rows() : d;
  }

  VectorXd row(std::size_t row) const {
    const auto [i, t] = program_.name(row);
    if (program_.kind() == SvmProgram::Kind::v) return program_.problem().labels[i] * token(i, t);
    const VectorXd difference = token(i, program_.selection()[i]) - token(i, t);
    if (program_.kind() == SvmProgram::Kind::w) {
      const MatrixXd product = difference * coordinates_.col(static_cast<Index>(i)).transpose();
      return product.reshaped();
    }
    return W_.size() > 0 ? VectorXd(W_ * difference) : difference;
  }

  /// W-SVM: the d x d matrix that a point stands for.
  MatrixXd matrix(const VectorXd& w) const {
    return w.reshaped(static_cast<Index>(program_.dimension()), coordinates_.rows()) * basis_.transpose();
  }

  /// Calls visit(k, row, a.w - b) for every row.
  template <class Visit>
  void for_each_slack(const VectorXd& w, Visit visit) const {
    VectorXd u = W_.size() > 0 ? VectorXd(W_.transpose() * w) : w;
    VectorXd logits;
    for (std::size_t k = 0; k < program_.samples().size(); ++k) {
      const std::size_t i = program_.samples()[k];
      const std::size_t chosen = program_.selection()[i];
      const auto d = static_cast<Index>(program_.dimension());
      if (program_.kind() == SvmProgram::Kind::w) u = w.reshaped(d, coordinates_.rows()) * coordinates_.col(static_cast<Index>(i));
      if (program_.kind() == SvmProgram::Kind::v) {
        visit(k, program_.first_row(k), program_.problem().labels[i] * token(i, chosen).dot(u) - 1);
        continue;
      }
      logits.resize(static_cast<Index>(program_.problem().token_count(i)));
      relative_logits(program_.problem().tokens[i].image().data(), d, logits.size(), u.data(), logits.data());
      const double bound = program_.first_row(k) < program_.first_row(k + 1) ? program_.bound(program_.first_row(k)) : 0;
      for (std::size_t row = program_.first_row(k); row < program_.first_row(k + 1); ++row) {
        const std::size_t rank = row - program_.first_row(k);
        const std::size_t t = rank < chosen ? rank : rank + 1;
        visit(k, row, logits[static_cast<Index>(chosen)] - logits[static_cast<Index>(t)] - bound);
      }
    }
  }

 private:
  Eigen::Map<const VectorXd> token(std::size_t i, std::size_t t) const {
    const auto image = program_.problem().tokens[i].image_row(t);
    return {image.data(), static_cast<Index>(image.size())};
  }

  const SvmProgram& program_;
  MatrixXd W_;
  MatrixXd coordinates_;  // r_i as columns
  MatrixXd basis_;        // z_i = basis_ r_i
};

std::function<std::vector<double>(const std::vector<double>&)> gram_solver(MatrixXd triangle) {
  return [R = std::move(triangle)](const std::vector<double>& right) {
    std::vector<double> solution = right;
    Eigen::Map<VectorXd> x(solution.data(), static_cast<Index>(solution.size()));
    R.triangularView<Eigen::Upper>().transpose().solveInPlace(x);
    R.triangularView<Eigen::Upper>().solveInPlace(x);
    return solution;
  };
}

/// The rows of the pool in the program's numbering.
class Pool {
 public:
  Pool(const SvmProgram& program, const ProgramImage& image) : program_(program), image_(image), solver_(image.dimension()) {}

  void add(const std::vector<std::size_t>& rows) {
    MatrixXd columns(image_.dimension(), static_cast<Index>(rows.size()));
    VectorXd bounds(columns.cols());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      columns.col(static_cast<Index>(k)) = image_.row(rows[k]);
      bounds[static_cast<Index>(k)] = program_.bound(rows[k]);
    }
    solver_.add_rows(columns, bounds);
    rows_.insert(rows_.end(), rows.begin(), rows.end());
  }

  DualActiveSet& solver() { return solver_; }

  ActiveSetGuess guess(ActiveSetGuess::End end) const {
    ActiveSetGuess result{end, {}, {}};
    for (const Index k : solver_.active()) result.rows.push_back(rows_[static_cast<std::size_t>(k)]);
    if (end == ActiveSetGuess::End::solved) result.solve_gram = gram_solver(solver_.triangle());
    return result;
  }

 private:
  const SvmProgram& program_;
  const ProgramImage& image_;
  DualActiveSet solver_;
  std::vector<std::size_t> rows_;
};

/// Each sample's most violated row at w, the worst `rows_a_pass` of them.
std::vector<std::size_t> violated_rows(const SvmProgram& program, const ProgramImage& image, const VectorXd& w) {
  struct Violation {
    double slack = 0;
    std::size_t row = 0;
  };
  std::vector<Violation> worst(program.samples().size());
  const double allowed = row_slack_tolerance.relative * (1 + w.norm());
  image.for_each_slack(w, [&](std::size_t k, std::size_t row, double slack) {
    if (slack < -allowed && slack < worst[k].slack) worst[k] = {slack, row};
  });
  std::erase_if(worst, [](const Violation& violation) { return violation.slack == 0; });
  if (worst.size() > rows_a_pass) {
    std::ranges::nth_element(worst, worst.begin() + rows_a_pass, {}, &Violation::slack);
    worst.resize(rows_a_pass);
  }
  std::vector<std::size_t> rows;
  for (const Violation& violation : worst) rows.push_back(violation.row);
  return rows;
}

/// Before anything is known all rows are equally violated: a small step along the mean of some rows tells them apart.
VectorXd first_direction(const SvmProgram& program, const ProgramImage& image) {
  VectorXd sum = VectorXd::Zero(image.dimension());
  for (std::size_t k = 0; k < program.samples().size(); ++k)
    if (program.first_row(k) < program.first_row(k + 1)) sum += image.row(program.first_row(k)).normalized();
  return sum.norm() > 0 ? VectorXd(sum / (sum.norm() * 0x1p20)) : sum;
}

ActiveSetGuess::End active_set_end(DualActiveSet::End end) {
  switch (end) {
    case DualActiveSet::End::solved: return ActiveSetGuess::End::solved;
    case DualActiveSet::End::infeasible: return ActiveSetGuess::End::infeasible;
    case DualActiveSet::End::stalled: break;
  }
  return ActiveSetGuess::End::stalled;
}

ActiveSetGuess::End solve(const SvmProgram& program, const ProgramImage& image, Pool& pool, const Budget& budget) {
  if (program.row_count() <= whole_limit) {
    std::vector<std::size_t> all(program.row_count());
    for (std::size_t row = 0; row < all.size(); ++row) all[row] = row;
    pool.add(all);
    return active_set_end(pool.solver().run(budget));
  }
  VectorXd w = first_direction(program, image);
  for (int pass = 0; pass < pass_limit; ++pass) {
    const std::vector<std::size_t> rows = violated_rows(program, image, w);
    if (rows.empty() && pass > 0) return ActiveSetGuess::End::solved;
    pool.add(rows);
    const DualActiveSet::End end = pool.solver().run(budget);
    if (end != DualActiveSet::End::solved) return active_set_end(end);
    w = pool.solver().point();
  }
  return ActiveSetGuess::End::stalled;
}

/// So many rows of W may be tight that one at a time is too slow.
bool is_large_weight_program(const SvmProgram& program) {
  return program.kind() == SvmProgram::Kind::w && program.row_count() > whole_limit && !has_equalities(program);
}

/// The same method for a small W-SVM whose rows have more numbers than there are rows: with A A^T = L L^T, from the products (D.D')(z.z'),
/// the rows of L stand for those of A. None where the rows are nearly dependent, so that L has lost digits, or it does not end well.
std::optional<ActiveSetGuess> guess_by_products(const SvmProgram& program, const Budget& budget) {
  constexpr double least_pivot = 1e-6;  // of the largest: half the digits are left
  const RowProducts rows(program, query_columns(program.problem()));
  MatrixXd gram = rows.columns.transpose() * rows.columns;
  const MatrixXd queries = rows.queries.transpose() * rows.queries;
  for (Index j = 0; j < rows.sample_count(); ++j)
    for (Index k = 0; k < rows.sample_count(); ++k) gram.block(rows.begin(j), rows.begin(k), rows.count(j), rows.count(k)) *= queries(j, k);
  const Eigen::LLT<MatrixXd> factor(gram);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const MatrixXd columns = factor.matrixU();
  const VectorXd pivots = columns.diagonal().cwiseAbs2();
  if (!(pivots.minCoeff() > least_pivot * pivots.maxCoeff())) return std::nullopt;
  VectorXd bounds(columns.cols());
  for (Index row = 0; row < bounds.size(); ++row) bounds[row] = program.bound(static_cast<std::size_t>(row));
  DualActiveSet solver(columns.rows());
  solver.add_rows(columns, bounds);
  if (solver.run(budget) != DualActiveSet::End::solved) return std::nullopt;
  ActiveSetGuess guess{ActiveSetGuess::End::solved, {}, gram_solver(solver.triangle())};
  for (const Index row : solver.active()) guess.rows.push_back(static_cast<std::size_t>(row));
  return guess;
}

/// Whether that saves time.
bool is_small_weight_program(const SvmProgram& program) {
  return program.kind() == SvmProgram::Kind::w && program.row_count() > 0 && program.row_count() <= whole_limit &&
         program.row_count() < program.dimension() * std::min(program.dimension(), program.samples().size());
}

}  // namespace

ActiveSetGuess guess_active_set(const SvmProgram& program, const Budget& budget) {
  if (is_small_weight_program(program))
    if (auto guess = guess_by_products(program, budget)) return *std::move(guess);
  if (is_large_weight_program(program)) {
    ActiveSetGuess guess = guess_weight_rows(program, budget);
    if (guess.end == ActiveSetGuess::End::solved) return guess;
  }
  const ProgramImage image(program);
  Pool pool(program, image);
  return pool.guess(solve(program, image, pool, budget));
}

namespace {

/// W = sum_i q_i z_i^T, q_i = sum_t lambda_it D_it, as Eigen stores its transpose.
MatrixXd combined_weights(const SvmProgram& program, const ActiveSetGuess& guess) {
  const std::vector<double> lambda = guess.solve_gram(std::vector<double>(guess.rows.size(), 1));
  const auto d = static_cast<Index>(program.dimension());
  MatrixXd left = MatrixXd::Zero(d, static_cast<Index>(program.problem().sample_count()));
  for (std::size_t k = 0; k < guess.rows.size(); ++k) {
    const auto [i, t] = program.name(guess.rows[k]);
    const ExactMatrix& tokens = program.problem().tokens[i];
    left.col(static_cast<Index>(i)) += lambda[k] * (image_vector(tokens, program.selection()[i]) - image_vector(tokens, t));
  }
  return query_columns(program.problem()) * left.transpose();
}

}  // namespace

std::vector<double> guess_weights(const SvmProgram& program, const Budget& budget) {
  if (is_large_weight_program(program)) {
    const ActiveSetGuess guess = guess_weight_rows(program, budget);
    if (guess.end != ActiveSetGuess::End::solved) return std::vector<double>(program.dimension() * program.dimension(), 0);
    const MatrixXd W = combined_weights(program, guess);
    return {W.data(), W.data() + W.size()};
  }
  const ProgramImage image(program);
  Pool pool(program, image);
  solve(program, image, pool, budget);
  const MatrixXd W = image.matrix(pool.solver().point()).transpose();  // Eigen stores columns
  return {W.data(), W.data() + W.size()};
}

}  // namespace attest
