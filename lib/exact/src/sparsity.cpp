#include "attest/exact/sparsity.hpp"

#include "row_balls.hpp"
#include "slack_rounding.hpp"

#include <algorithm>

namespace attest {
namespace {

/// Of what is stated; the slack is what a checker with less precision may lose.
const SlackRounding sparsity_rounding{60, Rational(Integer(1), Integer(1) << 40)};

/// A = sum_i P_i log((1 - eps)/eps) + sum pi_c log(P_i/pi_c), P_i the weight of a sample: a.p >= A for every p with the attention, where
/// a = sum pi_c a_c. [docs/theory.md, Sparsity and norm]
Ball demand(const SvmProgram& program, const Rational& epsilon, const std::vector<Multiplier>& weights) {
  std::vector<Rational> of_sample(program.samples().size(), 0);
  for (const auto& [row, weight] : weights) of_sample[program.sample_position(row)] += weight;
  const Ball odds = log(Ball((1 - epsilon) / epsilon));
  Ball total;
  for (const auto& [row, weight] : weights)
    total = total + Ball(weight) * (odds + log(Ball(of_sample[program.sample_position(row)] / weight)));
  return total;
}

/// |sum x_c a_c|^2 = sum x_c y_c.
Ball norm_squared(const std::vector<Multiplier>& coefficients, const std::vector<Ball>& products) {
  Ball sum;
  for (const auto& [row, weight] : coefficients) sum = sum + Ball(weight) * products[row];
  return sum;
}

/// sum_t exp(-y_it) <= eps/(1 - eps) for every sample.
bool has_attention(const SvmProgram& program, const Rational& epsilon, const std::vector<Ball>& products) {
  const Rational allowed = epsilon / (1 - epsilon) * (1 - sparsity_rounding.slack);
  for (std::size_t k = 0; k < program.samples().size(); ++k) {
    Ball sum;
    for (std::size_t row = program.first_row(k); row < program.first_row(k + 1); ++row) sum = sum + exp(-products[row]);
    if (!sum.is_moderate() || !(sum.upper() <= allowed)) return false;
  }
  return true;
}

Rational lower_bound(const SvmProgram& program, const Rational& epsilon, const std::vector<Multiplier>& weights) {
  if (weights.empty()) return 0;
  const Ball asked = demand(program, epsilon, weights);
  const Ball length = sqrt(norm_squared(weights, row_products(program, combine(program, weights))));
  const Ball bound = asked / length;
  if (!bound.is_moderate() || !(bound.lower() > 0)) return 0;
  return sparsity_rounding.down(bound.lower());
}

}  // namespace

std::optional<SparsityBracket> bracket_sparsity(const SvmProgram& program, const Rational& epsilon, std::vector<Multiplier> weights,
                                                std::vector<Multiplier> point) {
  const std::vector<Ball> products = row_products(program, combine(program, point));
  if (!has_attention(program, epsilon, products)) return std::nullopt;
  Rational upper = 0;
  if (!point.empty()) {
    const Ball square = norm_squared(point, products);
    if (!square.is_moderate() || !(square.upper() > 0)) return std::nullopt;
    const Ball length = sqrt(Ball(square.upper()));
    upper = sparsity_rounding.up(length.upper());
  }
  const Rational lower = lower_bound(program, epsilon, weights);
  if (lower.is_zero()) weights.clear();
  return SparsityBracket{lower, upper, std::move(weights), std::move(point)};
}

bool excludes_sparsity(const SvmProgram& program, const Rational& epsilon, const std::vector<Multiplier>& weights) {
  return !weights.empty() && demand(program, epsilon, weights).is_positive();
}

Rational sparsity_insight(const Rational& norm_squared, const Rational& epsilon) {
  if (2 * epsilon >= 1 || norm_squared.is_zero()) return 0;
  return (sqrt(Ball(norm_squared)) * log(Ball((1 - epsilon) / epsilon))).lower();
}

}  // namespace attest
