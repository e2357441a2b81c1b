#pragma once

#include "attest/model/case_file.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <span>
#include <string>

namespace attest {

/// An audit as the text of a case file that expects what was found. The data stand there by value, exactly; those of a .npz by
/// the name of the archive, relative to `target`. Exact numbers are pinned, and the data by their SHA-256. What was undecided is left
/// out: another machine may be faster.
/// `entries` are those of `set.data.claims`, in order.
std::string saved_case(const DataSet& set, std::span<const nlohmann::ordered_json> entries, const std::filesystem::path& target);

}  // namespace attest
