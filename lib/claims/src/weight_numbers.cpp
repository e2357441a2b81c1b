#include "weight_numbers.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/solve/dense.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

using Json = nlohmann::ordered_json;

std::vector<double> singular_values(const Eigen::VectorXd& W) {
  const auto d = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(W.size()))));
  const Eigen::VectorXd values = attest::singular_values(Eigen::MatrixXd(W.reshaped(d, d)));
  return {values.begin(), values.end()};
}

std::size_t numerical_rank(const std::vector<double>& spectrum) {
  std::size_t rank = 0;
  while (rank < spectrum.size() && spectrum[rank] > singular_value_tolerance.relative * spectrum[0]) ++rank;
  return rank;
}

Json spectrum_ratio(const std::vector<double>& spectrum) {
  const std::size_t rank = numerical_rank(spectrum);
  const bool drops = rank > 0 && rank < spectrum.size() && spectrum[rank] > 0;
  return drops ? Json(spectrum[rank - 1] / spectrum[rank]) : Json();
}

Json thinned_trace(const Json& norms, const Json& errors) {
  constexpr std::size_t most = 64;
  const std::size_t count = std::min(norms.size(), errors.size());
  const std::size_t kept = std::min(count, most);
  Json trace = Json::array();
  for (std::size_t k = 0; k < kept; ++k) {
    const std::size_t at = kept == 1 ? 0 : k * (count - 1) / (kept - 1);
    trace.push_back({{"norm", norms[at]}, {"direction_error", errors[at]}});
  }
  return trace;
}

}  // namespace attest
