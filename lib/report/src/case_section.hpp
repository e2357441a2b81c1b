#pragma once

#include "attest/report/html.hpp"
#include "card_bodies.hpp"

#include <string>

namespace attest {

/// One case: what it is about, its audit, its data with attention, and a card a claim.
std::string case_section(const Json& one, std::size_t index, const std::filesystem::path& page_folder, CardBodies& bodies);

}  // namespace attest
