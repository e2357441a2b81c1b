#include "row_balls.hpp"

namespace attest {
namespace {

/// factor a / s, component by component, onto the numbers from `first` on.
void add_multiple_at(std::vector<Ball>& to, std::size_t first, const Ball& factor, const FractionVector& vector) {
  const Ball scaled = factor / Ball(Rational(vector.denominator));
  for (std::size_t k = 0; k < vector.numerators.size(); ++k)
    if (!vector.numerators[k].is_zero()) to[first + k] = to[first + k] + scaled * Ball(Rational(vector.numerators[k]));
}

/// What the rows of the k-th sample are multiplied with: p, or W z_k = sum_j q_j (z_j.z_k).
std::vector<Ball> facing(const SvmProgram& program, const std::vector<Ball>& point, std::size_t k) {
  if (program.kind() != SvmProgram::Kind::w) return point;
  const std::size_t d = program.dimension();
  std::vector<Ball> image(d);
  for (std::size_t j = 0; j < program.samples().size(); ++j) {
    const Ball along(Rational(program.query_product(j, k), program.query(j).denominator * program.query(k).denominator));
    for (std::size_t r = 0; r < d; ++r) image[r] = image[r] + along * point[j * d + r];
  }
  return image;
}

}  // namespace

Ball product(const FractionVector& vector, const std::vector<Ball>& point) {
  Ball sum;
  fmpz_t numerator;
  fmpz_init(numerator);
  for (std::size_t k = 0; k < point.size(); ++k) {
    fmpz_set_mpz(numerator, vector.numerators[k].data());
    arb_addmul_fmpz(sum.get(), point[k].get(), numerator, Ball::precision);
  }
  fmpz_clear(numerator);
  return sum / Ball(Rational(vector.denominator));
}

std::vector<Ball> combine(const SvmProgram& program, const std::vector<Multiplier>& coefficients) {
  std::vector<Ball> point(program.point_size());
  for (const auto& [row, weight] : coefficients) {
    const std::size_t first = program.kind() == SvmProgram::Kind::w ? program.sample_position(row) * program.dimension() : 0;
    add_multiple_at(point, first, Ball(weight), program.row(row));
  }
  return point;
}

std::vector<Ball> row_products(const SvmProgram& program, const std::vector<Ball>& point) {
  std::vector<Ball> products;
  for (std::size_t k = 0; k < program.samples().size(); ++k) {
    const std::vector<Ball> image = facing(program, point, k);
    for (std::size_t row = program.first_row(k); row < program.first_row(k + 1); ++row)
      products.push_back(product(program.row(row), image));
  }
  return products;
}

}  // namespace attest
