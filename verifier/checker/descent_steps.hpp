#pragma once

#include <utility>

#include "descent_run.hpp"
#include "step_derivative.hpp"

namespace attest::check {

/// −ℓ' on balls inside the loss block's interval, where every f̃ lies.
class RunSlopes {
 public:
  RunSlopes(const Loss& loss, const LossBounds& bounds, const BallArithmetic& balls);

  [[nodiscard]] Ball at(const Ball& u) const;

 private:
  const Loss* loss_;
  LossForm form_;
  const LossBounds* bounds_;
  const BallArithmetic* balls_;
  Arithmetic arithmetic_;
};

/// The logits of one sample as linear forms of the state, and their differences from those of a reference token r.
class SampleForms {
 public:
  /// Token t has the logit forms[t]·state + offsets[t].
  SampleForms(const std::vector<ScaledVector>& forms, std::vector<Rational> offsets, const std::vector<Rational>& scores,
              std::size_t reference, const BallArithmetic& balls);

  [[nodiscard]] std::size_t tokens() const { return offsets_.size(); }
  [[nodiscard]] std::size_t reference() const { return reference_; }
  [[nodiscard]] const LinearForm& form(std::size_t t) const { return forms_[t]; }
  /// γ_ir − γ_it
  [[nodiscard]] const Rational& gap(std::size_t t) const { return gaps_[t]; }
  [[nodiscard]] const Rational& reference_score() const { return (*scores_)[reference_]; }

  /// u_t = logit_r − logit_t for every token, r the token of the largest midpoint logit, which becomes the reference.
  [[nodiscard]] std::vector<Ball> differences_from_largest(const std::vector<Ball>& state);

 private:
  [[nodiscard]] std::vector<Ball> differences(const std::vector<Ball>& state) const;
  void refer_to(std::size_t reference);

  std::vector<std::vector<Integer>> numerators_;
  Integer denominator_;
  std::vector<Rational> offsets_;
  const std::vector<Rational>* scores_;
  const BallArithmetic* balls_;
  std::size_t reference_;
  std::vector<LinearForm> forms_;
  std::vector<Ball> shifts_;
  std::vector<Rational> gaps_;
};

/// One step's −∇L, up to a common positive factor: for each sample the weights of k_ir − k_it (t ≠ r), and at r what the formula relative
/// to another token than r needs there, −s_r G.
using TokenWeights = std::vector<std::vector<Ball>>;

/// exp(m − u_t) for every token but the reference of its sample. Where the gradient is normalised m is such that nothing underflows; it is
/// 0 for constant steps.
struct Powers {
  std::vector<std::vector<Ball>> values;
  Ball shrink;  ///< exp(−m)
};

/// §4.20 without what differs between p and W. The state stands for the centre of a ball, p itself or the coefficients B of
/// W = start + Σ B_c a_c, and p_k lies within e_k of it. The mean value inequality carries the ball: p_{k+1} = F(p_k) lies within Λ_k e_k
/// of F(centre); for flow p_{k+1} is no F(p_k), and Carry says how. Boxes would turn with the step and lose up to two bits each time.
class Descent {
 public:
  explicit Descent(const RunFacts& facts);
  virtual ~Descent() = default;
  Descent(const Descent&) = delete;
  Descent& operator=(const Descent&) = delete;

  RunEnd run();

 protected:
  [[nodiscard]] const RunFacts& facts() const { return facts_; }
  [[nodiscard]] const BallArithmetic& balls() const { return balls_; }
  [[nodiscard]] const std::vector<SampleForms>& samples() const { return samples_; }
  [[nodiscard]] std::vector<SampleForms>& samples() { return samples_; }
  [[nodiscard]] std::vector<Ball>& state() { return state_; }
  /// e_k
  [[nodiscard]] const Radius& error() const { return error_; }
  /// The radii of the state become part of e_k, and the state a point.
  void take_radii() { error_ = error_ + taken_radius(); }
  [[nodiscard]] Interval widened(const Ball& x, const Radius& by) const { return balls_.interval({x.mid, x.radius + by}); }

  /// What F' on the ball makes of e_k.
  [[nodiscard]] virtual Carry carry(const StepBall& ball) = 0;
  /// How far apart two states within the radii can be; the radii become 0.
  [[nodiscard]] virtual Radius taken_radius() = 0;
  /// The change of the state along −∇L, and ‖∇L‖².
  [[nodiscard]] virtual std::vector<Ball> direction(const TokenWeights& weights) const = 0;
  [[nodiscard]] virtual Ball norm_squared(const std::vector<Ball>& direction) const = 0;
  [[nodiscard]] virtual RunEnd end() = 0;

 private:
  void advance();
  void step(const Powers& powers);
  [[nodiscard]] Ball length(const std::vector<Ball>& change) const;
  Powers powers();
  [[nodiscard]] TokenWeights token_weights(const Powers& powers) const;
  [[nodiscard]] std::vector<Ball> sample_weights(const SampleForms& sample, const std::vector<Ball>& powers, const Ball& shrink) const;
  [[nodiscard]] StepBall on_the_ball(const Powers& powers) const;
  [[nodiscard]] double reach() const;
  [[nodiscard]] Near near(const Ball& x) const;

  RunFacts facts_;
  BallArithmetic balls_;
  RunSlopes slopes_;
  std::vector<SampleForms> samples_;
  std::vector<Ball> state_;
  Radius error_;
};

}  // namespace attest::check
