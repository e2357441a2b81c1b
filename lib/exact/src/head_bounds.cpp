#include "attest/exact/head_bounds.hpp"

#include "attest/exact/certificates.hpp"
#include "attest/exact/loss_jet.hpp"
#include "fraction_vector.hpp"
#include "row_balls.hpp"
#include "slack_rounding.hpp"
#include "trained_keys.hpp"

#include <algorithm>
#include <array>

namespace attest {
namespace {

/// Of what is stated; the slack is what a checker with less precision may lose.
const SlackRounding head_rounding{40, Rational(Integer(1), Integer(1) << 30)};
/// Cells into which the way from the selected token to the farthest one is cut, until one of them is enough.
constexpr std::array<int, 4> cell_counts = {1, 8, 64, 512};
/// More cells are not worth it once they make the bounds closer by less than this part.
const Rational worth_refining = Rational(1, 20);

/// One way from u_alpha outwards, with the bounds that its cells show.
struct Way {
  Rational low;
  Rational high;
  std::vector<Rational> cuts;
};

class SampleWay {
 public:
  SampleWay(const HeadOnTokens& head, std::size_t sample, const Rational& reach)
      : head_(*head.head), label_(head.labels[sample]), from_(head.arguments[sample][head.selection[sample]]) {
    length_ = head.farthest(sample) * reach;
    for (std::size_t t = 0; t < head.arguments[sample].size(); ++t)
      if (t != head.selection[sample]) outwards_ = head.arguments[sample][t] > from_ ? 1 : -1;
  }

  std::optional<Way> cut(int cells) const {
    const auto start = enclose(head_, {from_, from_});
    if (!start) return std::nullopt;
    Way way;
    for (int k = 0; k < cells; ++k) {
      const Rational near = length_ * k / cells;
      const Rational far = length_ * (k + 1) / cells;
      const auto shown = bounds(start->value, near, far);
      if (!shown || !(shown->low > 0)) return std::nullopt;
      way.low = k == 0 ? shown->low : std::min(way.low, shown->low);
      way.high = k == 0 ? shown->high : std::max(way.high, shown->high);
      if (k > 0) way.cuts.push_back(from_ + outwards_ * near);
    }
    way.low = head_rounding.down(way.low);
    way.high = head_rounding.up(way.high);
    return way;
  }

 private:
  /// By the slope on the cell, or, off the first cell, by the values on it: the one with the larger lower bound.
  std::optional<RationalInterval> bounds(const Ball& start, const Rational& near, const Rational& far) const {
    const Rational a = from_ + outwards_ * near;
    const Rational b = from_ + outwards_ * far;
    const auto jet = enclose(head_, {std::min(a, b), std::max(a, b)});
    if (!jet) return std::nullopt;
    const Ball slope = Ball(Rational(-label_ * outwards_)) * jet->slope;
    const RationalInterval by_slope{slope.lower(), slope.upper()};
    if (near.is_zero()) return by_slope;
    const Ball drop = Ball(Rational(label_)) * (start - jet->value);
    const RationalInterval by_value{drop.lower() / far, drop.upper() / near};
    return by_value.low > by_slope.low ? by_value : by_slope;
  }

  const Expression& head_;
  int label_;
  int outwards_ = 1;
  Rational from_;
  Rational length_;
};

/// The coarsest cells that are as good as finer ones.
std::optional<Way> best_way(const SampleWay& sample) {
  std::optional<Way> best;
  for (const int cells : cell_counts) {
    auto way = sample.cut(cells);
    if (!way) continue;
    const bool better = !best || way->high / way->low < best->high / best->low * (1 - worth_refining);
    if (better) best = std::move(way);
    if (!better) break;
  }
  return best;
}

/// Whether all other tokens lie strictly on one side of the selected one.
bool is_one_sided(const HeadOnTokens& head, std::size_t i) {
  const Rational& from = head.arguments[i][head.selection[i]];
  std::size_t above = 0;
  std::size_t below = 0;
  for (const Rational& u : head.arguments[i]) {
    above += u > from ? 1 : 0;
    below += u < from ? 1 : 0;
  }
  return std::max(above, below) + 1 == head.arguments[i].size();
}

}  // namespace

HeadOnTokens::HeadOnTokens(const Problem& problem, const Expression& expression, Selection chosen)
    : head(&expression), selection(std::move(chosen)), labels(problem.labels) {
  for (const ExactMatrix& tokens : problem.tokens) {
    arguments.emplace_back();
    for (std::size_t t = 0; t < tokens.rows(); ++t) {
      Rational u = 0;
      for (std::size_t k = 0; k < problem.dimension(); ++k) u += tokens.at(t, k) * problem.v->at(0, k);
      arguments.back().push_back(std::move(u));
    }
  }
}

Rational HeadOnTokens::farthest(std::size_t sample) const {
  Rational most = 0;
  for (std::size_t t = 0; t < arguments[sample].size(); ++t) most = std::max(most, distance(sample, t));
  return most;
}

std::variant<certified::HeadSlopes, HeadUndecided> bound_head(const HeadOnTokens& head, const Rational& reach) {
  certified::HeadSlopes slopes;
  for (std::size_t i = 0; i < head.arguments.size(); ++i) {
    slopes.bounds.emplace_back();
    slopes.cuts.emplace_back();
    if (head.arguments[i].size() < 2) continue;
    const std::string sample = "sample " + std::to_string(i) + ": ";
    if (!is_one_sided(head, i))
      return HeadUndecided{sample + "v.x of its tokens lies on both sides of the selected one: mixtures of tokens may do as well"};
    auto way = best_way(SampleWay(head, i, reach));
    if (!way) return HeadUndecided{sample + "the head is not seen to fall from the selected token to the others at a positive rate"};
    slopes.bounds.back() = RationalInterval{way->low, way->high};
    slopes.cuts.back() = std::move(way->cuts);
  }
  return slopes;
}

std::optional<RationalInterval> head_range(const HeadOnTokens& head, const certified::HeadSlopes& slopes) {
  std::optional<RationalInterval> range;
  for (std::size_t i = 0; i < head.arguments.size(); ++i) {
    std::vector<Rational> ends = slopes.cuts[i];
    ends.push_back(head.arguments[i][head.selection[i]]);
    const auto [least, most] = std::ranges::minmax(head.arguments[i]);
    ends.push_back(least);
    ends.push_back(most);
    std::ranges::sort(ends);
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
      const auto jet = enclose(*head.head, {ends[k], ends[k + 1]});
      if (!jet) return std::nullopt;
      const Ball value = Ball(Rational(head.labels[i])) * jet->value;
      if (!range) range = RationalInterval{value.lower(), value.upper()};
      range->low = std::min(range->low, value.lower());
      range->high = std::max(range->high, value.upper());
    }
  }
  const Rational room = head_rounding.slack * (1 + abs(range->low) + abs(range->high));
  // To whole multiples of a short number: ends that a checker takes quickly.
  const Integer scale = Integer(1) << 40;
  const auto below = [&](const Rational& value) {
    const Rational scaled = value * scale;
    Integer whole = numerator(scaled) / denominator(scaled);
    if (Rational(whole) > scaled) whole -= 1;
    return Rational(whole, scale);
  };
  return RationalInterval{below(range->low - room), -below(-range->high - room)};
}

namespace {

/// The numbers of Theorem P with a head, at one radius.
class HeadEnvelopeProof {
 public:
  HeadEnvelopeProof(const HeadEnvelopeFacts& facts, const Rational& radius, const std::vector<Multiplier>& shift)
      : facts_(facts), program_(*facts.program), radius_(radius), shift_(shift) {}

  std::optional<certified::HeadEnvelope::Entry> run() {
    if (!place_competitor() || !bound_reach()) return std::nullopt;
    const auto near = bound_head(*facts_.head, reach_);
    const auto* slopes = std::get_if<certified::HeadSlopes>(&near);
    if (slopes == nullptr || !bound_losses()) return std::nullopt;
    const auto square = close(*slopes);
    if (!square) return std::nullopt;
    return certified::HeadEnvelope::Entry{radius_, *square, certified_multipliers(program_, shift_), reach_, losses_, *slopes};
  }

 private:
  /// q = rho w/|w| + omega, omega the part of the shift across w; e_c = exp(R Theta) exp(-a_c.q).
  bool place_competitor() {
    const std::vector<Ball> w = combine(program_, facts_.solution->multipliers);
    theta_ = row_products(program_, w);
    Rational total = 0;
    for (const auto& [row, weight] : facts_.solution->multipliers) total += weight;
    norm_squared_ = total;
    inverse_norm_ = Ball(Rational(1)) / sqrt(Ball(total));
    const std::vector<Ball> along = row_products(program_, combine(program_, shift_));
    Ball shift_w;  // <omega', w>
    for (const auto& [row, weight] : facts_.solution->multipliers) shift_w = shift_w + Ball(weight) * along[row];
    const Ball part = shift_w / Ball(total);
    Ball square = -(attest::square(part) * Ball(total));
    for (const auto& [row, weight] : shift_) square = square + Ball(weight) * along[row];
    if (!square.is_moderate()) return false;
    const Ball across(std::max(square.lower(), Rational(0)), std::max(square.upper(), Rational(0)));
    const Ball rho_squared = Ball(radius_ * radius_) - across;
    if (!rho_squared.is_positive()) return false;
    const Ball drop = across / (Ball(radius_) + sqrt(rho_squared));
    for (std::size_t c = 0; c < theta_.size(); ++c) {
      const Ball omega = along[c] - part * theta_[c];
      excess_.push_back(exp(inverse_norm_ * (theta_[c] * drop - Ball(radius_) * (theta_[c] - Ball(Rational(1)))) - omega));
    }
    return true;
  }

  Rational far(std::size_t c) const {
    const RowName row = program_.name(c);
    return facts_.head->distance(row.sample, row.token);
  }

  /// eta, which bounds 1 - s_alpha of the minimisers: the first stage of Theorem P.
  bool bound_reach() {
    Ball sum;
    std::optional<Rational> least;
    for (std::size_t c = 0; c < theta_.size(); ++c) {
      const RationalInterval& slope = *facts_.slopes->bounds[program_.name(c).sample];
      sum = sum + Ball(slope.high * far(c)) * excess_[c];
      const Rational nu = slope.low * far(c);
      least = least ? std::min(*least, nu) : nu;
    }
    const Ball eta = Ball(facts_.block->m1) * exp(-(Ball(radius_) * inverse_norm_)) * sum / Ball(-facts_.block->slope_sup * *least);
    if (!eta.is_moderate()) return false;
    // Far out the true number is below any that is worth writing.
    reach_ = head_rounding.up(std::max(eta.upper(), Rational(Integer(1), Integer(1) << 200)));
    return reach_ < 1;
  }

  /// mu_i <= -l' <= M_i where the minimisers and the competitor are.
  bool bound_losses() {
    const HeadOnTokens& head = *facts_.head;
    for (std::size_t i = 0; i < head.arguments.size(); ++i) {
      losses_.emplace_back();
      if (head.arguments[i].size() < 2) continue;
      const Rational& u = head.arguments[i][head.selection[i]];
      const auto at = enclose(*head.head, {u, u});
      if (!at) return false;
      const Ball value = Ball(Rational(head.labels[i])) * at->value;
      const Rational drop = reach_ * facts_.slopes->bounds[i]->high * head.farthest(i);
      const auto jet = enclose(facts_.loss->expression(), {value.lower() - drop, value.upper()});
      if (!jet || !(jet->slope.upper() < 0)) return false;
      losses_.back() = RationalInterval{head_rounding.down(-jet->slope.upper()), head_rounding.up(-jet->slope.lower())};
    }
    return true;
  }

  /// K >= 2D/Theta, D = log V - H(kappa).
  std::optional<Rational> close(const certified::HeadSlopes& near) const {
    Ball v;
    for (std::size_t c = 0; c < theta_.size(); ++c) {
      const std::size_t i = program_.name(c).sample;
      v = v + Ball(losses_[i]->high * near.bounds[i]->high * far(c)) * excess_[c];
    }
    Ball d = log(v);
    for (const auto& [row, weight] : facts_.solution->multipliers) {
      const std::size_t i = program_.name(row).sample;
      const Rational share = weight / norm_squared_;
      const Rational kappa = losses_[i]->low * near.bounds[i]->low * far(row) * (1 - reach_);
      d = d - Ball(share) * log(Ball(kappa / share));
    }
    if (!d.is_moderate() || !(Ball(radius_) * inverse_norm_ - d).is_positive()) return std::nullopt;
    const Ball square = Ball(Rational(2)) * d / inverse_norm_;
    return head_rounding.up(std::max(square.upper(), head_rounding.slack));
  }

  const HeadEnvelopeFacts& facts_;
  const SvmProgram& program_;
  Rational radius_;
  const std::vector<Multiplier>& shift_;
  std::vector<Ball> theta_;
  Rational norm_squared_;
  Ball inverse_norm_;         // Theta = 1/|w|
  std::vector<Ball> excess_;  // e_c
  Rational reach_;
  std::vector<std::optional<RationalInterval>> losses_;
};

}  // namespace

std::optional<certified::HeadEnvelope::Entry> prove_head_envelope(const HeadEnvelopeFacts& facts, const Rational& radius,
                                                                  const std::vector<Multiplier>& shift) {
  return HeadEnvelopeProof(facts, radius, shift).run();
}

}  // namespace attest
