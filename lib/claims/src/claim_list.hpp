#pragma once

#include "attest/claims/claim.hpp"

namespace attest {

// One function a claim, each in its own file; the registry lists them.
Claim derivatives_claim();
Claim assumption_a_claim();
Claim step_size_claim();
Claim globally_optimal_claim();
Claim p_svm_claim();
Claim v_svm_claim();
Claim joint_svm_claim();
Claim w_svm_claim();
Claim overparametrised_claim();
Claim locally_optimal_claim();
Claim census_claim();
Claim prompt_weight_claim();
Claim descent_claim();
Claim gd_global_claim();
Claim gd_local_claim();
Claim tightness_claim();
Claim path_claim();
Claim cross_validation_claim();
Claim assumption_b_claim();
Claim joint_path_claim();
Claim nonlinear_head_claim();
Claim mirror_descent_claim();
Claim w_gd_claim();
Claim w_path_claim();
Claim kq_path_claim();

}  // namespace attest
