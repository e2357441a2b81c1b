#pragma once

#include <utility>

#include "problem.hpp"

namespace attest::check {

/// A weight list of §4.9 over one denominator.
struct WeightList {
  std::vector<std::pair<std::size_t, Integer>> entries;  ///< sample and weight > 0, ascending
  Integer denominator = 1;
};
WeightList read_weight_list(const Json& node, const Problem& problem);
std::vector<WeightList> read_weight_lists(const Json& node, const Problem& problem);

/// What the trees of one certificate have in common.
struct TreeFrame {
  const Problem& problem;
  const Selection& selection;
  const std::vector<bool>& in_support;
  const std::vector<WeightList>& weights;
  Rational gamma_squared;
  Rational slope;  ///< κ·nu
};

/// Throws Rejected unless every node of the tree of a cell [from, upto] of sample j is valid (§4.9).
void require_closed_tree(const TreeFrame& frame, std::size_t j, const Rational& from, const Rational& upto, const Json& tree);

}  // namespace attest::check
