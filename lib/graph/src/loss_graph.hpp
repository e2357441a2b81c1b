#pragma once

#include "attest/model/loss.hpp"

#include <casadi/casadi.hpp>

namespace attest {

/// l(u) as a CasADi graph. The logistic loss, named or written as log1p(exp f) or log(1 + exp f), does not overflow at any u.
casadi::MX loss_graph(const Loss& loss, const casadi::MX& u);

/// log l(u) of a positive loss; for the logistic loss at any u.
casadi::MX log_loss_graph(const Loss& loss, const casadi::MX& u);

/// log(-l'(u)), entry by entry; for the logistic loss at any u, however small l' is.
casadi::MX log_slope_graph(const Loss& loss, const casadi::MX& u);

/// l''(u) / l'(u)^2 * exp(log_scale), entry by entry; for the logistic loss at any u.
casadi::MX scaled_curvature_graph(const Loss& loss, const casadi::MX& u, const casadi::MX& log_scale);

/// log of (l(gamma - G) - l(gamma)) / G, entry by entry and without cancellation at any G, 0 and negative ones included.
casadi::MX log_mean_slope_graph(const Loss& loss, const casadi::MX& gamma, const casadi::MX& G);

}  // namespace attest
