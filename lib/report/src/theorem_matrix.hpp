#pragma once

#include "attest/report/results.hpp"

#include <string>
#include <vector>

namespace attest {

/// The claims of one theorem: all hypotheses that occur, and where the claims stand.
struct TheoremTable {
  struct Row {
    std::size_t case_index;
    std::size_t claim_index;
    const Json* one;
    const Json* claim;

    /// The hypothesis of that name; nullptr when the theorem did not need it here.
    const Json* hypothesis(const std::string& name) const;
    /// What tells the row from others of its theorem and case: how the claim is set, and its selection.
    std::string what() const;
    /// Why the theorem does not apply or is not decided; empty when it applies.
    std::string reason() const;
  };
  std::string claim;
  std::vector<std::string> hypotheses;
  std::vector<Row> rows;
};

/// Every claim that has hypotheses, by theorem, in the order of the results.
std::vector<TheoremTable> theorem_tables(const Json& results);

/// As a section of the page; empty when there is none.
std::string theorem_matrix(const Json& results);

}  // namespace attest
