#pragma once

#include "attest/base/rational.hpp"
#include "rational.hpp"

namespace attest::fuzz {

/// The library and the checker have number classes of their own.
inline bool same(const Rational& number, const check::Rational& again) { return mpq_equal(number.data(), again.backend().data()) != 0; }

}  // namespace attest::fuzz
