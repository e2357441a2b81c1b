#include "plot_frame.hpp"

#include "markup.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace attest {

std::string PlotFrame::vertical(double x, const std::string& label) const {
  return fmt::format("<path class=\"grid\" d=\"M{0:.1f} {1}V{2}\"/><text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>", x, top,
                     base, base + 15, label);
}

std::string PlotFrame::horizontal(double y, const std::string& label) const {
  return fmt::format("<path class=\"grid\" d=\"M{1} {0:.1f}H{2}\"/><text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>", y, left,
                     end(), left - 6, y + 3.5, label);
}

std::string PlotFrame::axes() const { return fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>", left, top, base, end()); }

std::string PlotFrame::name_of_x(const std::string& name) const {
  return fmt::format("<text class=\"label\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", (left + end()) / 2, height() - 6,
                     escaped(name));
}

std::string PlotFrame::name_of_y(const std::string& name) const {
  return fmt::format("<text class=\"label\" transform=\"translate(11 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
                     (top + base) / 2, escaped(name));
}

std::string power_of_ten(int exponent) {
  return fmt::format("10<tspan dy=\"-4\" font-size=\"8\">{}{}</tspan>", exponent < 0 ? "−" : "", std::abs(exponent));
}

}  // namespace attest
