#pragma once

#include "figure.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace attest {

// The pictures of a case that say most: they stand before its claims.

/// Attention along a run, one figure a sample.
struct AttentionView {
  std::string heading;  ///< which run
  std::vector<double> norms;
  Figures samples;
};

struct LeadingFigures {
  Figures figures;
  std::vector<AttentionView> attention;
};
LeadingFigures leading_figures(const nlohmann::ordered_json& one);

/// The same as a part of the page; empty when there is nothing to show.
std::string leading_part(const nlohmann::ordered_json& one);

}  // namespace attest
