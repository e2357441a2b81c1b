#include "answer_part.hpp"

#include "badges.hpp"
#include "figure.hpp"
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

/// Of a training run that was tracked: the claim about it.
const Json* tracked_claim(const Json& one) {
  const auto& claims = list_at(one, "claims");
  return member(one, "track") && claims.size() == 1 ? &claims.front() : nullptr;
}

/// "from 0", or "radius 10".
std::string share_start(const Json& share) {
  const Json* start = member(share, "start");
  return start == nullptr || !start->is_number() ? "from 0" : "radius " + value_text(*start);
}

/// "0.81 seen, 0.15 along the path, proved at most 0.9": what is known of one norm.
std::string error_text(const Json& one) {
  std::string text;
  const auto add = [&](const char* key, const char* words) {
    if (const auto value = number_at(one, key))
      text += fmt::format(
          "{}{}", text.empty() ? "" : ", ",
          std::string_view(key) == "bound" ? fmt::format("{} {}", words, short_upper(*value)) : fmt::format("{:.2g} {}", *value, words));
  };
  add("seen_error", "seen");
  add("path_error", "along the path");
  add("bound", "proved at most");
  return text;
}

std::string expected_part(const Json& audit) {
  std::string text;
  std::string name;
  for (const Json& one : list_at(audit, "expected")) {
    const auto norm = number_at(one, "norm");
    const std::string error = error_text(one);
    if (!norm || error.empty()) continue;
    text += fmt::format("{}norm {:g}: {}", text.empty() ? "" : "; ", *norm, error);
    name = text_at(one, "name");
  }
  const Json* rate = member(audit, "rate");
  const auto constant = rate ? number_at(*rate, "constant") : std::nullopt;
  const auto from = rate ? number_at(*rate, "from_norm") : std::nullopt;
  if (constant && from)
    text += fmt::format("{}proved at most {}/norm from norm {:.3g} on", text.empty() ? "" : "; ", short_upper(*constant), *from);
  if (text.empty()) return "";
  return fmt::format("<p>How far one must train to see it, by the direction error{}: {}.</p>\n",
                     name.empty() ? "" : " on the way to " + escaped(name), escaped(text));
}

/// Which share of each kind of start goes to the selection of that name: "44 % of radius 1, 2 % of radius 10 (proved)".
std::string destination_shares(const Json& audit, const std::string& name) {
  std::string text;
  for (const Json& share : list_at(audit, "destinations")) {
    if (member(share, "selection") == nullptr || text_at(share, "name") != name) continue;
    const std::string start = share_start(share);
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ",
                        start == "from 0" ? start : fmt::format("{:.3g} % of {}", 100 * number_at(share, "share").value_or(0), start),
                        text_at(share, "grade") == "proved" ? " (proved)" : "");
  }
  return text;
}

std::string why_looked_at(const Json& audit, const Json& selection) {
  for (const Json& looked_at : list_at(audit, "selections"))
    if (const Json* known = member(looked_at, "selection"); known && *known == selection) return text_at(looked_at, "why");
  return "locally optimal";
}

}  // namespace

bool has_answer(const Json& one) { return !text_at(audit_of(one), "headline").empty() || tracked_claim(one) != nullptr; }

std::string_view answer_title(const Json& one) { return tracked_claim(one) ? "Where the run goes" : "Where training goes"; }

std::string answer_part(const Json& one) {
  if (const Json* claim = tracked_claim(one))
    return fmt::format("<p class=\"lead\">{} {} {}.</p>\n<p class=\"soft\">{} on {}</p>\n", verdict_badge(text_at(*claim, "verdict")),
                       grade_badge(text_at(*claim, "grade")), escaped(text_at(*claim, "message")), escaped(text_at(one.at("track"), "run")),
                       escaped(text_at(one, "file")));
  const Json& audit = audit_of(one);
  std::string more;
  for (const char* key : {"relevant", "without_svm"})
    if (const std::string said = text_at(audit, key); !said.empty()) more += fmt::format("<p>{}.</p>\n", escaped(said));
  std::string warnings;
  for (const Json& remark : list_at(audit, "sanity"))
    if (text_at(remark, "level") == "warning")
      warnings += fmt::format("<p class=\"warning\">{}</p>\n", escaped(text_at(remark, "message")));
  return fmt::format("<p class=\"lead\">{}.</p>\n{}{}{}", escaped(text_at(audit, "headline")), more, expected_part(audit), warnings);
}

std::string selections_part(const Json& one) {
  constexpr std::size_t most_open = 6;
  const Json& audit = audit_of(one);
  const Json* names = member(audit, "names");
  if (names == nullptr || !names->is_object() || names->empty()) return "";
  std::string rows;
  for (const auto& [name, selection] : names->items()) {
    const std::string shares = destination_shares(audit, name);
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"selection\">{}</td><td class=\"soft\">{}</td><td>{}</td></tr>",
                        escaped(name), escaped(selection_text(selection)), escaped(why_looked_at(audit, selection)), escaped(shares));
  }
  return fmt::format(
      "<details class=\"spelt\"{}><summary>The {} selections, one token a sample, and which starts go there</summary><table "
      "class=\"names\"><tbody>{}</tbody></table></details>\n",
      names->size() <= most_open ? " open" : "", names->size(), rows);
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
