#include "attest/graph/erm_graph.hpp"

#include "attest/graph/casadi/eigen.hpp"
#include "loss_graph.hpp"

#include <array>
#include <map>
#include <vector>

namespace attest {
namespace {

using casadi::DM;
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

  const MX gradient = MX::gradient(loss_value, x);
  const MX gradient_p = gradient(Slice(d, 2 * d));
  const MX curved = MX::jtimes(gradient_p, x, vertcat(MX::zeros(d), direction));
  const MX hessian = MX::densify(MX::jacobian(gradient, x));

  const std::vector<MX> arguments = {x, X, K, label};
  SampleFunctions functions;
  functions[value_of] = Function("value", arguments, {loss_value});
  functions[gradient_p_of] = Function("gradient_p", arguments, {gradient_p});
  functions[hessian_p_of] = Function("hessian_p", arguments, {hessian(Slice(d, 2 * d), Slice(d, 2 * d))});
  functions[hessian_p_times_of] = Function("hessian_p_times", {x, X, K, label, direction}, {curved});
  functions[gradient_joint_of] = Function("gradient_joint", arguments, {gradient});
  functions[hessian_joint_of] = Function("hessian_joint", arguments, {hessian});
  return functions;
}

/// The samples that have the same token count, stacked side by side as `map` wants them.
struct Group {
  SampleFunctions functions;
  casadi_int size = 0;
  DM tokens;
  DM keys;
  DM labels;
  SampleFunctions mapped = {};  // made on first use: mapping a Hessian costs seconds at n = 200, d = 128

  const Function& over_samples(Quantity quantity) {
    if (mapped[quantity].is_null()) mapped[quantity] = functions[quantity].map(size, "serial");
    return mapped[quantity];
  }
};

}  // namespace

struct ErmGraph::Parts {
  std::vector<Group> groups;
  casadi_int samples = 0;

  /// (1/n) sum over samples of a per-sample function, mapped over each group.
  DM mean(Quantity quantity, const Eigen::VectorXd& v, const Eigen::VectorXd& p, const std::vector<DM>& extra = {}) {
    const DM x = vertcat(to_dm(v), to_dm(p));
    DM total;
    for (Group& group : groups) {
      std::vector<DM> arguments = {repmat(x, 1, group.size), group.tokens, group.keys, group.labels};
      for (const DM& one : extra) arguments.push_back(repmat(one, 1, group.size));
      const DM outputs = group.over_samples(quantity)(arguments).front();  // side by side: each sample's output in its columns
      const casadi_int width = outputs.size2() / group.size;
      DM sum = DM::zeros(outputs.size1(), width);
      for (casadi_int k = 0; k < group.size; ++k) sum += outputs(Slice(), Slice(k * width, (k + 1) * width));
      total = total.is_empty() ? sum : total + sum;
    }
    return total / static_cast<double>(samples);
  }
};

ErmGraph::ErmGraph(const NumericProblem& problem) : parts_(std::make_unique<Parts>()) {
  std::map<Eigen::Index, std::vector<std::size_t>> by_token_count;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) by_token_count[problem.tokens[i].cols()].push_back(i);

  parts_->samples = static_cast<casadi_int>(problem.tokens.size());
  for (const auto& [token_count, members] : by_token_count) {
    std::vector<DM> tokens;
    std::vector<DM> keys;
    std::vector<double> labels;
    for (const std::size_t i : members) {
      tokens.push_back(to_dm(problem.tokens[i]));
      keys.push_back(to_dm(problem.keys[i]));
      labels.push_back(problem.labels[i]);
    }
    parts_->groups.push_back({sample_functions(token_count, problem.dimension, problem.loss), static_cast<casadi_int>(members.size()),
                              DM::horzcat(tokens), DM::horzcat(keys), DM(labels).T()});
  }
}

ErmGraph::~ErmGraph() = default;
ErmGraph::ErmGraph(ErmGraph&&) noexcept = default;
ErmGraph& ErmGraph::operator=(ErmGraph&&) noexcept = default;

double ErmGraph::value(const Eigen::VectorXd& v, const Eigen::VectorXd& p) const { return parts_->mean(value_of, v, p).scalar(); }

Eigen::VectorXd ErmGraph::gradient_p(const Eigen::VectorXd& v, const Eigen::VectorXd& p) const {
  return to_eigen(parts_->mean(gradient_p_of, v, p));
}

Eigen::MatrixXd ErmGraph::hessian_p(const Eigen::VectorXd& v, const Eigen::VectorXd& p) const {
  return to_eigen(parts_->mean(hessian_p_of, v, p));
}

Eigen::VectorXd ErmGraph::hessian_p_times(const Eigen::VectorXd& v, const Eigen::VectorXd& p, const Eigen::VectorXd& direction) const {
  return to_eigen(parts_->mean(hessian_p_times_of, v, p, {to_dm(direction)}));
}

Eigen::VectorXd ErmGraph::gradient_joint(const Eigen::VectorXd& v, const Eigen::VectorXd& p) const {
  return to_eigen(parts_->mean(gradient_joint_of, v, p));
}

Eigen::MatrixXd ErmGraph::hessian_joint(const Eigen::VectorXd& v, const Eigen::VectorXd& p) const {
  return to_eigen(parts_->mean(hessian_joint_of, v, p));
}

}  // namespace attest
