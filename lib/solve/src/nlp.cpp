#include "nlp.hpp"

#include "attest/graph/casadi/eigen.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace attest {
namespace {

/// What a warm start may be moved from the bounds, and the barrier it begins with: a start this near a solution
/// keeps its active constraints.
constexpr double warm_push = 1e-9;
constexpr double warm_barrier = 1e-6;

/// IPOPT wants a positive time.
constexpr double shortest_solve = 1e-3;

/// Tight and unrelaxed: by default IPOPT moves bounds by 1e-8 and stops at "acceptable" points.
casadi::Dict options(const NlpSettings& settings) {
  casadi::Dict chosen = {{"print_time", false},
                         {"error_on_fail", false},
                         {"show_eval_warnings", false},
                         {"calc_lam_p", false},
                         {"ipopt.print_level", 0},
                         {"ipopt.sb", "yes"},
                         {"ipopt.tol", settings.tolerance.relative},
                         {"ipopt.max_iter", settings.iteration_limit},
                         {"ipopt.max_cpu_time", std::max(settings.seconds, shortest_solve)},
                         {"ipopt.acceptable_iter", 0},
                         {"ipopt.bound_relax_factor", 0.0}};
  if (settings.quadratic)
    for (const char* constant : {"ipopt.hessian_constant", "ipopt.jac_c_constant", "ipopt.jac_d_constant"}) chosen[constant] = "yes";
  if (settings.warm) {
    chosen["ipopt.warm_start_init_point"] = "yes";
    chosen["ipopt.mu_init"] = warm_barrier;
    for (const char* push : {"ipopt.bound_push", "ipopt.bound_frac", "ipopt.slack_bound_push", "ipopt.slack_bound_frac",
                             "ipopt.warm_start_bound_push", "ipopt.warm_start_bound_frac", "ipopt.warm_start_slack_bound_push",
                             "ipopt.warm_start_slack_bound_frac", "ipopt.warm_start_mult_bound_push"})
      chosen[push] = warm_push;
  }
  chosen.insert(settings.derivatives.begin(), settings.derivatives.end());
  return chosen;
}

struct NamedEnd {
  const char* ipopt;
  NlpEnd end;
};
/// IPOPT's return statuses. "Acceptable" is no success; what is not listed is a failure.
constexpr std::array ends = {
    NamedEnd{"Solve_Succeeded", NlpEnd::solved},
    NamedEnd{"Infeasible_Problem_Detected", NlpEnd::infeasible},
    NamedEnd{"Maximum_Iterations_Exceeded", NlpEnd::limit},
    NamedEnd{"Maximum_CpuTime_Exceeded", NlpEnd::limit},
    NamedEnd{"Maximum_WallTime_Exceeded", NlpEnd::limit},
    NamedEnd{"Solved_To_Acceptable_Level", NlpEnd::stalled},
    NamedEnd{"Search_Direction_Becomes_Too_Small", NlpEnd::stalled},
    NamedEnd{"Diverging_Iterates", NlpEnd::stalled},
    NamedEnd{"Feasible_Point_Found", NlpEnd::stalled},
    NamedEnd{"Restoration_Failed", NlpEnd::stalled},
    NamedEnd{"Error_In_Step_Computation", NlpEnd::stalled},
    NamedEnd{"Invalid_Number_Detected", NlpEnd::not_finite},
};

NlpEnd end_of_status(const std::string& status) {
  for (const NamedEnd& named : ends)
    if (status == named.ipopt) return named.end;
  return NlpEnd::failed;
}

NlpResult failure(const std::string& reason) {
  NlpResult result;
  result.reason = reason;
  result.objective = std::numeric_limits<double>::quiet_NaN();
  return result;
}

template <class Program>
casadi::Function make(const Program& program, const NlpSettings& settings, std::string& fault) {
  try {
    return casadi::nlpsol("program", "ipopt", program, options(settings));
  } catch (const casadi::CasadiException& thrown) {
    fault = thrown.what();
    return {};
  }
}

}  // namespace

std::string to_string(NlpEnd end) {
  switch (end) {
    case NlpEnd::solved: return "solved";
    case NlpEnd::infeasible: return "infeasible";
    case NlpEnd::limit: return "limit";
    case NlpEnd::stalled: return "stalled";
    case NlpEnd::not_finite: return "not finite";
    case NlpEnd::failed: break;
  }
  return "failed";
}

Nlp::Nlp(const casadi::MXDict& program, const NlpSettings& settings) : solver_(make(program, settings, fault_)) {}

Nlp::Nlp(const casadi::Function& program, const NlpSettings& settings) : solver_(make(program, settings, fault_)) {}

NlpResult Nlp::solve(const NlpStart& start, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper,
                     const Eigen::VectorXd& parameters) const {
  if (solver_.is_null()) return failure(fault_);
  try {
    casadi::DMDict arguments = {{"x0", to_dm(start.x)}, {"lbg", to_dm(lower)}, {"ubg", to_dm(upper)}, {"p", to_dm(parameters)}};
    if (start.g_multipliers.size() > 0) arguments["lam_g0"] = to_dm(start.g_multipliers);
    const casadi::DMDict found = solver_(arguments);
    const casadi::Dict stats = solver_.stats();
    NlpResult result;
    result.reason = stats.at("return_status").to_string();
    result.end = end_of_status(result.reason);
    result.iterations = static_cast<int>(stats.at("iter_count").to_int());
    result.objective = found.at("f").scalar();
    result.x = to_eigen(found.at("x"));
    result.g_multipliers = to_eigen(found.at("lam_g"));
    return result;
  } catch (const casadi::CasadiException& thrown) {
    return failure(thrown.what());
  }
}

}  // namespace attest
