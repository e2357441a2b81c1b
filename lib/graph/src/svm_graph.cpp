#include "attest/graph/svm_graph.hpp"

namespace attest {

SvmImage svm_image(const SvmProgram& program) {
  const auto rows = static_cast<Eigen::Index>(program.row_count());
  SvmImage image{Eigen::MatrixXd(rows, static_cast<Eigen::Index>(program.dimension())), Eigen::VectorXd(rows)};
  for (Eigen::Index r = 0; r < rows; ++r) {
    const FractionVector row = program.row(static_cast<std::size_t>(r));
    for (std::size_t c = 0; c < row.numerators.size(); ++c)
      image.rows(r, static_cast<Eigen::Index>(c)) = nearest_double(Rational(row.numerators[c], row.denominator));
    image.bounds[r] = program.bound(static_cast<std::size_t>(r));
  }
  return image;
}

SvmGraph svm_graph(const SvmProgram& program) {
  const SvmImage image = svm_image(program);
  const casadi::DM A(casadi::Sparsity::dense(image.rows.rows(), image.rows.cols()),
                     std::vector<double>(image.rows.data(), image.rows.data() + image.rows.size()));
  SvmGraph graph;
  graph.x = casadi::MX::sym("w", image.rows.cols());
  graph.f = 0.5 * dot(graph.x, graph.x);
  graph.g = mtimes(casadi::MX(A), graph.x);
  graph.lower = image.bounds;
  return graph;
}

}  // namespace attest
