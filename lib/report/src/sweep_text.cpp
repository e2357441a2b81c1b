#include "attest/report/sweep_page.hpp"
#include "sweep_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace attest {
namespace {

constexpr std::array<const char*, 7> first_columns{"index", "n", "T", "d", "noise", "run", "seed"};

std::string cell_text(const Json& value) {
  if (value.is_null()) return "";
  if (!value.is_string()) return value.dump();
  std::string text = value.get<std::string>();
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

/// The columns of the claims, by the order in which rows bring them.
std::vector<std::pair<std::string, std::string>> columns_of(const std::vector<Json>& rows) {
  std::vector<std::pair<std::string, std::string>> columns;  // label, number
  const auto add = [&](const std::string& label, const std::string& number) {
    if (std::ranges::find(columns, std::pair(label, number)) == columns.end()) columns.emplace_back(label, number);
  };
  for (const Json& row : rows)
    for (const Json& claim : row.at("claims")) {
      const auto label = claim.at("label").get<std::string>();
      add(label, "verdict");
      add(label, "grade");
      if (claim.contains("applies")) add(label, "applies");
      for (const auto& [name, value] : claim.at("numbers").items()) add(label, name);
    }
  std::ranges::stable_sort(columns, {}, &std::pair<std::string, std::string>::first);
  return columns;
}

Json value_of(const Json& row, const std::pair<std::string, std::string>& column) {
  for (const Json& claim : row.at("claims")) {
    if (claim.at("label") != column.first) continue;
    if (column.second == "verdict" || column.second == "grade") return claim.at(column.second);
    if (column.second == "applies") return claim.value("applies", Json());
    const Json& numbers = claim.at("numbers");
    return numbers.contains(column.second) ? numbers.at(column.second) : Json();
  }
  return {};
}

}  // namespace

std::string sweep_csv(const std::vector<Json>& rows) {
  const auto columns = columns_of(rows);
  std::string text;
  for (const char* name : first_columns) text += fmt::format("{},", name);
  for (const auto& [label, number] : columns) text += cell_text(label + "." + number) + ",";
  text += "seconds\n";
  for (const Json& row : rows) {
    for (const char* name : first_columns) text += cell_text(row.at(name)) + ",";
    for (const auto& column : columns) text += cell_text(value_of(row, column)) + ",";
    text += cell_text(row.at("seconds")) + "\n";
  }
  return text;
}

std::string sweep_table(const Json& summary) {
  const Json& sweep = summary.at("sweep");
  std::string text =
      fmt::format("{}: law {}, {} of {} data sets\n", sweep.at("name").get<std::string>(), sweep.at("law").get<std::string>(),
                  sweep.at("done").get<std::size_t>(), sweep.at("size").get<std::size_t>());
  for (const Json& cell : summary.at("cells")) {
    std::string place;
    for (const char* axis : sweep_axes)
      if (sweep.at(axis).size() > 1 || (axis != sweep_axes.back() && cell.at("count") > 0))
        place += fmt::format("{}{} = {}", place.empty() ? "" : ", ", axis, cell.at(axis).dump());
    text += fmt::format("  {} ({} data sets)\n", place, cell.at("count").get<std::size_t>());
    for (const Json& claim : cell.at("claims"))
      text +=
          fmt::format("    {:<28} holds {:6.1f} %  [{:.1f}, {:.1f}]  fails {}, undecided {}, inapplicable {}; proved {}\n",
                      claim.at("label").get<std::string>(), 100 * claim.at("share").get<double>(), 100 * claim.at("low").get<double>(),
                      100 * claim.at("high").get<double>(), claim.at("fails").get<std::size_t>(), claim.at("undecided").get<std::size_t>(),
                      claim.at("inapplicable").get<std::size_t>(), claim.at("proved").get<std::size_t>());
  }
  return text;
}

}  // namespace attest
