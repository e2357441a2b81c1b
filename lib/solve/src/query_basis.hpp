#pragma once

#include "attest/graph/numeric_problem.hpp"
#include "attest/solve/dense.hpp"

#include <utility>

namespace attest {

/// The queries in an orthonormal basis, z_i = basis r_i: products of rows D z_i^T need min(n, d) numbers of each z_i.
struct QueryBasis {
  Eigen::MatrixXd basis;
  Eigen::MatrixXd coordinates;  ///< r_i as columns

  explicit QueryBasis(const Problem& problem) {
    ThinQr factors = thin_qr(query_columns(problem));
    coordinates = std::move(factors.R);
    basis = std::move(factors.Q);
  }
};

}  // namespace attest
