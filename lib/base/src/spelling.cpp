#include "attest/base/spelling.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace attest {
namespace {

/// How many letters to insert, remove, change or swap with their neighbour (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_above(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(above.begin(), above.end(), 0U);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
    two_above.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::vector<std::string_view> sorted(std::span<const std::string_view> choices) {
  std::vector<std::string_view> list(choices.begin(), choices.end());
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

std::string_view likely_meant(std::span<const std::string_view> choices, std::string_view word) {
  std::string_view nearest;
  // A third of the letters wrong is still a misspelling, more is another word.
  std::size_t distance = (word.size() + 1) / 3 + 1;
  for (const std::string_view choice : sorted(choices)) {
    if (word.size() > 2 * choice.size() + 2) continue;
    if (const std::size_t edits = edit_distance(word, choice); edits < distance) {
      distance = edits;
      nearest = choice;
    }
  }
  return nearest;
}

std::string one_of(std::span<const std::string_view> choices, std::string_view word) {
  std::string list;
  for (const std::string_view choice : sorted(choices)) list += (list.empty() ? "" : ", ") + std::string(choice);
  const std::string text = "one of " + list;
  const std::string_view nearest = likely_meant(choices, word);
  return nearest.empty() ? text : text + " (did you mean " + std::string(nearest) + "?)";
}

}  // namespace attest
