#pragma once

#include "attest/exact/ball.hpp"
#include "attest/model/parametrisation.hpp"
#include "attest/model/svm_program.hpp"

#include <optional>
#include <span>
#include <vector>

namespace attest {

/// The basin of the unique globally optimal selection: the p with L(p) < L* + chi/n, where chi is the least l(gamma_i^(2)) -
/// l(gamma_i,alpha_i) over samples with two tokens, gamma_i^(2) the second-best score. Constant steps of at most 1/L_p, and flow, converge
/// to p^mm from any point of it. [docs/theory.md, Basin theorem]
class Basin {
 public:
  Basin(const ExactTokens& tokens, const Scores& scores, Parametrisation parametrisation);

  /// In ball arithmetic: true only if p, exactly as given (W by rows), lies in the basin.
  bool contains(std::span<const double> p) const;

  /// chi/n as a double, 0 where the losses were not enclosed: for a first look in floating point.
  double level() const;

 private:
  struct Sample {
    std::size_t index;
    std::size_t best;
    Ball best_loss;
    Ball step;  // l(gamma^(2)) - l(gamma_alpha)
  };
  std::optional<Ball> excess(const Sample& sample, const std::vector<Ball>& p) const;
  std::vector<Ball> prompt(std::size_t sample, const std::vector<Ball>& p) const;

  const ExactTokens* tokens_;
  Scores scores_;
  Parametrisation parametrisation_;
  std::vector<Sample> samples_;  // those with two tokens; empty where a loss was not enclosed
};

}  // namespace attest
