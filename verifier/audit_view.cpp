#include "audit_view.hpp"

#include "attest/claims/claim.hpp"
#include "attest/report/label.hpp"
#include "text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
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

using Entries = std::vector<const Json*>;

/// Entries of one label with the same verdict and grade, shown as one.
std::vector<Entries> groups_of(const Entries& entries) {
  std::vector<Entries> groups;
  for (const Json* entry : entries) {
    const auto same = std::ranges::find_if(groups, [&](const Entries& group) {
      return std::ranges::all_of(std::array{"label", "verdict", "grade"},
                                 [&](const char* key) { return group.front()->at(key) == entry->at(key); });
    });
    if (same == groups.end())
      groups.push_back({entry});
    else
      same->push_back(entry);
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

/// The claims that the section is for; a claim that is not known here is shown with the numerics.
Entries entries_of(const Json& case_entry, AuditSection section) {
  Entries found;
  for (const Json& entry : case_entry.at("claims")) {
    const Claim* claim = find_claim(entry.at("claim").get_ref<const std::string&>());
    if ((claim ? claim->section : AuditSection::numerics) == section) found.push_back(&entry);
  }
  return found;
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

/// To three digits, not below the value: a bound that is rounded down is none.
std::string upper_text(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
  return fmt::format("{:.3g}", std::isfinite(unit) && unit > 0 ? std::ceil(value / unit) * unit : value);
}

/// "0.21, 0.1, -" for the norms in order; nothing where none is known.
std::string numbers_text(const Json& list, const char* key) {
  std::string text;
  bool some = false;
  for (const Json& one : list) {
    const Json& value = one.at(key);
    some = some || value.is_number();
    text += (text.empty() ? "" : ", ") + (value.is_number() ? fmt::format("{:.2g}", value.get<double>()) : "-");
  }
  return some ? text : "";
}

/// Writes the parts of the text.
class AuditView {
 public:
  AuditView(const Json& case_entry, const Paint& paint)
      : case_(case_entry), audit_(case_entry.at("audit")), paint_(paint), theorems_(entries_of(case_entry, AuditSection::theorems)) {}

  std::string answer() const { return head(false) + where_training_goes() + change(); }

  std::string one_screen() const {
    return head(false) + where_training_goes() + theory() + change() + names(names_on_a_screen) + "\n" +
           paragraph(summary() + " (--verbose prints all)", 0);
  }

  std::string everything() const {
    return head(true) + where_training_goes() + theory() + change() + section("Assumptions", AuditSection::assumptions) +
           names(audit_.at("names").size()) + section("Which selections are optimal", AuditSection::optima) + theorem_section() +
           section("Support vector machines", AuditSection::svms) + section("Numerics", AuditSection::numerics) + advice() + skipped() +
           "\n" + summary() + "\n";
  }

 private:
  static constexpr std::size_t names_on_a_screen = 5;

  std::string title(const std::string& text) const { return "\n" + paint_.bold(text) + "\n"; }

  std::string head(bool with_notes) const {
    std::string text =
        fmt::format("{}  {}\n", paint_.bold(text_at(case_, "name")), text_at(case_, "file")) + paragraph(shape_line(audit_), 2);
    for (const Json& remark : audit_.at("sanity"))
      if (with_notes || remark.at("level") == "warning") text += paragraph(text_at(remark, "level") + ": " + text_at(remark, "message"), 2);
    return text;
  }

  /// A line for each kind of start, and the errors to expect.
  std::string where_training_goes() const {
    constexpr std::string_view between = "; ";
    std::string text = title("Where training goes");
    std::string rest = text_at(audit_, "headline");
    for (std::size_t end = rest.find(between); end != std::string::npos; end = rest.find(between)) {
      text += paragraph(rest.substr(0, end), 2);
      rest.erase(0, end + between.size());
    }
    text += paragraph(rest, 2);
    for (const char* more : {"relevant", "without_svm"})
      if (const std::string said = text_at(audit_, more); !said.empty()) text += paragraph(said, 2);
    return text + error_to_expect();
  }

  std::string error_to_expect() const {
    const Json& list = audit_.at("expected");
    std::vector<std::string> parts;
    for (const auto& [key, what] : {std::pair("seen_error", "seen"), std::pair("path_error", "path")})
      if (const std::string numbers = numbers_text(list, key); !numbers.empty()) parts.push_back(fmt::format("{} ({})", numbers, what));
    if (const Json& rate = audit_.at("rate"); !rate.is_null())
      parts.push_back(fmt::format("at most {}/norm from norm {:.3g} on (proved)", upper_text(rate.at("constant").get<double>()),
                                  rate.at("from_norm").get<double>()));
    if (parts.empty()) return "";
    std::string norms;
    for (const Json& one : list) norms += fmt::format("{}{:g}", norms.empty() ? "" : ", ", one.at("norm").get<double>());
    return paragraph(fmt::format("direction error to expect at norm {} on the way to {}: {}", norms, text_at(list.front(), "name"),
                                 fmt::join(parts, "; ")),
                     2);
  }

  /// Which theorems hold, by proof or as observed, and which say nothing.
  std::string theory() const {
    struct Line {
      const char* verdict;
      const char* grade;  // null: any
      const char* heading;
    };
    constexpr std::array<Line, 5> lines = {{{"holds", "proved", "proved:"},
                                            {"holds", "observed", "observed:"},
                                            {"fails", nullptr, "CONTRADICTED:"},
                                            {"undecided", nullptr, "undecided:"},
                                            {"inapplicable", nullptr, "do not apply:"}}};
    constexpr std::size_t column = 17;
    std::string text;
    for (const auto& [verdict, grade, heading] : lines) {
      const std::string list = theorem_list(verdict, grade);
      if (list.empty()) continue;
      const std::string padded = fmt::format("{:<14}", heading);
      text += "  " + paint_.verdict_of(verdict, padded) + " " + wrapped(list, column, column) + "\n";
    }
    return text.empty() ? "" : title("What the theory says of it") + text;
  }

  std::string theorem_list(std::string_view verdict, const char* grade) const {
    std::string list;
    for (const Entries& group : groups_of(theorems_)) {
      const Json& first = *group.front();
      if (first.at("verdict") != verdict || (grade && first.at("grade") != grade)) continue;
      std::string selections;
      for (const Json* entry : group)
        if (entry->at("selection").is_array()) selections += (selections.empty() ? "" : " ") + short_name(entry->at("selection"));
      list += (list.empty() ? "" : ", ") + claim_label(first) + (selections.empty() || selections == "α*" ? "" : " (" + selections + ")");
    }
    return list;
  }

  std::string change() const {
    const Json& change = audit_.at("change");
    if (change.is_null()) return "";
    std::string theorems;
    for (const Json& one : change.at("theorems")) theorems += (theorems.empty() ? "" : ", ") + one.get<std::string>();
    return title("What to change first") +
           paragraph(fmt::format("{}; then nothing stands in the way of {}", text_at(change, "message"), theorems), 2);
  }

  std::string names(std::size_t most) const {
    const Json& list = audit_.at("names");
    if (list.empty()) return "";
    std::string text = title("Selections");
    std::size_t shown = 0;
    for (const auto& [name, selection] : list.items()) {
      if (shown++ == most) return text + paragraph(fmt::format("and {} more", list.size() - most), 2);
      text += paragraph(fmt::format("{} = {}{}", name, selection_text(selection), why_named(selection)), 2);
    }
    return text;
  }

  std::string why_named(const Json& selection) const {
    for (const Json& one : audit_.at("selections"))
      if (one.at("selection") == selection) return ": " + text_at(one, "why");
    return ": locally optimal, descent goes there";
  }

  /// "α1"; the selection where it has no name.
  std::string short_name(const Json& selection) const {
    for (const auto& [name, named] : audit_.at("names").items())
      if (named == selection) return name;
    return selection_text(selection);
  }

  std::string entry_line(const Json& entry, const std::string& name) const {
    const std::string verdict = text_at(entry, "verdict");
    return fmt::format("  {} {:<8}  {}\n", paint_.verdict_of(verdict, fmt::format("{:<12}", verdict)), text_at(entry, "grade"), name) +
           paragraph(text_at(entry, "message"), 6);
  }

  std::string section(const std::string& heading, AuditSection which) const {
    const Entries entries = entries_of(case_, which);
    if (entries.empty()) return "";
    std::string text = title(heading);
    for (const Json* entry : entries) text += entry_line(*entry, name_of_entry(*entry));
    return text;
  }

  std::string theorem_section() const {
    if (theorems_.empty()) return "";
    std::string text = title("Theorems");
    for (const Entries& group : groups_of(theorems_)) {
      const Json& first = *group.front();
      text += entry_line(first, name_of_entry(first));
      if (first.contains("hypotheses")) text += paragraph("hypotheses that " + hypotheses_text(first), 6);
      if (group.size() > 1) text += paragraph(fmt::format("and {} more of this claim with the same verdict", group.size() - 1), 6);
    }
    return text;
  }

  std::string advice() const {
    if (audit_.at("advice").empty()) return "";
    std::string text = title("What to change where a theorem does not apply");
    for (const Json& one : audit_.at("advice")) text += paragraph(text_at(one, "theorem") + ": " + text_at(one, "message"), 2);
    return text;
  }

  std::string skipped() const {
    if (audit_.at("skipped").empty()) return "";
    std::string text = title("Left out");
    for (const Json& one : audit_.at("skipped")) {
      const std::string selection = selection_text(one.at("selection"));
      text += paragraph(text_at(one, "claim") + (selection.empty() ? "" : " " + selection) + ": " + text_at(one, "reason"), 2);
    }
    return text;
  }

  std::string summary() const {
    const Json& claims = case_.at("claims");
    const auto count = [&](const char* key, const char* value) {
      return std::ranges::count_if(claims, [&](const Json& entry) { return entry.at(key) == value; });
    };
    std::string verdicts;
    for (const auto& [verdict, said] : {std::pair("holds", "hold"), std::pair("fails", "fail"), std::pair("inapplicable", "do not apply"),
                                        std::pair("undecided", "undecided")})
      if (const auto found = count("verdict", verdict); found > 0)
        verdicts += fmt::format("{}{} {}", verdicts.empty() ? "" : ", ", found, said);
    return fmt::format("{} claims: {}; {} proved", claims.size(), verdicts, count("grade", "proved"));
  }

  const Json& case_;
  const Json& audit_;
  const Paint& paint_;
  Entries theorems_;
};

}  // namespace

std::string audit_text(const Json& case_entry, const Paint& paint, AuditDetail detail) {
  const AuditView view(case_entry, paint);
  switch (detail) {
    case AuditDetail::answer: return view.answer();
    case AuditDetail::one_screen: return view.one_screen();
    case AuditDetail::everything: return view.everything();
  }
  return "";
}

std::string audit_faults(const Json& case_entry) {
  std::string text;
  for (const Json& entry : case_entry.at("claims"))
    if (entry.contains("ended_early")) text += fmt::format("{}: {}\n", name_of_entry(entry), text_at(entry, "message"));
  return text;
}

}  // namespace attest
