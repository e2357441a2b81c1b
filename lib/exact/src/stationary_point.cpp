#include "attest/exact/stationary_point.hpp"

#include "attention_balls.hpp"
#include "attest/exact/loss_jet.hpp"
#include "rational_vector.hpp"
#include "trained_keys.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace attest {
namespace {

using BallRows = std::vector<std::vector<Ball>>;

/// Products of numbers that one enclosure of the Hessian may take.
constexpr std::size_t most_hessian_products = 4'000'000;
/// Newton's steps that centre the box: a point of doubles is right to 2^-50, and each doubles the digits.
constexpr int polishing_steps = 3;
/// Radii that are tried, as powers of 2: a small box has a narrow Hessian, a large one forgives a centre that is off.
constexpr std::array<int, 4> radius_exponents = {-44, -34, -24, -16};

/// Independent vectors among those offered, kept in echelon form.
class Span {
 public:
  /// Whether it was not in the span before.
  bool add(const std::vector<Rational>& vector) {
    std::vector<Rational> rest = vector;
    for (const auto& [pivot, row] : rows_)
      if (!rest[pivot].is_zero()) subtract(rest, Rational(rest[pivot] / row[pivot]), row);
    const auto first = std::ranges::find_if(rest, [](const Rational& entry) { return !entry.is_zero(); });
    if (first == rest.end()) return false;
    rows_.emplace_back(static_cast<std::size_t>(first - rest.begin()), std::move(rest));
    return true;
  }

 private:
  static void subtract(std::vector<Rational>& from, const Rational& factor, const std::vector<Rational>& row) {
    for (std::size_t k = 0; k < row.size(); ++k)
      if (!row[k].is_zero()) from[k] -= factor * row[k];
  }
  std::vector<std::pair<std::size_t, std::vector<Rational>>> rows_;
};

/// By Gauss and Jordan with the largest pivots; nothing for a matrix that is singular to rounding.
std::optional<std::vector<std::vector<double>>> inverted(std::vector<std::vector<double>> matrix) {
  const std::size_t m = matrix.size();
  for (std::size_t r = 0; r < m; ++r) {
    matrix[r].resize(2 * m, 0);
    matrix[r][m + r] = 1;
  }
  for (std::size_t k = 0; k < m; ++k) {
    std::size_t pivot = k;
    for (std::size_t r = k; r < m; ++r)
      if (std::abs(matrix[r][k]) > std::abs(matrix[pivot][k])) pivot = r;
    if (!(std::abs(matrix[pivot][k]) > 0)) return std::nullopt;
    std::swap(matrix[k], matrix[pivot]);
    const double by = matrix[k][k];
    for (double& entry : matrix[k]) entry /= by;
    for (std::size_t r = 0; r < m; ++r) {
      if (r == k) continue;
      const double factor = matrix[r][k];
      for (std::size_t c = 0; c < 2 * m; ++c) matrix[r][c] -= factor * matrix[k][c];
    }
  }
  for (auto& row : matrix) {
    row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(m));
    if (!std::ranges::all_of(row, [](double entry) { return std::isfinite(entry); })) return std::nullopt;
  }
  return matrix;
}

Rational largest_modulus(const Ball& ball) { return std::max(abs(ball.lower()), abs(ball.upper())); }

Rational midpoint(const Ball& ball) { return (ball.lower() + ball.upper()) / 2; }

/// To a multiple of 2^-100: short numbers.
Rational shortened(const Rational& value) {
  const Rational scaled = value * Rational(Integer(1) << 100);
  return Rational(Integer(numerator(scaled) / denominator(scaled)), Integer(1) << 100);
}

class Krawczyk {
 public:
  Krawczyk(const ExactTokens& tokens, const Scores& scores, Parametrisation parametrisation) : loss_(tokens.problem().loss) {
    Span span;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (scores[i].size() < 2) continue;
      samples_.push_back({scores[i], {}, {}});
      for (std::size_t t = 0; t < scores[i].size(); ++t) {
        samples_.back().differences.push_back(key_difference(tokens, parametrisation, i, t, 0));
        const std::vector<Rational>& difference = samples_.back().differences.back();
        if (basis_.size() < difference.size() && span.add(difference)) basis_.push_back(difference);
      }
    }
    for (Sample& sample : samples_)
      for (const std::vector<Rational>& difference : sample.differences) {
        sample.coordinates.emplace_back();
        for (const std::vector<Rational>& column : basis_) sample.coordinates.back().emplace_back(dot(difference, column));
      }
  }

  std::optional<StationaryBox> enclose(std::vector<Rational> centre) {
    if (basis_.empty()) return std::nullopt;
    const auto at_start = derivatives(centre, Rational(0));
    if (!at_start) return std::nullopt;
    const auto inverse = preconditioner(at_start->hessian);
    if (!inverse) return std::nullopt;
    for (int step = 0; step < polishing_steps; ++step)
      if (!polish(centre, *inverse)) return std::nullopt;
    for (const int exponent : radius_exponents) {
      const Rational radius(Integer(1), Integer(1) << -exponent);
      if (maps_into_itself(centre, *inverse, radius))
        return StationaryBox{std::move(centre), basis_, std::vector<Rational>(basis_.size(), radius), *inverse};
    }
    return std::nullopt;
  }

 private:
  struct Sample {
    std::vector<Rational> scores;
    std::vector<std::vector<Rational>> differences;  // k_it - k_i0
    std::vector<std::vector<Ball>> coordinates;      // B^T (k_it - k_i0)
  };
  struct Derivatives {
    std::vector<Ball> gradient;  // B^T d(nL)
    BallRows hessian;            // B^T d2(nL) B
  };

  /// Over the box of this radius around the centre.
  std::optional<Derivatives> derivatives(const std::vector<Rational>& centre, const Rational& radius) const {
    const std::size_t m = basis_.size();
    const Ball reach(Rational(-radius), radius);
    Derivatives total{std::vector<Ball>(m), BallRows(m, std::vector<Ball>(m))};
    for (const Sample& sample : samples_) {
      std::vector<Ball> logits;
      for (std::size_t t = 0; t < sample.scores.size(); ++t) {
        Ball logit(dot(sample.differences[t], centre));
        if (!radius.is_zero())
          for (const Ball& coordinate : sample.coordinates[t]) logit = logit + coordinate * reach;
        logits.push_back(std::move(logit));
      }
      const auto attention = enclose_attention(loss_, sample.scores, logits);
      if (!attention) return std::nullopt;
      add(total, sample, *attention);
    }
    return total;
  }

  /// d2 f = sum c_t e_t e_t^T - mean g^T - g mean^T, with e_t the keys, mean = sum s_t e_t and g = sum c_t e_t = d f.
  static void add(Derivatives& total, const Sample& sample, const AttentionBalls& at) {
    const std::size_t m = total.gradient.size();
    std::vector<Ball> g(m);
    std::vector<Ball> mean(m);
    for (std::size_t t = 0; t < sample.scores.size(); ++t)
      for (std::size_t a = 0; a < m; ++a) {
        g[a] = g[a] + at.centred[t] * sample.coordinates[t][a];
        mean[a] = mean[a] + at.s[t] * sample.coordinates[t][a];
      }
    for (std::size_t a = 0; a < m; ++a) {
      total.gradient[a] = total.gradient[a] + at.slope * g[a];
      for (std::size_t b = 0; b < m; ++b) {
        Ball second = -(mean[a] * g[b]) - g[a] * mean[b];
        for (std::size_t t = 0; t < sample.scores.size(); ++t)
          second = second + at.centred[t] * sample.coordinates[t][a] * sample.coordinates[t][b];
        total.hessian[a][b] = total.hessian[a][b] + at.curvature * g[a] * g[b] + at.slope * second;
      }
    }
  }

  static std::optional<std::vector<std::vector<Rational>>> preconditioner(const BallRows& hessian) {
    std::vector<std::vector<double>> image;
    for (const auto& row : hessian) {
      image.emplace_back();
      for (const Ball& entry : row) {
        if (!entry.is_moderate()) return std::nullopt;
        image.back().push_back(nearest_double(midpoint(entry)));
      }
    }
    const auto inverse = inverted(std::move(image));
    if (!inverse) return std::nullopt;
    std::vector<std::vector<Rational>> result;
    for (const auto& row : *inverse) {
      result.emplace_back();
      for (const double entry : row) result.back().push_back(exact_value(entry));
    }
    return result;
  }

  /// centre - B M f(centre).
  bool polish(std::vector<Rational>& centre, const std::vector<std::vector<Rational>>& inverse) const {
    const auto at = derivatives(centre, Rational(0));
    if (!at) return false;
    for (std::size_t a = 0; a < basis_.size(); ++a) {
      Rational step = 0;
      for (std::size_t b = 0; b < basis_.size(); ++b) {
        if (!at->gradient[b].is_moderate()) return false;
        step += inverse[a][b] * shortened(midpoint(at->gradient[b]));
      }
      for (std::size_t k = 0; k < centre.size(); ++k) centre[k] -= step * basis_[a][k];
    }
    for (Rational& entry : centre) entry = shortened(entry);
    return true;
  }

  /// |M f| + |I - M J| radius <= radius / 2: half is left for a checker that encloses less tightly.
  bool maps_into_itself(const std::vector<Rational>& centre, const std::vector<std::vector<Rational>>& inverse,
                        const Rational& radius) const {
    const auto here = derivatives(centre, Rational(0));
    const auto around = derivatives(centre, radius);
    if (!here || !around) return false;
    const std::size_t m = basis_.size();
    for (std::size_t a = 0; a < m; ++a) {
      Ball step;
      for (std::size_t b = 0; b < m; ++b) step = step + Ball(inverse[a][b]) * here->gradient[b];
      if (!step.is_moderate()) return false;
      Rational reach = largest_modulus(step);
      for (std::size_t b = 0; b < m; ++b) {
        Ball entry(Rational(a == b ? 1 : 0));
        for (std::size_t k = 0; k < m; ++k) entry = entry - Ball(inverse[a][k]) * around->hessian[k][b];
        if (!entry.is_moderate()) return false;
        reach += largest_modulus(entry) * radius;
      }
      if (!(2 * reach <= radius)) return false;
    }
    return true;
  }

  const Loss& loss_;
  std::vector<Sample> samples_;  // those with two tokens
  std::vector<std::vector<Rational>> basis_;
};

std::size_t products_of_hessian(const Problem& problem, Parametrisation parametrisation) {
  const std::size_t d = problem.dimension();
  std::size_t rows = 0;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) rows += problem.token_count(i);
  const std::size_t rank = std::min(rows, parametrisation == Parametrisation::weights ? d * d : d);
  return rows * rank * rank;
}

}  // namespace

std::optional<StationaryBox> enclose_stationary_point(const ExactTokens& tokens, const Scores& scores, Parametrisation parametrisation,
                                                      std::span<const double> near) {
  if (products_of_hessian(tokens.problem(), parametrisation) > most_hessian_products) return std::nullopt;
  if (!std::ranges::all_of(near, [](double entry) { return std::isfinite(entry); })) return std::nullopt;
  std::vector<Rational> centre;
  for (const double entry : near) centre.push_back(exact_value(entry));
  return Krawczyk(tokens, scores, parametrisation).enclose(std::move(centre));
}

bool is_stationary_at_origin(const ExactTokens& tokens, const Scores& scores, Parametrisation parametrisation) {
  std::map<Rational, std::vector<Rational>> slopes;  // by mean score
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const Rational count(scores[i].size());
    Rational mean = 0;
    for (const Rational& score : scores[i]) mean += score / count;
    if (!enclose(tokens.problem().loss.expression(), {mean, mean})) return false;
    for (std::size_t t = 1; t < scores[i].size(); ++t) {
      const std::vector<Rational> difference = key_difference(tokens, parametrisation, i, t, 0);
      std::vector<Rational>& slope = slopes.try_emplace(mean, std::vector<Rational>(difference.size(), 0)).first->second;
      for (std::size_t k = 0; k < difference.size(); ++k) slope[k] += (scores[i][t] - mean) / count * difference[k];
    }
  }
  return std::ranges::all_of(
      slopes, [](const auto& entry) { return std::ranges::all_of(entry.second, [](const Rational& number) { return number.is_zero(); }); });
}

}  // namespace attest
