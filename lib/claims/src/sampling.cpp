#include "sampling.hpp"

#include <cmath>
#include <numbers>

namespace attest {

double Sampler::normal() {
  // Box and Muller; 1 - u keeps the logarithm's argument above 0.
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

Eigen::VectorXd Sampler::normal_vector(Eigen::Index size) {
  Eigen::VectorXd vector(size);
  for (double& entry : vector) entry = normal();
  return vector;
}

Eigen::VectorXd Sampler::unit_vector(Eigen::Index size) {
  Eigen::VectorXd vector = normal_vector(size);
  while (!(vector.norm() > 0)) vector = normal_vector(size);
  return vector.normalized();
}

}  // namespace attest
