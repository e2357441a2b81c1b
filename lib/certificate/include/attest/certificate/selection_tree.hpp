#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace attest {

/// A proof that no way to take one offered point a sample has a margin above a target: a node is closed by weights (by
/// their index in a list), or has one child for each point that its sample offers.
struct SelectionTree {
  std::optional<std::size_t> weights;
  std::size_t sample = 0;
  std::vector<SelectionTree> children;
};

}  // namespace attest
