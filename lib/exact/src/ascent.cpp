#include "attest/exact/ascent.hpp"

#include "float_vector.hpp"
#include "fraction_vector.hpp"
#include "gram_solver.hpp"
#include "linear_program.hpp"
#include "rational_vector.hpp"
#include "trained_keys.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace attest {
namespace {

/// More numbers than these are not given to the exact simplex method, whose numbers grow long.
constexpr std::size_t most_entries = 3000;
/// Products of numbers, and rounds, that the guess in doubles may take.
constexpr double most_guess_work = 2e8;
constexpr int most_guess_rounds = 20'000;

/// Rows that are made when they are asked for: as rationals, those of large data take twenty times the memory of the data.
struct Rows {
  std::size_t count;
  std::function<std::vector<Rational>(std::size_t)> row;
};

/// Whether all products with the rows are >= 0 and one is > 0.
bool ascends(const Rows& rows, const std::vector<Rational>& u) {
  bool rises = false;
  for (std::size_t r = 0; r < rows.count; ++r) {
    const Rational product = dot(rows.row(r), u);
    if (product < 0) return false;
    rises = rises || product > 0;
  }
  return rises;
}

std::vector<std::vector<double>> unit_images(const Rows& rows) {
  std::vector<std::vector<double>> images;
  for (std::size_t r = 0; r < rows.count; ++r) {
    std::vector<double> image;
    double square = 0;
    for (const Rational& entry : rows.row(r)) {
      image.push_back(nearest_double(entry));
      square += image.back() * image.back();
    }
    if (!(square > 0)) continue;  // a row of zeros asks nothing
    for (double& entry : image) entry /= std::sqrt(square);
    images.push_back(std::move(image));
  }
  return images;
}

/// Rosenblatt's rule: as long as some row has no positive product, the worst of them is added. It ends where the rows have a margin that is
/// not too small.
std::optional<std::vector<double>> guess_direction(const Rows& rows) {
  const auto images = unit_images(rows);
  if (images.empty()) return std::nullopt;
  std::vector<double> u(images.front().size(), 0);
  for (const auto& row : images)
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += row[k] / static_cast<double>(images.size());
  const double round_work = static_cast<double>(images.size() * u.size());
  for (int round = 0; round < most_guess_rounds && round * round_work < most_guess_work; ++round) {
    const auto worst = std::ranges::min_element(images, {}, [&](const auto& row) { return dot(row, u); });
    if (dot(*worst, u) > 0) return u;
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += (*worst)[k];
  }
  return std::nullopt;
}

/// In whole numbers up to 2^30.
std::vector<Rational> in_whole_numbers(const std::vector<double>& u) {
  double largest = 0;
  for (const double entry : u) largest = std::max(largest, std::abs(entry));
  std::vector<Rational> result;
  for (const double entry : u) result.emplace_back(std::llround(largest > 0 ? entry / largest * 0x1p30 : 0));
  return result;
}

/// y with A y >= 0 and 1.A y > 0, or none: the dual of min |e|_1 subject to A^T (x + 1) = e, x >= 0, whose value is 0 exactly when
/// Stiemke's weights x + 1 > 0 exist.
std::optional<std::vector<Rational>> solve_exactly(const std::vector<std::vector<Rational>>& rows) {
  const std::size_t d = rows.front().size();
  LinearProgram program{rows, std::vector<Rational>(d, 0), std::vector<Rational>(rows.size(), 0)};
  for (const std::vector<Rational>& row : rows)
    for (std::size_t k = 0; k < d; ++k) program.right[k] -= row[k];
  for (std::size_t k = 0; k < d; ++k)
    for (const int sign : {1, -1}) {
      program.columns.emplace_back(d, 0)[k] = sign;
      program.objective.emplace_back(-1);
    }
  LinearOptimum optimum = *maximise(program);
  return optimum.value < 0 ? std::optional(std::move(optimum.y)) : std::nullopt;
}

struct FoundDirection {
  std::optional<std::vector<Rational>> direction;
  bool excluded = false;
};

FoundDirection find_direction(const Rows& rows) {
  if (rows.count == 0) return {};
  if (const auto guess = guess_direction(rows))
    if (std::vector<Rational> u = in_whole_numbers(*guess); ascends(rows, u)) return {std::move(u)};
  if (rows.count * rows.row(0).size() > most_entries) return {};
  std::vector<std::vector<Rational>> all;
  for (std::size_t r = 0; r < rows.count; ++r) all.push_back(rows.row(r));
  auto u = solve_exactly(all);
  if (u && ascends(rows, *u)) return {std::move(u)};
  return {std::nullopt, !u};
}

/// Tokens by their score, the largest first.
std::vector<std::vector<std::size_t>> levels(const std::vector<Rational>& scores) {
  const std::set<Rational, std::greater<>> values(scores.begin(), scores.end());
  std::vector<std::vector<std::size_t>> result;
  for (const Rational& value : values) {
    result.emplace_back();
    for (std::size_t t = 0; t < scores.size(); ++t)
      if (scores[t] == value) result.back().push_back(t);
  }
  return result;
}

/// k_it - k_it' for scores that are next to each other: the order of all others follows.
Rows level_rows(const ExactTokens& tokens, const Scores& scores, Parametrisation parametrisation) {
  struct Pair {
    std::size_t sample;
    std::size_t better;
    std::size_t worse;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto sorted = levels(scores[i]);
    for (std::size_t level = 0; level + 1 < sorted.size(); ++level)
      for (const std::size_t better : sorted[level])
        for (const std::size_t worse : sorted[level + 1]) pairs.push_back({i, better, worse});
  }
  const std::size_t count = pairs.size();
  return {count, [&tokens, parametrisation, pairs = std::move(pairs)](std::size_t r) {
            return key_difference(tokens, parametrisation, pairs[r].sample, pairs[r].better, pairs[r].worse);
          }};
}

std::size_t row_count(const Scores& scores) {
  std::size_t count = 0;
  for (const auto& sample : scores) {
    const auto sorted = levels(sample);
    for (std::size_t level = 0; level + 1 < sorted.size(); ++level) count += sorted[level].size() * sorted[level + 1].size();
  }
  return count;
}

std::vector<std::size_t> samples_with_unequal_scores(const Scores& scores) {
  std::vector<std::size_t> samples;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (std::ranges::any_of(scores[i], [&](const Rational& score) { return score != scores[i].front(); })) samples.push_back(i);
  return samples;
}

/// Keys that are the tokens themselves rise along Y v where the labels of all these samples are the same Y: (x_it - x_it').Y v is
/// gamma_it - gamma_it'. [Theorem S]
std::optional<std::vector<Rational>> head_direction(const ExactTokens& tokens, const Scores& scores) {
  const Problem& problem = tokens.problem();
  const std::vector<std::size_t> live = samples_with_unequal_scores(scores);
  if (problem.W || live.empty()) return std::nullopt;
  const int label = problem.labels[live.front()];
  if (std::ranges::any_of(live, [&](std::size_t i) { return problem.labels[i] != label; })) return std::nullopt;
  std::vector<Rational> u;
  for (std::size_t c = 0; c < problem.dimension(); ++c) u.emplace_back(label * problem.v->at(0, c));
  return u;
}

/// [Theorem S_W]
std::optional<Ascent> find_query(const ExactTokens& tokens, const Scores& scores) {
  const std::vector<std::size_t> live = samples_with_unequal_scores(scores);
  std::vector<FractionVector> queries;
  std::vector<std::vector<Rational>> rows;
  for (const std::size_t i : live) {
    queries.push_back(tokens.query(i));
    rows.push_back(to_rationals(queries.back()));
    for (Rational& entry : rows.back()) entry *= tokens.problem().labels[i];
  }
  if (!live.empty() && live.size() <= tokens.problem().dimension() && exact_rank(queries) == live.size())
    return IndependentQueries{live.size()};
  FoundDirection found = find_direction({rows.size(), [&](std::size_t r) { return rows[r]; }});
  if (!found.direction) return std::nullopt;
  return AscentQuery{*std::move(found.direction)};
}

}  // namespace

std::variant<Ascent, NoAscent> find_ascent(const ExactTokens& tokens, const Scores& scores, Parametrisation parametrisation) {
  if (parametrisation == Parametrisation::weights) {
    if (auto query = find_query(tokens, scores)) return *std::move(query);
    const std::size_t d = tokens.problem().dimension();
    if (row_count(scores) * d * d > most_entries) return NoAscent{false};
  } else if (auto u = head_direction(tokens, scores)) {
    return Ascent(AscentDirection{*std::move(u)});
  }
  const FoundDirection found = find_direction(level_rows(tokens, scores, parametrisation));
  if (!found.direction) return NoAscent{found.excluded};
  return Ascent(AscentDirection{*found.direction});
}

}  // namespace attest
