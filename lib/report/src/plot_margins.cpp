#include "chart.hpp"
#include "json_view.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

/// A token beside the selected one of its sample, as `view` of a claim's numbers has it.
struct Seen {
  double sample;
  double token;
  double margin;
  double gap;
  double across;
  bool tight;
};

struct View {
  std::vector<Seen> tokens;
  double rows;
  double norm;
};

bool is_neighbour(const Json& numbers, const Json& token) {
  const std::vector<Json>& neighbours = list_at(numbers, "neighbours");
  return std::ranges::find(neighbours, token) != neighbours.end();
}

std::optional<View> view_of(const Json& numbers) {
  const Json* view = member(numbers, "view");
  if (view == nullptr) return std::nullopt;
  const std::vector<Json>& tokens = list_at(*view, "tokens");
  const auto margin = numbers_at(*view, "margin");
  const auto gap = numbers_at(*view, "gap");
  const auto across = numbers_at(*view, "across");
  const auto norm = number_at(*view, "norm");
  const auto whole = [&](const auto& column) { return column && column->size() == tokens.size(); };
  if (tokens.empty() || !whole(margin) || !whole(gap) || !whole(across) || !norm || !(*norm > 0)) return std::nullopt;
  View seen{{}, number_at(*view, "rows").value_or(static_cast<double>(tokens.size())), *norm};
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const auto name = numbers_in(tokens[k]);
    if (!name || name->size() != 2) return std::nullopt;
    seen.tokens.push_back({(*name)[0], (*name)[1], (*margin)[k], (*gap)[k], (*across)[k], is_neighbour(numbers, tokens[k])});
  }
  return seen;
}

/// The groups of tokens, each in its colour: what local optimality asks is about the tight ones alone.
std::size_t group_of_token(const Seen& token) {
  if (!token.tight) return 0;
  return token.gap > 0 ? 2 : 1;
}

std::vector<ChartSeries> groups_of_tokens(const View& view) {
  std::array<std::size_t, 3> counts = {};
  for (const Seen& token : view.tokens) ++counts[group_of_token(token)];
  const auto left_out = view.rows - static_cast<double>(view.tokens.size());
  std::vector<ChartSeries> groups;
  groups.push_back(
      {fmt::format("behind the margin ({}{})", counts[0], left_out > 0 ? fmt::format(", and {:g} farther", left_out) : ""), {}});
  groups.push_back({fmt::format("tight, scores as much as the selected token or more ({})", counts[1]), {}});
  groups.push_back({fmt::format("tight, scores less ({})", counts[2]), {}});
  groups.push_back({"selected token", {}});
  for (ChartSeries& group : groups) group.joined = false;
  groups.back().points.push_back({0, 0, "the selected token of each sample"});
  return groups;
}

std::string title_of_token(const Seen& token) {
  return fmt::format("sample {:g}, token {:g}: margin {}, score gap {}{}", token.sample, token.token, short_number(token.margin),
                     short_number(token.gap), token.tight ? ", tight" : "");
}

}  // namespace

Figures margin_plot(const Json& numbers) {
  const std::optional<View> view = view_of(numbers);
  if (!view) return {};
  const bool outscored = member(numbers, "outscored_by") != nullptr;
  Chart chart{"margins-and-scores",
              "Margins and scores",
              outscored ? "A token in the column at 1 that is not above 0 is why the selection is not locally optimal."
                        : "Every token in the column at 1 lies above 0: the selection is locally optimal.",
              {"margin (k_α − k_t)·p^mm", false},
              {"score gap γ_α − γ_t", false},
              groups_of_tokens(*view)};
  for (const Seen& token : view->tokens)
    chart.series[group_of_token(token)].points.push_back({token.margin, token.gap, title_of_token(token)});
  chart.rules = {{ChartRule::Across::x, 1, "tight: margin 1"}, {ChartRule::Across::y, 0, "scores the same as the selected token"}};
  return line_chart(chart);
}

Figures geometry_plot(const Json& numbers) {
  const std::optional<View> view = view_of(numbers);
  if (!view) return {};
  Chart chart{"token-geometry",
              "Tokens in the coordinates of the p-SVM",
              "Seen from the selected token at (0, 0), every other token lies behind the line at the margin, the support tokens on it.",
              {"key along p^mm", false},
              {"key across p^mm", false},
              groups_of_tokens(*view)};
  for (const Seen& token : view->tokens)
    chart.series[group_of_token(token)].points.push_back({-token.margin / view->norm, -token.across, title_of_token(token)});
  chart.rules = {{ChartRule::Across::x, -1 / view->norm, fmt::format("the margin, {}", short_number(1 / view->norm))}};
  return line_chart(chart);
}

}  // namespace attest
