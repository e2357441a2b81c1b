#include "dual_active_set.hpp"

#include "attention_pass.hpp"
#include "attest/base/tolerance.hpp"

#include <Eigen/Jacobi>

#include <algorithm>
#include <limits>

namespace attest {
namespace {

/// A row that keeps this part of its norm beyond the basis has lost so few digits that what is left is orthogonal to rounding.
constexpr double little_lost = 0.5;

}  // namespace

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

DualActiveSet::DualActiveSet(Index dimension)
    : dimension_(dimension), rows_(dimension, 0), w_(VectorXd::Zero(dimension)), basis_(dimension, 0) {}

void DualActiveSet::add_rows(const MatrixXd& columns, const VectorXd& bounds) {
  const Index total = size_ + columns.cols();
  if (total > rows_.cols()) {
    const Index capacity = std::max(total, 2 * rows_.cols());
    rows_.conservativeResize(Eigen::NoChange, capacity);
    bounds_.conservativeResize(capacity);
    norms_.conservativeResize(capacity);
  }
  rows_.middleCols(size_, columns.cols()) = columns;
  bounds_.segment(size_, columns.cols()) = bounds;
  norms_.segment(size_, columns.cols()) = columns.colwise().norm();
  size_ = total;
}

DualActiveSet::End DualActiveSet::run(const Budget& budget) {
  // Each step raises the dual objective; far more steps than rows and dimensions mean that rounding undoes them.
  const Index step_limit = 50 * (dimension_ + 10) + 4 * size_;
  VectorXd slack;
  for (Index step = 0; step < step_limit && !budget.spent(); ++step) {
    slack.resize(size_);
    relative_logits(rows_.data(), dimension_, size_, w_.data(), slack.data());
    slack -= bounds_.head(size_);
    const double length = w_.norm();
    Index worst = -1;
    double most = 0;
    for (Index row = 0; row < size_; ++row) {
      const double allowed = row_slack_tolerance.relative * (bounds_[row] + norms_[row] * length);
      const double violation = -slack[row] - allowed;
      const double scaled = norms_[row] > 0 ? violation / norms_[row] : std::numeric_limits<double>::infinity();
      if (violation <= 0 || scaled <= most) continue;
      most = scaled;
      worst = row;
    }
    if (worst < 0) return End::solved;
    if (!bring_in(worst)) return infeasible_ ? End::infeasible : End::stalled;
  }
  return End::stalled;
}

void DualActiveSet::take_out(VectorXd& rest, VectorXd& coordinates) const {
  const Index k = count();
  VectorXd along(k);
  relative_logits(basis_.data(), dimension_, k, rest.data(), along.data());
  coordinates += along;
  along = -along;
  add_columns(basis_.data(), dimension_, k, along.data(), rest.data());
}

bool DualActiveSet::bring_in(Index row) {
  const VectorXd a = rows_.col(row);
  double own = 0;
  for (;;) {
    const Index k = count();
    VectorXd rest = a;
    VectorXd coordinates = VectorXd::Zero(k);
    take_out(rest, coordinates);
    if (!(rest.norm() > little_lost * norms_[row])) take_out(rest, coordinates);  // a second pass keeps it orthogonal to rounding
    const VectorXd r = triangle_.topLeftCorner(k, k).triangularView<Eigen::Upper>().solve(coordinates);
    const bool dependent = rest.norm() <= dependence_tolerance.relative * norms_[row];

    double dual_step = std::numeric_limits<double>::infinity();
    Index blocking = -1;
    const double least = k > 0 ? dependence_tolerance.relative * r.cwiseAbs().maxCoeff() : 0.0;
    for (Index j = 0; j < k; ++j) {
      if (r[j] <= least) continue;
      const double here = lambda_[j] / r[j];
      if (here >= dual_step) continue;
      dual_step = here;
      blocking = j;
    }
    if (dependent && blocking < 0) {
      // a = sum r_j a_j with r <= 0: these rows and this one vanish together.
      std::vector<Index> involved;
      const double small = dependence_tolerance.relative * std::max(1.0, k > 0 ? r.cwiseAbs().maxCoeff() : 0.0);
      for (Index j = 0; j < k; ++j)
        if (r[j] < -small) involved.push_back(active_[static_cast<std::size_t>(j)]);
      involved.push_back(row);
      active_ = involved;
      infeasible_ = true;
      return false;
    }
    const double full_step = dependent ? std::numeric_limits<double>::infinity() : (bounds_[row] - a.dot(w_)) / rest.squaredNorm();
    const double step = std::min(full_step, dual_step);
    if (!(step < std::numeric_limits<double>::infinity())) return false;
    if (!dependent) w_ += step * rest;
    lambda_.head(k) -= step * r;
    own += step;
    if (full_step <= dual_step) {
      if (k == dimension_) return false;
      append(row, coordinates, rest, own);
      return true;
    }
    drop(blocking);
  }
}

void DualActiveSet::append(Index row, const VectorXd& coordinates, const VectorXd& rest, double multiplier) {
  const Index k = count();
  if (k == lambda_.size()) reserve(std::min(dimension_, 2 * k + 16));
  triangle_.col(k).head(k) = coordinates;
  triangle_(k, k) = rest.norm();
  basis_.col(k) = rest / rest.norm();
  lambda_[k] = multiplier;
  active_.push_back(row);
}

void DualActiveSet::reserve(Index capacity) {
  const Index before = lambda_.size();
  lambda_.conservativeResize(capacity);
  basis_.conservativeResize(Eigen::NoChange, capacity);
  triangle_.conservativeResize(capacity, capacity);
  triangle_.bottomRows(capacity - before).setZero();
}

void DualActiveSet::drop(Index position) {
  const Index k = count();
  for (Index j = position; j + 1 < k; ++j) {
    triangle_.col(j).head(k) = triangle_.col(j + 1).head(k);
    lambda_[j] = lambda_[j + 1];
  }
  active_.erase(active_.begin() + position);
  // The columns behind the dropped one reach one below the diagonal; rotations bring them back.
  for (Index j = position; j + 1 < k; ++j) {
    Eigen::JacobiRotation<double> rotation;
    rotation.makeGivens(triangle_(j, j), triangle_(j + 1, j));
    triangle_.topLeftCorner(k, k - 1).applyOnTheLeft(j, j + 1, rotation.adjoint());
    basis_.applyOnTheRight(j, j + 1, rotation);
  }
}

}  // namespace attest
