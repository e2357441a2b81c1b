#include "attest/solve/step_size.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/solve/dense.hpp"

#include <cmath>
#include <stdexcept>

namespace attest {

double lipschitz_constant(const Problem& problem, double m0, double m1, Parametrisation parametrisation) {
  if (!problem.v) throw std::logic_error("lipschitz_constant: the problem has no v");
  const double v = image_vector(*problem.v).norm();
  const double W = problem.W ? spectral_norm(image_matrix(*problem.W)) : 1.0;
  const Eigen::MatrixXd queries = query_columns(problem);
  double total = 0;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    const double X = spectral_norm(image_matrix(problem.tokens[i]));
    const double keys = parametrisation == Parametrisation::weights ? queries.col(static_cast<Eigen::Index>(i)).norm() : W;
    total += m0 * v * v * keys * keys * std::pow(X, 4) + 3 * m1 * v * keys * keys * std::pow(X, 3);
  }
  return total / static_cast<double>(problem.sample_count()) * (1 + spectral_norm_slack.relative);
}

}  // namespace attest
