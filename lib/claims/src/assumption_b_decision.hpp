#pragma once

#include "attest/claims/claim.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace attest {

/// Assumption B on the data, as the claim and the theorem that assumes it take it. [MM, Assumption B]
struct AssumptionBDecision : Decided {
  Selection selection;  ///< the one asked about, or the one with the largest label margin
  AttentionOver over = AttentionOver::all;
  /// Where no selection was given: whether it is proved that none has a larger label margin.
  std::optional<bool> largest_margin_proved = {};
  std::shared_ptr<const AssumptionBOutcome> outcome = {};
  /// Of an outcome that is undecided: the points that refute nothing, the best first.
  std::vector<std::vector<double>> points = {};
};
AssumptionBDecision decide_assumption_b(const ClaimContext& context, const Selection* given, AttentionOver over, const Progress& progress);

/// Points whose attention off the selection costs little margin; v is the solution of its v-SVM.
std::vector<std::vector<double>> slope_points(const ClaimContext& context, const Selection& selection, AttentionOver over,
                                              const SvmSolution& v);

/// What the message of a proof ends with when there was no time for a better one; else nothing.
std::string_view note_of_time(const Budget& budget);

}  // namespace attest
