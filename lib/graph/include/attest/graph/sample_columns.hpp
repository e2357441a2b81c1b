#pragma once

#include "attest/model/exact_matrix.hpp"

#include <Eigen/Core>

#include <memory>
#include <new>

namespace attest {

/// The tokens or keys of a sample, a column each, to be read as an Eigen matrix. The rows of an ExactMatrix stand in memory as such columns
/// do, so tokens are not copied, and copies of these columns share their numbers.
class SampleColumns : public Eigen::Map<const Eigen::MatrixXd> {
 public:
  explicit SampleColumns(const ExactMatrix& rows)
      : SampleColumns(rows.shared_image(), static_cast<Eigen::Index>(rows.columns()), static_cast<Eigen::Index>(rows.rows())) {}
  explicit SampleColumns(Eigen::MatrixXd matrix) : SampleColumns(std::make_shared<const Eigen::MatrixXd>(std::move(matrix))) {}
  ~SampleColumns() = default;
  SampleColumns(const SampleColumns& other) = default;

  /// From now on these are the other's columns. An Eigen::Map that is assigned to would write into what it reads.
  SampleColumns& operator=(const SampleColumns& other) {
    new (static_cast<View*>(this)) View(other.data(), other.rows(), other.cols());
    numbers_ = other.numbers_;
    return *this;
  }

 private:
  using View = Eigen::Map<const Eigen::MatrixXd>;

  SampleColumns(std::shared_ptr<const double> numbers, Eigen::Index rows, Eigen::Index columns)
      : View(numbers.get(), rows, columns), numbers_(std::move(numbers)) {}
  explicit SampleColumns(const std::shared_ptr<const Eigen::MatrixXd>& matrix)
      : SampleColumns(std::shared_ptr<const double>(matrix, matrix->data()), matrix->rows(), matrix->cols()) {}

  std::shared_ptr<const double> numbers_;  // what the view reads
};

}  // namespace attest
