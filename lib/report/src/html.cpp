#include "attest/report/html.hpp"

#include "answer_part.hpp"
#include "case_section.hpp"
#include "json_view.hpp"
#include "leading.hpp"
#include "markup.hpp"
#include "page_assets.hpp"
#include "summary_part.hpp"
#include "theorem_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

constexpr std::string_view filter_part = R"(<form class="filter" role="search" aria-label="Filter the claims">
<label>Search <input type="search" id="search" placeholder="claim, case or message" autocomplete="off"></label>
<label>Verdict <select id="verdict"><option value="">all</option><option>holds</option><option>fails</option><option>undecided</option><option>inapplicable</option></select></label>
<label>Grade <select id="grade"><option value="">all</option><option>proved</option><option>observed</option></select></label>
<label class="check"><input type="checkbox" id="failed"> not as expected</label>
<span class="actions"><button type="button" id="open-all">Open all</button><button type="button" id="close-all">Close all</button></span>
<p id="shown" role="status" aria-live="polite"></p>
</form>
)";

/// An audit says first where training goes, then what the theory says of it, then what to change; other results, what is as expected.
std::string head_part(const Json& results) {
  const auto& cases = list_at(results, "cases");
  if (!std::ranges::any_of(cases, has_answer)) return summary_part(results) + theorem_matrix(results);
  std::string answers;
  std::string changes;
  for (const Json& one : cases) {
    const std::string name = cases.size() > 1 ? fmt::format("<h2>{}</h2>\n", escaped(text_at(one, "name"))) : "";
    answers += name + answer_part(one) + leading_part(one) + selections_part(one);
    if (const std::string change = change_part(one); !change.empty())
      changes += (name.empty() ? "" : "<h3>" + escaped(text_at(one, "name")) + "</h3>\n") + change;
  }
  return fmt::format("<section id=\"answer\" aria-labelledby=\"answer-title\"><h1 id=\"answer-title\">{}</h1>\n{}</section>\n{}{}{}",
                     answer_title(cases.front()), answers, theorem_matrix(results),
                     changes.empty()
                         ? ""
                         : "<section id=\"change\" aria-labelledby=\"change-title\"><h2 id=\"change-title\">What to change</h2>\n" +
                               changes + "</section>\n",
                     summary_part(results));
}

}  // namespace

std::string html(const Json& results, const std::filesystem::path& page_folder) {
  const Json& summary = results.at("summary");
  std::string sections;
  const auto& cases = list_at(results, "cases");
  CardBodies bodies;
  for (std::size_t i = 0; i < cases.size(); ++i) sections += case_section(cases[i], i, page_folder, bodies);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">"
      "<meta name=\"color-scheme\" content=\"light dark\"><title>attest: {passed} as expected, {failed} "
      "not</title>\n<style>{marks}{style}</style>\n<script>{theme}</script></head>\n"
      "<body><a class=\"skip\" href=\"#main\">Skip to the results</a>\n<header class=\"top\"><p class=\"brand\">attest "
      "<span>report</span></p>"
      "<button type=\"button\" id=\"theme\">Dark theme</button></header>\n<div class=\"layout\">{contents}<main "
      "id=\"main\" tabindex=\"-1\">\n{head}"
      "<section id=\"claims\" aria-labelledby=\"claims-title\"><h2 id=\"claims-title\">Claims</h2>\n{filter}{sections}"
      "<p id=\"nothing\" hidden>No claim matches the "
      "filter.</p></section></main></div>\n{packed}<script>{script}</script><script>{figures}</script></body></html>\n",
      fmt::arg("passed", summary.at("passed").get<std::size_t>()), fmt::arg("failed", summary.at("failed").get<std::size_t>()),
      fmt::arg("marks", plot_style), fmt::arg("style", page_style), fmt::arg("theme", page_theme_script),
      fmt::arg("contents", contents_part(results)), fmt::arg("head", head_part(results)), fmt::arg("filter", filter_part),
      fmt::arg("sections", sections), fmt::arg("packed", bodies.packed()), fmt::arg("script", page_script),
      fmt::arg("figures", figure_script));
}

}  // namespace attest
