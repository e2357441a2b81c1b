#include "attest/model/selection.hpp"

#include <algorithm>

namespace attest {

std::string to_string(const Selection& selection) {
  constexpr std::size_t shown = 8;
  std::string text = "(";
  for (std::size_t i = 0; i < std::min(shown, selection.size()); ++i) text += (i == 0 ? "" : ", ") + std::to_string(selection[i]);
  if (selection.size() > shown) text += ", … " + std::to_string(selection.size()) + " in all";
  return text + ")";
}

}  // namespace attest
