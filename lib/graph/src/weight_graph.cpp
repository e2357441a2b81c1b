#include "attest/graph/weight_graph.hpp"

#include "attest/graph/casadi/eigen.hpp"
#include "loss_graph.hpp"

namespace attest {

using casadi::DM;
using casadi::Function;
using casadi::MX;

namespace {

/// l(Y v.X^T softmax(K p)) of one sample with T tokens.
Function sample_loss(casadi_int T, casadi_int d, const Loss& loss) {
  const MX p = MX::sym("p", d);
  const MX keys = MX::sym("K", d, T);
  const MX scores = MX::sym("scores", T);
  const MX logits = mtimes(keys.T(), p);
  return {"sample_loss", {p, keys, scores}, {loss_graph(loss, dot(scores, exp(logits - logsumexp(logits))))}};
}

}  // namespace

struct WeightGraph::Parts {
  Function gradient;
};

WeightGraph::WeightGraph(const NumericProblem& problem, const Eigen::VectorXd& v, const Eigen::MatrixXd& queries)
    : parts_(std::make_unique<Parts>()) {
  const auto d = static_cast<casadi_int>(problem.dimension);
  const MX W = MX::sym("W", d, d);
  MX total = 0;
  MX p;
  for (std::size_t i = 0; i < problem.keys.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    if (i == 0 || queries.col(column) != queries.col(column - 1)) p = mtimes(W, MX(to_dm(queries.col(column))));  // one query: one product
    const Eigen::VectorXd scores = problem.labels[i] * (problem.tokens[i].transpose() * v);
    const Function loss = sample_loss(problem.keys[i].cols(), d, problem.loss);
    total += loss(std::vector<MX>{p, MX(to_dm(problem.keys[i])), MX(to_dm(scores))}).front();
  }
  parts_->gradient = Function("gradient_W", {W}, {MX::gradient(total / static_cast<double>(problem.keys.size()), W)});
}

WeightGraph::~WeightGraph() = default;
WeightGraph::WeightGraph(WeightGraph&&) noexcept = default;
WeightGraph& WeightGraph::operator=(WeightGraph&&) noexcept = default;

Eigen::MatrixXd WeightGraph::gradient(const Eigen::MatrixXd& W) const {
  return to_eigen(parts_->gradient(std::vector<DM>{to_dm(W)}).front());
}

}  // namespace attest
