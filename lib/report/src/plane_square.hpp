#pragma once

#include "figure.hpp"

#include <nlohmann/json.hpp>

namespace attest {

/// A square of a plane of prompts, as the numbers of `basins` have it, on paper.
class PlaneSquare {
 public:
  static constexpr double size = 300;

  PlaneSquare(double radius, std::size_t per_side);

  double cell() const { return cell_; }
  /// Points of the grid stand in the middles of their cells: the outermost ones at the radius.
  double x(double across) const { return size / 2 + across / radius_ * (side - cell_) / 2; }
  double y(double up) const { return size / 2 - up / radius_ * (side - cell_) / 2; }

  /// "to (0, 2)": what the limits are called, in the order of their colours.
  std::vector<std::string> limits(const nlohmann::ordered_json& numbers) const;
  /// The rays of their p^mm.
  std::string directions(const nlohmann::ordered_json& numbers) const;
  /// The points under that name, joined, from 0 on; empty when there are none.
  std::string line(const char* name, const char* kind, const char* title, const nlohmann::ordered_json& numbers) const;
  std::string dots(const char* name, const char* title, const nlohmann::ordered_json& numbers) const;
  /// 0, the ends of the axes and what they are.
  std::string axes(const nlohmann::ordered_json& numbers) const;

 private:
  static constexpr double margin = 22;
  static constexpr double side = size - 2 * margin;
  double radius_;
  double cell_;
};

}  // namespace attest
