#include "attest/solve/row_curvature.hpp"

#include "query_basis.hpp"
#include "row_products.hpp"

namespace attest {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double row_curvature(const SvmProgram& program, const WeightedRows& weighted) {
  constexpr int most_products = 30;
  if (weighted.rows.empty()) return 0;
  const MatrixXd queries = program.kind() == SvmProgram::Kind::w ? QueryBasis(program.problem()).coordinates : MatrixXd();
  const std::vector<Index> kept(weighted.rows.begin(), weighted.rows.end());
  const RowProducts rows(RowProducts(program, queries), kept);
  const VectorXd roots = Eigen::Map<const VectorXd>(weighted.weights.data(), rows.size()).cwiseSqrt();
  VectorXd x = roots.normalized();
  double norm = 0;
  for (int k = 0; k < most_products; ++k) {
    const VectorXd image = roots.cwiseProduct(rows.times(rows.combined(roots.cwiseProduct(x))));
    norm = image.norm();
    if (!(norm > 0)) break;
    x = image / norm;
  }
  return norm;
}

}  // namespace attest
