#pragma once

#include "envelope_rows.hpp"

namespace attest {

/// The limit of p_R - R w/|w| where the rows of S are independent and no other row is tight, and the 1/R form of the envelope that
/// comes with it. [docs/theory.md, Theorem Q]
class PathRate {
 public:
  /// None where the theorem does not apply: S is not seen to be independent, another row is tight, or the loss has no enclosure.
  static std::optional<PathRate> make(const EnvelopeRows& rows);

  /// Q with |p_R/R - w/|w|| <= Q/R for every minimiser and every R >= radius; none where it does not close.
  std::optional<Rational> constant(const Rational& radius) const;
  /// omega as weights of rows: a good shift at large radii.
  RowWeights shift() const;

 private:
  explicit PathRate(const EnvelopeRows& rows) : rows_(&rows) {}
  bool solve();

  const EnvelopeRows* rows_;
  std::vector<Ball> steepness_;  // b_i = -l'(gamma_i,alpha_i), of samples with two tokens
  Ball least_steepness_;
  Ball psi_;
  std::vector<Ball> weights_;  // omega = sum weights_c a_c over S
  std::vector<Ball> omega_;    // a_c.omega of all rows
  Ball square_;                // |omega|^2
};

}  // namespace attest
