#pragma once

#include "limit_clauses.hpp"

#include <vector>

namespace attest {

/// L(p) - L* against chi/n, in doubles and in balls. [docs/theory.md, Basin theorem]
class BasinClauses {
 public:
  BasinClauses(const SvmProgram& program, const Scores& scores);

  /// At y_c = a_c.p, one for each row.
  bool closes(const std::vector<double>& y) const;
  /// Clause 4 of 4.21.
  bool holds(const std::vector<PreciseBall>& y) const;

 private:
  struct Sample {
    Rational best;
    Rational worst;
    Rational second;
    std::vector<PreciseBall> gaps;  // Delta_c of its rows, which follow those of the samples before
    std::vector<double> images;     // of the gaps
  };
  /// G_i = gamma_i,alpha_i - f_i of each sample, whose `gaps` are numbers of this kind.
  template <class Number>
  std::vector<Number> mean_gaps(const std::vector<Number>& y, std::vector<Number> Sample::*gaps) const;

  const Loss& loss_;
  std::vector<Sample> samples_;  // those with rows
};

/// Clause 2 of 4.21.
bool step_within_curvature(const LimitFacts& facts, const DescentRule& rule);

}  // namespace attest
