#pragma once

#include <cstddef>
#include <vector>

#include "rational.hpp"

namespace attest::check {

/// A square matrix of doubles, by rows.
class SquareMatrix {
 public:
  explicit SquareMatrix(std::size_t size) : size_(size), entries_(size * size) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] double* row(std::size_t r) { return entries_.data() + r * size_; }
  [[nodiscard]] const double* row(std::size_t r) const { return entries_.data() + r * size_; }

 private:
  std::size_t size_;
  std::vector<double> entries_;
};

/// The spectral norm of a matrix A, through definiteness tests of b I − AᵀA.
class SpectralNorm {
 public:
  explicit SpectralNorm(const SquareMatrix& matrix);

  /// Whether ‖A‖² < b is shown; 2^−100 ≤ b ≤ 2^100, or it is not.
  [[nodiscard]] bool squared_is_below(double b) const;

  /// A bound of ‖A‖, within a factor 1 + 2^−10 of it where ‖A‖ ≥ 2^−20; Undefined where there is none. `guess` is where the search for it
  /// starts, and is left as an approximate singular vector: that of a matrix near by saves work.
  [[nodiscard]] double bound(std::vector<double>& guess) const;

 private:
  [[nodiscard]] double approximate_square(std::vector<double>& guess) const;

  SquareMatrix product_;  // AᵀA, rounded: the upper triangle
  double frobenius_squared_;
};

/// The form Σ w (y·u)² of integer vectors y with weights w ≥ 0.
class SquareSum {
 public:
  explicit SquareSum(std::size_t dimension) : dimension_(dimension), trace_(0) {}

  void add(const Rational& weight, const std::vector<std::vector<Integer>>& vectors);

  /// Whether it is shown to be at most bound·‖u‖²; throws Rejected where the matrix is refused as too large.
  [[nodiscard]] bool is_at_most(const Rational& bound) const;

 private:
  /// The vectors over a power of two, so that no entry exceeds 1, and the weight times its square.
  struct Part {
    Rational weight;
    std::vector<double> rows;
  };

  std::size_t dimension_;
  Rational trace_;
  std::vector<Part> parts_;
};

/// Whether the matrix of the products of vectors with each other, given by its lower triangle, is shown to have no eigenvalue below
/// `least` > 0. Taking 2^−36 of the trace off its diagonal leaves what this needs, for up to 4096 rows.
[[nodiscard]] bool has_least_eigenvalue(const std::vector<std::vector<Rational>>& products, const Rational& least);

}  // namespace attest::check
