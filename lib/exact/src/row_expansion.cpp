#include "row_expansion.hpp"

#include "expansion_bits.hpp"
#include "loss_slope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

/// More than what rounding to nearest takes away from sums of up to 2^20 doubles >= 0.
constexpr double looser = 1 + 0x1p-30;

/// Parts of the largest |q| below which a checker, whose numbers have their bits after the point, may not know the sign of a q.
constexpr double least_known = 0x1p-100;

double double_above(const PreciseBall& ball) {
  if (!ball.is_finite()) return std::numeric_limits<double>::infinity();
  arf_t end;
  arf_init(end);
  arb_get_ubound_arf(end, ball.get(), expansion_bits);
  const double value = arf_get_d(end, ARF_RND_CEIL);
  arf_clear(end);
  return value;
}

PreciseBall rational(const Rational& value) { return PreciseBall(value, expansion_bits); }

}  // namespace

RowExpansion::RowExpansion(const LimitRows& rows, const DescentRule& rule)
    : rows_(rows), rule_(rule), gaps_(rows.count()), shares_(rows.count()), pulls_(rows.count()), q_(rows.count()), image_(rows.count()) {
  const SvmProgram& program = rows.program();
  for (std::size_t k = 0; k < program.samples().size(); ++k)
    if (program.first_row(k) < program.first_row(k + 1))
      samples_.push_back({k,
                          program.first_row(k),
                          program.first_row(k + 1) - program.first_row(k),
                          {},
                          BallVector(0),
                          PreciseBall(expansion_bits),
                          PreciseBall(expansion_bits)});
}

std::vector<std::size_t> RowExpansion::tokens_but(std::size_t sample, std::size_t reference) const {
  std::vector<std::size_t> tokens;
  for (std::size_t t = 0; t < (*rows_.facts().scores)[sample].size(); ++t)
    if (t != reference) tokens.push_back(t);
  return tokens;
}

/// The token whose logit is largest, by doubles; true if a reference changed.
bool RowExpansion::choose_references(const BallVector& y) {
  const SvmProgram& program = rows_.program();
  bool changed = false;
  for (Sample& sample : samples_) {
    const std::size_t i = program.samples()[sample.position];
    std::size_t best = program.selection()[i];
    double least = 0;
    for (std::size_t c = sample.first; c < sample.first + sample.count; ++c) {
      const double value = arf_get_d(arb_midref(y[c]), ARF_RND_NEAR);
      if (!(value < least)) continue;
      least = value;
      best = program.name(c).token;
    }
    if (sample.reference == best) continue;
    refer(sample, best);
    changed = true;
  }
  return changed;
}

void RowExpansion::refer(Sample& sample, std::size_t reference) {
  const LimitFacts& facts = rows_.facts();
  const std::size_t i = rows_.program().samples()[sample.position];
  const std::vector<Rational>& scores = (*facts.scores)[i];
  const std::size_t d = rows_.dimension();
  const FractionVector& own = facts.tokens->token(i, reference);
  sample.reference = reference;
  sample.differences = BallVector(sample.count * d);
  std::size_t at = 0;
  for (const std::size_t t : tokens_but(i, reference)) {
    const FractionVector& token = facts.tokens->token(i, t);
    const Integer denominator = own.denominator * token.denominator;
    for (std::size_t c = 0; c < d; ++c)
      set_fraction(sample.differences[at * d + c], Integer(own.numerators[c] * token.denominator - token.numerators[c] * own.denominator),
                   denominator, expansion_bits);
    set_rational(gaps_[sample.first + at], scores[reference] - scores[t], expansion_bits);
    ++at;
  }
}

void RowExpansion::make_products() {
  const std::size_t rows = rows_.count();
  const std::size_t d = rows_.dimension();
  products_ = BallVector(rows * rows);
  sizes_.assign(rows * rows, 0);
  lengths_ = BallVector(rows);
  for (const Sample& one : samples_)
    for (const Sample& other : samples_) {
      const PreciseBall queries = rows_.query_product(one.position, other.position, expansion_bits);
      for (std::size_t a = 0; a < one.count; ++a)
        for (std::size_t b = 0; b < other.count; ++b) {
          const std::size_t at = (one.first + a) * rows + other.first + b;
          arb_set(products_[at], (dot(one.differences[a * d], other.differences[b * d], d, expansion_bits) * queries).get());
          mag_t size;
          mag_init(size);
          arb_get_mag(size, products_[at]);
          sizes_[at] = mag_get_d(size);
          mag_clear(size);
        }
    }
  for (std::size_t c = 0; c < rows; ++c) {
    PreciseBall squared(expansion_bits);
    arb_set(squared.get(), products_[c * rows + c]);
    arb_set(lengths_[c], root(squared).get());
  }
}

bool RowExpansion::enclose(Sample& sample, const BallVector& y, const mag_t radius) {
  const SvmProgram& program = rows_.program();
  const LimitFacts& facts = rows_.facts();
  const std::size_t i = program.samples()[sample.position];
  const std::size_t chosen = program.selection()[i];
  // The value of a token's row relative to the selected one.
  const auto value = [&](std::size_t t) {
    PreciseBall result(expansion_bits);
    if (t != chosen) arb_set_round(result.get(), y[sample.first + t - (t > chosen ? 1 : 0)], expansion_bits);
    return result;
  };
  const PreciseBall leading = value(*sample.reference);
  PreciseBall weights = rational(1);
  mag_t reach;
  mag_init(reach);
  std::size_t c = sample.first;
  for (const std::size_t t : tokens_but(i, *sample.reference)) {
    PreciseBall u = leading - value(t);
    arb_get_mag(reach, lengths_[c]);
    mag_mul(reach, reach, radius);  // |d_t| e: how far u_t moves on the ball
    arb_add_error_mag(u.get(), reach);
    arb_exp(shares_[c], u.get(), expansion_bits);
    arb_add(weights.get(), weights.get(), shares_[c], expansion_bits);
    ++c;
  }
  mag_clear(reach);
  for (c = sample.first; c < sample.first + sample.count; ++c) arb_div(shares_[c], shares_[c], weights.get(), expansion_bits);
  const PreciseBall mean = dot(shares_[sample.first], gaps_[sample.first], sample.count, expansion_bits);
  const PreciseBall f = within(rational((*facts.scores)[i][*sample.reference]) - mean, facts.interval.low, facts.interval.high);
  const Loss& loss = program.problem().loss;
  const auto steepness = enclose_steepness(loss, f);
  const auto curvature = enclose_curvature(loss, f);
  if (!steepness || !curvature) return false;
  const PreciseBall count = rational(static_cast<long>(facts.scores->size()));
  sample.weight = *steepness / count;
  sample.bend = *curvature / count;
  for (c = sample.first; c < sample.first + sample.count; ++c) {
    arb_sub(pulls_[c], gaps_[c], mean.get(), expansion_bits);
    arb_mul(pulls_[c], pulls_[c], shares_[c], expansion_bits);
    arb_mul(q_[c], pulls_[c], sample.weight.get(), expansion_bits);
  }
  return true;
}

BallVector RowExpansion::times_products(const BallVector& weights) const {
  const std::size_t rows = weights.size();
  BallVector result(rows);
  for (std::size_t c = 0; c < rows; ++c)
    arb_dot(result[c], nullptr, 0, products_[c * rows], 1, weights.data(), 1, static_cast<slong>(rows), expansion_bits);
  return result;
}

/// left^T G_ii right
PreciseBall RowExpansion::form(const Sample& sample, const BallVector& left, const BallVector& right) const {
  PreciseBall sum(expansion_bits);
  for (std::size_t c = sample.first; c < sample.first + sample.count; ++c) {
    const PreciseBall image = dot(products_[c * rows_.count() + sample.first], right[sample.first], sample.count, expansion_bits);
    arb_addmul(sum.get(), left[c], image.get(), expansion_bits);
  }
  return sum;
}

std::optional<double> RowExpansion::turning(const PreciseBall& squared, const PreciseBall& factor) {
  const std::size_t rows = rows_.count();
  BallVector turned(rows);  // the coefficients of J g
  for (const Sample& sample : samples_) {
    const PreciseBall along_phi = dot(pulls_[sample.first], image_[sample.first], sample.count, expansion_bits);
    const PreciseBall along_mean = dot(shares_[sample.first], image_[sample.first], sample.count, expansion_bits);
    const PreciseBall of_pulls = sample.weight * along_mean - sample.bend * along_phi;
    const PreciseBall of_shares = sample.weight * along_phi;
    for (std::size_t c = sample.first; c < sample.first + sample.count; ++c) {
      arb_mul(turned[c], pulls_[c], of_pulls.get(), expansion_bits);
      arb_addmul(turned[c], shares_[c], of_shares.get(), expansion_bits);
      arb_submul(turned[c], q_[c], image_[c], expansion_bits);
    }
  }
  PreciseBall kappa = dot(turned.data(), image_.data(), rows, expansion_bits) / squared;
  arb_get_mid_arb(kappa.get(), kappa.get());  // any number will do
  for (std::size_t c = 0; c < rows; ++c) arb_submul(turned[c], q_[c], kappa.get(), expansion_bits);
  const BallVector image = times_products(turned);
  const double result = double_above(factor * root(dot(turned.data(), image.data(), rows, expansion_bits)) / sqrt(squared));
  return std::isfinite(result) ? std::optional(result) : std::nullopt;
}

/// No eigenvalue of sum weight_c d_c d_c^T exceeds the largest row sum of |G_ce| weight_e.
double RowExpansion::largest_row_sum(const std::vector<double>& weights) const {
  double largest = 0;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    if (!(weights[c] > 0)) continue;
    double sum = 0;
    for (std::size_t e = 0; e < weights.size(); ++e) sum += sizes_[c * weights.size() + e] * weights[e];
    if (!std::isfinite(sum)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, sum);
  }
  return largest * looser;
}

std::pair<double, double> RowExpansion::curvatures(const PreciseBall& factor) const {
  std::vector<double> back;     // of rows whose q is negative: they push apart
  std::vector<double> forward;  // of the others: they pull together
  for (std::size_t c = 0; c < q_.size(); ++c) {
    PreciseBall q(expansion_bits);
    arb_mul(q.get(), q_[c], factor.get(), expansion_bits);
    forward.push_back(std::max(0.0, double_above(q)));
    back.push_back(std::max(0.0, double_above(-q)));
  }
  double largest = 0;
  for (std::size_t c = 0; c < q_.size(); ++c) largest = std::max({largest, forward[c], back[c]});
  for (std::size_t c = 0; c < q_.size(); ++c) {
    if (std::max(forward[c], back[c]) > least_known * largest) continue;
    forward[c] = back[c] = least_known * largest;
  }
  double apart = largest_row_sum(back);
  double together = largest_row_sum(forward);
  for (const Sample& sample : samples_) {
    const PreciseBall slope_squared = form(sample, pulls_, pulls_);
    const PreciseBall cross = form(sample, shares_, pulls_);
    const PreciseBall lengths = root(form(sample, shares_, shares_)) * root(slope_squared);
    const PreciseBall weight = factor * sample.weight;
    const PreciseBall bend = factor * sample.bend * slope_squared;
    apart += std::max(0.0, double_above(weight * (lengths + cross))) + std::max(0.0, double_above(-bend));
    together += std::max(0.0, double_above(weight * (lengths - cross))) + std::max(0.0, double_above(bend));
  }
  return {apart * looser, together * looser};
}

std::optional<double> RowExpansion::bound(const BallVector& y, const mag_t radius) {
  if (choose_references(y)) make_products();
  for (Sample& sample : samples_)
    if (!enclose(sample, y, radius)) return std::nullopt;
  PreciseBall factor = rational(rule_.step);
  double beta = 0;
  if (rule_.rule == StepRule::normalised) {
    image_ = times_products(q_);
    const PreciseBall squared = dot(q_.data(), image_.data(), q_.size(), expansion_bits);
    if (!squared.is_positive()) return std::nullopt;
    factor = factor / sqrt(squared);
    const std::optional<double> turned = turning(squared, factor);
    if (!turned) return std::nullopt;
    beta = *turned;
  }
  const auto [apart, together] = curvatures(factor);
  const double stretch = std::max(1 + apart, together - 1) * (1 + 0x1p-50);  // m
  const double result = (std::hypot(stretch + 1, beta) + std::hypot(stretch - 1, beta)) / 2 * (1 + 0x1p-48);
  return std::isfinite(result) ? std::optional(result) : std::nullopt;
}

}  // namespace attest
