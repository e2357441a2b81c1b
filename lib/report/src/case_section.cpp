#include "case_section.hpp"

#include "answer_part.hpp"
#include "audit_part.hpp"
#include "badges.hpp"
#include "claim_card.hpp"
#include "json_view.hpp"
#include "leading.hpp"
#include "markup.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

std::string score_table(const Json& data) {
  const auto& scores = list_at(data, "scores");
  const auto& labels = list_at(data, "labels");
  std::string rows;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto values = numbers_in(scores[i]);
    if (!values || values->empty()) continue;
    const double best = *std::ranges::max_element(*values);
    std::string cells;
    for (const double value : *values) cells += fmt::format("<td{}>{:.4g}</td>", value == best ? " class=\"best\"" : "", value);
    rows += fmt::format("<tr><th scope=\"row\">sample {}</th><td class=\"soft\">label {}</td>{}</tr>", i,
                        i < labels.size() ? escaped(value_text(labels[i])) : "–", cells);
  }
  if (rows.empty()) return "";
  return "<h4>Scores γ of the tokens</h4><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Scores of "
         "the tokens\"><table class=\"cells\"><tbody>" +
         rows + "</tbody></table></div>";
}

std::string data_shape(const Json& data) {
  std::string text;
  if (const auto n = number_at(data, "n")) text += fmt::format("{:g} sample{}", *n, *n == 1 ? "" : "s");
  if (const auto tokens = numbers_at(data, "T"); tokens && !tokens->empty()) {
    const auto [least, most] = std::ranges::minmax(*tokens);
    text += least == most ? fmt::format(", {:g} tokens each", least) : fmt::format(", {:g} to {:g} tokens each", least, most);
  }
  if (const auto d = number_at(data, "d")) text += fmt::format(", dimension {:g}", *d);
  if (const std::string loss = text_at(data, "loss"); !loss.empty()) text += ", loss " + loss;
  return text;
}

std::string data_part(const Json& one, CardBodies& bodies) {
  const Json* data = member(one, "data");
  const std::string tokens = data ? html_of(token_plot(*data)) : "";
  const std::string inside = (data ? score_table(*data) : "") + (tokens.empty() ? "" : "<div class=\"plots\">" + tokens + "</div>");
  const std::string shape = data ? data_shape(*data) : "";
  if (inside.empty()) return shape.empty() ? "" : fmt::format("<p class=\"soft\">{}</p>\n", escaped(shape));
  return fmt::format("<details class=\"data\"><summary>Data{}{}</summary>{}</details>\n", shape.empty() ? "" : ": ", escaped(shape),
                     bodies.place(inside));
}

/// The pictures of a case that does not lead the page with them; those of the first cases are open.
std::string pictures_part(const Json& one, std::size_t index, CardBodies& bodies) {
  constexpr std::size_t open_cases = 3;
  const std::string pictures = has_answer(one) ? "" : leading_part(one);
  if (pictures.empty()) return "";
  return fmt::format("<details class=\"data\"{}><summary>Pictures</summary>{}</details>\n", index < open_cases ? " open" : "",
                     bodies.place(pictures));
}

}  // namespace

std::string case_section(const Json& one, std::size_t index, const std::filesystem::path& page_folder, CardBodies& bodies) {
  const auto& claims = list_at(one, "claims");
  const auto passed =
      static_cast<std::size_t>(std::ranges::count_if(claims, [](const Json& claim) { return claim.at("passed").get<bool>(); }));
  std::string cards;
  for (std::size_t k = 0; k < claims.size(); ++k) cards += claim_card(claims[k], {one, index, k}, page_folder, bodies);
  const std::string changed = data_changed_text(one);
  const std::string about = text_at(one, "about");
  const std::string source = text_at(one, "source");
  return fmt::format(
      "<section class=\"case\" id=\"{id}\" aria-labelledby=\"{id}-title\"><h3 id=\"{id}-title\">{name} <span "
      "class=\"count {state}\">{passed} of {all}</span></h3>\n"
      "<p class=\"soft\">{file}</p>\n{changed}{about}{audit}{leading}{data}{cards}</section>\n",
      fmt::arg("id", case_id(index)), fmt::arg("name", escaped(text_at(one, "name"))),
      fmt::arg("state", passed == claims.size() && changed.empty() ? "good" : "bad"), fmt::arg("passed", passed),
      fmt::arg("all", claims.size()), fmt::arg("file", escaped(text_at(one, "file"))),
      fmt::arg("changed", changed.empty() ? "" : fmt::format("<p class=\"bad\">{}</p>\n", escaped(changed))),
      fmt::arg("about", about.empty() && source.empty()
                            ? ""
                            : fmt::format("<p class=\"about\">{} <span class=\"soft\">{}</span></p>\n", escaped(about), escaped(source))),
      fmt::arg("audit", audit_part(one)), fmt::arg("leading", pictures_part(one, index, bodies)), fmt::arg("data", data_part(one, bodies)),
      fmt::arg("cards", cards));
}

}  // namespace attest
