#include "traces.hpp"

#include "json_view.hpp"
#include "markup.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

bool is_list_of_objects(const Json& value) {
  return value.is_array() && !value.empty() && std::ranges::all_of(value, [](const Json& item) { return item.is_object(); });
}

/// The table inside an entry of a list, such as the trace of a run.
const Json* table_in(const Json& entry) {
  for (const char* name : {"trace", "points"})
    if (const Json* table = member(entry, name)) return table;
  return nullptr;
}

/// What tells an entry of a list from the others.
std::string group_of(const Json& entry) {
  if (const std::string regime = text_at(entry, "regime"); !regime.empty()) return regime;
  const Json* selection = member(entry, "selection");
  return selection ? "ends at " + selection_text(*selection) : "";
}

std::optional<Trace::Bound> bound_of(const Json& entry) {
  const std::optional<double> constant = number_at(entry, "rate_constant");
  const std::optional<double> from = number_at(entry, "from_iterate");
  return constant && from ? std::optional(Trace::Bound{*constant, *from}) : std::nullopt;
}

/// The slope that belongs to a table of the numbers themselves: `direction_rate` where `rate` is that of something else.
std::optional<double> own_rate(const Json& numbers, const std::string& table) {
  if (table != "points" && table != "trace") return std::nullopt;
  const std::optional<double> of_directions = number_at(numbers, "direction_rate");
  return of_directions ? of_directions : number_at(numbers, "rate");
}

bool holds_traces(const Json& list) { return is_list_of_objects(list) && table_in(list.front()) != nullptr; }

}  // namespace

Columns::Columns(const Json& table) {
  if (table.is_object()) {
    for (const auto& [name, values] : table.items()) {
      if (!values.is_array()) continue;
      std::vector<double> column;
      for (const Json& value : values) column.push_back(number_in(value).value_or(no_number));
      columns_.emplace_back(name, std::move(column));
    }
  } else if (is_list_of_objects(table)) {
    for (const auto& [name, value] : table.front().items()) {
      if (!value.is_number() && !value.is_null()) continue;
      std::vector<double> column;
      for (const Json& row : table) column.push_back(number_at(row, name).value_or(no_number));
      columns_.emplace_back(name, std::move(column));
    }
  }
}

const std::vector<double>* Columns::find(std::string_view name) const {
  const auto found = std::ranges::find(columns_, name, &std::pair<std::string, std::vector<double>>::first);
  return found == columns_.end() ? nullptr : &found->second;
}

std::vector<std::string> Columns::errors() const {
  std::vector<std::string> names;
  for (const auto& [name, values] : columns_)
    if (name.ends_with("_error")) names.push_back(name);
  return names;
}

const NamedColumn* first_of(std::span<const NamedColumn> names, const Columns& columns) {
  for (const NamedColumn& name : names)
    if (columns.find(name.column) != nullptr) return &name;
  return nullptr;
}

std::vector<Trace> traces_of(const Json& numbers) {
  std::vector<Trace> traces;
  const Json* runs = member(numbers, "runs");
  const bool in_runs = runs != nullptr && holds_traces(*runs);
  for (const auto& [name, value] : numbers.items()) {
    if (name == "checkpoints") continue;  // they have pictures of their own
    if (holds_traces(value)) {
      for (const Json& entry : value)
        if (const Json* table = table_in(entry))
          traces.push_back({name, group_of(entry), Columns(*table), number_at(entry, "rate"), bound_of(entry)});
    } else if (is_plotted(value) && !(name == "trace" && in_runs)) {  // beside runs, `trace` repeats one of theirs
      traces.push_back({name, "", Columns(value), own_rate(numbers, name)});
    }
  }
  return traces;
}

bool is_plotted(const Json& value) {
  if (holds_traces(value)) return true;
  constexpr std::array<std::string_view, 4> abscissas = {"radius", "norm", "p_norm", "iteration"};
  const Columns columns(value);
  return !columns.errors().empty() && std::ranges::any_of(abscissas, [&](std::string_view name) {
    const std::vector<double>* column = columns.find(name);
    return column != nullptr && column->size() >= 2;
  });
}

}  // namespace attest
