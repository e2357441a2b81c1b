#pragma once

#include "attest/report/html.hpp"
#include "card_bodies.hpp"

#include <string>

namespace attest {

/// Where a claim stands in the results.
struct ClaimPlace {
  const Json& one;  ///< its case
  std::size_t case_index;
  std::size_t claim_index;
};

/// One claim: a line to open, then statement, finding, hypotheses, numbers, evidence and plots.
std::string claim_card(const Json& claim, const ClaimPlace& place, const std::filesystem::path& page_folder, CardBodies& bodies);

}  // namespace attest
