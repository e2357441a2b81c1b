#include "run_view.hpp"

#include "attest/graph/numeric_problem.hpp"

#include <cmath>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

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

double rounded(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10.0, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
  return std::isfinite(scale) ? std::round(value * scale) / scale : value;
}

Json attention_at(const Eigen::MatrixXd& keys, const Eigen::VectorXd& p) {
  const Eigen::VectorXd logits = keys.transpose() * p;
  const Eigen::VectorXd weights = (logits.array() - logits.maxCoeff()).exp();
  Json shares = Json::array();
  for (const double weight : weights) shares.push_back(std::round(1e4 * weight / weights.sum()) / 1e4);
  return shares;
}

std::size_t all_tokens(const Problem& problem) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) count += problem.token_count(i);
  return count;
}

}  // namespace

Json encode_positions(const std::vector<TracePoint>& trace) {
  if (trace.front().p.size() > largest_dimension) return {};
  Json points = Json::array();
  for (const TracePoint* point : thinned(trace, most_positions)) {
    Json p = Json::array();
    for (const double value : point->p) p.push_back(rounded(value, 6));
    points.push_back(std::move(p));
  }
  return points;
}

Json encode_limit(const std::optional<Eigen::VectorXd>& direction) {
  return direction ? Json(std::vector<double>(direction->begin(), direction->end())) : Json();
}

Json encode_attention(const Problem& problem, const std::vector<TracePoint>& trace) {
  if (all_tokens(problem) > most_tokens) return {};
  const NumericProblem numeric(problem);
  if (trace.front().p.size() != numeric.dimension) return {};
  const std::vector<const TracePoint*> moments = thinned(trace, most_moments);
  Json norms = Json::array();
  for (const TracePoint* point : moments) norms.push_back(rounded(point->norm, 6));
  Json samples = Json::array();
  for (const Eigen::MatrixXd& keys : numeric.keys) {
    Json sample = Json::array();
    for (const TracePoint* point : moments) sample.push_back(attention_at(keys, point->p));
    samples.push_back(std::move(sample));
  }
  return {{"norm", std::move(norms)}, {"samples", std::move(samples)}};
}

}  // namespace attest
