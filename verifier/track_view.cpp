#include "track_view.hpp"

#include "text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

constexpr std::size_t most_rows = 16;
constexpr std::size_t columns_before_selection = 66;

std::string number(const Json& row, const char* name, int digits) {
  const Json& value = row.at(name);
  return value.is_number() ? fmt::format("{:.{}g}", value.get<double>(), digits) : "-";
}

/// At most nine characters.
std::string step_text(double step) {
  constexpr double longest = 1e9;
  return step == std::floor(step) && step >= 0 && step < longest ? fmt::format("{:.0f}", step) : fmt::format("{:.3g}", step);
}

std::string short_selection(const Json& selection) {
  std::string text;
  for (const Json& token : selection) text += (text.empty() ? "" : ", ") + token.dump();
  return cut("(" + text + ")", usual_width - columns_before_selection);
}

std::string row_text(const Json& row) {
  return fmt::format("{:>9} {:>9} {:>9} {:>9} {:>7} {:>7} {:>7}  {}\n", step_text(row.at("step").get<double>()), number(row, "norm", 4),
                     number(row, "loss", 4), number(row, "attention", 4), number(row, "direction_error", 2), number(row, "path_error", 2),
                     number(row, "best_error", 2), short_selection(row.at("selection")));
}

/// The checkpoints, evenly spaced where there are many, the first and the last among them.
std::string table(const Json& checkpoints) {
  std::string text = fmt::format("{:>9} {:>9} {:>9} {:>9} {:>7} {:>7} {:>7}  {}\n", "step", "norm", "loss", "attention", "error", "path",
                                 "to best", "selection");
  const std::size_t parts = std::min(most_rows, checkpoints.size()) - 1;
  for (std::size_t k = 0; k <= parts; ++k) text += row_text(checkpoints[parts == 0 ? 0 : k * (checkpoints.size() - 1) / parts]);
  return text;
}

}  // namespace

std::string track_text(const Json& case_entry) {
  const Json& claim = case_entry.at("claims").front();
  const auto word = [&](const char* key) { return claim.at(key).get<std::string>(); };
  std::string text = wrapped(fmt::format("{}, {}: {}", word("verdict"), word("grade"), word("message")), 0, 0) + "\n";
  const Json& numbers = claim.at("numbers");
  if (!numbers.contains("checkpoints")) return text;  // it ended early
  text += fmt::format("\n{}: {} at {} checkpoint{}\n", claim.at("parameters").at("run").at("file").get<std::string>(),
                      numbers.at("trained").get<std::string>(), numbers.at("checkpoints").size(),
                      numbers.at("checkpoints").size() == 1 ? "" : "s");
  text += table(numbers.at("checkpoints"));
  text += wrapped(
              "error: to the SVM direction of the selection it is judged by; path: that of the regularisation path at the same norm; to "
              "best: to the SVM direction of the largest scores; attention: the least of a selected token",
              0, 0) +
          "\n";
  return text;
}

}  // namespace attest
