#include "badges.hpp"

#include "attest/report/label.hpp"
#include "json_view.hpp"
#include "markup.hpp"

#include <fmt/format.h>

namespace attest {

std::string_view verdict_sign(std::string_view verdict) {
  if (verdict == "holds") return "✓";
  if (verdict == "fails") return "✗";
  if (verdict == "inapplicable") return "–";
  return "?";
}

std::string verdict_badge(std::string_view verdict) {
  return fmt::format("<span class=\"badge {0}\"><span aria-hidden=\"true\">{1} </span>{0}</span>", escaped(verdict), verdict_sign(verdict));
}

std::string grade_badge(std::string_view grade) { return fmt::format("<span class=\"badge grade {0}\">{0}</span>", escaped(grade)); }

std::string verdict_and_grade(const nlohmann::ordered_json& claim) { return text_at(claim, "verdict") + ", " + text_at(claim, "grade"); }

std::string card_id(std::size_t case_index, std::size_t claim_index) { return fmt::format("claim-{}-{}", case_index, claim_index); }
std::string case_id(std::size_t case_index) { return fmt::format("case-{}", case_index); }

std::string claim_title(const nlohmann::ordered_json& claim) {
  const nlohmann::ordered_json* selection = member(claim, "selection");
  const std::string text = selection ? selection_text(*selection) : "";
  return claim_label(claim) + (text.empty() ? "" : " " + text);
}

}  // namespace attest
