#pragma once

#include <span>
#include <string>
#include <string_view>

namespace attest {

/// The choice that `word` most likely was meant to be; empty if none is near.
std::string_view likely_meant(std::span<const std::string_view> choices, std::string_view word);

/// "one of a, b, c", sorted, and the one that was likely meant.
std::string one_of(std::span<const std::string_view> choices, std::string_view word);

}  // namespace attest
