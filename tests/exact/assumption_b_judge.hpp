#pragma once

// What a verdict on Assumption B must satisfy, from the data alone: by sampling, and by the conditions of a witness.

#include "attest/exact/assumption_b.hpp"
#include "brute_force.hpp"
#include "drawn_numbers.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attest {

using Point = std::vector<double>;
using Attention = std::vector<Point>;

inline std::vector<brute::Vector> v_rows(const Problem& problem, const Selection& selection) {
  std::vector<brute::Vector> rows;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    rows.emplace_back();
    for (std::size_t c = 0; c < problem.dimension(); ++c)
      rows.back().emplace_back(problem.labels[i] * problem.tokens[i].at(selection[i], c));
  }
  return rows;
}

/// A direction that shows a margin of the attention from below: min_i u.Z_i^T s_i / |u|, by many small steps.
inline double shown_margin(const Problem& problem, const Attention& attention) {
  const std::size_t n = problem.sample_count();
  const std::size_t d = problem.dimension();
  std::vector<Point> outputs(n, Point(d, 0.0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t t = 0; t < attention[i].size(); ++t)
      for (std::size_t c = 0; c < d; ++c) outputs[i][c] += problem.labels[i] * attention[i][t] * problem.tokens[i].image_row(t)[c];
  const auto dot = [](const Point& a, const Point& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); };
  Point weights(n, 1.0 / static_cast<double>(n));
  Point u(d, 0.0);
  for (const Point& output : outputs)
    for (std::size_t c = 0; c < d; ++c) u[c] += output[c] / static_cast<double>(n);
  double best = 0;
  for (int step = 0; step < 300; ++step) {
    std::size_t low = 0;
    std::size_t high = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (dot(outputs[i], u) < dot(outputs[low], u)) low = i;
      if (weights[i] > 0 && (high == n || dot(outputs[i], u) > dot(outputs[high], u))) high = i;
    }
    best = std::max(best, dot(outputs[low], u) / std::sqrt(dot(u, u) + 1e-300));
    Point towards = outputs[low];
    for (std::size_t c = 0; c < d; ++c) towards[c] -= outputs[high][c];
    const double size = dot(towards, towards);
    if (low == high || size < 1e-30) break;
    const double amount = std::clamp(-dot(towards, u) / size, 0.0, weights[high]);
    weights[high] -= amount;
    weights[low] += amount;
    for (std::size_t c = 0; c < d; ++c) u[c] += amount * towards[c];
  }
  return best;
}

inline Attention attention_of(const Problem& problem, const Point& p) {
  Attention attention;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    Point logits;
    for (std::size_t t = 0; t < problem.token_count(i); ++t) {
      const auto row = problem.tokens[i].image_row(t);
      logits.push_back(std::inner_product(row.begin(), row.end(), p.begin(), 0.0));
    }
    const double largest = *std::ranges::max_element(logits);
    double sum = 0;
    for (double& logit : logits) sum += logit = std::exp(logit - largest);
    for (double& logit : logits) logit /= sum;
    attention.push_back(logits);
  }
  return attention;
}

/// Any attention at all: each sample moves a little, much, or to one token.
inline Attention any_attention(Draw& draw, const Problem& problem, const Selection& selection) {
  Attention attention;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    Point share;
    for (std::size_t t = 0; t < problem.token_count(i); ++t) share.push_back(draw.pick(0, 1) ? std::pow(draw.unit(), 4) : 0.0);
    share[static_cast<std::size_t>(draw.pick(0, static_cast<int>(share.size()) - 1))] += 0.1;
    const double sum = std::accumulate(share.begin(), share.end(), 0.0);
    const double moved = draw.pick(0, 3) == 0 ? 0 : std::pow(10.0, -4 * draw.unit() * draw.pick(0, 1));
    for (double& entry : share) entry *= moved / sum;
    share[selection[i]] += 1 - moved;
    attention.push_back(share);
  }
  return attention;
}

inline double moved_attention(const Problem& problem, const Selection& selection, const std::vector<bool>& counts,
                              const Attention& attention) {
  double most = 0;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    if (!counts[i]) continue;
    double moved = 0;
    for (std::size_t t = 0; t < attention[i].size(); ++t)
      if (t != selection[i]) moved += attention[i][t];
    most = std::max(most, moved);
  }
  return most;
}

inline std::vector<bool> counted_samples(const Problem& problem, AttentionOver over, const SvmSolution& v) {
  std::vector<bool> counts(problem.sample_count(), over == AttentionOver::all);
  for (const std::size_t row : v.support) counts[row] = true;
  return counts;
}

inline double gamma_of(const SvmSolution& v) { return 1 / std::sqrt(2 * nearest_double(v.objective)); }

/// Whether margin(s) <= Gamma - nu max (1 - s), as far as doubles tell.
inline bool respects(const Problem& problem, const Selection& selection, const std::vector<bool>& counts, const AssumptionBProof& proof,
                     const Attention& attention) {
  const double allowed = gamma_of(proof.v) - nearest_double(proof.nu) * moved_attention(problem, selection, counts, attention);
  return shown_margin(problem, attention) <= allowed + 1e-9;
}

/// Samples attention and points p; a proof over all samples by the cover speaks of reachable attention only.
inline void require_never_violated(Draw& draw, const Problem& problem, const Selection& selection, AttentionOver over,
                                   const AssumptionBProof& proof, int samples) {
  const std::vector<bool> counts = counted_samples(problem, over, proof.v);
  for (int k = 0; k < samples; ++k) {
    Point p;
    const double radius = std::pow(10.0, 3 * draw.unit() - 1);
    for (std::size_t c = 0; c < problem.dimension(); ++c) p.push_back(radius * draw.normal());
    BOOST_REQUIRE(respects(problem, selection, counts, proof, attention_of(problem, p)));
    if (proof.cover.empty()) BOOST_REQUIRE(respects(problem, selection, counts, proof, any_attention(draw, problem, selection)));
  }
}

struct NamedRow {
  std::size_t sample;
  std::size_t token;
  brute::Vector row;
};

inline std::vector<NamedRow> named_rows(const Problem& problem, const Selection& selection) {
  std::vector<NamedRow> rows;
  std::size_t k = 0;
  const auto plain = brute::p_rows(problem, selection);
  for (std::size_t i = 0; i < problem.sample_count(); ++i)
    for (std::size_t t = 0; t < problem.token_count(i); ++t)
      if (t != selection[i]) rows.push_back({i, t, plain[k++]});
  return rows;
}

/// The conditions of docs/theory.md, 4.7, from the data alone.
struct RequireWitness {
  const Problem& problem;
  const Selection& selection;
  std::vector<bool> counts;
  std::vector<bool> in_support;
  const SvmSolution& v;

  void separates(const Selection& chosen, const brute::Vector& p) const {
    for (const auto& row : brute::p_rows(problem, chosen)) BOOST_REQUIRE(brute::dot(row, p) > 0);
  }

  std::vector<NamedRow> least_rows(const brute::Vector& p) const {
    std::vector<NamedRow> least;
    for (const NamedRow& row : named_rows(problem, selection)) {
      if (!counts[row.sample]) continue;
      const Rational value = brute::dot(row.row, p);
      if (!least.empty() && value > brute::dot(least.front().row, p)) continue;
      if (!least.empty() && value < brute::dot(least.front().row, p)) least.clear();
      least.push_back(row);
    }
    BOOST_REQUIRE(!least.empty());
    return least;
  }

  Rational score(std::size_t i, std::size_t t) const {
    Rational sum = 0;
    for (std::size_t c = 0; c < v.w.size(); ++c) sum += problem.labels[i] * problem.tokens[i].at(t, c) * v.w[c];
    return sum;
  }

  void operator()(const AssumptionBRefutation::ByLimit& by) const {
    bool differs = false;
    for (std::size_t i = 0; i < selection.size(); ++i) {
      const auto key_product = [&](std::size_t t) {
        Rational sum = 0;
        for (std::size_t c = 0; c < by.p.size(); ++c) sum += problem.tokens[i].at(t, c) * by.p[c];
        return sum;
      };
      for (std::size_t t = 0; t < problem.token_count(i); ++t) {
        bool largest = true;
        for (std::size_t other = 0; other < problem.token_count(i); ++other) largest = largest && key_product(other) <= key_product(t);
        if (!largest) continue;
        differs = differs || (counts[i] && t != selection[i]);
        Rational score = 0;
        for (std::size_t c = 0; c < by.u.size(); ++c) score += problem.labels[i] * problem.tokens[i].at(t, c) * by.u[c];
        BOOST_REQUIRE(score >= 1);
      }
    }
    BOOST_REQUIRE(differs);
    BOOST_REQUIRE(brute::dot(by.u, by.u) <= 2 * v.objective);
  }
  void operator()(const AssumptionBRefutation::BySoftRow& by) const {
    separates(selection, by.p);
    for (const NamedRow& row : least_rows(by.p))
      BOOST_REQUIRE(!in_support[row.sample] || score(row.sample, row.token) >= score(row.sample, selection[row.sample]));
  }
  void operator()(const AssumptionBRefutation::ByWeightless& by) const {
    separates(selection, by.p);
    for (const NamedRow& row : least_rows(by.p)) BOOST_REQUIRE_EQUAL(row.sample, by.sample);
    BOOST_REQUIRE(brute::dot(by.y, v.w) == 0);
    const auto rows = v_rows(problem, selection);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (in_support[i]) BOOST_REQUIRE(brute::dot(by.y, rows[i]) >= (i == by.sample ? 1 : 0));
  }
  void operator()(const AssumptionBRefutation::ByPoint& by) const {
    Point p;
    for (const Rational& entry : by.p) p.push_back(nearest_double(entry));
    BOOST_REQUIRE(shown_margin(problem, attention_of(problem, p)) >= gamma_of(v) - 1e-12);
  }
};

inline void require_refuted(const Problem& problem, const Selection& selection, AttentionOver over,
                            const AssumptionBRefutation& refutation) {
  std::visit(RequireWitness{problem, selection, counted_samples(problem, over, refutation.v),
                            counted_samples(problem, AttentionOver::support, refutation.v), refutation.v},
             refutation.by);
}

}  // namespace attest
