#include "attest/graph/casadi/svm_graph.hpp"

#include "attest/graph/casadi/eigen.hpp"
#include "attest/graph/numeric_problem.hpp"
#include "attest/model/token_rows.hpp"

#include <limits>

namespace attest {
namespace {

/// (1/e) sum |x|^e, e >= 2.
casadi::MX power_sum(const casadi::MX& x, double e) { return sum1(pow(fabs(x), e)) / e; }

Eigen::VectorXd no_bound(Eigen::Index size) { return Eigen::VectorXd::Constant(size, std::numeric_limits<double>::infinity()); }

/// The nearest doubles of a row. The difference of doubles is rounded to the nearest one as it is.
Eigen::VectorXd row_image(const SvmProgram& program, std::size_t row) {
  const auto [i, t] = program.name(row);
  const ExactMatrix& tokens = program.problem().tokens[i];
  if (program.kind() != SvmProgram::Kind::v && !has_key_weights(program) && tokens.image_is_exact())
    return image_vector(tokens, program.selection()[i]) - image_vector(tokens, t);
  const FractionVector exact = program.row(row);
  Eigen::VectorXd image(static_cast<Eigen::Index>(exact.numerators.size()));
  for (std::size_t c = 0; c < exact.numerators.size(); ++c)
    image[static_cast<Eigen::Index>(c)] = nearest_double(Rational(exact.numerators[c], exact.denominator));
  return image;
}

}  // namespace

SvmImage svm_image(const SvmProgram& program) {
  const auto rows = static_cast<Eigen::Index>(program.row_count());
  SvmImage image{Eigen::MatrixXd(rows, static_cast<Eigen::Index>(program.dimension())), Eigen::VectorXd(rows)};
  for (Eigen::Index r = 0; r < rows; ++r) {
    image.rows.row(r) = row_image(program, static_cast<std::size_t>(r)).transpose();
    image.bounds[r] = program.bound(static_cast<std::size_t>(r));
  }
  return image;
}

SvmGraph svm_graph(const SvmProgram& program) {
  const SvmImage image = svm_image(program);
  SvmGraph graph;
  graph.x = casadi::MX::sym("w", image.rows.cols());
  graph.f = 0.5 * dot(graph.x, graph.x);
  graph.g = mtimes(casadi::MX(to_dm(image.rows)), graph.x);
  graph.lower = image.bounds;
  graph.upper = no_bound(image.rows.rows());
  return graph;
}

SvmGraph lq_svm_graph(const Eigen::MatrixXd& rows, double q) {
  SvmGraph graph;
  if (q >= 2) {
    graph.x = casadi::MX::sym("w", rows.cols());
    graph.f = power_sum(graph.x, q);
    graph.g = mtimes(casadi::MX(to_dm(rows)), graph.x);
    graph.lower = Eigen::VectorXd::Ones(rows.rows());
    graph.upper = no_bound(rows.rows());
    return graph;
  }
  const casadi::MX lambda = casadi::MX::sym("lambda", rows.rows());
  const casadi::MX y = casadi::MX::sym("y", rows.cols());
  graph.x = vertcat(lambda, y);
  graph.f = power_sum(y, q / (q - 1)) - sum1(lambda);
  graph.g = vertcat(lambda, mtimes(casadi::MX(to_dm(rows.transpose())), lambda) - y);
  graph.lower = Eigen::VectorXd::Zero(rows.rows() + rows.cols());
  graph.upper = graph.lower;
  graph.upper.head(rows.rows()) = no_bound(rows.rows());
  return graph;
}

}  // namespace attest
