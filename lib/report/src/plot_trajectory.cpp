#include "chart.hpp"
#include "json_view.hpp"
#include "markup.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;
using Vector = std::vector<double>;

constexpr double drawing_size = 300;
constexpr double centre = drawing_size / 2;
constexpr double outer_reach = centre - 18;  // of the outermost circle
constexpr std::size_t most_walks = 12;

struct Walk {
  std::vector<Vector> positions;
  Vector limit;  // empty: none
  std::string group;
};

double dot_product(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }
double length(const Vector& a) { return std::sqrt(dot_product(a, a)); }

Vector minus(const Vector& a, double factor, const Vector& b) {
  Vector result = a;
  for (std::size_t k = 0; k < a.size(); ++k) result[k] -= factor * b[k];
  return result;
}

Vector scaled(const Vector& a, double factor) {
  Vector result = a;
  for (double& value : result) value *= factor;
  return result;
}

std::vector<Walk> walks_of(const Json& numbers) {
  std::vector<Walk> walks;
  std::size_t dimension = 0;
  for (const Json& run : list_at(numbers, "runs")) {
    Walk walk;
    for (const Json& position : list_at(run, "positions")) {
      auto p = numbers_in(position);
      if (!p || p->empty() || (dimension != 0 && p->size() != dimension) || !std::isfinite(length(*p))) return {};
      dimension = p->size();
      walk.positions.push_back(std::move(*p));
    }
    if (walk.positions.size() < 2) continue;
    walk.limit = numbers_at(run, "limit").value_or(Vector{});
    if (walk.limit.size() != dimension || !(length(walk.limit) > 0)) walk.limit.clear();
    const Json* selection = member(run, "selection");
    walk.group = selection ? selection_text(*selection) : "";
    walks.push_back(std::move(walk));
    if (walks.size() == most_walks) break;
  }
  return walks;
}

/// The plane that is looked at: two unit vectors, and what they are.
struct Plane {
  Vector across;
  Vector up;
  std::string across_label;
  std::string up_label;
};

/// Two coordinates when only two are ever used.
std::optional<Plane> coordinate_plane(const std::vector<Walk>& walks) {
  const std::size_t dimension = walks.front().positions.front().size();
  std::vector<std::size_t> used;
  for (std::size_t k = 0; k < dimension; ++k) {
    const bool moves = std::ranges::any_of(walks, [&](const Walk& walk) {
      return (!walk.limit.empty() && walk.limit[k] != 0) || std::ranges::any_of(walk.positions, [&](const Vector& p) { return p[k] != 0; });
    });
    if (moves) used.push_back(k);
  }
  for (std::size_t k = 0; used.size() < 2 && k < dimension; ++k)
    if (std::ranges::find(used, k) == used.end()) used.push_back(k);
  if (used.size() != 2) return std::nullopt;
  std::ranges::sort(used);
  const auto unit = [&](std::size_t k) {
    Vector vector(dimension, 0.0);
    vector[k] = 1;
    return vector;
  };
  return Plane{unit(used[0]), unit(used[1]), fmt::format("p[{}]", used[0]), fmt::format("p[{}]", used[1])};
}

/// Along the first limit, and across it where limits or runs are farthest from that ray.
std::optional<Plane> leading_plane(const std::vector<Walk>& walks) {
  const auto with_limit = std::ranges::find_if(walks, [](const Walk& walk) { return !walk.limit.empty(); });
  const Vector& first = with_limit == walks.end() ? walks.front().positions.back() : with_limit->limit;
  if (!(length(first) > 0)) return std::nullopt;
  const Vector across = scaled(first, 1 / length(first));
  Vector up;
  const auto consider = [&](const Vector& candidate) {
    if (!(length(candidate) > 0)) return;
    const Vector unit = scaled(candidate, 1 / length(candidate));
    const Vector rest = minus(unit, dot_product(unit, across), across);
    if (up.empty() || length(rest) > length(up)) up = rest;
  };
  for (const Walk& walk : walks) {
    if (!walk.limit.empty()) consider(walk.limit);
    for (const Vector& p : walk.positions) consider(p);
  }
  if (up.empty() || !(length(up) > 1e-12)) return std::nullopt;
  return Plane{across, scaled(up, 1 / length(up)), "along the SVM direction", "leading rest"};
}

/// A point is drawn in its direction, at the logarithm of its length: runs go from norm 1 to 10^5.
class PolarView {
 public:
  PolarView(const Plane& plane, const std::vector<Walk>& walks) : plane_(plane) {
    double longest = 1;
    for (const Walk& walk : walks)
      for (const Vector& p : walk.positions) longest = std::max(longest, length(p));
    decades_ = std::log10(1 + longest);
  }

  double decades() const { return decades_; }
  double drawn_radius(double norm) const { return outer_reach * std::log10(1 + norm) / decades_; }

  std::pair<double, double> at(const Vector& p) const {
    const double norm = length(p);
    if (!(norm > 0)) return {centre, centre};
    const double scale = drawn_radius(norm) / norm;
    return {centre + scale * dot_product(p, plane_.across), centre - scale * dot_product(p, plane_.up)};
  }

 private:
  const Plane& plane_;
  double decades_;
};

std::string backdrop(const Plane& plane, const PolarView& view) {
  std::string marks;
  for (int decade = 0; decade <= static_cast<int>(view.decades()); ++decade) {
    const double radius = view.drawn_radius(std::pow(10.0, decade));
    marks += fmt::format("<circle class=\"grid\" cx=\"{0}\" cy=\"{0}\" r=\"{1:.1f}\"/>", centre, radius);
    marks += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", centre + 0.71 * radius + 2, centre + 0.71 * radius + 8,
                         decade == 0 ? "1" : fmt::format("10<tspan dy=\"-4\" font-size=\"8\">{}</tspan>", decade));
  }
  marks += fmt::format("<path class=\"axis\" d=\"M{0} {2}H{1}M{2} {0}V{1}\"/>", centre - outer_reach, centre + outer_reach, centre);
  marks += fmt::format("<text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", drawing_size - 2, centre - 5,
                       escaped(plane.across_label));
  marks += fmt::format("<text class=\"label\" x=\"{}\" y=\"10\">{}</text>", centre + 5, escaped(plane.up_label));
  return marks;
}

std::string ray(const Vector& limit, const PolarView& view, const std::string& group, std::size_t colour) {
  const auto [x, y] = view.at(scaled(limit, (std::pow(10.0, view.decades()) - 1) / length(limit)));
  return fmt::format("<path class=\"ray {}\" d=\"M{} {}L{:.1f} {:.1f}\"><title>SVM direction: {}</title></path>", colour_class(colour),
                     centre, centre, x, y, escaped(group));
}

std::string trail(const Walk& walk, const PolarView& view, std::size_t colour) {
  std::string line;
  std::string dots;
  for (const Vector& p : walk.positions) {
    const auto [x, y] = view.at(p);
    line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x, y);
    const bool first = dots.empty();
    dots += fmt::format("<circle{} cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}norm {}</title></circle>", first ? " class=\"start\"" : "",
                        x, y, first ? 3.5 : 2, first ? "start, " : "", short_number(length(p)));
  }
  return fmt::format("<g class=\"{}\"><path class=\"line\" d=\"{}\"/>{}</g>", colour_class(colour), line, dots);
}

}  // namespace

Figures trajectory_plot(const Json& numbers) {
  const std::vector<Walk> walks = walks_of(numbers);
  if (walks.empty()) return {};
  std::optional<Plane> plane = coordinate_plane(walks);
  if (!plane) plane = leading_plane(walks);
  if (!plane) return {};
  const PolarView view(*plane, walks);
  SelectionColours colours;
  std::vector<std::string> groups;
  std::string rays;
  std::string trails;
  for (const Walk& walk : walks) {
    const std::size_t colour = colours.of(walk.group);
    if (std::ranges::find(groups, walk.group) == groups.end()) {
      groups.push_back(walk.group);
      if (!walk.limit.empty()) rays += ray(walk.limit, view, walk.group, colour);
    }
    trails += trail(walk, view, colour);
  }
  return {{"descent", "Where descent goes (radius: log(1 + norm))",
           "Every run bends towards the pale ray of the max-margin direction that it ends at.",
           fmt::format("{} runs from norm 0 to 10^{:.1f}", walks.size(), view.decades()), drawing_size, drawing_size,
           backdrop(*plane, view) + rays + trails, groups.size() > 1 ? colours.legend("ends at ") : std::vector<std::string>{}}};
}

}  // namespace attest
