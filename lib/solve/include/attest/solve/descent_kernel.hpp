#pragma once

#include "attest/base/log_number.hpp"
#include "attest/model/parametrisation.hpp"
#include "attest/model/problem.hpp"
#include "attest/solve/log_vector.hpp"

#include <Eigen/Core>

#include <memory>

namespace attest {

/// L = base + distance, with base = (1/n) sum_i l(gamma_i,r_i) the loss of the reference selection.
struct LossLevel {
  double base = 0;
  LogNumber distance = {};
  double log_terms = 0;  ///< of the largest sample's distance: what rounding of the distance is measured by
  double scale = 0;      ///< (1/n) sum_i |l(gamma_i,r_i)|: what rounding of the base is measured by
};

/// Whether a lies above b by more than rounding explains.
bool lies_above(const LossLevel& a, const LossLevel& b);

/// L(v,p) and its gradient in p for fixed v and W, true at any norm of p. [docs/theory.md, (1) and section 5]
///
/// Every sample has a reference token r, the one with the largest logit (or nearly so). Keys are kept as differences
/// k_t - k_r and scores as gaps gamma_r - gamma_t, exact but for one rounding, and exponents are shifted by their
/// largest before they are taken: nothing underflows that matters, and what vanishes is never a difference of equals.
/// A pass reads each key difference from memory once.
///
/// For weights p is W by rows. The logits of sample i are those of tokens at the prompt W z_i, and its gradient is g_i z_i^T with
/// g_i the gradient in that prompt: nothing of d^2 numbers a token is formed. [docs/theory.md, W-parametrisation]
class DescentKernel {
 public:
  /// `threads`: 0 chooses by the size of the data.
  DescentKernel(const Problem& problem, const Scores& scores, unsigned threads = 0,
                Parametrisation parametrisation = Parametrisation::prompt);
  /// The weights for queries in other coordinates, a column a sample: W has as many columns as these have numbers.
  DescentKernel(const Problem& problem, const Scores& scores, unsigned threads, const Eigen::MatrixXd& queries);
  ~DescentKernel();
  DescentKernel(DescentKernel&&) noexcept;
  DescentKernel& operator=(DescentKernel&&) noexcept;

  Eigen::Index dimension() const;
  unsigned threads() const;

  /// The gradient at p. Moves the references along, so calls for one kernel must not overlap.
  void gradient(const Eigen::VectorXd& p, LogVector& result);
  LossLevel loss_level(const Eigen::VectorXd& p);
  /// log(L(p) - L*), L* = (1/n) sum_i l(max_t gamma_it) the infimum over all p.
  double log_excess(const Eigen::VectorXd& p);
  /// The token with the largest logit in each sample.
  Selection selection(const Eigen::VectorXd& p);
  /// By how much, in the sample where it is least, the largest logit leads the next: attention is saturated when it is large.
  double least_lead(const Eigen::VectorXd& p);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace attest
