#include "attest/graph/casadi/margin_graph.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/graph/casadi/eigen.hpp"

#include <vector>

namespace attest {

using casadi::MX;
using casadi::Slice;

MarginGraph margin_graph(const NumericProblem& problem, const Selection& selection, double gamma, double radius) {
  const auto d = static_cast<casadi_int>(problem.dimension);
  const auto n = static_cast<casadi_int>(problem.tokens.size());
  MarginGraph graph;
  graph.x = MX::sym("x", 2 * d + 1);
  graph.picked = MX::sym("picked", n);
  const MX p = graph.x(Slice(0, d));
  const MX u = graph.x(Slice(d, 2 * d));
  const MX margin = graph.x(2 * d);
  std::vector<MX> rows;
  MX moved = 0;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    const MX logits = mtimes(MX(to_dm(problem.keys[i].transpose())), p);
    const MX s = exp(logits - logsumexp(logits));
    rows.push_back(problem.labels[i] * dot(mtimes(MX(to_dm(problem.tokens[i])), s), u) - margin);
    // 1 - s_i,alpha_i as the sum of the others: no cancellation.
    Eigen::VectorXd others = Eigen::VectorXd::Ones(problem.tokens[i].cols());
    others[static_cast<Eigen::Index>(selection[i])] = 0;
    moved += graph.picked(static_cast<casadi_int>(i)) * dot(MX(to_dm(others)), s);
  }
  rows.push_back(1 - dot(u, u));
  rows.push_back(radius * radius - dot(p, p));
  graph.f = (gamma - margin) / (moved + moved_attention_floor.share);
  graph.g = vertcat(rows);
  return graph;
}

}  // namespace attest
