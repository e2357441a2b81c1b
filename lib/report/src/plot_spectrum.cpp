#include "chart.hpp"
#include "json_view.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

constexpr double width = 380;
constexpr double height = 220;
constexpr double left = 58;
constexpr double right = 12;
constexpr double top = 10;
constexpr double base = height - 42;
/// So many decades below the largest a singular value is rounding; bars end there.
constexpr double most_decades = 18;

std::string power_of_ten(int exponent) {
  return fmt::format("10<tspan dy=\"-4\" font-size=\"8\">{}{}</tspan>", exponent < 0 ? "−" : "", std::abs(exponent));
}

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
  const auto y_of = [&](double decade) { return top + (base - top) * (high - decade) / (high - low); };

  std::string marks;
  const int every = static_cast<int>(std::ceil((high - low) / 6));
  for (int decade = static_cast<int>(high); decade >= static_cast<int>(low); decade -= every)
    marks += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}H{}\"/><text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", left,
                         y_of(decade), width - right, left - 6, y_of(decade) + 3.5, power_of_ten(decade));
  const double slot = (width - left - right) / static_cast<double>(values->size());
  const double bar = std::min(28.0, 0.7 * slot);
  const std::size_t label_every = (values->size() + 11) / 12;
  for (std::size_t k = 0; k < values->size(); ++k) {
    const double value = (*values)[k];
    const double y = value > 0 ? y_of(std::max(low, std::log10(value))) : base;
    const double x = left + (static_cast<double>(k) + 0.5) * slot;
    marks +=
        fmt::format("<rect class=\"sigma\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>σ{} = {}</title></rect>",
                    x - bar / 2, std::min(y, base - 1), bar, std::max(1.0, base - y), k + 1, short_number(value));
    if (k % label_every == 0) marks += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", x, base + 15, k + 1);
  }
  marks += fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>", left, top, base, width - right);
  marks += fmt::format("<text class=\"label\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">index k</text>", (left + width - right) / 2,
                       height - 6);
  marks +=
      fmt::format("<text class=\"label\" transform=\"translate(11 {:.1f}) rotate(-90)\" text-anchor=\"middle\">singular value σ</text>",
                  (top + base) / 2);
  return {{"spectrum", "Singular values", "Where the bars drop by many decades the solution's rank ends; what is below is rounding.",
           fmt::format("{} values, the largest {}", values->size(), short_number(largest)), width, height, marks}};
}

}  // namespace attest
