#include "attest/solve/descent_kernel.hpp"

#include "attention_pass.hpp"
#include "attest/base/tolerance.hpp"
#include "attest/graph/numeric_problem.hpp"
#include "crew.hpp"
#include "infinity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace attest {
namespace {

/// Below this many numbers one thread is faster than waiting for a second.
constexpr std::size_t numbers_a_part = std::size_t{1} << 17;
constexpr std::size_t most_parts = 8;

/// The reference stays while no logit exceeds its own by more than this: near a tie it would change at every step.
constexpr double largest_lead = 0.5;

/// A number as the sum of two doubles: differences of scores are then right to one rounding, and 0 only for a tie.
struct DoublePair {
  double high;
  double low;

  explicit DoublePair(const Rational& value) : high(nearest_double(value)), low(nearest_double(value - exact_value(high))) {}
};

double score_difference(const DoublePair& a, const DoublePair& b) { return (a.high - b.high) + (a.low - b.low); }

/// Into how many parts the sum over the samples is split: by the data alone, so that it rounds alike on every machine.
unsigned part_count(std::size_t numbers) { return static_cast<unsigned>(std::clamp<std::size_t>(numbers / numbers_a_part, 1, most_parts)); }

unsigned choose_threads(unsigned parts) { return std::min(parts, std::max(1U, std::thread::hardware_concurrency())); }

/// Below this many numbers a whole pass costs less than knowing which tokens matter.
constexpr std::size_t numbers_worth_a_list = std::size_t{1} << 14;
/// Tokens that weigh e^-60 of the heaviest change nothing in doubles.
constexpr double weightless_depth = 60;
/// How far p may go before the tokens that matter are looked for again: at least so far, or this part of its norm.
constexpr double least_reach = 0.5;
constexpr double reach_part = 0.005;

/// W and gradients in it, which come by rows.
using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The keys of a sample, made of its tokens when they are asked for: kept beside their differences they would be as much again.
class Keys {
 public:
  /// `W` is empty where the tokens are the keys; else it stays where it is.
  Keys(SampleColumns tokens, const Eigen::MatrixXd& W) : tokens_(std::move(tokens)), W_(&W) {}

  Eigen::Index count() const { return tokens_.cols(); }
  Eigen::MatrixXd minus(std::size_t token) const {
    if (W_->size() == 0) return tokens_.colwise() - tokens_.col(static_cast<Eigen::Index>(token));
    Eigen::MatrixXd keys = *W_ * tokens_;
    keys.colwise() -= Eigen::VectorXd(keys.col(static_cast<Eigen::Index>(token)));
    return keys;
  }
  double longest() const { return W_->size() == 0 ? tokens_.colwise().norm().maxCoeff() : (*W_ * tokens_).colwise().norm().maxCoeff(); }

 private:
  SampleColumns tokens_;
  const Eigen::MatrixXd* W_;
};

/// One sample relative to its reference token.
struct Sample {
  Keys keys;
  Eigen::VectorXd query;  // z_i; empty where p itself is trained
  std::vector<DoublePair> scores;
  std::size_t reference = 0;
  double reference_score = 0;
  Eigen::MatrixXd differences = {};  // k_t - k_reference
  Eigen::VectorXd gaps = {};         // gamma_reference - gamma_t
  Eigen::VectorXd differs = {};      // 1 where the gap is not 0, else 0
  Eigen::VectorXd logits = {};
  Eigen::VectorXd weights = {};

  Eigen::VectorXd prompt = {};    // W z_i
  Eigen::VectorXd gradient = {};  // in the prompt

  Sample(Keys k, Eigen::VectorXd z, const std::vector<Rational>& exact)
      : keys(std::move(k)), query(std::move(z)), scores(exact.begin(), exact.end()) {
    logits.resize(keys.count());
    weights.resize(keys.count());
    refer_to(0);
  }

  void refer_to(std::size_t token) {
    reference = token;
    reference_score = scores[token].high;
    differences = keys.minus(token);
    gaps.resize(keys.count());
    for (Eigen::Index t = 0; t < gaps.size(); ++t) gaps(t) = score_difference(scores[token], scores[static_cast<std::size_t>(t)]);
    differs = (gaps.array() != 0.0).cast<double>();
  }

  /// The same sample with some of its tokens alone, for as long as its reference stays.
  Sample with(const std::vector<Eigen::Index>& tokens) const {
    Sample fewer = *this;
    fewer.differences = differences(Eigen::all, tokens);
    fewer.gaps = gaps(tokens);
    fewer.differs = differs(tokens);
    fewer.logits.resize(fewer.gaps.size());
    fewer.weights.resize(fewer.gaps.size());
    return fewer;
  }

  /// Logits relative to the reference, and by how much the largest exceeds its own.
  double lead_at(const Eigen::VectorXd& p) {
    if (query.size() > 0) prompt.noalias() = Eigen::Map<const ByRows>(p.data(), differences.rows(), query.size()) * query;
    const double* at = query.size() > 0 ? prompt.data() : p.data();
    relative_logits(differences.data(), differences.rows(), differences.cols(), at, logits.data());
    return logits.maxCoeff();
  }

  /// Logits relative to the reference, which is changed where another token leads clearly.
  void look_from(const Eigen::VectorXd& p) {
    if (!(lead_at(p) > largest_lead)) return;
    refer_to(leader());
    lead_at(p);
  }

  /// sum += differences * weights, or (differences * weights) z^T.
  void add_to(Eigen::VectorXd& sum) {
    double* target = sum.data();
    if (query.size() > 0) {
      gradient.setZero(differences.rows());
      target = gradient.data();
    }
    add_columns(differences.data(), differences.rows(), differences.cols(), weights.data(), target);
    if (query.size() > 0) Eigen::Map<ByRows>(sum.data(), differences.rows(), query.size()).noalias() += gradient * query.transpose();
  }

  GapMean weigh() { return weigh_gaps(logits.size(), logits.data(), gaps.data(), differs.data(), weights.data()); }

  std::size_t leader() const {
    Eigen::Index token = 0;
    logits.maxCoeff(&token);
    return static_cast<std::size_t>(token);
  }
};

/// What the logarithms of terms can differ by from sample to sample and from token to token, besides their logits.
struct TermRange {
  double steepest = -infinity;  // log(-l') over all scores
  double flattest = infinity;
  double largest_gap = -infinity;  // log |gamma - gamma'|
  double longest_key = 0;          // as long as k_t - k_t' can be

  TermRange(const Loss& loss, const std::vector<Sample>& samples) {
    for (const Sample& sample : samples) {
      double least = infinity;
      double most = -infinity;
      for (const DoublePair& score : sample.scores) {
        const LogNumber slope = steepness(loss, score.high);
        steepest = std::max(steepest, slope.sign > 0 ? slope.log : infinity);
        flattest = std::min(flattest, slope.sign > 0 ? slope.log : -infinity);
        least = std::min(least, score.high);
        most = std::max(most, score.high);
      }
      largest_gap = std::max(largest_gap, std::log(most - least));
      const double query = sample.query.size() > 0 ? sample.query.norm() : 1;
      longest_key = std::max(longest_key, 2 * query * sample.keys.longest());
    }
  }
};

/// The tokens that weigh anything while p stays near a point. Far out these are few, whatever the data have: a token whose logit is
/// lower by more than its key can make up for on the way is left out, and each step passes over what is left.
class NearTokens {
 public:
  NearTokens(const Loss& loss, const std::vector<Sample>& samples) : range_(loss, samples) {}

  /// Whether p is near the point that was looked at last.
  bool near(const Eigen::VectorXd& p) const { return centre_.size() > 0 && (p - centre_).norm() <= reach_; }
  bool in_use() const { return !samples_.empty(); }
  void forget() {
    samples_.clear();
    centre_.resize(0);
  }

  std::vector<Sample>& samples() { return samples_; }

  /// From samples that have looked from p. Where most tokens matter the list stays empty.
  void look_at(const Eigen::VectorXd& p, const std::vector<Sample>& all) {
    centre_ = p;
    reach_ = std::max(least_reach, reach_part * p.norm());
    samples_.clear();
    double heaviest = -infinity;
    for (const Sample& sample : all)
      for (Eigen::Index t = 0; t < sample.gaps.size(); ++t)
        if (sample.gaps(t) != 0) heaviest = std::max(heaviest, sample.logits(t) + std::log(std::abs(sample.gaps(t))));
    const double least =
        heaviest + range_.flattest - weightless_depth - 2 * range_.longest_key * reach_ - range_.steepest - range_.largest_gap;
    if (!std::isfinite(least)) return;
    Eigen::Index kept = 0;
    Eigen::Index tokens = 0;
    std::vector<std::vector<Eigen::Index>> near;
    for (const Sample& sample : all) {
      near.emplace_back();
      for (Eigen::Index t = 0; t < sample.gaps.size(); ++t)
        if (sample.logits(t) >= least && static_cast<std::size_t>(t) != sample.reference) near.back().push_back(t);
      kept += static_cast<Eigen::Index>(near.back().size());
      tokens += sample.gaps.size();
    }
    if (2 * kept > tokens) return;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (near[i].empty()) continue;
      near[i].push_back(static_cast<Eigen::Index>(all[i].reference));
      samples_.push_back(all[i].with(near[i]));
    }
  }

 private:
  TermRange range_;
  Eigen::VectorXd centre_;  // empty: none
  double reach_ = 0;
  std::vector<Sample> samples_;
};

}  // namespace

struct DescentKernel::Parts {
  Loss loss;
  Eigen::Index dimension;
  Eigen::MatrixXd W;  // of the keys; empty: the identity
  std::vector<Sample> samples;
  std::vector<double> best_losses;  // l(max_t gamma_it)
  std::vector<LogVector> sums;      // one a part of the samples
  Crew crew;
  std::optional<NearTokens> near = {};  // of data that are worth it
  double near_base = 0;                 // the reference losses that the list is relative to
  double near_scale = 0;

  /// `queries` are empty where p is trained.
  Parts(const Problem& problem, const Scores& scores, unsigned parts, unsigned threads, const Eigen::MatrixXd& queries)
      : loss(problem.loss), dimension(static_cast<Eigen::Index>(problem.dimension()) * std::max<Eigen::Index>(1, queries.rows())),
        W(problem.W && queries.size() == 0 ? image_matrix(*problem.W) : Eigen::MatrixXd()), crew(threads) {
    for (std::size_t i = 0; i < problem.sample_count(); ++i) {
      samples.emplace_back(Keys(SampleColumns(problem.tokens[i]), W),
                           queries.size() > 0 ? Eigen::VectorXd(queries.col(static_cast<Eigen::Index>(i))) : Eigen::VectorXd(), scores[i]);
      best_losses.push_back(evaluate(loss, nearest_double(*std::max_element(scores[i].begin(), scores[i].end()))).value);
    }
    sums.resize(parts);
  }

  double count() const { return static_cast<double>(samples.size()); }

  /// Adds -l'(f) sum_t s_t (gap_t - G) (k_t - k_r) of one sample that has its logits. [docs/theory.md, (1)]
  void add_gradient(Sample& sample, LogVector& sum) const {
    const GapMean mean = sample.weigh();
    if (mean.log_scale == -infinity) return;  // every token scores the same
    const LogNumber slope = steepness(loss, sample.reference_score - mean.rounded);
    const double factor = slope.sign * sum.admit(mean.log_scale + slope.log);
    if (factor == 0) return;
    sample.weights *= factor;
    sample.add_to(sum.vector);
  }

  void add_gradients(unsigned member, const Eigen::VectorXd& p) {
    for (std::size_t part = member; part < sums.size(); part += crew.size()) add_part(part, p);
  }

  void add_part(std::size_t part, const Eigen::VectorXd& p) {
    LogVector& sum = sums[part];
    sum.set_zero(dimension);
    const std::size_t begin = samples.size() * part / sums.size();
    const std::size_t end = samples.size() * (part + 1) / sums.size();
    for (std::size_t i = begin; i < end; ++i) {
      samples[i].look_from(p);
      add_gradient(samples[i], sum);
    }
  }

  /// Whether the tokens that matter are known at p; their samples then have their logits.
  bool looks_from_near(const Eigen::VectorXd& p) {
    if (!near || !near->in_use() || !near->near(p)) return false;
    for (Sample& sample : near->samples())
      if (sample.lead_at(p) > largest_lead) {
        near->forget();
        return false;
      }
    return true;
  }

  void look_at_near(const Eigen::VectorXd& p) {
    if (!near || near->near(p)) return;
    near->look_at(p, samples);
    std::tie(near_base, near_scale) = reference_loss();
  }

  /// The sums of l and of |l| at the references of all samples.
  std::pair<double, double> reference_loss() const {
    double base = 0;
    double scale = 0;
    for (const Sample& sample : samples) {
      const double value = evaluate(loss, sample.reference_score).value;
      base += value;
      scale += std::abs(value);
    }
    return {base, scale};
  }

  LossLevel whole_level(const Eigen::VectorXd& p) {
    for (Sample& sample : samples) sample.look_from(p);
    const auto [base, scale] = reference_loss();
    return level_of(samples, base, scale);
  }

  /// From samples that have their logits; those that are left out rise by nothing that counts.
  LossLevel level_of(std::vector<Sample>& looked, double base, double scale) const {
    std::vector<LogNumber> rises;
    for (Sample& sample : looked) {
      const GapMean mean = sample.weigh();
      if (mean.value != 0) rises.push_back(rise(loss, sample.reference_score, mean.number()));
    }
    const LogSum total = sum_of(rises);
    const LogNumber distance = LogSum{total.shift, total.mantissa / count()}.number();
    return {base / count(), distance, total.shift, scale / count()};
  }
};

DescentKernel::DescentKernel(const Problem& problem, const Scores& scores, unsigned threads, Parametrisation parametrisation)
    : DescentKernel(problem, scores, threads, parametrisation == Parametrisation::weights ? query_columns(problem) : Eigen::MatrixXd()) {}

DescentKernel::DescentKernel(const Problem& problem, const Scores& scores, unsigned threads, const Eigen::MatrixXd& queries) {
  std::size_t numbers = 0;
  for (const ExactMatrix& tokens : problem.tokens) numbers += tokens.image().size();
  const unsigned parts = threads == 0 ? part_count(numbers) : threads;
  parts_ = std::make_unique<Parts>(problem, scores, parts, threads == 0 ? choose_threads(parts) : threads, queries);
  if (numbers >= numbers_worth_a_list) parts_->near.emplace(parts_->loss, parts_->samples);
}

DescentKernel::~DescentKernel() = default;
DescentKernel::DescentKernel(DescentKernel&&) noexcept = default;
DescentKernel& DescentKernel::operator=(DescentKernel&&) noexcept = default;

Eigen::Index DescentKernel::dimension() const { return parts_->dimension; }
unsigned DescentKernel::threads() const { return parts_->crew.size(); }

void DescentKernel::gradient(const Eigen::VectorXd& p, LogVector& result) {
  if (parts_->looks_from_near(p)) {
    result.set_zero(parts_->dimension);
    for (Sample& sample : parts_->near->samples()) parts_->add_gradient(sample, result);
    result.vector /= parts_->count();
    return;
  }
  parts_->crew.run([&](unsigned member) { parts_->add_gradients(member, p); });
  double largest = -infinity;
  for (const LogVector& sum : parts_->sums) largest = std::max(largest, sum.log_scale);
  result.set_zero(parts_->dimension);
  result.log_scale = largest;
  if (largest == -infinity) return;
  for (const LogVector& sum : parts_->sums) result.vector += std::exp(sum.log_scale - largest) / parts_->count() * sum.vector;
  parts_->look_at_near(p);
}

LossLevel DescentKernel::loss_level(const Eigen::VectorXd& p) {
  if (parts_->looks_from_near(p)) return parts_->level_of(parts_->near->samples(), parts_->near_base, parts_->near_scale);
  return parts_->whole_level(p);
}

double DescentKernel::log_excess(const Eigen::VectorXd& p) {
  const LossLevel level = parts_->whole_level(p);
  double above_best = 0;  // of the reference selection
  for (std::size_t i = 0; i < parts_->samples.size(); ++i)
    above_best += evaluate(parts_->loss, parts_->samples[i].reference_score).value - parts_->best_losses[i];
  if (above_best == 0) return level.distance.sign < 0 ? std::numeric_limits<double>::quiet_NaN() : level.distance.log;
  return std::log(above_best / parts_->count() + level.distance.value());
}

Selection DescentKernel::selection(const Eigen::VectorXd& p) {
  Selection selection;
  for (Sample& sample : parts_->samples) {
    sample.look_from(p);
    selection.push_back(sample.leader());
  }
  return selection;
}

double DescentKernel::least_lead(const Eigen::VectorXd& p) {
  double least = infinity;
  for (Sample& sample : parts_->samples) {
    sample.look_from(p);
    const auto leader = static_cast<Eigen::Index>(sample.leader());
    for (Eigen::Index t = 0; t < sample.logits.size(); ++t)
      if (t != leader) least = std::min(least, sample.logits(leader) - sample.logits(t));
  }
  return least;
}

bool lies_above(const LossLevel& a, const LossLevel& b) {
  if (a.base == b.base) {
    const double terms = std::max(a.log_terms, b.log_terms);
    return !(a.distance.over(terms) - b.distance.over(terms) <= monotone_tolerance.relative);
  }
  const double loss_a = a.base + a.distance.value();
  const double loss_b = b.base + b.distance.value();
  return !(loss_a - loss_b <= monotone_tolerance.relative * (a.scale + b.scale));
}

}  // namespace attest
