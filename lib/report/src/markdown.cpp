#include "attest/report/markdown.hpp"

#include "attest/report/difference.hpp"
#include "audit_part.hpp"
#include "badges.hpp"
#include "json_view.hpp"
#include "markup.hpp"
#include "summary_part.hpp"
#include "theorem_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

std::string signed_verdict_and_grade(const Json& entry) {
  return fmt::format("{} {}", verdict_sign(text_at(entry, "verdict")), verdict_and_grade(entry));
}

std::string failure_tables(const Json& results) {
  const std::string tables = markdown_tables(unmet_expectations(results), expected_and_found);
  return tables.empty() ? "" : "## Not as expected\n\n" + tables + "\n";
}

std::string theorems(const Json& results) {
  std::string text;
  for (const TheoremTable& table : theorem_tables(results)) {
    text += fmt::format("### {}\n\n| case |", markdown_text(table.claim));
    std::string rule = "|---|";
    for (const std::string& name : table.hypotheses) {
      text += " " + markdown_text(name) + " |";
      rule += "---|";
    }
    text += " verdict | conclusion or obstacle |\n" + rule + "---|---|\n";
    for (const TheoremTable::Row& row : table.rows) {
      text += fmt::format("| {} {} |", markdown_text(text_at(*row.one, "name")), markdown_text(row.what()));
      for (const std::string& name : table.hypotheses) {
        const Json* hypothesis = row.hypothesis(name);
        text += hypothesis ? fmt::format(" {} {} |", verdict_sign(text_at(*hypothesis, "verdict")), text_at(*hypothesis, "grade")) : " · |";
      }
      const std::string reason = row.reason();
      text += fmt::format(" {} | {} |\n", signed_verdict_and_grade(*row.claim),
                          markdown_text(reason.empty() ? text_at(*row.claim, "conclusion") : reason));
    }
    text += "\n";
  }
  return text.empty() ? "" : "## Theorems\n\n" + text;
}

std::string case_part(const Json& one) {
  const auto& claims = list_at(one, "claims");
  const auto passed = std::ranges::count_if(claims, [](const Json& claim) { return claim.at("passed").get<bool>(); });
  std::string rows;
  for (const Json& claim : claims)
    rows += fmt::format("| {} | {} | {} | {} |\n", claim.at("passed").get<bool>() ? "pass" : "**FAIL**", markdown_text(claim_title(claim)),
                        signed_verdict_and_grade(claim), markdown_text(text_at(claim, "message")));
  // Folded where all is well: GitHub shows details in pull requests.
  const bool good = static_cast<std::size_t>(passed) == claims.size() && data_changed_text(one).empty();
  return fmt::format(
      "<details{}><summary>{}: {} of {} ({})</summary>\n\n{}| result | claim | found | evidence "
      "|\n|---|---|---|---|\n{}\n</details>\n\n",
      good ? "" : " open", markdown_text(text_at(one, "name")), passed, claims.size(), markdown_text(text_at(one, "file")),
      audit_markdown(one), rows);
}

}  // namespace

std::string markdown(const Json& results) {
  const Json& run = results.at("attest");
  std::string text = fmt::format("# attest: {}\n\n", headline(results));
  text += failure_tables(results) + theorems(results);
  text += "## Claims\n\n";
  for (const Json& one : list_at(results, "cases")) text += case_part(one);
  text += fmt::format("attest {}", markdown_text(text_at(run, "version")));
  for (const auto& [key, name] : {std::pair{"casadi", "CasADi"}, std::pair{"ipopt", "IPOPT"}, std::pair{"seed", "seed"}})
    if (const Json* value = member(run, key)) text += fmt::format(", {} {}", name, markdown_text(value_text(*value)));
  return text + "\n";
}

}  // namespace attest
