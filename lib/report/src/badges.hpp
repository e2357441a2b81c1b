#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace attest {

/// "✓ holds" in the colour of the verdict: shape and word say it too.
std::string verdict_badge(std::string_view verdict);
std::string grade_badge(std::string_view grade);
/// The sign of a verdict: ✓ ✗ ? –
std::string_view verdict_sign(std::string_view verdict);
/// "holds, proved"
std::string verdict_and_grade(const nlohmann::ordered_json& claim);

/// The id of a claim's card.
std::string card_id(std::size_t case_index, std::size_t claim_index);
std::string case_id(std::size_t case_index);

/// The claim and its selection as text: "gd-local (0, 2)".
std::string claim_title(const nlohmann::ordered_json& claim);

}  // namespace attest
