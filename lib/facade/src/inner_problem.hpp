#pragma once

#include "inner.hpp"

#include "attest/attest.hpp"

namespace attest {
inline namespace v1 {

struct Problem::Inner {
  inner::Problem problem;
};

}  // namespace v1
}  // namespace attest
