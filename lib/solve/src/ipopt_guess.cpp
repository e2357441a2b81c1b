#include "attest/solve/ipopt_guess.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/graph/casadi/svm_graph.hpp"
#include "nlp.hpp"

#include <cmath>

namespace attest {
namespace {

ActiveSetGuess::End ipopt_end(NlpEnd end) {
  if (end == NlpEnd::solved) return ActiveSetGuess::End::solved;
  return end == NlpEnd::infeasible ? ActiveSetGuess::End::infeasible : ActiveSetGuess::End::stalled;
}

}  // namespace

ActiveSetGuess ipopt_guess(const SvmProgram& program, const Budget& budget) {
  if (program.row_count() == 0) return {ActiveSetGuess::End::solved, {}};
  const SvmGraph graph = svm_graph(program);
  const Nlp solver({{"x", graph.x}, {"f", graph.f}, {"g", graph.g}}, {.quadratic = true, .seconds = budget.seconds_left()});
  const NlpResult found = solver.solve({Eigen::VectorXd::Zero(graph.x.size1())}, graph.lower, graph.upper);
  ActiveSetGuess guess{ipopt_end(found.end), {}};
  if (found.end == NlpEnd::infeasible || found.end == NlpEnd::failed) return guess;
  const double largest = found.g_multipliers.lpNorm<Eigen::Infinity>();
  for (Eigen::Index row = 0; row < found.g_multipliers.size(); ++row)
    if (-found.g_multipliers[row] > active_multiplier_tolerance.relative * largest) guess.rows.push_back(static_cast<std::size_t>(row));
  return guess;
}

}  // namespace attest
