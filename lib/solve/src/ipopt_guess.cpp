#include "attest/solve/ipopt_guess.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/graph/svm_graph.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

/// Tight and unrelaxed: by default IPOPT moves bounds by 1e-8 and stops at "acceptable" points.
casadi::Dict options() {
  return {{"print_time", false},
          {"error_on_fail", false},
          {"ipopt.print_level", 0},
          {"ipopt.sb", "yes"},
          {"ipopt.tol", ipopt_tolerance.relative},
          {"ipopt.acceptable_iter", 0},
          {"ipopt.bound_relax_factor", 0.0},
          {"ipopt.hessian_constant", "yes"},
          {"ipopt.jac_c_constant", "yes"},
          {"ipopt.jac_d_constant", "yes"}};
}

}  // namespace

ActiveSetGuess ipopt_guess(const SvmProgram& program) {
  using End = ActiveSetGuess::End;
  if (program.row_count() == 0) return {End::solved, {}};
  try {
    const SvmGraph graph = svm_graph(program);
    const casadi::Function solver = casadi::nlpsol("svm", "ipopt", {{"x", graph.x}, {"f", graph.f}, {"g", graph.g}}, options());
    const casadi::DMDict found = solver(casadi::DMDict{{"x0", casadi::DM::zeros(graph.x.size1())}, {"lbg", graph.lower}, {"ubg", casadi::DM::inf(graph.g.size1())}});
    const std::string status = solver.stats().at("return_status");
    if (status == "Infeasible_Problem_Detected") return {End::infeasible, {}};
    const std::vector<double> multipliers = densify(found.at("lam_g")).nonzeros();  // CasADi: negative at an active lower bound
    double largest = 0;
    for (const double multiplier : multipliers) largest = std::max(largest, std::abs(multiplier));
    ActiveSetGuess guess{status == "Solve_Succeeded" ? End::solved : End::stalled, {}};
    for (std::size_t row = 0; row < multipliers.size(); ++row)
      if (-multipliers[row] > active_multiplier_tolerance.relative * largest) guess.rows.push_back(row);
    return guess;
  } catch (const casadi::CasadiException&) {
    return {End::stalled, {}};
  }
}

}  // namespace attest
