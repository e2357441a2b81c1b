#pragma once

#include "figure.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// A square of a plane of prompts, as the numbers of `basins` have it, on paper.
class PlaneSquare {
 public:
  static constexpr double size = 300;

  /// A selection that starts go to.
  struct Limit {
    std::string name;
    std::size_t colour;
    std::optional<std::vector<double>> direction;  ///< of its p^mm, as seen in the plane
  };

  PlaneSquare(const nlohmann::ordered_json& numbers, double radius, std::size_t per_side);

  double cell() const { return cell_; }
  /// Points of the grid stand in the middles of their cells: the outermost ones at the radius.
  double x(double across) const { return size / 2 + across / radius_ * (side - cell_) / 2; }
  double y(double up) const { return size / 2 - up / radius_ * (side - cell_) / 2; }

  const std::vector<Limit>& limits() const { return limits_; }
  /// "to (0, 2)", by colours.
  std::vector<std::string> legend() const { return colours_.legend("to "); }
  /// The rays of the limits' p^mm.
  std::string directions() const;
  /// The points under that name, joined, from 0 on; empty when there are none.
  std::string line(const char* name, const char* kind, const char* title) const;
  std::string dots(const char* name, const char* title) const;
  /// 0, the ends of the axes and what they are.
  std::string axes() const;

 private:
  static constexpr double margin = 22;
  static constexpr double side = size - 2 * margin;
  const nlohmann::ordered_json& numbers_;
  double radius_;
  double cell_;
  SelectionColours colours_;
  std::vector<Limit> limits_;
};

}  // namespace attest
