#include "attest/exact/path_envelope.hpp"

#include "attest/exact/certificates.hpp"
#include "envelope_rows.hpp"
#include "path_rate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

using certified::PathEnvelope;
using Stage = PathEnvelope::Stage;

/// Radii at which every envelope has an entry where it closes.
constexpr double standard_radii[] = {0x1p10, 0x1p14, 0x1p20};
/// So often is the interval halved in which the least radius lies.
constexpr int halvings = 5;
/// Openings of cones, as the tangent of the angle: the widest first.
constexpr double widest_opening = 0.5;
constexpr int openings = 8;

/// A stage of the proof that closes: w.p/|w| >= R - defect |w| for the minimisers that it speaks of.
struct Closed {
  Stage stage;
  Ball defect;  // D
};

/// D, brought below R0 Theta with slack.
bool closes(const EnvelopeRows& rows, const Rational& radius, const Ball& defect) {
  return defect.is_moderate() && shown_below(defect, Ball(radius) * rows.margin);
}

/// sum part_c log(kappa_c / part_c) over S. (F2)
Ball entropy(const EnvelopeRows& rows, const certified::Slopes& slopes, const Rational& h) {
  Ball sum;
  for (std::size_t k = 0; k < rows.listed.size(); ++k) {
    const std::size_t c = rows.listed[k];
    const Rational kappa = slopes[rows.sample[c]]->least * (rows.gap[c] - h);
    sum = sum + Ball(rows.part[k]) * log(Ball(Rational(kappa / rows.part[k])));
  }
  return sum;
}

/// Theorem P at one radius with one shift.
std::optional<Closed> close_globally(const EnvelopeRows& rows, const Rational& radius, const EnvelopeRows::Shift& shift) {
  const LossBounds& loss = rows.facts.loss;
  if (!(shift.square < radius * radius)) return std::nullopt;
  const std::vector<Ball> e = rows.competitor(radius, shift.rows, Ball(shift.square)).e;
  Ball drop;
  for (std::size_t c = 0; c < rows.size(); ++c) drop = drop + Ball(rows.gap[c]) * e[c];
  const auto h = reach_above(Ball(Rational(loss.m1 / -loss.slope_sup)) * exp_above(-(Ball(radius) * rows.margin)) * drop);
  if (!h || !std::ranges::all_of(rows.gap, [&](const Rational& gap) { return *h < gap; })) return std::nullopt;
  const auto slopes = slopes_near(rows.facts.program.problem(), rows.facts.scores, rows.facts.program.selection(), *h, ScoreSide::below);
  if (!slopes) return std::nullopt;
  Ball V;
  for (std::size_t c = 0; c < rows.size(); ++c) V = V + Ball(Rational((*slopes)[rows.sample[c]]->largest * rows.gap[c])) * e[c];
  Closed closed{{shift.coefficients, *h, *slopes, {}}, log(V) - entropy(rows, *slopes, *h)};
  if (!closes(rows, radius, closed.defect)) return std::nullopt;
  return closed;
}

/// K = 2 D / Theta, a little larger.
Rational square_of(const EnvelopeRows& rows, const Ball& defect) {
  const Ball above(std::max(Rational(0), defect.upper()) + rounding_slack);
  return rounded_above(Ball(Rational(2)) * above / rows.margin);
}

/// sigma_c of theorem C: a_c.p >= sigma_c |p| in the cone. Independent of radii.
struct ConeRows {
  std::vector<Ball> sigma;

  static std::optional<ConeRows> make(const EnvelopeRows& rows, const Rational& opening) {
    const Ball tangent(opening);
    const Ball secant = sqrt(Ball(Rational(1 + opening * opening)));
    ConeRows cone;
    for (std::size_t c = 0; c < rows.size(); ++c) {
      const Ball across = sqrt(Ball(Rational(rows.space.product(c, c) - rows.theta[c] * rows.theta[c] / rows.norm_squared)));
      cone.sigma.push_back((rows.margin * Ball(rows.theta[c]) - tangent * across) / secant);
      const Ball& least = rows.gap[c] < 0 ? rows.margin : Ball();
      if (!(cone.sigma.back() * Ball(Rational(1 - envelope_slack)) - least).is_positive()) return std::nullopt;
    }
    return cone;
  }
};

/// Theorem C at one radius, for minimisers of at least the norm `floor`.
class ConeStage {
 public:
  ConeStage(const EnvelopeRows& rows, const ConeRows& cone, const Rational& opening, const Rational& floor)
      : rows_(rows), cone_(cone), opening_(opening), floor_(floor) {}

  std::optional<Closed> close(const Rational& radius, const EnvelopeRows::Shift& shift) const {
    const Rational squared = opening_ * opening_;
    if (floor_ > radius || shift.square * (1 + squared) > squared * radius * radius) return std::nullopt;
    const Attention attention = attention_within();
    const auto h = reach_above(attention.drop);
    if (!h) return std::nullopt;
    const auto slopes =
        slopes_near(rows_.facts.program.problem(), rows_.facts.scores, rows_.facts.program.selection(), *h, ScoreSide::both);
    if (!slopes) return std::nullopt;
    const Ball H = entropy(rows_, *slopes, 0);
    const Ball one(Rational(1));
    const Ball spread = one + attention.weight;
    const Ball against = spread * exp(-H) * pull_of_better_tokens(*slopes);  // xi
    if (!shown_below(against, one)) return std::nullopt;
    const std::vector<Ball> e = rows_.competitor(radius, shift.rows, Ball(shift.square)).e;
    Ball V;
    for (std::size_t c = 0; c < rows_.size(); ++c)
      if (rows_.gap[c] > 0) V = V + Ball(Rational((*slopes)[rows_.sample[c]]->largest * rows_.gap[c])) * e[c];
    Closed closed{{shift.coefficients, *h, *slopes, floor_}, log(V) - H - log(one - against) + log(spread)};
    if (!closes(rows_, radius, closed.defect)) return std::nullopt;
    return closed;
  }

 private:
  struct Attention {
    Ball weight;  // the largest sum of e^(-y) of a sample
    Ball drop;    // the largest sum of |Delta| e^(-y)
  };
  Attention attention_within() const {
    const std::size_t n = rows_.facts.scores.size();
    std::vector<Ball> weights(n);
    std::vector<Ball> drops(n);
    for (std::size_t c = 0; c < rows_.size(); ++c) {
      const Ball e = exp_above(-(Ball(floor_) * cone_.sigma[c]));
      Ball& weight = weights[rows_.sample[c]];
      Ball& drop = drops[rows_.sample[c]];
      weight = weight + e;
      drop = drop + Ball(Rational(abs(rows_.gap[c]))) * e;
    }
    return {largest(weights), largest(drops)};
  }
  static Ball largest(const std::vector<Ball>& values) {
    Rational most = 0;
    for (const Ball& value : values) {
      if (!value.is_moderate()) return value;
      most = std::max(most, value.upper());
    }
    return Ball(most);
  }
  Ball pull_of_better_tokens(const certified::Slopes& slopes) const {
    Ball sum;
    for (std::size_t c = 0; c < rows_.size(); ++c)
      if (rows_.gap[c] < 0)
        sum = sum + Ball(Rational(slopes[rows_.sample[c]]->largest * -rows_.gap[c])) *
                        exp_above(-(Ball(floor_) * (cone_.sigma[c] - rows_.margin)));
    return sum;
  }

  const EnvelopeRows& rows_;
  const ConeRows& cone_;
  const Rational& opening_;
  Rational floor_;
};

/// The shifts that are tried at a radius: the hint's, that of the limit, none.
class Shifts {
 public:
  Shifts(const EnvelopeRows& rows, std::span<const EnvelopeHint> hints, const std::optional<PathRate>& rate) : rows_(rows), hints_(hints) {
    general_.push_back(rows.shift({}));
    if (rate) general_.push_back(rows.shift(rate->shift()));
  }
  /// At a radius of a hint that hint's, else that of the next one.
  std::vector<EnvelopeRows::Shift> at(double radius) const {
    std::vector<EnvelopeRows::Shift> shifts = general_;
    const auto hint = std::ranges::lower_bound(hints_, radius, {}, &EnvelopeHint::radius);
    if (hint != hints_.end() && !hint->shift.empty()) shifts.push_back(rows_.shift(hint->shift));
    return shifts;
  }

 private:
  const EnvelopeRows& rows_;
  std::span<const EnvelopeHint> hints_;
  std::vector<EnvelopeRows::Shift> general_;
};

/// The hints' radii and the standard ones, ascending.
std::vector<double> radii_of(std::span<const EnvelopeHint> hints) {
  std::vector<double> radii(std::begin(standard_radii), std::end(standard_radii));
  for (const EnvelopeHint& hint : hints)
    if (std::isfinite(hint.radius) && hint.radius > 0) radii.push_back(hint.radius);
  std::ranges::sort(radii);
  radii.erase(std::ranges::unique(radii).begin(), radii.end());
  return radii;
}

PathEnvelope empty_envelope(const EnvelopeFacts& facts) {
  return {facts.program.kind(),
          facts.program.selection(),
          {},
          {},
          certified_multipliers(facts.program, facts.solution.multipliers),
          loss_block(facts.loss, facts.interval),
          {}};
}

/// Theorem P at a radius with the shift that serves best.
std::optional<Closed> best_global(const EnvelopeRows& rows, double radius, const Shifts& shifts) {
  std::optional<Closed> best;
  for (const EnvelopeRows::Shift& shift : shifts.at(radius)) {
    auto closed = close_globally(rows, exact_value(radius), shift);
    if (closed && (!best || closed->defect.upper() < best->defect.upper())) best = std::move(closed);
  }
  return best;
}

struct ClosedRadius {
  double radius;
  Closed closed;
};

/// A smaller radius at which it closes too, found by halving below the first of the list that does.
std::optional<ClosedRadius> further_in(const EnvelopeRows& rows, const Shifts& shifts, double fails, double closes, const Budget& budget) {
  std::optional<ClosedRadius> found;
  for (int k = 0; k < halvings && !budget.spent(); ++k) {
    const double middle = (fails + closes) / 2;
    if (auto closed = best_global(rows, middle, shifts)) {
      found = ClosedRadius{middle, std::move(*closed)};
      closes = middle;
    } else {
      fails = middle;
    }
  }
  return found;
}

/// Theorem C at a radius: first for all minimisers of the cone, then for those as far out as the first stage says.
std::optional<std::pair<PathEnvelope::Shown, Ball>> best_in_cone(const EnvelopeRows& rows, const ConeRows& cone,
                                                                 const PathEnvelope::Cone& within, double radius, const Shifts& shifts) {
  std::optional<std::pair<PathEnvelope::Shown, Ball>> best;
  const Rational R = exact_value(radius);
  const auto offer = [&](PathEnvelope::Shown shown, const Ball& defect) {
    if (!best || defect.upper() < best->second.upper()) best = std::pair(std::move(shown), defect);
  };
  for (const EnvelopeRows::Shift& shift : shifts.at(radius)) {
    const auto first = ConeStage(rows, cone, within.opening, within.radius).close(R, shift);
    if (!first) continue;
    offer({first->stage, {}}, first->defect);
    const Ball reached = Ball(Rational(R * (1 - envelope_slack))) - first->defect / rows.margin;
    const Rational floor = exact_value(lower_double(reached.lower()));
    if (!(floor > within.radius)) continue;
    if (const auto second = ConeStage(rows, cone, within.opening, floor).close(R, shift))
      offer({second->stage, first->stage}, second->defect);
  }
  return best;
}

}  // namespace

std::optional<PathEnvelope> prove_path_envelope(const EnvelopeFacts& facts, std::span<const EnvelopeHint> hints, const Budget& budget) {
  const EnvelopeRows rows(facts);
  if (!std::ranges::all_of(rows.gap, [](const Rational& gap) { return gap > 0; })) return std::nullopt;
  const std::optional<PathRate> rate = PathRate::make(rows);
  const Shifts shifts(rows, hints, rate);
  std::vector<ClosedRadius> found;
  double fails = 0;
  for (const double radius : radii_of(hints)) {
    if (budget.spent()) break;
    if (auto closed = best_global(rows, radius, shifts))
      found.push_back({radius, std::move(*closed)});
    else if (found.empty())
      fails = radius;
  }
  if (found.empty()) return std::nullopt;
  if (auto smaller = further_in(rows, shifts, fails, found.front().radius, budget)) found.insert(found.begin(), std::move(*smaller));
  PathEnvelope envelope = empty_envelope(facts);
  for (auto& [radius, closed] : found) {
    const Rational R = exact_value(radius);
    envelope.envelope.push_back({R, square_of(rows, closed.defect), rate ? rate->constant(R) : std::nullopt});
    envelope.entries.push_back({std::move(closed.stage), {}});
  }
  return envelope;
}

std::optional<PathEnvelope> prove_cone_envelope(const EnvelopeFacts& facts, std::span<const EnvelopeHint> hints, const Budget& budget) {
  const EnvelopeRows rows(facts);
  for (std::size_t c = 0; c < rows.size(); ++c)
    if (rows.theta[c] == 1 && rows.gap[c] <= 0) return std::nullopt;
  const Shifts shifts(rows, hints, std::nullopt);
  const std::vector<double> radii = radii_of(hints);
  for (int k = 0; k < openings; ++k) {
    const Rational opening = exact_value(std::ldexp(widest_opening, -k));
    const auto cone = ConeRows::make(rows, opening);
    if (!cone) continue;
    for (const double inner : radii) {
      if (budget.spent()) return std::nullopt;
      const PathEnvelope::Cone within{exact_value(inner), opening};
      if (!best_in_cone(rows, *cone, within, radii.back(), shifts)) continue;
      PathEnvelope envelope = empty_envelope(facts);
      envelope.cone = within;
      for (const double radius : radii) {
        auto closed = radius < inner ? std::nullopt : best_in_cone(rows, *cone, within, radius, shifts);
        if (!closed) continue;
        envelope.envelope.push_back({exact_value(radius), square_of(rows, closed->second), {}});
        envelope.entries.push_back(std::move(closed->first));
      }
      return envelope;
    }
  }
  return std::nullopt;
}

double square_root_bound(const PathEnvelope::Entry& entry, double radius) { return root_above(entry.square / exact_value(radius)); }

std::optional<double> envelope_bound(const PathEnvelope& envelope, double radius) {
  std::optional<double> least;
  const Rational R = exact_value(radius);
  for (const PathEnvelope::Entry& entry : envelope.envelope) {
    if (entry.radius > R) continue;
    const double root = square_root_bound(entry, radius);
    const double bound = entry.rate ? std::min(root, upper_double(*entry.rate / R)) : root;
    least = least ? std::min(*least, bound) : bound;
  }
  return least;
}

}  // namespace attest
