#include "plots.hpp"

namespace attest {

std::string plots_of(const nlohmann::ordered_json& numbers) {
  const std::string figures = error_plots(numbers) + loss_plots(numbers) + trajectory_plot(numbers) + basins_plot(numbers) +
                              bracket_plot(numbers) + spectrum_plot(numbers) + correlation_plot(numbers);
  return figures.empty() ? "" : "<div class=\"plots\">" + figures + "</div>";
}

}  // namespace attest
