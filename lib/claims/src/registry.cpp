#include "claim_list.hpp"

#include <array>

namespace attest {

std::span<const Claim> all_claims() {
  static const std::array claims = {
      derivatives_claim(),
      assumption_a_claim(),
      step_size_claim(),
      p_svm_claim(),
      v_svm_claim(),
      joint_svm_claim(),
      w_svm_claim(),
      overparametrised_claim(),
      globally_optimal_claim(),
      locally_optimal_claim(),
      census_claim(),
      prompt_weight_claim(),
      descent_claim(),
      gd_global_claim(),
      gd_local_claim(),
      tightness_claim(),
      path_claim(),
      cross_validation_claim(),
      assumption_b_claim(),
      joint_path_claim(),
      nonlinear_head_claim(),
      mirror_descent_claim(),
      w_gd_claim(),
      w_path_claim(),
      kq_path_claim(),
  };
  return claims;
}

const Claim* find_claim(std::string_view name) {
  for (const Claim& claim : all_claims())
    if (claim.schema.name == name) return &claim;
  return nullptr;
}

std::vector<ClaimSchema> all_schemas() {
  std::vector<ClaimSchema> schemas;
  for (const Claim& claim : all_claims()) schemas.push_back(claim.schema);
  return schemas;
}

}  // namespace attest
