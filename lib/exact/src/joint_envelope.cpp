#include "attest/exact/joint_envelope.hpp"

#include "attest/exact/certificates.hpp"
#include "envelope_parts.hpp"
#include "rational_vector.hpp"
#include "row_space.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

Ball positive_part(const Ball& value) { return Ball(std::max(Rational(0), value.upper())); }

/// A vector of few digits near the given one.
std::vector<Rational> short_vector(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  const int bits = largest > 0 && std::isfinite(largest) ? shift_bits - std::ilogb(largest) : 0;
  std::vector<Rational> result;
  for (const double value : values)
    result.push_back(std::isfinite(value) ? exact_value(std::ldexp(std::round(std::ldexp(value, bits)), -bits)) : Rational(0));
  return result;
}

/// What the limit of the head owes to a bound: |v/r - u|^2 <= 2 (theta + c/r)/Gamma.
struct HeadBound {
  Rational theta;
  Rational c;
  std::optional<std::vector<Rational>> shift;

  Rational at(const Rational& r) const { return theta + c / r; }
};

/// Theorem J on the data. Numbers of samples are taken over Gamma: s_it = Y_i v.x_it, so that bar gamma_it = Gamma s_it.
class JointProof {
 public:
  JointProof(const JointFacts& facts, const JointRadii& radii)
      : facts_(facts), r_(exact_value(radii.head_radius)), R_(exact_value(radii.radius)), v_(facts.assumption_b.v.w),
        gamma_squared_(1 / (2 * facts.assumption_b.v.objective)), Gamma_(sqrt(Ball(gamma_squared_))) {
    read_samples();
    read_attention();
    for (const auto& [row, weight] : facts.assumption_b.v.multipliers)
      samples_[facts.v_program.name(row).sample].weight = weight * gamma_squared_;
  }

  std::optional<certified::JointEnvelope> prove(const std::vector<double>& head) {
    if (!first_pass()) return std::nullopt;
    HeadBound best = by_attention();
    for (const std::vector<Rational>& shift : {std::vector<Rational>(v_.size(), 0), short_vector(head)})
      if (auto again = second_pass(shift); again && again->at(r_) < best.at(r_)) best = std::move(*again);
    // Only then is the angle of v bounded as well as v/r.
    if (!shown_below(Ball(best.at(r_)), Gamma_)) return std::nullopt;
    certified::Multipliers weights;
    for (std::size_t i = 0; i < samples_.size(); ++i)
      if (samples_[i].weight > 0) weights.push_back({{i, 0}, samples_[i].weight});
    return certified::JointEnvelope{certify_assumption_b(facts_.v_program, facts_.assumption_b, AttentionOver::all),
                                    r_,
                                    R_,
                                    theta_,
                                    c_,
                                    best.theta,
                                    best.c,
                                    certified_multipliers(facts_.p_program, facts_.p_solution.multipliers),
                                    std::move(weights),
                                    std::move(best.shift)};
  }

 private:
  struct Sample {
    Rational selected = 0;                                   // s_i,alpha_i >= 1
    Rational drop = 0;                                       // B_i / Gamma
    Rational reach_squared = 0;                              // d_i^2
    std::vector<std::pair<Rational, Rational>> others = {};  // s_i,alpha_i - s_it and |x_it - x_i,alpha_i|^2
    std::vector<Rational> selected_token = {};               // Y_i x_i,alpha_i
    Ball attention = {};                                     // E_i
    Rational weight = 0;                                     // of bar lambda
  };

  void read_samples() {
    const Problem& problem = facts_.v_program.problem();
    const Selection& selection = facts_.v_program.selection();
    for (std::size_t i = 0; i < problem.sample_count(); ++i) {
      const auto token = [&](std::size_t t) {
        std::vector<Rational> x;
        for (std::size_t k = 0; k < problem.dimension(); ++k) x.push_back(problem.labels[i] * problem.tokens[i].at(t, k));
        return x;
      };
      Sample sample{.selected_token = token(selection[i])};
      sample.selected = dot(v_, sample.selected_token);
      for (std::size_t t = 0; t < problem.token_count(i); ++t) {
        if (t == selection[i]) continue;
        std::vector<Rational> apart = token(t);
        for (std::size_t k = 0; k < apart.size(); ++k) apart[k] -= sample.selected_token[k];
        sample.others.emplace_back(-dot(v_, apart), dot(apart, apart));
        sample.drop = std::max(sample.drop, sample.others.back().first);
        sample.reach_squared = std::max(sample.reach_squared, sample.others.back().second);
      }
      samples_.push_back(std::move(sample));
    }
  }

  /// E_i: attention off the selection at R p^mm/|p^mm|.
  void read_attention() {
    Rational norm_squared = 0;
    for (const auto& [row, weight] : facts_.p_solution.multipliers) norm_squared += weight;
    const Ball scale = Ball(R_) / sqrt(Ball(norm_squared));
    const std::vector<Rational> theta = RowSpace(facts_.p_program).images(facts_.p_solution.multipliers);
    for (std::size_t row = 0; row < theta.size(); ++row) {
      Ball& attention = samples_[facts_.p_program.name(row).sample].attention;
      attention = attention + exp_above(-(scale * Ball(theta[row])));
    }
  }

  /// theta, c and X: the margin of every minimiser is at least r (Gamma - theta) - c.
  bool first_pass() {
    Ball lack;
    for (const Sample& sample : samples_) {
      const Ball one = Gamma_ * (Ball(Rational(1 - sample.selected)) + Ball(sample.drop) * sample.attention);
      if (!one.is_moderate()) return false;
      lack = Ball(std::max(lack.upper(), one.upper()));
    }
    theta_ = rounded_above(positive_part(lack) + Ball(rounding_slack));
    if (!shown_below(Ball(theta_), Gamma_)) return false;
    const Ball r(r_);
    const Ball one(Rational(1));
    Ball excess;
    Ball logs;
    for (const Sample& sample : samples_) {
      const Ball g = Gamma_ * (Ball(sample.selected) - Ball(sample.drop) * sample.attention);
      excess = excess + exp_above(-(r * (g - Gamma_ + Ball(theta_))));
      logs = logs + log(one + exp_above(-(r * g)));
    }
    const Ball c = log(excess) + logs;
    if (!c.is_moderate()) return false;
    c_ = rounded_above(positive_part(c) + Ball(rounding_slack));
    for (const Sample& sample : samples_) spread_ = spread_ + Ball(sample.weight) * sqrt(Ball(sample.reach_squared));
    return shown_below(Ball(c_), r * (Gamma_ - Ball(theta_)));
  }

  /// 1 + X/nu
  Ball inflation() const { return Ball(Rational(1)) + spread_ / Ball(facts_.assumption_b.nu); }

  HeadBound by_attention() const { return {rounded_above(Ball(theta_) * inflation()), rounded_above(Ball(c_) * inflation()), {}}; }

  /// Whether v, as near as the first pass says, still scores the selected tokens above the others where a weight stands.
  bool selected_still_best() const {
    const Ball r(r_);
    const Ball epsilon = sqrt(Ball(Rational(2)) * (Ball(theta_) + Ball(c_) / r) * inflation() / Gamma_);
    for (const Sample& sample : samples_) {
      if (sample.weight == 0) continue;
      for (const auto& [above, squared] : sample.others)
        if (!shown_below(epsilon * sqrt(Ball(squared)), Gamma_ * Ball(above))) return false;
    }
    return true;
  }

  std::optional<HeadBound> second_pass(const std::vector<Rational>& shift) const {
    if (!selected_still_best()) return std::nullopt;
    const Rational along = dot(shift, v_) / dot(v_, v_);
    std::vector<Rational> omega = shift;
    for (std::size_t k = 0; k < omega.size(); ++k) omega[k] -= along * v_[k];
    const Rational squared = dot(omega, omega);
    if (!(squared < r_ * r_)) return std::nullopt;
    const Ball r(r_);
    const Ball length = sqrt(Ball(squared));
    const Ball drop = Ball(squared) / (r + sqrt(Ball(Rational(r_ * r_ - squared))));  // r - rho
    const Ball eta = exp_above(Ball(c_) - r * (Gamma_ - Ball(theta_)));
    Ball lack;
    Ball excess;
    Ball entropy;
    for (const Sample& sample : samples_) {
      const Ball one = Gamma_ * Ball(sample.drop) * sample.attention;
      if (!one.is_moderate()) return std::nullopt;
      lack = Ball(std::max(lack.upper(), one.upper()));
      const Ball exponent = Gamma_ * (drop * Ball(sample.selected) - r * Ball(Rational(sample.selected - 1))) -
                            Ball(dot(omega, sample.selected_token)) + sample.attention * length * sqrt(Ball(sample.reach_squared));
      excess = excess + exp_above(exponent);
      if (sample.weight > 0) entropy = entropy + Ball(sample.weight) * log(Ball(sample.weight));
    }
    const Ball c = log(excess) + entropy - log(Ball(Rational(1)) - eta / Ball(Rational(2)));
    if (!c.is_moderate()) return std::nullopt;
    return HeadBound{rounded_above(lack + Ball(rounding_slack)), rounded_above(positive_part(c) + Ball(rounding_slack)), shift};
  }

  const JointFacts& facts_;
  Rational r_;
  Rational R_;
  const std::vector<Rational>& v_;
  Rational gamma_squared_;
  Ball Gamma_;
  std::vector<Sample> samples_ = {};
  Rational theta_ = 0;
  Rational c_ = 0;
  Ball spread_ = {};  // X
};

}  // namespace

std::optional<certified::JointEnvelope> prove_joint_envelope(const JointFacts& facts, const JointRadii& radii,
                                                             const std::vector<double>& head) {
  return JointProof(facts, radii).prove(head);
}

std::optional<double> head_bound(const certified::JointEnvelope& envelope, double head_radius) {
  const Rational r = exact_value(head_radius);
  if (r < envelope.head_radius) return std::nullopt;
  const Ball squared = Ball(Rational(2 * (envelope.head_theta + envelope.head_c / r))) / sqrt(Ball(envelope.b.gamma_squared));
  return root_above(squared.upper());
}

}  // namespace attest
