#include "shrinkage.hpp"

#include "attest/solve/dense.hpp"
#include "random_matrix.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace attest;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

BOOST_AUTO_TEST_SUITE(shrinkage)

MatrixXd matrix_of(const Shrinkage& P) { return P.left() * P.values().asDiagonal() * P.right().transpose(); }

BOOST_AUTO_TEST_CASE(it_takes_sigma_off_every_singular_value_as_far_as_0) {
  for (const double sigma : {0.1, 0.8, 1.5}) {
    const MatrixXd Y = random_matrix(7, 4, 3);
    const ThinSvd factors = thin_svd(Y);
    const MatrixXd expected = factors.U * (factors.values.array() - sigma).max(0).matrix().asDiagonal() * factors.V.transpose();
    BOOST_TEST((matrix_of(Shrinkage(Y, sigma)) - expected).norm() <= 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_left_of_a_matrix_below_sigma) { BOOST_TEST(Shrinkage(random_matrix(5, 3, 1), 100).rank() == 0); }

/// Against central differences, of a square and of a tall matrix, and of one whose small singular values are 0.
BOOST_AUTO_TEST_CASE(its_derivative_is_that_of_differences) {
  const auto agrees = [](const MatrixXd& Y, double sigma) {
    const Index n = 3;
    const MatrixXd sums = random_matrix(Y.rows(), n, 8);
    const MatrixXd queries = random_matrix(Y.cols(), n, 9);
    const MatrixXd H = sums * queries.transpose();
    const double h = 1e-6;
    const MatrixXd slope = (matrix_of(Shrinkage(Y + h * H, sigma)) - matrix_of(Shrinkage(Y - h * H, sigma))) / (2 * h);
    const Shrinkage P(Y, sigma);
    BOOST_TEST(P.rank() > 0);
    BOOST_TEST((P.derivative_images(sums, P.turn() * queries) - slope * queries).norm() <= 1e-7 * slope.norm());
  };
  agrees(random_matrix(5, 5, 4), 0.7);
  agrees(random_matrix(9, 4, 5), 0.9);
  agrees(random_matrix(6, 2, 6) * random_matrix(2, 5, 7), 0.3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
