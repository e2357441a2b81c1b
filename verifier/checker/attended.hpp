#pragma once

#include <string>
#include <vector>

#include "enclosed.hpp"
#include "key_products.hpp"

namespace attest::check {

/// The attention of one sample over a set of points, and what it attends to.
struct Attention {
  /// differences[s][t] holds ⟨key_t − key_s, p⟩ for every p of the set.
  Attention(const EnclosedMatrix& differences, const std::vector<Rational>& scores, const Arithmetic& arithmetic);

  EnclosedVector weights;  ///< s_it
  Enclosed output;         ///< f̃_i = Σ s_it γ_it
  EnclosedVector pulls;    ///< c_it = s_it (γ_it − f̃_i)
};

/// The attention at one point, given by the exact logits.
Attention attention_at(const std::vector<Rational>& logits, const std::vector<Rational>& scores, const Arithmetic& arithmetic);

/// At the origin every token of a sample has the same attention.
struct Means {
  explicit Means(const Scores& scores);

  std::vector<Rational> outputs;             ///< f̃_i
  std::vector<std::vector<Rational>> pulls;  ///< (γ_it − f̃_i)/T_i
};

/// Throws Rejected unless the point that was read from `node` is 0.
void require_origin(const Json& node, const Point& point);

/// What has no value proves nothing.
template <class Check>
void defined(const std::string& place, const Check& check) {
  try {
    check();
  } catch (const Undefined& why) {
    throw Rejected(place + ": " + why.what());
  }
}

}  // namespace attest::check
