#pragma once

#include "attest/solve/active_set_guess.hpp"

namespace attest {

/// The same guess from an interior-point solve by IPOPT of the program's CasADi graph: the second opinion that is
/// asked when the active-set method stalls. Rows with a multiplier that is clearly positive; IPOPT's word that the
/// program is infeasible gives `infeasible` without rows.
ActiveSetGuess ipopt_guess(const SvmProgram& program, const Budget& budget);

}  // namespace attest
