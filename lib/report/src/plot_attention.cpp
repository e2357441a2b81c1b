#include "json_view.hpp"
#include "plot_frame.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

constexpr PlotFrame attention_frame{.width = 300, .left = 40, .right = 10, .top = 16, .base = 154, .bottom = 36};

bool is_tight(const Json& support, std::size_t sample, std::size_t token) {
  return support.is_array() && std::ranges::find(support, Json::array({sample, token})) != support.end();
}

/// What a token is to the run, with the group of its colour and its sign.
enum Role : std::size_t { selected, tight, other };
constexpr std::size_t role_colours[] = {0, 1, 5};
constexpr const char* role_signs[] = {"● ", "◆ ", ""};

Role role_of(const Json& selection, const Json& support, std::size_t sample, std::size_t token) {
  if (selection.is_array() && sample < selection.size() && selection[sample] == token) return selected;
  return is_tight(support, sample, token) ? tight : other;
}

/// Attention of one sample, a list of shares a moment; empty where it is not as long as the norms.
std::vector<std::vector<double>> attention_shares(const Json& moments, std::size_t norms) {
  std::vector<std::vector<double>> shares;
  if (!moments.is_array() || moments.size() != norms) return {};
  for (const Json& moment : moments) {
    auto weights = numbers_in(moment);
    if (!weights || weights->empty() || (!shares.empty() && weights->size() != shares.front().size())) return {};
    shares.push_back(std::move(*weights));
  }
  return shares;
}

/// Norms go from 0 to many thousands: they stand at log(1 + norm).
class NormAxis {
 public:
  explicit NormAxis(const std::vector<double>& norms) : norms_(norms), end_(std::log1p(norms.back())) {}

  double at(double norm) const { return attention_frame.left + attention_frame.inner_width() * (end_ > 0 ? std::log1p(norm) / end_ : 0); }
  double x(std::size_t moment) const { return at(norms_[moment]); }

  std::string drawn() const {
    std::string marks;
    for (const double share : {0.0, 0.5, 1.0}) marks += attention_frame.horizontal(y(share), fmt::format("{:g}", share));
    for (double norm = 0; norm <= norms_.back(); norm = norm == 0 ? 1 : 10 * norm)
      marks += attention_frame.vertical(at(norm), fmt::format("{:g}", norm));
    return marks + attention_frame.axes() + attention_frame.name_of_x("norm ‖p‖");
  }

  static double y(double share) {
    return attention_frame.base - (attention_frame.base - attention_frame.top) * std::clamp(share, 0.0, 1.0);
  }

 private:
  const std::vector<double>& norms_;
  double end_;
};

std::string token_line(const NormAxis& axis, const std::vector<double>& norms, const std::vector<std::vector<double>>& shares,
                       std::size_t token, Role role) {
  std::string line;
  std::string dots;
  for (std::size_t k = 0; k < norms.size(); ++k) {
    const double share = shares[k][token];
    line += fmt::format("{}{:.1f} {:.1f}", k == 0 ? "M" : "L", axis.x(k), NormAxis::y(share));
    dots += fmt::format("<circle data-moment=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\"><title>{}token {} at norm {}: {}</title></circle>",
                        k, axis.x(k), NormAxis::y(share), role_signs[role], token, short_number(norms[k]), short_number(share));
  }
  return fmt::format("<g class=\"{}\"><path class=\"{}\" d=\"{}\"/>{}</g>", colour_class(role_colours[role]),
                     role == selected ? "line chosen" : "line", line, dots);
}

Figures sample_figure(const std::vector<double>& norms, const Json& moments, const Json& selection, const Json& support,
                      std::size_t sample) {
  const std::vector<std::vector<double>> shares = attention_shares(moments, norms.size());
  if (shares.empty()) return {};
  const NormAxis axis(norms);
  std::string marks = axis.drawn() + fmt::format("<path class=\"cursor\" d=\"M0 {}V{}\"/>", attention_frame.top, attention_frame.base);
  std::string chosen;
  const std::size_t tokens = shares.front().size();
  for (const Role wanted : {other, tight, selected})  // what matters is drawn last
    for (std::size_t t = 0; t < tokens; ++t)
      if (role_of(selection, support, sample, t) == wanted) {
        marks += token_line(axis, norms, shares, t, wanted);
        if (wanted == selected) chosen = fmt::format("; token {} ends with {}", t, short_number(shares.back()[t]));
      }
  return {{fmt::format("attention-sample-{}", sample),
           fmt::format("Attention, sample {}", sample),
           norms.front() == 0
               ? "From even shares at norm 0 attention moves to the selected token (●), away from the support tokens (◆) and the others."
               : "As the norm grows attention moves to the selected token (●), away from the support tokens (◆) and the others.",
           fmt::format("{} tokens at {} norms{}", tokens, norms.size(), chosen),
           attention_frame.width,
           attention_frame.height(),
           marks,
           {"● selected", "◆ support token"}}};
}

}  // namespace

Figures attention_plot(const Json& run, const Json& support) {
  const Json* attention = member(run, "attention");
  if (attention == nullptr) return {};
  const auto norms = numbers_at(*attention, "norm");
  if (!norms || norms->size() < 2 || !(norms->back() > 0)) return {};
  const Json* selection = member(run, "selection");
  Figures figures;
  const auto& samples = list_at(*attention, "samples");
  for (std::size_t i = 0; i < samples.size(); ++i)
    figures += sample_figure(*norms, samples[i], selection ? *selection : Json(), support, i);
  return figures;
}

}  // namespace attest
