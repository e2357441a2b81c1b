#pragma once

#include <cmath>

namespace attest {

/// The largest of the errors seen. NaN is worse than any number and stays: std::max would drop it.
class Worst {
 public:
  void see(double error) {
    if (!std::isnan(value_) && !(error <= value_)) value_ = error;
  }
  double value() const { return value_; }

 private:
  double value_ = 0;
};

}  // namespace attest
