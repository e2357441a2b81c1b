#pragma once

#include "attest/report/results.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace attest {

/// A figure of a report as a file of its own.
struct FigureFile {
  std::string name;  ///< CASE-FIGURE.svg, or CASE-NN-CLAIM-FIGURE.svg of the NN-th claim
  std::string svg;
};

/// Every figure of the results.
std::vector<FigureFile> figure_files(const Json& results);

/// Writes figures to the folder, each whole or not at all. What went wrong, or nothing.
std::optional<std::string> write_figures(const std::vector<FigureFile>& figures, const std::filesystem::path& folder);

}  // namespace attest
