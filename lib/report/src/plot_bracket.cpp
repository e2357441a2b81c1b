#include "chart.hpp"
#include "json_view.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

constexpr double bracket_width = 380;
constexpr double bracket_height = 120;
constexpr double bracket_left = 20;
constexpr double bracket_right = 20;
constexpr double bar_top = 44;
constexpr double bar_bottom = 66;

std::string mark(double x, const char* name, double value, bool above, const char* what) {
  return fmt::format(
      "<g class=\"mark\"><title>{0} = {1}: {2}</title><path class=\"tick\" d=\"M{3:.1f} {4}V{5}\"/>"
      "<text x=\"{3:.1f}\" y=\"{6}\" text-anchor=\"{7}\">{0} = {1}</text></g>",
      name, short_number(value), what, x, bar_top - (above ? 10 : 4), bar_bottom + (above ? 4 : 10), above ? bar_top - 16 : bar_bottom + 24,
      x < bracket_width / 4       ? "start"
      : x > 3 * bracket_width / 4 ? "end"
                                  : "middle");
}

}  // namespace

Figures bracket_plot(const nlohmann::ordered_json& numbers) {
  const auto lower = number_at(numbers, "nu_lower");
  const auto upper = number_at(numbers, "nu_upper");
  const auto gamma = number_at(numbers, "gamma");
  if (!lower || !gamma || !(*gamma > 0)) return {};
  const double end = 1.05 * std::max({*lower, upper.value_or(0), *gamma});
  const auto x_of = [&](double value) { return bracket_left + (bracket_width - bracket_left - bracket_right) * value / end; };
  const auto band = [&](const char* kind, double from, double to, const std::string& what) {
    return to > from ? fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\"><title>{}</title></rect>", kind,
                                   x_of(from), bar_top, x_of(to) - x_of(from), bar_bottom - bar_top, what)
                     : "";
  };
  std::string marks =
      band("proved-band", 0, *lower, fmt::format("proved: the assumption holds with every ν up to {}", short_number(*lower)));
  if (upper) {
    marks += band("open-band", *lower, *upper, fmt::format("open: ν from {} to {}", short_number(*lower), short_number(*upper)));
    marks += band("out-band", *upper, end, fmt::format("excluded: no ν above {}", short_number(*upper)));
  } else {
    marks += band("open-band", *lower, end, fmt::format("open: ν above {}", short_number(*lower)));
  }
  marks += fmt::format("<path class=\"axis\" d=\"M{} {}H{}\"/>", bracket_left, bar_bottom, bracket_width - bracket_right);
  marks += fmt::format("<text x=\"{}\" y=\"{}\">0</text>", bracket_left, bar_bottom + 12);
  marks += mark(x_of(*lower), "ν lower", *lower, true, "proved");
  if (upper) marks += mark(x_of(*upper), "ν upper", *upper, false, "shown by a witness");
  marks += fmt::format(
      "<g class=\"mark\"><title>Γ = {0}: the label margin</title><path class=\"tick gamma\" d=\"M{1:.1f} {2}V{3}\"/>"
      "<text x=\"{1:.1f}\" y=\"{4}\" text-anchor=\"{5}\">Γ = {0}</text></g>",
      short_number(*gamma), x_of(*gamma), bar_top - 26, bar_bottom + 4, bar_top - 30, x_of(*gamma) > bracket_width / 2 ? "end" : "middle");
  marks += fmt::format(
      "<text class=\"label\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">margin lost per unit of attention moved, "
      "ν</text>",
      bracket_width / 2, bracket_height - 6);
  return {{"bracket", "Assumption B: bracket of ν", "The assumption holds with every ν of the solid band and with none of the pale one.",
           fmt::format("ν lower {}, ν upper {}, Γ {}", short_number(*lower), upper ? short_number(*upper) : "none", short_number(*gamma)),
           bracket_width, bracket_height, marks}};
}

}  // namespace attest
