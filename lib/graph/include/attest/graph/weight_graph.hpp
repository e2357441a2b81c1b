#pragma once

#include "attest/graph/numeric_problem.hpp"

#include <Eigen/Core>

#include <memory>

namespace attest {

/// The ERM of the model softmax(K_i W z_i) as a CasADi graph in the d x d weights W, for fixed v and queries z_i. [TS] With one
/// query u for all samples it is the model of [MM, the lemma on W and p], in W^T.
class WeightGraph {
 public:
  /// `queries`: a column a sample.
  WeightGraph(const NumericProblem& problem, const Eigen::VectorXd& v, const Eigen::MatrixXd& queries);
  ~WeightGraph();
  WeightGraph(WeightGraph&&) noexcept;
  WeightGraph& operator=(WeightGraph&&) noexcept;

  Eigen::MatrixXd gradient(const Eigen::MatrixXd& W) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace attest
