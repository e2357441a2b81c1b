#pragma once

#include "attest/base/rational.hpp"
#include "attest/model/npy.hpp"
#include "npy.hpp"
#include "same_number.hpp"
#include "target.hpp"

#include <cmath>
#include <optional>
#include <variant>

namespace attest::fuzz {

/// What the checker's own reader finds in the bytes of a .npy; nothing where it refuses them.
inline std::optional<check::NpyArray> second_reading(std::string_view npy) {
  try {
    return check::parse_npy(npy);
  } catch (const check::Rejected& why) {
    require_clear(why.what());
    return std::nullopt;
  }
}

/// The library's reading is a clear fault, or an array of as many numbers as its shape says; and where the checker reads the array too,
/// both read the same numbers: else `--case` would compare other data than the claims are about.
inline void require_same_array(const std::variant<NumericArray, ArrayFault>& read, const std::optional<check::NpyArray>& again) {
  if (const auto* fault = std::get_if<ArrayFault>(&read)) {
    require(!fault->found.empty() && !fault->expected.empty(), "a fault says what it is");
    return;
  }
  const auto& array = std::get<NumericArray>(read);
  std::size_t count = 1;
  for (const std::size_t extent : array.shape) count *= extent;
  require(array.values.size() == count, "as many numbers as the shape says");
  if (!again) return;
  require(again->shape == array.shape, "both readers find one shape");
  for (std::size_t k = 0; k < count; ++k)
    require(std::isfinite(array.values[k]) && same(exact_value(array.values[k]), again->values[k]), "both readers find the same numbers");
}

}  // namespace attest::fuzz
