#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace attest {

/// Colours text for a terminal; leaves it alone for a pipe or where NO_COLOR is set.
class Paint {
 public:
  explicit Paint(std::FILE* out);

  std::string bold(const std::string& text) const { return painted("1", text); }
  std::string good(const std::string& text) const { return painted("32", text); }
  std::string bad(const std::string& text) const { return painted("31;1", text); }
  std::string open(const std::string& text) const { return painted("33", text); }
  /// In the colour of a verdict.
  std::string verdict_of(std::string_view verdict, const std::string& text) const;

 private:
  std::string painted(const char* colour, const std::string& text) const;

  bool on_;
};

}  // namespace attest
