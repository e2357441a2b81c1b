#pragma once

#include "attest/report/results.hpp"

#include <string>
#include <vector>

namespace attest {

/// A row a data set; a claim's columns begin with its label.
std::string sweep_csv(const std::vector<Json>& rows);

/// What a sweep came to (docs/sweeps.md) as one page: of each claim a phase diagram of the share of data sets where it holds, over the two
/// axes of the grid that vary most, or a curve with its intervals over one, and curves of the means of its numbers.
std::string sweep_page(const Json& summary);

/// The same as a table for a terminal.
std::string sweep_table(const Json& summary);

}  // namespace attest
