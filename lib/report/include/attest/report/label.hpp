#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace attest {

/// What each claim of a case is called: its name and how it is set, such as "w-svm norm=nuclear" or "mirror-descent q=7/4". What it
/// demands of its numbers, and lists, are named only where claims of the same selection would look alike without.
std::vector<std::string> claim_labels(const nlohmann::ordered_json& claims);

/// The label that the entry has; the claim's name where it has none.
std::string claim_label(const nlohmann::ordered_json& claim);

/// The verdict and the grade that a claim which did not pass had to have, with what is to stand between them; empty where nothing was
/// expected, and for a claim whose process ended early: that is a failure whatever was expected.
std::string missed_expectation(const nlohmann::ordered_json& claim, const char* between = ", ");

}  // namespace attest
