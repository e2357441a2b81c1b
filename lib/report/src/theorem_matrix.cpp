#include "theorem_matrix.hpp"

#include "attest/claims/claim.hpp"
#include "attest/report/label.hpp"
#include "badges.hpp"
#include "json_view.hpp"
#include "markup.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

std::string cell(const Json* hypothesis) {
  if (hypothesis == nullptr) return "<td class=\"soft\">·<span class=\"sr\">not asked</span></td>";
  const std::string verdict = text_at(*hypothesis, "verdict");
  const std::string grade = text_at(*hypothesis, "grade");
  return fmt::format(
      "<td class=\"cell {0}\" title=\"{1}\"><span aria-hidden=\"true\">{2}</span><span class=\"sr\">{0},</span> "
      "{3}</td>",
      escaped(verdict), escaped(text_at(*hypothesis, "message")), verdict_sign(verdict), escaped(grade));
}

std::string row(const TheoremTable& table, const TheoremTable::Row& row) {
  std::string cells;
  for (const std::string& name : table.hypotheses) cells += cell(row.hypothesis(name));
  const std::string reason = row.reason();
  return fmt::format(
      "<tr><th scope=\"row\"><a href=\"#{}\">{}</a> <span class=\"selection\">{}</span></th>{}<td>{} {}</td><td "
      "class=\"reason\">{}</td></tr>\n",
      card_id(row.case_index, row.claim_index), escaped(text_at(*row.one, "name")), escaped(row.what()), cells,
      verdict_badge(text_at(*row.claim, "verdict")), grade_badge(text_at(*row.claim, "grade")),
      escaped(reason.empty() ? text_at(*row.claim, "conclusion") : reason));
}

std::string one_table(const TheoremTable& table) {
  std::string head;
  for (const std::string& name : table.hypotheses) head += fmt::format("<th scope=\"col\">{}</th>", escaped(name));
  std::string body;
  for (const TheoremTable::Row& one : table.rows) body += row(table, one);
  const Claim* claim = find_claim(table.claim);
  const std::string title = escaped(table.claim);
  return fmt::format(
      "<h3>{0}{1}</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table "
      "class=\"matrix\"><thead><tr><th scope=\"col\">case</th>{2}"
      "<th scope=\"col\">verdict</th><th scope=\"col\">conclusion or "
      "obstacle</th></tr></thead>\n<tbody>\n{3}</tbody></table></div>\n",
      title, claim ? fmt::format(" <span class=\"soft\">{}</span>", escaped(claim->title)) : "", head, body);
}

}  // namespace

const Json* TheoremTable::Row::hypothesis(const std::string& name) const {
  for (const Json& one_of_them : list_at(*claim, "hypotheses"))
    if (text_at(one_of_them, "name") == name) return &one_of_them;
  return nullptr;
}

std::string TheoremTable::Row::what() const {
  const std::string label = claim_label(*claim);
  const Json* selection = member(*claim, "selection");
  const std::string settings = label.substr(label.find(' ') == std::string::npos ? label.size() : label.find(' ') + 1);
  const std::string selected = selection ? selection_text(*selection) : "";
  return settings + (settings.empty() || selected.empty() ? "" : " ") + selected;
}

std::string TheoremTable::Row::reason() const {
  std::string text;
  for (const Json& one_of_them : list_at(*claim, "hypotheses"))
    if (text_at(one_of_them, "verdict") != "holds")
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", text_at(one_of_them, "name"), text_at(one_of_them, "message"));
  return text;
}

std::vector<TheoremTable> theorem_tables(const Json& results) {
  std::vector<TheoremTable> tables;
  const auto& cases = list_at(results, "cases");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& claims = list_at(cases[i], "claims");
    for (std::size_t k = 0; k < claims.size(); ++k) {
      if (list_at(claims[k], "hypotheses").empty()) continue;
      const std::string name = text_at(claims[k], "claim");
      auto table = std::ranges::find(tables, name, &TheoremTable::claim);
      if (table == tables.end()) table = tables.insert(tables.end(), {name, {}, {}});
      for (const Json& hypothesis : list_at(claims[k], "hypotheses"))
        if (const std::string title = text_at(hypothesis, "name"); std::ranges::find(table->hypotheses, title) == table->hypotheses.end())
          table->hypotheses.push_back(title);
      table->rows.push_back({i, k, &cases[i], &claims[k]});
    }
  }
  return tables;
}

std::string theorem_matrix(const Json& results) {
  std::string tables;
  for (const TheoremTable& table : theorem_tables(results)) tables += one_table(table);
  if (tables.empty()) return "";
  return "<section id=\"theorems\" aria-labelledby=\"theorems-title\"><h2 id=\"theorems-title\">Theorems: hypotheses ⇒ "
         "conclusion</h2>\n"
         "<p class=\"soft\">Every hypothesis is decided on the data by itself. Where one fails the theorem says "
         "nothing, and the reason stands at the end of the row.</p>\n" +
         tables + "</section>\n";
}

}  // namespace attest
