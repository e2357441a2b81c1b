#pragma once

#include "limit_rows.hpp"

#include <arb_mat.h>

namespace attest {

/// A matrix of balls; factorise() is a proof.
class BallMatrix {
 public:
  explicit BallMatrix(std::size_t size) : size_(static_cast<slong>(size)) {
    arb_mat_init(matrix_, size_, size_);
    arb_mat_init(factor_, size_, size_);
  }
  BallMatrix(const BallMatrix&) = delete;
  BallMatrix& operator=(const BallMatrix&) = delete;
  ~BallMatrix() {
    arb_mat_clear(matrix_);
    arb_mat_clear(factor_);
  }
  void set(std::size_t r, std::size_t c, const PreciseBall& value) {
    arb_set(arb_mat_entry(matrix_, static_cast<slong>(r), static_cast<slong>(c)), value.get());
  }
  /// Positive definite: every pivot of L D L^T is.
  bool factorise() { return arb_mat_ldl(factor_, matrix_, PreciseBall::clause_bits) != 0; }
  std::vector<PreciseBall> solve(const std::vector<PreciseBall>& right) const {
    arb_mat_t column;
    arb_mat_init(column, size_, 1);
    for (slong r = 0; r < size_; ++r) arb_set(arb_mat_entry(column, r, 0), right[static_cast<std::size_t>(r)].get());
    arb_mat_solve_ldl_precomp(column, factor_, column, PreciseBall::clause_bits);
    std::vector<PreciseBall> result(right.size());
    for (slong r = 0; r < size_; ++r) arb_set(result[static_cast<std::size_t>(r)].get(), arb_mat_entry(column, r, 0));
    arb_mat_clear(column);
    return result;
  }

 private:
  slong size_;
  arb_mat_t matrix_;
  arb_mat_t factor_;
};

/// The rows and the support in balls, as ConeFrame asks for them.
class BallSpace {
 public:
  using Number = PreciseBall;

  explicit BallSpace(const LimitRows& rows) : rows_(rows), gram_(rows.support_gram().size()) {
    for (std::size_t r = 0; r < rows.support_gram().size(); ++r)
      for (std::size_t c = 0; c < rows.support_gram().size(); ++c) gram_.set(r, c, rows.support_gram()[r][c]);
    independent_ = gram_.factorise();
  }
  const LimitFigures<PreciseBall>& figures() const { return *rows_.figures(); }
  std::vector<PreciseBall> solve(const std::vector<PreciseBall>& z) const {
    return independent_ ? gram_.solve(z) : std::vector<PreciseBall>();
  }
  std::vector<PreciseBall> products(const std::vector<PreciseBall>& zeta) const {
    return rows_.values_of(figures().support, zeta, PreciseBall::clause_bits);
  }

  /// M Lambda^-1 - G_S^perp is positive definite: clause 9 of 4.22.
  bool bounds_spectrum(const Rational& spectral) const {
    const auto& gram = rows_.support_gram();
    BallMatrix matrix(gram.size());
    const PreciseBall bound(spectral);
    const PreciseBall along = PreciseBall(Rational(1)) / figures().w_squared;
    for (std::size_t r = 0; r < gram.size(); ++r)
      for (std::size_t c = 0; c < gram.size(); ++c)
        matrix.set(r, c, (r == c ? bound / figures().lambda[r] : PreciseBall()) - (gram[r][c] - along));
    return matrix.factorise();
  }

 private:
  const LimitRows& rows_;
  BallMatrix gram_;
  bool independent_ = false;
};

}  // namespace attest
