#pragma once

#include "attest/model/rational_interval.hpp"
#include "attest/model/svm_program.hpp"

#include <optional>
#include <vector>

/// What kinds of several families share.
namespace attest::certified {

/// A multiplier list, its rows ascending. Rows of the v-SVM are named by their sample alone.
struct WeightedRow {
  RowName row;
  Rational weight;
};
using Multipliers = std::vector<WeightedRow>;

struct Solution {
  std::vector<Rational> w;
  Multipliers lambda;
};

// 4.19: what limits share

/// Assumption A on an interval that holds every score.
struct LossBlock {
  RationalInterval interval;
  Rational slope_sup;
  Rational m0;
  Rational m1;
  std::vector<Rational> cuts;
};
/// Rows with weights of any sign but 0, ascending.
using Coefficients = std::vector<WeightedRow>;

// 4.24 to 4.26: what paths share

/// least <= -l' <= largest near the selected score of a sample.
struct SlopeRange {
  Rational least;
  Rational largest;
};
/// One a sample; none for a sample of one token.
using Slopes = std::vector<std::optional<SlopeRange>>;

}  // namespace attest::certified
