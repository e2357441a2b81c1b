#include "conflict_search.hpp"

#include "complementarity.hpp"
#include "float_vector.hpp"
#include "fraction_vector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace attest {
namespace {

using certified::Conflict;

constexpr int most_conflict_rounds = 60;
constexpr double search_slack = 1e-7;         // by which rows may be missed and conflicts should be kept, in doubles
constexpr std::size_t rows_a_round = 6;       // that join the quadratic program, and as many generators
constexpr double generator_softness = 1e-10;  // what makes the program's matrix positive definite
constexpr double row_softness = 1e-7;         // and keeps weights finite where any are enough
constexpr double unranked_softening = 1e-3;   // by which softness may lower a generator's bound before it counts as not met
constexpr std::array grid_bits = {9, 16, 26, 40};

double total(const ConflictGuess& guess) { return std::accumulate(guess.weights.begin(), guess.weights.end(), 0.0); }

/// To the grid of which the largest entry takes `bits` bits.
std::vector<double> on_grid(const std::vector<double>& values, double factor, int bits) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(factor * value));
  std::vector<double> result(values.size(), 0.0);
  if (!(largest > 0) || !std::isfinite(largest)) return result;
  const double unit = std::ldexp(1.0, std::ilogb(largest) + 1 - bits);
  for (std::size_t k = 0; k < values.size(); ++k) result[k] = std::round(factor * values[k] / unit) * unit;
  return result;
}

/// The double times a power of two, which may be beyond doubles.
Rational scaled_value(double value, int exponent) {
  const Rational power(Integer(1) << std::abs(exponent));
  return exponent < 0 ? exact_value(value) / power : exact_value(value) * power;
}

/// Of a sample that is given its token, another token of it, and a weight above 0.
bool is_term(const Conflict::Term& term, const PartialSelection& chosen) {
  return chosen[term.sample] == term.chosen && term.token != term.chosen && term.weight > 0;
}

/// sum lambda (k_ia - k_it)
FractionVector combination(const Conflict& conflict, const ExactTokens& tokens) {
  FractionVector sum;
  sum.numerators.assign(tokens.problem().dimension(), 0);
  for (const auto& [sample, chosen, token, weight] : conflict.terms) {
    sum = plus_scaled(sum, weight, tokens.key(sample, chosen));
    sum = plus_scaled(sum, -weight, tokens.key(sample, token));
  }
  return sum;
}

/// Of all tokens of a sample.
std::vector<Rational> exact_logits(const ExactTokens& tokens, std::size_t sample, const FractionVector& point) {
  std::vector<Rational> result;
  for (std::size_t t = 0; t < tokens.problem().token_count(sample); ++t) {
    const FractionVector& key = tokens.key(sample, t);
    result.emplace_back(dot(key.numerators, point.numerators), Integer(key.denominator * point.denominator));
  }
  return result;
}

/// Whether every generator of a sample has at least this product with the point of these logits.
bool rises(const std::vector<Rational>& logits, const std::vector<Rational>& scores, std::optional<std::size_t> chosen, int least) {
  for (std::size_t b = 0; b < logits.size(); ++b) {
    if (chosen && b != *chosen) continue;
    for (std::size_t t = 0; t < logits.size(); ++t)
      if (scores[t] < scores[b] && logits[b] - logits[t] < least) return false;
  }
  return true;
}

}  // namespace

bool excludes(const Conflict& conflict, const ExactTokens& tokens, const Scores& scores) {
  PartialSelection chosen(tokens.problem().sample_count());
  for (const auto& [sample, token] : conflict.pairs) chosen[sample] = token;
  if (conflict.terms.empty() || !std::ranges::all_of(conflict.terms, [&](const auto& term) { return is_term(term, chosen); })) return false;
  FractionVector point =
      plus_scaled(FractionVector{std::vector<Integer>(tokens.problem().dimension(), 0)}, -1, combination(conflict, tokens));
  if (conflict.centre) {
    Rational total = 0;
    for (const Conflict::Term& term : conflict.terms) total += term.weight;
    for (const Rational& entry : *conflict.centre) total -= entry * entry;
    if (total <= 0) return false;
    point = plus_scaled(point, 2, over_one_denominator(*conflict.centre));
  }
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (!rises(exact_logits(tokens, i, point), scores[i], chosen[i], conflict.centre ? 1 : 0)) return false;
  return true;
}

ConflictSearch::ConflictSearch(const ExactTokens& tokens, const Scores& scores, const Budget& budget)
    : tokens_(tokens), scores_(scores), budget_(budget), dimension_(tokens.problem().dimension()) {
  const Problem& problem = tokens.problem();
  double largest = 0;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    auto& keys = keys_.emplace_back();
    for (std::size_t t = 0; t < problem.token_count(i); ++t) {
      const std::span<const double> token = problem.tokens[i].image_row(t);
      for (std::size_t c = 0; c < dimension_; ++c) keys.push_back(problem.W ? dot(problem.W->image_row(c), token) : token[c]);
    }
    for (const double entry : keys) largest = std::max(largest, std::abs(entry));
    auto& ascent = ascent_.emplace_back(problem.token_count(i));
    std::iota(ascent.begin(), ascent.end(), std::size_t{0});
    std::ranges::stable_sort(ascent, [&](std::size_t t, std::size_t b) { return scores[i][t] < scores[i][b]; });
    auto& level = level_.emplace_back(ascent.size(), 0);
    for (std::size_t k = 1; k < ascent.size(); ++k)
      level[ascent[k]] = level[ascent[k - 1]] + (scores[i][ascent[k - 1]] < scores[i][ascent[k]] ? 1 : 0);
  }
  if (largest > 0 && std::isfinite(largest)) exponent_ = std::ilogb(largest);
  for (auto& keys : keys_)
    for (double& entry : keys) entry = std::ldexp(entry, -exponent_);
}

std::vector<double> ConflictSearch::vector_of(const KeyDifference& difference) const {
  const auto upper = key(difference.sample, difference.upper);
  const auto lower = key(difference.sample, difference.lower);
  std::vector<double> result(dimension_);
  for (std::size_t c = 0; c < dimension_; ++c) result[c] = upper[c] - lower[c];
  return result;
}

std::vector<double> ConflictSearch::logits(std::size_t sample, const std::vector<double>& point) const {
  std::vector<double> result(level_[sample].size());
  for (std::size_t t = 0; t < result.size(); ++t) result[t] = dot(key(sample, t), point);
  return result;
}

ConflictSearch::Least ConflictSearch::least_row(std::size_t sample, std::size_t chosen, const std::vector<double>& point) const {
  const std::vector<double> values = logits(sample, point);
  Least least;
  for (std::size_t t = 0; t < values.size(); ++t)
    if (t != chosen && values[chosen] - values[t] < least.value) least = {values[chosen] - values[t], {sample, chosen, t}};
  return least;
}

ConflictSearch::Least ConflictSearch::least_generator(std::size_t sample, std::optional<std::size_t> chosen,
                                                      const std::vector<double>& point) const {
  const std::vector<double> values = logits(sample, point);
  const std::vector<std::size_t>& ascent = ascent_[sample];
  const std::vector<std::size_t>& level = level_[sample];
  Least least;
  std::size_t below = 0;                 // tokens ascent[0 .. below-1] score less than the one at hand,
  std::size_t highest = ascent.front();  // and this one of them has the largest logit
  for (std::size_t k = 0; k < ascent.size(); ++k) {
    const std::size_t upper = ascent[k];
    for (; level[ascent[below]] < level[upper]; ++below)
      if (below == 0 || values[ascent[below]] > values[highest]) highest = ascent[below];
    if (below == 0 || (chosen && upper != *chosen)) continue;
    if (values[upper] - values[highest] < least.value) least = {values[upper] - values[highest], {sample, upper, highest}};
  }
  return least;
}

double ConflictSearch::least_generator(const PartialSelection& chosen, const std::vector<double>& point) const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < chosen.size(); ++i) least = std::min(least, least_generator(i, chosen[i], point).value);
  return least;
}

bool ConflictSearch::is_generator(const PartialSelection& chosen, const KeyDifference& difference) const {
  const auto& [sample, upper, lower] = difference;
  return level_[sample][lower] < level_[sample][upper] && (!chosen[sample] || *chosen[sample] == upper);
}

/// 2c - sum lambda a
std::vector<double> ConflictSearch::point_of(const ConflictGuess& guess) const {
  std::vector<double> point(dimension_, 0.0);
  add_scaled(point, 2, guess.centre);
  for (std::size_t k = 0; k < guess.rows.size(); ++k) add_scaled(point, -guess.weights[k], vector_of(guess.rows[k]));
  return point;
}

/// The program over the guess's generators g with multipliers mu and its rows a, if some point ranks the generators. At its optimum c = sum
/// mu g, and G (2 G^T mu - A^T lambda) >= 1 and A G^T mu >= 1 with complementary mu and lambda.
bool ConflictSearch::solve(ConflictGuess& guess) const {
  std::vector<std::vector<double>> vectors;
  for (const KeyDifference& generator : guess.generators) vectors.push_back(vector_of(generator));
  for (const KeyDifference& row : guess.rows) vectors.push_back(vector_of(row));
  const std::size_t generators = guess.generators.size();
  SquareMatrix N{vectors.size()};
  for (std::size_t r = 0; r < N.size; ++r)
    for (std::size_t c = 0; c < N.size; ++c) {
      if (r < generators || c < generators) {
        const double both = dot(vectors[r], vectors[c]);
        N(r, c) = r < generators && c < generators ? 2 * both : r < generators ? -both : both;
      }
      if (r == c) N(r, c) += r < generators ? generator_softness : row_softness;
    }
  const auto solved = solve_complementarity(N, budget_);
  if (!solved) return false;
  // Generators that softness alone satisfies: no point ranks these.
  std::vector<KeyDifference> unranked;
  for (std::size_t k = 0; k < generators; ++k)
    if ((*solved)[k] * generator_softness > unranked_softening) unranked.push_back(guess.generators[k]);
  if (!unranked.empty()) {
    guess.ranked = false;
    guess.generators = std::move(unranked);
    guess.rows.clear();
    return true;
  }
  const auto middle = solved->begin() + static_cast<std::ptrdiff_t>(generators);
  guess.multipliers.assign(solved->begin(), middle);
  guess.weights.assign(middle, solved->end());
  guess.centre.assign(dimension_, 0.0);
  for (std::size_t k = 0; k < generators; ++k) add_scaled(guess.centre, guess.multipliers[k], vectors[k]);
  return true;
}

/// Adds the worst generators at the point and the worst rows at the centre; false when there are none.
bool ConflictSearch::extend(ConflictGuess& guess, const PartialSelection& chosen, const std::vector<double>& point) const {
  const auto add_worst = [](std::vector<KeyDifference>& list, std::vector<Least>& found) {
    std::erase_if(found, [&](const Least& least) {
      return !(least.value < 1 - search_slack) || std::ranges::find(list, least.difference) != list.end();
    });
    const std::size_t count = std::min(found.size(), rows_a_round);
    std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(count), {}, &Least::value);
    for (std::size_t k = 0; k < count; ++k) list.push_back(found[k].difference);
    return count > 0;
  };
  std::vector<Least> generators;
  std::vector<Least> rows;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    generators.push_back(least_generator(i, chosen[i], point));
    if (chosen[i]) rows.push_back(least_row(i, *chosen[i], guess.centre));
  }
  const bool more_rows = add_worst(guess.rows, rows);
  // Where every row holds, fewer generators allow more: a program that is not positive now never will be.
  if (!more_rows && total(guess) <= dot(guess.centre, guess.centre)) return false;
  return add_worst(guess.generators, generators) || more_rows;
}

ConflictGuess ConflictSearch::guess(const PartialSelection& chosen, const ConflictGuess& start) const {
  ConflictGuess guess;
  for (std::size_t k = 0; k < start.generators.size(); ++k)
    if ((!start.ranked || start.multipliers[k] > 0) && is_generator(chosen, start.generators[k]))
      guess.generators.push_back(start.generators[k]);
  for (std::size_t k = 0; k < start.rows.size(); ++k)
    if (start.weights[k] > 0 && chosen[start.rows[k].sample] == start.rows[k].upper) guess.rows.push_back(start.rows[k]);
  // What could not be ranked there cannot be here, if it is all still there.
  guess.ranked = start.ranked || guess.generators.empty() || guess.generators.size() < start.generators.size();
  if (!guess.ranked) return start;
  for (int round = 0; round < most_conflict_rounds && solve(guess); ++round) {
    if (!guess.ranked) return guess;
    const std::vector<double> point = point_of(guess);
    const double least = least_generator(chosen, point);
    // The guess times a factor is a conflict when least * factor >= 1 and factor^2 |c|^2 < factor * total.
    guess.closes = least > 0 && total(guess) > 0 && total(guess) > dot(guess.centre, guess.centre) / least * (1 + search_slack);
    if (guess.closes || !extend(guess, chosen, point)) return guess;
  }
  ConflictGuess unknown;
  unknown.ranked = false;
  return unknown;
}

/// The guess times a factor that leaves room on both sides, on the grid.
ConflictGuess ConflictSearch::rounded(const PartialSelection& chosen, const ConflictGuess& guess, int bits) const {
  const double least = least_generator(chosen, point_of(guess));
  const double size = dot(guess.centre, guess.centre);
  const double from = std::isfinite(least) ? 1 / least : 1;  // factors from here up to total / size make it a conflict
  const double factor = 4 * size * from < total(guess) ? 2 * from : std::sqrt(from * total(guess) / size);
  ConflictGuess result = guess;
  result.weights = on_grid(guess.weights, factor, bits);
  result.centre = on_grid(guess.centre, factor, bits);
  return result;
}

std::optional<Conflict> ConflictSearch::conflict(const PartialSelection& chosen, const ConflictGuess& guess) const {
  for (const int bits : grid_bits) {
    const ConflictGuess with_centre = rounded(chosen, guess, bits);
    ConflictGuess without = with_centre;
    std::ranges::fill(without.centre, 0.0);
    // Where the weights alone do, the centre is left out.
    if (least_generator(chosen, point_of(without)) >= 0) {
      if (auto conflict = written(chosen, without, false)) return conflict;
    } else if (least_generator(chosen, point_of(with_centre)) >= 1 && dot(with_centre.centre, with_centre.centre) < total(with_centre)) {
      if (auto conflict = written(chosen, with_centre, true)) return conflict;
    }
  }
  return std::nullopt;
}

/// In the numbers of the data, if the rule holds. A pair is left out where its sample has no weight and the rule seems to hold without it.
std::optional<Conflict> ConflictSearch::written(const PartialSelection& chosen, const ConflictGuess& guess, bool has_centre) const {
  Conflict conflict;
  for (std::size_t k = 0; k < guess.rows.size(); ++k) {
    const auto& [sample, upper, lower] = guess.rows[k];
    if (guess.weights[k] > 0) conflict.terms.push_back({sample, upper, lower, scaled_value(guess.weights[k], -2 * exponent_)});
  }
  std::ranges::sort(conflict.terms, {}, [](const Conflict::Term& term) { return std::pair(term.sample, term.token); });
  const std::vector<double> point = point_of(guess);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!chosen[i]) continue;
    const bool has_weight = std::ranges::binary_search(conflict.terms, i, {}, &Conflict::Term::sample);
    if (has_weight || !(least_generator(i, std::nullopt, point).value >= (has_centre ? 1 : 0))) conflict.pairs.push_back({i, *chosen[i]});
  }
  if (has_centre) {
    conflict.centre.emplace();
    for (const double entry : guess.centre) conflict.centre->push_back(scaled_value(entry, -exponent_));
  }
  return excludes(conflict, tokens_, scores_) ? std::optional(std::move(conflict)) : std::nullopt;
}

}  // namespace attest
