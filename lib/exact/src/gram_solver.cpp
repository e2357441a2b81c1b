#include "gram_solver.hpp"

#include "lifting_solver.hpp"

#include <flint/fmpz_mat.h>
#include <flint/nmod_mat.h>

#include <stdexcept>

namespace attest {
namespace {

/// RAII around FLINT's matrix of integers.
class IntegerMatrix {
 public:
  IntegerMatrix(std::size_t rows, std::size_t columns) {
    fmpz_mat_init(matrix_, static_cast<slong>(rows), static_cast<slong>(columns));
  }
  IntegerMatrix(const IntegerMatrix&) = delete;
  IntegerMatrix& operator=(const IntegerMatrix&) = delete;
  ~IntegerMatrix() { fmpz_mat_clear(matrix_); }

  void set(std::size_t r, std::size_t c, const Integer& value) {
    fmpz_set_mpz(fmpz_mat_entry(matrix_, static_cast<slong>(r), static_cast<slong>(c)), value.backend().data());
  }
  Integer get(std::size_t r, std::size_t c) const {
    Integer value;
    fmpz_get_mpz(value.backend().data(), fmpz_mat_entry(matrix_, static_cast<slong>(r), static_cast<slong>(c)));
    return value;
  }
  fmpz_mat_struct* get() { return matrix_; }

 private:
  fmpz_mat_t matrix_;
};

/// The rows' integers as the columns of a matrix.
void fill_columns(IntegerMatrix& matrix, const std::vector<FractionVector>& rows) {
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (std::size_t c = 0; c < rows[k].numerators.size(); ++c) matrix.set(c, k, rows[k].numerators[c]);
}

}  // namespace

Integer dot(const std::vector<Integer>& a, const std::vector<Integer>& b) {
  Integer sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) mpz_addmul(sum.backend().data(), a[c].backend().data(), b[c].backend().data());
  return sum;
}

void ActiveRows::add(FractionVector row) {
  std::vector<Integer> products;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    products.push_back(dot(rows_[k].numerators, row.numerators));
    gram_[k].push_back(products.back());
  }
  products.push_back(dot(row.numerators, row.numerators));
  gram_.push_back(std::move(products));
  rows_.push_back(std::move(row));
}

void ActiveRows::drop(std::size_t k) {
  const auto at = static_cast<std::ptrdiff_t>(k);
  rows_.erase(rows_.begin() + at);
  gram_.erase(gram_.begin() + at);
  for (auto& line : gram_) line.erase(line.begin() + at);
}

std::vector<Rational> ActiveRows::solve(const std::vector<Rational>& right) const {
  if (rows_.empty()) return {};
  // With a_k = n_k / s_k: (n_j.n_k) mu_k = s_j b_j and lambda_k = s_k mu_k.
  Integer common = 1;
  for (const Rational& entry : right) common = lcm(common, denominator(entry));
  std::vector<Integer> bounds;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    bounds.push_back(numerator(right[k]) * (common / denominator(right[k])) * rows_[k].denominator);
  const std::optional<FractionVector> mu = solve_by_lifting(gram_, bounds);
  if (!mu) throw std::logic_error("ActiveRows::solve: the rows are dependent");
  const Integer below = mu->denominator * common;
  std::vector<Rational> lambda;
  for (std::size_t k = 0; k < rows_.size(); ++k) lambda.emplace_back(Integer(mu->numerators[k] * rows_[k].denominator), below);
  return lambda;
}

std::vector<Rational> ActiveRows::products(const FractionVector& row) const {
  std::vector<Rational> result;
  for (const FractionVector& own : rows_)
    result.emplace_back(dot(own.numerators, row.numerators), Integer(own.denominator * row.denominator));
  return result;
}

std::vector<Rational> ActiveRows::combine(const std::vector<Rational>& weights) const {
  // Over one common denominator: the sums are then sums of integers.
  Integer common = 1;
  std::vector<Rational> scaled(weights.size());
  for (std::size_t k = 0; k < weights.size(); ++k) {
    scaled[k] = weights[k] / rows_[k].denominator;
    common = lcm(common, denominator(scaled[k]));
  }
  std::vector<Integer> sums(dimension_, 0);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const Integer factor = numerator(scaled[k]) * (common / denominator(scaled[k]));
    for (std::size_t c = 0; c < dimension_; ++c)
      mpz_addmul(sums[c].backend().data(), factor.backend().data(), rows_[k].numerators[c].backend().data());
  }
  std::vector<Rational> result;
  for (const Integer& sum : sums) result.emplace_back(sum, common);
  return result;
}

std::vector<std::size_t> independent_rows(const std::vector<FractionVector>& rows, std::size_t dimension) {
  if (rows.empty()) return {};
  IntegerMatrix columns(dimension, rows.size());
  fill_columns(columns, rows);
  constexpr ulong prime = 2305843009213693951ULL;  // 2^61 - 1
  nmod_mat_t reduced;
  nmod_mat_init(reduced, static_cast<slong>(dimension), static_cast<slong>(rows.size()), prime);
  fmpz_mat_get_nmod_mat(reduced, columns.get());
  const slong rank = nmod_mat_rref(reduced);
  std::vector<std::size_t> kept;  // the pivot columns
  slong pivot = 0;
  for (slong c = 0; c < static_cast<slong>(rows.size()) && pivot < rank; ++c) {
    if (nmod_mat_entry(reduced, pivot, c) == 0) continue;
    kept.push_back(static_cast<std::size_t>(c));
    ++pivot;
  }
  nmod_mat_clear(reduced);
  return kept;
}

std::vector<Rational> only_dependency(const std::vector<FractionVector>& rows, std::size_t dimension) {
  IntegerMatrix columns(dimension, rows.size());
  fill_columns(columns, rows);
  IntegerMatrix null_space(rows.size(), rows.size());
  if (fmpz_mat_nullspace(null_space.get(), columns.get()) != 1) return {};
  std::vector<Rational> weights;
  for (std::size_t k = 0; k < rows.size(); ++k) weights.emplace_back(Rational(null_space.get(k, 0)) * rows[k].denominator);
  return weights;
}

}  // namespace attest
