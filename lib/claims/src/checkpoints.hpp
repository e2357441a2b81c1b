#pragma once

#include "descent_runs.hpp"

#include "attest/model/training_run.hpp"

#include <optional>
#include <vector>

namespace attest {

/// What a training run is at one of its checkpoints, beside the theory.
struct Checkpoint {
  std::size_t index;  ///< in the file
  double step;
  double norm;        ///< of p, or of W (Frobenius)
  double loss;        ///< L
  double log_excess;  ///< log(L - L*)
  double attention;   ///< the least that a sample gives to its selected token
  Selection selection;
  std::optional<double> direction_error = {};  ///< to the SVM of the selection that the run is judged by
  std::optional<double> best_error = {};       ///< to that of the largest scores
  std::optional<double> path_error = {};       ///< of the regularisation path at the same norm, to the first of these

  void write(Fields& out) const;
};

/// A training run whose W = K Q^T is multiplied out, at up to 1000 of its checkpoints, evenly spaced, the first and the last among them.
class CheckpointSeries {
 public:
  explicit CheckpointSeries(const TrainingRun& run);

  TrainingRun::Trained trained() const { return trained_; }
  Parametrisation parametrisation() const {
    return trained_ == TrainingRun::Trained::prompt ? Parametrisation::prompt : Parametrisation::weights;
  }
  std::size_t size() const { return points_.size(); }
  const Eigen::VectorXd& point(std::size_t k) const { return points_[k]; }
  std::size_t index(std::size_t k) const { return indices_[k]; }
  /// The radius of the ball of the path that a checkpoint is compared with: its norm, of factors the nuclear norm of W.
  double radius(std::size_t k) const;

  /// As a run of descent, which is judged by its trace.
  DescentRun trace(const Problem& problem, const Scores& scores) const;
  /// Without the errors.
  std::vector<Checkpoint> observe(const Problem& problem, const DescentRun& trace, const Scores& scores) const;

 private:
  TrainingRun::Trained trained_;
  std::vector<Eigen::VectorXd> points_;
  std::vector<std::size_t> indices_;  // of the points in the file
  std::vector<double> steps_;
};

/// Where runs over W = K Q^T end by theory at that selection: a nuclear solution, in floating point. [TS]
Limit nuclear_limit(const ClaimContext& context, const Selection& selection);

/// The direction error, to `direction`, of the regularisation path at the norm of each checkpoint; none where the path has no verified
/// point, or would take longer than there is time. Between 48 of the norms it is interpolated in logarithms.
std::vector<std::optional<double>> path_errors(const ClaimContext& context, const CheckpointSeries& series, const Selection& selection,
                                               const Eigen::VectorXd& direction);

}  // namespace attest
