#include "near_run.hpp"

#include "checker_limits.hpp"
#include "near_number.hpp"
#include "spectral_bound.hpp"
#include "trained_keys.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace attest {
namespace {

using near_rounding::above;

constexpr NearNumber exact_one{1, 0};

NearNumber near(const Rational& value) { return rounded(nearest_double(value)); }

/// -l' and l'' of a loss that has a name.
struct NearSlopes {
  NearNumber steepness;
  NearNumber bend;
};

NearSlopes near_slopes(Loss::Kind loss, const NearNumber& f) {
  if (loss == Loss::Kind::correlation) return {exact_one, {}};
  if (loss == Loss::Kind::exponential) {
    const NearNumber value = exp(-f);
    return {value, value};
  }
  const NearNumber share = reciprocal(exact_one + exp(f));
  return {share, share * (exact_one - share)};
}

/// |x| of numbers that are not negative, from above.
double norm_above(const std::vector<double>& x) {
  double squares = 0;
  for (const double entry : x) squares = above(squares + entry * entry);
  return above(std::sqrt(squares));
}

/// One sample's tokens seen from a token of reference: rows d_t = k_r - k_t, gaps gamma_r - gamma_t.
class NearSample {
 public:
  NearSample(const LimitFacts& facts, std::size_t sample, std::size_t dimension, std::size_t reference)
      : facts_(&facts), sample_(sample), dimension_(dimension) {
    refer(reference);
  }

  std::size_t size() const { return gaps_.size(); }
  const NearNumber* row(std::size_t t) const { return rows_.data() + t * dimension_; }
  const NearNumber& gap(std::size_t t) const { return gaps_[t]; }
  const NearNumber& score() const { return score_; }
  double length(std::size_t t) const { return lengths_[t]; }
  const NearNumber& u(std::size_t t) const { return u_[t]; }

  /// u_t = d_t.p; the token whose logit is largest becomes that of reference, by doubles: any would do. Gives the least u_t.
  double look(const std::vector<double>& p) {
    const std::size_t first = place_of_least(p);
    if (!(u_[first].mid < 0)) return u_[first].mid;
    refer(tokens_[first]);
    return u_[place_of_least(p)].mid;
  }

 private:
  std::size_t place_of_least(const std::vector<double>& p) {
    std::size_t place = 0;
    for (std::size_t t = 0; t < size(); ++t) {
      u_[t] = {};
      for (std::size_t c = 0; c < dimension_; ++c) u_[t] += row(t)[c] * NearNumber{p[c], 0};
      if (u_[t].mid < u_[place].mid) place = t;
    }
    return place;
  }

  void refer(std::size_t reference) {
    const std::vector<Rational>& scores = (*facts_->scores)[sample_];
    const FractionVector own = left_fractions(*facts_->tokens, false, sample_, reference);
    rows_.clear();
    gaps_.clear();
    lengths_.clear();
    tokens_.clear();
    score_ = near(scores[reference]);
    for (std::size_t t = 0; t < scores.size(); ++t) {
      if (t == reference) continue;
      const FractionVector key = left_fractions(*facts_->tokens, false, sample_, t);
      std::vector<double> sizes;
      for (std::size_t c = 0; c < dimension_; ++c) {
        rows_.push_back(near(Rational(own.numerators[c], own.denominator) - Rational(key.numerators[c], key.denominator)));
        sizes.push_back(above(std::abs(rows_.back().mid) + rows_.back().radius));
      }
      lengths_.push_back(norm_above(sizes));
      gaps_.push_back(near(scores[reference] - scores[t]));
      tokens_.push_back(t);
    }
    u_.resize(size());
  }

  const LimitFacts* facts_;
  std::size_t sample_;
  std::size_t dimension_;
  std::vector<NearNumber> rows_;  // one after the other
  std::vector<NearNumber> gaps_;
  std::vector<double> lengths_;      // |d_t| from above
  std::vector<std::size_t> tokens_;  // t
  std::vector<NearNumber> u_;
  NearNumber score_;
};

/// -grad L and its derivative, both exp(m) times: with s, D, phi, a as in docs/certificate.md, section 4.20, each exp(m) times,
/// J = sum y phi^T + phi y^T - w sum_t a_t d_t d_t^T, w = -l'/n and y = exp(-m)(w D - l''/(2n) phi).
class NearGradient {
 public:
  NearGradient(Loss::Kind loss, const NearNumber& share, std::size_t dimension)
      : loss_(loss), share_(share), g_(dimension), derivative_(dimension * dimension), phi_(dimension), mean_(dimension), y_(dimension) {}

  /// `shrink`: exp(-m).
  void begin(const NearNumber& shrink) {
    shrink_ = shrink;
    std::ranges::fill(g_, NearNumber{});
    std::ranges::fill(derivative_, NearNumber{});
  }
  /// `powers`: exp(m - u_t).
  void add(const NearSample& sample, const std::vector<NearNumber>& powers, bool with_derivative) {
    const std::size_t d = g_.size();
    NearNumber sum;
    NearNumber weighted;
    for (std::size_t t = 0; t < powers.size(); ++t) {
      sum += powers[t];
      weighted += powers[t] * sample.gap(t);
    }
    const NearNumber inverse = reciprocal(exact_one + shrink_ * sum);
    const NearNumber lost = shrink_ * weighted * inverse;  // G
    const auto [steepness, bend] = near_slopes(loss_, sample.score() - lost);
    const NearNumber weight = steepness * share_;
    std::ranges::fill(phi_, NearNumber{});
    std::ranges::fill(mean_, NearNumber{});
    for (std::size_t t = 0; t < powers.size(); ++t) {
      const NearNumber s = powers[t] * inverse;
      const NearNumber a = s * (sample.gap(t) - lost);
      const NearNumber* row = sample.row(t);
      for (std::size_t c = 0; c < d; ++c) phi_[c] += a * row[c];
      if (!with_derivative) continue;
      for (std::size_t c = 0; c < d; ++c) mean_[c] += s * row[c];
      const NearNumber back = -(weight * a);
      for (std::size_t r = 0; r < d; ++r) {
        const NearNumber scaled = back * row[r];
        for (std::size_t c = 0; c <= r; ++c) derivative_[r * d + c] += scaled * row[c];
      }
    }
    for (std::size_t c = 0; c < d; ++c) g_[c] += weight * phi_[c];
    if (with_derivative) add_loss(weight, bend * share_);
  }

  const std::vector<NearNumber>& value() const { return g_; }
  NearNumber squared() const { return product(g_.data()); }

  /// J, the part that normalised steps keep of it, (I - g g^T/|g|^2) J, where asked for; by rows.
  const std::vector<NearNumber>& derivative(bool turning) {
    const std::size_t d = g_.size();
    for (std::size_t r = 0; r < d; ++r)
      for (std::size_t c = 0; c < r; ++c) derivative_[c * d + r] = derivative_[r * d + c];
    if (!turning) return derivative_;
    const NearNumber inverse = reciprocal(squared());
    for (std::size_t c = 0; c < d; ++c) y_[c] = product(derivative_.data() + c * d) * inverse;  // J g/|g|^2; J is symmetric
    for (std::size_t r = 0; r < d; ++r)
      for (std::size_t c = 0; c < d; ++c) derivative_[r * d + c] += -(g_[r] * y_[c]);
    return derivative_;
  }

 private:
  NearNumber product(const NearNumber* x) const {
    NearNumber sum;
    for (std::size_t c = 0; c < g_.size(); ++c) sum += x[c] * g_[c];
    return sum;
  }

  void add_loss(const NearNumber& weight, const NearNumber& bend) {
    const std::size_t d = g_.size();
    const NearNumber half = shrink_ * bend * NearNumber{0.5, 0};
    const NearNumber scaled = shrink_ * weight;
    for (std::size_t c = 0; c < d; ++c) y_[c] = scaled * mean_[c] - half * phi_[c];
    for (std::size_t r = 0; r < d; ++r)
      for (std::size_t c = 0; c <= r; ++c) derivative_[r * d + c] += y_[r] * phi_[c] + phi_[r] * y_[c];
  }

  Loss::Kind loss_;
  NearNumber share_;  // 1/n
  NearNumber shrink_;
  std::vector<NearNumber> g_;
  std::vector<NearNumber> derivative_;  // by rows, what is below the diagonal until it is asked for
  std::vector<NearNumber> phi_;
  std::vector<NearNumber> mean_;  // D
  std::vector<NearNumber> y_;
};

class NearRun final : public EnclosedRun {
 public:
  NearRun(const LimitRows& rows, const DescentRule& rule)
      : rows_(rows), rule_(rule), step_(near(rule.step)), p_(rows.dimension(), 0),
        gradient_(rows.program().problem().loss.kind(), reciprocal(NearNumber{static_cast<double>(rows.facts().scores->size()), 0}),
                  rows.dimension()) {
    std::vector<double> rounding;
    for (std::size_t c = 0; c < rule.start.size(); ++c) {
      p_[c] = nearest_double(rule.start[c]);
      rounding.push_back(rounded(p_[c]).radius);
    }
    radius_ = norm_above(rounding);
    const SvmProgram& program = rows.program();
    for (std::size_t i = 0; i < rows.facts().scores->size(); ++i)
      if ((*rows.facts().scores)[i].size() > 1) samples_.emplace_back(rows.facts(), i, rows.dimension(), program.selection()[i]);
    powers_.resize(samples_.size());
  }

  slong accuracy() const override { return static_cast<slong>(-std::ceil(std::log2(radius_))); }

  LimitIterate<PreciseBall> now() const override {
    BallVector centre(p_.size());
    for (std::size_t c = 0; c < p_.size(); ++c) arb_set_d(centre[c], p_[c]);
    mag_t reach;
    mag_init(reach);
    mag_set_d(reach, above(radius_ + room_for_checkers));
    LimitIterate<PreciseBall> at = iterate_around(rows_, centre, reach, PreciseBall::clause_bits);
    mag_clear(reach);
    return at;
  }

 private:
  static constexpr double room_for_checkers = 0x1p-39;

  bool normalised() const { return rule_.rule == StepRule::normalised; }

  bool step() override {
    double least = std::numeric_limits<double>::infinity();
    for (NearSample& sample : samples_) least = std::min(least, sample.look(p_));
    const double m = std::floor(least);
    if (!(std::abs(m) < 0x1p30)) return false;
    const NearNumber shrink = exp(NearNumber{-m, 0});
    gradient_.begin(shrink);
    for (std::size_t k = 0; k < samples_.size(); ++k) {
      take_powers(samples_[k], m, powers_[k]);
      gradient_.add(samples_[k], powers_[k], false);
    }
    const std::vector<NearNumber> down = gradient_.value();
    const NearNumber squared = gradient_.squared();
    if (normalised() && !note_faintness((m - least) / std::numbers::ln2 - std::log2(squared.mid - squared.radius) / 2)) return false;
    const NearNumber factor = factor_of(squared, shrink);
    const double stretch = stretch_on_ball(shrink);
    move(down, factor);
    radius_ = above(above(stretch * radius_) + norm_above(rounding_) + 0x1p-53);
    return std::isfinite(radius_) && stretch <= checker_limits::largest_stretch;
  }

  void take_powers(const NearSample& sample, double m, std::vector<NearNumber>& powers) const {
    powers.resize(sample.size());
    for (std::size_t t = 0; t < sample.size(); ++t) powers[t] = exp(NearNumber{m, 0} - sample.u(t));
  }

  NearNumber factor_of(const NearNumber& squared, const NearNumber& shrink) const {
    return normalised() ? step_ * reciprocal(root(squared)) : step_ * shrink;
  }

  /// A bound of the spectral norm of a step's derivative on the ball, on which u_t moves by at most |d_t| times its radius.
  double stretch_on_ball(const NearNumber& shrink) {
    const std::size_t d = p_.size();
    gradient_.begin(shrink);
    for (std::size_t k = 0; k < samples_.size(); ++k) {
      for (std::size_t t = 0; t < powers_[k].size(); ++t) powers_[k][t] = spread(powers_[k][t], above(samples_[k].length(t) * radius_));
      gradient_.add(samples_[k], powers_[k], true);
    }
    const NearNumber factor = factor_of(gradient_.squared(), shrink);
    const std::vector<NearNumber>& derivative = gradient_.derivative(normalised());
    middles_.resize(d * d);
    around_.resize(d * d);
    for (std::size_t r = 0; r < d; ++r)
      for (std::size_t c = 0; c < d; ++c) {
        const NearNumber entry = factor * derivative[r * d + c] + NearNumber{r == c ? 1.0 : 0.0, 0};
        middles_[r * d + c] = entry.mid;
        around_[r * d + c] = entry.radius;
      }
    return above(spectral_.of(middles_, d) + norm_above(around_));
  }

  void move(const std::vector<NearNumber>& down, const NearNumber& factor) {
    rounding_.resize(p_.size());
    for (std::size_t c = 0; c < p_.size(); ++c) {
      const NearNumber next = NearNumber{p_[c], 0} + factor * down[c];
      p_[c] = next.mid;
      rounding_[c] = next.radius;
    }
  }

  const LimitRows& rows_;
  const DescentRule& rule_;
  NearNumber step_;
  std::vector<double> p_;  // the centre
  double radius_ = 0;
  std::vector<NearSample> samples_;
  std::vector<std::vector<NearNumber>> powers_;
  NearGradient gradient_;
  SpectralBound spectral_;
  std::vector<double> middles_;
  std::vector<double> around_;
  std::vector<double> rounding_;
};

}  // namespace

std::unique_ptr<EnclosedRun> enclose_nearly(const LimitRows& rows, const DescentRule& rule) {
  const bool named = rows.program().problem().loss.kind() != Loss::Kind::written;
  if (rows.over_weights() || rule.rule == StepRule::flow || !named) return nullptr;
  return std::make_unique<NearRun>(rows, rule);
}

}  // namespace attest
