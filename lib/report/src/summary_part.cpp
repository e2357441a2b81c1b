#include "summary_part.hpp"

#include "answer_part.hpp"
#include "attest/report/label.hpp"
#include "badges.hpp"
#include "json_view.hpp"
#include "markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace attest {
namespace {

constexpr std::array<const char*, 4> verdicts = {"holds", "fails", "undecided", "inapplicable"};
constexpr std::array<const char*, 2> grades = {"proved", "observed"};

struct Counts {
  std::array<std::array<std::size_t, 2>, 4> of = {};
  std::size_t claims = 0;
  std::size_t passed = 0;
  std::set<std::string> certificates = {};  // files
  std::size_t changed = 0;                  // cases whose data are not those that their claims were written for
  double seconds = 0;
};

Counts counted(const Json& results) {
  Counts counts;
  for (const Json& one : list_at(results, "cases")) {
    counts.changed += data_changed_text(one).empty() ? 0 : 1;
    for (const Json& claim : list_at(one, "claims")) {
      const auto verdict = static_cast<std::size_t>(std::ranges::find(verdicts, text_at(claim, "verdict")) - verdicts.begin());
      const std::size_t grade = text_at(claim, "grade") == grades[0] ? 0 : 1;
      if (verdict < verdicts.size()) ++counts.of[verdict][grade];
      ++counts.claims;
      counts.passed += claim.at("passed").get<bool>() ? 1 : 0;
      for (const Json& hypothesis : list_at(claim, "hypotheses")) counts.certificates.insert(text_at(hypothesis, "certificate"));
      counts.certificates.insert(text_at(claim, "certificate"));
      for (const Json& file : list_at(claim, "run_certificates"))
        if (file.is_string()) counts.certificates.insert(file.get<std::string>());
      counts.seconds += number_at(claim, "seconds").value_or(0);
    }
  }
  counts.certificates.erase("");
  return counts;
}

std::string verdict_bar(const Counts& counts) {
  std::string parts;
  std::string rows;
  for (std::size_t v = 0; v < verdicts.size(); ++v)
    for (std::size_t g = 0; g < grades.size(); ++g) {
      const std::size_t count = counts.of[v][g];
      if (count == 0) continue;
      parts += fmt::format("<span class=\"part {0} {1}\" style=\"flex-grow:{2}\" title=\"{0}, {1}: {2}\"></span>", verdicts[v], grades[g],
                           count);
      rows += fmt::format("<li><span class=\"part {0} {1}\"></span>{0}, {1} <strong>{2}</strong></li>", verdicts[v], grades[g], count);
    }
  return fmt::format("<div class=\"bar\" aria-hidden=\"true\">{}</div><ul class=\"legend\">{}</ul>\n", parts, rows);
}

std::string tile(const std::string& value, const char* what) {
  return fmt::format("<div class=\"tile\"><dd>{}</dd><dt>{}</dt></div>", value, what);
}

std::string failure_list(const Json& results) {
  std::string items;
  const auto& cases = list_at(results, "cases");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& claims = list_at(cases[i], "claims");
    if (const std::string changed = data_changed_text(cases[i]); !changed.empty())
      items += fmt::format("<li><a href=\"#{}\">{}</a> {}.</li>\n", case_id(i), escaped(text_at(cases[i], "name")), escaped(changed));
    for (std::size_t k = 0; k < claims.size(); ++k) {
      const Json& claim = claims[k];
      if (claim.at("passed").get<bool>()) continue;
      const std::string missed = missed_expectation(claim);
      items += fmt::format("<li><a href=\"#{}\">{}: {}</a> found {}, {}{}. {}</li>\n", card_id(i, k), escaped(text_at(cases[i], "name")),
                           escaped(claim_title(claim)), escaped(text_at(claim, "verdict")), escaped(text_at(claim, "grade")),
                           missed.empty() ? "" : "; expected " + escaped(missed), escaped(text_at(claim, "message")));
    }
  }
  return items.empty() ? "" : "<div class=\"failures\"><h2>Not as expected</h2><ul>\n" + items + "</ul></div>\n";
}

/// An audit, and a run that was tracked, expects nothing.
bool is_audit(const Json& results) {
  return std::ranges::any_of(list_at(results, "cases"), [](const Json& one) { return one.contains("audit") || one.contains("track"); });
}

}  // namespace

std::string headline(const Json& results) {
  const Counts counts = counted(results);
  if (is_audit(results)) return fmt::format("{} of {} claims hold on these data", counts.of[0][0] + counts.of[0][1], counts.claims);
  const std::string rest = counts.passed == counts.claims ? "" : fmt::format(", {} not", counts.claims - counts.passed);
  const std::string changed =
      counts.changed == 0 ? "" : fmt::format("; the data of {} case{} changed", counts.changed, counts.changed == 1 ? "" : "s");
  return fmt::format("{} of {} claims as expected{}{}", counts.passed, counts.claims, rest, changed);
}

std::string summary_part(const Json& results) {
  const Counts counts = counted(results);
  const std::size_t proved = counts.of[0][0] + counts.of[1][0] + counts.of[2][0] + counts.of[3][0];
  const bool good = counts.passed == counts.claims && counts.changed == 0;
  const bool audit = is_audit(results);
  const Json& run = results.at("attest");
  std::string made_with = "attest " + text_at(run, "version");
  for (const auto& [key, name] : {std::pair{"casadi", "CasADi"}, std::pair{"ipopt", "IPOPT"}, std::pair{"seed", "seed"}})
    if (const Json* value = member(run, key)) made_with += fmt::format(" · {} {}", name, value_text(*value));
  const bool answered = std::ranges::any_of(list_at(results, "cases"), has_answer);  // its own heading stands first
  return fmt::format(
      "<section id=\"summary\" class=\"{state}\" aria-labelledby=\"summary-title\"><{level} id=\"summary-title\">{mark}"
      "{headline}</{level}>\n<dl class=\"tiles\">{tiles}</dl>\n{bar}"
      "<p><strong>Proved</strong> means that exact or interval arithmetic decided; <strong>observed</strong> means "
      "numbers within a stated tolerance, which is no proof. "
      "{expected}</p>\n"
      "<p class=\"soft\">{made_with}</p>\n{failures}</section>\n",
      fmt::arg("state", good ? "good" : "bad"), fmt::arg("level", answered ? "h2" : "h1"),
      fmt::arg("mark", audit ? "" : fmt::format("<span class=\"mark\" aria-hidden=\"true\">{}</span> ", good ? "✓" : "✗")),
      fmt::arg("headline", headline(results)),
      fmt::arg("expected", audit ? "Nothing is expected here: each verdict is what was found."
                                 : "A claim is <em>as expected</em> when its verdict is the one that the case demands, with at "
                                   "least the grade that it demands."),
      fmt::arg("tiles", tile(fmt::format("{}", list_at(results, "cases").size()), "cases") +
                            tile(fmt::format("{}", counts.claims), "claims") + tile(fmt::format("{}", proved), "proved") +
                            tile(fmt::format("{}", counts.claims - proved), "observed") +
                            tile(fmt::format("{}", counts.certificates.size()), "certificates written") +
                            tile(fmt::format("{:.3g} s", counts.seconds), "computing time")),
      fmt::arg("bar", verdict_bar(counts)), fmt::arg("made_with", escaped(made_with)), fmt::arg("failures", failure_list(results)));
}

std::string contents_part(const Json& results) {
  std::string items;
  bool theorems = false;
  const auto& cases = list_at(results, "cases");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& claims = list_at(cases[i], "claims");
    const auto failed = std::ranges::count_if(claims, [](const Json& claim) { return !claim.at("passed").get<bool>(); });
    theorems = theorems || std::ranges::any_of(claims, [](const Json& claim) { return !list_at(claim, "hypotheses").empty(); });
    items +=
        fmt::format("<li><a href=\"#{}\"><span class=\"case-name\">{}</span> {}</a></li>", case_id(i), escaped(text_at(cases[i], "name")),
                    !data_changed_text(cases[i]).empty() ? "<span class=\"bad\">data changed</span>"
                    : failed == 0                        ? fmt::format("<span class=\"soft\">{}</span>", claims.size())
                                                         : fmt::format("<span class=\"bad\">{} of {} not</span>", failed, claims.size()));
  }
  const std::string summary = "<li><a href=\"#summary\">Summary</a></li>";
  const std::string matrix = theorems ? "<li><a href=\"#theorems\">Theorems</a></li>" : "";
  const bool answered = std::ranges::any_of(cases, has_answer);
  const bool advised = std::ranges::any_of(cases, [](const Json& one) { return has_answer(one) && !change_part(one).empty(); });
  // In the order of the page.
  const std::string parts = answered ? fmt::format("<li><a href=\"#answer\">{}</a></li>", answer_title(cases.front())) + matrix +
                                           (advised ? "<li><a href=\"#change\">What to change</a></li>" : "") + summary
                                     : summary + matrix;
  return fmt::format(
      "<nav class=\"contents\" aria-label=\"Contents\"><ul>{}<li><a href=\"#claims\">Claims</a><ul>{}</ul></li></ul></nav>\n", parts,
      items);
}

}  // namespace attest
