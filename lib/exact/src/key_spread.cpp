#include "key_spread.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace attest {
namespace {

/// More than what rounding does, relatively, in the sums of squares below, which have at most 2^14 terms.
constexpr double enlargement = 1 + 0x1p-38;
constexpr double rounding_unit = 0x1p-52;
/// Numbers of rows that are smaller count as 0, so that no product of two of them underflows, and every row counts as off by more than
/// that. What underflows in sums of products is less than the last number.
constexpr double negligible = 0x1p-500;
constexpr double least_error = 0x1p-400;
constexpr double underflow = 0x1p-1000;

double squared_norm(const double* x, std::size_t size) {
  double sum = 0;
  for (std::size_t k = 0; k < size; ++k) sum += x[k] * x[k];
  return sum;
}

/// W x as computed, and how far its entries may be off: d products of numbers that are rounded themselves, and their sum.
void multiply(const ExactMatrix& W, std::span<const double> x, double* product, double* off) {
  const std::size_t d = x.size();
  for (std::size_t r = 0; r < d; ++r) {
    const auto row = W.image_row(r);
    double sum = 0;
    double size = 0;
    for (std::size_t c = 0; c < d; ++c) {
      sum += row[c] * x[c];
      size += std::abs(row[c] * x[c]);
    }
    product[r] = sum;
    off[r] = static_cast<double>(d + 8) * rounding_unit * size;
  }
}

}  // namespace

CentredKeys::CentredKeys(const Problem& problem, Parametrisation parametrisation, std::size_t sample)
    : count_(problem.token_count(sample)), dimension_(problem.dimension()), rows_(count_ * dimension_) {
  const ExactMatrix& tokens = problem.tokens[sample];
  const bool weighted = parametrisation == Parametrisation::prompt && problem.W;
  std::vector<double> off(dimension_, 0);
  for (std::size_t t = 0; t < count_; ++t) {
    const auto token = tokens.image_row(t);
    double* row = rows_.data() + t * dimension_;
    if (weighted) {
      multiply(*problem.W, token, row, off.data());
    } else {
      std::ranges::copy(token, row);
      if (!tokens.image_is_exact())
        for (std::size_t c = 0; c < dimension_; ++c) off[c] = rounding_unit * std::abs(token[c]);
    }
    error_ = std::max(error_, std::sqrt(squared_norm(off.data(), dimension_)) * enlargement);
  }
  std::vector<double> centre(dimension_, 0);
  for (std::size_t t = 0; t < count_; ++t)
    for (std::size_t c = 0; c < dimension_; ++c) centre[c] += row(t)[c] / static_cast<double>(count_);
  double longest = 0;
  for (std::size_t t = 0; t < count_; ++t) {
    for (std::size_t c = 0; c < dimension_; ++c) {
      double& entry = rows_[t * dimension_ + c];
      entry -= centre[c];
      if (std::abs(entry) < negligible) entry = 0;
    }
    longest = std::max(longest, squared_norm(row(t), dimension_));
  }
  error_ = (error_ + rounding_unit * std::sqrt(longest)) * enlargement + least_error;
}

double CentredKeys::widest_squared() const {
  double widest = 0;
  for (std::size_t t = 0; t < count_; ++t)
    for (std::size_t s = 0; s < t; ++s) {
      double squared = 0;
      for (std::size_t c = 0; c < dimension_; ++c) squared += (row(t)[c] - row(s)[c]) * (row(t)[c] - row(s)[c]);
      // A sum that overflowed is infinite, one of infinities not a number: neither may be passed over.
      if (!(squared <= widest)) widest = squared;
      if (!std::isfinite(widest)) return widest;
    }
  if (count_ == 1) return 0;
  const double length = (std::sqrt(widest * enlargement + underflow) + 2 * error_) * enlargement;
  return length * length * enlargement + underflow;
}

double CentredKeys::along(const std::vector<double>& u) const {
  double sum = 0;
  for (std::size_t t = 0; t < count_; ++t) {
    double product = 0;
    for (std::size_t c = 0; c < dimension_; ++c) product += row(t)[c] * u[c];
    sum += product * product;
  }
  return sum;
}

void SpreadMatrix::add(double weight, const CentredKeys& keys) {
  // A sample's products are summed first, so that no entry is the sum of more than T_i + n numbers.
  std::vector<double> products(products_.size(), 0);
  for (std::size_t t = 0; t < keys.count(); ++t) {
    const double* y = keys.row(t);
    for (std::size_t r = 0; r < dimension_; ++r)
      for (std::size_t c = 0; c <= r; ++c) products[r * dimension_ + c] += y[r] * y[c];
  }
  for (std::size_t k = 0; k < products.size(); ++k) products_[k] += weight * products[k];
  for (std::size_t r = 0; r < dimension_; ++r) squares_ += weight * products[r * dimension_ + r];
  errors_ += weight * keys.error() * keys.error() * static_cast<double>(keys.count()) + underflow;
}

void SpreadMatrix::add(double weight, std::vector<double> vector) {
  for (double& entry : vector)
    if (std::abs(entry) < negligible) entry = 0;
  for (std::size_t r = 0; r < dimension_; ++r)
    for (std::size_t c = 0; c <= r; ++c) products_[r * dimension_ + c] += weight * (vector[r] * vector[c]);
  const double squared = squared_norm(vector.data(), dimension_);
  const double error = rounding_unit * std::sqrt(squared) + least_error;
  squares_ += weight * squared;
  errors_ += weight * error * error + underflow;
}

/// With y_j + e_j for y_j, |e_j| <= error_j, the root of the form grows by at most (sum w_j error_j^2)^(1/2).
double SpreadMatrix::largest_eigenvalue() {
  if (errors_ == 0) return 0;  // nothing was added
  const double computed = spectral_.of_products(products_, dimension_, squares_);
  const double root = (std::sqrt(computed) + std::sqrt(errors_ * enlargement)) * enlargement;
  return (root * root + 0x1.8p-20 * squares_) * enlargement + underflow;
}

}  // namespace attest
