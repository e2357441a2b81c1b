#include "attest/graph/weight_graph.hpp"

#include "loss_graph.hpp"

#include <casadi/casadi.hpp>

#include <map>
#include <vector>

namespace attest {

using casadi::Function;
using casadi::MX;

namespace {

/// The gradient in W of l(Y v.X^T softmax(K W z)) of one sample with T tokens.
Function sample_gradient(casadi_int T, casadi_int d, const Loss& loss) {
  const MX W = MX::sym("W", d, d);
  const MX query = MX::sym("z", d);
  const MX keys = MX::sym("K", d, T);
  const MX scores = MX::sym("scores", T);
  const MX logits = mtimes(keys.T(), mtimes(W, query));
  const MX value = loss_graph(loss, dot(scores, exp(logits - logsumexp(logits))));
  return {"gradient_W", {W, query, keys, scores}, {MX::densify(MX::gradient(value, W))}};
}

}  // namespace

struct WeightGraph::Parts {
  NumericProblem problem;
  Eigen::MatrixXd queries;
  std::vector<Eigen::VectorXd> scores;
  std::map<Eigen::Index, Function> gradients;  // by token count
};

WeightGraph::WeightGraph(const NumericProblem& problem, const Eigen::VectorXd& v, const Eigen::MatrixXd& queries)
    : parts_(new Parts{problem, queries, {}, {}}) {
  for (std::size_t i = 0; i < problem.keys.size(); ++i) {
    parts_->scores.emplace_back(problem.labels[i] * (problem.tokens[i].transpose() * v));
    const Eigen::Index count = problem.keys[i].cols();
    if (!parts_->gradients.contains(count)) parts_->gradients.emplace(count, sample_gradient(count, problem.dimension, problem.loss));
  }
}

WeightGraph::~WeightGraph() = default;
WeightGraph::WeightGraph(WeightGraph&&) noexcept = default;
WeightGraph& WeightGraph::operator=(WeightGraph&&) noexcept = default;

Eigen::MatrixXd WeightGraph::gradient(const Eigen::MatrixXd& W) const {
  const auto& [problem, queries, scores, gradients] = *parts_;
  Eigen::MatrixXd total = Eigen::MatrixXd::Zero(W.rows(), W.cols());
  Eigen::MatrixXd one(W.rows(), W.cols());
  for (std::size_t i = 0; i < problem.keys.size(); ++i) {
    const std::vector<const double*> arguments{W.data(), queries.col(static_cast<Eigen::Index>(i)).data(), problem.keys[i].data(),
                                               scores[i].data()};
    gradients.at(problem.keys[i].cols())(arguments, std::vector<double*>{one.data()});
    total += one;
  }
  return total / static_cast<double>(problem.keys.size());
}

}  // namespace attest
