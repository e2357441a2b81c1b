#include "claim_text.hpp"

#include "attest/base/spelling.hpp"
#include "attest/report/descriptor.hpp"
#include "text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

namespace attest {
namespace {

constexpr std::string_view introduction = R"(# The claims

<!-- Made by scripts/docs from what the claims in lib/claims/src say of themselves. -->

Each claim is written in a case as `{"claim": NAME, …parameters…}`. `attest claims NAME` prints the same
explanation, `attest claims --json` all of them for tools. Verdicts and grades are explained in [results.md](results.md), certificates in
[certificate.md](certificate.md), the mathematics in [theory.md](theory.md). Common to all: `expect` (default
`"holds"`) and `grade` (default `"observed"`), the least grade that satisfies the case. What is proved, a claim or a hypothesis of a
theorem, has a certificate; a claim that is inapplicable has that of the hypothesis that fails.
)";

std::vector<std::string> paragraphs(std::string_view text) {
  std::vector<std::string> found;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) found.push_back(line);
  return found;
}

/// What it states in a sentence or two, and where that is from.
std::string statement(const Claim& claim) { return fmt::format("{} {}", claim.words, claim.source); }

/// "Needs v in the case unless interval is given."
std::string need_sentence(const Need& need, std::string_view quote) {
  const std::string unless = need.unless.empty() ? "" : fmt::format(" unless {0}{1}{0} is given", quote, need.unless);
  return fmt::format("Needs {0}{1}{0} in the case{2}.", quote, need.field, unless);
}

std::string default_of(const ParameterSpec& parameter) {
  return parameter.required ? "required" : parameter.fallback.empty() ? "" : fmt::format("default: {}", parameter.fallback);
}

std::string hypothesis_names(const Claim& claim) {
  std::string names;
  for (const HypothesisId id : claim.hypotheses) names += (names.empty() ? "" : "; ") + std::string(name_of(id));
  return names;
}

/// A table of names and what they mean; a name that is too long for its column has a line of its own.
class NameTable {
 public:
  void add(std::string_view name, const std::string& meaning) { rows_.emplace_back(name, meaning); }

  std::string text(std::string_view title) const {
    if (rows_.empty()) return "";
    constexpr std::size_t widest = 18;
    std::size_t width = 8;
    for (const auto& [name, meaning] : rows_)
      if (name.size() <= widest) width = std::max(width, name.size());
    const std::size_t column = width + 4;
    std::string table = fmt::format("\n{}:\n", title);
    for (const auto& [name, meaning] : rows_) {
      table += fmt::format("  {:<{}}", name, width + 2);
      if (name.size() > width) table += "\n" + std::string(column, ' ');
      table += wrapped(meaning, column, column) + "\n";
    }
    return table;
  }

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
};

/// Text as Markdown shows it: what would be markup is escaped, but for `code`. Letters around "_" keep it from being any, and "<=" is no
/// tag.
std::string escaped_markdown(std::string_view text) {
  const auto word = [&](std::size_t k) { return k < text.size() && std::isalnum(static_cast<unsigned char>(text[k])) != 0; };
  std::string result;
  bool code = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '`') code = !code;
    const char next = k + 1 < text.size() ? text[k + 1] : ' ';
    const bool always = c == '\\' || c == '*' || c == '~' || c == '$';
    const bool emphasis = c == '_' && !(k > 0 && word(k - 1) && word(k + 1));
    const bool tag = c == '<' && (word(k + 1) || next == '/' || next == '!' || next == '?');
    const bool entity = c == '&' && (word(k + 1) || next == '#');
    const bool link = c == ']' && (next == '(' || next == '[' || next == ':');
    if (!code && (always || emphasis || tag || entity || link)) result += '\\';
    result += c;
  }
  return result;
}

/// A paragraph: documents that it names become links, and its beginning is no list, heading or quotation.
std::string markdown_paragraph(std::string_view text) {
  std::string result = escaped_markdown(text);
  if (!result.empty() && std::string_view("-+#>=").find(result.front()) != std::string_view::npos) result.insert(0, 1, '\\');
  constexpr std::string_view folder = "docs/";
  constexpr std::string_view ending = ".md";
  for (std::size_t at = result.find(folder); at != std::string::npos; at = result.find(folder, at)) {
    const std::size_t end = result.find(ending, at);
    const std::string name = end == std::string::npos ? "" : result.substr(at + folder.size(), end + ending.size() - at - folder.size());
    const bool plain = !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_.") == std::string::npos;
    const std::string link = plain ? fmt::format("[{0}]({0})", name) : std::string(folder);
    result.replace(at, plain ? folder.size() + name.size() : folder.size(), link);
    at += link.size();
  }
  return result;
}

/// The same in a cell of a table.
std::string markdown_cell(std::string_view text) {
  std::string result;
  for (const char c : markdown_paragraph(text)) result += c == '|' ? "\\|" : std::string(1, c);
  return result;
}

/// TeX as a document shows it: one name that reports know is not in every reader's TeX.
std::string formula_block(std::string tex) {
  constexpr std::string_view name = "\\argmin";
  for (std::size_t at = tex.find(name); at != std::string::npos; at = tex.find(name, at))
    tex.replace(at, name.size(), "\\mathop{\\mathrm{argmin}}");
  return fmt::format("\n```math\n{}\n```\n", tex);
}

std::string parameter_table(const Claim& claim) {
  if (claim.schema.parameters.empty()) return "";
  std::string table = "\n| parameter | what it is | values | default |\n|---|---|---|---|\n";
  for (const ParameterSpec& parameter : claim.schema.parameters)
    table += fmt::format("| `{}` | {} | {} | {} |\n", parameter.name, markdown_cell(parameter.about), markdown_cell(values_of(parameter)),
                         parameter.required ? "required" : markdown_cell(parameter.fallback));
  return table;
}

std::string number_table(const Claim& claim) {
  if (claim.numbers.empty()) return "";
  std::string table = "\n| number | what it is |\n|---|---|\n";
  for (const NumberSpec& number : claim.numbers) table += fmt::format("| `{}` | {} |\n", number.name, markdown_cell(number.about));
  return table;
}

}  // namespace

std::string claims_text() {
  constexpr std::size_t column = 20;
  std::string text;
  for (const Claim& claim : all_claims()) text += fmt::format("{:<19} {}\n", claim.schema.name, wrapped(claim.summary, column, column));
  return text;
}

std::string claim_text(const Claim& claim) {
  std::string text = wrapped(fmt::format("{}: {}", claim.schema.name, claim.summary), 0, 0) + "\n";
  text += "\n" + wrapped(statement(claim), 0, 0) + "\n\n";
  for (const std::string& paragraph : paragraphs(claim.text)) text += wrapped(paragraph, 0, 0) + "\n";
  for (const Need& need : claim.schema.needs) text += "\n" + need_sentence(need, "") + "\n";
  if (!claim.hypotheses.empty()) text += "\n" + wrapped("Hypotheses: " + hypothesis_names(claim), 2, 0) + "\n";
  NameTable parameters;
  for (const ParameterSpec& parameter : claim.schema.parameters) {
    const std::string given = default_of(parameter);
    parameters.add(parameter.name, fmt::format("{} ({}{}{})", parameter.about, values_of(parameter), given.empty() ? "" : "; ", given));
  }
  NameTable numbers;
  for (const NumberSpec& number : claim.numbers) numbers.add(number.name, std::string(number.about));
  return text + parameters.text("Parameters") + numbers.text("Numbers");
}

std::string claim_markdown(const Claim& claim) {
  std::string section = fmt::format("## {}\n", claim.schema.name);
  section += fmt::format("**{}.** {}\n", escaped_markdown(claim.title), markdown_paragraph(statement(claim)));
  if (!claim.formula.empty()) section += formula_block(std::string(claim.formula));
  for (const std::string& paragraph : paragraphs(claim.text)) section += "\n" + markdown_paragraph(paragraph) + "\n";
  for (const Need& need : claim.schema.needs) section += "\n" + need_sentence(need, "`") + "\n";
  if (!claim.hypotheses.empty()) section += "\nHypotheses: " + escaped_markdown(hypothesis_names(claim)) + ".\n";
  return section + parameter_table(claim) + number_table(claim);
}

std::string claims_markdown() {
  std::string page(introduction);
  for (const Claim& claim : all_claims()) page += "\n" + claim_markdown(claim);
  return page;
}

std::string not_a_claim(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Claim& claim : all_claims()) known.push_back(claim.schema.name);
  const std::string_view meant = likely_meant(known, name);
  return meant.empty() ? fmt::format("found {}, expected {}", name, one_of(known, name))
                       : fmt::format("found {}, expected a claim: did you mean {}? `attest claims` lists them", name, meant);
}

}  // namespace attest
