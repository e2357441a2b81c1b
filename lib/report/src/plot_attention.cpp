#include "chart.hpp"
#include "json_view.hpp"
#include "markup.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

constexpr double left = 62;
constexpr double top = 6;
constexpr double cell_width = 26;
constexpr double cell_height = 17;
constexpr double bottom = 34;

bool is_tight(const Json& support, std::size_t sample, std::size_t token) {
  return support.is_array() && std::ranges::find(support, Json::array({sample, token})) != support.end();
}

std::string token_label(const Json& selection, const Json& support, std::size_t sample, std::size_t token) {
  const bool selected = selection.is_array() && sample < selection.size() && selection[sample] == token;
  const bool tight = is_tight(support, sample, token);
  return fmt::format("{}token {}", selected ? "● " : tight ? "◆ " : "", token);
}

/// One sample: a row a token, a column a norm.
std::string sample_map(const std::vector<double>& norms, const Json& moments, const Json& selection, const Json& support,
                       std::size_t sample) {
  if (!moments.is_array() || moments.size() != norms.size() || norms.empty() || !moments.front().is_array()) return "";
  const std::size_t tokens = moments.front().size();
  const double width = left + cell_width * static_cast<double>(norms.size()) + 6;
  const double height = top + cell_height * static_cast<double>(tokens) + bottom;
  std::string marks;
  for (std::size_t t = 0; t < tokens; ++t) {
    const double y = top + cell_height * static_cast<double>(t);
    marks += fmt::format("<text x=\"{}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>", left - 5, y + 12,
                         token_label(selection, support, sample, t));
    for (std::size_t k = 0; k < norms.size(); ++k) {
      const auto weights = numbers_in(moments[k]);
      if (!weights || t >= weights->size()) continue;
      marks += fmt::format(
          "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"25\" height=\"16\" fill-opacity=\"{:.2f}\"><title>token {}, norm "
          "{}: {}</title></rect>",
          left + cell_width * static_cast<double>(k), y, std::max(0.04, std::sqrt(std::clamp((*weights)[t], 0.0, 1.0))), t,
          short_number(norms[k]), short_number((*weights)[t]));
    }
  }
  const double base = top + cell_height * static_cast<double>(tokens);
  for (const std::size_t k : {std::size_t{0}, norms.size() / 2, norms.size() - 1})
    marks += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>",
                         left + cell_width * (static_cast<double>(k) + 0.5), base + 12, fmt::format("{:.2g}", norms[k]));
  marks +=
      fmt::format("<text class=\"label\" x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">norm ‖p‖</text>", (left + width) / 2, base + 27);
  return figure(fmt::format("Attention, sample {}", sample), fmt::format("{} tokens at {} norms", tokens, norms.size()), width, height,
                "<g class=\"heat\">" + marks + "</g>");
}

}  // namespace

std::string attention_plot(const Json& run, const Json& support) {
  const Json* attention = member(run, "attention");
  if (attention == nullptr) return "";
  const auto norms = numbers_at(*attention, "norm");
  if (!norms) return "";
  const Json* selection = member(run, "selection");
  std::string figures;
  const auto& samples = list_at(*attention, "samples");
  for (std::size_t i = 0; i < samples.size(); ++i) figures += sample_map(*norms, samples[i], selection ? *selection : Json(), support, i);
  return figures;
}

}  // namespace attest
