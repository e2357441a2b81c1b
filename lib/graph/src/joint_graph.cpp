#include "attest/graph/casadi/joint_graph.hpp"

#include "loss_graph.hpp"

#include <vector>

namespace attest {
namespace {

using casadi::DM;
using casadi::MX;
using casadi::Slice;

MX constant(const Eigen::MatrixXd& matrix) {
  return DM(casadi::Sparsity::dense(matrix.rows(), matrix.cols()), std::vector<double>(matrix.data(), matrix.data() + matrix.size()));
}

}  // namespace

casadi::Function joint_program(const NumericProblem& problem) {
  const casadi_int d = problem.dimension;
  const MX x = MX::sym("x", 2 * d);
  const MX radii = MX::sym("radii", 2);
  const MX a = x(Slice(0, d));
  const MX b = x(Slice(d, 2 * d));
  std::vector<MX> logs;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    const MX logits = radii(1) * mtimes(constant(problem.keys[i].transpose()), b);
    const MX s = exp(logits - logsumexp(logits));
    const MX scores = radii(0) * problem.labels[i] * mtimes(constant(problem.tokens[i].transpose()), a);
    logs.push_back(log_loss_graph(problem.loss, dot(scores, s)));
  }
  const MX f = logsumexp(vertcat(logs)) / radii(0);
  return {"joint", {x, radii}, {f, vertcat(dot(a, a), dot(b, b))}, {"x", "p"}, {"f", "g"}};
}

}  // namespace attest
