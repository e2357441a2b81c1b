#pragma once

#include "attest/report/figure_files.hpp"
#include "attest/report/results.hpp"

#include <string>
#include <vector>

namespace attest {

/// A row a data set; a claim's columns begin with its label.
std::string sweep_csv(const std::vector<Json>& rows);

/// What a sweep came to (docs/sweeps.md) as one page: of each claim the share of data sets where it holds, where it applies if it is a
/// theorem, and the numbers that sweeps are made for (locally optimal selections, starts that go to the largest scores), as phase diagrams
/// over the two axes of the grid that vary most, or as curves over the only one; and curves of the means of its numbers.
std::string sweep_page(const Json& summary);
/// The same diagrams as files: SWEEP-CLAIM-WHAT.svg.
std::vector<FigureFile> sweep_figure_files(const Json& summary);

/// The same as a table for a terminal.
std::string sweep_table(const Json& summary);

}  // namespace attest
