#include "linear_program.hpp"

#include <stdexcept>

namespace attest {
namespace {

/// The tableau B^-1 [A | I | b] with one artificial column a row; rows with a negative right side are negated first.
class Tableau {
 public:
  explicit Tableau(const LinearProgram& program) : count_(program.columns.size()), rows_(program.right.size()) {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const int sign = program.right[r] < 0 ? -1 : 1;
      signs_.push_back(sign);
      for (const auto& column : program.columns) rows_[r].emplace_back(sign * column[r]);
      for (std::size_t k = 0; k < rows_.size(); ++k) rows_[r].emplace_back(k == r ? 1 : 0);
      rows_[r].emplace_back(sign * program.right[r]);
      basis_.push_back(count_ + r);
    }
  }

  std::optional<LinearOptimum> run(const std::vector<Rational>& objective) {
    std::vector<Rational> cost(count_ + rows_.size(), 0);
    for (std::size_t k = count_; k < cost.size(); ++k) cost[k] = -1;
    climb(cost);
    if (value(cost) != 0) return std::nullopt;
    drive_out_artificials();
    for (std::size_t k = 0; k < cost.size(); ++k) cost[k] = k < count_ ? objective[k] : Rational(0);
    climb(cost);
    return optimum(cost);
  }

 private:
  Rational value(const std::vector<Rational>& cost) const {
    Rational sum = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r) sum += cost[basis_[r]] * rows_[r].back();
    return sum;
  }

  Rational reduced_cost(const std::vector<Rational>& cost, std::size_t k) const {
    Rational sum = cost[k];
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (!cost[basis_[r]].is_zero()) sum -= cost[basis_[r]] * rows_[r][k];
    return sum;
  }

  /// Bland: the first column that improves enters; artificial columns never come back.
  std::optional<std::size_t> entering(const std::vector<Rational>& cost) const {
    for (std::size_t k = 0; k < count_; ++k)
      if (reduced_cost(cost, k) > 0) return k;
    return std::nullopt;
  }

  /// Of the rows with the least ratio the one whose basic column comes first.
  std::size_t leaving(std::size_t column) const {
    std::optional<std::size_t> best;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r][column] <= 0) continue;
      if (!best) {
        best = r;
        continue;
      }
      const Rational here = rows_[r].back() * rows_[*best][column];
      const Rational there = rows_[*best].back() * rows_[r][column];
      if (here < there || (here == there && basis_[r] < basis_[*best])) best = r;
    }
    if (!best) throw std::logic_error("maximise: the feasible set is not bounded");
    return *best;
  }

  void climb(const std::vector<Rational>& cost) {
    while (const auto column = entering(cost)) pivot(leaving(*column), *column);
  }

  void pivot(std::size_t row, std::size_t column) {
    const Rational by = rows_[row][column];
    for (Rational& entry : rows_[row]) entry /= by;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (r == row || rows_[r][column].is_zero()) continue;
      const Rational factor = rows_[r][column];
      for (std::size_t k = 0; k < rows_[r].size(); ++k)
        if (!rows_[row][k].is_zero()) rows_[r][k] -= factor * rows_[row][k];
    }
    basis_[row] = column;
  }

  /// An artificial column that is still basic has value 0: any other column of its row may take its place. Where the row
  /// has none it is redundant, and nothing enters there.
  void drive_out_artificials() {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (basis_[r] < count_) continue;
      for (std::size_t k = 0; k < count_; ++k) {
        if (rows_[r][k].is_zero()) continue;
        pivot(r, k);
        break;
      }
    }
  }

  LinearOptimum optimum(const std::vector<Rational>& cost) const {
    LinearOptimum result{std::vector<Rational>(count_, 0), {}, value(cost)};
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (basis_[r] < count_) result.x[basis_[r]] = rows_[r].back();
    for (std::size_t r = 0; r < rows_.size(); ++r) result.y.emplace_back(-signs_[r] * reduced_cost(cost, count_ + r));
    return result;
  }

  std::size_t count_;
  std::vector<std::vector<Rational>> rows_;
  std::vector<int> signs_;
  std::vector<std::size_t> basis_;
};

}  // namespace

std::optional<LinearOptimum> maximise(const LinearProgram& program) { return Tableau(program).run(program.objective); }

}  // namespace attest
