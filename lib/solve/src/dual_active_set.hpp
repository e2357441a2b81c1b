#pragma once

#include "attest/base/progress.hpp"

#include <Eigen/Core>

#include <vector>

namespace attest {

/// Goldfarb and Idnani's method in doubles over rows that may be added between runs. Columns of `rows` are the a_c.
///
/// Keeps the thin factorisation A_Q^T = basis * triangle of the active rows, and w, lambda with w = A_Q^T lambda.
class DualActiveSet {
 public:
  enum class End { solved, infeasible, stalled };

  explicit DualActiveSet(Eigen::Index dimension);

  /// Adds rows to the pool; their numbers go on from those there.
  void add_rows(const Eigen::MatrixXd& columns, const Eigen::VectorXd& bounds);
  /// Stalled when the time is up.
  End run(const Budget& budget);

  const Eigen::VectorXd& point() const { return w_; }
  /// The active rows; after `infeasible` those of the vanishing combination.
  const std::vector<Eigen::Index>& active() const { return active_; }
  /// R of the factorisation: A_Q A_Q^T = R^T R.
  Eigen::MatrixXd triangle() const { return triangle_.topLeftCorner(count(), count()).triangularView<Eigen::Upper>(); }

 private:
  /// One row brought in. True when it is active now.
  bool bring_in(Eigen::Index row);
  /// Takes the part along the basis out of `rest` and adds its coordinates.
  void take_out(Eigen::VectorXd& rest, Eigen::VectorXd& coordinates) const;
  void append(Eigen::Index row, const Eigen::VectorXd& coordinates, const Eigen::VectorXd& rest, double multiplier);
  void reserve(Eigen::Index capacity);
  void drop(Eigen::Index position);

  Eigen::Index dimension_;
  Eigen::Index size_ = 0;  // rows in the pool
  Eigen::MatrixXd rows_;   // d x capacity
  Eigen::VectorXd bounds_;
  Eigen::VectorXd norms_;
  Eigen::VectorXd w_;
  std::vector<Eigen::Index> active_;
  Eigen::VectorXd lambda_;    // of active_, first count() entries
  Eigen::MatrixXd basis_;     // d x capacity, first count() columns orthonormal
  Eigen::MatrixXd triangle_;  // capacity x capacity, upper left count() x count()
  bool infeasible_ = false;

  Eigen::Index count() const { return static_cast<Eigen::Index>(active_.size()); }
};

}  // namespace attest
