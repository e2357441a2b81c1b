#include "audit_part.hpp"

#include "answer_part.hpp"
#include "json_view.hpp"
#include "markup.hpp"

#include <fmt/format.h>

#include <vector>

namespace attest {
namespace {

/// One list of an audit: its heading and its entries as text.
struct AuditList {
  const char* title;
  const char* kind;
  bool in_detail;  ///< stands with the details where the head of the page has the rest
  std::vector<std::string> entries;
};

std::string joined(const std::string& head, const std::string& rest) {
  return head.empty() || rest.empty() ? head + rest : head + ": " + rest;
}

std::string selection_in(const Json& entry) {
  const Json* selection = member(entry, "selection");
  return selection ? selection_text(*selection) : "";
}

std::vector<AuditList> lists_of(const Json& audit) {
  std::vector<AuditList> lists = {{"Warnings", "warning", false, {}},
                                  {"Advice", "advice", false, {}},
                                  {"Selections", "selection", false, {}},
                                  {"Notes", "note", true, {}},
                                  {"Left out", "skipped", true, {}}};
  for (const Json& entry : list_at(audit, "sanity"))
    lists[text_at(entry, "level") == "warning" ? 0 : 3].entries.push_back(text_at(entry, "message"));
  for (const Json& entry : list_at(audit, "advice"))
    lists[1].entries.push_back(joined(text_at(entry, "theorem"), text_at(entry, "message")));
  for (const Json& entry : list_at(audit, "selections")) lists[2].entries.push_back(joined(selection_in(entry), text_at(entry, "why")));
  for (const Json& entry : list_at(audit, "skipped")) {
    const std::string selection = selection_in(entry);
    lists[4].entries.push_back(joined(text_at(entry, "claim") + (selection.empty() ? "" : " " + selection), text_at(entry, "reason")));
  }
  return lists;
}

std::string shape_of(const Json& audit) {
  const Json* shape = member(audit, "shape");
  if (shape == nullptr) return "";
  std::string text;
  for (const char* name : {"n", "T", "d"})
    if (const Json* value = member(*shape, name)) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value_text(*value));
  return text;
}

}  // namespace

std::string audit_part(const Json& one) {
  const Json* audit = member(one, "audit");
  if (audit == nullptr) return "";
  std::string parts;
  const bool told = has_answer(one);  // warnings, advice and selections, at the head of the page
  for (const AuditList& list : lists_of(*audit)) {
    if (list.entries.empty() || (told && !list.in_detail)) continue;
    std::string items;
    for (const std::string& entry : list.entries) items += fmt::format("<li>{}</li>", escaped(entry));
    parts += fmt::format("<h5>{}</h5><ul class=\"{}\">{}</ul>", list.title, list.kind, items);
  }
  return fmt::format("<div class=\"audit\"><h4>Audit</h4><p class=\"soft\">{}</p>{}</div>\n", escaped(shape_of(*audit)), parts);
}

std::string audit_markdown(const Json& one) {
  const Json* audit = member(one, "audit");
  if (audit == nullptr) return "";
  const std::string shape = shape_of(*audit);
  const std::string headline = text_at(*audit, "headline");
  std::string text = headline.empty() ? "" : "**Where training goes**: " + markdown_text(headline) + "\n\n";
  if (!shape.empty()) text += "Audit: " + markdown_text(shape) + "\n\n";
  for (const AuditList& list : lists_of(*audit)) {
    if (list.entries.empty()) continue;
    text += fmt::format("**{}**\n\n", list.title);
    for (const std::string& entry : list.entries) text += "- " + markdown_text(entry) + "\n";
    text += "\n";
  }
  return text;
}

}  // namespace attest
