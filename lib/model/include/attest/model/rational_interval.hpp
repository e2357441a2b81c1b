#pragma once

#include "attest/base/rational.hpp"

namespace attest {

struct RationalInterval {
  Rational low;
  Rational high;
};

}  // namespace attest
