#pragma once

#include "limit_rows.hpp"

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

/// The clauses of docs/certificate.md, sections 4.21 to 4.23, in any arithmetic: in doubles they are guesses, in balls proofs. Every
/// comparison is written so that what is not known, or not a number, fails.
namespace attest {

inline bool at_most(double a, double b) { return a <= b; }
inline bool below(double a, double b) { return a < b; }
inline double upper_end(double a) { return a; }
inline double lower_end(double a) { return a; }
inline double square(double a) { return a * a; }
inline double root(double a) { return std::sqrt(a > 0 ? a : 0); }
using std::exp;
using std::log;

/// A number of which a double is exact.
template <class Number>
Number exactly(double value);
template <>
inline double exactly<double>(double value) {
  return value;
}
template <>
inline PreciseBall exactly<PreciseBall>(double value) {
  PreciseBall ball;
  arb_set_d(ball.get(), value);
  return ball;
}

/// What is left in every inequality for a checker that rounds differently.
inline const Rational clause_slack = Rational(1) + Rational(Integer(1), Integer(1) << 24);

/// What the clauses ask of an iterate: y_c = a_c.p for every row, and |p|^2.
template <class Number>
struct LimitIterate {
  std::vector<Number> y;
  Number norm_squared;
};

/// How far a run goes in a step; `step` has no meaning for flow.
template <class Number>
struct LimitStep {
  StepRule rule;
  Number step;
};

template <class Number>
Number larger(Number a, Number b) {
  return below(a, b) ? std::move(b) : std::move(a);
}

/// Clauses 3 and 4 of 4.22: p = l w + w~ + r with r in the span of S and orthogonal to w.
template <class Number>
struct ConeFrame {
  Number l;
  Number r0;
  std::vector<Number> omega;
  std::vector<Number> push;  ///< off S exp(-omega_c - (theta_c - 1) l)
  Number v;                  ///< the norm of the part of w~ orthogonal to w
};

template <class Space>
auto cone_frame(const Space& space, const LimitIterate<typename Space::Number>& at) -> std::optional<ConeFrame<typename Space::Number>> {
  using Number = typename Space::Number;
  const LimitFigures<Number>& of = space.figures();
  const Number zero = exactly<Number>(0);
  ConeFrame<Number> frame{zero, zero, std::vector<Number>(at.y.size(), zero), std::vector<Number>(at.y.size(), zero), zero};
  Number along = zero;  // p.w
  for (std::size_t k = 0; k < of.support.size(); ++k) {
    const std::size_t c = of.support[k];
    frame.omega[c] = log(of.slope[of.sample[c]] * of.gap[c] / of.lambda[k]);
    along += of.lambda[k] * at.y[c];
    frame.l += of.lambda[k] * (at.y[c] - frame.omega[c]) / of.w_squared;
  }
  if (!below(zero, along)) return std::nullopt;
  std::vector<Number> z;
  for (const std::size_t c : of.support) z.push_back(at.y[c] - frame.omega[c] - frame.l);
  const std::vector<Number> zeta = space.solve(z);
  if (zeta.empty()) return std::nullopt;
  Number r0_squared = zero;
  Number cross = zero;
  for (std::size_t k = 0; k < z.size(); ++k) {
    r0_squared += z[k] * zeta[k];
    cross += zeta[k] * at.y[of.support[k]];
  }
  frame.r0 = root(r0_squared);
  frame.v = root(at.norm_squared - exactly<Number>(2) * cross + r0_squared - square(along) / of.w_squared);
  const std::vector<Number> of_r0 = space.products(zeta);
  for (std::size_t c = 0; c < at.y.size(); ++c) {
    if (of.tight[c]) continue;
    frame.omega[c] = at.y[c] - of.theta[c] * frame.l - of_r0[c];
    frame.push[c] = exp(-frame.omega[c] - (of.theta[c] - exactly<Number>(1)) * frame.l);
  }
  return frame;
}

/// What clauses 9 and 10 of 4.22 compare, for one rho: pull <= 2 and reach <= rho.
template <class Number>
struct ConeTest {
  Number reach;
  Number pull;
};

/// A lower bound of x/(exp x - 1).
template <class Number>
Number falling_ratio(const Number& x) {
  if (below(x, exactly<Number>(0x1p-20))) return exactly<Number>(1) - x / exactly<Number>(2);
  return x / (exp(x) - exactly<Number>(1));
}

/// Clauses 5 to 10 of 4.22; nothing if eps < 1 or kappa > 0 does not hold.
template <class Number>
class ConeClauses {
 public:
  ConeClauses(const LimitFigures<Number>& of, const ConeFrame<Number>& frame, const LimitStep<Number>& step, Number spectral)
      : of_(of), frame_(frame), step_(step), spectral_(std::move(spectral)) {}

  std::optional<ConeTest<Number>> at(const Number& rho) {
    const std::size_t rows = of_.theta.size();
    const Number one = exactly<Number>(1);
    const Number zero = exactly<Number>(0);
    bound_samples(rho);
    Number eps = zero;
    Number widest = zero;  // x_S
    std::vector<Number> eps_at;
    for (const std::size_t c : of_.support) {
      const std::size_t i = of_.sample[c];
      eps_at.push_back((one + e_[i]) * (one + H_[i] / of_.gap[c]) * (one + E_[i]) - one);
      if (!below(eps_at.back(), one)) return std::nullopt;
      eps = larger(std::move(eps), upper_end(eps_at.back()));
      widest = larger(std::move(widest), upper_end(of_.across[c] * rho));
    }
    std::vector<Number> m(rows, zero);
    Number kappa = one - eps;
    Number along = zero;  // sum off S of m theta exp x
    Number back = zero;   // sum over rows that push back of m n^2/phi
    std::vector<bool> loose(rows, false);
    for (std::size_t c = 0; c < rows; ++c) {
      if (of_.tight[c]) continue;
      const std::size_t i = of_.sample[c];
      const Number size = of_.gap_positive[c] ? of_.gap[c] : -of_.gap[c];
      m[c] = of_.slope[i] * (one + e_[i]) * (size + H_[i]) * frame_.push[c];
      loose[c] = !at_most(upper_end(H_[i]), of_.gap[c]);
      const Number x = of_.across[c] * rho;
      const Number far = loose[c] || step_.rule == StepRule::constant ? m[c] * of_.theta[c] * exp(x) / of_.w_squared : zero;
      along += far;
      if (loose[c])
        kappa = kappa - far;
      else
        back += m[c] * square(of_.across[c]) / falling_ratio(upper_end(x));
    }
    if (!below(zero, kappa)) return std::nullopt;
    const auto [sigma, tau] = lengths(kappa, eps_at, along, rho);
    Number sum = zero;
    for (std::size_t k = 0; k < of_.support.size(); ++k) sum += of_.lambda[k] * eps_at[k] * of_.across[of_.support[k]] * (one + tau);
    for (std::size_t c = 0; c < rows; ++c) {
      if (of_.tight[c]) continue;
      const Number over = of_.theta[c] - one;
      if (!below(zero, over)) return std::nullopt;
      const Number push = loose[c] ? m[c] * exp(of_.across[c] * rho) : m[c];
      sum += push * of_.across[c] * (one / over + tau);
    }
    return ConeTest<Number>{frame_.r0 + sum / kappa, sigma * ((one + eps) * spectral_ / falling_ratio(widest) + back)};
  }

 private:
  /// E_i, H_i and e_i.
  void bound_samples(const Number& rho) {
    E_.assign(of_.samples, exactly<Number>(0));
    H_ = E_;
    e_ = E_;
    for (std::size_t c = 0; c < of_.theta.size(); ++c) {
      const std::size_t i = of_.sample[c];
      const Number share = exp(of_.across[c] * rho - frame_.omega[c] - of_.theta[c] * frame_.l);
      E_[i] += share;
      H_[i] += (of_.gap_positive[c] ? of_.gap[c] : -of_.gap[c]) * share;
    }
    for (std::size_t i = 0; i < of_.samples; ++i) e_[i] = of_.m0_over_n * H_[i] / of_.slope[i];
  }

  /// sigma and tau of clause 8; `along` has every row off S for constant steps.
  std::pair<Number, Number> lengths(const Number& kappa, const std::vector<Number>& eps_at, const Number& along, const Number& rho) const {
    const Number norm = root(of_.w_squared);
    if (step_.rule == StepRule::flow) return {exactly<Number>(0), exactly<Number>(0)};
    if (step_.rule == StepRule::normalised) return {step_.step / (kappa * norm), step_.step / norm};
    const Number sigma = step_.step * exp(-frame_.l);
    Number sum = along;
    for (std::size_t k = 0; k < eps_at.size(); ++k)
      sum += of_.lambda[k] * (exactly<Number>(1) + eps_at[k]) * exp(of_.across[of_.support[k]] * rho) / of_.w_squared;
    return {sigma, sigma * sum};
  }

  const LimitFigures<Number>& of_;
  const ConeFrame<Number>& frame_;
  LimitStep<Number> step_;
  Number spectral_;
  std::vector<Number> E_;
  std::vector<Number> H_;
  std::vector<Number> e_;
};

/// The left side of clause 5 of 4.23, which must be at most 1 + delta; nothing if a clause before it does not hold.
template <class Number>
std::optional<Number> wedge_total(const LimitFigures<Number>& of, const LimitIterate<Number>& at, const LimitStep<Number>& step,
                                  const Number& delta) {
  const Number one = exactly<Number>(1);
  const Number two = exactly<Number>(2);
  const Number zero = exactly<Number>(0);
  const std::size_t rows = at.y.size();
  const Number inverse_norm = one / root(of.w_squared);  // Theta
  Number h = zero;
  for (std::size_t k = 0; k < of.support.size(); ++k) h += inverse_norm * of.lambda[k] * at.y[of.support[k]];
  if (!below(zero, h)) return std::nullopt;
  const Number h0 = lower_end(h);
  const Number opening = root(two * delta + square(delta));
  std::vector<Number> B;
  std::vector<Number> E(of.samples, zero);
  std::vector<Number> H(of.samples, zero);
  for (std::size_t c = 0; c < rows; ++c) {
    B.push_back(inverse_norm * of.theta[c] - opening * of.across[c]);
    if (!below(zero, B.back())) return std::nullopt;
    const Number share = exp(-(B[c] * h0));
    E[of.sample[c]] += share;
    H[of.sample[c]] += (of.gap_positive[c] ? of.gap[c] : -of.gap[c]) * share;
  }
  std::vector<Number> e;
  for (std::size_t i = 0; i < of.samples; ++i) {
    e.push_back(of.m0_over_n * H[i] / of.slope[i]);
    if (!below(e.back(), one)) return std::nullopt;
  }
  std::optional<Number> least;  // b
  Number most = zero;           // B^
  Number longest = zero;        // the largest |a_c| of P
  Number shares = zero;         // sum over P of exp(-B_c h_0)
  std::size_t good = 0;
  std::vector<std::size_t> others;
  for (std::size_t c = 0; c < rows; ++c) {
    const std::size_t i = of.sample[c];
    if (!below(upper_end(H[i]), of.gap[c])) {
      if (of.tight[c] || !below(zero, B[c] - (one + delta) * inverse_norm)) return std::nullopt;
      others.push_back(c);
      continue;
    }
    const Number low = lower_end(of.slope[i] * (one - e[i]) * (of.gap[c] - H[i]) / (one + E[i]));
    if (!least || below(low, *least)) least = low;
    most = larger(std::move(most), upper_end(of.slope[i] * (one + e[i]) * (of.gap[c] + H[i])));
    longest = larger(std::move(longest), upper_end(of.length[c]));
    shares += exp(-(B[c] * h0));
    ++good;
  }
  if (!least || !below(zero, *least)) return std::nullopt;
  // 2.718 < e; the double next to it is below e too.
  const Number spread = most / *least * exactly<Number>(static_cast<double>(good - 1)) / exactly<Number>(2.718);
  Number xi = zero;
  std::vector<Number> weight;
  for (const std::size_t c : others) {
    const std::size_t i = of.sample[c];
    const Number size = of.gap_positive[c] ? of.gap[c] : -of.gap[c];
    weight.push_back(of.length[c] / inverse_norm * of.slope[i] * (one + e[i]) * (size + H[i]) / *least);
    xi += weight.back() * exp(-((B[c] - (one + delta) * inverse_norm) * h0));
  }
  if (!below(xi, one)) return std::nullopt;
  Number s = zero;
  if (step.rule == StepRule::normalised) s = step.step;
  if (step.rule == StepRule::constant) s = step.step * (longest + inverse_norm * xi) * most * shares;
  const Number u = h0 - s;
  if (!below(zero, u)) return std::nullopt;
  const Number k_prime = (spread / inverse_norm + s * (longest / inverse_norm + xi) / two) / (one - xi);
  Number tail = zero;
  for (std::size_t k = 0; k < others.size(); ++k) {
    const Number rate = (B[others[k]] - (one + delta) * inverse_norm) * u;
    tail += weight[k] * exp(-rate) / rate;
  }
  return root(at.norm_squared) / h + k_prime / u + two / (one - xi) * tail;
}

}  // namespace attest
