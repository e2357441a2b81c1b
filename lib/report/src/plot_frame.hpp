#pragma once

#include <string>

namespace attest {

/// The rectangle that a plot draws in: lines across it with their labels, axes and what they are called.
struct PlotFrame {
  double width;   ///< of the whole drawing
  double left;    ///< edge of the rectangle
  double right;   ///< margin beside it
  double top;     ///< edge of the rectangle
  double base;    ///< its lower edge
  double bottom;  ///< margin below it

  double height() const { return base + bottom; }
  double end() const { return width - right; }
  double inner_width() const { return end() - left; }

  /// Labels are SVG, the names of the axes are text.
  std::string vertical(double x, const std::string& label) const;
  std::string horizontal(double y, const std::string& label) const;
  std::string axes() const;
  std::string name_of_x(const std::string& name) const;
  std::string name_of_y(const std::string& name) const;
};

/// 10 to that power, as a label.
std::string power_of_ten(int exponent);

}  // namespace attest
