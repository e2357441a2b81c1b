#include "complementarity.hpp"

#include <cmath>
#include <utility>

namespace attest {
namespace {

/// The variables z_0, …, z_(s-1), their slacks, and the artificial one, in this order.
///
/// Each row gives a basic variable as its value plus a combination of the free ones, which are 0.
class Dictionary {
 public:
  explicit Dictionary(const SquareMatrix& N) : size_(N.size), width_(N.size + 2), table_(size_ * width_) {
    constexpr double golden = 0.6180339887498949;
    for (std::size_t r = 0; r < size_; ++r) {
      for (std::size_t c = 0; c < size_; ++c) at(r, c) = N(r, c);
      // Shares of the artificial variable that differ, so that no two rows tie.
      at(r, size_) = 1 + std::fmod(golden * static_cast<double>(r + 1), 1.0);
      value(r) = -1;
      basic_.push_back(size_ + r);
      free_.push_back(r);
    }
    free_.push_back(artificial());
  }

  std::optional<std::vector<double>> run(const Budget& budget) {
    std::size_t row = 0;  // with the least share all values become >= 0
    for (std::size_t r = 1; r < size_; ++r)
      if (at(r, size_) < at(row, size_)) row = r;
    std::size_t column = size_;
    const std::size_t most_pivots = 20 * (size_ + 5);  // beyond it rounding has made it turn in circles
    for (std::size_t pivots = 0; pivots < most_pivots && !budget.spent(); ++pivots) {
      const std::size_t leaving = exchange(row, column);
      if (leaving == artificial()) return solution();
      column = column_of(leaving < size_ ? leaving + size_ : leaving - size_);
      const auto next = blocking(column);
      if (!next) return std::nullopt;
      row = *next;
    }
    return std::nullopt;
  }

 private:
  double& at(std::size_t row, std::size_t column) { return table_[row * width_ + column]; }
  double at(std::size_t row, std::size_t column) const { return table_[row * width_ + column]; }
  double& value(std::size_t row) { return at(row, width_ - 1); }
  double value(std::size_t row) const { return at(row, width_ - 1); }
  std::size_t artificial() const { return 2 * size_; }

  std::size_t column_of(std::size_t variable) const {
    std::size_t column = 0;
    while (free_[column] != variable) ++column;
    return column;
  }

  /// The basic variable that reaches 0 first as a free one grows.
  std::optional<std::size_t> blocking(std::size_t column) const {
    constexpr double least_pivot = 1e-11;
    std::optional<std::size_t> best;
    double least = 0;
    for (std::size_t r = 0; r < size_; ++r) {
      if (!(at(r, column) < -least_pivot)) continue;
      const double ratio = value(r) / -at(r, column);
      if (best && !(ratio < least || (ratio == least && basic_[r] == artificial()))) continue;
      best = r;
      least = ratio;
    }
    return best;
  }

  /// The free variable of a column takes the place of the basic one of a row, which is returned.
  std::size_t exchange(std::size_t row, std::size_t column) {
    const double by = at(row, column);
    double* const pivot = &table_[row * width_];
    for (std::size_t c = 0; c < width_; ++c) pivot[c] /= -by;
    pivot[column] = 1 / by;
    for (std::size_t r = 0; r < size_; ++r) {
      if (r == row) continue;
      double* const other = &table_[r * width_];
      const double factor = other[column];
      if (factor == 0) continue;
      other[column] = 0;
      for (std::size_t c = 0; c < width_; ++c) other[c] += factor * pivot[c];
    }
    std::swap(basic_[row], free_[column]);
    return free_[column];
  }

  std::vector<double> solution() const {
    std::vector<double> z(size_, 0.0);
    for (std::size_t r = 0; r < size_; ++r)
      if (basic_[r] < size_ && value(r) > 0) z[basic_[r]] = value(r);
    return z;
  }

  std::size_t size_;
  std::size_t width_;  // z, the artificial variable, the value
  std::vector<double> table_;
  std::vector<std::size_t> basic_;
  std::vector<std::size_t> free_;
};

}  // namespace

std::optional<std::vector<double>> solve_complementarity(const SquareMatrix& N, const Budget& budget) {
  if (N.size == 0) return std::vector<double>{};
  return Dictionary(N).run(budget);
}

}  // namespace attest
