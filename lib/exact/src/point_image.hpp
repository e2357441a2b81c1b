#pragma once

#include "attest/model/svm_program.hpp"

#include <vector>

namespace attest {

/// What tokens are multiplied with to give logits at a point w, so that a_c.w is a difference of logits:
/// u = w (v-SVM), W^T w (programs on keys), or for each sample u_k = (sum_j q_j z_j^T) z_k (W-SVM).
class PointImage {
 public:
  PointImage(const SvmProgram& program, const FractionVector& point);
  const FractionVector& of_sample(std::size_t position) const { return images_[images_.size() == 1 ? 0 : position]; }
  const std::vector<FractionVector>& all() const { return images_; }

 private:
  std::vector<FractionVector> images_;  // one for all samples, or one a sample
};

}  // namespace attest
