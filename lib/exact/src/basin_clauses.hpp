#pragma once

#include "limit_clauses.hpp"

#include <vector>

namespace attest {

/// L(p) - L* against chi/n, in doubles and in balls. [docs/theory.md, Basin theorem]
class BasinClauses {
 public:
  explicit BasinClauses(const LimitRows& rows);

  bool closes(const LimitFigures<double>& of, const std::vector<double>& y) const;
  /// Clause 4 of 4.21.
  bool holds(const LimitFigures<PreciseBall>& of, const std::vector<PreciseBall>& y) const;

 private:
  struct Sample {
    Rational best;
    Rational worst;
    Rational second;
  };
  const Loss& loss_;
  std::vector<Sample> samples_;
};

}  // namespace attest
