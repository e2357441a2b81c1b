#pragma once

#include "attest/graph/numeric_problem.hpp"

#include <Eigen/QR>

#include <algorithm>

namespace attest {

/// The queries in an orthonormal basis, z_i = basis r_i: products of rows D z_i^T need min(n, d) numbers of each z_i.
struct QueryBasis {
  Eigen::MatrixXd basis;
  Eigen::MatrixXd coordinates;  ///< r_i as columns

  explicit QueryBasis(const Problem& problem) {
    const Eigen::MatrixXd queries = query_columns(problem);
    const Eigen::HouseholderQR<Eigen::MatrixXd> factors(queries);
    const Eigen::Index rank = std::min(queries.rows(), queries.cols());
    coordinates = factors.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
    basis = factors.householderQ() * Eigen::MatrixXd::Identity(queries.rows(), rank);
  }
};

}  // namespace attest
