#pragma once

#include "attest/exact/path_envelope.hpp"
#include "envelope_parts.hpp"
#include "row_space.hpp"

namespace attest {

/// The rows of an SVM with what theorems P, Q and C ask of them.
class EnvelopeRows {
 public:
  explicit EnvelopeRows(const EnvelopeFacts& facts);

  std::size_t size() const { return theta.size(); }
  std::size_t row_of(const RowName& name) const;

  /// omega of a shift: rational weights of rows, less their part along w. [docs/certificate.md, 4.24]
  struct Shift {
    certified::Coefficients coefficients;
    std::vector<Ball> rows;  ///< omega_c = a_c.omega
    Rational square;         ///< |omega|^2
  };
  Shift shift(const RowWeights& weights) const;

  /// What stands off the ray at radius R0 for an omega: rho, R0 - rho and e_c(R0), upper bounds. |omega| < R0.
  struct Competitor {
    Ball rho;
    std::vector<Ball> e;
  };
  Competitor competitor(const Rational& radius, const std::vector<Ball>& rows, const Ball& square) const;

  const EnvelopeFacts& facts;
  RowSpace space;
  std::vector<std::size_t> sample;  ///< of a row
  std::vector<Rational> theta;      ///< a_c.w >= 1
  std::vector<Rational> gap;        ///< Delta_c
  std::vector<std::size_t> listed;  ///< S: rows with a multiplier
  std::vector<bool> is_listed;      ///< of a row
  std::vector<Rational> part;       ///< lambda_c / sum lambda, of `listed`
  Rational norm_squared;            ///< N = |w|^2
  Ball margin;                      ///< Theta = 1/|w|
};

}  // namespace attest
