#include "formula.hpp"

#include "markup.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace attest {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr std::array<Entry, 13> letter_names = {{{"alpha", "α"},
                                                 {"gamma", "γ"},
                                                 {"Gamma", "Γ"},
                                                 {"chi", "χ"},
                                                 {"epsilon", "ε"},
                                                 {"lambda", "λ"},
                                                 {"mu", "μ"},
                                                 {"nu", "ν"},
                                                 {"ell", "ℓ"},
                                                 {"infty", "∞"},
                                                 {"nabla", "∇"},
                                                 {"ldots", "…"},
                                                 {"prime", "′"}}};
constexpr std::array<Entry, 12> operators = {{{"le", "≤"},
                                              {"ge", "≥"},
                                              {"ne", "≠"},
                                              {"to", "→"},
                                              {"in", "∈"},
                                              {"cdot", "·"},
                                              {"Rightarrow", "⇒"},
                                              {"forall", "∀"},
                                              {"exists", "∃"},
                                              {"top", "⊤"},
                                              {"approx", "≈"},
                                              {"perp", "⊥"}}};
/// Operators whose scripts stand below and above.
constexpr std::array<Entry, 4> large = {{{"sum", "∑"}, {"min", "min"}, {"max", "max"}, {"argmin", "arg min"}}};

template <std::size_t size>
std::string_view meaning(const std::array<Entry, size>& table, std::string_view name) {
  for (const auto& [key, value] : table)
    if (key == name) return value;
  return {};
}

/// Brackets and norms keep their size beside fractions.
std::string fence(std::string_view sign) { return fmt::format("<mo stretchy=\"false\">{}</mo>", escaped(sign)); }

/// Spaces at the ends of a text would be lost.
std::string unbreakable(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == ' ' ? "\u00a0" : escaped(std::string_view(&c, 1));
  return result;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Reader {
 public:
  explicit Reader(std::string_view tex) : rest_(tex) {}

  /// Everything up to the end or a closing brace.
  std::string row() {
    std::string items;
    for (skip_spaces(); !rest_.empty() && rest_.front() != '}'; skip_spaces()) items += scripted();
    return items;
  }

 private:
  struct Atom {
    std::string markup;
    bool large = false;
  };

  std::string scripted() {
    const Atom base = atom();
    std::string below;
    std::string above;
    for (skip_spaces(); !rest_.empty() && (rest_.front() == '_' || rest_.front() == '^'); skip_spaces()) {
      std::string& script = rest_.front() == '_' ? below : above;
      rest_.remove_prefix(1);
      skip_spaces();
      script = rest_.empty() ? "<mrow></mrow>" : atom().markup;
    }
    const char* kind = base.large ? "under" : "sub";
    const char* high = base.large ? "over" : "sup";
    if (below.empty() && above.empty()) return base.markup;
    if (above.empty()) return fmt::format("<m{0}>{1}{2}</m{0}>", kind, base.markup, below);
    if (below.empty()) return fmt::format("<m{0}>{1}{2}</m{0}>", high, base.markup, above);
    return fmt::format("<m{0}{1}>{2}{3}{4}</m{0}{1}>", kind, high, base.markup, below, above);
  }

  Atom atom() {
    const char c = rest_.front();
    if (c == '\\') return command();
    if (c == '{') return {"<mrow>" + group() + "</mrow>"};
    if (is_digit(c)) {
      std::size_t size = 1;
      while (size < rest_.size() && (is_digit(rest_[size]) || rest_[size] == '.')) ++size;
      return {fmt::format("<mn>{}</mn>", taken(size))};
    }
    if (is_letter(c)) return {fmt::format("<mi>{}</mi>", taken(1))};
    const std::string_view sign = taken(1);
    if (std::string_view("()[]|").find(sign) != std::string_view::npos) return {fence(sign)};
    return {fmt::format("<mo>{}</mo>", sign == "-" ? "−" : escaped(sign))};
  }

  Atom command() {
    rest_.remove_prefix(1);
    if (!rest_.empty() && !is_letter(rest_.front())) {  // \| is a norm, \{ a brace
      const std::string_view sign = taken(1);
      return {fence(sign == "|" ? "‖" : sign)};
    }
    std::size_t size = 0;
    while (size < rest_.size() && is_letter(rest_[size])) ++size;
    const std::string name(taken(size));
    if (name == "frac") {
      skip_spaces();
      const std::string above = group();
      skip_spaces();
      return {fmt::format("<mfrac><mrow>{}</mrow><mrow>{}</mrow></mfrac>", above, group())};
    }
    if (name == "text") return {fmt::format("<mtext>{}</mtext>", unbreakable(plain_group()))};
    if (name == "mathrm") return {fmt::format("<mi mathvariant=\"normal\">{}</mi>", escaped(plain_group()))};
    if (name == "quad") return {"<mspace width=\"1em\"></mspace>"};
    if (const auto letter = meaning(letter_names, name); !letter.empty()) return {fmt::format("<mi>{}</mi>", letter)};
    if (const auto sign = meaning(operators, name); !sign.empty()) return {fmt::format("<mo>{}</mo>", sign)};
    if (const auto sign = meaning(large, name); !sign.empty()) return {fmt::format("<mo movablelimits=\"false\">{}</mo>", sign), true};
    return {fmt::format("<mi>{}</mi>", escaped(name))};
  }

  std::string group() {
    if (rest_.empty() || rest_.front() != '{') return "";
    rest_.remove_prefix(1);
    std::string inside = row();
    if (!rest_.empty()) rest_.remove_prefix(1);
    return inside;
  }

  std::string_view plain_group() {
    if (rest_.empty() || rest_.front() != '{') return {};
    rest_.remove_prefix(1);
    const std::string_view inside = taken(std::min(rest_.find('}'), rest_.size()));
    if (!rest_.empty()) rest_.remove_prefix(1);
    return inside;
  }

  std::string_view taken(std::size_t size) {
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(part.size());
    return part;
  }

  void skip_spaces() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }

  std::string_view rest_;
};

}  // namespace

std::string mathml(std::string_view tex) { return "<math display=\"block\">" + Reader(tex).row() + "</math>"; }

}  // namespace attest
