#include "claim_card.hpp"

#include "attest/claims/claim.hpp"
#include "attest/report/label.hpp"
#include "badges.hpp"
#include "formula.hpp"
#include "json_view.hpp"
#include "markup.hpp"
#include "number_table.hpp"
#include "plots.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

namespace fs = std::filesystem;

std::string statement_part(const std::string& name) {
  const Claim* claim = find_claim(name);
  if (claim == nullptr) return "";
  return fmt::format(
      "<div class=\"statement\"><p><strong>{}.</strong> {} <span class=\"soft\">{}</span></p><div "
      "class=\"formula\">{}</div></div>",
      escaped(claim->title), escaped(claim->words), escaped(claim->source), mathml(claim->formula));
}

std::string finding_part(const Json& claim) {
  const std::string expect = text_at(claim, "expect");
  const std::string expected =
      expect.empty() || member(claim, "ended_early") != nullptr
          ? ""
          : fmt::format("<span class=\"soft\">expected</span> {} {}", verdict_badge(expect), grade_badge(text_at(claim, "expect_grade")));
  return fmt::format("<p class=\"finding\"><span class=\"soft\">found</span> {} {} {}</p>", verdict_badge(text_at(claim, "verdict")),
                     grade_badge(text_at(claim, "grade")), expected);
}

/// The address of a file as seen from the page. Only what may stand in a path of an address is left as it is.
std::string address(const std::string& file, const fs::path& page_folder) {
  const fs::path absolute = fs::absolute(file).lexically_normal();
  const std::string path = absolute.lexically_relative(fs::absolute(page_folder).lexically_normal()).generic_string();
  std::string encoded = "./";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos;
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return encoded;
}

/// " (proof)", a link, where there is one.
std::string proof_link(const std::string& certificate, const fs::path& page_folder) {
  if (certificate.empty()) return "";
  return fmt::format(" (<a href=\"{}\">proof</a>)", escaped(address(certificate, page_folder)));
}

std::string hypotheses_part(const Json& claim, const fs::path& page_folder) {
  const auto& hypotheses = list_at(claim, "hypotheses");
  const std::string conclusion = text_at(claim, "conclusion");
  if (hypotheses.empty() && conclusion.empty()) return "";
  std::string items;
  for (const Json& hypothesis : hypotheses)
    items += fmt::format("<tr><th scope=\"row\">{}</th><td>{} {}</td><td>{}{}</td></tr>", escaped(text_at(hypothesis, "name")),
                         verdict_badge(text_at(hypothesis, "verdict")), grade_badge(text_at(hypothesis, "grade")),
                         escaped(text_at(hypothesis, "message")), proof_link(text_at(hypothesis, "certificate"), page_folder));
  return fmt::format(
      "<h4>Hypotheses and conclusion</h4><table class=\"hypotheses\"><tbody>{}<tr class=\"conclusion\"><th "
      "scope=\"row\">⇒ conclusion</th>"
      "<td>{} {}</td><td>{}</td></tr></tbody></table>",
      items, verdict_badge(text_at(claim, "verdict")), grade_badge(text_at(claim, "grade")), escaped(conclusion));
}

/// A word as a shell takes it.
std::string shell_word(const std::string& text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!text.empty() && text.front() != '-' && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Links to the proofs of the runs, by their numbers; empty where there are none.
std::string run_proofs(const Json& claim, const fs::path& page_folder) {
  std::string links;
  const auto& files = list_at(claim, "run_certificates");
  for (std::size_t k = 0; k < files.size(); ++k)
    if (files[k].is_string())
      links += fmt::format("{}<a href=\"{}\">run {}</a>", links.empty() ? "" : ", ",
                           escaped(address(files[k].get<std::string>(), page_folder)), k);
  return links.empty() ? "" : "<p>Proofs of the limits: " + links + "</p>";
}

std::string evidence_part(const Json& claim, const Json& one, const fs::path& page_folder) {
  const std::string certificate = text_at(claim, "certificate");
  if (!certificate.empty())
    return fmt::format(
        "<h4>Evidence</h4><p><a href=\"{}\">{}</a> is the proof. Have it checked again, without any "
        "solver:</p><pre><code>attest-check {} --case {}</code></pre>{}",
        escaped(address(certificate, page_folder)), escaped(certificate), escaped(shell_word(certificate)),
        escaped(shell_word(text_at(one, "file"))), run_proofs(claim, page_folder));
  const bool proved = text_at(claim, "grade") == "proved";
  return fmt::format("<h4>Evidence</h4><p class=\"soft\">{}</p>{}",
                     proved ? "Decided by exact or interval arithmetic. <code>attest verify … --certificates "
                              "DIR</code> writes proofs down."
                            : "Observed: numbers within the tolerances stated, not a proof.",
                     run_proofs(claim, page_folder));
}

/// A tick says that a claim which was decided is as expected; nothing that is open carries one. An audit expects nothing: there the sign is
/// the verdict's.
struct Status {
  std::string_view sign;
  std::string said;
  std::string colour;
};
Status status_of(const Json& claim, bool audit) {
  const std::string verdict = text_at(claim, "verdict");
  if (!claim.at("passed").get<bool>() && !(audit && verdict == "undecided")) return {"✗", "not as expected", "fails"};
  if (audit || verdict == "undecided" || verdict == "inapplicable") return {verdict_sign(verdict), verdict, verdict};
  return {"✓", "as expected", "holds"};
}

std::string body_of(const Json& claim, const Json& one, const fs::path& page_folder) {
  const Json& numbers = claim.at("numbers");
  const std::string table = number_table(text_at(claim, "claim"), numbers);
  const std::string plots = plots_of(numbers);
  return statement_part(text_at(claim, "claim")) + finding_part(claim) + hypotheses_part(claim, page_folder) +
         (table.empty() ? "" : "<h4>Numbers</h4>" + table) + (plots.empty() ? "" : "<template>" + plots + "</template>") +
         evidence_part(claim, one, page_folder) + fmt::format("<p class=\"soft\">{:.3g} s</p>", number_at(claim, "seconds").value_or(0));
}

}  // namespace

std::string claim_card(const Json& claim, const ClaimPlace& place, const fs::path& page_folder, CardBodies& bodies) {
  const bool passed = claim.at("passed").get<bool>();
  const std::string verdict = text_at(claim, "verdict");
  const std::string grade = text_at(claim, "grade");
  const Json* selection = member(claim, "selection");
  const Status status = status_of(claim, place.one.contains("audit") || place.one.contains("track"));
  return fmt::format(
      "<details class=\"card {pass}\" id=\"{id}\" data-verdict=\"{verdict}\" "
      "data-grade=\"{grade}\"{open}><summary><span class=\"status {colour}\">"
      "<span aria-hidden=\"true\">{sign}</span><span class=\"sr\">{said}</span></span><span class=\"name\">{claim} "
      "<span class=\"selection\">{selection}</span></span>"
      "<span class=\"badges\">{verdict_badge} {grade_badge}</span><span "
      "class=\"message\">{message}</span></summary>\n{body}</details>\n",
      fmt::arg("pass", passed ? "pass" : "not-passed"), fmt::arg("id", card_id(place.case_index, place.claim_index)),
      fmt::arg("verdict", escaped(verdict)), fmt::arg("grade", escaped(grade)), fmt::arg("open", passed ? "" : " open"),
      fmt::arg("colour", status.colour), fmt::arg("sign", status.sign), fmt::arg("said", status.said),
      fmt::arg("claim", escaped(claim_label(claim))), fmt::arg("selection", selection ? escaped(selection_text(*selection)) : ""),
      fmt::arg("verdict_badge", verdict_badge(verdict)), fmt::arg("grade_badge", grade_badge(grade)),
      fmt::arg("message", escaped(text_at(claim, "message"))), fmt::arg("body", bodies.place(body_of(claim, place.one, page_folder))));
}

}  // namespace attest
