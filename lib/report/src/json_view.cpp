#include "json_view.hpp"

#include <cmath>

namespace attest {

using Json = nlohmann::ordered_json;

const Json* member(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::optional<double> number_in(const Json& value) {
  if (!value.is_number()) return std::nullopt;
  const auto number = value.get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<double> number_at(const Json& object, std::string_view key) {
  const Json* value = member(object, key);
  return value ? number_in(*value) : std::nullopt;
}

std::string text_at(const Json& object, std::string_view key) {
  const Json* value = member(object, key);
  return value && value->is_string() ? value->get<std::string>() : "";
}

std::optional<std::vector<double>> numbers_in(const Json& value) {
  if (!value.is_array()) return std::nullopt;
  std::vector<double> numbers;
  for (const Json& item : value) {
    const std::optional<double> number = number_in(item);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<std::vector<double>> numbers_at(const Json& object, std::string_view key) {
  const Json* value = member(object, key);
  return value ? numbers_in(*value) : std::nullopt;
}

const std::vector<Json>& list_at(const Json& object, std::string_view key) {
  static const std::vector<Json> nothing;
  const Json* value = member(object, key);
  return value && value->is_array() ? value->get_ref<const Json::array_t&>() : nothing;
}

}  // namespace attest
