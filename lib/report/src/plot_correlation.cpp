#include "chart.hpp"
#include "json_view.hpp"
#include "markup.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attest {
namespace {

/// A row is a run of the claim, whose exponent is its own and not one of the columns'.
std::string row_name(const nlohmann::ordered_json& numbers, std::size_t run) {
  const auto q = number_at(numbers, "q");
  return fmt::format("run {}{}", run, q ? fmt::format(", q = {:g}", *q) : "");
}

}  // namespace

std::string correlation_table(const nlohmann::ordered_json& numbers) {
  const nlohmann::ordered_json* table = member(numbers, "correlation");
  if (table == nullptr) return "";
  const auto exponents = numbers_at(*table, "q");
  const auto& rows = list_at(*table, "rows");
  if (!exponents || rows.empty()) return "";
  std::string head;
  for (const double q : *exponents) head += fmt::format("<th scope=\"col\">q = {:g}</th>", q);
  std::string body;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    body += fmt::format("<tr><th scope=\"row\">{}</th>", row_name(numbers, i));
    for (const auto& cell : rows[i]) {
      const auto value = number_in(cell);
      body += value ? fmt::format("<td class=\"heat\" style=\"--heat:{:.3f}\">{:.6g}</td>", std::clamp(std::abs(*value), 0.0, 1.0), *value)
                    : "<td>–</td>";
    }
    body += "</tr>";
  }
  return fmt::format(
      "<figure class=\"plot\"><figcaption>Correlation of where each run ended (rows) with the ℓ_q-SVM solutions (columns)</figcaption><div "
      "class=\"scroll\" tabindex=\"0\" "
      "role=\"region\" "
      "aria-label=\"Correlation of directions\"><table "
      "class=\"cells\"><thead><tr><td></td>{}</tr></thead><tbody>{}</tbody></table></div></figure>",
      head, body);
}

}  // namespace attest
