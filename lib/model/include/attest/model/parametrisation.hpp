#pragma once

namespace attest {

/// What is trained. As a vector W is its rows, one after the other: a prompt of d^2 numbers for the keys x_it z_i^T.
enum class Parametrisation {
  prompt,   ///< p in softmax(K_i p) [MM]
  weights,  ///< W in softmax(X_i W z_i), with the queries z_i; the problem's own W plays no part [TS]
};

}  // namespace attest
