#pragma once

#include <optional>
#include <string_view>

namespace attest {

/// What is known of a claim.
enum class Verdict {
  holds,         ///< true on this data
  fails,         ///< false on this data
  undecided,     ///< neither shown; the reason is in the message
  inapplicable,  ///< a hypothesis of the claim's theorem does not hold
};

/// How it is known. Only exact or interval arithmetic earns `proved`.
enum class Grade { observed, proved };

std::string_view name_of(Verdict verdict);
std::string_view name_of(Grade grade);
std::optional<Verdict> parse_verdict(std::string_view text);
std::optional<Grade> parse_grade(std::string_view text);

}  // namespace attest
