#include "audit_view.hpp"

#include "attest/claims/claim.hpp"
#include "attest/report/label.hpp"
#include "text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace attest {
namespace {

std::string text_at(const Json& object, const char* key) { return object.at(key).get<std::string>(); }

constexpr std::size_t tokens_shown = 6;

/// "(0, 2, 1)"; of a long one the first tokens.
std::string selection_text(const Json& selection, std::size_t shown = tokens_shown) {
  if (!selection.is_array()) return "";
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, selection.size()); ++i) text += (i == 0 ? "" : ", ") + selection[i].dump();
  return selection.size() > shown ? fmt::format("({}, … {} in all)", text, selection.size()) : fmt::format("({})", text);
}

/// Verdict and grade stand before a name.
constexpr std::size_t name_column = 25;

/// "w-svm norm=nuclear (0, 1)", with as many tokens as fit the line.
std::string name_of_entry(const Json& entry) {
  const std::string label = claim_label(entry);
  if (!entry.at("selection").is_array()) return label;
  std::string name;
  for (std::size_t shown = tokens_shown; shown > 0; --shown) {
    name = label + " " + selection_text(entry.at("selection"), shown);
    if (name_column + characters(name) <= usual_width) break;
  }
  return name;
}

/// Entries of one label with the same verdict and grade, shown as one.
struct Group {
  const Json* first;
  std::size_t count;
};

std::vector<Group> groups_of(const std::vector<const Json*>& entries) {
  std::vector<Group> groups;
  for (const Json* entry : entries) {
    const auto same = std::ranges::find_if(groups, [&](const Group& group) {
      return std::ranges::all_of(std::array{"label", "verdict", "grade"},
                                 [&](const char* key) { return group.first->at(key) == entry->at(key); });
    });
    if (same == groups.end())
      groups.push_back({entry, 1});
    else
      ++same->count;
  }
  return groups;
}

std::string hypotheses_text(const Json& entry) {
  std::string text;
  for (const auto& [verdict, title] : {std::pair("holds", "hold"), std::pair("fails", "FAIL"), std::pair("undecided", "open")}) {
    std::string names;
    for (const Json& hypothesis : entry.at("hypotheses"))
      if (hypothesis.at("verdict") == verdict) names += (names.empty() ? "" : ", ") + text_at(hypothesis, "name");
    if (!names.empty()) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", title, names);
  }
  return text;
}

std::string paragraph(const std::string& text, std::size_t indent) {
  return std::string(indent, ' ') + wrapped(text, indent, indent) + "\n";
}

std::string entry_line(const Json& entry, const std::string& name) {
  return fmt::format("  {:<12} {:<8}  {}\n", text_at(entry, "verdict"), text_at(entry, "grade"), name) +
         paragraph(text_at(entry, "message"), 6);
}

using Entries = std::vector<const Json*>;

/// The claims that the section is for; a claim that is not known here is shown with the numerics.
Entries entries_of(const Json& case_entry, AuditSection section) {
  Entries found;
  for (const Json& entry : case_entry.at("claims")) {
    const Claim* claim = find_claim(entry.at("claim").get_ref<const std::string&>());
    if ((claim ? claim->section : AuditSection::numerics) == section) found.push_back(&entry);
  }
  return found;
}

std::string section(const std::string& title, const Entries& entries) {
  if (entries.empty()) return "";
  std::string text = "\n" + title + "\n";
  for (const Json* entry : entries) text += entry_line(*entry, name_of_entry(*entry));
  return text;
}

std::string theorem_section(const Entries& theorems) {
  if (theorems.empty()) return "";
  std::string text = "\nTheorems\n";
  for (const auto& [entry, count] : groups_of(theorems)) {
    text += entry_line(*entry, name_of_entry(*entry));
    if (entry->contains("hypotheses")) text += paragraph("hypotheses that " + hypotheses_text(*entry), 6);
    if (count > 1) text += paragraph(fmt::format("and {} more of this claim with the same verdict", count - 1), 6);
  }
  return text;
}

/// What holds, in one look.
std::string in_short(const Entries& theorems) {
  struct Line {
    const char* verdict;
    const char* title;
  };
  constexpr std::array<Line, 4> lines = {
      {{"holds", "hold here:"}, {"fails", "CONTRADICTED here:"}, {"undecided", "undecided:"}, {"inapplicable", "do not apply:"}}};
  std::string text;
  for (const auto& [verdict, title] : lines) {
    std::string list;
    for (const auto& [entry, count] : groups_of(theorems)) {
      if (entry->at("verdict") != verdict) continue;
      list += (list.empty() ? "" : ", ") + claim_label(*entry) + (count > 1 ? fmt::format(" x{}", count) : "");
    }
    if (!list.empty()) text += fmt::format("  {:<18} ", title) + wrapped(list, 21, 21) + "\n";
  }
  return text.empty() ? "" : "\nTheorems in short\n" + text;
}

std::string plural(std::size_t count, const std::string& what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

std::string shape_line(const Json& audit) {
  const Json& shape = audit.at("shape");
  std::string given;
  for (const Json& field : audit.at("given")) given += ", " + field.get<std::string>();
  const auto tokens = shape.at("T").get<std::vector<std::size_t>>();
  const auto [least, most] = std::ranges::minmax(tokens);
  return fmt::format("{} of {}, d = {}; given: tokens, labels{}; loss: {}", plural(tokens.size(), "sample"),
                     least == most ? plural(most, "token") : fmt::format("{} to {} tokens", least, most), shape.at("d").get<std::size_t>(),
                     given, text_at(audit, "loss"));
}

std::string remarks_text(const Json& sanity) {
  std::string text;
  for (const Json& remark : sanity) text += paragraph(text_at(remark, "level") + ": " + text_at(remark, "message"), 2);
  return text;
}

std::string selections_text(const Json& selections) {
  if (selections.empty()) return "";
  std::string text = "\nSelections\n";
  for (const Json& one : selections) text += paragraph(selection_text(one.at("selection")) + ": " + text_at(one, "why"), 2);
  return text;
}

std::string advice_text(const Json& advice) {
  if (advice.empty()) return "";
  std::string text = "\nWhat to change where a theorem does not apply\n";
  for (const Json& one : advice) text += paragraph(text_at(one, "theorem") + ": " + text_at(one, "message"), 2);
  return text;
}

std::string skipped_text(const Json& skipped) {
  if (skipped.empty()) return "";
  std::string text = "\nLeft out\n";
  for (const Json& one : skipped) {
    const std::string selection = selection_text(one.at("selection"));
    text += paragraph(text_at(one, "claim") + (selection.empty() ? "" : " " + selection) + ": " + text_at(one, "reason"), 2);
  }
  return text;
}

std::string summary_line(const Json& claims) {
  const auto count = [&](const char* key, const char* value) {
    return std::ranges::count_if(claims, [&](const Json& entry) { return entry.at(key) == value; });
  };
  return fmt::format("\n{} claims: {} hold, {} fail, {} do not apply, {} undecided; {} proved\n", claims.size(), count("verdict", "holds"),
                     count("verdict", "fails"), count("verdict", "inapplicable"), count("verdict", "undecided"), count("grade", "proved"));
}

}  // namespace

std::string audit_text(const Json& case_entry) {
  const Json& audit = case_entry.at("audit");
  const auto entries = [&](AuditSection section) { return entries_of(case_entry, section); };
  const Entries theorems = entries(AuditSection::theorems);
  return fmt::format("{}  {}\n", text_at(case_entry, "name"), text_at(case_entry, "file")) + paragraph(shape_line(audit), 2) +
         remarks_text(audit.at("sanity")) + in_short(theorems) + section("Assumptions", entries(AuditSection::assumptions)) +
         selections_text(audit.at("selections")) + section("Which selections are optimal", entries(AuditSection::optima)) +
         theorem_section(theorems) + section("Support vector machines", entries(AuditSection::svms)) +
         section("Numerics", entries(AuditSection::numerics)) + advice_text(audit.at("advice")) + skipped_text(audit.at("skipped")) +
         summary_line(case_entry.at("claims"));
}

std::string audit_faults(const Json& case_entry) {
  std::string text;
  for (const Json& entry : case_entry.at("claims"))
    if (entry.contains("ended_early")) text += fmt::format("{}: {}\n", name_of_entry(entry), text_at(entry, "message"));
  return text;
}

}  // namespace attest
