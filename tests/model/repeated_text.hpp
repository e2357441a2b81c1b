#pragma once

#include <cstddef>
#include <string>

namespace attest {

inline std::string times(std::size_t count, const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

}  // namespace attest
