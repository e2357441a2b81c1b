#pragma once

#include "attest/report/results.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Why two results differ, or a result and what was expected of it; in the order in which they are told.
enum class Cause {
  data,
  case_added,
  case_removed,
  claim_added,
  claim_removed,
  ended_early,
  verdict,
  grade,
  expectation,
  hypothesis,
  selection,
  census,
  numbers
};

/// What a group of differences is called: "Verdicts".
std::string_view title_of(Cause cause);

struct Difference {
  Cause cause;
  std::string one;     ///< the case
  std::string claim;   ///< with its settings and its selection; empty where it is about the whole case
  std::string before;  ///< what it was, or was expected to be
  std::string after;   ///< what was found
  std::string why;     ///< the claim's message, where a verdict or a grade differs
};

/// How the two sides of a difference are called.
struct Sides {
  std::string_view before;
  std::string_view after;
};
inline constexpr Sides old_and_new{"was", "now"};
inline constexpr Sides expected_and_found{"expected", "found"};

/// What changed between two results, grouped by cause. Cases are matched by their names, claims by their labels and the selection that is
/// asked about. Numbers count as changed beyond `result_tolerance`; what is only drawn, and the seconds, do not count.
std::vector<Difference> differences(const Json& before, const Json& now);

/// The claims and cases of one run that are not as expected, grouped by cause.
std::vector<Difference> unmet_expectations(const Json& results);

/// A table a cause, for pull requests; nothing for no differences.
std::string markdown_tables(const std::vector<Difference>& list, const Sides& sides);

}  // namespace attest
