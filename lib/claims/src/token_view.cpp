#include "token_view.hpp"

#include "attest/graph/numeric_problem.hpp"
#include "attest/solve/dense.hpp"
#include "run_view.hpp"

#include <algorithm>

namespace attest {
namespace {

/// More points than this are a cloud.
constexpr std::size_t most_rows = 250;
constexpr int view_digits = 6;
/// Rows that lie on the ray of p^mm but for this share of their length have no direction across it.
constexpr double across_threshold = 1e-9;

struct Row {
  RowName name;
  bool tight;
  bool outscored;  ///< tight, and its token scores as much as the selected one: why the selection is not locally optimal
  double margin;
};

std::vector<Row> rows_by_weight(const SvmProgram& program, const SvmSolution& solution, const Scores& scores, const NumericProblem& numeric,
                                const Eigen::VectorXd& p_mm) {
  std::vector<Row> rows;
  for (std::size_t c = 0; c < program.row_count(); ++c) {
    const RowName name = program.name(c);
    const SampleColumns& keys = numeric.keys[name.sample];
    const std::size_t selected = program.selection()[name.sample];
    const bool tight = std::ranges::binary_search(solution.support, c);
    const double margin = p_mm.dot(keys.col(static_cast<Eigen::Index>(selected)) - keys.col(static_cast<Eigen::Index>(name.token)));
    const bool outscored = tight && scores[name.sample][selected] <= scores[name.sample][name.token];
    rows.push_back({name, tight, outscored, tight ? 1 : margin});
  }
  std::ranges::stable_sort(rows, {}, [](const Row& row) { return std::tuple(!row.outscored, !row.tight, row.margin); });
  return rows;
}

/// The unit vector, orthogonal to p^mm, along which the columns spread most; 0 when all lie on the ray.
Eigen::VectorXd widest_across(const Eigen::MatrixXd& columns, const Eigen::VectorXd& unit) {
  const ThinSvd svd = thin_svd(columns - unit * (unit.transpose() * columns));
  if (svd.values.size() == 0 || !(svd.values[0] > across_threshold * columns.norm())) return Eigen::VectorXd::Zero(unit.size());
  Eigen::VectorXd axis = svd.U.col(0);
  Eigen::Index largest = 0;
  axis.cwiseAbs().maxCoeff(&largest);
  return axis[largest] < 0 ? Eigen::VectorXd(-axis) : axis;  // a vector and its opposite spread alike: one of them, always the same
}

}  // namespace

TokenView token_view(const SvmProgram& program, const SvmSolution& solution, const Scores& scores) {
  TokenView view{program.row_count()};
  const NumericProblem numeric(program.problem());
  Eigen::VectorXd p_mm(static_cast<Eigen::Index>(solution.w.size()));
  for (std::size_t k = 0; k < solution.w.size(); ++k) p_mm[static_cast<Eigen::Index>(k)] = nearest_double(solution.w[k]);
  if (view.rows == 0 || !(p_mm.norm() > 0)) return view;
  view.norm = p_mm.norm();
  std::vector<Row> rows = rows_by_weight(program, solution, scores, numeric, p_mm);
  rows.resize(std::min(rows.size(), most_rows));
  Eigen::MatrixXd differences(p_mm.size(), static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto& [sample, token] = rows[k].name;
    const std::size_t selected = program.selection()[sample];
    differences.col(static_cast<Eigen::Index>(k)) =
        numeric.keys[sample].col(static_cast<Eigen::Index>(selected)) - numeric.keys[sample].col(static_cast<Eigen::Index>(token));
    view.tokens.push_back(rows[k].name);
    view.margin.push_back(rounded(rows[k].margin, view_digits));
    view.gap.push_back(rounded(nearest_double(scores[sample][selected] - scores[sample][token]), view_digits));
  }
  const Eigen::VectorXd unit = p_mm.normalized();
  const auto tight = std::ranges::count_if(rows, &Row::tight);
  Eigen::VectorXd axis = widest_across(differences.leftCols(tight), unit);
  if (axis.isZero()) axis = widest_across(differences, unit);
  for (const double across : (axis.transpose() * differences).eval()) view.across.push_back(rounded(across, view_digits));
  return view;
}

}  // namespace attest
