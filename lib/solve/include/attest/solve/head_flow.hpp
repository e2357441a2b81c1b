#pragma once

#include "attest/base/progress.hpp"
#include "attest/solve/head_model.hpp"

#include <string>
#include <vector>

namespace attest {

struct HeadFlowSettings {
  double step = 0.2;  ///< length of a step
  int steps = 4000;   ///< at most
};

/// Gradient flow on L(W), followed until every token has either a share of the attention or practically none.
struct HeadRun {
  enum class End { separated, unsettled, not_finite, out_of_time };
  End end = End::unsettled;
  std::vector<Eigen::VectorXd> points;  ///< the start first; coordinates of the model
  TokenSets sets;                       ///< when separated: the tokens that kept a share
};
std::string to_string(HeadRun::End end);

/// Steps of the implicit Euler rule, y+ = argmin L + |y+ - y|^2 / (2 tau), with tau such that |y+ - y| is about the step
/// length. Normalised descent by explicit steps cannot follow this flow: inside the sets the loss has curvature, where a
/// step overshoots, while outside it falls like exp(-|W|), so that all steps go to and fro inside.
HeadRun follow_head_flow(const HeadModel& model, const Eigen::VectorXd& start, const HeadFlowSettings& settings, const Budget& budget);

/// W_fin [TS]: the minimiser, in `span`, of the loss in which attention is shared inside the sets alone, found by Newton's
/// method from `start`; coordinates in the span. Empty when the method does not settle.
Eigen::VectorXd finite_part(const HeadModel& model, const TokenSets& sets, const Eigen::MatrixXd& span, const Eigen::VectorXd& start);

}  // namespace attest
