#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace attest {

// Figures of a claim's numbers, by the names of the numbers and not by claim; empty when there is nothing to show.

/// All of them, in one group.
std::string plots_of(const nlohmann::ordered_json& numbers);

/// Direction errors over norms (traces) and radii (points), log-log, with the fitted slope.
std::string error_plots(const nlohmann::ordered_json& numbers);
/// log(L − L*) over iterations or radii.
std::string loss_plots(const nlohmann::ordered_json& numbers);
/// Where runs went, in a plane, with the directions of the SVMs that they ended at.
std::string trajectory_plot(const nlohmann::ordered_json& numbers);
/// A map of starts, coloured by the limit that is proved.
std::string basins_plot(const nlohmann::ordered_json& numbers);
/// Assumption B: what is proved of ν, what is excluded, and Γ.
std::string bracket_plot(const nlohmann::ordered_json& numbers);
/// Singular values.
std::string spectrum_plot(const nlohmann::ordered_json& numbers);
/// A table of correlations between exponents q.
std::string correlation_plot(const nlohmann::ordered_json& numbers);
/// Small data: the tokens of a case in the two coordinates in which they spread most.
std::string token_plot(const nlohmann::ordered_json& data);
/// Attention of each sample along a run; `support` lists the tight rows [sample, token] of the selection.
std::string attention_plot(const nlohmann::ordered_json& run, const nlohmann::ordered_json& support);

}  // namespace attest
