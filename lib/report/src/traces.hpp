#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attest {

/// Numbers by column: of {"norm": […], …} or of [{"norm": …, …}, …]. NaN where there is none.
class Columns {
 public:
  explicit Columns(const nlohmann::ordered_json& table);
  const std::vector<double>* find(std::string_view name) const;
  /// The names that end in _error.
  std::vector<std::string> errors() const;

 private:
  std::vector<std::pair<std::string, std::vector<double>>> columns_;
};

/// A column, and what an axis calls it.
struct NamedColumn {
  const char* column;
  const char* label;
};

/// The first of them that there is; nullptr where there is none.
const NamedColumn* first_of(std::span<const NamedColumn> names, const Columns& columns);

/// A trace of a descent or the points of a path, wherever a claim's numbers hold it.
struct Trace {
  std::string source;  ///< the number that holds it: "trace", "points", "runs", "regimes", "descent"
  std::string group;   ///< what tells it from others of its source: the selection that a run ended at, a regime
  Columns columns;
  std::optional<double> rate;
  /// Proved of a run: from that iterate on its error is at most `constant` over its norm.
  struct Bound {
    double constant;
    double from_iterate;
  };
  std::optional<Bound> bound = {};
};

/// Every trace in a claim's numbers.
std::vector<Trace> traces_of(const nlohmann::ordered_json& numbers);

/// Whether a number is a table or a list that plots show and tables of numbers leave out.
bool is_plotted(const nlohmann::ordered_json& value);

}  // namespace attest
