#pragma once

#include "attest/claims/claim.hpp"
#include "attest/exact/loss_bounds.hpp"

namespace attest {

/// I = [min gamma, max gamma]: where Y_i f_i lies for every p. [docs/theory.md, section 1]
RationalInterval score_interval(const Scores& scores);

}  // namespace attest
