#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <random>

namespace attest {

/// Points for claims that look at samples; the same seed gives the same points on every machine (the
/// standard's distributions do not promise that).
class Sampler {
 public:
  explicit Sampler(std::uint64_t seed) : engine_(seed) {}

  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double normal();
  Eigen::VectorXd normal_vector(Eigen::Index size);
  Eigen::VectorXd unit_vector(Eigen::Index size);

 private:
  std::mt19937_64 engine_;
};

}  // namespace attest
