// The exact parts below Assumption B that doubles could otherwise hide: the bound of a leaf and the simplex method.

#include "margin_bound.hpp"

#include "brute_force.hpp"
#include "drawn_numbers.hpp"
#include "linear_program.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace attest;

namespace {

using Offers = std::vector<std::vector<brute::Vector>>;

brute::Vector plus(const brute::Vector& a, const Rational& factor, const brute::Vector& b) {
  brute::Vector sum = a;
  for (std::size_t c = 0; c < a.size(); ++c) sum[c] += factor * b[c];
  return sum;
}

/// The bound of docs/certificate.md, 4.9, word for word.
Rational written_bound(const Offers& offers, const brute::Vector& weights, const Assignment& taken) {
  const std::size_t n = offers.size();
  const brute::Vector zero(offers.front().front().size(), 0);
  std::vector<std::vector<brute::Vector>> deviations(n);
  brute::Vector centre = zero;
  for (std::size_t i = 0; i < n; ++i) {
    brute::Vector own = zero;
    if (taken[i] != open)
      own = offers[i][static_cast<std::size_t>(taken[i])];
    else
      for (const auto& point : offers[i]) own = plus(own, Rational(1) / offers[i].size(), point);
    if (taken[i] == open)
      for (const auto& point : offers[i]) deviations[i].push_back(plus(point, -1, own));
    centre = plus(centre, weights[i], own);
  }
  Rational bound = brute::dot(centre, centre);
  for (std::size_t i = 0; i < n; ++i) {
    std::optional<Rational> best;
    for (const auto& e : deviations[i]) {
      Rational value = 2 * weights[i] * brute::dot(e, centre) + weights[i] * weights[i] * brute::dot(e, e);
      for (std::size_t k = 0; k < n; ++k) {
        if (k == i || deviations[k].empty()) continue;
        Rational reach = brute::dot(e, deviations[k].front());
        for (const auto& other : deviations[k]) reach = std::max(reach, brute::dot(e, other));
        value += weights[i] * weights[k] * reach;
      }
      if (!best || value > *best) best = value;
    }
    if (best) bound += *best;
  }
  return bound;
}

/// The largest |sum lambda_i y_i|^2 over everything below a node.
Rational true_maximum(const Offers& offers, const brute::Vector& weights, Assignment taken) {
  const auto next = std::ranges::find(taken, open);
  if (next == taken.end()) {
    brute::Vector sum(offers.front().front().size(), 0);
    for (std::size_t i = 0; i < offers.size(); ++i) sum = plus(sum, weights[i], offers[i][static_cast<std::size_t>(taken[i])]);
    return brute::dot(sum, sum);
  }
  const std::size_t count = offers[static_cast<std::size_t>(next - taken.begin())].size();
  Rational largest = 0;
  for (std::size_t t = 0; t < count; ++t) {
    *next = static_cast<int>(t);
    largest = std::max(largest, true_maximum(offers, weights, taken));
  }
  return largest;
}

OfferedPoints encoded(const Offers& offers, int denominator) {
  OfferedPoints result{{}, denominator};
  for (const auto& points : offers) {
    result.points.emplace_back();
    for (const auto& point : points) {
      result.points.back().emplace_back();
      for (const Rational& entry : point) result.points.back().back().push_back(numerator(Rational(entry * denominator)));
    }
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_leaf_closes_exactly_when_its_bound_is_at_most_the_target) {
  Draw draw(5);
  const Rational hair = Rational(1) / pow(Integer(10), 40U);
  for (int trial = 0; trial < 300; ++trial) {
    Offers offers(static_cast<std::size_t>(draw.pick(1, 4)));
    const auto d = static_cast<std::size_t>(draw.pick(1, 3));
    brute::Vector weights;
    Assignment taken;
    for (auto& points : offers) {
      points.resize(static_cast<std::size_t>(draw.pick(1, 3)));
      for (auto& point : points)
        for (std::size_t c = 0; c < d; ++c) point.emplace_back(draw.pick(-6, 6), 6);
      weights.emplace_back(draw.pick(0, 3) + (&points == &offers.front() ? 1 : 0));
      taken.push_back(draw.pick(0, 1) ? open : draw.pick(0, static_cast<int>(points.size()) - 1));
    }
    Rational sum = 0;
    for (const Rational& weight : weights) sum += weight;
    for (Rational& weight : weights) weight /= sum;
    const Rational bound = written_bound(offers, weights, taken);
    BOOST_REQUIRE(bound >= true_maximum(offers, weights, taken));
    const SampleWeights exact = SampleWeights::exactly(weights);
    BOOST_REQUIRE(MarginBound(encoded(offers, 6), bound, 1).closes(exact, taken));
    if (bound > hair) BOOST_REQUIRE(!MarginBound(encoded(offers, 6), bound - hair, 1).closes(exact, taken));
  }
}

BOOST_AUTO_TEST_CASE(rounded_weights_still_sum_to_one) {
  const SampleWeights weights = SampleWeights::rounded({1.0 / 3, 1.0 / 3, 1.0 / 3, 0}, 20);
  Integer sum = 0;
  for (const Integer& weight : weights.numerators) {
    BOOST_TEST(weight >= 0);
    sum += weight;
  }
  BOOST_TEST(sum == weights.denominator);
}

BOOST_AUTO_TEST_CASE(an_optimum_comes_with_its_proof_and_infeasible_programs_are_seen) {
  Draw draw(9);
  int optimal = 0;
  int infeasible = 0;
  for (int trial = 0; trial < 400; ++trial) {
    LinearProgram program;
    const auto d = static_cast<std::size_t>(draw.pick(1, 3));
    const auto count = static_cast<std::size_t>(draw.pick(1, 5));
    for (std::size_t k = 0; k < count; ++k) {
      auto& column = program.columns.emplace_back();
      for (std::size_t r = 0; r < d; ++r) column.emplace_back(draw.pick(-2, 2));
      column.emplace_back(1);  // weights sum to 1: bounded
      program.objective.emplace_back(draw.pick(-2, 2));
    }
    for (std::size_t r = 0; r < d; ++r) program.right.emplace_back(draw.pick(-1, 1));
    program.right.emplace_back(1);
    const auto found = maximise(program);
    if (!found) {
      // By Caratheodory a feasible program has a solution on independent columns; the least-norm program over all rows agrees.
      std::vector<brute::Vector> rows = program.columns;
      for (auto& row : rows)
        for (std::size_t r = 0; r < d; ++r) row[r] -= program.right[r];
      for (auto& row : rows) row.pop_back();
      BOOST_REQUIRE(brute::minimise(rows, brute::Vector(rows.size(), 1), d));  // the origin can be separated from them
      ++infeasible;
      continue;
    }
    ++optimal;
    brute::Vector sum(d + 1, 0);
    for (std::size_t k = 0; k < count; ++k) {
      BOOST_REQUIRE(found->x[k] >= 0);
      sum = plus(sum, found->x[k], program.columns[k]);
      BOOST_REQUIRE(brute::dot(found->y, program.columns[k]) >= program.objective[k]);
    }
    BOOST_REQUIRE(sum == program.right);
    BOOST_REQUIRE(brute::dot(found->x, program.objective) == found->value);
    BOOST_REQUIRE(brute::dot(found->y, program.right) == found->value);
  }
  BOOST_TEST(optimal > 50);
  BOOST_TEST(infeasible > 50);
}
