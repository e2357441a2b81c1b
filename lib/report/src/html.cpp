#include "attest/report/html.hpp"

#include "markup.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --line: #d1d9e0; --page: #ffffff; --card: #f6f8fa;
        --good: #116329; --bad: #b31d28; --proof: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --page: #0d1117;
        --card: #151b23; --good: #56d364; --bad: #ff7b72; --proof: #79c0ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; font: 1rem/1.5 system-ui, sans-serif;
       color: var(--ink); background: var(--page); }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .25rem; overflow-wrap: anywhere; }
p { margin: .25rem 0; } .soft { color: var(--soft); font-size: .9rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; } td.claim { white-space: nowrap; font-family: ui-monospace, monospace; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; } .proved { color: var(--proof); font-weight: 600; }
summary { cursor: pointer; color: var(--soft); } dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 .8rem; margin: .3rem 0; }
dt { color: var(--soft); } dd { margin: 0; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
@media print { body { max-width: none; } details > * { display: block; } }
)";

std::string text_of(const Json& object, const char* key) { return object.at(key).get<std::string>(); }

std::string numbers_list(const Json& claim) {
  const Json& numbers = claim.at("numbers");
  std::string items;
  for (const auto& [name, value] : numbers.items())
    items += fmt::format("<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(value_text(value)));
  if (claim.at("certificate").is_string())
    items += fmt::format("<dt>certificate</dt><dd>{}</dd>", escaped(text_of(claim, "certificate")));
  if (items.empty()) return "";
  return "<details><summary>numbers</summary><dl>" + items + "</dl></details>";
}

std::string claim_row(const Json& claim) {
  const bool passed = claim.at("passed").get<bool>();
  const std::string grade = text_of(claim, "grade");
  const std::string expected = passed ? "" : " (expected " + text_of(claim, "expect") + ", " + text_of(claim, "expect_grade") + ")";
  return fmt::format(
      "<tr><td class=\"{0}\">{1}</td><td class=\"claim\">{2} {3}</td><td>{4}{5}</td><td class=\"{6}\">{6}</td><td>{7}{8}</td></tr>\n",
      passed ? "good" : "bad", passed ? "pass" : "FAIL", escaped(text_of(claim, "claim")),
      escaped(selection_text(claim.at("selection"))), escaped(text_of(claim, "verdict")), escaped(expected), escaped(grade),
      escaped(text_of(claim, "message")), numbers_list(claim));
}

std::string case_section(const Json& one) {
  std::string rows;
  for (const Json& claim : one.at("claims")) rows += claim_row(claim);
  return fmt::format(
      "<section><h2>{}</h2><p class=\"soft\">{}</p>\n<div class=\"scroll\"><table><thead><tr><th scope=\"col\">result</th>"
      "<th scope=\"col\">claim</th><th scope=\"col\">verdict</th><th scope=\"col\">grade</th><th scope=\"col\">evidence</th></tr></thead>\n"
      "<tbody>\n{}</tbody></table></div></section>\n",
      escaped(text_of(one, "name")), escaped(text_of(one, "file")), rows);
}

}  // namespace

std::string html(const Json& results) {
  const Json& summary = results.at("summary");
  const Json& run = results.at("attest");
  const auto passed = summary.at("passed").get<std::size_t>();
  const auto failed = summary.at("failed").get<std::size_t>();
  std::string sections;
  for (const Json& one : results.at("cases")) sections += case_section(one);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>attest: {0} as expected, {1} not</title><style>{2}</style></head>\n"
      "<body><main><h1>attest report</h1>\n<p><span class=\"good\">{0} claims as expected</span>, <span class=\"{3}\">{1} not</span>."
      " <em>Proved</em> means exact or interval arithmetic decided; <em>observed</em> means numbers within a stated tolerance.</p>\n"
      "<p class=\"soft\">attest {4}, CasADi {5}, IPOPT {6}, seed {7}</p>\n{8}</main></body></html>\n",
      passed, failed, style, failed == 0 ? "good" : "bad", escaped(text_of(run, "version")), escaped(text_of(run, "casadi")),
      escaped(text_of(run, "ipopt")), run.at("seed").dump(), sections);
}

}  // namespace attest
