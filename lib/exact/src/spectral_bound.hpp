#pragma once

#include <cstddef>
#include <vector>

namespace attest {

/// Upper bounds of spectral norms, proved in doubles; keeps the direction that was stretched most, where the next matrix is likely to
/// stretch most too.
class SpectralBound {
 public:
  /// Of a square matrix by rows. Not a number, or infinite, where an entry is.
  double of(const std::vector<double>& matrix, std::size_t size);

 private:
  double estimate(const std::vector<double>& matrix, std::size_t size);

  std::vector<double> direction_;
};

}  // namespace attest
