#pragma once

#include "attest/base/progress.hpp"

namespace attest {

inline const Budget no_limit(3600);

}  // namespace attest
