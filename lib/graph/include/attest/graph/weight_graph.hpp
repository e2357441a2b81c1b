#pragma once

#include "attest/graph/numeric_problem.hpp"

#include <Eigen/Core>

#include <memory>

namespace attest {

/// The ERM of the model softmax(K_i W^T u) as a CasADi graph in the d x d weights W, for fixed v and u. [MM, the lemma on W and p]
class WeightGraph {
 public:
  WeightGraph(const NumericProblem& problem, const Eigen::VectorXd& v, const Eigen::VectorXd& u);
  ~WeightGraph();
  WeightGraph(WeightGraph&&) noexcept;
  WeightGraph& operator=(WeightGraph&&) noexcept;

  Eigen::MatrixXd gradient(const Eigen::MatrixXd& W) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace attest
