#pragma once

#include "figure.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace attest {

// Figures of a claim's numbers, by the names of the numbers and not by claim; none when there is nothing to show.

/// All of them.
Figures figures_of(const nlohmann::ordered_json& numbers);
/// The same in one group of a page, with the table of correlations.
std::string plots_of(const nlohmann::ordered_json& numbers);

/// Unit vectors are never farther from each other: a larger bound says nothing.
inline constexpr double largest_error = 2;

/// Direction errors over norms (traces) and radii (points), log-log, with the fitted slope.
Figures error_plots(const nlohmann::ordered_json& numbers);
/// log(L − L*) over iterations or radii.
Figures loss_plots(const nlohmann::ordered_json& numbers);
/// Where runs went, in a plane, with the directions of the SVMs that they ended at.
Figures trajectory_plot(const nlohmann::ordered_json& numbers);
/// A training run: its errors beside those of the path, its attention and its loss.
Figures checkpoint_plots(const nlohmann::ordered_json& numbers);
/// A map of starts, coloured by the limit that is proved or seen.
Figures basins_plot(const nlohmann::ordered_json& numbers);
/// The loss over that plane, with descent from 0, the path and the max-margin directions.
Figures loss_plane_plot(const nlohmann::ordered_json& numbers);
/// Margins and gaps of scores of the tokens at p^mm: what local optimality asks.
Figures margin_plot(const nlohmann::ordered_json& numbers);
/// The same tokens by their keys, along p^mm and across it.
Figures geometry_plot(const nlohmann::ordered_json& numbers);
/// Assumption B: what is proved of ν, what is excluded, and Γ.
Figures bracket_plot(const nlohmann::ordered_json& numbers);
/// Singular values.
Figures spectrum_plot(const nlohmann::ordered_json& numbers);
/// A table of correlations between exponents q, for a page.
std::string correlation_table(const nlohmann::ordered_json& numbers);
/// Small data: the tokens of a case in the two coordinates in which they spread most.
Figures token_plot(const nlohmann::ordered_json& data);
/// Attention of each sample along a run; `support` lists the tight rows [sample, token] of the selection.
Figures attention_plot(const nlohmann::ordered_json& run, const nlohmann::ordered_json& support);
/// Of an audit: which share of the starts of each radius goes where.
Figures shares_plot(const nlohmann::ordered_json& audit);

}  // namespace attest
