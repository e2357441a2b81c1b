#include "attest/solve/dense.hpp"
#include "random_matrix.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

// Each factor is held against its definition, on matrices of all shapes, the empty ones among them.

namespace {

using namespace attest;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rounding = 1e-12;

template <class Check>
void on_every_shape(const Check& check) {
  unsigned seed = 0;
  for (const Eigen::Index rows : {0, 1, 3, 7, 60})
    for (const Eigen::Index columns : {0, 1, 4, 7, 64}) check(random_matrix(rows, columns, ++seed));
}

double distance(const MatrixXd& a, const MatrixXd& b) { return a.size() == 0 ? 0 : (a - b).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(); }

bool orthonormal(const MatrixXd& Q) { return distance(Q.transpose() * Q, MatrixXd::Identity(Q.cols(), Q.cols())) <= rounding; }

BOOST_AUTO_TEST_SUITE(dense)

BOOST_AUTO_TEST_CASE(singular_vectors_and_values_give_the_matrix_back) {
  on_every_shape([](const MatrixXd& A) {
    const ThinSvd svd = thin_svd(A);
    BOOST_TEST(svd.values.size() == std::min(A.rows(), A.cols()));
    BOOST_TEST(distance(svd.U * svd.values.asDiagonal() * svd.V.transpose(), A) <= rounding);
    BOOST_TEST(orthonormal(svd.U));
    BOOST_TEST(orthonormal(svd.V));
    BOOST_TEST(distance(svd.values, singular_values(A)) <= rounding);
  });
}

BOOST_AUTO_TEST_CASE(the_spectral_norm_is_the_largest_singular_value) {
  on_every_shape([](const MatrixXd& A) {
    const VectorXd values = singular_values(A);
    BOOST_TEST(std::abs(spectral_norm(A) - (values.size() == 0 ? 0 : values[0])) <= rounding);
  });
}

BOOST_AUTO_TEST_CASE(the_spectral_norm_neither_overflows_nor_vanishes) {
  const MatrixXd A = random_matrix(3, 5, 1);
  BOOST_TEST(std::abs(spectral_norm(1e200 * A) / spectral_norm(A) - 1e200) <= 1e188);
  BOOST_TEST(spectral_norm(1e-200 * A) > 0);
  BOOST_TEST(std::isnan(spectral_norm(std::nan("") * A)));
}

BOOST_AUTO_TEST_CASE(eigenvectors_and_eigenvalues_give_a_symmetric_matrix_back) {
  for (const Eigen::Index size : {0, 1, 6}) {
    const MatrixXd half = random_matrix(size, size, 3);
    const MatrixXd A = half + half.transpose();
    const SymmetricEigen eigen = symmetric_eigen(A);
    BOOST_TEST(distance(eigen.vectors * eigen.values.asDiagonal() * eigen.vectors.transpose(), A) <= rounding);
    BOOST_TEST(distance(eigen.values, symmetric_eigenvalues(A)) <= rounding);
    BOOST_TEST(std::is_sorted(eigen.values.begin(), eigen.values.end()));
  }
}

BOOST_AUTO_TEST_CASE(orthonormal_columns_times_a_triangle_give_the_matrix_back) {
  on_every_shape([](const MatrixXd& A) {
    const ThinQr qr = thin_qr(A);
    BOOST_TEST(orthonormal(qr.Q));
    BOOST_TEST(distance(qr.Q * qr.R, A) <= rounding);
  });
}

BOOST_AUTO_TEST_CASE(a_frame_is_orthogonal_and_begins_with_its_vector) {
  const VectorXd first = random_matrix(5, 1, 9);
  const MatrixXd frame = frame_with(first);
  BOOST_TEST(orthonormal(frame));
  BOOST_TEST(std::abs(std::abs(frame.col(0).dot(first)) - first.norm()) <= rounding);
}

BOOST_AUTO_TEST_CASE(the_span_of_dependent_columns_has_their_rank_alone) {
  MatrixXd A = random_matrix(6, 4, 11);
  A.col(3) = A.col(0) - 2 * A.col(1);
  const MatrixXd span = column_span(A, 1e-6);
  BOOST_TEST(span.cols() == 3);
  BOOST_TEST(orthonormal(span));
  BOOST_TEST(distance(span * (span.transpose() * A), A) <= rounding);
  BOOST_TEST(column_span(MatrixXd(4, 0), 1e-6).cols() == 0);
}

BOOST_AUTO_TEST_CASE(the_least_of_many_solutions_lies_in_the_span_of_the_rows) {
  const MatrixXd A = random_matrix(2, 5, 13);
  const VectorXd b = random_matrix(2, 1, 14);
  const VectorXd x = least_squares(A, b);
  BOOST_TEST(distance(A * x, b) <= rounding);
  const MatrixXd span = thin_qr(A.transpose()).Q;
  BOOST_TEST(distance(span * (span.transpose() * x), x) <= rounding);
  BOOST_TEST(least_squares(MatrixXd(0, 3), VectorXd(0)).isZero(0));
}

BOOST_AUTO_TEST_CASE(a_positive_definite_system_is_solved) {
  const MatrixXd half = random_matrix(4, 4, 15);
  const MatrixXd A = half * half.transpose() + MatrixXd::Identity(4, 4);
  const VectorXd b = random_matrix(4, 1, 16);
  const auto x = solve_positive_definite(A, b);
  BOOST_REQUIRE(x.has_value());
  BOOST_TEST(distance(A * *x, b) <= rounding);
}

BOOST_AUTO_TEST_CASE(an_indefinite_symmetric_system_is_solved_by_its_own_factors) {
  const MatrixXd half = random_matrix(4, 4, 17);
  const MatrixXd A = half + half.transpose();
  const VectorXd b = random_matrix(4, 1, 18);
  BOOST_TEST(distance(A * solve_symmetric(A, b), b) <= 1e-10);
}

BOOST_AUTO_TEST_CASE(an_indefinite_system_has_no_positive_definite_factors) {
  BOOST_TEST(!solve_positive_definite(-MatrixXd::Identity(3, 3), VectorXd::Ones(3)).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
