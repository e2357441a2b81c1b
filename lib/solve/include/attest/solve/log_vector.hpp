#pragma once

#include <Eigen/Core>

#include <cmath>
#include <limits>

namespace attest {

/// e^log_scale * vector, where the vector itself would underflow or overflow. One scale for all entries, and not a LogNumber each: what
/// is asked of a gradient is its direction, and its sums run over plain doubles. 0 may have any scale; an empty sum has that of 0.
struct LogVector {
  Eigen::VectorXd vector;
  double log_scale = -std::numeric_limits<double>::infinity();

  void set_zero(Eigen::Index size) {
    vector.setZero(size);
    log_scale = -std::numeric_limits<double>::infinity();
  }

  /// Makes room for a term of the scale e^log and says by what its vector is to be multiplied before it is added.
  double admit(double log) {
    constexpr double lowest_exponent = -745.2;  // e^x is 0 below; the library takes its time to find out
    if (log > log_scale) {
      vector *= std::exp(log_scale - log);
      log_scale = log;
    }
    return log - log_scale < lowest_exponent ? 0.0 : std::exp(log - log_scale);
  }
};

}  // namespace attest
