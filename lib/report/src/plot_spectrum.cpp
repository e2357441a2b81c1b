#include "json_view.hpp"
#include "plot_frame.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

constexpr PlotFrame spectrum_frame{.width = 380, .left = 58, .right = 12, .top = 10, .base = 178, .bottom = 42};
/// So many decades below the largest a singular value is rounding; bars end there.
constexpr double most_decades = 18;

}  // namespace

Figures spectrum_plot(const nlohmann::ordered_json& numbers) {
  const auto values = numbers_at(numbers, "singular_values");
  if (!values || values->size() < 2) return {};
  const double largest = *std::ranges::max_element(*values);
  if (!(largest > 0)) return {};
  const double high = std::ceil(std::log10(largest));
  double low = high - 2;
  for (const double value : *values)
    if (value > 0) low = std::min(low, std::max(high - most_decades, std::floor(std::log10(value)) - 1));
  const auto y_of = [&](double decade) {
    return spectrum_frame.top + (spectrum_frame.base - spectrum_frame.top) * (high - decade) / (high - low);
  };

  std::string marks;
  const int every = static_cast<int>(std::ceil((high - low) / 6));
  for (int decade = static_cast<int>(high); decade >= static_cast<int>(low); decade -= every)
    marks += spectrum_frame.horizontal(y_of(decade), power_of_ten(decade));
  const double slot = spectrum_frame.inner_width() / static_cast<double>(values->size());
  const double bar = std::min(28.0, 0.7 * slot);
  const std::size_t label_every = (values->size() + 11) / 12;
  for (std::size_t k = 0; k < values->size(); ++k) {
    const double value = (*values)[k];
    const double y = value > 0 ? y_of(std::max(low, std::log10(value))) : spectrum_frame.base;
    const double x = spectrum_frame.left + (static_cast<double>(k) + 0.5) * slot;
    marks += fmt::format(
        "<rect class=\"sigma\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>σ{} = {}</title></rect>", x - bar / 2,
        std::min(y, spectrum_frame.base - 1), bar, std::max(1.0, spectrum_frame.base - y), k + 1, short_number(value));
    if (k % label_every == 0)
      marks += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", x, spectrum_frame.base + 15, k + 1);
  }
  marks += spectrum_frame.axes() + spectrum_frame.name_of_x("index k") + spectrum_frame.name_of_y("singular value σ");
  return {{"spectrum", "Singular values", "Where the bars drop by many decades the solution's rank ends; what is below is rounding.",
           fmt::format("{} values, the largest {}", values->size(), short_number(largest)), spectrum_frame.width, spectrum_frame.height(),
           marks}};
}

}  // namespace attest
