#include "claim_list.hpp"

#include <array>

namespace attest {

ProblemSize::ProblemSize(const Problem& problem) {
  samples = static_cast<double>(problem.sample_count());
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    const auto count = static_cast<double>(problem.token_count(i));
    tokens += count;
    most_tokens = std::max(most_tokens, count);
  }
  rows = tokens - samples;
  dimension = static_cast<double>(problem.dimension());
}

std::span<const Claim> all_claims() {
#define ATTEST_LIST_CLAIM(name) name##_claim(),
  static const std::array claims = {ATTEST_CLAIMS(ATTEST_LIST_CLAIM)};
#undef ATTEST_LIST_CLAIM
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
