#include "attest/model/exact_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace attest {
namespace {

/// Eigen's sums take doubles from one such boundary to the next together; its own matrices begin at one.
constexpr std::uintptr_t eigen_boundary = 16;

}  // namespace

ExactMatrix ExactMatrix::from_doubles(std::size_t rows, std::size_t columns, std::vector<double> values) {
  if (values.size() != rows * columns) throw std::invalid_argument("ExactMatrix: the shape does not fit the values");
  return part_of(std::make_shared<const std::vector<double>>(std::move(values)), 0, rows, columns);
}

ExactMatrix ExactMatrix::part_of(const std::shared_ptr<const std::vector<double>>& array, std::size_t first, std::size_t rows,
                                 std::size_t columns) {
  if (first > array->size() || array->size() - first < rows * columns) throw std::invalid_argument("ExactMatrix: the array ends too early");
  const double* start = array->data() + first;
  if (first != 0 && reinterpret_cast<std::uintptr_t>(start) % eigen_boundary != 0)
    return from_doubles(rows, columns, {start, start + rows * columns});
  ExactMatrix matrix;
  matrix.rows_ = rows;
  matrix.columns_ = columns;
  matrix.image_ = {array, start};
  return matrix;
}

ExactMatrix ExactMatrix::from_rationals(std::size_t rows, std::size_t columns, std::vector<Rational> values) {
  std::vector<double> image(values.size());
  std::transform(values.begin(), values.end(), image.begin(), nearest_double);
  ExactMatrix matrix = from_doubles(rows, columns, std::move(image));
  const bool exact = std::equal(values.begin(), values.end(), matrix.image_.get(),
                                [](const Rational& value, double near) { return std::isfinite(near) && exact_value(near) == value; });
  if (!exact) matrix.exact_ = std::make_shared<const std::vector<Rational>>(std::move(values));
  return matrix;
}

Rational ExactMatrix::at(std::size_t row, std::size_t column) const {
  const std::size_t index = row * columns_ + column;
  return exact_ == nullptr ? exact_value(image()[index]) : (*exact_)[index];
}

bool ExactMatrix::operator==(const ExactMatrix& other) const {
  if (rows_ != other.rows_ || columns_ != other.columns_ || image_is_exact() != other.image_is_exact()) return false;
  return std::ranges::equal(image(), other.image()) && (image_is_exact() || *exact_ == *other.exact_);
}

}  // namespace attest
