#include "point_image.hpp"

#include "fraction_vector.hpp"

namespace attest {
namespace {

FractionVector pulled_back(const ExactMatrix& W, const FractionVector& w) {
  std::vector<Rational> u(w.numerators.size(), 0);
  for (std::size_t a = 0; a < u.size(); ++a)
    for (std::size_t b = 0; b < u.size(); ++b) u[b] += W.at(a, b) * Rational(w.numerators[a], w.denominator);
  return over_one_denominator(u);
}

/// sum_j q_j (z_j.z_k)
FractionVector query_image(const SvmProgram& program, const FractionVector& point, const Integer& common, std::size_t k) {
  const std::size_t d = program.dimension();
  FractionVector u;
  u.denominator = point.denominator * common * program.query(k).denominator;
  u.numerators.assign(d, 0);
  for (std::size_t j = 0; j < program.samples().size(); ++j) {
    const Integer factor = program.query_product(j, k) * (common / program.query(j).denominator);
    for (std::size_t c = 0; c < d; ++c)
      mpz_addmul(u.numerators[c].backend().data(), factor.backend().data(), point.numerators[j * d + c].backend().data());
  }
  return u;
}

}  // namespace

PointImage::PointImage(const SvmProgram& program, const FractionVector& point) {
  const auto& W = program.problem().W;
  if (program.kind() != SvmProgram::Kind::w) {
    images_.push_back(program.kind() == SvmProgram::Kind::v || !W ? point : pulled_back(*W, point));
    return;
  }
  Integer common = 1;
  for (std::size_t k = 0; k < program.samples().size(); ++k) common = lcm(common, program.query(k).denominator);
  for (std::size_t k = 0; k < program.samples().size(); ++k) images_.push_back(query_image(program, point, common, k));
}

}  // namespace attest
