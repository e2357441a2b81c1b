#include "nuclear_rivals.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/graph/numeric_problem.hpp"

namespace attest {
namespace {

/// How far the row is from tight at W, of 1 + |a||W|.
double relative_slack(const NumericProblem& problem, const Selection& selection, const RowName& row, const Eigen::VectorXd& W) {
  const Eigen::VectorXd difference = problem.keys[row.sample].col(static_cast<Eigen::Index>(selection[row.sample])) -
                                     problem.keys[row.sample].col(static_cast<Eigen::Index>(row.token));
  const double norm = difference.norm() * problem.queries.col(static_cast<Eigen::Index>(row.sample)).norm();
  return (difference.dot(problem.prompt(row.sample, W)) - 1) / (1 + norm * W.norm());
}

}  // namespace

std::vector<RowName> possible_rivals(const Problem& problem, const Scores& scores, const Selection& selection, const Eigen::VectorXd& W) {
  const NumericProblem numeric(problem, Parametrisation::weights, WeightKeys::factors);
  std::vector<RowName> possible;
  for (std::size_t i = 0; i < scores.size(); ++i)
    for (std::size_t t = 0; t < scores[i].size(); ++t) {
      const RowName row{i, t};
      if (t == selection[i] || scores[i][t] < scores[i][selection[i]]) continue;
      if (!(relative_slack(numeric, selection, row, W) > nuclear_row_tolerance.relative)) possible.push_back(row);
    }
  return possible;
}

}  // namespace attest
