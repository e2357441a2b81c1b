#pragma once

#include "attest/model/loss.hpp"

#include <casadi/casadi.hpp>

namespace attest {

/// l(u) as a CasADi graph. The logistic loss does not overflow at any u.
casadi::MX loss_graph(const Loss& loss, const casadi::MX& u);

}  // namespace attest
