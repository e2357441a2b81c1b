#pragma once

#include "attest/base/rational.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace attest {

/// A matrix of exact numbers together with its double image.
///
/// Numbers that are doubles (all of a .npz) are kept as doubles only: eight bytes a number. As soon as
/// one entry is not a double, 1/10 say, the rationals are kept beside the image.
///
/// A value: no number of it ever changes. So its copies, and the samples of one array, share the memory in which the numbers stand, and
/// large data are in memory once.
class ExactMatrix {
 public:
  ExactMatrix() = default;
  /// Row by row; every entry finite.
  static ExactMatrix from_doubles(std::size_t rows, std::size_t columns, std::vector<double> values);
  static ExactMatrix from_rationals(std::size_t rows, std::size_t columns, std::vector<Rational> values);
  /// Numbers of an array, from the one at `first` on. They are not copied, unless they begin where Eigen would add them up in another
  /// order than those of a matrix of its own: sums are to round alike however the data came.
  static ExactMatrix part_of(const std::shared_ptr<const std::vector<double>>& array, std::size_t first, std::size_t rows,
                             std::size_t columns);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  Rational at(std::size_t row, std::size_t column) const;

  /// The nearest doubles, row by row.
  std::span<const double> image() const { return {image_.get(), rows_ * columns_}; }
  /// For those who read the image after this matrix is gone.
  const std::shared_ptr<const double>& shared_image() const { return image_; }
  std::span<const double> image_row(std::size_t row) const { return image().subspan(row * columns_, columns_); }
  /// Whether every entry equals its double.
  bool image_is_exact() const { return exact_ == nullptr; }

  bool operator==(const ExactMatrix& other) const;

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::shared_ptr<const double> image_;                 // the first of its numbers
  std::shared_ptr<const std::vector<Rational>> exact_;  // none when the image is exact
};

}  // namespace attest
