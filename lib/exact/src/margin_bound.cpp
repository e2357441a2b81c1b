#include "margin_bound.hpp"

#include "float_vector.hpp"
#include "gram_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

void add_scaled(std::vector<Integer>& sum, const Integer& factor, const std::vector<Integer>& vector) {
  for (std::size_t c = 0; c < sum.size(); ++c) mpz_addmul(sum[c].data(), factor.data(), vector[c].data());
}

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace

SampleWeights SampleWeights::exactly(const std::vector<Rational>& weights) {
  SampleWeights result{{}, 1, {}};
  for (const Rational& weight : weights) result.denominator = lcm(result.denominator, attest::denominator(weight));
  for (const Rational& weight : weights) {
    result.numerators.push_back(numerator(weight) * (result.denominator / attest::denominator(weight)));
    result.image.push_back(nearest_double(weight));
  }
  return result;
}

SampleWeights SampleWeights::rounded(const std::vector<double>& weights, unsigned bits) {
  SampleWeights result{{}, Integer(1) << bits, {}};
  Integer missing = result.denominator;
  std::size_t largest = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    result.numerators.emplace_back(std::llround(std::ldexp(weights[i], static_cast<int>(bits))));
    missing -= result.numerators.back();
    if (weights[i] > weights[largest]) largest = i;
  }
  result.numerators[largest] += missing;
  for (const Integer& weight : result.numerators) result.image.push_back(std::ldexp(weight.truncated(), -static_cast<int>(bits)));
  return result;
}

MarginBound::MarginBound(OfferedPoints points, Rational target_squared, const Rational& unit)
    : points_(std::move(points)), target_squared_(std::move(target_squared)),
      target_(std::sqrt(nearest_double(target_squared_ / (unit * unit)))) {
  const std::size_t n = sample_count();
  const Rational scale = 1 / (unit * points_.denominator);
  finite_ = std::isfinite(target_);
  for (const auto& offered : points_.points) {
    const std::size_t d = offered.front().size();
    auto& images = images_.emplace_back();
    Image& mean = means_.emplace_back(d, 0.0);
    for (const auto& point : offered) {
      Image& image = images.emplace_back();
      for (const Integer& entry : point) image.push_back(nearest_double(entry * scale));
      finite_ = finite_ && all_finite(image);
      add_scaled(mean, 1.0 / static_cast<double>(offered.size()), image);
    }
    auto& deviations = deviations_.emplace_back();
    auto& squares = squares_.emplace_back();
    for (const Image& image : images) {
      deviations.push_back(image);
      add_scaled(deviations.back(), -1.0, mean);
      squares.push_back(dot(deviations.back(), deviations.back()));
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    auto& reach = reach_.emplace_back(offered(i), std::vector<double>(n, 0.0));
    for (std::size_t t = 0; t < offered(i); ++t)
      for (std::size_t k = 0; k < n; ++k) {
        double best = -std::numeric_limits<double>::infinity();
        for (const Image& other : deviations_[k]) best = std::max(best, dot(deviations_[i][t], other));
        reach[t][k] = best;
      }
  }
}

const MarginBound::Image& MarginBound::centre_of(std::size_t sample, const Assignment& taken) const {
  return taken[sample] == open ? means_[sample] : images_[sample][static_cast<std::size_t>(taken[sample])];
}

MarginBound::Attained MarginBound::attain(const std::vector<double>& weights, const Assignment& taken) const {
  const std::size_t n = sample_count();
  Attained result{0, Image(means_.front().size(), 0.0), std::vector<int>(n, open)};
  for (std::size_t i = 0; i < n; ++i)
    if (weights[i] > 0) add_scaled(result.centre, weights[i], centre_of(i, taken));
  result.bound = dot(result.centre, result.centre);
  for (std::size_t i = 0; i < n; ++i) {
    if (taken[i] != open) continue;
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < offered(i); ++t) {
      double value = 2 * dot(deviations_[i][t], result.centre) + weights[i] * squares_[i][t];
      for (std::size_t k = 0; k < n; ++k)
        if (k != i && taken[k] == open && weights[k] > 0) value += weights[k] * reach_[i][t][k];
      if (!(value > best)) continue;
      best = value;
      result.best[i] = static_cast<int>(t);
    }
    if (weights[i] > 0) result.bound += weights[i] * best;
  }
  return result;
}

double MarginBound::excess(const std::vector<double>& weights, const Assignment& taken) const {
  return std::sqrt(std::max(attain(weights, taken).bound, 0.0)) - target_;
}

std::vector<double> MarginBound::slopes(const std::vector<double>& weights, const Assignment& taken) const {
  const std::size_t n = sample_count();
  const Attained at = attain(weights, taken);
  Image moved = at.centre;  // C + sum of the deviations attained
  for (std::size_t i = 0; i < n; ++i)
    if (taken[i] == open && weights[i] > 0) add_scaled(moved, weights[i], deviations_[i][static_cast<std::size_t>(at.best[i])]);
  const double scale = 1 / (2 * std::sqrt(std::max(at.bound, std::numeric_limits<double>::min())));
  std::vector<double> result(n);
  for (std::size_t i = 0; i < n; ++i) {
    result[i] = 2 * dot(centre_of(i, taken), moved);
    if (taken[i] == open) {
      const auto own = static_cast<std::size_t>(at.best[i]);
      result[i] += 2 * dot(deviations_[i][own], at.centre) + 2 * weights[i] * squares_[i][own];
      for (std::size_t k = 0; k < n; ++k) {
        if (k == i || taken[k] != open || weights[k] <= 0) continue;
        result[i] += weights[k] * (reach_[i][own][k] + reach_[k][static_cast<std::size_t>(at.best[k])][i]);
      }
    }
    result[i] *= scale;
  }
  return result;
}

std::vector<double> MarginBound::looseness(const std::vector<double>& weights, const Assignment& taken) const {
  const std::size_t n = sample_count();
  const Attained at = attain(weights, taken);
  std::vector<double> result(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    if (taken[i] != open || offered(i) < 2) continue;
    const auto own = static_cast<std::size_t>(at.best[i]);
    result[i] = weights[i] * weights[i] * squares_[i][own];
    for (std::size_t k = 0; k < n; ++k) {
      if (k == i || taken[k] != open) continue;
      const double true_product = dot(deviations_[i][own], deviations_[k][static_cast<std::size_t>(at.best[k])]);
      result[i] += weights[i] * weights[k] * (reach_[i][own][k] - true_product);
    }
  }
  return result;
}

const MarginBound::Exact& MarginBound::exact() const {
  if (!exact_) exact_ = make_exact();
  return *exact_;
}

MarginBound::Exact MarginBound::make_exact() const {
  const std::size_t n = sample_count();
  Exact result;
  result.factor = 1;
  for (std::size_t i = 0; i < n; ++i) result.factor = lcm(result.factor, Integer(offered(i)));
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<std::vector<Integer>>& points = points_.points[i];
    std::vector<Integer> mean(points.front().size(), 0);
    for (const auto& point : points) add_scaled(mean, Integer(result.factor / offered(i)), point);
    auto& deviations = result.deviations.emplace_back();
    auto& squares = result.squares.emplace_back();
    for (const auto& point : points) {
      std::vector<Integer> deviation(mean.size(), 0);
      add_scaled(deviation, result.factor, point);
      add_scaled(deviation, Integer(-1), mean);
      squares.push_back(attest::dot(deviation, deviation));
      deviations.push_back(std::move(deviation));
    }
    result.centres.push_back(std::move(mean));
  }
  for (std::size_t i = 0; i < n; ++i) {
    auto& reach = result.reach.emplace_back(offered(i), std::vector<Integer>(n));
    for (std::size_t t = 0; t < offered(i); ++t)
      for (std::size_t k = 0; k < n; ++k) {
        Integer best = attest::dot(result.deviations[i][t], result.deviations[k][0]);
        for (std::size_t u = 1; u < offered(k); ++u) best = std::max(best, attest::dot(result.deviations[i][t], result.deviations[k][u]));
        reach[t][k] = std::move(best);
      }
  }
  const Integer scale = result.factor * points_.denominator;
  const Rational target = target_squared_ * scale * scale;
  result.target_above = numerator(target);
  result.target_below = denominator(target);
  return result;
}

bool MarginBound::closes(const SampleWeights& weights, const Assignment& taken) const {
  const std::size_t n = sample_count();
  const Exact& data = exact();
  const std::vector<Integer>& w = weights.numerators;
  std::vector<Integer> centre(means_.front().size(), 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (w[i].is_zero()) continue;
    if (taken[i] == open)
      add_scaled(centre, w[i], data.centres[i]);
    else
      add_scaled(centre, Integer(w[i] * data.factor), points_.points[i][static_cast<std::size_t>(taken[i])]);
  }
  Integer bound = attest::dot(centre, centre);
  for (std::size_t i = 0; i < n; ++i) {
    if (taken[i] != open || w[i].is_zero()) continue;
    std::optional<Integer> best;
    for (std::size_t t = 0; t < offered(i); ++t) {
      Integer value = 2 * attest::dot(data.deviations[i][t], centre) + w[i] * data.squares[i][t];
      for (std::size_t k = 0; k < n; ++k)
        if (k != i && taken[k] == open && !w[k].is_zero()) value += w[k] * data.reach[i][t][k];
      if (!best || value > *best) best = std::move(value);
    }
    bound += w[i] * *best;
  }
  return bound * data.target_below <= data.target_above * weights.denominator * weights.denominator;
}

}  // namespace attest
