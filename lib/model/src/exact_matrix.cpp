#include "attest/model/exact_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attest {

ExactMatrix ExactMatrix::from_doubles(std::size_t rows, std::size_t columns, std::vector<double> values) {
  if (values.size() != rows * columns) throw std::invalid_argument("ExactMatrix: the shape does not fit the values");
  ExactMatrix matrix;
  matrix.rows_ = rows;
  matrix.columns_ = columns;
  matrix.image_ = std::move(values);
  return matrix;
}

ExactMatrix ExactMatrix::from_rationals(std::size_t rows, std::size_t columns, std::vector<Rational> values) {
  std::vector<double> image(values.size());
  std::transform(values.begin(), values.end(), image.begin(), nearest_double);
  ExactMatrix matrix = from_doubles(rows, columns, std::move(image));
  const bool exact = std::equal(values.begin(), values.end(), matrix.image_.begin(),
                                [](const Rational& value, double near) { return std::isfinite(near) && exact_value(near) == value; });
  if (!exact) matrix.exact_ = std::move(values);
  return matrix;
}

Rational ExactMatrix::at(std::size_t row, std::size_t column) const {
  const std::size_t index = row * columns_ + column;
  return exact_.empty() ? exact_value(image_[index]) : exact_[index];
}

}  // namespace attest
