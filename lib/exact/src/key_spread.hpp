#pragma once

#include "attest/model/parametrisation.hpp"
#include "attest/model/problem.hpp"
#include "spectral_bound.hpp"

#include <cstddef>
#include <vector>

namespace attest {

/// The keys of one sample, over W its tokens, less a centre near their mean: as doubles, each row within `error` of what it stands for.
class CentredKeys {
 public:
  CentredKeys(const Problem& problem, Parametrisation parametrisation, std::size_t sample);

  std::size_t count() const { return count_; }
  std::size_t dimension() const { return dimension_; }
  const double* row(std::size_t t) const { return rows_.data() + t * dimension_; }
  double error() const { return error_; }
  /// An upper bound of the largest squared distance of two keys.
  double widest_squared() const;
  /// The sum of (y.u)^2 over the rows y, as computed.
  double along(const std::vector<double>& u) const;

 private:
  std::size_t count_;
  std::size_t dimension_;
  std::vector<double> rows_;
  double error_ = 0;
};

/// sum_j w_j y_j y_j^T of vectors of doubles, and an upper bound of its largest eigenvalue.
class SpreadMatrix {
 public:
  explicit SpreadMatrix(std::size_t dimension) : dimension_(dimension), products_(dimension * dimension, 0) {}

  void add(double weight, const CentredKeys& keys);
  /// The nearest doubles of a vector.
  void add(double weight, std::vector<double> vector);
  /// With room for a checker that computes in doubles too: 2^-20 of the trace. Not finite where an entry is not.
  double largest_eigenvalue();
  /// Near the direction of the largest eigenvalue, once that is known.
  const std::vector<double>& direction() const { return spectral_.direction(); }

 private:
  std::size_t dimension_;
  std::vector<double> products_;  // the lower triangle
  double squares_ = 0;            // its trace
  double errors_ = 0;             // sum of w_j error_j^2
  SpectralBound spectral_;
};

}  // namespace attest
