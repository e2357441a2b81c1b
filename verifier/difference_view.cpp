#include "difference_view.hpp"

#include <fmt/format.h>

namespace attest {

std::string difference_text(const std::vector<Difference>& list, const Sides& sides, std::size_t width) {
  constexpr std::size_t indent = 6;
  std::string text;
  for (auto one = list.begin(); one != list.end(); ++one) {
    if (one == list.begin() || one->cause != std::prev(one)->cause) text += fmt::format("{}\n", title_of(one->cause));
    text += "  " + wrapped(one->one + (one->claim.empty() ? "" : ": " + one->claim), 4, 2, width) + "\n";
    const std::string what =
        fmt::format("{} {}; {} {}{}", sides.before, one->before, sides.after, one->after, one->why.empty() ? "" : ": " + one->why);
    text += std::string(indent, ' ') + wrapped(what, indent, indent, width) + "\n";
  }
  return text;
}

}  // namespace attest
