#include "run_view.hpp"

#include "attest/graph/numeric_problem.hpp"

#include <cmath>

namespace attest {
namespace {

constexpr std::size_t most_positions = 20;
constexpr Eigen::Index largest_dimension = 16;
constexpr std::size_t most_moments = 10;
constexpr std::size_t most_tokens = 64;  // of all samples together

/// Up to `count` of the trace's points, evenly spaced, the first and the last among them.
std::vector<const TracePoint*> thinned(const std::vector<TracePoint>& trace, std::size_t count) {
  std::vector<const TracePoint*> kept;
  const std::size_t last = trace.size() - 1;
  const std::size_t parts = std::min(count - 1, last);
  for (std::size_t k = 0; k <= parts; ++k) kept.push_back(&trace[parts == 0 ? 0 : k * last / parts]);
  return kept;
}

std::vector<double> attention_at(const Eigen::MatrixXd& keys, const Eigen::VectorXd& p) {
  const Eigen::VectorXd logits = keys.transpose() * p;
  const Eigen::VectorXd weights = (logits.array() - logits.maxCoeff()).exp();
  std::vector<double> shares;
  for (const double weight : weights) shares.push_back(std::round(1e4 * weight / weights.sum()) / 1e4);
  return shares;
}

std::size_t all_tokens(const Problem& problem) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) count += problem.token_count(i);
  return count;
}

}  // namespace

double rounded(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10.0, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
  return std::isfinite(scale) ? std::round(value * scale) / scale : value;
}

std::optional<std::vector<std::vector<double>>> positions_of(const std::vector<TracePoint>& trace) {
  if (trace.front().p.size() > largest_dimension) return std::nullopt;
  std::vector<std::vector<double>> points;
  for (const TracePoint* point : thinned(trace, most_positions)) {
    points.emplace_back();
    for (const double value : point->p) points.back().push_back(rounded(value, 6));
  }
  return points;
}

std::optional<AttentionAlong> attention_along(const Problem& problem, const std::vector<TracePoint>& trace) {
  if (all_tokens(problem) > most_tokens) return std::nullopt;
  const NumericProblem numeric(problem);
  if (trace.front().p.size() != numeric.dimension) return std::nullopt;
  const std::vector<const TracePoint*> moments = thinned(trace, most_moments);
  AttentionAlong attention;
  for (const TracePoint* point : moments) attention.norms.push_back(rounded(point->norm, 6));
  for (const SampleColumns& keys : numeric.keys) {
    attention.samples.emplace_back();
    for (const TracePoint* point : moments) attention.samples.back().push_back(attention_at(keys, point->p));
  }
  return attention;
}

}  // namespace attest
