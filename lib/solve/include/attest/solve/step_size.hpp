#pragma once

#include "attest/graph/numeric_problem.hpp"

namespace attest {

/// L_p = (1/n) sum_i ( M0 |v|^2 |W|^2 |X_i|^4 + 3 M1 |v| |W|^2 |X_i|^3 ) with spectral norms: bounds the
/// Lipschitz constant of the gradient in p; descent with a step of at most 1/L_p never increases L. [MM] For weights |z_i|
/// stands for |W|. [TS]
double lipschitz_constant(const Problem& problem, double m0, double m1, Parametrisation parametrisation = Parametrisation::prompt);

}  // namespace attest
