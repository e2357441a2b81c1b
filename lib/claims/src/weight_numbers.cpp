#include "weight_numbers.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/graph/numeric_problem.hpp"
#include "attest/solve/factored_path.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

std::vector<std::vector<double>> rows_of(const Eigen::VectorXd& matrix) {
  const auto d = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(matrix.size()))));
  std::vector<std::vector<double>> rows;
  for (Eigen::Index r = 0; r < d; ++r) rows.emplace_back(matrix.data() + r * d, matrix.data() + (r + 1) * d);
  return rows;
}

std::vector<double> singular_values(const Problem& problem, const Eigen::VectorXd& W) {
  const Eigen::VectorXd values = weight_spectrum(query_columns(problem), W);
  return {values.begin(), values.end()};
}

std::size_t numerical_rank(const std::vector<double>& spectrum) {
  std::size_t rank = 0;
  while (rank < spectrum.size() && spectrum[rank] > singular_value_tolerance.relative * spectrum[0]) ++rank;
  return rank;
}

std::optional<double> spectrum_ratio(const std::vector<double>& spectrum) {
  const std::size_t rank = numerical_rank(spectrum);
  const bool drops = rank > 0 && rank < spectrum.size() && spectrum[rank] > 0;
  return drops ? std::optional(spectrum[rank - 1] / spectrum[rank]) : std::nullopt;
}

std::vector<ThinnedPoint> thinned_trace(const std::vector<double>& norms, const std::vector<double>& errors) {
  constexpr std::size_t most = 64;
  const std::size_t count = std::min(norms.size(), errors.size());
  const std::size_t kept = std::min(count, most);
  std::vector<ThinnedPoint> trace;
  for (std::size_t k = 0; k < kept; ++k) {
    const std::size_t at = kept == 1 ? 0 : k * (count - 1) / (kept - 1);
    trace.push_back({norms[at], errors[at]});
  }
  return trace;
}

}  // namespace attest
