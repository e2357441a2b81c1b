#include "attest/report/label.hpp"

#include "json_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

/// What a claim demands of its result, not how it is made.
constexpr std::array<std::string_view, 8> demands = {"objective", "support",  "neighbours", "selections",
                                                     "count",     "nu_lower", "bracket",    "reaches"};

bool is_setting(const std::string& name, const Json& value) {
  return value.is_primitive() && std::ranges::find(demands, name) == demands.end();
}

std::string named(const std::string& name, const Json& value) {
  constexpr std::size_t longest = 24;
  if (value.is_boolean() && value.get<bool>()) return " " + name;
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', true, Json::error_handler_t::replace);
  const bool fits = text.size() <= longest;
  return fmt::format(" {}={}{}", name, std::string_view(text).substr(0, longest), fits ? "" : "…");
}

const Json& parameters_of(const Json& claim) {
  static const Json none = Json::object();
  const Json* given = member(claim, "parameters");
  return given && given->is_object() ? *given : none;
}

std::string plain_label(const Json& claim) {
  std::string label = text_at(claim, "claim");
  for (const auto& [name, value] : parameters_of(claim).items())
    if (name != "selection" && is_setting(name, value)) label += named(name, value);
  return label;
}

using Members = std::vector<std::size_t>;

/// Claims that cannot be told apart by label and selection.
std::vector<Members> alike(const Json& claims, const std::vector<std::string>& labels) {
  std::map<std::pair<std::string, std::string>, Members> groups;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const Json* selection = member(claims[k], "selection");
    groups[{labels[k], selection ? selection->dump() : ""}].push_back(k);
  }
  std::vector<Members> same;
  for (auto& [key, members] : groups)
    if (members.size() > 1) same.push_back(std::move(members));
  return same;
}

/// Adds the parameters, among those left out so far, in which the claims differ.
void tell_apart(const Json& claims, const Members& members, std::vector<std::string>& labels) {
  std::map<std::string, std::vector<std::string>> values;  // of the claims that have the parameter
  for (const std::size_t k : members)
    for (const auto& [name, value] : parameters_of(claims[k]).items())
      if (!is_setting(name, value) && name != "selection") values[name].push_back(value.dump());
  for (const auto& [name, given] : values) {
    const bool all_the_same = given.size() == members.size() && std::set(given.begin(), given.end()).size() == 1;
    for (const std::size_t k : members)
      if (const Json* value = member(parameters_of(claims[k]), name); value && !all_the_same) labels[k] += named(name, *value);
  }
}

}  // namespace

std::vector<std::string> claim_labels(const Json& claims) {
  std::vector<std::string> labels;
  for (const Json& claim : claims) labels.push_back(plain_label(claim));
  for (const Members& members : alike(claims, labels)) tell_apart(claims, members, labels);
  for (const Members& members : alike(claims, labels))
    for (std::size_t k = 1; k < members.size(); ++k) labels[members[k]] += fmt::format(" #{}", k + 1);
  return labels;
}

std::string claim_label(const Json& claim) {
  const std::string label = text_at(claim, "label");
  return label.empty() ? text_at(claim, "claim") : label;
}

std::string missed_expectation(const Json& claim, const char* between) {
  const std::string expect = text_at(claim, "expect");
  return expect.empty() || member(claim, "ended_early") != nullptr ? "" : expect + between + text_at(claim, "expect_grade");
}

}  // namespace attest
