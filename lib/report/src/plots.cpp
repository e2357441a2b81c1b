#include "plots.hpp"

namespace attest {

Figures figures_of(const nlohmann::ordered_json& numbers) {
  Figures figures;
  for (const auto plot :
       {error_plots, checkpoint_plots, loss_plots, trajectory_plot, basins_plot, loss_plane_plot, margin_plot, bracket_plot, spectrum_plot})
    figures += plot(numbers);
  return figures;
}

std::string plots_of(const nlohmann::ordered_json& numbers) {
  const std::string drawn = html_of(figures_of(numbers)) + correlation_table(numbers);
  return drawn.empty() ? "" : "<div class=\"plots\">" + drawn + "</div>";
}

}  // namespace attest
