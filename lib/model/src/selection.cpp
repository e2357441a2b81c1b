#include "attest/model/selection.hpp"

namespace attest {

std::string to_string(const Selection& selection) {
  std::string text = "(";
  for (std::size_t i = 0; i < selection.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(selection[i]);
  return text + ")";
}

}  // namespace attest
