#include "chart.hpp"
#include "json_view.hpp"
#include "markup.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

constexpr double width = 380;
constexpr double height = 220;
constexpr double left = 66;
constexpr double right = 12;
constexpr double top = 10;
constexpr double bottom = 42;
/// Below this part of the largest, a singular value is rounding; bars end there.
constexpr double least_decade = -17;

}  // namespace

std::string spectrum_plot(const nlohmann::ordered_json& numbers) {
  const auto values = numbers_at(numbers, "singular_values");
  if (!values || values->empty()) return "";
  const double largest = *std::ranges::max_element(*values);
  if (!(largest > 0)) return "";
  double low = 0;
  for (const double value : *values)
    if (value > 0) low = std::min(low, std::max(least_decade, std::floor(std::log10(value / largest))));
  low = std::min(low, -1.0);
  const double base = height - bottom;
  const auto y_of = [&](double decades) { return top + (base - top) * decades / low; };

  std::string marks;
  const int every = low < -8 ? 4 : low < -4 ? 2 : 1;
  for (int decade = 0; decade >= static_cast<int>(low); decade -= every)
    marks += fmt::format(
        "<path class=\"grid\" d=\"M{} {:.1f}H{}\"/><text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", left,
        y_of(decade), width - right, left - 6, y_of(decade) + 3.5, short_number(largest * std::pow(10.0, decade)));
  const double slot = (width - left - right) / static_cast<double>(values->size());
  const double bar = std::min(28.0, 0.7 * slot);
  const std::size_t label_every = (values->size() + 11) / 12;
  for (std::size_t k = 0; k < values->size(); ++k) {
    const double value = (*values)[k];
    const double decades = value > 0 ? std::max(low, std::log10(value / largest)) : low;
    const double x = left + (static_cast<double>(k) + 0.5) * slot;
    marks += fmt::format(
        "<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>σ{} = "
        "{}</title></rect>",
        x - bar / 2, y_of(decades), bar, std::max(1.5, base - y_of(decades)), k + 1, short_number(value));
    if (k % label_every == 0)
      marks += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", x, base + 15, k + 1);
  }
  marks += fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>", left, top, base, width - right);
  marks += fmt::format("<text class=\"label\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">index k</text>",
                       (left + width - right) / 2, height - 6);
  marks += fmt::format(
      "<text class=\"label\" transform=\"translate(11 {:.1f}) rotate(-90)\" text-anchor=\"middle\">singular value "
      "σ</text>",
      (top + base) / 2);
  return figure("Singular values", fmt::format("{} values, the largest {}", values->size(), short_number(largest)),
                width, height, marks);
}

}  // namespace attest
