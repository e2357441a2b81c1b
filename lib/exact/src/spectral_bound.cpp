#include "spectral_bound.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

/// More than what rounding does, relatively, in sums of so many terms: see `bounds`.
constexpr std::size_t largest_bounded_size = 1 << 14;
constexpr double rounding_share = 0x1p-36;

/// Whether bound I - P is positive definite, P = A^T A as computed. Cholesky's method in floating point that runs to its end on M~ shows
/// that no eigenvalue of M~ is below -g tr(M~), g = (n+1)u/(1 - 2(n+1)u), u = 2^-53 [S. M. Rump, Verification of positive definiteness,
/// BIT 46 (2006)]. The diagonal is lowered by a margin that exceeds this, what rounding did to P (at most m u/(1 - m u) |A|_F^2 in norm, m
/// <= 2^16 the number of roundings of a term and its sum) and the roundings of the diagonal itself.
bool bounds(double bound, const std::vector<double>& products, std::size_t size, double squares) {
  if (size > largest_bounded_size || !(bound > 0x1p-200)) return false;  // nothing below underflows then that matters
  const double margin = rounding_share * (bound * static_cast<double>(size) + squares);
  std::vector<double> a(products.size());
  for (std::size_t r = 0; r < size; ++r) {
    for (std::size_t c = 0; c <= r; ++c) {
      double sum = r == c ? bound - products[r * size + c] - margin : -products[r * size + c];
      for (std::size_t k = 0; k < c; ++k) sum -= a[r * size + k] * a[c * size + k];
      if (r > c) {
        a[r * size + c] = sum / a[c * size + c];
      } else {
        if (!(sum > 0)) return false;
        a[r * size + r] = std::sqrt(sum);
      }
    }
  }
  return std::isfinite(a.back());
}

}  // namespace

void SpectralBound::start(std::size_t size) {
  if (direction_.size() == size) return;
  direction_.resize(size);
  for (std::size_t k = 0; k < size; ++k) direction_[k] = 1 + static_cast<double>(k % 7) / 8;
}

/// |A x|^2 after some steps of the power method: a guess from below.
double SpectralBound::estimate(const std::vector<double>& matrix, std::size_t size) {
  start(size);
  double stretch = 0;
  for (int pass = 0; pass < 6; ++pass) {
    double squared = 0;
    for (const double entry : direction_) squared += entry * entry;
    const double inverse = 1 / std::sqrt(squared);
    for (double& entry : direction_) entry *= inverse;
    std::vector<double> image(size, 0);
    std::vector<double> back(size, 0);
    stretch = 0;
    for (std::size_t r = 0; r < size; ++r) {
      for (std::size_t c = 0; c < size; ++c) image[r] += matrix[r * size + c] * direction_[c];
      stretch += image[r] * image[r];
      for (std::size_t c = 0; c < size; ++c) back[c] += matrix[r * size + c] * image[r];
    }
    if (!(stretch > 0) || !std::isfinite(stretch)) break;
    direction_ = std::move(back);
  }
  return stretch;
}

double SpectralBound::of(const std::vector<double>& matrix, std::size_t size) {
  std::vector<double> products(size * size, 0);
  double squares = 0;
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t r = 0; r < size; ++r) {
      squares += matrix[k * size + r] * matrix[k * size + r];
      for (std::size_t c = 0; c <= r; ++c) products[r * size + c] += matrix[k * size + r] * matrix[k * size + c];
    }
  const double guess = estimate(matrix, size);
  for (const double above : {0x1p-20, 0x1p-17, 0x1p-14, 0x1p-12, 0x1p-10, 0x1p-9, 0x1p-8, 0x1p-6, 0x1p-4, 0x1p-2, 1.0}) {
    const double bound = guess * (1 + above);
    if (bounds(bound, products, size, squares)) return std::sqrt(bound) * (1 + 0x1p-50);
  }
  return std::sqrt(squares) * (1 + static_cast<double>(size * size) * 0x1p-50);  // the Frobenius norm
}

/// |P x| after some steps of the power method, which leaves x of length 1.
double SpectralBound::estimate_products(const std::vector<double>& products, std::size_t size) {
  constexpr int passes = 40;
  start(size);
  double stretch = 0;
  for (int pass = 0; pass <= passes; ++pass) {
    double squared = 0;
    for (const double entry : direction_) squared += entry * entry;
    const double length = std::sqrt(squared);
    for (double& entry : direction_) entry /= length;
    if (pass > 0) stretch = length;
    if (pass == passes) break;
    std::vector<double> image(size, 0);
    for (std::size_t r = 0; r < size; ++r) {
      const double* row = products.data() + r * size;
      for (std::size_t c = 0; c < r; ++c) {
        image[r] += row[c] * direction_[c];
        image[c] += row[c] * direction_[r];
      }
      image[r] += row[r] * direction_[r];
    }
    double largest = 0;
    for (const double entry : image) largest = std::max(largest, std::abs(entry));
    if (!(largest > 0) || !std::isfinite(largest)) break;
    direction_ = std::move(image);
  }
  return stretch;
}

double SpectralBound::of_products(const std::vector<double>& products, std::size_t size, double trace) {
  const double guess = estimate_products(products, size);
  for (const double above : {0x1p-10, 0x1p-7, 0x1p-5, 0x1p-3, 0.5}) {
    const double bound = guess * (1 + above);
    if (!(bound < trace)) break;
    if (bounds(bound, products, size, trace)) return bound;
  }
  return trace * (1 + 0x1p-34);
}

}  // namespace attest
