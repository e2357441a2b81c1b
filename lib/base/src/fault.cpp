#include "attest/base/fault.hpp"

namespace attest {

std::string to_string(const InputFault& fault) {
  std::string text = fault.file;
  if (!fault.path.empty()) text += (text.empty() ? "" : ": ") + fault.path;
  return text + ": found " + fault.found + ", expected " + fault.expected;
}

}  // namespace attest
