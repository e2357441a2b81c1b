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
  /// Of a sum P of weighted products y y^T by its lower triangle, each entry the sum of at most 2^15 numbers that were rounded at most
  /// four times before; `trace` is that of P. Not a number, or infinite, where an entry is.
  double of_products(const std::vector<double>& products, std::size_t size, double trace);

  /// Near the direction that the last matrix stretches most.
  const std::vector<double>& direction() const { return direction_; }

 private:
  double estimate(const std::vector<double>& matrix, std::size_t size);
  double estimate_products(const std::vector<double>& products, std::size_t size);
  void start(std::size_t size);

  std::vector<double> direction_;
};

}  // namespace attest
