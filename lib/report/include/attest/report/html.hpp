#pragma once

#include "attest/report/results.hpp"

#include <filesystem>
#include <string>

namespace attest {

/// The results as one self-contained page: no network, light and dark, prints, works without scripts but for filter and theme.
/// Links to certificates lead there from `page_folder`.
std::string html(const Json& results, const std::filesystem::path& page_folder = ".");

}  // namespace attest
