#pragma once

#include "inner.hpp"

#include "attest/attest.hpp"

namespace attest::inline v1 {

struct Problem::Inner {
  inner::Problem problem;
};

}  // namespace attest::inline v1
