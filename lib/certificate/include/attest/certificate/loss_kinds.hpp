#pragma once

#include "attest/certificate/kind_parts.hpp"
#include "attest/model/parametrisation.hpp"

#include <vector>

/// The loss: Assumption A, its exact shape, how much it bends.
namespace attest::certified {

// 4.1, 4.2

struct LossBounds {
  RationalInterval interval;
  Rational slope_sup;
  Rational m0;
  Rational m1;
  bool covers_scores;
  std::vector<Rational> cuts;
};
struct LossNotDecreasing {
  RationalInterval interval;
  Rational a;
  Rational b;
  bool covers_scores;
  bool by_slope;  ///< or by its values at a and b
};
struct LossFlat {
  std::size_t sample;
  std::size_t token;
  Rational at;
  bool rational;  ///< by exact arithmetic, or by an enclosure
};

// 4.18

struct LogisticLoss {};
struct NotLogistic {
  Rational u;
};

// 4.32

struct CurvatureBound {
  Parametrisation over;
  Rational bound;
  RationalInterval interval;
  std::vector<Rational> cuts;
  std::vector<Rational> weights;
  std::vector<bool> by_tokens;  ///< the form of each sample: by its tokens, or by its width
  Rational widths;
  Rational spread;
};

}  // namespace attest::certified
