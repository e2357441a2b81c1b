#include "attest/graph/erm_graph.hpp"

#include "loss_graph.hpp"

#include <casadi/casadi.hpp>

#include <array>
#include <map>
#include <vector>

namespace attest {
namespace {

using casadi::Function;
using casadi::MX;
using casadi::Slice;

/// What is asked of the graph; each is one per-sample Function.
enum Quantity { value_of, gradient_p_of, hessian_p_of, hessian_p_times_of, gradient_joint_of, hessian_joint_of, quantity_count };

using SampleFunctions = std::array<Function, quantity_count>;

/// One sample's l(Y v.X^T softmax(K p)) with its derivatives, for T tokens of d numbers.
SampleFunctions sample_functions(casadi_int T, casadi_int d, const Loss& loss) {
  const MX x = MX::sym("x", 2 * d);  // (v, p)
  const MX v = x(Slice(0, d));
  const MX p = x(Slice(d, 2 * d));
  const MX X = MX::sym("X", d, T);  // columns are tokens: the row-major image as it lies in memory
  const MX K = MX::sym("K", d, T);
  const MX label = MX::sym("label");
  const MX direction = MX::sym("direction", d);

  const MX logits = mtimes(K.T(), p);
  const MX s = exp(logits - logsumexp(logits));
  const MX u = label * dot(mtimes(X.T(), v), s);
  const MX loss_value = loss_graph(loss, u);

  // Dense, so that their numbers stand one after the other in what they are written to.
  const MX gradient = MX::densify(MX::gradient(loss_value, x));
  const MX gradient_p = gradient(Slice(d, 2 * d));
  const MX curved = MX::densify(MX::jtimes(gradient_p, x, vertcat(MX::zeros(d), direction)));
  const MX hessian = MX::densify(MX::jacobian(gradient, x));

  const std::vector<MX> arguments = {x, X, K, label};
  SampleFunctions functions;
  functions[value_of] = Function("value", arguments, {MX::densify(loss_value)});
  functions[gradient_p_of] = Function("gradient_p", arguments, {gradient_p});
  functions[hessian_p_of] = Function("hessian_p", arguments, {hessian(Slice(d, 2 * d), Slice(d, 2 * d))});
  functions[hessian_p_times_of] = Function("hessian_p_times", {x, X, K, label, direction}, {curved});
  functions[gradient_joint_of] = Function("gradient_joint", arguments, {gradient});
  functions[hessian_joint_of] = Function("hessian_joint", arguments, {hessian});
  return functions;
}

}  // namespace

struct ErmGraph::Parts {
  NumericProblem problem;
  std::map<Eigen::Index, SampleFunctions> functions;  // by token count

  /// (1/n) sum over samples of a per-sample function, of as many numbers as are asked for.
  Eigen::MatrixXd mean(Quantity quantity, Eigen::Index rows, Eigen::Index columns, const Eigen::VectorXd& v, const Eigen::VectorXd& p,
                       const Eigen::VectorXd& direction = {}) const {
    const Eigen::VectorXd x = (Eigen::VectorXd(2 * problem.dimension) << v, p).finished();
    Eigen::MatrixXd total = Eigen::MatrixXd::Zero(rows, columns);
    Eigen::MatrixXd one(rows, columns);
    for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
      const Function& function = functions.at(problem.tokens[i].cols())[quantity];
      std::vector<const double*> arguments{x.data(), problem.tokens[i].data(), problem.keys[i].data(), &problem.labels[i]};
      if (direction.size() > 0) arguments.push_back(direction.data());
      function(arguments, std::vector<double*>{one.data()});
      total += one;
    }
    return total / static_cast<double>(problem.tokens.size());
  }
};

ErmGraph::ErmGraph(const NumericProblem& problem) : parts_(new Parts{problem, {}}) {
  for (const SampleColumns& tokens : problem.tokens)
    if (!parts_->functions.contains(tokens.cols()))
      parts_->functions.emplace(tokens.cols(), sample_functions(tokens.cols(), problem.dimension, problem.loss));
}

ErmGraph::~ErmGraph() = default;
ErmGraph::ErmGraph(ErmGraph&&) noexcept = default;
ErmGraph& ErmGraph::operator=(ErmGraph&&) noexcept = default;

double ErmGraph::value(const Eigen::VectorXd& v, const Eigen::VectorXd& p) const { return parts_->mean(value_of, 1, 1, v, p)(0, 0); }

Eigen::VectorXd ErmGraph::gradient_p(const Eigen::VectorXd& v, const Eigen::VectorXd& p) const {
  return parts_->mean(gradient_p_of, p.size(), 1, v, p);
}

Eigen::MatrixXd ErmGraph::hessian_p(const Eigen::VectorXd& v, const Eigen::VectorXd& p) const {
  return parts_->mean(hessian_p_of, p.size(), p.size(), v, p);
}

Eigen::VectorXd ErmGraph::hessian_p_times(const Eigen::VectorXd& v, const Eigen::VectorXd& p, const Eigen::VectorXd& direction) const {
  return parts_->mean(hessian_p_times_of, p.size(), 1, v, p, direction);
}

Eigen::VectorXd ErmGraph::gradient_joint(const Eigen::VectorXd& v, const Eigen::VectorXd& p) const {
  return parts_->mean(gradient_joint_of, 2 * p.size(), 1, v, p);
}

Eigen::MatrixXd ErmGraph::hessian_joint(const Eigen::VectorXd& v, const Eigen::VectorXd& p) const {
  return parts_->mean(hessian_joint_of, 2 * p.size(), 2 * p.size(), v, p);
}

}  // namespace attest
