#pragma once

#include "attest/solve/active_set_guess.hpp"

namespace attest {

/// The rows with positive multipliers at the minimiser of a W-SVM with inequalities alone, for so many rows that a factorisation of them
/// one by one costs too much.
///
/// The dual, max sum lambda_c - 1/2 |sum lambda_c a_c|^2 over lambda >= 0, is solved with products of rows alone: gradient steps with
/// momentum find about which multipliers are positive, then all that have the wrong sign change sides at once (block principal pivoting,
/// Kim and Park 2011), with conjugate gradients in place of factors. Programs without a solution stall.
ActiveSetGuess guess_weight_rows(const SvmProgram& program, const Budget& budget);

}  // namespace attest
