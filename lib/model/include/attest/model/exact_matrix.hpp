#pragma once

#include "attest/base/rational.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace attest {

/// A matrix of exact numbers together with its double image.
///
/// Numbers that are doubles (all of a .npz) are kept as doubles only: eight bytes a number. As soon as
/// one entry is not a double, 1/10 say, the rationals are kept beside the image.
class ExactMatrix {
 public:
  ExactMatrix() = default;
  /// Row by row; every entry finite.
  static ExactMatrix from_doubles(std::size_t rows, std::size_t columns, std::vector<double> values);
  static ExactMatrix from_rationals(std::size_t rows, std::size_t columns, std::vector<Rational> values);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  Rational at(std::size_t row, std::size_t column) const;

  /// The nearest doubles, row by row.
  std::span<const double> image() const { return image_; }
  std::span<const double> image_row(std::size_t row) const { return image().subspan(row * columns_, columns_); }
  /// Whether every entry equals its double.
  bool image_is_exact() const { return exact_.empty(); }

  bool operator==(const ExactMatrix& other) const = default;

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<double> image_;
  std::vector<Rational> exact_;  // empty when the image is exact
};

}  // namespace attest
