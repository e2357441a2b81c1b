#include "weight_dual.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/solve/dense.hpp"
#include "query_basis.hpp"
#include "row_products.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Steps with momentum; they end before once the signs of the multipliers have not changed for a while, at first for so many steps.
constexpr int most_momentum_steps = 4000;
constexpr int steady_steps = 20;
/// Rounds in which rows change sides. From the first guess a few are enough.
constexpr int most_rounds = 60;
/// Rounds that may fail to lower the number of wrong signs before only one row changes sides.
constexpr int most_tries = 3;
/// Conjugate gradients end at this part of the right side; rounding ends them earlier.
constexpr double gram_solve_part = 1e-13;
constexpr int most_gram_products = 2000;
/// The multipliers are those of the active rows when these are met to this.
constexpr double settled = 1e-9;

/// A A^T x for some rows.
VectorXd gram_times(const RowProducts& rows, const VectorXd& x) { return rows.times(rows.combined(x)); }

/// About the x with A A^T x = right, by conjugate gradients from a start.
VectorXd solve_gram(const RowProducts& rows, const VectorXd& right, VectorXd x, const Budget& budget) {
  VectorXd residual = right - gram_times(rows, x);
  VectorXd direction = residual;
  double square = residual.squaredNorm();
  const double enough = gram_solve_part * gram_solve_part * right.squaredNorm();
  for (int k = 0; k < most_gram_products && square > enough && !budget.spent(); ++k) {
    const VectorXd image = gram_times(rows, direction);
    const double length = square / direction.dot(image);
    if (!std::isfinite(length)) break;
    x += length * direction;
    residual -= length * image;
    const double next = residual.squaredNorm();
    direction = residual + next / square * direction;
    square = next;
  }
  return x;
}

class WeightDual {
 public:
  WeightDual(const SvmProgram& program, const Budget& budget)
      : rows_(program, QueryBasis(program.problem()).coordinates), budget_(budget), lambda_(VectorXd::Zero(rows_.size())) {}

  ActiveSetGuess run() {
    bool solved = false;
    for (int steady = steady_steps; steady <= most_momentum_steps && !solved && !budget_.spent(); steady *= 4) {
      approach(steady);
      const VectorXd approached = lambda_;
      solved = pivot();
      if (!solved) lambda_ = approached;
    }
    ActiveSetGuess guess{solved ? ActiveSetGuess::End::solved : ActiveSetGuess::End::stalled, {}, {}};
    for (const Index row : active_) guess.rows.push_back(static_cast<std::size_t>(row));
    if (!solved) return guess;
    guess.solve_gram = [some = std::make_shared<const RowProducts>(rows_, active_), budget = budget_](const std::vector<double>& right) {
      const Eigen::Map<const VectorXd> b(right.data(), static_cast<Index>(right.size()));
      const VectorXd x = solve_gram(*some, b, VectorXd::Zero(b.size()), budget);
      return std::vector<double>(x.begin(), x.end());
    };
    return guess;
  }

 private:
  /// Gradient steps with momentum, which is dropped when it leads downwards.
  void approach(int steady_enough) {
    const VectorXd lengths = step_lengths();
    VectorXd ahead = lambda_;
    double momentum = 1;
    int steady = 0;
    for (int step = 0; step < most_momentum_steps && steady < steady_enough && !budget_.spent(); ++step) {
      const VectorXd slope = VectorXd::Ones(ahead.size()) - gram_times(rows_, ahead);
      const VectorXd next = (ahead + lengths.cwiseProduct(slope)).cwiseMax(0.0);
      const bool same = ((next.array() > 0) == (lambda_.array() > 0)).all();
      steady = same && step > 0 ? steady + 1 : 0;
      const VectorXd change = next - lambda_;
      if (change.dot(ahead - next) > 0) {
        momentum = 1;
        ahead = next;
      } else {
        const double grown = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
        ahead = next + (momentum - 1) / grown * change;
        momentum = grown;
      }
      lambda_ = next;
    }
  }

  /// One over a bound of A A^T: with the queries' largest singular value |Z| and those of a sample's rows, |Z|^2 |A_i|^2.
  VectorXd step_lengths() const {
    const double queries = spectral_norm(rows_.queries);
    VectorXd lengths(rows_.size());
    for (Index k = 0; k < rows_.sample_count(); ++k) {
      const double own = spectral_norm(rows_.columns.middleCols(rows_.begin(k), rows_.count(k)));
      const double bound = queries * queries * own * own;
      lengths.segment(rows_.begin(k), rows_.count(k)).setConstant(bound > 0 ? 1 / bound : 0.0);
    }
    return lengths;
  }

  /// True when the multipliers of the active rows are positive and the other rows satisfied.
  bool pivot() {
    active_.clear();
    for (Index row = 0; row < lambda_.size(); ++row)
      if (lambda_[row] > 0) active_.push_back(row);
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    int tries = most_tries;
    for (int round = 0; round < most_rounds && !budget_.spent(); ++round) {
      const std::vector<Index> wrong = wrong_rows();
      if (wrong.empty()) return miss_ <= settled;
      if (wrong.size() < fewest) {
        fewest = wrong.size();
        tries = most_tries;
      } else {
        --tries;
      }
      exchange(tries >= 0 ? wrong : std::vector{wrong.back()});
    }
    return false;
  }

  /// Active rows whose multiplier is not positive and others that are missed, ascending, where A A^T lambda = 1 on the active ones.
  std::vector<Index> wrong_rows() {
    const RowProducts some(rows_, active_);
    const VectorXd start = lambda_(active_);
    const VectorXd solved = solve_gram(some, VectorXd::Ones(start.size()), start, budget_);
    lambda_.setZero();
    lambda_(active_) = solved;
    const VectorXd point = rows_.combined(lambda_);
    const VectorXd values = rows_.times(point);
    miss_ = active_.empty() ? std::numeric_limits<double>::infinity() : (values(active_).array() - 1).abs().maxCoeff<Eigen::PropagateNaN>();
    const double allowed = row_slack_tolerance.relative * (1 + point.norm());
    std::vector<Index> wrong;
    std::size_t next = 0;
    for (Index row = 0; row < lambda_.size(); ++row) {
      const bool active = next < active_.size() && active_[next] == row;
      if (active) ++next;
      if (active ? !(lambda_[row] > 0) : !(values[row] >= 1 - allowed)) wrong.push_back(row);
    }
    return wrong;
  }

  void exchange(const std::vector<Index>& rows) {
    std::vector<Index> changed;
    std::ranges::set_symmetric_difference(active_, rows, std::back_inserter(changed));
    active_ = std::move(changed);
  }

  RowProducts rows_;
  Budget budget_;
  VectorXd lambda_;
  std::vector<Index> active_;  // ascending
  double miss_ = 0;            // how far an active row is from 1 at most
};

}  // namespace

ActiveSetGuess guess_weight_rows(const SvmProgram& program, const Budget& budget) { return WeightDual(program, budget).run(); }

}  // namespace attest
