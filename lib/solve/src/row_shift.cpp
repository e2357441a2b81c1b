#include "attest/solve/row_shift.hpp"

#include "attest/solve/dense.hpp"

#include <limits>

namespace attest {
namespace {

using Eigen::VectorXd;

/// Rows this far above the least one weigh e^-50 of it: less than rounding.
constexpr double weightless_height = 50;
/// Least squares in more rows, or in so many numbers, takes longer than the envelope is worth.
constexpr std::size_t most_rows = 600;
constexpr std::size_t most_numbers = std::size_t{1} << 24U;

}  // namespace

std::vector<std::pair<RowName, double>> shift_of_rows(const NumericProblem& problem, const Selection& selection, const VectorXd& p,
                                                      const VectorXd& direction) {
  const VectorXd unit = direction.normalized();
  const VectorXd across = p - p.dot(unit) * unit;
  const auto difference = [&](std::size_t i, Eigen::Index t) -> VectorXd {
    return problem.keys[i].col(static_cast<Eigen::Index>(selection[i])) - problem.keys[i].col(t);
  };
  const auto row = [&](std::size_t i, Eigen::Index t) -> VectorXd {
    if (!problem.has_factored_keys()) return difference(i, t);
    return (problem.queries.col(static_cast<Eigen::Index>(i)) * difference(i, t).transpose()).reshaped();
  };
  std::vector<std::pair<RowName, double>> rows;  // with a_it.p, then with their weights
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < problem.keys.size(); ++i) {
    const VectorXd prompt = problem.prompt(i, p);
    for (Eigen::Index t = 0; t < problem.keys[i].cols(); ++t) {
      if (t == static_cast<Eigen::Index>(selection[i])) continue;
      rows.push_back({{i, static_cast<std::size_t>(t)}, difference(i, t).dot(prompt)});
      least = std::min(least, rows.back().second);
    }
  }
  std::erase_if(rows, [&](const auto& entry) { return !(entry.second <= least + weightless_height); });
  if (rows.size() > most_rows || rows.size() * static_cast<std::size_t>(p.size()) > most_numbers) return {};
  Eigen::MatrixXd columns(p.size(), static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k)
    columns.col(static_cast<Eigen::Index>(k)) = row(rows[k].first.sample, static_cast<Eigen::Index>(rows[k].first.token));
  const VectorXd weights = least_squares(columns, across);
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k].second = weights(static_cast<Eigen::Index>(k));
  return rows;
}

}  // namespace attest
