#pragma once

#include "attest/claims/finding.hpp"
#include "attest/exact/descent_limit.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attest {

/// "cone"
std::string_view name_of(LimitBy by);

/// The limit of descent from one start, proved or open. In exact arithmetic: the run that the claim writes down, not the one in doubles.
class LimitProof {
 public:
  /// Looked for at the selection that the run in doubles ends at.
  LimitProof(Selection selection, std::shared_ptr<const LimitOutcome> outcome)
      : selection_(std::move(selection)), outcome_(std::move(outcome)) {}

  const Selection& selection() const { return selection_; }
  const ProvedLimit* proved() const { return std::get_if<ProvedLimit>(outcome_.get()); }
  bool proves(const Selection& selection) const { return proved() != nullptr && selection_ == selection; }
  bool proves_another_than(const Selection& selection) const { return proved() != nullptr && selection_ != selection; }
  std::optional<Certificate> certificate() const { return proved() ? std::optional(proved()->certificate) : std::nullopt; }
  /// Why it is open; empty when it is not.
  std::string obstacle() const;

 private:
  Selection selection_;
  std::shared_ptr<const LimitOutcome> outcome_;
};

/// What a proof, or several together, say of the run: by the one that says least, from the last of their iterates on, with the largest of
/// their constants.
struct LimitBound {
  LimitBy by;
  std::size_t from_iterate;
  std::optional<Rational> rate_constant;  ///< the direction error is at most this over the norm

  /// "p/|p| -> p^mm/|p^mm|, error at most 3.7/|p| from iterate 45 on"
  std::string text(Parametrisation parametrisation) const;
};
LimitBound bound_of(const ProvedLimit& proved);
/// Of proofs that are not empty; none while one is open.
std::optional<LimitBound> bound_of_all(const std::vector<LimitProof>& proofs);

/// A bound to three digits, not below the value: one that is rounded down is none.
std::string bound_text(double value);

/// How a limit is proved, among numbers: null where it is not.
void write_bound(const std::optional<LimitBound>& bound, Fields& out);

/// The certificates of a finding's runs.
std::vector<std::optional<Certificate>> certificates_of(const std::vector<LimitProof>& proofs);

}  // namespace attest
