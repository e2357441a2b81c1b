#include "excess_kernel.hpp"

#include "attest/base/quadrature.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Rows that weigh less, of the largest weight, change no step of Newton's method.
constexpr double weightless_part = 1e-14;

/// Below, the mean of -l' by 8 nodes is exact to rounding; above, a difference of two values loses no more than two bits.
constexpr double gauss8_reach = 0.5;

/// (l(gamma - G) - l(gamma)) / G, the mean of -l' between them.
LogNumber mean_steepness(const Loss& loss, double gamma, double G) {
  if (!(std::abs(G) < gauss8_reach)) return (log_value(loss, gamma - G) + -log_value(loss, gamma)) / LogNumber::of(G);
  std::array<LogNumber, gauss8.size()> terms;
  for (std::size_t k = 0; k < terms.size(); ++k) terms[k] = steepness(loss, gamma - gauss8[k].node * G) * LogNumber::of(gauss8[k].weight);
  return sum_of(terms).number();
}

/// l''/l'^2 times e^log_scale.
double scaled_curvature(const Loss& loss, double u, double log_scale) {
  if (loss.kind() == Loss::Kind::logistic || loss.kind() == Loss::Kind::exponential) return std::exp(u + log_scale);  // l'' / l'^2 = e^u
  const LossJet jet = evaluate(loss, u);
  return jet.curvature / (jet.slope * jet.slope) * std::exp(log_scale);
}

}  // namespace

ExcessKernel::ExcessKernel(const NumericProblem& problem, const VectorXd& v, const Selection& selection, const MatrixXd& queries)
    : rows_(problem, selection, queries), gamma_(rows_.sample_count()), gaps_(rows_.size()),
      sample_count_(static_cast<double>(problem.tokens.size())), loss_(problem.loss) {
  Index row = 0;
  for (Index k = 0; k < rows_.sample_count(); ++k) {
    const std::size_t i = rows_.samples[static_cast<std::size_t>(k)];
    const SampleColumns& tokens = problem.tokens[i];
    const auto chosen = static_cast<Index>(selection[i]);
    gamma_[k] = problem.labels[i] * tokens.col(chosen).dot(v);
    for (Index t = 0; t < tokens.cols(); ++t)
      if (t != chosen) gaps_[row++] = problem.labels[i] * (tokens.col(chosen) - tokens.col(t)).dot(v);
  }
}

/// What attention is at one point: s_it and its logarithm, and G_i.
struct ExcessKernel::State {
  VectorXd log_s;
  VectorXd s;
  VectorXd elsewhere;  // s_i,alpha_i
  VectorXd G;
  double log_excess = 0;  // of the sum over samples

  /// delta_it - G_i. Where token t has nearly all the attention both agree in all their digits: then it is summed over the other tokens.
  double centred(const VectorXd& gaps, Index begin, Index count, Index k, Index row) const {
    if (s[row] <= 0.5) return gaps[row] - G[k];
    double others = elsewhere[k] * gaps[row];
    for (Index other = begin; other < begin + count; ++other)
      if (other != row) others += s[other] * (gaps[row] - gaps[other]);
    return others;
  }
};

ExcessKernel::State ExcessKernel::state_at(const VectorXd& q, double radius) const {
  State state;
  state.log_s = -radius * rows_.times(q);
  state.elsewhere.resize(rows_.sample_count());
  for (Index k = 0; k < rows_.sample_count(); ++k) {
    auto z = state.log_s.segment(rows_.begin(k), rows_.count(k)).array();
    const double shift = std::max(z.maxCoeff(), 0.0);
    const double denominator = shift + std::log(std::exp(-shift) + (z - shift).exp().sum());
    z -= denominator;
    state.elsewhere[k] = std::exp(-denominator);
  }
  state.s = state.log_s.array().exp();
  state.G.resize(rows_.sample_count());
  std::vector<LogNumber> excess;
  for (Index k = 0; k < rows_.sample_count(); ++k) {
    const auto gaps = gaps_.segment(rows_.begin(k), rows_.count(k)).array();
    const auto log_s = state.log_s.segment(rows_.begin(k), rows_.count(k)).array();
    const double largest = (gaps != 0).select(log_s, -std::numeric_limits<double>::infinity()).maxCoeff();
    if (largest == -std::numeric_limits<double>::infinity()) {  // every token scores the same
      state.G[k] = 0;
      continue;
    }
    const LogNumber drop = LogSum{largest, (gaps * (log_s - largest).min(0.0).exp()).sum()}.number();
    state.G[k] = drop.value();
    excess.push_back(drop * mean_steepness(loss_, gamma_[k], state.G[k]));
  }
  const LogSum total = sum_of(excess);
  state.log_excess = total.shift + std::log(total.mantissa);  // NaN where L <= L_alpha
  return state;
}

double ExcessKernel::value(const VectorXd& q, double radius) const {
  return (state_at(q, radius).log_excess - std::log(sample_count_)) / radius;
}

SphereObjective ExcessKernel::on_sphere(double radius) const {
  return {.value = [this, radius](const VectorXd& q) { return value(q, radius); },
          .slope = [this, radius](const VectorXd& q) { return slope(q, radius); }};
}

VectorXd ExcessKernel::combined(const VectorXd& weights) const { return rows_.combined(weights); }

namespace {

/// The rows that weigh anything, ascending, and their samples.
struct Weighty {
  std::vector<Index> rows;
  std::vector<Index> samples;

  Weighty(const RowProducts& all, const VectorXd& omega) {
    const double largest = omega.cwiseAbs().maxCoeff();
    for (Index k = 0; k < all.sample_count(); ++k) {
      const std::size_t before = rows.size();
      for (Index row = all.begin(k); row < all.begin(k + 1); ++row)
        if (std::abs(omega[row]) > weightless_part * largest) rows.push_back(row);
      if (rows.size() > before) samples.push_back(k);
    }
  }
};

/// The Hessian at one point, over the rows that weigh anything. Few of them are copied; of many all are taken as they stand, since two
/// Hessians at a time would be as large as the data.
struct Curvature {
  std::optional<RowProducts> few;
  const RowProducts& rows;
  VectorXd omega;
  VectorXd s;
  VectorXd bend;  // (l''/l'^2) E of the samples
  double radius;

  Curvature(const RowProducts& all, const VectorXd& all_omega, const VectorXd& all_s, const VectorXd& all_bend, double R)
      : Curvature(all, Weighty(all, all_omega), all_omega, all_s, all_bend, R) {}
  Curvature(const Curvature&) = delete;  // `rows` may be its own
  Curvature& operator=(const Curvature&) = delete;

  /// Per sample diag(omega) - s omega^T - omega s^T + bend omega omega^T; over all minus omega omega^T.
  VectorXd operator()(const VectorXd& direction) const {
    const VectorXd y = rows.times(direction);
    const double total = omega.dot(y);
    VectorXd weights(y.size());
    for (Index k = 0; k < rows.sample_count(); ++k) {
      const auto own = [&](const VectorXd& all) { return all.segment(rows.begin(k), rows.count(k)); };
      const double along_omega = own(omega).dot(own(y));
      const double along_s = own(s).dot(own(y));
      weights.segment(rows.begin(k), rows.count(k)) =
          own(omega).cwiseProduct(own(y)) - along_omega * own(s) + (bend[k] * along_omega - along_s - total) * own(omega);
    }
    return radius * rows.combined(weights);
  }

 private:
  static constexpr Index few_of = 4;  // up to one row in so many

  Curvature(const RowProducts& all, const Weighty& kept, const VectorXd& all_omega, const VectorXd& all_s, const VectorXd& all_bend,
            double R)
      : few(few_of * static_cast<Index>(kept.rows.size()) <= all.size() ? std::optional<RowProducts>(std::in_place, all, kept.rows)
                                                                        : std::nullopt),
        rows(few ? *few : all), omega(few ? VectorXd(all_omega(kept.rows)) : all_omega), s(few ? VectorXd(all_s(kept.rows)) : all_s),
        bend(few ? VectorXd(all_bend(kept.samples)) : all_bend), radius(R) {}
};

}  // namespace

SphereObjective::Slope ExcessKernel::slope(const VectorXd& q, double radius) const {
  const State state = state_at(q, radius);
  VectorXd omega(rows_.size());
  VectorXd bend(rows_.sample_count());
  for (Index k = 0; k < rows_.sample_count(); ++k) {
    const double u = gamma_[k] - state.G[k];
    const LogNumber fall = steepness(loss_, u);
    bend[k] = scaled_curvature(loss_, u, state.log_excess);
    for (Index row = rows_.begin(k); row < rows_.begin(k + 1); ++row)
      omega[row] = fall.sign * std::exp(state.log_s[row] + fall.log - state.log_excess) *
                   state.centred(gaps_, rows_.begin(k), rows_.count(k), k, row);
  }
  const auto curvature = std::make_shared<const Curvature>(rows_, omega, state.s, bend, radius);
  return {(state.log_excess - std::log(sample_count_)) / radius, -rows_.combined(omega),
          [curvature](const VectorXd& direction) { return (*curvature)(direction); }};
}

}  // namespace attest
