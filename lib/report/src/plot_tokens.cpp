#include "chart.hpp"
#include "json_view.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;
using Sample = std::vector<std::vector<double>>;

constexpr std::size_t most_tokens = 120;

/// The samples with their tokens; none when some token is not a list of as many numbers as the first.
std::vector<Sample> samples_of(const Json& data) {
  std::vector<Sample> samples;
  std::size_t dimension = 0;
  std::size_t tokens = 0;
  for (const Json& sample : list_at(data, "tokens")) {
    if (!sample.is_array()) return {};
    samples.emplace_back();
    for (const Json& token : sample) {
      auto x = numbers_in(token);
      if (dimension == 0 && x) dimension = x->size();
      if (!x || x->size() != dimension || dimension < 2 || ++tokens > most_tokens) return {};
      samples.back().push_back(std::move(*x));
    }
  }
  return tokens == 0 ? std::vector<Sample>{} : samples;
}

/// The two coordinates with the largest range, in order.
std::pair<std::size_t, std::size_t> widest_coordinates(const std::vector<Sample>& samples) {
  std::vector<std::pair<double, std::size_t>> ranges;
  const auto first = std::ranges::find_if(samples, [](const Sample& sample) { return !sample.empty(); });
  for (std::size_t k = 0; k < first->front().size(); ++k) {
    double low = first->front()[k];
    double high = low;
    for (const Sample& sample : samples)
      for (const std::vector<double>& x : sample) {
        low = std::min(low, x[k]);
        high = std::max(high, x[k]);
      }
    ranges.emplace_back(low - high, k);
  }
  std::ranges::stable_sort(ranges);
  return std::minmax(ranges[0].second, ranges[1].second);
}

}  // namespace

Figures token_plot(const Json& data) {
  const std::vector<Sample> samples = samples_of(data);
  if (samples.empty()) return {};
  const auto [across, up] = widest_coordinates(samples);
  const auto& scores = list_at(data, "scores");
  Chart chart{"tokens",
              "Tokens",
              "The tokens as they are given, in the two coordinates in which they spread most.",
              {fmt::format("coordinate {}", across), false},
              {fmt::format("coordinate {}", up), false},
              {}};
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ChartSeries series{fmt::format("sample {}", i), {}, {}, false};
    const auto of_sample = i < scores.size() ? numbers_in(scores[i]) : std::nullopt;
    for (std::size_t t = 0; t < samples[i].size(); ++t) {
      const std::string score = of_sample && t < of_sample->size() ? fmt::format(", score {}", short_number((*of_sample)[t])) : "";
      series.points.push_back({samples[i][t][across], samples[i][t][up], fmt::format("sample {}, token {}{}", i, t, score)});
    }
    chart.series.push_back(std::move(series));
  }
  return line_chart(chart);
}

}  // namespace attest
