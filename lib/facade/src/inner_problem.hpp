#pragma once

#include "inner.hpp"

#include "attest/attest.hpp"

namespace attest {
inline namespace v1 {

/// Throws InputError unless it is a time that a clock can count.
inline void demand_budget(double seconds) {
  if (!(seconds > 0) || !(seconds <= 1e9))
    throw InputError("budget_seconds: found " + std::to_string(seconds) + ", expected a number above 0 and up to 1e9");
}

/// The options as the rooms take them; throws InputError unless they are some. Makes the folder of certificates.
inner::RunOptions inner_of(const RunOptions& options);

struct Problem::Inner {
  inner::Problem problem;
};

}  // namespace v1
}  // namespace attest
