#pragma once

#include <string_view>

namespace attest {

/// What a claim says, for readers of a report.
struct Statement {
  std::string_view claim;
  std::string_view title;
  std::string_view words;   ///< one or two sentences
  std::string_view tex;     ///< in the part of TeX that formula.hpp reads
  std::string_view source;  ///< key of docs/notation.md
};

/// The statement of a claim; nullptr for a name that is not in the table.
const Statement* find_statement(std::string_view claim);

/// What a number of a claim is, in a few words; empty for one that is not in the table.
std::string_view meaning_of_number(std::string_view name);

}  // namespace attest
