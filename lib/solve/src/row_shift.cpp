#include "attest/solve/row_shift.hpp"

#include "attest/solve/dense.hpp"

#include <limits>

namespace attest {
namespace {

using Eigen::VectorXd;

/// Rows this far above the least one weigh e^-50 of it: less than rounding.
constexpr double weightless = 50;
/// Least squares in more rows takes longer than the envelope is worth, and in more numbers too.
constexpr std::size_t most_rows = 600;
constexpr std::size_t most_numbers = std::size_t{1} << 21;

/// a_it, or a_it z_i^T by rows.
VectorXd written_row(const NumericProblem& problem, const Selection& selection, std::size_t i, Eigen::Index t) {
  const VectorXd a = problem.keys[i].col(static_cast<Eigen::Index>(selection[i])) - problem.keys[i].col(t);
  if (problem.queries.size() == 0) return a;
  return (problem.queries.col(static_cast<Eigen::Index>(i)) * a.transpose()).reshaped();
}

}  // namespace

std::vector<std::pair<RowName, double>> shift_of_rows(const NumericProblem& problem, const Selection& selection, const VectorXd& p,
                                                      const VectorXd& direction) {
  const VectorXd unit = direction.normalized();
  const VectorXd across = p - p.dot(unit) * unit;
  std::vector<std::pair<RowName, double>> rows;  // with a_it.p, then with their weights
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < problem.keys.size(); ++i) {
    const auto chosen = static_cast<Eigen::Index>(selection[i]);
    const VectorXd prompt = problem.prompt(i, p);
    for (Eigen::Index t = 0; t < problem.keys[i].cols(); ++t) {
      if (t == chosen) continue;
      rows.push_back({{i, static_cast<std::size_t>(t)}, (problem.keys[i].col(chosen) - problem.keys[i].col(t)).dot(prompt)});
      least = std::min(least, rows.back().second);
    }
  }
  std::erase_if(rows, [&](const auto& entry) { return !(entry.second <= least + weightless); });
  if (rows.size() > most_rows || rows.size() * static_cast<std::size_t>(p.size()) > most_numbers) return {};
  Eigen::MatrixXd columns(p.size(), static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k)
    columns.col(static_cast<Eigen::Index>(k)) =
        written_row(problem, selection, rows[k].first.sample, static_cast<Eigen::Index>(rows[k].first.token));
  const VectorXd weights = least_squares(columns, across);
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k].second = weights(static_cast<Eigen::Index>(k));
  return rows;
}

}  // namespace attest
