#include "leading.hpp"

#include "answer_part.hpp"
#include "json_view.hpp"
#include "markup.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

/// More runs, and more samples of a run, are in the JSON.
constexpr std::size_t most_attention_runs = 2;
constexpr std::size_t most_attention_samples = 6;

/// The tight rows of a selection's p-SVM, where some claim of the case lists them.
Json support_of(const Json& one, const Json& selection) {
  for (const Json& claim : list_at(one, "claims")) {
    const Json* theirs = member(claim, "selection");
    if (theirs == nullptr || *theirs != selection) continue;
    if (text_at(claim, "claim") == "p-svm")
      if (const Json* support = member(claim.at("numbers"), "support")) return *support;
    if (text_at(claim, "claim") == "locally-optimal")
      if (const Json* neighbours = member(claim.at("numbers"), "neighbours")) return *neighbours;
  }
  return {};
}

/// Whether attention moves along the run: one that starts where it has been selected for long shows nothing.
bool moves(const Json& attention) {
  constexpr double settled = 0.9;
  for (const Json& moments : list_at(attention, "samples")) {
    if (!moments.is_array() || moments.empty()) continue;
    const auto first = numbers_in(moments.front());
    if (first && !first->empty() && *std::ranges::max_element(*first) < settled) return true;
  }
  return false;
}

bool starts_at_zero(const Json& run) {
  const Json* attention = member(run, "attention");
  const auto norms = attention ? numbers_at(*attention, "norm") : std::nullopt;
  return norms && !norms->empty() && norms->front() == 0;
}

/// Attention along the first run that ended at each selection; runs from 0 come first.
std::vector<AttentionView> attention_of(const Json& one) {
  std::vector<AttentionView> views;
  std::set<std::string> shown;
  for (const bool from_zero : {true, false})
    for (const Json& claim : list_at(one, "claims"))
      for (const Json& run : list_at(claim.at("numbers"), "runs")) {
        const Json* selection = member(run, "selection");
        const Json* attention = member(run, "attention");
        if (selection == nullptr || attention == nullptr || !moves(*attention) || starts_at_zero(run) != from_zero ||
            views.size() == most_attention_runs || !shown.insert(selection->dump()).second)
          continue;
        AttentionView view{
            fmt::format("Attention along descent{}, which ends at {}", from_zero ? " from 0" : "", short_name(one, *selection)),
            numbers_at(*member(run, "attention"), "norm").value_or(std::vector<double>{}),
            attention_plot(run, support_of(one, *selection))};
        if (view.samples.size() > most_attention_samples) {
          view.heading += fmt::format("; {} of {} samples", most_attention_samples, view.samples.size());
          view.samples.resize(most_attention_samples);
        }
        if (!view.samples.empty()) views.push_back(std::move(view));
      }
  return views;
}

/// Of the claims of that name two: the first that holds and the first that does not, a selection that is locally optimal beside one that is
/// not, or else the first two.
std::vector<const Json*> telling_claims(const Json& one, std::string_view name) {
  std::vector<const Json*> all;
  for (const Json& claim : list_at(one, "claims"))
    if (text_at(claim, "claim") == name && member(claim.at("numbers"), "view")) all.push_back(&claim);
  const auto holds = [](const Json* claim) { return text_at(*claim, "verdict") == "holds"; };
  std::stable_partition(all.begin(), all.end(), holds);  // that of ranges does not compile with clang 14
  if (all.size() < 2) return all;
  const auto other = std::ranges::find_if_not(all, holds);
  return {all.front(), other == all.begin() || other == all.end() ? all[1] : *other};
}

/// The value with the short names of an audit in place of its selections.
Json with_names(const Json& value, const Json& one) {
  if (value.is_array()) {
    Json list = Json::array();
    for (const Json& entry : value) list.push_back(entry.is_structured() ? with_names(entry, one) : entry);
    return list;
  }
  if (!value.is_object()) return value;
  Json named = Json::object();
  for (const auto& [key, entry] : value.items())
    if (key == "selection" && entry.is_array()) {
      named[key] = short_name(one, entry);
    } else if (key == "plane_of" && entry.is_array()) {
      named[key] = Json::array();
      for (const Json& selection : entry) named[key].push_back(short_name(one, selection));
    } else {
      named[key] = with_names(entry, one);
    }
  return named;
}

/// Says in the titles which selection the figures are about.
Figures about(const Json& one, const Json& claim, Figures figures) {
  const Json* selection = member(claim, "selection");
  if (selection != nullptr)
    for (Figure& figure : figures) figure.title += ", selection " + short_name(one, *selection);
  return figures;
}

/// The first figure of that kind that the claims of the case have.
Figures first_figure(const Json& one, Figures (*plot)(const Json&)) {
  for (const Json& claim : list_at(one, "claims"))
    if (!plot(claim.at("numbers")).empty()) return plot(with_names(claim.at("numbers"), one));
  return {};
}

std::string attention_part(const AttentionView& view) {
  return fmt::format(
      "<section class=\"attention\" data-norms=\"{}\"><p class=\"heading\">{}</p><p class=\"slide\"><label>Norm of p <input type=\"range\" "
      "min=\"0\" "
      "max=\"{}\" step=\"1\" value=\"0\"></label> <output></output></p><div class=\"plots small\">{}</div></section>",
      escaped(Json(view.norms).dump()), escaped(view.heading), view.norms.size() - 1, html_of(view.samples));
}

}  // namespace

LeadingFigures leading_figures(const Json& one) {
  LeadingFigures leading;
  if (const Json* audit = member(one, "audit")) leading.figures += shares_plot(*audit);
  leading.figures += first_figure(one, checkpoint_plots);
  leading.figures += first_figure(one, basins_plot);
  leading.figures += first_figure(one, loss_plane_plot);
  for (const Json* claim : telling_claims(one, "locally-optimal")) {
    leading.figures += about(one, *claim, margin_plot(claim->at("numbers")));
    leading.figures += about(one, *claim, geometry_plot(claim->at("numbers")));
  }
  leading.figures += first_figure(one, trajectory_plot);
  leading.attention = attention_of(one);
  return leading;
}

std::string leading_part(const Json& one) {
  const LeadingFigures leading = leading_figures(one);
  std::string parts = leading.figures.empty() ? "" : "<div class=\"plots\">" + html_of(leading.figures) + "</div>";
  for (const AttentionView& view : leading.attention) parts += attention_part(view);
  return parts.empty() ? "" : "<div class=\"leading\">" + parts + "</div>\n";
}

}  // namespace attest
