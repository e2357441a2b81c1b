#pragma once

#include "attest/base/tolerance.hpp"

#include <Eigen/Core>
#include <casadi/casadi.hpp>

#include <string>

namespace attest {

/// How a solve by IPOPT ended. It is no verdict: what a point is worth is recomputed from the data.
enum class NlpEnd {
  solved,      ///< IPOPT's own test is passed
  infeasible,  ///< it believes that no point satisfies the constraints
  limit,       ///< iterations or time ran out
  stalled,     ///< no further step: rounding, or a failed restoration
  not_finite,  ///< a function or derivative was NaN or infinite
  failed,      ///< it could not be made or run at all
};
std::string to_string(NlpEnd end);

struct NlpSettings {
  RelativeTolerance tolerance = ipopt_tolerance;
  int iteration_limit = 500;
  /// Quadratic objective and linear constraints: derivatives are evaluated once.
  bool quadratic = false;
  /// Starts are near solutions: the barrier begins small and the start is hardly moved. Multipliers are used.
  bool warm = false;
  double seconds = 1e6;  ///< of CPU time for one solve
  /// Functions that replace CasADi's own derivatives: "grad_f", "hess_lag".
  casadi::Dict derivatives = {};
};

/// Where a solve begins. Empty multipliers mean zero.
struct NlpStart {
  Eigen::VectorXd x;
  Eigen::VectorXd g_multipliers = {};
};

struct NlpResult {
  NlpEnd end = NlpEnd::failed;
  std::string reason;  ///< IPOPT's word for the end, or what CasADi threw
  int iterations = 0;
  double objective = 0;
  Eigen::VectorXd x;              ///< empty when failed
  Eigen::VectorXd g_multipliers;  ///< CasADi's sign: negative at an active lower bound
};

/// min f(x; p) subject to lower <= g(x; p) <= upper, by IPOPT: the only caller of it. Nothing is thrown out.
class Nlp {
 public:
  /// `program` has x, f, g and, if there are parameters, p.
  Nlp(const casadi::MXDict& program, const NlpSettings& settings);
  Nlp(const casadi::Function& program, const NlpSettings& settings);

  NlpResult solve(const NlpStart& start, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper,
                  const Eigen::VectorXd& parameters = {}) const;

 private:
  std::string fault_;        // before the solver, whose making writes it
  casadi::Function solver_;  // null when it could not be made
};

}  // namespace attest
