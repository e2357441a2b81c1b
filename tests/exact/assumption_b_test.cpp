#include "attest/exact/assumption_b.hpp"

#include "attest/exact/largest_margin.hpp"
#include "brute_force.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace attest;

namespace {

const Budget no_limit(3600);
using Point = std::vector<double>;
using Attention = std::vector<Point>;

ExactMatrix matrix(const std::vector<brute::Vector>& rows) {
  brute::Vector values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  return ExactMatrix::from_rationals(rows.size(), rows.front().size(), std::move(values));
}

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  int pick(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }
  double normal() { return normal_(random_); }
  double unit() { return static_cast<double>(random_()) / 4294967296.0; }

 private:
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
};

/// Small whole numbers: full of ties, equal tokens and degenerate programs.
Problem degenerate_problem(Draw& draw) {
  Problem problem;
  const auto d = static_cast<std::size_t>(draw.pick(1, 3));
  const int n = draw.pick(2, 4);
  for (int i = 0; i < n; ++i) {
    std::vector<brute::Vector> tokens(static_cast<std::size_t>(draw.pick(1, 3)));
    for (auto& token : tokens)
      for (std::size_t c = 0; c < d; ++c) token.emplace_back(Rational(draw.pick(-3, 3)) / draw.pick(1, 2));
    problem.tokens.push_back(matrix(tokens));
    problem.labels.push_back(draw.pick(0, 1) ? 1 : -1);
  }
  return problem;
}

/// Directions drawn at random, written with three decimals.
Problem random_problem(Draw& draw, int n, std::size_t count, std::size_t d) {
  Problem problem;
  for (int i = 0; i < n; ++i) {
    std::vector<brute::Vector> tokens(count);
    for (auto& token : tokens) {
      Point direction;
      for (std::size_t c = 0; c < d; ++c) direction.push_back(draw.normal());
      const double length = std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0));
      for (const double entry : direction) token.emplace_back(std::lround(1000 * entry / length), 1000);
    }
    problem.tokens.push_back(matrix(tokens));
    problem.labels.push_back(draw.pick(0, 1) ? 1 : -1);
  }
  return problem;
}

std::vector<brute::Vector> v_rows(const Problem& problem, const Selection& selection) {
  std::vector<brute::Vector> rows;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    rows.emplace_back();
    for (std::size_t c = 0; c < problem.dimension(); ++c)
      rows.back().emplace_back(problem.labels[i] * problem.tokens[i].at(selection[i], c));
  }
  return rows;
}

/// A direction that shows a margin of the attention from below: min_i u.Z_i^T s_i / |u|, by many small steps.
double shown_margin(const Problem& problem, const Attention& attention) {
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

Attention attention_of(const Problem& problem, const Point& p) {
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
Attention any_attention(Draw& draw, const Problem& problem, const Selection& selection) {
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

double moved_attention(const Problem& problem, const Selection& selection, const std::vector<bool>& counts, const Attention& attention) {
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

std::vector<bool> counted_samples(const Problem& problem, AttentionOver over, const SvmSolution& v) {
  std::vector<bool> counts(problem.sample_count(), over == AttentionOver::all);
  for (const std::size_t row : v.support) counts[row] = true;
  return counts;
}

double gamma_of(const SvmSolution& v) { return 1 / std::sqrt(2 * nearest_double(v.objective)); }

/// Whether margin(s) <= Gamma - nu max (1 - s), as far as doubles tell.
bool respects(const Problem& problem, const Selection& selection, const std::vector<bool>& counts, const AssumptionBProof& proof,
              const Attention& attention) {
  const double allowed = gamma_of(proof.v) - nearest_double(proof.nu) * moved_attention(problem, selection, counts, attention);
  return shown_margin(problem, attention) <= allowed + 1e-9;
}

/// Samples attention and points p; a proof over all samples by the cover speaks of reachable attention only.
void require_never_violated(Draw& draw, const Problem& problem, const Selection& selection, AttentionOver over,
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

std::vector<NamedRow> named_rows(const Problem& problem, const Selection& selection) {
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

void require_refuted(const Problem& problem, const Selection& selection, AttentionOver over, const AssumptionBRefutation& refutation) {
  std::visit(RequireWitness{problem, selection, counted_samples(problem, over, refutation.v),
                            counted_samples(problem, AttentionOver::support, refutation.v), refutation.v},
             refutation.by);
}

/// joint tight: [docs/theory.md, 4.9]
Problem joint(const Rational& height) {
  Problem problem;
  problem.tokens = {matrix({{0, 0}, {1, 1}}), matrix({{0, 0}, {1, -1}}), matrix({{0, 0}, {Rational(1, 2), height}})};
  problem.labels = {1, -1, 1};
  return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(verdicts_agree_with_sampling_on_small_degenerate_problems) {
  Draw draw(41);
  std::array<int, 4> count{};
  std::array<int, 4> refuted_by{};
  int covers = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const Problem problem = degenerate_problem(draw);
    const ExactTokens tokens(problem);
    Selection selection = find_largest_margin(tokens, no_limit, {}).selection;
    if (trial % 3 == 0)
      for (std::size_t i = 0; i < selection.size(); ++i)
        selection[i] = static_cast<std::size_t>(draw.pick(0, static_cast<int>(problem.token_count(i)) - 1));
    for (const AttentionOver over : {AttentionOver::all, AttentionOver::support}) {
      const AssumptionBOutcome outcome = decide_assumption_b(tokens, selection, over, no_limit);
      ++count[outcome.index()];
      if (const auto* proof = std::get_if<AssumptionBProof>(&outcome)) {
        BOOST_REQUIRE(proof->nu > 0);
        covers += proof->cover.empty() ? 0 : 1;
        require_never_violated(draw, problem, selection, over, *proof, 40);
        const SlopeWitnesses witnesses = bound_slope(tokens, selection, over, {}, no_limit);
        BOOST_REQUIRE(!witnesses.by_rays || *witnesses.by_rays >= proof->nu);
      }
      if (const auto* refutation = std::get_if<AssumptionBRefutation>(&outcome)) {
        require_refuted(problem, selection, over, *refutation);
        ++refuted_by[refutation->by.index()];
      }
      const auto rows = v_rows(problem, selection);
      BOOST_REQUIRE_EQUAL(std::holds_alternative<NoLabelMargin>(outcome),
                          !brute::minimise(rows, brute::Vector(rows.size(), 1), problem.dimension()));
    }
  }
  BOOST_TEST_MESSAGE("small problems: " << count[0] << " proved (" << covers << " by cover), " << count[1] << " refuted (limit "
                                        << refuted_by[0] << ", soft row " << refuted_by[1] << ", weightless " << refuted_by[2] << "), "
                                        << count[2] << " undecided, " << count[3] << " without margin");
  BOOST_TEST(count[0] > 100);
  BOOST_TEST(count[1] > 100);
}

BOOST_AUTO_TEST_CASE(almost_all_random_problems_are_decided_and_no_sample_violates_a_proved_nu) {
  Draw draw(43);
  int decided = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Problem problem = random_problem(draw, 3, 3, 4);
    const ExactTokens tokens(problem);
    const LargestMargin best = find_largest_margin(tokens, no_limit, {});
    BOOST_REQUIRE(best.proved);
    const AssumptionBOutcome outcome = decide_assumption_b(tokens, best.selection, AttentionOver::support, no_limit);
    decided += std::holds_alternative<AssumptionBUndecided>(outcome) ? 0 : 1;
    if (const auto* proof = std::get_if<AssumptionBProof>(&outcome))
      require_never_violated(draw, problem, best.selection, AttentionOver::support, *proof, 200);
  }
  BOOST_TEST_MESSAGE("random problems: " << decided << " of 200 decided");
  BOOST_TEST(decided >= 190);
}

BOOST_AUTO_TEST_CASE(the_largest_margin_is_the_one_that_enumeration_gives) {
  Draw draw(47);
  for (int trial = 0; trial < 150; ++trial) {
    const Problem problem = degenerate_problem(draw);
    const ExactTokens tokens(problem);
    std::optional<Rational> least;  // of |v|^2
    Selection selection(problem.sample_count(), 0);
    for (bool more = true; more;) {
      const auto rows = v_rows(problem, selection);
      const auto w = brute::minimise(rows, brute::Vector(rows.size(), 1), problem.dimension());
      if (w && (!least || brute::dot(*w, *w) < *least)) least = brute::dot(*w, *w);
      more = false;
      for (std::size_t i = 0; i < selection.size() && !more; ++i) {
        more = ++selection[i] < problem.token_count(i);
        if (!more) selection[i] = 0;
      }
    }
    const LargestMargin found = find_largest_margin(tokens, no_limit, {});
    BOOST_REQUIRE_EQUAL(found.proved, least.has_value());
    if (!least) continue;
    const auto rows = v_rows(problem, found.selection);
    const auto w = brute::minimise(rows, brute::Vector(rows.size(), 1), problem.dimension());
    BOOST_REQUIRE(w);
    BOOST_REQUIRE(brute::dot(*w, *w) == *least);
  }
}

BOOST_AUTO_TEST_CASE(joint_tight_holds_with_a_constant_close_to_one_half) {
  const Problem problem = joint(1);
  const ExactTokens tokens(problem);
  for (const AttentionOver over : {AttentionOver::all, AttentionOver::support}) {
    const AssumptionBOutcome outcome = decide_assumption_b(tokens, {1, 1, 1}, over, no_limit);
    const auto* proof = std::get_if<AssumptionBProof>(&outcome);
    BOOST_REQUIRE(proof);
    BOOST_TEST(nearest_double(proof->nu) >= 0.48);
    BOOST_TEST(nearest_double(proof->nu) <= 0.5);
    BOOST_REQUIRE(bound_slope(tokens, {1, 1, 1}, over, {}, no_limit).by_rays);
    BOOST_TEST(nearest_double(*bound_slope(tokens, {1, 1, 1}, over, {}, no_limit).by_rays) == 0.5);
  }
}

BOOST_AUTO_TEST_CASE(joint_relaxed_fails_over_all_samples_and_holds_over_the_support) {
  const Problem problem = joint(Rational(3, 2));
  const ExactTokens tokens(problem);
  const AssumptionBOutcome all = decide_assumption_b(tokens, {1, 1, 1}, AttentionOver::all, no_limit);
  const auto* refutation = std::get_if<AssumptionBRefutation>(&all);
  BOOST_REQUIRE(refutation);
  BOOST_TEST(std::holds_alternative<AssumptionBRefutation::BySoftRow>(refutation->by));
  require_refuted(problem, {1, 1, 1}, AttentionOver::all, *refutation);
  BOOST_TEST(std::holds_alternative<AssumptionBProof>(decide_assumption_b(tokens, {1, 1, 1}, AttentionOver::support, no_limit)));
}

BOOST_AUTO_TEST_CASE(a_sample_with_the_keys_of_a_support_vector_is_covered) {
  // Sample 1 is sample 0 moved away by (0, 1): the same rows, a larger margin.
  Problem problem;
  problem.tokens = {matrix({{1, 0}, {Rational(1, 2), 0}}), matrix({{2, 0}, {Rational(3, 2), 0}})};
  problem.labels = {1, 1};
  const ExactTokens tokens(problem);
  const AssumptionBOutcome outcome = decide_assumption_b(tokens, {0, 0}, AttentionOver::all, no_limit);
  const auto* proof = std::get_if<AssumptionBProof>(&outcome);
  BOOST_REQUIRE(proof);
  BOOST_TEST(proof->cover.size() == 1U);
  Draw draw(3);
  require_never_violated(draw, problem, {0, 0}, AttentionOver::all, *proof, 200);
}

BOOST_AUTO_TEST_CASE(a_selection_that_is_not_the_best_fails) {
  // Near (0, 0) every move costs; but (1, 1) has twice its margin.
  Problem problem;
  problem.tokens = {matrix({{1, 0}, {0, 2}}), matrix({{1, 0}, {0, 2}})};
  problem.labels = {1, 1};
  const ExactTokens tokens(problem);
  const AssumptionBOutcome outcome = decide_assumption_b(tokens, {0, 0}, AttentionOver::support, no_limit);
  const auto* refutation = std::get_if<AssumptionBRefutation>(&outcome);
  BOOST_REQUIRE(refutation);
  BOOST_TEST(std::holds_alternative<AssumptionBRefutation::ByLimit>(refutation->by));
  require_refuted(problem, {0, 0}, AttentionOver::support, *refutation);
}

BOOST_AUTO_TEST_CASE(without_a_label_margin_there_is_no_claim) {
  Problem problem;
  problem.tokens = {matrix({{1}}), matrix({{1}})};
  problem.labels = {1, -1};
  const ExactTokens tokens(problem);
  BOOST_TEST(std::holds_alternative<NoLabelMargin>(decide_assumption_b(tokens, {0, 0}, AttentionOver::all, no_limit)));
}

BOOST_AUTO_TEST_CASE(without_time_it_is_undecided) {
  const Problem problem = joint(1);
  const ExactTokens tokens(problem);
  BOOST_TEST(std::holds_alternative<AssumptionBUndecided>(decide_assumption_b(tokens, {1, 1, 1}, AttentionOver::all, Budget(0))));
}

BOOST_AUTO_TEST_CASE(a_point_whose_margin_is_above_gamma_refutes) {
  Problem problem;
  problem.tokens = {matrix({{1, 0}, {3, 0}, {1, 2}}), matrix({{2, 1}, {1, -1}})};
  problem.labels = {1, 1};
  const ExactTokens tokens(problem);
  const auto refutation = refute_by_points(tokens, {0, 0}, AttentionOver::all, {{0.5, 1}}, no_limit);
  BOOST_REQUIRE(refutation);
  BOOST_REQUIRE(std::holds_alternative<AssumptionBRefutation::ByPoint>(refutation->by));
  require_refuted(problem, {0, 0}, AttentionOver::all, *refutation);
}

BOOST_AUTO_TEST_CASE(a_point_whose_margin_is_below_gamma_only_bounds_nu) {
  const Problem problem = joint(1);
  const ExactTokens tokens(problem);
  const std::vector<Point> points = {{4, 2}, {0, 0}, {-3, 1}, {std::numeric_limits<double>::quiet_NaN(), 0}};
  BOOST_TEST(!refute_by_points(tokens, {1, 1, 1}, AttentionOver::all, points, no_limit));
  const SlopeWitnesses witnesses = bound_slope(tokens, {1, 1, 1}, AttentionOver::all, points, no_limit);
  BOOST_REQUIRE(witnesses.by_points);
  BOOST_TEST(nearest_double(*witnesses.by_points) >= 0.5);  // the best constant
  BOOST_TEST(nearest_double(*witnesses.by_points) < 0.6);
}
