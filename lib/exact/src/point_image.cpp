#include "point_image.hpp"

#include "attest/model/token_rows.hpp"

namespace attest {
namespace {

/// W^T w
FractionVector pulled_back(const std::vector<FractionVector>& W, const FractionVector& w) {
  Integer common = 1;
  for (const FractionVector& row : W) common = lcm(common, row.denominator);
  FractionVector u;
  u.denominator = w.denominator * common;
  u.numerators.assign(w.numerators.size(), 0);
  for (std::size_t a = 0; a < W.size(); ++a) {
    const Integer factor = w.numerators[a] * (common / W[a].denominator);
    for (std::size_t b = 0; b < u.numerators.size(); ++b) mpz_addmul(u.numerators[b].data(), factor.data(), W[a].numerators[b].data());
  }
  return u;
}

/// sum_j q_j (z_j.z_k)
FractionVector query_image(const SvmProgram& program, const FractionVector& point, const Integer& common, std::size_t k) {
  const std::size_t d = program.dimension();
  FractionVector u;
  u.denominator = point.denominator * common * program.query(k).denominator;
  u.numerators.assign(d, 0);
  for (std::size_t j = 0; j < program.samples().size(); ++j) {
    const Integer factor = program.query_product(j, k) * (common / program.query(j).denominator);
    for (std::size_t c = 0; c < d; ++c) mpz_addmul(u.numerators[c].data(), factor.data(), point.numerators[j * d + c].data());
  }
  return u;
}

}  // namespace

PointImage::PointImage(const SvmProgram& program, const FractionVector& point) {
  if (program.kind() != SvmProgram::Kind::w) {
    images_.push_back(has_key_weights(program) ? pulled_back(key_weights(program), point) : point);
    return;
  }
  Integer common = 1;
  for (std::size_t k = 0; k < program.samples().size(); ++k) common = lcm(common, program.query(k).denominator);
  for (std::size_t k = 0; k < program.samples().size(); ++k) images_.push_back(query_image(program, point, common, k));
}

}  // namespace attest
