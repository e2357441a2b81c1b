#pragma once

#include "attest/certificate/certified.hpp"
#include "attest/exact/svm.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace attest {

/// A head phi(v.x) on the tokens of a selection: u_it = v.x_it. [docs/theory.md, Nonlinear head]
struct HeadOnTokens {
  HeadOnTokens(const Problem& problem, const Expression& head, Selection selection);

  const Expression* head;
  Selection selection;
  std::vector<int> labels;
  std::vector<std::vector<Rational>> arguments;  ///< u_it

  /// |u_it - u_i,alpha_i|
  Rational distance(std::size_t sample, std::size_t token) const {
    return abs(arguments[sample][token] - arguments[sample][selection[sample]]);
  }
  Rational farthest(std::size_t sample) const;
};

/// Why no bounds were found.
struct HeadUndecided {
  std::string reason;
};

/// Proved for every attention s: c_lo |u - u_a| <= Y (phi(u_a) - phi(u)) <= c_hi |u - u_a| with c_lo > 0 and u = sum s_t u_t, so that the
/// loss of the attention that leaves the selected token is bounded on both sides. With `reach` below 1 for |u - u_a| <= reach max |u_t -
/// u_a| alone.
std::variant<certified::HeadSlopes, HeadUndecided> bound_head(const HeadOnTokens& head, const Rational& reach = 1);

/// An interval that holds Y_i phi(u) for all attention, enclosed on the cells of the bounds. Nothing where phi has no jet.
std::optional<RationalInterval> head_range(const HeadOnTokens& head, const certified::HeadSlopes& slopes);

/// What an envelope rests on, all proved before.
struct HeadEnvelopeFacts {
  const HeadOnTokens* head;
  const Loss* loss;
  const SvmProgram* program;  ///< the p-SVM of the selection
  const SvmSolution* solution;
  const certified::HeadSlopes* slopes;
  const certified::LossBlock* block;  ///< Assumption A on the range of the head
};

/// Theorem P for a head: for every R >= radius the minimisers p of L over |p| <= R have |p/R - p^mm/|p^mm||^2 <= square/R. `shift` is any
/// combination of rows. Nothing where it does not close at this radius.
std::optional<certified::HeadEnvelope::Entry> prove_head_envelope(const HeadEnvelopeFacts& facts, const Rational& radius,
                                                                  const std::vector<Multiplier>& shift);

}  // namespace attest
