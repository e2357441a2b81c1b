#pragma once

#include "attest/claims/claim.hpp"

namespace attest {

// Every claim, in the order of docs/claims.md: the file NAME.cpp, or one that it shares with its kin, defines `Claim NAME_claim()`.
#define ATTEST_CLAIMS(CLAIM) \
  CLAIM(derivatives)         \
  CLAIM(assumption_a)        \
  CLAIM(step_size)           \
  CLAIM(p_svm)               \
  CLAIM(v_svm)               \
  CLAIM(joint_svm)           \
  CLAIM(w_svm)               \
  CLAIM(overparametrised)    \
  CLAIM(globally_optimal)    \
  CLAIM(locally_optimal)     \
  CLAIM(census)              \
  CLAIM(prompt_weight)       \
  CLAIM(descent)             \
  CLAIM(destinations)        \
  CLAIM(trajectory)          \
  CLAIM(basins)              \
  CLAIM(gd_global)           \
  CLAIM(gd_local)            \
  CLAIM(tightness)           \
  CLAIM(path)                \
  CLAIM(cross_validation)    \
  CLAIM(assumption_b)        \
  CLAIM(joint_path)          \
  CLAIM(nonlinear_head)      \
  CLAIM(mirror_descent)      \
  CLAIM(w_gd)                \
  CLAIM(w_path)              \
  CLAIM(kq_path)             \
  CLAIM(no_stationary_point) \
  CLAIM(sparsity_norm)       \
  CLAIM(first_step)          \
  CLAIM(head_path)

#define ATTEST_DECLARE_CLAIM(name) Claim name##_claim();
ATTEST_CLAIMS(ATTEST_DECLARE_CLAIM)
#undef ATTEST_DECLARE_CLAIM

}  // namespace attest
