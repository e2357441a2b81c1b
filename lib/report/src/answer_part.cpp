#include "answer_part.hpp"

#include "badges.hpp"
#include "json_view.hpp"
#include "markup.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

const Json& audit_of(const Json& one) {
  static const Json none = Json::object();
  const Json* audit = member(one, "audit");
  return audit ? *audit : none;
}

/// "from 0", or "100 starts of radius 10".
std::string start_text(const Json& share) {
  const Json* start = member(share, "start");
  if (start == nullptr || !start->is_number()) return "from 0";
  const auto starts = number_at(share, "starts");
  return fmt::format("{}starts of radius {}", starts ? fmt::format("{:g} ", *starts) : "", value_text(*start));
}

/// A row for each kind of start, a part for each destination.
std::string shares_table(const Json& audit) {
  std::string rows;
  std::string last;
  for (const Json& share : list_at(audit, "destinations")) {
    const std::string start = start_text(share);
    if (start != last) rows += fmt::format("{}<tr><th scope=\"row\">{}</th><td>", rows.empty() ? "" : "</td></tr>", escaped(start));
    last = start;
    const bool decided = member(share, "selection") != nullptr;
    rows += fmt::format("<span class=\"share\"><strong{}>{}</strong> {:.3g} % {}</span> ", decided ? "" : " class=\"open\"",
                        escaped(text_at(share, "name")), 100 * number_at(share, "share").value_or(0),
                        decided ? grade_badge(text_at(share, "grade")) : "");
  }
  return rows.empty() ? "" : "<table class=\"shares\"><tbody>" + rows + "</td></tr></tbody></table>\n";
}

std::string expected_text(const Json& audit) {
  std::string text;
  for (const Json& one : list_at(audit, "expected")) {
    const auto norm = number_at(one, "norm");
    const auto path = number_at(one, "path_error");
    const auto bound = number_at(one, "bound");
    if (!norm || (!path && !bound)) continue;
    text += fmt::format("{}norm {:g}: {}{}{}", text.empty() ? "" : "; ", *norm, path ? fmt::format("{:.2g}", *path) : "",
                        path && bound ? ", " : "", bound ? fmt::format("proved at most {:.2g}", *bound) : "");
  }
  return text.empty() ? ""
                      : fmt::format("<p>How far one must train to see it, by the direction error to expect at {}.</p>\n", escaped(text));
}

std::string names_table(const Json& audit) {
  const Json* names = member(audit, "names");
  if (names == nullptr || !names->is_object()) return "";
  std::string rows;
  for (const auto& [name, selection] : names->items()) {
    std::string why;
    for (const Json& looked_at : list_at(audit, "selections"))
      if (const Json* known = member(looked_at, "selection"); known && *known == selection) why = text_at(looked_at, "why");
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"selection\">{}</td><td class=\"soft\">{}</td></tr>", escaped(name),
                        escaped(selection_text(selection)), escaped(why));
  }
  if (rows.empty()) return "";
  return fmt::format("<table class=\"names\"><caption>The selections, one token a sample</caption><tbody>{}</tbody></table>\n", rows);
}

}  // namespace

bool has_answer(const Json& one) { return !text_at(audit_of(one), "headline").empty(); }

std::string answer_part(const Json& one) {
  const Json& audit = audit_of(one);
  const std::string without = text_at(audit, "without_svm");
  std::string warnings;
  for (const Json& remark : list_at(audit, "sanity"))
    if (text_at(remark, "level") == "warning")
      warnings += fmt::format("<p class=\"warning\">{}</p>\n", escaped(text_at(remark, "message")));
  return fmt::format("<p class=\"lead\">{}.</p>\n{}{}{}{}{}", escaped(text_at(audit, "headline")), shares_table(audit),
                     without.empty() ? "" : fmt::format("<p>{}.</p>\n", escaped(without)), expected_text(audit), names_table(audit),
                     warnings);
}

std::string change_part(const Json& one) {
  const Json& audit = audit_of(one);
  std::string text;
  if (const Json* change = member(audit, "change")) {
    std::string theorems;
    for (const Json& theorem : list_at(*change, "theorems"))
      if (theorem.is_string()) theorems += (theorems.empty() ? "" : ", ") + theorem.get<std::string>();
    text = fmt::format("<p><strong>First:</strong> {}. Then nothing stands in the way of {}.</p>\n", escaped(text_at(*change, "message")),
                       escaped(theorems));
  }
  std::string items;
  for (const Json& advice : list_at(audit, "advice"))
    items += fmt::format("<li><strong>{}</strong>: {}</li>", escaped(text_at(advice, "theorem")), escaped(text_at(advice, "message")));
  if (!items.empty()) text += "<ul>" + items + "</ul>\n";
  return text;
}

std::string short_name(const Json& one, const Json& selection) {
  if (const Json* names = member(audit_of(one), "names"); names && names->is_object())
    for (const auto& [name, named] : names->items())
      if (named == selection) return name;
  return selection_text(selection);
}

}  // namespace attest
