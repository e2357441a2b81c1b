#include "attest/exact/first_step.hpp"

#include "attention_balls.hpp"
#include "attest/exact/loss_jet.hpp"
#include "fraction_vector.hpp"
#include "rational_vector.hpp"
#include "row_balls.hpp"
#include "trained_keys.hpp"

#include <algorithm>
#include <map>

namespace attest {
namespace {

/// Bits of a number that must be known: a checker with 100 bits of precision knows some of them too.
constexpr slong clear_bits = 40;

std::vector<Ball> balls(const std::vector<Rational>& values) {
  std::vector<Ball> result;
  for (const Rational& value : values) result.emplace_back(value);
  return result;
}

}  // namespace

Ball FirstStep::least_step(const Ball& margin) const {
  Ball most;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    const Ball needed = (margin - rows[c]) / progress[c];
    if (!needed.is_moderate()) return needed;
    if (needed.upper() > most.upper()) most = needed;
  }
  return most;
}

std::optional<FirstStep> enclose_first_step(const SvmProgram& program, const Scores& scores, const std::vector<Rational>& start) {
  const Problem& problem = program.problem();
  const ExactTokens tokens(problem);
  const bool weights = program.kind() == SvmProgram::Kind::w;
  const std::size_t d = problem.dimension();
  std::vector<Ball> gradient(program.point_size());
  const Ball share(Rational(Integer(1), Integer(problem.sample_count())));
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    std::vector<std::vector<Rational>> keys;
    std::vector<Ball> logits;
    for (std::size_t t = 0; t < scores[i].size(); ++t) {
      keys.push_back(left_key(tokens, weights, i, t));
      logits.emplace_back(start.empty() ? Rational(0) : dot(keys.back(), start));
    }
    const auto attention = enclose_attention(problem.loss, scores[i], logits);
    if (!attention) return std::nullopt;
    const std::size_t first = weights ? i * d : 0;
    for (std::size_t t = 0; t < scores[i].size(); ++t)
      for (std::size_t k = 0; k < d; ++k)
        gradient[first + k] = gradient[first + k] - share * attention->slope * attention->centred[t] * Ball(keys[t][k]);
  }
  FirstStep step{start.empty() ? std::vector<Ball>(program.row_count()) : row_products(program, balls(start)),
                 row_products(program, gradient)};
  if (!std::ranges::all_of(step.progress, &Ball::is_moderate)) return std::nullopt;
  return step;
}

bool has_clear_sign(const Ball& value) {
  // Checkers may take an exponential below 2^-4096 for 0.
  return !value.contains_zero() && arb_rel_accuracy_bits(value.get()) >= clear_bits &&
         arf_cmpabs_2exp_si(arb_midref(value.get()), -4000) > 0;
}

bool is_opposed_at_origin(const SvmProgram& program, const Scores& scores, std::size_t row) {
  const Problem& problem = program.problem();
  const ExactTokens tokens(problem);
  const bool weights = program.kind() == SvmProgram::Kind::w;
  const std::vector<Rational> against = to_rationals(program.row(row));
  const std::vector<Rational> query = to_rationals(tokens.query(program.name(row).sample));
  std::map<Rational, Rational> pushes;  // by mean score
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    const Rational count(scores[i].size());
    Rational mean = 0;
    for (const Rational& score : scores[i]) mean += score / count;
    const auto jet = enclose(problem.loss.expression(), {mean, mean});
    if (!jet || !(jet->slope.upper() < 0)) return false;
    const Rational factor = weights ? dot(to_rationals(tokens.query(i)), query) : Rational(1);
    for (std::size_t t = 0; t < scores[i].size(); ++t)
      pushes[mean] += (scores[i][t] - mean) / count * dot(left_key(tokens, weights, i, t), against) * factor;
  }
  return std::ranges::all_of(pushes, [](const auto& entry) { return entry.second <= 0; });
}

}  // namespace attest
