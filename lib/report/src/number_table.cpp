#include "number_table.hpp"

#include "attest/claims/claim.hpp"
#include "json_view.hpp"
#include "markup.hpp"
#include "traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view suffix = "_tolerance";
constexpr std::size_t long_text = 160;
constexpr std::size_t longest_text = 6000;
/// Longer lists are for the plots and the JSON.
constexpr std::size_t most_rows = 32;

bool is_tolerance(std::string_view name) { return name == "tolerance" || name.ends_with(suffix); }

bool is_judged_by_the_tolerance(std::string_view name) {
  return name.ends_with("_error") || name == "deviation" || name.find("_vs_") != std::string_view::npos;
}

/// x_tolerance for x_error; `tolerance` for every error of a claim that has but one.
const Json* tolerance_of(const Json& numbers, std::string_view name) {
  const std::string stem(name.substr(0, name.rfind('_')));
  if (const Json* own = member(numbers, stem + std::string(suffix))) return own;
  return is_judged_by_the_tolerance(name) ? member(numbers, "tolerance") : nullptr;
}

/// Without a character cut in two.
std::string beginning(const std::string& text, std::size_t size) {
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

std::string value_cell(const Json& value) {
  const std::string text = value_text(value);
  if (text.size() <= long_text) return escaped(text);
  if (text.size() <= longest_text) return fmt::format("<div class=\"long\" tabindex=\"0\">{}</div>", escaped(text));
  return fmt::format("<div class=\"long\" tabindex=\"0\">{}… ({} characters, whole in the JSON)</div>",
                     escaped(beginning(text, longest_text)), text.size());
}

bool fits_a_cell(const Json& value) {
  return value.is_primitive() ||
         (value.is_array() && value.size() <= 8 && std::ranges::all_of(value, [](const Json& item) { return item.is_primitive(); }));
}

/// More columns would be wider than a telephone: the others stand in a table beside or below it.
constexpr std::size_t most_columns = 4;

/// Some columns of a list of objects, a row each, the number of the row first.
std::string column_table(const Json& list, std::size_t rows, const std::vector<std::string>& columns) {
  std::string head = "<th scope=\"col\">#</th>";
  for (const std::string& column : columns) head += fmt::format("<th scope=\"col\">{}</th>", escaped(column));
  std::string body;
  for (std::size_t k = 0; k < rows; ++k) {
    body += fmt::format("<tr><td>{}</td>", k);
    for (const std::string& column : columns) {
      const Json* value = member(list[k], column);
      body += fmt::format("<td>{}</td>", value && fits_a_cell(*value) ? escaped(value_text(*value)) : "–");
    }
    body += "</tr>";
  }
  return fmt::format("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", head, body);
}

/// A list of objects, a row each; what is longer than a cell is left out.
std::string object_table(const std::string& name, const Json& list) {
  std::vector<std::string> columns;
  for (const auto& [key, value] : list.front().items())
    if (fits_a_cell(value)) columns.push_back(key);
  const std::size_t rows = std::min(list.size(), most_rows);
  std::string tables;
  for (std::size_t first = 0; first < columns.size(); first += most_columns)
    tables += column_table(list, rows,
                           {columns.begin() + static_cast<std::ptrdiff_t>(first),
                            columns.begin() + static_cast<std::ptrdiff_t>(std::min(first + most_columns, columns.size()))});
  const std::string more = rows < list.size() ? fmt::format("<p class=\"soft\">and {} more in the JSON</p>", list.size() - rows) : "";
  return fmt::format("<details class=\"rows\"><summary>{} ({})</summary><div class=\"tables\">{}</div>{}</details>", escaped(name),
                     list.size(), tables, more);
}

/// Lists by name, such as the tokens as an SVM sees them: numbers of a picture.
bool is_picture(const Json& value) {
  return value.is_object() && std::ranges::count_if(value, [](const Json& item) { return item.is_array(); }) >= 2;
}

bool is_object_list(const Json& value) { return value.is_array() && !value.empty() && value.front().is_object(); }

/// The cell of what a number is; all that there is to say of it where that is more.
std::string meaning_cell(const Claim* claim, std::string_view name) {
  if (claim == nullptr) return "<td class=\"soft\"></td>";
  const auto known = std::ranges::find(claim->numbers, name, &NumberSpec::name);
  if (known == claim->numbers.end()) return "<td class=\"soft\"></td>";
  const std::string_view shown = gist(known->about);
  const std::string whole = shown.size() < known->about.size() ? fmt::format(" title=\"{}\"", escaped(known->about)) : "";
  return fmt::format("<td class=\"soft\"{}>{}</td>", whole, escaped(shown));
}

}  // namespace

std::string_view gist(std::string_view about) {
  constexpr std::size_t short_enough = 48;
  constexpr std::size_t too_little = 10;
  if (about.size() <= short_enough) return about;
  int depth = 0;  // "[i, t]" and "l(a, b)" are not details
  for (std::size_t k = 0; k + 1 < about.size(); ++k) {
    const bool details = (about[k] == ',' || about[k] == ';') && about[k + 1] == ' ';
    if (details && depth == 0 && k >= too_little) return about.substr(0, k);
    if (about[k] == '(' || about[k] == '[') ++depth;
    if (about[k] == ')' || about[k] == ']') --depth;
  }
  return about;
}

std::string number_table(std::string_view claim, const Json& numbers) {
  const Claim* known = find_claim(claim);
  std::string rows;
  std::string lists;
  for (const auto& [name, value] : numbers.items()) {
    if (is_object_list(value)) {
      lists += object_table(name, value);
    } else if (!is_tolerance(name) && !is_plotted(value) && !is_picture(value)) {
      const Json* tolerance = tolerance_of(numbers, name);
      rows += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"value\">{}{}</td>{}</tr>", escaped(name), value_cell(value),
                          tolerance ? fmt::format(" <span class=\"tolerance\">≤ {}</span>", escaped(value_text(*tolerance))) : "",
                          meaning_cell(known, name));
    }
  }
  if (!rows.empty())
    rows =
        "<table class=\"numbers\"><thead><tr><th scope=\"col\">number</th><th scope=\"col\">value and "
        "tolerance</th><th scope=\"col\">what it is</th></tr></thead>"
        "<tbody>" +
        rows + "</tbody></table>";
  return rows + lists;
}

}  // namespace attest
