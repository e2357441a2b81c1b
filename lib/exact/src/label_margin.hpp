#pragma once

#include "attest/exact/svm.hpp"
#include "linear_program.hpp"
#include "margin_bound.hpp"

#include <variant>
#include <vector>

namespace attest {

/// The label margin Gamma of a selection and what docs/theory.md, section 4, derives from v(alpha), exactly.
class LabelMargin {
 public:
  LabelMargin(const ExactTokens& tokens, Selection selection, SvmSolution v);

  const ExactTokens& tokens() const { return *tokens_; }
  const Problem& problem() const { return tokens_->problem(); }
  const Selection& selection() const { return selection_; }
  const SvmSolution& v() const { return v_; }
  std::size_t sample_count() const { return in_support_.size(); }

  bool in_support(std::size_t sample) const { return in_support_[sample]; }
  bool moves(std::size_t sample) const { return problem().token_count(sample) > 1; }
  const Rational& gamma_squared() const { return gamma_squared_; }
  const Rational& gamma_below() const { return gamma_below_; }  ///< a rational lower bound, close to 2^-90
  Rational gamma_above() const { return gamma_squared_ / gamma_below_; }

  /// v.z_it; 1 for the selected token of a support vector. gammabar_it is Gamma times this.
  const Rational& score(std::size_t sample, std::size_t token) const { return scores_[sample][token]; }
  /// What moving the attention of sample i to token t costs, relative to Gamma: 1 - v.z_it for i in S.
  Rational cost(std::size_t sample, std::size_t token) const { return 1 - scores_[sample][token]; }

  /// z_it times denominator().
  const std::vector<Integer>& z(std::size_t sample, std::size_t token) const { return z_[sample][token]; }
  const Integer& denominator() const { return denominator_; }

  /// The multipliers of v(alpha) made to sum to 1: a point of Lambda.
  std::vector<Rational> some_weights() const;
  /// The point of Lambda with the largest lambda_j.
  std::vector<Rational> top_weights(std::size_t sample) const;
  /// The proof that no point has a larger one: y.z_i,alpha_i >= [i = j] for i in S, and Gamma^2 y.v = lambda_j.
  std::vector<Rational> top_proof(std::size_t sample) const;

 private:
  LinearOptimum largest_weight(std::size_t sample) const;

  const ExactTokens* tokens_;
  Selection selection_;
  SvmSolution v_;
  std::vector<bool> in_support_;
  bool one_dual_ = false;  // Lambda is a single point
  Rational gamma_squared_;
  Rational gamma_below_;
  std::vector<std::vector<Rational>> scores_;
  std::vector<std::vector<std::vector<Integer>>> z_;
  Integer denominator_ = 1;
};

using LabelMarginOutcome = std::variant<LabelMargin, SvmInfeasible, SvmUndecided>;
LabelMarginOutcome label_margin(const ExactTokens& tokens, const Selection& selection, const Budget& budget);

/// A rational within 2^-90, relatively, below the root of a positive rational.
Rational root_below(const Rational& square);

}  // namespace attest
