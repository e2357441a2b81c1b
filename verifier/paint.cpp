#include "paint.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace attest {

Paint::Paint(std::FILE* out) {
  const char* no_colour = std::getenv("NO_COLOR");
  on_ = ::isatty(::fileno(out)) != 0 && !(no_colour && *no_colour);
}

std::string Paint::verdict_of(std::string_view verdict, const std::string& text) const {
  if (verdict == "holds") return good(text);
  return verdict == "fails" ? bad(text) : open(text);
}

std::string Paint::painted(const char* colour, const std::string& text) const {
  return on_ ? fmt::format("\033[{}m{}\033[0m", colour, text) : text;
}

}  // namespace attest
