#pragma once

#include "attest/audit/advice.hpp"
#include "attest/audit/plan.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attest {

/// A short name for a selection: α* has the largest scores, α1, α2, … are the others, where most starts go first.
struct NamedSelection {
  std::string name;
  Selection selection;
};

/// Where a share of the starts of one norm goes.
struct DestinationShare {
  std::optional<Selection> selection;  ///< none: undecided
  std::string name;                    ///< of the selection; "undecided"
  double radius;                       ///< 0: one start, the origin
  std::size_t starts;                  ///< of that norm, in all
  double share;                        ///< from 0 to 1
  Grade grade;
};

/// How far one must train to see where it goes.
struct Expectation {
  std::string name;  ///< of the selection that is meant
  std::vector<ExpectedError> errors;
  std::optional<ProvedRate> rate;
};

/// What an audit says first.
struct Headline {
  std::string sentence;
  std::vector<NamedSelection> names;
  std::vector<DestinationShare> destinations;
  std::optional<Expectation> expected;  ///< on the way from 0, or to where most starts go
  std::optional<KeyChange> change;      ///< none where nothing fails that a change could mend
  std::string without_svm;              ///< where no p prefers the tokens of α*: what happens then; empty elsewhere

  /// The short name; the selection itself where it has none.
  std::string name_of(const Selection& selection) const;
  /// The text with the names of selections in place of these.
  std::string with_names(std::string text) const;
};

/// From what became of an audit's claims. `best` is the selection of the largest scores, with v.
Headline headline_of(const std::optional<Selection>& best, std::span<const DecidedClaim> decided,
                     std::span<const AuditedSelection> selections);

}  // namespace attest
