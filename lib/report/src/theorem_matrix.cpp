#include "theorem_matrix.hpp"

#include "answer_part.hpp"
#include "attest/claims/claim.hpp"
#include "attest/report/label.hpp"
#include "badges.hpp"
#include "json_view.hpp"
#include "markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace attest {
namespace {

/// The hypotheses, a sign each; what each is and says is told to who points at it, and to screen readers.
std::string marks(const Json& claim) {
  std::string signs;
  for (const Json& hypothesis : list_at(claim, "hypotheses")) {
    const std::string verdict = text_at(hypothesis, "verdict");
    signs += fmt::format(
        "<span class=\"mark {0}\" title=\"{1}: {0}, {2}\"><span aria-hidden=\"true\">{3}</span><span class=\"sr\">{1}: {0};</span></span>",
        escaped(verdict), escaped(text_at(hypothesis, "name")), escaped(text_at(hypothesis, "grade")), verdict_sign(verdict));
  }
  return signs.empty() ? "" : "<span class=\"marks\">" + signs + "</span>";
}

std::string row(const TheoremTable::Row& row) {
  const std::string what = row.what();
  return fmt::format("<tr><th scope=\"row\"><a href=\"#{}\">{}</a>{}</th><td>{} {}</td><td>{}</td></tr>\n",
                     card_id(row.case_index, row.claim_index), escaped(text_at(*row.one, "name")),
                     what.empty() ? "" : fmt::format(" <span class=\"selection\">{}</span>", escaped(what)),
                     verdict_badge(text_at(*row.claim, "verdict")), grade_badge(text_at(*row.claim, "grade")), marks(*row.claim));
}

/// How often each verdict occurs: "12 holds, 3 inapplicable".
std::string counts_of(const TheoremTable& table) {
  std::string text;
  for (const char* verdict : {"holds", "fails", "undecided", "inapplicable"}) {
    const auto count =
        std::ranges::count_if(table.rows, [&](const TheoremTable::Row& one) { return text_at(*one.claim, "verdict") == verdict; });
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, verdict);
  }
  return text;
}

std::string one_table(const TheoremTable& table) {
  std::string body;
  for (const TheoremTable::Row& one : table.rows) body += row(one);
  const Claim* claim = find_claim(table.claim);
  return fmt::format(
      "<details class=\"theorem\"><summary><strong>{}</strong>{} <span class=\"soft\">· {}</span></summary>\n<table "
      "class=\"matrix\"><thead><tr><th "
      "scope=\"col\">case</th><th scope=\"col\">verdict</th><th "
      "scope=\"col\">hypotheses</th></tr></thead>\n<tbody>\n{}</tbody></table></details>\n",
      escaped(table.claim), claim ? fmt::format(" <span class=\"soft\">{}</span>", escaped(claim->title)) : "", counts_of(table), body);
}

/// One entry of an audit's matrix, a link to its card.
std::string cell(const Json& claim, std::size_t case_index, std::size_t claim_index) {
  const std::string verdict = text_at(claim, "verdict");
  return fmt::format(
      "<a class=\"cell {0}\" href=\"#{1}\" title=\"{2}\"><span aria-hidden=\"true\">{3}</span><span class=\"sr\">{0},</span> <span "
      "class=\"of-grade\">{4}</span>{5}</a>",
      escaped(verdict), card_id(case_index, claim_index), escaped(text_at(claim, "message")), verdict_sign(verdict),
      escaped(text_at(claim, "grade")), marks(claim));
}

/// Theorems by selections, of one audit.
std::string audit_matrix(const Json& one, std::size_t case_index) {
  std::vector<std::string> names;  // of the columns
  std::vector<std::pair<std::string, std::map<std::string, std::string>>> rows;
  const auto& claims = list_at(one, "claims");
  for (std::size_t k = 0; k < claims.size(); ++k) {
    if (list_at(claims[k], "hypotheses").empty()) continue;
    const Json* selection = member(claims[k], "selection");
    const std::string name = selection ? short_name(one, *selection) : "data";
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    const std::string label = claim_label(claims[k]);
    auto known = std::ranges::find(rows, label, [](const auto& entry) { return entry.first; });
    if (known == rows.end()) known = rows.insert(known, {label, {}});
    known->second[name] += cell(claims[k], case_index, k);
  }
  if (rows.empty()) return "";
  std::string head;
  for (const std::string& name : names) head += fmt::format("<th scope=\"col\">{}</th>", escaped(name));
  std::string body;
  for (const auto& [label, cells] : rows) {
    body += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(label));
    for (const std::string& name : names)
      body += fmt::format("<td data-name=\"{}\">{}</td>", escaped(name), cells.contains(name) ? cells.at(name) : "");
    body += "</tr>\n";
  }
  return fmt::format(
      "<table class=\"matrix by-selection\"><thead><tr><th scope=\"col\">theorem</th>{}</tr></thead>\n<tbody>\n{}</tbody></table>\n", head,
      body);
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
  const auto& cases = list_at(results, "cases");
  const bool audit = std::ranges::any_of(cases, has_answer);
  if (audit)
    for (std::size_t i = 0; i < cases.size(); ++i)
      tables += (cases.size() > 1 ? fmt::format("<h3>{}</h3>\n", escaped(text_at(cases[i], "name"))) : "") + audit_matrix(cases[i], i);
  else
    for (const TheoremTable& table : theorem_tables(results)) tables += one_table(table);
  if (tables.empty()) return "";
  return fmt::format(
      "<section id=\"theorems\" aria-labelledby=\"theorems-title\"><h2 id=\"theorems-title\">{}</h2>\n<p class=\"soft\">✓ holds, ✗ fails, "
      "? "
      "undecided, – does not apply. The small signs are the hypotheses, each decided on the data by itself: point at one to read which. "
      "Where one "
      "fails the theorem says nothing. {}</p>\n{}</section>\n",
      audit ? "Theorem by selection" : "Theorems", audit ? "A cell leads to its card." : "A name leads to its card.", tables);
}

}  // namespace attest
