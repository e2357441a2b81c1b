#include "attest/report/file_names.hpp"

#include <fmt/format.h>

#include <cctype>

namespace attest {

std::string FileNames::unique(const std::string& wished) {
  std::string safe = wished;
  for (char& c : safe)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '_';
  std::string name = safe;
  for (int k = 2; !taken_.insert(name).second; ++k) name = fmt::format("{}~{}", safe, k);
  return name;
}

}  // namespace attest
