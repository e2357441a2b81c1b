#include "gram_solver.hpp"

#include "lifting_solver.hpp"

#include <flint/fmpz_mat.h>
#include <flint/nmod_mat.h>

#include <algorithm>
#include <stdexcept>

namespace attest {
namespace {

constexpr ulong mersenne_prime = 2305843009213693951ULL;  // 2^61 - 1

/// RAII around FLINT's matrix over a prime field.
class ModularMatrix {
 public:
  ModularMatrix(std::size_t rows, std::size_t columns) {
    nmod_mat_init(matrix_, static_cast<slong>(rows), static_cast<slong>(columns), mersenne_prime);
  }
  ModularMatrix(const ModularMatrix&) = delete;
  ModularMatrix& operator=(const ModularMatrix&) = delete;
  ~ModularMatrix() { nmod_mat_clear(matrix_); }

  void set(std::size_t r, std::size_t c, const Integer& value) {
    nmod_mat_entry(matrix_, r, c) = mpz_fdiv_ui(value.data(), mersenne_prime);
  }

  /// The pivot columns of the reduced echelon form, to which the matrix is brought.
  std::vector<std::size_t> pivots() {
    const slong rank = nmod_mat_rref(matrix_);
    std::vector<std::size_t> columns;
    for (slong c = 0; c < nmod_mat_ncols(matrix_) && static_cast<slong>(columns.size()) < rank; ++c)
      if (nmod_mat_entry(matrix_, columns.size(), c) != 0) columns.push_back(static_cast<std::size_t>(c));
    return columns;
  }

 private:
  nmod_mat_t matrix_;
};

std::size_t rank_by_elimination(const std::vector<FractionVector>& vectors) {
  fmpz_mat_t matrix;
  fmpz_mat_init(matrix, static_cast<slong>(vectors.size()), static_cast<slong>(vectors.front().numerators.size()));
  for (std::size_t r = 0; r < vectors.size(); ++r)
    for (std::size_t c = 0; c < vectors[r].numerators.size(); ++c)
      fmpz_set_mpz(fmpz_mat_entry(matrix, static_cast<slong>(r), static_cast<slong>(c)), vectors[r].numerators[c].data());
  const auto rank = static_cast<std::size_t>(fmpz_mat_rank(matrix));
  fmpz_mat_clear(matrix);
  return rank;
}

}  // namespace

std::size_t exact_rank(const std::vector<FractionVector>& vectors) {
  if (vectors.empty()) return 0;
  const std::size_t dimension = vectors.front().numerators.size();
  ModularMatrix reduced(vectors.size(), dimension);
  for (std::size_t r = 0; r < vectors.size(); ++r)
    for (std::size_t c = 0; c < dimension; ++c) reduced.set(r, c, vectors[r].numerators[c]);
  const std::size_t least = reduced.pivots().size();  // a minor that is not 0 modulo a prime is not 0
  return least == std::min(vectors.size(), dimension) ? least : rank_by_elimination(vectors);
}

ActiveRows::Row ActiveRows::make(std::size_t row) const {
  Row result{program_.row(row), program_.sample_position(row), 1};
  result.denominator = result.vector.denominator;
  if (program_.kind() == SvmProgram::Kind::w) result.denominator *= program_.query(result.position).denominator;
  return result;
}

Integer ActiveRows::product(const Row& a, const Row& b) const {
  Integer value = dot(a.vector.numerators, b.vector.numerators);
  if (program_.kind() == SvmProgram::Kind::w) value *= program_.query_product(a.position, b.position);
  return value;
}

void ActiveRows::add(std::size_t row) {
  Row added = make(row);
  std::vector<Integer> products;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    products.push_back(product(rows_[k], added));
    gram_[k].push_back(products.back());
  }
  products.push_back(product(added, added));
  gram_.push_back(std::move(products));
  rows_.push_back(std::move(added));
}

void ActiveRows::drop(std::size_t k) {
  const auto at = static_cast<std::ptrdiff_t>(k);
  rows_.erase(rows_.begin() + at);
  gram_.erase(gram_.begin() + at);
  for (auto& line : gram_) line.erase(line.begin() + at);
}

std::vector<std::size_t> ActiveRows::independent() const {
  if (rows_.empty()) return {};
  ModularMatrix reduced(rows_.size(), rows_.size());
  for (std::size_t j = 0; j < rows_.size(); ++j)
    for (std::size_t k = 0; k < rows_.size(); ++k) reduced.set(j, k, gram_[j][k]);
  return reduced.pivots();
}

FractionVector ActiveRows::solve(const FractionVector& right) const {
  if (rows_.empty()) return {};
  // With a_k = n_k / s_k: (n_j.n_k) mu_k = s_j b_j and lambda_k = s_k mu_k.
  std::vector<Integer> bounds;
  for (std::size_t k = 0; k < rows_.size(); ++k) bounds.emplace_back(right.numerators[k] * rows_[k].denominator);
  std::optional<FractionVector> lambda = solve_by_lifting(gram_, bounds);
  if (!lambda) throw std::logic_error("ActiveRows::solve: the rows are dependent");
  for (std::size_t k = 0; k < rows_.size(); ++k) lambda->numerators[k] *= rows_[k].denominator;
  lambda->denominator *= right.denominator;
  return *std::move(lambda);
}

FractionVector ActiveRows::products(std::size_t row) const {
  const Row other = make(row);
  Integer common = 1;
  for (const Row& own : rows_) common = lcm(common, own.denominator);
  FractionVector result;
  result.denominator = common * other.denominator;
  for (const Row& own : rows_) result.numerators.emplace_back(product(own, other) * (common / own.denominator));
  return result;
}

FractionVector ActiveRows::combine(const FractionVector& weights) const {
  // Over one common denominator the sums are sums of integers.
  Integer common = 1;
  for (const Row& own : rows_) common = lcm(common, own.vector.denominator);
  FractionVector result;
  result.denominator = weights.denominator * common;
  result.numerators.assign(program_.point_size(), 0);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Integer factor = weights.numerators[k] * (common / rows_[k].vector.denominator);
    const std::vector<Integer>& vector = rows_[k].vector.numerators;
    const std::size_t first = program_.kind() == SvmProgram::Kind::w ? rows_[k].position * vector.size() : 0;
    for (std::size_t c = 0; c < vector.size(); ++c) mpz_addmul(result.numerators[first + c].data(), factor.data(), vector[c].data());
  }
  return result;
}

}  // namespace attest
